//! Nature, the third player of Chaos's Chess: her pieces, her turns, and what she takes.

use crate::betza::Mover;
use crate::board::{Board, Region};
use crate::definition::Fields;
use crate::game::{Game, Kind};
use crate::plies::Ply;
use crate::position::{Owner, Piece, Position, side};
use toml::Value;

/// The rules of Nature, as far as they are known here: over games whose queen, rook, bishop and knight are those of
/// chess, on its board.
pub struct Nature {
    pub period: u32,
    pub delay: u32,
    /// What she introduces, and her pawn becomes.
    kinds: Vec<usize>,
    king: bool,
    castling: bool,
    pawn: Option<usize>,
    /// Where her pawn may capture a pawn that has stepped past.
    lines: Region,
    /// The squares of king and rook from which she castles.
    pairs: Vec<(usize, usize)>,
}

impl Nature {
    /// The rules of a definition with Nature, and the switches of a record's tag.
    ///
    /// # Errors
    /// With what is not known here.
    pub fn of(
        fields: &mut Fields,
        board: &Board,
        kinds: &[(Kind, bool)],
        tag: Option<String>,
    ) -> Result<Option<Nature>, String> {
        if !fields.flag("nature/enabled", false) {
            return Ok(None);
        }
        for (path, known) in [
            ("nature/delay-scope", "clock"),
            ("nature/delay-frees-castling", "nature"),
            ("nature/natures-mate", "on-move"),
            ("nature/reentry", "kind"),
            ("nature/en-passant", "beside"),
        ] {
            if let Some(other) = fields.text(path).filter(|value| value != known) {
                return Err(format!("{path} = {other}"));
            }
        }
        let index = |letter: &str| kinds.iter().position(|kind| kind.0.letter == letter);
        let Some(Value::Array(listed)) = fields.take("nature/kinds") else {
            return Err("nature.kinds".to_owned());
        };
        let listed: Option<Vec<usize>> = listed.iter().map(|letter| index(letter.as_str()?)).collect();
        let listed = listed.ok_or("nature.kinds")?;
        let plain = |kind: &usize| {
            let own = &kinds[*kind].0;
            own.of_chess && own.parts.iter().all(|part| part.from.is_none() && part.to.is_none())
        };
        if !listed.iter().all(plain) || board.width != 8 || board.height != 8 {
            return Err("Nature's kinds where they are not those of chess".to_owned());
        }
        if kinds.iter().any(|kind| kind.0.anti_royal || kind.0.promotes_to.is_some()) {
            return Err("Nature over such a game".to_owned());
        }
        let mut nature = Nature {
            period: fields.number("nature/period", 5) as u32,
            delay: fields.number("nature/delay", 3) as u32,
            kinds: listed,
            king: false,
            castling: false,
            pawn: None,
            lines: board.region(&fields.text("nature/en-passant-lines").unwrap_or_default())?,
            pairs: pairs(fields.take("nature/castling-squares"), board),
        };
        let pawn = kinds.iter().position(|kind| kind.0.pawn);
        for word in tag.as_deref().unwrap_or("basic").split(',').map(str::trim) {
            let number = |text: &str| text.parse().map_err(|_| format!("NatureRules {word}"));
            match word.split_once('=') {
                None if word == "basic" => {}
                None if word == "advanced" => {
                    (nature.king, nature.castling, nature.pawn) = (true, true, pawn)
                }
                None if word == "king" => nature.king = true,
                None if word == "castling" => nature.castling = true,
                None if word == "pawn" => nature.pawn = pawn,
                Some(("natures-mate", "on-move")) => {}
                Some(("delay-scope", "clock")) => {}
                Some(("delay-frees-castling", "nature")) => {}
                Some(("en-passant" | "nature-en-passant", "beside")) => {}
                Some(("period", value)) => nature.period = number(value)?,
                Some(("delay", value)) => nature.delay = number(value)?,
                _ => return Err(format!("NatureRules {word}")),
            }
        }
        Ok(Some(nature))
    }

    /// What she introduces and her pawn becomes.
    fn figures(&self, game: &Game) -> Vec<usize> {
        self.kinds.iter().copied().chain(self.king.then_some(game.king)).collect()
    }
}

/// Each square of a king with each of its rook, as the table of castling names them side by side.
fn pairs(table: Option<Value>, board: &Board) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for line in table.as_ref().and_then(Value::as_array).into_iter().flatten() {
        let squares = |key: &str| board.squares(&line[key].as_str().unwrap_or_default().replace(' ', ","));
        for king in squares("king") {
            found.extend(squares("rook").into_iter().map(|rook| (king, rook)));
        }
    }
    found
}

impl Position {
    /// True if Nature's attacks on kings count before the next ply.
    pub fn nature_checks(&self, game: &Game) -> bool {
        game.nature.as_ref().is_some_and(|nature| self.clock >= nature.delay)
    }

