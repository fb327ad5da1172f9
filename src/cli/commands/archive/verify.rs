//! `ferz archive verify`.

use super::Db;
use crate::cli::commands::verify::time;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::progress::Progress;
use crate::cli::session::Session;
use ferz::archive::{Anchor, Checkpoint, Finding, FindingKind, WitnessKey};
use ferz::replay::summary::counted;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    db: Db,

    /// Judge every text again, by its game's rules
    #[arg(long)]
    replay: bool,

    /// Receipts and checkpoints from before: check that the log still has all of them
    #[arg(long, value_name = "RECEIPT|CHECKPOINT", num_args = 1..)]
    against: Vec<PathBuf>,

    /// Public key of a witness: show when it cosigned what --against names; repeat for several
    #[arg(long = "witness", value_name = "WITNESS_KEY", requires = "against")]
    witnesses: Vec<WitnessKey>,
}

const EXAMPLES: &str = "\
Check the log: its hash tree, its signature, the order of its times. Check the structure of the file, and every row \
against the events that it follows from. Check every digest, key and id. With --replay, judge every text \
again by its game's rules, which the archive has kept even if they have changed since. Texts that this version judges \
or reads differently are listed and counted. They are not damage.

Only --against finds an archive that was rolled back, or rewritten by someone who has the key.

Exit codes: 0 no damage, 1 damage, 2 usage or I/O error.

Examples:
  ferz archive verify --db club.ferz
  ferz archive verify --db club.ferz --replay
  ferz archive verify --db club.ferz --against receipts/*.tlog-proof checkpoint-of-may
  ferz archive verify --db club.ferz --against cosigned --witness \"$(cat witness.vkey)\"";

/// Reads what was kept outside the archive.
fn anchor(file: &Path) -> Result<Anchor, Failure> {
    let (name, text) = crate::cli::commands::verify::read(file)?;
    let wrong = |error| Failure::message(format!("{name}: {error}; name a receipt or a checkpoint"));
    Anchor::read(&name, &text).map_err(wrong)
}

/// Shows when witnesses cosigned what was kept; returns the number of wrong cosignatures.
fn show_times(anchors: &[Anchor], args: &Args, session: &mut Session<'_>) -> Result<usize, Failure> {
    let mut wrong = 0;
    for (anchor, witness) in
        anchors.iter().flat_map(|anchor| args.witnesses.iter().map(move |one| (anchor, one)))
    {
        let (name, by) = (&anchor.name, witness.name());
        let size = Checkpoint::read(&anchor.checkpoint).map_or(0, |head| head.size);
        session.console.line(match Checkpoint::witnessed(&anchor.checkpoint, witness) {
            Ok(Some(seconds)) => {
                let events = counted(usize::try_from(size).unwrap_or(usize::MAX), "event was", "events were");
                format!("note: {name}: the first {events} there at {}, as {by} saw", time(seconds))
            }
            Ok(None) => format!("note: {name}: {by} has not cosigned it"),
            Err(error) => {
                wrong += 1;
                format!("file: {name}: {error}")
            }
        })?;
    }
    Ok(wrong)
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let archive = args.db.open_existing()?;
    let anchors: Vec<Anchor> = args.against.iter().map(|file| anchor(file)).collect::<Result<_, _>>()?;
    let mut bar = Progress::new(None, Arc::default());
    let (console, registry) = session.parts();
    let mut failed = Ok(());
    let (mut damaged, mut otherwise) = (0, 0);
    let checked = archive.verify_against(
        &anchors,
        args.replay.then_some(registry),
        &mut |Finding { id, kind, message }| {
            match kind {
                FindingKind::Damage => damaged += 1,
                FindingKind::Otherwise => otherwise += 1,
                FindingKind::Note => {}
            }
            let place = match (kind, id) {
                (FindingKind::Note, _) => "note".to_owned(),
                (_, Some(id)) => format!("game {id}"),
                (_, None) => "file".to_owned(),
            };
            if failed.is_ok() {
                failed = console.line(format!("{place}: {message}"));
            }
        },
        &mut |texts| bar.add_games(texts),
    );
    bar.finish();
    failed?;
    let checked = checked.map_err(Failure::message)?;
    damaged += show_times(&anchors, args, session)?;
    let mut parts = vec![format!("{damaged} damaged")];
    if args.replay || otherwise > 0 {
        parts.push(format!("{otherwise} judged otherwise by this version"));
    }
    if args.replay {
        if checked.other_rules > 0 {
            parts.push(format!("{} by kept rules, which are other ones today", checked.other_rules));
        }
        if checked.reworded > 0 {
            parts.push(format!("{} with a report that is worded otherwise", checked.reworded));
        }
    }
    let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let games = counted(number(checked.games), "game", "games");
    let texts = counted(number(checked.texts), "text", "texts");
    session.console.line(format!("{games}, {texts}: {}", parts.join(", ")))?;
    Ok(ExitStatus::of(damaged > 0))
}
