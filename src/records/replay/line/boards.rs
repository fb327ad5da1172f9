//! A line of a game on two boards: the record goes from one to the other, and each has a position and a history.

use super::{BETWEEN_BOARDS, LineJudge, LineOutcome, Observer};
use crate::record::{Item, ItemKind, Line, MoveNumber, Seat};
use crate::replay::codes;
use crate::replay::report::Illegal;
use ferz_core::board::{BoardName, Mask, Owner};
use ferz_core::judge::{End, Judge, Lent};
use ferz_core::notation::CheckMark;
use ferz_core::position::{Call, Ply, Position, Reason, Undo};
use ferz_core::text::{Exhausted, Severity};
use std::mem::{swap, take};

/// Two boards: the one that the line is at, and what it keeps of the other.
pub(super) struct Boards<M> {
    at: BoardName,
    begun_at: BoardName,
    other: OtherBoard<M>,
    /// The record's item of the last ply here.
    last_move: Option<usize>,
    /// No further ply is judged here, though none is illegal.
    stopped: bool,
    /// The code for a letter of the wrong player has been reported.
    seat_is_reported: bool,
}

/// What a line keeps of the board that it is not at: the fields of [`LineJudge`] with these names.
struct OtherBoard<M> {
    position: Position<M>,
    judge: Judge<M>,
    illegal: Option<Box<Illegal>>,
    let_stand: Vec<Illegal>,
    last: Option<Undo<M>>,
    last_ply: Option<Ply>,
    last_mark: CheckMark,
    unsettled: bool,
    numbers_before: u32,
    last_move: Option<usize>,
    stopped: bool,
}

impl<M: Mask> OtherBoard<M> {
    fn new(position: Position<M>, judge: Judge<M>) -> OtherBoard<M> {
        OtherBoard {
            position,
            judge,
            illegal: None,
            let_stand: Vec::new(),
            last: None,
            last_ply: None,
            last_mark: CheckMark::None,
            unsettled: false,
            numbers_before: 0,
            last_move: None,
            stopped: false,
        }
    }

    fn is_judged(&self) -> bool {
        self.illegal.is_none() && !self.stopped
    }
}

/// The board that a variation begins at, and the position and the judge of the other one.
pub(super) type Lending<M> = (BoardName, Position<M>, Judge<M>);

