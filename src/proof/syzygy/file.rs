//! One file: what it says of its form, and the value at a number.
//!
//! Values are packed as pairs of pairs (recursive pairing), the outermost of which are symbols of a canonical Huffman
//! code, in blocks of equal length. An index says in which block every so-manyth value is.

use super::places::{Arranged, BLACK, Men, PAWN, Places};
use super::{CheckedFile, FileBytes, FileId, SyzygyError, Wdl};

/// What a file has of each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its value.
    Wdl,
    /// The distance to the next capture or pawn move.
    Dtz,
}

impl Kind {
    /// The end of the file's name.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Kind::Wdl => "rtbw",
            Kind::Dtz => "rtbz",
        }
    }

    /// The first bytes.
    fn magic(self) -> [u8; 4] {
        match self {
            Kind::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Kind::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Bytes of the checksum at the end.
const CHECKSUM: u64 = 16;
/// What blocks begin at a multiple of.
const BLOCK_ALIGN: u64 = 64;

/// Marks of a part.
mod mark {
    /// Of distances: they are with the second side to move.
    pub(super) const SECOND_SIDE: u8 = 1;
    /// Of distances: they are numbers in lists.
    pub(super) const MAPPED: u8 = 2;
    /// Distances of wins are plies, not moves.
    pub(super) const WIN_PLIES: u8 = 4;
    /// The same of losses.
    pub(super) const LOSS_PLIES: u8 = 8;
    /// The lists have two bytes a number.
    pub(super) const WIDE: u8 = 16;
    /// All values are one.
    pub(super) const SINGLE: u8 = 128;
}

/// The bytes of a file with its name.
#[derive(Debug)]
struct Source {
    name: String,
    bytes: Box<dyn FileBytes>,
    len: u64,
}

/// An open file.
#[derive(Debug)]
pub(super) struct File {
    source: Source,
    men: Men,
    /// By the file of the first pawn, one without pawns; then by the side to move.
    parts: Vec<Vec<Part>>,
    checksum: String,
}

/// The values of some positions.
#[derive(Debug)]
struct Part {
    places: Places,
    marks: u8,
    packed: Packed,
    /// Of distances, by value: what they stand for.
    lists: [Vec<u16>; 4],
}

/// How values are packed.
#[derive(Debug)]
enum Packed {
    Single(u16),
    Blocks(Box<Blocks>),
}

#[derive(Debug)]
struct Blocks {
    block_bytes: u64,
    /// From one entry of the index to the next.
    span: u64,
    index_len: u64,
    lengths_len: u64,
    count: u64,
    /// Where the index, the lengths of blocks and the blocks are.
    index: u64,
    lengths: u64,
    data: u64,
    /// Bits of the shortest symbols.
    shortest: u32,
    /// By the number of further bits: the first symbol, and its bits from the left.
    firsts: Vec<(u16, u64)>,
    /// The pair that each symbol is of; a value has [`LEAF`] as its second.
    pairs: Vec<(u16, u16)>,
    /// How many values more than one each symbol stands for.
    more: Vec<u32>,
}

/// The second of no pair.
const LEAF: u16 = 0xfff;

/// A place in a file that is read from its beginning.
struct Cursor<'s> {
    source: &'s Source,
    at: u64,
}

impl Source {
    fn damaged(&self, reason: impl Into<String>) -> SyzygyError {
        SyzygyError::Damaged { name: self.name.clone(), reason: reason.into() }
    }

    /// Bytes from a place on, as many as are asked for.
    fn fill(&self, at: u64, bytes: &mut [u8]) -> Result<(), SyzygyError> {
        self.bytes.fill(at, bytes).map_err(|reason| self.damaged(reason))
    }

    fn array<const N: usize>(&self, at: u64) -> Result<[u8; N], SyzygyError> {
        let mut bytes = [0; N];
        self.fill(at, &mut bytes)?;
        Ok(bytes)
    }
}

impl Cursor<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], SyzygyError> {
        let bytes = self.source.array(self.at)?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, SyzygyError> {
        Ok(self.array::<1>()?[0])
    }

    fn u16(&mut self) -> Result<u16, SyzygyError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// To the next multiple.
    fn align(&mut self, to: u64) {
        self.at = self.at.next_multiple_of(to);
    }

    /// Passes some bytes, and returns where they begin.
    fn pass(&mut self, bytes: u64) -> Result<u64, SyzygyError> {
        let from = self.at;
        let end = from.checked_add(bytes).filter(|end| *end <= self.source.len);
        self.at = end.ok_or_else(|| self.source.damaged("it is cut or damaged"))?;
        Ok(from)
    }
}

