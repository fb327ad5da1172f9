//! What a style writes is read back as the same ply, and the reader has nothing to remark.

use crate::check::{Law, ensure};
use crate::common::coord_of;
use ferz::board::{Mask, Owner};
use ferz::notation::{Letters, Remarks, Style, WriteChoices, mark_after, read, resolve, write};
use ferz::position::{Ply, Position};

/// Writes each ply in every style that can express it, and reads it back.
pub fn texts_are_read_back<M: Mask>(position: &Position<M>, plies: &[Ply]) -> Law {
    let letters = Letters::new(position.rules());
    for ply in plies {
        let mark = mark_after(position, ply);
        for style in Style::ALL {
            let Ok(text) = write(position, ply, style, WriteChoices::default()) else { continue };
            let wrong =
                |what: &str| format!("{} as `{text}` in style {style}: {what}", coord_of(position, ply));
            // In coordinates `~` says that Nature acts; else the number of the turn does.
            let natures = ply.actor == Owner::Nature && !style.is_coordinates();
            let told = read(&letters, position.turn(), natures, text.as_bytes())
                .map_err(|error| wrong(&format!("is not read: {error}")))?;
            let found = resolve(position, &told)
                .map_err(|fault| wrong(&format!("is {}: {}", fault.reason, fault.message)))?;
            ensure(found.ply == *ply, || wrong(&format!("is read as {}", coord_of(position, &found.ply))))?;
            ensure(found.remarks == Remarks::default(), || wrong(&format!("{:?}", found.remarks)))?;
            ensure(style.is_coordinates() || told.mark == mark, || wrong(&format!("deserves {mark:?}")))?;
            // A pawn that may go sideways is told apart by its whole square (INGOLS `d4e4`).
            let pawn = position.rules().is_pawn(ply.kind) && ply.promotion.is_none();
            ensure(pawn || style.allows(told.habits), || wrong("is of another style"))?;
        }
    }
    Ok(())
}
