//! Findings about a place in the input, as data.

use super::{Span, deserialize_named};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// How much a diagnostic weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing to fix.
    Info,
    /// A deviation from the form whose meaning is clear.
    Warning,
    /// Something is wrong or lost; the run ends with exit code 1.
    Error,
}

impl Severity {
    /// The word before a message and in JSON; `to_string` gives the same.
    ///
    /// ```
    /// use ferz_core::text::Severity;
    /// assert_eq!(Severity::Warning.to_string(), "warning");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Severity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
        const ALL: [Severity; 3] = [Severity::Info, Severity::Warning, Severity::Error];
        deserialize_named(deserializer, "severity", &ALL, Severity::as_str)
    }
}

/// Stable identifier of one kind of diagnostic, such as `S004`; documented in `formats/CODES.md`.
///
/// `S` codes are about syntax of records, `V` about variant definitions, `N` about notation,
/// `M` about plies, `J` about judging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Code(pub &'static str);

/// Codes that were read and that no constant of the program was asked for. They are never freed: there are at most
/// 26,000 texts of a code's form.
static READ: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

impl Code {
    /// The code that a text is: a capital letter and three digits. A code that this version does not know is one, too.
    ///
    /// ```
    /// use ferz_core::text::Code;
    /// assert_eq!(Code::parse("S004"), Some(Code("S004")));
    /// assert_eq!(Code::parse("S04"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Code> {
        let [letter, digits @ ..] = text.as_bytes() else { return None };
        if digits.len() != 3 || !letter.is_ascii_uppercase() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(text) {
            return Some(Code(known));
        }
        let kept: &'static str = Box::leak(text.into());
        read.insert(kept);
        Some(Code(kept))
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Code::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is no code")))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// One finding about a place in the input, as data; drawn with carets by the outermost layer only.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Diagnostic {
    /// Which kind of finding.
    pub code: Code,
    /// How much it weighs.
    pub severity: Severity,
    /// The bytes it is about.
    pub span: Span,
    /// One sentence: the fault, then the remedy where it is known.
    pub message: Cow<'static, str>,
    /// Further lines: the rule, the expectation, a hint.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without notes.
    pub fn new(
        code: Code,
        severity: Severity,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        Diagnostic { code, severity, span, message: message.into(), notes: Vec::new() }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }
}
