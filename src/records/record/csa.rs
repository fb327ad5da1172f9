//! The ends of games in the format of the Computer Shogi Association: `%TORYO`, `%SENNICHITE`. Most are stated of the
//! player on move.

use super::endings::Ending;
use super::item::GameResult;
use super::read::Record;

/// Whom a word makes the winner.
#[derive(Debug, Clone, Copy)]
enum Winner {
    /// The player on move.
    Mover,
    /// The other one.
    Waiting,
    /// The player who began, Sente.
    White,
    /// Gote.
    Black,
    /// Neither: the game is drawn.
    Neither,
    /// The game has no result.
    Unknown,
}

/// The words after `%`, and the value of the tag `Termination`. `%MATTA`, a move taken back, ends nothing.
const WORDS: [(&str, Winner, &str); 13] = [
    ("TORYO", Winner::Waiting, "normal"),
    ("CHUDAN", Winner::Unknown, "unterminated"),
    ("SENNICHITE", Winner::Neither, "normal"),
    ("TIME_UP", Winner::Waiting, "time forfeit"),
    ("ILLEGAL_MOVE", Winner::Waiting, "rules infraction"),
    ("+ILLEGAL_ACTION", Winner::Black, "rules infraction"),
    ("-ILLEGAL_ACTION", Winner::White, "rules infraction"),
    ("JISHOGI", Winner::Neither, "normal"),
    ("KACHI", Winner::Mover, "normal"),
    ("HIKIWAKE", Winner::Neither, "normal"),
    ("TSUMI", Winner::Waiting, "normal"),
    ("FUZUMI", Winner::Unknown, "unterminated"),
    ("ERROR", Winner::Unknown, "abandoned"),
];

/// The declaration of a win, which is a call, too: `[%kachi]`.
pub(super) const DECLARES: &str = "%KACHI";

/// The bytes of the end at the start of a text, without the time that may follow it (`%TORYO,T5`), and the index of its
/// word. A text with another word there is none.
fn word_at(text: &[u8]) -> Option<(usize, usize)> {
    let rest = text.strip_prefix(b"%")?;
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic() || b"_+-".contains(byte)).count();
    let word = WORDS.iter().position(|(word, ..)| word.as_bytes() == &rest[..len])?;
    Some((1 + len, word))
}

/// The bytes of the end at the start of a text, with the time that may follow it; 0 if there is none.
pub(crate) fn end_at(text: &[u8]) -> usize {
    let Some((len, _)) = word_at(text) else { return 0 };
    let time = text[len..].strip_prefix(b",T").unwrap_or_default();
    let digits = time.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let len = if digits > 0 { len + 2 + digits } else { len };
    let goes_on = text.get(len).is_some_and(|byte| !byte.is_ascii_whitespace() && !b"{;*".contains(byte));
    if goes_on { 0 } else { len }
}

/// What the end at the start of a text says where White is on move, or Black.
pub(crate) fn ending(text: &[u8], whites_turn: bool) -> Option<Ending> {
    let (_, winner, termination) = WORDS[word_at(text)?.1];
    let result = match winner {
        Winner::Mover if whites_turn => GameResult::WhiteWins,
        Winner::Waiting if !whites_turn => GameResult::WhiteWins,
        Winner::Mover | Winner::Waiting | Winner::Black => GameResult::BlackWins,
        Winner::White => GameResult::WhiteWins,
        Winner::Neither => GameResult::Draw,
        Winner::Unknown => GameResult::Unknown,
    };
    Some(Ending { result, termination })
}

/// An end in the words of the format, alone in a text: the word, the seconds of thought before it, and what it says
/// where White is on move, or Black.
pub(crate) fn whole_ending(text: &str, whites_turn: bool) -> Option<(&str, Option<u64>, Ending)> {
    let found = ending(text.as_bytes(), whites_turn).filter(|_| end_at(text.as_bytes()) == text.len())?;
    let (word, time) = text.split_once(",T").unwrap_or((text, ""));
    Some((word, time.parse().ok(), found))
}

