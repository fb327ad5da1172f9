//! Receipts as files.

use crate::cli::output::Failure;
use ferz::archive::Logged;
use std::path::{Path, PathBuf};

/// Where to put receipts.
#[derive(Debug, clap::Args)]
pub(super) struct Receipts {
    /// Write a receipt of each new game or change into this directory, as ID-EVENT.tlog-proof; that of a token or key
    /// as token-EVENT.tlog-proof or key-EVENT.tlog-proof. Beside each, the salt of its commitments as ….salt
    #[arg(long = "receipts", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Receipts {
    /// Creates the directory.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(super) fn prepare(&self) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
    }

    /// Writes the receipt of an event about a game, a token or a key, if receipts are wanted.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self, id: &str, logged: Option<&Logged>) -> Result<(), Failure> {
        let (Some(folder), Some(logged)) = (&self.folder, logged) else { return Ok(()) };
        let path = folder.join(format!("{id}-{}.tlog-proof", logged.event()));
        std::fs::write(&path, logged.receipt().to_string()).map_err(|error| failed(&path, &error))?;
        let (salt, path) = (logged.salt(), path.with_extension("salt"));
        if salt == [0; 16] {
            // An event without commitments.
            return Ok(());
        }
        std::fs::write(&path, salt_line(&salt)).map_err(|error| failed(&path, &error))
    }
}

/// A salt as the line of a file.
fn salt_line(salt: &[u8; 16]) -> String {
    salt.iter().map(|byte| format!("{byte:02x}")).chain(["\n".to_owned()]).collect()
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::message(format!("{}: {error}", path.display()))
}
