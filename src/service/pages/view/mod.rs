//! What the pages show of a record, as plain data for the templates: made from a trace, without any HTML of its own
//! but links to articles and drawings.

mod board;
mod game;
mod lines;
mod moves;
mod verdict;

pub use board::{Board, position_board};
pub use game::{GameView, Row};
pub use verdict::Finding;
