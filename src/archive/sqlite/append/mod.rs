//! The writes of one transaction.

mod act;
mod forget;
mod register;
mod segment;
mod withdraw;

pub(super) use act::LAST_ACT;
pub(super) use forget::{IS_BLANK, IS_BLANK_PLAY};
pub(super) use register::LAST_STEP;
pub(super) use withdraw::HIDING;

use super::find;
use super::log::{Events, Keeper, Previous, following, previous, row_number, text_commitment};
use super::private;
use crate::GameId;
use crate::error::ArchiveError;
use crate::identity::{EntryKey, Header, to_hex};
use crate::log::{Batch, GameFacts, Kind, Leaf, commitment};
use crate::rules_text;
use crate::store::{Added, Write, Written};
use crate::submission::Submission;
use crate::tokens::NewToken;
use crate::{now, time_text};
use ferz_core::rules::RulesId;
use ferz_core::text::fold::fold;
use ferz_core::text::limits::{ARCHIVE_NAMES_KNOWN, ARCHIVE_RULES_KNOWN};
use ferz_records::replay::AnyGame;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Params, params};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// A cache of row numbers, so that they need not be looked up for every game.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The state of the file that the cache is of: other programs may forget names.
    version: i64,
    names: HashMap<String, i64>,
    /// By the place of the compiled rules in memory, which they keep while they are here.
    rules: HashMap<usize, (AnyGame, RulesRow)>,
}

/// The row of rules: its number, and the digest of their whole definition.
#[derive(Debug, Clone)]
struct RulesRow {
    number: i64,
    whole: Arc<str>,
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
    /// The secret of the seals, once it was needed.
    seals: Option<[u8; 32]>,
    keeper: &'c mut Keeper,
    events: Events<'c>,
    add_name: CachedStatement<'c>,
    find_name: CachedStatement<'c>,
    add_play: CachedStatement<'c>,
    find_play: CachedStatement<'c>,
    add_game: CachedStatement<'c>,
    find_entry: CachedStatement<'c>,
    add_submission: CachedStatement<'c>,
}

const ADD_NAME: &str = "INSERT INTO name (text, folded) VALUES (?1, ?2) ON CONFLICT (text) DO NOTHING";
const FIND_NAME: &str = "SELECT number FROM name WHERE text = ?1";
const ADD_PLAY: &str = "INSERT INTO play (key, rules, start, moves, text_key) VALUES (?1, ?2, ?3, ?4, ?5) \
    ON CONFLICT (key) DO NOTHING";
const FIND_PLAY: &str = "SELECT number FROM play WHERE key = ?1";
const ADD_GAME: &str = "INSERT INTO game (id, key, salt, play, rules, variant, white, black, nature, event, site, \
    date, day, round, result, valid, plies, ending, added) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, \
    ?13, ?14, ?15, ?16, ?17, ?18, ?19)";
const FIND_ENTRY: &str = "SELECT number, id FROM game WHERE key = ?1";
const FIND_GAME: &str = "SELECT number FROM game WHERE id = ?1";
const ADD_SUBMISSION: &str = "INSERT INTO submission (game, rules, text_key, digest, text, report, variant, style, \
    let_stand, received, token, by, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) \
    ON CONFLICT (game, text_key) DO NOTHING";
const ADD_RULES: &str =
    "INSERT INTO rules (name, edition, digest, whole, definition, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const ADD_TOKEN: &str = "INSERT INTO token (name, hash, holder, scopes, expires, created, event) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
/// The last event about an entry.
pub(super) const LAST_EVENT: &str = "SELECT max(event) FROM (SELECT event FROM submission WHERE game = ?1 UNION ALL \
    SELECT event FROM withdrawal WHERE game = ?1 UNION ALL SELECT event FROM reinstatement WHERE game = ?1 UNION ALL \
    SELECT event FROM forgotten WHERE game = ?1)";
const FIND_RULES: &str =
    "SELECT number FROM rules WHERE digest = ?1 AND whole = ?2 AND name = ?3 AND edition = ?4";

