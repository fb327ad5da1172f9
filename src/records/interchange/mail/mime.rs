//! Mail as it is sent: headers, parts and their encodings (RFC 2045 and 2046). The parts that are text stay, decoded;
//! of alternatives the plainest. Headers and all other parts are skipped.

use super::transport::quoted_printable_in;
use crate::interchange::layers::Change;
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use ferz_core::text::decode;
use std::ops::Range;

/// Parts within parts.
const DEPTH_MAX: usize = 8;

/// Bytes of the headers of a mail, and of a part.
const HEADERS_BYTES_MAX: usize = 1 << 16;

/// The changes that leave the text of a mail; none for a text that is no mail.
pub(in crate::interchange) fn parts(text: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    // Programs put a line of their own before a mail that they keep.
    let start = if text.starts_with(b"From ") { line_end(text, 0, text.len()) } else { 0 };
    let Some(headers) = Headers::read(text, start..text.len()) else { return changes };
    if !headers.is_mail() {
        return changes;
    }
    changes.push(Change::skip(0, headers.end));
    let body = headers.end..text.len();
    entity(text, &headers, body, 0, &mut changes);
    changes
}

/// What the headers of a mail or a part say about its body.
#[derive(Debug, Default)]
struct Headers {
    /// Where the body begins.
    end: usize,
    /// The names of the fields, in small letters.
    names: Vec<String>,
    /// The type of the body, in small letters: `text/plain`.
    kind: String,
    boundary: Option<String>,
    /// The name of a file.
    file: String,
    encoding: String,
}

impl Headers {
    /// The fields at the front of a range, up to an empty line; `None` if something else begins there.
    fn read(text: &[u8], range: Range<usize>) -> Option<Headers> {
        let mut headers = Headers { end: range.start, ..Headers::default() };
        let mut at = range.start;
        while at < range.end && at - range.start < HEADERS_BYTES_MAX {
            let mut end = line_end(text, at, range.end);
            if text[at..end].trim_ascii().is_empty() {
                headers.end = end;
                return Some(headers);
            }
            // A field goes on in lines that begin with a blank.
            while end < range.end
                && matches!(text[end], b' ' | b'\t')
                && !text[end..line_end(text, end, range.end)].trim_ascii().is_empty()
            {
                end = line_end(text, end, range.end);
            }
            headers.note(&decode(&text[at..end]))?;
            at = end;
        }
        // Headers alone are no mail.
        None
    }

    fn note(&mut self, field: &str) -> Option<()> {
        let (name, value) = field.split_once(':')?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'[');
        let name = name.to_ascii_lowercase();
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        match name.as_str() {
            "content-type" => {
                self.kind = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
                self.boundary = parameter(&value, "boundary");
                self.file = parameter(&value, "name").unwrap_or_default();
            }
            "content-disposition" if self.file.is_empty() => {
                self.file = parameter(&value, "filename").unwrap_or_default();
            }
            "content-transfer-encoding" => self.encoding = value.to_ascii_lowercase(),
            _ => {}
        }
        self.names.push(name);
        is_name.then_some(())
    }

    /// True if these are headers of a mail that says how its text is encoded.
    fn is_mail(&self) -> bool {
        let has = |name: &str| self.names.iter().any(|known| known == name);
        has("mime-version") || has("content-type") || has("content-transfer-encoding")
    }

    /// True if the body may be text with games.
    fn is_text(&self) -> bool {
        let file = self.file.to_ascii_lowercase();
        let is_record =
            ["pgn", "txt", "kif", "csa", "gib", "epd"].iter().any(|form| file.ends_with(&format!(".{form}")));
        self.kind.is_empty()
            || self.kind.starts_with("text/") && self.kind != "text/calendar"
            || self.kind.contains("pgn")
            || is_record
    }
}

/// A parameter of a field: `boundary="…"`.
fn parameter(value: &str, name: &str) -> Option<String> {
    let found = value.split(';').skip(1).find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"').to_owned())
    });
    found.filter(|value| !value.is_empty())
}

/// The changes of a body.
fn entity(text: &[u8], headers: &Headers, body: Range<usize>, depth: usize, changes: &mut Vec<Change>) {
    match &headers.boundary {
        Some(boundary) if headers.kind.starts_with("multipart/") && depth < DEPTH_MAX => {
            multipart(text, headers, boundary, body, depth, changes);
        }
        _ if headers.kind == "message/rfc822" && depth < DEPTH_MAX => match Headers::read(text, body.clone())
        {
            Some(inner) => {
                changes.push(Change::skip(body.start, inner.end));
                let inner_body = inner.end..body.end;
                entity(text, &inner, inner_body, depth + 1, changes);
            }
            None => changes.push(Change::skip(body.start, body.end)),
        },
        _ if !headers.is_text() => changes.push(Change::skip(body.start, body.end)),
        _ => match headers.encoding.as_str() {
            "base64" => changes.extend(from_base64(text, body)),
            "quoted-printable" => changes.extend(quoted_printable_in(text, body)),
            _ => {}
        },
    }
}

