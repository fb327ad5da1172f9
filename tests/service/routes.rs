//! Addresses, methods, headers, and what is said where they do not fit.

use crate::server::{Server, answer};

#[test]
fn everything_wrong_is_told_as_a_problem() {
    let server = Server::start(&[]);
    let record = "1. e4 *";
    answer(server.get("/nowhere")).problem(404, "not-found");
    answer(server.get("/api/v1/nowhere")).problem(404, "not-found");
    answer(server.get("/problems/nonsense")).problem(404, "not-found");
    answer(server.post("/api/v1/validate?strict=perhaps", record)).problem(400, "bad-query");
    answer(server.post("/api/v1/validate?stile=san", record)).problem(400, "bad-query");
    answer(server.post("/api/v1/validate?strict=1&strict=1", record)).problem(400, "bad-query");
    answer(server.post("/api/v1/validate?style=nonsense", record)).problem(400, "bad-query");
    answer(server.post("/api/v1/validate?variant=nonsense", record)).problem(422, "bad-option");
    let image = server.post("/api/v1/validate", record).header("accept", "image/png");
    answer(image).problem(406, "not-acceptable");
    let image = answer(server.post("/api/v1/validate", record).header("content-type", "image/png"));
    image.problem(415, "unsupported-media-type");
    assert!(image.header("accept").contains("application/x-chess-pgn"));
    let packed = answer(server.post("/api/v1/validate", record).header("content-encoding", "br"));
    packed.problem(415, "unsupported-encoding");
    assert_eq!(packed.header("accept-encoding"), "gzip, zstd");
    let json =
        |text: &'static str| server.post("/api/v1/validate", text).header("content-type", "application/json");
    let problem = answer(json("{\n \"records\": nonsense}")).problem(400, "malformed-json");
    assert_eq!((&problem["line"], &problem["column"]), (&2.into(), &14.into()));
    answer(json("{}")).problem(422, "wrong-shape");
    let bzip2 = answer(server.post("/api/v1/validate", &b"BZh91AY&SY"[..]));
    assert_eq!(
        bzip2.problem(415, "unsupported-media-type")["detail"],
        "bzip2 is not supported; decompress it first: `bzip2 -dc FILE`"
    );
    answer(json("{\"records\":\"\",\"more\":1}")).problem(422, "wrong-shape");
}

#[test]
fn numbers_and_switches_need_values() {
    let server = Server::start(&[]);
    let id = "0123456789abcdef0123456789abcdef";
    for path in [
        "/api/v1/games?valid=".to_owned(),
        "/api/v1/games?limit=".to_owned(),
        format!("/api/v1/games/{id}?original="),
        format!("/api/v1/games/{id}/diagram?ply="),
        format!("/api/v1/games/{id}/diagram?flip="),
    ] {
        answer(server.get(&path)).problem(400, "bad-query");
    }
    answer(server.post("/api/v1/validate?strict=", "1. e4 *")).problem(400, "bad-query");
    // An empty text matches everything, and forms send fields that were not filled in.
    assert_eq!(answer(server.get("/api/v1/games?player=")).status, 200);
    assert_eq!(answer(server.get("/games?valid=&player=")).status, 200);
}

#[test]
fn a_problem_explains_itself() {
    let server = Server::start(&[]);
    let problem = answer(server.get("/nowhere")).problem(404, "not-found");
    let explained = answer(server.get(problem["type"].as_str().expect("a type")));
    assert_eq!(explained.status, 200);
    assert!(explained.text().contains(problem["remedy"].as_str().expect("a remedy")), "{}", explained.text());
}

#[test]
fn every_answer_has_an_identifier_and_is_safe_in_a_browser() {
    let server = Server::start(&[]);
    for path in ["/", "/healthz", "/nowhere"] {
        let told = answer(server.get(path));
        for header in ["x-content-type-options", "content-security-policy", "referrer-policy", "x-request-id"]
        {
            assert_ne!(told.header(header), "", "{path} {header}");
        }
        let named = answer(server.get(path).header("x-request-id", "a-7:b.c_d"));
        assert_eq!(named.header("x-request-id"), "a-7:b.c_d");
        for odd in ["two words", "<script>", &"x".repeat(65)] {
            let odd = answer(server.get(path).header("x-request-id", odd));
            assert!(odd.header("x-request-id").len() < 40, "{path}");
        }
    }
    let problem = answer(server.get("/nowhere").header("x-request-id", "mine")).problem(404, "not-found");
    assert_eq!(problem["request_id"], "mine");
}

