use super::*;

/// The text that the error points at, and its message.
fn refused(text: &str) -> (String, String) {
    let error = parse(text).expect_err(text);
    (text[error.span.start..error.span.end].to_owned(), error.message)
}

#[test]
fn the_span_covers_the_unreadable_part() {
    let cases = [
        ("", "", "no movement"),
        ("f", "f", "`fW`"),
        ("RffNx", "x", "no atom"),
        ("RffNxbN", "x", "`x` (relaying moves) is not supported"),
        ("oR", "o", "not supported"),
        ("aK", "a", "not supported"),
        ("mayK", "a", "not supported"),
        ("yR", "y", "not supported"),
        ("uR", "u", "not supported"),
        ("tR", "t", "not supported"),
        ("fceF", "e", "not supported"),
        ("kR", "k", "not supported"),
        ("qN", "q", "not supported"),
        ("zB", "z", "not supported"),
        ("dR", "d", "not supported"),
        ("wR", "w", "`w` is not supported"),
        ("WX", "X", "not an atom"),
        ("RI", "I", "`H`"),
        ("E", "E", "moves of the piece"),
        ("W F", " ", "without spaces"),
        ("3W", "3", "follow an atom"),
        ("[W?fsR]", "[", "several legs"),
        ("W\u{265e}", "\u{265e}", "cannot be read"),
        ("W-R", "-", "cannot be read"),
        ("hN", "h", "must follow"),
        ("N(1;4)F", "(1;4)", "two numbers"),
        ("N(14", "(14", "two numbers"),
        ("(0,0)", "(0,0)", "null move"),
        ("(1,16)", "(1,16)", "15 squares"),
        ("(1,999)", "(1,999)", "15 squares"),
        ("(1,4)(1,4)", "(1,4)", "`(1,4)0`"),
        ("RR", "R", "already"),
        ("NN3", "3", "already"),
        ("W00", "00", "not a range"),
        ("W03", "03", "not a range"),
        ("W255", "255", "not a range"),
        ("mmW", "m", "doubled"),
        ("jjR", "j", "doubled"),
        ("ppR", "p", "doubled"),
        ("njR", "j", "contradicts `n`"),
        ("jW", "jW", "nothing to jump over"),
        ("WjN", "jN", "oblique"),
        ("gN", "gN", "one step only"),
        ("pW", "pW", "one step only"),
        ("fhW", "h", "oblique atoms"),
        ("frlF", "frl", "ambiguous"),
        ("rlbK", "rlb", "ambiguous"),
        ("vrN", "vr", "`rv`"),
        ("vlN", "vl", "`lv`"),
        ("hrN", "h", "chiral"),
        ("fmsN", "m", "together"),
    ];
    for (text, at, part) in cases {
        let (found, message) = refused(text);
        assert_eq!(found, at, "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn limits_are_named() {
    let long = "W".repeat(257);
    assert!(refused(&long).1.contains("limit is 256"));
    assert!(parse(&"mW".repeat(128)).is_ok());
}
