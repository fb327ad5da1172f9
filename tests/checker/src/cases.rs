//! Compares what is known here of the games with cases of legal plies: one JSON object a line, as in
//! `fixtures/conformance`.

use crate::definition::Definitions;
use crate::game::Game;
use crate::plies::name;
use crate::position::Position;
use serde_json::Value;
use std::collections::BTreeMap;

/// What came out: positions compared, and cases of games that are not known here, by reason.
#[derive(Default)]
pub struct Compared {
    pub positions: BTreeMap<String, usize>,
    pub not_covered: BTreeMap<String, usize>,
    pub different: Vec<String>,
}

impl Compared {
    /// Compares one case.
    pub fn take(&mut self, definitions: &Definitions, case: &Value) {
        let name = case["variant"].as_str().unwrap_or_default().to_owned();
        let tag = |tag: &str| case["tags"][tag].as_str().map(str::to_owned);
        let game = match Game::of(definitions, &name, &tag) {
            Ok(game) => game,
            Err(field) => return *self.not_covered.entry(format!("{name}: {field}")).or_default() += 1,
        };
        let fen = case["fen"].as_str().map(str::to_owned).or_else(|| tag("FEN"));
        let start = fen.map_or_else(|| Position::array(&game), |fen| Position::read(&game, &fen));
        let outcome = start.and_then(|start| self.replay(&game, start, case, &name));
        if let Err(why) = outcome {
            self.different.push(format!("{}: {why}", case["id"].as_str().unwrap_or_default()));
        }
    }

    fn replay(&mut self, game: &Game, start: Position, case: &Value, variant: &str) -> Result<(), String> {
        let mut position = start;
        let moves = case["moves"].as_array().map(Vec::as_slice).unwrap_or_default();
        let illegal = case["illegal_at"].as_u64();
        for ply in 0..=moves.len() {
            let checks = case["checks"].as_array().into_iter().flatten();
            for check in checks.filter(|check| check["ply"].as_u64() == Some(ply as u64)) {
                let wanted: Vec<&str> =
                    check["legal"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let over = position.end(game).is_some();
                let plies = if over { Vec::new() } else { position.plies(game) };
                let mut found: Vec<String> =
                    plies.iter().map(|ply| name(game, position.white, ply)).collect();
                found.sort_unstable();
                if found != wanted {
                    let more: Vec<&String> =
                        found.iter().filter(|ply| !wanted.contains(&ply.as_str())).collect();
                    let less: Vec<&&str> =
                        wanted.iter().filter(|ply| !found.iter().any(|one| one == **ply)).collect();
                    return Err(format!("after ply {ply}: too many {more:?}, missing {less:?}"));
                }
                *self.positions.entry(variant.to_owned()).or_default() += 1;
            }
            let Some(text) = moves.get(ply).and_then(Value::as_str) else { break };
            let over = position.end(game).is_some();
            let named = position.named(game, text).filter(|_| !over);
            match named {
                _ if illegal == Some(ply as u64 + 1) => {
                    return named.map_or(Ok(()), |_| Err(format!("ply {}: {text} is legal here", ply + 1)));
                }
                Some(named) => position = position.after(game, &named),
                None => return Err(format!("ply {}: {text} is not legal here", ply + 1)),
            }
        }
        Ok(())
    }
}
