//! `ferz archive revalidate`.

use super::Db;
use super::receipts::Receipts;
use crate::cli::filter_args::FilterArgs;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::{Change, Filter, Revalidated};
use ferz::replay::summary::counted;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    db: Db,

    #[command(flatten)]
    filter: FilterArgs,

    /// Judge by this edition of the rules, whatever the records say [default: the one of each record, as it is now]
    #[arg(long, value_name = "EDITION")]
    edition: Option<String>,

    /// Only list the verdicts that would change
    #[arg(long)]
    dry_run: bool,

    /// Reason for superseding games, for those who look them up later [default: the rules]
    #[arg(long, value_name = "REASON", conflicts_with = "dry_run")]
    because: Option<String>,

    #[command(flatten)]
    receipts: Receipts,
}

const EXAMPLES: &str = "\
Judges the games again by other rules than those they were judged by: by the definitions of today, or by an edition.
Lists each verdict that changes, and why.
Without --dry-run, each game whose verdict changes is stored once more, judged by these rules, and supersedes the old \
entry.
Nothing is deleted, and `verify` still judges each entry by the rules it was archived with.

Exit codes: 0 no verdict changes, 1 some do, or games cannot be judged, 2 usage or I/O error.

Examples:
  ferz archive revalidate --db club.ferz --dry-run
  ferz archive revalidate --db club.ferz --variant iago-m --edition 2027 --dry-run
  ferz --formats ours archive revalidate --db club.ferz --variant ours --because 'rule 4 corrected'";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    // Judging again must not create an archive.
    let existing = args.db.open_existing()?;
    let archive = if args.dry_run { existing } else { args.db.open()? };
    let filter = Filter { withdrawn: Some(false), ..args.filter.filter(session) };
    args.receipts.prepare()?;
    let (console, registry) = session.parts();
    let mut found = Vec::new();
    let (mut games, mut not_judged) = (0, 0);
    let judged =
        archive.revalidate(&filter, registry, args.edition.as_deref(), &mut |Revalidated { id, change }| {
            games += 1;
            match change {
                Change::None => {}
                other => found.push((id, other)),
            }
        });
    judged.map_err(Failure::message)?;
    let mut changed = 0;
    for (id, change) in found {
        match change {
            Change::None => {}
            Change::Verdict { why, submission } => {
                changed += 1;
                console.line(format!("game {id}: {why}"))?;
                if args.dry_run {
                    continue;
                }
                let rules = submission.report().rules.as_ref();
                let rules =
                    rules.map_or_else(String::new, |id| format!(" by {}, edition {}", id.name, id.edition));
                let because = args.because.clone().unwrap_or_else(|| format!("judged{rules}"));
                match archive.supersede_by_rules(id, *submission, &because) {
                    Ok(superseded) => {
                        let new = superseded.new.id;
                        args.receipts.write(&new.to_string(), superseded.new.logged.as_ref())?;
                        args.receipts.write(&id.to_string(), superseded.withdrawn.as_ref())?;
                        console.line(format!("game {id}: superseded by {new}"))?;
                    }
                    Err(error) => console.line(format!("game {id}: stays as it is: {error}"))?,
                }
            }
            Change::NotJudged(why) => {
                not_judged += 1;
                console.line(format!("game {id}: cannot be judged by these rules: {why}"))?;
            }
            Change::Damaged(error) => {
                not_judged += 1;
                console.line(format!("game {id}: {error}"))?;
            }
        }
    }
    let verdicts = match (args.dry_run, changed) {
        (true, 1) => "1 verdict would change".to_owned(),
        (true, _) => format!("{changed} verdicts would change"),
        (false, 1) => "1 verdict has changed".to_owned(),
        (false, _) => format!("{changed} verdicts have changed"),
    };
    let open = if not_judged > 0 { format!(", {not_judged} not judged") } else { String::new() };
    console.line(format!("{}: {verdicts}{open}", counted(games, "game", "games")))?;
    Ok(ExitStatus::of(changed + not_judged > 0))
}
