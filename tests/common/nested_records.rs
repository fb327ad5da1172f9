//! Legal records with variations inside variations, comments, annotations, marks and tags, and mutations of them.

use crate::common::{rules_of, with_rules};
use crate::random_records::{Dice, games};
use ferz::board::{Mask, Owner};
use ferz::notation::{Style, WriteChoices, write};
use ferz::position::{Ply, Position};
use serde_json::{Map, json};

/// Values of tags: usual ones, empty ones, and ones that are hard to write.
const VALUES: [&str; 10] = [
    "Ann",
    "",
    "?",
    "R\u{e9}ti, Richard",
    "a \\\"club\\\" game",
    " ? \\\\ ",
    "1-0",
    "2020.02.30",
    "\u{221e}\t(",
    "0",
];

const NAMES: [&str; 14] = [
    "White",
    "Black",
    "Nature",
    "Event",
    "Site",
    "Date",
    "Round",
    "Result",
    "Termination",
    "PlyCount",
    "TimeControl",
    "Annotator",
    "X-Odd",
    "Edition",
];

/// Comments, annotations and marks behind a ply.
const NOTES: [&str; 14] = [
    "{a comment} ",
    "{[%clk 0:05:00.5] [%x-own  a] so\n it is} ",
    "; to the end of the line\n",
    "\n%escaped { ( \n",
    "{[%eval -0.35,12][%csl Ra1,Gh8]} ",
    "{[%letstand]} ",
    "$1 $14 $139 ",
    "$ ",
    "!? ",
    "(=) ",
    "e.p. ",
    "{} ",
    "{( } ",
    "\u{b1} ",
];

/// Bytes that mean something somewhere in a record.
const BYTES: &[u8] = b"[]\"{}();%\n\r\t .$*!?0123456789-/abcdefghxKQRBNO+#=@~'\\\0\x1a\xff\xe2\x88\x9e";

/// Plies of one record, those of variations included.
const PLIES_MAX: usize = 300;

/// A legal record of some game; every second one is mutated.
pub fn record(seed: usize) -> Vec<u8> {
    let games = games();
    let mut dice = Dice((seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x00fe_2025);
    let game = games[seed % games.len()];
    let mut text = legal(game, &mut dice).into_bytes();
    if dice.below(2) == 0 {
        (0..=dice.below(6)).for_each(|_| mutate(&mut text, &mut dice));
    }
    text
}

fn mutate(text: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(text.len());
    let end = (at + 1 + dice.below(40)).min(text.len());
    match dice.below(5) {
        0 => text[at] = dice.pick(BYTES),
        1 => text.insert(at, dice.pick(BYTES)),
        2 => drop(text.drain(at..end)),
        3 => {
            let piece = text[at..end].to_vec();
            let to = dice.below(text.len());
            text.splice(to..to, piece);
        }
        _ => text[at..end].reverse(),
    }
    if text.is_empty() {
        text.extend(b"1. e4 *");
    }
}

/// A legal record of the game.
fn legal(game: &str, dice: &mut Dice) -> String {
    let mut chosen = Map::new();
    if game == "augmented" {
        chosen.insert("WhiteArmy".into(), "RfbN NW BffNsbN RNA".into());
        chosen.insert("BlackArmy".into(), "RfbN fbNFW BffNsbN RNA".into());
    }
    if game.starts_with("chaos") {
        chosen.insert("NatureRules".into(), "advanced".into());
    }
    if game == "chess960" {
        chosen.insert("FEN".into(), "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1".into());
        chosen.insert("SetUp".into(), "1".into());
    }
    let rules =
        rules_of(&json!({ "variant": game, "tags": chosen })).unwrap_or_else(|why| panic!("{game}: {why}"));
    chosen.insert("Variant".into(), game.into());
    let mut out = String::new();
    for _ in 0..dice.below(9) {
        let (name, value) = (dice.pick(&NAMES), dice.pick(&VALUES));
        out.push_str(&format!("[{name}  \"{value}\"]{}", dice.pick(&["\n", "\r\n", " "])));
    }
    for (name, value) in &chosen {
        out.push_str(&format!("\n[{name} \"{}\"]", value.as_str().unwrap_or_default()));
    }
    out.push_str("\n\n");
    // The deepest are rare: their reports are long.
    let depth = if dice.below(24) == 0 { dice.pick(&[70, 300]) } else { dice.pick(&[0, 1, 3, 6, 6, 20]) };
    with_rules!(rules, rules => {
        let start = Position::start(rules);
        let style = dice.pick(&[Style::San, Style::Lan, Style::Coord, Style::Uci, Style::Iago, Style::Chaos]);
        let mut writer = Writer { dice, out, style, left: PLIES_MAX };
        let natures = usize::from(!start.placement_is_due());
        writer.line(start, natures, depth, 60);
        out = writer.out;
    });
    out.push_str(dice.pick(&["*", "1-0", "\u{bd}-\u{bd}", "", "0-1 {the end}"]));
    out.push('\n');
    out
}

struct Writer<'a> {
    dice: &'a mut Dice,
    out: String,
    style: Style,
    /// Plies that the record may still have.
    left: usize,
}

