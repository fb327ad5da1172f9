//! The form of the file: sections, each with a parent perhaps, and settings.

/// A section.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) parent: Option<String>,
    /// The line of its head, from 1.
    pub(super) line: usize,
    pub(super) head: String,
    pub(super) lines: Vec<Line>,
}

/// A setting.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) key: String,
    pub(super) value: String,
}

impl Section {
    /// The line with a number.
    pub(super) fn text_at(&self, number: usize) -> String {
        let line = self.lines.iter().find(|line| line.number == number);
        line.map_or_else(|| self.head.clone(), |line| line.text.clone())
    }
}

/// The sections of a file. What stands before the first one belongs to none.
pub(super) fn sections(file: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    for (index, text) in file.lines().enumerate() {
        let (number, text) = (index + 1, text.trim());
        if let Some(head) = text.strip_prefix('[') {
            let head = head.split(']').next().unwrap_or_default();
            let (name, parent) = match head.split_once(':') {
                Some((name, parent)) => (name, Some(parent.trim().to_owned())),
                None => (head, None),
            };
            let name = name.trim().to_owned();
            found.push(Section { name, parent, line: number, head: text.to_owned(), lines: Vec::new() });
        } else if !text.is_empty()
            && !text.starts_with(['#', ';'])
            && let Some(section) = found.last_mut()
        {
            // A line without a sign is a setting without a value, which none can be.
            let (key, value) = text.split_once('=').unwrap_or((text, ""));
            section.lines.push(Line {
                number,
                text: text.to_owned(),
                key: key.trim().to_owned(),
                value: value.trim().to_owned(),
            });
        }
    }
    found
}
