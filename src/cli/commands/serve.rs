//! `ferz serve`: serves over HTTP.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::records::threads;
use crate::cli::session::Session;
use crate::cli::syzygy_folder::syzygy;
use crate::service::{Config, Log, run as serve};
use ferz::archive::{Cosigner, VerifierKey};
use ferz::rules::Registry;
use std::net::{SocketAddr, ToSocketAddrs};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Archive file; created if it does not exist
    #[arg(long, value_name = "FILE")]
    db: PathBuf,

    /// Address to listen at; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: String,

    /// Threads that serve connections, 0 for one a core
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = |text: &str| threads(text, 0))]
    workers: usize,

    /// Connections at one time; for a further one, the one that waits longest for its client is closed. The default is
    /// below the 1024 files that a process may usually open
    #[arg(long, default_value_t = 800, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    connections: u32,

    /// Connections of one address at one time, 0 for any number, as behind a proxy; given here, it holds for this
    /// machine's too [default: 64 for other machines]
    #[arg(long, value_name = "N")]
    connections_per_address: Option<u32>,

    /// Requests a second that one address may send, 0 for any number; given here, it holds for this machine's too
    /// [default: 50 for other machines]
    #[arg(long, value_name = "N")]
    rate: Option<u32>,

    /// Seconds for judging one request; what takes longer is refused
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    time_limit: Duration,

    /// Origin of a page of another site that may use the API, such as https://club.example (repeatable)
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow_origin: Vec<String>,

    /// Key of a witness, which `ferz witness key` makes: cosign heads of other logs, which send them to
    /// POST /add-checkpoint; the last heads are kept in FILE.heads
    #[arg(long, value_name = "FILE", requires = "witness_log")]
    witness: Option<PathBuf>,

    /// Public key of a log that the witness knows (repeatable)
    #[arg(long, value_name = "VKEY", requires = "witness")]
    witness_log: Vec<VerifierKey>,

    /// Folder of Syzygy endgame tables (.rtbw, .rtbz), which verdicts on claims may rest on
    #[arg(long, value_name = "DIR")]
    syzygy: Option<PathBuf>,

    /// How the log is written, on standard error
    #[arg(long, value_enum, default_value_t = LogChoice::Json)]
    log: LogChoice,
}

/// Requests a second that one address of another machine may send: more than a person needs.
const RATE: u32 = 50;

/// Connections of one address of another machine: more than a browser or a pool of clients opens.
const CONNECTIONS_PER_ADDRESS: u32 = 64;

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum LogChoice {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Json,
    /// Not at all
    Off,
}

const EXAMPLES: &str = "\
Prints the address when ready. SIGTERM, SIGINT and SIGHUP stop it after the current requests.

Without any token in the archive the service is open to this machine only. After the first token, made with \
`ferz archive token add NAME --db FILE`, every request needs one.

Examples:
  ferz serve --db games.ferz
  ferz serve --db games.ferz --listen 127.0.0.1:0 --log text
  ferz serve --db games.ferz --witness witness.key --witness-log \"$(cat club.vkey)\"
  curl --data-binary @games.pgn http://127.0.0.1:8080/api/v1/validate";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    with_few_arenas();
    let cores = available_parallelism().map_or(1, usize::from);
    let config = Config {
        archive: args.db.clone(),
        listen: addresses(&args.listen)?,
        workers: if args.workers == 0 { cores } else { args.workers },
        connections: args.connections as usize,
        connections_per_address: Some(args.connections_per_address.unwrap_or(CONNECTIONS_PER_ADDRESS))
            .filter(|count| *count > 0)
            .map(|count| count as usize),
        connections_count_local: args.connections_per_address.is_some(),
        judges: cores,
        judging: args.time_limit,
        registry: registry(session)?,
        languages: session.languages(),
        policies: session.policies(),
        files: syzygy(args.syzygy.as_deref())?.map(Arc::new),
        rate: NonZeroU32::new(args.rate.unwrap_or(RATE)),
        rate_counts_local: args.rate.is_some(),
        origins: args.allow_origin.clone(),
        witness: witness(args)?,
        log: match args.log {
            LogChoice::Text => Log::Text,
            LogChoice::Json => Log::Json,
            LogChoice::Off => Log::Off,
        },
    };
    let mut announced = Ok(());
    let console = &mut session.console;
    let served = serve(&config, |addresses| {
        for address in addresses {
            announced =
                console.line(format_args!("listening on http://{address}")).and_then(|()| console.flush());
        }
    });
    served.map_err(Failure::message)?;
    // If standard output is closed, keep serving.
    announced
        .or_else(|failure| if matches!(failure, Failure::BrokenPipe) { Ok(()) } else { Err(failure) })?;
    Ok(ExitStatus::Fine)
}

/// Starts the program once more with the allocator of glibc limited to two arenas, unless the environment says how many
/// there are. Each keeps what the threads that use it once needed: in a siege 692 MB with one for each thread, 418 MB
/// with two. The process keeps its number.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn with_few_arenas() {
    use std::os::unix::process::CommandExt;
    const ARENAS: &str = "MALLOC_ARENA_MAX";
    if std::env::var_os(ARENAS).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    // It returns only if it fails; then the service needs more memory.
    let _ = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(ARENAS, "2").exec();
}

/// Other allocators have no such limit.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn with_few_arenas() {}

/// The witness, if the service is one.
fn witness(args: &Args) -> Result<Option<Arc<Cosigner>>, Failure> {
    let open = |key: &PathBuf| Cosigner::open(key, args.witness_log.clone()).map(Arc::new);
    args.witness.as_ref().map(open).transpose().map_err(Failure::message)
}

/// The games that are known, for as long as the process lives.
fn registry(session: &Session<'_>) -> Result<&'static Registry, Failure> {
    if session.has_own_games() {
        Ok(Box::leak(Box::new(session.new_registry()?)))
    } else {
        Ok(Registry::built_in())
    }
}

/// Parses a time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "write a number of seconds from 0.1 to 600".to_owned();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    if (0.1..=600.0).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong()) }
}

/// Parses an origin as browsers send it.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let fits = |host: &str| {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.:[]".contains(c);
        !host.is_empty() && host.chars().all(plain)
    };
    match host.is_some_and(fits) {
        true => Ok(text.to_owned()),
        false => Err("write scheme and host in lower case, without a path: https://club.example".to_owned()),
    }
}

fn addresses(text: &str) -> Result<Vec<SocketAddr>, Failure> {
    let wrong = |why: String| {
        Failure::message(format!("cannot listen at `{text}`: {why}; write HOST:PORT, as in 127.0.0.1:8080"))
    };
    let addresses: Vec<SocketAddr> =
        text.to_socket_addrs().map_err(|error| wrong(error.to_string()))?.collect();
    if addresses.is_empty() { Err(wrong("the name has no address".into())) } else { Ok(addresses) }
}
