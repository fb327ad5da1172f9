//! XQF, the files of XQStudio and of most libraries of Xiangqi. They are bytes and no text, with a head of fixed fields
//! and then a tree of moves, both scrambled by keys that the head holds. A file becomes DhtmlXQ, which says the same as
//! a text; what it says in Chinese stays in the encoding of the program, GB 18030.
//!
//! The form is that of version 1.0 to 1.8 (the author's unit `XQFRW.pas`, and readers that follow it).

use super::dhtml_xq::WRAPPER;
use std::collections::VecDeque;

/// Why a file in XQF cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The file is shorter than its parts say.
    #[error("the XQF file is cut off; fetch it again")]
    CutOff,
    /// The version is not one of those known.
    #[error("version {0} of XQF is not known; save the file as XQF 1.0 to 1.8, or as DhtmlXQ")]
    Version(u8),
    /// A move or a comment has a place or a length that no file of this form has.
    #[error("the XQF file is damaged at byte {0}; fetch it again")]
    At(usize),
}

/// Bytes of the longest file that is read. The trees of whole books of openings have a few MiB.
pub const FILE_BYTES_MAX: u64 = 16 << 20;

/// Bytes of the head.
const HEAD: usize = 0x400;

/// The last version: 1.8.
const LAST_VERSION: u8 = 18;

/// The last version whose bytes are not scrambled: 1.0.
const LAST_PLAIN_VERSION: u8 = 10;

/// The first version that scrambles the order of the pieces.
const FIRST_VERSION_OF_ORDER: u8 = 12;

/// What scrambles the tree, together with the keys.
const PAD: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The last place of the board.
const LAST_PLACE: u8 = 89;

/// A place that no piece has.
const NOWHERE: u8 = 99;

/// Fields of the head that are texts: the byte with the length, the bytes that follow at most, and the field of
/// DhtmlXQ.
const TEXTS: [(usize, usize, &str); 11] = [
    (80, 63, "title"),
    (208, 63, "event"),
    (272, 15, "date"),
    (288, 15, "place"),
    (304, 15, "red"),
    (320, 15, "black"),
    (336, 63, "timerule"),
    (400, 15, "redtime"),
    (416, 15, "blacktime"),
    (464, 15, "author"),
    (480, 15, "owner"),
];

/// Fields of the head that are numbers: the byte, the words for each number, and the field of DhtmlXQ.
const NUMBERS: [(usize, &[&[u8]], &str); 2] = [
    (51, &[b"", b"1-0", b"0-1", b"1/2-1/2", b"1/2-1/2"], "result"),
    // A whole game, an opening, a middlegame, an ending.
    (64, &[b"\xc8\xab\xbe\xd6", b"\xbf\xaa\xbe\xd6", b"\xd6\xd0\xbe\xd6", b"\xb2\xd0\xbe\xd6"], "type"),
];

/// A move as the file has it; the first one stands for the start.
struct Step {
    from: u8,
    to: u8,
    note: Vec<u8>,
    /// A move follows it.
    is_followed: bool,
    /// There is another in its place.
    has_other: bool,
}

/// A move of the tree.
struct Node {
    from: u8,
    to: u8,
    note: Vec<u8>,
    /// The move after it, and the one that may be played instead.
    next: Option<usize>,
    other: Option<usize>,
}

/// The keys of a file.
#[derive(Default)]
struct Keys {
    places: u8,
    from: u8,
    to: u8,
    note: u32,
    pad: [u8; 32],
}

/// Number of first bytes that show whether a file is one in XQF.
pub const HEAD_BYTES: usize = 64;

/// True for a file that begins with these bytes. A text that begins with the same letters has no zeros.
///
/// ```
/// use ferz_records::interchange::xqf::begins;
/// assert!(begins(b"XQ\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0\0"));
/// assert!(!begins(b"XQ\n\n1. e4 e5 1-0\n") && !begins(b""));
/// ```
pub fn begins(head: &[u8]) -> bool {
    let first = &head[..head.len().min(HEAD_BYTES)];
    first.starts_with(b"XQ") && first.len() > 16 && first.contains(&0)
}

