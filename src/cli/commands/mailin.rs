//! `ferz mailin`: a mail of a player becomes a ply, or an answer that says why not.

use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use crate::mail::{Desk, Heading, answer};
use crate::tournament::read_players;
use chrono::{DateTime, Utc};
use ferz::archive::Archive;
use ferz::text::visible;
use std::io::Read;
use std::path::PathBuf;
use std::time::SystemTime;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// File of one mail; without it, or as `-`, standard input
    file: Option<PathBuf>,

    /// Archive in which the game is played
    #[arg(long, value_name = "FILE")]
    db: PathBuf,

    /// Players as CSV with the columns `name` and `email`
    #[arg(long, value_name = "FILE")]
    players: PathBuf,

    /// Address of the desk, for the answers
    #[arg(long, value_name = "ADDRESS")]
    from: Option<String>,
}

const EXAMPLES: &str = "\
A player answers a letter of `ferz archive event remind`, or of this command, by sending its line `ferz GAME CODE PLY` \
back with a ply, or by a reply that quotes the line and has only the ply on a line. The code proves whose mail it is; \
the sender's address proves nothing. Without the code of the present position nothing is stored.

Answers are printed as a mailbox for the mailer of the host: to the player, and to those who are to move next, at the \
addresses in the list. What was done is said on standard error. A mail that a program wrote is not answered.

Exit codes: 0 stored, 1 refused, 2 usage or I/O error.

Examples:
  ferz mailin --db club.ferz --players players.csv --from desk@example.org < mail | formail -s sendmail -t
  ferz mailin --db club.ferz --players players.csv mail.eml > answers.mbox";

/// The longest mail that is read, in bytes: pictures of a signature do no harm.
const MAIL_BYTES_MAX: u64 = 8 << 20;

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let list = std::fs::read_to_string(&args.players)
        .map_err(|error| Failure::message(format!("{}: {error}", args.players.display())))?;
    let players =
        read_players(&list).map_err(|why| Failure::message(format!("{}: {why}", args.players.display())))?;
    let mut mail = Vec::new();
    let input = input::open(args.file.as_deref())?;
    input.reader.take(MAIL_BYTES_MAX + 1).read_to_end(&mut mail).map_err(Failure::message)?;
    if mail.len() as u64 > MAIL_BYTES_MAX {
        return Err(Failure::message(format!("{}: a mail has at most {MAIL_BYTES_MAX} bytes", input.name)));
    }
    // A wrong path must not create an archive.
    Archive::open_existing(&*args.db).map_err(Failure::message)?;
    let archive = Archive::open(&*args.db).map_err(Failure::message)?;
    let codes = archive.reply_codes().map_err(Failure::message)?;
    let desk = Desk { players: &players, codes: &codes };
    let now: DateTime<Utc> = SystemTime::now().into();
    let at = u64::try_from(now.timestamp_millis()).unwrap_or_default();
    let policies = session.policies();
    let answered =
        answer(&archive, (session.registry(), &policies), &desk, &mail, at).map_err(Failure::message)?;
    let heading = Heading { from: args.from.clone() };
    for letter in &answered.letters {
        session.console.text(&letter.text(&heading, now))?;
    }
    for line in answered.stored.iter().chain(&answered.refused) {
        session.console.note(&format!("ferz: {}", visible(line.as_bytes())))?;
    }
    for name in &answered.without_address {
        let name = visible(name.as_bytes());
        session.console.warning(format!("no address of {name}; write it in the column `email`"))?;
    }
    Ok(ExitStatus::of(answered.stored.is_empty() || !answered.refused.is_empty()))
}
