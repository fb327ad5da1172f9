//! `ferz serve` while calls fail, sometimes two services and an import on one file: clients submit games and play one,
//! and note what was acknowledged. Then, without any
//! fault, the log must verify against the receipt from before, every game and every ply that was acknowledged must be
//! there, and the service must take more.

use crate::{Bench, Random, id, record};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Clients that submit games, and games of each.
const CLIENTS: usize = 3;
const GAMES: usize = 8;

/// The game that two clients play, in coordinate notation.
const LINE: [&str; 24] = [
    "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "d2d3", "f8e7", "h2h3", "b7b5", "a4b3",
    "d7d6", "c2c3", "h7h6", "b1d2", "c8e6", "b3e6", "f7e6", "a2a4", "b5b4", "a4a5", "b4b3",
];

/// How long a service may take to start or to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running service.
struct Service {
    child: Child,
    address: SocketAddr,
}

/// An answer: status, head and body.
struct Reply(u16, String, String);

impl Reply {
    fn etag(&self) -> Option<&str> {
        let line = self.1.lines().find_map(|line| line.strip_prefix("etag: "))?;
        Some(line.trim())
    }
}

/// What the clients were told.
#[derive(Default)]
pub struct Seen {
    games: Vec<String>,
    plies: Vec<&'static str>,
    /// Services that listened, and calls that failed.
    services: u64,
    failed: u64,
    /// Answers that nothing explains.
    strange: Vec<String>,
}

/// The game that is played, and the tokens of those who play and submit.
pub struct People {
    game: String,
    director: String,
    players: [String; 2],
}

