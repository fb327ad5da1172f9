//! The layout of the sheet: one square is 100 wide and high.

use ferz_core::board::{Board, Owner, Square};

/// Width and height of a square.
pub(super) const SQUARE: i32 = 100;
/// Margin.
pub(super) const EDGE: i32 = 16;
/// Space beside the board for coordinates.
const NAMES: i32 = 40;
/// Space at the right of the board for the sign of the side to move.
const TURN: i32 = 44;
/// Minimum width of a sheet with text.
const WORDS: i32 = 620;
/// Size of ordinary text.
pub(super) const TEXT: i32 = 27;

/// The place of the board and the width of the sheet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) board: Board,
    seen_by: Owner,
    /// Left edge of the board.
    pub(super) left: i32,
    /// Width of the sheet.
    pub(super) width: i32,
    /// Space around the board for the squares outside its corners.
    pub(super) outside: i32,
    /// Space below the board for file names, and for these squares.
    pub(super) below: i32,
}

impl Layout {
    pub(super) fn new(board: Board, seen_by: Owner, coordinates: bool, surroundings: bool) -> Layout {
        let names = if coordinates { NAMES } else { 0 };
        let outside = if board.has_corners() { SQUARE } else { 0 };
        let own = i32::from(board.files()) * SQUARE + 2 * outside;
        let right = if surroundings { TURN } else { 0 };
        let needed = 2 * EDGE + names + own + right;
        let width = if surroundings { needed.max(WORDS) } else { needed };
        let left = EDGE + names + (width - needed) / 2 + outside;
        Layout { board, seen_by, left, width, outside, below: names.max(outside) }
    }

    /// Width of the board.
    pub(super) fn across(&self) -> i32 {
        i32::from(self.board.files()) * SQUARE
    }

    /// Height of the board.
    pub(super) fn down(&self) -> i32 {
        i32::from(self.board.ranks()) * SQUARE
    }

    /// The player at the top.
    pub(super) fn above(&self) -> Owner {
        self.below_board().opponent()
    }

    /// The player at the bottom.
    pub(super) fn below_board(&self) -> Owner {
        if self.seen_by == Owner::Black { Owner::Black } else { Owner::White }
    }

    /// Top left corner of a square, relative to that of the board.
    pub(super) fn corner(&self, square: Square) -> (i32, i32) {
        // The squares outside have coordinates beyond the border, also -1.
        let [file, rank] =
            [self.board.file(square), self.board.rank(square)].map(|line| i32::from(line as i8));
        let (files, ranks) = (i32::from(self.board.files()), i32::from(self.board.ranks()));
        match self.below_board() {
            Owner::Black => ((files - 1 - file) * SQUARE, rank * SQUARE),
            _ => (file * SQUARE, (ranks - 1 - rank) * SQUARE),
        }
    }

    /// Breaks text into lines of the sheet's width.
    pub(super) fn wrapped(&self, text: &str, size: i32) -> Vec<String> {
        wrapped(text, self.width - 2 * EDGE, size)
    }
}

/// Estimated width of a text of a size. Fonts differ, so it errs on the large side.
pub(super) fn width_of(text: &str, size: i32) -> i32 {
    let widths = text.chars().map(|c| match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | '.' | ',' | ';' | ':' | '\'' | '|' => 30,
        'm' | 'w' | 'M' | 'W' => 84,
        c if c.is_ascii_lowercase() || c.is_ascii_digit() => 52,
        c if c.is_ascii() => 66,
        _ => 100,
    });
    widths.sum::<i32>() * size / 100
}

fn wrapped(text: &str, room: i32, size: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if !line.is_empty() && width_of(&longer, size) > room {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            } else {
                line = longer;
            }
        }
        lines.push(line);
    }
    lines
}
