//! One line of play, move by move: the main line, and variations inside it.

mod boards;
mod calls;
mod deployment;
mod let_stand;
mod numbers;
mod plain;
mod respell;
mod rulings;
mod slips;
mod spoken;
mod variation;

pub(super) use boards::BoardOutcome;
use boards::Boards;
pub(crate) use let_stand::is_marked_let_stand;
pub(super) use let_stand::marks_let_stand;
use slips::mark_style;

use super::codes;
use super::game::Game;
use super::interpretation::Interpretation;
use super::report::{Illegal, Located, Report, Source};
use crate::record::codes::REMARK;
use crate::record::{CommentKind, Item, ItemKind, Line, Record};
use ferz_core::board::{Mask, Owner, Square};
use ferz_core::judge::{ClaimableDraw, End, Judge};
use ferz_core::notation::{
    CheckMark, Fault, Habits, Leniency, MoveText, PlainStep, Resolved, Shape, Slips, Style, WriteChoices,
    alike, mark_of, origin_needed, read, read_smith, read_word, resolve, resolve_plain, unmarked, write,
};
use ferz_core::position::{Finish, Ply, Position, Reason, Undo};
use ferz_core::rules::definition::{DeploymentKind, KingsSquare};
use ferz_core::text::limits::PLIES_PER_LINE_MAX;
use ferz_core::text::{Budget, Code, Diagnostic, Exhausted, LineColumn, Severity};
use std::borrow::Cow;

/// The outcome of a line.
pub(super) struct LineOutcome<M> {
    pub judge: Judge<M>,
    /// The number of plies, on both boards of two.
    pub plies: usize,
    /// In a game on two boards, what became of each; the position, the claims and the judge are then of one of them.
    pub boards: Option<Box<[BoardOutcome; 2]>>,
    /// The judge of the board that the line did not begin at.
    pub other_judge: Option<Box<Judge<M>>>,
    pub final_fen: String,
    /// What the player on move may claim at the end.
    pub claims: Vec<ClaimableDraw>,
    pub style: Style,
    /// What the plies show about their writer.
    pub habits: Habits,
    /// A piece has a lower-case letter that is not a file's.
    pub small_letters: bool,
    pub illegal: Option<Box<Illegal>>,
    /// The text of the illegal ply, if it can be read.
    pub tried: Option<MoveText>,
    pub let_stand: Vec<Illegal>,
    pub diagnostics: Vec<Located>,
    /// Reports of its variations at every depth, each before those inside it; none of a line itself is missing.
    pub variations: Vec<Option<Report>>,
}

/// Called for each legal ply before it is made; conversion sees a game through it.
pub(crate) trait Observer<M> {
    /// Budget units for observing one ply, besides judging it.
    const UNITS: u64 = 0;

    /// False if it does nothing with legal plies.
    const SEES_PLIES: bool = true;

    /// Receives the ply that is the record's item `index`, the position before it, and the number of the in-between
    /// turn that it is, or of the next one.
    fn legal(&mut self, index: usize, before: &Position<M>, ply: &Ply, interjection: u32);

    /// The same for an illegal ply that was let stand ([`Position::apply_let_stand`]).
    fn let_stand(&mut self, _index: usize, _before: &Position<M>, _ply: &Ply, _interjection: u32) {}

    /// Receives the illegal ply that is the record's item `index`, let stand or not.
    fn illegal(&mut self, _index: usize, _illegal: &Illegal) {}

    /// Discards everything so far: the record is read again in another way, from its start.
    fn restart(&mut self);
}

/// No observer.
impl<M> Observer<M> for () {
    const SEES_PLIES: bool = false;

    #[inline]
    fn legal(&mut self, _: usize, _: &Position<M>, _: &Ply, _: u32) {}

    fn restart(&mut self) {}
}

