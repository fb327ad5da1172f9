//! Draws diagnostics over their source, with carets under the bytes they refer to.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use ferz::text::{Diagnostic, Severity, Span};

/// Bytes of a line shown on either side of a place, and for each line of a place; longer lines are cut.
const MARGIN: usize = 200;
/// Maximum number of lines shown of a place.
const LINES_MAX: usize = 4;

/// The text that a diagnostic refers to, or the available part of it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Name of the file, for the arrow; empty for none.
    pub name: &'a str,
    /// The available text.
    pub text: &'a [u8],
    /// Offset of the available text in the whole, in bytes; the diagnostic's span counts in the whole.
    pub offset: usize,
    /// Number of the first available line, from 1.
    pub first_line: usize,
    /// Number of the line of the place, where it is known; else the text is looked through for it.
    pub line: Option<usize>,
}

impl<'a> Source<'a> {
    /// A complete text.
    pub fn whole(name: &'a str, text: &'a str) -> Source<'a> {
        Source { name, text: text.as_bytes(), offset: 0, first_line: 1, line: None }
    }

    /// A part of a larger text: whole lines, the first of which has the given number and offset.
    pub fn part(name: &'a str, text: &'a [u8], offset: usize, first_line: usize) -> Source<'a> {
        Source { name, text, offset, first_line, line: None }
    }

    /// The same for a place whose line is known.
    pub fn at_line(self, line: usize) -> Source<'a> {
        Source { line: Some(line), ..self }
    }
}

/// Draws a diagnostic: its code and message, the line with carets, its notes.
pub fn draw(diagnostic: &Diagnostic, source: &Source<'_>, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let excerpt = Excerpt::new(source, diagnostic.span);
    let title = level.primary_title(&*diagnostic.message).id(diagnostic.code.0);
    let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(note.as_str()));
    let group = title.element(excerpt.snippet(source.name)).elements(notes);
    renderer(color).render(&[group])
}

/// Draws an error about one argument, with carets under a part of it.
pub fn draw_argument(message: &str, argument: &str, span: Span, note: &str, color: bool) -> String {
    let source = Source::whole("", argument);
    let excerpt = Excerpt::new(&source, span);
    let level = Level::ERROR.with_name("ferz: error");
    let snippet = excerpt.snippet("").line_numbering(false);
    let group = level.primary_title(message).element(snippet).element(Level::HELP.message(note));
    renderer(color).render(&[group])
}

fn renderer(color: bool) -> Renderer {
    if color { Renderer::styled() } else { Renderer::plain() }
}

/// The lines around a place, cut to a readable amount.
struct Excerpt {
    text: String,
    span: std::ops::Range<usize>,
    line: usize,
}

impl Excerpt {
    fn new(source: &Source<'_>, span: Span) -> Excerpt {
        let whole = source.text;
        let start = boundary(whole, span.start.saturating_sub(source.offset));
        let mut end = span.end.saturating_sub(source.offset).clamp(start, whole.len());
        // Extend a place that ends inside a character over the whole of it.
        let ends = (end..=whole.len().min(end + 3)).find(|&at| boundary(whole, at) == at);
        end = ends.unwrap_or(end);
        // An empty last line has nothing to point at; use the end of the line before.
        let is_last = start == whole.len() && start > 0 && whole[start - 1] == b'\n';
        let start = start - usize::from(is_last);
        if let Some(newline) = memchr::memchr_iter(b'\n', &whole[start..end]).nth(LINES_MAX - 1) {
            end = start + newline;
        }
        end = end.min(boundary(whole, start.saturating_add(LINES_MAX * MARGIN)));
        // Only what is shown is looked at: a line may be as long as the whole text.
        let margin = boundary(whole, start.saturating_sub(MARGIN));
        let from =
            memchr::memrchr(b'\n', &whole[margin..start]).map_or(margin, |newline| margin + newline + 1);
        let margin = boundary(whole, end.saturating_add(MARGIN)).max(end);
        let to = memchr::memchr(b'\n', &whole[end..margin]).map_or(margin, |newline| end + newline);
        let cut = |cut: bool| if cut { "…" } else { "" };
        let piece = |from: usize, to: usize| {
            let ends_line = whole.get(to) == Some(&b'\n');
            without_returns(&String::from_utf8_lossy(&whole[from..to.max(from)]), ends_line)
        };
        let (head, middle) =
            (cut(from > 0 && whole[from - 1] != b'\n').to_owned() + &piece(from, start), piece(start, end));
        let tail = piece(end, to) + cut(whole.get(to).is_some_and(|byte| *byte != b'\n'));
        let span = head.len()..head.len() + middle.len();
        let line = match source.line {
            Some(line) => line - usize::from(is_last),
            None => source.first_line + memchr::memchr_iter(b'\n', &whole[..start]).count(),
        };
        Excerpt { text: head + &middle + &tail, span, line }
    }

