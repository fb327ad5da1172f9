//! The archive over HTTP.

use crate::common::fixture;
use crate::server::{Answer, Server, answer};
use ferz::archive::{Archive, Scope, TokenRequest};
use serde_json::{Value, json};

const PGN: &str = "application/x-chess-pgn";

fn game(white: &str, black: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Event \"Café\"]\n[Date \"2026.01.02\"]\n\n{moves}\n")
}

/// Submits records; the items of the answer.
fn submit(server: &Server, text: impl Into<Vec<u8>>) -> Vec<Value> {
    let told = answer(server.post("/api/v1/games", text.into()).header("content-type", PGN));
    assert_eq!(told.status, 201, "{}", told.text());
    told.json()["items"].as_array().expect("items").clone()
}

fn list(server: &Server, query: &str) -> Value {
    let told = answer(server.get(&format!("/api/v1/games{query}")));
    assert_eq!(told.status, 200, "{}", told.text());
    told.json()
}

fn count(server: &Server, query: &str) -> usize {
    list(server, query)["items"].as_array().expect("items").len()
}

#[test]
fn games_are_kept_and_found_again() {
    let server = Server::start(&[]);
    let text = game("Ann", "Ben", "1. e4 {best} e5 *");
    let told = answer(server.post("/api/v1/games", text.clone()).header("content-type", PGN));
    assert_eq!((told.status, told.header("content-type")), (201, "application/json"));
    let items = told.json()["items"].as_array().expect("items").clone();
    let id = items[0]["id"].as_str().expect("an id").to_owned();
    assert_eq!((&items[0]["created"], &items[0]["valid"]), (&true.into(), &true.into()));
    assert_eq!(told.header("location"), format!("/api/v1/games/{id}"));
    let judged = answer(server.post("/api/v1/validate", text.clone())).json();
    assert_eq!(items[0]["report"], judged[0]);

    let again = submit(&server, text.clone());
    assert_eq!((again[0]["id"].as_str(), &again[0]["created"]), (Some(id.as_str()), &false.into()));

    let path = format!("/api/v1/games/{id}");
    let found = answer(server.get(&path)).json();
    assert_eq!((&found["white"], &found["event"]), (&"Ann".into(), &"Café".into()));
    assert_eq!((&found["report"], &found["related"]), (&judged[0], &Value::Array(vec![])));
    assert_eq!(found["moves"], serde_json::json!(["e2e4", "e7e5"]));
    assert_eq!(answer(server.get(&format!("{path}?original=1"))).text(), text);
    answer(server.get(&format!("{path}?original=2"))).problem(404, "game-not-found");
    let pgn = answer(server.get(&path).header("accept", PGN));
    assert_eq!(pgn.header("content-type"), PGN);
    assert!(pgn.text().contains("1. e4 {best} 1... e5 *"), "{}", pgn.text());

    let other = submit(&server, game("Cleo", "Dan", "1. e4 e5 *"));
    assert_eq!(answer(server.get(&path)).json()["related"], serde_json::json!([other[0]["id"]]));
}

#[test]
fn what_is_not_legal_is_kept_too() {
    let server = Server::start(&[]);
    let text = fixture("games/iago-b-blocked.pgn");
    let items = submit(&server, text.clone());
    assert_eq!((&items[0]["valid"], &items[0]["report"]["illegal"]["ply"]), (&false.into(), &7.into()));
    let id = items[0]["id"].as_str().expect("an id");
    assert_eq!(answer(server.get(&format!("/api/v1/games/{id}?original=1"))).text(), text);
    assert_eq!((count(&server, "?valid=true"), count(&server, "?valid=false")), (0, 1));
    let marked = answer(server.get(&format!("/api/v1/games/{id}/diagram?ply=7")));
    assert_eq!(marked.header("content-type"), "image/svg+xml");
    assert!(marked.text().starts_with("<svg ") && marked.text().contains("castling"), "{}", marked.status);
    assert_eq!(
        answer(server.get(&format!("/api/v1/games/{id}/diagram?ply=0&flip=1&pieces=impromptu"))).status,
        200
    );
    answer(server.get(&format!("/api/v1/games/{id}/diagram?ply=8"))).problem(422, "no-position");
    let unknown = submit(&server, "[Variant \"nonsense\"]\n\n1. e4 *");
    let id = unknown[0]["id"].as_str().expect("an id");
    assert_eq!(answer(server.get(&format!("/api/v1/games/{id}"))).json()["rules"], Value::Null);
    answer(server.get(&format!("/api/v1/games/{id}/diagram"))).problem(422, "no-position");
}

