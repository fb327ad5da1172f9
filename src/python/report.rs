//! Reports, their parts, and conversion.

use super::error::FerzError;
use super::position::Registry;
use super::source::Given;
use ferz::board::BoardName;
use ferz::judge;
use ferz::notation::Style;
use ferz::replay::{self, Options, summary};
use ferz::rewrite::ConvertOptions;
use ferz::{Desk, Form};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::vec::IntoIter;

/// A value as Python's own dictionaries, lists, strings and numbers.
pub fn loaded<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json(value)?,))
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// The identity of rules.
#[pyclass(frozen, get_all, module = "ferz")]
pub struct Rules {
    name: String,
    edition: String,
    digest: String,
}

impl From<&ferz::rules::RulesId> for Rules {
    fn from(id: &ferz::rules::RulesId) -> Rules {
        Rules { name: id.name.clone(), edition: id.edition.clone(), digest: id.digest.clone() }
    }
}

#[pymethods]
impl Rules {
    fn __repr__(&self) -> String {
        format!("<Rules {} {}>", self.name, self.edition)
    }
}

/// An illegal ply, and why it is illegal.
#[pyclass(frozen, get_all, module = "ferz")]
pub struct Illegal {
    board: Option<&'static str>,
    ply: usize,
    text: String,
    code: &'static str,
    reason_id: &'static str,
    reason: String,
    rule: String,
    squares: Vec<String>,
    candidates: Vec<String>,
    line: usize,
    column: usize,
    span: (usize, usize),
    cannot_stand: Option<String>,
}

impl From<&replay::Illegal> for Illegal {
    fn from(illegal: &replay::Illegal) -> Illegal {
        Illegal {
            board: illegal.board.map(BoardName::name),
            ply: illegal.ply,
            text: illegal.text.clone(),
            code: illegal.code.0,
            reason_id: illegal.reason_id.id(),
            reason: illegal.reason.clone(),
            rule: illegal.rule.clone(),
            squares: illegal.squares.clone(),
            candidates: illegal.candidates.clone(),
            line: illegal.line,
            column: illegal.column,
            span: illegal.span.into(),
            cannot_stand: illegal.cannot_stand.clone(),
        }
    }
}

#[pymethods]
impl Illegal {
    fn __repr__(&self) -> String {
        format!("<Illegal ply {}: {:?}: {} ({})>", self.ply, self.text, self.reason, self.rule)
    }
}

/// How a game ended on the board.
#[pyclass(frozen, get_all, module = "ferz")]
pub struct End {
    result: &'static str,
    reason: &'static str,
    board: Option<&'static str>,
    ply: usize,
}

impl From<judge::End> for End {
    fn from(end: judge::End) -> End {
        let board = end.board.map(BoardName::name);
        End { result: end.outcome.as_str(), reason: end.reason.id(), board, ply: end.ply }
    }
}

#[pymethods]
impl End {
    fn __repr__(&self) -> String {
        format!("<End {} {} after ply {}>", self.result, self.reason, self.ply)
    }
}

/// What a player may claim.
#[pyclass(frozen, get_all, module = "ferz")]
pub struct Claim {
    kind: &'static str,
    by: String,
    ply: usize,
    plies: Vec<usize>,
    intended: Option<String>,
}

impl Claim {
    /// A claim, with the ply that has to be intended.
    pub fn of(draw: &judge::ClaimableDraw, intended: Option<&String>) -> Claim {
        Claim {
            kind: draw.kind.id(),
            by: draw.by.name().to_lowercase(),
            ply: draw.ply,
            plies: draw.plies.clone(),
            intended: intended.cloned(),
        }
    }
}

#[pymethods]
impl Claim {
    fn __repr__(&self) -> String {
        format!("<Claim {} by {} after ply {}>", self.kind, self.by, self.ply)
    }
}

/// A finding, with its place in the input.
#[pyclass(frozen, get_all, module = "ferz")]
pub struct Diagnostic {
    code: &'static str,
    severity: String,
    line: usize,
    column: usize,
    span: (usize, usize),
    board: Option<&'static str>,
    ply: Option<usize>,
    message: String,
    notes: Vec<String>,
    spelling: Option<String>,
}

impl From<&replay::Located> for Diagnostic {
    fn from(found: &replay::Located) -> Diagnostic {
        Diagnostic {
            code: found.code.0,
            severity: found.severity.to_string(),
            line: found.line,
            column: found.column,
            span: found.span.into(),
            board: found.board.map(BoardName::name),
            ply: found.ply,
            message: found.message.to_string(),
            notes: found.notes.clone(),
            spelling: found.spelling.clone(),
        }
    }
}

