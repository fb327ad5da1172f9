//! `ferz archive pull`.

use crate::cli::mirror_notes::{contradicted, note_first_use, note_handover};
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::service_args::ServiceArgs;
use crate::cli::session::Session;
use ferz::archive::{Mirror, VerifierKey};
use ferz::replay::summary::counted;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Address of the service
    url: String,

    /// Directory of the mirror, which is created
    #[arg(long, value_name = "DIR")]
    to: PathBuf,

    /// Public key of the log [default: the first time, the one that the service shows; then that of the mirror]
    #[arg(long, value_name = "VKEY")]
    key: Option<VerifierKey>,
}

const EXAMPLES: &str = "\
Mirrors the log of another archive: fetches its signed head and the events since the last time.
Checks the signature, and that the log has only grown since the head that the mirror has.
If it has not, prints both signed heads, which together prove it, and keeps the mirror as it was.
Follows the log to a new key (`ferz archive key rotate`) if the old key has signed that.
An interrupted run can simply be rerun: it goes on where it stopped.
The events have no names and no texts; `ferz fetch` fetches the games.
The token for the service is in the environment variable FERZ_TOKEN.

Exit codes: 0 the log has only grown, 1 it contradicts the mirror or is not signed by the key, 2 usage or I/O error.

Examples:
  ferz archive pull https://archive.example.org --to club-mirror
  ferz archive pull https://archive.example.org --to club-mirror --key \"$(cat club.vkey)\"
  ferz archive verify --db club.ferz --against club-mirror/checkpoint";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let client = ServiceArgs::at(&args.url, None).client(session)?;
    let fetch = &mut |path: &str| client.log(path).map_err(|error| error.to_string());
    let mut mirror = match Mirror::open(&args.to, args.key.as_ref(), fetch) {
        Ok(mirror) => mirror,
        Err(error) => return contradicted(error, session),
    };
    note_first_use(&mirror, session)?;
    let (before, key) = (mirror.size(), mirror.key().clone());
    match mirror.pull(fetch) {
        Ok(size) => {
            note_handover(&key, &mirror, session)?;
            let new =
                counted(usize::try_from(size - before).unwrap_or(usize::MAX), "new event", "new events");
            session.console.line(format!("{size} events, {new}: the log has only grown"))?;
            Ok(ExitStatus::Fine)
        }
        Err(error) => contradicted(error, session),
    }
}
