//! The records of one page: a row for each game, and the open game in full.

use super::film;
use super::view::{Board, Finding, GameView, Row};
use crate::service::memory::{Budgeted, MemoryBudget};
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::{Task, Unfinished};
use ferz::archive::Submission;
use ferz::board::Owner;
use ferz::notation::Style;
use ferz::record::Record;
use ferz::replay::{Played, Replayer, Source};
use ferz::rewrite::{ConvertOptions, convert_within};
use ferz::text::{Budget, Exhausted};

/// Games that a page lists.
pub const GAMES_MAX: usize = 2_000;
/// Losses that a page lists.
const LOSSES_MAX: usize = 100;

/// The open game, and its moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Open {
    /// Its number, from 0; `None` for the list of all games.
    pub game: Option<usize>,
    /// True to open a single game directly.
    pub only: bool,
    /// The number of plies made; `None` for the end.
    pub ply: Option<usize>,
    /// The style to convert it to.
    pub to: Option<Style>,
    /// True if Black is at the bottom.
    pub from_black: bool,
    /// True to show all its positions instead of one.
    pub film: bool,
}

impl Open {
    /// The player at the bottom.
    fn seen_by(self) -> Owner {
        seen_by(self.from_black)
    }
}

/// The player at the bottom.
pub fn seen_by(from_black: bool) -> Owner {
    if from_black { Owner::Black } else { Owner::White }
}

/// The open game in another style.
#[derive(Debug, Clone)]
pub struct ConvertedView {
    /// The style.
    pub style: &'static str,
    /// The record.
    pub text: String,
    /// The losses.
    pub losses: Vec<Finding>,
    /// The number of further losses.
    pub more: usize,
}

/// The records of one page.
#[derive(Debug)]
pub struct PageRecords {
    open: Open,
    /// A row for each game, if all are listed.
    pub rows: Vec<Row>,
    /// The number of games.
    pub games: usize,
    /// Their legal plies.
    pub plies: usize,
    /// The open game.
    pub game: Option<GameView>,
    /// The open game in another style.
    pub converted: Option<ConvertedView>,
    /// Records to store.
    pub kept: Option<Vec<Submission>>,
    /// All positions of the open game, if they were asked for.
    pub boards: Vec<Board>,
    answer: Budgeted,
}

impl PageRecords {
    /// Nothing yet.
    pub fn new(open: Open, keep: bool, state: &AppState) -> PageRecords {
        let (answer, kept) = (Budgeted::new(&state.memory), keep.then(Vec::new));
        PageRecords {
            open,
            rows: Vec::new(),
            games: 0,
            plies: 0,
            game: None,
            converted: None,
            kept,
            boards: Vec::new(),
            answer,
        }
    }
}

impl Task for PageRecords {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        if number >= GAMES_MAX {
            let detail = format!("the limit of a page is {GAMES_MAX} games");
            return Err(Problem::new(&problem::TOO_MANY_GAMES, detail).into());
        }
        let mut submission = None;
        if self.kept.is_some() {
            let judged = Submission::judge_within(replayer, record, source, budget)??;
            submission = judged.is_record().then_some(judged);
        }
        let lists = self.open.game.is_none();
        let opens = self.open.game == Some(number) || lists && self.open.only && number == 0;
        if opens && self.open.film {
            if let Ok(played) = Played::within(replayer, record, source, number, budget)? {
                self.boards = film::boards(record, &played, self.open.seen_by(), budget)?;
            }
        } else if opens {
            let played = Played::within(replayer, record, source, number, budget)?;
            let played = played.as_ref().map_err(|report| &**report);
            let game = GameView::new(record, source, played, (self.open.ply, self.open.seen_by()));
            let report = match played {
                Ok(played) => played.report(),
                Err(report) => report,
            };
            if let Some(to) = self.open.to {
                self.converted = Some(converted(replayer, record, source, number, to, budget)?);
            }
            self.rows.push(Row::new(record, report));
            self.plies += report.plies;
            self.game = Some(game);
        } else if lists {
            let report = replayer.report_within(record, source, number, budget)?;
            self.rows.push(Row::new(record, &report));
            self.plies += report.plies;
        }
        self.games = number + 1;
        if let (Some(kept), Some(submission)) = (&mut self.kept, submission) {
            kept.push(submission);
        }
        Ok(())
    }

    fn answer(&mut self) -> &mut Budgeted {
        &mut self.answer
    }
}

/// A record in another style, with the losses.
pub fn converted(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
    to: Style,
    budget: &Budget,
) -> Result<ConvertedView, Exhausted> {
    let options = ConvertOptions::new(to);
    let converted = convert_within(replayer, record, source, number, &options, budget)?;
    let more = converted.losses_in_all().saturating_sub(LOSSES_MAX);
    let losses = converted.losses.iter().take(LOSSES_MAX).map(Finding::of).collect();
    Ok(ConvertedView { style: to.name(), text: converted.text, losses, more })
}

/// Records in another style, to download.
#[derive(Debug)]
pub struct Download {
    /// The records come from the archive, and name their rules.
    pub archived: bool,
    to: Style,
    /// The game to convert; `None` for all.
    game: Option<usize>,
    answer: Budgeted,
}

impl Download {
    /// No records yet.
    pub fn new(to: Style, game: Option<usize>, memory: &MemoryBudget) -> Download {
        Download { archived: false, to, game, answer: Budgeted::new(memory) }
    }

    /// The records.
    pub fn into_answer(self) -> Budgeted {
        self.answer
    }
}

impl Task for Download {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        if self.game.is_some_and(|game| game != number) {
            return Ok(());
        }
        let options = ConvertOptions { digest: self.archived, ..ConvertOptions::new(self.to) };
        let converted = convert_within(replayer, record, source, number, &options, budget)?;
        self.answer.add(converted.text.as_bytes())?;
        Ok(())
    }

    fn answer(&mut self) -> &mut Budgeted {
        &mut self.answer
    }
}
