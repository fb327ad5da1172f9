//! Records as text: the export format of the PGN standard, with the signs of the variants.

use super::codes;
use super::comment::free_text;
use super::item::{CommentKind, GameResult, Item, ItemKind, Seat};
use super::layout::Layout;
use super::losses::Losses;
use super::number::is_ply_token;
use super::read::Record;
use super::write_tags::{first_ply, second_first_ply, value_of, write_tags};
use ferz_core::board::{BoardName, Owner};
use ferz_core::notation::courier;
use ferz_core::text::{Budget, Exhausted};
use std::borrow::Cow;
use std::mem::swap;

/// How to write a record.
#[derive(Debug, Clone)]
pub struct WriteOptions<'t> {
    /// Maximum width of a line; a single word may be longer. The standard says fewer than 80 characters.
    pub width: usize,
    /// Writes `oo3.....` instead of `∞3.....`.
    pub ascii: bool,
    /// Number of the first real ply and whether it is Black's. `None` takes it from the tag `FEN`; without one, 1 and
    /// White.
    pub first: Option<FirstPly>,
    /// Tags to set (`Some`) or to leave out (`None`), by name.
    pub tags: &'t [(&'t str, Option<&'t str>)],
    /// The result to write instead of the record's own.
    pub result: Option<GameResult>,
    /// How comments are written.
    pub comments: Comments,
    /// The game is on one board, so that letters after numbers name none.
    pub one_board: bool,
}

/// How comments are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Comments {
    /// In lines of the record's width, with their commands.
    #[default]
    Filled,
    /// With their own line ends, for formats whose comments are lines.
    Lines,
    /// For people who read on paper: without commands such as `[%clk 0:05:00]`, and not at all if there is nothing
    /// else; `!` instead of `$1`, and no requests for diagrams.
    Prose,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        WriteOptions {
            width: 79,
            ascii: false,
            first: None,
            tags: &[],
            result: None,
            comments: Comments::Filled,
            one_board: false,
        }
    }
}

/// Where move numbering begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstPly {
    /// The move number.
    pub number: u32,
    /// True if Black is on move.
    pub black: bool,
}

/// The number that a ply is written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// A ply of White or Black.
    Real(FirstPly),
    /// An interjection with its own number: `∞3.....`.
    Interjection(u32),
    /// An interjection without a number.
    Bare,
}

/// Supplies the texts and numbers of the plies while a record is written. Both methods may leave a ply to the writer.
pub trait PlyStyle {
    /// The text of the ply that is the record's item `index`; `None` writes it as it was read.
    fn text(&self, record: &Record<'_>, index: usize) -> Option<String> {
        let _ = (record, index);
        None
    }

    /// The label of the ply that is the record's item `index`; `None` lets the writer count.
    ///
    /// The writer treats a ply as an interjection if such a number precedes it or its text begins with `~`. It keeps
    /// the number that is there and otherwise counts from 1; a ply with `~` and no number gets none.
    fn label(&self, record: &Record<'_>, index: usize) -> Option<Label> {
        let _ = (record, index);
        None
    }

    /// A comment to write directly after the ply that is the record's item `index`.
    fn comment(&self, record: &Record<'_>, index: usize) -> Option<String> {
        let _ = (record, index);
        None
    }
}

/// Every ply as it was read.
#[derive(Debug, Clone, Copy, Default)]
pub struct AsWritten;

impl PlyStyle for AsWritten {}

/// Texts from a closure over the index of the item; numbers as the writer counts them.
#[derive(Debug, Clone, Copy)]
pub struct Texts<F>(pub F);

impl<F: Fn(usize) -> Option<String>> PlyStyle for Texts<F> {
    fn text(&self, _: &Record<'_>, index: usize) -> Option<String> {
        (self.0)(index)
    }
}

/// Appends a record to `out` in export format and returns losses as diagnostics with their places in the input.
/// Renumbers moves; white space in comments becomes single spaces.
///
/// ```
/// use ferz_records::record::{AsWritten, Texts, WriteOptions, read, write_record};
/// let source = "[White \"Ann\"]\n1.e4 ; best\ne5 \u{221e}1.....a4=N!";
/// let record = read(source.as_bytes(), 0).next().ok_or("no game")?;
/// let mut out = String::new();
/// let losses = write_record(&record, &AsWritten, &WriteOptions::default(), &mut out);
/// assert!(losses.is_empty());
/// assert!(out.ends_with("\n\n1. e4 {best} 1... e5 \u{221e}1.....a4=N $1 *\n\n"));
///
/// let upper = Texts(|index: usize| Some(record.text(record.items[index]).to_uppercase()));
/// out.clear();
/// write_record(&record, &upper, &WriteOptions { ascii: true, ..Default::default() }, &mut out);
/// assert!(out.ends_with("1. E4 {best} 1... E5 oo1.....A4=N $1 *\n\n"));
/// # Ok::<(), &str>(())
/// ```
pub fn write_record(
    record: &Record<'_>,
    style: &dyn PlyStyle,
    options: &WriteOptions<'_>,
    out: &mut String,
) -> Losses {
    Budget::endless(|budget| write_record_within(record, style, options, out, budget))
}

