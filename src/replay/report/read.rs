//! Reading reports back.

use super::Report;
use serde::{Deserialize, Deserializer};
use std::mem::take;

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
