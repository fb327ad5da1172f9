//! Which entries are wanted, as conditions of SQL.

use super::fold::words;
use super::identity::{GameId, day};
use rusqlite::types::Value;

/// Which entries are wanted; all that are given must hold.
///
/// Names are compared without case and accents, by the beginnings of their words: `anand v` finds
/// `Anand, Viswanathan`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The entry of this identity.
    pub id: Option<GameId>,
    /// The game, by its whole name.
    pub variant: Option<String>,
    /// White, Black or the third player.
    pub player: Option<String>,
    /// White.
    pub white: Option<String>,
    /// Black.
    pub black: Option<String>,
    /// Event.
    pub event: Option<String>,
    /// Site.
    pub site: Option<String>,
    /// The first day, month or year: `1984.05.17`, `1984.05`, `1984`. Games without a year are left out.
    pub from: Option<String>,
    /// The last day, month or year.
    pub to: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Option<String>,
    /// Whether the whole main line is legal.
    pub valid: Option<bool>,
    /// The ending on the board: `checkmate`, …
    pub end: Option<String>,
    /// Plies that the game begins with, in coordinate notation.
    pub moves: Option<String>,
}

/// Conditions with what stands for their question marks.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    all: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl Conditions {
    /// One more condition.
    pub(super) fn add(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.all.push(condition.to_owned());
        self.values.extend(values);
    }

    /// All of them, as what follows `WHERE`.
    pub(super) fn text(&self) -> String {
        if self.all.is_empty() { "1".to_owned() } else { self.all.join(" AND ") }
    }

    /// A name in one of the columns.
    fn name(&mut self, columns: &[&str], wanted: &str) {
        let words = words(wanted);
        let (test, values) = match words.is_empty() {
            // A name without a letter, such as `?`, is taken as it is.
            true => ("text = ?".to_owned(), vec![Value::Text(wanted.trim().to_owned())]),
            false => {
                let tests = vec!["instr(folded, ?) > 0"; words.len()];
                (tests.join(" AND "), words.into_iter().map(Value::Text).collect())
            }
        };
        let one = |column: &&str| format!("{column} IN (SELECT number FROM name WHERE {test})");
        self.all.push(format!("({})", columns.iter().map(one).collect::<Vec<_>>().join(" OR ")));
        for _ in columns {
            self.values.extend(values.iter().cloned());
        }
    }
}

impl Filter {
    /// True if `from` and `to` can be this: a year, a month or a day.
    pub fn is_date(text: &str) -> bool {
        let parts = text.split(['.', '-', '/']);
        let known = parts.clone().take_while(|part| !part.contains('?'));
        let numbers = known.clone().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let exact = day(text).is_some_and(|day| {
            known.count() == 1 + usize::from(day % 10_000 > 0) + usize::from(day % 100 > 0)
        });
        exact && numbers && parts.count() <= 3
    }

    /// The filter as conditions on the tables `game` and `play`.
    pub(super) fn conditions(&self) -> Conditions {
        let mut conditions = Conditions::default();
        let text = |text: &String| [Value::Text(text.trim().to_owned())];
        if let Some(id) = self.id {
            conditions.add("game.id = ?", [Value::Blob(id.0.to_vec())]);
        }
        if let Some(variant) = &self.variant {
            conditions.add("game.variant = ?", [Value::Text(variant.trim().to_lowercase())]);
        }
        for (columns, name) in [
            (&["game.white", "game.black", "game.nature"][..], &self.player),
            (&["game.white"], &self.white),
            (&["game.black"], &self.black),
            (&["game.event"], &self.event),
            (&["game.site"], &self.site),
        ] {
            if let Some(name) = name {
                conditions.name(columns, name);
            }
        }
        if let Some(from) = &self.from {
            conditions.add("game.day >= ?", [day(from).map_or(Value::Null, Value::Integer)]);
        }
        if let Some(to) = &self.to {
            conditions.add("game.day <= ?", [day(to).map_or(Value::Null, |day| Value::Integer(last(day)))]);
        }
        if let Some(result) = &self.result {
            conditions.add("game.result = ?", text(result));
        }
        if let Some(valid) = self.valid {
            conditions.add("game.valid = ?", [Value::Integer(i64::from(valid))]);
        }
        if let Some(end) = &self.end {
            conditions.add("game.ending = ?", text(end));
        }
        if let Some(moves) = &self.moves {
            let begin = moves.split_whitespace().fold(String::new(), |begin, ply| begin + ply + " ");
            conditions.add(
                "substr(play.moves || ' ', 1, length(?)) = ?",
                [Value::Text(begin.clone()), Value::Text(begin)],
            );
        }
        conditions
    }
}

/// The last day of a month or year that is given by its number, and a day itself.
fn last(day: i64) -> i64 {
    match (day / 100 % 100, day % 100) {
        (0, _) => day + 9999,
        (_, 0) => day + 99,
        _ => day,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_and_years_end() {
        assert_eq!(last(19_840_000), 19_849_999);
        assert_eq!(last(19_840_500), 19_840_599);
        assert_eq!(last(19_840_517), 19_840_517);
    }

    #[test]
    fn dates_are_told_from_other_words() {
        for date in ["1984", "1984.05", "1984-05-17", "1984/05/17", "1984.??.??", "1984.05.??"] {
            assert!(Filter::is_date(date), "{date}");
        }
        for other in
            ["", "84", "1984.13", "1984.05.32", "1984.5", "May 1984", "1984.05.17.1", "????.??.??", "1984.x"]
        {
            assert!(!Filter::is_date(other), "{other}");
        }
    }

    #[test]
    fn there_is_a_value_for_each_question_mark() {
        let all = |text: &str| Filter {
            id: Some(GameId([0; 16])),
            variant: Some(text.into()),
            player: Some(text.into()),
            white: Some(text.into()),
            black: Some(text.into()),
            event: Some(text.into()),
            site: Some(text.into()),
            from: Some(text.into()),
            to: Some(text.into()),
            result: Some(text.into()),
            valid: Some(true),
            end: Some(text.into()),
            moves: Some(text.into()),
        };
        for text in ["", "?", "a b c", "1984.05"] {
            let conditions = all(text).conditions();
            assert_eq!(conditions.text().matches('?').count(), conditions.values.len(), "{text}");
        }
        assert_eq!(Filter::default().conditions().text(), "1");
    }
}
