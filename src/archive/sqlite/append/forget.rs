//! Deletes the names, texts and salts of an entry. What is left is what its events say in plain words.

use super::Rows;
use crate::error::ArchiveError;
use crate::forgetting::Forgetting;
use crate::identity::{EntryKey, to_hex};
use crate::log::{Kind, Leaf};
use crate::sqlite::find;
use crate::sqlite::log::{event_number, following, row_number};
use rusqlite::{OptionalExtension, params};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The name of those who are unknown.
const UNKNOWN: &str = "?";

const BLANK_GAME: &str = "UPDATE game SET white = ?2, black = ?2, nature = NULL, event = ?2, site = ?2, \
    date = '????.??.??', day = NULL, round = '?', key = NULL, salt = NULL WHERE number = ?1";
/// The key of a play that is made from a text tells the text to who can guess it.
const BLANK_PLAY: &str = "UPDATE play SET key = CAST(printf('%016d', number) AS BLOB), text_key = x'' \
    WHERE text_key IS NOT NULL AND number = (SELECT play FROM game WHERE number = ?1) AND number NOT IN \
    (SELECT play FROM game WHERE number NOT IN (SELECT game FROM forgotten))";
/// A condition on the play of a forgotten record that is not legal.
pub(in crate::sqlite) const IS_BLANK_PLAY: &str =
    "play.text_key = x'' AND play.key = CAST(printf('%016d', play.number) AS BLOB)";
/// The keys of an entry's texts must differ, and those of forgotten ones say nothing.
const BLANK_SUBMISSIONS: &str = "UPDATE submission SET text = x'', report = x'', digest = zeroblob(32), \
    text_key = CAST(printf('%016d', number) AS BLOB), variant = NULL, style = NULL, let_stand = 0, token = NULL, \
    by = NULL WHERE game = ?1";
const BLANK_WITHDRAWALS: &str = "UPDATE withdrawal SET because = '', token = NULL, by = NULL WHERE game = ?1";
const BLANK_REINSTATEMENTS: &str =
    "UPDATE reinstatement SET because = '', token = NULL, by = NULL WHERE game = ?1";

/// What is left of an act is what its event says in plain words: the kind, and the ply in coordinate notation.
const BLANK_ACTS: &str = "UPDATE act SET token = NULL, by = NULL, what = json_patch('{}', \
    json_object('kind', json_extract(what, '$.kind'), 'coord', json_extract(what, '$.coord'))) \
    WHERE correspondence IN (SELECT number FROM correspondence WHERE entry = ?1)";
/// What hangs on a game that was played here.
const DELETE_OF_PLAYED: [&str; 4] = [
    "DELETE FROM request WHERE act IN (SELECT act.number FROM act JOIN correspondence \
        ON correspondence.number = act.correspondence WHERE entry = ?1)",
    "DELETE FROM seat WHERE correspondence IN (SELECT number FROM correspondence WHERE entry = ?1)",
    "DELETE FROM seed WHERE correspondence IN (SELECT number FROM correspondence WHERE entry = ?1)",
    "DELETE FROM conditional WHERE correspondence IN (SELECT number FROM correspondence WHERE entry = ?1)",
];

/// A condition on the entry, the text and the withdrawal of a forgotten entry: nothing private is in them.
pub(in crate::sqlite) const IS_BLANK: &str = "white.text = '?' AND black.text = '?' AND game.nature IS NULL \
    AND event.text = '?' AND site.text = '?' AND game.date = '????.??.??' AND game.day IS NULL AND game.round = '?' \
    AND game.key IS NULL AND game.salt IS NULL \
    AND submission.text = x'' AND submission.report = x'' AND submission.digest = zeroblob(32) \
    AND submission.text_key = CAST(printf('%016d', submission.number) AS BLOB) AND submission.variant IS NULL \
    AND submission.style IS NULL AND submission.let_stand = 0 AND submission.token IS NULL \
    AND submission.by IS NULL";

