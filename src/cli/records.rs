//! Shared parts of the commands that read records.

use super::input::{self, Input};
use super::output::{Console, Failure};
use super::positions_of::Form;
use super::progress::Progress;
use super::session::{Session, hint_below, no_such_game};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ferz::json::each_record;
use ferz::notation::Style;
use ferz::record::Record;
use ferz::replay::summary::{counted, why_not_judged};
use ferz::replay::{AUTO, Batch, LanguageChoice, Located, Options, Replayer, Report, Source};
use ferz::rules::Registry;
use ferz::text::limits::JOBS_MAX;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The files that records are read from.
#[derive(Debug, clap::Args)]
pub(super) struct FilesArg {
    /// Records in PGN or JSON, plain or compressed (.gz, .zst, .xz), or archives; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Read the games of this archive, as if it were named as a file
    #[cfg(feature = "archive")]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
}

impl FilesArg {
    /// All of them, in order.
    pub(super) fn all(&self) -> Vec<PathBuf> {
        let files = self.files.clone();
        #[cfg(feature = "archive")]
        let files = files.into_iter().chain(self.db.clone()).collect();
        files
    }
}

/// How to read records.
#[derive(Debug, clap::Args)]
pub(super) struct ReadArgs {
    /// Accept only this style, or auto for any
    #[arg(long, default_value = "auto", value_parser = styles_or_auto(), ignore_case = true)]
    style: StyleChoice,

    /// Judge as this game, ignoring the tag Variant; `auto`: records without the tag are of the only game they fit
    #[arg(long)]
    variant: Option<String>,

    /// Let illegal plies stand: report each, and continue from the position that was really on the board
    #[arg(long)]
    let_stand: bool,

    /// Threads, 0 for one a core
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = |text: &str| threads(text, 0))]
    pub(super) jobs: usize,
}

/// The piece letters of the records, for commands that do not write others.
#[derive(Debug, clap::Args)]
pub(super) struct LanguageArg {
    /// Piece letters of the records: a language's code or name, en for the game's own, or auto to detect
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

/// Parses the name of a style; help and completions list all of them.
pub(super) fn styles() -> impl TypedValueParser<Value = Style> {
    PossibleValuesParser::new(Style::ALL.map(Style::name)).try_map(|name| name.parse::<Style>())
}

/// The target of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Records in a style.
    Style(Style),
    /// Complete records as JSON.
    Json,
    /// The positions of records, one a line.
    Positions(Form),
}

/// Parses the name of a style, or `json`.
pub(super) fn targets() -> impl TypedValueParser<Value = Target> {
    let names = Style::ALL.map(Style::name).into_iter().chain(["json", "fen", "epd"]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        name if name.eq_ignore_ascii_case("json") => Ok(Target::Json),
        name if name.eq_ignore_ascii_case("fen") => Ok(Target::Positions(Form::Fen)),
        name if name.eq_ignore_ascii_case("epd") => Ok(Target::Positions(Form::Epd)),
        name => name.parse().map(Target::Style),
    })
}

/// Parses a number of threads; `least` is 0 where that means one a core.
///
/// # Errors
/// If it is not a number or not in the range; the message names the limits.
pub(super) fn threads(text: &str, least: usize) -> Result<usize, String> {
    let number = text.parse().ok().filter(|jobs| (least..=JOBS_MAX).contains(jobs));
    number.ok_or_else(|| format!("must be between {least} and {JOBS_MAX}"))
}

impl Default for ReadArgs {
    fn default() -> ReadArgs {
        ReadArgs { style: StyleChoice(None), variant: None, let_stand: false, jobs: 0 }
    }
}

impl Default for LanguageArg {
    fn default() -> LanguageArg {
        LanguageArg { language: AUTO.to_owned() }
    }
}

impl ReadArgs {
    /// The game that overrides the tag.
    pub(super) fn variant(&self) -> Option<&str> {
        self.variant.as_deref()
    }

    /// Converts to the library's options; `language` is a language's code or name, or `auto`.
    ///
    /// # Errors
    /// If the variant or the language is unknown.
    pub(super) fn options(
        &self,
        session: &Session<'_>,
        language: &str,
        strict: bool,
    ) -> Result<Options, Failure> {
        if let Some(variant) = self.variant.as_ref().filter(|name| !name.eq_ignore_ascii_case(AUTO)) {
            session.registry().canonical_name(variant).map_err(no_such_game)?;
        }
        let languages = session.languages();
        let language = LanguageChoice::named(language, &languages).map_err(Failure::message)?;
        let (style, variant) = (self.style.0, self.variant.clone());
        Ok(Options {
            style,
            variant,
            language,
            languages: Some(languages),
            strict,
            let_stand: self.let_stand,
        })
    }
}

/// Warns that an input has no game: without output that would look like success.
///
/// # Errors
/// If the standard output cannot be written.
pub(super) fn no_game(session: &mut Session<'_>, name: &str) -> Result<(), Failure> {
    session.console.warning(format!("{name}: no games found"))
}

/// Why games were not judged; says it once for consecutive games with the same reason.
#[derive(Debug, Default)]
pub(super) struct NotJudged {
    last: String,
}

impl NotJudged {
    /// Reports why a game was not judged, if the reason differs from the last one.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub(super) fn tell(
        &mut self,
        console: &mut Console,
        game: &str,
        report: &Report,
        registry: &Registry,
    ) -> Result<(), Failure> {
        let Some(why) = why_not_judged(report).filter(|why| why.message != self.last) else {
            return Ok(());
        };
        self.last = why.message.to_string();
        let hint = hint_below(report, registry);
        console.note(&format!("{game}: not judged: {}: {}{hint}", why.code, why.message))
    }
}

