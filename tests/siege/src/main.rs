//! `ferz-siege FERZ SECONDS`: starts the program's service and besieges it; fails unless an honest client is served.

#[path = "../../common/hostile_bodies.rs"]
mod bodies;
mod honest;
mod hostile;
mod http;

use hostile::{FAMILIES, Requests, Siege};
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Hostile clients.
const HOSTILE: [Ipv4Addr; 4] = [
    Ipv4Addr::new(127, 0, 0, 2),
    Ipv4Addr::new(127, 0, 0, 3),
    Ipv4Addr::new(127, 0, 0, 4),
    Ipv4Addr::new(127, 0, 0, 5),
];
/// The honest client.
const HONEST: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 6);

/// The time for which the honest client is alone, at first.
const QUIET: Duration = Duration::from_secs(10);

// What must hold.
const SLOWER_MAX: f64 = 10.0;
const HEALTH_MAX: Duration = Duration::from_millis(100);
const MEMORY_MAX: u64 = 512 << 20;
const STOP_MAX: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    match siege() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("ferz-siege: {error}");
            ExitCode::from(2)
        }
    }
}

/// The service, ended when it is dropped.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        // It has ended already, or is to.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn siege() -> Result<bool, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(ferz), Some(seconds)) = (arguments.next(), arguments.next()) else {
        return Err("usage: ferz-siege FERZ SECONDS".into());
    };
    let duration = Duration::from_secs(seconds.parse()?);
    let folder = tempfile::tempdir()?;
    let (mut service, address) = start(Path::new(&ferz), folder.path())?;
    honest::fill(HONEST, address)?;
    let (is_over, sent, requests) = (AtomicBool::new(false), AtomicU64::new(0), Requests::new());
    let siege = Siege { service: address, is_over, sent, requests };
    let quiet = honest::visit(HONEST, address, QUIET);
    println!("quiet, {} s: {quiet}", QUIET.as_secs());
    let (besieged, memory, stop) = thread::scope(|scope| {
        for from in HOSTILE {
            for (_, family) in FAMILIES {
                let siege = &siege;
                scope.spawn(move || family(siege, from));
            }
        }
        let visit = scope.spawn(move || honest::visit(HONEST, address, duration));
        let mut memory = 0;
        while !visit.is_finished() {
            memory = memory.max(resident(service.0.id()).unwrap_or_default());
            thread::sleep(Duration::from_millis(200));
        }
        let besieged = visit.join();
        // The hostile clients stay while it stops.
        let stop = stop(&mut service.0);
        siege.is_over.store(true, Ordering::Relaxed);
        (besieged, memory, stop)
    });
    let besieged = besieged.map_err(|_| "the honest client failed")?;
    println!("besieged, {} s: {besieged}", duration.as_secs());
    println!("hostile requests and sockets: {}", siege.sent.load(Ordering::Relaxed));
    let (code, time) = stop?;
    let slower = besieged.p99().as_secs_f64() / quiet.p99().as_secs_f64().max(1e-6);
    let held = [
        (format!("p99 of a small validate is {slower:.1} times its quiet value"), slower <= SLOWER_MAX),
        (format!("{} answers 503 to the honest client", besieged.busy), besieged.busy == 0),
        (format!("{} requests of the honest client failed otherwise", besieged.failed), besieged.failed == 0),
        (format!("/healthz takes {:?} at most", besieged.health_max), besieged.health_max < HEALTH_MAX),
        (format!("{} MB of memory at most", memory >> 20), memory < MEMORY_MAX),
        (format!("SIGTERM ends it in {time:?}, code {code:?}"), time < STOP_MAX && code == Some(0)),
    ];
    for (what, holds) in &held {
        println!("{} {what}", if *holds { "  ok " } else { "FAIL " });
    }
    Ok(held.iter().all(|(_, holds)| *holds))
}

/// Starts the service with a fresh archive; its limits are those for clients of other machines.
fn start(ferz: &Path, folder: &Path) -> Result<(Service, SocketAddr), Box<dyn Error>> {
    let mut command = Command::new(ferz);
    command.args(["serve", "--listen", "127.0.0.1:0", "--log", "off", "--rate", "50"]);
    command.args(["--connections-per-address", "64", "--db"]).arg(folder.join("games.ferz"));
    let mut child = Service(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?);
    let mut line = String::new();
    BufReader::new(child.0.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let address = line.trim().strip_prefix("listening on http://").ok_or("no address")?.parse()?;
    Ok((child, address))
}

/// The memory of a process, in bytes.
fn resident(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// Sends SIGTERM; the exit code and the time until the end.
fn stop(service: &mut Child) -> Result<(Option<i32>, Duration), Box<dyn Error>> {
    let start = Instant::now();
    Command::new("kill").args(["-TERM", &service.id().to_string()]).status()?;
    while start.elapsed() < 3 * STOP_MAX {
        if let Some(status) = service.try_wait()? {
            return Ok((status.code(), start.elapsed()));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok((None, start.elapsed()))
}
