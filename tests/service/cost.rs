//! What hostile requests cost, and where: no thread that serves connections works on what a request says, no request works
//! beyond the limit of its time, and memory comes back. Every route of the interface and every form of the pages has a row
//! here, so that a new one fails until it has.

#![cfg(target_os = "linux")]

use crate::hostile_bodies::{BYTES, definitions, objects, packed, records};
use crate::server::{Server, answer, brief};
use ferz::archive::{Archive, Scope, TokenRequest};
use ferz::rules::Registry;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::time::Duration;

/// Processor time that the threads of connections may spend on a request: reading it and writing its answer. The tests
/// build the program with few optimizations; what is kept from these threads takes a hundred times as long.
const CONNECTION_MAX: Duration = Duration::from_millis(15);

/// Time for judging a request here, so that the worst ones do not take ten seconds each.
const TIME_LIMIT: &str = "0.2";

/// Processor time of a whole request: the limit, and the work between two looks at it.
const REQUEST_MAX: Duration = Duration::from_millis(1500);

/// Memory that the service may keep after all of it.
const KEPT_MAX: u64 = 256 << 20;

/// Where a route takes what costs time.
enum Takes {
    /// Records as a body, or as `records` of an object.
    Records,
    /// A text in an object.
    Object(fn(&str) -> Value),
    /// A definition.
    Definition,
    /// Records as a field of a form.
    Form(&'static str),
    /// Nothing but its path and query: these addresses.
    Address(fn() -> Vec<String>),
    /// Short words or nothing, which cost nothing.
    Nothing,
}

use Takes::{Address, Definition, Form, Nothing, Object, Records};

fn claim(record: &str) -> Value {
    json!({"record": record, "claim": {"kind": "forced_win", "by": "white"}})
}

/// A certificate whose check replays the record, and text to look for it in.
fn certificate(record: &str) -> Value {
    let rules = Registry::built_in().rules("chess", &|_| None).expect("chess");
    let certificate = json!({
        "certificate": 1, "kind": "occurrences", "claim": {"kind": "fivefold_repetition", "by": null, "ply": 2_000},
        "verdict": "upheld", "result": null, "rules": rules.id(), "record": record, "fifty": "applied",
        "digest": &blake3::hash(record.as_bytes()).to_hex()[..32], "start": "", "plies": [],
        "evidence": {"occurrences": {"identity": "", "plies": []}}
    });
    json!({"certificate": certificate, "record": record})
}

const ROUTES: [(&str, &str, Takes); 66] = [
    ("POST", "/api/v1/validate", Records),
    ("POST", "/api/v1/convert?to=lan", Records),
    ("POST", "/api/v1/fix?all=true", Records),
    ("POST", "/api/v1/games", Records),
    ("POST", "/api/v1/match", Records),
    ("POST", "/api/v1/bulletins?every=1", Records),
    ("POST", "/api/v1/certificates", Object(certificate)),
    ("POST", "/api/v1/decode", Object(|text| json!({"record": text}))),
    ("POST", "/api/v1/compare", Object(|text| json!({"a": text, "b": text}))),
    ("POST", "/api/v1/stories", Object(|text| json!({"a": text, "b": text}))),
    ("POST", "/api/v1/position", Object(|text| json!({"record": text}))),
    ("POST", "/api/v1/moves", Object(|text| json!({"record": text}))),
    ("POST", "/api/v1/claims", Object(|text| json!({"record": text}))),
    ("POST", "/api/v1/adjudications", Object(claim)),
    ("POST", "/api/v1/games/{id}/withdrawal", Object(|text| json!({"because": text}))),
    ("POST", "/api/v1/games/{id}/reinstatement", Object(|text| json!({"because": text}))),
    ("POST", "/api/v1/variants/check", Definition),
    ("POST", "/add-checkpoint", Object(|text| json!(text))),
    ("GET", "/api/v1/variants/{name}", Address(variants)),
    ("GET", "/api/v1/variants/{name}/armies", Address(lists_of_armies)),
    ("GET", "/api/v1/games", Address(searches)),
    ("GET", "/api/v1/variants", Nothing),
    ("GET", "/api/v1/adjudications/{job}", Nothing),
    ("DELETE", "/api/v1/adjudications/{job}", Nothing),
    ("GET", "/api/v1/games/{id}", Nothing),
    ("GET", "/api/v1/games/{id}/bundle", Nothing),
    ("GET", "/api/v1/games/{id}/diagram", Nothing),
    // For these the service has tokens, and the request one of them.
    ("POST", "/api/v1/correspondence", Object(|text| json!({"record": text}))),
    ("GET", "/api/v1/correspondence", Nothing),
    ("GET", "/api/v1/correspondence/{id}", Nothing),
    ("GET", "/api/v1/correspondence/{id}/events", Nothing),
    ("GET", "/api/v1/correspondence/{id}/bundle", Nothing),
    ("POST", "/api/v1/correspondence/{id}/accept", Object(|text| json!({"terms": text}))),
    ("POST", "/api/v1/correspondence/{id}/plies", Object(|text| json!({"ply": text}))),
    ("POST", "/api/v1/correspondence/{id}/offers", Object(|text| json!({"kind": text}))),
    ("POST", "/api/v1/correspondence/{id}/claims", Object(|text| json!({"intended": text}))),
    ("POST", "/api/v1/correspondence/{id}/answers", Object(|text| json!({"because": text}))),
    ("POST", "/api/v1/correspondence/{id}/appeals", Object(|text| json!({"because": text}))),
    ("POST", "/api/v1/correspondence/{id}/keys", Object(|text| json!({"vkey": text}))),
    ("POST", "/api/v1/correspondence/{id}/commit", Object(|text| json!({"hash": text}))),
    ("POST", "/api/v1/correspondence/{id}/reveal", Object(|text| json!({"value": text}))),
    ("POST", "/api/v1/correspondence/{id}/leave", Object(|text| json!({"days": text}))),
    ("POST", "/api/v1/correspondence/{id}/time-out", Object(|text| json!(text))),
    (
        "POST",
        "/api/v1/correspondence/{id}/conditional",
        Object(|text| json!({"tree": [{"if": text, "then": text}]})),
    ),
    ("POST", "/api/v1/correspondence/{id}/takeback", Object(|text| json!({"to": text}))),
    ("POST", "/api/v1/correspondence/{id}/resign", Object(|text| json!(text))),
    ("POST", "/api/v1/correspondence/{id}/nature", Object(|text| json!({"ply": text}))),
    ("POST", "/api/v1/correspondence/{id}/rulings", Object(|text| json!({"because": text}))),
    ("GET", "/api/v1/events", Nothing),
    ("POST", "/api/v1/tournaments", Object(|text| json!({"name": text, "variant": "chess", "players": []}))),
    ("GET", "/api/v1/tournaments/{name}/table", Nothing),
    ("GET", "/api/v1/tournaments/{name}/due", Nothing),
    ("GET", "/healthz", Nothing),
    ("GET", "/readyz", Nothing),
    ("GET", "/metrics", Nothing),
    ("GET", "/log/checkpoint", Nothing),
    ("GET", "/log/key", Nothing),
    ("GET", "/log/tile/{tile}", Nothing),
    ("GET", "/openapi.json", Nothing),
    ("GET", "/problems/{name}", Nothing),
    ("POST", "/", Form("record")),
    ("POST", "/download", Form("packed")),
    ("POST", "/repair", Form("record")),
    ("POST", "/decode", Form("record")),
    ("POST", "/compare", Form("record")),
    ("POST", "/adjudicate", Form("record")),
];

/// Names with many mutators, arrays and armies: each is compiled.
fn variants() -> Vec<String> {
    let army =
        "/api/v1/variants/chaos+augmented?nature_rules=advanced&white_army=RfbN+NW+BffNsbN+RNA&black_army=";
    let armies = ["RfbN+fbNFW+BffNsbN+RNA", "RN+NW+BffNsbN+RNA", "RN+fbNFW+BN+RNA"];
    let mut all: Vec<String> = armies.iter().map(|own| format!("{army}{own}")).collect();
    let names = ["misere+bareking+chaos+iago-b", "misere+chess960+capablanca", "bareking+chaos+janggi"];
    all.extend(names.iter().map(|name| format!("/api/v1/variants/{name}")));
    all
}

/// All armies of a game, with mutators before it.
fn lists_of_armies() -> Vec<String> {
    vec!["/api/v1/variants/misere+bareking+chaos+augmented/armies?all=1".to_owned()]
}

/// Searches with many words and wide filters.
fn searches() -> Vec<String> {
    let words = "a%20".repeat(400);
    let patterns = format!("flip%20({}last)", "pattern%20*K*/*/*/*/*/*/*/*%20or%20".repeat(90));
    let deep = format!("{}check{}", "count%20>=%203%20(not%20".repeat(20), ")".repeat(20));
    vec![
        format!("/api/v1/games?player={words}"),
        "/api/v1/games?limit=500&moves=e4%20e5".to_owned(),
        format!("/api/v1/games?q={patterns}"),
        format!("/api/v1/games?q={deep}"),
        "/api/v1/games?limit=500&q=never%20Qd5%20and%20not%20_e4".to_owned(),
        "/api/v1/games?count=1&q=never%20Qd5%20and%20not%20_e4".to_owned(),
    ]
}

/// The processor time of each thread of the service so far, by its number, and whether it serves connections.
fn spent(server: &Server) -> HashMap<OsString, (Duration, bool)> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", server.pid())).expect("/proc");
    let time_of = |task: std::fs::DirEntry| {
        let read = |name: &str| std::fs::read_to_string(task.path().join(name)).unwrap_or_default();
        let nanos =
            read("schedstat").split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or_default();
        (task.file_name(), (Duration::from_nanos(nanos), !read("comm").starts_with("ferz-")))
    };
    tasks.flatten().map(time_of).collect()
}

