//! The report on one game: plain data, the same for library, command line and network.

mod boards;
mod decision;
mod read;

pub use boards::BoardReport;
pub use decision::{Decision, Effect, OtherReading};

use crate::interchange::Wrapped;
use crate::record::{GameResult, Record};
use ferz_core::board::{BoardName, Owner};
use ferz_core::judge::{ClaimableDraw, End};
use ferz_core::notation::Style;
use ferz_core::position::Reason;
use ferz_core::rules::RulesId;
use ferz_core::text::decode;
use ferz_core::text::{Code, Diagnostic, LineColumn, Lines, Severity, Span};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// Whether the tag `Result` agrees with the end on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agreement {
    /// The tag agrees with the end.
    Confirmed,
    /// The tag differs from the end.
    Contradicted,
    /// There is no end on the board or no result in the record.
    Unverifiable,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Agreement::Confirmed => "confirmed",
            Agreement::Contradicted => "contradicted",
            Agreement::Unverifiable => "unverifiable",
        })
    }
}

/// What a record is worth, in one word: the key `verdict` of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Legality {
    /// Every ply of the line is legal; also a header without plies.
    #[default]
    Legal,
    /// A ply is illegal, or was and was let stand.
    Illegal,
    /// The replay stops at a token that is no ply, or that fits several.
    Unreadable,
    /// The game or its start is not known.
    NotJudged,
    /// Nothing of the text looks like a game record.
    NoRecord,
}

impl Legality {
    /// The word in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Legality::Legal => "legal",
            Legality::Illegal => "illegal",
            Legality::Unreadable => "unreadable",
            Legality::NotJudged => "not_judged",
            Legality::NoRecord => "no_record",
        }
    }

    fn of(report: &Report) -> Legality {
        if report.diagnostics.iter().any(|found| found.code == crate::record::codes::NO_RECORD) {
            return Legality::NoRecord;
        }
        if report.rules.is_none() {
            return Legality::NotJudged;
        }
        match report.illegal.as_ref().map(|illegal| illegal.reason_id) {
            Some(Reason::Unreadable | Reason::Ambiguous) => Legality::Unreadable,
            None if report.let_stand.is_empty() => Legality::Legal,
            _ => Legality::Illegal,
        }
    }
}

impl fmt::Display for Legality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// An illegal ply and why it is illegal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Illegal {
    /// The board, in a game on two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardName>,
    /// Number of the ply, from 1, including Nature's; of those on its board, in a game on two.
    pub ply: usize,
    /// The text of the ply.
    pub text: String,
    /// Code of the reason.
    pub code: Code,
    /// Stable name of the reason.
    pub reason_id: Reason,
    /// The reason as a sentence, with squares and pieces.
    pub reason: String,
    /// The article that forbids it.
    pub rule: String,
    /// The squares involved.
    pub squares: Vec<String>,
    /// The nearest legal plies, best first, at most five, in the style of the record.
    pub candidates: Vec<String>,
    /// Line of the text in the input, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// Bytes of the text in the input.
    pub span: [usize; 2],
    /// Why the ply cannot be let stand although the record or the options say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cannot_stand: Option<String>,
}

/// A draw that the player on move could have claimed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimable {
    /// The claim. The plies of a repetition include the one that is intended.
    #[serde(flatten)]
    pub draw: ClaimableDraw,
    /// The ply that had to be written down and announced, in the record's style, if the claim was not open on the
    /// board. Others may do as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intended: Option<String>,
}

/// A diagnostic with its place in the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Located {
    /// The kind of finding.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// Line, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// Bytes of the input.
    pub span: [usize; 2],
    /// The board, in a game on two, if it is about a ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardName>,
    /// The ply, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// The message.
    pub message: Cow<'static, str>,
    /// Additional lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The correct text, if the text of a ply is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spelling: Option<String>,
}

impl Illegal {
    /// The ply by its number, and in a game on two its board: `ply 7`, `ply 7 on board B`.
    pub fn numbered(&self) -> String {
        format!("ply {}{}", self.ply, on_board(self.board))
    }

    /// The notes on the ply: the rule, and the nearest legal plies if there are any.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!("rule: {} ({})", self.rule, self.reason_id)];
        if !self.candidates.is_empty() {
            notes.push(format!("nearest legal: {}", self.candidates.join(", ")));
        }
        if let Some(why) = &self.cannot_stand {
            notes.push(format!("it cannot stand: {why}"));
        }
        notes
    }
}

/// The board in words, in a game on two: ` on board B`, or nothing.
pub fn on_board(board: Option<BoardName>) -> String {
    board.map_or_else(String::new, |board| format!(" on board {board}"))
}

