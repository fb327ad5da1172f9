//! Definitions from the `variants.ini` of Fairy-Stockfish.
//!
//! A section becomes a definition of its own, or each of its lines that no field can say is named: nothing is left out.
//! Parents that the engine knows by name are in `parents.ini`, written for this project in the same form.

mod ini;
mod men;
mod named;
pub(super) mod places;
mod write;

pub(super) use named::{NAMED, aliases, named};

use men::Men;
use std::collections::BTreeMap;

/// The parents that the engine has built in.
const PARENTS: &str = include_str!("parents.ini");

/// The parent of all parents.
const CHESS: &str = "chess";

/// The setting for what pawns become.
const PROMOTES: &str = "promotionPieceTypes";

/// A section of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The name of the game.
    pub name: String,
    /// The line of the section's head, from 1.
    pub line: usize,
    /// The definition as TOML, or the lines that it cannot say, in order.
    pub definition: Result<String, Vec<Unsaid>>,
}

/// A line that no field of a definition says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaid {
    /// Its number, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    /// Why, and what to do.
    pub why: String,
}

/// A setting, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Setting {
    value: String,
    /// The line of the file; that of the section's head for what a built-in parent says.
    line: usize,
}

/// All settings of a section and its parents, the nearest first, and its men. A section without a parent begins with no
/// men, and with what holds in chess otherwise.
#[derive(Debug, Clone, Default)]
struct Settings {
    of: BTreeMap<String, Setting>,
    men: Men,
    /// The names of what pawns become. A piece that is gone is none of them, even if another has its letter.
    promotes: Vec<String>,
    /// True if a piece of it, or of a parent, has no words in a definition.
    lacks_men: bool,
}

/// The sections of a `variants.ini` as definitions.
///
/// ```
/// use ferz_core::rules::fairy::import;
/// let file = "[amazonhouse:crazyhouse]\namazon = q\npromotionPieceTypes = qrbn\n";
/// let imported = import(file);
/// assert_eq!(imported[0].name, "amazonhouse");
/// let text = imported[0].definition.as_ref().map_err(|unsaid| format!("{unsaid:?}"))?;
/// assert!(text.contains("Q = { name = \"amazon\", betza = \"QN\" }"));
///
/// let refused = import("[duck]\nwallingRule = duck\n");
/// assert_eq!(refused[0].definition.as_ref().unwrap_err()[0].line, 2);
/// # Ok::<(), String>(())
/// ```
pub fn import(file: &str) -> Vec<Imported> {
    let mut known = BTreeMap::from([(CHESS.to_owned(), Settings::chess())]);
    // Of the built-in parents every line is known to be said, or refused wherever it is used.
    read(PARENTS, &mut known, true);
    read(file, &mut known, false)
}

/// Reads sections, each after those before it.
fn read(file: &str, known: &mut BTreeMap<String, Settings>, built_in: bool) -> Vec<Imported> {
    let mut found = Vec::new();
    for section in ini::sections(file) {
        let line = section.line;
        let none = Settings::default();
        let parent = section.parent.as_deref();
        let Some(settings) = parent.map_or(Some(&none), |parent| known.get(parent)) else {
            let parent = parent.unwrap_or_default();
            let why = format!("no parent `{parent}` is known; put its section before this one");
            let unsaid = Unsaid { line, text: section.head, why };
            found.push(Imported { name: section.name, line, definition: Err(vec![unsaid]) });
            continue;
        };
        let mut settings = settings.clone();
        if !built_in {
            settings.of.values_mut().for_each(|setting| setting.line = line);
        }
        let mut unsaid = settings.men.read(&section.lines);
        if settings.lacks_men {
            let why = "a piece of its parent has no words in a definition".to_owned();
            unsaid.push(Unsaid { line, text: section.head.clone(), why });
        }
        settings.lacks_men |= !unsaid.is_empty();
        for ini::Line { number, key, value, .. } in &section.lines {
            let setting = Setting { value: value.clone(), line: *number };
            settings.of.insert(key.clone(), setting);
        }
        settings.of.retain(|key, _| !men::is_setting(key));
        settings.note_promotions(&section.lines);
        let definition = match write::definition(&section.name, &settings) {
            Ok(text) if unsaid.is_empty() => Ok(text),
            Ok(_) => Err(unsaid),
            Err(more) => {
                let of = |(number, why)| {
                    // What no line says is of the section as a whole.
                    let number = if number == 0 { line } else { number };
                    Unsaid { line: number, text: section.text_at(number), why }
                };
                unsaid.extend(more.into_iter().map(of));
                unsaid.sort_by_key(|unsaid| unsaid.line);
                Err(unsaid)
            }
        };
        known.insert(section.name.clone(), settings);
        found.push(Imported { name: section.name, line, definition });
    }
    found
}

