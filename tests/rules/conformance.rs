//! The rules against cases from outside: legal plies, positions, illegal plies, node counts, sample games.
//!
//! The cases are those of `fixtures/conformance`; each says which rules it is about and what must come out.

use crate::common::{
    coord_of, json, json_lines, legal_texts, play, ply_of, report, rules_of, start_of, texts, with_rules,
};
use ferz::board::Mask;
use ferz::position::Position;
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::{Registry, Rules};
use serde_json::Value;
use std::sync::Arc;

/// Replays one case; the first thing that is wrong.
fn replay<M: Mask>(rules: Arc<Rules<M>>, case: &Value) -> Result<(), String> {
    let mut position = start_of(rules, case)?;
    let moves = texts(&case["moves"]);
    let illegal_at = case["illegal_at"].as_u64();
    for played in 0..=moves.len() {
        position
            .check_invariants()
            .map_err(|error| format!("after ply {played}: {error} in {}", position.fen()))?;
        check(&position, case, played)?;
        let Some(text) = moves.get(played) else { break };
        let number = played + 1;
        match (ply_of(&position, text), illegal_at == Some(number as u64)) {
            (Some(ply), false) => position.apply(&ply),
            (None, true) => return Ok(()),
            (Some(_), true) => {
                let why = &case["why"];
                return Err(format!(
                    "ply {number}: `{text}` is legal, but should not be ({why}) in {}",
                    position.fen()
                ));
            }
            (None, false) => {
                return Err(format!(
                    "ply {number}: `{text}` is not legal, but should be, in {}",
                    position.fen()
                ));
            }
        }
    }
    if let Some(ply) = illegal_at {
        return Err(format!("the illegal ply {ply} was never reached"));
    }
    Ok(())
}

/// Compares the end that a case names, or that there is none, with the report on its legal plies as a record. True if
/// the case names an end.
fn check_end(case: &Value) -> Result<bool, String> {
    let Some(wanted) = case.get("end") else { return Ok(false) };
    let moves = texts(&case["moves"]);
    let illegal_at = case["illegal_at"].as_u64().and_then(|ply| usize::try_from(ply).ok());
    let legal = illegal_at.map_or(&moves[..], |ply| &moves[..ply - 1]);
    let tags = case["tags"].as_object().into_iter().flatten();
    let tags = tags.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    let tags = tags.chain(case["variant"].as_str().map(|variant| ("Variant", variant)));
    let tags = tags.chain(case["fen"].as_str().map(|fen| ("FEN", fen)));
    let tags: String = tags.map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    let text = format!("{tags}\n{} *\n", legal.join(" "));
    let record = read(text.as_bytes(), 0).next().ok_or("no record")?;
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let report = replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0);
    if report.plies != legal.len() {
        return Err(format!("the record has {} legal plies, not {}", report.plies, legal.len()));
    }
    let found = serde_json::to_value(report.end).map_err(|error| error.to_string())?;
    if found != *wanted {
        return Err(format!("the end is {found}, not {wanted}"));
    }
    Ok(!wanted.is_null())
}

/// The checks of a case that are due after `played` plies.
fn check<M: Mask>(position: &Position<M>, case: &Value, played: usize) -> Result<(), String> {
    let none = Vec::new();
    let due = case["checks"].as_array().unwrap_or(&none).iter().filter(|check| check["ply"] == played as u64);
    for check in due {
        let fen = position.fen();
        let wanted = [check["fen"].as_str(), check["fen_alt"].as_str()];
        // Without a position, the legal plies alone are compared.
        if wanted[0].is_some() && !wanted.contains(&Some(&fen)) {
            return Err(format!(
                "after ply {played}: the position is\n    {fen}\n  and should be\n    {}",
                check["fen"]
            ));
        }
        let (wanted, found) = (texts(&check["legal"]), legal_texts(position));
        let missing: Vec<&&str> = wanted.iter().filter(|text| !found.iter().any(|f| f == *text)).collect();
        let extra: Vec<&String> = found.iter().filter(|text| !wanted.contains(&text.as_str())).collect();
        if found != wanted {
            return Err(format!("after ply {played}: missing {missing:?}, too many {extra:?} in {fen}"));
        }
    }
    Ok(())
}

fn replay_all(file: &str) {
    let cases = json_lines(&format!("conformance/{file}"));
    let findings: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let outcome = rules_of(case).and_then(|rules| with_rules!(rules, rules => replay(rules, case)));
            outcome.err().map(|error| format!("{}: {error}", case["id"]))
        })
        .collect();
    report(file, cases.len(), &findings);
}

#[test]
fn games_end_as_the_cases_say() {
    let (mut ends, mut findings) = (0, Vec::new());
    for file in [
        "augmented",
        "chaos",
        "chaos_antiking",
        "chaos_magicians",
        "chaos_palaces",
        "iago",
        "ichess",
        "ingols",
        "lichess",
        "shatranj_makruk",
        "antiking",
        "magicians_deathmatch",
        "shogi",
        "xiangqi",
        "janggi",
    ] {
        for case in json_lines(&format!("conformance/{file}.jsonl")) {
            match check_end(&case) {
                Ok(has_end) => ends += usize::from(has_end),
                Err(error) => findings.push(format!("{}: {error}", case["id"])),
            }
        }
    }
    report("ends", ends, &findings);
    assert_eq!(ends, 135);
}

#[test]
fn chess_and_iago() {
    replay_all("iago.jsonl");
}

#[test]
fn ichess() {
    replay_all("ichess.jsonl");
}

#[test]
fn ingols() {
    replay_all("ingols.jsonl");
}

