//! `ferz archive search`.

use super::Db;
use super::list::{Format, Page, hidden, line, show};
use crate::cli::filter_args::FilterArgs;
use crate::cli::output::{ExitStatus, Failure, Outcome, json_line};
use crate::cli::progress::Progress;
use crate::cli::query_arg::{QueryArg, explain, hits_in_words, tell_impossible, tell_not_judged};
use crate::cli::session::Session;
use ferz::archive::{Filter, Proposed};
use ferz::replay::summary::counted;
use ferz::search::Search;
use ferz::text::limits::{ARCHIVE_PAGE_MAX, SEARCH_UNITS};
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of a player, as with --player
    #[arg(conflicts_with = "player")]
    name: Option<String>,

    #[command(flatten)]
    db: Db,

    #[command(flatten)]
    filter: FilterArgs,

    #[command(flatten)]
    query: QueryArg,

    /// Include withdrawn games
    #[arg(long)]
    withdrawn: bool,

    /// Include unfinished games that a later entry continues
    #[arg(long)]
    continued: bool,

    #[command(flatten)]
    page: Page,

    /// Print only the number of games in which the query holds
    #[arg(long, requires = "query", conflicts_with_all = ["limit", "cursor", "format"])]
    count: bool,
}

const EXAMPLES: &str = "\
--where finds games by what happened in them, as `ferz select` does in files (formats/QUERY.md).
Names match by the beginnings of their words, ignoring case and accents: `reti r` finds `Réti, Richard`.
Exit codes: 0 games found, 1 none found, 2 usage or I/O error.

Examples:
  ferz archive search --db club.ferz reti
  ferz archive search --db club.ferz --player reti --result 1-0
  ferz archive search --db club.ferz --event linares --since 1993 --until 1994.02
  ferz archive search --db club.ferz --variant iago-b --valid no
  ferz archive search --db club.ferz --where 'flip material KRPvKR and ply >= 80'
  ferz archive search --db club.ferz --where 'end mate' --count
  ferz archive search --db club.ferz --event linares --where 'captures Q next check' --explain
  ferz archive search --db club.ferz --moves 'e2e4 c7c5' --format ndjson";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut filter = args.filter.filter(session);
    if args.name.is_some() {
        filter.player.clone_from(&args.name);
    }
    let search = args.query.search(session.console.has_color())?;
    if filter == Filter::default() && search.is_none() {
        let message = "nothing to search for; add a filter such as `--player reti`, or `--where QUERY`, or use \
            `ferz archive list`";
        return Err(Failure::message(message));
    }
    (filter.withdrawn, filter.continued) = hidden(args.withdrawn, args.continued);
    if let Some(search) = search.as_ref().filter(|_| args.count) {
        let archive = args.db.open_existing()?;
        let (console, registry) = session.parts();
        let (count, _) = archive.count(&filter, search, registry, u64::MAX).map_err(Failure::message)?;
        console.line(count.to_string())?;
        return Ok(ExitStatus::of(count == 0));
    }
    if let Some(search) = search {
        return found(args, &filter, &search, session);
    }
    show(&args.db, &filter, &args.page, session).map(|any| ExitStatus::of(!any))
}

/// Lists the games in which a query holds.
fn found(args: &Args, filter: &Filter, search: &Search, session: &mut Session<'_>) -> Outcome {
    let archive = args.db.open_existing()?;
    let page = &args.page;
    let mut left = if page.limit == 0 { usize::MAX } else { page.limit };
    let (mut cursor, mut looked_at, mut not_judged, mut any) = (page.cursor.clone(), 0, 0, false);
    let mut progress = Progress::new(None, Arc::default());
    let (console, registry) = session.parts();
    let mut proposed = Proposed::default();
    loop {
        let wanted = left.min(ARCHIVE_PAGE_MAX);
        let found = archive.search(filter, search, registry, wanted, cursor.as_deref(), SEARCH_UNITS);
        let found = found.map_err(Failure::message)?;
        progress.add_games(found.looked_at as u64 + found.proposed.ruled_out);
        proposed += found.proposed;
        (looked_at, not_judged) = (looked_at + found.looked_at, not_judged + found.not_judged);
        any |= !found.items.is_empty();
        for game in &found.items {
            let shown = match page.format {
                Format::Text => {
                    format!("{}{}", line(&game.summary), hits_in_words(&game.hit_moves, game.hits.len()))
                }
                Format::Ndjson => json_line(game)?,
            };
            progress.aside(|| console.line(shown))?;
        }
        left -= found.items.len();
        cursor = found.next_cursor;
        if cursor.is_none() || left == 0 {
            break;
        }
    }
    progress.finish();
    tell_impossible(console, search)?;
    tell_not_judged(console, not_judged, "")?;
    if args.query.explain {
        explain(console, search, looked_at)?;
        console.note(&index_in_words(&proposed))?;
    }
    match &cursor {
        Some(next) => console.note(&format!("ferz: more games may follow; continue with --cursor {next}"))?,
        None if any => {}
        None if page.cursor.is_some() => console.warning("no more games; omit --cursor to start over")?,
        None => console.warning(format!("none of {} matches", counted(looked_at, "game", "games")))?,
    }
    Ok(ExitStatus::of(!any))
}

/// What the index said.
fn index_in_words(said: &Proposed) -> String {
    let counted = |games: u64| counted(usize::try_from(games).unwrap_or(usize::MAX), "game", "games");
    let (proposed, indexed, left) =
        (counted(said.proposed), counted(said.indexed), counted(said.not_indexed));
    let ruled_out = match said.ruled_out {
        0 => String::new(),
        games => format!(", and their plies rule out {}", counted(games)),
    };
    format!("the index proposes {proposed} of {indexed}{ruled_out}; {left} not indexed")
}
