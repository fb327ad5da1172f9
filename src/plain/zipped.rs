//! The texts in a zip archive, one after another, as one text.

use super::as_utf_8;
use ferz::text::Foreign;
use std::collections::VecDeque;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::sync::Arc;
use zip::{CompressionMethod, ZipArchive};

/// True for a zip archive that has a file in it.
pub(crate) fn begins(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

/// Where an archive is, so that each of its files is read by a reader of its own.
#[derive(Clone)]
pub(crate) enum Source {
    #[cfg(feature = "cli")]
    Path(std::path::PathBuf),
    /// Read from a pipe.
    Bytes(Arc<[u8]>),
}

trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

impl Source {
    fn open(&self) -> io::Result<Box<dyn ReadSeek>> {
        Ok(match self {
            #[cfg(feature = "cli")]
            Source::Path(path) => Box::new(std::fs::File::open(path)?),
            Source::Bytes(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        })
    }
}

/// A file of the archive.
struct Member {
    name: String,
    /// Where its data begins, and how many bytes they are.
    start: u64,
    stored: u64,
    deflated: bool,
    /// The sum of its text.
    crc: u32,
}

/// Reads the files of an archive in its order, with an empty line between them. Folders, hidden files, pictures and
/// programs are passed over.
pub(crate) struct Zipped {
    source: Source,
    waiting: VecDeque<Member>,
    current: Box<dyn Read + Send>,
}

impl Zipped {
    /// Opens an archive.
    ///
    /// # Errors
    /// If it is damaged, has no file, or a file that is encrypted or packed by other means than Deflate.
    pub(crate) fn open(source: Source) -> io::Result<Zipped> {
        let mut archive = ZipArchive::new(source.open()?).map_err(|error| broken(&error))?;
        let mut waiting = VecDeque::new();
        for index in 0..archive.len() {
            let file = archive.by_index_raw(index).map_err(|error| broken(&error))?;
            let name = String::from_utf8_lossy(file.name_raw()).into_owned();
            let hidden = name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX");
            if file.is_dir() || hidden {
                continue;
            }
            let deflated = match file.compression() {
                CompressionMethod::Stored => false,
                CompressionMethod::DEFLATE => true,
                other => return Err(trouble(format!("{name} is packed by {other}; extract it first"))),
            };
            if file.encrypted() {
                return Err(trouble(format!("{name} is encrypted; extract it first")));
            }
            let start = file.data_start().ok_or_else(|| trouble(format!("{name} has no data")))?;
            waiting.push_back(Member {
                name,
                start,
                stored: file.compressed_size(),
                deflated,
                crc: file.crc32(),
            });
        }
        if waiting.is_empty() {
            return Err(trouble("the zip archive has no file in it".to_owned()));
        }
        Ok(Zipped { source, waiting, current: Box::new(io::empty()) })
    }

    /// Opens the next file; false if there is none.
    fn next(&mut self) -> io::Result<bool> {
        let Some(Member { name, start, stored, deflated, crc }) = self.waiting.pop_front() else {
            return Ok(false);
        };
        let mut file = self.source.open()?;
        file.seek(SeekFrom::Start(start))?;
        let data = file.take(stored);
        let mut text: Box<dyn Read + Send> = match deflated {
            true => Box::new(flate2::read::DeflateDecoder::new(data)),
            false => Box::new(data),
        };
        let mut head = Vec::new();
        text.by_ref()
            .take(Foreign::HEAD_BYTES as u64)
            .read_to_end(&mut head)
            .map_err(|error| damaged(&name, &error))?;
        match Foreign::of(&head) {
            Some(foreign) if foreign.holds_text() => {
                return Err(trouble(format!("{name}: {}", foreign.advice(" | ferz … -"))));
            }
            Some(_) => return Ok(true),
            None => {}
        }
        let inner = Box::new(Cursor::new(head).chain(text));
        let member = name.clone();
        let whole = Checked { inner, name, crc, seen: flate2::Crc::new() };
        self.current = Box::new(as_utf_8(&member, Box::new(whole))?.chain(&b"\n\n"[..]));
        Ok(true)
    }
}

impl Read for Zipped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.current.read(buffer)?;
            if read > 0 || buffer.is_empty() || !self.next()? {
                return Ok(read);
            }
        }
    }
}

