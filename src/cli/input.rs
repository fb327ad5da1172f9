//! Input by name: files and the standard input, plain or compressed, with remedies in the errors.

use super::output::Failure;
use crate::plain::as_utf_8;
use crate::plain::zipped::{self, Source, Zipped};
use ferz::interchange::{Wrapped, xqf};
use ferz::text::{Encoding, Foreign, Packing};
use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An open input.
pub struct Input {
    /// Name for messages.
    pub name: String,
    /// The decompressed bytes. Errors name the input and the remedy.
    pub reader: Box<dyn Read + Send>,
    /// Size of the file in bytes as stored; `None` for pipes.
    pub total: Option<u64>,
    /// Number of these bytes read so far.
    pub consumed: Arc<AtomicU64>,
}

impl Input {
    /// A text that was read before.
    pub fn of_text(name: String, text: String) -> Input {
        let total = Some(text.len() as u64);
        let consumed = Arc::new(AtomicU64::new(text.len() as u64));
        Input { name, reader: Box::new(Cursor::new(text.into_bytes())), total, consumed }
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("name", &self.name).field("total", &self.total).finish_non_exhaustive()
    }
}

/// How the output of a command that prints the text becomes the input.
const PIPE: &str = " | ferz … -";

/// Bytes that identify an input.
const HEAD_BYTES: u64 = Foreign::HEAD_BYTES as u64;

/// Opens a file, or the standard input for `-` or no path.
///
/// # Errors
/// If the file cannot be read, or its compression is not supported.
pub fn open(path: Option<&Path>) -> Result<Input, Failure> {
    let consumed = Arc::new(AtomicU64::new(0));
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        return unpack(name_of(Path::new("-")), (Box::new(io::stdin()), None), None, consumed);
    };
    let name = name_of(path);
    let trouble = |error: io::Error| Failure::Message(explain(&name, &error));
    let file = File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::Message(explain(&name, &error) + ", or use `-` for standard input"),
        _ => trouble(error),
    })?;
    let metadata = file.metadata().map_err(trouble)?;
    if metadata.is_dir() {
        return Err(trouble(ErrorKind::IsADirectory.into()));
    }
    let total = metadata.is_file().then_some(metadata.len());
    unpack(name, (Box::new(file), total.map(|_| path)), total, consumed)
}

/// The name of an input for messages.
pub fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a whole text file, or the standard input for `-`.
///
/// # Errors
/// If it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let Input { name, mut reader, .. } = open(Some(path))?;
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(Failure::message)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::message(format!("{name}: byte {at} is not UTF-8; save the file as UTF-8"))
    })
}

/// Why a file cannot be rewritten in place, and the remedy; `None` for plain text.
///
/// # Errors
/// If it cannot be read.
pub fn no_plain_text(path: &Path) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    File::open(path)?.take(Encoding::HEAD_BYTES as u64).read_to_end(&mut head)?;
    let advice = |what: &str| format!("{what}, or omit --in-place");
    let packed =
        (Packing::of(&head) != Packing::None).then(|| advice("this file is compressed; decompress it first"));
    let in_xqf = xqf::begins(&head).then(|| advice("this file is XQF and no text; convert it to PGN first"));
    let encoded = || {
        let name = Encoding::of(&head)?.name();
        Some(advice(&format!("this file is {name}; save it as UTF-8 first")))
    };
    let of_program = || {
        let what = "this file has the format of another program; convert it to PGN first";
        Wrapped::is_of_program(&head).then(|| advice(what))
    };
    let foreign = Foreign::of(&head).map(|foreign| foreign.advice(PIPE));
    Ok(foreign.or(packed).or(in_xqf).or_else(encoded).or_else(of_program))
}

/// The fault and the remedy for an input.
pub fn explain(name: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("{name}: no such file; check the path"),
        ErrorKind::IsADirectory => format!("{name}: this is a directory; name files inside it"),
        ErrorKind::PermissionDenied => format!("{name}: no permission to read; change its mode or its owner"),
        _ => format!("{name}: {error}"),
    }
}

/// The text of an opened input, which is at a path or comes through a pipe.
fn unpack(
    name: String,
    (raw, path): (Box<dyn Read + Send>, Option<&Path>),
    total: Option<u64>,
    consumed: Arc<AtomicU64>,
) -> Result<Input, Failure> {
    let mut raw = Counting { inner: raw, consumed: Arc::clone(&consumed) };
    let mut head = Vec::new();
    let begun = raw.by_ref().take(HEAD_BYTES).read_to_end(&mut head);
    begun.map_err(|error| Failure::Message(explain(&name, &error)))?;
    if zipped::begins(&head) {
        return unzip(name, Cursor::new(head).chain(raw), path);
    }
    #[cfg(feature = "archive")]
    if let Some(path) = path.filter(|_| super::archived::begins(&head)) {
        return of_archive(name, path);
    }
    if let Some(foreign) = Foreign::of(&head) {
        let message = format!("{name}: {}", foreign.advice(PIPE));
        return Err(match foreign.holds_text() {
            true => Failure::Message(message),
            false => Failure::NoRecord(message),
        });
    }
    let packing = Packing::of(&head);
    let whole = Cursor::new(head).chain(raw);
    let inner: Box<dyn Read + Send> = match packing {
        Packing::None => Box::new(whole),
        Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(whole)),
        Packing::Xz => Box::new(lzma_rust2::XzReader::new(whole, true)),
        Packing::Zstd => {
            let decoder = zstd::stream::read::Decoder::new(whole);
            Box::new(decoder.map_err(|error| Failure::Message(explain(&name, &error)))?)
        }
    };
    let named = Box::new(Named { inner, name: name.clone(), packing });
    let reader = as_utf_8(&name, named).map_err(Failure::message)?;
    Ok(Input { name, reader, total, consumed })
}

