//! The archive as a program uses it: what came is there again, once, byte for byte, and found by whatever is asked.
#![cfg(feature = "archive")]
#![allow(clippy::unwrap_used)]

use ferz::archive::{Archive, ArchiveError, Filter, Forgetting, GameId, Stored, Submission, Withdrawal};
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// An archive in a folder of its own.
struct Desk {
    folder: tempfile::TempDir,
    archive: Archive,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(folder.path().join("games.ferz")).unwrap();
        Desk { folder, archive }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("games.ferz")
    }

    fn submit(&self, text: &[u8]) -> Vec<Stored> {
        self.archive.submit(judged(text)).unwrap()
    }

    fn all(&self) -> Vec<GameId> {
        ids(&self.archive, &Filter::default())
    }
}

fn judged(text: &[u8]) -> Vec<Submission> {
    judged_with(text, &Options::default())
}

fn judged_with(text: &[u8], options: &Options) -> Vec<Submission> {
    let mut replayer = Replayer::new(Registry::built_in(), options.clone());
    let source = Source::new(text, 0, 0);
    read(text, 0).map(|record| Submission::judge(&mut replayer, &record, &source).unwrap()).collect()
}

/// The ids that a filter finds, over as many pages as it takes.
fn ids(archive: &Archive, filter: &Filter) -> Vec<GameId> {
    let mut found = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = archive.list(filter, 3, cursor.as_deref()).unwrap();
        assert!(page.items.len() <= 3);
        found.extend(page.items.iter().map(|item| item.id));
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return found,
        }
    }
}

