//! What the search knows about positions it has left.

use super::search::Numbers;

/// A position of the search: two independent hashes, the second with a key that no record can know, so that no one can
/// make two positions that are taken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub place: u64,
    pub check: u64,
}

/// Entries at most; each takes 24 bytes.
const ENTRIES_MAX: u64 = 1 << 21;
const ENTRIES_MIN: u64 = 1 << 10;

#[derive(Debug, Clone, Copy)]
struct Entry {
    check: u64,
    numbers: Numbers,
    /// The moves left that the numbers are for.
    moves: u8,
    /// The fewest moves within which the end is forced; 255 for none.
    forced: u8,
    /// One more than the most moves within which it is not.
    unforced: u8,
    used: bool,
}

const EMPTY: Entry =
    Entry { check: 0, numbers: Numbers::NEW, moves: 0, forced: u8::MAX, unforced: 0, used: false };

/// A table of fixed size. Entries that are replaced are searched again.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// A table for a search of so many positions.
    pub fn for_nodes(nodes: u64) -> Table {
        let entries = nodes.saturating_mul(2).clamp(ENTRIES_MIN, ENTRIES_MAX).next_power_of_two();
        Table { entries: vec![EMPTY; entries as usize] }
    }

    fn index(&self, key: Key) -> usize {
        key.place as usize & (self.entries.len() - 1)
    }

    fn entry(&self, key: Key) -> Option<&Entry> {
        let first = self.index(key);
        [first, first ^ 1]
            .into_iter()
            .map(|index| &self.entries[index])
            .find(|entry| entry.used && entry.check == key.check)
    }

    /// The numbers of a position with so many moves left.
    pub fn numbers(&self, key: Key, moves: u8) -> Option<Numbers> {
        let entry = self.entry(key)?;
        if moves >= entry.forced {
            return Some(Numbers::PROVED);
        }
        if moves < entry.unforced {
            return Some(Numbers::DISPROVED);
        }
        (moves == entry.moves).then_some(entry.numbers)
    }

    /// The fewest moves within which the end is known to be forced.
    pub fn forced(&self, key: Key) -> Option<u8> {
        self.entry(key).map(|entry| entry.forced).filter(|moves| *moves < u8::MAX)
    }

    pub fn store(&mut self, key: Key, moves: u8, numbers: Numbers) {
        let first = self.index(key);
        let same = |entry: &Entry| entry.used && entry.check == key.check;
        let pair = [first, first ^ 1];
        let at = pair.into_iter().find(|index| same(&self.entries[*index]));
        let at = at.or_else(|| pair.into_iter().find(|index| !self.entries[*index].used));
        // The position with fewer moves left is sooner searched again.
        let at = at.unwrap_or_else(|| {
            if self.entries[first].moves <= self.entries[first ^ 1].moves { first } else { first ^ 1 }
        });
        let entry = &mut self.entries[at];
        if !same(entry) {
            *entry = Entry { check: key.check, used: true, ..EMPTY };
        }
        match numbers {
            Numbers::PROVED => entry.forced = entry.forced.min(moves),
            Numbers::DISPROVED => entry.unforced = entry.unforced.max(moves + 1),
            _ => entry.numbers = numbers,
        }
        // Numbers of another count of moves are lost; those of a decided one are not asked for.
        entry.moves = moves;
    }
}
