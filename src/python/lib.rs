//! The Python package: translates between Python and the library's front door, and holds no rule.

mod archive;
mod claim;
mod error;
mod position;
mod report;
mod source;

use pyo3::prelude::*;

/// The native part of the package `ferz`.
#[pymodule]
mod _ferz {
    use super::*;

    #[pymodule_export]
    use archive::{Archive, FoundGame, Stored};
    #[pymodule_export]
    use claim::{Certified, Verdict, adjudicate, check_certificate};
    #[pymodule_export]
    use error::{
        BadClaim, BadDefinition, BadPosition, BadQuery, FerzError, IllegalPly, NotAccepted, UnknownGame,
    };
    #[pymodule_export]
    use position::{Gate, Ply, Position, Registry};
    #[pymodule_export]
    use report::{Claim, Diagnostic, End, Illegal, Report, Reports, Rules, convert, validate};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
