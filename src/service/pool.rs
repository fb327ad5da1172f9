//! Runs long work off the threads that serve connections, with limits on running and waiting work.
//!
//! Addresses take turns, not requests: an address with a hundred requests delays others no longer than an address with
//! one. Turns weigh the time that was used: an address that had seconds waits until the others have had as much
//! (start-time fair queuing). Of several places, one is not for addresses whose last pieces of work were long, so that
//! a small request does not wait for theirs.
//!
//! The threads of a pool have a lower priority than those that serve connections ([`Rank`]). The system may suspend
//! such a thread at any moment, even while it holds a lock that a connection needs. Hence nothing here wakes another
//! thread under a lock, and each place has its own thread and channel instead of a shared queue of jobs.

use super::limits::{HEAVY_FOR, LONG_WORK, WAIT_MAX, WAITING_MAX, WORK_NICENESS};
use super::problem::{self, Problem};
use ferz::text::Budget;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::timeout;

tokio::task_local! {
    /// The address whose request the current task serves; it takes that address's turn in every queue.
    pub static PEER: Option<IpAddr>;
}

/// A number of places for work, and a queue for them.
#[derive(Debug)]
pub struct Pool {
    queue: Arc<Mutex<Queue>>,
}

/// A job for a thread.
type Job = Box<dyn FnOnce() + Send>;

/// Free places, and the requests that wait for them.
#[derive(Debug)]
struct Queue {
    rank: Rank,
    free: usize,
    /// Threads of free places, the last used one at the end. A place gets a thread with its first job.
    idle: Vec<Sender<Job>>,
    /// All places.
    places: usize,
    waiting: usize,
    /// The time that the address with the last turn had used before it: one that comes back owes no more than that.
    now: Duration,
    peers: HashMap<Option<IpAddr>, Peer>,
}

/// An address that has places or waits for one, or has used more time than others.
#[derive(Debug, Default)]
struct Peer {
    places: usize,
    /// The time that it has used, counted from that of the others when it came.
    used: Duration,
    /// Its work takes long until then, as far as is known.
    heavy_until: Option<Instant>,
    waiting: VecDeque<oneshot::Sender<Place>>,
}

impl Peer {
    /// True if its last work was long, a short while ago.
    fn is_heavy(&self) -> bool {
        self.heavy_until.is_some_and(|until| Instant::now() < until)
    }

    /// True if it has and wants nothing, and owes nothing.
    fn is_gone(&self, now: Duration) -> bool {
        self.places == 0 && self.waiting.is_empty() && self.used <= now && !self.is_heavy()
    }

    /// Counts work that took this long.
    fn count(&mut self, time: Duration) {
        self.used += time;
        if time >= LONG_WORK {
            self.heavy_until = Some(Instant::now() + HEAVY_FOR);
        }
    }
}

/// A place in a pool; passed to the next request when dropped.
#[derive(Debug)]
pub struct Place {
    peer: Option<IpAddr>,
    rank: Rank,
    thread: Option<Sender<Job>>,
    since: Instant,
    queue: Arc<Mutex<Queue>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut queue = lock(&self.queue);
        queue.free += 1;
        queue.idle.extend(self.thread.take());
        if let Some(peer) = queue.peers.get_mut(&self.peer) {
            peer.places -= 1;
            peer.count(self.since.elapsed());
        }
        queue.forget();
        let given = give(&mut queue, &self.queue);
        drop(queue);
        hand_over(given);
    }
}

impl Place {
    /// Runs work on the thread of this place. The place is freed when the work is done, even if the caller is gone.
    ///
    /// # Errors
    /// If the work panics, or the system refuses a thread.
    pub async fn run<T: Send + 'static>(
        mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let failed = |_| Problem::new(&problem::INTERNAL, "the work did not finish");
        let thread = match self.thread.take() {
            Some(thread) => thread,
            None => {
                start_thread(self.rank).map_err(|error| busy(&format!("cannot start a thread: {error}")))?
            }
        };
        self.thread = Some(thread.clone());
        let (sender, answer) = oneshot::channel();
        let job = move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            drop(self);
            // The caller may be gone.
            let _ = done.map(|done| sender.send(done));
        };
        // Invariant: the thread ends only when its last sender is dropped.
        let _ = thread.send(Box::new(job));
        answer.await.map_err(failed)
    }
}

