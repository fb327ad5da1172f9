//! The rules: independent cases, node counts, definitions of games.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod conformance;
mod fairy;
mod perft;
mod unwinnable;
mod variants;
mod zillions;
