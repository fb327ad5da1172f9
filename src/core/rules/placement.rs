//! The first field of a FEN: piece placement.

use super::kinds::{KindId, KindInfo, Label, Piece};
use crate::board::{Board, Owner, Square};
use crate::text::Span;

/// A piece on a square, as in a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// True if a `~` follows: it is a promoted pawn.
    pub promoted: bool,
}

/// Why a placement cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PlacementError {
    /// Bytes of the placement's text.
    pub span: Span,
    /// The fault.
    pub message: String,
}

/// The kind that `owner` writes with `letter`, with or without `'`; lenient where both armies have it (AUG-5).
pub fn kind_by_letter(kinds: &[KindInfo], owner: Owner, letter: u8, other_army: bool) -> Option<KindId> {
    let by = |other_army: bool| {
        let label = Label { letter, other_army, plus: false };
        kinds.iter().position(|kind| kind.label[owner] == label)
    };
    by(other_army).or_else(|| other_army.then(|| by(false)).flatten()).map(|index| KindId(index as u8))
}

/// Parses a placement, last rank first; Nature's pieces are marked `*` where the game has a third player.
///
/// # Errors
/// The first in the text: an unknown letter, a rank that is too short or too long, or a wrong number of ranks.
pub fn read_placement(
    board: Board,
    kinds: &[KindInfo],
    text: &str,
    nature: bool,
) -> Result<Vec<Option<Placed>>, PlacementError> {
    let (squares, errors) = read_ranks(board, kinds, text, nature);
    errors.into_iter().next().map_or(Ok(squares), Err)
}

/// Parses a placement and continues in the next rank after a mistake: the readable part, and one mistake a rank.
pub(super) fn read_ranks(
    board: Board,
    kinds: &[KindInfo],
    text: &str,
    nature: bool,
) -> (Vec<Option<Placed>>, Vec<PlacementError>) {
    let mut reader = Reader { board, kinds, nature, text: text.as_bytes(), at: 0 };
    let mut squares = vec![None; board.len()];
    let mut errors = Vec::new();
    for rank in (0..board.ranks()).rev() {
        if let Err(error) = reader.rank(rank, &mut squares) {
            errors.push(error);
            reader.skip_rank();
        }
        if rank > 0 && !reader.eat(b'/') {
            let left = if rank == 1 { "rank is".to_owned() } else { format!("{rank} ranks are") };
            errors.push(reader.fail(1, format!("{left} missing; add `/` and what follows")));
            break;
        }
    }
    if board.has_corners() && errors.is_empty() {
        errors.extend(reader.corners(&mut squares).err());
    }
    if reader.at < text.len() {
        let message = format!("more than the {} ranks of the board; remove the rest", board.ranks());
        errors.push(reader.fail(text.len() - reader.at, message));
    }
    let on_characters =
        |error: PlacementError| PlacementError { span: error.span.on_characters(text), ..error };
    (squares, errors.into_iter().map(on_characters).collect())
}

struct Reader<'a> {
    board: Board,
    kinds: &'a [KindInfo],
    nature: bool,
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let eaten = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(eaten);
        eaten
    }

    fn skip_rank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
    }

    fn fail(&self, len: usize, message: String) -> PlacementError {
        let end = (self.at + len).min(self.text.len());
        PlacementError { span: Span::new(self.at.min(end), end), message }
    }

    fn rank(&mut self, rank: u8, squares: &mut [Option<Placed>]) -> Result<(), PlacementError> {
        let files = usize::from(self.board.files());
        let mut file = 0usize;
        while let Some(&byte) = self.text.get(self.at) {
            if byte == b'/' {
                break;
            }
            if byte.is_ascii_digit() {
                file = file.saturating_add(self.number());
            } else {
                let placed = self.piece()?;
                if file < files {
                    squares[Square(rank * self.board.files() + file as u8).index()] = Some(placed);
                }
                file += 1;
            }
            if file > files {
                return Err(PlacementError {
                    span: Span::new(self.at - 1, self.at),
                    message: format!("rank {} has more than {files} squares", self.board.rank_number(rank)),
                });
            }
        }
        if file < files {
            return Err(self
                .fail(1, format!("rank {} has {file} squares, not {files}", self.board.rank_number(rank))));
        }
        Ok(())
    }

    /// The squares outside, in the order of their names, after the last rank.
    fn corners(&mut self, squares: &mut [Option<Placed>]) -> Result<(), PlacementError> {
        if !self.eat(b'/') {
            return Err(self.fail(1, "the four squares outside are missing; add `/` and w1 to w4".to_owned()));
        }
        let mut vacant = 0;
        for square in self.board.corners() {
            match self.text.get(self.at) {
                _ if vacant > 0 => vacant -= 1,
                Some(byte) if byte.is_ascii_digit() => {
                    // `1111` are four vacant squares, as `4` is.
                    vacant = usize::from(byte - b'0').saturating_sub(1);
                    self.at += 1;
                }
                _ => squares[square.index()] = Some(self.piece()?),
            }
        }
        if vacant > 0 {
            return Err(self.fail(1, "there are four squares outside the corners".to_owned()));
        }
        Ok(())
    }

    fn number(&mut self) -> usize {
        let mut value = 0usize;
        while let Some(digit) = self.text.get(self.at).filter(|b| b.is_ascii_digit()) {
            value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            self.at += 1;
        }
        value
    }

    fn piece(&mut self) -> Result<Placed, PlacementError> {
        let start = self.at;
        let natures = self.eat(b'*');
        if natures && !self.nature {
            self.at = start;
            return Err(self.fail(
                1,
                "`*` marks a piece of Nature, but this game has no third player; remove it".into(),
            ));
        }
        let plus = self.eat(b'+');
        let Some(&byte) = self.text.get(self.at).filter(|b| b.is_ascii_alphabetic()) else {
            return Err(self.fail(1, "expected a piece letter or a number of vacant squares".into()));
        };
        self.at += 1;
        let owner = match (natures, byte.is_ascii_uppercase()) {
            (true, _) => Owner::Nature,
            (false, true) => Owner::White,
            (false, false) => Owner::Black,
        };
        let other_army = self.eat(b'\'');
        let letter = byte.to_ascii_uppercase();
        let promoted = |kind: &KindInfo| kind.plus && kind.letter == letter && !other_army;
        let kind = match plus {
            true => self.kinds.iter().position(promoted).map(|index| KindId(index as u8)),
            false => kind_by_letter(self.kinds, owner, letter, other_army),
        };
        let Some(kind) = kind else {
            let known: String = self.kinds.iter().map(KindInfo::key).collect();
            self.at = start;
            let sign = if plus { "+" } else { "" };
            let message = format!("`{sign}{}` is not a piece of this game; use {known}", byte as char);
            return Err(self.fail(1, message));
        };
        Ok(Placed { piece: Piece { owner, kind }, promoted: self.eat(b'~') })
    }
}
