//! Reads a token as a [`MoveText`]: one reader for every style, since their forms do not contradict.
//!
//! `=` between a letter and a square is a drop, after a square a promotion. `@ & / ^` before a square are a drop,
//! before a letter at the end a gate. Two squares without a letter are coordinates.

use super::letters::Letters;
use super::movetext::{Becomes, CheckMark, GateText, Habits, MoveText, PlainStep, Shape, Unreadable};
use super::prefix_table::Prefix;
use super::slips::Slips;
use super::styles::{figurine, iccf, read_own, shogi};
use crate::board::{Owner, Square};
use crate::notation::{
    courier,
    marks::{KOREAN_CHECK, KOREAN_PASS},
};
use crate::rules::{KindId, KindSet};
use crate::text::Span;
use crate::text::limits::TOKEN_BYTES_MAX;

/// Reads one token. `mover` is the player on move; `natures` is true if the token's number is that of a turn of
/// Nature's.
///
/// # Errors
/// If the token is not a move in any style.
pub fn read(letters: &Letters, mover: Owner, natures: bool, token: &[u8]) -> Result<MoveText, Unreadable> {
    // Castling is the most common form that is not plain, and the same in all games.
    match token {
        _ if natures => {}
        b"O-O" => return Ok(MoveText::new(Shape::CastleKingSide)),
        b"O-O-O" => return Ok(MoveText::new(Shape::CastleQueenSide)),
        _ => {
            if let Some(step) = read_plain(letters, mover, token) {
                return Ok(step.into());
            }
        }
    }
    read_any(letters, mover, natures, token)
}

/// [`read`] for every form.
#[inline(never)]
fn read_any(letters: &Letters, mover: Owner, natures: bool, token: &[u8]) -> ReadResult {
    if !natures && let Some(text) = shogi::read(letters, mover, token) {
        return Ok(text);
    }
    if courier::is_joined(token) {
        if let Some((ply, mark)) = courier::marked_apart(token) {
            let text = read(letters, mover, natures, ply)?;
            if mark == KOREAN_CHECK {
                return Ok(MoveText { mark: CheckMark::Check, ..text });
            }
            let mark = self::mark(mark.as_bytes()[0]);
            return Ok(MoveText { mark, slips: text.slips.and(Slips::MARK), ..text });
        }
        if courier::is_torn(token) {
            let message = "a piece letter apart from its move; write `Nf3`".to_owned();
            return Err(Unreadable { span: Span::new(0, token.len()), message, unknown_kind: false });
        }
    }
    let courier = courier::plain(token);
    let token = courier.as_deref().map_or(token, str::as_bytes);
    if !natures && let Some(text) = iccf::read(letters, mover, token) {
        return Ok(text);
    }
    if !natures && let Some(read) = read_own(letters, mover, token) {
        return read;
    }
    let actor = if natures || token.first() == Some(&b'~') { Owner::Nature } else { mover };
    let Some(plain) = figurine::lettered(letters.figures(), actor, token) else {
        return Reader { letters, mover, natures, token, end: token.len() }.read();
    };
    // Spans in the lettered token do not match, so an error covers the whole token.
    let read = Reader { letters, mover, natures, token: &plain, end: plain.len() }.read();
    read.map(|text| MoveText { habits: text.habits.and(Habits::FIGURES), ..text })
        .map_err(|error| Unreadable { span: Span::new(0, token.len()), ..error })
}

/// Reads the short algebraic form of most tokens of players; `None` for anything unusual, which is left to [`read`].
fn read_plain(letters: &Letters, mover: Owner, token: &[u8]) -> Option<PlainStep> {
    if let [before @ .., b'=', letter] | [before @ .., b'=', letter, b'+' | b'#'] = token {
        let step = read_word(letters, mover, word(before)?, before.len())
            .filter(|step| step.mark == CheckMark::None)?;
        let promotion = Some(letters.piece(mover, *letter)?);
        return Some(PlainStep { promotion, mark: mark(token[token.len() - 1]), ..step });
    }
    read_word(letters, mover, word(token)?, token.len())
}

