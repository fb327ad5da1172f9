//! The table of an event: points, tie-breaks, and the games of each player.

use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::str::FromStr;

/// How far a game of an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// White has won.
    White,
    /// Black has won.
    Black,
    /// It is drawn.
    Draw,
    /// It is not over.
    Open,
    /// Both have lost: neither came, or both broke the rules.
    BothLose,
    /// It does not count.
    Annulled,
}

impl Score {
    /// That of a result in a record.
    pub fn of_result(result: &str) -> Score {
        match result {
            "1-0" => Score::White,
            "0-1" => Score::Black,
            "1/2-1/2" => Score::Draw,
            _ => Score::Open,
        }
    }

    /// The half points of a player; `None` if the game gives none.
    fn halves(self, is_white: bool) -> Option<u32> {
        match self {
            Score::Draw => Some(1),
            Score::White => Some(if is_white { 2 } else { 0 }),
            Score::Black => Some(if is_white { 0 } else { 2 }),
            Score::BothLose => Some(0),
            Score::Open | Score::Annulled => None,
        }
    }

    /// The sign of a player in a table.
    fn sign(self, is_white: bool) -> &'static str {
        match (self, self.halves(is_white)) {
            (Score::Annulled, _) => "-",
            (_, Some(2)) => "1",
            (_, Some(1)) => "=",
            (_, Some(_)) => "0",
            (_, None) => "*",
        }
    }
}

/// A game as the table needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The round, as in the tag.
    pub round: String,
    /// White.
    pub white: String,
    /// Black.
    pub black: String,
    /// How far it is.
    pub score: Score,
}

/// What decides between players with equal points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// The points in the games between them (FIDE C.07, direct encounter).
    Direct,
    /// The points of those whom a player beat, and half of those with whom he drew (Sonneborn-Berger).
    SonnebornBerger,
    /// The points of all opponents (Buchholz).
    Buchholz,
    /// The same without the weakest one.
    BuchholzCut1,
    /// The points against those who have at least half of what could be had (Koya).
    Koya,
    /// The games won.
    Wins,
}

impl TieBreak {
    /// All of them.
    pub const ALL: [TieBreak; 6] = [
        TieBreak::Direct,
        TieBreak::SonnebornBerger,
        TieBreak::Buchholz,
        TieBreak::BuchholzCut1,
        TieBreak::Koya,
        TieBreak::Wins,
    ];

    /// The name in options and headings.
    pub const fn name(self) -> &'static str {
        match self {
            TieBreak::Direct => "direct",
            TieBreak::SonnebornBerger => "sb",
            TieBreak::Buchholz => "buchholz",
            TieBreak::BuchholzCut1 => "buchholz-1",
            TieBreak::Koya => "koya",
            TieBreak::Wins => "wins",
        }
    }

    /// How many parts of a point its number counts.
    const fn parts(self) -> u32 {
        match self {
            TieBreak::SonnebornBerger => 4,
            TieBreak::Wins => 1,
            _ => 2,
        }
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TieBreak {
    type Err = String;

    fn from_str(text: &str) -> Result<TieBreak, String> {
        let found = TieBreak::ALL.into_iter().find(|own| own.name() == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = TieBreak::ALL.map(TieBreak::name).to_vec();
            format!("`{text}` is no tie-break; choose from {}", names.join(", "))
        })
    }
}

/// A player in the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The place, from 1; players whom nothing parts share the first of theirs.
    pub rank: usize,
    /// The name.
    pub name: String,
    /// A field for each opponent in the order of the table, or for each round.
    pub fields: Vec<String>,
    /// The games that are over.
    pub games: usize,
    /// Points, such as `2.5`.
    pub points: String,
    /// The tie-breaks, in their order.
    pub tie_breaks: Vec<String>,
}

/// The table of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The name of the event.
    pub event: String,
    /// The headings of the fields: the places of the opponents, or the rounds.
    pub fields: Vec<String>,
    /// The tie-breaks, in their order.
    pub tie_breaks: Vec<TieBreak>,
    /// The players, the first one first.
    pub players: Vec<Line>,
    /// All games, those that are over, and those that do not count.
    pub games: [usize; 3],
}

/// A player's results.
#[derive(Debug, Clone, Default)]
struct Sum {
    halves: u32,
    games: usize,
    wins: u32,
    /// By game: round, opponent, whether White, and its score.
    played: Vec<(String, String, bool, Score)>,
}

