//! What is legal is decoded as it is, and what is decoded is legal.

use crate::common::BUILT_IN;
use crate::games::{exists, replayer};
use crate::pairs::{native_records, random_record};
use crate::random::Random;
use crate::scaled;
use ferz::decode::{Decoded, Reading, decode, record_of};
use ferz::notation::coord;
use ferz::record::{Record, read};
use ferz::replay::{Options, Source, trace, with_trace};
use ferz::text::Budget;

fn decoded(record: &Record<'_>) -> Option<Decoded> {
    let options = ferz::decode::Options::default();
    decode(&mut replayer(Options::default()), record, &options, &Budget::unlimited()).ok()
}

/// The plies of a record in coordinate notation; `None` if it is not legal throughout.
fn plies(text: &str) -> Option<Vec<String>> {
    let record = read(text.as_bytes(), 0).next()?;
    let source = Source::new(text.as_bytes(), 0, 0);
    let found = trace(&mut replayer(Options::default()), &record, &source, 0).ok()?;
    found.report().legal.then(|| {
        with_trace!(&found, |trace| {
            let mut position = trace.position(0);
            let plies = trace.plies.iter().enumerate().map(|(index, traced)| {
                let mut text = String::new();
                coord::write(position.rules(), &traced.ply, &mut text);
                trace.make(index, &mut position);
                text
            });
            plies.collect()
        })
    })
}

fn known(reading: &Reading) -> Vec<&str> {
    reading.plies.iter().map(|ply| ply.known().unwrap_or("-")).collect()
}

/// All games, and Nature over some.
fn games() -> Vec<String> {
    let natures = ["chess", "ichess", "crazyhouse", "xiangqi"].map(|game| format!("chaos+{game}"));
    let games = BUILT_IN.iter().map(|game| (*game).to_owned()).chain(natures);
    games.filter(|game| exists(game)).collect()
}

#[test]
fn legal_records_are_decoded_as_they_are() {
    let mut records = 0;
    for variant in games() {
        let natives = native_records(&variant).into_iter().take(scaled(2));
        for text in std::iter::once(random_record(&variant, 7)).chain(natives) {
            let Some(meant) = plies(&text).filter(|plies| !plies.is_empty()) else { continue };
            let record = read(text.as_bytes(), 0).next().expect("a record");
            let decoded = decoded(&record).unwrap_or_else(|| panic!("{variant}: no reading\n{text}"));
            assert_eq!(known(&decoded.readings[0]), meant, "{variant}\n{text}");
            records += 1;
        }
    }
    assert!(records > 60, "{records}");
}

/// One character of some tokens is another one, is missing, or is there twice.
fn spoil(text: &str, random: &mut Random) -> String {
    let (tags, moves) = text.split_once("\n\n").expect("tags and moves");
    let mut spoiled: Vec<char> = moves.chars().collect();
    for _ in 0..3 {
        let at = random.below(spoiled.len());
        match random.below(3) {
            _ if spoiled[at].is_whitespace() || spoiled.len() < 3 => {}
            0 => spoiled[at] = *random.pick(&['a', 'c', 'e', '1', '3', '7', 'N', 'Q', 'l', 'x']),
            1 => {
                spoiled.remove(at);
            }
            _ => spoiled.insert(at, spoiled[at]),
        }
    }
    format!("{tags}\n\n{}", spoiled.into_iter().collect::<String>())
}

/// Each reading is a legal game up to its first gap, written so that it is read back, and costs no less than the one
/// before it.
#[test]
fn what_is_decoded_is_legal() {
    let (mut records, mut whole) = (0, 0);
    for variant in games() {
        let mut random = Random::new(&variant, 19);
        for number in 0..scaled(2) {
            let text = spoil(&random_record(&variant, number as u64), &mut random);
            let Some(record) = read(text.as_bytes(), 0).next() else { continue };
            let Some(decoded) = decoded(&record) else { continue };
            records += 1;
            whole += usize::from(decoded.readings.first().is_some_and(|reading| !reading.has_gaps()));
            assert!(decoded.readings.is_sorted_by_key(|reading| reading.cost), "{variant}\n{text}");
            for reading in decoded.readings.iter().take(3) {
                let written = record_of(&record, reading, "*");
                let meant: Vec<&str> = known(reading).into_iter().take_while(|ply| *ply != "-").collect();
                let read = plies(&written).unwrap_or_else(|| panic!("{variant}: illegal\n{text}\n{written}"));
                assert_eq!(read, meant, "{variant}\n{text}\n{written}");
            }
        }
    }
    assert!(records > 50 && whole * 2 > records, "{records} {whole}");
}
