//! `ferz convert`: converts records to another style of notation.

use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome, json_line};
use crate::cli::positions_of::positions_of;
use crate::cli::progress::Progress;
use crate::cli::records::{ReadArgs, Target, each_file, no_game, not_shown, targets};
use crate::cli::session::{Session, hint_below};
use ferz::json::{each_record, sniff};
use ferz::notation::{Language, Style, WriteChoices};
use ferz::record::codes::LOSS_TIMES;
use ferz::record::{self, Comments};
use ferz::replay::codes::{J_VARIANT_UNKNOWN, J_VARIATION_ILLEGAL, N_LANGUAGE_OTHER};
use ferz::replay::summary::{and_more, counted};
use ferz::replay::{Batch, Illegal, LanguageChoice, Located, Options, Replayer, Report, Source};
use ferz::rewrite::transcript::Derive;
use ferz::rewrite::{
    Bpgn, ConvertOptions, Converted, FileForm, Rewritten, Transcribed, Transcript, convert, convert_in_place,
    in_dialect, program_file, split_illegal, transcribe_within,
};
use ferz::rules::Registry;
use ferz::text::limits::FINDINGS_SHOWN_MAX;
use ferz::text::{Budget, Diagnostic, Edit, Severity, Span, edited};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Target style; json for complete records as one JSON object a line; fen or epd for the positions of each record,
    /// the start and one after every ply, one a line
    #[arg(long, value_name = "STYLE", value_parser = targets(), ignore_case = true)]
    to: Target,

    /// Records to convert, in PGN or JSON, plain or compressed; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Output: records with losses on standard error, or one JSON object a record with both
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,

    /// Refuse records that would lose anything, and report why
    #[arg(long)]
    no_loss: bool,

    #[command(flatten)]
    read: ReadArgs,

    /// Piece letters to write: a language's code or name, or en for the game's own
    #[arg(long, default_value = "en")]
    language: String,

    /// Piece letters in the records: a language's code or name, en for the game's own, or auto
    #[arg(long, default_value = "auto", value_name = "LANGUAGE")]
    from_language: String,

    /// Write a game with illegal plies that were let stand as several, each from the position after such a ply, and
    /// variations with illegal plies as comments, so that every PGN reader can open them
    #[arg(long, conflicts_with = "keep_layout")]
    split_illegal: bool,

    /// Dialect of BPGN for games on two boards: standard, fics, bughouse.pro or chess.com, with --to san or lan
    #[arg(long, value_name = "DIALECT", conflicts_with = "keep_layout")]
    bpgn: Option<Bpgn>,

    /// Sign of gating and drops in style iago: one of & @ / ^ [default: &]
    #[arg(long, value_parser = sign)]
    sign: Option<char>,

    /// Write `oo1.....` for the numbers of Nature's turns
    #[arg(long)]
    ascii: bool,

    /// With --to json: the position after every ply, as FEN
    #[arg(long)]
    fen: bool,

    /// Change only the moves: tags, comments, spaces and line ends stay byte for byte
    #[arg(long)]
    keep_layout: bool,

    /// Show warnings and notes on the records, as `ferz validate --notes` does
    #[arg(long)]
    notes: bool,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Records, one after the other (with --to json one a line)
    Pgn,
    /// One JSON object a line: record and losses
    Ndjson,
    /// A file of the style's own programs: with --to kif or csa
    File,
}

const EXAMPLES: &str = "\
Nothing is lost silently: whatever a style cannot express or a record cannot keep is reported on standard error.
In an illegal record only the legal plies are converted, the rest stays unchanged, and the exit code is 1. The exit \
code is also 1 if an illegal ply was let stand, and after a reading error such as an unclosed comment.
With --no-loss a record that would lose anything is not written, and the exit code is 1.
Without --keep-layout records are written in PGN export format: see formats/RECORD.md.

Examples:
  ferz convert --to san fixtures/games/ichess-sample.pgn
  ferz convert --to san --language de games.pgn > partien.pgn
  ferz convert --to coord --format ndjson games.pgn
  ferz convert --to iccf --no-loss games.pgn
  ferz convert --to iago --sign @ games.pgn > games-iago.pgn
  ferz convert --to lan --keep-layout notes.pgn > notes-lan.pgn
  ferz convert --to kif --format file shogi.pgn > shogi.kif
  ferz convert --to json --fen games.pgn > games.ndjson
  ferz convert --to san games.ndjson
  ferz convert --to epd games.pgn > positions.epd
  ferz convert --to san --bpgn fics bughouse.pgn > bughouse.bpgn
  ferz convert --to json games.pgn | jq '.moves[].played | select(.captured) | .coord'";

