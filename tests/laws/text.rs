//! What a style writes is read back as the same ply, and the reader has nothing to remark.

use crate::check::{Law, ensure};
use crate::common::coord_of;
use ferz::board::{Mask, Owner};
use ferz::notation::{Leniency, Letters, Style, WriteChoices, mark_after, read, read_as, resolve, write};
use ferz::position::{Ply, Position, Verb};

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
            let told = read_as(Some(style), &letters, position.turn(), natures, text.as_bytes())
                .map_err(|error| wrong(&format!("is not read: {error}")))?;
            let found = resolve(position, &told)
                .map_err(|fault| wrong(&format!("is {}: {}", fault.reason, fault.message)))?;
            ensure(found.ply == *ply, || wrong(&format!("is read as {}", coord_of(position, &found.ply))))?;
            // What a rule chooses between two plies (CHA-12) has no other form for the one that it chooses.
            let leniency = Leniency(found.leniency.0 & !Leniency::OTHER_PLY.0);
            ensure(leniency == Leniency::default(), || wrong(&format!("{leniency:?}")))?;
            ensure(!told.slips.any(), || wrong(&format!("{:?}", told.slips)))?;
            // A pass has no mark: where a set-up had the waiting player in check, no ply gave it.
            let marked = style.has_marks() && ply.verb != Verb::Pass;
            ensure(!marked || told.mark == mark, || wrong(&format!("deserves {mark:?}")))?;
            reads_the_same_elsewhere(position, ply, style, natures, text.as_bytes(), &letters)?;
            // A pawn that may go sideways is told apart by its whole square (INGOLS `d4e4`), and a quiet step aslant
            // always names it (AKC 6, `a3b4`).
            let board = position.rules().board();
            let aslant = board.file(ply.from) != board.file(ply.to) && position.piece(ply.to).is_none();
            let pawn = position.rules().is_pawn(ply.kind) && (ply.promotion.is_none() || aslant);
            ensure(pawn || style.allows(told.habits), || wrong("is of another style"))?;
        }
    }
    Ok(())
}

/// Without a style, nothing else is understood: the common reading means the same ply, or none, and then the text is
/// Smith's. What is legal both ways would be read in silence as what it is not.
fn reads_the_same_elsewhere<M: Mask>(
    position: &Position<M>,
    ply: &Ply,
    style: Style,
    natures: bool,
    token: &[u8],
    letters: &Letters,
) -> Law {
    if style == Style::Ucci {
        // Two squares alone do not show whether ranks begin with 0; the record does.
        return Ok(());
    }
    let shown = String::from_utf8_lossy(token);
    let told = read(letters, position.turn(), natures, token).ok();
    match told.and_then(|told| resolve(position, &told).ok()) {
        Some(found) => ensure(found.ply == *ply, || {
            let other = coord_of(position, &found.ply);
            format!("{} as `{shown}` in style {style} is read as {other}", coord_of(position, ply))
        }),
        None => {
            ensure(style == Style::Smith, || format!("`{shown}` in style {style} needs to be told its style"))
        }
    }
}
