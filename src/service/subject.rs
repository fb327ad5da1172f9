//! The one record that a request is about: in its text, in the archive, or made of a position.

use super::archived::ArchivedGame;
use super::at_hand::{AtHand, RULES_DIGEST};
use super::limits::PLIES_PER_RECORD_MAX;
use super::memory::Budgeted;
use super::pool::Pool;
use super::problem::{self, Place, Problem};
use super::routes::{ReadQuery, reading};
use super::state::AppState;
use super::work::Unfinished;
use ferz::archive::GameId;
use ferz::json::{NoGame, WholeText};
use ferz::record::{ItemKind, Record, position_record};
use ferz::replay::summary::counted;
use ferz::replay::{Options, Replayer, Source};
use ferz::text::Budget;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// What a request is about.
#[derive(Debug)]
pub enum Subject {
    /// A record of a text.
    Record {
        /// The text.
        text: Budgeted,
        /// The number of the record, from 1.
        game: usize,
        /// The replayer, with the options of the request.
        replayer: Box<Replayer<'static>>,
        /// Definitions of games of the request's own, parents first.
        definitions: Vec<String>,
        /// The games of the service and of the archive.
        at_hand: Box<AtHand>,
    },
    /// A game of the archive.
    Archived(Box<ArchivedGame>),
}

/// A position of a game
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The name of the game, mutators first
    variant: String,
    /// The start as (extended) FEN; the array without it
    fen: Option<String>,
    /// Plies from there, in any style
    #[serde(default)]
    moves: String,
    /// Tags that choose rules: `NatureRules`, `WhiteArmy`, `BlackArmy`, `RulesEdition`
    #[serde(default)]
    tags: BTreeMap<String, String>,
}

/// The members of a request that name its record.
#[derive(Debug)]
pub struct Named {
    /// A text with records.
    pub record: Option<String>,
    /// The number of the record in it, from 1.
    pub game: Option<usize>,
    /// The id of a game of the archive.
    pub id: Option<String>,
    /// A position.
    pub position: Option<Position>,
    /// Definitions of games of the request's own, parents first.
    pub definitions: Vec<String>,
}

impl Subject {
    /// The record that a request names.
    ///
    /// # Errors
    /// If it names none or several, or the archive has no such game.
    pub async fn of(state: &AppState, query: &ReadQuery, named: Named) -> Result<Subject, Problem> {
        let Named { record, game, id, position, definitions } = named;
        if record.is_none() && game.is_some() {
            let detail = "`game` is the number of a game in `record`; omit it";
            return Err(Problem::new(&problem::BAD_OPTION, detail));
        }
        match (record, id, position) {
            (Some(record), None, None) => {
                Subject::in_text(state, &record, game, query.options(state)?, definitions)
            }
            (None, Some(_), None) if !definitions.is_empty() => {
                let detail = "a game of the archive is judged by its own rules; omit `definitions`";
                Err(Problem::new(&problem::BAD_OPTION, detail))
            }
            (None, Some(id), None) => {
                query.refuse("a game of the archive is judged as it was archived")?;
                Ok(Subject::Archived(Box::new(ArchivedGame::find(state, &id).await?)))
            }
            (None, None, Some(Position { variant, fen, moves, tags })) => {
                query.refuse_variant("the position names its game")?;
                if definitions.is_empty() && !tags.contains_key(RULES_DIGEST) {
                    reading(state, None, Some(&variant), None)?;
                }
                let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if let Some(name) = tags.keys().find(|name| name.is_empty() || !is_name(name)) {
                    let detail =
                        format!("`{}` is no name of a tag; write letters and digits", name.escape_debug());
                    return Err(Problem::new(&problem::BAD_OPTION, detail));
                }
                let tags = tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                let record = position_record(&variant, tags, fen.as_deref(), &moves);
                Subject::in_text(state, &record, None, query.options(state)?, definitions)
            }
            _ => {
                let detail = "write exactly one of `record`, `id` and `position`";
                Err(Problem::new(&problem::WRONG_SHAPE, detail))
            }
        }
    }

