//! What hostile clients do, a family a function. Each runs until the siege is over, with bounded sockets and rates.

use crate::bodies;
use crate::http::{ask, connect, request};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// A siege as its clients see it.
pub struct Siege {
    /// The service.
    pub service: SocketAddr,
    /// True once it is over.
    pub is_over: AtomicBool,
    /// Requests that hostile clients sent.
    pub sent: AtomicU64,
    /// What they send.
    pub requests: Requests,
}

/// Requests of the families that send them in turn. They are made before the siege begins: packing them would compete
/// with the service for the processors.
pub struct Requests {
    bombs: Vec<Vec<u8>>,
    one_line: Vec<Vec<u8>>,
    searches: Vec<Vec<u8>>,
    variations: Vec<Vec<u8>>,
    routes: Vec<Vec<u8>>,
}

impl Requests {
    /// Makes all of them.
    pub fn new() -> Requests {
        Requests { bombs: bomb_requests(), one_line: one_line_requests(), searches: search_requests(), variations: variation_requests(), routes: route_requests() }
    }
}

impl Siege {
    /// True until it is over.
    pub fn goes_on(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed)
    }

    fn count(&self) {
        self.sent.fetch_add(1, Ordering::Relaxed);
    }
}

/// A family of hostile clients.
pub type Family = fn(&Siege, Ipv4Addr);

/// All families, with their names.
pub const FAMILIES: [(&str, Family); 8] = [
    ("gzip bombs and small hostile bodies", bombs),
    ("records on one line", one_line),
    ("non-readers that pipeline", non_readers),
    ("slow senders", slow_senders),
    ("idle sockets", idle_sockets),
    ("hostile searches", searches),
    ("deep and many variations", variations),
    ("the worst bodies for every route", routes),
];

/// Sockets of one family and address: together more than the service takes.
const SOCKETS: usize = 100;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    // Into memory, which does not fail.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

/// Sends requests in turn, each over a connection of its own; every second one leaves before the answer.
fn in_turn(siege: &Siege, from: Ipv4Addr, requests: &[Vec<u8>]) {
    for (number, request) in requests.iter().cycle().enumerate() {
        if !siege.goes_on() {
            return;
        }
        siege.count();
        let Ok(mut stream) = connect(from, siege.service) else {
            sleep(Duration::from_millis(50));
            continue;
        };
        if number % 2 == 0 {
            // What comes back, if anything, is no concern of a hostile client's.
            let _ = ask(&mut stream, request);
        } else {
            let _ = stream.write_all(request);
            sleep(Duration::from_millis(100));
        }
    }
}

fn bombs(siege: &Siege, from: Ipv4Addr) {
    in_turn(siege, from, &siege.requests.bombs);
}

fn bomb_requests() -> Vec<Vec<u8>> {
    let packed = "content-encoding: gzip\r\n";
    let post = |path: &str, body: Vec<u8>| request("POST", path, packed, &gzip(&body));
    vec![
        post("/api/v1/validate", vec![b' '; 64 << 20]),
        post("/api/v1/convert?to=lan", b"1-0 ".repeat(1 << 20)),
        post("/api/v1/convert?to=lan", b"1. e4 e5 2. Ke2 Ke7 ".repeat(200_000)),
        post("/api/v1/games", b"1. e4 {".repeat(500_000)),
        request("POST", "/api/v1/convert?to=lan", "", &b"1-0 ".repeat(1_000)),
        request("POST", "/api/v1/validate", "", &b"(1. e4 ".repeat(580)),
    ]
}

fn one_line(siege: &Siege, from: Ipv4Addr) {
    in_turn(siege, from, &siege.requests.one_line);
}

fn one_line_requests() -> Vec<Vec<u8>> {
    let comments = format!("1. e4 {}e5 *", format!("(1. e5) {{{}}} ", "é".repeat(1_000)).repeat(2_000));
    vec![
        request("POST", "/api/v1/convert?to=lan", "", &b"1-0 ".repeat(250_000)),
        request("POST", "/api/v1/validate", "", comments.as_bytes()),
        request("POST", "/api/v1/convert?to=uci", "", "1. é4 ".repeat(100_000).as_bytes()),
        request("POST", "/api/v1/validate", "", "1. e4 ? e5 $999 ".repeat(50_000).as_bytes()),
    ]
}

fn searches(siege: &Siege, from: Ipv4Addr) {
    in_turn(siege, from, &siege.requests.searches);
}

fn search_requests() -> Vec<Vec<u8>> {
    let get = |query: String| request("GET", &format!("/api/v1/games?{query}"), "", b"");
    vec![
        get(format!("player={}", vec!["r"; 330].join("+"))),
        get(format!("player={}&event={}&limit=500", "a+".repeat(100), "e+".repeat(100))),
        get("moves=e2e4+e7e5+g1f3&limit=500".into()),
        get("player=%25_%25&site=%2A&limit=500".into()),
    ]
}

fn variations(siege: &Siege, from: Ipv4Addr) {
    in_turn(siege, from, &siege.requests.variations);
}

