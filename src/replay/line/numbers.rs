//! Move numbers: whether they are right, whether they are there, whether a blank stands behind them.

use super::{LineJudge, Observer};
use crate::board::{Mask, Owner};
use crate::record::{Item, ItemKind, Line, MoveNumber};
use crate::replay::codes;
use crate::text::Severity;

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    #[inline]
    pub(super) fn check_number(&mut self, index: usize, item: &Item, number: &MoveNumber) {
        let expected = if number.interjection { self.interjections + 1 } else { self.next_number() };
        if number.value != expected || number.dots == 0 {
            self.remark_on_number(index, *item, *number, expected);
        }
        let whites_dots = number.dots == 1;
        if whites_dots != (self.position.turn() == Owner::White) {
            self.check_dots(*item, *number);
        }
    }

    fn next_number(&self) -> u32 {
        self.position.state().status().number.wrapping_sub(self.numbers_before)
    }

    /// Says that the dots behind a number are the other player's, where they are: one dot is White's, three are
    /// Black's, none tell nothing. Programs write all alike, so that the first of a game is told.
    #[cold]
    fn check_dots(&mut self, item: Item, number: MoveNumber) {
        let whites = self.position.turn() == Owner::White;
        if !number.has_dots_of_other(whites) || self.dots_are_told || !self.path.is_empty() {
            return;
        }
        self.dots_are_told = true;
        let (player, dots) = if whites { ("White", ".") } else { ("Black", "...") };
        let spelling = format!("{}{dots}", self.next_number());
        let message = format!("the ply is {player}'s, whose numbers are written `{spelling}`");
        self.say_spelling(codes::N_NUMBER_DOTS, Severity::Info, item, &message, Some(&spelling));
        self.said_of(self.judge.plies() + 1);
    }

    /// What was said last is about a ply, the one behind the number.
    fn said_of(&mut self, ply: usize) {
        if let Some(said) = self.diagnostics.last_mut() {
            said.ply = Some(ply);
        }
    }

    #[cold]
    fn remark_on_number(&mut self, index: usize, item: Item, number: MoveNumber, expected: u32) {
        let next = self.record.items.get(index + 1).map(|next| next.kind);
        let ends = matches!(next, None | Some(ItemKind::Result(_) | ItemKind::VariationEnd { .. }));
        if number.dots == 0 && ends {
            let message = "no ply stands behind these digits, and no dot: what was played here is not known";
            return self.say(codes::J_NUMBER_ALONE, Severity::Warning, item, message);
        }
        let number = number.value;
        if number == expected {
            return;
        }
        let begins_again = number == 1 && self.judge.plies() > 0 && self.position.turn() == Owner::White;
        if begins_again && self.path.is_empty() {
            let message = format!(
                "the numbers begin again at 1, {expected} would be next: a result may be missing before it, and \
                 another game begin"
            );
            self.numbers_before += expected - 1;
            self.say(codes::J_NUMBERS_RESTART, Severity::Warning, item, message);
            return self.said_of(self.judge.plies() + 1);
        }
        let message = format!("the number is {number}, not {expected}");
        let spelling = self.record.text(item).replacen(&number.to_string(), &expected.to_string(), 1);
        self.say_spelling(codes::N_NUMBER_WRONG, Severity::Info, item, &message, Some(&spelling));
        self.said_of(self.judge.plies() + 1);
    }

    /// Says that a number and its ply stand together: `1.e4`. Programs write all numbers alike, so that the first one
    /// of a record tells; in strict mode every one is looked at.
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
                    if !self.reading.strict {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    #[cold]
    fn remark_on_blank(&mut self, number: Item, ply: usize) {
        let message = "a blank stands between a move number and its ply: `1. e4`";
        self.say(codes::N_NUMBER_JOINED, Severity::Info, number, message);
        self.said_of(ply);
    }

    /// Says which is the first of White's plies that has no number. `whites` says that White begins, `before` how many
    /// plies were made before the line.
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
            true => "White's plies have a number before them: `1. e4`; some of this line have none",
            false => "White's plies have a number before them: `1. e4`; none of this line has one",
        };
        self.say(codes::N_NUMBER_MISSING, Severity::Info, item, message);
        self.said_of(ply);
    }
}

#[cfg(test)]
mod tests {
    use crate::replay::Options;
    use crate::replay::tests::report_with;

    #[test]
    fn whether_some_numbers_or_all_are_missing_is_told() {
        for (text, said) in [
            ("1. e4 e5 Nf3 Nc6 Bb5 a6 *", "some of this line have none"),
            ("e4 e5 2. Nf3 Nc6 *", "some of this line have none"),
            ("e4 e5 Nf3 Nc6 *", "none of this line has one"),
            ("e4 1... e5 Nf3 *", "none of this line has one"),
            ("e4 *", "none of this line has one"),
            ("1. e4 e5 (e6 d4 d5) 2. Nf3 *", "none of this line has one"),
        ] {
            let report = report_with(Options::default(), text);
            let told: Vec<_> =
                report.all_diagnostics().into_iter().filter(|told| told.code.0 == "N032").collect();
            assert!(told.len() == 1 && told[0].message.ends_with(said), "{text}: {told:?}");
        }
    }

    /// What is said of a record's numbers belongs to the ply behind them, not to the one before or the last one.
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
            let told = report.diagnostics.iter().find(|told| told.code.0 == code);
            assert_eq!(told.map(|told| told.ply), Some(Some(ply)), "{text}: {:?}", report.diagnostics);
        }
    }
}
