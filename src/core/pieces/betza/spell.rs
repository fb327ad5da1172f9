//! The canonical spelling of movers in normal form.

use super::directions::orbit;
use super::grammar::LETTERS;
use super::mover::{Mover, Path, UNLIMITED};
use std::collections::BTreeMap;

/// What the movers of one term have in common, in the order of the terms: unlimited slides first, then by length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    initial: bool,
    /// 0 for both modes, 1 for `m`, 2 for `c`.
    mode: u8,
    path: Path,
    /// False for unlimited slides.
    limited: bool,
    /// Longer side of the leap.
    long: i8,
    /// Shorter side of the leap.
    short: i8,
    range: u8,
}

impl Shape {
    fn of(mover: &Mover) -> Shape {
        let (x, y) = (mover.dx.abs(), mover.dy.abs());
        let long = x.max(y);
        let mode = match (mover.moves, mover.captures) {
            (true, true) => 0,
            (true, false) => 1,
            _ => 2,
        };
        let limited = !(long == 1 && mover.range == UNLIMITED);
        let Mover { initial, path, range, .. } = *mover;
        Shape { initial, mode, path, limited, long, short: x.min(y), range }
    }

    const fn leap(&self) -> (i8, i8) {
        (self.short, self.long)
    }

    fn prefix(&self) -> String {
        let initial = if self.initial { "i" } else { "" };
        let mode = ["", "m", "c"][usize::from(self.mode)];
        let path = match self.path {
            Path::Ride => "",
            Path::Lame => "n",
            Path::Jump => "j",
            Path::Cannon => "p",
            Path::Grasshopper => "g",
        };
        [initial, mode, path].concat()
    }

    fn atom(&self) -> String {
        let name = match (self.leap(), self.range) {
            ((0, 1), UNLIMITED) => return "R".to_owned(),
            ((1, 1), UNLIMITED) => return "B".to_owned(),
            (leap, _) => LETTERS
                .iter()
                .find(|entry| (entry.1, entry.2) == leap)
                .map_or_else(|| format!("({},{})", leap.0, leap.1), |entry| entry.0.to_string()),
        };
        match self.range {
            1 => name,
            UNLIMITED if name.len() == 1 => name.repeat(2),
            UNLIMITED => name + "0",
            steps => format!("{name}{steps}"),
        }
    }
}

/// Writes movers that are in normal form.
pub(super) fn spell(movers: &[Mover]) -> String {
    let mut groups: BTreeMap<Shape, Vec<(i8, i8)>> = BTreeMap::new();
    for mover in movers {
        groups.entry(Shape::of(mover)).or_default().push((mover.dx, mover.dy));
    }
    let whole =
        |shape: &Shape| groups.get(shape).is_some_and(|steps| steps.len() == orbit(shape.leap()).len());
    let joins = |shape: &Shape| matches!(shape.range, 1 | UNLIMITED) && shape.long == 1 && whole(shape);
    let mut text = String::new();
    for (shape, steps) in &groups {
        let partner = Shape { short: 1 - shape.short.min(1), ..*shape };
        if joins(shape) && joins(&partner) {
            if shape.short == 0 {
                text.push_str(&shape.prefix());
                text.push(if shape.range == 1 { 'K' } else { 'Q' });
            }
            continue;
        }
        text.push_str(&shape.prefix());
        text.push_str(&directions(shape.leap(), steps));
        text.push_str(&shape.atom());
    }
    text
}

/// The directional letters that select exactly `steps` among the moves of `leap`; empty if they are all of them.
fn directions(leap: (i8, i8), steps: &[(i8, i8)]) -> String {
    let all = orbit(leap);
    if steps.len() == all.len() {
        return String::new();
    }
    let choices: &[(&str, Choice)] = match leap {
        (0, _) => &ORTHOGONAL,
        (a, b) if a == b => &DIAGONAL,
        _ => &OBLIQUE,
    };
    if let Some((text, _)) = SHORT.iter().find(|(_, fits)| leap.0 != leap.1 && same(&all, steps, *fits)) {
        return (*text).to_owned();
    }
    if leap.0 == leap.1
        && let Some((text, _)) = HALVES.iter().find(|(_, fits)| same(&all, steps, *fits))
    {
        return (*text).to_owned();
    }
    let mut text = String::new();
    let mut left: Vec<(i8, i8)> = steps.to_vec();
    for (letters, fits) in choices {
        let chosen: Vec<(i8, i8)> = all.iter().copied().filter(|&step| fits(step)).collect();
        if chosen.iter().all(|step| left.contains(step)) {
            text.push_str(letters);
            left.retain(|step| !chosen.contains(step));
        }
    }
    text
}

fn same(all: &[(i8, i8)], steps: &[(i8, i8)], fits: fn((i8, i8)) -> bool) -> bool {
    all.iter().all(|&step| fits(step) == steps.contains(&step))
}

type Choice = fn((i8, i8)) -> bool;

const fn narrow((x, y): (i8, i8)) -> bool {
    y.unsigned_abs() > x.unsigned_abs()
}

/// Sets of orthogonal or oblique moves with a short spelling.
const SHORT: [(&str, Choice); 2] = [("fb", narrow), ("lr", |step| !narrow(step))];

/// Halves of the diagonal moves.
const HALVES: [(&str, Choice); 4] =
    [("f", |s| s.1 > 0), ("b", |s| s.1 < 0), ("l", |s| s.0 < 0), ("r", |s| s.0 > 0)];

const ORTHOGONAL: [(&str, Choice); 4] =
    [("f", |s| s.1 > 0), ("b", |s| s.1 < 0), ("l", |s| s.0 < 0), ("r", |s| s.0 > 0)];

const DIAGONAL: [(&str, Choice); 4] = [
    ("fl", |s| s.1 > 0 && s.0 < 0),
    ("fr", |s| s.1 > 0 && s.0 > 0),
    ("bl", |s| s.1 < 0 && s.0 < 0),
    ("br", |s| s.1 < 0 && s.0 > 0),
];

/// Pairs first, then single moves; two letters each, so that they read back unambiguously.
const OBLIQUE: [(&str, Choice); 12] = [
    ("ff", |s| narrow(s) && s.1 > 0),
    ("fs", |s| !narrow(s) && s.1 > 0),
    ("bb", |s| narrow(s) && s.1 < 0),
    ("bs", |s| !narrow(s) && s.1 < 0),
    ("lf", |s| narrow(s) && s.1 > 0 && s.0 < 0),
    ("rf", |s| narrow(s) && s.1 > 0 && s.0 > 0),
    ("lb", |s| narrow(s) && s.1 < 0 && s.0 < 0),
    ("rb", |s| narrow(s) && s.1 < 0 && s.0 > 0),
    ("fl", |s| !narrow(s) && s.1 > 0 && s.0 < 0),
    ("fr", |s| !narrow(s) && s.1 > 0 && s.0 > 0),
    ("bl", |s| !narrow(s) && s.1 < 0 && s.0 < 0),
    ("br", |s| !narrow(s) && s.1 < 0 && s.0 > 0),
];
