//! Work that takes time, off the threads that serve connections: so many at once, so many waiting, no more.

use super::limits::{WAIT_MAX, WAITING_MAX};
use super::problem::{self, Problem};
use actix_web::web;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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
        let done = web::block(move || {
            // The thread is free when the work is done, also if nobody waits for it any more.
            let _place = place;
            work()
        });
        done.await.map_err(|_| Problem::new(&problem::INTERNAL, "the work was not finished"))
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

fn busy(detail: &str) -> Problem {
    Problem::new(&problem::BUSY, detail).retry_after(2)
}
