//! L3: variant definitions as TOML, and the compiled rules of a game.

pub mod armies;
mod articles;
pub mod by_choice;
pub mod check;
pub mod classify;
pub mod compile;
pub mod compiled;
pub mod definition;
pub mod fairy;
mod in_vain;
pub mod kinds;
mod known;
pub mod load;
pub mod moves;
pub mod placement;
pub mod prose;
pub mod readings;
pub mod registry;
mod reserves;
mod tolerant;
mod unknown_fields;
pub mod zillions;

pub use articles::{RULEBOOK, RulePage, article};
pub use compiled::{DefinitionFile, Rules, RulesId, Stock, digest_of_file};
pub use definition::Definition;
pub use kinds::{KIND_SLOTS, KindId, KindInfo, KindSet, Piece};
pub use known::Proving;
pub use registry::{AnyRules, Registry, RegistryError};
