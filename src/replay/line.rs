//! One line of play, move by move: the main line, and variations inside it.

use super::codes;
use super::game::Game;
use super::report::{Agreement, Illegal, Located, Report, Source, variation_in_words};
use crate::board::{Mask, Owner};
use crate::judge::{End, Judge};
use crate::notation::{
    CheckMark, Fault, Habits, MoveText, Remarks, Resolved, Shape, Style, WriteChoices, alike, mark_of,
    read_as, read_plain, read_smith, resolve, resolve_plain, write,
};
use crate::position::{Finish, Ply, Position, Reason, Undo};
use crate::record::{Item, ItemKind, Line, MoveNumber, Record};
use crate::text::limits::PLIES_PER_LINE_MAX;
use crate::text::{Code, Diagnostic, LineColumn, Severity};
use std::sync::Arc;

/// What became of a line.
pub(super) struct LineOutcome<M> {
    pub position: Position<M>,
    pub judge: Judge,
    pub style: Style,
    pub illegal: Option<Illegal>,
    pub diagnostics: Vec<Located>,
    pub variations: Vec<Report>,
}

/// Is told of each legal ply before it is made; how conversion sees a game.
pub(super) trait Observer<M> {
    /// The ply that is the record's item `index`, the position before it, and how many in-between turns there were.
    fn legal(&mut self, index: usize, before: &Position<M>, ply: &Ply, interjections: u32);
}

/// Nobody looks.
impl<M> Observer<M> for () {
    #[inline]
    fn legal(&mut self, _: usize, _: &Position<M>, _: &Ply, _: u32) {}
}

/// Walks one line.
pub(super) struct LineJudge<'a, 's, M: Mask, O> {
    observer: &'a mut O,
    game: &'a Game<M>,
    record: &'a Record<'a>,
    source: &'a Source<'s>,
    style: Option<Style>,
    /// True if the style has the short algebraic form.
    short_is_allowed: bool,
    position: Position<M>,
    judge: Judge,
    habits: Habits,
    illegal: Option<Illegal>,
    diagnostics: Vec<Located>,
    variations: Vec<Report>,
    path: Vec<usize>,
    /// What takes back the last ply, kept where variations need the position before it.
    last: Option<Undo<M>>,
    keeps_last: bool,
    /// Number of in-between turns so far.
    interjections: u32,
    last_mark: CheckMark,
    /// If the last ply was Nature's: the pieces that gave check before it.
    last_natures: Option<M>,
}

impl<'a, 's, M: Mask, O: Observer<M>> LineJudge<'a, 's, M, O> {
    pub(super) fn new(
        game: &'a Game<M>,
        record: &'a Record<'a>,
        source: &'a Source<'s>,
        style: Option<Style>,
        start: Position<M>,
        observer: &'a mut O,
    ) -> LineJudge<'a, 's, M, O> {
        let keeps_last = record.items.iter().any(|item| matches!(item.kind, ItemKind::VariationStart { .. }));
        LineJudge {
            observer,
            game,
            record,
            source,
            style,
            short_is_allowed: style.is_none_or(|style| style.allows(Habits::SHORT)),
            judge: Judge::new(&start),
            position: start,
            habits: Habits::default(),
            illegal: None,
            diagnostics: Vec::new(),
            variations: Vec::new(),
            path: Vec::new(),
            last: None,
            keeps_last,
            interjections: 0,
            last_mark: CheckMark::None,
            last_natures: None,
        }
    }

    pub(super) fn outcome(self) -> LineOutcome<M> {
        let style = self.detected_style();
        let LineJudge { position, judge, illegal, diagnostics, variations, .. } = self;
        LineOutcome { position, judge, style, illegal, diagnostics, variations }
    }

    fn detected_style(&self) -> Style {
        self.style.unwrap_or_else(|| Style::detect(self.habits, self.game.native))
    }

    /// A record whose first ply is illegal is of the style that this ply shows.
    fn see_style(&mut self, text: &MoveText) {
        if self.judge.plies() == 0 {
            self.habits = self.habits.and(text.habits);
        }
    }

    /// Replays a line up to its end or its first illegal ply.
    pub(super) fn run(&mut self, line: Line<'_, '_>) {
        let mut natures = false;
        let mut variation = 0;
        for (index, item) in line.items() {
            if item.kind == ItemKind::Move {
                if !self.ply(index, item, natures) {
                    return;
                }
                (natures, variation) = (false, 0);
                continue;
            }
            match item.kind {
                ItemKind::MoveNumber(number) => {
                    natures = number.interjection;
                    self.check_number(item, number);
                }
                ItemKind::VariationStart { .. } => {
                    if let Some(line) = self.record.variation(index) {
                        self.variation(item, line, variation);
                    }
                    variation += 1;
                }
                _ => {}
            }
        }
        self.judge.conclude(&self.position);
        self.check_last_mark(line);
    }

