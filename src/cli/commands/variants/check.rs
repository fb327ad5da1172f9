//! `ferz variants check`: every mistake of a definition file, with carets under it.

use crate::cli::carets::{Source, draw};
use crate::cli::input;
use crate::cli::output::{Outcome, Verdict};
use crate::cli::session::Session;
use crate::pieces::army::Army;
use crate::rules::armies::{catalogue, repeats};
use crate::rules::compile::FieldError;
use crate::rules::load::{File, diagnostic, read_file};
use crate::rules::{AnyRules, Definition, Registry, RegistryError};
use crate::text::Diagnostic;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Definition files; they may build on each other, parents first
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Exit code 1 if a file is wrong.

Examples:
  ferz variants check formats/variants/chess.toml formats/variants/iago-b.toml";

/// Carries out the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut registry = session.new_registry()?;
    let mut findings = false;
    for path in &args.files {
        let text = input::read_text(path)?;
        let name = path.display().to_string();
        match check(&mut registry, &text) {
            Ok(Checked { what, .. }) => session.console.line(format_args!("{name}: ok: {what}"))?,
            Err(diagnostics) => {
                let color = session.console.has_color();
                for found in diagnostics {
                    if std::mem::replace(&mut findings, true) {
                        session.console.note("")?;
                    }
                    session.console.note(&draw(&found, &Source::whole(&name, &text), color))?;
                }
            }
        }
    }
    Ok(Verdict::of(findings))
}

/// A definition file without mistakes.
pub(super) struct Checked {
    /// Name of the game or mutator.
    pub(super) name: String,
    /// The game's edition; nothing for a mutator.
    pub(super) edition: Option<String>,
    /// What the file defines, in words.
    what: String,
}

/// What the file defines, or its mistakes; a file that can be read is added to the registry.
pub(super) fn check(registry: &mut Registry, text: &str) -> Result<Checked, Vec<Diagnostic>> {
    let file = read_file(text).map_err(|found| vec![found])?;
    let name = registry.add(text).map_err(|found| vec![found])?;
    match file {
        File::Game(table) => {
            let edition = table.get("edition").and_then(toml::Value::as_str).unwrap_or("1");
            let rules =
                compiled(registry, &name, Some(edition)).map_err(|error| draw_all(text, &error, ""))?;
            let id = rules.id();
            let what = format!("{}, edition {}, digest {}", id.name, id.edition, id.digest);
            Ok(Checked { name, edition: Some(edition.to_owned()), what })
        }
        File::Mutator(_) => {
            let what = check_mutator(registry, &name).map_err(|error| draw_all(text, &error, "patch."))?;
            Ok(Checked { name, edition: None, what })
        }
    }
}

/// A mutator is tried over every game that it goes over.
fn check_mutator(registry: &Registry, name: &str) -> Result<String, RegistryError> {
    let mut games: Vec<String> =
        registry.list().into_iter().filter(|game| !game.mutator).map(|game| game.name).collect();
    games.dedup();
    let mut over = Vec::new();
    let mut clash = None;
    for game in games {
        match compiled(registry, &format!("{name}+{game}"), None) {
            Ok(_) => over.push(game),
            Err(error @ RegistryError::Clash { .. }) => clash = Some(error),
            // The game itself is wrong, which is no fault of the mutator's.
            Err(_) if compiled(registry, &game, None).is_err() => {}
            Err(error) => return Err(error),
        }
    }
    match clash {
        Some(clash) if over.is_empty() => Err(clash),
        _ => Ok(format!("mutator {name}, over {}", over.join(", "))),
    }
}

/// The compiled rules; where a record must choose armies, with the first that the game offers.
fn compiled(registry: &Registry, variant: &str, edition: Option<&str>) -> Result<AnyRules, RegistryError> {
    let tags = |name: &str| if name == "RulesEdition" { edition.map(str::to_owned) } else { None };
    let (definition, _) = registry.definition(variant, &tags)?;
    let armies = some_armies(&definition)?;
    registry.rules(variant, &|name| match (name, &armies) {
        ("WhiteArmy", Some((white, _))) => Some(white.clone()),
        ("BlackArmy", Some((_, black))) => Some(black.clone()),
        _ => tags(name),
    })
}

/// The first two armies that may meet; nothing where the game has no choice of armies.
fn some_armies(definition: &Definition) -> Result<Option<(String, String)>, RegistryError> {
    let section = &definition.armies;
    if section.slots.is_empty() {
        return Ok(None);
    }
    let wrong = |message: String| RegistryError::Definition {
        game: definition.name.clone(),
        errors: vec![FieldError::new("armies.choices", message)],
    };
    let catalogue = catalogue(section).map_err(|error| wrong(error.to_string()))?;
    let mut armies = catalogue.armies(repeats(section));
    let first = armies.next().ok_or_else(|| wrong("the lists allow no army at all (AUG 2)".into()))?;
    let same_kind = |other: &Army| {
        let kinds = |army: &Army| -> Vec<_> {
            (0..section.slots.len()).filter_map(|slot| catalogue.movement(army, slot).cloned()).collect()
        };
        let ours = kinds(&first);
        kinds(other).iter().any(|kind| ours.contains(kind))
    };
    let second = if section.distinct { armies.find(|other| !same_kind(other)) } else { Some(first.clone()) };
    let second = second.ok_or_else(|| wrong("no two armies differ in every kind (AUG-9)".into()))?;
    Ok(Some((catalogue.text(&first), catalogue.text(&second))))
}

fn draw_all(text: &str, error: &RegistryError, prefix: &str) -> Vec<Diagnostic> {
    let at = |error: &FieldError| {
        let own = FieldError { path: format!("{prefix}{}", error.path), ..error.clone() };
        diagnostic(text, &own)
    };
    match error {
        RegistryError::Definition { errors, .. } => errors.iter().map(at).collect(),
        RegistryError::Clash { clash, .. } => {
            vec![diagnostic(text, &FieldError::new("requires", clash.clone()))]
        }
        other => vec![diagnostic(text, &FieldError::new("name", other.to_string()))],
    }
}
