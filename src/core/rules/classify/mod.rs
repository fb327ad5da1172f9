//! Classifies games by the IAGO Chess System, and checks whether their equipment suffices (IAV 1 to IAV 8).
//!
//! The definition of play decides on A-, B-, C- and M-Class, never the name: a copy of B-Class under another name is
//! B-Class. V-Class is for what is codified under standardized names: the built-in games and mutators. Everything else
//! is its author's own game, X-Class.
//!
//! ```
//! use ferz_core::rules::Registry;
//! use ferz_core::rules::classify::{Class, Equipment, classify};
//! let (definition, _) = Registry::built_in().definition("misere+chess", &|_| None)?;
//! let found = classify(&definition, "misere+chess");
//! assert_eq!(found.class, Class::AV);
//! assert!(matches!(found.equipment, Equipment::Violates { .. }));
//! # Ok::<(), ferz_core::rules::RegistryError>(())
//! ```

mod equipment;
#[cfg(test)]
mod tests;

pub use equipment::{Cause, Equipment, Lack};

use super::definition::{CapturesTo, Definition, DeploymentKind, PieceSection, PromotionTo};
use super::load::PROSE;
use super::registry::Registry;
use crate::pieces::betza::{self, Betza};
use serde::Serialize;
use std::fmt;
use toml::{Table, Value};

