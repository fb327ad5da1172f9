//! The plies of a record as a plain list, with those marked that a page speaks of.

use super::moves::listed;
use ferz::record::Record;

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
        let listed = listed(all, last);
        let first = listed.start + 1;
        let plies = record.main_moves().skip(listed.start).take(listed.len()).zip(first..);
        let plies = plies.map(|((_, item), ply)| (record.text(item).into_owned(), marked.contains(&ply)));
        ListedPlies { first, plies: plies.collect(), all }
    }
}
