//! Positions built from their parts: board, hands, rights, counters.

use super::Position;
use super::fen::{Accepts, FenError, Field, NAMES};
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::{Piece, Rules};
use crate::text::Span;
use std::sync::Arc;

/// The parts of a position, each written as in its field of the extended FEN. A part that is left out has the value
/// of a field that is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts {
    /// Occupied squares and their pieces: `("e1", "K")`, Nature's knight `("d4", "*N")`, a promoted pawn
    /// `("a8", "Q~")`.
    pub board: Vec<(String, String)>,
    /// The pieces in reserve, White's in upper case, Black's in lower case: `MCmc`.
    pub reserve: String,
    /// The pieces in hand, likewise.
    pub hand: String,
    /// The side to move; White by default.
    pub turn: Option<Owner>,
    /// Castling and gating rights: `KQkq`, or letters of files.
    pub castling: String,
    /// The square that a pawn has just passed.
    pub en_passant: String,
    /// Halfmove clock.
    pub halfmoves: u16,
    /// Move number; 0 means 1.
    pub number: u32,
    /// Nature's clock and rights: `3`, `0:a4`, `2:a4:e4`.
    pub nature: String,
    /// Entries left, White's and Black's.
    pub entries: Option<[u8; 2]>,
    /// Checks given, White's and Black's.
    pub checks: Option<[u8; 2]>,
}

impl<M: Mask> Position<M> {
    /// The position with these pieces by square and nothing else: no stocks, rights or counters. No legal game need
    /// reach it.
    pub fn of_men(rules: Arc<Rules<M>>, cells: &[Option<Piece>], turn: Owner) -> Position<M> {
        let mut state = State::empty();
        for (square, piece) in (0u8..).map(Square).zip(cells) {
            piece.iter().for_each(|piece| state.place(square, *piece, false));
        }
        state.set_turn(turn);
        state.complete_status(&rules);
        Position { rules, state }
    }

    /// Builds a position from its parts.
    ///
    /// # Errors
    /// Returns every fault with the name of its part; spans are relative to the text of the part.
    pub fn from_parts(rules: Arc<Rules<M>>, parts: &Parts) -> Result<Position<M>, Vec<FenError>> {
        let (mut pieces, mut faults) = parts.placement(&rules);
        let has = |stock: &str, has: bool, name: &'static str, faults: &mut Vec<FenError>| {
            if !has && !stock.is_empty() {
                faults.push(fault(name, format!("this game has no {name}")));
            }
            if has { format!("[{stock}]") } else { String::new() }
        };
        pieces.push_str(&has(&parts.reserve, rules.has_reserve, "reserve", &mut faults));
        pieces.push_str(&has(&parts.hand, rules.has_hand, "hand", &mut faults));
        let turn = if parts.turn == Some(Owner::Black) { "b" } else { "w" };
        let (halfmoves, number) = (parts.halfmoves.to_string(), parts.number.max(1).to_string());
        let nature = (!parts.nature.is_empty()).then(|| format!("~{}", parts.nature));
        let entries = parts.entries.map(|[white, black]| format!("+{white},{black}"));
        let six = [&pieces, turn, &parts.castling, &parts.en_passant, &halfmoves, &number];
        let checks = parts.checks.map(|[white, black]| format!("+{white}+{black}"));
        let more = [(8, &checks), (6, &nature), (7, &entries)];
        let texts = six
            .into_iter()
            .enumerate()
            .chain(more.into_iter().filter_map(|(index, text)| text.as_deref().map(|text| (index, text))));
        let fields: Vec<Field<'_>> =
            texts.map(|(index, text)| Field { name: NAMES[index], text, start: 0 }).collect();
        match State::of_fields(&rules, &fields, 0, Accepts::Nothing) {
            Ok(state) if faults.is_empty() => Ok(Position { rules, state }),
            Ok(_) => Err(faults),
            Err(more) => {
                faults.extend(more);
                Err(faults)
            }
        }
    }
}

fn fault(field: &'static str, message: String) -> FenError {
    FenError { field, span: Span::default(), message }
}

impl Parts {
    /// The board as the first field of a FEN, and the faults of its squares.
    fn placement<M: Mask>(&self, rules: &Rules<M>) -> (String, Vec<FenError>) {
        let board = rules.board();
        let mut faults = Vec::new();
        let mut cells: Vec<Option<&str>> = vec![None; board.len()];
        for (name, piece) in &self.board {
            let Some(square) = board.parse_square(name) else {
                faults.push(fault(NAMES[0], format!("`{name}` is not a square of this board")));
                continue;
            };
            if let Some(before) = cells[square.index()].replace(piece) {
                faults.push(fault(NAMES[0], format!("both `{before}` and `{piece}` are placed on {name}")));
            }
        }
        let mut text = String::new();
        for rank in (0..board.ranks()).rev() {
            let mut gap = 0;
            for file in 0..board.files() {
                let square = usize::from(rank) * usize::from(board.files()) + usize::from(file);
                match cells[square] {
                    None => gap += 1,
                    Some(piece) => {
                        push_gap(&mut text, gap);
                        gap = 0;
                        text.push_str(piece);
                    }
                }
            }
            push_gap(&mut text, gap);
            if rank > 0 {
                text.push('/');
            }
        }
        if board.has_corners() {
            text.push('/');
        }
        board.corners().for_each(|square| text.push_str(cells[square.index()].unwrap_or("1")));
        (text, faults)
    }
}

fn push_gap(text: &mut String, squares: u8) {
    if squares > 0 {
        text.push_str(&squares.to_string());
    }
}
