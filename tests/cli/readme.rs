//! The README and the manuals show real output: each `$ …` of their console blocks is run, and must print what stands
//! below it.
//!
//! All commands of a file run in one folder of their own, so that one may use what another has made. A command that ends
//! in `&` goes on while the rest runs: a service. It listens on a port that is free instead of the one that is shown.
//!
//! `UPDATE_README=1 cargo test --test cli readme` writes the present output into the files.
#![cfg(all(unix, feature = "cli", feature = "server", feature = "client"))]

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The address that the texts show.
const SHOWN: &str = "127.0.0.1:8080";

/// A folder with what the commands name, and what goes on behind them.
struct Desk {
    folder: tempfile::TempDir,
    address: String,
    services: Vec<Child>,
    /// The ids that the archive gave, each with the one that the text shows for it.
    ids: HashMap<String, String>,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["fixtures", "formats"] {
            let target = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            std::os::unix::fs::symlink(target, folder.path().join(name)).expect("a link");
        }
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = free.local_addr().expect("an address").to_string();
        Desk { folder, address, services: Vec::new(), ids: HashMap::new() }
    }

    fn shell(&self, line: &str) -> Command {
        let program = Path::new(env!("CARGO_BIN_EXE_ferz"));
        let programs = program.parent().expect("a program is in a folder").display();
        let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(line.replace(SHOWN, &self.address));
        shell.current_dir(self.folder.path()).env("PATH", path);
        shell
    }

    /// The output of a command line, both streams together as a terminal shows them.
    fn output(&mut self, line: &str) -> String {
        // The first command of the README builds the program; here it is built already.
        let line = match line.split_once(" -- ") {
            Some((build, rest)) if build.starts_with("cargo run") => format!("ferz {rest}"),
            _ => line.to_owned(),
        };
        let printed = match line.strip_suffix('&') {
            Some(service) => self.start(service),
            None => {
                let output = self.shell(&format!("{{ {line}; }} 2>&1")).output().expect("a shell runs");
                String::from_utf8(output.stdout).expect("output is UTF-8")
            }
        };
        printed.replace(&self.address, SHOWN)
    }

    /// A line of output with the ids that the text shows: each archive gives its entries others. An id that the text
    /// uses for another entry stays.
    fn with_shown_ids(&mut self, line: &str, shown: &str) -> String {
        let (Some(id), Some(shown)) = (id_in(line), id_in(shown)) else { return line.to_owned() };
        if !self.ids.contains_key(id) && !self.ids.values().any(|known| known == shown) {
            self.ids.insert(id.to_owned(), shown.to_owned());
        }
        let shown = self.ids.get(id).map_or(id, String::as_str);
        line.replace(id, shown)
    }

    /// Starts a service, and gives the line that it prints when it is ready.
    fn start(&mut self, line: &str) -> String {
        let mut service = self
            .shell(&format!("exec {line} --listen {SHOWN}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the service starts");
        let mut ready = String::new();
        let printed = service.stdout.take().expect("its output is piped");
        BufReader::new(printed).read_line(&mut ready).expect("the service says that it is ready");
        self.services.push(service);
        ready
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        for service in &mut self.services {
            let _ = service.kill();
            let _ = service.wait();
        }
    }
}

/// The id of an entry in a line of output: in a list, in an answer of the service, and in one of `ferz submit`.
fn id_in(line: &str) -> Option<&str> {
    let places = [("", "  "), ("{\"items\":[{\"id\":\"", "\",\""), (": game 1: ", ": ")];
    places.into_iter().find_map(|(before, after)| {
        let at = line.find(before)? + before.len();
        let (id, rest) = line.get(at..).and_then(|rest| rest.split_at_checked(32))?;
        let is_id = id.bytes().all(|byte| byte.is_ascii_hexdigit()) && rest.starts_with(after);
        // A list of rules begins with their digests, and one of games has a date after the id.
        let is_dated = rest.trim_start().starts_with(|char: char| char.is_ascii_digit() || char == '?');
        (is_id && (!before.is_empty() || is_dated)).then_some(id)
    })
}

#[test]
fn console_blocks_show_real_output() {
    for (file, least) in [
        ("README.md", 15),
        ("formats/REPORT.md", 1),
        ("formats/ARCHIVE.md", 4),
        ("formats/QUERY.md", 3),
        ("formats/DECODE.md", 2),
        ("formats/guide/records.md", 10),
        ("formats/guide/adjudication.md", 10),
        ("formats/guide/archive.md", 10),
        ("formats/guide/games.md", 6),
        ("formats/guide/collections.md", 10),
        ("formats/guide/operator.md", 5),
    ] {
        let text = std::fs::read_to_string(file).expect(file);
        let (fresh, commands) = renewed(&text);
        assert!(commands >= least, "only {commands} commands were found in {file}");
        if std::env::var_os("UPDATE_README").is_some() {
            std::fs::write(file, &fresh).expect(file);
        } else {
            assert!(fresh == text, "{file} is out of date; UPDATE_README=1 renews it:\n{fresh}");
        }
    }
}

/// A text with the present output of its commands, and how many these are.
fn renewed(text: &str) -> (String, usize) {
    let mut desk = Desk::new();
    let has_curl = Command::new("curl").arg("--version").output().is_ok_and(|output| output.status.success());
    let mut fresh = String::new();
    let mut lines = text.lines().peekable();
    let (mut inside, mut commands) = (false, 0);
    while let Some(line) = lines.next() {
        fresh.push_str(line);
        fresh.push('\n');
        if line.starts_with("```") {
            inside = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
        let stays = command.starts_with("cargo test") || command.contains("curl ") && !has_curl;
        if stays && !command.starts_with("cargo") {
            eprintln!("not run, for there is no curl: {command}");
        }
        let mut before = Vec::new();
        while let Some(shown) = lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```")) {
            before.push(shown);
            if stays {
                fresh.push_str(shown);
                fresh.push('\n');
            }
        }
        if !stays {
            commands += 1;
            for (number, line) in desk.output(command).trim_end().lines().enumerate() {
                let shown = before.get(number).copied().unwrap_or_default();
                fresh.push_str(desk.with_shown_ids(line, shown).trim_end());
                fresh.push('\n');
            }
        }
    }
    (fresh, commands)
}
