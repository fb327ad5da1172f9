//! Counts of moves that draw (MAK 4, MAK 5): when one begins, and what it has come to.

use super::state::{Over, State};
use super::{Position, fen::FenError};
use crate::board::{Mask, Owner};
use crate::position::Call;
use crate::rules::Rules;
use crate::rules::definition::{BoardHonour, MoveCount};
use crate::text::Span;
use std::fmt;

/// Moves of board's honour (MAK 5).
const BOARDS_HONOUR: u8 = 64;

/// A count that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Count {
    /// Who counts.
    pub by: Owner,
    /// The number of the last move counted.
    pub made: u8,
    /// The last number before the draw.
    pub limit: u8,
    /// Board's honour: both sides have pieces. Else pieces' honour: the counting side has its king alone.
    pub boards: bool,
}

/// Why a call of the player on move has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFault {
    /// The game has no such rule.
    NoSuchRule,
    /// The game has ended.
    GameOver,
    /// A pawn is left.
    Pawns,
    /// Nature has a piece.
    Nature,
    /// A side has its king alone, so that its count begins and goes on by itself.
    BareKing,
    /// A count runs already.
    Runs,
    /// None runs.
    None,
    /// No piece of the game with this letter is ever in a hand.
    NoSuchPiece,
}

impl fmt::Display for CallFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CallFault::NoSuchRule => "this game has no such rule",
            CallFault::GameOver => "the game has ended",
            CallFault::Pawns => "a pawn is left",
            CallFault::Nature => "Nature has a piece",
            CallFault::BareKing => "a side has its king alone, whose count needs no call",
            CallFault::Runs => "a count runs already",
            CallFault::None => "no count runs",
            CallFault::NoSuchPiece => "no piece with this letter can be in a hand",
        })
    }
}

impl<M: Mask> Position<M> {
    /// The count that runs.
    pub fn count(&self) -> Option<Count> {
        self.state.status.count
    }

    /// True if a count runs that the player on move may end by a call (MAK 5).
    pub fn has_count_to_end(&self) -> bool {
        self.counts_by_call() && self.count().is_some_and(|count| count.boards)
    }

    /// True if what players call for may begin or end a count (MAK-2).
    pub fn counts_by_call(&self) -> bool {
        counts_by_call(&self.rules)
    }

    /// Does what is called for.
    ///
    /// # Errors
    /// If it has no effect.
    pub fn call(&mut self, call: Call) -> Result<(), CallFault> {
        match call {
            Call::CountStart => self.start_count(),
            Call::CountStop => self.stop_count(),
            Call::Declare => Err(CallFault::NoSuchRule),
            Call::Receive(letter) => self.receive(letter),
        }
    }

    /// Begins the count of board's honour for the player on move (MAK 5).
    fn start_count(&mut self) -> Result<(), CallFault> {
        let (rules, state) = (&*self.rules, &mut self.state);
        if !counts_by_call(rules) {
            return Err(CallFault::NoSuchRule);
        }
        if state.has_pawns(rules) {
            return Err(CallFault::Pawns);
        }
        if state.owned(Owner::Nature).any() {
            return Err(CallFault::Nature);
        }
        if Owner::REAL.iter().any(|&owner| state.is_bare(rules, owner)) {
            return Err(CallFault::BareKing);
        }
        if state.status.count.is_some() {
            return Err(CallFault::Runs);
        }
        let by = state.status.turn;
        state.status.count = Some(Count { by, made: 0, limit: BOARDS_HONOUR, boards: true });
        Ok(())
    }

    /// Ends the count of board's honour; a later one begins from 1 (MAK 5).
    fn stop_count(&mut self) -> Result<(), CallFault> {
        match self.state.status.count {
            None => Err(CallFault::None),
            Some(count) if !count.boards => Err(CallFault::BareKing),
            Some(_) if !counts_by_call(&self.rules) => Err(CallFault::NoSuchRule),
            Some(_) => {
                self.state.status.count = None;
                Ok(())
            }
        }
    }
}

/// True if a player begins and ends the count of board's honour (MAK-2).
fn counts_by_call<M: Mask>(rules: &Rules<M>) -> bool {
    rules.ends.count != MoveCount::None && rules.ends.board_honour == BoardHonour::Claim
}

impl<M: Mask> State<M> {
    fn has_pawns(&self, rules: &Rules<M>) -> bool {
        rules.pawns.kinds().any(|pawn| self.of_kind(pawn).any())
    }

    /// The count after a ply of `mover`.
    pub(super) fn count_on(&mut self, rules: &Rules<M>, mover: Owner) {
        if let Some(count) = self.status.count.as_mut().filter(|count| count.by == mover) {
            count.made = count.made.saturating_add(1);
        }
        self.begin_count(rules);
    }

