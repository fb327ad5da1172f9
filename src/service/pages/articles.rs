//! The articles and rulings of the rulebook: their ids, anchors and citations.

use super::documents::RULES;
use super::markdown::escaped;
use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::LazyLock;

/// The ids that the rulebook defines, each on a line `- **ID** …`.
static KNOWN: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let id = |line: &'static str| Some(line.strip_prefix("- **")?.split_once("**")?.0);
    RULES.lines().filter_map(id).collect()
});

/// True if the rulebook defines the id.
pub fn is_article(id: &str) -> bool {
    KNOWN.contains(id)
}

/// The anchor of an id. An article and a ruling with the same number differ in one character.
pub fn anchor(id: &str) -> String {
    id.replace(' ', "_")
}

/// The link to an article, or the bare id if the rulebook does not have it (a definition may cite its own).
pub fn link(id: &str) -> String {
    if is_article(id) { format!("<a href=\"/rules#{}\">{id}</a>", anchor(id)) } else { escaped(id) }
}

/// Text as HTML with a link for each cited article.
pub fn linked(text: &str) -> String {
    let mut out = String::new();
    let (mut done, mut from) = (0, 0);
    while let Some(at) = text[from..].find(|c: char| c.is_ascii_uppercase()).map(|at| from + at) {
        let word = at > 0 && text.as_bytes()[at - 1].is_ascii_alphanumeric();
        match id_at(&text[at..]).filter(|_| !word) {
            Some(id) => {
                out.push_str(&escaped(&text[done..at]));
                out.push_str(&link(id));
                from = at + id.len();
                done = from;
            }
            None => from = at + 1,
        }
    }
    out.push_str(&escaped(&text[done..]));
    out
}

/// The longest known id at the start of a text that ends at a word boundary.
fn id_at(text: &str) -> Option<&'static str> {
    let prefix = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let prefix = &text[..prefix];
    let after = KNOWN.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
    let candidates = after.take_while(|id| id.starts_with(prefix));
    let fits = candidates.filter(|id| {
        let after = text.strip_prefix(**id).map(|after| after.as_bytes());
        after.is_some_and(|after| match after {
            [next, ..] if next.is_ascii_alphanumeric() => false,
            [b'.', next, ..] => !next.is_ascii_digit(),
            _ => true,
        })
    });
    fits.max_by_key(|id| id.len()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cited_articles_are_linked() {
        let link = |at: &str, id: &str| format!("<a href=\"/rules#{at}\">{id}</a>");
        assert_eq!(linked("(ICH 3)"), format!("({})", link("ICH_3", "ICH 3")));
        assert_eq!(
            linked("FIDE 9.6.1, ICH-3 & IAB 2b."),
            format!(
                "{}, {} &amp; {}.",
                link("FIDE_9.6.1", "FIDE 9.6.1"),
                link("ICH-3", "ICH-3"),
                link("IAB_2b", "IAB 2b")
            )
        );
        // No article: a longer number, a longer word, an unknown one.
        for text in ["ICH 33", "RICH 3", "FIDE 3.777", "ÉICH", "XYZ 1"] {
            assert_eq!(linked(text), text);
        }
    }

    #[test]
    fn anchors_are_unique() {
        let anchors: BTreeSet<String> = KNOWN.iter().map(|id| anchor(id)).collect();
        assert_eq!(anchors.len(), KNOWN.len());
        assert!(KNOWN.len() > 100, "{}", KNOWN.len());
    }
}
