//! The writes of one transaction.

mod forget;

use super::find;
use super::head::{GAME, Head, NAME, PLAY, RULES, SUBMISSION};
use super::log::{self, Events, Keeper, Previous, following, previous, text_commitment};
use super::open::KNOWN;
use super::seal::{self, RowDigest, SealBytes, digest, insert, token_list};
use crate::archive::GameId;
use crate::archive::error::ArchiveError;
use crate::archive::identity::Header;
use crate::archive::identity::to_hex;
use crate::archive::log::{Batch, GameFacts, Kind, Leaf, LoggedRow, Salt};
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
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
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
    /// The head before the transaction, and after it.
    before: Head,
    head: Head,
    now: i64,
    /// Whether any entry was forgotten.
    has_forgotten: bool,
    events: Events<'c>,
    /// Names that were added and are in no event yet: number, digest, salt.
    new_names: Vec<(i64, RowDigest, Salt)>,
    add_name: CachedStatement<'c>,
    find_name: CachedStatement<'c>,
    add_play: CachedStatement<'c>,
    find_play: CachedStatement<'c>,
    add_game: CachedStatement<'c>,
    find_game: CachedStatement<'c>,
    add_submission: CachedStatement<'c>,
}

const ADD_NAME: &str = "INSERT INTO name (number, text, folded, seal, salt) VALUES (?1, ?2, ?3, ?4, ?5) ON \
    CONFLICT (text) DO NOTHING";
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
    style, stood, received, token, seal, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \
    ?10, ?11, ?12, ?13) ON CONFLICT (game, text_key) DO NOTHING";
const ADD_WITHDRAWAL: &str = "INSERT INTO withdrawal (number, game, successor, because, token, withdrawn, seal, event) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (game) DO NOTHING";
const ADD_RULES: &str = "INSERT INTO rules (number, name, edition, digest, kinds, definition, seal) VALUES \
    (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
/// The last event about an entry.
pub(super) const LAST_EVENT: &str = "SELECT max(event) FROM (SELECT event FROM submission WHERE game = ?1 UNION ALL \
    SELECT event FROM withdrawal WHERE game = ?1 UNION ALL SELECT event FROM forgotten WHERE game = ?1)";
const FIND_RULES: &str = "SELECT number FROM rules WHERE digest = ?1 AND name = ?2 AND edition = ?3";

