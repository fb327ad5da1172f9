//! Positions of shogi as files of programs draw them, and their FEN.

use super::value::fen_rank;
use ferz_core::notation::ShogiPiece;

/// The letters of the kinds in FEN, with those that promote first; hands are written in the order of [`HELD`].
const HELD: [u8; 7] = *b"RBGSNLP";

/// A piece on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Man {
    /// Its letter in FEN, a capital.
    pub(super) letter: u8,
    pub(super) promoted: bool,
    /// True for a piece of Gote, who is Black.
    pub(super) black: bool,
}

/// A position: the board by rank and file from the upper left corner, and the hands.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) board: [[Option<Man>; 9]; 9],
    /// Sente's hand, Gote's hand.
    hands: [[u32; 7]; 2],
}

/// The first rank of Gote's pieces, from the ninth file to the first.
const BACK_RANK: [u8; 9] = *b"LNSGKGSNL";

impl Setup {
    /// No piece at all.
    pub(super) fn empty() -> Setup {
        Setup { board: [[None; 9]; 9], hands: [[0; 7]; 2] }
    }

    /// The array.
    pub(super) fn array() -> Setup {
        let mut setup = Setup::empty();
        for (file, letter) in BACK_RANK.into_iter().enumerate() {
            for (rank, pawns, black) in [(0, 2, true), (8, 6, false)] {
                setup.board[rank][file] = Some(Man { letter, promoted: false, black });
                setup.board[pawns][file] = Some(Man { letter: b'P', promoted: false, black });
            }
        }
        for (rank, bishop, rook, black) in [(1, 7, 1, true), (7, 1, 7, false)] {
            setup.board[rank][bishop] = Some(Man { letter: b'B', promoted: false, black });
            setup.board[rank][rook] = Some(Man { letter: b'R', promoted: false, black });
        }
        setup
    }

    /// Puts pieces in a hand; false if no hand holds their kind.
    pub(super) fn hold(&mut self, black: bool, letter: u8, count: u32) -> bool {
        let kind = HELD.iter().position(|held| *held == letter);
        if let Some(kind) = kind {
            let held = &mut self.hands[usize::from(black)][kind];
            *held = held.saturating_add(count).min(HELD_MAX);
        }
        kind.is_some()
    }

    /// Gives a player all pieces of the set that are neither on the board nor in a hand, kings apart.
    pub(super) fn hold_rest(&mut self, black: bool) {
        for (kind, letter) in HELD.into_iter().enumerate() {
            let whole = match letter {
                b'P' => 18,
                b'R' | b'B' => 2,
                _ => 4,
            };
            let on_board =
                self.board.iter().flatten().flatten().filter(|man| man.letter == letter).count() as u32;
            let used = on_board + self.hands[0][kind] + self.hands[1][kind];
            self.hold(black, letter, whole.max(used) - used);
        }
    }

    /// The position in FEN; `None` if it is the array with Sente to move.
    pub(super) fn fen(&self, black_begins: bool) -> Option<String> {
        let array = Setup::array();
        if !black_begins && self.board == array.board && self.hands == array.hands {
            return None;
        }
        let mut fen = String::new();
        for (rank, row) in self.board.iter().enumerate() {
            if rank > 0 {
                fen.push('/');
            }
            fen_rank(row, &mut fen, |man, fen| {
                fen.push_str(if man.promoted { "+" } else { "" });
                fen.push(cased(man.letter, man.black));
            });
        }
        fen.push('[');
        for (hand, black) in self.hands.iter().zip([false, true]) {
            for (letter, count) in HELD.into_iter().zip(hand) {
                fen.extend((0..*count).map(|_| cased(letter, black)));
            }
        }
        fen.push_str(if black_begins { "] b - - 0 1" } else { "] w - - 0 1" });
        Some(fen)
    }
}

/// More pieces of a kind are in no hand; a file may claim any number.
const HELD_MAX: u32 = 99;

fn cased(letter: u8, black: bool) -> char {
    char::from(if black { letter.to_ascii_lowercase() } else { letter })
}

/// The start of a handicap game, without the pieces that Gote does without; `None` for a name of no handicap.
pub(super) fn handicap(name: &str) -> Option<Setup> {
    let (_, without) = HANDICAPS.into_iter().find(|(known, _)| *known == name)?;
    let mut setup = Setup::array();
    for square in without.split_whitespace() {
        if let [file @ b'1'..=b'9', rank @ b'1'..=b'9'] = *square.as_bytes() {
            setup.board[usize::from(rank - b'1')][usize::from(b'9' - file)] = None;
        }
    }
    Some(setup)
}

/// The squares that are empty in handicap games, file first.
const HANDICAPS: [(&str, &str); 13] = [
    ("香落ち", "11"),
    ("右香落ち", "91"),
    ("角落ち", "22"),
    ("飛車落ち", "82"),
    ("飛香落ち", "82 11"),
    ("二枚落ち", "82 22"),
    ("三枚落ち", "82 22 11"),
    ("四枚落ち", "82 22 11 91"),
    ("五枚落ち", "82 22 11 91 81"),
    ("左五枚落ち", "82 22 11 91 21"),
    ("六枚落ち", "82 22 11 91 21 81"),
    ("八枚落ち", "82 22 11 91 21 81 31 71"),
    ("十枚落ち", "82 22 11 91 21 81 31 71 41 61"),
];

/// The piece that a character of a diagram or a hand names; `None` for any other.
fn piece(char: char) -> Option<(u8, bool)> {
    let usual = match char {
        '王' => '玉',
        '竜' => '龍',
        char => char,
    };
    ShogiPiece::named(usual.encode_utf8(&mut [0; 4]), |piece| &piece.drawn)
}