    /// Replays one ply; false if the line stops here.
    #[inline]
    fn ply(&mut self, index: usize, item: Item, natures: bool) -> bool {
        if self.judge.plies() >= PLIES_PER_LINE_MAX {
            let message =
                format!("the line has more than {PLIES_PER_LINE_MAX} plies; the rest was not looked at");
            self.say(codes::J_TOO_LONG, Severity::Error, item, message);
            return false;
        }
        let Some((ply, mark)) = self.plain(item, natures) else { return self.any(index, item, natures) };
        if !self.make(index, &ply, mark, Habits::SHORT) {
            self.remark_plain(item, ply.actor);
        }
        true
    }

    /// The ply, if it is written as most are, plain and without any flaw.
    #[inline(always)]
    fn plain(&self, item: Item, natures: bool) -> Option<(Ply, CheckMark)> {
        let unusual = natures || self.judge.is_over() || !self.short_is_allowed;
        let token = self.record.bytes(item);
        let step = read_plain(&self.game.letters, self.position.turn(), token).filter(|_| !unusual)?;
        let ply = resolve_plain(&self.position, &step)?;
        (self.position.state().piece(ply.to).is_some() == step.captures).then_some((ply, step.mark))
    }

    /// [`LineJudge::remark`] for a plain ply by `mover`.
    #[cold]
    fn remark_plain(&mut self, item: Item, mover: Owner) {
        if let Some(step) = read_plain(&self.game.letters, mover, self.record.bytes(item)) {
            self.remark(item, &step.into(), Remarks::default());
        }
    }

    /// [`LineJudge::ply`] for every form.
    #[inline(never)]
    fn any(&mut self, index: usize, item: Item, natures: bool) -> bool {
        let token = self.record.bytes(item);
        let text = match read_as(self.style, &self.game.letters, self.position.turn(), natures, token) {
            Ok(text) => text,
            Err(error) => {
                if let Some((text, ply)) = self.as_smith(natures, token) {
                    self.make(index, &ply, text.mark, text.habits);
                    return true;
                }
                let reason = if error.unknown_kind { Reason::NoSuchKind } else { Reason::Unreadable };
                self.unreadable(item, reason, &error.message);
                return false;
            }
        };
        if let Some(style) = self.style
            && !style.allows(text.habits)
            && !self.writes_so(style, &text, token)
        {
            self.wrong_style(item, &text);
            return false;
        }
        if self.judge.is_over() {
            self.see_style(&text);
            self.game_over(item);
            return false;
        }
        match resolve(&self.position, &text) {
            Ok(Resolved { ply, remarks }) => {
                let agrees = self.make(index, &ply, text.mark, text.habits);
                if !agrees || remarks != Remarks::default() || text.habits.has(Habits::ODD_CASTLING) {
                    self.remark(item, &text, remarks);
                }
                true
            }
            Err(fault) => {
                if let Some((text, ply)) = self.as_smith(natures, token) {
                    self.make(index, &ply, text.mark, text.habits);
                    return true;
                }
                self.see_style(&text);
                if self.position.finish().is_some() {
                    self.game_over(item);
                } else {
                    self.fault(item, &fault);
                }
                false
            }
        }
    }

    /// The ply that a token means in style `smith`, whose letters mean other things elsewhere: asked where the common
    /// reading fails and no style was chosen. It is taken only where nothing is wrong with it. In the games that the
    /// style is for, no token is legal both ways.
    #[cold]
    fn as_smith(&self, natures: bool, token: &[u8]) -> Option<(MoveText, Ply)> {
        if natures || self.style.is_some() || self.judge.is_over() {
            return None;
        }
        let text = read_smith(&self.game.letters, self.position.turn(), token).ok()?;
        let Resolved { ply, remarks } = resolve(&self.position, &text).ok()?;
        let meant = Style::Smith.can_express(&self.position, &ply).is_ok() && remarks == Remarks::default();
        meant.then_some((text, ply))
    }

    /// Makes a legal ply; false if its mark is to be looked at.
    #[inline(always)]
    fn make(&mut self, index: usize, ply: &Ply, mark: CheckMark, habits: Habits) -> bool {
        self.observer.legal(index, &self.position, ply, self.interjections);
        let natures = (ply.actor == Owner::Nature).then(|| self.position.checkers());
        if self.keeps_last {
            self.last = Some(self.position.apply_undoable(ply));
        } else {
            self.position.apply(ply);
        }
        debug_assert_eq!(self.position.check_invariants(), Ok(()));
        self.habits = self.habits.and(habits);
        self.judge.after(&self.position, ply);
        if natures.is_some() {
            self.interjections += 1;
        }
        (self.last_mark, self.last_natures) = (mark, natures);
        let agrees = match mark {
            CheckMark::None => !self.position.in_check(),
            CheckMark::Check => self.position.in_check(),
            // Rare enough to be looked at each time.
            CheckMark::Mate => false,
        };
        agrees && natures.is_none()
    }

