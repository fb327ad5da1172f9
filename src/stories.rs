//! Two records of one game: what each says and, where one is not a legal game, the game that both support.

use ferz::adjudicate::Stories;
use ferz::decode::{Options, Together, together};
use ferz::record::Record;
use ferz::replay::Replayer;
use ferz::text::Budget;
use serde::Serialize;

/// Two stories, as JSON one object.
#[derive(Debug, Serialize)]
pub struct TwoRecords {
    /// What each record says.
    #[serde(flatten)]
    pub stories: Stories,
    /// Both read together by the rules, as sheets of one game; `None` where both are legal, or no game can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
}

impl TwoRecords {
    /// Reads the records of two stories together if one of them is not a legal game.
    pub fn new(
        stories: Stories,
        replayer: &mut Replayer<'_>,
        records: [&Record<'_>; 2],
        budget: &Budget,
    ) -> TwoRecords {
        let is_damaged = !(stories.a.legal && stories.b.legal);
        let read = || together(replayer, records, &Options::default(), budget).ok();
        TwoRecords { together: is_damaged.then(read).flatten(), stories }
    }
}
