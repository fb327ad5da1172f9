//! A position: the board, what is in hand, and the rights.

use crate::game::Game;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    White,
    Black,
    Nature,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    pub kind: usize,
    pub owner: Owner,
    /// It was a pawn, and is one again when it is captured.
    pub promoted: bool,
}

/// White or Black.
pub fn player(white: bool) -> Owner {
    if white { Owner::White } else { Owner::Black }
}

impl Piece {
    pub fn of(kind: usize, white: bool) -> Piece {
        Piece { kind, owner: player(white), promoted: false }
    }

    /// True if it is White's, or if it is Black's.
    pub fn is(&self, white: bool) -> bool {
        self.owner == player(white)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    pub cells: Vec<Option<Piece>>,
    pub white: bool,
    /// The squares of rooks that may castle.
    pub rights: Vec<usize>,
    /// The squares that a pawn has just passed.
    pub passed: Vec<usize>,
    /// By White and Black, and by kind: in hand, or in reserve.
    pub hands: [Vec<u32>; 2],
    /// What Nature captured and may come back.
    pub returned: [Vec<u32>; 2],
    /// How often each player may still let a piece of the reserve enter.
    pub entries: [u32; 2],
    /// The squares of pieces that stand where they began and have not moved.
    pub unmoved: Vec<usize>,
    /// The squares of pieces that still have their first leap.
    pub leaps: Vec<usize>,
    pub halfmoves: u32,
    pub checks: [u32; 2],
    /// How many of the last plies were passes, up to two.
    pub passes: u32,
    /// Moves counted by a bare king, and their limit.
    pub count: Option<(u32, u32)>,
    /// Plies of the players since Nature's last turn.
    pub clock: u32,
    /// The squares of Nature's pieces that have not moved since they came, and of pawns that made a double step since
    /// her last turn and have not moved since.
    pub fresh: Vec<usize>,
    pub stepped: Vec<usize>,
}

/// What makes positions the same (FIDE 9.2.3): all but the counter, with rights only where they have an effect.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    cells: Vec<Option<Piece>>,
    white: bool,
    stocks: [Vec<u32>; 4],
    numbers: [u32; 6],
    count: Option<(u32, u32)>,
    squares: [Vec<usize>; 6],
}

pub fn side(white: bool) -> usize {
    usize::from(!white)
}

impl Position {
    /// The array of a game.
    pub fn array(game: &Game) -> Result<Position, String> {
        let mut array = Position::read(game, &format!("{} w - - 0 1", game.array))?;
        let stock = game.reserve.as_ref().map_or(&game.hand, |reserve| &reserve.letters);
        for letter in stock.chars() {
            for white in [true, false] {
                let kind =
                    game.kind(&letter.to_string(), white).ok_or_else(|| format!("`{letter}` in stock"))?;
                array.hands[side(white)][kind] += 1;
            }
        }
        if game.reserve.is_some() {
            array.entries = array.hands.each_ref().map(|held| held.iter().sum());
        }
        if game.reserve.as_ref().is_some_and(|reserve| reserve.gates) {
            let back = |square: &usize| {
                [true, false].map(|white| game.board.home(white)).contains(&game.board.row(*square))
            };
            array.unmoved =
                (0..array.cells.len()).filter(back).filter(|square| array.cells[*square].is_some()).collect();
        }
        if game.castling.is_some() {
            array.rights = b"KQkq".iter().filter_map(|right| array.rook_of(game, *right)).collect();
            array.rights.sort_unstable();
        }
        array.leaps = array.leapers(game).into_iter().map(|(square, _)| square).collect();
        Ok(array)
    }

    /// The pieces that have a first leap and stand where they began: square, and whether White's.
    fn leapers(&self, game: &Game) -> Vec<(usize, bool)> {
        let leaps = |square: &usize| {
            let piece = self.cells[*square]?;
            let at_home = game.array_kinds.get(*square).copied().flatten();
            let stays = game.array_kinds.is_empty() || at_home == Some((piece.kind, piece.is(true)));
            (stays && !game.kinds[piece.kind].first_leap.is_empty()).then_some((*square, piece.is(true)))
        };
        (0..self.cells.len()).filter_map(|square| leaps(&square)).collect()
    }

