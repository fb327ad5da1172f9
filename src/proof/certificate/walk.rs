//! Replays a record token by token, and keeps what endings and claims depend on.

use super::and_or::History;
use super::refusal::{Refusal, Step};
use super::table::Effort;
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::{Alphabet, Fault, Letters, coord, named_piece, read, resolve};
use ferz_core::position::Call;
use ferz_core::position::{Conduct, End, EndReason, Outcome, Ply, Position, Reason};
use ferz_core::rules::definition::{NatureSection, Repetition};
use ferz_records::clock::void_turns;
use ferz_records::record::{CommentKind, ItemKind, Record};
use std::collections::HashMap;

/// Halfmoves that end a game (FIDE 9.6.2).
const SEVENTY_FIVE_MOVES: u16 = 150;

/// Plies that are looked back over for one unit of the budget.
const PLIES_PER_UNIT: usize = 256;

/// A record on its way.
pub(super) struct Walk<'w, M> {
    pub start: Position<M>,
    pub position: Position<M>,
    /// The plies so far, in coordinate notation.
    pub plies: Vec<String>,
    /// The first end so far.
    pub end: Option<End>,
    letters: Letters,
    alphabet: Option<&'w Alphabet>,
    /// The identity of every position so far, by its number.
    identities: Vec<usize>,
    /// The numbers of identities.
    numbers: HashMap<Vec<u8>, usize>,
    /// How often each identity has occurred.
    counts: Vec<usize>,
    /// The halfmove clock of every position so far.
    halfmoves: Vec<u16>,
    /// Who made each ply, and whether it gave check to the opponent.
    checks: Vec<(Owner, bool)>,
    /// The plies so far.
    made: Vec<Ply>,
    /// The calls that had an effect, with the number of plies before each.
    calls: Vec<(usize, Call)>,
    /// The game was played before the Laws of July 2014: five occurrences and seventy-five moves do not end it.
    is_old: bool,
    pub effort: Effort<'w>,
}

/// A token of the main line.
pub(super) struct Token {
    pub text: String,
    /// It is Nature's by its number.
    natures: bool,
    /// It is a turn of Nature that took longer than it may (CHA-25).
    is_void: bool,
    /// The words directly before it that are no moves.
    words: Option<String>,
}

impl Token {
    /// A player's ply that stands by itself, as an intended one does.
    pub(super) fn alone(text: &str) -> Token {
        Token { text: text.trim().to_owned(), natures: false, is_void: false, words: None }
    }
}

/// The tokens of a record's main line.
pub(super) fn tokens(record: &Record<'_>, nature: &NatureSection) -> Vec<Token> {
    let void = void_turns(record, nature);
    let mut natures = false;
    let mut words = None;
    let mut tokens = Vec::new();
    for (index, &item) in record.main_line().items() {
        match item.kind {
            ItemKind::MoveNumber(number) => natures = number.interjection,
            ItemKind::Move => tokens.push(Token {
                text: record.text(item).into_owned(),
                natures: std::mem::take(&mut natures),
                is_void: void.contains(&index),
                words: words.take(),
            }),
            _ => {}
        }
        words = (item.kind == ItemKind::Comment(CommentKind::Bare)).then(|| record.text(item).into_owned());
    }
    tokens
}

