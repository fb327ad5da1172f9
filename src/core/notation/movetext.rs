//! A move as written, independent of a position.

use super::origin::Origin;
use super::slips::Slips;
use crate::board::{Mask, Owner, Square};
use crate::position::{Ply, Position};
use crate::rules::definition::OwnStyle;
use crate::rules::{KindId, KindSet};

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A piece moves to a square: `Nf3`, `Bc1-e3&C`, `exd8=Q`.
    Step,
    /// Two squares, with letters after them: `e2e4`, `e7e8q`, `b1c3m`, `e1h1`. The piece is the one on the first
    /// square.
    Squares,
    /// A drop: `N@e4`, `&Me1`, `R=a1`.
    Drop,
    /// `O-O`.
    CastleKingSide,
    /// `O-O-O`.
    CastleQueenSide,
    /// Nature's `a4=Q`: an introduction, or a promotion without its from-square (CHA-12).
    Introduction,
    /// `--`, `Z0`, `0000`, `null`: a null move, which no game has.
    Null,
}

/// The check or mate mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckMark {
    /// None.
    None,
    /// `+`.
    Check,
    /// `#`.
    Mate,
}

/// A gate in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateText {
    /// The kind that enters.
    pub kind: KindId,
    /// The square, if the text names it.
    pub square: Square,
}

/// Features of spelling by which a style is detected, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Habits(pub u32);

/// The first bit of the forms of styles that only some games have.
const OF_STYLES: u32 = 16;

impl Habits {
    /// None.
    pub const NONE: Habits = Habits(0);
    /// Two squares without a letter.
    pub const SQUARES: Habits = Habits(1);
    /// `-` between the squares.
    pub const DASH: Habits = Habits(2);
    /// A pawn's letter is written.
    pub const PAWN_LETTER: Habits = Habits(4);
    /// `R=a1`.
    pub const EQUALS_DROP: Habits = Habits(8);
    /// The captured piece is named.
    pub const CAPTURED_NAMED: Habits = Habits(16);
    /// The sign `&`, or another of IAGO's signs in that form.
    pub const AMPERSAND: Habits = Habits(32);
    /// `/` before a gated piece.
    pub const SLASH: Habits = Habits(64);
    /// A turn of Nature's in the inventor's form.
    pub const INTERJECTION: Habits = Habits(128);
    /// A short algebraic move.
    pub const SHORT: Habits = Habits(256);

    /// Castling not written `O-O`: with zeros, lower-case letters, without dashes.
    pub const ODD_CASTLING: Habits = Habits(512);

    /// ICCF numeric squares: `5254`.
    pub const NUMERIC: Habits = Habits(1024);
    /// The captured piece or castling is marked after the squares: Smith's `f4g5n`, `e1g1c`.
    pub const SMITH: Habits = Habits(2048);
    /// A figure instead of a piece letter: `♘f3`.
    pub const FIGURES: Habits = Habits(4096);
    /// Piece and full from-square, without a dash: `Ng1f3`, `e4xd5`.
    pub const WHOLE: Habits = Habits(8192);
    /// Two squares with ranks from 0: `h2e2`.
    pub const ZERO_RANKS: Habits = Habits::of(OwnStyle::Ucci);
    /// The same in capitals: `H2-E2`.
    pub const ICCS: Habits = Habits::of(OwnStyle::Iccs);
    /// A piece named by its file, or by its place on it: `C2=5`, `R+1`.
    pub const BY_FILE: Habits = Habits::of(OwnStyle::Wxf);
    /// The same in Chinese: `炮二平五`.
    pub const CHINESE: Habits = Habits::of(OwnStyle::Chinese);
    /// Squares as Janggi counts them: `R01-91`.
    pub const JANGGI: Habits = Habits::of(OwnStyle::Janggi);
    /// The same with the piece between: `79卒78`.
    pub const GIB: Habits = Habits::of(OwnStyle::Gib);
    /// Short algebraic notation in Thai: `ร-ญ๒`.
    pub const THAI_SAN: Habits = Habits::of(OwnStyle::ThaiSan);
    /// Long algebraic notation in Thai: `ร ญ๑-ญ๒`.
    pub const THAI_LAN: Habits = Habits::of(OwnStyle::ThaiLan);
    /// The forms in Thai.
    pub const THAI: Habits = Habits::THAI_SAN.and(Habits::THAI_LAN);
    /// Shogi's `7g7f`, `P*5e`.
    pub const USI: Habits = Habits::of(OwnStyle::Usi);
    /// Japanese characters: `７六歩(77)`.
    pub const KIF: Habits = Habits::of(OwnStyle::Kif);
    /// CSA's codes: `7776FU`.
    pub const CSA: Habits = Habits::of(OwnStyle::Csa);
    /// Hosking's forms: `P76`, `B'39`.
    pub const HOSKING: Habits = Habits::of(OwnStyle::Hosking);
    /// Hodges's forms: `P-7f`, `Bx2b+`.
    pub const HODGES: Habits = Habits::of(OwnStyle::Hodges);
    /// A form of shogi that Hosking and Hodges share: `Bx22+`.
    pub const WESTERN: Habits = Habits(1 << 14);
    /// A drop as USI and Hodges write it: `P*5e`.
    pub const STAR_DROP: Habits = Habits(1 << 15);
    /// The forms of shogi's own notations.
    pub const SHOGI: Habits = Habits::USI
        .and(Habits::KIF)
        .and(Habits::CSA)
        .and(Habits::HOSKING)
        .and(Habits::HODGES)
        .and(Habits::WESTERN)
        .and(Habits::STAR_DROP);