impl File {
    /// Reads what a file of some men says of its form; its name says which men are White's.
    ///
    /// # Errors
    /// If it cannot be read, or is no such file.
    pub(super) fn read(
        name: &str,
        bytes: Box<dyn FileBytes>,
        men: &Men,
        kind: Kind,
    ) -> Result<File, SyzygyError> {
        let source = Source { name: name.to_owned(), len: bytes.len(), bytes };
        if source.len % BLOCK_ALIGN != CHECKSUM {
            return Err(source.damaged("its length is that of no whole file of Syzygy tables"));
        }
        if source.array::<4>(0)? != kind.magic() {
            return Err(source.damaged(format!("it does not begin as a file .{} does", kind.ending())));
        }
        let checksum = source.array::<16>(source.len - CHECKSUM)?;
        let checksum = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut at = Cursor { source: &source, at: 4 };
        let marks = at.byte()?;
        let sides = if kind == Kind::Wdl && !men.are_equal() { 2 } else { 1 };
        if (marks & 2 != 0) != men.have_pawns() || kind == Kind::Wdl && (marks & 1 != 0) != (sides == 2) {
            return Err(source.damaged("its men are others than its name says"));
        }
        let mut parts = read_forms(&mut at, men, sides)?;
        read_lists(&mut at, kind, &mut parts)?;
        place_blocks(&mut at, &mut parts)?;
        Ok(File { men: men.clone(), parts, checksum, source })
    }

    /// How it is named as evidence.
    pub(super) fn id(&self) -> FileId {
        FileId { name: self.source.name.clone(), bytes: self.source.len, checksum: self.checksum.clone() }
    }

    /// Reads all blocks.
    pub(super) fn check(&self) -> Result<CheckedFile, SyzygyError> {
        let (mut values, mut blocks) = (0, 0);
        for part in self.parts.iter().flatten() {
            values += part.places.len;
            let Packed::Blocks(packed) = &part.packed else { continue };
            blocks += packed.count;
            if packed.values(&self.source)? != part.places.len {
                return Err(self.source.damaged("its blocks have other values than its men need"));
            }
        }
        Ok(CheckedFile { id: self.id(), values, blocks })
    }

    /// The number of a position's value and the part that has it; with the sides exchanged if the file has the men so.
    /// `None` as the part if distances are with the other side to move.
    fn find(
        &self,
        men: &Men,
        placed: &[(u8, u8)],
        is_blacks_turn: bool,
    ) -> Result<Option<(&Part, u64)>, SyzygyError> {
        let wrong = || self.source.damaged("it does not have the position");
        let is_other = if self.men.are_equal() { is_blacks_turn } else { *men != self.men };
        let turned: Vec<(u8, u8)> = match is_other {
            true => placed.iter().map(|(man, square)| (man ^ BLACK, square ^ 0o70)).collect(),
            false => placed.to_vec(),
        };
        let second = is_other ^ is_blacks_turn;
        let arranged = match self.men.have_pawns() {
            true => Arranged::with_pawns(&turned, self.parts[0][0].places.men[0]).ok_or_else(wrong)?,
            false => Arranged::pieces(turned),
        };
        let of_file = self.parts.get(arranged.file).ok_or_else(wrong)?;
        let part = of_file.get(usize::from(second)).unwrap_or(&of_file[0]);
        let is_of_both = of_file.len() == 2 || self.men.are_equal() && !self.men.have_pawns();
        if self.source.name.ends_with(Kind::Dtz.ending())
            && !is_of_both
            && (part.marks & mark::SECOND_SIDE != 0) != second
        {
            return Ok(None);
        }
        Ok(Some((part, part.places.number(arranged).ok_or_else(wrong)?)))
    }

    /// The value of a position by a file of values, as it is stored: captures are to be looked at, too.
    pub(super) fn wdl(
        &self,
        men: &Men,
        placed: &[(u8, u8)],
        is_blacks_turn: bool,
    ) -> Result<Wdl, SyzygyError> {
        let wrong = || self.source.damaged("it does not have the position");
        let (part, number) = self.find(men, placed, is_blacks_turn)?.ok_or_else(wrong)?;
        let value = part.value(&self.source, number)?;
        Wdl::ALL.get(usize::from(value)).copied().ok_or_else(|| self.source.damaged("a value is none"))
    }

