//! The position after a ply.

use crate::game::Game;
use crate::plies::Ply;
use crate::position::{Owner, Piece, Position, side};

impl Position {
    /// The position after a ply.
    pub fn after(&self, game: &Game, ply: &Ply) -> Position {
        if ply.natures {
            return self.after_nature(game, ply);
        }
        let mut next = self.clone();
        let own = side(self.white);
        next.white = !self.white;
        next.passed.clear();
        next.passes = if ply.pass { (self.passes + 1).min(2) } else { 0 };
        if let Some(nature) = &game.nature {
            next.clock = (self.clock + 1).min(nature.period);
        }
        if ply.pass {
            next.halfmoves += 1;
            next.counts(game, self);
            return next;
        }
        let mut captured = None;
        let mut arrives = Piece::of(ply.promotes.unwrap_or(ply.kind), self.white);
        match ply.from {
            None if ply.returns => next.returned[own][ply.kind] -= 1,
            None => next.hands[own][ply.kind] -= 1,
            Some(from) => {
                let moved = next.cells[from].take();
                arrives.promoted = moved.is_some_and(|piece| piece.promoted)
                    || ply.promotes.is_some()
                        && game.kinds[ply.kind].pawn
                        && game.kinds[ply.kind].promotes_to.is_none();
            }
        }
        if let (Some(rook), Some(castling)) = (ply.rook, &game.castling) {
            let castled = if Some(rook) > ply.from { castling.king_side } else { castling.queen_side };
            let moved = next.cells[rook].take();
            next.cells[game.board.row(rook) * game.board.width + castled.rook] = moved;
        } else if ply.in_passing {
            // The pawn stands beyond the squares that it passed.
            let back = if self.white { -1 } else { 1 };
            let beyond = (1..).map_while(|steps| game.board.beside(ply.to, 0, back * steps));
            let pawn = beyond.into_iter().find(|square| self.cells[*square].is_some());
            captured = pawn.and_then(|square| next.cells[square].take());
            next.stepped.retain(|square| Some(*square) != pawn);
        } else {
            captured = next.cells[ply.to];
        }
        next.cells[ply.to] = Some(arrives);
        for list in [&mut next.unmoved, &mut next.leaps, &mut next.fresh, &mut next.stepped] {
            list.retain(|square| Some(*square) != ply.from && *square != ply.to && Some(*square) != ply.rook);
        }
        if let Some((square, kind)) = ply.rises {
            next.cells[square] = Some(Piece::of(kind, self.white));
        }
        if let (Some(kind), Some(from)) = (ply.gate, ply.from) {
            next.hands[own][kind] -= 1;
            next.entries[own] -= 1;
            let square = ply.rook.filter(|_| ply.gates_at_rook).unwrap_or(from);
            next.cells[square] = Some(Piece::of(kind, self.white));
        }
        if ply.from.is_none() && !ply.returns && game.reserve.is_some() {
            next.entries[own] -= 1;
        }
        if ply.from.is_none() && !ply.returns && self.first_on(game).is_some() {
            // It counts as a piece that began there.
            next.unmoved.push(ply.to);
            next.unmoved.sort_unstable();
        }
        // What waits in reserve, and was not captured, leaves it when a pawn becomes it.
        if let Some(kind) = ply.promotes.filter(|_| game.by_pool) {
            let waits = self.hands[own][kind];
            if waits > 0 && !self.captured(game, self.white, kind, waits) {
                next.hands[own][kind] -= 1;
            }
        }
        if let (Some(spared), true) = (&game.blast, captured.is_some()) {
            next.cells[ply.to] = None;
            let target = ply.to;
            for square in 0..next.cells.len() {
                let near = game.board.column(square).abs_diff(game.board.column(target)) <= 1
                    && game.board.row(square).abs_diff(game.board.row(target)) <= 1;
                if near && next.cells[square].is_some_and(|piece| !spared.contains(&piece.kind)) {
                    next.cells[square] = None;
                }
            }
            let kings = [true, false].map(|white| next.king(game, white).is_some());
            next.rights.retain(|rook| {
                let white = game.board.row(*rook) == game.board.home(true);
                next.cells[*rook].is_some() && kings[side(white)]
            });
        }
        let natures_king = |piece: &Piece| piece.owner == Owner::Nature && piece.kind == game.king;
        if let Some(piece) = captured.filter(|piece| game.to_hand && !natures_king(piece)) {
            let pawn = game.kinds.iter().position(|kind| kind.pawn);
            let kind = match piece.promoted && game.reverts {
                true => pawn.unwrap_or(piece.kind),
                false => game.kinds[piece.kind].captured_as.unwrap_or(piece.kind),
            };
            next.hands[own][kind] += 1;
        }
        let pawn = game.kinds[ply.kind].pawn;
        if let Some(from) = ply.from
            && pawn
            && game.board.column(from) == game.board.column(ply.to)
            && game.board.row(from).abs_diff(game.board.row(ply.to)) > 1
        {
            let forward = if self.white { 1 } else { -1 };
            if game.en_passant && game.has(&game.passed_from, from, self.white) {
                let between = (1..).map_while(|steps| game.board.beside(from, 0, forward * steps));
                next.passed = between.take_while(|square| *square != ply.to).collect();
                next.passed.sort_unstable();
            }
            if game.nature.is_some() {
                next.stepped.push(ply.to);
                next.stepped.sort_unstable();
            }
        }
        let home = game.board.home(self.white);
        let king_moves = ply.kind == game.king;
        next.rights.retain(|rook| {
            let gone = Some(*rook) == ply.from
                || *rook == ply.to && ply.rook != Some(*rook)
                || ply.rook == Some(*rook);
            let king_left = king_moves && game.board.row(*rook) == home;
            !gone && !king_left
        });
        // What enters restarts the count as well.
        let enters = (ply.from.is_none() || ply.gate.is_some()) && game.counts_moves;
        let switches = game.switch.is_some() && ply.from == Some(ply.to);
        let restarts = captured.is_some() || enters || switches || pawn && game.counts_pawns();
        next.halfmoves = if restarts { 0 } else { self.halfmoves + 1 };
        next.counts(game, self);
        if game.checks > 0 && next.in_check(game, next.white) {
            next.checks[own] += 1;
        }
        next
    }

    /// Goes on with the count of a bare king, or begins or ends it.
    fn counts(&mut self, game: &Game, before: &Position) {
        if !game.counts_bare {
            return;
        }
        let counting = [true, false].map(|white| before.is_bare(game, white));
        self.count = match (before.count, self.starts_count(game)) {
            (_, None) => None,
            (None, starts) => starts,
            // The limit stays what it was when the count began.
            (Some((made, limit)), Some(_)) => {
                let moved = counting[side(before.white)];
                Some((made + u32::from(moved), limit))
            }
        };
    }
}

impl Game {
    /// True if moves of pawns restart the count.
    fn counts_pawns(&self) -> bool {
        self.quiet_moves == 0
    }
}
