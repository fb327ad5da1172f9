//! What is written inside one transaction.

use super::error::ArchiveError;
use super::fold::fold;
use super::identity::Header;
use super::rules_text;
use super::seal::insert;
use super::submission::Submission;
use super::tokens::NewToken;
use crate::replay::AnyGame;
use crate::rules::RulesId;
use crate::text::limits::ARCHIVE_NAMES_KNOWN;
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// What of a submission was new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    /// What happened on the board.
    pub(super) play: bool,
    /// The entry.
    pub(super) entry: bool,
    /// The text.
    pub(super) text: bool,
}

/// Numbers of rows that were met lately, so that they need not be looked up for every game.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: HashMap<String, i64>,
    rules: HashMap<RulesId, i64>,
}

impl Names {
    /// Forgets everything: the transaction that gave the numbers was taken back.
    pub(super) fn forget(&mut self) {
        *self = Names::default();
    }
}

/// The statements of a transaction.
pub(super) struct Store<'c> {
    connection: &'c Connection,
    names: &'c mut Names,
    now: i64,
    add_name: CachedStatement<'c>,
    find_name: CachedStatement<'c>,
    add_play: CachedStatement<'c>,
    find_play: CachedStatement<'c>,
    add_game: CachedStatement<'c>,
    find_game: CachedStatement<'c>,
    add_submission: CachedStatement<'c>,
}

const ADD_NAME: &str =
    "INSERT INTO name (text, folded, seal) VALUES (?1, ?2, ?3) ON CONFLICT (text) DO NOTHING";
const FIND_NAME: &str = "SELECT number FROM name WHERE text = ?1";
const ADD_PLAY: &str = "INSERT INTO play (key, rules, start, moves, text_key) VALUES (?1, ?2, ?3, ?4, ?5) \
    ON CONFLICT (key) DO NOTHING";
const FIND_PLAY: &str = "SELECT number FROM play WHERE key = ?1";
const ADD_GAME: &str = "INSERT INTO game (id, play, variant, white, black, nature, event, site, date, day, round, \
    result, valid, plies, ending, added, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, \
    ?15, ?16, ?17) ON CONFLICT (id) DO NOTHING";
const FIND_GAME: &str = "SELECT number FROM game WHERE id = ?1";
const ADD_SUBMISSION: &str = "INSERT INTO submission (game, text_key, digest, text, report, variant, style, stood, \
    received, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (game, text_key) DO NOTHING";
const ADD_RULES: &str =
    "INSERT INTO rules (name, edition, digest, kinds, definition, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const FIND_RULES: &str = "SELECT number FROM rules WHERE digest = ?1 AND name = ?2 AND edition = ?3";

