//! Positions, legal plies, open claims, comparison and repair over HTTP: the same as from the command line.

use crate::common::{fixture, root};
use crate::records::fixtures;
use crate::server::{Answer, Server, answer, ferz};
use serde_json::{Value, json};

fn ask(server: &Server, path: &str, body: &Value) -> Answer {
    let request = server.post(&format!("/api/v1/{path}"), body.to_string());
    answer(request.header("content-type", "application/json"))
}

fn printed(arguments: &[&str]) -> String {
    String::from_utf8(ferz().args(arguments).output().expect("ferz starts").stdout).expect("text")
}

fn plies(answer: &Answer) -> Vec<String> {
    let list = answer.json()["plies"].as_array().cloned().expect("plies");
    list.iter().map(|ply| ply.as_str().expect("a ply").to_owned()).collect()
}

#[test]
fn plies_and_positions_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let chaos = "e2e4 e7e5 g1f3 b8c6 f1c4";
    for (variant, moves, style, tag) in [
        ("chess", "e2e4 e7e5", "coord", None),
        ("chess", "1. e4 e5 2. Nf3", "san", None),
        ("chess", "1. f3 e5 2. g4 Qh4#", "san", None),
        ("iago-b", "e2e4 e7e5", "iago", None),
        ("capablanca", "", "uci", None),
        ("chaos+chess", chaos, "coord", Some(("NatureRules", "advanced"))),
    ] {
        let tags: serde_json::Map<String, Value> =
            tag.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        let body = json!({"position": {"variant": variant, "moves": moves, "tags": tags}, "style": style});
        let tag = tag.map(|(name, value)| format!("{name}={value}"));
        let mut arguments = vec![variant, "--moves", moves];
        arguments.extend(tag.iter().flat_map(|tag| ["--tag", tag]));
        let told = ask(&server, "moves", &body);
        let listed = printed(&[&["moves", "--style", style], &arguments[..]].concat());
        assert_eq!(plies(&told), listed.lines().collect::<Vec<_>>(), "{variant} {moves}: {}", told.text());
        let fen = printed(&[&["fen"], &arguments[..]].concat());
        let seen = ask(&server, "position", &body).json();
        assert_eq!(seen["fen"], fen.trim(), "{variant} {moves}");
    }
    let mated = json!({"position": {"variant": "chess", "moves": "1. f3 e5 2. g4 Qh4#"}});
    let seen = ask(&server, "position", &mated).json();
    let facts = (&seen["ply"], &seen["turn"], &seen["check"], &seen["end"]["reason"]);
    assert_eq!(facts, (&4.into(), &"white".into(), &true.into(), &"checkmate".into()), "{seen}");
}

#[test]
fn a_game_is_looked_at_by_record_or_id_at_any_ply() {
    let server = Server::start(&[]);
    let record = fixture("games/ichess-sample.pgn");
    let stored = answer(server.post("/api/v1/games", record.clone())).json();
    let id = stored["items"][0]["id"].as_str().expect("an id").to_owned();
    let path = root().join("fixtures/games/ichess-sample.pgn").display().to_string();
    let shown = printed(&["show", &path, "--ply", "16"]);
    let by = |body: Value| ask(&server, "position", &body).json();
    let seen = by(json!({"id": id, "ply": 16}));
    assert!(shown.contains(&format!("FEN: {}", seen["fen"].as_str().expect("a FEN"))), "{shown}\n{seen}");
    assert_eq!(seen, by(json!({"record": record, "ply": 16})));
    let last = by(json!({"record": record}));
    assert_eq!((&last["ply"], &last["end"]["result"]), (&69.into(), &"1-0".into()));
}

#[test]
fn records_come_by_mail() {
    let server = Server::start(&[]);
    let mail = "Hi Ann,\n\n> 1. e4 e5\n> 2. Nf3 *\n\nBest wishes,\nBen\n";
    let seen = ask(&server, "position", &json!({"record": mail})).json();
    assert_eq!(seen["ply"], 3, "{seen}");
    let same = ask(&server, "compare", &json!({"a": mail, "b": "1. e4 e5 2. Nf3 *"})).json();
    assert_eq!(same["same"], true, "{same}");
}

#[test]
fn claims_are_those_of_the_report() {
    let server = Server::start(&[]);
    let record = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *";
    let report = answer(server.post("/api/v1/validate", record)).json();
    let told = ask(&server, "claims", &json!({"record": record})).json();
    assert_eq!(told["claimable"], report[0]["claimable"]);
    let at = |ply: usize| ask(&server, "claims", &json!({"record": record, "ply": ply})).json();
    assert_eq!(at(3)["claimable"], json!([]));
    let seven = at(7);
    assert_eq!(
        (&seven["claimable"][0]["by"], &seven["claimable"][0]["intended"]),
        (&"black".into(), &"Ng8".into())
    );
}

