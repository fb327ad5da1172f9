//! Texts and reports packed with zstd.

use super::error::ArchiveError;
use crate::replay::flat_reports;
use std::borrow::Cow;
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// How hard to pack. Games are short, and have the dictionary's help: the next two levels gain one percent of the bytes
/// and take a tenth more time.
const LEVEL: i32 = 1;

/// What texts and reports have in common: tag names, openings, the keys of reports, and how often which letter comes.
///
/// It can never change, for archives are packed with it. A better one would be a second one with a number of its own.
pub(super) const DICTIONARY: &[u8] = include_bytes!("../../formats/archive.zdict");

/// The number of [`DICTIONARY`], which it says itself, and every text that was packed with it.
pub(super) const DICTIONARY_NUMBER: i64 = 65_025;

/// Bytes that a packed text or report may unpack to: more than any that was packed, and less than fills a memory.
const UNPACKED_BYTES_MAX: usize = 1 << 30;

thread_local! {
    // Making a context and reading the dictionary cost more than packing a game does.
    static PACK: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static UNPACK: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Packs a text.
///
/// # Errors
/// Where there is no memory.
pub(super) fn pack(bytes: &[u8]) -> Result<Vec<u8>, ArchiveError> {
    PACK.with_borrow_mut(|packer| {
        let packer = match packer {
            Some(packer) => packer,
            None => packer.insert(Compressor::with_dictionary(LEVEL, DICTIONARY).map_err(out_of_memory)?),
        };
        packer.compress(bytes).map_err(out_of_memory)
    })
}

/// The report that was kept, as JSON. Earlier versions kept reports of format 1: they are brought into format 2.
///
/// # Errors
/// Where the bytes are damaged.
pub(super) fn unpack_report(bytes: &[u8]) -> Result<String, ArchiveError> {
    let kept = String::from_utf8(unpack(bytes)?)
        .map_err(|_| ArchiveError::Corrupt("a report is not UTF-8".to_owned()))?;
    Ok(match flat_reports(&kept) {
        Cow::Owned(flat) => flat,
        Cow::Borrowed(_) => kept,
    })
}

/// Unpacks what [`pack`] made, with the dictionary or, before there was one, without.
///
/// # Errors
/// Where the bytes are damaged.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, ArchiveError> {
    let damaged = |what: &str| ArchiveError::Corrupt(format!("a packed text does not unpack: {what}"));
    // To zstd, nothing at all is a packed nothing; here it is what is left of a text.
    if bytes.is_empty() {
        return Err(damaged("it is empty"));
    }
    let size = Decompressor::upper_bound(bytes).ok_or_else(|| damaged("it does not say its size"))?;
    if size > UNPACKED_BYTES_MAX {
        return Err(damaged("it is too large"));
    }
    UNPACK.with_borrow_mut(|unpacker| {
        let unpacker = match unpacker {
            Some(unpacker) => unpacker,
            None => unpacker.insert(Decompressor::with_dictionary(DICTIONARY).map_err(out_of_memory)?),
        };
        unpacker.decompress(bytes, size).map_err(|error| damaged(&error.to_string()))
    })
}

fn out_of_memory(error: std::io::Error) -> ArchiveError {
    ArchiveError::Database(format!("zstd: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_unpacks() {
        for text in [&b""[..], b"1. e4 *", &b"1. e4 e5 ".repeat(10_000)] {
            assert_eq!(unpack(&pack(text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn what_was_packed_without_a_dictionary_unpacks() {
        let text = b"[White \"Ann\"]\n\n1. e4 e5 2. Nf3 *".repeat(3);
        assert_eq!(unpack(&zstd::bulk::compress(&text, 3).unwrap()).unwrap(), text);
    }

    /// The dictionary was trained with zstd 1.5.4 (`zstd --train-fastcover --maxdict=8192 --dictID=65025`) from 67
    /// famous games and main openings, each in several layouts with tags and clocks as the usual programs write them,
    /// and from `fixtures/games`; and from the reports on them. Every archive has texts that only these bytes unpack.
    #[test]
    fn the_dictionary_is_what_it_always_was() {
        let digest = "74c0ce014888a61532f3e176eaf5d5701111508f0520d169a0780928b9d5a127";
        assert_eq!(blake3::hash(DICTIONARY).to_hex().as_str(), digest);
        let named = |bytes: &[u8]| i64::from(u32::from_le_bytes(bytes[4..8].try_into().unwrap()));
        assert_eq!(named(DICTIONARY), DICTIONARY_NUMBER);
        let packed = pack(b"1. e4 *").unwrap();
        let number = zstd::zstd_safe::get_dict_id_from_frame(&packed).unwrap();
        assert_eq!(i64::from(number.get()), DICTIONARY_NUMBER);
    }

    #[test]
    fn short_texts_pack_well() {
        let game = "[Event \"Club evening\"]\n[Site \"Linz\"]\n[Date \"1912.03.04\"]\n[White \"Ann\"]\n\n\
            1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 Bxb4 5. c3 *\n";
        let report = "{\"game\":0,\"variant\":\"chess\",\"style\":\"san\",\"plies\":9,\"legal\":true,\"illegal\":null,\
            \"end\":null,\"result_tag\":\"*\",\"diagnostics\":[]}";
        for text in [game, report] {
            let plain = zstd::bulk::compress(text.as_bytes(), 3).unwrap().len();
            let packed = pack(text.as_bytes()).unwrap().len();
            assert!(3 * packed < 2 * plain, "{packed} bytes of {plain}");
        }
    }

    #[test]
    fn damage_is_an_error() {
        let packed = pack(b"[White \"Ann\"]\n\n1. e4 e5 2. Nf3 *").unwrap();
        assert!(unpack(&packed[..packed.len() - 1]).is_err());
        assert!(unpack(b"no zstd at all").is_err());
        assert!(unpack(b"").is_err());
    }
}
