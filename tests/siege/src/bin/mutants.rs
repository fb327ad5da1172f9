//! `mutants FERZ COUNT [SEED]`: sends mutated records, definitions, JSON and packed bodies to every route of a service
//! that reads them, and every twentieth to a command. Fails on a panic, an answer of a broken service, a process that
//! ends by a signal or an unknown code, an answer that takes longer than the service may judge, or memory that grows.
//!
//! The originals are the fixtures and definitions of the project; a mutation knows tokens, tags, numbers, lines and
//! brackets, so that most of what it makes is read for a long way before it is refused.

#[path = "../http.rs"]
mod http;
#[path = "../service.rs"]
mod service;

use service::Service;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// The time that the service may judge a request.
const TIME_LIMIT: &str = "2";

/// The longest answer: waiting, judging, and what lies between two looks at the clock.
const ANSWER_MAX: Duration = Duration::from_secs(8);

/// The longest run of a command.
const COMMAND_MAX: Duration = Duration::from_secs(40);

/// Memory of the service at most.
const MEMORY_MAX: u64 = 512 << 20;

/// One of so many inputs goes to a command.
const COMMANDS_ONE_IN: usize = 20;

/// Words that mean something at some place of a record.
const WORDS: [&str; 64] = [
    "(",
    ")",
    "{",
    "}",
    ";",
    "%",
    "$1",
    "$220",
    "$999",
    "!!",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "...",
    "--",
    "Z0",
    "\0",
    "\t",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "[%clk 0:00:01]",
    "[%emt 99:99:99]",
    "[%clk 999999999:00:00]",
    "[%letstand]",
    "[FEN \"",
    "\"]",
    "[SetUp \"1\"]",
    "[Variant \"chaos+chess\"]",
    "[Variant \"misere+bareking+iago-b\"]",
    "[Variant \"chess960\"]",
    "[Variant \"shogi\"]",
    "[Variant \"xiangqi\"]",
    "[Variant \"augmented\"]",
    "[Variant \"ichess\"]",
    "[Variant \"ingols\"]",
    "[TimeControl \"40/7200:3600+30\"]",
    "[TimeControl \"99999999999999/1:*9+9\"]",
    "[Result \"1-0\"]",
    "[RulesEdition \"2008\"]",
    "[WhiteArmy \"RF ND BfbN QffNsbN\"]",
    "[NatureRules \"advanced\"]",
    "[Date \"9999.99.99\"]",
    "O-O",
    "O-O-O",
    "0-0-0",
    "N@e4",
    "P@a0",
    "e8=Q",
    "/Hh1",
    "&M",
    "^C",
    "\u{221e}3.....a4=Q",
    "7776FU",
    "P*5e",
    "R+=6",
    "\u{70ae}\u{4e8c}\u{5e73}\u{4e94}",
    "4294967295.",
    "18446744073709551616.",
    "-1.",
    "resigns",
    "\\\"",
    "{\"records\":",
];

/// Numbers at which programs go wrong.
const NUMBERS: [&str; 8] = ["0", "00", "-1", "255", "256", "65536", "4294967296", "99999999999999999999"];

const CLAIMS: [&str; 12] = [
    "threefold_repetition",
    "fifty_moves",
    "checkmate",
    "stalemate",
    "dead_position",
    "illegal_ply",
    "wrong_result",
    "time_win",
    "cannot_win",
    "resignation",
    "forced_win",
    "forced_mate",
];

const STYLES: [&str; 14] = [
    "coord", "san", "lan", "uci", "figurine", "iago", "ichess", "chaos", "iccf", "smith", "usi", "csa",
    "kif", "wxf",
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// What is mutated.
struct Originals {
    records: Vec<Vec<u8>>,
    definitions: Vec<Vec<u8>>,
    certificates: Vec<Vec<u8>>,
}

fn files(folder: &Path, ends: &[&str], found: &mut Vec<Vec<u8>>) -> std::io::Result<()> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            files(&path, ends, found)?;
        } else if ends.iter().any(|end| name.ends_with(end)) && !name.ends_with(".expected.json") {
            found.push(std::fs::read(path)?);
        }
    }
    Ok(())
}

