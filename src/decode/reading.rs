//! What was read, and how sure it is.

use crate::costs::Bits;
use ferz_core::text::Span;
use ferz_records::replay::summary::counted;
use std::fmt;

/// The readings of a text.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Decoded {
    /// The full name of the game.
    pub variant: String,
    /// For each sheet the code of the language of its letters, `en` for the game's own; or the name of a style with
    /// forms of its own.
    pub languages: Vec<String>,
    /// True if the first reading is sure: the next one that differs in a ply costs much more, nothing is missing or
    /// unreadable, and the search left out nothing that could come closer.
    pub certain: bool,
    /// How much more the next reading costs that differs in a ply, as far as the search looked.
    pub margin: Bits,
    /// False if the budget ended before the work: the readings go as far as it reached.
    pub complete: bool,
    /// The readings, the cheapest first; each differs in a ply from those before it.
    pub readings: Vec<Reading>,
    /// The plies of the first reading that are in doubt, in order.
    pub doubts: Vec<Doubt>,
    /// The index in `doubts` of the ply whose answer settles most.
    pub question: Option<usize>,
    /// How much more an alternative of a ply in doubt costs at most.
    pub(crate) doubtful: Bits,
    /// What a slip costs at most.
    pub(crate) slip: Bits,
}

/// A legal game that a text may mean.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reading {
    /// The cost of all that is written differently.
    pub cost: Bits,
    /// Its plies.
    pub plies: Vec<ReadPly>,
    /// Everything besides plies and numbers, in order.
    pub left_out: Vec<LeftOut>,
}

/// Text that a reading leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The number of its sheet, from 0.
    pub sheet: usize,
    /// Its place.
    pub span: Span,
    /// The text.
    pub text: String,
    /// The number of plies before it.
    pub after: usize,
    /// What it is.
    pub kind: Left,
}

/// What was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// A comment, a variation, an annotation, a time in brackets.
    Aside,
    /// Words, or a token like a ply.
    Words,
    /// A result.
    Result,
}

/// A ply of a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadPly {
    /// The move and the player: `14...`; empty for Nature's.
    pub number: String,
    /// The ply in coordinate notation and in SAN; of a gap, the first of the plies that fit.
    pub ply: Spelled,
    /// The plies that fit a gap, the likeliest first; empty where the ply is known.
    pub candidates: Vec<Spelled>,
    /// What was written, on each sheet; `None` where nothing was.
    pub written: Vec<Option<Token>>,
    /// What it costs that this was meant.
    pub cost: Bits,
    /// How it differs from what was written.
    pub change: Change,
}

/// A ply as text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spelled {
    /// In coordinate notation.
    pub coord: String,
    /// In SAN.
    pub san: String,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// Its text.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// How a ply differs from what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Not at all, or only in form.
    None,
    /// The token has slips.
    Slip,
    /// The token could be any ply.
    Unreadable,
    /// It was not written.
    Missing,
}

impl Change {
    /// The name in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Change::None => "none",
            Change::Slip => "slip",
            Change::Unreadable => "unreadable",
            Change::Missing => "missing",
        }
    }
}

/// A ply in doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Doubt {
    /// Its index in the plies of the first reading.
    pub ply: usize,
    /// The move and the player.
    pub number: String,
    /// What it may be, the likeliest first.
    pub alternatives: Vec<Alternative>,
}

/// What a ply in doubt may be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alternative {
    /// The ply.
    pub ply: Spelled,
    /// How much more the cheapest reading with it costs than the first one.
    pub cost: Bits,
}

impl ReadPly {
    /// True if no text says which ply it was.
    pub fn is_gap(&self) -> bool {
        matches!(self.change, Change::Missing | Change::Unreadable)
    }

    /// The plies that fit a gap, in words: `Kd8 or Kf8 fits`.
    pub fn fitting(&self) -> String {
        fitting(&self.candidates)
    }

    /// The ply in coordinate notation; `None` for a gap.
    pub fn known(&self) -> Option<&str> {
        (!self.is_gap()).then_some(self.ply.coord.as_str())
    }
}

impl Reading {
    /// The plies that are written differently.
    pub fn changes(&self) -> impl Iterator<Item = &ReadPly> {
        self.plies.iter().filter(|ply| ply.change != Change::None)
    }

    /// The result that the text states, in the form of the standard.
    pub fn result(&self) -> Option<&'static str> {
        let last = self.left_out.iter().rfind(|left| left.kind == Left::Result)?;
        let has = |part: &str| last.text.replace(['l', 'I'], "1").starts_with(part);
        Some(match () {
            () if has("1/2") || has("½") || has("0.5") || has("0,5") => "1/2-1/2",
            () if has("1") => "1-0",
            () if has("0") => "0-1",
            () => "*",
        })
    }

    /// True if a ply is missing or unreadable.
    pub fn has_gaps(&self) -> bool {
        self.plies.iter().any(ReadPly::is_gap)
    }

    /// True if all plies that both know are the same, and the gaps too. After a gap, where the pieces stand is not
    /// known, and plies are the same if they are written alike.
    pub(crate) fn is_same(&self, other: &Reading) -> bool {
        let mut after_gap = false;
        self.plies.len() == other.plies.len()
            && self.plies.iter().zip(&other.plies).all(|(one, other)| {
                let is_alike = after_gap && one.ply.san == other.ply.san;
                after_gap |= one.is_gap();
                one.is_gap() == other.is_gap() && (is_alike || one.known() == other.known())
            })
    }

    /// Adds the plies that fit the gaps of an equal reading.
    pub(crate) fn join(&mut self, other: &Reading) {
        for (own, other) in self.plies.iter_mut().zip(&other.plies) {
            for candidate in &other.candidates {
                if !own.candidates.contains(candidate) {
                    own.candidates.push(candidate.clone());
                }
            }
        }
    }
}

