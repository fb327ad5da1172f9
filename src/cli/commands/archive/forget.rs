//! `ferz archive forget`.

use super::Db;
use super::receipts::Receipts;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::{Archive, ArchiveError, Forgetting, GameId, ToForget};
use ferz::replay::summary::counted;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Games to forget: their ids, or the first digits of them, at least 4
    #[arg(required_unless_present = "name")]
    ids: Vec<String>,

    /// Forget all games that have exactly this name as a player, event or site
    #[arg(long, value_name = "NAME", conflicts_with = "ids")]
    name: Option<String>,

    #[command(flatten)]
    db: Db,

    /// Reason; the log keeps it in plain words for ever, so name no one
    #[arg(long, value_name = "REASON", required_unless_present = "dry_run")]
    because: Option<String>,

    /// Only list what would be deleted
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,

    /// Delete; nothing brings it back
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    receipts: Receipts,
}

const EXAMPLES: &str = "\
Deletes the names, texts, reports and dates of games, the salts of their events, and names that no other game has.
Lists, searches and exports leave the games out, and the service answers 410 for them.
Rules, plies and result stay, and so do all events of the log: receipts prove what they proved, and `verify` says by \
which event a game was forgotten.
A later submission of the same game stores nothing.
Then rewrites the whole file, so that nothing is left in unused parts of it; stop other programs that read it.
Copies of the file, and blocks that the disk no longer uses, are your own to delete.

Without --yes, lists what would be deleted, and deletes nothing.

Exit codes: 0 forgotten, or listed with --dry-run; 2 nothing deleted, or an error.

Examples:
  ferz archive forget 3f9a --db club.ferz --dry-run
  ferz archive forget 3f9a --db club.ferz --because 'asked for by a player' --yes
  ferz archive forget --name 'Doe, Jane' --db club.ferz --because 'asked for by a player' --yes --receipts receipts";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    // Forgetting must not create an archive.
    let archive = args.db.open_existing()?;
    let ids = wanted(args, &archive)?;
    let (mut forgotten, mut left) = (0, Vec::new());
    for id in ids {
        match archive.forgotten(id).map_err(Failure::message)? {
            Some(known) => {
                forgotten += 1;
                session.console.line(known)?;
            }
            None => left.push(id),
        }
    }
    list(&archive.to_forget(&left).map_err(Failure::message)?, session)?;
    if args.dry_run {
        return Ok(ExitStatus::Fine);
    }
    if !args.yes {
        let why = "nothing was deleted; add --yes to delete this for good";
        return Err(Failure::message(why));
    }
    drop(archive);
    let archive = args.db.open()?;
    args.receipts.prepare()?;
    for id in &left {
        let because = args.because.clone().unwrap_or_default();
        let logged = archive.forget(Forgetting { id: *id, because }).map_err(Failure::message)?;
        args.receipts.write(&id.to_string(), logged.as_ref())?;
        let event = logged.map_or(0, |logged| logged.event());
        session.console.line(format!("{id} is forgotten by event {event}"))?;
    }
    if forgotten + left.len() > 0 {
        archive.clean().map_err(Failure::message)?;
    }
    Ok(ExitStatus::Fine)
}

/// The games that the arguments name.
fn wanted(args: &Args, archive: &Archive) -> Result<Vec<GameId>, Failure> {
    let mut ids: Vec<GameId> = match &args.name {
        Some(name) => archive.named(name.trim()).map_err(Failure::message)?,
        None => args
            .ids
            .iter()
            .map(|id| archive.resolve(id))
            .collect::<Result<_, _>>()
            .map_err(Failure::message)?,
    };
    if let (Some(name), true) = (&args.name, ids.is_empty()) {
        let why = format!("no game has the name `{name}`; `ferz archive search` shows how names are written");
        return Err(Failure::message(why));
    }
    for id in &ids {
        let exists = archive.forgotten(*id).map_err(Failure::message)?.is_some()
            || archive.get(*id).map_err(Failure::message)?.is_some();
        if !exists {
            return Err(Failure::message(ArchiveError::NoGame(*id)));
        }
    }
    // In the order in which they were named, each once.
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
    Ok(ids)
}

/// Lists what would be deleted.
fn list(all: &ToForget, session: &mut Session<'_>) -> Result<(), Failure> {
    let ToForget { games, names, shared_names } = all;
    for (game, texts) in games {
        let texts = counted(*texts, "text", "texts");
        session.console.line(format!(
            "to forget: {}  {}  {}  {} - {}: {}, {texts}",
            game.id, game.date, game.result, game.white, game.black, game.variant
        ))?;
    }
    for name in names {
        session.console.line(format!("to forget: the name `{name}`"))?;
    }
    for name in shared_names {
        session.console.line(format!("stays: the name `{name}`, which other games have"))?;
    }
    Ok(())
}
