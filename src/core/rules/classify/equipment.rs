//! The equipment rule (IAV 7): no legal game may need a piece that the set lacks.
//!
//! **What a player owns:** the pieces of the array, the reserve and the starting hand, and declared stand-ins
//! (`[equipment] stand-ins = { R = "Q" }`: a rook that is off the board, turned over, is a queen). Where captured
//! pieces go to the captor's hand, pieces change sides, so both sets are one, of two-sided pieces as in shogi.
//!
//! **What can need more:** only a promotion, a capture that turns a piece into another kind, and Nature. Moves, drops,
//! gating and reentry only move existing pieces.
//!
//! - Promotion from the pool complies: the pool holds a kind only while the player's board, reserve and hand have fewer
//!   than the equipment (IAB-3), stand-ins counted. It does not comply where captures go to hand, since the captor has
//!   the piece and the owner's pool holds it too.
//! - Promotion to listed kinds needs one more of a kind as soon as a pawn arrives while all of that kind are still in
//!   play. A stand-in does not help: while both rooks are in play, there is none to turn over. The pawn itself does,
//!   since it leaves the board at that moment: as a declared stand-in (`P = "Q"`), or as the flipped pawn of a kind
//!   that exists only by promotion and is captured as a pawn (the ferz of iChess, which a shogi set has on the back of
//!   its pawns), or where promoted pieces revert to pawns. But a pawn has one back: where several kinds would need it,
//!   as in crazyhouse, nothing documented distinguishes them, and the definition does not comply.
//! - Nature's supply is unlimited (CHA-1) and no set has pieces for a third side, so a game in which Nature introduces
//!   pieces never complies.
//!
//! **Certainty.** `Complies` is proved by counting, for every game from the array (a record may begin from another
//! position by COM-8; that is not considered). `Violates` assumes that both players may cooperate: that a pawn whose
//! own steps lead to a promotion square can get there while the pieces of the witness survive. Where the pawn would
//! need captures to get there, or moves in ways that this analysis does not follow, the answer is `Unknown`.

use super::super::compile::{Choices, compile};
use super::super::compiled::{Rules, RulesId};
use super::super::definition::{Definition, DeploymentKind, PromotionTo};
use super::super::kinds::{KindId, KindSet};
use crate::board::{Mask, Owner, Square};
use serde::Serialize;
use std::fmt;

/// Whether a game's equipment suffices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Equipment {
    /// It suffices in every game.
    Complies {
        /// The reason.
        why: String,
    },
    /// It does not suffice.
    Violates {
        /// Every piece that can be needed and is missing: promotions first.
        lacks: Vec<Lack>,
    },
    /// Neither proved nor refuted.
    Unknown {
        /// What is undecided.
        why: String,
    },
}

/// What needs the missing piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A pawn becomes this kind.
    Promotion,
    /// A captured piece goes to hand as this kind.
    Capture,
    /// Nature introduces this kind.
    Nature,
}

/// One kind of which a game needs more than there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lack {
    /// What needs it.
    pub cause: Cause,
    /// Letter of the kind.
    pub letter: char,
    /// How many there are, in both sets together where pieces change sides.
    pub has: u32,
    /// How many the witness needs.
    pub needs: u32,
    /// The smallest sequence of plies that needs them, in words.
    pub witness: String,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.witness)
    }
}

/// Applies the equipment rule to a merged definition.
pub(super) fn check(definition: &Definition) -> Equipment {
    let id =
        RulesId { name: definition.name.clone(), edition: definition.edition.clone(), digest: String::new() };
    match compile::<u128>(definition, id, &Choices::default()) {
        Ok(rules) => Checker { definition, rules: &rules, lacks: Vec::new(), doubts: Vec::new() }.verdict(),
        Err(errors) => {
            let first = errors.first().map_or_else(String::new, ToString::to_string);
            Equipment::Unknown { why: format!("the definition does not compile: {first}") }
        }
    }
}

struct Checker<'a> {
    definition: &'a Definition,
    rules: &'a Rules<u128>,
    lacks: Vec<Lack>,
    doubts: Vec<String>,
}

/// How a promotion is provided for.
enum Provided {
    /// The pawn itself is the piece.
    Pawn,
    /// It is not; a note on stand-ins that do not suffice.
    Not(String),
}