fn sign(text: &str) -> Result<char, String> {
    match text {
        "&" | "@" | "/" | "^" => Ok(text.chars().next().unwrap_or('&')),
        other => Err(format!("`{other}` is not one of & @ / ^")),
    }
}

/// One line of `--format ndjson`.
#[derive(Serialize)]
struct Line<'a> {
    game: usize,
    /// `None` if the record was refused.
    record: Option<Record<'a>>,
    losses: &'a [Located],
    /// Errors of reading.
    errors: Vec<&'a Located>,
    legal: bool,
    #[serde(skip_serializing_if = "LeftOut::is_none")]
    left_out: LeftOut,
}

/// How many losses and errors are not on the line, as the record has too many.
#[derive(Debug, PartialEq, Eq, Default, Serialize)]
struct LeftOut {
    losses: usize,
    errors: usize,
}

impl LeftOut {
    fn is_none(&self) -> bool {
        *self == LeftOut::default()
    }
}

/// A record in one of both forms.
#[derive(Serialize)]
#[serde(untagged)]
enum Record<'a> {
    Text(&'a str),
    Full(&'a Transcript),
}

/// The outcome for one record.
enum Done {
    /// It was rewritten.
    Written(Converted),
    /// It is to be changed in place; the text is the changed record.
    Changed(Converted, Vec<Edit>),
    /// It is written in full; the text is empty.
    Full(Converted, Box<Transcript>),
    /// Files of the style's programs cannot hold it.
    NoFile(Converted),
}

impl Done {
    fn converted(&self) -> &Converted {
        match self {
            Done::Written(converted)
            | Done::Changed(converted, _)
            | Done::Full(converted, _)
            | Done::NoFile(converted) => converted,
        }
    }

    fn record(&self) -> Record<'_> {
        match self {
            Done::Written(converted) | Done::Changed(converted, _) | Done::NoFile(converted) => {
                Record::Text(&converted.text)
            }
            Done::Full(_, transcript) => Record::Full(transcript),
        }
    }

    fn edits(&self) -> &[Edit] {
        if let Done::Changed(_, edits) = self { edits } else { &[] }
    }
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    if args.keep_layout && args.to == Target::Json {
        return Err(Failure::message("JSON has no layout; use --keep-layout with a style"));
    }
    if args.split_illegal && args.to == Target::Json {
        return Err(Failure::message("JSON keeps a record whole; use --split-illegal with a style"));
    }
    if args.fen && args.to != Target::Json {
        return Err(Failure::message(
            "--fen adds positions to JSON; use --to json, or --to fen for positions alone",
        ));
    }
    if matches!(args.to, Target::Positions(_)) {
        let with = [
            (args.keep_layout, "--keep-layout"),
            (args.split_illegal, "--split-illegal"),
            (args.no_loss, "--no-loss"),
        ];
        if let Some((_, option)) = with.iter().find(|(given, _)| *given) {
            let message = format!("positions are all that --to fen and --to epd write; omit {option}");
            return Err(Failure::message(message));
        }
    }
    if args.format == Format::File && (file_form(args.to).is_none() || args.keep_layout) {
        let message = "only --to kif and --to csa have files of their own, and their layout; omit --format or \
                       --keep-layout";
        return Err(Failure::message(message));
    }
    if args.sign.is_some() && args.to != Target::Style(Style::Iago) {
        return Err(Failure::message("--sign applies only to style iago; use --to iago, or omit --sign"));
    }
    let mut tally = Tally::default();
    let converted =
        each_file(&args.files, session, |session, file| one_file(args, session, file, &mut tally));
    if tally.hidden > 0 && !matches!(converted, Err(Failure::BrokenPipe)) {
        let hidden = not_shown(tally.hidden, ["warning or note", "warnings and notes"]);
        session.console.note(&format!("ferz: {hidden}"))?;
    }
    converted.map(|()| ExitStatus::of(tally.findings))
}

/// Totals for all files.
#[derive(Default)]
struct Tally {
    findings: bool,
    /// Number of hidden warnings and notes.
    hidden: usize,
    /// Number of games written as files.
    files: usize,
}

/// What stands between two games written as files.
fn separator(to: Target) -> &'static str {
    if file_form(to) == Some(FileForm::Csa) { "/\n" } else { "\n" }
}

