//! Games that are played on a service by clients: whole ones, raced, repeated, cut off, disputed.

mod disputes;
mod event;
mod feed;
mod secrets;
mod table;

use crate::random_records::Dice;
use crate::server::{Answer, Server, answer, ferz};
use ferz::archive::{Archive, Scope, TokenRequest};
use ferz::notation::Style;
use ferz::rules::Registry;
use ferz::{Position, Rules};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

const API: &str = "/api/v1/correspondence";

/// A service with tokens of people.
struct Club {
    server: Server,
    tokens: HashMap<&'static str, String>,
}

const PEOPLE: [(&str, Scope); 7] = [
    ("Ann", Scope::Play),
    ("Ben", Scope::Play),
    ("Brown", Scope::Play),
    ("Cleo", Scope::Play),
    ("Rita", Scope::Read),
    ("Arthur", Scope::Arbiter),
    ("Dora", Scope::Director),
];

impl Club {
    fn new(db: &Path) -> Club {
        let archive = Archive::open(db).expect("an archive");
        let token = |(name, scope): (&'static str, Scope)| {
            let request =
                TokenRequest { name: name.into(), holder: None, scopes: vec![scope], expires: None };
            (name, archive.create_token(request).expect("a token").token)
        };
        let tokens = PEOPLE.map(token).into_iter().collect();
        Club { server: Server::over(db, &[]), tokens }
    }

    fn get(&self, person: &str, path: &str) -> Answer {
        answer(self.server.get(&format!("{API}{path}")).bearer_auth(&self.tokens[person]))
    }

    fn post(&self, person: &str, path: &str, body: &Value, headers: &[(&str, &str)]) -> Answer {
        let request = self.server.post(&format!("{API}{path}"), body.to_string());
        let request = request.bearer_auth(&self.tokens[person]).header("content-type", "application/json");
        answer(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)))
    }

    /// Does something in a game as the person sees it now.
    fn act(&self, person: &str, id: &str, verb: &str, body: Value) -> Answer {
        let head = self.get(person, &format!("/{id}")).header("etag").to_owned();
        self.post(person, &format!("/{id}/{verb}"), &body, &[("if-match", &head)])
    }

    fn create(&self, body: Value) -> String {
        let created = self.post("Dora", "", &body, &[]);
        assert_eq!(created.status, 201, "{}", created.text());
        let reply = created.json();
        assert_eq!(created.header("etag"), format!("\"{}\"", reply["head"].as_str().expect("a head")));
        reply["id"].as_str().expect("an id").to_owned()
    }

    /// A game that all its players have accepted.
    fn begin(&self, body: Value) -> String {
        let id = self.create(body);
        let game = self.get("Dora", &format!("/{id}")).json();
        assert_eq!((&game["status"], &game["to_act"]), (&json!("awaiting-acceptance"), &json!([])));
        for player in game["agreed"]["players"].as_object().expect("players").values() {
            let terms = json!({"terms": game["terms"]});
            let accepted = self.act(player.as_str().expect("a name"), &id, "accept", terms);
            assert_eq!(accepted.status, 201, "{}", accepted.text());
        }
        id
    }
}

fn players() -> Value {
    json!({"white": "Ann", "black": "Ben"})
}

fn person(actor: &Value) -> &'static str {
    match actor.as_str() {
        Some("white") => "Ann",
        Some("black") => "Ben",
        _ => "Brown",
    }
}

/// Plays at random until the game ends or has so many plies; gives it as it is then.
fn play_on(club: &Club, id: &str, dice: &mut Dice, plies: usize) -> Value {
    play_by(club, id, dice, plies, &person)
}

