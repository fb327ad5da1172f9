//! Verifies the texts of an archive, and compares their reports with those of this version.

use super::{Checked, Finding, FindingKind, damage};
use crate::error::ArchiveError;
use crate::identity::{Header, text_key};
use crate::log::{GameFacts, Leaf, commitment};
use crate::rulebook::{Rulebook, Rulebooks};
use crate::store::Kept;
use crate::texts::Text;
use crate::{Archive, Submission};
use ferz_core::judge::End;
use ferz_core::rules::RulesId;
use ferz_records::record::{GameResult, Record, read};
use ferz_records::replay::{Replayer, Report, Source};
use rayon::prelude::*;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::sync::Arc;

fn page(archive: &Archive, last: &mut i64) -> Result<Vec<Kept>, ArchiveError> {
    let page = archive.store().kept(*last, archive.limit())?;
    *last = page.last().map_or(*last, |(number, _)| *number);
    Ok(page.into_iter().map(|(_, kept)| kept).collect())
}

/// The facts of a report that its event repeats.
#[derive(Deserialize)]
struct Facts {
    variant: String,
    legal: bool,
    plies: u64,
    end: Option<EndFact>,
    result_tag: Option<String>,
}

#[derive(Deserialize)]
struct EndFact {
    reason: String,
}

impl Facts {
    /// The first fact that an event states otherwise.
    fn differs(&self, game: &GameFacts<'_>) -> Option<&'static str> {
        let end = self.end.as_ref().map(|end| &*end.reason);
        let facts = [
            ("variant", self.variant == game.variant),
            ("legal", u8::from(self.legal) == game.legal),
            ("plies", self.plies == game.plies),
            ("end", end == game.ending.as_deref()),
            ("result", self.result_tag.as_deref().unwrap_or("*") == game.result),
        ];
        facts.into_iter().find_map(|(fact, agrees)| (!agrees).then_some(fact))
    }
}

/// Checks and counts all texts.
pub(super) fn check(
    archive: &Archive,
    books: Option<&Rulebooks<'_>>,
    checked: &mut Checked,
    found: &mut dyn FnMut(Finding),
    progress: &mut dyn FnMut(u64),
) -> Result<(), ArchiveError> {
    let mut last = 0;
    loop {
        let page = page(archive, &mut last)?;
        if page.is_empty() {
            return Ok(());
        }
        let looked: Vec<_> = page.par_iter().map(|kept| kept.check(books)).collect();
        for (kept, result) in page.iter().zip(looked) {
            match result {
                Ok(Today { otherwise, reworded, other_rules }) => {
                    checked.reworded += u64::from(reworded && otherwise.is_none());
                    checked.other_rules += u64::from(other_rules);
                    if let Some(message) = otherwise {
                        found(Finding { id: Some(kept.text.id), kind: FindingKind::Otherwise, message });
                    }
                }
                Err(finding) => found(finding),
            }
        }
        checked.texts += page.len() as u64;
        progress(page.len() as u64);
    }
}

/// A difference between the stored report and this version's; not damage.
#[derive(Default)]
struct Today {
    /// A description.
    otherwise: Option<String>,
    reworded: bool,
    other_rules: bool,
}

impl Today {
    fn otherwise(words: impl Into<String>) -> Today {
        Today { otherwise: Some(words.into()), ..Today::default() }
    }
}

impl Kept {
    fn damage(&self, message: impl Into<String>) -> Finding {
        damage(Some(self.text.id), message)
    }

    /// The first damage, which only the event and stored columns can show; otherwise the difference of this version.
    fn check(&self, books: Option<&Rulebooks<'_>>) -> Result<Today, Finding> {
        let trouble = |error: ArchiveError| self.damage(error.to_string());
        let text = self.text.bytes().map_err(trouble)?;
        if text_key(&text) != self.text.text_key {
            return Err(self.damage("a text does not match its key"));
        }
        let json = self.text.report().map_err(trouble)?;
        self.check_event(&json)?;
        let report: Report = match serde_json::from_str(&json) {
            Ok(report) => report,
            Err(error) => {
                return Ok(Today::otherwise(format!("the report on a text is of another version: {error}")));
            }
        };
        let Some(record) = read(&text, 0).next() else {
            return Ok(Today::otherwise("this version finds no game in a text"));
        };
        let header = Header::of(&record, report.result_tag.map(GameResult::as_str));
        if Some(header.key(&self.text.play)) != self.text.key {
            return Ok(Today::otherwise("this version reads other tags in a text"));
        }
        match books {
            Some(books) => self.judge_again(books, &record, &report).map_err(trouble),
            None => Ok(Today::default()),
        }
    }

