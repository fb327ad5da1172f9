//! File formats that are recognised by their first bytes and cannot be read.

/// A file format that cannot be read, and the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    mark: &'static [u8],
    /// The fault and the remedy, without a full stop.
    pub advice: &'static str,
    /// The command that prints the text inside a FILE of this format.
    pub command: &'static str,
}

const UTF_16: &str = "UTF-16 is not supported; convert it to UTF-8 first";
const FROM_UTF_16: &str = "iconv -f UTF-16 -t UTF-8 FILE";

const ALL: [Foreign; 5] = [
    Foreign {
        mark: b"BZh91A",
        advice: "bzip2 is not supported; decompress it first",
        command: "bzip2 -dc FILE",
    },
    Foreign {
        mark: b"PK\x03\x04",
        advice: "zip is not supported; extract it first",
        command: "unzip -p FILE",
    },
    Foreign { mark: b"\xff\xfe", advice: UTF_16, command: FROM_UTF_16 },
    Foreign { mark: b"\xfe\xff", advice: UTF_16, command: FROM_UTF_16 },
    Foreign {
        mark: b"SQLite format 3\0",
        advice: "this is an archive database, not a text; export its games first",
        command: "ferz archive export --db FILE",
    },
];

impl Foreign {
    /// Bytes of the longest mark.
    pub const MARK_BYTES_MAX: usize = 16;

    /// The format of a text that begins with these bytes; `None` if it can be read.
    pub fn of(head: &[u8]) -> Option<&'static Foreign> {
        ALL.iter().find(|foreign| head.starts_with(foreign.mark))
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
