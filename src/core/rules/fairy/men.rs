//! The pieces of a game: their letters and movements.

use super::Unsaid;
use super::ini::Line;
use crate::pieces::betza;

/// The pieces that the engine knows by name, and their movements in Betza notation.
const KNOWN: [(&str, &str); 34] = [
    ("pawn", PAWN),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "ffN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("breakthrough", "mfWfF"),
    ("cannon", "mRcpR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("clobber", "cW"),
    ("king", "K"),
];

/// Pieces whose rules are more than a movement, so that no definition is made of games with them.
const BEYOND: [&str; 3] = ["janggiCannon", "janggiElephant", "immobile"];

/// The pawn of chess, without its double step.
pub(super) const PAWN: &str = "mfWcfF";

/// What a piece with a movement of its own is called.
const CUSTOM: &str = "customPiece";

/// A piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Man {
    /// What the file calls it: `archbishop`, `customPiece1`.
    pub(super) name: String,
    pub(super) letter: char,
    pub(super) betza: String,
    /// It may take two steps at first, as a pawn of chess.
    pub(super) steps_twice: bool,
}

/// The pieces of a game, in the order in which they were named.
#[derive(Debug, Clone, Default)]
pub(super) struct Men(Vec<Man>);

impl Men {
    /// Those of chess.
    pub(super) fn chess() -> Men {
        let chess = ["pawn", "knight", "bishop", "rook", "queen", "king"].map(|name| Man {
            name: name.to_owned(),
            letter: if name == "knight" { 'N' } else { first(name) },
            betza: betza_of(name).unwrap_or_default().to_owned(),
            steps_twice: name == "pawn",
        });
        Men(chess.to_vec())
    }
}

fn first(text: &str) -> char {
    text.chars().next().unwrap_or('?').to_ascii_uppercase()
}

fn betza_of(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(known, _)| *known == name).map(|(_, betza)| *betza)
}

fn is_custom(name: &str) -> bool {
    name.strip_prefix(CUSTOM).is_some_and(|number| number.parse::<u8>().is_ok())
}

/// True for a setting that names a piece.
pub(super) fn is_setting(key: &str) -> bool {
    betza_of(key).is_some() || is_custom(key) || BEYOND.contains(&key)
}

impl Men {
    /// Takes the pieces that lines name; gives the lines that say what no definition does.
    pub(super) fn read(&mut self, lines: &[Line]) -> Vec<Unsaid> {
        let named = lines.iter().filter(|line| is_setting(&line.key));
        named.filter_map(|line| self.set(line).err().map(|why| unsaid(line, why))).collect()
    }

    fn set(&mut self, line: &Line) -> Result<(), String> {
        let Line { key, value, .. } = line;
        self.0.retain(|man| man.name != *key);
        let (letter, movement) = value.split_once(':').unwrap_or((value, ""));
        let letter = match letter.trim().chars().collect::<Vec<_>>()[..] {
            ['-'] | [] => return Ok(()),
            [letter] if letter.is_ascii_alphabetic() => letter.to_ascii_uppercase(),
            _ => return Err("a piece has one letter".to_owned()),
        };
        if BEYOND.contains(&key.as_str()) {
            return Err(format!(
                "`{key}` moves as no field says; build on `janggi` by hand if it is Janggi's"
            ));
        }
        // A letter is that of the piece which was named last.
        self.0.retain(|man| man.letter != letter);
        let (own, steps_twice) = match (is_custom(key), movement.trim()) {
            (true, "") => return Err("write its movement after its letter: `customPiece1 = z:NA`".to_owned()),
            (false, "") => (betza_of(key).unwrap_or_default().to_owned(), key == "pawn"),
            (false, _) if key != "king" => {
                return Err(format!("`{key}` has its own movement; use a customPiece"));
            }
            (_, movement) => own_movement(movement)?,
        };
        if let Err(error) = betza::parse(&own) {
            return Err(format!("its movement has no words in a definition: {}", error.message));
        }
        self.0.push(Man { name: key.clone(), letter, betza: own, steps_twice });
        Ok(())
    }

    pub(super) fn all(&self) -> &[Man] {
        &self.0
    }

    /// The piece with a letter.
    pub(super) fn with(&self, letter: char) -> Option<&Man> {
        self.0.iter().find(|man| man.letter == letter.to_ascii_uppercase())
    }

    /// The piece with a name.
    pub(super) fn called(&self, name: &str) -> Option<&Man> {
        self.0.iter().find(|man| man.name == name)
    }
}

/// The movement of a piece of the file's own, and whether it has the double step of a pawn of chess. The engine writes
/// what may be captured in passing with `e`, and the double step as a lame first leap.
fn own_movement(text: &str) -> Result<(String, bool), String> {
    let twice = ["ifmnD", "imfnD", "mifnD", "fimnD", "ifnmD"].iter().find(|leap| text.contains(**leap));
    let plain = twice.map_or(text.to_owned(), |leap| text.replacen(leap, "", 1)).replace('e', "");
    let is_pawn = ["fmWfcF", "mfWcfF", "fmWcfF", "mfWfcF"].contains(&plain.as_str());
    match (twice.is_some() || text.contains('e'), is_pawn) {
        (false, _) => Ok((plain, false)),
        (true, true) => Ok((PAWN.to_owned(), twice.is_some())),
        (true, false) => {
            Err("only the pawn of chess has a double step and captures in passing in a definition".to_owned())
        }
    }
}

fn unsaid(line: &Line, why: String) -> Unsaid {
    Unsaid { line: line.number, text: line.text.clone(), why }
}
