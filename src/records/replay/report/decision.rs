//! What decided a ply or an end: rulings, and readings of fields.

use ferz_core::judge::End;
use ferz_core::position::Reason;
use serde::{Deserialize, Serialize};

/// A ruling that decided a ply or the end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Id of the ruling or article.
    pub ruling: String,
    /// The field of the definition that chooses between its readings; `None` if it has one reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The reading that the game was judged by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// The ply that it decided; for an end, the number of plies before it.
    pub ply: usize,
    /// What another reading would have made of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherReading>,
}

/// Another reading of a field, and what would have been different with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherReading {
    /// The value of the field.
    pub reading: String,
    /// The first difference.
    pub effect: Effect,
}

/// The first difference that another reading makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// The illegal ply would be legal.
    Legal {
        /// Number of the ply.
        ply: usize,
    },
    /// A legal ply would be illegal.
    Illegal {
        /// Number of the ply.
        ply: usize,
        /// Why.
        reason_id: Reason,
    },
    /// The game would end here.
    Ends(End),
    /// The game would not have ended.
    GoesOn {
        /// The number of plies before the end that the game had.
        ply: usize,
    },
}

impl Effect {
    /// The ply that is concerned; for an end, the number of plies before it.
    pub const fn ply(&self) -> usize {
        match self {
            Effect::Legal { ply } | Effect::Illegal { ply, .. } | Effect::GoesOn { ply } => *ply,
            Effect::Ends(end) => end.ply,
        }
    }
}