    /// Reads a FEN.
    pub fn read(game: &Game, fen: &str) -> Result<Position, String> {
        let mut fields = fen.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let (board, stock) = board.split_once('[').unwrap_or((board, ""));
        let mut rows: Vec<&str> = board.split('/').collect();
        let ranks = game.board.height - 2 * game.board.frame;
        // The squares beyond the corners, or Lichess's hand, stand after one more stroke.
        let behind = if rows.len() == ranks + 1 { rows.pop().unwrap_or_default() } else { "" };
        if rows.len() != ranks {
            return Err(format!("{} ranks in `{fen}`", rows.len()));
        }
        let mut cells = vec![None; game.board.size()];
        for (row, rank) in rows.iter().zip((0..ranks).rev()) {
            let first = (rank + game.board.frame) * game.board.width + game.board.frame;
            let squares: Vec<usize> = (first..first + game.board.width - 2 * game.board.frame).collect();
            fill(game, row, &squares, &mut cells)?;
        }
        if game.board.frame > 0 {
            fill(game, behind, &game.board.corners(), &mut cells)?;
        }
        let white = match fields.next() {
            None | Some("w") => true,
            Some("b") => false,
            Some(other) => return Err(format!("turn `{other}`")),
        };
        let mut position = Position {
            cells,
            white,
            rights: Vec::new(),
            passed: Vec::new(),
            hands: [vec![0; game.kinds.len()], vec![0; game.kinds.len()]],
            returned: [vec![0; game.kinds.len()], vec![0; game.kinds.len()]],
            entries: [0, 0],
            unmoved: Vec::new(),
            leaps: Vec::new(),
            halfmoves: 0,
            checks: [0, 0],
            passes: 0,
            count: None,
            clock: 0,
            fresh: Vec::new(),
            stepped: Vec::new(),
        };
        let hand = if game.board.frame > 0 { "" } else { behind };
        // Where a game has a reserve, what has come back stands behind it in brackets of its own.
        let (stock, returned) = match stock.trim_end_matches(']').split_once("][") {
            Some((stock, returned)) => (stock, returned),
            None if game.returns() && game.reserve.is_none() => ("", stock.trim_end_matches(']')),
            None => (stock.trim_end_matches(']'), ""),
        };
        position.hands = counted(game, stock.bytes().chain(hand.bytes()))?;
        position.returned = counted(game, returned.bytes())?;
        position.read_rights(game, fields.next().unwrap_or("-"))?;
        position.passed = game.board.squares(fields.next().unwrap_or("-"));
        if game.reserve.is_some() {
            position.entries = position.hands.each_ref().map(|held| held.iter().sum());
        }
        position.count = position.starts_count(game);
        for field in fields {
            position.read_field(game, field);
        }
        // The last number is that of the move.
        let counters: Vec<u32> =
            fen.split_whitespace().skip(4).filter_map(|field| field.parse().ok()).collect();
        position.halfmoves = if counters.len() > 1 { counters[0] } else { 0 };
        Ok(position)
    }

    fn read_field(&mut self, game: &Game, field: &str) {
        let number = |text: &str| text.parse::<u32>().unwrap_or(0);
        if let Some(marked) = field.strip_prefix('+') {
            if let Some((white, black)) = marked.split_once(',') {
                self.entries = [number(white), number(black)];
            } else if let Some((white, black)) = marked.split_once('+') {
                self.checks = [number(white), number(black)];
            }
        } else if let Some(natures) = field.strip_prefix('~') {
            let mut lists = natures.split(':');
            self.clock = number(lists.next().unwrap_or_default());
            self.fresh = game.board.squares(lists.next().unwrap_or_default());
            self.stepped = game.board.squares(lists.next().unwrap_or_default());
        } else if let Some((made, limit)) = field.split_once('/') {
            self.count = Some((number(made), number(limit)));
        } else if field == "pass" {
            self.passes = 1;
        }
    }

