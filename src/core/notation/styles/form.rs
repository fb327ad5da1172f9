//! What each style says about itself: a row of the table, and how it writes a ply.

use crate::board::{Mask, Owner};
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{Habits, MoveText, Unreadable};
use crate::notation::style::Style;
use crate::notation::write::WriteChoices;
use crate::position::{Ply, Position, Verb};
use crate::rules::definition::{Definition, OwnStyle};

/// A style of notation. The table of [`Style`] has one line for each.
pub(in crate::notation) trait Form {
    /// What is to be known of it.
    const ROW: Row;

    /// The first thing that it cannot express in a legal ply; a pass need not be tested here.
    fn lacks<M: Mask>(_position: &Position<M>, _ply: &Ply) -> Option<Lack> {
        None
    }

    /// Appends a legal ply that it can express, neither a null move nor a pass that its row has a text for.
    ///
    /// # Errors
    /// If no text of the style fits this ply and no other.
    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        choices: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack>;
}

/// What is to be known of a style, besides how it writes a ply.
pub(in crate::notation) struct Row {
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// A few plies of it.
    pub example: &'static str,
    /// The name by which definitions list it, if only the games that do have it.
    pub own: Option<OwnStyle>,
    /// True if it writes two squares without a piece letter, and Nature's plies with `~`.
    pub coordinates: bool,
    /// True if its records number every ply or none.
    pub numbers_plies: bool,
    /// Its text for a null move.
    pub null: &'static str,
    /// How it writes a pass.
    pub pass: Pass,
    /// True if it marks check and mate.
    pub marks: bool,
    /// The signs of check and mate in its records, even if the style itself writes none.
    pub signs: [&'static str; 2],
    /// True if its piece letters depend on the language.
    pub letters: bool,
    /// True if a text with these habits may occur in a record of it.
    pub allows: fn(Habits) -> bool,
    /// Plies with one of these habits may belong to another style although this one allows them: they have more or
    /// less disambiguation than it writes.
    pub left_by: Habits,
    /// True if a record with these habits is in it; the other value is the style of the game's inventor.
    pub shown_by: fn(Habits, Style) -> bool,
    /// Reads its own forms, in games that list it.
    pub read: Option<ReadForm>,
    /// Reads forms that mean something else in other styles, where a record is required to be in this one.
    pub read_required: Option<ReadForm>,
}

/// How a style writes a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::notation) enum Pass {
    /// Not at all.
    Missing,
    /// As a text of its own.
    Text(&'static str),
    /// As the king's square twice.
    SquareTwice,
}

/// Reads a token of the player on move; `None` if it has another form.
pub(in crate::notation) type ReadForm = fn(&Letters, Owner, &[u8]) -> Option<Result<MoveText, Unreadable>>;

/// The text of a null move in algebraic notation.
pub(in crate::notation) const NULL: &str = "--";

/// The text of a null move in coordinates.
pub(in crate::notation) const NULL_SQUARES: &str = "0000";

impl Row {
    /// True if a game has the style.
    pub fn is_for(&self, game: &Definition) -> bool {
        self.own.is_none_or(|own| game.styles.contains(&own))
    }

    /// What algebraic styles have in common, whose letters are those of a language.
    pub const ALGEBRAIC: Row = Row {
        name: "",
        example: "",
        own: None,
        coordinates: false,
        numbers_plies: false,
        null: NULL,
        pass: Pass::Text(NULL),
        marks: true,
        signs: ["+", "#"],
        letters: true,
        allows: |habits| allows_algebraic(habits) && !habits.has(Habits::FIGURES),
        left_by: Habits::NONE,
        shown_by: |_, _| false,
        read: None,
        read_required: None,
    };

    /// What styles have in common that write two squares.
    pub const COORDINATES: Row = Row {
        coordinates: true,
        null: NULL_SQUARES,
        pass: Pass::SquareTwice,
        marks: false,
        letters: false,
        allows: |habits| !habits.has(Habits::SHORT) && !is_of_others(habits),
        ..Row::ALGEBRAIC
    };

    /// What styles have in common that only some games have: neither marks nor a pass, nor letters of a language.
    pub const OWN: Row = Row { pass: Pass::Missing, marks: false, letters: false, ..Row::ALGEBRAIC };

    /// What those of them have in common that write two squares.
    pub const OWN_COORDINATES: Row = Row { coordinates: true, null: NULL_SQUARES, ..Row::OWN };
}

/// True if plies with these habits may occur in an algebraic style.
pub(in crate::notation) fn allows_algebraic(habits: Habits) -> bool {
    // Nature's `b5a5=K` is written by the algebraic styles too.
    let squares = habits.has(Habits::SQUARES) && !habits.has(Habits::INTERJECTION);
    !squares && !is_of_others(habits)
}

/// True if habits show a style that is neither algebraic nor coordinates.
fn is_of_others(habits: Habits) -> bool {
    habits.has_any(Habits::NUMERIC.and(Habits::SMITH).and(Habits::SHOGI)) || habits.own_forms() > 0
}

/// What a style that only some games have cannot express in a ply: anything but the step of a piece, or a pass if it
/// has one. `promotes` is true if it has a sign for promotion.
pub(in crate::notation) fn own_lacks<M: Mask>(
    row: &Row,
    promotes: bool,
    position: &Position<M>,
    ply: &Ply,
) -> Option<Lack> {
    if !row.is_for(&position.rules().definition) {
        return Some(Lack::OtherGame);
    }
    if ply.actor == Owner::Nature {
        return Some(Lack::Nature);
    }
    let passes = ply.verb == Verb::Pass && row.pass != Pass::Missing;
    let steps = ply.verb == Verb::Move && !ply.gates_any() && (promotes || ply.promotion.is_none());
    (!steps && !passes).then_some(Lack::BeyondStep)
}
