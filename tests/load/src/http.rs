//! As much of an HTTP client as a measurement needs: one POST after the other over a connection that stays.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A connection that stays open.
pub struct Connection {
    stream: BufReader<TcpStream>,
    line: String,
    body: Vec<u8>,
}

impl Connection {
    /// Connects.
    pub fn open(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect(address).expect("the server takes connections");
        stream.set_nodelay(true).expect("no delay");
        Connection { stream: BufReader::new(stream), line: String::new(), body: Vec::new() }
    }

    /// Sends a body and reads the answer, which must be good.
    pub fn post(&mut self, path: &str, body: &[u8]) {
        let mut request = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-chess-pgn\r\n\
             content-length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.stream.get_mut().write_all(&request).expect("sent");
        let status = self.line().to_owned();
        assert!(status.starts_with("HTTP/1.1 2"), "{status}");
        let mut length = 0;
        loop {
            let line = self.line().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).expect("a body");
    }

    /// Sends bodies one after the other; how long it takes.
    pub fn post_each(&mut self, path: &str, bodies: &[&str]) -> Duration {
        let start = Instant::now();
        bodies.iter().for_each(|body| self.post(path, body.as_bytes()));
        start.elapsed()
    }

    fn line(&mut self) -> &str {
        self.line.clear();
        self.stream.read_line(&mut self.line).expect("a line");
        self.line.trim_end()
    }
}

/// Sends the same body many times over several connections.
pub fn load(address: SocketAddr, path: &str, body: &[u8], connections: usize, requests: usize) {
    std::thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(|| {
                let mut connection = Connection::open(address);
                for _ in 0..requests / connections {
                    connection.post(path, body);
                }
            });
        }
    });
}

/// Sends each body once, over several connections; how long it takes, connecting apart.
pub fn each_once(address: SocketAddr, path: &str, bodies: &[&str], connections: usize) -> Duration {
    let shares = bodies.chunks(bodies.len().div_ceil(connections));
    let open: Vec<_> = shares.map(|share| (Connection::open(address), share)).collect();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for (mut connection, share) in open {
            scope.spawn(move || connection.post_each(path, share));
        }
    });
    start.elapsed()
}
