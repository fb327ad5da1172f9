//! What players call for beside their plies.

use std::fmt;

/// What the player on move calls for at the board; the rules of few games know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `[%count start]`: the player begins to count moves (MAK 5).
    CountStart,
    /// `[%count stop]`: the count ends.
    CountStop,
    /// `[%kachi]`: the player declares a win.
    Declare,
}

impl Call {
    /// The calls after so many plies, of a list in the order of the plies.
    pub fn after(calls: &[(usize, Call)], plies: usize) -> impl Iterator<Item = Call> {
        let first = calls.partition_point(|(before, _)| *before < plies);
        calls[first..].iter().take_while(move |(before, _)| *before == plies).map(|(_, call)| *call)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Call::CountStart => "[%count start]",
            Call::CountStop => "[%count stop]",
            Call::Declare => "[%kachi]",
        })
    }
}
