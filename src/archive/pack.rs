//! Texts and reports packed with zstd.

use super::error::ArchiveError;
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// The compression level. Games are short and use a dictionary: the next two levels save 1 % of the bytes and take 10 %
/// more time.
const LEVEL: i32 = 1;

/// The common content of texts and reports: tag names, openings, keys of reports, letter frequencies.
///
/// It must never change: archives are packed with it. A better one needs a number of its own.
pub(super) const DICTIONARY: &[u8] = include_bytes!("formats/archive.zdict");

/// The number of [`DICTIONARY`]; it is in the dictionary and in every text packed with it.
pub(super) const DICTIONARY_NUMBER: i64 = 65_025;

/// The maximum unpacked size in bytes: more than any text that was packed, and less than memory.
const UNPACKED_BYTES_MAX: usize = 1 << 30;

thread_local! {
    // Creating a context and loading the dictionary cost more than packing a game.
    static PACK: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static UNPACK: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Packs a text.
///
/// # Errors
/// If there is no memory.
pub(super) fn pack(bytes: &[u8]) -> Result<Vec<u8>, ArchiveError> {
    PACK.with_borrow_mut(|packer| {
        let packer = match packer {
            Some(packer) => packer,
            None => packer.insert(Compressor::with_dictionary(LEVEL, DICTIONARY).map_err(out_of_memory)?),
        };
        packer.compress(bytes).map_err(out_of_memory)
    })
}

/// The stored report as JSON.
///
/// # Errors
/// If the bytes are damaged.
pub(super) fn unpack_report(bytes: &[u8]) -> Result<String, ArchiveError> {
    String::from_utf8(unpack(bytes)?).map_err(|_| ArchiveError::Corrupt("a report is not UTF-8".to_owned()))
}

/// Unpacks the output of [`pack`].
///
/// # Errors
/// If the bytes are damaged.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, ArchiveError> {
    let damaged = |what: &str| ArchiveError::Corrupt(format!("a packed text cannot be unpacked: {what}"));
    // zstd accepts no bytes as an empty frame; here they mean that the text is gone.
    if bytes.is_empty() {
        return Err(damaged("it is empty"));
    }
    let size = Decompressor::upper_bound(bytes).ok_or_else(|| damaged("its size is missing"))?;
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
