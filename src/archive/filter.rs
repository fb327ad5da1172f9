//! Which entries are wanted, as conditions of SQL.

use super::error::ArchiveError;
use super::fold::words;
use super::identity::{GameId, day};
use crate::judge::EndReason;
use crate::notation::coord;
use crate::record::GameResult;
use crate::text::limits::ARCHIVE_FILTER_WORDS_MAX;
use chrono::NaiveDate;
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
    /// Words of names so far.
    words: usize,
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
    fn name(&mut self, columns: &[&str], wanted: &str) -> Result<(), ArchiveError> {
        let words = words(wanted);
        self.words += words.len();
        if self.words > ARCHIVE_FILTER_WORDS_MAX {
            let why = format!(
                "a search compares at most {ARCHIVE_FILTER_WORDS_MAX} words of names; leave out the less telling ones"
            );
            return Err(ArchiveError::Filter(why));
        }
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
        Ok(())
    }
}

impl Filter {
    /// The filter as conditions on the tables `game` and `play`.
    ///
    /// # Errors
    /// Where it asks for a date, a result, an ending or a ply that cannot be, which no game would ever fit, and where
    /// its names have too many words.
    pub(super) fn conditions(&self) -> Result<Conditions, ArchiveError> {
        let mut conditions = Conditions::default();
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
                conditions.name(columns, name)?;
            }
        }
        if let Some(from) = &self.from {
            conditions.add("game.day >= ?", [Value::Integer(date(from)?)]);
        }
        if let Some(to) = &self.to {
            conditions.add("game.day <= ?", [Value::Integer(last(date(to)?))]);
        }
        if let Some(result) = &self.result {
            conditions.add("game.result = ?", [result_wanted(result)?]);
        }
        if let Some(valid) = self.valid {
            conditions.add("game.valid = ?", [Value::Integer(i64::from(valid))]);
        }
        if let Some(end) = &self.end {
            conditions.add("game.ending = ?", [ending(end)?]);
        }
        if let Some(moves) = &self.moves {
            let begin = Value::Text(beginning(moves)?);
            conditions.add("substr(play.moves || ' ', 1, length(?)) = ?", [begin.clone(), begin]);
        }
        Ok(conditions)
    }
}

/// A result in any of its forms.
fn result_wanted(text: &str) -> Result<Value, ArchiveError> {
    let result = GameResult::parse(text.trim()).map(GameResult::as_str);
    let wrong = || format!("`{text}` is no result; known: 1-0, 0-1, 1/2-1/2, *");
    result.map(|result| Value::Text(result.to_owned())).ok_or_else(|| ArchiveError::Filter(wrong()))
}

/// An ending by its name.
fn ending(text: &str) -> Result<Value, ArchiveError> {
    let known: Vec<&str> = EndReason::ALL.iter().map(|reason| reason.id()).collect();
    match known.iter().find(|id| **id == text.trim()) {
        Some(id) => Ok(Value::Text((*id).to_owned())),
        None => Err(ArchiveError::Filter(format!("`{text}` is no ending; known: {}", known.join(", ")))),
    }
}

/// A year, a month or a day as a number, see [`day`].
fn date(text: &str) -> Result<i64, ArchiveError> {
    let text = text.trim();
    let parts = text.split(['.', '-', '/']);
    let known = parts.clone().take_while(|part| !part.contains('?'));
    let numbers = known.clone().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let exact = day(text).filter(|day| {
        let (year, month, day) = ((day / 10_000) as i32, (day / 100 % 100) as u32, (day % 100) as u32);
        let in_calendar = NaiveDate::from_ymd_opt(year, month.max(1), day.max(1)).is_some();
        in_calendar && known.count() == 1 + usize::from(month > 0) + usize::from(day > 0)
    });
    let wrong = || format!("`{text}` is no date; write a year, a month or a day: 1984, 1984.05, 1984.05.17");
    exact.filter(|_| numbers && parts.count() <= 3).ok_or_else(|| ArchiveError::Filter(wrong()))
}

/// The plies that a game begins with, as they are kept, each with a blank behind it.
fn beginning(moves: &str) -> Result<String, ArchiveError> {
    if let Some(word) = moves.split_whitespace().find(|word| !coord::has_form(word.as_bytes())) {
        let how = "write plies as in `e2e4 g8f6`; `ferz convert --to coord` makes them of any others";
        return Err(ArchiveError::Filter(format!("`{word}` is no ply in coordinate notation; {how}")));
    }
    Ok(moves.split_whitespace().fold(String::new(), |begin, ply| begin + ply + " "))
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
        for text in ["1984", "1984.05", "1984-05-17", "1984/05/17", "1984.??.??", "1984.05.??", "2024.02.29"]
        {
            assert!(date(text).is_ok(), "{text}");
        }
        for other in [
            "",
            "84",
            "1984.13",
            "1984.05.32",
            "2023.02.29",
            "1984.5",
            "May 1984",
            "1984.05.17.1",
            "????.??.??",
            "1984.x",
        ] {
            assert!(matches!(date(other), Err(ArchiveError::Filter(_))), "{other}");
        }
    }

    #[test]
    fn there_is_a_value_for_each_question_mark() {
        for (name, date) in [("", "1984"), ("?", "1984.??.??"), ("a b c", "1984.05")] {
            let (name, date) = (Some(name.to_owned()), Some(date.to_owned()));
            let all = Filter {
                id: Some(GameId([0; 16])),
                variant: name.clone(),
                player: name.clone(),
                white: name.clone(),
                black: name.clone(),
                event: name.clone(),
                site: name,
                from: date.clone(),
                to: date,
                result: Some("1/2-1/2".into()),
                valid: Some(true),
                end: Some("checkmate".into()),
                moves: Some("e2e4 ~N@c5".into()),
            };
            let conditions = all.conditions().unwrap();
            assert_eq!(conditions.text().matches('?').count(), conditions.values.len());
        }
        assert_eq!(Filter::default().conditions().unwrap().text(), "1");
    }

    #[test]
    fn what_no_game_can_be_is_refused() {
        let refused = |filter: Filter| match filter.conditions() {
            Err(ArchiveError::Filter(why)) => why,
            other => panic!("{other:?}"),
        };
        let text = |text: &str| Some(text.to_owned());
        let why = refused(Filter { moves: text("e2e4 Nf6"), ..Filter::default() });
        assert!(why.starts_with("`Nf6` is no ply in coordinate notation; "), "{why}");
        let why = refused(Filter { result: text("2-0"), ..Filter::default() });
        assert_eq!(why, "`2-0` is no result; known: 1-0, 0-1, 1/2-1/2, *");
        let why = refused(Filter {
            player: text(&"r ".repeat(20)),
            event: text(&"r ".repeat(13)),
            ..Filter::default()
        });
        assert!(why.starts_with("a search compares at most 32 words of names; "), "{why}");
        let why = refused(Filter { end: text("chekmate"), ..Filter::default() });
        assert!(why.starts_with("`chekmate` is no ending; known: checkmate, "), "{why}");
    }
}
