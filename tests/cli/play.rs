//! Games at the terminal, line by line.

use crate::program::{Run, run};

fn play(args: &[&str], lines: &str) -> Run<Vec<u8>> {
    run(&[&["play"], args].concat(), lines.as_bytes())
}

#[test]
fn a_game_is_played_and_recorded() {
    let run =
        play(&["iago-b", "--white", "Ann", "--black", "Ben"], "Ng1-f3&M\nNg8-f6\n2. g3 g6\ng3\nresign\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("more than one ply"), "{}", run.err);
    assert!(run.text().contains("The game is over: 1-0 by resignation."), "{}", run.text());
    let record = &run.text()[run.text().find("[Event").unwrap()..];
    assert!(record.contains("[White \"Ann\"]") && record.contains("\n1. Nf3/M Nf6 2. g3 1-0\n"), "{record}");
    // What is written is a legal record.
    let validated = crate::program::run(&["validate", "-"], record.as_bytes());
    assert_eq!(validated.code, 0, "{}", validated.text());
}

#[test]
fn draws_claims_and_takebacks() {
    let knights = "Nf3\nNf6\nNg1\nNg8\nNf3\nNf6\nNg1\nNg8\n";
    let run = play(&["chess"], &format!("{knights}claims\nclaim threefold_repetition\n"));
    assert!(run.text().contains("threefold_repetition: "), "{}", run.text());
    assert!(
        run.text().contains("The game is over: 1/2-1/2 by threefold_repetition."),
        "{}{}",
        run.text(),
        run.err
    );
    let run = play(&["chess"], "e4\ndraw\ndecline\ne5\nNf3 draw\ndraw\n");
    assert!(run.text().contains("1/2-1/2 by agreement"), "{}{}", run.text(), run.err);
    let run = play(&["chess"], "undo\ne4\nundo\nd4\nmoves d\nrecord\nquit\n");
    assert!(run.err.contains("no ply was made yet"), "{}", run.err);
    assert!(
        run.text().contains("\nd5\nd6\n") && run.text().trim_end().ends_with("\n1. d4 *"),
        "{}",
        run.text()
    );
}

#[test]
fn all_games_are_played_to_their_end() {
    let mate = play(&["chess", "--fen", "7k/R7/8/8/8/8/8/1R5K w - - 0 1"], "Rb8#\n");
    assert!(mate.text().contains("1-0 by checkmate"), "{}", mate.text());
    let nature = play(
        &["chaos+chess", "--tag", "NatureRules=advanced"],
        "e4\ne5\nNf3\nNc6\nBc4\nBc5\n\nO-O\n~d5=N\nquit\n",
    );
    assert_eq!(nature.err, "");
    assert!(
        nature.text().trim_end().ends_with("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O ∞1.....d5=N *"),
        "{}",
        nature.text()
    );
    let deployed = play(&["ichess"], "R=a1\nR=h8\nquit\n");
    assert!(
        deployed.text().contains("R@a1 R@h8") || deployed.text().contains("R=a1 R=h8"),
        "{}",
        deployed.text()
    );
    let armies = ["--tag", "WhiteArmy=RF ND BfbN QffNsbN", "--tag", "BlackArmy=RA NW BD RNF"];
    let augmented = play(&[&["augmented"], &armies[..]].concat(), "e4\ne5\nresign\n");
    assert_eq!(augmented.code, 0, "{}", augmented.err);
    let none = play(&["augmented"], "");
    assert!(none.code == 2 && none.err.contains("tag WhiteArmy: missing"), "{}", none.err);
    let none = play(&["ches"], "");
    assert!(none.code == 2 && none.err.contains("did you mean `chess`"), "{}", none.err);
}

#[test]
fn the_record_goes_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let path = path.to_str().unwrap();
    let run = play(&["shogi", "-o", path, "--style", "hosking"], "P-7f\nP-3d\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let written = std::fs::read_to_string(path).unwrap();
    assert!(written.contains("\n1. P76 P34 *\n"), "{written}");
    assert!(!run.text().contains("[Event"), "{}", run.text());
}
