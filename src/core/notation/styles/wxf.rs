//! Style `wxf`: that of the World Xiangqi Federation. The piece, its file from its player's right, a sign for the way,
//! and the file or the number of steps: `C2=5`, `H8+7`, `R+=5`; of several soldiers by number and file: `35+1`.

use super::by_file;
use super::form::{Form, Row, own_lacks};
use crate::board::{Mask, Owner};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{ByFile, Habits, MoveText, Place, Shape, Way, Which};
use crate::notation::slips::Slips;
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position};
use crate::rules::Rules;
use crate::rules::definition::OwnStyle;

/// The notation of the World Xiangqi Federation.
pub(in crate::notation) struct Wxf;

impl Form for Wxf {
    const ROW: Row = Row {
        name: "wxf",
        example: "C2=5, H8+7",
        own: Some(OwnStyle::Wxf),
        allows: |habits| habits.has(Habits::BY_FILE),
        shown_by: |habits, _| habits.has(Habits::BY_FILE),
        read: Some(|letters, mover, token| read(letters, mover, token).map(Ok)),
        ..Row::OWN
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        own_lacks(&Self::ROW, false, position, ply)
            .or_else(|| by_file::form(position, ply, OwnStyle::Wxf).err())
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let form = by_file::form(position, ply, OwnStyle::Wxf)?;
        write(position.rules(), ply, form, out);
        Ok(())
    }
}

/// Appends a ply as its form names it.
fn write<M: Mask>(rules: &Rules<M>, ply: &Ply, form: ByFile, out: &mut String) {
    let digit = |number: u8| char::from(b'0' + number);
    let sign = |way| match way {
        Way::Forward => '+',
        Way::Back => '-',
        Way::Level => '=',
    };
    let letter = || {
        let own = rules.spelled(ply.kind).and_then(|spelled| spelled.wxf.chars().next());
        own.unwrap_or_else(|| char::from(rules.kind(ply.kind).letter))
    };
    match form.place {
        Place::File(number) => out.extend([letter(), digit(number)]),
        Place::Among { file: Some(file), which: Which::Number(number) } => {
            out.extend([digit(number), digit(file)]);
        }
        Place::Among { which: Which::Front, .. } => out.extend([letter(), '+']),
        Place::Among { which: Which::Rear, .. } => out.extend([letter(), '-']),
        Place::Among { .. } => {}
    }
    out.extend([sign(form.way), digit(form.number)]);
}

/// The four characters of a token. Old records have full-width ones: `Ｃ２＝５`.
fn narrow(token: &[u8]) -> Option<[u8; 4]> {
    if token.len() == 4 {
        return token.try_into().ok();
    }
    let mut narrow = [0; 4];
    let mut chars = std::str::from_utf8(token).ok()?.chars();
    for byte in &mut narrow {
        let char = u32::from(chars.next()?);
        // Full-width forms are those of ASCII, in the same order.
        *byte = u8::try_from(char.checked_sub(0xFEE0)?).ok()?;
    }
    chars.next().is_none().then_some(narrow)
}

/// Reads a token; `None` if it has another form.
fn read(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let own = letters.own()?;
    let [piece, place, way, number] = narrow(token)?;
    let digit = |byte: u8| (b'1'..=b'9').contains(&byte).then(|| byte - b'0');
    let end = |byte: u8| match byte {
        b'+' => Some(Which::Front),
        b'-' => Some(Which::Rear),
        _ => None,
    };
    let way = match way {
        b'+' => Way::Forward,
        b'-' => Way::Back,
        b'=' | b'.' => Way::Level,
        _ => return None,
    };
    let number = digit(number)?;
    let mut text = MoveText::new(Shape::Squares);
    text.habits = Habits::BY_FILE;
    let place = match (digit(piece), digit(place), end(place)) {
        (Some(number), Some(file), _) => Place::Among { file: Some(file), which: Which::Number(number) },
        (Some(file), None, Some(which)) => Place::Among { file: Some(file), which },
        (None, Some(file), _) if piece.is_ascii_alphabetic() => Place::File(file),
        (None, None, Some(which)) if piece.is_ascii_alphabetic() => Place::Among { file: None, which },
        _ => return None,
    };
    text.kinds = if piece.is_ascii_digit() { own.numbered } else { own.wxf(letters, mover, piece) };
    if piece.is_ascii_lowercase() {
        text.slips = Slips::CASE;
    }
    text.by_file = Some(ByFile { place, way, number });
    Some(text)
}
