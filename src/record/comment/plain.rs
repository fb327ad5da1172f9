//! Commands as clocks and engines write them, recognised without being read: there may be one behind every ply.

/// True if each `[%` of the text begins a command of the usual form whose value can be read.
///
/// The other way round it says nothing: a command of another form may be as good.
pub(super) fn all_are_plain(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b"[%").all(|at| is_plain(&text[at + 2..]))
}

fn is_plain(text: &[u8]) -> bool {
    let time = text.strip_prefix(b"clk ").or_else(|| text.strip_prefix(b"emt "));
    let rest = match time {
        Some(time) => clock_time(time),
        None => text.strip_prefix(b"eval ").and_then(eval),
    };
    rest.is_some_and(|rest| rest.first() == Some(&b']'))
}

/// What stands behind `h:mm:ss` or `h:mm:ss.f`.
fn clock_time(text: &[u8]) -> Option<&[u8]> {
    let text = sixtieths(sixtieths(digits(text, 4)?)?)?;
    match text.strip_prefix(b".") {
        Some(fraction) => digits(fraction, 9),
        None => Some(text),
    }
}

/// What stands behind `-0.35` or `#-4`.
fn eval(text: &[u8]) -> Option<&[u8]> {
    let (mate, text) = text.strip_prefix(b"#").map_or((false, text), |text| (true, text));
    let text = digits(text.strip_prefix(b"-").unwrap_or(text), 6)?;
    if mate { Some(text) } else { digits(text.strip_prefix(b".")?, 2) }
}

/// What stands behind the digits, of which there is one at least and `most` at most.
fn digits(text: &[u8], most: usize) -> Option<&[u8]> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=most).contains(&count).then(|| &text[count..])
}

/// What stands behind `:00` to `:59`.
fn sixtieths(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b':', b'0'..=b'5', b'0'..=b'9', rest @ ..] => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CommandKind, commands};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_usual_forms_are_plain() {
        for text in [
            "",
            "no command",
            "[%clk 0:05:00]",
            "[%eval 0.17] [%clk 0:00:30]",
            "[%eval #-3] [%emt 0:00:03.5]",
            "[%eval -12.5] [%clk 1:02:03] 100%",
        ] {
            assert!(all_are_plain(text.as_bytes()), "{text}");
        }
        for text in ["[%clk 0:60:00]", "[%clk abc]", "[%eval]", "[%eval 0.17", "[%clk 0:05:00", "[%csl Ra1]"]
        {
            assert!(!all_are_plain(text.as_bytes()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_plain_can_be_read(text in "(\\[%(clk|emt|eval) [-#+]?[0-9:.]{1,12}\\] ?){1,3}") {
            if all_are_plain(text.as_bytes()) {
                for command in commands(&text) {
                    prop_assert!(command.kind != CommandKind::Malformed, "{}", command.raw);
                }
            }
        }

        #[test]
        fn written_times_and_evals_are_plain(
            h in 0u16..10_000, m in 0u8..60, s in 0u8..60, pawns in 0u32..99_999, part in 0u8..100,
        ) {
            let text = format!("[%clk {h}:{m:02}:{s:02}] [%eval -{pawns}.{part:02}]");
            prop_assert!(all_are_plain(text.as_bytes()), "{text}");
            prop_assert!(commands(&text).all(|command| command.kind != CommandKind::Malformed), "{text}");
        }
    }
}
