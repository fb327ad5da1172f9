//! What all handlers share.

use super::config::Config;
use super::judges::Judges;
use super::room::Room;
use crate::rules::Registry;
use std::sync::atomic::{AtomicBool, Ordering};

/// What all handlers share.
#[derive(Debug)]
pub struct Desk {
    /// The games that are known.
    pub registry: &'static Registry,
    /// Those who judge.
    pub judges: Judges,
    /// Room for bodies and answers.
    pub room: Room,
    stopping: AtomicBool,
}

impl Desk {
    /// A desk that is open.
    pub fn new(config: &Config) -> Desk {
        Desk {
            registry: config.registry,
            judges: Judges::new(config.judges),
            room: Room::default(),
            stopping: AtomicBool::new(false),
        }
    }

    /// True once the signal to stop has come.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Says that the service stops.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }
}
