//! L10: the client of a service: submits records, fetches games.
//!
//! Every request can be sent again, since the service stores the same game once. So transient failures (a broken
//! connection, a busy service) are retried after a wait, a bounded number of times.

mod batches;
mod connection;
mod error;
mod fetch;
mod play;
mod retry;
mod submit;

pub use batches::{Batch, Batches, batches};
pub use connection::{Client, Settings};
pub use error::{ClientError, Problem};
pub use fetch::{Form, Page};
pub use play::{Change, Offered, Played, PlyPlayed};
pub use retry::Retries;
pub use submit::{Stored, Submitted};
