//! What happens in all games, in the order of the log.

use super::{ActError, Books, Correspondence, KeptAct};
use crate::Archive;
use crate::error::ArchiveError;
use ferz_correspondence::State;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// A part of what happened in the games that are played in an archive.
#[derive(Debug, Default)]
pub struct Feed {
    /// What happened, in order: the game as it is now, the number of the act in it, and the act.
    pub items: Vec<(Arc<Correspondence>, u64, KeptAct)>,
    /// The number of the last event of the log that was looked at; `None` if there was none.
    pub last: Option<u64>,
}

impl Archive {
    /// What happened in games after an event of the log, or from the first one on: at most `count` acts are looked at,
    /// of which those in games that `sees` admits are given.
    ///
    /// # Errors
    /// If the archive cannot be read; a game that cannot be read hides no other.
    pub fn feed(
        &self,
        after: Option<u64>,
        count: usize,
        books: Books<'_>,
        sees: &dyn Fn(&State) -> bool,
    ) -> Result<Feed, ArchiveError> {
        let from = after.map_or(0, |after| after.saturating_add(1));
        let mut feed = Feed { items: Vec::new(), last: after };
        let mut games: HashMap<_, Option<Arc<Correspondence>>> = HashMap::new();
        for (event, id, sequence) in self.store().acts(from, count, self.limit())? {
            let game = match games.entry(id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(match self.correspondence(id, books) {
                    Ok(game) => Some(Arc::new(game)).filter(|game| sees(&game.state)),
                    Err(ActError::Archive(error @ ArchiveError::TooMuchWork)) => return Err(error),
                    Err(_) => None,
                }),
            };
            feed.last = Some(event);
            let Some(game) = game else { continue };
            let place = usize::try_from(sequence).unwrap_or(usize::MAX);
            if let Some(act) = game.acts.get(place).filter(|act| act.number == event) {
                feed.items.push((Arc::clone(game), sequence, act.clone()));
            }
        }
        Ok(feed)
    }
}
