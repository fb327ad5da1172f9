//! Converts reports of format 1, with nested variations, to format 2.

use memchr::{memchr2, memmem};
use std::borrow::Cow;
use std::ops::Range;

/// The key of the list of variations in JSON.
const KEY: &[u8] = b"\"variations\"";

/// Converts every report in a JSON text to format 2: the outermost list of variations has those of all depths, each
/// before those inside it. All other bytes are unchanged, as is a text that is not JSON.
///
/// It does not recurse, and stores a few numbers for each variation at any depth.
///
/// ```
/// use ferz::replay::flat_reports;
/// let nested = r#"{"variations":[{"path":[1,0],"variations":[{"path":[1,0,1,0]}],"plies":1}]}"#;
/// let flat = r#"{"variations":[{"path":[1,0],"plies":1},{"path":[1,0,1,0]}]}"#;
/// assert_eq!(flat_reports(nested), flat);
/// ```
pub fn flat_reports(json: &str) -> Cow<'_, str> {
    // Nesting needs at least two.
    if memmem::find_iter(json.as_bytes(), KEY).nth(1).is_none() {
        return Cow::Borrowed(json);
    }
    match Scan::new(json).run() {
        Some(flat) => Cow::Owned(flat),
        None => Cow::Borrowed(json),
    }
}

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// An outermost list of variations.
    Outer,
    /// A list of variations inside the variation with this number.
    Inner(usize),
    /// A variation: its number in [`Scan::lines`].
    Variation(usize),
    /// Any other object or list.
    Other,
}

/// The bytes of a variation without those inside it.
struct Line {
    pieces: Vec<Range<usize>>,
    /// The start of the open piece.
    from: usize,
}

/// A walk over the text.
struct Scan<'a> {
    json: &'a str,
    pos: usize,
    open: Vec<Open>,
    /// The variations of the open outer list, each before those inside it.
    lines: Vec<Line>,
    /// True inside an outer list.
    in_list: bool,
    /// True if the text has nested lists.
    is_nested: bool,
    flat: String,
    /// The start of the text that is not in `flat` yet.
    copied: usize,
}