impl Checker<'_> {
    fn verdict(mut self) -> Equipment {
        let why = self.promotions();
        self.captures();
        self.nature();
        if !self.lacks.is_empty() {
            return Equipment::Violates { lacks: self.lacks };
        }
        match self.doubts.is_empty() {
            true => Equipment::Complies { why },
            false => Equipment::Unknown { why: self.doubts.join("; ") },
        }
    }

    /// What one player owns of a kind; both players together where pieces change sides, and both of a colour where
    /// they go to the other board.
    fn supply(&self, owner: Owner, kind: KindId) -> u32 {
        let rules = self.rules;
        let owned = |owner: Owner| {
            rules.array_squares[owner][kind.index()].count()
                + u32::from(rules.reserve[kind.index()])
                + u32::from(rules.hand[kind.index()])
        };
        match (rules.captures_to_hand, rules.captures_to_partner()) {
            (true, _) => Owner::REAL.map(owned).iter().sum(),
            // Two boards have two sets, and what is captured stays in its colour.
            (_, true) => 2 * owned(owner),
            _ => owned(owner),
        }
    }

    fn name(&self, kind: KindId) -> String {
        let info = self.rules.kind(kind);
        if info.name.is_empty() { info.key() } else { info.name.clone() }
    }

    fn lack(&mut self, cause: Cause, kind: KindId, has: u32, witness: String) {
        let letter = self.rules.kind(kind).letter as char;
        if self.lacks.iter().all(|known| (known.cause, known.letter) != (cause, letter)) {
            self.lacks.push(Lack { cause, letter, has, needs: has + 1, witness });
        }
    }

    /// Finds the promotions that lack a piece; if there are none, explains why.
    fn promotions(&mut self) -> String {
        let rules = self.rules;
        let has_pawns =
            Owner::REAL.iter().any(|&owner| rules.pawns.kinds().any(|kind| self.supply(owner, kind) > 0));
        let turned = |kind: KindId| {
            rules.promotes_to[kind.slot()].is_some_and(|becomes| rules.kind(becomes).captured_as == kind)
        };
        if !rules.promoters.is_empty() && rules.promoters.kinds().all(turned) {
            return "a promoted piece is the same piece turned over, and captured it is turned back".into();
        }
        if !has_pawns {
            return "the game has no pawns, so nothing is promoted; no other action needs an \
                additional piece"
                .into();
        }
        if rules.promotion_to == PromotionTo::Pool {
            return self.pool();
        }
        let mut found = KindSet::EMPTY;
        for owner in Owner::REAL {
            let arrivals = self.arrivals(owner);
            for kind in (0..rules.kinds.len() as u8).map(KindId) {
                if arrivals.quiet.has(kind) {
                    found.insert(kind);
                    self.promotion(owner, kind);
                } else if arrivals.perhaps.has(kind) {
                    let name = self.name(kind);
                    self.doubts.push(format!(
                        "whether a pawn of {owner} can reach a square where it becomes {name} depends on \
                            captures or on moves that this analysis does not follow",
                        owner = owner.name()
                    ));
                }
            }
        }
        if found.is_empty() {
            return "no pawn ever reaches a promotion square, so no player gets more of a kind than the \
                array and the stocks provide"
                .into();
        }
        let names: Vec<String> = found.kinds().map(|kind| self.name(kind)).collect();
        format!(
            "a pawn that becomes {} needs no additional piece: it is turned over (IAV 7)",
            names.join(" or ")
        )
    }

    /// IAB 3: promotion from the pool.
    fn pool(&mut self) -> String {
        let rules = self.rules;
        if !rules.captures_to_hand {
            let most =
                self.definition.equipment.stand_ins.values().filter_map(|letter| self.letter(letter)).map(
                    |kind| {
                        let sources =
                            rules.stand_ins.iter().filter(|(_, to)| *to == kind).map(|(from, _)| *from);
                        let own = self.supply(Owner::White, kind);
                        let turned: u32 = sources.map(|from| self.supply(Owner::White, from)).sum();
                        format!("{}: at most {}, {turned} of them turned over", self.name(kind), own + turned)
                    },
                );
            let most: std::collections::BTreeSet<String> = most.collect();
            let stand_ins = most
                .into_iter()
                .map(|text| format!("; stand-ins make up for the rest ({text})"))
                .collect::<String>();
            return format!(
                "a pawn becomes only a captured or reserved piece, so the piece is beside \
                    the board (IAB 3, IAB-3){stand_ins}"
            );
        }
        for owner in Owner::REAL {
            let kinds = (0..rules.kinds.len() as u8).map(KindId);
            let pooled = kinds.filter(|kind| {
                rules.equipment[owner][kind.index()] > 0 && rules.kind(*kind).captured_as == *kind
            });
            for kind in pooled.collect::<Vec<_>>() {
                let (has, name) = (self.supply(owner, kind), self.name(kind));
                let witness = format!(
                    "one {name} of {owner} is captured and goes to the captor's hand; {owner}'s pool \
                     counts it as captured (IAB-3), a pawn becomes one, and the {} is in play where the sets \
                     have {has}",
                    ordinal(has + 1),
                    owner = owner.name(),
                );
                self.lack(Cause::Promotion, kind, has, witness);
            }
        }
        String::new()
    }

    fn letter(&self, letter: &str) -> Option<KindId> {
        self.rules.kinds.iter().position(|kind| kind.has_key(letter)).map(|index| KindId(index as u8))
    }

    /// One promotion to a listed kind, to a kind of the armies, or by array square.
    fn promotion(&mut self, owner: Owner, kind: KindId) {
        let note = match self.provided(owner, kind) {
            Provided::Pawn => return,
            Provided::Not(note) => note,
        };
        let (has, name) = (self.supply(owner, kind), self.name(kind));
        let wins = kind == self.rules.king && self.definition.ends.kings_square.makes_kings();
        let end = if wins {
            "; the game ends with that ply, but the piece must be put on the board (ING-1)"
        } else {
            ""
        };
        let stands = match (has, self.rules.captures_come_back()) {
            (0, _) => "; the set has none".to_owned(),
            (1, false) => format!(" while the first is still on the board; a set has {has}"),
            (_, false) => format!(" while all {has} of the set are still on the board"),
            (_, true) => format!(" while all {has} of the two sets are on the board or in hand"),
        };
        let witness =
            format!("a pawn of {} becomes a {} {name}{stands}{note}{end}", owner.name(), ordinal(has + 1));
        self.lack(Cause::Promotion, kind, has, witness);
    }

    /// Whether the pawn that becomes `kind` can serve as the piece.
    fn provided(&mut self, owner: Owner, kind: KindId) -> Provided {
        let rules = self.rules;
        if rules.stand_ins.iter().any(|(from, to)| *to == kind && rules.is_pawn(*from)) {
            return Provided::Pawn;
        }
        let flips = self.flipped_pawns(owner);
        if flips.has(kind) && flips.kinds().count() == 1 {
            if rules.pawns.kinds().count() == 1 {
                return Provided::Pawn;
            }
            self.doubts.push(
                "with several kinds of pawns, this analysis does not follow which of them a promoted piece returns as"
                    .into(),
            );
            return Provided::Pawn;
        }
        let mut note = String::new();
        if flips.has(kind) {
            let names: Vec<String> = flips.kinds().map(|kind| self.name(kind)).collect();
            note = format!("; a marked or flipped pawn cannot distinguish {}", names.join(", "));
        }
        if let Some((from, _)) = rules.stand_ins.iter().find(|(_, to)| *to == kind) {
            note.push_str(&format!(
                "; no {} is certain to be off the board to stand in (promotion to = \"pool\" would guarantee it)",
                self.name(*from)
            ));
        }
        if rules.promotion_to == PromotionTo::Armies {
            note.push_str("; the set has no kinds of the other army");
        }
        Provided::Not(note)
    }

    /// Kinds that represent a pawn and may return as one: the flipped or marked pawn is the piece.
    fn flipped_pawns(&self, owner: Owner) -> KindSet {
        let rules = self.rules;
        let reverts = rules.captures_come_back() && rules.definition.captures.promoted_revert;
        let offered = self.arrivals(owner);
        (0..rules.kinds.len() as u8)
            .map(KindId)
            .filter(|&kind| offered.quiet.has(kind) || offered.perhaps.has(kind))
            .filter(|&kind| {
                reverts || rules.is_pawn(rules.kind(kind).captured_as) && self.supply(owner, kind) == 0
            })
            .collect()
    }

    /// What a player's pawns can become on the squares they can reach.
    fn arrivals(&self, owner: Owner) -> Arrivals {
        let mut arrivals = Arrivals { quiet: KindSet::EMPTY, perhaps: KindSet::EMPTY };
        let promotion = &self.rules.promotion[owner];
        for pawn in self.rules.pawns.kinds() {
            let quiet = self.reached(owner, pawn, false);
            let perhaps = match self.rules.moves[owner].complex_kinds() >> pawn.0 & 1 {
                1 if self.starts(owner, pawn).any() => self.rules.geometry.all(),
                _ => self.reached(owner, pawn, true),
            };
            for (reached, kinds) in [(quiet, &mut arrivals.quiet), (perhaps, &mut arrivals.perhaps)] {
                let zone = reached & promotion.zone;
                match self.rules.promotion_to {
                    PromotionTo::ArraySquare => {
                        zone.squares()
                            .filter_map(|square| promotion.by_square[square.index()])
                            .for_each(|kind| kinds.insert(kind));
                    }
                    _ if zone.any() => promotion.kinds.kinds().for_each(|kind| kinds.insert(kind)),
                    _ => {}
                }
            }
        }
        arrivals
    }

    /// Where pawns of a kind may be without having moved: in the array, or after a drop or deployment.
    fn starts(&self, owner: Owner, pawn: KindId) -> u128 {
        let rules = self.rules;
        let mut squares = rules.array_squares[owner][pawn.index()];
        let drops = &rules.drops[owner];
        let in_hand = rules.hand[pawn.index()] > 0 || rules.captures_come_back();
        if rules.hand_drops && in_hand {
            squares |= drops.hand & drops.pawns;
        }
        if rules.reserve[pawn.index()] > 0 {
            squares |= drops.reserve;
            if rules.deployment == DeploymentKind::Opening {
                squares |= u128::bit(rules.deployment_square[owner]);
            }
        }
        squares
    }

    /// The squares that a pawn can reach on an otherwise empty board, with or without captures.
    fn reached(&self, owner: Owner, pawn: KindId, captures: bool) -> u128 {
        let rules = self.rules;
        let board = rules.board();
        let mut arrived = u128::EMPTY;
        let mut next: Vec<Square> = self.starts(owner, pawn).squares().collect();
        while let Some(from) = next.pop() {
            let reach = rules.moves[owner].reach(pawn.index(), from);
            let mut to = reach.leap_quiet | reach.slide_quiet;
            if captures {
                to |= reach.leap_capture | reach.slide_capture;
            }
            if rules.double_step[owner].has(from) {
                let far = |steps: u8| board.offset(from, 0, steps as i8 * owner.forward());
                (2..=rules.first_step).filter_map(far).for_each(|square| to |= u128::bit(square));
            }
            let fresh = to & !arrived;
            arrived |= fresh;
            next.extend(fresh.squares());
        }
        arrived
    }

    /// Captured pieces that go to hand as another kind.
    fn captures(&mut self) {
        let rules = self.rules;
        if !rules.captures_come_back() {
            return;
        }
        for kind in (0..rules.kinds.len() as u8).map(KindId) {
            let becomes = rules.kind(kind).captured_as;
            let owned = self.supply(Owner::White, kind);
            let declared = rules.stand_ins.contains(&(kind, becomes));
            if becomes == kind || owned == 0 || declared || kind == rules.king {
                continue;
            }
            let (has, name, other) =
                (self.supply(Owner::White, becomes), self.name(kind), self.name(becomes));
            let witness = format!(
                "one {name} of the array is captured and goes to hand as {other}: the {} in play, where \
                    the sets have {has}",
                ordinal(has + 1)
            );
            self.lack(Cause::Capture, becomes, has, witness);
        }
    }

    fn nature(&mut self) {
        let Some(nature) = &self.rules.nature else { return };
        for kind in nature.introduces.kinds() {
            let name = self.name(kind);
            let witness = format!(
                "Nature introduces a first {name}: no set has Nature's pieces, and the supply is unlimited \
                    (CHA-1)"
            );
            self.lack(Cause::Nature, kind, 0, witness);
        }
    }
}

/// Kinds that a player's pawns can become.
struct Arrivals {
    /// Reachable by steps without capture.
    quiet: KindSet,
    /// Reachable by steps and captures.
    perhaps: KindSet,
}

fn ordinal(number: u32) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let word = number.checked_sub(1).and_then(|index| WORDS.get(index as usize));
    word.map_or_else(|| format!("{number}th"), |word| (*word).to_owned())
}
