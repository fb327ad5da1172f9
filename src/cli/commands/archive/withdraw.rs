//! `ferz archive withdraw`, `ferz archive supersede` and `ferz archive reinstate`.

use super::Db;
use super::receipts::Receipts;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::{Reinstatement, Withdrawal};

/// Arguments of `withdraw`.
#[derive(Debug, clap::Args)]
#[command(after_help = WITHDRAW_EXAMPLES)]
pub(super) struct Args {
    /// Game to withdraw: its id, or the first digits of it, at least 4
    id: String,

    #[command(flatten)]
    request: Request,
}

/// Arguments of `supersede`.
#[derive(Debug, clap::Args)]
#[command(after_help = SUPERSEDE_EXAMPLES)]
pub(super) struct SupersedeArgs {
    /// Game to withdraw: its id, or the first digits of it, at least 4
    old: String,

    /// Game that takes its place
    new: String,

    #[command(flatten)]
    request: Request,
}

/// Arguments of `reinstate`.
#[derive(Debug, clap::Args)]
#[command(after_help = REINSTATE_EXAMPLES)]
pub(super) struct ReinstateArgs {
    /// Game to show again: its id, or the first digits of it, at least 4
    id: String,

    #[command(flatten)]
    request: Request,
}

#[derive(Debug, clap::Args)]
struct Request {
    #[command(flatten)]
    db: Db,

    /// Reason, for those who look the game up later
    #[arg(long, value_name = "REASON")]
    because: String,

    #[command(flatten)]
    receipts: Receipts,
}

const WITHDRAW_EXAMPLES: &str = "\
Hides a game from lists, searches and exports. It is not deleted: `--withdrawn` and its id still show it, with the \
reason. Importing it again leaves it withdrawn; `reinstate` takes the withdrawal back.

Examples:
  ferz archive withdraw 3f9a --db club.ferz --because 'entered twice'
  ferz archive list --db club.ferz --withdrawn";

const SUPERSEDE_EXAMPLES: &str = "\
Withdraws the old game and names the new one as its successor. Import the new one first.

Examples:
  ferz archive supersede 3f9a 77c0 --db club.ferz --because 'wrong result'";

const REINSTATE_EXAMPLES: &str = "\
Takes all withdrawals of a game back, those of the texts of single submitters too. The log keeps all of them.

Examples:
  ferz archive list --db club.ferz --withdrawn
  ferz archive reinstate 3f9a --db club.ferz --because 'withdrawn by mistake'";

/// Runs `withdraw`.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    withdraw(&args.request, &args.id, None, session)
}

/// Runs `supersede`.
pub(super) fn supersede(args: &SupersedeArgs, session: &mut Session<'_>) -> Outcome {
    withdraw(&args.request, &args.old, Some(&args.new), session)
}

fn withdraw(request: &Request, id: &str, successor: Option<&str>, session: &mut Session<'_>) -> Outcome {
    // Withdrawing must not create an archive.
    request.db.open_existing()?;
    let archive = request.db.open()?;
    let id = archive.resolve(id).map_err(Failure::message)?;
    let successor = successor.map(|id| archive.resolve(id)).transpose().map_err(Failure::message)?;
    let withdrawal = Withdrawal { id, successor, because: request.because.clone(), token: None, own: false };
    request.receipts.prepare()?;
    let logged = archive.withdraw(withdrawal).map_err(Failure::message)?;
    request.receipts.write(&id.to_string(), logged.as_ref())?;
    session.console.line(match successor {
        None => format!("{id} is withdrawn"),
        Some(successor) => format!("{id} is withdrawn and superseded by {successor}"),
    })?;
    Ok(ExitStatus::Fine)
}

/// Runs `reinstate`.
pub(super) fn reinstate(args: &ReinstateArgs, session: &mut Session<'_>) -> Outcome {
    let Request { db, because, receipts } = &args.request;
    // Reinstating must not create an archive.
    db.open_existing()?;
    let archive = db.open()?;
    let id = archive.resolve(&args.id).map_err(Failure::message)?;
    receipts.prepare()?;
    let reinstatement = Reinstatement { id, because: because.clone(), token: None, own: false };
    let logged = archive.reinstate(reinstatement).map_err(Failure::message)?;
    receipts.write(&id.to_string(), logged.as_ref())?;
    session.console.line(format!("{id} is reinstated"))?;
    Ok(ExitStatus::Fine)
}