/// A part: its headers, and its body.
struct Part {
    headers: Headers,
    from: usize,
    body: Range<usize>,
}

fn multipart(
    text: &[u8],
    headers: &Headers,
    boundary: &str,
    body: Range<usize>,
    depth: usize,
    changes: &mut Vec<Change>,
) {
    let mark = format!("--{boundary}");
    let (mut found, mut at): (Vec<Part>, usize) = (Vec::new(), body.start);
    // What stands before the first part and after the last one is for programs that know no parts.
    let (mut rest, mut open) = (body.start, None);
    while at < body.end {
        let end = line_end(text, at, body.end);
        // Of parts within parts one mark may begin like another.
        let after = text[at..end].trim_ascii_end().strip_prefix(mark.as_bytes());
        if let Some(after @ (b"" | b"--")) = after {
            if let Some(from) = open.take()
                && let Some(headers) = Headers::read(text, line_end(text, from, at)..at)
            {
                let body = headers.end..at;
                found.push(Part { headers, from, body });
            }
            rest = at;
            if !after.is_empty() {
                break;
            }
            open = Some(at);
        }
        at = end;
    }
    // A mail that was cut has no last mark.
    if let Some(from) = open
        && at >= body.end
        && let Some(headers) = Headers::read(text, line_end(text, from, body.end)..body.end)
    {
        let part_body = headers.end..body.end;
        found.push(Part { headers, from, body: part_body });
        rest = body.end;
    }
    let Some(first) = found.first() else { return };
    if body.start < first.from {
        changes.push(Change::skip(body.start, first.from));
    }
    let chosen = (headers.kind == "multipart/alternative").then(|| plainest(&found));
    for (index, part) in found.iter().enumerate() {
        if chosen.is_some_and(|chosen| chosen != index) {
            changes.push(Change::skip(part.from, part.body.end));
            continue;
        }
        changes.push(Change::skip(part.from, part.body.start));
        entity(text, &part.headers, part.body.clone(), depth + 1, changes);
    }
    if rest < body.end {
        changes.push(Change::skip(rest, body.end));
    }
}

/// Which of several alternatives is the plainest.
fn plainest(parts: &[Part]) -> usize {
    let kind = |wanted: &str| parts.iter().position(|part| part.headers.kind == wanted);
    kind("text/plain").or_else(|| kind("text/html")).unwrap_or_default()
}

/// The text of a body in base64, in place of it.
fn from_base64(text: &[u8], body: Range<usize>) -> Option<Change> {
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, lenient);
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    // A list of senders may have added a line in plain text below.
    let mut digits = Vec::with_capacity(body.len());
    let mut end = body.start;
    while end < body.end {
        let next = line_end(text, end, body.end);
        let line = text[end..next].trim_ascii();
        let bare = line.strip_suffix(b"==").or_else(|| line.strip_suffix(b"=")).unwrap_or(line);
        if !bare.iter().all(is_digit) {
            break;
        }
        digits.extend_from_slice(bare);
        end = next;
    }
    let mut decoded = engine.decode(digits).ok()?;
    if !decoded.ends_with(b"\n") {
        decoded.push(b'\n');
    }
    Some(Change::new(body.start, end, decoded))
}

/// The end of the line at `at`, with its line end.
fn line_end(text: &[u8], at: usize, end: usize) -> usize {
    memchr::memchr(b'\n', &text[at..end]).map_or(end, |newline| at + newline + 1)
}

#[cfg(test)]
mod tests {
    use crate::interchange::Wrapped;

