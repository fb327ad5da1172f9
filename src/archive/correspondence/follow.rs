//! What follows in a game without a request: Nature's choices by lot, and conditional plies.

use super::now;
use ferz_core::board::Owner;
use ferz_correspondence::{Answer, Branch, Command, Event, State, What, answer, decide, draw};

/// The choice of the lot for Nature, or its seed once the game is over.
pub(super) fn by_lot(state: &State, seed: &str, id: &str) -> Vec<Event> {
    let event = |by, what| vec![Event { at: now(), by, what }];
    if state.is_final() {
        let what = What::SeedRevealed { seed: seed.to_owned() };
        return if state.is_revealed() { Vec::new() } else { event(None, what) };
    }
    match draw(seed, id, state, now()).map(|event| event.what) {
        // Her ply may end the game.
        Some(What::Ply { text, .. }) => {
            let ply = Command::Ply { text, offer: None, signature: None };
            decide(state, Some(Owner::Nature), &ply, now()).unwrap_or_default()
        }
        Some(what) => event(Some(Owner::Nature), what),
        None => Vec::new(),
    }
}

/// The answers that follow from the conditional plies of the players. A tree from which the game departs is dropped.
pub(super) fn answers(state: &State, trees: &mut [Vec<Branch>; 2]) -> Vec<Event> {
    if state.is_final() {
        *trees = Default::default();
    }
    for player in Owner::REAL {
        let tree = &mut trees[player.index()];
        if tree.is_empty() {
            continue;
        }
        let next = match answer(state, player, tree) {
            Answer::Wait => continue,
            Answer::Drop => Vec::new(),
            Answer::Give(branch) => {
                let (text, next) = (branch.then.clone(), branch.next.clone());
                // It was legal when it was set; Nature may have changed that.
                if let Ok(events) =
                    decide(state, Some(player), &Command::Ply { text, offer: None, signature: None }, now())
                {
                    *tree = next;
                    return events;
                }
                Vec::new()
            }
        };
        *tree = next;
    }
    Vec::new()
}
