//! `ferz archive export`.

use super::Db;
use super::list::nothing;
use crate::cli::archived::{converted, separator};
use crate::cli::filter_args::FilterArgs;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome, json_line};
use crate::cli::progress::Progress;
use crate::cli::session::Session;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ferz::archive::{Archive, ArchiveError, Filter, GameId, Rulebooks, Text, Which};
use ferz::notation::Style;
use ferz::replay::summary::and_more;
use ferz::rewrite::ConvertOptions;
use ferz::rules::Registry;
use ferz::text::Severity;
use ferz::text::limits::FINDINGS_SHOWN_MAX;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    db: Db,

    #[command(flatten)]
    filter: FilterArgs,

    /// Export only the game with this id, or whose id alone begins so
    #[arg(long, value_name = "ID")]
    id: Option<String>,

    /// Include withdrawn games
    #[arg(long)]
    withdrawn: bool,

    /// Export every submitted text, byte for byte, in order of submission
    #[arg(long, conflicts_with_all = ["to", "format"])]
    original: bool,

    /// Write in this style; `parquet`: tables of games, plies and positions, into the folder of --out
    #[arg(long, value_name = "STYLE", value_parser = targets(), ignore_case = true)]
    to: Option<Target>,

    /// The folder for the tables of --to parquet
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Output: records, or one JSON report a line
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
}

/// What games are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Records(Style),
    #[cfg(feature = "parquet")]
    Tables,
}

/// The styles, and `parquet`.
fn targets() -> impl TypedValueParser<Value = Target> {
    let names = Style::ALL.into_iter().map(Style::name);
    #[cfg(feature = "parquet")]
    let names = names.chain(["parquet"]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        #[cfg(feature = "parquet")]
        "parquet" => Ok(Target::Tables),
        style => style.parse().map(Target::Records),
    })
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Records in the export format of PGN
    Pgn,
    /// For programs: one report a line
    Ndjson,
}

const EXAMPLES: &str = "\
Exports each game once, in the order of the archive: its first text, in the export format of PGN and in style san or \
the style of --to. Reports what a style cannot express on standard error. With --original all texts are written as \
submitted: an imported file comes out as it went in, except for games that it has twice. With --to parquet the games, \
their plies and positions become tables for DuckDB and others (formats/ARCHIVE.md).

Exit codes: 0 all games written, 1 a game is damaged or could not be converted, 2 usage or I/O error.

Examples:
  ferz archive export --db club.ferz > all.pgn
  ferz archive export --db club.ferz --original --event linares > linares.pgn
  ferz archive export --db club.ferz --to coord --variant ichess
  ferz archive export --db club.ferz --format ndjson --valid no | jq .illegal
  ferz archive export --db club.ferz --to parquet --out tables";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let archive = args.db.open_existing()?;
    let id = args.id.as_deref().map(|id| archive.resolve(id)).transpose().map_err(Failure::message)?;
    if let Some(id) = id
        && archive.get(id).map_err(Failure::message)?.is_none()
    {
        return Err(Failure::message(ArchiveError::NoGame(id)));
    }
    // Who names a game wants it, withdrawn or not.
    let withdrawn = (!args.withdrawn && id.is_none()).then_some(false);
    let filter = Filter { id, withdrawn, ..args.filter.filter(session) };
    let mut progress = Progress::new(None, Arc::default());
    let (console, registry) = session.parts();
    let written = match args {
        Args { original: true, .. } => originals(&archive, &filter, console, &mut progress),
        Args { format: Format::Ndjson, .. } => reports(&archive, &filter, console, &mut progress),
        #[cfg(feature = "parquet")]
        Args { to: Some(Target::Tables), out, .. } => {
            let missing = || Failure::message("the tables need a folder; add `--out DIR`");
            let folder = out.as_deref().ok_or_else(missing)?;
            super::parquet::tables(&archive, &filter, registry, folder, console, &mut progress)
        }
        Args { out: Some(_), .. } => {
            Err(Failure::message("--out is for `--to parquet`; records go to standard output"))
        }
        Args { to: Some(Target::Records(to)), .. } => {
            records(&archive, &filter, registry, *to, console, &mut progress)
        }
        _ => records(&archive, &filter, registry, Style::San, console, &mut progress),
    };
    let games = progress.finish();
    let findings = written?;
    if games == 0 {
        nothing(&filter, false, session)?;
    }
    Ok(ExitStatus::of(findings))
}

