//! `ferz archive register`: games of their authors' own on their way to V-Class.

use super::Db;
use super::receipts::Receipts;
use crate::cli::carets::{Source, draw};
use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome, json_line};
use crate::cli::session::{Session, no_such_game};
use ferz::archive::{Archive, ArchiveError, KeptRules, Logged, RegisterStep, Review, Step, TokenId};
use ferz::record::read;
use ferz::replay::{AnyGame, Options, Replayer};
use ferz::rules::check::{Checked, check};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
How a game of its author's own (X-Class) becomes a codified one (V-Class): it is submitted, reviewed, and codified by \
a director's ruling. Each step is an event of the log. Once codified, no other definition can have its name and \
edition here, records that leave the archive name its class in the tag RulesClass, and `ferz archive table --class V` \
counts its games.

Examples:
  ferz archive register submit dragoons.toml --because 'a season was played' --db club.ferz
  ferz archive register review dragoons --db club.ferz
  ferz archive register review dragoons --accept --because 'complete' --db club.ferz
  ferz archive register codify dragoons --because 'ruling 3 of 2027' --db club.ferz
  ferz archive register list --db club.ferz";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the games in the register, each with its last step
    List(ListArgs),
    /// Submit the definition of a game
    Submit(SubmitArgs),
    /// Show what is asked of a game and the answers; with --accept note that nothing is in its way
    Review(ReviewArgs),
    /// Return a game to its author
    Return(StepArgs),
    /// Codify a game that was reviewed: a director's ruling, which is final
    Codify(StepArgs),
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// All steps, not only the last one of each game
    #[arg(long)]
    all: bool,

    /// Output: one line a game, or one JSON object a line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    db: Db,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Ndjson,
}

#[derive(Debug, clap::Args)]
struct SubmitArgs {
    /// Definition file (*.toml)
    file: PathBuf,

    #[command(flatten)]
    request: Request,
}

#[derive(Debug, clap::Args)]
struct Which {
    /// Name of the game
    name: String,

    /// Its edition, where the register has several
    #[arg(long)]
    edition: Option<String>,
}

#[derive(Debug, clap::Args)]
struct StepArgs {
    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    request: Request,
}

#[derive(Debug, clap::Args)]
struct ReviewArgs {
    #[command(flatten)]
    which: Which,

    /// Note that the game was reviewed
    #[arg(long, requires = "because")]
    accept: bool,

    /// Reason, for those who look the step up later
    #[arg(long, value_name = "REASON", requires = "accept")]
    because: Option<String>,

    #[command(flatten)]
    db: Db,

    #[command(flatten)]
    receipts: Receipts,
}

#[derive(Debug, clap::Args)]
struct Request {
    /// Reason, for those who look the step up later
    #[arg(long, value_name = "REASON")]
    because: String,

    #[command(flatten)]
    db: Db,

    #[command(flatten)]
    receipts: Receipts,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::List(args) => list(args, session),
        Command::Submit(args) => submit(args, session),
        Command::Review(args) => review(args, session),
        Command::Return(args) => step(args, Archive::return_rules, "returned to its author", session),
        Command::Codify(args) => step(args, Archive::codify_rules, "codified", session),
    }
}

/// A step as one line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    edition: &'a str,
    digest: &'a str,
    definition: &'a str,
    step: Step,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'a str>,
    because: &'a str,
    time: &'a str,
    event: u64,
}

fn list(args: &ListArgs, session: &mut Session<'_>) -> Outcome {
    let steps = args.db.open_existing()?.register().map_err(Failure::message)?;
    let is_last = |index: usize| steps[index + 1..].iter().all(|later| later.rules != steps[index].rules);
    let shown = steps.iter().enumerate().filter(|(index, _)| args.all || is_last(*index));
    for (_, found) in shown {
        let RegisterStep { rules: KeptRules { id, whole }, step, class, because, time, event, .. } = found;
        let line = match args.format {
            Format::Text => {
                let class = class.as_ref().map(|class| format!(" as {class}")).unwrap_or_default();
                let (name, edition, step) = (&id.name, &id.edition, step.name());
                format!("{name}, edition {edition}: {step}{class}, {time}: {because}")
            }
            Format::Ndjson => json_line(&Line {
                name: &id.name,
                edition: &id.edition,
                digest: &id.digest,
                definition: whole,
                step: *step,
                class: class.as_deref(),
                because,
                time,
                event: *event,
            })?,
        };
        session.console.line(line)?;
    }
    if steps.is_empty() {
        session.console.note("ferz: the register is empty; `ferz archive register submit FILE` begins it")?;
    }
    Ok(ExitStatus::Fine)
}

