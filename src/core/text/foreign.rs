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
const DATABASE_OF_SCID: &str = "this is a database of Scid; export its games as PGN there";

const ALL: [Foreign; 13] = [
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
    Foreign {
        mark: b"7z\xbc\xaf\x27\x1c",
        advice: "7z is not supported; extract it first",
        command: Some("7z e -so FILE"),
    },
    Foreign {
        mark: b"Rar!\x1a\x07",
        advice: "rar is not supported; extract it first",
        command: Some("unrar p -inul FILE"),
    },
    // The index (.si4, .si5) and the names (.sn4, .sn5); the games themselves have no mark.
    Foreign { mark: b"Scid.si\0", advice: DATABASE_OF_SCID, command: None },
    Foreign { mark: b"Scid.sn\0", advice: DATABASE_OF_SCID, command: None },
    Foreign {
        mark: b"\0\0\x2c\0\x2e\x01",
        advice: "this is a database of ChessBase; export its games as PGN there",
        command: None,
    },
    Foreign { mark: b"GIF8", advice: NO_TEXT, command: None },
    Foreign { mark: b"\x7fELF", advice: NO_TEXT, command: None },
    Foreign { mark: b"\x89PNG\r\n\x1a\n", advice: NO_TEXT, command: None },
    Foreign { mark: b"\xff\xd8\xff", advice: NO_TEXT, command: None },
];

/// Has no mark: its form is recognised.
const BOOK: Foreign = Foreign {
    mark: b"",
    advice: "this is an opening book of Polyglot, which has no games; name a file of game records",
    command: None,
};

/// Bytes of an entry of a book: the key of a position, a move, its weight, and what was learned, mostly nothing.
const BOOK_ENTRY_BYTES: usize = 16;

/// True if these are the first entries of a book: in the order of their keys, with moves and without learning.
fn is_book(head: &[u8]) -> bool {
    let (entries, _) = head.as_chunks::<BOOK_ENTRY_BYTES>();
    let is_entry = |entry: &[u8; BOOK_ENTRY_BYTES]| {
        let is_move = entry[8] < 0x80 && entry[8..10] != [0, 0];
        is_move && entry[12..] == [0; 4]
    };
    entries.len() >= 4
        && entries.iter().all(is_entry)
        && entries.is_sorted_by_key(|entry| &entry[..8])
        && entries[0][..8] != [0; 8]
}

impl Foreign {
    /// Bytes that are needed to recognise a format.
    pub const HEAD_BYTES: usize = 4 * BOOK_ENTRY_BYTES;

    /// The format of a text that begins with these bytes; `None` if it can be read.
    pub fn of(head: &[u8]) -> Option<&'static Foreign> {
        let marked = ALL.iter().find(|foreign| head.starts_with(foreign.mark));
        marked.or_else(|| is_book(&head[..head.len().min(Foreign::HEAD_BYTES)]).then_some(&BOOK))
    }

    /// False for a program, a picture or a book: there is no text inside that could be a record.
    pub fn holds_text(&self) -> bool {
        ![NO_TEXT, BOOK.advice].contains(&self.advice)
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
    fn formats_are_recognised_and_texts_are_not() {
        assert!(ALL.iter().all(|foreign| (1..=Foreign::HEAD_BYTES).contains(&foreign.mark.len())));
        assert_eq!(Foreign::of(b"\xef\xbb\xbf1. e4 *"), None);
        let entry = |key: u64, learned: u32| {
            [&key.to_be_bytes()[..], &[0x03, 0x1c, 0, 2], &learned.to_be_bytes()].concat()
        };
        let book = |keys: [u64; 4], learned| keys.map(|key| entry(key, learned)).concat();
        let advice = |head: &[u8]| Foreign::of(head).map(|foreign| foreign.advice(""));
        assert!(advice(&book([7, 7, 8, 1 << 60], 0)).unwrap().contains("Polyglot"));
        for other in [book([7, 8, 6, 9], 0), book([7, 8, 9, 10], 0x3031_3233), vec![0; 64], vec![b' '; 64]] {
            assert_eq!(advice(&other), None);
        }
        assert!(advice(b"Scid.si\0\x01\x90").unwrap().contains("export its games as PGN"));
        let seven = Foreign::of(b"7z\xbc\xaf\x27\x1c\0\x04").unwrap();
        assert!(seven.advice(" | ferz … -").ends_with("`7z e -so FILE | ferz … -`"));
    }
}