/// Shared by all lines of a record.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The record marks plies that were let stand ([`marks_let_stand`]): computed once a record, as it may have
    /// thousands of variations.
    pub has_marks: bool,
    /// The items of the main line that are void turns of Nature (CHA-25).
    pub void_turns: &'a [usize],
    pub budget: &'a Budget,
}

/// Items between two checks of the budget: few enough that the most expensive take some milliseconds together, many
/// enough that the check adds no measurable cost to a plain ply.
const ITEMS_AT_ONCE: usize = 64;

/// Units of a ply that is read in every form.
const UNITS_READ: u64 = 8;

/// Units of explaining an illegal ply.
const UNITS_ILLEGAL: u64 = 256;

/// What stands between the FENs of two boards.
pub(super) const BETWEEN_BOARDS: &str = " | ";

/// Units of a finding.
const UNITS_FINDING: u64 = 1;

/// Replays one line.
pub(super) struct LineJudge<'a, 's, M: Mask, O> {
    observer: &'a mut O,
    game: &'a Game<M>,
    record: &'a Record<'a>,
    source: &'a Source<'s>,
    interpretation: &'a Interpretation,
    /// True if the fast path for reading and making plies applies: the style has the short algebraic form, the letters
    /// are the game's own, and all plies were legal.
    plain_is_allowed: bool,
    /// True if plies may also be found, tested and made at once ([`Position::step_plainly`]): no observer sees them,
    /// and none is taken back.
    steps_plainly: bool,
    /// The game has a deployment.
    deploys: bool,
    scope: Scope<'a>,
    /// True if comments are checked.
    reads_comments: bool,
    /// True after an illegal ply that was let stand: each position is recomputed.
    unsettled: bool,
    position: Position<M>,
    judge: Judge<M>,
    habits: Habits,
    small_letters: bool,
    illegal: Option<Box<Illegal>>,
    /// The last text that was read by the rules for every form.
    tried: Option<MoveText>,
    /// Illegal plies that were let stand.
    let_stand: Vec<Illegal>,
    diagnostics: Vec<Located>,
    /// Reports of the variations so far, at every depth; of one that is not done there is only the place.
    variations: Vec<Option<Report>>,
    path: Vec<usize>,
    /// The undo of the last ply, kept where variations or the deployment's end need the position before it.
    last: Option<Undo<M>>,
    /// The last ply, kept with its undo.
    last_ply: Option<Ply>,
    keeps_last: bool,
    /// The numbers are those of plies, as in records of shogi and Janggi; known from the second ply on.
    numbers_plies: bool,
    /// Wrong dots after a number have been reported.
    dots_are_reported: bool,
    /// The number of the next in-between turn.
    interjection: u32,
    /// Number of move numbers before the last restart at 1.
    numbers_before: u32,
    last_mark: CheckMark,
    /// If the last ply was Nature's: the pieces that gave check before it.
    last_natures: Option<M>,
    /// The second board, in a game on two: `position`, `judge` and others are those of the board that it is at.
    boards: Option<Box<Boards<M>>>,
}