impl Decoded {
    /// No reading: nothing could be a ply.
    pub fn nothing() -> Decoded {
        Decoded {
            variant: String::new(),
            languages: Vec::new(),
            certain: false,
            margin: Bits::ZERO,
            complete: true,
            readings: Vec::new(),
            doubts: Vec::new(),
            question: None,
            doubtful: Bits::ZERO,
            slip: Bits::ZERO,
        }
    }

    /// True if the first reading differs from the text by slips of the pen only: nothing is missing, left out as a ply,
    /// guessed or in doubt.
    pub fn has_only_slips(&self) -> bool {
        let is_slip = |ply: &ReadPly| !ply.is_gap() && ply.cost <= self.slip;
        self.complete
            && self.doubts.is_empty()
            && self.readings.first().is_some_and(|reading| reading.changes().all(is_slip))
    }

    /// How sure the first reading is, in words.
    ///
    /// ```
    /// use ferz_decode::Decoded;
    /// assert_eq!(Decoded::nothing().confidence(), "no reading");
    /// ```
    pub fn confidence(&self) -> String {
        let Some(best) = self.readings.first() else { return "no reading".to_owned() };
        match () {
            () if !self.complete => "stopped before the end".to_owned(),
            () if self.certain => "certain".to_owned(),
            () if best.has_gaps() => "not certain: plies are missing".to_owned(),
            () if !self.doubts.is_empty() => {
                let doubts = counted(self.doubts.len(), "ply", "plies");
                format!("not certain: {doubts} in doubt")
            }
            () => format!("likely; the next reading costs {} bits more", self.margin),
        }
    }

    /// How much more an alternative of a ply in doubt costs at most.
    pub fn doubtful(&self) -> Bits {
        self.doubtful
    }

    /// Keeps the readings with this ply, in SAN or coordinates, at an index: the answer to a question. False, and
    /// nothing changes, if no reading has it.
    pub fn answer(&mut self, ply: usize, text: &str) -> bool {
        let says = |reading: &Reading| {
            reading.plies.get(ply).is_some_and(|known| known.ply.san == text || known.ply.coord == text)
        };
        if !self.readings.iter().any(says) {
            return false;
        }
        self.readings.retain(says);
        if let [first, next, ..] = self.readings.as_slice() {
            self.margin = next.cost - first.cost;
        }
        (self.doubts, self.question) = doubts(&self.readings, self.doubtful);
        true
    }
}

/// The change in words: `4... Nf8 -> Nf6`.
impl fmt::Display for ReadPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written: Vec<&str> = self.written.iter().flatten().map(|token| token.text.as_str()).collect();
        written.dedup();
        let (number, written) = (&self.number, written.join(" and "));
        match self.change {
            Change::Missing => write!(f, "{number} missing: {}", fitting(&self.candidates)),
            Change::Unreadable => write!(f, "{number} {written} unreadable: {}", fitting(&self.candidates)),
            Change::Slip | Change::None => write!(f, "{number} {written} -> {}", self.ply.san),
        }
    }
}

/// Plies that are named where several fit.
const NAMED_MAX: usize = 6;

/// `Kf8, Kd8 or 12 others fit`.
pub(crate) fn fitting(candidates: &[Spelled]) -> String {
    let named: Vec<&str> =
        candidates.iter().take(NAMED_MAX).map(|candidate| candidate.san.as_str()).collect();
    match (named.as_slice(), candidates.len() - named.len()) {
        ([], _) => "no ply fits".to_owned(),
        ([only], 0) => format!("only {only} fits"),
        ([others @ .., last], 0) => format!("{} or {last} fits", others.join(", ")),
        (named, 1) => format!("{} or 1 other fits", named.join(", ")),
        (named, rest) => format!("{} or {rest} others fit", named.join(", ")),
    }
}

/// The question: `14... Nf6 or Nf8?`.
impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> =
            self.alternatives.iter().map(|alternative| alternative.ply.san.as_str()).collect();
        write!(f, "{} {}?", self.number, names.join(" or "))
    }
}

/// The doubts about the first of some readings, and the one whose answer settles most.
///
/// A reading that costs n bits more than the first is 2^n times less likely.
pub(crate) fn doubts(readings: &[Reading], limit: Bits) -> (Vec<Doubt>, Option<usize>) {
    let Some((first, others)) = readings.split_first() else { return (Vec::new(), None) };
    let near: Vec<&Reading> = others.iter().filter(|reading| reading.cost <= first.cost + limit).collect();
    let mut doubts = Vec::new();
    let (mut most, mut question) = (0.0, None);
    for (index, ply) in first.plies.iter().enumerate() {
        let mut alternatives = vec![Alternative { ply: ply.ply.clone(), cost: Bits::ZERO }];
        let mut settled = 0.0;
        for reading in &near {
            let other = reading.plies.get(index).filter(|other| other.number == ply.number);
            let differs =
                |other: &&ReadPly| other.ply.san != ply.ply.san && !(other.is_gap() && ply.is_gap());
            let Some(other) = other.filter(differs) else { continue };
            let cost = reading.cost - first.cost;
            settled += (-cost.as_f64()).exp2();
            if !alternatives.iter().any(|known| known.ply == other.ply) {
                alternatives.push(Alternative { ply: other.ply.clone(), cost });
            }
        }
        if alternatives.len() > 1 {
            if settled > most {
                (most, question) = (settled, Some(doubts.len()));
            }
            doubts.push(Doubt { ply: index, number: ply.number.clone(), alternatives });
        }
    }
    (doubts, question)
}
