//! A second checker of certificates. It shares no code with `ferz`: it has its own reader of definitions, of movement in
//! Betza's notation, of positions and of coordinates, its own generator of plies, and it looks at the evidence by itself.
//!
//!     second-checker formats/variants < certificates.jsonl
//!     second-checker formats/variants --mutants 20 < certificates.jsonl
//!     second-checker formats/variants --cases fixtures/conformance/*.jsonl
//!
//! A game or a kind of evidence that it does not know is counted as not covered, never as accepted. With `--mutants N`, N
//! copies of each accepted certificate get one wrong step, and those that are accepted all the same are listed.
//! With `--cases`, its legal plies are compared with those of the files. Exit code 1 if it refuses a certificate, accepts
//! a wrong one, or has other plies.

mod after;
mod betza;
mod board;
mod cases;
mod definition;
mod ends;
mod evidence;
mod game;
mod mutants;
mod nature;
mod plies;
mod position;

use cases::Compared;
use definition::Definitions;
use evidence::{Answer, check};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first() else {
        eprintln!("usage: second-checker FOLDER-OF-DEFINITIONS [--mutants N] < CERTIFICATES");
        eprintln!("       second-checker FOLDER-OF-DEFINITIONS --cases FILE…");
        return ExitCode::from(2);
    };
    let mutants = arguments.iter().position(|word| word == "--mutants");
    let mutants: usize = mutants.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(0);
    let definitions = match Definitions::read(folder) {
        Ok(definitions) => definitions,
        Err(error) => {
            eprintln!("{folder}: {error}");
            return ExitCode::from(2);
        }
    };
    if arguments.get(1).is_some_and(|word| word == "--cases") {
        return compare(&definitions, &arguments[2..]);
    }
    let mut tally = Tally::default();
    for (line, number) in std::io::stdin().lock().lines().zip(1..) {
        let Ok(line) = line else { break };
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Value>(&line) {
            Ok(certificate) => tally.take(&definitions, number, &certificate, mutants),
            Err(error) => {
                eprintln!("line {number}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    tally.print();
    if tally.refused + tally.missed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Compares legal plies with those of the files, and prints where they differ.
fn compare(definitions: &Definitions, files: &[String]) -> ExitCode {
    let mut compared = Compared::default();
    for file in files {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        };
        text.lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .for_each(|case| compared.take(definitions, &case));
    }
    compared.different.iter().for_each(|why| println!("different: {why}"));
    for (why, cases) in &compared.not_covered {
        println!("not covered {cases:>3}  {why}");
    }
    let games: Vec<String> =
        compared.positions.iter().map(|(game, count)| format!("{game} {count}")).collect();
    println!(
        "legal plies of {} positions are equal: {}",
        compared.positions.values().sum::<usize>(),
        games.join(", ")
    );
    if compared.different.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What was found so far.
#[derive(Default)]
struct Tally {
    accepted: BTreeMap<(String, String), usize>,
    not_covered: BTreeMap<String, usize>,
    refused: usize,
    mutants: usize,
    missed: usize,
}

impl Tally {
    fn take(&mut self, definitions: &Definitions, number: usize, certificate: &Value, mutants: usize) {
        let game = certificate["rules"]["name"].as_str().unwrap_or("?").to_owned();
        let kind = certificate["kind"].as_str().unwrap_or("?").to_owned();
        match check(definitions, certificate) {
            Answer::Accepted => {
                *self.accepted.entry((kind, game)).or_default() += 1;
                for wrong in mutants::of(certificate, number, mutants) {
                    self.mutants += 1;
                    if check(definitions, &wrong) == Answer::Accepted {
                        self.missed += 1;
                        println!("line {number}: a wrong certificate is accepted: {wrong}");
                    }
                }
            }
            Answer::NotCovered(why) => *self.not_covered.entry(why).or_default() += 1,
            Answer::Refused(why) => {
                self.refused += 1;
                println!("line {number}: {kind}, {game}: refused: {why}");
            }
        }
    }

    fn print(&self) {
        let mut by_kind: BTreeMap<&str, (usize, BTreeMap<&str, usize>)> = BTreeMap::new();
        for ((kind, game), count) in &self.accepted {
            let entry = by_kind.entry(kind).or_default();
            entry.0 += count;
            *entry.1.entry(game).or_default() += count;
        }
        for (kind, (count, games)) in by_kind {
            let games: Vec<String> = games.iter().map(|(game, count)| format!("{game} {count}")).collect();
            println!("accepted {count:>6}  {kind}: {}", games.join(", "));
        }
        for (why, count) in &self.not_covered {
            println!("not covered {count:>3}  {why}");
        }
        let accepted: usize = self.accepted.values().sum();
        let not_covered: usize = self.not_covered.values().sum();
        println!("{accepted} accepted, {} refused, {not_covered} not covered", self.refused);
        if self.mutants > 0 {
            println!(
                "{} wrong certificates: {} refused, {} accepted",
                self.mutants,
                self.mutants - self.missed,
                self.missed
            );
        }
    }
}