impl Table {
    /// The table of games. Without `tie_breaks` those that fit the form of the event.
    pub fn of(event: &str, games: &[Played], tie_breaks: &[TieBreak]) -> Table {
        let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
        for Played { round, white, black, score } in games {
            for (own, other, is_white) in [(white, black, true), (black, white, false)] {
                let sum = sums.entry(own).or_default();
                sum.played.push((round.clone(), other.clone(), is_white, *score));
                if let Some(halves) = score.halves(is_white) {
                    sum.halves += halves;
                    sum.games += 1;
                    sum.wins += u32::from(halves == 2);
                }
            }
        }
        // Where nearly everyone meets everyone, the opponents are the columns, else the rounds.
        let pairs: usize = sums.values().map(Sum::opponents).sum();
        let is_matrix = 4 * pairs >= 3 * sums.len() * sums.len().saturating_sub(1);
        let usual: &[TieBreak] = match is_matrix {
            true => &[TieBreak::Direct, TieBreak::Wins, TieBreak::SonnebornBerger],
            false => &[TieBreak::BuchholzCut1, TieBreak::Buchholz, TieBreak::SonnebornBerger],
        };
        let tie_breaks = if tie_breaks.is_empty() { usual } else { tie_breaks };
        let numbers = |name: &str| -> Vec<u32> {
            tie_breaks.iter().map(|tie_break| number(*tie_break, name, &sums)).collect()
        };
        let mut order: Vec<(&str, u32, Vec<u32>)> =
            sums.iter().map(|(name, sum)| (*name, sum.halves, numbers(name))).collect();
        // By name where nothing else parts them: the map is in that order, and sorting keeps it.
        order.sort_by(|(_, halves, breaks), (_, others, other)| (others, other).cmp(&(halves, breaks)));
        let places: HashMap<&str, usize> =
            order.iter().enumerate().map(|(place, (name, ..))| (*name, place)).collect();
        let rounds = rounds(games);
        let fields = match is_matrix {
            true => (1..=order.len()).map(|place| place.to_string()).collect(),
            false => rounds.clone(),
        };
        let mut players: Vec<Line> = Vec::new();
        for (place, (name, halves, breaks)) in order.iter().enumerate() {
            let sum = &sums[name];
            let is_tied = place > 0 && (order[place - 1].1, &order[place - 1].2) == (*halves, breaks);
            players.push(Line {
                rank: if is_tied { players[place - 1].rank } else { place + 1 },
                name: (*name).to_owned(),
                fields: match is_matrix {
                    true => (0..order.len()).map(|other| sum.against(order[other].0, name)).collect(),
                    false => rounds.iter().map(|round| sum.in_round(round, &places)).collect(),
                },
                games: sum.games,
                points: in_points(*halves, 2),
                tie_breaks: tie_breaks
                    .iter()
                    .zip(breaks)
                    .map(|(of, number)| in_points(*number, of.parts()))
                    .collect(),
            });
        }
        let count = |is: fn(Score) -> bool| games.iter().filter(|game| is(game.score)).count();
        let over = count(|score| score.halves(true).is_some());
        let annulled = count(|score| score == Score::Annulled);
        Table {
            event: event.to_owned(),
            fields,
            tie_breaks: tie_breaks.to_vec(),
            players,
            games: [games.len(), over, annulled],
        }
    }
}

impl Sum {
    fn opponents(&self) -> usize {
        let mut names: Vec<&String> = self.played.iter().map(|(_, other, ..)| other).collect();
        names.sort();
        names.dedup();
        names.len()
    }

    /// The results against an opponent, in the order of the games.
    fn against(&self, other: &str, own: &str) -> String {
        if other == own {
            return "x".to_owned();
        }
        let games = self.played.iter().filter(|(_, opponent, ..)| opponent == other);
        games.map(|(.., is_white, score)| score.sign(*is_white)).collect()
    }

    /// The games of a round: the place of the opponent, the colour, the result.
    fn in_round(&self, round: &str, places: &HashMap<&str, usize>) -> String {
        let games = self.played.iter().filter(|(of, ..)| of == round);
        let all: Vec<String> = games
            .map(|(_, other, is_white, score)| {
                let place = places.get(other.as_str()).map_or(0, |place| place + 1);
                format!("{place}{}{}", if *is_white { "w" } else { "b" }, score.sign(*is_white))
            })
            .collect();
        all.join(" ")
    }
}

/// The rounds of an event, in their order: numbers as numbers.
fn rounds(games: &[Played]) -> Vec<String> {
    let mut rounds: Vec<String> = games.iter().map(|game| game.round.clone()).collect();
    let parts = |round: &String| -> Vec<(u64, String)> {
        round.split('.').map(|part| (part.parse().unwrap_or(u64::MAX), part.to_owned())).collect()
    };
    rounds.sort_by_cached_key(parts);
    rounds.dedup();
    rounds
}

