//! Betza notation: the movement of a piece as a short text.
//!
//! A movement is a row of terms. Each term has modifiers, an atom and a range; the movement is the union of its terms.
//!
//! | atom | leap | | atom | leap | | atom | stands for |
//! |---|---|---|---|---|---|---|---|
//! | `W` | (1,0) | | `H` | (3,0) | | `K` | `WF` |
//! | `F` | (1,1) | | `L` `C` | (3,1) | | `R` | `WW` |
//! | `D` | (2,0) | | `J` `Z` | (3,2) | | `B` | `FF` |
//! | `N` | (2,1) | | `G` | (3,3) | | `Q` | `RB` |
//! | `A` | (2,2) | | `(2,5)` | any leap up to 15 | | | |
//!
//! **Range.** A doubled letter (`NN`) or `0` after an atom (`N0`, `(1,4)0`) repeats the leap without limit; a number is
//! the maximum number of leaps (`W3`, `R3` and `B2` alike).
//!
//! **Modifiers** precede the one atom they change, in any order:
//!
//! | modifier | meaning |
//! |---|---|
//! | `m` `c` | only to a vacant square; only as a capture (`mc` is both, like neither) |
//! | `i` | only from a start square of the kind |
//! | `n` | lame: blocked by a piece on the way ([`Mover::between`]) |
//! | `j` | a straight leap needs exactly one piece on the way; a ride passes over its first square |
//! | `p` | cannon: jumps exactly one piece and lands anywhere beyond it; `m` and `c` narrow that |
//! | `g` | grasshopper: lands directly beyond the piece that it jumps |
//! | `f` `b` `l` `r` `v` `s` `h` | directions, see below |
//!
//! **Directions.** `v` is `f` and `b`, `s` is `l` and `r`.
//! - Orthogonal atoms: the union of the directions; `fsW` has three moves.
//! - Diagonal atoms: one letter is a half (`fF`: two moves), so `vF` and `sF` are all four; a vertical and a horizontal
//!   letter intersect (`frF`: one move, `flbrF`: two). A mixture with an unpaired letter (`frlF`) is an error, since
//!   authors differ on it.
//! - `K` and `Q` apply their modifiers to both of their atoms.
//! - Oblique atoms have eight moves, four narrow ones (from e4 for `N`: d6 f6 d2 f2) and four wide ones. A
//!   single letter is the pair nearest to that direction, so `f` is `ff`; the four forward moves are `fh`.
//!
//! | on `N` | moves | | on `N` | moves |
//! |---|---|---|---|---|
//! | `f` `ff` | narrow pair ahead | | `fs` `sf` | wide pair ahead |
//! | `b` `bb` | narrow pair behind | | `bs` `sb` | wide pair behind |
//! | `lv`, `rv` | narrow pair left, right | | `l` `ll`, `r` `rr` | wide pair left, right |
//! | `v` `fb` | the four narrow ones | | `s` `lr` | the four wide ones |
//! | `lf` `rf` `lb` `rb` | one narrow move | | `fl` `fr` `bl` `br` | one wide move |
//! | `fh` `bh` `lh` `rh` | the four of that half | | | |
//!
//! Letters on oblique atoms are paired from the left (`fsb` is `fs` and `b`); the result is the union of the pairs.
//! `fr` is wide, since `fs` is `fl` and `fr`. `vl` and `vr` are errors, since they are ambiguous.
//!
//! Sources: R. Betza's notation as his Augmented Chess uses it, and where that is silent H. G. Muller's extended Betza
//! notation (XBetza). Its further letters, and all other characters, are errors: nothing is skipped.
//!
//! ```
//! use ferz_core::pieces::betza;
//! let crab = betza::parse("ffNsbN")?;
//! let mut steps: Vec<(i8, i8)> = crab.movers().iter().map(|m| (m.dx, m.dy)).collect();
//! steps.sort();
//! assert_eq!(steps, [(-2, -1), (-1, 2), (1, 2), (2, -1)]);
//! assert_eq!(crab, betza::parse("ffNbsN")?);
//! assert_eq!(betza::parse("Q")?, betza::parse("BR")?);
//! # Ok::<(), betza::BetzaError>(())
//! ```

