//! What a player or an arbiter claims about a game.

use super::Premise;
use ferz_core::board::Owner;
use ferz_core::named;
use ferz_core::text::{Timestamp, deserialize_named};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

named! {
    /// The kinds of claims.
    ClaimKind {
        /// The position occurred three times.
        ThreefoldRepetition "threefold_repetition" "FIDE 9.2",
        /// A position occurred five times.
        FivefoldRepetition "fivefold_repetition" "FIDE 9.6.1",
        /// A position occurred four times.
        FourfoldRepetition "fourfold_repetition" "ICH-5",
        /// The opponent gave check with every ply between four occurrences of a position.
        PerpetualCheck "perpetual_check" "ICH-5",
        /// Fifty moves of each player without pawn move, capture or entry.
        FiftyMoves "fifty_moves" "FIDE 9.3",
        /// As many moves of each player without capture or pawn move as the game's own rule says.
        QuietMoves "quiet_moves" "XQI-1",
        /// Seventy-five moves of each player without pawn move, capture or entry.
        SeventyFiveMoves "seventyfive_moves" "FIDE 9.6.2",
        /// The game ended by checkmate.
        Checkmate "checkmate" "FIDE 5.1.1",
        /// The game ended by stalemate.
        Stalemate "stalemate" "FIDE 5.2.1",
        /// Neither player can win any more.
        DeadPosition "dead_position" "FIDE 5.2.2",
        /// A player has a bare king.
        BareKing "bare_king" "IAV-1",
        /// A player declared a win, or may declare it.
        Declaration "declaration" "SHO 6",
        /// A pawn reached the opposing king's array square.
        KingsSquare "kings_square" "ING 5",
        /// Nature checkmated a player.
        NaturesMate "natures_mate" "CHA 8",
        /// A ply of the record is illegal.
        IllegalPly "illegal_ply" "FIDE 7.5.1",
        /// The game began from a wrong position.
        WrongSetup "wrong_setup" "FIDE 7.2",
        /// The record's result contradicts the board.
        WrongResult "wrong_result" "ADJ-3",
        /// The players agreed on a draw.
        Agreement "agreement" "FIDE 5.2.3",
        /// The opponent resigned.
        Resignation "resignation" "FIDE 5.1.2",
        /// The opponent exceeded the time.
        TimeWin "time_win" "FIDE 6.9",
        /// The claimant cannot win by any sequence of legal plies.
        CannotWin "cannot_win" "FIDE 6.9",
        /// The claimant mates in a number of moves against every defence.
        ForcedMate "forced_mate" "ADJ-5",
        /// The claimant wins against every defence.
        ForcedWin "forced_win" "ADJ-5",
        /// The claimant gets at least a draw against every defence.
        ForcedDraw "forced_draw" "ADJ-5",
        /// The opponent no longer answers.
        Silence "silence" "ADJ-4",
        /// The opponent never appeared.
        Default "default" "FIDE 6.7.1",
    }
}

impl ClaimKind {
    /// The kind in a sentence: `threefold repetition`.
    pub fn words(self) -> String {
        match self {
            ClaimKind::SeventyFiveMoves => "seventy-five moves".to_owned(),
            ClaimKind::KingsSquare => "king's square".to_owned(),
            ClaimKind::NaturesMate => "Nature's mate".to_owned(),
            kind => kind.id().replace('_', " "),
        }
    }

    /// True if the verdict depends on who claims.
    pub const fn needs_claimant(self) -> bool {
        use ClaimKind::{
            CannotWin, Default, ForcedDraw, ForcedMate, ForcedWin, Resignation, Silence, TimeWin,
        };
        matches!(
            self,
            CannotWin | Default | ForcedDraw | ForcedMate | ForcedWin | Resignation | Silence | TimeWin
        )
    }

    /// True if the verdict does not depend on who claims.
    pub const fn is_anyones(self) -> bool {
        use ClaimKind::{BareKing, Checkmate, Declaration, KingsSquare, PerpetualCheck};
        let favours = matches!(self, BareKing | Checkmate | Declaration | KingsSquare | PerpetualCheck);
        !(favours || self.needs_claimant() || self.may_be_intended())
    }

    /// True if a result is claimed against every defence.
    pub const fn is_forced(self) -> bool {
        matches!(self, ClaimKind::ForcedMate | ClaimKind::ForcedWin | ClaimKind::ForcedDraw)
    }

    /// True if the opponent loses by not making a move, of which a claim may state how long it has taken.
    pub const fn is_absence(self) -> bool {
        matches!(self, ClaimKind::TimeWin | ClaimKind::Silence | ClaimKind::Default)
    }

