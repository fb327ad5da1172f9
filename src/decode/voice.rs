//! How a writer spells: the letters of a language in the algebraic styles, or a style with forms of its own.

use crate::costs::{Bits, Costs};
use ferz_core::board::{ByOwner, Mask, Owner};
use ferz_core::notation::{Alphabet, Style};
use ferz_core::rules::{KindId, Rules};
use std::sync::Arc;

/// A set of characters that may stand for one symbol, by its number.
pub(crate) type Class = u8;

/// Digits, from 0.
pub(crate) const DIGIT: Class = 0;
/// Files, from a.
pub(crate) const FILE: Class = 10;
/// `x`.
pub(crate) const CAPTURE: Class = 26;
/// `-`, where nothing is captured.
pub(crate) const DASH: Class = 27;
/// `@` of a drop.
pub(crate) const DROP: Class = 28;
/// `=` of a promotion.
pub(crate) const EQUALS: Class = 29;
/// `&` or `/` of a gate.
pub(crate) const GATE: Class = 30;
/// `O` of castling.
pub(crate) const CASTLE: Class = 31;
/// Any file.
pub(crate) const ANY_FILE: Class = 32;
/// Any digit.
pub(crate) const ANY_DIGIT: Class = 33;
/// Any letter of a piece.
pub(crate) const ANY_LETTER: Class = 34;
/// The first letter of a piece.
const LETTERS: Class = 35;

/// How a writer spells.
#[derive(Debug, Clone)]
pub(crate) struct Voice {
    /// The style, if it has forms of its own.
    pub literal: Option<Style>,
    /// The language, if its letters are not the game's own.
    pub alphabet: Option<Arc<Alphabet>>,
    /// The characters of each class, with the cost of each.
    pub classes: Vec<Vec<(char, Bits)>>,
    /// The letters of each kind.
    letters: ByOwner<Vec<Letters>>,
}

/// The symbols of a piece's letter.
#[derive(Debug, Clone, Default)]
struct Letters {
    /// In front of a ply, where capitals matter.
    strict: Vec<Class>,
    /// After a sign or squares, where lower case is as good.
    loose: Vec<Class>,
}

impl Voice {
    /// The voice of the algebraic styles, in a language or in the game's own letters.
    pub fn algebraic<M: Mask>(rules: &Rules<M>, alphabet: Option<Arc<Alphabet>>, costs: &Costs) -> Voice {
        let free = |characters: &str| characters.chars().map(|char| (char, Bits::ZERO)).collect::<Vec<_>>();
        let mut classes: Vec<Vec<(char, Bits)>> = (0..10).map(|digit| free(&format!("{digit}"))).collect();
        classes.extend((b'a'..=b'p').map(|file| free(&char::from(file).to_string())));
        classes.push(free("x:×*X"));
        let mut quiet = free("-–—−");
        quiet.push(('x', costs.ply.capture_wrong));
        quiet.push(('×', costs.ply.capture_wrong));
        classes.extend([quiet, free("@*=&/'"), free("=(/"), free("&/@^="), free("O0oОо")]);
        classes.extend([free("abcdefghijklmnop"), free("0123456789"), Vec::new()]);
        debug_assert_eq!(classes.len(), usize::from(LETTERS));
        let mut voice = Voice { literal: None, alphabet, classes, letters: ByOwner::default() };
        for owner in Owner::ALL {
            for index in 0..rules.kinds.len() {
                let letters = voice.letters_of(rules, owner, KindId(index as u8), costs);
                voice.letters[owner].push(letters);
            }
        }
        let letters: Vec<(char, Bits)> = voice.classes[usize::from(LETTERS)..].concat();
        voice.classes[usize::from(ANY_LETTER)] = letters;
        voice
    }

    /// The voice of a style that has forms of its own.
    pub fn literal(style: Style) -> Voice {
        Voice { literal: Some(style), alphabet: None, classes: Vec::new(), letters: ByOwner::default() }
    }

    /// True for the game's own letters in algebraic notation.
    pub fn is_own(&self) -> bool {
        self.alphabet.is_none() && self.literal.is_none()
    }

    /// The letter of a kind; loose where lower case is as good.
    pub fn letter(&self, owner: Owner, kind: KindId, is_loose: bool) -> &[Class] {
        let letters = &self.letters[owner][kind.index()];
        if is_loose { &letters.loose } else { &letters.strict }
    }

    fn letters_of<M: Mask>(
        &mut self,
        rules: &Rules<M>,
        owner: Owner,
        kind: KindId,
        costs: &Costs,
    ) -> Letters {
        let own = char::from(rules.kind(kind).label[owner].letter).to_string();
        let national = self.alphabet.as_ref().and_then(|alphabet| alphabet.to_national(&own).ok());
        let written = national.unwrap_or_else(|| own.clone());
        let is_foreign = written != own;
        let figure = figures(&own);
        let mut letters = Letters::default();
        for (index, char) in written.chars().enumerate() {
            let mut class = vec![(char, Bits::ZERO)];
            if index == 0 {
                class.extend(figure.iter().map(|figure| (*figure, Bits::ZERO)));
                if is_foreign {
                    class.extend(own.chars().map(|own| (own, costs.ply.other_language)));
                }
            }
            let lower = class.iter().flat_map(|(char, bits)| char.to_lowercase().map(|char| (char, *bits)));
            let loose = lower.chain(class.iter().copied()).collect();
            letters.strict.push(self.class(class));
            letters.loose.push(self.class(loose));
        }
        letters
    }

    /// The number of a class, new if need be.
    fn class(&mut self, class: Vec<(char, Bits)>) -> Class {
        let known = self.classes.iter().position(|known| *known == class);
        let index = known.unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        });
        // A game has 24 kinds at most, and a letter two classes.
        index as Class
    }
}

/// The figures of a letter of chess.
fn figures(letter: &str) -> Vec<char> {
    let at = ["K", "Q", "R", "B", "N", "P"].iter().position(|known| *known == letter);
    let figure = |at: usize| [0x2654, 0x265a].map(|first| char::from_u32(first + at as u32));
    at.map_or_else(Vec::new, |at| figure(at).into_iter().flatten().collect())
}
