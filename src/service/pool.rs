//! Work that takes time, off the threads that serve connections: so many at once, so many waiting, no more.
//!
//! Who waits is served by turns of addresses and not of requests: one that sends a hundred requests keeps those of the
//! others waiting no longer than one that sends a single one.

#[cfg(target_os = "linux")]
use super::limits::WORK_NICENESS;
use super::limits::{WAIT_MAX, WAITING_MAX};
use super::problem::{self, Problem};
use crate::text::Budget;
use actix_web::web;
#[cfg(target_os = "linux")]
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

tokio::task_local! {
    /// The address whose request a task works for; its turn in every queue.
    pub static PEER: Option<IpAddr>;
}

/// So many at once, and a queue before them.
#[derive(Debug)]
pub struct Pool {
    queue: Arc<Mutex<Queue>>,
}

/// Free places, and the requests that wait for one.
#[derive(Debug)]
struct Queue {
    free: usize,
    waiting: usize,
    /// Turns given so far.
    turns: u64,
    peers: HashMap<Option<IpAddr>, Peer>,
}

/// An address that has places or waits for one.
#[derive(Debug, Default)]
struct Peer {
    places: usize,
    /// The number of its last turn.
    turn: u64,
    waiting: VecDeque<oneshot::Sender<Place>>,
}

/// One of the places of a pool; the next request has it when this is dropped.
#[derive(Debug)]
pub struct Place {
    peer: Option<IpAddr>,
    queue: Arc<Mutex<Queue>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut queue = lock(&self.queue);
        queue.free += 1;
        if let Some(peer) = queue.peers.get_mut(&self.peer) {
            peer.places -= 1;
            if peer.places == 0 && peer.waiting.is_empty() {
                queue.peers.remove(&self.peer);
            }
        }
        let refused = give(&mut queue, &self.queue);
        drop(queue);
        // A place that its request did not wait for comes back by the same way.
        drop(refused);
    }
}

/// A request that may wait; when it ends or goes, it waits no more.
struct Waiting<'a> {
    peer: Option<IpAddr>,
    queue: &'a Mutex<Queue>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut queue = lock(self.queue);
        let Some(peer) = queue.peers.get_mut(&self.peer) else { return };
        let before = peer.waiting.len();
        peer.waiting.retain(|request| !request.is_closed());
        let gone = before - peer.waiting.len();
        let unused = peer.places == 0 && peer.waiting.is_empty();
        queue.waiting -= gone;
        if unused {
            queue.peers.remove(&self.peer);
        }
    }
}

impl Queue {
    /// Sends away the last request of the address that has the most waiting, if that is more than `peer` would have.
    fn make_room(&mut self, peer: Option<IpAddr>) -> bool {
        let own = self.peers.get(&peer).map_or(0, |peer| peer.waiting.len());
        let most = self.peers.values_mut().max_by_key(|peer| peer.waiting.len());
        let sent_away =
            most.filter(|most| most.waiting.len() > own + 1).and_then(|most| most.waiting.pop_back());
        self.waiting -= usize::from(sent_away.is_some());
        sent_away.is_some()
    }
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives free places to those that wait: first of the addresses that have the fewest, then of those whose turn was the
/// longest ago. Returned are places whose requests have gone.
fn give(queue: &mut Queue, shared: &Arc<Mutex<Queue>>) -> Vec<Place> {
    let mut refused = Vec::new();
    while queue.free > 0 {
        let waits = queue.peers.iter().filter(|(_, peer)| !peer.waiting.is_empty());
        let Some(next) = waits.min_by_key(|(_, peer)| (peer.places, peer.turn)).map(|(next, _)| *next) else {
            break;
        };
        queue.turns += 1;
        let turn = queue.turns;
        let Some(peer) = queue.peers.get_mut(&next) else { break };
        let Some(request) = peer.waiting.pop_front() else { break };
        (peer.places, peer.turn) = (peer.places + 1, turn);
        (queue.waiting, queue.free) = (queue.waiting - 1, queue.free - 1);
        refused.extend(request.send(Place { peer: next, queue: Arc::clone(shared) }).err());
    }
    refused
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
        let queue = Queue { free: count.max(1), waiting: 0, turns: 0, peers: HashMap::new() };
        Pool { queue: Arc::new(Mutex::new(queue)) }
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
    pub async fn place(&self) -> Result<Place, Problem> {
        let peer = PEER.try_with(|peer| *peer).unwrap_or_default();
        let _waiting = Waiting { peer, queue: &self.queue };
        let place = {
            let mut queue = lock(&self.queue);
            if queue.waiting >= WAITING_MAX && !queue.make_room(peer) {
                return Err(busy("too many requests wait already"));
            }
            let (request, place) = oneshot::channel();
            queue.peers.entry(peer).or_default().waiting.push_back(request);
            queue.waiting += 1;
            let refused = give(&mut queue, &self.queue);
            drop(queue);
            drop(refused);
            place
        };
        match timeout(WAIT_MAX, place).await {
            Ok(Ok(place)) => Ok(place),
            Ok(Err(_)) => Err(busy("too many requests of this address wait already")),
            Err(_) => Err(busy("no thread became free in time")),
        }
    }
}

/// Does the work on a thread of its own, and gives the place back.
async fn on_a_thread<T: Send + 'static>(
    place: Place,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = web::block(move || {
        // The place is free when the work is done, also if no one waits for it any more.
        let _place = place;
        give_way();
        work()
    });
    done.await.map_err(|_| Problem::new(&problem::INTERNAL, "the work was not finished"))
}

/// Lowers the priority of this thread, so that long work does not delay the threads that serve connections.
#[cfg(target_os = "linux")]
pub fn give_way() {
    thread_local!(static HAS_GIVEN_WAY: Cell<bool> = const { Cell::new(false) });
    if !HAS_GIVEN_WAY.replace(true) {
        // Where it is not allowed, the work is done all the same.
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), WORK_NICENESS);
    }
}

/// Threads have no priorities of their own there.
#[cfg(not(target_os = "linux"))]
pub fn give_way() {}

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

    /// Waits for a place in the name of an address.
    async fn place_for(pool: &Pool, last: u8) -> Result<Place, Problem> {
        PEER.scope(Some(IpAddr::from([127, 0, 0, last])), pool.place()).await
    }

    #[actix_web::test]
    async fn addresses_take_turns() {
        let pool = Arc::new(Pool::new(1));
        let first = place_for(&pool, 2).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let ask = |last: u8| {
            let (pool, order) = (Arc::clone(&pool), Arc::clone(&order));
            actix_web::rt::spawn(async move {
                let place = place_for(&pool, last).await;
                order.lock().unwrap().push((last, place.is_ok()));
            })
        };
        let hostile: Vec<_> = (0..WAITING_MAX).map(|_| ask(2)).collect();
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        // The queue is full: for another address the last of those requests goes.
        let honest = ask(3);
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(*order.lock().unwrap(), [(2, false)]);
        // Requests whose clients have left keep no place in the queue.
        hostile[0].abort();
        hostile[1].abort();
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(lock(&pool.queue).waiting, WAITING_MAX - 2);
        drop(first);
        honest.await.unwrap();
        for request in hostile {
            let _ = request.await;
        }
        let order = order.lock().unwrap();
        assert_eq!(order[1], (3, true));
        assert_eq!(order.len(), WAITING_MAX - 1);
        assert!(lock(&pool.queue).peers.is_empty() && lock(&pool.queue).free == 1);
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
