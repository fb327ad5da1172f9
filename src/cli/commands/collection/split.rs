//! `ferz split`: records into several files.

use super::{Collection, tag_of};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::record::Record;
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Source};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    records: Collection,

    /// A file for each value of this tag, for each game (`variant`), or for so many records (a number)
    #[arg(long, value_name = "TAG|N")]
    by: String,

    /// The folder of the new files; it is made if there is none
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

const EXAMPLES: &str = "\
Files have the name of the value: letters and digits as they are, anything else as `-`; values that differ only in \
that get a number. Records without the tag go into unknown.pgn. Records are written byte for byte, in their order. A \
file that exists is never changed: then nothing is written to it, and the command fails.

Examples:
  ferz split games.pgn --by event --out events
  ferz split games.pgn --by variant --out games
  ferz split games.pgn --by 1000 --out parts";

/// Bytes that are held before they are written.
const HELD_MAX: usize = 1 << 24;

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let a_file: Option<usize> = args.by.parse().ok();
    if a_file == Some(0) {
        return Err(Failure::message("`--by 0`: a file needs at least one record"));
    }
    fs::create_dir_all(&args.out).map_err(|error| trouble(&args.out, &error))?;
    let by_variant = args.by.eq_ignore_ascii_case("variant");
    let look = |replayer: &mut Replayer<'_>, record: &Record<'_>, _: &Source<'_>| {
        let value = match (a_file, by_variant) {
            (Some(_), _) => None,
            (None, true) => replayer.game(record).ok().map(|game| game.id().name.clone()),
            (None, false) => tag_of(record, &args.by),
        };
        (value, super::text_of(record))
    };
    let mut files = Files { folder: &args.out, by_value: HashMap::new(), names: HashMap::new(), held: 0 };
    let mut number = 0;
    let read = args.records.each(session, look, |_, _, (value, text)| {
        let value = match a_file {
            Some(a_file) => Some(format!("{:06}", number / a_file + 1)),
            None => value,
        };
        number += 1;
        files.put(value, &text)
    });
    files.flush()?;
    let (records, made) =
        (counted(number, "record", "records"), counted(files.by_value.len(), "file", "files"));
    session.console.note(&format!("{records} in {made} below {}", args.out.display()))?;
    read.map(|()| ExitStatus::Fine)
}

fn trouble(path: &Path, error: &std::io::Error) -> Failure {
    Failure::message(format!("{}: {error}", path.display()))
}

/// The new files.
struct Files<'d> {
    folder: &'d Path,
    by_value: HashMap<Option<String>, New>,
    /// How many values have a name, in lower case: some systems do not tell `A` from `a`.
    names: HashMap<String, usize>,
    /// Bytes that are not yet written.
    held: usize,
}

/// A new file.
struct New {
    path: PathBuf,
    text: Vec<u8>,
    exists: bool,
}

impl Files<'_> {
    fn put(&mut self, value: Option<String>, text: &[u8]) -> Result<(), Failure> {
        let (folder, names) = (self.folder, &mut self.names);
        let new = self.by_value.entry(value).or_insert_with_key(|value| {
            let name = file_name(value.as_deref().unwrap_or("unknown"));
            let same = names.entry(name.to_lowercase()).or_default();
            *same += 1;
            let name = if *same == 1 { format!("{name}.pgn") } else { format!("{name}-{same}.pgn") };
            New { path: folder.join(name), text: Vec::new(), exists: false }
        });
        new.text.extend_from_slice(text);
        new.text.extend_from_slice(b"\n\n");
        self.held += text.len() + 2;
        if self.held > HELD_MAX { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        for new in self.by_value.values_mut().filter(|new| !new.text.is_empty()) {
            let opened = match new.exists {
                true => OpenOptions::new().append(true).open(&new.path),
                false => File::create_new(&new.path),
            };
            let written = opened.and_then(|mut file| file.write_all(&new.text));
            written.map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => Failure::message(format!(
                    "{} exists; name another folder with `--out`, or remove it",
                    new.path.display()
                )),
                _ => trouble(&new.path, &error),
            })?;
            new.exists = true;
            new.text.clear();
        }
        self.held = 0;
        Ok(())
    }
}

/// Longest name of a file, in letters.
const NAME_MAX: usize = 80;

/// A value as the name of a file on any system.
fn file_name(value: &str) -> String {
    let mut name = String::new();
    for letter in value.chars().take(NAME_MAX) {
        let kept = letter.is_alphanumeric() || matches!(letter, '_' | '+');
        if kept || letter == '.' && !name.is_empty() && !name.ends_with(['.', '-']) {
            name.push(letter);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_end_matches(['-', '.']);
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_every_system() {
        assert_eq!(file_name("Hoogovens 1999 / A"), "Hoogovens-1999-A");
        assert_eq!(file_name("../etc/passwd"), "etc-passwd");
        assert_eq!(file_name("Zürich (ch)"), "Zürich-ch");
        assert_eq!(file_name("???"), "unknown");
    }
}
