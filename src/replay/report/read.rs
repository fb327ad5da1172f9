//! Reading reports back.

use super::Report;
use serde::{Deserialize, Deserializer};
use std::mem::take;

/// Variations in one list, whatever the format: in format 1 they have lists of their own. Deep ones need
/// [`flat_reports`](super::flat_reports) before, for a reader of JSON has a limit.
pub(super) fn variations<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Report>, D::Error> {
    let mut all = Vec::new();
    for mut variation in Vec::<Report>::deserialize(deserializer)? {
        let inner = take(&mut variation.variations);
        all.push(variation);
        all.extend(inner);
    }
    Ok(all)
}
