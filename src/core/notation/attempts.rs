//! Lists the plies that a text may mean, legal or not, each with the conditions that it fails.
//!
//! The resolver takes the legal ones. If there are none, the explanation and a ply that was let stand are chosen from
//! the others.

use super::movetext::{Becomes, GateText, Hints, MoveText, Shape};
use super::resolve::{from_squares, matches_nature};
use crate::board::{Mask, Owner, Square};
use crate::position::{Attempt, Gate, Ply, Position, State, Verb};
use crate::rules::definition::{CastlingNotation, GateCastling};
use crate::rules::{KindId, Piece, Rules};

/// Every ply that the text may mean, tested. Endings are not considered.
#[cold]
pub(super) fn attempts<M: Mask>(position: &Position<M>, text: &MoveText) -> Vec<Attempt> {
    let (rules, state) = (position.rules(), position.state());
    let candidates = Candidates { rules, state, text };
    let plies = if text.natures { candidates.natures() } else { candidates.real() };
    plies.into_iter().map(|ply| Attempt { ply, failed: state.failures(rules, &ply) }).collect()
}

/// The legal plies that the text may mean, and whether a rule preferred one of them. Endings are not considered.
pub(super) fn legal_plies<M: Mask>(position: &Position<M>, text: &MoveText) -> (Vec<Ply>, bool) {
    let (rules, state) = (position.rules(), position.state());
    let candidates = Candidates { rules, state, text };
    if !text.natures {
        let mut plies = candidates.real();
        plies.retain(|ply| candidates.has_form(ply) && state.failures(rules, ply).is_empty());
        // Two equal gated pieces make the same ply in either order.
        plies.dedup();
        candidates.keep_side(&mut plies);
        return (plies, false);
    }
    let mut plies = if position.nature_may_act() { candidates.natures_tries() } else { Vec::new() };
    plies.retain(|ply| state.nature_fault(rules, ply).is_none());
    let all = plies.len();
    // CHA-12: an introduction if legal, otherwise the promotion.
    if text.shape == Shape::Introduction && plies.iter().any(|ply| ply.verb == Verb::Drop) {
        plies.retain(|ply| ply.verb == Verb::Drop);
    }
    let passed_over = plies.len() < all;
    (plies, passed_over)
}

struct Candidates<'a, M: Mask> {
    rules: &'a Rules<M>,
    state: &'a State<M>,
    text: &'a MoveText,
}

