//! Spoils records and decodes them: how many come back, how sure the decoder is, how long it takes.
//!
//!     spoiled slips GAMES.pgn [--games N] [--seed S] [--slips N] [--plies N]
//!     spoiled dropped GAMES.pgn …            one ply left out
//!     spoiled cells GAMES.pgn … [--sheets N] cells of a recogniser
//!     spoiled slips --variant NAME …         random games of a variant
//!     spoiled undamaged FILES                legal records as they are: none may change
//!
//! The slips are made here and not taken from `formats/slips.toml`: other confusions, at other rates.

use ferz::board::Mask;
use ferz::decode::{Cells, Change, Costs, DecodeError, Decoded, Options, Sheet, decode, decode_sheets};
use ferz::notation::{Style, coord};
use ferz::record::{Record, read};
use ferz::replay::{self, Replayer, Source, Trace, trace};
use ferz::rules::Registry;
use ferz::text::Budget;
use ferz::{Game, Rules, with_trace};
use std::time::{Duration, Instant};

/// SplitMix64, so that a seed names one run for ever.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn chance(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// What a reader of handwriting or print may take a character for: from a table of its own.
fn looks_like(char: char) -> &'static str {
    match char {
        '1' => "7lI4",
        '2' => "Z7",
        '3' => "85",
        '4' => "9A1",
        '5' => "S36",
        '6' => "b08",
        '7' => "12",
        '8' => "B36",
        'a' => "od",
        'b' => "h6d",
        'c' => "eo",
        'd' => "ba",
        'e' => "c",
        'f' => "t",
        'g' => "q9",
        'h' => "bn",
        'N' => "HM",
        'B' => "8R",
        'R' => "KP",
        'Q' => "OG",
        'K' => "RX",
        'x' => "X*",
        'O' => "0Q",
        _ => "",
    }
}

/// A key next to another one.
fn next_key(char: char, random: &mut Random) -> Option<char> {
    let rows = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
    let lower = char.to_ascii_lowercase();
    let row = rows.iter().find(|row| row.contains(lower))?;
    let at = row.find(lower)?;
    let near: Vec<char> =
        row.char_indices().filter(|(index, _)| index.abs_diff(at) == 1).map(|(_, key)| key).collect();
    let key = near[random.below(near.len())];
    Some(if char.is_ascii_uppercase() { key.to_ascii_uppercase() } else { key })
}

/// A token with one slip; it is never the same token.
fn slip(token: &str, random: &mut Random) -> String {
    let chars: Vec<char> = token.chars().collect();
    loop {
        let mut spoiled = chars.clone();
        let at = random.below(chars.len());
        match random.below(100) {
            0..30 => {
                let like: Vec<char> = looks_like(chars[at]).chars().collect();
                if like.is_empty() {
                    continue;
                }
                spoiled[at] = like[random.below(like.len())];
            }
            30..50 => match next_key(chars[at], random) {
                Some(key) => spoiled[at] = key,
                None => continue,
            },
            50..65 if at + 1 < chars.len() => spoiled.swap(at, at + 1),
            65..85 if chars.len() > 2 => {
                spoiled.remove(at);
            }
            85..95 => spoiled.insert(at, chars[at]),
            95..100 => spoiled.insert(at, b"abcdefgh12345678NBRQK"[random.below(21)] as char),
            _ => continue,
        }
        if spoiled != chars {
            return spoiled.into_iter().collect();
        }
    }
}

