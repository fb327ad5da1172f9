//! Bodies that cost more than others of their size, for the tests of the service and for the siege. Needs `flate2` alone.
#![allow(dead_code)]

use std::io::Write;

/// Bytes of a family of records.
pub const BYTES: usize = 40_000;

/// Families of records that cost more than others of their size.
pub fn records() -> Vec<(&'static str, String)> {
    let many = |head: &str, part: &str, tail: &str| {
        [head, &part.repeat((BYTES - head.len() - tail.len()) / part.len()), tail].concat()
    };
    let rules = |period: usize| {
        format!("[NatureRules \"advanced, period={period}\"]\n[Variant \"chaos+augmented\"]\n")
    };
    let army = "[WhiteArmy \"RfbN NW BffNsbN RNA\"]\n[BlackArmy \"RfbN fbNFW BffNsbN RNA\"]\n\n1. e4 *\n\n";
    let compiled = (1..25).map(|period| rules(period) + army).collect();
    vec![
        ("variations before words", many("1. e4 ", "(d4) ", "e5 hello world 2. Ke3 *")),
        ("rules to compile", compiled),
        ("hidden elements", many("", "<style></style>\n", "1. e4 e5 *")),
        ("no game of any kind", many("", "****qk****/**r1bbnr** ", "")),
        ("results alone", many("", "1-0 ", "")),
        ("letters", many("", "Dear Ann, [Event \"Club\"]\n", "1. e4 *")),
        ("knights to and fro", many("", "Nf3 Nf6 Ng1 Ng8 ", "*")),
        (
            "plies let stand",
            many(
                "1. e4 e5 ",
                "Ke3 {[%letstand]} Ke6 {[%letstand]} Ke1 {[%letstand]} Ke8 {[%letstand]} ",
                "*",
            ),
        ),
    ]
}

/// The CRC of xz and gzip.
fn crc32(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// A number as xz writes it.
fn xz_number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 & 0x7f | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// An xz stream of so many blocks of one blank, each with a dictionary of 64 MiB.
pub fn xz_of_blocks(count: usize) -> Vec<u8> {
    let flags = [0, 0];
    let mut stream = [&b"\xfd7zXZ\0"[..], &flags, &crc32(&flags)].concat();
    let head = [2, 0, 0x21, 1, 28, 0, 0, 0];
    let block = [&head[..], &crc32(&head), b"\x01\x00\x00 \x00"].concat();
    (0..count).for_each(|_| stream.extend(padded(block.clone())));
    let records = [xz_number(block.len()), xz_number(1)].concat().repeat(count);
    let index = padded([vec![0], xz_number(count), records].concat());
    let index = [&index[..], &crc32(&index)].concat();
    let tail = [&(index.len() as u32 / 4 - 1).to_le_bytes()[..], &flags].concat();
    stream.extend([&index[..], &crc32(&tail), &tail, b"YZ"].concat());
    stream
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

/// Packed bodies that cost more than their bytes: content encoding, and body.
pub fn packed() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let escapes = format!("{{\"records\": \"{}\"}}", "\\u0041".repeat(600_000));
    let pages = "<style></style>\n".repeat(200_000);
    vec![
        ("gzip of escapes", "gzip", gzip(escapes.as_bytes())),
        ("gzip of hidden elements", "gzip", gzip(pages.as_bytes())),
        ("gzip of empty members", "gzip", gzip(b"").repeat(20_000)),
        ("zstd of empty frames", "zstd", b"\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00".repeat(50_000)),
        ("xz of tiny blocks", "", xz_of_blocks(20_000)),
    ]
}

/// JSON that costs more than others of its size.
pub fn objects() -> Vec<(&'static str, String)> {
    let many = |part: &str| part.repeat(4 * BYTES / part.len());
    vec![
        ("open brackets", many("[")),
        ("objects in objects", format!("{{\"record\": {}", many("{\"a\":"))),
        ("many keys", format!("{{{}\"record\": \"1. e4 *\"}}", many("\"key\": 1, "))),
        ("escapes", format!("{{\"record\": \"{}\"}}", many("\\u0041"))),
    ]
}

/// A definition in which every army but the first shares a piece with every other one.
pub fn armies() -> String {
    const MOVES: [&str; 12] = ["W", "F", "D", "A", "N", "WF", "WD", "WA", "WN", "FD", "FA", "FN"];
    let slots: Vec<char> = "RNBQCDEFGHIJLMOS".chars().collect();
    let names: Vec<String> = slots.iter().map(|slot| format!("\"{slot}\"")).collect();
    let head = format!("name = \"bomb\"\nextends = \"augmented\"\n[armies]\nslots = [{}]\n", names.join(","));
    let choices = slots.iter().enumerate().map(|(index, slot)| {
        let all =
            MOVES[..if index == 0 { 1 } else { 12 }].iter().map(|betza| format!("{{ betza = \"{betza}\" }}"));
        format!("{slot} = [{}]\n", all.collect::<Vec<_>>().join(","))
    });
    format!("{head}no-repeat = false\ndistinct = true\n[armies.choices]\n{}", choices.collect::<String>())
}

/// Definitions that cost more than others of their size.
pub fn definitions() -> Vec<(&'static str, String)> {
    let large = |betza: &str| {
        let letters: Vec<char> = "QRNDPABCEFGHIJLMOSTUVW".chars().collect();
        let pieces: String = letters
            .iter()
            .map(|letter| format!("{letter} = {{ name = \"p{letter}\", betza = \"{betza}\" }}\n"))
            .collect();
        let rows = "16/".repeat(6);
        format!(
            "name = \"large\"\n[board]\nfiles = 16\nranks = 8\n[setup]\nboard = \"k15/{rows}K15\"\n[pieces]\n\
             K = {{ name = \"king\", betza = \"K\", royal = true }}\n{pieces}"
        )
    };
    let unknown: String = (0..3_000).map(|number| format!("a{number} = 1\n")).collect();
    vec![
        ("armies that share a piece", armies()),
        ("many pieces", large("WFDANHLJG(4,1)0(5,1)0(5,2)0")),
        ("unknown fields", format!("name = \"x\"\n{unknown}")),
    ]
}
