//! Room in memory: the bytes of all bodies and answers together have a limit.

use super::limits::{ROOM_BYTES, ROOM_FIRST_BYTES, ROOM_UNIT_BYTES};
use super::problem::{self, Problem};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Room for the bytes of all requests together. The first unit of each body and answer has room of its own, so that
/// small ones pass while large ones wait.
#[derive(Debug, Clone)]
pub struct Room {
    first: Arc<Semaphore>,
    more: Arc<Semaphore>,
}

impl Default for Room {
    fn default() -> Room {
        let units = |bytes: usize| Arc::new(Semaphore::new(bytes / ROOM_UNIT_BYTES));
        Room { first: units(ROOM_FIRST_BYTES), more: units(ROOM_BYTES - ROOM_FIRST_BYTES) }
    }
}

/// Room that is taken, until it is dropped.
#[derive(Debug, Default)]
pub struct Units {
    first: Option<OwnedSemaphorePermit>,
    more: Option<OwnedSemaphorePermit>,
}

impl Room {
    /// Takes room for so many bytes.
    ///
    /// # Errors
    /// Where there is none.
    pub fn take(&self, bytes: usize) -> Result<Units, Problem> {
        let mut units = Units::default();
        units.grow(self, bytes)?;
        Ok(units)
    }
}

impl Units {
    fn count(&self) -> usize {
        let count = |permit: &Option<_>| permit.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        count(&self.first) + count(&self.more)
    }

    /// Takes as much more room as so many bytes need.
    ///
    /// # Errors
    /// Where there is none; then nothing changes.
    fn grow(&mut self, room: &Room, bytes: usize) -> Result<(), Problem> {
        let mut needed = bytes.div_ceil(ROOM_UNIT_BYTES).saturating_sub(self.count());
        if needed == 0 {
            return Ok(());
        }
        let mut first = None;
        if self.count() == 0 {
            first = Arc::clone(&room.first).try_acquire_owned().ok();
            needed -= usize::from(first.is_some());
        }
        if needed > 0 {
            let units = u32::try_from(needed).unwrap_or(u32::MAX);
            let full = |_| {
                Problem::new(&problem::BUSY, "all memory for bodies and answers is in use").retry_after(2)
            };
            let more = Arc::clone(&room.more).try_acquire_many_owned(units).map_err(full)?;
            match &mut self.more {
                Some(held) => held.merge(more),
                None => self.more = Some(more),
            }
        }
        self.first = self.first.take().or(first);
        Ok(())
    }
}

/// Bytes that take up room for as long as they live.
#[derive(Debug)]
pub struct Held {
    bytes: Vec<u8>,
    room: Room,
    units: Units,
}

impl Held {
    /// None yet.
    pub fn new(room: &Room) -> Held {
        Held { bytes: Vec::new(), room: room.clone(), units: Units::default() }
    }

    /// The room that they are in.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// Where there is no room for them.
    pub fn add(&mut self, more: &[u8]) -> Result<(), Problem> {
        let needed = self.bytes.len() + more.len();
        if needed <= ROOM_UNIT_BYTES.max(self.bytes.capacity()) {
            self.units.grow(&self.room, needed)?;
        } else {
            // What the vector sets aside is in memory, too, not only what it holds.
            let mut capacity = needed + needed / 2;
            if self.units.grow(&self.room, capacity).is_err() {
                capacity = needed;
                self.units.grow(&self.room, capacity)?;
            }
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(more);
        Ok(())
    }

    /// The room that they take up, without them: for a copy of them in another form.
    pub fn into_units(self) -> Units {
        self.units
    }
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(room: &Room) -> (usize, usize) {
        (room.first.available_permits(), room.more.available_permits())
    }

    #[test]
    fn room_is_given_back() {
        let room = Room::default();
        let (first, more) = free(&room);
        let mut held = Held::new(&room);
        held.add(&[0; 2 * ROOM_UNIT_BYTES]).unwrap();
        held.add(&[0; ROOM_UNIT_BYTES]).unwrap();
        assert_eq!((held.len(), free(&room)), (3 * ROOM_UNIT_BYTES, (first - 1, more - 2)));
        let mut other = Held::new(&room);
        let refused = other.add(&vec![0; ROOM_BYTES]).map_err(|problem| problem.kind().name);
        assert_eq!((refused, other.is_empty()), (Err("busy"), true));
        other.add(&[0; ROOM_UNIT_BYTES]).unwrap();
        drop(held);
        drop(other);
        assert_eq!(free(&room), (first, more));
    }

    #[test]
    fn small_ones_pass_while_large_ones_wait() {
        let room = Room::default();
        let _large = room.take(ROOM_BYTES - ROOM_FIRST_BYTES + ROOM_UNIT_BYTES).unwrap();
        assert!(room.take(2 * ROOM_UNIT_BYTES).is_err());
        let small: Vec<Units> = std::iter::from_fn(|| room.take(7).ok()).collect();
        assert_eq!(small.len(), ROOM_FIRST_BYTES / ROOM_UNIT_BYTES - 1);
        assert!(room.take(0).is_ok());
    }

    #[test]
    fn bytes_set_aside_count() {
        let room = Room::default();
        let (mut held, (_, more)) = (Held::new(&room), free(&room));
        for _ in 0..40 {
            held.add(&[0; 3_000]).unwrap();
        }
        let taken = 1 + more - free(&room).1;
        assert!(taken * ROOM_UNIT_BYTES >= held.bytes.capacity(), "{taken} {}", held.bytes.capacity());
    }
}
