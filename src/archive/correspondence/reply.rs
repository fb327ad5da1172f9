//! Codes by which a mail proves whose it is: a sender's address proves nothing.

use super::{Correspondence, CorrespondenceId};
use crate::Archive;
use crate::error::ArchiveError;
use ferz_core::board::Owner;
use ferz_correspondence::Status;

/// The purpose of the secret from which the codes follow.
const PURPOSE: &str = "ferz 2026 reply codes of games by mail";

/// Bytes of a code: 2^80 of them are too many to try.
const CODE_BYTES: usize = 10;

/// Digits without those that look alike (Crockford's Base32).
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// What makes the reply codes of an archive. A code belongs to one player in one position of one game: after the next
/// ply it is an old one.
pub struct ReplyCodes {
    secret: [u8; 32],
}

/// What a reply code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyCode {
    /// That of a player in the present position.
    Present(Owner),
    /// That of a player in an earlier one.
    Old(Owner),
}

impl Archive {
    /// What makes the reply codes of this archive. They follow from its signing key, so that nothing else is kept.
    ///
    /// # Errors
    /// If the key is missing.
    pub fn reply_codes(&self) -> Result<ReplyCodes, ArchiveError> {
        Ok(ReplyCodes { secret: self.store().secret(PURPOSE)? })
    }
}

impl ReplyCodes {
    /// The code of a player in the present position of a game: four groups of four letters and digits.
    pub fn code(&self, game: &Correspondence, player: Owner) -> String {
        let state = &game.state;
        let players = &state.setting().terms.players;
        self.made(game.id, (player, players.name(player).unwrap_or_default()), state.status(), state.plies())
    }

    /// What a code is in a game; `None` if it is none of this game. Blanks, hyphens and case do not matter.
    pub fn read(&self, game: &Correspondence, code: &str) -> Option<ReplyCode> {
        let state = &game.state;
        let given = digits_of(code);
        // In constant time.
        let is_it = |made: &str| blake3::hash(digits_of(made).as_bytes()) == blake3::hash(given.as_bytes());
        let players: Vec<(Owner, &str)> = state.setting().terms.players.all().collect();
        let present = players.iter().find(|(player, _)| is_it(&self.code(game, *player)));
        if let Some((player, _)) = present {
            return Some(ReplyCode::Present(*player));
        }
        let plies = state.plies();
        players.into_iter().find_map(|(player, name)| {
            let was =
                |status, count: usize| is_it(&self.made(game.id, (player, name), status, &plies[..count]));
            let begun = plies.len() - state.instants().iter().filter(|instant| **instant > 0).count();
            let is_old = was(Status::AwaitingAcceptance, begun)
                || (begun..=plies.len()).any(|count| was(Status::Running, count))
                || was(Status::Disputed, plies.len());
            is_old.then_some(ReplyCode::Old(player))
        })
    }

    fn made(
        &self,
        id: CorrespondenceId,
        (player, name): (Owner, &str),
        status: Status,
        plies: &[String],
    ) -> String {
        // No part has a line end.
        let of = format!("{id}\n{}\n{name}\n{}\n{}", player.name(), status.name(), plies.join(" "));
        let hash = blake3::keyed_hash(&self.secret, of.as_bytes());
        let bits =
            hash.as_bytes()[..CODE_BYTES].iter().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
        let count = CODE_BYTES * 8 / 5;
        let digit = |place: usize| DIGITS[(bits >> (5 * (count - 1 - place)) & 31) as usize] as char;
        let digits: Vec<char> = (0..count).map(digit).collect();
        digits.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
    }
}

/// The digits of a code as they are made: letters that look like digits are read as those.
fn digits_of(code: &str) -> String {
    let digits = code.chars().filter(char::is_ascii_alphanumeric).map(|c| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    });
    digits.collect()
}