impl<'a, 's, M: Mask, O: Observer<M>> LineJudge<'a, 's, M, O> {
    /// A judge at the start of a line, with the history that led there.
    #[inline(always)]
    pub(super) fn new(
        game: &'a Game<M>,
        record: &'a Record<'a>,
        source: &'a Source<'s>,
        interpretation: &'a Interpretation,
        scope: Scope<'a>,
        (position, judge): (Position<M>, Judge<M>),
        observer: &'a mut O,
    ) -> LineJudge<'a, 's, M, O> {
        let deploys = game.rules.deployment != DeploymentKind::None;
        // The placement of Nature's Anti-King has the number 0 (CHA-19).
        let interjection = u32::from(!position.placement_is_due());
        let remarks = || record.diagnostics.iter().any(|found| found.code == REMARK);
        let natures = game.rules.special.natures_anti_king;
        let keeps_last = natures || deploys && record.has_texts() || record.has_variations() || remarks();
        let plain_is_allowed =
            interpretation.is_plain() && interpretation.style.is_none_or(|style| style.allows(Habits::SHORT));
        let deploys = deploys || natures;
        LineJudge {
            observer,
            game,
            record,
            source,
            interpretation,
            plain_is_allowed,
            steps_plainly: plain_is_allowed
                && game.rules.steps_plainly
                && !(deploys || keeps_last || O::SEES_PLIES),
            deploys,
            scope,
            reads_comments: deploys
                || scope.has_marks
                || game.rules.ends.has_calls()
                || game.rules.captures_to_partner(),
            unsettled: false,
            judge,
            position,
            habits: Habits::default(),
            small_letters: false,
            illegal: None,
            tried: None,
            let_stand: Vec::new(),
            diagnostics: Vec::new(),
            variations: Vec::new(),
            path: Vec::new(),
            last: None,
            last_ply: None,
            keeps_last,
            numbers_plies: false,
            dots_are_reported: false,
            interjection,
            numbers_before: 0,
            last_mark: CheckMark::None,
            last_natures: None,
            boards: None,
        }
    }

    #[inline(always)]
    pub(super) fn outcome(mut self) -> LineOutcome<M> {
        if let Some(boards) = self.outcomes() {
            return self.outcome_on_two(boards);
        }
        LineOutcome {
            plies: self.judge.plies(),
            boards: None,
            other_judge: None,
            final_fen: self.position.fen(),
            claims: self.judge.claims(&self.position),
            style: self.detected_style(),
            judge: self.judge,
            habits: self.habits,
            small_letters: self.small_letters,
            illegal: self.illegal,
            tried: self.tried,
            let_stand: self.let_stand,
            diagnostics: self.diagnostics,
            variations: self.variations,
        }
    }

    fn detected_style(&self) -> Style {
        self.style_with(Habits::default())
    }

    /// The style of the record, which a text with further habits belongs to.
    fn style_with(&self, habits: Habits) -> Style {
        let known = self.interpretation.style.or(self.interpretation.spelled_in);
        known.unwrap_or_else(|| Style::detect(self.habits.and(habits), self.game.native))
    }

    /// A record whose first ply is illegal has the style of that ply.
    fn see_style(&mut self, text: &MoveText) {
        if self.judge.plies() == 0 {
            self.habits = self.habits.and(text.habits);
        }
    }

    /// Keeps the undo of each ply from now on.
    fn keep_last(&mut self) {
        (self.keeps_last, self.steps_plainly) = (true, false);
    }

    /// Takes units off the budget. Where none are left the line goes on to the next look at it, which fails, too.
    fn charge(&self, units: u64) {
        let _ = self.scope.budget.spend(units);
    }

    /// Replays a line up to its end or its first illegal ply.
    ///
    /// # Errors
    /// If the budget ends before the line.
    pub(super) fn run(&mut self, line: Line<'_, '_>) -> Result<(), Exhausted> {
        if self.boards.is_some() {
            return self.run_on_two(line);
        }
        let mut natures = false;
        let mut variation = 0;
        let mut numbers = 0;
        let (first_ply, whites) = (self.judge.plies(), self.position.turn() == Owner::White);
        let mut until_look = 0;
        for (index, item) in line.items() {
            if until_look == 0 {
                until_look = ITEMS_AT_ONCE;
                self.look_at_budget(line, index)?;
            }
            until_look -= 1;
            if item.kind == ItemKind::Move {
                if !self.ply(index, item, natures) {
                    return self.variations_of_illegal(index);
                }
                (natures, variation) = (false, 0);
                continue;
            }
            if let ItemKind::MoveNumber(number) = &item.kind {
                natures = number.interjection;
                numbers += 1;
                self.check_number(index, item, number);
                continue;
            }
            match item.kind {
                ItemKind::VariationStart { .. } => {
                    if let Some(line) = self.record.variation(index) {
                        self.variation(*item, line, variation)?;
                    }
                    variation += 1;
                }
                ItemKind::Comment(kind)
                    if self.looks_into(kind) && !self.comment(line, index, *item, kind) =>
                {
                    return self.variations_of_illegal(index + 1);
                }
                _ => {}
            }
        }
        self.judge.conclude(&self.position);
        self.check_last_mark(line);
        if self.game.rules.ends.kings_square == KingsSquare::MayBecomeKing {
            self.remark_on_dead_pawns(line);
        }
        if numbers > 0 {
            self.check_blanks(line);
            self.check_no_seats(line);
        }
        // Lists of coordinates have no numbers.
        let few = 2 * numbers < self.judge.plies().saturating_sub(first_ply);
        let style = self.detected_style();
        if few && !style.is_coordinates() && !style.numbers_plies() {
            self.check_numbers(line, whites, first_ply);
        }
        Ok(())
    }

