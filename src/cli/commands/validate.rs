//! `ferz validate`: judges records.

use crate::cli::carets::{self, draw};
use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::progress::Progress;
use crate::cli::records::{LanguageArg, ReadArgs, each_file, no_game, not_shown};
use crate::cli::session::{Session, hint_on};
use ferz::decode;
use ferz::json::each_record;
use ferz::position::Reason;
use ferz::record::{Record, read};
use ferz::replay::codes::J_VARIANT_UNKNOWN;
use ferz::replay::summary::{and_more, counted, line, may_be_of_another_game, place_of};
use ferz::replay::{Agreement, Batch, Illegal, Legality, Located, Options, Replayer, Report};
use ferz::rules::Registry;
use ferz::text::limits::{DECODED_HINT_UNITS, DECODED_HINTS_MAX, FINDINGS_SHOWN_MAX};
use ferz::text::{Budget, Diagnostic, Severity, Span};
use serde::Serialize;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Records to validate, in PGN or JSON, plain or compressed (.gz, .zst, .xz); `-` or none for standard input
    files: Vec<PathBuf>,

    /// Output: one line a game, or one JSON report a line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,

    /// Count warnings as findings, and deviations from the form of the notation as errors
    #[arg(long, conflicts_with = "lenient")]
    strict: bool,

    /// Count only errors as findings (the default)
    #[arg(long)]
    lenient: bool,

    /// Hide games without findings
    #[arg(long, short)]
    quiet: bool,

    /// Show notes too, such as a missing `+`
    #[arg(long)]
    notes: bool,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Ndjson,
}

const EXAMPLES: &str = "\
Exit codes: 0 every game is legal and no result is contradicted, 1 findings, 2 usage or I/O error.

Examples:
  ferz validate fixtures/games/ichess-sample.pgn
  ferz validate --strict --language de partien.pgn
  ferz validate --format ndjson games.pgn.zst | jq 'select(.legal | not)'
  xz -dc games.pgn.xz | ferz validate --quiet --variant chess -";

/// Counts for the summary.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    plies: usize,
    illegal: usize,
    /// Records that stop at a token that is no ply, or fits several.
    unreadable: usize,
    unjudged: usize,
    contradicted: usize,
    /// Games that are findings for another reason.
    others: usize,
    /// Records that were cut at the length limit.
    cut: usize,
    /// Texts and JSON objects that are not records.
    unread: usize,
    findings: usize,
    /// Number of hidden notes.
    hidden: usize,
    /// Illegal and unreadable games that were shown.
    damaged: usize,
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut tally = Tally::default();
    // After an unreadable path, still judge and count the others.
    let judged = each_file(&args.files, session, |session, file| one_file(args, session, file, &mut tally));
    if matches!(judged, Err(Failure::BrokenPipe)) {
        return judged.map(|()| ExitStatus::Fine);
    }
    if args.format == Format::Text && (judged.is_ok() || tally.games > 0) {
        session.console.line(summary(&tally, args.strict))?;
    }
    judged.map(|()| ExitStatus::of(tally.findings > 0))
}

/// The summary. It names every kind of finding, so that it agrees with the exit code.
fn summary(tally: &Tally, strict: bool) -> String {
    let Tally { games, plies, illegal, unreadable, contradicted, unjudged, others, .. } = *tally;
    let Tally { cut, unread, hidden, .. } = *tally;
    let mut parts = vec![
        format!("{illegal} illegal"),
        format!("{contradicted} with a result that the board contradicts"),
    ];
    if unreadable > 0 {
        parts.insert(1, format!("{unreadable} unreadable"));
    }
    if unjudged > 0 {
        parts.push(format!("{unjudged} not judged"));
    }
    if others > 0 {
        parts.push(format!("{others} with other {}", if strict { "findings" } else { "errors" }));
    }
    if cut > 0 {
        parts.push(format!("{cut} cut as too long"));
    }
    if unread > 0 {
        parts.push(format!("{unread} not {}", if unread == 1 { "a record" } else { "records" }));
    }
    let (games, plies) = (counted(games, "game", "games"), counted(plies, "ply", "plies"));
    let hidden =
        if hidden > 0 { format!("; {}", not_shown(hidden, ["note", "notes"])) } else { String::new() };
    format!("{games}, {plies}: {}{hidden}", parts.join(", "))
}

