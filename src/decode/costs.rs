//! What slips cost: `formats/slips.toml`.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::sync::LazyLock;

/// A cost in bits, kept in sixteenths. What happens once in 2^n cases costs n bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bits(u32);

impl Bits {
    /// Nothing.
    pub const ZERO: Bits = Bits(0);
    /// More than anything that is read.
    pub(crate) const MAX: Bits = Bits(u32::MAX / 4);

    /// A cost in whole bits.
    pub const fn whole(bits: u32) -> Bits {
        Bits(bits * 16)
    }

    /// A cost in bits; not below 0.
    pub fn of(bits: f64) -> Bits {
        Bits((bits * 16.0).round().clamp(0.0, f64::from(Bits::MAX.0)) as u32)
    }

    /// The cost of a choice among so many.
    pub(crate) fn choice(among: usize) -> Bits {
        Bits::of((among.max(1) as f64).log2())
    }

    /// The cost as a number of bits.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 16.0
    }
}

impl Add for Bits {
    type Output = Bits;

    fn add(self, other: Bits) -> Bits {
        Bits((self.0 + other.0).min(Bits::MAX.0))
    }
}

impl AddAssign for Bits {
    fn add_assign(&mut self, other: Bits) {
        *self = *self + other;
    }
}

/// The difference; 0 where the second is more.
impl Sub for Bits {
    type Output = Bits;

    fn sub(self, other: Bits) -> Bits {
        Bits(self.0.saturating_sub(other.0))
    }
}

/// With one decimal: `6.5`.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", self.as_f64())
    }
}

impl Serialize for Bits {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64((self.as_f64() * 10.0).round() / 10.0)
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bits, D::Error> {
        f64::deserialize(deserializer).map(Bits::of)
    }
}

/// The number of ASCII characters.
const ASCII: u8 = 128;

/// The costs of all slips.
#[derive(Debug, Clone)]
pub struct Costs {
    pub(crate) character: CharacterCosts,
    pub(crate) ply: PlyCosts,
    pub(crate) token: TokenCosts,
    pub(crate) sure: Sure,
    pub(crate) play: PlayCosts,
    /// Of two characters, in either order, the cost of one in the place of the other.
    confusions: HashMap<(char, char), Bits>,
    /// The cost of each ASCII character in the place of each other: what most texts need.
    ascii: Vec<Bits>,
}

/// Costs of plies that are legal but seldom played.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PlayCosts {
    pub given_away: Bits,
    pub rim: Bits,
}

/// Costs of single characters.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct CharacterCosts {
    pub dropped: Bits,
    pub inserted: Bits,
    pub swapped: Bits,
    pub case: Bits,
    pub other: Bits,
    pub punctuation: Bits,
}

/// Costs of parts of a ply that are missing or wrong.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PlyCosts {
    pub piece: Bits,
    pub capture_sign: Bits,
    pub capture_wrong: Bits,
    pub pawn_file: Bits,
    pub promotion: Bits,
    pub promotion_other: Bits,
    pub promotion_sign: Bits,
    pub sign: Bits,
    pub origin: Bits,
    pub other_language: Bits,
    pub mark_wrong: Bits,
    pub mark_missing: Bits,
}

/// Costs of tokens that are missing, cut, or no plies.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct TokenCosts {
    pub named: Bits,
    pub missing: Bits,
    pub unreadable: Bits,
    pub split: Bits,
    pub split_letter: Bits,
    pub glued: Bits,
    pub word: Bits,
    pub short: Bits,
    pub ply_like: Bits,
    pub number_wrong: Bits,
    pub number_side: Bits,
    pub number_alike: Bits,
    pub result: Bits,
}

/// When a reading is sure.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sure {
    /// How much more the next reading must cost.
    pub margin: Bits,
    /// What a slip costs at most; other changes are guesses.
    pub slip: Bits,
    /// The usual share of plies with slips.
    pub rate: f64,
    /// How much more the alternatives of a ply in doubt cost at most.
    pub doubt: Bits,
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    character: CharacterCosts,
    ply: PlyCosts,
    token: TokenCosts,
    sure: Sure,
    play: PlayCosts,
    confusion: Vec<Confusion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Confusion {
    /// Whose slip it is, for readers of the file.
    #[serde(rename = "by")]
    _by: String,
    bits: Bits,
    /// Any two characters of a group.
    #[serde(default)]
    groups: Vec<String>,
    /// Neighbours in a row.
    #[serde(default)]
    rows: Vec<String>,
}

