//! Claims on which people decide, rulings, appeals.

use super::*;

/// A claim, the machine's check, an answer, a ruling, an appeal, the final ruling: each an event with a receipt.
#[test]
fn a_dispute_goes_through_all_instances() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "chess", "players": players(), "clock": "days-per-move"}));
    for (person, ply) in [("Ann", "e4"), ("Ben", "e5"), ("Ann", "Nf3")] {
        club.act(person, &id, "plies", json!({"ply": ply})).json();
    }
    club.act("Ben", &id, "claims", json!({"kind": "forced_mate"})).problem(422, "bad-claim");
    club.act("Ben", &id, "claims", json!({"kind": "time_win", "ply": 1})).problem(422, "wrong-shape");
    let claimed = club.act("Ben", &id, "claims", json!({"kind": "agreement"}));
    assert_eq!(claimed.status, 201, "{}", claimed.text());
    let game = claimed.json();
    assert_eq!((&game["status"], &game["to_act"]), (&json!("disputed"), &json!([])), "{game}");
    assert_eq!(
        (&game["upheld"], &game["check"]["verdict"]),
        (&Value::Null, &json!("undetermined")),
        "{game}"
    );
    assert_eq!(game["dispute"]["claim"], "agreement", "{game}");
    assert!(game["receipt"].is_string());
    club.act("Ben", &id, "plies", json!({"ply": "e5"})).problem(409, "not-now");
    let queue = club.get("Arthur", "?status=disputed").json();
    assert_eq!(queue["items"][0]["id"], json!(id), "{queue}");
    let answer = json!({"accept": false, "because": "I agreed to nothing"});
    let game = club.act("Ann", &id, "answers", answer).json();
    assert_eq!(game["dispute"]["accepted"], false, "{game}");
    let dismissed = json!({"dismiss": true, "because": "the players differ"});
    let game = club.act("Arthur", &id, "rulings", dismissed).json();
    assert_eq!((&game["status"], &game["to_act"]), (&json!("running"), &json!(["black"])), "{game}");
    let ruled = json!({"result": "1-0", "because": "Ben had help"});
    club.act("Arthur", &id, "rulings", json!({"result": "1-0", "dismiss": true, "because": "x"}))
        .problem(422, "wrong-shape");
    let game = club.act("Arthur", &id, "rulings", ruled).json();
    assert_eq!((&game["status"], &game["entry"]), (&json!("ended"), &Value::Null), "{game}");
    assert!(game["appealable_until"].is_string(), "{game}");
    let game = club.act("Ben", &id, "appeals", json!({"because": "I had none"})).json();
    assert_eq!((&game["status"], &game["end"]), (&json!("disputed"), &Value::Null), "{game}");
    let game =
        club.act("Arthur", &id, "rulings", json!({"result": "*", "because": "nothing is proved"})).json();
    assert_eq!(game["status"], "annulled", "{game}");
    check_entry(&club, &game);
    check_bundle(&club, &game, folder.path());
    club.act("Ann", &id, "appeals", json!({"because": "x"})).problem(409, "not-now");
    let lines = answer_as(&club, &id, "application/x-ndjson");
    let kinds: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["kind"].clone())
        .collect();
    assert_eq!(
        kinds[5..],
        ["ply", "claimed", "answered", "dismissed", "granted", "ruled", "appealed", "ruled", "ended"]
    );
}

fn answer_as(club: &Club, id: &str, form: &str) -> String {
    let request = club.server.get(&format!("{API}/{id}/events")).bearer_auth(&club.tokens["Ann"]);
    answer(request.header("accept", form)).text().to_owned()
}

/// A claim that a proof refutes is false at once, one that the other player accepts ends the game.
#[test]
fn a_machine_checks_what_people_decide() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let fen = "6k1/8/6K1/8/8/8/8/Q7 w - - 0 1";
    let id = club.begin(json!({"variant": "chess", "tags": {"FEN": fen}, "players": players()}));
    let game = club.act("Ann", &id, "claims", json!({"kind": "checkmate"})).json();
    assert_eq!((&game["upheld"], &game["status"]), (&json!(false), &json!("running")), "{game}");
    let claimed = club.act("Ann", &id, "claims", json!({"kind": "forced_mate", "within": 1})).json();
    assert_eq!(claimed["check"]["verdict"], "upheld", "{claimed}");
    assert_eq!((&claimed["check"]["result"], &claimed["status"]), (&json!("1-0"), &json!("disputed")));
    assert!(claimed["check"]["certificate"].is_string(), "{claimed}");
    club.act("Ann", &id, "answers", json!({"accept": true})).problem(409, "not-now");
    let game = club.act("Ben", &id, "answers", json!({"accept": true})).json();
    let end = json!({"result": "1-0", "cause": "forced_mate", "by": "black"});
    assert_eq!(game["end"], end, "{game}");
    check_entry(&club, &game);
}

/// Whoever plays a game does not rule on it.
#[test]
fn no_one_rules_on_a_game_of_ones_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "chess", "players": {"white": "Ann", "black": "Dora"}}));
    let ruled = json!({"result": "0-1", "because": "I like it"});
    club.act("Dora", &id, "rulings", ruled.clone()).problem(403, "not-your-turn");
    assert_eq!(club.act("Arthur", &id, "rulings", ruled).status, 201);
}