/// The game of a file as a text in DhtmlXQ, in GB 18030.
///
/// # Errors
/// If the file is cut off or damaged, or has a version that is not known.
pub fn to_text(file: &[u8]) -> Result<Vec<u8>, Damage> {
    let head = file.first_chunk::<HEAD>().ok_or(Damage::CutOff)?;
    let version = head[2];
    if !(1..=LAST_VERSION).contains(&version) {
        return Err(Damage::Version(version));
    }
    let keys = Keys::of(head);
    let mut tree = Tree { file, at: HEAD, version, keys: &keys };
    let (note, nodes) = tree.read()?;
    let mut text = [WRAPPER, b"\n"].concat();
    for (at, most, name) in TEXTS {
        let len = usize::from(head[at]).min(most);
        element(&mut text, name, &head[at + 1..at + 1 + len]);
    }
    for (at, names, name) in NUMBERS {
        element(&mut text, name, names.get(usize::from(head[at])).copied().unwrap_or_default());
    }
    element(&mut text, "binit", places(head, &keys).as_bytes());
    element(&mut text, "comment0", &note);
    moves(&mut text, &nodes);
    text.extend_from_slice(b"[/DhtmlXQ]\n");
    Ok(text)
}

impl Keys {
    fn of(head: &[u8; HEAD]) -> Keys {
        if head[2] <= LAST_PLAIN_VERSION {
            return Keys::default();
        }
        let [mask, _, _, _, _, or_a, or_b, or_c, or_d, sum, places, from, to] = head[3..16] else {
            return Keys::default();
        };
        let key = |byte: u8, times: u8| {
            let square = byte.wrapping_mul(byte);
            let grown = square.wrapping_mul(3).wrapping_add(9).wrapping_mul(3).wrapping_add(8);
            grown.wrapping_mul(2).wrapping_add(1).wrapping_mul(3).wrapping_add(8).wrapping_mul(times)
        };
        let mut keys = Keys { places: key(places, places), ..Keys::default() };
        keys.from = key(from, keys.places);
        keys.to = key(to, keys.from);
        keys.note = (u32::from(sum) * 256 + u32::from(places)) % 32_000 + 767;
        let bytes = [sum & mask | or_a, places & mask | or_b, from & mask | or_c, to & mask | or_d];
        for (at, pad) in keys.pad.iter_mut().enumerate() {
            *pad = PAD[at] & bytes[at % 4];
        }
        keys
    }
}

/// Reads the tree.
struct Tree<'f> {
    file: &'f [u8],
    at: usize,
    version: u8,
    keys: &'f Keys,
}

impl Tree<'_> {
    /// The next bytes, as they were before they were scrambled.
    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, Damage> {
        let end = self.at.checked_add(count).ok_or(Damage::At(self.at))?;
        let bytes = self.file.get(self.at..end).ok_or(Damage::CutOff)?;
        let plain = bytes.iter().zip(self.at..).map(|(byte, at)| byte.wrapping_sub(self.keys.pad[at % 32]));
        self.at = end;
        Ok(plain.collect())
    }

    fn step(&mut self) -> Result<Step, Damage> {
        let bytes = self.bytes(4)?;
        let is_plain = self.version <= LAST_PLAIN_VERSION;
        let (next, other) = if is_plain { (0xf0, 0x0f) } else { (0x80, 0x40) };
        let at = self.at;
        let len = match is_plain || bytes[2] & 0x20 != 0 {
            true => {
                let len = self.bytes(4)?;
                let len = len.iter().rev().fold(0, |len, byte| len << 8 | u32::from(*byte));
                len.checked_sub(self.keys.note).ok_or(Damage::At(at))?
            }
            false => 0,
        };
        let note = self.bytes(len as usize)?;
        Ok(Step {
            from: bytes[0].wrapping_sub(0x18).wrapping_sub(self.keys.from),
            to: bytes[1].wrapping_sub(0x20).wrapping_sub(self.keys.to),
            note,
            is_followed: bytes[2] & next != 0,
            has_other: bytes[2] & other != 0,
        })
    }

    /// The comment before the first move, and the moves.
    fn read(&mut self) -> Result<(Vec<u8>, Vec<Node>), Damage> {
        let Step { note: start, is_followed: begins, .. } = self.step()?;
        let mut nodes: Vec<Node> = Vec::new();
        // Moves in whose place others may be played, which stand after what follows the first.
        let mut waiting: Vec<usize> = Vec::new();
        let mut goes_on = begins;
        let mut replaces: Option<usize> = None;
        while goes_on {
            let at = self.at;
            let Step { from, to, note, is_followed, has_other } = self.step()?;
            if from > LAST_PLACE || to > LAST_PLACE {
                return Err(Damage::At(at));
            }
            let index = nodes.len();
            match replaces.take() {
                Some(replaced) => nodes[replaced].other = Some(index),
                None => nodes.iter_mut().last().into_iter().for_each(|last| last.next = Some(index)),
            }
            nodes.push(Node { from, to, note, next: None, other: None });
            if has_other {
                waiting.push(index);
            }
            if !is_followed {
                replaces = waiting.pop();
                goes_on = replaces.is_some();
            }
        }
        Ok((start, nodes))
    }
}

