//! Selects an atom's moves by its directional modifiers.

use super::BetzaError;

/// A directional letter and its byte in the text.
pub(super) type Letter = (char, usize);

/// One unit of a row of directional letters: a single letter, or two that belong together.
#[derive(Debug, Clone, Copy)]
struct Unit {
    first: char,
    second: Option<char>,
    start: usize,
    end: usize,
}

/// The steps of the leap `(a,b)`, shorter side first, that `letters` select; all of them if there are no letters.
pub(super) fn steps(leap: (i8, i8), letters: &[Letter]) -> Result<Vec<(i8, i8)>, BetzaError> {
    let mut all = orbit(leap);
    if letters.is_empty() {
        return Ok(all);
    }
    let (a, b) = leap;
    let units = units(letters);
    if a == 0 {
        refuse_halves(letters)?;
        all.retain(|&step| letters.iter().any(|&(c, _)| on_side(c, step)));
    } else if a == b {
        refuse_halves(letters)?;
        refuse_mixtures(&units, letters)?;
        all.retain(|&step| {
            units.iter().any(|u| on_side(u.first, step) && u.second.is_none_or(|c| on_side(c, step)))
        });
    } else {
        refuse_gaps(letters)?;
        for unit in &units {
            refuse_unreadable(unit)?;
        }
        all.retain(|&step| units.iter().any(|u| chooses(u, step)));
    }
    Ok(all)
}

/// All steps that a leap becomes by turning and mirroring the board: four or eight.
pub(super) fn orbit((a, b): (i8, i8)) -> Vec<(i8, i8)> {
    let mut steps = Vec::with_capacity(16);
    for (x, y) in [(a, b), (b, a)] {
        steps.extend([(x, y), (-x, y), (x, -y), (-x, -y)]);
    }
    steps.sort_unstable();
    steps.dedup();
    steps
}

const fn is_vertical(c: char) -> bool {
    matches!(c, 'f' | 'b' | 'v')
}

const fn is_horizontal(c: char) -> bool {
    matches!(c, 'l' | 'r' | 's')
}

const fn is_narrow((dx, dy): (i8, i8)) -> bool {
    dy.unsigned_abs() > dx.unsigned_abs()
}

/// True if the step has a component in the direction of the letter.
const fn on_side(letter: char, (dx, dy): (i8, i8)) -> bool {
    match letter {
        'f' => dy > 0,
        'b' => dy < 0,
        'l' => dx < 0,
        'r' => dx > 0,
        'v' => dy != 0,
        's' => dx != 0,
        _ => false,
    }
}

/// Pairs the letters from the left: a letter with itself, with one of the other axis, or with `h`.
fn units(letters: &[Letter]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut rest = letters;
    while let Some((&(first, start), tail)) = rest.split_first() {
        let partner = tail.first().map(|l| l.0).filter(|&second| {
            second == first
                || second == 'h'
                || (is_vertical(first) && is_horizontal(second))
                || (is_horizontal(first) && is_vertical(second))
        });
        let end = if partner.is_some() { tail[0].1 } else { start } + 1;
        units.push(Unit { first, second: partner, start, end });
        rest = if partner.is_some() { &tail[1..] } else { tail };
    }
    units
}

/// On an oblique leap: true if the unit selects the step, one of eight. `refuse_unreadable` has run before.
fn chooses(unit: &Unit, step: (i8, i8)) -> bool {
    let narrow = is_narrow(step);
    let first = on_side(unit.first, step);
    match unit.second {
        Some('h') => first,
        Some(second) if second != unit.first => {
            let both = first && on_side(second, step);
            match (unit.first, second) {
                ('v', 's') | ('s', 'v') => true,
                ('s', _) | (_, 's') => both && !narrow,
                (_, 'v') => both && narrow,
                (first, _) => both && narrow == is_horizontal(first),
            }
        }
        _ => first && narrow == is_vertical(unit.first),
    }
}

fn refuse_halves(letters: &[Letter]) -> Result<(), BetzaError> {
    let message = "`h` selects half of eight moves and applies only to oblique atoms such as `N`; remove it";
    letters.iter().find(|l| l.0 == 'h').map_or(Ok(()), |&(_, at)| Err(BetzaError::new(at, at + 1, message)))
}

/// On a diagonal leap, either all letters are of one axis, or each vertical one is paired with a horizontal one.
fn refuse_mixtures(units: &[Unit], letters: &[Letter]) -> Result<(), BetzaError> {
    let one_axis = letters.iter().all(|l| is_vertical(l.0)) || letters.iter().all(|l| is_horizontal(l.0));
    let crossed = |u: &Unit| u.second.is_some_and(|c| is_vertical(c) != is_vertical(u.first));
    if one_axis || units.iter().all(crossed) {
        return Ok(());
    }
    let (start, end) = (letters[0].1, letters[letters.len() - 1].1 + 1);
    let message = "these directions are ambiguous on diagonal moves; write halves (`f`, `lr`) or \
                   single diagonals in pairs (`flfr`), and for `K` use `W` and `F`, for `Q` use `R` and `B`";
    Err(BetzaError::new(start, end, message))
}

/// On an oblique leap the order of the letters matters, so nothing may come between them.
fn refuse_gaps(letters: &[Letter]) -> Result<(), BetzaError> {
    match letters.windows(2).find(|w| w[0].1 + 1 != w[1].1) {
        None => Ok(()),
        Some(w) => {
            let message = "other modifiers between the directions of an oblique atom; \
                           write the directions together";
            Err(BetzaError::new(w[0].1 + 1, w[1].1, message))
        }
    }
}

fn refuse_unreadable(unit: &Unit) -> Result<(), BetzaError> {
    let message = match (unit.first, unit.second) {
        ('h', _) => {
            "`h` must follow one of `f`, `b`, `l`, `r` (`fh` is the forward half); \
             chiral halves are not supported"
        }
        ('v' | 's', Some('h')) => "`h` must follow one of `f`, `b`, `l`, `r`: `fh` is the forward half",
        ('v', Some('l')) => {
            "`vl` can be read in two ways: write `lv` for the narrow pair on the left, `ll` for the wide one"
        }
        ('v', Some('r')) => {
            "`vr` can be read in two ways: write `rv` for the narrow pair on the right, `rr` for the wide one"
        }
        _ => return Ok(()),
    };
    Err(BetzaError::new(unit.start, unit.end, message))
}
