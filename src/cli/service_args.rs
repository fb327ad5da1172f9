//! The arguments that name a service.

use super::output::{Failure, to_stderr};
use super::session::Session;
use crate::client::{Client, Retries, Settings};
use std::cell::Cell;

/// That nobody has to wait.
const STOP: &str =
    "\n  Ctrl-C stops; what is stored stays, and nothing is stored twice when the command is run again";

/// Which service is talked to.
#[derive(Debug, clap::Args)]
pub(super) struct ServiceArgs {
    /// Address of the service
    #[arg(long, value_name = "URL")]
    server: String,

    /// Token that the service asks for; better in the environment as FERZ_TOKEN, where nobody else sees it
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,

    /// How often a request is sent again where the service is busy or cannot be reached [default: 7, and 3 where
    /// nothing has ever answered]
    #[arg(long, value_name = "N")]
    retries: Option<u32>,
}

impl ServiceArgs {
    /// A client that tells on the standard error why it waits.
    ///
    /// # Errors
    /// Where address or token make no sense.
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
            session
                .console
                .warning("the token travels unencrypted; use https where others are on the way")?;
        }
        let told = Cell::new(false);
        Ok(client.telling(move |why| {
            // Said once, before the first wait: what may be done in the meantime.
            let stop = if told.replace(true) { "" } else { STOP };
            to_stderr(&format!("ferz: {why}{stop}"));
        }))
    }
}
