//! Ratings of players over games of one kind of rules, or of a whole class, so that players of different games can be
//! paired (X-Class of the IAGO Chess System asks for methods of compatible ranking).
//!
//! The ratings are Elo's. Everyone begins with 1500. After a game the rating changes by K (S - E). S is the score: 1,
//! ½ or 0. E = 1 / (1 + 10^((opponent's - own) / 400)) is the expected one, with a difference of at most 400 (FIDE B.02
//! 8.3). K is 40 in the first 30 games of a player, and 20 after them. Games count in the order of their days.

use super::{Played, Score};
use serde::Serialize;
use std::collections::HashMap;

/// The rating of a player without games.
const START: f64 = 1500.0;

/// A greater difference counts as this one.
const DIFFERENCE_MAX: f64 = 400.0;

/// What a game weighs for a new player, and later.
const K_NEW: f64 = 40.0;
const K: f64 = 20.0;

/// Games of a new player.
const NEW_GAMES: u32 = 30;

/// A player in a rating list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rated {
    /// The place in the list; equal ratings share one.
    pub rank: usize,
    /// The name.
    pub player: String,
    /// The rating, rounded.
    pub rating: i64,
    /// Games that count.
    pub games: u32,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

#[derive(Debug, Clone, Copy)]
struct Standing {
    rating: f64,
    won: u32,
    drawn: u32,
    lost: u32,
}

impl Standing {
    fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Counts a game with this score, 1, ½ or 0, against a player with a rating.
    fn count(&mut self, score: f64, against: f64) {
        let difference = (against - self.rating).clamp(-DIFFERENCE_MAX, DIFFERENCE_MAX);
        let expected = 1.0 / (1.0 + 10f64.powf(difference / 400.0));
        let weight = if self.games() < NEW_GAMES { K_NEW } else { K };
        self.rating += weight * (score - expected);
        match score {
            0.0 => self.lost += 1,
            1.0 => self.won += 1,
            _ => self.drawn += 1,
        }
    }
}

/// The rating list of players after games in their order, the best first. Games that are open, annulled or lost by both
/// do not count.
pub fn ratings(games: impl IntoIterator<Item = Played>) -> Vec<Rated> {
    let mut standings: HashMap<String, Standing> = HashMap::new();
    for Played { white, black, score, .. } in games {
        let score = match score {
            Score::White => 1.0,
            Score::Black => 0.0,
            Score::Draw => 0.5,
            Score::Open | Score::BothLose | Score::Annulled => continue,
        };
        let of = |name: &str| {
            standings.get(name).copied().unwrap_or(Standing { rating: START, won: 0, drawn: 0, lost: 0 })
        };
        let (mut one, mut other) = (of(&white), of(&black));
        if white == black {
            continue;
        }
        let (before, against) = (one.rating, other.rating);
        one.count(score, against);
        other.count(1.0 - score, before);
        standings.insert(white, one);
        standings.insert(black, other);
    }
    let mut list: Vec<Rated> = standings
        .into_iter()
        .map(|(player, standing)| Rated {
            rank: 0,
            player,
            rating: standing.rating.round() as i64,
            games: standing.games(),
            won: standing.won,
            drawn: standing.drawn,
            lost: standing.lost,
        })
        .collect();
    list.sort_by(|a, b| b.rating.cmp(&a.rating).then_with(|| a.player.cmp(&b.player)));
    for index in 0..list.len() {
        list[index].rank = match index.checked_sub(1).map(|before| &list[before]) {
            Some(before) if before.rating == list[index].rating => before.rank,
            _ => index + 1,
        };
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, score: Score) -> Played {
        Played { round: "1".into(), white: white.into(), black: black.into(), score }
    }

    #[test]
    fn ratings_are_those_of_the_formula() {
        let list = ratings([game("Ann", "Ben", Score::White), game("Ben", "Cleo", Score::Draw)]);
        // Ben, 1480 after the first game, draws with Cleo, 1500: E = 0.4712, and 40 (0.5 - 0.4712) = 1.15.
        let of = |name: &str| list.iter().find(|rated| rated.player == name).map(|rated| rated.rating);
        assert_eq!((of("Ann"), of("Ben"), of("Cleo")), (Some(1520), Some(1481), Some(1499)));
        assert_eq!(list.iter().map(|rated| rated.rank).collect::<Vec<_>>(), [1, 2, 3]);
        let ben = list.iter().find(|rated| rated.player == "Ben").unwrap();
        assert_eq!((ben.games, ben.won, ben.drawn, ben.lost), (2, 0, 1, 1));
    }

    #[test]
    fn what_does_not_count_changes_nothing() {
        for score in [Score::Open, Score::BothLose, Score::Annulled] {
            assert_eq!(ratings([game("Ann", "Ben", score)]), []);
        }
        assert_eq!(ratings([game("Ann", "Ann", Score::White)]), []);
    }

    /// What one player wins the other one loses, while both are new.
    #[test]
    fn points_of_new_players_are_kept() {
        let names = ["Ann", "Ben", "Cleo", "Dora"];
        let scores = [Score::White, Score::Black, Score::Draw];
        let games = (0..40).map(|n| game(names[n % 4], names[(n + 1 + n % 3) % 4], scores[n % 3]));
        let list = ratings(games);
        let total: i64 = list.iter().map(|rated| rated.rating).sum();
        assert!((total - 6000).abs() <= 2, "{list:?}");
    }
}
