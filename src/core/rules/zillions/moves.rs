//! What a piece may do, from the steps of its moves.
//!
//! A move is a walk: steps in directions, tests of the squares, and `add` where it may end. Walks that Betza notation
//! can say become movers; those of pawns and of castling are known by what they test.

use super::sexp::Sexp;
use crate::pieces::betza::{Mover, Path, UNLIMITED};
use std::collections::HashMap;

/// The directions of a player, in squares to the right and upward.
pub(super) type Directions = HashMap<String, (i8, i8)>;

/// What one move of a piece is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// A movement, and what the piece becomes at its end.
    Mover(Mover, Option<Becomes>),
    /// A second step of a pawn that passes a square of this zone.
    SecondStep { vector: (i8, i8), zone: String },
    /// A capture in passing.
    EnPassant,
    /// A castling: how far king and rook go along the rank, from the king's square.
    Castling { king: i8, rook: i8, with: String },
}

/// What a piece becomes at the end of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Becomes {
    /// Where; everywhere without a zone.
    pub(super) zone: Option<String>,
    pub(super) pieces: Vec<String>,
    /// True if it must.
    pub(super) forced: bool,
}

/// What is known of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    Empty,
    Enemy,
    NotFriend,
}

/// The steps of a move so far.
#[derive(Debug, Clone, Default)]
struct Walk {
    at: (i8, i8),
    /// The squares that were passed, and what each must be.
    passed: Vec<((i8, i8), Option<Test>)>,
    /// What the square that was reached must be.
    here: Option<Test>,
    /// The vector of a loop that was passed.
    rides: Option<(i8, i8)>,
    initial: bool,
    /// The zone that the square before a further step must be in.
    from: Option<String>,
}

/// The moves that a list of steps means, for a player with these directions; or why it means none that a definition
/// says.
pub(super) fn found(steps: &Sexp, directions: &Directions) -> Result<Vec<Found>, String> {
    if steps.says("cascade") {
        return castling(steps, directions).map(|found| vec![found]);
    }
    if (steps.says("last-from?") || steps.says("last-to?")) && steps.says("capture") {
        return Ok(vec![Found::EnPassant]);
    }
    let mut reader = Reader { directions, found: Vec::new() };
    reader.run(steps.list(), Walk::default())?;
    if reader.found.is_empty() {
        return Err("it ends nowhere: no `add` is reached".to_owned());
    }
    Ok(reader.found)
}

/// The zone of a test `(in-zone? name)`, and whether the square must be in it.
fn zone_of(test: &Sexp) -> Option<(&str, bool)> {
    match (test.head(), test.rest()) {
        ("in-zone?", [zone]) => zone.word().map(|zone| (zone, true)),
        ("not-in-zone?", [zone]) => zone.word().map(|zone| (zone, false)),
        ("not", [inner]) => zone_of(inner).map(|(zone, is_in)| (zone, !is_in)),
        _ => None,
    }
}

struct Reader<'d> {
    directions: &'d Directions,
    found: Vec<Found>,
}

