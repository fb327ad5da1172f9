//! Letters as text, for the mailer of the host.

use chrono::{DateTime, Utc};
use ferz::text::visible;

/// What the letters of a desk have in common.
#[derive(Debug, Clone, Default)]
pub struct Heading {
    /// The address of the desk, which answers are sent to; `None` leaves it to the mailer.
    pub from: Option<String>,
}

/// A letter to one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The address.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The text.
    pub body: String,
    /// The identifier of the mail that it answers.
    pub answers: Option<String>,
}

impl Letter {
    /// The letter as one mail of a mailbox (mboxrd). It says of itself that a program wrote it, so that no other
    /// program answers it.
    pub fn text(&self, heading: &Heading, now: DateTime<Utc>) -> String {
        let Letter { to, subject, body, answers } = self;
        // What stands in a header ends it nowhere.
        let plain = |text: &str| visible(text.as_bytes()).replace(['\r', '\n'], " ");
        let mut headers = Vec::new();
        if let Some(from) = &heading.from {
            headers.push(format!("From: {}", plain(from)));
        }
        headers.push(format!("To: {}", plain(to)));
        headers.push(format!("Subject: {}", in_header(&plain(subject))));
        headers.push(format!("Date: {}", now.to_rfc2822()));
        if let Some(id) = answers {
            headers.push(format!("In-Reply-To: <{}>", plain(id)));
            headers.push(format!("References: <{}>", plain(id)));
        }
        headers.push("Content-Type: text/plain; charset=utf-8".to_owned());
        headers.push("Content-Transfer-Encoding: 8bit".to_owned());
        headers.push("MIME-Version: 1.0".to_owned());
        headers.push("Auto-Submitted: auto-generated".to_owned());
        let first = format!("From ferz {}", now.format("%a %b %e %H:%M:%S %Y"));
        let line = |line: &str| {
            let line = visible(line.as_bytes());
            let begins_a_mail = line.trim_start_matches('>').starts_with("From ");
            if begins_a_mail { format!(">{line}") } else { line }
        };
        let body: Vec<String> = body.lines().map(line).collect();
        format!("{first}\n{}\n\n{}\n\n", headers.join("\n"), body.join("\n").trim_end())
    }
}

/// Text for the header of a mail: as it is, or in words of RFC 2047 if it is not ASCII.
fn in_header(text: &str) -> String {
    /// Bytes of a word: encoded, each takes at most three characters of the 75 that a word may have.
    const WORD: usize = 20;
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut words = vec![String::new()];
    for c in text.chars() {
        if words.last().is_some_and(|word| word.len() + c.len_utf8() > WORD) {
            words.push(String::new());
        }
        words.last_mut().into_iter().for_each(|word| word.push(c));
    }
    let encoded = |word: &String| {
        let bytes = word.bytes().map(|byte| match byte {
            b' ' => "_".to_owned(),
            byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            byte => format!("={byte:02X}"),
        });
        format!("=?utf-8?Q?{}?=", bytes.collect::<String>())
    };
    words.iter().map(encoded).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_letter_begins_a_header_or_another_mail() {
        let letter = Letter {
            to: "ann@example.org\nBcc: all@example.org".to_owned(),
            subject: "Köln\r\nX: y".to_owned(),
            body: "From here\n>From there\n\u{1b}[2Jend".to_owned(),
            answers: Some("a@b\n\nbody".to_owned()),
        };
        let heading = Heading { from: Some("desk@example.org".to_owned()) };
        let text = letter.text(&heading, DateTime::UNIX_EPOCH);
        assert!(
            text.starts_with("From ferz Thu Jan  1 00:00:00 1970\nFrom: desk@example.org\nTo: ann@"),
            "{text}"
        );
        assert!(!text.contains("\nBcc") && !text.contains("\nX:") && !text.contains('\u{1b}'), "{text}");
        let (headers, body) = text.split_once("\n\n").unwrap();
        assert!(headers.contains("\nSubject: =?utf-8?Q?K=C3=B6ln"), "{headers}");
        assert!(body.starts_with(">From here\n>>From there\n"), "{body}");
    }
}
