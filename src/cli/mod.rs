//! L14: the program `ferz`: arguments in, text out, an exit code.
//!
//! A command is one module in `commands/`: its arguments, and a `run` that decodes them, calls the library, and encodes
//! the result. Only `output` writes to the standard streams.

#[cfg(feature = "archive")]
mod archived;
mod args;
pub mod carets;
mod commands;
mod engine;
#[cfg(any(feature = "archive", feature = "client"))]
mod filter_args;
pub mod input;
#[cfg(feature = "archive")]
mod key_file;
mod loaded;
#[cfg(all(feature = "archive", feature = "client"))]
mod mirror_notes;
pub mod output;
mod ply_arg;
mod position_args;
mod positions_of;
pub mod progress;
mod query_arg;
mod recorded;
mod records;
#[cfg(feature = "client")]
mod service_args;
mod session;
mod syzygy_folder;

use clap::Parser;
use output::{Console, ExitStatus, Failure};
use std::process::ExitCode;

/// Exit code if there are findings.
const FINDINGS: u8 = 1;
/// Exit code if a claim stays open: nothing decides it, or its reading does.
const OPEN: u8 = 3;
/// Exit code for usage and I/O errors.
const TROUBLE: u8 = 2;

/// Runs the program with the arguments of the process.
///
/// The exit code is 0 for success, 1 for findings, 2 for usage and I/O errors, 3 for a claim that stays open. A closed
/// standard output is not an error.
pub fn run() -> ExitCode {
    survive_file_limit();
    let arguments = match args::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too; a closed output does not matter.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(TROUBLE));
        }
    };
    let mut console = Console::new(arguments.color);
    let verdict = commands::run(arguments, &mut console);
    match verdict.and_then(|verdict| console.flush().map(|()| verdict)) {
        Ok(ExitStatus::Fine) | Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Ok(ExitStatus::Findings) => ExitCode::from(FINDINGS),
        Ok(ExitStatus::Open) => ExitCode::from(OPEN),
        Err(failure) => {
            console.failure(&failure);
            ExitCode::from(if matches!(failure, Failure::NoRecord(_)) { FINDINGS } else { TROUBLE })
        }
    }
}

/// Makes a write beyond the system's limit of a file's size an error, which has a message, instead of the end of the
/// process.
#[cfg(unix)]
fn survive_file_limit() {
    // SIGXFSZ on Linux, macOS and the BSDs. The failed write says what happened; nothing reads the flag.
    const FILE_SIZE_EXCEEDED: i32 = 25;
    let _ = signal_hook::flag::register(FILE_SIZE_EXCEEDED, std::sync::Arc::default());
}

/// Other systems have no such signal.
#[cfg(not(unix))]
fn survive_file_limit() {}