impl Reader<'_> {
    fn run(&mut self, steps: &[Sexp], mut walk: Walk) -> Result<Walk, String> {
        for (index, step) in steps.iter().enumerate() {
            match step {
                Sexp::Word(word, _) if word == "add" => self.add(&walk, None)?,
                Sexp::Word(word, _) => match self.directions.get(word) {
                    Some(vector) => walk.go(*vector)?,
                    None => return Err(format!("`{word}` is no step that a definition says")),
                },
                Sexp::List(..) => match step.head() {
                    "add" => self.add(&walk, Some(becomes(step.rest(), None)?))?,
                    "verify" => walk.verify(step.rest())?,
                    "while" => self.ride(step, &mut walk)?,
                    "if" => {
                        // What follows is done after either branch.
                        let rest = &steps[index + 1..];
                        return self.branch(step, rest, walk);
                    }
                    // Brackets around steps.
                    _ => walk = self.run(step.list(), walk)?,
                },
            }
        }
        Ok(walk)
    }

    /// Notes that the move may end here.
    fn add(&mut self, walk: &Walk, becomes: Option<Becomes>) -> Result<(), String> {
        if let Some(zone) = &walk.from {
            self.found.push(Found::SecondStep { vector: walk.at, zone: zone.clone() });
            return Ok(());
        }
        let (moves, captures) = match (walk.here, walk.rides) {
            (Some(Test::Empty), None) => (true, false),
            (Some(Test::Enemy), _) => (false, true),
            // After a loop over vacant squares the square is not vacant.
            (Some(Test::NotFriend), Some(_)) => (false, true),
            (Some(Test::NotFriend), None) => (true, true),
            (Some(Test::Empty), Some(_)) => {
                return Err("a loop over vacant squares ends on another".to_owned());
            }
            (None, _) => return Err("it may capture pieces of its own side; test `not-friend?`".to_owned()),
        };
        let mover = walk.mover(moves, captures)?;
        self.found.push(Found::Mover(mover, becomes));
        Ok(())
    }

    /// `(while empty? add n)`.
    fn ride(&mut self, step: &Sexp, walk: &mut Walk) -> Result<(), String> {
        let ([test, body @ ..], vector) = (step.rest(), walk.at) else {
            return Err("an empty loop".to_owned());
        };
        let inner: Vec<&Sexp> = body
            .iter()
            .flat_map(|item| match item.head() {
                "" if !item.list().is_empty() => item.list().iter().collect(),
                _ => vec![item],
            })
            .collect();
        let adds = inner.iter().any(|item| item.word() == Some("add"));
        let mut gone = (0i8, 0i8);
        for item in inner.iter().filter(|item| item.word() != Some("add")) {
            let vector = item.word().and_then(|word| self.directions.get(word));
            let Some(vector) = vector else { return Err(format!("a loop with `{item}`")) };
            gone = (gone.0.saturating_add(vector.0), gone.1.saturating_add(vector.1));
        }
        let plain = walk.passed.iter().all(|(_, test)| test.is_none()) && walk.here.is_none();
        if test.word() != Some("empty?") || gone != vector || !plain || walk.rides.is_some() {
            return Err(
                "only a loop over vacant squares in the direction of the first step is said".to_owned()
            );
        }
        if adds {
            self.found.push(Found::Mover(Mover { moves: true, ..rider(vector) }, None));
        }
        (walk.rides, walk.here) = (Some(vector), None);
        Ok(())
    }

    /// `(if (in-zone? z) … else …)`.
    fn branch(&mut self, step: &Sexp, rest: &[Sexp], walk: Walk) -> Result<Walk, String> {
        let [test, branches @ ..] = step.rest() else { return Err("an `if` without a test".to_owned()) };
        let Some((zone, is_in)) = zone_of(test) else {
            return Err(format!("the test `{test}` is no zone's"));
        };
        let middle = branches.iter().position(|item| item.word() == Some("else"));
        let (first, second) = match middle {
            Some(middle) => (&branches[..middle], &branches[middle + 1..]),
            None => (branches, &[][..]),
        };
        let (inside, outside) = if is_in { (first, second) } else { (second, first) };
        if outside.is_empty() && inside.iter().any(|step| step.word().is_some_and(|word| word != "add")) {
            // A further step from this zone.
            let further = Walk { from: Some(zone.to_owned()), ..walk.clone() };
            self.run(inside, further)?;
            return self.run(rest, walk);
        }
        let [outside] = outside else { return Err(format!("`{step}` does more than a definition says")) };
        let named: Vec<&Sexp> = inside.iter().filter(|step| step.head() == "add").collect();
        if outside.word() != Some("add") || named.is_empty() || !rest.is_empty() {
            return Err(format!("`{step}` does more than a definition says"));
        }
        let mut becoming = becomes(named[0].rest(), Some(zone))?;
        becoming.forced &= inside.iter().all(|step| step.word() != Some("add"));
        self.add(&walk, Some(becoming))?;
        Ok(walk)
    }
}

