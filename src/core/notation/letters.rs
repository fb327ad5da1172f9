//! Piece letters. They belong to the rules of a game, never to a parser.

use super::own_forms::OwnForms;
use super::prefix_table::{PrefixTable, Targets};
use super::styles::figurine::{self, FigureLetters};
use super::styles::shogi;
use crate::board::{Board, ByOwner, Mask, Owner};
use crate::rules::{KindId, KindSet, Rules};

/// The length of a castling at the start of a token; 0 if there is none. Its `O` is not a piece letter.
pub(super) fn castling_end(token: &[u8]) -> usize {
    match token {
        [b'O' | b'o' | b'0', b'O' | b'o' | b'0' | b'-', ..] => {
            token.iter().take_while(|byte| matches!(byte, b'O' | b'o' | b'0' | b'-')).count()
        }
        _ => 0,
    }
}

/// The meaning of each letter in one game, by player.
#[derive(Debug)]
pub struct Letters {
    board: Board,
    plain: ByOwner<[KindSet; 26]>,
    /// The kind, if the letter has just one and it is not a pawn.
    piece: ByOwner<[Option<KindId>; 26]>,
    targets: Targets,
    prefixes: ByOwner<PrefixTable>,
    other_army: ByOwner<[KindSet; 26]>,
    /// The game has the board and the pieces of shogi.
    shogi: bool,
    /// The kinds that are written with `+` before the letter.
    promoted: [Option<KindId>; 26],
    pawns: KindSet,
    natures_pawns: KindSet,
    all: KindSet,
    figures: FigureLetters,
    own: Option<Box<OwnForms>>,
}

impl Letters {
    /// The letters of a game.
    pub fn new<M: Mask>(rules: &Rules<M>) -> Letters {
        let mut letters = Letters {
            board: rules.board(),
            plain: ByOwner([[KindSet::EMPTY; 26]; 3]),
            piece: ByOwner([[None; 26]; 3]),
            targets: Targets::new(rules.board()),
            prefixes: ByOwner::from_fn(|_| PrefixTable::none()),
            other_army: ByOwner([[KindSet::EMPTY; 26]; 3]),
            shogi: shogi::is_for(rules),
            promoted: [None; 26],
            pawns: rules.pawns,
            natures_pawns: rules
                .all_kinds()
                .kinds()
                .filter(|kind| rules.is_pawn_of(Owner::Nature, *kind))
                .collect(),
            all: (0..rules.kinds.len() as u8).map(KindId).collect(),
            figures: figurine::letters(rules),
            own: OwnForms::new(rules),
        };
        for (index, kind) in rules.kinds.iter().enumerate() {
            if kind.plus {
                letters.promoted[usize::from(kind.letter - b'A')] = Some(KindId(index as u8));
                continue;
            }
            for owner in Owner::ALL {
                let label = kind.label[owner];
                let table = if label.other_army { &mut letters.other_army } else { &mut letters.plain };
                table[owner][usize::from(label.letter - b'A')].insert(KindId(index as u8));
                for also in kind.also.iter().filter(|also| also.is_ascii_uppercase()) {
                    letters.plain[owner][usize::from(also - b'A')].insert(KindId(index as u8));
                }
            }
        }
        for owner in Owner::ALL {
            letters.piece[owner] =
                letters.plain[owner].map(|kinds| kinds.single().filter(|&kind| !rules.is_pawn(kind)));
        }
        letters.prefixes = ByOwner::from_fn(|owner| PrefixTable::new(&letters, owner));
        letters
    }

    /// The board of the game.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The kinds that `owner` may mean by an upper-case letter; none if the game has no such letter.
    #[inline]
    pub fn kinds(&self, owner: Owner, letter: u8) -> KindSet {
        match letter {
            b'A'..=b'Z' => self.plain[owner][usize::from(letter - b'A')],
            _ => KindSet::EMPTY,
        }
    }

    /// The kind that `owner` means by an upper-case letter, if there is just one and it is not a pawn.
    #[inline]
    pub fn piece(&self, owner: Owner, letter: u8) -> Option<KindId> {
        self.piece[owner].get(usize::from(letter.wrapping_sub(b'A'))).copied().flatten()
    }

    /// The kind of `+` and an upper-case letter.
    pub fn promoted(&self, letter: u8) -> Option<KindId> {
        self.promoted.get(usize::from(letter.wrapping_sub(b'A'))).copied().flatten()
    }

    /// True if some kinds are written with `+`: after two squares it is then a promotion.
    pub fn have_promoted(&self) -> bool {
        self.promoted.iter().any(Option::is_some)
    }

    /// True if the notations of shogi may be read.
    pub(super) fn are_of_shogi(&self) -> bool {
        self.shogi
    }

    /// The table of target squares of plain moves.
    #[inline(always)]
    pub(super) fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The table of prefixes of an owner's plain moves.
    #[inline(always)]
    pub(super) fn prefixes(&self, owner: Owner) -> &PrefixTable {
        &self.prefixes[owner]
    }

    /// The kind of a letter in either case, with or without `'`. If both armies have the kind, `'` is accepted only if
    /// `lenient` (AUG-5).
    pub fn kind(&self, owner: Owner, letter: u8, other_army: bool, lenient: bool) -> Option<KindId> {
        let letter = letter.to_ascii_uppercase();
        let found = match letter {
            b'A'..=b'Z' if other_army => self.other_army[owner][usize::from(letter - b'A')],
            _ => self.kinds(owner, letter),
        };
        let found = if found.is_empty() && other_army && lenient { self.kinds(owner, letter) } else { found };
        found.kinds().next()
    }

    /// The message for a letter, with or without `'`, that has no kind.
    #[cold]
    pub(super) fn why_none(&self, owner: Owner, letter: u8, marked: bool) -> String {
        let letter_text = char::from(letter);
        if marked && self.kind(owner, letter, false, false).is_some() {
            return format!("`'` marks kinds of the other army only; write `{letter_text}` (AUG-5)");
        }
        format!("`{letter_text}` is no piece of this game")
    }

    /// A token with letters in place of figures; `None` if it has no figure of this game.
    pub fn for_figures(&self, owner: Owner, token: &str) -> Option<Vec<u8>> {
        figurine::lettered(&self.figures, owner, token.as_bytes())
    }

    /// The meaning of the figures of style `figurine`.
    pub(super) fn figures(&self) -> &FigureLetters {
        &self.figures
    }

    /// The forms that only some games have, if this one has any.
    pub(super) fn own(&self) -> Option<&OwnForms> {
        self.own.as_deref()
    }

    /// The pawns.
    #[inline]
    pub fn pawns(&self) -> KindSet {
        self.pawns
    }

    /// What a ply of `owner` without a letter moves.
    pub fn pawns_of(&self, owner: Owner) -> KindSet {
        if owner == Owner::Nature { self.natures_pawns } else { self.pawns }
    }

    /// The pawn, if there is just one kind of pawns.
    #[inline]
    pub fn pawn(&self) -> Option<KindId> {
        self.pawns.single()
    }

    /// Every kind of the game.
    #[inline]
    pub fn all(&self) -> KindSet {
        self.all
    }
}
