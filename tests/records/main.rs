//! Records: reading, writing, notations, conversion, repairs, diagrams; the fixtures with their expected reports.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "cli")]
#[path = "../common/program.rs"]
mod program;
#[cfg(feature = "cli")]
#[path = "../common/random_records.rs"]
mod random_records;
#[cfg(feature = "cli")]
#[path = "../common/schema.rs"]
mod schema;

#[cfg(feature = "cli")]
mod asia;
mod budget;
mod claims;
mod corpus;
mod diagram;
#[cfg(feature = "cli")]
mod files;
mod fix;
#[cfg(feature = "cli")]
mod fix_twice;
mod fixtures;
mod json;
mod layout;
#[cfg(feature = "cli")]
mod mail;
mod notation;
#[cfg(feature = "cli")]
mod one_verdict;
mod plans;
mod proofs;
mod record;
mod search;
mod styles;
#[cfg(feature = "cli")]
mod touched;
mod two_boards;
mod words;
