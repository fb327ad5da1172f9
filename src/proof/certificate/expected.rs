//! What a record shows about a claim: the verdict and the evidence, by its own plies alone.

use super::clock::{Shown as OfClock, clock};
use super::refusal::{Refusal, Step, uncovered};
use super::walk::{Token, Walk, tokens};
use super::{Claim, ClaimKind, Decision, Effort, Evidence, Given, IllegalText, Premise, Proof};
use crate::syzygy::FileId;
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Call;
use ferz_core::position::{End, EndReason, Outcome, Position, Reason, Repeated};
use ferz_core::rules::definition::{DeadPosition, Repetition};
use ferz_core::rules::registry::with_field;
use ferz_core::text::Timestamp;
use ferz_records::record::time_control::Termination;
use ferz_records::record::{GameResult, Record};
use ferz_records::replay::summary::counted;
use std::sync::Arc;

/// What a record shows about a claim.
pub(super) struct Shown {
    pub verdict: Decision,
    pub result: Option<Outcome>,
    pub evidence: Evidence,
    /// What the verdict rests on besides the moves of the record.
    pub premises: Vec<Premise>,
}

/// What a record states about the end of its game, off the board.
struct Stated {
    /// The results that the tag, or the movetext, and the words of the termination give.
    results: Vec<GameResult>,
    /// That of the tag or the movetext.
    result: Option<GameResult>,
    manner: Option<Termination>,
    /// The termination in small letters.
    text: String,
    /// Both players lost.
    both_lost: bool,
}

impl Stated {
    /// True if it excludes what is claimed; `winner` would win, and without one the game would be drawn.
    fn is_against(&self, kind: ClaimKind, winner: Option<Owner>) -> bool {
        let wanted = winner.map_or(GameResult::Draw, won_by);
        let by_players = matches!(kind, ClaimKind::Agreement | ClaimKind::Resignation);
        let other_result = self
            .results
            .iter()
            .any(|result| *result != wanted && !(kind == ClaimKind::TimeWin && *result == GameResult::Draw));
        let other_manner = match self.manner {
            None | Some(Termination::Unterminated) => false,
            Some(Termination::BrokenOff) => by_players && self.result.is_some(),
            Some(Termination::TimeForfeit) => by_players,
            Some(Termination::Normal | Termination::ByPlayers) => !by_players,
            Some(_) => true,
        };
        self.both_lost || other_result || other_manner
    }

    /// True if it says what is claimed.
    fn is_for(&self, kind: ClaimKind, winner: Option<Owner>) -> bool {
        let wanted = self.results.contains(&winner.map_or(GameResult::Draw, won_by));
        let says = |word: &str| self.text.contains(word);
        match kind {
            ClaimKind::TimeWin => self.manner == Some(Termination::TimeForfeit) && !self.results.is_empty(),
            ClaimKind::Silence => wanted && says("abandon"),
            ClaimKind::Default => {
                wanted && ["abandon", "default", "forfeit", "no show", "no-show"].into_iter().any(says)
            }
            _ => wanted && matches!(self.manner, None | Some(Termination::Normal | Termination::ByPlayers)),
        }
    }
}

/// A claim that is open in the last position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenClaim {
    None,
    Draw,
    /// Of a win, by a declaration or a perpetual check.
    Win,
}

impl OpenClaim {
    /// True if the claim would give the game another result.
    fn is_rival_of(self, result: Outcome) -> bool {
        match self {
            OpenClaim::None => false,
            OpenClaim::Draw => result != Outcome::Draw,
            OpenClaim::Win => true,
        }
    }
}

/// The result of a game that a player won.
fn won_by(owner: Owner) -> GameResult {
    match owner {
        Owner::White => GameResult::WhiteWins,
        _ => GameResult::BlackWins,
    }
}

/// Clocks are written in whole seconds.
const SECOND: u64 = 1000;

/// Halfmoves after which a draw may be claimed (FIDE 9.3).
const FIFTY_MOVES: u16 = 100;
/// Occurrences after which a draw may be claimed (FIDE 9.2).
const THREEFOLD: usize = 3;