/// The same by others, named by the player who is to act.
fn play_by(
    club: &Club,
    id: &str,
    dice: &mut Dice,
    plies: usize,
    person: &dyn Fn(&Value) -> &'static str,
) -> Value {
    loop {
        let game = club.get("Arthur", &format!("/{id}")).json();
        let made = game["plies"].as_array().expect("plies").len();
        if game["status"] != "running" || made >= plies {
            return game;
        }
        let actor = &game["to_act"][0];
        let tags = game["agreed"]["tags"].as_object().expect("tags");
        let tags: Vec<(&str, &str)> =
            tags.iter().map(|(name, value)| (name.as_str(), value.as_str().expect("text"))).collect();
        let variant = game["agreed"]["variant"].as_str().expect("a name");
        let rules = Rules::of(Registry::built_in(), variant, &tags).expect("rules");
        let position = Position::from_fen(&rules, game["fen"].as_str().expect("a FEN")).expect("a position");
        let legal: Vec<_> = position.plies().into_iter().filter(|ply| json!(ply.actor) == *actor).collect();
        let reply = if *actor == "nature" && dice.below(3) > 0 {
            club.act("Brown", id, "nature", json!({"decline": true}))
        } else {
            let ply = legal[dice.below(legal.len())];
            let text = position.write(&ply, dice.pick(&[Style::Coord, Style::San])).expect("it has a form");
            club.act(person(actor), id, "plies", json!({"ply": text}))
        };
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
}

/// The archive verifies, and has a game that is legal under the entry's id.
fn check_entry(club: &Club, game: &Value) {
    let entry = game["entry"].as_str().unwrap_or_else(|| panic!("no entry: {game}"));
    let path = format!("/api/v1/games/{entry}");
    let kept = answer(club.server.get(&path).bearer_auth(&club.tokens["Dora"])).json();
    assert_eq!((&kept["valid"], &kept["result"]), (&json!(true), &game["end"]["result"]), "{kept}");
    let coords: Vec<&Value> =
        game["plies"].as_array().expect("plies").iter().map(|ply| &ply["coord"]).collect();
    assert_eq!(kept["moves"], json!(coords));
    let run = ferz().args(["archive", "verify", "--db"]).arg(&club.server.db).output().expect("it runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

/// One game of each source, from the proposal to the archive; one with kill -9 in the middle.
#[test]
fn whole_games_are_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let mut club = Club::new(&db);
    let three = json!({"white": "Ann", "black": "Ben", "nature": "Brown"});
    let armies = json!({"WhiteArmy": "RF ND BfbN QffNsbN", "BlackArmy": "RA NW BD RNF"});
    for (index, (variant, tags, players)) in [
        ("ichess", json!({}), players()),
        ("chaos", json!({"NatureRules": "advanced"}), three),
        ("iago-b", json!({}), players()),
        ("ingols", json!({}), players()),
        ("augmented", armies, players()),
    ]
    .into_iter()
    .enumerate()
    {
        let body = json!({"variant": variant, "tags": tags, "players": players, "clock": "days-per-move"});
        let id = club.begin(body);
        let mut dice = Dice(index as u64);
        let before = play_on(&club, &id, &mut dice, 14);
        let tokens = club.tokens.clone();
        club.server.kill();
        club = Club { server: Server::over(&db, &[]), tokens };
        let after = club.get("Ann", &format!("/{id}")).json();
        assert_eq!((&after["head"], &after["plies"]), (&before["head"], &before["plies"]), "{variant}");
        let mut game = play_on(&club, &id, &mut dice, 40);
        if game["status"] == "running" {
            assert!(game["clocks"]["white"]["left_ms"].is_u64(), "{game}");
            let reply = club.act("Ben", &id, "resign", json!({}));
            assert_eq!(reply.status, 201, "{}", reply.text());
            game = reply.json();
            let end = json!({"result": "1-0", "cause": "resignation", "by": "black"});
            assert_eq!(game["end"], end);
        }
        check_entry(&club, &game);
        check_bundle(&club, &game, folder.path());
    }
}

/// The bundle of a game is that of the command line, and proves it elsewhere.
fn check_bundle(club: &Club, game: &Value, folder: &Path) {
    let id = game["id"].as_str().expect("an id");
    let sent = club.get("Ann", &format!("/{id}/bundle"));
    assert_eq!(sent.status, 200, "{}", sent.text());
    let run = |args: &[&str]| ferz().args(args).output().expect("it runs");
    let db = club.server.db.to_str().expect("a path");
    assert_eq!(run(&["archive", "bundle", id, "--db", db]).stdout, sent.body);
    let file = folder.join("played.bundle");
    std::fs::write(&file, &sent.body).expect("written");
    let key = String::from_utf8(run(&["archive", "key", "show", "--db", db]).stdout).expect("text");
    let file = file.to_str().expect("a path");
    let proved = run(&["verify", file, "--key", key.trim()]);
    let shown = String::from_utf8_lossy(&proved.stdout);
    let plies = game["plies"].as_array().map_or(0, Vec::len);
    let end = &game["end"];
    let (result, cause) =
        (end["result"].as_str().expect("a result"), end["cause"].as_str().expect("a cause"));
    let line = format!("played again: {result} by {cause} after {plies} plies");
    assert!(proved.status.success() && shown.contains(&line), "{shown}");
    let text = run(&["verify", file, "--key", key.trim(), "--text"]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("[White \"Ann\"]"));
    club.get("Cleo", &format!("/{id}/bundle")).problem(404, "not-in-progress");
}

#[test]
fn an_answer_says_what_happened_and_proves_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "iago-b", "players": players(), "clock": "iccf-days"}));
    let reply = club.act("Ann", &id, "plies", json!({"ply": "Ng1-f3&M", "offer": "draw"}));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let answer = reply.json();
    assert_eq!((&answer["ply"]["coord"], &answer["ply"]["san"]), (&json!("g1f3m"), &json!("Nf3/M")));
    assert_eq!((&answer["to_act"], &answer["ply"]["by"]), (&json!(["black"]), &json!("white")));
    assert_eq!(answer["offers"], json!([{"kind": "draw", "by": "white", "ply": 1}]));
    assert_eq!(answer["clocks"]["running"]["by"], "black");
    assert_eq!(answer["clocks"]["white"]["left"], "50 days");
    let receipt = folder.path().join("receipt");
    std::fs::write(&receipt, answer["receipt"].as_str().expect("a receipt")).expect("written");
    let key = std::process::Command::new(env!("CARGO_BIN_EXE_ferz"))
        .args(["archive", "key", "show", "--db"])
        .arg(&club.server.db)
        .output()
        .expect("it runs");
    let key = String::from_utf8(key.stdout).expect("text");
    let run = ferz().arg("verify").arg(&receipt).args(["--key", key.trim()]).output().expect("it runs");
    assert!(run.status.success(), "{run:?}");
    let events = club.get("Ben", &format!("/{id}/events")).json();
    let kinds: Vec<&Value> =
        events["items"].as_array().expect("events").iter().map(|item| &item["kind"]).collect();
    assert_eq!(kinds, ["created", "accepted", "accepted", "ply"]);
    assert_eq!(events["items"][3]["text"], "Ng1-f3&M");
    assert_eq!(events["items"][3]["leaf"], answer["head"]);
    let later = club.get("Ben", &format!("/{id}/events?after=2")).json();
    assert_eq!((later["items"].as_array().map(Vec::len), &later["next"]), (Some(1), &json!(3)));
    let agreed = club.act("Ben", &id, "offers", json!({"kind": "draw", "accept": true})).json();
    assert_eq!(agreed["end"], json!({"result": "1/2-1/2", "cause": "agreement", "by": "black"}));
    check_entry(&club, &agreed);
}