/// Starts a thread that runs jobs one after another.
fn start_thread(rank: Rank) -> std::io::Result<Sender<Job>> {
    let (sender, jobs): (Sender<Job>, Receiver<Job>) = channel();
    thread::Builder::new().name(rank.thread_name().into()).spawn(move || {
        rank.take();
        jobs.into_iter().for_each(|job| job());
    })?;
    Ok(sender)
}

/// What a thread yields to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// To threads that serve connections: it judges records, for which a client waits.
    Judge,
    /// To all others: it proves, which may take all the time that it is given. Where it runs, a thread that wakes takes
    /// its place at once; with a lower priority alone, that thread waits for milliseconds.
    Prover,
}

impl Rank {
    fn thread_name(self) -> &'static str {
        match self {
            Rank::Judge => "ferz-work",
            Rank::Prover => "ferz-prove",
        }
    }

    /// Gives this thread its rank. Best effort: without permission the thread keeps its priority.
    #[cfg(target_os = "linux")]
    pub fn take(self) {
        use thread_priority::{
            NormalThreadSchedulePolicy as Policy, ThreadPriority, ThreadSchedulePolicy,
            set_thread_priority_and_policy, thread_native_id,
        };
        match self {
            Rank::Judge => {
                let thread = Some(rustix::thread::gettid());
                let _ = rustix::process::setpriority_process(thread, WORK_NICENESS);
            }
            Rank::Prover => {
                let idle = ThreadSchedulePolicy::Normal(Policy::Idle);
                let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
            }
        }
    }

    /// Other systems have no priorities per thread.
    #[cfg(not(target_os = "linux"))]
    pub fn take(self) {}
}

/// A waiting request. Leaves the queue if it is dropped before it gets a place.
struct Waiting<'a> {
    peer: Option<IpAddr>,
    queue: &'a Mutex<Queue>,
    has_place: bool,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.has_place {
            return;
        }
        let mut queue = lock(self.queue);
        let Some(peer) = queue.peers.get_mut(&self.peer) else { return };
        let before = peer.waiting.len();
        peer.waiting.retain(|request| !request.is_closed());
        queue.waiting -= before - peer.waiting.len();
        queue.forget();
    }
}

impl Queue {
    /// Forgets addresses that owe nothing. No one does once no one has or wants a place.
    fn forget(&mut self) {
        if self.free == self.places && self.waiting == 0 {
            self.now = Duration::ZERO;
            self.peers.values_mut().for_each(|peer| peer.used = Duration::ZERO);
        }
        let now = self.now;
        self.peers.retain(|_, peer| !peer.is_gone(now));
    }

    /// The address whose turn it is, if it may have a place.
    fn next(&self) -> Option<Option<IpAddr>> {
        let is_last = self.places > 1 && self.free == 1;
        let waits = self.peers.iter().filter(|(_, peer)| !peer.waiting.is_empty());
        let may = waits.filter(|(_, peer)| !is_last || !peer.is_heavy());
        may.min_by_key(|(_, peer)| (peer.places, peer.used)).map(|(next, _)| *next)
    }

    /// Removes the last request of the address with the most waiting requests, if it has more than `peer` would have.
    fn make_room(&mut self, peer: Option<IpAddr>) -> Option<oneshot::Sender<Place>> {
        let own = self.peers.get(&peer).map_or(0, |peer| peer.waiting.len());
        let most = self.peers.values_mut().max_by_key(|peer| peer.waiting.len());
        let refused = most.filter(|most| most.waiting.len() > own + 1)?.waiting.pop_back()?;
        self.waiting -= 1;
        Some(refused)
    }
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Places with the requests that get them.
type Given = Vec<(oneshot::Sender<Place>, Place)>;

/// Assigns free places to waiting requests: first to addresses with the fewest places, then to those that have used the
/// least time. [`hand_over`] wakes them without the lock.
fn give(queue: &mut Queue, shared: &Arc<Mutex<Queue>>) -> Given {
    let mut given = Vec::new();
    while queue.free > 0 {
        let Some(next) = queue.next() else { break };
        let Some(peer) = queue.peers.get_mut(&next) else { break };
        let Some(request) = peer.waiting.pop_front() else { break };
        peer.places += 1;
        let used = peer.used;
        queue.now = queue.now.max(used);
        queue.waiting -= 1;
        queue.free -= 1;
        let (thread, since) = (queue.idle.pop(), Instant::now());
        let place = Place { peer: next, rank: queue.rank, thread, since, queue: Arc::clone(shared) };
        given.push((request, place));
    }
    given
}

/// Wakes the requests that got places. A place whose request is gone is freed by the drop here.
fn hand_over(given: Given) {
    given.into_iter().for_each(|(request, place)| drop(request.send(place)));
}

/// Cancels a budget when dropped: the answer is complete, late, or no longer wanted.
pub struct CancelOnDrop<'a>(pub &'a Budget);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Pool {
    /// A pool with a number of places, whose threads have a rank.
    pub fn new(count: usize, rank: Rank) -> Pool {
        let (places, idle) = (count.max(1), Vec::new());
        let (now, peers) = (Duration::ZERO, HashMap::new());
        let queue = Queue { rank, free: places, idle, places, waiting: 0, now, peers };
        Pool { queue: Arc::new(Mutex::new(queue)) }
    }

