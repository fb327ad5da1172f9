//! What commands say about the log of another archive that they mirror.

use super::output::{ExitStatus, Failure, Outcome};
use super::session::Session;
use ferz::archive::{Mirror, MirrorError, VerifierKey};

/// Prints what the log contradicts; any other error is one of the run.
pub(super) fn contradicted(error: MirrorError, session: &mut Session<'_>) -> Outcome {
    match error {
        MirrorError::Contradiction(_) | MirrorError::Head(_) => {
            session.console.line(error)?;
            Ok(ExitStatus::of(true))
        }
        error => Err(Failure::message(error)),
    }
}

/// Says whose word the key is that a mirror trusts.
pub(super) fn note_first_use(mirror: &Mirror, session: &mut Session<'_>) -> Result<(), Failure> {
    if !mirror.trusts_first_use() {
        return Ok(());
    }
    let key = mirror.key();
    let note = format!("ferz: trusting the key that the service shows; compare it with its owner: {key}");
    session.console.note(&note)
}

/// Says that another key signs the log than before.
pub(super) fn note_handover(
    before: &VerifierKey,
    mirror: &Mirror,
    session: &mut Session<'_>,
) -> Result<(), Failure> {
    match mirror.key() {
        key if key == before => Ok(()),
        key => session.console.note(&format!(
            "ferz: the log has a new key, which the old one has named; receipts from now on are checked with it: {key}"
        )),
    }
}
