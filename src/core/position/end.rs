//! The closed lists of endings and claimable draws, and the endings that a position shows without its history.

use super::points::Points;
use super::{Finish, Over, Position, State};
use crate::board::{BoardName, Mask, Owner, Square};
use crate::rules::Rules;
use crate::rules::definition::{Annihilation, GoalName, NaturesMate, Stalemate};
use crate::text::deserialize_named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
}

impl Outcome {
    /// A win for `winner`, or for the opponent if the game exchanges winner and loser (IAV-2).
    pub fn win<M: Mask>(rules: &Rules<M>, winner: Owner) -> Outcome {
        Outcome::won_by(if rules.ends.misere { winner.opponent() } else { winner })
    }

    /// The result of a repetition that ends the game by itself without perpetual check.
    pub fn of_repetition<M: Mask>(rules: &Rules<M>) -> Outcome {
        let loser = rules.ends.repetition_loses.loser();
        loser.map_or(Outcome::Draw, |loser| Outcome::win(rules, loser.opponent()))
    }

    /// The result if this player has won; Nature wins no game.
    pub const fn won_by(winner: Owner) -> Outcome {
        match winner {
            Owner::White => Outcome::WhiteWins,
            Owner::Black => Outcome::BlackWins,
            Owner::Nature => Outcome::Draw,
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Owner> {
        match self {
            Outcome::WhiteWins => Some(Owner::White),
            Outcome::BlackWins => Some(Owner::Black),
            Outcome::Draw => None,
        }
    }

    /// The value of the tag `Result`. `to_string` returns the same.
    ///
    /// ```
    /// use ferz_core::judge::{ClaimableKind, EndReason, Outcome};
    /// assert_eq!(format!("{} by {}", Outcome::Draw, EndReason::Stalemate), "1/2-1/2 by stalemate");
    /// assert_eq!(ClaimableKind::FiftyMoves.to_string(), "fifty_moves");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        const ALL: [Outcome; 3] = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw];
        deserialize_named(deserializer, "result of an end", &ALL, Outcome::as_str)
    }
}

/// A closed list of named cases, each with the article that it cites unless a game names another one.
#[macro_export]
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident $id:literal $article:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// All, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Stable name, as in the report.
            pub const fn id(self) -> &'static str {
                match self { $($name::$variant => $id,)* }
            }

            /// The article cited by default; a game may name another.
            pub const fn article(self) -> &'static str {
                match self { $($name::$variant => $article,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.id())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.id())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserialize_named(deserializer, stringify!($name), $name::ALL, $name::id)
            }
        }
    };
}

named! {
    /// Why a game ended.
    EndReason {
        /// The player on move is in check by the opponent and has no legal ply.
        Checkmate "checkmate" "FIDE 5.1.1",
        /// The player on move has no legal ply, and no opposing piece attacks the Anti-King.
        AntiCheckmate "anti_checkmate" "AKC 5",
        /// A capture removed the king of the player on move.
        Explosion "explosion" "LIC 4",
        /// A player has given check so often that it wins.
        ThreeChecks "three_checks" "LIC 2",
        /// A piece stands on the squares that win.
        Hill "hill" "LIC 1",
        /// A piece reached the line that wins.
        Race "race" "LIC 6",
        /// Both players reached the line that wins.
        RaceDraw "race_draw" "LIC 6",
        /// A pawn reached the opposing king's array square.
        KingsSquare "kings_square" "ING 5",
        /// A player has no pieces, and wins by it.
        NoPieces "no_pieces" "LIC 3",
        /// A player has no pieces, and loses by it.
        HordeCaptured "horde_captured" "LIC 5",
        /// A player has a bare king.
        BareKing "bare_king" "IAV-1",
        /// Both players have bare kings.
        BareKingDraw "bare_king_draw" "IAV-1",
        /// The player on move is not in check and has no legal ply.
        Stalemate "stalemate" "FIDE 5.2.1",
        /// The player on move is in check by Nature only and has no legal ply.
        NaturesMate "natures_mate" "CHA 8",
        /// A player declared a win, rightly or not.
        Declaration "declaration" "SHO 6",
        /// The points of the pieces decided a game without a mate.
        Points "points" "JNG 5",
        /// Both players passed, one after the other.
        DoublePass "double_pass" "JNG 3",
        /// A player accepted by a pass that the kings face each other.
        Bikjang "bikjang" "JNG 4",
        /// A position occurred four times, and one side gave check with every ply in between.
        PerpetualCheck "perpetual_check" "ICH-5",
        /// The moves that a player counts have come to their limit.
        Count "count" "MAK-1",
        /// A position occurred four times.
        FourfoldRepetition "fourfold_repetition" "ICH-5",
        /// Neither player can win any more.
        DeadPosition "dead_position" "FIDE 5.2.2",
        /// A position occurred five times.
        FivefoldRepetition "fivefold_repetition" "FIDE 9.6.1",
        /// Seventy-five moves by each player without a pawn move, capture or entry.
        SeventyFiveMoves "seventyfive_moves" "FIDE 9.6.2",
    }
}