/// A token of up to eight bytes as a word; `None` if it is longer or has a byte 0.
fn word(token: &[u8]) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..token.len())?.copy_from_slice(token);
    if token.contains(&0) { None } else { Some(u64::from_le_bytes(word)) }
}

/// The mark in the last byte of a token.
#[inline(always)]
fn mark(last: u8) -> CheckMark {
    match last {
        b'+' => CheckMark::Check,
        b'#' => CheckMark::Mate,
        _ => CheckMark::None,
    }
}

/// `read_plain` for a token without promotion, in the first `len` bytes of a word. None of them may be 0; the others
/// are ignored.
#[inline(always)]
pub fn read_word(letters: &Letters, mover: Owner, word: u64, len: usize) -> Option<PlainStep> {
    if !(2..=6).contains(&len) {
        return None;
    }
    let mark = mark((word >> (8 * (len - 1))) as u8);
    // Bytes before the target square.
    let front = (len - usize::from(mark != CheckMark::None)).checked_sub(2)?;
    let [file, rank, ..] = (word >> (8 * front)).to_le_bytes();
    let to = letters.targets().find(file, rank)?;
    let before = word & !(u64::MAX << (8 * front));
    let &Prefix { kind, from, captures, .. } = letters.prefixes(mover).find(before as u32)?;
    Some(PlainStep { kind, from: [from, 0], to, captures, promotion: None, mark })
}

/// Reads a token with the full from-square and a sign after it, `Ng1-f3`, `e4xd5`, with the habits that it shows. It is
/// in the first `len` bytes of a word, as in [`read_word`].
pub fn read_whole(letters: &Letters, mover: Owner, word: u64, len: usize) -> Option<(PlainStep, Habits)> {
    if !(5..=7).contains(&len) {
        return None;
    }
    let mark = mark((word >> (8 * (len - 1))) as u8);
    let bytes = word.to_le_bytes();
    let (kind, [file, rank, sign, to @ ..]) = match len - usize::from(mark != CheckMark::None) {
        5 => (letters.pawn()?, bytes.first_chunk::<5>()?),
        6 => (letters.piece(mover, bytes[0])?, bytes[1..].first_chunk::<5>()?),
        _ => return None,
    };
    letters.targets().find(*file, *rank)?;
    let (captures, habits) = match sign {
        b'-' => (false, Habits::DASH),
        b'x' => (true, Habits::WHOLE),
        _ => return None,
    };
    let to = letters.targets().find(to[0], to[1])?;
    Some((
        PlainStep {
            kind,
            from: [*file, *rank + 1 - letters.board().first_rank()],
            to,
            captures,
            promotion: None,
            mark,
        },
        habits,
    ))
}

struct Reader<'a> {
    letters: &'a Letters,
    mover: Owner,
    natures: bool,
    token: &'a [u8],
    /// The end of the unread bytes.
    end: usize,
}

type ReadResult = Result<MoveText, Unreadable>;

impl<'a> Reader<'a> {
    fn fail<T>(&self, start: usize, end: usize, message: impl Into<String>) -> Result<T, Unreadable> {
        let len = self.token.len();
        let span = Span::new(start.min(len), end.min(len));
        Err(Unreadable { span, message: message.into(), unknown_kind: false })
    }

    /// True if the form is valid, but a letter after the target or of a captured piece is not a piece of the game.
    fn no_piece<T>(&self, start: usize, end: usize, letter: u8) -> Result<T, Unreadable> {
        let marked = self.token.get(start + 1) == Some(&b'\'');
        self.fail(start, end, self.letters.why_none(self.actor(), letter, marked))
            .map_err(|error| Unreadable { unknown_kind: letter.is_ascii_alphabetic(), ..error })
    }

    fn actor(&self) -> Owner {
        if self.natures { Owner::Nature } else { self.mover }
    }

