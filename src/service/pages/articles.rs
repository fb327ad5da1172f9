//! The articles and rulings of the rulebook: their ids, anchors and citations.

use super::documents::DOCUMENTS;
use super::markdown::escaped;
use ferz::rules::RULEBOOK;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::LazyLock;

/// The ids that the rulebook defines, each with the path of its page.
static KNOWN: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut known = BTreeMap::new();
    for page in RULEBOOK {
        let document = DOCUMENTS.iter().find(|document| document.file == page.file);
        let path = document.map_or("/rules", |document| document.path.as_str());
        known.extend(page.ids().map(|id| (id, path)));
    }
    known
});

/// True if the rulebook defines the id.
pub fn is_article(id: &str) -> bool {
    KNOWN.contains_key(id)
}

/// The anchor of an id. An article and a ruling with the same number differ in one character.
pub fn anchor(id: &str) -> String {
    id.replace(' ', "_")
}

/// The link to an article, or the bare id if the rulebook does not have it (a definition may cite its own).
pub fn link(id: &str) -> String {
    let Some(path) = KNOWN.get(id) else { return escaped(id) };
    format!("<a href=\"{path}#{}\">{id}</a>", anchor(id))
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
    let candidates = after.map(|(id, _)| id).take_while(|id| id.starts_with(prefix));
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
    use std::collections::BTreeSet;

    #[test]
    fn cited_articles_are_linked() {
        let link = |at: &str, id: &str| format!("<a href=\"/rules{at}\">{id}</a>");
        assert_eq!(linked("(ICH 3)"), format!("({})", link("/ichess#ICH_3", "ICH 3")));
        assert_eq!(
            linked("FIDE 9.6.1, ICH-3, COM-3 & IAB 2b."),
            format!(
                "{}, {}, {} &amp; {}.",
                link("/chess#FIDE_9.6.1", "FIDE 9.6.1"),
                link("/ichess#ICH-3", "ICH-3"),
                link("#COM-3", "COM-3"),
                link("/iago#IAB_2b", "IAB 2b")
            )
        );
        // No article: a longer number, a longer word, an unknown one.
        for text in ["ICH 33", "RICH 3", "FIDE 3.777", "ÉICH", "XYZ 1"] {
            assert_eq!(linked(text), text);
        }
    }

    #[test]
    fn anchors_are_unique() {
        let anchors: BTreeSet<String> = KNOWN.keys().map(|id| anchor(id)).collect();
        assert_eq!(anchors.len(), KNOWN.len());
        assert!(KNOWN.len() > 100, "{}", KNOWN.len());
    }
}