/// What threads have spent since: those of connections, and all. A thread that has ended takes its time along, so the
/// sums of before and after say nothing.
fn spent_since(server: &Server, before: &HashMap<OsString, (Duration, bool)>) -> (Duration, Duration) {
    let mut times = (Duration::ZERO, Duration::ZERO);
    for (thread, (time, serves)) in spent(server) {
        let until_then = before.get(&thread).map_or(Duration::ZERO, |(time, _)| *time);
        let time = time.saturating_sub(until_then);
        if serves {
            times.0 += time;
        }
        times.1 += time;
    }
    times
}

/// A process's memory now, in bytes.
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("/proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

/// A request: what it is, and how it is sent.
struct Shot {
    what: String,
    path: String,
    method: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

fn shot(
    route: &(&'static str, &'static str, Takes),
    family: &str,
    kind: &'static str,
    body: Vec<u8>,
) -> Shot {
    let (method, path, _) = route;
    let headers = if kind.is_empty() { Vec::new() } else { vec![("content-type", kind.to_owned())] };
    let path = (*path).to_owned();
    Shot { what: format!("{method} {path}: {family}"), path, method, headers, body }
}

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

fn form(field: &str, text: &str) -> Vec<u8> {
    let mut body = reqwest::Url::parse("http://localhost/").expect("an address");
    body.query_pairs_mut().append_pair(field, text);
    body.query().unwrap_or_default().as_bytes().to_vec()
}

/// All requests for a route.
fn shots(route: &(&'static str, &'static str, Takes)) -> Vec<Shot> {
    let mut all = Vec::new();
    let with_packed = |all: &mut Vec<Shot>| {
        for (family, encoding, body) in packed() {
            let mut packed = shot(route, family, if family.contains("escapes") { JSON } else { "" }, body);
            packed
                .headers
                .extend((!encoding.is_empty()).then_some(("content-encoding", encoding.to_owned())));
            all.push(packed);
        }
    };
    match &route.2 {
        Records => {
            for (family, text) in records() {
                all.push(shot(route, family, "text/plain", text.into_bytes()));
            }
            for (family, text) in objects() {
                all.push(shot(route, family, JSON, text.into_bytes()));
            }
            for (family, text) in definitions() {
                let body = json!({"records": "1. e4 *", "definitions": [text]});
                all.push(shot(route, family, JSON, body.to_string().into_bytes()));
            }
            with_packed(&mut all);
        }
        Object(wrap) => {
            for (family, text) in records() {
                all.push(shot(route, family, JSON, wrap(&text).to_string().into_bytes()));
            }
            for (family, text) in definitions() {
                let mut body = wrap("1. e4 *");
                if let Some(body) = body.as_object_mut() {
                    body.insert("definitions".to_owned(), json!([text]));
                }
                all.push(shot(route, family, JSON, body.to_string().into_bytes()));
            }
            for (family, text) in objects() {
                all.push(shot(route, family, JSON, text.into_bytes()));
            }
            with_packed(&mut all);
        }
        Definition => {
            for (family, text) in definitions() {
                all.push(shot(route, family, "application/toml", text.into_bytes()));
            }
            with_packed(&mut all);
        }
        Form(field) => {
            for (family, text) in records() {
                all.push(shot(route, family, FORM, form(field, &text)));
            }
            all.push(shot(route, "many fields", FORM, b"a=1&".repeat(BYTES)));
            all.push(shot(route, "escapes", FORM, [&b"record="[..], &b"%41".repeat(4 * BYTES)].concat()));
        }
        Address(addresses) => {
            for address in addresses() {
                let mut address_shot = shot(route, &address, "", Vec::new());
                address_shot.path = address;
                all.push(address_shot);
            }
        }
        Nothing => {}
    }
    all
}

/// The routes of the interface, as it describes itself.
fn described(server: &Server) -> BTreeSet<(String, String)> {
    let document = answer(server.get("/openapi.json")).json();
    let paths = document["paths"].as_object().expect("paths");
    let methods = |(path, item): (&String, &Value)| {
        let path = path.clone();
        let methods: Vec<String> = item.as_object().expect("methods").keys().cloned().collect();
        methods.into_iter().map(move |method| (method.to_uppercase(), path.clone()))
    };
    paths.iter().flat_map(methods).collect()
}

/// Sends a request, and says what was too much of it.
fn measured(server: &Server, shot: &Shot) -> Option<String> {
    let before = spent(server);
    let method = shot.method.parse().expect("a method");
    let client = reqwest::blocking::Client::builder().no_proxy().timeout(Duration::from_secs(60));
    let mut request = client.build().expect("a client").request(method, server.url(&shot.path));
    for (name, value) in &shot.headers {
        request = request.header(*name, value);
    }
    let told = request.body(shot.body.clone()).send();
    let told = told.map(|told| told.status().as_u16()).map_err(|error| brief(&error.to_string()));
    let (on_connections, in_all) = spent_since(server, &before);
    let line = format!("{on_connections:>12?} {in_all:>12?} {told:?} {}", shot.what);
    if std::env::var_os("COSTS").is_some() {
        println!("{line}");
    }
    let is_fine =
        on_connections <= CONNECTION_MAX && in_all <= REQUEST_MAX && told.is_ok() && told != Ok(500);
    (!is_fine).then_some(line)
}

/// Sends requests, up to three times each: other work of the machine may make one look worse than it is, but not so
/// often. Then the service has given its memory back.
fn fire(server: &Server, shots: impl Iterator<Item = Shot>, prepare: impl Fn(&mut Shot)) {
    // Rules that are compiled once are no request's cost.
    let open = |request: reqwest::blocking::RequestBuilder| answer(request).text();
    open(server.post("/api/v1/validate", "[Variant \"auto\"]\n\n1. e4 *"));
    open(server.get("/openapi.json"));
    let before = memory(server);
    let mut findings = Vec::new();
    let mut count = 0;
    for mut shot in shots {
        let mut finding = None;
        for _ in 0..3 {
            prepare(&mut shot);
            finding = measured(server, &shot);
            if finding.is_none() {
                break;
            }
        }
        findings.extend(finding);
        count += 1;
    }
    let kept = memory(server).saturating_sub(before);
    assert!(findings.is_empty(), "{} of {count}:\n{}", findings.len(), findings.join("\n"));
    assert!(kept < KEPT_MAX, "{kept} bytes are kept after {count} requests");
}

/// Games in progress.
const PLAYED: &str = "/api/v1/correspondence";

/// True for the routes that need a person.
fn is_played((_, path, _): &&(&str, &str, Takes)) -> bool {
    [PLAYED, "/api/v1/tournaments"].iter().any(|own| path.starts_with(own))
}

#[test]
fn every_route_has_its_worst_requests() {
    let server = Server::start(&["--time-limit", TIME_LIMIT]);
    let listed: BTreeSet<(String, String)> = ROUTES
        .iter()
        .map(|(method, path, _)| {
            ((*method).to_owned(), path.split('?').next().unwrap_or_default().to_owned())
        })
        .collect();
    let missing: Vec<_> = described(&server).difference(&listed).cloned().collect();
    assert!(missing.is_empty(), "add a row to ROUTES for {missing:?}");
    // The certificate of these requests is one: its check gets as far as the record.
    let sent = server.post("/api/v1/certificates", certificate("1. e4 *").to_string());
    assert_eq!(answer(sent.header("content-type", JSON)).json()["step"], "plies");
    let open = ROUTES.iter().filter(|route| !is_played(route));
    fire(&server, open.flat_map(shots), |shot| {
        shot.path = shot.path.replace("{id}", "0123456789abcdef0123456789abcdef");
    });
    assert_eq!(answer(server.post("/api/v1/validate", "1. e4 *")).status, 200);
}

#[test]
fn players_send_their_worst_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let archive = Archive::open(&db).expect("an archive");
    let [ann, ben] = ["Ann", "Ben"].map(|name| {
        let scopes = vec![Scope::Play, Scope::Arbiter, Scope::Director];
        let request = TokenRequest { name: name.into(), holder: None, scopes, expires: None };
        archive.create_token(request).expect("a token").token
    });
    drop(archive);
    let server = Server::over(&db, &["--time-limit", TIME_LIMIT]);
    let asked = |token: &str, path: &str, body: Option<Value>| {
        let url = format!("{PLAYED}{path}");
        let head =
            answer(server.get(&url.replace("/accept", "")).bearer_auth(&ann)).header("etag").to_owned();
        let request = match body {
            Some(body) => server.post(&url, body.to_string()).header("if-match", head),
            None => server.get(&url),
        };
        answer(request.header("content-type", JSON).bearer_auth(token))
    };
    let players = json!({"white": "Ann", "black": "Ben"});
    let game = asked(&ann, "", Some(json!({"variant": "chess", "players": players}))).json();
    let id = format!("/{}", game["id"].as_str().expect("an id"));
    for token in [&ann, &ben] {
        let accepted = asked(token, &format!("{id}/accept"), Some(json!({"terms": game["state"]["terms"]})));
        assert_eq!(accepted.status, 201, "{}", accepted.text());
    }
    let played = ROUTES.iter().filter(is_played);
    fire(&server, played.flat_map(shots), |shot| {
        shot.path = shot.path.replace("/{id}", &id);
        shot.headers.retain(|(name, _)| !matches!(*name, "authorization" | "if-match"));
        let head = asked(&ann, &id, None).header("etag").to_owned();
        shot.headers.extend([("authorization", format!("Bearer {ann}")), ("if-match", head)]);
    });
    assert_eq!(asked(&ann, &id, None).json()["status"], "running");
}
