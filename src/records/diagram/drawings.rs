//! What an annotator draws on the board: circles and arrows, as `[%csl]` and `[%cal]` say.

use super::layout::{Layout, SQUARE};
use super::sheet::put;
use ferz_core::board::{Board, Square};

/// Circles and arrows, each with the letter of its colour: `G`, `R`, `Y`, `B`, `O` or `C`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawings {
    /// Squares that are marked.
    pub squares: Vec<(char, Square)>,
    /// Arrows, from a square to another one.
    pub arrows: Vec<(char, Square, Square)>,
}

/// The most of both that are drawn: more cannot be distinguished.
const DRAWN_MAX: usize = 64;

impl Drawings {
    /// True if nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.squares.is_empty() && self.arrows.is_empty()
    }

    /// What is drawn, in words; `None` for nothing.
    pub(super) fn words(&self, board: Board) -> Option<String> {
        let squares =
            self.squares.iter().map(|(colour, square)| format!("{} {}", name(*colour), board.name(*square)));
        let arrows = self.arrows.iter().map(|(colour, from, to)| {
            format!("{} {} to {}", name(*colour), board.name(*from), board.name(*to))
        });
        let all: Vec<String> = squares.chain(arrows).take(DRAWN_MAX).collect();
        (!all.is_empty()).then(|| format!("Drawn: {}.", all.join(", ")))
    }

    /// Draws everything over the board, whose top left corner is the origin.
    pub(super) fn draw(&self, out: &mut String, layout: &Layout) {
        if self.is_empty() {
            return;
        }
        out.push_str(r#"<g class="ferz-drawn" fill="none" stroke-width="8" stroke-opacity=".85">"#);
        for (colour, square) in self.squares.iter().take(DRAWN_MAX) {
            let ((x, y), (stroke, dashes)) = (centre(layout, *square), pencil(*colour));
            put!(out, r#"<circle cx="{x}" cy="{y}" r="44" stroke="{stroke}" stroke-dasharray="{dashes}"/>"#);
        }
        for (colour, from, to) in self.arrows.iter().filter(|(_, from, to)| from != to).take(DRAWN_MAX) {
            arrow(out, *colour, centre(layout, *from), centre(layout, *to));
        }
        out.push_str("</g>");
    }
}

/// An arrow from a point to another one, with its head before the middle of the square.
fn arrow(out: &mut String, colour: char, from: (i32, i32), to: (i32, i32)) {
    /// Length of the head.
    const HEAD: f64 = 34.0;
    let (stroke, dashes) = pencil(colour);
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy);
    let (dx, dy) = (dx / length, dy / length);
    let tip = (f64::from(to.0) - dx * 12.0, f64::from(to.1) - dy * 12.0);
    let neck = (tip.0 - dx * HEAD, tip.1 - dy * HEAD);
    let side = (-dy * HEAD / 2.0, dx * HEAD / 2.0);
    put!(out, r#"<path d="M{} {}L{:.0} {:.0}" stroke="{stroke}" "#, from.0, from.1, neck.0, neck.1);
    put!(
        out,
        r#"stroke-dasharray="{dashes}"/><path d="M{:.0} {:.0}L{:.0} {:.0}L{:.0} {:.0}Z" "#,
        tip.0,
        tip.1,
        neck.0 + side.0,
        neck.1 + side.1,
        neck.0 - side.0,
        neck.1 - side.1
    );
    put!(out, r#"fill="{stroke}" fill-opacity=".85" stroke="none"/>"#);
}

fn centre(layout: &Layout, square: Square) -> (i32, i32) {
    let (x, y) = layout.corner(square);
    (x + SQUARE / 2, y + SQUARE / 2)
}

/// Colour and dashes: each is distinguishable without colours.
fn pencil(colour: char) -> (&'static str, &'static str) {
    match colour {
        'R' => ("#b3151b", "20 10"),
        'Y' => ("#9a7200", "4 8"),
        'B' => ("#1c5d8c", "24 8 5 8"),
        'O' => ("#b8500c", "12 6"),
        'C' => ("#0b7375", "34 8"),
        _ => ("#15701b", "none"),
    }
}

fn name(colour: char) -> &'static str {
    match colour {
        'R' => "red",
        'Y' => "yellow",
        'B' => "blue",
        'O' => "orange",
        'C' => "cyan",
        _ => "green",
    }
}
