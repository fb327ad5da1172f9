//! The terms of a query: what is true of a game, of a position, or of the ply that led to it.

use super::men::{Kinds, Men, Squares};
use super::pattern::Pattern;
use super::range::Range;
use ferz_core::board::Owner;
use ferz_core::judge::{ClaimableKind, EndReason};
use ferz_core::position::StockName;
use ferz_core::text::Code;
use ferz_records::record::GameResult;

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term {
    /// Of the game as a whole.
    Game(GameTerm),
    /// Of a position, as it shows it.
    Position(PositionTerm),
    /// Of a position, as the report on the game has it.
    Report(ReportTerm),
    /// Of the ply before a position.
    Ply(PlyTerm),
}

/// What the record says, or the replay of all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GameTerm {
    /// One of the tags is as wanted.
    Tag { names: Vec<String>, wanted: Wanted },
    /// The result that the record states.
    Result(GameResult),
    /// The name of the game, folded; mutators count.
    Variant(String),
    /// Whether the whole main line is legal.
    Legal,
    /// How many plies the main line has.
    Plies(Range),
}

/// What a tag may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Words of it begin so, in any order; folded, each with a space before it.
    Words(Vec<String>),
    /// It is this, apart from case.
    Whole(String),
    /// It is like this, with slips of the pen; folded words.
    Near(Vec<String>),
    /// It is a number in the range.
    Number(Range),
    /// It is a date with days in the range.
    Days(Range),
    /// It is there.
    There,
    /// It is not so, or not there.
    Not(Box<Wanted>),
}

/// What is true of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PositionTerm {
    /// One of the men is on one of the squares; without squares, on the board.
    Men(Men, Option<Squares>),
    /// One of the squares is empty.
    Empty(Squares),
    /// The position is the same as this one.
    Fen(String),
    /// The board is as a pattern says.
    Pattern(Pattern),
    /// White's men, and Black's; whether there may be more.
    Material([(Vec<Men>, bool); 2]),
    /// What White has that Black has not, and the reverse.
    Balance([Vec<Men>; 2]),
    /// A stock has at least these; nothing is an empty one.
    Stock(StockName, Vec<Men>),
    /// A piece on one of the squares may gate another in.
    GateRight(Squares),
    /// A rook on one of the squares may castle.
    CastleRight(Squares),
    /// Who is on move.
    Turn(Owner),
    /// The player on move is in check.
    Check,
    /// A counter.
    Clock(Counter, Range),
}

/// What the report on a game says of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReportTerm {
    /// The plies before it.
    Ply(Range),
    /// It is the last one.
    Last,
    /// A draw may be claimed.
    Claimable(Vec<ClaimableKind>),
    /// The game ended so here; any ending if there is none.
    End(Vec<EndReason>),
    /// The replay stops here at a ply that is illegal or unreadable.
    Illegal,
    /// A finding; one about no ply counts for every position.
    Diagnostic(Code),
}

/// What is counted in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counter {
    /// Plies since Nature's last turn.
    Nature,
    /// Plies since a pawn move, capture or entry.
    Halfmoves,
    /// Checks that a player has given.
    Checks(Owner),
}

/// What is true of a ply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlyTerm {
    /// Who made it.
    By(Owner),
    /// What moved, and from where.
    Moves(Kinds, Option<Squares>),
    /// Where it came from.
    From(Squares),
    /// Where it went.
    To(Squares),
    /// What it captured, and where.
    Captures(Option<Kinds>, Option<Squares>),
    /// What captured, and from where; what it captured, and where.
    Takes((Kinds, Option<Squares>), (Option<Kinds>, Option<Squares>)),
    /// What entered from a stock as a whole ply, and where.
    Drop(Option<Kinds>, Option<Squares>),
    /// What entered behind a moving piece, and where.
    Gate(Option<Kinds>, Option<Squares>),
    /// What a pawn or another piece became.
    Promote(Option<Kinds>),
    /// King and rook moved.
    Castle,
    /// A pawn was captured in passing.
    EnPassant,
    /// The turn was given up.
    Pass,
    /// It was illegal and was let stand.
    LetStand,
}