/// A class of the IAGO Chess System.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Class {
    /// FIDE chess.
    A,
    /// Chess with Marshall and Cardinal in reserve (IAB).
    B,
    /// B-Class with the queen's square empty (IAC).
    C,
    /// C-Class with annual editions (IAM).
    M,
    /// A codified game that can be played with an ordinary chess set (IAV 2).
    AV,
    /// A codified game or mutator (IAV 1, IAV 3).
    V,
    /// Its author's own game (IAV 6).
    X,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The result of [`classify`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Classification {
    /// The class.
    pub class: Class,
    /// The deciding clause: the article's id, a colon, and a sentence.
    pub clause: String,
    /// Whether the equipment suffices in every legal game (IAV 7).
    pub equipment: Equipment,
}

/// Classifies the merged `definition` of the game `name`, with mutators before it (IAV 8).
pub fn classify(definition: &Definition, name: &str) -> Classification {
    let (class, clause) = class(definition, name);
    Classification { class, clause, equipment: equipment::check(definition) }
}

/// The class and the deciding clause.
pub(super) fn class(definition: &Definition, name: &str) -> (Class, String) {
    if is_chess(definition) {
        let clause = "FIDE 2.3: board, array, pieces and endings are those of the FIDE Laws (A-Class)";
        return (Class::A, clause.into());
    }
    iago_chess(definition)
        .or_else(|| codified(definition, name))
        .unwrap_or_else(|| own_game(definition, name))
}

/// A definition's rules of play as a table: without prose, names and editions.
fn play(definition: &Definition) -> Table {
    let Ok(Value::Table(mut table)) = Value::try_from(definition) else { return Table::new() };
    strip(&mut table);
    // The order of letters is notation; the switches of Nature are chosen by the record (CHA-15).
    table.remove("stock-order");
    if let Some(Value::Table(nature)) = table.get_mut("nature") {
        ["king", "castling", "pawn"].iter().for_each(|switch| drop(nature.remove(*switch)));
    }
    table
}

fn strip(table: &mut Table) {
    table.retain(|key, _| !PROSE.contains(&key) && key != "name" && key != "edition");
    table.iter_mut().for_each(|(_, value)| {
        if let Value::Table(inner) = value {
            strip(inner);
        }
    });
}

/// A built-in definition; `None` if the game or the edition does not exist.
fn built_in(name: &str, edition: &str) -> Option<Definition> {
    let tags = |tag: &str| (tag == "RulesEdition" && !edition.is_empty()).then(|| edition.to_owned());
    Registry::built_in().definition(name, &tags).ok().map(|(definition, _)| definition)
}

fn is_chess(definition: &Definition) -> bool {
    let without_equipment = |definition: &Definition| {
        let mut table = play(definition);
        table.remove("equipment");
        table
    };
    built_in("chess", "").is_some_and(|chess| without_equipment(&chess) == without_equipment(definition))
}

/// What B-, C- and M-Class share with chess: everything except array, reserve, and how the reserve enters and relates
/// to promotions and captured pieces, which the inventor calls mutable.
fn frame(definition: &Definition) -> Table {
    let mut table = play(definition);
    for mutable in ["gating", "drops", "deployment", "equipment", "setup", "captures"] {
        table.remove(mutable);
    }
    if let Some(Value::Table(promotion)) = table.get_mut("promotion") {
        ["to", "kinds"].iter().for_each(|field| drop(promotion.remove(*field)));
    }
    if let Some(Value::Table(pieces)) = table.get_mut("pieces") {
        pieces.retain(|letter, _| "KQRBNP".contains(letter));
    }
    table
}

/// Recognises B-, C- and M-Class by their fields.
fn iago_chess(definition: &Definition) -> Option<(Class, String)> {
    let chess = built_in("chess", "")?;
    if definition.setup.from_record || frame(&chess) != frame(definition) {
        return None;
    }
    let limited = definition.promotion.to == PromotionTo::Pool && definition.drops.hand.trim() == "none";
    let has = |needed: &[&str]| holds(definition, needed);
    let array = definition.setup.board.as_str();
    let without_queens = chess.setup.board.replace(['q', 'Q'], "1");
    let deploys =
        definition.deployment.kind == DeploymentKind::Opening && definition.deployment.square == "d1";
    let has_reserve = !definition.setup.reserve.is_empty();
    let (class, clause, pattern) = if array == chess.setup.board
        && definition.deployment.kind == DeploymentKind::None
        && has_reserve
    {
        if limited && has(&["RN", "BN"])? {
            let clause = "IAB 1: the array of chess, a Marshall and a Cardinal in reserve, and promotion to \
                captured or reserved pieces";
            (Class::B, clause, "iago-b")
        } else if matches!(equipment::check(definition), Equipment::Complies { .. }) {
            let clause = "IAB 1, IAB 3: the array of chess and a reserve, with equipment that suffices";
            (Class::B, clause, "iago-b")
        } else {
            return None;
        }
    } else if array == without_queens && deploys && limited {
        let amazon = has(&["Q", "RN", "BN", "QN"])?;
        if has(&["Q", "RN", "BN"])? && !definition.editions_change {
            (
                Class::C,
                "IAC 2: the queen's square starts empty, and queen, Marshall or Cardinal is deployed there",
                "iago-c",
            )
        } else if amazon {
            (Class::M, "IAM 1: C-Class with an Amazon in reserve", "iago-m")
        } else if definition.editions_change && includes(definition, &["Q", "RN", "BN"]) {
            (Class::M, "IAM-2: C-Class as it changes from edition to edition", "iago-m")
        } else {
            return None;
        }
    } else {
        return None;
    };
    let as_published = built_in(pattern, "").is_some_and(|published| play(&published) == play(definition));
    let varied = if as_published { "" } else { ", varied in parts that the inventor calls mutable" };
    Some((class, format!("{clause}{varied}")))
}

/// The movements of the pieces in reserve; `None` if one cannot be read.
fn reserve(definition: &Definition) -> Option<Vec<Betza>> {
    let movement = |letter: char| {
        let piece = definition.pieces.get(&letter.to_string()).filter(|piece| piece.terms.is_empty())?;
        betza::parse(&piece.betza).ok()
    };
    definition.setup.reserve.chars().map(movement).collect()
}

/// Whether the reserve is one piece of each of the movements `needed`; `None` if it cannot be read.
fn holds(definition: &Definition, needed: &[&str]) -> Option<bool> {
    Some(reserve(definition)?.len() == needed.len() && includes(definition, needed))
}

fn includes(definition: &Definition, needed: &[&str]) -> bool {
    let Some(held) = reserve(definition) else { return false };
    needed.iter().all(|text| betza::parse(text).is_ok_and(|movement| held.contains(&movement)))
}

/// The class that a game of an author's own has once its rules are codified, and the deciding clause (IAV 1, IAV 2).
pub fn class_once_codified(definition: &Definition) -> (Class, String) {
    match beyond_a_chess_set(definition) {
        None => (Class::AV, "IAV 2: it is set up from a chess set".into()),
        Some(need) => (Class::V, format!("IAV 1; no AV (IAV 2): {need}")),
    }
}

/// AV and V: the built-in game of exactly this name, unchanged.
fn codified(definition: &Definition, name: &str) -> Option<(Class, String)> {
    let original = built_in(name, &definition.edition)?;
    if play(&original) != play(definition) {
        return None;
    }
    let name = Registry::built_in().canonical_name(name).ok()?;
    let mutated = name.contains('+');
    Some(match beyond_a_chess_set(definition) {
        None if mutated => (
            Class::AV,
            format!(
                "IAV 2: `{name}` applies a codified mutator (IAV 3) to a codified game, and is set up from a \
                    chess set"
            ),
        ),
        None => (
            Class::AV,
            format!("IAV 2: `{name}` is codified under that name, and is set up from a chess set"),
        ),
        Some(need) if mutated => {
            let clause =
                format!("IAV 3: `{name}` applies a codified mutator to a codified game; no AV (IAV 2):");
            (Class::V, format!("{clause} {need}"))
        }
        Some(need) => {
            (Class::V, format!("IAV 1: `{name}` is codified under that name; no AV (IAV 2): {need}"))
        }
    })
}

/// The first thing that a game needs and a chess set with its board does not provide. Promotion does not count: chess
/// itself needs a second queen, and the equipment rule answers that (IAV 7). So a kind that exists only by promotion
/// and is captured as a pawn, a turned pawn, is not a separate piece.
fn beyond_a_chess_set(definition: &Definition) -> Option<String> {
    const SET: [(&str, usize); 6] = [("K", 1), ("Q", 1), ("R", 2), ("B", 2), ("N", 2), ("P", 8)];
    let board = &definition.board;
    if (board.files, board.ranks) != (8, 8) {
        return Some(format!("it needs a board of {} by {}", board.files, board.ranks));
    }
    if definition.nature.enabled {
        return Some("it needs pieces for a third player (CHA 2)".into());
    }
    let turned_over = |letter: &str, piece: &PieceSection| {
        let captured = piece.captured_as.as_deref().and_then(|letter| definition.pieces.get(letter));
        let setup = &definition.setup;
        let at_hand = [&setup.board.to_uppercase(), &setup.reserve, &setup.hand];
        captured.is_some_and(|captured| captured.pawn) && at_hand.iter().all(|text| !text.contains(letter))
    };
    let unknown = |letter: &str| SET.iter().all(|(known, _)| *known != letter);
    let beyond =
        definition.pieces.iter().filter(|(letter, piece)| unknown(letter) && !turned_over(letter, piece));
    let beyond: Vec<String> = beyond.map(|(letter, piece)| format!("{} ({letter})", piece.name)).collect();
    if !beyond.is_empty() {
        return Some(format!("it needs pieces that a chess set lacks: {}", beyond.join(", ")));
    }
    if definition.captures.to == CapturesTo::Hand {
        return Some("it needs pieces that change sides, which those of a chess set cannot".into());
    }
    if !definition.armies.slots.is_empty() {
        return Some("it needs pieces that distinguish the kinds of the two armies".into());
    }
    let setup = &definition.setup;
    SET.iter().find_map(|(letter, owned)| {
        let count = |text: &str, letter: &str| text.matches(letter).count();
        let beside = count(&setup.reserve, letter) + count(&setup.hand, letter);
        let most = count(&setup.board, letter).max(count(&setup.board, &letter.to_lowercase())) + beside;
        (most > *owned).then(|| format!("it needs {most} pieces of kind {letter} for each side"))
    })
}

/// X: the author's own game.
fn own_game(definition: &Definition, name: &str) -> (Class, String) {
    let mut clause = format!("IAV 6: `{name}` is its author's own definition, not a codified game");
    if built_in(name, "").is_some() {
        clause.push_str("; it changes the codified game of that name");
    } else {
        let mut games = Registry::built_in().list().into_iter().filter(|listing| !listing.mutator);
        let same = games.find(|game| {
            built_in(&game.name, &game.edition).is_some_and(|known| play(&known) == play(definition))
        });
        if let Some(game) = same {
            clause.push_str(&format!(
                "; it plays as `{}` does, but only that name is codified (IAV 1)",
                game.name
            ));
        }
    }
    (Class::X, clause)
}