/// All records under `fixtures/games` and `fixtures/records`, by name.
fn fixtures() -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in ["games", "records"] {
        for entry in std::fs::read_dir(crate::common::root().join("fixtures").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "pgn") {
                found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    assert!(found.len() > 30, "only {} fixtures", found.len());
    found
}

const GAME: &str = "[Event \"Club\"]\n[Site \"Linz\"]\n[Date \"2020.05.17\"]\n[Round \"3\"]\n[White \"Réti, Richard\"]\n\
    [Black \"O'Kelly\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";

#[test]
fn what_came_is_there_again() {
    let desk = Desk::new();
    let stored = desk.submit(GAME.as_bytes());
    assert_eq!(stored.len(), 1);
    let Stored { id, created, text_added, related, is_forgotten, is_withdrawn, valid, report, logged } =
        &stored[0];
    assert!(!is_withdrawn);
    assert!(*created && *text_added && !related && !is_forgotten && *valid && logged.is_some());
    let entry = desk.archive.get(*id).unwrap().unwrap();
    assert_eq!(entry.report, serde_json::to_string(report).unwrap());
    assert_eq!(entry.moves.join(" "), "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    assert_eq!(entry.start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(entry.rules.as_ref().map(|rules| &rules.id), report.rules.as_deref());
    let summary = &entry.summary;
    assert_eq!((&*summary.white, &*summary.black, summary.plies), ("Réti, Richard", "O'Kelly", 7));
    assert_eq!((summary.end.as_deref(), &*summary.result), (Some("checkmate"), "1-0"));
    assert_eq!(entry.arrivals.len(), 1);
    assert_eq!(entry.arrivals[0].digest, sha256_hex(GAME.as_bytes()));
    assert_eq!(desk.archive.original(*id).unwrap().unwrap(), GAME.as_bytes());
    let nobody = "0".repeat(32).parse().unwrap();
    assert_eq!(desk.archive.get(nobody).unwrap(), None);
    assert_eq!(desk.archive.original(nobody).unwrap(), None);
}

fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_same_again_adds_nothing_and_other_words_add_a_text() {
    let desk = Desk::new();
    let first = desk.submit(GAME.as_bytes());
    let again = desk.submit(format!("\n\n{GAME}\n").as_bytes());
    assert_eq!((again[0].id, again[0].created, again[0].text_added), (first[0].id, false, false));
    let counts = desk.archive.counts().unwrap();
    assert_eq!((counts.games, counts.texts, counts.not_valid), (1, 1, 0));
    let comment = GAME.replace("Qxf7#", "Qxf7# {ouch}");
    let coordinates =
        GAME.replace("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#", "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    for text in [&comment, &coordinates] {
        let stored = desk.submit(text.as_bytes());
        assert_eq!(
            (stored[0].id, stored[0].created, stored[0].text_added),
            (first[0].id, false, true),
            "{text}"
        );
    }
    let texts = desk.archive.originals(first[0].id).unwrap();
    assert_eq!(texts, [GAME.as_bytes(), comment.as_bytes(), coordinates.as_bytes()]);
    assert_eq!(desk.archive.get(first[0].id).unwrap().unwrap().arrivals.len(), 3);
    assert_eq!(desk.all(), [first[0].id]);
}

#[test]
fn equal_plies_of_other_people_are_related_and_never_merged() {
    let desk = Desk::new();
    let first = desk.submit(GAME.as_bytes());
    let mut others = BTreeSet::new();
    for (from, to) in [
        ("Réti, Richard", "Reti, Richard"),
        ("O'Kelly", "Kelly"),
        ("Club", "Cup"),
        ("2020.05.17", "2020.05.18"),
        ("Round \"3\"", "Round \"4\""),
        ("[Result", "[Nature \"Cleo\"]\n[Result"),
    ] {
        let stored = desk.submit(GAME.replace(from, to).as_bytes());
        assert!(stored[0].created && stored[0].related, "{to}");
        others.insert(stored[0].id);
    }
    assert_eq!(others.len(), 6);
    let related: BTreeSet<GameId> =
        desk.archive.related(first[0].id).unwrap().into_iter().map(|summary| summary.id).collect();
    assert_eq!(related, others);
    // The place is nobody's identity, and another game is not related.
    assert!(!desk.submit(GAME.replace("Linz", "Graz").as_bytes())[0].created);
    let other = desk.submit(GAME.replace("2. Qh5", "2. Bc4").replace("3. Bc4", "3. Qh5").as_bytes());
    assert!(other[0].created && !other[0].related);
    assert!(desk.archive.related(other[0].id).unwrap().is_empty());
}

/// A game by correspondence comes while it goes on, and once more with a mistake mended: each is an entry of its own,
/// so that nothing that came is replaced, and all are found together by their header.
#[test]
fn a_game_that_went_on_and_one_that_was_corrected_are_entries_beside_the_first() {
    let desk = Desk::new();
    let header = "[Event \"By post\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n\n";
    let texts = ["1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *", "1. e4 e5 2. Nf3 Nf6 3. Nxe5 1-0"];
    let texts = texts.map(|moves| format!("{header}{moves}\n"));
    let stored: Vec<Stored> = texts.iter().map(|text| desk.submit(text.as_bytes()).remove(0)).collect();
    assert!(stored.iter().all(|stored| stored.created && stored.text_added && !stored.related));
    for (stored, text) in stored.iter().zip(&texts) {
        assert_eq!(desk.archive.original(stored.id).unwrap().unwrap(), text.as_bytes());
        assert!(desk.archive.related(stored.id).unwrap().is_empty());
    }
    let of_both = Filter { white: Some("ann".into()), event: Some("by post".into()), ..Filter::default() };
    let found: Vec<GameId> = stored.iter().rev().map(|stored| stored.id).collect();
    assert_eq!(ids(&desk.archive, &of_both), found);
    let begun = Filter { moves: Some("e2e4 e7e5 g1f3".into()), ..of_both };
    assert_eq!(ids(&desk.archive, &begun), found);
}

/// A copy that is made while others write is whole, and has all that was acknowledged before.
#[test]
fn a_copy_is_made_while_others_write() {
    let desk = Desk::new();
    let over = AtomicBool::new(false);
    let acknowledged = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let (desk, over, acknowledged) = (&desk, &over, &acknowledged);
            scope.spawn(move || {
                for game in 0.. {
                    desk.submit(GAME.replace("Club", &format!("{writer}.{game}")).as_bytes());
                    acknowledged.fetch_add(1, Ordering::SeqCst);
                    if over.load(Ordering::SeqCst) {
                        return;
                    }
                }
            });
        }
        for copy in 0..5 {
            // Between two copies something is written.
            let before = acknowledged.load(Ordering::SeqCst);
            while acknowledged.load(Ordering::SeqCst) < before + 20 {
                std::thread::yield_now();
            }
            let before = acknowledged.load(Ordering::SeqCst);
            let path = desk.folder.path().join(format!("copy{copy}.ferz"));
            desk.archive.back_up(&path).unwrap();
            let copied = Archive::open_existing(&path).unwrap();
            let mut findings = Vec::new();
            let checked = copied.verify(None, &mut |finding| findings.push(finding), &mut |_| ()).unwrap();
            assert_eq!(findings, []);
            assert!(checked.games >= before, "{} of {before}", checked.games);
        }
        over.store(true, Ordering::SeqCst);
    });
}

