//! Endgame tables: the value of every position of some material, made on demand from the compiled rules of any game.
//!
//! A [`Table`] knows for each placement of its men, with either side to move, who wins and in how many moves of the
//! winner. A ply that captures or promotes leads to a table of other material, so [`Tables`] makes those first. They
//! know no castling, no en passant, no stocks and no move counters. [`Material::obstacle`] says which games and men
//! they cannot represent.
//!
//! ```
//! use ferz_proof::tables::{Material, Tables};
//! use ferz_core::rules::{AnyRules, Registry};
//! use ferz_core::text::Budget;
//!
//! let AnyRules::Narrow(rules) = Registry::built_in().rules("chess", &|_| None)? else { return Ok(()) };
//! let material = Material::parse(&rules, "KQvK")?;
//! let mut tables = Tables::new(rules);
//! let table = tables.build(&material, &Budget::unlimited(), &mut |_, _| ())?;
//! assert_eq!(table.stats().white_to_move.longest_win, Some(10));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;
mod layout;
mod material;
mod moves;
mod prepare;
mod slab;
mod solve;
mod steps;
mod symmetry;
mod table;
#[cfg(test)]
mod tests;
mod verify;

pub use file::Header;
pub use material::Material;
pub use table::{Stats, Table, Turn, Value, material_of};
pub use verify::{Extent, Fault, Verified};

use ferz_core::board::Owner;
use ferz_core::position::Position;
use ferz_core::rules::{Piece, Rules};
use ferz_core::text::limits::TABLE_POSITIONS_MAX;
use ferz_core::text::{Budget, Exhausted};
use layout::Layout;
use prepare::{Exit, Link};
use solve::Problem;
use std::collections::HashMap;
use std::sync::Arc;

/// Why there is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The material is not understood, or no table can represent it.
    #[error("{0}")]
    Material(String),
    /// No table can represent the rules.
    #[error("no endgame tables for this game: {0}")]
    Rules(&'static str),
    /// The table would be too large.
    #[error("{positions} positions to keep; tables have at most {}", TABLE_POSITIONS_MAX)]
    TooLarge {
        /// How many positions it would keep.
        positions: u64,
    },
    /// A win takes more moves than a table can hold.
    #[error("a win takes more than 254 moves")]
    TooLong,
    /// A file of tables cannot be read or written.
    #[error("{0}")]
    File(&'static str),
    /// The budget ended.
    #[error("{0}")]
    Exhausted(Exhausted),
}

impl From<Exhausted> for TableError {
    fn from(exhausted: Exhausted) -> TableError {
        TableError::Exhausted(exhausted)
    }
}

/// How far the making of a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Whose wins are being found.
    pub attacker: Owner,
    /// All wins in so many moves are found.
    pub moves: u8,
}

/// The tables of one game, made on demand.
#[derive(Debug)]
pub struct Tables {
    rules: Arc<Rules<u64>>,
    tables: HashMap<Material, Arc<Table>>,
}

impl Tables {
    /// No tables yet.
    pub fn new(rules: Arc<Rules<u64>>) -> Tables {
        Tables { rules, tables: HashMap::new() }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<Rules<u64>> {
        &self.rules
    }

    /// A table that was made.
    pub fn get(&self, material: &Material) -> Option<&Arc<Table>> {
        self.tables.get(material)
    }

    /// Adds a table.
    fn insert(&mut self, material: Material, table: Arc<Table>) {
        self.tables.insert(material, table);
    }

    /// Takes those tables of others that a material and what its plies lead to need.
    ///
    /// # Errors
    /// If no table can represent the rules or the material.
    pub fn adopt<'t>(
        &mut self,
        material: &Material,
        others: impl Iterator<Item = &'t Tables>,
    ) -> Result<(), TableError> {
        let needed = self.with_exits(material)?;
        for table in others.flat_map(Tables::all).filter(|table| needed.contains(table.material())) {
            self.insert(table.material().clone(), Arc::clone(table));
        }
        Ok(())
    }