impl Originals {
    fn read(root: &Path) -> Result<Originals, Box<dyn Error>> {
        let (mut whole, mut definitions) = (Vec::new(), Vec::new());
        for folder in ["games", "odd", "mail", "records", "files"] {
            let ends = [".pgn", ".txt", ".kif", ".ki2", ".csa", ".usi", ".json", ".html"];
            files(&root.join("fixtures").join(folder), &ends, &mut whole)?;
        }
        for folder in ["formats/variants", "fixtures/variants"] {
            files(&root.join(folder), &[".toml"], &mut definitions)?;
        }
        // Single games as well as whole files.
        let mut records = Vec::new();
        for text in whole {
            let games = String::from_utf8_lossy(&text).into_owned();
            records.extend(games.split("\n\n[").skip(1).map(|game| format!("[{game}").into_bytes()));
            records.push(text);
        }
        records.retain(|record| (10..30_000).contains(&record.len()));
        Ok(Originals { records, definitions, certificates: Vec::new() })
    }
}

fn mutated(original: &[u8], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..*random.pick(&[1, 1, 1, 2, 3, 5, 9]) {
        let at = random.below(bytes.len());
        let end = (at + *random.pick(&[1, 2, 5, 20, 100, 500])).min(bytes.len());
        match random.below(12) {
            0 => bytes.splice(at..end.min(at + 1), [random.next() as u8]).for_each(drop),
            1 => drop(bytes.drain(at..end)),
            2 | 3 => drop(bytes.splice(at..at, format!(" {} ", random.pick(&WORDS)).into_bytes())),
            4 => {
                let other = random.pick(others);
                let from = random.below(other.len());
                let piece = other[from..other.len().min(from + *random.pick(&[20, 200, 1_000]))].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            5 => {
                let piece = bytes[at..end].repeat(*random.pick(&[2, 10, 50]));
                drop(bytes.splice(at..at, piece));
            }
            6 => bytes.truncate(at),
            7 => {
                let digit = bytes[at..].iter().position(u8::is_ascii_digit).map(|digit| at + digit);
                if let Some(digit) = digit {
                    drop(bytes.splice(digit..=digit, random.pick(&NUMBERS).bytes()));
                }
            }
            8 => {
                let mut words: Vec<&[u8]> = bytes.split(|byte| *byte == b' ').collect();
                let (one, other) = (random.below(words.len()), random.below(words.len()));
                words.swap(one, other);
                bytes = words.join(&b' ');
            }
            9 => {
                let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
                let (one, other) = (random.below(lines.len()), random.below(lines.len()));
                lines[one] = lines[other];
                bytes = lines.join(&b'\n');
            }
            10 => drop(bytes.splice(0..0, format!("{}\n", random.pick(&WORDS[26..44])).into_bytes())),
            _ => {
                let bracket =
                    bytes[at..].iter().position(|byte| b"()[]{}\"".contains(byte)).map(|place| at + place);
                if let Some(bracket) = bracket {
                    bytes[bracket] = *random.pick(b"()[]{}\"");
                }
            }
        }
    }
    bytes.truncate(120_000);
    bytes
}

/// A JSON string of bytes, as far as they are text.
fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

/// A request: method and path, headers, body.
struct Shot {
    path: String,
    headers: String,
    body: Vec<u8>,
}

fn shot(originals: &Originals, random: &mut Random) -> Shot {
    let record = |random: &mut Random| {
        let original = random.pick(&originals.records);
        mutated(original, &originals.records, random)
    };
    let number = |random: &mut Random| random.below(60);
    let mut kind = "application/json";
    let (path, mut body) = match random.below(16) {
        0..=2 => {
            kind = "text/plain";
            ("/api/v1/validate".to_owned(), record(random))
        }
        3 | 4 => {
            kind = "text/plain";
            let to = if random.below(6) == 0 { "json" } else { *random.pick(&STYLES) };
            (format!("/api/v1/convert?to={to}"), record(random))
        }
        5 => {
            kind = "text/plain";
            (
                (*random.pick(&["/api/v1/fix", "/api/v1/fix?all=true", "/api/v1/match"])).to_owned(),
                record(random),
            )
        }
        6 => {
            kind = "text/plain";
            (format!("/api/v1/bulletins?every={}", 1 + random.below(9)), record(random))
        }
        7 => {
            kind = "text/plain";
            ("/api/v1/games".to_owned(), record(random))
        }
        8 => {
            kind = "application/toml";
            let original = random.pick(&originals.definitions);
            ("/api/v1/variants/check".to_owned(), mutated(original, &originals.definitions, random))
        }
        9 => {
            let original = random.pick(&originals.definitions).clone();
            let definition = mutated(&original, &originals.definitions, random);
            let name = String::from_utf8_lossy(&definition).into_owned();
            let name = name
                .split("name = \"")
                .nth(1)
                .and_then(|rest| rest.split('"').next())
                .unwrap_or("x")
                .to_owned();
            let text = [format!("[Variant \"{name}\"]\n").into_bytes(), record(random)].concat();
            let body = format!("{{\"definitions\":[{}],\"records\":{}}}", quoted(&definition), quoted(&text));
            ("/api/v1/validate".to_owned(), body.into_bytes())
        }
        10 => {
            let one = random.pick(&originals.records).clone();
            let other = mutated(&one, &originals.records, random);
            let path = *random.pick(&["/api/v1/compare", "/api/v1/stories"]);
            (path.to_owned(), format!("{{\"a\":{},\"b\":{}}}", quoted(&one), quoted(&other)).into_bytes())
        }
        11 => {
            let path = *random.pick(&["/api/v1/position", "/api/v1/moves", "/api/v1/claims"]);
            let text = quoted(&record(random));
            (path.to_owned(), format!("{{\"record\":{text},\"ply\":{}}}", number(random)).into_bytes())
        }
        12 | 13 => {
            let (claim, by) = (*random.pick(&CLAIMS), *random.pick(&["\"white\"", "\"black\"", "null"]));
            let text = quoted(&record(random));
            let body = format!(
                "{{\"record\":{text},\"claim\":{{\"kind\":\"{claim}\",\"by\":{by},\"ply\":{}}},\"nodes\":2000}}",
                number(random)
            );
            ("/api/v1/adjudications".to_owned(), body.into_bytes())
        }
        14 => {
            let original = random.pick(&originals.certificates).clone();
            let body = [&b"{\"certificate\":"[..], &original, b"}"].concat();
            ("/api/v1/certificates".to_owned(), mutated(&body, &originals.certificates, random))
        }
        _ => {
            let text = quoted(&record(random));
            let body = format!("{{\"records\":{text}}}").into_bytes();
            ("/api/v1/validate".to_owned(), mutated(&body, &originals.records, random))
        }
    };
    let mut headers = format!("content-type: {kind}\r\n");
    if random.below(10) == 0 {
        body = gzip(&body);
        if random.below(2) == 0 {
            let at = random.below(body.len());
            body[at] ^= 1 << random.below(8);
        }
        headers.push_str("content-encoding: gzip\r\n");
    }
    Shot { path, headers, body }
}

/// Runs a command over an input; what is wrong with its end.
fn run(ferz: &Path, folder: &Path, originals: &Originals, random: &mut Random) -> Result<(), String> {
    let records = &originals.records;
    let input = folder.join("input");
    let mut bytes = mutated(random.pick::<Vec<u8>>(records), records, random);
    let number = random.below(60).to_string();
    let arguments: Vec<&str> = match random.below(13) {
        0 | 1 => vec!["validate", "--format", random.pick::<&str>(&["text", "json", "ndjson"])],
        2 | 3 => vec!["convert", "--to", random.pick::<&str>(&STYLES)],
        4 => vec!["fix"],
        5 => vec!["show", "--ply", &number, "--record"],
        6 => vec!["bulletin"],
        7 => vec!["match"],
        8 => vec!["adjudicate", "--nodes", "2000", "--by", "white", "--claim", random.pick::<&str>(&CLAIMS)],
        9 => vec!["compare"],
        10 => vec!["archive", "import", "--dry-run"],
        11 => {
            let definitions = &originals.definitions;
            bytes = mutated(random.pick::<Vec<u8>>(definitions), definitions, random);
            vec!["variants", "check"]
        }
        _ => {
            bytes = mutated(random.pick::<Vec<u8>>(&originals.certificates), &originals.certificates, random);
            vec!["check-certificate"]
        }
    };
    std::fs::write(&input, &bytes).expect("a file");
    let mut command = Command::new(ferz);
    command.args(&arguments).arg(&input).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    if arguments[0] == "compare" {
        let other = folder.join("other");
        std::fs::write(&other, mutated(&bytes, records, random)).expect("a file");
        command.arg(other);
    }
    let mut child = command.spawn().expect("ferz starts");
    let mut stderr = child.stderr.take().expect("its errors");
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stderr.read_to_end(&mut text);
        text
    });
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if begun.elapsed() > COMMAND_MAX {
            let _ = child.kill();
            return Err(format!("{arguments:?} does not end"));
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let errors = String::from_utf8_lossy(&errors.join().expect("a reader")).into_owned();
    match matches!(status.code(), Some(0..=3)) && !errors.contains("panicked") {
        true => Ok(()),
        false => Err(format!("{arguments:?}: {status}: {errors}")),
    }
}

