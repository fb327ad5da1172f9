//! Exceptions. All are a `FerzError`, which is a `ValueError`.

use ferz::ShownFault;
use ferz::text::{Diagnostic, LineIndex};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{create_exception, intern};

create_exception!(ferz, FerzError, PyValueError, "What every error of this package is.");
create_exception!(
    ferz,
    IllegalPly,
    FerzError,
    "A text names no legal ply: `reason`, `rule`, `squares`, `nearest` say why."
);
create_exception!(ferz, UnknownGame, FerzError, "No game has that name, or it needs tags.");
create_exception!(ferz, BadPosition, FerzError, "A FEN is wrong: `field` says in which field.");
create_exception!(ferz, BadDefinition, FerzError, "A definition file has mistakes: `mistakes` lists them.");
create_exception!(ferz, BadClaim, FerzError, "A claim is incomplete or does not fit the game.");
create_exception!(ferz, BadQuery, FerzError, "A query cannot be read: `start` and `end` say where.");
create_exception!(ferz, NotAccepted, FerzError, "A certificate is refused: `step` says at which step.");

/// An exception with an attribute.
pub fn with<'py>(
    py: Python<'py>,
    error: PyErr,
    name: &str,
    value: impl IntoPyObject<'py>,
) -> PyResult<PyErr> {
    error.value(py).setattr(name, value)?;
    Ok(error)
}

/// The exception for a text that names no legal ply.
pub fn illegal(py: Python<'_>, fault: ShownFault) -> PyErr {
    let error = IllegalPly::new_err(fault.to_string());
    let value = error.value(py);
    let set = value
        .setattr(intern!(py, "reason"), fault.reason.id())
        .and_then(|()| value.setattr(intern!(py, "rule"), fault.rule))
        .and_then(|()| value.setattr(intern!(py, "message"), fault.message))
        .and_then(|()| value.setattr(intern!(py, "squares"), fault.squares))
        .and_then(|()| value.setattr(intern!(py, "nearest"), fault.nearest));
    set.err().unwrap_or(error)
}

/// The exception for mistakes of a definition file.
pub fn definition(py: Python<'_>, text: &str, mistakes: &[Diagnostic]) -> PyErr {
    let lines = LineIndex::new(text.as_bytes());
    let all: Vec<String> = mistakes
        .iter()
        .map(|found| {
            let place = lines.locate(found.span.start);
            format!("line {}, column {}: {}", place.line, place.column, found.message)
        })
        .collect();
    let error = BadDefinition::new_err(all.join("\n"));
    with(py, error, "mistakes", all).unwrap_or_else(|error| error)
}
