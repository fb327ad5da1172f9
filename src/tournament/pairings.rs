//! Round robins by the Berger tables.

use serde::{Deserialize, Serialize};

/// A game of an event to be played.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// The round, as in the tag.
    pub round: String,
    /// White.
    pub white: String,
    /// Black.
    pub black: String,
}

impl Pairing {
    /// Checks that two players of an event meet.
    ///
    /// # Errors
    /// With what is wrong.
    pub fn check(&self, players: &[String]) -> Result<(), String> {
        let Pairing { white, black, .. } = self;
        match [white, black].into_iter().find(|name| !players.contains(name)) {
            Some(stranger) => Err(format!("`{}` is not in the list of players", stranger.escape_debug())),
            None if white == black => Err(format!("`{}` meets himself", white.escape_debug())),
            None => Ok(()),
        }
    }
}

/// Everyone against everyone, once or, with the colours exchanged, twice: the tables of FIDE's handbook (C.05, annex
/// 1). With an odd number of players one has no game in each round.
pub fn round_robin(players: &[String], is_double: bool) -> Vec<Pairing> {
    // Numbers from 1; the last one is fixed. Who meets number 0 of an odd field has no game.
    let seats = players.len().next_multiple_of(2);
    let rounds = seats.saturating_sub(1);
    let mut all = Vec::new();
    for cycle in 0..1 + usize::from(is_double) {
        for round in 1..=rounds {
            let pivot = if round % 2 == 1 { round.div_ceil(2) } else { seats / 2 + round / 2 };
            let around = |step: usize| (pivot + rounds + step - 1) % rounds + 1;
            let first = if round % 2 == 1 { (pivot, seats) } else { (seats, pivot) };
            let others = (1..seats / 2).map(|step| (around(step), around(rounds - step)));
            for (white, black) in std::iter::once(first).chain(others) {
                let (white, black) = if cycle == 0 { (white, black) } else { (black, white) };
                let (Some(white), Some(black)) = (players.get(white - 1), players.get(black - 1)) else {
                    continue;
                };
                let round = (cycle * rounds + round).to_string();
                all.push(Pairing { round, white: white.clone(), black: black.clone() });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn names(count: usize) -> Vec<String> {
        (1..=count).map(|number| number.to_string()).collect()
    }

    /// The table for six players, as FIDE prints it.
    #[test]
    fn six_players_meet_as_in_the_handbook() {
        let rounds = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"];
        for (number, round) in (1..).zip(rounds) {
            let all = round_robin(&names(6), false)
                .into_iter()
                .filter(|pairing| pairing.round == number.to_string());
            let found: Vec<String> =
                all.map(|pairing| format!("{}-{}", pairing.white, pairing.black)).collect();
            assert_eq!(found.join(" "), round);
        }
    }

    #[test]
    fn everyone_meets_everyone_with_colours_that_balance() {
        for count in 0..=20 {
            for is_double in [false, true] {
                let all = round_robin(&names(count), is_double);
                let (mut met, mut whites) = (HashMap::new(), HashMap::new());
                let mut busy = HashMap::new();
                for Pairing { round, white, black } in &all {
                    assert_ne!(white, black);
                    let pair = if white < black { (white, black) } else { (black, white) };
                    *met.entry(pair).or_insert(0) += 1;
                    *whites.entry(white).or_insert(0) += 1;
                    for player in [white, black] {
                        assert!(
                            busy.insert((round, player), ()).is_none(),
                            "{count}: {player} in round {round}"
                        );
                    }
                }
                let each = 1 + usize::from(is_double);
                assert_eq!(all.len(), each * count * count.saturating_sub(1) / 2, "{count}");
                assert!(met.values().all(|times| *times == each), "{count}");
                let games = each * count.saturating_sub(1);
                let is_fair = |white: &usize| white.abs_diff(games - white) <= 1;
                assert!(is_double || whites.values().all(is_fair), "{count}: {whites:?}");
            }
        }
    }
}
