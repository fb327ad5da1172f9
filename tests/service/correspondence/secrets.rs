//! Keys that sign plies, armies that are chosen in secret, sealed plies, games from elsewhere.

use super::*;

/// The output of a command, without the last end of line.
fn shown(args: &[&str]) -> String {
    let run = ferz().args(args).output().expect("it runs");
    assert!(run.status.success(), "{run:?}");
    String::from_utf8(run.stdout).expect("text").trim_end().to_owned()
}

/// A secret and its commitment, as `ferz player commit` makes them.
fn committed(secret: &str) -> [String; 2] {
    let both = shown(&["player", "commit", secret]);
    let (value, hash) = both.split_once('\n').expect("two lines");
    [value.to_owned(), hash.to_owned()]
}

/// A whole game in which each ply of White's is signed by a key that the service does not have.
#[test]
fn a_player_signs_each_ply() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "iago-b", "players": players(), "clock": "days-per-move"}));
    let file = folder.path().join("ann.key");
    let file = file.to_str().expect("a path");
    let vkey = shown(&["player", "key", file, "--name", "Ann"]);
    assert_eq!(shown(&["player", "key", file]), vkey);
    club.act("Ann", &id, "keys", json!({"vkey": "Ann"})).problem(422, "bad-signature");
    let game = club.act("Ann", &id, "keys", json!({"vkey": vkey})).json();
    assert_eq!(game["keys"], json!({"white": vkey}));
    club.act("Ann", &id, "keys", json!({"vkey": vkey})).problem(409, "not-now");
    club.act("Ann", &id, "plies", json!({"ply": "e4"})).problem(422, "bad-signature");
    let sign = |coord: &str| {
        let game = club.get("Ann", &format!("/{id}")).json();
        let (head, sequence) = (game["head"].as_str().expect("a head"), game["sequence"].to_string());
        shown(&["player", "sign", &id, head, &sequence, coord, "--signer", file])
    };
    let other = json!({"ply": "e4", "signature": sign("d2d4")});
    club.act("Ann", &id, "plies", other).problem(422, "bad-signature");
    for (person, ply, coord) in
        [("Ann", "Ng1-f3&M", "g1f3m"), ("Ben", "e5", ""), ("Ann", "e4", "e2e4"), ("Ben", "Nc6", "")]
    {
        let signature = (person == "Ann").then(|| sign(coord));
        let reply = club.act(person, &id, "plies", json!({"ply": ply, "signature": signature}));
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
    let tree = json!({"tree": []});
    club.act("Ann", &id, "conditional", tree).problem(422, "bad-option");
    let game = club.act("Ben", &id, "resign", json!({})).json();
    check_entry(&club, &game);
    check_bundle(&club, &game, folder.path());
    let events = club.get("Ben", &format!("/{id}/events")).json();
    let signed =
        events["items"].as_array().expect("events").iter().filter(|event| event["signature"].is_string());
    assert_eq!(signed.count(), 2);
}

/// Armies are shown when both are fixed, and the game is that of these armies.
#[test]
fn armies_are_chosen_in_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.create(json!({"variant": "augmented", "players": players(), "clock": "days-per-move"}));
    let [white, black] = ["RF ND BfbN QffNsbN", "RA NW BD RNF"].map(committed);
    for (person, [_, hash]) in [("Ann", &white), ("Ben", &black)] {
        let reply = club.act(person, &id, "commit", json!({"hash": hash}));
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
    let game = club.get("Ben", &format!("/{id}")).json();
    assert_eq!(game["secrets"]["white"], json!({"hash": white[1], "value": null}), "{game}");
    for person in ["Ann", "Ben"] {
        let terms = json!({"terms": game["terms"]});
        assert_eq!(club.act(person, &id, "accept", terms).status, 201);
    }
    club.act("Ann", &id, "reveal", json!({"value": black[0]})).problem(422, "bad-option");
    club.act("Ann", &id, "reveal", json!({"value": white[0]})).json();
    club.act("Ann", &id, "plies", json!({"ply": "e4"})).problem(409, "not-now");
    let game = club.act("Ben", &id, "reveal", json!({"value": black[0]})).json();
    assert_eq!((&game["status"], &game["to_act"]), (&json!("running"), &json!(["white"])), "{game}");
    club.act("Ann", &id, "plies", json!({"ply": "e4"})).json();
    let game = club.act("Ben", &id, "resign", json!({})).json();
    check_entry(&club, &game);
    check_bundle(&club, &game, folder.path());
    let pgn = answer(
        club.server
            .get(&format!("{API}/{id}"))
            .bearer_auth(&club.tokens["Ann"])
            .header("accept", "application/x-chess-pgn"),
    );
    assert!(pgn.text().contains("[WhiteArmy \"RF ND BfbN QffNsbN\"]"), "{}", pgn.text());
}

