//! `ferz convert`: records in another style of notation.

use crate::cli::input;
use crate::cli::output::{Failure, Outcome, Verdict};
use crate::cli::progress::Progress;
use crate::cli::records::{Reading, each_file, json_line, styles};
use crate::cli::session::Session;
use crate::notation::{Style, WriteChoices};
use crate::record::{Record, decode, read};
use crate::replay::words::counted;
use crate::replay::{
    Batch, ConvertOptions, Converted, Illegal, Located, Options, Replayer, Report, Rewritten, Source,
    convert, convert_in_place, each_record, split_stood,
};
use crate::rules::Registry;
use crate::text::{Edit, Severity, Span, edited};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// The style to write
    #[arg(long, value_name = "STYLE", value_parser = styles(), ignore_case = true)]
    to: Style,

    /// Records to convert, plain or packed; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Records with losses on standard error, or one JSON object a record with both
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,

    /// Writes no record that would lose something, and says what
    #[arg(long)]
    no_loss: bool,

    #[command(flatten)]
    reading: Reading,

    /// Writes a game with illegal plies that stood as several, each from the position behind such a ply, so that every
    /// reader of PGN opens them
    #[arg(long, conflicts_with = "keep_layout")]
    split_stood: bool,

    /// The sign of gating and drops in style iago: one of & @ / ^
    #[arg(long, default_value_t = '&', value_parser = sign)]
    sign: char,

    /// Writes `oo1.....` for the numbers of Nature's turns
    #[arg(long)]
    ascii: bool,

    /// Changes moves where they stand and nothing else: tags, comments, blanks, line ends stay byte for byte
    #[arg(long)]
    keep_layout: bool,
}

/// How converted records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Records, one after the other
    Pgn,
    /// One JSON object a line: record and losses
    Ndjson,
}

const EXAMPLES: &str = "\
Nothing is lost silently: what a style cannot express, or what cannot be kept, is reported on standard error.
Of an illegal record the legal plies are converted, the rest is kept as it is, and the exit code is 1.
With --no-loss a record that would lose anything is not written at all, and the exit code is 1.
Without --keep-layout records are written in PGN export format: see formats/RECORD.md.

Examples:
  ferz convert --to san fixtures/games/ichess-sample.pgn
  ferz convert --to coord --format ndjson games.pgn
  ferz convert --to iccf --no-loss games.pgn
  ferz convert --to iago --sign @ games.pgn > games-iago.pgn
  ferz convert --to lan --keep-layout notes.pgn > notes-lan.pgn";

fn sign(text: &str) -> Result<char, String> {
    match text {
        "&" | "@" | "/" | "^" => Ok(text.chars().next().unwrap_or('&')),
        other => Err(format!("`{other}` is none of & @ / ^")),
    }
}

/// One line of `--format ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    game: usize,
    /// Nothing where the record was refused.
    record: Option<&'a str>,
    losses: &'a [Located],
    legal: bool,
}

/// Carries out the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut findings = false;
    each_file(&args.files, session, |session, file| {
        findings |= one_file(args, session, file)?;
        Ok(())
    })?;
    Ok(Verdict::of(findings))
}

fn one_file(args: &Args, session: &mut Session<'_>, file: &Path) -> Result<bool, Failure> {
    let input = input::open(Some(file))?;
    let options = args.reading.options(session)?;
    let wanted = ConvertOptions { to: args.to, choices: WriteChoices { sign: args.sign }, ascii: args.ascii };
    let mut progress = Progress::new(input.total, input.consumed);
    let (console, registry) = session.parts();
    let (mut number, mut findings) = (0, false);
    let ended = each_record(
        input.reader,
        args.reading.jobs,
        || Replayer::new(registry, options.clone()),
        |replayer, record, source| match args.keep_layout {
            true => keeping_layout(args, replayer, record, source, &wanted),
            false => {
                let mut converted = convert(replayer, record, source, 0, &wanted);
                if args.split_stood {
                    split(registry, &options, &mut converted);
                }
                (converted, Vec::new())
            }
        },
        |batch: Batch<(Converted, Vec<Edit>)>| {
            progress.add_games(batch.items.len() as u64);
            let mut write = || -> Result<(), Failure> {
                if args.keep_layout && args.format == Format::Pgn {
                    let edits: Vec<Edit> = batch.items.iter().flat_map(|(_, edits)| edits).cloned().collect();
                    console.bytes(&edited(&batch.text, batch.offset, &edits))?;
                }
                for (converted, _) in &batch.items {
                    findings |= is_finding(converted) || is_refused(args, &converted.losses);
                    write_one(args, console, &input.name, number, converted)?;
                    number += 1;
                }
                if let Some(cut) = &batch.cut {
                    findings = true;
                    console.note(&format!("{}: {}: {}", input.name, cut.code, cut.message))?;
                }
                Ok(())
            };
            match progress.aside(&mut write) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => ControlFlow::Break(failure),
            }
        },
    );
    progress.finish();
    match ended {
        Ok(ControlFlow::Continue(())) => Ok(findings),
        Ok(ControlFlow::Break(failure)) => Err(failure),
        Err(error) => Err(Failure::message(error)),
    }
}

