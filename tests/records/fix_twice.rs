//! A repaired text needs no repair: whatever was done to it before, records of every kind and mail among them.

use crate::common::{report, root};
use crate::fix::fixed;
use ferz::rewrite::fix::REPAIRS;

/// What the texts are made of besides themselves: marks, tags, results and plies of many games.
const PARTS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    ";",
    "%",
    "$1",
    "!!",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "...",
    "--",
    "\0",
    "\u{feff}",
    "\r\n",
    "[%clk 0:00:01]",
    "[FEN \"",
    "\"]",
    "[SetUp \"1\"]",
    "[Variant \"chaos+chess\"]",
    "[Variant \"augmented\"]",
    "[Variant \"shogi\"]",
    "[Result \"1-0\"]",
    "[RulesEdition \"2008\"]",
    "[NatureRules \"advanced\"]",
    "O-O",
    "0-0-0",
    "N@e4",
    "P@a0",
    "4294967295.",
    "-1.",
    "e8=Q",
    "/Hh1",
    "∞3.....a4=Q",
    "7776FU",
    "P*5e",
    "炮二平五",
    "{\"records\":",
    "e.p.",
    "mate",
    "resigns",
    "\"",
    "\\",
    "\\\"",
    "#",
    "++",
    "=",
    "(=)",
    "\n\n",
    "[Event \"",
    "> ",
    "Dear Ann,\n",
    "\u{85}",
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % count.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// One to six changes of a text: bytes and tokens lost, doubled, exchanged and put in from elsewhere.
fn mutated(text: &[u8], texts: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..*random.of(&[1, 1, 1, 2, 3, 6]) {
        let at = random.below(bytes.len() + 1);
        let end = (at + *random.of(&[1, 2, 5, 20, 100])).min(bytes.len());
        match random.below(9) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, random.of(PARTS).bytes())),
            3 => drop(bytes.splice(at..at, format!(" {} ", random.of(PARTS)).into_bytes())),
            4 => {
                let from = random.below(bytes.len() + 1);
                let part = bytes[from..(from + 100).min(bytes.len())].to_vec();
                drop(bytes.splice(at..at, part));
            }
            5 => {
                let part = bytes[at..end].repeat(*random.of(&[2, 10]));
                drop(bytes.splice(at..at, part));
            }
            6 => bytes.truncate(at.max(20)),
            7 => {
                let other = random.of(texts);
                let from = random.below(other.len());
                let part = other[from..(from + *random.of(&[20, 200])).min(other.len())].to_vec();
                drop(bytes.splice(at..at, part));
            }
            _ => drop(bytes.splice(0..0, format!("{}\n", random.of(PARTS)).into_bytes())),
        }
    }
    bytes
}

/// The games of the fixtures, each one alone where a blank line parts it from the next, and mail as it stands.
fn texts() -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for folder in ["games", "odd", "mail", "records", "files"] {
        let mut paths: Vec<_> = std::fs::read_dir(root().join("fixtures").join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file() && path.extension().is_none_or(|ending| ending != "json"))
            .collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read(path).unwrap();
            let mut start = 0;
            for end in memchr::memmem::find_iter(&text, b"\n\n[").chain([text.len()]) {
                texts.push(text[start..end].to_vec());
                start = end;
            }
        }
    }
    texts.retain(|text| (11..3_000).contains(&text.len()));
    texts
}

/// `FERZ_TEXTS=20000` tries more.
#[test]
fn repaired_texts_need_no_repair() {
    let wanted: usize =
        std::env::var("FERZ_TEXTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_500);
    let usual: Vec<&str> = REPAIRS.iter().filter(|repair| repair.usual).map(|repair| repair.name).collect();
    let (texts, mut random, mut findings, mut changed) = (texts(), Random(7), Vec::new(), 0);
    for _ in 0..wanted {
        let chosen = random.of(&texts).clone();
        let text = mutated(&chosen, &texts, &mut random);
        let (once, changes, _) = fixed(&text, &usual);
        let (twice, again, _) = fixed(&once, &usual);
        changed += usize::from(changes > 0);
        if twice != once || again > 0 {
            findings.push(format!(
                "{}\n--- {}\n--- {}",
                String::from_utf8_lossy(&text),
                String::from_utf8_lossy(&once),
                String::from_utf8_lossy(&twice)
            ));
        }
    }
    assert!(changed > wanted / 4, "{changed} of {wanted} texts were changed");
    report("texts", wanted, &findings);
}
