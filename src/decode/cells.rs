//! Sheets from the cells of a recogniser.

use crate::costs::{Bits, Costs};
use crate::sheet::{Edge, EdgeKind, Mark, Sheet};
use ferz_core::text::Span;
use serde::Deserialize;

/// The shape of the JSON.
const EXAMPLE: &str =
    r#"`{"variant": "chess", "cells": [{"ply": 1, "alternatives": [["e4", 0.9], ["c4", 0.05]]}]}`"#;

/// A file of cells that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CellsError {
    /// It is not JSON of the right shape.
    #[error("{0}; write {example}", example = EXAMPLE)]
    Form(#[from] serde_json::Error),
    /// A probability is not between 0 and 1, or their sum exceeds 1.
    #[error("ply {ply}: the probabilities sum to {sum}; write numbers from 0 to 1 whose sum is at most 1")]
    Probability {
        /// The number of the ply.
        ply: usize,
        /// The sum.
        sum: f64,
    },
    /// A number of a ply does not follow those before it.
    #[error("cell {cell}: ply {ply} is not after the plies before it; number them from 1, in order")]
    Order {
        /// The number of the cell, from 1.
        cell: usize,
        /// The number of its ply.
        ply: usize,
    },
    /// There are too many plies.
    #[error("{0} plies; at most {CELLS_MAX}")]
    TooMany(usize),
}

/// Cells of one sheet at most.
const CELLS_MAX: usize = 10_000;

/// What a recogniser says of a score sheet.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cells {
    /// The name of the game; chess without it.
    #[serde(default)]
    pub variant: Option<String>,
    /// The cells, in order. A ply without a cell is a gap.
    pub cells: Vec<Cell>,
}

/// What a recogniser says of a cell.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The number of the ply, from 1; by default the next one.
    #[serde(default)]
    pub ply: Option<usize>,
    /// Its guesses, with their probabilities; none for an empty cell.
    pub alternatives: Vec<(String, f64)>,
}

impl Cells {
    /// Reads cells as JSON.
    ///
    /// # Errors
    /// If the JSON has another shape.
    pub fn read(json: &[u8]) -> Result<Cells, CellsError> {
        Ok(serde_json::from_slice(json)?)
    }
}

impl Sheet {
    /// The cells of a score sheet.
    ///
    /// ```
    /// use ferz_decode::{Cells, Costs, Sheet};
    /// let json = br#"{"cells": [{"ply": 1, "alternatives": [["e4", 0.7], ["c4", 0.2]]}]}"#;
    /// assert!(!Sheet::of_cells(&Cells::read(json)?, Costs::built_in())?.is_empty());
    /// # Ok::<(), ferz_decode::CellsError>(())
    /// ```
    ///
    /// # Errors
    /// If a probability is not between 0 and 1, or the plies are out of order.
    pub fn of_cells(cells: &Cells, costs: &Costs) -> Result<Sheet, CellsError> {
        let mut sheet = Sheet::default();
        sheet.node();
        let mut next = 1;
        for (index, cell) in cells.cells.iter().enumerate() {
            let ply = cell.ply.unwrap_or(next);
            if ply < next {
                return Err(CellsError::Order { cell: index + 1, ply });
            }
            if ply > CELLS_MAX {
                return Err(CellsError::TooMany(ply));
            }
            // Plies without a cell.
            (next..ply).for_each(|ply| sheet.cell(ply, &[], costs));
            let sum: f64 = cell.alternatives.iter().map(|(_, p)| *p).sum();
            if cell.alternatives.iter().any(|(_, p)| !(0.0..=1.0).contains(p)) || sum > 1.0 + 1e-6 {
                return Err(CellsError::Probability { ply, sum });
            }
            sheet.cell(ply, &cell.alternatives, costs);
            next = ply + 1;
        }
        Ok(sheet)
    }

    fn cell(&mut self, ply: usize, alternatives: &[(String, f64)], costs: &Costs) {
        let (from, to) = (self.last(), self.node());
        let written = alternatives.iter().filter(|(text, _)| !text.trim().is_empty());
        let mut texts: Vec<(String, Bits)> =
            written.map(|(text, p)| (text.clone(), Bits::of(-p.max(LEAST).log2()))).collect();
        texts.sort_by_key(|(_, bits)| *bits);
        let skip = if texts.is_empty() { costs.token.missing } else { costs.token.ply_like };
        self.add(Edge {
            from,
            to,
            // The place of a cell is its ply, from 0.
            span: Span::new(ply - 1, ply),
            texts,
            natures: false,
            // Recognisers take marks for letters too often.
            mark: Mark::None,
            kind: EdgeKind::Other,
            skip: Some(skip),
            ply: Some(Bits::ZERO),
        });
    }
}

/// No guess is less likely.
const LEAST: f64 = 1e-6;
