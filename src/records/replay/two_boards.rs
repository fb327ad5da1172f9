//! Games on two boards: which records are, where each board starts, and the plies of both.

use super::game::{AnyGame, Game, Judging, Replayer};
use super::line::BETWEEN_BOARDS;
use super::report::{Report, Source};
use super::trace::{AnyTrace, MainLine, Traced, trace_within};
use crate::record::{ItemKind, MoveNumber, Record, Seat};
use ferz_core::board::{BoardName, Mask, by_width};
use ferz_core::position::{Call, FenError, Position};
use ferz_core::text::{Budget, Exhausted, Span};
use std::sync::Arc;

/// What to say where a game on two boards has no place.
pub const WORKS_ON_ONE: &str =
    "the game is on two boards, and this works on one; `ferz boards` makes a record of each";

/// True if a record of this game has the plies of both boards. A game on two boards may also be kept as a record for
/// each, in which `[%receive n]` says what comes from the other.
pub fn is_on_two_boards<M: Mask>(game: &Game<M>, record: &Record<'_>) -> bool {
    game.rules.captures_to_partner() && record.is_of_two_boards()
}

/// The FEN of one board in a tag `FEN` for two, `A | B`, and where it begins there.
///
/// # Errors
/// If there is only one.
pub(super) fn fen_of(fen: &str, board: BoardName) -> Result<(&str, usize), FenError> {
    let Some((first, second)) = fen.split_once(BETWEEN_BOARDS.trim()) else {
        let message =
            "the game is on two boards: write the positions of both, board A first, with ` | ` between";
        return Err(FenError { field: "placement", span: Span::new(0, fen.len()), message: message.into() });
    };
    Ok(match board {
        BoardName::A => (first.trim_end(), 0),
        BoardName::B => (second.trim(), fen.len() - second.trim_start().len()),
    })
}

/// The start on the second board; `None` in a game on one.
///
/// # Errors
/// If the tag `FEN` is wrong there: its fault, and the place in its value.
pub(super) fn second_start<M: Mask>(
    game: &Game<M>,
    record: &Record<'_>,
) -> Result<Option<Arc<Position<M>>>, FenError> {
    if !is_on_two_boards(game, record) {
        return Ok(None);
    }
    let Some(fen) = record.tag("FEN") else { return Ok(Some(Arc::clone(&game.start))) };
    let (fen, before) = fen_of(&fen, BoardName::B)?;
    let start = Position::from_tag(Arc::clone(&game.rules), fen)
        .map_err(|error| FenError { span: error.span.shifted(before), ..error })?;
    Ok(Some(Arc::new(start)))
}

/// The FEN that a record starts from, of both boards in a game on two.
///
/// # Errors
/// If the tag `FEN` is wrong.
pub(crate) fn starts_as_text<M: Mask>(game: &Game<M>, record: &Record<'_>) -> Result<String, FenError> {
    let first = Replayer::start_in(game, record)?.fen();
    Ok(match second_start(game, record)? {
        Some(second) => [first, second.fen()].join(BETWEEN_BOARDS),
        None => first,
    })
}

/// A ply of a game on two boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfTwo {
    /// The board that it is made on.
    pub board: BoardName,
    /// The ply.
    pub traced: Traced,
}

impl OfTwo {
    /// The player who makes it.
    pub fn seat(&self) -> Seat {
        Seat::of(self.board, self.traced.ply.actor)
    }
}

/// The replayed part of a game on two boards: the plies in the order of the record.
#[derive(Debug, Clone)]
pub struct OnTwo<M> {
    /// The report on the record.
    pub report: Report,
    /// The position that each board starts from.
    pub starts: [Position<M>; 2],
    /// The plies of both boards; as many as `report.plies`.
    pub plies: Vec<OfTwo>,
    /// After plies from this one on a waiting player may be in check, because one before it was let stand.
    settles_from: usize,
    /// The record's item from which on each board is not judged, and gets no piece.
    ends: [usize; 2],
}

/// A game on two small or two large boards.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // there is one of them at a time
pub enum AnyOnTwo {
    /// Up to 64 squares each.
    Narrow(OnTwo<u64>),
    /// Up to 128 squares each.
    Wide(OnTwo<u128>),
}

impl AnyOnTwo {
    /// The report on the record.
    pub fn report(&self) -> &Report {
        by_width!(AnyOnTwo, self, |game| &game.report)
    }
}

impl<M: Mask> OnTwo<M> {
    /// The positions of both boards after so many plies of the record; after all of them if there are fewer.
    pub fn positions(&self, plies: usize) -> [Position<M>; 2] {
        let mut positions = self.starts.clone();
        (0..plies.min(self.plies.len())).for_each(|index| _ = self.make(index, &mut positions));
        positions
    }

    /// Makes the ply with this index, and hands over what it captures, unless the other board is not judged any more:
    /// the piece, if there is one, by the letter that [`Call::Receive`] has.
    pub fn make(&self, index: usize, positions: &mut [Position<M>; 2]) -> Option<char> {
        let OfTwo { board, traced } = self.plies.get(index)?;
        let position = &mut positions[*board as usize];
        let undo = match traced.let_stand {
            true => position.apply_let_stand(&traced.ply),
            false => position.apply_undoable(&traced.ply),
        };
        if index >= self.settles_from && !traced.let_stand {
            position.settle();
        }
        let letter = position.handed_over(&undo)?;
        if traced.item > self.ends[board.other() as usize] {
            return None;
        }
        // The rules that hand it over receive it.
        let _ = positions[board.other() as usize].call(Call::Receive(letter));
        Some(letter)
    }