/// Describes a variation by its path: `a variation`, or `a variation at depth 2`.
pub(super) fn variation_in_words(path: &[usize]) -> String {
    match path.len() / 2 {
        0 | 1 => "a variation".to_owned(),
        depth => format!("a variation at depth {depth}"),
    }
}

/// The number of a record's plies that a style writes exactly as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StyleEvidence {
    /// The style.
    pub style: Style,
    /// The number of plies, including variations.
    pub plies: usize,
}

/// The report on one game or variation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")] // reading settles the verdict: see `read`
pub struct Report {
    /// Number of the game in the input, from 0.
    pub game: usize,
    /// For a variation: the ply that it replaces and its number among the variations there, from 0; then the same
    /// within that variation, and so on. Empty for the game itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<usize>,
    /// Name of the game, mutators first.
    pub variant: Arc<str>,
    /// The rules it was judged by; `None` if the game is unknown.
    pub rules: Option<Arc<RulesId>>,
    /// Style of notation.
    pub style: Style,
    /// The number of plies that each style writes exactly as they are, if the record mixes styles; best style first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub style_evidence: Vec<StyleEvidence>,
    /// Code of the language of the piece letters, if they are not the game's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Plies of the main line that were replayed: the legal ones, and illegal ones that were let stand.
    pub plies: usize,
    /// What the line is worth, in one word. It follows from the other fields.
    #[serde(skip_deserializing)]
    pub verdict: Legality,
    /// True if the verdict is `legal`. A report that was read back has what it was written with.
    pub legal: bool,
    /// The illegal ply that ended the replay.
    pub illegal: Option<Box<Illegal>>,
    /// Illegal plies that were let stand, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub let_stand: Vec<Illegal>,
    /// The first ending; `None` if play could continue.
    pub end: Option<End>,
    /// The articles that the ending is based on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_rule: Option<String>,
    /// The result stated in the record.
    pub result_tag: Option<GameResult>,
    /// Whether that result agrees with the end.
    pub agreement: Agreement,
    /// The position after the last replayed ply; empty if the game is unknown.
    pub final_fen: String,
    /// What the player on move may claim in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimableDraw>,
    /// What a player could have claimed at any ply before the end of the game, in order; not in a variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claimable: Vec<Claimable>,
    /// The rulings that decided a ply or the end, in the order of the plies; not in a variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided_by: Vec<Decision>,
    /// What became of each board of a game on two, in their order. The position of the report is then that of both,
    /// with ` | ` between, and `end` is that of the board which ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<Box<[BoardReport; 2]>>,
    /// Reports on the variations at every depth, each before those inside it. None of them has this list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Report>,
    /// All other findings, in the order of the input.
    pub diagnostics: Vec<Located>,
}

impl Report {
    /// True if the game could be judged: its rules and its start are known.
    pub fn is_judged(&self) -> bool {
        self.rules.is_some()
    }

    /// A report in the place of an object that is not a record, with why: its game has no name.
    pub fn refused(why: Located) -> Report {
        Report::unjudged("".into(), Style::San, vec![why])
    }

    /// The report on what cannot be judged, with why.
    pub(crate) fn unjudged(variant: Arc<str>, style: Style, diagnostics: Vec<Located>) -> Report {
        Report {
            game: 0,
            path: Vec::new(),
            variant,
            rules: None,
            style,
            style_evidence: Vec::new(),
            language: None,
            plies: 0,
            verdict: Legality::default(),
            legal: false,
            illegal: None,
            let_stand: Vec::new(),
            end: None,
            end_rule: None,
            result_tag: None,
            agreement: Agreement::Unverifiable,
            final_fen: String::new(),
            claims: Vec::new(),
            claimable: Vec::new(),
            decided_by: Vec::new(),
            boards: None,
            variations: Vec::new(),
            diagnostics,
        }
        .settled()
    }

    /// The position before an illegal ply that ended the replay: of its board, in a game on two.
    pub fn position_of(&self, illegal: &Illegal) -> &str {
        let boards = self.boards.iter().flat_map(|boards| boards.iter());
        let own = boards.into_iter().find(|report| Some(report.board) == illegal.board);
        own.map_or(&self.final_fen, |report| &report.final_fen)
    }

    /// What the player on move could claim after so many plies.
    pub fn claimable_at(&self, ply: usize) -> impl Iterator<Item = &Claimable> {
        self.claimable.iter().filter(move |claimable| claimable.draw.ply == ply)
    }

    /// The illegal plies of the line, in order: those that were let stand, and the one that ended the replay.
    pub fn illegal_plies(&self) -> impl Iterator<Item = &Illegal> {
        self.let_stand.iter().chain(self.illegal.as_deref())
    }

    /// The report with the verdict that follows from its other fields.
    pub(crate) fn settled(mut self) -> Report {
        self.verdict = Legality::of(&self);
        self.legal = self.verdict == Legality::Legal;
        self
    }

