//! The page `/repair`: repairs the records of another page, and shows every change.

use super::check::{Asked, asked, attached};
use super::markdown;
use super::posted::{Input, pack};
use super::render::{self, RepairPage};
use super::view::{Row, Tone};
use crate::service::body::Body;
use crate::service::memory::Budgeted;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::{Task, Unfinished};
use crate::service::{answer, media, work};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::record::Record;
use ferz::replay::{Replayer, Source};
use ferz::rewrite::fix::{Change, Repair, chosen, fix_within};
use ferz::text::{Budget, visible};

/// Changes that the page lists.
const CHANGES_MAX: usize = 500;
/// Characters of a changed text that the page shows.
const SHOWN_MAX: usize = 200;

/// A change of a record.
#[derive(Debug)]
pub struct Changed {
    /// The number of the game, from 1.
    pub game: usize,
    /// Line of the place, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// The repair.
    pub repair: &'static Repair,
    /// What it does, as HTML.
    pub what: String,
    /// The old text; empty for an insertion.
    pub before: String,
    /// The new text.
    pub after: String,
}

/// Repaired records.
#[derive(Debug)]
pub struct Repaired {
    repairs: Vec<&'static Repair>,
    /// The changes, as far as they are listed.
    pub changes: Vec<Changed>,
    /// The number of further changes.
    pub more: usize,
    /// Repairs that would have changed a game, each with the number of the game, from 1.
    pub refused: Vec<(usize, &'static Repair)>,
    /// A row for each game that is left.
    pub rows: Vec<Row>,
    answer: Budgeted,
}

impl Repaired {
    /// The number of changes.
    pub fn count(&self) -> usize {
        self.changes.len() + self.more
    }

    /// True if every game that is left is legal.
    pub fn is_legal(&self) -> bool {
        self.rows.iter().all(|row| row.tone == Tone::Good)
    }
}

impl Task for Repaired {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        let mut fixed = fix_within(replayer, record, source, &self.repairs, budget)?;
        self.answer.add(&fixed.bytes)?;
        for change in fixed.changes {
            if self.changes.len() < CHANGES_MAX {
                let Change { repair, line, column, before, after, .. } = change;
                let (before, after) = (shown(&before), shown(&after));
                let what = markdown::inline(repair.what);
                self.changes.push(Changed { game: number + 1, line, column, repair, what, before, after });
            } else {
                self.more += 1;
            }
        }
        self.refused.extend(fixed.refused.into_iter().map(|repair| (number + 1, repair)));
        for report in &mut fixed.reports {
            report.set_game(number);
            self.rows.push(Row::new(record, report));
        }
        Ok(())
    }

    fn answer(&mut self) -> &mut Budgeted {
        &mut self.answer
    }
}

/// A text with nothing hidden in it, as far as it is shown.
fn shown(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN_MAX).collect();
    let more = if cut.len() < text.len() { " …" } else { "" };
    visible(cut.as_bytes()) + more
}

/// Repairs the records of a form.
#[post("/repair")]
pub async fn repaired(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let Asked { posted, input: Input { bytes, .. }, options, .. } = asked(&request, payload, &state).await?;
    let task = Repaired {
        repairs: chosen(&[], posted.all),
        changes: Vec::new(),
        more: 0,
        refused: Vec::new(),
        rows: Vec::new(),
        answer: Budgeted::new(&state.memory),
    };
    let mut repaired = work::whole(&state, Body::plain(bytes), options, task).await?;
    let text = std::mem::replace(&mut repaired.answer, Budgeted::new(&state.memory));
    if posted.send {
        return Ok(attached("repaired.pgn", answer::whole(media::PGN, text)));
    }
    if repaired.rows.is_empty() {
        return Err(Problem::new(&problem::NO_RECORDS, "the text has no record"));
    }
    let html = move || {
        let packed = pack(text.as_ref())?;
        let shown = String::from_utf8_lossy(text.as_ref()).into_owned();
        render::html(&RepairPage { here: "/", repaired, text: shown, packed, posted })
    };
    render::in_pool(&state, html).await
}
