//! The archive as a library, its laws, and processes killed while they write.
#![cfg(feature = "archive")]
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod crash;
mod index;
mod laws;
mod library;
