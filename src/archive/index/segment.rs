//! Segments of the index.

use super::block::{Block, BlockReader, BlockWriter, Games};
use super::played;
use crate::error::ArchiveError;
use crate::pack::{pack, unpack};
use ferz_search::{FACTS_VERSION, Fact, Proposal, RulesKey, TagValues};
use rayon::slice::ParallelSliceMut;
use std::collections::BTreeMap;

/// A segment, without its blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Its number.
    pub(crate) number: i64,
    /// The number of its first entry.
    pub(crate) first: i64,
    /// How many entries it covers, forgotten ones included.
    pub(crate) games: usize,
    /// The version of its facts.
    pub(crate) version: u32,
    /// The rules of its entries, each with the number in the segment of an entry that was judged by them.
    pub(crate) rules: BTreeMap<RulesKey, u16>,
    /// Of all of it, as stored: [`Segment::digest_of`].
    pub(crate) digest: [u8; 16],
}

/// What a segment holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contents {
    /// By their first facts.
    pub(crate) blocks: Vec<Block>,
    /// The values of the tags of its entries, as stored: [`pack_tags`].
    pub(crate) tags: Vec<u8>,
    /// Its games, as stored: by the number of the block.
    pub(crate) games: Vec<Block>,
}

/// A segment to store.
#[derive(Debug)]
pub(crate) struct NewSegment {
    /// Without a number.
    pub(crate) segment: Segment,
    pub(crate) contents: Contents,
    /// How many entries of the archive were forgotten when texts were read for it; `None` if none was read.
    pub(crate) forgotten: Option<u64>,
}

/// The values of tags as a segment holds them: JSON, packed like texts.
///
/// # Errors
/// If there is no memory.
pub(super) fn pack_tags(values: &TagValues) -> Result<Vec<u8>, ArchiveError> {
    let json = serde_json::to_vec(values).map_err(|error| ArchiveError::Corrupt(error.to_string()))?;
    pack(&json)
}

/// The inverse of [`pack_tags`].
///
/// # Errors
/// If the bytes are damaged.
pub(super) fn unpack_tags(packed: &[u8]) -> Result<TagValues, ArchiveError> {
    serde_json::from_slice(&unpack(packed)?)
        .map_err(|_| ArchiveError::Corrupt("tags of the index are damaged".to_owned()))
}

impl Segment {
    /// The digest of the segment with its contents, which finds damage without a replay: BLAKE3.
    pub(crate) fn digest_of(&self, contents: &Contents) -> [u8; 16] {
        let mut digest = blake3::Hasher::new();
        digest.update(&self.first.to_le_bytes());
        digest.update(&(self.games as u64).to_le_bytes());
        digest.update(&self.version.to_le_bytes());
        for (key, game) in &self.rules {
            digest.update(&key.0.to_le_bytes());
            digest.update(&game.to_le_bytes());
        }
        for blocks in [&contents.blocks, &contents.games] {
            digest.update(&(blocks.len() as u64).to_le_bytes());
            for (number, bytes) in blocks {
                digest.update(&number.to_le_bytes());
                digest.update(&(bytes.len() as u64).to_le_bytes());
                digest.update(bytes);
            }
        }
        digest.update(&contents.tags);
        let mut short = [0; 16];
        digest.finalize_xof().fill(&mut short);
        short
    }

    /// The number of the entry after the last one.
    pub(crate) fn end(&self) -> i64 {
        self.first + self.games as i64
    }

    /// The entries that a proposal names, from what the blocks say.
    pub(super) fn proposed(&self, proposal: &Proposal, known: &BTreeMap<Fact, Games>) -> Games {
        let mut all = Games::none(self.games);
        match proposal {
            Proposal::All | Proposal::Tagged(_) => (0..self.games).for_each(|game| all.add(game as u16)),
            Proposal::Has(facts) => {
                facts.iter().filter_map(|fact| known.get(fact)).for_each(|games| all.or(games));
            }
            Proposal::Some(parts) => parts.iter().for_each(|part| all.or(&self.proposed(part, known))),
            Proposal::Every(parts) => {
                let mut parts = parts.iter().map(|part| self.proposed(part, known));
                all = parts.next().unwrap_or(all);
                parts.for_each(|part| all.and(&part));
            }
        }
        all
    }

