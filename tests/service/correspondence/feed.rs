//! The feed of what happens, and games at the terminal of a player.

use super::{Club, players};
use crate::server::{answer, ferz};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

impl Club {
    fn feed(&self, person: &str, query: &str) -> Value {
        let reply =
            answer(self.server.get(&format!("/api/v1/events{query}")).bearer_auth(&self.tokens[person]));
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    }

    /// The events of a feed, page by page.
    fn all(&self, person: &str, limit: usize) -> Vec<Value> {
        let (mut all, mut after) = (Vec::new(), Value::Null);
        loop {
            let from = if after.is_null() { String::new() } else { format!("&after={after}") };
            let page = self.feed(person, &format!("?limit={limit}{from}"));
            all.extend(page["items"].as_array().expect("items").iter().cloned());
            if page["next"] == after {
                return all;
            }
            after = page["next"].clone();
        }
    }
}

#[test]
fn the_feed_has_what_its_reader_may_see_in_the_order_of_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    assert_eq!(club.feed("Ann", ""), json!({"items": [], "next": null}));
    let own = club.begin(json!({"variant": "chess", "players": players()}));
    let other = club.begin(json!({"variant": "ichess", "players": {"white": "Cleo", "black": "Brown"}}));
    let open = club.begin(
        json!({"variant": "chess", "players": {"white": "Cleo", "black": "Brown"}, "visibility": "public"}),
    );
    for (person, id, ply) in [("Ann", &own, "e4"), ("Cleo", &open, "d4"), ("Ben", &own, "e5")] {
        assert_eq!(club.act(person, id, "plies", json!({"ply": ply})).status, 201);
    }
    for (person, seen) in
        [("Ann", vec![&own, &open]), ("Cleo", vec![&other, &open]), ("Arthur", vec![&own, &other, &open])]
    {
        let whole = club.all(person, 500);
        // Pages of any size give the same.
        assert_eq!(whole, club.all(person, 1));
        assert_eq!(whole, club.all(person, 3));
        let numbers: Vec<u64> = whole.iter().map(|item| item["event"].as_u64().expect("a number")).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        assert!(whole.iter().all(|item| seen.iter().any(|id| item["game"] == ***id)), "{person}: {whole:?}");
        assert!(seen.iter().all(|id| whole.iter().any(|item| item["game"] == ***id)), "{person}: {whole:?}");
        // Each is that of the game.
        for item in whole {
            let game = club.get(person, &format!("/{}/events", item["game"].as_str().expect("an id"))).json();
            let sequence = usize::try_from(item["sequence"].as_u64().expect("a number")).expect("small");
            let mut same = item.clone();
            same.as_object_mut().expect("an object").remove("game");
            assert_eq!(game["items"][sequence], same);
        }
    }
    let lines = club
        .server
        .get("/api/v1/events")
        .bearer_auth(&club.tokens["Ann"])
        .header("accept", "application/x-ndjson");
    assert_eq!(answer(lines).text().lines().count(), club.all("Ann", 500).len());
    answer(club.server.get("/api/v1/events?after=x").bearer_auth(&club.tokens["Ann"]))
        .problem(400, "bad-query");
    answer(club.server.get("/api/v1/events").header("last-event-id", "x").bearer_auth(&club.tokens["Ann"]))
        .problem(400, "bad-request");
    answer(club.server.get("/api/v1/events")).problem(401, "unauthorized");
}

#[test]
fn who_listens_hears_it_when_it_happens_and_misses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "chess", "players": players()}));
    let listen = |after: &str| {
        let request = club.server.get("/api/v1/events").bearer_auth(&club.tokens["Ben"]);
        let reply = request
            .header("accept", "text/event-stream")
            .header("last-event-id", after)
            .send()
            .expect("an answer");
        assert_eq!(reply.headers()["content-type"], "text/event-stream");
        BufReader::new(reply).lines().map(|line| line.expect("a line"))
    };
    let next = |lines: &mut dyn Iterator<Item = String>| -> (String, String, Value) {
        let mut found = lines.skip_while(|line| !line.starts_with("id: "));
        let id = found.next().expect("an id")["id: ".len()..].to_owned();
        let kind = found.next().expect("a kind")["event: ".len()..].to_owned();
        let data = found.next().expect("data");
        (id, kind, serde_json::from_str(&data["data: ".len()..]).expect("JSON"))
    };
    let mut lines = listen("0");
    let begun: Vec<String> = (0..3).map(|_| next(&mut lines).1).collect();
    assert_eq!(begun, ["created", "accepted", "accepted"]);
    let since = Instant::now();
    assert_eq!(club.act("Ann", &id, "plies", json!({"ply": "e4"})).status, 201);
    let (last, kind, data) = next(&mut lines);
    assert!(since.elapsed() < Duration::from_secs(10));
    assert_eq!((kind.as_str(), &data["coord"], &data["game"]), ("ply", &json!("e2e4"), &json!(id)));
    assert_eq!(data["event"].to_string(), last);
    drop(lines);
    assert_eq!(club.act("Ben", &id, "plies", json!({"ply": "e5"})).status, 201);
    // It connects again.
    assert_eq!(next(&mut listen(&last)).2["coord"], "e7e5");
    // Too many of one token are refused, and those that are gone do not count.
    let request = || {
        let request = club.server.get("/api/v1/events").bearer_auth(&club.tokens["Ann"]);
        request.header("accept", "text/event-stream").send().expect("an answer")
    };
    let open: Vec<_> = (0..8).map(|_| request()).collect();
    assert_eq!(request().status(), 503);
    drop(open);
    let until = Instant::now() + Duration::from_secs(30);
    while request().status() != 200 {
        assert!(Instant::now() < until, "listeners that are gone still count");
        std::thread::sleep(Duration::from_millis(100));
    }
    // They do not keep the service from stopping.
    let _listening = request();
    let since = Instant::now();
    club.server.signal("TERM");
    let mut server = club.server;
    assert!(server.wait().success() && since.elapsed() < Duration::from_secs(9));
}

/// A player's terminal: lines in, what is shown out.
fn terminal(club: &Club, person: &str, id: &str, input: &str) -> (i32, String, String) {
    let mut command = ferz();
    command.args(["play", id, "--server", &club.server.url("")]).env("FERZ_TOKEN", &club.tokens[person]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

#[test]
fn two_terminals_play_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.create(json!({"variant": "chess", "players": players()}));
    let (ann, ben) = std::thread::scope(|scope| {
        let ann = scope.spawn(|| terminal(&club, "Ann", &id, "accept\nf3\nKe2\ng4\nmoves a\n"));
        let ben = scope.spawn(|| terminal(&club, "Ben", &id, "accept\n1... e5\nQh4#\n"));
        (ann.join().expect("Ann"), ben.join().expect("Ben"))
    });
    assert_eq!((ann.0, ben.0), (0, 0), "{ann:?}{ben:?}");
    assert!(
        ben.1.contains("Ply 3: White g4") && ben.1.contains("The game is over: 0-1 by checkmate."),
        "{}",
        ben.1
    );
    assert!(ann.2.contains("`Ke2`") && ann.1.contains("The game is over: 0-1 by checkmate."), "{ann:?}");
    let game = club.get("Ann", &format!("/{id}")).json();
    assert_eq!((game["plies"].as_array().map(Vec::len), &game["you"]), (Some(4), &json!(["white"])));
    let (code, _, err) = terminal(&club, "Arthur", &id, "");
    assert!(code == 2 && err.contains("plays no side"), "{err}");
}
