//! Legal plies, by making every one that a piece could make and looking whether its king can be taken then; coordinates.

use crate::betza::Mover;
use crate::board::Region;
use crate::game::{Castling, Drops, Game, Part};
use crate::position::{Owner, Piece, Position, player, side};

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
    /// It enters on the square of the castling rook.
    pub gates_at_rook: bool,
    /// The square of another piece, and what it becomes with the step of a pawn.
    pub rises: Option<(usize, usize)>,
    /// Nothing is moved; both squares are the king's.
    pub pass: bool,
    pub natures: bool,
    /// A drop of what Nature captured.
    pub returns: bool,
    /// The pawn beside Nature's that she captures in passing.
    pub beside: Option<usize>,
}

impl Ply {
    /// A piece of a stock on a square.
    pub fn drop_of(kind: usize, to: usize) -> Ply {
        Ply {
            from: None,
            to,
            kind,
            promotes: None,
            rook: None,
            in_passing: false,
            gate: None,
            gates_at_rook: false,
            rises: None,
            pass: false,
            natures: false,
            returns: false,
            beside: None,
        }
    }

    /// A piece to a square.
    pub fn step(from: usize, to: usize, kind: usize) -> Ply {
        Ply { from: Some(from), ..Ply::drop_of(kind, to) }
    }

    pub fn by_nature(self) -> Ply {
        Ply { natures: true, ..self }
    }
}

impl Position {
    /// Squares that a mover of a piece on `from` reaches: quiet ones, and occupied ones that it captures on, whoever
    /// stands there.
    pub fn reach(&self, game: &Game, from: usize, white: bool, mover: &Mover) -> (Vec<usize>, Vec<usize>) {
        let (mut quiet, mut captures) = (Vec::new(), Vec::new());
        // Black sits on the other side of the board.
        let (dx, dy) = if white { (mover.dx, mover.dy) } else { (-mover.dx, -mover.dy) };
        if mover.lame && !self.way_is_free(game, from, dx, dy) {
            return (quiet, captures);
        }
        // What it neither goes over nor captures.
        let shuns = |piece: Piece| {
            let own = self.cells[from].and_then(|own| game.kinds[own.kind].hurdle_not.as_deref());
            own == Some(game.kinds[piece.kind].letter.as_str())
        };
        let most = if mover.range == 0 { i32::MAX } else { mover.range as i32 };
        let mut hurdles = 0;
        let mut steps = 1;
        while steps <= most
            && let Some(to) = game.board.beside(from, dx * steps, dy * steps)
        {
            let needed = u32::from(mover.hops);
            match self.cells[to] {
                None if hurdles == needed && mover.moves => quiet.push(to),
                None => {}
                Some(piece) if shuns(piece) => break,
                Some(_) if hurdles == needed => {
                    if mover.captures {
                        captures.push(to);
                    }
                    break;
                }
                Some(_) => hurdles += 1,
            }
            steps += 1;
        }
        (quiet, captures)
    }

    /// True if the squares are vacant that a lame leap goes through: one orthogonal step, or a diagonal one where the
    /// leap is diagonal, then diagonal ones.
    fn way_is_free(&self, game: &Game, from: usize, dx: i32, dy: i32) -> bool {
        let (mut x, mut y) = match dx.abs().cmp(&dy.abs()) {
            std::cmp::Ordering::Greater => (dx.signum(), 0),
            std::cmp::Ordering::Less => (0, dy.signum()),
            std::cmp::Ordering::Equal => (dx.signum(), dy.signum()),
        };
        while (x, y) != (dx, dy) {
            let free = game.board.beside(from, x, y).is_some_and(|square| self.cells[square].is_none());
            if !free {
                return false;
            }
            (x, y) = (x + dx.signum(), y + dy.signum());
        }
        true
    }

    /// The squares of a player's pieces that attack a square on which the other's king is, or could be.
    pub fn attackers(&self, game: &Game, by_white: bool, target: usize) -> Vec<usize> {
        let found = |position: &Position| -> Vec<usize> {
            let hits = |from: &usize| position.hits(game, by_white, *from, target);
            (0..self.cells.len()).filter(hits).collect()
        };
        self.with_king_on(game, !by_white, target, found)
    }

