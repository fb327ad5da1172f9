//! Texts that are not UTF-8.

use crate::program::ferz;

/// Windows saves texts as UTF-16; mail programs leave out its mark.
#[test]
fn utf_16_is_read_as_its_utf_8() {
    for sample in [
        "fixtures/games/ichess-sample.pgn",
        "fixtures/mail/03-ru-headers.txt",
        "fixtures/mail/36-de-html.txt",
    ] {
        let text = std::fs::read_to_string(sample).unwrap();
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [b"\xff\xfe".to_vec(), wide.clone()].concat();
        for command in [&["validate", "--format", "ndjson", "-"][..], &["convert", "--to", "san", "-"]] {
            let plain = ferz(command, &text);
            for bytes in [&wide, &marked] {
                let run = ferz(command, bytes);
                assert_eq!((run.code, &run.out), (plain.code, &plain.out), "{sample} {command:?}");
            }
        }
    }
}
