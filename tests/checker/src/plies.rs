//! Legal plies, by making every one that a piece could make and looking whether its king can be taken then; ends of games;
//! coordinates.

use crate::betza::Mover;
use crate::game::{Castling, Game, Stalemate};
use crate::position::{Piece, Position, side};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// `None` for a drop.
    pub from: Option<usize>,
    pub to: usize,
    pub kind: usize,
    pub promotes: Option<usize>,
    /// The rook of a castling.
    pub rook: Option<usize>,
    pub in_passing: bool,
    /// The kind that enters on the square that is left.
    pub gate: Option<usize>,
}

/// How a game is over on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Mate,
    Stalemate,
    Other,
}

impl Position {
    /// Squares that a mover of a piece on `from` reaches: quiet ones, and occupied ones that it captures on, whoever
    /// stands there.
    fn reach(&self, game: &Game, from: usize, white: bool, mover: &Mover) -> (Vec<usize>, Vec<usize>) {
        let (mut quiet, mut captures) = (Vec::new(), Vec::new());
        // Black sits on the other side of the board.
        let (dx, dy) = if white { (mover.dx, mover.dy) } else { (-mover.dx, -mover.dy) };
        let at = |steps: i32| {
            let file = (from % game.files) as i32 + dx * steps;
            let rank = (from / game.files) as i32 + dy * steps;
            let inside = (0..game.files as i32).contains(&file) && (0..game.ranks as i32).contains(&rank);
            inside.then(|| rank as usize * game.files + file as usize)
        };
        if mover.lame {
            // The square beside the way: for a horse the orthogonal step, for an elephant the diagonal one.
            let (bx, by) = (dx / 2, dy / 2);
            let file = (from % game.files) as i32 + bx;
            let rank = (from / game.files) as i32 + by;
            let inside = (0..game.files as i32).contains(&file) && (0..game.ranks as i32).contains(&rank);
            if !inside || self.cells[rank as usize * game.files + file as usize].is_some() {
                return (quiet, captures);
            }
        }
        let most = if mover.range == 0 { i32::MAX } else { mover.range as i32 };
        let mut hurdles = 0;
        let mut steps = 1;
        while steps <= most
            && let Some(to) = at(steps)
        {
            match (self.cells[to], mover.hops) {
                (None, false) if mover.moves => quiet.push(to),
                (None, _) => {}
                (Some(_), false) => {
                    if mover.captures {
                        captures.push(to);
                    }
                    break;
                }
                (Some(_), true) => {
                    hurdles += 1;
                    if hurdles == 2 {
                        if mover.captures {
                            captures.push(to);
                        }
                        break;
                    }
                }
            }
            steps += 1;
        }
        (quiet, captures)
    }

    /// True if a player attacks a square on which the other's king is, or could be.
    pub fn attacks(&self, game: &Game, by_white: bool, target: usize) -> bool {
        if self.cells[target].is_none() {
            let mut with_king = self.clone();
            with_king.cells[target] = Some(Piece { kind: game.king, white: !by_white, promoted: false });
            return with_king.attacks(game, by_white, target);
        }
        self.cells.iter().enumerate().any(|(from, cell)| {
            let Some(piece) = cell.filter(|piece| piece.white == by_white) else { return false };
            let kind = &game.kinds[piece.kind];
            let hits = |mover: &Mover| self.reach(game, from, by_white, mover).1.contains(&target);
            let by_part = kind.parts.iter().any(|part| {
                let bound = |region: &Option<Vec<bool>>, square| {
                    region.as_ref().is_none_or(|region| game.has(region, square, by_white))
                };
                bound(&part.from, from) && bound(&part.to, target) && part.movers.iter().any(hits)
            });
            by_part || kind.on_king.iter().any(hits)
        })
    }

    pub fn in_check(&self, game: &Game, white: bool) -> bool {
        let Some(king) = self.king(game, white) else { return false };
        // Where captures explode, neither of two neighbouring kings is in check.
        let shielded = game.blast.is_some()
            && self.king(game, !white).is_some_and(|other| {
                (king % game.files).abs_diff(other % game.files) <= 1
                    && (king / game.files).abs_diff(other / game.files) <= 1
            });
        !shielded && self.attacks(game, !white, king)
    }

