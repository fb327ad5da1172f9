//! Records of Janggi in Korean, as files `.gib` keep them: headers such as `[초대국자 "…"]`, then plies that are numbered
//! one by one, `1. 79卒78 2. 41兵42`.
//!
//! A set-up such as 마상상마 gives the pieces of the files b, c, g and h from Cho's left to his right, for Han too: in
//! published records the horses and elephants of Han leave the squares where this reading puts them, converters to FEN
//! write both without a change of order, and programs that store Han's set-up as Han sees it turn it round. Where the
//! plies of a record name other pieces on these squares, its set-up is as Han sees it.

use super::value::{date, into_comment, tag_changes};
use super::{lines, trimmed};
use crate::interchange::formats::Format;
use crate::interchange::layers::Change;
use crate::interchange::mail::lines::last_comment_end;
use crate::record::split;
use ferz_core::text::bytes::skip_blank;
use ferz_core::text::decode;
use std::ops::Range;

/// Headers that tags of the standard express.
const TAGS: [(&str, &str); 15] = [
    ("대회명", "Event"),
    ("회전", "Round"),
    ("라운드", "Round"),
    ("대국일자", "Date"),
    ("대국일", "Date"),
    ("대국장소", "Site"),
    ("장소", "Site"),
    ("초대국자", "White"),
    ("한대국자", "Black"),
    ("제한시간", "TimeControl"),
    ("총수", "PlyCount"),
    ("대국결과", "Result"),
    ("초차림", CHO),
    ("한차림", HAN),
    ("판", BOARD),
];

/// The set-ups of the players and a whole position: together they are the tag `FEN`.
const CHO: &str = "Cho";
const HAN: &str = "Han";
const BOARD: &str = "Board";

/// Other names of set-ups.
const OTHER_NAMES: [(&str, &str); 2] = [("초포진", CHO), ("한포진", HAN)];

/// What is not known.
const UNKNOWN: &str = "미상";

/// Bytes of a header in which its end is looked for.
const HEADER_BYTES_MAX: usize = 1000;

/// A tag pair of any language.
#[derive(Debug, Clone)]
struct Header {
    range: Range<usize>,
    name: Range<usize>,
    value: Range<usize>,
}

/// A game: its headers, and the lines below them.
#[derive(Debug, Default)]
struct Game {
    headers: Vec<Header>,
    /// The game has a tag `Variant`, a tag `FEN`.
    has_variant: bool,
    has_fen: bool,
    lines: Vec<Range<usize>>,
}

/// The row of Janggi in Korean, `.gib`.
pub(in crate::interchange) const FORMAT: Format = Format {
    // The first bytes of Hangul.
    brackets: b"\xea\xeb\xec\xed",
    is_foreign: |_| true,
    header: |text| if is_header(text) { split::Header::Below } else { split::Header::None },
    games: changes,
    ..Format::BARE
};

/// True for a line that begins with a header in Korean.
fn is_header(line: &[u8]) -> bool {
    matches!(line, [b'[', 0xea..=0xed, ..])
        && header(line, 0).is_some_and(|header| tag(&line[header.name]).is_some())
}

/// The tag or set-up for a name.
fn tag(name: &[u8]) -> Option<&'static str> {
    let known = |(word, tag): (&str, &'static str)| (word.as_bytes() == name).then_some(tag);
    TAGS.into_iter().chain(OTHER_NAMES).find_map(known)
}

/// The changes that make a record of each game in Korean.
fn changes(text: &[u8]) -> Vec<Change> {
    let games = games(text);
    games.iter().filter(|game| !game.headers.is_empty()).flat_map(|game| game_changes(text, game)).collect()
}