    /// Reads the entries of facts from a block.
    pub(super) fn read(
        &self,
        (first, bytes): &Block,
        wanted: &[Fact],
        known: &mut BTreeMap<Fact, Games>,
    ) -> Result<(), ArchiveError> {
        let mut reader = BlockReader::new(self.games, *first, bytes);
        while let Some((fact, form)) = reader.next()? {
            if wanted.binary_search(&fact).is_ok() {
                let mut games = Games::none(self.games);
                reader.games(form, |game| games.add(game))?;
                known.insert(fact, games);
            } else {
                reader.games(form, |_| ())?;
            }
        }
        Ok(())
    }

    /// One segment in place of neighbours, each with its contents.
    pub(super) fn merged(parts: Vec<(Segment, Contents)>) -> Result<NewSegment, ArchiveError> {
        let first = parts.first().map_or(0, |(part, _)| part.first);
        let games = parts.iter().map(|(part, _)| part.games).sum();
        let mut values = TagValues::default();
        let mut merged = Segment {
            number: 0,
            first,
            games,
            version: FACTS_VERSION,
            rules: BTreeMap::new(),
            digest: [0; 16],
        };
        let mut streams = Vec::new();
        let mut shift = 0;
        let mut played = Vec::new();
        for (part, contents) in parts {
            values.merge(unpack_tags(&contents.tags)?);
            played = played::joined(played, contents.games)?;
            part.rules.iter().for_each(|(key, game)| _ = merged.rules.entry(*key).or_insert(shift + game));
            let by = shift;
            let facts = contents.blocks.into_iter().flat_map(move |block| decoded(&block, part.games, by));
            streams.push(facts.peekable());
            shift = shift.wrapping_add(part.games as u16);
        }
        let mut writer = BlockWriter::new(games);
        let mut of_fact = Vec::new();
        loop {
            let heads = streams.iter_mut().filter_map(|facts| facts.peek());
            let Some(least) = heads.map(|head| head.as_ref().map_or(Fact(0), |(fact, _)| *fact)).min() else {
                break;
            };
            of_fact.clear();
            for facts in &mut streams {
                if let Some(head) = facts.next_if(|head| head.as_ref().is_ok_and(|(fact, _)| *fact == least))
                {
                    of_fact.extend(head?.1);
                } else if let Some(Err(error)) = facts.next_if(Result::is_err) {
                    return Err(error);
                }
            }
            writer.add(least, &of_fact);
        }
        let contents = Contents { blocks: writer.blocks(), tags: pack_tags(&values)?, games: played };
        Ok(NewSegment { segment: merged, contents, forgotten: None })
    }
}

/// The facts of a block with their entries, whose numbers grow by so much. An error ends them.
fn decoded(block: &Block, games: usize, shift: u16) -> Vec<Result<(Fact, Vec<u16>), ArchiveError>> {
    let mut reader = BlockReader::new(games, block.0, &block.1);
    let mut next = || {
        let Some((fact, form)) = reader.next()? else { return Ok(None) };
        let mut games = Vec::new();
        reader.games(form, |game| games.push(game.wrapping_add(shift)))?;
        Ok(Some((fact, games)))
    };
    let mut facts = Vec::new();
    loop {
        match next() {
            Ok(Some(fact)) => facts.push(Ok(fact)),
            Ok(None) => return facts,
            Err(error) => {
                facts.push(Err(error));
                return facts;
            }
        }
    }
}

/// That a fact is one of an entry, as one number: millions of them are sorted, which takes a third of the time that it
/// takes with pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found(u64);

impl Found {
    /// In the entry with this number in the segment.
    pub(super) fn new(fact: Fact, game: u16) -> Found {
        Found(u64::from(fact.0) << 16 | u64::from(game))
    }

    fn fact(self) -> Fact {
        Fact((self.0 >> 16) as u32)
    }

    fn game(self) -> u16 {
        self.0 as u16
    }
}

/// The blocks of what happened in so many entries.
pub(super) fn blocks_of(games: usize, mut all: Vec<Found>) -> Vec<Block> {
    all.par_sort_unstable();
    let mut writer = BlockWriter::new(games);
    let mut of_fact = Vec::new();
    for same in all.chunk_by(|one, other| one.fact() == other.fact()) {
        of_fact.clear();
        of_fact.extend(same.iter().map(|found| found.game()));
        writer.add(same[0].fact(), &of_fact);
    }
    writer.blocks()
}