#[test]
fn an_illegal_ply_is_refused_with_its_article_and_nothing_is_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "chess", "players": players()}));
    let before = club.get("Ann", &format!("/{id}")).json();
    let reply = club.act("Ann", &id, "plies", json!({"ply": "Ke3"})).problem(422, "illegal-ply");
    assert_eq!(reply["illegal"]["rule"], "FIDE 3.8", "{reply}");
    assert_eq!(reply["illegal"]["reason_id"], "no-such-move", "{reply}");
    club.act("Ann", &id, "plies", json!({"ply": "what?"})).problem(422, "illegal-ply");
    club.act("Ann", &id, "plies", json!({"ply": "e4", "offer": "peace"})).problem(422, "wrong-shape");
    club.act("Ben", &id, "plies", json!({"ply": "e5"})).problem(403, "not-your-turn");
    club.act("Ann", &id, "takeback", json!({"to": 0})).problem(422, "bad-option");
    club.act("Ann", &id, "offers", json!({"kind": "takeback"})).problem(422, "wrong-shape");
    club.act("Ann", &id, "offers", json!({"kind": "takeback", "ply": 0})).problem(422, "bad-option");
    club.act("Ann", &id, "offers", json!({"kind": "draw", "accept": true})).problem(409, "not-now");
    club.act("Ann", &id, "nature", json!({"decline": true})).problem(403, "not-your-turn");
    club.act("Ann", &id, "nature", json!({})).problem(422, "wrong-shape");
    assert_eq!(club.get("Ann", &format!("/{id}")).json()["head"], before["head"]);
}