/// `(add Queen Rook)`.
fn becomes(pieces: &[Sexp], zone: Option<&str>) -> Result<Becomes, String> {
    let named: Option<Vec<String>> = pieces.iter().map(|piece| piece.word().map(str::to_owned)).collect();
    match named {
        Some(pieces) if !pieces.is_empty() => {
            Ok(Becomes { zone: zone.map(str::to_owned), pieces, forced: true })
        }
        _ => Err("no piece is named that it becomes".to_owned()),
    }
}

fn rider((dx, dy): (i8, i8)) -> Mover {
    Mover {
        dx,
        dy,
        range: UNLIMITED,
        min: 1,
        path: Path::Ride,
        moves: false,
        captures: false,
        initial: false,
    }
}

impl Walk {
    fn go(&mut self, (dx, dy): (i8, i8)) -> Result<(), String> {
        if self.rides.is_some() {
            return Err("it goes on after a loop".to_owned());
        }
        if self.at != (0, 0) {
            self.passed.push((self.at, self.here.take()));
        }
        let sum = |own: i8, more: i8| own.checked_add(more).filter(|sum| sum.unsigned_abs() <= 16);
        let (Some(x), Some(y)) = (sum(self.at.0, dx), sum(self.at.1, dy)) else {
            return Err("it leaves every board".to_owned());
        };
        self.at = (x, y);
        Ok(())
    }

    fn verify(&mut self, tests: &[Sexp]) -> Result<(), String> {
        let [test] = tests else { return Err("a test of several things".to_owned()) };
        if matches!(test.head(), "and") {
            return test.rest().iter().try_for_each(|part| self.verify(std::slice::from_ref(part)));
        }
        let found = match (test.word(), test.to_string().as_str()) {
            (Some("on-board?"), _) => return Ok(()),
            (Some("empty?"), _) => Test::Empty,
            (Some("enemy?"), _) => Test::Enemy,
            (Some("not-friend?"), _)
            | (None, "(not friend?)" | "(or empty? enemy?)" | "(or enemy? empty?)") => Test::NotFriend,
            (Some("never-moved?"), _) if self.at == (0, 0) => {
                self.initial = true;
                return Ok(());
            }
            _ => return Err(format!("no field of a definition tests `{test}`")),
        };
        if self.at == (0, 0) {
            return Err(format!("`{test}` is asked of the square where it stands"));
        }
        self.here = Some(found);
        Ok(())
    }

    /// The movement from the start to this square.
    fn mover(&self, moves: bool, captures: bool) -> Result<Mover, String> {
        if let Some(vector) = self.rides {
            return Ok(Mover { moves, captures, initial: self.initial, ..rider(vector) });
        }
        let (dx, dy) = self.at;
        if (dx, dy) == (0, 0) {
            return Err("it ends where it begins".to_owned());
        }
        let leap =
            Mover { dx, dy, range: 1, min: 1, path: Path::Ride, moves, captures, initial: self.initial };
        if self.passed.iter().any(|(_, test)| test.is_some_and(|test| test != Test::Empty)) {
            return Err("it passes squares that are not vacant".to_owned());
        }
        let tested: Vec<(i8, i8)> =
            self.passed.iter().filter(|(_, test)| test.is_some()).map(|(square, _)| *square).collect();
        match tested {
            tested if tested.is_empty() => Ok(leap),
            tested if tested == leap.between() => Ok(Mover { path: Path::Lame, ..leap }),
            _ => Err("the vacant squares that it needs are not those of a lame leap".to_owned()),
        }
    }
}

/// A castling, by the king's walk to the rook and the rook's way back.
fn castling(steps: &Sexp, directions: &Directions) -> Result<Found, String> {
    let mut flat = Vec::new();
    flatten(steps.list(), &mut flat);
    for test in ["never-moved?", "not-attacked?", "empty?"] {
        if !steps.says(test) {
            return Err(format!("a castling in a definition tests `{test}`"));
        }
    }
    let (mut at, mut ends, mut with) = (0i8, Vec::new(), None);
    for step in flat {
        match step.word() {
            Some("to") => ends.push(at),
            Some("back") => at = 0,
            Some(word) => match directions.get(word) {
                Some((dx, 0)) => at = at.saturating_add(*dx),
                Some(_) => return Err("a castling goes along the rank".to_owned()),
                None if matches!(word, "cascade" | "from" | "add" | "add-partial") => {}
                None => return Err(format!("`{word}` is no part of a castling")),
            },
            None => {
                let piece = piece_of(step);
                with = with.or(piece);
            }
        }
    }
    match (&ends[..], with) {
        (&[king, rook], Some(with)) => Ok(Found::Castling { king, rook, with }),
        _ => Err("a castling moves the king and one other piece, whose kind it tests".to_owned()),
    }
}

