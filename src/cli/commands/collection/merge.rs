//! `ferz merge`: several collections as one, without doubles.

use crate::cli::commands::dedupe::{self, DropArg};
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::records::{FilesArg, LanguageArg, ReadArgs, write_record};
use crate::cli::session::Session;
use ferz::record::{Record, in_roster, read};
use ferz::replay::summary::counted;
use ferz::rewrite::{Likeness, set_tags};
use ferz::text::edited;
use std::collections::BTreeMap;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    files: FilesArg,

    #[command(flatten)]
    drop: DropArg,

    /// Give the record that is kept the tags that only its doubles have
    #[arg(long)]
    tags: bool,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

const EXAMPLES: &str = "\
Of doubles the more complete record is kept, as `ferz dedupe` finds them. Nothing is dropped that is not listed by \
`ferz dedupe`; records are written byte for byte, in their order. With --tags a value that the kept record leaves \
unknown is taken from its doubles; one that contradicts stays as it is.

Examples:
  ferz merge club.pgn federation.pgn > all.pgn
  ferz merge *.pgn --drop same,names_near,prefix --tags > all.pgn";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let found = dedupe::find(&args.files.all(), (&args.read, &args.letters), true, session)?;
    let drops = found.dropped(&args.drop.kinds);
    let kept_of = |game: usize| {
        let mut kept = game;
        while let Some(of) = drops.get(&kept) {
            kept = *of;
        }
        kept
    };
    let mut doubles_of: BTreeMap<usize, Vec<&[u8]>> = BTreeMap::new();
    // A double in other plies may be another game, whose tags are its own.
    let same = |game: &usize| {
        let is_same = |likeness: Likeness| matches!(likeness, Likeness::Same | Likeness::NamesNear);
        found.doubles.iter().any(|double| double.game == *game && is_same(double.likeness))
    };
    for game in drops.keys().filter(|game| args.tags && same(game)) {
        doubles_of.entry(kept_of(*game)).or_default().push(found.text(*game));
    }
    let mut added = 0;
    for game in (0..found.len()).filter(|game| !drops.contains_key(game)) {
        let text = match doubles_of.get(&game) {
            Some(doubles) => with_tags(found.text(game), doubles, &mut added),
            None => found.text(game).to_vec(),
        };
        write_record(session.console, &text)?;
    }
    let records = counted(found.len(), "record", "records");
    let tags = if args.tags { format!(", {} added", counted(added, "tag", "tags")) } else { String::new() };
    session.console.note(&format!("{records}: {} dropped{tags}", drops.len()))?;
    found.ended(ExitStatus::Fine)
}

/// A record with the tags that only its doubles have.
fn with_tags(text: &[u8], doubles: &[&[u8]], added: &mut usize) -> Vec<u8> {
    let Some(record) = read(text, 0).next() else { return text.to_vec() };
    let mut new: BTreeMap<String, String> = BTreeMap::new();
    for double in doubles.iter().filter_map(|double| read(double, 0).next()) {
        for tag in &double.tags {
            let (name, value) = (double.tag_name(tag).into_owned(), double.tag_value(tag).into_owned());
            if super::known(&value).is_some() && lacks(&record, &name) {
                new.entry(name).or_insert(value);
            }
        }
    }
    *added += new.len();
    let new: Vec<(&str, &str)> = new.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    edited(text, 0, &set_tags(&record, &new))
}

/// True if a record says nothing in a tag that tells who played, where and when, or has no other tag of that name.
fn lacks(record: &Record<'_>, name: &str) -> bool {
    match record.tag(name) {
        Some(value) => in_roster(name) && name != "Result" && super::known(&value).is_none(),
        None => true,
    }
}