#[test]
fn records_that_are_not_legal_are_kept_apart() {
    let desk = Desk::new();
    let one = desk.submit(b"1. e4 e5 2. Ke3 Nc6 *");
    let two = desk.submit(b"1. e4 e5 2. Ke4 Nc6 *");
    assert!(!one[0].valid && !two[0].valid);
    assert_ne!(one[0].id, two[0].id);
    assert!(desk.archive.related(one[0].id).unwrap().is_empty());
    let legal = desk.submit(b"1. e4 e5 *");
    assert!(legal[0].created && !legal[0].related);
    let unknown = desk.submit(b"[Variant \"nonsense\"]\n\n1. e4 *\n");
    let entry = desk.archive.get(unknown[0].id).unwrap().unwrap();
    assert_eq!((entry.rules, &*entry.start, entry.moves.len()), (None, "", 0));
    assert_eq!(entry.summary.variant, "nonsense");
    assert_eq!(desk.archive.counts().unwrap().not_valid, 3);
    let not_valid = Filter { valid: Some(false), ..Filter::default() };
    assert_eq!(ids(&desk.archive, &not_valid), [unknown[0].id, two[0].id, one[0].id]);
}

#[test]
fn the_rules_that_were_asked_for_are_part_of_the_identity() {
    let desk = Desk::new();
    let text = b"1. e4 e5 *";
    let chess = desk.submit(text);
    let options = Options { variant: Some("crazyhouse".into()), ..Options::default() };
    let house = desk.archive.submit(judged_with(text, &options)).unwrap();
    assert_ne!(chess[0].id, house[0].id);
    let entry = desk.archive.get(house[0].id).unwrap().unwrap();
    assert_eq!(entry.arrivals[0].variant.as_deref(), Some("crazyhouse"));
    assert_eq!(entry.summary.variant, "crazyhouse");
}

#[test]
fn plies_let_stand_are_kept_as_they_were() {
    let desk = Desk::new();
    let marked = desk.submit(b"1. e4 e5 2. Ke3 {[%letstand]} Nc6 *");
    let options = Options { let_stand: true, ..Options::default() };
    let asked = desk.archive.submit(judged_with(b"1. e4 e5 2. Ke3 Nc6 *", &options)).unwrap();
    for stored in [&marked[0], &asked[0]] {
        let entry = desk.archive.get(stored.id).unwrap().unwrap();
        assert_eq!((stored.valid, entry.moves.join(" ")), (false, "e2e4 e7e5 e1e3 b8c6".to_owned()));
        assert_eq!(entry.arrivals[0].let_stand, stored.id == asked[0].id);
    }
    // A start that no legal game reaches: what was played from it is not known, so texts are told apart.
    let start = "[FEN \"4k3/8/8/8/8/8/4q3/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n";
    let one = judged_with(format!("{start}1... Kd8 *").as_bytes(), &options);
    let two = judged_with(format!("{start}1... Kf8 *").as_bytes(), &options);
    assert!(!one[0].is_same_game(&two[0]));
    desk.archive.submit(one.into_iter().chain(two).collect()).unwrap();
    let mut findings = Vec::new();
    let registry = Registry::built_in();
    desk.archive.verify(Some(registry), &mut |finding| findings.push(finding), &mut |_| ()).unwrap();
    assert_eq!(findings, []);
}