/// The outcome on one board of a line on two.
pub(in crate::replay) struct BoardOutcome {
    pub board: BoardName,
    pub plies: usize,
    /// The end with the result of the sides.
    pub end: Option<End>,
    pub final_fen: String,
    pub illegal: Option<Box<Illegal>>,
    pub let_stand: Vec<Illegal>,
    /// The record's item of its last ply.
    pub last_move: Option<usize>,
}

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// Makes the line one on two boards, which stands at the board `at`; position and judge are those of the other.
    pub(in crate::replay) fn add_board(&mut self, at: BoardName, position: Position<M>, judge: Judge<M>) {
        let other = OtherBoard::new(position, judge);
        self.boards = Some(Box::new(Boards {
            at,
            begun_at: at,
            other,
            last_move: None,
            stopped: false,
            seat_is_reported: false,
        }));
        self.keep_last();
    }

    /// The board that the line is at, in a game on two.
    pub(super) fn board(&self) -> Option<BoardName> {
        self.boards.as_ref().map(|boards| boards.at)
    }

    /// [`LineJudge::run`] on two boards: an illegal ply ends one board, not the other.
    #[cold]
    pub(super) fn run_on_two(&mut self, line: Line<'_, '_>) -> Result<(), Exhausted> {
        let mut variation = 0;
        for (count, (index, item)) in line.items().enumerate() {
            if count % super::ITEMS_AT_ONCE == 0 {
                self.look_at_budget(line, index)?;
            }
            match item.kind {
                ItemKind::Move => {
                    variation = 0;
                    self.ply_on_two(index, item)?;
                }
                ItemKind::MoveNumber(number) => {
                    if let Some(seat) = number.seat {
                        self.go_to(seat.board());
                    }
                    if self.is_judged() {
                        self.check_number(index, item, &number);
                        self.check_seat(*item, number);
                    }
                }
                ItemKind::VariationStart { .. } => {
                    if let Some(line) = self.record.variation(index).filter(|_| self.is_judged()) {
                        self.variation(*item, line, variation)?;
                    }
                    variation += 1;
                }
                ItemKind::Comment(kind) if self.is_judged() && self.looks_into(kind) => {
                    self.comment(line, index, *item, kind);
                }
                _ => {}
            }
        }
        for _ in BoardName::ALL {
            self.judge.conclude(&self.position);
            self.check_last_mark(line);
            self.go_to(self.other_board());
        }
        self.check_blanks(line);
        self.check_plies_after_the_end(line);
        Ok(())
    }

    fn is_judged(&self) -> bool {
        self.illegal.is_none() && self.boards.as_ref().is_none_or(|boards| !boards.stopped)
    }

    fn other_board(&self) -> BoardName {
        self.board().map_or(BoardName::A, BoardName::other)
    }

    /// Replays one ply on the board that the line is at, and hands over what it captures.
    fn ply_on_two(&mut self, index: usize, item: &Item) -> Result<(), Exhausted> {
        if !self.is_judged() {
            return Ok(());
        }
        if !self.ply_in_full(index, item, false) {
            return self.variations_of_illegal(index);
        }
        let letter = self.last.as_ref().and_then(|undo| self.position.handed_over(undo));
        if let Some(boards) = self.boards.as_mut() {
            boards.last_move = Some(index);
            // A board that is judged no further keeps the position in which it ended.
            if let Some(letter) = letter.filter(|_| boards.other.is_judged()) {
                let OtherBoard { position, judge, .. } = &mut boards.other;
                // The rules that hand it over receive it.
                let _ = judge.call(position, Call::Receive(letter));
            }
        }
        Ok(())
    }

    /// Ends this board, and says nothing against the ply, if it lacks a piece that plies of the other board may have
    /// sent, which are not judged there (BUG-3). True if so.
    pub(super) fn stops_for_unjudged(&mut self, item: Item, reason: Reason) -> bool {
        let waits = |boards: &&mut Box<Boards<M>>| reason == Reason::NotInHand && !boards.other.is_judged();
        let Some(boards) = self.boards.as_mut().filter(waits) else { return false };
        boards.stopped = true;
        let message = format!(
            "board {} is judged up to here: the dropped piece may come from board {}, of which the last plies are not \
             judged",
            boards.at,
            boards.at.other()
        );
        self.say(codes::J_BOARD_STOPS, Severity::Warning, item, message);
        self.assign_last_to(self.judge.plies() + 1);
        true
    }

    /// Goes to a board of two.
    fn go_to(&mut self, board: BoardName) {
        let Some(boards) = self.boards.as_mut().filter(|boards| boards.at != board) else { return };
        let Boards { at, other, last_move, stopped, .. } = &mut **boards;
        *at = board;
        swap(last_move, &mut other.last_move);
        swap(stopped, &mut other.stopped);
        swap(&mut self.position, &mut other.position);
        swap(&mut self.judge, &mut other.judge);
        swap(&mut self.illegal, &mut other.illegal);
        swap(&mut self.let_stand, &mut other.let_stand);
        swap(&mut self.last, &mut other.last);
        swap(&mut self.last_ply, &mut other.last_ply);
        swap(&mut self.last_mark, &mut other.last_mark);
        swap(&mut self.unsettled, &mut other.unsettled);
        swap(&mut self.numbers_before, &mut other.numbers_before);
    }

    /// Reports a number whose letter is that of the other player on its board.
    fn check_seat(&mut self, item: Item, number: MoveNumber) {
        let turn = self.position.turn();
        let (Some(boards), Some(seat)) = (self.boards.as_mut(), number.seat) else { return };
        if seat.player() == turn || boards.seat_is_reported {
            return;
        }
        boards.seat_is_reported = true;
        let spelling = format!("{}{}.", self.next_number(), Seat::of(seat.board(), turn).letter());
        let message = format!(
            "{}'s number before {}'s move on board {}; write `{spelling}`",
            seat.player().name(),
            turn.name(),
            seat.board()
        );
        self.say_spelling(codes::N_NUMBER_SEAT, Severity::Warning, item, &message, Some(&spelling));
        self.assign_last_to(self.judge.plies() + 1);
    }

    /// Reports the first number with the letter of a board in a game on one.
    pub(super) fn check_no_seats(&mut self, line: Line<'_, '_>) {
        if !self.record.has_seats() || !self.path.is_empty() {
            return;
        }
        let mut ply = 1;
        for (_, &item) in line.items() {
            match item.kind {
                ItemKind::Move => ply += 1,
                ItemKind::MoveNumber(MoveNumber { seat: Some(seat), value, .. }) => {
                    let dots = if seat.player() == Owner::Black { "..." } else { "." };
                    let spelling = format!("{value}{dots}");
                    let message = format!(
                        "the letter `{}` after the number names a board, but {} is played on one; write `{spelling}`",
                        seat.letter(),
                        self.game.name
                    );
                    self.say_spelling(
                        codes::N_NUMBER_SEAT,
                        Severity::Warning,
                        item,
                        &message,
                        Some(&spelling),
                    );
                    return self.assign_last_to(ply);
                }
                _ => {}
            }
        }
    }

    /// The last ply of the board that the line is at.
    pub(super) fn last_move(&self, line: Line<'_, '_>) -> Option<Item> {
        match &self.boards {
            Some(boards) => boards.last_move.map(|index| self.record.items[index]),
            None => {
                line.items().filter(|(_, item)| item.kind == ItemKind::Move).last().map(|(_, item)| *item)
            }
        }
    }

    /// Reports plies of one board that the record has after the end on the other (BUG 6). They may have been made at
    /// the same time, so none of them is illegal.
    fn check_plies_after_the_end(&mut self, line: Line<'_, '_>) {
        for board in [BoardName::B, BoardName::A] {
            self.go_to(board);
            let Some(end) = self.judge.end() else { continue };
            let last = self.boards.as_ref().and_then(|boards| {
                boards.last_move.filter(|last| boards.other.last_move.is_some_and(|other| other > *last))
            });
            let Some(last) = last else { continue };
            let late = line.items().find(|(index, item)| *index > last && item.kind == ItemKind::Move);
            let Some((_, &item)) = late else { continue };
            let message = format!(
                "board {board} ended the game by {} after its ply {}; plies of board {} follow in the record (BUG 6)",
                end.reason,
                end.ply,
                board.other()
            );
            self.go_to(board.other());
            self.say(codes::J_AFTER_END, Severity::Warning, item, message);
            return;
        }
    }

    /// The other board where a variation of the ply `replaced` begins, the board of that ply, and what this line keeps
    /// meanwhile: the ply has not sent what it captured. That it did stays among the calls that the judge is lent,
    /// where only a repetition would look.
    pub(super) fn lend_other(&mut self, replaced: usize) -> Option<(Lending<M>, Lent<M>)> {
        let made = self.last.as_ref().filter(|_| replaced == self.judge.plies());
        let letter = made.and_then(|undo| self.position.handed_over(undo));
        let boards = self.boards.as_mut()?;
        let mut position = boards.other.position.clone();
        if let Some(letter) = letter {
            position.send_back(letter);
        }
        let (judge, lent) = boards.other.judge.lend(boards.other.judge.plies());
        Some(((boards.at, position, judge), lent))
    }

    /// Continues the other board after the variation that [`lend_other`](Self::lend_other) was for.
    pub(super) fn rejoin_other(&mut self, judge: Judge<M>, lent: Lent<M>) {
        if let Some(boards) = self.boards.as_mut() {
            boards.other.judge.rejoin(judge, lent);
        }
    }

    /// The outcome on both boards, in their order. The line is where it began, afterwards.
    pub(super) fn outcomes(&mut self) -> Option<Box<[BoardOutcome; 2]>> {
        let begun_at = self.boards.as_ref()?.begun_at;
        let outcomes = BoardName::ALL.map(|board| {
            self.go_to(board);
            BoardOutcome {
                board,
                plies: self.judge.plies(),
                end: self.judge.end().map(|end| end.on(board)),
                final_fen: self.position.fen(),
                illegal: self.illegal.take(),
                let_stand: take(&mut self.let_stand),
                last_move: self.boards.as_ref().and_then(|boards| boards.last_move),
            }
        });
        self.go_to(begun_at);
        Some(Box::new(outcomes))
    }

    /// The outcome of a line on two boards: of illegal plies the first in the record ended it.
    #[cold]
    pub(super) fn outcome_on_two(mut self, boards: Box<[BoardOutcome; 2]>) -> LineOutcome<M> {
        let illegal =
            boards.iter().filter_map(|board| board.illegal.clone()).min_by_key(|illegal| illegal.span);
        let mut let_stand: Vec<Illegal> = boards.iter().flat_map(|board| board.let_stand.clone()).collect();
        let_stand.sort_by_key(|illegal| illegal.span);
        let final_fen = boards.each_ref().map(|board| board.final_fen.as_str()).join(BETWEEN_BOARDS);
        LineOutcome {
            plies: boards.iter().map(|board| board.plies).sum(),
            final_fen,
            claims: Vec::new(),
            style: self.detected_style(),
            judge: self.judge,
            habits: self.habits,
            small_letters: self.small_letters,
            illegal,
            tried: self.tried,
            let_stand,
            diagnostics: take(&mut self.diagnostics),
            variations: self.variations,
            boards: Some(boards),
            other_judge: self.boards.map(|boards| Box::new(boards.other.judge)),
        }
    }
}
