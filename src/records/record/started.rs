//! The instant at which a game began.

use super::Record;
use ferz_core::text::Timestamp;

impl Record<'_> {
    /// The instant at which the game began: the tags `UTCDate` and `UTCTime`. Other dates and times are those of an
    /// unknown zone.
    pub fn started(&self) -> Option<Timestamp> {
        let (date, time) = (self.tag("UTCDate")?, self.tag("UTCTime")?);
        format!("{}T{}Z", date.trim().replace('.', "-"), time.trim()).parse().ok()
    }

    /// True if the game was played before a month of a year.
    pub fn is_before(&self, (year, month): (u16, u8)) -> bool {
        self.dates().any(|(played, in_month)| match in_month {
            Some(in_month) => (played, in_month) < (year, month.into()),
            None => played < year,
        })
    }

    /// True if a tag states at least the year of the game.
    pub fn is_dated(&self) -> bool {
        self.dates().next().is_some()
    }

    /// The years of the tags for the date, with the months that are known.
    fn dates(&self) -> impl Iterator<Item = (u16, Option<u16>)> {
        ["Date", "UTCDate", "EventDate"].into_iter().filter_map(|tag| {
            let date = self.tag(tag)?;
            let mut parts = date.trim().split('.').map(|part| part.parse().ok());
            Some((parts.next().flatten()?, parts.next().flatten()))
        })
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
