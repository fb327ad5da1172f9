//! What happens in a game. The events are the game: everything else follows from them.

use crate::Terms;
use ferz_core::board::Owner;
use ferz_core::judge::ClaimableKind;
use ferz_records::record::GameResult;
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The instant, in milliseconds since 1970.
    pub at: u64,
    /// The player who did it; `None` for an arbiter, and for an event that follows from the one before.
    pub by: Option<Owner>,
    /// The event itself.
    pub what: What,
}

/// An event without its time and author; its name in JSON is the member `kind`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum What {
    /// The game was created with these terms.
    Created {
        /// The terms.
        terms: Box<Terms>,
    },
    /// A player accepted the terms. The game begins once all have.
    Accepted,
    /// A ply was made.
    Ply {
        /// In coordinate notation.
        coord: String,
        /// As it was sent.
        text: String,
        /// An offer made with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offer: Option<OfferKind>,
    },
    /// Nature calls for her turn; the clocks stand still since it became hers to decide.
    Called,
    /// Nature lets this chance pass.
    Declined,
    /// A player offers something.
    Offered {
        /// The offer.
        offer: OfferKind,
    },
    /// A player agrees to a draw that the other one offers.
    Agreed,
    /// A player rejects the offer of the other one.
    Rejected,
    /// Both agreed to take plies back.
    TookBack {
        /// The number of plies that are left.
        to: usize,
    },
    /// A player claimed something, which was checked at once.
    Claimed {
        /// The claim.
        claim: ClaimName,
        /// The ply that the player intended to make, as it was sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        intended: Option<String>,
        /// True if the claim is right.
        upheld: bool,
    },
    /// The policy gives a player time, in milliseconds, for the opponent's false claim.
    Granted {
        /// The time.
        time: u64,
    },
    /// The policy takes time from a player, in milliseconds, for a false claim.
    Taken {
        /// The time.
        time: u64,
    },
    /// A player goes on leave, during which the clock stands still.
    Left {
        /// Days of 24 hours.
        days: u32,
    },
    /// The service did not run, and no clock with it, from an instant on, in milliseconds since 1970, until now.
    Stoppage {
        /// The instant.
        from: u64,
    },
    /// A player has used more time than there was.
    Overstepped,
    /// A player resigned.
    Resigned,
    /// An arbiter ruled on the result.
    Ruled {
        /// The result.
        result: GameResult,
        /// The reason.
        because: String,
    },
    /// The seed of Nature's choices, once the game is over.
    Revealed {
        /// The seed.
        seed: String,
    },
    /// The game is over. It follows the event that ended it.
    Ended {
        /// The result.
        result: GameResult,
        /// The cause: an ending on the board, a claim, `agreement`, `resignation`, `time`, `ruling`.
        cause: String,
    },
}

/// An offer of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// To take plies back.
    Takeback {
        /// The number of plies that would be left.
        to: usize,
    },
}

/// A claim of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ClaimName {
    /// A claim on the board: a repetition, moves without capture, a declaration.
    OnBoard(ClaimableKind),
    /// A claim by the clock.
    ByClock(ByClock),
}

/// A claim by the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByClock {
    /// The opponent has used more time than there was.
    TimeWin,
    /// The opponent owes an answer, and no longer gives one (ADJ-4).
    Silence,
}

impl ClaimName {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            ClaimName::OnBoard(kind) => kind.id(),
            ClaimName::ByClock(ByClock::TimeWin) => "time_win",
            ClaimName::ByClock(ByClock::Silence) => "silence",
        }
    }
}

impl What {
    /// Its name, as in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            What::Created { .. } => "created",
            What::Accepted => "accepted",
            What::Ply { .. } => "ply",
            What::Called => "called",
            What::Declined => "declined",
            What::Offered { .. } => "offered",
            What::Agreed => "agreed",
            What::Rejected => "rejected",
            What::TookBack { .. } => "took-back",
            What::Claimed { .. } => "claimed",
            What::Granted { .. } => "granted",
            What::Taken { .. } => "taken",
            What::Left { .. } => "left",
            What::Stoppage { .. } => "stoppage",
            What::Overstepped => "overstepped",
            What::Resigned => "resigned",
            What::Ruled { .. } => "ruled",
            What::Revealed { .. } => "revealed",
            What::Ended { .. } => "ended",
        }
    }

    /// The ply in coordinate notation, of an event that is one.
    pub fn coord(&self) -> Option<&str> {
        match self {
            What::Ply { coord, .. } => Some(coord),
            _ => None,
        }
    }
}
