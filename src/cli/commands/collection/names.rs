//! `ferz names`: the players of a collection, and other spellings of their names.

use super::{Collection, changed, tag_of};
use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::records::write_record;
use crate::cli::session::Session;
use crate::tournament::{read_rows, rows_as_csv};
use ferz::record::Record;
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Source};
use ferz::rewrite::set_tags;
use ferz::text::fold::{fold, names_are_near};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    records: Collection,

    /// Write the records with the names of this list, CSV with the columns `name` and `use`
    #[arg(long, value_name = "FILE")]
    apply: Option<PathBuf>,

    /// List all names, not only those that may be another spelling
    #[arg(long, conflicts_with = "apply")]
    all: bool,
}

const EXAMPLES: &str = "\
Without --apply nothing is changed: a list proposes which spelling to use instead of which, the more frequent one \
instead of the rarer. Where a name may be one of several, `use` is empty, and `near` names them. Look through the \
list, remove or complete rows, and apply it. Names in the tags White and Black are replaced; every other byte stays.

Examples:
  ferz names games.pgn > aliases.csv
  ferz names games.pgn --apply aliases.csv > named.pgn
  ferz names games.pgn --all";

/// The tags with names of players.
const TAGS: [&str; 2] = ["White", "Black"];

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.apply {
        Some(list) => apply(args, &aliases(&input::read_text(list)?)?, session),
        None => propose(args, session),
    }
}

/// A row of the list.
#[derive(Debug, Deserialize)]
struct Alias {
    name: String,
    #[serde(rename = "use", default)]
    instead: String,
}

/// The names to use, by the spelling that they replace.
fn aliases(text: &str) -> Result<HashMap<String, String>, Failure> {
    let mut aliases = HashMap::new();
    for (line, Alias { name, instead }) in read_rows::<Alias>(text).map_err(Failure::message)? {
        if instead.is_empty() || instead == name {
            continue;
        }
        if let Some(other) = aliases.insert(name.clone(), instead.clone()).filter(|other| *other != instead) {
            return Err(Failure::message(format!(
                "line {line}: `{name}` is to be `{instead}` here and `{other}` above; remove one"
            )));
        }
    }
    if let Some((name, instead)) = aliases.iter().find(|(_, instead)| aliases.contains_key(*instead)) {
        return Err(Failure::message(format!(
            "`{name}` is to be `{instead}`, which is to be `{}`; write the last one for both",
            aliases[instead]
        )));
    }
    Ok(aliases)
}

fn apply(args: &Args, aliases: &HashMap<String, String>, session: &mut Session<'_>) -> Outcome {
    let mut used = HashSet::new();
    let rename = |_: &mut Replayer<'_>, record: &Record<'_>, _: &Source<'_>| {
        let replaced: Vec<(&str, String)> = TAGS
            .iter()
            .filter_map(|tag| Some((*tag, record.tag(tag)?.trim().to_owned())))
            .filter(|(_, name)| aliases.contains_key(name))
            .collect();
        let tags: Vec<(&str, &str)> =
            replaced.iter().map(|(tag, name)| (*tag, aliases[name].as_str())).collect();
        (changed(record, &set_tags(record, &tags)), replaced)
    };
    let read = args.records.each(session, rename, |console, _, (text, replaced)| {
        used.extend(replaced.into_iter().map(|(_, name)| name));
        write_record(console, &text)
    });
    let names = counted(used.len(), "name", "names");
    session.console.note(&format!("{names} of {} in the list replaced", aliases.len()))?;
    read.map(|()| ExitStatus::Fine)
}

fn propose(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut games: BTreeMap<String, usize> = BTreeMap::new();
    let read = args.records.each(
        session,
        |_, record, _| TAGS.map(|tag| tag_of(record, tag)),
        |_, _, names| {
            names.into_iter().flatten().for_each(|name| *games.entry(name).or_default() += 1);
            Ok(())
        },
    );
    let rows = rows(&games, args.all);
    let proposed = rows.iter().filter(|row| !row[1].is_empty()).count();
    let heading = ["name", "use", "games", "near"].map(str::to_owned).to_vec();
    let list = rows_as_csv(std::iter::once(heading).chain(rows)).map_err(Failure::message)?;
    session.console.text(&list)?;
    let names = counted(games.len(), "name", "names");
    let spellings = counted(proposed, "is another spelling", "are other spellings");
    session.console.note(&format!("{names}, of which {spellings} as proposed"))?;
    read.map(|()| ExitStatus::Fine)
}

/// The rows of the list: name, what to use instead, games, and what it may be.
fn rows(games: &BTreeMap<String, usize>, all: bool) -> Vec<Vec<String>> {
    // The most frequent first, then the longest.
    let mut names: Vec<(&String, usize, String)> =
        games.iter().map(|(name, games)| (name, *games, fold(name))).collect();
    names.sort_by_key(|(name, games, _)| std::cmp::Reverse((*games, name.len())));
    // Names that may be one have a word with the same first letter.
    let mut leaders: HashMap<char, Vec<usize>> = HashMap::new();
    let mut rows = Vec::new();
    for (index, (name, games, folded)) in names.iter().enumerate() {
        let initials: HashSet<char> =
            folded.split_whitespace().filter_map(|word| word.chars().next()).collect();
        let mut near: Vec<usize> = initials
            .iter()
            .filter_map(|initial| leaders.get(initial))
            .flatten()
            .copied()
            .filter(|leader| names_are_near(folded, &names[*leader].2))
            .collect();
        near.sort_unstable();
        near.dedup();
        if near.is_empty() {
            initials.into_iter().for_each(|initial| leaders.entry(initial).or_default().push(index));
        }
        let near: Vec<&str> = near.into_iter().map(|leader| names[leader].0.as_str()).collect();
        let instead = if let [only] = near[..] { only } else { "" };
        if all || !near.is_empty() {
            let row = [name.as_str(), instead, &games.to_string(), &near.join("; ")];
            rows.push(row.map(str::to_owned).to_vec());
        }
    }
    rows.sort();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarer_spellings_are_proposed_and_doubtful_ones_are_left_open() {
        let games = [("Carlsen, Magnus", 9), ("Carlsen, M", 2), ("Carlson, Magnus", 1), ("Tal, Mikhail", 3)];
        let games = games.map(|(name, games)| (name.to_owned(), games)).into();
        let row = |name: &str, games: &str| {
            [name, "Carlsen, Magnus", games, "Carlsen, Magnus"].map(str::to_owned).to_vec()
        };
        assert_eq!(rows(&games, false), [row("Carlsen, M", "2"), row("Carlson, Magnus", "1")]);
        let games = [("Smith, John", 4), ("Smith, Jane", 3), ("Smith", 1)];
        let games = games.map(|(name, games)| (name.to_owned(), games)).into();
        assert_eq!(rows(&games, false), [["Smith", "", "1", "Smith, John; Smith, Jane"].map(str::to_owned)]);
    }

    #[test]
    fn a_list_that_contradicts_itself_is_refused() {
        let list =
            |text: &str| aliases(text).map(|aliases| aliases.len()).map_err(|error| format!("{error:?}"));
        assert_eq!(list("name,use\nA,B\nC,\n"), Ok(1));
        assert!(list("name,use\nA,B\nA,C\n").is_err());
        assert!(list("name,use\nA,B\nB,C\n").is_err_and(|why| why.contains("write the last one")));
    }
}
