//! A service of a test's own, and ways to speak to it.

use reqwest::blocking::{Client, RequestBuilder, Response};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A running `ferz serve`, ended when it is dropped.
pub struct Server {
    process: Process,
    /// Where the archive of a service of [`Server::start`] lies.
    _folder: Option<TempDir>,
    pub db: PathBuf,
    pub address: SocketAddr,
    pub client: Client,
}

/// An answer that was read as a whole.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Vec<u8>,
}

/// The program.
pub fn ferz() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ferz"))
}

impl Server {
    /// Starts a service with a new archive at a free port of the loopback.
    pub fn start(arguments: &[&str]) -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        let db = folder.path().join("games.ferz");
        Server { _folder: Some(folder), ..Server::over(&db, arguments) }
    }

    /// Starts a service over an archive, at a free port of the loopback.
    pub fn over(db: &Path, arguments: &[&str]) -> Server {
        Server::at("127.0.0.1:0", db, arguments)
    }

    /// Starts a service over an archive, at an address. A request has more time here than in use, since tests run beside
    /// each other and the program is built with few optimizations.
    pub fn at(address: &str, db: &Path, arguments: &[&str]) -> Server {
        let mut command = ferz();
        command.args(["serve", "--listen", address, "--log", "off", "--db"]).arg(db).args(arguments);
        if !arguments.contains(&"--time-limit") {
            command.args(["--time-limit", "60"]);
        }
        Server::of(db, command)
    }

    /// Starts a service over an archive, with its log in a file.
    pub fn logging(db: &Path, log: std::fs::File) -> Server {
        let mut command = ferz();
        command.args(["serve", "--listen", "127.0.0.1:0", "--db"]).arg(db).stderr(log);
        Server::of(db, command)
    }

    /// Starts a service over an archive, whose files may have so many blocks of 1,024 bytes.
    pub fn limited(db: &Path, blocks: u32) -> Server {
        let mut command = Command::new("bash");
        let script = format!("ulimit -f {blocks} && exec \"$@\"");
        command.args(["-c", &script, "bash", env!("CARGO_BIN_EXE_ferz"), "serve", "--log", "off"]);
        command.args(["--listen", "127.0.0.1:0", "--db"]).arg(db);
        Server::of(db, command)
    }

    fn of(db: &Path, mut command: Command) -> Server {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("ferz starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on http://").expect("an address");
        let address = address.parse().expect("an address");
        // The client's encryption, which no test of the service needs; it fails where it was done before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client =
            Client::builder().no_proxy().timeout(Duration::from_secs(120)).build().expect("a client");
        Server { process: Process(child), _folder: None, db: db.to_owned(), address, client }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(self.url(path))
    }

    pub fn post(&self, path: &str, body: impl Into<reqwest::blocking::Body>) -> RequestBuilder {
        self.client.post(self.url(path)).body(body)
    }

    /// Sends bytes as they are, and reads what comes back until the connection is closed.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The service may refuse before everything is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a time limit");
        stream
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.process.0.id()
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.pid().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    }

    /// Ends the process at once, as a power failure would.
    pub fn kill(mut self) {
        self.process.0.kill().expect("it runs");
        self.process.0.wait().expect("it ends");
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> std::process::ExitStatus {
        self.process.0.wait().expect("the process ends")
    }

    /// The most memory that the process had, in bytes.
    pub fn memory_peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).expect("/proc");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
    }
}

/// Ended when it is dropped.
#[derive(Debug)]
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sends a request and reads the whole answer.
pub fn answer(request: RequestBuilder) -> Answer {
    read(request.send().expect("an answer"))
}

/// Reads a whole answer.
pub fn read(response: Response) -> Answer {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Answer { status, headers, body: response.bytes().expect("a whole answer").to_vec() }
}

/// The beginning of a text, for messages.
pub fn brief(text: &str) -> String {
    text.chars().take(500).collect()
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", brief(&self.text())))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// Fails unless it is a problem of this status and kind; gives its members.
    #[track_caller]
    pub fn problem(&self, status: u16, kind: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text());
        let problem = self.json();
        assert_eq!(problem["type"], format!("/problems/{kind}"), "{problem}");
        assert_eq!(problem["status"], status);
        for member in ["title", "detail", "remedy", "request_id"] {
            assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{member}: {problem}");
        }
        problem
    }
}
