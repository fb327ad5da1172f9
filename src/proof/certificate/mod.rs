//! L6: evidence for a verdict that anyone can check, and its checker.
//!
//! A [`Certificate`] holds the record, the claim, the verdict and the evidence. [`check`] replays the record with code
//! of its own: it sees rules, positions and notation, and nothing of the judge, the replay or any search. The time that
//! it takes is linear in the certificate.

mod and_or;
mod check;
mod claim;
mod clock;
mod closure;
mod expected;
mod invariant;
mod premise;
mod refusal;
mod table;
mod table_proof;
mod walk;
mod words;

pub use and_or::{AndOr, AndOrNode, History};
pub use check::{Statement, check, make};
pub use claim::{Claim, ClaimKind, Fifty};
pub use closure::{Closure, is_move_dependent, is_won, listed};
pub use invariant::{Case, Invariant, Man, ManText, Ranges, Stands, Supposed, excluding, not_covered};
pub use premise::Premise;
pub use refusal::{Refusal, Step};
pub use table::{Effort, MadeTable, Worth, keep_tables};
pub(crate) use table::{MEN_MAX, men};
pub use table_proof::{FilesTable, TableProof};
pub use words::shown;

use crate::syzygy::FileId;
use ferz_core::board::{Mask, Owner};
use ferz_core::position::{End, Outcome, Position, Reason};
use ferz_core::rules::{Proving, RulesId};
use ferz_core::text::Budget;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The form of certificates that this version writes and reads.
pub const FORM: u32 = 1;

/// How a claim was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The claim is true.
    Upheld,
    /// The claim is false.
    Rejected,
    /// Neither is shown.
    Undetermined,
    /// It depends on the reading of a rule or of the record.
    Ambiguous,
}

impl Decision {
    /// The word in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Decision::Upheld => "upheld",
            Decision::Rejected => "rejected",
            Decision::Undetermined => "undetermined",
            Decision::Ambiguous => "ambiguous",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// The kinds of certificates, by their evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CertificateKind {
    /// All occurrences of a position.
    Occurrences,
    /// The plies since the last pawn move, capture or entry.
    Counter,
    /// The plies of the record, and further ones, to an end or to an illegal ply.
    Line,
    /// The sum of a player's time.
    Clock,
    /// What the record states.
    Ruling,
    /// All positions that can still occur.
    Closure,
    /// Where pieces can ever stand.
    Invariant,
    /// A proof for each player.
    Each,
    /// A plan of one side against every defence.
    AndOr,
    /// An endgame table of the men on the board.
    Table,
}

/// What a certificate shows besides the plies of the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Evidence {
    /// All occurrences of a position.
    Occurrences {
        /// The position, in full: `Position::identity`.
        identity: String,
        /// The numbers of plies after which it was on the board; with an intended ply one more than the record has.
        plies: Vec<usize>,
    },
    /// The plies without pawn move, capture or entry.
    Counter {
        /// Their number.
        count: u16,
        /// The number of plies before the first of them.
        since: usize,
        /// The number that the start position states.
        before: u16,
    },
    /// A line of legal plies.
    Line {
        /// The end on the board, if there is one.
        end: Option<End>,
        /// The plies after the record's, in coordinate notation.
        line: Vec<String>,
        /// The ply of the record that is illegal.
        illegal: Option<IllegalText>,
    },
    /// The sum of a player's time, by the tags and comments of the record.
    Clock {
        /// The moves of the claimant's opponent, up to the one that took more than there was.
        steps: Vec<ClockStep>,
        /// The ply with which the opponent lost by DelayLimit; then there are no steps.
        delays: Option<usize>,
        /// A line that wins for the claimant, in coordinate notation.
        line: Vec<String>,
        /// That the claimant cannot win, where the material does not show it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proof: Option<Proof>,
    },
    /// What the record states.
    Ruling {
        /// The result of the record.
        result: Option<String>,
        /// Its tag `Termination`.
        termination: Option<String>,
        /// A line that wins for the claimant, in coordinate notation.
        line: Vec<String>,
        /// That the claimant cannot win, where the material does not show it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proof: Option<Proof>,
    },
    /// A proof, which is all that the claim needs besides the record.
    #[serde(untagged)]
    Proof(Proof),
}

/// A proof about the position of the claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Proof {
    /// A player cannot win: no position that can still occur is a win.
    Closure(Closure),
    /// A player cannot win: where pieces can ever stand, no win is possible.
    Invariant(Invariant),
    /// Neither player can win, each by a proof of its own.
    Each(Box<Each>),
    /// A result is forced, or denied, against every defence.
    AndOr(AndOr),
    /// A result is forced, or not, by an endgame table.
    Table(TableProof),
}

/// A proof for each player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Each {
    /// White cannot win.
    pub white: Proof,
    /// Black cannot win.
    pub black: Proof,
}

impl Proof {
    /// The kind of certificate that has it as its evidence.
    pub const fn kind(&self) -> CertificateKind {
        match self {
            Proof::Closure(_) => CertificateKind::Closure,
            Proof::Invariant(_) => CertificateKind::Invariant,
            Proof::Each(_) => CertificateKind::Each,
            Proof::AndOr(_) => CertificateKind::AndOr,
            Proof::Table(_) => CertificateKind::Table,
        }
    }

