//! The program as its users meet it: real processes, pipes, files, exit codes.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/schema.rs"]
mod schema;

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod attacks;
mod bulletin;
mod claims;
mod collection;
mod decode;
mod dedupe;
mod encoding;
mod engines;
#[cfg(feature = "archive")]
mod events;
mod exchange;
#[cfg(feature = "archive")]
mod forgetting;
mod import;
mod let_stand;
mod lists;
mod losses;
mod lsp;
#[cfg(feature = "archive")]
mod mail;
mod many;
mod match_points;
mod mutated_plans;
mod notes;
mod own_rules;
mod parquet;
mod plans;
mod play;
mod positions;
#[cfg(feature = "archive")]
mod program_files;
mod proofs;
mod readme;
mod records;
mod register;
mod select;
mod stories;
mod tables;
#[cfg(feature = "archive")]
mod two_boards;
