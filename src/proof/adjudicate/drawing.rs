//! The position that a verdict is about, as a drawing.

use ferz_core::board::{Mask, by_width};
use ferz_core::position::Position;
use ferz_records::diagram::text::{Pieces, board};
use ferz_records::diagram::{Options, svg};
use ferz_records::record::Record;
use ferz_records::replay::{AnyGame, Game, Replayer};
use std::sync::Arc;

/// How a position is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// As text.
    Text,
    /// As SVG.
    Svg,
}

/// A position of the record's game, drawn; empty if the game does not know it.
pub fn drawing(replayer: &mut Replayer<'_>, record: &Record<'_>, fen: &str, how: Drawn) -> String {
    let Ok(any) = replayer.game(record) else { return String::new() };
    by_width!(AnyGame, &any, |game| draw(game, fen, how))
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
