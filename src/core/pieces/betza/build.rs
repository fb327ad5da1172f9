//! From terms as written to movers.

use super::BetzaError;
use super::directions::{self, Letter};
use super::grammar::Term;
use super::mover::{Mover, Path};

/// The modifiers of one term, by meaning.
#[derive(Debug, Default)]
struct Modifiers {
    moves: bool,
    captures: bool,
    initial: bool,
    path: Option<(Path, char)>,
    directions: Vec<Letter>,
}

/// The movers of all terms in order, not yet in normal form.
pub(super) fn movers(terms: &[Term<'_>]) -> Result<Vec<Mover>, BetzaError> {
    let mut all = Vec::new();
    for term in terms {
        let modifiers = sort_out(term)?;
        for &leap in &term.leaps {
            let (path, min) = path_of(term, leap, &modifiers)?;
            let neither = !modifiers.moves && !modifiers.captures;
            for (dx, dy) in directions::steps(leap, &modifiers.directions)? {
                all.push(Mover {
                    dx,
                    dy,
                    range: term.range,
                    min,
                    path,
                    moves: modifiers.moves || neither,
                    captures: modifiers.captures || neither,
                    initial: modifiers.initial,
                });
            }
        }
    }
    Ok(all)
}

fn sort_out(term: &Term<'_>) -> Result<Modifiers, BetzaError> {
    let mut sorted = Modifiers::default();
    for (i, letter) in term.modifiers.char_indices() {
        let at = term.start + i;
        let fail = |message: String| Err(BetzaError::new(at, at + 1, message));
        let twice = match letter {
            'm' => std::mem::replace(&mut sorted.moves, true),
            'c' => std::mem::replace(&mut sorted.captures, true),
            'i' => std::mem::replace(&mut sorted.initial, true),
            'f' | 'b' | 'l' | 'r' | 'v' | 's' | 'h' => {
                sorted.directions.push((letter, at));
                false
            }
            'n' | 'j' | 'p' | 'g' => match sorted.path.replace((path(letter), letter)) {
                Some((_, before)) if before != letter => {
                    return fail(format!(
                        "`{letter}` contradicts `{before}`: a term takes only one of `n`, `j`, `p`, `g`"
                    ));
                }
                before => before.is_some(),
            },
            _ => return fail(unsupported(letter)),
        };
        if twice {
            return fail(format!("`{letter}` is doubled; write it once"));
        }
    }
    Ok(sorted)
}

const fn path(letter: char) -> Path {
    match letter {
        'n' => Path::Lame,
        'j' => Path::Jump,
        'p' => Path::Cannon,
        'g' => Path::Grasshopper,
        _ => Path::Ride,
    }
}

/// The path of one leap of the term and the least number of steps.
fn path_of(term: &Term<'_>, (a, b): (i8, i8), modifiers: &Modifiers) -> Result<(Path, u8), BetzaError> {
    let Some((path, letter)) = modifiers.path else { return Ok((Path::Ride, 1)) };
    let rides = term.range > 1;
    let fail = |message: String| Err(BetzaError::new(term.start, term.end, message));
    match path {
        Path::Lame if b == 1 => Ok((Path::Ride, 1)),
        Path::Jump if rides => Ok((path, 2)),
        Path::Jump if b == 1 => {
            fail("`j` has nothing to jump over in a move of one square; write `jD`, or a ride, `jR`".into())
        }
        Path::Jump if a != 0 && a != b => {
            fail("`j` on an oblique leap is ambiguous: authors differ on the square jumped; remove it".into())
        }
        Path::Cannon | Path::Grasshopper if !rides => fail(format!(
            "`{letter}` jumps a piece on a ride, but this atom takes one step only; double it or add a range"
        )),
        _ => Ok((path, 1)),
    }
}

fn unsupported(letter: char) -> String {
    let meaning = match letter {
        'a' => " (moving again)",
        'd' => " (capturing one's own piece)",
        'e' => " (en passant, or equal length)",
        'k' => " (royalty, or capturing only the king)",
        'o' => " (wrapping around the board)",
        'q' => " (circular rides)",
        't' => " (and then)",
        'u' => " (unloading, or unblockable)",
        'x' => " (relaying moves)",
        'y' => " (changing the range)",
        'z' => " (crooked rides)",
        _ => "",
    };
    format!(
        "the modifier `{letter}`{meaning} is not supported; use `m c i`, `n j p g` and the directions \
         `f b l r v s h`"
    )
}
