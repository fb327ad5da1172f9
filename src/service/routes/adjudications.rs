//! `POST /api/v1/adjudications`: judges a claim about a game.

use super::validate::json;
use super::{StyleOrAuto, given, letters, reading, switch};
use crate::adjudicate::{Claim, Fifty, Terms};
use crate::clock::Policy;
use crate::record::position_record;
use crate::replay::Options;
use crate::service::archived::ArchivedGame;
use crate::service::claims::{Subject, judge};
use crate::service::limits::{JUDGING_MAX, SEARCH_NODES_MAX, SUBMIT_BYTES_MAX};
use crate::service::memory::Budgeted;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::{body, media, openapi};
use crate::text::limits::SEARCH_NODES;
use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};

/// Query parameters: how to read the record.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
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

impl Query {
    /// The options for a record of the request.
    ///
    /// # Errors
    /// If the game or the language is unknown.
    pub(in crate::service) fn options(&self, state: &AppState) -> Result<Options, Problem> {
        let options = reading(state, self.style, self.variant.as_deref(), self.let_stand)?;
        Ok(Options { language: letters(state, self.language.as_deref())?, ..options })
    }

    /// Refuses every parameter where there is nothing to read by it.
    fn refuse(&self, why: &str) -> Result<(), Problem> {
        let Query { style, variant, let_stand, language } = self;
        let given = [
            ("style", style.is_some()),
            ("variant", variant.is_some()),
            ("let_stand", let_stand.is_some()),
            ("language", language.is_some()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Problem::new(&problem::BAD_OPTION, format!("{why}; omit `{name}`"))),
            None => Ok(()),
        }
    }
}

/// A claim about a game: one of `record`, `id` and `position`
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct Adjudication {
    /// A record, in any style, or as JSON
    record: Option<String>,
    /// The number of the game in `record`, from 1
    game: Option<usize>,
    /// A game of the archive: its id, or the first digits of it
    id: Option<String>,
    /// A position without a record
    position: Option<Position>,
    #[schema(value_type = openapi::Claim)]
    claim: Claim,
    /// The policy for clocks, remedies and penalties: the name of a built-in one; `plain` by default
    policy: Option<String>,
    /// Whether the rules of fifty and seventy-five moves hold
    #[serde(default)]
    #[schema(value_type = FiftyMoves)]
    fifty: FiftyMoves,
    budget: Option<Work>,
}

/// A position of a game
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Position {
    /// The name of the game, mutators first
    variant: String,
    /// The position as (extended) FEN
    fen: String,
    /// Tags that choose rules: `NatureRules`, `WhiteArmy`, `BlackArmy`, `RulesEdition`
    #[serde(default)]
    tags: BTreeMap<String, String>,
}

/// Whether the rules of fifty and seventy-five moves hold
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FiftyMoves {
    /// As the rules of the game say
    #[default]
    Applied,
    /// Neither draws a game
    Suspended,
}

/// How much work the verdict may take
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Work {
    /// Positions that a search may visit; 200,000 by default
    #[schema(maximum = 10_000_000)]
    nodes: Option<u64>,
    /// Time after which a search ends; 10,000 by default
    #[schema(minimum = 1, maximum = 10_000)]
    milliseconds: Option<u64>,
}

impl Work {
    /// The number of positions and the time.
    fn limits(work: Option<Work>) -> Result<(u64, Duration), Problem> {
        let most = u64::try_from(JUDGING_MAX.as_millis()).unwrap_or(u64::MAX);
        let Work { nodes, milliseconds } = work.unwrap_or(Work { nodes: None, milliseconds: None });
        let (nodes, milliseconds) = (nodes.unwrap_or(SEARCH_NODES), milliseconds.unwrap_or(most));
        if nodes > SEARCH_NODES_MAX {
            let detail = format!("budget.nodes {nodes} exceeds {SEARCH_NODES_MAX}");
            return Err(Problem::new(&problem::BAD_OPTION, detail));
        }
        if !(1..=most).contains(&milliseconds) {
            let detail = format!("budget.milliseconds {milliseconds} is not between 1 and {most}");
            return Err(Problem::new(&problem::BAD_OPTION, detail));
        }
        Ok((nodes, Duration::from_millis(milliseconds)))
    }
}

/// Judges a claim about a game
///
/// Returns the object that `ferz adjudicate --format json` prints: the verdict, what it rests on, and the certificate
/// that others check. A game of the archive is judged by the rules and options it was archived with.
#[utoipa::path(operation_id = "judge_claim", tag = "claims", params(Query), request_body = Adjudication,
    responses((status = 200, description = "The verdict", body = openapi::Verdict)))]
#[post("/adjudications")]
pub(in crate::service) async fn adjudicate(
    request: HttpRequest,
    query: web::Query<Query>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let (asked, _memory) = body::parts(&request, payload, &state.memory, SUBMIT_BYTES_MAX).await?;
    let Adjudication { record, game, id, position, claim, policy, fifty, budget }: Adjudication = asked;
    let (nodes, time) = Work::limits(budget)?;
    let mut terms = Terms::of(nodes);
    if let Some(name) = policy {
        let unknown = |message: String| Problem::new(&problem::BAD_OPTION, message);
        terms.policy = Policy::named(&name).map_err(unknown)?;
    }
    terms.fifty = match fifty {
        FiftyMoves::Applied => Fifty::Applied,
        FiftyMoves::Suspended => Fifty::Suspended,
    };
    if record.is_none() && game.is_some() {
        return Err(Problem::new(
            &problem::BAD_OPTION,
            "`game` is the number of a game in `record`; omit it",
        ));
    }
    let in_text = |record: String, options: Options| {
        let mut text = Budgeted::new(&state.memory);
        text.add(record.as_bytes())?;
        let replayer = Box::new(state.replayer.with_options(options));
        Ok::<_, Problem>(Subject::Record { text, game: game.unwrap_or(1), replayer })
    };
    let subject = match (record, id, position) {
        (Some(record), None, None) => in_text(record, query.options(&state)?)?,
        (None, Some(id), None) => {
            query.refuse("a game of the archive is judged as it was archived")?;
            Subject::Archived(Box::new(ArchivedGame::find(&state, &id).await?))
        }
        (None, None, Some(Position { variant, fen, tags })) => {
            query.refuse("a position names its game and has no moves to read")?;
            let options = reading(&state, None, Some(&variant), None)?;
            let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if let Some(name) = tags.keys().find(|name| name.is_empty() || !is_name(name)) {
                let detail =
                    format!("`{}` is no name of a tag; write letters and digits", name.escape_debug());
                return Err(Problem::new(&problem::BAD_OPTION, detail));
            }
            let tags = tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            in_text(position_record(&variant, tags, &fen), Options { variant: None, ..options })?
        }
        _ => {
            let detail = "write exactly one of `record`, `id` and `position`";
            return Err(Problem::new(&problem::WRONG_SHAPE, detail));
        }
    };
    let verdict = judge(&state, subject, claim, (terms, time), |_, _, verdict| json(&verdict)).await??;
    Ok(HttpResponse::Ok().content_type(media::JSON).body([verdict, b"\n".to_vec()].concat()))
}
