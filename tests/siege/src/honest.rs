//! An honest client: small requests, some over one connection and some over new ones, and the time of each.

use crate::http::{ask, connect, request};
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// Between two requests: with those for `/healthz`, fewer a second than one address may send.
const VALIDATE_EVERY: Duration = Duration::from_millis(30);
const HEALTH_EVERY: Duration = Duration::from_millis(100);
const LARGER_EVERY: Duration = Duration::from_secs(1);

/// Games that searches search.
const GAMES: usize = 2_000;

/// What became of an honest client's requests.
#[derive(Debug, Default)]
pub struct Visit {
    /// Times of small validates.
    times: Vec<Duration>,
    /// The longest time of `/healthz`.
    pub health_max: Duration,
    /// The longest time of a larger body, which waits for a thread.
    pub larger_max: Duration,
    /// Answers 503.
    pub busy: usize,
    /// Requests without an answer, or with another than 200.
    pub failed: usize,
    /// Requests sent again since the connection had been closed before them.
    again: usize,
}

impl Visit {
    fn at(&self, share: f64) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let index = (times.len() as f64 * share) as usize;
        times.get(index.min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    /// The time that 99 of 100 requests stay below.
    pub fn p99(&self) -> Duration {
        self.at(0.99)
    }
}

impl fmt::Display for Visit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Visit { times, health_max, larger_max, busy, failed, again } = self;
        let (half, p99, max) = (self.at(0.5), self.p99(), self.at(1.0));
        write!(
            f,
            "{} validates, p50 {half:?}, p99 {p99:?}, max {max:?}; /healthz max {health_max:?}, 11 kB max {larger_max:?}; \
             {busy} times 503, {failed} failed, {again} sent again",
            times.len()
        )
    }
}

/// Fills the archive with games to search.
pub fn fill(from: Ipv4Addr, service: SocketAddr) -> io::Result<()> {
    let game = |number: usize| {
        let (white, black) = (number % 97, number % 89);
        format!("[White \"Robert Reader{white}\"]\n[Black \"Rita Rook{black}\"]\n[Round \"{number}\"]\n\n1. e4 e5 2. Nf3 *\n\n")
    };
    let body: String = (0..GAMES).map(game).collect();
    let (status, _) = ask(&mut connect(from, service)?, &request("POST", "/api/v1/games", "", body.as_bytes()))?;
    if status == 201 { Ok(()) } else { Err(io::Error::other(format!("the archive is not filled: {status}"))) }
}

/// Sends requests for some time.
pub fn visit(from: Ipv4Addr, service: SocketAddr, duration: Duration) -> Visit {
    let end = Instant::now() + duration;
    thread::scope(|scope| {
        let health = scope.spawn(move || {
            let (mut visit, request) = (Visit::default(), request("GET", "/healthz", "connection: close\r\n", b""));
            while Instant::now() < end {
                let start = Instant::now();
                visit.note(connect(from, service).and_then(|mut stream| ask(&mut stream, &request)));
                visit.health_max = visit.health_max.max(start.elapsed());
                sleep(HEALTH_EVERY.saturating_sub(start.elapsed()));
            }
            visit
        });
        let larger = scope.spawn(move || larger(from, service, end));
        let mut visit = validates(from, service, end);
        for other in [health, larger] {
            match other.join() {
                Ok(other) => {
                    visit.health_max = visit.health_max.max(other.health_max);
                    visit.larger_max = visit.larger_max.max(other.larger_max);
                    visit.busy += other.busy;
                    visit.failed += other.failed;
                }
                Err(_) => visit.failed += 1,
            }
        }
        visit
    })
}

/// Bodies that are too large to be judged at once and wait for a thread: none may be refused.
fn larger(from: Ipv4Addr, service: SocketAddr, end: Instant) -> Visit {
    let body = "[Round \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n\n".repeat(200);
    let (mut visit, request) = (Visit::default(), request("POST", "/api/v1/validate", "connection: close\r\n", body.as_bytes()));
    while Instant::now() < end {
        let start = Instant::now();
        visit.note(connect(from, service).and_then(|mut stream| ask(&mut stream, &request)));
        visit.larger_max = visit.larger_max.max(start.elapsed());
        sleep(LARGER_EVERY.saturating_sub(start.elapsed()));
    }
    visit
}

fn validates(from: Ipv4Addr, service: SocketAddr, end: Instant) -> Visit {
    let request = request("POST", "/api/v1/validate", "", b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *");
    let (mut visit, mut kept): (Visit, Option<TcpStream>) = Default::default();
    for number in 0usize.. {
        if Instant::now() >= end {
            break;
        }
        let start = Instant::now();
        // Every fourth over a new connection.
        if number % 4 == 0 {
            kept = None;
        }
        let mut answer = match &mut kept {
            Some(stream) => ask(stream, &request),
            None => new(from, service, &request, &mut kept),
        };
        // A connection that was kept may be closed in between; clients send again then.
        if answer.is_err() && number % 4 != 0 {
            visit.again += 1;
            answer = new(from, service, &request, &mut kept);
        }
        visit.times.push(start.elapsed());
        visit.note(answer);
        sleep(VALIDATE_EVERY.saturating_sub(start.elapsed()));
    }
    visit
}

fn new(
    from: Ipv4Addr,
    service: SocketAddr,
    request: &[u8],
    kept: &mut Option<TcpStream>,
) -> io::Result<(u16, usize)> {
    let mut stream = connect(from, service)?;
    let answer = ask(&mut stream, request)?;
    *kept = Some(stream);
    Ok(answer)
}

impl Visit {
    fn note(&mut self, answer: io::Result<(u16, usize)>) {
        match answer {
            Ok((200, _)) => {}
            Ok((503, _)) => self.busy += 1,
            _ => self.failed += 1,
        }
    }
}
