//! Tracks the fields of a definition whose values are unknown while its mistakes are collected, so that a mistake is
//! not reported twice: once for itself, and once for its effect on other fields.

use toml::{Table, Value};

/// The fields with unknown values.
#[derive(Debug, Clone, Default)]
pub(super) struct UnknownFields {
    /// Fields or sections of the file that could not be read.
    pub(super) fields: Vec<String>,
    /// The file alone, if its parent is not available: what is not in it is unknown.
    pub(super) alone: Option<Table>,
}

impl UnknownFields {
    /// True if the value of a field, or of a part of a section, is unknown.
    pub(super) fn has_any_in(&self, path: &str) -> bool {
        self.has(path) || self.fields.iter().any(|field| is_within(field, path))
    }

    /// True if a field or a whole section is unknown.
    pub(super) fn has(&self, path: &str) -> bool {
        let missing = |table: &Table| {
            let steps = path.split('.').try_fold(table, |table, key| match table.get(key) {
                Some(Value::Table(inner)) => Ok(inner),
                Some(_) => Err(false),
                None => Err(true),
            });
            // The parent can complete a section.
            steps.map_or_else(|missing| missing, |_| true)
        };
        self.fields.iter().any(|field| is_within(path, field)) || self.alone.as_ref().is_some_and(missing)
    }
}

fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_sections_and_what_the_parent_would_say() {
        let lost = UnknownFields { fields: vec!["pieces.Q.betza".into(), "board".into()], alone: None };
        assert!(lost.has("pieces.Q.betza") && lost.has("board.files") && lost.has_any_in("pieces"));
        assert!(!lost.has("pieces.Q") && !lost.has_any_in("pieces.QQ") && !lost.has_any_in("boards"));
        let alone = "[board]\nfiles = 8\n[pieces]\nQ = { betza = \"Q\" }".parse().unwrap();
        let alone = UnknownFields { fields: Vec::new(), alone: Some(alone) };
        assert!(!alone.has("board.files") && alone.has("board.ranks") && alone.has("pieces"));
        assert!(!alone.has("pieces.Q.betza") && alone.has("pieces.K.betza") && alone.has("ends.misere"));
    }
}