    /// True if a player attacks a square on which the other's king is, or could be.
    pub fn attacks(&self, game: &Game, by_white: bool, target: usize) -> bool {
        let any = |position: &Position| {
            (0..self.cells.len()).any(|from| position.hits(game, by_white, from, target))
        };
        self.with_king_on(game, !by_white, target, any)
    }

    /// Looks at the position as it would be with a king on a vacant square.
    fn with_king_on<T>(&self, game: &Game, white: bool, target: usize, look: impl Fn(&Position) -> T) -> T {
        if self.cells[target].is_some() {
            return look(self);
        }
        let mut with_king = self.clone();
        with_king.cells[target] = Some(Piece::of(game.king, white));
        look(&with_king)
    }

    /// True if a player's piece attacks what stands on a square.
    fn hits(&self, game: &Game, by_white: bool, from: usize, target: usize) -> bool {
        let Some(piece) = self.cells[from].filter(|piece| piece.is(by_white)) else { return false };
        let kind = &game.kinds[piece.kind];
        let hits = |mover: &Mover| self.captures_on(game, from, by_white, mover, target);
        let bound = |region: &Option<Region>, square| {
            region.as_ref().is_none_or(|region| game.has(region, square, by_white))
        };
        let by_part =
            |part: &Part| bound(&part.from, from) && bound(&part.to, target) && part.movers.iter().any(hits);
        !kind.anti_royal && (kind.parts.iter().any(by_part) || kind.on_king.iter().any(hits))
    }

    /// True if a mover of a piece captures on a square.
    fn captures_on(&self, game: &Game, from: usize, white: bool, mover: &Mover, target: usize) -> bool {
        let (dx, dy) = if white { (mover.dx, mover.dy) } else { (-mover.dx, -mover.dy) };
        let columns = game.board.column(target) as i32 - game.board.column(from) as i32;
        let rows = game.board.row(target) as i32 - game.board.row(from) as i32;
        // It goes in one direction only.
        let on_way = columns * dy == rows * dx && columns * dx + rows * dy > 0;
        mover.captures && on_way && self.reach(game, from, white, mover).1.contains(&target)
    }

    /// True if Nature attacks a square.
    fn nature_attacks(&self, game: &Game, target: usize) -> bool {
        let mut occupied = self.clone();
        occupied.cells[target].get_or_insert(Piece::of(game.king, true));
        (0..self.cells.len()).any(|from| {
            occupied.cells[from].is_some_and(|piece| {
                let hits = |mover: &Mover| occupied.captures_on(game, from, true, mover, target);
                piece.owner == Owner::Nature && game.kinds[piece.kind].of_nature.iter().any(hits)
            })
        })
    }

    /// True if a king of a player would be in check on a square, by Nature too if her attacks count.
    fn threatened(&self, game: &Game, white: bool, square: usize, by_nature: bool) -> bool {
        self.attacks(game, !white, square) || by_nature && self.nature_attacks(game, square)
    }

    pub fn in_check(&self, game: &Game, white: bool) -> bool {
        self.checked(game, white, self.nature_checks(game))
    }

    pub fn checked(&self, game: &Game, white: bool, by_nature: bool) -> bool {
        let Some(king) = self.king(game, white) else { return false };
        // Where captures explode, neither of two neighbouring kings is in check.
        let shielded = game.blast.is_some()
            && self.king(game, !white).is_some_and(|other| {
                game.board.column(king).abs_diff(game.board.column(other)) <= 1
                    && game.board.row(king).abs_diff(game.board.row(other)) <= 1
            });
        !shielded && self.threatened(game, white, king, by_nature)
    }

    /// True if a piece of a player's that must stand where the opponent attacks does not: no king feeds it.
    pub fn unfed(&self, game: &Game, white: bool) -> bool {
        let is_own = |piece: &Piece| piece.is(white) && game.kinds[piece.kind].anti_royal;
        let place = self.cells.iter().position(|cell| cell.as_ref().is_some_and(is_own));
        place.is_some_and(|place| {
            let attackers = self.attackers(game, !white, place);
            attackers.iter().all(|from| self.cells[*from].is_some_and(|piece| piece.kind == game.king))
        })
    }

