//! The arguments that name a service.

use super::output::{Failure, to_stderr};
use super::session::Session;
use crate::client::{Client, Retries, Settings};

/// Which service is talked to.
#[derive(Debug, clap::Args)]
pub(super) struct ServiceArgs {
    /// Address of the service
    #[arg(long, value_name = "URL")]
    server: String,

    /// Token that the service asks for; better in the environment as FERZ_TOKEN, where nobody else sees it
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,

    /// How often a request is sent again where the service is busy or cannot be reached
    #[arg(long, value_name = "N", default_value_t = Retries::default().count)]
    retries: u32,
}

impl ServiceArgs {
    /// A client that tells on the standard error why it waits.
    ///
    /// # Errors
    /// Where address or token make no sense.
    pub(super) fn client(&self, session: &mut Session<'_>) -> Result<Client, Failure> {
        let from_environment = || std::env::var("FERZ_TOKEN").ok().filter(|token| !token.is_empty());
        let settings = Settings {
            token: self.token.clone().or_else(from_environment),
            retries: Retries { count: self.retries, ..Retries::default() },
            ..Settings::new(&self.server)
        };
        let client = Client::new(&settings).map_err(Failure::message)?;
        if client.exposes_token() {
            session
                .console
                .warning("the token travels unencrypted; use https where others are on the way")?;
        }
        Ok(client.telling(|why| to_stderr(&format!("ferz: {why}"))))
    }
}
