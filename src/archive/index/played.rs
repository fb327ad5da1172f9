//! The games of a segment, packed so that a search plays them over without reading texts: a number of entries to a
//! block, in order, each with the key of its rules.

use super::block::{Block, number, take_number};
use crate::error::ArchiveError;
use crate::pack::{pack, unpack};
use ferz_search::RulesKey;

/// How many entries share a block. To unpack one takes about as long as to replay one of its games.
const GAMES_A_BLOCK: i64 = 128;

/// An entry's game, and the key of its rules.
pub(super) type Played = (RulesKey, Vec<u8>);

/// The block of an entry.
pub(super) fn block_of(entry: i64) -> u32 {
    u32::try_from(entry / GAMES_A_BLOCK).unwrap_or(u32::MAX)
}

/// The blocks of a segment's games: of each entry from `first` on, `None` if it cannot be judged or was forgotten.
///
/// # Errors
/// If there is no memory.
pub(super) fn blocks_of(first: i64, games: &[Option<Played>]) -> Result<Vec<Block>, ArchiveError> {
    let mut blocks: Vec<Block> = Vec::new();
    for (entry, game) in (first..).zip(games) {
        if blocks.last().is_none_or(|(block, _)| *block != block_of(entry)) {
            blocks.push((block_of(entry), Vec::new()));
        }
        let Some((_, bytes)) = blocks.last_mut() else { continue };
        match game {
            Some((rules, game)) => {
                number(game.len() as u64 + 1, bytes);
                bytes.extend(rules.0.to_le_bytes());
                bytes.extend(game);
            }
            None => number(0, bytes),
        }
    }
    blocks.into_iter().map(|(block, bytes)| Ok((block, pack(&bytes)?))).collect()
}

/// The blocks of two segments of which the second begins where the first ends.
///
/// # Errors
/// If a block that both have is damaged.
pub(super) fn joined(mut before: Vec<Block>, after: Vec<Block>) -> Result<Vec<Block>, ArchiveError> {
    let mut after = after.into_iter();
    if let Some(first) = after.next() {
        match before.last_mut() {
            Some((block, bytes)) if *block == first.0 => {
                *bytes = pack(&[unpack(bytes)?, unpack(&first.1)?].concat())?;
            }
            _ => before.push(first),
        }
    }
    before.extend(after);
    Ok(before)
}

/// True if blocks hold the same games, however they are packed.
///
/// # Errors
/// If one is damaged.
pub(super) fn agree(one: &[Block], other: &[Block]) -> Result<bool, ArchiveError> {
    let mut pairs = one.iter().zip(other);
    Ok(one.len() == other.len()
        && pairs.try_fold(true, |agree, (one, other)| {
            Ok::<_, ArchiveError>(agree && one.0 == other.0 && unpack(&one.1)? == unpack(&other.1)?)
        })?)
}

/// The unpacked games of one block.
#[derive(Debug, Default)]
pub(super) struct Games {
    bytes: Vec<u8>,
    /// The number of the first entry.
    first: i64,
    /// Where each begins and ends in the bytes, its rules included.
    places: Vec<(usize, usize)>,
}

impl Games {
    /// Unpacks a block of a segment that begins with the entry `first`.
    ///
    /// # Errors
    /// If it is damaged.
    pub(super) fn unpack((block, bytes): &Block, first: i64) -> Result<Games, ArchiveError> {
        let damaged = || ArchiveError::Corrupt("a block of games of its index".to_owned());
        let bytes = unpack(bytes)?;
        let mut places = Vec::with_capacity(GAMES_A_BLOCK as usize);
        let mut at = 0;
        while at < bytes.len() {
            let mut left = &bytes[at..];
            let length = take_number(&mut left).ok_or_else(damaged)? as usize;
            at = bytes.len() - left.len();
            let end = match length {
                0 => at,
                length => at + size_of::<RulesKey>() + length - 1,
            };
            places.push((at, end));
            at = end;
        }
        if at != bytes.len() {
            return Err(damaged());
        }
        Ok(Games { bytes, first: first.max(i64::from(*block) * GAMES_A_BLOCK), places })
    }

    /// The game of an entry, with the key of its rules; `None` if nothing is known of it.
    pub(super) fn game(&self, entry: i64) -> Option<(RulesKey, &[u8])> {
        let (at, end) = *self.places.get(usize::try_from(entry - self.first).ok()?)?;
        let (rules, game) = self.bytes.get(at..end)?.split_first_chunk()?;
        Some((RulesKey(u64::from_le_bytes(*rules)), game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(entry: i64) -> Option<Played> {
        let length = (entry * entry % 400) as usize;
        (entry % 5 != 2).then(|| (RulesKey(entry as u64 % 3), vec![entry as u8; length]))
    }

    fn of(first: i64, count: i64) -> Vec<Block> {
        blocks_of(first, &(first..first + count).map(game).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn games_are_found_in_their_blocks() {
        for (first, count) in [(1, 1), (1, 700), (100, 28), (100, 29), (127, 2), (128, 128)] {
            let all = of(first, count);
            for entry in first..first + count {
                let block = all.iter().find(|(block, _)| *block == block_of(entry)).unwrap();
                let games = Games::unpack(block, first).unwrap();
                let found = games.game(entry).map(|(rules, game)| (rules, game.to_vec()));
                assert_eq!(found, game(entry), "{first} {count} {entry}");
                assert_eq!(games.game(first - 1), None);
                assert_eq!(games.game(first + count), None);
            }
        }
    }

    #[test]
    fn joined_blocks_are_those_of_all() {
        for cut in [1, 50, 127, 128, 129, 300] {
            let all = joined(of(1, cut), of(1 + cut, 400)).unwrap();
            let unpacked = |blocks: Vec<Block>| -> Vec<(u32, Vec<u8>)> {
                blocks.into_iter().map(|(block, bytes)| (block, unpack(&bytes).unwrap())).collect()
            };
            assert_eq!(unpacked(all), unpacked(of(1, 400 + cut)), "{cut}");
        }
    }

    #[test]
    fn damage_is_an_error() {
        let (block, bytes) = of(1, 20).remove(0);
        let whole = unpack(&bytes).unwrap();
        for cut in 1..whole.len() {
            // Cut between two games, it has fewer.
            if let Ok(games) = Games::unpack(&(block, pack(&whole[..cut]).unwrap()), 1) {
                assert!((1..=20).all(|entry| {
                    games.game(entry).is_none_or(|found| Some((found.0, found.1.to_vec())) == game(entry))
                }));
            }
        }
    }
}
