//! What happened in a game, as numbers that an index can hold. `proposal` says which of them a query cannot do without.

use super::leaf::Done;
use super::values::TagValues;
use super::walk::walk;
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::judge::{ClaimableKind, EndReason};
use ferz_core::position::{Position, StockName, Verb};
use ferz_core::rules::{KindId, Rules};
use ferz_core::text::limits::KINDS_MAX;
use ferz_core::text::{Budget, Code, Exhausted, mix};
use ferz_records::record::{GameResult, Record};
use ferz_records::replay::{AnyTrace, Report, Trace, with_trace};

/// Budget units for noting a position.
const UNITS_POSITION: u64 = 2;

/// The version of the facts and of packed games. An index of another version is not asked. Raise it whenever other
/// facts are noted of a game than before, or it is packed otherwise.
pub const FACTS_VERSION: u32 = 3;

/// Something that happened in a game, as a number. Two different ones may have the same number: a fact only proposes
/// games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact(pub u32);

impl Fact {
    /// The game cannot be replayed, so that nothing else is known of it.
    pub const NOT_JUDGED: Fact = Fact(0);
}

/// What distinguishes the facts of a game's rules from those of other rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RulesKey(pub u64);

/// What is noted of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Happened {
    /// It had a position with this key.
    Position(u64),
    /// A piece was on a square.
    Stood(Owner, KindId, Square),
    /// A piece was on the board.
    Owned(Owner, KindId),
    /// A player had these men on the board and no others; a digest of how many of each kind.
    Men(Owner, u64),
    /// Both players had these men and no others.
    Material(u64),
    /// White had so many more of each kind than Black.
    Balance(u64),
    /// A piece was in a stock.
    Held(StockName, Owner, KindId),
    Moved(KindId),
    /// The first captured the second.
    Took(KindId, KindId),
    Dropped(KindId),
    DroppedOn(KindId, Square),
    Gated(KindId),
    Promoted(KindId),
    Was(Verb),
    LetStand,
    Claimable(ClaimableKind),
    Ended,
    End(EndReason),
    Illegal,
    Diagnostic(Code),
    /// It has a tag with a value: digests of both.
    Tag(u64, u64),
    /// The record states this result.
    Result(GameResult),
    /// All of its main line is legal.
    Legal,
    /// Its main line has so many plies.
    Plies(u64),
}

/// A digest of bytes that is the same in every run and on every machine.
fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(mix(1), |digest, byte| mix(digest ^ u64::from(byte)))
}

impl RulesKey {
    /// The key of rules. Those of one identity that a record's array makes differ, since they read FENs differently.
    pub(crate) fn of<M: Mask>(rules: &Rules<M>) -> RulesKey {
        let id = &rules.id;
        let text = [&id.name, "\n", &id.edition, "\n", &id.digest, "\n", rules.file.digest()].concat();
        let array = rules.array.iter().flat_map(|piece| match piece {
            Some(piece) => [piece.owner.index() as u8, piece.kind.0],
            None => [u8::MAX; 2],
        });
        RulesKey(digest(text.bytes().chain(array)))
    }

    /// The key of a game's rules.
    pub fn of_trace(trace: &AnyTrace) -> RulesKey {
        with_trace!(trace, |trace| RulesKey::of(trace.start.rules()))
    }
}

impl Happened {
    /// A game has a tag with this name, in small letters, and this value.
    pub(crate) fn tag(name: &str, value: &str) -> Happened {
        Happened::Tag(digest(name.bytes()), digest(value.bytes()))
    }

    /// The fact in a game of these rules.
    pub(crate) fn fact(self, rules: RulesKey) -> Fact {
        let (what, of) = self.numbers();
        let number = (mix(mix(rules.0 ^ what) ^ of) >> 32) as u32;
        // No other fact is the one about games that cannot be replayed.
        Fact(number.max(Fact::NOT_JUDGED.0 + 1))
    }