/// The games of a text: one begins with the first header below the moves of another.
fn games(text: &[u8]) -> Vec<Game> {
    let mut found = vec![Game::default()];
    let (mut comment_end, mut below_moves) = (0, false);
    for line in lines(text) {
        let first = skip_blank(&text[..line.end], line.start);
        if line.start < comment_end {
            if line.end > comment_end {
                let rest = comment_end + 1..line.end;
                comment_end = last_comment_end(text, rest.clone()).max(comment_end);
                below_moves |= !text[rest.clone()].trim_ascii().is_empty();
                if let Some(game) = found.last_mut() {
                    game.lines.push(rest);
                }
            }
            continue;
        }
        let is_tag = text.get(first) == Some(&b'[') && text.get(first + 1).is_some_and(|byte| *byte != b'%');
        if !is_tag {
            below_moves |= !matches!(text.get(first), None | Some(b'\n' | b'\r' | b'{'));
            comment_end = last_comment_end(text, line.clone()).max(comment_end);
            if let Some(game) = found.last_mut() {
                game.lines.push(line);
            }
            continue;
        }
        if below_moves {
            found.push(Game::default());
            below_moves = false;
        }
        let Some(game) = found.last_mut() else { continue };
        let mut at = first;
        while let Some(header) = header(&text[..line.end], at) {
            at = skip_blank(&text[..line.end], header.range.end);
            match &text[header.name.clone()] {
                b"Variant" => game.has_variant = true,
                b"FEN" => game.has_fen = true,
                [0xea..=0xed, ..] => game.headers.push(header),
                _ => {}
            }
        }
        let rest = at.min(line.end)..line.end;
        if !text[rest.clone()].trim_ascii().is_empty() {
            below_moves = true;
            comment_end = last_comment_end(text, rest.clone()).max(comment_end);
            game.lines.push(rest);
        }
    }
    found.retain(|game| game.headers.iter().any(|header| tag(&text[header.name.clone()]).is_some()));
    found
}

/// The tag pair at `at`.
fn header(text: &[u8], at: usize) -> Option<Header> {
    let rest = text.get(at..)?.strip_prefix(b"[")?;
    let line = &rest[..rest.len().min(HEADER_BYTES_MAX)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let name = line.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'"' | b']'))?;
    let quote = name + line[name..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = at + 1;
    let range = |from: usize, to: usize| start + from..start + to;
    if line.get(quote) == Some(&b'"') {
        let from = quote + 1;
        if let Some(end) = memchr::memmem::find(&line[from..], b"\"]") {
            let end = from + end;
            return Some(Header {
                range: at..start + end + 2,
                name: range(0, name),
                value: range(from, end),
            });
        }
    }
    let end = memchr::memchr(b']', &line[quote..])? + quote;
    let value = trimmed(text, range(quote, end));
    let value = if text.get(value.start) == Some(&b'"') { value.start + 1..value.end } else { value };
    Some(Header { range: at..start + end + 1, name: range(0, name), value })
}

/// Where the set-ups of a game are, and the position that they give.
struct Start {
    /// The index of the header that becomes the tag `FEN`, and of the one before it that becomes `SetUp`.
    fen: usize,
    set_up: Option<usize>,
    position: String,
    /// Text of a header that the position does not express.
    keeps: bool,
}

