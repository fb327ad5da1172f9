//! Positions as nobody writes them: FENs with bytes changed. They are refused, or they are positions.

use crate::check::{self, Law, ensure};
use crate::common::with_rules;
use crate::games;
use crate::random::Random;
use crate::scatter::scatter;
use ferz::board::Mask;
use ferz::position::Position;
use ferz::rules::Rules;
use std::sync::Arc;

/// Bytes that mean something somewhere in a FEN.
const BYTES: &[u8] = b"KQRBNPkqrbnpMCFmcf*'~[]/0123456789 -+:,abcdefghwGHE\xc3\xa9";

/// Mangles `count` positions of a game; how many were accepted.
pub fn mangle(variant: &str, count: usize) -> usize {
    let mut random = Random::new(variant, 7);
    let rules = games::rules(variant, "advanced", &mut random);
    with_rules!(rules, rules => (0..count).filter(|_| one(&rules, &mut random)).count())
}

fn one<M: Mask>(rules: &Arc<Rules<M>>, random: &mut Random) -> bool {
    let start = scatter(rules, random).unwrap_or_else(|| Position::start(rules.clone()));
    let mut bytes = start.fen().into_bytes();
    for _ in 0..1 + random.below(2) {
        let at = random.below(bytes.len());
        let length = bytes.len();
        match random.below(5) {
            0 => bytes[at] = *random.pick(BYTES),
            1 => bytes.swap(at, (at * 7 + 3) % length),
            2 => bytes.insert(at, *random.pick(BYTES)),
            3 => {
                bytes.remove(at);
            }
            _ => {
                let piece = bytes[at..(at + 1 + random.below(8)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match Position::from_fen(rules.clone(), &text) {
        Ok(position) => {
            whole(rules, &position).unwrap_or_else(|error| panic!("{}: {text}: {error}", rules.id.name));
            true
        }
        Err(error) => {
            assert!(error.span.end <= text.len() && error.span.start <= error.span.end, "{text}: {error:?}");
            assert!(
                text.get(error.span.start..error.span.end).is_some(),
                "{text}: {error:?} cuts a character"
            );
            false
        }
    }
}

/// What was accepted is a position like any other.
fn whole<M: Mask>(rules: &Arc<Rules<M>>, position: &Position<M>) -> Law {
    position.check_invariants()?;
    let plies = position.plies();
    let fen = position.fen();
    let again = Position::from_fen(rules.clone(), &fen).map_err(|error| format!("{fen}: {error}"))?;
    check::fen_is_read_back(position, &again, &plies)?;
    check::coordinates_differ(position, &plies)?;
    check::plies_are_taken_back(position, &plies)?;
    for ply in &plies {
        let mut after = position.clone();
        after.apply(ply);
        after.check_invariants().map_err(|error| format!("{ply:?}: {error}"))?;
    }
    ensure(position.fen() == fen, || "changed by looking at it".into())
}