    /// Runs work as soon as a thread is free.
    ///
    /// # Errors
    /// If too many requests wait, no thread becomes free in time, or the work panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.place().await?.run(work).await
    }

    /// Runs work that checks a budget. The budget is cancelled after `time` on a thread, and when this future is
    /// dropped because the client has disconnected.
    ///
    /// # Errors
    /// As [`run`](Self::run). The work itself reports the end of its budget.
    pub async fn run_within<T: Send + 'static>(
        &self,
        budget: &Budget,
        time: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let place = self.place().await?;
        let unwanted = CancelOnDrop(budget);
        let mut done = std::pin::pin!(place.run(work));
        let done = match timeout(time, done.as_mut()).await {
            Ok(done) => done,
            Err(_) => {
                budget.cancel();
                done.await
            }
        };
        // The next slice may use the same budget.
        std::mem::forget(unwanted);
        done
    }

    /// Waits for a place; dropping it frees it.
    ///
    /// # Errors
    /// If too many requests wait, or no place becomes free in time.
    pub async fn place(&self) -> Result<Place, Problem> {
        let peer = PEER.try_with(|peer| *peer).unwrap_or_default();
        let (request, place) = oneshot::channel();
        let (refused, given) = {
            let mut queue = lock(&self.queue);
            let refused = if queue.waiting < WAITING_MAX { None } else { queue.make_room(peer) };
            if queue.waiting >= WAITING_MAX {
                return Err(busy("too many requests are waiting"));
            }
            let now = queue.now;
            let peer = queue.peers.entry(peer).or_default();
            peer.used = peer.used.max(now);
            peer.waiting.push_back(request);
            queue.waiting += 1;
            (refused, give(&mut queue, &self.queue))
        };
        let mut waiting = Waiting { peer, queue: &self.queue, has_place: false };
        hand_over(given);
        drop(refused);
        match timeout(WAIT_MAX, place).await {
            Ok(Ok(place)) => {
                waiting.has_place = true;
                Ok(place)
            }
            Ok(Err(_)) => Err(busy("too many requests from this address are waiting")),
            Err(_) => Err(busy("no thread became free in time")),
        }
    }
}

