//! A move as its writer wrote it, before it meets a position.

use super::origin::Origin;
use super::slips::Slips;
use crate::board::{Owner, Square};
use crate::position::Ply;
use crate::rules::{KindId, KindSet};

/// What form the text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A piece goes to a square: `Nf3`, `Bc1-e3&C`, `exd8=Q`.
    Step,
    /// Two squares, letters behind them: `e2e4`, `e7e8q`, `b1c3m`, `e1h1`. What moves is what stands there.
    Squares,
    /// A piece enters from a stock: `N@e4`, `&Me1`, `R=a1`.
    Drop,
    /// `O-O`.
    CastleKingSide,
    /// `O-O-O`.
    CastleQueenSide,
    /// Nature's `a4=Q`: an introduction, or a promotion without its from-square (CHA-12).
    Introduction,
    /// `--`, `Z0`, `0000`: a null move, which no game here has.
    Null,
}

/// The mark at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckMark {
    /// None.
    None,
    /// `+`.
    Check,
    /// `#`.
    Mate,
}

/// A gated piece in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateText {
    /// What enters.
    pub kind: KindId,
    /// Where, if the text says so.
    pub square: Square,
}

/// Habits of the writer by which a style is recognised; bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Habits(pub u16);

impl Habits {
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
    /// The sign `&`, or another of IAGO's in its form.
    pub const AMPERSAND: Habits = Habits(32);
    /// `/` before a gated piece.
    pub const SLASH: Habits = Habits(64);
    /// A turn of Nature's in its inventor's form.
    pub const INTERJECTION: Habits = Habits(128);
    /// A short algebraic move.
    pub const SHORT: Habits = Habits(256);

    /// Castling written otherwise than `O-O`: with zeros, small letters, without dashes.
    pub const ODD_CASTLING: Habits = Habits(512);

    /// The squares are numbers, as the ICCF writes them: `5254`.
    pub const NUMERIC: Habits = Habits(1024);
    /// What was captured, or that the king castles, stands behind the squares: Smith's `f4g5n`, `e1g1c`.
    pub const SMITH: Habits = Habits(2048);
    /// A figure stands for a piece's letter: `♘f3`.
    pub const FIGURES: Habits = Habits(4096);
    /// Piece and whole from-square, without a dash: `Ng1f3`, `e4xd5`.
    pub const WHOLE: Habits = Habits(8192);

    /// Both writers' habits.
    #[inline]
    pub const fn and(self, other: Habits) -> Habits {
        Habits(self.0 | other.0)
    }

    /// These habits but for some.
    pub const fn without(self, habits: Habits) -> Habits {
        Habits(self.0 & !habits.0)
    }

    /// True if all of `habits` were seen.
    pub const fn has(self, habits: Habits) -> bool {
        self.0 & habits.0 == habits.0
    }
}

/// A move as written: position-free, but with the letters of its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveText {
    /// The form.
    pub shape: Shape,
    /// True if the text or its number says that Nature acts.
    pub natures: bool,
    /// What moves or enters; all kinds where the text does not say, none where its letter is no piece of the game.
    pub kinds: KindSet,
    /// File that it comes from, from 0.
    pub from_file: Option<u8>,
    /// Rank that it comes from, from 0.
    pub from_rank: Option<u8>,
    /// Where it goes.
    pub to: Square,
    /// True if the text says that something is captured.
    pub captures: bool,
    /// The captured kind, if it is named.
    pub captured: Option<KindId>,
    /// Square of a piece captured elsewhere: Nature's en passant, Smith's `e5d6E`.
    pub victim: Square,
    /// What the pawn becomes. In [`Shape::Squares`] it may also be what is gated in: the position decides.
    pub promotion: Option<KindId>,
    /// What enters behind the piece.
    pub gates: [Option<GateText>; 2],
    /// The mark at the end.
    pub mark: CheckMark,
    /// What the text shows of its writer.
    pub habits: Habits,
    /// In what it deviates from the form of all styles.
    pub slips: Slips,
}

/// The commonest form, as small as can be: a piece of one kind goes to a square. Nobody else enters, and it is no
/// turn of Nature's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlainStep {
    /// What moves.
    pub kind: KindId,
    /// What is said of the square that it comes from, as [`Geometry::told`](crate::board::Geometry::told) takes it.
    pub from: [u8; 2],
    /// Where it goes.
    pub to: Square,
    /// True if the text says that something is captured.
    pub captures: bool,
    /// What a pawn becomes.
    pub promotion: Option<KindId>,
    /// The mark at the end.
    pub mark: CheckMark,
}

impl PlainStep {
    /// The ply of `mover`'s that goes so, from a square.
    #[inline(always)]
    pub const fn ply(&self, mover: Owner, from: Square) -> Ply {
        Ply { promotion: self.promotion, ..Ply::step(mover, self.kind, from, self.to) }
    }

    /// What the text says of the square that the piece comes from.
    #[inline]
    pub fn origin(&self) -> Origin {
        Origin::said(self.told_file().is_some(), self.told_rank().is_some())
    }

    /// File that it comes from, from 0.
    fn told_file(&self) -> Option<u8> {
        self.from.iter().find(|byte| byte.is_ascii_lowercase()).map(|letter| letter - b'a')
    }

    /// Rank that it comes from, from 0.
    fn told_rank(&self) -> Option<u8> {
        self.from.iter().find(|byte| (b'1'..b'a').contains(byte)).map(|digit| digit - b'1')
    }
}

/// The text, in short algebraic form.
impl From<PlainStep> for MoveText {
    fn from(step: PlainStep) -> MoveText {
        let PlainStep { kind, from: _, to, captures, promotion, mark } = step;
        let (from_file, from_rank) = (step.told_file(), step.told_rank());
        let kinds = [kind].into_iter().collect();
        let habits = Habits::SHORT;
        let form = MoveText::new(Shape::Step);
        MoveText { kinds, from_file, from_rank, to, captures, promotion, mark, habits, ..form }
    }
}

impl MoveText {
    /// The text as a plain step, if it is one.
    pub(crate) fn plain_step(&self) -> Option<PlainStep> {
        let plain = self.shape == Shape::Step && !self.natures && self.gates[0].is_none();
        let kind = self.kinds.single().filter(|_| plain)?;
        let MoveText { from_file, from_rank, to, captures, promotion, mark, .. } = *self;
        let from = [from_file.map_or(0, |file| b'a' + file), from_rank.map_or(0, |rank| b'1' + rank)];
        Some(PlainStep { kind, from, to, captures, promotion, mark })
    }

    /// True if a letter behind two squares may be a piece that is gated in.
    pub const fn may_gate_by_letter(&self) -> bool {
        let never = self.habits.has(Habits::NUMERIC) || self.habits.has(Habits::SMITH);
        matches!(self.shape, Shape::Squares) && !never
    }

    /// A text of a form, with nothing said yet.
    #[inline]
    pub const fn new(shape: Shape) -> MoveText {
        MoveText {
            shape,
            natures: false,
            kinds: KindSet(u32::MAX),
            from_file: None,
            from_rank: None,
            to: Square::NONE,
            captures: false,
            captured: None,
            victim: Square::NONE,
            promotion: None,
            gates: [None; 2],
            mark: CheckMark::None,
            habits: Habits(0),
            slips: Slips::NONE,
        }
    }
}

/// Why a text is no move: the bytes that are not understood, and what would be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unreadable {
    /// Bytes of the token.
    pub span: crate::text::Span,
    /// What is wrong.
    pub message: String,
    /// True if the form is understood, and only a letter in it is no piece of the game.
    pub unknown_kind: bool,
}
