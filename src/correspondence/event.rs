//! What happens in a game. The events are the game: everything else follows from them.

use crate::Terms;
use ferz_core::board::Owner;
use ferz_core::judge::ClaimableKind;
use ferz_proof::adjudicate::ClaimKind;
use ferz_records::record::GameResult;
use serde::{Deserialize, Serialize};
use std::fmt;

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
        /// The files of the policies that they name, so that the game needs no others.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        policies: Vec<String>,
    },
    /// A player accepted the terms. The game begins once all have, and every secret is revealed.
    Accepted,
    /// A player registered a key, which signs each of the player's plies from then on.
    Registered {
        /// The key, as a vkey: `NAME+ID+KEY`.
        vkey: String,
    },
    /// A player committed to a secret: an army, a nonce, or the ply that is sealed at an adjournment.
    Committed {
        /// The SHA-256 of it, 64 hexadecimal digits.
        hash: String,
    },
    /// A player revealed the secret. A sealed ply follows as an event of its own.
    Revealed {
        /// The secret: its SHA-256 is the hash.
        value: String,
    },
    /// A ply was made.
    Ply {
        /// In coordinate notation.
        coord: String,
        /// As it was sent.
        text: String,
        /// An offer made with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offer: Option<OfferKind>,
        /// The signature by the player's key, in Base64, if the player has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// Nature calls for her turn; the clocks stand still since it became hers to decide.
    Called,
    /// Nature lets this chance pass; without a player, because she has taken too long.
    Declined,
    /// A player calls a time-out: the limits that pass on the move in progress do not lose the game.
    TimeOut,
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
    Corrected {
        /// The number of plies that are left.
        to: usize,
    },
    /// Both agreed to adjourn. The player on move seals a ply.
    Adjourned,
    /// A player claimed something.
    Claimed {
        /// The claim.
        claim: ClaimName,
        /// The ply that the player intended to make, as it was sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        intended: Option<String>,
        /// True if the claim is right; `None` if the game is disputed until it is answered or ruled on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        upheld: Option<bool>,
        /// What a machine found, of a claim that it can only advise on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<Box<Check>>,
    },
    /// A player answered the claim of the other one, or accepted a ruling.
    Answered {
        /// True to accept it.
        accept: bool,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<String>,
    },
    /// An arbiter dismissed a claim, or after an appeal the ruling: the game continues.
    Dismissed {
        /// The reason.
        because: String,
    },
    /// A player appealed against a ruling. The next ruling is final.
    Appealed {
        /// The reason.
        because: String,
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
    SeedRevealed {
        /// The seed.
        seed: String,
    },
    /// The game is over for good. It follows the event that ended it; a ruling comes before it until no one can appeal.
    Ended {
        /// The result.
        result: GameResult,
        /// The cause: an ending on the board, a claim, `agreement`, `resignation`, `time`, `sealed-ply`, `ruling`.
        cause: String,
    },
}

/// What a machine found about a claim on which people decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The certificate, which others check without the service; `None` if there is none, or it is too long to keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The verdict in sentences.
    pub explanation: String,
    /// What the game is worth if the claim stands; `None` if that does not follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// What the verdict rests on: `replayed`, `proved`, `table`, `ruled`, `opinion`.
    pub strength: String,
    /// `upheld`, `rejected`, `undetermined` or `ambiguous`.
    pub verdict: String,
}

impl Check {
    /// True if it proves that the claim is false.
    pub fn refutes(&self) -> bool {
        self.verdict == "rejected" && matches!(self.strength.as_str(), "replayed" | "proved" | "table")
    }
}

/// An offer of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// To adjourn the game: the player on move seals a ply.
    Adjourn,
    /// To take plies back.
    Takeback {
        /// The number of plies that would be left.
        to: usize,
    },
}

/// What is offered, in words: `a draw`.
impl fmt::Display for OfferKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OfferKind::Draw => f.write_str("a draw"),
            OfferKind::Adjourn => f.write_str("to adjourn the game"),
            OfferKind::Takeback { to } => write!(f, "to take plies back until {to} are left"),
        }
    }
}

/// A claim of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ClaimName {
    /// A claim on the board: a repetition, moves without capture, a declaration.
    OnBoard(ClaimableKind),
    /// A claim by the clock.
    ByClock(ByClock),
    /// Any other claim: a machine checks it, people decide.
    Judged(ClaimKind),
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
            ClaimName::Judged(kind) => kind.id(),
        }
    }
}

impl What {
    /// Its name, as in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            What::Created { .. } => "created",
            What::Accepted => "accepted",
            What::Registered { .. } => "registered",
            What::Committed { .. } => "committed",
            What::Revealed { .. } => "revealed",
            What::Ply { .. } => "ply",
            What::Called => "called",
            What::Declined => "declined",
            What::TimeOut => "time-out",
            What::Offered { .. } => "offered",
            What::Agreed => "agreed",
            What::Rejected => "rejected",
            What::Corrected { .. } => "corrected",
            What::Adjourned => "adjourned",
            What::Claimed { .. } => "claimed",
            What::Answered { .. } => "answered",
            What::Dismissed { .. } => "dismissed",
            What::Appealed { .. } => "appealed",
            What::Granted { .. } => "granted",
            What::Taken { .. } => "taken",
            What::Left { .. } => "left",
            What::Stoppage { .. } => "stoppage",
            What::Overstepped => "overstepped",
            What::Resigned => "resigned",
            What::Ruled { .. } => "ruled",
            What::SeedRevealed { .. } => "seed-revealed",
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
