//! Reads damaged records by the rules: of all ways to read a text, the one that makes a legal game at the least cost is
//! almost always what was meant. A member of [`ferz`], which is the library to depend on. `formats/DECODE.md` describes
//! what is read, and how sure it is.
//!
//! A [`Sheet`] holds what was written: tokens with their places, and the ways to split and join them; or cells with the
//! guesses of a recogniser. One sheet or two of one game are read from a position on: legal plies of every actor are
//! the only continuations, and each slip has its cost in bits (`formats/slips.toml`).
//!
//! ```
//! use ferz_core::rules::Registry;
//! use ferz_core::text::Budget;
//! use ferz_decode::{Options, decode};
//! use ferz_records::record;
//! use ferz_records::replay::{self, Replayer};
//!
//! let text = b"1. e4 e5 2. NfG Nc6 3. Bb5 a6 4. Ba4 Nf8 5. O-O Be7";
//! let mut replayer = Replayer::new(Registry::built_in(), replay::Options::default());
//! let record = record::read(text, 0).next().ok_or("no record")?;
//! let decoded = decode(&mut replayer, &record, &Options::default(), &Budget::unlimited())?;
//! let reading = decoded.readings.first().ok_or("unreadable")?;
//! let changes: Vec<String> = reading.changes().map(|ply| ply.to_string()).collect();
//! assert_eq!(changes, ["2. NfG -> Nf3", "4... Nf8 -> Nf6"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ferz`]: https://crates.io/crates/ferz

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// What slips cost.
mod costs;

// What was written: sheets from texts and from cells.
mod cells;
mod sheet;
mod tokens;
mod written;

// How a ply may be written, and what a token costs as that ply.
mod edit;
mod spell;
mod voice;

// The search for the cheapest legal games.
mod beam;
mod decode;
mod likely;
mod reading;

// Two sheets of one game.
mod together;

// A reading as a record, readings as JSON.
pub mod json;
mod write;

#[cfg(test)]
mod tests;

pub use cells::{Cell, Cells, CellsError};
pub use costs::{Bits, Costs};
pub use decode::{DecodeError, Options, decode, decode_sheets, sheet_of};
pub use reading::{Alternative, Change, Decoded, Doubt, Left, LeftOut, ReadPly, Reading, Spelled, Token};
pub use sheet::Sheet;
pub use together::{Difference, Share, Together, together};
pub use tokens::games;
pub use write::{best_record_of, record_of};
pub use written::{Written, decode_written, has_tags};