    /// Her pieces that could castle or make a double step, and pawns that she could capture in passing.
    pub fn natures_rights(&self, game: &Game) -> (Vec<usize>, Vec<usize>) {
        let Some(nature) = &game.nature else { return (Vec::new(), Vec::new()) };
        let rook = game.castling.as_ref().map(|castling| castling.rook[0]);
        let matters = |square: &usize| {
            let Some(piece) = self.cells[*square] else { return false };
            let castles = nature.pairs.iter().any(|(king, at_rook)| {
                (piece.kind == game.king && king == square) || (Some(piece.kind) == rook && at_rook == square)
            });
            nature.castling && castles || Some(piece.kind) == nature.pawn && beside_border(game, *square)
        };
        let fresh = self.fresh.iter().copied().filter(matters).collect();
        (fresh, if nature.pawn.is_some() { self.stepped.clone() } else { Vec::new() })
    }

    /// Her legal plies now.
    pub fn natures_plies(&self, game: &Game) -> Vec<Ply> {
        let Some(nature) = game.nature.as_ref().filter(|nature| self.clock >= nature.period) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let introduced = nature.figures(game).into_iter().chain(nature.pawn);
        for kind in introduced {
            for to in (0..self.cells.len()).filter(|to| self.cells[*to].is_none()) {
                let ply = Ply::drop_of(kind, to).by_nature();
                let bordering = Some(kind) == nature.pawn && on_border(game, to);
                if !bordering && !self.after(game, &ply).nature_attacks_figure(game, to) {
                    found.push(ply);
                }
            }
        }
        for (from, cell) in self.cells.iter().enumerate() {
            let Some(piece) = cell.filter(|piece| piece.owner == Owner::Nature) else { continue };
            let own = &game.kinds[piece.kind];
            for mover in &own.of_nature {
                let (quiet, captures) = self.reach(game, from, true, mover);
                let takes = |to: &usize| self.nature_takes(game, *to);
                for to in quiet.into_iter().chain(captures.into_iter().filter(takes)) {
                    let step = Ply { from: Some(from), ..Ply::drop_of(piece.kind, to).by_nature() };
                    self.natures_step(game, nature, step, &mut found);
                }
            }
            if Some(piece.kind) == nature.pawn {
                self.natures_pawn(game, nature, from, &mut found);
            }
        }
        if nature.castling {
            self.natures_castling(game, nature, &mut found);
        }
        found.sort_unstable_by_key(|ply| (ply.from, ply.to, ply.kind, ply.promotes, ply.beside));
        found.dedup();
        found.retain(|ply| self.nature_may(game, ply));
        found
    }

    fn nature_takes(&self, game: &Game, square: usize) -> bool {
        self.cells[square].is_some_and(|other| other.owner != Owner::Nature && other.kind != game.king)
    }

    /// A step of hers, or what her pawn becomes with it.
    fn natures_step(&self, game: &Game, nature: &Nature, step: Ply, found: &mut Vec<Ply>) {
        if Some(step.kind) == nature.pawn && on_border(game, step.to) {
            found.extend(nature.figures(game).into_iter().map(|kind| Ply { promotes: Some(kind), ..step }));
        } else {
            found.push(step);
        }
    }

