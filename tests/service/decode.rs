//! `POST /api/v1/decode`: damaged records, as on the command line.

use crate::server::{Server, answer, ferz};
use serde_json::{Value, json};

fn ask(server: &Server, body: &Value) -> crate::server::Answer {
    let request = server.post("/api/v1/decode", body.to_string());
    answer(request.header("content-type", "application/json"))
}

#[test]
fn records_are_decoded_as_on_the_command_line() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.txt");
    let texts = [
        "1. e4 e5 2. NfG Nc6 3. Bb5 a6 4. Ba4 Nf8 5. O-O 1-0",
        "1. e4 e5 2. Nf3 3. Bb5 a6",
        "[Variant \"iago-b\"]\n\n1. Ngl-f3&M Ng8-f6",
        "1. e4 e5 2. Sf3 Sc6 3. LbS a6",
    ];
    for text in texts {
        std::fs::write(&path, text).expect("written");
        let run = ferz().args(["decode", "--format", "json"]).arg(&path).output().expect("ferz");
        let printed: Value = serde_json::from_slice(&run.stdout).expect("JSON");
        assert_eq!(ask(&server, &json!({"record": text})).json(), printed, "{text}");
    }
}

#[test]
fn cells_sheets_and_options_are_taken() {
    let server = Server::start(&[]);
    let cells = json!({"cells": [{"ply": 1, "alternatives": [["c4", 0.5], ["e4", 0.4]]},
        {"ply": 2, "alternatives": [["e5", 0.9]]}]});
    let alone = ask(&server, &json!({"cells": cells})).json();
    assert_eq!(alone["readings"][0]["plies"], json!(["c2c4", "e7e5"]));
    let both = ask(&server, &json!({"cells": cells, "sheet": "1. e4 eS", "readings": 1})).json();
    assert_eq!(both["readings"][0]["plies"], json!(["e2e4", "e7e5"]));
    assert_eq!(both["readings"].as_array().map(Vec::len), Some(1));
    let other = ask(&server, &json!({"record": "1. P@e4", "variant": "crazyhouse"})).json();
    assert_eq!(other["variant"], "crazyhouse");
    // What the budget allows, and no more.
    let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6";
    let short = ask(&server, &json!({"record": text, "budget": 200})).json();
    assert_eq!((&short["complete"], &short["certain"]), (&json!(false), &json!(false)), "{short}");
    let nothing = ask(&server, &json!({"record": "hello world"})).json();
    assert_eq!(nothing["readings"], json!([]));
}

#[test]
fn wrong_requests_are_problems() {
    let server = Server::start(&[]);
    ask(&server, &json!({"sheet": "1. e4"})).problem(422, "wrong-shape");
    ask(&server, &json!({"record": "1. e4", "cells": {"cells": []}})).problem(422, "wrong-shape");
    ask(&server, &json!({"cells": {"cells": [{"alternatives": [["e4", 2.0]]}]}})).problem(422, "wrong-shape");
    ask(&server, &json!({"record": "1. e4", "readings": 0})).problem(422, "bad-option");
    ask(&server, &json!({"record": "1. e4", "variant": "nosuch"})).problem(422, "bad-option");
    let unknown = json!({"record": "[Variant \"nosuch\"]\n\n1. e4 *"});
    ask(&server, &unknown).problem(422, "not-replayed");
    ask(&server, &json!({"record": "1. e4 e5 ".repeat(9_000)})).problem(422, "too-much-work");
}
