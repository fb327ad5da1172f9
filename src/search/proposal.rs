//! Which games a query can hold in, as far as the facts that were noted of them say. Whether it holds in them, only a
//! replay tells.

use super::facts::{Fact, Happened, RulesKey, balance, material, men};
use super::leaf::{OfPly, OnBoard};
use super::pattern::BoardPattern;
use super::plan::{Part, Plan, of_opponent};
use super::range::Range;
use super::terms::{GameTerm, ReportTerm};
use super::values::{TagValues, Tagged};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::StockName;
use ferz_core::rules::{KindId, KindSet, Rules, Stock};
use ferz_core::text::limits::FACTS_ASKED_MAX;

/// The games of given rules in which a query can hold, by their facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposal {
    /// All games.
    All,
    /// Those with one of these facts; with none of them, no game.
    Has(Vec<Fact>),
    /// Those with a tag as wanted, which [`resolved`](Proposal::resolved) finds by the values that games have.
    Tagged(Tagged),
    /// Those that all of these propose.
    Every(Vec<Proposal>),
    /// Those that one of these proposes.
    Some(Vec<Proposal>),
}

impl Proposal {
    /// No game.
    pub(crate) const NONE: Proposal = Proposal::Has(Vec::new());

    /// The games that can have had a position with this key.
    pub(crate) fn of_position(rules: RulesKey, key: u64) -> Proposal {
        any(rules, [Happened::Position(key)])
    }

    /// The games that all of these propose.
    fn every(all: impl IntoIterator<Item = Proposal>) -> Proposal {
        let mut parts: Vec<Proposal> = all.into_iter().filter(|part| *part != Proposal::All).collect();
        if parts.contains(&Proposal::NONE) {
            return Proposal::NONE;
        }
        match parts.len() {
            0 => Proposal::All,
            1 => parts.remove(0),
            _ => Proposal::Every(parts),
        }
    }

    /// The games that one of these proposes.
    pub fn some(all: impl IntoIterator<Item = Proposal>) -> Proposal {
        let (mut facts, mut parts) = (Vec::new(), Vec::new());
        for part in all {
            match part {
                Proposal::All => return Proposal::All,
                Proposal::Has(more) => facts.extend(more),
                part => parts.push(part),
            }
        }
        if parts.is_empty() {
            return Proposal::Has(facts);
        }
        if !facts.is_empty() {
            parts.push(Proposal::Has(facts));
        }
        if parts.len() == 1 { parts.remove(0) } else { Proposal::Some(parts) }
    }

    /// True if it asks for values of tags.
    pub fn asks_tags(&self) -> bool {
        match self {
            Proposal::All | Proposal::Has(_) => false,
            Proposal::Tagged(_) => true,
            Proposal::Every(parts) | Proposal::Some(parts) => parts.iter().any(Proposal::asks_tags),
        }
    }

    /// The same about games whose tags have these values, without asking for any.
    pub fn resolved(&self, values: &TagValues) -> Proposal {
        // Games of many kinds of rules ask for the same tags.
        self.resolved_by(values, &mut Vec::new())
    }

    fn resolved_by<'p>(&'p self, values: &TagValues, known: &mut Vec<(&'p Tagged, Proposal)>) -> Proposal {
        match self {
            Proposal::All | Proposal::Has(_) => self.clone(),
            Proposal::Tagged(tagged) => {
                if let Some((_, found)) = known.iter().find(|(other, _)| *other == tagged) {
                    return found.clone();
                }
                let found = tagged.facts(values).map_or(Proposal::All, Proposal::Has);
                known.push((tagged, found.clone()));
                found
            }
            Proposal::Every(parts) => {
                Proposal::every(parts.iter().map(|part| part.resolved_by(values, known)).collect::<Vec<_>>())
            }
            Proposal::Some(parts) => {
                Proposal::some(parts.iter().map(|part| part.resolved_by(values, known)).collect::<Vec<_>>())
            }
        }
    }

    /// All facts that it asks for; none for tags.
    pub fn facts(&self) -> Vec<Fact> {
        match self {
            Proposal::All | Proposal::Tagged(_) => Vec::new(),
            Proposal::Has(facts) => facts.clone(),
            Proposal::Every(parts) | Proposal::Some(parts) => {
                parts.iter().flat_map(Proposal::facts).collect()
            }
        }
    }

