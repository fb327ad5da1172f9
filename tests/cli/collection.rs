//! The verbs over collections: head, sample, sort, split, merge, stats, names, strip, cut, add, table.

use crate::program::{Run, ferz, write};
use tempfile::tempdir;

fn game(tags: &str, moves: &str) -> String {
    let tag = |pair: &str| {
        let (name, value) = pair.split_once('=').expect("a name and a value");
        format!("[{name} \"{value}\"]\n")
    };
    format!("{}\n{moves}\n\n", tags.split(';').map(tag).collect::<String>())
}

/// Four games of two events, in no order.
fn games() -> Vec<String> {
    vec![
        game("Event=B;Date=2001.??.??;Round=10;White=Ann;Black=Ben;Result=1-0", "1. e4 e5 1-0"),
        game("Event=A;Date=1999.12.01;Round=2;White=Cyd;Black=Ann;Result=1/2-1/2", "1. d4 d5 2. c4 1/2-1/2"),
        game("Event=B;Round=9;White=Ben;Black=Cyd;Result=0-1;ECO=A00", "1. g4 0-1"),
        game("Event=A;Date=2001.02.03;Round=1;White=Ann;Black=Cyd;Result=*", "1. e4 e5 2. Nf3 *"),
    ]
}

#[test]
fn the_first_games_are_written_as_they_are() {
    let games = games();
    let run = ferz(&["head", "2"], games.concat());
    assert_eq!((run.out, run.code), (games[..2].concat(), 0));
    let run = ferz(&["head", "9"], games.concat());
    assert_eq!((run.out, run.code), (games.concat(), 0));
    assert_eq!(ferz(&["head", "0"], games.concat()).out, "");
}

/// Every game has the same chance, and a seed draws the same games again.
#[test]
fn games_are_drawn_by_a_seed() {
    let numbered: Vec<String> = (0..20).map(|number| game(&format!("Round={number}"), "1. e4 *")).collect();
    let drawn = |seed: u64| {
        let run = ferz(&["sample", "5", "--seed", &seed.to_string()], numbered.concat());
        let rounds = run.out.lines().filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]"));
        rounds.map(|round| round.parse().expect("a number")).collect::<Vec<usize>>()
    };
    let mut times = [0; 20];
    for seed in 0..60 {
        let found = drawn(seed);
        assert!(found.len() == 5 && found.is_sorted_by(|one, other| one < other), "{found:?}");
        found.into_iter().for_each(|round| times[round] += 1);
    }
    assert!(times.iter().all(|times| (4..=30).contains(times)), "{times:?}");
    assert_eq!(drawn(3), drawn(3));
    let run = ferz(&["sample", "30"], numbered.concat());
    assert_eq!(run.out, numbered.concat());
    assert!(run.err.contains("there are only 20 records"), "{}", run.err);
}