/// Adds the name of a file to errors of its data, and compares its sum at its end.
struct Checked {
    inner: Box<dyn Read + Send>,
    name: String,
    crc: u32,
    seen: flate2::Crc,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error,
            _ => damaged(&self.name, &error),
        })?;
        self.seen.update(&buffer[..read]);
        if read == 0 && !buffer.is_empty() && self.seen.sum() != self.crc {
            return Err(damaged(&self.name, &"its checksum differs"));
        }
        Ok(read)
    }
}

/// The list of files cannot be read.
fn broken(error: &zip::result::ZipError) -> io::Error {
    trouble(format!("the zip archive is damaged ({error}); fetch it again"))
}

fn damaged(name: &str, why: &dyn std::fmt::Display) -> io::Error {
    trouble(format!("{name} in the zip archive is damaged ({why}); fetch it again"))
}

fn trouble(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::SimpleFileOptions;

    /// An archive of files, each stored or deflated; names that end with a stroke are folders.
    fn packed(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes, deflated) in files {
            let method = if *deflated { CompressionMethod::DEFLATE } else { CompressionMethod::Stored };
            let options = SimpleFileOptions::default().compression_method(method);
            if name.ends_with('/') {
                writer.add_directory(*name, options).unwrap();
            } else {
                writer.start_file(*name, options).unwrap();
                writer.write_all(bytes).unwrap();
            }
        }
        writer.finish().unwrap().into_inner()
    }

    fn text(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut text = Vec::new();
        let opened = Zipped::open(Source::Bytes(bytes.into()));
        let read = opened.and_then(|mut zipped| zipped.read_to_end(&mut text));
        read.map(|_| text).map_err(|error| error.to_string())
    }

    #[test]
    fn files_follow_one_another() {
        let wide: Vec<u8> = "\u{feff}1. b3 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let files: [(&str, &[u8], bool); 7] = [
            ("round1/", b"", false),
            ("round1/a.pgn", b"1. e4 e5 1-0", true),
            ("__MACOSX/a.pgn", b"\0\x05\x16\x07", false),
            ("logo.png", b"\x89PNG\r\n\x1a\n....", false),
            ("b.pgn", b"[White \"M\xfcller\"]\n\n1. d4 *", false),
            ("c.pgn", b"\xef\xbb\xbf1. c4 *", true),
            ("wide.pgn", &wide, true),
        ];
        // UTF-16 is converted file by file, without its mark; a byte of Latin-1 stays for the reader of records, as in
        // a plain file.
        let expected = b"1. e4 e5 1-0\n\n[White \"M\xfcller\"]\n\n1. d4 *\n\n\
            \xef\xbb\xbf1. c4 *\n\n1. b3 *\n\n";
        let found = text(packed(&files)).unwrap();
        assert_eq!(found.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }

    #[test]
    fn damage_and_what_is_no_text_are_named() {
        let stored = packed(&[("a.pgn", b"1. e4 e5 1-0", false)]);
        let at = stored.windows(2).position(|pair| pair == b"e4").unwrap();
        let mut changed = stored.clone();
        changed[at] = b'd';
        assert!(text(changed).unwrap_err().contains("a.pgn in the zip archive is damaged"));
        assert!(
            text(stored[..stored.len() / 2].to_vec()).unwrap_err().contains("the zip archive is damaged")
        );
        assert!(text(packed(&[])).unwrap_err().contains("has no file in it"));
        let nested = text(packed(&[("a.zip", &stored, false)])).unwrap_err();
        assert!(nested.starts_with("a.zip: zip"), "{nested}");
    }
}
