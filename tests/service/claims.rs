//! Claims judged over HTTP: the verdicts of the command line, and the page for people.

use crate::common::{fixture, root};
use crate::schema;
use crate::server::{Answer, Server, answer, ferz};
use serde_json::{Value, json};

/// A record, a claim and the keys of the verdict that matter.
fn cases() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("fixtures/claims")).expect("fixtures").flatten() {
        let name = entry.path().display().to_string();
        let text = std::fs::read_to_string(entry.path()).expect("a file");
        found.extend(text.lines().map(|line| (name.clone(), serde_json::from_str(line).expect("a case"))));
    }
    assert!(found.len() > 100, "{}", found.len());
    found
}

fn ask(server: &Server, body: &Value) -> Answer {
    asked(server, "", body)
}

fn asked(server: &Server, query: &str, body: &Value) -> Answer {
    let request = server.post(&format!("/api/v1/adjudications{query}"), body.to_string());
    answer(request.header("content-type", "application/json"))
}

/// A verdict without the time that it took.
fn timeless(text: &str) -> String {
    let (before, after) = text.split_once("\"milliseconds\":").expect("the time");
    before.to_owned() + after.trim_start_matches(|digit: char| digit.is_ascii_digit())
}

/// What `ferz adjudicate` prints for a record and a claim.
fn printed(arguments: &[String], record: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, record).expect("written");
    let mut command = ferz();
    command.args(["adjudicate", "--format", "json"]).args(arguments).arg(path);
    String::from_utf8(command.output().expect("ferz starts").stdout).expect("text")
}

/// The options of the command for a claim in JSON.
fn options(claim: &Value) -> Vec<String> {
    let members = claim.as_object().expect("a claim").iter();
    let option = |(name, value): (&String, &Value)| {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match (name.as_str(), value) {
            ("kind", _) => vec!["--claim".to_owned(), text(value)],
            ("premises", Value::Array(all)) => {
                all.iter().flat_map(|premise| ["--premise".to_owned(), text(premise)]).collect()
            }
            _ => vec![format!("--{name}"), text(value)],
        }
    };
    members.flat_map(option).collect()
}

#[test]
fn verdicts_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let read = |name: &str| -> Value {
        let path = root().join("formats/schema").join(name);
        serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON")
    };
    let mut form = read("verdict.json");
    form["properties"]["certificate"]["anyOf"][0] = read("certificate.json");
    let mut certified = 0;
    for (index, (name, case)) in cases().into_iter().enumerate() {
        let policy = case["policy"].as_str().unwrap_or("plain");
        let told = ask(&server, &json!({"record": case["record"], "claim": case["claim"], "policy": policy}));
        assert_eq!(told.status, 200, "{name}: {case}: {}", told.text());
        let verdict = told.json();
        for key in ["verdict", "result", "plies"] {
            let expected = &case["expect"][key];
            assert!(expected.is_null() || *expected == verdict[key], "{name}: {case}: {verdict}");
        }
        assert_eq!(schema::fault(&form, &verdict), None, "{name}: {verdict}");
        certified += usize::from(verdict["certificate"].is_object());
        if index % 9 == 0 {
            let record = case["record"].as_str().expect("a record");
            let by_policy = ["--policy".to_owned(), policy.to_owned()];
            let printed = printed(&[&options(&case["claim"])[..], &by_policy].concat(), record);
            assert_eq!(timeless(&told.text()), timeless(&printed), "{name}: {case}");
        }
    }
    assert!(certified > 50, "{certified}");
}

