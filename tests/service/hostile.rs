//! Bodies that nobody sends by mistake: each gets a typed answer, memory stays bounded, others are not harmed.

use crate::server::{Server, answer};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

const MIB: usize = 1 << 20;

/// A request for `/api/v1/validate` up to the end of its head.
fn head(headers: &str) -> String {
    format!("POST /api/v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n{headers}\r\n")
}

/// The name of the problem in a raw answer.
fn kind(answer: &str) -> Option<&str> {
    answer.split("\"type\":\"/problems/").nth(1)?.split('"').next()
}

#[test]
fn bombs_do_not_go_off() {
    let server = Server::start(&[]);
    let before = server.memory_peak();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![b' '; MIB];
    for _ in 0..200 {
        gzip.write_all(&zeros).expect("memory");
    }
    let gzip = gzip.finish().expect("memory");
    let zstd = zstd::encode_all(std::io::repeat(b' ').take(200 << 20), 19).expect("memory");
    for (encoding, bomb) in [("gzip", gzip), ("zstd", zstd)] {
        assert!(bomb.len() < MIB);
        let told = server.post("/api/v1/validate", bomb).header("content-encoding", encoding);
        answer(told).problem(413, "content-too-large");
    }
    let more = server.memory_peak() - before;
    assert!(more < 64 << 20, "{more} bytes more");
}

#[test]
fn large_bodies_are_refused() {
    let server = Server::start(&[]);
    let told = server.raw(head("Content-Length: 100000000\r\n").as_bytes());
    assert_eq!(kind(&told), Some("content-too-large"), "{told}");
    // Who never stops sending is cut off soon after the answer.
    let mut stream = server.connect();
    stream.write_all(head("Transfer-Encoding: chunked\r\n").as_bytes()).expect("sent");
    let chunk = [b"100000\r\n", &vec![b' '; MIB][..], b"\r\n"].concat();
    let start = Instant::now();
    while stream.write_all(&chunk).is_ok() {
        assert!(start.elapsed() < Duration::from_secs(60), "a body without end is taken");
    }
    let mut told = Vec::new();
    let _ = stream.read_to_end(&mut told);
    assert!(told.is_empty() || kind(&String::from_utf8_lossy(&told)) == Some("content-too-large"));
    assert!(server.memory_peak() < 200 << 20, "{}", server.memory_peak());
}

#[test]
fn unread_bodies_keep_no_connection() {
    let server = Server::start(&[]);
    for (path, status) in [("/nowhere", "404"), ("/api/v1/validate?strict=perhaps", "400")] {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        let told = server.raw((head + "5\r\n1. e4").as_bytes());
        assert!(told.starts_with(&format!("HTTP/1.1 {status} ")), "{told}");
    }
}

#[test]
fn slow_bodies_are_given_up_and_harm_nobody() {
    let server = Server::start(&[]);
    let start = Instant::now();
    let mut slow: Vec<_> = (0..200).map(|_| server.connect()).collect();
    for (index, stream) in slow.iter_mut().enumerate() {
        let length = head("Content-Length: 1000000\r\n");
        let chunked = head("Transfer-Encoding: chunked\r\n") + "5\r\n1. e4";
        let some = if index % 2 == 0 { length + "1. e4" } else { chunked };
        stream.write_all(some.as_bytes()).expect("sent");
    }
    for _ in 0..50 {
        assert_eq!(answer(server.post("/api/v1/validate", "1. e4 *")).status, 200);
    }
    for mut stream in slow {
        let mut told = String::new();
        stream.read_to_string(&mut told).expect("an answer");
        assert_eq!(kind(&told), Some("slow-body"), "{told}");
        assert!(told.starts_with("HTTP/1.1 408 "), "{told}");
    }
    assert!(start.elapsed() < Duration::from_secs(30), "they are given up together");
}

