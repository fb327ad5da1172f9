//! Where a record starts: from the array or the tag `FEN`, on one board or two.

use super::codes;
use super::game::{Game, Judging, Replayer};
use super::report::Report;
use super::tags::fen_fault;
use super::two_boards::{fen_of, is_on_two_boards, second_start};
use crate::record::Record;
use ferz_core::board::{BoardName, Mask};
use ferz_core::position::{FenError, Position};
use std::sync::Arc;

/// Where a record starts.
pub(super) struct Starts<M> {
    /// The only position, or that on board A.
    pub first: Arc<Position<M>>,
    /// Why it is no position of a legal game, if illegal plies are let stand.
    pub unsettled: Option<FenError>,
    /// The position on board B, in a game on two.
    pub second: Option<Arc<Position<M>>>,
}

impl Replayer<'_> {
    /// The start position of a record.
    ///
    /// # Errors
    /// If the tag `FEN` is wrong: its fault, and the place in its value.
    pub fn start<M: Mask>(game: &Game<M>, record: &Record<'_>) -> Result<Position<M>, FenError> {
        Self::start_with_fen(game, record).map(|(start, _)| start)
    }

    /// The start position of a record, and its FEN.
    pub(crate) fn start_with_fen<M: Mask>(
        game: &Game<M>,
        record: &Record<'_>,
    ) -> Result<(Position<M>, Arc<str>), FenError> {
        let start = Self::start_in(game, record)?;
        let fen = match Arc::ptr_eq(&start, &game.start) {
            true => Arc::clone(&game.start_fen),
            false => start.fen().into(),
        };
        Ok((Position::clone(&start), fen))
    }

    pub(super) fn start_in<M: Mask>(
        game: &Game<M>,
        record: &Record<'_>,
    ) -> Result<Arc<Position<M>>, FenError> {
        match record.tag("FEN") {
            Some(fen) if is_on_two_boards(game, record) => {
                let first = fen_of(&fen, BoardName::A)?.0;
                Position::from_tag(Arc::clone(&game.rules), first).map(Arc::new)
            }
            Some(fen) => Position::from_tag(Arc::clone(&game.rules), &fen).map(Arc::new),
            None => Ok(Arc::clone(&game.start)),
        }
    }

    /// The start position. If illegal plies are let stand, the waiting player may be in check; then its fault as well.
    fn start_or_let_stand<M: Mask>(
        &self,
        game: &Game<M>,
        record: &Record<'_>,
    ) -> Result<(Arc<Position<M>>, Option<FenError>), FenError> {
        match (Self::start_in(game, record), record.tag("FEN")) {
            (Err(error), Some(fen)) if self.options.let_stand && !is_on_two_boards(game, record) => {
                Position::from_fen_let_stand(Arc::clone(&game.rules), &fen)
                    .map(|start| (Arc::new(start), Some(error)))
            }
            (start, _) => start.map(|start| (start, None)),
        }
    }

    /// Where a record starts, or the report that says why that is unknown.
    pub(super) fn starts<M: Mask>(&self, game: &Game<M>, of: Judging<'_>) -> Result<Starts<M>, Box<Report>> {
        let record = of.record;
        let unread = |error: FenError, how: &str| {
            let span = fen_fault(record, &error);
            Box::new(self.unjudged(of, codes::J_POSITION, span, format!("{error}{how}")))
        };
        let (first, unsettled) = self.start_or_let_stand(game, record).map_err(|error| {
            let fen = record.tag("FEN").unwrap_or_default();
            let can_stand = Position::from_fen_let_stand(Arc::clone(&game.rules), &fen).is_ok();
            let how = if can_stand { "; use --let-stand if an illegal ply led to it" } else { "" };
            unread(error, how)
        })?;
        let second = second_start(game, record).map_err(|error| unread(error, ""))?;
        Ok(Starts { first, unsettled, second })
    }
}
