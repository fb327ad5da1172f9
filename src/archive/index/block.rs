//! The blocks of a segment: facts in order, each with the entries in which it happened.

use crate::error::ArchiveError;
use ferz_search::Fact;

/// Entries of a segment at most; their numbers in it fit 16 bits.
pub(super) const GAMES_MAX: usize = 1 << 16;

/// Bytes of a block after which a new one begins: two fill a page of the database.
const BLOCK_BYTES: usize = 1_900;

/// How the entries of a fact are written.
const ONE: u64 = 0;
const LIST: u64 = 1;
const BITS: u64 = 2;

/// A set of entries, by their numbers in a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Games(Vec<u64>);

impl Games {
    /// No entry of so many.
    pub(super) fn none(games: usize) -> Games {
        Games(vec![0; games.div_ceil(64)])
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, game: u16) {
        if let Some(bits) = self.0.get_mut(usize::from(game) / 64) {
            *bits |= 1 << (game % 64);
        }
    }

    /// Adds the entries of another set.
    pub(super) fn or(&mut self, other: &Games) {
        self.0.iter_mut().zip(&other.0).for_each(|(bits, other)| *bits |= other);
    }

    /// Removes the entries that are not in another set.
    pub(super) fn and(&mut self, other: &Games) {
        self.0.iter_mut().zip(&other.0).for_each(|(bits, other)| *bits &= other);
    }

    /// The entries in order.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = u16> + '_ {
        let all = self.0.iter().enumerate();
        all.flat_map(|(at, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| (at * 64 + bit) as u16)
        })
    }
}

/// A block: its first fact, and its bytes.
pub(crate) type Block = (u32, Vec<u8>);

/// Writes facts in order into blocks. A fact is in one block with all its entries.
#[derive(Debug)]
pub(super) struct BlockWriter {
    games: usize,
    blocks: Vec<Block>,
    last: u32,
}

impl BlockWriter {
    /// For a segment of so many entries.
    pub(super) fn new(games: usize) -> BlockWriter {
        BlockWriter { games, blocks: Vec::new(), last: 0 }
    }

    /// Adds a fact, which comes after all before it, with its entries in order.
    pub(super) fn add(&mut self, fact: Fact, games: &[u16]) {
        if self.blocks.last().is_none_or(|(_, bytes)| bytes.len() >= BLOCK_BYTES) {
            self.blocks.push((fact.0, Vec::with_capacity(BLOCK_BYTES)));
            self.last = fact.0;
        }
        let Some((_, bytes)) = self.blocks.last_mut() else { return };
        let delta = u64::from(fact.0 - self.last) << 2;
        self.last = fact.0;
        match games {
            [one] => {
                number(delta | ONE, bytes);
                bytes.extend(one.to_le_bytes());
            }
            // A list takes a byte or two for each entry.
            _ if games.len() < self.games / 8 => {
                number(delta | LIST, bytes);
                number(games.len() as u64, bytes);
                let mut before = 0;
                for game in games {
                    number(u64::from(game - before), bytes);
                    before = *game;
                }
            }
            _ => {
                number(delta | BITS, bytes);
                let mut set = Games::none(self.games);
                games.iter().for_each(|game| set.add(*game));
                bytes.extend(set.0.iter().flat_map(|bits| bits.to_le_bytes()));
            }
        }
    }

    /// The blocks.
    pub(super) fn blocks(self) -> Vec<Block> {
        self.blocks
    }
}

/// A number as seven bits a byte, the lowest first.
pub(super) fn number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads the facts of a block.
#[derive(Debug)]
pub(super) struct BlockReader<'b> {
    games: usize,
    fact: u32,
    left: &'b [u8],
}

