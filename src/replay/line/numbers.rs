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
    }

    #[cold]
    fn remark_on_number(&mut self, index: usize, item: Item, number: MoveNumber, expected: u32) {
        let next = self.record.items.get(index + 1).map(|next| next.kind);
        let ends = matches!(next, None | Some(ItemKind::Result(_) | ItemKind::VariationEnd { .. }));
        if number.dots == 0 && ends {
            let message = "no ply stands behind these digits, and no dot: what was played here is not known";
            return self.say(codes::J_NUMBER_ALONE, Severity::Warning, item, message.into());
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
            return self.say(codes::J_NUMBERS_RESTART, Severity::Warning, item, message);
        }
        let message = format!("the number is {number}, not {expected}");
        let spelling = self.record.text(item).replacen(&number.to_string(), &expected.to_string(), 1);
        self.say_spelling(codes::N_NUMBER_WRONG, Severity::Info, item, &message, Some(&spelling));
    }

    /// Says that a number and its ply stand together: `1.e4`. Programs write all numbers alike, so that the first one
    /// of a record tells; in strict mode every one is looked at.
    pub(super) fn check_blanks(&mut self, line: Line<'_, '_>) {
        if !self.path.is_empty() {
            return;
        }
        let mut number: Option<Item> = None;
        for (_, &item) in line.items() {
            match (item.kind, number.take()) {
                (ItemKind::MoveNumber(found), _) if !found.interjection => number = Some(item),
                (ItemKind::Move, Some(before)) => {
                    if before.start + before.len == item.start {
                        return self.remark_on_blank(before);
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
    fn remark_on_blank(&mut self, number: Item) {
        let message = "a blank stands between a move number and its ply: `1. e4`";
        self.say(codes::N_NUMBER_JOINED, Severity::Info, number, message.into());
    }

    /// Says which is the first of White's plies that has no number. `whites` says that White begins.
    #[cold]
    pub(super) fn check_numbers(&mut self, line: Line<'_, '_>, mut whites: bool) {
        let (mut numbered, mut natures) = (false, false);
        for (_, &item) in line.items() {
            match item.kind {
                ItemKind::MoveNumber(number) => (numbered, natures) = (true, number.interjection),
                ItemKind::Move if natures || self.record.bytes(item).starts_with(b"~") => {
                    (numbered, natures) = (false, false);
                }
                ItemKind::Move if whites && !numbered => {
                    let message =
                        "White's plies have a number before them: `1. e4`; some of this line have none";
                    return self.say(codes::N_NUMBER_MISSING, Severity::Info, item, message.into());
                }
                ItemKind::Move => (whites, numbered) = (!whites, false),
                _ => {}
            }
        }
    }
}
