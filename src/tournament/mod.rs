//! Events: who plays whom, how they stand, who is to move. An event is the games of the archive with its name in the
//! tag `Event`, those that are played there and those that were submitted; nothing else is stored about it, so that
//! the table is always that of the games.

#[cfg(feature = "archive")]
mod games;
#[cfg(feature = "archive")]
mod lists;
mod pairings;
mod ratings;
#[cfg(any(feature = "archive", feature = "cli"))]
mod rows;
mod show;
mod standings;

#[cfg(feature = "archive")]
pub use games::{
    Due, EventGame, Plan, Planned, create, due, events, forfeit, games, replace, table, withdraw,
};
#[cfg(feature = "archive")]
pub use lists::{Player, read_pairings, read_players};
pub use pairings::{Pairing, round_robin};
pub use ratings::{Rated, ratings};
#[cfg(any(feature = "archive", feature = "cli"))]
pub use rows::{read_rows, rows_as_csv};
#[cfg(any(feature = "archive", feature = "cli"))]
pub use show::csv;
pub use show::{html, of_page, text};
pub use standings::{Played, Score, Table, TieBreak};