/// The piece that `(piece? Rook)` names, in a test.
fn piece_of(test: &Sexp) -> Option<String> {
    if test.head() == "piece?" {
        return test.rest().first().and_then(Sexp::word).map(str::to_owned);
    }
    test.list().iter().find_map(piece_of)
}

/// The steps of nested brackets in order; tests stay whole.
fn flatten<'s>(steps: &'s [Sexp], flat: &mut Vec<&'s Sexp>) {
    for step in steps {
        match step {
            Sexp::List(items, _) if step.head() != "verify" => flatten(items, flat),
            _ => flat.push(step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sexp::read;
    use super::*;
    use crate::pieces::betza::Betza;

    fn directions() -> Directions {
        let named = [("n", 0, 1), ("e", 1, 0), ("s", 0, -1), ("w", -1, 0), ("ne", 1, 1), ("nw", -1, 1)];
        named.into_iter().map(|(name, x, y)| (name.to_owned(), (x, y))).collect()
    }

    fn of(text: &str) -> Result<Vec<Found>, String> {
        found(&read(text).expect("brackets are right")[0], &directions())
    }

    #[test]
    fn walks_are_movements() {
        for (text, betza) in [
            ("(n (verify not-friend?) add)", "fW"),
            ("(n n e (verify not-friend?) add)", "rfN"),
            ("(n (verify empty?) ne (verify not-friend?) add)", "rfnN"),
            ("(n (while empty? add n) (verify not-friend?) add)", "fR"),
            ("(n e (while empty? add n e) (verify enemy?) add)", "rfB"),
            ("(n (while empty? n) (verify enemy?) add)", "cfR"),
            ("(n (verify empty?) n (verify empty?) add)", "mfnD"),
            ("(ne (verify enemy?) add)", "crfF"),
        ] {
            let movers = of(text).unwrap_or_else(|why| panic!("{text}: {why}"));
            let movers = movers.into_iter().map(|found| match found {
                Found::Mover(mover, None) => mover,
                other => panic!("{text}: {other:?}"),
            });
            let own = Betza::of_movers(movers.collect());
            assert_eq!(
                Some(&own),
                crate::pieces::betza::parse(betza).as_ref().ok(),
                "{text}: {}",
                own.canonical()
            );
        }
        for text in [
            "(n add)",
            "(n (verify friend?) add)",
            "(n (verify empty?))",
            "(n (while enemy? add n))",
            "(n (while empty? add e))",
            "(up (verify empty?) add)",
            "(n capture add)",
            "((verify empty?) add)",
        ] {
            assert!(of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn pawns_and_castling_are_known() {
        let pawn = "(n (verify empty?) (if (in-zone? last) (add Rook Queen) else add))";
        let found = of(pawn);
        let Ok([Found::Mover(_, Some(becomes))]) = found.as_deref() else { panic!("{found:?}") };
        assert_eq!((becomes.zone.as_deref(), becomes.forced), (Some("last"), true));
        let twice = of("(n (verify empty?) add (if (in-zone? third) n (verify empty?) add))");
        assert!(twice.is_ok_and(|found| {
            found[1] == Found::SecondStep { vector: (0, 2), zone: "third".to_owned() }
        }));
        let short = "((verify never-moved?) e (verify empty?) (verify not-attacked?) e to (verify empty?) e cascade \
            (verify (and friend? (piece? Rook))) (verify never-moved?) from back e to add)";
        let castling = Found::Castling { king: 2, rook: 1, with: "Rook".to_owned() };
        assert_eq!(of(short), Ok(vec![castling]));
    }
}