impl Service {
    /// Starts a service over the archive of the bench; `None` if it ends before it listens.
    fn start(bench: &Bench, fault: Option<(&str, usize)>) -> Result<Service, std::process::Output> {
        let mut command = std::process::Command::new(&bench.ferz);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "off", "--db"]);
        command.arg(bench.folder.join("games.ferz")).stdin(Stdio::null()).env("RUST_BACKTRACE", "0");
        if let Some((fault, number)) = fault {
            command.env("LD_PRELOAD", &bench.preloaded).env("FERZ_FAULT", fault);
            command.env("FERZ_FAULT_COUNTS", bench.folder.join(format!("counts-{number}")));
        }
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("ferz starts");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on http://").map(|address| address.parse());
        match address {
            Some(address) => Ok(Service { child, address: address.expect("an address") }),
            None => Err(child.wait_with_output().expect("it ends")),
        }
    }

    /// Sends a request; `None` if the service is gone.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Option<Reply> {
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let length = body.len();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {length}\r\n",
            self.address
        );
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Reply(status, head.to_ascii_lowercase(), body.to_owned()))
    }

    fn authorized(
        &self,
        method: &str,
        path: &str,
        token: &str,
        more: &[(&str, &str)],
        body: &str,
    ) -> Option<Reply> {
        let bearer = format!("Bearer {token}");
        let headers = [&[("Authorization", &*bearer)], more].concat();
        self.ask(method, path, &headers, body)
    }

    /// Ends the service as an operator would, and says how it ended.
    fn end(mut self) -> Result<std::process::Output, String> {
        // SAFETY: a signal to a child that was not waited for.
        unsafe { libc::kill(self.child.id() as i32, libc::SIGTERM) };
        let begun = Instant::now();
        while self.child.try_wait().expect("a child").is_none() {
            if begun.elapsed() > PATIENCE {
                let _ = self.child.kill();
                return Err("it does not end".to_owned());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(self.child.wait_with_output().expect("it has ended"))
    }
}

/// Adds tokens and a game that is played to the archive of the bench.
pub fn people(bench: &Bench) -> People {
    let token = |name: &str, scope: &str| {
        let mut add = std::process::Command::new(&bench.ferz);
        add.args(["archive", "token", "add", name, "--scope", scope, "--db"]);
        let made = add.arg(bench.folder.join("games.ferz")).output().expect("ferz starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        String::from_utf8_lossy(&made.stdout).trim().to_owned()
    };
    let director = token("Dora", "director");
    let players = [token("Ann", "play"), token("Ben", "play")];
    let service = Service::start(bench, None).expect("it listens");
    let body = "{\"variant\":\"chess\",\"players\":{\"white\":\"Ann\",\"black\":\"Ben\"}}";
    let path = "/api/v1/correspondence";
    let made = service.authorized("POST", path, &director, &[], body).expect("an answer");
    assert_eq!(made.0, 201, "{}", made.2);
    let game = id(&made.2).expect("an id").to_owned();
    let terms = made.2.split("\"terms\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("terms");
    for token in &players {
        let path = format!("{path}/{game}");
        let head = service.authorized("GET", &path, token, &[], "").expect("an answer");
        let head = [("If-Match", head.etag().expect("a head"))];
        let body = format!("{{\"terms\":\"{terms}\"}}");
        let accepted = service.authorized("POST", &format!("{path}/accept"), token, &head, &body);
        let accepted = accepted.expect("an answer");
        assert_eq!(accepted.0, 201, "{}", accepted.2);
    }
    service.end().expect("it ends");
    People { game, director, players }
}

impl Seen {
    /// Services that listened, calls that failed, games and plies that were acknowledged.
    pub fn counts(&self) -> [u64; 4] {
        [self.services, self.failed, self.games.len() as u64, self.plies.len() as u64]
    }
}

/// True for an answer by which a service says that it cannot now.
fn is_refused_for_now(status: u16) -> bool {
    matches!(status, 409 | 412 | 429) || status >= 500
}

/// Submits games; gives the ids that were acknowledged, and answers that nothing explains.
fn submit(service: &Service, people: &People, numbers: impl Iterator<Item = usize>) -> Seen {
    let mut seen = Seen::default();
    for number in numbers {
        let asked = service.authorized("POST", "/api/v1/games", &people.director, &[], &record(number));
        match asked {
            None => break,
            Some(Reply(201 | 200, _, body)) => seen.games.extend(id(&body).map(str::to_owned)),
            Some(Reply(status, ..)) if is_refused_for_now(status) => {}
            Some(Reply(status, _, body)) => seen.strange.push(format!("a game: {status} {body}")),
        }
    }
    seen
}

/// Plays the line, each ply with a key of its own until it is acknowledged.
fn play(service: &Service, people: &People, over: &AtomicBool) -> Seen {
    let mut seen = Seen::default();
    let path = format!("/api/v1/correspondence/{}", people.game);
    'line: for (number, ply) in LINE.into_iter().enumerate() {
        let token = &people.players[number % 2];
        let key = format!("\"ply-{number}\"");
        for _ in 0..40 {
            if over.load(Ordering::Acquire) {
                break 'line;
            }
            let Some(head) = service.authorized("GET", &path, token, &[], "") else { break 'line };
            let Some(head) = head.etag() else { continue };
            let headers = [("If-Match", head), ("Idempotency-Key", &*key)];
            let body = format!("{{\"ply\":\"{ply}\"}}");
            match service.authorized("POST", &format!("{path}/plies"), token, &headers, &body) {
                None => break 'line,
                Some(Reply(201, ..)) => {
                    seen.plies.push(ply);
                    continue 'line;
                }
                Some(Reply(status, ..)) if is_refused_for_now(status) => {}
                Some(Reply(status, _, body)) => {
                    seen.strange.push(format!("ply {number}, {ply}: {status} {body}"));
                    break 'line;
                }
            }
        }
        break;
    }
    seen
}

/// What clients of some services see; the first service is played on.
fn visit(services: &[Service], people: &People, first: usize) -> Seen {
    let mut seen = Seen::default();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let player = scope.spawn(|| play(&services[0], people, &over));
        let submitters: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let numbers = (0..GAMES).map(move |game| first + client * GAMES + game);
                scope.spawn(move || submit(&services[client % services.len()], people, numbers))
            })
            .collect();
        for submitter in submitters {
            let one = submitter.join().expect("a client does not panic");
            seen.games.extend(one.games);
            seen.strange.extend(one.strange);
        }
        over.store(true, Ordering::Release);
        let one = player.join().expect("a client does not panic");
        seen.plies = one.plies;
        seen.strange.extend(one.strange);
    });
    seen
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One round: services with a fault, their clients, perhaps an import, and what is left. Gives what was seen.
pub fn round(bench: &Bench, people: &People, fault: &str, random: &mut Random) -> Result<Seen, String> {
    bench.restore();
    // Without power every process ends, and what one synchronizes is on the disk for all: here one alone shows it.
    let is_alone = fault.contains(":power:");
    let count = if random.below(3) == 0 && !is_alone { 2 } else { 1 };
    (0..count).for_each(|number| drop(std::fs::remove_file(bench.folder.join(format!("counts-{number}")))));
    let (mut services, mut ended) = (Vec::new(), Vec::new());
    for number in 0..count {
        match Service::start(bench, Some((fault, number))) {
            Ok(service) => services.push(service),
            Err(output) => ended.push(output),
        }
    }
    let mut import = bench.archive(&["import", "--jobs", "1", "--format", "ndjson"]);
    let import = import.args(bench.inputs()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let import = (random.below(3) == 0 && !is_alone).then(|| import.spawn().expect("ferz starts"));
    let first = random.below(1_000);
    let mut seen = if services.is_empty() { Seen::default() } else { visit(&services, people, first) };
    seen.services = services.len() as u64;
    for service in services {
        ended.push(service.end()?);
    }
    if let Some(import) = import {
        let output = import.wait_with_output().expect("it ends");
        seen.games.extend(text(&output.stdout).lines().filter_map(id).map(str::to_owned));
        ended.push(output);
    }
    for output in ended {
        let status = output.status;
        if !matches!(status.code(), Some(0..=2 | 137)) && status.signal() != Some(libc::SIGTERM) {
            return Err(format!("it ended with {status}: {}", text(&output.stderr)));
        }
    }
    if !seen.strange.is_empty() {
        return Err(format!("strange answers: {:?}", seen.strange));
    }
    bench.verify()?;
    let listed = text(&bench.run(&["list", "--format", "ndjson", "--limit", "0"]).stdout);
    let there: BTreeSet<&str> = listed.lines().filter_map(id).collect();
    let lost: Vec<&String> = seen.games.iter().filter(|id| !there.contains(&***id)).collect();
    if !lost.is_empty() {
        return Err(format!("games acknowledged and lost: {lost:?}"));
    }
    // Without a fault it starts, shows every ply that was acknowledged, and takes more.
    let service = Service::start(bench, None).map_err(|output| text(&output.stderr))?;
    let path = format!("/api/v1/correspondence/{}", people.game);
    let Reply(status, _, game) =
        service.authorized("GET", &path, &people.players[0], &[], "").ok_or("no answer after the fault")?;
    let made: Vec<&str> =
        game.split("\"coord\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    // One more may have been made than was acknowledged.
    if status != 200 || !LINE.starts_with(&made) || made.len() < seen.plies.len() {
        return Err(format!("acknowledged {:?}, there {made:?}: {status}", seen.plies));
    }
    let more = submit(&service, people, 5_000..5_001);
    service.end()?;
    seen.failed = (0..count).map(|number| failed(bench, number)).sum();
    match more.games.len() {
        1 => Ok(seen),
        _ => Err(format!("it takes no more: {:?}", more.strange)),
    }
}

/// How many calls failed, where the process could still say so.
fn failed(bench: &Bench, number: usize) -> u64 {
    let counts = bench.folder.join(format!("counts-{number}"));
    let counts = std::fs::read_to_string(counts).unwrap_or_default();
    // Where the power was cut it is the one call.
    counts.split(' ').next_back().and_then(|count| count.parse().ok()).unwrap_or(1)
}