/// The squares of the pieces as DhtmlXQ lists them.
fn places(head: &[u8; HEAD], keys: &Keys) -> String {
    let mut places = [NOWHERE; 32];
    for (index, byte) in head[16..48].iter().enumerate() {
        let shift = if head[2] >= FIRST_VERSION_OF_ORDER { usize::from(keys.places) + 1 } else { 0 };
        let place = byte.wrapping_sub(keys.places);
        places[(index + shift) % 32] = if place > LAST_PLACE { NOWHERE } else { place };
    }
    places.into_iter().map(square).collect()
}

/// A square as DhtmlXQ has it: XQF counts ranks from Red's side.
fn square(place: u8) -> String {
    if place == NOWHERE { "99".to_owned() } else { format!("{}{}", place / 10, 9 - place % 10) }
}

/// Writes the moves: the main line, then what may be played instead, each under a number of its own.
fn moves(text: &mut Vec<u8>, nodes: &[Node]) {
    let mut lines = 0;
    // The number of a line, the line and the ply that it replaces, and its first move.
    let mut open: VecDeque<(usize, usize, usize, usize)> = [(0, 0, 1, 0)].into();
    while let Some((line, parent, first, start)) = open.pop_front() {
        let mut list = String::new();
        let mut notes = Vec::new();
        let mut at = nodes.get(start).map(|_| start);
        let mut ply = first;
        while let Some(Node { from, to, note, next, other }) = at.map(|at| &nodes[at]) {
            list += &(square(*from) + &square(*to));
            let name = if line == 0 { format!("comment{ply}") } else { format!("comment{line}_{ply}") };
            element(&mut notes, &name, note);
            // A chain of moves in one place: the first one of a line leads it.
            if ply > first || line == 0 {
                let mut instead = *other;
                while let Some(at) = instead {
                    lines += 1;
                    open.push_back((lines, line, ply, at));
                    instead = nodes[at].other;
                }
            }
            at = *next;
            ply += 1;
        }
        let name = if line == 0 { "movelist".to_owned() } else { format!("move_{parent}_{first}_{line}") };
        element(text, &name, list.as_bytes());
        text.append(&mut notes);
    }
}

/// Writes an element that has a value.
fn element(text: &mut Vec<u8>, name: &str, value: &[u8]) {
    let mut value: Vec<u8> = value.iter().copied().filter(|byte| !b"\0\r".contains(byte)).collect();
    // The mark would end the value.
    while let Some(at) = memchr::memmem::find(&value, b"DhtmlXQ") {
        value[at] = b'd';
    }
    let value = value.trim_ascii();
    if !value.is_empty() {
        let (open, close) = (format!("[DhtmlXQ_{name}]"), format!("[/DhtmlXQ_{name}]\n"));
        text.extend([open.as_bytes(), value, close.as_bytes()].concat());
    }
}
