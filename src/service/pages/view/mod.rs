//! The content of pages as plain data for the templates, built from a trace. Its only HTML are links to articles, and
//! diagrams.

mod board;
mod game;
mod lines;
mod moves;
mod plies;
mod verdict;

pub use board::{Board, position_board};
pub use game::{GameView, Row};
pub use moves::{LISTED_PLIES_MAX, Moves};
pub use plies::ListedPlies;
pub use verdict::{Finding, Tone};
