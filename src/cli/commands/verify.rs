//! `ferz verify`: checks receipts and signed heads without the archive.

use crate::archive::{Checkpoint, LogError, Receipt, VerifierKey, WitnessKey};
use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Receipts and signed heads to check; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Public key of the log, as `ferz archive key show` prints it and `GET /log/key` answers
    #[arg(long, value_name = "VKEY")]
    key: VerifierKey,

    /// Public key of a witness whose cosignature is required, as `ferz witness key` prints it; repeat for several
    #[arg(long = "witness", value_name = "WITNESS_KEY")]
    witnesses: Vec<WitnessKey>,
}

const EXAMPLES: &str = "\
Checks that each receipt proves its event: the signature of the checkpoint, and the place of the event in the signed \
tree. Prints the event, which is JSON. Of a signed head, checks the signature. Needs neither the archive nor a network.

A receipt proves that the server signed a log with this event, and so what was submitted and in which order. The time \
in it is the server's word. With --witness, the head must also be cosigned, and the event was there at the time that \
the witness states.

Of a game that was forgotten, the receipts still prove the events. With the receipt of the event that forgets, the \
others are marked.

Exit codes: 0 proved, 1 not proved, 2 usage or I/O error.

Examples:
  ferz verify 3f9a77c0.tlog-proof --key 'ferz-archive/0123+89abcdef+AR…'
  ferz verify receipts/*.tlog-proof --key \"$(cat club.vkey)\"
  ferz verify cosigned --key \"$(cat club.vkey)\" --witness \"$(cat witness.vkey)\"";

/// The longest receipt that is read, in bytes.
const RECEIPT_BYTES_MAX: u64 = 1 << 20;

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut checked = Vec::new();
    let input = [PathBuf::from("-")];
    let files: &[PathBuf] = if args.files.is_empty() { &input } else { &args.files };
    for file in files {
        let (name, text) = read(file)?;
        checked.push((name, check(&text, args)));
    }
    let proved = || checked.iter().filter_map(|(_, proved)| proved.as_ref().ok());
    let forgotten: HashMap<u64, u64> = proved()
        .filter_map(|proved| proved.receipt.as_ref())
        .flat_map(|receipt| receipt.forgets().into_iter().map(|event| (event, receipt.index)))
        .collect();
    let mut failed = 0;
    for (name, proved) in &checked {
        match proved {
            Ok(Proved { size, receipt: None, seen }) => {
                session.console.line(format!("{name}: signed: {size} events{seen}"))?;
            }
            Ok(Proved { size, receipt: Some(receipt), seen }) => {
                let event = receipt.index;
                let leaf = String::from_utf8_lossy(&receipt.leaf);
                let by =
                    forgotten.get(&event).map_or_else(String::new, |by| format!(", forgotten by event {by}"));
                session.console.line(format!("{name}: proved: event {event} of {size}{seen}{by}: {leaf}"))?;
            }
            Err(error) => {
                failed += 1;
                session.console.line(format!("{name}: NOT PROVED: {error}"))?;
            }
        }
    }
    Ok(ExitStatus::of(failed > 0))
}

/// What a file proves.
struct Proved {
    size: u64,
    /// The receipt, unless it is a signed head alone.
    receipt: Option<Receipt>,
    /// When witnesses saw it.
    seen: String,
}

fn check(text: &str, args: &Args) -> Result<Proved, LogError> {
    let (receipt, head, note) = if text.starts_with("c2sp.org/tlog-proof") {
        let receipt: Receipt = text.parse()?;
        let (head, note) = (receipt.verify(&args.key)?, receipt.checkpoint.clone());
        (Some(receipt), head, note)
    } else {
        (None, Checkpoint::open(text, &args.key)?, text.to_owned())
    };
    let mut seen = String::new();
    for witness in &args.witnesses {
        let seconds = Checkpoint::witnessed(&note, witness)?;
        let seconds = seconds.ok_or_else(|| LogError::NotWitnessed(witness.to_string()))?;
        seen += &format!(", seen by {} at {}", witness.name(), time(seconds));
    }
    Ok(Proved { size: head.size, receipt, seen })
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
    let read = input.reader.take(RECEIPT_BYTES_MAX).read_to_string(&mut text);
    read.map_err(|error| Failure::message(format!("{name}: {error}")))?;
    Ok((name, text))
}
