//! Recomputes the rows of the archive from the events of its log, and compares them with those that are there.

mod acts;

use crate::error::ArchiveError;
use crate::identity::{GameId, Header, Play, to_hex};
use crate::log::{Commitment, GameFacts, Kind, Leaf, Salt};
use crate::sqlite::append::{HIDING, IS_BLANK, LAST_ACT, LAST_EVENT, LAST_STEP};
use crate::sqlite::find::rules_of;
use crate::sqlite::log::{previous, text_commitment};
use crate::sqlite::private;
use crate::time_text;
use crate::verify::{Finding, FindingKind, damage};
use ferz_core::rules::digest_of_file;
use rusqlite::{Connection, OptionalExtension, Params, Row};
use std::collections::{HashMap, HashSet};

/// The row of a submission with those of its entry, its play and its rules.
const SUBMISSION: &str = "SELECT game.id, submission.event, submission.received, submission.digest, \
    submission.variant, submission.style, submission.let_stand, submission.token, game.valid, game.plies, \
    game.result, game.ending, game.variant, game.added, game.date, game.round, white.text, black.text, nature.text, \
    event.text, site.text, play.key, rules.whole, submission.by, submission.rules IS game.rules, play.start, \
    play.moves, play.text_key IS NOT NULL, of_play.name, of_play.edition, of_play.digest FROM submission \
    LEFT JOIN game ON game.number = submission.game LEFT JOIN play ON play.number = game.play \
    LEFT JOIN rules ON rules.number = submission.rules LEFT JOIN rules AS of_play ON of_play.number = play.rules \
    LEFT JOIN name AS white ON white.number = game.white \
    LEFT JOIN name AS black ON black.number = game.black LEFT JOIN name AS nature ON nature.number = game.nature \
    LEFT JOIN name AS event ON event.number = game.event LEFT JOIN name AS site ON site.number = game.site \
    WHERE submission.number = ?1";

/// The row of a withdrawal with the ids of its entries.
const WITHDRAWAL: &str = "SELECT game.id, withdrawal.event, withdrawal.withdrawn, withdrawal.because, \
    withdrawal.token, withdrawal.by, successor.id, withdrawal.own FROM withdrawal \
    LEFT JOIN game ON game.number = withdrawal.game \
    LEFT JOIN game AS successor ON successor.number = withdrawal.successor WHERE withdrawal.number = ?1";

const REINSTATEMENT: &str = "SELECT game.id, reinstatement.event, reinstatement.reinstated, reinstatement.because, \
    reinstatement.token, reinstatement.by FROM reinstatement LEFT JOIN game ON game.number = reinstatement.game \
    WHERE reinstatement.number = ?1";

const STEP: &str = "SELECT whole, register.event, happened, because, token, by, step, class, name, edition \
    FROM register JOIN rules ON rules.number = register.rules WHERE register.number = ?1";

const RULES: &str = "SELECT name, edition, digest, definition, event, whole FROM rules WHERE number = ?1";

/// The tables that have one row for each event of a kind, in the order of the events, numbered from 1.
const TABLES: [&str; 6] = ["rules", "submission", "withdrawal", "reinstatement", "act", "register"];

/// A token as the log has it.
struct Token {
    private: Option<Commitment>,
    created: String,
    expires: Option<String>,
    scopes: String,
    /// The event that created it, and the last one.
    added: i64,
    last: i64,
    revoked: Option<String>,
}

/// The rows to which the events so far lead.
pub(super) struct Projection<'c> {
    connection: &'c Connection,
    /// The last rows of [`TABLES`].
    last: [i64; 6],
    tokens: HashMap<String, Token>,
    /// Forgotten entries, with the events that say so.
    forgotten: HashMap<String, i64>,
    /// Games that were played here and became entries which are forgotten.
    forgotten_played: HashSet<String>,
    /// Events that have a salt, as far as it was not deleted.
    salts: i64,
}