    /// What it is, and of what.
    fn numbers(self) -> (u64, u64) {
        let two = |one: u8, other: u8| u64::from(one) << 8 | u64::from(other);
        let owned = |owner: Owner, kind: KindId| two(owner.index() as u8, kind.0);
        match self {
            Happened::Position(key) => (1, key),
            Happened::Stood(owner, kind, square) => (2, owned(owner, kind) << 8 | u64::from(square.0)),
            Happened::Owned(owner, kind) => (3, owned(owner, kind)),
            Happened::Men(owner, men) => (4 | (owner.index() as u64) << 8, men),
            Happened::Material(men) => (5, men),
            Happened::Balance(men) => (6, men),
            Happened::Held(stock, owner, kind) => (7 | (stock as u64) << 8, owned(owner, kind)),
            Happened::Moved(kind) => (8, u64::from(kind.0)),
            Happened::Took(kind, captured) => (9, two(kind.0, captured.0)),
            Happened::Dropped(kind) => (10, u64::from(kind.0)),
            Happened::DroppedOn(kind, square) => (11, two(kind.0, square.0)),
            Happened::Gated(kind) => (12, u64::from(kind.0)),
            Happened::Promoted(kind) => (13, u64::from(kind.0)),
            Happened::Was(verb) => (14, verb as u64),
            Happened::LetStand => (15, 0),
            Happened::Claimable(kind) => (16, digest(kind.id().bytes())),
            Happened::Ended => (17, 0),
            Happened::End(reason) => (18, digest(reason.id().bytes())),
            Happened::Illegal => (19, 0),
            Happened::Diagnostic(code) => (20, digest(code.0.bytes())),
            Happened::Tag(name, value) => (21, mix(name) ^ value),
            Happened::Result(result) => (22, digest(result.as_str().bytes())),
            Happened::Legal => (23, 0),
            Happened::Plies(plies) => (24, plies),
        }
    }
}

/// How many of each kind White and Black have on the board.
pub(crate) type Counts = [[u8; KINDS_MAX]; 2];

/// One player's men, as [`Happened::Men`] has them.
pub(crate) fn men(counts: &[u8; KINDS_MAX]) -> u64 {
    digest(*counts)
}

/// Both players' men, as [`Happened::Material`] has them.
pub(crate) fn material(counts: &Counts) -> u64 {
    digest(counts.iter().flatten().copied())
}

/// What White has more than Black, as [`Happened::Balance`] has it.
pub(crate) fn balance(more: &[i16; KINDS_MAX]) -> u64 {
    digest(more.iter().flat_map(|more| more.to_le_bytes()))
}

/// The facts of a game that was replayed and has these values of tags, sorted, each once.
///
/// # Errors
/// If the budget ends before the work.
pub fn facts(
    record: &Record<'_>,
    values: &TagValues,
    trace: &AnyTrace,
    budget: &Budget,
) -> Result<Vec<Fact>, Exhausted> {
    with_trace!(trace, |trace| {
        let mut noted = Noted::new(trace.start.rules());
        noted.facts.extend(values.facts());
        noted.add(Happened::Result(record.stated_result().unwrap_or(GameResult::Unknown)));
        noted.all(trace, budget)
    })
}

/// What was noted so far.
struct Noted<'r, M> {
    rules: &'r Rules<M>,
    key: RulesKey,
    facts: Vec<Fact>,
    /// By owner and kind: the squares on which it was.
    stood: Vec<M>,
    /// The men on the board in the last position.
    counts: Option<Counts>,
    /// Both players' stocks in the last position, the reserves first.
    stocks: [[[u8; KINDS_MAX]; 2]; 2],
}