fn game_changes(text: &[u8], game: &Game) -> Vec<Change> {
    let start = start_of(text, game);
    let mut changes = Vec::new();
    let mut result = "*";
    if !game.has_variant
        && let Some(first) = game.headers.first()
    {
        let at = first.range.start;
        changes.push(Change::new(at, at, "[Variant \"janggi\"]\n"));
    }
    for (index, header) in game.headers.iter().enumerate() {
        let value = decode(&text[header.value.clone()]).into_owned();
        if let Some(Start { fen, set_up, position, keeps }) = &start {
            if *set_up == Some(index) {
                changes.push(Change::new(header.range.start, header.range.end, "[SetUp \"1\"]"));
                continue;
            }
            if *fen == index {
                let front = if set_up.is_none() { "[SetUp \"1\"]\n" } else { "" };
                let tag = format!("{front}[FEN \"{position}\"]{}", if *keeps { "\n" } else { "" });
                if *keeps {
                    changes.push(Change::new(header.range.start, header.range.start, tag));
                    changes.extend(into_comment(text, header.range.clone()));
                } else {
                    changes.push(Change::new(header.range.start, header.range.end, tag));
                }
                continue;
            }
        }
        match tag(&text[header.name.clone()]) {
            Some("Result") => {
                let (found, ending, is_whole) = ending(&value);
                result = found;
                let tags = match ending {
                    "" => format!("[Result \"{found}\"]"),
                    ending => format!("[Result \"{found}\"]\n[Termination \"{ending}\"]"),
                };
                if is_whole {
                    changes.push(Change::new(header.range.start, header.range.end, tags));
                } else {
                    changes.push(Change::new(header.range.start, header.range.start, format!("{tags}\n")));
                    changes.extend(into_comment(text, header.range.clone()));
                }
            }
            Some(name) if !matches!(name, CHO | HAN | BOARD) => match standard(name, &value) {
                Some(standard) => {
                    let (line, place) = (header.range.clone(), header.value.clone());
                    let front = format!("[{name} \"");
                    changes.extend(tag_changes(text, line, front, (place, &value), &standard));
                }
                None => changes.extend(into_comment(text, header.range.clone())),
            },
            _ => changes.extend(into_comment(text, header.range.clone())),
        }
    }
    changes.extend(body_changes(text, game, result));
    changes
}

/// The value of a tag in the form of the standard; `None` if the tag cannot express it.
fn standard(tag: &str, value: &str) -> Option<String> {
    let value = value.trim();
    let is_unknown = value == UNKNOWN || value == "-" || value.is_empty();
    let number = || value.chars().all(|char| char.is_ascii_digit());
    match tag {
        "Date" if is_unknown => Some("????.??.??".to_owned()),
        _ if is_unknown => Some("?".to_owned()),
        "Date" => Some(date(value)),
        "TimeControl" => seconds(value).map(|seconds| seconds.to_string()),
        "PlyCount" => number().then(|| value.to_owned()),
        _ => Some(value.to_owned()),
    }
}

/// The seconds of `10분` and `1시간`, without anything else.
fn seconds(value: &str) -> Option<u32> {
    let (number, factor) = match (value.strip_suffix("시간"), value.strip_suffix('분')) {
        (Some(hours), _) => (hours, 3600),
        (None, Some(minutes)) => (minutes, 60),
        (None, None) => return None,
    };
    number.trim().parse::<u32>().ok()?.checked_mul(factor)
}

/// The result that a text states, the value of the tag `Termination`, and whether both say all of it.
fn ending(value: &str) -> (&'static str, &'static str, bool) {
    let value = value.trim();
    if value.is_empty() || value == UNKNOWN {
        return ("*", "", true);
    }
    if ["무", "비김", "비겼", "빅"].iter().any(|word| value.starts_with(word)) {
        let is_whole = matches!(value, "무" | "무승부" | "비김");
        return ("1/2-1/2", "normal", is_whole);
    }
    let mut chars = value.chars();
    let (result, loser) = match chars.next() {
        Some('초' | '楚') => ("1-0", "Black"),
        Some('한' | '漢') => ("0-1", "White"),
        _ => return ("*", "", false),
    };
    match chars.as_str().trim() {
        "승" | "완승" | "외통승" => (result, "normal", true),
        "시간승" => (result, "time forfeit", true),
        "반칙승" => (result, "rules infraction", true),
        "기권승" | "불계승" if loser == "Black" => (result, "Black resigns", true),
        "기권승" | "불계승" => (result, "White resigns", true),
        "점수승" => (result, "normal", false),
        "판정승" => (result, "adjudication", false),
        rest if rest.contains('승') => (result, "", false),
        _ => ("*", "", false),
    }
}

