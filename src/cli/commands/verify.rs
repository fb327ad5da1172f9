//! `ferz verify`: checks receipts without the archive.

use crate::archive::{Receipt, VerifierKey};
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
    /// Receipts to check; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Public key of the log, as `ferz archive key show` prints it and `GET /log/key` answers
    #[arg(long, value_name = "VKEY")]
    key: VerifierKey,
}

const EXAMPLES: &str = "\
Checks that each receipt proves its event: the signature of the checkpoint, and the place of the event in the signed \
tree. Prints the event, which is JSON. Needs neither the archive nor a network.

A receipt proves that the server signed a log with this event, and so what was submitted and in which order. The time \
in it is the server's word.

Of a game that was forgotten, the receipts still prove the events. With the receipt of the event that forgets, the \
others are marked.

Exit codes: 0 proved, 1 not proved, 2 usage or I/O error.

Examples:
  ferz verify 3f9a77c0.tlog-proof --key 'ferz-archive/0123+89abcdef+AR…'
  ferz verify receipts/*.tlog-proof --key \"$(cat club.vkey)\"";

/// The longest receipt that is read, in bytes.
const RECEIPT_BYTES_MAX: u64 = 1 << 20;

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut checked = Vec::new();
    let input = [PathBuf::from("-")];
    let files: &[PathBuf] = if args.files.is_empty() { &input } else { &args.files };
    for file in files {
        let (name, text) = read(file)?;
        let proved = text.parse::<Receipt>().and_then(|receipt| Ok((receipt.verify(&args.key)?, receipt)));
        checked.push((name, proved));
    }
    let proved = || checked.iter().filter_map(|(_, proved)| proved.as_ref().ok());
    let forgotten: HashMap<u64, u64> = proved()
        .flat_map(|(_, receipt)| receipt.forgets().into_iter().map(|event| (event, receipt.index)))
        .collect();
    let mut failed = 0;
    for (name, proved) in &checked {
        match proved {
            Ok((checkpoint, receipt)) => {
                let (event, size) = (receipt.index, checkpoint.size);
                let leaf = String::from_utf8_lossy(&receipt.leaf);
                let by =
                    forgotten.get(&event).map_or_else(String::new, |by| format!(", forgotten by event {by}"));
                session.console.line(format!("{name}: proved: event {event} of {size}{by}: {leaf}"))?;
            }
            Err(error) => {
                failed += 1;
                session.console.line(format!("{name}: NOT PROVED: {error}"))?;
            }
        }
    }
    Ok(ExitStatus::of(failed > 0))
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
