//! DhtmlXQ, the format of dpxq.com for Xiangqi: `[DhtmlXQ_red]…[/DhtmlXQ_red]`, the moves as four digits each.
//!
//! Files count from 0 at Red's left, ranks from 0 at Black's side: `7747` is `h3e3`. `DhtmlXQ_move_0_3_2` is branch 2,
//! and replaces ply 3 of branch 0, the main line; `DhtmlXQ_comment2_4` is the comment after ply 4 of branch 2. Plies
//! count from the start of the game in every branch (the viewer of dpxq.com, `wxf-xiangqi.org/DhtmlXQ`).

use super::sheet::Sheet;
use super::trimmed;
use super::value::{chinese_result, date, escaped, fen_rank, for_comment};
use crate::interchange::formats::Format;
use crate::interchange::layers::Change;
use crate::record::split::Header;
use ferz_core::text::Span;
use ferz_core::text::decode;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// What every element begins with.
const OPENING: &[u8] = b"[DhtmlXQ";

/// What a game begins with; some programs leave it out.
pub(super) const WRAPPER: &[u8] = b"[DhtmlXQ]";

const WRAPPER_END: &[u8] = b"[/DhtmlXQ]";

/// The pieces in the order of `DhtmlXQ_binit`.
const PIECES: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

const ARRAY: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

/// Fields that are tags of the standard.
const TAGS: [(&str, &str); 12] = [
    ("event", "Event"),
    ("place", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("red", "White"),
    ("black", "Black"),
    ("result", "Result"),
    ("redteam", "WhiteTeam"),
    ("blackteam", "BlackTeam"),
    ("redrating", "WhiteElo"),
    ("blackrating", "BlackElo"),
    ("author", "Annotator"),
];

/// An element: its name without `DhtmlXQ_`, and the place of its value.
#[derive(Debug)]
struct Element {
    name: String,
    value: Range<usize>,
}

/// A game: its place, its elements, and other text between them.
#[derive(Debug, Default)]
struct Game {
    range: Range<usize>,
    elements: Vec<Element>,
    strays: Vec<Range<usize>>,
}

impl Game {
    fn has_moves(&self) -> bool {
        let is_line = |name: &str| matches!(name, "movelist" | "binit") || name.starts_with("move_");
        self.elements.iter().any(|element| is_line(&element.name))
    }
}

/// The row of DhtmlXQ.
pub(in crate::interchange) const FORMAT: Format = Format {
    brackets: b"D",
    is_foreign: |line| line.starts_with(OPENING),
    header,
    cuts: |text| starts(text).skip(1).collect(),
    games: changes,
    ..Format::BARE
};

/// A mark around a game begins one wherever it stands; other headers do not show where a game begins.
fn header(text: &[u8]) -> Header {
    match text.starts_with(OPENING) {
        true if text.starts_with(WRAPPER) => Header::Anywhere,
        true => Header::Within,
        false => Header::None,
    }
}

/// The changes that make a record of each game in DhtmlXQ.
fn changes(text: &[u8]) -> Vec<Change> {
    if memchr::memmem::find(text, OPENING).is_none() {
        return Vec::new();
    }
    let games = games(text).into_iter().filter(Game::has_moves);
    games.flat_map(|game| Writer::new(text, &game).write()).collect()
}

/// The starts of the games of a text that begin a line.
fn starts(text: &[u8]) -> impl Iterator<Item = usize> {
    let games = games(text).into_iter().filter(Game::has_moves).map(|game| game.range.start);
    games.filter(|start| begins_line(text, *start))
}

fn begins_line(text: &[u8], at: usize) -> bool {
    at == 0 || text[at - 1] == b'\n'
}

/// The games of a text.
fn games(text: &[u8]) -> Vec<Game> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr::memmem::find(&text[at..], OPENING).map(|start| at + start) {
        let game = game(text, start);
        at = game.range.end;
        found.push(game);
    }
    found
}

