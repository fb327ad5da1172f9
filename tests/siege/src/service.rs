//! A service of a tool's own: a process with a fresh archive.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The service, ended when it is dropped.
pub struct Service(pub Child);

impl Drop for Service {
    fn drop(&mut self) {
        // It has ended already, or is to.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Service {
    /// Starts the program's service with an archive in a folder, at a free port of the loopback.
    pub fn start(ferz: &Path, folder: &Path, arguments: &[&str]) -> Result<(Service, SocketAddr), Box<dyn Error>> {
        let mut command = Command::new(ferz);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "off"]).args(arguments);
        command.arg("--db").arg(folder.join("games.ferz"));
        let mut child = Service(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?);
        let mut line = String::new();
        BufReader::new(child.0.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let address = line.trim().strip_prefix("listening on http://").ok_or("no address")?.parse()?;
        Ok((child, address))
    }

    /// The most memory that it had, in bytes.
    pub fn memory_peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    }
}