impl Rows<'_> {
    /// Forgets an entry.
    pub(super) fn forget(&mut self, forgetting: &Forgetting) -> Result<u64, ArchiveError> {
        let Forgetting { id, because } = forgetting;
        let game = self.game(*id)?.ok_or(ArchiveError::NoGame(*id))?;
        if let Some(forgotten) = find::forgotten(self.connection, *id)? {
            return Err(ArchiveError::Forgotten(Box::new(forgotten)));
        }
        let key =
            self.connection.query_row("SELECT key FROM game WHERE number = ?1", [game], |row| row.get(0))?;
        let seal = self.seal(EntryKey(key))?;
        let event = self.events.next();
        let before = self.last_event(game, event)?;
        let had = self.names_of(game)?;
        let unknown = self.name(UNKNOWN)?;
        let events = self.events_of(game)?;
        self.connection.execute("INSERT INTO forgotten (game, event) VALUES (?1, ?2)", [game, event])?;
        self.connection.execute("INSERT INTO seal (seal, game) VALUES (?1, ?2)", params![seal, game])?;
        self.connection.execute(BLANK_GAME, [game, unknown])?;
        self.connection.execute(BLANK_PLAY, [game])?;
        self.connection.execute(BLANK_SUBMISSIONS, [game])?;
        self.connection.execute(BLANK_WITHDRAWALS, [game])?;
        self.connection.execute(BLANK_REINSTATEMENTS, [game])?;
        self.drop_segments_of(game)?;
        self.connection.execute("DELETE FROM hidden WHERE game = ?1", [game])?;
        self.connection.execute(BLANK_ACTS, [game])?;
        for delete in DELETE_OF_PLAYED {
            self.connection.execute(delete, [game])?;
        }
        for name in had {
            if name != unknown && !self.is_used(name)? {
                self.connection.execute("DELETE FROM name WHERE number = ?1", [name])?;
            }
        }
        for event in &events {
            self.connection.execute("DELETE FROM salt WHERE event = ?1", [row_number(*event)])?;
        }
        self.names.forget();
        self.has_forgotten = true;
        let leaf = Leaf {
            because: Some(Cow::Borrowed(because)),
            events,
            ..Leaf::new(Kind::Forgotten, to_hex(&id.0), self.events.time())
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        self.events.add(&leaf, None)
    }

    /// The numbers of an entry's names, each once.
    fn names_of(&self, game: i64) -> Result<BTreeSet<i64>, ArchiveError> {
        let find = "SELECT white, black, nature, event, site FROM game WHERE number = ?1";
        let names: [Option<i64>; 5] = self.connection.query_row(find, [game], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?])
        })?;
        Ok(names.into_iter().flatten().collect())
    }

    /// The events about an entry so far, which have salts.
    fn events_of(&self, game: i64) -> Result<Vec<u64>, ArchiveError> {
        let find = "SELECT event FROM submission WHERE game = ?1 UNION SELECT event FROM withdrawal \
            WHERE game = ?1 UNION SELECT event FROM reinstatement WHERE game = ?1 \
            UNION SELECT act.event FROM act JOIN correspondence ON correspondence.number = act.correspondence \
            WHERE entry = ?1 ORDER BY event";
        let mut find = self.connection.prepare_cached(find)?;
        let events = find.query_map([game], |row| row.get(0))?;
        let events: Vec<i64> = events.collect::<Result<_, _>>()?;
        Ok(events.into_iter().map(event_number).collect())
    }

    /// True if an entry has this name.
    fn is_used(&self, name: i64) -> Result<bool, ArchiveError> {
        let find = "SELECT 1 FROM game \
            WHERE white = ?1 OR black = ?1 OR nature = ?1 OR event = ?1 OR site = ?1 LIMIT 1";
        Ok(self.connection.prepare_cached(find)?.query_row(params![name], |_| Ok(())).optional()?.is_some())
    }
}