    /// The premise that decides a claim about something off the board, if it is stated.
    pub const fn decided_by(self) -> Option<Premise> {
        match self {
            ClaimKind::TimeWin => Some(Premise::Overstepped),
            ClaimKind::Resignation => Some(Premise::Resigned),
            ClaimKind::Agreement => Some(Premise::Agreed),
            ClaimKind::Silence => Some(Premise::Silent),
            ClaimKind::Default => Some(Premise::Defaulted),
            _ => None,
        }
    }

    /// True if a claimant may state this premise for the claim.
    pub fn may_rest_on(self, premise: Premise) -> bool {
        let of_irregularity = matches!(self, ClaimKind::IllegalPly | ClaimKind::WrongSetup);
        match premise {
            Premise::Language => true,
            Premise::FoundAfterTheGame | Premise::FoundDuringTheGame => of_irregularity,
            Premise::Unanswered => self == ClaimKind::IllegalPly,
            premise => self.decided_by() == Some(premise),
        }
    }

    /// True if an analysis may be submitted with the claim.
    pub const fn takes_plan(self) -> bool {
        use ClaimKind::{CannotWin, DeadPosition, ForcedDraw, ForcedMate, ForcedWin};
        matches!(self, CannotWin | DeadPosition | ForcedDraw | ForcedMate | ForcedWin)
    }

    /// True for draws that only the player on move may claim, also by an intended ply.
    pub const fn may_be_intended(self) -> bool {
        matches!(self, ClaimKind::ThreefoldRepetition | ClaimKind::FiftyMoves | ClaimKind::QuietMoves)
    }
}

/// Whether the rules of fifty and seventy-five moves hold; events of correspondence may suspend them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Fifty {
    /// As the rules of the game say.
    #[default]
    Applied,
    /// Neither draws a game, with or without a claim.
    Suspended,
}

impl Fifty {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference.
    pub(super) fn is_applied(&self) -> bool {
        *self == Fifty::Applied
    }
}

/// A claim about a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What is claimed.
    pub kind: ClaimKind,
    /// Who claims it; `None` if that does not matter, or for the player on move.
    #[serde(default)]
    pub by: Option<Owner>,
    /// The claim is about the position after this many plies; for an illegal ply it is the ply's number. `None` for the
    /// last position.
    #[serde(default)]
    pub ply: Option<usize>,
    /// The ply that the claimant intends to make, in any notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intended: Option<String>,
    /// The number of the claimant's moves within which a mate is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// The instant until which the opponent, who is on move, had made no move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// What the claimant states and the record does not show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<Premise>,
}

impl Claim {
    /// A claim about the last position of a record, by no one in particular.
    pub const fn new(kind: ClaimKind) -> Claim {
        Claim { kind, by: None, ply: None, intended: None, within: None, at: None, premises: Vec::new() }
    }

    /// Fails unless the parts of the claim fit together.
    pub fn check(&self) -> Result<(), String> {
        let Claim { kind, .. } = self;
        if self.by == Some(Owner::Nature) && *kind != ClaimKind::NaturesMate {
            return Err(format!(
                "Nature claims nothing but natures_mate; {kind} is claimed by white or black"
            ));
        }
        if self.by.is_none() && kind.needs_claimant() {
            return Err(format!("{kind} needs a claimant; add white or black (--by)"));
        }
        if self.ply.is_none() && *kind == ClaimKind::IllegalPly {
            return Err("illegal_ply needs the number of the ply, counted from 1 (--ply)".to_owned());
        }
        if self.intended.is_some() && !kind.may_be_intended() {
            return Err(format!(
                "{kind} is not claimed by an intended ply; only threefold_repetition and fifty_moves are (--intended)"
            ));
        }
        if self.at.is_some() && !kind.is_absence() {
            return Err(format!("{kind} is about no instant; only time_win, silence and default are (--at)"));
        }
        if let Some(premise) = self.premises.iter().find(|premise| !kind.may_rest_on(**premise)) {
            return Err(format!(
                "{kind} does not rest on the premise `{premise}`; leave it out (--premise {premise})"
            ));
        }
        match (kind, self.within) {
            (ClaimKind::ForcedMate, None) => Err("forced_mate needs a number of moves (--within)".to_owned()),
            (ClaimKind::ForcedMate, Some(0)) => {
                Err("a mate takes at least one move; write 1 or more (--within)".to_owned())
            }
            (ClaimKind::ForcedMate, _) | (_, None) => Ok(()),
            _ => Err(format!("{kind} has no number of moves; only forced_mate has one (--within)")),
        }
    }
}
