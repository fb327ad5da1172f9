//! Values of closed lists, read by their names.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// Reads a value of a closed list by its stable name; `what` says in errors what the list is of.
pub(crate) fn deserialize_named<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    what: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    let found = all.iter().copied().find(|value| name(*value) == text);
    found.ok_or_else(|| D::Error::custom(format!("`{text}` is no {what}")))
}
