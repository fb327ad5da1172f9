//! The routes, one file a noun; what a route takes and answers stands beside its handler.

pub mod convert;
pub mod health;
pub mod problems;
pub mod validate;

use super::problem::{self, Problem};
use crate::notation::Style;
use crate::replay::Options;
use crate::rules::Registry;
use serde::{Deserialize, Deserializer};

/// A switch of a query: `strict`, `strict=1` and `strict=true` are on, `strict=0` and `strict=false` off.
pub(super) fn switch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "" | "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        other => Err(serde::de::Error::custom(format!("`{other}` is neither `true` nor `false`"))),
    }
}

/// How records are to be read, by the query parameters `style` and `variant`.
///
/// # Errors
/// Where one of them is not known.
pub(super) fn reading(
    registry: &Registry,
    style: Option<&str>,
    variant: Option<&str>,
) -> Result<Options, Problem> {
    let unknown = |detail: String| Problem::new(&problem::BAD_OPTION, detail);
    let style = match style {
        None | Some("auto") => None,
        Some(style) => Some(style.parse::<Style>().map_err(unknown)?),
    };
    if let Some(variant) = variant {
        registry.canonical_name(variant).map_err(|error| unknown(error.to_string()))?;
    }
    Ok(Options { style, variant: variant.map(str::to_owned), ..Options::default() })
}
