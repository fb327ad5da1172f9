//! The only place that writes to the standard streams: data to the one, messages to the other.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// Nobody reads the standard output any more. No error: `ferz moves chess | head -1` is a fair question.
    BrokenPipe,
    /// What is wrong and what to do about it; `ferz: error: ` goes in front.
    Message(String),
    /// The same, drawn already (with carets under the offending bytes).
    Drawn(String),
}

impl Failure {
    /// What is wrong and what to do about it.
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

/// What a command that came to its end has to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong.
    Fine,
    /// Something is to be mended; what, has been said.
    Findings,
}

impl Verdict {
    /// Findings if there are any.
    pub fn of(findings: bool) -> Verdict {
        if findings { Verdict::Findings } else { Verdict::Fine }
    }
}

/// How a command ends.
pub type Outcome = Result<Verdict, Failure>;

/// When messages have colours.
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
    out: BufWriter<StdoutLock<'static>>,
    color: bool,
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
        Console { out: BufWriter::with_capacity(1 << 16, io::stdout().lock()), color }
    }

    /// Whether messages have colours.
    pub fn has_color(&self) -> bool {
        self.color
    }

    /// Writes data.
    ///
    /// # Errors
    /// Where the standard output cannot be written to.
    pub fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Writes data that need not be UTF-8.
    ///
    /// # Errors
    /// Where the standard output cannot be written to.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes).map_err(|error| Failure::of_output(&error))
    }

    /// Writes one line of data.
    ///
    /// # Errors
    /// Where the standard output cannot be written to.
    pub fn line(&mut self, line: impl Display) -> Result<(), Failure> {
        writeln!(self.out, "{line}").map_err(|error| Failure::of_output(&error))
    }

    /// Brings everything written so far to its reader.
    ///
    /// # Errors
    /// Where the standard output cannot be written to.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| Failure::of_output(&error))
    }

    /// Says something beside the data, as it is; the data written so far comes first.
    ///
    /// # Errors
    /// Where the standard output cannot be written to.
    pub fn note(&mut self, drawn: &str) -> Result<(), Failure> {
        self.flush()?;
        to_stderr(drawn);
        Ok(())
    }

    /// Says that something is doubtful, and goes on.
    ///
    /// # Errors
    /// Where the standard output cannot be written to.
    pub fn warning(&mut self, message: impl Display) -> Result<(), Failure> {
        self.note(&format!("ferz: warning: {message}"))
    }

    /// Says why the command stopped.
    pub fn failure(&mut self, failure: &Failure) {
        // What was written before is of use; if it cannot be delivered, that failure is the one at hand.
        let _ = self.out.flush();
        match failure {
            Failure::BrokenPipe => {}
            Failure::Message(message) => to_stderr(&format!("ferz: error: {message}")),
            Failure::Drawn(drawn) => to_stderr(drawn),
        }
    }
}

/// Says something beside the data from where the console is not at hand.
pub(super) fn to_stderr(text: &str) {
    // Where messages cannot be written there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n'));
}
