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
    answer(server.post("/api/v1/validate?strict&strict", record)).problem(400, "bad-query");
    answer(server.post("/api/v1/validate?style=nonsense", record)).problem(422, "bad-option");
    answer(server.post("/api/v1/validate?variant=nonsense", record)).problem(422, "bad-option");
    let html = server.post("/api/v1/validate", record).header("accept", "text/html");
    answer(html).problem(406, "not-acceptable");
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
    answer(json("{\"records\":\"\",\"more\":1}")).problem(422, "wrong-shape");
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
fn a_bad_address_is_told_at_the_start() {
    let taken = Server::start(&[]);
    for (listen, said) in [
        (taken.address.to_string(), "cannot listen at"),
        ("nonsense".into(), "write HOST:PORT"),
        ("127.0.0.1".into(), "write HOST:PORT"),
    ] {
        let output =
            crate::server::ferz().args(["serve", "--listen", &listen]).output().expect("ferz starts");
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(said) && told.contains("--listen") | told.contains("HOST:PORT"), "{told}");
    }
}