/// Replays the record up to the claim, and returns what it shows, with the given part of the evidence.
pub(super) fn expected<M: Mask>(
    walk: &mut Walk<'_, M>,
    record: &Record<'_>,
    claim: &Claim,
    given: Given<'_>,
) -> Result<Shown, Refusal> {
    claim.check().map_err(|message| Refusal::new(Step::Form, message))?;
    let (named, kind) = (claim.by.is_some(), claim.kind);
    if named && kind.is_anyones() || !named && kind.may_be_intended() {
        let message = if named { "the claimant makes no difference" } else { "the claim names no claimant" };
        return Err(Refusal::new(Step::Form, message));
    }
    let Some(last) = claim.ply else { return Err(Refusal::new(Step::Form, "the claim names no ply")) };
    let (tokens, calls) = (tokens(record, &walk.position.rules().definition.nature), record.main_calls());
    let called = |walk: &mut Walk<'_, M>, plies| {
        Call::after(&calls, plies).for_each(|call| walk.call(call));
    };
    let illegal = claim.kind == ClaimKind::IllegalPly;
    if last > tokens.len() || illegal && last == 0 {
        return Err(Refusal::new(Step::Plies, format!("the record has no ply {last}")));
    }
    for (index, token) in tokens[..last].iter().enumerate() {
        called(walk, index);
        walk.spend()?;
        match walk.ply(token) {
            Ok(ply) => walk.make(&ply),
            Err(fault) if illegal && index + 1 == last => {
                return match fault.reason {
                    Reason::Unreadable | Reason::Ambiguous => uncovered(claim.kind),
                    reason => {
                        let illegal = Some(IllegalText { text: token.text.clone(), reason });
                        let evidence = Evidence::Line { end: None, line: Vec::new(), illegal };
                        shown(true, None, evidence)
                    }
                };
            }
            Err(fault) => {
                let (number, text) = (index + 1, &token.text);
                return Err(Refusal::new(Step::Plies, format!("ply {number}, {text}, is illegal: {fault}")));
            }
        }
    }
    called(walk, last);
    let mut case = Case { walk, record, claim, given, last, written: tokens.len(), next: tokens.get(last) };
    let mut shown = case.judge()?;
    case.add_premises(&mut shown)?;
    // Evidence has a given part only where the claim depends on it.
    match shown.evidence.given() == given {
        true => Ok(shown),
        false => Err(Refusal::new(Step::Evidence, "the record decides the claim without this evidence")),
    }
}

struct Case<'c, 'w, M> {
    walk: &'c mut Walk<'w, M>,
    record: &'c Record<'c>,
    claim: &'c Claim,
    given: Given<'c>,
    /// The claim is about the position after this many plies.
    last: usize,
    /// The record has this many.
    written: usize,
    /// The token after them.
    next: Option<&'c Token>,
}

fn shown(upheld: bool, result: Option<Outcome>, evidence: Evidence) -> Result<Shown, Refusal> {
    let verdict = if upheld { Decision::Upheld } else { Decision::Rejected };
    Ok(Shown { verdict, result, evidence, premises: Vec::new() })
}