    fn rest(&self) -> &'a [u8] {
        &self.token[..self.end]
    }

    fn read(mut self) -> ReadResult {
        if self.token.len() > TOKEN_BYTES_MAX {
            return self.fail(0, TOKEN_BYTES_MAX, format!("a move has at most {TOKEN_BYTES_MAX} bytes"));
        }
        if matches!(self.token, b"--" | b"Z0" | b"0000" | b"null" | b"@@@@")
            || self.token.eq_ignore_ascii_case(b"pass")
            || self.token == KOREAN_PASS.as_bytes()
        {
            return Ok(MoveText::new(Shape::Null));
        }
        let mut start = 0;
        if self.token.first() == Some(&b'~') {
            (self.natures, start) = (true, 1);
        }
        let Reader { letters, mover, natures, token, .. } = self;
        let (mark, mark_slips) = self.read_mark();
        let end = self.end;
        let body = &self.token[start..self.end];
        let mut promotes = false;
        let mut text = if let Some(text) = self.squares(start)? {
            promotes = letters.have_promoted() && token.get(end) == Some(&b'+');
            text
        } else if matches!(body, [b'O' | b'o' | b'0', b'O' | b'o' | b'0' | b'-', ..]) && start == 0 {
            self.castling()?
        } else {
            self.algebraic(start)?
        };
        text.mark = mark;
        text.slips = text.slips.and(mark_slips);
        if promotes {
            // Here the first `+` is no mark.
            let token = &token[end + 1..];
            let mut marks = Reader { letters, mover, natures, token, end: token.len() };
            (text.mark, text.slips) = marks.read_mark();
            text.becomes = Becomes::Promoted;
        }
        text.natures = natures;
        if natures {
            text.habits = text.habits.and(Habits::INTERJECTION);
        }
        Ok(text)
    }

    /// Takes `+`, `#`, `++`, `†`, `‡` and the like from the end.
    fn read_mark(&mut self) -> (CheckMark, Slips) {
        let (mut mark, mut slips) = (CheckMark::None, Slips::NONE);
        loop {
            let rest = self.rest();
            let (seen, len) = if rest.ends_with(b"#") || rest.ends_with(b"\xe2\x80\xa1".as_slice()) {
                (CheckMark::Mate, if rest.ends_with(b"#") { 1 } else { 3 })
            } else if rest.ends_with(b"+") {
                (CheckMark::Check, 1)
            } else if rest.ends_with("†".as_bytes()) {
                (CheckMark::Check, 3)
            } else {
                return (mark, slips);
            };
            if mark != CheckMark::None || len > 1 {
                slips = Slips::MARK;
            }
            mark = mark.max(seen);
            self.end -= len;
        }
    }

    /// Coordinates: `e2e4`, `e7e8q'`, `b1c3m`, `e1g1me1ch1`, `~e4e5xd4`; `None` if the token does not begin with two
    /// squares.
    fn squares(&self, start: usize) -> Result<Option<MoveText>, Unreadable> {
        let board = self.letters.board();
        let Some((from, rest)) = board.read_square(&self.token[start..self.end]) else { return Ok(None) };
        let Some((to, mut rest)) = board.read_square(rest) else { return Ok(None) };
        let mut text = MoveText::new(Shape::Squares);
        text.kinds = self.letters.all();
        (text.from_file, text.from_rank) = (Some(board.file(from)), Some(board.rank(from)));
        text.to = to;
        text.habits = Habits::SQUARES;
        if let Some((victim, after)) = rest.strip_prefix(b"x").and_then(|rest| board.read_square(rest)) {
            if !self.natures {
                let message = "only Nature's en passant names the captured pawn's square";
                return self.fail(self.end - rest.len(), self.end, message);
            }
            text.victim = victim;
            text.captures = true;
            rest = after;
        }
        // The inventor's form writes Nature's promotions with `=`.
        let equals = rest.first() == Some(&b'=');
        if equals {
            rest = &rest[1..];
        }
        let mut index = 0;
        while !rest.is_empty() {
            let signed = self.is_placed(rest);
            if signed {
                // After a pawn's step with both squares: `e5e6/Hc1`.
                let sign = if rest[0] == b'/' { Habits::SLASH } else { Habits::AMPERSAND };
                text.habits = text.habits.and(sign);
                rest = &rest[1..];
            }
            let [letter, after @ ..] = rest else { break };
            let at = self.end - rest.len();
            let other_army = after.first() == Some(&b'\'');
            let after = if other_army { &after[1..] } else { after };
            let Some(kind) = self.letters.kind(self.actor(), *letter, other_army, equals || signed) else {
                return self.no_piece(at, self.end, *letter);
            };
            let (square, after) =
                board.read_square(after).map_or((Square::NONE, after), |(square, rest)| (square, rest));
            match (index, square) {
                (0, Square::NONE) => text.promotion = Some(kind),
                (0 | 1, _) => text.gates[index] = Some(GateText { kind, square }),
                _ => return self.fail(at, self.end, "too many gates; a ply gates in at most two pieces"),
            }
            index += 1;
            rest = after;
        }
        if equals && text.promotion.is_none() {
            return self.fail(self.end - 1, self.end, "no letter after `=`; write the piece");
        }
        Ok(Some(text))
    }

    /// True for a sign of style `san` or `iago`, a letter and a square.
    fn is_placed(&self, text: &[u8]) -> bool {
        let [b'/' | b'&' | b'^' | b'@', b'A'..=b'Z', square @ ..] = text else { return false };
        self.letters.board().read_square(square).is_some_and(|(_, rest)| rest.is_empty())
    }

    /// Castling: `O-O`, `0-0-0`, `OO`, optionally followed by `/Hh1` or `&C`.
    fn castling(&self) -> ReadResult {
        let rest = self.rest();
        let long = [b"O-O-O".as_slice(), b"0-0-0", b"o-o-o", b"OOO", b"000", b"ooo"];
        let short = [b"O-O".as_slice(), b"0-0", b"o-o", b"OO", b"00", b"oo"];
        let strip =
            |forms: [&[u8]; 6]| forms.into_iter().find(|form| rest.starts_with(form)).map(<[u8]>::len);
        let (shape, len) = match (strip(long), strip(short)) {
            (Some(len), _) => (Shape::CastleQueenSide, len),
            (None, Some(len)) => (Shape::CastleKingSide, len),
            _ => return self.fail(0, self.end, "not castling; write `O-O` or `O-O-O`"),
        };
        let mut text = MoveText::new(shape);
        if !matches!(&rest[..len], b"O-O" | b"O-O-O") {
            text.habits = Habits::ODD_CASTLING;
        }
        let mut gates = &rest[len..];
        for slot in 0..2 {
            let [sign @ (b'/' | b'&' | b'@' | b'^'), letter, after @ ..] = gates else { break };
            let at = self.end - gates.len();
            let Some(kind) = self.letters.kind(self.mover, *letter, false, true) else {
                return self.no_piece(at, self.end, *letter);
            };
            let (square, after) = self.letters.board().read_square(after).unwrap_or((Square::NONE, after));
            text.gates[slot] = Some(GateText { kind, square });
            text.slips = text.slips.and(if letter.is_ascii_uppercase() { Slips::NONE } else { Slips::CASE });
            text.habits = text.habits.and(if *sign == b'/' { Habits::SLASH } else { Habits::AMPERSAND });
            gates = after;
        }
        if !gates.is_empty() {
            return self.fail(self.end - gates.len(), self.end, "unknown text after castling");
        }
        Ok(text)
    }

    fn algebraic(mut self, start: usize) -> ReadResult {
        let mut text = MoveText::new(Shape::Step);
        if let Some(drop) = self.drop(start)? {
            return Ok(drop);
        }
        self.read_gate(&mut text)?;
        self.read_promotion(&mut text)?;
        self.read_target(start, &mut text)?;
        self.read_front(start, text)
    }

    /// Drops: `N@e4`, `&Me1`, `@Me1`, `R=a1`, `@e4` for a pawn.
    fn drop(&self, start: usize) -> Result<Option<MoveText>, Unreadable> {
        let body = &self.token[start..self.end];
        let sign = |byte: u8| matches!(byte, b'@' | b'&' | b'/' | b'^' | b'*');
        let odd = matches!(body, [_, b'*', ..] | [b'@', b'a'..=b'z', ..] | [b'*', ..]);
        let (letter, other_army, square, habits) = match *body {
            [letter, b'\'', by, ref square @ ..] if sign(by) => (letter, true, square, Habits(0)),
            [letter, b'=', ref square @ ..] if letter.is_ascii_uppercase() => {
                (letter, false, square, Habits::EQUALS_DROP)
            }
            [letter, by, ref square @ ..] if sign(by) && letter.is_ascii_uppercase() => {
                (letter, false, square, Habits(0))
            }
            [by, letter, ref square @ ..] if sign(by) && letter.is_ascii_uppercase() => {
                (letter, false, square, Habits::AMPERSAND)
            }
            [b'@', ref square @ ..] => (b'P', false, square, Habits(0)),
            _ => return Ok(None),
        };
        let read = self.letters.board().read_square(square);
        let second = read.and_then(|(_, rest)| self.second_drop(rest));
        let Some((to, _)) = read.filter(|(_, rest)| rest.is_empty() || second.is_some()) else {
            // `Bc1-e3@C` and the like do not begin with the sign; here a square must follow.
            let message = "not a drop; write a letter, a sign and a square: `N@e4`";
            return self.fail(self.end - square.len(), self.end, message);
        };
        let mut text = MoveText::new(Shape::Drop);
        text.kinds = self.letters.kind(self.actor(), letter, other_army, true).into_iter().collect();
        (text.to, text.habits, text.gates[0]) = (to, habits, second);
        text.slips = if odd { Slips::DROP } else { Slips::NONE };
        Ok(Some(text))
    }

    /// A second piece that is dropped in the same turn: `/Cf1`, and `cf1` in coordinates.
    fn second_drop(&self, rest: &[u8]) -> Option<GateText> {
        let rest = rest.strip_prefix(b"/").or(rest.strip_prefix(b"&")).unwrap_or(rest);
        let (letter, square) = rest.split_first()?;
        let (square, []) = self.letters.board().read_square(square)? else { return None };
        let kind = self.letters.kind(self.actor(), *letter, false, true)?;
        Some(GateText { kind, square })
    }

    /// Takes `&C`, `/H`, `^M`, `@C`, and `/Ha1` from the end.
    fn read_gate(&mut self, text: &mut MoveText) -> Result<(), Unreadable> {
        if let Some((kind, square, sign, len)) = self.placed_gate() {
            text.gates[0] = Some(GateText { kind, square });
            text.habits = text.habits.and(if sign == b'/' { Habits::SLASH } else { Habits::AMPERSAND });
            self.end -= len;
            return Ok(());
        }
        let &[.., _, sign @ (b'&' | b'/' | b'^' | b'@'), letter] = self.rest() else { return Ok(()) };
        let Some(kind) = self.letters.kind(self.actor(), letter, false, true) else {
            return self.no_piece(self.end - 1, self.end, letter);
        };
        text.slips = text.slips.and(if letter.is_ascii_uppercase() { Slips::NONE } else { Slips::CASE });
        text.gates[0] = Some(GateText { kind, square: Square::NONE });
        text.habits = text.habits.and(if sign == b'/' { Habits::SLASH } else { Habits::AMPERSAND });
        self.end -= 2;
        Ok(())
    }

    /// A piece with its square after a sign and a target square, as in `d6/Ha1`: kind, square, sign, length.
    fn placed_gate(&self) -> Option<(KindId, Square, u8, usize)> {
        let rest = self.rest();
        let at = rest.iter().rposition(|byte| matches!(byte, b'/' | b'&' | b'^' | b'@'))?;
        let [sign, letter @ b'A'..=b'Z', square @ ..] = &rest[at..] else { return None };
        let (square, []) = self.letters.board().read_square(square)? else { return None };
        let kind = self.letters.kind(self.actor(), *letter, false, true)?;
        let after_target = at > 1 && (rest[at - 1].is_ascii_digit() || rest[at - 2] == b'=');
        after_target.then_some((kind, square, *sign, rest.len() - at))
    }

    /// Takes `=Q`, `=Q'`, `(Q)`, `Q` after the target from the end.
    fn read_promotion(&mut self, text: &mut MoveText) -> Result<(), Unreadable> {
        let rest = self.rest();
        if let [.., b'=', b'+', letter] = *rest {
            text.promotion = self.letters.promoted(letter);
            self.end -= 3;
            return match text.promotion {
                Some(_) => Ok(()),
                None => self.no_piece(self.end + 1, self.end + 3, letter),
            };
        }
        let (letter, other_army, len) = match *rest {
            [.., b'=', letter, b'\''] => (letter, true, 3),
            [.., b'=', letter] => (letter, false, 2),
            [.., b'(', letter, b')'] => (letter, false, 3),
            [.., digit, letter, b'\''] if digit.is_ascii_digit() => (letter, true, 2),
            [.., digit, letter] if digit.is_ascii_digit() && letter.is_ascii_alphabetic() => {
                (letter, false, 1)
            }
            _ => return Ok(()),
        };
        let Some(kind) = self.letters.kind(self.actor(), letter, other_army, true) else {
            // Without a sign before it, only a capital letter is a piece.
            let meant = letter.is_ascii_uppercase() || !rest[rest.len() - len].is_ascii_alphabetic();
            return self
                .no_piece(self.end - len, self.end, letter)
                .map_err(|error| Unreadable { unknown_kind: error.unknown_kind && meant, ..error });
        };
        text.promotion = Some(kind);
        let standard = rest[rest.len() - len] == b'=' && (letter.is_ascii_uppercase() || self.natures);
        text.slips = text.slips.and(if standard { Slips::NONE } else { Slips::PROMOTION });
        self.end -= len;
        Ok(())
    }

    /// Takes the target square from the end.
    fn read_target(&mut self, start: usize, text: &mut MoveText) -> Result<(), Unreadable> {
        let body = &self.token[start..self.end];
        let digits = body.iter().rev().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        let board = self.letters.board();
        for digits in (1..=digits).rev() {
            let Some(at) = body.len().checked_sub(digits + 1) else { continue };
            if let Some((square, [])) = board.read_square(&body[at..]) {
                text.to = square;
                self.end = start + at;
                return Ok(());
            }
        }
        let wanted = "end the move with its target square, such as `Nf3` or `e8=Q`";
        if is_descriptive(body) {
            // The caller accepts `PxP` if one legal capture fits, and then drops this message.
            let read = match body.contains(&b'x') {
                true => {
                    "descriptive notation is not supported, except for a capture that only one legal ply fits"
                }
                false => "descriptive notation is not supported",
            };
            return self.fail(start, self.end, format!("{read}; {wanted}"));
        }
        self.fail(start, self.end, format!("no target square; {wanted}"))
    }

    /// The part before the target: piece, from-square, capture, captured piece.
    fn read_front(&self, start: usize, mut text: MoveText) -> ReadResult {
        let mut rest = &self.token[start..self.end];
        let mut letter = None;
        if let [b'+', first @ b'A'..=b'Z', after @ ..] = rest {
            letter = Some(self.letters.promoted(*first).into_iter().collect());
            rest = after;
        } else if let [first @ b'A'..=b'Z', after @ ..] = rest {
            let other_army = after.first() == Some(&b'\'');
            letter = Some(self.kinds_of(*first, other_army));
            rest = if other_army { &after[1..] } else { after };
        }
        // A letter after `x` names the captured piece.
        let (named, other_army) = match rest {
            [before @ .., b'\''] => (before, true),
            _ => (rest, false),
        };
        if let [before @ .., b'x' | b':', b'+', captured @ b'A'..=b'Z'] = named {
            text.captured = self.letters.promoted(*captured);
            self.read_capture(rest, &mut text);
            text.habits = text.habits.and(Habits::CAPTURED_NAMED);
            rest = before;
        } else if let [before @ .., b'x' | b':', captured @ b'A'..=b'Z'] = named {
            let Some(kind) = self.kinds_of(*captured, other_army).kinds().next() else {
                return self.no_piece(self.end - 1, self.end, *captured);
            };
            text.captured = Some(kind);
            self.read_capture(rest, &mut text);
            text.habits = text.habits.and(Habits::CAPTURED_NAMED);
            rest = before;
        } else if let [before @ .., b'x' | b':'] = rest {
            self.read_capture(rest, &mut text);
            rest = before;
        } else if let [before @ .., b'-'] = rest {
            text.habits = text.habits.and(Habits::DASH);
            rest = before;
        }
        self.read_origin(start, rest, &mut text)?;
        if self.natures
            && letter.is_none()
            && text.promotion.is_some()
            && text.from_file.is_none()
            && !text.captures
        {
            text.shape = Shape::Introduction;
            return Ok(text);
        }
        let pawns = self.letters.pawns_of(self.actor());
        text.kinds = letter.unwrap_or(pawns);
        if letter == Some(pawns) {
            text.habits = text.habits.and(Habits::PAWN_LETTER);
        }
        if text.from_file.is_none() || text.from_rank.is_none() {
            text.habits = text.habits.and(Habits::SHORT);
        } else if !text.habits.has(Habits::DASH) {
            text.habits = text.habits.and(Habits::WHOLE);
        }
        Ok(text)
    }

    /// Takes the capture sign.
    fn read_capture(&self, front: &[u8], text: &mut MoveText) {
        text.captures = true;
        let colon = front.contains(&b':');
        text.slips = text.slips.and(if colon { Slips::CAPTURE } else { Slips::NONE });
    }

    /// Reads a file, a rank, or both.
    fn read_origin(&self, start: usize, mut rest: &[u8], text: &mut MoveText) -> Result<(), Unreadable> {
        let board = self.letters.board();
        if let Some((square, [])) = board.read_square(rest).filter(|(square, _)| board.is_corner(*square)) {
            (text.from_file, text.from_rank) = (Some(board.file(square)), Some(board.rank(square)));
            return Ok(());
        }
        if let [file @ b'a'..=b'p', after @ ..] = rest
            && file - b'a' < board.files()
        {
            text.from_file = Some(file - b'a');
            rest = after;
        }
        if !rest.is_empty() && rest.len() <= 2 && rest.iter().all(u8::is_ascii_digit) {
            let rank = rest.iter().fold(0u8, |rank, digit| rank.wrapping_mul(10).wrapping_add(digit - b'0'));
            if let Some(rank) = board.numbered_rank(rank) {
                text.from_rank = Some(rank);
                rest = &[];
            }
        }
        if rest.is_empty() {
            return Ok(());
        }
        let shown = String::from_utf8_lossy(rest);
        self.fail(start, self.end, format!("`{shown}` is neither a piece, a from-square, nor a capture"))
    }

    /// The kinds that a letter may mean; none if it is not a piece of the game, which the resolver explains.
    fn kinds_of(&self, letter: u8, other_army: bool) -> KindSet {
        let kind: Option<KindId> = self.letters.kind(self.actor(), letter, other_army, true);
        match kind {
            Some(kind) if other_army => [kind].into_iter().collect(),
            Some(_) => self.letters.kinds(self.actor(), letter),
            None => KindSet::EMPTY,
        }
    }
}