    /// True if such a comment may say something about the plies.
    #[inline(always)]
    fn looks_into(&self, kind: CommentKind) -> bool {
        self.reads_comments || matches!(kind, CommentKind::Bare | CommentKind::Remark)
    }

    /// Looks into a comment; false if the line ends at it.
    fn comment(&mut self, line: Line<'_, '_>, index: usize, item: Item, kind: CommentKind) -> bool {
        if kind == CommentKind::Remark {
            self.check_en_passant_remark(index, item);
            return true;
        }
        self.check_deployment_end(item, kind);
        self.check_let_stand_mark(item);
        self.obey_calls(item);
        kind != CommentKind::Bare || !self.another_piece_is_named(line, index)
    }

    /// Spends what the next items of a line cost, from the item `index` on.
    #[inline(never)]
    fn look_at_budget(&self, line: Line<'_, '_>, index: usize) -> Result<(), Exhausted> {
        let items = (line.range().end - index).min(ITEMS_AT_ONCE);
        self.scope.budget.spend(items as u64)
    }

    /// Replays one ply; false if the line stops here.
    #[inline(always)]
    fn ply(&mut self, index: usize, item: &Item, natures: bool) -> bool {
        self.steps_plainly && !natures && self.step_plainly(index, item)
            || self.ply_in_full(index, item, natures)
    }

    /// [`LineJudge::ply`] by all rules.
    #[inline(never)]
    fn ply_in_full(&mut self, index: usize, item: &Item, natures: bool) -> bool {
        if self.scope.void_turns.contains(&index) && !self.judge.is_over() {
            return self.void_turn(index, *item, natures);
        }
        let mover = self.position.turn();
        // Fast path: a plain token without any deviation.
        if self.may_be_plain(mover, natures)
            && let Some(word) = self.record.word(*item)
            && let Some(step) = read_word(&self.game.letters, mover, word, item.len as usize)
            && self.position.occupied().has(step.to) == step.captures
            && let Some(from) = resolve_plain(&self.position, mover, &step)
        {
            // For pieces other than pawns, the from-square is written only where it is needed.
            if step.from != [0; 2] && !self.game.rules.is_pawn(step.kind) && self.is_needless(step, from) {
                self.needless(index, step, from);
            } else if !self.make(index, &step.ply(mover, from), step.mark, Habits::SHORT) {
                self.remark_plain(index, mover, Slips::NONE, None);
            }
            true
        } else {
            self.castle(index, *item, natures)
                || self.whole(index, *item, natures)
                || self.any(index, natures)
        }
    }

    #[cold]
    fn too_long(&mut self, index: usize) -> bool {
        let message = format!("the line has more than {PLIES_PER_LINE_MAX} plies; the rest is not judged");
        self.say(codes::J_TOO_LONG, Severity::Error, self.record.items[index], message);
        false
    }

    /// True if the text of a plain ply has needless disambiguation.
    #[inline(never)]
    fn is_needless(&self, step: PlainStep, from: Square) -> bool {
        let ply = step.ply(self.position.turn(), from);
        step.origin().exceeds(origin_needed(&self.position, &ply))
    }

