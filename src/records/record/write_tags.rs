//! The tag section of the export format.

use super::codes;
use super::csa;
use super::losses::Losses;
use super::read::Record;
use super::tags::ROSTER;
use super::write::{FirstPly, WriteOptions};

type Tags = Vec<(String, String)>;

/// The value of the tag `name`.
pub(super) fn value_of<'g>(tags: &'g Tags, name: &str) -> Option<&'g str> {
    tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
}

/// Number and side of the first ply, from the second and the sixth field of the tag `FEN`.
pub(super) fn first_ply(tags: &Tags) -> FirstPly {
    first_ply_of(value_of(tags, "FEN").unwrap_or_default())
}

/// The same on the second board of a game on two, whose positions have a stroke between them.
pub(super) fn second_first_ply(tags: &Tags) -> FirstPly {
    let fens = value_of(tags, "FEN").unwrap_or_default();
    first_ply_of(fens.split_once('|').map_or("", |(_, second)| second))
}

fn first_ply_of(fen: &str) -> FirstPly {
    let black = csa::black_begins(fen);
    // The number 0, which some programs write, is read as 1.
    let number = fen
        .split_ascii_whitespace()
        .nth(5)
        .and_then(|n| n.parse().ok())
        .map_or(1, |number: u32| number.max(1));
    FirstPly { number, black }
}

/// Writes the tags, the roster first, and returns them.
pub(super) fn write_tags(
    record: &Record<'_>,
    options: &WriteOptions<'_>,
    out: &mut String,
    losses: &mut Losses,
) -> Tags {
    let mut tags = collect(record, options, losses);
    let result = options.result.or(record.result);
    let mut ordered = Tags::new();
    for (name, unknown) in ROSTER {
        let exact = tags.iter().position(|(n, _)| n == name);
        let found = exact.or_else(|| tags.iter().position(|(n, _)| n.eq_ignore_ascii_case(name)));
        let value = match found {
            Some(index) => tags.remove(index).1,
            // A game on two boards names its players otherwise.
            None if matches!(name, "White" | "Black") && record.names_four_players() => continue,
            None if name == "Result" => result.map_or(unknown, |r| r.as_str()).to_owned(),
            None => unknown.to_owned(),
        };
        ordered.push((name.to_owned(), value));
    }
    tags.sort();
    ordered.extend(tags);
    for (name, value) in &ordered {
        out.push_str(&tag_line(name, value));
    }
    ordered
}

/// The record's tags with the options' changes, each name once.
fn collect(record: &Record<'_>, options: &WriteOptions<'_>, losses: &mut Losses) -> Tags {
    let mut tags = Tags::new();
    for tag in &record.tags {
        let (name, value) = (record.tag_name(tag), record.tag_value(tag));
        match value_of(&tags, &name) {
            None => tags.push((name.into_owned(), value.into_owned())),
            Some(first) if first == value => {}
            Some(_) => {
                let span = record.tag_full_span(tag);
                losses.push(codes::LOSS_TAG, span, || "a second tag of this name is left out".into());
            }
        }
    }
    for (name, value) in options.tags {
        tags.retain(|(n, _)| n != name);
        tags.extend(value.map(|v| ((*name).to_owned(), v.to_owned())));
    }
    tags
}

/// A tag as a line of a record.
fn tag_line(name: &str, value: &str) -> String {
    tag_pair(name, value) + "\n"
}

/// A tag with its value in quotation marks.
pub(crate) fn tag_pair(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", escape(value))
}

/// The plies from a position as a record, which is of the array without `fen`.
pub fn position_record<'t>(
    variant: &'t str,
    tags: impl Iterator<Item = (&'t str, &'t str)>,
    fen: Option<&'t str>,
    moves: &str,
) -> String {
    let start = fen.map(|fen| [("SetUp", "1"), ("FEN", fen)]);
    let all = [("Variant", variant)].into_iter().chain(tags).chain(start.into_iter().flatten());
    tagged(all, &format!("{moves} *"))
}

/// Plies and what is written between them as a record with these tags.
pub fn tagged<'t>(tags: impl Iterator<Item = (&'t str, &'t str)>, movetext: &str) -> String {
    let tags: String = tags.map(|(name, value)| tag_line(name, value)).collect();
    format!("{tags}\n{movetext}\n")
}

/// The value escaped for quotation marks; line ends become spaces.
fn escape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}
