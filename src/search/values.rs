//! The values of tags in a stretch of games. A query looks at each value once, however many games have it.

use super::facts::{Fact, Happened, RulesKey};
use super::tags::of_opponent;
use super::terms::Wanted;
use ferz_core::text::limits::{INDEX_TAG_NAMES_MAX, INDEX_TAG_VALUE_BYTES_MAX, INDEX_TAGS_BYTES_MAX};
use ferz_records::record::Record;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The different values of each tag in some games. Long values and those beyond a limit are left out, which is noted.
///
/// ```
/// use ferz_records::record::read;
/// use ferz_search::TagValues;
/// let mut values = TagValues::default();
/// for text in ["[White \"Ann\"]\n\n*", "[White \"Ben\"]\n\n*", "[White \"Ann\"]\n\n*"] {
///     values.merge(TagValues::of(&read(text.as_bytes(), 0).next().ok_or("no record")?));
/// }
/// assert_eq!(values.count("white"), 2);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagValues {
    /// By the names in small letters.
    tags: BTreeMap<String, Values>,
    /// True if tags of some game are left out, whatever their names are.
    more: bool,
}

/// The values of a tag.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Values {
    known: BTreeSet<String>,
    /// True if other values are left out.
    more: bool,
    /// Bytes of what was added here, of which a merge has to know at once.
    #[serde(skip)]
    bytes: usize,
}

impl Values {
    fn add(&mut self, value: String) {
        let bytes = value.len() + 8;
        if self.known.insert(value) {
            self.bytes += bytes;
        }
    }
}

/// What a query wants of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    names: Vec<String>,
    wanted: Wanted,
}

impl TagValues {
    /// The values of a record's tags.
    pub fn of(record: &Record<'_>) -> TagValues {
        let mut found = TagValues::default();
        for tag in &record.tags {
            let name = record.tag_name(tag).to_ascii_lowercase();
            let value = record.tag_value(tag);
            let values = found.tags.entry(name).or_default();
            if value.len() > INDEX_TAG_VALUE_BYTES_MAX {
                values.more = true;
            } else {
                values.add(value.into_owned());
            }
        }
        found.cut();
        found
    }

    /// The facts of a game with these values.
    pub(crate) fn facts(&self) -> impl Iterator<Item = Fact> {
        self.tags.iter().flat_map(|(name, values)| values.known.iter().map(move |value| fact(name, value)))
    }

    /// Adds the values of other games.
    pub fn merge(&mut self, other: TagValues) {
        self.more |= other.more;
        for (name, values) in other.tags {
            let known = self.tags.entry(name).or_default();
            known.more |= values.more;
            values.known.into_iter().for_each(|value| known.add(value));
        }
        self.cut();
    }

    /// How many values of a tag are known; its name is in small letters.
    pub fn count(&self, name: &str) -> usize {
        self.tags.get(name).map_or(0, |values| values.known.len())
    }

    /// True if it says the same of every tag of which both say all.
    pub fn agrees(&self, other: &TagValues) -> bool {
        let is_whole = |values: &TagValues, name: &str| {
            !values.more && values.tags.get(name).is_none_or(|values| !values.more)
        };
        let names = self.tags.keys().chain(other.tags.keys());
        names.filter(|name| is_whole(self, name) && is_whole(other, name)).all(|name| {
            let known = |values: &TagValues| values.tags.get(name).map(|values| values.known.clone());
            known(self) == known(other)
        })
    }

    /// Leaves out what is too much.
    fn cut(&mut self) {
        while self.tags.len() > INDEX_TAG_NAMES_MAX {
            self.tags.pop_last();
            self.more = true;
        }
        if self.tags.values().map(|values| values.bytes).sum::<usize>() > INDEX_TAGS_BYTES_MAX
            && let Some(largest) = self.tags.values_mut().max_by_key(|values| values.bytes)
        {
            *largest = Values { more: true, ..Values::default() };
        }
    }
}

impl Tagged {
    /// What is wanted of one of the tags with these names, with White and Black exchanged or not; `None` if it may be
    /// that there is no such tag.
    pub(crate) fn new(names: &[String], wanted: &Wanted, exchanged: bool) -> Option<Tagged> {
        let own = |name: &String| match exchanged {
            true => of_opponent(name).to_ascii_lowercase(),
            false => name.to_ascii_lowercase(),
        };
        let is_absence = matches!(wanted, Wanted::Not(_));
        (!is_absence).then(|| Tagged { names: names.iter().map(own).collect(), wanted: wanted.clone() })
    }

    /// The facts of games whose tags are so; `None` if games of which that is not known may be among these.
    pub(crate) fn facts(&self, values: &TagValues) -> Option<Vec<Fact>> {
        let known: Vec<_> = self.names.iter().filter_map(|name| values.tags.get_key_value(name)).collect();
        if values.more || known.iter().any(|(_, values)| values.more) {
            return None;
        }
        let of = |(name, values): (&String, &Values)| {
            let fitting = values.known.iter().filter(|value| self.wanted.is(value));
            fitting.map(|value| fact(name, value)).collect::<Vec<_>>()
        };
        Some(known.into_iter().flat_map(of).collect())
    }
}

/// The fact that a game has a tag with a value, whatever its rules are.
fn fact(name: &str, value: &str) -> Fact {
    Happened::tag(name, value).fact(RulesKey(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_records::record::read;

    fn of(tags: &str) -> TagValues {
        let text = format!("{tags}\n\n*\n");
        TagValues::of(&read(text.as_bytes(), 0).next().unwrap())
    }

    #[test]
    fn what_is_left_out_is_noted() {
        let mut values = of("[White \"Ann\"]\n[WHITE \"Ben\"]\n[Black \"Cyd\"]");
        assert_eq!((values.count("white"), values.count("black")), (2, 1));
        let is = |name: &str, wanted: Wanted| Tagged::new(&[name.to_owned()], &wanted, false).unwrap();
        let ann = is("White", Wanted::Whole("ann".to_owned()));
        assert_eq!(ann.facts(&values).map(|facts| facts.len()), Some(1));
        assert_eq!(is("Event", Wanted::There).facts(&values), Some(Vec::new()));
        values.merge(of(&format!("[White \"{}\"]", "x".repeat(INDEX_TAG_VALUE_BYTES_MAX + 1))));
        assert_eq!(ann.facts(&values), None);
        // With too many names, nothing is known of one that is not there.
        let many: String = (0..2 * INDEX_TAG_NAMES_MAX).map(|name| format!("[T{name} \"1\"]\n")).collect();
        values.merge(of(&many));
        assert_eq!(is("Zone", Wanted::There).facts(&values), None);
        assert!(Tagged::new(&[], &Wanted::Not(Box::new(Wanted::There)), false).is_none());
    }

    /// However the games were divided, what is said of the whole is the same.
    #[test]
    fn parts_agree_with_the_whole() {
        let long = "y".repeat(INDEX_TAG_VALUE_BYTES_MAX);
        let games: Vec<TagValues> = (0..40)
            .map(|number| of(&format!("[A \"{number}\"]\n[B \"{}\"]\n[C \"{long}\"]", number % 3)))
            .collect();
        let whole = |parts: &[TagValues]| {
            let mut all = TagValues::default();
            parts.iter().for_each(|part| all.merge(part.clone()));
            all
        };
        let halves = whole(&[whole(&games[..7]), whole(&games[7..])]);
        assert!(halves == whole(&games) && halves.agrees(&whole(&games)));
        assert!(!halves.agrees(&whole(&games[1..])));
    }
}
