//! File formats that are recognised by their first bytes and cannot be read.

/// A file format that cannot be read, and the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    mark: &'static [u8],
    /// The fault and the remedy, without a full stop.
    advice: &'static str,
    /// The command that prints the text inside a FILE of this format, if there is one.
    command: Option<&'static str>,
}

const NO_TEXT: &str = "this is a program or a picture, not a text; name a file of game records";

const ALL: [Foreign; 7] = [
    Foreign {
        mark: b"BZh91A",
        advice: "bzip2 is not supported; decompress it first",
        command: Some("bzip2 -dc FILE"),
    },
    Foreign {
        mark: b"PK\x03\x04",
        advice: "zip is not supported; extract it first",
        command: Some("unzip -p FILE"),
    },
    Foreign {
        mark: b"SQLite format 3\0",
        advice: "this is an archive database, not a text; export its games first",
        command: Some("ferz archive export --db FILE"),
    },
    Foreign {
        mark: b"%PDF-",
        advice: "PDF is not supported; extract its text first",
        command: Some("pdftotext FILE -"),
    },
    Foreign { mark: b"\x7fELF", advice: NO_TEXT, command: None },
    Foreign { mark: b"\x89PNG\r\n\x1a\n", advice: NO_TEXT, command: None },
    Foreign { mark: b"\xff\xd8\xff", advice: NO_TEXT, command: None },
];

impl Foreign {
    /// Bytes of the longest mark.
    pub const MARK_BYTES_MAX: usize = 16;

    /// The format of a text that begins with these bytes; `None` if it can be read.
    pub fn of(head: &[u8]) -> Option<&'static Foreign> {
        ALL.iter().find(|foreign| head.starts_with(foreign.mark))
    }

    /// False for a program or a picture: there is no text inside that could be a record.
    pub fn holds_text(&self) -> bool {
        self.command.is_some()
    }

    /// The fault and the remedy; `pipe` follows the command that prints the text: ` | ferz … -`.
    pub fn advice(&self, pipe: &str) -> String {
        match self.command {
            Some(command) => format!("{}: `{command}{pipe}`", self.advice),
            None => self.advice.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Foreign};

    #[test]
    fn no_mark_exceeds_the_maximum_length() {
        assert_eq!(ALL.iter().map(|foreign| foreign.mark.len()).max(), Some(Foreign::MARK_BYTES_MAX));
        assert_eq!(Foreign::of(b"\xef\xbb\xbf1. e4 *"), None);
    }
}
