//! The way of a game of its author's own to V-Class: each step, what is in its way, and what follows from it.

use super::archive::Desk;
use crate::program::ferz;

/// Chess in which stalemate loses, with all words that it needs.
fn dreary(edition: &str, stalemate: &str) -> String {
    format!(
        "name = \"dreary\"\ntitle = \"Dreary Chess\"\nextends = \"chess\"\nedition = \"{edition}\"\n\
        source = \"a club in Linz\"\n[ends]\nstalemate = \"{stalemate}\"\nrule = \"DRE 1\"\n"
    )
}

/// Ten games with results, of four players.
fn season(variant: &str) -> String {
    let players = ["Ann", "Ben", "Cleo", "Dora"];
    let game = |number: usize| {
        let (white, black) = (players[number % 4], players[(number + 1 + number / 4) % 4]);
        let black = if white == black { players[(number + 2) % 4] } else { black };
        let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
        format!(
            "[Date \"2027.01.{:02}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{number}\"]\n\
            [Result \"{result}\"]\n[Variant \"{variant}\"]\n\n1. e4 e5 2. Nf3 Nc6 {result}\n\n",
            number + 1
        )
    };
    (0..10).map(game).collect()
}

/// A step that is refused, with the reason.
fn refused(desk: &Desk, verb: &str, args: &[&str], why: &str) {
    let run = desk.run(verb, args, b"");
    assert!(run.code == 2 && run.err.contains(why), "{verb} {args:?}: {}{}", run.text(), run.err);
}