impl<'c> Rows<'c> {
    /// Prepares the statements.
    pub(super) fn new(connection: &'c Connection, names: &'c mut Names) -> Result<Rows<'c>, ArchiveError> {
        names.refresh(connection)?;
        let (head, now) = (Head::whole(connection)?, now());
        let has_forgotten = connection.prepare_cached("SELECT 1 FROM forgotten LIMIT 1")?.exists([])?;
        Ok(Rows {
            connection,
            names,
            before: head,
            head,
            now,
            has_forgotten,
            events: Events::new(connection, now)?,
            new_names: Vec::new(),
            add_name: connection.prepare_cached(ADD_NAME)?,
            find_name: connection.prepare_cached(FIND_NAME)?,
            add_play: connection.prepare_cached(ADD_PLAY)?,
            find_play: connection.prepare_cached(FIND_PLAY)?,
            add_game: connection.prepare_cached(ADD_GAME)?,
            find_game: connection.prepare_cached(FIND_GAME)?,
            add_submission: connection.prepare_cached(ADD_SUBMISSION)?,
        })
    }

    /// Finishes the transaction by updating the head and signing the log.
    pub(super) fn finish(&mut self, keeper: &mut Keeper) -> Result<Option<Arc<Batch>>, ArchiveError> {
        if self.head != self.before {
            self.head.write(self.connection)?;
        }
        self.events.finish(self.connection, keeper)
    }

    /// The number of the next row of a table.
    fn next(&self, table: usize) -> i64 {
        self.head.last[table] + 1
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
        let next = self.next(PLAY);
        let row = params![next, submission.play_key, rules, play.start, play.moves, text_key];
        let play_is_new = self.add_play.execute(row)? > 0;
        let play = match play_is_new {
            true => next,
            false => self.find_play.query_row([submission.play_key], |row| row.get(0))?,
        };
        self.head.last[PLAY] += i64::from(play_is_new);
        let mut rows = Vec::with_capacity(4);
        if play_is_new {
            let key: &[u8] = &submission.play_key;
            let values = params![key, rules, submission.play.start, submission.play.moves, text_key];
            rows.push(log::row("play", play, &seal::play_digest(play, values)?, None));
        }
        let salt = self.events.salt()?;
        let next = self.next(GAME);
        let entry_digest = self.add_entry(submission, next, play)?;
        let entry_is_new = entry_digest.is_some();
        let entry = match entry_is_new {
            true => next,
            false => self.find_game.query_row([submission.id.0], |row| row.get(0))?,
        };
        self.head.last[GAME] += i64::from(entry_is_new);
        rows.extend(entry_digest.map(|digest| log::row("game", entry, &digest, Some(&salt))));
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
        let (next, event) = (self.next(SUBMISSION), self.events.next());
        let text_digest = insert(&mut self.add_submission, &seal::SUBMISSION, next, text, params![event])?;
        let text_is_new = text_digest.is_some();
        self.head.last[SUBMISSION] += i64::from(text_is_new);
        rows.extend(text_digest.map(|digest| log::row("submission", next, &digest, Some(&salt))));
        let before = if entry_is_new || !text_is_new { None } else { self.last_event(entry, event)? };
        let event = self.log_submission(submission, rows, salt, before.as_ref())?;
        let (play, entry, text) = (play_is_new, entry_is_new, text_is_new);
        Ok(Added { play, entry, text, event, is_forgotten: false })
    }

    /// Adds the event of a submission, unless it added nothing.
    fn log_submission(
        &mut self,
        submission: &Submission,
        mut rows: Vec<LoggedRow<'_>>,
        salt: Salt,
        before: Option<&Previous>,
    ) -> Result<Option<u64>, ArchiveError> {
        let names = self.new_names.drain(..);
        rows.extend(names.map(|(number, digest, salt)| log::row("name", number, &digest, Some(&salt))));
        if rows.is_empty() {
            return Ok(None);
        }
        let report = &submission.report;
        let facts = GameFacts {
            play: Cow::Owned(to_hex(&submission.play_key)),
            valid: report.legal,
            plies: report.plies as i64,
            result: Cow::Borrowed(&submission.header.result),
            text: Some(text_commitment(&salt, &submission.text_hash)),
        };
        let leaf = Leaf::new(Kind::Submission, to_hex(&submission.id.0), self.events.time());
        let leaf = following(Leaf { game: Some(facts), rows, ..leaf }, before).bytes()?;
        self.events.add(&leaf, Some(salt)).map(Some)
    }

    /// The place of the next event about an entry, after those before `event`.
    fn last_event(&self, entry: i64, event: i64) -> Result<Option<Previous>, ArchiveError> {
        let without = format!("{LAST_EVENT} WHERE event < ?2");
        let mut find = self.connection.prepare_cached(&without)?;
        let last: Option<i64> = find.query_row([entry, event], |row| row.get(0))?;
        last.map(|last| previous(self.connection, last)).transpose()
    }

    /// Adds an entry unless it exists; returns the digest of its row if it was new.
    fn add_entry(
        &mut self,
        submission: &Submission,
        number: i64,
        play: i64,
    ) -> Result<Option<RowDigest>, ArchiveError> {
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
        insert(&mut self.add_game, &seal::GAME, number, entry, &[])
    }

    /// The number of a name, which is added if necessary.
    fn name(&mut self, name: &str) -> Result<i64, ArchiveError> {
        if let Some(number) = self.names.names.get(name) {
            return Ok(*number);
        }
        let (next, salt) = (self.next(NAME), self.events.salt()?);
        let digest = insert(&mut self.add_name, &seal::NAME, next, params![name, fold(name)], params![salt])?;
        let number = match digest {
            Some(_) => next,
            None => self.find_name.query_row([name], |row| row.get(0))?,
        };
        self.head.last[NAME] += i64::from(digest.is_some());
        self.new_names.extend(digest.map(|digest| (number, digest, salt)));
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
                let row = params![name, edition, digest, kinds, definition];
                let row = insert(&mut add, &seal::RULES, next, row, &[])?.unwrap_or_default();
                self.head.last[RULES] = next;
                let rows = vec![log::row("rules", next, &row, None)];
                let leaf = Leaf { rows, ..Leaf::new(Kind::Rules, digest, self.events.time()) };
                self.events.add(&leaf.bytes()?, None)?;
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
    fn add_token(&mut self, token: &NewToken) -> Result<u64, ArchiveError> {
        let mut taken = self.connection.prepare("SELECT 1 FROM token WHERE name = ?1 AND revoked IS NULL")?;
        if taken.exists([&token.name])? {
            return Err(ArchiveError::TokenExists(token.name.clone()));
        }
        let NewToken { name, hash, holder, scopes, expires } = token;
        let (now, event) = (self.now, self.events.next());
        let add = "INSERT INTO token (name, hash, created, holder, scopes, expires, seal, event) VALUES (?1, ?2, ?3, \
            ?4, ?5, ?6, ?7, ?8)";
        let none = None::<i64>;
        let seal = seal::seal("token", None, params![name, hash, now, none, holder, scopes, expires])?;
        self.connection.execute(add, params![name, hash, now, holder, scopes, expires, seal, event])?;
        self.head.tokens += 1;
        let (salt, expires_text) = (self.events.salt()?, expires.map(time_text));
        let digest = digest("token", None, params![name, hash, now, holder, scopes, expires])?;
        let leaf = Leaf {
            scopes: Some(Cow::Borrowed(scopes)),
            expires: expires_text.map(Cow::Owned),
            rows: vec![log::row("token", 0, &digest, Some(&salt))],
            ..Leaf::new(Kind::Token, to_hex(hash), self.events.time())
        };
        let leaf = leaf.bytes()?;
        self.events.add(&leaf, Some(salt))
    }

    /// Revokes a token. A damaged row keeps its seal, so that the damage still shows.
    fn revoke_token(&mut self, name: &str) -> Result<u64, ArchiveError> {
        let columns = token_list(KNOWN);
        let find = format!("SELECT {columns}, seal, event FROM token WHERE name = ?1 AND revoked IS NULL");
        let mut find = self.connection.prepare(&find)?;
        let found = find.query_row([name], |row| {
            let seal: Option<Vec<u8>> = row.get("seal")?;
            let is_whole = seal.as_deref() == Some(&seal::token_seal(row, KNOWN)?[..]);
            Ok((row.get(1)?, is_whole, row.get("event")?))
        });
        let found: Option<([u8; 32], bool, Option<i64>)> = found.optional()?;
        let (hash, is_whole, last) = found.ok_or_else(|| ArchiveError::TokenMissing(name.to_owned()))?;
        let event = self.events.next();
        let revoke = "UPDATE token SET revoked = ?2, event = ?3 WHERE hash = ?1";
        self.connection.execute(revoke, params![hash, self.now, event])?;
        if is_whole {
            let find = format!("SELECT {columns} FROM token WHERE hash = ?1");
            let seal: SealBytes =
                self.connection.query_row(&find, [hash], |row| seal::token_seal(row, KNOWN))?;
            self.connection.execute("UPDATE token SET seal = ?2 WHERE hash = ?1", params![hash, seal])?;
        }
        self.head.revoked += 1;
        let before = last.map(|last| previous(self.connection, last)).transpose()?;
        let leaf = Leaf::new(Kind::Revocation, to_hex(&hash), self.events.time());
        let leaf = following(leaf, before.as_ref()).bytes()?;
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
        let number = self.head.withdrawals + 1;
        let mut add = self.connection.prepare_cached(ADD_WITHDRAWAL)?;
        let row = params![game, successor, because, token, self.now];
        let Some(digest) = insert(&mut add, &seal::WITHDRAWAL, number, row, params![event])? else {
            let why =
                format!("the game {id} is withdrawn already; `ferz archive list --withdrawn` shows why");
            return Err(ArchiveError::Withdrawal(why));
        };
        self.head.withdrawals = number;
        let (salt, before) = (self.events.salt()?, self.last_event(game, event)?);
        let leaf = Leaf {
            successor: successor_id.map(|successor| Cow::Owned(to_hex(&successor.0))),
            rows: vec![log::row("withdrawal", number, &digest, Some(&salt))],
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
        self.connection.execute(probe, [self.now])?;
        Ok(())
    }
}

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
