//! Diagnostics about texts that deviate from the form of all styles.

use super::{LineJudge, Observer};
use crate::record::{Item, ItemKind};
use crate::replay::codes;
use ferz_core::board::Mask;
use ferz_core::notation::{CheckMark, Habits, MoveText, Slips, Style, unmarked};
use ferz_core::position::Verb;
use ferz_core::text::{Code, Severity};

/// Each deviation with its code and message.
const SLIPS: [(Slips, Code, Severity, &str); 13] = [
    (
        Slips::ORIGIN_NEEDLESS,
        codes::N_ORIGIN_NEEDLESS,
        Severity::Info,
        "needless disambiguation; the piece is unique with less",
    ),
    (
        Slips::ORIGIN_SHORT,
        codes::N_ORIGIN_SHORT,
        Severity::Warning,
        "missing disambiguation: another piece of this kind goes there too, but does not fit the rest of the text",
    ),
    (
        Slips::MARK,
        codes::N_MARK_FORM,
        Severity::Info,
        "unusual check mark; write one `+` for check, one `#` for mate",
    ),
    (
        Slips::CAPTURE,
        codes::N_CAPTURE_FORM,
        Severity::Info,
        "unusual capture sign; write `x` before the target",
    ),
    (
        Slips::PROMOTION,
        codes::N_PROMOTION_FORM,
        Severity::Info,
        "unusual form of promotion; write `=` and a capital letter",
    ),
    (Slips::EN_PASSANT, codes::N_EN_PASSANT_MARKED, Severity::Info, "needless `e.p.`; omit it"),
    (
        Slips::NO_EN_PASSANT,
        codes::N_EN_PASSANT_WRONG,
        Severity::Warning,
        "`e.p.` is wrong: not an en passant capture; omit it",
    ),
    (
        Slips::CASE,
        codes::N_CASE,
        Severity::Warning,
        "wrong case; write piece letters in upper case, files in lower case",
    ),
    (
        Slips::CHARACTERS,
        codes::N_CHARACTERS,
        Severity::Info,
        "special characters; write no long dashes, zero-width spaces or commas",
    ),
    (
        Slips::TARGET,
        codes::N_TARGET_SHORT,
        Severity::Warning,
        "incomplete target square; only one legal ply fits",
    ),
    (
        Slips::SHARED_KIND,
        codes::N_SHARED_KIND,
        Severity::Info,
        "`'` on a kind that not only the other army has; omit it (AUG-5)",
    ),
    (Slips::OTHER_STYLE, codes::N_OTHER_STYLE, Severity::Warning, "not in the record's style"),
    (
        Slips::DROP,
        codes::N_DROP_FORM,
        Severity::Info,
        "unusual form of drop; write the letter and the sign of the style: `N@e4`",
    ),
];

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// Reports deviations of a text from the form of the styles.
    #[cold]
    pub(super) fn remark_on_slips(&mut self, item: Item, slips: Slips, spelling: Option<&str>) {
        for (slip, code, severity, message) in SLIPS {
            let worse = slip == Slips::EN_PASSANT && slips.has(Slips::NO_EN_PASSANT);
            if slips.has(slip) && !worse {
                let style = self.interpretation.spelled_in.filter(|_| slip == Slips::OTHER_STYLE);
                let named = style.map(|style| format!("not in style `{style}` of the record"));
                self.say_spelling(code, severity, item, named.as_deref().unwrap_or(message), spelling);
            }
        }
    }

    /// Checks a remark after a ply, which may claim an en passant capture. `index` is the remark's.
    #[cold]
    pub(super) fn check_en_passant_remark(&mut self, index: usize, remark: Item) {
        let remark_text = self.record.text(remark);
        if !matches!(remark_text.trim_matches(['(', ')']), "e.p." | "e.p" | "ep." | "ep") {
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

    /// Reports a promotion of Nature's pawn without the square that it comes from.
    #[cold]
    pub(super) fn remark_on_bare_promotion(&mut self, item: Item, spelling: Option<&str>) {
        let message = "read as a promotion; the square that the pawn comes from is missing (CHA-12)";
        self.say_spelling(codes::N_ORIGIN_SHORT, Severity::Warning, item, message, spelling);
    }

    /// Reports that a rule has chosen between two legal plies.
    #[cold]
    pub(super) fn remark_on_other_ply(&mut self, item: Item, other: &str) {
        let message = format!(
            "read as an introduction; {other} is legal too; write its from-square if it is meant (CHA-12)"
        );
        self.say(codes::N_OTHER_PLY, Severity::Info, item, message);
    }

    /// The text of the last ply with its correct mark, if nothing else is wrong with it.
    #[cold]
    pub(super) fn with_mark(&self, item: Item, text: &MoveText, mark: CheckMark) -> Option<String> {
        if text.slips.any() {
            return None;
        }
        let token = self.record.text(item);
        Some(format!("{}{}", unmarked(&token), mark_style(text).sign(mark)))
    }
}

/// The style whose signs of check and mate a text has.
pub(super) fn mark_style(text: &MoveText) -> Style {
    if text.habits.has(Habits::GIB) { Style::Gib } else { Style::San }
}
