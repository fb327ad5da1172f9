//! The storage that an archive needs. Nothing above this trait knows the database.

use super::Counts;
use super::bundle::{Bundle, PlayedBundle};
use super::correspondence::{CorrespondenceId, KeptGame, NewActs, NewTree, Requested};
#[cfg(test)]
pub(super) mod tests;

use super::error::ArchiveError;
use super::filter::Criteria;
use super::forgetting::{Forgetting, Forgotten};
use super::identity::GameId;
use super::index::{Block, Contents, NewSegment, Segment};
use super::log::{Anchor, Batch, Hash, Salt, Tile};
use super::place::Place;
use super::read::{Decided, Entry, Summary};
use super::register::{RegisterStep, StepAsked};
use super::rulebook::KeptRules;
use super::submission::Submission;
use super::texts::{Text, Which};
use super::tokens::{Access, NewToken, TokenInfo};
use super::verify::Finding;
use super::withdrawals::{Reinstatement, Withdrawal};
use ferz_core::text::Budget;
use ferz_search::Fact;
use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

/// The budget for reading, if it is limited. Every method that takes one fails with [`ArchiveError::TooMuchWork`] once
/// it is exhausted.
pub(super) type Limit<'a> = Option<&'a Budget>;

/// One write.
#[derive(Debug)]
pub(super) enum Write<'a> {
    /// Store the records that are not stored yet.
    Keep(&'a [Submission]),
    /// Store a token; no other valid token may have its name.
    AddToken(&'a NewToken),
    /// Revoke the valid token of this name, which must exist.
    RevokeToken(&'a str),
    /// Withdraw an entry, or texts of it, which must exist and not be withdrawn.
    Withdraw(&'a Withdrawal),
    /// Take withdrawals back, of which there must be one.
    Reinstate(&'a Reinstatement),
    /// Add a step to the register of rules, which must follow the one before it.
    Register(&'a StepAsked),
    /// Forget an entry, which must exist and not be forgotten.
    Forget(&'a Forgetting),
    /// Add acts to a game in progress, or create one.
    Act(&'a NewActs),
    /// Delete segments of the index, and add one; the segments must exist, and the new one cover entries that no other
    /// covers and none of which was forgotten meanwhile.
    Segment(Option<&'a NewSegment>, &'a [i64]),
    /// Set the conditional plies of a player.
    Conditional(&'a NewTree),
    /// Note that a service runs at an instant, in milliseconds since 1970.
    Alive(u64),
    /// Test whether writing works.
    Probe,
}

/// What a submission added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Added {
    /// The play.
    pub(super) play: bool,
    /// The entry.
    pub(super) entry: bool,
    /// The text.
    pub(super) text: bool,
    /// The event that says so; `None` if nothing was added.
    pub(super) event: Option<u64>,
    /// True if the entry was forgotten, so that nothing is ever added again.
    pub(super) is_forgotten: bool,
    /// True if the entry was known and is withdrawn.
    pub(super) is_withdrawn: bool,
}

impl Added {
    /// Everything, of a first submission.
    pub(super) const ALL: Added =
        Added { play: true, entry: true, text: true, event: None, is_forgotten: false, is_withdrawn: false };

    /// Nothing, since the entry was forgotten.
    pub(super) const FORGOTTEN: Added = Added {
        play: false,
        entry: false,
        text: false,
        event: None,
        is_forgotten: true,
        is_withdrawn: false,
    };
}

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Written {
    /// The entry of each submission, and what was added.
    pub(super) added: Vec<(GameId, Added)>,
    /// The event of any other write, of several the first.
    pub(super) event: Option<u64>,
    /// Of acts: the number of the first among those of its game.
    pub(super) sequence: u64,
}

/// What a transaction did.
#[derive(Debug, Clone, Default)]
pub(super) struct Appended {
    /// In the order of the writes.
    pub(super) written: Vec<Written>,
    /// The events; `None` if nothing was added.
    pub(super) events: Option<Arc<Batch>>,
}

/// A text with the event that submitted it.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) text: Text,
    /// The leaf, empty if it is missing.
    pub(super) leaf: Vec<u8>,
    pub(super) salt: Option<Salt>,
}

/// The head of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogHead {
    /// The public key.
    pub(super) key: String,
    /// The number of events.
    pub(super) size: u64,
    /// The signed head.
    pub(super) checkpoint: String,
}

/// Whether to wait while another program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// For a few seconds.
    Patiently,
    /// Not at all: fails with [`ArchiveError::Busy`] at once.
    Never,
}

/// The writing side of a store: one for each open archive. Other programs may have their own.
pub(super) trait Append: Debug + Send {
    /// Writes everything in one transaction with its events, or nothing if a precondition fails. When this returns,
    /// the writes and the signed head of the log are durable in the file at the archive's path.
    fn append(&mut self, writes: &[Write<'_>], wait: Wait) -> Result<Appended, ArchiveError>;

    /// Does deferred maintenance, such as a checkpoint, as far as current readers allow.
    fn settle(&mut self) -> Result<(), ArchiveError>;

    /// Removes what was deleted from unused parts of the file. Fails with [`ArchiveError::Unclean`] if others read it.
    fn clean(&mut self) -> Result<(), ArchiveError>;
}

/// The reading side of a store, usable from any thread. A transaction is visible to every read that begins after it.
pub(super) trait Store: Debug + Send + Sync {
    /// Where it is.
    fn place(&self) -> Place;

    /// The numbers of entries and texts.
    fn counts(&self, limit: Limit<'_>) -> Result<Counts, ArchiveError>;

    /// The entry with this id, if it exists.
    fn entry(&self, id: GameId, limit: Limit<'_>) -> Result<Option<Entry>, ArchiveError>;

    /// How an entry was forgotten, if it was. No other method returns it.
    fn forgotten(&self, id: GameId, limit: Limit<'_>) -> Result<Option<Forgotten>, ArchiveError>;

    /// The matching entries, latest first, with their numbers in order of arrival: at most `count`, with numbers below
    /// `before`.
    fn find(
        &self,
        wanted: &Criteria,
        before: Option<i64>,
        count: usize,
        limit: Limit<'_>,
    ) -> Result<Vec<(i64, Summary)>, ArchiveError>;

    /// The entries whose ids begin with these hexadecimal digits, at most `count`.
    fn beginning(&self, digits: &str, count: usize, limit: Limit<'_>) -> Result<Vec<GameId>, ArchiveError>;

    /// The entry of this submission, if it is known, and what would be added.
    fn would_add(
        &self,
        submission: &Submission,
        limit: Limit<'_>,
    ) -> Result<(Option<GameId>, Added), ArchiveError>;

    /// Other entries with the same play, in order of arrival, at most `count`.
    fn related(&self, id: GameId, count: usize, limit: Limit<'_>) -> Result<Vec<Summary>, ArchiveError>;

    /// The next texts of matching entries after number `after`, with their numbers, in order of arrival; empty only if
    /// there are no more.
    fn texts(
        &self,
        wanted: &Criteria,
        which: Which,
        after: i64,
        limit: Limit<'_>,
    ) -> Result<Vec<(i64, Text)>, ArchiveError>;

    /// The next texts after number `after`, as [`texts`](Store::texts), with what the log says about each.
    fn kept(&self, after: i64, limit: Limit<'_>) -> Result<Vec<(i64, Kept)>, ArchiveError>;

    /// The steps of the register of rules, in their order.
    fn register(&self, limit: Limit<'_>) -> Result<Vec<RegisterStep>, ArchiveError>;

    /// The number of legal games with a result that were judged by rules, without withdrawn and forgotten ones.
    fn proven_by(&self, rules: &KeptRules, limit: Limit<'_>) -> Result<u64, ArchiveError>;

    /// Calls `each` for each legal game with a result and two known players, by its day and in order of arrival;
    /// without withdrawn and forgotten ones. Games without a day come first.
    fn decided(&self, each: &mut dyn FnMut(Decided), limit: Limit<'_>) -> Result<(), ArchiveError>;

    /// All rules that texts were judged by, sorted by name, with the numbers of games.
    fn rules(&self, limit: Limit<'_>) -> Result<Vec<(KeptRules, u64)>, ArchiveError>;

    /// The definition of rules that texts were judged by.
    fn definition(&self, rules: &KeptRules, limit: Limit<'_>) -> Result<Option<String>, ArchiveError>;

    /// All tokens, valid and revoked, sorted by name.
    fn tokens(&self) -> Result<Vec<TokenInfo>, ArchiveError>;

    /// True if a token was ever created.
    fn has_tokens(&self) -> Result<bool, ArchiveError>;

    /// What the token with this digest allows, if it is valid at this time, in milliseconds since 1970.
    fn token(&self, hash: &[u8; 32], now: i64) -> Result<Option<Access>, ArchiveError>;

    /// The head of the log.
    fn head(&self) -> Result<LogHead, ArchiveError>;

    /// The leaves of the log from a number on, at most `count`.
    fn events(&self, from: u64, count: u64, limit: Limit<'_>) -> Result<Vec<Vec<u8>>, ArchiveError>;

    /// The hashes of a tile of the log, if its tree has them.
    fn hashes(&self, tile: &Tile, limit: Limit<'_>) -> Result<Option<Vec<Hash>>, ArchiveError>;

    /// The path of an event to the root of the current tree, and the signed head; `None` if there is no such event.
    fn proof(&self, event: u64, limit: Limit<'_>) -> Result<Option<(Vec<Hash>, String)>, ArchiveError>;

    /// An entry with its events in one state of the log; `None` if there is no such entry, or it was forgotten.
    fn bundle(&self, id: GameId, limit: Limit<'_>) -> Result<Option<Bundle>, ArchiveError>;

    /// A game in progress, or one that was, with its acts from a number on; `None` if there is no such game.
    fn correspondence(
        &self,
        id: CorrespondenceId,
        from: u64,
        limit: Limit<'_>,
    ) -> Result<Option<KeptGame>, ArchiveError>;

    /// A game in progress, or one that was, with its events and rules in one state of the log; `None` if there is no
    /// such game.
    fn played_bundle(
        &self,
        id: CorrespondenceId,
        limit: Limit<'_>,
    ) -> Result<Option<PlayedBundle>, ArchiveError>;

    /// Games in progress that a person plays, or all, latest first, with their numbers: at most `count`, with numbers
    /// below `before`; those of a status, if one is given.
    fn correspondences(
        &self,
        person: Option<&str>,
        status: Option<&str>,
        before: Option<i64>,
        count: usize,
        limit: Limit<'_>,
    ) -> Result<Vec<(i64, CorrespondenceId)>, ArchiveError>;

    /// The games that are due at an instant, at most `count`: a player's time is up, Nature's chance passes, or a
    /// ruling is final.
    fn overdue(&self, at: u64, count: usize) -> Result<Vec<CorrespondenceId>, ArchiveError>;

    /// The games in which time counts, at most `count`: running ones with clocks, and those whose ruling can still be
    /// appealed against.
    fn timed(&self, count: usize) -> Result<Vec<CorrespondenceId>, ArchiveError>;

    /// When a service last ran, in milliseconds since 1970.
    fn alive(&self) -> Result<Option<u64>, ArchiveError>;

    /// What a request of a token with this key led to.
    fn requested(&self, by: u64, key: &str) -> Result<Option<Requested>, ArchiveError>;

    /// The acts of all games from those of an event of the log on, in order, at most `count`: the number of the event,
    /// the game, and the number of the act in it.
    fn acts(
        &self,
        from: u64,
        count: usize,
        limit: Limit<'_>,
    ) -> Result<Vec<(u64, CorrespondenceId, u64)>, ArchiveError>;

    /// The segments of the index, in the order of their entries.
    fn segments(&self, limit: Limit<'_>) -> Result<Vec<Segment>, ArchiveError>;

    /// The values of tags that a segment holds; `None` if there is no such segment any more.
    fn tags(&self, segment: &Segment, limit: Limit<'_>) -> Result<Option<Vec<u8>>, ArchiveError>;

    /// The blocks of a segment that may have these facts; `None` if there is no such segment any more.
    fn blocks(
        &self,
        segment: &Segment,
        facts: &[Fact],
        limit: Limit<'_>,
    ) -> Result<Option<Vec<Block>>, ArchiveError>;

    /// The blocks of a segment's games with these numbers; `None` if there is no such segment any more.
    fn games(
        &self,
        segment: &Segment,
        blocks: &[u32],
        limit: Limit<'_>,
    ) -> Result<Option<Vec<Block>>, ArchiveError>;

    /// All that a segment holds; `None` if there is no such segment any more.
    fn contents(&self, segment: &Segment, limit: Limit<'_>) -> Result<Option<Contents>, ArchiveError>;

    /// How many entries were forgotten.
    fn forgotten_entries(&self, limit: Limit<'_>) -> Result<u64, ArchiveError>;

    /// A secret for a purpose, which follows from the signing key and tells nothing about it.
    fn secret(&self, purpose: &str) -> Result<[u8; 32], ArchiveError>;

    /// Copies a consistent state into a new file.
    fn copy(&self, to: &Path) -> Result<(), ArchiveError>;

    /// Checks everything except the contents of texts: the log, also against what was kept outside; its projection; the
    /// file and its structure. Returns the number of entries.
    fn check(&self, anchors: &[Anchor], found: &mut dyn FnMut(Finding)) -> Result<u64, ArchiveError>;
}
