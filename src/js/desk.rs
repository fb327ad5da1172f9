//! Games that are known, and work on whole texts.

use super::{thrown, value};
use ferz::adjudicate::Terms;
use ferz::certificate::{Claim, Refusal};
use ferz::clock::Policies;
use ferz::notation::Style;
use ferz::replay::{LanguageChoice, Options};
use ferz::rewrite::ConvertOptions;
use ferz::text::LineIndex;
use ferz::{Desk, Form};
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::prelude::*;

/// The known games: the built-in ones and user-defined ones.
#[wasm_bindgen]
#[derive(Debug, Clone, Default)]
pub struct Games(pub(super) Desk);

/// How records are read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct ReadAs {
    variant: Option<String>,
    style: Option<String>,
    language: Option<String>,
    let_stand: bool,
    strict: bool,
}

/// How records are written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WriteAs {
    to: String,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    from_language: Option<String>,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    style: Option<String>,
    #[serde(default)]
    let_stand: bool,
}

/// A claim, and what a verdict is by.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claimed {
    #[serde(default = "first")]
    game: usize,
    #[serde(default = "some_nodes")]
    nodes: u64,
    #[serde(default)]
    policy: Option<String>,
    #[serde(default)]
    read: ReadAs,
    claim: Claim,
}

fn first() -> usize {
    1
}

fn some_nodes() -> u64 {
    100_000
}

/// A message as the error of this package.
fn error(message: impl ToString) -> JsValue {
    thrown("FerzError", &message.to_string(), ())
}

fn options<'a, T: Deserialize<'a>>(options: &'a str) -> Result<T, JsValue> {
    serde_json::from_str(options).map_err(|fault| error(format!("options: {}", without_place(&fault))))
}

/// A fault of options without its place, which is in no text of the caller's.
fn without_place(fault: &serde_json::Error) -> String {
    let message = fault.to_string();
    message.rfind(" at line ").map_or(&*message, |end| &message[..end]).to_owned()
}

fn style(name: &str) -> Result<Style, JsValue> {
    name.parse().map_err(error)
}

impl Games {
    fn desk(&self, read: ReadAs) -> Result<Desk, JsValue> {
        let mut desk = self.0.clone();
        let language = desk.language(read.language.as_deref().unwrap_or("auto")).map_err(error)?;
        desk.options = Options {
            style: read.style.as_deref().map(style).transpose()?,
            variant: read.variant,
            let_stand: read.let_stand,
            language,
            strict: read.strict,
            ..Options::default()
        };
        Ok(desk)
    }
}

#[wasm_bindgen]
impl Games {
    /// The built-in games.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Games {
        Games::default()
    }

    /// Adds the game or mutator of a definition file and returns its name.
    pub fn load(&mut self, definition: &str) -> Result<String, JsValue> {
        self.0.add_game(definition).map_err(|mistakes| {
            let lines = LineIndex::new(definition.as_bytes());
            let place = |at: usize| lines.locate(at);
            let all: Vec<_> = mistakes
                .iter()
                .map(|found| {
                    let place = place(found.span.start);
                    json!({ "line": place.line, "column": place.column, "message": found.message })
                })
                .collect();
            let message = mistakes.first().map_or("", |found| &found.message);
            thrown("BadDefinition", message, json!({ "mistakes": all }))
        })
    }

    /// Names, titles and editions of all games and mutators, as JSON.
    pub fn list(&self) -> Result<JsValue, JsValue> {
        let listed = self.0.registry().list();
        let shown = listed.iter().map(|listing| {
            let ferz::rules::registry::Listing { name, title, edition, mutator } = listing;
            json!({ "name": name, "title": title, "edition": edition, "mutator": mutator })
        });
        value(&shown.collect::<Vec<_>>())
    }

    /// Judges the records of a text: an array of reports.
    pub fn validate(&self, text: &[u8], read: &str) -> Result<JsValue, JsValue> {
        value(&self.desk(options(read)?)?.validate(text))
    }

    /// The reports as `ferz validate --format ndjson` writes them.
    #[wasm_bindgen(js_name = validateToJson)]
    pub fn validate_to_json(&self, text: &[u8], read: &str) -> Result<String, JsValue> {
        let reports = self.desk(options(read)?)?.validate(text);
        let mut lines = String::new();
        for report in &reports {
            lines += &serde_json::to_string(report).map_err(error)?;
            lines.push('\n');
        }
        Ok(lines)
    }

    /// Writes the records of a text in another style of notation, or as JSON.
    pub fn convert(&self, text: &[u8], write: &str) -> Result<JsValue, JsValue> {
        let WriteAs { to, language, from_language, variant, style, let_stand } = options(write)?;
        let desk = self.desk(ReadAs { variant, style, language: from_language, let_stand, strict: false })?;
        let form = if to.eq_ignore_ascii_case("json") {
            Form::Json
        } else {
            let mut options = ConvertOptions::new(self::style(&to)?);
            let letters = desk.language(language.as_deref().unwrap_or("en")).map_err(error)?;
            if let LanguageChoice::Of(language) = letters {
                options.language = Some(language);
            }
            Form::Pgn(options)
        };
        let written = desk.convert(text, &form);
        value(&json!({ "records": written.text, "losses": written.losses }))
    }

    /// Judges a claim about a game of a text.
    pub fn adjudicate(&self, text: &[u8], claimed: &str) -> Result<JsValue, JsValue> {
        let parsed: Result<Claimed, _> = serde_json::from_str(claimed);
        let bad = |fault: serde_json::Error| thrown("BadClaim", &without_place(&fault), ());
        let Claimed { game, nodes, policy, read, claim } = parsed.map_err(bad)?;
        let policy = Policies::built_in().named(policy.as_deref().unwrap_or("plain")).map_err(error)?;
        let terms = Terms { policy, ..Terms::of(nodes) };
        let verdict = self.desk(read)?.adjudicate(text, game, &claim, &terms);
        value(&verdict.map_err(|fault| thrown("BadClaim", &fault.to_string(), ()))?)
    }

    /// Checks a certificate, and that its record is in a text if one is given. An array of what it shows and rests on.
    #[wasm_bindgen(js_name = checkCertificate)]
    pub fn check_certificate(
        &self,
        certificate: &str,
        record: Option<Vec<u8>>,
        full: bool,
    ) -> Result<JsValue, JsValue> {
        match self.0.check_certificate(certificate.as_bytes(), record.as_deref(), full) {
            Ok(lines) => value(&lines),
            Err(refusal) => {
                let Refusal { step, .. } = &refusal;
                Err(thrown("NotAccepted", &refusal.to_string(), json!({ "step": step.to_string() })))
            }
        }
    }
}
