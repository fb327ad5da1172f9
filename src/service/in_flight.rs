//! Requests with a key that are being answered: the same one is not answered twice at a time.

use super::problem::{self, Problem};
use ferz::archive::{Access, RequestKey};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// A key of a token, which is known by the event that created it.
type Key = (u64, String);

/// The keys of requests that are being answered.
#[derive(Debug, Clone, Default)]
pub struct InFlight {
    keys: Arc<Mutex<HashSet<Key>>>,
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub struct Flying {
    all: InFlight,
    key: Option<Key>,
}

impl InFlight {
    /// Notes that a request is being answered.
    ///
    /// # Errors
    /// If another one with this key is.
    pub fn enter(&self, access: &Access, key: Option<&RequestKey>) -> Result<Flying, Problem> {
        let key = key.map(|key| (access.id().event, key.key.clone()));
        if let Some(key) = &key {
            let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
            if !keys.insert(key.clone()) {
                let detail = format!("the request with the key `{}` is being answered", key.1.escape_debug());
                return Err(Problem::new(&problem::KEY_BUSY, detail).retry_after(1));
            }
        }
        Ok(Flying { all: self.clone(), key })
    }
}

impl Drop for Flying {
    fn drop(&mut self) {
        if let Some(key) = &self.key {
            self.all.keys.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
        }
    }
}
