//! Verifies an archive: the file, every digest, every key and, on request, every report.

mod texts;

pub(super) use texts::{changed_verdict, difference};

use super::Archive;
use super::error::ArchiveError;
use super::identity::GameId;
use super::log::Anchor;
use super::rulebook::Rulebooks;
use ferz_core::rules::Registry;

/// Something that has changed since it was stored, or that this version judges otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The affected entry; `None` if it is about the file.
    pub id: Option<GameId>,
    /// Its kind.
    pub kind: FindingKind,
    /// A description.
    pub message: String,
}

/// Its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingKind {
    /// The file, a row or a text has changed.
    Damage,
    /// Something that is not part of an archive and does no harm.
    Note,
    /// This version of the program reads the text otherwise, or judges it otherwise by the game's own rules. The
    /// archive is intact: its report is that of the version that made it.
    Otherwise,
}

/// The numbers of what was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Entries.
    pub games: u64,
    /// Texts.
    pub texts: u64,
    /// Texts whose new report states the same facts with other messages.
    pub reworded: u64,
    /// Texts of games whose rules have changed since; they were judged by their stored rules.
    pub other_rules: u64,
}

impl Archive {
    /// Checks the whole archive: the structure of the file, missing rows, every key, every digest. With a registry,
    /// also judges every text again by its own rules: those of the registry or, if they have changed, the stored ones.
    ///
    /// Calls `found` for every finding, and `progress` with the number of checked texts.
    ///
    /// # Errors
    /// If the file can no longer be read.
    pub fn verify(
        &self,
        replay: Option<&Registry>,
        found: &mut dyn FnMut(Finding),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Checked, ArchiveError> {
        self.verify_against(&[], replay, found, progress)
    }

    /// [`verify`](Archive::verify), also against receipts and checkpoints that were kept outside the archive. Only they
    /// find an archive that was rolled back, or rewritten by someone who has its key.
    ///
    /// # Errors
    /// If the file can no longer be read.
    pub fn verify_against(
        &self,
        anchors: &[Anchor],
        replay: Option<&Registry>,
        found: &mut dyn FnMut(Finding),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Checked, ArchiveError> {
        let mut checked = Checked { games: self.store().check(anchors, found)?, ..Checked::default() };
        let books = replay.map(|today| Rulebooks::new(self, today));
        step(texts::check(self, books.as_ref(), &mut checked, found, progress), found)?;
        step(self.check_index(books.as_ref(), found), found)?;
        Ok(checked)
    }

    /// Checks the index; with rules, compares it with what happens in the texts.
    fn check_index(
        &self,
        books: Option<&Rulebooks<'_>>,
        found: &mut dyn FnMut(Finding),
    ) -> Result<(), ArchiveError> {
        for segment in self.store().segments(self.limit())? {
            match self.check_segment(&segment, books) {
                Ok(None) => {}
                Ok(Some(message)) => found(damage(None, message)),
                Err(error) => step(Err(error), found)?,
            }
        }
        Ok(())
    }
}

pub(super) fn damage(id: Option<GameId>, message: impl Into<String>) -> Finding {
    Finding { id, kind: FindingKind::Damage, message: message.into() }
}

/// A check that fails because a value or table is malformed is damage; the checks after it still run.
pub(super) fn step(
    result: Result<(), ArchiveError>,
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    match result {
        Err(error @ (ArchiveError::Corrupt(_) | ArchiveError::Database(_))) => {
            found(damage(None, format!("the rest of this check is impossible: {error}")));
            Ok(())
        }
        result => result,
    }
}
