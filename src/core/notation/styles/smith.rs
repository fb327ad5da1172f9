//! Style `smith`: Warren Smith's reversible coordinates. After the squares comes the captured piece (`E` for a pawn en
//! passant) or castling (`c`, `C`), then the promotion.
//!
//! The letters are those of chess. The style excludes games that gate, or in which a pawn may decline promotion, since
//! `b1c3q` would be ambiguous.

use super::form::{Form, NULL_SQUARES, Pass, Row};
use crate::board::{Mask, Owner};
use crate::notation::express::{Lack, changes, is_other_army};
use crate::notation::letters::Letters;
use crate::notation::movetext::{Habits, MoveText, Shape, Unreadable};
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position, Verb};
use crate::rules::{KindSet, Rules};
use crate::text::Span;

/// Letters of captured pieces.
const CAPTURED: &[u8] = b"PNBRQ";

/// Letters of promotions.
const PROMOTIONS: &[u8] = b"NBRQ";

/// Reversible coordinates.
pub(in crate::notation) struct Smith;

impl Form for Smith {
    const ROW: Row = Row {
        name: "smith",
        example: "e2e4, f3e5p",
        null: NULL_SQUARES,
        pass: Pass::Missing,
        marks: false,
        letters: false,
        allows: |habits| habits.has(Habits::SMITH),
        shown_by: |habits, _| habits.has(Habits::SMITH),
        read_required: Some(|letters, mover, token| Some(read(letters, mover, token))),
        ..Row::ALGEBRAIC
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        let rules = position.rules();
        if changes(rules, ply) {
            return Some(Lack::Change);
        }
        if !is_for(rules) {
            return Some(if rules.gating.is_some() { Lack::GatingGame } else { Lack::DecliningGame });
        }
        if ply.actor == Owner::Nature {
            return Some(Lack::Nature);
        }
        if ply.verb == Verb::Drop {
            return is_other_army(rules, ply.actor, ply.kind).then_some(Lack::OtherArmy);
        }
        let promotion = ply.promotion.map(|kind| rules.kind(kind).label[ply.actor]);
        if promotion.is_some_and(|label| label.other_army || !PROMOTIONS.contains(&label.letter)) {
            return Some(Lack::PromotionKind);
        }
        let victim = captured(position, ply).map(|kind| rules.kind(kind).label[ply.actor.opponent()]);
        let unsaid = victim.is_some_and(|label| label.other_army || !CAPTURED.contains(&label.letter));
        unsaid.then_some(Lack::CapturedKind)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let rules = position.rules();
        let letter = |kind, owner: Owner| char::from(rules.kind(kind).label[owner].letter);
        if ply.verb == Verb::Drop {
            // A lower-case letter is Black's piece.
            let letter = letter(ply.kind, ply.actor);
            out.push(if ply.actor == Owner::Black { letter.to_ascii_lowercase() } else { letter });
            out.push('@');
            rules.board().write_square(ply.to, out);
            return Ok(());
        }
        rules.board().write_square(ply.from, out);
        rules.board().write_square(ply.to, out);
        match ply.verb {
            Verb::Castle => out.push(if ply.other > ply.from { 'c' } else { 'C' }),
            Verb::EnPassant => out.push('E'),
            _ => {
                let victim = captured(position, ply).map(|kind| letter(kind, ply.actor.opponent()));
                out.extend(victim.map(|letter| letter.to_ascii_lowercase()));
            }
        }
        out.extend(ply.promotion.map(|kind| letter(kind, ply.actor)));
        Ok(())
    }
}

/// True for games in which letters after the squares are unambiguous.
pub(in crate::notation) fn is_for<M: Mask>(rules: &Rules<M>) -> bool {
    let promotes = |owner| rules.promotion[owner].zone == rules.promotion[owner].forced;
    rules.gating.is_none() && promotes(Owner::White) && promotes(Owner::Black)
}

fn captured<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<crate::rules::KindId> {
    let taken = match ply.verb {
        Verb::Castle | Verb::Drop | Verb::Switch | Verb::Pass => return None,
        Verb::EnPassant => ply.other,
        Verb::Move => ply.to,
    };
    position.state().piece(taken).map(|piece| piece.kind)
}

/// Reads a token of `mover`.
///
/// # Errors
/// If the token has another form.
pub(in crate::notation) fn read(
    letters: &Letters,
    mover: Owner,
    token: &[u8],
) -> Result<MoveText, Unreadable> {
    let text = read_drop(letters, mover, token).or_else(|| read_step(letters, mover, token));
    text.ok_or_else(|| Unreadable {
        span: Span::new(0, token.len()),
        message:
            "not a move in style `smith`; write two squares, the captured piece and the promotion: `f7g8nQ`"
                .into(),
        unknown_kind: false,
    })
}

fn read_drop(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let [letter, b'@', square @ ..] = token else { return None };
    let (to, []) = letters.board().read_square(square)? else { return None };
    let blacks = letter.is_ascii_lowercase();
    let mut text = MoveText::new(Shape::Drop);
    text.kinds = letters.kinds(mover, letter.to_ascii_uppercase());
    text.to = to;
    text.habits = Habits::SMITH;
    (blacks == (mover == Owner::Black)).then_some(text)
}

fn read_step(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let board = letters.board();
    let (from, rest) = board.read_square(token)?;
    let (to, mut rest) = board.read_square(rest)?;
    let mut text = MoveText::new(Shape::Squares);
    text.kinds = letters.all();
    (text.from_file, text.from_rank) = (Some(board.file(from)), Some(board.rank(from)));
    (text.to, text.habits) = (to, Habits::SMITH);
    match rest {
        [b'c'] => text.shape = Shape::CastleKingSide,
        [b'C'] => text.shape = Shape::CastleQueenSide,
        _ => {}
    }
    if text.shape != Shape::Squares {
        return Some(text);
    }
    match rest {
        [b'E', after @ ..] => {
            text.captures = true;
            text.victim = board.square(board.file(to) as i8, board.rank(from) as i8)?;
            rest = after;
        }
        [letter, after @ ..]
            if CAPTURED.contains(&letter.to_ascii_uppercase()) && letter.is_ascii_lowercase() =>
        {
            let kinds: KindSet = letters.kinds(mover.opponent(), letter.to_ascii_uppercase());
            text.captures = true;
            text.captured = Some(kinds.kinds().next()?);
            rest = after;
        }
        _ => {}
    }
    if let [letter, after @ ..] = rest
        && PROMOTIONS.contains(letter)
    {
        text.promotion = Some(letters.kind(mover, *letter, false, false)?);
        rest = after;
    }
    rest.is_empty().then_some(text)
}
