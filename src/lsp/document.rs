//! An open file: records, or the definition of a game.

use super::lines::Text;
use super::records::Records;
use ferz::replay::{Located, Report};
use ferz::rules::check::check;
use ferz::text::{Severity, Span};
use ferz::{Desk, text};
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString};

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Records of games.
    Records,
    /// A definition of a game or mutator.
    Definition,
}

/// An open file.
#[derive(Debug)]
pub struct Document {
    /// What it holds.
    kind: Kind,
    /// Its version, as the editor counts.
    pub version: i32,
    /// Its text.
    pub text: Text,
    /// What was found in this text; `None` until it is judged.
    found: Option<Vec<Finding>>,
}

/// A finding, with its fixes.
#[derive(Debug, Clone)]
pub struct Finding {
    /// As the editor shows it.
    pub diagnostic: Diagnostic,
    /// Replacements, best first.
    pub instead: Vec<String>,
    /// True if the first replacement only corrects the form.
    pub is_spelling: bool,
}

impl Document {
    /// A file that was opened.
    pub fn new(language: &str, uri: &str, version: i32, text: String) -> Document {
        let is_toml = language == "toml" || uri.ends_with(".toml");
        let kind = if is_toml { Kind::Definition } else { Kind::Records };
        Document { kind, version, text: Text::new(text), found: None }
    }

    /// Forgets what was found, since the text has changed.
    pub fn has_changed(&mut self, version: i32) {
        (self.version, self.found) = (version, None);
    }

    /// Its records as they are; `None` if it has none, or if they are in mail or in files of other programs, which are
    /// judged, and have no further help.
    pub fn records(&self) -> Option<Records<'_>> {
        if self.kind == Kind::Records { Records::new(&self.text) } else { None }
    }

    /// What is found in the text.
    pub fn found(&mut self, desk: &Desk) -> &[Finding] {
        let (kind, text) = (self.kind, &self.text);
        self.found.get_or_insert_with(|| match kind {
            Kind::Records => in_records(desk, text),
            Kind::Definition => in_definition(desk, text),
        })
    }
}

fn in_records(desk: &Desk, text: &Text) -> Vec<Finding> {
    let mut found = Vec::new();
    for report in desk.validate(text.as_str().as_bytes()) {
        found.extend(report.all_diagnostics().into_iter().map(|located| of_located(text, located)));
        found.extend(illegal(text, &report));
    }
    found
}

fn of_located(text: &Text, located: &Located) -> Finding {
    let notes = located.notes.iter().map(|note| format!("\n{note}")).collect::<String>();
    Finding {
        diagnostic: diagnostic(
            text,
            Span::new(located.span[0], located.span[1]),
            located.severity,
            located.code.0,
            format!("{}{notes}", located.message),
        ),
        instead: located.spelling.iter().cloned().collect(),
        is_spelling: true,
    }
}

/// The illegal plies of a report and of its variations.
fn illegal(text: &Text, report: &Report) -> Vec<Finding> {
    let lines = report.with_variations();
    let plies = lines.into_iter().flat_map(Report::illegal_plies);
    let findings = plies.map(|illegal| Finding {
        diagnostic: diagnostic(
            text,
            Span::new(illegal.span[0], illegal.span[1]),
            Severity::Error,
            illegal.code.0,
            format!("{} ({})", illegal.reason, illegal.rule),
        ),
        instead: illegal.candidates.clone(),
        is_spelling: false,
    });
    findings.collect()
}

fn in_definition(desk: &Desk, text: &Text) -> Vec<Finding> {
    let mut registry = desk.registry().clone();
    let mistakes = match check(&mut registry, text.as_str()) {
        Ok(checked) => checked.in_vain,
        Err(mistakes) => mistakes,
    };
    let finding = |found: &text::Diagnostic| Finding {
        diagnostic: diagnostic(text, found.span, found.severity, found.code.0, found.message.to_string()),
        instead: Vec::new(),
        is_spelling: false,
    };
    mistakes.iter().map(finding).collect()
}

fn diagnostic(text: &Text, span: Span, severity: Severity, code: &str, message: String) -> Diagnostic {
    Diagnostic {
        range: text.range(span),
        severity: Some(match severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some("ferz".to_owned()),
        message,
        ..Diagnostic::default()
    }
}
