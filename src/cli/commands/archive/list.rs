//! `ferz archive list`, and the output of lists of games.

use super::Db;
use crate::cli::output::{ExitStatus, Failure, Outcome, json_line};
use crate::cli::session::Session;
use ferz::archive::{Archive, Filter, Summary};
use ferz::replay::summary::counted;
use ferz::text::limits::ARCHIVE_PAGE_MAX;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    db: Db,

    /// Include withdrawn games
    #[arg(long)]
    withdrawn: bool,

    /// Include unfinished games that a later entry continues
    #[arg(long)]
    continued: bool,

    #[command(flatten)]
    page: Page,
}

/// The length and format of a list.
#[derive(Debug, clap::Args)]
pub(super) struct Page {
    /// Output: one line a game, or one JSON object a line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,

    /// Maximum number of games, 0 for all
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(super) limit: usize,

    /// Continue after an earlier list, which ended with this cursor
    #[arg(long)]
    pub(super) cursor: Option<String>,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Ndjson,
}

const EXAMPLES: &str = "\
If there are more games, prints the cursor for the next ones on standard error.

Examples:
  ferz archive list --db club.ferz
  ferz archive list --db club.ferz --limit 0 --format ndjson | jq .white";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let (withdrawn, continued) = hidden(args.withdrawn, args.continued);
    let filter = Filter { withdrawn, continued, ..Filter::default() };
    show(&args.db, &filter, &args.page, session)?;
    Ok(ExitStatus::Fine)
}

/// Lists the matching games; returns whether there are any.
pub(super) fn show(
    db: &Db,
    filter: &Filter,
    page: &Page,
    session: &mut Session<'_>,
) -> Result<bool, Failure> {
    let archive = db.open_existing()?;
    let mut left = if page.limit == 0 { usize::MAX } else { page.limit };
    let mut cursor = page.cursor.clone();
    let mut any = false;
    loop {
        let wanted = left.min(ARCHIVE_PAGE_MAX);
        let listing = archive.list(filter, wanted, cursor.as_deref()).map_err(Failure::message)?;
        any |= !listing.items.is_empty();
        for summary in &listing.items {
            let line = match page.format {
                Format::Text => line(summary),
                Format::Ndjson => json_line(summary)?,
            };
            session.console.line(line)?;
        }
        left -= listing.items.len();
        cursor = listing.next_cursor;
        match &cursor {
            None => {
                if !any {
                    match hides(&archive, filter, page)? {
                        Some(what) => session.console.warning(what)?,
                        None => nothing(filter, page.cursor.is_some(), session)?,
                    }
                }
                return Ok(any);
            }
            Some(next) if left == 0 => {
                session.console.note(&format!("ferz: more games follow; continue with --cursor {next}"))?;
                return Ok(any);
            }
            Some(_) => {}
        }
    }
}

/// What an empty list hides.
fn hides(archive: &Archive, filter: &Filter, page: &Page) -> Result<Option<&'static str>, Failure> {
    let shown = [
        (
            Filter { withdrawn: None, ..filter.clone() },
            "only withdrawn games match; list them with --withdrawn",
        ),
        (
            Filter { withdrawn: None, continued: None, ..filter.clone() },
            "only games match that another entry continues; list them with --continued",
        ),
    ];
    for (wider, what) in shown {
        let is_wider = page.cursor.is_none() && wider != *filter;
        if is_wider && !archive.list(&wider, 1, None).map_err(Failure::message)?.items.is_empty() {
            return Ok(Some(what));
        }
    }
    Ok(None)
}

/// Reports an empty list: without output the search would seem to have failed.
///
/// # Errors
/// If the standard output cannot be written.
pub(super) fn nothing(filter: &Filter, continues: bool, session: &mut Session<'_>) -> Result<(), Failure> {
    let what = match () {
        () if continues => "no more games; omit --cursor to start over",
        () if is_of_all(filter) => "the archive is empty",
        () => "no game matches; `ferz archive list` lists all games",
    };
    session.console.warning(what)
}

/// True if a filter leaves out nothing but what lists hide.
fn is_of_all(filter: &Filter) -> bool {
    let Filter { withdrawn, continued, .. } = *filter;
    *filter == Filter { withdrawn, continued, ..Filter::default() }
}

/// What lists hide unless it is asked for.
pub(super) fn hidden(withdrawn: bool, continued: bool) -> (Option<bool>, Option<bool>) {
    ((!withdrawn).then_some(false), (!continued).then_some(false))
}

/// A game in one line.
pub(super) fn line(summary: &Summary) -> String {
    let Summary { id, variant, white, black, nature, event, site, date, round, result, plies, end, .. } =
        summary;
    let nature = nature.as_ref().map_or_else(String::new, |nature| format!(" - {nature}"));
    let verdict = match (summary.valid, end) {
        (false, _) if !summary.judged => ", not judged".to_owned(),
        (false, _) => ", NOT LEGAL".to_owned(),
        (true, Some(end)) => format!(", {end}"),
        (true, None) => String::new(),
    };
    let plies = counted(*plies, "ply", "plies");
    let known = [event, site].into_iter().filter(|name| *name != "?").cloned();
    let round = Some(round)
        .filter(|round| !matches!(round.as_str(), "?" | "-"))
        .map(|round| format!("round {round}"));
    let place = known.chain(round).collect::<Vec<_>>().join(", ");
    let place = if place.is_empty() { place } else { format!(" ({place})") };
    let withdrawn = summary.withdrawn.as_ref().map_or_else(String::new, |withdrawn| {
        let by = withdrawn.superseded_by.map_or_else(String::new, |id| format!(", superseded by {id}"));
        format!(", WITHDRAWN{by}: {}", withdrawn.because)
    });
    let continued = summary.continued_by.map_or_else(String::new, |id| format!(", continued by {id}"));
    let state = continued + &withdrawn;
    let own = if summary.own_rules { " (own rules)" } else { "" };
    format!(
        "{id}  {date}  {result:7}  {white} - {black}{nature}{place}: {variant}{own}, {plies}{verdict}{state}"
    )
}