impl<M: Mask> Case<'_, '_, M> {
    fn judge(&mut self) -> Result<Shown, Refusal> {
        use ClaimKind::{
            Agreement, CannotWin, Default, FiftyMoves, ForcedDraw, ForcedMate, ForcedWin, IllegalPly,
            PerpetualCheck, QuietMoves, Resignation, Silence, ThreefoldRepetition, TimeWin, WrongResult,
            WrongSetup,
        };
        match (self.claim.kind, self.walk.end) {
            (IllegalPly, _) => shown(false, None, self.nothing()),
            (WrongSetup, _) => {
                let start = &self.walk.start;
                let array = Position::start(Arc::clone(start.shared_rules()));
                let is_array = match start.rules().definition.setup.from_record {
                    false => start.identity() == array.identity(),
                    true => {
                        let own = with_field(start.rules(), "setup.from-record", false, &|_| None);
                        let own = own.map_err(|error| Refusal::new(Step::Rules, error.to_string()))?;
                        start.is_shuffle_of(&Position::start(Arc::new(own)))
                    }
                };
                shown(!is_array, None, self.nothing())
            }
            (ThreefoldRepetition | FiftyMoves | QuietMoves, _) => self.claimed_draw(),
            (WrongResult, Some(end)) => {
                let stated = self.record.stated_result().filter(|result| *result != GameResult::Unknown);
                let wrong = self.record.both_lose()
                    || stated.is_some_and(|result| result.as_str() != end.outcome.as_str());
                shown(wrong, Some(end.outcome), self.of_end(end))
            }
            (WrongResult, None) => self.impossible_result(),
            (Agreement | Resignation | TimeWin | Silence | Default, Some(end)) => {
                shown(false, Some(end.outcome), self.of_end(end))
            }
            (Agreement | Resignation | TimeWin | Silence | Default, None) => self.off_the_board(),
            (CannotWin, Some(end)) if !end.reason.is_draw_by_itself() => {
                shown(end.outcome != Outcome::won_by(self.claimant()), Some(end.outcome), self.of_end(end))
            }
            (CannotWin, _) => self.cannot_win(),
            (ForcedMate | ForcedWin | ForcedDraw, Some(end)) => {
                let won = end.outcome == Outcome::won_by(self.claimant());
                let reached = match self.claim.kind {
                    ForcedDraw => won || end.outcome == Outcome::Draw,
                    ForcedMate => won && end.reason == EndReason::Checkmate,
                    _ => won,
                };
                shown(reached, Some(end.outcome), self.of_end(end))
            }
            (ForcedMate | ForcedWin | ForcedDraw, None) => {
                let shown = self.forced()?;
                let rival = shown.result.is_some_and(|result| self.has_rival(result));
                Ok(Shown { result: shown.result.filter(|_| !rival), ..shown })
            }
            (PerpetualCheck, None) if self.walk.position.rules().ends.claims_perpetual() => {
                self.claimed_perpetual()
            }
            (kind, Some(end)) => {
                let is_it = end.reason.id() == kind.id()
                    || kind == ClaimKind::BareKing && end.reason == EndReason::BareKingDraw;
                let against = self.favoured(end).zip(self.claim.by).is_some_and(|(owner, by)| owner != by);
                shown(is_it && !against, Some(end.outcome), self.of_end(end))
            }
            (_, None) => self.no_end(),
        }
    }

    fn claimant(&self) -> Owner {
        self.claim.by.unwrap_or(self.walk.position.turn())
    }

    /// The plies of the record alone.
    fn nothing(&self) -> Evidence {
        Evidence::Line { end: None, line: Vec::new(), illegal: None }
    }

    fn occurrences(&self, at: usize) -> Evidence {
        let (identity, plies) = self.walk.occurrences(at, at);
        Evidence::Occurrences { identity, plies }
    }

    fn counter(&self, at: usize) -> Evidence {
        let (count, since, before) = self.walk.counter(at);
        Evidence::Counter { count, since, before }
    }

    fn of_end(&self, end: End) -> Evidence {
        match end.reason {
            EndReason::FivefoldRepetition | EndReason::FourfoldRepetition | EndReason::PerpetualCheck => {
                self.occurrences(end.ply)
            }
            EndReason::SeventyFiveMoves => self.counter(end.ply),
            _ => Evidence::Line { end: Some(end), line: Vec::new(), illegal: None },
        }
    }

    /// Who mated, bared the opponent, reached the square, or was checked perpetually.
    fn favoured(&self, end: End) -> Option<Owner> {
        let authored = matches!(
            end.reason,
            EndReason::Checkmate
                | EndReason::AntiCheckmate
                | EndReason::KingsSquare
                | EndReason::BareKing
                | EndReason::PerpetualCheck
                | EndReason::Declaration
        );
        let winner = end.outcome.winner().filter(|_| authored)?;
        Some(if self.walk.position.rules().ends.misere { winner.opponent() } else { winner })
    }