#[pymethods]
impl Diagnostic {
    fn __repr__(&self) -> String {
        format!("<Diagnostic {} {}:{}: {}>", self.code, self.line, self.column, self.message)
    }
}

/// The report on one game: see formats/REPORT.md of the project, whose keys are its attributes.
#[pyclass(frozen, module = "ferz")]
pub struct Report(replay::Report);

impl From<replay::Report> for Report {
    fn from(report: replay::Report) -> Report {
        Report(report)
    }
}

#[pymethods]
impl Report {
    #[getter]
    fn game(&self) -> usize {
        self.0.game
    }

    #[getter]
    fn path(&self) -> Vec<usize> {
        self.0.path.clone()
    }

    #[getter]
    fn variant(&self) -> &str {
        &self.0.variant
    }

    #[getter]
    fn rules(&self) -> Option<Rules> {
        self.0.rules.as_deref().map(Rules::from)
    }

    #[getter]
    fn style(&self) -> &'static str {
        self.0.style.name()
    }

    #[getter]
    fn style_evidence(&self) -> Vec<(&'static str, usize)> {
        self.0.style_evidence.iter().map(|found| (found.style.name(), found.plies)).collect()
    }

    #[getter]
    fn language(&self) -> Option<&str> {
        self.0.language.as_deref()
    }

    #[getter]
    fn plies(&self) -> usize {
        self.0.plies
    }

    #[getter]
    fn verdict(&self) -> &'static str {
        self.0.verdict.id()
    }

    #[getter]
    fn legal(&self) -> bool {
        self.0.legal
    }

    #[getter]
    fn illegal(&self) -> Option<Illegal> {
        self.0.illegal.as_deref().map(Illegal::from)
    }

    #[getter]
    fn let_stand(&self) -> Vec<Illegal> {
        self.0.let_stand.iter().map(Illegal::from).collect()
    }

    #[getter]
    fn end(&self) -> Option<End> {
        self.0.end.map(End::from)
    }

    #[getter]
    fn end_rule(&self) -> Option<&str> {
        self.0.end_rule.as_deref()
    }

    #[getter]
    fn result_tag(&self) -> Option<&'static str> {
        self.0.result_tag.map(|result| result.as_str())
    }

    #[getter]
    fn agreement(&self) -> String {
        self.0.agreement.to_string()
    }

    #[getter]
    fn final_fen(&self) -> &str {
        &self.0.final_fen
    }

    #[getter]
    fn claims(&self) -> Vec<Claim> {
        self.0.claims.iter().map(|claim| Claim::of(claim, None)).collect()
    }

    #[getter]
    fn claimable(&self) -> Vec<Claim> {
        self.0.claimable.iter().map(|found| Claim::of(&found.draw, found.intended.as_ref())).collect()
    }

    #[getter]
    fn decided_by<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loaded(py, &self.0.decided_by)
    }

    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loaded(py, &self.0.boards)
    }

    #[getter]
    fn variations(&self) -> Vec<Report> {
        self.0.variations.iter().cloned().map(Report).collect()
    }

    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.0.diagnostics.iter().map(Diagnostic::from).collect()
    }

    /// The report as `ferz validate --format ndjson` writes it.
    #[getter]
    fn json(&self) -> PyResult<String> {
        json(&self.0)
    }

    /// True if the game is a finding: an illegal ply, a contradicted result, or an error among the diagnostics (with
    /// `strict`, a warning).
    #[pyo3(signature = (strict = false))]
    fn is_finding(&self, strict: bool) -> bool {
        self.0.is_finding(strict)
    }

    fn __str__(&self) -> String {
        summary::line(&self.0)
    }

    fn __repr__(&self) -> String {
        format!("<Report {}>", summary::line(&self.0))
    }
}

/// Texts of so many bytes are judged at once; for longer ones a thread is worth its start.
const AT_ONCE_BYTES: usize = 1 << 16;

/// Reports that may wait to be asked for.
const REPORTS_WAITING: usize = 256;

/// Reports of records, in their order.
#[pyclass(frozen, module = "ferz")]
pub struct Reports(Mutex<Coming>);

enum Coming {
    Done(IntoIter<replay::Report>),
    /// From a thread that ends with its receiver.
    Judged(Receiver<io::Result<replay::Report>>),
}

/// How long a wait for the next report lasts until Python may look for an interrupt.
const LOOK_FOR_INTERRUPT: Duration = Duration::from_millis(100);