    /// True if it proposes a game with these facts, which are sorted; as long as it is not resolved, whatever its tags
    /// are.
    pub fn has(&self, facts: &[Fact]) -> bool {
        match self {
            Proposal::All | Proposal::Tagged(_) => true,
            Proposal::Has(any) => any.iter().any(|fact| facts.binary_search(fact).is_ok()),
            Proposal::Every(parts) => parts.iter().all(|part| part.has(facts)),
            Proposal::Some(parts) => parts.iter().any(|part| part.has(facts)),
        }
    }
}

/// The games with one of these facts; all, if there are too many to ask for.
fn any(rules: RulesKey, facts: impl IntoIterator<Item = Happened>) -> Proposal {
    let facts: Vec<Fact> = facts.into_iter().map(|fact| fact.fact(rules)).take(FACTS_ASKED_MAX + 1).collect();
    if facts.len() > FACTS_ASKED_MAX { Proposal::All } else { Proposal::Has(facts) }
}

/// The games in which one of these men was on one of the squares.
fn stood<M: Mask>(rules: &Rules<M>, key: RulesKey, kinds: &[KindSet; 3], squares: M) -> Proposal {
    let owned = || {
        let of = |owner: Owner| kinds[owner.index()].kinds().map(move |kind| (owner, kind));
        Owner::ALL.into_iter().flat_map(of)
    };
    let on = |(owner, kind)| squares.squares().map(move |square| Happened::Stood(owner, kind, square));
    let on_squares =
        if squares == rules.geometry.all() { Proposal::All } else { any(key, owned().flat_map(on)) };
    match on_squares {
        Proposal::All => any(key, owned().map(|(owner, kind)| Happened::Owned(owner, kind))),
        on_squares => on_squares,
    }
}

impl<M: Mask> Plan<M> {
    /// The games in which the query can hold.
    pub(crate) fn proposal(&self, rules: &Rules<M>) -> Proposal {
        let key = RulesKey::of(rules);
        let boards: Vec<Proposal> = self.boards.iter().map(|board| board.proposal(rules, key)).collect();
        let plies: Vec<Proposal> = self.plies.iter().map(|ply| ply.proposal(rules, key)).collect();
        self.root.proposal(key, &boards, &plies)
    }
}

impl Part {
    fn proposal(&self, key: RulesKey, boards: &[Proposal], plies: &[Proposal]) -> Proposal {
        let of = |part: &Part| part.proposal(key, boards, plies);
        match self {
            Part::Board(index) => boards[*index].clone(),
            Part::Ply(index) => plies[*index].clone(),
            Part::Report(term) => term.proposal(key),
            Part::Game(term, exchanged) => term.proposal(key, *exchanged),
            // Of what is absent nothing is noted.
            Part::Not(_) | Part::Never(_) => Proposal::All,
            Part::Nothing => Proposal::NONE,
            Part::Ever(part) => of(part),
            Part::All(parts) => Proposal::every(parts.iter().map(of)),
            Part::Any(parts) => Proposal::some(parts.iter().map(of)),
            Part::Then(parts) | Part::Next(parts) => Proposal::every(parts.iter().map(of)),
            Part::Count(range, part) => of_count(*range, || of(part)),
        }
    }
}

fn of_count(range: Range, part: impl FnOnce() -> Proposal) -> Proposal {
    if range.has(0) { Proposal::All } else { part() }
}

impl GameTerm {
    fn proposal(&self, key: RulesKey, exchanged: bool) -> Proposal {
        match self {
            GameTerm::Tag { names, wanted } => {
                Tagged::new(names, wanted, exchanged).map_or(Proposal::All, Proposal::Tagged)
            }
            GameTerm::Result(result) if exchanged => any(key, [Happened::Result(of_opponent(*result))]),
            GameTerm::Result(result) => any(key, [Happened::Result(*result)]),
            GameTerm::Variant(_) => Proposal::All,
            GameTerm::Legal => any(key, [Happened::Legal]),
            GameTerm::Plies(range) => {
                any(key, (range.first.max(0)..=range.last).map(|plies| Happened::Plies(plies as u64)))
            }
        }
    }
}

impl ReportTerm {
    fn proposal(&self, key: RulesKey) -> Proposal {
        match self {
            ReportTerm::Ply(_) | ReportTerm::Last => Proposal::All,
            ReportTerm::Claimable(kinds) => any(key, kinds.iter().map(|kind| Happened::Claimable(*kind))),
            ReportTerm::End(reasons) if reasons.is_empty() => any(key, [Happened::Ended]),
            ReportTerm::End(reasons) => any(key, reasons.iter().map(|reason| Happened::End(*reason))),
            ReportTerm::Illegal => any(key, [Happened::Illegal]),
            ReportTerm::Diagnostic(code) => any(key, [Happened::Diagnostic(*code)]),
        }
    }
}

