//! `ferz archive key`: the key that signs the log of an archive.

use super::Db;
use super::receipts::Receipts;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::Archive;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Print the public key, which checks receipts
    Show(Db),
    /// Replace the key by a new one, and print the new public key
    Rotate(Rotate),
}

#[derive(Debug, clap::Args)]
struct Rotate {
    #[command(flatten)]
    db: Db,

    /// Start a new key although the old one is lost; the log records it without the old key's signature
    #[arg(long)]
    lost: bool,

    #[command(flatten)]
    receipts: Receipts,
}

const EXAMPLES: &str = "\
The signing key is in FILE.key, made with the archive and readable by its owner alone. Give the public key to everyone \
who gets receipts. Keep a copy of the key file apart from copies of the archive.

Receipts from before a change of keys are checked with the public key of that time.

Examples:
  ferz archive key show --db club.ferz
  ferz archive key rotate --db club.ferz
  ferz archive key rotate --lost --db club.ferz";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let key = match &args.command {
        Command::Show(db) => db.open_existing()?.log_key().map_err(Failure::message)?,
        Command::Rotate(Rotate { db, lost, receipts }) => {
            // A new key must not create an archive.
            db.open_existing()?;
            receipts.prepare()?;
            let (key, logged) = Archive::rotate_key(&db.path, *lost).map_err(Failure::message)?;
            receipts.write("key", Some(&logged))?;
            key
        }
    };
    session.console.line(key)?;
    Ok(ExitStatus::Fine)
}
