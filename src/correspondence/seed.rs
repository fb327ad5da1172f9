//! Nature by lot: her choices follow from a seed to which the terms commit, so that they can be checked once it is
//! revealed. Who keeps the seed can foresee them.

use crate::{Damaged, Event, Setting, State, What};
use ferz_core::board::Owner;
use ferz_core::notation::Style;
use ferz_core::rules::digest_of_file;
use sha2::{Digest, Sha256};

/// The digest by which terms commit to a seed: its SHA-256, 64 hexadecimal digits.
pub fn seed_digest(seed: &str) -> String {
    digest_of_file(seed)
}

/// Nature's choice in a game of this id, if it is hers to decide: of letting the chance pass and of her plies in
/// coordinate notation, sorted bytewise, the one with the number SHA-256(seed ‖ id ‖ sequence), of which the first
/// eight bytes count, modulo their count. All three are ASCII, the sequence number is that of the event in decimal
/// digits. Where the terms have secret numbers of the players, those of White and Black follow.
pub fn draw(seed: &str, id: &str, state: &State, now: u64) -> Option<Event> {
    if state.to_act() != [Owner::Nature] {
        return None;
    }
    let position = state.game.position();
    let plies = state.game.legal_plies().into_iter().filter(|ply| ply.actor == Owner::Nature);
    let mut plies: Vec<String> = plies.filter_map(|ply| position.write(&ply, Style::Coord).ok()).collect();
    plies.sort_unstable();
    let mut drawn = format!("{seed}{id}{}", state.events());
    if state.setting().terms.nonces {
        drawn.extend(state.secrets().into_iter().filter_map(|(_, value)| value));
    }
    let hash = Sha256::digest(drawn);
    let number = hash.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    let choice = usize::try_from(number % (plies.len() as u64 + 1)).unwrap_or(0);
    let what = match choice.checked_sub(1).and_then(|index| plies.get(index)) {
        Some(coord) => What::Ply { coord: coord.clone(), text: coord.clone(), offer: None, signature: None },
        None => What::Declined,
    };
    Some(Event { at: now, by: Some(Owner::Nature), what })
}

/// Checks that each of Nature's choices in a game was drawn from the seed that was revealed. Nothing is checked before.
///
/// # Errors
/// If one was not.
pub fn check_draws(setting: &Setting, id: &str, events: &[Event]) -> Result<(), Damaged> {
    let revealed = events.iter().find_map(|event| match &event.what {
        What::SeedRevealed { seed } => Some(seed),
        _ => None,
    });
    let (Some(seed), Some(_)) = (revealed, &setting.terms.seed) else { return Ok(()) };
    let damaged = |sequence, why: &str| Damaged { sequence, why: why.to_owned() };
    let mut state = State::new(setting.clone()).map_err(|error| damaged(0, &error.to_string()))?;
    for event in events.iter().skip(1) {
        let sequence = state.events();
        if event.by == Some(Owner::Nature) && draw(seed, id, &state, event.at).as_ref() != Some(event) {
            return Err(damaged(sequence, "it was not drawn from the seed"));
        }
        state.after(event)?;
    }
    Ok(())
}
