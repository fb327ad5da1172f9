//! Claims on which people decide, rulings, and appeals against them.
//!
//! A claim that cannot be checked at once makes the game *disputed*: the clocks stand still until the other player
//! accepts the claim or an arbiter rules on it. A ruling on the result ends the game; for as long as the policy allows
//! an appeal, the end is provisional. The ruling on an appeal is final.

use crate::claims::sanction;
use crate::decide::ended;
use crate::state::RULING;
use crate::{ClaimName, Ended, Event, Refused, State, What};
use ferz_core::board::Owner;
use ferz_records::record::GameResult;
use serde::Serialize;

/// The longest reason, in bytes.
pub(crate) const BECAUSE_BYTES_MAX: usize = 2000;

/// How often a player can make a claim on which people decide; each of them stops the clocks.
pub(crate) const DISPUTES_MAX: u32 = 10;

/// A claim or an appeal that waits for an answer or a ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dispute {
    /// The player who claims or appeals.
    pub by: Owner,
    /// The claim; `None` for an appeal.
    pub claim: Option<ClaimName>,
    /// What the game is worth if the claim stands.
    pub result: Option<GameResult>,
    /// The other player's answer.
    pub accepted: Option<bool>,
}

/// A ruling on the result against which a player can appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Provisional {
    pub(crate) end: Ended,
    /// The instant until which they can, in milliseconds since 1970.
    pub(crate) until: u64,
    /// The instant of the ruling.
    pub(crate) since: u64,
    /// Whether White and Black have accepted it.
    accepted: [bool; 2],
}

impl State {
    /// What a dispute becomes after an event.
    pub(crate) fn dispute(&mut self, event: &Event) -> Result<(), &'static str> {
        match &event.what {
            What::Claimed { upheld: Some(_), .. } => {}
            What::Claimed { claim, check, upheld: None, .. } => {
                let by = event.by.ok_or("no player did it")?;
                let result = check.as_ref().and_then(|check| check.result);
                self.open(Dispute { by, claim: Some(*claim), result, accepted: None }, event.at)?;
            }
            What::Answered { accept, .. } => {
                let by = event.by.filter(|by| by.is_real()).ok_or("no player did it")?;
                match (&mut self.dispute, &mut self.provisional) {
                    (Some(dispute), _) => dispute.accepted = Some(*accept),
                    (None, Some(ruling)) => ruling.accepted[by.index()] = *accept,
                    (None, None) => return Err("nothing is disputed"),
                }
            }
            What::Appealed { .. } => {
                self.provisional.take().ok_or("there is no ruling")?;
                let by = event.by.ok_or("no player did it")?;
                self.open(Dispute { by, claim: None, result: None, accepted: None }, event.at)?;
            }
            What::Dismissed { .. } => {
                if self.dispute.take().is_none() && self.provisional.take().is_none() {
                    return Err("nothing is disputed");
                }
                self.resume_after_dispute(event.at);
            }
            What::Ruled { result, .. } => {
                self.dispute = None;
                let end = Ended { result: *result, cause: RULING.to_owned(), by: None };
                let until = event.at.saturating_add(self.setting().policy.appeal);
                self.provisional = Some(Provisional { end, until, since: event.at, accepted: [false; 2] });
                self.stop_for_dispute(event.at);
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, dispute: Dispute, at: u64) -> Result<(), &'static str> {
        if dispute.claim.is_some()
            && let Some(count) = self.disputes.get_mut(dispute.by.index())
        {
            *count += 1;
        }
        self.stop_for_dispute(at);
        match self.dispute.replace(dispute) {
            None => Ok(()),
            Some(_) => Err("the game is disputed before it"),
        }
    }
}

/// The events of an arbiter's ruling on the result. The ruling on an appeal is final.
pub(crate) fn rule(
    state: &State,
    result: GameResult,
    because: &str,
    now: u64,
) -> Result<Vec<Event>, Refused> {
    let because = reason(because)?;
    let is_appeal = state.dispute.as_ref().is_some_and(|dispute| dispute.claim.is_none());
    let mut events = vec![Event { at: now, by: None, what: What::Ruled { result, because } }];
    if is_appeal || state.setting().policy.appeal == 0 || state.begun().is_none() {
        events.push(ended(now, result, RULING));
    }
    Ok(events)
}

/// The events of an arbiter who dismisses a claim, or a ruling: the game continues.
pub(crate) fn dismiss(state: &State, because: &str, now: u64) -> Result<Vec<Event>, Refused> {
    let because = reason(because)?;
    if state.dispute.is_none() && state.provisional.is_none() {
        return Err(Refused::NothingDisputed);
    }
    let mut events = vec![Event { at: now, by: None, what: What::Dismissed { because } }];
    if let Some(Dispute { by, claim: Some(_), .. }) = state.dispute {
        events.extend(sanction(state, by, now));
    }
    Ok(events)
}

/// The events of a player's answer to the claim of the other one, or to a ruling.
pub(crate) fn answer(
    state: &State,
    by: Owner,
    accept: bool,
    because: Option<&str>,
    now: u64,
) -> Result<Vec<Event>, Refused> {
    let because = because.map(reason).transpose()?;
    let mut events = vec![Event { at: now, by: Some(by), what: What::Answered { accept, because } }];
    if let Some(dispute) = &state.dispute {
        let claim = dispute.claim.filter(|_| dispute.by != by).ok_or(Refused::NothingDisputed)?;
        match (accept, dispute.result) {
            (true, Some(result)) => events.push(ended(now, result, claim.name())),
            (true, None) => return Err(Refused::NoResult),
            (false, _) => {}
        }
        return Ok(events);
    }
    let ruling = state.provisional.as_ref().ok_or(Refused::NothingDisputed)?;
    if !accept {
        return Err(Refused::Appeal);
    }
    if ruling.accepted[by.opponent().index()] {
        events.push(ended(now, ruling.end.result, RULING));
    }
    Ok(events)
}

/// The event of a player's appeal against a ruling.
pub(crate) fn appeal(state: &State, by: Owner, because: &str, now: u64) -> Result<Vec<Event>, Refused> {
    let because = reason(because)?;
    let ruling = state.provisional.as_ref().ok_or(Refused::NothingDisputed)?;
    if now >= ruling.until || ruling.accepted[by.index()] {
        return Err(Refused::TooLateToAppeal);
    }
    Ok(vec![Event { at: now, by: Some(by), what: What::Appealed { because } }])
}

/// A reason without blanks around it.
fn reason(because: &str) -> Result<String, Refused> {
    let because = because.trim();
    let is_given = !because.is_empty() && because.len() <= BECAUSE_BYTES_MAX;
    if is_given { Ok(because.to_owned()) } else { Err(Refused::Reason) }
}
