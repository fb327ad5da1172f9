//! Checks move numbers: whether they are correct, present, and followed by a space.

use super::{LineJudge, Observer};
use crate::record::{Item, ItemKind, Line, MoveNumber};
use crate::replay::codes;
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::marks::KOREAN_PASS;
use ferz_core::text::Severity;

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    #[inline]
    pub(super) fn check_number(&mut self, index: usize, item: &Item, number: &MoveNumber) {
        let expected = if number.interjection { self.interjection } else { self.next_number() };
        if number.value != expected && self.is_of_ply(number.value) {
            return;
        }
        if number.value != expected || number.dots == 0 {
            self.remark_on_number(index, *item, *number, expected);
        }
        let whites_dots = number.dots == 1;
        if !self.numbers_plies && whites_dots != (self.position.turn() == Owner::White) {
            self.check_dots(*item, *number);
        }
    }

    pub(super) fn next_number(&self) -> u32 {
        self.position.status().number.wrapping_sub(self.numbers_before)
    }

    /// True for the number of the next ply in a record that numbers each ply. The second one shows that it does.
    #[cold]
    fn is_of_ply(&mut self, number: u32) -> bool {
        let next = self.judge.plies() + 1;
        let (record, pass) = (self.record, KOREAN_PASS.as_bytes());
        let begins_with_pass =
            || record.main_moves().next().is_some_and(|(_, item)| record.bytes(item) == pass);
        self.numbers_plies |= next == 2 && (self.detected_style().numbers_plies() || begins_with_pass());
        self.numbers_plies && usize::try_from(number) == Ok(next)
    }

    /// Reports a number with the other player's dots: one dot is White's, three are Black's, none is neither's.
    /// Programs write all numbers alike, so only the first of a game is reported.
    #[cold]
    fn check_dots(&mut self, item: Item, number: MoveNumber) {
        let whites = self.position.turn() == Owner::White;
        if !number.has_dots_of_other(whites) || self.dots_are_reported || !self.path.is_empty() {
            return;
        }
        self.dots_are_reported = true;
        let (player, other, dots) = if whites { ("White", "Black", ".") } else { ("Black", "White", "...") };
        let spelling = format!("{}{dots}", self.next_number());
        let message = format!("{other}'s number before {player}'s move; write `{spelling}`");
        self.say_spelling(codes::N_NUMBER_DOTS, Severity::Info, item, &message, Some(&spelling));
        self.assign_last_to(self.judge.plies() + 1);
    }

    /// Assigns the last diagnostic to a ply, the one after the number.
    pub(super) fn assign_last_to(&mut self, ply: usize) {
        if let Some(diagnostic) = self.diagnostics.last_mut() {
            diagnostic.ply = Some(ply);
        }
    }

    #[cold]
    fn remark_on_number(&mut self, index: usize, item: Item, number: MoveNumber, expected: u32) {
        let next = self.record.items.get(index + 1).map(|next| next.kind);
        let ends = matches!(next, None | Some(ItemKind::Result(_) | ItemKind::VariationEnd { .. }));
        if number.dots == 0 && ends {
            let message = "digits in place of a ply: the move played here is unknown; restore it";
            return self.say(codes::J_NUMBER_ALONE, Severity::Warning, item, message);
        }
        let number = number.value;
        if number == expected {
            return;
        }
        let begins_again = number == 1 && self.judge.plies() > 0 && self.position.turn() == Owner::White;
        if begins_again && self.path.is_empty() {
            let message = format!(
                "the numbers restart at 1 instead of {expected}: a result may be missing, and \
                 another game may begin here"
            );
            self.numbers_before += expected - 1;
            self.say(codes::J_NUMBERS_RESTART, Severity::Warning, item, message);
            return self.assign_last_to(self.judge.plies() + 1);
        }
        let message = format!("wrong move number {number}; write {expected}");
        let spelling = self.record.text(item).replacen(&number.to_string(), &expected.to_string(), 1);
        self.say_spelling(codes::N_NUMBER_WRONG, Severity::Info, item, &message, Some(&spelling));
        self.assign_last_to(self.judge.plies() + 1);
    }

    /// Reports a number attached to its ply: `1.e4`. Programs write all numbers alike, so only the first of a record is
    /// checked; in strict mode every one is.
    pub(super) fn check_blanks(&mut self, line: Line<'_, '_>) {
        if !self.path.is_empty() {
            return;
        }
        let mut number: Option<Item> = None;
        let mut ply = 0;
        for (_, &item) in line.items() {
            match (item.kind, number.take()) {
                (ItemKind::MoveNumber(found), _) if !found.interjection => number = Some(item),
                (ItemKind::Move, before) => {
                    ply += 1;
                    let Some(before) = before else { continue };
                    if before.start + before.len == item.start {
                        return self.remark_on_blank(before, ply);
                    }
                    if !self.interpretation.strict {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    #[cold]
    fn remark_on_blank(&mut self, number: Item, ply: usize) {
        let message = "no space after the move number; write `1. e4`";
        self.say(codes::N_NUMBER_JOINED, Severity::Info, number, message);
        self.assign_last_to(ply);
    }

    /// Reports the first of White's plies without a number. `whites` is true if White begins; `before` is the number of
    /// plies before the line.
    #[cold]
    pub(super) fn check_numbers(&mut self, line: Line<'_, '_>, mut whites: bool, before: usize) {
        let (mut numbered, mut natures) = (false, false);
        let (mut first, mut any) = (None, false);
        let mut ply = before;
        for (_, &item) in line.items() {
            ply += usize::from(item.kind == ItemKind::Move);
            match item.kind {
                ItemKind::MoveNumber(number) => (numbered, natures) = (true, number.interjection),
                ItemKind::Move if natures || self.record.bytes(item).starts_with(b"~") => {
                    (numbered, natures) = (false, false);
                }
                ItemKind::Move => {
                    if whites && !numbered {
                        first.get_or_insert((item, ply));
                    }
                    any |= whites && numbered;
                    (whites, numbered) = (!whites, false);
                }
                _ => {}
            }
        }
        let Some((item, ply)) = first else { return };
        let message = match any {
            true => "no number before White's move; write `1. e4` (some numbers of this line are missing)",
            false => "no number before White's move; write `1. e4` (this line has no numbers)",
        };
        self.say(codes::N_NUMBER_MISSING, Severity::Info, item, message);
        self.assign_last_to(ply);
    }
}

#[cfg(test)]
mod tests {
    use crate::replay::Options;
    use crate::replay::tests::report_with;

    #[test]
    fn some_missing_numbers_differ_from_none_at_all() {
        for (text, ending) in [
            ("1. e4 e5 Nf3 Nc6 Bb5 a6 *", "(some numbers of this line are missing)"),
            ("e4 e5 2. Nf3 Nc6 *", "(some numbers of this line are missing)"),
            ("e4 e5 Nf3 Nc6 *", "(this line has no numbers)"),
            ("e4 1... e5 Nf3 *", "(this line has no numbers)"),
            ("e4 *", "(this line has no numbers)"),
            ("1. e4 e5 (e6 d4 d5) 2. Nf3 *", "(this line has no numbers)"),
        ] {
            let report = report_with(Options::default(), text);
            let found: Vec<_> = report
                .all_diagnostics()
                .into_iter()
                .filter(|diagnostic| diagnostic.code.0 == "N032")
                .collect();
            assert!(found.len() == 1 && found[0].message.ends_with(ending), "{text}: {found:?}");
        }
    }

    /// A diagnostic about a number belongs to the ply after it, not to the one before or the last one.
    #[test]
    fn numbers_are_their_plies() {
        let cases = [
            ("1.e4 e5 2.Nf3 Nc6 *", false, "N039", 1),
            ("1. e4 e5 2. Nf3 Nc6 3.Bb5 a6 *", true, "N039", 5),
            ("1. e4 e5 3. Nf3 Nc6 *", false, "N010", 3),
            ("1. e4 e5 2. Nf3 2. Nc6 *", false, "N040", 4),
            ("1. e4 e5 Nf3 Nc6 Bb5 a6 *", false, "N032", 3),
            ("1. e4 e5 1. Nf3 Nc6 *", false, "J026", 3),
        ];
        for (text, strict, code, ply) in cases {
            let report = report_with(Options { strict, ..Options::default() }, text);
            let found = report.diagnostics.iter().find(|diagnostic| diagnostic.code.0 == code);
            assert_eq!(
                found.map(|diagnostic| diagnostic.ply),
                Some(Some(ply)),
                "{text}: {:?}",
                report.diagnostics
            );
        }
    }
}
