//! Describes the diagram in words, for screen readers.

use super::options::Options;
use super::text::{ending, facts};
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::coord;
use ferz_core::position::Position;
use ferz_core::rules::KindId;

/// A name for a diagram without a heading.
pub(super) fn name<M: Mask>(position: &Position<M>) -> String {
    let game = &position.rules().id.name;
    match position.finish() {
        Some(finish) => format!("{game}: {}", ending(finish)),
        None => format!("{game}: {} to move", position.turn().name()),
    }
}

/// Lists every piece with its square, the last ply, marked squares, and everything that the board does not show.
pub(super) fn description<M: Mask>(position: &Position<M>, options: &Options<M>) -> String {
    let rules = position.rules();
    let mut lines: Vec<String> = Owner::ALL.into_iter().filter_map(|owner| pieces(position, owner)).collect();
    if let Some(ply) = &options.last {
        let mut text = String::new();
        coord::write(rules, ply, &mut text);
        lines.push(format!("Last ply: {text}."));
    }
    if options.marked.any() {
        lines.push(format!("Marked: {}.", squares(position, options.marked)));
    }
    lines.extend(options.drawn.words(rules.board()));
    lines.join("\n") + "\n" + &facts(position)
}

fn pieces<M: Mask>(position: &Position<M>, owner: Owner) -> Option<String> {
    let rules = position.rules();
    let groups = (0..rules.kinds.len()).filter_map(|index| {
        let squares_of = position.pieces(owner, KindId(index as u8));
        squares_of.any().then(|| format!("{} {}", kind(position, index), squares(position, squares_of)))
    });
    let groups: Vec<String> = groups.collect();
    (!groups.is_empty() || owner.is_real()).then(|| {
        let list = if groups.is_empty() { "nothing".to_owned() } else { groups.join("; ") };
        format!("{} on the board: {list}.", owner.name())
    })
}

/// A kind's name, with its movement where several kinds share the name.
fn kind<M: Mask>(position: &Position<M>, index: usize) -> String {
    let kinds = &position.rules().kinds;
    let kind = &kinds[index];
    let chosen = !position.rules().definition.armies.slots.is_empty();
    let shared = kinds.iter().filter(|other| other.name == kind.name).count() > 1;
    if shared || chosen && !kind.royal && !kind.pawn {
        format!("{} ({})", kind.name, kind.movement())
    } else {
        kind.name.clone()
    }
}

fn squares<M: Mask>(position: &Position<M>, squares: M) -> String {
    let board = position.rules().board();
    squares.squares().map(|square| board.name(square)).collect::<Vec<_>>().join(", ")
}