named! {
    /// What a player may claim.
    ClaimableKind {
        /// A position occurred three times.
        ThreefoldRepetition "threefold_repetition" "FIDE 9.2",
        /// Fifty moves by each player without a pawn move, capture or entry.
        FiftyMoves "fifty_moves" "FIDE 9.3",
        /// A win by the king's entry: it may be declared.
        Declaration "declaration" "SHO 6",
        /// As many moves by each player without a capture or pawn move as the game's own rule says.
        QuietMoves "quiet_moves" "XQI-1",
        /// The opponent gave check with every ply between three occurrences of a position.
        PerpetualCheck "perpetual_check" "XQI-3",
    }
}

impl EndReason {
    /// Year and month from which the Laws of chess have this ending, if old records can be from before.
    pub const fn in_force_since(self) -> Option<(u16, u8)> {
        match self {
            EndReason::FivefoldRepetition | EndReason::SeventyFiveMoves => Some((2014, 7)),
            _ => None,
        }
    }

    /// True for automatic draws, after which old records continue (COM-4).
    pub const fn is_draw_by_itself(self) -> bool {
        matches!(
            self,
            EndReason::DeadPosition
                | EndReason::FivefoldRepetition
                | EndReason::FourfoldRepetition
                | EndReason::SeventyFiveMoves
        )
    }
}

/// How and when a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Who won.
    #[serde(rename = "result")]
    pub outcome: Outcome,
    /// Why.
    pub reason: EndReason,
    /// The number of plies before it, on its board.
    pub ply: usize,
    /// The board that shows it, in a game on two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardName>,
    /// The points of both players, if they decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
}

impl End {
    /// The end in a position after so many plies.
    pub fn of<M: Mask>(position: &Position<M>, (reason, outcome): (EndReason, Outcome), ply: usize) -> End {
        let points = if reason == EndReason::Points { position.points() } else { None };
        End { outcome, reason, ply, board: None, points }
    }

    /// The end of a game on two boards that one of them shows, with the result of the sides (BUG 6).
    #[must_use]
    pub fn on(self, board: BoardName) -> End {
        let winner = self.outcome.winner().map(|winner| board.side_of(winner));
        End { outcome: winner.map_or(Outcome::Draw, Outcome::won_by), board: Some(board), ..self }
    }

    /// The points that decided, in parentheses after a space; nothing for another end.
    pub fn points_in_words(&self) -> String {
        self.points.map_or_else(String::new, |points| format!(" ({points})"))
    }

    /// The articles behind the end in this game: that of its reason, and IAV 4 if winner and loser are exchanged.
    pub fn rule<M: Mask>(&self, rules: &Rules<M>) -> String {
        let own = rules.cite(self.reason.id(), self.reason.article());
        if rules.ends.misere && self.outcome != Outcome::Draw {
            return format!("{own}, {}", rules.cite("misere", "IAV 4"));
        }
        own.to_owned()
    }
}

/// A draw that the player on move may claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimableDraw {
    /// The kind of draw.
    pub kind: ClaimableKind,
    /// Who may claim it.
    pub by: Owner,
    /// The number of plies after which it may be claimed.
    pub ply: usize,
    /// The plies after which the position occurred, or the last ply.
    pub plies: Vec<usize>,
}

impl<M: Mask> Position<M> {
    /// True if the game ends here by its own limit of moves without capture or pawn move.
    pub fn is_quiet_enough(&self) -> bool {
        self.rules().ends.ended_at().is_some_and(|limit| self.status().halfmoves >= limit)
    }

