//! How a game ended, in the words of both formats.

use crate::record::{GameResult, Record, csa_ending};
use crate::replay::Report;
use ferz_core::position::Call;
use ferz_core::position::EndReason;

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ended {
    /// The word of CSA for it, said of the player on move: `%TORYO`.
    pub word: Option<String>,
    /// Seconds of thought before it.
    pub spent: Option<u64>,
    /// The word says what the tag `Termination` says, or the tag says nothing.
    pub says_termination: bool,
    /// The result.
    pub result: GameResult,
    /// The plies of the main line.
    pub plies: usize,
}

impl Ended {
    /// The end of a record, from its result, its tags, and what the board shows. A comment among those `said` last that
    /// is a word of CSA for this result is taken, so that it is not written twice.
    pub(super) fn of(
        record: &Record<'_>,
        report: &Report,
        gote_began: bool,
        said: &mut Vec<String>,
    ) -> Ended {
        let plies = record.main_moves().count();
        let result = record.stated_result().unwrap_or(GameResult::Unknown);
        let shown = report.end.as_ref().filter(|end| end.ply == plies).map(|end| end.reason);
        let declared =
            record.main_calls().iter().any(|&(after, call)| after == plies && call == Call::Declare);
        let sente_moves = gote_began == (plies % 2 == 1);
        let (mover_wins, mover_loses) = match sente_moves {
            true => (result == GameResult::WhiteWins, result == GameResult::BlackWins),
            false => (result == GameResult::BlackWins, result == GameResult::WhiteWins),
        };
        let termination = record.tag("Termination").unwrap_or_default().to_ascii_lowercase();
        let taken = said.iter().enumerate().find_map(|(place, line)| {
            let (word, spent, ending) = csa_ending(line, sente_moves)?;
            let says = termination == ending.termination || termination == "normal";
            (ending.result == result).then(|| (place, word.to_owned(), spent, says))
        });
        if let Some((place, word, spent, says_termination)) = taken {
            said.remove(place);
            return Ended { word: Some(word), spent, says_termination, result, plies };
        }
        let [by_time, by_foul] = ["time", "infraction"].map(|word| termination.contains(word));
        let by = |reason: EndReason| shown == Some(reason);
        let word = match result {
            _ if declared => Some("%KACHI"),
            _ if by(EndReason::FourfoldRepetition) => Some("%SENNICHITE"),
            GameResult::Draw => Some("%JISHOGI"),
            _ if mover_loses && by_time => Some("%TIME_UP"),
            _ if mover_loses && by_foul => Some("%ILLEGAL_MOVE"),
            _ if by(EndReason::Checkmate) || by(EndReason::Stalemate) => Some("%TSUMI"),
            _ if mover_loses => Some("%TORYO"),
            _ if mover_wins && by_foul && sente_moves => Some("%-ILLEGAL_ACTION"),
            _ if mover_wins && by_foul => Some("%+ILLEGAL_ACTION"),
            GameResult::Unknown => Some("%CHUDAN"),
            _ => None,
        };
        let says_termination = match word {
            Some("%TIME_UP") => by_time,
            Some("%ILLEGAL_MOVE" | "%-ILLEGAL_ACTION" | "%+ILLEGAL_ACTION") => by_foul,
            Some("%CHUDAN") => termination.contains("unterminated"),
            _ => false,
        };
        let says_termination = says_termination || termination == "normal";
        Ended { word: word.map(str::to_owned), spent: None, says_termination, result, plies }
    }
}