#[test]
fn what_cannot_be_looked_at_is_a_problem() {
    let server = Server::start(&[]);
    for path in ["position", "moves", "claims"] {
        let faulty = |body: Value, kind: &str| ask(&server, path, &body).problem(422, kind);
        let illegal = faulty(json!({"record": "1. e4 e5\n2. Ke3 *"}), "no-position");
        assert_eq!(
            (&illegal["ply"], &illegal["line"], &illegal["column"]),
            (&3.into(), &2.into(), &4.into())
        );
        assert_eq!(ask(&server, path, &json!({"record": "1. e4 e5 2. Ke3 *", "ply": 2})).status, 200);
        faulty(json!({"record": "1. e4 *", "ply": 2}), "no-position");
        faulty(json!({"record": "foo"}), "no-records");
        faulty(json!({"position": {"variant": "ches"}}), "bad-option");
        faulty(json!({"position": {"variant": "chess", "fen": "nonsense"}}), "not-replayed");
        faulty(json!({"position": {"variant": "chess"}, "id": "0123"}), "wrong-shape");
        faulty(json!({"record": "1. e4 *", "style": "nonsense"}), "wrong-shape");
        ask(&server, path, &json!({"id": "0123"})).problem(404, "game-not-found");
        answer(server.get(&format!("/api/v1/{path}"))).problem(405, "method-not-allowed");
    }
}

#[test]
fn a_comparison_is_that_of_the_command_line() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let one = "1. e4 e5 2. Nf3 Nc6 3. Bb5 *";
    for other in [
        "e2e4 e7e5 g1f3 b8c6 f1b5 *",
        "1. e4 e5 2. Nf3 d6 *",
        "1. e4 e5 2. Ke3 *",
        "[Variant \"ichess\"]\n\n*",
    ] {
        let told = ask(&server, "compare", &json!({"a": one, "b": other}));
        let (a, b) = (file("a.pgn", one), file("b.pgn", other));
        assert_eq!(told.text(), printed(&["compare", "--format", "json", &a, &b]), "{other}");
    }
    let both = format!("{one}\n\n1. d4 *\n");
    let told = ask(&server, "compare", &json!({"a": both, "b": both, "games": [2, 1]}));
    let path = file("both.pgn", &both);
    assert_eq!(told.text(), printed(&["compare", "--format", "json", "--games", "2,1", &path]));
    let none = ask(&server, "compare", &json!({"a": one, "b": ""})).problem(422, "no-records");
    assert!(none["detail"].as_str().is_some_and(|detail| detail.starts_with("`b`: ")), "{none}");
    ask(&server, "compare", &json!({"a": one, "b": one, "games": [1, 0]})).problem(422, "bad-option");
    ask(&server, "compare", &json!({"a": one})).problem(422, "wrong-shape");
}

#[test]
fn two_stories_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let one = "1. e4 e5 2. Nf3 Nc6 3. Bb5 *";
    for (other, stands_on) in [
        ("e2e4 e7e5 g1f3 b8c6 f1b5 *", "both"),
        ("1. e4 e5 2. Nf3 d6 *", "neither"),
        ("1. e4 e5 2. Ke3 *", "a"),
    ] {
        let found = ask(&server, "stories", &json!({"a": one, "b": other}));
        let (a, b) = (file("a.pgn", one), file("b.pgn", other));
        assert_eq!(found.json()["stands_on"], stands_on, "{other}");
        let command = ["adjudicate", &a, "--against", &b, "--format", "json"];
        assert_eq!(found.text(), printed(&command), "{other}");
        let claim = json!({"kind": "time_win", "by": "white"});
        let judged = ask(&server, "stories", &json!({"a": one, "b": other, "claim": claim}));
        assert_eq!(judged.json()["claims"].as_array().map(Vec::len), Some(2), "{}", judged.text());
        let command = [&command[..], &["--claim", "time_win", "--by", "white"]].concat();
        assert_eq!(judged.text(), printed(&command), "{other}");
    }
    // The second games of both texts are meant.
    let two = format!("1. d4 *\n\n{one}");
    let second = ask(&server, "stories", &json!({"a": two, "b": two, "games": [2, 2]})).json();
    assert_eq!((&second["relation"], &second["common"]), (&json!("same"), &json!(5)), "{second}");
    let third = ask(&server, "stories", &json!({"a": one, "b": two, "games": [1, 3]}));
    third.problem(422, "bad-option");
    ask(&server, "stories", &json!({"a": one, "b": ""})).problem(422, "no-records");
    ask(&server, "stories", &json!({"a": one, "b": "[Variant \"ichess\"]\n\n*"})).problem(422, "bad-claim");
    ask(&server, "stories", &json!({"a": one, "b": one, "policy": "x"})).problem(422, "bad-option");
    ask(&server, "stories", &json!({"a": one, "b": one, "claim": {"kind": "time_win"}}))
        .problem(422, "bad-claim");
}

