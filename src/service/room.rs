//! Room in memory: the bytes of all bodies and answers together have a limit.

use super::limits::{ROOM_BYTES, ROOM_UNIT_BYTES};
use super::problem::{self, Problem};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Room for the bytes of all requests together.
#[derive(Debug, Clone)]
pub struct Room(Arc<Semaphore>);

impl Default for Room {
    fn default() -> Room {
        Room(Arc::new(Semaphore::new(ROOM_BYTES / ROOM_UNIT_BYTES)))
    }
}

/// Bytes that take up room for as long as they live.
#[derive(Debug)]
pub struct Held {
    bytes: Vec<u8>,
    room: Room,
    units: Option<OwnedSemaphorePermit>,
}

impl Held {
    /// None yet.
    pub fn new(room: &Room) -> Held {
        Held { bytes: Vec::new(), room: room.clone(), units: None }
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
        let held = self.units.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        // The first unit is free: see the limit.
        let needed = (self.bytes.len() + more.len()).div_ceil(ROOM_UNIT_BYTES).saturating_sub(1);
        if let Some(units) = needed.checked_sub(held).filter(|units| *units > 0) {
            let units = u32::try_from(units).unwrap_or(u32::MAX);
            let full = |_| Problem::new(&problem::BUSY, "all memory for bodies is in use").retry_after(2);
            let more = Arc::clone(&self.room.0).try_acquire_many_owned(units).map_err(full)?;
            match &mut self.units {
                Some(held) => held.merge(more),
                None => self.units = Some(more),
            }
        }
        self.bytes.extend_from_slice(more);
        Ok(())
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

    #[test]
    fn room_is_given_back() {
        let room = Room::default();
        let free = room.0.available_permits();
        let mut held = Held::new(&room);
        held.add(&[0; 3 * ROOM_UNIT_BYTES + 1]).unwrap();
        held.add(&[0; 5]).unwrap();
        assert_eq!((held.len(), room.0.available_permits()), (3 * ROOM_UNIT_BYTES + 6, free - 3));
        let mut other = Held::new(&room);
        let refused =
            other.add(&vec![0; ROOM_BYTES + ROOM_UNIT_BYTES]).map_err(|problem| problem.kind().name);
        assert_eq!((refused, other.is_empty()), (Err("busy"), true));
        other.add(&[0; ROOM_UNIT_BYTES]).unwrap();
        drop(held);
        assert_eq!(room.0.available_permits(), free);
    }
}
