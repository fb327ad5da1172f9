//! What hostile records cost: families of input doubled up to 16 MiB, each family in a process of its own.
//!
//!     cargo run --release --bin hostile               all families
//!     cargo run --release --bin hostile -- comment    those whose name has the word
//!     cargo run --release --bin hostile -- --convert  written in coordinates, too
//!     cargo run --release --bin hostile -- --count    instructions in place of times, by valgrind
//!
//! Twice the input should take at most 2.3 times as much, the memory be at most 8 times the input and 1 MiB. Times also
//! show where an input outgrows a cache, or what the allocator keeps; instructions show the work alone.

use ferz::notation::{Style, WriteChoices};
use ferz::record::Record;
use ferz::replay::{Options, Replayer, Source, each_record};
use ferz::rewrite::{ConvertOptions, convert};
use ferz::rules::Registry;
use ferz::text::limits::VARIATIONS_PER_GAME_MAX;
use std::ops::ControlFlow;

/// How large the inputs are.
const MIB: [usize; 5] = [1, 2, 4, 8, 16];

/// How often each is dealt with.
const ROUNDS: usize = 7;

/// Makes an input of about so many bytes.
type Maker = fn(usize) -> Vec<u8>;

fn repeat(head: &str, part: &str, tail: &str, bytes: usize) -> Vec<u8> {
    let count = bytes.saturating_sub(head.len() + tail.len()) / part.len();
    [head, &part.repeat(count), tail].concat().into_bytes()
}

const FAMILIES: [(&str, Maker); 22] = [
    ("variations in one another", |n| {
        let depth = n / 8;
        ["1. e4 ".to_owned(), "(1. d4 ".repeat(depth), ")".repeat(depth), " *".into()].concat().into_bytes()
    }),
    ("variations side by side", |n| repeat("1. e4 ", "(1. d4 d5) ", "*", n)),
    ("short variations side by side", |n| repeat("1. e4 ", "(d4)", "*", n)),
    ("games full of variations", |n| {
        repeat("", &format!("1. e4 {}*\n\n", "(1. d4 (1. c4)) ".repeat(VARIATIONS_PER_GAME_MAX / 2)), "", n)
    }),
    ("games full of deep variations", |n| {
        let nest = ["(1. d4 ".repeat(250), ")".repeat(250)].concat();
        repeat("", &format!("1. e4 {}*\n\n", nest.repeat(VARIATIONS_PER_GAME_MAX / 250)), "", n)
    }),
    ("variations behind a long line", |n| {
        let line = "Nf3 Nf6 Ng1 Ng8 ".repeat(8_000);
        repeat(&line, "(Nh6 Nf3)", "*", n)
    }),
    ("a variation to every ply", |n| repeat("", "Nf3 (Nh3 Nh6) Nf6 (Nh6 Ng1) Ng1 (Nh4) Ng8 (Nh5) ", "*", n)),
    ("open parentheses", |n| repeat("1. e4 ", "(", "", n)),
    ("one long game", |n| repeat("", "Nf3 Nf6 Ng1 Ng8 ", "*", n)),
    ("one long game with drops", |n| repeat("[Variant \"Crazyhouse\"]\n\n", "Nf3 Nf6 Ng1 Ng8 ", "*", n)),
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
    ("illegal plies let stand", |n| {
        repeat("1. e4 e5 ", "Ke3 {[%stood]} Ke6 {[%stood]} Ke1 {[%stood]} Ke8 {[%stood]} ", "*", n)
    }),
    ("words and stray brackets", |n| repeat("1. e4 ", "words ] > ) } here ", "*", n)),
];

/// What is done with an input.
#[derive(Clone, Copy)]
enum Task {
    Validate,
    Convert,
}

fn each<T: Send>(
    input: &[u8],
    work: impl Fn(&mut Replayer<'_>, &Record<'_>, &Source<'_>) -> T + Sync,
) -> usize {
    let mut games = 0;
    let done: std::io::Result<ControlFlow<()>> = each_record(
        input,
        1,
        || Replayer::new(Registry::built_in(), Options::default()),
        work,
        |batch| {
            games += batch.items.len();
            ControlFlow::Continue(())
        },
    );
    assert!(done.expect("memory does not fail").is_continue());
    games
}

fn run(task: Task, input: &[u8]) -> usize {
    let options =
        ConvertOptions { to: Style::Coord, choices: WriteChoices::default(), ascii: false, language: None };
    match task {
        Task::Validate => each(input, |replayer, record, source| replayer.report(record, source, 0)),
        Task::Convert => {
            each(input, |replayer, record, source| convert(replayer, record, source, 0, &options))
        }
    }
}

/// A line of this process's status, in KiB.
fn memory(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("0");
    line.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0)
}