    /// Makes a plain ply with needless disambiguation.
    #[cold]
    fn needless(&mut self, index: usize, step: PlainStep, from: Square) {
        let ply = step.ply(self.position.turn(), from);
        let spelling = self.spelling(&ply, Habits::SHORT);
        self.made(index, &ply, step.mark, Habits::SHORT);
        self.remark_plain(index, ply.actor, Slips::ORIGIN_NEEDLESS, spelling);
    }

    /// [`LineJudge::remark`] for a plain ply by `mover`.
    #[cold]
    fn remark_plain(&mut self, index: usize, mover: Owner, slips: Slips, spelling: Option<String>) {
        let item = self.record.items[index];
        if let Ok(text) = read(&self.game.letters, mover, false, self.record.bytes(item)) {
            self.remark(item, &MoveText { slips, ..text }, Leniency::default(), spelling);
        }
    }

    /// [`LineJudge::ply`] for every form.
    #[inline(never)]
    fn any(&mut self, index: usize, natures: bool) -> bool {
        if self.judge.plies() >= PLIES_PER_LINE_MAX {
            return self.too_long(index);
        }
        self.charge(UNITS_READ);
        let item = self.record.items[index];
        self.tried = None;
        if let Some(contested) =
            self.interpretation.contested.as_ref().filter(|contested| contested.item == index)
        {
            return self.contested(index, item, contested);
        }
        let token = self.record.text(item);
        let text = match self.read(&token, natures) {
            Ok(text) => text,
            Err(error) => {
                let reason = if error.unknown_kind { Reason::NoSuchKind } else { Reason::Unreadable };
                return self.respelled(index, item, natures, |line| {
                    line.unreadable(index, item, reason, &error.message)
                });
            }
        };
        self.tried = Some(text);
        if !self.is_of_style(&text, &token) {
            return self.wrong_style(index, item, &text);
        }
        if self.judge.is_over() {
            self.see_style(&text);
            return self.game_over(index, item);
        }
        match resolve(&self.position, &text) {
            Ok(found) if self.interpretation.small_letters => {
                self.accept_small(index, item, natures, &text, found)
            }
            Ok(found) => self.accept(index, item, &text, found),
            Err(fault) => self.respelled(index, item, natures, |line| {
                line.see_style(&text);
                if line.position.finish().is_some() {
                    line.game_over(index, item)
                } else {
                    line.illegal(index, item, Some(&text), &fault)
                }
            }),
        }
    }

    /// The ply that a token means in style `smith`, whose letters mean other things elsewhere. Used where the common
    /// reading fails and no style was chosen, and only if the ply has no deviation. In the games of the style no token
    /// is legal both ways.
    #[cold]
    fn as_smith(&self, natures: bool, token: &[u8]) -> Option<(MoveText, Ply)> {
        if natures || self.interpretation.style.is_some() || self.judge.is_over() {
            return None;
        }
        let text = read_smith(&self.game.letters, self.position.turn(), token).ok()?;
        let Resolved { ply, leniency } = resolve(&self.position, &text).ok()?;
        let meant = Style::Smith.can_express(&self.position, &ply).is_ok() && leniency == Leniency::default();
        meant.then_some((text, ply))
    }

    /// Makes a legal ply; returns false if its mark must be checked.
    #[inline(always)]
    fn make(&mut self, index: usize, ply: &Ply, mark: CheckMark, habits: Habits) -> bool {
        if O::UNITS > 0 {
            self.charge(O::UNITS);
        }
        self.observer.legal(index, &self.position, ply, self.interjection);
        let natures = (ply.actor == Owner::Nature).then(|| self.position.checkers());
        if self.keeps_last {
            self.apply_undoable(index, *ply);
        } else {
            self.position.apply(ply);
        }
        debug_assert!(self.unsettled || self.position.check_invariants() == Ok(()));
        self.habits = self.habits.and(habits);
        self.judge.after(&self.position, ply);
        if natures.is_some() {
            self.interjection += 1;
        }
        (self.last_mark, self.last_natures) = (mark, natures);
        let agrees = match mark {
            CheckMark::None => !self.position.in_check(),
            CheckMark::Check => self.position.in_check(),
            // Rare enough to test each time.
            CheckMark::Mate => false,
        };
        agrees && natures.is_none()
    }