    /// The plies to the next capture or pawn move by a file of distances; `None` if it has them with the other side to
    /// move alone.
    pub(super) fn dtz(
        &self,
        men: &Men,
        placed: &[(u8, u8)],
        is_blacks_turn: bool,
        wdl: Wdl,
    ) -> Result<Option<i32>, SyzygyError> {
        let Some((part, number)) = self.find(men, placed, is_blacks_turn)? else { return Ok(None) };
        let mut value = part.value(&self.source, number)?;
        if part.marks & mark::MAPPED != 0 {
            let list = match wdl {
                Wdl::Win | Wdl::Draw => 0,
                Wdl::Loss => 1,
                Wdl::CursedWin => 2,
                Wdl::BlessedLoss => 3,
            };
            let listed = part.lists[list].get(usize::from(value)).copied();
            value = listed.ok_or_else(|| self.source.damaged("a distance is none"))?;
        }
        let in_plies = match wdl {
            Wdl::Win => part.marks & mark::WIN_PLIES != 0,
            Wdl::Loss => part.marks & mark::LOSS_PLIES != 0,
            _ => false,
        };
        let plies = i32::from(value) * if in_plies { 1 } else { 2 };
        Ok(Some(plies + 1))
    }
}

/// The order of the men in each part, and how its values are packed.
fn read_forms(at: &mut Cursor<'_>, men: &Men, sides: usize) -> Result<Vec<Vec<Part>>, SyzygyError> {
    let both = men.have_pawns() && men.pawns()[1] > 0;
    let files = if men.have_pawns() { 4 } else { 1 };
    let mut places = Vec::new();
    let source = at.source;
    for file in 0..files {
        let orders = [at.byte()?, if both { at.byte()? } else { 0xff }];
        let mut listed = vec![0; men.count()];
        for man in &mut listed {
            *man = at.byte()?;
        }
        for side in 0..sides {
            let nibble = |byte: u8| if side == 0 { byte & 0xf } else { byte >> 4 };
            let of_side: Vec<u8> = listed.iter().map(|man| nibble(*man)).collect();
            let first_is_pawn = of_side.first().is_some_and(|man| man % BLACK == PAWN);
            if !men.are(&of_side) || first_is_pawn != men.have_pawns() {
                return Err(source.damaged("its men are others than its name says"));
            }
            let order = orders.map(|byte| usize::from(nibble(byte)));
            let of_part = Places::new(men, of_side, order, file);
            places.push(of_part.ok_or_else(|| source.damaged("the order of its men is none"))?);
        }
    }
    at.align(2);
    let mut parts = Vec::new();
    for places in places {
        let (marks, packed) = read_packing(at, places.len)?;
        parts.push(Part { places, marks, packed, lists: Default::default() });
    }
    let mut by_file = Vec::new();
    while !parts.is_empty() {
        by_file.push(parts.drain(..sides).collect());
    }
    Ok(by_file)
}

/// How the values of a part are packed; the places of what is further behind are not yet known.
fn read_packing(at: &mut Cursor<'_>, values: u64) -> Result<(u8, Packed), SyzygyError> {
    let source = at.source;
    let marks = at.byte()?;
    if marks & mark::SINGLE != 0 {
        return Ok((marks, Packed::Single(at.byte()?.into())));
    }
    let wrong = |what: &str| source.damaged(what);
    let [block_bits, span_bits, padding] = at.array()?;
    if block_bits > 24 || span_bits > 40 {
        return Err(wrong("its blocks are too long"));
    }
    let span = 1_u64 << span_bits;
    let count = u64::from(u32::from_le_bytes(at.array()?));
    let [longest, shortest] = at.array()?;
    if shortest == 0 || longest < shortest || longest > 32 {
        return Err(wrong("its symbols have no lengths"));
    }
    let mut lowest = Vec::new();
    for _ in shortest..=longest {
        lowest.push(at.u16()?);
    }
    let pairs = at.u16()?;
    let mut read = Vec::with_capacity(pairs.into());
    for _ in 0..pairs {
        let [a, b, c] = at.array()?.map(u16::from);
        read.push((a | (b & 0xf) << 8, b >> 4 | c << 4));
    }
    at.align(2);
    let more = lengths_of(&read).ok_or_else(|| wrong("its pairs contain themselves"))?;
    let blocks = Blocks {
        block_bytes: 1 << block_bits,
        span,
        index_len: values.div_ceil(span),
        lengths_len: count + u64::from(padding),
        count,
        index: 0,
        lengths: 0,
        data: 0,
        shortest: shortest.into(),
        firsts: first_symbols(&lowest, shortest.into()).ok_or_else(|| wrong("its symbols are no code"))?,
        pairs: read,
        more,
    };
    Ok((marks, Packed::Blocks(Box::new(blocks))))
}