    fn read_rights(&mut self, game: &Game, rights: &str) -> Result<(), String> {
        let gates = game.reserve.as_ref().is_some_and(|reserve| reserve.gates);
        let leapers = self.leapers(game);
        for right in rights.bytes().filter(|right| *right != b'-') {
            let white = right.is_ascii_uppercase();
            let file = usize::from(right.to_ascii_uppercase().wrapping_sub(b'A')) + game.board.frame;
            if gates && file < game.board.width {
                self.unmoved.push(game.board.home(white) * game.board.width + file);
                continue;
            }
            let leaps =
                leapers.iter().find(|(square, of)| *of == white && game.board.column(*square) == file);
            if let Some((square, _)) = leaps {
                self.leaps.push(*square);
                continue;
            }
            let rook = self.rook_of(game, right).ok_or_else(|| format!("right `{}`", right as char))?;
            self.rights.push(rook);
            if gates {
                // Who may castle has moved neither of both.
                self.unmoved.extend([Some(rook), self.king(game, white)].into_iter().flatten());
            }
        }
        for list in [&mut self.unmoved, &mut self.rights, &mut self.leaps] {
            list.sort_unstable();
            list.dedup();
        }
        Ok(())
    }

    /// The rook of a castling right in a FEN.
    fn rook_of(&self, game: &Game, right: u8) -> Option<usize> {
        let castling = game.castling.as_ref()?;
        let white = right.is_ascii_uppercase();
        let king = self.king(game, white)?;
        let row = game.board.home(white);
        if game.board.row(king) != row {
            return None;
        }
        let first = row * game.board.width;
        let mut rooks = (first..first + game.board.width).filter(|square| {
            self.cells[*square]
                .is_some_and(|piece| piece.kind == castling.rook[side(white)] && piece.is(white))
        });
        match right.to_ascii_uppercase() {
            b'K' => rooks.rfind(|rook| *rook > king),
            b'Q' => rooks.find(|rook| *rook < king),
            file => {
                let wanted = first + usize::from(file.checked_sub(b'A')?) + game.board.frame;
                rooks.find(|rook| *rook == wanted)
            }
        }
    }

    /// The king of a player: not a pawn that has become one and won.
    pub fn king(&self, game: &Game, white: bool) -> Option<usize> {
        let is_own = |square: &usize| {
            self.cells[*square].is_some_and(|piece| piece.kind == game.king && piece.is(white))
        };
        let arrived = |square: &usize| game.by_array && game.opposing(*square, white) == Some(game.king);
        let mut kings = (0..self.cells.len()).filter(is_own);
        let first = kings.next()?;
        match kings.next() {
            Some(second) if arrived(&first) => Some(second),
            _ => Some(first),
        }
    }

    /// True if a player has a king and nothing else, on the board or in hand.
    pub fn is_bare(&self, game: &Game, white: bool) -> bool {
        let mut own = self.cells.iter().flatten().filter(|piece| piece.is(white));
        let stocks = [&self.hands, &self.returned].map(|stocks| &stocks[side(white)]);
        own.all(|piece| piece.kind == game.king) && stocks.into_iter().flatten().all(|count| *count == 0)
    }

    /// The count with which a bare king begins, where no pawn is left: its first number less one, and the limit.
    pub fn starts_count(&self, game: &Game) -> Option<(u32, u32)> {
        let bare = [true, false].map(|white| self.is_bare(game, white));
        let pawns = self.cells.iter().flatten().any(|piece| game.kinds[piece.kind].pawn);
        let natures = self.cells.iter().flatten().any(|piece| piece.owner == Owner::Nature);
        if !game.counts_bare || pawns || natures || bare[0] == bare[1] {
            return None;
        }
        let stronger = bare[1];
        let has = |letter: &str, least: usize| {
            let own = self.cells.iter().flatten().filter(|piece| piece.is(stronger));
            own.filter(|piece| game.kinds[piece.kind].letter == letter).count() >= least
        };
        let limits = [("R", 2, 8), ("R", 1, 16), ("S", 2, 22), ("N", 2, 32), ("S", 1, 44)].into_iter();
        let limit = limits.filter(|(letter, least, _)| has(letter, *least)).map(|limit| limit.2).next();
        Some((self.cells.iter().flatten().count() as u32, limit.unwrap_or(64)))
    }

