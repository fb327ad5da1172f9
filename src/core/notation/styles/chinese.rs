//! Style `chinese`: the notation of Xiangqi in China, `炮二平五`, `马８进７`, `前车进一`. It is written with simplified
//! characters, White's numbers with Chinese numerals and Black's with full-width digits; traditional characters and
//! every kind of numeral are read for both.

use super::by_file;
use super::form::{Form, Row, own_lacks};
use crate::board::{Mask, Owner};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{ByFile, Habits, MoveText, Place, Shape, Way, Which};
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position};
use crate::rules::Rules;
use crate::rules::definition::OwnStyle;

/// The notation of Xiangqi in China.
pub(in crate::notation) struct Chinese;

impl Form for Chinese {
    const ROW: Row = Row {
        name: "chinese",
        example: "炮二平五",
        own: Some(OwnStyle::Chinese),
        allows: |habits| habits.has(Habits::CHINESE),
        shown_by: |habits, _| habits.has(Habits::CHINESE),
        read: Some(|letters, mover, token| read(letters, mover, token).map(Ok)),
        ..Row::OWN
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        own_lacks(&Self::ROW, false, position, ply)
            .or_else(|| by_file::form(position, ply, OwnStyle::Chinese).err())
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let form = by_file::form(position, ply, OwnStyle::Chinese)?;
        write(position.rules(), ply, form, out);
        Ok(())
    }
}

/// The numerals from 1: Chinese, full-width, and plain.
const NUMERALS: [[char; 9]; 3] = [
    ['一', '二', '三', '四', '五', '六', '七', '八', '九'],
    ['１', '２', '３', '４', '５', '６', '７', '８', '９'],
    ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
];

/// Characters of the ways; the first of each is written.
const WAYS: [(Way, &[char]); 3] =
    [(Way::Forward, &['进', '進']), (Way::Back, &['退']), (Way::Level, &['平'])];

/// Characters of the places on a file; the first of each is written.
const PLACES: [(Which, &[char]); 3] =
    [(Which::Front, &['前']), (Which::Middle, &['中']), (Which::Rear, &['后', '後'])];

fn number(char: char) -> Option<u8> {
    let place = NUMERALS.iter().find_map(|row| row.iter().position(|known| *known == char))?;
    Some(place as u8 + 1)
}

fn find<T: Copy>(table: &[(T, &[char])], char: char) -> Option<T> {
    table.iter().find(|(_, chars)| chars.contains(&char)).map(|(found, _)| *found)
}

fn written<T: PartialEq>(table: &[(T, &[char])], what: T) -> Option<char> {
    table.iter().find(|(known, _)| *known == what).and_then(|(_, chars)| chars.first().copied())
}

/// Appends a ply as its form names it.
fn write<M: Mask>(rules: &Rules<M>, ply: &Ply, form: ByFile, out: &mut String) {
    let numerals = NUMERALS[usize::from(ply.actor == Owner::Black)];
    let numeral =
        |number: u8| usize::from(number).checked_sub(1).and_then(|index| numerals.get(index)).copied();
    let names =
        rules.spelled(ply.kind).map_or("", |spelled| spelled.characters_of(OwnStyle::Chinese, ply.actor));
    let piece = names.chars().next();
    match form.place {
        Place::File(number) => out.extend(piece.into_iter().chain(numeral(number))),
        Place::Among { which, .. } => {
            let place = match which {
                Which::Number(number) => numeral(number),
                which => written(&PLACES, which),
            };
            out.extend(place.into_iter().chain(piece));
        }
    }
    out.extend(written(&WAYS, form.way).into_iter().chain(numeral(form.number)));
}

/// Reads a token; `None` if it has another form.
fn read(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let own = letters.own()?;
    let text = std::str::from_utf8(token).ok().filter(|text| !text.is_ascii())?;
    let chars: Vec<char> = text.chars().collect();
    let &[first, second, way, last] = &chars[..] else { return None };
    let kinds = |char: char| Some(own.chinese(mover, char)).filter(|kinds| !kinds.is_empty());
    let which = |char: char| find(&PLACES, char).or_else(|| number(char).map(Which::Number));
    let among = |which| Place::Among { file: None, which };
    let (kinds, place) = match (kinds(first), kinds(second)) {
        (Some(kinds), _) => match number(second) {
            Some(file) => (kinds, Place::File(file)),
            None => (kinds, among(find(&PLACES, second)?)),
        },
        (None, Some(kinds)) => (kinds, among(which(first)?)),
        (None, None) => return None,
    };
    let by_file = ByFile { place, way: find(&WAYS, way)?, number: number(last)? };
    Some(MoveText { kinds, habits: Habits::CHINESE, by_file: Some(by_file), ..MoveText::new(Shape::Squares) })
}
