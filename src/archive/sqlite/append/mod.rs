//! The writes of one transaction.

mod forget;

pub(super) use forget::IS_BLANK;

use super::find;
use super::log::{Events, Keeper, Previous, following, previous, text_commitment};
use super::private;
use crate::archive::GameId;
use crate::archive::error::ArchiveError;
use crate::archive::identity::{Header, to_hex};
use crate::archive::log::{Batch, GameFacts, Kind, Leaf, Private, commitment};
use crate::archive::rules_text;
use crate::archive::store::{Added, Write, Written};
use crate::archive::submission::Submission;
use crate::archive::time_text;
use crate::archive::tokens::NewToken;
use crate::archive::withdrawals::Withdrawal;
use crate::replay::AnyGame;
use crate::rules::RulesId;
use crate::text::fold::fold;
use crate::text::limits::ARCHIVE_NAMES_KNOWN;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Params, params};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A cache of row numbers, so that they need not be looked up for every game.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The state of the file that the cache is of: other programs may forget names.
    version: i64,
    names: HashMap<String, i64>,
    rules: HashMap<RulesId, i64>,
}

impl Names {
    /// Clears the cache, since the transaction that assigned the numbers was rolled back, or names were forgotten.
    pub(super) fn forget(&mut self) {
        *self = Names { version: self.version, ..Names::default() };
    }

    /// Clears the cache if another program has written since.
    fn refresh(&mut self, connection: &Connection) -> Result<(), ArchiveError> {
        let mut find = connection.prepare_cached("SELECT data_version FROM pragma_data_version()")?;
        let version = find.query_row([], |row| row.get(0))?;
        if version != self.version {
            *self = Names { version, ..Names::default() };
        }
        Ok(())
    }
}

/// The statements of a transaction.
pub(super) struct Rows<'c> {
    connection: &'c Connection,
    names: &'c mut Names,
    /// Whether any entry was forgotten.
    has_forgotten: bool,
    events: Events<'c>,
    add_name: CachedStatement<'c>,
    find_name: CachedStatement<'c>,
    add_play: CachedStatement<'c>,
    find_play: CachedStatement<'c>,
    add_game: CachedStatement<'c>,
    find_game: CachedStatement<'c>,
    add_submission: CachedStatement<'c>,
}

const ADD_NAME: &str = "INSERT INTO name (text, folded) VALUES (?1, ?2) ON CONFLICT (text) DO NOTHING";
const FIND_NAME: &str = "SELECT number FROM name WHERE text = ?1";
const ADD_PLAY: &str = "INSERT INTO play (key, rules, start, moves, text_key) VALUES (?1, ?2, ?3, ?4, ?5) \
    ON CONFLICT (key) DO NOTHING";
const FIND_PLAY: &str = "SELECT number FROM play WHERE key = ?1";
const ADD_GAME: &str = "INSERT INTO game (id, play, variant, white, black, nature, event, site, date, day, round, \
    result, valid, plies, ending, added) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, \
    ?16)";
const FIND_GAME: &str = "SELECT number FROM game WHERE id = ?1";
const ADD_SUBMISSION: &str = "INSERT INTO submission (game, text_key, digest, text, report, variant, style, \
    let_stand, received, token, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
    ON CONFLICT (game, text_key) DO NOTHING";
const ADD_WITHDRAWAL: &str = "INSERT INTO withdrawal (game, successor, because, token, withdrawn, event) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (game) DO NOTHING";
const ADD_RULES: &str =
    "INSERT INTO rules (name, edition, digest, definition, event) VALUES (?1, ?2, ?3, ?4, ?5)";
const ADD_TOKEN: &str = "INSERT INTO token (name, hash, holder, scopes, expires, created, event) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
/// The last event about an entry.
pub(super) const LAST_EVENT: &str = "SELECT max(event) FROM (SELECT event FROM submission WHERE game = ?1 UNION ALL \
    SELECT event FROM withdrawal WHERE game = ?1 UNION ALL SELECT event FROM forgotten WHERE game = ?1)";
