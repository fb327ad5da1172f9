//! The option `--where`, the same for files and for an archive.

use super::carets::draw_argument;
use super::output::{Console, Failure};
use ferz::replay::summary::counted;
use ferz::search::{Impossible, Query, Search};

/// What to look for.
#[derive(Debug, clap::Args)]
pub(super) struct QueryArg {
    /// Condition that must hold in some position of the game, in quotes: `'Nd5 and QxP'`; see formats/QUERY.md
    #[arg(long = "where", value_name = "QUERY")]
    pub(super) query: Option<String>,

    /// Show how the query was understood, and how many games were read and replayed
    #[arg(long, requires = "query")]
    pub(super) explain: bool,
}

impl QueryArg {
    /// The search for the query, if there is one.
    ///
    /// # Errors
    /// If it cannot be read, with the place and the remedy.
    pub(super) fn search(&self, color: bool) -> Result<Option<Search>, Failure> {
        let Some(text) = &self.query else { return Ok(None) };
        let query = text.parse::<Query>().map_err(|error| {
            let message = format!("--where: {}", error.message);
            Failure::Drawn(draw_argument(&message, text, error.span, &error.remedy, color))
        })?;
        Ok(Some(Search::new(query)))
    }
}

/// The plies before the positions that were found, after what else is said of a game; `moves` are the first ones.
pub(super) fn hits_in_words(moves: &[String], hits: usize) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let more = hits - moves.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(": {}{more}", moves.join(", "))
}

/// Says which conditions nothing can meet in any game: a man or a square that none has.
///
/// # Errors
/// If the standard output cannot be written.
pub(super) fn tell_impossible(console: &mut Console, search: &Search) -> Result<(), Failure> {
    for Impossible { condition, game, reason } in search.impossible() {
        console.warning(format!("nothing can meet `{condition}`: in {game}, {reason}"))?;
    }
    Ok(())
}

/// Says how many games could not be judged.
///
/// # Errors
/// If the standard output cannot be written.
pub(super) fn tell_not_judged(console: &mut Console, count: usize, hint: &str) -> Result<(), Failure> {
    if count == 0 {
        return Ok(());
    }
    let games = counted(count, "game", "games");
    console.warning(format!("{games} could not be judged, so that only the tags could decide{hint}"))
}

/// Shows how the query was understood and what it cost.
///
/// # Errors
/// If the standard output cannot be written.
pub(super) fn explain(console: &mut Console, search: &Search, read: usize) -> Result<(), Failure> {
    let query = search.query();
    console.note(&format!("query: {}", query.structure()))?;
    let replayed = search.replayed();
    let by_text = read.saturating_sub(replayed);
    let (read, replayed) = (counted(read, "game", "games"), counted(replayed, "game", "games"));
    console.note(&format!("{read} read; {replayed} replayed; {by_text} decided by tags, or not judged"))
}
