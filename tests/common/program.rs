//! Runs of the program.
#![allow(dead_code)]

use assert_cmd::Command;
use std::path::Path;
use std::process::Stdio;

/// Where the program is.
pub const FERZ: &str = env!("CARGO_BIN_EXE_ferz");

/// What a run gave: exit code, data, messages.
pub struct Run<T = String> {
    pub code: i32,
    pub out: T,
    pub err: String,
}

impl Run<Vec<u8>> {
    /// Its data as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }
}

/// Runs a command of the program that may give any bytes.
pub fn run(args: &[&str], input: impl AsRef<[u8]>) -> Run<Vec<u8>> {
    let mut command = Command::new(FERZ);
    let output = command.args(args).env_remove("NO_COLOR").write_stdin(input.as_ref()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    Run { code: output.status.code().unwrap(), out: output.stdout, err }
}

/// Runs a command of the program that gives text.
pub fn ferz(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let Run { code, out, err } = run(args, input);
    Run { code, out: String::from_utf8(out).unwrap(), err }
}

/// Fails unless a command whose reader goes away at once ends well and says nothing.
pub fn ends_with_its_pipe(args: &[&str]) {
    let mut command = std::process::Command::new(FERZ);
    let piped = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{args:?}");
}

/// Writes a file and gives its path.
pub fn write(directory: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = directory.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}
