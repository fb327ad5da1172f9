//! Where records come from: bytes, a text, a path, an open file.

use super::error::FerzError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes that show how a file is compressed.
const HEAD_BYTES: u64 = 8;

/// How the files of compressing programs begin, and what opens them.
const COMPRESSED: [(&[u8], &str); 4] = [
    (b"\x1f\x8b", "gzip.open"),
    (b"\xfd7zXZ", "lzma.open"),
    (b"BZh", "bz2.open"),
    (b"\x28\xb5\x2f\xfd", "compression.zstd.open"),
];

/// Refuses bytes that are compressed.
fn plain(bytes: &[u8]) -> PyResult<()> {
    match COMPRESSED.iter().find(|(begin, _)| bytes.starts_with(begin)) {
        Some((_, open)) => {
            Err(FerzError::new_err(format!("the records are compressed; open the file with {open}")))
        }
        None => Ok(()),
    }
}

/// Records that were given.
pub enum Given {
    /// All of them.
    Text(Vec<u8>),
    /// The file that has them, which is read as it is needed.
    File(PathBuf),
}

impl Given {
    /// The records of an argument.
    pub fn of(given: &Bound<'_, PyAny>) -> PyResult<Given> {
        if let Ok(bytes) = given.cast::<PyBytes>() {
            plain(bytes.as_bytes())?;
            return Ok(Given::Text(bytes.as_bytes().to_vec()));
        }
        if let Ok(bytes) = given.cast::<PyByteArray>() {
            return Ok(Given::Text(bytes.to_vec()));
        }
        if let Ok(text) = given.cast::<PyString>() {
            let text = text.to_cow()?;
            if !text.contains(['\n', '[', ' ']) && Path::new(&*text).is_file() {
                return Err(FerzError::new_err(format!(
                    "a str is the text of records; for the file write pathlib.Path({text:?})"
                )));
            }
            return Ok(Given::Text(text.as_bytes().to_vec()));
        }
        if given.hasattr("__fspath__")? {
            let path: PathBuf = given.extract()?;
            let mut head = Vec::new();
            File::open(&path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
            plain(&head)?;
            return Ok(Given::File(path));
        }
        if given.hasattr("read")? {
            return Given::of(&given.call_method0("read")?);
        }
        let name = given.get_type().name()?;
        Err(PyTypeError::new_err(format!("records are bytes, str, a path or an open file, not {name}")))
    }

    /// All bytes.
    pub fn bytes(self, py: Python<'_>) -> PyResult<Vec<u8>> {
        match self {
            Given::Text(text) => Ok(text),
            Given::File(path) => Ok(py.detach(|| std::fs::read(path))?),
        }
    }
}
