//! Tables as bytes: a header that names rules and men, the values at one byte a position, and a digest.

use super::layout::Layout;
use super::slab::Slab;
use super::table::Table;
use super::{Material, TableError, Tables, steps};
use ferz_core::rules::Rules;
use std::sync::Arc;

/// The first bytes of a file of tables.
const MAGIC: &[u8] = b"ferz tables 1\n";
/// Bytes of a digest.
const DIGEST: usize = 32;

/// The code of a draw; losses in 0, 1, 2, … moves follow, then wins, and [`ILLEGAL`] is the last.
const DRAW: u8 = 0;
/// The code of what is no position.
const ILLEGAL: u8 = u8::MAX;

/// What a file of tables says before the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The name of the game.
    pub variant: String,
    /// The edition and digest of its rules.
    pub edition: String,
    /// The digest of its rules.
    pub digest: String,
    /// Tags that chose the rules, as `NAME=VALUE`.
    pub tags: Vec<String>,
    /// The material of the table that was asked for.
    pub material: String,
}

impl Header {
    /// Reads the header of a file, and returns the rest.
    ///
    /// # Errors
    /// If the bytes are no file of tables, or were changed.
    pub fn read(bytes: &[u8]) -> Result<(Header, &[u8]), TableError> {
        let damaged = || TableError::File("the file is damaged: its digest differs");
        let body = bytes.strip_prefix(MAGIC).ok_or(TableError::File("this is no file of endgame tables"))?;
        let (body, digest) = body.split_at_checked(body.len().wrapping_sub(DIGEST)).ok_or_else(damaged)?;
        if blake3::hash(body).as_bytes() != digest {
            return Err(damaged());
        }
        let mut lines = Vec::new();
        let mut rest = body;
        loop {
            let end = memchr::memchr(b'\n', rest).ok_or_else(damaged)?;
            let line = std::str::from_utf8(&rest[..end]).map_err(|_| damaged())?;
            rest = &rest[end + 1..];
            if line.is_empty() {
                break;
            }
            lines.push(line.to_owned());
        }
        let mut lines = lines.into_iter();
        let mut next = || lines.next().ok_or_else(damaged);
        let (variant, edition, digest, material) = (next()?, next()?, next()?, next()?);
        Ok((Header { variant, edition, digest, material, tags: lines.collect() }, rest))
    }
}

impl Tables {
    /// The table of the material and all tables that its plies lead to, as the bytes of a file.
    ///
    /// # Errors
    /// If a table has not been made, or its distances do not fit into a byte.
    pub fn to_bytes(&self, material: &Material, tags: &[String]) -> Result<Vec<u8>, TableError> {
        let rules = self.rules();
        let mut body = Vec::new();
        let name = material.text(rules);
        for line in [&rules.id.name, &rules.id.edition, &rules.id.digest, &name].into_iter().chain(tags) {
            body.extend(line.bytes().filter(|byte| *byte != b'\n'));
            body.push(b'\n');
        }
        body.push(b'\n');
        for material in self.with_exits(material)? {
            let table = self.get(&material).ok_or(TableError::File("a table is missing; make it first"))?;
            body.extend_from_slice(material.text(rules).as_bytes());
            body.push(b'\n');
            table.halves().iter().try_for_each(|half| write_half(table.layout(), half, &mut body))?;
        }
        let digest = blake3::hash(&body);
        Ok([MAGIC, &body, digest.as_bytes()].concat())
    }

    /// The tables of a file, after [`Header::read`].
    ///
    /// # Errors
    /// If the rules are others than those of the file, or the tables are cut.
    pub fn from_bytes(
        rules: Arc<Rules<u64>>,
        header: &Header,
        mut rest: &[u8],
    ) -> Result<Tables, TableError> {
        if header.digest != rules.id.digest {
            return Err(TableError::File("the tables are of other rules: their digests differ"));
        }
        let mut tables = Tables::new(Arc::clone(&rules));
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let name = std::str::from_utf8(&rest[..end]).map_err(|_| CUT)?;
            let material = Material::parse(&rules, name)?;
            if let Some(error) = material.obstacle(&rules) {
                return Err(error);
            }
            rest = &rest[end + 1..];
            let layout = Layout::new(&rules, &material);
            let white = read_half(&layout, &mut rest)?;
            let black = read_half(&layout, &mut rest)?;
            let allowed = steps::men(&rules, &material)?.iter().map(|man| man.allowed).collect();
            let table = Table::new(material.clone(), layout, allowed, [white, black]);
            tables.insert(material, Arc::new(table));
        }
        Ok(tables)
    }
}

/// The error of a file whose tables end too early.
const CUT: TableError = TableError::File("the tables of the file are cut");

/// Writes the positions with one side to move: the number of codes for losses, and a byte a position.
fn write_half(layout: &Layout, half: &[Slab], out: &mut Vec<u8>) -> Result<(), TableError> {
    let longest = |set: fn(&Slab) -> &Vec<u64>| {
        half.iter().filter_map(|slab| slab.longest(set(slab), layout.squares)).max()
    };
    let losses = longest(|slab| &slab.lost).map_or(0, |moves| u16::from(moves) + 1);
    let wins = longest(|slab| &slab.won).map_or(0, |moves| u16::from(moves) + 1);
    let first_win = u8::try_from(losses + 1).map_err(|_| TableError::TooLong)?;
    if losses + wins + 1 > u16::from(ILLEGAL) {
        return Err(TableError::TooLong);
    }
    out.push(first_win);
    for slab in half {
        for word in 0..layout.words_per_slab() {
            for at in 0..layout.squares {
                let has = |set: &[u64]| set[word] >> at & 1 == 1;
                let moves = slab.moves[word * layout.squares + at];
                out.push(match () {
                    () if has(&slab.illegal) => ILLEGAL,
                    () if has(&slab.won) => first_win + moves,
                    () if has(&slab.lost) => DRAW + 1 + moves,
                    () => DRAW,
                });
            }
        }
    }
    Ok(())
}

fn read_half(layout: &Layout, rest: &mut &[u8]) -> Result<Vec<Slab>, TableError> {
    let words = layout.words_per_slab();
    let (&[first_win], after) = rest.split_first_chunk().ok_or(CUT)?;
    *rest = after;
    let mut half = Vec::with_capacity(layout.slabs());
    for _ in 0..layout.slabs() {
        let (codes, after) = rest.split_at_checked(words * layout.squares).ok_or(CUT)?;
        *rest = after;
        let mut slab = Slab::finished(words, layout.squares);
        for (place, &code) in codes.iter().enumerate() {
            let (word, bit) = (place / layout.squares, 1 << (place % layout.squares));
            match code {
                DRAW => {}
                ILLEGAL => slab.illegal[word] |= bit,
                _ if code >= first_win => {
                    slab.won[word] |= bit;
                    slab.moves[place] = code - first_win;
                }
                _ => {
                    slab.lost[word] |= bit;
                    slab.moves[place] = code - DRAW - 1;
                }
            }
        }
        half.push(slab);
    }
    Ok(half)
}
