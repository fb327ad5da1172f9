//! Archives of games.

use super::error::{BadQuery, FerzError, with};
use super::report::{Report, json, loaded};
use super::source::Given;
use ferz::Desk;
use ferz::archive::{
    Archive as Core, ArchiveError, Filter, FoundGame as CoreFound, Stored as CoreStored, Submission,
};
use ferz::rules::Registry;
use ferz::search::Search;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An archive of games in a file.
#[pyclass(frozen, module = "ferz")]
pub struct Archive(Mutex<Option<Core>>);

fn error(error: ArchiveError) -> PyErr {
    FerzError::new_err(error.to_string())
}

impl Archive {
    fn lock(&self) -> MutexGuard<'_, Option<Core>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the archive while other threads of Python run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Core) -> Result<T, ArchiveError> + Send,
    ) -> PyResult<T> {
        py.detach(|| self.lock().as_ref().map(work))
            .ok_or_else(|| FerzError::new_err("the archive is closed"))?
            .map_err(error)
    }
}

/// A game in which a query holds.
#[pyclass(frozen, module = "ferz")]
pub struct FoundGame(CoreFound);

#[pymethods]
impl FoundGame {
    #[getter]
    fn id(&self) -> String {
        self.0.summary.id.to_string()
    }

    #[getter]
    fn variant(&self) -> &str {
        &self.0.summary.variant
    }

    #[getter]
    fn white(&self) -> &str {
        &self.0.summary.white
    }

    #[getter]
    fn black(&self) -> &str {
        &self.0.summary.black
    }

    #[getter]
    fn event(&self) -> &str {
        &self.0.summary.event
    }

    #[getter]
    fn date(&self) -> &str {
        &self.0.summary.date
    }

    #[getter]
    fn result(&self) -> &str {
        &self.0.summary.result
    }

    /// The positions in which it holds, by the plies before them.
    #[getter]
    fn hits(&self) -> Vec<usize> {
        self.0.hits.clone()
    }

    /// The plies before the first of them, as the record writes them.
    #[getter]
    fn hit_moves(&self) -> Vec<String> {
        self.0.hit_moves.clone()
    }

    /// All of it as a dictionary, with the keys of the service.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loaded(py, &self.0)
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<FoundGame {}>", json(&self.0)?))
    }
}

/// What became of a record that was sent to the archive.
#[pyclass(frozen, module = "ferz")]
pub struct Stored(CoreStored);

#[pymethods]
impl Stored {
    #[getter]
    fn id(&self) -> String {
        self.0.id.to_string()
    }

    /// True if the game is new.
    #[getter]
    fn created(&self) -> bool {
        self.0.created
    }

    #[getter]
    fn report(&self) -> Report {
        Report::from(self.0.report.clone())
    }
}

/// Games that one page of a search has at most.
const PAGE: usize = 200;

#[pymethods]
impl Archive {
    /// Opens the archive in a file; with `create`, makes it if there is none.
    #[new]
    #[pyo3(signature = (path, *, create = false))]
    fn new(py: Python<'_>, path: PathBuf, create: bool) -> PyResult<Archive> {
        let opened = py.detach(|| if create { Core::open(path) } else { Core::open_existing(path) });
        Ok(Archive(Mutex::new(Some(opened.map_err(error)?))))
    }

    /// The games in which a query holds, the latest first: see formats/QUERY.md of the project.
    #[pyo3(signature = (query, *, limit = 1000))]
    fn search(&self, py: Python<'_>, query: &str, limit: usize) -> PyResult<Vec<FoundGame>> {
        let parsed = match query.parse() {
            Ok(parsed) => parsed,
            Err(error) => {
                let error: ferz::search::QueryError = error;
                let raised = BadQuery::new_err(format!("{}; {}", error.message, error.remedy));
                let raised = with(py, raised, "start", error.span.start)?;
                return Err(with(py, raised, "end", error.span.end)?);
            }
        };
        let (search, mut all, mut cursor) = (Search::new(parsed), Vec::new(), None::<String>);
        while all.len() < limit {
            let page = self.with(py, |archive| {
                let want = PAGE.min(limit - all.len());
                archive.search(
                    &Filter { withdrawn: Some(false), ..Filter::default() },
                    &search,
                    Registry::built_in(),
                    want,
                    cursor.as_deref(),
                    u64::MAX,
                )
            })?;
            py.check_signals()?;
            all.extend(page.items.into_iter().map(FoundGame));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(all)
    }

    /// Judges records and adds them, all or none; what is in the archive already is not added again.
    fn add(&self, py: Python<'_>, records: &Bound<'_, PyAny>) -> PyResult<Vec<Stored>> {
        let text = Given::of(records)?.bytes(py)?;
        let (submissions, refused) = py.detach(|| Desk::default().submissions(&text)).map_err(error)?;
        if let Some(found) = refused.first() {
            let place = format!("line {}, column {}", found.line, found.column);
            return Err(FerzError::new_err(format!("{place}: {}; nothing is added", found.message)));
        }
        if !submissions.iter().all(Submission::is_record) {
            return Err(FerzError::new_err("the text is not a game record; nothing is added"));
        }
        let stored = self.with(py, |archive| archive.submit(submissions))?;
        Ok(stored.into_iter().map(Stored).collect())
    }

    /// The record of a game by the first digits of its id, byte for byte.
    fn text<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        let text = self.with(py, |archive| {
            let id = archive.resolve(id)?;
            archive.original(id)?.ok_or(ArchiveError::NoGame(id))
        })?;
        Ok(pyo3::types::PyBytes::new(py, &text))
    }

    /// The number of games.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.with(py, Core::counts)?.games as usize)
    }

    /// Closes the file.
    fn close(&self) {
        self.lock().take();
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }
}
