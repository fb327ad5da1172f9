//! A game of the archive with all that judging it again needs.

use super::problem::Problem;
use super::state::AppState;
use ferz::archive::{ArchiveError, Entry, Rulebook};
use ferz::replay::Replayer;

/// A game of the archive with its first text and its rules.
#[derive(Debug)]
pub struct ArchivedGame {
    /// The entry.
    pub entry: Entry,
    /// The first text, as submitted.
    pub text: Vec<u8>,
    /// The registry with the rules by which it was judged.
    pub book: Rulebook<'static>,
}

impl ArchivedGame {
    /// Looks a game up by its id, which may be shortened.
    ///
    /// # Errors
    /// If there is none or several.
    pub async fn find(state: &AppState, digits: &str) -> Result<ArchivedGame, Problem> {
        let id = state.game(digits).await?;
        let today = state.registry;
        let found = state.read(move |archive| {
            let Some(entry) = archive.get(id)? else { return Ok(None) };
            let text = archive.original(id)?.unwrap_or_default();
            let book = archive.rulebook(&entry, &text, today)?;
            Ok(Some(ArchivedGame { entry, text, book }))
        });
        found.await?.ok_or_else(|| ArchiveError::NoGame(id).into())
    }

    /// A replayer with the rules and options by which it was judged.
    pub fn replayer(&self) -> Replayer<'_> {
        Replayer::new(&self.book, self.entry.options())
    }
}
