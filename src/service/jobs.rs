//! Proofs that may take longer than a request: a queue of jobs, with threads of their own and a priority below that of
//! the judges, so that no proof delays a record.
//!
//! A job is named by its question, so that the same question is the same job. Its verdict is kept for a while.

use super::limits::{JOB_KEPT, JOBS_KEPT_MAX, JOBS_RUNNING, JOBS_WAITING_MAX};
use super::pool::Rank;
use super::problem::{self, Problem};
use crate::text::Budget;
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
    threads: usize,
    stopped: bool,
}

/// A question and how far its answer is.
#[derive(Debug)]
pub struct Job {
    id: String,
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
    /// The job of a question.
    pub fn find(&self, id: &str) -> Option<Arc<Job>> {
        let mut queue = lock(&self.queue);
        queue.forget();
        queue.jobs.get(id).map(Arc::clone)
    }

    /// Adds a job to the queue, or finds the one that has this question.
    ///
    /// # Errors
    /// If the queue is full, with the seconds until a job ends, or the service is stopping.
    pub fn submit(
        self: &Arc<Self>,
        id: String,
        time: Duration,
        outer: &Budget,
        work: Work,
    ) -> Result<Arc<Job>, Problem> {
        let mut queue = lock(&self.queue);
        queue.forget();
        if let Some(job) = queue.jobs.get(&id) {
            return Ok(Arc::clone(job));
        }
        if queue.stopped {
            return Err(Problem::new(&problem::STOPPING, "the service is stopping").retry_after(10));
        }
        if queue.waiting.len() >= JOBS_WAITING_MAX {
            let next = queue.running.iter().map(|job| job.left()).min().unwrap_or_default();
            let (seconds, max) = (next.as_secs() + 1, JOBS_WAITING_MAX);
            let detail = format!("{max} proofs are waiting; a place is free in {seconds} seconds at most");
            return Err(Problem::new(&problem::BUSY, detail).retry_after(seconds));
        }
        // Counted, so that the steps show the progress.
        let budget = Budget::of(u64::MAX).within(outer);
        let job = Arc::new(Job { id: id.clone(), time, budget, progress: Mutex::new(Progress::Queued) });
        if queue.threads < JOBS_RUNNING {
            let jobs = Arc::clone(self);
            let thread = thread::Builder::new().name("ferz-prove".into()).spawn(move || jobs.work_off());
            let failed = |error| Problem::new(&problem::BUSY, format!("cannot start a thread: {error}"));
            thread.map_err(|error| failed(error).retry_after(2))?;
            queue.threads += 1;
        }
        queue.waiting.push_back((Arc::clone(&job), work));
        queue.jobs.insert(id, Arc::clone(&job));
        Ok(job)
    }

    /// Cancels and forgets a job; false if there is none.
    pub fn cancel(&self, id: &str) -> bool {
        let mut queue = lock(&self.queue);
        let Some(job) = queue.jobs.remove(id) else { return false };
        job.budget.cancel();
        queue.waiting.retain(|(waiting, _)| !Arc::ptr_eq(waiting, &job));
        true
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
                let Some(next) = queue.waiting.pop_front() else {
                    queue.threads -= 1;
                    return;
                };
                queue.running.push(Arc::clone(&next.0));
                next
            };
            job.run(work);
            lock(&self.queue).running.retain(|running| !Arc::ptr_eq(running, &job));
        }
    }
}

impl Queue {
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