/// The game that begins at `start`: up to its end mark, or else to the next game or other text.
fn game(text: &[u8], start: usize) -> Game {
    let is_wrapped = text[start..].starts_with(WRAPPER);
    let mut game = Game::default();
    let mut at = start + if is_wrapped { WRAPPER.len() } else { 0 };
    let mut end = at;
    loop {
        let next = memchr::memchr(b'[', &text[at..]).map_or(text.len(), |next| at + next);
        let stray = trimmed(text, at..next);
        let rest = &text[next..];
        let ends = rest.is_empty() || rest.starts_with(WRAPPER) || !stray.is_empty() && !is_wrapped;
        if is_wrapped && !stray.is_empty() {
            game.strays.push(stray.clone());
            end = stray.end;
        }
        if ends {
            break;
        }
        if rest.starts_with(WRAPPER_END) {
            end = next + WRAPPER_END.len();
            break;
        }
        match element(text, next) {
            Some((element, after)) => {
                let again = |name: &str| game.elements.iter().any(|element| element.name == name);
                // Without marks around the games, the next one begins a line with a field that the last one has.
                let is_first = matches!(&*element.name, "ver" | "title" | "binit" | "movelist");
                if !is_wrapped && is_first && begins_line(text, next) && again(&element.name) {
                    break;
                }
                game.elements.push(element);
                (at, end) = (after, after);
            }
            None if is_wrapped => {
                at = memchr::memchr(b'[', &text[next + 1..]).map_or(text.len(), |bracket| next + 1 + bracket);
                let stray = trimmed(text, next..at);
                end = stray.end;
                game.strays.push(stray);
            }
            None => break,
        }
    }
    game.range = start..end.max(start + 1);
    game
}

/// The element at `start`, and the place after it.
fn element(text: &[u8], start: usize) -> Option<(Element, usize)> {
    let rest = text[start..].strip_prefix(b"[DhtmlXQ_")?;
    let name = rest.iter().take(NAME_BYTES_MAX).position(|byte| *byte == b']')?;
    let is_name = rest[..name].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if name == 0 || !is_name {
        return None;
    }
    let name_text = decode(&rest[..name]).to_ascii_lowercase();
    let from = text.len() - rest.len() + name + 1;
    // A value ends at any end mark: some programs write the wrong name there.
    let mark = memchr::memmem::find(&text[from..], b"DhtmlXQ").map_or(text.len(), |mark| from + mark);
    let before = &text[from..mark];
    if before.ends_with(b"[/")
        && let Some(close) = memchr::memchr(b']', &text[mark..text.len().min(mark + NAME_BYTES_MAX)])
    {
        return Some((Element { name: name_text, value: from..mark - 2 }, mark + close + 1));
    }
    // It is not closed: its line ends it.
    let line = memchr::memchr(b'\n', before).unwrap_or(before.len());
    let end = if before.len() == line && before.ends_with(b"[") { line - 1 } else { line };
    Some((Element { name: name_text, value: from..from + end }, from + end))
}

/// Bytes of the longest name of an element.
const NAME_BYTES_MAX: usize = 64;

/// Makes a record of a game.
struct Writer<'t> {
    text: &'t [u8],
    game: &'t Game,
    sheet: Sheet,
    /// Branches by the branch and ply that they replace.
    branches: HashMap<(u32, u32), Vec<usize>>,
    /// Comments by branch and ply.
    comments: BTreeMap<(u32, u32), Vec<usize>>,
    /// Branches without numbers and further main lines.
    odd: Vec<usize>,
    /// The index of the element with the main line.
    main: Option<usize>,
    black_begins: bool,
}

/// A branch that is being written.
struct Branch {
    id: u32,
    /// The ply that comes next, from 1.
    ply: u32,
    moves: Range<usize>,
    /// Branches that replace the last ply, the next one last.
    waiting: Vec<usize>,
    /// The ply before the branch is another branch's, so the next one needs its number.
    numbered: bool,
}