    /// The claimed end has not been reached.
    fn no_end(&mut self) -> Result<Shown, Refusal> {
        let ends = &self.walk.position.rules().ends;
        let kind = self.claim.kind;
        let fide = ends.repetition == Repetition::Fide;
        let perpetual = ends.repetition.perpetual().is_some();
        let evidence = match kind {
            ClaimKind::FivefoldRepetition if fide => self.occurrences(self.last),
            ClaimKind::FourfoldRepetition | ClaimKind::PerpetualCheck if perpetual => {
                self.occurrences(self.last)
            }
            ClaimKind::SeventyFiveMoves if ends.move_counters => self.counter(self.last),
            ClaimKind::FivefoldRepetition
            | ClaimKind::FourfoldRepetition
            | ClaimKind::PerpetualCheck
            | ClaimKind::SeventyFiveMoves
            | ClaimKind::Declaration => return uncovered(kind),
            ClaimKind::DeadPosition if ends.dead_position == DeadPosition::None => return uncovered(kind),
            ClaimKind::DeadPosition => return self.dead_position(),
            _ => self.nothing(),
        };
        shown(false, None, evidence)
    }

    /// Threefold repetition and fifty moves.
    fn claimed_draw(&mut self) -> Result<Shown, Refusal> {
        let (kind, turn) = (self.claim.kind, self.walk.position.turn());
        let ends = &self.walk.position.rules().ends;
        let threefold = kind == ClaimKind::ThreefoldRepetition;
        let needed = if kind == ClaimKind::QuietMoves { ends.quiet_plies() } else { FIFTY_MOVES };
        let perpetual = ends.repetition == Repetition::ThreefoldPerpetual;
        let has_rule = match kind {
            ClaimKind::FiftyMoves => ends.move_counters,
            ClaimKind::QuietMoves => needed > 0,
            _ => ends.repetition.is_claimed(),
        };
        if !has_rule {
            return uncovered(kind);
        }
        let over = self.walk.end.filter(|end| end.ply < self.last || !end.reason.is_draw_by_itself());
        if let Some(end) = over {
            return shown(false, Some(end.outcome), self.of_end(end));
        }
        if self.claimant() != turn {
            return uncovered(kind);
        }
        let at = match &self.claim.intended {
            Some(text) => self.intend(text)?,
            None => self.last,
        };
        let (upheld, evidence) = if threefold {
            let (identity, plies) = self.walk.occurrences(at, at);
            let mut upheld = plies.len() >= THREEFOLD;
            if upheld && perpetual {
                match Repeated::of(&self.walk.conduct(plies[0])) {
                    Repeated::Harmless | Repeated::ChecksByBoth => {}
                    Repeated::PerpetualCheck(_) => upheld = false,
                    Repeated::MayChase(_) => return uncovered(kind),
                }
            }
            (upheld, Evidence::Occurrences { identity, plies })
        } else {
            (self.walk.counter(at).0 >= needed, self.counter(at))
        };
        // The intended ply is part of the claim and not of the record.
        self.walk.plies.truncate(self.last);
        shown(upheld, upheld.then_some(Outcome::Draw), evidence)
    }

    /// The player whose every ply since the first occurrence of the last position gave check, at its third.
    fn perpetual_checker(&self) -> Option<Owner> {
        let (_, plies) = self.walk.occurrences(self.last, self.last);
        match Repeated::of(&self.walk.conduct(plies[0])) {
            Repeated::PerpetualCheck(checker) if plies.len() >= THREEFOLD => Some(checker),
            _ => None,
        }
    }

    /// A perpetual check that loses on a claim.
    fn claimed_perpetual(&self) -> Result<Shown, Refusal> {
        let winner = self.perpetual_checker().map(Owner::opponent);
        let upheld = winner.is_some() && self.claim.by.is_none_or(|by| Some(by) == winner);
        let result = winner.filter(|_| upheld).map(Outcome::won_by);
        shown(upheld, result, self.occurrences(self.last))
    }