    /// A form of a style that only some games have.
    pub const fn of(style: OwnStyle) -> Habits {
        Habits(1 << (OF_STYLES + style as u32))
    }

    /// The habits of both.
    #[inline]
    pub const fn and(self, other: Habits) -> Habits {
        Habits(self.0 | other.0)
    }

    /// These habits without others.
    pub const fn without(self, habits: Habits) -> Habits {
        Habits(self.0 & !habits.0)
    }

    /// True if any of `habits` is in the set.
    pub const fn has_any(self, habits: Habits) -> bool {
        self.0 & habits.0 != 0
    }

    /// How many forms are in the set that only some games have, those of shogi apart.
    pub const fn own_forms(self) -> u32 {
        (self.without(Habits::SHOGI).0 >> OF_STYLES).count_ones()
    }

    /// True if all of `habits` are in the set.
    pub const fn has(self, habits: Habits) -> bool {
        self.0 & habits.0 == habits.0
    }
}

/// How KI2 tells pieces of a kind apart that go to the same square, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints(pub u8);

impl Hints {
    /// Nothing is said.
    pub const NONE: Hints = Hints(0);
    /// The leftmost, as the mover sees the board.
    pub const LEFT: Hints = Hints(1);
    /// The rightmost.
    pub const RIGHT: Hints = Hints(2);
    /// One square straight forward.
    pub const STRAIGHT: Hints = Hints(4);
    /// Forward.
    pub const UP: Hints = Hints(8);
    /// Along the rank.
    pub const SIDEWAYS: Hints = Hints(16);
    /// Backward.
    pub const DOWN: Hints = Hints(32);
    /// If no piece can go there, one is dropped.
    pub const OR_DROP: Hints = Hints(64);

    /// The hints of both.
    #[must_use]
    pub const fn and(self, other: Hints) -> Hints {
        Hints(self.0 | other.0)
    }

    /// True if the hint is given.
    pub const fn has(self, hint: Hints) -> bool {
        self.0 & hint.0 != 0
    }
}

/// What a moving piece becomes, where the text does not name the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Becomes {
    /// What [`MoveText::promotion`] says.
    #[default]
    Named,
    /// It is promoted: `b2h8+`.
    Promoted,
    /// It is of this kind after the ply, promoted by it or not: `7788UM`.
    Kind(KindId),
}

/// A piece named by its file or by its place on one, and its way, as its player sees the board. Files are counted from
/// the right, beginning with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByFile {
    /// Which of the pieces of its kind.
    pub place: Place,
    /// Forward, back, or along the rank.
    pub way: Way,
    /// The new file; for a step along the file, the number of ranks.
    pub number: u8,
}

/// Which of several pieces of a kind a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The one on a file; of an odd number there, the middle one.
    File(u8),
    /// One of several on a file, which may be any with more than one.
    Among {
        /// The file, if the text names it.
        file: Option<u8>,
        /// Which of them.
        which: Which,
    },
}

/// A piece among several of its kind on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The foremost.
    Front,
    /// The middle one of an odd number.
    Middle,
    /// The hindmost.
    Rear,
    /// By number, from the front; without a file, on from the rightmost file with more than one.
    Number(u8),
}

/// The way of a piece, as its player sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Towards the opponent.
    Forward,
    /// Towards the player.
    Back,
    /// Along the rank.
    Level,
}

/// A move as written: independent of the position, with the letters of its game resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveText {
    /// The form.
    pub shape: Shape,
    /// True if the text or its number marks a ply of Nature's.
    pub natures: bool,
    /// The kinds that may move or enter; all if the text does not name one, none if its letter is not a piece of the
    /// game.
    pub kinds: KindSet,
    /// The from-file, from 0.
    pub from_file: Option<u8>,
    /// The from-rank, from 0.
    pub from_rank: Option<u8>,
    /// The from-file if the piece is a pawn, where one letter is that or a piece: `คxข๕`.
    pub pawn_file: Option<u8>,
    /// Where it goes.
    pub to: Square,
    /// True if the text marks a capture.
    pub captures: bool,
    /// The captured kind, if it is named.
    pub captured: Option<KindId>,
    /// The square of a piece captured en passant: Nature's, and Smith's `e5d6E`.
    pub victim: Square,
    /// The promotion. In [`Shape::Squares`] it may also be a gated piece; the position decides.
    pub promotion: Option<KindId>,
    /// What the piece becomes, where no kind is named.
    pub becomes: Becomes,
    /// True if the target is where the last ply went, and `to` is not set: `同`.
    pub there: bool,
    /// Which of several pieces moves, by its way.
    pub hints: Hints,
    /// The gated pieces.
    pub gates: [Option<GateText>; 2],
    /// The piece and its way as its player counts files: then the squares depend on the position, and the form is
    /// [`Shape::Squares`] without them.
    pub by_file: Option<ByFile>,
    /// The mark at the end.
    pub mark: CheckMark,
    /// The habits that the text shows.
    pub habits: Habits,
    /// Deviations from the form of all styles.
    pub slips: Slips,
}

