//! Two stories of one game, on the page `/adjudicate`.

use super::compare::parting_board;
use super::posted::ClaimFields;
use super::view::{Board, Tone};
use super::{articles, markdown};
use crate::stories::TwoRecords;
use ferz::adjudicate::{Decision, StandsOn, story_lines};
use ferz::decode::Together;
use ferz::record::Record;
use ferz::replay::Replayer;

/// Two stories in words, with what is needed to ask for their paper.
#[derive(Debug)]
pub struct StoriesView {
    /// The tone.
    pub tone: Tone,
    /// What a verdict can stand on.
    pub headline: &'static str,
    /// All of it in sentences, as HTML with links.
    pub explanation: String,
    /// What it rests on.
    pub strength: &'static str,
    /// The claim by A and by B, as HTML with links; empty without a claim.
    pub claims: Vec<(&'static str, String)>,
    /// The position at the parting.
    pub board: Option<Board>,
    /// The later plies of A and of B.
    pub later: [(&'static str, Vec<String>); 2],
    /// Both read together, where one is not a legal game.
    pub together: Option<Together>,
    /// Record A in packed form.
    pub packed: String,
    /// Record B; empty if it cannot be sent again in a field.
    pub other: String,
    /// The claim.
    pub fields: ClaimFields,
    /// The chosen game.
    pub variant: String,
}

impl StoriesView {
    /// The view of stories whose first record this is.
    pub fn new(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        TwoRecords { stories: found, together }: TwoRecords,
        (fields, variant): (ClaimFields, String),
        (packed, other): (String, String),
    ) -> StoriesView {
        let claims = ["A", "B"].into_iter().zip(found.claims.iter().flatten());
        let parting = found.parting.as_ref();
        StoriesView {
            tone: match found.verdict {
                Decision::Upheld => Tone::Good,
                Decision::Rejected => Tone::Bad,
                Decision::Undetermined | Decision::Ambiguous => Tone::Warning,
            },
            headline: match found.stands_on {
                StandsOn::Both => "A verdict can stand on both stories",
                StandsOn::A => "A verdict can stand on A",
                StandsOn::B => "A verdict can stand on B",
                StandsOn::Neither => "Legality does not decide between the stories",
            },
            explanation: articles::linked(&found.explanation),
            strength: found.strength.words(),
            claims: claims.map(|(name, claim)| (name, markdown::inline(&claim.in_words()))).collect(),
            board: parting.and_then(|parting| parting_board(replayer, record, &parting.fen)),
            later: [("A", story_lines(&found.a)), ("B", story_lines(&found.b))],
            together,
            packed,
            other,
            fields,
            variant,
        }
    }
}
