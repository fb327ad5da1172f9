//! What happens at the board beside plies: what players call for, and what comes from another board.

use std::fmt;

/// What happens at the board beside plies; the rules of few games know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `[%count start]`: the player begins to count moves (MAK 5).
    CountStart,
    /// `[%count stop]`: the count ends.
    CountStop,
    /// `[%kachi]`: the player declares a win.
    Declare,
    /// `[%receive n]`: a piece comes into the hand of its colour, from the other board (BUG 2). The letter is that of
    /// the FEN, a capital for White's.
    Receive(char),
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
        match self {
            Call::CountStart => f.write_str("[%count start]"),
            Call::CountStop => f.write_str("[%count stop]"),
            Call::Declare => f.write_str("[%kachi]"),
            Call::Receive(letter) => write!(f, "[%receive {letter}]"),
        }
    }
}