/// [`write_record`] within a budget.
///
/// # Errors
/// If the budget ends before the work. What `out` then has is no record.
pub fn write_record_within(
    record: &Record<'_>,
    style: &dyn PlyStyle,
    options: &WriteOptions<'_>,
    out: &mut String,
    budget: &Budget,
) -> Result<Losses, Exhausted> {
    let mut losses = Losses::of_reading(record);
    let tags = write_tags(record, options, out, &mut losses);
    out.push('\n');
    let first = options.first.unwrap_or_else(|| first_ply(&tags));
    let result = options.result.or(record.result);
    let result = result.or_else(|| GameResult::parse(value_of(&tags, "Result")?));
    let line = Count { number: first.number, black: first.black, interjections: 0 };
    let second = second_first_ply(&tags);
    let other = Count { number: second.number, black: second.black, interjections: 0 };
    let mut writer = Writer {
        record,
        style,
        options,
        layout: Layout::new(out, options.width),
        losses,
        state: LineState {
            now: line,
            last: line,
            announce: true,
            number: None,
            at: None,
            last_at: None,
            other,
        },
        outer: Vec::new(),
        results: 0,
    };
    let mut bytes = 0;
    for (index, item) in record.items.iter().enumerate() {
        writer.item(index, *item);
        bytes += ITEM_BYTES + record.span(*item).len();
        if bytes >= SPENT_BYTES {
            budget.spend((bytes / BYTES_PER_UNIT) as u64)?;
            bytes %= BYTES_PER_UNIT;
        }
    }
    budget.spend((bytes / BYTES_PER_UNIT) as u64)?;
    writer.layout.word(result.unwrap_or(GameResult::Unknown).as_str());
    writer.layout.end();
    let losses = writer.losses;
    out.push('\n');
    Ok(losses)
}

/// The sign of an annotation in ASCII, such as `!?` for `$5`; `None` if it has none.
pub fn annotation_sign(nag: u16) -> Option<&'static str> {
    const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
    SIGNS.get(usize::from(nag).checked_sub(1)?).copied()
}

/// The annotation that asks for a diagram, and the one for a diagram from Black's side.
pub const ASKS_FOR_DIAGRAM: u16 = 220;
/// See [`ASKS_FOR_DIAGRAM`].
pub const ASKS_FOR_BLACKS_DIAGRAM: u16 = 221;

/// Bytes that are written in the time of one unit of a budget.
const BYTES_PER_UNIT: usize = 64;
/// What an item costs besides its bytes: about as much as so many bytes.
const ITEM_BYTES: usize = 16;
/// Bytes between two looks at the budget.
const SPENT_BYTES: usize = 4_096;

/// The state of the numbering.
#[derive(Clone, Copy)]
struct Count {
    number: u32,
    black: bool,
    interjections: u32,
}

/// The numbers of one line.
#[derive(Clone, Copy)]
struct LineState {
    /// Before the next ply.
    now: Count,
    /// Before the last ply: where a variation begins.
    last: Count,
    /// Black's next ply needs its number.
    announce: bool,
    /// The interjection number that was read since the last ply.
    number: Option<u32>,
    /// In a game on two boards, the one that the next ply is on, and that of the last ply.
    at: Option<BoardName>,
    last_at: Option<BoardName>,
    /// The numbers of the other board.
    other: Count,
}

impl LineState {
    /// Goes to a board of two; a line begins at board A.
    fn go_to(&mut self, board: Option<BoardName>) {
        if self.at.unwrap_or(BoardName::A) != board.unwrap_or(BoardName::A) {
            swap(&mut self.now, &mut self.other);
        }
        self.at = board;
    }

    /// The line of a variation of the last ply.
    fn inner(mut self) -> LineState {
        self.go_to(self.last_at);
        LineState { now: self.last, announce: true, number: None, ..self }
    }
}

struct Writer<'w, 'a, 't, 'o> {
    record: &'w Record<'a>,
    style: &'w dyn PlyStyle,
    options: &'w WriteOptions<'t>,
    layout: Layout<'o>,
    losses: Losses,
    state: LineState,
    outer: Vec<LineState>,
    /// Results seen outside of variations.
    results: usize,
}

impl Writer<'_, '_, '_, '_> {
    fn item(&mut self, index: usize, item: Item) {
        match item.kind {
            ItemKind::MoveNumber(number) => {
                self.state.number = number.interjection.then_some(number.value);
                if let Some(seat) = number.seat.filter(|_| !self.options.one_board) {
                    self.state.go_to(Some(seat.board()));
                }
            }
            ItemKind::Move => self.ply(index, item),
            ItemKind::Nag { value, .. } if self.options.comments == Comments::Prose => {
                self.sign(index, value)
            }
            ItemKind::Nag { value, .. } => self.layout.word(&format!("${value}")),
            ItemKind::Comment(CommentKind::Escape) => {
                self.layout.line(&format!("%{}", self.record.text(item)));
                self.state.announce = true;
            }
            ItemKind::Comment(_) => self.comment(item),
            ItemKind::VariationStart { .. } => {
                self.outer.push(self.state);
                self.state = self.state.inner();
                self.layout.open("(");
            }
            ItemKind::VariationEnd { .. } => {
                self.layout.close(")");
                if let Some(outer) = self.outer.pop() {
                    self.state = LineState { announce: true, ..outer };
                }
            }
            ItemKind::Result(result) if !self.outer.is_empty() => self.layout.word(result.as_str()),
            ItemKind::Result(_) => {
                self.results += 1;
                if self.results > 1 {
                    let span = self.record.span(item);
                    self.losses.push(codes::LOSS_RESULT, span, || "the second result is left out".into());
                }
            }
        }
    }

