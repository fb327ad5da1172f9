//! Styles `janggi` and `gib`: two squares, each with its rank first. Ranks are counted from Black's side (Han's), from
//! 1 to 9 and 0 for the tenth, files from White's (Cho's) left.
//!
//! `janggi` is that of the Janggi federations of the West: a letter, the squares, and marks, `R01x91+`. `gib` is that
//! of records in Korean: the piece stands between its squares, `79卒78`, perhaps with its side, `79楚卒78`, then what
//! it captures, and 장군 after a check. It is written with the characters of the pieces, without side and captured
//! piece; every character that the game lists is read, and so are both.

use super::form::{Form, Pass, Row, own_lacks};
use super::step;
use crate::board::{Board, Mask, Owner, Square};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::marks::{KOREAN_ANSWER, KOREAN_CHECK, KOREAN_PASS};
use crate::notation::movetext::{CheckMark, Habits, MoveText, Unreadable};
use crate::notation::own_forms::OwnForms;
use crate::notation::slips::Slips;
use crate::notation::style::Style;
use crate::notation::write::{WriteChoices, mark_after};
use crate::position::{Ply, Position};
use crate::rules::KindSet;
use crate::rules::definition::OwnStyle;
use crate::text::Span;
use std::str::Chars;

/// Characters of the sides, White's and Black's. Alone between two squares they are the general, which bears them.
const SIDES: [(Owner, [char; 2]); 2] = [(Owner::White, ['楚', '초']), (Owner::Black, ['漢', '한'])];

/// The notation of the Janggi federations of the West.
pub(in crate::notation) struct Janggi;

/// The notation of Korean records of Janggi.
pub(in crate::notation) struct Gib;

impl Form for Janggi {
    const ROW: Row = Row {
        name: "janggi",
        example: "R01-91, N18x37+",
        own: Some(OwnStyle::Janggi),
        numbers_plies: true,
        pass: Pass::Text(KOREAN_PASS),
        marks: true,
        // A pass shows no style.
        allows: |habits| habits.has(Habits::JANGGI) || habits == Habits::NONE,
        shown_by: |habits, _| habits.has(Habits::JANGGI),
        read: Some(read_letters),
        ..Row::OWN
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        own_lacks(&Self::ROW, false, position, ply)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let (rules, board) = (position.rules(), position.rules().board());
        out.push(char::from(rules.kind(ply.kind).letter));
        write_square(board, ply.from, out);
        out.push(if position.piece(ply.to).is_some() { 'x' } else { '-' });
        write_square(board, ply.to, out);
        out.push_str(Style::Janggi.sign(mark_after(position, ply)));
        Ok(())
    }
}

impl Form for Gib {
    const ROW: Row = Row {
        name: "gib",
        example: "79卒78, 한수쉼",
        own: Some(OwnStyle::Gib),
        marks: false,
        signs: [KOREAN_CHECK, KOREAN_CHECK],
        allows: |habits| habits.has(Habits::GIB) || habits == Habits::NONE,
        shown_by: |habits, _| habits.has(Habits::GIB),
        read: Some(read_characters),
        ..Janggi::ROW
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        own_lacks(&Self::ROW, false, position, ply)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let (rules, board) = (position.rules(), position.rules().board());
        write_square(board, ply.from, out);
        let names =
            rules.spelled(ply.kind).map_or("", |spelled| spelled.characters_of(OwnStyle::Gib, ply.actor));
        out.extend(names.chars().next());
        write_square(board, ply.to, out);
        out.push_str(Style::Gib.sign(mark_after(position, ply)));
        Ok(())
    }
}

fn write_square(board: Board, square: Square, out: &mut String) {
    let rank = (board.ranks() - board.rank(square)) % 10;
    out.extend([rank, board.file(square) + 1].map(|digit| char::from(b'0' + digit)));
}

/// Reads `R01-91`, `r01x91+`.
fn read_letters(letters: &Letters, mover: Owner, text: &[u8]) -> Option<Result<MoveText, Unreadable>> {
    let (mark, body) = match text {
        [body @ .., b'+'] => (CheckMark::Check, body),
        [body @ .., b'#'] => (CheckMark::Mate, body),
        body => (CheckMark::None, body),
    };
    let &[letter, from_rank, from_file, sign @ (b'-' | b'x'), to_rank, to_file] = body else { return None };
    let squares = [from_rank, from_file, to_rank, to_file];
    if !letter.is_ascii_alphabetic() || !squares.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let squares = [[from_rank, from_file], [to_rank, to_file]].map(|pair| pair.map(|digit| digit - b'0'));
    let step = steps(letters, squares, text.len(), Habits::JANGGI);
    Some(step.map(|step| MoveText {
        kinds: letters.kinds(mover, letter.to_ascii_uppercase()),
        captures: sign == b'x',
        mark,
        slips: if letter.is_ascii_lowercase() { Slips::CASE } else { Slips::NONE },
        ..step
    }))
}