#[test]
fn head_is_get_without_a_body() {
    let server = Server::start(&[]);
    let told = server.raw(b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert!(told.starts_with("HTTP/1.1 200 OK\r\n") && told.ends_with("\r\n\r\n"), "{told}");
    assert!(told.to_lowercase().contains("content-length: 3"), "{told}");
}

#[test]
fn methods_that_do_not_fit_are_told() {
    let server = Server::start(&[]);
    for (path, allowed) in [
        ("/api/v1/validate", "POST"),
        ("/api/v1/games", "GET, HEAD, POST"),
        ("/api/v1/games/0123456789abcdef0123456789abcdef", "GET, HEAD"),
        ("/healthz", "GET, HEAD"),
    ] {
        for method in ["DELETE", "PATCH", "OPTIONS", "TRACE"] {
            let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
            let told = answer(server.client.request(method, server.url(path)));
            told.problem(405, "method-not-allowed");
            assert_eq!(told.header("allow"), allowed, "{path}");
        }
    }
    answer(server.get("/api/v1/validate")).problem(405, "method-not-allowed");
}

#[test]
fn games_known_to_the_service_are_listed() {
    let server = Server::start(&[]);
    let list = answer(server.get("/api/v1/variants")).json();
    let names: Vec<&str> =
        list["items"].as_array().expect("items").iter().flat_map(|item| item["name"].as_str()).collect();
    assert!(names.contains(&"iago-b") && names.contains(&"misere"), "{names:?}");
    let lines = answer(server.get("/api/v1/variants").header("accept", "application/x-ndjson"));
    let printed =
        crate::server::ferz().args(["variants", "list", "--format", "ndjson"]).output().expect("a list");
    let values = |text: &str| {
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect::<Vec<serde_json::Value>>()
    };
    assert_eq!(values(&lines.text()), values(&String::from_utf8_lossy(&printed.stdout)));

    let variant = answer(server.get("/api/v1/variants/misere+iago-b")).json();
    assert_eq!(
        (&variant["name"], &variant["classification"]["class"]),
        (&"misere+iago-b".into(), &"V".into())
    );
    let shown = |arguments: &[&str]| {
        let output =
            crate::server::ferz().args(["variants", "show"]).args(arguments).output().expect("rules");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(shown(&["misere+iago-b"]).contains(variant["digest"].as_str().expect("a digest")));
    let prose =
        answer(server.get("/api/v1/variants/chaos+chess?nature_rules=king").header("accept", "text/plain"));
    assert_eq!(prose.text(), shown(&["chaos+chess", "--prose", "--tag", "NatureRules=king"]));
    assert_eq!(answer(server.get("/api/v1/variants/augmented")).json()["digest"], serde_json::Value::Null);
    answer(server.get("/api/v1/variants/nonsense")).problem(404, "unknown-variant");
    answer(server.get("/api/v1/variants/chaos+chess?nature_rules=nonsense")).problem(422, "bad-option");
}

#[test]
fn a_definition_is_one_that_can_be_used() {
    let server = Server::start(&[]);
    for name in ["chess", "iago-b", "ichess", "ingols", "capablanca"] {
        let toml =
            answer(server.get(&format!("/api/v1/variants/{name}")).header("accept", "application/toml"));
        assert_eq!(toml.header("content-type"), "application/toml");
        let registry = ferz::rules::Registry::with_files([toml.text().as_str()]).expect("a definition");
        let rules = registry.rules(name, &|_| None).expect("rules");
        let json = answer(server.get(&format!("/api/v1/variants/{name}"))).json();
        assert_eq!(json["digest"], rules.id().digest, "{name}");
    }
}

const MY_GAME: &str = "name = \"mine\"\ntitle = \"Mine\"\nextends = \"chess\"\n[ends]\nbare-king = true\n";

#[test]
fn a_request_may_bring_its_games() {
    let server = Server::start(&[]);
    let json = |path: &str, body: serde_json::Value| {
        answer(server.post(path, body.to_string()).header("content-type", "application/json"))
    };
    let record = "[Variant \"mine\"]\n[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/4R3/4K3 w - - 0 1\"]\n\n1. Rxe7+ Kd8 1-0\n";
    let asked = serde_json::json!({"records": record, "definitions": [MY_GAME]});
    let report = &json("/api/v1/validate", asked.clone()).json()[0];
    assert_eq!(
        (&report["verdict"], &report["end"]["reason"]),
        (&"legal".into(), &"bare_king".into()),
        "{report}"
    );
    assert_eq!(answer(server.post("/api/v1/validate", record)).json()[0]["verdict"], "not_judged");
    let converted = json("/api/v1/convert?to=lan", asked.clone()).json();
    assert!(
        converted["records"].as_str().is_some_and(|text| text.contains("1. Re2xe7+ Ke8-d8 1-0")),
        "{converted}"
    );
    // A game that is kept is judged by its rules later too.
    let kept = json("/api/v1/games", asked).json();
    let id = kept["items"][0]["id"].as_str().expect("an id").to_owned();
    let game = answer(server.get(&format!("/api/v1/games/{id}"))).json();
    assert_eq!(game["rules"]["digest"], report["rules"]["digest"], "{game}");
    let seen = json("/api/v1/position", serde_json::json!({"id": id})).json();
    assert_eq!(seen["end"]["reason"], "bare_king", "{seen}");
    for (definitions, fault) in [
        (vec!["name = \"mine\"\n[ends]\nbare-king = 7\n".to_owned()], "definition 1, line 3: "),
        (vec![MY_GAME.to_owned(); 9], "9 definitions; at most 8"),
        (vec!["#".repeat(70_000)], "definition 1 exceeds 65536 bytes"),
        // What is archived as chess is chess: names that the service knows keep their meaning.
        (vec![MY_GAME.to_owned(), MY_GAME.replace("mine", "makruk")], "definition 2 changes `makruk`"),
        (vec![MY_GAME.replace("mine", "atomic chess")], "definition 1 changes `atomic chess`"),
        (
            vec![MY_GAME.replace("[ends]", "aliases = [\"atomic chess\"]\n[ends]")],
            "definition 1 changes `atomic chess`",
        ),
        (
            vec!["mutator = \"misere\"\ntitle = \"Mine\"\n[patch.ends]\nbare-king = true\n".to_owned()],
            "definition 1 changes `misere`",
        ),
    ] {
        let wrong =
            json("/api/v1/validate", serde_json::json!({"records": record, "definitions": definitions}));
        let problem = wrong.problem(422, "bad-definition");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(fault)), "{problem}");
    }
}

