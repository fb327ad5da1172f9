//! The end of the service: no answer is cut.

use crate::server::{Server, answer};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[test]
fn a_signal_stops_it() {
    for signal in ["TERM", "INT", "HUP"] {
        let mut server = Server::start(&[]);
        assert_eq!(answer(server.get("/healthz")).status, 200);
        server.signal(signal);
        assert_eq!(server.wait().code(), Some(0), "{signal}");
        assert!(std::net::TcpStream::connect(server.address).is_err());
    }
}

/// Asks once over a connection of its own; nothing if the service did not take the connection or the request.
fn ask(address: std::net::SocketAddr, body: &str) -> Option<String> {
    let mut stream = std::net::TcpStream::connect(address).ok()?;
    let head = format!(
        "POST /api/v1/validate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body.as_bytes()).ok()?;
    let mut told = String::new();
    // A connection that waited in the queue of the socket when that was closed is reset before any answer.
    stream.read_to_string(&mut told).ok()?;
    Some(told)
}

#[test]
fn a_signal_under_load_cuts_no_answer() {
    let body = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n".repeat(500);
    for _ in 0..crate::crash::rounds(5) {
        let mut server = Server::start(&[]);
        let address = server.address;
        let whole = ask(address, &body).expect("an answer").len();
        let (over, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let clients: Vec<_> = (0..8)
            .map(|_| {
                let (over, answered, body) = (Arc::clone(&over), Arc::clone(&answered), body.clone());
                std::thread::spawn(move || {
                    while !over.load(Ordering::Relaxed) {
                        match ask(address, &body) {
                            // The date and the identifier have a fixed length, or nearly.
                            Some(told) if !told.is_empty() => {
                                assert!(told.starts_with("HTTP/1.1 200"), "{told}");
                                assert!(
                                    told.ends_with("]\n") || told.ends_with("0\r\n\r\n"),
                                    "{whole} {}",
                                    told.len()
                                );
                                answered.fetch_add(1, Ordering::Relaxed);
                            }
                            _ => return,
                        }
                    }
                })
            })
            .collect();
        while answered.load(Ordering::Relaxed) < 20 {
            std::thread::yield_now();
        }
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0));
        over.store(true, Ordering::Relaxed);
        for client in clients {
            client.join().expect("no answer was cut");
        }
    }
}

#[test]
fn a_slow_reader_gets_the_whole_answer() {
    let mut server = Server::start(&[]);
    let games = "1. e4 *\n".repeat(20_000);
    let request = server.post("/api/v1/validate", games).header("accept", "application/x-ndjson");
    let mut answer = request.send().expect("an answer");
    let mut told = vec![0; 1_000];
    answer.read_exact(&mut told).expect("its beginning");
    server.signal("TERM");
    while std::net::TcpStream::connect(server.address).is_ok() {
        std::thread::yield_now();
    }
    answer.read_to_end(&mut told).expect("its end");
    let end = String::from_utf8_lossy(&told[told.len().saturating_sub(400)..]).into_owned();
    assert_eq!(told.iter().filter(|byte| **byte == b'\n').count(), 20_000, "{end}");
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn an_answer_during_the_stop_says_that_the_connection_closes() {
    let mut server = Server::start(&[]);
    let mut stream = server.connect();
    let head = "POST /api/v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\n";
    stream.write_all((head.to_owned() + "1. e4").as_bytes()).expect("sent");
    std::thread::sleep(std::time::Duration::from_millis(300));
    server.signal("HUP");
    std::thread::sleep(std::time::Duration::from_millis(300));
    stream.write_all(b" *").expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    assert!(text.starts_with("HTTP/1.1 200 ") && text.ends_with("]\n"), "{text}");
    assert!(text.to_lowercase().contains("\r\nconnection: close\r\n"), "{text}");
    assert_eq!(server.wait().code(), Some(0));
}

/// Work that would go on for long is broken off soon after the signal, and its client is told why.
#[test]
fn a_signal_ends_hard_work() {
    let mut server = Server::start(&[]);
    let work = format!("1. e4 e5 {}*", "Ke3 Ke6 Ke1 Ke8 ".repeat(8_000));
    let head = format!(
        "POST /api/v1/validate?let_stand=true HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        work.len()
    );
    let mut clients: Vec<_> = (0..16).map(|_| server.connect()).collect();
    for stream in &mut clients {
        stream.write_all((head.clone() + &work).as_bytes()).expect("sent");
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let start = std::time::Instant::now();
    server.signal("TERM");
    // All read at once: a service that stops does not wait long for those who do not read.
    let reading = clients.into_iter().map(|mut stream| {
        std::thread::spawn(move || {
            let mut found = String::new();
            let _ = stream.read_to_string(&mut found);
            found
        })
    });
    let reading: Vec<_> = reading.collect();
    let answers: Vec<_> = reading.into_iter().map(|thread| thread.join().expect("no panic")).collect();
    assert_eq!(server.wait().code(), Some(0));
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    for found in answers {
        let whole = found.starts_with("HTTP/1.1 200 ") && found.ends_with("]\n");
        assert!(whole || found.is_empty() || found.contains("/problems/stopping"), "{found:.300}");
    }
}
