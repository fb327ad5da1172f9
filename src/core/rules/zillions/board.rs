//! The board and where the pieces stand.

use super::moves::Directions;
use super::sexp::Sexp;
use super::{Game, part};
use crate::rules::fairy::places::{Places, Size};
use std::collections::BTreeMap;

/// A board of files and ranks, with the names of its squares and of the directions.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) size: Size,
    /// By name: file and rank, from 1.
    squares: BTreeMap<String, (u8, u8)>,
    /// The directions of the player who begins, and those of the other one.
    pub(super) directions: [Directions; 2],
    /// By zone: its squares for each player, as far as it has some.
    zones: BTreeMap<String, [Option<Places>; 2]>,
}

/// A fault: its line, and why.
pub(super) type Fault = (usize, String);

impl Grid {
    /// The board of a game between two players.
    pub(super) fn of(game: &Game, players: &[String; 2]) -> Result<Grid, Fault> {
        let fail = |at: &Sexp, why: &str| (at.line(), why.to_owned());
        let board = game.one("board").ok_or((game.line, "the game has no board".to_owned()))?;
        let grid =
            part(board, "grid").ok_or_else(|| fail(board, "only a board that is one `grid` is said"))?;
        let dimensions = part(grid, "dimensions").ok_or_else(|| fail(grid, "the grid has no dimensions"))?;
        let [files, ranks] = dimensions.rest() else {
            return Err(fail(dimensions, "a board has files and ranks, and nothing more"));
        };
        let names = |names: &Sexp| -> Vec<String> {
            let text = names.list().first().and_then(Sexp::word).or(names.word()).unwrap_or_default();
            text.split('/').map(str::to_owned).collect()
        };
        let (files, ranks) = (names(files), names(ranks));
        if files.len() > 16 || ranks.len() > 16 {
            return Err(fail(dimensions, "the board is too large"));
        }
        // Ranks may be named from either side; the first one is the lowest.
        let falls = ranks.first().zip(ranks.last()).is_some_and(|(first, last)| {
            let number = |name: &str| name.parse::<i32>().unwrap_or(0);
            number(first) > number(last)
        });
        let height = |index: usize| if falls { ranks.len() - index } else { index + 1 };
        let mut squares = BTreeMap::new();
        for (file, letter) in files.iter().enumerate() {
            for (rank, number) in ranks.iter().enumerate() {
                squares.insert(format!("{letter}{number}"), (file as u8 + 1, height(rank) as u8));
            }
        }
        let own = directions(grid, falls)?;
        let other = mirrored(&own, board, &players[1])?;
        let size = Size { files: files.len() as u8, ranks: ranks.len() as u8 };
        let mut grid = Grid { size, squares, directions: [own, other], zones: BTreeMap::new() };
        for zone in board.rest().iter().filter(|part| part.head() == "zone") {
            grid.add_zone(zone, players)?;
        }
        for part in board.rest() {
            if !["grid", "image", "zone", "symmetry"].contains(&part.head()) {
                return Err(fail(
                    part,
                    "a board in a definition has all squares of its files and ranks, as they lie",
                ));
            }
        }
        Ok(grid)
    }

    /// The squares of a list of names.
    pub(super) fn squares(&self, names: &[Sexp]) -> Result<Vec<(u8, u8)>, Fault> {
        let square = |name: &Sexp| {
            let found = name.word().and_then(|name| self.squares.get(name).copied());
            found.ok_or_else(|| (name.line(), format!("`{name}` is no square of the board")))
        };
        names.iter().map(square).collect()
    }

    fn add_zone(&mut self, zone: &Sexp, players: &[String; 2]) -> Result<(), Fault> {
        let name = part(zone, "name").and_then(|name| name.rest().first()?.word()).unwrap_or_default();
        let squares = self.squares(part(zone, "positions").map_or(&[], |positions| positions.rest()))?;
        let of = part(zone, "players");
        let owned = self.zones.entry(name.to_owned()).or_default();
        for (own, player) in owned.iter_mut().zip(players) {
            if of.is_none_or(|of| of.says(player)) {
                *own = Some(Places::of(self.size, &squares));
            }
        }
        Ok(())
    }

    /// The squares of a zone, which must lie for both players as each sees them.
    pub(super) fn zone(&self, name: &str) -> Result<&Places, String> {
        match self.zones.get(name) {
            Some([Some(own), Some(other)]) if !own.is_none() && *other == own.mirrored() => Ok(own),
            _ => Err(format!("the zone `{name}` is not the same for both players, as each sees it")),
        }
    }
}

/// `(directions (n 0 -1) …)`, in squares to the right and upward.
fn directions(grid: &Sexp, falls: bool) -> Result<Directions, Fault> {
    let list = part(grid, "directions").ok_or((grid.line(), "the grid has no directions".to_owned()))?;
    let number = |word: &Sexp| word.word().and_then(|word| word.parse::<i8>().ok());
    let direction = |item: &Sexp| match item.list() {
        [Sexp::Word(name, _), x, y] => {
            let (x, y) = number(x).zip(number(y))?;
            Some((name.clone(), (x, if falls { y.checked_neg()? } else { y })))
        }
        _ => None,
    };
    let wrong = |item: &Sexp| (item.line(), format!("`{item}` is no direction on files and ranks"));
    list.rest().iter().map(|item| direction(item).ok_or_else(|| wrong(item))).collect()
}

/// The directions of the other player: `(symmetry Black (n s) …)`.
fn mirrored(own: &Directions, board: &Sexp, player: &str) -> Result<Directions, Fault> {
    let mut found = own.clone();
    for symmetry in board.rest().iter().filter(|part| part.head() == "symmetry" && part.says(player)) {
        for pair in symmetry.rest().iter().filter(|pair| !pair.list().is_empty()) {
            let meant = match pair.list() {
                [Sexp::Word(from, _), Sexp::Word(to, _)] => own.get(to).map(|to| (from, *to)),
                _ => None,
            };
            let Some((from, to)) = meant else {
                return Err((pair.line(), format!("`{pair}` names no two directions")));
            };
            found.insert(from.clone(), to);
        }
    }
    Ok(found)
}
