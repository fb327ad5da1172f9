//! Readings as JSON: what `ferz decode --format json` and the service answer.

use crate::costs::Bits;
use crate::reading::{Change, Decoded, Left, LeftOut, ReadPly, Reading, Spelled};
use crate::write::moves_of;
use ferz_core::text::Span;
use serde::Serialize;

/// The readings of one game.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The number of the game in its input, from 0.
    pub game: usize,
    /// The full name of the game.
    pub variant: String,
    /// The language of the letters, or the style.
    pub language: String,
    /// The same for the second sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet_language: Option<String>,
    /// True if the first reading is sure.
    pub certain: bool,
    /// Bits to the next reading.
    pub margin: Bits,
    /// False if the budget ended first.
    pub complete: bool,
    /// The readings, the best first.
    pub readings: Vec<ReadingAnswer>,
    /// The plies of the best reading that may be others.
    pub doubts: Vec<Question>,
    /// The one of them whose answer settles most.
    pub question: Option<Question>,
}

/// A reading.
#[derive(Debug, Serialize)]
pub struct ReadingAnswer {
    /// The plies in coordinate notation; null for a gap.
    pub plies: Vec<Option<String>>,
    /// The moves, up to the first gap; what was left out is in braces.
    pub text: String,
    /// What its slips cost, in bits.
    pub cost: Bits,
    /// Plies that are written differently.
    pub changes: Vec<ChangeAnswer>,
    /// Gaps, with the plies that fit.
    pub missing: Vec<Gap>,
    /// Words, and tokens that were left out.
    pub left_out: Vec<LeftOutAnswer>,
    /// The result, as the text says it.
    pub result: Option<&'static str>,
}

/// A ply that is written differently.
#[derive(Debug, Serialize)]
pub struct ChangeAnswer {
    /// Its number, from 1.
    pub ply: usize,
    /// The sheet of the token, from 0.
    pub sheet: usize,
    /// The place of the token, in bytes.
    pub span: [usize; 2],
    /// The token.
    pub text: String,
    /// The ply in coordinate notation; null if unreadable.
    pub coord: Option<String>,
    /// The ply in SAN; null if unreadable.
    pub san: Option<String>,
    /// `slip` or `unreadable`.
    pub kind: &'static str,
    /// What it costs, in bits.
    pub cost: Bits,
}

/// A ply that no token tells.
#[derive(Debug, Serialize)]
pub struct Gap {
    /// Its number, from 1.
    pub ply: usize,
    /// The plies that fit, in coordinate notation.
    pub candidates: Vec<String>,
    /// The same in SAN.
    pub san: Vec<String>,
}

/// Text that was left out.
#[derive(Debug, Serialize)]
pub struct LeftOutAnswer {
    /// Its sheet, from 0.
    pub sheet: usize,
    /// Its place, in bytes.
    pub span: [usize; 2],
    /// The text.
    pub text: String,
}

/// A ply in doubt.
#[derive(Debug, Clone, Serialize)]
pub struct Question {
    /// Its number, from 1.
    pub ply: usize,
    /// The move and the player: `14...`.
    pub number: String,
    /// What it may be.
    pub alternatives: Vec<Choice>,
}

/// What a ply in doubt may be.
#[derive(Debug, Clone, Serialize)]
pub struct Choice {
    /// In coordinate notation.
    pub coord: String,
    /// In SAN.
    pub san: String,
    /// Bits more than the best reading.
    pub cost: Bits,
}

impl Answer {
    /// The answer about a game; `readings` of them at most.
    pub fn new(decoded: &Decoded, game: usize, readings: usize) -> Answer {
        let question = |doubt: &crate::reading::Doubt| Question {
            ply: doubt.ply + 1,
            number: doubt.number.clone(),
            alternatives: doubt
                .alternatives
                .iter()
                .map(|alternative| Choice {
                    coord: alternative.ply.coord.clone(),
                    san: alternative.ply.san.clone(),
                    cost: alternative.cost,
                })
                .collect(),
        };
        let doubts: Vec<Question> = decoded.doubts.iter().map(question).collect();
        Answer {
            game,
            variant: decoded.variant.clone(),
            language: decoded.languages.first().cloned().unwrap_or_default(),
            sheet_language: decoded.languages.get(1).cloned(),
            certain: decoded.certain,
            margin: decoded.margin,
            complete: decoded.complete,
            readings: decoded.readings.iter().take(readings).map(ReadingAnswer::new).collect(),
            question: decoded.question.and_then(|index| doubts.get(index)).cloned(),
            doubts,
        }
    }
}

impl ReadingAnswer {
    fn new(reading: &Reading) -> ReadingAnswer {
        let numbered = || reading.plies.iter().enumerate().map(|(index, ply)| (index + 1, ply));
        ReadingAnswer {
            plies: reading.plies.iter().map(|ply| ply.known().map(str::to_owned)).collect(),
            text: moves_of(reading, ""),
            cost: reading.cost,
            changes: numbered().flat_map(|(number, ply)| changes(number, ply)).collect(),
            missing: numbered()
                .filter(|(_, ply)| ply.is_gap())
                .map(|(number, ply)| gap(number, ply))
                .collect(),
            left_out: reading.left_out.iter().filter(|left| left.kind == Left::Words).map(left_out).collect(),
            result: reading.result(),
        }
    }
}

fn changes(number: usize, ply: &ReadPly) -> Vec<ChangeAnswer> {
    if matches!(ply.change, Change::None | Change::Missing) {
        return Vec::new();
    }
    let known = |text: &String| (!ply.is_gap()).then(|| text.clone());
    let tokens = ply.written.iter().enumerate().filter_map(|(sheet, token)| Some((sheet, token.as_ref()?)));
    let change = tokens.map(|(sheet, token)| ChangeAnswer {
        ply: number,
        sheet,
        span: pair(token.span),
        text: token.text.clone(),
        coord: known(&ply.ply.coord),
        san: known(&ply.ply.san),
        kind: ply.change.id(),
        cost: ply.cost,
    });
    change.collect()
}

fn gap(number: usize, ply: &ReadPly) -> Gap {
    let each = |of: fn(&Spelled) -> &String| ply.candidates.iter().map(|fits| of(fits).clone()).collect();
    Gap { ply: number, candidates: each(|fits| &fits.coord), san: each(|fits| &fits.san) }
}

fn left_out(left: &LeftOut) -> LeftOutAnswer {
    LeftOutAnswer { sheet: left.sheet, span: pair(left.span), text: left.text.clone() }
}

fn pair(span: Span) -> [usize; 2] {
    [span.start, span.end]
}
