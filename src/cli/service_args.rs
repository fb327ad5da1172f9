//! The arguments for a service.

use super::output::{Failure, to_stderr};
use super::session::Session;
use crate::client::{Client, Retries, Settings};
use std::cell::Cell;

/// A reminder that waiting is optional.
const STOP: &str =
    "\n  press Ctrl-C to stop; stored games stay, and running the command again stores nothing twice";

/// The service to talk to.
#[derive(Debug, clap::Args)]
pub(super) struct ServiceArgs {
    /// Address of the service
    #[arg(long, value_name = "URL")]
    server: String,

    /// Bearer token of the service; prefer the environment variable FERZ_TOKEN, which others cannot see
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,

    /// Number of retries if the service is busy or unreachable [default: 7, or 3 if nothing has ever answered]
    #[arg(long, value_name = "N")]
    retries: Option<u32>,
}

impl ServiceArgs {
    /// The service at an address, with the usual retries.
    pub(super) fn at(url: &str, token: Option<&str>) -> ServiceArgs {
        ServiceArgs { server: url.to_owned(), token: token.map(str::to_owned), retries: None }
    }

    /// A client that reports its waits on stderr.
    ///
    /// # Errors
    /// If the address or the token is invalid.
    pub(super) fn client(&self, session: &mut Session<'_>) -> Result<Client, Failure> {
        let from_environment = || std::env::var("FERZ_TOKEN").ok().filter(|token| !token.is_empty());
        let usual = Retries::default();
        let settings = Settings {
            token: self.token.clone().or_else(from_environment),
            retries: self.retries.map_or(usual, |count| Retries { count, unheard: count, ..usual }),
            ..Settings::new(&self.server)
        };
        let client = Client::new(&settings).map_err(Failure::message)?;
        if client.exposes_token() {
            session.console.warning("the token is sent unencrypted; use https on shared networks")?;
        }
        let reminded = Cell::new(false);
        Ok(client.telling(move |why| {
            // Remind once, before the first wait.
            let stop = if reminded.replace(true) { "" } else { STOP };
            to_stderr(&format!("ferz: {why}{stop}"));
        }))
    }
}
