//! Passes, kings that face each other, and what decides a game without a mate (JNG 3 to JNG 5).

use super::Position;
use super::end::{EndReason, Outcome};
use super::ply::{Ply, Verb};
use super::reason::{Reason, ReasonSet};
use super::state::{Over, State};
use crate::board::{Mask, Owner, Square};
use crate::rules::{KindId, Rules};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A number of half-points, shown and serialized in points: `41.5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HalfPoints(pub u32);

impl fmt::Display for HalfPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.0.is_multiple_of(2) { "" } else { ".5" })
    }
}

impl Serialize for HalfPoints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 2 {
            0 => serializer.serialize_u32(self.0 / 2),
            _ => serializer.serialize_f64(f64::from(self.0) / 2.0),
        }
    }
}

impl<'de> Deserialize<'de> for HalfPoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HalfPoints, D::Error> {
        let points = f64::deserialize(deserializer)?;
        let halves = points * 2.0;
        // Sums of a board are small; the bound keeps the conversion exact.
        if (0.0..f64::from(u32::MAX)).contains(&halves) && halves.fract() == 0.0 {
            return Ok(HalfPoints(halves as u32));
        }
        Err(D::Error::custom(format!("{points} is no sum of points; write a number with or without a half")))
    }
}

/// The points of both players' pieces, and what Black has in addition (JNG 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points {
    /// White's.
    pub white: HalfPoints,
    /// Black's.
    pub black: HalfPoints,
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "White {}, Black {}", self.white, self.black)
    }
}

impl<M: Mask> State<M> {
    /// True if the kings face each other on a file with nothing between, where that matters.
    pub(super) fn kings_face(&self, rules: &Rules<M>) -> bool {
        rules.special.bikjang
            && face(rules, Owner::REAL.map(|owner| self.king(rules, owner)), self.occupied())
    }

    /// True if a ply leaves the kings facing each other, as they did before, without accepting it by a pass.
    pub(super) fn leaves_facing(&self, rules: &Rules<M>, ply: &Ply) -> bool {
        if ply.verb == Verb::Pass || !self.kings_face(rules) {
            return false;
        }
        let king = |owner| match owner == ply.actor && ply.kind == rules.king {
            true => ply.to,
            false => self.king(rules, owner),
        };
        face(rules, Owner::REAL.map(king), self.shift(rules, ply).occupied)
    }

    /// The end by the passes that were made.
    pub(super) fn find_passed(&self, rules: &Rules<M>) -> Option<Over> {
        match self.status.passes {
            0 => None,
            _ if self.kings_face(rules) => Some(Over::Bikjang),
            1 => None,
            _ => Some(Over::DoublePass),
        }
    }

    /// The legal pass of the player on move.
    pub(super) fn legal_pass(&self, rules: &Rules<M>) -> Option<Ply> {
        let (owner, king) = (self.status.turn, self.king(rules, self.status.turn));
        let ply = Ply::pass(owner, rules.king, king.some()?);
        (rules.special.passes && (!self.status.in_check || self.kings_face(rules))).then_some(ply)
    }

    /// The conditions of a pass.
    pub(super) fn pass_failures(&self, rules: &Rules<M>, ply: &Ply, failed: &mut ReasonSet) {
        let well_formed = ply.kind == rules.king
            && ply.from == ply.to
            && ply.promotion.is_none()
            && ply.gates == [None; 2]
            && rules.special.passes;
        failed.insert_if(!well_formed, Reason::NoSuchMove);
        let checked = match ply.actor == self.status.turn {
            true => self.status.in_check,
            false => self.king_in_check(rules, ply.actor),
        };
        failed.insert_if(checked && !self.kings_face(rules), Reason::PassInCheck);
    }
}

/// True if kings on these squares face each other.
fn face<M: Mask>(rules: &Rules<M>, kings: [Square; 2], occupied: M) -> bool {
    let [white, black] = kings;
    if white == Square::NONE || black == Square::NONE {
        return false;
    }
    let board = rules.board();
    board.file(white) == board.file(black) && (rules.geometry.between(white, black) & occupied).is_empty()
}

impl<M: Mask> Position<M> {
    /// The points of White and Black, where points decide a game without a mate (JNG 5).
    pub fn points(&self) -> Option<Points> {
        let rules = self.rules();
        let points = rules.special.points.as_ref()?;
        let kinds = || (0..rules.kinds.len() as u8).map(KindId);
        let sum = |owner: Owner| -> u32 {
            // CHA-24: what waits in hand counts as on the board.
            let has = |kind: KindId| {
                self.pieces(owner, kind).count() + u32::from(self.state.hand(owner)[kind.index()])
            };
            let of = |kind: KindId| has(kind) * u32::from(points[kind.slot()]);
            kinds().map(of).sum::<u32>() * 2
        };
        let black = sum(Owner::Black) + u32::from(rules.ends.black_half_points);
        Some(Points { white: HalfPoints(sum(Owner::White)), black: HalfPoints(black) })
    }

    /// How a game ends without a mate: by points, or drawn for the given reason.
    pub fn without_mate(&self, reason: EndReason) -> (EndReason, Outcome) {
        let Some(Points { white, black }) = self.points() else { return (reason, Outcome::Draw) };
        let rules = self.rules();
        match white.cmp(&black) {
            std::cmp::Ordering::Greater => (EndReason::Points, Outcome::win(rules, Owner::White)),
            std::cmp::Ordering::Less => (EndReason::Points, Outcome::win(rules, Owner::Black)),
            std::cmp::Ordering::Equal => (EndReason::Points, Outcome::Draw),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_come_back() {
        let points = Points { white: HalfPoints(144), black: HalfPoints(147) };
        assert_eq!(points.to_string(), "White 72, Black 73.5");
        let json = serde_json::to_string(&points).unwrap();
        assert_eq!(json, r#"{"white":72,"black":73.5}"#);
        assert_eq!(serde_json::from_str::<Points>(&json).unwrap(), points);
        for wrong in ["-1", "1.25", "1e20", "\"1\""] {
            assert!(serde_json::from_str::<HalfPoints>(wrong).is_err(), "{wrong}");
        }
    }
}
