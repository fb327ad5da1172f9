//! Games in progress: their acts, and what follows from these.

use super::{Projection, first_different, id_of};
use crate::correspondence::{CorrespondenceId, check_at};
use crate::error::ArchiveError;
use crate::log::{ActFacts, Leaf, Salt, leaf_hash};
use crate::sqlite::private;
use crate::time_text;
use crate::verify::{Finding, damage};
use ferz_core::board::Owner;
use ferz_correspondence::{Event, seed_digest};
use rusqlite::Row;
use serde::{Deserialize, Serialize};

const ACT: &str = "SELECT correspondence.id, act.event, act.happened, act.sequence, act.player, act.ply, act.what, \
    act.token, act.by, game.id FROM act LEFT JOIN correspondence ON correspondence.number = act.correspondence \
    LEFT JOIN game ON game.number = correspondence.entry WHERE act.number = ?1";

/// Games whose status or entry is not what their acts say. What `entry` is, the event of the last act says. The status
/// is that of the last act which leads to another one; a game begins once all have accepted, and revealed secrets.
const WRONG_STATUS: &str = "WITH said AS (SELECT correspondence, sequence, json_extract(what, '$.kind') AS kind, \
    json_extract(what, '$.result') AS result, json_extract(what, '$.cause') AS cause FROM act \
    WHERE json_extract(what, '$.kind') IN ('ruled', 'dismissed', 'appealed', 'ended') \
    OR json_extract(what, '$.kind') = 'claimed' AND json_extract(what, '$.upheld') IS NULL), \
    last AS (SELECT correspondence, kind, result, cause, max(sequence) FROM said GROUP BY correspondence) \
    SELECT number FROM (SELECT number, status, entry, last.kind AS kind, last.result AS result, last.cause AS cause, \
    (SELECT count(*) FROM act WHERE correspondence = one.number AND json_extract(what, '$.kind') = 'accepted') AS yes, \
    (SELECT count(*) FROM act WHERE correspondence = one.number AND json_extract(what, '$.kind') = 'revealed') \
    AS shown, (SELECT CASE WHEN json_extract(what, '$.terms.secret_armies') OR json_extract(what, '$.terms.nonces') \
    THEN 2 ELSE 0 END FROM act WHERE correspondence = one.number AND sequence = 0) AS secrets, \
    (SELECT count(*) FROM seat WHERE correspondence = one.number) AS seats \
    FROM correspondence AS one LEFT JOIN last ON last.correspondence = one.number) \
    WHERE status IS NOT CASE \
    WHEN kind = 'ended' AND NOT coalesce(cause = 'ruling' AND result = '*', 0) THEN 'ended' \
    WHEN kind = 'ruled' AND result <> '*' THEN 'ended' \
    WHEN kind IN ('ended', 'ruled') THEN 'annulled' \
    WHEN kind IN ('claimed', 'appealed') THEN 'disputed' \
    WHEN yes = seats AND shown >= secrets THEN 'running' ELSE 'awaiting-acceptance' END \
    AND coalesce(entry NOT IN (SELECT game FROM forgotten), 1) \
    OR (entry IS NOT NULL) <> (kind IS 'ended') ORDER BY number";

/// Games whose seats are not those that their terms name.
const WRONG_SEATS: &str = "WITH meant AS (SELECT act.correspondence, one.player, \
    json_extract(act.what, '$.terms.players.' || one.player) AS name FROM act, \
    (SELECT 'white' AS player UNION SELECT 'black' UNION SELECT 'nature') AS one WHERE act.sequence = 0) \
    SELECT coalesce(meant.correspondence, seat.correspondence) AS game FROM seat FULL JOIN meant \
    ON meant.correspondence = seat.correspondence AND meant.player = seat.player \
    WHERE seat.name IS NOT meant.name GROUP BY game ORDER BY game";

/// Games that no act created.
const WITHOUT_ACTS: &str = "SELECT number FROM correspondence WHERE NOT EXISTS \
    (SELECT 1 FROM act WHERE correspondence = correspondence.number AND sequence = 0) ORDER BY number";

/// The seeds with the terms that commit to them, and the terms without a seed.
const SEEDS: &str = "SELECT game.number, json_extract(act.what, '$.terms.seed'), seed.seed \
    FROM (SELECT number FROM correspondence UNION SELECT correspondence FROM seed) AS game \
    LEFT JOIN act ON act.correspondence = game.number AND act.sequence = 0 \
    LEFT JOIN seed ON seed.correspondence = game.number ORDER BY game.number";

/// The acts of games in which a player has registered a key, with their leaves, in order.
const SIGNED: &str = "SELECT correspondence.id, correspondence.number, act.player, act.what, event.leaf \
    FROM act JOIN event ON event.number = act.event JOIN correspondence ON correspondence.number = act.correspondence \
    WHERE correspondence.number IN (SELECT correspondence FROM act WHERE json_extract(what, '$.kind') = 'registered') \
    ORDER BY correspondence.number, act.sequence";