    fn snippet<'a>(&'a self, name: &'a str) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let path = (!name.is_empty()).then_some(name);
        Snippet::source(self.text.as_str())
            .line_start(self.line)
            .path(path)
            .annotation(AnnotationKind::Primary.span(self.span.clone()))
    }
}

/// The text with all line breaks as `\n`, since a carriage return would be drawn as a character.
fn without_returns(text: &str, ends_line: bool) -> String {
    let text = if ends_line { text.strip_suffix('\r').unwrap_or(text) } else { text };
    text.replace("\r\n", "\n")
}

/// The nearest character boundary at or before `at`, at most three bytes before.
fn boundary(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    let begins = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
    (at.saturating_sub(3)..=at).rev().find(begins).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz::text::Code;

    fn drawn(text: &str, start: usize, end: usize) -> String {
        let diagnostic =
            Diagnostic::new(Code("S001"), Severity::Warning, Span::new(start, end), "odd").note("a note");
        draw(&diagnostic, &Source::whole("a.pgn", text), false)
    }

    #[test]
    fn a_place_in_a_line() {
        insta::assert_snapshot!(drawn("[Event \"?\"]\n\n1. e4 ∞1.....a4=N e5\n", 20, 23), @r##"
        warning[S001]: odd
         --> a.pgn:3:7
          |
        3 | 1. e4 ∞1.....a4=N e5
          |       ^^
          |
          = note: a note
        "##);
    }

    #[test]
    fn line_breaks_of_all_systems_look_alike() {
        let unix = "[Event \"?\"]\n\n1. e4 e5\n2. d4 d5\n";
        let places = ["Event", "\"?\"]", "e5", "e5\n2. d4", "d5", "d5\n", "\n\n1.", "\n"];
        for part in places {
            let (start, windows) = (unix.find(part).unwrap(), unix.replace('\n', "\r\n"));
            let same = windows.find(&part.replace('\n', "\r\n")).unwrap();
            let end = same + part.replace('\n', "\r\n").len();
            assert_eq!(drawn(&windows, same, end), drawn(unix, start, start + part.len()), "{part:?}");
        }
        for at in 0..unix.len() + 6 {
            let drawn = drawn(&unix.replace('\n', "\r\n"), at, at + 3);
            assert!(!drawn.contains(['\r', '\u{240d}']), "{at}: {drawn}");
        }
    }

    #[test]
    fn a_part_of_a_large_file() {
        let diagnostic =
            Diagnostic::new(Code("S001"), Severity::Error, Span::new(1_000_003, 1_000_005), "odd");
        let source = Source::part("a.pgn", b"1. e5 e5\n", 1_000_000, 5_000);
        insta::assert_snapshot!(draw(&diagnostic, &source, false), @r##"
        error[S001]: odd
            --> a.pgn:5000:4
             |
        5000 | 1. e5 e5
             |    ^^
        "##);
    }

    #[test]
    fn no_place_is_too_odd_to_be_drawn() {
        let long = "é".repeat(5_000);
        for text in ["", "\n", "a", "a\n", "a\n\n\n", "\u{221e}", "a\r\nb\r\n", long.as_str()] {
            for (start, end) in [
                (0, 0),
                (0, 1),
                (1, 1),
                (0, text.len()),
                (text.len(), text.len()),
                (4_000, 4_004),
                (9, 99_999),
            ] {
                assert!(drawn(text, start, end).contains("odd"));
            }
        }
        let bytes = b"1. e\xe9 e5\xff\n";
        let diagnostic = Diagnostic::new(Code("S001"), Severity::Error, Span::new(4, 5), "odd");
        assert!(draw(&diagnostic, &Source::part("a", bytes, 0, 1), false).contains("odd"));
    }

    #[test]
    fn long_lines_are_cut() {
        let text = "x".repeat(1_000_000);
        assert!(drawn(&text, 500_000, 500_003).len() < 2_000);
        assert!(drawn(&text, 400_000, 500_000).len() < 4_000);
        let lines = ("y".repeat(100_000) + "\n").repeat(3);
        assert!(drawn(&lines, 10, 250_000).len() < 4_000, "{}", drawn(&lines, 10, 250_000).len());
    }
}
