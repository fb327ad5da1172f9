//! xz bodies: how much memory one needs, before it is unpacked.
//!
//! The decoder allocates what a block's header demands, up to 4 GiB, and has no limit of its own.

use super::limits::{XZ_BLOCKS_MAX, XZ_DICTIONARY_BYTES_MAX};

/// Bytes of the header of a stream.
const STREAM_HEADER_BYTES: usize = 12;
/// The identifier of the only filter that is read.
const LZMA2: u8 = 0x21;

/// The bytes of the largest dictionary in a stream.
///
/// # Errors
/// If the stream ends early, uses other filters than LZMA2, has too many blocks, or a dictionary is too large.
pub fn dictionary(stream: &[u8]) -> Result<usize, String> {
    let cut = || "the xz stream ends early".to_owned();
    let check = match stream.get(7).ok_or_else(cut)? & 15 {
        0 => 0,
        1..=3 => 4,
        4..=6 => 8,
        7..=9 => 16,
        10..=12 => 32,
        _ => 64,
    };
    let (mut at, mut largest, mut blocks) = (STREAM_HEADER_BYTES, 0, 0);
    // A zero in place of the length of a header begins the index after the last block.
    while *stream.get(at).ok_or_else(cut)? != 0 {
        // Each block costs the same, however few bytes are in it.
        blocks += 1;
        if blocks > XZ_BLOCKS_MAX {
            return Err(format!(
                "the xz stream has more than {XZ_BLOCKS_MAX} blocks; pack it in larger ones"
            ));
        }
        let length = (usize::from(stream[at]) + 1) * 4;
        let header = stream.get(at..at + length).ok_or_else(cut)?;
        largest = largest.max(dictionary_of(header)?);
        let data = at + length;
        let end = data + block(stream.get(data..).ok_or_else(cut)?).ok_or_else(cut)?;
        at = end.next_multiple_of(4) + check;
    }
    Ok(largest)
}

/// The dictionary that the header of a block demands.
fn dictionary_of(header: &[u8]) -> Result<usize, String> {
    let flags = header[1];
    let mut rest = &header[2..];
    // The sizes of the block, packed and unpacked, where the flags announce them.
    for _ in 0..(flags >> 6).count_ones() {
        let last = rest.iter().position(|byte| byte & 0x80 == 0).unwrap_or(rest.len());
        rest = rest.get(last + 1..).unwrap_or_default();
    }
    match rest {
        [LZMA2, 1, size @ 0..=40, ..] if flags & 3 == 0 => {
            let bytes = match size {
                40 => u64::from(u32::MAX),
                size => u64::from(2 | size & 1) << (size / 2 + 11),
            };
            usize::try_from(bytes).ok().filter(|bytes| *bytes <= XZ_DICTIONARY_BYTES_MAX).ok_or_else(|| {
                format!("the xz stream needs {bytes} bytes of memory; at most {XZ_DICTIONARY_BYTES_MAX} are allowed")
            })
        }
        _ => Err("the xz stream uses filters other than LZMA2".to_owned()),
    }
}

/// The length of the LZMA2 data of a block, by the lengths of its chunks.
fn block(data: &[u8]) -> Option<usize> {
    let size = |at: usize| Some(usize::from(u16::from_be_bytes([*data.get(at)?, *data.get(at + 1)?])) + 1);
    let mut at = 0;
    loop {
        at += match *data.get(at)? {
            0 => return Some(at + 1),
            // Plain bytes, after their length.
            1 | 2 => 3 + size(at + 1)?,
            // Packed bytes, after both lengths and, if they are new, the properties.
            control => 5 + usize::from(control >= 0xc0) + size(at + 3)?,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn packed(text: &[u8], preset: u32) -> Vec<u8> {
        let mut writer =
            lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(preset)).unwrap();
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn the_dictionary_is_found() {
        let mut mixed: Vec<u8> = b"1. e4 e5 2. Nf3 ".repeat(10_000);
        let mut state = 1_u32;
        mixed.extend((0..200_000).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        }));
        for text in [&b""[..], b"1. e4 *", &mixed] {
            for (preset, bytes) in [(0, 1 << 18), (6, 8 << 20), (9, 64 << 20)] {
                let found = dictionary(&packed(text, preset));
                // A stream of nothing may have no block.
                assert!(found == Ok(bytes) || text.is_empty() && found == Ok(0), "{preset}: {found:?}");
            }
        }
    }

    #[test]
    fn blocks_are_counted() {
        let one = packed(b"1. e4 *", 0);
        let data = STREAM_HEADER_BYTES + (usize::from(one[STREAM_HEADER_BYTES]) + 1) * 4;
        let check = [0, 4, 4, 4, 8][usize::from(one[7] & 15)];
        let end = (data + block(&one[data..]).unwrap()).next_multiple_of(4) + check;
        let blocks = |count: usize| {
            [&one[..STREAM_HEADER_BYTES], &one[STREAM_HEADER_BYTES..end].repeat(count), &one[end..]].concat()
        };
        assert_eq!(dictionary(&blocks(XZ_BLOCKS_MAX)), dictionary(&one));
        assert!(dictionary(&blocks(XZ_BLOCKS_MAX + 1)).is_err_and(|why| why.contains("blocks")));
    }

    #[test]
    fn a_stream_that_demands_too_much_or_is_cut_is_refused() {
        let fine = packed(b"1. e4 e5 *", 6);
        let at = fine.windows(2).position(|pair| pair == [LZMA2, 1]).unwrap() + 2;
        for size in [30, 38, 40, 41, 255] {
            let mut large = fine.clone();
            large[at] = size;
            assert!(dictionary(&large).is_err(), "{size}");
        }
        // Sizes in the header that never end.
        let mut endless = fine.clone();
        endless[STREAM_HEADER_BYTES + 1] |= 0xc0;
        endless[STREAM_HEADER_BYTES + 2..STREAM_HEADER_BYTES + 8].fill(0xff);
        assert!(dictionary(&endless).is_err());
        for length in 0..fine.len() - 12 {
            // What is cut inside the index has shown all of its blocks.
            let _ = dictionary(&fine[..length]);
        }
        for length in 0..at + 20 {
            assert!(dictionary(&fine[..length]).is_err(), "{length}");
        }
    }
}