/// Sends a request, and says what is wrong with the answer.
fn send(
    stream: &mut Option<TcpStream>,
    address: SocketAddr,
    Shot { path, headers, body }: &Shot,
) -> Result<u16, String> {
    let request = http::request("POST", path, headers, body);
    let begun = Instant::now();
    // The service may have closed an idle connection, or one whose body it did not read.
    let mut answer = Err("no answer".to_owned());
    for _ in 0..3 {
        let open = match stream.take() {
            Some(open) => Ok(open),
            None => http::connect(Ipv4Addr::LOCALHOST, address),
        };
        let mut open = open.map_err(|error| format!("the service is gone: {error}"))?;
        match http::ask(&mut open, &request) {
            Ok((status, _)) => {
                *stream = Some(open);
                answer = Ok(status);
                break;
            }
            Err(error) => answer = Err(error.to_string()),
        }
    }
    let (status, time) = (answer?, begun.elapsed());
    match status {
        500.. if status != 503 => Err(format!("status {status}")),
        _ if time > ANSWER_MAX => Err(format!("it took {time:?}, status {status}")),
        _ => Ok(status),
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(ferz), Some(count)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: mutants FERZ COUNT [SEED]");
        return Ok(ExitCode::from(2));
    };
    let (ferz, count) = (PathBuf::from(ferz), count.parse::<usize>()?);
    let seed = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut originals = Originals::read(&root)?;
    let folder = tempfile::tempdir()?;
    originals.certificates = certificates(&ferz, folder.path())?;
    let (mut service, address) = Service::start(&ferz, folder.path(), &["--time-limit", TIME_LIMIT])?;
    let (mut random, mut stream) = (Random(seed), None);
    let (mut wrong, mut answers, mut commands, mut slowest) = (0, BTreeMap::new(), 0, Duration::ZERO);
    for number in 0..count {
        let mut own = Random(random.next());
        let found = if number % COMMANDS_ONE_IN == 0 {
            commands += 1;
            run(&ferz, folder.path(), &originals, &mut own)
        } else {
            let shot = shot(&originals, &mut own);
            let begun = Instant::now();
            let sent = send(&mut stream, address, &shot);
            slowest = slowest.max(begun.elapsed());
            sent.map(|status| *answers.entry(status).or_insert(0) += 1).map_err(|what| {
                let kept = std::env::temp_dir().join(format!("mutant-{seed}-{number}"));
                let _ = std::fs::write(&kept, &shot.body);
                format!("{}: {what}; its body is in {}", shot.path, kept.display())
            })
        };
        if let Err(what) = found {
            wrong += 1;
            println!("WRONG, number {number} of seed {seed}: {what}");
        }
        if (number + 1) % 10_000 == 0 {
            let memory = service.memory_peak().unwrap_or_default() >> 20;
            println!("{} inputs, {wrong} wrong, {memory} MB", number + 1);
        }
    }
    let memory = service.memory_peak().unwrap_or(u64::MAX);
    let is_alive = service.0.try_wait()?.is_none();
    println!(
        "{count} inputs, {commands} of them to commands; answers {answers:?}, the slowest {slowest:?}; {} MB at most; \
         {wrong} wrong",
        memory >> 20
    );
    Ok(ExitCode::from(u8::from(wrong > 0 || memory > MEMORY_MAX || !is_alive)))
}