impl<'b> BlockReader<'b> {
    /// Of a segment of so many entries.
    pub(super) fn new(games: usize, first: u32, bytes: &'b [u8]) -> BlockReader<'b> {
        BlockReader { games, fact: first, left: bytes }
    }

    /// The next fact; `None` after the last one. Its entries follow by [`games`](Self::games), which must be called.
    pub(super) fn next(&mut self) -> Result<Option<(Fact, u64)>, ArchiveError> {
        if self.left.is_empty() {
            return Ok(None);
        }
        let head = self.number()?;
        let fact = u64::from(self.fact) + (head >> 2);
        self.fact = u32::try_from(fact).map_err(|_| damaged())?;
        Ok(Some((Fact(self.fact), head & 3)))
    }

    /// Calls `each` for the entries of the fact, in order.
    pub(super) fn games(&mut self, form: u64, mut each: impl FnMut(u16)) -> Result<(), ArchiveError> {
        match form {
            ONE => each(u16::from_le_bytes(self.take()?)),
            LIST => {
                let count = self.number()?;
                let mut game = 0;
                for _ in 0..count {
                    game += self.number()?;
                    each(u16::try_from(game).map_err(|_| damaged())?);
                }
            }
            BITS => {
                for at in 0..self.games.div_ceil(64) {
                    let bits = u64::from_le_bytes(self.take()?);
                    (0..64).filter(|bit| bits >> bit & 1 == 1).for_each(|bit| each((at * 64 + bit) as u16));
                }
            }
            _ => return Err(damaged()),
        }
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], ArchiveError> {
        let (bytes, left) = self.left.split_first_chunk().ok_or_else(damaged)?;
        self.left = left;
        Ok(*bytes)
    }

    fn number(&mut self) -> Result<u64, ArchiveError> {
        take_number(&mut self.left).ok_or_else(damaged)
    }
}

/// The inverse of [`number`], at the front of bytes; `None` if they are cut or it has more than 35 bits.
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let (byte, left) = bytes.split_first()?;
        *bytes = left;
        number |= u64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn damaged() -> ArchiveError {
    ArchiveError::Corrupt("a block of its index".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for games in [1, 7, 64, 1_000, GAMES_MAX] {
            let mut writer = BlockWriter::new(games);
            let sets: Vec<(Fact, Vec<u16>)> = (0..2_000_u32)
                .map(|number| {
                    let step = [1, 2, 3, 17, 400, GAMES_MAX][number as usize % 6];
                    let set = (0..games).step_by(step).map(|game| game as u16).collect();
                    (Fact(number * number * 1_000 + number % 3), set)
                })
                .collect();
            sets.iter().for_each(|(fact, set)| writer.add(*fact, set));
            let mut read = Vec::new();
            for (first, bytes) in writer.blocks() {
                let mut reader = BlockReader::new(games, first, &bytes);
                assert!(bytes.len() < BLOCK_BYTES + games / 4 + 16);
                while let Some((fact, form)) = reader.next().unwrap() {
                    let mut set = Vec::new();
                    reader.games(form, |game| set.push(game)).unwrap();
                    read.push((fact, set));
                }
            }
            assert_eq!(read, sets, "{games}");
        }
    }

    #[test]
    fn damage_is_an_error() {
        let mut writer = BlockWriter::new(100);
        writer.add(Fact(1), &[1, 2, 3]);
        let (first, bytes) = writer.blocks().remove(0);
        for cut in 1..bytes.len() {
            let mut reader = BlockReader::new(100, first, &bytes[..cut]);
            let read =
                reader.next().and_then(|next| next.map_or(Ok(()), |(_, form)| reader.games(form, |_| ())));
            assert!(read.is_err(), "{cut}");
        }
    }

    #[test]
    fn sets_are_joined_and_cut() {
        let of = |games: &[u16]| {
            let mut set = Games::none(200);
            games.iter().for_each(|game| set.add(*game));
            set
        };
        let mut set = of(&[0, 63, 64, 199]);
        set.or(&of(&[5]));
        set.and(&of(&[5, 64, 199, 100]));
        assert_eq!(set.iter().collect::<Vec<_>>(), [5, 64, 199]);
        assert_eq!(set.iter().rev().collect::<Vec<_>>(), [199, 64, 5]);
    }
}