    fn comment(&mut self, item: Item) {
        let mut text = self.record.text(item);
        if text.contains('}') {
            let span = self.record.span(item);
            self.losses.push(codes::LOSS_BRACE, span, || "a } inside this comment is written as )".into());
            text = Cow::Owned(text.replace('}', ")"));
        }
        if self.options.comments == Comments::Prose {
            let text = free_text(&text);
            if !text.is_empty() {
                self.braces(&text);
            }
            return;
        }
        self.braces(&text);
    }

    /// An annotation as a sign, where there is one in ASCII.
    fn sign(&mut self, index: usize, value: u16) {
        let before = index.checked_sub(1).and_then(|before| self.record.items.get(before));
        let follows_ply = before.is_some_and(|item| item.kind == ItemKind::Move);
        match (value, annotation_sign(value)) {
            (ASKS_FOR_DIAGRAM | ASKS_FOR_BLACKS_DIAGRAM, _) => {}
            (_, Some(sign)) if follows_ply => self.layout.close(sign),
            _ => self.layout.word(&format!("${value}")),
        }
    }

    /// A comment in braces, its words separated by single spaces.
    fn braces(&mut self, text: &str) {
        self.layout.open("{");
        if self.options.comments == Comments::Lines {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            // At the start of a line `%` and `[` would mean something else.
            self.layout.word(&lines.collect::<Vec<_>>().join("\n "));
        } else {
            text.split_ascii_whitespace().for_each(|word| self.layout.word(word));
        }
        self.layout.close("}");
        self.state.announce = true;
    }

    fn ply(&mut self, index: usize, item: Item) {
        let read = self.record.text(item);
        // Write several words as one: in braces they would no longer be a ply.
        let read = courier::plain(read.as_bytes()).map_or(read, Cow::Owned);
        let given = self.style.text(self.record, index);
        let text = match given {
            Some(text) if is_ply_token(&text) => Cow::Owned(text),
            Some(text) => {
                let message =
                    || format!("`{text}` is not a single token; the move is written as it was read").into();
                self.losses.push(codes::LOSS_MOVE_TEXT, self.record.span(item), message);
                read.clone()
            }
            None => read.clone(),
        };
        if !is_ply_token(&text) {
            // Reached only by Latin-1 text that exceeds the limit of a token in UTF-8.
            let span = self.record.span(item);
            self.losses.push(codes::LOSS_MOVE_TEXT, span, || "written as a comment".into());
            return self.braces(&text);
        }
        match self.label(index, &read, &text) {
            Label::Real(at) => self.real(at, &text),
            Label::Interjection(number) => {
                let sign = if self.options.ascii { "oo" } else { "\u{221e}" };
                self.state.last = self.state.now;
                self.state.now.interjections = number;
                self.layout.word(&format!("{sign}{number}.....{text}"));
                self.state.announce = true;
            }
            Label::Bare => {
                self.state.last = self.state.now;
                self.state.now.interjections = self.state.now.interjections.saturating_add(1);
                self.layout.word(&text);
                self.state.announce = true;
            }
        }
        self.state.number = None;
        if let Some(comment) = self.style.comment(self.record, index) {
            self.braces(&comment);
        }
    }

    /// The label of the ply, or else the number in the source.
    fn label(&self, index: usize, read: &str, text: &str) -> Label {
        if let Some(label) = self.style.label(self.record, index) {
            return label;
        }
        let now = self.state.now;
        match self.state.number {
            Some(number) => Label::Interjection(number),
            None if text.starts_with('~') => Label::Bare,
            None if read.starts_with('~') => Label::Interjection(now.interjections.saturating_add(1)),
            None => Label::Real(FirstPly { number: now.number, black: now.black }),
        }
    }

    fn real(&mut self, at: FirstPly, text: &str) {
        if let Some(board) = self.state.at {
            let player = if at.black { Owner::Black } else { Owner::White };
            self.layout.word(&format!("{}{}.", at.number, Seat::of(board, player).letter()));
        } else if !at.black {
            self.layout.word(&format!("{}.", at.number));
        } else if self.state.announce {
            self.layout.word(&format!("{}...", at.number));
        }
        self.layout.word(text);
        let here = Count { number: at.number, black: at.black, ..self.state.now };
        let number = at.number.saturating_add(u32::from(at.black));
        (self.state.last, self.state.last_at) = (here, self.state.at);
        self.state.now = Count { number, black: !at.black, ..here };
        // A letter and two squares after a blank would be one ply in Game Courier's format.
        self.state.announce = text.len() == 1;
    }
}