/// Who played, when, and how it ended, as the record says.
#[derive(Debug, Serialize)]
pub(super) struct Header {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) round: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) black: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
}

impl Header {
    /// The header of a record.
    pub(super) fn of(record: &Record<'_>) -> Header {
        let tag = |name: &str| record.tag(name).map(|value| value.into_owned());
        Header {
            event: tag("Event"),
            round: tag("Round"),
            white: tag("White"),
            black: tag("Black"),
            date: tag("Date"),
            result: record.stated_result().map(|result| result.as_str()),
        }
    }

    /// For people: `Ann - Ben, 1-0, 1992.11.04`, as far as it is known.
    pub(super) fn in_words(&self) -> String {
        let white = self.white.as_deref().unwrap_or("?");
        let black = self.black.as_deref().unwrap_or("?");
        let known =
            [self.result, self.date.as_deref()].into_iter().flatten().filter(|part| !part.starts_with('?'));
        known.fold(format!("{white} - {black}"), |words, part| words + ", " + part)
    }
}

/// Writes a record as it was read, apart from others.
///
/// # Errors
/// If the standard output cannot be written.
pub(super) fn write_record(console: &mut Console, record: &[u8]) -> Result<(), Failure> {
    console.bytes(record)?;
    console.bytes(b"\n\n")
}

/// The number of hidden notes, and how to see them.
pub(super) fn not_shown(number: usize, [one, many]: [&str; 2]) -> String {
    format!(
        "{} not shown (--notes shows {})",
        counted(number, one, many),
        if number == 1 { "it" } else { "them" }
    )
}

/// Calls `work` for each game of a file, PGN or JSON, and `each` with every outcome in order, after the name of the
/// file and the game's number from 1. `beside` makes what `work` has besides its replayer. Reports what cannot be read
/// and what was cut, and returns how many records that are.
///
/// # Errors
/// If the file cannot be read or the standard output cannot be written.
pub(super) fn each_game<S, T: Send>(
    (read, letters): (&ReadArgs, &LanguageArg),
    session: &mut Session<'_>,
    file: &Path,
    beside: impl Fn() -> S + Sync,
    work: impl Fn((&mut Replayer<'_>, &mut S), &Record<'_>, &Source<'_>) -> T + Sync,
    each: impl FnMut(&mut Console, &str, usize, T) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    each_game_of(input::open(Some(file))?, (read, letters), session, beside, work, each)
}

/// [`each_game`] for an input that is open.
///
/// # Errors
/// If the input cannot be read or the standard output cannot be written.
pub(super) fn each_game_of<S, T: Send>(
    input: Input,
    (read, letters): (&ReadArgs, &LanguageArg),
    session: &mut Session<'_>,
    beside: impl Fn() -> S + Sync,
    work: impl Fn((&mut Replayer<'_>, &mut S), &Record<'_>, &Source<'_>) -> T + Sync,
    mut each: impl FnMut(&mut Console, &str, usize, T) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let options = read.options(session, &letters.language, false)?;
    let mut progress = Progress::new(input.total, input.consumed);
    let (console, registry) = session.parts();
    let (mut number, mut missing) = (0, 0);
    let ended = each_record(
        input.reader,
        read.jobs,
        || (Replayer::new(registry, options.clone()), beside()),
        |(replayer, beside), record, source| work((replayer, beside), record, source),
        |batch: Batch<T>| {
            progress.part(batch.items.len(), || {
                missing += batch.unread.len() + usize::from(batch.cut.is_some());
                for Located { line, column, message, .. } in &batch.unread {
                    number += 1;
                    console.note(&format!("{}:{line}:{column}: {message}", input.name))?;
                }
                for item in batch.items {
                    number += 1;
                    each(&mut *console, &input.name, number, item)?;
                }
                if let Some(cut) = &batch.cut {
                    console.note(&format!("{}: {}: {}", input.name, cut.code, cut.message))?;
                }
                Ok(())
            })
        },
    );
    progress.end(ended)?;
    if number == 0 {
        no_game(session, &input.name)?;
    }
    Ok(missing)
}

/// Calls `one` for each file, or once for the standard input without files, and continues after files that cannot be
/// read.
///
/// # Errors
/// The failure, for one file; for several, that not all could be read.
pub(super) fn each_file(
    files: &[PathBuf],
    session: &mut Session<'_>,
    mut one: impl FnMut(&mut Session<'_>, &Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if files.is_empty() {
        return one(session, Path::new("-"));
    }
    let (mut unread, mut no_records) = (0, 0);
    for file in files {
        match one(session, file) {
            Err(Failure::Message(message)) if files.len() > 1 => {
                session.console.note(&format!("ferz: error: {message}"))?;
                unread += 1;
            }
            Err(Failure::NoRecord(message)) if files.len() > 1 => {
                session.console.note(&format!("ferz: error: {message}"))?;
                no_records += 1;
            }
            other => other?,
        }
    }
    if unread == 0 && no_records > 0 {
        let message = format!("{no_records} of {} files hold no records; see above", files.len());
        return Err(Failure::NoRecord(message));
    }
    if unread == 0 {
        return Ok(());
    }
    Err(Failure::message(format!("{unread} of {} files could not be read; see above", files.len())))
}