impl Costs {
    /// The costs that the program brings.
    pub fn built_in() -> &'static Costs {
        static BUILT: LazyLock<Costs> =
            LazyLock::new(|| match Costs::read(include_str!("formats/slips.toml")) {
                Ok(costs) => costs,
                Err(error) => unreachable!("a test reads the file: {error}"),
            });
        &BUILT
    }

    /// Reads a file of costs.
    ///
    /// # Errors
    /// Names the field and its place.
    pub fn read(text: &str) -> Result<Costs, toml::de::Error> {
        let File { character, ply, token, sure, play, confusion } = toml::from_str(text)?;
        let mut confusions = HashMap::new();
        let mut confuse = |a: char, b: char, bits: Bits| {
            for pair in [(a, b), (b, a)] {
                let known = confusions.entry(pair).or_insert(bits);
                *known = bits.min(*known);
            }
        };
        for Confusion { bits, groups, rows, .. } in &confusion {
            for group in groups {
                let group: Vec<char> = group.chars().collect();
                for (index, a) in group.iter().enumerate() {
                    group[index + 1..].iter().for_each(|b| confuse(*a, *b, *bits));
                }
            }
            for row in rows {
                for (a, b) in row.chars().zip(row.chars().skip(1)) {
                    confuse(a, b, *bits);
                    // A wrong key has the case of the right one.
                    confuse(a.to_ascii_uppercase(), b.to_ascii_uppercase(), *bits);
                }
            }
        }
        let mut costs = Costs { character, ply, token, sure, play, confusions, ascii: Vec::new() };
        let pairs = (0..ASCII).flat_map(|meant| (0..ASCII).map(move |read| (meant, read)));
        let ascii = pairs.map(|(meant, read)| costs.compare(char::from(meant), char::from(read)));
        costs.ascii = ascii.collect();
        Ok(costs)
    }

    /// The cost of `read` in the place of `meant`.
    pub(crate) fn confusion(&self, meant: char, read: char) -> Bits {
        let ascii = |char: char| u8::try_from(char).ok().filter(u8::is_ascii).map(usize::from);
        match (ascii(meant), ascii(read)) {
            (Some(meant), Some(read)) => self.ascii[meant * usize::from(ASCII) + read],
            _ => self.compare(meant, read),
        }
    }

    fn compare(&self, meant: char, read: char) -> Bits {
        if meant == read {
            return Bits::ZERO;
        }
        if meant.to_lowercase().eq(read.to_lowercase()) {
            return self.character.case;
        }
        let known = |read: char| self.confusions.get(&(meant, read)).copied();
        let other_case = || {
            let other =
                if read.is_lowercase() { read.to_ascii_uppercase() } else { read.to_ascii_lowercase() };
            known(other).map(|bits| bits + self.character.case)
        };
        known(read).or_else(other_case).unwrap_or(self.character.other).min(self.character.other)
    }

    /// How much less likely a slip is in a text of so many plies, with so many slips, than usual.
    pub(crate) fn care(&self, plies: usize, slips: usize) -> Bits {
        // Half a slip more, since there may be one that is not seen.
        let rate = (slips as f64 + 0.5) / plies.max(1) as f64;
        Bits::of((self.sure.rate / rate).log2())
    }

    /// The cost of a character besides those of a ply.
    pub(crate) fn extra(&self, read: char) -> Bits {
        if matches!(read, '.' | ',' | ':' | ';' | '\'' | '"' | '!' | '?' | '-' | '–' | '_' | '`' | '´') {
            self.character.punctuation
        } else {
            self.character.inserted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_costs_less_than_difference() {
        let costs = Costs::built_in();
        assert_eq!(costs.confusion('N', 'N'), Bits::ZERO);
        assert_eq!(costs.confusion('N', 'n'), costs.character.case);
        // A scanner's `l` for 1, a neighbouring key, anything else.
        let cheap = [('1', 'l'), ('3', '8'), ('f', 'g'), ('5', 'S')];
        for (meant, read) in cheap {
            assert!(costs.confusion(meant, read) < costs.character.other, "{meant} {read}");
            assert_eq!(costs.confusion(meant, read), costs.confusion(read, meant), "{meant} {read}");
        }
        assert_eq!(costs.confusion('Q', '4'), costs.character.other);
    }

    #[test]
    fn a_wrong_file_names_its_field() {
        let file = include_str!("formats/slips.toml");
        let wrong = file.replacen("dropped", "droped", 1);
        assert!(Costs::read(&wrong).unwrap_err().message().contains("droped"));
    }
}
