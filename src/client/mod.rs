//! L8: talks to a service: submits records, fetches games.
//!
//! Every request may be sent again: the service takes the same game twice for one. So whatever looks like a moment of
//! weakness (a broken connection, a full house) is waited for and tried again, a bounded number of times.

mod batches;
mod connection;
mod error;
mod fetch;
mod retry;
mod submit;

pub use batches::{Batch, Batches};
pub use connection::{Client, Settings};
pub use error::{ClientError, Problem};
pub use fetch::{Form, Page};
pub use retry::Retries;
pub use submit::{Stored, Submitted};
