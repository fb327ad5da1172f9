//! The tags `TimeControl` and `Termination`: how much time the players had, and how the game ended.

use super::GameResult;
use super::endings::ending;
use super::number::program_words;
pub use ferz_core::text::time_control::{Bonus, Period, TimeControl, TimeControlError, in_words};

/// How a game ended, as in the tag `Termination`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// Any end by the rules of play, by agreement or by resignation.
    Normal,
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// A draw by repetition, automatic or claimed.
    Repetition,
    /// A draw after many moves without pawn move or capture.
    MoveCounter(u16),
    /// A draw by insufficient material.
    Material,
    /// A player resigned, or both agreed on a draw.
    ByPlayers,
    /// A player lost on time.
    TimeForfeit,
    /// The game was abandoned, decided by an arbiter, or ended by a mishap.
    BrokenOff,
    /// The game was not finished.
    Unterminated,
}

/// The values that the standard gives.
const TERMINATIONS: [(&str, Termination); 8] = [
    ("normal", Termination::Normal),
    ("time forfeit", Termination::TimeForfeit),
    ("abandoned", Termination::BrokenOff),
    ("adjudication", Termination::BrokenOff),
    ("death", Termination::BrokenOff),
    ("emergency", Termination::BrokenOff),
    ("rules infraction", Termination::BrokenOff),
    ("unterminated", Termination::Unterminated),
];

impl Termination {
    /// Reads the values of the standard, in any case, and the sentences of chess.com and others.
    ///
    /// ```
    /// use ferz_records::record::time_control::Termination;
    /// assert_eq!(Termination::parse("Time forfeit"), Some(Termination::TimeForfeit));
    /// assert_eq!(Termination::parse("ann won by checkmate"), Some(Termination::Checkmate));
    /// assert_eq!(Termination::parse("the roof fell in"), None);
    /// ```
    pub fn parse(value: &str) -> Option<Termination> {
        let in_words = || match ending(value, &["", ""])?.termination {
            "normal" => Some(Termination::ByPlayers),
            termination => Termination::of_the_standard(termination),
        };
        Termination::of_the_standard(value)
            .or_else(|| Termination::sentence(&value.to_ascii_lowercase()))
            .or_else(|| Termination::of_a_program(value))
            .or_else(in_words)
    }

    /// Reads the values of the standard, in any case. They imply no result.
    pub(crate) fn of_the_standard(value: &str) -> Option<Termination> {
        let named = TERMINATIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
        named.map(|(_, found)| *found)
    }

    /// `ann won by resignation`, `game drawn by stalemate`, `black forfeits on time`.
    fn sentence(value: &str) -> Option<Termination> {
        if let Some((_, _, how)) = of_a_colour(value) {
            return match how {
                "resigns" | "resigned" => Some(Termination::ByPlayers),
                "" => Some(Termination::Normal),
                _ => Termination::manner(how),
            };
        }
        let manner = value.split_once(" won ").or_else(|| value.split_once("drawn ")).map(|(_, how)| how);
        match manner.or_else(|| value.strip_prefix("draw ")) {
            Some(how) => Termination::manner(how),
            None => counts_moves(value).map(Termination::MoveCounter),
        }
    }

    /// What programs write that referee games of engines: a repetition, or a decision by the engines' scores.
    fn of_a_program(value: &str) -> Option<Termination> {
        match program_words(value.as_bytes(), 0)? {
            end if end < value.len() => None,
            _ if value.starts_with(['3', '5']) => Some(Termination::Repetition),
            _ => Some(Termination::BrokenOff),
        }
    }

    /// The text after the verb.
    fn manner(how: &str) -> Option<Termination> {
        Some(match how {
            "by checkmate" => Termination::Checkmate,
            "by stalemate" => Termination::Stalemate,
            "by resignation" | "by agreement" => Termination::ByPlayers,
            "on time" | "by timeout vs insufficient material" => Termination::TimeForfeit,
            "by repetition" | "by threefold repetition" | "by fivefold repetition" => Termination::Repetition,
            "by insufficient material" => Termination::Material,
            "- game abandoned" | "by abandonment" => Termination::BrokenOff,
            "by three check" | "by king of the hill" => Termination::Normal,
            _ => Termination::MoveCounter(counts_moves(how)?),
        })
    }

