//! Movements as small diagrams.

use crate::pieces::betza::{self, Mover, Path};
use crate::rules::definition::{Definition, PieceSection};
use std::collections::{BTreeMap, BTreeSet};

/// How far a diagram shows, in squares from the piece; leaps of four squares need one more.
const NEAR: i8 = 3;
const FAR: i8 = 4;

/// What a square of a diagram may be, and what that means.
const MARKS: [(char, &str); 7] = [
    ('o', "moves or captures"),
    ('m', "only moves"),
    ('x', "only captures"),
    ('l', "unless a piece on the way blocks"),
    ('j', "beyond a piece that it jumps"),
    ('i', "as long as it stands where it began"),
    ('r', "on some squares of the board only"),
];

/// A diagram: the letters of the pieces that move so, and its rows.
struct Drawn {
    letters: Vec<String>,
    rows: Vec<String>,
}

/// The diagrams of a game's pieces as a block of code with its legend; empty if no piece has a movement of its own.
/// Pieces that move alike share one.
pub(super) fn diagrams(definition: &Definition) -> String {
    let mut drawn: Vec<Drawn> = Vec::new();
    let mut used = BTreeSet::new();
    for letter in super::in_order(definition) {
        let squares = squares(&definition.pieces[letter]);
        if squares.is_empty() {
            continue;
        }
        used.extend(squares.values().flatten().copied());
        let rows = rows(&squares);
        match drawn.iter_mut().find(|drawn| drawn.rows == rows) {
            Some(same) => same.letters.push(letter.clone()),
            None => drawn.push(Drawn { letters: vec![letter.clone()], rows }),
        }
    }
    if drawn.is_empty() {
        return String::new();
    }
    let legend: Vec<String> = MARKS
        .iter()
        .filter(|(mark, _)| used.contains(mark))
        .map(|(mark, meaning)| format!("{mark} {meaning}"))
        .collect();
    let mut text = "\n```\n".to_owned();
    beside_one_another(&drawn, &mut text);
    let mut line = "* the piece, forward is up".to_owned();
    for part in legend {
        if line.chars().count() + part.chars().count() + 2 > super::WIDTH {
            text.push_str(&line);
            text.push_str(",\n");
            line.clear();
        } else {
            line.push_str(", ");
        }
        line.push_str(&part);
    }
    text.push_str(&line);
    text.push_str("\n```\n");
    text
}

/// The marks of each square that a piece reaches on an empty board, and beyond a piece where it jumps.
fn squares(piece: &PieceSection) -> BTreeMap<(i8, i8), BTreeSet<char>> {
    let mut squares: BTreeMap<(i8, i8), BTreeSet<char>> = BTreeMap::new();
    let own = betza::parse(&piece.betza).map(|betza| betza.movers().to_vec()).unwrap_or_default();
    let bound = piece.terms.iter().filter_map(|term| betza::parse(&term.betza).ok());
    let bound: Vec<Mover> = bound.flat_map(|betza| betza.movers().to_vec()).collect();
    for (mover, everywhere) in
        own.iter().map(|mover| (mover, true)).chain(bound.iter().map(|mover| (mover, false)))
    {
        // The first piece stands beside, so that the nearest square beyond it is two steps away.
        let first = if matches!(mover.path, Path::Cannon | Path::Grasshopper) { 2 } else { mover.min };
        for steps in first..=mover.range.min(FAR.unsigned_abs()) {
            let (x, y) = (i16::from(mover.dx) * i16::from(steps), i16::from(mover.dy) * i16::from(steps));
            let (Ok(x), Ok(y)) = (i8::try_from(x), i8::try_from(y)) else { break };
            if x.abs().max(y.abs()) <= FAR {
                squares.entry((x, y)).or_default().insert(mark(mover, everywhere));
            }
        }
    }
    squares
}

fn mark(mover: &Mover, everywhere: bool) -> char {
    match (mover.path, mover.moves, mover.captures) {
        _ if !everywhere => 'r',
        _ if mover.initial => 'i',
        (Path::Lame, _, _) => 'l',
        (Path::Ride, true, true) => 'o',
        (Path::Ride, true, false) => 'm',
        (Path::Ride, ..) => 'x',
        (Path::Jump | Path::Cannon | Path::Grasshopper, ..) => 'j',
    }
}

/// The rows of a diagram, the farthest forward first.
fn rows(squares: &BTreeMap<(i8, i8), BTreeSet<char>>) -> Vec<String> {
    let leaps = |near: i8| squares.keys().any(|(x, y)| x.abs().max(y.abs()) > near);
    // A ride goes on beyond any diagram: only what starts far away needs the room.
    let rides = |near: i8| squares.keys().filter(|(x, y)| x.abs().max(y.abs()) == near).count();
    let radius = if leaps(NEAR) && rides(NEAR) == 0 { FAR } else { NEAR };
    let marks = |x: i8, y: i8| match squares.get(&(x, y)) {
        _ if (x, y) == (0, 0) => "*".to_owned(),
        Some(marks) => MARKS.iter().map(|(mark, _)| *mark).filter(|mark| marks.contains(mark)).collect(),
        None => ".".to_owned(),
    };
    let width = squares.values().map(BTreeSet::len).max().unwrap_or(1) + 1;
    let row = |y: i8| {
        let cells = (-radius..=radius).map(|x| format!("{:<width$}", marks(x, y)));
        cells.collect::<String>().trim_end().to_owned()
    };
    (-radius..=radius).rev().map(row).collect()
}

/// Writes diagrams in rows as wide as the text.
fn beside_one_another(drawn: &[Drawn], text: &mut String) {
    let titles: Vec<String> = drawn.iter().map(|drawn| drawn.letters.join(" ")).collect();
    let width = |number: usize| {
        let rows = drawn[number].rows.iter().map(|row| row.chars().count());
        rows.chain([titles[number].chars().count()]).max().unwrap_or(0)
    };
    let mut first = 0;
    while first < drawn.len() {
        let mut last = first;
        let mut sum = width(first);
        while last + 1 < drawn.len() && sum + 3 + width(last + 1) <= super::WIDTH {
            last += 1;
            sum += 3 + width(last);
        }
        let height = (first..=last).map(|number| drawn[number].rows.len()).max().unwrap_or(0);
        for line in 0..=height {
            let cells = (first..=last).map(|number| {
                let cell = if line == 0 { Some(&titles[number]) } else { drawn[number].rows.get(line - 1) };
                format!("{:<width$}", cell.map_or("", String::as_str), width = width(number) + 3)
            });
            text.push_str(cells.collect::<String>().trim_end());
            text.push('\n');
        }
        text.push('\n');
        first = last + 1;
    }
}
