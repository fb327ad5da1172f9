//! The documents that reports cite, as pages.

use super::markdown;

use ferz::rules::RULEBOOK;
use std::sync::LazyLock;

/// A document.
#[derive(Debug)]
pub struct Document {
    /// Its path.
    pub path: String,
    /// Its file under `formats/`.
    pub file: &'static str,
    /// Its text in Markdown.
    text: &'static str,
}

/// The manuals, each as path, file and text.
const MANUALS: [(&str, &str, &str); 5] = [
    ("/codes", "CODES.md", include_str!("../../../formats/CODES.md")),
    ("/queries", "QUERY.md", include_str!("../../../formats/QUERY.md")),
    ("/record-format", "RECORD.md", include_str!("../../../formats/RECORD.md")),
    ("/report-format", "REPORT.md", include_str!("../../../formats/REPORT.md")),
    ("/variant-format", "VARIANT.md", include_str!("../../../formats/VARIANT.md")),
];

/// All documents: the pages of the rulebook, then the manuals.
pub static DOCUMENTS: LazyLock<Vec<Document>> = LazyLock::new(|| {
    let rules = RULEBOOK.into_iter().map(|page| {
        let name = page.file.strip_prefix("variants/").and_then(|file| file.strip_suffix(".md"));
        let path = name.map_or_else(|| "/rules".to_owned(), |name| format!("/rules/{name}"));
        Document { path, file: page.file, text: page.text }
    });
    let manuals = MANUALS.map(|(path, file, text)| Document { path: path.to_owned(), file, text });
    rules.chain(manuals).collect()
});

impl Document {
    /// Its title.
    pub fn title(&self) -> &'static str {
        markdown::title(self.text)
    }

    /// Its text as HTML.
    pub fn html(&self) -> String {
        markdown::html(self.text)
    }

    /// Its sections: anchor and title.
    pub fn sections(&self) -> Vec<(String, &'static str)> {
        let titles = self.text.lines().filter_map(|line| line.strip_prefix("## "));
        titles.map(|title| (markdown::slug(title), title)).collect()
    }
}

/// The target of a link in a document: a page, or an anchor on the same page; `None` for others.
pub fn path_of(target: &str) -> Option<String> {
    if target.starts_with('#') {
        return Some(target.to_owned());
    }
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let file = file.strip_prefix("../").unwrap_or(file);
    let document = DOCUMENTS.iter().find(|document| document.file == file)?;
    Some(anchor.map_or_else(|| document.path.clone(), |anchor| format!("{}#{anchor}", document.path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_no_signs_left_and_their_links_lead_somewhere() {
        for document in DOCUMENTS.iter() {
            let html = document.html();
            assert!(!document.title().is_empty(), "{}", document.path);
            let outside: String = html
                .split("<code>")
                .map(|part| part.split_once("</code>").map_or(part, |(_, text)| text))
                .collect();
            for sign in ["**", "](", "`", "| "] {
                assert!(!outside.contains(sign), "{}: `{sign}` is left", document.path);
            }
            for target in html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
                let page = if path.is_empty() {
                    document
                } else {
                    DOCUMENTS.iter().find(|document| document.path == path).unwrap()
                };
                let id = format!("id=\"{anchor}\"");
                assert!(anchor.is_empty() || page.html().contains(&id), "{}: {target}", document.path);
            }
        }
    }

    #[test]
    fn every_anchor_stands_once() {
        for document in DOCUMENTS.iter() {
            let html = document.html();
            let mut ids: Vec<&str> =
                html.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
            let count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), count, "{}", document.path);
        }
    }
}