/// A sealed ply is made when it is revealed; the game stands still until then.
#[test]
fn a_game_is_adjourned() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "chess", "players": players(), "clock": "days-per-move"}));
    club.act("Ann", &id, "plies", json!({"ply": "e4"})).json();
    club.act("Ann", &id, "offers", json!({"kind": "adjourn"})).json();
    let game = club.act("Ben", &id, "offers", json!({"kind": "adjourn", "accept": true})).json();
    assert_eq!(game["adjourned"], json!({"by": "black", "hash": null}), "{game}");
    let [value, hash] = committed("e5");
    let game = club.act("Ben", &id, "commit", json!({"hash": hash})).json();
    assert_eq!(game["clocks"]["running"]["deadline"], Value::Null, "{game}");
    club.act("Ben", &id, "plies", json!({"ply": "d5"})).problem(409, "not-now");
    club.act("Ben", &id, "reveal", json!({"value": "d5"})).problem(422, "bad-option");
    let game = club.act("Ben", &id, "reveal", json!({"value": value})).json();
    assert_eq!((&game["ply"]["coord"], &game["to_act"]), (&json!("e7e5"), &json!(["white"])), "{game}");
    assert!(game["clocks"]["running"]["deadline"].is_string(), "{game}");
    let game = club.act("Ann", &id, "resign", json!({})).json();
    check_bundle(&club, &game, folder.path());
}

/// A game that was begun elsewhere is continued here, once its players have accepted its plies and clocks.
#[test]
fn a_game_from_elsewhere_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let record =
        "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n[Variant \"iago-b\"]\n\n1. Ng1-f3&M Ng8-f6 *";
    let id = club.begin(json!({"record": record, "clock": "days-per-move"}));
    let game = club.get("Ben", &format!("/{id}")).json();
    assert_eq!((&game["plies"][0]["coord"], &game["plies"][0]["time"]), (&json!("g1f3m"), &Value::Null));
    assert_eq!(game["agreed"]["adopted"]["plies"], json!(["g1f3m", "g8f6"]));
    club.act("Ann", &id, "plies", json!({"ply": "e4"})).json();
    let game = club.act("Ben", &id, "resign", json!({})).json();
    check_entry(&club, &game);
    check_bundle(&club, &game, folder.path());
    for (record, why) in [("1. e4 Ke3 *", "not legal"), ("1. e4 1-0", "is over"), ("", "there is none")] {
        let refused = club.post("Dora", "", &json!({"record": record}), &[]).problem(422, "bad-terms");
        assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains(why)), "{refused}");
    }
    // A long game with many words is as good.
    let long = format!("{{{}}} 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 *", "word ".repeat(4_000));
    let long = format!("[White \"Ann\"]\n[Black \"Ben\"]\n\n{long}");
    let id = club.create(json!({"record": long}));
    assert_eq!(club.get("Ben", &format!("/{id}")).json()["plies"].as_array().expect("plies").len(), 6);
    let both = json!({"record": record, "variant": "chess", "players": players()});
    club.post("Dora", "", &both, &[]).problem(422, "wrong-shape");
    club.post("Dora", "", &json!({"variant": "chess"}), &[]).problem(422, "wrong-shape");
}
