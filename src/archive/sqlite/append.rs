//! The writes of one transaction.

use super::head::{GAME, Head, NAME, PLAY, RULES, SUBMISSION};
use super::seal::{self, SealBytes, TOKEN_COLUMNS, insert};
use crate::archive::GameId;
use crate::archive::error::ArchiveError;
use crate::archive::identity::Header;
use crate::archive::rules_text;
use crate::archive::store::{Added, Write};
use crate::archive::submission::Submission;
use crate::archive::tokens::NewToken;
use crate::archive::withdrawals::Withdrawal;
use crate::replay::AnyGame;
use crate::rules::RulesId;
use crate::text::fold::fold;
use crate::text::limits::ARCHIVE_NAMES_KNOWN;
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// A cache of row numbers, so that they need not be looked up for every game.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: HashMap<String, i64>,
    rules: HashMap<RulesId, i64>,
}

impl Names {
    /// Clears the cache, since the transaction that assigned the numbers was rolled back.
    pub(super) fn forget(&mut self) {
        *self = Names::default();
    }
}

/// The statements of a transaction.
pub(super) struct Rows<'c> {
    connection: &'c Connection,
    names: &'c mut Names,
    /// The head before the transaction, and after it.
    before: Head,
    head: Head,
    now: i64,
    add_name: CachedStatement<'c>,
    find_name: CachedStatement<'c>,
    add_play: CachedStatement<'c>,
    find_play: CachedStatement<'c>,
    add_game: CachedStatement<'c>,
    find_game: CachedStatement<'c>,
    add_submission: CachedStatement<'c>,
}

const ADD_NAME: &str = "INSERT INTO name (number, text, folded, seal) VALUES (?1, ?2, ?3, ?4) ON CONFLICT \
    (text) DO NOTHING";
const FIND_NAME: &str = "SELECT number FROM name WHERE text = ?1";
const ADD_PLAY: &str = "INSERT INTO play (number, key, rules, start, moves, text_key) VALUES (?1, ?2, ?3, \
    ?4, ?5, ?6) ON CONFLICT (key) DO NOTHING";
const FIND_PLAY: &str = "SELECT number FROM play WHERE key = ?1";
const ADD_GAME: &str = "INSERT INTO game (number, id, play, variant, white, black, nature, event, site, \
    date, day, round, result, valid, plies, ending, added, seal) VALUES (?1, ?2, ?3, ?4, \
    ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18) ON CONFLICT (id) DO \
    NOTHING";
const FIND_GAME: &str = "SELECT number FROM game WHERE id = ?1";
const ADD_SUBMISSION: &str = "INSERT INTO submission (number, game, text_key, digest, text, report, variant, \
    style, stood, received, token, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \
    ?10, ?11, ?12) ON CONFLICT (game, text_key) DO NOTHING";
const ADD_WITHDRAWAL: &str = "INSERT INTO withdrawal (number, game, successor, because, token, withdrawn, seal) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (game) DO NOTHING";
const ADD_RULES: &str = "INSERT INTO rules (number, name, edition, digest, kinds, definition, seal) VALUES \
    (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const FIND_RULES: &str = "SELECT number FROM rules WHERE digest = ?1 AND name = ?2 AND edition = ?3";

