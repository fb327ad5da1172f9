//! Who may ask, and how often.

use crate::server::{Answer, Server, answer, ferz};
use ferz::archive::Archive;

const RECORD: &str = "1. e4 e5 *";

/// The answer to a list of games, asked with a header.
fn list(server: &Server, header: &str, value: &str) -> Answer {
    answer(server.get("/api/v1/games").header(header, value))
}

#[test]
fn the_first_token_closes_the_service() {
    let server = Server::start(&[]);
    assert_eq!(answer(server.get("/api/v1/games")).status, 200);
    let archive = Archive::open(&server.db).expect("the archive");
    let token = archive.add_token("ann").expect("a token");
    let told = answer(server.get("/api/v1/games"));
    told.problem(401, "unauthorized");
    assert!(told.header("www-authenticate").starts_with("Bearer"), "{}", told.header("www-authenticate"));
    answer(server.post("/api/v1/validate", RECORD)).problem(401, "unauthorized");
    answer(server.get("/")).problem(401, "unauthorized");
    answer(server.get("/metrics")).problem(401, "unauthorized");
    for path in ["/healthz", "/readyz", "/openapi.json", "/docs/", "/problems/unauthorized"] {
        assert_eq!(answer(server.get(path)).status, 200, "{path}");
    }
    assert_eq!(list(&server, "authorization", &format!("Bearer {token}")).status, 200);
    let page = answer(server.get("/").header("accept", "text/html"));
    assert_eq!((page.status, page.header("content-type")), (401, "text/html; charset=utf-8"));
    assert!(page.headers.contains_key("www-authenticate"), "a browser asks for the token");
    let basic = answer(server.get("/").basic_auth("anybody", Some(&token)));
    assert_eq!(basic.status, 200);
    for wrong in
        [format!("Bearer {token}0"), "Bearer ".into(), "Bearer ferz_".into(), format!("Digest {token}")]
    {
        list(&server, "authorization", &wrong).problem(401, "unauthorized");
    }
    let kept = answer(server.post("/api/v1/games", RECORD).bearer_auth(&token)).json();
    let path = format!("/api/v1/games/{}", kept["items"][0]["id"].as_str().expect("an id"));
    let game = answer(server.get(&path).bearer_auth(&token)).json();
    assert_eq!(game["arrivals"][0]["token"], "ann", "{game}");
    archive.revoke_token("ann").expect("revoked");
    list(&server, "authorization", &format!("Bearer {token}")).problem(401, "unauthorized");
}

#[test]
fn a_service_for_other_machines_needs_a_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let start = || ferz().args(["serve", "--listen", "0.0.0.0:0", "--log", "off", "--db"]).arg(&db).output();
    let output = start().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("ferz archive token add"), "{told}");
}

#[test]
fn pages_of_other_sites_are_refused() {
    let server = Server::start(&[]);
    let post = |origin: &str| answer(server.post("/api/v1/games", RECORD).header("origin", origin));
    post("https://elsewhere.example").problem(403, "foreign-origin");
    post("null").problem(403, "foreign-origin");
    assert_eq!(post(&server.url("")).status, 201);
    list(&server, "host", "elsewhere.example").problem(403, "foreign-host");
    let archive = Archive::open(&server.db).expect("the archive");
    let token = archive.add_token("proxy").expect("a token");
    let named = answer(server.get("/api/v1/games").header("host", "ferz.example").bearer_auth(token));
    assert_eq!(named.status, 200);
}

#[test]
fn who_asks_too_often_is_told_when_to_come_again() {
    let server = Server::start(&["--rate", "2"]);
    let told: Vec<Answer> = (0..40).map(|_| answer(server.get("/healthz"))).collect();
    let refused: Vec<&Answer> = told.iter().filter(|answer| answer.status == 429).collect();
    assert!((5..25).contains(&refused.len()), "{} of 40", refused.len());
    refused[0].problem(429, "too-many-requests");
    assert!(refused[0].header("retry-after").parse::<u64>().is_ok_and(|seconds| (1..5).contains(&seconds)));
    let open = Server::start(&[]);
    assert!((0..1000).all(|_| answer(open.get("/healthz")).status == 200));
}

#[test]
fn answer_and_log_name_the_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let log = std::fs::File::create(folder.path().join("log")).expect("a file");
    let mut server = Server::logging(&db, log);
    let token = Archive::open(&db).expect("the archive").add_token("ann").expect("a token");
    let list = |id: &str| server.get("/api/v1/games").header("x-request-id", id);
    assert_eq!(answer(list("hers").bearer_auth(&token)).header("ferz-token"), "ann");
    let refused = answer(list("anyone's").bearer_auth("ferz_00"));
    refused.problem(401, "unauthorized");
    assert_eq!(refused.header("ferz-token"), "");
    server.signal("TERM");
    server.wait();
    let log = std::fs::read_to_string(folder.path().join("log")).expect("the log");
    let lines = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let requests: Vec<_> = lines.filter(|line| line["path"] == "/api/v1/games").collect();
    assert_eq!(requests.len(), 2, "{log}");
    assert_eq!((&requests[0]["request_id"], &requests[0]["token"]), (&"hers".into(), &"ann".into()));
    assert!(requests[1]["token"].is_null(), "{}", requests[1]);
}

#[test]
fn two_tokens_are_none() {
    let server = Server::start(&[]);
    let token = Archive::open(&server.db).expect("the archive").add_token("ann").expect("a token");
    for (first, second) in [(&*token, "ferz_00"), ("ferz_00", &*token), (&*token, &*token)] {
        let request = server.get("/api/v1/games").bearer_auth(first).bearer_auth(second);
        let problem = answer(request).problem(401, "unauthorized");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("several")), "{problem}");
    }
}
