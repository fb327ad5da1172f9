//! Start positions that no game leads to, as far as the numbers of pieces and the squares of pawns show it.

use super::Position;
use crate::board::{Mask, Owner};
use crate::rules::{KindId, Rules};

impl<M: Mask> Position<M> {
    /// Why no series of plies leads from the array to this position (COM-10): a player has more pawns than at the
    /// start, more other pieces than missing pawns can have become, or a pawn where none comes.
    ///
    /// `None` does not prove that one does. Nothing is said of games in which captured pieces come back, a third player
    /// brings pieces, pieces change otherwise than by promotion, or the record chooses the array.
    pub fn cannot_arise(&self) -> Option<String> {
        let rules = &*self.rules;
        if !only_promotes(rules) {
            return None;
        }
        Owner::REAL.into_iter().find_map(|owner| self.too_many(owner).or_else(|| self.stray_pawn(owner)))
    }

    /// The kinds of pieces with their numbers on the board and in reserve, and in the array and the first reserve.
    fn numbers(&self, owner: Owner) -> impl Iterator<Item = (KindId, u32, u32)> {
        let rules = &*self.rules;
        (0..rules.kinds.len()).map(move |index| {
            let kind = KindId(index as u8);
            let now = self.pieces(owner, kind).count() + u32::from(self.reserve(owner)[index]);
            let first = rules.array_squares[owner][index].count() + u32::from(rules.reserve[index]);
            (kind, now, first)
        })
    }

    fn too_many(&self, owner: Owner) -> Option<String> {
        let rules = &*self.rules;
        let (mut pawns, mut first_pawns, mut more) = (0, 0, 0);
        for (kind, now, first) in self.numbers(owner) {
            if rules.pawns.has(kind) {
                pawns += now;
                first_pawns += first;
            } else {
                more += now.saturating_sub(first);
            }
        }
        let name = owner.name();
        if pawns > first_pawns {
            return Some(format!("{name} has {pawns} pawns, and began with {first_pawns}"));
        }
        let missing = first_pawns - pawns;
        let pieces = if more == 1 { "1 piece".to_owned() } else { format!("{more} pieces") };
        let pawns = match missing {
            0 => "no pawn is missing".to_owned(),
            1 => "only 1 pawn is missing".to_owned(),
            _ => format!("only {missing} pawns are missing"),
        };
        (more > missing).then(|| format!("{name} has {pieces} more than at the start, and {pawns}"))
    }

    /// A pawn that stands where none comes from the squares of the array.
    fn stray_pawn(&self, owner: Owner) -> Option<String> {
        let rules = &*self.rules;
        rules.pawns.kinds().find_map(|pawn| {
            let moves = &rules.moves[owner];
            let enters = rules.reserve[pawn.index()] > 0 || moves.is_complex(pawn);
            if enters {
                return None;
            }
            let mut reached = rules.array_squares[owner][pawn.index()];
            let mut new = reached;
            while new.any() {
                let next =
                    new.squares().fold(M::EMPTY, |next, from| next | moves.all_targets(pawn.index(), from));
                new = next & !reached;
                reached |= new;
            }
            let stray = (self.pieces(owner, pawn) & !reached).squares().next()?;
            let square = rules.square_name(stray);
            Some(format!("no pawn of {} comes to {square}", owner.name()))
        })
    }
}

/// True for games in which the pieces of a player become fewer, and change by promotion alone.
fn only_promotes<M: Mask>(rules: &Rules<M>) -> bool {
    rules.restarts_are_final
        && !rules.definition.setup.from_record
        && rules.special.switch.is_none()
        && rules.special.other_promotion.is_none()
}