impl<M: Mask> Candidates<'_, M> {
    /// The pseudo-legal actions of Nature.
    fn natures_tries(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        self.state.any_natures_try(self.rules, |ply| {
            // Few of hundreds go to the target, so the rest of the test is out of line.
            if ply.to == self.text.to || ply.verb == Verb::Castle {
                self.add_try(ply, &mut plies);
            }
            false
        });
        plies
    }

    #[inline(never)]
    fn add_try(&self, ply: &Ply, plies: &mut Vec<Ply>) {
        if matches_nature(self.rules, self.text, ply) && !plies.contains(ply) {
            plies.push(*ply);
        }
    }

    fn natures(&self) -> Vec<Ply> {
        let text = self.text;
        let mut plies = self.natures_tries();
        if !plies.is_empty() {
            return plies;
        }
        match text.shape {
            Shape::Introduction => {
                plies.extend(text.promotion.map(|kind| Ply::drop(Owner::Nature, kind, text.to)))
            }
            Shape::Drop => plies = self.drops(Owner::Nature),
            Shape::Step | Shape::Squares => plies.extend(self.meant().map(|(from, piece)| {
                if let Some(kind) = self.switches_to(from) {
                    return Ply::switch(Owner::Nature, piece.kind, from, kind);
                }
                let step = Ply {
                    promotion: text.promotion,
                    gates: self.gates(false, from),
                    ..Ply::step(Owner::Nature, piece.kind, from, text.to)
                };
                let victim = text.victim.some();
                victim.map_or(step, |other| Ply { verb: Verb::EnPassant, other, ..step })
            })),
            Shape::CastleKingSide | Shape::CastleQueenSide | Shape::Null => {}
        }
        plies
    }

    fn real(&self) -> Vec<Ply> {
        let owner = self.state.status().turn;
        match self.text.shape {
            Shape::Null if self.rules.special.passes => {
                let king = self.state.king(self.rules, owner).some();
                king.map(|king| Ply::pass(owner, self.rules.king, king)).into_iter().collect()
            }
            Shape::Null | Shape::Introduction => Vec::new(),
            Shape::Drop => self.drops(owner),
            Shape::CastleKingSide => self.castlings(owner, true),
            Shape::CastleQueenSide => self.castlings(owner, false),
            Shape::Step | Shape::Squares => {
                let plies = |(from, piece)| {
                    std::iter::once(self.step(piece, from)).chain(self.castlings_by_squares(piece, from))
                };
                self.meant().flat_map(plies).collect()
            }
        }
    }

    /// False for a castling written by other squares than this game uses. Forms are the king's two squares, king and
    /// rook, or rook and king with a gate on the rook's square.
    fn has_form(&self, ply: &Ply) -> bool {
        let (text, to) = (self.text, self.text.to);
        match text.shape {
            _ if ply.verb != Verb::Castle => true,
            Shape::CastleKingSide | Shape::CastleQueenSide => true,
            Shape::Squares if to == ply.from => text.promotion.is_some(),
            Shape::Squares => to == if self.by_rook() { ply.other } else { ply.to },
            _ => false,
        }
    }

    fn by_rook(&self) -> bool {
        self.rules.castling.is_some_and(|castling| castling.notation == CastlingNotation::RookSquare)
    }

    fn drops(&self, owner: Owner) -> Vec<Ply> {
        let kinds = self.text.kinds.both(self.rules.all_kinds()).kinds();
        let second = self.text.gates[0].filter(|gate| gate.square != Square::NONE);
        let second = second.map(|GateText { kind, square }| Gate { kind, square });
        let drop = |kind| Ply::drop(owner, kind, self.text.to);
        kinds.map(|kind| second.map_or(drop(kind), |second| drop(kind).with_second_drop(second))).collect()
    }

    /// The pieces that the text may mean, of any owner.
    fn meant(&self) -> impl Iterator<Item = (Square, Piece)> {
        let squares =
            from_squares(self.rules, self.text.from_file, self.text.from_rank) & self.state.occupied();
        let pieces = squares.squares().filter_map(|square| Some((square, self.state.piece(square)?)));
        pieces.filter(|(from, piece)| {
            self.text.kinds.has(piece.kind) && self.goes_so(*from) && self.has_pawn_file(piece.kind, *from)
        })
    }

    /// False for a pawn that does not come from the file that the text has for one.
    fn has_pawn_file(&self, kind: KindId, from: Square) -> bool {
        let file = self.text.pawn_file.filter(|_| self.rules.is_pawn(kind));
        file.is_none_or(|file| file == self.rules.board().file(from))
    }

    /// True if a piece on `from` goes the way that the text says.
    fn goes_so(&self, from: Square) -> bool {
        let hints = self.text.hints;
        let board = self.rules.board();
        if hints == Hints::NONE || self.text.to == Square::NONE {
            return true;
        }
        let forward = self.state.status().turn.forward();
        let ranks = (board.rank(self.text.to) as i8 - board.rank(from) as i8) * forward;
        let files = (board.file(self.text.to) as i8).abs_diff(board.file(from) as i8);
        (!hints.has(Hints::STRAIGHT) || (files, ranks) == (0, 1))
            && (!hints.has(Hints::UP) || ranks > 0)
            && (!hints.has(Hints::SIDEWAYS) || ranks == 0)
            && (!hints.has(Hints::DOWN) || ranks < 0)
    }

    /// Of several legal plies, keeps that of the leftmost or the rightmost piece, as the mover sees the board.
    fn keep_side(&self, plies: &mut Vec<Ply>) {
        let hints = self.text.hints;
        if !hints.has(Hints::LEFT) && !hints.has(Hints::RIGHT) {
            return;
        }
        let board = self.rules.board();
        // White's left is the first file.
        let first = hints.has(Hints::LEFT) == (self.state.status().turn == Owner::White);
        let place = |ply: &Ply| {
            let file = i16::from(board.file(ply.from) as i8);
            if first { file } else { -file }
        };
        let outermost = plies.iter().map(place).min();
        plies.retain(|ply| Some(place(ply)) == outermost);
    }

    /// What the text says that the piece on its target becomes there.
    fn switches_to(&self, from: Square) -> Option<KindId> {
        self.text.promotion.filter(|_| from == self.text.to && self.rules.special.switch.is_some())
    }

    /// Completes a step with promotion, gates and en passant from the text.
    fn step(&self, piece: Piece, from: Square) -> Ply {
        let (rules, text) = (self.rules, self.text);
        // Nature's pieces do not belong to the player on move.
        let actor = if piece.owner.is_real() { piece.owner } else { self.state.status().turn };
        let mut ply = Ply::step(actor, piece.kind, from, text.to);
        if let Some(kind) = self.switches_to(from) {
            return Ply::switch(actor, piece.kind, from, kind);
        }
        let stays = from == text.to && text.shape == Shape::Squares && piece.kind == rules.king;
        if stays && rules.special.passes {
            return Ply::pass(actor, piece.kind, from);
        }
        let pawn = rules.is_pawn(piece.kind);
        let victim = text.victim.some().or_else(|| self.passed(actor, piece, from));
        if let Some(victim) = victim {
            (ply.verb, ply.other) = (Verb::EnPassant, victim);
        }
        let gated = !pawn && text.may_gate_by_letter() && rules.gating.is_some();
        ply.gates = self.gates(gated, from);
        ply.promotion = text.promotion.filter(|_| !gated);
        let own = rules.promotes_to[piece.kind.slot()];
        match text.becomes {
            Becomes::Named => {}
            // A kind that becomes nothing fails as one that is promoted to itself.
            Becomes::Promoted => ply.promotion = own.or(Some(piece.kind)),
            Becomes::Kind(kind) => ply.promotion = Some(kind).filter(|kind| *kind != piece.kind),
        }
        ply
    }

    /// The pawn that a pawn's capture on a vacant square would take en passant, with or without the right: it is where
    /// a double step over the target ends.
    fn passed(&self, actor: Owner, piece: Piece, from: Square) -> Option<Square> {
        let (rules, text) = (self.rules, self.text);
        // An existing right counts even if the text does not mark a capture.
        let right = self.state.status().en_passants().any(|passed| passed == text.to);
        let captures = text.captures || text.from_file.is_some() || right;
        let attacks = || rules.moves[actor].origins(piece.kind.index(), text.to, true).any.has(from);
        let start = |steps: u8| rules.board().offset(text.to, 0, steps as i8 * actor.forward());
        let mut starts = (1..rules.first_step).filter_map(start);
        let passed = starts.any(|start| rules.double_step[actor.opponent()].has(start));
        let may = rules.en_passant && rules.is_pawn(piece.kind) && captures && passed && attacks();
        self.state.en_passant_victim(rules, actor, text.to).filter(|_| may)
    }

    /// The gates of a step; one without a square is on the square that the step leaves.
    fn gates(&self, by_letter: bool, from: Square) -> [Option<Gate>; 2] {
        let mut written = self.written_gates(by_letter, from);
        let mut gate = || {
            let GateText { kind, square } = written.next()?;
            Some(Gate { kind, square: square.some().unwrap_or(from) })
        };
        [gate(), gate()]
    }

    /// The gates of the text. A letter after two squares may be a piece that enters on the first.
    fn written_gates(&self, by_letter: bool, from: Square) -> impl Iterator<Item = GateText> {
        let by_letter = self.text.promotion.filter(|_| by_letter);
        let by_letter = by_letter.map(|kind| GateText { kind, square: from });
        by_letter.into_iter().chain(self.text.gates.into_iter().flatten())
    }

    /// The castlings that two squares may mean: the king moves two files or more, to its castling square, or onto its
    /// own rook, or the rook moves onto its king.
    fn castlings_by_squares(&self, piece: Piece, from: Square) -> Vec<Ply> {
        let (board, owner, to) = (self.rules.board(), piece.owner, self.text.to);
        let king = self.state.king(self.rules, owner);
        let Some(castling) = self.rules.castling.filter(|_| owner.is_real() && king != Square::NONE) else {
            return Vec::new();
        };
        let own_rook =
            |at: Square| self.state.piece(at).is_some_and(|p| p.owner == owner && castling.rooks.has(p.kind));
        if self.text.from_file.is_none() || self.text.from_rank.is_none() {
            return Vec::new();
        }
        let along = from == king && board.rank(from) == board.rank(to);
        let far = board.file(from).abs_diff(board.file(to)) >= 2;
        let target = || !self.by_rook() && self.rules.castling_targets(&castling, from, to).0 == to;
        if along && (far || own_rook(to) || target()) {
            self.castlings(owner, to > king)
        } else if to == king && own_rook(from) && self.text.shape == Shape::Squares {
            self.castlings(owner, from > king)
        } else {
            Vec::new()
        }
    }

    /// The castlings to one side with every rook that has the right, and with the outermost one.
    fn castlings(&self, owner: Owner, king_side: bool) -> Vec<Ply> {
        let (rules, state) = (self.rules, self.state);
        let (Some(castling), Some(king)) = (rules.castling, state.king(rules, owner).some()) else {
            return Vec::new();
        };
        let rank = rules.geometry.rank(rules.board().rank(king));
        let side = |rook: &Square| (*rook > king) == king_side;
        let rooks = M::of((state.pieces_of(owner, castling.rooks) & rank).squares().filter(side));
        let outermost = if king_side { rooks.highest() } else { rooks.lowest() };
        let rooks = rooks.squares().filter(|&rook| rook == outermost || state.status().castling.has(rook));
        let castle = |rook| {
            let (king_to, _) = rules.castling_targets(&castling, king, rook);
            Ply { verb: Verb::Castle, other: rook, ..Ply::step(owner, rules.king, king, king_to) }
        };
        rooks.map(castle).flat_map(|ply| self.gated(ply)).map(|ply| self.on_named_squares(ply)).collect()
    }

    /// A castling with the gates of the text. A gate without a square may be on the king's or the rook's.
    fn gated(&self, castling: Ply) -> Vec<Ply> {
        let first = if self.text.to == castling.from { castling.other } else { castling.from };
        let squares = [castling.from, castling.other];
        let gate = |gate: GateText, square| {
            Some(Gate { kind: gate.kind, square: gate.square.some().unwrap_or(square) })
        };
        let either = self.rules.gating.is_some_and(|gating| gating.with_castling == GateCastling::Either);
        let gates = match self.written_gates(self.text.may_gate_by_letter(), first).collect::<Vec<_>>()[..] {
            [] => vec![[None; 2]],
            [one] if either && one.square == Square::NONE => {
                squares.map(|square| [gate(one, square), None]).to_vec()
            }
            [one] => vec![[gate(one, castling.from), None]],
            [one, other, ..] => [(one, other), (other, one)]
                .map(|(one, other)| [gate(one, squares[0]), gate(other, squares[1])])
                .to_vec(),
        };
        gates.into_iter().map(|gates| Ply { gates, ..castling }).collect()
    }

    /// A castling with the king's squares as the text names them (Smith's `e1g1c`), so that wrong squares fail.
    fn on_named_squares(&self, castling: Ply) -> Ply {
        let castles = matches!(self.text.shape, Shape::CastleKingSide | Shape::CastleQueenSide);
        let Some(to) = self.text.to.some().filter(|_| castles) else { return castling };
        let from = from_squares(self.rules, self.text.from_file, self.text.from_rank);
        // A wrong from-square gets an impossible target.
        Ply { to: if from.has(castling.from) { to } else { castling.from }, ..castling }
    }
}
