//! L7: draws positions: as text for terminals, as SVG for pages and print.
//!
//! ```
//! use ferz_records::diagram::{Options, svg};
//! use ferz_core::position::Position;
//! use ferz_core::rules::{AnyRules, Registry};
//!
//! let AnyRules::Narrow(rules) = Registry::built_in().rules("ichess", &|_| None)? else { return Ok(()) };
//! let drawing = svg(&Position::start(rules), &Options::default());
//! assert!(drawing.starts_with("<svg ") && drawing.contains("White's hand: K, Q, R × 2"));
//! # Ok::<(), ferz_core::rules::RegistryError>(())
//! ```

mod board;
mod drawings;
mod figure;
mod layout;
mod legend;
mod marks;
mod notes;
mod options;
mod shapes;
mod sheet;
mod stocks;
mod svg;
pub mod text;

pub use drawings::Drawings;
pub use options::{Options, PieceSet};
pub use sheet::escaped;
pub use svg::{svg, svg_of_two};
