//! Memory that is used again: new memory comes from the system page by page, which takes as long as much of what is
//! done with it.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// Where bytes come from, and go back to when nobody needs them any more, on whatever thread that is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pool(Arc<Mutex<Vec<Vec<u8>>>>);

impl Pool {
    /// As many as this wait to be used again; there are never many at once.
    const KEPT_MAX: usize = 16;

    /// Empty bytes; with the memory of others if there are any.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give(&self, mut bytes: Vec<u8>) {
        bytes.clear();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < Pool::KEPT_MAX {
            kept.push(bytes);
        }
    }

    /// Bytes that come back here, unless they have taken more than `most` bytes of memory.
    pub(crate) fn lend(&self, bytes: Vec<u8>, most: usize) -> PooledBytes {
        let home = (bytes.capacity() <= most).then(|| self.clone());
        PooledBytes { bytes, home }
    }
}

/// Bytes of an input, whose memory is used again for what comes behind them in it.
#[derive(Debug, Default)]
pub struct PooledBytes {
    bytes: Vec<u8>,
    home: Option<Pool>,
}

impl PooledBytes {
    /// Takes the bytes from `at` on away; they are bytes of their own.
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
    /// Bytes of nobody's else.
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
