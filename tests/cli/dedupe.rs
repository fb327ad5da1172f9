//! `ferz dedupe`: records of one game among many.

use crate::program::{ferz, write};

const OPENING: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";

fn game(tags: &str, moves: &str) -> String {
    let tag = |pair: &str| {
        let (name, value) = pair.split_once('=').expect("a name and a value");
        format!("[{name} \"{value}\"]\n")
    };
    format!("{}\n{moves} *\n\n", tags.split(';').map(tag).collect::<String>())
}

fn games() -> String {
    [
        game("White=Ann;Black=Ben", OPENING),
        game(
            "White=Ann;Black=Ben;Date=2024.05.01;Site=Club",
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
        ),
        game("White=Ann;Black=Ben", &format!("{OPENING} 6. Re1 b5")),
        game("White=Ann;Black=Ben", &format!("{OPENING} 6. Re1 b6")),
        game("White=Zoe;Black=Cyd", OPENING),
        game("White=Ann;Black=Ben", "1. e4 e5 2. Ke3"),
    ]
    .concat()
}

#[test]
fn doubles_are_listed_with_what_they_have_in_common() {
    let run = ferz(&["dedupe"], games());
    assert_eq!(
        run.out,
        "same: game 1 is game 2 (Ann - Ben, *; Ann - Ben, *, 2024.05.01)\n\
        prefix: game 2 ends before ply 11 of game 3 (Ann - Ben, *, 2024.05.01; Ann - Ben, *)\n\
        one_ply: game 4 differs at ply 12 from game 3 (Ann - Ben, *)\n\
        same_play: game 5 has the play of game 2 (Zoe - Cyd, *; Ann - Ben, *, 2024.05.01)\n\
        6 records: 1 same, 1 prefix, 1 one_ply, 1 same_play\n"
    );
    assert_eq!(run.code, 1);
    assert!(run.err.contains("1 record not compared: not judged to the end"), "{}", run.err);
    let run = ferz(&["dedupe"], game("White=Ann;Black=Ben", OPENING));
    assert_eq!((run.out.as_str(), run.code), ("1 record: no doubles\n", 0));
}

/// What stays comes out as it went in, in its order; what is left has no doubles of the kinds that were dropped.
#[test]
fn what_is_dropped_is_chosen() {
    let all: Vec<String> = games().split_inclusive("*\n\n").map(str::to_owned).collect();
    let run = ferz(&["dedupe", "--format", "pgn"], games());
    assert_eq!((run.out, run.code), (all[1..].concat(), 0));
    assert!(run.err.contains("6 records: 1 dropped"), "{}", run.err);
    let run = ferz(&["dedupe", "--format", "pgn", "--drop", "same,prefix,one_ply"], games());
    assert_eq!(run.out, [&*all[2], &*all[4], &*all[5]].concat());
    let again = ferz(&["dedupe", "--format", "pgn", "--drop", "same,prefix,one_ply"], &run.out);
    assert_eq!(again.out, run.out);
    let run = ferz(&["dedupe", "--drop", "same_play"], games());
    assert!(
        run.code == 2 && run.err.contains("the same play by other players is another game"),
        "{}",
        run.err
    );
}

#[test]
fn files_are_compared_with_one_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = write(folder.path(), "one.pgn", game("White=Réti, Richard;Black=Ben;Round=1", OPENING));
    let other = write(folder.path(), "other.pgn", game("White=Reti, R;Black=Ben", OPENING));
    let run = ferz(&["dedupe", &one, &other, "--format", "ndjson"], "");
    let line: serde_json::Value = serde_json::from_str(run.out.trim()).expect("one object");
    assert_eq!(
        (&line["likeness"], &line["game"]["game"], &line["of"]["line"]),
        (&"names_near".into(), &1.into(), &1.into())
    );
    assert!(line["game"]["file"].as_str().is_some_and(|file| file.ends_with("other.pgn")), "{line}");
    let run = ferz(&["dedupe", &one, &one], "");
    assert!(run.out.contains("same: ") && run.code == 1, "{}", run.out);
}