/// Who may not see a game is reply the same as of a game that is not there.
#[test]
fn only_players_and_arbiters_see_and_change_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "chess", "players": players()}));
    let open = club.begin(json!({"variant": "chess", "players": players(), "visibility": "public"}));
    let none = "0".repeat(32);
    for stranger in ["Cleo", "Rita"] {
        for path in [format!("/{id}"), format!("/{id}/events"), format!("/{none}"), "/x".to_owned()] {
            club.get(stranger, &path).problem(404, "not-in-progress");
        }
        assert_eq!(club.get(stranger, &format!("/{open}")).status, 200);
        let listed = club.get(stranger, "?player=Ann").json();
        assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "{listed}");
    }
    let head = club.get("Ann", &format!("/{id}")).header("etag").to_owned();
    let bodies = [
        ("accept", json!({"terms": "x"})),
        ("plies", json!({"ply": "e4"})),
        ("offers", json!({"kind": "draw"})),
        ("takeback", json!({"to": 0})),
        ("resign", json!({})),
        ("nature", json!({"call": true})),
        ("keys", json!({"vkey": "x"})),
        ("commit", json!({"hash": "x"})),
        ("reveal", json!({"value": "x"})),
        ("claims", json!({"kind": "forced_draw"})),
        ("answers", json!({"accept": true})),
        ("appeals", json!({"because": "x"})),
    ];
    for (verb, body) in &bodies {
        let change =
            |person, id: &str| club.post(person, &format!("/{id}/{verb}"), body, &[("if-match", &head)]);
        change("Cleo", &id).problem(404, "not-in-progress");
        change("Cleo", &open).problem(403, "not-a-player");
        for person in ["Rita", "Arthur"] {
            change(person, &id).problem(403, "missing-scope");
        }
    }
    let ruling = json!({"result": "1-0", "because": "x"});
    club.post("Ann", &format!("/{id}/rulings"), &ruling, &[("if-match", &head)])
        .problem(403, "missing-scope");
    club.post("Ann", "", &json!({"variant": "chess", "players": players()}), &[])
        .problem(403, "missing-scope");
    assert_eq!(club.get("Ann", &format!("/{id}")).header("etag"), head);
    let listed = |person, query: &str| {
        let reply = club.get(person, query).json();
        reply["items"].as_array().expect("items").iter().map(|game| game["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed("Ann", "?to_act=1"), [json!(open), json!(id)]);
    assert_eq!((listed("Ben", "?to_act=1"), listed("Ben", "").len()), (vec![], 2));
    assert_eq!((listed("Arthur", "").len(), listed("Cleo", "").len()), (2, 0));
    let first = club.get("Ann", "?limit=1").json();
    assert_eq!(listed("Ann", &format!("?limit=1&before={}", first["next"])), [json!(id)]);
    let ruled =
        club.act("Arthur", &id, "rulings", json!({"result": "0-1", "because": "Ann has left"})).json();
    assert_eq!(ruled["end"], json!({"result": "0-1", "cause": "ruling", "by": null}));
    let events = club.get("Ann", &format!("/{id}/events")).json();
    assert_eq!(events["items"][3]["because"], "Ann has left", "{events}");
    club.act("Ann", &id, "plies", json!({"ply": "e4"})).problem(409, "not-now");
}

/// Of many clients that send a ply on the same head, one is heard.
#[test]
fn one_of_64_clients_wins_each_ply() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "chess", "players": players()}));
    for (player, texts) in [("Ann", ["e4", "d4", "c4", "Nf3"]), ("Ben", ["e5", "d5", "c5", "Nf6"])] {
        let head = club.get(player, &format!("/{id}")).header("etag").to_owned();
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let send = |number: usize| {
                let (club, id, head) = (&club, &id, &head);
                scope.spawn(move || {
                    let body = json!({"ply": texts[number % 4]});
                    club.post(player, &format!("/{id}/plies"), &body, &[("if-match", head)]).status
                })
            };
            let threads: Vec<_> = (0..64).map(send).collect();
            threads.into_iter().map(|thread| thread.join().expect("it ran")).collect()
        });
        let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
        // A service with too many requests says so.
        assert_eq!((count(201), count(412) + count(503)), (1, 63), "{statuses:?}");
    }
    assert_eq!(club.get("Ann", &format!("/{id}")).json()["plies"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_request_that_is_sent_again_is_answered_as_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let new = json!({"variant": "chess", "players": players()});
    let create = |body: &Value| club.post("Dora", "", body, &[("idempotency-key", "one")]);
    let (first, again) = (create(&new), create(&new));
    assert_eq!((first.status, again.status, &first.json()["id"]), (201, 201, &again.json()["id"]));
    create(&json!({"variant": "ingols", "players": players()})).problem(422, "key-used");
    let id = club.begin(new);
    let head = club.get("Ann", &format!("/{id}")).header("etag").to_owned();
    let path = format!("/{id}/plies");
    let send = |key: &str, ply: &str| {
        club.post("Ann", &path, &json!({"ply": ply}), &[("if-match", &head), ("idempotency-key", key)])
    };
    let made = send("k", "e4");
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!(club.act("Ben", &id, "plies", json!({"ply": "e5"})).status, 201);
    let again = send("k", "e4");
    assert_eq!(again.status, 201, "{}", again.text());
    for member in ["ply", "fen", "head", "plies", "to_act"] {
        assert_eq!(again.json()[member], made.json()[member], "{member}");
    }
    send("k", "d4").problem(422, "key-used");
    let stale = send("l", "d4").problem(412, "stale");
    assert_eq!(format!("{}", stale["head"]), club.get("Ann", &format!("/{id}")).header("etag"));
    let missing = club.post("Ann", &path, &json!({"ply": "Nf3"}), &[]).problem(428, "no-head");
    assert_eq!(missing["head"], stale["head"]);
    club.post("Ann", &path, &json!({"ply": "Nf3"}), &[("if-match", "\"x\"")]).problem(412, "stale");
}

#[test]
fn a_game_that_cannot_be_played_is_not_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    for (body, named) in [
        (json!({"variant": "chss", "players": players()}), "chess"),
        (json!({"variant": "chaos", "players": players()}), "players.Nature"),
        (
            json!({"variant": "augmented", "players": players(), "tags": {"WhiteArmy": "RF ND BfbN QffNsbN"}}),
            "BlackArmy",
        ),
        (json!({"variant": "chess", "players": players(), "clock": "slow"}), "untimed"),
        (json!({"variant": "chess", "players": players(), "tags": {"FEN": "8/8"}}), "FEN"),
    ] {
        let reply = club.post("Dora", "", &body, &[]).problem(422, "bad-terms");
        assert!(reply["detail"].as_str().is_some_and(|detail| detail.contains(named)), "{reply}");
    }
    club.post("Dora", "", &json!({"variant": "chess"}), &[]).problem(422, "wrong-shape");
    assert_eq!(club.get("Dora", "").json()["items"], json!([]));
    let open = Server::start(&[]);
    let reply = answer(open.get(API)).problem(403, "no-players");
    assert!(
        reply["remedy"].as_str().is_some_and(|remedy| remedy.contains("ferz archive token add")),
        "{reply}"
    );
}

