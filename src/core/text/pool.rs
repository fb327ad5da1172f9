//! Reuses buffers: the system hands out new memory page by page, which costs about as much as most of the work on it.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// A pool of buffers. They return to it when dropped, on any thread.
#[derive(Debug, Clone, Default)]
pub struct Pool(Arc<Mutex<Vec<Vec<u8>>>>);

impl Pool {
    /// Number of idle buffers that are kept; few are in use at once.
    const KEPT_MAX: usize = 16;

    /// An empty buffer; reuses an idle one if there is any.
    pub fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give(&self, mut bytes: Vec<u8>) {
        bytes.clear();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < Pool::KEPT_MAX {
            kept.push(bytes);
        }
    }

    /// Returns a buffer to the pool, unless it has grown beyond `most` bytes.
    pub fn lend(&self, bytes: Vec<u8>, most: usize) -> PooledBytes {
        let home = (bytes.capacity() <= most).then(|| self.clone());
        PooledBytes { bytes, home }
    }
}

/// Bytes of an input whose buffer is reused for later parts of it.
#[derive(Debug, Default)]
pub struct PooledBytes {
    bytes: Vec<u8>,
    home: Option<Pool>,
}

impl PooledBytes {
    /// Splits off the bytes from `at` on into a buffer of their own.
    pub fn split_off(&mut self, at: usize) -> PooledBytes {
        self.bytes.split_off(at).into()
    }
}

impl Drop for PooledBytes {
    fn drop(&mut self) {
        if let Some(home) = &self.home {
            home.give(std::mem::take(&mut self.bytes));
        }
    }
}

impl From<Vec<u8>> for PooledBytes {
    /// Bytes that no pool owns.
    fn from(bytes: Vec<u8>) -> PooledBytes {
        PooledBytes { bytes, home: None }
    }
}

impl Deref for PooledBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Clone for PooledBytes {
    fn clone(&self) -> PooledBytes {
        self.bytes.clone().into()
    }
}

impl PartialEq for PooledBytes {
    fn eq(&self, other: &PooledBytes) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for PooledBytes {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_back_unless_it_is_too_much() {
        let pool = Pool::default();
        let mut bytes = pool.take();
        bytes.extend_from_slice(b"1. e4 *");
        let place = bytes.as_ptr();
        let copy = {
            let lent = pool.lend(bytes, 1 << 10);
            assert_eq!(&lent[..], b"1. e4 *");
            lent.clone()
        };
        let again = pool.take();
        assert!(again.is_empty() && std::ptr::eq(again.as_ptr(), place));
        assert_eq!(&copy[..], b"1. e4 *");
        drop((copy, pool.lend(Vec::with_capacity(2 << 10), 1 << 10)));
        assert_eq!(pool.take().capacity(), 0);
    }

    #[test]
    fn a_rest_taken_away_is_no_part_of_it() {
        let pool = Pool::default();
        let mut lent = pool.lend(b"1. e4 *1. d4 *".to_vec(), 1 << 10);
        let rest = lent.split_off(7);
        assert_eq!((&lent[..], &rest[..]), (&b"1. e4 *"[..], &b"1. d4 *"[..]));
        drop((lent, rest));
        assert!(pool.take().capacity() > 0);
        assert_eq!(pool.take().capacity(), 0);
    }
}
