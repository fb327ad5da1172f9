//! Endgame tables as evidence: tables of our own, which the checker makes again, and files that others have made.

use super::and_or::History;
use super::claim::ClaimKind;
use super::table::{Effort, MEN_MAX, MadeTable, Settled, men, narrow};
use crate::syzygy::{self, FileId, Probed, SyzygyError, Wdl};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use ferz_core::rules::Piece;
use serde::{Deserialize, Serialize};

/// What a position is worth by an endgame table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TableProof {
    /// By a table that is made from the rules.
    Made(MadeTable),
    /// By files of others.
    Files(FilesTable),
}

/// What a position is worth by Syzygy files. The files are a premise: who checks this needs the same ones, and trusts
/// the program that made them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesTable {
    /// The value for the side to move, with the counter of fifty moves at zero.
    pub wdl: Wdl,
    /// The plies to the next capture or pawn move, negative for the side that loses; files may round it down by one.
    pub dtz: i32,
    /// The files that say so.
    pub files: Vec<FileId>,
}

impl TableProof {
    /// The moves of the winner, if the table counts them.
    pub fn moves(&self) -> Option<u8> {
        match self {
            TableProof::Made(table) => table.moves,
            TableProof::Files(_) => None,
        }
    }

    /// The files that it rests on.
    pub fn files(&self) -> &[FileId] {
        match self {
            TableProof::Made(_) => &[],
            TableProof::Files(table) => &table.files,
        }
    }

    /// True if a table may decide a position of a plan: its men are others than those at the start, so that no position
    /// of the game before can recur.
    pub fn may_close<M: Mask>(start: &Position<M>, position: &Position<M>) -> bool {
        men(start) != men(position)
    }

    /// What the table of a position within a plan shows of a claim of a forced result by a player: that it is true
    /// there, or false. `None` if no table exists, the men are those at the start, or it decides nothing.
    pub fn closing<M: Mask>(
        position: &Position<M>,
        at_start: &[Piece],
        (kind, by): (ClaimKind, Owner),
        effort: Effort<'_>,
    ) -> Option<(TableProof, bool)> {
        let count = position.occupied().count() as usize;
        if count > syzygy::MEN_MAX || men(position) == at_start {
            return None;
        }
        // What occurred with other men cannot recur.
        let shows = |table: TableProof| {
            let shown = table.decides(position, &History::of(position), (kind, by, None)).ok()?;
            Some((table, shown))
        };
        let made = || if count > MEN_MAX { None } else { MadeTable::made(position, effort).ok() };
        let by_files = || TableProof::by_files(position, effort)?.ok();
        made().map(TableProof::Made).and_then(shows).or_else(|| by_files().and_then(shows))
    }

    /// What files say of a position; `None` if there are none, or they are of other games.
    pub fn by_files<M: Mask>(
        position: &Position<M>,
        effort: Effort<'_>,
    ) -> Option<Result<TableProof, SyzygyError>> {
        let files = effort.files?;
        let probed = match files.probe(narrow(position).ok()?) {
            Err(SyzygyError::NotCovered(_)) => return None,
            probed => probed,
        };
        Some(probed.map(|Probed { wdl, dtz, files }| TableProof::Files(FilesTable { wdl, dtz, files })))
    }

    /// Checks the value of the position of a claim: makes the table again, or asks the files. True if the claim is
    /// true, and false if it is not.
    pub(super) fn check<M: Mask>(
        &self,
        start: &Position<M>,
        history: &History,
        claim: (ClaimKind, Owner, Option<u32>),
        effort: Effort<'_>,
    ) -> Result<bool, String> {
        if let TableProof::Made(table) = self {
            return table.check(start, history, claim, effort);
        }
        let decided = self.decides(start, history, claim)?;
        match TableProof::by_files(start, effort) {
            None => Err("there are no files of tables that have the position".to_owned()),
            Some(Err(error)) => Err(error.to_string()),
            Some(Ok(found)) if found == *self => Ok(decided),
            Some(Ok(_)) => Err("the files at hand are others, or say something else".to_owned()),
        }
    }

    /// What the value decides about a claim of a forced result.
    ///
    /// # Errors
    /// If it decides nothing.
    pub fn decides<M: Mask>(
        &self,
        start: &Position<M>,
        history: &History,
        claim: (ClaimKind, Owner, Option<u32>),
    ) -> Result<bool, String> {
        match self {
            TableProof::Made(table) => table.decides(start, history, claim),
            TableProof::Files(table) => table.settled(start).decides(start, history, claim),
        }
    }
}

impl FilesTable {
    /// Who wins, by the rules about fifty moves that hold in the position.
    fn settled<M: Mask>(&self, start: &Position<M>) -> Settled {
        let FilesTable { wdl, dtz, .. } = self;
        let is_counted = start.rules().ends.claimed_at().is_some();
        let winner = match wdl.sign() {
            _ if wdl.is_beyond_fifty() && is_counted => None,
            0 => None,
            1 => Some(start.turn()),
            _ => Some(start.turn().opponent()),
        };
        // That a win comes in time is part of its value if the counter is at zero. Otherwise the distance decides, and
        // one ply more than the files say.
        let at_zero = start.status().halfmoves == 0;
        let plies = if at_zero { 0 } else { u64::from(dtz.unsigned_abs()) + 1 };
        Settled { winner, plies, moves: None }
    }
}