#[pymethods]
impl Reports {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        loop {
            let next = py.detach(|| match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
                Coming::Done(reports) => Ok(reports.next().map(Ok)),
                Coming::Judged(receiver) => match receiver.recv_timeout(LOOK_FOR_INTERRUPT) {
                    Ok(next) => Ok(Some(next)),
                    Err(RecvTimeoutError::Disconnected) => Ok(None),
                    Err(RecvTimeoutError::Timeout) => Err(()),
                },
            });
            match next {
                Ok(next) => return Ok(next.transpose()?.map(Report)),
                Err(()) => py.check_signals()?,
            }
        }
    }
}

/// How records are read, in the words of the command line.
pub struct ReadAs<'a> {
    pub registry: Option<&'a Registry>,
    pub variant: Option<String>,
    pub style: Option<&'a str>,
    pub language: &'a str,
    pub let_stand: bool,
    pub strict: bool,
}

impl ReadAs<'_> {
    /// The desk that reads so.
    pub fn desk(self) -> PyResult<Desk> {
        let mut desk = self.registry.map(Registry::desk).unwrap_or_default();
        let language = desk.language(self.language).map_err(FerzError::new_err)?;
        desk.options = Options {
            style: self.style.map(style).transpose()?,
            variant: self.variant,
            let_stand: self.let_stand,
            language,
            strict: self.strict,
            ..Options::default()
        };
        Ok(desk)
    }
}

/// The style of a name.
pub fn style(name: &str) -> PyResult<Style> {
    name.parse().map_err(FerzError::new_err)
}

/// Judges records, in the order of their text, when they are asked for.
#[pyfunction]
#[pyo3(signature = (records, *, variant = None, style = None, language = "auto", let_stand = false, strict = false,
                    registry = None, jobs = 1))]
#[allow(clippy::too_many_arguments)] // they are keywords
pub fn validate(
    py: Python<'_>,
    records: &Bound<'_, PyAny>,
    variant: Option<String>,
    style: Option<&str>,
    language: &str,
    let_stand: bool,
    strict: bool,
    registry: Option<&Bound<'_, Registry>>,
    jobs: usize,
) -> PyResult<Reports> {
    let registry = registry.map(Bound::get);
    let desk = ReadAs { registry, variant, style, language, let_stand, strict }.desk()?;
    let given = Given::of(records)?;
    let coming = match given {
        Given::Text(text) if text.len() <= AT_ONCE_BYTES => {
            Coming::Done(py.detach(|| desk.validate(&text)).into_iter())
        }
        Given::Text(text) => Coming::Judged(judge_on_thread(desk, io::Cursor::new(text), jobs)?),
        Given::File(path) => Coming::Judged(judge_on_thread(desk, File::open(path)?, jobs)?),
    };
    Ok(Reports(Mutex::new(coming)))
}

fn judge_on_thread(
    desk: Desk,
    stream: impl io::Read + Send + 'static,
    jobs: usize,
) -> io::Result<Receiver<io::Result<replay::Report>>> {
    let (sender, receiver) = sync_channel(REPORTS_WAITING);
    std::thread::Builder::new().spawn(move || {
        let send = |report| match sender.send(Ok(report)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        if let Err(error) = desk.each_report(stream, jobs, send) {
            // No one may be left to read it.
            let _ = sender.send(Err(error));
        }
    })?;
    Ok(receiver)
}

/// Writes records in another style of notation, or as JSON, and returns the text with what was lost.
#[pyfunction]
#[pyo3(signature = (records, to, *, language = "en", from_language = "auto", variant = None, style = None,
                    let_stand = false, registry = None))]
#[allow(clippy::too_many_arguments)] // they are keywords
pub fn convert(
    py: Python<'_>,
    records: &Bound<'_, PyAny>,
    to: &str,
    language: &str,
    from_language: &str,
    variant: Option<String>,
    style: Option<&str>,
    let_stand: bool,
    registry: Option<&Bound<'_, Registry>>,
) -> PyResult<(String, Vec<Diagnostic>)> {
    let registry = registry.map(Bound::get);
    let strict = false;
    let desk = ReadAs { registry, variant, style, language: from_language, let_stand, strict }.desk()?;
    let form = if to.eq_ignore_ascii_case("json") {
        Form::Json
    } else {
        let mut options = ConvertOptions::new(self::style(to)?);
        if let replay::LanguageChoice::Of(language) = desk.language(language).map_err(FerzError::new_err)? {
            options.language = Some(language);
        }
        Form::Pgn(options)
    };
    let text = Given::of(records)?.bytes(py)?;
    let written = py.detach(|| desk.convert(&text, &form));
    Ok((written.text, written.losses.iter().map(Diagnostic::from).collect()))
}
