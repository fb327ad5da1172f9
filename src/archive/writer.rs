//! The writer. A thread puts all waiting jobs into one transaction and answers each after the transaction is on disk. A
//! submission without others to share a transaction with may be written inline, on the caller's thread: passing it to
//! the writer and waking the caller can take as long as the disk.

use super::Stored;
use super::correspondence::{NewActs, NewTree};
use super::error::ArchiveError;
use super::forgetting::Forgetting;
use super::index::NewSegment;
use super::log::{Batch, Logged};
use super::register::StepAsked;
use super::store::{Added, Append, Appended, Wait, Write, Written};
use super::submission::Submission;
use super::tokens::NewToken;
use super::withdrawals::{Reinstatement, Withdrawal};
use ferz_core::text::limits::{
    ARCHIVE_BATCH_BYTES, ARCHIVE_BATCH_GAMES, ARCHIVE_INLINE_BYTES, ARCHIVE_INLINE_TRANSACTIONS,
    ARCHIVE_JOBS_WAITING, ARCHIVE_QUICK,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// Receives the answer to a job.
pub(super) type Reply<T> = Box<dyn FnOnce(Result<T, ArchiveError>) + Send>;

/// One write.
pub(super) enum Job {
    /// Store these records.
    Submit(Vec<Submission>, Reply<Vec<Stored>>),
    /// Store this token.
    AddToken(NewToken, Reply<Option<Logged>>),
    /// Revoke the token of this name.
    RevokeToken(String, Reply<Option<Logged>>),
    /// Withdraw this entry, or texts of it.
    Withdraw(Withdrawal, Reply<Option<Logged>>),
    /// Take withdrawals back.
    Reinstate(Reinstatement, Reply<Option<Logged>>),
    /// Add a step to the register of rules.
    Register(StepAsked, Reply<Option<Logged>>),
    /// Forget this entry.
    Forget(Forgetting, Reply<Option<Logged>>),
    /// Add acts to a game in progress, or create one; answers with the number of the first act in its game.
    Act(Box<NewActs>, Reply<(Option<Logged>, u64)>),
    /// Add this segment to the index, and delete those with these numbers.
    Segment(Option<Box<NewSegment>>, Vec<i64>, Reply<()>),
    /// Set the conditional plies of a player.
    Conditional(Box<NewTree>, Reply<()>),
    /// Note that a service runs at an instant, in milliseconds since 1970.
    Alive(u64, Reply<()>),
    /// Remove what was deleted from unused parts of the file.
    Clean(Reply<()>),
    /// Test whether writing works.
    Probe(Reply<()>),
    /// Do deferred maintenance.
    Settle,
}

/// The thread and its queue.
#[derive(Debug)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// The state that writing threads share.
#[derive(Debug)]
struct Shared {
    append: Mutex<Appending>,
    /// Jobs that are queued and not written yet.
    waiting: AtomicUsize,
    /// True if the last write was fast.
    quick: AtomicBool,
    /// Why the last transaction failed, if the cause affects the whole archive.
    trouble: Mutex<Option<ArchiveError>>,
}

/// The writing side of the store.
#[derive(Debug)]
struct Appending {
    append: Box<dyn Append>,
    /// The number of inline writes.
    inline: usize,
}

impl Shared {
    fn new(append: Box<dyn Append>) -> Shared {
        Shared {
            append: Mutex::new(Appending { append, inline: 0 }),
            waiting: AtomicUsize::new(0),
            quick: AtomicBool::new(true),
            trouble: Mutex::new(None),
        }
    }

    /// Writes, and records whether the disk was fast.
    fn timed<T>(&self, write: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = write();
        self.quick.store(start.elapsed() < ARCHIVE_QUICK, Ordering::Relaxed);
        result
    }

    /// Writes in one transaction, and records an error that affects the whole archive.
    fn transaction(
        &self,
        append: &mut dyn Append,
        writes: &[Write<'_>],
        wait: Wait,
    ) -> Result<Appended, ArchiveError> {
        let written = append.append(writes, wait);
        let trouble = match &written {
            Ok(_) => None,
            Err(error) if !error.is_passing() || *error == ArchiveError::Busy => return written,
            Err(error) => Some(error.clone()),
        };
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
        written
    }

    /// See [`Archive::write_trouble`](super::Archive::write_trouble).
    fn trouble(&self) -> Option<ArchiveError> {
        // The value is consistent even if a thread panicked while it held the lock.
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Writer {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(super) fn start(append: Box<dyn Append>) -> Result<Writer, ArchiveError> {
        let (sender, receiver) = sync_channel(ARCHIVE_JOBS_WAITING);
        let shared = Arc::new(Shared::new(append));
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("archive-writer".into());
        let thread = thread
            .spawn(move || run(&for_thread, &receiver))
            .map_err(|error| ArchiveError::Io(format!("cannot start the writer thread: {error}")))?;
        Ok(Writer { shared, jobs: Some(sender), thread: Some(thread) })
    }

    /// See [`Archive::write_trouble`](super::Archive::write_trouble).
    pub(super) fn trouble(&self) -> Option<ArchiveError> {
        self.shared.trouble()
    }

    /// Queues a job; waits while the queue is full.
    ///
    /// # Errors
    /// If the thread has ended.
    pub(super) fn send(&self, job: Job) -> Result<(), ArchiveError> {
        let jobs = self.jobs.as_ref().ok_or(ArchiveError::Closed)?;
        self.shared.waiting.fetch_add(1, Ordering::Relaxed);
        jobs.send(job).map_err(|_| ArchiveError::Closed)
    }

    /// Writes submissions on this thread. Returns them unwritten if there are many, if others write or wait, here or in
    /// another program, or if the last write was slow.
    ///
    /// # Errors
    /// As [`Archive::submit`](super::Archive::submit).
    pub(super) fn try_submit_inline(
        &self,
        submissions: Vec<Submission>,
    ) -> Result<Result<Vec<Stored>, ArchiveError>, Vec<Submission>> {
        let bytes: usize = submissions.iter().map(Submission::bytes).sum();
        let appended =
            if bytes > ARCHIVE_INLINE_BYTES { None } else { self.try_inline(&[Write::Keep(&submissions)]) };
        match appended {
            None => Err(submissions),
            Some(result) => Ok(result.map(|Appended { written, events }| {
                let added = written.into_iter().flat_map(|written| written.added);
                all_stored(submissions, added, events.as_ref())
            })),
        }
    }

    /// Writes acts on this thread; `None` as for submissions.
    pub(super) fn try_act_inline(
        &self,
        acts: &NewActs,
    ) -> Option<Result<(Option<Logged>, u64), ArchiveError>> {
        let result = self.try_inline(&[Write::Act(acts)])?;
        Some(result.map(|Appended { written, events }| {
            acted(written.into_iter().next().unwrap_or_default(), events.as_ref())
        }))
    }

    /// Writes on this thread; `None`, and nothing is written, if others write or wait, here or in another program, or
    /// if the last write was slow.
    fn try_inline(&self, writes: &[Write<'_>]) -> Option<Result<Appended, ArchiveError>> {
        let shared = &*self.shared;
        if shared.waiting.load(Ordering::Relaxed) > 0 || !shared.quick.load(Ordering::Relaxed) {
            return None;
        }
        let mut appending = shared.append.try_lock().ok()?;
        let result = shared.timed(|| shared.transaction(&mut *appending.append, writes, Wait::Never));
        appending.inline += 1;
        let is_due = appending.inline.is_multiple_of(ARCHIVE_INLINE_TRANSACTIONS);
        drop(appending);
        if is_due {
            // If the queue is full, the store does this later by itself.
            let _ = self.send(Job::Settle);
        }
        if matches!(result, Err(ArchiveError::Busy)) { None } else { Some(result) }
    }
}

impl Drop for Writer {
    /// Waits until all queued jobs are written and the file is closed.
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, its closed channels have already reported that.
            let _ = thread.join();
        }
    }
}

fn run(shared: &Shared, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let jobs = batch(first, jobs);
        // After a panic while writing, the archive is closed to all.
        let Ok(mut appending) = shared.append.lock() else { return };
        let count = jobs.len();
        shared.timed(|| write(shared, &mut *appending.append, jobs));
        drop(appending);
        shared.waiting.fetch_sub(count, Ordering::Relaxed);
    }
}

/// A job and those queued after it, up to the size of one transaction.
fn batch(first: Job, jobs: &Receiver<Job>) -> Vec<Job> {
    let size = |job: &Job| match job {
        Job::Submit(submissions, _) => {
            (submissions.len(), submissions.iter().map(Submission::bytes).sum::<usize>())
        }
        _ => (1, 0),
    };
    let (mut games, mut bytes) = size(&first);
    let mut batch = vec![first];
    while games < ARCHIVE_BATCH_GAMES && bytes < ARCHIVE_BATCH_BYTES {
        let Ok(job) = jobs.try_recv() else { break };
        let (more_games, more_bytes) = size(&job);
        (games, bytes) = (games + more_games, bytes + more_bytes);
        batch.push(job);
    }
    batch
}

/// Writes the jobs in one transaction, and answers them when it is on disk.
fn write(shared: &Shared, append: &mut dyn Append, jobs: Vec<Job>) {
    if let [Job::Settle] = &jobs[..] {
        // If it fails now, it is retried later.
        let _ = append.settle();
        return;
    }
    let (cleaning, jobs): (Vec<Job>, Vec<Job>) =
        jobs.into_iter().partition(|job| matches!(job, Job::Clean(_)));
    for job in cleaning {
        let cleaned = append.clean();
        job.answer(cleaned.map(|()| (Written::default(), None)));
    }
    if jobs.is_empty() {
        return;
    }
    // Maintenance waits while there are other jobs.
    let writes: Vec<Write<'_>> = jobs.iter().filter_map(Job::write).collect();
    match shared.transaction(append, &writes, Wait::Patiently) {
        Ok(Appended { written, events }) => {
            let mut written = written.into_iter();
            for job in jobs {
                let of_job = if job.write().is_some() { written.next() } else { None };
                job.answer(Ok((of_job.unwrap_or_default(), events.as_ref())));
            }
        }
        // An error of the whole archive fails every job. Any other is the fault of one job, and must not fail the
        // others.
        Err(error) if jobs.len() == 1 || error.is_passing() => {
            for job in jobs {
                job.answer(Err(error.clone()));
            }
        }
        Err(_) => {
            for job in jobs {
                write(shared, append, vec![job]);
            }
        }
    }
}

impl Job {
    /// Its write.
    fn write(&self) -> Option<Write<'_>> {
        Some(match self {
            Job::Submit(submissions, _) => Write::Keep(submissions),
            Job::AddToken(token, _) => Write::AddToken(token),
            Job::RevokeToken(name, _) => Write::RevokeToken(name),
            Job::Withdraw(withdrawal, _) => Write::Withdraw(withdrawal),
            Job::Reinstate(reinstatement, _) => Write::Reinstate(reinstatement),
            Job::Register(asked, _) => Write::Register(asked),
            Job::Forget(forgetting, _) => Write::Forget(forgetting),
            Job::Act(acts, _) => Write::Act(acts),
            Job::Segment(new, old, _) => Write::Segment(new.as_deref(), old),
            Job::Conditional(tree, _) => Write::Conditional(tree),
            Job::Alive(at, _) => Write::Alive(*at),
            Job::Probe(_) => Write::Probe,
            Job::Settle | Job::Clean(_) => return None,
        })
    }

    fn answer(self, result: Result<(Written, Option<&Arc<Batch>>), ArchiveError>) {
        match self {
            Job::Submit(submissions, reply) => {
                reply(result.map(|(written, events)| all_stored(submissions, written.added, events)));
            }
            Job::Withdraw(_, reply)
            | Job::Reinstate(_, reply)
            | Job::Forget(_, reply)
            | Job::Register(_, reply)
            | Job::AddToken(_, reply)
            | Job::RevokeToken(_, reply) => {
                reply(result.map(|(written, events)| Some(Logged::new(events?, written.event?))));
            }
            Job::Act(_, reply) => reply(result.map(|(written, events)| acted(written, events))),
            Job::Settle => {}
            Job::Segment(_, _, reply)
            | Job::Conditional(_, reply)
            | Job::Alive(_, reply)
            | Job::Probe(reply)
            | Job::Clean(reply) => reply(result.map(|_| ())),
        }
    }
}

/// The event of the first act, for a receipt, and its number in its game.
fn acted(written: Written, events: Option<&Arc<Batch>>) -> (Option<Logged>, u64) {
    let logged = events.zip(written.event).map(|(events, event)| Logged::new(events, event));
    (logged, written.sequence)
}

/// What became, or would become, of submissions, each with its entry.
pub(super) fn all_stored<Id>(
    submissions: Vec<Submission>,
    added: impl IntoIterator<Item = (Id, Added)>,
    events: Option<&Arc<Batch>>,
) -> Vec<Stored<Id>> {
    let all = submissions.into_iter().zip(added);
    all.map(|(submission, (id, added))| stored(submission, id, added, events)).collect()
}

fn stored<Id>(submission: Submission, id: Id, added: Added, events: Option<&Arc<Batch>>) -> Stored<Id> {
    Stored {
        id,
        created: added.entry,
        text_added: added.text,
        related: added.entry && !added.play,
        is_forgotten: added.is_forgotten,
        is_withdrawn: added.is_withdrawn,
        valid: submission.report.legal,
        report: submission.report,
        logged: added.event.and_then(|event| Some(Logged::new(events?, event))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::WriterConnection;
    use ferz_core::rules::Registry;
    use ferz_records::record::read;
    use ferz_records::replay::{Options, Replayer, Source};
    use rusqlite::Connection;
    use std::sync::mpsc;

    fn judged(text: &str) -> Vec<Submission> {
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let source = Source::new(text.as_bytes(), 0, 0);
        let records = read(text.as_bytes(), 0);
        records.map(|record| Submission::judge(&mut replayer, &record, &source).unwrap()).collect()
    }

    /// A job with the receiver of its answer.
    fn job<T: Send + 'static>(
        make: impl FnOnce(Reply<T>) -> Job,
    ) -> (Job, mpsc::Receiver<Result<T, ArchiveError>>) {
        let (answer, answered) = mpsc::channel();
        (make(Box::new(move |result| answer.send(result).unwrap())), answered)
    }

    /// A writer without a thread.
    fn open(path: &std::path::Path) -> (Shared, WriterConnection) {
        let written = WriterConnection::open(path).unwrap();
        (Shared::new(Box::new(WriterConnection::open(path).unwrap())), written)
    }

    fn games(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM game", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_full_disk_fails_every_job_and_heals() {
        let folder = tempfile::tempdir().unwrap();
        let (shared, mut written) = open(&folder.path().join("a.ferz"));
        let pages: i64 = written.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        written.connection.pragma_update_and_check(None, "max_page_count", pages + 2, |_| Ok(())).unwrap();
        // A name too large for the free pages, and one that fits.
        let long = format!("[White \"{}\"]\n\n1. e4 *\n", "x".repeat(100_000));
        let (first, first_answer) = job(|reply| Job::Submit(judged(&long), reply));
        let (second, second_answer) = job(|reply| Job::Submit(judged("[White \"Ann\"]\n\n1. d4 *\n"), reply));
        write(&shared, &mut written, vec![first, second]);
        assert_eq!(first_answer.recv().unwrap(), Err(ArchiveError::Full));
        assert_eq!(second_answer.recv().unwrap(), Err(ArchiveError::Full));
        assert_eq!(games(&written.connection), 0);
        assert_eq!(shared.trouble(), Some(ArchiveError::Full));
        written.connection.pragma_update_and_check(None, "max_page_count", pages + 999, |_| Ok(())).unwrap();
        let (again, answer) = job(|reply| Job::Submit(judged(&long), reply));
        let (other, other_answer) = job(|reply| Job::Submit(judged("[White \"Ann\"]\n\n1. d4 *\n"), reply));
        write(&shared, &mut written, vec![again, other]);
        assert!(answer.recv().unwrap().unwrap()[0].created);
        assert!(other_answer.recv().unwrap().unwrap()[0].created);
        assert_eq!(games(&written.connection), 2);
        assert_eq!(shared.trouble(), None);
        let broken = "SELECT count(*) FROM pragma_foreign_key_check";
        assert_eq!(written.connection.query_row(broken, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    }

    #[test]
    fn one_bad_job_harms_no_neighbour() {
        let folder = tempfile::tempdir().unwrap();
        let (shared, mut written) = open(&folder.path().join("a.ferz"));
        let token = |name: &str, byte: u8| NewToken {
            name: name.into(),
            hash: [byte; 32],
            holder: String::new(),
            scopes: "read".into(),
            expires: None,
        };
        let (before, before_answer) = job(|reply| Job::Submit(judged("[White \"A\"]\n\n1. e4 *\n"), reply));
        let (good, good_answer) = job(|reply| Job::AddToken(token("x", 1), reply));
        let (bad, bad_answer) = job(|reply| Job::AddToken(token("x", 2), reply));
        let (after, after_answer) = job(|reply| Job::Submit(judged("[White \"B\"]\n\n1. d4 *\n"), reply));
        write(&shared, &mut written, vec![before, good, bad, after]);
        assert!(before_answer.recv().unwrap().unwrap()[0].created);
        assert!(matches!(good_answer.recv().unwrap(), Ok(Some(_))));
        assert_eq!(bad_answer.recv().unwrap(), Err(ArchiveError::TokenExists("x".into())));
        assert!(after_answer.recv().unwrap().unwrap()[0].created);
        assert_eq!(games(&written.connection), 2);
    }

    /// A writer of a new archive in a folder, the archive's path, and another program's connection to it.
    fn writer_and_other() -> (tempfile::TempDir, std::path::PathBuf, Writer, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ferz");
        let writer = Writer::start(Box::new(WriterConnection::open(&path).unwrap())).unwrap();
        let other = WriterConnection::open(&path).unwrap().connection;
        (folder, path, writer, other)
    }

    /// A commit to a file without a path is lost when the file is closed.
    #[test]
    #[cfg(unix)]
    fn nothing_is_acknowledged_that_is_written_to_a_deleted_file() {
        for replaced in ["a.ferz", "a.ferz-wal"] {
            let (folder, path, writer, _other) = writer_and_other();
            let submit = |text: &str| {
                let (job, answer) = job(|reply| Job::Submit(judged(text), reply));
                writer.send(job).unwrap();
                answer.recv().unwrap().map(|stored| stored.len())
            };
            assert_eq!(submit("1. e4 *"), Ok(1));
            let moved = Err(ArchiveError::Moved(path.clone()));
            let (file, copy) = (folder.path().join(replaced), folder.path().join("copy"));
            std::fs::copy(&file, &copy).unwrap();
            std::fs::remove_file(&file).unwrap();
            assert_eq!(submit("1. d4 *"), moved, "{replaced}");
            assert_eq!(writer.trouble(), Some(ArchiveError::Moved(path.clone())));
            std::fs::rename(&copy, &file).unwrap();
            assert_eq!(submit("1. c4 *"), moved, "{replaced}");
            let (probe, answer) = job(Job::Probe);
            writer.send(probe).unwrap();
            assert_eq!(answer.recv().unwrap(), Err(ArchiveError::Moved(path)));
        }
    }

    #[test]
    fn who_is_alone_writes_at_once() {
        let (_folder, _, writer, other) = writer_and_other();
        let first = writer.try_submit_inline(judged("[White \"Ann\"]\n\n1. e4 *\n")).unwrap().unwrap();
        assert!(first[0].created && first[0].valid);
        assert_eq!(games(&other), 1);
        // Another program writes: the inline write does not wait for it.
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let given_back = writer.try_submit_inline(judged("[White \"Ben\"]\n\n1. e4 *\n")).unwrap_err();
        assert_eq!((given_back.len(), games(&other)), (1, 1));
        // A queued job waits for it.
        let (later, answered) = job(|reply| Job::Submit(given_back, reply));
        writer.send(later).unwrap();
        assert!(writer.try_submit_inline(judged("1. d4 *")).is_err());
        other.execute_batch("COMMIT").unwrap();
        assert!(answered.recv().unwrap().unwrap()[0].created);
        assert_eq!(games(&other), 2);
        assert!(writer.try_submit_inline(judged(&format!("1. e4 {{{}}} *", noise()))).is_err());
    }

    /// Incompressible text.
    fn noise() -> String {
        let digest = |number: usize| blake3::hash(&number.to_le_bytes()).to_hex().to_string();
        (0..ARCHIVE_INLINE_BYTES / 16).map(digest).collect()
    }

    #[test]
    fn the_log_is_brought_into_the_database_by_the_thread() {
        // While the other connection is open, closing the writer does not checkpoint the log.
        let (_folder, path, writer, other) = writer_and_other();
        let bytes = || std::fs::metadata(&path).unwrap().len();
        let before = bytes();
        let mut at_once = 0;
        let mut queued = 0;
        for number in 0..4 * ARCHIVE_INLINE_TRANSACTIONS {
            match writer.try_submit_inline(judged(&format!("[White \"{number}\"]\n\n1. e4 *\n"))) {
                Ok(_) => at_once += 1,
                // The disk is slow at the moment.
                Err(given_back) => {
                    let (later, answered) = job(|reply| Job::Submit(given_back, reply));
                    writer.send(later).unwrap();
                    assert!(answered.recv().unwrap().unwrap()[0].created);
                    queued += 1;
                }
            }
            // The last one wakes the thread, which may finish before this one looks.
            if at_once == ARCHIVE_INLINE_TRANSACTIONS {
                break;
            }
            // A write of the thread may do a checkpoint by itself; those of this one never do.
            assert!(queued > 0 || bytes() == before);
        }
        drop(writer);
        assert!(bytes() > before && games(&other) as usize >= ARCHIVE_INLINE_TRANSACTIONS);
    }

    #[test]
    fn jobs_that_wait_share_a_transaction_up_to_its_bound() {
        let (sender, receiver) = mpsc::sync_channel(ARCHIVE_BATCH_GAMES + 2);
        for _ in 0..ARCHIVE_BATCH_GAMES + 1 {
            sender.send(Job::Probe(Box::new(drop))).unwrap();
        }
        let first = receiver.recv().unwrap();
        assert_eq!(batch(first, &receiver).len(), ARCHIVE_BATCH_GAMES);
        let rest = receiver.recv().unwrap();
        assert_eq!(batch(rest, &receiver).len(), 1);
    }
}
