//! `POST /api/v1/compare`: compares two records of a game.

use super::ReadQuery;
use crate::service::at_hand::AtHand;
use crate::service::json::json;
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::problem::Problem;
use crate::service::state::AppState;
use crate::service::subject::{admit, no_game};
use crate::service::work::Unfinished;
use crate::service::{body, media};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::json::WholeText;
use ferz::rewrite::compare_within;
use serde::Deserialize;
use utoipa::ToSchema;

/// Two records
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct Records {
    /// The first record, in any style, or as JSON
    a: String,
    /// The second record
    b: String,
    /// The numbers of the games in the two texts, from 1; the first of each without them
    games: Option<[usize; 2]>,
    /// Definitions of games of the request's own, in TOML, parents first
    #[serde(default)]
    definitions: Vec<String>,
}

/// Compares two records of a game
///
/// Returns the object that `ferz compare --format json` prints: whether they are of the same game, where they part, and
/// which of the later plies would be legal in the other (formats/COMPARE.md).
#[utoipa::path(operation_id = "compare_records", tag = "records", params(ReadQuery), request_body = Records,
    responses((status = 200, description = "The comparison", content((Object = "application/json")))))]
#[post("/compare")]
pub(in crate::service) async fn compare(
    request: HttpRequest,
    query: web::Query<ReadQuery>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let options = query.options(&state)?;
    let (asked, memory) = body::parts(&request, payload, &state, RECORDS_BYTES_MAX).await?;
    let Records { a, b, games, definitions }: Records = asked;
    let [first, second] = games.unwrap_or([1, 1]);
    let budget = state.budget();
    let (own, mut replayer) = (budget.clone(), state.replayer.with_options(options));
    let at_hand = AtHand::new(&state);
    let compared = state.judges.run_within(&budget, state.judging, move || {
        let _memory = memory;
        let (a, b) = (WholeText::new(a.as_bytes()), WholeText::new(b.as_bytes()));
        let (a, a_source) = a.record(first).map_err(|none| no_game(none, first).named("a"))?;
        let (b, b_source) = b.record(second).map_err(|none| no_game(none, second).named("b"))?;
        admit(&a).and_then(|()| admit(&b))?;
        let mut found = at_hand.with(&definitions)?.work(&mut replayer, &a, |replayer| {
            Ok(compare_within(replayer, (&a, &a_source), (&b, &b_source), &own)?)
        })?;
        found.a.report.set_game(first - 1);
        found.b.report.set_game(second - 1);
        Ok(json(&found)?)
    });
    let body = compared.await?.map_err(|unfinished: Unfinished| unfinished.problem(&state))?;
    Ok(HttpResponse::Ok().content_type(media::JSON).body([body, b"\n".to_vec()].concat()))
}