fn one_file(args: &Args, session: &mut Session<'_>, file: &Path, tally: &mut Tally) -> Result<(), Failure> {
    let input = input::open(Some(file))?;
    let options = args.read.options(session, &args.from_language, false)?;
    let language = session.languages().choose(&args.language).map_err(Failure::message)?;
    if language.is_some() && !matches!(args.to, Target::Style(style) if style.has_letters()) {
        return Err(Failure::message("the target of --to has no piece letters; omit --language"));
    }
    let mut progress = Progress::new(input.total, input.consumed);
    let (console, registry) = session.parts();
    let (mut number, mut unread) = (0, 0);
    let (is_json, reader) = sniff(input.reader).map_err(Failure::message)?;
    if is_json && args.keep_layout {
        let name = &input.name;
        return Err(Failure::message(format!("{name}: JSON has no layout; omit --keep-layout")));
    }
    let ended = each_record(
        reader,
        args.read.jobs,
        || Replayer::new(registry, options.clone()),
        |replayer, record, source| {
            let mut done = convert_one(args, language.as_ref(), replayer, record, source);
            if let Done::Written(converted) = &mut done {
                finish(args, (registry, &options), language.as_ref(), (record, source), converted);
            }
            match (done, file_form(args.to)) {
                (Done::Written(converted), Some(form)) if args.format == Format::File => {
                    as_file(replayer, form, converted)
                }
                (done, _) => done,
            }
        },
        |batch: Batch<Done>| {
            progress.part(batch.items.len(), || {
                if args.keep_layout && args.format == Format::Pgn {
                    let edits: Vec<Edit> = batch.items.iter().flat_map(Done::edits).cloned().collect();
                    console.bytes(&edited(&batch.text, batch.offset, &edits))?;
                }
                for done in &batch.items {
                    let converted = done.converted();
                    tally.findings |= converted.is_finding() || is_refused(args, &converted.losses);
                    tally.findings |= matches!(done, Done::NoFile(_));
                    if args.format == Format::File
                        && matches!(done, Done::Written(_))
                        && !is_refused(args, &converted.losses)
                    {
                        console.text(if tally.files > 0 { separator(args.to) } else { "" })?;
                        tally.files += 1;
                    }
                    tally.hidden += write_one(args, (&mut *console, registry), &input.name, number, done)?;
                    number += 1;
                }
                tally.findings |= batch.cut.is_some() || !batch.unread.is_empty();
                unread += batch.unread.len();
                if let Some(cut) = &batch.cut {
                    console.note(&format!("{}: {}: {}", input.name, cut.code, cut.message))?;
                }
                for Located { line, column, code, message, .. } in &batch.unread {
                    console.note(&format!("{}:{line}:{column}: {code}: {message}", input.name))?;
                }
                Ok(())
            })
        },
    );
    progress.end(ended)?;
    if number == 0 && unread == 0 {
        no_game(session, &input.name)?;
    }
    Ok(())
}

/// The file format of the programs of a style.
fn file_form(to: Target) -> Option<FileForm> {
    match to {
        Target::Style(Style::Kif) => Some(FileForm::Kif),
        Target::Style(Style::Csa) => Some(FileForm::Csa),
        _ => None,
    }
}

/// Makes a file of its programs of a written record.
fn as_file(replayer: &mut Replayer<'_>, form: FileForm, mut converted: Converted) -> Done {
    let record = record::read(converted.text.as_bytes(), 0).next();
    match record.and_then(|record| program_file(replayer, &record, &converted.report, form)) {
        Some(file) => {
            converted.text = file;
            Done::Written(converted)
        }
        None => Done::NoFile(converted),
    }
}

/// What is done with a written record: a split after illegal plies, a dialect.
fn finish(
    args: &Args,
    (registry, options): (&Registry, &Options),
    language: Option<&Arc<Language>>,
    (record, source): (&record::Record<'_>, &Source<'_>),
    converted: &mut Converted,
) {
    if args.split_illegal {
        split(registry, options, language, converted);
    }
    if let Some(dialect) = args.bpgn {
        write_bpgn(dialect, source, record, converted);
    }
}

