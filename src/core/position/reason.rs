//! The closed list of reasons why a ply is illegal.

use crate::text::deserialize_named;
use serde::{Deserialize, Deserializer, Serialize};

macro_rules! reasons {
    ($($variant:ident $id:literal $code:literal $article:literal $text:literal;)*) => {
        /// Why a ply is illegal. If several reasons apply, [`ReasonSet::first`] must be repaired first.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Reason {
            $(#[doc = $text] $variant,)*
        }

        impl Reason {
            /// Every reason in order.
            pub const ALL: &'static [Reason] = &[$(Reason::$variant),*];

            /// Stable name, as in the report's `reason_id`.
            pub const fn id(self) -> &'static str {
                match self { $(Reason::$variant => $id,)* }
            }

            /// Stable diagnostic code.
            pub const fn code(self) -> &'static str {
                match self { $(Reason::$variant => $code,)* }
            }

            /// The article cited by default; a game may name another.
            pub const fn article(self) -> &'static str {
                match self { $(Reason::$variant => $article,)* }
            }

            /// The reason in words.
            pub const fn text(self) -> &'static str {
                match self { $(Reason::$variant => $text,)* }
            }
        }
    };
}

reasons! {
    Unreadable "unreadable" "M001" "FIDE C" "the text is not a move in this notation";
    Ambiguous "ambiguous" "M002" "FIDE C" "several legal plies fit the text";
    NoSuchPiece "no-such-piece" "M003" "FIDE 3.10" "no such piece stands there";
    NotYourPiece "not-your-piece" "M004" "FIDE 1.2" "the piece does not belong to the player on move";
    NoSuchKind "no-such-kind" "M005" "FIDE 3.10" "the game has no such kind of piece";
    NoSuchMove "no-such-move" "M006" "FIDE 3.10" "the piece does not move that way";
    OwnPieceOnTarget "own-piece-on-target" "M007" "FIDE 3.1" "a piece of the same player is on the target square";
    LeavesKingAttacked "leaves-king-attacked" "M008" "COM-1" "the move leaves the player's own king in check";
    CastlingRight "castling-right" "M009" "FIDE 3.8" "the king or rook has lost the right to castle";
    CastlingBlocked "castling-blocked" "M010" "FIDE 3.8" "a piece stands in the way of castling";
    CastlingThroughCheck "castling-through-check" "M011" "FIDE 3.8" "the king castles out of, through, or into check";
    EnPassant "en-passant" "M012" "FIDE 3.7" "no pawn can be captured en passant there";
    PromotionMissing "promotion-missing" "M013" "FIDE 3.7" "the pawn must be promoted, but no piece is named";
    PromotionKind "promotion-kind" "M014" "FIDE 3.7" "the pawn may not be promoted to this kind";
    PromotionSquare "promotion-square" "M015" "FIDE 3.7" "no promotion on this square, or not of this piece";
    PromotionPool "promotion-pool" "M016" "IAB-4" "the promotion pool is empty or does not hold this kind";
    NotInHand "not-in-hand" "M017" "FIDE 3.10" "the player has no such piece in hand";
    NotInReserve "not-in-reserve" "M018" "IAB 1" "the player has no such piece in reserve";
    DropOccupied "drop-occupied" "M019" "FIDE 3.10" "the square is not vacant";
    DropZone "drop-zone" "M020" "FIDE 3.10" "the piece may not be placed on this square";
    PawnFile "pawn-file" "M021" "ICH 3" "the player already has a pawn on this file";
    GateNotHome "gate-not-home" "M022" "IAB 2a" "no back-rank piece leaves its starting square";
    GateNotFirstMove "gate-not-first-move" "M023" "IAB-1" "the piece has moved before or entered later";
    GateWithCastling "gate-with-castling" "M024" "IAB 4" "gating is not possible with this castling";
    EntriesExhausted "entries-exhausted" "M025" "IAB 5" "the player has no entries left";
    DeploymentDue "deployment-due" "M026" "IAC-1" "the player must deploy a piece first";
    KingLast "king-last" "M027" "ICH 2" "the king must be deployed last";
    KingDeployedAttacked "king-deployed-attacked" "M028" "ICH-2" "the king may not be deployed on an attacked square";
    ReentrySquare "reentry-square" "M029" "CHA 5" "the piece may not reenter on this square";
    NatureNotAvailable "nature-not-available" "M030" "CHA 1" "no in-between turn is available";
    NatureKind "nature-kind" "M031" "CHA 2" "Nature may not introduce this kind, or not there";
    NatureAttacksPiece "nature-attacks-piece" "M032" "CHA 3" "the piece would attack a piece other than a pawn";
    NatureExposes "nature-exposes" "M033" "CHA 6" "the action exposes a king";
    NatureCapturesKing "nature-captures-king" "M034" "CHA-4" "Nature may not capture a king";
    NatureCastling "nature-castling" "M035" "CHA 10" "Nature may not castle this way";
    NaturePromotion "nature-promotion" "M036" "CHA 11" "Nature's pawn is promoted on the border, and only there";
    GameOver "game-over" "M037" "COM-4" "the game is already over";
    NullMove "null-move" "M038" "FIDE 1.2" "a null move: the player on move makes none";
    AntiKingCaptured "anti-king-captured" "M039" "AKC 2" "an Anti-King is never captured";
    SwitchNotBishop "switch-not-bishop" "M041" "MDM 2" "only the piece that the rules name may be switched";
    AntiCheck "anti-check" "M040" "AKC 3" "the move leaves the player's own Anti-King without an attacker";
    CaptureCompulsory "capture-compulsory" "M042" "LIC 3" "the player can capture, and must";
    CheckForbidden "check-forbidden" "M043" "LIC 6" "the ply gives check, which is forbidden";
    ExplodesOwnKing "explodes-own-king" "M044" "LIC 4" "the explosion would remove the player's own king";
    FacingKings "facing-kings" "M045" "XQI 3" "the move leaves the kings facing each other with nothing between";
    PawnDropMate "pawn-drop-mate" "M046" "SHO 3" "a dropped pawn may not mate at once";
    Bikjang "bikjang" "M047" "JNG 4" "the kings face each other; part them, or accept it by a pass";
    PassInCheck "pass-in-check" "M048" "JNG 3" "a player who is in check may not pass";
    NatureLate "nature-late" "M049" "CHA-25" "Nature took longer than her limit, and her turn is void";
}

