//! Values of closed lists, read by their names.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// Reads a value of a closed list by its stable name; `what` says in errors what the list is of.
pub fn deserialize_named<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    what: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    let found = all.iter().copied().find(|value| name(*value) == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|value| name(*value)).collect();
        D::Error::custom(format!("`{text}` is no {}; write one of {}", in_words(what), names.join(" ")))
    })
}

/// The name of a type in words: `ClaimKind` is a claim kind.
fn in_words(what: &str) -> String {
    let mut words = String::new();
    for letter in what.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}
