//! The limit on connections, and the choice of the one that is closed to make room for a new one.
//!
//! The framework stops accepting at its limit, even if all connections are idle. Here a connection that waits for its
//! client makes room: first the one idle for longest, then the one whose client has not read for longest, then the one
//! whose client has not sent for longest.

use super::limits::{CONNECTIONS_RESERVE, READ_AHEAD_BYTES};
use super::rate::one_sender;
use futures_util::task::AtomicWaker;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Instant;

// These limits together bound the memory of all connections.
const _: () = assert!(READ_AHEAD_BYTES <= 4 << 10 && CONNECTIONS_RESERVE <= 200);

/// The state of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// No complete request head yet.
    Idle,
    /// Reading the body of a request.
    Body,
    /// Answering a request.
    Answer,
}

/// Limits on the number of connections.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    /// For all addresses together.
    pub all: usize,
    /// For one address.
    pub per_address: Option<usize>,
    /// Whether the limit for one address applies to this machine too.
    pub counts_local: bool,
}

/// Address and number of a connection. The order keeps the connections of an address together, so that they are found
/// without a scan.
type Key = (Option<IpAddr>, u64);
type Open = BTreeMap<Key, Arc<Connection>>;

/// All connections.
#[derive(Debug)]
pub struct Connections {
    caps: Caps,
    begun: Instant,
    open: Mutex<Open>,
    number: AtomicU64,
    stopping: AtomicBool,
}

/// One connection, shared by its socket, its requests and [`Connections`].
#[derive(Debug)]
pub struct Connection {
    begun: Instant,
    phase: AtomicU8,
    /// Milliseconds from `begun` to the last byte received or taken.
    moved: AtomicU64,
    /// True while the client does not read pending bytes.
    is_blocked: AtomicBool,
    /// True if its task wants to read once the answer is complete.
    would_read: AtomicBool,
    is_closed: AtomicBool,
    task: AtomicWaker,
}

/// A counted connection; dropping removes it from the count.
#[derive(Debug)]
pub struct Admitted {
    connection: Arc<Connection>,
    key: Key,
    all: Arc<Connections>,
}

impl Connections {
    /// No connections.
    pub fn new(caps: Caps) -> Connections {
        Connections {
            caps,
            begun: Instant::now(),
            open: Mutex::default(),
            number: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
        }
    }

    /// Admits a new connection; at the limit another one is closed for it. `None` if all others are being answered.
    pub fn admit(self: &Arc<Connections>, peer: Option<SocketAddr>) -> Option<Admitted> {
        let peer = peer.map(|peer| one_sender(peer.ip()));
        let counted = peer.is_some_and(|peer| self.caps.counts_local || !peer.is_loopback());
        let mut open = self.open();
        let mut closed = None;
        if let (Some(cap), true) = (self.caps.per_address, counted) {
            let of_peer = || open.range((peer, 0)..=(peer, u64::MAX));
            if of_peer().count() >= cap {
                let longest = longest_waiting(of_peer())?;
                closed = open.remove(&longest);
            }
        }
        if open.len() >= self.caps.all {
            let longest = longest_waiting(open.iter())?;
            closed = open.remove(&longest);
        }
        let key = (peer, self.number.fetch_add(1, Ordering::Relaxed));
        let connection = Arc::new(Connection::new(self.begun));
        open.insert(key, Arc::clone(&connection));
        drop(open);
        // Unlocked, since the woken task takes the lock.
        closed.iter().for_each(|closed| closed.close());
        Some(Admitted { connection, key, all: Arc::clone(self) })
    }

    /// Starts to stop: answers that are not being read are no longer waited for.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        self.open().values().for_each(|connection| connection.task.wake());
    }

    /// True once the service is stopping.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The connection that makes room first.
fn longest_waiting<'a>(of: impl Iterator<Item = (&'a Key, &'a Arc<Connection>)>) -> Option<Key> {
    let waiting = of.filter_map(|(key, connection)| Some((connection.waits()?, *key)));
    waiting.min_by_key(|(waits, (_, number))| (*waits, *number)).map(|(_, key)| key)
}

impl Connection {
    fn new(begun: Instant) -> Connection {
        let connection = Connection {
            begun,
            phase: AtomicU8::new(Phase::Idle as u8),
            moved: AtomicU64::new(0),
            is_blocked: AtomicBool::new(false),
            would_read: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
            task: AtomicWaker::new(),
        };
        connection.moved();
        connection
    }

