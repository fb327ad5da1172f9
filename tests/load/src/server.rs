//! The servers that are measured, each a process of its own.

use crate::sqlite::{Commits, Rows};
use actix_web::{App, HttpResponse, HttpServer, web};
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// Ticks a second of `/proc/PID/stat`; the same on every Linux that Rust runs on.
const TICKS: f64 = 100.0;

/// A running server, stopped when it goes.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    process: Child,
    _folder: Option<TempDir>,
}

impl Server {
    /// `ferz serve` on an archive of its own.
    pub fn ferz(program: &Path, workers: usize) -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(program);
        command.args(["serve", "--log", "off", "--listen", "127.0.0.1:0", "--workers", &workers.to_string()]);
        command.arg("--db").arg(folder.path().join("games.ferz"));
        Server::start(command, Some(folder))
    }

    /// This program as a server that sends bodies back.
    pub fn echo_process() -> Server {
        let mut command = Command::new(std::env::current_exe().expect("this program's file"));
        command.arg("echo");
        Server::start(command, None)
    }

    /// This program as a server that commits the rows of a game in bare SQLite before it sends its body back.
    pub fn committing_process(ferz: &Path, records: &Path) -> Server {
        let mut command = Command::new(std::env::current_exe().expect("this program's file"));
        command.arg("echo").arg(ferz).arg(records);
        Server::start(command, None)
    }

    fn start(mut command: Command, folder: Option<TempDir>) -> Server {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output"))
            .read_line(&mut line)
            .expect("its first line");
        let address = line.trim().rsplit("http://").next().and_then(|text| text.parse().ok());
        Server { address: address.unwrap_or_else(|| panic!("no address: {line}")), process, _folder: folder }
    }

    /// The time that processors spent on it.
    pub fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).expect("Linux");
        let after_name = stat.rsplit(')').next().expect("fields");
        let ticks: f64 =
            after_name.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok()).sum();
        Duration::from_secs_f64(ticks / TICKS)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A server of one worker that answers a body with the body; with the program and a file of games, each request commits
/// the rows of the next of them first.
pub fn echo(games: Option<(&Path, &Path)>) {
    let commits = games.map(|(ferz, records)| {
        // As long as the process lives.
        let rows = Box::leak(Box::new(Rows::of(ferz, records)));
        Mutex::new(Commits::new(ferz, rows))
    });
    let commits = web::Data::new(commits);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    println!("listening on http://{}", listener.local_addr().expect("its address"));
    let answer = async |body: web::Bytes, commits: web::Data<Option<Mutex<Commits<'static>>>>| {
        if let Some(commits) = &**commits {
            commits.lock().expect("one thread").next(1);
        }
        HttpResponse::Ok().body(body)
    };
    let route = move || App::new().app_data(commits.clone()).default_service(web::to(answer));
    let server = HttpServer::new(route).workers(1).listen(listener).expect("it listens").run();
    actix_web::rt::System::new().block_on(server).expect("it runs");
}