/// By length, the first symbol of the code and its bits from the left.
fn first_symbols(lowest: &[u16], shortest: u32) -> Option<Vec<(u16, u64)>> {
    let mut codes = vec![0_u64; lowest.len()];
    for at in (0..lowest.len() - 1).rev() {
        codes[at] = (codes[at + 1] + u64::from(lowest[at])).checked_sub(lowest[at + 1].into())? / 2;
    }
    let shifted = codes.iter().zip(0..).map(|(code, more): (&u64, u32)| {
        let shift = 64 - more - shortest;
        (code.leading_zeros() + shift >= 64 || *code == 0).then(|| code << shift)
    });
    lowest.iter().copied().zip(shifted).map(|(symbol, code)| Some((symbol, code?))).collect()
}

/// How many values more than one each symbol stands for; `None` if one stands for itself, or for none that is there.
fn lengths_of(pairs: &[(u16, u16)]) -> Option<Vec<u32>> {
    let mut more: Vec<Option<u32>> = vec![None; pairs.len()];
    let mut is_open = vec![false; pairs.len()];
    let mut stack: Vec<usize> = (0..pairs.len()).rev().collect();
    while let Some(&symbol) = stack.last() {
        let (left, right) = pairs[symbol];
        if more[symbol].is_some() {
            stack.pop();
        } else if right == LEAF {
            more[symbol] = Some(0);
        } else {
            let [left, right] = [left, right].map(usize::from);
            let known = (more.get(left)?, more.get(right)?);
            if let (Some(left), Some(right)) = known {
                more[symbol] = Some(left.checked_add(*right)?.checked_add(1)?);
            } else if std::mem::replace(&mut is_open[symbol], true) {
                return None;
            } else {
                let unknown = [left, right].into_iter().filter(|part| more[*part].is_none());
                stack.extend(unknown);
            }
        }
    }
    more.into_iter().collect()
}

/// The lists that stored distances are numbers in.
fn read_lists(at: &mut Cursor<'_>, kind: Kind, parts: &mut [Vec<Part>]) -> Result<(), SyzygyError> {
    if kind == Kind::Wdl {
        return Ok(());
    }
    for part in parts.iter_mut().flatten().filter(|part| part.marks & mark::MAPPED != 0) {
        let is_wide = part.marks & mark::WIDE != 0;
        if is_wide {
            at.align(2);
        }
        for list in &mut part.lists {
            let len = if is_wide { at.u16()? } else { at.byte()?.into() };
            for _ in 0..len {
                list.push(if is_wide { at.u16()? } else { at.byte()?.into() });
            }
        }
    }
    at.align(2);
    Ok(())
}

/// Where indexes, lengths and blocks are: those of all parts, one kind after the other.
fn place_blocks(at: &mut Cursor<'_>, parts: &mut [Vec<Part>]) -> Result<(), SyzygyError> {
    let mut all: Vec<&mut Blocks> = parts
        .iter_mut()
        .flatten()
        .filter_map(|part| match &mut part.packed {
            Packed::Blocks(blocks) => Some(&mut **blocks),
            Packed::Single(_) => None,
        })
        .collect();
    for blocks in &mut all {
        blocks.index = at.pass(6 * blocks.index_len)?;
    }
    for blocks in &mut all {
        blocks.lengths = at.pass(2 * blocks.lengths_len)?;
    }
    for blocks in &mut all {
        at.align(BLOCK_ALIGN);
        blocks.data = at.pass(blocks.count.saturating_mul(blocks.block_bytes))?;
    }
    Ok(())
}

impl Part {
    /// The value at a number, as it is stored.
    fn value(&self, source: &Source, number: u64) -> Result<u16, SyzygyError> {
        match &self.packed {
            Packed::Single(value) => Ok(*value),
            Packed::Blocks(blocks) => blocks.value(source, number),
        }
    }
}

impl Blocks {
    fn value(&self, source: &Source, number: u64) -> Result<u16, SyzygyError> {
        let (block, offset) = self.block_of(source, number)?;
        self.unpacked(source, block, offset)
    }