    /// All tables that were made.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values()
    }

    /// What a table costs: the positions that it keeps, with those of all tables that its plies lead to.
    ///
    /// # Errors
    /// If no table can represent the rules or the material.
    pub fn cost(&self, material: &Material) -> Result<u64, TableError> {
        if let Some(error) = material.obstacle(&self.rules) {
            return Err(error);
        }
        let kept = |material: &Material| Layout::new(&self.rules, material).positions();
        Ok(self.with_exits(material)?.iter().map(kept).sum())
    }

    /// The material and all that its plies lead to, each after what it leads to itself.
    fn with_exits(&self, material: &Material) -> Result<Vec<Material>, TableError> {
        let mut all = Vec::new();
        self.add_exits(material, &mut all)?;
        Ok(all)
    }

    fn add_exits(&self, material: &Material, all: &mut Vec<Material>) -> Result<(), TableError> {
        if all.contains(material) {
            return Ok(());
        }
        for exit in exits(&self.rules, &steps::men(&self.rules, material)?) {
            let (_, left) = sorted(&self.rules, after(material, exit))?;
            self.add_exits(&left, all)?;
        }
        all.push(material.clone());
        Ok(())
    }

    /// The table of the material; it is made first, with all tables that its plies lead to. `progress` is called after
    /// each round of each table.
    ///
    /// # Errors
    /// If no table can represent the rules or the material, the table would be too large, or the budget ends.
    pub fn build(
        &mut self,
        material: &Material,
        budget: &Budget,
        progress: &mut dyn FnMut(&Material, Round),
    ) -> Result<Arc<Table>, TableError> {
        if let Some(table) = self.tables.get(material) {
            return Ok(Arc::clone(table));
        }
        if let Some(error) = material.obstacle(&self.rules) {
            return Err(error);
        }
        let rules = Arc::clone(&self.rules);
        let men = steps::men(&rules, material)?;
        let layout = Layout::new(&rules, material);
        let positions = layout.positions();
        if positions > TABLE_POSITIONS_MAX {
            return Err(TableError::TooLarge { positions });
        }
        let mut links = HashMap::new();
        for exit in exits(&rules, &men) {
            let left = after(material, exit);
            let (order, men) = sorted(&rules, left)?;
            let table = self.build(&men, budget, progress)?;
            links.insert(exit, Link { table, men: order });
        }
        let mut report = |round| progress(material, round);
        let mut problem = Problem {
            rules: &rules,
            layout: &layout,
            men: &men,
            links: &links,
            budget,
            progress: &mut report,
        };
        let halves = problem.solve()?;
        let allowed = men.iter().map(|man| man.allowed).collect();
        let table = Arc::new(Table::new(material.clone(), layout, allowed, halves));
        self.insert(material.clone(), Arc::clone(&table));
        Ok(table)
    }

    /// The value of a position for the side to move, by a table that was made before; `None` if there is no such table
    /// or the position has what tables do not know: rights, stocks.
    pub fn value(&self, position: &Position<u64>) -> Option<Value> {
        let (material, squares) = table::men_of(position).ok()?;
        self.tables.get(&material)?.value(position.turn(), &squares)
    }
}

/// Every way of leaving the table.
fn exits(rules: &Rules<u64>, men: &[steps::Man]) -> Vec<Exit> {
    let mut exits = Vec::new();
    for (number, man) in men.iter().enumerate() {
        let targets = || (2..men.len()).filter(|&target| men[target].piece.owner != man.piece.owner);
        let captures = man.captures.iter().any(|steps| !steps.is_empty()) || man.complex;
        if captures {
            exits.extend(targets().map(|target| Exit { captured: Some(target), promoted: None }));
        }
        for (captures, promotions) in [false, true].into_iter().zip(&man.promotions) {
            let kinds = promotions.iter().flatten().fold(0, |all, promotion| all | promotion.kinds.0);
            for kind in ferz_core::rules::KindSet(kinds).kinds().filter(|kind| *kind != rules.king) {
                let promoted = Some((number, kind));
                if captures {
                    exits.extend(targets().map(|target| Exit { captured: Some(target), promoted }));
                } else {
                    exits.push(Exit { captured: None, promoted });
                }
            }
        }
    }
    exits.sort_unstable_by_key(|exit| (exit.captured, exit.promoted.map(|(man, kind)| (man, kind.0))));
    exits.dedup();
    exits
}

/// The men after a ply that leaves the table, with their numbers before it.
fn after(material: &Material, exit: Exit) -> Vec<(usize, Piece)> {
    let men = material.men().iter().copied().enumerate();
    let left = men.filter(|(number, _)| Some(*number) != exit.captured);
    left.map(|(number, man)| match exit.promoted {
        Some((promoted, kind)) if promoted == number => (number, Piece { kind, ..man }),
        _ => (number, man),
    })
    .collect()
}

/// The men in the order of their material, by their numbers before, and the material.
fn sorted(rules: &Rules<u64>, mut men: Vec<(usize, Piece)>) -> Result<(Vec<usize>, Material), TableError> {
    men.sort_by_key(|(_, man)| (man.kind != rules.king, man.owner, man.kind));
    let material = Material::new(rules, men.iter().map(|(_, man)| *man).collect())?;
    Ok((men.into_iter().map(|(number, _)| number).collect(), material))
}