#[test]
fn a_game_is_codified_step_by_step() {
    let desk = Desk::new();
    let file = desk.file("dreary.toml", dreary("1", "loss"));
    let (because, name) = (["--because", "a season was played"], ["dreary"]);
    desk.import(b"1. e4 *\n");
    refused(&desk, "register codify", &["dreary", "--because", "ruling 3"], "the register has no `dreary`");
    let said = desk.data("register submit", &[&[&*file], &because[..]].concat());
    assert_eq!(said, "`dreary`, edition 1, is submitted\n");
    refused(&desk, "register submit", &[&[&*file], &because[..]].concat(), "the next step is a review");
    refused(
        &desk,
        "register codify",
        &[&name[..], &because].concat(),
        "games: 0 legal with a result on file",
    );

    // Too few games, so that the review finds something.
    let review = desk.run("register review", &name, b"");
    assert_eq!(review.code, 1);
    let shown = review.text();
    for part in ["would be of class AV", "ok  definition", "ok  words", "NO  games       0 legal"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let import =
        ["--formats", &*file, "archive", "import", "--db", desk.path("games.ferz").to_str().unwrap(), "-"]
            .map(str::to_owned);
    let import: Vec<&str> = import.iter().map(String::as_str).collect();
    assert_eq!(ferz(&import, season("dreary")).code, 0);
    assert!(desk.data("register review", &name).contains("ok  games       10 legal"));
    refused(
        &desk,
        "register codify",
        &[&name[..], &because].concat(),
        "is submitted; the next step is a review",
    );

    let before = desk.data("export", &["--variant", "dreary"]);
    assert!(
        !before.contains("RulesClass")
            && desk.data("table", &["--class", "X"]).contains("4 players, 10 games")
    );
    desk.data("register review", &["dreary", "--accept", "--because", "complete"]);
    desk.data("register codify", &["dreary", "--because", "ruling 3"]);
    refused(&desk, "register return", &[&name[..], &because].concat(), "is codified already, which is final");
    let list = desk.data("register list", &[]);
    assert!(
        list.starts_with("dreary, edition 1: codified as AV, ") && list.ends_with(": ruling 3\n"),
        "{list}"
    );
    let steps = desk.data("register list", &["--all", "--format", "ndjson"]);
    let steps: Vec<serde_json::Value> =
        steps.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = steps.iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(names, ["submitted", "reviewed", "codified"]);
    assert_eq!(steps[2]["class"], "AV");

    // Records carry their class, and the table counts them under it.
    let exported = desk.data("export", &["--variant", "dreary"]);
    assert_eq!(exported.matches("[RulesClass \"AV\"]").count(), 10, "{exported}");
    assert!(!desk.data("export", &["--variant", "chess"]).contains("RulesClass"));
    assert_eq!(desk.data("table", &["--class", "X"]), "no game counts\n");
    assert!(desk.data("table", &["--class", "AV"]).contains("4 players, 10 games"));
    assert!(desk.data("verify", &["--replay"]).contains("0 damaged"));
}

/// The name and the edition of codified rules are reserved: no other definition is kept under them.
#[test]
fn a_codified_name_is_reserved() {
    let desk = Desk::new();
    let file = desk.file("dreary.toml", dreary("1", "loss"));
    let db = desk.path("games.ferz").to_str().unwrap().to_owned();
    let import = |formats: &str, games: &str| {
        ferz(&["--formats", formats, "archive", "import", "--db", &db, "-"], games)
    };
    assert_eq!(import(&file, &season("dreary")).code, 0);
    for (verb, args) in
        [("submit", &[&*file][..]), ("review", &["dreary", "--accept"]), ("codify", &["dreary"])]
    {
        desk.data(&format!("register {verb}"), &[args, &["--because", "ruling 3"]].concat());
    }
    let other = desk.file("other.toml", dreary("1", "win"));
    let game = "[White \"Emil\"]\n[Variant \"dreary\"]\n\n1. d4 d5 1-0\n";
    let run = import(&other, game);
    let reserved = "`dreary`, edition 1, is codified here with another definition";
    assert!(run.code == 2 && run.err.contains(reserved), "{}{}", run.out, run.err);
    refused(&desk, "register submit", &[&other, "--because", "mine"], reserved);
    // Another edition is free, and the codified rules go on.
    let next = desk.file("next.toml", dreary("2", "win"));
    assert_eq!(import(&next, game).code, 0);
    assert_eq!(import(&file, "[White \"Fritz\"]\n[Variant \"dreary\"]\n\n1. d4 d5 1-0\n").code, 0);
    assert!(desk.data("verify", &[]).ends_with("0 damaged\n"));
}

#[test]
fn what_cannot_be_codified() {
    let desk = Desk::new();
    desk.import(b"1. e4 *\n");
    let because = ["--because", "mine"];
    let submit = |file: &str| desk.run("register submit", &[&[file], &because[..]].concat(), b"");
    let wrong =
        desk.file("wrong.toml", "name = \"wrong\"\nextends = \"chess\"\n[ends]\nstalemate = \"maybe\"\n");
    assert!(submit(&wrong).err.contains("maybe"), "{}", submit(&wrong).err);
    let chess = desk.file("chess.toml", "name = \"knightmate\"\nextends = \"chess\"\nedition = \"9\"\n");
    assert!(submit(&chess).err.contains("`knightmate` is a built-in game"), "{}", submit(&chess).err);
    let mutator =
        desk.file("odd.toml", "name = \"odd\"\nmutator = true\n[patch.ends]\nstalemate = \"loss\"\n");
    assert!(submit(&mutator).code == 2, "{}", submit(&mutator).err);
    // Words are missing.
    let bare = desk.file(
        "bare.toml",
        "name = \"bare\"\nextends = \"chess\"\n[ends]\nstalemate = \"loss\"\nrule = \"\"\n",
    );
    assert_eq!(submit(&bare).code, 0);
    let review = desk.run("register review", &["bare"], b"");
    assert!(review.text().contains("NO  words       these fields are missing: "), "{}", review.text());
    let accept = ["bare", "--accept", "--because", "why not"];
    refused(&desk, "register review", &accept, "words: these fields are missing: ");
    desk.data("register return", &["bare", "--because", "write the articles"]);
    assert_eq!(submit(&bare).code, 0, "a game that was returned may come again");
    assert!(desk.data("verify", &[]).ends_with("0 damaged\n"));
}

/// The ratings are those of the formula that `--help` states, in the order of the days and not of the imports.
#[test]
fn players_are_rated() {
    let desk = Desk::new();
    let game = |day: u32, white: &str, black: &str, result: &str| {
        format!(
            "[Date \"2027.01.0{day}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
            1. e4 e5 2. Nf3 {result}\n\n"
        )
    };
    let games = [
        game(2, "Ben", "Cleo", "1/2-1/2"),
        game(1, "Ann", "Ben", "1-0"),
        game(3, "?", "Ann", "1-0"),
        "[White \"Ann\"]\n[Black \"Ben\"]\n[Variant \"crazyhouse\"]\n\n1. e4 0-1\n\n".to_owned(),
        "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. Ke3 1-0\n".to_owned(),
    ];
    desk.import(games.concat().as_bytes());
    assert_eq!(
        desk.data("table", &["--variant", "chess"]),
        "   #  player  rating  games  won  drawn  lost\n\
        \x20  1  Ann       1520      1    1      0     0\n\
        \x20  2  Cleo      1499      1    0      1     0\n\
        \x20  3  Ben       1481      2    0      1     1\n\
        3 players, 2 games\n"
    );
    let csv = desk.data("table", &["--class", "V", "--format", "csv"]);
    assert_eq!(csv, "rank,player,rating,games,won,drawn,lost\n1,Ben,1520,1,1,0,0\n2,Ann,1480,1,0,0,1\n");
    assert!(desk.data("table", &["--format", "ndjson"]).lines().count() == 3);
}
