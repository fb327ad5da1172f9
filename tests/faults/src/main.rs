//! Injects faults into `ferz archive import`, one at a time, or into a service, and checks what is left.
//!
//!     faults FERZ [CASES [SEED]]            imports; 1,000 cases with the seed 1 without numbers
//!     faults FERZ service [ROUNDS [SEED]]   a service with clients, in each round (module `service`)
//!
//! Each case imports games into an archive that has some, while a call of the kind, number and fault that the seed draws
//! fails: EIO, no space, short reads and writes, no memory, the end in the middle of a write, or a power cut, which also loses what was
//! not yet synchronized. Then, without any
//! fault, the archive must verify against the receipt from before, have every game that was acknowledged, and take the
//! whole import. The program must have ended with an exit code of its own, or by the cut, or, without memory, by its own
//! abort.

mod service;

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

/// Calls and their faults.
const FAULTS: [(&str, usize, &[&str]); 5] = [
    ("write", 0, &["io", "full", "short", "cut", "power"]),
    ("sync", 1, &["io", "full", "power"]),
    ("read", 2, &["io", "short"]),
    ("truncate", 3, &["io", "cut"]),
    ("alloc", 4, &["io"]),
];

/// Files of the import, each of a few games: several transactions.
const FILES: usize = 6;

/// Games of a file.
const GAMES: usize = 4;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % count.max(1) as u64) as usize
    }
}

fn record(number: usize) -> String {
    const MOVES: [&str; 4] =
        ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *", "1. d4 Nf6 2. c4 g6 *", "1. f3 e5 2. g4 Qh4# 0-1", "1. e4 Ke3 *"];
    let moves = MOVES[number % MOVES.len()];
    format!("[White \"Ann {number}\"]\n[Black \"Ben\"]\n[Round \"{number}\"]\n\n{moves}\n\n")
}

struct Bench {
    ferz: PathBuf,
    preloaded: PathBuf,
    folder: PathBuf,
}

impl Bench {
    /// `ferz archive …` over the archive of the bench.
    fn archive(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.ferz);
        let db = self.folder.join("games.ferz");
        command.arg("archive").args(&arguments[..1]).arg("--db").arg(db).args(&arguments[1..]);
        command.env("RUST_BACKTRACE", "0").stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.archive(arguments).output().expect("ferz starts")
    }

    /// The files of the import.
    fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        (0..FILES).map(|file| self.folder.join(format!("input-{file}.pgn")))
    }

    /// Brings back the archive from before.
    fn restore(&self) {
        for entry in std::fs::read_dir(&self.folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("games.ferz")) {
                std::fs::remove_file(path).expect("a file of the case before");
            }
        }
        for entry in std::fs::read_dir(self.folder.join("before")).expect("the archive before") {
            let from = entry.expect("an entry").path();
            std::fs::copy(&from, self.folder.join(from.file_name().unwrap_or_default())).expect("a copy");
        }
    }

    /// Keeps the archive as it is now for each case.
    fn keep(&self) {
        let before = self.folder.join("before");
        let _ = std::fs::remove_dir_all(&before);
        std::fs::create_dir(&before).expect("a folder");
        for entry in std::fs::read_dir(&self.folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with("games.ferz") {
                std::fs::copy(&path, before.join(name)).expect("a copy");
            }
        }
    }

    /// An import into a fresh copy of the archive, with a fault.
    fn import(&self, fault: &str) -> Output {
        self.restore();
        let mut command = self.archive(&["import", "--jobs", "1", "--format", "ndjson"]);
        command.args(self.inputs());
        command.env("LD_PRELOAD", &self.preloaded).env("FERZ_FAULT", fault);
        command.env("FERZ_FAULT_COUNTS", self.folder.join("counts"));
        command.output().expect("ferz starts")
    }

    /// What is wrong after an import with a fault.
    fn check(&self, imported: &Output, is_alloc: bool) -> Result<(), String> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let status = imported.status;
        let is_own_end = matches!(status.code(), Some(0..=2 | 137));
        if !is_own_end && !(is_alloc && (status.signal() == Some(6) || status.code().is_some())) {
            return Err(format!("it ended with {status}: {}", text(&imported.stderr)));
        }
        if status.code() == Some(2) && imported.stderr.trim_ascii().is_empty() {
            return Err("it ended without a message".to_owned());
        }
        self.verify()?;
        let listed = text(&self.run(&["list", "--format", "ndjson", "--limit", "0"]).stdout);
        let there: BTreeSet<&str> = listed.lines().filter_map(id).collect();
        let acknowledged = text(&imported.stdout);
        // The last line may have been cut by the end of the process.
        let whole = acknowledged.lines().filter(|line| line.ends_with('}'));
        let lost: Vec<&str> = whole.filter_map(id).filter(|id| !there.contains(id)).collect();
        if !lost.is_empty() {
            return Err(format!("acknowledged and lost: {lost:?}"));
        }
        let again = self.archive(&["import"]).args(self.inputs()).output().expect("ferz starts");
        if again.status.code() != Some(1) {
            return Err(format!(
                "the import without a fault: {}{}",
                text(&again.stdout),
                text(&again.stderr)
            ));
        }
        Ok(())
    }

    /// What is wrong with the log, held against the receipt from before.
    fn verify(&self) -> Result<(), String> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut verify = self.archive(&["verify", "--against"]);
        for entry in std::fs::read_dir(self.folder.join("receipts")).expect("the receipts") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "tlog-proof") {
                verify.arg(path);
            }
        }
        let verified = verify.output().expect("ferz starts");
        match verified.status.success() {
            true => Ok(()),
            false => Err(format!("verify: {}{}", text(&verified.stdout), text(&verified.stderr))),
        }
    }
}

