//! Pages to read: the documents, and the rules of every game.

use super::documents::DOCUMENTS;
use super::form::Choices;
use super::markdown;
use super::render::{self, DocumentPage, Known, VariantPage, VariantsPage};
use super::view::{Board, position_board};
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, web};
use ferz::position::Position;
use ferz::rules::prose::prose;
use ferz::rules::{AnyRules, RegistryError};
use serde::Deserialize;
use std::sync::{Arc, LazyLock, OnceLock};

/// The pages of the documents in order, rendered on first use; they are long and never change.
static PAGES: LazyLock<Vec<OnceLock<Bytes>>> =
    LazyLock::new(|| DOCUMENTS.iter().map(|_| OnceLock::new()).collect());

/// A document.
pub async fn document(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let path = request.path();
    let found = DOCUMENTS.iter().zip(PAGES.iter()).find(|(document, _)| document.path == path);
    let none = || Problem::new(&problem::NOT_FOUND, "there is no such document");
    let (document, page) = found.ok_or_else(none)?;
    if let Some(page) = page.get() {
        return Ok(render::shared(page.clone()));
    }
    let html = render::html(&DocumentPage {
        here: path,
        title: document.title(),
        sections: document.sections(),
        html: document.html(),
    })?;
    Ok(render::shared(page.get_or_init(|| html.into()).clone()))
}

/// The list of known games.
#[get("/variants")]
pub async fn variants(
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
) -> Result<HttpResponse, Problem> {
    let choices = choices.get_or_init(|| Choices::of(state.registry));
    let listings: Vec<_> = state.registry.list().into_iter().filter(|game| !game.mutator).collect();
    let games = listings.iter().enumerate().map(|(index, game)| Known {
        name: game.name.clone(),
        title: game.title.clone(),
        edition: game.edition.clone(),
        older: listings.get(index + 1).is_some_and(|next| next.name == game.name),
    });
    render::page(&VariantsPage {
        here: "/variants",
        games: games.collect(),
        mutated: choices.variants.get(1..).unwrap_or_default(),
    })
}

/// Query parameters of a game's page.
#[derive(Debug, Deserialize)]
pub struct VariantQuery {
    /// The edition; the current one by default.
    edition: Option<String>,
}

/// The rules of a game.
#[get("/variants/{name}")]
pub async fn variant(
    state: web::Data<AppState>,
    name: web::Path<String>,
    query: web::Query<VariantQuery>,
) -> Result<HttpResponse, Problem> {
    let edition = query.into_inner().edition;
    let tags = |tag: &str| if tag == "RulesEdition" { edition.clone() } else { None };
    let unknown = |error: RegistryError| Problem::new(&problem::UNKNOWN_VARIANT, error.to_string());
    let (definition, _) = state.registry.definition(&name, &tags).map_err(unknown)?;
    let (digest, board) = match state.registry.rules(&name, &tags) {
        Ok(rules) => (rules.id().digest.clone(), Some(start(rules))),
        // Without the tags that the game needs there is a definition, but no array.
        Err(RegistryError::Tag { tag, .. }) => (format!("depends on the tag {tag} of the record"), None),
        Err(error) => return Err(unknown(error)),
    };
    let text = prose(&definition, &digest);
    render::page(&VariantPage {
        here: "/variants",
        title: markdown::title(&text).to_owned(),
        board,
        html: markdown::html(&text),
    })
}

fn start(rules: AnyRules) -> Board {
    let caption = "Starting position".to_owned();
    match rules {
        AnyRules::Narrow(rules) => position_board(&Position::start(Arc::clone(&rules)), &[], None, caption),
        AnyRules::Wide(rules) => position_board(&Position::start(Arc::clone(&rules)), &[], None, caption),
    }
}
