//! The games that were asked for last, so that a request about one replays only what has happened since.

use super::{Correspondence, CorrespondenceId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most acts of all games that are kept in memory: a few tens of megabytes.
const ACTS_MAX: usize = 1 << 16;

/// The most acts of one game that is.
const ACTS_PER_GAME_MAX: usize = 2000;

/// Games as they were when they were asked for last. Nothing here is trusted to be the latest state.
#[derive(Debug, Default)]
pub(crate) struct Known {
    games: Mutex<Games>,
}

#[derive(Debug, Default)]
struct Games {
    known: HashMap<CorrespondenceId, Arc<Correspondence>>,
    /// The number of their acts.
    acts: usize,
}

impl Games {
    fn remove(&mut self, id: CorrespondenceId) {
        if let Some(game) = self.known.remove(&id) {
            self.acts -= game.acts.len();
        }
    }
}

impl Known {
    /// A game as it was.
    pub(super) fn get(&self, id: CorrespondenceId) -> Option<Arc<Correspondence>> {
        self.lock().known.get(&id).cloned()
    }

    /// Keeps a game, in the place of others if there are many.
    pub(super) fn put(&self, game: &Correspondence) {
        let mut games = self.lock();
        if games.known.get(&game.id).is_some_and(|known| known.acts.len() == game.acts.len()) {
            return;
        }
        games.remove(game.id);
        if game.acts.len() > ACTS_PER_GAME_MAX {
            return;
        }
        while games.acts + game.acts.len() > ACTS_MAX
            && let Some(other) = games.known.keys().next().copied()
        {
            games.remove(other);
        }
        games.acts += game.acts.len();
        games.known.insert(game.id, Arc::new(game.clone()));
    }

    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
