//! `ferz variants new`: writes a commented definition to start from.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::{Session, no_such_game};
use std::fmt::Write;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of the new game, such as dragoons
    #[arg(value_parser = name)]
    name: String,

    /// Game to start from
    #[arg(long, value_name = "GAME", default_value = "chess")]
    extends: String,
}

const EXAMPLES: &str = "\
The definition plays like the game it starts from. All fields of that game follow as comments, to be uncommented where \
the new game differs; formats/VARIANT.md explains each.

Examples:
  ferz variants new dragoons > dragoons.toml
  ferz variants new two-bishops --extends iago-b > two-bishops.toml
  ferz variants check two-bishops.toml
  ferz --formats two-bishops.toml moves two-bishops";

/// Fields that a game does not inherit, and those that the new definition sets itself.
const OWN: [&str; 9] =
    ["name", "aliases", "class", "editions-change", "extends", "title", "edition", "source", "native-style"];

fn name(text: &str) -> Result<String, String> {
    let fair = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    match !text.is_empty() && text.bytes().all(fair) {
        true => Ok(text.to_owned()),
        false => Err("write a name in small letters, digits and `-`".to_owned()),
    }
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let Args { name, extends } = args;
    if session.registry().canonical_name(name).is_ok() {
        return Err(Failure::message(format!("`{name}` is a known game; choose another name")));
    }
    let (definition, mut parent) = session.registry().definition(extends, &|_| None).map_err(no_such_game)?;
    OWN.iter().for_each(|field| drop(parent.remove(*field)));
    let fields = toml::to_string(&parent).map_err(Failure::message)?;
    let (extends, title) = (&definition.name, &definition.title);
    let mut text = format!(
        "# What makes {name} different from {title}, in a sentence.\n\
         name = \"{name}\"\n\
         extends = \"{extends}\"\n\
         title = \"{name}\"\n\
         edition = \"1\"\n\
         source = \"who invented it, and where its rules are written\"\n\n\
         # The fields of {title} follow. Uncomment those that differ, with the heading of their table,\n\
         # and change them; formats/VARIANT.md explains each.\n\n"
    );
    for line in fields.lines() {
        // Writing to a string does not fail.
        let _ = match line.is_empty() {
            true => writeln!(text),
            false => writeln!(text, "# {line}"),
        };
    }
    session.console.text(&text)?;
    Ok(ExitStatus::Fine)
}
