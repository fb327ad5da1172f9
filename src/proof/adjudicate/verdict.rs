//! The answer to a claim.

use super::opinion::Opinion;
use crate::certificate::{Certificate, Claim, Decision, Premise, Proof};
use crate::prove::plan::HoleKind;
use ferz_core::board::Owner;
use ferz_core::judge::Outcome;
use ferz_core::rules::RulesId;
use ferz_records::clock::{PolicyId, Sanction, Step};
use serde::Serialize;
use std::sync::Arc;

/// What a verdict rests on. The first three end a game without a person (ADJ-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// The replay of the record shows it.
    Replayed,
    /// A proof shows it.
    Proved,
    /// An endgame table shows it.
    Table,
    /// It follows from a rule and a premise that the record does not show.
    Ruled,
    /// Nothing decides it; an arbiter has to.
    Opinion,
}

impl Strength {
    /// The word in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Strength::Replayed => "replayed",
            Strength::Proved => "proved",
            Strength::Table => "table",
            Strength::Ruled => "ruled",
            Strength::Opinion => "opinion",
        }
    }

    /// What it means, for a reader of the verdict.
    pub const fn words(self) -> &'static str {
        match self {
            Strength::Replayed => "the replay of the record shows it",
            Strength::Proved => "proved",
            Strength::Table => "an endgame table shows it",
            Strength::Ruled => {
                "it follows from a premise that the record does not show; an arbiter confirms the premise"
            }
            Strength::Opinion => "nothing here decides it; an arbiter has to",
        }
    }
}

/// The kind of fact that decided a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// How often a position occurred.
    Occurrences,
    /// The number of plies without pawn move, capture or entry.
    Counter,
    /// The position itself.
    Position,
    /// The material that is left.
    Material,
    /// The conditions of one ply.
    Ply,
    /// The start position.
    Start,
    /// The end on the board and the stated result.
    Result,
    /// The game had ended before.
    GameOver,
    /// The rules of the game have no such end.
    NoSuchRule,
    /// The claimant is not on move.
    NotOnMove,
    /// A premise that the record or the claimant states.
    Premise,
    /// A line of legal plies.
    Line,
    /// Every continuation has a property that excludes the end in question.
    Closure,
    /// Every defence was tried, or every attack.
    AndOr,
    /// An endgame table of the men on the board.
    Table,
    /// The record cannot be replayed that far.
    Unreplayed,
    /// The search ended without a result.
    Budget,
    /// No proof knows one of the game's rules.
    NotCovered,
    /// The clocks of the record.
    Clock,
    /// A ruling that has another reading.
    Ruling,
}

impl Ground {
    /// All, in order.
    pub const ALL: [Ground; 20] = [
        Ground::Occurrences,
        Ground::Counter,
        Ground::Position,
        Ground::Material,
        Ground::Ply,
        Ground::Start,
        Ground::Result,
        Ground::GameOver,
        Ground::NoSuchRule,
        Ground::NotOnMove,
        Ground::Premise,
        Ground::Line,
        Ground::Closure,
        Ground::AndOr,
        Ground::Table,
        Ground::Unreplayed,
        Ground::Budget,
        Ground::NotCovered,
        Ground::Clock,
        Ground::Ruling,
    ];

    /// The word in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Ground::Occurrences => "occurrences",
            Ground::Counter => "counter",
            Ground::Position => "position",
            Ground::Material => "material",
            Ground::Ply => "ply",
            Ground::Start => "start",
            Ground::Result => "result",
            Ground::GameOver => "game_over",
            Ground::NoSuchRule => "no_such_rule",
            Ground::NotOnMove => "not_on_move",
            Ground::Premise => "premise",
            Ground::Line => "line",
            Ground::Closure => "closure",
            Ground::AndOr => "and_or",
            Ground::Table => "table",
            Ground::Unreplayed => "unreplayed",
            Ground::Budget => "budget",
            Ground::NotCovered => "not_covered",
            Ground::Clock => "clock",
            Ground::Ruling => "ruling",
        }
    }
}

/// One reading of a rule or of a record, and the verdict under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleReading {
    /// The ruling; `None` for a reading of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruling: Option<String>,
    /// The field of the definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The value of the field, or the ply that is read.
    pub reading: String,
    /// The decision under it.
    pub verdict: Decision,
    /// The result under it.
    pub result: Option<Outcome>,
}