#[test]
fn games_are_ordered_by_tags() {
    let games = games();
    let order = |arguments: &[&str]| {
        let run = ferz(&[&["sort"], arguments].concat(), games.concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let place = |game: usize| run.out.find(games[game].trim()).expect("every game");
        let mut order: Vec<usize> = (0..games.len()).collect();
        order.sort_by_key(|game| place(*game));
        order
    };
    // A date that is less exact comes after those that it may be.
    assert_eq!(order(&[]), [1, 3, 0, 2]);
    assert_eq!(order(&["--by", "event,round"]), [3, 1, 2, 0]);
    assert_eq!(order(&["--by", "round", "--descending"]), [0, 2, 1, 3]);
    assert_eq!(order(&["--by", "plies"]), [2, 0, 1, 3]);
    let run = ferz(&["sort", "--by", "elo"], games.concat());
    assert_eq!(run.out, games.concat());
    assert!(run.err.contains("no record has the tag `elo`: it orders nothing"), "{}", run.err);
}

#[test]
fn games_are_divided_into_files() {
    let games = games();
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("events");
    let run = ferz(&["split", "--by", "event", "--out", out.to_str().expect("a name")], games.concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("4 records in 2 files"), "{}", run.err);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).expect("a file");
    assert_eq!(read("A.pgn"), [&*games[1], &*games[3]].concat());
    assert_eq!(read("B.pgn"), [&*games[0], &*games[2]].concat());
    // What exists is never changed.
    let run = ferz(&["split", "--by", "event", "--out", out.to_str().expect("a name")], &games[1]);
    assert!(run.code == 2 && run.err.contains("exists; name another folder"), "{}", run.err);
    assert_eq!(read("A.pgn"), [&*games[1], &*games[3]].concat());
    let out = folder.path().join("parts");
    let run = ferz(&["split", "--by", "3", "--out", out.to_str().expect("a name")], games.concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(std::fs::read_to_string(out.join("000002.pgn")).expect("a file"), games[3]);
    let out = folder.path().join("games");
    let mixed = game("Variant=ingols", "1. e4 *") + &game("Variant=Chaos+Crazyhouse", "1. e4 *") + &games[0];
    let run = ferz(&["split", "--by", "variant", "--out", out.to_str().expect("a name")], mixed);
    assert_eq!(run.code, 0, "{}", run.err);
    for name in ["ingols.pgn", "chaos+crazyhouse.pgn", "chess.pgn"] {
        assert!(out.join(name).exists(), "{name}");
    }
}

#[test]
fn collections_are_joined_without_doubles() {
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *";
    let one = game("White=Ann;Black=Ben;Date=????.??.??;Round=?", long);
    let other = game("White=Ann;Black=Ben;Site=Club;Date=2024.05.01;Annotator=Eve", long);
    let third = game("White=Zoe;Black=Cyd", "1. d4 *");
    let folder = tempdir().expect("a folder");
    let a = write(folder.path(), "a.pgn", format!("{one}{third}"));
    let b = write(folder.path(), "b.pgn", &other);
    let run = ferz(&["merge", &a, &b], "");
    assert_eq!((run.out, run.code), (format!("{third}{other}"), 0));
    assert!(run.err.contains("3 records: 1 dropped"), "{}", run.err);
    // The tags of the one that is dropped.
    let fuller = game("White=Ann;Black=Ben;Site=Club;Date=????.??.??;Opening=Spanish Game, closed", long);
    let c = write(folder.path(), "c.pgn", &fuller);
    let run = ferz(&["merge", &b, &c, "--tags"], "");
    assert!(run.out.contains("Annotator \"Eve\"") && run.out.contains("Opening \"Spanish"), "{}", run.out);
    assert!(
        run.out.contains("Date \"2024.05.01\"") && run.err.contains("1 dropped"),
        "{}{}",
        run.out,
        run.err
    );
}

#[test]
fn a_collection_is_told_in_numbers() {
    let run = ferz(&["stats"], games().concat());
    assert_eq!(
        run.out,
        "4 games, 9 plies\n\
        \x20 1-0              1   25.0 %\n\
        \x20 0-1              1   25.0 %\n\
        \x20 1/2-1/2          1   25.0 %\n\
        \x20 no result        1   25.0 %\n\
        White's score: 50.0 %\n\
        plies: 1 to 3, median 3\n\
        dates: 1999.12.01 to 2001.02.03, 1 game without a date\n\
        games: 1\n\
        \x20        4  chess\n\
        players: 3\n\
        \x20        3  Ann\n\
        \x20        3  Cyd\n\
        \x20        2  Ben\n\
        events: 2\n\
        \x20        2  A\n\
        \x20        2  B\n\
        openings (tag ECO): 1\n\
        \x20        1  A00\n"
    );
    let run = ferz(&["stats", "--format", "json", "--top", "1"], games().concat());
    let stats: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((stats["games"].as_u64(), stats["players"]["different"].as_u64()), (Some(4), Some(3)));
    assert_eq!(stats["players"]["top"].as_array().map(Vec::len), Some(1));
    let run = ferz(&["stats"], "");
    assert!(run.out.starts_with("0 games"), "{}", run.out);
}

#[test]
fn spellings_are_proposed_and_applied_by_a_list() {
    let games = [
        game("White=Carlsen, Magnus;Black=Tal", "1. e4 {so} e5 1-0"),
        game("White=Carlsen, Magnus;Black=Kan", "1. d4 *"),
        game("White=Tal;Black=Carlsen, M", "1. c4 *"),
    ];
    let run = ferz(&["names"], games.concat());
    assert_eq!(run.out, "name,use,games,near\n\"Carlsen, M\",\"Carlsen, Magnus\",1,\"Carlsen, Magnus\"\n");
    assert!(run.err.contains("4 names, of which 1 is another spelling as proposed"), "{}", run.err);
    let folder = tempdir().expect("a folder");
    let list = write(folder.path(), "aliases.csv", &run.out);
    let run = ferz(&["names", "--apply", &list], games.concat());
    assert_eq!((run.out, run.code), (games.concat().replace("Carlsen, M\"", "Carlsen, Magnus\""), 0));
    assert!(run.err.contains("1 name of 1 in the list replaced"), "{}", run.err);
    let wrong = write(folder.path(), "wrong.csv", "spelling,use\nA,B\n");
    let run = ferz(&["names", "--apply", &wrong], games.concat());
    assert!(run.code == 2 && run.err.contains("name"), "{}", run.err);
}

/// What is stripped judges as before; what bears on the rules stays.
#[test]
fn records_are_stripped() {
    let text = game(
        "Event=E;Variant=makruk;WhiteElo=1",
        "1. e4! {a} (1. d4 {b}) 1... e5 {[%clk 0:01:00] c} 2. d4 *",
    );
    let plain = ferz(&["strip", "comments,variations,nags,tags"], &text);
    assert_eq!(plain.out, game("Event=E;Variant=makruk", "1. e4 e5 2. d4 *"));
    assert_eq!(plain.code, 0);
    let run = ferz(&["strip", "clocks"], &text);
    assert_eq!(run.out, text.replace("[%clk 0:01:00] ", ""));
    let run = ferz(&["strip", "words"], &text);
    assert!(run.code == 2 && run.err.contains("comments"), "{}", run.err);
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/games");
    for name in ["let_stand.pgn", "makruk.pgn", "iago-c-deployment.pgn", "chaos-turns.pgn", "dialects.pgn"] {
        let path = format!("{fixtures}/{name}");
        let stripped = ferz(&["strip", "comments,variations,nags,tags", &path], "");
        let verdicts = |run: &Run| {
            let lines =
                run.out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
            lines.map(|report| (report["plies"].clone(), report["legal"].clone())).collect::<Vec<_>>()
        };
        let before = ferz(&["validate", "--format", "ndjson", &path], "");
        let after = ferz(&["validate", "--format", "ndjson"], &stripped.out);
        assert_eq!(verdicts(&after), verdicts(&before), "{name}");
    }
}

#[test]
fn parts_of_games_are_records() {
    let text = game("Event=E;Result=1-0", "1. e4 {a} e5 (1... c5) 2. Nf3! Nc6 3. Bb5 a6 1-0");
    let run = ferz(&["cut", "--plies", "3"], &text);
    assert_eq!(run.out, game("Event=E;Result=1-0", "1. e4 {a} e5 (1... c5) 2. Nf3! 1-0"));
    let run = ferz(&["cut", "--from-ply", "2", "--plies", "2"], &text);
    assert!(
        run.out
            .contains("[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]")
    );
    assert!(run.out.ends_with("\n\n1... e5 (1... c5) 2. Nf3! 1-0\n\n"), "{}", run.out);
    assert_eq!(ferz(&["validate"], &run.out).code, 0);
    let begun = game("Event=E", "{first} 1. e4 (1. d4) e5 *");
    assert_eq!(ferz(&["cut", "--plies", "1"], &begun).out, game("Event=E", "{first} 1. e4 (1. d4) *"));
    let run = ferz(&["cut", "--from-ply", "9"], &text);
    assert_eq!((run.out, run.code), (text, 1));
    assert!(run.err.contains("it has only 6 legal plies"), "{}", run.err);
    // Any part of any game is legal where the game is, and has the plies that it should.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/games/chaos-short.pgn");
    let run = ferz(&["cut", "--from-ply", "6", "--plies", "7", path], "");
    let judged = ferz(&["validate", "--format", "ndjson"], &run.out);
    assert_eq!(judged.code, 0, "{}\n{}", run.out, judged.out);
}

#[test]
fn numbers_keys_and_positions_are_added() {
    let text = game("Event=E;PlyCount=9", "1. e4 e5! {good} *");
    let run = ferz(&["add", "plycount,fen"], &text);
    let fen = "{rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2}";
    assert_eq!(run.out, game("Event=E;PlyCount=2", &format!("1. e4 e5! {fen} {{good}} *")));
    let run = ferz(&["add", "hash"], text.clone() + &game("Event=F", "1. e4 e6 *"));
    let codes: Vec<&str> = run.out.lines().filter(|line| line.starts_with("[HashCode")).collect();
    assert!(codes.len() == 2 && codes[0] != codes[1], "{}", run.out);
    let fens = ferz(&["add", "fens"], &text);
    assert_eq!(fens.out.matches("RNBQKBNR").count(), 2, "{}", fens.out);
    let illegal = game("Event=E", "1. e4 e4 *");
    let run = ferz(&["add", "plycount"], &illegal);
    assert_eq!((run.out, run.code), (illegal, 1));
    assert!(run.err.contains("game 1: not judged to its end"), "{}", run.err);
}

#[test]
fn a_crosstable_is_made_of_records() {
    let run = ferz(&["table"], games().concat());
    assert!(run.out.starts_with("2 events: 3 players, 4 games, 3 finished\n"), "{}", run.out);
    assert!(run.err.contains("2 events in one table"), "{}", run.err);
    let run = ferz(&["table", "--format", "csv", "--tie-breaks", "wins"], games().concat());
    assert_eq!(
        run.out,
        "#,player,1,2,3,games,points,wins\n1,Ann,x,=*,1,2,1.5,1\n1,Cyd,=*,x,1,2,1.5,1\n3,Ben,0,0,x,2,0,0\n"
    );
    let run = ferz(&["table"], game("Event=E", "1. e4 *"));
    assert!(run.err.contains("1 game without the tags White and Black left out"), "{}", run.err);
}
