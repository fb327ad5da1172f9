//! Proofs that may take longer than a request: a queue of jobs, with threads of their own and a priority below that of
//! the judges, so that no proof delays a record.
//!
//! A job is named by its question and its asker, so that the same question of one asker is the same job. Only its asker
//! sees and cancels it. Askers take turns, weighed by the time that they used. A verdict is kept for a while, but no
//! longer than its game.

use super::limits::{JOB_KEPT, JOB_TIME_MAX, JOBS_KEPT_MAX, JOBS_RUNNING, JOBS_WAITING_MAX};
use super::pool::Rank;
use super::problem::{self, Problem};
use ferz::archive::GameId;
use ferz::text::Budget;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What a job does: the verdict as JSON.
pub type Work = Box<dyn FnOnce(&Budget) -> Result<Vec<u8>, Problem> + Send>;

/// All jobs.
#[derive(Default)]
pub struct Jobs {
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    jobs: HashMap<String, Arc<Job>>,
    waiting: VecDeque<(Arc<Job>, Work)>,
    running: Vec<Arc<Job>>,
    /// The time that askers have used, counted from that of the one who had the last turn when they came.
    used: HashMap<Asker, Duration>,
    /// The time that the asker with the last turn had used before it.
    now: Duration,
    threads: usize,
    stopped: bool,
}

/// Who asks: a token or, without one, an address, as a digest.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Asker(pub [u8; 32]);

/// What a job is about.
#[derive(Debug)]
pub struct Question {
    /// All that the verdict depends on.
    pub text: String,
    /// Who asks.
    pub asker: Asker,
    /// The game of the archive, if it is one.
    pub game: Option<GameId>,
    /// Time that the job may run.
    pub time: Duration,
}

/// A question and how far its answer is.
#[derive(Debug)]
pub struct Job {
    id: String,
    asker: Asker,
    /// The game of the archive that it is about.
    pub game: Option<GameId>,
    /// Time that it may run.
    time: Duration,
    budget: Budget,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
enum Progress {
    Queued,
    Running(Instant),
    Done { at: Instant, spent: Duration, verdict: Result<Vec<u8>, Problem> },
}

impl std::fmt::Debug for Jobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jobs").finish_non_exhaustive()
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    /// The address.
    pub fn location(&self) -> String {
        format!("/api/v1/adjudications/{}", self.id)
    }

    /// The progress as JSON.
    pub fn json(&self) -> Vec<u8> {
        let (state, spent, verdict, problem) = match &*lock(&self.progress) {
            Progress::Queued => ("queued", Duration::ZERO, None, None),
            Progress::Running(since) => ("running", since.elapsed(), None, None),
            Progress::Done { spent, verdict: Ok(verdict), .. } => {
                ("done", *spent, Some(verdict.clone()), None)
            }
            Progress::Done { spent, verdict: Err(problem), .. } => {
                ("done", *spent, None, Some(problem.json(None)))
            }
        };
        let (id, nodes, milliseconds) = (&self.id, self.budget.steps(), spent.as_millis());
        let head = format!(
            "{{\"job\":\"{id}\",\"state\":\"{state}\",\"nodes\":{nodes},\"milliseconds\":{milliseconds},\"verdict\":"
        );
        let verdict = verdict.unwrap_or_else(|| b"null".to_vec());
        let tail = format!(",\"problem\":{}}}\n", problem.as_deref().unwrap_or("null"));
        [head.into_bytes(), verdict, tail.into_bytes()].concat()
    }

    /// True if `asker` asked.
    fn is_of(&self, asker: &Asker) -> bool {
        self.asker == *asker
    }