/// Reads `79卒78`, `41漢兵42`, `44楚包74漢兵장군`.
fn read_characters(letters: &Letters, mover: Owner, token: &[u8]) -> Option<Result<MoveText, Unreadable>> {
    let own = letters.own()?;
    let text = std::str::from_utf8(token).ok().filter(|text| !text.is_ascii())?;
    let (mark, body) = match text.strip_suffix(KOREAN_CHECK) {
        Some(body) => (CheckMark::Check, body),
        None => (CheckMark::None, text),
    };
    let body = body.strip_suffix(KOREAN_ANSWER).unwrap_or(body);
    let mut chars = body.chars();
    let from = take_square(&mut chars)?;
    let (side, kinds) = take_piece(own, mover, &mut chars)?;
    let to = take_square(&mut chars)?;
    let captured = match chars.as_str() {
        "" => None,
        _ => Some(take_piece(own, mover.opponent(), &mut chars)?),
    };
    if !chars.as_str().is_empty() {
        return None;
    }
    let of_other = side.is_some_and(|side| side != mover)
        || captured.is_some_and(|(side, _)| side.is_some_and(|side| side == mover));
    if of_other {
        let message = format!(
            "the side of a piece is wrong: {} moves here; leave the side out, or correct the ply",
            mover.name()
        );
        return Some(Err(unreadable(text.len(), message)));
    }
    Some(steps(letters, [from, to], text.len(), Habits::GIB).map(|step| MoveText {
        kinds,
        captures: captured.is_some(),
        captured: captured.and_then(|(_, kinds)| kinds.kinds().next()),
        mark,
        ..step
    }))
}

/// Takes the two digits of a square.
fn take_square(chars: &mut Chars<'_>) -> Option<[u8; 2]> {
    let mut digit = || chars.next()?.to_digit(10).map(|digit| digit as u8);
    Some([digit()?, digit()?])
}

/// Takes a piece: the side, if it is named, and its kinds. A side without a piece is that side's general.
fn take_piece(own: &OwnForms, owner: Owner, chars: &mut Chars<'_>) -> Option<(Option<Owner>, KindSet)> {
    // A character that only the other player's pieces have is a piece all the same, which the text names wrongly.
    let kinds = |char: char| {
        let of_owner = own.gib(owner, char);
        if of_owner.is_empty() { own.gib(owner.opponent(), char) } else { of_owner }
    };
    let first = chars.next()?;
    let side = SIDES.iter().find(|(_, names)| names.contains(&first)).map(|(side, _)| *side);
    let after = chars.clone().next().map(kinds).filter(|kinds| side.is_some() && !kinds.is_empty());
    if let Some(kinds) = after {
        chars.next();
        return Some((side, kinds));
    }
    Some((side, kinds(first))).filter(|(_, kinds)| !kinds.is_empty())
}

/// A step from one square to another, each rank and file as written.
fn steps(
    letters: &Letters,
    squares: [[u8; 2]; 2],
    len: usize,
    habits: Habits,
) -> Result<MoveText, Unreadable> {
    let board = letters.board();
    let square = |[rank, file]: [u8; 2]| {
        let rank = board.ranks() as i8 - if rank == 0 { 10 } else { rank as i8 };
        board.square(file as i8 - 1, rank)
    };
    let (Some(from), Some(to)) = (square(squares[0]), square(squares[1])) else {
        let (files, ranks) = (board.files(), board.ranks());
        let last = if ranks == 10 { "9 and 0".to_owned() } else { ranks.to_string() };
        let message = format!(
            "no such square; write its rank, 1 to {last} from Black's side, then its file, 1 to {files} from White's \
             left"
        );
        return Err(unreadable(len, message));
    };
    Ok(step(letters, from, to, habits))
}

fn unreadable(len: usize, message: String) -> Unreadable {
    Unreadable { span: Span::new(0, len), message, unknown_kind: false }
}
