//! `ferz archive token`: access tokens of a service.

use super::Db;
use super::receipts::Receipts;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use chrono::NaiveDate;
use ferz::archive::{Archive, Issued, Scope, TokenInfo, TokenRequest};

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
    Add(Add),
    /// List all tokens with their holders, scopes, and times of creation, expiry and revocation
    List(Db),
    /// Revoke a token
    Revoke(Revoke),
}

/// A token to create.
#[derive(Debug, clap::Args)]
struct Add {
    #[command(flatten)]
    named: Named,

    /// What the token is for: read, submit, play, arbiter or director, several with commas; a director may do all
    #[arg(long = "scope", value_name = "SCOPE", value_delimiter = ',', default_value = "read,submit")]
    scopes: Vec<Scope>,

    /// Who uses the token, if that is not its name
    #[arg(long, value_parser = name)]
    holder: Option<String>,

    /// Last day on which the token is valid, in UTC
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = end_of_day)]
    expires: Option<i64>,

    #[command(flatten)]
    receipts: Receipts,
}

/// A token to revoke.
#[derive(Debug, clap::Args)]
struct Revoke {
    #[command(flatten)]
    named: Named,

    #[command(flatten)]
    receipts: Receipts,
}

/// A token of an archive.
#[derive(Debug, clap::Args)]
struct Named {
    /// Name of the token
    #[arg(value_parser = name)]
    name: String,

    #[command(flatten)]
    db: Db,
}

const EXAMPLES: &str = "\
Without any token, a service on a loopback address is open to everyone on this machine. The archive keeps only the \
digest of a token; if one is lost, revoke it and create another.

Examples:
  ferz archive token add club --db club.ferz
  ferz archive token add chief --scope director --holder 'Ann Arber' --db club.ferz
  ferz archive token add guest --scope read --expires 2027-01-31 --db club.ferz
  ferz archive token list --db club.ferz
  ferz archive token revoke club --db club.ferz --receipts receipts";

fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.is_empty() || text.chars().any(char::is_control) {
        true => Err("write a name, such as the holder's".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// The end of a day, in milliseconds since 1970.
fn end_of_day(text: &str) -> Result<i64, String> {
    let day = text.parse::<NaiveDate>().ok().and_then(|day| day.and_hms_milli_opt(23, 59, 59, 999));
    let end = day.ok_or_else(|| "write a date as YYYY-MM-DD".to_owned())?;
    Ok(end.and_utc().timestamp_millis())
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::Add(Add { named: Named { name, db }, scopes, holder, expires, receipts }) => {
            let archive = db.open()?;
            receipts.prepare()?;
            let (name, holder, scopes) = (name.clone(), holder.clone(), scopes.clone());
            let request = TokenRequest { name, holder, scopes, expires: *expires };
            let Issued { token, logged } = archive.create_token(request).map_err(Failure::message)?;
            session.console.line(token)?;
            receipts.write("token", logged.as_ref())?;
            note_without_director(&archive, session)?;
        }
        Command::Revoke(Revoke { named: Named { name, db }, receipts }) => {
            // Revoking must not create an archive.
            db.open_existing()?;
            let archive = db.open()?;
            receipts.prepare()?;
            let logged = archive.revoke_token(name).map_err(Failure::message)?;
            receipts.write("token", logged.as_ref())?;
        }
        Command::List(db) => {
            for token in db.open_existing()?.tokens().map_err(Failure::message)? {
                let TokenInfo { name, holder, scopes, expires, created, revoked } = token;
                let holder =
                    if holder.is_empty() || holder == name { String::new() } else { format!(" ({holder})") };
                let scopes = scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(",");
                let expires = expires.map_or_else(String::new, |time| format!(", expires {time}"));
                let revoked = revoked.map_or_else(String::new, |time| format!(", revoked {time}"));
                session
                    .console
                    .line(format!("{name}{holder}  {scopes}  made {created}{expires}{revoked}"))?;
            }
        }
    }
    Ok(ExitStatus::Fine)
}

/// Says how to make a director, where there is none.
fn note_without_director(archive: &Archive, session: &mut Session<'_>) -> Result<(), Failure> {
    let tokens = archive.tokens().map_err(Failure::message)?;
    let is_director = |token: &TokenInfo| token.revoked.is_none() && token.scopes.contains(&Scope::Director);
    if tokens.iter().any(is_director) {
        return Ok(());
    }
    session
        .console
        .note("no token is a director's; `ferz archive token add NAME --scope director --db FILE` makes one")
}
