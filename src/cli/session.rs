//! What all commands share: the known games and the console.

use super::carets::{Source, draw};
use super::input;
use super::output::{Console, Failure};
use ferz::clock::Policies;
use ferz::notation::Languages;
use ferz::replay::Report;
use ferz::rules::{Registry, RegistryError};
use ferz::text::Diagnostic;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most common reason why a game is unknown.
const OWN_GAMES: &str = "for a game of your own, add `--formats DIR` with the folder of its definition";

/// A failure for a game that cannot be loaded, with a hint.
pub(super) fn no_such_game(error: RegistryError) -> Failure {
    Failure::message(format!("{error}{}", below(hint(&error))))
}

/// A hint if the game of a record is unknown; `None` for other errors.
pub(super) fn hint_on(report: &Report, registry: &Registry) -> Option<&'static str> {
    let known = if report.is_judged() { return None } else { registry.canonical_name(&report.variant) };
    known.err().and_then(|error| hint(&error))
}

/// [`hint_on`] as a line below a message; empty if there is none.
pub(super) fn hint_below(report: &Report, registry: &Registry) -> String {
    below(hint_on(report, registry))
}

fn below(hint: Option<&str>) -> String {
    hint.map_or_else(String::new, |hint| format!("\n  {hint}"))
}

fn hint(error: &RegistryError) -> Option<&'static str> {
    matches!(error, RegistryError::Unknown { .. }).then_some(OWN_GAMES)
}

/// The known games and the console.
pub(super) struct Session<'a> {
    /// The console for output.
    pub(super) console: &'a mut Console,
    /// The user's definitions, in the order of the command line.
    own: Vec<(PathBuf, String)>,
    /// The built-in games and the user's, if there are any of the latter.
    registry: Option<Registry>,
    /// The built-in languages and the user's.
    languages: Arc<Languages>,
    /// The built-in policies and the user's.
    policies: Arc<Policies>,
}

impl<'a> Session<'a> {
    /// Loads the user's definitions.
    ///
    /// # Errors
    /// If a directory or file cannot be read, or a definition is invalid.
    pub(super) fn new(formats: &[PathBuf], console: &'a mut Console) -> Result<Session<'a>, Failure> {
        let read = |file: PathBuf| input::read_text(&file).map(|text| (file, text));
        let (mut own, mut letters, mut events) = (Vec::new(), Vec::new(), Vec::new());
        for path in formats {
            let Files { definitions, notations, policies } = definition_files(path)?;
            own.extend(definitions.into_iter().map(read).collect::<Result<Vec<_>, _>>()?);
            letters.extend(notations.into_iter().map(read).collect::<Result<Vec<_>, _>>()?);
            events.extend(policies.into_iter().map(read).collect::<Result<Vec<_>, _>>()?);
        }
        let languages = Arc::clone(Languages::built_in());
        let policies = Arc::clone(Policies::built_in());
        let mut session = Session { console, own, registry: None, languages, policies };
        if !letters.is_empty() {
            let languages = Languages::with_files(letters.iter().map(|(_, text)| text.as_str()));
            session.languages = Arc::new(languages.map_err(|errors| session.drawn(&letters, &errors))?);
        }
        if !events.is_empty() {
            let policies = Policies::with_files(events.iter().map(|(_, text)| text.as_str()));
            session.policies = Arc::new(policies.map_err(|errors| session.drawn(&events, &errors))?);
        }
        if !formats.is_empty() {
            session.registry = Some(session.new_registry()?);
        }
        Ok(session)
    }

    /// True if the user gave definitions.
    pub(super) fn has_own_games(&self) -> bool {
        self.registry.is_some()
    }

    /// All known games.
    pub(super) fn registry(&self) -> &Registry {
        self.registry.as_ref().unwrap_or_else(|| Registry::built_in())
    }

    /// All known languages.
    pub(super) fn languages(&self) -> Arc<Languages> {
        Arc::clone(&self.languages)
    }

    /// All known policies.
    pub(super) fn policies(&self) -> Arc<Policies> {
        Arc::clone(&self.policies)
    }

    /// Borrows the console and all known games together.
    pub(super) fn parts(&mut self) -> (&mut Console, &Registry) {
        (self.console, self.registry.as_ref().unwrap_or_else(|| Registry::built_in()))
    }

    /// A separate registry with all known games, to add further ones.
    ///
    /// # Errors
    /// If a definition of the user is invalid.
    pub(super) fn new_registry(&self) -> Result<Registry, Failure> {
        Registry::with_files(self.own.iter().map(|(_, text)| text.as_str()))
            .map_err(|errors| self.drawn(&self.own, &errors))
    }

    /// Reports the mistakes in the user's files.
    fn drawn(&self, files: &[(PathBuf, String)], errors: &[(usize, Diagnostic)]) -> Failure {
        let drawn = errors.iter().map(|(index, diagnostic)| {
            let (path, text) = &files[*index];
            let name = path.display().to_string();
            draw(diagnostic, &Source::whole(&name, text), self.console.has_color())
        });
        Failure::Drawn(drawn.collect::<Vec<_>>().join("\n\n"))
    }
}

/// The files of a user's directory.
#[derive(Default)]
struct Files {
    /// Definitions of games and mutators.
    definitions: Vec<PathBuf>,
    /// Piece letters of languages.
    notations: Vec<PathBuf>,
    /// Policies of events.
    policies: Vec<PathBuf>,
}

/// The definition files of a directory, sorted by name: its own, those of its `variants`, and of `mutators` in either;
/// the languages of its `notations`, and the policies of its `policies`.
fn definition_files(path: &Path) -> Result<Files, Failure> {
    let trouble =
        |error: &std::io::Error| Failure::Message(input::explain(&path.display().to_string(), error));
    if !std::fs::metadata(path).map_err(|error| trouble(&error))?.is_dir() {
        return Ok(Files { definitions: vec![path.to_owned()], ..Files::default() });
    }
    let mut files = Files::default();
    for part in ["", "mutators", "variants", "variants/mutators", "notations", "policies"] {
        let directory = path.join(part);
        if !part.is_empty() && !directory.is_dir() {
            continue;
        }
        let mut here = Vec::new();
        for entry in std::fs::read_dir(&directory).map_err(|error| trouble(&error))? {
            let file = entry.map_err(|error| trouble(&error))?.path();
            if file.extension().is_some_and(|extension| extension == "toml") && file.is_file() {
                here.push(file);
            }
        }
        here.sort();
        let of_part = match part {
            "notations" => &mut files.notations,
            "policies" => &mut files.policies,
            _ => &mut files.definitions,
        };
        of_part.extend(here);
    }
    if [&files.definitions, &files.notations, &files.policies].into_iter().all(Vec::is_empty) {
        let name = path.display();
        return Err(Failure::message(format!(
            "{name}: no *.toml file here; name the directory of the definitions"
        )));
    }
    Ok(files)
}
