//! Reading reports back.

use super::{Legality, Report};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The verdict is derived from the other fields.
impl<'de> Deserialize<'de> for Report {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Report, D::Error> {
        let mut report = Report::deserialize(deserializer)?;
        report.verdict = Legality::of(&report);
        Ok(report)
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Report::serialize(self, serializer)
    }
}
