//! Whether an archive is whole: the file, every digest, every key, and if asked for every verdict.

mod texts;

use super::Archive;
use super::error::ArchiveError;
use super::identity::GameId;
use super::rulebook::Rulebooks;
use crate::rules::Registry;

/// Something that is not as it was kept, or that this version judges otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The entry that it is about; nothing if it is about the file.
    pub id: Option<GameId>,
    /// What is wrong.
    pub what: What,
    /// The same in words.
    pub message: String,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The file, a row or a text is not what was kept.
    Damage,
    /// Something that is no part of an archive and does it no harm.
    Note,
    /// This version of the program judges the text otherwise, by the rules that the game had, or reads it otherwise.
    /// The archive is intact: the report that it keeps is the one of the version that made it.
    Otherwise,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Entries.
    pub games: u64,
    /// Texts.
    pub texts: u64,
    /// Texts on which today's report says the same facts in other words.
    pub reworded: u64,
    /// Texts of games whose rules are other ones today; they were judged by those that they had.
    pub other_rules: u64,
}

impl Archive {
    /// Checks the whole archive: the structure of the file, that no row is missing, every key, every digest. With a
    /// registry every text is judged again, too, by the rules that it had: those of the registry, or where these are
    /// other ones today, those that were kept.
    ///
    /// `found` is called for every finding. `progress` is called with the number of texts that were checked.
    ///
    /// # Errors
    /// Where the file cannot be read on.
    pub fn verify(
        &self,
        replay: Option<&Registry>,
        found: &mut dyn FnMut(Finding),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Checked, ArchiveError> {
        let mut checked = Checked { games: self.store().check(found)?, ..Checked::default() };
        let books = replay.map(|today| Rulebooks::new(self, today));
        step(texts::check(self, books.as_ref(), &mut checked, found, progress), found)?;
        Ok(checked)
    }
}

pub(super) fn damage(id: Option<GameId>, message: impl Into<String>) -> Finding {
    Finding { id, what: What::Damage, message: message.into() }
}

/// What cannot be looked at because a value or a table is not as it was made is damage, and what follows is looked at
/// all the same.
pub(super) fn step(
    result: Result<(), ArchiveError>,
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    match result {
        Err(error @ (ArchiveError::Corrupt(_) | ArchiveError::Database(_))) => {
            found(damage(None, format!("what follows cannot be checked: {error}")));
            Ok(())
        }
        result => result,
    }
}
