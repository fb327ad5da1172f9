//! What is recognised by its first bytes and is no text that is read here.

/// Something that is not read here, and what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    mark: &'static [u8],
    /// What it is, and what to do, without a full stop.
    pub advice: &'static str,
    /// The command that writes the text there is in a FILE of that kind.
    pub command: &'static str,
}

const UTF_16: &str = "UTF-16 is not read here; make it UTF-8 first";
const FROM_UTF_16: &str = "iconv -f UTF-16 -t UTF-8 FILE";

const ALL: [Foreign; 5] = [
    Foreign { mark: b"BZh91A", advice: "bzip2 is not read here; unpack it first", command: "bzip2 -dc FILE" },
    Foreign {
        mark: b"PK\x03\x04",
        advice: "zip is not read here; unpack it first",
        command: "unzip -p FILE",
    },
    Foreign { mark: b"\xff\xfe", advice: UTF_16, command: FROM_UTF_16 },
    Foreign { mark: b"\xfe\xff", advice: UTF_16, command: FROM_UTF_16 },
    Foreign {
        mark: b"SQLite format 3\0",
        advice: "this is no text, but an archive; write its games first",
        command: "ferz archive export --db FILE",
    },
];

impl Foreign {
    /// Bytes of the longest mark.
    pub const MARK_BYTES_MAX: usize = 16;

    /// What a text that begins with these bytes is; nothing where it may be read here.
    pub fn of(head: &[u8]) -> Option<&'static Foreign> {
        ALL.iter().find(|foreign| head.starts_with(foreign.mark))
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Foreign};

    #[test]
    fn marks_are_as_long_as_is_said() {
        assert_eq!(ALL.iter().map(|foreign| foreign.mark.len()).max(), Some(Foreign::MARK_BYTES_MAX));
        assert_eq!(Foreign::of(b"\xef\xbb\xbf1. e4 *"), None);
    }
}
