//! The plain text of what people have on disk and send: texts in other encodings, XQF, zip archives.

pub(crate) mod zipped;

use ferz::interchange::xqf;
use ferz::text::Encoding;
use std::io::{self, Cursor, Read};

/// The text of an input with this name in UTF-8, whatever its encoding is; of a game in XQF, which is no text, the one
/// that says the same.
pub(crate) fn as_utf_8(name: &str, mut reader: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::new();
    reader.by_ref().take(Encoding::HEAD_BYTES as u64).read_to_end(&mut head)?;
    let encoding = Encoding::of(&head);
    let is_xqf = xqf::begins(&head);
    let whole = Cursor::new(head).chain(reader);
    if is_xqf {
        let mut file = Vec::new();
        whole.take(xqf::FILE_BYTES_MAX).read_to_end(&mut file)?;
        let text = xqf::to_text(&file);
        let text = text.map_err(|damage| io::Error::other(format!("{name}: {damage}")))?;
        return Ok(Box::new(Encoding::Gb18030.decoded(Cursor::new(text))));
    }
    Ok(match encoding {
        Some(encoding) => Box::new(encoding.decoded(whole)),
        None => Box::new(whole),
    })
}