/// Splits a written record after illegal plies that were let stand.
fn split(
    registry: &Registry,
    options: &Options,
    language: Option<&Arc<Language>>,
    converted: &mut Converted,
) {
    if converted.report.with_variations().iter().all(|line| line.legal) {
        return;
    }
    // The written record is in another style and other piece letters than the input.
    let language = language.cloned().map_or(LanguageChoice::Own, LanguageChoice::Of);
    let mut replayer = Replayer::new(registry, Options { style: None, language, ..options.clone() });
    let whole = record::read(converted.text.as_bytes(), 0).next();
    if let Some(text) = whole.and_then(|record| split_illegal(&mut replayer, &record)) {
        converted.text = text;
    }
}

/// Writes a game on two boards in a dialect of BPGN; other games stay as they are.
fn write_bpgn(dialect: Bpgn, source: &Source<'_>, record: &record::Record<'_>, converted: &mut Converted) {
    if converted.report.boards.is_none() {
        return;
    }
    let Some((text, left)) =
        record::read(converted.text.as_bytes(), 0).next().map(|own| in_dialect(&own, dialect))
    else {
        return;
    };
    converted.text = text;
    converted.losses.extend(left.into_iter().map(|message| {
        let found = Diagnostic::new(LOSS_TIMES, Severity::Warning, record.span_of_source(), message);
        source.place(found, None)
    }));
}

fn convert_one(
    args: &Args,
    language: Option<&Arc<Language>>,
    replayer: &mut Replayer<'_>,
    record: &record::Record<'_>,
    source: &Source<'_>,
) -> Done {
    let to = match args.to {
        Target::Style(to) => to,
        Target::Json => {
            let derive = Derive { fen: args.fen };
            let done =
                Budget::endless(|budget| transcribe_within(replayer, record, source, 0, derive, budget));
            let Transcribed { transcript, losses, report } = done;
            let converted = Converted { text: String::new(), losses, left_out: 0, report };
            return Done::Full(converted, Box::new(transcript));
        }
        Target::Positions(form) => {
            let (text, report) = positions_of(replayer, record, source, form);
            return Done::Written(Converted { text, losses: Vec::new(), left_out: 0, report });
        }
    };
    let (choices, language) = (WriteChoices { sign: args.sign.unwrap_or('&') }, language.cloned());
    let options = ConvertOptions {
        to,
        choices,
        ascii: args.ascii,
        language,
        digest: false,
        class: None,
        comments: if args.format == Format::File { Comments::Lines } else { Comments::Filled },
    };
    if !args.keep_layout {
        return Done::Written(convert(replayer, record, source, 0, &options));
    }
    let Rewritten { mut edits, losses, left_out, report } =
        convert_in_place(replayer, record, source, 0, &options);
    let text = ferz::text::decode(&edited(record.source(), record.offset(), &edits)).into_owned();
    let whole = source.span(Span::new(record.offset(), record.offset() + record.source().len()));
    edits.iter_mut().for_each(|edit| edit.span = source.span(edit.span));
    // A file of another program may have its variations after the game.
    edits.sort_by_key(|edit| edit.span.start);
    let edits = if is_refused(args, &losses) { vec![Edit::new(whole, "")] } else { edits };
    Done::Changed(Converted { text, losses, left_out, report }, edits)
}

/// True if the record must not be written because of its losses.
fn is_refused(args: &Args, losses: &[Located]) -> bool {
    args.no_loss && !losses.is_empty()
}

/// Writes a record; returns the number of hidden notes.
fn write_one(
    args: &Args,
    (console, registry): (&mut crate::cli::output::Console, &Registry),
    name: &str,
    game: usize,
    done: &Done,
) -> Result<usize, Failure> {
    let converted = done.converted();
    if args.format == Format::Ndjson {
        let Converted { losses, report, .. } = converted;
        let record = Some(done.record()).filter(|_| !is_refused(args, losses));
        let mut errors = converted.errors();
        let losses = &losses[..losses.len().min(FINDINGS_SHOWN_MAX)];
        let left_out = LeftOut {
            losses: converted.losses_in_all() - losses.len(),
            errors: errors.len().saturating_sub(FINDINGS_SHOWN_MAX),
        };
        errors.truncate(FINDINGS_SHOWN_MAX);
        let line = json_line(&Line { game, record, losses, errors, legal: report.legal, left_out })?;
        return console.line(line).map(|()| 0);
    }
    match done {
        _ if is_refused(args, &converted.losses) => {}
        Done::Written(converted) => console.text(&converted.text)?,
        Done::Changed(..) => {}
        Done::NoFile(_) => {
            let message = "not written: files of these programs hold games of shogi alone";
            console.note(&format!("{name}: game {}: {message}", game + 1))?;
        }
        Done::Full(_, transcript) => console.json(transcript)?,
    }
    let hidden = tell_notes(args, console, name, game, converted)?;
    tell(console, name, game, converted, registry)?;
    if is_refused(args, &converted.losses) {
        let count = counted(converted.losses_in_all(), "loss", "losses");
        console.note(&format!("{name}: game {}: not written for its {count} (--no-loss)", game + 1))?;
    }
    Ok(hidden)
}

