//! `/api/v1/variants`: the known games.

use super::{given, switch};
use crate::service::json::json;
use crate::service::limits::DEFINITION_SENT_BYTES_MAX;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::{body, media};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use ferz::archive::{Archive, KeptRules};
use ferz::pieces::army::Repeats;
use ferz::rules::armies::{catalogue, repeats};
use ferz::rules::check::check;
use ferz::rules::classify::{Classification, classify};
use ferz::rules::prose::prose;
use ferz::rules::{Definition, Registry, RegistryError, RulesId};
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

/// Rules of one name that the archive holds.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct KnownRules {
    choices: Vec<Choice>,
}

/// Rules that the archive holds.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Choice {
    name: String,
    edition: String,
    /// The digest of play
    digest: String,
    /// The digest of the whole definition, by which the route shows these rules alone
    whole: String,
    /// How many games were judged by them
    games: u64,
}

/// An answer about the rules of a game.
enum Shown {
    /// The rules, in the form that the client accepts.
    Rules(Vec<u8>),
    /// Several rules have the name.
    Choices(Vec<u8>),
}

/// Returns the rules of a game, merged with its parents and mutators
///
/// JSON has identity, class, prose and definition. `Accept: application/toml` returns the definition alone,
/// `Accept: text/plain` the rules as prose. Rules that games of the archive were judged by are found by their name or
/// a digest too; where several have the name, the answer lists them.
#[utoipa::path(operation_id = "get_variant", tag = "variants", 
    params(("name" = String, Path, description = "The game's name, mutators first, or a digest of rules that the \
        archive holds"), Query),
    responses((status = 200, description = "The rules", content((Variant = "application/json"),
        (String = "application/toml"), (String = "text/plain"))),
        (status = 300, description = "Several rules of the archive have the name", body = KnownRules)))]
#[get("/variants/{name}")]
pub(in crate::service) async fn get(
    request: HttpRequest,
    name: web::Path<String>,
    query: web::Query<Query>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let media = media::wanted(&request, &[media::JSON, media::TOML, media::TEXT])?;
    let (registry, archive) = (state.registry, state.archive.clone());
    let made = state.judges.run(move || {
        let shown = rules(registry, &name, &query, media);
        match registry.canonical_name(&name) {
            Err(RegistryError::Unknown { .. }) => {
                in_archive(&archive, &name, &query, media)?.map_or_else(|| shown.map(Shown::Rules), Ok)
            }
            _ => shown.map(Shown::Rules),
        }
    });
    Ok(match made.await?? {
        Shown::Rules(body) => HttpResponse::Ok().content_type(media).body(body),
        Shown::Choices(body) => HttpResponse::MultipleChoices().content_type(media::JSON).body(body),
    })
}

/// The rules of a game of a registry.
fn rules(registry: &Registry, name: &str, query: &Query, media: &'static str) -> Result<Vec<u8>, Problem> {
    let tags = |tag: &str| query.tag(tag);
    let (definition, table) = registry.definition(name, &tags).map_err(unknown)?;
    let digest = match registry.rules(name, &tags) {
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
}

/// The rules that an archive holds under a name or a digest; `None` if it holds none.
fn in_archive(
    archive: &Archive,
    name: &str,
    query: &Query,
    media: &'static str,
) -> Result<Option<Shown>, Problem> {
    let is_meant = |rules: &KeptRules| {
        let is_named = rules.id.name.eq_ignore_ascii_case(name.trim());
        (is_named && query.edition.as_ref().is_none_or(|edition| *edition == rules.id.edition))
            || rules.whole == name
            || rules.id.digest == name
    };
    let mut found: Vec<_> = archive.rules()?.into_iter().filter(|(rules, _)| is_meant(rules)).collect();
    if found.len() > 1 {
        let choices = found.into_iter().map(|(KeptRules { id, whole }, games)| {
            let RulesId { name, edition, digest } = id;
            Choice { name, edition, digest, whole, games }
        });
        return Ok(Some(Shown::Choices(json(&KnownRules { choices: choices.collect() })?)));
    }
    let Some((kept, _)) = found.pop() else { return Ok(None) };
    let registry = archive.kept_rules(&kept)?;
    rules(&registry, &kept.id.name, query, media).map(|body| Some(Shown::Rules(body)))
}

/// Query parameters of a list of armies.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct ArmiesQuery {
    /// Include armies that use an augmenter twice
    #[serde(default, deserialize_with = "switch")]
    all: Option<bool>,
}

/// The armies of a game.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Armies {
    /// The game
    name: String,
    /// How many armies there are
    count: usize,
    /// Each as in the tags WhiteArmy and BlackArmy: one kind for each slot, in Betza notation
    armies: Vec<String>,
}

/// Lists the armies that the players of a game choose from
///
/// As `ferz variants armies` does. `Accept: text/plain` returns one army a line.
#[utoipa::path(operation_id = "list_armies", tag = "variants",
    params(("name" = String, Path, description = "The game's name, mutators first"), ArmiesQuery),
    responses((status = 200, description = "The armies", content((Armies = "application/json"),
        (String = "text/plain")))))]
#[get("/variants/{name}/armies")]
pub(in crate::service) async fn armies(
    request: HttpRequest,
    name: web::Path<String>,
    query: web::Query<ArmiesQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let media = media::wanted(&request, &[media::JSON, media::TEXT])?;
    let registry = state.registry;
    let made = state.judges.run(move || {
        let (definition, _) = registry.definition(&name, &|_| None).map_err(unknown)?;
        let (name, section) = (definition.name, definition.armies);
        let none = |detail: String| Problem::new(&problem::UNKNOWN_VARIANT, detail);
        if section.slots.is_empty() {
            return Err(none(format!("`{name}` has no choice of armies; try `augmented`")));
        }
        let catalogue = catalogue(&section).map_err(|error| none(error.to_string()))?;
        let repeats = if query.all == Some(true) { Repeats::Allowed } else { repeats(&section) };
        let armies: Vec<String> = catalogue.armies(repeats).map(|army| catalogue.text(&army)).collect();
        match media {
            media::TEXT => {
                Ok(armies.iter().flat_map(|army| [army.as_str(), "\n"]).collect::<String>().into_bytes())
            }
            _ => json(&Armies { name, count: armies.len(), armies }),
        }
    });
    Ok(HttpResponse::Ok().content_type(media).body(made.await??))
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
