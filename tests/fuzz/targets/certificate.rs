//! Any JSON as a certificate: it is refused with a step, or the judge comes to the same verdict. The digest is computed
//! anew, so that changed records get past it.
#![no_main]

use ferz::adjudicate::{Decision, Terms, adjudicate};
use ferz::certificate::{Certificate, Effort, check};
use ferz::notation::Languages;
use ferz::record;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use ferz::text::Budget;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut certificate) = serde_json::from_str::<Certificate>(text) else { return };
    certificate.digest = blake3::hash(certificate.record.as_bytes()).to_hex()[..32].to_owned();
    if check(Registry::built_in(), Languages::built_in(), &certificate, Effort::of(&Budget::unlimited())).is_err() {
        return;
    }
    let bytes = certificate.record.as_bytes();
    let record = record::read(bytes, 0).next().expect("a record");
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let judged = adjudicate(
        &mut replayer,
        (&record, &Source::new(bytes, 0, 0)),
        &certificate.claim,
        &Terms::of(20_000),
    );
    // Letters of other languages, and claims that only another form of the call allows, have no verdict here.
    let Ok(judged) = judged else { return };
    let open = [Decision::Undetermined, Decision::Ambiguous].contains(&judged.verdict);
    assert!(open || judged.verdict == certificate.verdict, "{:?} {}", judged.verdict, certificate.verdict);
});
