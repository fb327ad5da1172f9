//! What the one who starts the service decides.

use crate::notation::Languages;
use crate::rules::Registry;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

/// How the service runs.
#[derive(Debug)]
pub struct Config {
    /// The archive's file; made if it is not there.
    pub archive: PathBuf,
    /// Addresses to listen at: those that one name stands for.
    pub listen: Vec<SocketAddr>,
    /// Threads that take requests and send answers.
    pub workers: usize,
    /// Connections at one time; further ones wait.
    pub connections: usize,
    /// Threads that judge.
    pub judges: usize,
    /// The games that are known.
    pub registry: &'static Registry,
    /// The languages whose letters are known.
    pub languages: Arc<Languages>,
    /// Requests a second that one address may send; any number if nothing is given.
    pub rate: Option<NonZeroU32>,
    /// Whether the requests of this machine are counted, too.
    pub rate_counts_local: bool,
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

impl Config {
    /// An address that other machines reach, if there is one.
    pub fn outside(&self) -> Option<SocketAddr> {
        self.listen.iter().find(|address| !address.ip().to_canonical().is_loopback()).copied()
    }
}
