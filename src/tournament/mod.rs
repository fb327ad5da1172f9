//! Events: who plays whom, how they stand, who is to move. An event is the games of the archive with its name in the
//! tag `Event`, those that are played there and those that were submitted; nothing else is stored about it, so that
//! the table is always that of the games.

mod games;
mod lists;
mod pairings;
mod show;
mod standings;

pub use games::{Due, EventGame, Plan, Planned, create, due, events, games, replace, table, withdraw};
pub use lists::{Player, read_pairings, read_players};
pub use pairings::{Pairing, round_robin};
pub use show::{csv, html, text};
pub use standings::{Score, Table, TieBreak};