    /// Out-of-line [`LineJudge::make`] for cold callers.
    #[inline(never)]
    fn made(&mut self, index: usize, ply: &Ply, mark: CheckMark, habits: Habits) -> bool {
        self.make(index, ply, mark, habits)
    }

    /// Changes the position so that the ply can be taken back.
    #[inline(never)]
    fn apply_undoable(&mut self, index: usize, ply: Ply) {
        let undo = self.position.apply_undoable(&ply);
        if self.unsettled {
            self.position.settle();
        }
        self.remark_on_elimination(index, &undo);
        (self.last, self.last_ply) = (Some(undo), Some(ply));
    }

    /// Reports that Nature is out of the game from the ply on that has just been made (CHA-20).
    pub(super) fn remark_on_elimination(&mut self, index: usize, undo: &Undo<M>) {
        if self.position.status().nature.eliminated && !undo.status().nature.eliminated {
            let message = "Nature is eliminated: no player's piece attacks her Anti-King, and no action of hers would \
                change that (CHA-20)";
            self.say(codes::J_NATURE_ELIMINATED, Severity::Info, self.record.items[index], message);
            self.assign_last_to(self.judge.plies() + 1);
        }
    }

    /// Reports deviations in the text of a legal ply.
    #[cold]
    fn remark(&mut self, item: Item, text: &MoveText, leniency: Leniency, spelling: Option<String>) {
        let mark = mark_of(&self.position, self.last_natures, text.mark == CheckMark::Mate);
        if mark == text.mark
            && leniency == Leniency::default()
            && !text.slips.any()
            && !text.habits.has(Habits::ODD_CASTLING)
        {
            return;
        }
        // `N@e4` also occurs in coordinate notation, which has no marks; the other plies decide.
        let algebraic = self.habits.has(Habits::SHORT) || self.habits.has(Habits::DASH);
        let bare_drop = text.shape == Shape::Drop && text.habits == Habits::default();
        let written = (text.shape != Shape::Squares || text.habits.has(Habits::JANGGI))
            && (algebraic || !bare_drop)
            && !text.habits.has_any(Habits::SMITH.and(Habits::SHOGI))
            && self.interpretation.style.or(self.interpretation.spelled_in).is_none_or(Style::has_marks);
        let spelling = spelling.or_else(|| self.with_mark(item, text, mark));
        let spelling = spelling.as_deref();
        match (text.mark, mark) {
            (CheckMark::None, CheckMark::Check) if written => {
                let message = "the ply gives check: `+` is missing";
                self.say_spelling(codes::N_CHECK_MISSING, Severity::Info, item, message, spelling);
            }
            (CheckMark::Check, CheckMark::None) => {
                let sign = mark_style(text).sign(CheckMark::Check);
                let message = format!("`{sign}` is wrong: the ply does not give check");
                self.say_spelling(codes::N_CHECK_WRONG, Severity::Warning, item, &message, spelling);
            }
            // Players mark every ply that decides the game: a stalemate that wins, the last piece given away.
            (CheckMark::Mate, _)
                if self.position.shown_end().is_some_and(|(_, end)| end.winner().is_some()) => {}
            (CheckMark::Mate, CheckMark::Check | CheckMark::None) => {
                let message = "`#` is wrong: the ply is not checkmate";
                self.say_spelling(codes::N_MATE_WRONG, Severity::Warning, item, message, spelling);
            }
            _ => {}
        }
        if text.habits.has(Habits::ODD_CASTLING) {
            let message = "unusual form of castling; write `O-O` or `O-O-O`";
            self.say_spelling(codes::N_CASTLING_FORM, Severity::Info, item, message, spelling);
        }
        self.report_leniencies(item, leniency, spelling);
        self.remark_on_slips(item, text.slips, spelling);
    }

