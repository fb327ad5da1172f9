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
    /// Connections at one time; those that wait for their clients make room for further ones.
    pub connections: usize,
    /// Connections of one address at one time; any number if nothing is given.
    pub connections_per_address: Option<usize>,
    /// Whether that holds for this machine's own connections, too.
    pub connections_count_local: bool,
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

#[cfg(test)]
impl Config {
    /// A small service over an archive.
    pub fn for_tests(archive: &std::path::Path) -> Config {
        Config {
            archive: archive.to_owned(),
            listen: vec![SocketAddr::from(([127, 0, 0, 1], 0))],
            workers: 1,
            connections: 10,
            connections_per_address: None,
            connections_count_local: false,
            judges: 1,
            registry: Registry::built_in(),
            languages: Arc::clone(Languages::built_in()),
            rate: None,
            rate_counts_local: false,
            log: Log::Off,
        }
    }
}
