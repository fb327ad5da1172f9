//! The budget that all work on records asks: it holds inside a record, and never shortens an answer.

use ferz::notation::Style;
use ferz::record::{Record, read};
use ferz::replay::{Located, Options, Replayer, Source, trace_within};
use ferz::rewrite::transcript::Derive;
use ferz::rewrite::{
    ConvertOptions, compare_within, convert, convert_in_place, convert_in_place_within, convert_within, fix,
    split_illegal_within, transcribe_within,
};
use ferz::rules::Registry;
use ferz::text::limits::{DIAGNOSTICS_PER_GAME_MAX, LOSSES_KEPT_MAX};
use ferz::text::{Budget, Exhausted, Severity};

/// What is done with a record.
type Work = fn(&mut Replayer<'_>, &Record<'_>, &Source<'_>, &Budget) -> Result<String, Exhausted>;

fn options() -> ConvertOptions {
    ConvertOptions::new(Style::Lan)
}

const WORKS: [(&str, Work); 8] = [
    ("report", |replayer, record, source, budget| {
        replayer.report_within(record, source, 0, budget).map(|report| format!("{report:?}"))
    }),
    ("convert", |replayer, record, source, budget| {
        convert_within(replayer, record, source, 0, &options(), budget).map(|done| format!("{done:?}"))
    }),
    ("convert in place", |replayer, record, source, budget| {
        convert_in_place_within(replayer, record, source, 0, &options(), budget)
            .map(|done| format!("{done:?}"))
    }),
    ("trace", |replayer, record, source, budget| {
        trace_within(replayer, record, source, 0, budget).map(|traced| format!("{:?}", traced.is_ok()))
    }),
    ("transcribe", |replayer, record, source, budget| {
        transcribe_within(replayer, record, source, 0, Derive::default(), budget)
            .map(|done| format!("{done:?}"))
    }),
    ("split", |replayer, record, _, budget| {
        split_illegal_within(replayer, record, budget).map(|done| format!("{done:?}"))
    }),
    ("fix", |replayer, record, source, budget| {
        let repairs: Vec<_> = fix::REPAIRS.iter().collect();
        fix::fix_within(replayer, record, source, &repairs, budget).map(|done| format!("{done:?}"))
    }),
    ("compare", |replayer, record, source, budget| {
        let text = b"1. d4 *";
        let other = read(text, 0).next().expect("a record");
        compare_within(replayer, (record, source), (&other, &Source::new(text, 0, 0)), budget)
            .map(|done| format!("{done:?}"))
    }),
];

/// Records whose cost is all inside one record, and each in another part of the work.
fn records() -> Vec<(&'static str, String)> {
    vec![
        ("plies", "Nf3 Nf6 Ng1 Ng8 ".repeat(4_000) + "*"),
        ("variations", format!("1. e4 {}*", "(1. d4 d5) ".repeat(4_000))),
        ("numbers", format!("1. e4 {}*", "7. ".repeat(40_000))),
        ("foreign letters", format!("{} Xx9 *", "Sf3 Sf6 Sg1 Sg8 ".repeat(1_000))),
        (
            "illegal plies let stand",
            format!(
                "1. e4 e5 {}*",
                "Ke3 {[%letstand]} Ke6 {[%letstand]} Ke1 {[%letstand]} Ke8 {[%letstand]} ".repeat(500)
            ),
        ),
    ]
}

fn run(work: Work, text: &str, budget: &Budget) -> Result<String, Exhausted> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let record = read(text.as_bytes(), 0).next().expect("a record");
    work(&mut replayer, &record, &Source::new(text.as_bytes(), 0, 0), budget)
}

#[test]
fn an_exhausted_budget_is_an_error_inside_every_record() {
    for (what, text) in records() {
        for (name, work) in WORKS {
            let found = run(work, &text, &Budget::of(1_000));
            assert_eq!(found, Err(Exhausted { cancelled: false }), "{name}: {what}");
        }
    }
}

#[test]
fn a_budget_changes_no_answer_that_it_allows() {
    let short = "[White \"Ann\"]\n\n1. Sf3 d5 2. O-O (2. e5) (2. g3 c6 {é}) 2... c5 3. Ke4 {[%letstand]} *";
    for (name, work) in WORKS {
        let free = run(work, short, &Budget::unlimited()).expect("it never ends");
        let mut units = 1;
        let enough = loop {
            match run(work, short, &Budget::of(units)) {
                Ok(answer) => break answer,
                Err(exhausted) => assert!(!exhausted.cancelled && units < 1 << 20, "{name}"),
            }
            units *= 2;
        };
        assert_eq!(enough, free, "{name}");
    }
}

