//! Definition files: TOML in, tables merged, mistakes with their place.

use super::compile::FieldError;
use super::definition::Definition;
use crate::text::limits::DEFINITION_BYTES_MAX;
use crate::text::{Code, Diagnostic, Severity, Span};
use serde::Deserialize;
use toml::{Table, Value};

/// The file is not TOML, or a field is unknown or of the wrong type.
pub const V_SYNTAX: Code = Code("V001");
/// A field's value makes no sense.
pub const V_VALUE: Code = Code("V002");

/// One mutator: a patch over any game that meets its preconditions.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Mutator {
    /// Name, as it stands in front of `+`.
    pub mutator: String,
    /// Name for people.
    pub title: String,
    /// What the game must be like.
    #[serde(default)]
    pub requires: Vec<Requirement>,
    /// Names that stand for this mutator over chess.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Notation style of the inventor.
    #[serde(default)]
    pub native_style: Option<String>,
    /// Where the rules come from.
    #[serde(default)]
    pub source: String,
    /// IAGO class.
    #[serde(default)]
    pub class: Option<String>,
    /// Articles.
    #[serde(default)]
    pub rule: String,
    /// The fields that it changes.
    pub patch: Table,
}

/// What a mutator needs of the game under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Requirement {
    /// Each player has one king, on the board or to be placed.
    TwoKings,
    /// The board has 8 by 8 squares.
    EightByEight,
    /// There is no third player yet.
    NoNature,
    /// The letters K, Q, R, B, N and P are pieces of the game.
    ChessKinds,
}

/// A definition file: a game, or a mutator.
#[derive(Debug, Clone)]
pub enum File {
    /// A game, its parents not yet merged in.
    Game(Table),
    /// A mutator.
    Mutator(Box<Mutator>),
}

/// Reads one definition file.
///
/// # Errors
/// Where it is not TOML, or has a field that is unknown or of the wrong type.
pub fn read_file(text: &str) -> Result<File, Diagnostic> {
    if text.len() > DEFINITION_BYTES_MAX {
        let message = format!("a definition has at most {DEFINITION_BYTES_MAX} bytes");
        return Err(Diagnostic::new(V_SYNTAX, Severity::Error, Span::new(0, 0), message));
    }
    let table: Table = toml::from_str(text).map_err(|error| syntax(&error))?;
    if table.contains_key("mutator") {
        let mutator: Mutator = toml::from_str(text).map_err(|error| syntax(&error))?;
        typed(&mutator.patch)
            .map_err(|message| Diagnostic::new(V_SYNTAX, Severity::Error, span_of(text, "patch"), message))?;
        return Ok(File::Mutator(Box::new(mutator)));
    }
    toml::from_str::<Definition>(text).map_err(|error| syntax(&error))?;
    Ok(File::Game(table))
}

fn syntax(error: &toml::de::Error) -> Diagnostic {
    let span = error.span().unwrap_or(0..0);
    Diagnostic::new(V_SYNTAX, Severity::Error, Span::new(span.start, span.end), error.message())
}

/// The table as a typed definition.
///
/// # Errors
/// The message of the first field that does not fit.
pub fn typed(table: &Table) -> Result<Definition, String> {
    Value::Table(table.clone()).try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

/// Lays `over` on `base`: tables are merged key by key, every other value replaces.
pub fn merge(base: &mut Table, over: &Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Fields that say nothing about play, and so are no part of the digest.
pub(super) const PROSE: [&str; 11] = [
    "title",
    "aliases",
    "extends",
    "source",
    "class",
    "native-style",
    "rule",
    "cites",
    "home-made",
    "also",
    "editions-change",
];

/// The identity of a merged definition: BLAKE3 of its fields in the order of their names, without prose.
pub fn digest(table: &Table, choices: &str) -> String {
    let mut canonical = String::new();
    canonical_table(table, "", &mut canonical);
    canonical.push_str(choices);
    blake3::hash(canonical.as_bytes()).to_hex()[..32].to_owned()
}

fn canonical_table(table: &Table, prefix: &str, out: &mut String) {
    let mut keys: Vec<&String> = table.keys().filter(|key| !PROSE.contains(&key.as_str())).collect();
    keys.sort();
    for key in keys {
        match &table[key] {
            Value::Table(inner) => canonical_table(inner, &format!("{prefix}{key}."), out),
            value => out.push_str(&format!("{prefix}{key}={value:?}\n")),
        }
    }
}

/// Where in a definition file a field's value stands; the whole first line where the file does not have it
/// (it is inherited then).
pub fn span_of(text: &str, path: &str) -> Span {
    let Ok(document) = toml::de::DeTable::parse(text) else { return first_line(text) };
    let mut span = None;
    let mut table = Some(document.get_ref());
    for key in path.split('.') {
        let Some(value) = table.and_then(|table| table.get(key)) else { break };
        span = Some(value.span());
        table = match value.get_ref() {
            toml::de::DeValue::Table(inner) => Some(inner),
            _ => None,
        };
    }
    span.map_or_else(|| first_line(text), |span| Span::new(span.start, span.end))
}

fn first_line(text: &str) -> Span {
    Span::new(0, text.find('\n').unwrap_or(text.len()))
}

/// The field error as a diagnostic about the definition's text.
pub fn diagnostic(text: &str, error: &FieldError) -> Diagnostic {
    let value = span_of(text, &error.path);
    let span = match error.span {
        // The value's text begins behind its opening quote.
        Some(part) if text.as_bytes().get(value.start) == Some(&b'"') => part.shifted(value.start + 1),
        _ => value,
    };
    Diagnostic::new(V_VALUE, Severity::Error, span, format!("{}: {}", error.path, error.message))
}
