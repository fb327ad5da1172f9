//! Those who listen to what happens: few, and woken together.

use super::limits::{LISTENERS_MAX, LISTENERS_PER_TOKEN_MAX};
use super::problem::{self, Problem};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// Those who listen.
#[derive(Debug, Clone)]
pub struct Listeners {
    /// How many there are of each token, which is known by the event that created it.
    counts: Arc<Mutex<HashMap<u64, usize>>>,
    /// The size of the log when it was looked at last.
    size: watch::Sender<u64>,
}

/// One who listens, until this is dropped.
#[derive(Debug)]
pub struct Listener {
    all: Listeners,
    token: u64,
    size: watch::Receiver<u64>,
}

impl Default for Listeners {
    fn default() -> Listeners {
        Listeners { counts: Arc::default(), size: watch::Sender::new(0) }
    }
}

impl Listeners {
    /// Adds one.
    ///
    /// # Errors
    /// If there are too many.
    pub fn enter(&self, token: u64) -> Result<Listener, Problem> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let own = counts.get(&token).copied().unwrap_or_default();
        if own >= LISTENERS_PER_TOKEN_MAX || counts.values().sum::<usize>() >= LISTENERS_MAX {
            let detail =
                format!("at most {LISTENERS_PER_TOKEN_MAX} listen with a token, and {LISTENERS_MAX} in all");
            return Err(Problem::new(&problem::BUSY, detail).retry_after(30));
        }
        counts.insert(token, own + 1);
        Ok(Listener { all: self.clone(), token, size: self.size.subscribe() })
    }

    /// True if anyone listens.
    pub fn are_there(&self) -> bool {
        self.size.receiver_count() > 0
    }

    /// Wakes them if the log has grown.
    pub fn tell(&self, size: u64) {
        self.size.send_if_modified(|known| std::mem::replace(known, size) != size);
    }
}

impl Listener {
    /// Waits until the log has grown.
    pub async fn grown(&mut self) {
        // The sender lives as long as the service.
        let _ = self.size.changed().await;
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut counts = self.all.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.token) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.token);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_has_its_share() {
        let all = Listeners::default();
        assert!(!all.are_there());
        let own: Vec<Listener> = (0..LISTENERS_PER_TOKEN_MAX).map(|_| all.enter(1).unwrap()).collect();
        assert!(all.are_there() && all.enter(1).is_err());
        let other = all.enter(2).unwrap();
        drop(own);
        assert!(all.enter(1).is_ok());
        drop(other);
        let many: Result<Vec<Listener>, Problem> =
            (0..=LISTENERS_MAX as u64).map(|token| all.enter(token)).collect();
        assert!(many.is_err() && !all.are_there());
    }
}
