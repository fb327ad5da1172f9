//! L10: an archive of games in an SQLite file: what came is kept byte for byte, judged, searchable, and never changed.
//!
//! ```
//! use ferz::archive::{Archive, Filter, Submission};
//! use ferz::replay::{Options, Replayer, Source};
//! use ferz::{record, rules::Registry};
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
//! The file, its tables and the two keys are described in `formats/ARCHIVE.md`.

mod error;
mod filter;
mod fold;
mod identity;
mod pack;
mod read;
mod rulebook;
mod rules_text;
mod sqlite;
mod store;
mod submission;
mod texts;
mod tokens;
mod verify;
mod writer;

pub use error::ArchiveError;
pub use filter::Filter;
pub use identity::GameId;
#[cfg(feature = "server")]
pub(crate) use identity::to_hex;
pub use read::{Arrival, Entry, Listing, Summary};
pub use rulebook::{Rulebook, Rulebooks};
pub use submission::Submission;
pub use texts::{Text, Texts, Which};
pub use tokens::TokenInfo;
pub use verify::{Checked, Finding, What};

use crate::replay::Report;
use crate::text::Budget;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use store::{Limit, Store};
use writer::{Job, Reply, Writer};

/// What became of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The entry.
    pub id: GameId,
    /// True if the entry is new.
    pub created: bool,
    /// True if the text is new: for a new entry, or for one that had come in other words only.
    pub text_added: bool,
    /// True if the entry is new, and another one has the same play.
    pub related: bool,
    /// Whether the whole main line is legal.
    pub valid: bool,
    /// The report on the text.
    pub report: Report,
}

/// How much there is in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Entries.
    pub games: u64,
    /// Of them those that are not legal.
    pub not_valid: u64,
    /// Texts.
    pub texts: u64,
}

/// An archive. Cheap to clone; the file is closed with the last clone, when all that was submitted is written.
#[derive(Debug, Clone)]
pub struct Archive {
    inner: Arc<Inner>,
    /// What reading may cost, if there is a limit.
    budget: Option<Budget>,
}

#[derive(Debug)]
struct Inner {
    // Dropped first: the last connection to close should be one that can bring the log into the database.
    store: Box<dyn Store>,
    writer: Option<Writer>,
}

impl Archive {
    /// Opens an archive for reading and writing, makes it if there is none, and brings it up to date.
    ///
    /// # Errors
    /// Where the file is something else, of a later version, or cannot be written to.
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        let (store, append) = sqlite::open(path)?;
        let writer = Some(Writer::start(Box::new(append))?);
        Ok(Archive { inner: Arc::new(Inner { store: Box::new(store), writer }), budget: None })
    }

    /// Opens an archive that is there, for reading only.
    ///
    /// # Errors
    /// Where there is none, or it is of another version.
    pub fn open_existing(path: &Path) -> Result<Archive, ArchiveError> {
        let inner = Inner { store: Box::new(sqlite::open_existing(path)?), writer: None };
        Ok(Archive { inner: Arc::new(inner), budget: None })
    }

    /// The same archive, whose queries spend a budget.
    ///
    /// Reading fails with [`ArchiveError::TooMuchWork`] once the budget is spent or cancelled, in the middle of a query
    /// too. Writing asks no budget: a transaction is short, and never half done.
    ///
    /// ```
    /// use ferz::archive::{Archive, ArchiveError};
    /// use ferz::text::Budget;
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

    /// The file.
    pub fn path(&self) -> &Path {
        self.store().path()
    }

    /// Keeps records, all of them or none, and tells what became of each, in their order.
    ///
    /// When this returns, they are on the disk. Submitting again what is there adds nothing.
    ///
    /// # Errors
    /// Where nothing was kept: the disk is full, the archive is held by another program or open for reading only.
    pub fn submit(&self, submissions: Vec<Submission>) -> Result<Vec<Stored>, ArchiveError> {
        self.ask(|reply| Job::Submit(submissions, reply))
    }

    /// Like [`submit`](Archive::submit), and does not wait: `reply` is called with the answer, on the thread that
    /// writes, so it must be quick. It is never called if the thread dies.
    ///
    /// # Errors
    /// Where the archive is open for reading only; `reply` is not called then.
    pub fn submit_then(
        &self,
        submissions: Vec<Submission>,
        reply: impl FnOnce(Result<Vec<Stored>, ArchiveError>) + Send + 'static,
    ) -> Result<(), ArchiveError> {
        self.send(Job::Submit(submissions, Box::new(reply)))
    }

    /// Like [`submit`](Archive::submit), on this thread and without waiting for anybody; the outer error gives the
    /// records back. That is where they are many, where others write or wait, and where the disk has been slow: then
    /// [`submit_then`](Archive::submit_then) is the better way, for submissions that wait together go to the disk
    /// together.
    ///
    /// # Errors
    /// Where the records are given back; inside, where nothing was kept.
    pub fn try_submit_inline(
        &self,
        submissions: Vec<Submission>,
    ) -> Result<Result<Vec<Stored>, ArchiveError>, Vec<Submission>> {
        match &self.inner.writer {
            Some(writer) => writer.try_submit_inline(submissions),
            None => Ok(Err(ArchiveError::ReadOnly)),
        }
    }

    /// Writes a probe row, to find out whether submissions would be kept.
    ///
    /// # Errors
    /// Where they would not.
    pub fn check_writable(&self) -> Result<(), ArchiveError> {
        self.ask(Job::Probe)
    }

    /// Why the last transaction could not be written, if the cause concerns the whole archive, such as a full disk;
    /// nothing after one that was written.
    pub fn write_trouble(&self) -> Option<ArchiveError> {
        self.inner.writer.as_ref().and_then(Writer::trouble)
    }

    /// Copies the archive, as it is at this moment, into a new file; whoever writes goes on.
    ///
    /// # Errors
    /// Where the file is there already or cannot be written.
    pub fn back_up(&self, to: &Path) -> Result<(), ArchiveError> {
        self.store().copy(to)
    }

    /// How much there is in the archive.
    ///
    /// # Errors
    /// Where the archive cannot be read.
    pub fn counts(&self) -> Result<Counts, ArchiveError> {
        self.store().counts(self.limit())
    }

    /// Hands over a job and waits for its answer.
    fn ask<T: Send + 'static>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T, ArchiveError> {
        let (answer, answered) = sync_channel(1);
        // Whoever asked and went away needs no answer.
        self.send(job(Box::new(move |result| drop(answer.send(result)))))?;
        answered.recv().unwrap_or(Err(ArchiveError::Closed))
    }

    fn send(&self, job: Job) -> Result<(), ArchiveError> {
        self.inner.writer.as_ref().ok_or(ArchiveError::ReadOnly)?.send(job)
    }

    /// The budget of [`within`](Archive::within), or an endless one: for work on what was read.
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

/// Milliseconds since 1970 as RFC 3339.
fn time_text(milliseconds: i64) -> String {
    let time = chrono::DateTime::from_timestamp_millis(milliseconds).unwrap_or_default();
    time.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}
