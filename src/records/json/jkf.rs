//! JKF, the form in which programs for shogi write a game in JSON: what a file in KIF says, as an object. It becomes
//! that file, and the file is read as any other (na2hiro, `json-kifu-format`).

use crate::interchange::{Wrapped, kif_end};
use crate::rewrite::Transcript;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A game.
#[derive(Debug, Deserialize)]
struct Game {
    header: BTreeMap<String, String>,
    initial: Option<Initial>,
    moves: Vec<Step>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The position that the game starts from.
#[derive(Debug, Deserialize)]
struct Initial {
    preset: String,
    data: Option<Setup>,
}

#[derive(Debug, Deserialize)]
struct Setup {
    /// 0 where Sente is on move, 1 where Gote.
    #[serde(default)]
    color: u8,
    /// By files from 1, then by ranks from 1.
    board: [[Man; 9]; 9],
    /// Sente's, then Gote's: how many of each kind.
    hands: [BTreeMap<String, u32>; 2],
}

/// What stands on a square; nothing where it has no kind.
#[derive(Debug, Default, Deserialize)]
struct Man {
    color: Option<u8>,
    kind: Option<String>,
}

/// A ply or the end, with what is said after it; the first one may have neither.
#[derive(Debug, Default, Deserialize)]
struct Step {
    #[serde(default)]
    comments: Vec<String>,
    #[serde(rename = "move")]
    ply: Option<Ply>,
    time: Option<Time>,
    special: Option<String>,
    /// What might be played in place of the ply.
    #[serde(default)]
    forks: Vec<Vec<Step>>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Ply {
    from: Option<Square>,
    to: Option<Square>,
    piece: String,
    promote: Option<bool>,
    relative: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Square {
    x: u8,
    y: u8,
}

#[derive(Debug, Deserialize)]
struct Time {
    now: Span,
    total: Option<Span>,
}

/// A span of time.
#[derive(Debug, Deserialize)]
struct Span {
    #[serde(default)]
    h: u64,
    m: u64,
    s: u64,
}

/// The starts of games by their names in JKF and in KIF.
const STARTS: [(&str, &str); 17] = [
    ("HIRATE", "平手"),
    ("KY", "香落ち"),
    ("KY_R", "右香落ち"),
    ("KA", "角落ち"),
    ("HI", "飛車落ち"),
    ("HIKY", "飛香落ち"),
    ("2", "二枚落ち"),
    ("3", "三枚落ち"),
    ("4", "四枚落ち"),
    ("5", "五枚落ち"),
    ("5_L", "左五枚落ち"),
    ("6", "六枚落ち"),
    ("7_L", "左七枚落ち"),
    ("7_R", "右七枚落ち"),
    ("8", "八枚落ち"),
    ("10", "十枚落ち"),
    ("OTHER", "その他"),
];

/// The pieces: their names in CSA, in a ply, and on a drawn board.
const PIECES: [(&str, &str, char); 14] = [
    ("FU", "歩", '歩'),
    ("KY", "香", '香'),
    ("KE", "桂", '桂'),
    ("GI", "銀", '銀'),
    ("KI", "金", '金'),
    ("KA", "角", '角'),
    ("HI", "飛", '飛'),
    ("OU", "玉", '玉'),
    ("TO", "と", 'と'),
    ("NY", "成香", '杏'),
    ("NK", "成桂", '圭'),
    ("NG", "成銀", '全'),
    ("UM", "馬", '馬'),
    ("RY", "龍", '龍'),
];

/// Words that tell plies to the same square apart.
const RELATIVE: [(char, char); 7] =
    [('L', '左'), ('C', '直'), ('R', '右'), ('U', '上'), ('M', '寄'), ('D', '引'), ('H', '打')];

const FILES: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The record of a game in JKF; `None` for any other object.
pub(super) fn transcript(json: &[u8]) -> Option<Transcript> {
    let game: Game = serde_json::from_slice(json).ok()?;
    let kif = game.kif()?;
    let wrapped = Wrapped::new(kif.as_bytes(), 0);
    let record = wrapped.records(0).next()?;
    Some(Transcript::as_written(&record))
}

impl Game {
    /// The file in KIF; `None` where a part has no name there.
    fn kif(&self) -> Option<String> {
        let mut kif = "#KIF version=2.0 encoding=UTF-8\n".to_owned();
        let data = self.initial.as_ref().and_then(|initial| initial.data.as_ref());
        if let Some(Initial { preset, .. }) = &self.initial {
            let (_, start) = STARTS.iter().find(|(name, _)| name == preset)?;
            line(&mut kif, &format!("手合割：{start}"));
        }
        if let Some(setup) = data {
            setup.draw(&mut kif)?;
        }
        for (name, value) in &self.header {
            let is_start = name == "手合割" && self.initial.is_some();
            let is_hand = data.is_some() && (name.contains("の持駒") || name.contains("の持ち駒"));
            if !is_start && !is_hand {
                line(&mut kif, &format!("{name}：{value}"));
            }
        }
        kif.push_str("手数----指手---------消費時間--\n");
        rest(&mut kif, &self.rest);
        steps(&mut kif, &self.moves, 1)?;
        Some(kif)
    }
}

impl Setup {
    /// Writes the drawn board with the hands.
    fn draw(&self, kif: &mut String) -> Option<()> {
        for (side, hand) in ["先手", "後手"].into_iter().zip(&self.hands) {
            let held = hand.iter().filter(|(_, count)| **count > 0);
            let held = held.map(|(kind, count)| Some(format!("{}{}", name(kind)?, number(*count)?)));
            let held: Vec<String> = held.collect::<Option<_>>()?;
            let held = if held.is_empty() { "なし".to_owned() } else { held.join("　") };
            line(kif, &format!("{side}の持駒：{held}"));
        }
        kif.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
        for rank in 0..9 {
            kif.push('|');
            for file in (0..9).rev() {
                match &self.board[file][rank] {
                    Man { kind: Some(kind), color } => {
                        kif.push(if *color == Some(1) { 'v' } else { ' ' });
                        kif.push(PIECES.iter().find(|(known, ..)| known == kind)?.2);
                    }
                    Man { kind: None, .. } => kif.push_str(" ・"),
                }
            }
            kif.push('|');
            kif.push(RANKS[rank + 1]);
            kif.push('\n');
        }
        kif.push_str("+---------------------------+\n");
        if self.color == 1 {
            kif.push_str("後手番\n");
        }
        Some(())
    }
}

/// Writes steps, the first ply with a number, and then what might be played instead, from the last ply to the first.
fn steps(kif: &mut String, steps: &[Step], first: usize) -> Option<()> {
    let mut forks = Vec::new();
    let mut next = first;
    for step in steps {
        if let Some(ply) = &step.ply {
            let time = step.time.as_ref().map(Time::in_words).unwrap_or_default();
            line(kif, &format!("{next:>4} {}{time}", ply.in_words()?));
        }
        match step.special.as_deref() {
            None => {}
            Some(word) => match end(word, next % 2 == 1) {
                Some(end) => {
                    let time = step.time.as_ref().map(Time::in_words).unwrap_or_default();
                    line(kif, &format!("{next:>4} {end}{time}"));
                }
                None => line(kif, &format!("*{word}")),
            },
        }
        for comment in step.comments.iter().flat_map(|comment| comment.split('\n')) {
            line(kif, &format!("*{comment}"));
        }
        rest(kif, &step.rest);
        forks.extend(step.forks.iter().map(|fork| (next, fork)));
        next += usize::from(step.ply.is_some());
    }
    // A line that replaces a later ply would otherwise be one of the line before it.
    while let Some((number, _)) = forks.last() {
        let from = forks.partition_point(|(other, _)| other < number);
        for (number, fork) in forks.split_off(from) {
            line(kif, &format!("\n変化：{number}手"));
            self::steps(kif, fork, number)?;
        }
    }
    Some(())
}

/// The words of KIF for an end, if it has them.
fn end(word: &str, sente_moves: bool) -> Option<&'static str> {
    let word = match word {
        // The player who is not on move has broken a rule.
        "ILLEGAL_ACTION" => return Some("反則勝ち"),
        "+ILLEGAL_ACTION" | "-ILLEGAL_ACTION" => format!("%{word}"),
        word => format!("%{word}"),
    };
    let end = kif_end(&word, sente_moves);
    (end != "中断" || word == "%CHUDAN").then_some(end)
}

/// Keeps what the form does not know as comments.
fn rest(kif: &mut String, rest: &Map<String, Value>) {
    for (key, value) in rest {
        line(kif, &format!("*{key}: {value}"));
    }
}

/// Writes a line; breaks inside it would begin other ones.
fn line(kif: &mut String, text: &str) {
    let (breaks, text) = text.split_at(text.len() - text.trim_start_matches('\n').len());
    kif.push_str(breaks);
    kif.push_str(&text.replace(['\n', '\r'], " "));
    kif.push('\n');
}

impl Ply {
    fn in_words(&self) -> Option<String> {
        let mut words = match &self.to {
            Some(Square { x: x @ 1..=9, y: y @ 1..=9 }) => {
                String::from_iter([FILES[usize::from(*x)], RANKS[usize::from(*y)]])
            }
            Some(_) => return None,
            None => "同　".to_owned(),
        };
        words.push_str(name(&self.piece)?);
        for letter in self.relative.iter().flat_map(|relative| relative.chars()) {
            // With the square that it comes from, only the drop says more.
            let (_, word) = RELATIVE.iter().find(|(known, _)| *known == letter)?;
            if self.from.is_none() {
                words.push(*word);
            }
        }
        match self.promote {
            Some(true) => words.push('成'),
            Some(false) if self.from.is_none() => words.push_str("不成"),
            _ => {}
        }
        if let Some(Square { x, y }) = &self.from {
            write!(words, "({x}{y})").ok()?;
        }
        Some(words)
    }
}

impl Time {
    fn in_words(&self) -> String {
        let Span { h, m, s } = &self.now;
        let total = self.total.as_ref().map(|total| format!("{:02}:{:02}:{:02}", total.h, total.m, total.s));
        format!("   ({:>2}:{s:02}/{})", h.saturating_mul(60).saturating_add(*m), total.unwrap_or_default())
    }
}

/// The name of a piece in a ply.
fn name(kind: &str) -> Option<&'static str> {
    PIECES.iter().find(|(known, ..)| *known == kind).map(|(_, name, _)| *name)
}

/// A count of pieces in a hand, as far as a set has them.
fn number(count: u32) -> Option<String> {
    let digit = |value: u32| RANKS.get(value as usize).filter(|_| value > 0).map(char::to_string);
    match count {
        1 => Some(String::new()),
        2..=9 => digit(count),
        10 => Some("十".to_owned()),
        11..=18 => Some(format!("十{}", digit(count - 10)?)),
        _ => None,
    }
}
