//! `ferz archive rules`.

use super::Db;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::KeptRules;
use ferz::replay::summary::counted;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print the rules with this digest, or a prefix of it, as a definition file
    digest: Option<String>,

    #[command(flatten)]
    db: Db,
}

const EXAMPLES: &str = "\
Each game is bound to the rules it was judged by, and the archive keeps them. If the program later has other rules of \
the same name, export and verify still use the old ones for old games.

Examples:
  ferz archive rules --db club.ferz
  ferz archive rules --db club.ferz 06d4dab7 > iago-b-2008.toml
  ferz --formats iago-b-2008.toml validate games.pgn";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let archive = args.db.open_existing()?;
    let all = archive.rules().map_err(Failure::message)?;
    let Some(wanted) = &args.digest else {
        for (KeptRules { id, whole }, games) in &all {
            let games = counted(usize::try_from(*games).unwrap_or(usize::MAX), "game", "games");
            // Definitions of one play that differ in words.
            let is_one = all.iter().filter(|(other, _)| other.id.digest == id.digest).count() == 1;
            let whole = if is_one { String::new() } else { format!("  {whole}") };
            session.console.line(format!("{}  {}  {}  {games}{whole}", id.digest, id.name, id.edition))?;
        }
        return Ok(ExitStatus::Fine);
    };
    let wanted = wanted.to_lowercase();
    let begins = |rules: &KeptRules| rules.id.digest.starts_with(&wanted) || rules.whole.starts_with(&wanted);
    let found: Vec<_> = all.iter().filter(|(rules, _)| begins(rules)).collect();
    let [(rules, _)] = found[..] else {
        let many = if found.is_empty() { "no" } else { "several" };
        let message =
            format!("{many} rules have a digest that begins with `{wanted}`; see `ferz archive rules`");
        return Err(Failure::message(message));
    };
    let text = archive.rules_text(rules).map_err(Failure::message)?;
    session.console.text(&text.unwrap_or_default())?;
    Ok(ExitStatus::Fine)
}
