//! `ferz-siege FERZ SECONDS`: starts the program's service and besieges it; fails unless an honest client is served.

#[path = "../../common/hostile_bodies.rs"]
mod bodies;
mod honest;
mod hostile;
mod http;
mod service;

use hostile::{FAMILIES, Requests, Siege};
use service::Service;
use std::error::Error;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Command, ExitCode};
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

fn siege() -> Result<bool, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(ferz), Some(seconds)) = (arguments.next(), arguments.next()) else {
        return Err("usage: ferz-siege FERZ SECONDS".into());
    };
    let duration = Duration::from_secs(seconds.parse()?);
    let folder = tempfile::tempdir()?;
    // The limits are those for clients of other machines.
    let limits = ["--rate", "50", "--connections-per-address", "64"];
    let (mut service, address) = Service::start(Path::new(&ferz), folder.path(), &limits)?;
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
            memory = memory.max(service.memory_peak().unwrap_or_default());
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
