//! Verdicts on claims, and their evidence.

use super::error::{BadClaim, NotAccepted, with};
use super::position::Registry;
use super::report::{ReadAs, Rules, json, loaded};
use super::source::Given;
use ferz::adjudicate::{Terms, Verdict as Core};
use ferz::certificate::{Claim, ClaimKind, Refusal};
use ferz::clock::Policies;
use pyo3::prelude::*;
use std::sync::Arc;

/// The answer to a claim, with its grounds: see formats/CLAIMS.md of the project.
#[pyclass(frozen, module = "ferz")]
pub struct Verdict(Core);

#[pymethods]
impl Verdict {
    /// `upheld`, `rejected`, `undetermined` or `ambiguous`.
    #[getter]
    fn verdict(&self) -> String {
        self.0.verdict.to_string()
    }

    /// What the game is worth if the verdict stands.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.0.result.map(|result| result.as_str())
    }

    #[getter]
    fn strength(&self) -> String {
        self.0.strength.id().to_owned()
    }

    #[getter]
    fn explanation(&self) -> &str {
        &self.0.explanation
    }

    #[getter]
    fn articles(&self) -> Vec<String> {
        self.0.articles.clone()
    }

    #[getter]
    fn rules(&self) -> Option<Rules> {
        self.0.rules.as_deref().map(Rules::from)
    }

    /// What the verdict rests on besides the moves of the record.
    #[getter]
    fn premises(&self) -> Vec<String> {
        self.0.premises.iter().map(|premise| premise.id().to_string()).collect()
    }

    /// A line of plies that shows the verdict, in coordinate notation.
    #[getter]
    fn line(&self) -> Vec<String> {
        self.0.line.clone()
    }

    #[getter]
    fn fen(&self) -> &str {
        &self.0.fen
    }

    /// The evidence for others to check, as JSON.
    #[getter]
    fn certificate(&self) -> PyResult<Option<String>> {
        self.0.certificate.as_deref().map(json).transpose()
    }

    /// The whole verdict as `ferz adjudicate --format json` writes it.
    #[getter]
    fn json(&self) -> PyResult<String> {
        json(&self.0)
    }

    /// The whole verdict as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loaded(py, &self.0)
    }

    fn __repr__(&self) -> String {
        format!("<Verdict {}: {}>", self.0.verdict, self.0.explanation)
    }
}

/// Judges a claim about a game of a text, which counts its games from 1.
#[pyfunction]
#[pyo3(signature = (records, claim, *, by = None, game = 1, ply = None, intended = None, within = None,
                    premises = Vec::new(), policy = "plain", nodes = 100_000, variant = None, style = None,
                    language = "auto", registry = None))]
#[allow(clippy::too_many_arguments)] // they are keywords
pub fn adjudicate(
    py: Python<'_>,
    records: &Bound<'_, PyAny>,
    claim: &str,
    by: Option<&str>,
    game: usize,
    ply: Option<usize>,
    intended: Option<String>,
    within: Option<u32>,
    premises: Vec<String>,
    policy: &str,
    nodes: u64,
    variant: Option<String>,
    style: Option<&str>,
    language: &str,
    registry: Option<&Bound<'_, Registry>>,
) -> PyResult<Verdict> {
    let bad = |error: serde_json::Error| BadClaim::new_err(error.to_string());
    let word = |text: &str| serde_json::Value::from(text);
    let kind: ClaimKind = serde_json::from_value(word(claim)).map_err(bad)?;
    let by = by.map(|by| serde_json::from_value(word(by)).map_err(bad)).transpose()?;
    let premises = premises.iter().map(|premise| serde_json::from_value(word(premise)).map_err(bad));
    let premises = premises.collect::<PyResult<_>>()?;
    let claim = Claim { by, ply, intended, within, premises, ..Claim::new(kind) };
    let policy: Arc<_> = Policies::built_in().named(policy).map_err(BadClaim::new_err)?;
    let terms = Terms { policy, ..Terms::of(nodes) };
    let registry = registry.map(Bound::get);
    let desk = ReadAs { registry, variant, style, language, let_stand: false, strict: false }.desk()?;
    let text = Given::of(records)?.bytes(py)?;
    let verdict = py.detach(|| desk.adjudicate(&text, game, &claim, &terms));
    verdict.map(Verdict).map_err(|error| BadClaim::new_err(error.to_string()))
}

/// What an accepted certificate shows, and all that it rests on.
#[pyclass(frozen, get_all, module = "ferz")]
pub struct Certified {
    shows: String,
    rests_on: Vec<String>,
}

#[pymethods]
impl Certified {
    fn __repr__(&self) -> String {
        format!("<Certified {}>", self.shows)
    }
}

/// Checks a certificate, and that its record is among the given ones, byte for byte. It searches nothing, and trusts
/// nothing but the rules.
#[pyfunction]
#[pyo3(signature = (certificate, *, record = None, full = false, registry = None))]
pub fn check_certificate(
    py: Python<'_>,
    certificate: &Bound<'_, PyAny>,
    record: Option<&Bound<'_, PyAny>>,
    full: bool,
    registry: Option<&Bound<'_, Registry>>,
) -> PyResult<Certified> {
    let desk = registry.map(|registry| registry.get().desk()).unwrap_or_default();
    let certificate = Given::of(certificate)?.bytes(py)?;
    let record = record.map(|record| Given::of(record)?.bytes(py)).transpose()?;
    let checked = py.detach(|| desk.check_certificate(&certificate, record.as_deref(), full));
    match checked {
        Ok(lines) => {
            let mut lines = lines.into_iter();
            Ok(Certified { shows: lines.next().unwrap_or_default(), rests_on: lines.collect() })
        }
        Err(refusal) => {
            let Refusal { step, .. } = &refusal;
            Err(with(py, NotAccepted::new_err(refusal.to_string()), "step", step.to_string())?)
        }
    }
}