impl<'c> Projection<'c> {
    pub(super) fn new(
        connection: &'c Connection,
        found: &mut dyn FnMut(Finding),
    ) -> Result<Projection<'c>, ArchiveError> {
        let (last, tokens, forgotten, salts) = ([0; 6], HashMap::new(), HashMap::new(), 0);
        let forgotten_played = HashSet::new();
        let mut projection = Projection { connection, last, tokens, forgotten, forgotten_played, salts };
        projection.read_forgotten(found)?;
        Ok(projection)
    }

    /// Reads which entries were forgotten, before their events are met.
    fn read_forgotten(&mut self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        let all = "SELECT hex(game.id), forgotten.event, event.leaf FROM forgotten \
            JOIN game ON game.number = forgotten.game LEFT JOIN event ON event.number = forgotten.event";
        let mut all = self.connection.prepare(all)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let (id, event): (String, i64) = (row.get(0)?, row.get(1)?);
            let leaf: Option<Vec<u8>> = row.get(2)?;
            let id = id.to_ascii_lowercase();
            let leaf = leaf.as_deref().and_then(|leaf| serde_json::from_slice::<Leaf<'_>>(leaf).ok());
            if !leaf.is_some_and(|leaf| leaf.kind == Kind::Forgotten && leaf.id == id) {
                found(damage(None, format!("no event forgets the game {id}, but `forgotten` has it")));
                continue;
            }
            let message = format!("the game {id} was forgotten by event {event}");
            found(Finding { id: None, kind: FindingKind::Note, message });
            self.forgotten.insert(id, event);
        }
        let played = "SELECT lower(hex(correspondence.id)) FROM correspondence JOIN forgotten \
            ON forgotten.game = correspondence.entry";
        let mut played = self.connection.prepare(played)?;
        let ids = played.query_map([], |row| row.get(0))?;
        self.forgotten_played = ids.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Checks the rows of an event.
    pub(super) fn check(
        &mut self,
        event: i64,
        leaf: &Leaf<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> Result<(), ArchiveError> {
        let salt = self.salt(event, leaf, found)?;
        let different = match leaf.kind {
            Kind::Act => self.act(event, leaf, salt.as_ref())?,
            Kind::Key => None,
            Kind::Rules => self.rules(event, leaf)?,
            Kind::Register => self.step(event, leaf, salt.as_ref())?,
            Kind::Submission => self.submission(event, leaf, salt.as_ref())?,
            Kind::Withdrawal => self.withdrawal(event, leaf, salt.as_ref())?,
            Kind::Reinstatement => self.reinstatement(event, leaf, salt.as_ref())?,
            Kind::Token => {
                self.token(event, leaf);
                None
            }
            Kind::Revocation => match self.tokens.get_mut(&*leaf.id) {
                Some(token) => {
                    (token.revoked, token.last) = (Some(leaf.time.to_string()), event);
                    None
                }
                None => Some("revokes a token that no event added".to_owned()),
            },
            Kind::Forgotten => self.is_there(event, leaf)?,
        };
        if let Some(different) = different {
            found(damage(None, format!("event {event} {different}")));
        }
        self.check_place(event, leaf, found)
    }

    /// The salt of an event, which it must have if it has commitments and is not forgotten.
    fn salt(
        &mut self,
        event: i64,
        leaf: &Leaf<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> Result<Option<Salt>, ArchiveError> {
        let mut find = self.connection.prepare_cached("SELECT salt FROM salt WHERE event = ?1")?;
        let salt: Option<Vec<u8>> = find.query_row([event], |row| row.get(0)).optional()?;
        let needs_salt = !matches!(leaf.kind, Kind::Key | Kind::Rules | Kind::Revocation | Kind::Forgotten);
        let is_there = salt.is_some();
        let whole: Option<Salt> = salt.and_then(|salt| salt.try_into().ok());
        match (needs_salt && !self.is_forgotten(leaf), is_there) {
            (true, false) => found(damage(None, format!("the salt of event {event} is missing"))),
            (true, true) if whole.is_none() => {
                found(damage(None, format!("the salt of event {event} has changed")));
            }
            (false, true) => found(damage(None, format!("event {event} has a salt, and should have none"))),
            (needed, _) => self.salts += i64::from(needed),
        }
        Ok(whole)
    }

    fn is_forgotten(&self, leaf: &Leaf<'_>) -> bool {
        match leaf.kind {
            Kind::Submission | Kind::Withdrawal | Kind::Reinstatement => {
                self.forgotten.contains_key(&*leaf.id)
            }
            Kind::Act => self.forgotten_played.contains(&*leaf.id),
            _ => false,
        }
    }

    /// The number of the next row of a table.
    fn next(&mut self, table: usize) -> i64 {
        self.last[table] += 1;
        self.last[table]
    }

    fn rules(&mut self, event: i64, leaf: &Leaf<'_>) -> Result<Option<String>, ArchiveError> {
        let number = self.next(0);
        self.compare("rules", number, RULES, |row| {
            let (name, edition): (Option<String>, Option<String>) = (row.get(0)?, row.get(1)?);
            let definition: String = row.get(3)?;
            Ok(first_different([
                ("event", row.get::<_, i64>(4)? == event),
                ("digest", row.get::<_, String>(2)? == leaf.id),
                ("name", name.as_deref() == leaf.name.as_deref()),
                ("edition", edition.as_deref() == leaf.edition.as_deref()),
                ("whole", Some(row.get::<_, String>(5)?.as_str()) == leaf.definition.as_deref()),
                ("definition", Some(&*digest_of_file(&definition)) == leaf.definition.as_deref()),
            ]))
        })
    }

    /// A step of the register.
    fn step(
        &mut self,
        event: i64,
        leaf: &Leaf<'_>,
        salt: Option<&Salt>,
    ) -> Result<Option<String>, ArchiveError> {
        let number = self.next(5);
        self.compare("register", number, STEP, |row| {
            let (because, token): (String, Option<String>) = (row.get(3)?, row.get(4)?);
            let private = private::of_withdrawal(&because, token.as_deref(), row.get(5)?);
            let is_private = salt.is_none_or(|salt| private.commitment(salt).ok() == leaf.private);
            Ok(first_different([
                ("event", row.get::<_, i64>(1)? == event),
                ("rules", row.get::<_, String>(0)? == leaf.id),
                ("happened", time_text(row.get(2)?) == leaf.time),
                ("step", row.get::<_, Option<String>>(6)?.as_deref() == leaf.step.as_deref()),
                ("class", row.get::<_, Option<String>>(7)?.as_deref() == leaf.class.as_deref()),
                ("name", row.get::<_, Option<String>>(8)?.as_deref() == leaf.name.as_deref()),
                ("edition", row.get::<_, Option<String>>(9)?.as_deref() == leaf.edition.as_deref()),
                ("because", is_private),
            ]))
        })
    }

    fn submission(
        &mut self,
        event: i64,
        leaf: &Leaf<'_>,
        salt: Option<&Salt>,
    ) -> Result<Option<String>, ArchiveError> {
        let Some(facts) = &leaf.game else { return Ok(Some("submits no game".to_owned())) };
        let (number, is_forgotten) = (self.next(1), self.is_forgotten(leaf));
        let different = self.compare("submission", number, SUBMISSION, |row| {
            let plain = plain_of(row, event, leaf, facts)?;
            if plain.is_some() || is_forgotten {
                return Ok(plain);
            }
            let Some(salt) = salt else { return Ok(None) };
            let digest: Vec<u8> = row.get(3)?;
            let text = digest.try_into().ok().map(|digest| text_commitment(salt, &digest));
            Ok(first_different([
                ("digest", text == Some(facts.text)),
                ("private", private_of(row, leaf.sequence == 0, salt)? == leaf.private),
            ]))
        })?;
        if different.is_some() || !is_forgotten {
            return Ok(different);
        }
        let blank = format!(
            "SELECT 1 FROM submission JOIN game ON game.number = submission.game \
            JOIN name AS white ON white.number = game.white JOIN name AS black ON black.number = game.black \
            JOIN name AS event ON event.number = game.event JOIN name AS site ON site.number = game.site \
            WHERE submission.number = ?1 AND {IS_BLANK}"
        );
        let is_blank = self.connection.prepare_cached(&blank)?.exists([number])?;
        Ok((!is_blank)
            .then(|| format!("was forgotten, but row {number} of `submission` or its entry is not blank")))
    }

    fn withdrawal(
        &mut self,
        event: i64,
        leaf: &Leaf<'_>,
        salt: Option<&Salt>,
    ) -> Result<Option<String>, ArchiveError> {
        let (number, is_forgotten) = (self.next(2), self.is_forgotten(leaf));
        let different = self.compare("withdrawal", number, WITHDRAWAL, |row| {
            let own: i64 = row.get(7)?;
            Ok(asked_for(row, event, leaf, salt, is_forgotten)?.or(first_different([
                ("successor", id_of(row, 6)?.as_deref() == leaf.successor.as_deref()),
                ("own", own == i64::from(!leaf.events.is_empty())),
            ])))
        })?;
        if different.is_some() || leaf.events.is_empty() || is_forgotten {
            return Ok(different);
        }
        // The texts that came with the token before, and that it had not withdrawn.
        let texts = "SELECT submission.event FROM withdrawal AS this JOIN submission ON submission.game = this.game \
            AND submission.by = this.by AND submission.event < this.event WHERE this.event = ?1 AND NOT EXISTS \
            (SELECT 1 FROM withdrawal AS one WHERE one.game = this.game AND one.own = 1 AND one.by = this.by \
            AND one.event > submission.event AND one.event < this.event \
            AND (one.reinstated IS NULL OR one.reinstated > this.event)) ORDER BY 1";
        let are_named = self.names(texts, [event], leaf)?;
        Ok((!are_named).then(|| "withdraws other texts than those of its token".to_owned()))
    }

    fn reinstatement(
        &mut self,
        event: i64,
        leaf: &Leaf<'_>,
        salt: Option<&Salt>,
    ) -> Result<Option<String>, ArchiveError> {
        let (number, is_forgotten) = (self.next(3), self.is_forgotten(leaf));
        let different = self.compare("reinstatement", number, REINSTATEMENT, |row| {
            asked_for(row, event, leaf, salt, is_forgotten)
        })?;
        let taken = "SELECT withdrawal.event FROM withdrawal JOIN game ON game.number = withdrawal.game \
            WHERE game.id = unhex(?1) AND reinstated = ?2 ORDER BY 1";
        let are_named = self.names(taken, (&*leaf.id, event), leaf)?;
        Ok(different
            .or_else(|| (!are_named).then(|| "takes back other withdrawals than it names".to_owned())))
    }

    fn token(&mut self, event: i64, leaf: &Leaf<'_>) {
        let token = Token {
            private: leaf.private,
            created: leaf.time.to_string(),
            expires: leaf.expires.as_ref().map(ToString::to_string),
            scopes: leaf.scopes.as_deref().unwrap_or_default().to_owned(),
            added: event,
            last: event,
            revoked: None,
        };
        self.tokens.insert(leaf.id.to_string(), token);
    }

    fn is_there(&self, event: i64, leaf: &Leaf<'_>) -> Result<Option<String>, ArchiveError> {
        if self.forgotten.get(&*leaf.id) != Some(&event) {
            return Ok(Some(format!("forgets the game {}, but it is there", leaf.id)));
        }
        // Its events are those that the salts of which were deleted.
        let all = "SELECT event FROM (SELECT game, event FROM submission UNION ALL SELECT game, event FROM withdrawal \
            UNION ALL SELECT game, event FROM reinstatement UNION ALL SELECT entry, act.event FROM act \
            JOIN correspondence ON correspondence.number = act.correspondence) \
            WHERE game = (SELECT number FROM game WHERE id = unhex(?1)) AND event < ?2 ORDER BY event";
        let are_named = self.names(all, (&*leaf.id, event), leaf)?;
        Ok((!are_named).then(|| "forgets other events than those about its game".to_owned()))
    }

    /// True if an event names exactly the events that a query finds.
    fn names(&self, find: &str, of: impl Params, leaf: &Leaf<'_>) -> Result<bool, ArchiveError> {
        let mut find = self.connection.prepare_cached(find)?;
        let events = find.query_map(of, |row| row.get(0))?;
        let events: Vec<i64> = events.collect::<Result<_, _>>()?;
        let named = leaf.events.iter().map(|event| i64::try_from(*event).unwrap_or(i64::MAX));
        Ok(named.eq(events))
    }

    /// Compares a row with an event: `differs` names its first column that is another one.
    fn compare(
        &self,
        table: &str,
        number: i64,
        find: &str,
        differs: impl FnOnce(&Row<'_>) -> rusqlite::Result<Option<&'static str>>,
    ) -> Result<Option<String>, ArchiveError> {
        let mut find = self.connection.prepare_cached(find)?;
        let found = find.query_row([number], differs).optional()?;
        Ok(match found {
            None => Some(format!("added row {number} of `{table}`, which is missing")),
            Some(Some(column)) => Some(format!("is not what `{column}` of row {number} of `{table}` says")),
            Some(None) => None,
        })
    }

    /// Checks the place of an event among those with the same id.
    fn check_place(
        &self,
        event: i64,
        leaf: &Leaf<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> Result<(), ArchiveError> {
        let last: Option<i64> = match leaf.kind {
            Kind::Submission | Kind::Withdrawal | Kind::Reinstatement | Kind::Forgotten => {
                let mut game =
                    self.connection.prepare_cached("SELECT number FROM game WHERE id = unhex(?1)")?;
                let game: Option<i64> = game.query_row([&*leaf.id], |row| row.get(0)).optional()?;
                let mut find = self.connection.prepare_cached(&format!("{LAST_EVENT} WHERE event < ?2"))?;
                find.query_row((game, event), |row| row.get(0))?
            }
            Kind::Act => {
                let game = "SELECT number FROM correspondence WHERE id = unhex(?1)";
                let mut game = self.connection.prepare_cached(game)?;
                let game: Option<i64> = game.query_row([&*leaf.id], |row| row.get(0)).optional()?;
                let mut find = self.connection.prepare_cached(&format!("{LAST_ACT} AND event < ?2"))?;
                find.query_row((game, event), |row| row.get(0))?
            }
            Kind::Rules => {
                let find = "SELECT max(event) FROM rules WHERE digest = ?1 AND event < ?2";
                self.connection.prepare_cached(find)?.query_row((&*leaf.id, event), |row| row.get(0))?
            }
            Kind::Register => {
                let find = format!("{LAST_STEP} AND register.event < ?2");
                self.connection.prepare_cached(&find)?.query_row((&*leaf.id, event), |row| row.get(0))?
            }
            Kind::Revocation | Kind::Token | Kind::Key => return Ok(()),
        };
        let is_right = match last {
            None => (leaf.prev.as_deref(), leaf.sequence) == (None, 0),
            Some(last) => previous(self.connection, last).is_ok_and(|before| {
                (Some(before.hash()), before.sequence()) == (leaf.prev.as_deref(), leaf.sequence)
            }),
        };
        if !is_right {
            let message = format!("event {event} does not follow the event before it about {}", leaf.id);
            found(damage(None, message));
        }
        Ok(())
    }

    /// Checks what no event added.
    pub(super) fn finish(mut self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        for (table, last) in TABLES.into_iter().zip(self.last) {
            let more = format!("SELECT number FROM {table} WHERE number > ?1 OR number < 1 ORDER BY number");
            let mut more = self.connection.prepare(&more)?;
            let mut rows = more.query([last])?;
            while let Some(row) = rows.next()? {
                let number: i64 = row.get(0)?;
                found(damage(None, format!("row {number} of `{table}` was added by no event")));
            }
        }
        let salts: i64 = self.connection.query_row("SELECT count(*) FROM salt", [], |row| row.get(0))?;
        if salts != self.salts {
            let needed = self.salts;
            found(damage(None, format!("`salt` has {salts} rows, but the events need {needed}")));
        }
        self.check_correspondences(found)?;
        self.check_hidden(found)?;
        self.check_tokens(found)
    }

    /// The entries that lists hide are those that withdrawals hide, and only reinstatements take those back.
    fn check_hidden(&self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        let no_event = "SELECT number FROM withdrawal WHERE reinstated IS NOT NULL \
            AND reinstated NOT IN (SELECT event FROM reinstatement)";
        let mut no_event = self.connection.prepare(no_event)?;
        let mut rows = no_event.query([])?;
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            found(damage(None, format!("row {number} of `withdrawal` was taken back by no event")));
        }
        let all = "SELECT game, (SELECT withdrawal FROM hidden WHERE hidden.game = one.game) FROM \
            (SELECT game FROM withdrawal UNION SELECT game FROM hidden) AS one";
        let mut all = self.connection.prepare(all)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let (game, is): (i64, Option<i64>) = (row.get(0)?, row.get(1)?);
            // Lists never show a forgotten entry, and who withdrew its texts is forgotten, too.
            let mut forgotten = self.connection.prepare_cached("SELECT 1 FROM forgotten WHERE game = ?1")?;
            let should: Option<i64> = match forgotten.exists([game])? {
                true => None,
                false => self.connection.prepare_cached(HIDING)?.query_row([game], |row| row.get(0))?,
            };
            if is != should {
                let message = format!("`hidden` of row {game} of `game` is not what its withdrawals say");
                found(damage(None, message));
            }
        }
        Ok(())
    }

    fn check_tokens(&mut self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        let all = "SELECT token.name, token.hash, token.holder, token.scopes, token.expires, token.created, \
            token.revoked, token.event FROM token ORDER BY created, hash";
        let mut all = self.connection.prepare(all)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let (name, hash): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
            let Some(token) = self.tokens.remove(&to_hex(&hash)) else {
                found(damage(None, format!("the token `{name}` was added by no event; revoke it")));
                continue;
            };
            if !token.made(row, &name, self.salt_of(token.added)?)? {
                let event = token.added;
                let message =
                    format!("the token `{name}` is not the one that event {event} added; revoke it");
                found(damage(None, message));
            }
            let (revoked, event): (Option<i64>, i64) = (row.get(6)?, row.get(7)?);
            if revoked.map(time_text) != token.revoked || event != token.last {
                let message = format!("the token `{name}` is revoked otherwise than its events say");
                found(damage(None, message));
            }
        }
        for token in self.tokens.values() {
            let event = token.added;
            found(damage(None, format!("the token that event {event} added is missing")));
        }
        Ok(())
    }

    fn salt_of(&self, event: i64) -> Result<Option<Salt>, ArchiveError> {
        let mut find = self.connection.prepare_cached("SELECT salt FROM salt WHERE event = ?1")?;
        let salt: Option<Vec<u8>> = find.query_row([event], |row| row.get(0)).optional()?;
        Ok(salt.and_then(|salt| salt.try_into().ok()))
    }
}

impl Token {
    /// True if the row of a token is the one that its event made.
    fn made(&self, row: &Row<'_>, name: &str, salt: Option<Salt>) -> Result<bool, ArchiveError> {
        let (holder, scopes): (String, String) = (row.get(2)?, row.get(3)?);
        let (expires, created): (Option<i64>, i64) = (row.get(4)?, row.get(5)?);
        let private = salt.map(|salt| private::of_token(name, &holder).commitment(&salt)).transpose()?;
        Ok(private == self.private
            && scopes == self.scopes
            && expires.map(time_text) == self.expires
            && time_text(created) == self.created)
    }
}

/// The first of some columns that does not agree.
fn first_different<const N: usize>(columns: [(&'static str, bool); N]) -> Option<&'static str> {
    columns.into_iter().find_map(|(column, agrees)| (!agrees).then_some(column))
}

/// The id in a column, in hexadecimal digits.
fn id_of(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    let id: Option<Vec<u8>> = row.get(column)?;
    Ok(id.map(|id| to_hex(&id)))
}

/// The first column of a withdrawal or a reinstatement that is not what its event says.
fn asked_for(
    row: &Row<'_>,
    event: i64,
    leaf: &Leaf<'_>,
    salt: Option<&Salt>,
    is_forgotten: bool,
) -> rusqlite::Result<Option<&'static str>> {
    let (because, token, by): (String, Option<String>, Option<i64>) = (row.get(3)?, row.get(4)?, row.get(5)?);
    let private = match salt {
        _ if is_forgotten => because.is_empty() && token.is_none() && by.is_none(),
        Some(salt) => {
            let private = private::of_withdrawal(&because, token.as_deref(), by);
            private.commitment(salt).ok() == leaf.private
        }
        None => true,
    };
    Ok(first_different([
        ("event", row.get::<_, i64>(1)? == event),
        ("game", id_of(row, 0)?.as_deref() == Some(&*leaf.id)),
        ("time", time_text(row.get(2)?) == leaf.time),
        ("because", private),
    ]))
}

/// The first column that is not what an event says in plain words.
fn plain_of(
    row: &Row<'_>,
    event: i64,
    leaf: &Leaf<'_>,
    facts: &GameFacts<'_>,
) -> rusqlite::Result<Option<&'static str>> {
    let (ending, result): (Option<String>, Option<String>) = (row.get(11)?, row.get(10)?);
    let (variant, rules): (Option<String>, Option<String>) = (row.get(12)?, row.get(22)?);
    let (valid, plies): (Option<i64>, Option<i64>) = (row.get(8)?, row.get(9)?);
    let added: Option<i64> = row.get(13)?;
    Ok(first_different([
        ("event", row.get::<_, i64>(1)? == event),
        ("game", id_of(row, 0)?.as_deref() == Some(&*leaf.id)),
        ("received", time_text(row.get(2)?) == leaf.time),
        ("play", logged_play(row)?.as_deref() == Some(&*facts.play)),
        ("rules", rules.as_deref() == facts.rules.as_deref()),
        ("variant", variant.as_deref() == Some(&*facts.variant)),
        ("valid", valid == Some(i64::from(facts.legal))),
        ("plies", plies.and_then(|plies| u64::try_from(plies).ok()) == Some(facts.plies)),
        ("result", result.as_deref() == Some(&*facts.result)),
        ("ending", ending.as_deref() == facts.ending.as_deref()),
        // The entry came with its first text.
        ("rules of the entry", leaf.sequence > 0 || row.get(24)?),
        ("added", leaf.sequence > 0 || added.map(time_text).as_deref() == Some(&*leaf.time)),
    ]))
}

/// The key that the log states for the play of a submission's entry; `None` if a row is missing.
fn logged_play(row: &Row<'_>) -> rusqlite::Result<Option<String>> {
    let (id, key): (Option<[u8; 16]>, Option<[u8; 16]>) = (row.get(0)?, row.get(21)?);
    let (Some(id), Some(key), Some(start)) = (id, key, row.get::<_, Option<String>>(25)?) else {
        return Ok(None);
    };
    if !row.get::<_, bool>(27)? {
        return Ok(Some(to_hex(&key)));
    }
    let play = Play { start: start.into(), moves: row.get(26)?, text_key: Some(key) };
    Ok(Some(to_hex(&play.logged_key(rules_of(row, 28)?.as_ref(), GameId(id)))))
}

/// The commitment to what the row of a submission has of private things; with the tags if it is the first of its entry.
fn private_of(row: &Row<'_>, is_first: bool, salt: &Salt) -> rusqlite::Result<Option<Commitment>> {
    let (variant, style, token): (Option<String>, Option<String>, Option<String>) =
        (row.get(4)?, row.get(5)?, row.get(7)?);
    let name = |column| -> rusqlite::Result<String> {
        Ok(row.get::<_, Option<String>>(column)?.unwrap_or_default())
    };
    let header = Header {
        white: name(16)?,
        black: name(17)?,
        nature: row.get(18)?,
        event: name(19)?,
        site: name(20)?,
        date: name(14)?,
        round: name(15)?,
        result: String::new(),
    };
    let let_stand: i64 = row.get(6)?;
    if !matches!(let_stand, 0 | 1) {
        return Ok(None);
    }
    let private = private::read_as(variant.as_deref(), style.as_deref(), let_stand == 1);
    let private = private::asked_by(private, token.as_deref(), row.get(23)?);
    let private = if is_first { private::with_header(private, &header) } else { private };
    Ok(private.commitment(salt).ok())
}
