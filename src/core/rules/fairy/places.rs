//! Squares, as the file names them and as definitions do.

use std::collections::BTreeSet;

/// The size of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) struct Size {
    pub(in crate::rules) files: u8,
    pub(in crate::rules) ranks: u8,
}

/// Squares of a board, by file and rank from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::rules) struct Places {
    size: Size,
    squares: BTreeSet<(u8, u8)>,
}

impl Places {
    /// Those that a test chooses.
    pub(in crate::rules) fn where_is(size: Size, is: impl Fn(u8, u8) -> bool) -> Places {
        let all = (1..=size.files).flat_map(|file| (1..=size.ranks).map(move |rank| (file, rank)));
        Places { size, squares: all.filter(|(file, rank)| is(*file, *rank)).collect() }
    }

    /// Those of a list, by file and rank from 1.
    pub(in crate::rules) fn of(size: Size, squares: &[(u8, u8)]) -> Places {
        Places { size, squares: squares.iter().copied().collect() }
    }

    /// The squares of ranks.
    pub(in crate::rules) fn ranks(size: Size, from: u8, to: u8) -> Places {
        Places::where_is(size, |_, rank| (from..=to).contains(&rank))
    }

    /// `*8 a* d5`; `None` for any other text.
    pub(in crate::rules) fn parse(size: Size, text: &str) -> Option<Places> {
        let mut found = Places { size, squares: BTreeSet::new() };
        for word in text.split_whitespace().filter(|word| *word != "-") {
            let first = word.chars().next()?.to_ascii_lowercase();
            let rest = &word[first.len_utf8()..];
            let file = u8::try_from(first).ok().filter(u8::is_ascii_lowercase).map(|file| file - b'a' + 1);
            let rank = rest.parse::<u8>().ok();
            let part = match (first, rest) {
                ('*', _) => Places::ranks(size, rank?, rank?),
                (_, "*") => Places::where_is(size, |of, _| Some(of) == file),
                _ => {
                    let at = (file?, rank?);
                    Places::where_is(size, |file, rank| (file, rank) == at)
                }
            };
            found.squares.extend(part.squares);
        }
        Some(found)
    }

    /// The same as Black sees it.
    pub(in crate::rules) fn mirrored(&self) -> Places {
        let ranks = self.size.ranks;
        let squares = self.squares.iter().map(|(file, rank)| (*file, ranks + 1 - rank)).collect();
        Places { squares, ..*self }
    }

    /// White's and Black's, as each sees them.
    pub(in crate::rules) fn for_both(self) -> [Places; 2] {
        let mirrored = self.mirrored();
        [self, mirrored]
    }

    pub(in crate::rules) fn is_none(&self) -> bool {
        self.squares.is_empty()
    }

    pub(in crate::rules) fn has(&self, file: u8, rank: u8) -> bool {
        self.squares.contains(&(file, rank))
    }

    /// The region as definitions write it.
    pub(in crate::rules) fn region(&self) -> String {
        let Size { files, ranks } = self.size;
        if self.is_none() {
            return "none".to_owned();
        }
        if self.squares.len() == usize::from(files) * usize::from(ranks) {
            return "all".to_owned();
        }
        let is_whole = |rank: &u8| (1..=files).all(|file| self.has(file, *rank));
        let whole: Vec<u8> = (1..=ranks).filter(is_whole).collect();
        let rank = whole.iter().map(|rank| format!("rank {rank}"));
        let others = self.squares.iter().filter(|(_, rank)| !whole.contains(rank));
        let others: Vec<String> = others.map(|(file, rank)| format!("{}{rank}", letter(*file))).collect();
        rank.chain((!others.is_empty()).then(|| others.join(" "))).collect::<Vec<_>>().join(" + ")
    }
}

/// The letter of a file, from 1.
pub(in crate::rules) fn letter(file: u8) -> char {
    char::from(b'a' + file.saturating_sub(1))
}
