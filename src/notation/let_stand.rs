//! What an illegal text says was done on the board, where the players let it stand.
//!
//! The rules of movement are left aside; what counts is that one piece alone can be meant, that it was there, and
//! that no king is taken.

use super::movetext::{MoveText, Shape};
use super::resolve::{from_squares, matches_nature};
use crate::board::{Mask, Owner, Square};
use crate::position::{Gate, Ply, Position, State, Verb};
use crate::rules::definition::GateCastling;
use crate::rules::{KindId, Piece, Rules};

/// The ply that a text means when the rules are left aside, for [`Position::apply_let_stand`].
///
/// # Errors
/// Why the text does not determine the ply, or why that ply cannot be let stand.
#[cold]
pub fn resolve_let_stand<M: Mask>(position: &Position<M>, text: &MoveText) -> Result<Ply, String> {
    let reader = Physical { rules: position.rules(), state: position.state(), text };
    let owner = position.turn();
    if text.natures {
        return reader.natures();
    }
    match text.shape {
        Shape::Null | Shape::Introduction => Err("nothing was moved".into()),
        Shape::Drop => reader.drop(owner),
        Shape::CastleKingSide => reader.castling(owner, true),
        Shape::CastleQueenSide => reader.castling(owner, false),
        Shape::Step | Shape::Squares => reader.step(owner),
    }
}

struct Physical<'a, M: Mask> {
    rules: &'a Rules<M>,
    state: &'a State<M>,
    text: &'a MoveText,
}

type Found = Result<Ply, String>;