const FIND_RULES: &str = "SELECT number FROM rules WHERE digest = ?1 AND name = ?2 AND edition = ?3";

impl<'c> Rows<'c> {
    /// Prepares the statements.
    pub(super) fn new(connection: &'c Connection, names: &'c mut Names) -> Result<Rows<'c>, ArchiveError> {
        names.refresh(connection)?;
        let has_forgotten = connection.prepare_cached("SELECT 1 FROM forgotten LIMIT 1")?.exists([])?;
        Ok(Rows {
            connection,
            names,
            has_forgotten,
            events: Events::new(connection, now())?,
            add_name: connection.prepare_cached(ADD_NAME)?,
            find_name: connection.prepare_cached(FIND_NAME)?,
            add_play: connection.prepare_cached(ADD_PLAY)?,
            find_play: connection.prepare_cached(FIND_PLAY)?,
            add_game: connection.prepare_cached(ADD_GAME)?,
            find_game: connection.prepare_cached(FIND_GAME)?,
            add_submission: connection.prepare_cached(ADD_SUBMISSION)?,
        })
    }

    /// Finishes the transaction by signing the log.
    pub(super) fn finish(&mut self, keeper: &mut Keeper) -> Result<Option<Arc<Batch>>, ArchiveError> {
        self.events.finish(self.connection, keeper)
    }

    /// Executes one write.
    pub(super) fn write(&mut self, write: &Write<'_>) -> Result<Written, ArchiveError> {
        let event = match write {
            Write::Keep(submissions) => {
                let added: Result<_, _> =
                    submissions.iter().map(|submission| self.submit(submission)).collect();
                return Ok(Written { added: added?, event: None });
            }
            Write::AddToken(token) => Some(self.add_token(token)?),
            Write::RevokeToken(name) => Some(self.revoke_token(name)?),
            Write::Withdraw(withdrawal) => Some(self.withdraw(withdrawal)?),
            Write::Forget(forgetting) => Some(self.forget(forgetting)?),
            Write::Probe => {
                self.probe()?;
                None
            }
        };
        Ok(Written { added: Vec::new(), event })
    }

    /// Stores the parts of a submission that are not stored yet.
    fn submit(&mut self, submission: &Submission) -> Result<Added, ArchiveError> {
        // What was forgotten stays so.
        if self.has_forgotten && find::forgotten(self.connection, submission.id)?.is_some() {
            return Ok(Added::FORGOTTEN);
        }
        let rules = submission.game.as_ref().map(|game| self.rules(game)).transpose()?;
        let play = &submission.play;
        let text_key = play.text_key.as_ref().map(|key| &key[..]);
        let row = params![submission.play_key, rules, play.start, play.moves, text_key];
        let added_play = inserted(self.connection, &mut self.add_play, row)?;
        let play = match added_play {
            Some(number) => number,
            None => self.find_play.query_row([submission.play_key], |row| row.get(0))?,
        };
        let known = self.find_game.query_row([submission.id.0], |row| row.get(0)).optional()?;
        let entry = match known {
            Some(number) => number,
            None => self.add_entry(submission, play)?,
        };
        let event = self.events.next();
        let row = params![
            entry,
            submission.text_key,
            submission.digest,
            submission.text,
            submission.packed_report,
            submission.variant,
            submission.style.map(|style| style.name()),
            submission.let_stand,
            self.events.now(),
            submission.token,
            event
        ];
        // A new entry has no text yet, and a new play no entry: without a new text nothing is new.
        let event = match inserted(self.connection, &mut self.add_submission, row)? {
            Some(_) if known.is_none() => Some(self.log_submission(submission, true, None)?),
            Some(_) => {
                let before = self.last_event(entry, event)?;
                Some(self.log_submission(submission, false, before.as_ref())?)
            }
            None => None,
        };
        let (play, entry, text) = (added_play.is_some(), known.is_none(), event.is_some());
        Ok(Added { play, entry, text, event, is_forgotten: false })
    }

    /// Adds the event of a submission.
    fn log_submission(
        &mut self,
        submission: &Submission,
        is_first: bool,
        before: Option<&Previous>,
    ) -> Result<u64, ArchiveError> {
        let salt = self.events.salt()?;
        let report = &submission.report;
        let facts = GameFacts {
            ending: report.end.map(|end| Cow::Borrowed(end.reason.id())),
            legal: u8::from(report.legal),
            play: Cow::Owned(to_hex(&submission.play_key)),
            plies: report.plies as u64,
            report: commitment(&salt, "report", &submission.report_digest),
            result: Cow::Borrowed(&submission.header.result),
            rules: submission.game.as_ref().map(|game| Cow::Borrowed(&*game.id().digest)),
            text: text_commitment(&salt, &submission.digest),
            variant: Cow::Borrowed(&report.variant),
        };
        let private = Private {
            token: submission.token.as_deref().map(Cow::Borrowed),
            ..private::read_as(
                submission.variant.as_deref(),
                submission.style.map(|style| style.name()),
                submission.let_stand,
            )
        };
        let private = if is_first { private::with_header(private, &submission.header) } else { private };
        let leaf = Leaf {
            game: Some(facts),
            private: Some(private.commitment(&salt)?),
            ..Leaf::new(Kind::Submission, to_hex(&submission.id.0), self.events.time())
        };
        let leaf = following(leaf, before).bytes()?;
        self.events.add(&leaf, Some(salt))
    }

    /// The place of the next event about an entry, after those before `event`.
    fn last_event(&self, entry: i64, event: i64) -> Result<Option<Previous>, ArchiveError> {
        let without = format!("{LAST_EVENT} WHERE event < ?2");
        let mut find = self.connection.prepare_cached(&without)?;
        let last: Option<i64> = find.query_row([entry, event], |row| row.get(0))?;
        last.map(|last| previous(self.connection, last)).transpose()
    }

    /// Adds an entry with its names; returns its number.
    fn add_entry(&mut self, submission: &Submission, play: i64) -> Result<i64, ArchiveError> {
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
            self.events.now()
        ];
        self.add_game.execute(entry)?;
        Ok(self.connection.last_insert_rowid())
    }

    /// The number of a name, which is added if necessary.
    fn name(&mut self, name: &str) -> Result<i64, ArchiveError> {
        if let Some(number) = self.names.names.get(name) {
            return Ok(*number);
        }
        let number = match inserted(self.connection, &mut self.add_name, params![name, fold(name)])? {
            Some(number) => number,
            None => self.find_name.query_row([name], |row| row.get(0))?,
        };
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
            None => self.add_rules(id, &rules_text::definition(game)?)?,
        };
        if self.names.rules.len() >= ARCHIVE_NAMES_KNOWN {
            self.names.rules.clear();
        }
        self.names.rules.insert(id.clone(), number);
        Ok(number)
    }

    fn add_rules(&mut self, id: &RulesId, definition: &str) -> Result<i64, ArchiveError> {
        let RulesId { name, edition, digest } = id;
        // Rules with another name may have the same digest.
        let last = "SELECT max(event) FROM rules WHERE digest = ?1";
        let last: Option<i64> = self.connection.query_row(last, [digest], |row| row.get(0))?;
        let before = last.map(|last| previous(self.connection, last)).transpose()?;
        let row = params![name, edition, digest, definition, self.events.next()];
        self.connection.prepare_cached(ADD_RULES)?.execute(row)?;
        let number = self.connection.last_insert_rowid();
        let leaf = Leaf {
            definition: Some(Cow::Owned(to_hex(&Sha256::digest(definition)))),
            edition: Some(Cow::Borrowed(edition)),
            name: Some(Cow::Borrowed(name)),
            ..Leaf::new(Kind::Rules, digest, self.events.time())
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        self.events.add(&leaf, None)?;
        Ok(number)
    }

    /// Stores a token; no other valid token may have its name.
    fn add_token(&mut self, token: &NewToken) -> Result<u64, ArchiveError> {
        let mut taken = self.connection.prepare("SELECT 1 FROM token WHERE name = ?1 AND revoked IS NULL")?;
        if taken.exists([&token.name])? {
            return Err(ArchiveError::TokenExists(token.name.clone()));
        }
        let NewToken { name, hash, holder, scopes, expires } = token;
        let row = params![name, hash, holder, scopes, expires, self.events.now(), self.events.next()];
        self.connection.execute(ADD_TOKEN, row)?;
        let salt = self.events.salt()?;
        let private = private::of_token(name, holder);
        let leaf = Leaf {
            expires: expires.map(|expires| Cow::Owned(time_text(expires))),
            private: Some(private.commitment(&salt)?),
            scopes: Some(Cow::Borrowed(scopes)),
            ..Leaf::new(Kind::Token, to_hex(hash), self.events.time())
        };
        let leaf = leaf.bytes()?;
        self.events.add(&leaf, Some(salt))
    }

    /// Revokes a token.
    fn revoke_token(&mut self, name: &str) -> Result<u64, ArchiveError> {
        let find = "SELECT hash, event FROM token WHERE name = ?1 AND revoked IS NULL";
        let mut find = self.connection.prepare(find)?;
        let found: Option<([u8; 32], i64)> =
            find.query_row([name], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let (hash, last) = found.ok_or_else(|| ArchiveError::TokenMissing(name.to_owned()))?;
        let revoke = "UPDATE token SET revoked = ?2, event = ?3 WHERE hash = ?1";
        self.connection.execute(revoke, params![hash, self.events.now(), self.events.next()])?;
        let before = previous(self.connection, last)?;
        let leaf = Leaf::new(Kind::Revocation, to_hex(&hash), self.events.time());
        let leaf = following(leaf, Some(&before)).bytes()?;
        self.events.add(&leaf, None)
    }

    /// Withdraws an entry.
    fn withdraw(&mut self, withdrawal: &Withdrawal) -> Result<u64, ArchiveError> {
        let Withdrawal { id, successor: successor_id, because, token } = withdrawal;
        let game = self.game(*id)?.ok_or(ArchiveError::NoGame(*id))?;
        if let Some(forgotten) = find::forgotten(self.connection, *id)? {
            return Err(ArchiveError::Forgotten(Box::new(forgotten)));
        }
        let successor = successor_id.map(|successor| self.successor(*id, successor)).transpose()?;
        let event = self.events.next();
        let mut add = self.connection.prepare_cached(ADD_WITHDRAWAL)?;
        if add.execute(params![game, successor, because, token, self.events.now(), event])? == 0 {
            let why =
                format!("the game {id} is withdrawn already; `ferz archive list --withdrawn` shows why");
            return Err(ArchiveError::Withdrawal(why));
        }
        let salt = self.events.salt()?;
        let before = self.last_event(game, event)?;
        let private = private::of_withdrawal(because, token.as_deref());
        let leaf = Leaf {
            private: Some(private.commitment(&salt)?),
            successor: successor_id.map(|successor| Cow::Owned(to_hex(&successor.0))),
            ..Leaf::new(Kind::Withdrawal, to_hex(&id.0), self.events.time())
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        self.events.add(&leaf, Some(salt))
    }

    /// The number of the entry that supersedes another one.
    fn successor(&self, id: GameId, successor: GameId) -> Result<i64, ArchiveError> {
        let wrong = |why: &str| ArchiveError::Withdrawal(format!("{successor} cannot supersede {id}: {why}"));
        if successor == id {
            return Err(wrong("it is the same game; name the corrected one"));
        }
        let number =
            self.game(successor)?.ok_or_else(|| wrong("the archive does not have it; import it first"))?;
        if find::forgotten(self.connection, successor)?.is_some() {
            return Err(wrong("it was forgotten"));
        }
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
        self.connection.execute(probe, [self.events.now()])?;
        Ok(())
    }
}

/// Executes an insertion; returns the number of the new row, or `None` if the row was there.
fn inserted(
    connection: &Connection,
    add: &mut CachedStatement<'_>,
    row: impl Params,
) -> Result<Option<i64>, ArchiveError> {
    Ok((add.execute(row)? > 0).then(|| connection.last_insert_rowid()))
}

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
