//! Material: the men of a table, and which rules and men tables can represent.

use super::TableError;
use ferz_core::board::Owner;
use ferz_core::rules::{KindId, Piece, Proving, Rules};
use ferz_core::text::limits::{TABLE_MEN_MAX, TABLE_SQUARES_MAX};
use std::fmt::Write as _;

/// The men on the board: White's king, Black's king, White's other men by kind, Black's other men by kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    men: Vec<Piece>,
}

impl Material {
    /// The material with these men, in any order. The men include both kings.
    ///
    /// # Errors
    /// If a king is missing, or there are too many men.
    pub fn new(rules: &Rules<u64>, mut men: Vec<Piece>) -> Result<Material, TableError> {
        let king = rules.king;
        men.sort_by_key(|man| (man.kind != king, man.owner, man.kind));
        for owner in Owner::REAL {
            let kings = men.iter().filter(|man| man.kind == king && man.owner == owner).count();
            if kings != 1 {
                let message = format!("{} has {kings} kings; each side needs exactly one", owner.name());
                return Err(TableError::Material(message));
            }
        }
        if men.len() > TABLE_MEN_MAX {
            let message = format!("{} men; tables have at most {TABLE_MEN_MAX}", men.len());
            return Err(TableError::Material(message));
        }
        Ok(Material { men })
    }

    /// Reads material such as `KBNvK`: White's men, `v`, Black's men, in the game's own letters; `'` follows the letter
    /// of a kind of the other army.
    ///
    /// # Errors
    /// Names the letter at fault.
    pub fn parse(rules: &Rules<u64>, text: &str) -> Result<Material, TableError> {
        let sides = text.split_once('v').filter(|(_, black)| !black.contains('v'));
        let Some((white, black)) = sides else {
            let message =
                format!("`{text}` does not name two sides; write White's men, `v`, Black's: `KQvKR`");
            return Err(TableError::Material(message));
        };
        let mut men = Vec::new();
        for (owner, letters) in [(Owner::White, white), (Owner::Black, black)] {
            let mut letters = letters.chars().peekable();
            while let Some(letter) = letters.next() {
                let other_army = letters.next_if_eq(&'\'').is_some();
                let byte = u8::try_from(letter).ok().filter(u8::is_ascii_uppercase);
                let kind = byte.and_then(|byte| rules.kind_by_letter(owner, byte, other_army));
                let Some(kind) = kind else {
                    let known: Vec<String> = kinds(rules).map(|kind| label(rules, owner, kind)).collect();
                    let message = format!("`{letter}` is no piece of this game; it has {}", known.join(" "));
                    return Err(TableError::Material(message));
                };
                men.push(Piece { owner, kind });
            }
        }
        Material::new(rules, men)
    }

    /// The men: White's king, Black's king, the others.
    pub fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The men besides the kings.
    pub fn others(&self) -> &[Piece] {
        &self.men[2..]
    }

    /// The material in the form that [`Material::parse`] reads.
    pub fn text(&self, rules: &Rules<u64>) -> String {
        let mut text = String::new();
        for owner in Owner::REAL {
            let men = self.men.iter().filter(|man| man.owner == owner);
            men.for_each(|man| text.push_str(&label(rules, owner, man.kind)));
            if owner == Owner::White {
                text.push('v');
            }
        }
        text
    }

    /// True if a side has a pawn.
    pub fn has_pawns(&self, rules: &Rules<u64>) -> bool {
        self.men.iter().any(|man| rules.is_pawn(man.kind))
    }

    /// Why no table can represent these men under these rules; `None` if one can.
    pub fn obstacle(&self, rules: &Rules<u64>) -> Option<TableError> {
        if let Some(why) = obstacle(rules) {
            return Some(TableError::Rules(why));
        }
        let pawns = |owner| self.men.iter().any(|man| man.owner == owner && rules.is_pawn(man.kind));
        let both = pawns(Owner::White) && pawns(Owner::Black);
        (both && rules.en_passant).then(|| {
            let message = "both sides have pawns, and tables have no en passant rights".to_owned();
            TableError::Material(message)
        })
    }
}

fn kinds(rules: &Rules<u64>) -> impl Iterator<Item = KindId> {
    rules.all_kinds().kinds()
}

/// The letter of a kind in material; `'` follows for a kind of the other army.
fn label(rules: &Rules<u64>, owner: Owner, kind: KindId) -> String {
    let label = rules.kind(kind).label[owner];
    let mut text = String::new();
    let _ = write!(text, "{}", label.letter as char);
    if label.other_army {
        text.push('\'');
    }
    text
}

/// Why no table can represent the rules, whatever the men; `None` if tables can.
fn obstacle(rules: &Rules<u64>) -> Option<&'static str> {
    let board = rules.board();
    if rules.unknown_to(Proving::ByPieces).is_some() {
        return Some("tables do not know all of its rules");
    }
    if board.len() > TABLE_SQUARES_MAX {
        return Some("the board has more than 64 squares");
    }
    if rules.nature.is_some() {
        return Some("Nature acts, and its clock and pieces are no part of a table");
    }
    if rules.captures_to_hand {
        return Some("captured men come back from the hand");
    }
    if rules.captures_to_reserve {
        return Some("captured men come back from the reserve");
    }
    if rules.ends.repetition.perpetual().is_some() {
        return Some("perpetual check loses, so that a position's value depends on the game before it");
    }
    None
}
