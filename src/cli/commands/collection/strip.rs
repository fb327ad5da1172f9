//! `ferz strip`: records without comments, clocks, variations, annotations or tags.

use super::{Collection, Listed, changed, listed};
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::session::Session;
use ferz::rewrite::{Part, strip};
use ferz::rules::by_choice::tags_read;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// What to take out, separated by commas
    #[arg(value_name = "WHAT", value_parser = parts)]
    what: Listed<Part>,

    #[command(flatten)]
    records: Collection,
}

fn parts(text: &str) -> Result<Listed<Part>, String> {
    listed(text, &Part::ALL, Part::name)
}

const EXAMPLES: &str = "\
What bears on the rules stays: [%letstand], counts and declarations, the words that end a deployment, the tags that \
the game reads. With `tags` the seven of the standard stay too. Every other byte is as it was.

Examples:
  ferz strip comments,variations,nags games.pgn > plain.pgn
  ferz strip clocks games.pgn
  ferz strip tags games.pgn";

/// The tags that choose the rules and the start of a game.
const RULES: [&str; 6] = ["Variant", "RulesEdition", "RulesDigest", "RulesClass", "SetUp", "FEN"];

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let wants_tags = args.what.0.contains(&Part::Tags);
    let stayed = args.records.rewrite(session, |replayer, record, _| {
        let read = if wants_tags {
            let game = replayer.game(record).map_err(|error| format!("written as it is: {error}"))?;
            tags_read(game.definition())
        } else {
            Vec::new()
        };
        let is_read = |name: &str| RULES.iter().chain(&read).any(|own| own.eq_ignore_ascii_case(name));
        Ok(changed(record, &strip(record, &args.what.0, is_read)))
    })?;
    Ok(ExitStatus::of(stayed > 0))
}