impl Settings {
    fn chess() -> Settings {
        let promotes = ["queen", "rook", "bishop", "knight"].map(str::to_owned).to_vec();
        Settings { men: Men::chess(), promotes, ..Settings::default() }
    }

    /// Notes what pawns become, as lines say and as far as there are such men.
    fn note_promotions(&mut self, lines: &[ini::Line]) {
        if let Some(line) = lines.iter().rev().find(|line| line.key == PROMOTES) {
            let named = line.value.chars().filter_map(|letter| self.men.with(letter));
            self.promotes = named.map(|man| man.name.clone()).collect();
        }
        self.promotes.retain(|name| self.men.called(name).is_some());
    }

    /// The value of a setting, unless it is empty.
    fn get(&self, key: &str) -> Option<&str> {
        self.of.get(key).map(|setting| setting.value.trim())
    }

    /// True if a switch is on; `otherwise` where nothing says so.
    fn is_on(&self, key: &str, otherwise: bool) -> bool {
        self.get(key).map_or(otherwise, |value| value == "true")
    }

    /// A number.
    fn number(&self, key: &str, otherwise: u8) -> u8 {
        self.get(key).and_then(|value| value.parse().ok()).unwrap_or(otherwise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Registry;
    use crate::rules::check::check;

    /// Every parent is a game, or says why it is none.
    #[test]
    fn every_parent_is_read() {
        let mut known = BTreeMap::from([(CHESS.to_owned(), Settings::chess())]);
        let parents = read(PARENTS, &mut known, true);
        let mut said = 0;
        for Imported { name, definition, .. } in parents {
            match definition {
                Ok(text) => {
                    let mut registry = Registry::with_files([]).expect("none are read");
                    check(&mut registry, &text).unwrap_or_else(|found| panic!("{name}: {found:?}\n{text}"));
                    said += 1;
                }
                Err(unsaid) => assert!(!unsaid.is_empty(), "{name}"),
            }
        }
        assert!(said >= 40, "{said}");
    }

    /// What holds for one player alone, or is said in a form that is not read, is refused where it stands.
    #[test]
    fn a_region_is_said_for_both_players() {
        let refused = |lines: &str| {
            let definition = import(&format!("[a:crazyhouse]\n{lines}\n")).remove(0).definition;
            definition.err().map(|unsaid| unsaid.iter().map(|unsaid| unsaid.line).collect::<Vec<_>>())
        };
        for both in
            ["dropRegionWhite = *1 *2\ndropRegionBlack = *8 *7", "enPassantRegion = -", "castling = false"]
        {
            assert_eq!(refused(both), None, "{both}");
        }
        for one in [
            "dropRegionWhite = *1 *2",
            "promotionRegionWhite = *7 *8",
            "doubleStepRegionBlack = *7 *6",
            "enPassantRegion = x",
            "enPassantRegionWhite = *6",
            "dropRegionWhite = 7",
            "promotionPawnTypesWhite = pn",
            "flagPieceWhite = k",
            "enPassantTypes = n",
        ] {
            assert_eq!(refused(one), Some(vec![2]), "{one}");
        }
    }

    #[test]
    fn every_line_that_is_not_said_is_named() {
        let file = "# a comment\n[a:crazyhouse]\ncastling = false\nwallingRule = duck\nblahBlah = 3\n\n[b:unknown]\n\
            maxRank = 9\n[c]\nqueen = q\nknight = NN\ncustomPiece1 = z:mfFcfeWimfnA\n\
            [d]\nfers = m\nextinctionValue = loss\n[e:c]\nmaxRank = x\npieceDrops = yes\n";
        let lines: Vec<Vec<usize>> = import(file)
            .iter()
            .map(|imported| match &imported.definition {
                Ok(_) => Vec::new(),
                Err(unsaid) => unsaid.iter().map(|unsaid| unsaid.line).collect(),
            })
            .collect();
        assert_eq!(lines, [vec![4, 5], vec![7], vec![11, 12], vec![15], vec![16, 17, 18]]);
    }
}
