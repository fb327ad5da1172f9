//! Letters of pieces: they belong to the rules of a game, never to a parser.

use super::fronts::{Fronts, Targets};
use super::styles::figurine::{self, FigureLetters};
use crate::board::{Board, ByOwner, Mask, Owner};
use crate::rules::{KindId, KindSet, Rules};

/// Where the castling that a token begins with ends; 0 where it begins with none. Its letter is no piece's.
pub(super) fn castling_end(token: &[u8]) -> usize {
    match token {
        [b'O' | b'o' | b'0', b'O' | b'o' | b'0' | b'-', ..] => {
            token.iter().take_while(|byte| matches!(byte, b'O' | b'o' | b'0' | b'-')).count()
        }
        _ => 0,
    }
}

/// What each letter means in one game, by the player who writes it.
#[derive(Debug)]
pub struct Letters {
    board: Board,
    plain: ByOwner<[KindSet; 26]>,
    /// The kind where the letter means just one that is no pawn.
    piece: ByOwner<[Option<KindId>; 26]>,
    targets: Targets,
    fronts: ByOwner<Fronts>,
    other_army: ByOwner<[KindSet; 26]>,
    pawns: KindSet,
    all: KindSet,
    figures: FigureLetters,
}

impl Letters {
    /// The letters of a game.
    pub fn new<M: Mask>(rules: &Rules<M>) -> Letters {
        let mut letters = Letters {
            board: rules.board(),
            plain: ByOwner([[KindSet::EMPTY; 26]; 3]),
            piece: ByOwner([[None; 26]; 3]),
            targets: Targets::new(rules.board()),
            fronts: ByOwner::from_fn(|_| Fronts::none()),
            other_army: ByOwner([[KindSet::EMPTY; 26]; 3]),
            pawns: rules.pawns,
            all: (0..rules.kinds.len() as u8).map(KindId).collect(),
            figures: figurine::letters(rules),
        };
        for (index, kind) in rules.kinds.iter().enumerate() {
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
        letters.fronts = ByOwner::from_fn(|owner| Fronts::new(&letters, owner));
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

    /// The kind that `owner` means by an upper-case letter, where that is just one, and no pawn.
    #[inline]
    pub fn piece(&self, owner: Owner, letter: u8) -> Option<KindId> {
        self.piece[owner].get(usize::from(letter.wrapping_sub(b'A'))).copied().flatten()
    }

    /// The squares that plain moves go to.
    #[inline(always)]
    pub(super) fn targets(&self) -> &Targets {
        &self.targets
    }

    /// What stands before those squares in plain moves of an owner's.
    #[inline(always)]
    pub(super) fn fronts(&self, owner: Owner) -> &Fronts {
        &self.fronts[owner]
    }

    /// The kind of a letter in either case, `'` following or not. Where both armies have the kind, `'` is
    /// accepted when `lenient` (AUG-5).
    pub fn kind(&self, owner: Owner, letter: u8, other_army: bool, lenient: bool) -> Option<KindId> {
        let letter = letter.to_ascii_uppercase();
        let found = match letter {
            b'A'..=b'Z' if other_army => self.other_army[owner][usize::from(letter - b'A')],
            _ => self.kinds(owner, letter),
        };
        let found = if found.is_empty() && other_army && lenient { self.kinds(owner, letter) } else { found };
        found.kinds().next()
    }

    /// Why a letter, marked with `'` or not, is of no kind.
    #[cold]
    pub(super) fn why_none(&self, owner: Owner, letter: u8, marked: bool) -> String {
        let letter_text = char::from(letter);
        if marked && self.kind(owner, letter, false, false).is_some() {
            let rule = "`'` marks kinds that the other army alone has";
            return format!("{rule}, and `{letter_text}` is none of them: write `{letter_text}` (AUG-5)");
        }
        format!("`{letter_text}` is no piece of this game")
    }

    /// A token with letters for the figures of style `figurine`; nothing where it has none of this game.
    pub(crate) fn for_figures(&self, owner: Owner, token: &str) -> Option<Vec<u8>> {
        figurine::lettered(&self.figures, owner, token.as_bytes())
    }

    /// What the figures of style `figurine` stand for.
    pub(super) fn figures(&self) -> &FigureLetters {
        &self.figures
    }

    /// The pawns.
    #[inline]
    pub fn pawns(&self) -> KindSet {
        self.pawns
    }

    /// The pawn, where there is just one kind of pawns.
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
