//! Acts of games in progress.

use super::Rows;
use super::withdraw::asker;
use crate::GameId;
use crate::correspondence::{CorrespondenceId, NewAct, NewActs, NewTree};
use crate::error::ArchiveError;
use crate::identity::to_hex;
use crate::log::{ActFacts, Hash, Kind, Leaf, leaf_hash};
use crate::sqlite::log::{Previous, following, previous, row_number};
use crate::sqlite::private;
use ferz_core::board::Owner;
use rusqlite::{OptionalExtension, params};
use std::borrow::Cow;

const ADD_GAME: &str = "INSERT INTO correspondence (id, status, timed) VALUES (?1, ?2, ?3)";
const ADD_SEAT: &str = "INSERT INTO seat (correspondence, player, name) VALUES (?1, ?2, ?3)";
const ADD_ACT: &str = "INSERT INTO act (correspondence, sequence, player, ply, what, happened, token, by, event) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
const ADD_REQUEST: &str = "INSERT INTO request (by, key, digest, act, acts) VALUES (?1, ?2, ?3, ?4, ?5)";
const SET_STATUS: &str = "UPDATE correspondence SET status = ?2, entry = ?3, due = ?4 WHERE number = ?1";

/// The last event about a game in progress.
pub(in crate::sqlite) const LAST_ACT: &str = "SELECT max(event) FROM act WHERE correspondence = ?1";