/// The start position, if the headers give one.
fn start_of(text: &[u8], game: &Game) -> Option<Start> {
    if game.has_fen {
        return None;
    }
    let find =
        |wanted: &str| game.headers.iter().position(|header| tag(&text[header.name.clone()]) == Some(wanted));
    let value = |index: usize| decode(&text[game.headers[index].value.clone()]).into_owned();
    if let Some(index) = find(BOARD) {
        let (board, keeps) = whole_board(&value(index))?;
        let turn = if first_player_is_han(text, game, &board) { 'b' } else { 'w' };
        return Some(Start { fen: index, set_up: None, position: format!("{board} {turn} - - 0 1"), keeps });
    }
    let (cho, han) = (find(CHO)?, find(HAN)?);
    let (chos, hans) = (wings(&value(cho))?, wings(&value(han))?);
    let seen = pieces_seen(text, game);
    let fits = |wings: &[char; 4]| {
        let agrees = |(piece, seen): (&char, &Option<char>)| seen.is_none_or(|seen| seen == *piece);
        wings.iter().zip(&seen).all(agrees)
    };
    let mut turned = hans;
    turned.reverse();
    let is_turned = !fits(&hans) && fits(&turned);
    let row = |wings: [char; 4]| {
        let [b, c, g, h] = wings;
        format!("R{b}{c}A1A{g}{h}R")
    };
    let black = row(if is_turned { turned } else { hans }).to_ascii_lowercase();
    let middle = "4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4";
    let position = format!("{black}/{middle}/{} w - - 0 1", row(chos));
    Some(Start { fen: han, set_up: Some(cho), position, keeps: is_turned })
}

/// The horses and elephants of a set-up, from left to right.
fn wings(value: &str) -> Option<[char; 4]> {
    let piece = |char: char| match char {
        '마' | '馬' => Some('N'),
        '상' | '象' => Some('B'),
        _ => None,
    };
    let wings: Vec<char> = value.trim().chars().map(piece).collect::<Option<_>>()?;
    let wings: [char; 4] = wings.try_into().ok()?;
    (wings.iter().filter(|piece| **piece == 'N').count() == 2).then_some(wings)
}

/// A position as `[판 "…"]` gives it: ranks from Han's side with pieces in Hangul for Cho, Chinese for Han, and digits
/// for vacant squares. True if text follows it.
fn whole_board(value: &str) -> Option<(String, bool)> {
    let (board, rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    let piece = |char: char| {
        Some(match char {
            '1'..='9' => char,
            '차' => 'R',
            '마' => 'N',
            '상' => 'B',
            '사' => 'A',
            '장' => 'K',
            '포' => 'C',
            '졸' => 'P',
            '車' => 'r',
            '馬' => 'n',
            '象' => 'b',
            '士' => 'a',
            '將' => 'k',
            '包' => 'c',
            '兵' => 'p',
            '/' => '/',
            _ => return None,
        })
    };
    let board: String = board.chars().map(piece).collect::<Option<_>>()?;
    (board.matches('/').count() == 9).then_some((board, !rest.is_empty()))
}

/// True if the piece that the first ply moves is one of Han's.
fn first_player_is_han(text: &[u8], game: &Game, board: &str) -> bool {
    let Some(first) = plies(text, game).next() else { return false };
    let [rank, file] = first.from;
    let ranks = board.split('/').nth(usize::from((rank + 9) % 10)).unwrap_or("");
    let mut squares = ranks.chars().flat_map(|char| match char.to_digit(10) {
        Some(count) => vec!['1'; count as usize],
        None => vec![char],
    });
    squares.nth(usize::from(file.saturating_sub(1))).is_some_and(|piece| piece.is_ascii_lowercase())
}

/// The pieces that leave Han's squares of horses and elephants first, as the plies name them.
fn pieces_seen(text: &[u8], game: &Game) -> [Option<char>; 4] {
    let (mut seen, mut touched) = ([None; 4], [false; 4]);
    let place = |square: [u8; 2]| [[1, 2], [1, 3], [1, 7], [1, 8]].iter().position(|place| *place == square);
    for ply in plies(text, game).take(PLIES_SEEN_MAX) {
        if let Some(index) = place(ply.from)
            && !touched[index]
        {
            seen[index] = match ply.piece {
                '마' | '馬' | '马' => Some('N'),
                '상' | '象' => Some('B'),
                _ => None,
            };
        }
        for square in [ply.from, ply.to] {
            if let Some(index) = place(square) {
                touched[index] = true;
            }
        }
    }
    seen
}

/// Plies in which the pieces of a set-up are looked for.
const PLIES_SEEN_MAX: usize = 200;

/// A ply as written: its squares, rank first, and its piece.
struct Ply {
    from: [u8; 2],
    piece: char,
    to: [u8; 2],
}

/// The plies of a game outside comments.
fn plies<'t>(text: &'t [u8], game: &'t Game) -> impl Iterator<Item = Ply> {
    words(text, game).filter_map(|word| ply(&decode(&text[word])))
}

