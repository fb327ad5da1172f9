//! SFEN, the positions of the Universal Shogi Interface: `b` is the first player's turn, hands follow, and the last
//! field counts plies.

use super::Position;
use super::fen::write_label;
use super::state::State;
use crate::board::{Mask, Owner};
use crate::rules::{Rules, Stock};
use std::fmt::Write;

/// The position in SFEN as an extended FEN; `None` if it is none, or the game has no pieces that SFEN writes.
pub(super) fn as_fen<M: Mask>(rules: &Rules<M>, text: &str) -> Option<String> {
    if !rules.has_hand || rules.has_reserve || rules.promoters.is_empty() || text.contains('[') {
        return None;
    }
    let text = text.trim().strip_prefix("position ").unwrap_or(text).trim_start();
    let mut fields = text.strip_prefix("sfen ").unwrap_or(text).split_whitespace();
    let (board, turn, hands) = (fields.next()?, fields.next()?, fields.next()?);
    let plies = fields.next().map_or(Some(1), |plies| plies.parse::<u32>().ok())?;
    let turn = match turn {
        "b" => "w",
        "w" => "b",
        _ => return None,
    };
    let hands = if hands == "-" { "" } else { hands };
    let number = plies.max(1).div_ceil(2);
    fields.next().is_none().then(|| format!("{board}[{hands}] {turn} - - 0 {number}"))
}

impl<M: Mask> Position<M> {
    /// The position in SFEN; `None` if the game has no pieces that SFEN writes.
    ///
    /// The number of the ply is computed from that of the move.
    pub fn sfen(&self) -> Option<String> {
        let (rules, state) = (&*self.rules, &self.state);
        if !rules.has_hand || rules.has_reserve || rules.promoters.is_empty() {
            return None;
        }
        let black = self.turn() == Owner::Black;
        let mut text = state.fen_board(rules);
        text.push_str(if black { " w " } else { " b " });
        let before = text.len();
        Owner::REAL.iter().for_each(|&owner| write_hand(rules, owner, self.hand(owner), &mut text));
        if text.len() == before {
            text.push('-');
        }
        let plies = self.status().number.saturating_mul(2) - u32::from(!black);
        // Writing to a string cannot fail.
        let _ = write!(text, " {plies}");
        Some(text)
    }
}

/// `2Pb`: the count before a letter, if there are several.
fn write_hand<M: Mask>(rules: &Rules<M>, owner: Owner, hand: &Stock, text: &mut String) {
    for &kind in &rules.stock_order {
        let count = hand[kind.index()];
        if count > 1 {
            let _ = write!(text, "{count}");
        }
        if count > 0 {
            write_label(rules.kind(kind).label[owner], owner, |byte| text.push(char::from(byte)));
        }
    }
}

impl<M: Mask> State<M> {
    /// The board alone, as in a FEN.
    fn fen_board(&self, rules: &Rules<M>) -> String {
        let pieces = self.fen_pieces(rules);
        pieces.split('[').next().unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnyRules, Registry};
    use std::sync::Arc;

    /// Both forms are the same position, and each is written as it was read.
    #[test]
    fn sfen_and_fen_are_the_same_position() {
        let Ok(AnyRules::Wide(rules)) = Registry::built_in().rules("shogi", &|_| None) else {
            panic!("shogi has 81 squares")
        };
        let read = |text: &str| {
            Position::from_fen(Arc::clone(&rules), text).unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        let board = "1ns2g3/lr1gks2l/p2pppnpp/1p4p2/9/PPp1P4/L1NP1PPPP/2SKR1S2/3G1GB+PL";
        for (sfen, fen) in [
            ("b bp 31", "[bp] w - - 0 16"),
            ("w R2N10Pb2p 30", "[RNNPPPPPPPPPPbpp] b - - 0 15"),
            ("b - 1", "[] w - - 0 1"),
        ] {
            let (sfen, fen) = (format!("{board} {sfen}"), format!("{board}{fen}"));
            for text in [&sfen, &format!("sfen {sfen}"), &format!("position sfen {sfen}"), &fen] {
                assert_eq!(read(text).fen(), fen, "{text}");
                assert_eq!(read(text).sfen().as_deref(), Some(sfen.as_str()), "{text}");
            }
        }
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(read(start).fen(), Position::start(Arc::clone(&rules)).fen());
        assert_eq!(Position::start(Arc::clone(&rules)).sfen().as_deref(), Some(start));
    }

    /// SFEN has no castling, no reserve and no pieces that change by promotion alone.
    #[test]
    fn other_games_have_no_sfen() {
        for game in ["chess", "crazyhouse", "iago-b"] {
            let Ok(AnyRules::Narrow(rules)) = Registry::built_in().rules(game, &|_| None) else {
                panic!("{game} has 64 squares")
            };
            assert_eq!(Position::start(rules).sfen(), None, "{game}");
        }
    }
}
