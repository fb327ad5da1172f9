//! Texts and reports packed with zstd.

use super::error::ArchiveError;
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// How hard to pack: games are short, and a higher level gains a few percent at twice the time.
const LEVEL: i32 = 3;

/// Bytes that a packed text or report may unpack to: more than any that was packed, and less than fills a memory.
const UNPACKED_BYTES_MAX: usize = 1 << 30;

thread_local! {
    // Making a context costs more than packing a game does.
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
            None => packer.insert(Compressor::new(LEVEL).map_err(out_of_memory)?),
        };
        packer.compress(bytes).map_err(out_of_memory)
    })
}

/// Unpacks what [`pack`] made.
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
            None => unpacker.insert(Decompressor::new().map_err(out_of_memory)?),
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
    fn damage_is_an_error() {
        let packed = pack(b"[White \"Ann\"]\n\n1. e4 e5 2. Nf3 *").unwrap();
        assert!(unpack(&packed[..packed.len() - 1]).is_err());
        assert!(unpack(b"no zstd at all").is_err());
        assert!(unpack(b"").is_err());
    }
}