    /// Says what deviates in the text of a legal ply.
    #[cold]
    fn remark(&mut self, item: Item, text: &MoveText, remarks: Remarks) {
        let mark = mark_of(&self.position, self.last_natures, text.mark == CheckMark::Mate);
        // `N@e4` is of coordinate notation, which has no marks, too; the other plies tell.
        let algebraic = self.habits.has(Habits::SHORT) || self.habits.has(Habits::DASH);
        let bare_drop = text.shape == Shape::Drop && text.habits == Habits::default();
        let written = text.shape != Shape::Squares
            && (algebraic || !bare_drop)
            && !text.habits.has(Habits::SMITH)
            && self.style.is_none_or(Style::has_marks);
        match (text.mark, mark) {
            (CheckMark::None, CheckMark::Check) if written => {
                self.say(
                    codes::N_CHECK_MISSING,
                    Severity::Info,
                    item,
                    "the ply gives check: `+` is missing".into(),
                );
            }
            (CheckMark::Check, CheckMark::None) => {
                self.say(
                    codes::N_CHECK_WRONG,
                    Severity::Warning,
                    item,
                    "`+` is wrong: the ply gives no check".into(),
                );
            }
            (CheckMark::Mate, CheckMark::Check | CheckMark::None) => {
                self.say(
                    codes::N_MATE_WRONG,
                    Severity::Warning,
                    item,
                    "`#` is wrong: the ply does not mate".into(),
                );
            }
            _ => {}
        }
        if text.habits.has(Habits::ODD_CASTLING) {
            let message = "castling is written with the letter O and dashes: `O-O`, `O-O-O`";
            self.say(codes::N_CASTLING_FORM, Severity::Info, item, message.into());
        }
        self.remark_on_good_will(item, remarks);
    }

    /// Says what was overlooked in the text.
    fn remark_on_good_will(&mut self, item: Item, remarks: Remarks) {
        let table = [
            (
                Remarks::CAPTURE_UNMARKED,
                codes::N_CAPTURE_MISSING,
                Severity::Info,
                "the ply captures: `x` is missing",
            ),
            (
                Remarks::NO_CAPTURE,
                codes::N_CAPTURE_WRONG,
                Severity::Warning,
                "`x` is wrong: the ply captures nothing",
            ),
            (
                Remarks::WRONG_CAPTURED,
                codes::N_CAPTURED_WRONG,
                Severity::Warning,
                "another piece is captured than the text names",
            ),
            (
                Remarks::PROMOTION_ASSUMED,
                codes::N_PROMOTION_ASSUMED,
                Severity::Info,
                "read as a promotion to king, the only one there is here (ING-1)",
            ),
            (
                Remarks::LETTER_MISSING,
                codes::N_LETTER_MISSING,
                Severity::Warning,
                "the piece's letter is missing",
            ),
        ];
        for (remark, code, severity, message) in table {
            if remarks.has(remark) {
                self.say(code, severity, item, message.into());
            }
        }
    }

    /// A line that ends in mate should say so.
    fn check_last_mark(&mut self, line: Line<'_, '_>) {
        let quiet = !self.position.in_check() && self.game.rules.nature.is_none();
        if quiet || self.last_mark == CheckMark::Mate {
            return;
        }
        let mated = matches!(self.position.finish(), Some(Finish::Checkmate | Finish::NaturesMate))
            && self.last_natures.is_none_or(|before| (self.position.checkers() & !before).any());
        let Some((_, item)) = line.items().filter(|(_, item)| item.kind == ItemKind::Move).last() else {
            return;
        };
        let written = self.detected_style().has_marks();
        if mated && written {
            self.say(codes::N_MATE_MISSING, Severity::Info, item, "the ply mates: `#` is missing".into());
        }
    }

    #[inline]
    fn check_number(&mut self, item: Item, number: MoveNumber) {
        let expected =
            if number.interjection { self.interjections + 1 } else { self.position.state().status().number };
        if number.value != expected {
            let message = format!("the number is {}, not {expected}", number.value);
            self.say(codes::N_NUMBER_WRONG, Severity::Info, item, message);
        }
    }

    #[cold]
    fn say(&mut self, code: Code, severity: Severity, item: Item, message: String) {
        let diagnostic = Diagnostic::new(code, severity, self.record.span(item), message);
        let ply = self.judge.plies();
        self.diagnostics.push(self.source.place(diagnostic, (ply > 0).then_some(ply)));
    }

