//! Finds games by what happened in them: positions, material, plies, tags, endings and claims. A member of [`ferz`],
//! which is the library to depend on. `formats/QUERY.md` describes the language.
//!
//! An expression names a set of positions of a game, counted by the plies before them; a game is found if the set is
//! not empty. A [`Query`] is such an expression as text, the same for every game; a [`Search`] makes a plan of it for
//! the rules of each game that it meets, and its [`Seeker`]s look at records.
//!
//! ```
//! use ferz_core::rules::Registry;
//! use ferz_core::text::Budget;
//! use ferz_records::record;
//! use ferz_records::replay::{Options, Replayer, Source};
//! use ferz_search::{Looked, Search};
//!
//! let text = b"[White \"Ann\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *";
//! let search = Search::new("white Ann and (QxP then moves N)".parse()?);
//! let mut replayer = Replayer::new(Registry::built_in(), Options::default());
//! let (record, source) = (record::read(text, 0).next().ok_or("no game")?, Source::new(text, 0, 0));
//! let looked = search.seeker().look(&mut replayer, &record, &source, &Budget::unlimited())?;
//! let Looked::Found(hit) = looked else { return Err("not found".into()) };
//! assert_eq!((&hit.plies[..], hit.moves(&record, 5)), (&[5][..], vec!["3. Nc3".to_owned()]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ferz`]: https://crates.io/crates/ferz

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// The text: words, men and squares, ranges, terms, expressions.
mod error;
mod expression;
mod men;
mod pattern;
mod range;
mod terms;
mod vocabulary;
mod words;

// What was played from a position.
mod explore;

// What is looked for in a game of given rules, and the search in a record.
mod leaf;
mod plan;
mod seek;
mod tags;
mod truth;
mod walk;

// What an index can hold of games, and what it proposes for a query.
mod facts;
mod played;
mod proposal;
mod values;

pub use error::QueryError;
pub use explore::{Explored, ExploredPly, Explorer, Sum};
pub use expression::Query;
pub use facts::{FACTS_VERSION, Fact, RulesKey, facts};
pub use played::{Sieve, packed};
pub use proposal::Proposal;
pub use range::{days, endings, result};
pub use seek::{Hit, Impossible, Looked, Search, Seeker};
pub use values::{TagValues, Tagged};
