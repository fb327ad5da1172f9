//! A whole event: twelve games of seven kinds from lists to a table, played by programs, by mail and on pages, with a
//! player who withdraws and is replaced, and a game that both forfeit.

use super::{Club, person};
use crate::random_records::Dice;
use crate::server::{answer, ferz};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const PLAYERS: &str =
    "name,email\nAnn,ann@example.org\nBen,ben@example.org\nBrown,brown@example.org\nCleo,cleo@example.org\n";

/// The games: twice everyone against everyone, of seven kinds.
const GAMES: [(&str, &str, &str); 12] = [
    ("iago-b", "Ann", "Ben"),
    ("iago-b", "Brown", "Cleo"),
    ("ichess", "Ben", "Brown"),
    ("ichess", "Cleo", "Ann"),
    ("ingols", "Ann", "Brown"),
    ("ingols", "Cleo", "Ben"),
    ("chaos", "Ben", "Ann"),
    ("augmented", "Cleo", "Brown"),
    ("xiangqi", "Brown", "Ben"),
    ("xiangqi", "Ann", "Cleo"),
    ("shogi", "Brown", "Ann"),
    ("shogi", "Ben", "Cleo"),
];

/// The program with input and output.
fn command(args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = ferz();
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

/// Creates all games; gives their ids.
fn create(folder: &Path, db: &str) -> Vec<String> {
    let list = folder.join("players.csv");
    std::fs::write(&list, PLAYERS).expect("written");
    let list = list.to_str().expect("a path");
    let mut ids = Vec::new();
    for variant in ["iago-b", "ichess", "ingols", "chaos", "augmented", "xiangqi", "shogi"] {
        let mut pairings = "round,white,black\n".to_owned();
        for (number, (_, white, black)) in GAMES.iter().enumerate().filter(|(_, game)| game.0 == variant) {
            pairings.push_str(&format!("{},{white},{black}\n", number / 2 + 1));
        }
        let path = folder.join("pairings.csv");
        std::fs::write(&path, pairings).expect("written");
        let path = path.to_str().expect("a path");
        let mut args = vec!["archive", "event", "create", "Cup", "--variant", variant, "--players", list];
        args.extend(["--pairings", path, "--db", db, "--clock", "days-per-move"]);
        match variant {
            "chaos" => args.push("--nature-by-lot"),
            "augmented" => {
                args.extend(["--tag", "WhiteArmy=RF ND BfbN QffNsbN", "--tag", "BlackArmy=RA NW BD RNF"])
            }
            _ => {}
        }
        let (code, out, err) = command(&args, "");
        assert_eq!(code, 0, "{variant}: {err}");
        ids.extend(out.lines().map(|line| line.rsplit(' ').next().expect("an id").to_owned()));
    }
    assert_eq!(ids.len(), GAMES.len());
    ids
}

/// A game by mail alone: accepted, played for three plies, and resigned by Black.
fn by_mail(folder: &Path, db: &str, id: &str, (white, black): (&str, &str), plies: [&str; 3]) {
    let list = folder.join("players.csv");
    let list = list.to_str().expect("a path");
    let remind = || {
        command(&["archive", "event", "remind", "Cup", "--players", list, "--db", db, "--days", "0"], "").1
    };
    let line_in = |letters: &str, name: &str| {
        let to = format!("\nTo: {}@example.org\n", name.to_lowercase());
        let own = letters.split("From ferz ").filter(|letter| letter.contains(&to));
        let lines = own.flat_map(str::lines).map(str::trim);
        let lines = lines.filter(|line| line.starts_with(&format!("ferz {id} ")));
        lines.last().map(|line| line.split(' ').take(3).collect::<Vec<_>>().join(" "))
    };
    let mail = |name: &str, text: &str| {
        let mail = format!("From: {}@example.org\nSubject: Cup\n\n{text}\n", name.to_lowercase());
        let (code, out, err) = command(&["mailin", "--db", db, "--players", list], &mail);
        assert_eq!(code, 0, "{text}: {err}{out}");
        out
    };
    let first = remind();
    let mut letters = String::new();
    for name in [white, black] {
        letters = mail(name, &format!("{} accept", line_in(&first, name).expect("a line to accept")));
    }
    for (number, ply) in plies.into_iter().enumerate() {
        let name = [white, black][number % 2];
        let line = line_in(&letters, name).expect("a line to play");
        letters = mail(name, &format!("{ply}\n\n> {line} PLY"));
    }
    let line = line_in(&letters, black).expect("a line to resign");
    mail(black, &format!("{line} resign"));
}

#[test]
fn an_event_is_played_from_lists_to_its_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let db = club.server.db.to_str().expect("a path").to_owned();
    let ids = create(folder.path(), &db);
    let mut half_points: BTreeMap<&str, u32> = BTreeMap::new();
    let mut count = |white: &'static str, black: &'static str, result: &str| {
        let (one, other) = match result {
            "1-0" => (2, 0),
            "0-1" => (0, 2),
            "1/2-1/2" => (1, 1),
            _ => (0, 0),
        };
        *half_points.entry(white).or_default() += one;
        *half_points.entry(black).or_default() += other;
    };
    by_mail(folder.path(), &db, &ids[0], ("Ann", "Ben"), ["Ng1-f3&M", "Nf6", "g3"]);
    count("Ann", "Ben", "1-0");
    // Cleo withdraws before anything; Dora plays her games instead.
    let (code, out, err) =
        command(&["archive", "event", "withdraw", "Cup", "Cleo", "--replaced-by", "Dora", "--db", &db], "");
    assert_eq!((code, out.matches("Dora").count()), (0, 6), "{err}{out}");
    let due = || {
        let (_, lines, _) =
            command(&["archive", "event", "due", "Cup", "--format", "ndjson", "--db", &db], "");
        lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect::<Vec<_>>()
    };
    let waiting = due();
    assert_eq!(waiting.len(), 11);
    let name_of = |name: &Value| PEOPLE_OF.into_iter().find(|own| *name == **own).expect("a player");
    for (number, game) in waiting.iter().enumerate() {
        let id = game["id"].as_str().expect("an id");
        let (white, black) = (name_of(&game["white"]), name_of(&game["black"]));
        if number == 3 {
            // Neither comes.
            let (code, out, err) = command(&["archive", "event", "forfeit", "Cup", id, "--db", &db], "");
            assert_eq!(code, 0, "{err}{out}");
            count(white, black, "0-0");
            continue;
        }
        for player in [white, black] {
            let game = club.get("Dora", &format!("/{id}")).json();
            let accepted = club.act(player, id, "accept", json!({"terms": game["terms"]}));
            assert_eq!(accepted.status, 201, "{}", accepted.text());
        }
        let game = if number == 5 {
            on_pages(&club, id, [white, black])
        } else {
            by_programs(&club, id, number, [white, black])
        };
        count(white, black, game["end"]["result"].as_str().expect("a result"));
    }
    assert!(due().is_empty(), "{:?}", due());
    // The table is the one made by hand: on the command line, over HTTP, and on the page.
    let (_, table, _) = command(&["archive", "event", "table", "Cup", "--format", "json", "--db", &db], "");
    let table: Value = serde_json::from_str(&table).expect("JSON");
    let over_http = club.server.get("/api/v1/tournaments/Cup/table").bearer_auth(&club.tokens["Dora"]);
    assert_eq!(answer(over_http).json(), table);
    // Twelve games and six that are annulled.
    assert_eq!(table["games"], json!([18, 12, 6]), "{table}");
    for line in table["players"].as_array().expect("players") {
        let name = line["name"].as_str().expect("a name");
        let halves = half_points.get(name).copied().unwrap_or_default();
        let points = if halves % 2 == 0 { (halves / 2).to_string() } else { format!("{}.5", halves / 2) };
        assert_eq!(line["points"], json!(points), "{name}: {table}");
        assert_eq!(line["games"], json!(if name == "Cleo" { 0 } else { 6 }), "{name}: {table}");
    }
    let page = club
        .server
        .get("/events/Cup")
        .basic_auth("Dora", Some(&club.tokens["Dora"]))
        .header("accept", "text/html");
    let page = answer(page).text();
    assert!(
        page.contains("18 games, 12 finished, 6 annulled") && page.contains("0-0, both forfeit"),
        "{page}"
    );
    let events = club
        .server
        .get("/events")
        .basic_auth("Dora", Some(&club.tokens["Dora"]))
        .header("accept", "text/html");
    assert!(answer(events).text().contains("<a href=\"/events/Cup\">Cup</a>"));
    let (code, out, _) = command(&["archive", "verify", "--db", &db], "");
    assert_eq!(code, 0, "{out}");
}