/// A player's client, which sends a request until it is answered.
struct Client {
    id: String,
    /// The plies that were acknowledged.
    made: Vec<String>,
    /// The request that was not: its number, the person, the ply, and the head that it names.
    open: Option<(usize, &'static str, String, String)>,
    dice: Dice,
}

impl Client {
    /// Plays both sides until the service is gone; each request has a key of its own.
    fn play(&mut self, club: &Club) -> Option<()> {
        let rules = Rules::named("ichess").expect("rules");
        loop {
            if self.open.is_none() {
                let get = club.server.get(&format!("{API}/{}", self.id)).bearer_auth(&club.tokens["Arthur"]);
                let game: Value = serde_json::from_slice(&get.send().ok()?.bytes().ok()?).ok()?;
                let seen: Vec<&str> =
                    game["plies"].as_array()?.iter().filter_map(|ply| ply["coord"].as_str()).collect();
                assert_eq!(seen, self.made, "what was acknowledged is what is there");
                let actor = game["to_act"].get(0)?;
                let position = Position::from_fen(&rules, game["fen"].as_str()?).expect("a position");
                let plies = position.plies();
                let ply = position.write(&plies[self.dice.below(plies.len())], Style::Coord).expect("a form");
                let head = game["head"].as_str()?.to_owned();
                self.open = Some((self.made.len(), person(actor), ply, head));
            }
            let (number, person, ply, head) = self.open.clone()?;
            let request =
                club.server.post(&format!("{API}/{}/plies", self.id), json!({"ply": ply}).to_string());
            let request = request
                .bearer_auth(&club.tokens[person])
                .header("if-match", format!("\"{head}\""))
                .header("idempotency-key", format!("{}-{number}", self.id));
            let reply = request.send().ok()?;
            let status = reply.status().as_u16();
            let reply: Value = serde_json::from_slice(&reply.bytes().ok()?).ok()?;
            assert_eq!(status, 201, "{reply}");
            assert_eq!(reply["ply"]["coord"], ply, "{reply}");
            self.made.push(ply);
            self.open = None;
        }
    }
}

/// Killed at any moment, the service loses no ply that it acknowledged, and a request sent again has one effect.
#[test]
fn no_acknowledged_ply_is_lost_when_the_process_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let mut club = Club::new(&db);
    let mut clients: Vec<Client> = (0..4)
        .map(|number| Client {
            id: club.begin(json!({"variant": "ichess", "players": players(), "clock": "days-per-move"})),
            made: Vec::new(),
            open: None,
            dice: Dice(number),
        })
        .collect();
    let mut with_play = 0;
    for round in 0..crate::crash::rounds(5) {
        let before: usize = clients.iter().map(|client| client.made.len()).sum();
        std::thread::scope(|scope| {
            let club = &club;
            let threads: Vec<_> =
                clients.iter_mut().map(|client| scope.spawn(move || client.play(club))).collect();
            std::thread::sleep(std::time::Duration::from_millis(150 + 37 * (round as u64 % 23)));
            club.server.signal("KILL");
            for thread in threads {
                let _ = thread.join().expect("what it saw was right");
            }
        });
        let tokens = club.tokens.clone();
        drop(club);
        let archive = Archive::open(&db).expect("the archive opens");
        let mut findings = Vec::new();
        archive
            .verify(None, &mut |finding| findings.push(finding.message), &mut |_| ())
            .expect("it can be read");
        assert_eq!(findings, [""; 0]);
        drop(archive);
        let after: usize = clients.iter().map(|client| client.made.len()).sum();
        // On a busy machine the service may have been killed before it answered.
        with_play += usize::from(after > before);
        club = Club { server: Server::over(&db, &[]), tokens };
    }
    assert!(with_play > 0, "there was play");
}

