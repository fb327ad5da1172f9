//! One game of an input, and its row in a list.

use super::board::Board;
use super::lines::{Mark, TextLine, text_lines};
use super::moves::Moves;
use super::verdict::{Finding, Tone, Variation, Verdict, headline, tone_of};
use ferz::board::{Mask, Owner, by_width};
use ferz::record::heading::{occasion, players};
use ferz::record::{GameResult, Record};
use ferz::replay::{AnyOnTwo, Legality, OnTwo, Played, Report, Source, Trace, summary, with_trace};
use ferz::rewrite::fix::REPAIRS;
use ferz::text::{Code, Severity, visible};

/// One game with all its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameView {
    /// Its number in the input, from 0.
    pub number: usize,
    /// Who played.
    pub players: String,
    /// Where and when.
    pub occasion: String,
    /// All tags, names and values.
    pub tags: Vec<(String, String)>,
    /// Name of the game, mutators in front.
    pub variant: String,
    /// Edition and digest of its rules; `None` if the game is unknown.
    pub rules: Option<(String, String)>,
    /// The detected style.
    pub style: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// All other diagnostics.
    pub findings: Vec<Finding>,
    /// The number of variations, and those listed.
    pub variations: (usize, Vec<Variation>),
    /// The board; `None` if the game cannot be set up.
    pub board: Option<Board>,
    /// The plies.
    pub moves: Moves,
    /// The record's text.
    pub text: Vec<TextLine>,
    /// True if a repair answers one of the findings.
    pub repairable: bool,
    /// True if it is not a legal game as it is written, so that another reading may be meant.
    pub decodable: bool,
}

/// Maximum number of listed variations; those with a fault come first.
const VARIATIONS_MAX: usize = 50;

impl GameView {
    /// A judged record of `source`, with the board after `ply` plies. After all plies if there are fewer or `ply` is
    /// `None`.
    pub fn new(
        record: &Record<'_>,
        source: &Source<'_>,
        played: Result<&Played, &Report>,
        (ply, seen_by): (Option<usize>, Owner),
    ) -> GameView {
        let report = match played {
            Ok(played) => played.report(),
            Err(report) => report,
        };
        let (moves, board) = match played {
            Ok(Played::OnOne(trace)) => with_trace!(trace, |trace| replay(trace, record, ply, seen_by)),
            Ok(Played::OnTwo(game)) => {
                by_width!(AnyOnTwo, game, |game| replay_on_two(game, record, ply, seen_by))
            }
            Err(_) => (Moves::default(), None),
        };
        let lines = report.with_variations();
        let mut variations: Vec<Variation> = lines[1..].iter().map(|line| Variation::of(line)).collect();
        let count = variations.len();
        variations.sort_by_key(|variation| variation.tone == Tone::Good);
        variations.truncate(VARIATIONS_MAX);
        let marks = marks(report);
        let (text, offset) = source.written(record);
        let first = source.locate(offset).line;
        GameView {
            number: report.game,
            players: players(record, report.game),
            occasion: occasion(record),
            tags: tags(record),
            variant: report.variant.to_string(),
            rules: report.rules.as_ref().map(|rules| (rules.edition.clone(), rules.digest.clone())),
            style: report.style.name(),
            verdict: Verdict::of(report),
            findings: report.all_diagnostics().into_iter().map(Finding::of).collect(),
            variations: (count, variations),
            board,
            moves,
            text: text_lines(text, offset, first, &marks),
            decodable: is_decodable(report),
            repairable: report.all_diagnostics().iter().any(|found| is_repairable(found.code)),
        }
    }
}

/// True if the record is not a legal game as it is written, so that another reading may be meant.
fn is_decodable(report: &Report) -> bool {
    matches!(report.verdict, Legality::Illegal | Legality::Unreadable)
}

/// True if a usual repair removes diagnostics of the code.
fn is_repairable(code: Code) -> bool {
    REPAIRS.iter().any(|repair| repair.usual && repair.codes.contains(&code))
}

/// The plies, and the board after `ply` of them.
fn replay<M: Mask>(
    trace: &Trace<M>,
    record: &Record<'_>,
    ply: Option<usize>,
    seen_by: Owner,
) -> (Moves, Option<Board>) {
    let ply = ply.unwrap_or(usize::MAX).min(trace.plies.len());
    let moves = Moves::of(trace, record, ply);
    let board = Board::of(trace, record, ply, moves.label(), seen_by);
    (moves, Some(board))
}

/// The same for a game on two boards.
fn replay_on_two<M: Mask>(
    game: &OnTwo<M>,
    record: &Record<'_>,
    ply: Option<usize>,
    seen_by: Owner,
) -> (Moves, Option<Board>) {
    let ply = ply.unwrap_or(usize::MAX).min(game.plies.len());
    let moves = Moves::on_two(game, record, ply);
    let board = Board::on_two(game, record, ply, moves.label(), seen_by);
    (moves, Some(board))
}

/// The places that a report refers to.
fn marks(report: &Report) -> Vec<Mark> {
    let found = report.all_diagnostics().into_iter().map(|found| Mark {
        span: found.span[0]..found.span[1],
        tone: match found.severity {
            Severity::Error => Tone::Bad,
            Severity::Warning => Tone::Warning,
            Severity::Info => Tone::Plain,
        },
        title: format!("{}: {}", found.code, found.message),
    });
    let lines = report.with_variations().into_iter();
    let illegal = lines.flat_map(|line| line.illegal_plies());
    let illegal = illegal.map(|illegal| Mark {
        span: illegal.span[0]..illegal.span[1],
        tone: Tone::Bad,
        title: format!("illegal: {}", illegal.reason),
    });
    // An illegal ply takes precedence over diagnostics of the same place.
    illegal.chain(found).collect()
}

fn tags(record: &Record<'_>) -> Vec<(String, String)> {
    let shown = |text: &str| visible(text.as_bytes());
    record.tags.iter().map(|tag| (shown(&record.tag_name(tag)), shown(&record.tag_value(tag)))).collect()
}

/// A game in a list of many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number in the input, from 0.
    pub number: usize,
    /// Who played.
    pub players: String,
    /// Where and when.
    pub occasion: String,
    /// Name of the game.
    pub variant: String,
    /// The tone of the verdict.
    pub tone: Tone,
    /// The verdict in a few words.
    pub headline: String,
    /// The end on the board.
    pub end: String,
    /// The result of the record.
    pub result: &'static str,
    /// True if another reading may be meant.
    pub decodable: bool,
}

impl Row {
    /// The row for a record and its report.
    pub fn new(record: &Record<'_>, report: &Report) -> Row {
        Row {
            decodable: is_decodable(report),
            number: report.game,
            players: players(record, report.game),
            occasion: occasion(record),
            variant: report.variant.to_string(),
            tone: tone_of(report),
            headline: headline(report),
            end: report.end.map_or_else(String::new, summary::ending),
            result: report.result_tag.map_or("none", GameResult::as_str),
        }
    }
}
