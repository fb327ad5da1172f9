//! `ferz archive token`: access tokens of a service.

use super::Db;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Create a token and print it, only this once
    Add(Named),
    /// List all tokens with their times of creation and revocation
    List(Db),
    /// Revoke a token
    Revoke(Named),
}

/// A token of an archive.
#[derive(Debug, clap::Args)]
struct Named {
    /// Holder of the token
    #[arg(value_parser = name)]
    name: String,

    #[command(flatten)]
    db: Db,
}

const EXAMPLES: &str = "\
Without any token, a service on a loopback address is open to everyone on this machine. The archive keeps only the \
digest of a token; if one is lost, revoke it and create another.

Examples:
  ferz archive token add arbiter --db club.ferz
  ferz archive token list --db club.ferz
  ferz archive token revoke arbiter --db club.ferz";

fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.is_empty() || text.chars().any(char::is_control) {
        true => Err("write a name, such as the holder's".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::Add(Named { name, db }) => {
            let token = db.open()?.add_token(name).map_err(Failure::message)?;
            session.console.line(token)?;
        }
        Command::Revoke(Named { name, db }) => {
            // Revoking must not create an archive.
            db.open_existing()?;
            db.open()?.revoke_token(name).map_err(Failure::message)?;
        }
        Command::List(db) => {
            for token in db.open_existing()?.tokens().map_err(Failure::message)? {
                let revoked = token.revoked.map_or_else(String::new, |time| format!(", revoked {time}"));
                session.console.line(format!("{}  made {}{revoked}", token.name, token.created))?;
            }
        }
    }
    Ok(ExitStatus::Fine)
}
