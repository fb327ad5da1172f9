//! The referee's desk for chess and its variants: reads a game record in the notation its players used, replays it
//! by the exact rules they agreed on, and says what happened and why.
//!
//! # Judge a record
//!
//! ```
//! use ferz::record;
//! use ferz::replay::{Options, Replayer, Source};
//! use ferz::rules::Registry;
//!
//! let text = b"[Variant \"iago-b\"]\n\n1. Ng1-f3&M Ng8-f6 2. &Cg8 *";
//! let mut replayer = Replayer::new(Registry::built_in(), Options::default());
//! let source = Source::new(text, 0, 0);
//! let record = record::read(text, 0).next().ok_or("no game")?;
//! let report = replayer.report(&record, &source, 0);
//! let illegal = report.illegal.ok_or("legal")?;
//! assert_eq!((illegal.ply, illegal.text.as_str(), illegal.rule.as_str()), (3, "&Cg8", "IAB 2b"));
//! # Ok::<(), &str>(())
//! ```
//!
//! # Ask a position
//!
//! ```
//! use ferz::{Position, Rules};
//!
//! let start = Position::start(&Rules::named("ingols")?);
//! assert_eq!(start.plies().len(), 12);
//! assert_eq!(start.fen(), "4pnrk/4pbqr/4ppnb/4pppp/PPPP4/BNPP4/RQBP4/KRNP4 w - - 0 1");
//! # Ok::<(), ferz::rules::RegistryError>(())
//! ```
//!
//! # Play
//!
//! ```
//! use ferz::notation::Style;
//! use ferz::{Game, Rules};
//!
//! let mut game = Game::start(&Rules::named("iago-b")?);
//! let before = game.position();
//! let ply = game.play("Ng1-f3&M")?;
//! assert_eq!(before.write(&ply, Style::Coord)?, "g1f3m");
//! let fault = game.play("&Cg8").err().ok_or("legal")?;
//! assert_eq!(fault.to_string(), "the square is not vacant (IAB 2b)");
//! assert_eq!((game.end(), game.claims().len()), (None, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! A module imports only from the layers below it; data flows one way, each arrow a plain value:
//! bytes → [`record::Record`] → [`replay::Report`] → text or JSON; and from positions to diagrams ([`diagram::svg`]).

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// L0: places in a text, diagnostics, limits.
pub mod text;

// L1: boards as masks; records as text.
pub mod board;
pub mod record;

// L2: how pieces move (Betza notation), and armies of them.
pub mod pieces;

// L3: definitions of games, and the rules compiled from them.
pub mod rules;

// L4: positions, plies, and what is legal.
pub mod position;

// L5: notation: from text to ply and back; endgame tables.
pub mod notation;
pub mod tables;

// L6: endings, claims and clocks; evidence for verdicts, and its checker.
pub mod certificate;
pub mod clock;
pub mod judge;

// L7: the front door: rules, positions and games of any board.
pub mod play;
pub use play::{Game, Position, PositionBuilder, Rules};
pub use position::Ply;

// L7: proofs about what can still happen.
pub mod prove;

// L7: whole games: reports, perft; positions to look at.
pub mod diagram;
pub mod replay;

// L8: records in, records out: conversion, repairs, comparison; claims about a game.
pub mod adjudicate;
pub mod rewrite;

// L9: records as JSON.
#[cfg(any(feature = "cli", feature = "archive", feature = "client"))]
pub mod json;

// L10: games kept in a file; a service's games, over HTTP.
#[cfg(feature = "archive")]
pub mod archive;
#[cfg(feature = "client")]
pub mod client;

// L11: the service over HTTP.
#[cfg(feature = "server")]
pub mod service;

// L12: the program.
#[cfg(feature = "cli")]
pub mod cli;
