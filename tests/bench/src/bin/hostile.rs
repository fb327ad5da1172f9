//! What hostile records cost: families of input doubled up to 16 MiB, each size in a process of its own.
//!
//!     cargo run --release --bin hostile               all families
//!     cargo run --release --bin hostile -- comment    those whose name has the word
//!
//! The time for twice the input should be at most 2.3 times as long, the memory at most 8 times the input and 1 MiB.

use ferz::replay::{Options, Replayer, each_record};
use ferz::rules::Registry;
use std::ops::ControlFlow;
use std::time::Instant;

/// Makes an input of about so many bytes.
type Maker = fn(usize) -> Vec<u8>;

fn repeat(head: &str, part: &str, tail: &str, bytes: usize) -> Vec<u8> {
    let count = bytes.saturating_sub(head.len() + tail.len()) / part.len();
    [head, &part.repeat(count), tail].concat().into_bytes()
}

const FAMILIES: [(&str, Maker); 16] = [
    ("variations in one another", |n| {
        let depth = n / 8;
        ["1. e4 ".to_owned(), "(1. d4 ".repeat(depth), ")".repeat(depth), " *".into()].concat().into_bytes()
    }),
    ("variations side by side", |n| repeat("1. e4 ", "(1. d4 d5) ", "*", n)),
    ("open parentheses", |n| repeat("1. e4 ", "(", "", n)),
    ("one long game", |n| repeat("", "Nf3 Nf6 Ng1 Ng8 ", "*", n)),
    ("one long comment", |n| repeat("1. e4 {", "words ", "} *", n)),
    ("short comments", |n| repeat("1. e4 ", "{a} ", "*", n)),
    ("a comment never closed", |n| repeat("1. e4 {", "\n\n[Even \"x\"]\n", "", n)),
    ("tags", |n| repeat("", "[Tag \"value\"]\n", "\n1. e4 *", n)),
    ("tags never closed", |n| repeat("", "[Tag \"value \\\" ", "\n1. e4 *", n)),
    ("annotations", |n| repeat("1. e4 ", "$10 ", "*", n)),
    ("one long token", |n| repeat("1. e4 ", "a", " *", n)),
    ("tiny games", |n| repeat("", "1. e4 1-0\n", "", n)),
    ("bytes of zero", |n| repeat("1. e4 ", "\0", " *", n)),
    ("clocks in one comment", |n| repeat("[TimeControl \"60\"]\n\n1. e4 {", "[%clk 9:00:00] ", "} *", n)),
    ("illegal plies that stood", |n| repeat("1. e4 e5 ", "Ke3 {[%stood]} Ke6 {[%stood]} Ke1 {[%stood]} Ke8 {[%stood]} ", "*", n)),
    ("words and stray brackets", |n| repeat("1. e4 ", "words ] > ) } here ", "*", n)),
];

fn judge(input: &[u8]) -> (usize, usize) {
    let (mut games, mut diagnostics) = (0, 0);
    let done: std::io::Result<ControlFlow<()>> = each_record(
        input,
        1,
        || Replayer::new(Registry::built_in(), Options::default()),
        |replayer, record, source| replayer.report(record, source, 0),
        |batch| {
            games += batch.items.len();
            diagnostics += batch.items.iter().map(|report| report.diagnostics.len()).sum::<usize>();
            ControlFlow::Continue(())
        },
    );
    done.expect("memory does not fail");
    (games, diagnostics)
}

/// The most memory that this process has had, in KiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0)
}

/// One family at one size: milliseconds (the best of three) and KiB besides the input.
fn one(family: usize, bytes: usize) {
    judge(b"1. e4 *");
    let input = FAMILIES[family].1(bytes);
    let before = peak();
    let mut best = f64::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        judge(&input);
        best = best.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    println!("{best} {}", peak() - before);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [family, bytes] = &arguments[..]
        && let (Ok(family), Ok(bytes)) = (family.parse(), bytes.parse())
    {
        return one(family, bytes);
    }
    let program = std::env::current_exe().expect("a program has a path");
    println!("| family | ms at 1, 2, 4, 8, 16 MiB | worst ratio | memory at 16 MiB, times the input |\n|---|---|---|---|");
    for (index, (name, _)) in FAMILIES.iter().enumerate() {
        if arguments.first().is_some_and(|word| !name.contains(word.as_str())) {
            continue;
        }
        let (mut times, mut memory) = (Vec::new(), 0.0);
        for mib in [1usize, 2, 4, 8, 16] {
            let bytes = mib << 20;
            let child = std::process::Command::new(&program).args([index.to_string(), bytes.to_string()]).output();
            let out = String::from_utf8(child.expect("it runs").stdout).expect("numbers");
            let numbers: Vec<f64> = out.split_whitespace().filter_map(|number| number.parse().ok()).collect();
            let [time, kib] = numbers[..] else { panic!("{name} at {mib} MiB failed") };
            times.push(time);
            memory = kib * 1024.0 / bytes as f64;
        }
        let worst = times.windows(2).map(|pair| pair[1] / pair[0]).fold(0.0, f64::max);
        let times: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
        println!("| {name} | {} | {worst:.2} | {memory:.1} |", times.join(", "));
    }
}
