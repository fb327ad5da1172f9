//! Commitments and what they hide: secrets before the first ply, and the ply that is sealed at an adjournment.

use crate::decide::{check_signed, ended, read, with_end, won_by};
use crate::secret::{SECRET_BYTES_MAX, army_of, commitment, commits_to, place, readings};
use crate::{Event, Refused, State, Status, What};
use ferz_core::board::Owner;

/// The event of a commitment.
pub(crate) fn commit(state: &State, by: Owner, hash: &str) -> Result<What, Refused> {
    let hash = commitment(hash).ok_or(Refused::NoHash)?;
    match state.adjourned() {
        Some((player, _)) if player != by => return Err(Refused::NotToAct { by, to_act: vec![player] }),
        Some((_, Some(_))) => return Err(Refused::Committed),
        Some((_, None)) => {}
        None => {
            let secret = may_keep(state, by)?;
            if state.secrets[secret].hash.is_some() {
                return Err(Refused::Committed);
            }
        }
    }
    Ok(What::Committed { hash })
}

/// The events of a secret that is revealed. A sealed ply that is ambiguous or illegal loses (FIDE Guidelines I).
pub(crate) fn reveal(
    state: &State,
    by: Owner,
    value: &str,
    signature: Option<&str>,
    now: u64,
) -> Result<Vec<Event>, Refused> {
    if value.len() > SECRET_BYTES_MAX {
        return Err(Refused::SecretTooLong);
    }
    let revealed = Event { at: now, by: Some(by), what: What::Revealed { value: value.to_owned() } };
    let Some((player, hash)) = state.adjourned() else {
        check_before_game(state, by, value)?;
        return Ok(vec![revealed]);
    };
    if player != by {
        return Err(Refused::NotToAct { by, to_act: vec![player] });
    }
    match hash {
        None => return Err(Refused::NotSealed),
        Some(hash) if !commits_to(hash, value) => return Err(Refused::OtherSecret),
        Some(_) => {}
    }
    let mut events = vec![revealed];
    match readings(value).find_map(|text| Some((read(&state.game, by, text).ok()?, text))) {
        Some(((ply, coord), text)) => {
            check_signed(state, by, signature)?;
            let (text, signature) = (text.to_owned(), signature.map(str::to_owned));
            let what = What::Ply { coord, text, offer: None, signature };
            events.extend(with_end(state, &ply, Event { at: now, by: Some(by), what }));
        }
        None => events.push(ended(now, won_by(by.opponent()), "sealed-ply")),
    }
    Ok(events)
}

/// Fails unless a value is what a player committed to before the game, and both have committed.
fn check_before_game(state: &State, by: Owner, value: &str) -> Result<(), Refused> {
    let own = may_keep(state, by)?;
    if let Some(missing) = Owner::REAL.into_iter().find(|player| state.secrets[player.index()].hash.is_none())
    {
        return Err(Refused::NotCommitted(missing));
    }
    if state.secrets[own].value.is_some() {
        return Err(Refused::Committed);
    }
    if !state.secrets[own].is(value) {
        return Err(Refused::OtherSecret);
    }
    if state.setting().terms.secret_armies {
        let army = army_of(&state.setting().rules, value).map_err(Refused::Army)?;
        let other = state.armies().next().map(|(_, army)| army.to_owned());
        if let Some(other) = other {
            let both = if by == Owner::White { [&*army, &*other] } else { [&*other, &*army] };
            let together = state.setting().rules_with(both);
            together.map_err(|error| Refused::Army(error.to_string()))?;
        }
    }
    Ok(())
}

/// The place of a player who has a secret to keep before the game.
fn may_keep(state: &State, by: Owner) -> Result<usize, Refused> {
    let has_secrets = state.status() == Status::AwaitingAcceptance && state.setting().terms.has_secrets();
    match place(by) {
        None => Err(Refused::NotFor(by)),
        Some(place) if has_secrets => Ok(place),
        Some(_) => Err(Refused::NoSecret),
    }
}
