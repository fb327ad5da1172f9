//! The configuration of the service.

use ferz::archive::Cosigner;
use ferz::clock::Policies;
use ferz::notation::Languages;
use ferz::rules::Registry;
use ferz::syzygy::Syzygy;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The configuration of the service.
#[derive(Debug)]
pub struct Config {
    /// The archive file; created if it does not exist.
    pub archive: PathBuf,
    /// Addresses to listen at: all addresses of one name.
    pub listen: Vec<SocketAddr>,
    /// Threads that serve connections.
    pub workers: usize,
    /// Maximum number of connections; those that wait for their clients make room for new ones.
    pub connections: usize,
    /// Maximum number of connections of one address; `None` for no limit.
    pub connections_per_address: Option<usize>,
    /// Whether that applies to connections from this machine too.
    pub connections_count_local: bool,
    /// Threads that judge.
    pub judges: usize,
    /// Time for judging one request, without waiting.
    pub judging: Duration,
    /// The known games.
    pub registry: &'static Registry,
    /// The languages with known piece letters.
    pub languages: Arc<Languages>,
    /// The policies of events.
    pub policies: Arc<Policies>,
    /// Files of endgame tables, which verdicts may rest on.
    pub files: Option<Arc<Syzygy>>,
    /// Requests a second from one address; `None` for no limit.
    pub rate: Option<NonZeroU32>,
    /// Whether requests from this machine are counted too.
    pub rate_counts_local: bool,
    /// Origins of pages of other sites that may use the API: `https://club.example`.
    pub origins: Vec<String>,
    /// The witness that cosigns heads of other logs, if the service is one.
    pub witness: Option<Arc<Cosigner>>,
    /// The format of the log.
    pub log: Log,
}

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Log {
    /// One JSON object a line.
    Json,
    /// Plain text.
    Text,
    /// No log.
    Off,
}

impl Config {
    /// An address that other machines can reach, if any.
    pub fn outside(&self) -> Option<SocketAddr> {
        self.listen.iter().find(|address| !address.ip().to_canonical().is_loopback()).copied()
    }
}

#[cfg(test)]
use super::limits::JUDGING_MAX;

#[cfg(test)]
impl Config {
    /// A small service with an archive.
    pub fn for_tests(archive: &std::path::Path) -> Config {
        Config {
            archive: archive.to_owned(),
            listen: vec![SocketAddr::from(([127, 0, 0, 1], 0))],
            workers: 1,
            connections: 10,
            connections_per_address: None,
            connections_count_local: false,
            judges: 1,
            judging: JUDGING_MAX,
            registry: Registry::built_in(),
            languages: Arc::clone(Languages::built_in()),
            policies: Arc::clone(Policies::built_in()),
            files: None,
            rate: None,
            rate_counts_local: false,
            origins: Vec::new(),
            witness: None,
            log: Log::Off,
        }
    }
}
