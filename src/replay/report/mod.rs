//! The report about one game: plain data, the same from library, command line and network.

mod flat;
mod read;

pub use flat::flat_reports;

use crate::board::Owner;
use crate::judge::{ClaimableDraw, End};
use crate::notation::Style;
use crate::position::Reason;
use crate::record::GameResult;
use crate::rules::RulesId;
use crate::text::{Code, Diagnostic, LineColumn, Lines, Severity, Span};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// How the tag `Result` and the end on the board go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agreement {
    /// The tag is the result of the end.
    Confirmed,
    /// There is an end, and the tag is another result.
    Contradicted,
    /// There is no end on the board, or no result in the record.
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

/// An illegal ply and why it is illegal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Illegal {
    /// Number of the ply, from 1; Nature's count too.
    pub ply: usize,
    /// The text of the ply.
    pub text: String,
    /// Code of the reason.
    pub code: Code,
    /// Stable name of the reason.
    pub reason_id: Reason,
    /// The reason in words, with squares and pieces.
    pub reason: String,
    /// The article that forbids it.
    pub rule: String,
    /// The squares that it is about.
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

/// A diagnostic with its place in the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Located {
    /// Which kind of finding.
    pub code: Code,
    /// How much it weighs.
    pub severity: Severity,
    /// Line, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// Bytes of the input.
    pub span: [usize; 2],
    /// The ply it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// What is to be said.
    pub message: Cow<'static, str>,
    /// Further lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What to write in place of the text, where the text of a ply is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spelling: Option<String>,
}

impl Illegal {
    /// What a message adds about the ply: the rule, and the nearest legal plies if there are any.
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

/// A variation in words, by the path of its report: `a variation`, and deeper `a variation at depth 2`.
pub(super) fn variation_in_words(path: &[usize]) -> String {
    match path.len() / 2 {
        0 | 1 => "a variation".to_owned(),
        depth => format!("a variation at depth {depth}"),
    }
}

/// How many plies of a record stand as a style writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StyleEvidence {
    /// The style.
    pub style: Style,
    /// The number of plies, those of variations too.
    pub plies: usize,
}

/// What one game is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Number of the game in the input, from 0.
    pub game: usize,
    /// For a variation: the ply that it replaces and its number among the variations there, from 0; then on
    /// the same way in that variation. Empty for the game itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<usize>,
    /// Name of the game, mutators in front.
    pub variant: Arc<str>,
    /// Which rules it was judged by; nothing if the game is not known.
    pub rules: Option<Arc<RulesId>>,
    /// Style of notation.
    pub style: Style,
    /// How many plies each style writes as they stand, where the record is not in one style throughout; the most
    /// fitting style first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub style_evidence: Vec<StyleEvidence>,
    /// Code of the language whose letters the plies have, where they are not the game's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Plies of the main line that were replayed: the legal ones, and illegal ones that were let stand.
    pub plies: usize,
    /// True if the whole main line is legal.
    pub legal: bool,
    /// The illegal ply that the replay ends before.
    pub illegal: Option<Box<Illegal>>,
    /// Illegal plies that were let stand, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood: Vec<Illegal>,
    /// The first ending that was reached; nothing if play could go on.
    pub end: Option<End>,
    /// The articles that the ending rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_rule: Option<String>,
    /// The result that the record gives.
    pub result_tag: Option<GameResult>,
    /// How that result and the end go together.
    pub agreement: Agreement,
    /// The position after the last legal ply; empty if the game is not known.
    pub final_fen: String,
    /// What the player on move may claim there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimableDraw>,
    /// Reports of the variations at every depth, in order: each before those inside it. None of them has this list.
    #[serde(default, deserialize_with = "read::variations", skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Report>,
    /// Everything else worth saying, in the order of the input.
    pub diagnostics: Vec<Located>,
}

impl Report {
    /// True if the game could be judged: its rules and its start are known.
    pub fn is_judged(&self) -> bool {
        self.rules.is_some()
    }

    /// The illegal plies of the line, in order: those that were let stand, and the one that the replay ends before.
    pub fn illegal_plies(&self) -> impl Iterator<Item = &Illegal> {
        self.stood.iter().chain(self.illegal.as_deref())
    }

    /// True if nothing of it looks like a game record.
    pub fn is_no_record(&self) -> bool {
        self.diagnostics.iter().any(|told| told.code == crate::record::codes::NO_RECORD)
    }

