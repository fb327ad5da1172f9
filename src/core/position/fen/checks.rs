//! The checks given, a field of the FEN in games that are won by giving checks (LIC 2).

use super::{Fallible, Field, NAMES};
use crate::board::{Mask, Owner};
use crate::position::state::State;
use crate::rules::Rules;
use std::fmt::Write;

impl<M: Mask> State<M> {
    /// `+2+0`: the checks that White and Black have given; `1+3`: those that each must still give.
    pub(super) fn read_checks(&mut self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        let most = rules.ends.checks;
        if most == 0 {
            return field.fail(CHECKS_COUNTED);
        }
        let given = field.text.starts_with('+');
        let counts: Vec<u8> =
            field.text.split('+').skip(usize::from(given)).filter_map(|n| n.parse().ok()).collect();
        let Some(&[white, black]) = Some(&counts[..]).filter(|counts| counts.iter().all(|n| *n <= most))
        else {
            return field
                .fail(format!("this game is won by {most} checks; write `+n+n`, each at most {most}"));
        };
        for (owner, count) in Owner::REAL.into_iter().zip([white, black]) {
            self.status.checks[owner.index()] = if given { count } else { most - count };
        }
        Ok(())
    }

    /// Writes the checks given, where they are counted.
    pub(super) fn write_checks(&self, rules: &Rules<M>, out: &mut String) {
        if rules.ends.checks > 0 {
            let [white, black] = self.status.checks;
            // Writing to a string cannot fail.
            let _ = write!(out, " +{white}+{black}");
        }
    }
}

/// The message for a count in a game without one.
pub(super) const CHECKS_COUNTED: &str =
    "a count of checks, which this game does not count; remove it, or name the game that does";

/// Moves the count of checks, which Lichess writes in front of the halfmove clock, behind the move number.
pub(super) fn count_behind(fields: &mut Vec<Field<'_>>) {
    let Some(at) = fields.iter().position(|field| counts_checks(field.text)).filter(|at| *at == 4) else {
        return;
    };
    let count = fields.remove(at);
    for (index, field) in fields.iter_mut().enumerate().skip(at) {
        field.name = NAMES[index.min(7)];
    }
    while fields.len() < 6 {
        fields.push(Field { name: NAMES[fields.len()], text: "", start: count.start + count.text.len() });
    }
    fields.push(count);
}

/// `3+3`, `+0+0`: checks left, or given.
pub(super) fn counts_checks(text: &str) -> bool {
    let bare = text.strip_prefix('+').unwrap_or(text);
    let number = |part: &str| part.len() == 1 && part.as_bytes()[0].is_ascii_digit();
    bare.split_once('+').is_some_and(|(white, black)| number(white) && number(black))
}
