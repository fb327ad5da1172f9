//! Splits a stream of JSON objects, one a line or in an array, and holds no more than one part of it.

use ferz_core::text::Span;
use ferz_core::text::limits::{CHUNK_BYTES, RECORD_BYTES_MAX, VARIATION_DEPTH_MAX};
use std::io::{Read, Result};

/// Nesting of brackets: each variation has two, and a ply in it a few more.
const DEPTH_MAX: usize = 2 * VARIATION_DEPTH_MAX + 16;

/// How the line of a record begins; an object that is not closed before such a line never is.
const NEXT_RECORD: &[u8] = b"{\"record\"";

/// Some whole lines of the stream and the objects in them.
#[derive(Debug)]
pub(super) struct Part {
    /// The bytes of the lines.
    pub(super) bytes: Vec<u8>,
    /// Bytes of the stream before them.
    pub(super) offset: usize,
    /// Line breaks before them.
    pub(super) lines: usize,
    /// The places of the objects in `bytes`.
    pub(super) objects: Vec<Span>,
    /// The places of what is not an object, each with the reason.
    pub(super) faults: Vec<(Span, String)>,
}

/// Reads the parts of a stream.
#[derive(Debug)]
pub(super) struct Parts<R> {
    stream: R,
    buffer: Vec<u8>,
    offset: usize,
    lines: usize,
    ended: bool,
    part_bytes: usize,
    object_bytes_max: usize,
    scan: Scan,
}

/// End of what has been scanned.
#[derive(Debug, Default)]
struct Scan {
    pos: usize,
    /// Start of the open object.
    start: usize,
    depth: usize,
    in_string: bool,
    /// The rest of the line belongs to an abandoned object.
    skips: bool,
    /// After the last line break outside of objects: the buffer may be cut here.
    cut: usize,
    objects: Vec<Span>,
    faults: Vec<(Span, String)>,
}

impl<R: Read> Parts<R> {
    pub(super) fn new(stream: R) -> Parts<R> {
        Parts::with_limits(stream, CHUNK_BYTES, RECORD_BYTES_MAX)
    }

    fn with_limits(stream: R, part_bytes: usize, object_bytes_max: usize) -> Parts<R> {
        let (buffer, scan) = (Vec::new(), Scan::default());
        Parts { stream, buffer, offset: 0, lines: 0, ended: false, part_bytes, object_bytes_max, scan }
    }

    fn next_part(&mut self) -> Result<Option<Part>> {
        loop {
            self.scan.run(&self.buffer, self.ended);
            if self.ended {
                self.scan.end(self.buffer.len());
                return Ok((!self.buffer.is_empty()).then(|| self.take(self.buffer.len())));
            }
            if self.scan.cut >= self.part_bytes.min(self.buffer.len()) && self.scan.cut > 0 {
                return Ok(Some(self.take(self.scan.cut)));
            }
            if self.buffer.len() > self.object_bytes_max {
                self.scan.too_long(self.buffer.len(), self.object_bytes_max);
            }
            let got = self.stream.by_ref().take(self.part_bytes as u64).read_to_end(&mut self.buffer)?;
            self.ended = got < self.part_bytes;
        }
    }

    fn take(&mut self, bytes: usize) -> Part {
        let rest = self.buffer.split_off(bytes);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let (offset, lines) = (self.offset, self.lines);
        self.offset += bytes.len();
        self.lines += memchr::memchr_iter(b'\n', &bytes).count();
        let (objects, faults) = self.scan.shift(bytes.len());
        Part { bytes, offset, lines, objects, faults }
    }
}

impl<R: Read> Iterator for Parts<R> {
    type Item = Result<Part>;

    fn next(&mut self) -> Option<Result<Part>> {
        let part = self.next_part();
        if part.is_err() {
            (self.ended, self.scan) = (true, Scan::default());
            self.buffer.clear();
        }
        part.transpose()
    }
}