impl Projection<'_> {
    pub(super) fn act(
        &mut self,
        event: i64,
        leaf: &Leaf<'_>,
        salt: Option<&Salt>,
    ) -> Result<Option<String>, ArchiveError> {
        let Some(facts) = &leaf.act else { return Ok(Some("says nothing of an act".to_owned())) };
        let number = self.next(4);
        self.compare("act", number, ACT, |row| {
            let plain = plain_of(row, event, leaf, facts)?;
            if self.is_forgotten(leaf) {
                return Ok(plain.or((!is_blank(row)?).then_some("what")));
            }
            let Some(salt) = salt.filter(|_| plain.is_none()) else { return Ok(plain) };
            let (what, token): (String, Option<String>) = (row.get(6)?, row.get(7)?);
            let private = private::of_act(&what, token.as_deref(), row.get(8)?).commitment(salt).ok();
            Ok((private != leaf.private).then_some("what"))
        })
    }

    /// Checks what follows from the acts of games in progress.
    pub(super) fn check_correspondences(&self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        for (wrong, why) in [
            (WITHOUT_ACTS, "was created by no event"),
            (WRONG_STATUS, "has another status or entry than its acts say"),
            (WRONG_SEATS, "has other players than its terms say"),
        ] {
            let mut wrong = self.connection.prepare(wrong)?;
            let mut rows = wrong.query([])?;
            while let Some(row) = rows.next()? {
                let number: i64 = row.get(0)?;
                found(damage(None, format!("row {number} of `correspondence` {why}")));
            }
        }
        self.check_signatures(found)?;
        let mut seeds = self.connection.prepare(SEEDS)?;
        let mut rows = seeds.query([])?;
        while let Some(row) = rows.next()? {
            let (terms, seed): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
            if seed.as_deref().map(seed_digest) != terms {
                let number: i64 = row.get(0)?;
                found(damage(
                    None,
                    format!("the seed of row {number} of `correspondence` is not that of its terms"),
                ));
            }
        }
        Ok(())
    }
}

impl Projection<'_> {
    /// Checks the signatures of plies by their players' keys.
    fn check_signatures(&self, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
        let mut signed = self.connection.prepare(SIGNED)?;
        let mut rows = signed.query([])?;
        let (mut game, mut events, mut leaves) = (None, Vec::new(), Vec::new());
        while let Some(row) = rows.next()? {
            let (id, number): ([u8; 16], i64) = (row.get(0)?, row.get(1)?);
            if game.replace(number) != Some(number) {
                events.clear();
                leaves.clear();
            }
            let (player, what): (Option<String>, String) = (row.get(2)?, row.get(3)?);
            let leaf: Vec<u8> = row.get(4)?;
            let known =
                |name: String| Owner::ALL.into_iter().find(|owner| owner.name().eq_ignore_ascii_case(&name));
            // One that cannot be read is a finding of its own.
            let Ok(what) = serde_json::from_str(&what) else { continue };
            events.push(Event { at: 0, by: player.and_then(known), what });
            leaves.push(leaf_hash(&leaf));
            if let Err(error) = check_at(CorrespondenceId(id), &events, events.len() - 1, &leaves) {
                let act = events.len() - 1;
                found(damage(None, format!("act {act} of row {number} of `correspondence`: {error}")));
            }
        }
        Ok(())
    }
}

/// What is plain in an act, and what is left of it when it is forgotten.
#[derive(Default, Deserialize, Serialize)]
struct Plain {
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coord: Option<String>,
}

/// True if nothing private is in a forgotten act.
fn is_blank(row: &Row<'_>) -> rusqlite::Result<bool> {
    let (what, token, by): (String, Option<String>, Option<i64>) = (row.get(6)?, row.get(7)?, row.get(8)?);
    let plain: Option<Plain> = serde_json::from_str(&what).ok();
    let is_plain =
        plain.and_then(|plain| serde_json::to_string(&plain).ok()).is_some_and(|plain| plain == what);
    Ok(is_plain && token.is_none() && by.is_none())
}

/// The first column that is not what an event says in plain words.
fn plain_of(
    row: &Row<'_>,
    event: i64,
    leaf: &Leaf<'_>,
    facts: &ActFacts<'_>,
) -> rusqlite::Result<Option<&'static str>> {
    let (sequence, ply): (i64, Option<i64>) = (row.get(3)?, row.get(5)?);
    let (player, what): (Option<String>, String) = (row.get(4)?, row.get(6)?);
    let what: Plain = serde_json::from_str(&what).unwrap_or_default();
    let is_end = facts.kind == "ended";
    Ok(first_different([
        ("event", row.get::<_, i64>(1)? == event),
        ("correspondence", id_of(row, 0)?.as_deref() == Some(&*leaf.id)),
        ("happened", time_text(row.get(2)?) == leaf.time),
        ("sequence", u64::try_from(sequence) == Ok(leaf.sequence)),
        ("player", player.as_deref() == facts.player.as_deref()),
        ("ply", ply.and_then(|ply| u64::try_from(ply).ok()) == facts.ply),
        ("kind", what.kind.as_deref() == Some(&*facts.kind)),
        ("coord", what.coord.as_deref() == facts.coord.as_deref()),
        ("entry", !is_end || id_of(row, 9)?.as_deref() == facts.entry.as_deref()),
    ]))
}