    /// The games of a mail, each as its moves.
    fn games(mail: &str) -> Vec<String> {
        let wrapped = Wrapped::new(mail.as_bytes(), 0);
        let moves = |record: crate::record::Record<'_>| {
            let moves: Vec<String> =
                record.main_moves().map(|(_, item)| record.text(item).into_owned()).collect();
            moves.join(" ")
        };
        wrapped.records(0).map(moves).collect()
    }

    const TOP: &str = "From: Ann <ann@home.example>\nSubject: our game\nMIME-Version: 1.0\n";

    #[test]
    fn a_body_in_base64_is_read() {
        // `Hi Ben,`, and `1. e4 e5 2. Nf3 *` below an empty line.
        let body = "SGkgQmVuLAoKMS4gZTQgZTUgMi4gTmYz\r\nICoK";
        for encoding in ["base64", "BASE64"] {
            let mail = format!(
                "{TOP}Content-Type: text/plain;\n charset=\"utf-8\"\nContent-Transfer-Encoding: {encoding}\n\n{body}\n"
            );
            assert_eq!(games(&mail), ["e4 e5 Nf3"], "{encoding}");
        }
        // Cut short, and with a line of a list of senders below.
        let mail =
            format!("{TOP}Content-Transfer-Encoding: base64\n\n{}\n\n-- \nlist\n", &body[..body.len() - 1]);
        assert_eq!(games(&mail), ["e4 e5 Nf3"]);
    }

    #[test]
    fn of_alternatives_the_plainest_is_read() {
        let part = |kind: &str, text: &str| format!("--b1\nContent-Type: {kind}\n\n{text}\n");
        let html = part("text/html", "<p>1. e4 e5 2. Nf3 *</p>");
        let plain = part("text/plain; charset=utf-8", "1. e4 e5 2. Nf3 *");
        let mail = |parts: &str| {
            format!(
                "{TOP}Content-Type: multipart/alternative; boundary=\"b1\"\n\nfor old programs\n{parts}--b1--\nlist\n"
            )
        };
        for parts in [format!("{plain}{html}"), format!("{html}{plain}"), plain.clone(), html.clone()] {
            assert_eq!(games(&mail(&parts)), ["e4 e5 Nf3"], "{parts}");
        }
        let image = part("image/png", "1. d4 *");
        let mixed = mail(&format!("{plain}{image}{html}")).replace("alternative", "mixed");
        assert_eq!(games(&mixed), ["e4 e5 Nf3", "e4 e5 Nf3"]);
        // A mail that was cut.
        let cut = mail(&plain);
        assert_eq!(games(&cut[..cut.find("--b1--").unwrap()]), ["e4 e5 Nf3"]);
    }

    #[test]
    fn attached_records_and_forwarded_mails_are_read() {
        let inner = format!(
            "{TOP}Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n1. d4 d5 2. c4=\n e6 *\n"
        );
        let mail = format!(
            "{TOP}Content-Type: multipart/mixed; boundary=x\n\n--x\n\nSee below.\n--x\n\
             Content-Type: application/octet-stream\n\
             Content-Disposition: attachment; filename=\"round.pgn\"\nContent-Transfer-Encoding: base64\n\n\
             W0V2ZW50ICJDbHViIl0KCjEuIGU0IGU1ICoK\n--x\nContent-Type: message/rfc822\n\n{inner}--x--\n"
        );
        assert_eq!(games(&mail), ["e4 e5", "d4 d5 c4 e6"]);
    }

    #[test]
    fn what_several_layers_skip_is_said_of_the_lines_of_the_mail() {
        let mail = format!(
            "{TOP}Content-Type: multipart/mixed; boundary=b1\n\n--b1\n\nHi Ben,\n\n\
             1. e4 *\n--b1\n\nBye\n\n1. d4 *\n--b1--\n"
        );
        let wrapped = Wrapped::new(mail.as_bytes(), 0);
        let found = wrapped.records(0).map(|record| record.diagnostics[0].message.clone());
        // What stands between two games is said with the first.
        let expected = [
            "lines 1-6, 8, 11 and 13 are not part of a game; they are skipped",
            "line 16 is not part of a game; it is skipped",
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn parts_within_parts_have_marks_of_their_own() {
        let inner = "--b10\nContent-Type: text/plain\n\n1. e4 e5 *\n\
                     --b10\nContent-Type: text/html\n\n<p>1. e4 e5 *</p>\n--b10--\n";
        let mail = format!(
            "{TOP}Content-Type: multipart/mixed; boundary=b1\n\n--b1\n\
             Content-Type: multipart/alternative; boundary=b10\n\n{inner}--b1\n\n1. d4 d5 *\n--b1--\n"
        );
        assert_eq!(games(&mail), ["e4 e5", "d4 d5"]);
    }

    #[test]
    fn what_is_no_mail_stays() {
        for text in [
            "White: Ann\nBlack: Ben\n\n1. e4 *\n",
            "Content-Type of this file: text\n\n1. e4 *\n",
            "MIME-Version: 1.0\n",
        ] {
            assert!(super::parts(text.as_bytes()).is_empty(), "{text}");
        }
    }
}