    /// The result that a sentence implies for a game between White and Black of these names: chess.com names the
    /// winner, others a colour.
    ///
    /// ```
    /// use ferz_records::record::{GameResult, time_control::Termination};
    /// let result = Termination::stated_result("Ann won on time", &["Bob", "Ann"]);
    /// assert_eq!(result, Some(GameResult::BlackWins));
    /// let result = Termination::stated_result("White resigns", &["Bob", "Ann"]);
    /// assert_eq!(result, Some(GameResult::BlackWins));
    /// ```
    pub fn stated_result(value: &str, names: &[impl AsRef<str>; 2]) -> Option<GameResult> {
        let small = value.to_ascii_lowercase();
        if small.contains("drawn ") || small.starts_with("draw by ") {
            return Some(GameResult::Draw);
        }
        let winner = value.split_once(" won ").map_or("", |(who, _)| who.trim());
        match names.each_ref().map(|name| name.as_ref().trim().eq_ignore_ascii_case(winner)) {
            [true, false] if !winner.is_empty() => Some(GameResult::WhiteWins),
            [false, true] if !winner.is_empty() => Some(GameResult::BlackWins),
            _ => match of_a_colour(&small) {
                Some((whites, wins, _)) if whites == wins => Some(GameResult::WhiteWins),
                Some(_) => Some(GameResult::BlackWins),
                None => {
                    let names = names.each_ref().map(AsRef::as_ref);
                    ending(value, &names)
                        .map(|ending| ending.result)
                        .filter(|result| *result != GameResult::Unknown)
                }
            },
        }
    }
}

/// The half-moves counted by the fifty- or seventy-five-move rule, by its name in lower case: `by 50-move rule`, `the
/// fifty-move rule`, `seventy-five moves`.
fn counts_moves(how: &str) -> Option<u16> {
    let name = how.strip_prefix("by ").unwrap_or(how);
    let name = name.strip_prefix("the ").unwrap_or(name);
    let name = name.strip_suffix(" rule").unwrap_or(name);
    let numbers = [("50", 100), ("fifty", 100), ("75", 150), ("seventy-five", 150)];
    let (moves, plies) = numbers.iter().find_map(|(word, plies)| Some((name.strip_prefix(word)?, *plies)))?;
    matches!(moves, "-move" | " move" | "-moves" | " moves").then_some(plies)
}

/// A lower-case sentence that says that a colour won or lost: whether it is White, whether it won, and how. For
/// resignation the verb is the manner.
fn of_a_colour(value: &str) -> Option<(bool, bool, &str)> {
    let (who, what) = value.trim().split_once(' ')?;
    let whites = match who {
        "white" => true,
        "black" => false,
        _ => return None,
    };
    let (verb, how) = what.split_once(' ').unwrap_or((what, ""));
    match verb {
        "wins" | "won" => Some((whites, true, how)),
        "loses" | "lost" | "forfeits" | "forfeited" => Some((whites, false, how)),
        "resigns" | "resigned" if how.is_empty() => Some((whites, false, verb)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_a_colour() {
        use GameResult::{BlackWins, WhiteWins};
        for (sentence, how, result) in [
            ("White wins on time", Termination::TimeForfeit, WhiteWins),
            ("Black wins by checkmate", Termination::Checkmate, BlackWins),
            ("Black resigns", Termination::ByPlayers, WhiteWins),
            ("WHITE RESIGNED", Termination::ByPlayers, BlackWins),
            ("White forfeits on time", Termination::TimeForfeit, BlackWins),
            ("Black lost on time", Termination::TimeForfeit, WhiteWins),
            ("White won", Termination::Normal, WhiteWins),
        ] {
            assert_eq!(Termination::parse(sentence), Some(how), "{sentence}");
            assert_eq!(Termination::stated_result(sentence, &["Ann", ""]), Some(result), "{sentence}");
        }
        // A player may have such a name.
        assert_eq!(Termination::stated_result("White won on time", &["Ann", "White"]), Some(BlackWins));
        for sentence in ["White checkmated", "Black resigns himself to it", "White", "Black wins a pawn"] {
            assert_eq!(Termination::parse(sentence), None, "{sentence}");
        }
        assert_eq!(Termination::stated_result("White checkmated", &["", ""]), None);
    }

    #[test]
    fn names_of_the_rules_that_draw() {
        for (value, plies) in [
            ("Game drawn by 50-move rule", 100),
            ("draw by fifty-move rule", 100),
            ("50 move rule", 100),
            ("Fifty moves", 100),
            ("by the 50-move rule", 100),
            ("Game drawn by 75-move rule", 150),
            ("draw by the seventy-five move rule", 150),
            ("75 moves", 150),
        ] {
            assert_eq!(Termination::parse(value), Some(Termination::MoveCounter(plies)), "{value}");
        }
        for value in
            ["draw by repetition", "Game drawn by threefold repetition", "draw by fivefold repetition"]
        {
            assert_eq!(Termination::parse(value), Some(Termination::Repetition), "{value}");
        }
        assert_eq!(Termination::stated_result("Draw by repetition", &["", ""]), Some(GameResult::Draw));
        for value in ["in fifty moves", "fifty moves later", "500 moves", "by 60-move rule"] {
            assert_eq!(Termination::parse(value), None, "{value}");
        }
    }
}