#[test]
fn claims_end_a_game_or_cost_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({
        "variant": "chess", "players": players(), "clock": "iccf-days", "policy": "iccf-days"
    }));
    let round = [("Ann", "Nf3"), ("Ben", "Nf6"), ("Ann", "Ng1"), ("Ben", "Ng8")];
    for (person, ply) in round.into_iter().chain(round).take(7) {
        let reply = club.act(person, &id, "plies", json!({"ply": ply}));
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
    let claim = |kind: &str, intended: Value| {
        club.act("Ben", &id, "claims", json!({"kind": kind, "intended": intended}))
    };
    claim("peace", Value::Null).problem(422, "wrong-shape");
    claim("threefold_repetition", json!("Ke5")).problem(422, "illegal-ply");
    let reply = claim("time_win", Value::Null).json();
    assert_eq!((&reply["upheld"], &reply["status"]), (&json!(false), &json!("running")), "{reply}");
    assert_eq!(reply["clocks"]["black"]["left"], "45 days", "{reply}");
    let events = club.get("Ann", &format!("/{id}/events?after=9")).json();
    assert_eq!(
        (&events["items"][0]["claim"], &events["items"][1]["kind"]),
        (&json!("time_win"), &json!("taken"))
    );
    let reply = claim("threefold_repetition", json!("Ng8")).json();
    let end = json!({"result": "1/2-1/2", "cause": "threefold_repetition", "by": "black"});
    assert_eq!((&reply["upheld"], &reply["end"]), (&json!(true), &end));
    check_entry(&club, &reply);
}