#[test]
fn a_trickle_is_no_body() {
    let server = Server::start(&[]);
    let mut stream = server.connect();
    stream.write_all(head("Content-Length: 1000000\r\n").as_bytes()).expect("sent");
    let mut other = stream.try_clone().expect("a handle");
    let drip = std::thread::spawn(move || {
        while other.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let mut told = String::new();
    let _ = stream.read_to_string(&mut told);
    assert_eq!(kind(&told), Some("slow-body"), "{told}");
    drop(stream);
    drip.join().expect("it ends");
}

#[test]
fn odd_bytes_get_a_report_or_a_problem() {
    let server = Server::start(&[]);
    let json = |body: Vec<u8>| {
        answer(server.post("/api/v1/validate", body).header("content-type", "application/json"))
    };
    json("[".repeat(100_000).into_bytes()).problem(400, "malformed-json");
    let deep = format!("{{\"records\":{}", "[".repeat(100_000));
    json(deep.into_bytes()).problem(400, "malformed-json");
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    // A list is one of records, and this one has none.
    for body in [deep.clone(), format!("{{\"records\":{deep}}}")] {
        let told = json(body.into_bytes());
        assert!(told.text().contains("\"code\":\"S044\""), "{}", told.text());
    }
    json(b"{\"records\":5}".to_vec()).problem(422, "wrong-shape");
    json(b"{\"records\":\"\xff\xfe\"}".to_vec()).problem(400, "malformed-json");
    json(b"{\"records\":\"\\ud800\"}".to_vec()).problem(400, "malformed-json");
    json(b"{\"records\":\"1. e4".to_vec()).problem(400, "malformed-json");
    json(Vec::new()).problem(400, "malformed-json");
    for body in [&b"1. e4 \xff\xfe \x00 e5 *"[..], b"\0\0\0", b"\xef\xbb\xbf1. e4 *", b"\xff", b"((((", b"{"]
    {
        let told = answer(server.post("/api/v1/validate", body.to_vec()));
        assert_eq!(told.status, 200, "{body:?}");
        assert!(told.json().is_array(), "{body:?}");
    }
    let nested = [b"1. e4 ", &b"(".repeat(MIB)[..]].concat();
    assert_eq!(answer(server.post("/api/v1/validate", nested)).status, 200);
}

#[test]
fn broken_http_is_refused() {
    let server = Server::start(&[]);
    for request in [
        "GET\r\n\r\n".to_owned(),
        "GET / HTTP/1.1\r\nbad header\r\n\r\n".to_owned(),
        head("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n",
        head("Content-Length: 5\r\nContent-Length: 6\r\n") + "1. e4 ",
        head("Content-Length: -5\r\n"),
        head("Transfer-Encoding: chunked\r\n") + "nonsense\r\n",
    ] {
        let told = server.raw(request.as_bytes());
        assert!(told.starts_with("HTTP/1.1 400 "), "{request:?}: {told}");
    }
    assert_eq!(answer(server.get("/healthz")).status, 200);
}

#[test]
fn more_work_than_anybody_needs_is_refused() {
    let server = Server::start(&[]);
    let variation = "(1. d4 d5 2. c4 c6 3. Nc3 Nf6 4. Nf3 e6 5. e3 a6 6. b3 b6 7. h3 h6) ";
    let analysis = format!("1. e4 {} *", variation.repeat(7_143));
    let problem = answer(server.post("/api/v1/validate", analysis)).problem(422, "too-much-work");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("100003 plies")), "{problem}");
    let many = "1. e4 *\n".repeat(20_001);
    let problem = answer(server.post("/api/v1/validate", many.clone())).problem(422, "too-many-games");
    assert!(problem["span"].is_array(), "{problem}");
    let lines = answer(server.post("/api/v1/validate", many).header("accept", "application/x-ndjson"));
    assert_eq!(lines.body.iter().filter(|byte| **byte == b'\n').count(), 20_001);
}

/// The body of a raw answer that was sent in chunks.
fn unchunked(answer: &str) -> String {
    let (_, mut rest) = answer.split_once("\r\n\r\n").expect("a head");
    let mut body = String::new();
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a size");
        body += &more[..size];
        rest = more[size..].strip_prefix("\r\n").expect("the end of a chunk");
    }
    body
}

#[test]
fn slow_readers_harm_nobody() {
    let server = Server::start(&[]);
    let games = "1. e4 *\n".repeat(10_000);
    let head = head(&format!("Accept: application/x-ndjson\r\nContent-Length: {}\r\n", games.len()));
    let mut readers: Vec<_> = (0..8).map(|_| server.connect()).collect();
    for stream in &mut readers {
        stream.write_all((head.clone() + &games).as_bytes()).expect("sent");
    }
    for _ in 0..50 {
        assert_eq!(answer(server.post("/api/v1/validate", "1. e4 *")).status, 200);
    }
    let mut told = String::new();
    let mut patient = readers.remove(0);
    patient.set_read_timeout(Some(Duration::from_secs(3))).expect("a time limit");
    // The connection is kept, so that the end is where nothing more comes.
    let _ = patient.read_to_string(&mut told);
    assert!(told.ends_with("\r\n0\r\n\r\n"), "{}", told.len());
    assert_eq!(unchunked(&told).matches("\"game\":").count(), 10_000);
    assert!(server.memory_peak() < 256 << 20, "{}", server.memory_peak());
}