/// A set of reasons: all conditions that one ply fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct ReasonSet(u64);

impl ReasonSet {
    /// The empty set.
    pub const EMPTY: ReasonSet = ReasonSet(0);

    /// The set of some reasons.
    pub const fn of(reasons: &[Reason]) -> ReasonSet {
        let (mut set, mut index) = (ReasonSet::EMPTY, 0);
        while index < reasons.len() {
            set.insert(reasons[index]);
            index += 1;
        }
        set
    }

    /// The reasons that are judged after the whole ply (COM-1), last first: they end the order of repair.
    const AFTER_THE_PLY: [Reason; 2] = [Reason::LeavesKingAttacked, Reason::AntiCheck];

    /// The place of a reason in the order of repair: that of [`Reason::ALL`], except that the safety of the player's
    /// own pieces comes last.
    const fn place(reason: Reason) -> u32 {
        let mut last = 0;
        while last < ReasonSet::AFTER_THE_PLY.len() {
            if ReasonSet::AFTER_THE_PLY[last] as u32 == reason as u32 {
                return u64::BITS - 1 - last as u32;
            }
            last += 1;
        }
        reason as u32
    }

    /// Adds a reason.
    pub const fn insert(&mut self, reason: Reason) {
        self.insert_if(true, reason);
    }

    /// Adds a reason if the condition holds.
    pub const fn insert_if(&mut self, condition: bool, reason: Reason) {
        self.0 |= (condition as u64) << ReasonSet::place(reason);
    }

    /// True if the reason is in the set.
    pub const fn has(self, reason: Reason) -> bool {
        self.0 >> ReasonSet::place(reason) & 1 == 1
    }

    /// True if no reason is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set without the reasons of another.
    #[must_use]
    pub const fn without(self, other: ReasonSet) -> ReasonSet {
        ReasonSet(self.0 & !other.0)
    }

    /// The reasons in the order of repair: that of [`Reason::ALL`], with those about the state after the ply last.
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        let places = (0..u64::BITS).filter(move |place| self.0 >> place & 1 == 1);
        let after = |place: u32| ReasonSet::AFTER_THE_PLY.get((u64::BITS - 1 - place) as usize);
        places.filter_map(move |place| after(place).or(Reason::ALL.get(place as usize)).copied())
    }

    /// The reason that must be repaired first.
    pub fn first(self) -> Option<Reason> {
        self.iter().next()
    }

    /// The place of the first reason in the order of repair: how far the ply gets.
    pub(crate) const fn first_place(self) -> u32 {
        self.0.trailing_zeros()
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Reason, D::Error> {
        deserialize_named(deserializer, "reason", Reason::ALL, Reason::id)
    }
}
