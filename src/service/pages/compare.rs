//! The page `/compare`: compares two records of a game.

use super::check::{RECORDS_BYTES_MAX, asked, editable};
use super::form::{Choices, Group};
use super::posted::Input;
use super::render::{self, ComparePage};
use super::view::{Board, ListedPlies, Tone, position_board};
use crate::service::problem::Problem;
use crate::service::state::AppState;
use crate::service::subject::{admit, no_game};
use crate::service::work::Unfinished;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use ferz::board::{Mask, by_width};
use ferz::json::WholeText;
use ferz::position::Position;
use ferz::record::Record;
use ferz::replay::{AnyGame, Game, Replayer};
use ferz::rewrite::{
    Comparison, Relation, compare_within, continuations_in_words, parting_ply_in_words, relation_in_words,
    side_in_words,
};
use std::sync::{Arc, OnceLock};

/// The form with its values.
#[derive(Debug)]
pub struct CompareForm<'a> {
    /// The text of record A.
    pub a: String,
    /// The text of record B.
    pub b: String,
    /// The games.
    pub variants: &'a [Group],
    /// The chosen game.
    pub variant: String,
    /// The limit on both records together.
    pub megabytes: usize,
}

/// A comparison in words.
#[derive(Debug)]
pub struct ComparedView {
    /// The tone.
    pub tone: Tone,
    /// The relation of the records.
    pub relation: String,
    /// The verdicts on A and B.
    pub sides: [String; 2],
    /// The position at the divergence.
    pub board: Option<Board>,
    /// The plies of A and B at the divergence.
    pub plies: Option<[String; 2]>,
    /// The plies of A and B, that at the divergence marked.
    pub lists: [ListedPlies; 2],
    /// What holds for the plies after it.
    pub later: Vec<String>,
    /// The tags that differ: name, value in A, value in B.
    pub tags: Vec<[String; 3]>,
}

impl ComparedView {
    fn new(found: &Comparison, records: [&Record<'_>; 2], board: Option<Board>) -> ComparedView {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "(none)".to_owned());
        let parting = found.parting.as_ref();
        ComparedView {
            tone: match found.relation {
                Relation::Same => Tone::Good,
                Relation::Prefix | Relation::NotJudged => Tone::Warning,
                Relation::Parted | Relation::OtherStart | Relation::OtherRules => Tone::Bad,
            },
            relation: relation_in_words(found),
            sides: [&found.a, &found.b].map(side_in_words),
            board,
            plies: parting.map(|parting| {
                [&parting.a, &parting.b].map(|ply| parting_ply_in_words(ply.as_ref()).replace('`', ""))
            }),
            lists: records
                .map(|record| ListedPlies::new(record, parting.map(|parting| parting.ply).as_slice())),
            later: continuations_in_words(found).iter().map(|line| line.replace('`', "")).collect(),
            tags: found.tags.iter().map(|tag| [tag.name.clone(), value(&tag.a), value(&tag.b)]).collect(),
        }
    }
}

/// The page with its form.
#[get("/compare")]
pub async fn ask(
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
) -> Result<HttpResponse, Problem> {
    page(&state, &choices, None, [String::new(), String::new()], String::new())
}

/// Compares the records of a form.
#[post("/compare")]
pub async fn answer(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
) -> Result<HttpResponse, Problem> {
    let asked = asked(&request, payload, &state).await?;
    let Input { bytes: a, .. } = asked.input;
    let b = asked.posted.other;
    let texts = [editable(a.as_ref()), editable(&b)];
    let budget = state.budget();
    let (own, mut replayer) = (budget.clone(), state.replayer.with_options(asked.options));
    let compared = state.judges.run_within(&budget, state.judging, move || {
        let (a, b) = (WholeText::new(a.as_ref()), WholeText::new(&b));
        let named = |name: &str, none| {
            let problem = no_game(none, 1);
            Problem::new(problem.kind(), format!("record {name}: {}", problem.detail()))
        };
        let (a, a_source) = a.record(1).map_err(|none| named("A", none))?;
        let (b, b_source) = b.record(1).map_err(|none| named("B", none))?;
        admit(&a).and_then(|()| admit(&b))?;
        let found = compare_within(&mut replayer, (&a, &a_source), (&b, &b_source), &own)?;
        let board = found.parting.as_ref().and_then(|parting| parting_board(&mut replayer, &a, &parting.fen));
        Ok(ComparedView::new(&found, [&a, &b], board))
    });
    let view = compared.await?.map_err(|unfinished: Unfinished| unfinished.problem(&state))?;
    page(&state, &choices, Some(view), texts, asked.posted.variant)
}

/// The position where the records diverge.
pub(super) fn parting_board(replayer: &mut Replayer<'_>, record: &Record<'_>, fen: &str) -> Option<Board> {
    fn drawn<M: Mask>(game: &Game<M>, fen: &str) -> Option<Board> {
        let position = Position::from_fen(Arc::clone(&game.rules), fen).ok()?;
        Some(position_board(&position, &[], None, "Where the records diverge".to_owned()))
    }
    let game = replayer.game(record).ok()?;
    by_width!(AnyGame, &game, |game| drawn(game, fen))
}

fn page(
    state: &AppState,
    choices: &OnceLock<Choices>,
    compared: Option<ComparedView>,
    [a, b]: [String; 2],
    variant: String,
) -> Result<HttpResponse, Problem> {
    let variants = &choices.get_or_init(|| Choices::of(state.registry)).variants;
    let form = CompareForm { a, b, variants, variant, megabytes: RECORDS_BYTES_MAX >> 20 };
    render::page(&ComparePage { here: "/compare", compared, form })
}
