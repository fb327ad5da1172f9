//! Reading reports back.

use super::{Legality, Report};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::mem::take;

/// Reports of earlier versions have no verdict: it is derived from the other fields.
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

/// Reads variations of either format into one list. Deeply nested ones of format 1 need
/// [`flat_reports`](super::flat_reports) first, because JSON readers limit the depth.
pub(super) fn variations<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Report>, D::Error> {
    let mut all = Vec::new();
    for mut variation in Vec::<Report>::deserialize(deserializer)? {
        let inner = take(&mut variation.variations);
        all.push(variation);
        all.extend(inner);
    }
    Ok(all)
}
