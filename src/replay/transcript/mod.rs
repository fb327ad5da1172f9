//! A record in full as plain data: what stands in it, in its order, and what each ply did.
//!
//! What is *written* (tags, texts, comments) is the record; what was *played* (squares, captures, keys) is told beside
//! it, and can be made again from what is written at any time. The form is documented in `formats/JSON.md`.

mod build;
mod facts;
mod pgn;

pub use build::{Transcribed, transcribe, transcribe_within};
pub use facts::{Captured, Clocks, CommandTold, Illegality, Placed, Played, PlyKind};
pub use pgn::Pgn;

use crate::record::CommentKind;
use crate::rules::RulesId;
use serde::{Deserialize, Serialize};

/// The number of this form of a record; another number is another form.
pub const FORM: u32 = 1;

/// A whole record: what a program builds that has a game to write.
///
/// ```
/// use ferz::record::{AsWritten, WriteOptions, read, write_record};
/// use ferz::replay::transcript::{Element, ElementKind, Tag, Transcript};
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
    /// Number of the form, [`FORM`].
    pub record: u32,
    /// Told: name of the game, mutators in front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Told: which rules it was judged by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesId>,
    /// Told: style of notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Told: legal plies of the main line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// Told: whether the whole main line is legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<bool>,
    /// Told: the result that the record gives, in its tag or else behind its moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Told: the position that the game starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// Told: the position after the last legal ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_fen: Option<String>,
    /// The tag pairs, in their order.
    pub tags: Vec<Tag>,
    /// The movetext, in its order.
    pub moves: Vec<Element>,
}

/// A tag pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value, without escapes.
    pub value: String,
}

impl Tag {
    /// A tag pair.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Tag {
        Tag { name: name.into(), value: value.into() }
    }
}

/// What an element of the movetext is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElementKind {
    /// A ply, with the move number directly in front of it.
    Ply,
    /// A move number that stands alone.
    Number,
    /// An annotation.
    Nag,
    /// Text for people, and commands inside it.
    Comment,
    /// A variation: it replaces the ply before it.
    Variation,
    /// A result.
    Result,
    /// Bytes that mean nothing, such as a closing brace without a comment.
    Stray,
}

/// An element of the movetext.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ElementKind,
    /// How a comment is written; in braces where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<CommentKind>,
    /// The move number directly in front of a ply, as it is written: `1.`, `3...`, `∞1.....`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// What is written; of a comment what stands between its delimiters. Every element but a variation has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Told: the value of a number or an annotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u32>,
    /// Told: the commands of a comment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<CommandTold>,
    /// What a variation holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Element>>,
    /// Told: what a ply did that is legal, or stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<Box<Played>>,
    /// Told: why a ply is illegal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<Box<Illegality>>,
    /// Told: true for a ply that was not replayed, as it follows an illegal one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unjudged: bool,
}

impl Element {
    /// An element of which only the text is known.
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

    /// True if both say the same as written, whatever is told beside it.
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

    /// Something that is told and is not so, by its key; what is not told is no contradiction.
    pub fn contradiction(&self, found: &Element) -> Option<&'static str> {
        if self.value.is_some() && self.value != found.value {
            return Some("value");
        }
        if !self.commands.is_empty() && self.commands != found.commands {
            return Some("commands");
        }
        match (&self.played, &found.played) {
            (Some(told), Some(played)) => return told.difference(played),
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
    /// A record as it is written, with nothing told beside it.
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

    /// The elements at every depth, each variation before what it holds.
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

    /// Something that is told of the whole record and is not so, by its key.
    pub fn contradiction(&self, found: &Transcript) -> Option<&'static str> {
        fn differs<T: PartialEq>(told: &Option<T>, found: &Option<T>) -> bool {
            told.is_some() && told != found
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
