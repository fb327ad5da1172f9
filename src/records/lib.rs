//! Records of games: read from the extended PGN and the files of other programs, judged by the rules, rewritten and
//! drawn. A member of [`ferz`], which is the library to depend on.
//!
//! [`ferz`]: https://crates.io/crates/ferz

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// L1: records as text; what else has games: mail, pages, files of other programs.
pub mod interchange;
pub mod record;

// L6: clocks and limits.
pub mod clock;

// L7: whole games: reports, perft; positions to look at; rules, positions and games of any board.
pub mod diagram;
pub mod play;
pub mod replay;

// L8: records in, records out: conversion, repairs, comparison.
pub mod rewrite;

// L9: records as JSON.
#[cfg(feature = "json")]
pub mod json;