/// A game as tokens, with its plies in coordinates.
struct Played {
    tokens: Vec<String>,
    coords: Vec<String>,
    tags: String,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let number = |name: &str, usual: usize| value(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (games, plies, slips) = (number("--games", 2000), number("--plies", 40), number("--slips", 3));
    let mut random = Random(number("--seed", 20_261_128) as u64);
    let mode = arguments.first().map_or("slips", String::as_str).to_owned();
    if mode == "undamaged" {
        return undamaged(&arguments[1..]);
    }
    let played = match (value("--variant"), arguments.get(1)) {
        (Some(variant), _) => random_games(&variant, games, plies, &mut random),
        (None, Some(file)) => games_of(file, games, plies, &mut random),
        (None, None) => panic!("name a file of games, or --variant"),
    };
    let mut replayer = Replayer::new(Registry::built_in(), replay::Options::default());
    let mut sums = Sums::default();
    for game in &played {
        let mut tokens = game.tokens.clone();
        let mut at_fault = Vec::new();
        while mode == "slips" && at_fault.len() < slips.min(tokens.len()) {
            let at = random.below(tokens.len());
            if !at_fault.contains(&at) && tokens[at].len() > 1 {
                tokens[at] = slip(&tokens[at], &mut random);
                at_fault.push(at);
            }
        }
        let dropped = (mode == "dropped").then(|| 4 + random.below(tokens.len() - 8));
        let text = text_of(game, &tokens, dropped);
        let begun = Instant::now();
        let decoded = if mode == "cells" {
            let sheets: Vec<Sheet> =
                (0..number("--sheets", 1)).map(|_| cells_of(game, &played, &mut random)).collect();
            let record = read(text.as_bytes(), 0).next().expect("a record");
            decode_sheets(&mut replayer, &record, &sheets, &Options::default(), &Budget::unlimited())
        } else {
            let record = read(text.as_bytes(), 0).next().expect("a record");
            decode(&mut replayer, &record, &Options::default(), &Budget::unlimited())
        };
        sums.times.push(begun.elapsed());
        sums.count(game, &decoded, dropped, &text, arguments.iter().any(|argument| argument == "--show"));
    }
    sums.print(played.len());
}

/// The text: numbers before White's plies.
fn text_of(game: &Played, tokens: &[String], dropped: Option<usize>) -> String {
    let mut text = game.tags.clone();
    for (index, token) in tokens.iter().enumerate() {
        if index % 2 == 0 && !game.tags.contains("chaos") {
            text += &format!("{}. ", index / 2 + 1);
        }
        if dropped != Some(index) {
            text += token;
            text.push(' ');
        }
    }
    text
}

/// What a recogniser says of the cells of a game: the first guess is right in 88 of 100, one of five in 97.
fn cells_of(game: &Played, others: &[Played], random: &mut Random) -> Sheet {
    let mut cells = Vec::new();
    for token in &game.tokens {
        let mut guesses: Vec<String> = Vec::new();
        let wrong = |random: &mut Random| {
            if random.below(3) > 0 {
                return slip(token, random);
            }
            let other = &others[random.below(others.len())];
            other.tokens[random.below(other.tokens.len())].clone()
        };
        let chance = random.chance();
        let right = match () {
            () if chance < 0.88 => Some(0),
            () if chance < 0.97 => Some(1 + random.below(4)),
            () => None,
        };
        while guesses.len() < 5 {
            let guess = if right == Some(guesses.len()) { token.clone() } else { wrong(random) };
            if right == Some(guesses.len()) || guess != *token && !guesses.contains(&guess) {
                guesses.push(guess);
            }
        }
        let shares = [0.8, 0.08, 0.05, 0.03, 0.02];
        let alternatives: Vec<(String, f64)> = guesses.into_iter().zip(shares).collect();
        cells.push(serde_json::json!({ "alternatives": alternatives }));
    }
    let json = serde_json::json!({ "cells": cells }).to_string();
    Sheet::of_cells(&Cells::read(json.as_bytes()).expect("JSON"), Costs::built_in()).expect("cells")
}

#[derive(Default)]
struct Sums {
    exact: usize,
    among: usize,
    certain: usize,
    wrong: usize,
    named: usize,
    plies: usize,
    plies_right: usize,
    asked: usize,
    failed: usize,
    times: Vec<Duration>,
}

impl Sums {
    fn count(
        &mut self,
        game: &Played,
        decoded: &Result<Decoded, DecodeError>,
        dropped: Option<usize>,
        text: &str,
        show: bool,
    ) {
        let Ok(decoded) = decoded else {
            self.failed += 1;
            return;
        };
        let coords = |index: usize| {
            let reading = &decoded.readings[index];
            reading.plies.iter().map(|ply| ply.known().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        let mut meant = game.coords.clone();
        if let Some(dropped) = dropped {
            meant[dropped].clear();
        }
        let is_exact = !decoded.readings.is_empty() && coords(0) == meant;
        self.exact += usize::from(is_exact);
        self.among += usize::from((0..decoded.readings.len().min(5)).any(|index| coords(index) == meant));
        self.certain += usize::from(decoded.certain);
        let is_wrong = decoded.certain && !is_exact;
        self.wrong += usize::from(is_wrong);
        self.asked += decoded.doubts.len();
        if let Some(first) = decoded.readings.first() {
            self.plies += game.coords.len();
            let right =
                first.plies.iter().zip(&game.coords).filter(|(ply, coord)| ply.known() == Some(coord));
            self.plies_right += right.count();
            if let Some(dropped) = dropped {
                let at = first.plies.iter().position(|ply| ply.change == Change::Missing);
                self.named += usize::from(at == Some(dropped));
            }
        }
        if show && (is_wrong || !is_exact) {
            println!("{} {text}", if is_wrong { "WRONG" } else { "missed" });
            let truth = game.coords.join(" ");
            println!("  meant {truth}");
            for reading in &decoded.readings {
                let changes: Vec<String> = reading.changes().map(|ply| ply.to_string()).collect();
                println!("  {} {}", reading.cost, changes.join("; "));
            }
        }
    }

    fn print(&mut self, games: usize) {
        self.times.sort();
        let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        let time = |share: f64| {
            let at = ((self.times.len() as f64 * share) as usize).min(self.times.len() - 1);
            self.times[at].as_secs_f64() * 1e3
        };
        println!(
            "{games} games: exact {:.1} %, among the readings {:.1} %, certain {:.1} %, certain and wrong {:.2} %",
            share(self.exact, games),
            share(self.among, games),
            share(self.certain, games),
            share(self.wrong, games),
        );
        println!(
            "plies right {:.2} %, in doubt {:.2} %, gap at its place {:.1} %, failed {}",
            share(self.plies_right, self.plies),
            share(self.asked, self.plies),
            share(self.named, games),
            self.failed,
        );
        println!("ms: median {:.1}, p99 {:.1}, most {:.1}", time(0.5), time(0.99), time(1.0));
    }
}

/// Decodes legal records as they are, and lists those that change.
fn undamaged(files: &[String]) {
    let mut replayer = Replayer::new(Registry::built_in(), replay::Options::default());
    let (mut records, mut changed, mut certain) = (0, 0, 0);
    for file in files {
        let bytes = std::fs::read(file).expect("a file");
        for record in read(&bytes, 0) {
            let source = Source::new(&bytes, 0, 0);
            let Ok(found) = trace(&mut replayer, &record, &source, 0) else { continue };
            if !found.report().legal || found.report().plies == 0 {
                continue;
            }
            let meant = with_trace!(&found, |trace| coords_of(trace));
            records += 1;
            let decoded = decode(&mut replayer, &record, &Options::default(), &Budget::unlimited());
            let read: Option<Vec<String>> = decoded.as_ref().ok().and_then(|decoded| {
                certain += usize::from(decoded.certain);
                let first = decoded.readings.first()?;
                Some(first.plies.iter().map(|ply| ply.known().unwrap_or("-").to_owned()).collect())
            });
            if read.as_ref() != Some(&meant) {
                changed += 1;
                let read = read.unwrap_or_default();
                let at = read.iter().zip(&meant).take_while(|(one, other)| one == other).count();
                println!(
                    "{file}: {} ply {}: {:?} for {:?}",
                    found.report().variant,
                    at + 1,
                    read.get(at),
                    meant.get(at)
                );
            }
        }
    }
    println!("{records} records, {changed} changed, {certain} certain");
}

/// The plies of a game in coordinate notation.
fn coords_of<M: Mask>(trace: &Trace<M>) -> Vec<String> {
    let mut position = trace.position(0);
    let mut coords = Vec::new();
    for (index, traced) in trace.plies.iter().enumerate() {
        let mut text = String::new();
        coord::write(position.rules(), &traced.ply, &mut text);
        coords.push(text);
        trace.make(index, &mut position);
    }
    coords
}

/// The first plies of games in a file, taken at random.
fn games_of(file: &str, games: usize, plies: usize, random: &mut Random) -> Vec<Played> {
    let bytes = std::fs::read(file).expect("a file");
    let records: Vec<Record<'_>> = read(&bytes, 0).collect();
    let mut replayer = Replayer::new(Registry::built_in(), replay::Options::default());
    let mut played = Vec::new();
    while played.len() < games {
        let record = &records[random.below(records.len())];
        let source = Source::new(&bytes, 0, 0);
        let Ok(found) = trace(&mut replayer, record, &source, 0) else { continue };
        let report = found.report();
        if report.plies < plies || !report.legal {
            continue;
        }
        let tokens: Vec<String> =
            record.main_moves().take(plies).map(|(_, item)| record.text(item).into_owned()).collect();
        let mut coords = with_trace!(&found, |trace| coords_of(trace));
        coords.truncate(plies);
        let variant = record.tag("Variant").filter(|_| record.tag("FEN").is_none());
        if record.tag("FEN").is_some() || tokens.len() < plies {
            continue;
        }
        let tags = variant.map_or_else(String::new, |name| format!("[Variant \"{name}\"]\n\n"));
        played.push(Played { tokens, coords, tags });
    }
    played
}

/// Random games of a variant, in its own style.
fn random_games(variant: &str, games: usize, plies: usize, random: &mut Random) -> Vec<Played> {
    let rules = Rules::named(variant).expect("a variant");
    let mut played = Vec::new();
    while played.len() < games {
        let mut game = Game::start(&rules);
        let mut tokens = Vec::new();
        while tokens.len() < plies && game.end().is_none() {
            let position = game.position();
            let legal = position.plies();
            if legal.is_empty() {
                break;
            }
            let ply = legal[random.below(legal.len())];
            let Ok(text) = position.write(&ply, Style::San) else { break };
            if game.play(&text).is_err() {
                break;
            }
            tokens.push(text);
        }
        if tokens.len() == plies {
            let tags = format!("[Variant \"{variant}\"]\n\n");
            played.push(Played { tokens, coords: game.coords(), tags });
        }
    }
    played
}