impl<'r, M: Mask> Noted<'r, M> {
    fn new(rules: &'r Rules<M>) -> Noted<'r, M> {
        let key = RulesKey::of(rules);
        let stood = vec![M::default(); Owner::ALL.len() * KINDS_MAX];
        Noted { rules, key, facts: Vec::new(), stood, counts: None, stocks: Default::default() }
    }

    fn all(mut self, trace: &Trace<M>, budget: &Budget) -> Result<Vec<Fact>, Exhausted> {
        walk(trace, budget, UNITS_POSITION, |position, done| {
            if let Some(done) = done {
                self.ply(done);
            }
            self.position(position);
        })?;
        self.squares();
        self.report(&trace.report);
        self.facts.sort_unstable();
        self.facts.dedup();
        Ok(self.facts)
    }

    fn add(&mut self, happened: Happened) {
        self.facts.push(happened.fact(self.key));
    }

    fn position(&mut self, position: &Position<M>) {
        self.add(Happened::Position(position.key()));
        let mut counts = Counts::default();
        for kind in self.rules.all_kinds().kinds() {
            for owner in Owner::ALL {
                let squares = position.pieces(owner, kind);
                let stood = &mut self.stood[owner.index() * KINDS_MAX + kind.index()];
                *stood |= squares;
                if let Some(counts) = counts.get_mut(owner.index()) {
                    counts[kind.index()] = squares.count() as u8;
                }
            }
        }
        if self.counts != Some(counts) {
            self.counts = Some(counts);
            self.material(&counts);
        }
        self.stocks(position);
    }

    fn material(&mut self, counts: &Counts) {
        for owner in Owner::REAL {
            self.add(Happened::Men(owner, men(&counts[owner.index()])));
        }
        self.add(Happened::Material(material(counts)));
        let more = std::array::from_fn(|kind| i16::from(counts[0][kind]) - i16::from(counts[1][kind]));
        self.add(Happened::Balance(balance(&more)));
    }

    fn stocks(&mut self, position: &Position<M>) {
        for (name, stock) in [(StockName::Reserve, 0), (StockName::Hand, 1)] {
            for owner in Owner::REAL {
                let now = match name {
                    StockName::Reserve => position.reserve(owner),
                    StockName::Hand => position.hand(owner),
                };
                let before = std::mem::replace(&mut self.stocks[stock][owner.index()], *now);
                if before != *now {
                    for kind in self.rules.all_kinds().kinds().filter(|kind| now[kind.index()] > 0) {
                        self.add(Happened::Held(name, owner, kind));
                    }
                }
            }
        }
    }

    fn ply(&mut self, done: &Done) {
        let Done { ply, captured, let_stand, .. } = done;
        self.add(Happened::Was(ply.verb));
        if ply.verb == Verb::Drop {
            self.add(Happened::Dropped(ply.kind));
            self.add(Happened::DroppedOn(ply.kind, ply.to));
        } else {
            self.add(Happened::Moved(ply.kind));
        }
        if let Some((captured, _)) = captured {
            self.add(Happened::Took(ply.kind, captured.kind));
        }
        ply.gates.iter().flatten().for_each(|gate| self.add(Happened::Gated(gate.kind)));
        if let Some(kind) = ply.promotion {
            self.add(Happened::Promoted(kind));
        }
        if *let_stand {
            self.add(Happened::LetStand);
        }
    }

    fn squares(&mut self) {
        for kind in self.rules.all_kinds().kinds() {
            for owner in Owner::ALL {
                let stood = self.stood[owner.index() * KINDS_MAX + kind.index()];
                if stood.any() {
                    self.add(Happened::Owned(owner, kind));
                }
                stood.squares().for_each(|square| self.add(Happened::Stood(owner, kind, square)));
            }
        }
    }

    fn report(&mut self, report: &Report) {
        let open = report.claimable.iter().map(|claimable| &claimable.draw);
        open.chain(&report.claims).for_each(|draw| self.add(Happened::Claimable(draw.kind)));
        if let Some(end) = &report.end {
            self.add(Happened::Ended);
            self.add(Happened::End(end.reason));
        }
        if report.illegal.is_some() {
            self.add(Happened::Illegal);
        }
        if report.legal {
            self.add(Happened::Legal);
        }
        self.add(Happened::Plies(report.plies as u64));
        report.diagnostics.iter().for_each(|found| self.add(Happened::Diagnostic(found.code)));
    }
}