/// The texts of a zip archive; one that comes through a pipe is kept in memory, since its list of files is at its end.
fn unzip(name: String, mut whole: impl Read, path: Option<&Path>) -> Result<Input, Failure> {
    let trouble = |error: io::Error| Failure::Message(explain(&name, &error));
    let source = match path {
        Some(path) => Source::Path(path.to_owned()),
        None => {
            let mut bytes = Vec::new();
            whole.read_to_end(&mut bytes).map_err(trouble)?;
            Source::Bytes(bytes.into())
        }
    };
    let inner = Box::new(Zipped::open(source).map_err(trouble)?);
    let reader = Box::new(Named { inner, name: name.clone(), packing: Packing::None });
    Ok(Input { name, reader, total: None, consumed: Arc::default() })
}

/// The games of an archive.
#[cfg(feature = "archive")]
fn of_archive(name: String, path: &Path) -> Result<Input, Failure> {
    let trouble = |error: ferz::archive::ArchiveError| Failure::Message(format!("{name}: {error}"));
    let inner = Box::new(super::archived::Archived::open(path).map_err(trouble)?);
    let reader = Box::new(Named { inner, name: name.clone(), packing: Packing::None });
    Ok(Input { name, reader, total: None, consumed: Arc::default() })
}

/// Counts the bytes read.
struct Counting {
    inner: Box<dyn Read + Send>,
    consumed: Arc<AtomicU64>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.consumed.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Adds the input's name and a remedy to reading errors.
struct Named {
    inner: Box<dyn Read + Send>,
    name: String,
    packing: Packing,
}

impl Read for Named {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| {
            let kind = error.kind();
            if kind == ErrorKind::Interrupted {
                return error;
            }
            let name = &self.name;
            let message = match (self.packing, kind) {
                (Packing::None, _) => explain(name, &error),
                (packing, ErrorKind::UnexpectedEof) => {
                    format!("{name}: the {packing:?} data is cut off; fetch the file again")
                }
                (packing, ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other) => {
                    format!("{name}: the {packing:?} data is damaged ({error}); fetch the file again")
                }
                _ => explain(name, &error),
            };
            io::Error::new(kind, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let mut input = open(Some(file.path())).map_err(|failure| format!("{failure:?}"))?;
        assert_eq!(input.total, Some(bytes.len() as u64));
        let mut text = Vec::new();
        input.reader.read_to_end(&mut text).map_err(|error| error.to_string())?;
        assert_eq!(input.consumed.load(Ordering::Relaxed), bytes.len() as u64);
        Ok(text)
    }

    fn packed(text: &[u8]) -> [Vec<u8>; 3] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text).unwrap();
        let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::default()).unwrap();
        xz.write_all(text).unwrap();
        let mut zstd = zstd::Encoder::new(Vec::new(), 3).unwrap();
        zstd.include_checksum(true).unwrap();
        zstd.write_all(text).unwrap();
        [gzip.finish().unwrap(), zstd.finish().unwrap(), xz.finish().unwrap()]
    }

    #[test]
    fn every_packing_is_known_by_its_first_bytes() {
        let text = b"[Event \"?\"]\n\n1. e4 *\n".repeat(1000);
        assert_eq!(read(&text).unwrap(), text);
        assert_eq!(read(b"").unwrap(), b"");
        for bytes in packed(&text) {
            assert_eq!(read(&bytes).unwrap(), text);
            assert_eq!(
                read(&[bytes.clone(), bytes].concat()).unwrap(),
                text.repeat(2),
                "two streams in a row"
            );
        }
    }

    #[test]
    fn utf_16_is_read_as_utf_8() {
        let text = "[Event \"Größe\"]\n\n1. e4 *\n".repeat(1000);
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide).unwrap(), text.as_bytes());
        assert_eq!(read(&[b"\xff\xfe".to_vec(), wide.clone()].concat()).unwrap(), text.as_bytes());
        for bytes in packed(&wide) {
            assert_eq!(read(&bytes).unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn streams_that_are_cut_off_or_damaged_say_so() {
        let text: Vec<u8> =
            (0..20_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for bytes in packed(&text) {
            for length in [7, bytes.len() / 2, bytes.len() - 1] {
                let error = read(&bytes[..length]).unwrap_err();
                assert!(error.contains("cut off") || error.contains("damaged"), "{error}");
            }
            let mut damaged = bytes.clone();
            let middle = damaged.len() / 2;
            damaged[middle..middle + 8].fill(0xff);
            assert!(read(&damaged).is_err());
        }
    }

    #[test]
    fn what_is_not_read_is_named_with_a_way_out() {
        for (bytes, remedy) in [
            (&b"BZh91AY&SY"[..], "bzip2 -dc"),
            (b"PK\x03\x04....", "the zip archive is damaged"),
            (b"7z\xbc\xaf\x27\x1c....", "7z e -so"),
            (b"Scid.si\0\x01\x90", "export its games as PGN"),
        ] {
            assert!(read(bytes).unwrap_err().contains(remedy), "{remedy}");
        }
        // A byte order mark of UTF-8, and a text that speaks of SQLite, are no such thing.
        for text in ["\u{feff}1. e4 *\n", "SQLite format 3 *\n"] {
            assert_eq!(read(text.as_bytes()).unwrap(), text.as_bytes());
        }
    }
}