    /// The plies that pieces could make, whether or not they leave their king attacked.
    fn possible(&self, game: &Game) -> Vec<Ply> {
        let mut found = Vec::new();
        if let Some(first) = self.first_on(game) {
            self.enter(game, &first, &mut found);
            return found;
        }
        if game.deploys_hand && self.king(game, self.white).is_none() {
            self.deploy(game, &mut found);
            return found;
        }
        for (from, cell) in self.cells.iter().enumerate() {
            if let Some(piece) = cell.filter(|piece| piece.white == self.white) {
                self.of_piece(game, from, piece, &mut found);
            }
        }
        self.gates(game, &mut found);
        self.drops(game, &mut found);
        if let Some(region) = game.reserve.as_ref().and_then(|reserve| reserve.drops.as_ref()) {
            self.enter(game, region, &mut found);
        }
        if let Some(castling) = &game.castling {
            self.castlings(game, castling, &mut found);
        }
        found
    }

    /// True if a possible ply is legal.
    fn is_legal(&self, game: &Game, ply: &Ply) -> bool {
        let after = self.after(game, ply);
        if game.blast.is_some() && self.king(game, self.white).is_some() {
            if after.king(game, self.white).is_none() {
                return false;
            }
            // An exploded king cannot be defended, and neighbouring kings would explode together.
            if after.king(game, !self.white).is_none() {
                return true;
            }
        }
        if after.in_check(game, self.white) {
            return false;
        }
        let drops_pawn = ply.from.is_none() && game.kinds[ply.kind].pawn;
        let may_mate = game.drops.as_ref().is_none_or(|drops| drops.pawn_mates);
        if !drops_pawn || may_mate {
            return true;
        }
        !after.in_check(game, after.white) || after.has_ply(game)
    }

    /// The legal plies.
    pub fn plies(&self, game: &Game) -> Vec<Ply> {
        let mut found = self.possible(game);
        found.retain(|ply| self.is_legal(game, ply));
        if game.must_capture && found.iter().any(|ply| self.captures(ply)) {
            found.retain(|ply| self.captures(ply));
        }
        found
    }

    fn captures(&self, ply: &Ply) -> bool {
        ply.in_passing || ply.from.is_some() && ply.rook.is_none() && self.cells[ply.to].is_some()
    }

    fn has_ply(&self, game: &Game) -> bool {
        self.possible(game).iter().any(|ply| self.is_legal(game, ply))
    }