/// Shows findings besides errors, losses and illegal plies, if requested; returns how many were hidden. A warning that
/// the record may mean another game is always shown, since the output does not show it.
fn tell_notes(
    args: &Args,
    console: &mut crate::cli::output::Console,
    name: &str,
    game: usize,
    converted: &Converted,
) -> Result<usize, Failure> {
    let reported = converted.errors().into_iter().chain(&converted.losses);
    let reported: HashSet<_> = reported.map(|found| (found.code, found.span)).collect();
    let (mut hidden, mut shown) = (0, 0);
    for found in converted.report.all_diagnostics() {
        if reported.contains(&(found.code, found.span)) || found.code == J_VARIATION_ILLEGAL {
            continue;
        }
        if !args.notes && found.code != N_LANGUAGE_OTHER {
            hidden += 1;
            continue;
        }
        shown += 1;
        if shown <= FINDINGS_SHOWN_MAX {
            let Located { line, column, code, message, .. } = found;
            console.note(&format!("{name}:{line}:{column}: game {}: {code}: {message}", game + 1))?;
        }
    }
    let more = shown.saturating_sub(FINDINGS_SHOWN_MAX);
    if let Some(more) = and_more(more, "warning or note", "warnings and notes") {
        console.note(&format!("{name}: game {}: {more}", game + 1))?;
    }
    Ok(hidden)
}

/// Reports the errors and losses of a record.
fn tell(
    console: &mut crate::cli::output::Console,
    name: &str,
    game: usize,
    converted: &Converted,
    registry: &Registry,
) -> Result<(), Failure> {
    let mut say = |line: usize, column: usize, code: &str, message: &str| {
        console.note(&format!("{name}:{line}:{column}: game {}: {code}: {message}", game + 1))
    };
    let errors = converted.errors();
    for found in errors.iter().take(FINDINGS_SHOWN_MAX) {
        let is_of_game = found.code == J_VARIANT_UNKNOWN;
        let hint = if is_of_game { hint_below(&converted.report, registry) } else { String::new() };
        say(found.line, found.column, found.code.0, &format!("{}{hint}", found.message))?;
    }
    let is_illegal = |line: &Report, illegal: &Illegal, stood: &str| {
        let (Illegal { text, reason, rule, .. }, place) = (illegal, line.of_variation());
        format!("{}{place}, `{text}`, is illegal{stood}: {reason} ({rule})", illegal.numbered())
    };
    let lines = converted.report.with_variations();
    let stood: Vec<_> =
        lines.iter().flat_map(|line| line.let_stand.iter().map(move |illegal| (line, illegal))).collect();
    for (line, illegal) in stood.iter().take(FINDINGS_SHOWN_MAX) {
        let message = is_illegal(line, illegal, ", but was let stand");
        say(illegal.line, illegal.column, illegal.code.0, &message)?;
    }
    let illegal: HashMap<_, _> =
        lines.iter().filter_map(|line| line.illegal.as_ref().map(|ply| (ply.span, (line, ply)))).collect();
    for loss in converted.losses.iter().take(FINDINGS_SHOWN_MAX) {
        // State the reason before the unchanged rest.
        if let Some((line, illegal)) = illegal.get(&loss.span) {
            say(loss.line, loss.column, illegal.code.0, &is_illegal(line, illegal, ""))?;
        }
        let ply = loss.ply.map_or_else(String::new, |ply| format!("ply {ply}: "));
        say(loss.line, loss.column, loss.code.0, &format!("{ply}{}", loss.message))?;
    }
    for (count, [one, many]) in [
        (errors.len(), ["error", "errors"]),
        (stood.len(), ["illegal ply let stand", "illegal plies let stand"]),
        (converted.losses_in_all(), ["loss", "losses"]),
    ] {
        if let Some(more) = and_more(count.saturating_sub(FINDINGS_SHOWN_MAX), one, many) {
            console.note(&format!("{name}: game {}: {more}", game + 1))?;
        }
    }
    Ok(())
}
