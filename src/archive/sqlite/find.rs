//! The queries.

use super::conditions::{Conditions, LONGER};
use super::log::event_number;
use crate::error::ArchiveError;
use crate::filter::Criteria;
use crate::forgetting::Forgotten;
use crate::identity::{EntryKey, GameId, to_hex};
use crate::log::Leaf;
use crate::pack::unpack_report;
use crate::read::{Arrival, Decided, Entry, Summary};
use crate::register::RegisterStep;
use crate::rulebook::KeptRules;
use crate::store::{Added, Kept};
use crate::submission::Submission;
use crate::texts::{Text, Which};
use crate::tokens::{Access, TokenInfo, scopes_of};
use crate::withdrawals::Withdrawn;
use crate::{Counts, time_text};
use ferz_core::notation::Style;
use ferz_core::rules::{Registry, RulesId};
use ferz_core::text::limits::{ARCHIVE_TEXT_BYTES_AT_ONCE, ARCHIVE_TEXTS_AT_ONCE};
use ferz_records::replay::Options;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, Rows, params, params_from_iter};
use std::collections::HashMap;
use std::sync::Arc;

/// The columns of a summary, and their tables.
const SUMMARY: &str = "game.number, game.id, game.variant, white.text, black.text, nature.text, event.text, \
    site.text, game.date, game.round, game.result, game.valid, game.plies, game.ending, game.added, \
    play.rules IS NOT NULL";
const TABLES: &str = "game JOIN name AS white ON white.number = game.white \
    JOIN name AS black ON black.number = game.black LEFT JOIN name AS nature ON nature.number = game.nature \
    JOIN name AS event ON event.number = game.event JOIN name AS site ON site.number = game.site \
    JOIN play ON play.number = game.play";

/// The column of the entry that continues it.
fn continued_by() -> String {
    format!("({LONGER} LIMIT 1)")
}

/// The columns of an entry's withdrawal, and their tables.
const WITHDRAWN: &str = "withdrawal.because, successor.id, withdrawal.token, withdrawal.withdrawn";
const WITHDRAWN_TABLES: &str = "LEFT JOIN hidden ON hidden.game = game.number \
    LEFT JOIN withdrawal ON withdrawal.number = hidden.withdrawal \
    LEFT JOIN game AS successor ON successor.number = withdrawal.successor";

/// A summary with its number in order of arrival.
fn summary(row: &Row<'_>) -> rusqlite::Result<(i64, Summary)> {
    let plies: i64 = row.get(12)?;
    let (variant, judged): (String, bool) = (row.get(2)?, row.get(15)?);
    let summary = Summary {
        id: GameId(row.get(1)?),
        own_rules: judged && !Registry::is_built_in_name(&variant),
        variant,
        white: row.get(3)?,
        black: row.get(4)?,
        nature: row.get(5)?,
        event: row.get(6)?,
        site: row.get(7)?,
        date: row.get(8)?,
        round: row.get(9)?,
        result: row.get(10)?,
        valid: row.get(11)?,
        plies: usize::try_from(plies).unwrap_or(0),
        end: row.get(13)?,
        added: time_text(row.get(14)?),
        judged,
        withdrawn: withdrawn(row)?,
        continued_by: row.get::<_, Option<[u8; 16]>>(20)?.map(GameId),
    };
    Ok((row.get(0)?, summary))
}

fn withdrawn(row: &Row<'_>) -> rusqlite::Result<Option<Withdrawn>> {
    let because: Option<String> = row.get(16)?;
    let Some(because) = because else { return Ok(None) };
    let successor: Option<[u8; 16]> = row.get(17)?;
    let (token, time) = (row.get(18)?, time_text(row.get(19)?));
    Ok(Some(Withdrawn { because, superseded_by: successor.map(GameId), token, time }))
}