/// Answers to what the opponent may do are seen by their owner alone, until they are given.
#[test]
fn conditional_plies_are_hidden_until_they_are_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "iago-b", "players": players(), "visibility": "public"}));
    let tree = json!({"tree": [{"if": "e4", "then": "e5", "next": [{"if": "Nf3/M", "then": "Nc6"}]}]});
    let before = club.get("Ann", &format!("/{id}")).json();
    let reply = club.act("Ben", &id, "conditional", tree);
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.json()["tree"][0]["next"][0]["if"], "g1f3m", "{}", reply.text());
    assert_eq!(reply.json()["head"], before["head"]);
    for person in ["Ann", "Arthur", "Rita"] {
        let seen = club.get(person, &format!("/{id}")).json();
        assert_eq!((&seen["conditional"], &seen["head"]), (&Value::Null, &before["head"]));
    }
    assert_eq!(club.get("Ben", &format!("/{id}")).json()["conditional"][0]["then"], "e7e5");
    let wrong = json!({"tree": [{"if": "e4", "then": "e4"}]});
    club.act("Ben", &id, "conditional", wrong).problem(422, "bad-option");
    club.act("Cleo", &id, "conditional", json!({"tree": []})).problem(403, "not-a-player");
    let made = club.act("Ann", &id, "plies", json!({"ply": "e4"})).json();
    assert_eq!(made["plies"][1]["coord"], "e7e5", "{made}");
    assert_eq!((&made["ply"]["coord"], &made["to_act"]), (&json!("e2e4"), &json!(["white"])));
    let made = club.act("Ann", &id, "plies", json!({"ply": "Nf3/M"})).json();
    assert_eq!(made["plies"].as_array().map(Vec::len), Some(4));
    assert_eq!(club.get("Ben", &format!("/{id}")).json()["conditional"], Value::Null);
}

/// Two players and the lot: every choice of Nature's follows from the seed, which is revealed at the end.
#[test]
fn the_lot_plays_nature() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({
        "variant": "chaos", "tags": {"NatureRules": "advanced"}, "players": players(), "nature_by_lot": true,
    }));
    let mut game = play_on(&club, &id, &mut Dice(5), 30);
    if game["status"] == "running" {
        game = club.act("Ann", &id, "resign", json!({})).json();
    }
    let natures = game["plies"].as_array().expect("plies").iter().filter(|ply| ply["by"] == "nature").count();
    assert!(natures > 1, "{game}");
    let events = club.get("Ben", &format!("/{id}/events")).json();
    let last = events["items"].as_array().and_then(|items| items.last()).cloned().expect("an event");
    assert_eq!(last["kind"], "seed-revealed", "{last}");
    assert_eq!(last["seed"].as_str().map(str::len), Some(64));
    check_entry(&club, &game);
    check_bundle(&club, &game, folder.path());
    let both = json!({
        "variant": "chaos", "nature_by_lot": true, "players": {"white": "Ann", "black": "Ben", "nature": "Brown"},
    });
    club.post("Dora", "", &both, &[]).problem(422, "bad-terms");
    let none = json!({"variant": "chess", "nature_by_lot": true, "players": players()});
    club.post("Dora", "", &none, &[]).problem(422, "bad-terms");
}

#[test]
fn leave_stops_a_clock_as_far_as_the_policy_allows() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "ingols", "players": players(), "clock": "days-per-move"}));
    let before = club.get("Ann", &format!("/{id}")).json();
    assert!(before["clocks"]["running"]["deadline"].is_string(), "{before}");
    let away = club.act("Ann", &id, "leave", json!({"days": 30})).json();
    assert_eq!(away["clocks"]["running"]["deadline"], Value::Null, "{away}");
    club.act("Ann", &id, "leave", json!({"days": 1})).problem(422, "bad-option");
    let plain = club.begin(json!({"variant": "ingols", "players": players()}));
    club.act("Ann", &plain, "leave", json!({"days": 1})).problem(422, "bad-option");
}

