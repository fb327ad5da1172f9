//! Nonstandard spellings that players use, each as the tokens that it may stand for.
//!
//! Tried only if a token cannot be read or is no legal ply. The position decides which candidate is a legal ply.

use super::courier;
use super::slips::Slips;
use crate::board::Board;

/// The tokens that a token may stand for, each with its deviations. With `small_letters` a lower-case file letter at
/// the start may be a piece letter too.
pub fn respellings(board: Board, token: &str, small_letters: bool) -> Vec<(String, Slips)> {
    let (tidy, slips) = tidied(token);
    let (body, marks) = split_marks(&tidy);
    let mut found = Vec::new();
    if slips.any() {
        found.push((body.clone(), slips));
    }
    let mut odd = |forms: Vec<String>, slip: Slips| {
        found.extend(forms.into_iter().map(|form| (form, slips.and(slip))));
    };
    odd(without_letter(token), Slips::NONE);
    odd(promotion_by_slash(&body), Slips::PROMOTION);
    odd(other_case(board, &body, small_letters), Slips::CASE);
    odd(without_target(board, &body), Slips::TARGET);
    found.iter_mut().for_each(|(form, _)| form.push_str(&marks));
    found
}

/// Readings of a lower-case letter at the start as a piece letter: `bxc6` as `Bxc6`.
pub fn with_capital(token: &str) -> Option<String> {
    let first = token.chars().next().filter(char::is_ascii_lowercase)?;
    let pieces = token.chars().filter(char::is_ascii_lowercase).count() > 1;
    pieces.then(|| format!("{}{}", first.to_ascii_uppercase(), &token[1..]))
}

/// The token without typographic characters and trailing words.
fn tidied(token: &str) -> (String, Slips) {
    let mut slips = Slips::NONE;
    let mut text = String::with_capacity(token.len());
    for char in token.chars() {
        match char {
            '\u{200b}'..='\u{200f}'
            | '\u{2060}'
            | '\u{feff}'
            | '\u{ad}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => slips = slips.and(Slips::CHARACTERS),
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => {
                slips = slips.and(Slips::CHARACTERS);
                text.push('-');
            }
            char if char.is_whitespace() => slips = slips.and(Slips::CHARACTERS),
            // Only the sign is a capital, and no piece of this letter fits.
            'X' if !text.is_empty() && token.contains(|char: char| char.is_ascii_lowercase()) => {
                slips = slips.and(Slips::CAPTURE);
                text.push('x');
            }
            // The multiplication sign, and the Cyrillic letter that looks like an x.
            '\u{d7}' | '\u{2715}' | '\u{2716}' | '\u{445}' => {
                slips = slips.and(Slips::CAPTURE);
                text.push('x');
            }
            char => text.push(char),
        }
    }
    // `e5.` ends a sentence; `e.p.` does not.
    let ends_ply =
        |ply: &&str| ply.ends_with(|char: char| char.is_ascii_digit() || matches!(char, 'O' | '+' | '#'));
    let stop = text.strip_suffix('.').filter(ends_ply);
    if let Some(before) = text.strip_suffix(',').or(stop).map(str::len) {
        text.truncate(before);
        slips = slips.and(Slips::CHARACTERS);
    }
    while let Some((len, mark, slip)) = word_behind(&text) {
        text.truncate(text.len() - len);
        let marked = text.ends_with(['+', '#']);
        text.push_str(if marked { "" } else { mark });
        slips = slips.and(slip);
    }
    if let Some(before) =
        text.strip_suffix(':').filter(|before| before.ends_with(|c: char| c.is_ascii_digit()))
    {
        let target = before.trim_end_matches(|c: char| c.is_ascii_digit()).len().saturating_sub(1);
        if before.is_char_boundary(target) {
            text = format!("{}x{}", &before[..target], &before[target..]);
            slips = slips.and(Slips::CAPTURE);
        }
    }
    (text, slips)
}

/// A word at the end of a token: its length, the mark it stands for, and its deviation.
fn word_behind(text: &str) -> Option<(usize, &'static str, Slips)> {
    const WORDS: [(&str, &str, Slips); 15] = [
        ("e.p.", "", Slips::EN_PASSANT),
        ("e.p", "", Slips::EN_PASSANT),
        ("ep.", "", Slips::EN_PASSANT),
        ("ep", "", Slips::EN_PASSANT),
        ("dbl.ch.", "+", Slips::MARK),
        ("dbl.ch", "+", Slips::MARK),
        ("dblch", "+", Slips::MARK),
        ("dis.ch.", "+", Slips::MARK),
        ("dis.ch", "+", Slips::MARK),
        ("disch", "+", Slips::MARK),
        ("ch.", "+", Slips::MARK),
        ("ch", "+", Slips::MARK),
        ("mate", "#", Slips::MARK),
        ("matt", "#", Slips::MARK),
        ("mat", "#", Slips::MARK),
    ];
    let fits = |word: &&(&str, &str, Slips)| {
        let before = text.len().checked_sub(word.0.len()).filter(|&at| text.is_char_boundary(at));
        before.is_some_and(|at| {
            let behind_move = text[..at]
                .ends_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '#' | ')' | '/'))
                || text[..at].ends_with(|c: char| c.is_uppercase());
            behind_move && text[at..].eq_ignore_ascii_case(word.0)
        })
    };
    WORDS.iter().find(fits).map(|&(word, mark, slip)| {
        let slash = usize::from(text[..text.len() - word.len()].ends_with('/'));
        (word.len() + slash, mark, slip)
    })
}

/// Splits a token from the check and mate marks at its end.
fn split_marks(token: &str) -> (String, String) {
    let body = token.trim_end_matches(['+', '#', '\u{2020}', '\u{2021}']);
    (body.to_owned(), token[body.len()..].to_owned())
}