impl<'c> Store<'c> {
    /// Makes the statements ready.
    pub(super) fn new(connection: &'c Connection, names: &'c mut Names) -> Result<Store<'c>, ArchiveError> {
        Ok(Store {
            connection,
            names,
            now: now(),
            add_name: connection.prepare_cached(ADD_NAME)?,
            find_name: connection.prepare_cached(FIND_NAME)?,
            add_play: connection.prepare_cached(ADD_PLAY)?,
            find_play: connection.prepare_cached(FIND_PLAY)?,
            add_game: connection.prepare_cached(ADD_GAME)?,
            find_game: connection.prepare_cached(FIND_GAME)?,
            add_submission: connection.prepare_cached(ADD_SUBMISSION)?,
        })
    }

    /// Keeps what of a submission is not there yet.
    pub(super) fn submit(&mut self, submission: &Submission) -> Result<Kept, ArchiveError> {
        let rules = submission.game.as_ref().map(|game| self.rules(game)).transpose()?;
        let play = &submission.play;
        let text_key = play.text_key.as_ref().map(|key| &key[..]);
        let play_is_new =
            self.add_play.execute(params![submission.play_key, rules, play.start, play.moves, text_key])? > 0;
        let play = match play_is_new {
            true => self.connection.last_insert_rowid(),
            false => self.find_play.query_row([submission.play_key], |row| row.get(0))?,
        };
        let entry_is_new = self.add_entry(submission, play)?;
        let entry = match entry_is_new {
            true => self.connection.last_insert_rowid(),
            false => self.find_game.query_row([submission.id.0], |row| row.get(0))?,
        };
        let text = params![
            entry,
            submission.text_key,
            submission.digest,
            submission.text,
            submission.packed_report,
            submission.variant,
            submission.style.map(|style| style.name()),
            submission.stood,
            self.now
        ];
        let text_is_new = insert(&mut self.add_submission, "submission", text)?;
        Ok(Kept { play: play_is_new, entry: entry_is_new, text: text_is_new })
    }

    /// Adds an entry unless it is there; tells whether it was new.
    fn add_entry(&mut self, submission: &Submission, play: i64) -> Result<bool, ArchiveError> {
        let header = &submission.header;
        let Header { white, black, nature, event, site, date, round, result } = header;
        let [white, black, event, site] =
            [self.name(white)?, self.name(black)?, self.name(event)?, self.name(site)?];
        let nature = nature.as_ref().map(|nature| self.name(nature)).transpose()?;
        let report = &submission.report;
        let entry = params![
            submission.id.0,
            play,
            report.variant,
            white,
            black,
            nature,
            event,
            site,
            date,
            header.day(),
            round,
            result,
            report.legal,
            report.plies as i64,
            report.end.map(|end| end.reason.id()),
            self.now
        ];
        insert(&mut self.add_game, "game", entry)
    }

    /// The number of a name, which is added if it is not there.
    fn name(&mut self, name: &str) -> Result<i64, ArchiveError> {
        if let Some(number) = self.names.names.get(name) {
            return Ok(*number);
        }
        let number = match insert(&mut self.add_name, "name", params![name, fold(name)])? {
            false => self.find_name.query_row([name], |row| row.get(0))?,
            true => self.connection.last_insert_rowid(),
        };
        if self.names.names.len() >= ARCHIVE_NAMES_KNOWN {
            self.names.names.clear();
        }
        self.names.names.insert(name.to_owned(), number);
        Ok(number)
    }

    /// The number of the rules of a game, which are added if they are not there.
    fn rules(&mut self, game: &AnyGame) -> Result<i64, ArchiveError> {
        let id = match game {
            AnyGame::Narrow(game) => &game.id,
            AnyGame::Wide(game) => &game.id,
        };
        if let Some(number) = self.names.rules.get(&**id) {
            return Ok(*number);
        }
        let RulesId { name, edition, digest } = &**id;
        let mut find = self.connection.prepare_cached(FIND_RULES)?;
        let number = match find.query_row([digest, name, edition], |row| row.get(0)).optional()? {
            Some(number) => number,
            None => {
                let (kinds, definition) = (rules_text::kinds(game), rules_text::definition(game)?);
                let mut add = self.connection.prepare_cached(ADD_RULES)?;
                insert(&mut add, "rules", params![name, edition, digest, kinds, definition])?;
                self.connection.last_insert_rowid()
            }
        };
        if self.names.rules.len() >= ARCHIVE_NAMES_KNOWN {
            self.names.rules.clear();
        }
        self.names.rules.insert((**id).clone(), number);
        Ok(number)
    }

    /// Keeps a token, of which there may be no other good one of its name.
    pub(super) fn add_token(&mut self, token: &NewToken) -> Result<(), ArchiveError> {
        let mut taken = self.connection.prepare("SELECT 1 FROM token WHERE name = ?1 AND revoked IS NULL")?;
        if taken.exists([&token.name])? {
            return Err(ArchiveError::TokenExists(token.name.clone()));
        }
        let mut add =
            self.connection.prepare("INSERT INTO token (name, hash, created) VALUES (?1, ?2, ?3)")?;
        add.execute(params![token.name, token.hash, self.now])?;
        Ok(())
    }

    /// Lets nobody use a token any more.
    pub(super) fn revoke_token(&mut self, name: &str) -> Result<(), ArchiveError> {
        let revoke = "UPDATE token SET revoked = ?2 WHERE name = ?1 AND revoked IS NULL";
        match self.connection.execute(revoke, params![name, self.now])? {
            0 => Err(ArchiveError::TokenMissing(name.to_owned())),
            _ => Ok(()),
        }
    }

    /// Writes something that means nothing.
    pub(super) fn probe(&mut self) -> Result<(), ArchiveError> {
        let probe = "INSERT INTO probe VALUES (1, ?1) ON CONFLICT (number) DO UPDATE SET checked = ?1";
        self.connection.execute(probe, [self.now])?;
        Ok(())
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
