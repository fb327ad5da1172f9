//! A record in full as plain data: its parts in order, and what each ply did.
//!
//! What is *written* (tags, texts, comments) is the record; what was *played* (squares, captures, keys) is derived and
//! can be recomputed at any time. The form is documented in `formats/JSON.md`.

mod build;
mod facts;
mod pgn;

pub use build::{Transcribed, transcribe, transcribe_within};
pub use facts::{Captured, Clocks, CommandData, Derive, Illegality, Placed, Played, PlyKind};
pub use pgn::Pgn;

use crate::record::CommentKind;
use ferz_core::rules::RulesId;
use serde::{Deserialize, Serialize};

/// The version of this form of a record.
pub const FORM: u32 = 1;

/// A complete record, for programs that have a game to write.
///
/// ```
/// use ferz_records::record::{AsWritten, WriteOptions, read, write_record};
/// use ferz_records::rewrite::transcript::{Element, ElementKind, Tag, Transcript};
///
/// let mut moves: Vec<Element> = ["e4", "e5"].map(|ply| Element::new(ElementKind::Ply, ply)).into();
/// moves.push(Element::new(ElementKind::Comment, "so far"));
/// moves.push(Element::new(ElementKind::Result, "*"));
/// let text = Transcript::new(vec![Tag::new("Variant", "ingols")], moves).to_pgn().text;
///
/// // The same in export format, with its move numbers.
/// let record = read(text.as_bytes(), 0).next().ok_or("no record")?;
/// let mut written = String::new();
/// write_record(&record, &AsWritten, &WriteOptions::default(), &mut written);
/// assert!(written.contains("[Variant \"ingols\"]\n"));
/// assert!(written.ends_with("\n\n1. e4 e5 {so far} *\n\n"), "{written}");
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcript {
    /// Version of the form, [`FORM`].
    pub record: u32,
    /// Derived: name of the game, mutators first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Derived: the rules that it was judged by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesId>,
    /// Derived: style of notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Derived: legal plies of the main line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// Derived: whether the whole main line is legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<bool>,
    /// Derived: the record's result, from its tag or else from after its moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Derived: the position that the game starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// Derived: the position after the last legal ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_fen: Option<String>,
    /// The tag pairs in order.
    pub tags: Vec<Tag>,
    /// The movetext in order.
    pub moves: Vec<Element>,
}

/// A tag pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tag {
    /// The name.
    pub name: String,
    /// The value, without escapes.
    pub value: String,
}

impl Tag {
    /// A tag pair.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Tag {
        Tag { name: name.into(), value: value.into() }
    }
}

/// The kind of an element of the movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElementKind {
    /// A ply, with the move number directly before it.
    Ply,
    /// A separate move number.
    Number,
    /// An annotation.
    Nag,
    /// Text, and commands inside it.
    Comment,
    /// A variation: it replaces the ply before it.
    Variation,
    /// A result.
    Result,
    /// Stray bytes, such as a closing brace without a comment.
    Stray,
}

/// An element of the movetext.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// The kind.
    #[serde(rename = "type")]
    pub kind: ElementKind,
    /// The form of a comment; braces by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<CommentKind>,
    /// The move number directly before a ply, as written: `1.`, `3...`, `∞1.....`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The text as written; of a comment the part between its delimiters. Every element except a variation has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Derived: the value of a number or an annotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u32>,
    /// Derived: the commands of a comment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<CommandData>,
    /// The elements of a variation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Element>>,
    /// Derived: what a ply did that is legal or was let stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<Box<Played>>,
    /// Derived: why a ply is illegal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<Box<Illegality>>,
    /// Derived: true for a ply that was not replayed because it follows an illegal one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unjudged: bool,
}

impl Element {
    /// An element with only its text.
    pub fn new(kind: ElementKind, text: impl Into<String>) -> Element {
        Element {
            kind,
            form: None,
            number: None,
            text: Some(text.into()),
            value: None,
            commands: Vec::new(),
            moves: None,
            played: None,
            illegal: None,
            unjudged: false,
        }
    }

    /// True if both have the same written parts; derived parts are ignored.
    pub fn is_written_like(&self, other: &Element) -> bool {
        let form = |element: &Element| match element.kind {
            ElementKind::Comment => Some(element.form.unwrap_or(CommentKind::Brace)),
            _ => element.form,
        };
        let inner = |element: &Element| element.moves.as_ref().map_or(0, Vec::len);
        self.kind == other.kind
            && form(self) == form(other)
            && self.number == other.number
            && self.text == other.text
            && inner(self) == inner(other)
    }

    /// The key of a derived value that contradicts the moves; an absent value contradicts nothing.
    pub fn contradiction(&self, found: &Element) -> Option<&'static str> {
        if self.value.is_some() && self.value != found.value {
            return Some("value");
        }
        if !self.commands.is_empty() && self.commands != found.commands {
            return Some("commands");
        }
        match (&self.played, &found.played) {
            (Some(given), Some(played)) => return given.difference(played),
            (Some(_), None) => return Some("played"),
            (None, _) => {}
        }
        // The words for a reason may change; that the ply is illegal may not.
        let number = |element: &Element| element.illegal.as_ref().map(|illegal| illegal.ply);
        if self.illegal.is_some() && number(self) != number(found) {
            return Some("illegal");
        }
        (self.unjudged && !found.unjudged).then_some("unjudged")
    }
}

impl Transcript {
    /// A record as written, without derived values.
    pub fn new(tags: Vec<Tag>, moves: Vec<Element>) -> Transcript {
        Transcript {
            record: FORM,
            variant: None,
            rules: None,
            style: None,
            plies: None,
            legal: None,
            result: None,
            start_fen: None,
            final_fen: None,
            tags,
            moves,
        }
    }

    /// The elements at every depth, each variation before its contents.
    pub fn elements(&self) -> Vec<&Element> {
        let mut found = Vec::new();
        let mut open: Vec<std::slice::Iter<'_, Element>> = vec![self.moves.iter()];
        while let Some(line) = open.last_mut() {
            match line.next() {
                Some(element) => {
                    found.push(element);
                    open.extend(element.moves.as_ref().map(|moves| moves.iter()));
                }
                None => {
                    open.pop();
                }
            }
        }
        found
    }

    /// The key of a derived value of the whole record that contradicts the moves.
    pub fn contradiction(&self, found: &Transcript) -> Option<&'static str> {
        fn differs<T: PartialEq>(given: &Option<T>, found: &Option<T>) -> bool {
            given.is_some() && given != found
        }
        let keys = [
            ("variant", differs(&self.variant, &found.variant)),
            ("rules", differs(&self.rules, &found.rules)),
            ("style", differs(&self.style, &found.style)),
            ("plies", differs(&self.plies, &found.plies)),
            ("legal", differs(&self.legal, &found.legal)),
            ("result", differs(&self.result, &found.result)),
            ("start_fen", differs(&self.start_fen, &found.start_fen)),
            ("final_fen", differs(&self.final_fen, &found.final_fen)),
        ];
        keys.into_iter().find_map(|(key, differs)| differs.then_some(key))
    }
}