/// Some certificates to mutate.
fn certificates(ferz: &Path, folder: &Path) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut made = Vec::new();
    for (record, claim) in [
        ("1. f3 e5 2. g4 Qh4# 0-1", &["checkmate"][..]),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *", &["threefold_repetition", "--by", "white"]),
        ("1. e4 e5 2. Ke3 *", &["illegal_ply", "--ply", "3"]),
        (
            "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/R7/1R5K w - - 0 1\"]\n\n*",
            &["forced_mate", "--within", "3", "--by", "white"],
        ),
        ("[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/8/R6K w - - 0 1\"]\n\n*", &["forced_win", "--by", "white"]),
        ("[SetUp \"1\"]\n[FEN \"8/8/8/k7/p7/P7/K7/8 w - - 0 1\"]\n\n*", &["cannot_win", "--by", "white"]),
    ] {
        let (input, output) = (folder.join("record.pgn"), folder.join("certificate.json"));
        std::fs::write(&input, record)?;
        let mut command = Command::new(ferz);
        command.arg("adjudicate").arg(&input).arg("--claim").args(claim).arg("--certificate").arg(&output);
        let run = command.output()?;
        let written = std::fs::read(&output);
        made.push(written.map_err(|_| format!("{claim:?}: {}", String::from_utf8_lossy(&run.stderr)))?);
        std::fs::remove_file(&output)?;
    }
    Ok(made)
}
