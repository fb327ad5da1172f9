//! The plies of a record with their times.

use super::NatureClock;
use crate::record::comment::Times;
use crate::record::time_control::TimeControl;
use crate::record::{Item, ItemKind, Record};
use ferz_core::board::Owner;
use ferz_core::rules::definition::{Definition, LateTurn, NatureSection};

/// Clocks are written in whole seconds, truncated or rounded.
pub const ROUNDING: u64 = 1000;

/// A ply of the main line with the times in the comments after it.
#[derive(Debug, Clone, Copy)]
pub struct TimedPly {
    /// Its number, from 1.
    pub ply: usize,
    /// Who made it.
    pub actor: Owner,
    /// For a ply of Nature's, the player whose turn she interrupted.
    pub interrupted: Option<Owner>,
    /// Its item.
    pub index: usize,
    /// The last comment after it, or else the ply.
    pub item: Item,
    /// The times.
    pub times: Times,
    /// True if the comment before the ply calls a time-out: `[%timeout]`.
    pub timeout: bool,
}

impl TimedPly {
    /// True if it is a turn of Nature that took longer than her limit, in milliseconds.
    pub fn exceeds(&self, limit: u64) -> bool {
        self.interrupted.is_some() && self.times.elapsed.is_some_and(|elapsed| elapsed > limit + ROUNDING)
    }
}

/// Calls `each` for the first `plies` plies of the main line. `first` is the player who begins.
#[inline]
pub fn each_timed(record: &Record<'_>, first: Owner, plies: usize, mut each: impl FnMut(&TimedPly)) {
    let (mut mover, mut natures) = (first, false);
    // The last ply, whose times may still follow; number 0 is what comes before the first one.
    let mut last = TimedPly {
        ply: 0,
        actor: mover,
        interrupted: None,
        index: 0,
        item: Item { start: 0, len: 0, kind: ItemKind::Move },
        times: Times::default(),
        timeout: false,
    };
    for (index, &item) in record.main_line().items() {
        if item.kind == ItemKind::Move {
            if last.ply == plies {
                break;
            }
            if last.ply > 0 {
                each(&last);
            }
            natures |= record.source()[item.start as usize] == b'~';
            let (actor, interrupted) = if natures { (Owner::Nature, Some(mover)) } else { (mover, None) };
            let (ply, timeout) = (last.ply + 1, last.times.timeout);
            last = TimedPly { ply, actor, interrupted, index, item, times: Times::default(), timeout };
            if !std::mem::take(&mut natures) {
                mover = mover.opponent();
            }
        } else if let ItemKind::MoveNumber(number) = item.kind {
            natures = number.interjection;
        } else if matches!(item.kind, ItemKind::Comment(_)) {
            last.item = item;
            last.times.read(record.bytes(item));
        }
    }
    if last.ply > 0 {
        each(&last);
    }
}

/// The time control of a game: the value of the tag `TimeControl`, or that of its rules where there is none. A mutator
/// may set one.
pub fn time_control(stated: Option<&str>, rules: &Definition) -> Option<TimeControl> {
    let control = stated.or(Some(&*rules.clock.control).filter(|control| !control.is_empty()))?;
    TimeControl::parse(control.trim()).ok()
}

/// What the players get for an in-between turn: by the value of the tag `NatureClock`, or by the rules.
pub fn nature_clock(stated: Option<&str>, rules: &Definition) -> NatureClock {
    NatureClock::of_tag(stated.or(Some(&rules.clock.nature)))
}

/// Nature's limit for an in-between turn, in milliseconds: the value of the tag `NatureTimeLimit`, or that of its
/// rules.
pub fn natures_limit(stated: Option<&str>, nature: &NatureSection) -> Option<u64> {
    let of_rules = || Some(u64::from(nature.time_limit)).filter(|limit| *limit > 0);
    let stated = stated.and_then(|limit| limit.trim().parse::<u64>().ok());
    stated.or_else(of_rules).map(|limit| limit.saturating_mul(1000))
}

/// The plies of the main line that are void because Nature took longer for them than she may, as far as the record
/// states times (CHA-25); by item.
pub fn void_turns(record: &Record<'_>, nature: &NatureSection) -> Vec<usize> {
    if !nature.enabled || nature.late != LateTurn::Void || !record.has_times() {
        return Vec::new();
    }
    let stated = record.tag("NatureTimeLimit");
    let Some(limit) = natures_limit(stated.as_deref(), nature) else { return Vec::new() };
    let mut found = Vec::new();
    each_timed(record, Owner::White, usize::MAX, |timed| {
        if timed.exceeds(limit) {
            found.push(timed.index);
        }
    });
    found
}