    /// Makes the intended ply; gives the number of plies after it.
    fn intend(&mut self, text: &str) -> Result<usize, Refusal> {
        let refuse = |why: &str| Refusal::new(Step::Statement, format!("the intended ply is {why}"));
        let ply = self.walk.ply(&Token::alone(text));
        let ply = ply.map_err(|fault| refuse(&format!("illegal: {fault}")))?;
        if ply.actor != self.walk.position.turn() {
            return Err(refuse("another player's"));
        }
        self.walk.make(&ply);
        Ok(self.last + 1)
    }

    fn has_moved(&self, owner: Owner) -> bool {
        self.walk.movers().any(|mover| mover == owner)
    }

    fn ruling(&self) -> Evidence {
        Evidence::Ruling {
            result: self.record.stated_result().map(|result| result.as_str().to_owned()),
            termination: self.record.tag("Termination").map(|value| value.into_owned()),
            line: self.line(),
            proof: self.proof(),
        }
    }

    /// What a loss off the board is worth: a draw if the opponent cannot win.
    fn worth(&mut self, winner: Owner) -> Result<Outcome, Refusal> {
        Ok(if self.can_win(winner)? { Outcome::won_by(winner) } else { Outcome::Draw })
    }

    /// What the record states off the board: its result, and the words of its termination.
    fn stated(&self) -> Stated {
        let termination = self.record.tag("Termination").map(|text| text.into_owned());
        let name = |tag: &str| self.record.tag(tag).map(|name| name.into_owned()).unwrap_or_default();
        let names = [name("White"), name("Black")];
        let known = |result: &GameResult| *result != GameResult::Unknown;
        let result = self.record.stated_result().filter(known);
        let words = termination.as_deref().and_then(|text| Termination::stated_result(text, &names));
        Stated {
            results: result.into_iter().chain(words.filter(known)).collect(),
            result,
            manner: termination.as_deref().and_then(Termination::parse),
            text: termination.unwrap_or_default().to_ascii_lowercase(),
            both_lost: self.record.both_lose(),
        }
    }

    /// Agreement, resignation, and losses by not making a move: by the whole record, at its last ply.
    fn off_the_board(&mut self) -> Result<Shown, Refusal> {
        let kind = self.claim.kind;
        if let Some(next) = self.next {
            // A ply that can be made shows that the game went on.
            return match self.walk.ply(next) {
                Ok(_) => shown(false, None, self.ruling()),
                Err(_) => uncovered(kind),
            };
        }
        let stated = self.stated();
        if kind == ClaimKind::Agreement {
            if !Owner::REAL.into_iter().all(|owner| self.has_moved(owner)) {
                return shown(false, None, self.ruling());
            }
            return self.by_statement(&stated, None);
        }
        let by = self.claimant();
        if kind == ClaimKind::TimeWin
            && let Some(shown) = self.by_flag(&stated)?
        {
            return Ok(shown);
        }
        self.by_statement(&stated, Some(by))
    }

    /// The clocks of a player.
    fn clock_of(&self, owner: Owner, at: Option<Timestamp>) -> OfClock {
        let movers: Vec<Owner> = self.walk.movers().collect();
        let start = &self.walk.start;
        let first = (start.turn(), start.status().number);
        clock((self.record, &start.rules().definition), &movers, first, (owner, at))
    }

