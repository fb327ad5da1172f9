//! `ferz submit`: submits records to a service's archive.

use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::progress::Progress;
use crate::cli::records::{each_file, no_game};
use crate::cli::service_args::ServiceArgs;
use crate::cli::session::Session;
use crate::client::{Client, Stored, Submitted, batches};
use ferz::replay::summary::counted;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    service: ServiceArgs,

    /// Records to submit, plain or compressed; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Output: one line a game, or the service's answer as one JSON object a game
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write the receipt of each new game into this directory, as ID-EVENT.tlog-proof, and beside it
    /// the salt of its commitments, as ….salt; `ferz verify` checks both
    #[arg(long, value_name = "DIR")]
    receipts: Option<PathBuf>,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One line a game: its id, whether it is new, its verdict
    Text,
    /// One JSON object a line
    Ndjson,
}

const EXAMPLES: &str = "\
Illegal records are stored too, with their verdict; the exit code is then 1. A game that the archive has already is \
not stored again, so an interrupted run can simply be rerun.

Examples:
  ferz submit --server http://localhost:8080 games.pgn
  FERZ_TOKEN=… ferz submit --server https://archive.example.org round-*.pgn
  ferz submit --server http://localhost:8080 --receipts receipts games.pgn
  ferz submit --server http://localhost:8080 --format ndjson games.pgn.zst";

/// One line of `--format ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    game: usize,
    #[serde(flatten)]
    stored: Option<&'a Stored>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The outcome for all games.
#[derive(Default)]
struct Tally {
    created: usize,
    known: usize,
    illegal: usize,
    unjudged: usize,
    refused: usize,
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let client = args.service.client(session)?;
    if let Some(folder) = &args.receipts {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::message(format!("{}: {error}", folder.display())))?;
    }
    let mut tally = Tally::default();
    let outcome =
        each_file(&args.files, session, |session, file| one_file(args, &client, session, file, &mut tally));
    let Tally { created, known, illegal, unjudged, refused } = tally;
    // Report what was stored before a failure; if nothing was, the failure says so.
    if outcome.is_ok() || created + known > 0 {
        let games = counted(created + known, "game", "games");
        let unjudged = if unjudged > 0 { format!(", {unjudged} not judged") } else { String::new() };
        session
            .console
            .note(&format!("{games}: {created} new, {known} known; {illegal} illegal{unjudged}"))?;
    }
    outcome?;
    if refused > 0 {
        let games = counted(refused, "game was", "games were");
        return Err(Failure::message(format!("{games} refused by the service; see above")));
    }
    Ok(ExitStatus::of(illegal + unjudged > 0))
}

fn one_file(
    args: &Args,
    client: &Client,
    session: &mut Session<'_>,
    file: &Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let input = input::open(Some(file))?;
    let mut progress = Progress::new(input.total, input.consumed);
    let mut games = 0;
    for batch in batches(input.reader).map_err(Failure::message)? {
        let batch = batch.map_err(Failure::message)?;
        let submitted = client.submit(&batch).map_err(|error| {
            let rest = batch.first + 1;
            Failure::message(format!(
                "{error}\n  {}: not submitted from game {rest} on; run the command again",
                input.name
            ))
        })?;
        games += submitted.len();
        progress.add_games(submitted.len() as u64);
        let printed = progress.aside(|| {
            submitted.iter().for_each(|one| tally.count(one));
            submitted.iter().try_for_each(|one| keep_receipt(args.receipts.as_deref(), one))?;
            submitted.iter().try_for_each(|one| tell(args.format, session, &input.name, one))?;
            // Flush: a watcher sees each batch once it is stored.
            session.console.flush()
        });
        match printed {
            // If standard output is closed, still submit the rest of the games.
            Err(Failure::BrokenPipe) => {}
            printed => printed?,
        }
    }
    progress.finish();
    if games == 0 {
        no_game(session, &input.name)?;
    }
    Ok(())
}

impl Tally {
    fn count(&mut self, submitted: &Submitted) {
        match &submitted.outcome {
            Ok(stored) => {
                *(if stored.created { &mut self.created } else { &mut self.known }) += 1;
                self.illegal += usize::from(!stored.valid && is_judged(stored));
                self.unjudged += usize::from(!stored.valid && !is_judged(stored));
            }
            Err(_) => self.refused += 1,
        }
    }
}

/// Writes the receipt of a new game or text, and the salt that opens its commitments.
fn keep_receipt(folder: Option<&Path>, one: &Submitted) -> Result<(), Failure> {
    let (Some(folder), Ok(stored)) = (folder, &one.outcome) else { return Ok(()) };
    let Some(receipt) = stored.more.get("receipt").and_then(Value::as_str) else { return Ok(()) };
    // The id names a file; whatever the service answers, it names one in this directory.
    let is_id = stored.id.len() == 32 && stored.id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id {
        return Err(Failure::message(format!("the service answered the id `{}`", stored.id.escape_debug())));
    }
    let event = receipt.lines().find_map(|line| line.strip_prefix("index ")?.parse::<u64>().ok());
    let event = event.map_or_else(String::new, |event| format!("-{event}"));
    let path = folder.join(format!("{}{event}.tlog-proof", stored.id));
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).map_err(|error| Failure::message(format!("{}: {error}", path.display())))
    };
    write(&path, receipt)?;
    match stored.more.get("salt").and_then(Value::as_str) {
        Some(salt) => write(&path.with_extension("salt"), &format!("{salt}\n")),
        None => Ok(()),
    }
}

fn tell(format: Format, session: &mut Session<'_>, file: &str, one: &Submitted) -> Result<(), Failure> {
    if format == Format::Ndjson {
        let error = one.outcome.as_ref().err().map(ToString::to_string);
        let line = Line { file, game: one.game, stored: one.outcome.as_ref().ok(), error };
        return session.console.json(&line);
    }
    let number = one.game + 1;
    match &one.outcome {
        Ok(stored) => {
            let is_withdrawn = stored.more.get("withdrawn").is_some_and(|withdrawn| *withdrawn == true);
            let new = match (stored.created, is_withdrawn) {
                (true, _) => "new",
                (false, false) => "known",
                (false, true) => "known, but withdrawn",
            };
            session.console.line(format!("{file}: game {number}: {}: {new}, {}", stored.id, verdict(stored)))
        }
        Err(error) => session.console.note(&format!("ferz: error: {file}: game {number}: {error}")),
    }
}

/// True if the service knew the game's rules and its start. A report that does not mention rules counts as known.
fn is_judged(stored: &Stored) -> bool {
    !stored.report.get("rules").is_some_and(Value::is_null)
}

/// Why a game was not judged: the last message of its report.
fn why_not_judged(stored: &Stored) -> String {
    let why = stored.report["diagnostics"].as_array().and_then(|diagnostics| diagnostics.last());
    why.and_then(|why| why["message"].as_str()).map_or_else(String::new, |why| format!(": {why}"))
}

/// The verdict in a few words.
fn verdict(stored: &Stored) -> String {
    if !stored.valid && !is_judged(stored) {
        return format!("not judged{}", why_not_judged(stored));
    }
    let word = if stored.report["verdict"] == "unreadable" { "UNREADABLE" } else { "ILLEGAL" };
    let illegal = &stored.report["illegal"];
    match (stored.valid, illegal["ply"].as_u64(), illegal["reason_id"].as_str()) {
        (true, ..) => "legal".to_owned(),
        (false, Some(ply), Some(reason)) => format!("{word} at ply {ply} ({reason})"),
        (false, ..) => word.to_owned(),
    }
}
