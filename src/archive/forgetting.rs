//! Forgetting: the names, texts and salts of an entry are deleted. The log keeps its events, and one more that says so.

use super::Archive;
use super::error::ArchiveError;
use super::filter::{Criteria, Name, Role};
use super::identity::GameId;
use super::log::Logged;
use super::read::Summary;
use super::writer::Job;
use ferz_core::text::limits::{ARCHIVE_BECAUSE_CHARS_MAX, ARCHIVE_PAGE_MAX};
use std::collections::BTreeSet;
use std::fmt;

/// An entry to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgetting {
    /// The entry.
    pub id: GameId,
    /// The reason. It is in the log, in plain words and for ever, so it must name no one.
    pub because: String,
}

/// An entry that was forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// The entry.
    pub id: GameId,
    /// The event that says so.
    pub event: u64,
    /// Its time, as RFC 3339.
    pub time: String,
    /// The reason.
    pub because: String,
}

impl fmt::Display for Forgotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Forgotten { id, event, time, because } = self;
        write!(f, "the game {id} was forgotten by event {event} of the log at {time}: {because}")
    }
}

/// What forgetting some entries would delete.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToForget {
    /// The entries, each with its number of texts.
    pub games: Vec<(Summary, usize)>,
    /// Names that are in no other entry, which are deleted.
    pub names: Vec<String>,
    /// Names that other entries have, which stay there.
    pub shared_names: Vec<String>,
}

/// The fields that have names.
const ROLES: [Role; 3] = [Role::Player, Role::Event, Role::Site];

impl Archive {
    /// Deletes the names, texts and salts of an entry, and says so in the log. Its events, plies and result stay.
    /// Returns the event, for a receipt.
    ///
    /// # Errors
    /// If there is no such entry, it is forgotten already, the reason is empty or too long, or the archive cannot be
    /// written.
    pub fn forget(&self, mut forgetting: Forgetting) -> Result<Option<Logged>, ArchiveError> {
        forgetting.because = forgetting.because.trim().to_owned();
        let chars = forgetting.because.chars().count();
        if chars == 0 || chars > ARCHIVE_BECAUSE_CHARS_MAX {
            let why = format!("give a reason of at most {ARCHIVE_BECAUSE_CHARS_MAX} characters");
            return Err(ArchiveError::Withdrawal(why));
        }
        self.ask(|reply| Job::Forget(forgetting, reply))
    }

    /// Rewrites the file, so that nothing that was forgotten is left in unused parts of it. This takes as long as
    /// copying the file.
    ///
    /// # Errors
    /// If other programs read the archive at the same time, or it cannot be written.
    pub fn clean(&self) -> Result<(), ArchiveError> {
        self.ask(Job::Clean)
    }