impl Scan {
    /// Scans the rest of the text; `whole` if nothing follows.
    fn run(&mut self, text: &[u8], whole: bool) {
        while let Some(&byte) = text.get(self.pos) {
            if self.skips {
                let end = memchr::memchr(b'\n', &text[self.pos..]);
                (self.pos, self.skips) = end.map_or((text.len(), true), |at| (self.pos + at, false));
                continue;
            }
            if self.in_string {
                if !self.string(text, byte, whole) {
                    return;
                }
                continue;
            }
            match byte {
                b'\n' if self.depth == 0 => self.cut = self.pos + 1,
                b'\n' => {
                    let next = &text[self.pos + 1..];
                    if next.len() < NEXT_RECORD.len() && !whole {
                        return;
                    }
                    if next.starts_with(NEXT_RECORD) {
                        self.fault("this object is not closed; close it with `}`");
                        self.cut = self.pos + 1;
                    }
                }
                b'"' if self.depth > 0 => self.in_string = true,
                b'{' | b'[' if self.depth > 0 => self.depth += 1,
                b'}' | b']' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.objects.push(Span::new(self.start, self.pos + 1));
                    }
                }
                b'{' => (self.start, self.depth) = (self.pos, 1),
                // Objects may be in an array.
                b'[' | b']' | b',' | b' ' | b'\t' | b'\r' => {}
                0xef | 0xbb | 0xbf if self.pos < 3 => {}
                _ if self.depth == 0 && !self.skip_line(text, whole) => return,
                _ => {}
            }
            if self.depth > DEPTH_MAX {
                self.fault("brackets nested deeper than in any record");
                self.skips = true;
                continue;
            }
            self.pos += 1;
        }
    }

    /// Continues in a string; false if more of the text is needed.
    fn string(&mut self, text: &[u8], byte: u8, whole: bool) -> bool {
        match byte {
            b'"' => self.in_string = false,
            b'\\' if self.pos + 1 == text.len() && !whole => return false,
            b'\\' => self.pos += 1,
            b'\n' => {
                self.fault("a string in this object does not end on its line; close it or write `\\n`");
                self.cut = self.pos + 1;
            }
            _ => {}
        }
        self.pos += 1;
        true
    }

    /// Skips what is not an object up to the end of its line; false if more of the text is needed.
    fn skip_line(&mut self, text: &[u8], whole: bool) -> bool {
        let end = memchr::memchr(b'\n', &text[self.pos..]).map(|at| self.pos + at);
        if end.is_none() && !whole {
            return false;
        }
        self.start = self.pos;
        self.pos = end.unwrap_or(text.len());
        self.fault("not a JSON object; a record is an object");
        self.pos = self.pos.saturating_sub(1);
        true
    }

    /// Abandons the open object.
    fn fault(&mut self, message: &str) {
        self.faults.push((Span::new(self.start, self.pos), message.to_owned()));
        (self.depth, self.in_string) = (0, false);
    }

    /// Finishes the text: nothing follows.
    fn end(&mut self, len: usize) {
        if self.depth > 0 {
            self.pos = len;
            self.fault("this object is not closed; close it with `}`");
        }
    }

    fn too_long(&mut self, len: usize, limit: usize) {
        if self.depth > 0 {
            self.fault(&format!("this object is longer than the limit of {limit} bytes for a record"));
            self.skips = true;
        }
        (self.pos, self.cut) = (len, len);
    }

    /// Removes the first `bytes` bytes of the text; returns what was found in them.
    fn shift(&mut self, bytes: usize) -> (Vec<Span>, Vec<(Span, String)>) {
        self.pos -= bytes;
        self.start = self.start.saturating_sub(bytes);
        self.cut = 0;
        // An open object never ends before a cut, so some of what was found may lie after it.
        let objects = self.objects.partition_point(|object| object.end <= bytes);
        let faults = self.faults.partition_point(|(span, _)| span.end <= bytes);
        let back = |span: Span| Span::new(span.start - bytes, span.end - bytes);
        let later: Vec<Span> = self.objects.split_off(objects).into_iter().map(back).collect();
        let later_faults =
            self.faults.split_off(faults).into_iter().map(|(span, message)| (back(span), message)).collect();
        (std::mem::replace(&mut self.objects, later), std::mem::replace(&mut self.faults, later_faults))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Objects and faults as texts, whatever the size of the parts.
    fn found(text: &str, part_bytes: usize) -> (Vec<String>, Vec<String>) {
        let (mut objects, mut faults, mut offset, mut lines) = (Vec::new(), Vec::new(), 0, 0);
        for part in Parts::with_limits(text.as_bytes(), part_bytes, 100) {
            let part = part.expect("memory does not fail");
            assert_eq!((part.offset, part.lines), (offset, lines));
            (offset, lines) =
                (offset + part.bytes.len(), lines + part.bytes.iter().filter(|b| **b == b'\n').count());
            let shown = |span: &Span| String::from_utf8_lossy(span.of(&part.bytes)).into_owned();
            objects.extend(part.objects.iter().map(shown));
            faults.extend(part.faults.iter().map(|(span, message)| format!("{}: {message}", shown(span))));
        }
        assert_eq!(offset, text.len());
        (objects, faults)
    }

    #[test]
    fn objects_are_found_in_lines_and_arrays() {
        for text in [
            "{\"a\":\"}\\\"\"}\n\n {\"b\":[{}]}\r\n",
            "[{\"a\":\"}\\\"\"},\n{\"b\":[{}]}]",
            "\u{feff}{\"a\":\"}\\\"\"}{\"b\":[{}]}",
        ] {
            for part_bytes in 1..30 {
                let (objects, faults) = found(text, part_bytes);
                assert_eq!(
                    (objects.len(), faults.len()),
                    (2, 0),
                    "{text} {part_bytes}: {objects:?} {faults:?}"
                );
                assert_eq!(objects, ["{\"a\":\"}\\\"\"}", "{\"b\":[{}]}"]);
            }
        }
    }

    #[test]
    fn what_is_broken_costs_no_other_record() {
        let good = "{\"record\":1}";
        for bad in [
            "{\"a\":\"x}",
            "{\"record\":[[}",
            "oops {}",
            &"[".repeat(5000),
            &format!("{{\"a\":\"{}", "x".repeat(300)),
        ] {
            let text = format!("{good}\n{bad}\n{good}\n");
            for part_bytes in [1, 7, 1000] {
                let (objects, faults) = found(&text, part_bytes);
                let expected = if bad.starts_with("[[") { 0 } else { 1 };
                assert_eq!(
                    (objects.len(), faults.len()),
                    (2, expected),
                    "{bad:.20} {part_bytes}: {faults:?}"
                );
            }
        }
        let deep = format!("{{\"a\":{}\n{good}", "[".repeat(600));
        assert_eq!(found(&deep, 2000).1.len(), 1);
        assert_eq!(
            found("{\"record\":1,", 3).1,
            ["{\"record\":1,: this object is not closed; close it with `}`"]
        );
    }
}
