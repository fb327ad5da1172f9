//! The index changes no answer: a search with a whole index, with a part of one and with none finds the same.

use ferz::archive::{Archive, Filter, FindingKind, Forgetting, FoundGame, GameId, Submission};
use ferz::play::{Position, Rules};
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use ferz::search::{Explored, Explorer, Search};
use std::path::Path;

/// Records of all games, legal or not, judged: the first of each file of the fixtures.
fn all_records() -> Vec<Submission> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "pgn"));
    paths.sort();
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read(path).unwrap();
        for record in read(&text, 0).take(3) {
            // A text alone: a record is judged as it will be read from the archive.
            let text = record.source().to_vec();
            let Some(record) = read(&text, 0).next() else { continue };
            all.push(Submission::judge(&mut replayer, &record, &Source::new(&text, 0, 0)).unwrap());
        }
    }
    all
}

const QUERIES: [&str; 38] = [
    "QxP",
    "Nd5",
    "flip Nd5",
    "[white]e4 then [black]e4",
    "end any",
    "end stalemate or end mate",
    "claimable any",
    "drop N",
    "drop P then captures P",
    "gate C",
    "gate b1 or right gate g8",
    "promote F",
    "promote",
    "castle then castle",
    "ep",
    "pass",
    "illegal",
    "illegal let-stand",
    "diagnostic N004",
    "flip material KPvK",
    "material KR+vK+",
    "balance NvB",
    "hand P",
    "reserve M",
    "never captures",
    "not castle and last",
    "count >= 3 check",
    "by nature then captures",
    "clock nature <= 2",
    "white ann or black ~ Bem",
    "flip white ann and QxP",
    "event cup and plies >= 10",
    "elo >= 2000",
    "date 1990..2020",
    "tag Round and white != Ann",
    "result 1-0 or result *",
    "legal and plies 20..60",
    "fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"",
];

fn found(archive: &Archive, query: &str, filter: &Filter) -> (Vec<FoundGame>, usize, u64) {
    let search = Search::new(query.parse().unwrap());
    let (mut all, mut cursor, mut not_judged, mut looked_at) = (Vec::new(), None, 0, 0);
    loop {
        let page = archive.search(filter, &search, Registry::built_in(), 7, cursor.as_deref(), u64::MAX);
        let page = page.unwrap();
        all.extend(page.items);
        not_judged += page.not_judged;
        looked_at += page.looked_at as u64;
        cursor = page.next_cursor;
        if cursor.is_none() {
            return (all, not_judged, looked_at);
        }
    }
}

fn explored(archive: &Archive) -> Explored {
    let position = Position::start(&Rules::named("chess").unwrap());
    let mut explorer = Explorer::new(&position);
    archive.explore(&Filter::default(), &mut explorer, Registry::built_in(), |_| ()).unwrap();
    explorer.explored()
}

fn answers(archive: &Archive) -> (Vec<(Vec<FoundGame>, usize)>, Explored, u64) {
    let legal = Filter { valid: Some(true), ..Filter::default() };
    let (mut all, mut looked_at) = (Vec::new(), 0);
    let wanted = QUERIES.iter().map(|query| (*query, Filter::default()));
    for (query, filter) in wanted.chain([("QxP", legal)]) {
        let (items, not_judged, looked) = found(archive, query, &filter);
        all.push((items, not_judged));
        looked_at += looked;
    }
    (all, explored(archive), looked_at)
}

fn is_sound(archive: &Archive) {
    let mut findings = Vec::new();
    archive.verify(Some(Registry::built_in()), &mut |found| findings.push(found), &mut |_| ()).unwrap();
    findings.retain(|finding| finding.kind != FindingKind::Note);
    assert_eq!(findings, []);
}