/// The commands of the manual, in a shell of their own, with the output that it shows.
#[test]
fn the_manual_shows_a_whole_game() {
    let manual =
        std::fs::read_to_string(crate::common::root().join("formats/CORRESPONDENCE.md")).expect("a manual");
    let block = |mark: &str| {
        let rest = manual.split_once(mark).expect("a block").1;
        rest.split_once("```").expect("its end").0.to_owned()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its address").port();
    let program = Path::new(env!("CARGO_BIN_EXE_ferz")).parent().expect("a folder").display().to_string();
    let script = block("```sh\n").replace("8080", &port.to_string());
    let script = format!("set -e\nPATH={program}:$PATH\ntrap 'kill $!' EXIT\n{script}");
    let run = std::process::Command::new("bash").arg("-c").arg(script).current_dir(folder.path()).output();
    let run = run.expect("bash");
    let shown = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(shown.ends_with(&block("```text\n")), "{shown}\n{}", String::from_utf8_lossy(&run.stderr));
}

/// An event from its list to its table: a director creates it, players play, everyone sees what they may see.
#[test]
fn an_event_is_created_played_and_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let ask = |person: &str, path: &str, accept: &str| {
        let request = club.server.get(&format!("/api/v1/tournaments/{path}")).header("accept", accept);
        answer(request.bearer_auth(&club.tokens[person]))
    };
    let create = |person: &str, body: &Value| {
        let request = club.server.post("/api/v1/tournaments", body.to_string());
        answer(request.bearer_auth(&club.tokens[person]).header("content-type", "application/json"))
    };
    let names: Vec<Value> = ["Ann", "Ben", "Cleo"].map(|name| json!({"name": name})).to_vec();
    let plan = json!({"name": "Club cup", "variant": "iago-b", "clock": "days-per-move", "players": names});
    create("Ann", &plan).problem(403, "missing-scope");
    let made = create("Dora", &plan);
    assert_eq!(made.status, 201, "{}", made.text());
    let games = made.json()["games"].as_array().expect("games").clone();
    assert_eq!(games.len(), 3);
    let again = create("Dora", &plan).json();
    assert!(again["games"].as_array().expect("games").iter().all(|game| game["id"].is_null()), "{again}");
    // The second game, of Ann and Cleo, is played.
    let game = games.iter().find(|game| game["white"] != "Ben" && game["black"] != "Ben").expect("a game");
    let id = game["id"].as_str().expect("an id");
    let terms = club.get("Dora", &format!("/{id}")).json()["terms"].clone();
    for player in ["Ann", "Cleo"] {
        assert_eq!(club.act(player, id, "accept", json!({"terms": terms})).status, 201);
    }
    let due = ask("Dora", "Club%20cup/due", "application/json").json();
    let running: Vec<&Value> =
        due["items"].as_array().expect("items").iter().filter(|item| item["status"] == "running").collect();
    assert_eq!((running.len(), &running[0]["to_act"]), (1, &json!([game["white"]])), "{due}");
    assert!(running[0]["deadline"].is_string() && running[0]["overdue"] == false, "{due}");
    assert_eq!(club.act(game["black"].as_str().expect("a name"), id, "resign", json!({})).status, 201);
    let table = ask("Dora", "Club%20cup/table", "application/json").json();
    assert_eq!(table["games"], json!([3, 1, 0]), "{table}");
    assert_eq!((&table["players"][0]["name"], &table["players"][0]["points"]), (&game["white"], &json!("1")));
    // Ben sees his own games and the one that is over, which is an entry now only for those who may read the archive.
    let own = ask("Ben", "Club%20cup/due", "application/json").json();
    assert_eq!(own["items"].as_array().map(Vec::len), Some(2), "{own}");
    let read = ask("Rita", "Club%20cup/table", "application/json").json();
    assert_eq!(read["games"], json!([1, 1, 0]), "{read}");
    let page = ask("Dora", "Club%20cup/table?tie_breaks=wins", "text/html").text();
    assert!(page.contains("<h1>Club cup</h1>"), "{page}");
    assert!(ask("Dora", "Club%20cup/table", "text/csv").text().starts_with("#,player,1,2,3,games,points"));
    ask("Dora", "Nothing/table", "*/*").problem(404, "game-not-found");
    ask("Dora", "Club%20cup/table?tie_breaks=elo", "*/*").problem(422, "bad-option");
    let stranger = json!({"name": "Cup", "variant": "chess", "players": names,
        "pairings": [{"round": 1, "white": "Ann", "black": "Eve"}]});
    create("Dora", &stranger).problem(422, "bad-terms");
    let many: Vec<Value> = (0..200).map(|number| json!({"name": number.to_string()})).collect();
    create("Dora", &json!({"name": "Cup", "variant": "chess", "players": many})).problem(422, "bad-terms");
}
