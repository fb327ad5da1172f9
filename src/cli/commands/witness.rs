//! `ferz witness`: cosigns the log of another archive.

use crate::cli::key_file::public_key;
use crate::cli::mirror_notes::{contradicted, note_first_use, note_handover};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::service_args::ServiceArgs;
use crate::cli::session::Session;
use ferz::archive::{MirrorError, VerifierKey, Witness, WitnessKey, read_key};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Print the public key of a witness; make the key first if the file does not exist
    Key(Key),
    /// Fetch the log of another archive, check that it has only grown, and cosign its head
    Cosign(Box<Cosign>),
    /// Print the receipt of an event under the head that was cosigned last
    Receipt(Receipt),
}

#[derive(Debug, clap::Args)]
struct Key {
    /// File of the key, readable by its owner alone
    file: PathBuf,

    /// Name of the witness for a new key, such as its address without `https://`
    #[arg(long)]
    name: Option<String>,
}

/// The witness and its mirror.
#[derive(Debug, clap::Args)]
struct Place {
    /// Directory of the mirror, which is created
    #[arg(long, value_name = "DIR")]
    to: PathBuf,

    /// File of the witness's key, which `ferz witness key` makes
    #[arg(long, value_name = "FILE")]
    signer: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Cosign {
    /// Address of the service with the log
    url: String,

    #[command(flatten)]
    place: Place,

    /// Public key of the log [default: the first time, the one that the service shows; then that of the mirror]
    #[arg(long, value_name = "VKEY")]
    key: Option<VerifierKey>,
}

#[derive(Debug, clap::Args)]
struct Receipt {
    /// Number of the event
    event: u64,

    #[command(flatten)]
    place: Place,
}

const EXAMPLES: &str = "\
A witness proves when a log had an event, and that its server did not show one log to some and another one to others. \
It is best run by someone who is independent of the server, such as another club, once an hour.

`cosign` prints the head with the cosignature, and keeps it in the mirror as `cosigned`. If the log has not only \
grown, it cosigns nothing and prints both signed heads. A head that was cosigned before keeps its time.
Everyone who has the head checks it with `ferz verify --key VKEY --witness WITNESS_KEY`, and the archive against it \
with `ferz archive verify --against`.

Exit codes: 0 cosigned, 1 the log contradicts the mirror or is not signed by its key, 2 usage or I/O error.

Examples:
  ferz witness key witness.key --name chess.example.net/witness
  ferz witness cosign https://archive.example.org --to club-mirror --signer witness.key > cosigned
  ferz witness receipt 17 --to club-mirror --signer witness.key > 17.tlog-proof
  ferz verify 17.tlog-proof --key \"$(cat club-mirror/key)\" --witness \"$(ferz witness key witness.key)\"";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::Key(args) => key(args, session),
        Command::Cosign(args) => cosign(args, session),
        Command::Receipt(args) => receipt(args, session),
    }
}

fn key(args: &Key, session: &mut Session<'_>) -> Outcome {
    let key: WitnessKey = public_key(&args.file, args.name.as_deref())?;
    session.console.line(key)?;
    Ok(ExitStatus::Fine)
}

fn cosign(args: &Cosign, session: &mut Session<'_>) -> Outcome {
    let signer = read_key(&args.place.signer).map_err(Failure::message)?;
    let client = ServiceArgs::at(&args.url, None).client(session)?;
    let fetch = &mut |path: &str| client.log(path).map_err(|error| error.to_string());
    let mut witness = match Witness::open(&args.place.to, signer, args.key.as_ref(), fetch) {
        Ok(witness) => witness,
        Err(error) => return contradicted(error, session),
    };
    note_first_use(witness.mirror(), session)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let key = witness.mirror().key().clone();
    match witness.cosign(now, fetch) {
        Ok(cosigned) => {
            note_handover(&key, witness.mirror(), session)?;
            session.console.text(&cosigned)?;
            Ok(ExitStatus::Fine)
        }
        Err(error) => contradicted(error, session),
    }
}

fn receipt(args: &Receipt, session: &mut Session<'_>) -> Outcome {
    let Place { to, signer } = &args.place;
    let signer = read_key(signer).map_err(Failure::message)?;
    let no_mirror = || format!("{}: no mirror; make it with `ferz witness cosign`", to.display());
    if !to.join("key").exists() {
        return Err(Failure::message(no_mirror()));
    }
    let fetch = &mut |_: &str| Err(no_mirror());
    let witness = Witness::open(to, signer, None, fetch).map_err(Failure::message)?;
    let receipt = witness.receipt(args.event).map_err(Failure::message)?;
    let none = || {
        let event = args.event;
        MirrorError::Fetch(format!(
            "no head with event {event} was cosigned with this key; run `ferz witness cosign`"
        ))
    };
    session.console.text(&receipt.ok_or_else(none).map_err(Failure::message)?.to_string())?;
    Ok(ExitStatus::Fine)
}
