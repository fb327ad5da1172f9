//! The instant at which a game began.

use super::Record;
use crate::text::Timestamp;

impl Record<'_> {
    /// The instant at which the game began: the tags `UTCDate` and `UTCTime`. Other dates and times are those of an
    /// unknown zone.
    pub fn started(&self) -> Option<Timestamp> {
        let (date, time) = (self.tag("UTCDate")?, self.tag("UTCTime")?);
        format!("{}T{}Z", date.trim().replace('.', "-"), time.trim()).parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::record::read;

    #[test]
    fn both_tags_are_needed() {
        let started = |tags: &str| {
            let text = format!("{tags}\n\n*\n");
            let record = read(text.as_bytes(), 0).next().expect("a record");
            record.started().map(|at| at.to_string())
        };
        let date = "[UTCDate \"2026.11.24\"]\n";
        assert_eq!(
            started(&format!("{date}[UTCTime \"09:05:07\"]")).as_deref(),
            Some("2026-11-24T09:05:07Z")
        );
        assert_eq!(started(date), None);
        assert_eq!(started(&format!("{date}[UTCTime \"??:??:??\"]")), None);
        assert_eq!(started("[Date \"2026.11.24\"]\n[Time \"09:05:07\"]"), None);
    }
}
