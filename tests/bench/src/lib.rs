//! What the measurements share: games that are the same in every run, and a corpus if there is one.

pub mod certificates;

use ferz::board::{Mask, Owner};
use ferz::judge::Judge;
use ferz::notation::{Style, WriteChoices, write};
use ferz::position::{Ply, Position};
use ferz::rules::{AnyRules, Registry, Rules};
use std::fmt::Write;
use std::sync::Arc;

/// A game, the tags that choose its rules, and a name for it in the figures.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// Its name in the figures.
    pub label: &'static str,
    /// Its name in records.
    pub name: &'static str,
    /// Tags that choose its rules.
    pub tags: &'static [(&'static str, &'static str)],
}

const fn plain(name: &'static str) -> Variant {
    Variant { label: name, name, tags: &[] }
}

/// Every game that is measured.
pub const VARIANTS: [Variant; 30] = [
    plain("chess"),
    Variant {
        label: "chess960",
        name: "chess960",
        tags: &[("FEN", "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1"), ("SetUp", "1")],
    },
    plain("iago-b"),
    plain("iago-c"),
    plain("iago-m"),
    plain("ichess"),
    plain("ingols"),
    Variant {
        label: "augmented",
        name: "augmented",
        tags: &[("WhiteArmy", "RF ND BffNsbN QfbN"), ("BlackArmy", "RfbN NF BW QffNsbN")],
    },
    plain("capablanca"),
    plain("seirawan"),
    plain("crazyhouse"),
    plain("antiking-1"),
    plain("antiking-2"),
    plain("magicians-deathmatch"),
    plain("shatranj"),
    plain("chaturanga"),
    plain("makruk"),
    plain("kingofthehill"),
    plain("threecheck"),
    plain("antichess"),
    plain("suicide"),
    plain("atomic"),
    plain("horde"),
    plain("racingkings"),
    plain("xiangqi"),
    plain("janggi"),
    plain("shogi"),
    plain("chaos+chess"),
    Variant { label: "chaos+chess advanced", name: "chaos+chess", tags: &[("NatureRules", "advanced")] },
    plain("chaos+ichess"),
];

impl Variant {
    /// The variant's rules.
    pub fn rules(&self) -> AnyRules {
        let tags = |name: &str| {
            let found = self.tags.iter().find(|(tag, _)| *tag == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Registry::built_in().rules(self.name, &tags).unwrap_or_else(|error| panic!("{}: {error}", self.label))
    }

    /// `games` random legal games of at most `plies` plies, as records in the style of the game's own.
    pub fn games(&self, games: u64, plies: usize) -> String {
        let mut text = String::new();
        for number in 0..games {
            let mut random = Random::new(self.label, number);
            text.push_str(&format!("[Event \"random {number}\"]\n[Variant \"{}\"]\n", self.name));
            for (name, value) in self.tags {
                text.push_str(&format!("[{name} \"{value}\"]\n"));
            }
            text.push_str("[Result \"*\"]\n\n");
            match self.rules() {
                AnyRules::Narrow(rules) => game(&rules, &mut random, plies, &mut text),
                AnyRules::Wide(rules) => game(&rules, &mut random, plies, &mut text),
            }
            text.push_str(" *\n\n");
        }
        text
    }
}

/// Plays one random game, and writes its movetext.
fn game<M: Mask>(rules: &Arc<Rules<M>>, random: &mut Random, plies: usize, text: &mut String) {
    let style: Style = rules.definition.native_style.parse().unwrap_or(Style::San);
    let mut position = Position::start(Arc::clone(rules));
    let mut judge = Judge::new(&position);
    let mut interjections = 0;
    let mut line = String::new();
    while judge.plies() < plies && judge.end().is_none() {
        let Some(ply) = random.ply(&position) else { break };
        let token = write(&position, &ply, style, WriteChoices::default());
        let token = token.unwrap_or_else(|error| panic!("{}: {error}", rules.id.name));
        let number = position.state().status().number;
        let mut word = String::new();
        let written = match ply.actor {
            Owner::White => write!(word, "{number}. {token}"),
            Owner::Black => write!(word, "{token}"),
            Owner::Nature => {
                interjections += 1;
                write!(word, "\u{221e}{interjections}.....{token}")
            }
        };
        written.unwrap_or_else(|error| panic!("{error}"));
        if line.len() + word.len() >= 80 {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
        position.apply(&ply);
        judge.after(&position, &ply);
    }
    text.push_str(&line);
}

/// SplitMix64: the same games in every run and on every machine.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn new(name: &str, number: u64) -> Random {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random(hash ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }

    /// A random legal ply, Nature's as often as the players' where both may act.
    fn ply<M: Mask>(&mut self, position: &Position<M>) -> Option<Ply> {
        let (natures, real): (Vec<Ply>, Vec<Ply>) =
            position.plies().into_iter().partition(|ply| ply.actor == Owner::Nature);
        let natures_turn = !natures.is_empty() && self.below(2) == 0;
        let list = if natures_turn { natures } else { real };
        (!list.is_empty()).then(|| list[self.below(list.len())])
    }
}

/// The PGN file that the environment variable `FERZ_CORPUS` names, if it does: at most so many bytes of it, whole lines.
pub fn corpus(bytes_max: usize) -> Option<Vec<u8>> {
    let path = std::env::var_os("FERZ_CORPUS")?;
    let mut bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if bytes.len() > bytes_max {
        let end = bytes[..bytes_max].windows(8).rposition(|bytes| bytes == b"\n[Event ");
        bytes.truncate(end.map_or(bytes_max, |end| end + 1));
    }
    Some(bytes)
}

/// The texts that are read: the corpus if there is one, and random games of chess.
pub fn texts() -> Vec<(&'static str, Vec<u8>)> {
    let random = VARIANTS[0].games(100, 100).into_bytes();
    let corpus = corpus(2_500_000).map(|bytes| ("corpus", bytes));
    corpus.into_iter().chain([("random chess", random)]).collect()
}
