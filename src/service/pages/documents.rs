//! The documents that reports cite, as pages.

use super::markdown;

pub use ferz::rules::RULEBOOK as RULES;

/// A document.
#[derive(Debug, Clone, Copy)]
pub struct Document {
    /// Its path.
    pub path: &'static str,
    /// Its file under `formats/`.
    file: &'static str,
    /// Its text in Markdown.
    text: &'static str,
}

/// All documents.
pub const DOCUMENTS: [Document; 6] = [
    Document { path: "/rules", file: "RULES.md", text: RULES },
    Document { path: "/codes", file: "CODES.md", text: include_str!("../../../formats/CODES.md") },
    Document { path: "/queries", file: "QUERY.md", text: include_str!("../../../formats/QUERY.md") },
    Document { path: "/record-format", file: "RECORD.md", text: include_str!("../../../formats/RECORD.md") },
    Document { path: "/report-format", file: "REPORT.md", text: include_str!("../../../formats/REPORT.md") },
    Document {
        path: "/variant-format",
        file: "VARIANT.md",
        text: include_str!("../../../formats/VARIANT.md"),
    },
];

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
    let document = DOCUMENTS.into_iter().find(|document| document.file == file)?;
    Some(anchor.map_or_else(|| document.path.to_owned(), |anchor| format!("{}#{anchor}", document.path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_no_signs_left_and_their_links_lead_somewhere() {
        for document in DOCUMENTS {
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
                    DOCUMENTS.into_iter().find(|document| document.path == path).unwrap()
                };
                let id = format!("id=\"{anchor}\"");
                assert!(anchor.is_empty() || page.html().contains(&id), "{}: {target}", document.path);
            }
        }
    }

    #[test]
    fn every_anchor_stands_once() {
        for document in DOCUMENTS {
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