#[test]
fn an_index_changes_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path().join("games.ferz")).unwrap();
    let mut records = all_records();
    assert!(records.len() > 200, "{}", records.len());
    let later = records.split_off(records.len() / 2);
    let many = records.len() as u64;
    archive.submit(records).unwrap();
    // In parts, which are merged.
    let mut progress = 0;
    let indexed = archive.index(Registry::built_in(), &mut |games| progress += games).unwrap();
    assert_eq!(
        (indexed.games, indexed.segments, progress),
        (archive.counts().unwrap().games, 1, indexed.games)
    );
    assert!(indexed.games <= many && archive.waiting_for_index().unwrap() == 0);
    archive.submit(later).unwrap();
    let (partly, explored_partly, _) = answers(&archive);
    is_sound(&archive);
    let indexed = archive.index(Registry::built_in(), &mut |_| ()).unwrap();
    assert!(indexed.games > 0 && indexed.segments == 1, "{indexed:?}");
    let (whole, explored_whole, looked_with) = answers(&archive);
    is_sound(&archive);
    archive.drop_index().unwrap();
    let (none, explored_none, looked_without) = answers(&archive);
    for (number, expected) in none.iter().enumerate() {
        assert_eq!(whole[number], *expected, "{:?}", QUERIES.get(number));
        assert_eq!(partly[number], *expected, "{:?}, of a part", QUERIES.get(number));
    }
    assert!(none.iter().filter(|(items, _)| !items.is_empty()).count() > 20, "most queries find something");
    assert_eq!((explored_whole, explored_partly), (explored_none.clone(), explored_none));
    assert!(looked_with * 3 < looked_without, "{looked_with} of {looked_without}");
}

#[test]
fn what_is_forgotten_is_in_no_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ferz");
    let archive = Archive::open(&path).unwrap();
    let text = |name: &str, plies: &str| format!("[White \"{name}\"]\n\n{plies} *\n");
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let mut ids: Vec<GameId> = Vec::new();
    for (name, plies) in
        [("Ann", "1. e4 a6"), ("Ben", "1. d4 b6"), ("Cleo", "1. c4 c6"), ("Dora", "1. f4 d6")]
    {
        let text = text(name, plies);
        let record = read(text.as_bytes(), 0).next().unwrap();
        let judged = Submission::judge(&mut replayer, &record, &Source::new(text.as_bytes(), 0, 0)).unwrap();
        ids.push(archive.submit(vec![judged]).unwrap()[0].id);
        archive.index(Registry::built_in(), &mut |_| ()).unwrap();
    }
    let ask = |query: &str| found(&archive, query, &Filter::default()).0.len();
    assert_eq!((ask("Pe4"), ask("Pd4"), ask("pa6 or pb6 or pc6 or pd6")), (1, 1, 4));
    // The facts of a forgotten game could confirm a guess of its plies.
    archive.forget(Forgetting { id: ids[1], because: "asked for".to_owned() }).unwrap();
    assert_eq!((ask("Pe4"), ask("Pd4"), ask("pa6 or pb6 or pc6 or pd6")), (1, 0, 3));
    assert!(archive.waiting_for_index().unwrap() > 0, "the segment went with it");
    archive.index(Registry::built_in(), &mut |_| ()).unwrap();
    assert_eq!((ask("Pe4"), ask("Pd4"), ask("pa6 or pb6 or pc6 or pd6")), (1, 0, 3));
    assert_eq!(archive.waiting_for_index().unwrap(), 0);
    is_sound(&archive);
    // An index that says something else is found.
    drop(archive);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("DELETE FROM index_block", []).unwrap();
    drop(connection);
    let archive = Archive::open(&path).unwrap();
    let mut findings = Vec::new();
    archive.verify(Some(Registry::built_in()), &mut |found| findings.push(found), &mut |_| ()).unwrap();
    findings.retain(|finding| finding.kind == FindingKind::Damage);
    let about_index = findings.iter().filter(|finding| finding.message.contains("the index of games"));
    assert!(about_index.count() == findings.len() && !findings.is_empty(), "{findings:?}");
}