/// A game of which no two armies may meet, among more than anyone can try.
fn game_without_armies() -> String {
    let choice = |betza: &str| format!("{{ betza = \"{betza}\", augmenters = [\"F\"] }}");
    let atoms = ["W", "F", "D", "N", "A", "H", "C", "Z"];
    let some = |set: usize| -> String {
        atoms.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, atom)| *atom).collect()
    };
    let list = (1..60).map(|set| choice(&some(set))).collect::<Vec<_>>().join(", ");
    let lists = ["N", "B", "Q"].map(|slot| format!("{slot} = [{list}]\n")).concat();
    format!(
        "name = \"mine\"\nextends = \"augmented\"\n[armies]\nslots = [\"R\", \"N\", \"B\", \"Q\"]\n\
         no-repeat = false\ndistinct = true\n[armies.choices]\nR = [{}]\n{lists}",
        choice("RF")
    )
}

#[test]
fn armies_are_not_tried_for_ever() {
    let server = Server::start(&[]);
    let definition = game_without_armies();
    let checked = answer(server.post("/api/v1/variants/check", definition.clone())).json();
    assert_eq!(checked["ok"], false, "{checked}");
    let asked = serde_json::json!({"records": "[Variant \"mine\"]\n\n1. e4 *", "definitions": [definition]});
    let told =
        answer(server.post("/api/v1/validate", asked.to_string()).header("content-type", "application/json"));
    let problem = told.problem(422, "bad-definition");
    assert!(problem["detail"].as_str().is_some_and(|told| told.contains("no two armies")), "{problem}");
}

