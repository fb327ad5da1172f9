//! The front door: rules, positions and games of any board, in the words of the field.
//!
//! [`Rules`], [`Position`] and [`Game`] are those of [`rules`](ferz_core::rules), [`position`](ferz_core::position) and
//! [`judge`](ferz_core::judge) without the type parameter for the width of a board's masks. Programs that count
//! nanoseconds use the generic types directly.

mod builder;
mod game;
mod man;
mod position;
mod rules;
mod shown;

pub use builder::PositionBuilder;
pub use game::Game;
pub use man::Man;
pub use position::{AnyPosition, Position};
pub use rules::Rules;
pub use shown::{ShownFault, ShownGate, ShownPly};
