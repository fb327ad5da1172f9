//! Judges the texts of an archive by other rules than those they were judged by, and finds the verdicts that change.

use super::error::ArchiveError;
use super::filter::Filter;
use super::identity::GameId;
use super::log::Logged;
use super::submission::Submission;
use super::texts::{Text, Which};
use super::verify::changed_verdict;
use super::{Archive, Stored, Withdrawal};
use ferz_core::rules::{Registry, RulesId};
use ferz_records::record::{Record, read};
use ferz_records::replay::summary::why_not_judged;
use ferz_records::replay::{Replayer, Report, Source};
use rayon::prelude::*;

/// What other rules make of an entry.
#[derive(Debug)]
pub struct Revalidated {
    /// The entry.
    pub id: GameId,
    /// What changes.
    pub change: Change,
}

/// A change by other rules.
#[derive(Debug)]
pub enum Change {
    /// The verdict is the same by these rules.
    None,
    /// The verdict changes.
    Verdict {
        /// The first fact that differs, before and now, and why a ply is illegal.
        why: String,
        /// The text judged by these rules, to be stored.
        submission: Box<Submission>,
    },
    /// The text cannot be judged by these rules.
    NotJudged(String),
    /// The entry is damaged.
    Damaged(ArchiveError),
}

/// An entry that was superseded by one judged by other rules.
#[derive(Debug, PartialEq, Eq)]
pub struct Superseded {
    /// The new entry.
    pub new: Stored,
    /// The event of the withdrawal, for a receipt.
    pub withdrawn: Option<Logged>,
}

impl Archive {
    /// Judges the first texts of the matching entries by the rules of `registry` as they are now; by those of an
    /// edition if one is named, whatever the texts say. Calls `found` for each entry, in order of arrival, and writes
    /// nothing.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn revalidate(
        &self,
        filter: &Filter,
        registry: &Registry,
        edition: Option<&str>,
        found: &mut dyn FnMut(Revalidated),
    ) -> Result<(), ArchiveError> {
        for page in self.texts(filter, Which::First) {
            let judged: Vec<Change> = page
                .as_ref()
                .map_err(Clone::clone)?
                .par_iter()
                .map(|text| change(text, registry, edition))
                .collect();
            for (text, change) in page?.iter().zip(judged) {
                found(Revalidated { id: text.id, change });
            }
        }
        Ok(())
    }

    /// Stores a text as other rules judge it, and withdraws the entry that it supersedes. Nothing is deleted.
    ///
    /// # Errors
    /// If the rules are those of the entry, or the archive cannot be written.
    pub fn supersede_by_rules(
        &self,
        id: GameId,
        submission: Submission,
        because: &str,
    ) -> Result<Superseded, ArchiveError> {
        if self.store().would_add(&submission, self.limit())?.0 == Some(id) {
            let why =
                "these are the rules that the entry was judged by; only the program's judgement changed";
            return Err(ArchiveError::Withdrawal(why.to_owned()));
        }
        let new = self.submit(vec![submission])?.pop().ok_or(ArchiveError::Closed)?;
        let because = because.to_owned();
        let withdrawn =
            self.withdraw(Withdrawal { id, successor: Some(new.id), because, token: None, own: false })?;
        Ok(Superseded { new, withdrawn })
    }
}

fn change(text: &Text, registry: &Registry, edition: Option<&str>) -> Change {
    match judged_again(text, registry, edition) {
        Ok(change) => change,
        Err(error) => Change::Damaged(error),
    }
}

fn judged_again(text: &Text, registry: &Registry, edition: Option<&str>) -> Result<Change, ArchiveError> {
    let report = text.report()?;
    let before: Report = serde_json::from_str(&report).map_err(|error| {
        ArchiveError::Corrupt(format!("the report on a text is of another version: {error}"))
    })?;
    let mut bytes = text.bytes()?;
    let Some(record) = read(&bytes, 0).next() else {
        return Ok(Change::NotJudged("this version finds no game in the text".to_owned()));
    };
    if let Some(edition) = edition {
        bytes = with_edition(&record, edition);
    }
    let Some(record) = read(&bytes, 0).next() else {
        return Ok(Change::NotJudged("this version finds no game in the text".to_owned()));
    };
    let mut replayer = Replayer::new(registry, text.options.clone());
    let submission = Submission::judge(&mut replayer, &record, &Source::new(&bytes, 0, 0))?;
    let now = submission.report();
    if now.rules.is_none() && before.rules.is_some() {
        let why = why_not_judged(now).map_or("no rules of this game are known", |found| &found.message);
        return Ok(Change::NotJudged(why.to_owned()));
    }
    let Some(mut why) = changed_verdict(&before, now, &by(now.rules.as_deref())) else {
        return Ok(Change::None);
    };
    if let Some(illegal) = &now.illegal {
        why.push_str(&format!("; `{}`: {} ({})", illegal.text, illegal.reason, illegal.rule));
    }
    Ok(Change::Verdict { why, submission: Box::new(submission) })
}

