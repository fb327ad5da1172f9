//! Laws of the archive: notation is no identity, order is none, and whatever bytes come are there again.
#![cfg(feature = "archive")]
#![allow(clippy::unwrap_used)]

use ferz::archive::{Archive, Filter, GameId, Submission, Which};
use ferz::notation::Style;
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rewrite::{ConvertOptions, convert};
use ferz::rules::Registry;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The text of every record under `fixtures/games`.
static RECORDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut paths: Vec<_> = std::fs::read_dir(crate::common::root().join("fixtures/games"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "pgn"))
        .collect();
    paths.sort();
    let texts = paths.iter().flat_map(|path| {
        let text = std::fs::read(path).unwrap();
        read(&text, 0).map(|record| record.source().to_vec()).collect::<Vec<_>>()
    });
    texts.collect()
});

fn judged(text: &[u8]) -> Vec<Submission> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::new(text, 0, 0);
    read(text, 0).map(|record| Submission::judge(&mut replayer, &record, &source).unwrap()).collect()
}

/// A record in another style, if nothing is lost by that.
fn converted(text: &[u8], to: Style) -> Option<String> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let record = read(text, 0).next()?;
    let options = ConvertOptions::new(to);
    let converted = convert(&mut replayer, &record, &Source::new(text, 0, 0), 0, &options);
    (converted.losses.is_empty() && converted.report.legal).then_some(converted.text)
}

#[test]
fn notation_is_no_identity() {
    let mut compared = 0;
    for text in RECORDS.iter() {
        let one = judged(text).remove(0);
        for style in Style::ALL {
            let Some(other) = converted(text, style) else { continue };
            let same = judged(other.as_bytes());
            assert_eq!(same.len(), 1);
            assert!(same[0].is_same_game(&one), "{style}: {}\n{other}", String::from_utf8_lossy(text));
            compared += 1;
        }
    }
    assert!(compared > 2 * RECORDS.len(), "{compared} of {} records", RECORDS.len());
}

/// The entries of an archive, and the texts of each without white space around them.
fn contents(archive: &Archive) -> BTreeSet<(GameId, Vec<u8>)> {
    let pages = archive.texts(&Filter::default(), Which::All);
    let texts = pages.flat_map(Result::unwrap);
    texts.map(|text| (text.id, text.bytes().unwrap().trim_ascii().to_vec())).collect()
}

/// The texts of each entry, without the ids, which each archive gives by itself.
fn texts_by_entry(archive: &Archive) -> BTreeSet<BTreeSet<Vec<u8>>> {
    let mut entries: BTreeMap<GameId, BTreeSet<Vec<u8>>> = BTreeMap::new();
    for (id, text) in contents(archive) {
        entries.entry(id).or_default().insert(text);
    }
    entries.into_values().collect()
}

/// Bytes that mean something somewhere in a record.
const BYTES: &[u8] = b"[]\"{}();%\n\r\t .$*!?0123456789-/abcdefghxKQRBNO+#=@~'\\\0\x1a\xff\xe2\x88\x9e";

/// A text of some records with some of its bytes changed.
fn mangled() -> impl Strategy<Value = Vec<u8>> {
    let changes =
        prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, prop::sample::select(BYTES)), 0..12);
    (prop::collection::vec(0..RECORDS.len(), 1..4), changes).prop_map(|(records, changes)| {
        let mut text: Vec<u8> = records.iter().flat_map(|record| RECORDS[*record].clone()).collect();
        for (at, change, byte) in changes {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match change {
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                2 => drop(text.remove(at)),
                _ => text.truncate(at),
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_is_no_identity(order in Just((0..RECORDS.len()).collect::<Vec<_>>()).prop_shuffle(), cut in 1..40usize) {
        let folder = tempfile::tempdir().unwrap();
        let one = Archive::open(folder.path().join("one")).unwrap();
        let two = Archive::open(folder.path().join("two")).unwrap();
        let some = &order[..order.len().min(cut)];
        for &record in some {
            one.submit(judged(&RECORDS[record])).unwrap();
        }
        // The other way round, and all of it twice, in one go.
        let back = some.iter().rev().chain(some).flat_map(|&record| judged(&RECORDS[record]));
        let stored = two.submit(back.collect()).unwrap();
        prop_assert!(stored[some.len()..].iter().all(|stored| !stored.created && !stored.text_added));
        prop_assert_eq!(texts_by_entry(&one), texts_by_entry(&two));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// A record, read alone, is one record, and the report on it is that on a file with this record alone.
    #[test]
    fn a_record_stands_alone(text in mangled()) {
        let records: Vec<&[u8]> = read(&text, 0).map(|record| record.source()).collect();
        let together = records.concat();
        prop_assert!(text.starts_with(&together));
        prop_assert!(text[together.len()..].iter().all(|byte| byte.is_ascii_whitespace()) || records.is_empty());
        for (submission, record) in judged(&text).iter().zip(records) {
            let own: Vec<_> = read(record, 0).collect();
            prop_assert_eq!(own.len(), 1, "{:?}", String::from_utf8_lossy(record));
            let mut replayer = Replayer::new(Registry::built_in(), Options::default());
            let report = replayer.report(&own[0], &Source::new(record, 0, 0), 0);
            prop_assert_eq!(submission.report(), &report);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever bytes come are there again, and the archive is whole.
    #[test]
    fn whatever_comes_is_there_again(texts in prop::collection::vec(mangled(), 1..4)) {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(folder.path().join("games")).unwrap();
        let mut kept = BTreeSet::new();
        for text in &texts {
            let records: Vec<_> = read(text, 0).map(|record| record.source().trim_ascii().to_vec()).collect();
            let stored = archive.submit(judged(text)).unwrap();
            kept.extend(stored.iter().zip(records).map(|(stored, record)| (stored.id, record)));
        }
        prop_assert_eq!(contents(&archive), kept);
        let mut findings = Vec::new();
        archive.verify(Some(Registry::built_in()), &mut |finding| findings.push(finding), &mut |_| ()).unwrap();
        prop_assert_eq!(findings, Vec::new());
    }
}
