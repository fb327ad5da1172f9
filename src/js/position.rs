//! Positions that never change: each ply makes another.

use super::desk::Games;
use super::{thrown, value};
use ferz::board::Owner;
use ferz::{Game, Man, Position as Core};
use serde_json::json;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// A position of a game, with the plies that led to it.
#[wasm_bindgen]
#[derive(Debug, Clone)]
pub struct Position {
    game: Game,
    now: Core,
}

impl From<Game> for Position {
    fn from(game: Game) -> Position {
        Position { now: game.position(), game }
    }
}

fn name(owner: Owner) -> String {
    owner.name().to_lowercase()
}

fn letters(men: &[Man]) -> Vec<String> {
    men.iter().map(Man::to_string).collect()
}

#[wasm_bindgen]
impl Position {
    /// The start of a game, or a position by its FEN; `tags` is an object in JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(games: &Games, variant: &str, fen: Option<String>, tags: &str) -> Result<Position, JsValue> {
        let mut tags: BTreeMap<String, String> =
            serde_json::from_str(tags).map_err(|fault| thrown("FerzError", &format!("tags: {fault}"), ()))?;
        if let Some(fen) = &fen {
            tags.insert("FEN".to_owned(), fen.clone());
        }
        let tags: Vec<(&str, &str)> = tags.iter().map(|(name, value)| (&**name, &**value)).collect();
        let rules = games.0.rules(variant, &tags);
        let rules = rules.map_err(|fault| thrown("UnknownGame", &fault.to_string(), ()))?;
        let position = match &fen {
            None => Core::start(&rules),
            Some(fen) => Core::from_fen(&rules, fen).map_err(|fault| {
                thrown("BadPosition", &fault.to_string(), json!({ "field": fault.field }))
            })?,
        };
        Ok(Game::from_position(position).into())
    }

    /// The position after a ply in any style.
    pub fn play(&self, text: &str) -> Result<Position, JsValue> {
        let mut game = self.game.clone();
        match game.play(text) {
            Ok(_) => Ok(game.into()),
            Err(fault) => {
                let fault = self.now.shown_fault(&fault);
                Err(thrown("IllegalPly", &fault.to_string(), &fault))
            }
        }
    }

    /// The position before the last ply; nothing at the start.
    pub fn undo(&self) -> Option<Position> {
        let mut game = self.game.clone();
        game.undo()?;
        Some(game.into())
    }

    /// The legal plies of all who may act; from a square, if one is given.
    pub fn moves(&self, from: Option<String>) -> Result<JsValue, JsValue> {
        let plies = self.game.legal_plies();
        let all = plies.iter().map(|ply| self.now.shown(ply));
        value(&all.filter(|ply| from.is_none() || ply.from == from).collect::<Vec<_>>())
    }

    /// The plies so far, in coordinate notation.
    pub fn plies(&self) -> Vec<String> {
        self.game.coords()
    }

    /// All that is seen at once: FEN, player on move, actors, pieces, stocks, checks, end, claims.
    pub fn seen(&self) -> Result<JsValue, JsValue> {
        let now = &self.now;
        let pieces: BTreeMap<String, String> =
            now.pieces().into_iter().map(|(square, man)| (square, man.to_string())).collect();
        let stock = |of: fn(&Core, Owner) -> Vec<Man>| {
            let [white, black] = Owner::REAL.map(|owner| letters(&of(now, owner)));
            json!({ "white": white, "black": black })
        };
        let rules = now.rules();
        value(&json!({
            "fen": now.fen(),
            "variant": rules.id().name,
            "rules": rules.id(),
            "turn": name(now.turn()),
            "actors": self.game.actors().into_iter().map(name).collect::<Vec<_>>(),
            "inCheck": now.in_check(),
            "checkers": now.checkers(),
            "pieces": pieces,
            "hands": stock(Core::hand),
            "reserves": stock(Core::reserve),
            "end": self.game.end(),
            "claimable": self.game.claims(),
            "identity": String::from_utf8_lossy(&now.identity()),
        }))
    }

    /// The number of sequences of so many legal plies.
    pub fn perft(&self, depth: u32) -> f64 {
        self.now.perft(depth) as f64
    }

    /// A drawing that needs no other file.
    pub fn svg(&self) -> String {
        self.now.svg()
    }

    /// The position as text for people.
    pub fn drawn(&self) -> String {
        self.now.drawn()
    }
}
