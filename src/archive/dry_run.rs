//! What submissions would add to an archive, without storing any.

use super::error::ArchiveError;
use super::identity::{EntryKey, GameId};
use super::store::Added;
use super::submission::Submission;
use super::writer::all_stored;
use super::{Archive, Stored};
use std::collections::HashSet;

/// Answers submissions as an archive would, and stores nothing.
#[derive(Debug)]
pub struct DryRun<'a> {
    /// `None` for an archive that does not exist yet.
    archive: Option<&'a Archive>,
    plays: HashSet<[u8; 16]>,
    entries: HashSet<EntryKey>,
    texts: HashSet<(EntryKey, [u8; 16])>,
}

impl<'a> DryRun<'a> {
    /// A dry run on an archive; `None` for one that does not exist yet.
    pub fn on(archive: Option<&'a Archive>) -> DryRun<'a> {
        DryRun { archive, plays: HashSet::new(), entries: HashSet::new(), texts: HashSet::new() }
    }

    /// What [`Archive::submit`] would answer, were the submissions before these stored. Only entries that are known
    /// have ids.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn submit(
        &mut self,
        submissions: Vec<Submission>,
    ) -> Result<Vec<Stored<Option<GameId>>>, ArchiveError> {
        let added: Result<Vec<_>, _> = submissions.iter().map(|submission| self.add(submission)).collect();
        Ok(all_stored(submissions, added?, None))
    }

    fn add(&mut self, submission: &Submission) -> Result<(Option<GameId>, Added), ArchiveError> {
        let (id, known) = match self.archive {
            Some(archive) => archive.store().would_add(submission, archive.limit())?,
            None => (None, Added::ALL),
        };
        if known.is_forgotten {
            return Ok((id, known));
        }
        let Submission { key, play_key, text_key, .. } = submission;
        let added = Added {
            play: self.plays.insert(*play_key) && known.play,
            entry: self.entries.insert(*key) && known.entry,
            text: self.texts.insert((*key, *text_key)) && known.text,
            event: None,
            is_forgotten: false,
            is_withdrawn: known.is_withdrawn,
        };
        Ok((id, added))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::Registry;
    use ferz_records::record::read;
    use ferz_records::replay::{Options, Replayer, Source};

    fn judged(text: &str) -> Vec<Submission> {
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let source = Source::new(text.as_bytes(), 0, 0);
        let records = read(text.as_bytes(), 0);
        records.map(|record| Submission::judge(&mut replayer, &record, &source).unwrap()).collect()
    }

    #[test]
    fn a_dry_run_answers_as_the_archive_does() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(folder.path().join("a.ferz")).unwrap();
        archive.submit(judged("1. e4 e5 *\n")).unwrap();
        let batches =
            ["1. e4 e5 *\n\n1. d4 *\n\n1. d4 *\n", "d2d4 *\n\n[White \"Ann\"]\n\n1. d4 *\n", "e2e4 e7e5 *\n"];
        let mut dry_run = DryRun::on(Some(&archive));
        let predicted: Vec<_> = batches.map(|batch| dry_run.submit(judged(batch)).unwrap()).into();
        assert_eq!(archive.counts().unwrap().texts, 1);
        let stored: Vec<_> = batches.map(|batch| archive.submit(judged(batch)).unwrap()).into();
        // A dry run logs nothing, and only what is stored has an id.
        for (predicted, stored) in predicted.into_iter().flatten().zip(stored.into_iter().flatten()) {
            let id = predicted.id;
            assert!(id.is_none_or(|id| id == stored.id));
            assert_eq!(predicted, Stored { logged: None, ..stored.with_id(id) });
        }
        assert!(DryRun::on(None).submit(judged("1. e4 e5 *\n")).unwrap()[0].created);
    }
}