impl<M: Mask> OnBoard<M> {
    fn proposal(&self, rules: &Rules<M>, key: RulesKey) -> Proposal {
        match self {
            OnBoard::Men(kinds, squares) => stood(rules, key, kinds, *squares),
            OnBoard::Same { key: position, .. } => any(key, [Happened::Position(*position)]),
            OnBoard::Pattern(pattern) => pattern.proposal(rules, key),
            OnBoard::Material { men, more } => of_material(key, men, *more),
            OnBoard::Balance(more) => any(key, [Happened::Balance(balance(more))]),
            OnBoard::Stock(name, men) => of_stock(key, *name, men),
            OnBoard::Empty(_)
            | OnBoard::NoStock(_)
            | OnBoard::GateRight(_)
            | OnBoard::CastleRight(_)
            | OnBoard::Turn(_)
            | OnBoard::Check
            | OnBoard::Clock(..) => Proposal::All,
        }
    }
}

/// The games in which White and Black had these men, or may have had more.
fn of_material(key: RulesKey, wanted: &[Stock; 2], more: [bool; 2]) -> Proposal {
    if more == [false; 2] {
        return any(key, [Happened::Material(material(wanted))]);
    }
    Proposal::every(Owner::REAL.into_iter().map(|owner| {
        let wanted = &wanted[owner.index()];
        if !more[owner.index()] {
            return any(key, [Happened::Men(owner, men(wanted))]);
        }
        let kinds = KindSet::from_iter(kinds_in(wanted));
        Proposal::every(kinds.kinds().map(|kind| any(key, [Happened::Owned(owner, kind)])))
    }))
}

/// The games in which the stocks had these pieces.
fn of_stock(key: RulesKey, name: StockName, wanted: &[Stock; 2]) -> Proposal {
    let of = |owner: Owner| {
        kinds_in(&wanted[owner.index()]).map(move |kind| any(key, [Happened::Held(name, owner, kind)]))
    };
    Proposal::every(Owner::REAL.into_iter().flat_map(of))
}

/// The kinds of which there are some.
fn kinds_in(stock: &Stock) -> impl Iterator<Item = KindId> + '_ {
    let some = stock.iter().enumerate().filter(|(_, count)| **count > 0);
    some.map(|(kind, _)| KindId(kind as u8))
}

impl<M: Mask> BoardPattern<M> {
    /// Every named man must have been on its square at some time.
    fn proposal(&self, rules: &Rules<M>, key: RulesKey) -> Proposal {
        let on = |(square, kinds)| stood(rules, key, &kinds, M::bit(square));
        Proposal::every(self.men().into_iter().map(on))
    }
}

impl<M: Mask> OfPly<M> {
    fn proposal(&self, rules: &Rules<M>, key: RulesKey) -> Proposal {
        let all = rules.geometry.all();
        match self {
            OfPly::By(_) | OfPly::From(_) | OfPly::To(_) => Proposal::All,
            OfPly::Moves(kinds, _) => any(key, kinds.kinds().map(Happened::Moved)),
            OfPly::Takes { mover: (movers, _), captured: (kinds, _) } => {
                let took = |mover| kinds.kinds().map(move |captured| Happened::Took(mover, captured));
                any(key, movers.kinds().flat_map(took))
            }
            OfPly::Drop(kinds, squares) => {
                let on = |kind| squares.squares().map(move |square| Happened::DroppedOn(kind, square));
                let on_squares =
                    if *squares == all { Proposal::All } else { any(key, kinds.kinds().flat_map(on)) };
                match on_squares {
                    Proposal::All => any(key, kinds.kinds().map(Happened::Dropped)),
                    on_squares => on_squares,
                }
            }
            OfPly::Gate(kinds, _) => any(key, kinds.kinds().map(Happened::Gated)),
            OfPly::Promote(to) => {
                // A pawn that gates a piece in becomes it.
                any(key, to.kinds().flat_map(|kind| [Happened::Promoted(kind), Happened::Gated(kind)]))
            }
            OfPly::Is(verb) => any(key, [Happened::Was(*verb)]),
            OfPly::LetStand => any(key, [Happened::LetStand]),
        }
    }
}
