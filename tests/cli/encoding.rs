//! Texts that are not UTF-8, or packed.

use crate::program::{ferz, write};
use std::io::Write;

const MATE: &str = "[Event \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";

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

/// Programs of East Asia save their records in the encodings of their languages.
#[test]
fn older_encodings_of_east_asia_are_read_as_their_utf_8() {
    use encoding_rs::{BIG5, EUC_KR, GB18030, SHIFT_JIS};
    let shogi = "[Variant \"shogi\"]\n[White \"山田\"]\n\n1. ▲７六歩 △３四歩 2. ▲２六歩 *\n";
    let simplified = "[Variant \"xiangqi\"]\n[White \"王\"]\n\n1. 炮二平五 马８进７ *\n";
    let traditional = "[Variant \"xiangqi\"]\n[White \"王\"]\n\n1. 炮二平五 馬８進７ *\n";
    let korean = "[Variant \"janggi\"]\n[White \"김\"]\n[Event \"대국\"]\n\n1. 79卒78 한수쉼 *\n";
    for (charset, text) in [(SHIFT_JIS, shogi), (GB18030, simplified), (BIG5, traditional), (EUC_KR, korean)]
    {
        for command in [&["validate", "--format", "ndjson", "-"][..], &["convert", "--to", "coord", "-"]] {
            let plain = ferz(command, text);
            assert_eq!(plain.code, 0, "{text}\n{}", plain.err);
            let run = ferz(command, charset.encode(text).0);
            assert_eq!((run.code, &run.out), (plain.code, &plain.out), "{} {command:?}", charset.name());
        }
    }
}

#[test]
fn a_file_that_is_no_pgn_in_utf_8_is_not_rewritten_in_place() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let refused = |text: &[u8]| {
        std::fs::write(file.path(), text).unwrap();
        let run = ferz(&["fix", "--in-place", file.path().to_str().unwrap()], "");
        assert_eq!(run.code, 2, "{}", run.err);
        assert_eq!(std::fs::read(file.path()).unwrap(), text);
        run
    };
    for name in ["even.kif", "drawn.ki2", "several.csa"] {
        let run = refused(&std::fs::read(format!("fixtures/files/{name}")).unwrap());
        let wanted =
            "this file has the format of another program; convert it to PGN first, or omit --in-place";
        assert!(run.err.contains(wanted), "{name}: {}", run.err);
    }
    let run = refused(&std::fs::read("fixtures/files/plain.xqf").unwrap());
    assert!(run.err.contains("this file is XQF and no text; convert it to PGN first"), "{}", run.err);
    refused("[초차림 \"마상상마\"]\n[한차림 \"마상상마\"]\n\n1. 79졸78\n".as_bytes());
    refused(b"[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n");
    let run = refused(&encoding_rs::SHIFT_JIS.encode("[White \"山田\"]\n\n1. ▲７六歩 *\n").0);
    assert!(
        run.err.contains("this file is Shift_JIS; save it as UTF-8 first, or omit --in-place"),
        "{}",
        run.err
    );
}

#[test]
fn packed_files_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let text = MATE.repeat(50);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::default()).unwrap();
    xz.write_all(text.as_bytes()).unwrap();
    let zst = zstd::encode_all(text.as_bytes(), 3).unwrap();
    let plain = ferz(&["validate"], &text);
    assert!(plain.out.contains("\n50 games, 350 plies: 0 illegal"), "{}", plain.out);
    // A zip archive of two files is the one after the other.
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, games) in [("rounds/1.pgn", 20), ("rounds/2.pgn", 30)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(MATE.repeat(games).as_bytes()).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    for (name, bytes) in
        [("a.gz", gzip.finish().unwrap()), ("a.zst", zst), ("a.xz", xz.finish().unwrap()), ("a.zip", zip)]
    {
        let path = write(directory.path(), name, &bytes);
        let run = ferz(&["validate", &path], "");
        assert_eq!((run.code, &run.out), (0, &plain.out), "{name}: {}", run.err);
        assert_eq!(ferz(&["validate"], &bytes).out, plain.out, "{name} as standard input");
        let cut = ferz(&["validate"], &bytes[..bytes.len() - 5]);
        assert_eq!(cut.code, 2, "{name}: {}", cut.err);
    }
}
