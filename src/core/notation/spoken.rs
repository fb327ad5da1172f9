//! Pieces named in words before a ply: `Knight f3`.

use crate::board::Mask;
use crate::rules::Rules;
use crate::rules::kinds::KindId;

/// Words that name a piece and what it does are few: `Knight takes`, `Bishop goes to`.
const WORDS_MAX: usize = 3;

/// The piece of the game that the first of a few words before a ply names, and that word. A ply of another piece is
/// unreadable, since the words contradict the token: `Knight f3` is not the pawn's step to f3.
pub fn named_piece<'w, M: Mask>(rules: &Rules<M>, words: &'w str) -> Option<(&'w str, KindId)> {
    let first = words.split_whitespace().next()?;
    let few = words.split_whitespace().count() <= WORDS_MAX;
    let named = rules.kinds.iter().position(|kind| kind.name.eq_ignore_ascii_case(first)).filter(|_| few)?;
    Some((first, KindId(u8::try_from(named).ok()?)))
}