impl Writer<'_> {
    /// Writes a line with variations up to a depth inside it. Deep ones are short, for each level has one more inside.
    fn line<M: Mask>(&mut self, mut position: Position<M>, natures: usize, depth: usize, longest: usize) {
        let mut natures = natures;
        let is_chain = depth > 10;
        for number in 0..longest {
            let plies = position.plies();
            if plies.is_empty() || self.left == 0 {
                return;
            }
            self.left -= 1;
            let before = position.clone();
            let ply = self.dice.pick(&plies);
            self.token(&before, &ply, natures);
            position.apply(&ply);
            let first = natures;
            natures += usize::from(before.turn() == position.turn());
            if self.dice.below(4) == 0 {
                let note = self.dice.pick(&NOTES);
                self.out.push_str(note);
            }
            while depth > 0 && self.left > 0 && (is_chain && number == 0 || self.dice.below(6) == 0) {
                self.out.push_str(self.dice.pick(&["(", "( "]));
                let (deeper, longest) =
                    if is_chain { (depth - 1, 1 + self.dice.below(2)) } else { (depth - 1, 8) };
                self.line(before.clone(), first, deeper, longest);
                self.out.push_str(self.dice.pick(&[") ", ")\n"]));
                if is_chain {
                    break;
                }
            }
        }
    }

    fn token<M: Mask>(&mut self, before: &Position<M>, ply: &Ply, natures: usize) {
        let choices = WriteChoices::default();
        let (text, coordinates) = match write(before, ply, self.style, choices) {
            Ok(text) => (text, self.style.is_coordinates()),
            Err(_) => (write(before, ply, Style::Coord, choices).unwrap_or_default(), true),
        };
        let number = before.state().status().number;
        match ply.actor {
            Owner::Nature if coordinates => {}
            Owner::Nature => self.out.push_str(&format!("\u{221e}{natures}.....")),
            Owner::White => self.out.push_str(&format!("{number}. ")),
            Owner::Black => self.out.push_str(&format!("{number}... ")),
        }
        self.out.push_str(&text);
        self.out.push_str(self.dice.pick(&["", "", "!", "?!", " $14"]));
        self.out.push_str(self.dice.pick(&[" ", " ", "\n", "\r\n", "\t "]));
    }
}

/// Brackets that are open at once in a JSON text.
pub fn levels(json: &str) -> usize {
    let (mut open, mut most, mut in_string) = (0usize, 0, false);
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if in_string => drop(bytes.next()),
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => open += 1,
            b'}' | b']' if !in_string => open -= 1,
            _ => {}
        }
        most = most.max(open);
    }
    most
}
