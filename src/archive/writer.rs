//! The one thread that writes: it takes all jobs that wait, puts them into one transaction, and answers each after
//! the transaction is on the disk.

use super::Stored;
use super::error::ArchiveError;
use super::store::{Kept, Names, Store};
use super::submission::Submission;
use super::tokens::NewToken;
use crate::text::limits::{ARCHIVE_BATCH_BYTES, ARCHIVE_BATCH_GAMES, ARCHIVE_JOBS_WAITING};
use rusqlite::Connection;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// What to do with the answer to a job.
pub(super) type Reply<T> = Box<dyn FnOnce(Result<T, ArchiveError>) + Send>;

/// Something to be written.
pub(super) enum Job {
    /// Keep these records.
    Submit(Vec<Submission>, Reply<Vec<Stored>>),
    /// Keep this token.
    AddToken(NewToken, Reply<()>),
    /// Let nobody use the token of this name any more.
    RevokeToken(String, Reply<()>),
    /// Find out whether writing works.
    Probe(Reply<()>),
}

/// The thread, and the way to it.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    ///
    /// # Errors
    /// Where there can be no further thread.
    pub(super) fn start(connection: Connection) -> Result<Writer, ArchiveError> {
        let (sender, receiver) = sync_channel(ARCHIVE_JOBS_WAITING);
        let thread = std::thread::Builder::new().name("archive-writer".into());
        let thread = thread
            .spawn(move || run(connection, &receiver))
            .map_err(|error| ArchiveError::Io(format!("no thread for writing: {error}")))?;
        Ok(Writer { jobs: Some(sender), thread: Some(thread) })
    }

    /// Hands over a job; waits while too many others do.
    ///
    /// # Errors
    /// Where the thread is gone.
    pub(super) fn send(&self, job: Job) -> Result<(), ArchiveError> {
        let jobs = self.jobs.as_ref().ok_or(ArchiveError::Closed)?;
        jobs.send(job).map_err(|_| ArchiveError::Closed)
    }
}

impl Drop for Writer {
    /// Waits until everything that was handed over is written and the file is closed.
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // Whoever was to be answered by a thread that panicked has been told already: its channel is closed.
            let _ = thread.join();
        }
    }
}

fn run(mut connection: Connection, jobs: &Receiver<Job>) {
    let mut names = Names::default();
    while let Ok(first) = jobs.recv() {
        write(&mut connection, &mut names, batch(first, jobs));
    }
}

/// A job with those that wait behind it, up to what fits into one transaction.
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

/// Writes the jobs in one transaction, and answers them when it is on the disk.
fn write(connection: &mut Connection, names: &mut Names, jobs: Vec<Job>) {
    match attempt(connection, names, &jobs) {
        Ok(answers) => {
            for (job, answer) in jobs.into_iter().zip(answers) {
                job.answer(Ok(answer));
            }
        }
        // What concerns the whole archive concerns all of them. Else one job is at fault, and harms no neighbour.
        Err(error) if jobs.len() == 1 || error.is_passing() => {
            for job in jobs {
                job.answer(Err(error.clone()));
            }
        }
        Err(_) => {
            for job in jobs {
                write(connection, names, vec![job]);
            }
        }
    }
}

/// What a job has come to.
enum Answer {
    Kept(Vec<Kept>),
    Done,
}

impl Job {
    fn answer(self, result: Result<Answer, ArchiveError>) {
        match self {
            Job::Submit(submissions, reply) => reply(result.map(|answer| {
                let kept = if let Answer::Kept(kept) = answer { kept } else { Vec::new() };
                submissions.into_iter().zip(kept).map(|(submission, kept)| stored(submission, kept)).collect()
            })),
            Job::AddToken(_, reply) | Job::RevokeToken(_, reply) | Job::Probe(reply) => {
                reply(result.map(|_| ()));
            }
        }
    }
}

fn stored(submission: Submission, kept: Kept) -> Stored {
    Stored {
        id: submission.id,
        created: kept.entry,
        text_added: kept.text,
        related: kept.entry && !kept.play,
        valid: submission.report.legal,
        report: submission.report,
    }
}

fn attempt(
    connection: &mut Connection,
    names: &mut Names,
    jobs: &[Job],
) -> Result<Vec<Answer>, ArchiveError> {
    let transaction = connection.transaction()?;
    let written = (|| {
        let mut store = Store::new(&transaction, names)?;
        jobs.iter().map(|job| one(&mut store, job)).collect::<Result<Vec<Answer>, ArchiveError>>()
    })();
    let committed = written.and_then(|answers| Ok(transaction.commit().map(|()| answers)?));
    if committed.is_err() {
        // Numbers that were given in the transaction are taken back with it.
        names.forget();
    }
    committed
}

