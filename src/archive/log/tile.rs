//! The paths of tiles (c2sp.org/tlog-tiles).

use super::note::number;

/// Levels of the tree in a tile.
pub(crate) const TILE_LEVELS: u32 = 8;

/// The number of hashes of a full tile.
pub(crate) const TILE_WIDTH: u64 = 1 << TILE_LEVELS;

/// A tile: up to 256 consecutive hashes of a level of the tree, or the leaves under a tile of level 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// The level of the tile, each of which is 8 levels of the tree; `None` for leaves.
    pub level: Option<u8>,
    /// The number of the tile in its level.
    pub number: u64,
    /// The number of hashes or leaves, from 1 to 256.
    pub width: u64,
}

impl Tile {
    /// Reads a path such as `0/x001/067`, `1/000.p/17` or `entries/012`.
    pub fn from_path(path: &str) -> Option<Tile> {
        let (level, rest) = path.split_once('/')?;
        let level = match level {
            "entries" => None,
            level => {
                Some(number(level).and_then(|level| u8::try_from(level).ok()).filter(|level| *level < 64)?)
            }
        };
        let (rest, width) = match rest.split_once(".p/") {
            Some((rest, width)) => (rest, number(width).filter(|width| (1..TILE_WIDTH).contains(width))?),
            None => (rest, TILE_WIDTH),
        };
        let mut index: u64 = 0;
        let mut parts = rest.split('/').peekable();
        while let Some(part) = parts.next() {
            let digits = if parts.peek().is_some() { part.strip_prefix('x')? } else { part };
            if digits.len() != 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            index = index.checked_mul(1_000)?.checked_add(digits.parse().ok()?)?;
        }
        let tile = Tile { level, number: index, width };
        // The only path of a tile is the one without leading `x000`.
        (tile.path() == path).then_some(tile)
    }

    /// The path.
    pub fn path(&self) -> String {
        let mut parts = vec![format!("{:03}", self.number % 1_000)];
        let mut rest = self.number / 1_000;
        while rest > 0 {
            parts.insert(0, format!("x{:03}", rest % 1_000));
            rest /= 1_000;
        }
        let level = self.level.map_or_else(|| "entries".to_owned(), |level| level.to_string());
        let partial = if self.width < TILE_WIDTH { format!(".p/{}", self.width) } else { String::new() };
        format!("{level}/{}{partial}", parts.join("/"))
    }

    /// The numbers of the first hash of its level, and of the one after the last.
    pub(crate) fn range(&self) -> Option<(u64, u64)> {
        let first = self.number.checked_mul(TILE_WIDTH)?;
        Some((first, first.checked_add(self.width)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_specification() {
        let tile = |level, number, width| Some(Tile { level, number, width });
        for (path, expected) in [
            ("0/x001/x234/067", tile(Some(0), 1_234_067, 256)),
            ("1/000.p/17", tile(Some(1), 0, 17)),
            ("entries/012", tile(None, 12, 256)),
            ("63/999.p/255", tile(Some(63), 999, 255)),
            ("64/000", None),
            ("0/12", None),
            ("0/x000/012", None),
            ("0/001.p/256", None),
            ("0/001.p/0", None),
            ("00/001", None),
            ("0/x001", None),
            ("0/x999/x999/x999/x999/x999/x999/x999/999", None),
        ] {
            assert_eq!(Tile::from_path(path), expected, "{path}");
        }
    }
}