    /// Ends a count that the position no longer allows, and begins the one that it demands: none while a pawn is on the
    /// board or Nature has a piece (CHA-24), pieces' honour while a side has its king alone, else board's honour.
    pub(super) fn begin_count(&mut self, rules: &Rules<M>) {
        if self.owned(Owner::Nature).any() || self.has_pawns(rules) {
            self.status.count = None;
            return;
        }
        let bare = Owner::REAL.map(|owner| self.is_bare(rules, owner));
        let boards = !bare.contains(&true);
        let runs = self.status.count.filter(|count| count.boards == boards);
        self.status.count = runs.or_else(|| self.count_due(rules, bare));
    }

    /// The count that begins by itself.
    fn count_due(&self, rules: &Rules<M>, bare: [bool; 2]) -> Option<Count> {
        let by = match bare {
            [true, false] => Owner::White,
            [false, true] => Owner::Black,
            [false, false] if rules.ends.board_honour == BoardHonour::Auto => {
                let [white, black] = Owner::REAL.map(|owner| self.owned(owner).count());
                let by = if white < black { Owner::White } else { Owner::Black };
                return (white != black).then_some(Count { by, made: 0, limit: BOARDS_HONOUR, boards: true });
            }
            _ => return None,
        };
        let made = self.occupied().count() as u8;
        Some(Count { by, made, limit: self.count_limit(rules, by.opponent()), boards: false })
    }

    /// The limit of pieces' honour by the pieces of the stronger side: the first that fits.
    fn count_limit(&self, rules: &Rules<M>, stronger: Owner) -> u8 {
        let has = |kind, number| self.pieces(stronger, kind).count() >= number;
        let fits = rules.count_limits.iter().find(|limit| has(limit.kind, limit.pieces));
        fits.map_or(BOARDS_HONOUR, |limit| limit.moves)
    }

    /// The draw by a count that has come to its end.
    pub(super) fn counted_out(&self) -> Option<Over> {
        self.status.count.is_some_and(|count| count.made > count.limit).then_some(Over::Count)
    }

    /// True if a mate of `by` draws: the player counts although both sides have pieces (MAK 5).
    pub(super) fn mates_while_counting(&self, by: Owner) -> bool {
        self.status.count.is_some_and(|count| count.boards && count.by == by)
    }

    /// Who counts if a FEN does not say: the side with its king alone; else the one with fewer pieces; else the player
    /// on move.
    fn usual_counter(&self, rules: &Rules<M>) -> Owner {
        let [white, black] = Owner::REAL.map(|owner| self.is_bare(rules, owner));
        let men = Owner::REAL.map(|owner| self.owned(owner).count());
        match men[0].cmp(&men[1]) {
            _ if white != black => {
                if white {
                    Owner::White
                } else {
                    Owner::Black
                }
            }
            std::cmp::Ordering::Less => Owner::White,
            std::cmp::Ordering::Greater => Owner::Black,
            std::cmp::Ordering::Equal => self.status.turn,
        }
    }

    /// The count as the field of a FEN: `5/8`, or `5/64b` where another than the usual side counts.
    pub(super) fn count_field(&self, rules: &Rules<M>) -> Option<String> {
        let Count { by, made, limit, .. } = self.status.count?;
        let whose = match by {
            _ if by == self.usual_counter(rules) => "",
            Owner::Black => "b",
            _ => "w",
        };
        Some(format!("{made}/{limit}{whose}"))
    }