fn one(store: &mut Store<'_>, job: &Job) -> Result<Answer, ArchiveError> {
    match job {
        Job::Submit(submissions, _) => {
            let kept = submissions.iter().map(|submission| store.submit(submission));
            kept.collect::<Result<Vec<Kept>, ArchiveError>>().map(Answer::Kept)
        }
        Job::AddToken(token, _) => store.add_token(token).map(|()| Answer::Done),
        Job::RevokeToken(name, _) => store.revoke_token(name).map(|()| Answer::Done),
        Job::Probe(_) => store.probe().map(|()| Answer::Done),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::schema::open_writer;
    use crate::record::read;
    use crate::replay::{Options, Replayer, Source};
    use crate::rules::Registry;
    use std::sync::mpsc;

    fn judged(text: &str) -> Vec<Submission> {
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let source = Source::new(text.as_bytes(), 0, 0);
        let records = read(text.as_bytes(), 0);
        records.map(|record| Submission::judge(&mut replayer, &record, &source).unwrap()).collect()
    }

    /// A job with the way on which its answer comes.
    fn job<T: Send + 'static>(
        make: impl FnOnce(Reply<T>) -> Job,
    ) -> (Job, mpsc::Receiver<Result<T, ArchiveError>>) {
        let (answer, answered) = mpsc::channel();
        (make(Box::new(move |result| answer.send(result).unwrap())), answered)
    }

    fn games(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM game", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_full_disk_reaches_everybody_and_heals() {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = open_writer(&folder.path().join("a.ferz")).unwrap();
        let mut names = Names::default();
        let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        connection.pragma_update_and_check(None, "max_page_count", pages + 2, |_| Ok(())).unwrap();
        // A name that no page has room for, and one that there is room for.
        let long = format!("[White \"{}\"]\n\n1. e4 *\n", "x".repeat(100_000));
        let (first, first_answer) = job(|reply| Job::Submit(judged(&long), reply));
        let (second, second_answer) = job(|reply| Job::Submit(judged("[White \"Ann\"]\n\n1. d4 *\n"), reply));
        write(&mut connection, &mut names, vec![first, second]);
        assert_eq!(first_answer.recv().unwrap(), Err(ArchiveError::Full));
        assert_eq!(second_answer.recv().unwrap(), Err(ArchiveError::Full));
        assert_eq!(games(&connection), 0);
        connection.pragma_update_and_check(None, "max_page_count", pages + 999, |_| Ok(())).unwrap();
        let (again, answer) = job(|reply| Job::Submit(judged(&long), reply));
        let (other, other_answer) = job(|reply| Job::Submit(judged("[White \"Ann\"]\n\n1. d4 *\n"), reply));
        write(&mut connection, &mut names, vec![again, other]);
        assert!(answer.recv().unwrap().unwrap()[0].created);
        assert!(other_answer.recv().unwrap().unwrap()[0].created);
        assert_eq!(games(&connection), 2);
        let broken = "SELECT count(*) FROM pragma_foreign_key_check";
        assert_eq!(connection.query_row(broken, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    }

    #[test]
    fn one_bad_job_harms_no_neighbour() {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = open_writer(&folder.path().join("a.ferz")).unwrap();
        let mut names = Names::default();
        let token = |name: &str, byte: u8| NewToken { name: name.into(), hash: [byte; 32] };
        let (before, before_answer) = job(|reply| Job::Submit(judged("[White \"A\"]\n\n1. e4 *\n"), reply));
        let (good, good_answer) = job(|reply| Job::AddToken(token("x", 1), reply));
        let (bad, bad_answer) = job(|reply| Job::AddToken(token("x", 2), reply));
        let (after, after_answer) = job(|reply| Job::Submit(judged("[White \"B\"]\n\n1. d4 *\n"), reply));
        write(&mut connection, &mut names, vec![before, good, bad, after]);
        assert!(before_answer.recv().unwrap().unwrap()[0].created);
        assert_eq!(good_answer.recv().unwrap(), Ok(()));
        assert_eq!(bad_answer.recv().unwrap(), Err(ArchiveError::TokenExists("x".into())));
        assert!(after_answer.recv().unwrap().unwrap()[0].created);
        assert_eq!(games(&connection), 2);
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
