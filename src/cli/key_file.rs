//! Files of keys of witnesses and players.

use crate::cli::output::Failure;
use ferz::archive::{PrivateKey, PublicKey, make_key, read_key};
use std::path::Path;

/// The public key of a file. With a name, a new key is made.
pub(in crate::cli) fn public_key<const ALGORITHM: u8>(
    path: &Path,
    name: Option<&str>,
) -> Result<PublicKey<ALGORITHM>, Failure> {
    let file = path.display();
    match name {
        Some(_) if path.exists() => {
            Err(Failure::message(format!("{file}: exists already; omit --name to print its public key")))
        }
        Some(name) => make_key(path, name).map_err(Failure::message),
        None if !path.exists() => {
            Err(Failure::message(format!("{file}: no such key; make it with --name NAME")))
        }
        None => {
            let key: PrivateKey<ALGORITHM> = read_key(path).map_err(Failure::message)?;
            Ok(key.verifier().clone())
        }
    }
}