/// The number of a tie-break, in its parts of a point.
fn number(of: TieBreak, name: &str, sums: &BTreeMap<&str, Sum>) -> u32 {
    let Some(own) = sums.get(name) else { return 0 };
    let halves = |name: &str| sums.get(name).map_or(0, |sum| sum.halves);
    let over = || {
        own.played.iter().filter_map(|(_, other, is_white, score)| Some((other, score.halves(*is_white)?)))
    };
    match of {
        TieBreak::Wins => own.wins,
        TieBreak::Direct => over().filter(|(other, _)| halves(other) == own.halves).map(|(_, got)| got).sum(),
        TieBreak::SonnebornBerger => over().map(|(other, got)| halves(other) * got).sum(),
        TieBreak::Koya => {
            let is_strong = |other: &str| sums.get(other).is_some_and(|sum| sum.halves as usize >= sum.games);
            over().filter(|(other, _)| is_strong(other)).map(|(_, got)| got).sum()
        }
        TieBreak::Buchholz => over().map(|(other, _)| halves(other)).sum(),
        TieBreak::BuchholzCut1 => {
            let all = || over().map(|(other, _)| halves(other));
            all().sum::<u32>() - all().min().unwrap_or(0)
        }
    }
}

/// A number of parts of a point, as a decimal number.
fn in_points(number: u32, parts: u32) -> String {
    let (whole, rest) = (number / parts, number % parts * 100 / parts);
    match rest {
        0 => whole.to_string(),
        50 => format!("{whole}.5"),
        rest => format!("{whole}.{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(games: &str) -> Vec<Played> {
        let of = |line: &str| {
            let parts: Vec<&str> = line.split_whitespace().collect();
            let score = match parts[3] {
                "1-0" => Score::White,
                "0-1" => Score::Black,
                "1/2-1/2" => Score::Draw,
                "*" => Score::Open,
                _ => Score::Annulled,
            };
            Played { round: parts[0].into(), white: parts[1].into(), black: parts[2].into(), score }
        };
        games.lines().map(str::trim).filter(|line| !line.is_empty()).map(of).collect()
    }

    /// A table that was made by hand.
    #[test]
    fn everyone_against_everyone() {
        let games = played(
            "1 Ann Dan 1-0
             1 Ben Cleo 1/2-1/2
             2 Dan Cleo 0-1
             2 Ann Ben 0-1
             3 Ben Dan 1/2-1/2
             3 Cleo Ann 0-1",
        );
        let table = Table::of("Cup", &games, &[]);
        let found: Vec<String> = table
            .players
            .iter()
            .map(|line| {
                let Line { rank, name, fields, games, points, tie_breaks } = line;
                format!("{rank} {name} {} {games} {points} {}", fields.join(" "), tie_breaks.join(" "))
            })
            .collect();
        // Ann and Ben have two points each; Ben beat Ann.
        assert_eq!(
            found,
            [
                "1 Ben x 1 = = 3 2 1 1 3",
                "2 Ann 0 x 1 1 3 2 0 2 2",
                "3 Cleo = 0 x 1 3 1.5 0 1 1.5",
                "4 Dan = 0 0 x 3 0.5 0 0 1"
            ]
        );
        assert_eq!(
            (table.games, table.fields),
            ([6, 6, 0], ["1", "2", "3", "4"].map(str::to_owned).to_vec())
        );
    }

    /// Rounds of a larger field: Buchholz decides, and what is open or annulled gives nothing.
    #[test]
    fn rounds_of_a_large_field() {
        let games = played(
            "1 A B 1-0
             1 C D 1-0
             1 E F 1/2-1/2
             1 G H 1-0
             2 A C 1-0
             2 G E 1/2-1/2
             2 B D 1-0
             2 F H *
             10 A G x",
        );
        let table = Table::of("Open", &games, &[]);
        assert_eq!(table.fields, ["1", "2", "10"]);
        assert_eq!(table.games, [9, 7, 1]);
        assert_eq!(table.tie_breaks, [TieBreak::BuchholzCut1, TieBreak::Buchholz, TieBreak::SonnebornBerger]);
        let [first, second] = [&table.players[0], &table.players[1]];
        assert_eq!((first.name.as_str(), first.points.as_str(), first.games), ("A", "2", 2));
        assert_eq!(first.fields[2], "2w-");
        // G has a point and a half; the opponents have one and none.
        assert_eq!((second.name.as_str(), second.points.as_str()), ("G", "1.5"));
        assert_eq!(second.tie_breaks, ["1", "1", "0.5"]);
        // D and H have lost what they played; B beat D, and H has less of an opponent than D.
        let last = table.players.last().unwrap();
        assert_eq!(
            (last.points.as_str(), last.rank),
            ("0", 7 + usize::from(last.tie_breaks != table.players[6].tie_breaks))
        );
        let by_wins = Table::of("Open", &games, &[TieBreak::Wins]);
        assert!(by_wins.players.windows(2).all(|pair| pair[0].rank <= pair[1].rank));
        assert_eq!("sb".parse(), Ok(TieBreak::SonnebornBerger));
        assert!("elo".parse::<TieBreak>().is_err());
    }
}