/// What would be lost with the file is not acknowledged.
#[test]
fn a_file_that_was_deleted_takes_no_games() {
    let server = Server::start(&[]);
    submit(&server, "1. e4 *");
    assert_eq!(answer(server.get("/readyz")).status, 200);
    std::fs::remove_file(&server.db).expect("deleted");
    for text in ["1. d4 *", "1. c4 *"] {
        let problem = answer(server.post("/api/v1/games", text)).problem(503, "archive-unavailable");
        assert!(problem["detail"].as_str().expect("a detail").contains("deleted or replaced"), "{problem}");
    }
    // That the archive can be written to is held for a second.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    answer(server.get("/readyz")).problem(503, "archive-unavailable");
}

#[test]
fn lists_are_filtered_and_come_in_pages() {
    let server = Server::start(&[]);
    let games: String = (0..30).map(|n| game(&format!("Player {n}"), "Ben", "1. d4 *") + "\n").collect();
    assert_eq!(submit(&server, games).len(), 30);
    submit(&server, "[Variant \"ingols\"]\n[White \"Zoë\"]\n[Result \"1-0\"]\n\n1. e4 1-0");
    for (query, found) in [
        ("?limit=100", 31),
        ("?player=ben&limit=100", 30),
        ("?player=zoe", 1),
        ("?white=player+7", 1),
        ("?black=player+7", 0),
        ("?event=cafe&limit=500", 30),
        ("?variant=ingols", 1),
        ("?variant=ichess", 0),
        ("?result=1-0", 1),
        ("?from=2026&to=2026.01&limit=50", 30),
        ("?from=2027", 0),
        ("?moves=d2d4&limit=50", 30),
        ("?variant=&player=&event=&result=&cursor=&limit=50", 31),
    ] {
        assert_eq!(count(&server, query), found, "{query}");
    }
    let words =
        answer(server.get(&format!("/api/v1/games?player={}", "r+".repeat(330)))).problem(422, "bad-option");
    assert!(words["detail"].as_str().expect("a detail").contains("at most 32 words"), "{words}");
    let (mut seen, mut query) = (Vec::new(), "?limit=7".to_owned());
    loop {
        let page = list(&server, &query);
        seen.extend(page["items"].as_array().expect("items").iter().map(|item| item["id"].clone()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        query = format!("?limit=7&cursor={cursor}");
    }
    let ids: std::collections::BTreeSet<String> = seen.iter().map(ToString::to_string).collect();
    assert_eq!((seen.len(), ids.len()), (31, 31));
    for wrong in ["?limit=0", "?limit=501", "?limit=x", "?cursor=x", "?valid=perhaps", "?plaier=x"] {
        answer(server.get(&format!("/api/v1/games{wrong}"))).problem(400, "bad-query");
    }
    for wrong in ["?from=foo", "?to=2014.13", "?to=2014.02.31", "?end=chekmate", "?result=2-0", "?moves=e4"] {
        answer(server.get(&format!("/api/v1/games{wrong}"))).problem(422, "bad-option");
    }
}

/// A query finds games by what happened in them, page by page, and says at which plies.
#[test]
fn games_are_found_by_what_happened_in_them() {
    let server = Server::start(&[]);
    let quiet: String = (0..12).map(|n| game(&format!("Player {n}"), "Ben", "1. d4 d5 *") + "\n").collect();
    submit(&server, quiet);
    submit(&server, game("Ann", "Ben", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *"));
    submit(&server, "[Variant \"iago-b\"]\n[White \"Cyd\"]\n\n1. Ng1-f3&M d5 *");
    let page = list(&server, "?q=QxP+then+moves+N");
    assert_eq!(page["items"].as_array().expect("items").len(), 1, "{page}");
    let found = &page["items"][0];
    assert_eq!((&found["white"], &found["plies"]), (&"Ann".into(), &serde_json::json!([5])), "{page}");
    assert_eq!(found["moves"], serde_json::json!(["3. Nc3"]));
    assert_eq!((&page["looked_at"], &page["not_judged"]), (&14.into(), &0.into()));
    assert_eq!(list(&server, "?q=gate+M")["items"][0]["white"], "Cyd");
    assert_eq!(list(&server, "?q=gate+M&variant=chess")["items"], serde_json::json!([]));
    assert_eq!(found["length"], 6);
    assert_eq!(list(&server, "?player=ann")["items"][0]["plies"], 6);
    let counted = list(&server, "?q=Pd4&limit=2&count=1");
    assert_eq!((&counted["count"], &counted["count_complete"]), (&12.into(), &true.into()), "{counted}");
    assert_eq!(counted["items"].as_array().map(Vec::len), Some(2));
    answer(server.get("/api/v1/games?count=1")).problem(400, "bad-query");
    let (mut seen, mut query) = (0, "?limit=5&q=Pd4".to_owned());
    loop {
        let page = list(&server, &query);
        seen += page["items"].as_array().expect("items").len();
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        query = format!("?limit=5&q=Pd4&cursor={cursor}");
    }
    assert_eq!(seen, 12);
    let problem = answer(server.get("/api/v1/games?q=white+ann+and+blance+RvB")).problem(400, "bad-query");
    let detail = problem["detail"].as_str().expect("a detail");
    assert_eq!(detail, "q, at its bytes 14 to 20: `blance` is not a condition; did you mean `balance`?");
    let page = answer(server.get("/games?q=QxP"));
    assert!(page.text().contains("?ply=4\">2... Qxd5</a>"), "{}", page.text());
}

/// A game that was withdrawn or forgotten is in no answer, from the answer on.
#[test]
fn a_query_finds_nothing_that_is_hidden() {
    let server = Server::start(&[]);
    let items = submit(&server, game("Ann", "Ben", "1. e4 e5 2. Nf3 *"));
    let id = items[0]["id"].as_str().expect("an id");
    assert_eq!(count(&server, "?q=Nf3"), 1);
    let because = serde_json::json!({"because": "a mistake"}).to_string();
    let withdrawn = answer(server.post(&format!("/api/v1/games/{id}/withdrawal"), because));
    assert_eq!(withdrawn.status, 201, "{}", withdrawn.text());
    assert_eq!(count(&server, "?q=Nf3"), 0);
    assert_eq!(count(&server, "?q=Nf3&withdrawn=1"), 1);
}

#[test]
fn who_has_an_answer_is_told_so() {
    let server = Server::start(&[]);
    let items = submit(&server, game("Ann", "Ben", "1. e4 e5 *"));
    let path = format!("/api/v1/games/{}", items[0]["id"].as_str().expect("an id"));
    let mut tags = Vec::new();
    for accept in ["application/json", PGN] {
        let first = answer(server.get(&path).header("accept", accept));
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"') && !first.body.is_empty(), "{tag}");
        let again =
            |known: &str| answer(server.get(&path).header("accept", accept).header("if-none-match", known));
        for known in [tag.as_str(), "*", &format!("\"x\", W/{tag}")] {
            let told = again(known);
            assert_eq!((told.status, told.body.len(), told.header("etag")), (304, 0, tag.as_str()));
        }
        assert_eq!(again("\"x\"").status, 200);
        tags.push(tag);
    }
    assert_ne!(tags[0], tags[1]);
}

#[test]
fn what_cannot_be_kept_is_told() {
    let server = Server::start(&[]);
    answer(server.post("/api/v1/games", "")).problem(422, "no-records");
    answer(server.post("/api/v1/games", "foo")).problem(422, "no-records");
    answer(server.post("/api/v1/games", "{\"name\": \"x\", \"moves\": 3}")).problem(422, "wrong-shape");
    let mixed = answer(
        server
            .post("/api/v1/games", "1. e4 *\n\nDear friends, a fine round *\n\n[White \"Ann\"]\n\n1. d4 *\n"),
    );
    assert_eq!(mixed.status, 201, "{}", mixed.text());
    let mixed = mixed.json();
    assert_eq!(mixed["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        mixed["skipped"].as_array().map_or(0, Vec::len),
        0,
        "a letter before a game goes with it: {mixed}"
    );
    answer(server.post("/api/v1/games?variant=nonsense", "1. e4 *")).problem(422, "bad-option");
    answer(server.post("/api/v1/games", vec![b' '; 5 << 20])).problem(413, "content-too-large");
    for id in ["0123456789abcdef0123456789abcdef", "nonsense", "%00"] {
        answer(server.get(&format!("/api/v1/games/{id}"))).problem(404, "game-not-found");
        answer(server.get(&format!("/api/v1/games/{id}/diagram"))).problem(404, "game-not-found");
    }
    assert_eq!(count(&server, ""), 2);
}

#[test]
fn many_at_once_are_kept_once_each() {
    let server = Server::start(&[]);
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let server = &server;
        let one = |n: usize| {
            move || answer(server.post("/api/v1/games", game(&format!("P{}", n % 8), "Q", "1. e4 *")))
        };
        let threads: Vec<_> = (0..32).map(|n| scope.spawn(one(n))).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let created = answers.iter().filter(|answer| answer.json()["items"][0]["created"] == true).count();
    assert_eq!((created, count(&server, "")), (8, 8));
}

/// A record is read again as it was read when it came.
#[test]
fn plies_that_stood_stand_in_every_form() {
    let server = Server::start(&[]);
    let told = answer(server.post("/api/v1/games?let_stand=1", "1. e4 e5 2. Ke3 Nc6 3. Nf3 *"));
    let id = told.json()["items"][0]["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/v1/games/{id}");
    assert_eq!(answer(server.get(&path)).json()["report"]["let_stand"][0]["ply"], 3);
    let pgn = answer(server.get(&path).header("accept", PGN)).text();
    assert!(pgn.contains("[%letstand]") && pgn.contains("3. Nf3 *"), "{pgn}");
    let page = answer(server.get(&format!("/games/{id}/record"))).text();
    assert_eq!(page, pgn);
    let again = answer(server.post("/api/v1/games?let_stand=1", "1. e4 e5 2. Ke3 Nc6 3. Nf3 *")).json();
    assert_eq!(
        (&again["items"][0]["id"], &again["items"][0]["created"]),
        (&id.into(), &false.into()),
        "{again}"
    );
}

/// When a definition changes, games keep the rules that they were judged by.
#[test]
fn games_are_bound_to_their_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let rules = fixture("variants/valid/dragoons.toml");
    let before = file("before.toml", &rules);
    let after = file("after.toml", &rules.replace("betza = \"FN\"", "betza = \"F\""));
    let db = folder.path().join("games.ferz");
    let first = Server::over(&db, &["--formats", &before]);
    let items = submit(&first, "[Variant \"dragoons\"]\n\n1. Dd3 *\n");
    assert_eq!(items[0]["valid"], true);
    let path = format!("/games/{}", items[0]["id"].as_str().expect("an id"));
    let api = format!("/api/v1{path}");
    let forms = |server: &Server| {
        let pgn = answer(server.get(&api).header("accept", PGN));
        let (drawing, record) =
            (server.get(&format!("{api}/diagram")), server.get(&format!("{path}/record")));
        [pgn.text(), answer(drawing).text(), answer(record).text()]
    };
    let shown = forms(&first);
    assert!(shown[0].contains("1. Dd3 *") && shown[1].starts_with("<svg "), "{shown:?}");
    let page = answer(first.get(&path)).text();
    assert!(!page.contains("The rules have changed"), "{page}");
    first.kill();
    let second = Server::over(&db, &["--formats", &after]);
    assert_eq!(forms(&second), shown);
    let page = answer(second.get(&path)).text();
    assert!(page.contains("The rules have changed"), "{page}");
    assert!(page.contains("Dd3") && !page.contains("Illegal at"), "{page}");
}

#[test]
fn a_withdrawn_game_is_hidden_and_found_by_its_id() {
    let server = Server::start(&[]);
    let wrong = submit(&server, game("Ann", "Ben", "1. d4 1-0"))[0]["id"].as_str().expect("an id").to_owned();
    let right = submit(&server, game("Ann", "Ben", "1. d4 0-1"))[0]["id"].as_str().expect("an id").to_owned();
    let withdraw = |id: &str, body: Value| {
        answer(server.post(&format!("/api/v1/games/{id}/withdrawal"), body.to_string()))
    };
    withdraw(&wrong, json!({"because": " "})).problem(422, "not-withdrawn");
    withdraw(&wrong, json!({"why": "typing error"})).problem(422, "wrong-shape");
    withdraw(&"0".repeat(32), json!({"because": "x"})).problem(404, "game-not-found");
    let told = withdraw(&wrong[..12], json!({"because": "typing error", "superseded_by": right}));
    assert_eq!((told.status, &told.json()["withdrawn"]["superseded_by"]), (201, &json!(right)));
    withdraw(&wrong, json!({"because": "again"})).problem(422, "not-withdrawn");
    assert_eq!(
        (count(&server, ""), count(&server, "?withdrawn=true"), count(&server, "?withdrawn=false")),
        (1, 2, 1)
    );
    let there = answer(server.get(&format!("/api/v1/games/{}", &wrong[..8]))).json();
    assert_eq!((&there["id"], &there["withdrawn"]["because"]), (&json!(wrong), &json!("typing error")));
    assert!(answer(server.get(&format!("/games/{wrong}"))).text().contains("typing error"));
    assert!(!answer(server.get("/games")).text().contains(&wrong));
    // A later submission is known, and the game stays withdrawn.
    let again = submit(&server, game("Ann", "Ben", "1. d4 1-0"));
    assert_eq!((&again[0]["id"], &again[0]["created"]), (&json!(wrong), &json!(false)));
    assert_eq!(count(&server, ""), 1);
}

#[test]
fn a_shortened_id_that_fits_several_games_lists_them() {
    let server = Server::start(&[]);
    let texts: String = (0..300).map(|n| game(&format!("Player {n}"), "Ben", "1. d4 *") + "\n").collect();
    let mut ids: Vec<String> =
        submit(&server, texts).iter().map(|item| item["id"].as_str().expect("an id").to_owned()).collect();
    ids.sort();
    // Two digits decide nothing.
    answer(server.get(&format!("/api/v1/games/{}", &ids[0][..2]))).problem(404, "game-not-found");
    let (long, short) = (&ids[0][..31], &ids[0][..4]);
    assert_eq!(answer(server.get(&format!("/api/v1/games/{long}"))).json()["id"], json!(ids[0]));
    let alike = ids.iter().filter(|id| id.starts_with(short)).count();
    let told = answer(server.get(&format!("/api/v1/games/{short}")));
    assert_eq!(told.status, if alike > 1 { 422 } else { 200 });
}

#[test]
fn only_the_submitter_withdraws() {
    let server = Server::start(&[]);
    let archive = Archive::open(&server.db).expect("the archive");
    let (ann, ben) = (archive.add_token("ann").expect("a token"), archive.add_token("ben").expect("a token"));
    let submitted = answer(server.post("/api/v1/games", "1. e4 *").bearer_auth(&ann)).json();
    let id = submitted["items"][0]["id"].as_str().expect("an id").to_owned();
    let withdraw = |token: &str| {
        let body = json!({"because": "not my game"}).to_string();
        answer(server.post(&format!("/api/v1/games/{id}/withdrawal"), body).bearer_auth(token))
    };
    withdraw(&ben).problem(403, "not-the-submitter");
    let again = answer(server.post("/api/v1/games", "1. e4 {me too} *").bearer_auth(&ben)).json();
    assert_eq!((&again["items"][0]["id"], &again["items"][0]["created"]), (&json!(id), &json!(false)));
    // Ben's text is withdrawn, and Ann's is there: lists show the game.
    let told = withdraw(&ben);
    assert_eq!((told.status, told.json().get("withdrawn")), (201, None));
    let arrivals =
        || answer(server.get(&format!("/api/v1/games/{id}")).bearer_auth(&ann)).json()["arrivals"].clone();
    let are_withdrawn = |arrivals: &Value| {
        let arrivals = arrivals.as_array().expect("a list").iter();
        arrivals.map(|arrival| arrival["withdrawn"] == true).collect::<Vec<_>>()
    };
    assert_eq!((are_withdrawn(&arrivals()), listed(&server, &ann)), (vec![false, true], 1));
    withdraw(&ben).problem(422, "not-withdrawn");
    let told = withdraw(&ann);
    assert_eq!((told.status, &told.json()["withdrawn"]["token"]), (201, &json!("ann")));
    assert_eq!((are_withdrawn(&arrivals()), listed(&server, &ann)), (vec![true, true], 0));
    // The same text again is known, and withdrawn; another one shows the game.
    let known = answer(server.post("/api/v1/games", "1. e4 *").bearer_auth(&ben)).json();
    assert_eq!(
        (&known["items"][0]["created"], &known["items"][0]["withdrawn"]),
        (&json!(false), &json!(true)),
        "{known}"
    );
    let new = answer(server.post("/api/v1/games", "1. e4 {after all} *").bearer_auth(&ben)).json();
    assert_eq!((new["items"][0].get("withdrawn"), listed(&server, &ann)), (None, 1));
    assert_eq!((withdraw(&ben).status, listed(&server, &ann)), (201, 0));
    // Each takes back what is his own, and an arbiter everything.
    let reinstate = |token: &str| {
        let body = json!({"because": "it is mine"}).to_string();
        answer(server.post(&format!("/api/v1/games/{id}/reinstatement"), body).bearer_auth(token))
    };
    assert_eq!((reinstate(&ann).status, listed(&server, &ann)), (201, 1));
    assert_eq!(are_withdrawn(&arrivals()), [false, true, true]);
    reinstate(&ann).problem(422, "not-withdrawn");
    assert_eq!((withdraw(&ann).status, listed(&server, &ann)), (201, 0));
    let request =
        |scope| TokenRequest { name: "chief".into(), holder: None, scopes: vec![scope], expires: None };
    let chief = archive.create_token(request(Scope::Director)).expect("a token").token;
    assert_eq!((reinstate(&chief).status, are_withdrawn(&arrivals())), (201, vec![false; 3]));
    // What an arbiter withdraws, no submitter takes back.
    assert_eq!((withdraw(&chief).status, listed(&server, &ann)), (201, 0));
    reinstate(&ann).problem(422, "not-withdrawn");
    verified(&archive);
}

/// The number of games in the list.
fn listed(server: &Server, token: &str) -> usize {
    let list = answer(server.get("/api/v1/games").bearer_auth(token)).json();
    list["items"].as_array().expect("a list").len()
}

fn verified(archive: &Archive) {
    let mut findings = Vec::new();
    archive.verify(None, &mut |finding| findings.push(finding), &mut |_| ()).expect("it can be read");
    assert_eq!(findings, []);
}

/// A name that is given again carries no rights along.
#[test]
fn rights_belong_to_a_token_and_not_to_its_name() {
    let server = Server::start(&[]);
    let archive = Archive::open(&server.db).expect("the archive");
    let first = archive.add_token("ann").expect("a token");
    let submitted = answer(server.post("/api/v1/games", "1. e4 *").bearer_auth(&first)).json();
    let id = submitted["items"][0]["id"].as_str().expect("an id").to_owned();
    archive.revoke_token("ann").expect("a token");
    let second = archive.add_token("ann").expect("a token");
    let body = || json!({"because": "not my game"}).to_string();
    let path = |what: &str| format!("/api/v1/games/{id}/{what}");
    answer(server.post(&path("withdrawal"), body()).bearer_auth(&second)).problem(403, "not-the-submitter");
    answer(server.post(&path("reinstatement"), body()).bearer_auth(&second)).problem(422, "not-withdrawn");
    assert_eq!(listed(&server, &second), 1);
    verified(&archive);
}

/// Two definitions that play alike may spell otherwise. Each text is read by the one that came with it, whoever stored
/// rules first.
#[test]
fn no_definition_decides_how_texts_of_others_are_read() {
    let server = Server::start(&[]);
    let rules = |dragoon: &str, knight: &str| {
        format!(
            "name = \"drag\"\nextends = \"chess\"\nedition = \"1\"\n[pieces]\n\
            D = {{ name = \"dragoon\", betza = \"FN\"{dragoon} }}\nN = {{ name = \"knight\", betza = \"N\"{knight} }}\n\
            [setup]\nboard = \"rnbqkdnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKDNR\"\n"
        )
    };
    let (hostile, honest) = (rules(", also = [\"S\"]", ""), rules("", ", also = [\"S\"]"));
    let submit = |definition: &str, records: &str| {
        let body = json!({"definitions": [definition], "records": records}).to_string();
        let told = answer(server.post("/api/v1/games", body).header("content-type", "application/json"));
        told.json()["items"][0].clone()
    };
    let record = "[Variant \"drag\"]\n\n";
    let first = submit(&hostile, &format!("{record}1. Sg3 *"));
    let second = submit(&honest, &format!("{record}1. Sc3 *"));
    assert_eq!((&first["valid"], &second["valid"]), (&json!(true), &json!(true)), "{first}\n{second}");
    let digest = |item: &Value| item["report"]["rules"]["digest"].clone();
    assert_eq!(digest(&first), digest(&second), "they play alike");
    let id = second["id"].as_str().expect("an id");
    let claim = json!({"id": id, "claim": {"kind": "illegal_ply", "ply": 1}}).to_string();
    let ruled =
        answer(server.post("/api/v1/adjudications", claim).header("content-type", "application/json"));
    assert_eq!(ruled.json()["verdict"], "rejected", "{}", ruled.text());
    let archive = Archive::open_existing(&server.db).expect("the archive");
    assert_eq!(archive.rules().expect("rules").len(), 2);
    verified(&archive);
    let bundle = archive.bundle(id.parse().expect("an id")).expect("a bundle").expect("a bundle");
    let kept = bundle.rules().expect("rules").definition.to_owned();
    assert!(bundle.judge_again().expect("rules")[0].otherwise.is_none(), "{kept}");
}

#[test]
fn a_director_withdraws_any_game() {
    let server = Server::start(&[]);
    let archive = Archive::open(&server.db).expect("the archive");
    let ann = archive.add_token("ann").expect("a token");
    let scopes = vec![Scope::Director];
    let request = TokenRequest { name: "dora".to_owned(), holder: None, scopes, expires: None };
    let dora = archive.create_token(request).expect("a token").token;
    let submitted = answer(server.post("/api/v1/games", "1. e4 *").bearer_auth(&ann)).json();
    let path = format!("/api/v1/games/{}/withdrawal", submitted["items"][0]["id"].as_str().expect("an id"));
    let body = json!({"because": "played twice"}).to_string();
    assert_eq!(answer(server.post(&path, body).bearer_auth(&dora)).status, 201);
}
