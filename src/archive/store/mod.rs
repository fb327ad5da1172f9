//! What an archive needs of the place that keeps it, and no more: nothing above knows a database.

use super::Counts;
#[cfg(test)]
pub(super) mod tests;

use super::error::ArchiveError;
use super::filter::Criteria;
use super::identity::GameId;
use super::read::{Entry, Summary};
use super::submission::Submission;
use super::texts::{Text, Which};
use super::tokens::{NewToken, TokenInfo};
use super::verify::Finding;
use crate::rules::RulesId;
use crate::text::Budget;
use std::fmt::Debug;
use std::path::Path;

/// What reading may cost, if there is a limit. Every verb that takes one fails with
/// [`ArchiveError::TooMuchWork`] once it is exhausted.
pub(super) type Limit<'a> = Option<&'a Budget>;

/// Something to be written.
#[derive(Debug)]
pub(super) enum Write<'a> {
    /// Keep what of these records is not there yet.
    Keep(&'a [Submission]),
    /// Keep a token, of whose name there may be no other good one.
    AddToken(&'a NewToken),
    /// Revoke the good token of this name, which must be there.
    RevokeToken(&'a str),
    /// Find out whether writing works.
    Probe,
}

/// What of a submission was new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    /// What happened on the board.
    pub(super) play: bool,
    /// The entry.
    pub(super) entry: bool,
    /// The text.
    pub(super) text: bool,
}

/// Whether to wait while another program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// For some seconds.
    Patiently,
    /// Not at all: [`ArchiveError::Busy`] comes at once.
    Never,
}

/// The side that writes. There is one for each open archive, and other programs may have theirs.
pub(super) trait Append: Debug + Send {
    /// Writes everything in one transaction, or nothing: where a precondition does not hold, nothing is written. When
    /// this returns, it is durable in the place that the archive's path leads to. Gives for each write what was new of
    /// each of its submissions.
    fn append(&mut self, writes: &[Write<'_>], wait: Wait) -> Result<Vec<Vec<Kept>>, ArchiveError>;

    /// Tidies up after many transactions, as far as no one reads just then: work that need not be done in one of them.
    fn settle(&mut self) -> Result<(), ArchiveError>;
}

/// The side that reads, from any thread. What a transaction has written is seen by all that begin after it.
pub(super) trait Store: Debug + Send + Sync {
    /// Where it is.
    fn path(&self) -> &Path;

    /// How much there is.
    fn counts(&self, limit: Limit<'_>) -> Result<Counts, ArchiveError>;

    /// An entry; nothing if there is none of this identity.
    fn entry(&self, id: GameId, limit: Limit<'_>) -> Result<Option<Entry>, ArchiveError>;

    /// The entries that fit, the latest first, with their numbers in the order of arrival: at most `count` of those
    /// whose numbers are less than `before`.
    fn find(
        &self,
        wanted: &Criteria,
        before: Option<i64>,
        count: usize,
        limit: Limit<'_>,
    ) -> Result<Vec<(i64, Summary)>, ArchiveError>;

    /// Other entries with the same play, in the order of arrival, at most `count`.
    fn related(&self, id: GameId, count: usize, limit: Limit<'_>) -> Result<Vec<Summary>, ArchiveError>;

    /// Some texts of the entries that fit, in the order of arrival, with their numbers: the next ones after number
    /// `after`, none only if there are no more.
    fn texts(
        &self,
        wanted: &Criteria,
        which: Which,
        after: i64,
        limit: Limit<'_>,
    ) -> Result<Vec<(i64, Text)>, ArchiveError>;

    /// All rules that games were judged by, by name, with the number of games.
    fn rules(&self, limit: Limit<'_>) -> Result<Vec<(RulesId, u64)>, ArchiveError>;

    /// The definition of rules that games were judged by.
    fn definition(&self, rules: &RulesId, limit: Limit<'_>) -> Result<Option<String>, ArchiveError>;

    /// All tokens, good and revoked, by name.
    fn tokens(&self) -> Result<Vec<TokenInfo>, ArchiveError>;

    /// True if a token was ever made.
    fn has_tokens(&self) -> Result<bool, ArchiveError>;

    /// The name of the good token with this digest.
    fn token(&self, hash: &[u8; 32]) -> Result<Option<String>, ArchiveError>;

    /// Copies one state into a new file.
    fn copy(&self, to: &Path) -> Result<(), ArchiveError>;

    /// Checks everything but what is in the texts: the file, its structure, every row. Gives the number of entries.
    fn check(&self, found: &mut dyn FnMut(Finding)) -> Result<u64, ArchiveError>;
}