fn one_file(
    args: &Args,
    session: &mut Session<'_>,
    file: &std::path::Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let input = input::open(Some(file))?;
    let options = args.read.options(session, &args.letters.language, args.strict)?;
    let mut progress = Progress::new(input.total, input.consumed);
    let (console, registry) = session.parts();
    let mut number = 0;
    let ended = each_record(
        input.reader,
        args.read.jobs,
        || Replayer::new(registry, options.clone()),
        |replayer, record, source| Judged::new(replayer.report(record, source, 0), record, args.format),
        |mut batch: Batch<Judged>| {
            for judged in &mut batch.items {
                judged.report.set_game(number);
                number += 1;
            }
            let mut out =
                Output { args, console: &mut *console, registry, name: &input.name, options: &options };
            progress.part(batch.items.len(), || out.batch(&batch, tally))
        },
    );
    progress.end(ended)?;
    if number == 0 && tally.unread == 0 {
        no_game(session, &input.name)?;
    }
    Ok(())
}

/// A report, with the record where a note may say what it means.
struct Judged {
    report: Report,
    damaged: Option<Vec<u8>>,
}

impl Judged {
    fn new(report: Report, record: &Record<'_>, format: Format) -> Judged {
        let is_damaged =
            format == Format::Text && matches!(report.verdict, Legality::Illegal | Legality::Unreadable);
        Judged { damaged: is_damaged.then(|| record.source().to_vec()), report }
    }
}

struct Output<'a> {
    options: &'a Options,
    args: &'a Args,
    console: &'a mut crate::cli::output::Console,
    registry: &'a Registry,
    name: &'a str,
}

impl Output<'_> {
    fn batch(&mut self, batch: &Batch<Judged>, tally: &mut Tally) -> Result<(), Failure> {
        for Judged { report, damaged } in &batch.items {
            let finding = report.is_finding(self.args.strict);
            tally.games += 1;
            tally.plies += report.plies;
            tally.findings += usize::from(finding);
            let contradicted = report.agreement == Agreement::Contradicted;
            match report.verdict {
                Legality::NoRecord => tally.unread += 1,
                Legality::NotJudged => tally.unjudged += 1,
                Legality::Illegal => tally.illegal += 1,
                Legality::Unreadable => tally.unreadable += 1,
                Legality::Legal => tally.others += usize::from(finding && !contradicted),
            }
            tally.contradicted += usize::from(contradicted);
            if finding || !self.args.quiet {
                tally.hidden += self.report(report, batch)?;
                if let Some(record) = damaged {
                    tally.damaged += 1;
                    self.meant(report, record, tally.damaged)?;
                }
            }
        }
        tally.findings += batch.unread.len();
        tally.unread += batch.unread.len();
        let source = carets::Source::part(self.name, &batch.text, batch.offset, batch.lines + 1);
        for located in &batch.unread {
            let source = source.at_line(located.line);
            self.console.drawn(&draw(&diagnostic(located), &source, self.console.has_color()))?;
        }
        if let Some(cut) = &batch.cut {
            tally.findings += 1;
            tally.cut += 1;
            self.console.note(&format!("{}: {}: {}", self.name, cut.code, cut.message))?;
        }
        Ok(())
    }

    /// Writes a report; returns the number of hidden notes.
    fn report(&mut self, report: &Report, batch: &Batch<Judged>) -> Result<usize, Failure> {
        if self.args.format == Format::Ndjson {
            let file = (self.args.files.len() > 1).then_some(self.name);
            return self.console.json(&Line { file, report }).map(|()| 0);
        }
        let source = carets::Source::part(self.name, &batch.text, batch.offset, batch.lines + 1);
        let (mut hidden, mut shown) = (0, 0);
        for located in report.all_diagnostics() {
            if located.severity == Severity::Info && !self.args.strict && !self.args.notes {
                hidden += 1;
                continue;
            }
            shown += 1;
            if shown > FINDINGS_SHOWN_MAX {
                continue;
            }
            let mut diagnostic = diagnostic(located);
            if located.code == J_VARIANT_UNKNOWN {
                diagnostic.notes.extend(hint_on(report, self.registry).map(str::to_owned));
            }
            let source = source.at_line(located.line);
            self.console.drawn(&draw(&diagnostic, &source, self.console.has_color()))?;
        }
        // The ply that the line stops at is a part of the verdict.
        let stood = report.let_stand.iter().take(FINDINGS_SHOWN_MAX);
        let illegal = stood.chain(report.illegal.as_deref());
        // The diagnostic about an input without records covers this.
        for illegal in illegal.filter(|_| !report.is_no_record()) {
            let source = source.at_line(illegal.line);
            let drawn = draw(&illegal_diagnostic(report, illegal), &source, self.console.has_color());
            self.console.drawn(&drawn)?;
        }
        let more = [shown, report.let_stand.len()].map(|count| count.saturating_sub(FINDINGS_SHOWN_MAX));
        if let Some(more) = and_more(more.iter().sum(), "finding", "findings") {
            self.console.note(&format!("{}: game {}: {more}", self.name, report.game + 1))?;
        }
        // Each file counts its games from 1.
        let file = if self.args.files.len() > 1 { format!("{}: ", self.name) } else { String::new() };
        self.console.line(file + &line(report))?;
        Ok(hidden)
    }
}