#[test]
fn definitions_are_checked() {
    let server = Server::start(&[]);
    let check = |text: &str| answer(server.post("/api/v1/variants/check", text.to_owned())).json();
    let right = check(MY_GAME);
    assert_eq!((&right["ok"], &right["mistakes"]), (&true.into(), &serde_json::json!([])), "{right}");
    assert!(
        right["what"].as_str().is_some_and(|what| what.starts_with("mine, edition 2023, digest ")),
        "{right}"
    );
    let vain = check("name = \"mine\"\nextends = \"chess\"\n[gating]\nenabled = true\n");
    assert_eq!((&vain["ok"], &vain["in_vain"][0]["line"]), (&true.into(), &4.into()), "{vain}");
    let wrong = check("name = \"mine\"\nextends = \"ches\"\n[ends]\nbare-king = 7\n");
    assert_eq!(wrong["ok"], false, "{wrong}");
    assert!(
        wrong["mistakes"].as_array().is_some_and(|mistakes| mistakes.iter().any(|one| one["line"] == 4)),
        "{wrong}"
    );
    // Nothing stays.
    answer(server.get("/api/v1/variants/mine")).problem(404, "unknown-variant");
}

#[test]
fn what_is_done_is_counted() {
    let server = Server::start(&[]);
    answer(server.post("/api/v1/validate", "1. e4 e5 *\n\n1. d4 *"));
    answer(server.get("/nowhere"));
    let numbers = answer(server.get("/metrics")).text();
    for line in [
        "ferz_games_judged_total 2",
        "ferz_plies_judged_total 3",
        "ferz_http_requests_total{route=\"/api/v1/validate\",method=\"POST\",status=\"200\"} 1",
        "ferz_http_requests_total{route=\"none\",method=\"GET\",status=\"404\"} 1",
        "ferz_http_requests_open 1",
    ] {
        assert!(numbers.lines().any(|found| found == line), "{line}: {numbers}");
    }
    assert!(
        numbers.contains("ferz_http_request_seconds_bucket{route=\"/api/v1/validate\",le=\"0.01\"}"),
        "{numbers}"
    );
}

#[test]
fn the_description_has_every_route() {
    let server = Server::start(&[]);
    let told = answer(server.get("/openapi.json"));
    let kept = crate::common::root().join("formats/openapi.json");
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(&kept, &told.body).expect("written");
    }
    let kept = std::fs::read(&kept).expect("formats/openapi.json");
    assert!(
        kept == told.body,
        "formats/openapi.json is not what the service says; UPDATE_OPENAPI=1 writes it anew"
    );
    let document = told.json();
    assert_eq!(document["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    let mut ids = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            ids.push(operation["operationId"].as_str().expect("an id").to_owned());
            assert!(
                operation["summary"].is_string() && operation["responses"]["default"].is_object(),
                "{method} {path}"
            );
        }
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), ids.iter().all(|id| id.contains('_'))), (count, true), "{ids:?}");
    // What is referred to is there.
    let text = told.text();
    for part in text.split("\"#/components/schemas/").skip(1) {
        let name = part.split('"').next().expect("a name");
        assert!(document["components"]["schemas"][name].is_object(), "{name}");
    }
    let docs = answer(server.get("/docs/"));
    assert!(docs.status == 200 && docs.text().contains("swagger-ui"), "{}", docs.status);
    assert!(docs.header("content-security-policy").contains("script-src 'self'"));
    assert_eq!(answer(server.get("/docs/swagger-ui.css")).status, 200);
}

#[test]
fn a_bad_address_is_told_at_the_start() {
    let taken = Server::start(&[]);
    for (listen, said) in [
        (taken.address.to_string(), "cannot listen at"),
        ("nonsense".into(), "write HOST:PORT"),
        ("127.0.0.1".into(), "write HOST:PORT"),
    ] {
        let output = crate::server::ferz()
            .args(["serve", "--db"])
            .arg(&taken.db)
            .args(["--listen", &listen])
            .output()
            .expect("ferz starts");
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(said) && told.contains("--listen") | told.contains("HOST:PORT"), "{told}");
    }
}

#[test]
fn the_log_is_json_with_a_line_for_each_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = std::fs::File::create(folder.path().join("log")).expect("a file");
    let mut server = Server::logging(&folder.path().join("games.ferz"), log);
    answer(server.get("/healthz").header("x-request-id", "mine"));
    server.signal("TERM");
    server.wait();
    let log = std::fs::read_to_string(folder.path().join("log")).expect("the log");
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let line = lines.iter().find(|line| line["request_id"] == "mine").expect("the request");
    assert_eq!(
        (&line["method"], &line["path"], &line["status"]),
        (&"GET".into(), &"/healthz".into(), &200.into())
    );
    assert!(line["micros"].is_u64() && line["timestamp"].is_string() && line["level"] == "INFO", "{line}");
}
