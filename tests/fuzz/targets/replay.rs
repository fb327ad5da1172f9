//! Any bytes as records: judged, with illegal plies that stand or not, and converted to every style. What was converted
//! is judged alike.
#![no_main]

use ferz::notation::{Style, WriteChoices};
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rewrite::{ConvertOptions, convert, split_illegal};
use ferz::rules::Registry;
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local! {
    /// One for records as they are, one that lets illegal plies stand: making the games anew takes longer than most
    /// runs.
    static REPLAYERS: [RefCell<Replayer<'static>>; 2] = [false, true].map(|let_stand| {
        RefCell::new(Replayer::new(Registry::built_in(), Options { let_stand, ..Options::default() }))
    });
}

fuzz_target!(|data: &[u8]| {
    let [choice, text @ ..] = data else { return };
    REPLAYERS.with(|replayers| check(*choice, text, &mut replayers[usize::from(choice & 1)].borrow_mut()));
});

fn check(choice: u8, text: &[u8], replayer: &mut Replayer<'_>) {
    let to = Style::ALL[usize::from(choice >> 1) % Style::ALL.len()];
    let source = Source::new(text, 0, 0);
    for (number, record) in read(text, 0).enumerate().take(20) {
        let report = replayer.report(&record, &source, number);
        for found in report.all_diagnostics() {
            assert!(found.span[0] <= found.span[1] && found.span[1] <= text.len(), "{found:?}");
        }
        let options = ConvertOptions { to, choices: WriteChoices::default(), ascii: choice & 0x80 != 0, language: None, digest: false };
        let converted = convert(replayer, &record, &source, number, &options);
        assert_eq!(converted.report, report);
        if report.stood.is_empty() && converted.losses.is_empty() && report.legal {
            let again = Source::new(converted.text.as_bytes(), 0, 0);
            let record = read(converted.text.as_bytes(), 0).next().expect("a record was written");
            let again = replayer.report(&record, &again, number);
            assert_eq!(again.final_fen, report.final_fen, "in style {to}: {}", converted.text);
        }
        if let Some(record) = read(converted.text.as_bytes(), 0).next() {
            split_illegal(replayer, &record);
        }
    }
}
