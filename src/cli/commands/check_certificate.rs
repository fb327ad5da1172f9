//! `ferz check-certificate`: checks the evidence of a verdict.

use crate::cli::input;
use crate::cli::loaded::Loaded;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::certificate::{Certificate, CertificateKind, ClaimKind, Fifty, Premise, Refusal, Step, check};
use ferz::replay::summary::counted;
use ferz::text::limits::CERTIFICATE_BYTES_MAX;
use ferz::text::visible;
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
}

const EXAMPLES: &str = "\
The check replays the record of the certificate; it searches nothing and trusts nothing but the rules.
Exit codes: 0 accepted, 1 refused, 2 usage or I/O error.

Examples:
  ferz adjudicate game.pgn --claim fifty_moves --certificate claim.json
  ferz check-certificate claim.json --record game.pgn";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let read = read(&args.certificate)?;
    let checked = read.and_then(|certificate| {
        check(session.registry(), &session.languages(), &certificate)?;
        Ok(certificate)
    });
    let checked = match (checked, &args.record) {
        (Ok(certificate), Some(path)) => in_file(certificate, path)?,
        (checked, _) => checked,
    };
    match checked {
        Ok(certificate) => {
            session.console.line(accepted(&certificate))?;
            Ok(ExitStatus::Fine)
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

/// What the record of a certificate says about its game, and where the game went on.
fn of_record(certificate: &Certificate) -> Vec<String> {
    let Some(record) = ferz::record::read(certificate.record.as_bytes(), 0).next() else {
        return Vec::new();
    };
    let tag = |name: &str| record.tag(name).map_or_else(|| "?".to_owned(), |value| value.into_owned());
    let mut out = vec![format!(
        "record: {} - {}, {}, {}, round {}; digest {}",
        tag("White"),
        tag("Black"),
        tag("Event"),
        tag("Date"),
        tag("Round"),
        certificate.digest
    )];
    let (written, shown) = (record.main_moves().count(), certificate.plies.len());
    if shown < written && certificate.claim.kind != ClaimKind::IllegalPly {
        out.push(format!("as of ply {shown}; the record goes on to ply {written}"));
    }
    if record.tag("FEN").is_some() {
        out.push(format!("start: {}; its counters and clocks are the record's word", tag("FEN")));
    }
    // A terminal would obey control characters.
    out.iter().map(|line| visible(line.as_bytes())).collect()
}

fn accepted(certificate: &Certificate) -> String {
    let Certificate { claim, verdict, rules, .. } = certificate;
    let within = claim
        .within
        .map_or_else(String::new, |moves| format!(" within {}", counted(moves as usize, "move", "moves")));
    let fifty = match certificate.fifty {
        Fifty::Applied => "",
        Fifty::Suspended => ", without fifty moves",
    };
    let by = claim.by.map_or_else(String::new, |by| format!(" by {}", by.name()));
    let at = claim.ply.map_or_else(String::new, |ply| format!(" at ply {ply}"));
    let intended =
        claim.intended.as_deref().map_or_else(String::new, |text| format!(" with the intended `{text}`"));
    let instant = claim.at.map_or_else(String::new, |at| format!(" at {at}"));
    let result = certificate.result.map_or_else(String::new, |result| format!("; the game is {result}"));
    let mut rests: Vec<String> = Vec::new();
    if claim.at.is_some() {
        rests.push("The record does not show the instant of the claim; an arbiter confirms it.".to_owned());
    }
    if certificate.kind == CertificateKind::Ruling {
        rests.push("The premise of the claim is not part of the proof; an arbiter confirms it.".to_owned());
    }
    let premise = |premise: &Premise| format!("premise: {premise}: {}", premise.words());
    rests.extend(certificate.premises.iter().map(premise));
    if let (Some(code), Some(digest)) = (&certificate.language, &certificate.language_digest) {
        rests.push(format!("language: {code}, digest {digest}"));
    }
    rests.extend(of_record(certificate));
    rests.push("policy: none; the verdict does not depend on one".to_owned());
    let premise: String = rests.iter().map(|line| format!("\n{line}")).collect();
    let kind = claim.kind.words();
    let rules = format!("rules: {}, edition {}, digest {}", rules.name, rules.edition, rules.digest);
    format!(
        "accepted: {kind}{within}{by}{at}{intended}{instant} is {verdict}{fifty}{result}\n{rules}{premise}"
    )
}
