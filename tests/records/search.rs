//! `formats/QUERY.md` against the search: every example is read, and found.

use crate::common::root;
use ferz::interchange::Wrapped;
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use ferz::search::{Hit, Looked, Query, Search};
use ferz::text::Budget;

/// What the games of `fixtures/games` have not.
const MORE: &str = r#"[Event "Long Beach"]
[Site "?"]
[Date "1993.05.??"]
[Round "4"]
[White "Carlsen, Magnus"]
[Black "Tschigorin"]
[Result "1-0"]
[WhiteElo "2450"]
[Mode "ICS"]
[ECO "C60"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Qf6 6. d4 exd4 7. Qxd4 Qxd4 8. Nxd4 c5 9. Nb3 c4 10. N3d2 Be6
11. Nf3 f5 12. exf5 Bxf5 13. Nd4 Bd7 14. Nc3 b5 15. Nd5 1-0

[Round "5"]
[FEN "6k1/1R6/8/8/8/8/1P6/K5r1 w - - 0 70"]

70. Ka2 Rg7 *

[FEN "6k1/8/6K1/8/8/8/8/R7 w - - 28 70"]

70. Ra8# 1-0

[FEN "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"]

1. Qa4+ Ke7 *

[FEN "4k3/PPP5/8/8/8/8/8/4K3 w - - 0 1"]

1. a8=Q+ Ke7 2. b8=N Kf7 3. c8=R *

[Variant "shogi"]

1. P-7f P-3d 2. Bx2b+ *

[Variant "threecheck"]

1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Bc4+ Ke8 *

1. d4 d5 2. Nc3 Nc6 3. Nb5 e5 4. Nd6+ Qxd6 *

1. a3 a6 *

[Variant "crazyhouse"]
[FEN "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"]

1. N@f7 Kd7 *

[FEN "4k3/8/8/3N4/8/8/8/4K2Q w - - 0 1"]

1. Qh5+ Kd8 *
"#;

fn texts() -> Vec<Vec<u8>> {
    let folder = root().join("fixtures/games");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("fixtures").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let games = paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "pgn"));
    let games = games.map(|path| std::fs::read(path).expect("a fixture"));
    games.chain([MORE.as_bytes().to_vec()]).collect()
}

/// The hits of a query, with the moves before them.
fn hits(query: &str, texts: &[Vec<u8>], most: usize) -> Vec<(Hit, Vec<String>)> {
    let query: Query = query.parse().unwrap_or_else(|error| panic!("{query}: {error}"));
    let search = Search::new(query);
    let mut seeker = search.seeker();
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let mut hits = Vec::new();
    for text in texts {
        let wrapped = Wrapped::new(&text[..], 0);
        let source = Source::of_wrapped(&wrapped, 0);
        let mut records = read(wrapped.text(), 0);
        while let Some(record) = wrapped.next(&mut records, 0) {
            let looked = Budget::endless(|budget| seeker.look(&mut replayer, &record, &source, budget));
            if let Looked::Found(hit) = looked {
                let moves = hit.moves(&record, 99);
                hits.push((hit, moves));
            }
            if hits.len() == most {
                return hits;
            }
        }
    }
    hits
}

fn moves(query: &str) -> Vec<String> {
    hits(query, &[MORE.as_bytes().to_vec()], usize::MAX).into_iter().flat_map(|(_, moves)| moves).collect()
}

/// The examples of a manual: the first text in code of the second column of each table, before the part about other
/// programs.
fn examples() -> Vec<String> {
    let manual = std::fs::read_to_string(root().join("formats/QUERY.md")).expect("a manual");
    let (own, _) = manual.split_once("## In the words of other programs").expect("the last part");
    let rows = own.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| condition"));
    let second = rows.filter_map(|row| row.split(" | ").nth(1));
    let code = second.filter_map(|cell| cell.strip_prefix('`')?.split_once('`'));
    code.map(|(example, _)| example.to_owned()).collect()
}

#[test]
fn every_example_of_the_manual_is_found() {
    let (examples, texts) = (examples(), texts());
    assert!(examples.len() > 50, "only {} examples", examples.len());
    let missing: Vec<&String> =
        examples.iter().filter(|example| hits(example, &texts, 1).is_empty()).collect();
    assert!(missing.is_empty(), "no game is found for {missing:#?}");
}

#[test]
fn hits_name_the_ply_before_each_position() {
    assert_eq!(moves("white carlsen and captures Q"), ["7... Qxd4", "8. Nxd4"]);
    assert_eq!(moves("white carlsen and (captures Q next captures Q)"), ["8. Nxd4"]);
    assert_eq!(moves("castle then QxP"), ["7. Qxd4"]);
    assert_eq!(moves("white carlsen and count 2 QxQ"), [""; 0]);
    assert_eq!(moves("count >= 3 promote"), ["1. a8=Q+", "2. b8=N", "3. c8=R"]);
    assert_eq!(moves("end mate"), ["70. Ra8#"]);
    assert_eq!(moves("balance Rv and ply 0"), ["the start", "the start"][..1]);
    assert_eq!(moves("moves N and from d4-5 and by white and not captures"), ["9. Nb3"]);
}

/// What is said of White is said of Black, tags, results and sides of the board included.
#[test]
fn both_colours_and_both_wings() {
    assert_eq!(hits("flip (black carlsen and result 0-1)", &texts(), 9).len(), 1);
    assert_eq!(moves("flip bb4").len(), moves("Bb5").len());
    assert!(moves("flip bb4").is_empty() == moves("Bb5").is_empty());
    assert_eq!(moves("flip bb4"), moves("Bb5"));
    assert_eq!(moves("mirror Bg5"), moves("Bb5"));
    assert_eq!(moves("flip mirror bg4"), moves("Bb5"));
    assert_eq!(moves("flip material KRvKRP"), moves("material KRPvKR"));
}

#[test]
fn what_is_true_of_a_game_names_no_plies() {
    for query in ["white carlsen", "never drop and white carlsen", "white carlsen and count 0 promote"] {
        let found = hits(query, &[MORE.as_bytes().to_vec()], 9);
        assert_eq!((found.len(), &found[0].0.plies[..]), (1, &[][..]), "{query}");
    }
    assert_eq!(hits("never captures", &[MORE.as_bytes().to_vec()], 99).len(), 7);
}
