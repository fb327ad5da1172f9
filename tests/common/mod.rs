//! What several test programs need: fixtures, rules by name and tags, plies as text.
#![allow(dead_code, unused_macros)]

use ferz::board::Mask;
use ferz::notation::coord;
use ferz::position::{Ply, Position};
use ferz::replay::{Options, Replayer};
use ferz::rules::{AnyRules, Registry};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Runs the body with the rules of either width.
macro_rules! with_rules {
    ($any:expr, $rules:ident => $body:expr) => {
        match $any {
            ferz::rules::AnyRules::Narrow($rules) => $body,
            ferz::rules::AnyRules::Wide($rules) => $body,
        }
    };
}
#[allow(unused_imports)]
pub(crate) use with_rules;

/// A replayer of the built-in games that shares them with all others of this process: to compile the rules of a game and
/// its piece letters takes longer than to judge a record.
pub fn replayer(options: Options) -> Replayer<'static> {
    static FIRST: LazyLock<Replayer<'static>> =
        LazyLock::new(|| Replayer::new(Registry::built_in(), Options::default()));
    FIRST.with_options(options)
}

/// The built-in games.
pub const BUILT_IN: [&str; 32] = [
    "chess",
    "chess960",
    "iago-b",
    "iago-c",
    "iago-m",
    "ichess",
    "ingols",
    "augmented",
    "capablanca",
    "seirawan",
    "crazyhouse",
    "bughouse",
    "shatranj",
    "chaturanga",
    "makruk",
    "antiking-1",
    "antiking-2",
    "magicians-deathmatch",
    "kingofthehill",
    "threecheck",
    "antichess",
    "suicide",
    "atomic",
    "horde",
    "racingkings",
    "shogi",
    "xiangqi",
    "janggi",
    "janggi-traditional",
    "janggi-casual",
    "knightmate",
    "omega",
];

/// The directory of the crate.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The text of a file under `fixtures/`.
pub fn fixture(name: &str) -> String {
    let path = root().join("fixtures").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A fixture as one JSON value.
pub fn json(name: &str) -> Value {
    serde_json::from_str(&fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A fixture of one JSON value a line.
pub fn json_lines(name: &str) -> Vec<Value> {
    let read =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
    fixture(name).lines().map(read).collect()
}

/// The texts of a JSON array; nothing where there is none.
pub fn texts(value: &Value) -> Vec<&str> {
    value.as_array().map_or_else(Vec::new, |list| list.iter().filter_map(Value::as_str).collect())
}

/// The rules that a case asks for by its `variant` and `tags`.
pub fn rules_of(case: &Value) -> Result<AnyRules, String> {
    let variant = case["variant"].as_str().unwrap_or("chess");
    let tags = |tag: &str| case["tags"][tag].as_str().map(str::to_owned);
    Registry::built_in().rules(variant, &tags).map_err(|error| format!("{variant}: {error}"))
}

/// The position that a case starts from: its `fen`, its tag `FEN`, or the array.
pub fn start_of<M: Mask>(
    rules: std::sync::Arc<ferz::rules::Rules<M>>,
    case: &Value,
) -> Result<Position<M>, String> {
    match case["fen"].as_str().or(case["tags"]["FEN"].as_str()) {
        Some(fen) => Position::from_fen(rules, fen).map_err(|error| format!("`{fen}` is refused: {error}")),
        None => Ok(Position::start(rules)),
    }
}

/// A ply in coordinate notation.
pub fn coord_of<M: Mask>(position: &Position<M>, ply: &Ply) -> String {
    let mut text = String::new();
    coord::write(position.rules(), ply, &mut text);
    text
}

/// All legal plies in coordinate notation, sorted bytewise.
pub fn legal_texts<M: Mask>(position: &Position<M>) -> Vec<String> {
    let mut texts: Vec<String> = position.plies().iter().map(|ply| coord_of(position, ply)).collect();
    texts.sort();
    assert_eq!(position.count_plies(), texts.len() as u64, "{}", position.fen());
    texts
}

/// The legal ply that coordinate notation writes so.
pub fn ply_of<M: Mask>(position: &Position<M>, text: &str) -> Option<Ply> {
    position.plies().into_iter().find(|ply| coord_of(position, ply) == text)
}

/// Plays a row of plies in coordinate notation.
pub fn play<M: Mask>(position: &mut Position<M>, moves: &[&str]) -> Result<(), String> {
    for (index, text) in moves.iter().enumerate() {
        let Some(ply) = ply_of(position, text) else {
            return Err(format!("ply {}: `{text}` is not legal in {}", index + 1, position.fen()));
        };
        position.apply(&ply);
    }
    Ok(())
}

/// Fails with all findings, a readable number of them in full.
pub fn report(what: &str, cases: usize, findings: &[String]) {
    let shown: Vec<&str> = findings.iter().take(40).map(String::as_str).collect();
    assert!(
        findings.is_empty(),
        "{what}: {} findings in {cases} cases\n  {}",
        findings.len(),
        shown.join("\n  ")
    );
    assert!(cases > 0, "{what}: no case at all");
}
