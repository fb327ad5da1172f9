//! `ferz sort`: records in another order.

use super::{Collection, tag_of};
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::records::write_record;
use crate::cli::session::Session;
use ferz::record::Record;
use std::cmp::Ordering;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    records: Collection,

    /// Tags to order by, the first one first, separated by commas; `plies` for the number of plies
    #[arg(long, value_name = "TAGS", value_delimiter = ',', default_value = "date")]
    by: Vec<String>,

    /// The greatest first
    #[arg(long)]
    descending: bool,
}

const EXAMPLES: &str = "\
Numbers inside values count as numbers, so that round 2 comes before round 10; case does not count. Records without \
the tag, or with `?`, come last. Records that are equal keep their order. Records are written byte for byte; all are \
held in memory.

Examples:
  ferz sort games.pgn > by-date.pgn
  ferz sort *.pgn --by event,round,board
  ferz sort games.pgn --by whiteelo --descending | ferz head 10";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut all: Vec<(Key, Vec<u8>)> = Vec::new();
    let key = |record: &Record<'_>| -> Key {
        args.by.iter().map(|name| value(record, name).map(|value| parts(&value))).collect()
    };
    let look = |_: &mut ferz::replay::Replayer<'_>, record: &Record<'_>, _: &ferz::replay::Source<'_>| {
        (key(record), super::text_of(record))
    };
    let read = args.records.each(session, look, |_, _, item| {
        all.push(item);
        Ok(())
    });
    all.sort_by(|(one, _), (other, _)| in_order(one, other, args.descending));
    for (_, text) in &all {
        write_record(session.console, text)?;
    }
    if let Some(name) = args
        .by
        .iter()
        .enumerate()
        .find(|(at, _)| !all.is_empty() && all.iter().all(|(key, _)| key[*at].is_none()))
    {
        session.console.warning(format!("no record has the tag `{}`: it orders nothing", name.1))?;
    }
    read.map(|()| ExitStatus::Fine)
}

/// What a record is ordered by.
fn value(record: &Record<'_>, name: &str) -> Option<String> {
    match name.eq_ignore_ascii_case("plies") {
        true => Some(record.main_moves().count().to_string()),
        false => tag_of(record, name),
    }
}

/// A run of digits, or of other letters in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// A number, without its zeros in front: the longer one is greater.
    Number(usize, String),
    Text(String),
}

/// A value, in the order of its parts.
type Value = Vec<Part>;

/// What a record is ordered by, tag by tag; `None` where it says nothing.
type Key = Vec<Option<Value>>;

fn parts(value: &str) -> Value {
    let mut parts = Vec::new();
    let mut rest = value;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|letter: char| letter.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        let digits = part.trim_start_matches('0');
        parts.push(match is_digit {
            true => Part::Number(digits.len(), digits.to_owned()),
            false => Part::Text(part.to_lowercase()),
        });
        rest = after;
    }
    parts
}

/// The order of two keys; what is unknown comes last in either direction.
fn in_order(one: &[Option<Value>], other: &[Option<Value>], descending: bool) -> Ordering {
    let compare = |(one, other): (&Option<Value>, &Option<Value>)| match (one, other) {
        (Some(one), Some(other)) if descending => other.cmp(one),
        (Some(one), Some(other)) => one.cmp(other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    };
    one.iter().zip(other).map(compare).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers_and_unknown_values_come_last() {
        let key = |value: &str| vec![super::super::known(value).map(parts)];
        let order = |one: &str, other: &str, descending| in_order(&key(one), &key(other), descending);
        assert_eq!(order("2", "10", false), Ordering::Less);
        assert_eq!(order("1.9", "1.10", false), Ordering::Less);
        assert_eq!(order("ann", "Ben", false), Ordering::Less);
        assert_eq!(order("1999.12.01", "2001.02.03", true), Ordering::Greater);
        assert_eq!(order("?", "2001.02.03", true), Ordering::Greater);
        assert_eq!(order("????.??.??", "2001.02.03", false), Ordering::Greater);
        assert_eq!(order("007", "7", false), Ordering::Equal);
    }
}
