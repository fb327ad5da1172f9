//! L0: places in a text, diagnostics about them, every limit of the program, and the work budget.

mod budget;
mod diagnostic;
mod distance;
mod edit;
#[cfg(any(feature = "cli", feature = "server"))]
mod encoding;
pub(crate) mod fold;
mod foreign;
pub mod limits;
mod lines;
mod named;
mod number;
mod packing;
mod pool;
mod span;
mod timestamp;
#[cfg(any(feature = "cli", feature = "server"))]
mod visible;

pub use budget::{Budget, Exhausted};
pub use diagnostic::{Code, Diagnostic, Severity};
pub use distance::distance;
pub use edit::{Edit, edited};
#[cfg(any(feature = "cli", feature = "server"))]
pub use encoding::Encoding;
pub use foreign::Foreign;
pub(crate) use lines::Lines;
pub use lines::{LineColumn, LineIndex};
pub(crate) use named::deserialize_named;
pub(crate) use number::write_number;
pub use packing::Packing;
pub(crate) use pool::Pool;
pub use pool::PooledBytes;
pub use span::Span;
pub use timestamp::Timestamp;
#[cfg(any(feature = "cli", feature = "server"))]
pub(crate) use visible::visible;
#[cfg(any(feature = "cli", feature = "server"))]
pub use visible::without_controls;
