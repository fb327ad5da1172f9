//! Tokens in an unusual form: another language's letters, another style, or a leniently read spelling.

use super::{LineJudge, Observer};
use crate::record::Item;
use crate::replay::interpretation::Contested;
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::courier;
use ferz_core::notation::{
    Fault, Habits, Leniency, Letters, MoveText, Origin, Resolved, Shape, Slips, Style, Unreadable, is_aslant,
    origin_needed, read_as, resolve, respellings, unmarked, with_capital,
};
use ferz_core::position::{Ply, Reason, Verb};
use ferz_core::text::Span;

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// Reads a token with the letters of the record's language.
    pub(super) fn read(&self, token: &str, natures: bool) -> Result<MoveText, Unreadable> {
        let (letters, turn) = (&self.game.letters, self.position.turn());
        let style = self.interpretation.style.or(self.interpretation.zero_ranks.then_some(Style::Ucci));
        let read = |token: &str| {
            let mut read = read_as(style, letters, turn, natures, token.as_bytes());
            if token.as_bytes().contains(&b'\'')
                && let Ok(text) = &mut read
                && !text.habits.has_any(Habits::SHOGI)
                && marks_shared_kind(letters, turn, token)
            {
                text.slips = text.slips.and(Slips::SHARED_KIND);
            }
            read
        };
        let Some(alphabet) = &self.interpretation.alphabet else { return read(token) };
        match alphabet.to_own(token) {
            Some(own) => read(&own),
            None => {
                let message =
                    format!("one of its letters is not a piece of this game in {}", alphabet.language.name);
                Err(Unreadable { span: Span::new(0, token.len()), message, unknown_kind: false })
            }
        }
    }

    /// True if the text is possible in a record of the only accepted style.
    pub(super) fn is_of_style(&self, text: &MoveText, token: &str) -> bool {
        let fits = |style: Style| style.allows(text.habits) || self.writes_so(style, text, token);
        self.interpretation.style.is_none_or(fits)
    }

    /// Makes the ply of a text, and reports deviations of the text.
    pub(super) fn accept(&mut self, index: usize, item: Item, text: &MoveText, found: Resolved) -> bool {
        let Resolved { ply, leniency } = found;
        // `Ke1-g1` is castling in no style, and its dash shows none.
        let castled = MoveText { habits: Habits::ODD_CASTLING, ..*text };
        let is_step = ply.verb == Verb::Castle && ply.actor.is_real() && text.shape == Shape::Step;
        // Castling of Nature's has no form of its own in the standard.
        let natures = MoveText { habits: text.habits.without(Habits::ODD_CASTLING), ..*text };
        let text = match ply.actor {
            Owner::Nature => &natures,
            _ if is_step => &castled,
            _ => text,
        };
        let habits = self.habits_of(text, &ply);
        let mut slips = text.slips.and(self.origin_slips(text, &ply));
        if slips.has(Slips::EN_PASSANT) && ply.verb != Verb::EnPassant {
            slips = slips.and(Slips::NO_EN_PASSANT);
        }
        if !slips.any() && leniency == Leniency::default() {
            slips = self.style_slips(item, text, &ply);
        }
        // Of Nature's plies, the source requires the from-square of a promotion.
        let bare = text.shape == Shape::Introduction && ply.promotion.is_some();
        let lenient = leniency != Leniency::default();
        let tells = bare || slips.any() || lenient || text.habits.has(Habits::ODD_CASTLING);
        let spelling = if tells { self.spelling(&ply, habits) } else { None };
        let written = spelling.clone().filter(|_| bare);
        let other = if leniency.has(Leniency::OTHER_PLY) { self.passed_over(text, &ply) } else { None };
        self.small_letters |= slips.has(Slips::CASE) && self.has_small_piece(item);
        let agrees = self.made(index, &ply, text.mark, habits);
        if !agrees || tells {
            self.remark(item, &MoveText { slips, ..*text }, leniency, spelling);
        }
        if bare {
            self.remark_on_bare_promotion(item, written.as_deref());
        }
        if let Some(other) = other {
            self.remark_on_other_ply(item, &other);
        }
        true
    }

    /// [`LineJudge::accept`] where a lower-case letter at the start may be a file's or a piece's.
    pub(super) fn accept_small(
        &mut self,
        index: usize,
        item: Item,
        natures: bool,
        text: &MoveText,
        found: Resolved,
    ) -> bool {
        let capital = with_capital(&self.record.text(item));
        let piece = capital.and_then(|capital| self.read(&capital, natures).ok());
        let piece = piece.and_then(|piece| resolve(&self.position, &piece).ok());
        match piece.filter(|piece| piece.ply != found.ply) {
            Some(piece) => self.undecided(index, item, vec![found.ply, piece.ply]),
            None => self.accept(index, item, text, found),
        }
    }

    /// Tries other tokens that this one may stand for; `otherwise` is why it is not a legal ply itself.
    pub(super) fn respelled(
        &mut self,
        index: usize,
        item: Item,
        natures: bool,
        otherwise: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        if let Some((text, ply)) = self.as_smith(natures, self.record.bytes(item)) {
            self.made(index, &ply, text.mark, text.habits);
            return true;
        }
        let token = self.record.text(item);
        let mut found: Vec<(MoveText, Resolved)> = Vec::new();
        if !self.judge.is_over() && self.position.finish().is_none() {
            for (spelling, slips) in
                respellings(self.game.rules.board(), &token, self.interpretation.small_letters)
            {
                let Ok(mut text) = self.read(&spelling, natures) else { continue };
                text.slips = text.slips.and(slips);
                if slips.has(Slips::TARGET) {
                    text.habits = Habits::SHORT;
                }
                let fits = self.is_of_style(&text, &spelling);
                let Some(resolved) = resolve(&self.position, &text).ok().filter(|_| fits) else { continue };
                // A capture without its square must be a capture.
                let exact = !slips.has(Slips::TARGET) || resolved.leniency == Leniency::default();
                if exact && found.iter().all(|(_, known)| known.ply != resolved.ply) {
                    found.push((text, resolved));
                }
            }
        }
        match found[..] {
            [] => otherwise(self),
            [(ref text, resolved)] => self.accept(index, item, text, resolved),
            _ => self.undecided(index, item, found.iter().map(|(_, resolved)| resolved.ply).collect()),
        }
    }

    /// The fault of a token that may stand for several legal plies.
    #[cold]
    fn undecided(&mut self, index: usize, item: Item, candidates: Vec<Ply>) -> bool {
        let spelt: Vec<String> = candidates.iter().map(|ply| format!("`{}`", self.written(ply))).collect();
        let message = format!("it may stand for {}", spelt.join(" and "));
        let squares = candidates.iter().filter_map(|ply| ply.from.some()).collect();
        let fault = Fault::new(&self.game.rules, Reason::Ambiguous, &message);
        self.illegal(index, item, None, &Fault { candidates, squares, ..fault })
    }

    /// The fault of the ply from which on two languages' readings differ.
    #[cold]
    pub(super) fn contested(&mut self, index: usize, item: Item, contested: &Contested) -> bool {
        let fault = Fault::new(&self.game.rules, Reason::Ambiguous, &contested.message);
        self.illegal(index, item, None, &Fault { candidates: contested.plies.clone(), ..fault })
    }

    /// What a text shows about its writer's style for the players' plies.
    fn habits_of(&self, text: &MoveText, ply: &Ply) -> Habits {
        let habits = text.habits;
        if ply.actor == Owner::Nature {
            // Nature's plies have a form of their own in all algebraic styles.
            return habits.without(Habits::SHORT).without(Habits::WHOLE);
        }
        let squares = text.shape == Shape::Squares && self.game.rules.is_pawn(ply.kind);
        if squares && self.habits.has(Habits::SHORT) && origin_needed(&self.position, ply) != Origin::Nothing
        {
            // `d4e4`, where two pawns could go to e4, is short algebraic notation.
            return habits.without(Habits::SQUARES);
        }
        let quiet = ply.verb == Verb::Move && self.position.piece(ply.to).is_none();
        if squares && quiet && is_aslant(self.game.rules.board(), ply) {
            // A quiet pawn step aslant is written with both squares in all algebraic styles.
            return habits.without(Habits::SQUARES);
        }
        habits
    }

    /// Whether the text has too much or too little disambiguation.
    fn origin_slips(&self, text: &MoveText, ply: &Ply) -> Slips {
        // In Thai a square may be needed where the piece's letter is a file's too.
        let long = text.habits.has_any(Habits::DASH.and(Habits::WHOLE).and(Habits::THAI));
        let pawn = self.game.rules.is_pawn(ply.kind);
        let castles = ply.verb == Verb::Castle;
        if text.shape != Shape::Step || long || pawn || castles || ply.actor == Owner::Nature {
            return Slips::NONE;
        }
        let given = Origin::said(text.from_file.is_some(), text.from_rank.is_some());
        // Without a gate the text would fit the others, too.
        if given == Origin::Nothing && !ply.gates_any() {
            return Slips::NONE;
        }
        let needed = origin_needed(&self.position, ply);
        if given.exceeds(needed) {
            Slips::ORIGIN_NEEDLESS
        } else if given != needed {
            Slips::ORIGIN_SHORT
        } else {
            Slips::NONE
        }
    }

    /// Whether a ply is in another style than the record as a whole.
    fn style_slips(&self, item: Item, text: &MoveText, ply: &Ply) -> Slips {
        let Some(style) = self.interpretation.spelled_in else { return Slips::NONE };
        if courier::is_joined(self.record.bytes(item)) {
            return Slips::NONE;
        }
        let Some(spelling) = self.spelling(ply, Habits::default()) else { return Slips::NONE };
        if unmarked(&spelling) == unmarked(&self.record.text(item)) || text.habits.has(Habits::ODD_CASTLING) {
            return Slips::NONE;
        }
        let short = style.has_letters() && !matches!(style, Style::Lan | Style::Iago);
        if short && text.habits.has(Habits::WHOLE) { Slips::ORIGIN_NEEDLESS } else { Slips::OTHER_STYLE }
    }

    /// True if the token begins with a lower-case letter that is not a file's.
    fn has_small_piece(&self, item: Item) -> bool {
        let first = self.record.bytes(item).first().copied().unwrap_or_default();
        first.is_ascii_lowercase() && first - b'a' >= self.game.rules.board().files()
    }

    /// The ply in the record's style and letters; `None` if they cannot express it.
    pub(super) fn spelling(&self, ply: &Ply, habits: Habits) -> Option<String> {
        self.interpretation.spelling(&self.position, ply, self.style_with(habits))
    }

    /// The promotion of a pawn of Nature that an introduction takes precedence over (CHA-12), in words.
    #[cold]
    fn passed_over(&self, text: &MoveText, ply: &Ply) -> Option<String> {
        let (rules, state) = (self.position.rules(), self.position.state());
        let mut other = None;
        state.any_natures_try(rules, |found| {
            let same = found.to == ply.to && found.promotion == text.promotion && found.verb != Verb::Drop;
            if same && state.nature_fault(rules, found).is_none() {
                other = Some(*found);
            }
            other.is_some()
        });
        other.map(|other| format!("`{}`", self.written(&other)))
    }
}

/// True if a letter or figure has the other army's `'` although both armies have its kind, or the game has no armies
/// (AUG-5).
#[cold]
fn marks_shared_kind(letters: &Letters, turn: Owner, token: &str) -> bool {
    let shared = |pair: &[u8]| {
        let marked = pair[0].is_ascii_alphabetic() && pair[1] == b'\'';
        marked && letters.kind(turn, pair[0], true, false).is_none()
    };
    let lettered = letters.for_figures(turn, token);
    lettered.as_deref().unwrap_or(token.as_bytes()).windows(2).any(shared)
}