    /// True if nothing in it looks like a game record.
    pub fn is_no_record(&self) -> bool {
        self.verdict == Legality::NoRecord
    }

    /// True if the game makes the exit code 1: an illegal ply, a contradicted result, or an error among the diagnostics
    /// (with `strict`, a warning).
    pub fn is_finding(&self, strict: bool) -> bool {
        let bar = if strict { Severity::Warning } else { Severity::Error };
        !self.legal || self.agreement == Agreement::Contradicted || self.weighs(bar)
    }

    /// True if a diagnostic of the line, or of a variation in it, has this severity or a higher one.
    fn weighs(&self, bar: Severity) -> bool {
        self.lines().flat_map(|line| &line.diagnostics).any(|diagnostic| diagnostic.severity >= bar)
    }

    /// The text after a ply in a message: ` of a variation`, ` of a variation at depth 2`, or empty for the game
    /// itself.
    pub fn of_variation(&self) -> String {
        if self.path.is_empty() { String::new() } else { format!(" of {}", variation_in_words(&self.path)) }
    }

    /// The report and those of its variations at every depth, each before those inside it.
    pub fn with_variations(&self) -> Vec<&Report> {
        self.lines().collect()
    }

    fn lines(&self) -> impl Iterator<Item = &Report> {
        std::iter::once(self).chain(&self.variations)
    }

    /// The diagnostics of the game and of its variations at every depth, in the order of the input.
    pub fn all_diagnostics(&self) -> Vec<&Located> {
        let mut all: Vec<&Located> = self.lines().flat_map(|line| &line.diagnostics).collect();
        if !self.variations.is_empty() {
            all.sort_by_key(|diagnostic| diagnostic.span);
        }
        all
    }

    /// Sets the number of the game in the report and in those of its variations.
    pub fn set_game(&mut self, number: usize) {
        self.game = number;
        self.variations.iter_mut().for_each(|variation| variation.game = number);
    }

    /// The winner by the end on the board, if there is one.
    pub fn winner(&self) -> Option<Owner> {
        self.end?.outcome.winner()
    }
}

/// A part of a larger input, to convert places in it to places of the whole.
#[derive(Debug)]
pub struct Source<'a> {
    /// The part's text.
    text: &'a [u8],
    /// For a record that was read from a text derived from this one: the spans of that text, in order, and the spans of
    /// the whole input that they come from.
    made_from: &'a [(Span, Span)],
    /// Spans of `made_from` that are equally long are the same bytes.
    same_bytes: bool,
    /// The text around the records, if they are wrapped in one.
    wrapped: Option<&'a Wrapped<'a>>,
    /// The number of bytes before it.
    offset: usize,
    /// The number of line breaks before it.
    lines: usize,
    /// The lines of the text, up to the places located so far.
    index: RefCell<Lines>,
}

impl<'a> Source<'a> {
    /// A part of an input with `offset` bytes and `lines` line breaks before it. It begins at the start of a line.
    pub fn new(text: &'a [u8], offset: usize, lines: usize) -> Source<'a> {
        Source {
            text,
            made_from: &[],
            same_bytes: false,
            wrapped: None,
            offset,
            lines,
            index: RefCell::default(),
        }
    }

    /// True if this text is the whole input, byte for byte.
    pub fn is_all(&self, text: &[u8]) -> bool {
        self.offset == 0 && self.lines == 0 && std::ptr::eq(self.text, text)
    }

    /// The source of a record that was read from a text derived from this part. `places` has spans of that text, in
    /// order, with the spans of the whole input that they come from.
    pub fn of_made(text: &'a [u8], offset: usize, lines: usize, places: &'a [(Span, Span)]) -> Source<'a> {
        Source { made_from: places, ..Source::new(text, offset, lines) }
    }

