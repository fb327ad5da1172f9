//! Whether an archive is whole: the file, every digest, every key, and if asked for every verdict.

use super::bound::{Rulebook, Rulebooks};
use super::error::ArchiveError;
use super::identity::{GameId, Header, Play, text_key};
use super::pack::{DICTIONARY, DICTIONARY_NUMBER, unpack};
use super::read::whole;
use super::seal::{self, SEALED};
use super::{Archive, Submission};
use crate::notation::Style;
use crate::record::{Record, read};
use crate::replay::{Options, Replayer, Source};
use crate::rules::{Registry, RulesId};
use crate::text::limits::{ARCHIVE_TEXT_BYTES_AT_ONCE, ARCHIVE_TEXTS_AT_ONCE};
use rayon::prelude::*;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

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
            texts(connection, books.as_ref(), &mut checked, found, progress)?;
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

/// A text with what is known of it.
struct Kept {
    id: GameId,
    play: [u8; 16],
    rules: Option<RulesId>,
    valid: bool,
    text_key: [u8; 16],
    digest: [u8; 32],
    text: Vec<u8>,
    report: Vec<u8>,
    options: Options,
}

const TEXTS: &str = "SELECT submission.number, game.id, play.key, game.valid, submission.text_key, \
    submission.digest, submission.text, submission.report, submission.variant, submission.style, \
    submission.stood, rules.name, rules.edition, rules.digest FROM submission \
    JOIN game ON game.number = submission.game JOIN play ON play.number = game.play \
    LEFT JOIN rules ON rules.number = play.rules WHERE submission.number > ?1 ORDER BY submission.number LIMIT ?2";

fn page(connection: &Connection, last: &mut i64) -> Result<Vec<Kept>, ArchiveError> {
    let mut next = connection.prepare_cached(TEXTS)?;
    let mut rows = next.query(params![*last, ARCHIVE_TEXTS_AT_ONCE as i64])?;
    let (mut page, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        *last = row.get(0)?;
        let style: Option<String> = row.get(9)?;
        let style: Option<Style> = style.and_then(|style| style.parse().ok());
        let kept = Kept {
            id: GameId(row.get(1)?),
            play: row.get(2)?,
            rules: rules_of(row, 11)?,
            valid: row.get(3)?,
            text_key: row.get(4)?,
            digest: row.get(5)?,
            text: row.get(6)?,
            report: row.get(7)?,
            options: Options { variant: row.get(8)?, style, stood: row.get(10)?, ..Options::default() },
        };
        bytes += kept.text.len() + kept.report.len();
        page.push(kept);
        if bytes > ARCHIVE_TEXT_BYTES_AT_ONCE {
            break;
        }
    }
    Ok(page)
}

/// Checks all texts, and counts them.
fn texts(
    connection: &Connection,
    books: Option<&Rulebooks<'_>>,
    checked: &mut Checked,
    found: &mut dyn FnMut(Finding),
    progress: &mut dyn FnMut(u64),
) -> Result<(), ArchiveError> {
    let mut last = 0;
    loop {
        let page = page(connection, &mut last)?;
        if page.is_empty() {
            return Ok(());
        }
        let looked: Vec<_> = page.par_iter().map(|kept| kept.check(books)).collect();
        for result in looked {
            match result {
                Ok(Today { reworded, other_rules }) => {
                    checked.reworded += u64::from(reworded);
                    checked.other_rules += u64::from(other_rules);
                }
                Err(finding) => found(finding),
            }
        }
        checked.texts += page.len() as u64;
        progress(page.len() as u64);
    }
}

/// What is another thing today, and is no finding.
#[derive(Default)]
struct Today {
    reworded: bool,
    other_rules: bool,
}

impl Kept {
    fn damage(&self, message: impl Into<String>) -> Finding {
        damage(Some(self.id), message)
    }

    /// The first thing that is wrong; else what is another thing today.
    fn check(&self, books: Option<&Rulebooks<'_>>) -> Result<Today, Finding> {
        let trouble = |error: ArchiveError| self.damage(error.to_string());
        let text = whole(&self.text, &self.digest).map_err(trouble)?;
        if text_key(&text) != self.text_key {
            return Err(self.damage("a text is not what its key was made from"));
        }
        let report = unpack(&self.report).map_err(trouble)?;
        let report: Value = serde_json::from_slice(&report)
            .map_err(|error| self.damage(format!("the report on a text is no JSON: {error}")))?;
        if report["legal"].as_bool() != Some(self.valid) {
            return Err(self.damage("the report on a text and the entry differ on whether it is legal"));
        }
        let Some(record) = read(&text, 0).next() else {
            return Err(self.damage("a text has no game in it"));
        };
        if Header::of(&record, report["result_tag"].as_str()).id(&self.play) != self.id {
            return Err(self.damage("a text is of another entry: its tags do not give the id"));
        }
        match books {
            Some(books) => self.judge_again(books, &record, &report),
            None => Ok(Today::default()),
        }
    }

    fn judge_again(
        &self,
        books: &Rulebooks<'_>,
        record: &Record<'_>,
        before: &Value,
    ) -> Result<Today, Finding> {
        let trouble = |error: ArchiveError| self.damage(error.to_string());
        let book = books.of(record, &self.options, self.rules.as_ref()).map_err(trouble)?;
        let mut replayer = Replayer::new(&book, self.options.clone());
        let source = Source::new(record.source(), 0, 0);
        let today = Submission::judge(&mut replayer, record, &source).map_err(trouble)?;
        let now = serde_json::to_value(today.report()).map_err(|error| self.damage(error.to_string()))?;
        let verdict = ["rules", "legal", "plies", "end", "result_tag", "agreement", "final_fen"];
        let differs = verdict.iter().find(|key| before[**key] != now[**key]);
        let ply = before["illegal"]["ply"] != now["illegal"]["ply"];
        if let Some(key) = differs.or(ply.then_some(&"illegal")) {
            let message = format!("`{key}` of the report was {}, and is {} today", before[*key], now[*key]);
            return Err(Finding { id: Some(self.id), what: What::Verdict, message });
        }
        if today.play_key != self.play {
            let message = "the plies are other ones today".to_owned();
            return Err(Finding { id: Some(self.id), what: What::Verdict, message });
        }
        Ok(Today { reworded: *before != now, other_rules: matches!(book, Rulebook::Kept(_)) })
    }
}