/// Cancelled from another thread while it is at work inside one record.
#[test]
fn cancelling_ends_the_work_inside_a_record() {
    let text = format!("1. e4 {}*", "(1. Sf3 Sf6 2. Ke4) ".repeat(8_000));
    let budget = Budget::unlimited();
    let other = budget.clone();
    let (started, wait) = std::sync::mpsc::channel();
    let working = std::thread::spawn(move || {
        let repairs: Vec<_> = fix::REPAIRS.iter().collect();
        started.send(()).expect("someone waits");
        loop {
            let mut replayer = Replayer::new(Registry::built_in(), Options::default());
            let record = read(text.as_bytes(), 0).next().expect("a record");
            let source = Source::new(text.as_bytes(), 0, 0);
            if let Err(exhausted) = fix::fix_within(&mut replayer, &record, &source, &repairs, &other) {
                return exhausted;
            }
        }
    });
    wait.recv().expect("it starts");
    budget.cancel();
    assert_eq!(working.join().expect("no panic"), Exhausted { cancelled: true });
}

/// A record of gatings, which the style has no form for; of results, of which one is written; and their losses.
fn of_losses(count: usize) -> [(String, Style, usize); 2] {
    let gating = "[Variant \"iago-b\"]\n\n1. e2e4 e7e5 2. f1c4 g8f6 ";
    let gating = format!("{gating}{}3. a1a8 *", "(2... g8f6c) ".repeat(count));
    let results = format!("1. e4 e5 2. Ke5 {}*", "1-0 ".repeat(count));
    // Reading leaves findings out as well, and what they were about is one loss more.
    let more = usize::from(count > DIAGNOSTICS_PER_GAME_MAX);
    [(gating, Style::Iccf, count), (results, Style::Lan, count + more)]
}

/// Losses are kept up to a limit and counted beyond it; neither the verdict nor an error goes with the rest.
#[test]
fn losses_beyond_their_limit_are_counted() {
    for count in [3, LOSSES_KEPT_MAX + 500] {
        for (text, to, lost) in of_losses(count) {
            let record = read(text.as_bytes(), 0).next().expect("a record");
            let source = Source::new(text.as_bytes(), 0, 0);
            let mut replayer = Replayer::new(Registry::built_in(), Options::default());
            let options = ConvertOptions { to, ..options() };
            let converted = convert(&mut replayer, &record, &source, 0, &options);
            let is_error = |loss: &&Located| loss.severity == Severity::Error;
            assert_eq!(converted.losses.iter().filter(is_error).count(), 1, "{to} {count}");
            assert_eq!(converted.losses_in_all() - 1, lost, "{to} {count}");
            assert_eq!(converted.left_out, lost.saturating_sub(LOSSES_KEPT_MAX), "{to} {count}");
            assert!(converted.is_finding());
            if to == Style::Iccf {
                let rewritten = convert_in_place(&mut replayer, &record, &source, 0, &options);
                assert_eq!(rewritten.left_out, converted.left_out);
                assert_eq!(rewritten.losses, converted.losses);
            }
        }
    }
}

/// Writing spends, too: what is enough to judge a long comment is not enough to write it again.
#[test]
fn writing_the_text_spends_of_the_budget() {
    let text = format!("1. e4 {{{}}} *", "words ".repeat(100_000));
    let [judge, write] = [WORKS[0].1, WORKS[1].1];
    assert!(run(judge, &text, &Budget::of(8_000)).is_ok());
    assert_eq!(run(write, &text, &Budget::of(8_000)), Err(Exhausted { cancelled: false }));
    assert!(run(write, &text, &Budget::of(44_000)).is_ok());
}

/// `--variant auto` tries every game: that is work of the request, too.
#[test]
fn the_choice_of_a_game_spends_of_the_budget() {
    let text = "1. Ng1-f3&M Ng8-f6 2. e2-e4 e7-e5 *";
    let record = read(text.as_bytes(), 0).next().expect("a record");
    let source = Source::new(text.as_bytes(), 0, 0);
    let judged = |variant: &str, budget: &Budget| {
        let options = Options { variant: Some(variant.to_owned()), ..Options::default() };
        let mut replayer = Replayer::new(Registry::built_in(), options);
        replayer.report_within(&record, &source, 0, budget)
    };
    let chosen = judged("auto", &Budget::unlimited()).expect("time enough");
    assert!(chosen.legal && &*chosen.variant != "chess", "{chosen:?}");
    let enough = (1..100_000).find(|units| judged(&chosen.variant, &Budget::of(*units)).is_ok());
    let enough = enough.expect("a budget");
    assert_eq!(judged("auto", &Budget::of(enough)).unwrap_err(), Exhausted { cancelled: false });
    let ample = judged("auto", &Budget::of(1_000 * enough)).expect("units enough");
    assert_eq!(ample.variant, chosen.variant);
}
