//! `ferz verify`: checks receipts, bundles and signed heads without the archive.

use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome};
#[cfg(feature = "client")]
use crate::cli::service_args::ServiceArgs;
use crate::cli::session::Session;
use ferz::archive::{
    Bundle, Checkpoint, JudgedAgain, LogError, PlayedBundle, Receipt, VerifierKey, WitnessKey,
};
#[cfg(feature = "client")]
use ferz::archive::{NotGoingOn, going_on};
use ferz::clock::Policies;
use ferz::correspondence::State;
use ferz::record;
use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Receipts, bundles and signed heads to check; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Public key of the log, as `ferz archive key show` prints it and `GET /log/key` answers
    #[arg(long, value_name = "VKEY")]
    key: VerifierKey,

    /// Public key of a witness whose cosignature is required, as `ferz witness key` prints it; repeat for several
    #[arg(long = "witness", value_name = "WITNESS_KEY")]
    witnesses: Vec<WitnessKey>,

    /// Print the texts of proved bundles, byte for byte, instead of the events
    #[arg(long)]
    text: bool,

    /// Print the rules of proved bundles, as definition files, instead of the events
    #[arg(long, conflicts_with = "text")]
    rules: bool,

    /// The record that was submitted: checks that the receipts of submissions are of a game in this file. The salt that
    /// came with each receipt is read from the file beside it, RECEIPT.salt
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Also ask the service at this address whether its log goes on from the signed heads: that nothing under them was
    /// changed or dropped since
    #[cfg(feature = "client")]
    #[arg(long, value_name = "URL")]
    log: Option<String>,

    /// Judge the texts of bundles again, by the rules in the bundle; a text that is judged otherwise is not proved
    #[arg(long)]
    replay: bool,
}

const EXAMPLES: &str = "\
Checks that each receipt proves its event: the signature of the checkpoint, and the place of the event in the signed \
tree. Prints the event, which is JSON. Of a signed head, checks the signature. Needs neither the archive nor a network.

\
Of a bundle (`ferz archive bundle`), checks all of its events, and that the text, the report, the plies and \
the rules that it shows are those to which the events commit. With --replay, also judges the text again by these \
rules and compares the verdict.

A receipt proves that the server signed a log with this event, and so what was submitted and in which order. The time \
in it is the server's word. With --witness, the head must also be cosigned, and the event was there at the time that \
the witness states.

Of a game that was forgotten, the receipts still prove the events. With the receipt of the event that forgets, the \
others are marked.

A receipt has no text. With --record, the salt beside the receipt (`ferz submit --receipts` keeps both) and the record \
show that the event is about this text.

With --log, also asks the service for its present head, and checks that its log has only grown since: nothing that the \
receipt proves was rolled back or rewritten. A few tiles of hashes are fetched, whatever the size of the log.

Two heads of one size that differ, or two events at one number, prove that the log showed two histories: that is \
fraud, and both heads are printed.

Exit codes: 0 proved, 1 not proved, 2 usage or I/O error.

