//! `ferz check-certificate`: checks the evidence of a verdict.

use crate::cli::input;
use crate::cli::loaded::Loaded;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use crate::cli::syzygy_folder::syzygy;
use ferz::certificate::{Certificate, Effort, Refusal, Step, check, shown};
use ferz::text::Budget;
use ferz::text::limits::CERTIFICATE_BYTES_MAX;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Certificate, as `ferz adjudicate --certificate` writes it; `-` for standard input
    certificate: PathBuf,

    /// Accept the certificate only if its record is in this file, byte for byte
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Compare every placement of endgame tables with its plies, instead of 20,000: seconds to minutes
    #[arg(long)]
    full: bool,

    /// Folder of the Syzygy endgame tables that the certificate names
    #[arg(long, value_name = "DIR")]
    syzygy: Option<PathBuf>,
}

const EXAMPLES: &str = "\
The check replays the record of the certificate; it searches nothing and trusts nothing but the rules.
Exit codes: 0 accepted, 1 refused, 2 usage or I/O error, 3 not checked: files of endgame tables are missing.

Examples:
  ferz adjudicate game.pgn --claim fifty_moves --certificate claim.json
  ferz check-certificate claim.json --record game.pgn
  ferz check-certificate claim.json --syzygy /srv/syzygy";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let read = read(&args.certificate)?;
    let files = syzygy(args.syzygy.as_deref())?;
    let checked = read.and_then(|certificate| {
        let budget = Budget::unlimited();
        let effort = if args.full { Effort::in_full(&budget) } else { Effort::of(&budget) };
        let effort = effort.with_files(files.as_ref());
        check(session.registry(), &session.languages(), &certificate, effort)?;
        Ok(certificate)
    });
    let checked = match (checked, &args.record) {
        (Ok(certificate), Some(path)) => in_file(certificate, path)?,
        (checked, _) => checked,
    };
    match checked {
        Ok(certificate) => {
            session.console.line(format!("accepted: {}", shown(&certificate).join("\n")))?;
            Ok(ExitStatus::Fine)
        }
        Err(Refusal { step: Step::Files, message }) => {
            session.console.line(format!("not checked: {message}; give their folder with --syzygy"))?;
            Ok(ExitStatus::Open)
        }
        Err(Refusal { step, message }) => {
            session.console.line(format!("refused at the step `{step}`: {message}"))?;
            Ok(ExitStatus::Findings)
        }
    }
}

/// Reads a certificate; what is none is refused.
fn read(path: &Path) -> Result<Result<Certificate, Refusal>, Failure> {
    let input = input::open(Some(path))?;
    let mut bytes = Vec::new();
    let mut limited = input.reader.take(CERTIFICATE_BYTES_MAX + 1);
    limited.read_to_end(&mut bytes).map_err(Failure::message)?;
    let form = |message: String| Refusal { step: Step::Form, message };
    if bytes.len() as u64 > CERTIFICATE_BYTES_MAX {
        return Ok(Err(form(format!("a certificate has at most {CERTIFICATE_BYTES_MAX} bytes"))));
    }
    Ok(serde_json::from_slice(&bytes).map_err(|error| form(format!("no certificate: {error}"))))
}

/// Refuses a certificate of a record that is not in the file.
fn in_file(certificate: Certificate, path: &Path) -> Result<Result<Certificate, Refusal>, Failure> {
    let loaded = Loaded::open(path)?;
    Ok(if loaded.has(certificate.record.trim().as_bytes()) {
        Ok(certificate)
    } else {
        let message = format!("{} does not have the record of the certificate", loaded.name);
        Err(Refusal { step: Step::Record, message })
    })
}
