//! Checks that the columns used by searches agree with the reports.

use crate::archive::error::ArchiveError;
use crate::archive::identity::{GameId, day};
use crate::archive::pack::unpack;
use crate::archive::verify::{Finding, damage};
use crate::text::limits::{ARCHIVE_TEXT_BYTES_AT_ONCE, ARCHIVE_TEXTS_AT_ONCE};
use rayon::prelude::*;
use rusqlite::{Connection, params};
use serde::Deserialize;

/// The columns of an entry, and the report on its first text.
struct Entry {
    id: GameId,
    number: i64,
    variant: String,
    valid: bool,
    plies: i64,
    ending: Option<String>,
    result: String,
    date: String,
    day: Option<i64>,
    report: Vec<u8>,
}

/// The facts of a report that an entry's columns repeat.
#[derive(Deserialize)]
struct Facts {
    variant: String,
    legal: bool,
    plies: i64,
    end: Option<EndFact>,
    result_tag: Option<String>,
}

#[derive(Deserialize)]
struct EndFact {
    reason: String,
}

const ENTRIES: &str = "SELECT game.id, game.number, game.variant, game.valid, game.plies, game.ending, game.result, \
    game.date, game.day, submission.report FROM game JOIN submission ON submission.number = \
    (SELECT min(one.number) FROM submission AS one WHERE one.game = game.number) \
    WHERE game.number > ?1";

/// Compares the columns of every entry that meets a condition with the report on its first text.
pub(super) fn check(
    connection: &Connection,
    remembered: &str,
    found: &mut dyn FnMut(Finding),
) -> Result<(), ArchiveError> {
    let mut last = 0;
    loop {
        let page = page(connection, remembered, last)?;
        let Some(end) = page.last() else { return Ok(()) };
        last = end.number;
        let differing: Vec<_> = page.par_iter().map(|entry| (entry.id, entry.differs())).collect();
        for (id, differs) in differing {
            match differs {
                Ok(None) => {}
                Ok(Some(column)) => {
                    let message =
                        format!("`{column}` of the entry differs from the report on its first text");
                    found(damage(Some(id), message));
                }
                Err(error) => found(damage(Some(id), error.to_string())),
            }
        }
    }
}

fn page(connection: &Connection, remembered: &str, last: i64) -> Result<Vec<Entry>, ArchiveError> {
    let query = format!("{ENTRIES} AND {remembered} ORDER BY game.number LIMIT ?2");
    let mut next = connection.prepare_cached(&query)?;
    let mut rows = next.query(params![last, ARCHIVE_TEXTS_AT_ONCE as i64])?;
    let (mut page, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let entry = Entry {
            id: GameId(row.get(0)?),
            number: row.get(1)?,
            variant: row.get(2)?,
            valid: row.get(3)?,
            plies: row.get(4)?,
            ending: row.get(5)?,
            result: row.get(6)?,
            date: row.get(7)?,
            day: row.get(8)?,
            report: row.get(9)?,
        };
        bytes += entry.report.len();
        page.push(entry);
        if bytes > ARCHIVE_TEXT_BYTES_AT_ONCE {
            break;
        }
    }
    Ok(page)
}

impl Entry {
    /// The first column that differs from the report.
    fn differs(&self) -> Result<Option<&'static str>, ArchiveError> {
        let report = unpack(&self.report)?;
        let facts: Facts = serde_json::from_slice(&report).map_err(|error| {
            ArchiveError::Corrupt(format!("the report on a text cannot be read: {error}"))
        })?;
        let end = facts.end.map(|end| end.reason);
        let columns = [
            ("variant", facts.variant == self.variant),
            ("valid", facts.legal == self.valid),
            ("plies", facts.plies == self.plies),
            ("ending", end == self.ending),
            ("result", facts.result_tag.as_deref().unwrap_or("*") == self.result),
            ("day", day(&self.date) == self.day),
        ];
        Ok(columns.into_iter().find_map(|(column, agrees)| (!agrees).then_some(column)))
    }
}

#[cfg(test)]
mod tests {
    use crate::archive::sqlite::seal::seal;
    use crate::archive::{Archive, Submission};
    use crate::record::read;
    use crate::replay::{Options, Replayer, Source};
    use crate::rules::Registry;
    use rusqlite::types::Value;
    use rusqlite::{Connection, ToSql, params_from_iter};

    /// Changes a column of the first entry and recomputes the seal of its row.
    fn change(connection: &Connection, column: &str, value: &str) {
        let all = "id, play, variant, white, black, nature, event, site, date, day, round, result, valid, plies, \
            ending, added";
        connection.execute_batch("DROP TRIGGER games_stay").unwrap();
        connection.execute(&format!("UPDATE game SET {column} = {value} WHERE number = 1"), []).unwrap();
        let values: Vec<Value> = connection
            .query_row(&format!("SELECT {all} FROM game WHERE number = 1"), [], |row| {
                (0..16).map(|index| row.get(index)).collect()
            })
            .unwrap();
        let values: Vec<&dyn ToSql> = values.iter().map(|value| value as &dyn ToSql).collect();
        let seal = seal("game", Some(1), &values).unwrap();
        let reseal = "UPDATE game SET seal = ? WHERE number = 1";
        connection.execute(reseal, params_from_iter([&seal])).unwrap();
    }

    #[test]
    fn columns_that_do_not_agree_with_the_report_are_found() {
        for (column, value) in [
            ("variant", "'crazyhouse'"),
            ("valid", "0"),
            ("plies", "3"),
            ("ending", "'stalemate'"),
            ("ending", "NULL"),
            ("day", "NULL"),
            ("day", "19990101"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.ferz");
            let archive = Archive::open(&path).unwrap();
            let text = b"[Date \"1912.03.04\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
            let record = read(text, 0).next().unwrap();
            let mut replayer = Replayer::new(Registry::built_in(), Options::default());
            let submission = Submission::judge(&mut replayer, &record, &Source::new(text, 0, 0)).unwrap();
            archive.submit(vec![submission]).unwrap();
            change(&Connection::open(&path).unwrap(), column, value);
            let mut messages = Vec::new();
            archive.verify(None, &mut |finding| messages.push(finding.message), &mut |_| ()).unwrap();
            let expected = format!("`{column}` of the entry differs from the report on its first text");
            assert!(messages.contains(&expected), "{column}: {messages:#?}");
            assert!(!messages.iter().any(|message| message.contains("has changed")), "{messages:#?}");
        }
    }
}