#[test]
fn augmented() {
    replay_all("augmented.jsonl");
}

#[test]
fn shatranj_and_makruk() {
    replay_all("shatranj_makruk.jsonl");
}

#[test]
fn antiking() {
    replay_all("antiking.jsonl");
}

#[test]
fn magicians_deathmatch() {
    replay_all("magicians_deathmatch.jsonl");
}

#[test]
fn lichess() {
    replay_all("lichess.jsonl");
}

#[test]
fn shogi() {
    replay_all("shogi.jsonl");
}

/// Positions of a generator that was written from the articles alone.
#[test]
fn omega() {
    replay_all("omega.jsonl");
}

#[test]
fn xiangqi() {
    replay_all("xiangqi.jsonl");
}

#[test]
fn janggi() {
    replay_all("janggi.jsonl");
}

#[test]
fn chaos() {
    replay_all("chaos.jsonl");
    replay_all("chaos_antiking.jsonl");
    replay_all("chaos_magicians.jsonl");
    replay_all("chaos_palaces.jsonl");
}

/// Leaves of the tree of legal plies.
fn perft<M: Mask>(position: &mut Position<M>, depth: u64) -> u64 {
    let plies = position.plies();
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return plies.len() as u64;
    }
    plies.iter().fold(0, |nodes, ply| {
        let undo = position.apply_undoable(ply);
        let below = perft(position, depth - 1);
        position.undo(&undo);
        nodes + below
    })
}

fn count<M: Mask>(rules: Arc<Rules<M>>, case: &Value) -> Result<(), String> {
    let mut position = start_of(rules, case)?;
    play(&mut position, &texts(&case["moves"]))?;
    let (depth, wanted) = (case["depth"].as_u64().unwrap_or_default(), case["nodes"].as_u64());
    let found = perft(&mut position, depth);
    if Some(found) == wanted {
        return Ok(());
    }
    let divided: Vec<String> = position
        .plies()
        .iter()
        .map(|ply| {
            let undo = position.apply_undoable(ply);
            let below = perft(&mut position, depth - 1);
            position.undo(&undo);
            format!("{} {below}", coord_of(&position, ply))
        })
        .collect();
    Err(format!(
        "{found} nodes at depth {depth}, not {} in {}\n    {}",
        case["nodes"],
        position.fen(),
        divided.join(", ")
    ))
}

#[test]
fn node_counts() {
    let cases = json("conformance/perft.json");
    let cases = cases.as_array().map_or(&[][..], Vec::as_slice);
    let findings: Vec<String> = cases
        .iter()
        .enumerate()
        .filter_map(|(index, case)| {
            let outcome = rules_of(case).and_then(|rules| with_rules!(rules, rules => count(rules, case)));
            outcome.err().map(|error| format!("#{index} {}: {error}", case["variant"]))
        })
        .collect();
    report("perft.json", cases.len(), &findings);
}

/// The position and the check after every ply of a game.
fn follow<M: Mask>(rules: Arc<Rules<M>>, game: &Value) -> Result<usize, String> {
    let mut position = start_of(rules, game)?;
    let start = position.fen();
    if game["start"] != start.as_str() {
        return Err(format!("the game starts from {start}, not {}", game["start"]));
    }
    let none = Vec::new();
    let plies = game["plies"].as_array().unwrap_or(&none);
    for entry in plies {
        let (number, text) = (&entry["ply"], entry["coord"].as_str().unwrap_or_default());
        play(&mut position, &[text]).map_err(|error| format!("ply {number}: {error}"))?;
        let fen = position.fen();
        if entry["fen"] != fen.as_str() {
            return Err(format!("ply {number}, {text}: the position is {fen}, not {}", entry["fen"]));
        }
        if entry["check"] != position.in_check() {
            return Err(format!(
                "ply {number}, {text}: check is {}, not {}",
                position.in_check(),
                entry["check"]
            ));
        }
    }
    let moves: Vec<&str> = plies.iter().filter_map(|entry| entry["coord"].as_str()).collect();
    if moves != texts(&game["moves"]) {
        return Err("`moves` and `plies` are not the same game".into());
    }
    Ok(plies.len())
}

#[test]
fn ichess_sample_game() {
    let game = json("conformance/ichess_sample.json");
    let outcome = rules_of(&game).and_then(|rules| with_rules!(rules, rules => follow(rules, &game)));
    assert_eq!(outcome, Ok(69));
}

fn play_to<M: Mask>(rules: Arc<Rules<M>>, game: &Value) -> Result<(), String> {
    let mut position = start_of(rules, game)?;
    play(&mut position, &texts(&game["moves"]))?;
    let fen = position.fen();
    if game["fen_after"] == fen.as_str() {
        return Ok(());
    }
    Err(format!("the game leads to {fen}, not {}", game["fen_after"]))
}

/// Chaos's Chess in its inventor's notation; here the coordinates, and the position that they lead to.
#[test]
fn chaos_native_games() {
    let games = json("conformance/chaos_native.json");
    let games = games.as_array().map_or(&[][..], Vec::as_slice);
    let findings: Vec<String> = games
        .iter()
        .filter_map(|game| {
            let mut game = game.clone();
            // In these cases `fen` is the position after the moves.
            game["fen_after"] = game["fen"].take();
            let outcome =
                rules_of(&game).and_then(|rules| with_rules!(rules, rules => play_to(rules, &game)));
            outcome.err().map(|error| format!("{}: {error}", game["id"]))
        })
        .collect();
    report("chaos_native.json", games.len(), &findings);
}
