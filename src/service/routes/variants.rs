//! `/api/v1/variants`: the known games.

use super::given;
use crate::service::json::json;
use crate::service::limits::DEFINITION_SENT_BYTES_MAX;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::{body, media};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use ferz::rules::check::check;
use ferz::rules::classify::{Classification, classify};
use ferz::rules::prose::prose;
use ferz::rules::{Definition, RegistryError};
use ferz::text::{Diagnostic, LineColumn, LineIndex, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A game in the list.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Known {
    /// Name; for a mutator the part before the plus sign
    name: String,
    /// Title
    title: String,
    /// Edition; mutators have none
    edition: Option<String>,
    /// True for mutators, which are written before a game's name: `misere+chess`
    mutator: bool,
}

/// All known games.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Variants {
    items: Vec<Known>,
}

/// Lists the known games
#[utoipa::path(operation_id = "list_variants", tag = "variants",
    responses((status = 200, description = "The games, by name", content((Variants = "application/json"),
        (String = "application/x-ndjson")))))]
#[get("/variants")]
pub(in crate::service) async fn list(
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let media = media::wanted(&request, &[media::JSON, media::NDJSON])?;
    let items = state.registry.list().into_iter().map(|game| Known {
        name: game.name.trim_end_matches("+…").to_owned(),
        title: game.title,
        edition: (!game.mutator).then_some(game.edition),
        mutator: game.mutator,
    });
    let body = if media == media::NDJSON {
        let lines = items.map(|item| json(&item).map(|line| [line, b"\n".to_vec()].concat()));
        lines.collect::<Result<Vec<_>, _>>()?.concat()
    } else {
        json(&Variants { items: items.collect() })?
    };
    Ok(HttpResponse::Ok().content_type(media).body(body))
}

/// Query parameters: the tags of a record that choose rules.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct Query {
    /// The tag `RulesEdition`
    #[serde(default, deserialize_with = "given")]
    edition: Option<String>,
    /// The tag `NatureRules`
    #[serde(default, deserialize_with = "given")]
    nature_rules: Option<String>,
    /// The tag `WhiteArmy`
    #[serde(default, deserialize_with = "given")]
    white_army: Option<String>,
    /// The tag `BlackArmy`
    #[serde(default, deserialize_with = "given")]
    black_army: Option<String>,
    /// The tag `FEN`
    #[serde(default, deserialize_with = "given")]
    fen: Option<String>,
}

/// A game's rules.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Variant {
    name: String,
    title: String,
    edition: String,
    /// `None` if the rules need tags that are missing.
    digest: Option<String>,
    #[schema(value_type = Object)]
    classification: Classification,
    needs_tags: Vec<String>,
    prose: String,
    #[schema(value_type = Object)]
    definition: Definition,
}

/// Returns the rules of a game, merged with its parents and mutators
///
/// JSON has identity, class, prose and definition. `Accept: application/toml` returns the definition alone,
/// `Accept: text/plain` the rules as prose.
#[utoipa::path(operation_id = "get_variant", tag = "variants", 
    params(("name" = String, Path, description = "The game's name, mutators first"), Query),
    responses((status = 200, description = "The rules", content((Variant = "application/json"),
        (String = "application/toml"), (String = "text/plain")))))]
#[get("/variants/{name}")]
pub(in crate::service) async fn get(
    request: HttpRequest,
    name: web::Path<String>,
    query: web::Query<Query>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let media = media::wanted(&request, &[media::JSON, media::TOML, media::TEXT])?;
    let registry = state.registry;
    let made = state.judges.run(move || {
        let tags = |tag: &str| query.tag(tag);
        let (definition, table) = registry.definition(&name, &tags).map_err(unknown)?;
        let digest = match registry.rules(&name, &tags) {
            Ok(rules) => Some(rules.id().digest.clone()),
            // Without the tags that the game needs there is a definition, but no compiled rules.
            Err(RegistryError::Tag { tag, .. }) if tags(&tag).is_none() => None,
            Err(error) => return Err(unknown(error)),
        };
        let digest_text = digest.as_deref().unwrap_or("depends on tags that a record must have");
        match media {
            media::TOML => Ok(toml::to_string(&table)
                .map_err(|error| Problem::new(&problem::INTERNAL, error.to_string()))?
                .into_bytes()),
            media::TEXT => Ok(prose(&definition, digest_text).into_bytes()),
            _ => json(&Variant {
                name: definition.name.clone(),
                title: definition.title.clone(),
                edition: definition.edition.clone(),
                classification: classify(&definition, &definition.name),
                needs_tags: definition.needs_tags.clone(),
                prose: prose(&definition, digest_text),
                digest,
                definition,
            }),
        }
    });
    Ok(HttpResponse::Ok().content_type(media).insert_header(("vary", "accept")).body(made.await??))
}

