//! Whether an archive is whole: the file, every digest, every key, and if asked for every verdict.

mod texts;

use super::Archive;
use super::bound::Rulebooks;
use super::error::ArchiveError;
use super::identity::{GameId, Header, Play};
use super::pack::{DICTIONARY, DICTIONARY_NUMBER};
use super::seal::{self, SEALED};
use crate::rules::{Registry, RulesId};
use rusqlite::{Connection, Row};

/// Something that is not as it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The entry that it is about; nothing if it is about the file.
    pub id: Option<GameId>,
    /// What is wrong.
    pub what: What,
    /// The same in words.
    pub message: String,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The file, a row or a text is not what was kept.
    Damage,
    /// The game is judged otherwise today, by the rules that it had.
    Verdict,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Entries.
    pub games: u64,
    /// Texts.
    pub texts: u64,
    /// Texts on which today's report says something else, with the same verdict.
    pub reworded: u64,
    /// Texts of games whose rules are other ones today; they were judged by those that they had.
    pub other_rules: u64,
}

impl Archive {
    /// Checks the whole archive: the structure of the file, that no row is missing, every key, every digest. With a
    /// registry every text is judged again, too, by the rules that it had: those of the registry, or where these are
    /// other ones today, those that were kept.
    ///
    /// `found` is called for every finding. `progress` is called with the number of texts that were checked.
    ///
    /// # Errors
    /// Where the file cannot be read on.
    pub fn verify(
        &self,
        replay: Option<&Registry>,
        found: &mut dyn FnMut(Finding),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Checked, ArchiveError> {
        self.read(|connection| {
            structure(connection, found)?;
            missing_rows(connection, found)?;
            dictionary(connection, found)?;
            for table in SEALED {
                seal::check(connection, table, &mut |number| {
                    found(damage(None, format!("row {number} of `{table}` is not as it was written")));
                })?;
            }
            plays(connection, found)?;
            let games = games(connection, found)?;
            let books = replay.map(|today| Rulebooks::new(self, today));
            let mut checked = Checked { games, ..Checked::default() };
            texts::check(connection, books.as_ref(), &mut checked, found, progress)?;
            Ok(checked)
        })
    }
}

fn damage(id: Option<GameId>, message: impl Into<String>) -> Finding {
    Finding { id, what: What::Damage, message: message.into() }
}

/// What SQLite itself finds.
fn structure(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let mut check = connection.prepare("PRAGMA integrity_check")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()? {
        let message: String = row.get(0)?;
        if message != "ok" {
            found(damage(None, message));
        }
    }
    let mut check = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()? {
        let (table, number, parent): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        found(damage(None, format!("row {number} of `{table}` points to no row of `{parent}`")));
    }
    Ok(())
}

/// Rows are numbered without gaps: what is missing was taken away.
fn missing_rows(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    for table in ["rules", "name", "play", "game", "submission"] {
        let count = format!("SELECT count(*), coalesce(max(number), 0) FROM {table}");
        let (rows, last): (i64, i64) =
            connection.query_row(&count, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if rows != last {
            found(damage(None, format!("`{table}` has {rows} rows, and the last one has the number {last}")));
        }
    }
    let bare = "SELECT id FROM game WHERE number NOT IN (SELECT game FROM submission)";
    let mut bare = connection.prepare(bare)?;
    let mut rows = bare.query([])?;
    while let Some(row) = rows.next()? {
        found(damage(Some(GameId(row.get(0)?)), "no text of the entry is there"));
    }
    Ok(())
}

/// What texts are packed with is in the file, for other programs; archives of the first version have none.
fn dictionary(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 1 {
        return Ok(());
    }
    let mut all = connection.prepare("SELECT number, bytes FROM dictionary")?;
    let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<_>, _>>()?;
    if rows != [(DICTIONARY_NUMBER, DICTIONARY.to_vec())] {
        found(damage(None, "`dictionary` is not as it was written"));
    }
    Ok(())
}

/// The rules in the columns from `first` on, if the game was judged.
fn rules_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<RulesId>> {
    let name: Option<String> = row.get(first)?;
    Ok(match name {
        Some(name) => Some(RulesId { name, edition: row.get(first + 1)?, digest: row.get(first + 2)? }),
        None => None,
    })
}

fn plays(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let all = "SELECT play.number, play.key, play.start, play.moves, play.text_key, rules.name, rules.edition, \
        rules.digest FROM play LEFT JOIN rules ON rules.number = play.rules";
    let mut all = connection.prepare(all)?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let (number, key): (i64, [u8; 16]) = (row.get(0)?, row.get(1)?);
        let play = Play { start: row.get(2)?, moves: row.get(3)?, text_key: row.get(4)? };
        if play.key(rules_of(row, 5)?.as_ref()) != key {
            found(damage(None, format!("play {number} is not what its key was made from")));
        }
    }
    Ok(())
}

fn games(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<u64, ArchiveError> {
    let all = "SELECT game.id, play.key, white.text, black.text, nature.text, event.text, game.date, game.round, \
        game.result, game.plies, play.moves, play.start FROM game JOIN play ON play.number = game.play \
        JOIN name AS white ON white.number = game.white JOIN name AS black ON black.number = game.black \
        LEFT JOIN name AS nature ON nature.number = game.nature JOIN name AS event ON event.number = game.event";
    let mut all = connection.prepare(all)?;
    let mut rows = all.query([])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        let id = GameId(row.get(0)?);
        let key: [u8; 16] = row.get(1)?;
        let header = Header {
            white: row.get(2)?,
            black: row.get(3)?,
            nature: row.get(4)?,
            event: row.get(5)?,
            site: String::new(),
            date: row.get(6)?,
            round: row.get(7)?,
            result: row.get(8)?,
        };
        if header.id(&key) != id {
            found(damage(
                Some(id),
                "players, event, date, round or result are not what the id was made from",
            ));
        }
        let (plies, moves, start): (i64, String, String) = (row.get(9)?, row.get(10)?, row.get(11)?);
        if !start.is_empty() && usize::try_from(plies) != Ok(moves.split_whitespace().count()) {
            found(damage(Some(id), "the number of plies is not that of the moves"));
        }
        count += 1;
    }
    Ok(count)
}
