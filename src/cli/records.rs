//! What the commands that read records share.

use super::output::{Console, Failure};
use super::session::{Session, hint_below, no_such_game};
use crate::notation::Style;
use crate::replay::words::{counted, why_not_judged};
use crate::replay::{LanguageChoice, Options, Report};
use crate::rules::Registry;
use crate::text::limits::JOBS_MAX;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How records are read.
#[derive(Debug, clap::Args)]
pub(super) struct Reading {
    /// The only style that is accepted, or auto for any
    #[arg(long, default_value = "auto", value_parser = styles_or_auto(), ignore_case = true)]
    style: StyleChoice,

    /// The game, whatever the tag Variant says
    #[arg(long)]
    variant: Option<String>,

    /// Lets illegal plies stand: each is reported, and replay goes on from the position that was really on the board
    #[arg(long)]
    stood: bool,

    /// Threads, 0 for one a core
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = |text: &str| threads(text, 0))]
    pub(super) jobs: usize,
}

/// The letters of the records, where none others are written.
#[derive(Debug, clap::Args)]
pub(super) struct LanguageArg {
    /// Letters of the pieces: a language's code or name, en for the game's own, or auto to find out
    #[arg(long, default_value = "auto")]
    pub(super) language: String,
}

/// A style, or any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StyleChoice(Option<Style>);

fn styles_or_auto() -> impl TypedValueParser<Value = StyleChoice> {
    let names = std::iter::once("auto").chain(Style::ALL.map(Style::name));
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        name if name.eq_ignore_ascii_case("auto") => Ok(StyleChoice(None)),
        name => name.parse().map(|style| StyleChoice(Some(style))),
    })
}

/// Reads the name of a style; help and completions list all of them.
pub(super) fn styles() -> impl TypedValueParser<Value = Style> {
    PossibleValuesParser::new(Style::ALL.map(Style::name)).try_map(|name| name.parse::<Style>())
}

/// What records are converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Records in a style.
    Style(Style),
    /// Records in full, as JSON.
    Json,
}

/// Reads the name of a style, or `json`.
pub(super) fn targets() -> impl TypedValueParser<Value = Target> {
    let names = Style::ALL.map(Style::name).into_iter().chain(["json"]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        name if name.eq_ignore_ascii_case("json") => Ok(Target::Json),
        name => name.parse().map(Target::Style),
    })
}

/// Reads a number of threads; `least` is 0 where that stands for one a core.
///
/// # Errors
/// Where it is no number or too large, with the limit.
pub(super) fn threads(text: &str, least: usize) -> Result<usize, String> {
    let wanted = || format!("write a number from {least} to {JOBS_MAX}");
    let number = text.parse::<u128>().map_err(|_| format!("this is no number of threads; {}", wanted()))?;
    let fits = usize::try_from(number).ok().filter(|jobs| (least..=JOBS_MAX).contains(jobs));
    let refused = match number {
        0 => "no threads do no work",
        _ => "these are more threads than the limit",
    };
    fits.ok_or_else(|| format!("{refused}; {}", wanted()))
}

impl Reading {
    /// As the library wants it; `language` is a language's code or name, or `auto`.
    ///
    /// # Errors
    /// Where the variant or the language is not known.
    pub(super) fn options(
        &self,
        session: &Session<'_>,
        language: &str,
        strict: bool,
    ) -> Result<Options, Failure> {
        if let Some(variant) = &self.variant {
            session.registry().canonical_name(variant).map_err(no_such_game)?;
        }
        let languages = session.languages();
        let language = LanguageChoice::named(language, &languages).map_err(Failure::message)?;
        let (style, variant) = (self.style.0, self.variant.clone());
        Ok(Options { style, variant, language, languages: Some(languages), strict, stood: self.stood })
    }
}

/// Says that an input has no game: an empty output alone would look like success.
///
/// # Errors
/// Where the standard output cannot be written to.
pub(super) fn no_game(session: &mut Session<'_>, name: &str) -> Result<(), Failure> {
    session.console.warning(format!("{name}: there is no game in it"))
}

/// Why games were not judged: of many that follow each other with the same reason, said once.
#[derive(Debug, Default)]
pub(super) struct NotJudged {
    said: String,
}

impl NotJudged {
    /// Says why, if the report is on a game that was not judged and the reason is another one than before.
    ///
    /// # Errors
    /// Where the standard output cannot be written to.
    pub(super) fn tell(
        &mut self,
        console: &mut Console,
        game: &str,
        report: &Report,
        registry: &Registry,
    ) -> Result<(), Failure> {
        let Some(why) = why_not_judged(report).filter(|why| why.message != self.said) else {
            return Ok(());
        };
        self.said = why.message.to_string();
        let hint = hint_below(report, registry);
        console.note(&format!("{game}: not judged: {}: {}{hint}", why.code, why.message))
    }
}

/// That so many notes were not shown, and how to see them.
pub(super) fn not_shown(number: usize, [one, many]: [&str; 2]) -> String {
    format!(
        "{} not shown (--notes shows {})",
        counted(number, one, many),
        if number == 1 { "it" } else { "them" }
    )
}

/// A value as one line of JSON.
///
/// # Errors
/// Never for reports: they have no map with keys that are no strings.
pub(super) fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(Failure::message)
}

/// Calls `one` for each file, or once for the standard input where none is named, and goes on after files that
/// cannot be read.
///
/// # Errors
/// The first failure, where there is one file; where there are several, that not all could be read.
pub(super) fn each_file(
    files: &[PathBuf],
    session: &mut Session<'_>,
    mut one: impl FnMut(&mut Session<'_>, &Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if files.is_empty() {
        return one(session, Path::new("-"));
    }
    let mut unread = 0;
    for file in files {
        match one(session, file) {
            Err(Failure::Message(message)) if files.len() > 1 => {
                session.console.note(&format!("ferz: error: {message}"))?;
                unread += 1;
            }
            other => other?,
        }
    }
    if unread == 0 {
        return Ok(());
    }
    Err(Failure::message(format!("{unread} of {} files could not be read; see above", files.len())))
}