    fn of_piece(&self, game: &Game, from: usize, piece: Piece, found: &mut Vec<Ply>) {
        let kind = &game.kinds[piece.kind];
        let mut targets: Vec<usize> = Vec::new();
        for part in &kind.parts {
            let bound = |region: &Option<Vec<bool>>, square| {
                region.as_ref().is_none_or(|region| game.has(region, square, piece.white))
            };
            if !bound(&part.from, from) {
                continue;
            }
            for mover in &part.movers {
                let (quiet, captures) = self.reach(game, from, piece.white, mover);
                let takes = |to: &usize| {
                    self.cells[*to].is_some_and(|other| other.white != piece.white && other.kind != game.king)
                };
                let all = quiet.into_iter().chain(captures.into_iter().filter(takes));
                targets.extend(all.filter(|to| bound(&part.to, *to)));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        let step = |to: usize| Ply {
            from: Some(from),
            to,
            kind: piece.kind,
            promotes: None,
            rook: None,
            in_passing: false,
            gate: None,
        };
        for to in targets {
            self.promoted(game, step(to), piece.white, found);
        }
        if !kind.pawn {
            return;
        }
        let forward = |square: usize| {
            let rank = square / game.files;
            match piece.white {
                true => (rank + 1 < game.ranks).then(|| square + game.files),
                false => rank.checked_sub(1).map(|_| square - game.files),
            }
        };
        if game.has(&game.double_step, from, piece.white)
            && let Some(first) = forward(from).filter(|square| self.cells[*square].is_none())
            && let Some(second) = forward(first).filter(|square| self.cells[*square].is_none())
        {
            found.push(step(second));
        }
        if let Some(passed) = self.passed.filter(|_| game.en_passant)
            && forward(from)
                .is_some_and(|ahead| ahead / game.files == passed / game.files && ahead.abs_diff(passed) == 1)
            && self.cells[passed].is_none()
        {
            found.push(Ply { in_passing: true, ..step(passed) });
        }
    }

    /// A step with each piece that it may become.
    fn promoted(&self, game: &Game, step: Ply, white: bool, found: &mut Vec<Ply>) {
        let kind = &game.kinds[step.kind];
        let in_zone = game.has(&game.zone, step.to, white)
            || game.from_zone && step.from.is_some_and(|from| game.has(&game.zone, from, white));
        if let Some(other) = kind.promotes_to {
            if in_zone {
                found.push(Ply { promotes: Some(other), ..step });
            }
            // A piece that could not move again must.
            if kind.drop.as_ref().is_none_or(|region| game.has(region, step.to, white)) {
                found.push(step);
            }
            return;
        }
        if kind.pawn && game.by_array {
            let other = game.opposing(step.to, white).filter(|other| !game.kinds[*other].pawn);
            found.extend(other.map(|other| Ply { promotes: Some(other), ..step }));
            if other != Some(game.king) {
                found.push(step);
            }
            return;
        }
        if kind.pawn && in_zone && game.by_pool {
            let pool = self.pool(game, white);
            return found.extend(pool.into_iter().map(|other| Ply { promotes: Some(other), ..step }));
        }
        if !kind.pawn || !in_zone || game.promotes.is_empty() {
            return found.push(step);
        }
        found.extend(game.promotes.iter().map(|other| Ply { promotes: Some(*other), ..step }));
        if !game.has(&game.forced, step.to, white) {
            found.push(step);
        }
    }

    /// Where the first ply of a player must place a piece of the reserve, while it is whole.
    fn first_on(&self, game: &Game) -> Option<Vec<bool>> {
        let reserve = game.reserve.as_ref()?;
        let waits: u32 = self.hands[side(self.white)].iter().sum();
        reserve.first_on.clone().filter(|_| waits as usize == reserve.letters.len())
    }

    /// Pieces of the reserve on vacant squares of a region.
    fn enter(&self, game: &Game, region: &[bool], found: &mut Vec<Ply>) {
        let region = region.to_vec();
        if self.entries[side(self.white)] == 0 {
            return;
        }
        for (kind, count) in self.hands[side(self.white)].iter().enumerate() {
            let vacant = |to: &usize| self.cells[*to].is_none() && game.has(&region, *to, self.white);
            if *count > 0 {
                found.extend((0..self.cells.len()).filter(vacant).map(|to| drop_of(kind, to)));
            }
        }
    }

    /// Pieces of the hand before anything else, the king last, and on no square that is attacked.
    fn deploy(&self, game: &Game, found: &mut Vec<Ply>) {
        let Some(drops) = &game.drops else { return };
        let hand = &self.hands[side(self.white)];
        let is_last = hand.iter().sum::<u32>() == 1;
        for (kind, count) in hand.iter().enumerate() {
            if *count == 0 || (kind == game.king) != is_last {
                continue;
            }
            for to in (0..self.cells.len()).filter(|to| self.cells[*to].is_none()) {
                if game.has(&drops.region, to, self.white)
                    && !(kind == game.king && self.attacks(game, !self.white, to))
                {
                    found.push(drop_of(kind, to));
                }
            }
        }
    }

    /// For each ply of a piece that leaves the square on which it began: the same with each piece of the reserve behind it.
    fn gates(&self, game: &Game, found: &mut Vec<Ply>) {
        let may_enter = self.entries[side(self.white)] > 0;
        if !may_enter || !game.reserve.as_ref().is_some_and(|reserve| reserve.gates) {
            return;
        }
        let waiting = self.hands[side(self.white)].iter().enumerate().filter(|(_, count)| **count > 0);
        let waiting: Vec<usize> = waiting.map(|(kind, _)| kind).collect();
        let leaves = |ply: &Ply| ply.from.is_some_and(|from| self.unmoved.contains(&from));
        let plain: Vec<Ply> = found.iter().copied().filter(leaves).collect();
        for ply in plain {
            found.extend(waiting.iter().map(|kind| Ply { gate: Some(*kind), ..ply }));
        }
    }

    /// True if a player began with more of a kind than stand on the board and wait.
    fn captured(&self, game: &Game, white: bool, kind: usize, waits: u32) -> bool {
        let reserve = game.reserve.as_ref().map_or("", |reserve| reserve.letters.as_str());
        let own = game.kinds[kind].letter(white);
        let array = game.array_kinds.iter().filter(|cell| **cell == Some((kind, white))).count();
        let waited = reserve.chars().filter(|letter| own == letter.to_string()).count();
        let stands =
            self.cells.iter().flatten().filter(|piece| piece.kind == kind && piece.white == white).count();
        array + waited > stands + waits as usize
    }

    /// The kinds that a pawn may become: what the player began with and has no longer, and what waits in reserve.
    fn pool(&self, game: &Game, white: bool) -> Vec<usize> {
        let in_pool = |kind: &usize| {
            let own = &game.kinds[*kind];
            if own.pawn || *kind == game.king {
                return false;
            }
            let waits = self.hands[side(white)][*kind];
            waits > 0 || self.captured(game, white, *kind, waits)
        };
        (0..game.kinds.len()).filter(in_pool).collect()
    }

    fn drops(&self, game: &Game, found: &mut Vec<Ply>) {
        let Some(drops) = &game.drops else { return };
        for (kind, count) in self.hands[side(self.white)].iter().enumerate() {
            if *count == 0 {
                continue;
            }
            let own = &game.kinds[kind];
            for to in (0..self.cells.len()).filter(|to| self.cells[*to].is_none()) {
                let allowed = game.has(&drops.region, to, self.white)
                    && own.drop.as_ref().is_none_or(|region| game.has(region, to, self.white))
                    && (!own.pawn || game.has(&drops.pawns, to, self.white));
                let shares = own.pawn
                    && !drops.pawns_share_files
                    && (to % game.files..self.cells.len()).step_by(game.files).any(|square| {
                        self.cells[square] == Some(Piece { kind, white: self.white, promoted: false })
                    });
                if allowed && !shares {
                    found.push(drop_of(kind, to));
                }
            }
        }
    }

    fn castlings(&self, game: &Game, castling: &Castling, found: &mut Vec<Ply>) {
        let Some(king) = self.king(game, self.white) else { return };
        let (own, rank) = (side(self.white), if self.white { 0 } else { game.ranks - 1 });
        if self.in_check(game, self.white) {
            return;
        }
        for &rook in self.rights.iter().filter(|rook| *rook / game.files == rank) {
            if self.cells[rook]
                .is_none_or(|piece| piece.kind != castling.rook[own] || piece.white != self.white)
            {
                continue;
            }
            let castled = if rook > king { castling.king_side } else { castling.queen_side };
            let (king_to, rook_to) = (rank * game.files + castled.king, rank * game.files + castled.rook);
            let between = |a: usize, b: usize| a.min(b)..=a.max(b);
            let mut bare = self.clone();
            bare.cells[king] = None;
            bare.cells[rook] = None;
            let vacant = between(king, king_to)
                .chain(between(rook, rook_to))
                .all(|square| bare.cells[square].is_none());
            let mut lifted = self.clone();
            lifted.cells[king] = None;
            let safe = between(king, king_to)
                .all(|square| !lifted.attacks(game, !self.white, square) || square == king_to);
            let ply = Ply {
                from: Some(king),
                to: king_to,
                kind: game.king,
                promotes: None,
                rook: Some(rook),
                in_passing: false,
                gate: None,
            };
            if vacant && safe && !self.after(game, &ply).in_check(game, self.white) {
                found.push(ply);
            }
        }
    }

    /// The position after a ply.
    pub fn after(&self, game: &Game, ply: &Ply) -> Position {
        let mut next = self.clone();
        let own = side(self.white);
        next.white = !self.white;
        next.passed = None;
        let mut captured = None;
        let mut arrives =
            Piece { kind: ply.promotes.unwrap_or(ply.kind), white: self.white, promoted: false };
        match ply.from {
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
            next.cells[rook / game.files * game.files + castled.rook] = moved;
        } else if ply.in_passing {
            let behind = if self.white { ply.to - game.files } else { ply.to + game.files };
            captured = next.cells[behind].take();
        } else {
            captured = next.cells[ply.to];
        }
        next.cells[ply.to] = Some(arrives);
        next.unmoved
            .retain(|square| Some(*square) != ply.from && *square != ply.to && Some(*square) != ply.rook);
        if let (Some(kind), Some(from)) = (ply.gate, ply.from) {
            next.hands[own][kind] -= 1;
            next.entries[own] -= 1;
            next.cells[from] = Some(Piece { kind, white: self.white, promoted: false });
        }
        if ply.from.is_none() && game.reserve.is_some() {
            next.entries[own] -= 1;
        }
        if ply.from.is_none() && self.first_on(game).is_some() {
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
            let (file, rank) = (ply.to % game.files, ply.to / game.files);
            for square in 0..next.cells.len() {
                let near =
                    (square % game.files).abs_diff(file) <= 1 && (square / game.files).abs_diff(rank) <= 1;
                if near && next.cells[square].is_some_and(|piece| !spared.contains(&piece.kind)) {
                    next.cells[square] = None;
                }
            }
            let kings = [true, false].map(|white| next.king(game, white).is_some());
            next.rights.retain(|rook| {
                let white = *rook < game.files;
                next.cells[*rook].is_some() && kings[side(white)]
            });
        }
        if let Some(piece) = captured.filter(|_| game.to_hand) {
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
            && game.en_passant
            && from.abs_diff(ply.to) == 2 * game.files
            && game.has(&game.passed_from, from, self.white)
        {
            next.passed = Some(from.midpoint(ply.to));
        }
        let king_rank = if self.white { 0 } else { game.ranks - 1 };
        let king_moves = ply.kind == game.king;
        next.rights.retain(|rook| {
            let gone = Some(*rook) == ply.from
                || *rook == ply.to && ply.rook != Some(*rook)
                || ply.rook == Some(*rook);
            let king_left = king_moves && *rook / game.files == king_rank;
            !gone && !king_left
        });
        // What enters restarts the count as well.
        let enters = (ply.from.is_none() || ply.gate.is_some()) && game.counts_moves;
        let restarts = captured.is_some() || enters || pawn && game.counts_pawns();
        next.halfmoves = if restarts { 0 } else { self.halfmoves + 1 };
        if game.checks > 0 && next.in_check(game, next.white) {
            next.checks[own] += 1;
        }
        next
    }

    /// How the game is over in this position, and who has won; `None` if it is not.
    pub fn end(&self, game: &Game) -> Option<(End, Option<bool>)> {
        let stuck = !self.has_ply(game);
        let flip = |winner: bool| winner != game.misere;
        if stuck && self.in_check(game, self.white) {
            return Some((End::Mate, Some(flip(!self.white))));
        }
        for white in [true, false] {
            let exploded = game.blast.is_some() && self.king(game, !white).is_none();
            let arrived = game.by_array
                && self.cells.iter().enumerate().any(|(square, cell)| {
                    let is_king = cell.is_some_and(|piece| piece.kind == game.king && piece.white == white);
                    is_king
                        && game.opposing(square, white) == Some(game.king)
                        && self.king(game, white) != Some(square)
                });
            if exploded || arrived {
                return Some((End::Other, Some(flip(white))));
            }
            let on_goal = game
                .goal
                .as_ref()
                .is_some_and(|goal| self.king(game, white).is_some_and(|king| game.has(goal, king, white)));
            let gave_checks = game.checks > 0 && self.checks[side(white)] >= game.checks;
            let has_none = |white: bool| !self.cells.iter().flatten().any(|piece| piece.white == white);
            let none_left = match game.no_pieces {
                Some(wins) => has_none(white == wins),
                None => false,
            };
            if on_goal || gave_checks || none_left {
                return Some((End::Other, Some(flip(white))));
            }
        }
        if stuck {
            let count =
                |white: bool| self.cells.iter().flatten().filter(|piece| piece.white == white).count();
            let winner = match game.stalemate {
                Stalemate::Draw => None,
                Stalemate::Loss => Some(!self.white),
                Stalemate::Win => Some(self.white),
                Stalemate::FewerPieces => match count(true).cmp(&count(false)) {
                    std::cmp::Ordering::Less => Some(true),
                    std::cmp::Ordering::Equal => None,
                    std::cmp::Ordering::Greater => Some(false),
                },
            };
            return Some((End::Stalemate, winner.map(flip)));
        }
        None
    }

    /// True if no one can mate with the material: kings, one knight or bishop, or bishops on squares of one colour.
    pub fn is_dead(&self, game: &Game) -> bool {
        if !game.dead_material
            || game.stalemate != Stalemate::Draw
            || game.has_king != [true, true]
            || game.drops.is_some()
            || self.hands.iter().flatten().any(|count| *count > 0)
        {
            return false;
        }
        let others: Vec<(usize, Piece)> = self
            .cells
            .iter()
            .enumerate()
            .filter_map(|(square, cell)| cell.map(|piece| (square, piece)))
            .filter(|(_, piece)| piece.kind != game.king)
            .collect();
        let is = |letter: &str| others.iter().all(|(_, piece)| game.kinds[piece.kind].letter == letter);
        let dark = |square: usize| (square % game.files + square / game.files).is_multiple_of(2);
        let one_colour = || {
            let first = others.first().map(|(square, _)| dark(*square));
            others.iter().all(|(square, _)| Some(dark(*square)) == first)
        };
        others.is_empty() || others.len() == 1 && (is("N") || is("B")) || is("B") && one_colour()
    }

    /// True if a player has nothing left but a king, and wins by mate only.
    pub fn is_lone(&self, game: &Game, white: bool) -> bool {
        let plain = game.stalemate == Stalemate::Draw
            && !game.misere
            && game.goal.is_none()
            && game.checks == 0
            && game.no_pieces.is_none()
            && game.drops.is_none()
            && self.hands[side(white)].iter().all(|count| *count == 0)
            && matches!(game.repetition, crate::game::Repetition::Fide | crate::game::Repetition::None);
        plain
            && self
                .cells
                .iter()
                .flatten()
                .filter(|piece| piece.white == white)
                .all(|piece| piece.kind == game.king)
    }

    /// The legal ply that coordinates name.
    pub fn named(&self, game: &Game, text: &str) -> Option<Ply> {
        let possible = if game.must_capture { self.plies(game) } else { self.possible(game) };
        let mut fits =
            possible.iter().filter(|ply| name(game, self.white, ply) == text && self.is_legal(game, ply));
        let found = fits.next().copied();
        found.filter(|_| fits.next().is_none())
    }
}

impl Game {
    /// True if moves of pawns restart the count.
    fn counts_pawns(&self) -> bool {
        self.quiet_moves == 0
    }
}

/// A piece of a stock on a square.
fn drop_of(kind: usize, to: usize) -> Ply {
    Ply { from: None, to, kind, promotes: None, rook: None, in_passing: false, gate: None }
}

fn square_name(game: &Game, square: usize) -> String {
    format!("{}{}", (b'a' + (square % game.files) as u8) as char, square / game.files + 1)
}

/// A ply in coordinates.
pub fn name(game: &Game, white: bool, ply: &Ply) -> String {
    let to = square_name(game, ply.to);
    let Some(from) = ply.from else { return format!("{}@{to}", game.kinds[ply.kind].letter) };
    let gate = ply.gate.map_or_else(String::new, |kind| game.kinds[kind].letter.to_lowercase());
    if let (Some(rook), Some(castling)) = (ply.rook, &game.castling)
        && castling.by_rook
    {
        return format!("{}{}", square_name(game, from), square_name(game, rook));
    }
    let promotes = match ply.promotes.map(|kind| game.kinds[kind].letter(white)) {
        None => String::new(),
        Some(letter) if letter.starts_with('+') => "+".to_owned(),
        Some(letter) => letter.to_lowercase(),
    };
    format!("{}{to}{promotes}{gate}", square_name(game, from))
}
