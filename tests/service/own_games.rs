//! Games of definitions that are sent along, and that the archive keeps with the games judged by them.

use crate::common::root;
use crate::server::{Server, answer};
use serde_json::{Value, json};

fn dragoons() -> String {
    std::fs::read_to_string(root().join("fixtures/variants/valid/dragoons.toml")).expect("a fixture")
}

const GAME: &str = "[White \"Ann\"]\n[Variant \"dragoons\"]\n\n1. Dd3 *\n";

fn post(server: &Server, path: &str, body: &Value) -> crate::server::Answer {
    answer(server.post(path, body.to_string()).header("content-type", "application/json"))
}

/// Stores a game with its definition, and gives its entry.
fn stored(server: &Server, definition: &str, game: &str) -> Value {
    let told = post(server, "/api/v1/games", &json!({"definitions": [definition], "records": game}));
    assert_eq!(told.status, 201, "{}", told.text());
    told.json()["items"][0].clone()
}

#[test]
fn every_route_about_records_takes_definitions() {
    let server = Server::start(&[]);
    let definitions = json!([dragoons()]);
    let claim = json!({"kind": "checkmate"});
    let position = json!({"variant": "dragoons", "moves": "Dd3"});
    for (path, body) in [
        ("/api/v1/position", json!({"record": GAME})),
        ("/api/v1/position", json!({"position": position})),
        ("/api/v1/moves", json!({"record": GAME})),
        ("/api/v1/claims", json!({"record": GAME})),
        ("/api/v1/adjudications", json!({"record": GAME, "claim": claim})),
        ("/api/v1/adjudications", json!({"position": position, "claim": claim})),
        ("/api/v1/compare", json!({"a": GAME, "b": GAME})),
        ("/api/v1/stories", json!({"a": GAME, "b": GAME.replace("*", "e5 *")})),
    ] {
        let with = |definitions: &Value| {
            let mut body = body.clone();
            body["definitions"] = definitions.clone();
            post(&server, path, &body)
        };
        let told = with(&definitions);
        assert_eq!(told.status, 200, "{path}: {}", told.text());
        let without = post(&server, path, &body);
        assert_ne!(without.body, told.body, "{path} does not know the game without its definition");
        with(&json!(["name = \"chess\"\nextends = \"chess\"\n[ends]\nmisere = true\n"]))
            .problem(422, "bad-definition");
    }
    let asked =
        json!({"record": GAME, "definitions": definitions, "claim": {"kind": "fifty_moves", "by": "black"}});
    let certificate = post(&server, "/api/v1/adjudications", &asked).json()["certificate"].clone();
    let checked = |body: Value| post(&server, "/api/v1/certificates", &body).json();
    assert_eq!(checked(json!({"certificate": certificate}))["step"], "rules");
    let told = checked(json!({"certificate": certificate, "definitions": definitions}));
    assert_eq!(told["accepted"], true, "{told}");
    let kept = stored(&server, &dragoons(), GAME);
    let body = json!({"id": kept["id"], "definitions": definitions});
    post(&server, "/api/v1/position", &body).problem(422, "bad-option");
}

#[test]
fn rules_of_the_archive_are_found_by_name_and_digest() {
    let server = Server::start(&[]);
    answer(server.get("/api/v1/variants/dragoons")).problem(404, "unknown-variant");
    let kept = stored(&server, &dragoons(), GAME);
    let listed = answer(server.get("/api/v1/games")).json();
    assert_eq!(listed["items"][0]["own_rules"], true, "{listed}");
    assert!(answer(server.get("/games")).text().contains("(own rules)"));
    stored(&server, &dragoons(), "[White \"Eve\"]\n\n1. e4 *\n");
    let listed = answer(server.get("/api/v1/games?white=Eve")).json();
    assert!(listed["items"][0]["own_rules"].is_null(), "{listed}");

    let shown = answer(server.get("/api/v1/variants/dragoons"));
    assert_eq!((shown.status, &shown.json()["name"]), (200, &"dragoons".into()), "{}", shown.text());
    let record = answer(
        server
            .get(&format!("/api/v1/games/{}", kept["id"].as_str().expect("an id")))
            .header("accept", "application/x-chess-pgn"),
    )
    .text();
    let whole =
        record.split("[RulesDigest \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a digest");
    assert_eq!(whole.len(), 64, "{record}");
    // The record names its rules, which the archive holds: no route needs the definition.
    let judged = answer(server.post("/api/v1/validate", record.clone())).json();
    assert_eq!(judged[0]["legal"], true, "{judged}");
    let seen = post(&server, "/api/v1/position", &json!({"record": record}));
    assert_eq!(seen.status, 200, "{}", seen.text());
    let elsewhere = answer(Server::start(&[]).post("/api/v1/validate", record)).json();
    assert_eq!(elsewhere[0]["verdict"], "not_judged", "{elsewhere}");

    // Another letter is another definition of the same play.
    let other = dragoons().replace("title = \"Dragoons\"", "title = \"Dragons\"");
    stored(&server, &other, "[White \"Bob\"]\n[Variant \"dragoons\"]\n\n1. Dd3 *\n");
    let several = answer(server.get("/api/v1/variants/dragoons"));
    let choices = several.json();
    assert_eq!((several.status, choices["choices"].as_array().map(Vec::len)), (300, Some(2)), "{choices}");
    for choice in choices["choices"].as_array().expect("choices") {
        assert_eq!(choice["games"], 1, "{choices}");
        let path = format!("/api/v1/variants/{}", choice["whole"].as_str().expect("a digest"));
        assert_eq!(answer(server.get(&path)).json()["name"], "dragoons", "{path}");
    }
}