/// `N f6`: a knight's move, or a pawn's after the sign of a novelty.
fn without_letter(token: &str) -> Vec<String> {
    let rest = token.get(1..).unwrap_or_default().trim_start();
    if courier::is_torn(token.as_bytes()) {
        vec![rest.trim_end_matches(['+', '#']).to_owned()]
    } else {
        Vec::new()
    }
}

/// `e8/Q` is a promotion, since pawns do not gate.
fn promotion_by_slash(body: &str) -> Vec<String> {
    let Some((before, letter)) = body.rsplit_once('/') else { return Vec::new() };
    let pawn = before.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let piece = letter.chars().next().is_some_and(char::is_alphabetic) && letter.chars().count() <= 2;
    if pawn && piece { vec![format!("{before}={letter}")] } else { Vec::new() }
}

/// Wrong case: `nf3`, `E4`, `NF3`, `EXD8=Q`.
fn other_case(board: Board, body: &str, small_letters: bool) -> Vec<String> {
    let mut forms = Vec::new();
    let first = body.as_bytes().first().copied().unwrap_or_default();
    let file = first.wrapping_sub(b'a') < board.files();
    // A sign after or before the letter marks a drop or gate, so the letter cannot be a file.
    let sign = |byte: &u8| matches!(byte, b'@' | b'&' | b'/' | b'^' | b'*');
    let enters = body.as_bytes().get(1).is_some_and(sign);
    if first.is_ascii_lowercase() && (small_letters || !file || enters) {
        forms.extend(with_capital(body));
    }
    if let [by, letter, square @ ..] = body.as_bytes()
        && sign(by)
        && letter.is_ascii_lowercase()
        && board.read_square(square).is_some_and(|(_, rest)| rest.is_empty())
    {
        forms.push(format!("{}{}{}", &body[..1], letter.to_ascii_uppercase() as char, &body[2..]));
    }
    // The promotion piece keeps its capital.
    let digits = body.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
    let (move_part, promotion) = body.split_at(digits);
    let target = move_part.trim_end_matches(|c: char| c.is_ascii_digit());
    if target.len() < move_part.len() && target.ends_with(|c: char| c.is_ascii_uppercase()) {
        let small = move_part.to_ascii_lowercase();
        if move_part.starts_with(|c: char| c.is_ascii_uppercase()) && target.len() > 1 {
            forms.push(format!("{}{}{promotion}", &move_part[..1], &small[1..]));
        }
        forms.push(small + promotion);
    }
    forms
}

/// A pawn capture without a rank: `ed`, `exd`, `e:d=Q`. A capture that names the pieces but no square: `BxN`.
fn without_target(board: Board, body: &str) -> Vec<String> {
    let (front, promotion) = match body.split_once('=') {
        Some((front, letter)) => (front, format!("={letter}")),
        None => (body, String::new()),
    };
    let chars: Vec<char> = front.chars().collect();
    let file = |c: char| c.is_ascii_lowercase() && (c as u8 - b'a') < board.files();
    let ranks = (0..board.ranks()).map(|rank| board.rank_number(rank));
    let beside = |a: char, b: char| (a as u8).abs_diff(b as u8) == 1;
    match chars[..] {
        [from, to] | [from, 'x' | ':', to] if file(from) && file(to) && beside(from, to) => {
            ranks.map(|rank| format!("{from}x{to}{rank}{promotion}")).collect()
        }
        [from, to, piece] if file(from) && file(to) && beside(from, to) && piece.is_uppercase() => {
            ranks.map(|rank| format!("{from}x{to}{rank}={piece}")).collect()
        }
        [piece, 'x' | ':', captured] if captured.is_uppercase() && (piece.is_uppercase() || file(piece)) => {
            let named = |square| format!("{piece}x{captured}{}{promotion}", board.name(square));
            board.squares().map(named).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(token: &str) -> Vec<String> {
        let board = Board::new(8, 8).unwrap();
        respellings(board, token, false).into_iter().map(|(form, _)| form).collect()
    }

    #[test]
    fn what_a_token_may_stand_for() {
        for (token, form) in [
            ("nf3", "Nf3"),
            ("E4", "e4"),
            ("NF3+", "Nf3+"),
            ("EXD8=Q", "exd8=Q"),
            ("Qh5ch", "Qh5+"),
            ("Qxf7mate", "Qxf7#"),
            ("exd6e.p.", "exd6"),
            ("exd6/e.p.", "exd6"),
            ("e2\u{2013}e4", "e2-e4"),
            ("N\u{200b}f3", "Nf3"),
            ("Nf3,", "Nf3"),
            ("N\u{d7}f3", "Nxf3"),
            ("NXe5+", "Nxe5+"),
            ("eXd5", "exd5"),
            ("nXe5", "Nxe5"),
            ("ed5:", "exd5"),
            ("e8/Q", "e8=Q"),
            ("e8/q", "e8=q"),
            ("b@e4", "B@e4"),
            ("n@e4", "N@e4"),
            ("&me1", "&Me1"),
        ] {
            assert!(forms(token).contains(&form.to_owned()), "{token}: {:?}", forms(token));
        }
        assert_eq!(forms("ed").len(), 8);
        assert_eq!(forms("BxN").len(), 64);
    }

    #[test]
    fn a_plain_token_stands_for_itself_alone() {
        for token in
            ["Nf3", "e4", "bxc6", "b1c3m", "e7e8q", "Be3/C", "Sf3", "Dc3", "O-O", "5254", "e8=Q", "ch", "@e4"]
        {
            assert_eq!(forms(token), Vec::<String>::new(), "{token}");
        }
    }
}