    /// One proof that neither player can win from `start`, of one for White and one for Black.
    #[must_use]
    pub fn joined<M: Mask>(white: Proof, black: Proof, start: &Position<M>) -> Proof {
        let budget = &Budget::unlimited();
        if white.excludes(start, Owner::Black, budget).is_ok() {
            return white;
        }
        if black.excludes(start, Owner::White, budget).is_ok() {
            return black;
        }
        if let (Proof::Closure(white), Proof::Closure(black)) = (&white, &black) {
            let both = Proof::Closure(white.joined(black));
            if Owner::REAL.into_iter().all(|owner| both.excludes(start, owner, budget).is_ok()) {
                return both;
            }
        }
        Proof::Each(Box::new(Each { white, black }))
    }

    /// Checks that no sequence of legal plies from `start` wins for `by`.
    ///
    /// # Errors
    /// With what the proof lacks, or that the budget ended.
    pub fn excludes<M: Mask>(&self, start: &Position<M>, by: Owner, budget: &Budget) -> Result<(), String> {
        known(start, Proving::ByPlies, None)?;
        match self {
            Proof::Closure(closure) => closure.check(start, by, budget),
            Proof::Invariant(invariant) => invariant.check(start, by),
            Proof::AndOr(_) | Proof::Table(_) => {
                Err("what one side can force does not show what both can do together".to_owned())
            }
            Proof::Each(each) => match if by == Owner::White { &each.white } else { &each.black } {
                Proof::Each(_) => Err("a proof for each player is of one player".to_owned()),
                own => own.excludes(start, by, budget),
            },
        }
    }
}

/// Fails where proofs of a kind do not know the game. In a problem with one king they know only how that is mated.
fn known<M: Mask>(start: &Position<M>, proving: Proving, mates: Option<Owner>) -> Result<(), String> {
    let lacks = |owner: &Owner| Some(*owner) != mates && start.is_without_king(*owner);
    if let Some(owner) = Owner::REAL.into_iter().find(lacks) {
        return Err(format!("proofs do not cover problems with one king, and {} has none", owner.name()));
    }
    match start.rules().unknown_to(proving) {
        Some(field) => Err(format!("proofs do not know the rule `{field}` of this game")),
        None => Ok(()),
    }
}

impl Proof {
    /// The files of endgame tables that it rests on, each once, in order of their names.
    pub fn files(&self) -> BTreeSet<&FileId> {
        match self {
            Proof::Table(table) => table.files().iter().collect(),
            Proof::AndOr(plan) => {
                let tables = plan.nodes.iter().filter_map(|node| node.table.as_ref());
                tables.flat_map(TableProof::files).collect()
            }
            Proof::Closure(_) | Proof::Invariant(_) | Proof::Each(_) => BTreeSet::new(),
        }
    }
}

impl Evidence {
    /// The kind of certificate that has it.
    pub const fn kind(&self) -> CertificateKind {
        match self {
            Evidence::Occurrences { .. } => CertificateKind::Occurrences,
            Evidence::Counter { .. } => CertificateKind::Counter,
            Evidence::Line { .. } => CertificateKind::Line,
            Evidence::Clock { .. } => CertificateKind::Clock,
            Evidence::Ruling { .. } => CertificateKind::Ruling,
            Evidence::Proof(proof) => proof.kind(),
        }
    }

    /// The part that the checker verifies.
    fn given(&self) -> Given<'_> {
        match self {
            Evidence::Line { line, .. } | Evidence::Clock { line, .. } | Evidence::Ruling { line, .. }
                if !line.is_empty() =>
            {
                Given::Line(line)
            }
            Evidence::Proof(proof)
            | Evidence::Clock { proof: Some(proof), .. }
            | Evidence::Ruling { proof: Some(proof), .. } => Given::Proof(proof),
            _ => Given::Nothing,
        }
    }
}

/// The part of evidence that a search found. The checker verifies it; all other parts it computes from the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given<'g> {
    /// The record shows all.
    Nothing,
    /// A line after the record's plies that ends in a win, in coordinate notation; not empty.
    Line(&'g [String]),
    /// A proof about the position of the claim.
    Proof(&'g Proof),
}

/// An illegal ply of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IllegalText {
    /// The text of the ply.
    pub text: String,
    /// The first condition that it fails.
    pub reason: Reason,
}

/// A move in the sum of a player's time; times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockStep {
    /// The number of the ply.
    pub ply: usize,
    /// The time before the move.
    pub before: u64,
    /// The time that it took.
    pub spent: u64,
    /// What is charged of it.
    pub charged: u64,
    /// What the move gives.
    pub given: u64,
    /// The time after it.
    pub after: u64,
    /// The clock that the record states after it; it takes precedence over the sum.
    pub shown: Option<u64>,
}

/// A verdict with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The form: [`FORM`].
    pub certificate: u32,
    /// The kind of its evidence.
    pub kind: CertificateKind,
    /// The claim, with its ply and, where it matters, its claimant.
    pub claim: Claim,
    /// The verdict: upheld or rejected.
    pub verdict: Decision,
    /// What the game is worth if the verdict stands.
    pub result: Option<Outcome>,
    /// The rules.
    pub rules: RulesId,
    /// What the verdict rests on besides the moves of the record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<Premise>,
    /// The code of the language of the record's piece letters, if they are not the game's own.
    pub language: Option<String>,
    /// BLAKE3 of the language's letters, 32 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language_digest: Option<String>,
    /// The record, byte for byte.
    pub record: String,
    /// Whether moves are counted.
    #[serde(default, skip_serializing_if = "Fifty::is_applied")]
    pub fifty: Fifty,
    /// BLAKE3 of these bytes, 32 hex digits.
    pub digest: String,
    /// The start position, in full: `Position::identity`.
    pub start: String,
    /// The plies up to the position of the claim, in coordinate notation.
    pub plies: Vec<String>,
    /// The evidence.
    pub evidence: Evidence,
}
