//! L0: places in a text, diagnostics about them, every limit of the program, and the work budget.

mod budget;
pub mod bytes;
mod decode;
mod diagnostic;
mod distance;
mod edit;
#[cfg(feature = "encodings")]
mod encoding;
pub mod fold;
mod foreign;
pub mod limits;
mod lines;
mod mix;
mod named;
mod number;
mod packing;
mod pool;
mod span;
pub mod time_control;
mod timestamp;
mod visible;

pub use budget::{Budget, Exhausted};
pub use decode::decode;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use distance::distance;
pub use edit::{Edit, edited};
#[cfg(feature = "encodings")]
pub use encoding::Encoding;
pub use foreign::Foreign;
pub use lines::Lines;
pub use lines::{LineColumn, LineIndex};
pub use mix::mix;
pub use named::deserialize_named;
pub(crate) use number::write_number;
pub use packing::Packing;
pub use pool::Pool;
pub use pool::PooledBytes;
pub use span::Span;
pub use timestamp::Timestamp;
pub use visible::visible;
pub use visible::without_controls;