mod build;
mod directions;
mod grammar;
mod mover;
mod normal;
mod spell;
#[cfg(test)]
mod tests;

pub use mover::{Mover, Path, UNLIMITED};

use crate::text::Span;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A movement in Betza notation.
///
/// Two movements are equal if their [`movers`](Betza::movers) are, however they were spelt. The movers are in normal
/// form, so equal movers mean equal moves. The converse holds unless different kinds of movers overlap: `WimfW2` and
/// `WifmnD` reach the same squares by different movers and are different values.
#[derive(Debug, Clone)]
pub struct Betza {
    text: String,
    movers: Vec<Mover>,
}

impl Betza {
    /// The movement of elementary ones, in its canonical spelling.
    pub fn of_movers(movers: Vec<Mover>) -> Betza {
        let movers = normal::normal(movers);
        Betza { text: spell::spell(&movers), movers }
    }

    /// The elementary movements: sorted, without duplicates, none implied by another.
    pub fn movers(&self) -> &[Mover] {
        &self.movers
    }

    /// The notation as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The spelling that all equal movements share; it reads back to the same movers.
    ///
    /// ```
    /// use ferz_core::pieces::betza::parse;
    /// assert_eq!(parse("FWW")?.canonical(), "RF");
    /// assert_eq!(parse("cfFmfW")?.canonical(), "mfWcfF");
    /// # Ok::<(), ferz_core::pieces::betza::BetzaError>(())
    /// ```
    pub fn canonical(&self) -> String {
        spell::spell(&self.movers)
    }
}

impl PartialEq for Betza {
    fn eq(&self, other: &Betza) -> bool {
        self.movers == other.movers
    }
}

impl Eq for Betza {}

impl Hash for Betza {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.movers.hash(state);
    }
}

impl fmt::Display for Betza {
    /// Writes the notation as it was given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a text is not a movement in Betza notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BetzaError {
    /// The bytes of the text at fault.
    pub span: Span,
    /// The fault, and what would be accepted.
    pub message: String,
}

impl BetzaError {
    fn new(start: usize, end: usize, message: impl Into<String>) -> BetzaError {
        BetzaError { span: Span::new(start, end), message: message.into() }
    }
}

/// Parses a movement in Betza notation.
///
/// # Errors
/// If `text` cannot be read, at its first fault; see the [module's page](self) for the notation. Also if it has more
/// than [`BETZA_CHARS_MAX`](crate::text::limits::BETZA_CHARS_MAX) characters or expands to more than
/// [`BETZA_MOVERS_MAX`](crate::text::limits::BETZA_MOVERS_MAX) movers.
///
/// ```
/// let error = ferz_core::pieces::betza::parse("RffNxbN").unwrap_err();
/// assert_eq!((error.span.start, error.span.end), (4, 5));
/// ```
pub fn parse(text: &str) -> Result<Betza, BetzaError> {
    if let Some(known) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
        return Ok(known.clone());
    }
    let parsed = parse_new(text)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() < KNOWN_MAX && text.len() <= KNOWN_BYTES {
        known.insert(text.to_owned(), parsed.clone());
    }
    Ok(parsed)
}

/// The movements that were parsed first: the same ones are asked for each time that a game is compiled.
static KNOWN: LazyLock<Mutex<HashMap<String, Betza>>> = LazyLock::new(Mutex::default);
/// Movements that are kept, and how long their texts may be.
const KNOWN_MAX: usize = 256;
const KNOWN_BYTES: usize = 24;

fn parse_new(text: &str) -> Result<Betza, BetzaError> {
    let terms = grammar::terms(text)?;
    let movers = normal::normal(build::movers(&terms)?);
    let limit = crate::text::limits::BETZA_MOVERS_MAX;
    if movers.len() > limit {
        let message = format!("this expands to {} elementary moves; the limit is {limit}", movers.len());
        return Err(BetzaError::new(0, text.len(), message));
    }
    Ok(Betza { text: text.to_owned(), movers })
}