    /// Reports leniencies applied while reading the text.
    fn report_leniencies(&mut self, item: Item, leniency: Leniency, spelling: Option<&str>) {
        let table = [
            (
                Leniency::CAPTURE_UNMARKED,
                codes::N_CAPTURE_MISSING,
                Severity::Info,
                "the ply captures: `x` is missing",
            ),
            (
                Leniency::NO_CAPTURE,
                codes::N_CAPTURE_WRONG,
                Severity::Warning,
                "`x` is wrong: the ply captures nothing",
            ),
            (
                Leniency::WRONG_CAPTURED,
                codes::N_CAPTURED_WRONG,
                Severity::Warning,
                "the text names the wrong captured piece",
            ),
            (
                Leniency::PROMOTION_ASSUMED,
                codes::N_PROMOTION_ASSUMED,
                Severity::Info,
                "read as a promotion to king, the only possible one (ING-1)",
            ),
            (
                Leniency::FILE_MISSING,
                codes::N_ORIGIN_SHORT,
                Severity::Warning,
                "a pawn capture without its file; write the file that it comes from",
            ),
            (
                Leniency::LETTER_MISSING,
                codes::N_LETTER_MISSING,
                Severity::Warning,
                "the piece's letter is missing",
            ),
            (
                Leniency::GATE_SQUARE,
                codes::N_TARGET_SHORT,
                Severity::Warning,
                "the entry square of the piece is incomplete; only one legal ply fits",
            ),
        ];
        for (applied, code, severity, message) in table {
            if leniency.has(applied) {
                self.say_spelling(code, severity, item, message, spelling);
            }
        }
    }

    /// Checks the mate mark of a line that ends in checkmate.
    fn check_last_mark(&mut self, line: Line<'_, '_>) {
        let quiet = !self.position.in_check() && self.game.rules.nature.is_none();
        if quiet || self.last_mark == CheckMark::Mate {
            return;
        }
        let mated = matches!(self.position.finish(), Some(Finish::Checkmate | Finish::NaturesMate))
            && self.last_natures.is_none_or(|before| (self.position.checkers() & !before).any());
        // Drops alone may be of a style without marks.
        let known = self.interpretation.style.or(self.interpretation.spelled_in).is_some();
        let drops_alone = !known && self.habits == Habits::default();
        if !mated || drops_alone || !self.detected_style().has_marks() {
            return;
        }
        if let Some(item) = self.last_move(line) {
            let spelling = self.with_mark(item, &MoveText::new(Shape::Step), CheckMark::Mate);
            // One mark is missing, not two: only now is it known not to be `+`.
            let ply = Some(self.judge.plies());
            self.diagnostics.retain(|found| found.code != codes::N_CHECK_MISSING || found.ply != ply);
            let message = "the ply is checkmate: `#` is missing";
            self.say_spelling(codes::N_MATE_MISSING, Severity::Info, item, message, spelling.as_deref());
        }
    }

    #[cold]
    fn say(&mut self, code: Code, severity: Severity, item: Item, message: impl Into<Cow<'static, str>>) {
        self.charge(UNITS_FINDING);
        let deviates = self.interpretation.strict && codes::is_about_spelling(code);
        let severity = if deviates { Severity::Error } else { severity };
        let diagnostic = Diagnostic::new(code, severity, self.record.span(item), message);
        let ply = self.judge.plies();
        if self.diagnostics.is_empty() {
            // Most games have one diagnostic, many the same; a vector starts with room for four.
            self.diagnostics.reserve_exact(1);
        }
        let located = self.source.place(diagnostic, (ply > 0).then_some(ply));
        self.diagnostics.push(Located { board: self.board(), ..located });
    }

