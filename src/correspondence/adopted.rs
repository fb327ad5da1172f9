//! Games that were begun elsewhere: their players accept the plies and the clocks of a record, and play on.

use crate::terms::OWN_TAGS;
use crate::{Players, Proposal, ProposalError};
use ferz_core::notation::coord;
use ferz_core::text::Budget;
use ferz_records::clock::{Policies, of_record};
use ferz_records::record::{GameResult, Record, read};
use ferz_records::replay::{Replayer, Report, Source, Traced, first_move, trace_within, with_trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most plies of a game that is continued; each request replays all of them.
pub const ADOPTED_PLIES_MAX: usize = 2000;

/// What was played elsewhere.
// The order of the fields is that of the keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adopted {
    /// The time that Black has left, in milliseconds, if the record and the policy say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_left: Option<u64>,
    /// The plies, in coordinate notation.
    pub plies: Vec<String>,
    /// The time that White has left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_left: Option<u64>,
}

/// Tags that say what has happened, not by which rules.
const OF_COURSE: [&str; 4] = ["PlyCount", "SetUp", "TimeControl", "EndTime"];

impl Proposal {
    /// The proposal to play on from the end of a record. Its tags say the game and the players; `clock` is the name of
    /// the policy, by which its clocks are read.
    ///
    /// # Errors
    /// If the text is not one record of a legal game in progress.
    pub fn of_record(
        text: &str,
        clock: Option<&str>,
        replayer: &mut Replayer<'_>,
        policies: &Policies,
        budget: &Budget,
    ) -> Result<Proposal, ProposalError> {
        let wrong = |why: &str| ProposalError::Adopted(why.to_owned());
        let source = Source::new(text.as_bytes(), 0, 0);
        let mut records = read(text.as_bytes(), 0);
        let record = records.next().ok_or_else(|| wrong("there is none; write the game so far as PGN"))?;
        if records.next().is_some() {
            return Err(wrong("there are several; send one for each game"));
        }
        let traced = trace_within(replayer, &record, &source, 0, budget);
        let traced = traced.map_err(|exhausted| ProposalError::Adopted(exhausted.to_string()))?;
        let traced = traced.map_err(|report| ProposalError::Adopted(fault(&report)))?;
        let report = traced.report();
        if !report.legal {
            return Err(ProposalError::Adopted(fault(report)));
        }
        if report.result_tag.is_some_and(|result| result != GameResult::Unknown) {
            return Err(wrong("its result says that the game is over; a game in progress has `*`"));
        }
        let plies: Vec<String> = with_trace!(&traced, |trace| {
            let rules = trace.start.rules();
            let written = |traced: &Traced| {
                let mut text = String::new();
                coord::write(rules, &traced.ply, &mut text);
                text
            };
            trace.plies.iter().map(written).collect()
        });
        if plies.len() > ADOPTED_PLIES_MAX {
            return Err(ProposalError::Adopted(format!("it has more than {ADOPTED_PLIES_MAX} plies")));
        }
        let policy = policies.named(clock.unwrap_or("untimed")).map_err(ProposalError::Policy)?;
        let [white_left, black_left] = match &policy.clocks {
            Some(clocks) => {
                of_record(clocks, &record, first_move(record.tag("FEN").as_deref()), plies.len()).left
            }
            None => [None; 2],
        };
        Ok(Proposal {
            adopted: Some(Adopted { black_left, plies, white_left }),
            clock: clock.map(str::to_owned),
            players: players(&record),
            tags: tags(&record),
            variant: report.variant.to_string(),
            ..Proposal::default()
        })
    }
}

/// Why the game of a record cannot be continued.
fn fault(report: &Report) -> String {
    match &report.illegal {
        Some(illegal) => format!("ply {} is not legal: {}", illegal.ply, illegal.reason),
        None => {
            let found = report.diagnostics.iter().max_by_key(|found| found.severity);
            found.map_or_else(|| "it cannot be replayed".to_owned(), |found| found.message.to_string())
        }
    }
}

/// The players that a record names.
fn players(record: &Record<'_>) -> Players {
    let name = |tag: &str| record.tag(tag).map(|name| name.into_owned()).filter(|name| name != "?");
    Players {
        white: name("White").unwrap_or_default(),
        black: name("Black").unwrap_or_default(),
        nature: name("Nature"),
    }
}

/// The tags of a record that the terms do not say themselves.
fn tags(record: &Record<'_>) -> BTreeMap<String, String> {
    let is_own = |name: &str| OWN_TAGS.iter().chain(&OF_COURSE).any(|own| own.eq_ignore_ascii_case(name));
    let all =
        record.tags.iter().map(|tag| (record.tag_name(tag).into_owned(), record.tag_value(tag).into_owned()));
    all.filter(|(name, value)| !is_own(name) && !matches!(value.as_str(), "?" | "????.??.??" | "-")).collect()
}