/// What happens to the game if the verdict stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Remedy {
    /// The position before the illegal ply is restored, and the player on move makes another ply.
    Restore {
        /// The number of plies that stay.
        ply: usize,
        /// The position.
        fen: String,
    },
    /// The players let the ply stand; the game continues.
    LetStand,
    /// The game goes on, with the intended ply.
    MakeIntended {
        /// The ply, as the claimant wrote it.
        text: String,
    },
    /// The game is annulled, and a new one is played.
    NewGame,
    /// The stated result is corrected.
    CorrectResult,
    /// What was irregular stands.
    Stands {
        /// Why.
        because: Because,
    },
    /// The pawn that was left on its last rank becomes a queen, and the game goes on.
    Queen {
        /// The position with the queen.
        fen: String,
    },
    /// The player loses the game.
    Forfeit {
        /// The player.
        loser: Owner,
    },
}

/// Why an irregularity is not remedied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// It was found after the game.
    FoundAfterTheGame,
    /// The opponent had made a ply since.
    Answered,
    /// Too many moves had been made.
    Moves,
}

/// A change of a clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Penalty {
    /// Whose clock is changed.
    pub to: Owner,
    /// Seconds added to it; negative if they are taken away.
    pub seconds: i64,
    /// The article.
    pub article: String,
}

impl Penalty {
    /// The change for a fault of this player.
    pub(super) fn of(sanction: &Sanction, at_fault: Owner, article: String) -> Penalty {
        let [gets, loses] = [sanction.opponent_gets, sanction.player_loses]
            .map(|seconds| i64::try_from(seconds).unwrap_or(i64::MAX));
        match loses {
            0 => Penalty { to: at_fault.opponent(), seconds: gets, article },
            _ => Penalty { to: at_fault, seconds: -loses, article },
        }
    }
}

/// A place where a submitted analysis fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hole {
    /// Why it fails.
    pub kind: HoleKind,
    /// The number of plies before the position, the game's included; in a record of the analysis with a start of its
    /// own, from there.
    pub ply: usize,
    /// The position, as FEN.
    pub position: String,
    /// The plies from the position of the claim, in coordinate notation.
    pub line: Vec<String>,
    /// What is open, in words.
    pub why: String,
    /// What an engine that was asked thinks of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
}

/// The work that a verdict took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// Positions visited by a search.
    pub nodes: u64,
    /// Time; 0 from the library, which knows no clock.
    pub milliseconds: u64,
}

/// The answer to a claim, with its grounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The claim, with its claimant and ply filled in.
    pub claim: Claim,
    /// The rules that decided it; `None` if the start position is no position of the game.
    pub rules: Option<Arc<RulesId>>,
    /// How it was decided.
    pub verdict: Decision,
    /// What the game is worth if the verdict stands; `None` if that does not follow.
    pub result: Option<Outcome>,
    /// What the game would be worth if an arbiter confirmed the premise that the claim lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_if: Option<Outcome>,
    /// What the verdict rests on besides the moves of the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<Premise>,
    /// The premise that would decide an undetermined claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacks: Option<Premise>,
    /// What the verdict rests on.
    pub strength: Strength,
    /// The kind of fact that decided.
    pub ground: Ground,
    /// The articles and rulings, of `formats/RULES.md`.
    pub articles: Vec<String>,
    /// The plies that are evidence, as numbers of plies before a position.
    pub plies: Vec<usize>,
    /// The verdict in sentences.
    pub explanation: String,
    /// The readings of an ambiguous claim.
    pub readings: Vec<RuleReading>,
    /// What happens to the game.
    pub remedy: Option<Remedy>,
    /// The change of a clock for a false claim or an illegal ply.
    pub penalty: Option<Penalty>,
    /// The policy that remedy and penalty are by.
    pub policy: Option<Arc<PolicyId>>,
    /// A line of legal plies in coordinate notation that shows the verdict, from the position of the claim on.
    pub line: Vec<String>,
    /// The sum of a player's time, move by move, that shows the verdict.
    pub clock: Vec<Step>,
    /// Where a submitted analysis leaves the claim open, the most important place first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Hole>,
    /// What an engine that was asked thinks of the position, where nothing decides the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
    /// The proof that decided, which the certificate has.
    #[serde(skip)]
    pub proof: Option<Arc<Proof>>,
    /// The evidence for others to check; `None` if no kind of certificate covers the verdict.
    pub certificate: Option<Box<Certificate>>,
    /// The position of the claim; empty if the start position is no position of the game.
    pub fen: String,
    /// The work.
    pub spent: Spent,
}