impl<'t> Writer<'t> {
    fn new(text: &'t [u8], game: &'t Game) -> Writer<'t> {
        let (mut branches, mut comments) = (HashMap::new(), BTreeMap::new());
        let (mut odd, mut main) = (Vec::new(), None);
        for (index, element) in game.elements.iter().enumerate() {
            let numbers = |prefix: &str| -> Option<Vec<u32>> {
                let rest = element.name.strip_prefix(prefix)?;
                rest.split('_').map(|number| number.parse().ok()).collect()
            };
            if element.name == "movelist" || element.name == "move_0_1_0" {
                match main {
                    None => main = Some(index),
                    Some(_) => odd.push(index),
                }
            } else if let Some([parent, ply, _]) = numbers("move_").as_deref() {
                branches.entry((*parent, *ply)).or_insert_with(Vec::new).push(index);
            } else if element.name.starts_with("move_") {
                odd.push(index);
            } else if let Some(numbers) = numbers("comment") {
                match numbers[..] {
                    [ply] => comments.entry((0, ply)).or_insert_with(Vec::new).push(index),
                    [branch, ply] => comments.entry((branch, ply)).or_insert_with(Vec::new).push(index),
                    _ => {}
                }
            }
        }
        Writer { text, game, sheet: Sheet::default(), branches, comments, odd, main, black_begins: false }
    }

    fn write(mut self) -> Vec<Change> {
        let start = self.game.range.start;
        let front = if begins_line(self.text, start) { "" } else { "\n" };
        self.add(&format!("{front}[Variant \"xiangqi\"]\n"), start..start);
        let result = self.tags();
        self.add("\n", start..start);
        for stray in &self.game.strays {
            self.comment(stray.clone());
        }
        self.comments_after(0, 0);
        if let Some(main) = self.main {
            self.moves(self.game.elements[main].value.clone());
        }
        self.add_the_rest();
        let end = self.game.range.end;
        let back = if self.text.get(end) == Some(&b'\n') { "" } else { "\n" };
        self.add(&format!("{result}\n{back}"), end..end);
        let Range { start, end } = self.game.range;
        self.sheet.changes(self.text, Span::new(start, end))
    }

    fn add(&mut self, text: &str, from: Range<usize>) {
        self.sheet.write(text.to_owned(), Span::new(from.start, from.end));
    }

    fn value(&self, index: usize) -> String {
        decode(&self.text[self.game.elements[index].value.clone()]).into_owned()
    }

    /// Writes the tags and returns the result.
    fn tags(&mut self) -> &'static str {
        let mut result = "*";
        let [no_event, no_red, no_black] = ["event", "red", "black"].map(|name| self.is_empty(name));
        for (index, element) in self.game.elements.iter().enumerate() {
            let value = self.value(index);
            let (name, range) = (element.name.as_str(), trimmed(self.text, element.value.clone()));
            let value = value.trim();
            let is_moves = name == "movelist" || name.starts_with("move_");
            if value.is_empty() || self.main == Some(index) || is_moves || self.is_comment(index) {
                continue;
            }
            let tag = match TAGS.iter().find(|(field, _)| *field == name) {
                _ if name == "title" && no_event => "Event",
                _ if name == "redname" && no_red => "White",
                _ if name == "blackname" && no_black => "Black",
                Some((_, tag)) => tag,
                None => name,
            };
            let digits = value.bytes().all(|byte| byte.is_ascii_digit());
            match tag {
                "Result" => match chinese_result(value) {
                    Some(known) => {
                        result = known;
                        self.tag("Result", known, range);
                    }
                    None => self.own_tag(name, value, range),
                },
                "Date" => self.tag("Date", &date(value), range),
                "WhiteElo" | "BlackElo" if !digits => self.own_tag(name, value, range),
                "length" if digits => self.tag("PlyCount", value, range),
                "binit" => match self.start(value) {
                    Some(fen) if fen.starts_with(ARRAY) && !self.black_begins => {}
                    Some(fen) => {
                        self.tag("SetUp", "1", range.start..range.start);
                        self.tag("FEN", &fen, range);
                    }
                    None => self.own_tag(name, value, range),
                },
                tag if tag == name => self.own_tag(name, value, range),
                tag => self.tag(tag, value, range),
            }
        }
        result
    }

    /// A tag of the format's own, for a field that the standard has none for.
    fn own_tag(&mut self, name: &str, value: &str, from: Range<usize>) {
        self.tag(&format!("DhtmlXQ_{name}"), value, from);
    }

    fn tag(&mut self, name: &str, value: &str, from: Range<usize>) {
        self.add(&format!("[{name} \""), from.start..from.start);
        self.add(&escaped(&value.replace(['\r', '\n', '\t'], " ")), from.clone());
        self.add("\"]\n", from.end..from.end);
    }

    fn is_comment(&self, index: usize) -> bool {
        let rest = self.game.elements[index].name.strip_prefix("comment");
        let is_number = |part: &str| part.parse::<u32>().is_ok();
        rest.is_some_and(|rest| rest.split('_').count() <= 2 && rest.split('_').all(is_number))
    }

    fn is_empty(&self, name: &str) -> bool {
        let named = |element: &&Element| element.name == name;
        let value = |element: &Element| !self.text[element.value.clone()].trim_ascii().is_empty();
        !self.game.elements.iter().filter(named).any(value)
    }

    /// The start position as a FEN: the squares of the 32 pieces, 99 for one that is not on the board. The first ply
    /// shows who begins.
    fn start(&mut self, value: &str) -> Option<String> {
        let squares = value.as_bytes();
        if squares.len() != 2 * PIECES.len() || !squares.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let mut board = [[None; 9]; 10];
        for (piece, square) in PIECES.iter().zip(squares.chunks(2)) {
            let [file, rank] = [square[0], square[1]].map(|digit| usize::from(digit - b'0'));
            if file < 9 {
                let place = &mut board[rank][file];
                if place.replace(*piece).is_some() {
                    return None;
                }
            }
        }
        let first = self.main.and_then(|main| {
            let moves = self.text[self.game.elements[main].value.clone()].trim_ascii_start();
            let [file, rank] =
                [*moves.first()?, *moves.get(1)?].map(|digit| usize::from(digit.wrapping_sub(b'0')));
            board.get(rank)?.get(file).copied().flatten()
        });
        self.black_begins = first.is_some_and(|piece: u8| piece.is_ascii_lowercase());
        let mut fen = String::new();
        for (rank, row) in board.iter().enumerate() {
            fen.push_str(if rank > 0 { "/" } else { "" });
            fen_rank(row, &mut fen, |piece, fen| fen.push(char::from(*piece)));
        }
        fen.push_str(if self.black_begins { " b - - 0 1" } else { " w - - 0 1" });
        Some(fen)
    }

    /// A comment in braces.
    fn comment(&mut self, from: Range<usize>) {
        let text = decode(&self.text[from.clone()]).into_owned();
        let text = for_comment(&text).replace("||", "\n ");
        if !text.trim().is_empty() {
            self.add("{", from.start..from.start);
            self.add(&text, from.clone());
            self.add("}\n", from.end..from.end);
        }
    }

    /// Writes the comments after a ply; true if there is one.
    fn comments_after(&mut self, branch: u32, ply: u32) -> bool {
        let found = self.comments.remove(&(branch, ply)).unwrap_or_default();
        for index in &found {
            self.comment(self.game.elements[*index].value.clone());
        }
        !found.is_empty()
    }

    /// Writes the main line with its branches.
    fn moves(&mut self, main: Range<usize>) {
        let main = Branch { id: 0, ply: 1, moves: main, waiting: Vec::new(), numbered: true };
        let mut open = vec![main];
        while let Some(branch) = open.last_mut() {
            if let Some(index) = branch.waiting.pop() {
                let (name, value) =
                    (&self.game.elements[index].name, self.game.elements[index].value.clone());
                let id = name.rsplit('_').next().and_then(|id| id.parse().ok()).unwrap_or(0);
                let ply = branch.ply - 1;
                branch.numbered = true;
                self.add("(", value.start..value.start);
                open.push(Branch { id, ply, moves: value, waiting: Vec::new(), numbered: true });
                continue;
            }
            let Branch { id, ply, ref mut moves, ref mut waiting, ref mut numbered } = *branch;
            *moves = trimmed(self.text, moves.clone());
            let len = moves.len().min(4);
            let from = moves.start..moves.start + len;
            let Some(text) = coordinates(&self.text[from.clone()]) else {
                let end = moves.end;
                let rest = moves.clone();
                open.pop();
                if !rest.is_empty() {
                    self.comment(rest);
                }
                if !open.is_empty() {
                    self.add(") ", end..end);
                }
                continue;
            };
            let number = match (ply + u32::from(self.black_begins)) % 2 {
                1 => format!("{}. ", (ply + u32::from(self.black_begins)).div_ceil(2)),
                _ if *numbered => format!("{}... ", (ply + u32::from(self.black_begins)) / 2),
                _ => String::new(),
            };
            moves.start += len;
            *waiting = self.branches.remove(&(id, ply)).unwrap_or_default();
            waiting.reverse();
            branch.ply += 1;
            self.add(&number, from.start..from.start);
            self.add(&text, from.clone());
            self.add(" ", from.end..from.end);
            let commented = self.comments_after(id, ply);
            if let Some(branch) = open.last_mut() {
                branch.numbered = commented;
            }
        }
    }

    /// Writes the comments and branches that belong to no ply as comments.
    fn add_the_rest(&mut self) {
        let comments = std::mem::take(&mut self.comments).into_values().flatten();
        let branches = std::mem::take(&mut self.branches).into_values().flatten();
        let mut rest: Vec<usize> = comments.chain(branches).chain(std::mem::take(&mut self.odd)).collect();
        rest.sort_unstable();
        for index in rest {
            let Element { name, value } = &self.game.elements[index];
            if !self.text[value.clone()].trim_ascii().is_empty() {
                self.add(&format!("{{DhtmlXQ_{name}: "), value.start..value.start);
                let text = for_comment(&decode(&self.text[value.clone()])).replace("||", "\n ");
                self.add(&text, value.clone());
                self.add("}\n", value.end..value.end);
            }
        }
    }
}

/// A ply of four digits in coordinates: `7747` is `h3e3`. A file 9 becomes `j`, which is on no board.
fn coordinates(digits: &[u8]) -> Option<String> {
    if digits.len() < 4 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let square = |pair: &[u8]| format!("{}{}", char::from(b'a' + (pair[0] - b'0')), 10 - (pair[1] - b'0'));
    Some(square(&digits[..2]) + &square(&digits[2..]))
}
