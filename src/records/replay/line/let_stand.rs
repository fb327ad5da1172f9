//! Illegal plies that were let stand: the players continued from them, and so does the replay.

use super::{LineJudge, Observer};
use crate::record::comment::{CommandKind, LET_STAND, commands};
use crate::record::{CommentKind, Item, ItemKind, Record};
use crate::replay::codes;
use crate::replay::report::Illegal;
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::{CheckMark, Fault, MoveText, resolve_let_stand};
use ferz_core::text::Severity;

/// True if a comment of the record may have the command `[%letstand]`.
pub(in crate::replay) fn marks_let_stand(record: &Record<'_>) -> bool {
    record.has_texts() && memchr::memmem::find(record.source(), LET_STAND.as_bytes()).is_some()
}

/// True if the item is a comment with the command `[%letstand]`.
fn is_mark(record: &Record<'_>, item: Item) -> bool {
    matches!(item.kind, ItemKind::Comment(kind) if kind != CommentKind::Escape)
        && commands(&record.text(item)).any(|command| command.kind == CommandKind::LetStand)
}

/// True if the command `[%letstand]` follows the ply that is the record's item `index`.
pub(crate) fn is_marked_let_stand(record: &Record<'_>, index: usize) -> bool {
    let mut next = index + 1;
    while let Some(&item) = record.items.get(next) {
        next = match item.kind {
            ItemKind::VariationStart { end } => end as usize + 1,
            // A comment after the result still belongs to the last ply.
            ItemKind::Nag { .. } | ItemKind::Result(_) => next + 1,
            ItemKind::Comment(_) if is_mark(record, item) => return true,
            ItemKind::Comment(_) => next + 1,
            _ => return false,
        };
    }
    false
}

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// True if the record or the options let the illegal ply stand that is the record's item `index`.
    fn lets_stand(&self, index: usize) -> bool {
        self.interpretation.let_stand || self.scope.has_marks && is_marked_let_stand(self.record, index)
    }

    /// Lets an illegal ply stand if requested and possible; otherwise ends the line here and returns false.
    #[cold]
    pub(super) fn illegal(
        &mut self,
        index: usize,
        item: Item,
        text: Option<&MoveText>,
        fault: &Fault,
    ) -> bool {
        if self.stops_for_unjudged(item, fault.reason) {
            return false;
        }
        let mut illegal = self.illegal_of(item, fault);
        self.observer.illegal(index, &illegal);
        if !self.lets_stand(index) {
            self.illegal = Some(Box::new(illegal));
            return false;
        }
        let over = self.judge.is_over() || self.position.finish().is_some();
        let found = match text {
            _ if over => Err("the game had ended".to_owned()),
            Some(text) => resolve_let_stand(&self.position, text),
            None => Err("the text does not determine what was done".to_owned()),
        };
        match found {
            Ok(ply) => {
                let before = (ply.actor == Owner::Nature).then(|| self.position.checkers());
                self.observer.let_stand(index, &self.position, &ply, self.interjection);
                let undo = self.position.apply_let_stand(&ply);
                self.remark_on_elimination(index, &undo);
                (self.last, self.last_ply) = (Some(undo), Some(ply));
                self.begin_unsettled();
                self.habits = self.habits.and(text.map_or(self.habits, |text| text.habits));
                self.judge.after_let_stand(&self.position, &ply);
                self.interjection += u32::from(before.is_some());
                // The check mark of such a ply is not tested.
                (self.last_mark, self.last_natures) = (CheckMark::Mate, before);
                self.let_stand.push(illegal);
                true
            }
            Err(why) => {
                illegal.cannot_stand = Some(why);
                self.illegal = Some(Box::new(illegal));
                false
            }
        }
    }

    /// The start is not a position of a legal game.
    pub(in crate::replay) fn begin_unsettled(&mut self) {
        (self.unsettled, self.plain_is_allowed) = (true, false);
        self.keep_last();
    }

    /// Checks that a comment with `[%letstand]` follows an illegal ply.
    pub(super) fn check_let_stand_mark(&mut self, item: Item) {
        let stood = self.let_stand.last().map(|illegal: &Illegal| illegal.ply);
        if self.scope.has_marks && is_mark(self.record, item) && stood != Some(self.judge.plies()) {
            let message = "no illegal ply before `[%letstand]`; remove it";
            self.say(codes::J_LET_STAND_LEGAL, Severity::Warning, item, message);
        }
    }
}