/// The words of a game outside comments.
fn words<'t>(text: &'t [u8], game: &'t Game) -> impl Iterator<Item = Range<usize>> {
    game.lines.iter().flat_map(move |line| {
        let mut at = line.start;
        std::iter::from_fn(move || {
            while at < line.end && (text[at].is_ascii_whitespace() || text[at] == b'}') {
                at += 1;
            }
            while at < line.end && text[at] == b'{' {
                at = memchr::memchr(b'}', &text[at..line.end]).map_or(line.end, |end| at + end + 1);
                while at < line.end && text[at].is_ascii_whitespace() {
                    at += 1;
                }
            }
            let start = at;
            let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'{';
            at += text[at..line.end].iter().position(ends).unwrap_or(line.end - at);
            (start < at).then_some(start..at)
        })
    })
}

/// The ply of a word such as `79卒78`, `1.79楚卒78`.
fn ply(word: &str) -> Option<Ply> {
    let word = match word.split_once('.') {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => word,
    };
    let square = |text: &str| {
        let digits: Vec<u8> =
            text.bytes().take(2).filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
        <[u8; 2]>::try_from(digits).ok()
    };
    let from = square(word)?;
    let rest = &word[2..];
    let digit = rest.find(|char: char| char.is_ascii_digit())?;
    let piece = rest[..digit].chars().next_back()?;
    Some(Ply { from, piece, to: square(&rest[digit..])? })
}

/// The changes below the headers: marks such as `<0>` become comments, and the result follows the last ply.
fn body_changes(text: &[u8], game: &Game, result: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut last = None;
    let mut states_result = false;
    for word in words(text, game) {
        match &text[word.clone()] {
            [b'<', mark @ .., b'>']
                if mark.iter().all(|byte| byte.is_ascii_digit() || b".:".contains(byte)) =>
            {
                changes.push(Change::new(word.start, word.start, "{"));
                changes.push(Change::new(word.end, word.end, "}"));
                last = Some(word.end);
            }
            token => {
                states_result |= matches!(token, b"1-0" | b"0-1" | b"1/2-1/2" | b"*");
                let shown = decode(token);
                let is_ply =
                    ply(&shown).is_some() || shown.ends_with(ferz_core::notation::marks::KOREAN_PASS);
                if is_ply || matches!(&*shown, "장군" | "멍군") {
                    last = Some(word.end);
                }
            }
        }
    }
    if let Some(last) = last.filter(|_| !states_result) {
        let line = game.lines.iter().rfind(|line| line.contains(&(last - 1))).cloned().unwrap_or(last..last);
        // What follows on the line may be a comment of the last ply.
        let end = trimmed(text, line.start..line.end).end;
        let is_last = !text[last..end].contains(&b'{');
        let at = if is_last { last } else { end };
        if is_last || text[last..end].contains(&b'}') {
            changes.push(Change::new(at, at, format!(" {result}")));
        }
    }
    changes
}
