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
//! # Members
//!
//! The modules live in crates of their own, so that what builds on them cannot reach what is above: `ferz-core` (what a
//! game is), `ferz-records` (records of games), `ferz-proof` (claims and evidence), `ferz-correspondence` (games in
//! progress), `ferz-search` (games found by what happened in them), `ferz-decode` (damaged records), `ferz-archive`
//! (games kept).
//!
//! Data flows one way, each arrow a plain value: bytes → [`record::Record`] → [`replay::Report`] → text or JSON; and
//! from positions to diagrams ([`diagram::svg`]).

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// What a game is.
pub use ferz_core::{board, judge, notation, pieces, position, rules, text};

// Records of games.
#[cfg(feature = "json")]
pub use ferz_records::json;
pub use ferz_records::{clock, diagram, interchange, play, record, replay, rewrite, with_trace};

// Claims and evidence.
pub use ferz_proof::{adjudicate, certificate, prove, syzygy, tables};

// Games in progress, by correspondence.
pub use ferz_correspondence as correspondence;

// Games found by what happened in them.
pub use ferz_search as search;

// Damaged records, read by the rules.
pub use ferz_decode as decode;

// Games kept in a file.
#[cfg(feature = "archive")]
pub use ferz_archive as archive;

// The front door: one call a job; rules, positions and games of any board.
#[cfg(feature = "json")]
mod desk;
mod front;
#[cfg(feature = "json")]
pub use desk::{Desk, Form, NoVerdict, Written};
pub use front::{adjudicate, convert, validate};
pub use play::{Game, Man, Position, PositionBuilder, Rules, ShownFault, ShownGate, ShownPly};
pub use position::Ply;
