//! Work that takes time, off the threads that serve connections: so many at once, so many waiting, no more.

use super::limits::{WAIT_MAX, WAITING_MAX};
use super::problem::{self, Problem};
use crate::text::Budget;
use actix_web::web;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// So many at once, and a queue before them.
#[derive(Debug)]
pub struct Pool {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// A place in the queue, left when it is dropped: the one who waits may go.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Cancels a budget when it is dropped: no one waits for the work any more.
struct Unwanted<'a>(&'a Budget);

impl Drop for Unwanted<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Pool {
    /// So many at once.
    pub fn new(count: usize) -> Pool {
        Pool { free: Arc::new(Semaphore::new(count.max(1))), waiting: AtomicUsize::new(0) }
    }

    /// Does the work as soon as there is a free thread for it.
    ///
    /// # Errors
    /// Where too many wait, where it takes too long until there is a free thread, and where the work panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let place = self.place().await?;
        on_a_thread(place, work).await
    }

    /// Does work that asks a budget. The budget is cancelled after `time` on a thread, and when this future is dropped,
    /// as it is where the client goes away.
    ///
    /// # Errors
    /// As [`run`](Self::run) has them. What becomes of work whose budget ended, the work says itself.
    pub async fn run_within<T: Send + 'static>(
        &self,
        budget: &Budget,
        time: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let place = self.place().await?;
        let unwanted = Unwanted(budget);
        let mut done = std::pin::pin!(on_a_thread(place, work));
        let done = match timeout(time, done.as_mut()).await {
            Ok(done) => done,
            Err(_) => {
                budget.cancel();
                done.await
            }
        };
        // Another slice may go on with the same budget.
        std::mem::forget(unwanted);
        done
    }

    /// Waits for a place; it is free again when what this gives is dropped.
    ///
    /// # Errors
    /// Where too many wait, and where it takes too long.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let free = Arc::clone(&self.free);
        if let Ok(place) = Arc::clone(&free).try_acquire_owned() {
            return Ok(place);
        }
        let _place = Waiting(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING_MAX {
            return Err(busy("too many requests wait already"));
        }
        match timeout(WAIT_MAX, free.acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(busy("no thread became free in time")),
        }
    }
}

/// Does the work on a thread of its own, and gives the place back.
async fn on_a_thread<T: Send + 'static>(
    place: OwnedSemaphorePermit,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = web::block(move || {
        // The place is free when the work is done, also if no one waits for it any more.
        let _place = place;
        work()
    });
    done.await.map_err(|_| Problem::new(&problem::INTERNAL, "the work was not finished"))
}

fn busy(detail: &str) -> Problem {
    Problem::new(&problem::BUSY, detail).retry_after(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Exhausted;
    use std::sync::mpsc;

    /// Work without an end, which looks at its budget.
    fn endless(budget: &Budget) -> Exhausted {
        loop {
            if let Err(exhausted) = budget.spend(1) {
                return exhausted;
            }
        }
    }

    #[actix_web::test]
    async fn work_ends_when_its_time_is_over() {
        let (pool, budget) = (Pool::new(1), Budget::unlimited());
        let own = budget.clone();
        let ended = pool.run_within(&budget, Duration::from_millis(20), move || endless(&own)).await;
        assert_eq!(ended.unwrap(), Exhausted { cancelled: true });
        let budget = Budget::unlimited();
        assert_eq!(pool.run_within(&budget, Duration::from_secs(60), || 7).await.unwrap(), 7);
        assert!(budget.check().is_ok(), "the next slice has it, too");
    }

    #[actix_web::test]
    async fn work_ends_when_no_one_waits_for_it() {
        let (pool, budget) = (Pool::new(1), Budget::unlimited());
        let (sender, ended) = mpsc::channel();
        let own = budget.clone();
        let work = move || sender.send(endless(&own));
        let waiting = pool.run_within(&budget, Duration::from_secs(60), work);
        assert!(timeout(Duration::from_millis(20), waiting).await.is_err(), "it has no end");
        let ended = web::block(move || ended.recv_timeout(Duration::from_secs(60))).await.unwrap();
        assert_eq!(ended.unwrap(), Exhausted { cancelled: true });
        // Its place is free again.
        assert_eq!(pool.run(|| 7).await.unwrap(), 7);
    }

    #[actix_web::test]
    async fn work_ends_with_the_service() {
        let (pool, service) = (Pool::new(1), Budget::unlimited());
        let budget = Budget::unlimited().within(&service);
        let own = budget.clone();
        let (sender, begun) = mpsc::channel();
        actix_web::rt::spawn(async move {
            let _ = web::block(move || begun.recv()).await;
            service.cancel();
        });
        let ended = pool.run_within(&budget, Duration::from_secs(60), move || {
            let _ = sender.send(());
            endless(&own)
        });
        assert_eq!(ended.await.unwrap(), Exhausted { cancelled: true });
    }
}