    fn done_since(&self) -> Option<Instant> {
        match &*lock(&self.progress) {
            Progress::Done { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// The time that it may still run.
    fn left(&self) -> Duration {
        match &*lock(&self.progress) {
            Progress::Running(since) => self.time.saturating_sub(since.elapsed()),
            _ => self.time,
        }
    }

    fn run(&self, work: Work) {
        let start = Instant::now();
        *lock(&self.progress) = Progress::Running(start);
        let (sender, ended) = channel::<()>();
        let (time, budget) = (self.time, self.budget.clone());
        let deadline = thread::Builder::new().name("ferz-deadline".into()).spawn(move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                budget.cancel();
            }
        });
        let failed = |_| Err(Problem::new(&problem::INTERNAL, "the work did not finish"));
        // Without its deadline a job would never end.
        let verdict = match deadline {
            Ok(_) => catch_unwind(AssertUnwindSafe(|| work(&self.budget))).unwrap_or_else(failed),
            Err(error) => Err(Problem::new(&problem::INTERNAL, format!("cannot start a thread: {error}"))),
        };
        drop(sender);
        *lock(&self.progress) = Progress::Done { at: Instant::now(), spent: start.elapsed(), verdict };
    }
}

impl Jobs {
    /// The job with a name, if `asker` asked for it.
    pub fn find(&self, id: &str, asker: &Asker) -> Option<Arc<Job>> {
        let mut queue = lock(&self.queue);
        queue.forget();
        queue.jobs.get(id).filter(|job| job.is_of(asker)).map(Arc::clone)
    }

    /// Adds a job to the queue, or finds the one that has this question. If the queue is full, the last job of the
    /// asker with the most leaves it for one of an asker with less.
    ///
    /// # Errors
    /// If there is no room, with the seconds until a job ends, or the service is stopping.
    pub fn submit(
        self: &Arc<Self>,
        question: Question,
        outer: &Budget,
        work: Work,
    ) -> Result<Arc<Job>, Problem> {
        let Question { text, asker, game, time } = question;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&asker.0).update(text.as_bytes());
        let id = hasher.finalize().to_hex()[..32].to_owned();
        let mut queue = lock(&self.queue);
        queue.forget();
        if let Some(job) = queue.jobs.get(&id) {
            return Ok(Arc::clone(job));
        }
        if queue.stopped {
            return Err(Problem::new(&problem::STOPPING, "the service is stopping").retry_after(10));
        }
        if queue.waiting.len() >= JOBS_WAITING_MAX && !queue.make_room(&asker) {
            let next = queue.running.iter().map(|job| job.left()).min();
            // A thread that has just been started has not taken the first one yet.
            let next = next.or_else(|| queue.waiting.front().map(|(job, _)| job.left()));
            return Err(full(next.unwrap_or_default()));
        }
        // Counted, so that the steps show the progress.
        let budget = Budget::of(u64::MAX).within(outer);
        let progress = Mutex::new(Progress::Queued);
        let job = Arc::new(Job { id: id.clone(), asker: asker.clone(), game, time, budget, progress });
        if queue.threads < JOBS_RUNNING {
            let jobs = Arc::clone(self);
            let thread = thread::Builder::new().name("ferz-prove".into()).spawn(move || jobs.work_off());
            let failed = |error| Problem::new(&problem::BUSY, format!("cannot start a thread: {error}"));
            thread.map_err(|error| failed(error).retry_after(2))?;
            queue.threads += 1;
        }
        let now = queue.now;
        let used = queue.used.entry(asker).or_default();
        *used = now.max(*used);
        queue.waiting.push_back((Arc::clone(&job), work));
        queue.jobs.insert(id, Arc::clone(&job));
        Ok(job)
    }

    /// Cancels and forgets a job of an asker; false if there is none.
    pub fn cancel(&self, id: &str, asker: &Asker) -> bool {
        let mut queue = lock(&self.queue);
        if !queue.jobs.get(id).is_some_and(|job| job.is_of(asker)) {
            return false;
        }
        queue.drop_job(id);
        true
    }

    /// The games of the archive that jobs are about.
    pub fn games(&self) -> Vec<GameId> {
        lock(&self.queue).jobs.values().filter_map(|job| job.game).collect()
    }

