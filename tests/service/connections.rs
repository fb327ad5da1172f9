//! Connections: none of them shuts others out, whatever its client reads, sends, or leaves undone.

use crate::server::{Server, answer};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Less than the time after which a connection without a request is closed by itself. On a machine that does nothing
/// else it takes some milliseconds.
const SOON: Duration = Duration::from_secs(3);

/// A socket whose client sends many requests and reads no answer.
fn non_reader(server: &Server, path: &str, requests: usize) -> TcpStream {
    let mut stream = server.connect();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.set_nonblocking(true).expect("a setting");
    // The service stops taking requests when the answers are not read.
    let _ = stream.write(request.repeat(requests).as_bytes());
    stream
}

/// The time that `/healthz` takes over a new connection.
#[track_caller]
fn health(server: &Server) -> Duration {
    let start = Instant::now();
    let mut stream = server.connect();
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
    let request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    assert!(text.starts_with("HTTP/1.1 200 "), "{text}");
    start.elapsed()
}

/// True once the service has closed the connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a setting");
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() != ErrorKind::WouldBlock,
        }
    }
}

#[test]
fn unread_answers_shut_nobody_out() {
    let server = Server::start(&["--connections", "60"]);
    let mut readers = Vec::new();
    for _ in 0..3 {
        readers.extend((0..60).map(|_| non_reader(&server, "/openapi.json", 200)));
        std::thread::sleep(Duration::from_millis(200));
        let time = health(&server);
        assert!(time < SOON, "{time:?}");
    }
    drop(readers);
}

#[test]
fn idle_connections_make_room() {
    let server = Server::start(&["--connections", "100"]);
    let mut idle = vec![server.connect()];
    // Several threads take connections: the first one is the oldest only if it is taken before the others come.
    std::thread::sleep(Duration::from_millis(500));
    idle.extend((1..150).map(|_| server.connect()));
    let time = health(&server);
    assert!(time < SOON, "{time:?}");
    // The oldest ones made room; the latest are kept.
    let begun = Instant::now();
    while !is_closed(&mut idle[0]) {
        assert!(begun.elapsed() < SOON, "the oldest one is kept");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_closed(&mut idle[149]));
}

#[test]
fn one_address_has_so_many_connections() {
    let server = Server::start(&["--connections-per-address", "5"]);
    let mut idle: Vec<TcpStream> = Vec::new();
    for _ in 0..8 {
        idle.push(server.connect());
        // Each is accepted before the next one comes.
        std::thread::sleep(Duration::from_millis(50));
    }
    let closed: Vec<bool> = idle.iter_mut().map(is_closed).collect();
    assert_eq!(closed, [true, true, true, false, false, false, false, false]);
    assert_eq!(answer(server.get("/healthz")).status, 200);
    let other = Server::start(&["--connections-per-address", "0"]);
    let mut idle: Vec<TcpStream> = (0..200).map(|_| other.connect()).collect();
    assert!(health(&other) < SOON);
    assert!(!idle.iter_mut().any(is_closed));
}

#[test]
fn unread_answers_are_broken_off() {
    let server = Server::start(&[]);
    let mut stream = non_reader(&server, "/openapi.json", 2_000);
    let start = Instant::now();
    // A client that only sends sees the end of the connection when it sends.
    loop {
        std::thread::sleep(Duration::from_millis(500));
        match stream.write(b"\r\n") {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                // The system takes no more: what is left is the state of the socket.
                if stream.take_error().expect("a state").is_some() {
                    break;
                }
            }
            Err(_) => break,
        }
        assert!(start.elapsed() < Duration::from_secs(45), "the connection is kept");
    }
    assert!(start.elapsed() > Duration::from_secs(25), "{:?}", start.elapsed());
}

#[test]
fn a_stop_waits_for_no_reader_and_no_sender() {
    let mut server = Server::start(&[]);
    let readers: Vec<TcpStream> = (0..60).map(|_| non_reader(&server, "/openapi.json", 500)).collect();
    let senders: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = server.connect();
            let head = "POST /api/v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n";
            stream.write_all(head.as_bytes()).expect("sent");
            stream
        })
        .collect();
    health(&server);
    let start = Instant::now();
    server.signal("TERM");
    assert_eq!(server.wait().code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    drop((readers, senders));
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = Server::start(&[]);
    let count = 2_000;
    let mut stream = server.connect();
    let mut sender = stream.try_clone().expect("a handle");
    let requests = std::thread::spawn(move || {
        for number in 0..count {
            let last = if number + 1 == count { "Connection: close\r\n" } else { "" };
            let body = "1. e4 *";
            let request = format!(
                "POST /api/v1/validate HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: n{number}\r\n{last}\
                 Content-Length: {}\r\n\r\n{body}",
                body.len()
            );
            sender.write_all(request.as_bytes()).expect("sent");
        }
    });
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("the answers");
    requests.join().expect("all sent");
    let ids = text.lines().filter_map(|line| line.strip_prefix("x-request-id: n"));
    let ids: Vec<usize> = ids.map(|id| id.trim().parse().expect("a number")).collect();
    assert_eq!(ids, (0..count).collect::<Vec<_>>());
    assert_eq!(text.matches("\"game\":0").count(), count);
}

#[test]
fn pipelined_requests_are_refused_slowly() {
    let server = Server::start(&["--rate", "2"]);
    let mut stream = server.connect();
    let requests = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    stream.write_all(requests.as_bytes()).expect("sent");
    stream.set_read_timeout(Some(Duration::from_secs(2))).expect("a setting");
    let (mut bytes, mut part, start) = (Vec::new(), [0; 4_096], Instant::now());
    while start.elapsed() < Duration::from_secs(2) {
        let read = stream.read(&mut part).expect("an answer at least each second");
        bytes.extend_from_slice(&part[..read]);
    }
    let text = String::from_utf8_lossy(&bytes);
    let refused = text.matches("HTTP/1.1 429").count();
    assert!((1..=8).contains(&refused), "{refused} refusals in two seconds");
}

#[test]
fn pipelined_requests_take_little_memory() {
    let server = Server::start(&[]);
    let before = server.memory_peak();
    // Answers without a body are the cheapest to ask for.
    let request = "HEAD /x HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut streams: Vec<TcpStream> = (0..100).map(|_| server.connect()).collect();
    for stream in &mut streams {
        stream.set_nonblocking(true).expect("a setting");
    }
    let text = request.repeat(4_000);
    for _ in 0..20 {
        for stream in &mut streams {
            let _ = stream.write(text.as_bytes());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(health(&server) < Duration::from_secs(5));
    let more = server.memory_peak() - before;
    assert!(more < 64 << 20, "{more} bytes more");
}
