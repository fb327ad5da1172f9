//! Writes positions as FEN.

use crate::board::{Mask, Owner, Square};
use crate::position::state::State;
use crate::rules::Rules;
use crate::rules::compiled::Castling;
use crate::rules::kinds::Label;
use crate::text::limits::{RANKS_MAX, SQUARES_MAX};
use crate::text::write_number;
use std::fmt::Write;

impl<M: Mask> State<M> {
    /// The position as text; [`State::from_fen`] reads it back.
    pub(in crate::position) fn fen(&self, rules: &Rules<M>) -> String {
        let mut out = self.fen_pieces(rules);
        out.push_str(if self.status.turn == Owner::White { " w " } else { " b " });
        self.write_rights(rules, &mut out);
        out.push(' ');
        if self.status.en_passant == Square::NONE {
            out.push('-');
        }
        self.status.en_passants().for_each(|square| rules.board().write_square(square, &mut out));
        out.push(' ');
        write_number(self.status.halfmoves.into(), &mut out);
        out.push(' ');
        write_number(self.status.number, &mut out);
        if let Some(count) = self.count_field(rules) {
            out.push(' ');
            out.push_str(&count);
        }
        if self.status.passes > 0 {
            out.push_str(" pass");
        }
        self.write_checks(rules, &mut out);
        if rules.nature.is_some() {
            self.write_nature(rules, &mut out);
        }
        self.write_entries(rules, &mut out);
        self.write_array(rules, &mut out);
        out
    }

    /// The first field: board and stocks.
    pub(in crate::position) fn fen_pieces(&self, rules: &Rules<M>) -> String {
        let mut pieces = Vec::with_capacity(96);
        self.write_pieces(rules, &mut pieces);
        if rules.has_reserve {
            write_stock(rules, &self.reserve, &mut pieces);
        }
        if rules.has_hand {
            write_stock(rules, &self.hand, &mut pieces);
        }
        // The text is ASCII.
        String::from_utf8(pieces).unwrap_or_default()
    }

    /// The piece on a square, if there is one.
    fn write_piece(&self, rules: &Rules<M>, square: Square, text: &mut Placement) {
        let Some(piece) = self.piece(square) else { return };
        if piece.owner == Owner::Nature {
            text.put(b'*');
        }
        write_label(rules.kind(piece.kind).label[piece.owner], piece.owner, |byte| text.put(byte));
        if self.promoted.has(square) {
            text.put(b'~');
        }
    }

    pub(in crate::position) fn write_pieces(&self, rules: &Rules<M>, out: &mut Vec<u8>) {
        let board = rules.board();
        let mut text = Placement::default();
        for rank in (0..board.ranks()).rev() {
            let mut next = 0;
            for square in (self.occupied() & rules.geometry.rank(rank)).squares() {
                let file = square.0 - rank * board.files();
                text.gap(file - next);
                next = file + 1;
                self.write_piece(rules, square, &mut text);
            }
            text.gap(board.files() - next);
            if rank > 0 {
                text.put(b'/');
            }
        }
        if board.has_corners() {
            text.put(b'/');
        }
        for square in board.corners() {
            match self.piece(square) {
                Some(_) => self.write_piece(rules, square, &mut text),
                None => text.put(b'1'),
            }
        }
        out.extend_from_slice(&text.bytes[..text.len]);
    }

    fn write_rights(&self, rules: &Rules<M>, out: &mut String) {
        let before = out.len();
        for owner in Owner::REAL {
            let mut letters = String::new();
            let mut implied = M::EMPTY;
            if let Some(castling) = &rules.castling {
                self.write_castling(rules, castling, owner, &mut letters, &mut implied);
            }
            if rules.gating.is_some() {
                let others = self.status.unmoved & self.owned(owner) & !implied;
                letters.extend(others.squares().map(|square| (b'A' + rules.board().file(square)) as char));
            }
            if rules.special.first_leaps.is_some() {
                let unmoved = (self.status.unmoved & self.owned(owner)).squares();
                let mut files: Vec<u8> = unmoved.map(|square| rules.board().file(square)).collect();
                files.sort_unstable();
                letters.extend(files.into_iter().map(|file| char::from(b'A' + file)));
            }
            if owner == Owner::Black {
                letters.make_ascii_lowercase();
            }
            out.push_str(&letters);
        }
        if out.len() == before {
            out.push('-');
        }
    }