/// The id of a line of NDJSON.
fn id(line: &str) -> Option<&str> {
    line.split("\"id\":\"").nth(1)?.split('"').next()
}

fn set_up(ferz: &Path, folder: &Path) -> Bench {
    let own = std::env::current_exe().expect("the path of this program");
    let preloaded = own.with_file_name("libferz_faults.so");
    let bench = Bench { ferz: ferz.to_owned(), preloaded, folder: folder.to_owned() };
    let before: String = (0..8).map(record).collect();
    std::fs::write(folder.join("before.pgn"), before).expect("a file");
    for (file, path) in bench.inputs().enumerate() {
        // The first two games are known by then.
        let games: String = (0..GAMES).map(|game| record(6 + file * GAMES + game)).collect();
        std::fs::write(path, games).expect("a file");
    }
    let (first, receipts) = (folder.join("before.pgn"), folder.join("receipts"));
    let first = bench.run(&["import", "--receipts", &receipts.to_string_lossy(), &first.to_string_lossy()]);
    assert_eq!(first.status.code(), Some(1), "the first import: {}", String::from_utf8_lossy(&first.stderr));
    bench.keep();
    bench
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(ferz) = arguments.next() else {
        eprintln!("usage: faults FERZ [CASES [SEED]]");
        return ExitCode::from(2);
    };
    let mut arguments = arguments.peekable();
    let of_service = arguments.next_if_eq("service").is_some();
    let mut number = |usual: u64| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (cases, seed) = (number(1000), number(1));
    let folder = std::env::temp_dir().join(format!("ferz-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let bench = set_up(Path::new(&ferz), &folder);
    let wrong = match of_service {
        true => services(&bench, cases, seed),
        false => imports(&bench, cases, seed),
    };
    if wrong == 0 {
        let _ = std::fs::remove_dir_all(&folder);
    }
    ExitCode::from(u8::from(wrong > 0))
}

/// Services with faults; gives the number of rounds that went wrong.
fn services(bench: &Bench, rounds: u64, seed: u64) -> usize {
    let people = service::people(bench);
    bench.keep();
    let (mut random, mut wrong, mut sums) = (Random(seed), 0, [0; 4]);
    let say = |rounds: u64, wrong: usize, [services, failed, games, plies]: [u64; 4]| {
        println!(
            "{rounds} rounds: {services} services listened, {failed} calls failed, {games} games and {plies} plies were \
             acknowledged; {wrong} wrong"
        );
    };
    for round in 0..rounds {
        let fault = match random.below(4) {
            0 => format!("write:power:{}:1", 1 + random.below(600)),
            1 => format!("sync:power:{}:1", 1 + random.below(120)),
            _ => {
                let (seed, after) = (random.below(1 << 30), [0, 200][random.below(2)]);
                format!("random:{seed}:{}:{after}", [2, 5, 20, 200][random.below(4)])
            }
        };
        match service::round(bench, &people, &fault, &mut random) {
            Ok(seen) => sums.iter_mut().zip(seen.counts()).for_each(|(sum, count)| *sum += count),
            Err(what) => {
                wrong += 1;
                println!("WRONG, round {round} of seed {seed}, {fault}: {what}");
            }
        }
        if (round + 1) % 100 == 0 {
            say(round + 1, wrong, sums);
        }
    }
    say(rounds, wrong, sums);
    wrong
}

/// Imports with a fault each; gives the number of those that went wrong.
fn imports(bench: &Bench, cases: u64, seed: u64) -> usize {
    let folder = &bench.folder;
    let _ = bench.import("none");
    let counts = std::fs::read_to_string(folder.join("counts")).expect("the library was loaded");
    let counts: Vec<usize> = counts.split(' ').filter_map(|count| count.parse().ok()).collect();
    println!(
        "calls without a fault: {} writes, {} syncs, {} reads, {} truncations, {} allocations",
        counts[0], counts[1], counts[2], counts[3], counts[4]
    );
    let (mut random, mut wrong, mut ends) = (Random(seed), 0, [0usize; 4]);
    for case in 0..cases {
        let (call, index, faults) = FAULTS[random.below(FAULTS.len())];
        let from = 1 + random.below(counts[index] + 1);
        let fault = faults[random.below(faults.len())];
        let count = [1, 1, 3, 1_000_000][random.below(4)];
        let fault = format!("{call}:{fault}:{from}:{count}");
        let imported = bench.import(&fault);
        let end = match imported.status.code() {
            Some(0 | 1) => 0,
            Some(137) => 2,
            Some(_) => 1,
            None => 3,
        };
        ends[end] += 1;
        if let Err(what) = bench.check(&imported, call == "alloc") {
            wrong += 1;
            println!("WRONG, case {case} of seed {seed}, {fault}: {what}");
        }
        if (case + 1) % 1000 == 0 {
            println!("{} cases, {wrong} wrong", case + 1);
        }
    }
    let [whole, refused, cut, aborted] = ends;
    println!(
        "{cases} faults: {whole} imports went on, {refused} ended with a message, {cut} were cut, {aborted} aborted; {wrong} wrong"
    );
    wrong
}