    /// The block that has a value, and how many values in it come before.
    fn block_of(&self, source: &Source, number: u64) -> Result<(u64, u64), SyzygyError> {
        let wrong = || source.damaged("its index leads nowhere");
        let entry = number / self.span;
        if entry >= self.index_len {
            return Err(wrong());
        }
        let [a, b, c, d, low, high] = source.array(self.index + 6 * entry)?;
        let mut block = u64::from(u32::from_le_bytes([a, b, c, d]));
        // The entry is of the value in the middle of its span.
        let within = i64::try_from(number % self.span).map_err(|_| wrong())?;
        let middle = i64::try_from(self.span / 2).map_err(|_| wrong())?;
        let mut offset = i64::from(u16::from_le_bytes([low, high])) + within - middle;
        let values_in = |block: u64| -> Result<i64, SyzygyError> {
            if block >= self.lengths_len {
                return Err(wrong());
            }
            Ok(i64::from(u16::from_le_bytes(source.array(self.lengths + 2 * block)?)) + 1)
        };
        while offset < 0 {
            block = block.checked_sub(1).ok_or_else(wrong)?;
            offset += values_in(block)?;
        }
        loop {
            let values = values_in(block)?;
            if offset < values {
                break;
            }
            offset -= values;
            block += 1;
        }
        match block < self.count {
            true => Ok((block, offset.unsigned_abs())),
            false => Err(wrong()),
        }
    }

    /// The value with so many before it in a block.
    fn unpacked(&self, source: &Source, block: u64, offset: u64) -> Result<u16, SyzygyError> {
        let (symbol, offset) = self.symbol_of(source, block, offset)?;
        self.value_in(symbol, offset).ok_or_else(|| source.damaged("a block is damaged"))
    }

    /// The symbol that stands for the value with so many before it in a block, among others, and how many of those come
    /// before it.
    fn symbol_of(&self, source: &Source, block: u64, mut offset: u64) -> Result<(usize, u64), SyzygyError> {
        let wrong = || source.damaged("a block is damaged");
        let mut bytes = vec![0; usize::try_from(self.block_bytes).map_err(|_| wrong())?];
        source.fill(self.data + block * self.block_bytes, &mut bytes)?;
        // Zeros follow a block whose last symbols need fewer bits.
        let mut bits = Bits { bytes: &bytes, at: 0 };
        loop {
            let next = bits.peek();
            let more = self.firsts.iter().position(|(_, first)| next >= *first).ok_or_else(wrong)?;
            let (symbol, first) = self.firsts[more];
            let length = self.shortest + more as u32;
            let symbol = usize::from(symbol)
                + usize::try_from((next - first) >> (64 - length)).map_err(|_| wrong())?;
            let values = u64::from(*self.more.get(symbol).ok_or_else(wrong)?) + 1;
            if offset < values {
                return Ok((symbol, offset));
            }
            offset -= values;
            bits.at += u64::from(length);
            if bits.at > 8 * self.block_bytes {
                return Err(wrong());
            }
        }
    }

    /// How many values all blocks have; the last one of each must be there.
    fn values(&self, source: &Source) -> Result<u64, SyzygyError> {
        let mut all = 0;
        for block in 0..self.count {
            let values = u64::from(u16::from_le_bytes(source.array(self.lengths + 2 * block)?)) + 1;
            self.symbol_of(source, block, values - 1)?;
            all += values;
        }
        Ok(all)
    }

    /// The value with so many before it in a symbol.
    fn value_in(&self, mut symbol: usize, mut offset: u64) -> Option<u16> {
        while self.more[symbol] > 0 {
            let (left, right) = self.pairs[symbol];
            let values = u64::from(*self.more.get(usize::from(left))?) + 1;
            if offset < values {
                symbol = left.into();
            } else {
                offset -= values;
                symbol = right.into();
            }
        }
        Some(self.pairs.get(symbol)?.0)
    }
}

/// Bits of bytes, the highest one first.
struct Bits<'b> {
    bytes: &'b [u8],
    at: u64,
}

impl Bits<'_> {
    /// The next 64 bits; zeros after the end.
    fn peek(&self) -> u64 {
        let byte = (self.at / 8) as usize;
        let next = |at: usize| u128::from(self.bytes.get(byte + at).copied().unwrap_or(0));
        let nine = (0..9).fold(0, |bits, at| bits << 8 | next(at));
        (nine >> (8 - self.at % 8)) as u64
    }
}