fn variation_requests() -> Vec<Vec<u8>> {
    let deep = format!("1. e4 {}{} *", "(1. d4 ".repeat(63), ")".repeat(63));
    let wide = format!("1. e4 {} *", "(1. d4 d5 2. c4 c6 3. Nc3) ".repeat(10_000));
    vec![
        request("POST", "/api/v1/validate", "", deep.as_bytes()),
        request("POST", "/api/v1/games", "", deep.as_bytes()),
        request("POST", "/api/v1/validate", "", wide.as_bytes()),
        request("POST", "/api/v1/convert?to=san", "", wide.as_bytes()),
    ]
}

fn routes(siege: &Siege, from: Ipv4Addr) {
    in_turn(siege, from, &siege.requests.routes);
}

/// Every body that is known to cost much, in every form in which a route takes it.
fn route_requests() -> Vec<Vec<u8>> {
    const JSON: &str = "content-type: application/json\r\n";
    let quoted = |text: &str| {
        let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
        format!("\"{text}\"")
    };
    let mut all = Vec::new();
    for (_, text) in bodies::records() {
        for path in ["validate", "convert?to=lan", "fix?all=true", "match", "bulletins?every=1", "games"] {
            all.push(request("POST", &format!("/api/v1/{path}"), "", text.as_bytes()));
        }
        let text = quoted(&text);
        for path in ["position", "moves", "claims"] {
            all.push(request("POST", &format!("/api/v1/{path}"), JSON, format!("{{\"record\":{text}}}").as_bytes()));
        }
        for path in ["compare", "stories"] {
            let body = format!("{{\"a\":{text},\"b\":{text}}}");
            all.push(request("POST", &format!("/api/v1/{path}"), JSON, body.as_bytes()));
        }
        let claim = format!("{{\"record\":{text},\"claim\":{{\"kind\":\"forced_win\",\"by\":\"white\"}}}}");
        all.push(request("POST", "/api/v1/adjudications", JSON, claim.as_bytes()));
        let job = format!("{JSON}prefer: respond-async, wait=600\r\n");
        all.push(request("POST", "/api/v1/adjudications", &job, claim.as_bytes()));
    }
    for (_, text) in bodies::definitions() {
        all.push(request("POST", "/api/v1/variants/check", "content-type: application/toml\r\n", text.as_bytes()));
        let body = format!("{{\"records\":\"1. e4 *\",\"definitions\":[{}]}}", quoted(&text));
        all.push(request("POST", "/api/v1/validate", JSON, body.as_bytes()));
    }
    for (_, encoding, body) in bodies::packed() {
        let headers = if encoding.is_empty() { JSON.to_owned() } else { format!("{JSON}content-encoding: {encoding}\r\n") };
        for path in ["validate", "compare", "stories", "position", "certificates", "adjudications", "games"] {
            all.push(request("POST", &format!("/api/v1/{path}"), &headers, &body));
        }
    }
    for (_, text) in bodies::objects() {
        for path in ["validate", "compare", "moves", "certificates", "adjudications", "decode"] {
            all.push(request("POST", &format!("/api/v1/{path}"), JSON, text.as_bytes()));
        }
    }
    let form = "content-type: application/x-www-form-urlencoded\r\n";
    all.push(request("POST", "/", form, &b"a=1&".repeat(2_000_000)));
    all
}

/// Keeps sockets open, each begun with some bytes, fed with others every half second, and never read.
fn sockets(siege: &Siege, from: Ipv4Addr, begin: &[u8], feed: &[u8]) {
    let mut open: Vec<TcpStream> = Vec::new();
    while siege.goes_on() {
        // The service closed some.
        open.retain_mut(|stream| match stream.write(feed) {
            Ok(_) => !matches!(stream.take_error(), Ok(Some(_)) | Err(_)),
            Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
        });
        // Not all at once, as a flood of packets would be another attack.
        for _ in open.len()..SOCKETS.min(open.len() + 10) {
            let Ok(mut stream) = connect(from, siege.service) else { break };
            siege.count();
            if stream.set_nonblocking(true).is_ok() {
                let _ = stream.write(begin);
                open.push(stream);
            }
        }
        sleep(Duration::from_millis(500));
    }
}

fn non_readers(siege: &Siege, from: Ipv4Addr) {
    let get = |path: &str| request("GET", path, "", b"");
    let paths = ["/openapi.json", "/docs/swagger-ui-bundle.js", "/rules", "/api/v1/games?limit=500", "/nowhere"];
    let ahead: Vec<u8> = paths.map(get).concat().repeat(100);
    sockets(siege, from, &ahead, &get("/openapi.json"));
}

fn slow_senders(siege: &Siege, from: Ipv4Addr) {
    let head = b"POST /api/v1/validate HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\n1. e4";
    sockets(siege, from, head, b" ");
}

fn idle_sockets(siege: &Siege, from: Ipv4Addr) {
    sockets(siege, from, b"", b"");
}
