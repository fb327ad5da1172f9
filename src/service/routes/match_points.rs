//! `POST /api/v1/match`: the match points of IAGO.

use super::{StyleOrAuto, given, letters, reading, switch};
use crate::service::json::{Values, json};
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::memory::Budgeted;
use crate::service::problem::Problem;
use crate::service::routes::validate::{FINDINGS, GAMES};
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{answer, body, media, openapi, work};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::adjudicate::{Match, MatchGame, PointScope, match_game_within};
use ferz::clock::DelayScope;
use ferz::record::Record;
use ferz::replay::{Options, Replayer, Source};
use ferz::text::Budget;
use serde::Deserialize;
use utoipa::IntoParams;

/// Query parameters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
    /// The moves over which delays add up to DelayLimit (IAP-1): `move`, or `game`
    #[serde(default, deserialize_with = "given")]
    #[param(value_type = Option<String>)]
    delays: Option<DelayScope>,
    /// The games over which points add up to decide a draw (IAP-3): `game`, or `match`
    #[serde(default, deserialize_with = "given")]
    #[param(value_type = Option<String>)]
    points: Option<PointScope>,
    /// The only accepted style, or `auto` for any
    #[serde(default, deserialize_with = "given")]
    #[param(schema_with = openapi::styles_or_auto)]
    style: Option<StyleOrAuto>,
    /// The game, overriding the tag `Variant`
    #[serde(default, deserialize_with = "given")]
    variant: Option<String>,
    /// Let illegal plies stand: report each, and continue from the position that resulted on the board
    #[serde(default, deserialize_with = "switch")]
    let_stand: Option<bool>,
    /// Piece letters: a language's code or name, `en` for the game's own, or `auto` to detect
    #[serde(default, deserialize_with = "given")]
    language: Option<String>,
}

/// The games of a match, scored.
struct Sum {
    sum: Match,
    delays: DelayScope,
    scored: Values,
    games: usize,
    findings: usize,
}

impl work::Task for Sum {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        let game = match_game_within(replayer, record, source, self.delays, budget)?;
        self.findings += usize::from(!game.faults.is_empty());
        self.games += 1;
        let scored = self.sum.add(MatchGame { game: number, ..game });
        Ok(self.scored.add(&scored)?)
    }

    fn answer(&mut self) -> &mut Budgeted {
        self.scored.answer()
    }
}

/// Sums the match points of IAGO
///
/// The records are the games of a match in order. Returns the object that `ferz match --format json` prints: each game
/// with its slow moves, points, score and faults, and the scores of the players (formats/MATCH.md).
#[utoipa::path(operation_id = "score_match", tag = "records", params(Query),
    request_body(description = "Records", content((String = "application/x-chess-pgn"), (String = "text/plain"),
        (openapi::Records = "application/json"))),
    responses((status = 200, description = "The games and the scores of the players",
        headers(("ferz-games" = u64, description = "How many games"),
            ("ferz-findings" = u64, description = "How many of them have faults")),
        content((Object = "application/json")))))]
#[post("/match")]
pub(in crate::service) async fn score_match(
    request: HttpRequest,
    query: web::Query<Query>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let options = reading(&state, query.style, query.variant.as_deref(), query.let_stand)?;
    let options = Options { language: letters(&state, query.language.as_deref())?, ..options };
    media::wanted(&request, &[media::JSON])?;
    let body = body::read(&request, payload, &state.memory, RECORDS_BYTES_MAX).await?;
    let task = Sum {
        sum: Match::new(query.points.unwrap_or_default()),
        delays: query.delays.unwrap_or_default(),
        scored: Values::new(&state.memory, media::JSON),
        games: 0,
        findings: 0,
    };
    let Sum { sum, scored, games, findings, .. } = work::whole(&state, body, options, task).await?;
    let mut whole = Budgeted::new(&state.memory);
    whole.add(b"{\"games\":")?;
    whole.add(scored.end()?.as_ref().trim_ascii_end())?;
    whole.add(b",\"scores\":")?;
    whole.add(&json(&sum.players())?)?;
    whole.add(b"}\n")?;
    let mut response = answer::whole(media::JSON, whole);
    response.headers_mut().insert(GAMES, games.into());
    response.headers_mut().insert(FINDINGS, findings.into());
    Ok(response)
}