/// A checked definition.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct CheckedDefinition {
    /// True if there are no mistakes
    ok: bool,
    /// What the definition is of: name, edition and digest of the game, or the games of a mutator; empty with mistakes
    what: String,
    /// All mistakes, in the order of the text
    mistakes: Vec<Mistake>,
    /// Fields that change nothing, because another one gives them nothing to act on
    in_vain: Vec<Mistake>,
}

/// A mistake of a definition, or a field in vain.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Mistake {
    /// Line, from 1
    line: usize,
    /// Character in the line, from 1
    column: usize,
    /// The bytes, half open
    span: [usize; 2],
    /// What is wrong, and the remedy
    message: String,
}

/// Checks the definition of a game or a mutator
///
/// Lists every mistake, as `ferz variants check` does. The definition may extend any game that the service knows;
/// nothing is stored. Requests with records may bring definitions along: `{"records": "…", "definitions": ["…"]}`.
#[utoipa::path(operation_id = "check_variant", tag = "variants",
    request_body(description = "A definition in TOML (formats/VARIANT.md), at most 64 KiB",
        content((String = "application/toml"))),
    responses((status = 200, description = "The mistakes", body = CheckedDefinition)))]
#[post("/variants/check")]
pub(in crate::service) async fn check_definition(
    request: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let body = body::raw(&request, payload, &state.memory, DEFINITION_SENT_BYTES_MAX).await?;
    let registry = state.registry;
    let checked = state.judges.run(move || {
        let text = std::str::from_utf8(body.as_ref()).map_err(|error| {
            let detail = format!("byte {}: a definition is UTF-8", error.valid_up_to());
            Problem::new(&problem::BAD_DEFINITION, detail)
        })?;
        let (what, mistakes, in_vain) = match check(&mut registry.clone(), text) {
            Ok(checked) => (checked.what, Vec::new(), checked.in_vain),
            Err(mistakes) => (String::new(), mistakes, Vec::new()),
        };
        let index = LineIndex::new(text.as_bytes());
        let placed = |found: Diagnostic| {
            let Span { start, end } = found.span;
            let LineColumn { line, column } = index.locate(start);
            Mistake { line, column, span: [start, end], message: found.message.into_owned() }
        };
        let mistakes: Vec<Mistake> = mistakes.into_iter().map(placed).collect();
        let in_vain = in_vain.into_iter().map(placed).collect();
        json(&CheckedDefinition { ok: mistakes.is_empty(), what, mistakes, in_vain })
    });
    let body = checked.await??;
    Ok(HttpResponse::Ok().content_type(media::JSON).body([body, b"\n".to_vec()].concat()))
}

fn unknown(error: RegistryError) -> Problem {
    let kind = match error {
        RegistryError::Unknown { .. } | RegistryError::Undefined { .. } => &problem::UNKNOWN_VARIANT,
        _ => &problem::BAD_OPTION,
    };
    Problem::new(kind, error.to_string())
}

impl Query {
    fn tag(&self, name: &str) -> Option<String> {
        let value = match name {
            "RulesEdition" => &self.edition,
            "NatureRules" => &self.nature_rules,
            "WhiteArmy" => &self.white_army,
            "BlackArmy" => &self.black_army,
            "FEN" => &self.fen,
            _ => &None,
        };
        value.clone()
    }
}
