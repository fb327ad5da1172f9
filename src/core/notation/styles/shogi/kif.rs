//! Style `kif`: `７六歩(77)`, `３九角打`, `８八角成(77)`, and KI2, which names no from-square but tells pieces apart by where
//! they come from: `５八金右`.

use super::{OF_SHOGI, SHOGI_PIECES, ShogiPiece, drop, kind, name, numbers, square, step};
use crate::board::{Mask, Owner};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{Becomes, Habits, Hints, MoveText};
use crate::notation::styles::form::{Form, Row};
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position, Verb};
use crate::rules::definition::OwnStyle;

/// The notation of shogi in Japanese.
pub(in crate::notation) struct Kif;

impl Form for Kif {
    const ROW: Row = Row {
        name: "kif",
        example: "７六歩(77)",
        own: Some(OwnStyle::Kif),
        allows: |habits| habits.has(Habits::KIF),
        shown_by: |habits, _| habits.has(Habits::KIF),
        ..OF_SHOGI
    };

    fn lacks<M: Mask>(position: &Position<M>, _: &Ply) -> Option<Lack> {
        super::lacks(&Self::ROW, position)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let rules = position.rules();
        let (file, rank) = numbers(rules.board(), ply.to);
        out.push(WIDE[usize::from(file - 1)]);
        out.push(KANJI[usize::from(rank - 1)]);
        out.push_str(name(rules, ply.kind, |piece| &piece.written));
        if ply.verb == Verb::Drop {
            out.push('打');
            return Ok(());
        }
        if ply.promotion.is_some() {
            out.push('成');
        }
        let (file, rank) = numbers(rules.board(), ply.from);
        out.push_str(&format!("({file}{rank})"));
        Ok(())
    }
}

/// Files.
const WIDE: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// Ranks.
const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Other names of pieces, with the letter here and whether the piece is promoted.
const OTHERS: [(&str, u8, bool); 5] =
    [("王", b'K', false), ("竜", b'R', true), ("全", b'S', true), ("圭", b'N', true), ("杏", b'L', true)];

/// Words about the way of the piece.
const WAYS: [(char, Hints); 6] = [
    ('左', Hints::LEFT),
    ('右', Hints::RIGHT),
    ('直', Hints::STRAIGHT),
    ('上', Hints::UP),
    ('寄', Hints::SIDEWAYS),
    ('引', Hints::DOWN),
];

/// A number from 1 to 9 at the start of a text, in any of its forms.
fn number(text: &str) -> Option<(u8, &str)> {
    let first = text.chars().next()?;
    let place = |list: &[char]| list.iter().position(|known| *known == first).map(|place| place as u8 + 1);
    let digit = first.to_digit(10).map(|digit| digit as u8);
    let found = place(&WIDE).or_else(|| place(&KANJI)).or(digit)?;
    Some((found, &text[first.len_utf8()..]))
}

/// Reads a token of `mover`; `None` if it has another form.
pub(super) fn read(letters: &Letters, mover: Owner, token: &str) -> Option<MoveText> {
    let board = letters.board();
    let rest = token.strip_prefix(['▲', '△', '▼', '▽', '☗', '☖']).unwrap_or(token);
    let (to, rest) = match rest.strip_prefix('同') {
        Some(rest) => (None, rest.trim_start_matches(['\u{3000}', ' '])),
        None => {
            let (file, rest) = number(rest)?;
            let (rank, rest) = number(rest)?;
            (Some(square(board, file, rank)?), rest)
        }
    };
    let (kind, mut rest) = piece(letters, mover, rest)?;
    let mut hints = Hints::NONE;
    while let Some((way, hint)) = WAYS.iter().find(|(way, _)| rest.starts_with(*way)) {
        (hints, rest) = (hints.and(*hint), &rest[way.len_utf8()..]);
    }
    let mut becomes = Becomes::Named;
    if let Some(after) = rest.strip_prefix("不成").or_else(|| rest.strip_prefix('生')) {
        rest = after;
    } else if let Some(after) = rest.strip_prefix('成') {
        (becomes, rest) = (Becomes::Promoted, after);
    }
    if rest == "打" {
        return Some(drop(kind, to?, Habits::KIF));
    }
    let from = match rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        None if rest.is_empty() => None,
        None => return None,
        Some(inner) => {
            let (file, inner) = number(inner)?;
            let (rank, "") = number(inner)? else { return None };
            Some(square(board, file, rank)?)
        }
    };
    if from.is_none() {
        // KI2 leaves out that a piece is dropped where no other can go there.
        hints = hints.and(Hints::OR_DROP);
    }
    let target = to.unwrap_or(crate::board::Square::NONE);
    let kinds = [kind].into_iter().collect();
    let there = to.is_none();
    Some(MoveText { kinds, becomes, there, hints, ..step(letters, from, target, Habits::KIF) })
}

/// A piece at the start of a text.
fn piece<'t>(letters: &Letters, mover: Owner, text: &'t str) -> Option<(crate::rules::KindId, &'t str)> {
    let own = SHOGI_PIECES.iter().flat_map(|ShogiPiece { letter, written: [own, promoted], .. }| {
        [(*own, *letter, false), (*promoted, *letter, true)]
    });
    let found = own.chain(OTHERS).find(|(name, ..)| !name.is_empty() && text.starts_with(name));
    let (name, letter, promoted) = found?;
    Some((kind(letters, mover, letter, promoted)?, &text[name.len()..]))
}
