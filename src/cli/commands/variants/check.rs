//! `ferz variants check`: lists every mistake of a definition file, with carets.

use crate::cli::carets::{Source, draw};
use crate::cli::input;
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::session::Session;
use ferz::rules::check::{Checked, check};
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Definition files; they may extend each other, parents first
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Exit codes: 0 no mistakes, 1 mistakes, 2 usage or I/O error.

Examples:
  ferz variants check formats/variants/chess.toml formats/variants/iago-b.toml";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut registry = session.new_registry()?;
    let mut findings = false;
    let mut unread = None;
    for path in &args.files {
        let text = match input::read_text(path) {
            Ok(text) => text,
            Err(failure) => {
                // After an unreadable file, still check the others; the last failure ends the command.
                if let Some(failure) = unread.replace(failure) {
                    session.console.failure(&failure);
                }
                continue;
            }
        };
        let name = path.display().to_string();
        match check(&mut registry, &text) {
            Ok(Checked { what, in_vain, .. }) => {
                session.console.line(format_args!("{name}: ok: {what}"))?;
                let color = session.console.has_color();
                for warning in in_vain {
                    session.console.drawn(&draw(&warning, &Source::whole(&name, &text), color))?;
                }
            }
            Err(diagnostics) => {
                let color = session.console.has_color();
                for found in diagnostics {
                    if std::mem::replace(&mut findings, true) {
                        session.console.note("")?;
                    }
                    session.console.drawn(&draw(&found, &Source::whole(&name, &text), color))?;
                }
            }
        }
    }
    unread.map_or(Ok(ExitStatus::of(findings)), Err)
}