    /// Reads the field of a FEN; the turn must have been read.
    ///
    /// # Errors
    /// If the field is no count.
    pub(super) fn read_count(&mut self, rules: &Rules<M>, text: &str, at: usize) -> Result<(), FenError> {
        let fail =
            |message: String| FenError { field: "count", span: Span::new(at, at + text.len()), message };
        let (numbers, by) = match text.as_bytes().last() {
            Some(b'w') => (&text[..text.len() - 1], Owner::White),
            Some(b'b') => (&text[..text.len() - 1], Owner::Black),
            _ => (text, self.usual_counter(rules)),
        };
        let numbers = numbers.split_once('/').and_then(|(made, limit)| {
            Some((made.parse::<u8>().ok()?, limit.parse::<u8>().ok().filter(|limit| *limit > 0)?))
        });
        let Some((made, limit)) = numbers else {
            return Err(fail(format!(
                "`{text}` is not a count; write the moves counted and the limit: `5/8`"
            )));
        };
        if self.has_pawns(rules) {
            return Err(fail("no count runs while a pawn is left; leave the field out".to_owned()));
        }
        if self.owned(Owner::Nature).any() {
            return Err(fail("no count runs while Nature has a piece; leave the field out".to_owned()));
        }
        let bare = Owner::REAL.iter().any(|&owner| self.is_bare(rules, owner));
        self.status.count = Some(Count { by, made, limit, boards: !bare });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{EndReason, Outcome};
    use crate::rules::{AnyRules, Registry};
    use std::sync::Arc;

    fn position(registry: &Registry, game: &str, fen: &str) -> Position<u64> {
        let Ok(AnyRules::Narrow(rules)) = registry.rules(game, &|_| None) else { panic!("{game}") };
        Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{game}: {fen}: {error}"))
    }

    /// The limit goes by the pieces of the stronger side, in the order of the article.
    #[test]
    fn limits_go_by_the_stronger_side() {
        for (pieces, field) in [
            ("RR", "4/8"),
            ("RS", "4/16"),
            ("SS", "4/22"),
            ("SNN", "5/32"),
            ("SN", "4/44"),
            ("NN", "4/32"),
            ("N", "3/64"),
            ("MMM", "5/64"),
            ("RNNSS", "7/16"),
        ] {
            let rank = format!("{pieces}{}", 8 - pieces.len());
            let fen = format!("4k3/8/8/8/8/8/{rank}/4K3 w - - 0 1");
            let position = position(Registry::built_in(), "makruk", &fen);
            assert_eq!(position.fen(), format!("{fen} {field}"), "{pieces}");
        }
    }

    /// Counts part positions, and are written so that they are read back.
    #[test]
    fn counts_belong_to_positions() {
        let registry = Registry::built_in();
        let of =
            |field: &str| position(registry, "makruk", &format!("4k3/8/r7/8/8/8/RN6/4K3 w - - 0 1{field}"));
        let all: Vec<Position<u64>> = ["", " 3/64", " 4/64", " 3/64w", " 3/60"].map(of).to_vec();
        for (index, one) in all.iter().enumerate() {
            assert_eq!(position(registry, "makruk", &one.fen()).identity(), one.identity());
            for other in &all[index + 1..] {
                assert!(one.key() != other.key() && one.identity() != other.identity(), "{}", other.fen());
            }
        }
        for wrong in ["4k3/8/8/8/8/8/P7/4K3 w - - 0 1 3/8", "4k3/8/8/8/8/8/R7/4K3 w - - 0 1 3/0"] {
            let AnyRules::Narrow(rules) = registry.rules("makruk", &|_| None).expect("makruk") else {
                panic!()
            };
            assert!(Position::from_fen(rules, wrong).is_err(), "{wrong}");
        }
    }

    /// CHA-24: a pawn that returns ends the count, so that the FEN is read back.
    #[test]
    fn a_pawn_that_returns_ends_the_count() {
        let registry = Registry::built_in();
        let fen = "4k3/8/8/8/8/1n6/R7/4K3[P] b - - 0 1 ~0";
        let mut position = position(registry, "chaos+makruk", fen);
        let made = |position: &Position<u64>| position.count().map(|count| count.made);
        let make = |position: &mut Position<u64>, to: &str| {
            let (plies, board) = (position.plies(), position.rules().board());
            let ply = plies.iter().find(|ply| board.name(ply.to) == to).expect(to);
            position.apply(ply);
            let again = Position::from_fen(Arc::clone(position.shared_rules()), &position.fen());
            assert_eq!(again.map(|again| again.identity()), Ok(position.identity()));
        };
        assert_eq!(position.call(Call::CountStart), Ok(()));
        make(&mut position, "d4");
        assert_eq!(made(&position), Some(1));
        make(&mut position, "c3");
        assert_eq!(made(&position), None);
    }

    /// By the other reading the side with fewer pieces counts without a call.
    #[test]
    fn counts_may_begin_by_themselves() {
        let file = "name = \"own\"\nextends = \"makruk\"\n[ends]\nboard-honour = \"auto\"\n";
        let registry = Registry::with_files([file]).expect("a right definition");
        let position = position(&registry, "own", "4k3/8/r7/8/8/8/RN6/4K3 w - - 0 1");
        assert_eq!(
            position.count().map(|count| (count.by, count.made, count.limit)),
            Some((Owner::Black, 0, 64))
        );
    }

    /// SHA-2: by the rule of Hejaz the answer does not matter.
    #[test]
    fn a_king_may_lose_as_soon_as_it_is_bare() {
        let file = "name = \"hejaz\"\nextends = \"shatranj\"\n[ends]\nbare-king = \"at-once\"\n";
        let registry = Registry::with_files([file]).expect("a right definition");
        let fen = "8/8/8/8/8/2k5/2R5/K7 b - - 0 1";
        assert_eq!(position(&registry, "shatranj", fen).shown_end(), None);
        assert_eq!(
            position(&registry, "hejaz", fen).shown_end(),
            Some((EndReason::BareKing, Outcome::WhiteWins))
        );
    }
}