/// The most common form, kept small: a piece of one kind moves to a square, without gates, and not as a ply of
/// Nature's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainStep {
    /// The kind that moves.
    pub kind: KindId,
    /// The disambiguation as ASCII letter and digit, 0 for none.
    pub from: [u8; 2],
    /// Where it goes.
    pub to: Square,
    /// True if the text marks a capture.
    pub captures: bool,
    /// The promotion.
    pub promotion: Option<KindId>,
    /// The mark at the end.
    pub mark: CheckMark,
}

impl PlainStep {
    /// The ply of `mover` from a square.
    #[inline(always)]
    pub const fn ply(&self, mover: Owner, from: Square) -> Ply {
        Ply { promotion: self.promotion, ..Ply::step(mover, self.kind, from, self.to) }
    }

    /// The disambiguation that the text has.
    #[inline]
    pub fn origin(&self) -> Origin {
        Origin::said(self.origin_file().is_some(), self.origin_rank().is_some())
    }

    /// The from-file, from 0.
    fn origin_file(&self) -> Option<u8> {
        self.from.iter().find(|byte| byte.is_ascii_lowercase()).map(|letter| letter - b'a')
    }

    /// The from-rank, from 0.
    fn origin_rank(&self) -> Option<u8> {
        self.from.iter().find(|byte| (b'1'..b'a').contains(*byte)).map(|digit| digit - b'1')
    }
}

/// The text of a step in short algebraic form.
impl From<PlainStep> for MoveText {
    fn from(step: PlainStep) -> MoveText {
        let PlainStep { kind, from: _, to, captures, promotion, mark } = step;
        let (from_file, from_rank) = (step.origin_file(), step.origin_rank());
        let kinds = [kind].into_iter().collect();
        let habits = Habits::SHORT;
        let form = MoveText::new(Shape::Step);
        MoveText { kinds, from_file, from_rank, to, captures, promotion, mark, habits, ..form }
    }
}

/// Files and ranks of the largest boards, from 0.
const LINE_MAX: u8 = 15;

impl MoveText {
    /// The text as a plain step, if possible.
    pub(crate) fn plain_step(&self) -> Option<PlainStep> {
        let usual = self.becomes == Becomes::Named && !self.there && self.hints == Hints::NONE;
        let plain = self.shape == Shape::Step && !self.natures && self.gates[0].is_none() && usual;
        let kind = self.kinds.single().filter(|_| plain)?;
        let MoveText { from_file, from_rank, to, captures, promotion, mark, .. } = *self;
        // Squares outside the board's corners are on no file and on no rank that a byte could name.
        if from_file.unwrap_or(0) | from_rank.unwrap_or(0) > LINE_MAX {
            return None;
        }
        let from = [from_file.map_or(0, |file| b'a' + file), from_rank.map_or(0, |rank| b'1' + rank)];
        Some(PlainStep { kind, from, to, captures, promotion, mark })
    }

    /// The text with its target, if that is where the last ply of the game went.
    #[cold]
    pub(super) fn at_last_target<M: Mask>(&self, position: &Position<M>) -> MoveText {
        let to = if self.there { position.status().arrived } else { self.to };
        MoveText { to, there: false, ..*self }
    }

    /// True if a letter after two squares may be a gated piece.
    pub const fn may_gate_by_letter(&self) -> bool {
        let never = self.habits.has_any(Habits::NUMERIC.and(Habits::SMITH).and(Habits::SHOGI));
        matches!(self.shape, Shape::Squares) && !never
    }

    /// A text of a form, all else empty.
    #[inline]
    pub const fn new(shape: Shape) -> MoveText {
        MoveText {
            shape,
            natures: false,
            kinds: KindSet(u32::MAX),
            from_file: None,
            from_rank: None,
            pawn_file: None,
            to: Square::NONE,
            captures: false,
            captured: None,
            victim: Square::NONE,
            promotion: None,
            becomes: Becomes::Named,
            there: false,
            hints: Hints::NONE,
            gates: [None; 2],
            by_file: None,
            mark: CheckMark::None,
            habits: Habits(0),
            slips: Slips::NONE,
        }
    }
}

/// Why a text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unreadable {
    /// The bytes at fault.
    pub span: crate::text::Span,
    /// The fault and the remedy.
    pub message: String,
    /// True if the form is valid, and only a letter is not a piece of the game.
    pub unknown_kind: bool,
}
