//! The program `ferz`: the referee's desk for chess and its variants, as commands and as a service. The library that
//! it is made of is [`ferz`].

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// A service's games, over HTTP.
#[cfg(feature = "client")]
pub mod client;

// Events: pairings, tables; those of an archive.
#[cfg(any(feature = "cli", feature = "server"))]
pub mod tournament;

// Plain text from files and bodies.
#[cfg(any(feature = "cli", feature = "server"))]
mod plain;

// Pages for paper.
#[cfg(any(feature = "cli", feature = "server"))]
mod bulletin;

// Two records of one game.
#[cfg(any(feature = "cli", feature = "server"))]
mod stories;

// What players write.
#[cfg(any(feature = "cli", feature = "server"))]
mod wish;

// Games by mail.
#[cfg(all(feature = "archive", feature = "cli"))]
mod mail;

// Records in an editor.
#[cfg(feature = "cli")]
mod lsp;

// The service over HTTP.
#[cfg(feature = "server")]
pub mod service;

// The commands.
#[cfg(feature = "cli")]
pub mod cli;

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
