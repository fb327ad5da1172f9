//! The board at one moment of a game.

use ferz::board::Mask;
use ferz::diagram::{Options, svg, text};
use ferz::position::Position;
use ferz::record::{CommentKind, ItemKind, Record};
use ferz::replay::{Trace, summary};

/// The board at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The diagram as HTML.
    pub drawing: String,
    /// The caption.
    pub caption: String,
    /// The number of plies made.
    pub ply: usize,
    /// The number of plies of the game.
    pub plies: usize,
    /// Facts that the diagram does not show.
    pub facts: Vec<String>,
    /// The extended FEN.
    pub fen: String,
    /// The record's comments on the ply that led here.
    pub comments: Vec<String>,
    /// The text of the illegal ply that was tried here.
    pub tried: Option<String>,
}

impl Board {
    /// The previous position, or the start.
    pub fn back(&self) -> usize {
        self.ply.saturating_sub(1)
    }

    /// The next position, or the last one.
    pub fn next(&self) -> usize {
        (self.ply + 1).min(self.plies)
    }

    /// True at the start.
    pub fn is_first(&self) -> bool {
        self.ply == 0
    }

    /// True at the last position.
    pub fn is_last(&self) -> bool {
        self.ply == self.plies
    }

    /// The board of a game after a number of plies. If the next ply is illegal, its squares are marked.
    pub(super) fn of<M: Mask>(trace: &Trace<M>, record: &Record<'_>, ply: usize, label: String) -> Board {
        let plies = trace.plies.len();
        let position = trace.position(ply);
        let report = &trace.report;
        let let_stand = report.let_stand.iter().find(|illegal| illegal.ply == ply + 1);
        let tried = let_stand.or(report.illegal.as_deref().filter(|_| ply == plies));
        let marked = tried.map_or(&[][..], |illegal| &illegal.squares);
        let last = ply.checked_sub(1).and_then(|index| trace.plies.get(index)).map(|traced| traced.ply);
        let comments = ply.checked_sub(1).and_then(|index| trace.plies.get(index));
        let end = report.end.filter(|end| end.ply == ply);
        let mut board = position_board(&position, marked, last, label);
        board.comments = comments.map_or_else(Vec::new, |traced| remarks(record, traced.item));
        // The position shows some endings itself; do not list them twice.
        board.facts.retain(|fact| end.is_none() || !fact.starts_with("The game is over"));
        board.facts.extend(end.map(|end| format!("The game is over: {}.", summary::ending(end))));
        board.facts.extend(report.claimable_at(ply).map(|open| summary::claimable(open) + "."));
        board.tried = tried.map(|illegal| illegal.text.clone());
        Board { ply, plies, ..board }
    }
}

/// The board of a single position.
pub fn position_board<M: Mask>(
    position: &Position<M>,
    marked: &[String],
    last: Option<ferz::position::Ply>,
    caption: String,
) -> Board {
    let board = position.rules().board();
    let marked = M::of(marked.iter().filter_map(|name| board.parse_square(name)));
    let options = Options { last, marked, title: None, ..Options::default() };
    Board {
        drawing: svg(position, &options),
        caption,
        ply: 0,
        plies: 0,
        facts: text::facts(position).lines().map(str::to_owned).collect(),
        fen: position.fen(),
        comments: Vec::new(),
        tried: None,
    }
}

/// The comments after a ply of the record.
fn remarks(record: &Record<'_>, item: usize) -> Vec<String> {
    let after = record.items.iter().skip(item + 1);
    let own = after.take_while(|item| matches!(item.kind, ItemKind::Comment(_) | ItemKind::Nag { .. }));
    let texts = own.filter_map(|item| match item.kind {
        ItemKind::Comment(CommentKind::Escape | CommentKind::Deep) => None,
        ItemKind::Comment(_) => Some(ferz::text::visible(record.text(*item).trim().as_bytes())),
        _ => None,
    });
    texts.filter(|text| !text.is_empty()).collect()
}