fn submit(args: &SubmitArgs, session: &mut Session<'_>) -> Outcome {
    let text = input::read_text(&args.file)?;
    let game = own_game(&args.file, &text, session)?;
    let Request { because, db, receipts } = &args.request;
    let archive = db.open()?;
    receipts.prepare()?;
    let (name, edition) = (game.id().name.clone(), game.id().edition.clone());
    let logged = archive.submit_rules(game, because, None).map_err(Failure::message)?;
    receipts.write(&name, logged.as_ref())?;
    session.console.line(format!("`{name}`, edition {edition}, is submitted"))?;
    Ok(ExitStatus::Fine)
}

/// The game that a file defines.
fn own_game(file: &Path, text: &str, session: &Session<'_>) -> Result<AnyGame, Failure> {
    let mut registry = session.new_registry()?;
    let Checked { name, edition, .. } = check(&mut registry, text).map_err(|found| {
        let shown = file.display().to_string();
        let (source, color) = (Source::whole(&shown, text), session.console.has_color());
        let drawn: Vec<String> = found.iter().map(|found| draw(found, &source, color)).collect();
        Failure::Drawn(drawn.join("\n\n"))
    })?;
    let Some(edition) = edition else {
        return Err(Failure::message(format!("`{name}` is a mutator; the register is for games")));
    };
    let record = format!("[Variant \"{name}\"]\n[RulesEdition \"{edition}\"]\n\n*\n");
    let record =
        read(record.as_bytes(), 0).next().ok_or_else(|| Failure::message("the file defines no game"))?;
    Replayer::new(&registry, Options::default()).game(&record).map_err(no_such_game)
}

fn review(args: &ReviewArgs, session: &mut Session<'_>) -> Outcome {
    args.db.open_existing()?;
    let archive = args.db.open()?;
    let rules = found(&archive, &args.which)?;
    let review = archive.review_rules(&rules).map_err(Failure::message)?;
    session.console.text(&in_words(&rules, &review))?;
    if let Some(because) = &args.because {
        args.receipts.prepare()?;
        let logged = archive.accept_rules(&rules, because, None).map_err(Failure::message)?;
        say(&rules, "reviewed", &args.receipts, logged, session)?;
    }
    Ok(if review.in_the_way().next().is_none() { ExitStatus::Fine } else { ExitStatus::Findings })
}

fn in_words(rules: &KeptRules, review: &Review) -> String {
    let mut text =
        format!("`{}`, edition {}, would be of class {}\n", rules.id.name, rules.id.edition, review.class);
    for question in &review.questions {
        let sign = if question.passes { "ok" } else { "NO" };
        text.push_str(&format!("  {sign}  {:10}  {}\n", question.asked, question.answer));
    }
    text
}

/// Takes a step that an archive has a method for.
fn step(
    args: &StepArgs,
    take: impl Fn(&Archive, &KeptRules, &str, Option<TokenId>) -> Result<Option<Logged>, ArchiveError>,
    done: &str,
    session: &mut Session<'_>,
) -> Outcome {
    let Request { because, db, receipts } = &args.request;
    db.open_existing()?;
    let archive = db.open()?;
    let rules = found(&archive, &args.which)?;
    receipts.prepare()?;
    let logged = take(&archive, &rules, because, None).map_err(Failure::message)?;
    say(&rules, done, receipts, logged, session)?;
    Ok(ExitStatus::Fine)
}

fn say(
    rules: &KeptRules,
    done: &str,
    receipts: &Receipts,
    logged: Option<Logged>,
    session: &mut Session<'_>,
) -> Result<(), Failure> {
    receipts.write(&rules.id.name, logged.as_ref())?;
    session.console.line(format!("`{}`, edition {}, is {done}", rules.id.name, rules.id.edition))
}

/// The rules in the register that are meant.
fn found(archive: &Archive, Which { name, edition }: &Which) -> Result<KeptRules, Failure> {
    let steps = archive.register().map_err(Failure::message)?;
    let is_meant = |rules: &KeptRules| {
        rules.id.name == *name && edition.as_ref().is_none_or(|edition| rules.id.edition == *edition)
    };
    let mut meant: Vec<&KeptRules> = Vec::new();
    for step in steps.iter().filter(|step| is_meant(&step.rules)) {
        if !meant.contains(&&step.rules) {
            meant.push(&step.rules);
        }
    }
    match meant[..] {
        [rules] => Ok(rules.clone()),
        [] => Err(Failure::message(format!(
            "the register has no `{name}`; `ferz archive register list` shows all"
        ))),
        [.., last] if meant.iter().all(|rules| rules.id.edition == last.id.edition) => Ok(last.clone()),
        _ => {
            let editions: Vec<&str> = meant.iter().map(|rules| &*rules.id.edition).collect();
            Err(Failure::message(format!(
                "`{name}` has the editions {}; choose with --edition",
                editions.join(", ")
            )))
        }
    }
}