/// The report that is kept says what `ferz validate` says of the record alone.
#[test]
fn reports_are_those_on_the_record_alone() {
    let desk = Desk::new();
    for (name, text) in fixtures() {
        let submissions = judged(&text);
        let records: Vec<Vec<u8>> = read(&text, 0).map(|record| record.source().to_vec()).collect();
        let stored = desk.archive.submit(submissions).unwrap();
        assert_eq!(stored.len(), records.len());
        for (stored, bytes) in stored.iter().zip(&records) {
            let mut replayer = Replayer::new(Registry::built_in(), Options::default());
            let own: Vec<_> = read(bytes, 0).collect();
            assert_eq!(own.len(), 1, "{name}: {}", String::from_utf8_lossy(bytes));
            let report = replayer.report(&own[0], &Source::new(bytes, 0, 0), 0);
            assert_eq!(stored.report, report, "{name}");
            let kept = desk.archive.get(stored.id).unwrap().unwrap().report;
            if stored.created {
                assert_eq!(serde_json::from_str::<ferz::replay::Report>(&kept).unwrap(), report, "{name}");
            }
            let texts = desk.archive.originals(stored.id).unwrap();
            assert!(texts.iter().any(|text| text.trim_ascii() == bytes.trim_ascii()), "{name}");
        }
        assert_eq!(records.concat(), text, "{name}: the records together are the file");
    }
}

#[test]
fn any_order_gives_the_same_entries() {
    let texts: Vec<Vec<u8>> = fixtures().into_values().collect();
    let (one, two) = (Desk::new(), Desk::new());
    texts.iter().for_each(|text| drop(one.submit(text)));
    texts.iter().rev().for_each(|text| drop(two.submit(text)));
    // The texts of each entry; the ids are those of the archive.
    let texts_of = |desk: &Desk| -> BTreeSet<BTreeSet<Vec<u8>>> {
        let trimmed = |text: Vec<u8>| text.trim_ascii().to_vec();
        let of = |id| desk.archive.originals(id).unwrap().into_iter().map(trimmed).collect();
        desk.all().into_iter().map(of).collect()
    };
    assert_eq!(texts_of(&one), texts_of(&two));
    let before = one.archive.counts().unwrap();
    for text in &texts {
        assert!(one.submit(text).iter().all(|stored| !stored.created && !stored.text_added));
    }
    assert_eq!(one.archive.counts().unwrap(), before);
}

#[test]
fn a_file_is_found_again_after_it_was_closed() {
    let desk = Desk::new();
    let id = desk.submit(GAME.as_bytes())[0].id;
    let path = desk.path();
    let Desk { folder, archive } = desk;
    let other = archive.clone();
    drop(archive);
    other.check_writable().unwrap();
    drop(other);
    assert!(!path.with_extension("ferz-wal").exists(), "the log is brought in when the file is closed");
    let archive = Archive::open_existing(&path).unwrap();
    assert_eq!(archive.original(id).unwrap().unwrap(), GAME.as_bytes());
    assert_eq!(archive.submit(judged(GAME.as_bytes())), Err(ArchiveError::ReadOnly));
    assert_eq!(archive.check_writable(), Err(ArchiveError::ReadOnly));
    drop(folder);
}