    fn write_castling(
        &self,
        rules: &Rules<M>,
        castling: &Castling,
        owner: Owner,
        letters: &mut String,
        implied: &mut M,
    ) {
        let king = self.king(rules, owner);
        let rooks: Vec<Square> = (self.status.castling & self.owned(owner)).squares().collect();
        for &rook in rooks.iter().rev() {
            let outermost = self.outermost_rook(rules, castling, owner, rook > king) == Some(rook);
            letters.push(match (outermost, rook > king) {
                (true, true) => 'K',
                (true, false) => 'Q',
                (false, _) => (b'A' + rules.board().file(rook)) as char,
            });
            *implied |= M::bit(rook) | M::bit(king);
        }
    }

    fn write_nature(&self, rules: &Rules<M>, out: &mut String) {
        let state = &self.status.nature;
        if state.eliminated {
            return out.push_str(" ~-");
        }
        let names = |mask: M| {
            let mut names: Vec<String> = mask.squares().map(|square| rules.board().name(square)).collect();
            names.sort();
            names.join(",")
        };
        let fresh = state.fresh.some().map_or(String::new(), |square| rules.board().name(square));
        let mut lists = vec![names(state.unmoved), names(state.doubles), fresh];
        while lists.last().is_some_and(String::is_empty) {
            lists.pop();
        }
        // Writing to a string cannot fail.
        let _ = write!(out, " ~{}", state.clock);
        for list in lists {
            let _ = write!(out, ":{list}");
        }
    }

    /// Writes the entries left if the reserve does not show them.
    fn write_entries(&self, rules: &Rules<M>, out: &mut String) {
        let entries = Owner::REAL.map(|owner| self.explicit_entries(rules, owner));
        if entries != [None; 2] {
            let left = Owner::REAL
                .map(|owner| entries[owner.index()].unwrap_or_else(|| self.entries_shown(rules, owner)));
            let _ = write!(out, " +{},{}", left[0], left[1]);
        }
    }

    /// The entries that a FEN without the field means: as many as the reserve holds pieces, up to the limit.
    pub(super) fn entries_shown(&self, rules: &Rules<M>, owner: Owner) -> u8 {
        let limit = rules.entries.unwrap_or_default();
        self.reserve_total(owner).min(u32::from(limit)) as u8
    }
}

/// The text of the board, written without branches that are hard to predict, since every game ends with one.
struct Placement {
    bytes: [u8; Placement::ROOM],
    len: usize,
}

impl Default for Placement {
    fn default() -> Placement {
        Placement { bytes: [0; Placement::ROOM], len: 0 }
    }
}

impl Placement {
    /// A power of two, so that indexing needs no bounds check. Four characters a square and the strokes need less.
    const ROOM: usize = 1 << 10;

    #[inline(always)]
    fn put(&mut self, byte: u8) {
        self.bytes[self.len % Placement::ROOM] = byte;
        self.len += 1;
    }

    /// Writes a number of vacant squares.
    #[inline(always)]
    fn gap(&mut self, squares: u8) {
        if squares > 9 {
            self.put(b'0' + squares / 10);
            self.put(b'0' + squares % 10);
        } else {
            // For 0 the length does not grow, so the next byte overwrites the digit.
            self.bytes[self.len % Placement::ROOM] = b'0' + squares;
            self.len += usize::from(squares > 0);
        }
    }
}

const _: () = assert!(4 * SQUARES_MAX + RANKS_MAX <= Placement::ROOM);

/// Black's letters are lower case.
#[inline(always)]
pub(in crate::position) fn write_label(label: Label, owner: Owner, mut put: impl FnMut(u8)) {
    if label.plus {
        put(b'+');
    }
    put(label.letter | u8::from(owner == Owner::Black) << 5);
    if label.other_army {
        put(b'\'');
    }
}

fn write_stock<M: Mask>(rules: &Rules<M>, stocks: &[crate::rules::Stock; 2], out: &mut Vec<u8>) {
    out.push(b'[');
    for owner in Owner::REAL {
        for &kind in &rules.stock_order {
            for _ in 0..stocks[owner.index()][kind.index()] {
                write_label(rules.kind(kind).label[owner], owner, |byte| out.push(byte));
            }
        }
    }
    out.push(b']');
}
