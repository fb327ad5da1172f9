//! Records of random games, annotated at random, in an odd layout.

use crate::common::{BUILT_IN, rules_of, with_rules};
use ferz::board::{Mask, Owner};
use ferz::notation::{Style, WriteChoices, write};
use ferz::position::{Ply, Position};

/// Games with mutators.
const MUTATED: [&str; 5] = ["chaos+chess", "chaos+ichess", "chaos+ingols", "misere+iago-b", "bareking+chess"];

/// The built-in games, and some with mutators.
pub fn games() -> Vec<&'static str> {
    BUILT_IN.into_iter().chain(MUTATED).collect()
}

/// A generator that gives the same numbers in every run.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    /// One of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// So many annotated records of each game.
pub fn records(each: usize) -> Vec<String> {
    let mut records = Vec::new();
    for (index, game) in games().into_iter().enumerate() {
        for round in 0..each {
            let mut dice = Dice((index * 1000 + round) as u64 ^ 0x5eed);
            records.push(record(game, &mut dice));
        }
    }
    records
}

/// One record of the game.
pub fn record(game: &str, dice: &mut Dice) -> String {
    let mut tags = vec![("Variant".to_owned(), game.to_owned())];
    if game == "augmented" {
        tags.push(("WhiteArmy".into(), "RfbN NW BffNsbN RNA".into()));
        tags.push(("BlackArmy".into(), "RfbN fbNFW BffNsbN RNA".into()));
    }
    if game.starts_with("chaos") {
        tags.push(("NatureRules".into(), "advanced".into()));
    }
    let case = serde_json::json!({ "variant": game, "tags": tags.iter().cloned().collect::<std::collections::BTreeMap<_, _>>() });
    let any = rules_of(&case);
    let Ok(any) = any else {
        // The armies are of no matter here: the plain ones do.
        let case = serde_json::json!({ "variant": "chess" });
        let rules = rules_of(&case).unwrap_or_else(|error| panic!("{error}"));
        return with_rules!(rules, rules => annotated(&[("Variant".into(), "chess".into())], Position::start(rules), dice));
    };
    with_rules!(any, rules => annotated(&tags, Position::start(rules), dice))
}

fn annotated<M: Mask>(tags: &[(String, String)], mut position: Position<M>, dice: &mut Dice) -> String {
    let mut out = String::new();
    for (name, value) in [("Event", "A \\\"club\\\" game"), ("X-Odd", " ? \\\\ "), ("Event", "again")] {
        out.push_str(&format!("[{name}  \"{value}\"]{}", dice.pick(&["\n", "\r\n", " "])));
    }
    for (name, value) in tags {
        out.push_str(&format!("\n[{name} \"{value}\"]"));
    }
    out.push_str("\n\n");
    let style = dice.pick(&[Style::San, Style::Lan, Style::Coord, Style::Iago, Style::Chaos]);
    // The number of Nature's next turn; that of a placement before the first ply is 0.
    let mut next = usize::from(!position.placement_is_due());
    for _ in 0..10 + dice.below(40) {
        let plies = position.plies();
        if plies.is_empty() {
            break;
        }
        let before = position.clone();
        token(&before, &dice.pick(&plies), style, next, dice, &mut out, &mut position);
        if before.turn() == position.turn() {
            next += 1;
        }
        notes(dice, &mut out);
        if dice.below(8) == 0 {
            out.push_str("( ");
            let mut inner = before.clone();
            let first = inner.plies();
            let number = if before.turn() == position.turn() { next - 1 } else { next };
            token(&before, &dice.pick(&first), style, number, dice, &mut out, &mut inner);
            notes(dice, &mut out);
            out.push_str(") ");
        }
    }
    out.push_str(dice.pick(&["*", "1-0", "\u{bd}-\u{bd}", "", "0-1 {the end}"]));
    out.push('\n');
    out
}

/// Writes one ply with its number and makes it.
fn token<M: Mask>(
    before: &Position<M>,
    ply: &Ply,
    style: Style,
    natures: usize,
    dice: &mut Dice,
    out: &mut String,
    after: &mut Position<M>,
) {
    let written = write(before, ply, style, WriteChoices::default());
    let (text, coordinates) = match written {
        Ok(text) => (text, style.is_coordinates()),
        Err(_) => (write(before, ply, Style::Coord, WriteChoices::default()).unwrap_or_default(), true),
    };
    let number = before.state().status().number;
    match ply.actor {
        Owner::Nature if coordinates => {}
        Owner::Nature => out.push_str(&format!("\u{221e}{natures}.....")),
        Owner::White => out.push_str(&format!("{number}.{}", dice.pick(&["", " ", "\n"]))),
        Owner::Black if dice.below(4) == 0 => out.push_str(&format!("{number}...")),
        Owner::Black => {}
    }
    out.push_str(&text);
    out.push_str(dice.pick(&["", "", "!", "?!", " $14"]));
    out.push_str(dice.pick(&[" ", " ", "\n", "\r\n", "\t "]));
    after.apply(ply);
}

fn notes(dice: &mut Dice, out: &mut String) {
    let notes = [
        "{a comment} ",
        "{[%clk 0:05:00.5] [%x-own  a] so\n it is} ",
        "; to the end of the line\n",
        "\n%escaped { ( \n",
        "{[%eval -0.35,12][%csl Ra1,Gh8]} ",
        "words that stand here ",
        "} ",
        "\u{b1} ",
        "{} ",
    ];
    if dice.below(3) == 0 {
        out.push_str(dice.pick(&notes));
    }
}