impl<'a> Scan<'a> {
    fn new(json: &'a str) -> Scan<'a> {
        let flat = String::with_capacity(json.len());
        let (open, lines) = (Vec::new(), Vec::new());
        Scan { json, pos: 0, open, lines, in_list: false, is_nested: false, flat, copied: 0 }
    }

    /// The whole text in format 2; `None` if it already is, or is not JSON.
    fn run(mut self) -> Option<String> {
        while let Some(&byte) = self.json.as_bytes().get(self.pos) {
            let is_list = matches!(self.open.last(), Some(Open::Outer | Open::Inner(_)));
            let fits = byte == b'{' || byte == b']' || byte == b',' || byte.is_ascii_whitespace();
            if is_list && !fits {
                return None;
            }
            self.pos += 1;
            match byte {
                b'"' => self.string()?,
                b'{' if is_list => {
                    self.open.push(Open::Variation(self.lines.len()));
                    self.lines.push(Line { pieces: Vec::new(), from: self.pos - 1 });
                }
                b'{' | b'[' => self.open.push(Open::Other),
                b'}' | b']' => self.close(byte)?,
                _ => {}
            }
        }
        if !self.open.is_empty() || !self.is_nested {
            return None;
        }
        self.flat.push_str(&self.json[self.copied..]);
        Some(self.flat)
    }

    /// Skips a string after its first quote, and the bracket after the key of a list of variations.
    fn string(&mut self) -> Option<()> {
        let (bytes, start) = (self.json.as_bytes(), self.pos - 1);
        loop {
            self.pos += memchr2(b'"', b'\\', bytes.get(self.pos..)?)? + 1;
            if bytes[self.pos - 1] == b'"' {
                break;
            }
            self.pos += 1;
        }
        let list = (bytes[start..self.pos] == *KEY).then(|| self.after(b':', self.pos)).flatten();
        let Some(inside) = list.and_then(|value| self.after(b'[', value)) else { return Some(()) };
        match self.open.last() {
            Some(&Open::Variation(number)) => {
                let line = &mut self.lines[number];
                line.pieces.push(line.from..start);
                self.open.push(Open::Inner(number));
                self.is_nested = true;
            }
            _ if self.in_list => return Some(()),
            _ => {
                self.open.push(Open::Outer);
                self.in_list = true;
                self.flat.push_str(&self.json[self.copied..inside]);
            }
        }
        self.pos = inside;
        Some(())
    }

    /// The place after the next byte that is not white space.
    fn after(&self, byte: u8, pos: usize) -> Option<usize> {
        let bytes = self.json.as_bytes();
        let at = pos + bytes[pos..].iter().position(|next| !next.is_ascii_whitespace())?;
        (bytes[at] == byte).then_some(at + 1)
    }

    fn close(&mut self, bracket: u8) -> Option<()> {
        match (self.open.pop()?, bracket) {
            (Open::Variation(number), b'}') => {
                let line = &mut self.lines[number];
                line.pieces.push(line.from..self.pos);
            }
            (Open::Inner(number), b']') => {
                let comma = self.after(b',', self.pos);
                let line = &mut self.lines[number];
                line.from = comma.unwrap_or(self.pos);
                // Remove one comma with the member: the one after it, or else the one before.
                if let (None, Some(before)) = (comma, line.pieces.last_mut()) {
                    let text = self.json[before.clone()].trim_end();
                    before.end = before.start + text.strip_suffix(',').unwrap_or(text).len();
                }
            }
            (Open::Outer, b']') => {
                for (index, line) in self.lines.drain(..).enumerate() {
                    self.flat.push_str(if index == 0 { "" } else { "," });
                    line.pieces.into_iter().for_each(|piece| self.flat.push_str(&self.json[piece]));
                }
                (self.in_list, self.copied) = (false, self.pos - 1);
            }
            (Open::Other, _) => {}
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_inside_lists_move_out() {
        for (nested, flat) in [
            (r#"{"a":1}"#, r#"{"a":1}"#),
            (r#"{"variations":[{"p":1}],"e":[]}"#, r#"{"variations":[{"p":1}],"e":[]}"#),
            (
                r#"{"variations":[{"p":1,"variations":[{"p":2,"variations":[{"p":3}]},{"p":4}],"e":5},{"p":6}],"e":7}"#,
                r#"{"variations":[{"p":1,"e":5},{"p":2},{"p":3},{"p":4},{"p":6}],"e":7}"#,
            ),
            (r#"{"variations":[{"variations":[{"p":2}]}]}"#, r#"{"variations":[{},{"p":2}]}"#),
            (
                "{ \"variations\" : [ {\"p\": 1 , \"variations\" : [\n{\"p\":2} ]\n} ] }",
                "{ \"variations\" : [{\"p\": 1 \n},{\"p\":2}] }",
            ),
            (
                r#"[{"variations":[{"variations":[{}],"p":1}]},{"variations":[{"p":"\\","variations":[]}]}]"#,
                r#"[{"variations":[{"p":1},{}]},{"variations":[{"p":"\\"}]}]"#,
            ),
        ] {
            assert_eq!(flat_reports(nested), flat);
        }
    }

    /// Texts that are not keys, values that are not lists of objects, and malformed texts are unchanged.
    #[test]
    fn all_else_stays_as_it_is() {
        for text in [
            r#"{"text":"\"variations\":[{\"variations\":[{}]}]","note":"variations"}"#,
            r#"{"variations":"variations","variations":null}"#,
            r#"{"plies":[{"variations":[[{"variations":[[]]}]]}]}"#,
            r#"{"variations":[{"a":{"variations":[{}]}}]}"#,
            r#"{"variations":[{"variations":[1]}]}"#,
            r#"{"variations":[{"variations":[{}]}"#,
            r#"{"variations":[{"variations":[{}}]}]"#,
            r#"{"variations":[{"variations":[{"#,
            r#"{"variations":[{"variations":[{"a":"\"#,
            r#"]"variations":[{"variations":[{}]}]"#,
        ] {
            assert_eq!(flat_reports(text), text);
        }
    }

    #[test]
    fn any_depth_takes_little_stack() {
        let depth = 100_000;
        let nested =
            r#"{"variations":["#.to_owned() + &r#"{"variations":["#.repeat(depth) + &"]}".repeat(depth + 1);
        let flat = format!(r#"{{"variations":[{}]}}"#, vec!["{}"; depth].join(","));
        assert_eq!(flat_reports(&nested), flat);
    }
}
