//! A record's text line by line, with marked places.

use super::verdict::Tone;
use ferz::text::visible;
use std::ops::Range;

/// A marked place in the record's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Bytes of the input.
    pub span: Range<usize>,
    /// The severity.
    pub tone: Tone,
    /// The message, which does not depend on colours.
    pub title: String,
}

/// A part of a line, marked or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The text.
    pub text: String,
    /// Tone and message if it is marked.
    pub mark: Option<(Tone, String)>,
}

/// A line of the record, or omitted lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    /// Its number in the input, from 1.
    pub number: usize,
    /// Its parts; none for a blank line.
    pub parts: Vec<Part>,
    /// The number of lines omitted in place of this one.
    pub left_out: usize,
}

/// Maximum number of lines shown; those with marks come first.
const LINES_MAX: usize = 400;
/// Lines of context around a mark.
const AROUND: usize = 3;

/// The lines, with marks, of a part of an input that starts after `offset` bytes at line `first` (from 1).
///
/// Of a very long record the start and the surroundings of marks are shown, with the number of omitted lines.
pub fn text_lines(text: &[u8], offset: usize, first: usize, marks: &[Mark]) -> Vec<TextLine> {
    let spans = line_spans(text);
    let marks: Vec<Mark> = marks
        .iter()
        .map(|mark| Mark {
            span: mark.span.start.saturating_sub(offset)..mark.span.end.saturating_sub(offset),
            ..mark.clone()
        })
        .collect();
    let marks = &marks[..];
    let is_marked = |line: &Range<usize>| {
        marks.iter().any(|mark| mark.span.start <= line.end && mark.span.end >= line.start)
    };
    let mut shown = vec![spans.len() <= LINES_MAX; spans.len()];
    if spans.len() > LINES_MAX {
        let mut left = LINES_MAX;
        shown[..LINES_MAX / 2].fill(true);
        for (index, _) in spans.iter().enumerate().filter(|(_, line)| is_marked(line)) {
            if left < 2 * AROUND {
                break;
            }
            left -= 2 * AROUND;
            shown[index.saturating_sub(AROUND)..(index + AROUND + 1).min(spans.len())].fill(true);
        }
    }
    let mut lines: Vec<TextLine> = Vec::new();
    for (index, (span, shown)) in spans.into_iter().zip(shown).enumerate() {
        let number = first + index;
        match lines.last_mut() {
            Some(last) if !shown && last.left_out > 0 => last.left_out += 1,
            _ if !shown => lines.push(TextLine { number, parts: Vec::new(), left_out: 1 }),
            _ => lines.push(TextLine { number, parts: parts(text, span, marks), left_out: 0 }),
        }
    }
    lines
}

/// The lines of a text, without line ends and trailing blank lines.
fn line_spans(text: &[u8]) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let stop = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
        let end = if stop > start && text[stop - 1] == b'\r' { stop - 1 } else { stop };
        spans.push(start..end);
        start = stop + 1;
    }
    let used = spans.iter().rposition(|span| !text[span.clone()].trim_ascii().is_empty());
    spans.truncate(used.map_or(0, |last| last + 1));
    spans
}

fn parts(text: &[u8], line: Range<usize>, marks: &[Mark]) -> Vec<Part> {
    let mut inside: Vec<&Mark> = marks
        .iter()
        .filter(|mark| mark.span.start < line.end && mark.span.end > line.start && !mark.span.is_empty())
        .collect();
    // Of overlapping places the more severe one is marked, then the shorter one.
    inside.sort_by_key(|mark| (mark.tone != Tone::Bad, mark.span.len()));
    let mut taken: Vec<(Range<usize>, &Mark)> = Vec::new();
    for mark in inside {
        let span = mark.span.start.max(line.start)..mark.span.end.min(line.end);
        if taken.iter().all(|(other, _)| other.end <= span.start || span.end <= other.start) {
            taken.push((span, mark));
        }
    }
    taken.sort_by_key(|(span, _)| span.start);
    let mut parts = Vec::new();
    let plain = |range: Range<usize>, parts: &mut Vec<Part>| {
        if !range.is_empty() {
            parts.push(Part { text: visible(&text[range]), mark: None });
        }
    };
    let mut at = line.start;
    for (span, mark) in taken {
        plain(at..span.start, &mut parts);
        at = span.end;
        parts.push(Part { text: visible(&text[span]), mark: Some((mark.tone, mark.title.clone())) });
    }
    plain(at..line.end, &mut parts);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(span: Range<usize>, tone: Tone) -> Mark {
        Mark { span, tone, title: "why".into() }
    }

    fn drawn(lines: &[TextLine]) -> Vec<String> {
        let part = |part: &Part| match &part.mark {
            Some((tone, _)) => format!("<{}:{}>", tone.class(), part.text),
            None => part.text.clone(),
        };
        let line = |line: &TextLine| match line.left_out {
            0 => format!("{} {}", line.number, line.parts.iter().map(part).collect::<String>()),
            count => format!("({count})"),
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn places_are_marked_in_their_lines() {
        let input = b"skip\n1. e4 e5\r\n\n2. Ke3 Nf6 *\n\n";
        let lines = text_lines(&input[5..], 5, 2, &[mark(19..22, Tone::Bad), mark(16..26, Tone::Plain)]);
        assert_eq!(drawn(&lines), ["2 1. e4 e5", "3 ", "4 2. <bad:Ke3> Nf6 *"]);
        // A place across a line end is marked in both lines.
        let lines = text_lines(b"{a\nb} c", 0, 1, &[mark(0..5, Tone::Warning)]);
        assert_eq!(drawn(&lines), ["1 <warning:{a>", "2 <warning:b}> c"]);
    }

    #[test]
    fn long_records_are_shown_around_their_marks() {
        let input = "e4\n".repeat(1000);
        let lines = text_lines(input.as_bytes(), 0, 1, &[mark(2700..2702, Tone::Bad)]);
        let shown = drawn(&lines);
        assert_eq!(shown.len(), 200 + 1 + 7 + 1, "{shown:?}");
        assert_eq!(shown[200], "(697)");
        assert_eq!(shown[204], "901 <bad:e4>");
        assert_eq!(shown[208], "(96)");
    }

    #[test]
    fn nothing_hides() {
        assert_eq!(visible(b"a\0b\x7f\tc"), "a␀b␡\tc");
        assert_eq!(visible("x\u{202e}y".as_bytes()), "x‹U+202E›y");
        assert_eq!(visible(b"Ol\xe1h"), "Oláh");
    }
}
