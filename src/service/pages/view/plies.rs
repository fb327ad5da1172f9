//! The plies of a record as a plain list, with those marked that a page speaks of.

use ferz::record::Record;

/// The most plies that a list shows.
const LISTED_MAX: usize = 400;
/// The plies that it shows before the last marked one, if the record has more than it shows.
const BEFORE_MARK: usize = 300;

/// The plies of a record's main line, or the part of them around the marked ones.
#[derive(Debug)]
pub struct ListedPlies {
    /// The number of the first one in the list, from 1.
    pub first: usize,
    /// The plies as written, and whether each is marked.
    pub plies: Vec<(String, bool)>,
    /// The number of plies of the record.
    pub all: usize,
}

impl ListedPlies {
    /// Lists the plies of a record; `marked` are their numbers, from 1.
    pub fn new(record: &Record<'_>, marked: &[usize]) -> ListedPlies {
        let all = record.main_moves().count();
        let last = marked.iter().copied().filter(|&ply| ply <= all).max().unwrap_or(0);
        let skipped = last.saturating_sub(BEFORE_MARK).min(all.saturating_sub(LISTED_MAX));
        let listed = record.main_moves().enumerate().skip(skipped).take(LISTED_MAX);
        let plies =
            listed.map(|(index, (_, item))| (record.text(item).into_owned(), marked.contains(&(index + 1))));
        ListedPlies { first: skipped + 1, plies: plies.collect(), all }
    }
}
