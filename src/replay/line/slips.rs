//! What is said of texts that deviate from the form of all styles.

use super::{LineJudge, Observer};
use crate::board::Mask;
use crate::notation::{CheckMark, Habits, MoveText, Slips};
use crate::position::Verb;
use crate::record::{Item, ItemKind};
use crate::replay::codes;
use crate::text::{Code, Severity};

/// Each deviation with its code and what to say.
const SLIPS: [(Slips, Code, Severity, &str); 13] = [
    (
        Slips::ORIGIN_NEEDLESS,
        codes::N_ORIGIN_NEEDLESS,
        Severity::Info,
        "more of the from-square is written than tells the piece from others",
    ),
    (
        Slips::ORIGIN_SHORT,
        codes::N_ORIGIN_SHORT,
        Severity::Warning,
        "another piece of the kind goes there, too; only this one may do so with what the ply adds",
    ),
    (Slips::MARK, codes::N_MARK_FORM, Severity::Info, "check is marked with one `+`, mate with one `#`"),
    (Slips::CAPTURE, codes::N_CAPTURE_FORM, Severity::Info, "a capture is marked with `x` before the target"),
    (
        Slips::PROMOTION,
        codes::N_PROMOTION_FORM,
        Severity::Info,
        "a promotion is written with `=` and a capital letter",
    ),
    (
        Slips::EN_PASSANT,
        codes::N_EN_PASSANT_SAID,
        Severity::Info,
        "that a capture is en passant is not written",
    ),
    (
        Slips::NO_EN_PASSANT,
        codes::N_EN_PASSANT_WRONG,
        Severity::Warning,
        "`e.p.` is wrong: the ply is no capture en passant",
    ),
    (Slips::CASE, codes::N_CASE, Severity::Warning, "pieces have capital letters, files small ones"),
    (
        Slips::CHARACTERS,
        codes::N_CHARACTERS,
        Severity::Info,
        "a move is written with plain characters: no long dashes, no blanks without width, no comma",
    ),
    (
        Slips::TARGET,
        codes::N_TARGET_SHORT,
        Severity::Warning,
        "the target square is not written out; one legal ply fits",
    ),
    (
        Slips::SHARED_KIND,
        codes::N_SHARED_KIND,
        Severity::Info,
        "`'` marks kinds that the other army alone has; this one stands without it (AUG-5)",
    ),
    (
        Slips::OTHER_STYLE,
        codes::N_OTHER_STYLE,
        Severity::Warning,
        "the record's style writes this ply otherwise",
    ),
    (
        Slips::DROP,
        codes::N_DROP_FORM,
        Severity::Info,
        "a drop is written with its letter and the sign of the style: `N@e4`",
    ),
];

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// Says in what a text deviates from the form of the styles.
    #[cold]
    pub(super) fn remark_on_slips(&mut self, item: Item, slips: Slips, spelling: Option<&str>) {
        for (slip, code, severity, message) in SLIPS {
            let worse = slip == Slips::EN_PASSANT && slips.has(Slips::NO_EN_PASSANT);
            if slips.has(slip) && !worse {
                let style = self.reading.spelled_in.filter(|_| slip == Slips::OTHER_STYLE);
                let named =
                    style.map(|style| format!("style `{style}` of the record writes this ply otherwise"));
                self.say_spelling(code, severity, item, named.as_deref().unwrap_or(message), spelling);
            }
        }
    }

    /// Looks at a remark behind a ply, which may say that it captures en passant. `index` is the remark's.
    #[cold]
    pub(super) fn check_en_passant_said(&mut self, index: usize, remark: Item) {
        let said = self.record.text(remark);
        if !matches!(said.trim_matches(['(', ')']), "e.p." | "e.p" | "ep." | "ep") {
            return;
        }
        let Some(item) = index.checked_sub(1).map(|before| self.record.items[before]) else { return };
        let Some((undo, ply)) = self.last.as_ref().zip(self.last_ply) else { return };
        if item.kind != ItemKind::Move {
            return;
        }
        let mut before = self.position.clone();
        before.undo(undo);
        let after = std::mem::replace(&mut self.position, before);
        let spelling = self.spelling(&ply, Habits::default());
        self.position = after;
        let right = ply.verb == Verb::EnPassant;
        let slips = if right { Slips::EN_PASSANT } else { Slips::EN_PASSANT.and(Slips::NO_EN_PASSANT) };
        let both = Item { len: remark.start + remark.len - item.start, ..item };
        self.remark_on_slips(both, slips, spelling.as_deref());
    }

    /// Says that a rule has chosen between two legal plies.
    #[cold]
    pub(super) fn remark_on_other_ply(&mut self, item: Item, other: &str) {
        let message =
            format!("read as an introduction; {other} is legal, too, and names its from-square (CHA-12)");
        self.say(codes::N_OTHER_PLY, Severity::Info, item, message);
    }

    /// The text of the last ply with its right mark, where nothing else is wrong with it.
    #[cold]
    pub(super) fn with_mark(&self, item: Item, text: &MoveText, mark: CheckMark) -> Option<String> {
        if text.slips.any() {
            return None;
        }
        let token = self.record.text(item);
        let body = token.trim_end_matches(['+', '#', '\u{2020}', '\u{2021}']);
        let mark = match mark {
            CheckMark::None => "",
            CheckMark::Check => "+",
            CheckMark::Mate => "#",
        };
        Some(format!("{body}{mark}"))
    }
}