/// True for English descriptive notation: `P-K4`, `Kt-KB3`, `PxP`, `QBxKtP`, `R-K8ch`. Its squares are named after the
/// pieces on their files in the array, and after each player's own ranks.
fn is_descriptive(body: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(body) else { return false };
    let text = text.strip_suffix("ch").unwrap_or(text).replace("Kt", "N");
    let is_name =
        |name: &str| (1..=3).contains(&name.len()) && name.bytes().all(|letter| b"KQRBNP".contains(&letter));
    if let Some((piece, target)) = text.split_once('-') {
        let file = target.strip_suffix(|rank| matches!(rank, '1'..='8'));
        return is_name(piece) && file.is_some_and(is_name);
    }
    text.split_once('x').is_some_and(|(piece, taken)| is_name(piece) && is_name(taken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnyRules, Registry};

    #[test]
    fn plain_moves_mean_what_their_bytes_say() {
        let mut plain = 0;
        for variant in ["chess", "seirawan", "ichess", "ingols"] {
            let AnyRules::Narrow(rules) = Registry::built_in().rules(variant, &|_| None).unwrap() else {
                panic!("these games have 64 squares");
            };
            let letters = Letters::new(&rules);
            let pieces = (b'A'..=b'Z').map(|letter| char::from(letter).to_string()).chain([String::new()]);
            for piece in pieces {
                for origin in ["", "a", "h", "i", "1", "8", "9", "b3", "x", "o", "-"] {
                    for tail in
                        ["e4", "xd5", "xh8+", "a1#", "h9", "i1", "e8=Q", "xd1=N+", "d8=", "-e4", "e4++"]
                    {
                        let token = format!("{piece}{origin}{tail}");
                        for mover in Owner::REAL {
                            let Some(step) = read_plain(&letters, mover, token.as_bytes()) else { continue };
                            let text = read_any(&letters, mover, false, token.as_bytes());
                            assert_eq!(text, Ok(step.into()), "{variant} {token}");
                            plain += 1;
                        }
                    }
                }
            }
        }
        assert!(plain > 1000, "{plain}");
    }

    #[test]
    fn whole_moves_mean_what_their_bytes_say() {
        let mut whole = 0;
        for variant in ["chess", "iago-b", "ichess"] {
            let AnyRules::Narrow(rules) = Registry::built_in().rules(variant, &|_| None).unwrap() else {
                panic!("these games have 64 squares");
            };
            let letters = Letters::new(&rules);
            let pieces = (b'A'..=b'Z').map(|letter| char::from(letter).to_string()).chain([String::new()]);
            for piece in pieces {
                for front in ["b3", "h8-", "a1x", "e4:", "i1-", "e9x", "4e-", "e4"] {
                    for tail in ["d5", "d5+", "h1#", "i1", "e9", "e8=Q", "e4++", "d5!", ""] {
                        let token = format!("{piece}{front}{tail}");
                        let Some(word) = word(token.as_bytes()) else { continue };
                        for mover in Owner::REAL {
                            let Some((step, habits)) = read_whole(&letters, mover, word, token.len()) else {
                                continue;
                            };
                            let text = read_any(&letters, mover, false, token.as_bytes());
                            assert_eq!(text, Ok(MoveText { habits, ..step.into() }), "{variant} {token}");
                            whole += 1;
                        }
                    }
                }
            }
        }
        assert!(whole > 100, "{whole}");
    }

    /// Only tokens that look like descriptive notation are reported as such.
    #[test]
    fn descriptive_notation_is_named() {
        let AnyRules::Narrow(rules) = Registry::built_in().rules("chess", &|_| None).unwrap() else {
            panic!("chess has 64 squares");
        };
        let letters = Letters::new(&rules);
        let said = |token: &str| read(&letters, Owner::White, false, token.as_bytes()).map_err(|e| e.message);
        let descriptive = [
            "P-K4", "P-QB4", "N-KB3", "Kt-KB3", "B-Kt5", "PxP", "BxKt", "QBxKtP", "KRPxP", "R-K8ch", "PxPch",
            "Q-R5+", "P-K8=Q", "P-K8(Q)", "KN-K2",
        ];
        for token in descriptive {
            let message = said(token).unwrap_err();
            let captures =
                "descriptive notation is not supported, except for a capture that only one legal ply fits";
            let read = if token.contains('x') { captures } else { "descriptive notation is not supported" };
            assert!(message.starts_with(&format!("{read}; end the move")), "{token}: {message}");
        }
        for token in
            ["e9", "Qh9", "Bxe", "P-K", "P-K9", "x", "-", "P-", "-K4", "PxP9", "exd", "Z-K4", "é-K4", "P-é"]
        {
            let message = said(token).map_or_else(|message| message, |text| format!("{text:?}"));
            assert!(!message.contains("descriptive"), "{token}: {message}");
        }
        for token in ["O-O", "O-O-O", "Ng1-f3", "e2-e4", "Bxf7+", "BxNg5", "Pe2-e4"] {
            assert!(said(token).is_ok(), "{token}");
        }
    }

    #[test]
    fn what_is_off_the_board_is_no_origin() {
        let AnyRules::Narrow(rules) = Registry::built_in().rules("chess", &|_| None).unwrap() else {
            panic!("chess has 64 squares");
        };
        let letters = Letters::new(&rules);
        for token in ["Qih5", "Q9h5", "if4", "p9xe4"] {
            assert!(read(&letters, Owner::White, false, token.as_bytes()).is_err(), "{token}");
        }
        assert!(read(&letters, Owner::White, false, b"Qhh5").is_ok());
    }
}
