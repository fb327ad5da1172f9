//! The memory budget: a limit on the bytes of all bodies and answers together.

use super::limits::{MEMORY_BYTES, MEMORY_FIRST_BYTES, MEMORY_UNIT_BYTES};
use super::problem::{self, Problem};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A budget of bytes for all requests. The first unit of each body and answer has a separate budget, so that small
/// requests pass while large ones are refused.
#[derive(Debug, Clone)]
pub struct MemoryBudget {
    first: Arc<Semaphore>,
    more: Arc<Semaphore>,
}

impl Default for MemoryBudget {
    fn default() -> MemoryBudget {
        let units = |bytes: usize| Arc::new(Semaphore::new(bytes / MEMORY_UNIT_BYTES));
        MemoryBudget { first: units(MEMORY_FIRST_BYTES), more: units(MEMORY_BYTES - MEMORY_FIRST_BYTES) }
    }
}

/// Reserved units; dropping releases them.
#[derive(Debug, Default)]
pub struct Reservation {
    first: Option<OwnedSemaphorePermit>,
    more: Option<OwnedSemaphorePermit>,
}

impl MemoryBudget {
    /// Reserves units for a number of bytes.
    ///
    /// # Errors
    /// If the budget has no room.
    pub fn take(&self, bytes: usize) -> Result<Reservation, Problem> {
        let mut units = Reservation::default();
        units.grow(self, bytes)?;
        Ok(units)
    }
}

impl Reservation {
    fn count(&self) -> usize {
        let count = |permit: &Option<_>| permit.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        count(&self.first) + count(&self.more)
    }

    /// Grows the reservation to a number of bytes.
    ///
    /// # Errors
    /// If the budget has no room; the reservation is unchanged.
    fn grow(&mut self, memory: &MemoryBudget, bytes: usize) -> Result<(), Problem> {
        let mut needed = bytes.div_ceil(MEMORY_UNIT_BYTES).saturating_sub(self.count());
        if needed == 0 {
            return Ok(());
        }
        let mut first = None;
        if self.count() == 0 {
            first = Arc::clone(&memory.first).try_acquire_owned().ok();
            needed -= usize::from(first.is_some());
        }
        if needed > 0 {
            let units = u32::try_from(needed).unwrap_or(u32::MAX);
            let full = |_| {
                Problem::new(&problem::BUSY, "all memory for bodies and answers is in use").retry_after(2)
            };
            let more = Arc::clone(&memory.more).try_acquire_many_owned(units).map_err(full)?;
            match &mut self.more {
                Some(held) => held.merge(more),
                None => self.more = Some(more),
            }
        }
        self.first = self.first.take().or(first);
        Ok(())
    }
}

/// Bytes that count against the budget while they exist.
#[derive(Debug)]
pub struct Budgeted {
    bytes: Vec<u8>,
    memory: MemoryBudget,
    units: Reservation,
}

impl Budgeted {
    /// An empty buffer.
    pub fn new(memory: &MemoryBudget) -> Budgeted {
        Budgeted { bytes: Vec::new(), memory: memory.clone(), units: Reservation::default() }
    }

    /// The budget.
    pub fn memory(&self) -> &MemoryBudget {
        &self.memory
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True if there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// If the budget has no room for them.
    pub fn add(&mut self, more: &[u8]) -> Result<(), Problem> {
        let needed = self.bytes.len() + more.len();
        if needed <= MEMORY_UNIT_BYTES.max(self.bytes.capacity()) {
            self.units.grow(&self.memory, needed)?;
        } else {
            // Count the capacity, not only the length.
            let mut capacity = needed + needed / 2;
            if self.units.grow(&self.memory, capacity).is_err() {
                capacity = needed;
                self.units.grow(&self.memory, capacity)?;
            }
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(more);
        Ok(())
    }

    /// The reservation without the bytes, for a copy in another form.
    pub fn into_reservation(self) -> Reservation {
        self.units
    }
}

impl AsRef<[u8]> for Budgeted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(memory: &MemoryBudget) -> (usize, usize) {
        (memory.first.available_permits(), memory.more.available_permits())
    }

    #[test]
    fn room_is_given_back() {
        let memory = MemoryBudget::default();
        let (first, more) = free(&memory);
        let mut held = Budgeted::new(&memory);
        held.add(&[0; 2 * MEMORY_UNIT_BYTES]).unwrap();
        held.add(&[0; MEMORY_UNIT_BYTES]).unwrap();
        assert_eq!((held.len(), free(&memory)), (3 * MEMORY_UNIT_BYTES, (first - 1, more - 2)));
        let mut other = Budgeted::new(&memory);
        let refused = other.add(&vec![0; MEMORY_BYTES]).map_err(|problem| problem.kind().name);
        assert_eq!((refused, other.is_empty()), (Err("busy"), true));
        other.add(&[0; MEMORY_UNIT_BYTES]).unwrap();
        drop(held);
        drop(other);
        assert_eq!(free(&memory), (first, more));
    }

    #[test]
    fn small_ones_pass_while_large_ones_wait() {
        let memory = MemoryBudget::default();
        let _large = memory.take(MEMORY_BYTES - MEMORY_FIRST_BYTES + MEMORY_UNIT_BYTES).unwrap();
        assert!(memory.take(2 * MEMORY_UNIT_BYTES).is_err());
        let small: Vec<Reservation> = std::iter::from_fn(|| memory.take(7).ok()).collect();
        assert_eq!(small.len(), MEMORY_FIRST_BYTES / MEMORY_UNIT_BYTES - 1);
        assert!(memory.take(0).is_ok());
    }

    #[test]
    fn bytes_set_aside_count() {
        let memory = MemoryBudget::default();
        let (mut held, (_, more)) = (Budgeted::new(&memory), free(&memory));
        for _ in 0..40 {
            held.add(&[0; 3_000]).unwrap();
        }
        let taken = 1 + more - free(&memory).1;
        assert!(taken * MEMORY_UNIT_BYTES >= held.bytes.capacity(), "{taken} {}", held.bytes.capacity());
    }
}