    /// The current phase.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            phase if phase == Phase::Body as u8 => Phase::Body,
            phase if phase == Phase::Answer as u8 => Phase::Answer,
            _ => Phase::Idle,
        }
    }

    /// Enters a phase.
    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Release);
        if phase != Phase::Answer && self.would_read.swap(false, Ordering::AcqRel) {
            self.task.wake();
        }
    }

    /// Makes its task close it.
    fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.task.wake();
    }

    /// True if it must be closed.
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Sets the task to wake on a change.
    pub fn watch(&self, task: &Waker) {
        self.task.register(task);
    }

    /// Notes that its task wants to read once the answer is complete.
    pub fn would_read(&self) {
        self.would_read.store(true, Ordering::Release);
    }

    /// Notes whether the client does not read pending bytes.
    pub fn block(&self, blocked: bool) {
        self.is_blocked.store(blocked, Ordering::Release);
    }

    /// Notes that bytes were received or taken.
    pub fn moved(&self) {
        let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.moved.store(now, Ordering::Relaxed);
    }

    /// The order in which connections make room, smallest first; `None` while answering.
    fn waits(&self) -> Option<(u8, u64)> {
        let rank = match self.phase() {
            Phase::Idle => 0,
            _ if self.is_blocked.load(Ordering::Acquire) => 1,
            Phase::Body => 2,
            Phase::Answer => return None,
        };
        Some((rank, self.moved.load(Ordering::Relaxed)))
    }
}

impl Admitted {
    /// The connection.
    pub fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// All connections.
    pub fn all(&self) -> &Connections {
        &self.all
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.all.open().remove(&self.key);
    }
}

/// A request of a connection; dropped when its answer is complete.
#[derive(Debug)]
pub struct Request(Arc<Connection>);

impl Request {
    /// Starts a request.
    pub fn begin(connection: &Arc<Connection>, has_body: bool) -> Request {
        connection.enter(if has_body { Phase::Body } else { Phase::Answer });
        Request(Arc::clone(connection))
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        self.0.enter(Phase::Idle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Wake;

    fn connections(all: usize, per_address: Option<usize>) -> Arc<Connections> {
        Arc::new(Connections::new(Caps { all, per_address, counts_local: false }))
    }

    fn admit(all: &Arc<Connections>, peer: &str) -> Option<Admitted> {
        all.admit(Some(SocketAddr::new(peer.parse().unwrap(), 1)))
    }

    fn closed(admitted: &[Admitted]) -> Vec<bool> {
        admitted.iter().map(|admitted| admitted.connection().is_closed()).collect()
    }

    /// Sets the order in which the connections were last active.
    fn in_order(admitted: &[Admitted]) {
        for (moved, admitted) in (0..).zip(admitted) {
            admitted.connection.moved.store(moved, Ordering::Relaxed);
        }
    }

    #[test]
    fn the_connection_that_waits_the_longest_makes_room() {
        let all = connections(5, None);
        let open: Vec<Admitted> = (0..5).map(|_| admit(&all, "127.0.0.1").unwrap()).collect();
        in_order(&open);
        open[0].connection().enter(Phase::Answer);
        open[1].connection().enter(Phase::Body);
        open[2].connection().enter(Phase::Answer);
        open[2].connection().block(true);
        let mut newcomers = Vec::new();
        // Idle ones first, then those that do not read, then those that do not send; never those being worked for.
        for expected in [
            [false, false, false, true, false],
            [false, false, false, true, true],
            [false, false, true, true, true],
            [false, true, true, true, true],
        ] {
            let newcomer = admit(&all, "127.0.0.1").unwrap();
            newcomer.connection().enter(Phase::Answer);
            newcomers.push(newcomer);
            assert_eq!(closed(&open), expected);
        }
        assert!(admit(&all, "127.0.0.1").is_none());
        drop(newcomers.pop());
        assert!(admit(&all, "127.0.0.1").is_some());
    }

    /// Notes on wake-up whether the lock on the connections is free.
    struct Witness(Arc<Connections>, AtomicBool);

    impl Wake for Witness {
        fn wake(self: Arc<Witness>) {
            self.1.store(self.0.open.try_lock().is_ok(), Ordering::Relaxed);
        }
    }

    #[test]
    fn no_connection_is_woken_under_the_lock() {
        let all = connections(1, None);
        let idle = admit(&all, "127.0.0.1").unwrap();
        let witness = Arc::new(Witness(Arc::clone(&all), AtomicBool::new(false)));
        idle.connection().watch(&Waker::from(Arc::clone(&witness)));
        let _newcomer = admit(&all, "127.0.0.1").unwrap();
        assert!(idle.connection().is_closed() && witness.1.load(Ordering::Relaxed));
    }

    #[test]
    fn an_address_makes_room_itself() {
        let all = connections(100, Some(2));
        let open: Vec<Admitted> =
            ["192.0.2.1", "192.0.2.2", "192.0.2.1"].map(|peer| admit(&all, peer).unwrap()).into();
        in_order(&open);
        let _third = admit(&all, "192.0.2.1").unwrap();
        assert_eq!(closed(&open), [true, false, false]);
        let local: Vec<Admitted> = (0..50).map(|_| admit(&all, "127.0.0.1").unwrap()).collect();
        assert!(!closed(&local).contains(&true));
    }

    #[test]
    fn a_request_ends_with_its_answer() {
        let all = connections(1, None);
        let admitted = admit(&all, "127.0.0.1").unwrap();
        let request = Request::begin(admitted.connection(), true);
        assert_eq!(admitted.connection().phase(), Phase::Body);
        drop(request);
        assert_eq!(admitted.connection().phase(), Phase::Idle);
        drop(admitted);
        assert!(all.open().is_empty());
    }
}