fn summaries(
    connection: &Connection,
    conditions: Conditions,
    order: &str,
    count: usize,
) -> Result<Vec<(i64, Summary)>, ArchiveError> {
    let (wanted, continued_by) = (conditions.text(), continued_by());
    let query = format!(
        "SELECT {SUMMARY}, {WITHDRAWN}, {continued_by} FROM {TABLES} {WITHDRAWN_TABLES} WHERE {wanted} \
        ORDER BY game.number {order} LIMIT {count}"
    );
    let mut list = connection.prepare_cached(&query)?;
    let rows = list.query_map(params_from_iter(conditions.values), summary)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// See [`Store::counts`](crate::store::Store::counts).
pub(super) fn counts(connection: &Connection) -> Result<Counts, ArchiveError> {
    // These rows are numbered from 1, and none is ever deleted.
    let count = "SELECT coalesce((SELECT max(number) FROM game), 0), \
        (SELECT count(*) FROM game WHERE valid = 0), coalesce((SELECT max(number) FROM submission), 0)";
    let number =
        |row: &Row<'_>, column: usize| row.get(column).map(|number: i64| u64::try_from(number).unwrap_or(0));
    let mut count = connection.prepare_cached(count)?;
    let found = count.query_row([], |row| {
        Ok(Counts { games: number(row, 0)?, not_valid: number(row, 1)?, texts: number(row, 2)? })
    });
    Ok(found?)
}

/// See [`Store::entry`](crate::store::Store::entry).
pub(super) fn entry(connection: &Connection, id: GameId) -> Result<Option<Entry>, ArchiveError> {
    let found = summaries(connection, Conditions::of(&Criteria::of(id)), "ASC", 1)?.pop();
    let Some((number, summary)) = found else { return Ok(None) };
    let (start, moves, rules) = played(connection, number)?;
    let find = "SELECT report FROM submission WHERE game = ?1 ORDER BY number LIMIT 1";
    let report: Vec<u8> = connection.prepare_cached(find)?.query_row([number], |row| row.get(0))?;
    let report = unpack_report(&report)?;
    let moves = moves.split_whitespace().map(str::to_owned).collect();
    let arrivals = arrivals(connection, number)?;
    let continues = continues(connection, id)?;
    Ok(Some(Entry { summary, rules, start, moves, report, arrivals, continues }))
}

/// The entries that an entry continues, the longest first.
fn continues(connection: &Connection, id: GameId) -> Result<Vec<GameId>, ArchiveError> {
    let find = format!(
        "SELECT game.id FROM game JOIN play ON play.number = game.play, game AS own WHERE own.id = ?1 \
        AND game.number IN (SELECT alike.number FROM game AS alike INDEXED BY game_by_pairing \
            WHERE alike.white = own.white AND alike.black = own.black AND alike.event = own.event \
            AND alike.round = own.round AND alike.plies < own.plies ORDER BY alike.plies DESC LIMIT 64) \
        AND game.number NOT IN (SELECT game FROM forgotten) \
        AND own.id IN ({LONGER}) ORDER BY game.plies DESC, game.number DESC"
    );
    let mut find = connection.prepare_cached(&find)?;
    let rows = find.query_map([id.0], |row| row.get(0).map(GameId))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// How an entry was forgotten, if it was.
///
/// # Errors
/// If it cannot be read.
pub(super) fn forgotten(connection: &Connection, id: GameId) -> Result<Option<Forgotten>, ArchiveError> {
    let find = "SELECT forgotten.event, leaf FROM forgotten JOIN game ON game.number = forgotten.game \
        LEFT JOIN event ON event.number = forgotten.event WHERE game.id = ?1";
    let mut find = connection.prepare_cached(find)?;
    let found: Option<(i64, Option<Vec<u8>>)> =
        find.query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((event, leaf)) = found else { return Ok(None) };
    let leaf = leaf.as_deref().and_then(|leaf| serde_json::from_slice::<Leaf<'_>>(leaf).ok());
    let leaf = leaf.ok_or_else(|| ArchiveError::Corrupt(format!("event {event} of its log is no leaf")))?;
    let because = leaf.because.unwrap_or_default().into_owned();
    let event = event_number(event);
    Ok(Some(Forgotten { id, event, time: leaf.time.into_owned(), because }))
}

/// See [`Store::find`](crate::store::Store::find).
pub(super) fn find(
    connection: &Connection,
    wanted: &Criteria,
    before: Option<i64>,
    count: usize,
) -> Result<Vec<(i64, Summary)>, ArchiveError> {
    let mut conditions = Conditions::of(wanted);
    if let Some(before) = before {
        conditions.add("game.number < ?", [Value::Integer(before)]);
    }
    summaries(connection, conditions, "DESC", count)
}

/// See [`Store::beginning`](crate::store::Store::beginning).
pub(super) fn beginning(
    connection: &Connection,
    digits: &str,
    count: usize,
) -> Result<Vec<GameId>, ArchiveError> {
    // The least and the greatest id that begin so.
    let bound = |digit: &str| {
        let whole = format!("{digits}{}", digit.repeat(32_usize.saturating_sub(digits.len())));
        whole.parse::<GameId>().map(|id| id.0)
    };
    let find = "SELECT id FROM game WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3";
    let mut find = connection.prepare_cached(find)?;
    let rows = find.query_map((bound("0")?, bound("f")?, count as i64), |row| Ok(GameId(row.get(0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What the secret is for that seals the keys of forgotten entries.
pub(super) const SEALS: &str = "ferz 2026-11-29 forgotten games";

/// True if any entry was forgotten.
pub(super) fn has_forgotten(connection: &Connection) -> Result<bool, ArchiveError> {
    Ok(connection.prepare_cached("SELECT 1 FROM forgotten LIMIT 1")?.exists([])?)
}

/// The forgotten entry whose key has this seal.
pub(super) fn sealed(connection: &Connection, seal: &[u8; 16]) -> Result<Option<GameId>, ArchiveError> {
    let find = "SELECT game.id FROM seal JOIN game ON game.number = seal.game WHERE seal = ?1";
    let mut find = connection.prepare_cached(find)?;
    Ok(find.query_row([seal], |row| row.get(0).map(GameId)).optional()?)
}

/// What a submission would add, as far as its entry was not forgotten.
pub(super) fn would_add(
    connection: &Connection,
    submission: &Submission,
) -> Result<(Option<GameId>, Added), ArchiveError> {
    let find = "SELECT NOT EXISTS (SELECT 1 FROM play WHERE key = ?1), (SELECT id FROM game WHERE key = ?2), \
        NOT EXISTS (SELECT 1 FROM submission JOIN game ON game.number = submission.game \
            WHERE game.key = ?2 AND submission.text_key = ?3), \
        EXISTS (SELECT 1 FROM hidden JOIN game ON game.number = hidden.game WHERE game.key = ?2)";
    let mut find = connection.prepare_cached(find)?;
    let keys = (submission.play_key, submission.key.0, submission.text_key);
    let added = find.query_row(keys, |row| {
        let id: Option<[u8; 16]> = row.get(1)?;
        let (play, text, is_withdrawn) = (row.get(0)?, row.get(2)?, row.get(3)?);
        let added = Added { play, entry: id.is_none(), text, event: None, is_forgotten: false, is_withdrawn };
        Ok((id.map(GameId), added))
    });
    Ok(added?)
}

/// See [`Store::related`](crate::store::Store::related).
pub(super) fn related(
    connection: &Connection,
    id: GameId,
    count: usize,
) -> Result<Vec<Summary>, ArchiveError> {
    let mut conditions = Conditions::of(&Criteria::default());
    let id = || Value::Blob(id.0.to_vec());
    conditions.add("game.play = (SELECT play FROM game WHERE id = ?)", [id()]);
    conditions.add("game.id <> ?", [id()]);
    let found = summaries(connection, conditions, "ASC", count)?;
    Ok(found.into_iter().map(|(_, summary)| summary).collect())
}

/// Start and plies of an entry, and the rules that its first text was judged by.
fn played(connection: &Connection, number: i64) -> Result<(String, String, Option<KeptRules>), ArchiveError> {
    let find = "SELECT play.start, play.moves, rules.name, rules.edition, rules.digest, rules.whole FROM game \
        JOIN play ON play.number = game.play LEFT JOIN rules ON rules.number = game.rules WHERE game.number = ?1";
    let mut find = connection.prepare_cached(find)?;
    let found = find.query_row([number], |row| Ok((row.get(0)?, row.get(1)?, kept_rules_of(row, 2)?)));
    found.optional()?.ok_or_else(|| ArchiveError::Corrupt(format!("game number {number} has no play")))
}

fn arrivals(connection: &Connection, number: i64) -> Result<Vec<Arrival>, ArchiveError> {
    let find = "SELECT digest, received, variant, style, let_stand, token, EXISTS (SELECT 1 FROM withdrawal \
        WHERE withdrawal.game = submission.game AND own = 1 AND withdrawal.by = submission.by \
        AND reinstated IS NULL AND withdrawal.event > submission.event) \
        FROM submission WHERE game = ?1 ORDER BY number";
    let mut find = connection.prepare_cached(find)?;
    let rows = find.query_map([number], |row| {
        let digest: [u8; 32] = row.get(0)?;
        Ok(Arrival {
            digest: to_hex(&digest),
            received: time_text(row.get(1)?),
            variant: row.get(2)?,
            style: row.get(3)?,
            let_stand: row.get(4)?,
            token: row.get(5)?,
            is_withdrawn: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

const TEXT_COLUMNS: &str = "submission.number, game.id, rules.name, rules.edition, rules.digest, rules.whole, \
    submission.variant, submission.style, submission.let_stand, submission.digest, submission.text, \
    submission.report, submission.text_key, play.key, submission.token, game.key, game.number";
const TEXT_TABLES: &str = "submission JOIN game ON game.number = submission.game JOIN play ON play.number = game.play \
    LEFT JOIN rules ON rules.number = submission.rules";
const IS_FIRST: &str =
    "submission.number = (SELECT min(number) FROM submission AS other WHERE other.game = game.number)";

/// See [`Store::texts`](crate::store::Store::texts).
pub(super) fn texts(
    connection: &Connection,
    wanted: &Criteria,
    which: Which,
    after: i64,
) -> Result<Vec<(i64, Text)>, ArchiveError> {
    let mut conditions = Conditions::of(wanted);
    conditions.add("submission.number > ?", [Value::Integer(after)]);
    if which == Which::First {
        conditions.add(IS_FIRST, []);
    }
    let wanted = conditions.text();
    let query = format!(
        "SELECT {TEXT_COLUMNS} FROM {TEXT_TABLES} WHERE {wanted} ORDER BY submission.number \
        LIMIT {ARCHIVE_TEXTS_AT_ONCE}"
    );
    let mut find = connection.prepare_cached(&query)?;
    page(find.query(params_from_iter(conditions.values))?, text, |text| text)
}

/// See [`Store::kept`](crate::store::Store::kept).
pub(super) fn kept(connection: &Connection, after: i64) -> Result<Vec<(i64, Kept)>, ArchiveError> {
    let mut conditions = Conditions::of(&Criteria::default());
    conditions.add("submission.number > ?", [Value::Integer(after)]);
    let wanted = conditions.text();
    let query = format!(
        "SELECT {TEXT_COLUMNS}, logged.leaf, salt.salt FROM {TEXT_TABLES} \
        LEFT JOIN event AS logged ON logged.number = submission.event \
        LEFT JOIN salt ON salt.event = submission.event WHERE {wanted} \
        ORDER BY submission.number LIMIT {ARCHIVE_TEXTS_AT_ONCE}"
    );
    let mut find = connection.prepare_cached(&query)?;
    let kept = |row: &Row<'_>| {
        let (leaf, salt): (Option<Vec<u8>>, Option<Vec<u8>>) = (row.get(17)?, row.get(18)?);
        let salt = salt.and_then(|salt| salt.try_into().ok());
        Ok(Kept { text: text(row)?, leaf: leaf.unwrap_or_default(), salt })
    };
    page(find.query(params_from_iter(conditions.values))?, kept, |kept| &kept.text)
}

/// Rows with their numbers, until their texts are many bytes.
fn page<T>(
    mut rows: Rows<'_>,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    text: impl Fn(&T) -> &Text,
) -> Result<Vec<(i64, T)>, ArchiveError> {
    let (mut page, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let one = read(row)?;
        bytes += text(&one).text.len() + text(&one).report.len();
        page.push((row.get(0)?, one));
        if bytes > ARCHIVE_TEXT_BYTES_AT_ONCE {
            break;
        }
    }
    Ok(page)
}

fn text(row: &Row<'_>) -> rusqlite::Result<Text> {
    let style: Option<String> = row.get(7)?;
    let style: Option<Style> = style.and_then(|style| style.parse().ok());
    Ok(Text {
        id: GameId(row.get(1)?),
        entry: row.get(16)?,
        rules: kept_rules_of(row, 2)?,
        options: Options { variant: row.get(6)?, style, let_stand: row.get(8)?, ..Options::default() },
        token: row.get(14)?,
        digest: row.get(9)?,
        text: row.get(10)?,
        report: row.get(11)?,
        text_key: row.get(12)?,
        play: row.get(13)?,
        key: row.get::<_, Option<[u8; 16]>>(15)?.map(EntryKey),
    })
}

/// The rules in the columns from `first`, if the game was judged.
pub(super) fn rules_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<RulesId>> {
    let name: Option<String> = row.get(first)?;
    Ok(match name {
        Some(name) => Some(RulesId { name, edition: row.get(first + 1)?, digest: row.get(first + 2)? }),
        None => None,
    })
}

/// The same with the digest of the whole definition in the column after them.
fn kept_rules_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<KeptRules>> {
    Ok(match rules_of(row, first)? {
        Some(id) => Some(KeptRules { id, whole: row.get(first + 3)? }),
        None => None,
    })
}

/// See [`Store::rules`](crate::store::Store::rules).
pub(super) fn rules(connection: &Connection) -> Result<Vec<(KeptRules, u64)>, ArchiveError> {
    let list = "SELECT name, edition, digest, whole, coalesce(games, 0) FROM rules LEFT JOIN \
        (SELECT rules AS used, count(*) AS games FROM game GROUP BY rules) ON used = number \
        ORDER BY name, edition, number";
    let mut list = connection.prepare_cached(list)?;
    let rows = list.query_map([], |row| {
        let id = RulesId { name: row.get(0)?, edition: row.get(1)?, digest: row.get(2)? };
        let games: i64 = row.get(4)?;
        Ok((KeptRules { id, whole: row.get(3)? }, u64::try_from(games).unwrap_or(0)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// See [`Store::register`](crate::store::Store::register).
pub(super) fn register(connection: &Connection) -> Result<Vec<RegisterStep>, ArchiveError> {
    let list = "SELECT name, edition, digest, whole, step, class, because, token, happened, register.event \
        FROM register JOIN rules ON rules.number = register.rules ORDER BY register.number";
    let mut list = connection.prepare_cached(list)?;
    let mut rows = list.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let id = RulesId { name: row.get(0)?, edition: row.get(1)?, digest: row.get(2)? };
        let (step, class): (String, Option<String>) = (row.get(4)?, row.get(5)?);
        found.push(RegisterStep {
            rules: KeptRules { id, whole: row.get(3)? },
            step: step.parse()?,
            class,
            because: row.get(6)?,
            token: row.get(7)?,
            time: time_text(row.get(8)?),
            event: event_number(row.get(9)?),
        });
    }
    Ok(found)
}

/// See [`Store::proven_by`](crate::store::Store::proven_by).
pub(super) fn proven_by(connection: &Connection, rules: &KeptRules) -> Result<u64, ArchiveError> {
    let count = "SELECT count(*) FROM game JOIN rules ON rules.number = game.rules WHERE whole = ?1 AND valid = 1 \
        AND result <> '*' AND game.number NOT IN (SELECT game FROM hidden) \
        AND game.number NOT IN (SELECT game FROM forgotten)";
    let games: i64 = connection.prepare_cached(count)?.query_row([&rules.whole], |row| row.get(0))?;
    Ok(u64::try_from(games).unwrap_or(0))
}

/// See [`Store::decided`](crate::store::Store::decided).
pub(super) fn decided(connection: &Connection, each: &mut dyn FnMut(Decided)) -> Result<(), ArchiveError> {
    let mut list = connection.prepare_cached("SELECT number, name, edition, digest, whole FROM rules")?;
    let rules = list.query_map([], |row| {
        let id = RulesId { name: row.get(1)?, edition: row.get(2)?, digest: row.get(3)? };
        Ok((row.get(0)?, Arc::new(KeptRules { id, whole: row.get(4)? })))
    })?;
    let rules: HashMap<i64, Arc<KeptRules>> = rules.collect::<Result<_, _>>()?;
    let games = "SELECT white.text, black.text, result, game.rules FROM game \
        JOIN name AS white ON white.number = game.white JOIN name AS black ON black.number = game.black \
        WHERE valid = 1 AND result <> '*' AND white.text NOT IN ('', '?') AND black.text NOT IN ('', '?') \
        AND game.number NOT IN (SELECT game FROM hidden) AND game.number NOT IN (SELECT game FROM forgotten) \
        ORDER BY coalesce(day, 0), game.number";
    let mut games = connection.prepare_cached(games)?;
    let mut rows = games.query([])?;
    while let Some(row) = rows.next()? {
        let Some(rules) = rules.get(&row.get(3)?) else { continue };
        each(Decided {
            white: row.get(0)?,
            black: row.get(1)?,
            result: row.get(2)?,
            rules: Arc::clone(rules),
        });
    }
    Ok(())
}

/// See [`Store::definition`](crate::store::Store::definition).
pub(super) fn definition(connection: &Connection, rules: &KeptRules) -> Result<Option<String>, ArchiveError> {
    let KeptRules { id: RulesId { name, edition, digest }, whole } = rules;
    let find = "SELECT definition FROM rules WHERE digest = ?1 AND whole = ?2 AND name = ?3 AND edition = ?4";
    let mut find = connection.prepare_cached(find)?;
    Ok(find.query_row([digest, whole, name, edition], |row| row.get(0)).optional()?)
}

/// See [`Store::tokens`](crate::store::Store::tokens).
pub(super) fn tokens(connection: &Connection) -> Result<Vec<TokenInfo>, ArchiveError> {
    let list = "SELECT name, created, revoked, holder, scopes, expires FROM token ORDER BY name, created";
    let mut list = connection.prepare_cached(list)?;
    let rows = list.query_map([], |row| {
        let (revoked, expires): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(5)?);
        let scopes: String = row.get(4)?;
        Ok(TokenInfo {
            name: row.get(0)?,
            holder: row.get(3)?,
            scopes: scopes_of(&scopes),
            expires: expires.map(time_text),
            created: time_text(row.get(1)?),
            revoked: revoked.map(time_text),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// See [`Store::token`](crate::store::Store::token).
pub(super) fn token(
    connection: &Connection,
    hash: &[u8; 32],
    now: i64,
) -> Result<Option<Access>, ArchiveError> {
    let find = "SELECT name, holder, scopes, event FROM token WHERE hash = ?1 AND revoked IS NULL \
        AND (expires IS NULL OR expires > ?2)";
    let mut find = connection.prepare_cached(find)?;
    let found = find.query_row(params![hash, now], |row| {
        let scopes: String = row.get(2)?;
        // The last event about a valid token is the one that created it.
        let event = event_number(row.get(3)?);
        Ok(Access { name: row.get(0)?, holder: row.get(1)?, scopes: scopes_of(&scopes), event })
    });
    Ok(found.optional()?)
}