    /// How an entry was forgotten, if it was.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn forgotten(&self, id: GameId) -> Result<Option<Forgotten>, ArchiveError> {
        self.store().forgotten(id, self.limit())
    }

    /// Fails if an entry was forgotten.
    pub(super) fn check_remembered(&self, id: GameId) -> Result<(), ArchiveError> {
        match self.forgotten(id)? {
            Some(forgotten) => Err(ArchiveError::Forgotten(Box::new(forgotten))),
            None => Ok(()),
        }
    }

    /// The entries that have exactly this name as a player, event or site.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn named(&self, name: &str) -> Result<Vec<GameId>, ArchiveError> {
        let mut found = BTreeSet::new();
        for role in ROLES {
            let mut before = None;
            loop {
                let page = self.store().find(&exactly(role, name), before, ARCHIVE_PAGE_MAX, self.limit())?;
                let Some((last, _)) = page.last() else { break };
                before = Some(*last);
                found.extend(page.into_iter().map(|(number, summary)| (number, summary.id)));
            }
        }
        Ok(found.into_iter().map(|(_, id)| id).collect())
    }

    /// What forgetting these entries would delete.
    ///
    /// # Errors
    /// If there is no such entry, one is forgotten already, or the archive cannot be read.
    pub fn to_forget(&self, ids: &[GameId]) -> Result<ToForget, ArchiveError> {
        let mut all = ToForget::default();
        let mut names = BTreeSet::new();
        for id in ids {
            let entry = self.get(*id)?.ok_or(ArchiveError::NoGame(*id))?;
            let Summary { white, black, nature, event, site, .. } = &entry.summary;
            names.extend([white, black, event, site].into_iter().chain(nature).cloned());
            all.games.push((entry.summary, entry.arrivals.len()));
        }
        names.remove("?");
        for name in names {
            match self.is_elsewhere(&name, ids)? {
                true => all.shared_names.push(name),
                false => all.names.push(name),
            }
        }
        Ok(all)
    }

    /// True if an entry other than these has the name.
    fn is_elsewhere(&self, name: &str, ids: &[GameId]) -> Result<bool, ArchiveError> {
        for role in ROLES {
            let found = self.store().find(&exactly(role, name), None, ids.len() + 1, self.limit())?;
            if found.iter().any(|(_, summary)| !ids.contains(&summary.id)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn exactly(role: Role, name: &str) -> Criteria {
    Criteria { names: vec![(role, Name::Whole(name.to_owned()))], ..Criteria::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Submission;
    use crate::identity::to_hex;
    use ferz_core::rules::Registry;
    use ferz_records::record::read;
    use ferz_records::replay::{Options, Replayer, Source};

    fn judged(text: &str) -> Submission {
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let record = read(text.as_bytes(), 0).next().unwrap();
        Submission::judge(&mut replayer, &record, &Source::new(text.as_bytes(), 0, 0)).unwrap()
    }

    fn has(bytes: &[u8], part: &[u8]) -> bool {
        bytes.windows(part.len()).any(|window| window == part)
    }

    /// After a right guess of a forgotten game, with all its tags, nothing in the file says that it is right: no digest
    /// of the text or the names, and no salt with which they make the id.
    #[test]
    fn a_right_guess_is_not_confirmed() {
        for plies in ["1. e4 e5 2. Nf3", "1. e4 e5 2. Ke3", "[Variant \"no such game\"]\n\n1. e4"] {
            let text =
                format!("[White \"Doe, Jane\"]\n[Black \"Roe, Richard\"]\n[Event \"Cup\"]\n{plies} *\n");
            let text = if plies.starts_with('[') { text } else { text.replace("1. e4", "\n1. e4") };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games.ferz");
            let file = || {
                ["", "-wal"]
                    .map(|end| std::fs::read(format!("{}{end}", path.display())).unwrap_or_default())
                    .concat()
            };
            let archive = Archive::open(&path).unwrap();
            let id = archive.submit(vec![judged(&text)]).unwrap()[0].id;
            let guess = judged(&text);
            let salt_in = |bytes: &[u8]| {
                bytes.windows(16).any(|salt| GameId::of(guess.key, salt.try_into().unwrap()) == id)
            };
            let play_of_text = guess.play.text_key.map(|_| &guess.play_key[..]);
            let digests = [&guess.key.0[..], &guess.text_key, &guess.digest];
            let digests: Vec<&[u8]> = digests.into_iter().chain(play_of_text).collect();
            assert!(
                salt_in(&file()) && digests.iter().all(|digest| has(&file(), digest)),
                "the guess is right"
            );
            archive.forget(Forgetting { id, because: "asked for".to_owned() }).unwrap();
            archive.clean().unwrap();
            let left = file();
            assert!(has(&left, &id.0) && !salt_in(&left), "{plies}: the salt is left");
            for digest in digests {
                assert!(
                    !has(&left, digest) && !has(&left, to_hex(digest).as_bytes()),
                    "{plies}: a digest is left"
                );
            }
            // Who has the key of the archive knows it again, and stores nothing.
            let again = archive.submit(vec![judged(&text)]).unwrap();
            assert!(again[0].is_forgotten && again[0].id == id);
        }
    }
}