/// The rules in a message.
fn by(rules: Option<&RulesId>) -> String {
    rules.map_or_else(|| "now".to_owned(), |rules| format!("by {} {}", rules.name, rules.edition))
}

/// A record's text with another edition in its tag `RulesEdition`.
fn with_edition(record: &Record<'_>, edition: &str) -> Vec<u8> {
    let (text, escaped) = (record.source(), edition.replace('\\', "\\\\").replace('"', "\\\""));
    let (end, pair) =
        match record.tags.iter().find(|tag| record.tag_name(tag).eq_ignore_ascii_case("RulesEdition")) {
            Some(tag) => {
                let (start, end) = (tag.value as usize, (tag.value + tag.value_len) as usize);
                return [&text[..start], escaped.as_bytes(), &text[end..]].concat();
            }
            None => match record.tags.last() {
                Some(last) => ((last.start + last.len) as usize, format!("\n[RulesEdition \"{escaped}\"]")),
                None => (0, format!("[RulesEdition \"{escaped}\"]\n\n")),
            },
        };
    [&text[..end], pair.as_bytes(), &text[end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_records::replay::Options;

    const BEFORE: &str = "name = \"own\"\nextends = \"chess\"\nedition = \"1\"\n";
    const AFTER: &str =
        "name = \"own\"\nextends = \"chess\"\nedition = \"2\"\n[ends]\nstalemate = \"loss\"\n";
    const STALEMATE: &str = "[White \"Ann\"]\n[Variant \"own\"]\n[SetUp \"1\"]\n\
        [FEN \"k7/8/2K5/1Q6/8/8/8/8 w - - 0 1\"]\n\n1. Qb6 1/2-1/2\n";

    fn changes(archive: &Archive, registry: &Registry, edition: Option<&str>) -> Vec<Revalidated> {
        let filter = Filter { withdrawn: Some(false), ..Filter::default() };
        let mut all = Vec::new();
        archive.revalidate(&filter, registry, edition, &mut |found| all.push(found)).unwrap();
        all
    }

    #[test]
    fn other_rules_change_verdicts_and_append_entries() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(folder.path().join("a.ferz")).unwrap();
        let old = Registry::with_files([BEFORE]).unwrap();
        let judged = |text: &str| {
            let record = read(text.as_bytes(), 0).next().unwrap();
            let mut replayer = Replayer::new(&old, Options::default());
            Submission::judge(&mut replayer, &record, &Source::new(text.as_bytes(), 0, 0)).unwrap()
        };
        let game = "[White \"Ann\"]\n[Variant \"own\"]\n\n1. e4 e5 *\n";
        let kept = archive.submit(vec![judged(STALEMATE), judged(game)]).unwrap();
        assert!(changes(&archive, &old, None).iter().all(|found| matches!(found.change, Change::None)));

        let new = Registry::with_files([BEFORE, AFTER]).unwrap();
        let mut found = changes(&archive, &new, Some("2"));
        assert!(matches!(found[1].change, Change::None), "{found:?}");
        let Revalidated { id, change: Change::Verdict { why, submission } } = found.remove(0) else {
            panic!("{found:?}")
        };
        let expected = "end: before 1/2-1/2 by stalemate after ply 1, by own 2 1-0 by stalemate after ply 1";
        assert_eq!(why, expected);
        assert!(matches!(changes(&archive, &new, Some("3"))[0].change, Change::NotJudged(_)));

        let superseded = archive.supersede_by_rules(id, *submission, "edition 2").unwrap();
        let withdrawn = archive.get(id).unwrap().unwrap().summary.withdrawn.unwrap();
        assert_eq!((withdrawn.superseded_by, &*withdrawn.because), (Some(superseded.new.id), "edition 2"));
        let text = archive.original(superseded.new.id).unwrap().unwrap();
        assert!(String::from_utf8(text).unwrap().contains("\n[RulesEdition \"2\"]\n\n1. Qb6"));
        let same = judged(game);
        assert!(matches!(
            archive.supersede_by_rules(kept[1].id, same.clone(), "x"),
            Err(ArchiveError::Withdrawal(_))
        ));
        // What was superseded is judged no more; the archive is intact.
        assert!(changes(&archive, &new, Some("2")).iter().all(|found| matches!(found.change, Change::None)));
        let mut damaged = Vec::new();
        archive.verify(Some(&new), &mut |finding| damaged.push(finding), &mut |_| ()).unwrap();
        assert_eq!(damaged, []);
    }

    #[test]
    fn the_edition_is_a_tag_of_the_text() {
        for (text, expected) in [
            ("1. e4 *", "[RulesEdition \"2\"]\n\n1. e4 *"),
            ("[White \"A\"]\n\n1. e4 *", "[White \"A\"]\n[RulesEdition \"2\"]\n\n1. e4 *"),
            ("[rulesedition \"1\"]\n\n1. e4 *", "[rulesedition \"2\"]\n\n1. e4 *"),
        ] {
            let record = read(text.as_bytes(), 0).next().unwrap();
            assert_eq!(String::from_utf8(with_edition(&record, "2")).unwrap(), expected);
        }
    }
}
