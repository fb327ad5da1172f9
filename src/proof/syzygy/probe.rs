//! What files say of a position: the stored value, corrected by what captures lead to.
//!
//! Where a capture is the best ply, files may store any value that packs well, and they know no en passant capture. So
//! the value of a position is the best of the stored one and those after each capture. Distances are stored with one
//! side to move alone, and not where a capture or a pawn move wins.

use super::file::Kind;
use super::{FileId, Syzygy, SyzygyError, Wdl, in_chess, men_of};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use std::collections::BTreeSet;

/// What files say of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// The value for the side to move, with the counter of fifty moves at zero.
    pub wdl: Wdl,
    /// The plies of a best game to the next capture, pawn move or mate, negative if the side to move loses; 0 in a
    /// drawn position. It may be one less than is needed, because files round some distances.
    pub dtz: i32,
    /// The files that it rests on, in order of their names.
    pub files: Vec<FileId>,
}

/// How a value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Best {
    /// It is stored.
    Stored,
    /// A capture or a pawn move leads to it.
    Zeroing,
}

/// A question, with the files that were used for it.
struct Question<'s> {
    syzygy: &'s Syzygy,
    used: BTreeSet<FileId>,
}

impl Syzygy {
    /// The value of a position and the distance to its next capture or pawn move.
    ///
    /// # Errors
    /// If the position is none of chess of at most seven men without castling rights, or a file that it needs is
    /// missing or damaged.
    pub fn probe(&self, position: &Position<u64>) -> Result<Probed, SyzygyError> {
        let mut position = in_chess(position)?;
        men_of(&position)?;
        let mut question = Question { syzygy: self, used: BTreeSet::new() };
        let (wdl, best) = question.best(&mut position, true)?;
        let dtz = question.distance(&mut position, wdl, best)?;
        Ok(Probed { wdl, dtz, files: question.used.into_iter().collect() })
    }
}

impl Question<'_> {
    /// The stored value.
    fn stored(&mut self, position: &Position<u64>) -> Result<Wdl, SyzygyError> {
        if position.occupied().count() == 2 {
            return Ok(Wdl::Draw);
        }
        let (men, placed) = men_of(position)?;
        let file = self.syzygy.file(&men, Kind::Wdl)?;
        self.used.insert(file.id());
        file.wdl(&men, &placed, position.turn() == Owner::Black)
    }

    /// The best of the stored value and those after captures; after pawn moves too, if they are asked for.
    fn best(
        &mut self,
        position: &mut Position<u64>,
        with_pawn_moves: bool,
    ) -> Result<(Wdl, Best), SyzygyError> {
        let (plies, men) = (position.plies(), position.occupied().count());
        let (mut best, mut looked_at) = (None, 0);
        for ply in &plies {
            let undo = position.apply_undoable(ply);
            let is_capture = position.occupied().count() < men;
            let value = if is_capture || with_pawn_moves && position.status().halfmoves == 0 {
                looked_at += 1;
                self.best(position, false).map(|(value, _)| Some(value.reversed()))
            } else {
                Ok(None)
            };
            position.undo(&undo);
            let value = value?;
            best = best.max(value);
            if best == Some(Wdl::Win) {
                return Ok((Wdl::Win, Best::Zeroing));
            }
        }
        // Nothing is stored of a position whose plies are all captures, such as the only one en passant.
        if let Some(best) = best.filter(|_| looked_at == plies.len()) {
            return Ok((best, Best::Zeroing));
        }
        let stored = self.stored(position)?;
        Ok(match best.filter(|best| *best >= stored) {
            Some(best) if best > Wdl::Draw => (best, Best::Zeroing),
            Some(best) => (best, Best::Stored),
            None => (stored, Best::Stored),
        })
    }

    /// The distance of a position with this value.
    fn distance(&mut self, position: &mut Position<u64>, wdl: Wdl, best: Best) -> Result<i32, SyzygyError> {
        if wdl == Wdl::Draw {
            return Ok(0);
        }
        if best == Best::Zeroing {
            return Ok(before_zeroing(wdl));
        }
        let (men, placed) = men_of(position)?;
        let file = self.syzygy.file(&men, Kind::Dtz)?;
        self.used.insert(file.id());
        if let Some(stored) = file.dtz(&men, &placed, position.turn() == Owner::Black, wdl)? {
            let beyond = if wdl.is_beyond_fifty() { 100 } else { 0 };
            return Ok((stored + beyond) * wdl.sign());
        }
        self.distance_by_plies(position, wdl)
    }

    /// The distance by those after each ply, where the file has none with this side to move.
    fn distance_by_plies(&mut self, position: &mut Position<u64>, wdl: Wdl) -> Result<i32, SyzygyError> {
        let mut least: Option<i32> = None;
        for ply in position.plies() {
            let undo = position.apply_undoable(&ply);
            let after = self.after(position);
            position.undo(&undo);
            let distance = after?;
            if distance.signum() == wdl.sign() && least.is_none_or(|least| distance < least) {
                least = Some(distance);
            }
        }
        // Without plies it is mate.
        Ok(least.unwrap_or(-1))
    }

    /// The distance before a ply that led to a position, for the side that made it.
    fn after(&mut self, position: &mut Position<u64>) -> Result<i32, SyzygyError> {
        let is_mate = position.in_check() && position.count_plies() == 0;
        if is_mate {
            return Ok(1);
        }
        if position.status().halfmoves == 0 {
            let (wdl, _) = self.best(position, false)?;
            return Ok(before_zeroing(wdl.reversed()));
        }
        let (wdl, best) = self.best(position, true)?;
        let distance = -self.distance(position, wdl, best)?;
        Ok(distance + distance.signum())
    }
}

/// The distance before a capture or a pawn move that leads to a value.
fn before_zeroing(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 1,
        Wdl::CursedWin => 101,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -101,
        Wdl::Loss => -1,
    }
}
