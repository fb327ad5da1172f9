//! Where the parts of a record stand in its JSON text.

use ferz_core::text::Span;

/// The places of the tags and elements of one record, counted in bytes of its text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// The objects in `tags`.
    pub(super) tags: Vec<Span>,
    /// The objects in `moves`, at every depth, each variation before what it holds.
    pub(super) elements: Vec<Span>,
}

/// What a bracket opened.
enum Open {
    /// An array of tags, of elements, or of something else.
    Tags,
    Elements,
    Others,
    /// An object: its place in one of the lists, and the key that was read last.
    Object {
        place: Option<(bool, usize)>,
        key: Span,
    },
}

impl Places {
    /// Looks through a text that is known to be JSON.
    pub(super) fn of(json: &[u8]) -> Places {
        let mut places = Places::default();
        let mut open: Vec<Open> = Vec::new();
        let mut pos = 0;
        while let Some(&byte) = json.get(pos) {
            match byte {
                b'"' => {
                    let end = string_end(json, pos);
                    if let Some(Open::Object { key, .. }) = open.last_mut()
                        && json[end..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
                    {
                        *key = Span::new(pos + 1, end - 1);
                    }
                    pos = end;
                    continue;
                }
                b'{' => {
                    let place = places.note(open.last(), pos);
                    open.push(Open::Object { place, key: Span::default() });
                }
                b'[' => open.push(array(open.last(), open.len(), json)),
                b'}' | b']' => {
                    if let Some(Open::Object { place: Some((is_tag, index)), .. }) = open.pop() {
                        let list = if is_tag { &mut places.tags } else { &mut places.elements };
                        list[index].end = pos + 1;
                    }
                }
                _ => {}
            }
            pos += 1;
        }
        places
    }

    /// Notes an object that begins in an array, if it is a tag or an element.
    fn note(&mut self, array: Option<&Open>, start: usize) -> Option<(bool, usize)> {
        let (is_tag, list) = match array? {
            Open::Tags => (true, &mut self.tags),
            Open::Elements => (false, &mut self.elements),
            Open::Others | Open::Object { .. } => return None,
        };
        list.push(Span::new(start, start));
        Some((is_tag, list.len() - 1))
    }
}

/// The meaning of an array, by its key.
fn array(owner: Option<&Open>, depth: usize, json: &[u8]) -> Open {
    let Some(Open::Object { place, key }) = owner else { return Open::Others };
    match (key.of(json), place) {
        (b"tags", None) if depth == 1 => Open::Tags,
        (b"moves", None) if depth == 1 => Open::Elements,
        (b"moves", Some((false, _))) => Open::Elements,
        _ => Open::Others,
    }
}

/// Where the string that begins at `start` ends.
fn string_end(json: &[u8], start: usize) -> usize {
    let mut pos = start + 1;
    while let Some(byte) = json.get(pos) {
        match byte {
            b'"' => return pos + 1,
            b'\\' => pos += 2,
            _ => pos += 1,
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_elements_at_every_depth() {
        let json = br#"{"x":["moves",{"moves":[{}]}],"tags":[{"name":"}\"{","value":"[{"}],
            "moves":[ {"a":{"moves":[{}]},"gated":[{}]}, {"moves" : [{"b":1},{"moves":[{"c":2}]}]} ]}"#;
        let places = Places::of(json);
        let text = |span: &Span| String::from_utf8_lossy(span.of(json)).into_owned();
        assert_eq!(places.tags.iter().map(text).collect::<Vec<_>>(), [r#"{"name":"}\"{","value":"[{"}"#]);
        let elements = [
            r#"{"a":{"moves":[{}]},"gated":[{}]}"#,
            r#"{"moves" : [{"b":1},{"moves":[{"c":2}]}]}"#,
            r#"{"b":1}"#,
            r#"{"moves":[{"c":2}]}"#,
            r#"{"c":2}"#,
        ];
        assert_eq!(places.elements.iter().map(text).collect::<Vec<_>>(), elements);
    }
}
