//! Asks a service whether its log goes on from a signed head that someone kept: nothing under it was changed, dropped
//! or moved since. Few tiles suffice, whatever the size of the log.

use super::log::{Checkpoint, LogError, VerifierKey};
use super::mirror::Fetch;
use super::served::ServedTree;

/// Why a service does not show that its log goes on from a head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotGoingOn {
    /// The service cannot be reached, or does not answer as a log does.
    #[error("{0}")]
    Fetch(String),
    /// The head that the service shows is not signed by the key.
    #[error(
        "{0}; if the log has a new key, `ferz archive pull` with the key from before follows it to the new one"
    )]
    Key(LogError),
    /// The log is shorter than it was.
    #[error(
        "the log had {had} events and has {has}: it was rolled back, or the service shows an old head\nthe head that \
        was kept:\n{kept}\nthe head of the service:\n{shown}"
    )]
    Shorter {
        /// The events under the kept head.
        had: u64,
        /// The events of the log now.
        has: u64,
        /// The kept head.
        kept: String,
        /// The head that the service shows.
        shown: String,
    },
    /// The log has other events under the kept head: the two heads prove that it showed two histories.
    #[error(
        "the first {had} events of the log are not those that were signed\nthe head that was kept:\n{kept}\nthe head \
        of the service:\n{shown}"
    )]
    OtherHistory {
        /// The events under the kept head.
        had: u64,
        /// The kept head.
        kept: String,
        /// The head that the service shows.
        shown: String,
    },
}

/// The head of the log that a service shows, if it goes on from a kept one. `note` is the kept head as it was signed.
///
/// # Errors
/// If the service cannot be asked, or its log does not go on from the kept head.
pub fn going_on(
    old: &Checkpoint,
    note: &str,
    key: &VerifierKey,
    fetch: Fetch<'_>,
) -> Result<Checkpoint, NotGoingOn> {
    let shown = fetch("checkpoint").map_err(NotGoingOn::Fetch)?;
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let new = Checkpoint::open(&shown, key).map_err(NotGoingOn::Key)?;
    let kept = || note.to_owned();
    if new.size < old.size {
        return Err(NotGoingOn::Shorter { had: old.size, has: new.size, kept: kept(), shown });
    }
    let mut tree = ServedTree::new(&new, fetch).map_err(NotGoingOn::Fetch)?;
    match tree.begins_with(old.size, &old.root).map_err(NotGoingOn::Fetch)? {
        true => Ok(new),
        false => Err(NotGoingOn::OtherHistory { had: old.size, kept: kept(), shown }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Hash, SigningKey};
    use crate::served::tests::{fetched, key, served};

    fn ask(old: (&[Hash], &str), leaves: &[Hash], head: &str) -> Result<u64, NotGoingOn> {
        let key = key();
        let kept = Checkpoint::open(old.1, key.verifier()).unwrap();
        let fetch = &mut |path: &str| fetched(leaves, head, path);
        going_on(&kept, old.1, key.verifier(), fetch).map(|head| head.size)
    }

    #[test]
    fn a_log_that_has_only_grown_goes_on() {
        let sizes = [1, 2, 3, 7, 8, 255, 256, 257, 300, 512, 700];
        for old in sizes {
            let (old_leaves, old_head) = served(old, None);
            for new in sizes {
                let (leaves, head) = served(new, None);
                let found = ask((&old_leaves, &old_head), &leaves, &head);
                match new < old {
                    true => assert!(matches!(found, Err(NotGoingOn::Shorter { .. })), "{old} {new}"),
                    false => assert_eq!(found, Ok(new), "{old}"),
                }
            }
        }
    }

    #[test]
    fn another_history_is_found() {
        for (old, new, other) in
            [(1, 1, 0), (5, 5, 4), (5, 9, 0), (256, 700, 255), (300, 700, 299), (700, 701, 3)]
        {
            let (old_leaves, old_head) = served(old, None);
            let (leaves, head) = served(new, Some(other));
            let found = ask((&old_leaves, &old_head), &leaves, &head);
            assert!(matches!(found, Err(NotGoingOn::OtherHistory { .. })), "{old} {new} {other}: {found:?}");
            // The tiles of another log than the one that is signed.
            let (whole, _) = served(new, None);
            let found = ask((&old_leaves, &old_head), &whole, &head);
            assert!(matches!(found, Err(NotGoingOn::Fetch(_))), "{found:?}");
        }
        // A leaf after the kept head may be any.
        let (old_leaves, old_head) = served(300, None);
        let (leaves, head) = served(700, Some(300));
        assert_eq!(ask((&old_leaves, &old_head), &leaves, &head), Ok(700));
        // Tiles of the wrong width, a head by another key.
        let strange = ask((&old_leaves, &old_head), &leaves[..299], &head);
        assert!(matches!(strange, Err(NotGoingOn::Fetch(_))), "{strange:?}");
        let thief = SigningKey::new("a/b", &[2; 32]).unwrap();
        let signed = Checkpoint::open(&head, key().verifier()).unwrap().sign(&[&thief]);
        assert!(matches!(ask((&old_leaves, &old_head), &leaves, &signed), Err(NotGoingOn::Key(_))));
    }
}
