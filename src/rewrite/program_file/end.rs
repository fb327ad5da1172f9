//! How a game ended, in the words of both formats.

use crate::position::EndReason;
use crate::record::comment::Call;
use crate::record::{GameResult, Record};
use crate::replay::Report;

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    /// The words, if the formats have some: they are said of the player on move.
    pub words: Option<Words>,
    /// The result.
    pub result: GameResult,
    /// The plies of the main line.
    pub plies: usize,
}

/// What an entry after the last ply says, in CSA and in KIF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Words {
    /// `%TORYO`.
    pub csa: &'static str,
    /// `投了`.
    pub kif: &'static str,
}

const fn words(csa: &'static str, kif: &'static str) -> Words {
    Words { csa, kif }
}

impl Ended {
    /// The end of a record, from its result, its tags, and what the board shows.
    pub(super) fn of(record: &Record<'_>, report: &Report, gote_began: bool) -> Ended {
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
        let by = |reason: EndReason| shown == Some(reason);
        let words = match result {
            _ if declared => Some(words("%KACHI", "入玉勝ち")),
            _ if by(EndReason::FourfoldRepetition) => Some(words("%SENNICHITE", "千日手")),
            GameResult::Draw => Some(words("%JISHOGI", "持将棋")),
            _ if mover_loses && termination.contains("time") => Some(words("%TIME_UP", "切れ負け")),
            _ if mover_loses && termination.contains("infraction") => {
                Some(words("%ILLEGAL_MOVE", "反則負け"))
            }
            _ if by(EndReason::Checkmate) || by(EndReason::Stalemate) => Some(words("%TSUMI", "詰み")),
            _ if mover_loses => Some(words("%TORYO", "投了")),
            _ if mover_wins && termination.contains("infraction") => {
                let csa = if sente_moves { "%-ILLEGAL_ACTION" } else { "%+ILLEGAL_ACTION" };
                Some(words(csa, "反則勝ち"))
            }
            GameResult::Unknown => Some(words("%CHUDAN", "中断")),
            _ => None,
        };
        Ended { words, result, plies }
    }
}
