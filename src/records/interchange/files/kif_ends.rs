//! How games end in KIF and KI2.

use crate::record::GameResult;

/// The words at the end of a game and those that a record has for them. Those without a percent sign depend on whose
/// turn it is.
const ENDS: [(&str, &str); 22] = [
    ("投了", "%TORYO"),
    ("中断", "%CHUDAN"),
    ("封じ手", "%CHUDAN"),
    ("千日手", "%SENNICHITE"),
    ("先日手", "%SENNICHITE"),
    ("持将棋", "%JISHOGI"),
    ("詰み", "%TSUMI"),
    ("詰", "%TSUMI"),
    ("不詰", "%FUZUMI"),
    ("切れ負け", "%TIME_UP"),
    ("時間切れ", "%TIME_UP"),
    ("反則負け", "%ILLEGAL_MOVE"),
    ("反則勝ち", "反則勝ち"),
    ("入玉勝ち", "%KACHI"),
    ("入玉宣言", "%KACHI"),
    ("入玉宣言勝ち", "%KACHI"),
    ("宣言勝ち", "%KACHI"),
    ("引き分け", "%HIKIWAKE"),
    ("引分", "%HIKIWAKE"),
    ("不戦勝", "不戦勝"),
    ("不戦敗", "不戦敗"),
    ("エラー", "%ERROR"),
];

/// The word of a record for the end that a text begins with, and the bytes of the end.
pub(super) fn end_word(words: &str) -> Option<(&'static str, usize)> {
    let ends = |char: char| char.is_whitespace() || char == '(';
    let len = words.find(ends).unwrap_or(words.len());
    ENDS.into_iter().find(|(end, _)| *end == &words[..len]).map(|(_, word)| (word, len))
}

/// The words of KIF for an end in CSA's, where Sente is on move or Gote.
pub(crate) fn kif_end(word: &str, sente_moves: bool) -> &'static str {
    match word {
        "%+ILLEGAL_ACTION" => return if sente_moves { "反則負け" } else { "反則勝ち" },
        "%-ILLEGAL_ACTION" => return if sente_moves { "反則勝ち" } else { "反則負け" },
        _ => {}
    }
    ENDS.into_iter().find(|(_, known)| *known == word).map_or("中断", |(end, _)| end)
}

/// What a text after `まで20手で` says: the result, the word of a record for the reason, and whether it says no more.
/// `None` if it says nothing about the end.
pub(super) fn outcome(words: &str) -> Option<(Option<GameResult>, Option<&'static str>, bool)> {
    let words = words.trim_end_matches(['。', ' ', '\u{3000}']);
    let last = |names: [&str; 2]| names.iter().filter_map(|name| words.rfind(name)).max();
    let (white, black) = (last(["先手", "下手"]), last(["後手", "上手"]));
    let wins = words.ends_with("勝ち") || words.ends_with('勝');
    let loses = words.ends_with("負け") || words.ends_with('負') || words.ends_with('敗');
    // The player whom the words name last is the one who wins or loses.
    let winner = (white.or(black).is_some() && wins != loses).then(|| (white > black) == wins);
    let reason = match winner {
        Some(white_wins) if words.contains("反則") => {
            Some(if white_wins { "%-ILLEGAL_ACTION" } else { "%+ILLEGAL_ACTION" })
        }
        Some(white_wins) if words.contains("不戦") => {
            Some(if white_wins { "White wins by forfeit" } else { "Black wins by forfeit" })
        }
        _ => REASONS.into_iter().find(|(words_for, ..)| words.contains(words_for)).map(|(_, word, _)| word),
    };
    let implied = || {
        let (.., result) = REASONS.into_iter().find(|(_, word, _)| Some(*word) == reason)?;
        result
    };
    let won = winner.map(|white| if white { GameResult::WhiteWins } else { GameResult::BlackWins });
    let result = won.or_else(implied);
    let mut rest = words.to_owned();
    for known in KNOWN {
        rest = rest.replace(known, "");
    }
    // A win by repetition is no draw; its reason stays in words.
    let reason = reason.filter(|_| won.is_none() || !matches!(implied(), Some(GameResult::Draw)));
    let is_whole = rest.trim().is_empty() && !(won.is_some() && words.contains("千日手"));
    (result.is_some() || reason.is_some()).then_some((result, reason, is_whole))
}

