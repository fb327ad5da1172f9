//! The only place that writes to the standard streams: data to stdout, messages to stderr.

use ferz::text::without_controls;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// The standard output is closed. Not an error: `ferz moves chess | head -1` is fine.
    BrokenPipe,
    /// The fault and the remedy; `ferz: error: ` is put before it.
    Message(String),
    /// The same for an input that holds no record, such as a program: a finding, not an error of usage.
    NoRecord(String),
    /// The same, already drawn (with carets under the bytes).
    Drawn(String),
}

impl Failure {
    /// The fault and the remedy.
    pub fn message(message: impl Display) -> Failure {
        Failure::Message(message.to_string())
    }

    /// An error of writing to the standard output.
    fn of_output(error: &io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Message(format!("cannot write to standard output: {error}")),
        }
    }
}

/// The outcome of a completed command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// No findings.
    Fine,
    /// Findings, already reported.
    Findings,
    /// A claim that is neither upheld nor rejected, or evidence that is neither accepted nor refused.
    Open,
}

impl ExitStatus {
    /// `Findings` if there are any.
    pub fn of(findings: bool) -> ExitStatus {
        if findings { ExitStatus::Findings } else { ExitStatus::Fine }
    }
}

/// How a command ends.
pub type Outcome = Result<ExitStatus, Failure>;

/// When to use colours in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The standard streams.
#[derive(Debug)]
pub struct Console {
    out: BufWriter<Stdout>,
    color: bool,
    /// Whether the standard output is a terminal, which would obey control characters in records.
    terminal: bool,
}

impl Console {
    /// Takes the standard output for the rest of the run.
    pub fn new(color: Color) -> Console {
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let wanted = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                wanted("NO_COLOR") && !dumb && io::stderr().is_terminal()
            }
        };
        let terminal = io::stdout().is_terminal();
        Console { out: BufWriter::with_capacity(1 << 16, io::stdout()), color, terminal }
    }

    /// Whether messages have colours.
    pub fn has_color(&self) -> bool {
        self.color
    }

    /// Writes data.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Writes data that may not be UTF-8: as it is, but on a terminal with its control characters shown as symbols.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match std::str::from_utf8(bytes) {
            Ok(text) if self.terminal => self.out.write_all(without_controls(text).as_bytes()),
            Err(_) if self.terminal => {
                self.out.write_all(without_controls(&String::from_utf8_lossy(bytes)).as_bytes())
            }
            _ => self.out.write_all(bytes),
        };
        written.map_err(|error| Failure::of_output(&error))
    }

    /// Writes one line for people. Control characters, which a file or a server may have put there, are shown as
    /// symbols.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn line(&mut self, line: impl Display) -> Result<(), Failure> {
        let line = line.to_string();
        writeln!(self.out, "{}", without_controls(&line)).map_err(|error| Failure::of_output(&error))
    }

    /// Writes a value as one line of JSON.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let line = json_line(value)?;
        writeln!(self.out, "{line}").map_err(|error| Failure::of_output(&error))
    }

    /// Flushes everything written so far.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| Failure::of_output(&error))
    }

    /// Writes a message to stderr, after flushing the data so far.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn note(&mut self, message: &str) -> Result<(), Failure> {
        self.flush()?;
        to_stderr(message);
        Ok(())
    }

    /// Writes a message that was drawn, perhaps with colours, to stderr, after flushing the data so far.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn drawn(&mut self, drawn: &str) -> Result<(), Failure> {
        self.flush()?;
        drawn_to_stderr(drawn);
        Ok(())
    }

    /// Writes a warning.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn warning(&mut self, message: impl Display) -> Result<(), Failure> {
        self.note(&format!("ferz: warning: {message}"))
    }

    /// Reports why the command stopped.
    pub fn failure(&mut self, failure: &Failure) {
        // Flush earlier data first; if that fails, that failure is the one to report.
        let _ = self.out.flush();
        match failure {
            Failure::BrokenPipe => {}
            Failure::Message(message) | Failure::NoRecord(message) => {
                to_stderr(&format!("ferz: error: {message}"))
            }
            Failure::Drawn(drawn) => drawn_to_stderr(drawn),
        }
    }
}

/// A value as JSON on one line, in which every control character is escaped; JSON asks that of those of ASCII only.
///
/// # Errors
/// If the value cannot be JSON.
pub(super) fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    let line = serde_json::to_string(value).map_err(Failure::message)?;
    let is_control = |char: char| matches!(char, '\u{7f}'..='\u{9f}');
    if !line.contains(is_control) {
        return Ok(line);
    }
    let mut escaped = String::with_capacity(line.len());
    for char in line.chars() {
        if is_control(char) {
            escaped.push_str(&format!("\\u{:04x}", u32::from(char)));
        } else {
            escaped.push(char);
        }
    }
    Ok(escaped)
}

/// Writes a message to stderr where the console is not available.
pub(super) fn to_stderr(text: &str) {
    drawn_to_stderr(&without_controls(text));
}

/// Writes a message whose control characters are our own colours.
fn drawn_to_stderr(text: &str) {
    // If stderr cannot be written, there is no other place for the message.
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n'));
}
