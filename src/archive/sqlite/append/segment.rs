//! Writes segments of the index.

use super::Rows;
use crate::error::ArchiveError;
use crate::index::NewSegment;
use crate::sqlite::segments;
use rusqlite::params;

const OVERLAPS: &str = "SELECT 1 FROM index_segment WHERE first < ?2 AND first + games > ?1 LIMIT 1";

impl Rows<'_> {
    /// Deletes segments, and adds one.
    pub(super) fn set_segment(&mut self, new: Option<&NewSegment>, old: &[i64]) -> Result<(), ArchiveError> {
        for number in old {
            self.drop_segment(*number)?;
        }
        let Some(NewSegment { segment, contents, forgotten }) = new else { return Ok(()) };
        let overlaps =
            self.connection.prepare_cached(OVERLAPS)?.exists(params![segment.first, segment.end()])?;
        let forgotten_now = segments::forgotten_entries(self.connection)?;
        if overlaps || forgotten.is_some_and(|before| before != forgotten_now) {
            return Err(ArchiveError::IndexChanged);
        }
        let rules: Vec<u8> = segment
            .rules
            .iter()
            .flat_map(|(key, game)| key.0.to_le_bytes().into_iter().chain(game.to_le_bytes()))
            .collect();
        let add = "INSERT INTO index_segment (first, games, version, rules, tags, digest) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let digest = segment.digest_of(contents);
        let row = params![segment.first, segment.games as i64, segment.version, rules, contents.tags, digest];
        let number = self.connection.prepare_cached(add)?.insert(row)?;
        for (table, blocks) in [("index_block", &contents.blocks), ("index_game", &contents.games)] {
            let add = format!("INSERT INTO {table} (number, bytes) VALUES (?1, ?2)");
            let mut add = self.connection.prepare_cached(&add)?;
            for (of_segment, bytes) in blocks {
                add.execute(params![segments::block_number(number, *of_segment), bytes])?;
            }
        }
        Ok(())
    }

    /// Deletes the segment that covers an entry, if there is one.
    pub(super) fn drop_segments_of(&mut self, game: i64) -> Result<(), ArchiveError> {
        let find = "SELECT number FROM index_segment WHERE ?1 >= first AND ?1 < first + games";
        let mut find = self.connection.prepare_cached(find)?;
        let numbers: Vec<i64> = find.query_map([game], |row| row.get(0))?.collect::<Result<_, _>>()?;
        numbers.into_iter().try_for_each(|number| self.drop_segment(number))
    }

    fn drop_segment(&self, number: i64) -> Result<(), ArchiveError> {
        if self.connection.execute("DELETE FROM index_segment WHERE number = ?1", [number])? == 0 {
            return Err(ArchiveError::IndexChanged);
        }
        let bounds = [segments::block_number(number, 0), segments::block_number(number, u32::MAX)];
        for table in ["index_block", "index_game"] {
            let delete = format!("DELETE FROM {table} WHERE number BETWEEN ?1 AND ?2");
            self.connection.execute(&delete, bounds)?;
        }
        Ok(())
    }
}