/// Seconds that the processor has worked for this thread: others' work does not count.
fn seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// One family at each size: the least milliseconds of each, the sizes taking turns, so that what disturbs the machine
/// disturbs them alike.
fn times(family: usize, task: Task) {
    run(task, b"1. e4 *");
    let inputs = MIB.map(|mib| FAMILIES[family].1(mib << 20));
    let mut least = MIB.map(|_| f64::MAX);
    for _ in 0..ROUNDS {
        for (input, least) in inputs.iter().zip(&mut least) {
            let start = seconds();
            run(task, input);
            *least = least.min((seconds() - start) * 1000.0);
        }
    }
    println!("{}", least.map(|time| time.to_string()).join(" "));
}

/// One family at one size: KiB besides the input.
fn kibibytes(family: usize, bytes: usize, task: Task) {
    run(task, b"1. e4 *");
    let input = FAMILIES[family].1(bytes);
    // What making it took besides is forgotten.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS:");
    run(task, &input);
    println!("{}", memory("VmHWM:").saturating_sub(before));
}

/// What this program says in a process of its own, as numbers.
fn numbers(arguments: &[&str], task: Task) -> Vec<f64> {
    let mut child = std::process::Command::new(std::env::current_exe().expect("a program has a path"));
    child.args(arguments);
    if matches!(task, Task::Convert) {
        child.arg("--convert");
    }
    let out = String::from_utf8(child.output().expect("it runs").stdout).expect("numbers");
    out.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// The instructions, in millions, that a family takes at one size, with all that happens before.
fn counted(family: &str, bytes: usize, task: Task) -> f64 {
    let mut valgrind = std::process::Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(std::env::current_exe().expect("a program has a path"));
    valgrind.args([family, &bytes.to_string()]);
    if matches!(task, Task::Convert) {
        valgrind.arg("--convert");
    }
    let told = String::from_utf8(valgrind.output().expect("valgrind runs").stderr).expect("its words");
    let count = told.split_once("Collected : ").and_then(|(_, rest)| rest.split_whitespace().next());
    count.and_then(|count| count.parse::<f64>().ok()).expect("a number of instructions") / 1e6
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_asked = |option: &str| arguments.iter().any(|word| word == option);
    let task = if is_asked("--convert") { Task::Convert } else { Task::Validate };
    let words: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|word| !word.starts_with("--")).collect();
    match words[..].iter().map(|word| word.parse().ok()).collect::<Option<Vec<usize>>>().as_deref() {
        Some(&[family]) => return times(family, task),
        Some(&[family, bytes]) => return kibibytes(family, bytes, task),
        _ => {}
    }
    let unit = if is_asked("--count") { "million instructions" } else { "ms" };
    println!(
        "| family | {unit} at 1, 2, 4, 8, 16 MiB | worst ratio | memory, times the input, at 1 and at 16 MiB |"
    );
    println!("|---|---|---|---|");
    for (index, (name, _)) in FAMILIES.iter().enumerate() {
        if words.iter().any(|word| !name.contains(word)) {
            continue;
        }
        let index = index.to_string();
        let times = if is_asked("--count") {
            let start = counted(&index, 0, task);
            MIB.map(|mib| counted(&index, mib << 20, task) - start).to_vec()
        } else {
            numbers(&[&index], task)
        };
        assert_eq!(times.len(), MIB.len(), "{name} failed");
        let worst = times.windows(2).map(|pair| pair[1] / pair[0]).fold(0.0, f64::max);
        let share = |mib: usize| {
            let bytes = mib << 20;
            let kib = numbers(&[&index, &bytes.to_string()], task);
            kib.first().expect("a number of KiB") * 1024.0 / bytes as f64
        };
        let times: Vec<String> = times.iter().map(|time| format!("{time:.1}")).collect();
        println!("| {name} | {} | {worst:.2} | {:.1}, {:.1} |", times.join(", "), share(1), share(16));
    }
}
