//! Converts a transcript to a text that reads as the same record.

use super::{Element, ElementKind, Transcript};
use crate::record::CommentKind;
use ferz_core::text::Span;

/// A transcript as a text, with the place of each part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pgn {
    /// The text: one record.
    pub text: String,
    /// The place of each tag pair.
    pub tags: Vec<Span>,
    /// The place of each element, in the order of [`Transcript::elements`].
    pub elements: Vec<Span>,
}

impl Transcript {
    /// The record as a text for reading by programs: every token as written, separated by single spaces. Derived values
    /// are ignored.
    ///
    /// If the parts of the transcript are what they claim to be (a ply's text is a token, a comment in braces has no
    /// brace in it), the text reads as the same transcript.
    pub fn to_pgn(&self) -> Pgn {
        let mut out = Writer { text: String::new(), elements: Vec::new() };
        let mut tags = Vec::with_capacity(self.tags.len());
        for tag in &self.tags {
            let start = out.text.len();
            out.text.push_str(&format!("[{} \"{}\"]", tag.name, escaped(&tag.value)));
            tags.push(Span::new(start, out.text.len()));
            out.text.push('\n');
        }
        if !tags.is_empty() {
            out.text.push('\n');
        }
        out.line(&self.moves);
        if self.tags.is_empty() && self.moves.is_empty() {
            // An empty record: this byte reads as a space, with a diagnostic.
            out.text.push('\0');
        }
        out.text.push('\n');
        Pgn { text: out.text, tags, elements: out.elements }
    }
}

/// A value with a backslash before each quotation mark and backslash.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The characters between the two halves of a result.
const DASHES: [char; 5] = ['-', ':', '\u{2013}', '\u{2014}', '\u{2212}'];

struct Writer {
    text: String,
    elements: Vec<Span>,
}

impl Writer {
    fn line(&mut self, elements: &[Element]) {
        let mut last: Option<&Element> = None;
        for element in elements {
            self.element(element, last);
            last = Some(element);
        }
    }

    fn element(&mut self, element: &Element, last: Option<&Element>) {
        let after_words = last.is_some_and(is_words);
        let text = element.text.as_deref().unwrap_or_default();
        match (element.kind, element.form) {
            (ElementKind::Comment, Some(CommentKind::Escape)) => {
                self.new_line();
                self.put(&format!("%{text}"));
                self.new_line();
            }
            (ElementKind::Comment, Some(CommentKind::Semicolon)) => {
                self.blank();
                self.put(&format!(";{text}"));
                self.new_line();
            }
            (ElementKind::Comment, None | Some(CommentKind::Brace)) => {
                self.blank();
                self.put(&format!("{{{text}}}"));
            }
            // A tag pair without quotes is one only on a line of its own.
            (ElementKind::Comment, _) if is_bracket(element) => {
                // With a quotation mark it stays a comment only after another one on its line; alone it would begin a
                // game.
                let after_bracket = last.is_some_and(|last| is_words(last) && is_bracket(last));
                if after_bracket && text.contains('"') && self.text.ends_with('\n') {
                    self.text.pop();
                    self.text.push(' ');
                } else {
                    self.new_line();
                }
                self.put(text);
                self.new_line();
            }
            // Game Courier's comments run to the end of the line.
            (ElementKind::Comment, _) if text.starts_with("//") => {
                self.blank();
                self.put(text);
                self.new_line();
            }
            // Words separated by an ASCII space would merge into one comment.
            (ElementKind::Comment, _) if after_words && is_words(element) => {
                self.text.push('\u{a0}');
                self.put(text);
            }
            (ElementKind::Variation, _) => {
                self.blank();
                let (start, place) = (self.text.len(), self.elements.len());
                self.elements.push(Span::new(start, start));
                self.text.push('(');
                self.line(element.moves.as_deref().unwrap_or_default());
                self.blank();
                self.text.push(')');
                self.elements[place] = Span::new(start, self.text.len());
            }
            (ElementKind::Ply, _) => self.ply(element, text, last),
            _ => {
                self.words(text);
                // With what follows on its line a bracket could be a tag pair.
                if element.kind == ElementKind::Stray && text.contains('[') {
                    self.new_line();
                }
            }
        }
    }

    fn ply(&mut self, element: &Element, text: &str, last: Option<&Element>) {
        // A letter before two squares on one line would be one move with them, in Game Courier's format.
        let after_letter = last.is_some_and(|last| {
            last.kind == ElementKind::Ply && last.text.as_ref().is_some_and(|text| text.len() == 1)
        });
        // A dash between numbers on one line would make a result of them.
        let is_dash = text.starts_with(DASHES);
        if after_letter || is_dash && element.number.is_none() {
            self.new_line();
        } else {
            self.blank();
        }
        let start = self.text.len();
        if let Some(number) = &element.number {
            self.text.push_str(number);
            self.text.push(if is_dash { '\n' } else { ' ' });
        }
        self.text.push_str(text);
        self.elements.push(Span::new(start, self.text.len()));
        if text.ends_with(DASHES) {
            self.new_line();
        }
    }

    /// Writes words; a dash between numbers on one line would make a result of them.
    fn words(&mut self, text: &str) {
        if text.starts_with(DASHES) {
            self.new_line();
        } else {
            self.blank();
        }
        self.put(text);
        if text.ends_with(DASHES) {
            self.new_line();
        }
    }

    /// Writes the complete text of an element.
    fn put(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.elements.push(Span::new(start, self.text.len()));
    }

    /// A blank before the next token; in column 1 a token with `%` would be an escape line.
    fn blank(&mut self) {
        self.text.push(' ');
    }

    fn new_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// True for what has the form of a tag pair, not of a command such as `[%clk 0:01:00]`.
fn is_bracket(element: &Element) -> bool {
    element.text.as_ref().is_some_and(|text| text.starts_with('[') && !text.starts_with("[%"))
}

/// True for words in the movetext, in the place of moves.
fn is_words(element: &Element) -> bool {
    element.kind == ElementKind::Comment && element.form == Some(CommentKind::Bare)
}