/// True if White is on move in a position, given as FEN or SFEN, and after so many plies.
pub(crate) fn whites_turn(position: &str, plies: usize) -> bool {
    black_begins(position) == (plies % 2 == 1)
}

/// True if Black is on move in a position, given as FEN or SFEN.
pub(crate) fn black_begins(position: &str) -> bool {
    let position = position.trim().strip_prefix("position ").unwrap_or(position).trim_start();
    let fields: Vec<&str> = position.strip_prefix("sfen ").unwrap_or(position).split_whitespace().collect();
    // SFEN has no castling rights, and calls the player who begins `b`.
    let sfen = matches!(fields[..], [_, _, _] | [_, _, _, _])
        && fields.get(3).is_none_or(|number| number.parse::<u32>().is_ok());
    fields.get(1) == Some(if sfen { &"w" } else { &"b" })
}

impl Record<'_> {
    /// True if White is on move after the main line, as far as the plies are to be counted.
    pub(super) fn ends_with_whites_turn(&self) -> bool {
        whites_turn(&self.tag("FEN").unwrap_or_default(), self.main_moves().count())
    }
}

#[cfg(test)]
mod tests {
    use crate::record::{GameResult, codes, read};

    #[test]
    fn ends_are_those_of_the_player_on_move() {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        let gote = "[FEN \"4k4/9/9/9/9/9/9/9/4K3R w - 2\"]\n\n";
        let sente = "[FEN \"position sfen 4k4/9/9/9/9/9/9/9/4K3R b - 1\"]\n\n";
        let black = "[FEN \"4k4/9/9/9/9/9/9/9/4K3R[] b - - 0 1\"]\n\n";
        for (start, plies, word, result, termination) in [
            ("", "7776FU", "%TORYO", WhiteWins, "normal"),
            ("", "7776FU 3334FU", "%TORYO", BlackWins, "normal"),
            ("", "7776FU (2726FU 3334FU) 3334FU", "%TORYO", BlackWins, "normal"),
            (gote, "5152OU", "%TORYO", BlackWins, "normal"),
            (sente, "5958OU", "%TORYO", WhiteWins, "normal"),
            (black, "5152OU", "%TORYO", BlackWins, "normal"),
            ("", "7776FU", "%KACHI", BlackWins, "normal"),
            ("", "7776FU", "%TIME_UP,T600", WhiteWins, "time forfeit"),
            ("", "7776FU", "%SENNICHITE", Draw, "normal"),
            ("", "7776FU", "%CHUDAN", Unknown, "unterminated"),
            ("", "7776FU", "%+ILLEGAL_ACTION", BlackWins, "rules infraction"),
        ] {
            for blank in [" ", "\n"] {
                let text = format!("{start}{plies}{blank}{word}\n");
                let record = read(text.as_bytes(), 0).next().unwrap();
                let ending = record.ending().map(|ending| (ending.result, ending.termination));
                assert_eq!((record.result, ending), (Some(result), Some((result, termination))), "{text}");
                let said = record.diagnostics.iter().any(|found| found.code == codes::RESULT_WORDS);
                assert!(said, "{text}");
            }
        }
    }

    #[test]
    fn a_result_beside_the_end_counts() {
        for (text, result, code) in [
            ("7776FU\n%TORYO\n1-0\n", GameResult::WhiteWins, codes::BARE_WORDS),
            ("7776FU\n%TORYO\n0-1\n", GameResult::BlackWins, codes::RESULT_WORDS_DIFFER),
        ] {
            let record = read(text.as_bytes(), 0).next().unwrap();
            assert_eq!(record.result, Some(result), "{text}");
            assert!(record.diagnostics.iter().any(|found| found.code == code), "{:?}", record.diagnostics);
        }
    }

    /// Other words after a percent sign are lines that the standard leaves to programs.
    #[test]
    fn other_words_end_nothing() {
        for text in ["1. e4\n%TORYOX\n1... e5 *\n", "1. e4\n%MATTA\n1... e5 *\n", "1. e4\n%eval\n1... e5 *\n"]
        {
            let record = read(text.as_bytes(), 0).next().unwrap();
            assert_eq!((record.main_moves().count(), record.ending()), (2, None), "{text}");
        }
    }
}