    /// Cancels and forgets all jobs about a game.
    pub fn forget_game(&self, game: GameId) {
        let mut queue = lock(&self.queue);
        let about: Vec<String> =
            queue.jobs.values().filter(|job| job.game == Some(game)).map(|job| job.id.clone()).collect();
        about.iter().for_each(|id| queue.drop_job(id));
    }

    /// Cancels all jobs, and takes no more.
    pub fn stop(&self) {
        let mut queue = lock(&self.queue);
        queue.stopped = true;
        queue.waiting.clear();
        queue.jobs.drain().for_each(|(_, job)| job.budget.cancel());
    }

    /// Forgets old verdicts.
    pub fn forget(&self) {
        lock(&self.queue).forget();
    }

    /// Runs the jobs that wait, one after another.
    fn work_off(&self) {
        Rank::Prover.take();
        loop {
            let (job, work) = {
                let mut queue = lock(&self.queue);
                let Some(next) = queue.next() else {
                    queue.threads -= 1;
                    return;
                };
                queue.running.push(Arc::clone(&next.0));
                next
            };
            let start = Instant::now();
            job.run(work);
            let mut queue = lock(&self.queue);
            queue.running.retain(|running| !Arc::ptr_eq(running, &job));
            *queue.used.entry(job.asker.clone()).or_default() += start.elapsed();
        }
    }
}

/// The problem of a queue without room, of which a place is free after a time at most.
fn full(next: Duration) -> Problem {
    let (seconds, max) = (next.as_secs() + 1, JOBS_WAITING_MAX);
    let detail = format!("{max} proofs are waiting; a place is free in {seconds} seconds at most");
    Problem::new(&problem::BUSY, detail).retry_after(seconds)
}

impl Queue {
    /// The next job: the first one of the asker who has used the least time.
    fn next(&mut self) -> Option<(Arc<Job>, Work)> {
        let used = |job: &Job| self.used.get(&job.asker).copied().unwrap_or_default();
        let Some(place) = (0..self.waiting.len()).min_by_key(|place| used(&self.waiting[*place].0)) else {
            if self.running.is_empty() {
                // No one owes anything.
                self.used.clear();
                self.now = Duration::ZERO;
            }
            return None;
        };
        self.now = self.now.max(used(&self.waiting[place].0));
        self.waiting.remove(place)
    }

    /// Takes the last job out of the queue of the asker with the most, if it has more than `asker` would have.
    fn make_room(&mut self, asker: &Asker) -> bool {
        let mut counts: HashMap<&Asker, usize> = HashMap::new();
        for (job, _) in &self.waiting {
            *counts.entry(&job.asker).or_default() += 1;
        }
        let own = counts.get(asker).copied().unwrap_or_default();
        let Some((most, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else { return false };
        if count <= own + 1 {
            return false;
        }
        let most = most.clone();
        let Some(place) = self.waiting.iter().rposition(|(job, _)| job.asker == most) else { return false };
        let Some((job, _)) = self.waiting.remove(place) else { return false };
        let verdict = Err(full(JOB_TIME_MAX));
        *lock(&job.progress) = Progress::Done { at: Instant::now(), spent: Duration::ZERO, verdict };
        true
    }

    /// Cancels and forgets a job.
    fn drop_job(&mut self, id: &str) {
        let Some(job) = self.jobs.remove(id) else { return };
        job.budget.cancel();
        self.waiting.retain(|(waiting, _)| !Arc::ptr_eq(waiting, &job));
    }

    /// Forgets verdicts that were kept long enough, and the oldest of too many.
    fn forget(&mut self) {
        self.jobs.retain(|_, job| job.done_since().is_none_or(|at| at.elapsed() < JOB_KEPT));
        let mut done: Vec<(Instant, String)> =
            self.jobs.values().filter_map(|job| Some((job.done_since()?, job.id.clone()))).collect();
        done.sort();
        for (_, id) in done.iter().rev().skip(JOBS_KEPT_MAX) {
            self.jobs.remove(id);
        }
    }
}