    /// Compares a report with the event of its text. The event has been compared with the rows already.
    fn check_event(&self, report: &str) -> Result<(), Finding> {
        let leaf: Leaf<'_> =
            serde_json::from_slice(&self.leaf).map_err(|_| self.damage("the log has no event of a text"))?;
        let (Some(game), Some(salt)) = (&leaf.game, &self.salt) else {
            return Err(self.damage("the event of a text has no game, or no salt"));
        };
        if commitment(salt, "report", &Sha256::digest(report).into()) != game.report {
            return Err(self.damage("the report on a text is not the one that its event names"));
        }
        let facts: Facts = serde_json::from_str(report)
            .map_err(|error| self.damage(format!("the report on a text cannot be read: {error}")))?;
        match facts.differs(game) {
            Some(fact) => {
                Err(self.damage(format!("`{fact}` of the report on a text is not that of its event")))
            }
            None => Ok(()),
        }
    }

    fn judge_again(
        &self,
        books: &Rulebooks<'_>,
        record: &Record<'_>,
        before: &Report,
    ) -> Result<Today, ArchiveError> {
        let Text { options, rules, play, .. } = &self.text;
        let source = Source::new(record.source(), 0, 0);
        let judge = |replayer: &mut Replayer<'_>| Submission::judge(replayer, record, &source);
        let (book, today) = books.with(record, options, rules.as_ref(), judge)?;
        let today = today?;
        let now = today.report();
        let plies = (today.play_key != *play).then(|| "the plies differ".to_owned());
        let other_rules = matches!(book, Rulebook::Stored(_));
        Ok(Today { otherwise: difference(before, now).or(plies), reworded: before != now, other_rules })
    }
}

/// The first fact in which two reports on one text differ. Messages, places and variations are not compared.
pub(crate) fn difference(before: &Report, now: &Report) -> Option<String> {
    const BY: &str = "by this version";
    let rules = |rules: &Option<Arc<RulesId>>| {
        rules.as_ref().map_or_else(none, |id| format!("{} {} ({})", id.name, id.edition, id.digest))
    };
    differs(BY, "rules", before.rules.clone(), now.rules.clone(), rules)
        .or_else(|| changed_verdict(before, now, BY))
        .or_else(|| {
            differs(BY, "final position", before.final_fen.as_str(), &now.final_fen, |fen| (*fen).to_owned())
        })
}

/// The first fact of the verdict in which two reports on one text differ; `by` says what the second one is by.
pub(crate) fn changed_verdict(before: &Report, now: &Report, by: &str) -> Option<String> {
    let illegal = |report: &Report| {
        let plies =
            report.illegal_plies().map(|illegal| format!("{} ({})", illegal.numbered(), illegal.reason_id));
        plies.reduce(|all, ply| format!("{all}, {ply}")).unwrap_or_else(none)
    };
    let end = |end: &Option<End>| {
        end.map_or_else(none, |end| format!("{} by {} after ply {}", end.outcome, end.reason, end.ply))
    };
    let result = |result: &Option<GameResult>| result.map_or_else(none, |result| result.to_string());
    differs(by, "plies", before.plies, now.plies, usize::to_string)
        .or_else(|| differs(by, "legal", before.legal, now.legal, bool::to_string))
        .or_else(|| differs(by, "illegal plies", illegal(before), illegal(now), String::clone))
        .or_else(|| differs(by, "end", before.end, now.end, end))
        .or_else(|| differs(by, "result", before.result_tag, now.result_tag, result))
        .or_else(|| {
            differs(by, "agreement", before.agreement, now.agreement, |agreement| agreement.to_string())
        })
}

fn differs<T: PartialEq>(
    by: &str,
    fact: &str,
    before: T,
    now: T,
    words: impl Fn(&T) -> String,
) -> Option<String> {
    (before != now).then(|| format!("{fact}: before {}, {by} {}", words(&before), words(&now)))
}

fn none() -> String {
    "none".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Archive;
    use crate::pack::pack;
    use ferz_records::replay::{Agreement, Options};

    fn report(text: &str) -> Report {
        let record = read(text.as_bytes(), 0).next().unwrap();
        let mut replayer = Replayer::new(ferz_core::rules::Registry::built_in(), Options::default());
        replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0)
    }