#[test]
fn a_claim_about_an_archived_game_or_a_position() {
    let server = Server::start(&[]);
    let record = fixture("games/ichess-sample.pgn");
    let stored = answer(server.post("/api/v1/games", record.clone())).json();
    let id = stored["items"][0]["id"].as_str().expect("an id").to_owned();
    let claim = json!({"kind": "checkmate", "by": "white"});
    let archived = ask(&server, &json!({"id": &id[..8], "claim": claim}));
    let pasted = ask(&server, &json!({"record": record, "claim": claim}));
    assert_eq!(archived.json()["verdict"], "upheld", "{}", archived.text());
    assert_eq!(timeless(&archived.text()), timeless(&pasted.text()));

    let dead = json!({"kind": "dead_position"});
    let position = json!({"variant": "chess", "fen": "8/8/8/8/8/2k5/8/K7 w - - 0 1"});
    let verdict = ask(&server, &json!({"position": position, "claim": dead})).json();
    assert_eq!((&verdict["verdict"], &verdict["result"]), (&"upheld".into(), &"1/2-1/2".into()));
    // A tag chooses the reading of a ruling, so that nothing is ambiguous.
    let nature = json!({"variant": "chaos+chess", "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "tags": {"NatureRules": "basic"}});
    let verdict = ask(&server, &json!({"position": nature, "claim": {"kind": "stalemate"}})).json();
    assert_eq!(verdict["rules"]["name"], "chaos+chess", "{verdict}");

    // A policy decides what follows; nothing counts moves where they are suspended.
    let false_claim = |policy: &str| {
        ask(&server, &json!({"record": "1. e4 e5 *", "claim": {"kind": "fifty_moves"}, "policy": policy}))
    };
    assert_eq!(false_claim("fide-rapid").json()["policy"]["name"], "fide-rapid");
    false_claim("nonsense").problem(422, "bad-option");
    let counted = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 99 60\"]\n\n1. Ra2 *";
    let fifty = |scope: &str| {
        ask(&server, &json!({"record": counted, "claim": {"kind": "fifty_moves"}, "fifty": scope})).json()
    };
    assert_eq!(fifty("applied")["verdict"], "upheld");
    assert_eq!(fifty("suspended")["verdict"], "rejected");

    // The second game of a text; records in JSON.
    let two = "1. e4 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let mate = |game: u64| json!({"record": two, "game": game, "claim": {"kind": "checkmate"}});
    assert_eq!(ask(&server, &mate(1)).json()["verdict"], "rejected");
    assert_eq!(ask(&server, &mate(2)).json()["verdict"], "upheld");
    ask(&server, &mate(3)).problem(422, "bad-option");
    let options = "?style=coord&variant=iago-b";
    let body = json!({"record": "1. e2e4 e7e5 2. g1f3m *", "claim": {"kind": "illegal_ply", "ply": 3}});
    assert_eq!(asked(&server, options, &body).json()["verdict"], "rejected");
}

#[test]
fn a_search_has_a_budget() {
    let server = Server::start(&[]);
    // Bishops behind locked pawns: no short line wins, and nothing excludes one.
    let position = json!({"variant": "chess", "fen": "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/2B1K3 w - - 0 1"});
    let body = |budget: Value| json!({"position": position, "claim": {"kind": "cannot_win", "by": "black"}, "budget": budget});
    let verdict = ask(&server, &body(json!({"nodes": 500}))).json();
    assert!(verdict["spent"]["nodes"].as_u64().is_some_and(|nodes| nodes <= 600), "{verdict}");
    let start = std::time::Instant::now();
    let verdict = ask(&server, &body(json!({"nodes": 10_000_000, "milliseconds": 100})));
    assert_eq!(verdict.status, 200, "{}", verdict.text());
    assert!(start.elapsed() < std::time::Duration::from_secs(8), "{:?}", start.elapsed());
    for budget in
        [json!({"nodes": 2_000_000_000}), json!({"milliseconds": 0}), json!({"milliseconds": 601_000})]
    {
        ask(&server, &body(budget)).problem(422, "bad-option");
    }
}

/// A claim that no search decides soon: bishops behind locked pawns. Different nodes make different questions.
fn hard(nodes: u64) -> Value {
    let position = json!({"variant": "chess", "fen": "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/2B1K3 w - - 0 1"});
    json!({"position": position, "claim": {"kind": "forced_win", "by": "white"}, "budget": {"nodes": nodes}})
}

/// The address of the job of a question.
fn job(server: &Server, body: &Value) -> String {
    let told = ask(server, body);
    assert_eq!(told.status, 202, "{}", told.text());
    told.header("location").to_owned()
}

fn cancel(server: &Server, job: &str) -> Answer {
    let client = reqwest::blocking::Client::new();
    answer(client.delete(server.url(job)))
}

/// Asks until the job has this state.
fn until(server: &Server, job: &str, state: &str) -> Value {
    let start = std::time::Instant::now();
    loop {
        let told = answer(server.get(job));
        assert_eq!(told.status, 200, "{}", told.text());
        let progress = told.json();
        if progress["state"] == state {
            return progress;
        }
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "{progress}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_long_proof_is_a_job() {
    let server = Server::start(&[]);
    let mate = json!({"position": {"variant": "chess", "fen": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"},
        "claim": {"kind": "forced_mate", "by": "white", "within": 2}});
    let asynchronous = |body: &Value| {
        let request = server.post("/api/v1/adjudications", body.to_string());
        answer(request.header("content-type", "application/json").header("prefer", "wait=5, respond-async"))
    };
    let told = asynchronous(&mate);
    assert_eq!((told.status, told.header("preference-applied")), (202, "respond-async"), "{}", told.text());
    let job = told.header("location").to_owned();
    assert!(job.ends_with(told.json()["job"].as_str().expect("a name")), "{job}");
    let done = until(&server, &job, "done");
    let mut verdict = done["verdict"].clone();
    let mut direct = ask(&server, &mate).json();
    for verdict in [&mut verdict, &mut direct] {
        verdict["spent"]["milliseconds"] = Value::Null;
    }
    assert_eq!(verdict, direct);
    assert!(done["nodes"].as_u64() > Some(0) && done["problem"].is_null(), "{done}");
    // The same question is the same job, and another one is not.
    assert_eq!(asynchronous(&mate).header("location"), job);
    let mut other = mate.clone();
    other["claim"]["within"] = 1.into();
    let other = asynchronous(&other);
    assert_ne!(other.header("location"), job);
    assert_eq!(until(&server, other.header("location"), "done")["verdict"]["verdict"], "rejected");
    // What cannot be judged is told when the job is done, and what cannot be asked at once.
    let illegal = asynchronous(&json!({"record": "1. e4 *", "claim": {"kind": "illegal_ply", "ply": 9}}));
    let done = until(&server, illegal.header("location"), "done");
    assert!(done["verdict"].is_null() && done["problem"]["status"] == 422, "{done}");
    asynchronous(&json!({"claim": {"kind": "stalemate"}})).problem(422, "wrong-shape");
    answer(server.get("/api/v1/adjudications/0123")).problem(404, "not-found");
    cancel(&server, "/api/v1/adjudications/0123").problem(404, "not-found");
}

#[test]
fn jobs_show_their_progress_and_end_when_they_are_cancelled() {
    let server = Server::start(&[]);
    let (first, second) = (job(&server, &hard(900_000_000)), job(&server, &hard(900_000_001)));
    let nodes = |progress: &Value| progress["nodes"].as_u64().expect("a number");
    let running = until(&server, &first, "running");
    assert_eq!(answer(server.get(&second)).json()["state"], "queued");
    let start = std::time::Instant::now();
    while nodes(&answer(server.get(&first)).json()) <= nodes(&running) {
        assert!(start.elapsed() < std::time::Duration::from_secs(30), "{running}");
    }
    // A proof takes no judge's thread.
    assert_eq!(ask(&server, &json!({"record": "1. e4 *", "claim": {"kind": "stalemate"}})).status, 200);
    assert_eq!(cancel(&server, &first).status, 204);
    answer(server.get(&first)).problem(404, "not-found");
    until(&server, &second, "running");
    assert_eq!(cancel(&server, &second).status, 204);
    // The time of a job is its own limit.
    let mut short = hard(900_000_002);
    short["budget"]["milliseconds"] = 200.into();
    let done = until(&server, &job(&server, &short), "done");
    assert_eq!(done["verdict"]["verdict"], "undetermined", "{done}");
}

#[test]
fn a_full_queue_says_when_to_come_back() {
    let mut server = Server::start(&[]);
    let first = job(&server, &hard(900_000_000));
    until(&server, &first, "running");
    for number in 1..=16 {
        job(&server, &hard(900_000_000 + number));
    }
    let refused = ask(&server, &hard(900_000_017));
    refused.problem(503, "busy");
    let seconds: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((500..=601).contains(&seconds), "{seconds}");
    // A known question is none that waits.
    assert_eq!(job(&server, &hard(900_000_000)), first);
    cancel(&server, &first);
    let start = std::time::Instant::now();
    while ask(&server, &hard(900_000_017)).status != 202 {
        assert!(start.elapsed() < std::time::Duration::from_secs(30));
    }
    // A stop cancels them all.
    let start = std::time::Instant::now();
    server.signal("TERM");
    assert!(server.wait().success());
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_claim_that_cannot_be_judged_is_a_problem() {
    let server = Server::start(&[]);
    let game = "1. e4 e5 2. Ke3 *";
    let detail = |claim: Value, status: u16, kind: &str| {
        let problem = ask(&server, &json!({"record": game, "claim": claim})).problem(status, kind);
        problem["detail"].as_str().expect("a detail").to_owned()
    };
    let no_ply = detail(json!({"kind": "illegal_ply"}), 422, "bad-claim");
    assert_eq!(no_ply, "illegal_ply needs the number of the ply, counted from 1 (ply)");
    let beyond = detail(json!({"kind": "illegal_ply", "ply": 9}), 422, "bad-claim");
    assert!(beyond.contains("write a number from 1 to 3"), "{beyond}");
    assert!(detail(json!({"kind": "time_win"}), 422, "bad-claim").contains("add white or black"));
    let unknown = detail(json!({"kind": "threefold"}), 422, "wrong-shape");
    assert!(
        unknown.contains("`threefold` is no claim kind; write one of threefold_repetition "),
        "{unknown}"
    );
    detail(json!({"kind": "checkmate", "when": 3}), 422, "wrong-shape");
    detail(json!({}), 422, "wrong-shape");
    let spoiled = detail(json!({"kind": "threefold_repetition", "intended": "Qxx9"}), 422, "bad-claim");
    assert!(spoiled.contains("Qxx9"), "{spoiled}");

    let claim = json!({"kind": "checkmate"});
    let record = |text: &str| ask(&server, &json!({"record": text, "claim": claim}));
    record("").problem(422, "no-records");
    record("foo").problem(422, "no-records");
    let unknown = record("[Event \"x\"]\n[Variant \"nonsense\"]\n\n1. e4 *").problem(422, "not-replayed");
    assert_eq!((&unknown["line"], &unknown["column"]), (&2.into(), &1.into()), "{unknown}");
    let wrong =
        record("[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*").problem(422, "not-replayed");
    assert_eq!(wrong["line"], 2, "{wrong}");
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(25_001);
    record(&long).problem(422, "too-much-work");

    let by_id = |id: &str| ask(&server, &json!({"id": id, "claim": claim}));
    by_id("0123456789abcdef0123456789abcdef").problem(404, "game-not-found");
    by_id("0123").problem(404, "game-not-found");
    by_id("nonsense").problem(404, "game-not-found");
    for body in [
        json!({"claim": claim}),
        json!({"record": game, "id": "0123", "claim": claim}),
        json!({"record": game}),
        json!([]),
    ] {
        ask(&server, &body).problem(422, "wrong-shape");
    }
    asked(&server, "?variant=ches", &json!({"record": game, "claim": claim})).problem(422, "bad-option");
    asked(&server, "?style=san", &json!({"id": "0123", "claim": claim})).problem(422, "bad-option");
    let evil =
        json!({"variant": "chess", "fen": "8/8/8/8/8/2k5/8/K7 w - - 0 1", "tags": {"A\"]\n1. e4": "x"}});
    ask(&server, &json!({"position": evil, "claim": claim})).problem(422, "bad-option");
    answer(server.post("/api/v1/adjudications", "{")).problem(400, "malformed-json");
    let pgn = server.post("/api/v1/adjudications", game).header("content-type", "application/x-chess-pgn");
    answer(pgn).problem(415, "unsupported-media-type");
    answer(server.get("/api/v1/adjudications")).problem(405, "method-not-allowed");
}

const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// A page for a posted form.
fn page(server: &Server, fields: &[(&str, &str)]) -> Answer {
    let encoded = |text: &str| {
        let one = |byte: u8| match byte {
            b'a'..=b'z' | b'0'..=b'9' => (byte as char).to_string(),
            _ => format!("%{byte:02X}"),
        };
        text.bytes().map(one).collect::<String>()
    };
    let body: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let form = "application/x-www-form-urlencoded";
    answer(server.post("/adjudicate", body.join("&")).header("content-type", form).header("accept", HTML))
}

/// The hidden fields of the form that asks for files.
fn hidden(html: &str) -> Vec<(String, String)> {
    let fields = html.split("<input type=\"hidden\" name=\"").skip(1).map(|rest| {
        let (name, rest) = rest.split_once("\" value=\"").expect("a value");
        (name.to_owned(), rest.split('"').next().expect("its end").to_owned())
    });
    fields.collect()
}

#[test]
fn the_page_judges_a_claim_and_sends_its_evidence() {
    let server = Server::start(&[]);
    let form = answer(server.get("/adjudicate").header("accept", HTML));
    assert!(
        form.status == 200 && form.text().contains("<option value=\"threefold_repetition\""),
        "{}",
        form.text()
    );
    let record = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *";
    let fields = [("record", record), ("claim", "threefold_repetition"), ("intended", "Ng8")];
    let told = page(&server, &fields);
    assert_eq!(told.status, 200, "{}", told.text());
    let html = told.text();
    assert_eq!(html.matches("<script").count(), 1, "{html}");
    let api = json!({"record": record, "claim": {"kind": "threefold_repetition", "intended": "Ng8"}});
    let verdict = ask(&server, &api).json();
    for part in [
        "UPHELD: threefold repetition",
        "<a href=\"/rules/chess#FIDE_9.2\">FIDE 9.2</a>",
        "ferz check-certificate",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let sentence = verdict["explanation"].as_str().expect("words").split('(').next().expect("a start");
    assert!(html.contains(sentence.trim()), "{sentence}: {html}");

    // The certificate is accepted by the checker, for this record.
    let fields = hidden(&html);
    let with = |file| {
        let mut fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.push(("send", file));
        page(&server, &fields)
    };
    let certificate = with("certificate");
    assert_eq!(certificate.header("content-disposition"), "attachment; filename=\"certificate.json\"");
    assert_eq!(certificate.json(), verdict["certificate"]);
    let folder = tempfile::tempdir().expect("a folder");
    let [path, game] = ["certificate.json", "game.pgn"].map(|name| folder.path().join(name));
    std::fs::write(&path, &certificate.body).expect("written");
    std::fs::write(&game, record).expect("written");
    let checked =
        ferz().arg("check-certificate").arg(&path).arg("--record").arg(&game).output().expect("ferz");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    let paper = with("paper");
    assert!(paper.text().contains("Arbiter, date"), "{}", paper.text());

    // An archived game leads here, at its ply.
    let stored = answer(server.post("/api/v1/games", record)).json();
    let id = stored["items"][0]["id"].as_str().expect("an id");
    let shown = answer(server.get(&format!("/games/{id}?ply=4")).header("accept", HTML)).text();
    let link = format!("/adjudicate?id={id}&amp;ply=4");
    assert!(shown.contains(&link), "{shown}");
    let asked = answer(server.get(&link.replace("&amp;", "&")).header("accept", HTML)).text();
    assert!(
        asked.contains(&format!("name=\"id\" autocomplete=\"off\" spellcheck=\"false\" value=\"{id}\"")),
        "{asked}"
    );
    let by_id = page(&server, &[("id", id), ("claim", "checkmate"), ("record", "")]);
    assert!(by_id.text().contains("REJECTED: checkmate"), "{}", by_id.text());
}

/// An analysis is a plan over HTTP and on the page, as on the command line.
#[test]
fn an_analysis_is_tried_as_a_plan() {
    let server = Server::start(&[]);
    let saavedra = "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1";
    let line = "1. c7 Rd6+ 2. Kb5 Rd5+ 3. Kb4 Rd4+ 4. Kb3 Rd3+ 5. Kc2 Rd4 ";
    let body = |plan: &str| {
        let position = json!({"variant": "chess", "fen": saavedra});
        json!({"position": position, "claim": {"kind": "forced_win", "by": "white"}, "plan": plan})
    };
    let upheld = ask(&server, &body(&format!("{line} 6. c8=R Ra4 7. Kb3"))).json();
    assert_eq!((&upheld["verdict"], &upheld["strength"]), (&json!("upheld"), &json!("table")), "{upheld}");
    let certificate = json!({"certificate": upheld["certificate"]}).to_string();
    let checked = server.post("/api/v1/certificates", certificate).header("content-type", "application/json");
    let checked = answer(checked);
    assert_eq!(checked.json()["accepted"], json!(true), "{}", checked.text());
    let open = ask(&server, &body(&format!("{line} 6. c8=Q"))).json();
    assert_eq!(open["holes"][0]["why"], json!("after 6. c8=Q an endgame table shows no win"), "{open}");
    let record = format!("[FEN \"{saavedra}\"]\n\n*");
    let plan = format!("{line} 6. c8=Q");
    let fields = [("record", &*record), ("claim", "forced_win"), ("by", "white"), ("plan", &*plan)];
    let html = page(&server, &fields).text();
    assert!(html.contains("Holes of the analysis") && html.contains("6. c8=Q an endgame table"), "{html}");
    let other = json!({"record": "1. e4 *", "claim": {"kind": "stalemate"}, "plan": "1. e4"});
    assert_eq!(ask(&server, &other).status, 422);
}

#[test]
fn certificates_are_checked_as_on_the_command_line() {
    let server = Server::start(&[]);
    let record = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *";
    let api = json!({"record": record, "claim": {"kind": "threefold_repetition", "intended": "Ng8"}});
    let certificate = ask(&server, &api).json()["certificate"].clone();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("certificate.json");
    let check = |body: Value| {
        let request = server.post("/api/v1/certificates", body.to_string());
        answer(request.header("content-type", "application/json"))
    };
    let printed = |certificate: &Value| {
        std::fs::write(&path, certificate.to_string()).expect("written");
        let run = ferz().arg("check-certificate").arg(&path).output().expect("ferz");
        String::from_utf8(run.stdout).expect("text")
    };
    let told = check(json!({"certificate": certificate, "record": format!("{record}\n")})).json();
    assert_eq!(told["accepted"], true, "{told}");
    let shows: Vec<&str> =
        told["shows"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
    assert_eq!(format!("accepted: {}\n", shows.join("\n")), printed(&certificate));
    let elsewhere = check(json!({"certificate": certificate, "record": "1. e4 *"})).json();
    assert_eq!((&elsewhere["accepted"], &elsewhere["step"]), (&json!(false), &json!("record")));
    let mut wrong = certificate;
    wrong["verdict"] = json!("rejected");
    let told = check(json!({"certificate": wrong})).json();
    let (step, message) = (told["step"].as_str().expect("a step"), told["message"].as_str().expect("why"));
    assert_eq!(format!("refused at the step `{step}`: {message}\n"), printed(&wrong));
    check(json!({"record": record})).problem(422, "wrong-shape");
}

#[test]
fn a_faulty_form_comes_back_with_what_to_write() {
    let server = Server::start(&[]);
    let evil = "<script>alert(1)</script>";
    for (fields, part) in [
        (&[("record", "1. e4 *"), ("claim", "illegal_ply")][..], "needs the number of the ply"),
        (&[("record", "foo"), ("claim", "checkmate")], "No verdict"),
        (&[("id", "nonsense"), ("claim", "checkmate")], "No verdict"),
        (&[("record", "1. e4 *"), ("claim", evil)], "is no kind of claim"),
        (&[("record", "1. e4 *"), ("claim", "checkmate"), ("after", evil)], "is not a number"),
        (&[("record", evil), ("claim", "checkmate"), ("by", evil)], "is no player"),
    ] {
        let told = page(&server, fields);
        let html = told.text();
        assert!(matches!(told.status, 404 | 422), "{fields:?}: {html}");
        assert!(html.contains(part) && html.matches("<script").count() == 1, "{fields:?}: {html}");
        assert!(html.contains("<form class=\"card\""), "{html}");
    }
    // Without a claim the record is taken over from another page.
    let taken = page(&server, &[("record", "1. e4 e5 *"), ("game", "0"), ("after", "1")]);
    assert!(taken.status == 200 && taken.text().contains("1. e4 e5 *</textarea>"), "{}", taken.text());
    assert!(!taken.text().contains("No verdict"));
}

#[test]
fn the_page_judges_two_stories() {
    let server = Server::start(&[]);
    let (a, b) = ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *", "1. e4 e5 2. Nf3 d6 3. Bb5+ Nf6 *");
    let html = page(&server, &[("record", a), ("other", b)]).text();
    for part in [
        "A verdict can stand on A",
        "share 3 plies and part at ply 4: A has Nc6, B has d6",
        "B, after the parting",
        "ply 6, Nf6 (1:28): not legal",
        "<svg",
        "<h2 id=\"position\">Where the records diverge</h2>",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    // Both records stay in the form, and the paper is made of the same fields.
    assert_eq!(html.matches(b).count(), 2, "{html}");
    let fields = hidden(&html);
    let mut sent: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    sent.push(("send", "paper"));
    let paper = page(&server, &sent);
    assert_eq!(paper.header("content-disposition"), "attachment; filename=\"verdict.html\"");
    assert!(paper.text().contains("Two stories of one game") && paper.text().contains("Arbiter, date"));

    // With a claim, the verdicts are those of the API.
    let claimed = [("record", a), ("other", b), ("claim", "time_win"), ("by", "white")];
    let html = page(&server, &claimed).text();
    assert!(html.contains("<dt>By A</dt>") && html.contains("<dt>By B</dt>"), "{html}");
    let api = json!({"a": a, "b": b, "claim": {"kind": "time_win", "by": "white"}});
    let judged =
        answer(server.post("/api/v1/stories", api.to_string()).header("content-type", "application/json"));
    let explanation =
        judged.json()["claims"][0]["verdict"]["explanation"].as_str().expect("words").to_owned();
    assert!(html.contains(&explanation), "{explanation}: {html}");

    for fields in [
        vec![("record", a), ("other", "[Variant \"ichess\"]\n\n*")],
        vec![("record", a), ("other", b), ("id", "0123")],
        vec![("record", a), ("other", b), ("send", "certificate")],
        vec![("record", a), ("other", b), ("number", "2")],
        vec![("record", a), ("other", b), ("policy", "x")],
    ] {
        let refused = page(&server, &fields);
        assert_eq!(refused.status, 422, "{fields:?}: {}", refused.text());
        assert!(refused.text().contains("No verdict"), "{fields:?}");
    }
}

#[test]
fn a_claim_states_an_instant() {
    let server = Server::start(&[]);
    let record = "[UTCDate \"2026.11.23\"]\n[UTCTime \"10:00:00\"]\n[TimeControl \"60+5\"]\n\n1. e4 {[%emt 0:00:20]} *";
    let at = |at: &str| json!({"record": record, "claim": {"kind": "time_win", "by": "white", "at": at}});
    let verdict = ask(&server, &at("2026-11-23T10:02:00Z")).json();
    assert_eq!((&verdict["verdict"], &verdict["strength"]), (&json!("upheld"), &json!("ruled")), "{verdict}");
    assert_eq!(ask(&server, &at("2026-11-23T10:00:40Z")).json()["verdict"], "rejected");
    ask(&server, &at("2026-11-23")).problem(422, "wrong-shape");
    ask(&server, &at("2026-11-23T10:00:10Z")).problem(422, "bad-claim");

    let fields = [("record", record), ("claim", "time_win"), ("by", "white")];
    let with = |at| page(&server, &[&fields[..], &[("at", at)]].concat());
    let html = with("2026-11-23T10:02:00Z").text();
    assert!(
        html.contains("UPHELD: time win") && html.contains("name=\"at\" value=\"2026-11-23T10:02:00Z\""),
        "{html}"
    );
    assert!(
        with("soon").text().contains("`soon` is no instant")
            || with("soon").text().contains("soon</code> is no instant")
    );
}

/// A question asked from an address of this machine.
fn ask_from(server: &Server, last: u8, method: reqwest::Method, path: &str, body: Option<&Value>) -> Answer {
    let address = std::net::IpAddr::from([127, 0, 0, last]);
    let client =
        reqwest::blocking::Client::builder().no_proxy().local_address(address).build().expect("a client");
    let mut request = client.request(method, server.url(path));
    if let Some(body) = body {
        request = request.header("content-type", "application/json").body(body.to_string());
    }
    answer(request)
}

/// Of two who ask, neither sees or cancels the other's job, nor keeps the other waiting by a full queue.
#[test]
fn a_job_belongs_to_its_asker() {
    const PATH: &str = "/api/v1/adjudications";
    let server = Server::start(&[]);
    let post =
        |last: u8, nodes: u64| ask_from(&server, last, reqwest::Method::POST, PATH, Some(&hard(nodes)));
    let first = post(2, 900_000_000).header("location").to_owned();
    let method = |last: u8, method: reqwest::Method| ask_from(&server, last, method, &first, None);
    method(3, reqwest::Method::GET).problem(404, "not-found");
    method(3, reqwest::Method::DELETE).problem(404, "not-found");
    assert_eq!(method(2, reqwest::Method::GET).status, 200);
    let others: Vec<String> =
        (1..=16).map(|number| post(2, 900_000_000 + number).header("location").to_owned()).collect();
    // The same question of another asker is another job, and has its place.
    let own = post(3, 900_000_000);
    assert_eq!(own.status, 202, "{}", own.text());
    assert_ne!(own.header("location"), first);
    let last = ask_from(&server, 2, reqwest::Method::GET, others.last().expect("jobs"), None).json();
    assert_eq!((&last["state"], &last["problem"]["status"]), (&json!("done"), &json!(503)), "{last}");
    assert_eq!(method(2, reqwest::Method::DELETE).status, 204);
}

#[test]
fn a_job_ends_with_its_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let server = Server::over(&db, &[]);
    let game = "[White \"Secret Person\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/2B1K3 w - - 0 1\"]\n\n1. Ke2 *\n";
    let stored = answer(server.post("/api/v1/games", game)).json();
    let id = stored["items"][0]["id"].as_str().expect("an id").to_owned();
    let claim =
        json!({"id": id, "claim": {"kind": "forced_win", "by": "white"}, "budget": {"nodes": 900_000_000}});
    let told = ask(&server, &claim);
    assert_eq!(told.status, 202, "{}", told.text());
    let job = told.header("location").to_owned();
    assert_eq!(answer(server.get(&job)).status, 200);
    let mut forget = ferz();
    forget.args(["archive", "forget", &id, "--because", "asked for", "--yes", "--db"]).arg(&db);
    assert!(forget.output().expect("it runs").status.success());
    answer(server.get(&job)).problem(410, "forgotten");
    answer(server.get(&job)).problem(404, "not-found");
}
