//! Whether tags are as a query wants them.

use super::range::days;
use super::terms::Wanted;
use ferz_core::text::fold::{fold, is_near};
use ferz_records::record::Record;
use std::borrow::Cow;

impl Wanted {
    /// True if one of the tags with these names is so. What is not wanted, no tag may be.
    pub(crate) fn fits(&self, record: &Record<'_>, names: &[String], exchanged: bool) -> bool {
        if let Wanted::Not(wanted) = self {
            return !wanted.fits(record, names, exchanged);
        }
        names.iter().any(|name| {
            let name = if exchanged { of_opponent(name) } else { Cow::Borrowed(name.as_str()) };
            record.tag(&name).is_some_and(|value| self.is(&value))
        })
    }

    /// True if the value of a tag is so.
    pub(crate) fn is(&self, value: &str) -> bool {
        match self {
            Wanted::Words(words) => {
                let folded = fold(value);
                words.iter().all(|word| folded.contains(word.as_str()))
            }
            Wanted::Whole(wanted) => value.trim().to_lowercase() == *wanted,
            Wanted::Near(words) => {
                let folded = fold(value);
                words.iter().all(|word| folded.split_whitespace().any(|known| is_near(known, word)))
            }
            Wanted::Number(range) => {
                let number = value.trim().parse().is_ok_and(|number| range.has(number));
                // 1990 is a number and a year.
                number || days(value).is_some_and(|(first, _)| range.has(first / 10_000))
            }
            // A month counts as its first day, as in lists of the archive.
            Wanted::Days(range) => days(value).is_some_and(|(first, _)| range.has(first)),
            Wanted::There => true,
            Wanted::Not(wanted) => !wanted.is(value),
        }
    }
}

/// The tag that says of Black what this one says of White, and the reverse; others say the same of both.
pub(crate) fn of_opponent(name: &str) -> Cow<'_, str> {
    for (from, to) in [("White", "Black"), ("Black", "White")] {
        if name.get(..from.len()).is_some_and(|head| head.eq_ignore_ascii_case(from)) {
            return Cow::Owned(format!("{to}{}", &name[from.len()..]));
        }
    }
    Cow::Borrowed(name)
}

#[cfg(test)]
mod tests {
    use crate::expression::{Node, Query};
    use crate::terms::{GameTerm, Term};
    use ferz_records::record::read;

    fn fits(tags: &str, query: &str, exchanged: bool) -> bool {
        let text = format!("{tags}\n\n*\n");
        let record = read(text.as_bytes(), 0).next().unwrap();
        let query: Query = query.parse().unwrap();
        match &*query.root {
            Node::Term(Term::Game(GameTerm::Tag { names, wanted }), _) => {
                wanted.fits(&record, names, exchanged)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_fit_in_many_ways() {
        let tags = "[White \"Réti, Richard\"]\n[Black \"Tchigorin\"]\n[WhiteElo \"2400\"]\n[Date \"1908.05.??\"]\n\
            [Round \"?\"]\n[Mode \"ICS\"]";
        for query in [
            "white reti",
            "white \"richard reti\"",
            "player \"r reti\"",
            "black ~ Chigorin",
            "black ~ Tschigorin",
            "white = \"réti, richard\"",
            "elo >= 2400",
            "elo 2300..2500",
            "elo ..2500",
            "whiteelo < 2401",
            "date 1900..1910",
            "date >= 1908.05",
            "date 1908.05..1908.06",
            "date 1908",
            "date = 1908.05",
            "elo 2400",
            "date > 1907",
            "round ?",
            "tag Mode",
            "tag mode ICS",
            "tag ECO != B90",
            "white != Ann",
        ] {
            assert!(fits(tags, query, false), "{query}");
        }
        for query in [
            "white tchigorin",
            "white ~ Ann",
            "black ~ Tal",
            "elo > 2400",
            "blackelo > 0",
            "date < 1908",
            "date 1908.04",
            "elo 240",
            "date 1909..",
            "date 1908.05.20..1908.12",
            "date 1908.06..1909",
            "tag ECO",
            "tag Mode = IC",
            "white != \"Réti, Richard\"",
            "black reti",
        ] {
            assert!(!fits(tags, query, false), "{query}");
        }
        assert!(
            fits(tags, "black reti", true)
                && fits(tags, "blackelo 2400", true)
                && fits(tags, "tag Mode", true)
        );
        assert!(!fits(tags, "white reti", true));
    }
}