/// Words about the end, the word of a record for each, and the result if it does not depend on the players.
const REASONS: [(&str, &str, Option<GameResult>); 13] = [
    ("千日手", "%SENNICHITE", Some(GameResult::Draw)),
    ("持将棋", "%JISHOGI", Some(GameResult::Draw)),
    ("引き分け", "%HIKIWAKE", Some(GameResult::Draw)),
    ("引分", "%HIKIWAKE", Some(GameResult::Draw)),
    ("中断", "%CHUDAN", Some(GameResult::Unknown)),
    ("封じ手", "%CHUDAN", Some(GameResult::Unknown)),
    ("時間切れ", "%TIME_UP", None),
    ("切れ負け", "%TIME_UP", None),
    ("入玉", "%KACHI", None),
    ("宣言", "%KACHI", None),
    ("不詰", "%FUZUMI", Some(GameResult::Unknown)),
    ("詰", "%TSUMI", None),
    ("投了", "%TORYO", None),
];

/// Words of which sentences about the end consist, longer ones before their parts.
const KNOWN: [&str; 26] = [
    "により",
    "時間切れ",
    "切れ",
    "反則",
    "入玉",
    "宣言",
    "千日手",
    "持将棋",
    "引き分け",
    "引分",
    "中断",
    "不詰",
    "詰み",
    "詰",
    "投了",
    "不戦",
    "先手",
    "後手",
    "下手",
    "上手",
    "勝ち",
    "負け",
    "勝",
    "負",
    "敗",
    "の",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read() {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        for (words, found) in [
            ("後手の勝ち", Some((Some(BlackWins), None, true))),
            ("下手の勝ち", Some((Some(WhiteWins), None, true))),
            ("先手の反則負け", Some((Some(BlackWins), Some("%+ILLEGAL_ACTION"), true))),
            ("先手の反則勝ち", Some((Some(WhiteWins), Some("%-ILLEGAL_ACTION"), true))),
            ("先手の反則により後手の勝ち", Some((Some(BlackWins), Some("%+ILLEGAL_ACTION"), true))),
            ("時間切れにより先手の勝ち", Some((Some(WhiteWins), Some("%TIME_UP"), true))),
            ("先手の入玉勝ち", Some((Some(WhiteWins), Some("%KACHI"), true))),
            ("入玉宣言", Some((None, Some("%KACHI"), true))),
            ("先手の不戦勝", Some((Some(WhiteWins), Some("White wins by forfeit"), true))),
            ("千日手", Some((Some(Draw), Some("%SENNICHITE"), true))),
            ("持将棋", Some((Some(Draw), Some("%JISHOGI"), true))),
            ("中断", Some((Some(Unknown), Some("%CHUDAN"), true))),
            ("詰み", Some((None, Some("%TSUMI"), true))),
            ("不詰", Some((Some(Unknown), Some("%FUZUMI"), true))),
            ("連続王手の千日手により先手の勝ち", Some((Some(WhiteWins), None, false))),
            ("上手投了により下手の勝ち", Some((Some(WhiteWins), Some("%TORYO"), true))),
            ("駒を落として後手の勝ち", Some((Some(BlackWins), None, false))),
            ("それまで", None),
        ] {
            assert_eq!(outcome(words), found, "{words}");
        }
    }

    #[test]
    fn ends_are_whole_words() {
        assert_eq!(end_word("投了   ( 0:00/00:00:00)"), Some(("%TORYO", 6)));
        assert_eq!(end_word("投了図"), None);
    }
}