impl Rows<'_> {
    /// Adds acts to a game in progress, or creates one. Returns the event of the first act, and its number in its game.
    pub(super) fn act(&mut self, acts: &NewActs) -> Result<(u64, u64), ArchiveError> {
        let game = self.acted_on(acts)?;
        // A game that ends is an entry before its last act says so.
        let entry = acts.entry.as_ref().map(|entry| self.submit(entry)).transpose()?.map(|(id, _)| id);
        let entry_row = entry.map(|id| self.game(id)).transpose()?.flatten();
        if acts.is_timed {
            // Who acts, runs: no stoppage is older than a game's last act.
            self.alive(self.events.now().try_into().unwrap_or_default())?;
        }
        let (mut first, mut act_row) = (None, 0);
        for act in &acts.acts {
            let added = self.add_act(game, act, acts, entry)?;
            if first.is_none() {
                act_row = self.connection.last_insert_rowid();
                first = Some(added);
            }
        }
        self.connection.prepare_cached(SET_STATUS)?.execute(params![
            game,
            acts.status.name(),
            entry_row,
            acts.due.map(row_number)
        ])?;
        for (player, tree) in &acts.trees {
            self.put_tree(game, *player, tree.as_deref())?;
        }
        if let (Some(request), Some(token)) = (&acts.request, &acts.token) {
            let count = row_number(acts.acts.len() as u64);
            let row = params![row_number(token.event), request.key, request.digest, act_row, count];
            self.connection.prepare_cached(ADD_REQUEST)?.execute(row)?;
        }
        first.ok_or_else(|| ArchiveError::Corrupt("nothing was to happen in a game in progress".to_owned()))
    }

    /// The number of the game in progress, which is created, or is still as its sender has seen it.
    fn acted_on(&mut self, acts: &NewActs) -> Result<i64, ArchiveError> {
        if let (Some(request), Some(token)) = (&acts.request, &acts.token) {
            let find = "SELECT 1 FROM request WHERE by = ?1 AND key = ?2";
            let row = params![row_number(token.event), request.key];
            if self.connection.prepare_cached(find)?.exists(row)? {
                return Err(ArchiveError::Acted([0; 32]));
            }
        }
        if let Some((game, head)) = self.in_progress(acts.id)? {
            return if acts.head == Some(head) { Ok(game) } else { Err(ArchiveError::Acted(head)) };
        }
        if let Some(game) = &acts.game {
            self.rules(game)?;
        }
        self.connection.prepare_cached(ADD_GAME)?.execute(params![
            acts.id.0,
            acts.status.name(),
            acts.is_timed
        ])?;
        let number = self.connection.last_insert_rowid();
        let mut add = self.connection.prepare_cached(ADD_SEAT)?;
        for (player, name) in &acts.seats {
            add.execute(params![number, player.name().to_ascii_lowercase(), name])?;
        }
        if let Some(seed) = &acts.seed {
            let add = "INSERT INTO seed (correspondence, seed) VALUES (?1, ?2)";
            self.connection.prepare_cached(add)?.execute(params![number, seed])?;
        }
        Ok(number)
    }

    /// The number of a game in progress, and its head.
    fn in_progress(&self, id: CorrespondenceId) -> Result<Option<(i64, Hash)>, ArchiveError> {
        let find = "SELECT number FROM correspondence WHERE id = ?1";
        let found: Option<i64> =
            self.connection.prepare_cached(find)?.query_row([id.0], |row| row.get(0)).optional()?;
        let Some(game) = found else { return Ok(None) };
        let last: Option<Vec<u8>> = self
            .connection
            .prepare_cached(&format!("SELECT leaf FROM event WHERE number = ({LAST_ACT})"))?
            .query_row([game], |row| row.get(0))
            .optional()?;
        Ok(Some((game, last.map_or([0; 32], |leaf| leaf_hash(&leaf)))))
    }

    /// Sets the conditional plies of a player in a game that is still as the player has seen it.
    pub(super) fn set_tree(&mut self, tree: &NewTree) -> Result<(), ArchiveError> {
        let missing = || ArchiveError::Acted([0; 32]);
        let (game, head) = self.in_progress(tree.id)?.ok_or_else(missing)?;
        if head != tree.head {
            return Err(ArchiveError::Acted(head));
        }
        self.put_tree(game, tree.player, tree.tree.as_deref())
    }

    fn put_tree(&self, game: i64, player: Owner, tree: Option<&str>) -> Result<(), ArchiveError> {
        let player = player.name().to_ascii_lowercase();
        let delete = "DELETE FROM conditional WHERE correspondence = ?1 AND player = ?2";
        self.connection.prepare_cached(delete)?.execute(params![game, player])?;
        if let Some(tree) = tree {
            let add = "INSERT INTO conditional (correspondence, player, tree) VALUES (?1, ?2, ?3)";
            self.connection.prepare_cached(add)?.execute(params![game, player, tree])?;
        }
        Ok(())
    }

    /// Notes that a service runs at an instant.
    pub(super) fn alive(&mut self, at: u64) -> Result<(), ArchiveError> {
        let note = "INSERT INTO alive (number, at) VALUES (1, ?1) ON CONFLICT (number) DO UPDATE SET at = ?1";
        self.connection.prepare_cached(note)?.execute([row_number(at)])?;
        Ok(())
    }

    /// Adds one act; returns its event, and its number in its game.
    fn add_act(
        &mut self,
        game: i64,
        act: &NewAct,
        of: &NewActs,
        entry: Option<GameId>,
    ) -> Result<(u64, u64), ArchiveError> {
        let last: Option<i64> =
            self.connection.prepare_cached(LAST_ACT)?.query_row([game], |row| row.get(0))?;
        let before = last.map(|last| previous(self.connection, last)).transpose()?;
        let sequence = before.as_ref().map_or(0, Previous::sequence);
        let what =
            serde_json::to_string(&act.what).map_err(|error| ArchiveError::Database(error.to_string()))?;
        let player = act.by.map(|by| by.name().to_ascii_lowercase());
        let (token, by) = asker(of.token.as_ref());
        let salt = self.events.salt()?;
        let is_end = act.what.kind() == "ended";
        let facts = ActFacts {
            coord: act.what.coord().map(Cow::Borrowed),
            entry: entry.filter(|_| is_end).map(|id| Cow::Owned(id.to_string())),
            kind: Cow::Borrowed(act.what.kind()),
            player: player.as_deref().map(Cow::Borrowed),
            ply: act.ply,
        };
        let leaf = Leaf {
            act: Some(facts),
            private: Some(private::of_act(&what, token, by).commitment(&salt)?),
            ..Leaf::new(Kind::Act, to_hex(&of.id.0), self.events.time())
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        let event = self.events.add(&leaf, Some(salt))?;
        let row = params![
            game,
            row_number(sequence),
            player,
            act.ply.map(row_number),
            what,
            self.events.now(),
            token,
            by,
            row_number(event)
        ];
        self.connection.prepare_cached(ADD_ACT)?.execute(row)?;
        Ok((event, sequence))
    }
}