const PEOPLE_OF: [&str; 5] = ["Ann", "Ben", "Brown", "Cleo", "Dora"];

/// Plies at random by requests, until one resigns or both agree to a draw.
fn by_programs(club: &Club, id: &str, number: usize, players: [&'static str; 2]) -> Value {
    let mut dice = Dice(number as u64);
    let mut game = super::play_by(club, id, &mut dice, 8, &|actor| match actor.as_str() {
        Some("white") => players[0],
        Some("black") => players[1],
        _ => person(actor),
    });
    if game["status"] == "running" {
        let loser = players[number % 2];
        let ended = match number % 3 {
            0 => {
                assert_eq!(club.act(players[0], id, "offers", json!({"kind": "draw"})).status, 201);
                club.act(players[1], id, "offers", json!({"kind": "draw", "accept": true}))
            }
            _ => club.act(loser, id, "resign", json!({})),
        };
        assert_eq!(ended.status, 201, "{}", ended.text());
        game = ended.json();
    }
    game
}

/// The first legal ply of each list, by forms, and a resignation.
fn on_pages(club: &Club, id: &str, players: [&'static str; 2]) -> Value {
    for number in 0..4 {
        let mover = players[number % 2];
        let page = club.page(mover, &format!("/play/{id}")).text();
        let choice =
            page.split("<option value=\"").filter(|part| !part.starts_with('"')).nth(1).expect("a legal ply");
        let choice = &choice[..choice.find('"').expect("its end")];
        let pressed = club.press(mover, id, &[("wish", "ply"), ("move", ""), ("choice", choice)]);
        assert_eq!(pressed.status, 200, "{choice}: {}", pressed.text());
    }
    assert_eq!(club.press(players[0], id, &[("wish", "resign")]).status, 200);
    club.get("Dora", &format!("/{id}")).json()
}