    /// The end that the position shows without its history, and the result.
    pub fn shown_end(&self) -> Option<(EndReason, Outcome)> {
        let rules = self.rules();
        let waiting = self.turn().opponent();
        Some(match self.finish()? {
            Finish::Checkmate => (EndReason::Checkmate, Outcome::win(rules, waiting)),
            Finish::AntiCheckmate => (EndReason::AntiCheckmate, Outcome::win(rules, waiting)),
            Finish::NaturesMate => (EndReason::NaturesMate, Outcome::Draw),
            Finish::Stalemate => match rules.ends.stalemate {
                // Never reached: a player who waits is not stuck.
                Stalemate::Draw | Stalemate::Waits => (EndReason::Stalemate, Outcome::Draw),
                Stalemate::Loss => (EndReason::Stalemate, Outcome::win(rules, waiting)),
                Stalemate::Win => (EndReason::Stalemate, Outcome::win(rules, self.turn())),
                Stalemate::FewerPieces => {
                    let [own, others] = [self.turn(), waiting].map(|player| self.owned(player).count());
                    let outcome = match own.cmp(&others) {
                        Ordering::Less => Outcome::win(rules, self.turn()),
                        Ordering::Equal => Outcome::Draw,
                        Ordering::Greater => Outcome::win(rules, waiting),
                    };
                    (EndReason::Stalemate, outcome)
                }
            },
            Finish::Over(Over::KingsSquare(winner)) => (EndReason::KingsSquare, Outcome::win(rules, winner)),
            Finish::Over(Over::BareKing(loser)) => {
                (EndReason::BareKing, Outcome::win(rules, loser.opponent()))
            }
            Finish::Over(Over::BareKings) => (EndReason::BareKingDraw, Outcome::Draw),
            Finish::Over(Over::Checks(winner)) => (EndReason::ThreeChecks, Outcome::win(rules, winner)),
            Finish::Over(Over::Goal(winner)) => (goal_reason(rules), Outcome::win(rules, winner)),
            Finish::Over(Over::GoalDraw) => (EndReason::RaceDraw, Outcome::Draw),
            Finish::Over(Over::Explosion(loser)) => {
                (EndReason::Explosion, Outcome::win(rules, loser.opponent()))
            }
            Finish::Over(Over::NoPieces(owner)) => match rules.ends.annihilation {
                Annihilation::Wins => (EndReason::NoPieces, Outcome::win(rules, owner)),
                _ => (EndReason::HordeCaptured, Outcome::win(rules, owner.opponent())),
            },
            Finish::Over(Over::DoublePass) => self.without_mate(EndReason::DoublePass),
            Finish::Over(Over::Bikjang) => self.without_mate(EndReason::Bikjang),
            Finish::Over(Over::Count) => (EndReason::Count, Outcome::Draw),
        })
    }
}

impl<M: Mask> State<M> {
    /// How the game is over in this position; `None` if it is not.
    pub(super) fn finish(&self, rules: &Rules<M>) -> Option<Finish> {
        let (player, over) = (self.status.turn, self.status.over);
        // The order is that of COM-6.
        let may_go_on = self.any_real_ply(rules, |_| true) || rules.ends.may_wait() && self.waits(rules);
        let stuck = !may_go_on;
        if stuck && self.status.in_check && self.checked_by_opponent(rules) {
            let counts = self.mates_while_counting(player.opponent());
            return Some(if counts { Finish::Over(Over::Count) } else { Finish::Checkmate });
        }
        if stuck && self.in_anti_check(rules, player) {
            return Some(Finish::AntiCheckmate);
        }
        if let Some(over) = over.filter(|over| *over != Over::Count) {
            return Some(Finish::Over(over));
        }
        if stuck {
            return Some(if self.status.in_check { Finish::NaturesMate } else { Finish::Stalemate });
        }
        if let Some(over) = over {
            return Some(Finish::Over(over));
        }
        let either = rules.nature.as_ref().is_some_and(|nature| nature.natures_mate == NaturesMate::Either);
        (either && self.waiting_player_is_natures_mate(rules)).then_some(Finish::NaturesMate)
    }

    /// True if the opponent gives check.
    pub(super) fn checked_by_opponent(&self, rules: &Rules<M>) -> bool {
        let (player, unshifted) = (self.status.turn, self.unshifted());
        let king = self.king(rules, player);
        king != Square::NONE
            && !self.is_shielded(rules, player, king, &unshifted)
            && self.attacks(rules, king, player.opponent(), &unshifted)
    }

    /// True if the player not on move is in check from Nature and could not meet it (CHA-7, the other reading).
    fn waiting_player_is_natures_mate(&self, rules: &Rules<M>) -> bool {
        let mut turned = self.clone();
        turned.set_turn(self.status.turn.opponent());
        turned.set_en_passant(Square::NONE);
        turned.status.in_check = turned.king_in_check(rules, turned.status.turn);
        turned.status.in_check && !turned.checked_by_opponent(rules) && !turned.any_real_ply(rules, |_| true)
    }
}

/// The name of a win by reaching the goal.
fn goal_reason<M: Mask>(rules: &Rules<M>) -> EndReason {
    match rules.ends.goal_name {
        GoalName::Hill => EndReason::Hill,
        GoalName::Race => EndReason::Race,
    }
}