    /// What the first flag decides, if the clocks show one.
    fn by_flag(&mut self, stated: &Stated) -> Result<Option<Shown>, Refusal> {
        let by = self.claimant();
        let wins = won_by(by);
        let theirs = self.clock_of(by.opponent(), None);
        let own = self.clock_of(by, None);
        match (theirs.flag(), own.flag()) {
            (None, None) => return Ok(None),
            (theirs, Some(own_ply)) if theirs.is_none_or(|theirs| own_ply < theirs) => {
                if stated.is_for(ClaimKind::TimeWin, Some(by)) && stated.result == Some(wins) {
                    return uncovered(self.claim.kind);
                }
                let evidence = self.clocks(own);
                return shown(false, None, evidence).map(Some);
            }
            _ => {}
        }
        if self.claim.at.is_some() {
            return Err(Refusal::new(Step::Form, "a flag that fell decides, and not the instant"));
        }
        let contradicted = match &theirs {
            OfClock::Exceeded(steps) => {
                steps.last().is_some_and(|step| step.shown.is_some_and(|left| left >= SECOND))
            }
            _ => false,
        };
        let open = self.open_claim();
        let result = match &theirs {
            OfClock::Delays(_) => Outcome::won_by(by),
            _ => self.worth(by)?,
        };
        let differs = stated.results.first().is_some_and(|stated| stated.as_str() != result.as_str());
        if contradicted || stated.both_lost || differs || open.is_rival_of(result) {
            return uncovered(self.claim.kind);
        }
        let evidence = self.clocks(theirs);
        shown(true, Some(result), evidence).map(Some)
    }

    fn clocks(&self, shown: OfClock) -> Evidence {
        let (steps, delays) = match shown {
            OfClock::Delays(ply) => (Vec::new(), Some(ply)),
            OfClock::Exceeded(steps) | OfClock::Left(steps) => (steps, None),
            OfClock::Nothing => (Vec::new(), None),
        };
        let (line, proof) = if delays.is_some() { (Vec::new(), None) } else { (self.line(), self.proof()) };
        Evidence::Clock { steps, delays, line, proof }
    }

    /// What the record or the claimant states about the end.
    fn by_statement(&mut self, stated: &Stated, winner: Option<Owner>) -> Result<Shown, Refusal> {
        let kind = self.claim.kind;
        if let Some(by) = winner
            && kind == ClaimKind::TimeWin
            && self.walk.position.turn() == by
            && stated.manner != Some(Termination::TimeForfeit)
            && let left @ OfClock::Left(_) = self.clock_of(by.opponent(), None)
        {
            let evidence = self.clocks(left);
            return shown(false, None, evidence);
        }
        if stated.is_against(kind, winner) {
            return shown(false, None, self.ruling());
        }
        let is_for = stated.is_for(kind, winner);
        let premise = kind.decided_by().filter(|wanted| self.claim.premises.contains(wanted));
        let mut by_clock = None;
        if let Some(by) = winner {
            let loser = by.opponent();
            let waits = self.walk.position.turn() == by;
            if let Some(at) = self.claim.at {
                if kind != ClaimKind::TimeWin || waits {
                    return uncovered(kind);
                }
                match self.clock_of(loser, Some(at)) {
                    left @ OfClock::Left(_) => {
                        let evidence = self.clocks(left);
                        return shown(false, None, evidence);
                    }
                    exceeded @ OfClock::Exceeded(_) => by_clock = Some(self.clocks(exceeded)),
                    _ => return uncovered(kind),
                }
            }
            let impossible = match kind {
                ClaimKind::Default => self.has_moved(loser),
                ClaimKind::Silence => self.walk.position.turn() != loser,
                _ => false,
            };
            if impossible && by_clock.is_none() {
                return shown(false, None, self.ruling());
            }
        }
        if !is_for && premise.is_none() && by_clock.is_none() {
            return uncovered(kind);
        }
        let open = self.open_claim();
        let result = match (kind, winner) {
            (_, None) => Outcome::Draw,
            (ClaimKind::TimeWin | ClaimKind::Resignation, Some(by)) => self.worth(by)?,
            (_, Some(by)) => Outcome::won_by(by),
        };
        if by_clock.is_none() && stated.result == Some(GameResult::Draw) && result != Outcome::Draw {
            // The given part shows that the player can win, and the record denies it.
            return uncovered(kind);
        }
        if open.is_rival_of(result) {
            return uncovered(kind);
        }
        let shown = shown(true, Some(result), by_clock.unwrap_or_else(|| self.ruling()))?;
        Ok(Shown { premises: premise.filter(|_| !is_for).into_iter().collect(), ..shown })
    }

