//! The list of plies of a game.

use super::board::Open;
use ferz::board::{Mask, Owner};
use ferz::record::{ItemKind, Record, annotation_sign};
use ferz::replay::{OfTwo, OnTwo, Trace};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The plies of the main line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moves {
    /// The listed plies.
    pub cells: Vec<Cell>,
    /// The number of plies before and after them.
    pub left_out: (usize, usize),
    /// The ply that the board shows; 0 for the start.
    pub current: usize,
    /// The number of plies.
    pub plies: usize,
    /// The text of the illegal ply after the last one.
    pub illegal: Option<String>,
}

/// One ply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its number, from 1.
    pub ply: usize,
    /// The move number before it, if one is written.
    pub number: String,
    /// Its text in the record, with annotation signs.
    pub text: String,
    /// True for a ply of Nature's.
    pub nature: bool,
    /// True if a diagnostic refers to it.
    pub noted: bool,
    /// True if it is illegal but was let stand.
    pub let_stand: bool,
    /// The first claim that was open after it.
    pub claim: Option<Open>,
}

/// Maximum number of listed plies: two hundred moves.
pub const LISTED_PLIES_MAX: usize = 400;

/// The indices of the plies that a list shows: all, or those around `current` if there are too many.
pub(super) fn listed(plies: usize, current: usize) -> Range<usize> {
    let from = current.saturating_sub(LISTED_PLIES_MAX / 2).min(plies.saturating_sub(LISTED_PLIES_MAX));
    from..(from + LISTED_PLIES_MAX).min(plies)
}

impl Moves {
    /// The plies of a game; those around `current` if there are too many.
    pub fn of<M: Mask>(trace: &Trace<M>, record: &Record<'_>, current: usize) -> Moves {
        let plies = trace.plies.len();
        let Range { start: from, end: to } = listed(plies, current);
        let noted: BTreeSet<usize> = trace.report.diagnostics.iter().filter_map(|found| found.ply).collect();
        let signs = signs(record);
        let mut cells = Vec::new();
        let (mut index, mut before) = (0, Owner::Nature);
        trace.each(|position, traced| {
            index += 1;
            let actor = traced.ply.actor;
            if index > from && index <= to {
                let text = record.text(record.items[traced.item]);
                let sign = signs.get(&traced.item).copied().unwrap_or_default();
                let number = position.state().status().number;
                // Black's move is numbered unless White's move is just before it.
                let follows_white = before == Owner::White && index > from + 1;
                cells.push(Cell {
                    ply: index,
                    number: match actor {
                        Owner::White => format!("{number}."),
                        Owner::Black if follows_white => String::new(),
                        Owner::Black => format!("{number}…"),
                        Owner::Nature => format!("∞{}", traced.interjection),
                    },
                    text: format!("{text}{sign}"),
                    nature: actor == Owner::Nature,
                    noted: noted.contains(&index),
                    let_stand: traced.let_stand,
                    claim: trace.report.claimable_at(index).next().map(Open::of),
                });
            }
            before = actor;
        });
        Moves {
            cells,
            left_out: (from, plies - to),
            current,
            plies,
            illegal: trace.report.illegal.as_ref().map(|illegal| illegal.text.clone()),
        }
    }

    /// The plies of a game on two boards, in the order of the record; those around `current` if there are too many.
    pub fn on_two<M: Mask>(game: &OnTwo<M>, record: &Record<'_>, current: usize) -> Moves {
        let plies = game.plies.len();
        let Range { start: from, end: to } = listed(plies, current);
        let noted: BTreeSet<_> =
            game.report.diagnostics.iter().filter_map(|found| Some((found.board?, found.ply?))).collect();
        let signs = signs(record);
        let mut positions = game.starts.clone();
        let mut made = [0; 2];
        let mut cells = Vec::new();
        for (index, ply) in game.plies.iter().enumerate() {
            let OfTwo { board, traced } = ply;
            made[*board as usize] += 1;
            if index >= from && index < to {
                let text = record.text(record.items[traced.item]);
                let sign = signs.get(&traced.item).copied().unwrap_or_default();
                let number = positions[*board as usize].status().number;
                cells.push(Cell {
                    ply: index + 1,
                    number: format!("{number}{}.", ply.seat().letter()),
                    text: format!("{text}{sign}"),
                    nature: false,
                    noted: noted.contains(&(*board, made[*board as usize])),
                    let_stand: traced.let_stand,
                    claim: None,
                });
            }
            game.make(index, &mut positions);
        }
        let illegal = game.report.illegal.as_ref().map(|illegal| illegal.text.clone());
        Moves { cells, left_out: (from, plies - to), current, plies, illegal }
    }

    /// The caption of the board: `After ply 12: Nf3`, or the start.
    pub fn label(&self) -> String {
        self.label_at(self.current)
    }

    /// Like [`label`](Moves::label), after a number of plies.
    pub fn label_at(&self, ply: usize) -> String {
        match self.cells.iter().find(|cell| cell.ply == ply) {
            None => "Starting position".to_owned(),
            Some(cell) => format!("After ply {}: {}", cell.ply, cell.text),
        }
    }
}

/// Annotation signs such as `!?`, by the item of the ply before them.
fn signs(record: &Record<'_>) -> HashMap<usize, &'static str> {
    let mut signs = HashMap::new();
    let mut last = None;
    for (index, &item) in record.main_line().items() {
        match item.kind {
            ItemKind::Move => last = Some(index),
            ItemKind::Nag { value, .. } => signs.extend(last.zip(annotation_sign(value))),
            _ => {}
        }
    }
    signs
}