Examples:
  ferz verify 3f9a77c0.tlog-proof --key 'ferz-archive/0123+89abcdef+AR…'
  ferz verify receipts/*.tlog-proof --key \"$(cat club.vkey)\"
  ferz verify 3f9a-17.tlog-proof --key \"$(cat club.vkey)\" --record my.pgn --log https://club.example
  ferz verify 3f9a.bundle --key \"$(cat club.vkey)\" --replay
  ferz verify 3f9a.bundle --key \"$(cat club.vkey)\" --text > 3f9a.pgn
  ferz verify 3f9a.bundle --key \"$(cat club.vkey)\" --rules > played.toml
  ferz verify cosigned --key \"$(cat club.vkey)\" --witness \"$(cat witness.vkey)\"";

/// The longest file that is read, in bytes: a bundle has texts and their reports.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let (mut checked, mut heads) = (Vec::new(), Heads::default());
    let policies = session.policies();
    let input = [PathBuf::from("-")];
    let files: &[PathBuf] = if args.files.is_empty() { &input } else { &args.files };
    for file in files {
        let (name, text) = read(file)?;
        let mut proved = check(&text, args, &mut heads, &policies);
        if let (Ok(Proved { receipts, .. }), Some(record)) = (&proved, &args.record)
            && let Err(why) = is_of_record(receipts, file, record)?
        {
            proved = Err(why);
        }
        checked.push((name, proved));
    }
    let proved = || checked.iter().filter_map(|(_, proved)| proved.as_ref().ok());
    let forgotten: HashMap<u64, u64> = proved()
        .flat_map(|proved| &proved.receipts)
        .flat_map(|receipt| receipt.forgets().into_iter().map(|event| (event, receipt.index)))
        .collect();
    let mut failed = 0;
    for (name, proved) in &checked {
        match proved {
            Ok(Proved { shown, .. }) if args.text || args.rules => {
                for text in shown {
                    session.console.bytes(text)?;
                }
            }
            Ok(Proved { head: Checkpoint { size, .. }, receipts, seen, .. }) if receipts.is_empty() => {
                session.console.line(format!("{name}: signed: {size} events{seen}"))?;
            }
            Ok(Proved { head: Checkpoint { size, .. }, receipts, seen, again, played, .. }) => {
                for receipt in receipts {
                    let Receipt { index, leaf, .. } = receipt;
                    let leaf = String::from_utf8_lossy(leaf);
                    let kind = receipt.kind().map_or_else(String::new, |kind| format!(", {kind}"));
                    let by = forgotten
                        .get(index)
                        .map_or_else(String::new, |by| format!(", forgotten by event {by}"));
                    let line = format!("{name}: proved: event {index} of {size}{seen}{by}{kind}: {leaf}");
                    session.console.line(line)?;
                }
                if let Some(played) = played {
                    session.console.line(format!("{name}: played again: {played}"))?;
                }
                for JudgedAgain { index, .. } in again {
                    session.console.line(format!("{name}: judged again: event {index}: the same verdict"))?;
                }
            }
            Err(error) => {
                failed += 1;
                let line = format!("{name}: NOT PROVED: {error}");
                match args.text || args.rules {
                    // Standard output has the texts or rules alone.
                    true => session.console.note(&line)?,
                    false => session.console.line(line)?,
                }
            }
        }
    }
    #[cfg(feature = "client")]
    if let Some(url) = &args.log {
        failed += ask(url, &checked, args, session)?;
    }
    let frauds = frauds(&checked);
    for fraud in &frauds {
        session.console.line(fraud)?;
    }
    Ok(ExitStatus::of(failed > 0 || !frauds.is_empty()))
}

/// Asks a service whether its log goes on from the heads that were proved; returns how many it does not go on from.
#[cfg(feature = "client")]
fn ask(
    url: &str,
    checked: &[(String, Result<Proved, LogError>)],
    args: &Args,
    session: &mut Session<'_>,
) -> Result<usize, Failure> {
    let client = ServiceArgs::at(url, None).client(session)?;
    let mut heads: HashMap<&str, &str> = HashMap::new();
    let mut failed = 0;
    for (name, proved) in checked {
        let Ok(Proved { head, note, .. }) = proved else { continue };
        if heads.insert(note, name).is_some() {
            continue;
        }
        let fetch = &mut |path: &str| client.log(path).map_err(|error| error.to_string());
        match going_on(head, note, &args.key, fetch) {
            Ok(now) => {
                let (had, has) = (head.size, now.size);
                session
                    .console
                    .line(format!("{name}: the log goes on: it had {had} events and has {has}"))?;
            }
            Err(NotGoingOn::Fetch(why)) => return Err(Failure::message(why)),
            Err(error) => {
                failed += 1;
                session.console.line(format!("{name}: THE LOG DOES NOT GO ON: {error}"))?;
            }
        }
    }
    Ok(failed)
}

/// Whether the receipts of submissions are of a game in a file.
fn is_of_record(receipts: &[Receipt], file: &Path, records: &Path) -> Result<Result<(), LogError>, Failure> {
    let (name, text) = read(records)?;
    for receipt in receipts.iter().filter(|receipt| receipt.kind() == Some("submission")) {
        let salt = file.with_extension("salt");
        if !salt.exists() {
            let message =
                format!("{}: no such file; the salt came with the receipt, put it there", salt.display());
            return Err(Failure::message(message));
        }
        let (salt_name, salt) = read(&salt)?;
        let wrong = || Failure::message(format!("{salt_name}: no salt of 32 hexadecimal digits"));
        let salt = salt_of(salt.trim()).ok_or_else(wrong)?;
        let mut games = record::read(text.as_bytes(), 0);
        // A text may be a whole file, or one of its records.
        if !receipt.is_of(text.as_bytes(), &salt) && !games.any(|game| receipt.is_of(game.source(), &salt)) {
            return Ok(Err(LogError::OtherRecord { index: receipt.index, file: name }));
        }
    }
    Ok(Ok(()))
}

fn salt_of(digits: &str) -> Option<[u8; 16]> {
    let is_hex = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u128::from_str_radix(digits, 16).ok())?.map(u128::to_be_bytes)
}

/// Pairs of proofs by one key that cannot both be of one log.
fn frauds(checked: &[(String, Result<Proved, LogError>)]) -> Vec<String> {
    let proved: Vec<(&String, &Proved)> =
        checked.iter().filter_map(|(name, proved)| Some((name, proved.as_ref().ok()?))).collect();
    let (mut heads, mut events, mut frauds) = (HashMap::new(), HashMap::new(), Vec::new());
    for (name, proved) in &proved {
        let both = |other: &Proved| format!("{}\n{}", other.note, proved.note);
        let (first, other) = *heads.entry(proved.head.size).or_insert((*name, *proved));
        if other.head.root != proved.head.root {
            let size = proved.head.size;
            frauds.push(format!(
                "FRAUD: the log signed two different heads of {size} events, in {first} and {name}:\n{}",
                both(other)
            ));
        }
        for receipt in &proved.receipts {
            let (first, hash, other) =
                events.entry(receipt.index).or_insert_with(|| (*name, receipt.leaf_hash(), *proved));
            if *hash != receipt.leaf_hash() {
                let index = receipt.index;
                frauds.push(format!(
                    "FRAUD: the log signed two different events {index}, in {first} and {name}:\n{}",
                    both(other)
                ));
            }
        }
    }
    frauds
}

/// What a file proves.
struct Proved {
    head: Checkpoint,
    /// The signed head as it is written.
    note: String,
    /// Receipts; none of a signed head alone.
    receipts: Vec<Receipt>,
    /// The texts or the rules of a bundle, if they are wanted.
    shown: Vec<Vec<u8>>,
    /// The texts of a bundle that were judged again, if that is wanted.
    again: Vec<JudgedAgain>,
    /// What a game that was played by correspondence amounts to.
    played: Option<String>,
    /// When witnesses saw it.
    seen: String,
}

/// Signed heads that were checked, with the times at which witnesses saw them. Receipts of one import share theirs.
#[derive(Default)]
struct Heads(HashMap<String, Result<(Checkpoint, String), LogError>>);

impl Heads {
    /// The head of a signed note, and when witnesses saw it.
    fn open(&mut self, note: &str, args: &Args) -> Result<(Checkpoint, String), LogError> {
        if let Some(known) = self.0.get(note) {
            return known.clone();
        }
        let opened = open(note, args);
        self.0.insert(note.to_owned(), opened.clone());
        opened
    }
}

fn open(note: &str, args: &Args) -> Result<(Checkpoint, String), LogError> {
    let head = Checkpoint::open(note, &args.key)?;
    let mut seen = String::new();
    for witness in &args.witnesses {
        let seconds = Checkpoint::witnessed(note, witness)?;
        let seconds = seconds.ok_or_else(|| LogError::NotWitnessed(witness.to_string()))?;
        seen += &format!(", seen by {} at {}", witness.name(), time(seconds));
    }
    Ok((head, seen))
}

fn check(text: &str, args: &Args, heads: &mut Heads, policies: &Policies) -> Result<Proved, LogError> {
    let (mut receipts, mut shown, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let mut played = None;
    let mut note = text.to_owned();
    let (head, seen) = if text.starts_with("c2sp.org/tlog-proof") {
        let receipt: Receipt = text.parse()?;
        let (head, seen) = heads.open(&receipt.checkpoint, args)?;
        receipt.leads_to(&head)?;
        note.clone_from(&receipt.checkpoint);
        receipts.push(receipt);
        (head, seen)
    } else if Bundle::is_one(text) {
        let bundle: Bundle = text.parse()?;
        let (head, seen) = heads.open(bundle.checkpoint(), args)?;
        bundle.leads_to(&head)?;
        if args.replay {
            again = same_verdicts(&bundle)?;
        }
        if args.text {
            shown.extend(bundle.texts().map(<[u8]>::to_vec));
        }
        if args.rules {
            shown.extend(bundle.rules().map(|rules| rules.definition.as_bytes().to_vec()));
        }
        receipts = bundle.receipts();
        bundle.checkpoint().clone_into(&mut note);
        (head, seen)
    } else if PlayedBundle::is_one(text) {
        let bundle: PlayedBundle = text.parse()?;
        let (head, seen) = heads.open(bundle.checkpoint(), args)?;
        let state = bundle.leads_to(&head, policies)?;
        if args.text {
            shown.push(state.record().into_bytes());
        }
        if args.rules {
            shown.extend(bundle.rules().map(|rules| rules.as_bytes().to_vec()));
        }
        played = Some(in_words(&state));
        receipts = bundle.receipts();
        bundle.checkpoint().clone_into(&mut note);
        (head, seen)
    } else {
        heads.open(text, args)?
    };
    Ok(Proved { head, note, receipts, shown, again, played, seen })
}

/// What a game that was played by correspondence amounts to: `1-0 by resignation after 6 plies`.
fn in_words(state: &State) -> String {
    let plies = state.plies().len();
    match state.end() {
        Some(end) => format!("{} by {} after {plies} plies", end.result, end.cause),
        None => format!("{} after {plies} plies", state.status().name()),
    }
}

/// Judges the texts of a bundle again.
fn same_verdicts(bundle: &Bundle) -> Result<Vec<JudgedAgain>, LogError> {
    let again = bundle.judge_again()?;
    match again.iter().find_map(|judged| Some((judged.index, judged.otherwise.clone()?))) {
        Some((index, otherwise)) => Err(LogError::Otherwise { index, otherwise }),
        None => Ok(again),
    }
}

/// Seconds since 1970 as RFC 3339.
pub(in crate::cli) fn time(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|seconds| chrono::DateTime::from_timestamp(seconds, 0));
    time.map_or_else(
        || format!("second {seconds}"),
        |time| time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
    )
}

/// Reads a small text; returns the name for messages as well.
pub(in crate::cli) fn read(file: &Path) -> Result<(String, String), Failure> {
    let input = input::open(Some(file))?;
    let mut text = String::new();
    let name = input.name.clone();
    let read = input.reader.take(FILE_BYTES_MAX).read_to_string(&mut text);
    read.map_err(|error| Failure::message(format!("{name}: {error}")))?;
    Ok((name, text))
}
