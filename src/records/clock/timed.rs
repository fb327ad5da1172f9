//! The plies of a record with their times.

use crate::record::comment::Times;
use crate::record::{Item, ItemKind, Record};
use ferz_core::board::Owner;

/// A ply of the main line with the times in the comments after it.
#[derive(Debug, Clone, Copy)]
pub struct TimedPly {
    /// Its number, from 1.
    pub ply: usize,
    /// Who made it.
    pub actor: Owner,
    /// For a ply of Nature's, the player whose turn she interrupted.
    pub interrupted: Option<Owner>,
    /// The last comment after it, or else the ply.
    pub item: Item,
    /// The times.
    pub times: Times,
    /// True if the comment before the ply calls a time-out: `[%timeout]`.
    pub timeout: bool,
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
        item: Item { start: 0, len: 0, kind: ItemKind::Move },
        times: Times::default(),
        timeout: false,
    };
    for (_, &item) in record.main_line().items() {
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
            last = TimedPly { ply, actor, interrupted, item, times: Times::default(), timeout };
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