    /// What the player on move may claim in the last position, on the board or by an intended ply.
    fn open_claim(&self) -> OpenClaim {
        let perpetual =
            self.walk.position.rules().ends.claims_perpetual() && self.perpetual_checker().is_some();
        if self.walk.position.may_declare() || perpetual {
            return OpenClaim::Win;
        }
        if self.may_be_drawn() { OpenClaim::Draw } else { OpenClaim::None }
    }

    fn may_be_drawn(&self) -> bool {
        let position = &self.walk.position;
        let ends = &position.rules().ends;
        let needed = match ends.quiet_plies() {
            _ if ends.move_counters => FIFTY_MOVES,
            quiet => quiet,
        };
        let counts = |halfmoves: u16| needed > 0 && halfmoves >= needed;
        let repeats = ends.repetition.is_claimed();
        if counts(position.status().halfmoves) || repeats && self.walk.times(position) >= THREEFOLD {
            return true;
        }
        let close =
            counts(position.status().halfmoves.saturating_add(1)) || repeats && self.walk.has_repeated();
        close
            && position.plies().into_iter().filter(|ply| ply.actor == position.turn()).any(|ply| {
                let mut after = position.clone();
                after.apply(&ply);
                counts(after.status().halfmoves) || repeats && self.walk.times(&after) + 1 >= THREEFOLD
            })
    }

    /// True if the record or its clocks speak for another result in the last position, or a player may claim one.
    fn has_rival(&self, result: Outcome) -> bool {
        if self.last < self.written {
            return false;
        }
        let stated = self.stated();
        let flags = Owner::REAL.map(|loser| Some((self.clock_of(loser, None).flag()?, loser.opponent())));
        let first = flags.into_iter().flatten().min_by_key(|(ply, _)| *ply);
        stated.both_lost
            || stated.results.iter().any(|stated| stated.as_str() != result.as_str())
            || first.is_some_and(|(_, winner)| Outcome::won_by(winner) != result)
            || self.open_claim().is_rival_of(result)
    }

    /// A result that no end of the game can give: its winner cannot win.
    fn impossible_result(&mut self) -> Result<Shown, Refusal> {
        let winner = match self.stated().result {
            Some(GameResult::WhiteWins) => Owner::White,
            Some(GameResult::BlackWins) => Owner::Black,
            _ => return uncovered(self.claim.kind),
        };
        if self.last < self.written || matches!(self.given, Given::Line(_)) || self.can_win(winner)? {
            return uncovered(self.claim.kind);
        }
        shown(true, Some(Outcome::Draw), self.of_given())
    }

    /// Adds what the verdict rests on besides the moves of the record.
    fn add_premises(&mut self, shown: &mut Shown) -> Result<(), Refusal> {
        let (kind, upheld) = (self.claim.kind, shown.verdict == Decision::Upheld);
        let by_counter = matches!(kind, ClaimKind::FiftyMoves | ClaimKind::QuietMoves) && upheld;
        let by_end = self.walk.end.is_some_and(|end| end.reason == EndReason::SeventyFiveMoves);
        let at = match self.walk.end {
            Some(end) if by_end => end.ply,
            _ => self.last,
        };
        if (by_counter || by_end) && self.walk.counter(at).2 > 0 && usize::from(self.walk.counter(at).0) > at
        {
            self.walk.possible_counter()?;
            shown.premises.push(Premise::CounterOfStart);
        }
        let claims_perpetual = self.walk.position.rules().ends.claims_perpetual();
        let is_claimed = kind.may_be_intended() || kind == ClaimKind::PerpetualCheck && claims_perpetual;
        if upheld && is_claimed && self.last < self.written {
            shown.premises.push(Premise::ClaimedInTime);
        }
        let dated = self.walk.end.is_some_and(|end| end.reason.in_force_since().is_some());
        if dated && !self.record.is_dated() {
            shown.premises.push(Premise::LawsOfToday);
        }
        Ok(())
    }