#[test]
fn all_answers_that_are_not_read_have_a_limit() {
    let server = Server::start(&[]);
    let record = format!("1. e4 {{{}}} e5 *\n", "comment ".repeat(200_000));
    let kept = answer(server.post("/api/v1/games", record)).json();
    let id = kept["items"][0]["id"].as_str().expect("an id").to_owned();
    let games = "1. e4 *\n".repeat(4_000);
    let validate = head(&format!("Content-Length: {}\r\n", games.len())) + &games;
    let original = format!("GET /api/v1/games/{id}?original=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let bundle = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut readers = Vec::new();
    for _ in 0..60 {
        for request in [&original, &validate, bundle] {
            let mut stream = server.connect();
            // What the system keeps for a client is not the service's: several answers wait behind the first ones.
            stream.set_nonblocking(true).expect("a setting");
            let _ = stream.write(request.repeat(10).as_bytes());
            readers.push(stream);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(answer(server.post("/api/v1/validate", "1. e4 *")).status, 200);
    assert_eq!(answer(server.get("/healthz")).status, 200);
    std::thread::sleep(Duration::from_secs(2));
    assert!(server.memory_peak() < 400 << 20, "{}", server.memory_peak());
    drop(readers);
}

/// A record of 16 bytes a ply, each of which takes hundreds of times as long to explain as a legal one to judge; with
/// `let_stand=true`.
fn hard_work(plies: usize) -> String {
    format!("1. e4 e5 {}*", "Ke3 Ke6 Ke1 Ke8 ".repeat(plies / 4))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(bytes).expect("memory");
    gzip.finish().expect("memory")
}

#[test]
fn a_small_body_that_is_hard_work_gets_the_same_answer() {
    let server = Server::start(&[]);
    let small = hard_work(240);
    assert!(small.len() <= 4 << 10);
    let small = answer(server.post("/api/v1/validate?let_stand=true", small)).json();
    let large = " ".repeat(5_000) + &hard_work(240);
    let large = answer(server.post("/api/v1/validate?let_stand=true", large)).json();
    assert_eq!(small[0]["plies"], 242);
    for key in ["plies", "legal", "final_fen", "style"] {
        assert_eq!(small[0][key], large[0][key], "{key}");
    }
    let reasons = |report: &serde_json::Value| {
        let stood = report["let_stand"].as_array().expect("a list").iter();
        stood.map(|illegal| illegal["reason_id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(reasons(&small[0]), reasons(&large[0]));
    assert!(reasons(&small[0]).len() > 100);
    // Records before the hard one are not judged twice.
    let several = "1. e4 *\n\n1. d4 *\n\n".to_owned() + &hard_work(200) + "\n\n1. c4 *\n";
    let several = answer(server.post("/api/v1/validate?let_stand=true", several)).json();
    let plies: Vec<_> = several.as_array().expect("a list").iter().map(|report| &report["plies"]).collect();
    assert_eq!(plies, [1, 1, 202, 1]);
}

/// Small packed bodies whose unpacked records are all losses, on one line.
#[test]
fn packed_losses_on_one_line_harm_nobody() {
    let server = Server::start(&[]);
    let bomb = gzip("1-0 ".repeat(1 << 18).as_bytes());
    assert!(bomb.len() < 16 << 10);
    std::thread::scope(|scope| {
        let bombs: Vec<_> = (0..2)
            .map(|_| {
                let (server, bomb) = (&server, bomb.clone());
                let convert = "/api/v1/convert?to=lan";
                scope.spawn(move || answer(server.post(convert, bomb).header("content-encoding", "gzip")))
            })
            .collect();
        for _ in 0..5 {
            let other = "1. e4 *\n".repeat(1_000);
            assert_eq!(answer(server.post("/api/v1/validate", other)).status, 200);
        }
        for bomb in bombs {
            let found = bomb.join().expect("an answer");
            assert_eq!(found.status, 200);
            let found = found.json();
            let shown = ["losses", "errors"].map(|key| found[key].as_array().map_or(0, Vec::len));
            assert!(shown.iter().all(|shown| *shown <= 1_000), "{shown:?}");
            assert!(
                found["left_out"]["losses"].as_u64().is_some_and(|more| more > 100_000),
                "{}",
                found["left_out"]
            );
        }
    });
}

/// The threads that judge are free again when the clients have gone, whatever they asked for.
#[test]
fn clients_that_go_away_leave_no_work() {
    let server = Server::start(&[]);
    let work = hard_work(32_000);
    let head = format!(
        "POST /api/v1/validate?let_stand=true HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n",
        work.len()
    );
    for _ in 0..8 {
        let mut stream = server.connect();
        stream.write_all((head.clone() + &work).as_bytes()).expect("sent");
        std::thread::sleep(Duration::from_millis(50));
    }
    let start = Instant::now();
    let other = "1. e4 *\n".repeat(1_000);
    assert_eq!(answer(server.post("/api/v1/validate", other)).status, 200);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