/// True for a rank of a drawn board: `| ・v桂 ・ ・ ・ ・ ・ 飛v香|一`.
pub(in crate::interchange) fn is_rank(line: &str) -> bool {
    line.starts_with('|')
        && line.rsplit_once('|').is_some_and(|(rank, end)| rank.len() > 9 && end.chars().count() < 2)
}

/// The pieces of a rank of a drawn board; `None` if it has not nine squares.
pub(super) fn rank(line: &str) -> Option<[Option<Man>; 9]> {
    let (squares, _) = line.strip_prefix('|')?.rsplit_once('|')?;
    let (mut row, mut at, mut black) = ([None; 9], 0, false);
    for char in squares.chars() {
        let man = match char {
            'v' | 'V' | '▽' | '△' => {
                black = true;
                continue;
            }
            '^' | ' ' | '\u{3000}' | '▲' | '☗' => continue,
            '・' | '.' | '·' | '･' => None,
            _ => piece(char).map(|(letter, promoted)| Man { letter, promoted, black }).map(Some)?,
        };
        *row.get_mut(at)? = man;
        (at, black) = (at + 1, false);
    }
    (at == 9).then_some(row)
}

/// The pieces of a hand, `飛　角二　歩十八`, with their counts; `None` if it names anything else.
pub(super) fn hand(text: &str) -> Option<Vec<(u8, u32)>> {
    if matches!(text, "なし" | "無し") {
        return Some(Vec::new());
    }
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        let mut chars = word.chars();
        let (letter, promoted) = piece(chars.next()?)?;
        let count = chars.as_str();
        let count = if count.is_empty() { 1 } else { number(count)? };
        if promoted || letter == b'K' {
            return None;
        }
        found.push((letter, count));
    }
    Some(found)
}

/// `二`, `十八`, `18`, `１８`; `None` for other words and for numbers above 99.
fn number(text: &str) -> Option<u32> {
    if let Some((tens, ones)) = text.split_once('十') {
        let tens = if tens.is_empty() { 1 } else { number(tens)? };
        let ones = if ones.is_empty() { 0 } else { number(ones)? };
        return (tens < 10 && ones < 10).then_some(10 * tens + ones);
    }
    let digits: Option<Vec<u32>> = text.chars().map(digit).collect();
    let digits = digits.filter(|digits| (1..3).contains(&digits.len()))?;
    Some(digits.into_iter().fold(0, |number, digit| 10 * number + digit))
}

/// The value of a digit: ASCII, of full width, or in Chinese characters.
pub(super) fn digit(char: char) -> Option<u32> {
    match char {
        '0'..='9' => char.to_digit(10),
        '０'..='９' => Some(u32::from(char) - u32::from('０')),
        _ => "一二三四五六七八九"
            .chars()
            .zip(1..)
            .find(|(numeral, _)| *numeral == char)
            .map(|(_, value)| value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicaps_leave_pieces_out() {
        let fen = |name| handicap(name).and_then(|setup| setup.fen(true)).unwrap_or_default();
        let pawns = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] b - - 0 1";
        for (name, back, second) in [
            ("香落ち", "lnsgkgsn1", "1r5b1"),
            ("右香落ち", "1nsgkgsnl", "1r5b1"),
            ("角落ち", "lnsgkgsnl", "1r7"),
            ("飛車落ち", "lnsgkgsnl", "7b1"),
            ("飛香落ち", "lnsgkgsn1", "7b1"),
            ("二枚落ち", "lnsgkgsnl", "9"),
            ("三枚落ち", "lnsgkgsn1", "9"),
            ("四枚落ち", "1nsgkgsn1", "9"),
            ("五枚落ち", "2sgkgsn1", "9"),
            ("左五枚落ち", "1nsgkgs2", "9"),
            ("六枚落ち", "2sgkgs2", "9"),
            ("八枚落ち", "3gkg3", "9"),
            ("十枚落ち", "4k4", "9"),
        ] {
            assert_eq!(fen(name), format!("{back}/{second}/{pawns}"), "{name}");
        }
        assert!(handicap("百枚落ち").is_none());
        assert_eq!(Setup::array().fen(false), None);
    }

    #[test]
    fn hands_are_counted() {
        assert_eq!(hand("飛　角二　歩十八"), Some(vec![(b'R', 1), (b'B', 2), (b'P', 18)]));
        assert_eq!(hand("金3 銀１　歩十"), Some(vec![(b'G', 3), (b'S', 1), (b'P', 10)]));
        assert_eq!(hand("なし"), Some(Vec::new()));
        for other in ["玉", "と二", "歩百", "飛車"] {
            assert_eq!(hand(other), None, "{other}");
        }
        let mut setup = Setup::array();
        setup.board[8][0] = None;
        setup.hold_rest(true);
        assert_eq!(setup.hands, [[0; 7], [0, 0, 0, 0, 0, 1, 0]]);
    }

    #[test]
    fn ranks_have_nine_squares() {
        let row = rank("| ・v桂 ・ ・ ・ ・ ・ 龍v香|一").unwrap();
        assert_eq!(row[1], Some(Man { letter: b'N', promoted: false, black: true }));
        assert_eq!(row[7], Some(Man { letter: b'R', promoted: true, black: false }));
        assert_eq!(rank("| ・v桂 ・|一"), None);
        assert_eq!(rank("| ・v桂 ・ ・ ・ ・ ・ 龍v香 ・|一"), None);
        assert!(
            is_rank("| ・v桂 ・ ・ ・ ・ ・ 龍v香|一")
                && !is_rank("| quoted")
                && !is_rank("| a | b | quoted")
        );
    }
}