#[test]
fn several_programs_may_use_one_file() {
    let desk = Desk::new();
    let path = desk.path();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let archive = Archive::open(path).unwrap();
                for game in 0..25 {
                    let text = GAME.replace("Club", &format!("Club {writer}.{game}"));
                    assert!(archive.submit(judged(text.as_bytes())).unwrap()[0].created);
                }
            });
        }
    });
    assert_eq!(desk.all().len(), 100);
}

#[test]
fn several_programs_may_make_one_file() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..10 {
        let path = folder.path().join(format!("{round}.ferz"));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| Archive::open(&path).unwrap().submit(judged(GAME.as_bytes())).unwrap());
            }
        });
        assert_eq!(Archive::open_existing(&path).unwrap().counts().unwrap().games, 1);
    }
}

#[test]
fn rows_are_never_changed() {
    let desk = Desk::new();
    desk.submit(GAME.as_bytes());
    let file = rusqlite::Connection::open(desk.path()).unwrap();
    for table in ["rules", "name", "play", "game", "submission", "dictionary"] {
        for change in [format!("DELETE FROM {table}"), format!("UPDATE {table} SET number = number")] {
            let error = file.execute(&change, []).unwrap_err().to_string();
            assert!(error.contains("are never"), "{change}: {error}");
        }
    }
}

