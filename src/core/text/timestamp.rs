//! Instants, written as RFC 3339.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// An instant: milliseconds since 1970, written `2026-11-24T10:00:00Z`.
///
/// ```
/// use ferz_core::text::Timestamp;
/// let noon: Timestamp = "2026-11-24T12:00:00+02:00".parse()?;
/// assert_eq!(noon.to_string(), "2026-11-24T10:00:00Z");
/// assert_eq!(noon.after(90_500).to_string(), "2026-11-24T10:01:30.500Z");
/// assert_eq!((noon.after(500).since(noon), noon.since(noon.after(1))), (Some(500), None));
/// let at = Timestamp::of_milliseconds(1_795_860_090_500);
/// assert_eq!(at.to_seconds(), "2026-11-28T10:01:30Z");
/// assert_eq!(at.to_minutes(), "2026-11-28 10:01 UTC");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The instant so many milliseconds after the start of 1970.
    pub const fn of_milliseconds(milliseconds: u64) -> Timestamp {
        Timestamp(milliseconds)
    }

    /// The instant so many milliseconds later.
    #[must_use]
    pub const fn after(self, milliseconds: u64) -> Timestamp {
        Timestamp(self.0.saturating_add(milliseconds))
    }

    /// The milliseconds since an earlier instant; `None` if it is later.
    pub const fn since(self, earlier: Timestamp) -> Option<u64> {
        self.0.checked_sub(earlier.0)
    }

    /// The instant without fractions of a second, as RFC 3339.
    pub fn to_seconds(self) -> String {
        self.utc().unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    /// The instant as people write it, without seconds.
    pub fn to_minutes(self) -> String {
        self.utc().unwrap_or_default().format("%Y-%m-%d %H:%M UTC").to_string()
    }

    /// `None` far outside of the calendar.
    fn utc(self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_millis(i64::try_from(self.0).ok()?)
    }
}

impl FromStr for Timestamp {
    type Err = String;

    fn from_str(text: &str) -> Result<Timestamp, String> {
        let found = DateTime::parse_from_rfc3339(text).ok();
        let found = found.and_then(|at| u64::try_from(at.timestamp_millis()).ok());
        found.map(Timestamp).ok_or_else(|| {
            let shown: String = text.chars().take(40).collect();
            format!(
                "`{}` is no instant; write date, time and zone, such as 2026-11-24T10:00:00Z",
                shown.escape_debug()
            )
        })
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.utc() {
            Some(at) => f.pad(&at.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
            None => write!(f, "{} ms after 1970", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_instants_are_read() {
        for text in ["2026-11-24T10:00:00Z", "2026-11-24T10:00:00.500Z", "1970-01-01T00:00:00Z"] {
            assert_eq!(text.parse::<Timestamp>().map(|at| at.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "2026-11-24", "2026-11-24T10:00:00", "1969-12-31T23:59:59Z", "2026-13-01T00:00:00Z"]
        {
            assert!(text.parse::<Timestamp>().is_err_and(|error| error.contains("such as")), "{text}");
        }
    }
}