/// Reports the error of a text.
pub(super) fn damaged(console: &mut Console, id: GameId, error: &ArchiveError) -> Result<(), Failure> {
    console.note(&format!("ferz: error: game {id}: {error}"))
}

/// Writes all texts as submitted; returns whether any was damaged.
fn originals(
    archive: &Archive,
    filter: &Filter,
    console: &mut Console,
    progress: &mut Progress,
) -> Result<bool, Failure> {
    let mut findings = false;
    let mut last: Vec<u8> = Vec::new();
    for page in archive.texts(filter, Which::All) {
        let page = page.map_err(Failure::message)?;
        let unpacked: Vec<_> = page.par_iter().map(Text::bytes).collect();
        progress.add_games(page.len() as u64);
        for (text, bytes) in page.iter().zip(unpacked) {
            match bytes {
                Ok(bytes) => {
                    if !last.is_empty() {
                        let (between, is_clean) = separator(&last, &bytes);
                        if !is_clean {
                            let why = "the text before it has no result, and it has no tags; `*` is added between them";
                            console.warning(format!("game {}: {why}", text.id))?;
                        }
                        console.bytes(between)?;
                    }
                    console.bytes(&bytes)?;
                    last = bytes;
                }
                Err(error) => {
                    findings = true;
                    damaged(console, text.id, &error)?;
                }
            }
        }
    }
    Ok(findings)
}

/// Writes the report on each game; returns whether any was damaged.
fn reports(
    archive: &Archive,
    filter: &Filter,
    console: &mut Console,
    progress: &mut Progress,
) -> Result<bool, Failure> {
    let mut findings = false;
    for page in archive.texts(filter, Which::First) {
        let page = page.map_err(Failure::message)?;
        progress.add_games(page.len() as u64);
        for text in &page {
            match text.report() {
                // The id comes first, so that a report can be matched with its game.
                Ok(report) => {
                    let token = match &text.token {
                        Some(token) => format!("\"token\":{},", json_line(token)?),
                        None => String::new(),
                    };
                    console.line(format!("{{\"id\":\"{}\",{token}{}", text.id, &report[1..]))?;
                }
                Err(error) => {
                    findings = true;
                    damaged(console, text.id, &error)?;
                }
            }
        }
    }
    Ok(findings)
}

/// Writes each game as a record; returns whether any could not be converted.
fn records(
    archive: &Archive,
    filter: &Filter,
    registry: &Registry,
    to: Style,
    console: &mut Console,
    progress: &mut Progress,
) -> Result<bool, Failure> {
    let options = ConvertOptions { digest: true, ..ConvertOptions::new(to) };
    let books = Rulebooks::new(archive, registry);
    let mut findings = false;
    for page in archive.texts(filter, Which::First) {
        let page = page.map_err(Failure::message)?;
        let converted: Vec<_> = page.par_iter().map(|text| converted(text, &books, &options)).collect();
        progress.add_games(page.len() as u64);
        for (text, converted) in page.iter().zip(converted) {
            let converted = match converted {
                Ok(converted) => converted,
                Err(error) => {
                    findings = true;
                    damaged(console, text.id, &error)?;
                    continue;
                }
            };
            findings |= !converted.report.legal;
            console.text(&converted.text)?;
            findings |= converted.losses.iter().any(|loss| loss.severity == Severity::Error);
            for loss in converted.losses.iter().take(FINDINGS_SHOWN_MAX) {
                let (line, column, code) = (loss.line, loss.column, loss.code);
                console.note(&format!("game {}:{line}:{column}: {code}: {}", text.id, loss.message))?;
            }
            let more = converted.losses_in_all().saturating_sub(FINDINGS_SHOWN_MAX);
            if let Some(more) = and_more(more, "loss", "losses") {
                console.note(&format!("game {}: {more}", text.id))?;
            }
        }
    }
    Ok(findings)
}