    /// True if the kings face each other on a file, where that matters.
    pub fn faces(&self, game: &Game) -> bool {
        let kings = [true, false].map(|white| self.king(game, white));
        let [Some(one), Some(other)] = kings else { return false };
        let between = one.min(other) + game.board.width..one.max(other);
        game.bikjang
            && game.board.column(one) == game.board.column(other)
            && between.step_by(game.board.width).all(|square| self.cells[square].is_none())
    }

    /// The plies that pieces could make, whether or not they leave their king attacked.
    pub fn possible(&self, game: &Game) -> Vec<Ply> {
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
            if let Some(piece) = cell.filter(|piece| piece.is(self.white)) {
                self.of_piece(game, from, piece, &mut found);
            }
        }
        self.drops(game, &mut found);
        if let Some(region) = game.reserve.as_ref().and_then(|reserve| reserve.drops.as_ref()) {
            self.enter(game, region, &mut found);
        }
        if let Some(castling) = &game.castling {
            self.castlings(game, castling, &mut found);
        }
        self.gates(game, &mut found);
        self.others(game, &mut found);
        found
    }

    /// First leaps, pieces replaced by others, pieces that come back from hand, and a pass.
    fn others(&self, game: &Game, found: &mut Vec<Ply>) {
        for from in 0..self.cells.len() {
            let Some(piece) = self.cells[from].filter(|piece| piece.is(self.white)) else { continue };
            if self.leaps.contains(&from) {
                for mover in &game.kinds[piece.kind].first_leap {
                    let (quiet, _) = self.reach(game, from, self.white, mover);
                    found.extend(quiet.into_iter().map(|to| Ply::step(from, to, piece.kind)));
                }
            }
            if let Some((_, to)) = game.switch.filter(|(of, _)| *of == piece.kind) {
                found.push(Ply { promotes: Some(to), ..Ply::step(from, from, piece.kind) });
            }
        }
        if game.returns() {
            for (kind, count) in self.returned[side(self.white)].iter().enumerate() {
                let own_array = |square: &usize| game.array_kinds[*square] == Some((kind, self.white));
                let open = |square: &usize| {
                    self.cells[*square].is_none_or(|other| {
                        !other.is(self.white) && (other.owner == Owner::Nature || other.kind != game.king)
                    })
                };
                if *count > 0 {
                    let squares = (0..self.cells.len()).filter(own_array).filter(open);
                    found.extend(squares.map(|to| Ply { returns: true, ..Ply::drop_of(kind, to) }));
                }
            }
        }
        if let Some(king) = self.king(game, self.white).filter(|_| game.passes) {
            found.push(Ply { pass: true, ..Ply::step(king, king, game.king) });
        }
    }

    /// True if a possible ply is legal.
    fn is_legal(&self, game: &Game, ply: &Ply) -> bool {
        if ply.pass {
            // It ends a game in which the kings face each other, in check too.
            return self.faces(game) || !self.in_check(game, self.white);
        }
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
        // Whether Nature's attacks count is what it was before the ply.
        if after.checked(game, self.white, self.nature_checks(game)) || after.unfed(game, self.white) {
            return false;
        }
        if game.check_forbidden && after.checked(game, after.white, false) {
            return false;
        }
        if self.faces(game) && after.faces(game) {
            return false;
        }
        if ply.gate.is_some() && game.reserve.as_ref().is_some_and(|reserve| !reserve.may_block) {
            let without = Ply { gate: None, ..*ply };
            return self.is_legal(game, &without);
        }
        let drops_pawn = ply.from.is_none() && game.kinds[ply.kind].pawn;
        let may_mate = game.drops.as_ref().is_none_or(|drops| drops.pawn_mates);
        if !drops_pawn || may_mate {
            return true;
        }
        !after.in_check(game, after.white) || after.has_ply(game)
    }

    /// The legal plies of the player on move, and of Nature if she may come between.
    pub fn plies(&self, game: &Game) -> Vec<Ply> {
        let mut found = self.possible(game);
        found.retain(|ply| self.is_legal(game, ply));
        if game.must_capture && found.iter().any(|ply| self.captures(ply)) {
            found.retain(|ply| self.captures(ply));
        }
        // Where the player has no ply the game is over.
        if !found.is_empty() {
            found.extend(self.natures_plies(game));
        }
        found
    }

    fn captures(&self, ply: &Ply) -> bool {
        ply.in_passing || ply.from.is_some() && ply.rook.is_none() && self.cells[ply.to].is_some()
    }

    pub fn has_ply(&self, game: &Game) -> bool {
        self.possible(game).iter().any(|ply| self.is_legal(game, ply))
    }

    fn of_piece(&self, game: &Game, from: usize, piece: Piece, found: &mut Vec<Ply>) {
        let kind = &game.kinds[piece.kind];
        let mut targets: Vec<usize> = Vec::new();
        for part in &kind.parts {
            let bound = |region: &Option<Vec<bool>>, square| {
                region.as_ref().is_none_or(|region| game.has(region, square, piece.is(true)))
            };
            if !bound(&part.from, from) {
                continue;
            }
            for mover in &part.movers {
                let (quiet, captures) = self.reach(game, from, piece.is(true), mover);
                let takes = |to: &usize| {
                    self.cells[*to].is_some_and(|other| match other.owner {
                        Owner::Nature => !kind.anti_royal,
                        _ => {
                            other.is(piece.is(true)) == kind.anti_royal
                                && other.kind != game.king
                                && !game.kinds[other.kind].anti_royal
                        }
                    })
                };
                let all = quiet.into_iter().chain(captures.into_iter().filter(takes));
                targets.extend(all.filter(|to| bound(&part.to, *to)));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        let step = |to: usize| Ply::step(from, to, piece.kind);
        for to in targets {
            self.promoted(game, step(to), piece.is(true), found);
        }
        if !kind.pawn {
            return;
        }
        let white = piece.is(true);
        let forward = |square: usize| game.board.beside(square, 0, if white { 1 } else { -1 });
        if game.has(&game.double_step, from, white) {
            let vacant = |square: &usize| self.cells[*square].is_none();
            let ahead = std::iter::successors(forward(from), |square| forward(*square));
            let free = ahead.take(game.first_step).take_while(vacant);
            found.extend(free.skip(1).map(step));
        }
        for &passed in self.passed.iter().filter(|_| game.en_passant) {
            let ahead = forward(from).is_some_and(|ahead| {
                game.board.row(ahead) == game.board.row(passed) && ahead.abs_diff(passed) == 1
            });
            if ahead && self.cells[passed].is_none() {
                self.promoted(game, Ply { in_passing: true, ..step(passed) }, white, found);
            }
        }
    }

    /// A step with each piece that it may become.
    fn promoted(&self, game: &Game, step: Ply, white: bool, found: &mut Vec<Ply>) {
        let rising = game.rising.as_ref().filter(|rising| game.has(&rising.zone, step.to, white));
        if let Some(rising) = rising.filter(|_| game.kinds[step.kind].pawn) {
            let waits = Piece { kind: rising.of, owner: player(white), promoted: false };
            let is_one = |square: &usize| {
                self.cells[*square].is_some_and(|piece| Piece { promoted: false, ..piece } == waits)
            };
            let before = found.len();
            for square in (0..self.cells.len()).filter(is_one) {
                found.extend(rising.to.iter().map(|kind| Ply { rises: Some((square, *kind)), ..step }));
            }
            if found.len() > before {
                return;
            }
        }
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
    pub fn first_on(&self, game: &Game) -> Option<Vec<bool>> {
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
                found.extend((0..self.cells.len()).filter(vacant).map(|to| Ply::drop_of(kind, to)));
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
                    && !(game.kinds[kind].pawn && self.shares_file(game, drops, kind, to))
                    && !(kind == game.king && self.threatened(game, self.white, to, self.nature_checks(game)))
                {
                    found.push(Ply::drop_of(kind, to));
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
            let castles = ply.rook.is_some();
            if castles && !game.reserve.as_ref().is_some_and(|reserve| reserve.with_castling) {
                continue;
            }
            for kind in waiting.iter().map(|kind| Ply { gate: Some(*kind), ..ply }) {
                found.push(kind);
                if castles {
                    found.push(Ply { gates_at_rook: true, ..kind });
                }
            }
        }
    }

    /// True if a player began with more of a kind than stand on the board and wait.
    pub fn captured(&self, game: &Game, white: bool, kind: usize, waits: u32) -> bool {
        let reserve = game.reserve.as_ref().map_or("", |reserve| reserve.letters.as_str());
        let own = game.kinds[kind].letter(white);
        let array = game.array_kinds.iter().filter(|cell| **cell == Some((kind, white))).count();
        let waited = reserve.chars().filter(|letter| own == letter.to_string()).count();
        let stands =
            self.cells.iter().flatten().filter(|piece| piece.kind == kind && piece.is(white)).count();
        array + waited > stands + (waits + self.returned[side(white)][kind]) as usize
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

    /// True if another pawn of the player stands on the file of a square, where that hinders a pawn's drop.
    fn shares_file(&self, game: &Game, drops: &Drops, kind: usize, to: usize) -> bool {
        let file = (game.board.column(to)..self.cells.len()).step_by(game.board.width);
        let own = Piece::of(kind, self.white);
        !drops.pawns_share_files && file.into_iter().any(|square| self.cells[square] == Some(own))
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
                if allowed && !(own.pawn && self.shares_file(game, drops, kind, to)) {
                    found.push(Ply::drop_of(kind, to));
                }
            }
        }
    }

    fn castlings(&self, game: &Game, castling: &Castling, found: &mut Vec<Ply>) {
        let Some(king) = self.king(game, self.white) else { return };
        let own = side(self.white);
        let row = game.board.home(self.white);
        if self.in_check(game, self.white) {
            return;
        }
        for &rook in self.rights.iter().filter(|rook| game.board.row(**rook) == row) {
            if self.cells[rook].is_none_or(|piece| piece.kind != castling.rook[own] || !piece.is(self.white))
            {
                continue;
            }
            let castled = if rook > king { castling.king_side } else { castling.queen_side };
            let (king_to, rook_to) =
                (row * game.board.width + castled.king, row * game.board.width + castled.rook);
            let between = |a: usize, b: usize| a.min(b)..=a.max(b);
            let mut bare = self.clone();
            bare.cells[king] = None;
            bare.cells[rook] = None;
            let vacant = between(king, king_to)
                .chain(between(rook, rook_to))
                .all(|square| bare.cells[square].is_none());
            let mut lifted = self.clone();
            lifted.cells[king] = None;
            let by_nature = self.nature_checks(game);
            let safe = between(king, king_to)
                .all(|square| square == king_to || !lifted.threatened(game, self.white, square, by_nature));
            if vacant && safe {
                found.push(Ply { rook: Some(rook), ..Ply::step(king, king_to, game.king) });
            }
        }
    }

    /// The legal ply that coordinates name.
    pub fn named(&self, game: &Game, text: &str) -> Option<Ply> {
        let mut fits = self.possible(game);
        fits.retain(|ply| name(game, self.white, ply) == text && self.is_legal(game, ply));
        if text.starts_with('~') || game.must_capture {
            fits = self.plies(game).into_iter().filter(|ply| name(game, self.white, ply) == text).collect();
        }
        match fits.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// A ply in coordinates.
pub fn name(game: &Game, white: bool, ply: &Ply) -> String {
    let square = |square: usize| game.board.name(square);
    let to = square(ply.to);
    let nature = if ply.natures { "~" } else { "" };
    let Some(from) = ply.from else { return format!("{nature}{}@{to}", game.kinds[ply.kind].letter) };
    let gate = ply.gate.map_or_else(String::new, |kind| game.kinds[kind].letter.to_lowercase());
    if let (Some(rook), Some(castling)) = (ply.rook, &game.castling)
        && !ply.natures
        && (castling.by_rook || ply.gates_at_rook)
    {
        return match ply.gates_at_rook {
            true => format!("{}{}{gate}", square(rook), square(from)),
            false => format!("{}{}{gate}", square(from), square(rook)),
        };
    }
    let promotes = match ply.promotes.map(|kind| game.kinds[kind].letter(white || ply.natures)) {
        None => String::new(),
        Some(letter) if letter.starts_with('+') => "+".to_owned(),
        Some(letter) => letter.to_lowercase(),
    };
    let beside = ply.beside.map_or_else(String::new, |pawn| format!("x{}", square(pawn)));
    let rises = ply.rises.map_or_else(String::new, |(place, kind)| {
        format!("{}{}", game.kinds[kind].letter.to_lowercase(), square(place))
    });
    format!("{nature}{}{to}{beside}{promotes}{rises}{gate}", square(from))
}