    /// The FENs of two positions, with ` | ` between.
    pub fn fens(positions: &[Position<M>; 2]) -> String {
        positions.each_ref().map(Position::fen).join(BETWEEN_BOARDS)
    }

    /// The last ply on a board among the first so many of the record.
    pub fn last_on(&self, board: BoardName, plies: usize) -> Option<&Traced> {
        let made = &self.plies[..plies.min(self.plies.len())];
        made.iter().rev().find(|ply| ply.board == board).map(|ply| &ply.traced)
    }
}

/// Replays a game on two boards and keeps its plies; `None` for every other record.
///
/// ```
/// use ferz_core::board::BoardName;
/// use ferz_core::rules::Registry;
/// use ferz_core::text::Budget;
/// use ferz_records::record::read;
/// use ferz_records::replay::{AnyOnTwo, OnTwo, Options, Replayer, Source, trace_on_two};
///
/// let text = b"1A. e4 1a. d5 2A. exd5 1B. d4 1b. P@e4 *"; // what A captures, B drops
/// let record = read(text, 0).next().ok_or("no record")?;
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// let game = Budget::endless(|budget| {
///     trace_on_two(&mut replayer, &record, &Source::new(text, 0, 0), 0, budget)
/// });
/// let Some(AnyOnTwo::Narrow(game)) = game else { return Err("not on two boards") };
/// assert_eq!((game.plies.len(), game.plies[4].board), (5, BoardName::B));
/// assert!(OnTwo::fens(&game.positions(3)).contains("[p] w KQkq"));
/// # Ok::<(), &str>(())
/// ```
///
/// # Errors
/// If the budget ends before the work.
pub fn trace_on_two(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
    budget: &Budget,
) -> Result<Option<AnyOnTwo>, Exhausted> {
    let of = Judging { record, source, number, budget };
    Ok(match replayer.game_or_report(of) {
        Ok(AnyGame::Narrow(game)) => traced_on_two(replayer, &game, of)?.map(AnyOnTwo::Narrow),
        Ok(AnyGame::Wide(game)) => traced_on_two(replayer, &game, of)?.map(AnyOnTwo::Wide),
        Err(_) => None,
    })
}

fn traced_on_two<M: Mask>(
    replayer: &Replayer<'_>,
    game: &Game<M>,
    of: Judging<'_>,
) -> Result<Option<OnTwo<M>>, Exhausted> {
    let record = of.record;
    let (Ok(first), Ok(Some(second))) = (Replayer::start_in(game, record), second_start(game, record)) else {
        return Ok(None);
    };
    let mut main_line = MainLine::of(record);
    let report = replayer.judge_in(game, of, &mut main_line)?;
    let boards = boards_of_items(record);
    let of_two = |traced: Traced| OfTwo { board: boards[traced.item], traced };
    let plies: Vec<OfTwo> = main_line.plies.into_iter().map(of_two).collect();
    let let_stand = plies.iter().position(|ply| ply.traced.let_stand);
    let settles_from = let_stand.map_or(plies.len(), |ply| ply + 1);
    let starts = [first, second].map(|start| Position::clone(&start));
    let mut ends = [usize::MAX; 2];
    let mut next = plies.iter().map(|ply| ply.traced.item).peekable();
    for (item, _) in record.main_moves() {
        if next.next_if_eq(&item).is_none() {
            let end = &mut ends[boards[item] as usize];
            *end = item.min(*end);
        }
    }
    Ok(Some(OnTwo { report, starts, plies, settles_from, ends }))
}

/// A replayed game, on one board or on two.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // there is one of them at a time
pub enum Played {
    /// On one board.
    OnOne(AnyTrace),
    /// On two boards.
    OnTwo(AnyOnTwo),
}

impl Played {
    /// Replays a record and keeps its plies.
    ///
    /// # Errors
    /// The report on a record that cannot be judged; or that the budget ends before the work.
    pub fn within(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<Result<Played, Box<Report>>, Exhausted> {
        let game = match record.is_of_two_boards() {
            true => trace_on_two(replayer, record, source, number, budget)?,
            false => None,
        };
        Ok(match game {
            Some(game) => Ok(Played::OnTwo(game)),
            None => trace_within(replayer, record, source, number, budget)?.map(Played::OnOne),
        })
    }

    /// The report on the record.
    pub fn report(&self) -> &Report {
        match self {
            Played::OnOne(trace) => trace.report(),
            Played::OnTwo(game) => game.report(),
        }
    }
}

/// The board of each item of the main line: that of the last number before it which names one, or A.
pub(crate) fn boards_of_items(record: &Record<'_>) -> Vec<BoardName> {
    let mut boards = vec![BoardName::A; record.items.len()];
    let mut board = BoardName::A;
    for (index, item) in record.main_line().items() {
        if let ItemKind::MoveNumber(MoveNumber { seat: Some(seat), .. }) = item.kind {
            board = seat.board();
        }
        boards[index] = board;
    }
    boards
}