/// Splits what was written behind illegal plies that stood.
fn split(registry: &Registry, options: &Options, converted: &mut Converted) {
    if converted.report.stood.is_empty() {
        return;
    }
    // What was written is in another style than what was read.
    let mut replayer = Replayer::new(registry, Options { style: None, ..options.clone() });
    let whole = read(converted.text.as_bytes(), 0).next();
    if let Some(text) = whole.and_then(|record| split_stood(&mut replayer, &record)) {
        converted.text = text;
    }
}

/// The record with its moves changed where they stand, and these changes.
fn keeping_layout(
    args: &Args,
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    wanted: &ConvertOptions,
) -> (Converted, Vec<Edit>) {
    let Rewritten { edits, losses, report } = convert_in_place(replayer, record, source, 0, wanted);
    let text = decode(&edited(record.source(), record.offset(), &edits)).into_owned();
    let whole = Span::new(record.offset(), record.offset() + record.source().len());
    let edits = if is_refused(args, &losses) { vec![Edit::new(whole, "")] } else { edits };
    (Converted { text, losses, report }, edits)
}

fn is_finding(converted: &Converted) -> bool {
    !converted.report.legal || converted.losses.iter().any(|loss| loss.severity == Severity::Error)
}

/// True if the record is not written because of what it would lose.
fn is_refused(args: &Args, losses: &[Located]) -> bool {
    args.no_loss && !losses.is_empty()
}

fn write_one(
    args: &Args,
    console: &mut crate::cli::output::Console,
    name: &str,
    game: usize,
    converted: &Converted,
) -> Result<(), Failure> {
    if args.format == Format::Ndjson {
        let Converted { text, losses, report } = converted;
        let record = Some(text.as_str()).filter(|_| !is_refused(args, losses));
        return console.line(json_line(&Line { game, record, losses, legal: report.legal })?);
    }
    if !args.keep_layout && !is_refused(args, &converted.losses) {
        console.text(&converted.text)?;
    }
    let mut say = |line: usize, column: usize, code: &str, message: &str| {
        console.note(&format!("{name}:{line}:{column}: game {}: {code}: {message}", game + 1))
    };
    let Report { diagnostics, .. } = &converted.report;
    if !converted.report.is_judged() {
        for found in diagnostics.iter().filter(|found| found.severity == Severity::Error) {
            say(found.line, found.column, found.code.0, &found.message)?;
        }
    }
    let lines = converted.report.with_variations();
    let illegal: HashMap<_, _> =
        lines.iter().filter_map(|line| line.illegal.as_ref().map(|ply| (ply.span, (line, ply)))).collect();
    for loss in &converted.losses {
        // In front of what is kept stands why.
        if let Some((line, Illegal { ply, text, reason, rule, code, .. })) = illegal.get(&loss.span) {
            let place = line.of_variation();
            let message = format!("ply {ply}{place}, `{text}`, is illegal: {reason} ({rule})");
            say(loss.line, loss.column, code, &message)?;
        }
        let ply = loss.ply.map_or_else(String::new, |ply| format!("ply {ply}: "));
        say(loss.line, loss.column, loss.code.0, &format!("{ply}{}", loss.message))?;
    }
    if is_refused(args, &converted.losses) {
        let count = counted(converted.losses.len(), "loss", "losses");
        console.note(&format!("{name}: game {}: not written for its {count} (--no-loss)", game + 1))?;
    }
    Ok(())
}
