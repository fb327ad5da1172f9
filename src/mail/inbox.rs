//! A mail as it came: who says to have sent it, and its lines.

use mail_parser::{MessageParser, MimeHeaders};

/// A mail that was received.
#[derive(Debug, Clone, Default)]
pub(super) struct Received {
    /// The address that it says to come from.
    pub(super) from: Option<String>,
    /// Its identifier, without angle brackets.
    pub(super) id: Option<String>,
    /// The subject.
    pub(super) subject: String,
    /// Why no one is to be answered: a program wrote it.
    pub(super) automatic: Option<&'static str>,
    /// The subject and the text, a line each.
    pub(super) lines: Vec<Line>,
}

/// A line of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// The text, without marks of quotation and the blanks around it.
    pub(super) text: String,
    /// True if someone else wrote it, as far as its form tells, or it is a signature.
    pub(super) is_quoted: bool,
}

/// Reads a mail; `None` if it is none.
pub(super) fn read(bytes: &[u8]) -> Option<Received> {
    // A mailbox has a line before each mail.
    let bytes = match bytes.strip_prefix(b"From ") {
        Some(rest) => rest.splitn(2, |byte| *byte == b'\n').nth(1)?,
        None => bytes,
    };
    let mail = MessageParser::default().parse(bytes)?;
    let from = mail.from().and_then(|from| from.first()).and_then(|from| from.address.as_deref());
    let header = |name: &'static str| mail.header_raw(name).unwrap_or_default().trim().to_ascii_lowercase();
    if from.is_none() && mail.subject().is_none() {
        return None;
    }
    let submitted = header("Auto-Submitted");
    let sender = from.unwrap_or_default().to_ascii_lowercase();
    let is_report = mail.content_type().is_some_and(|kind| {
        kind.ctype().eq_ignore_ascii_case("multipart")
            && kind.subtype().is_some_and(|subtype| subtype.eq_ignore_ascii_case("report"))
    });
    let by_program = sender.starts_with("mailer-daemon@") || sender.starts_with("postmaster@");
    let automatic = if is_report || by_program || header("Return-Path") == "<>" {
        Some("a mail that could not be delivered came back")
    } else if !matches!(submitted.as_str(), "" | "no") {
        Some("a program sent it")
    } else if matches!(header("Precedence").as_str(), "bulk" | "junk" | "list") {
        Some("it is from a list")
    } else {
        None
    };
    let text = mail.body_text(0).unwrap_or_default();
    let subject = mail.subject().unwrap_or_default().to_owned();
    let mut lines = vec![Line { text: subject.trim().to_owned(), is_quoted: true }];
    lines.extend(lines_of(&text));
    Some(Received {
        from: from.map(str::to_owned),
        id: mail.message_id().map(str::to_owned),
        subject,
        automatic,
        lines,
    })
}

/// The lines of a text, with those that others wrote marked.
fn lines_of(text: &str) -> Vec<Line> {
    let mut rest_is_quoted = false;
    let of_line = |line: &str| {
        let whole = line.trim();
        // What follows is a signature, or a mail that is quoted without marks.
        rest_is_quoted |= line.trim_end() == "--" || is_separator(whole);
        let marks = |c: char| c == '>' || c == '|' || c.is_whitespace();
        let text = whole.trim_start_matches(marks);
        let is_quoted = rest_is_quoted || whole.starts_with(['>', '|']);
        Line { text: text.to_owned(), is_quoted }
    };
    text.lines().map(of_line).filter(|line| !line.text.is_empty()).collect()
}

/// True for a line that mail programs put above a mail that they quote without marks.
fn is_separator(line: &str) -> bool {
    let inner = line.trim_matches(['-', '_', ' ']);
    let rule = line.len() >= 10 && inner.is_empty();
    let named = line.starts_with("--") && line.ends_with("--") && !inner.is_empty();
    rule || named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(received: &Received) -> Vec<(&str, bool)> {
        received.lines.iter().map(|line| (line.text.as_str(), line.is_quoted)).collect()
    }

    #[test]
    fn mails_of_all_kinds_are_read() {
        let plain =
            b"From: Ann <ann@example.org>\r\nSubject: =?utf-8?Q?K=C3=B6ln?=\r\nMessage-ID: <1@x>\r\n\r\n\
            Nf3\r\n\r\nOn Monday Ben wrote:\r\n> > ferz 12 AB PLY\r\n-- \r\nAnn\r\n";
        let received = read(plain).unwrap();
        assert_eq!(
            (received.from.as_deref(), received.id.as_deref()),
            (Some("ann@example.org"), Some("1@x"))
        );
        assert_eq!(
            texts(&received),
            [
                ("Köln", true),
                ("Nf3", false),
                ("On Monday Ben wrote:", false),
                ("ferz 12 AB PLY", true),
                ("--", true),
                ("Ann", true),
            ]
        );
        let html = b"From ben Thu Jan  1 00:00:00 1970\nFrom: ben@example.org\nSubject: x\nContent-Type: text/html\n\
            Content-Transfer-Encoding: quoted-printable\n\n<p>Nf=\n6</p><hr>";
        assert_eq!(texts(&read(html).unwrap())[1], ("Nf6", false));
        assert!(read(b"no mail at all").is_none());
        assert!(read(b"").is_none());
    }

    #[test]
    fn programs_are_not_answered() {
        for (headers, why) in [
            ("Auto-Submitted: auto-replied", Some("program")),
            ("Auto-Submitted: no", None),
            ("Return-Path: <>", Some("came back")),
            ("Precedence: bulk", Some("list")),
            ("Content-Type: multipart/report; boundary=x", Some("came back")),
        ] {
            let mail = format!("From: ann@example.org\n{headers}\n\nNf3\n");
            let found = read(mail.as_bytes()).unwrap().automatic;
            assert_eq!(found.is_some(), why.is_some(), "{headers}");
            assert!(why.is_none_or(|why| found.unwrap().contains(why)), "{headers}: {found:?}");
        }
        assert!(read(b"From: MAILER-DAEMON@example.org\n\nNf3\n").unwrap().automatic.is_some());
    }
}
