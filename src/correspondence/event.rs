//! What happens in a game. The events are the game: everything else follows from them.

use crate::Terms;
use ferz_core::board::Owner;
use ferz_records::record::GameResult;
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Who did it; `None` for an arbiter, and for what follows from the event before.
    pub by: Option<Owner>,
    /// What.
    pub what: What,
}

/// What happened; its name in JSON is the member `kind`.
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
        /// What its player offers with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offer: Option<OfferKind>,
    },
    /// Nature calls for her turn; the clocks stand still since it became hers to decide.
    Called,
    /// Nature lets this chance pass.
    Declined,
    /// A player offers something.
    Offered {
        /// What.
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
    /// A player resigned.
    Resigned,
    /// An arbiter ruled on the result.
    Ruled {
        /// The result.
        result: GameResult,
        /// Why.
        because: String,
    },
    /// The game is over. It follows the event that ended it.
    Ended {
        /// The result.
        result: GameResult,
        /// How: an ending on the board such as `checkmate`, `agreement`, `resignation`, `ruling`.
        cause: String,
    },
}

/// What a player can offer.
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
            What::Resigned => "resigned",
            What::Ruled { .. } => "ruled",
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
