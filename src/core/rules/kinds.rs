//! Kinds of pieces, pieces, and sets of kinds.

use crate::board::{ByOwner, Owner};
use crate::text::limits::KINDS_MAX;

/// A kind of piece in a compiled game, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u8);

impl KindId {
    /// The kind that no piece has.
    pub const NONE: KindId = KindId(KIND_SLOTS as u8 - 1);

    /// The number as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The index in a table of [`KIND_SLOTS`]; valid for every number.
    #[inline]
    pub const fn slot(self) -> usize {
        self.0 as usize % KIND_SLOTS
    }
}

/// The size of tables by kind that every ply reads: a power of two, so that indexing needs no bounds check.
pub const KIND_SLOTS: usize = KINDS_MAX.next_power_of_two();

const _: () = assert!(KINDS_MAX < KIND_SLOTS);

/// A piece: a kind and its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Its owner.
    pub owner: Owner,
    /// Its kind.
    pub kind: KindId,
}

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct KindSet(pub u32);

impl KindSet {
    /// The empty set.
    pub const EMPTY: KindSet = KindSet(0);

    /// True if `kind` is in the set.
    #[inline]
    pub const fn has(self, kind: KindId) -> bool {
        self.0 >> kind.0 & 1 == 1
    }

    /// Adds a kind.
    pub fn insert(&mut self, kind: KindId) {
        self.0 |= 1 << kind.0;
    }

    /// True if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if exactly one kind is in the set.
    #[inline]
    pub const fn is_single(self) -> bool {
        self.0 != 0 && self.0 & (self.0 - 1) == 0
    }

    /// The only kind of the set, if there is exactly one.
    #[inline]
    pub const fn single(self) -> Option<KindId> {
        if self.is_single() { Some(KindId(self.0.trailing_zeros() as u8)) } else { None }
    }

    /// The kinds of the set, by number.
    #[inline]
    pub fn kinds(self) -> Kinds {
        Kinds(self.0)
    }

    /// The kinds that are in both sets.
    #[inline]
    pub const fn both(self, other: KindSet) -> KindSet {
        KindSet(self.0 & other.0)
    }
}

/// The kinds of a set, by number.
#[derive(Debug, Clone)]
pub struct Kinds(u32);

impl Iterator for Kinds {
    type Item = KindId;
    #[inline]
    fn next(&mut self) -> Option<KindId> {
        if self.0 == 0 {
            return None;
        }
        let kind = KindId(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(kind)
    }
}

impl FromIterator<KindId> for KindSet {
    fn from_iter<I: IntoIterator<Item = KindId>>(kinds: I) -> KindSet {
        let mut set = KindSet::EMPTY;
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

/// The notation of a kind for one owner: its letter, `+` before it for a promoted kind, and `'` after it for a kind of
/// the other army (AUG-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label {
    /// Upper-case letter.
    pub letter: u8,
    /// True where a `'` follows.
    pub other_army: bool,
    /// True where a `+` precedes: what another kind becomes.
    pub plus: bool,
}

impl Label {
    /// As it is written, in upper case: `R`, `+R`, `R'`.
    pub fn text(self) -> String {
        let (plus, mark) = (if self.plus { "+" } else { "" }, if self.other_army { "'" } else { "" });
        format!("{plus}{}{mark}", char::from(self.letter))
    }
}

/// Properties of a kind besides its movement.
#[derive(Debug, Clone)]
pub struct KindInfo {
    /// Letter in the definition.
    pub letter: u8,
    /// True if `+` precedes the letter there.
    pub plus: bool,
    /// Other letters in records.
    pub also: Vec<u8>,
    /// Display name.
    pub name: String,
    /// Movement in Betza notation, the same from White's and Black's view.
    pub betza: String,
    /// The parts of the movement that are bound to a part of the board, in words: `sW from rank 6-10`.
    pub terms: Vec<String>,
    /// True for the king.
    pub royal: bool,
    /// True for the piece that must stay attacked.
    pub anti_royal: bool,
    /// True for pawns.
    pub pawn: bool,
    /// The kind that this one becomes in hand when captured.
    pub captured_as: KindId,
    /// True for rooks and bishops and what they become: five points in a declaration (SHO 6).
    pub large: bool,
    /// Its notation, by owner.
    pub label: ByOwner<Label>,
    /// How to build one at home.
    pub home_made: Option<String>,
}

impl KindInfo {
    /// The whole movement as text: `fW, sW from rank 6-10`.
    pub fn movement(&self) -> String {
        let whole = (!self.betza.is_empty()).then_some(&self.betza);
        whole.into_iter().chain(&self.terms).cloned().collect::<Vec<_>>().join(", ")
    }

    /// The key in the definition: `R`, `+R`.
    pub fn key(&self) -> String {
        Label { letter: self.letter, other_army: false, plus: self.plus }.text()
    }

    /// True if this is the kind's key in the definition.
    pub fn has_key(&self, key: &str) -> bool {
        match key.as_bytes() {
            [b'+', letter] => self.plus && *letter == self.letter,
            [letter] => !self.plus && *letter == self.letter,
            _ => false,
        }
    }
}