    /// A submission of a legal game with the report of another version.
    fn kept_by_another_version(change: impl FnOnce(&mut Submission)) -> Vec<(FindingKind, String)> {
        let text = b"[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let registry = ferz_core::rules::Registry::built_in();
        let mut replayer = Replayer::new(registry, Options::default());
        let record = read(text, 0).next().unwrap();
        let mut submission = Submission::judge(&mut replayer, &record, &Source::new(text, 0, 0)).unwrap();
        change(&mut submission);
        let json = serde_json::to_vec(&submission.report).unwrap();
        submission.packed_report = pack(&json).unwrap();
        submission.report_digest = Sha256::digest(&json).into();
        submission.key = submission.header.key(&submission.play_key);
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(folder.path().join("games.ferz")).unwrap();
        archive.submit(vec![submission]).unwrap();
        let mut found = Vec::new();
        archive
            .verify(Some(registry), &mut |finding| found.push((finding.kind, finding.message)), &mut |_| ())
            .unwrap();
        found
    }

    /// A text that this version judges or reads otherwise is counted, and is not damage.
    #[test]
    fn another_version_is_no_damage() {
        assert_eq!(kept_by_another_version(|_| ()), []);
        let otherwise = |words: &str| [(FindingKind::Otherwise, words.to_owned())];
        let judged = kept_by_another_version(|kept| kept.report.agreement = Agreement::Unverifiable);
        assert_eq!(judged, otherwise("agreement: before unverifiable, by this version confirmed"));
        let tags = kept_by_another_version(|kept| kept.header.white = "Anne".to_owned());
        assert_eq!(tags, otherwise("this version reads other tags in a text"));
        let none = kept_by_another_version(|kept| {
            let text = b"Dear Ann,";
            kept.text = pack(text).unwrap();
            (kept.digest, kept.text_key) = (Sha256::digest(text).into(), text_key(text));
        });
        assert_eq!(none.len(), 1, "{none:?}");
        assert_eq!(none[0].0, FindingKind::Otherwise, "{none:?}");
        let damaged = kept_by_another_version(|kept| kept.digest[0] ^= 1);
        assert_eq!(damaged[0].0, FindingKind::Damage, "{damaged:?}");
    }

    #[test]
    fn facts_differ_and_words_do_not() {
        let mate = report("1. f3 e5 2. g4 Qh4# 0-1");
        for (text, words) in [
            ("1. f3 e5 2. g4 Qh4# 0-1", ""),
            ("1. f3 {weak} e5 2. g4?? Qh4 0-1", ""),
            ("1. f3 e5 2. g4 (2. Ke9) 2... d8-h4 0-1", ""),
            ("1. f3 e5 2. g4 0-1", "plies: before 4, by this version 3"),
            ("1. f3 e5 2. g4 Qh4 3. e3 0-1", "legal: before true, by this version false"),
            ("1. f3 e5 2. g4 Qh4 1-0", "result: before 0-1, by this version 1-0"),
            ("1. f3 e6 2. g4 Qh4 0-1", "final position: before rnb1kbnr/pppp1ppp/8/4p3/6Pq/"),
            ("[Variant \"ichess\"]\n\n*", "rules: before chess 2023 ("),
        ] {
            let found = difference(&mate, &report(text)).unwrap_or_default();
            assert!(found.starts_with(words) && found.is_empty() == words.is_empty(), "{text}: {found}");
        }
        let illegal = difference(&report("1. e4 e5 2. Ke3"), &report("1. e4 e5 2. O-O"));
        let words = "illegal plies: before ply 3 (no-such-move), by this version ply 3 (castling-blocked)";
        assert_eq!(illegal.as_deref(), Some(words));
        let end = difference(&Report { end: None, ..mate.clone() }, &mate);
        assert_eq!(end.as_deref(), Some("end: before none, by this version 0-1 by checkmate after ply 4"));
    }
}
