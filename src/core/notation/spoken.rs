//! Pieces named in words before a ply: `Knight f3`.

use crate::board::Mask;
use crate::position::Ply;
use crate::rules::Rules;

/// Words that name a piece and what it does are few: `Knight takes`, `Bishop goes to`.
const WORDS_MAX: usize = 3;

/// The first of a few words that stand before a ply, if it names another piece of the game than the one that makes the
/// ply: `Knight f3` is not the pawn's step to f3. Such a ply is unreadable, since the words contradict the token.
pub fn another_piece<'w, M: Mask>(rules: &Rules<M>, words: &'w str, ply: &Ply) -> Option<&'w str> {
    let first = words.split_whitespace().next()?;
    let few = words.split_whitespace().count() <= WORDS_MAX;
    let named = rules.kinds.iter().position(|kind| kind.name.eq_ignore_ascii_case(first)).filter(|_| few)?;
    (named != ply.kind.index()).then_some(first)
}