impl<M: Mask> Physical<'_, M> {
    fn name(&self, square: Square) -> String {
        self.rules.board().name(square)
    }

    /// Nature's pieces: whatever they could do apart from the safety of kings and from whether it was their turn.
    fn natures(&self) -> Found {
        let mut tries = Vec::new();
        self.state.any_natures_try(self.rules, |ply| {
            if matches_nature(self.rules, self.text, ply) && !tries.contains(ply) {
                tries.push(*ply);
            }
            false
        });
        if self.text.shape == Shape::Introduction && tries.iter().any(|ply| ply.verb == Verb::Drop) {
            tries.retain(|ply| ply.verb == Verb::Drop);
        }
        match tries[..] {
            [ply] => Ok(ply),
            [] => Err("no piece of Nature's could do this".into()),
            _ => Err("several of Nature's actions could be meant".into()),
        }
    }

    fn drop(&self, owner: Owner) -> Found {
        let (to, kinds) = (self.text.to, self.text.kinds.both(self.rules.all_kinds()));
        let Some(kind) = kinds.kinds().next() else {
            return Err("the game has no such kind of piece".into());
        };
        self.held(
            owner,
            kind,
            self.state.reserve(owner)[kind.index()] + self.state.hand(owner)[kind.index()],
        )?;
        self.vacant_of_kings(to)?;
        self.may_stand(owner, kind, to)?;
        Ok(Ply::drop(owner, kind, to))
    }

    fn held(&self, owner: Owner, kind: KindId, count: u8) -> Result<(), String> {
        if count > 0 {
            return Ok(());
        }
        Err(format!("{} has no {} beside the board", owner.name(), self.rules.kind(kind).name))
    }

    fn vacant_of_kings(&self, to: Square) -> Result<(), String> {
        if !self.state.real_kings(self.rules).has(to) {
            return Ok(());
        }
        Err(format!("a king stands on {}, and no king is ever captured (COM-2)", self.name(to)))
    }

    /// A pawn does not stay a pawn where it has to be promoted.
    fn may_stand(&self, owner: Owner, kind: KindId, to: Square) -> Result<(), String> {
        let stuck = self.rules.is_pawn(kind) && owner.is_real() && self.rules.promotion[owner].forced.has(to);
        if !stuck {
            return Ok(());
        }
        Err(format!("what became of the pawn on {} is not said", self.name(to)))
    }

    /// King and rook on the squares that castling puts them on, whatever forbids it.
    fn castling(&self, owner: Owner, king_side: bool) -> Found {
        let Some(castling) = &self.rules.castling else { return Err("the game has no castling".into()) };
        let king = self.state.king(self.rules, owner);
        if king == Square::NONE || !self.rules.back_rank[owner].has(king) {
            return Err("the king is not on its back rank".into());
        }
        let rank = self.rules.geometry.rank(self.rules.board().rank(king));
        let mut rooks = (self.state.pieces_of(owner, castling.rooks) & rank).squares();
        let rook = if king_side {
            rooks.filter(|&rook| rook > king).last()
        } else {
            rooks.find(|&rook| rook < king)
        };
        let Some(rook) = rook else { return Err("there is no rook to castle with".into()) };
        let (king_to, rook_to) = self.rules.castling_targets(castling, king, rook);
        let left = self.state.occupied() & !M::bit(king) & !M::bit(rook);
        if let Some(square) = (left & (M::bit(king_to) | M::bit(rook_to))).lowest().some() {
            return Err(format!("another piece stands on {}", self.name(square)));
        }
        let mut ply =
            Ply { verb: Verb::Castle, other: rook, ..Ply::step(owner, self.rules.king, king, king_to) };
        for (slot, gate) in self.text.gates.iter().enumerate() {
            let Some(gate) = gate else { continue };
            let either = self.rules.gating.is_some_and(|gating| gating.with_castling == GateCastling::Either);
            if either && gate.square == Square::NONE {
                return Err("on which square the piece enters is not said".into());
            }
            let square = gate.square.some().unwrap_or(king);
            if ![king, rook].contains(&square) || [king_to, rook_to].contains(&square) {
                return Err(format!("{} is not vacated", self.name(square)));
            }
            ply.gates[slot] = Some(self.gate(owner, gate.kind, square)?);
        }
        Ok(ply)
    }

    fn gate(&self, owner: Owner, kind: KindId, square: Square) -> Result<Gate, String> {
        self.held(owner, kind, self.state.reserve(owner)[kind.index()])?;
        Ok(Gate { kind, square })
    }

    fn step(&self, owner: Owner) -> Found {
        let from = self.from(owner)?;
        let Some(piece) = self.state.piece(from) else { return Err(self.no_piece(from)) };
        if piece.owner == Owner::Nature {
            return Err(format!("the piece on {} is Nature's", self.name(from)));
        }
        if let Some(king_side) = self.castles(piece, from) {
            return self.castling(piece.owner, king_side);
        }
        let to = self.text.to;
        self.vacant_of_kings(to)?;
        if from == to {
            return Err("nothing was moved".into());
        }
        let mut ply = Ply::step(piece.owner, piece.kind, from, to);
        if let Some(victim) = self.passed(piece, from) {
            (ply.verb, ply.other) = (Verb::EnPassant, victim);
        }
        let letter = self.text.promotion;
        let gates = self.text.shape == Shape::Squares && self.rules.gating.is_some();
        match letter {
            Some(kind) if self.rules.is_pawn(piece.kind) => {
                let wins = self.rules.kings_square[piece.owner].has(to);
                if kind == self.rules.king && !wins || self.rules.is_pawn(kind) {
                    return Err("a pawn does not become that".into());
                }
                ply.promotion = Some(kind);
            }
            Some(kind) if gates => ply.gates[0] = Some(self.gate(piece.owner, kind, from)?),
            Some(_) => return Err("only a pawn becomes another piece".into()),
            None => self.may_stand(piece.owner, piece.kind, to)?,
        }
        match self.text.gates {
            [None, None] => {}
            [Some(gate), None] if ply.gates[0].is_none() => {
                let square = gate.square.some().unwrap_or(from);
                if square != from {
                    return Err(format!("{} is not vacated", self.name(square)));
                }
                ply.gates[0] = Some(self.gate(piece.owner, gate.kind, square)?);
            }
            _ => return Err("one piece takes the square that another leaves".into()),
        }
        Ok(ply)
    }

    fn no_piece(&self, from: Square) -> String {
        format!("no piece stands on {}", self.name(from))
    }

    /// The square that the one piece comes from which can be meant.
    fn from(&self, owner: Owner) -> Result<Square, String> {
        let squares = from_squares(self.rules, self.text.from_file, self.text.from_rank);
        let meant = |piece: Option<Piece>| piece.is_some_and(|piece| self.text.kinds.has(piece.kind));
        let all =
            M::of((squares & self.state.occupied()).squares().filter(|&at| meant(self.state.piece(at))));
        if squares.is_single() {
            return all
                .lowest()
                .some()
                .ok_or_else(|| format!("no such piece stands on {}", self.name(squares.lowest())));
        }
        let own = self.movers(owner, all);
        if own.any() {
            return self.single(own);
        }
        // A pawn that captures nothing stays on its file.
        let pawns =
            self.text.kinds == self.rules.pawns && !self.text.captures && self.text.from_file.is_none();
        let file = self.rules.geometry.file(self.rules.board().file(self.text.to));
        let others = all & self.state.owned(owner) & if pawns { file } else { all };
        self.single(others | self.movers(owner.opponent(), all))
    }

    /// Those of `squares` whose piece, one of `owner`'s, goes to the target by its own movement.
    fn movers(&self, owner: Owner, squares: M) -> M {
        let goes = |from: &Square| {
            let kind = self.state.piece(*from).map(|piece| piece.kind);
            kind.is_some_and(|kind| self.state.origins(self.rules, owner, kind, self.text.to).has(*from))
        };
        M::of((squares & self.state.owned(owner)).squares().filter(goes))
    }

    fn single(&self, squares: M) -> Result<Square, String> {
        if squares.is_single() {
            return Ok(squares.lowest());
        }
        let names: Vec<String> = squares.squares().map(|square| self.name(square)).collect();
        match names[..] {
            [] => Err("no piece can be meant".into()),
            _ => Err(format!("the piece on {} can be meant; write the square it left", names.join(" or "))),
        }
    }

    /// Two squares that are castling: a king and its own rook, or a king's two files and more from its array square.
    fn castles(&self, piece: Piece, from: Square) -> Option<bool> {
        let castling = self.rules.castling.filter(|_| piece.kind == self.rules.king)?;
        let (board, to) = (self.rules.board(), self.text.to);
        let rook = |at: Square| {
            self.state.piece(at).is_some_and(|p| p.owner == piece.owner && castling.rooks.has(p.kind))
        };
        let far = board.rank(from) == board.rank(to) && board.file(from).abs_diff(board.file(to)) >= 2;
        let at_home = self.rules.array[from.index()] == Some(piece);
        let king_side = to > from;
        let fits = |target: Square| target == to;
        let as_target = far && at_home && fits(self.rules.castling_targets(&castling, from, to).0);
        (as_target || rook(to)).then_some(king_side)
    }

    /// The pawn that a capture on a vacant square beside it takes in passing.
    fn passed(&self, piece: Piece, from: Square) -> Option<Square> {
        let (board, to) = (self.rules.board(), self.text.to);
        let diagonal =
            board.file(from).abs_diff(board.file(to)) == 1 && board.rank(from).abs_diff(board.rank(to)) == 1;
        if !self.rules.en_passant
            || !self.rules.is_pawn(piece.kind)
            || !diagonal
            || self.state.piece(to).is_some()
        {
            return None;
        }
        let square = board.offset(to, 0, -piece.owner.forward())?;
        let victim = self.state.piece(square)?;
        (victim.owner == piece.owner.opponent() && self.rules.is_pawn(victim.kind)).then_some(square)
    }
}
