//! Every spelling of a position that is read gives the same position.

use crate::check::{Law, ensure};
use ferz::board::Mask;
use ferz::position::Position;
use ferz::rules::Rules;
use std::sync::Arc;

/// Spells a position as other programs do, and reads each spelling.
pub fn spellings_are_read_alike<M: Mask>(rules: &Arc<Rules<M>>, position: &Position<M>) -> Law {
    let fen = position.fen();
    for other in spellings(position, &fen) {
        let read = Position::from_fen(Arc::clone(rules), &other).map(|position| position.fen());
        ensure(read.as_ref() == Ok(&fen), || format!("`{other}` is read as {read:?}, not as `{fen}`"))?;
    }
    Ok(())
}

fn spellings<M: Mask>(position: &Position<M>, fen: &str) -> Vec<String> {
    let rules = position.rules();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let mut found = vec![format!("  {} ", fields.join("   "))];
    let mut with = |fields: &[String]| found.push(fields.join(" "));
    let pieces = fields[0].clone();
    if let Some((board, stocks)) = pieces.split_once('[') {
        let stocks = stocks.trim_end_matches(']').to_owned();
        if rules.has_reserve != rules.has_hand {
            fields[0] = format!("{board}/{stocks}");
            with(&fields);
        }
        if stocks.is_empty() {
            for empty in [board.to_owned(), format!("{board}[-]")] {
                fields[0] = empty;
                with(&fields);
            }
        }
        if !stocks.contains('\'') {
            let counted = stocks.split("][").map(counted).collect::<Vec<_>>().join("][");
            fields[0] = format!("{board}[{counted}]");
            with(&fields);
        }
        let reversed: Vec<String> = match stocks.contains('\'') {
            true => vec![stocks.clone()],
            false => stocks.split("][").map(|stock| stock.chars().rev().collect()).collect(),
        };
        fields[0] = format!("{board}[{}]", reversed.join("]["));
        with(&fields);
        fields[0].clone_from(&pieces);
    }
    fields[1].make_ascii_uppercase();
    with(&fields);
    fields[1].make_ascii_lowercase();
    if fields[4..] == ["0", "1"] {
        with(&fields[..4]);
        if fields[2..4] == ["-", "-"] {
            with(&fields[..2]);
        }
    }
    if rules.gating.is_none() && rules.castling.is_some() && fields[2] != "-" {
        fields[2] = shredder(position);
        with(&fields);
    }
    found
}

/// `PPp` as `2Pp`.
fn counted(stock: &str) -> String {
    let mut out = String::new();
    let mut rest = stock;
    while let Some(letter) = rest.chars().next() {
        let count = rest.chars().take_while(|other| *other == letter).count();
        if count > 1 {
            out.push_str(&count.to_string());
        }
        out.push(letter);
        rest = &rest[count..];
    }
    out
}

/// The files of the rooks that may castle.
fn shredder<M: Mask>(position: &Position<M>) -> String {
    let state = position.state();
    let letter = |square: ferz::board::Square| {
        let black = state.piece(square).is_some_and(|piece| piece.owner == ferz::board::Owner::Black);
        let first = if black { b'a' } else { b'A' };
        char::from(first + position.rules().board().file(square))
    };
    state.status().castling.squares().map(letter).collect()
}