    /// The source of the records of a text with `lines` line breaks of the whole input before it.
    pub fn of_wrapped(wrapped: &'a Wrapped<'a>, lines: usize) -> Source<'a> {
        let source = Source::new(wrapped.source(), wrapped.offset(), lines);
        Source { made_from: wrapped.places(), same_bytes: true, wrapped: Some(wrapped), ..source }
    }

    /// The spans of the whole input that were skipped around a record: they are not part of it.
    pub fn skipped(&self, record: &Record<'_>) -> Vec<Span> {
        let (start, end) = (record.offset(), record.offset() + record.source().len());
        self.wrapped.map_or_else(Vec::new, |wrapped| wrapped.skipped(start, end).collect())
    }

    /// The text of the input that a record was read from, and the number of bytes before it.
    pub fn written<'r>(&self, record: &Record<'r>) -> (&'r [u8], usize)
    where
        'a: 'r,
    {
        if !self.is_wrapped() {
            return (record.source(), record.offset());
        }
        let start = record.offset();
        let span = self.span(Span::new(start, start + record.source().len()));
        (span.shifted_back(self.offset).of(self.text), span.start)
    }

    /// True if the bytes of a record are not those of the input.
    pub(crate) fn is_rewritten(&self, record: &Record<'_>) -> bool {
        let is_finding = |found: &Diagnostic| found.code == crate::record::codes::SKIPPED_LINES;
        self.is_wrapped()
            && (record.diagnostics.iter().any(is_finding) || self.written(record).0 != record.source())
    }

    /// The span of the whole input that a record and the lines skipped around it take. The spans of all records of the
    /// source cover it.
    pub fn whole(&self, record: &Record<'_>) -> Span {
        let (start, end) = (record.offset(), record.offset() + record.source().len());
        let at = |place: usize| self.span(Span::new(place, place)).start;
        let is_last = self.made_from.last().is_none_or(|(made, _)| made.end == end);
        match self.is_wrapped() {
            false => Span::new(start, end),
            true => Span::new(
                if start == self.offset { start } else { at(start) },
                if is_last { self.offset + self.text.len() } else { at(end) },
            ),
        }
    }

    /// The span of the whole input for a span of the record.
    pub fn span(&self, span: Span) -> Span {
        if self.same_bytes {
            return self.span_of_bytes(span);
        }
        let at = |place: usize| {
            let after = self.made_from.partition_point(|(made, _)| made.start <= place);
            self.made_from.get(after.saturating_sub(1)).map(|(_, from)| *from)
        };
        let last = span.end.saturating_sub(1).max(span.start);
        at(span.start).zip(at(last)).map_or(span, |(first, last)| {
            Span::new(first.start, if last.start < first.end { first.end } else { last.end })
        })
    }

    fn span_of_bytes(&self, span: Span) -> Span {
        let part = |place: usize| {
            let after = self.made_from.partition_point(|(made, _)| made.start <= place);
            self.made_from.get(after.saturating_sub(1))
        };
        let Some(((made, from), (last, last_from))) = part(span.start).zip(part(span.end.max(1) - 1)) else {
            return span;
        };
        let start = from.start + if made.len() == from.len() { span.start - made.start } else { 0 };
        if span.is_empty() {
            return Span::new(start.min(from.end), start.min(from.end));
        }
        let end = match last.len() == last_from.len() {
            true => last_from.start + (span.end - last.start),
            false => last_from.end,
        };
        Span::new(start, end.max(start))
    }

    /// True if the records are those of a text that was made of the part's, which has another form.
    pub fn is_of_another_text(&self) -> bool {
        !self.same_bytes && !self.made_from.is_empty()
    }

    /// True if the records are those of another text than the part's, with most of its bytes.
    pub(crate) fn is_wrapped(&self) -> bool {
        self.same_bytes && !self.made_from.is_empty()
    }

    /// True if the text at a span of a record is that of the input, but for blanks: files of other programs may have
    /// their moves in a form of their own.
    pub(crate) fn has_same_text(&self, record: &Record<'_>, span: Span) -> bool {
        let visible = |bytes: &[u8]| decode(bytes).split_whitespace().collect::<String>();
        let of_input = || visible(self.span(span).shifted_back(self.offset).of(self.text));
        !self.is_wrapped() || of_input() == visible(span.shifted_back(record.offset()).of(record.source()))
    }

    /// The part's text.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The number of bytes of the input before the part.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Line and column of a byte of the whole input.
    pub fn locate(&self, offset: usize) -> LineColumn {
        let at = offset.saturating_sub(self.offset).min(self.text.len());
        let LineColumn { line, column } = self.index.borrow_mut().locate(self.text, at);
        LineColumn { line: line + self.lines, column }
    }

    /// Adds line and column to a diagnostic.
    pub fn place(&self, diagnostic: Diagnostic, ply: Option<usize>) -> Located {
        let mut span = self.span(diagnostic.span);
        if diagnostic.code == crate::record::codes::SKIPPED_LINES {
            // The lines have no place in the record; they end where the place in it begins.
            let place = diagnostic.span.start;
            let first = self.made_from.partition_point(|(made, _)| made.start < place);
            let here =
                self.made_from[first..].iter().take_while(|(made, _)| *made == Span::new(place, place));
            span = here
                .map(|(_, from)| *from)
                .reduce(|all, from| Span::new(all.start, from.end))
                .unwrap_or(span);
        }
        let LineColumn { line, column } = self.locate(span.start);
        Located {
            code: diagnostic.code,
            severity: diagnostic.severity,
            line,
            column,
            span: [span.start, span.end],
            board: None,
            ply,
            message: diagnostic.message,
            notes: diagnostic.notes,
            spelling: None,
        }
    }
}
