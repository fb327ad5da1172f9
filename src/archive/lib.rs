//! L10: an archive of games. Submitted texts are stored byte for byte, judged, and never changed.
//!
//! ```
//! use ferz_archive::{Archive, Filter, Submission};
//! use ferz_records::replay::{Options, Replayer, Source};
//! use ferz_core::rules::Registry;
//! use ferz_records::record;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.ferz");
//! let archive = Archive::open(&path)?;
//! let text = b"[White \"Ann\"]\n[Black \"Ben\"]\n\n1. e4 e5 *\n";
//! let mut replayer = Replayer::new(Registry::built_in(), Options::default());
//! let record = record::read(text, 0).next().ok_or("no game")?;
//! let submission = Submission::judge(&mut replayer, &record, &Source::new(text, 0, 0))?;
//! let stored = archive.submit(vec![submission])?; // on the disk when this returns
//! assert!(stored[0].created && stored[0].valid);
//! assert_eq!(archive.original(stored[0].id)?.as_deref(), Some(&text[..]));
//! let found = archive.list(&Filter { player: Some("ann".into()), ..Filter::default() }, 10, None)?;
//! assert_eq!(found.items[0].id, stored[0].id);
//! # Ok(())
//! # }
//! ```
//!
//! The log, the file and its tables, and the two keys are described in `formats/ARCHIVE.md`.

mod bundle;
mod correspondence;
mod cosigner;
mod dry_run;
mod error;
mod filter;
mod forgetting;
mod going_on;
mod identity;
mod index;
mod log;
mod logbook;
mod mirror;
mod pack;
mod place;
mod read;
mod register;
mod revalidate;
mod rulebook;
mod rules_text;
mod search;
mod served;
mod sqlite;
mod store;
mod submission;
mod texts;
mod tokens;
mod verify;
mod withdrawals;
mod witness;
mod writer;

pub use bundle::{Bundle, BundledRules, JudgedAgain, PlayedBundle};
pub use correspondence::{
    Act, ActError, Acted, Books, Correspondence, CorrespondenceId, Feed, KeptAct, ReplyCode, ReplyCodes,
    RequestKey, SignedPly, secret_number,
};
pub use cosigner::{Cosigner, Refusal};
pub use dry_run::DryRun;
pub use error::ArchiveError;
pub use filter::Filter;
pub use forgetting::{Forgetting, Forgotten, ToForget};
pub use going_on::{NotGoingOn, going_on};
pub use identity::GameId;
pub use identity::{from_hex, to_hex};
pub use index::{Indexed, Proposed};
pub use log::{
    Anchor, Checkpoint, LogError, Logged, PrivateKey, PublicKey, Receipt, SigningKey, Tile, VerifierKey,
    WitnessKey, WitnessSigningKey,
};
pub use mirror::{Fetch, Mirror, MirrorError};
pub use place::Place;
pub use read::{Arrival, Decided, Entry, Listing, Summary};
pub use register::{Question, RegisterStep, Review, Step};
pub use revalidate::{Change, Revalidated, Superseded};
pub use rulebook::{KeptRules, Rulebook, Rulebooks};
pub use search::{FoundGame, FoundGames};
pub use submission::Submission;
pub use texts::{Text, Texts, Which};
pub use tokens::{Access, Issued, Scope, TokenId, TokenInfo, TokenRequest};
pub use verify::{Checked, Finding, FindingKind};
pub use withdrawals::{Reinstatement, Withdrawal, Withdrawn};
pub use witness::{Witness, make_key, read_key};

use ferz_core::text::Budget;
use ferz_records::replay::Report;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::{SystemTime, UNIX_EPOCH};
use store::{Limit, Store};
use writer::{Job, Reply, Writer};

/// The outcome of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored<Id = GameId> {
    /// The entry. Of a [dry run](DryRun) an `Option`, because a new entry gets its id when it is stored.
    pub id: Id,
    /// True if the entry is new.
    pub created: bool,
    /// True if the text is new: the entry is new, or was known in another notation only.
    pub text_added: bool,
    /// True if the entry is new and another entry has the same play.
    pub related: bool,
    /// True if the entry was forgotten before, so that nothing was stored.
    pub is_forgotten: bool,
    /// True if the entry was known and is withdrawn: lists do not show it.
    pub is_withdrawn: bool,
    /// Whether the whole main line is legal.
    pub valid: bool,
    /// The report on the text.
    pub report: Report,
    /// The event in the log, for a receipt; `None` if nothing was new.
    pub logged: Option<Logged>,
}

impl<Id> Stored<Id> {
    /// The same with another kind of id.
    #[must_use]
    pub fn with_id<Other>(self, id: Other) -> Stored<Other> {
        let Stored { id: _, created, text_added, related, is_forgotten, is_withdrawn, valid, report, logged } =
            self;
        Stored { id, created, text_added, related, is_forgotten, is_withdrawn, valid, report, logged }
    }
}

/// The sizes of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Entries.
    pub games: u64,
    /// Entries that are not legal.
    pub not_valid: u64,
    /// Texts.
    pub texts: u64,
}

/// An archive. Cheap to clone; dropping the last clone writes what was submitted and closes the file.
#[derive(Debug, Clone)]
pub struct Archive {
    inner: Arc<Inner>,
    /// The budget for reading, if it is limited.
    budget: Option<Budget>,
}