    /// The game of the archive, if it is one.
    pub fn archived(&self) -> Option<GameId> {
        match self {
            Subject::Record { .. } => None,
            Subject::Archived(archived) => Some(archived.entry.summary.id),
        }
    }

    fn in_text(
        state: &AppState,
        record: &str,
        game: Option<usize>,
        options: Options,
        definitions: Vec<String>,
    ) -> Result<Subject, Problem> {
        let mut text = Budgeted::new(&state.memory);
        text.add(record.as_bytes())?;
        let replayer = Box::new(state.replayer.with_options(options));
        let at_hand = Box::new(AtHand::new(state));
        Ok(Subject::Record { text, game: game.unwrap_or(1), replayer, definitions, at_hand })
    }
}

/// Works on the record of a request in a pool, within its budget.
///
/// # Errors
/// If the text has no such record, the work fails, or it takes too long.
pub async fn in_record<T: Send + 'static>(
    (state, pool): (&AppState, &Pool),
    subject: Subject,
    time: Duration,
    work: impl FnOnce(&mut Replayer<'_>, &Record<'_>, &Source<'_>, &Budget) -> Result<T, Unfinished>
    + Send
    + 'static,
) -> Result<T, Problem> {
    let budget = state.budget();
    let own = budget.clone();
    let time = time.min(state.judging);
    let done = pool.run_within(&budget, time, move || with_record(subject, &own, work));
    done.await?.map_err(|unfinished| unfinished.problem(state))
}

/// Works on the record of a request on this thread.
///
/// # Errors
/// If the text has no such record, the work fails, or the budget ends.
pub fn with_record<T>(
    subject: Subject,
    budget: &Budget,
    work: impl FnOnce(&mut Replayer<'_>, &Record<'_>, &Source<'_>, &Budget) -> Result<T, Unfinished>,
) -> Result<T, Unfinished> {
    match subject {
        Subject::Record { text, game, mut replayer, definitions, at_hand } => {
            let at_hand = (*at_hand).with(&definitions)?;
            let text = WholeText::new(text.as_ref());
            let (record, source) = text.record(game).map_err(|none| no_game(none, game))?;
            admit(&record)?;
            at_hand.work(&mut replayer, &record, |replayer| work(replayer, &record, &source, budget))
        }
        Subject::Archived(archived) => {
            let text = WholeText::new(&archived.text);
            let (record, source) = text.record(1).map_err(|none| no_game(none, 1))?;
            admit(&record)?;
            work(&mut archived.replayer(), &record, &source, budget)
        }
    }
}

/// The problem of a text without the record that is asked for.
pub fn no_game(none: NoGame, number: usize) -> Problem {
    match none {
        NoGame::TooFew(0) => Problem::new(&problem::NO_RECORDS, "the text has no record"),
        NoGame::TooFew(count) => {
            let games = counted(count, "game", "games");
            Problem::new(&problem::BAD_OPTION, format!("no game {number}; the text has {games}"))
        }
        NoGame::Refused { fault, line, column } => {
            let span = Some([fault.span.start, fault.span.end]);
            let place = Place { line: Some(line), column: Some(column), ply: None, span };
            Problem::new(&problem::WRONG_SHAPE, fault.to_string()).at(place)
        }
    }
}

/// Refuses a record with too many plies.
///
/// # Errors
/// If it has.
pub fn admit(record: &Record<'_>) -> Result<(), Problem> {
    let plies = record.items.iter().filter(|item| item.kind == ItemKind::Move).count();
    if plies <= PLIES_PER_RECORD_MAX {
        return Ok(());
    }
    let max = PLIES_PER_RECORD_MAX;
    let detail = format!("the record has {plies} plies, variations counted; at most {max} are judged");
    Err(Problem::new(&problem::TOO_MUCH_WORK, detail))
}
