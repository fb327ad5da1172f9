//! L6: the clocks of a game, as a pure function of a policy, events and an instant.
//!
//! A [`Clocks`] says how time is given and charged. [`run`] takes events with their instants, as a server keeps them;
//! [`of_record`] takes the times that a record states. Both give the [`Step`]s of each player's sum.
//!
//! ```
//! use ferz_core::board::Owner;
//! use ferz_records::clock::{Clocks, Event, What, run};
//! use ferz_records::record::time_control::TimeControl;
//!
//! let TimeControl::Periods(periods) = TimeControl::parse("60+5")? else { return Ok(()) };
//! let clocks = Clocks { periods, ..Clocks::default() };
//! let at = |at, what| Event { at, what };
//! let events = [at(0, What::Begins(Owner::White)), at(20_000, What::Ply(Owner::White))];
//! let state = run(&clocks, &events, 50_000);
//! assert_eq!(state.steps[0].to_string(), "0:01:00 - 0:00:20 + 0:00:05 = 0:00:45");
//! assert_eq!(state.running.and_then(|running| running.deadline), Some(80_000));
//! # Ok::<(), ferz_records::record::time_control::TimeControlError>(())
//! ```

mod account;
mod allotment;
mod count;
mod days;
mod limit;
mod of_record;
mod policy;
mod timed;

pub use account::{Charge, Clocks, Flag, NatureClock, Step, Unused, in_words};
pub use allotment::{Allotment, Given};
pub use count::{Event, Running, State, What, run};
pub use limit::{Delay, DelayScope, MoveLimit};
pub use of_record::{Began, Recorded, of_record};
pub use policy::{
    Answered, IllegalPly, IllegalRemedy, Policies, Policy, PolicyId, Sanction, Unpromoted, WrongSetup,
};
pub use timed::{ROUNDING, TimedPly, each_timed, nature_clock, natures_limit, time_control, void_turns};

/// A day in milliseconds.
pub const DAY: u64 = 86_400_000;

/// A time as clocks show it, from milliseconds.
///
/// ```
/// assert_eq!(ferz_records::clock::shown(210_500), "0:03:30.5");
/// ```
pub fn shown(milliseconds: u64) -> String {
    let (whole, part) = (milliseconds / 1000, milliseconds % 1000);
    let part = if part == 0 { String::new() } else { format!(".{part:03}").trim_end_matches('0').to_owned() };
    format!("{}:{:02}:{:02}{part}", whole / 3600, whole / 60 % 60, whole % 60)
}
