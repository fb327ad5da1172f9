//! Plies that their players sign, with keys of their own: the service cannot make one.
//!
//! A signature is by Ed25519, over the four lines `id, head, sequence, coord`: the id of the game, its head before
//! the ply as 64 hexadecimal digits, the number of the event that the ply becomes, and the ply in coordinate notation.
//! For a sealed ply that is revealed, head and number are those of the revelation, which comes directly before it.

use super::CorrespondenceId;
use crate::error::ArchiveError;
use crate::identity::to_hex;
use crate::log::{Hash, LogError, VerifierKey, random};
use ferz_core::board::Owner;
use ferz_correspondence::{Event, What};
use std::fmt;

/// What the player of a ply signs. Its text has four lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedPly<'a> {
    /// The game.
    pub id: CorrespondenceId,
    /// Its head before the ply.
    pub head: Hash,
    /// The number of the event in the game.
    pub sequence: u64,
    /// The ply in coordinate notation.
    pub coord: &'a str,
}

impl fmt::Display for SignedPly<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SignedPly { id, head, sequence, coord } = self;
        write!(f, "{id}\n{}\n{sequence}\n{coord}\n", to_hex(head))
    }
}

impl SignedPly<'_> {
    /// Checks a signature by a key.
    ///
    /// # Errors
    /// If the key or the signature is none, or the signature is wrong.
    pub fn check(&self, vkey: &str, signature: &str) -> Result<(), LogError> {
        let key: VerifierKey = vkey.parse()?;
        key.check_text(&self.to_string(), signature)
    }
}

/// A public key that a player registers.
///
/// # Errors
/// If it is none.
pub(super) fn read_vkey(vkey: &str) -> Result<VerifierKey, LogError> {
    vkey.parse()
}

/// Checks the signature of a ply at a place among the events of a game, whose leaves have these hashes. Anything else
/// has none, and is right.
///
/// # Errors
/// If the signature is wrong.
pub(crate) fn check_at(
    id: CorrespondenceId,
    events: &[Event],
    place: usize,
    leaves: &[Hash],
) -> Result<(), LogError> {
    let Some(Event { by: Some(by), what: What::Ply { coord, signature: Some(signature), .. }, .. }) =
        events.get(place)
    else {
        return Ok(());
    };
    let is_sealed = place
        .checked_sub(1)
        .and_then(|before| events.get(before))
        .is_some_and(|before| matches!(before.what, What::Revealed { .. }) && before.by == Some(*by));
    let sequence = if is_sealed { place - 1 } else { place };
    let head = sequence.checked_sub(1).and_then(|last| leaves.get(last)).copied().unwrap_or_default();
    let vkey = key_of(&events[..place], *by)
        .ok_or_else(|| LogError::malformed("signature", "the player has no key"))?;
    SignedPly { id, head, sequence: sequence as u64, coord }.check(vkey, signature)
}

/// The key that a player has registered.
fn key_of(events: &[Event], player: Owner) -> Option<&str> {
    events.iter().find_map(|event| match &event.what {
        What::Registered { vkey } if event.by == Some(player) => Some(vkey.as_str()),
        _ => None,
    })
}

/// A number that cannot be guessed, in 32 hexadecimal digits.
///
/// # Errors
/// If the system has no random numbers.
pub fn secret_number() -> Result<String, ArchiveError> {
    random().map(|bytes| to_hex(&bytes[..16]))
}