#[test]
fn repairs_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let text = "[Event \"x\"\n\n1.e4 e5 2.Bc4 Nc6 4. Qh5 Nf6 5. Qf7";
    let told = answer(server.post("/api/v1/fix", text)).json();
    let names: Vec<&Value> =
        told[0]["changes"].as_array().expect("changes").iter().map(|change| &change["repair"]).collect();
    assert!(names.contains(&&"move-numbers".into()) && names.contains(&&"tag-pairs".into()), "{told}");
    assert!(told[0]["record"].as_str().is_some_and(|text| text.contains("4. Qxf7#")), "{told}");
    assert_eq!(told[0]["reports"][0]["verdict"], "legal", "{told}");
    let only = answer(server.post("/api/v1/fix?only=tag-pairs", text)).json();
    assert_eq!(only[0]["changes"].as_array().map(Vec::len), Some(1), "{only}");
    for query in ["only=nonsense", "only=tag-pairs&all=1", "variant=ches"] {
        answer(server.post(&format!("/api/v1/fix?{query}"), text)).problem(422, "bad-option");
    }
    assert_eq!(answer(server.post("/api/v1/fix", "")).text(), "[]\n");
    let mut repaired = 0;
    for (name, text) in fixtures() {
        let path = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(path.path(), &text).expect("written");
        let output = ferz().arg("fix").arg(path.path()).output().expect("ferz starts");
        let request = server.post("/api/v1/fix", text.clone());
        let lines = answer(request.header("accept", "application/x-ndjson")).text();
        let objects: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let changes: usize =
            objects.iter().filter_map(|object| object["changes"].as_array()).map(Vec::len).sum();
        let notes = String::from_utf8_lossy(&output.stderr).into_owned();
        // A change has its line and column after the name of the file.
        let place = format!("{}:", path.path().display());
        let is_change = |line: &&str| {
            line.strip_prefix(&place).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let listed = notes.lines().filter(is_change).count();
        let texts: Vec<&str> = objects.iter().filter_map(|object| object["record"].as_str()).collect();
        // Bytes between the records are the file's, and belong to none of them.
        let whole = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut rest = whole.as_str();
        for text in texts {
            let at = rest.find(text.trim());
            assert!(at.is_some() || whole.contains('\u{fffd}'), "{name}: {text:?} is not in {rest:?}");
            rest = &rest[at.unwrap_or(0)..];
        }
        assert_eq!(changes, listed, "{name}: {notes}");
        repaired += changes;
    }
    assert!(repaired > 30, "{repaired}");
}

#[test]
fn a_list_of_a_misspelt_game_is_a_problem() {
    let server = Server::start(&[]);
    let misspelt = answer(server.get("/api/v1/games?variant=ches")).problem(422, "bad-option");
    assert!(
        misspelt["detail"].as_str().is_some_and(|text| text.contains("did you mean `chess`?")),
        "{misspelt}"
    );
    assert_eq!(answer(server.get("/games?variant=ches")).status, 422);
    assert_eq!(answer(server.get("/api/v1/games?variant=chess")).status, 200);
    // Games of a name that no definition has are there to be found, whatever else is asked.
    answer(server.post("/api/v1/games", "[Variant \"nonsense\"]\n\n1. e4 *\n"));
    let list = answer(server.get("/api/v1/games?variant=nonsense")).json();
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1), "{list}");
    assert_eq!(answer(server.get("/api/v1/games?variant=nonsense&player=nobody")).status, 200);
}

#[test]
fn pages_of_allowed_origins_may_use_the_api() {
    let server = Server::start(&["--allow-origin", "https://club.example"]);
    let from = |origin: &str| server.post("/api/v1/validate", "1. e4 *").header("origin", origin);
    let told = answer(from("https://club.example"));
    assert_eq!((told.status, told.header("access-control-allow-origin")), (200, "https://club.example"));
    assert!(told.header("access-control-expose-headers").contains("ferz-findings"));
    let refused = answer(from("https://elsewhere.example"));
    refused.problem(403, "foreign-origin");
    assert_eq!(refused.header("access-control-allow-origin"), "");
    let preflight = |origin: &str, path: &str| {
        let request = server.client.request(reqwest::Method::OPTIONS, server.url(path));
        let request = request.header("origin", origin).header("access-control-request-method", "POST");
        answer(request.header("access-control-request-headers", "content-type"))
    };
    let asked = preflight("https://club.example", "/api/v1/validate");
    assert_eq!(asked.status, 204);
    assert!(asked.header("access-control-allow-methods").contains("POST"));
    assert!(asked.header("access-control-allow-headers").contains("authorization"));
    // A problem can be read by the page, too.
    let wrong = answer(server.get("/api/v1/games?limit=0").header("origin", "https://club.example"));
    wrong.problem(400, "bad-query");
    assert_eq!(wrong.header("access-control-allow-origin"), "https://club.example");
    assert_ne!(preflight("https://elsewhere.example", "/api/v1/validate").status, 204);
    // The pages for people stay closed to other sites.
    assert_eq!(preflight("https://club.example", "/").header("access-control-allow-origin"), "");
    for origin in ["club.example", "https://club.example/", "https://Club.example", "*"] {
        let started =
            ferz().args(["serve", "--db", "x.ferz", "--allow-origin", origin]).output().expect("ferz");
        assert_eq!(started.status.code(), Some(2), "{origin}");
    }
}
