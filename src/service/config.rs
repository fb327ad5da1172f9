//! What the one who starts the service decides.

use crate::rules::Registry;
use std::net::SocketAddr;

/// How the service runs.
#[derive(Debug)]
pub struct Config {
    /// Addresses to listen at: those that one name stands for.
    pub listen: Vec<SocketAddr>,
    /// Threads that take requests and send answers.
    pub workers: usize,
    /// Threads that judge.
    pub judges: usize,
    /// The games that are known.
    pub registry: &'static Registry,
    /// How the log is written.
    pub log: Log,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Log {
    /// One JSON object a line.
    Json,
    /// For people.
    Text,
    /// Not at all.
    Off,
}
