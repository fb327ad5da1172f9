//! The position of a verdict as a drawing.

use super::verdict::Verdict;
use crate::board::{Mask, by_width};
use crate::diagram::text::{Pieces, board};
use crate::diagram::{Options, svg};
use crate::position::Position;
use crate::record::Record;
use crate::replay::{AnyGame, Game, Replayer};
use std::sync::Arc;

/// How a position is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// As text.
    Text,
    /// As SVG.
    Svg,
}

/// The position of the claim, drawn; empty if the start is no position of the game.
pub fn drawing(replayer: &mut Replayer<'_>, record: &Record<'_>, verdict: &Verdict, how: Drawn) -> String {
    let Ok(any) = replayer.game(record) else { return String::new() };
    by_width!(AnyGame, &any, |game| draw(game, &verdict.fen, how))
}

fn draw<M: Mask>(game: &Game<M>, fen: &str, how: Drawn) -> String {
    let Ok(position) = Position::from_fen_let_stand(Arc::clone(&game.rules), fen) else {
        return String::new();
    };
    match how {
        Drawn::Text => board(&position, Pieces::Letters),
        Drawn::Svg => svg(&position, &Options::default()),
    }
}
