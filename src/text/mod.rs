//! L0: places in a text, diagnostics about them, and every limit of the program.

mod diagnostic;
mod distance;
mod edit;
mod foreign;
pub mod limits;
mod number;
mod packing;
mod pool;
mod span;

pub use diagnostic::{Code, Diagnostic, Severity};
pub use distance::distance;
pub use edit::{Edit, edited};
pub use foreign::Foreign;
pub(crate) use number::write_number;
pub use packing::Packing;
pub(crate) use pool::Pool;
pub use pool::PooledBytes;
pub(crate) use span::column;
pub use span::{LineColumn, LineIndex, Span};