    /// True if the game makes a run end with exit code 1: an illegal ply, a contradicted result, or a
    /// diagnostic that weighs as an error (with `strict`, a warning).
    pub fn is_finding(&self, strict: bool) -> bool {
        let bar = if strict { Severity::Warning } else { Severity::Error };
        !self.legal || self.agreement == Agreement::Contradicted || self.weighs(bar)
    }

    /// True if a diagnostic of the line, or of a variation in it, weighs as much.
    fn weighs(&self, bar: Severity) -> bool {
        self.lines().flat_map(|line| &line.diagnostics).any(|diagnostic| diagnostic.severity >= bar)
    }

    /// What a sentence has behind a ply of the report: ` of a variation`, ` of a variation at depth 2`, or nothing for
    /// the game itself.
    pub fn of_variation(&self) -> String {
        if self.path.is_empty() { String::new() } else { format!(" of {}", variation_in_words(&self.path)) }
    }

    /// The report and those of its variations at every depth, each before those of the variations inside it.
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

    /// Numbers the report, and those of its variations, once it is known how many games came before.
    pub fn set_game(&mut self, number: usize) {
        self.game = number;
        self.variations.iter_mut().for_each(|variation| variation.game = number);
    }

    /// Who is favoured by the end on the board, if it is decided.
    pub fn winner(&self) -> Option<Owner> {
        use crate::judge::Outcome;
        match self.end?.outcome {
            Outcome::WhiteWins => Some(Owner::White),
            Outcome::BlackWins => Some(Owner::Black),
            Outcome::Draw => None,
        }
    }
}

/// Where a part of a larger input stands, so that places in it can be named as places of the whole.
#[derive(Debug)]
pub struct Source<'a> {
    /// The part's text.
    text: &'a [u8],
    /// Where the record was read from a text that was made of this one: which place in that text, in order, is
    /// which place of the whole input.
    made_from: &'a [(Span, Span)],
    /// Bytes before it.
    offset: usize,
    /// Line breaks before it.
    lines: usize,
    /// The lines of the text, as far as places were located.
    index: RefCell<Lines>,
}

impl<'a> Source<'a> {
    /// A part of an input that has `offset` bytes and `lines` line breaks before it. It begins at a line start.
    pub fn new(text: &'a [u8], offset: usize, lines: usize) -> Source<'a> {
        Source { text, made_from: &[], offset, lines, index: RefCell::default() }
    }

    /// True if this text, byte for byte in its place, is all of the input.
    #[cfg(feature = "archive")]
    pub(crate) fn is_all(&self, text: &[u8]) -> bool {
        self.offset == 0 && self.lines == 0 && std::ptr::eq(self.text, text)
    }

    /// The same for a record that was read from another text, which was made of this part. `places` tells for
    /// spans of that text, in order, the spans of the whole input that they were made of.
    pub fn of_made(text: &'a [u8], offset: usize, lines: usize, places: &'a [(Span, Span)]) -> Source<'a> {
        Source { made_from: places, ..Source::new(text, offset, lines) }
    }

    /// The span of the whole input that a record's span stands for.
    pub fn span(&self, span: Span) -> Span {
        let at = |place: usize| {
            let behind = self.made_from.partition_point(|(made, _)| made.start <= place);
            self.made_from.get(behind.saturating_sub(1)).map(|(_, from)| *from)
        };
        let last = span.end.saturating_sub(1).max(span.start);
        at(span.start).zip(at(last)).map_or(span, |(first, last)| {
            Span::new(first.start, if last.start < first.end { first.end } else { last.end })
        })
    }

    /// The part's text.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Bytes of the input before the part.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Line and column, in the whole input, of a byte of the whole input.
    pub fn locate(&self, offset: usize) -> LineColumn {
        let at = offset.saturating_sub(self.offset).min(self.text.len());
        let LineColumn { line, column } = self.index.borrow_mut().locate(self.text, at);
        LineColumn { line: line + self.lines, column }
    }

    /// A diagnostic with its line and column.
    pub fn place(&self, diagnostic: Diagnostic, ply: Option<usize>) -> Located {
        let span = self.span(diagnostic.span);
        let LineColumn { line, column } = self.locate(span.start);
        Located {
            code: diagnostic.code,
            severity: diagnostic.severity,
            line,
            column,
            span: [span.start, span.end],
            ply,
            message: diagnostic.message,
            notes: diagnostic.notes,
            spelling: None,
        }
    }
}