    /// [`LineJudge::say`], with the correct text.
    #[cold]
    fn say_spelling(
        &mut self,
        code: Code,
        severity: Severity,
        item: Item,
        message: &str,
        spelling: Option<&str>,
    ) {
        self.say(code, severity, item, message.to_owned());
        let written = self.record.text(item);
        if let (Some(diagnostic), Some(spelling)) = (self.diagnostics.last_mut(), spelling) {
            diagnostic.spelling = (*spelling != *written).then(|| spelling.to_owned());
        }
    }

    #[cold]
    fn unreadable(&mut self, index: usize, item: Item, reason: Reason, message: &str) -> bool {
        if self.judge.is_over() || self.position.finish().is_some() {
            return self.game_over(index, item);
        }
        let candidates = alike(&self.position, &self.record.text(item), |ply| self.written(ply));
        let fault = Fault { candidates, ..Fault::new(&self.game.rules, reason, message) };
        self.illegal(index, item, None, &fault)
    }

    /// True if the style itself writes the ply as two squares: a pawn's, if another could go there (`d4e4`).
    #[cold]
    fn writes_so(&self, style: Style, text: &MoveText, token: &str) -> bool {
        let Ok(Resolved { ply, .. }) = resolve(&self.position, text) else { return false };
        let written = write(&self.position, &ply, style, WriteChoices::default());
        !style.is_coordinates() && written.is_ok_and(|written| unmarked(&written) == unmarked(token))
    }

    #[cold]
    fn wrong_style(&mut self, index: usize, item: Item, text: &MoveText) -> bool {
        let definition = &self.game.rules.definition;
        let style = self.interpretation.style.map_or("", Style::name);
        let message = match self.interpretation.style.filter(|style| !style.is_for(definition)) {
            Some(_) => format!(
                "style `{style}` is not for {}; use one of: {}",
                definition.name,
                Style::names_for(definition)
            ),
            None => format!("not a move in style `{style}`; omit --style to read any style"),
        };
        let candidates = match resolve(&self.position, text) {
            Ok(resolved) => vec![resolved.ply],
            Err(fault) => fault.candidates,
        };
        let fault = Fault { candidates, ..Fault::new(&self.game.rules, Reason::Unreadable, &message) };
        self.illegal(index, item, None, &fault)
    }

    /// COM-4: after an end other than an automatic draw nothing is legal.
    #[cold]
    fn game_over(&mut self, index: usize, item: Item) -> bool {
        self.judge.conclude(&self.position);
        let ended = |end: End| format!("the game had ended after ply {}: {}", end.ply, end.reason.id());
        let message = self.judge.closing(&self.position).map_or_else(String::new, ended);
        self.illegal(index, item, None, &Fault::new(&self.game.rules, Reason::GameOver, &message))
    }

    /// A legal ply in the record's style, or in coordinates if the style has no form for it.
    #[cold]
    fn written(&self, ply: &Ply) -> String {
        self.interpretation.written(&self.position, ply, self.detected_style())
    }

    #[cold]
    fn illegal_of(&self, item: Item, fault: &Fault) -> Illegal {
        self.charge(UNITS_ILLEGAL);
        let span = self.source.span(self.record.span(item));
        let LineColumn { line, column } = self.source.locate(span.start);
        let board = self.game.rules.board();
        Illegal {
            board: self.board(),
            ply: self.judge.plies() + 1,
            text: self.record.text(item).into_owned(),
            code: Code(fault.reason.code()),
            reason_id: fault.reason,
            reason: fault.message.clone(),
            rule: fault.rule.clone(),
            squares: fault.squares.iter().map(|&square| board.name(square)).collect(),
            candidates: fault.candidates.iter().map(|ply| self.written(ply)).collect(),
            line,
            column,
            span: [span.start, span.end],
            cannot_stand: None,
        }
    }
}
