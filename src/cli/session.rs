//! What all commands share: the known games and the console.

use super::carets::{Source, draw};
use super::input;
use super::output::{Console, Failure};
use crate::rules::Registry;
use std::path::{Path, PathBuf};

/// The known games and the console.
pub(super) struct Session<'a> {
    /// Where output goes.
    pub(super) console: &'a mut Console,
    /// The user's definitions, in the order in which they were added.
    own: Vec<(PathBuf, String)>,
    /// The built-in games and the user's, where there are any of the latter.
    registry: Option<Registry>,
}

impl<'a> Session<'a> {
    /// Reads the user's definitions.
    ///
    /// # Errors
    /// Where a directory or file cannot be read, or a definition is wrong.
    pub(super) fn new(formats: &[PathBuf], console: &'a mut Console) -> Result<Session<'a>, Failure> {
        let mut own = Vec::new();
        for path in formats {
            for file in definition_files(path)? {
                let text = input::read_text(&file)?;
                own.push((file, text));
            }
        }
        let mut session = Session { console, own, registry: None };
        if !formats.is_empty() {
            session.registry = Some(session.new_registry()?);
        }
        Ok(session)
    }

    /// True if the user gave definitions.
    #[cfg(feature = "server")]
    pub(super) fn has_own_games(&self) -> bool {
        self.registry.is_some()
    }

    /// All games that are known.
    pub(super) fn registry(&self) -> &Registry {
        self.registry.as_ref().unwrap_or_else(|| Registry::built_in())
    }

    /// The console and all games that are known, to be used side by side.
    pub(super) fn parts(&mut self) -> (&mut Console, &Registry) {
        (self.console, self.registry.as_ref().unwrap_or_else(|| Registry::built_in()))
    }

    /// A registry of its own with all games that are known, to add further ones.
    ///
    /// # Errors
    /// Where a definition of the user's is wrong.
    pub(super) fn new_registry(&self) -> Result<Registry, Failure> {
        Registry::with_files(self.own.iter().map(|(_, text)| text.as_str())).map_err(|errors| {
            let drawn = errors.iter().map(|(index, diagnostic)| {
                let (path, text) = &self.own[*index];
                let name = path.display().to_string();
                draw(diagnostic, &Source::whole(&name, text), self.console.has_color())
            });
            Failure::Drawn(drawn.collect::<Vec<_>>().join("\n\n"))
        })
    }
}

/// The definition files of a directory, by name: its own, those of its `variants`, and of `mutators` in either.
fn definition_files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let trouble =
        |error: &std::io::Error| Failure::Message(input::explain(&path.display().to_string(), error));
    if !std::fs::metadata(path).map_err(|error| trouble(&error))?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for part in ["", "mutators", "variants", "variants/mutators"] {
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
        files.extend(here);
    }
    if files.is_empty() {
        let name = path.display();
        return Err(Failure::message(format!(
            "{name}: no *.toml file here; name the directory of the definitions"
        )));
    }
    Ok(files)
}
