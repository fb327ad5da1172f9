//! The words of a query, each with its place.

use super::QueryError;
use ferz_core::text::Span;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word, a piece with squares, a value.
    Word,
    /// A value in quotes.
    Quoted,
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`, or `~` with a space after it.
    Sign,
    /// `(`
    Open,
    /// `)`
    Close,
}

/// A word of a query; what was quoted is without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'q> {
    pub(crate) kind: Kind,
    pub(crate) text: &'q str,
    pub(crate) span: Span,
}

/// Splits a query into its words.
///
/// # Errors
/// If a quotation has no end.
pub(crate) fn words(query: &str) -> Result<Vec<Word<'_>>, QueryError> {
    let bytes = query.as_bytes();
    let (mut words, mut at) = (Vec::new(), 0);
    while let Some(rest) = query.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
            continue;
        }
        let first = bytes[at];
        let (kind, length) = match first {
            b'(' => (Kind::Open, 1),
            b')' => (Kind::Close, 1),
            b'"' | b'\'' if first == b'"' || rest[1..].contains('\'') => {
                let inside = &rest[1..];
                let Some(length) = inside.find(char::from(first)) else {
                    let span = Span::new(at, query.len());
                    return Err(QueryError::new(span, "the quotation has no end", "write `\"` after it"));
                };
                let span = Span::new(at, at + length + 2);
                words.push(Word { kind: Kind::Quoted, text: &inside[..length], span });
                at += length + 2;
                continue;
            }
            _ => match sign(rest) {
                0 => (Kind::Word, word(rest)),
                length => (Kind::Sign, length),
            },
        };
        words.push(Word { kind, text: &rest[..length], span: Span::new(at, at + length) });
        at += length;
    }
    Ok(words)
}

/// The length of the sign that a text begins with; 0 if there is none.
fn sign(text: &str) -> usize {
    let signs = ["<=", ">=", "!=", "=", "<", ">"];
    if let Some(sign) = signs.into_iter().find(|sign| text.starts_with(sign)) {
        return sign.len();
    }
    // `~N` is Nature's knight.
    let near = text.strip_prefix('~').is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|next: char| next.is_whitespace() || next == '"')
    });
    usize::from(near)
}

/// The length of the word that a text begins with, at least one character.
fn word(text: &str) -> usize {
    let ends = |(at, letter): (usize, char)| {
        let ends = letter.is_whitespace() || matches!(letter, '(' | ')' | '"' | '<' | '>' | '=');
        ends || letter == '!' && text[at..].starts_with("!=")
    };
    let mut letters = text.char_indices();
    let first = letters.next().map_or(0, |(_, letter)| letter.len_utf8());
    letters.find(|&letter| ends(letter)).map_or(text.len().max(first), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_words_signs_and_quotations() {
        let texts = |query: &str| -> Vec<String> {
            words(query).unwrap().iter().map(|word| format!("{:?} {}", word.kind, word.text)).collect()
        };
        assert_eq!(
            texts("elo>=2400 and(~Nd5 or white ~ \"O'Kelly, A\")"),
            [
                "Word elo",
                "Sign >=",
                "Word 2400",
                "Word and",
                "Open (",
                "Word ~Nd5",
                "Word or",
                "Word white",
                "Sign ~",
                "Quoted O'Kelly, A",
                "Close )"
            ]
        );
        assert_eq!(texts("R'd5 pattern '!?*' "), ["Word R'd5", "Word pattern", "Quoted !?*"]);
        assert_eq!(texts(" "), [""; 0]);
        assert_eq!(words("white \"Ann").unwrap_err().span, Span::new(6, 10));
    }

    /// Every byte of a query is in a word or blank, whatever it is.
    #[test]
    fn no_text_is_lost() {
        for query in ["é(ü)\"\u{a0}\"", "a!b!=c", "<<>>", "~~ ~", "'a", "a'b'c", "\u{2003}x"] {
            let mut end = 0;
            for word in words(query).unwrap() {
                assert!(query[end..word.span.start].trim().is_empty(), "{query}");
                end = word.span.end;
            }
            assert!(query[end..].trim().is_empty(), "{query}");
        }
    }
}