    #[cold]
    fn unreadable(&mut self, item: Item, reason: Reason, message: &str) {
        if self.judge.is_over() || self.position.finish().is_some() {
            return self.game_over(item);
        }
        let candidates = alike(&self.position, &self.record.text(item), |ply| self.written(ply));
        self.fault(item, &Fault { candidates, ..Fault::new(&self.game.rules, reason, message) });
    }

    /// True if the style itself writes the ply as two squares: a pawn's, where another could go there (`d4e4`).
    #[cold]
    fn writes_so(&self, style: Style, text: &MoveText, token: &[u8]) -> bool {
        let Ok(Resolved { ply, .. }) = resolve(&self.position, text) else { return false };
        let bare = |text: &[u8]| text.split(|byte| matches!(byte, b'+' | b'#')).next().map(<[u8]>::to_vec);
        let written = write(&self.position, &ply, style, WriteChoices::default());
        !style.is_coordinates() && written.is_ok_and(|written| bare(written.as_bytes()) == bare(token))
    }

    #[cold]
    fn wrong_style(&mut self, item: Item, text: &MoveText) {
        let style = self.style.map_or("", Style::name);
        let message = format!("this is no move in style `{style}`; leave --style out to read any style");
        let candidates = match resolve(&self.position, text) {
            Ok(resolved) => vec![resolved.ply],
            Err(fault) => fault.candidates,
        };
        self.fault(item, &Fault { candidates, ..Fault::new(&self.game.rules, Reason::Unreadable, &message) });
    }

    /// COM-4: after an end that is no draw by itself nothing is legal.
    #[cold]
    fn game_over(&mut self, item: Item) {
        self.judge.conclude(&self.position);
        let ended = |end: End| format!("the game had ended after ply {}: {}", end.ply, end.reason.id());
        let message = self.judge.end().map_or_else(String::new, ended);
        self.fault(item, &Fault::new(&self.game.rules, Reason::GameOver, &message));
    }

    /// A legal ply in the record's style; in coordinates where that has no form for it.
    #[cold]
    fn written(&self, ply: &Ply) -> String {
        let written = |style| write(&self.position, ply, style, WriteChoices::default());
        written(self.detected_style()).or_else(|_| written(Style::Coord)).unwrap_or_default()
    }

    #[cold]
    fn fault(&mut self, item: Item, fault: &Fault) {
        let span = self.record.span(item);
        let LineColumn { line, column } = self.source.locate(span.start);
        let board = self.game.rules.board();
        self.illegal = Some(Illegal {
            ply: self.judge.plies() + 1,
            text: self.record.text(item).into_owned(),
            code: fault.reason.code(),
            reason_id: fault.reason,
            reason: fault.message.clone(),
            rule: fault.rule.clone(),
            squares: fault.squares.iter().map(|&square| board.name(square)).collect(),
            candidates: fault.candidates.iter().map(|ply| self.written(ply)).collect(),
            line,
            column,
            span: [span.start, span.end],
        });
    }

    /// Replays a variation, which replaces the last ply.
    fn variation(&mut self, start: Item, line: Line<'_, '_>, number: usize) {
        let Some(undo) = &self.last else {
            let message = "a variation before the first ply replaces none; it was not looked at";
            return self.say(codes::J_VARIATION_OF_NOTHING, Severity::Warning, start, message.into());
        };
        let mut before = self.position.clone();
        before.undo(undo);
        let mut path = self.path.clone();
        path.extend([self.judge.plies(), number]);
        let mut inner =
            LineJudge::new(self.game, self.record, self.source, self.style, before, &mut *self.observer);
        inner.judge = self.judge.before_last();
        inner.path.clone_from(&path);
        inner.habits = self.habits;
        inner.interjections = self.interjections;
        inner.run(line);
        let LineOutcome { position, judge, style, illegal, diagnostics, variations } = inner.outcome();
        if let Some(illegal) = &illegal {
            let Illegal { ply, text, reason, .. } = illegal;
            let what = variation_in_words(&path);
            self.diagnostics.push(Located {
                code: codes::J_VARIATION_ILLEGAL,
                severity: Severity::Warning,
                line: illegal.line,
                column: illegal.column,
                span: illegal.span,
                ply: Some(illegal.ply),
                message: format!("{what} is illegal at ply {ply}, `{text}`: {reason}"),
                notes: illegal.notes(),
            });
        }
        let end = judge.end();
        self.variations.push(Report {
            game: 0,
            path,
            variant: self.game.id.name.clone(),
            rules: Some(Arc::clone(&self.game.id)),
            style,
            plies: judge.plies(),
            legal: illegal.is_none(),
            illegal,
            end,
            end_rule: end.map(|end| self.game.rules.cite(end.reason.id(), end.reason.article()).to_owned()),
            result_tag: None,
            agreement: Agreement::Unverifiable,
            final_fen: position.fen(),
            claims: judge.claims(&position),
            variations,
            diagnostics,
        });
    }
}
