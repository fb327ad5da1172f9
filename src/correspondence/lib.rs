//! Games that are played by correspondence: who may do what, and what follows. A member of [`ferz`], which is the
//! library to depend on.
//!
//! Nothing here has a clock, a network or a disk. [`decide`] says which events a command leads to, or why it is
//! refused; [`State::after`] says what an event changes. The events are the game.
//!
//! ```
//! use ferz_core::board::Owner;
//! use ferz_core::rules::Registry;
//! use ferz_records::clock::Policies;
//! use ferz_correspondence::{Command, Players, Proposal, Setting, State, Status, decide};
//!
//! let players = Players { white: "Ann".into(), black: "Ben".into(), nature: None };
//! let proposal = Proposal { variant: "iago-b".into(), players, ..Proposal::default() };
//! let setting = Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in())?;
//! let mut state = State::new(setting)?;
//! let terms = state.setting().terms.digest();
//! let mut at = 0;
//! let mut act = |state: &mut State, by, command: Command| -> Result<(), Box<dyn std::error::Error>> {
//!     at += 1;
//!     for event in decide(state, Some(by), &command, at)? {
//!         state.after(&event)?;
//!     }
//!     Ok(())
//! };
//! act(&mut state, Owner::White, Command::Accept { terms: terms.clone() })?;
//! act(&mut state, Owner::Black, Command::Accept { terms })?;
//! act(&mut state, Owner::White, Command::Ply { text: "Ng1-f3&M".into(), offer: None, signature: None })?;
//! assert_eq!((state.status(), state.to_act()), (Status::Running, vec![Owner::Black]));
//! assert_eq!(state.plies(), ["g1f3m"]);
//! act(&mut state, Owner::Black, Command::Resign)?;
//! assert_eq!(state.end().map(|end| (end.result.as_str(), end.cause.as_str())), Some(("1-0", "resignation")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ferz`]: https://crates.io/crates/ferz

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// The terms of a game.
mod adopted;
mod terms;
pub use adopted::{ADOPTED_PLIES_MAX, Adopted};
pub use terms::{Players, Proposal, ProposalError, Setting, Terms, Visibility};

// Events.
mod event;
pub use event::{ByClock, Check, ClaimName, Event, OfferKind, What};

// The state of a game after its events.
mod state;
pub use state::{Damaged, Ended, Offer, State, Status};

// Commands and their consequences.
mod adjourn;
mod claims;
mod decide;
mod dispute;
mod secret;
pub use claims::check_claim;
pub use decide::{Command, Refused, decide};
pub use dispute::Dispute;

// Nature by lot.
mod seed;
pub use seed::{check_draws, draw, seed_digest};

// Conditional plies.
mod conditional;
pub use conditional::{Answer, BRANCHES_MAX, Branch, answer, check_tree};

// The game as a record.
mod record;

#[cfg(test)]
mod tests;