    fn cannot_win(&mut self) -> Result<Shown, Refusal> {
        let can = self.can_win(self.claimant())?;
        shown(!can, None, self.of_given())
    }

    /// A result against every defence.
    fn forced(&self) -> Result<Shown, Refusal> {
        let (kind, by) = (self.claim.kind, self.claimant());
        let (walk, claim) = (&self.walk, (kind, by, self.claim.within));
        if let Given::Proof(proof) = self.given {
            files_at_hand(proof, walk.effort)?;
        }
        let upheld = match self.given {
            Given::Proof(Proof::AndOr(plan)) => {
                plan.check(&walk.position, &walk.history(), claim, walk.effort)
            }
            Given::Proof(Proof::Table(table)) => {
                table.check(&walk.position, &walk.history(), claim, walk.effort)
            }
            _ => return uncovered(kind),
        };
        let upheld = upheld.map_err(|why| Refusal::new(Step::Evidence, why))?;
        let won = upheld && kind != ClaimKind::ForcedDraw;
        shown(upheld, won.then(|| Outcome::won_by(by)), self.of_given())
    }

    fn dead_position(&mut self) -> Result<Shown, Refusal> {
        if let Given::Line(line) = self.given {
            self.play_line(line, &Owner::REAL)?;
            return shown(false, None, self.of_given());
        }
        for owner in Owner::REAL {
            self.can_win(owner)?;
        }
        shown(true, Some(Outcome::Draw), self.of_given())
    }

    fn line(&self) -> Vec<String> {
        if let Given::Line(line) = self.given { line.to_vec() } else { Vec::new() }
    }

    fn proof(&self) -> Option<Proof> {
        if let Given::Proof(proof) = self.given { Some(proof.clone()) } else { None }
    }

    /// The given evidence and the plies of the record.
    fn of_given(&self) -> Evidence {
        let line = || Evidence::Line { end: None, line: self.line(), illegal: None };
        self.proof().map_or_else(line, Evidence::Proof)
    }

    /// Whether the player can win in the position of the claim: a line shows it, the material or a proof excludes it.
    fn can_win(&mut self, by: Owner) -> Result<bool, Refusal> {
        let position = &self.walk.position;
        match self.given {
            Given::Line(line) => self.play_line(line, &[by]).map(|()| true),
            _ if position.is_beyond_winning(by).is_some() => Ok(false),
            Given::Proof(proof) => match proof.excludes(position, by, self.walk.effort.budget) {
                Ok(()) => Ok(false),
                Err(why) => Err(Refusal::new(Step::Evidence, why)),
            },
            Given::Nothing => Err(Refusal::new(Step::Evidence, "nothing shows whether the player can win")),
        }
    }

    /// Plays the line, which must end in a win of one of the players.
    fn play_line(&mut self, line: &[String], by: &[Owner]) -> Result<(), Refusal> {
        for text in line {
            self.walk.spend()?;
            let ply = self.walk.coord(text)?;
            self.walk.position.apply(&ply);
        }
        let winner = self.walk.position.shown_end().and_then(|(_, outcome)| outcome.winner());
        match winner.is_some_and(|winner| by.contains(&winner)) {
            true => Ok(()),
            false => Err(Refusal::new(Step::Evidence, "the line does not end in the win that it shows")),
        }
    }
}

/// Fails if files of endgame tables that a proof rests on are not at hand.
fn files_at_hand(proof: &Proof, effort: Effort<'_>) -> Result<(), Refusal> {
    let named = proof.files();
    let lacking = match effort.files {
        Some(files) => files.lacks(named.iter().copied()),
        None => named.first().copied(),
    };
    let Some(FileId { name, bytes, checksum }) = lacking else { return Ok(()) };
    let message = format!(
        "the premise is not checked that {} of Syzygy are right: {name} of {bytes} bytes with the checksum {checksum} \
         is not at hand",
        counted(named.len(), "file", "files")
    );
    Err(Refusal::new(Step::Files, message))
}