/// Changes that a note names.
const CHANGES_NAMED_MAX: usize = 3;

impl Output<'_> {
    /// Says what a damaged record may mean, if that is a legal game without a ply in doubt.
    fn meant(&mut self, report: &Report, record: &[u8], number: usize) -> Result<(), Failure> {
        if number > DECODED_HINTS_MAX || self.options.let_stand {
            return Ok(());
        }
        let Some(record) = read(record, 0).next() else { return Ok(()) };
        let mut replayer = Replayer::new(self.registry, self.options.clone());
        let hint = decode::Options::hint();
        let Ok(decoded) = decode::decode(&mut replayer, &record, &hint, &Budget::of(DECODED_HINT_UNITS))
        else {
            return Ok(());
        };
        let Some(reading) = decoded.readings.first() else { return Ok(()) };
        let changes: Vec<String> = reading.changes().map(ToString::to_string).collect();
        let leaves_out = reading.plies.len() < record.main_moves().count();
        if leaves_out || !decoded.has_only_slips() || changes.is_empty() {
            return Ok(());
        }
        let more = changes.len().saturating_sub(CHANGES_NAMED_MAX);
        let more = if more > 0 { format!("; {more} more") } else { String::new() };
        let named = changes[..changes.len().min(CHANGES_NAMED_MAX)].join("; ");
        let count = counted(changes.len(), "change", "changes");
        let game = report.game + 1;
        self.console
            .note(&format!("game {game} reads as a legal game with {count}: {named}{more} (`ferz decode`)"))
    }
}

/// One line of `--format ndjson`: the report, and the file's name if there are several.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(flatten)]
    report: &'a Report,
}

/// Converts a located diagnostic to one that can be drawn.
fn diagnostic(located: &Located) -> Diagnostic {
    let span = Span::new(located.span[0], located.span[1]);
    let mut diagnostic = Diagnostic::new(located.code, located.severity, span, located.message.clone());
    diagnostic.notes.clone_from(&located.notes);
    diagnostic.notes.extend(located.spelling.as_ref().map(|spelling| format!("write `{spelling}`")));
    diagnostic
}

fn illegal_diagnostic(report: &Report, illegal: &Illegal) -> Diagnostic {
    let span = Span::new(illegal.span[0], illegal.span[1]);
    let number = report.game + 1;
    let Illegal { text, reason, .. } = illegal;
    let stood = report.let_stand.contains(illegal);
    let place = if stood { illegal.numbered() } else { place_of(illegal, report) };
    let verdict = match illegal.reason_id {
        _ if stood => "is illegal, but was let stand",
        Reason::Unreadable => "is unreadable",
        Reason::Ambiguous => "is ambiguous",
        _ => "is illegal",
    };
    let message = format!("game {number}, {place}: `{text}` {verdict}: {reason}");
    let diagnostic = Diagnostic::new(illegal.code, Severity::Error, span, message);
    let diagnostic = illegal.notes().into_iter().fold(diagnostic, Diagnostic::note);
    if stood {
        return diagnostic;
    }
    let diagnostic = diagnostic.note(format!("position: {}", report.position_of(illegal)));
    if may_be_of_another_game(report) {
        let note = "judged as chess; a record of another game needs the tag Variant, or `--variant NAME`";
        return diagnostic.note(note);
    }
    diagnostic
}