#[derive(Debug)]
struct Inner {
    // Dropped first: the last connection to close should be one that can checkpoint the log.
    store: Box<dyn Store>,
    writer: Option<Writer>,
    /// Games in progress that were asked for last.
    games: correspondence::Known,
}

impl Archive {
    /// Opens an archive for reading and writing; creates it if it does not exist.
    ///
    /// # Errors
    /// If the file is not an archive, has a later version, or cannot be written.
    pub fn open(place: impl Into<Place>) -> Result<Archive, ArchiveError> {
        let (store, append) = place.into().open()?;
        let writer = Some(Writer::start(append)?);
        Ok(Archive { inner: Arc::new(Inner { store, writer, games: Default::default() }), budget: None })
    }

    /// Opens an existing archive for reading only.
    ///
    /// # Errors
    /// If it does not exist or has another version.
    pub fn open_existing(place: impl Into<Place>) -> Result<Archive, ArchiveError> {
        let inner = Inner { store: place.into().open_existing()?, writer: None, games: Default::default() };
        Ok(Archive { inner: Arc::new(inner), budget: None })
    }

    /// The same archive with a budget for its queries.
    ///
    /// Reading fails with [`ArchiveError::TooMuchWork`] once the budget is spent or cancelled, even within a query.
    /// Writing has no budget: a transaction is short and never half done.
    ///
    /// ```
    /// use ferz_archive::{Archive, ArchiveError};
    /// use ferz_core::text::Budget;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.ferz");
    /// let archive = Archive::open(&path)?;
    /// let budget = Budget::unlimited();
    /// let limited = archive.within(budget.clone());
    /// assert_eq!(limited.counts()?.games, 0);
    /// budget.cancel();
    /// assert_eq!(limited.counts(), Err(ArchiveError::TooMuchWork));
    /// assert_eq!(archive.counts()?.games, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn within(&self, budget: Budget) -> Archive {
        Archive { inner: Arc::clone(&self.inner), budget: Some(budget) }
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        self.store().place()
    }

    /// Stores records, all or none, and returns the outcome of each, in order.
    ///
    /// When this returns, they are on disk. A repeated submission adds nothing.
    ///
    /// # Errors
    /// If nothing was stored: the disk is full, another program holds the archive, or it is open for reading only.
    pub fn submit(&self, submissions: Vec<Submission>) -> Result<Vec<Stored>, ArchiveError> {
        self.ask(|reply| Job::Submit(submissions, reply))
    }

    /// Like [`submit`](Archive::submit), but does not wait: the writer thread calls `reply` with the answer, so it must
    /// be quick. It is never called if the thread dies.
    ///
    /// # Errors
    /// If the archive is open for reading only; then `reply` is not called.
    pub fn submit_then(
        &self,
        submissions: Vec<Submission>,
        reply: impl FnOnce(Result<Vec<Stored>, ArchiveError>) + Send + 'static,
    ) -> Result<(), ArchiveError> {
        self.send(Job::Submit(submissions, Box::new(reply)))
    }

    /// Like [`submit`](Archive::submit), but on this thread and without waiting. The outer error returns the records if
    /// there are many, if others write or wait, or if the disk was slow. Then use
    /// [`submit_then`](Archive::submit_then): submissions that wait together share a transaction.
    ///
    /// # Errors
    /// The outer error returns the records; the inner one means that nothing was stored.
    pub fn try_submit_inline(
        &self,
        submissions: Vec<Submission>,
    ) -> Result<Result<Vec<Stored>, ArchiveError>, Vec<Submission>> {
        match &self.inner.writer {
            Some(writer) => writer.try_submit_inline(submissions),
            None => Ok(Err(ArchiveError::ReadOnly)),
        }
    }

    /// Writes a probe row to test whether submissions would be stored.
    ///
    /// # Errors
    /// If they would not be.
    pub fn check_writable(&self) -> Result<(), ArchiveError> {
        self.ask(Job::Probe)
    }

    /// Why the last transaction failed, if the cause affects the whole archive, such as a full disk; `None` after a
    /// successful one.
    pub fn write_trouble(&self) -> Option<ArchiveError> {
        self.inner.writer.as_ref().and_then(Writer::trouble)
    }

    /// Copies the current state of the archive into a new file; writers are not blocked.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn back_up(&self, to: &Path) -> Result<(), ArchiveError> {
        self.store().copy(to)
    }

    /// The numbers of entries and texts.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn counts(&self) -> Result<Counts, ArchiveError> {
        self.store().counts(self.limit())
    }

    /// Queues a job and waits for its answer.
    fn ask<T: Send + 'static>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T, ArchiveError> {
        let (answer, answered) = sync_channel(1);
        // The caller may no longer wait.
        self.send(job(Box::new(move |result| drop(answer.send(result)))))?;
        answered.recv().unwrap_or(Err(ArchiveError::Closed))
    }

    fn send(&self, job: Job) -> Result<(), ArchiveError> {
        self.inner.writer.as_ref().ok_or(ArchiveError::ReadOnly)?.send(job)
    }

    /// The budget of [`within`](Archive::within), or an unlimited one, for work on texts that were read.
    pub fn budget(&self) -> Budget {
        self.budget.clone().unwrap_or_default()
    }

    fn store(&self) -> &dyn Store {
        &*self.inner.store
    }

    fn limit(&self) -> Limit<'_> {
        self.budget.as_ref()
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds since 1970 as RFC 3339.
fn time_text(milliseconds: i64) -> String {
    let time = chrono::DateTime::from_timestamp_millis(milliseconds).unwrap_or_default();
    time.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}