fn busy(detail: &str) -> Problem {
    Problem::new(&problem::BUSY, detail).retry_after(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::web;
    use ferz::text::Exhausted;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::task::{Context, Wake, Waker};
    use std::thread::ThreadId;

    /// Endless work that checks its budget.
    fn endless(budget: &Budget) -> Exhausted {
        loop {
            if let Err(exhausted) = budget.spend(1) {
                return exhausted;
            }
        }
    }

    /// The scheduling policy of this thread; 5 is the idle class of Linux.
    #[cfg(target_os = "linux")]
    fn policy() -> Option<String> {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(38).map(str::to_owned)
    }

    #[cfg(target_os = "linux")]
    #[actix_web::test]
    async fn provers_run_only_when_nothing_else_does() {
        for (rank, wanted) in [(Rank::Judge, "0"), (Rank::Prover, "5")] {
            assert_eq!(Pool::new(1, rank).run(policy).await.unwrap().as_deref(), Some(wanted), "{rank:?}");
        }
    }

    #[actix_web::test]
    async fn work_ends_when_its_time_is_over() {
        let (pool, budget) = (Pool::new(1, Rank::Judge), Budget::unlimited());
        let own = budget.clone();
        let ended = pool.run_within(&budget, Duration::from_millis(20), move || endless(&own)).await;
        assert_eq!(ended.unwrap(), Exhausted { cancelled: true });
        let budget = Budget::unlimited();
        assert_eq!(pool.run_within(&budget, Duration::from_secs(60), || 7).await.unwrap(), 7);
        assert!(budget.check().is_ok(), "the next slice has it, too");
    }

    #[actix_web::test]
    async fn work_ends_when_no_one_waits_for_it() {
        let (pool, budget) = (Pool::new(1, Rank::Judge), Budget::unlimited());
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

    /// Notes whether a lock was free each time that it is woken.
    struct Witness(Arc<Mutex<Queue>>, AtomicUsize, AtomicUsize);

    impl Wake for Witness {
        fn wake(self: Arc<Witness>) {
            let count = if self.0.try_lock().is_ok() { &self.1 } else { &self.2 };
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[actix_web::test]
    async fn no_request_is_woken_under_the_lock() {
        let pool = Pool::new(1, Rank::Judge);
        let first = place_for(&pool, 2).await.unwrap();
        let witness = Arc::new(Witness(Arc::clone(&pool.queue), AtomicUsize::new(0), AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&witness));
        let mut next = std::pin::pin!(place_for(&pool, 3));
        assert!(next.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        drop(first);
        assert!(next.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
        assert_eq!((witness.1.load(Ordering::Relaxed), witness.2.load(Ordering::Relaxed)), (1, 0));
    }

    #[actix_web::test]
    async fn places_keep_their_threads() {
        let pool = Pool::new(2, Rank::Judge);
        let id = || thread::current().id();
        let first = pool.run(id).await.unwrap();
        assert_ne!(first, id());
        assert!(pool.run(|| -> ThreadId { panic!("deliberately") }).await.is_err());
        assert_eq!(pool.run(id).await.unwrap(), first, "a panic ends its work alone");
        let place = pool.place().await.unwrap();
        assert_ne!(pool.run(id).await.unwrap(), first);
        assert_eq!(place.run(id).await.unwrap(), first);
    }

    #[actix_web::test]
    async fn addresses_take_turns() {
        let pool = Arc::new(Pool::new(1, Rank::Judge));
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

    /// Long work of some addresses leaves a place for the short work of another, however many they are.
    #[actix_web::test]
    async fn long_work_leaves_a_place() {
        let pool = Arc::new(Pool::new(2, Rank::Judge));
        let long = |last: u8| {
            let pool = Arc::clone(&pool);
            actix_web::rt::spawn(async move {
                for _ in 0..2 {
                    let place = place_for(&pool, last).await.unwrap();
                    place.run(|| thread::sleep(LONG_WORK)).await.unwrap();
                }
            })
        };
        let hostile: Vec<_> = (2..6).map(long).collect();
        // Until each has had its first turn no one knows them.
        actix_web::rt::time::sleep(2 * LONG_WORK + LONG_WORK / 2).await;
        let asked = Instant::now();
        drop(place_for(&pool, 9).await.unwrap());
        assert!(asked.elapsed() < LONG_WORK / 4, "{:?}", asked.elapsed());
        for work in hostile {
            work.await.unwrap();
        }
    }

    /// Who used more time waits until the others have had as much.
    #[actix_web::test]
    async fn turns_weigh_the_time_used() {
        let pool = Pool::new(1, Rank::Judge);
        let first = place_for(&pool, 1).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let ask = |last: u8, millis: u64| {
            let (queue, order) = (Arc::clone(&pool.queue), Arc::clone(&order));
            let pool = Pool { queue };
            actix_web::rt::spawn(async move {
                let place = place_for(&pool, last).await.unwrap();
                order.lock().unwrap().push(last);
                place.run(move || thread::sleep(Duration::from_millis(millis))).await.unwrap();
            })
        };
        let mut asked: Vec<_> = (0..3).map(|_| ask(2, 60)).collect();
        asked.extend((0..6).map(|_| ask(3, 10)));
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        drop(first);
        for asked in asked {
            asked.await.unwrap();
        }
        let order = order.lock().unwrap();
        let before_second = order.iter().enumerate().filter(|(_, last)| **last == 2).nth(1).unwrap().0;
        assert!(before_second >= 5, "{order:?}");
    }

    #[actix_web::test]
    async fn work_ends_with_the_service() {
        let (pool, service) = (Pool::new(1, Rank::Judge), Budget::unlimited());
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
