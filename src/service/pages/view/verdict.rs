//! The verdict on a game in words.

use super::super::articles::linked;
use ferz::replay::summary::{agreement, claim, counted, ending, may_be_of_another_game, numbered, place_of};
use ferz::replay::{Agreement, Illegal, Legality, Located, Report};
use ferz::text::Severity;

/// The tone of a statement, shown by a sign and a colour beside the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Correct.
    Good,
    /// Wrong.
    Bad,
    /// Questionable.
    Warning,
    /// Neutral.
    Plain,
}

impl Tone {
    /// The class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Bad => "bad",
            Tone::Warning => "warning",
            Tone::Plain => "plain",
        }
    }

    /// The sign beside the words.
    pub fn sign(self) -> &'static str {
        match self {
            Tone::Good => "✓",
            Tone::Bad => "✗",
            Tone::Warning => "!",
            Tone::Plain => "i",
        }
    }
}

/// A sentence with the articles it is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The sentence, without its full stop.
    pub text: String,
    /// The articles as HTML with links; empty if there are none.
    pub rules: String,
}

/// The verdict on a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The overall tone.
    pub tone: Tone,
    /// The headline.
    pub headline: String,
    /// The illegal ply.
    pub illegal: Option<IllegalPly>,
    /// Illegal plies that were let stand, with their numbers.
    pub let_stand: Vec<(usize, IllegalPly)>,
    /// The end on the board.
    pub end: Option<Cited>,
    /// Whether the record's result agrees with the board.
    pub result: Option<(Tone, String)>,
    /// Claims that are open in the final position.
    pub claims: Vec<Cited>,
    /// True if the record may be of another game than the one it was judged as.
    pub hint: bool,
}

/// An illegal ply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalPly {
    /// Its text in the record.
    pub text: String,
    /// Why it is illegal.
    pub reason: String,
    /// The articles as HTML with links.
    pub rules: String,
    /// Code of the diagnostic and name of the reason.
    pub code: &'static str,
    /// Name of the reason.
    pub reason_id: String,
    /// Line in the input, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// The nearest legal plies.
    pub candidates: Vec<String>,
    /// Why it cannot be let stand although the record asks for it.
    pub cannot_stand: Option<String>,
}

impl IllegalPly {
    fn new(illegal: &Illegal) -> IllegalPly {
        IllegalPly {
            text: illegal.text.clone(),
            reason: illegal.reason.clone(),
            rules: linked(&illegal.rule),
            code: illegal.code.0,
            reason_id: illegal.reason_id.to_string(),
            line: illegal.line,
            column: illegal.column,
            candidates: illegal.candidates.clone(),
            cannot_stand: illegal.cannot_stand.clone(),
        }
    }
}

impl Verdict {
    /// The verdict of a report.
    pub fn of(report: &Report) -> Verdict {
        let end = report.end.map(|end| Cited {
            text: format!("{} after {}", ending(end), numbered(end)),
            rules: linked(report.end_rule.as_deref().unwrap_or_default()),
        });
        let tone = match report.agreement {
            Agreement::Confirmed => Tone::Good,
            Agreement::Contradicted => Tone::Bad,
            Agreement::Unverifiable => Tone::Plain,
        };
        let claims = report.claims.iter();
        let claims = claims.map(|open| Cited { text: claim(open), rules: linked(open.kind.article()) });
        Verdict {
            tone: tone_of(report),
            headline: headline(report),
            illegal: report.illegal.as_deref().map(IllegalPly::new),
            let_stand: report
                .let_stand
                .iter()
                .map(|illegal| (illegal.ply, IllegalPly::new(illegal)))
                .collect(),
            end,
            result: agreement(report).map(|text| (tone, text)),
            claims: claims.collect(),
            hint: may_be_of_another_game(report),
        }
    }
}

/// The overall tone of a report.
pub(super) fn tone_of(report: &Report) -> Tone {
    if report.is_finding(false) { Tone::Bad } else { Tone::Good }
}

/// The verdict in a few words.
pub(super) fn headline(report: &Report) -> String {
    let contradicted = report.agreement == Agreement::Contradicted;
    match &report.illegal {
        _ if report.verdict == Legality::NoRecord => "No game record".to_owned(),
        Some(illegal) if report.verdict == Legality::Unreadable => {
            format!("Unreadable at {}", place_of(illegal, report))
        }
        Some(illegal) => format!("Illegal at {}", place_of(illegal, report)),
        None if !report.let_stand.is_empty() => {
            counted(report.let_stand.len(), "illegal ply let stand", "illegal plies let stand")
        }
        None if !report.legal => "Not judged".to_owned(),
        None if contradicted => "Legal, but the result is wrong".to_owned(),
        None if report.plies == 0 => "No moves".to_owned(),
        None => format!("Legal: {}{}", counted(report.plies, "ply", "plies"), warnings_and_errors(report)),
    }
}

/// The number of errors and warnings of a legal game.
fn warnings_and_errors(report: &Report) -> String {
    let found = report.all_diagnostics();
    let count = |severity| found.iter().filter(|found| found.severity == severity).count();
    match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => String::new(),
        (0, warnings) => format!(", {}", counted(warnings, "warning", "warnings")),
        (errors, _) => format!(", {}", counted(errors, "error", "errors")),
    }
}

/// A diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The tone of its severity.
    pub tone: Tone,
    /// Its severity in a word.
    pub weight: &'static str,
    /// Its code.
    pub code: &'static str,
    /// Line in the input, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// The message.
    pub message: String,
    /// Further lines, as HTML.
    pub notes: Vec<String>,
}

impl Finding {
    /// A diagnostic of a report.
    pub fn of(located: &Located) -> Finding {
        let (tone, weight) = match located.severity {
            Severity::Error => (Tone::Bad, "Error"),
            Severity::Warning => (Tone::Warning, "Warning"),
            Severity::Info => (Tone::Plain, "Note"),
        };
        Finding {
            tone,
            weight,
            code: located.code.0,
            line: located.line,
            column: located.column,
            message: located.message.clone().into_owned(),
            notes: located.notes.iter().map(|note| linked(note)).collect(),
        }
    }
}

/// The verdict on a variation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// Its place: `in place of ply 12`.
    pub place: String,
    /// The overall tone.
    pub tone: Tone,
    /// The headline.
    pub headline: String,
    /// The illegal ply.
    pub illegal: Option<IllegalPly>,
}

impl Variation {
    /// The verdict on one variation.
    pub fn of(report: &Report) -> Variation {
        let steps: Vec<String> = report.path.chunks(2).map(|step| format!("ply {}", step[0])).collect();
        Variation {
            place: format!("in place of {}", steps.join(", there of ")),
            tone: if report.legal { Tone::Good } else { Tone::Bad },
            headline: headline(report),
            illegal: report.illegal.as_deref().map(IllegalPly::new),
        }
    }
}
