//! Any bytes are read, cut and written: nothing is lost, and writing what was written changes nothing.
#![no_main]

use ferz::interchange::{Wrapped, split};
use ferz::record::{AsWritten, WriteOptions, read, write_record};
use ferz::replay::Source;
use libfuzzer_sys::fuzz_target;

fn written(source: &[u8]) -> String {
    let mut out = String::new();
    for record in read(source, 0) {
        record.check_commands();
        record.check_tag_values();
        for ply in record.main_line().plies() {
            ply.comments_after().for_each(drop);
            ply.variations().for_each(drop);
        }
        write_record(&record, &AsWritten, &WriteOptions::default(), &mut out);
    }
    out
}

fuzz_target!(|source: &[u8]| {
    let once = written(source);
    assert_eq!(written(once.as_bytes()), once, "writing is stable");
    // In mail and in files of other programs every place is one of the input.
    let wrapped = Wrapped::new(source, 0);
    let places = Source::of_wrapped(&wrapped, 0);
    for record in wrapped.records(0) {
        for &item in &record.items {
            assert!(places.span(record.span(item)).end <= source.len());
        }
    }
    let whole = read(source, 0).count();
    let apart: usize = split(source).map(|chunk| read(chunk, 0).count()).sum();
    assert_eq!(whole, apart, "a file may be cut between records");
    for record in read(source, 0) {
        for item in &record.items {
            assert!(item.end() as usize <= record.source().len());
        }
        for found in &record.diagnostics {
            assert!(found.span.start <= found.span.end && found.span.end <= source.len());
        }
    }
});