impl<'c> Rows<'c> {
    /// Prepares the statements.
    pub(super) fn new(connection: &'c Connection, names: &'c mut Names) -> Result<Rows<'c>, ArchiveError> {
        let head = Head::whole(connection)?;
        Ok(Rows {
            connection,
            names,
            before: head,
            head,
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

    /// Finishes the transaction by updating the head.
    pub(super) fn finish(&mut self) -> Result<(), ArchiveError> {
        if self.head == self.before { Ok(()) } else { self.head.write(self.connection) }
    }

    /// The number of the next row of a table.
    fn next(&self, table: usize) -> i64 {
        self.head.last[table] + 1
    }

    /// Executes one write; returns what each of its submissions added.
    pub(super) fn write(&mut self, write: &Write<'_>) -> Result<Vec<Added>, ArchiveError> {
        match write {
            Write::Keep(submissions) => {
                return submissions.iter().map(|submission| self.submit(submission)).collect();
            }
            Write::AddToken(token) => self.add_token(token)?,
            Write::RevokeToken(name) => self.revoke_token(name)?,
            Write::Withdraw(withdrawal) => self.withdraw(withdrawal)?,
            Write::Probe => self.probe()?,
        }
        Ok(Vec::new())
    }

    /// Stores the parts of a submission that are not stored yet.
    fn submit(&mut self, submission: &Submission) -> Result<Added, ArchiveError> {
        let rules = submission.game.as_ref().map(|game| self.rules(game)).transpose()?;
        let play = &submission.play;
        let text_key = play.text_key.as_ref().map(|key| &key[..]);
        let next = self.next(PLAY);
        let row = params![next, submission.play_key, rules, play.start, play.moves, text_key];
        let play_is_new = self.add_play.execute(row)? > 0;
        let play = match play_is_new {
            true => next,
            false => self.find_play.query_row([submission.play_key], |row| row.get(0))?,
        };
        self.head.last[PLAY] += i64::from(play_is_new);
        let next = self.next(GAME);
        let entry_is_new = self.add_entry(submission, next, play)?;
        let entry = match entry_is_new {
            true => next,
            false => self.find_game.query_row([submission.id.0], |row| row.get(0))?,
        };
        self.head.last[GAME] += i64::from(entry_is_new);
        let text = params![
            entry,
            submission.text_key,
            submission.digest,
            submission.text,
            submission.packed_report,
            submission.variant,
            submission.style.map(|style| style.name()),
            submission.let_stand,
            self.now,
            submission.token
        ];
        let next = self.next(SUBMISSION);
        let text_is_new = insert(&mut self.add_submission, &seal::SUBMISSION, next, text)?;
        self.head.last[SUBMISSION] += i64::from(text_is_new);
        Ok(Added { play: play_is_new, entry: entry_is_new, text: text_is_new })
    }

    /// Adds an entry unless it exists; true if it was new.
    fn add_entry(&mut self, submission: &Submission, number: i64, play: i64) -> Result<bool, ArchiveError> {
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
        insert(&mut self.add_game, &seal::GAME, number, entry)
    }

    /// The number of a name, which is added if necessary.
    fn name(&mut self, name: &str) -> Result<i64, ArchiveError> {
        if let Some(number) = self.names.names.get(name) {
            return Ok(*number);
        }
        let next = self.next(NAME);
        let is_new = insert(&mut self.add_name, &seal::NAME, next, params![name, fold(name)])?;
        let number = match is_new {
            true => next,
            false => self.find_name.query_row([name], |row| row.get(0))?,
        };
        self.head.last[NAME] += i64::from(is_new);
        if self.names.names.len() >= ARCHIVE_NAMES_KNOWN {
            self.names.names.clear();
        }
        self.names.names.insert(name.to_owned(), number);
        Ok(number)
    }

    /// The number of a game's rules, which are added if necessary.
    fn rules(&mut self, game: &AnyGame) -> Result<i64, ArchiveError> {
        let id = game.id();
        if let Some(number) = self.names.rules.get(id) {
            return Ok(*number);
        }
        let RulesId { name, edition, digest } = id;
        let mut find = self.connection.prepare_cached(FIND_RULES)?;
        let number = match find.query_row([digest, name, edition], |row| row.get(0)).optional()? {
            Some(number) => number,
            None => {
                let (kinds, definition) = (rules_text::kinds(game), rules_text::definition(game)?);
                let mut add = self.connection.prepare_cached(ADD_RULES)?;
                let next = self.next(RULES);
                insert(&mut add, &seal::RULES, next, params![name, edition, digest, kinds, definition])?;
                self.head.last[RULES] = next;
                next
            }
        };
        if self.names.rules.len() >= ARCHIVE_NAMES_KNOWN {
            self.names.rules.clear();
        }
        self.names.rules.insert(id.clone(), number);
        Ok(number)
    }

    /// Stores a token; no other valid token may have its name.
    fn add_token(&mut self, token: &NewToken) -> Result<(), ArchiveError> {
        let mut taken = self.connection.prepare("SELECT 1 FROM token WHERE name = ?1 AND revoked IS NULL")?;
        if taken.exists([&token.name])? {
            return Err(ArchiveError::TokenExists(token.name.clone()));
        }
        let add = "INSERT INTO token (name, hash, created, seal) VALUES (?1, ?2, ?3, ?4)";
        let seal = self.token_seal(&token.name, &token.hash, self.now, None)?;
        self.connection.execute(add, params![token.name, token.hash, self.now, seal])?;
        self.head.tokens += 1;
        Ok(())
    }

    fn token_seal(
        &self,
        name: &str,
        hash: &[u8; 32],
        created: i64,
        revoked: Option<i64>,
    ) -> Result<SealBytes, ArchiveError> {
        seal::seal("token", None, params![name, hash, created, revoked])
    }

    /// Revokes a token. A damaged row keeps its seal, so that the damage still shows.
    fn revoke_token(&mut self, name: &str) -> Result<(), ArchiveError> {
        let find = format!("SELECT {TOKEN_COLUMNS}, seal FROM token WHERE name = ?1 AND revoked IS NULL");
        let mut find = self.connection.prepare(&find)?;
        let found = find.query_row([name], |row| {
            let (hash, created): ([u8; 32], i64) = (row.get(1)?, row.get(2)?);
            let seal: Option<Vec<u8>> = row.get(4)?;
            let whole = seal::token_seal(row)?;
            Ok((hash, created, seal.as_deref() == Some(&whole[..]), seal))
        });
        let (hash, created, is_whole, before) =
            found.optional()?.ok_or_else(|| ArchiveError::TokenMissing(name.to_owned()))?;
        let seal = match is_whole {
            true => Some(self.token_seal(name, &hash, created, Some(self.now))?.to_vec()),
            false => before,
        };
        let revoke = "UPDATE token SET revoked = ?2, seal = ?3 WHERE hash = ?1";
        self.connection.execute(revoke, params![hash, self.now, seal])?;
        self.head.revoked += 1;
        Ok(())
    }

    /// Withdraws an entry.
    fn withdraw(&mut self, withdrawal: &Withdrawal) -> Result<(), ArchiveError> {
        let Withdrawal { id, successor, because, token } = withdrawal;
        let game = self.game(*id)?.ok_or(ArchiveError::NoGame(*id))?;
        let successor = successor.map(|successor| self.successor(*id, successor)).transpose()?;
        let number = self.head.withdrawals + 1;
        let mut add = self.connection.prepare_cached(ADD_WITHDRAWAL)?;
        let row = params![game, successor, because, token, self.now];
        if !insert(&mut add, &seal::WITHDRAWAL, number, row)? {
            return Err(ArchiveError::Withdrawal(format!("the game {id} is withdrawn already")));
        }
        self.head.withdrawals = number;
        Ok(())
    }

    /// The number of the entry that supersedes another one.
    fn successor(&self, id: GameId, successor: GameId) -> Result<i64, ArchiveError> {
        let wrong = |why: &str| ArchiveError::Withdrawal(format!("{successor} cannot supersede {id}: {why}"));
        if successor == id {
            return Err(wrong("it is the same game; name the corrected one"));
        }
        let number =
            self.game(successor)?.ok_or_else(|| wrong("the archive does not have it; import it first"))?;
        let mut find = self.connection.prepare_cached("SELECT 1 FROM withdrawal WHERE game = ?1")?;
        if find.exists([number])? {
            return Err(wrong("it is withdrawn itself"));
        }
        Ok(number)
    }

    /// The number of an entry, if it exists.
    fn game(&self, id: GameId) -> Result<Option<i64>, ArchiveError> {
        let mut find = self.connection.prepare_cached(FIND_GAME)?;
        Ok(find.query_row([id.0], |row| row.get(0)).optional()?)
    }

    /// Writes a probe row.
    fn probe(&mut self) -> Result<(), ArchiveError> {
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