impl<'w, M: Mask> Walk<'w, M> {
    /// A walk from a start. `is_old` is true for a game from before the Laws of July 2014.
    pub fn new(
        start: Position<M>,
        alphabet: Option<&'w Alphabet>,
        is_old: bool,
        effort: Effort<'w>,
    ) -> Walk<'w, M> {
        let mut walk = Walk {
            letters: Letters::new(start.rules()),
            position: start.clone(),
            start,
            plies: Vec::new(),
            end: None,
            alphabet,
            identities: Vec::new(),
            numbers: HashMap::new(),
            counts: Vec::new(),
            halfmoves: Vec::new(),
            checks: Vec::new(),
            made: Vec::new(),
            calls: Vec::new(),
            is_old,
            effort,
        };
        walk.arrive();
        walk
    }

    /// The legal ply that a token means here; or why there is none.
    pub fn ply(&self, token: &Token) -> Result<Ply, Box<Fault>> {
        let rules = self.position.rules();
        if self.is_closed() {
            return Err(Box::new(Fault::new(rules, Reason::GameOver, "")));
        }
        if token.is_void {
            return Err(Box::new(Fault::new(rules, Reason::NatureLate, "")));
        }
        let unreadable = |message: &str| Box::new(Fault::new(rules, Reason::Unreadable, message));
        let own = match self.alphabet {
            Some(alphabet) => {
                alphabet.to_own(&token.text).ok_or_else(|| unreadable("a letter is no piece"))?
            }
            None => token.text.clone(),
        };
        let found = read(&self.letters, self.position.turn(), token.natures, own.as_bytes())
            .map_err(|error| unreadable(&error.message))?;
        let ply = resolve(&self.position, &found)?.ply;
        match token.words.as_deref().and_then(|words| named_piece(rules, words)) {
            Some((_, kind)) if kind != ply.kind => Err(unreadable("the words before it name another piece")),
            _ => Ok(ply),
        }
    }

    /// Pays for the next ply, and for looking back over those before it, as repetitions need.
    pub fn spend(&self) -> Result<(), Refusal> {
        let units = 1 + self.made.len() / PLIES_PER_UNIT;
        let spent = self.effort.budget.spend(units as u64);
        spent.map_err(|exhausted| Refusal::new(Step::Budget, exhausted.to_string()))
    }

    /// True if no further ply is legal: the game has ended, and not in a draw by itself (COM-4).
    fn is_closed(&self) -> bool {
        self.end.is_some_and(|end| !end.reason.is_draw_by_itself()) || self.position.finish().is_some()
    }

    /// Makes a legal ply.
    pub fn make(&mut self, ply: &Ply) {
        let mut text = String::new();
        coord::write(self.position.rules(), ply, &mut text);
        self.plies.push(text);
        self.position.apply(ply);
        self.made.push(*ply);
        self.checks.push((ply.actor, self.position.in_check() && self.position.checked_by_opponent()));
        self.arrive();
    }

    /// The plies of a whole record; `None` if one of them is illegal.
    pub fn whole(mut self, record: &Record<'_>) -> Option<Vec<String>> {
        let calls = record.main_calls();
        let tokens = tokens(record, &self.position.rules().definition.nature);
        for (index, token) in tokens.iter().enumerate() {
            Call::after(&calls, index).for_each(|call| self.call(call));
            self.spend().ok()?;
            let ply = self.ply(token).ok()?;
            self.make(&ply);
        }
        Some(self.plies)
    }

    /// Does what the player on move calls for. A call without effect changes nothing.
    pub fn call(&mut self, call: Call) {
        if self.is_closed() {
            return;
        }
        if call == Call::Declare {
            let declared = self.position.declared().filter(|_| self.end.is_none());
            let end = declared.map(|declared| (EndReason::Declaration, declared.outcome));
            self.end = self.end.or(end.map(|end| End::of(&self.position, end, self.plies.len())));
        } else if self.position.call(call).is_ok() {
            self.calls.push((self.made.len(), call));
        }
    }

    /// Counts the position on the board, and finds the end in it.
    fn arrive(&mut self) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(self.position.identity()).or_insert(next);
        if number == self.counts.len() {
            self.counts.push(0);
        }
        self.counts[number] += 1;
        self.identities.push(number);
        self.halfmoves.push(self.position.status().halfmoves);
        if self.end.is_none() {
            let (ply, found) =
                (self.plies.len(), self.position.shown_end().or_else(|| self.by_history(number)));
            self.end = found.map(|found| End::of(&self.position, found, ply));
        }
    }

    /// The end by repetition, material or counter.
    fn by_history(&self, number: usize) -> Option<(EndReason, Outcome)> {
        let rules = self.position.rules();
        let (ends, count) = (&rules.ends, self.counts[number]);
        match ends.repetition {
            Repetition::Fide if count >= 5 && !self.is_old => {
                return Some((EndReason::FivefoldRepetition, Outcome::Draw));
            }
            Repetition::FourfoldPerpetual if count >= 4 => {
                return Some(match self.perpetual_checkers(number)[..] {
                    [checker] => (EndReason::PerpetualCheck, Outcome::win(rules, checker.opponent())),
                    _ => (EndReason::FourfoldRepetition, Outcome::of_repetition(rules)),
                });
            }
            // If neither player did, the repetition draws on claim alone.
            Repetition::ThreefoldPerpetual if count >= 3 && !ends.claims_perpetual() => {
                match self.perpetual_checkers(number)[..] {
                    [checker] => {
                        return Some((EndReason::PerpetualCheck, Outcome::win(rules, checker.opponent())));
                    }
                    [] => {}
                    _ => return Some((EndReason::FourfoldRepetition, Outcome::Draw)),
                }
            }
            Repetition::Threefold if count >= 3 => {
                return Some(match self.perpetual_checkers(number)[..] {
                    [checker] => (EndReason::PerpetualCheck, Outcome::win(rules, checker.opponent())),
                    _ => self.position.without_mate(EndReason::FourfoldRepetition),
                });
            }
            _ => {}
        }
        if self.position.is_quiet_enough() {
            return Some(self.position.without_mate(EndReason::SeventyFiveMoves));
        }
        if ends.dead_position.by_material() && self.position.is_dead() {
            return Some((EndReason::DeadPosition, Outcome::Draw));
        }
        let counted =
            ends.move_counters && !self.is_old && self.position.status().halfmoves >= SEVENTY_FIVE_MOVES;
        counted.then_some((EndReason::SeventyFiveMoves, Outcome::Draw))
    }

    /// True if every ply of a player since the first occurrence gave check.
    fn checked_always(&self, number: usize, owner: Owner) -> bool {
        let first = self.identities.iter().position(|&other| other == number).unwrap_or_default();
        let mut own = self.checks[first..].iter().filter(|(actor, _)| *actor == owner).peekable();
        own.peek().is_some() && own.all(|(_, check)| *check)
    }

    /// The players whose every ply since the first occurrence gave check.
    fn perpetual_checkers(&self, number: usize) -> Vec<Owner> {
        Owner::REAL.into_iter().filter(|&owner| self.checked_always(number, owner)).collect()
    }

    /// What each ply after the first `first` ones did.
    pub fn conduct(&self, first: usize) -> Vec<Conduct> {
        let mut position = self.start.clone();
        let mut done = Vec::new();
        for (index, ply) in self.made.iter().enumerate() {
            let before = (index >= first).then(|| position.clone());
            self.make_again(index, ply, &mut position);
            done.extend(before.map(|before| position.conduct(&before, ply)));
        }
        done
    }

    /// Who made the plies so far.
    pub fn movers(&self) -> impl Iterator<Item = Owner> {
        self.checks.iter().map(|(mover, _)| *mover)
    }

    /// The numbers of plies, up to `last`, after which the position was the one after ply `at`, and that position.
    pub fn occurrences(&self, at: usize, last: usize) -> (String, Vec<usize>) {
        let number = self.identities[at];
        let identity = self.numbers.iter().find(|(_, known)| **known == number);
        let identity =
            identity.map_or_else(String::new, |(text, _)| String::from_utf8_lossy(text).into_owned());
        let same = (0..=last).filter(|&plies| self.identities[plies] == number);
        (identity, same.collect())
    }

    /// Makes the ply with this index, after what was called for before it.
    fn make_again(&self, index: usize, ply: &Ply, position: &mut Position<M>) {
        for call in Call::after(&self.calls, index) {
            // It had an effect when it was made.
            let _ = position.call(call);
        }
        position.apply(ply);
    }

    /// The plies so far, as a plan from here needs them.
    pub fn history(&self) -> History {
        let mut position = self.start.clone();
        let mut history = History::of(&position);
        for (index, ply) in self.made.iter().enumerate() {
            self.make_again(index, ply, &mut position);
            history.note(&position, ply.actor);
        }
        history
    }

    /// The counter after ply `at`: its count, the plies before the first one counted, and what the start states.
    pub fn counter(&self, at: usize) -> (u16, usize, u16) {
        let since = (0..=at).rev().find(|&plies| self.halfmoves[plies] == 0).unwrap_or(0);
        (self.halfmoves[at], since, self.halfmoves[since])
    }

    /// How often a position has occurred so far.
    pub fn times(&self, position: &Position<M>) -> usize {
        self.numbers.get(&position.identity()).map_or(0, |number| self.counts[*number])
    }

    /// True if some position has occurred twice.
    pub fn has_repeated(&self) -> bool {
        self.counts.iter().any(|count| *count > 1)
    }

    /// Fails if the start states more plies without pawn move and capture than its game can have had.
    pub fn possible_counter(&self) -> Result<(), Refusal> {
        let status = self.start.status();
        let before = 2 * status.number.saturating_sub(1) + u32::from(self.start.turn() == Owner::Black);
        match self.start.rules().nature.is_none() && u32::from(status.halfmoves) > before {
            true => Err(Refusal::new(Step::Start, "the FEN counts more plies than the game can have had")),
            false => Ok(()),
        }
    }

    /// The legal ply with this text in coordinate notation.
    pub fn coord(&self, text: &str) -> Result<Ply, Refusal> {
        let refuse = |why: &str| Refusal::new(Step::Evidence, format!("the line's `{text}` {why}"));
        let found = read(&self.letters, self.position.turn(), false, text.as_bytes());
        let found = found.map_err(|_| refuse("cannot be read"))?;
        if self.position.finish().is_some() {
            return Err(refuse("follows an end"));
        }
        let ply =
            resolve(&self.position, &found).map_err(|fault| refuse(&format!("is illegal: {fault}")))?.ply;
        let mut spelt = String::new();
        coord::write(self.position.rules(), &ply, &mut spelt);
        if spelt == text { Ok(ply) } else { Err(refuse(&format!("is written `{spelt}`"))) }
    }
}