impl<'c> Rows<'c> {
    /// Prepares the statements.
    pub(super) fn new(
        connection: &'c Connection,
        names: &'c mut Names,
        keeper: &'c mut Keeper,
    ) -> Result<Rows<'c>, ArchiveError> {
        names.refresh(connection)?;
        Ok(Rows {
            connection,
            names,
            has_forgotten: find::has_forgotten(connection)?,
            seals: None,
            keeper,
            events: Events::new(connection, now())?,
            add_name: connection.prepare_cached(ADD_NAME)?,
            find_name: connection.prepare_cached(FIND_NAME)?,
            add_play: connection.prepare_cached(ADD_PLAY)?,
            find_play: connection.prepare_cached(FIND_PLAY)?,
            add_game: connection.prepare_cached(ADD_GAME)?,
            find_entry: connection.prepare_cached(FIND_ENTRY)?,
            add_submission: connection.prepare_cached(ADD_SUBMISSION)?,
        })
    }

    /// Finishes the transaction by signing the log.
    pub(super) fn finish(&mut self) -> Result<Option<Arc<Batch>>, ArchiveError> {
        self.events.finish(self.connection, self.keeper)
    }

    /// By which a forgotten entry with this key is known again.
    fn seal(&mut self, key: EntryKey) -> Result<[u8; 16], ArchiveError> {
        let secret = match self.seals {
            Some(secret) => secret,
            None => self.keeper.secret(&self.events, find::SEALS)?,
        };
        self.seals = Some(secret);
        Ok(key.seal(&secret))
    }

    /// Executes one write.
    pub(super) fn write(&mut self, write: &Write<'_>) -> Result<Written, ArchiveError> {
        let event = match write {
            Write::Keep(submissions) => {
                let added: Result<_, _> =
                    submissions.iter().map(|submission| self.submit(submission)).collect();
                return Ok(Written { added: added?, ..Written::default() });
            }
            Write::AddToken(token) => Some(self.add_token(token)?),
            Write::RevokeToken(name) => Some(self.revoke_token(name)?),
            Write::Withdraw(withdrawal) => Some(self.withdraw(withdrawal)?),
            Write::Reinstate(reinstatement) => Some(self.reinstate(reinstatement)?),
            Write::Register(asked) => Some(self.register(asked)?),
            Write::Forget(forgetting) => Some(self.forget(forgetting)?),
            Write::Act(acts) => {
                let (event, sequence) = self.act(acts)?;
                return Ok(Written { event: Some(event), sequence, ..Written::default() });
            }
            Write::Conditional(tree) => {
                self.set_tree(tree)?;
                None
            }
            Write::Segment(new, old) => {
                self.set_segment(*new, old)?;
                None
            }
            Write::Alive(at) => {
                self.alive(*at)?;
                None
            }
            Write::Probe => {
                self.probe()?;
                None
            }
        };
        Ok(Written { event, ..Written::default() })
    }

    /// Stores the parts of a submission that are not stored yet; returns its entry and what was added.
    fn submit(&mut self, submission: &Submission) -> Result<(GameId, Added), ArchiveError> {
        let known: Option<(i64, GameId)> = self
            .find_entry
            .query_row([submission.key.0], |row| Ok((row.get(0)?, GameId(row.get(1)?))))
            .optional()?;
        // What was forgotten stays so.
        if known.is_none() && self.has_forgotten {
            let seal = self.seal(submission.key)?;
            if let Some(id) = find::sealed(self.connection, &seal)? {
                return Ok((id, Added::FORGOTTEN));
            }
        }
        let row = submission.game.as_ref().map(|game| self.rules(game)).transpose()?;
        let (rules, whole) = (row.as_ref().map(|row| row.number), row.as_ref().map(|row| &*row.whole));
        let play = &submission.play;
        let text_key = play.text_key.as_ref().map(|key| &key[..]);
        let row = params![submission.play_key, rules, play.start, play.moves, text_key];
        let added_play = inserted(self.connection, &mut self.add_play, row)?;
        let play = match added_play {
            Some(number) => number,
            None => self.find_play.query_row([submission.play_key], |row| row.get(0))?,
        };
        let (entry, id) = match known {
            Some(known) => known,
            None => self.add_entry(submission, play, rules)?,
        };
        let event = self.events.next();
        let token = submission.token.as_ref();
        let row = params![
            entry,
            rules,
            submission.text_key,
            submission.digest,
            submission.text,
            submission.packed_report,
            submission.variant,
            submission.style.map(|style| style.name()),
            submission.let_stand,
            self.events.now(),
            token.map(|token| &*token.name),
            token.map(|token| row_number(token.event)),
            event
        ];
        // A new entry has no text yet, and a new play no entry: without a new text nothing is new.
        let event = match inserted(self.connection, &mut self.add_submission, row)? {
            Some(_) if known.is_none() => Some(self.log_submission(submission, id, whole, true, None)?),
            Some(_) => {
                let before = self.last_event(entry, event)?;
                Some(self.log_submission(submission, id, whole, false, before.as_ref())?)
            }
            None => None,
        };
        let is_withdrawn = match known {
            // What one submitter withdrew, another one may submit.
            Some(_) if event.is_some() => self.hide(entry)?,
            Some(_) => self.is_hidden(entry)?,
            None => false,
        };
        let (play, is_new, text) = (added_play.is_some(), known.is_none(), event.is_some());
        Ok((id, Added { play, entry: is_new, text, event, is_forgotten: false, is_withdrawn }))
    }

    /// Adds the event of a submission.
    fn log_submission(
        &mut self,
        submission: &Submission,
        id: GameId,
        rules: Option<&str>,
        is_first: bool,
        before: Option<&Previous>,
    ) -> Result<u64, ArchiveError> {
        let salt = self.events.salt()?;
        let report = &submission.report;
        let facts = GameFacts {
            ending: report.end.map(|end| Cow::Borrowed(end.reason.id())),
            legal: u8::from(report.legal),
            play: Cow::Owned(to_hex(&submission.logged_play(id))),
            plies: report.plies as u64,
            report: commitment(&salt, "report", &submission.report_digest),
            result: Cow::Borrowed(&submission.header.result),
            rules: rules.map(Cow::Borrowed),
            text: text_commitment(&salt, &submission.digest),
            variant: Cow::Borrowed(&report.variant),
        };
        let private = private::read_as(
            submission.variant.as_deref(),
            submission.style.map(|style| style.name()),
            submission.let_stand,
        );
        let token = submission.token.as_ref();
        let by = token.map(|token| row_number(token.event));
        let private = private::asked_by(private, token.map(|token| &*token.name), by);
        let private = if is_first { private::with_header(private, &submission.header) } else { private };
        let leaf = Leaf {
            game: Some(facts),
            private: Some(private.commitment(&salt)?),
            ..Leaf::new(Kind::Submission, id.to_string(), self.events.time())
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

    /// Adds an entry with its names; returns its number and its id.
    fn add_entry(
        &mut self,
        submission: &Submission,
        play: i64,
        rules: Option<i64>,
    ) -> Result<(i64, GameId), ArchiveError> {
        let salt = self.events.salt()?;
        let id = GameId::of(submission.key, &salt);
        let header = &submission.header;
        let Header { white, black, nature, event, site, date, round, result } = header;
        let [white, black, event, site] =
            [self.name(white)?, self.name(black)?, self.name(event)?, self.name(site)?];
        let nature = nature.as_ref().map(|nature| self.name(nature)).transpose()?;
        let report = &submission.report;
        let entry = params![
            id.0,
            submission.key.0,
            salt,
            play,
            rules,
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
        Ok((self.connection.last_insert_rowid(), id))
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

    /// The row of a game's rules, which is added if necessary.
    fn rules(&mut self, game: &AnyGame) -> Result<RulesRow, ArchiveError> {
        let place = rules_text::place(game);
        if let Some((_, row)) = self.names.rules.get(&place) {
            return Ok(row.clone());
        }
        let (id, whole) = (game.id(), game.whole());
        let RulesId { name, edition, digest } = id;
        let mut find = self.connection.prepare_cached(FIND_RULES)?;
        let number = match find.query_row([&**digest, whole, name, edition], |row| row.get(0)).optional()? {
            Some(number) => number,
            None => self.add_rules(id, whole, &rules_text::definition(game))?,
        };
        if self.names.rules.len() >= ARCHIVE_RULES_KNOWN {
            self.names.rules.clear();
        }
        let row = RulesRow { number, whole: whole.into() };
        self.names.rules.insert(place, (game.clone(), row.clone()));
        Ok(row)
    }

    fn add_rules(&mut self, id: &RulesId, whole: &str, definition: &str) -> Result<i64, ArchiveError> {
        self.is_free(id, whole)?;
        let RulesId { name, edition, digest } = id;
        // Rules with other names and words may have the same digest.
        let last = "SELECT max(event) FROM rules WHERE digest = ?1";
        let last: Option<i64> = self.connection.query_row(last, [digest], |row| row.get(0))?;
        let before = last.map(|last| previous(self.connection, last)).transpose()?;
        let row = params![name, edition, digest, whole, definition, self.events.next()];
        self.connection.prepare_cached(ADD_RULES)?.execute(row)?;
        let number = self.connection.last_insert_rowid();
        let leaf = Leaf {
            definition: Some(Cow::Borrowed(whole)),
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

    /// The number of an entry, if it exists.
    fn game(&self, id: GameId) -> Result<Option<i64>, ArchiveError> {
        let mut find = self.connection.prepare_cached(FIND_GAME)?;
        Ok(find.query_row([id.0], |row| row.get(0)).optional()?)
    }

    /// Writes a probe row.
    fn probe(&mut self) -> Result<(), ArchiveError> {
        let probe = "INSERT INTO probe (number, checked, room) VALUES (1, ?1, zeroblob(?2)) \
            ON CONFLICT (number) DO UPDATE SET checked = ?1, room = zeroblob(?2)";
        self.connection.execute(probe, [self.events.now(), PROBE_BYTES])?;
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

/// Bytes of a probe: a submission writes pages of each table and index, some 20 of 4 KiB.
const PROBE_BYTES: i64 = 80 << 10;