    /// The squares whose pieces let another one in when they leave: of players who have one to let in.
    fn gating(&self, game: &Game) -> Vec<usize> {
        let has_any = |white: bool| {
            self.entries[side(white)] > 0 && self.hands[side(white)].iter().any(|count| *count > 0)
        };
        let waits = |square: &usize| self.cells[*square].is_some_and(|piece| has_any(piece.is(true)));
        if game.reserve.is_none() { Vec::new() } else { self.unmoved.iter().copied().filter(waits).collect() }
    }

    /// The position as far as repetition goes: a right to capture in passing counts where such a capture is legal, and
    /// where Nature may free it, where a pawn stands ready.
    pub fn identity(&self, game: &Game) -> Identity {
        let possible = if game.nature.is_some() { self.possible(game) } else { self.plies(game) };
        let captures = |square: &&usize| possible.iter().any(|ply| ply.in_passing && ply.to == **square);
        let mut cells = self.cells.clone();
        if !game.reverts {
            cells.iter_mut().flatten().for_each(|piece| piece.promoted = false);
        }
        let (fresh, stepped) = self.natures_rights(game);
        let [white, black] = if game.checks > 0 { self.checks } else { [0, 0] };
        Identity {
            cells,
            white: self.white,
            stocks: [
                self.hands[0].clone(),
                self.hands[1].clone(),
                self.returned[0].clone(),
                self.returned[1].clone(),
            ],
            numbers: [self.entries[0], self.entries[1], white, black, self.passes, self.clock],
            count: self.count,
            squares: [
                self.rights.clone(),
                self.passed.iter().filter(captures).copied().collect(),
                self.gating(game),
                self.leaps.clone(),
                fresh,
                stepped,
            ],
        }
    }
}

/// How many of each kind the letters of a stock name, White's first.
fn counted(game: &Game, letters: impl Iterator<Item = u8>) -> Result<[Vec<u32>; 2], String> {
    let mut stocks = [vec![0; game.kinds.len()], vec![0; game.kinds.len()]];
    for letter in letters {
        let white = letter.is_ascii_uppercase();
        let kind = game.kind(&(letter.to_ascii_uppercase() as char).to_string(), white);
        stocks[side(white)][kind.ok_or_else(|| format!("`{}` in hand", letter as char))?] += 1;
    }
    Ok(stocks)
}

/// Reads a row of a FEN into its squares.
fn fill(game: &Game, row: &str, squares: &[usize], cells: &mut [Option<Piece>]) -> Result<(), String> {
    let bytes = row.as_bytes();
    let (mut at, mut place) = (0, 0);
    while at < bytes.len() {
        if bytes[at].is_ascii_digit() {
            // The squares beyond the corners are written one by one.
            let end = (at..bytes.len()).find(|end| !bytes[*end].is_ascii_digit()).unwrap_or(bytes.len());
            let end = if squares == game.board.corners() { at + 1 } else { end };
            place += row[at..end].parse::<usize>().map_err(|_| format!("`{row}`"))?;
            at = end;
            continue;
        }
        let natures = bytes[at] == b'*';
        at += usize::from(natures);
        let plus = if bytes.get(at) == Some(&b'+') { "+" } else { "" };
        at += plus.len();
        let letter = *bytes.get(at).ok_or_else(|| format!("`{row}`"))?;
        let white = letter.is_ascii_uppercase();
        let foreign = if bytes.get(at + 1) == Some(&b'\'') { "'" } else { "" };
        let name = format!("{plus}{}{foreign}", letter.to_ascii_uppercase() as char);
        let kind = game.kind(&name, white).ok_or_else(|| format!("piece `{}`", letter as char))?;
        at += 1 + foreign.len();
        let promoted = bytes.get(at) == Some(&b'~');
        at += usize::from(promoted);
        let owner = if natures { Owner::Nature } else { player(white) };
        let square = squares.get(place).ok_or_else(|| format!("`{row}`"))?;
        cells[*square] = Some(Piece { kind, owner, promoted });
        place += 1;
    }
    if place == squares.len() { Ok(()) } else { Err(format!("`{row}` has {place} squares")) }
}
