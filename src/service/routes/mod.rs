//! The routes, one file a noun, with parameters and answers beside their handlers.

pub mod adjudications;
pub mod bulletins;
pub mod certificates;
pub mod compare;
pub mod convert;
pub mod correspondence;
pub mod decode;
pub mod diagram;
pub mod docs;
pub mod feed;
pub mod fix;
pub mod games;
pub mod health;
pub mod log;
pub mod match_points;
pub mod positions;
pub mod problems;
pub mod stories;
pub mod tournaments;
pub mod validate;
pub mod variants;
pub mod witness;

use super::openapi;
use super::problem::{self, Problem};
use super::state::AppState;
use ferz::notation::{Language, Style};
use ferz::replay::{AUTO, LanguageChoice, Options};
use ferz::rules::RegistryError;
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;
use utoipa::IntoParams;

/// Parses a text parameter; one without a value counts as absent.
pub(super) fn given<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|error| serde::de::Error::custom(format!("`{text}`: {error}")))
}

/// Parses a number parameter, which needs a value.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(|_| serde::de::Error::custom(format!("`{text}` is not a number")))
}

/// Parses a switch: `1` and `true` are on, `0` and `false` off. It needs a value.
pub(super) fn switch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "1" | "true" => Ok(Some(true)),
        "0" | "false" => Ok(Some(false)),
        other => Err(serde::de::Error::custom(format!("`{other}` is neither `true` nor `false`"))),
    }
}

/// The accepted style, or any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct StyleOrAuto(Option<Style>);

impl FromStr for StyleOrAuto {
    type Err = String;

    fn from_str(text: &str) -> Result<StyleOrAuto, String> {
        if text.eq_ignore_ascii_case("auto") {
            Ok(StyleOrAuto(None))
        } else {
            text.parse().map(|style| StyleOrAuto(Some(style)))
        }
    }
}

/// The options for the query parameters `style`, `variant` and `let_stand`.
///
/// # Errors
/// If the variant is unknown.
pub(super) fn reading(
    state: &AppState,
    style: Option<StyleOrAuto>,
    variant: Option<&str>,
    let_stand: Option<bool>,
) -> Result<Options, Problem> {
    if let Some(variant) = variant.filter(|name| !name.eq_ignore_ascii_case(AUTO)) {
        let unknown = |error: RegistryError| Problem::new(&problem::BAD_OPTION, error.to_string());
        state.registry.canonical_name(variant).map_err(unknown)?;
    }
    let style = style.unwrap_or_default().0;
    Ok(Options {
        style,
        variant: variant.map(str::to_owned),
        let_stand: let_stand == Some(true),
        languages: Some(Arc::clone(&state.languages)),
        ..Options::default()
    })
}

/// The language of the piece letters of records; detected by default.
///
/// # Errors
/// If the language is unknown.
pub(super) fn letters(state: &AppState, language: Option<&str>) -> Result<LanguageChoice, Problem> {
    let choice = LanguageChoice::named(language.unwrap_or("auto"), &state.languages);
    choice.map_err(|error| Problem::new(&problem::BAD_OPTION, error))
}

/// The language to write; `None` for the games' own letters.
///
/// # Errors
/// If the language is unknown, or the style has no letters.
pub(super) fn letters_to_write(
    state: &AppState,
    to: Style,
    language: Option<&str>,
) -> Result<Option<Arc<Language>>, Problem> {
    let wrong = |error: String| Problem::new(&problem::BAD_OPTION, error);
    let language = state.languages.choose(language.unwrap_or("en")).map_err(wrong)?;
    if language.is_some() && !to.has_letters() {
        return Err(wrong(format!("style `{to}` has no piece letters; omit `language`")));
    }
    Ok(language)
}

/// Query parameters: how to read the record.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct ReadQuery {
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

impl ReadQuery {
    /// The options for a record of the request.
    ///
    /// # Errors
    /// If the game or the language is unknown.
    pub(in crate::service) fn options(&self, state: &AppState) -> Result<Options, Problem> {
        let options = reading(state, self.style, self.variant.as_deref(), self.let_stand)?;
        Ok(Options { language: letters(state, self.language.as_deref())?, ..options })
    }

    /// Refuses every parameter where there is nothing to read by it.
    ///
    /// # Errors
    /// If one is given.
    pub(in crate::service) fn refuse(&self, why: &str) -> Result<(), Problem> {
        let ReadQuery { style, variant, let_stand, language } = self;
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

    /// Refuses the parameter `variant` where the request names its game elsewhere.
    ///
    /// # Errors
    /// If it is given.
    pub(in crate::service) fn refuse_variant(&self, why: &str) -> Result<(), Problem> {
        match self.variant {
            Some(_) => Err(Problem::new(&problem::BAD_OPTION, format!("{why}; omit `variant`"))),
            None => Ok(()),
        }
    }
}
