//! A position: the board, what is in hand, and the rights.

use crate::game::Game;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    pub kind: usize,
    pub white: bool,
    /// It was a pawn, and is one again when it is captured.
    pub promoted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    pub cells: Vec<Option<Piece>>,
    pub white: bool,
    /// The squares of rooks that may castle.
    pub rights: Vec<usize>,
    /// The square that a pawn has just passed.
    pub passed: Option<usize>,
    /// By White and Black, and by kind: in hand, or in reserve.
    pub hands: [Vec<u32>; 2],
    /// How often each player may still let a piece of the reserve enter.
    pub entries: [u32; 2],
    /// The squares of pieces that stand where they began and have not moved.
    pub unmoved: Vec<usize>,
    pub halfmoves: u32,
    pub checks: [u32; 2],
}

/// What makes positions the same (FIDE 9.2.3).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    cells: Vec<Option<Piece>>,
    white: bool,
    rights: Vec<usize>,
    passed: Option<usize>,
    hands: [Vec<u32>; 2],
    unmoved: Vec<usize>,
    entries: [u32; 2],
    checks: [u32; 2],
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
            let back = |square: &usize| *square < game.files || *square >= game.files * (game.ranks - 1);
            array.unmoved =
                (0..array.cells.len()).filter(back).filter(|square| array.cells[*square].is_some()).collect();
        }
        if game.castling.is_some() {
            array.rights = b"KQkq".iter().filter_map(|right| array.rook_of(game, *right)).collect();
            array.rights.sort_unstable();
        }
        Ok(array)
    }

    /// Reads a FEN.
    pub fn read(game: &Game, fen: &str) -> Result<Position, String> {
        let mut fields = fen.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let (board, stock) = board.split_once('[').unwrap_or((board, ""));
        let mut rows: Vec<&str> = board.split('/').collect();
        // Lichess has the hand after one more stroke.
        let behind = if rows.len() == game.ranks + 1 { rows.pop().unwrap_or_default() } else { "" };
        if rows.len() != game.ranks {
            return Err(format!("{} ranks in `{fen}`", rows.len()));
        }
        let mut cells = vec![None; game.files * game.ranks];
        for (row, rank) in rows.iter().zip((0..game.ranks).rev()) {
            let bytes = row.as_bytes();
            let (mut at, mut file) = (0, 0);
            while at < bytes.len() {
                if bytes[at].is_ascii_digit() {
                    let end =
                        (at..bytes.len()).find(|end| !bytes[*end].is_ascii_digit()).unwrap_or(bytes.len());
                    file += row[at..end].parse::<usize>().map_err(|_| format!("`{row}`"))?;
                    at = end;
                    continue;
                }
                let plus = if bytes[at] == b'+' { "+" } else { "" };
                at += plus.len();
                let letter = *bytes.get(at).ok_or_else(|| format!("`{row}`"))?;
                let white = letter.is_ascii_uppercase();
                let foreign = if bytes.get(at + 1) == Some(&b'\'') { "'" } else { "" };
                let name = format!("{plus}{}{foreign}", letter.to_ascii_uppercase() as char);
                let kind = game.kind(&name, white).ok_or_else(|| format!("piece `{}`", letter as char))?;
                at += 1 + foreign.len();
                let promoted = bytes.get(at) == Some(&b'~');
                at += usize::from(promoted);
                let cell = cells.get_mut(rank * game.files + file).filter(|_| file < game.files);
                *cell.ok_or_else(|| format!("`{row}`"))? =
                    Some(Piece { kind, white: letter.is_ascii_uppercase(), promoted });
                file += 1;
            }
            if file != game.files {
                return Err(format!("`{row}` has {file} squares"));
            }
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
            passed: None,
            hands: [vec![0; game.kinds.len()], vec![0; game.kinds.len()]],
            entries: [0, 0],
            unmoved: Vec::new(),
            halfmoves: 0,
            checks: [0, 0],
        };
        for letter in stock.trim_end_matches(']').bytes().chain(behind.bytes()) {
            let kind =
                game.kind(&(letter.to_ascii_uppercase() as char).to_string(), letter.is_ascii_uppercase());
            let kind = kind.ok_or_else(|| format!("`{}` in hand", letter as char))?;
            position.hands[side(letter.is_ascii_uppercase())][kind] += 1;
        }
        let rights = fields.next().unwrap_or("-");
        let gates = game.reserve.as_ref().is_some_and(|reserve| reserve.gates);
        for right in rights.bytes().filter(|right| *right != b'-') {
            let white = right.is_ascii_uppercase();
            let rank = if white { 0 } else { game.ranks - 1 };
            let file = usize::from(right.to_ascii_uppercase().wrapping_sub(b'A'));
            if gates && file < game.files {
                position.unmoved.push(rank * game.files + file);
                continue;
            }
            let rook = position.rook_of(game, right).ok_or_else(|| format!("right `{}`", right as char))?;
            position.rights.push(rook);
            if gates {
                // Who may castle has moved neither of both.
                position.unmoved.extend([Some(rook), position.king(game, white)].into_iter().flatten());
            }
        }
        position.unmoved.sort_unstable();
        position.unmoved.dedup();
        position.rights.sort_unstable();
        let passed = fields.next().unwrap_or("-");
        position.passed = if passed == "-" { None } else { square(game, passed).map(|(square, _)| square) };
        if game.reserve.is_some() {
            position.entries = position.hands.each_ref().map(|held| held.iter().sum());
        }
        for field in fields {
            if let Some((white, black)) = field.strip_prefix('+').and_then(|field| field.split_once(',')) {
                position.entries = [white.parse().unwrap_or(0), black.parse().unwrap_or(0)];
            }
            if let Some((white, black)) = field.strip_prefix('+').and_then(|field| field.split_once('+')) {
                position.checks = [white.parse().unwrap_or(0), black.parse().unwrap_or(0)];
            }
        }
        // The last number is that of the move.
        let counters: Vec<u32> =
            fen.split_whitespace().skip(4).filter_map(|field| field.parse().ok()).collect();
        position.halfmoves = if counters.len() > 1 { counters[0] } else { 0 };
        Ok(position)
    }

    /// The rook of a castling right in a FEN.
    fn rook_of(&self, game: &Game, right: u8) -> Option<usize> {
        let castling = game.castling.as_ref()?;
        let white = right.is_ascii_uppercase();
        let king = self.king(game, white)?;
        let rank = if white { 0 } else { game.ranks - 1 };
        if king / game.files != rank {
            return None;
        }
        let mut rooks = (rank * game.files..(rank + 1) * game.files).filter(|square| {
            self.cells[*square]
                .is_some_and(|piece| piece.kind == castling.rook[side(white)] && piece.white == white)
        });
        match right.to_ascii_uppercase() {
            b'K' => rooks.rfind(|rook| *rook > king),
            b'Q' => rooks.find(|rook| *rook < king),
            file => {
                let wanted = rank * game.files + usize::from(file.checked_sub(b'A')?);
                rooks.find(|rook| *rook == wanted)
            }
        }
    }

    /// The king of a player: not a pawn that has become one and won.
    pub fn king(&self, game: &Game, white: bool) -> Option<usize> {
        let is_own = |square: &usize| {
            self.cells[*square].is_some_and(|piece| piece.kind == game.king && piece.white == white)
        };
        let arrived = |square: &usize| game.by_array && game.opposing(*square, white) == Some(game.king);
        let mut kings = (0..self.cells.len()).filter(is_own);
        let first = kings.next()?;
        match kings.next() {
            Some(second) if arrived(&first) => Some(second),
            _ => Some(first),
        }
    }

    /// The squares whose pieces let another one in when they leave: of players who have one to let in.
    fn gating(&self, game: &Game) -> Vec<usize> {
        let has_any = |white: bool| {
            self.entries[side(white)] > 0 && self.hands[side(white)].iter().any(|count| *count > 0)
        };
        let waits = |square: &usize| self.cells[*square].is_some_and(|piece| has_any(piece.white));
        if game.reserve.is_none() { Vec::new() } else { self.unmoved.iter().copied().filter(waits).collect() }
    }

    /// The position as far as repetition goes: a right to capture in passing counts where such a capture is legal.
    pub fn identity(&self, game: &Game) -> Identity {
        let captures = |square: usize| self.plies(game).iter().any(|ply| ply.in_passing && ply.to == square);
        let mut cells = self.cells.clone();
        if !game.reverts {
            cells.iter_mut().flatten().for_each(|piece| piece.promoted = false);
        }
        Identity {
            cells,
            white: self.white,
            rights: self.rights.clone(),
            passed: self.passed.filter(|square| captures(*square)),
            hands: self.hands.clone(),
            unmoved: self.gating(game),
            entries: self.entries,
            checks: if game.checks > 0 { self.checks } else { [0, 0] },
        }
    }
}

/// The square at the start of a text, and the bytes of its name.
pub fn square(game: &Game, text: &str) -> Option<(usize, usize)> {
    let file = usize::from(text.bytes().next()?.checked_sub(b'a')?);
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    // A rank of two digits only where there is one.
    let digits = if game.ranks < 10 { digits.min(1) } else { digits.min(2) };
    let rank: usize = text.get(1..1 + digits)?.parse().ok()?;
    (file < game.files && (1..=game.ranks).contains(&rank))
        .then(|| ((rank - 1) * game.files + file, 1 + digits))
}