/// Whether a record comes alone or among others, what is kept of it is the same.
#[test]
fn a_record_is_judged_as_if_it_came_alone() {
    let mut compared = 0;
    for text in fixtures().values() {
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let among =
            [b"[Event \"First\"]\n\n1. e4 *\n\n", &text[..], b"\n[Event \"Last\"]\n\n1. d4 *\n"].concat();
        let source = Source::new(&among, 0, 0);
        for record in read(&among, 0) {
            let alone = record.source();
            let Some(own) = read(alone, 0).next().filter(|own| own.source().len() == alone.len()) else {
                continue;
            };
            let among = Submission::judge(&mut replayer, &record, &source).unwrap();
            let own = Submission::judge(&mut replayer, &own, &Source::new(alone, 0, 0)).unwrap();
            assert!(own.is_same_game(&among));
            assert_eq!(own.report(), among.report());
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn damage_is_found_on_reading() {
    let desk = Desk::new();
    let id = desk.submit(GAME.as_bytes())[0].id;
    let other = desk.submit(b"1. d4 *\n")[0].id;
    let file = rusqlite::Connection::open(desk.path()).unwrap();
    file.execute_batch(
        "DROP TRIGGER submissions_stay; UPDATE submission SET text = (SELECT text FROM submission WHERE number = 2)",
    )
    .unwrap();
    assert!(matches!(desk.archive.original(id), Err(ArchiveError::Corrupt(_))));
    assert_eq!(desk.archive.original(other).unwrap().unwrap(), b"1. d4 *\n");
}

#[test]
fn entries_are_found_by_what_is_asked() {
    let desk = Desk::new();
    let id = desk.submit(GAME.as_bytes())[0].id;
    let plain = desk.submit(b"[Date \"1984.??.??\"]\n[White \"Anand, Viswanathan\"]\n\n1. d4 *\n")[0].id;
    let chaos =
        &fixtures()[&crate::common::root().join("fixtures/games/chaos-short.pgn").display().to_string()];
    let chaos = desk.submit(chaos)[0].id;
    let some = |text: &str| Some(text.to_owned());
    let found = |change: &dyn Fn(&mut Filter)| {
        let mut filter = Filter::default();
        change(&mut filter);
        ids(&desk.archive, &filter)
    };
    assert_eq!(found(&|_| ()), [chaos, plain, id]);
    for name in ["reti", "RÉTI", "richard r", "Re\u{301}ti"] {
        assert_eq!(found(&|filter| filter.player = some(name)), [id], "{name}");
        assert_eq!(found(&|filter| filter.white = some(name)), [id], "{name}");
        assert!(found(&|filter| filter.black = some(name)).is_empty(), "{name}");
    }
    assert_eq!(found(&|filter| filter.player = some("okelly")), [id]);
    assert_eq!(found(&|filter| filter.player = some("cleo")), [chaos], "the third player");
    assert!(found(&|filter| filter.player = some("ichard")).is_empty(), "words from their beginning");
    assert!(found(&|filter| filter.player = some("%")).is_empty());
    assert_eq!(found(&|filter| filter.black = some("?")), [plain]);
    assert_eq!(found(&|filter| filter.event = some("club")), [id]);
    assert_eq!(found(&|filter| filter.site = some("linz")), [id]);
    assert_eq!(found(&|filter| filter.variant = some("chess")), [plain, id]);
    assert_eq!(found(&|filter| filter.variant = some("Chaos+Chess")), [chaos]);
    assert_eq!(found(&|filter| filter.result = some("1-0")), [id]);
    assert_eq!(found(&|filter| filter.end = some("checkmate")), [id]);
    assert_eq!(found(&|filter| filter.moves = some("d2d4")), [plain]);
    assert_eq!(found(&|filter| filter.moves = some(" e2e4  e7e5 d1h5 ")), [id]);
    let part = Filter { moves: some("d2d"), ..Filter::default() };
    assert!(matches!(desk.archive.list(&part, 3, None), Err(ArchiveError::Filter(_))), "whole plies");
    for (from, to, expected) in [
        ("1984", "1984", vec![plain]),
        ("1984.01", "2000", vec![]),
        ("2020.05.17", "2020.05.17", vec![id]),
        ("2020.05", "2020.05", vec![id]),
        ("2020.06", "2020", vec![]),
        ("1900", "2020", vec![plain, id]),
    ] {
        let both = |filter: &mut Filter| (filter.from, filter.to) = (some(from), some(to));
        assert_eq!(found(&both), expected, "{from} to {to}");
    }
    assert!(found(&|filter| (filter.player, filter.valid) = (some("reti"), Some(false))).is_empty());
}

#[test]
fn pages_stay_in_place_while_games_come() {
    let desk = Desk::new();
    let game = |number: usize| GAME.replace("Club", &format!("Club {number}"));
    let first: Vec<GameId> = (0..7).map(|number| desk.submit(game(number).as_bytes())[0].id).collect();
    let page = desk.archive.list(&Filter::default(), 4, None).unwrap();
    (7..12).for_each(|number| drop(desk.submit(game(number).as_bytes())));
    let rest = desk.archive.list(&Filter::default(), 4, page.next_cursor.as_deref()).unwrap();
    let seen: Vec<GameId> = page.items.iter().chain(&rest.items).map(|item| item.id).rev().collect();
    assert_eq!(seen, first);
    assert_eq!(rest.next_cursor, None);
    for wrong in ["", "x", "g", "g-1", "gg", "g0"] {
        let error = desk.archive.list(&Filter::default(), 4, Some(wrong)).unwrap_err();
        assert_eq!(error, ArchiveError::Cursor(wrong.to_owned()));
    }
}

#[test]
fn tokens_let_in_until_they_are_revoked() {
    let desk = Desk::new();
    let archive = &desk.archive;
    assert!(!archive.has_tokens().unwrap());
    let token = archive.add_token("arbiter").unwrap();
    assert!(archive.has_tokens().unwrap());
    assert_eq!(archive.token_access(&token).unwrap().map(|access| access.name).as_deref(), Some("arbiter"));
    assert_eq!(archive.token_access(&token[1..]).unwrap(), None);
    assert_eq!(archive.token_access("").unwrap(), None);
    assert_eq!(archive.add_token("arbiter"), Err(ArchiveError::TokenExists("arbiter".into())));
    let other = archive.add_token("club").unwrap();
    assert_ne!(token, other);
    archive.revoke_token("arbiter").unwrap();
    assert_eq!(archive.token_access(&token).unwrap(), None);
    assert_eq!(archive.token_access(&other).unwrap().map(|access| access.name).as_deref(), Some("club"));
    assert_eq!(archive.revoke_token("arbiter"), Err(ArchiveError::TokenMissing("arbiter".into())));
    let renewed = archive.add_token("arbiter").unwrap();
    assert_eq!(archive.token_access(&renewed).unwrap().map(|access| access.name).as_deref(), Some("arbiter"));
    archive.revoke_token("arbiter").unwrap();
    archive.revoke_token("club").unwrap();
    assert!(archive.has_tokens().unwrap(), "nobody is let in because the last token was revoked");
    let list = archive.tokens().unwrap();
    assert_eq!(list.iter().map(|token| &*token.name).collect::<Vec<_>>(), ["arbiter", "arbiter", "club"]);
    assert!(list.iter().all(|token| token.revoked.is_some()));
    let bytes = std::fs::read(desk.path()).unwrap();
    let log = std::fs::read(desk.path().with_extension("ferz-wal")).unwrap_or_default();
    for token in [token, other, renewed] {
        let token = token.as_bytes();
        assert!(!bytes.windows(token.len()).chain(log.windows(token.len())).any(|part| part == token));
    }
}

/// An unfinished game that comes again with more plies is continued by the longest, and lists show that one.
#[test]
fn lists_show_the_longest() {
    let desk = Desk::new();
    let submit = |tags: &str, plies: &str, result: &str| {
        let event = if tags.contains("[Event") { "" } else { "[Event \"Post 7\"]\n" };
        let players = if tags.contains("[White") { "" } else { "[White \"Ann\"]\n[Black \"Ben\"]\n" };
        let text = format!("{event}{players}{tags}[Result \"{result}\"]\n\n{plies} {result}\n");
        desk.submit(text.as_bytes())[0].id
    };
    let short = submit("", "1. e4", "*");
    let middle = submit("", "1. e4 e5 2. Nf3", "*");
    let longest = submit("", "1. e4 e5 2. Nf3 Nc6", "1-0");
    // None of these is continued: other plies, a result, another round, unknown players, an unknown event.
    let others = [
        submit("", "1. e4 e6", "*"),
        submit("", "1. e4 e5", "1/2-1/2"),
        submit("[Round \"2\"]\n", "1. e4 e5", "*"),
        submit("[White \"?\"]\n[Black \"?\"]\n", "1. e4 e5", "*"),
        submit("[White \"?\"]\n[Black \"?\"]\n", "1. e4 e5 2. Nf3", "*"),
        submit("[Event \"?\"]\n", "1. e4 e5", "*"),
        submit("[Event \"?\"]\n", "1. e4 e5 2. Nf3", "*"),
    ];
    let shown = |continued| {
        let filter = Filter { continued, ..Filter::default() };
        ids(&desk.archive, &filter).into_iter().collect::<BTreeSet<GameId>>()
    };
    let latest: BTreeSet<GameId> = others.into_iter().chain([longest]).collect();
    assert_eq!(shown(Some(false)), latest);
    assert_eq!(shown(Some(true)), BTreeSet::from([short, middle]));
    assert_eq!(shown(None).len(), latest.len() + 2);
    let entry = |id| desk.archive.get(id).unwrap().unwrap();
    assert_eq!(entry(longest).continues, [middle, short]);
    assert_eq!((entry(middle).continues, entry(middle).summary.continued_by), (vec![short], Some(longest)));
    assert_eq!(
        (entry(short).summary.continued_by, entry(longest).summary.continued_by),
        (Some(longest), None)
    );
    // What was withdrawn continues nothing.
    let withdrawal = |id| Withdrawal { id, successor: None, because: "test".into(), token: None, own: false };
    desk.archive.withdraw(withdrawal(longest)).unwrap();
    assert_eq!(entry(short).summary.continued_by, Some(middle));
    desk.archive.forget(Forgetting { id: middle, because: "asked for".into() }).unwrap();
    assert_eq!(entry(short).summary.continued_by, Some(others[1]), "of two as long, the later one");
}
