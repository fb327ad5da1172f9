//! Definitions from the rules files (`.zrf`) of Zillions of Games.
//!
//! A game becomes a definition of its own, or each of its lines that no field can say is named: nothing is left out.

mod board;
mod moves;
mod sexp;
mod write;

use super::fairy::{Imported, Unsaid};
use sexp::{Macros, Sexp};
use std::collections::BTreeMap;

/// Sections that say nothing about the rules.
const BESIDE_THE_RULES: [&str; 22] = [
    "title",
    "description",
    "history",
    "strategy",
    "default",
    "solution",
    "music",
    "version",
    "opening",
    "engine",
    "move-sound",
    "drop-sound",
    "capture-sound",
    "change-sound",
    "changing-sound",
    "release-sound",
    "click-sound",
    "draw-sound",
    "loss-sound",
    "win-sound",
    "dropping-sound",
    "allow-flipping?",
];

/// Options that are about the program, not about the rules.
const OPTIONS: [&str; 11] = [
    "animate drops",
    "animate captures",
    "discard cascades",
    "include off-pieces",
    "prevent flipping",
    "progressive levels",
    "silent ? moves",
    "smart moves",
    "selection screen",
    "show moves list",
    "highlight goals",
];

/// The sections of a game by their first word, each in order.
#[derive(Debug, Clone, Default)]
struct Game {
    line: usize,
    sections: BTreeMap<String, Vec<Sexp>>,
}

/// The games of a `.zrf`, the first one and its variants, as definitions.
///
/// ```
/// use ferz_core::rules::zillions::import;
/// let file = "(define leap ($1 (verify not-friend?) add))
/// (game (title \"Kings\") (players White Black) (turn-order White Black)
///   (board (grid (dimensions (\"a/b/c\") (\"3/2/1\")) (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0)))
///     (symmetry Black (n s) (s n)))
///   (board-setup (White (King b1)) (Black (King b3)))
///   (piece (name King) (moves (leap n) (leap s) (leap e) (leap w)))
///   (loss-condition (White Black) (checkmated King)))";
/// let imported = import(file);
/// let text = imported[0].definition.as_ref().map_err(|unsaid| format!("{unsaid:?}"))?;
/// assert!(text.contains("K = { name = \"king\", betza = \"W\", royal = true }"), "{text}");
/// # Ok::<(), String>(())
/// ```
pub fn import(file: &str) -> Vec<Imported> {
    let lists = match sexp::read(file) {
        Ok(lists) => lists,
        Err(unsaid) => return vec![refused(String::new(), unsaid)],
    };
    let (macros, others) = Macros::of(lists);
    let mut found = Vec::new();
    let mut first: Option<Game> = None;
    for list in &others {
        let game = match list.head() {
            "game" => Game::default(),
            "variant" => first.clone().unwrap_or_default(),
            _ => continue,
        };
        let title = title_of(list);
        let expanded = match macros.expanded(list) {
            Ok(expanded) => expanded,
            Err(unsaid) => {
                found.push(refused(title, unsaid));
                continue;
            }
        };
        let game = game.with(&expanded);
        first.get_or_insert_with(|| game.clone());
        let name = name_of(&title);
        let definition = write::definition(&name, &title, &game).map_err(|unsaid| placed(file, unsaid));
        found.push(Imported { name, line: list.line(), definition });
    }
    found
}

fn refused(title: String, unsaid: Unsaid) -> Imported {
    Imported { name: name_of(&title), line: unsaid.line, definition: Err(vec![unsaid]) }
}

/// The lines of the file with what is not said of each.
fn placed(file: &str, unsaid: Vec<(usize, String)>) -> Vec<Unsaid> {
    let lines: Vec<&str> = file.lines().collect();
    let text = |line: usize| lines.get(line.saturating_sub(1)).map_or("", |line| line.trim()).to_owned();
    let mut found: Vec<Unsaid> =
        unsaid.into_iter().map(|(line, why)| Unsaid { line, text: text(line), why }).collect();
    found.sort_by_key(|unsaid| unsaid.line);
    found.dedup();
    found
}

fn title_of(game: &Sexp) -> String {
    let title = game.rest().iter().find(|section| section.head() == "title");
    title.and_then(|title| title.rest().first()?.word()).unwrap_or("game").to_owned()
}

/// A name as records have it: `Knight's Game (small)` is `knights-game-small`.
fn name_of(title: &str) -> String {
    let plain = title.to_lowercase().replace('\'', "");
    let words: Vec<&str> =
        plain.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "game".to_owned() } else { words.join("-") }
}

impl Game {
    /// The game with what a list changes: sections of the same kind are replaced, pieces those of the same name.
    fn with(mut self, list: &Sexp) -> Game {
        self.line = list.line();
        let mut seen: Vec<&str> = Vec::new();
        for section in list.rest().iter().filter(|section| !section.head().is_empty()) {
            let kind = section.head();
            let own = self.sections.entry(kind.to_owned()).or_default();
            if kind == "piece" {
                own.retain(|other| piece_name(other) != piece_name(section));
            } else if !seen.contains(&kind) {
                own.clear();
            }
            seen.push(kind);
            own.push(section.clone());
        }
        self
    }

    fn all(&self, kind: &str) -> &[Sexp] {
        self.sections.get(kind).map_or(&[], Vec::as_slice)
    }

    fn one(&self, kind: &str) -> Option<&Sexp> {
        self.all(kind).last()
    }
}

/// The name of a `(piece (name Knight) …)`.
fn piece_name(piece: &Sexp) -> &str {
    part(piece, "name").and_then(|name| name.rest().first()?.word()).unwrap_or_default()
}

/// The part of a list with this first word.
fn part<'s>(list: &'s Sexp, head: &str) -> Option<&'s Sexp> {
    list.rest().iter().find(|part| part.head() == head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_names() {
        for (title, name) in [("Knight's Game (small)", "knights-game-small"), ("", "game"), ("¡…!", "game")]
        {
            assert_eq!(name_of(title), name, "{title}");
        }
    }

    #[test]
    fn lines_that_no_field_says_are_named() {
        let game = |more: &str| {
            format!(
                "(define leap ($1 (verify not-friend?) add))\n(game (title \"A\") (players White Black)\n\
                 (turn-order White Black)\n(board (grid (dimensions (\"a/b/c\") (\"3/2/1\"))\n\
                 (directions (n 0 -1) (s 0 1)))\n\
                 (symmetry Black (n s) (s n)))\n(board-setup (White (King b1)) (Black (King b3)))\n\
                 (piece (name King) (moves (leap n) (leap s)))\n{more}\n\
                 (loss-condition (White Black) (checkmated King)))"
            )
        };
        assert!(import(&game(""))[0].definition.is_ok(), "{:?}", import(&game("")));
        for more in [
            "(piece (name Odd) (moves (n add)))",
            "(piece (name Odd) (moves (n (create s) add)))",
            "(move-priorities one two)",
            "(option \"pass turn\" true)",
            "(win-condition (White Black) (captured King))",
            "(count-condition (White Black) stalemated)",
            "(strange section)",
            "(draw-condition (White) (repetition))",
        ] {
            let imported = import(&game(more)).remove(0).definition;
            let lines: Vec<usize> = imported.expect_err(more).iter().map(|unsaid| unsaid.line).collect();
            assert_eq!(lines, [9], "{more}");
        }
        // What has no brackets, or too many, is named too.
        assert!(import("(game (title \"A\")")[0].definition.is_err());
        assert_eq!(import("a text").len(), 0);
    }
}
