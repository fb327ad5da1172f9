//! Games in progress: their acts, and what follows from these.

use super::{Projection, first_different, id_of};
use crate::error::ArchiveError;
use crate::log::{ActFacts, Leaf, Salt};
use crate::sqlite::private;
use crate::time_text;
use crate::verify::{Finding, damage};
use ferz_correspondence::{What, seed_digest};
use rusqlite::Row;

const ACT: &str = "SELECT correspondence.id, act.event, act.happened, act.sequence, act.player, act.ply, act.what, \
    act.token, act.by, game.id FROM act LEFT JOIN correspondence ON correspondence.number = act.correspondence \
    LEFT JOIN game ON game.number = correspondence.entry WHERE act.number = ?1";

/// Games whose status or entry is not what their acts say. What `entry` is, the event of the last act says.
const WRONG_STATUS: &str = "SELECT number FROM (SELECT number, status, entry, \
    (SELECT count(*) FROM act WHERE correspondence = one.number AND json_extract(what, '$.kind') = 'ended') AS ends, \
    (SELECT count(*) FROM act WHERE correspondence = one.number AND json_extract(what, '$.kind') = 'accepted') AS yes, \
    (SELECT count(*) FROM seat WHERE correspondence = one.number) AS seats FROM correspondence AS one) \
    WHERE status IS NOT CASE WHEN ends > 0 THEN 'ended' WHEN yes = seats THEN 'running' ELSE 'awaiting-acceptance' END \
    OR (entry IS NOT NULL) <> (ends > 0) ORDER BY number";

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

/// The first column that is not what an event says in plain words.
fn plain_of(
    row: &Row<'_>,
    event: i64,
    leaf: &Leaf<'_>,
    facts: &ActFacts<'_>,
) -> rusqlite::Result<Option<&'static str>> {
    let (sequence, ply): (i64, Option<i64>) = (row.get(3)?, row.get(5)?);
    let (player, what): (Option<String>, String) = (row.get(4)?, row.get(6)?);
    let what: Option<What> = serde_json::from_str(&what).ok();
    let is_end = facts.kind == "ended";
    Ok(first_different([
        ("event", row.get::<_, i64>(1)? == event),
        ("correspondence", id_of(row, 0)?.as_deref() == Some(&*leaf.id)),
        ("happened", time_text(row.get(2)?) == leaf.time),
        ("sequence", u64::try_from(sequence) == Ok(leaf.sequence)),
        ("player", player.as_deref() == facts.player.as_deref()),
        ("ply", ply.and_then(|ply| u64::try_from(ply).ok()) == facts.ply),
        ("kind", what.as_ref().map(What::kind) == Some(&*facts.kind)),
        ("coord", what.as_ref().and_then(What::coord) == facts.coord.as_deref()),
        ("entry", !is_end || id_of(row, 9)?.as_deref() == facts.entry.as_deref()),
    ]))
}