    /// Two squares at once, and captures of pawns that have stepped past.
    fn natures_pawn(&self, game: &Game, nature: &Nature, from: usize, found: &mut Vec<Ply>) {
        let Some(pawn) = nature.pawn else { return };
        let vacant = |square: usize| self.cells[square].is_none();
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let step = |to: usize| Ply { from: Some(from), ..Ply::drop_of(pawn, to).by_nature() };
            if self.fresh.contains(&from)
                && beside_border(game, from)
                && game.board.beside(from, dx, dy).is_some_and(vacant)
                && let Some(to) = game.board.beside(from, 2 * dx, 2 * dy).filter(|to| vacant(*to))
            {
                self.natures_step(game, nature, step(to), found);
            }
            let stepped = game.board.beside(from, dx, dy).filter(|beside| self.stepped.contains(beside));
            if let Some(beside) = stepped.filter(|_| nature.lines[from]) {
                for (dx, dy) in [(dy, dx), (-dy, -dx)] {
                    let to = game.board.beside(from, dx, dy);
                    if let Some(to) = to.filter(|to| vacant(*to) || self.nature_takes(game, *to)) {
                        let ply = Ply { beside: Some(beside), ..step(to) };
                        self.natures_step(game, nature, ply, found);
                    }
                }
            }
        }
    }

    fn natures_castling(&self, game: &Game, nature: &Nature, found: &mut Vec<Ply>) {
        let Some(rook_kind) = game.castling.as_ref().map(|castling| castling.rook[0]) else { return };
        for (king, rook) in &nature.pairs {
            let (dx, dy) = (
                game.board.column(*rook) as i32 - game.board.column(*king) as i32,
                game.board.row(*rook) as i32 - game.board.row(*king) as i32,
            );
            let (distance, dx, dy) = (dx.abs().max(dy.abs()), dx.signum(), dy.signum());
            let is = |square: &usize, kind: usize| {
                let natures = Piece { kind, owner: Owner::Nature, promoted: false };
                self.cells[*square] == Some(natures) && self.fresh.contains(square)
            };
            let vacant = |steps: i32| {
                let between = game.board.beside(*king, dx * steps, dy * steps);
                between.is_some_and(|square| self.cells[square].is_none())
            };
            if is(king, game.king) && is(rook, rook_kind) && (1..distance).all(vacant) {
                let to = game.board.beside(*king, 2 * dx, 2 * dy).unwrap_or(*king);
                let castles = Ply { from: Some(*king), rook: Some(*rook), ..Ply::drop_of(game.king, to) };
                found.push(castles.by_nature());
            }
        }
    }

    /// True if Nature's piece on a square could capture a piece of a player other than a pawn.
    fn nature_attacks_figure(&self, game: &Game, from: usize) -> bool {
        let Some(piece) = self.cells[from] else { return false };
        game.kinds[piece.kind].of_nature.iter().any(|mover: &Mover| {
            self.reach(game, from, true, mover).1.iter().any(|to| {
                self.cells[*to]
                    .is_some_and(|other| other.owner != Owner::Nature && !game.kinds[other.kind].pawn)
            })
        })
    }

    /// A capture gives no piece of a player a new attack on a king, and no action lets the player on move take one.
    fn nature_may(&self, game: &Game, ply: &Ply) -> bool {
        let after = self.after(game, ply);
        let king = after.king(game, !self.white);
        if king.is_some_and(|king| after.attacks(game, self.white, king)) {
            return false;
        }
        let captures = ply.beside.is_some() || ply.from.is_some() && self.cells[ply.to].is_some();
        !captures
            || [true, false].into_iter().all(|white| {
                let Some(king) = after.king(game, white) else { return true };
                let before = self.attackers(game, !white, king);
                after.attackers(game, !white, king).iter().all(|from| before.contains(from))
            })
    }

    /// The position after a ply of hers.
    pub fn after_nature(&self, game: &Game, ply: &Ply) -> Position {
        let mut next = self.clone();
        next.clock = 0;
        next.stepped.clear();
        if let Some(from) = ply.from {
            next.cells[from] = None;
        }
        if let (Some(rook), Some(king)) = (ply.rook, ply.from) {
            let moved = next.cells[rook].take();
            next.cells[king.midpoint(ply.to)] = moved;
        }
        let mut taken: Vec<Piece> = next.cells[ply.to].into_iter().collect();
        taken.extend(ply.beside.and_then(|beside| next.cells[beside].take()));
        next.cells[ply.to] =
            Some(Piece { kind: ply.promotes.unwrap_or(ply.kind), owner: Owner::Nature, promoted: false });
        next.fresh
            .retain(|square| Some(*square) != ply.from && Some(*square) != ply.rook && *square != ply.to);
        if ply.from.is_none() {
            next.fresh.push(ply.to);
            next.fresh.sort_unstable();
        }
        if !taken.is_empty() || ply.from.is_none() {
            next.halfmoves = 0;
        }
        for piece in taken {
            // To the hand of its owner; a ferz of iChess as the pawn that it was.
            let kind = game.kinds[piece.kind].captured_as.unwrap_or(piece.kind);
            let own = side(piece.is(true));
            let at_home = game.array_kinds.contains(&Some((kind, piece.is(true))));
            let stock = if game.returns() && (at_home || game.reserve.is_none()) {
                &mut next.returned
            } else {
                &mut next.hands
            };
            stock[own][kind] += 1;
        }
        next.rights.retain(|rook| *rook != ply.to);
        // The pawn that has stepped past must still stand, and the square be vacant.
        let forward = if self.white { -1 } else { 1 };
        let stands = |passed: &usize| {
            let pawn = game.board.beside(*passed, 0, forward).and_then(|square| next.cells[square]);
            next.cells[*passed].is_none()
                && pawn.is_some_and(|pawn| game.kinds[pawn.kind].pawn && pawn.is(!self.white))
        };
        next.passed = self.passed.iter().copied().filter(stands).collect();
        next
    }
}

fn on_border(game: &Game, square: usize) -> bool {
    [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().any(|(dx, dy)| game.board.beside(square, *dx, *dy).is_none())
}

/// True next to the border.
fn beside_border(game: &Game, square: usize) -> bool {
    !on_border(game, square)
        && [(2, 0), (-2, 0), (0, 2), (0, -2)]
            .iter()
            .any(|(dx, dy)| game.board.beside(square, *dx, *dy).is_none())
}
