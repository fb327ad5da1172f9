//! Two damaged sheets of one game: the game that both support, what each contributes, and where they truly differ.

use crate::decode::{DecodeError, Options, decode_sheets, sheet_of};
use crate::reading::{Change, Decoded, ReadPly, Token};
use crate::sheet::Sheet;
use crate::write::moves_of;
use ferz_core::text::Budget;
use ferz_records::record::Record;
use ferz_records::replay::Replayer;
use ferz_records::replay::summary::counted;
use serde::Serialize;
use std::collections::BTreeMap;

/// The game that two sheets support together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Together {
    /// True if the reading is sure.
    pub certain: bool,
    /// How sure it is, in words.
    pub confidence: String,
    /// How many plies it has, gaps included.
    pub plies: usize,
    /// Its moves, up to the first gap; what was left out is in braces.
    pub text: String,
    /// What each sheet contributes.
    pub sheets: [Share; 2],
    /// Where the sheets truly differ: each has a ply that is legal, and not the other's.
    pub differences: Vec<Difference>,
}

/// What a sheet contributes to the game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Share {
    /// How many plies it has as they are read.
    pub agrees: usize,
    /// Its tokens that are read otherwise: `14... Nf8 -> Nf6`.
    pub corrected: Vec<String>,
    /// The plies that only the other sheet has: `20. Rd1`.
    pub lacks: Vec<String>,
}

/// A ply about which the sheets truly differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// Its number, from 1.
    pub ply: usize,
    /// The move and the player: `14...`.
    pub number: String,
    /// What each sheet has.
    pub written: [String; 2],
    /// The ply that fits the rest of both sheets better, in SAN.
    pub read: String,
}

/// Reads two records of one game together.
///
/// # Errors
/// If the game cannot be played, the records start from different positions, or nothing could be a ply.
pub fn together(
    replayer: &mut Replayer<'_>,
    [a, b]: [&Record<'_>; 2],
    options: &Options,
    budget: &Budget,
) -> Result<Together, DecodeError> {
    if a.tag("FEN") != b.tag("FEN") {
        return Err(DecodeError::Different);
    }
    let sheets = [sheet_of(a, options.costs), sheet_of(b, options.costs)];
    let decoded = decode_sheets(replayer, a, &sheets, options, budget)?;
    let alone =
        [alone(replayer, a, &sheets[0], options, budget)?, alone(replayer, b, &sheets[1], options, budget)?];
    let best = decoded.readings.first().ok_or(DecodeError::Nothing)?;
    let mut shares = [Share::default(), Share::default()];
    let mut differences = Vec::new();
    for (index, ply) in best.plies.iter().enumerate() {
        let tokens = [token(ply, 0), token(ply, 1)];
        for (sheet, share) in shares.iter_mut().enumerate() {
            share.count(ply, tokens[sheet], tokens[1 - sheet].is_some(), &alone[sheet]);
        }
        if let [Some(one), Some(other)] = tokens
            && let (Some(first), Some(second)) =
                (alone[0].get(&one.span.start), alone[1].get(&other.span.start))
            && first != second
        {
            let written = [one.text.clone(), other.text.clone()];
            let number = ply.number.clone();
            differences.push(Difference { ply: index + 1, number, written, read: ply.ply.san.clone() });
        }
    }
    Ok(Together {
        certain: decoded.certain,
        confidence: decoded.confidence(),
        plies: best.plies.len(),
        text: moves_of(best, ""),
        sheets: shares,
        differences,
    })
}

/// The plies that the tokens of a sheet are read as without a change when it is read by itself, by their places.
fn alone(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    sheet: &Sheet,
    options: &Options,
    budget: &Budget,
) -> Result<BTreeMap<usize, String>, DecodeError> {
    let decoded = match decode_sheets(replayer, record, std::slice::from_ref(sheet), options, budget) {
        // The other sheet may have all of it.
        Err(DecodeError::Nothing) => Decoded::nothing(),
        decoded => decoded?,
    };
    let plies = decoded.readings.first().map_or(&[][..], |reading| &reading.plies);
    let unchanged = plies.iter().filter(|ply| ply.change == Change::None);
    Ok(unchanged.filter_map(|ply| Some((token(ply, 0)?.span.start, ply.ply.coord.clone()))).collect())
}

fn token(ply: &ReadPly, sheet: usize) -> Option<&Token> {
    ply.written.get(sheet).and_then(Option::as_ref)
}

impl Share {
    /// Counts a ply of the game.
    fn count(
        &mut self,
        ply: &ReadPly,
        token: Option<&Token>,
        other_has_it: bool,
        alone: &BTreeMap<usize, String>,
    ) {
        match token {
            Some(token) if alone.get(&token.span.start) == Some(&ply.ply.coord) => self.agrees += 1,
            Some(token) if token.text == ply.ply.san => self.agrees += 1,
            Some(token) => self.corrected.push(format!("{} {} -> {}", ply.number, token.text, ply.ply.san)),
            None if other_has_it => self.lacks.push(format!("{} {}", ply.number, ply.ply.san)),
            None => {}
        }
    }
}

impl Together {
    /// All of it in sentences, a line each.
    pub fn lines(&self) -> Vec<String> {
        let plies = counted(self.plies, "ply", "plies");
        let mut lines =
            vec![format!("Read together by the rules: a legal game of {plies}; {}.", self.confidence)];
        for (name, share) in ["A", "B"].into_iter().zip(&self.sheets) {
            let mut line = format!("{name} has {} of them as they are read", share.agrees);
            if !share.corrected.is_empty() {
                line += &format!("; corrected: {}", share.corrected.join(", "));
            }
            if !share.lacks.is_empty() {
                line += &format!("; only in the other record: {}", share.lacks.join(", "));
            }
            lines.push(line + ".");
        }
        lines.extend(self.differences.iter().map(|difference| {
            let Difference { number, written: [a, b], read, .. } = difference;
            format!("They differ at {number} A has {a}, B has {b}, and each is legal; {read} fits the rest better.")
        }));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::Registry;
    use ferz_records::record::read;
    use ferz_records::replay;

    fn of(a: &str, b: &str) -> Together {
        let mut replayer = Replayer::new(Registry::built_in(), replay::Options::default());
        let [a, b] = [a, b].map(|text| read(text.as_bytes(), 0).next().unwrap());
        together(&mut replayer, [&a, &b], &Options::default(), &Budget::unlimited()).unwrap()
    }

    #[test]
    fn each_sheet_mends_the_other() {
        let found = of(
            "1. e4 e5 2. NfG Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf8 5. O-O *",
        );
        assert_eq!(found.text, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7");
        assert_eq!(found.sheets[0].corrected, ["2. NfG -> Nf3"]);
        assert_eq!(found.sheets[1].corrected, ["4... Nf8 -> Nf6"]);
        assert_eq!(
            (found.sheets[1].lacks.as_slice(), found.sheets[0].lacks.len()),
            (&["5... Be7".to_owned()][..], 0)
        );
        assert_eq!(found.differences, []);
        assert_eq!(found.sheets.each_ref().map(|share| share.agrees), [9, 8]);
    }

    #[test]
    fn what_both_may_have_meant_is_a_difference() {
        let found = of("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *", "1. e4 e5 2. Nf3 Nc6 3. Bc4 a6 *");
        let [difference] = &found.differences[..] else { panic!("{found:?}") };
        assert_eq!((difference.ply, &difference.written), (5, &["Bb5".to_owned(), "Bc4".to_owned()]));
        assert!(found.lines().iter().any(|line| line.contains("They differ at 3. A has Bb5, B has Bc4")));
    }
}
