//! Any text as Betza notation: an error lies in the text, and the canonical form means the same.
#![no_main]

use ferz::pieces::betza::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(piece) = parse(text) {
        let canonical = piece.canonical();
        let again = parse(&canonical).unwrap_or_else(|error| panic!("`{text}` as `{canonical}`: {error}"));
        assert_eq!(again.canonical(), canonical, "of `{text}`");
    }
});
