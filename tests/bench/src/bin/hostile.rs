//! What hostile records cost: families of input doubled up to 16 MiB, each family in a process of its own.
//!
//!     cargo run --release --bin hostile                    all families
//!     cargo run --release --bin hostile -- comment         those whose name has the word
//!     cargo run --release --bin hostile -- --task=convert  another task: convert, fix, compare or json
//!     cargo run --release --bin hostile -- --twin          all on one line that has letters beyond ASCII
//!     cargo run --release --bin hostile -- --count         instructions in place of times, by valgrind
//!     cargo run --release --bin hostile -- --growth        every family, task and twin, small, by instructions:
//!                                                          exit 1 where twice the input costs too much
//!
//! Twice the input should take at most 2.3 times as much, the memory be at most 8 times the input and 1 MiB. Times also
//! show where an input outgrows a cache, or what the allocator keeps; instructions show the work alone.

use ferz::json;
use ferz::notation::Style;
use ferz::record::Record;
use ferz::replay::{Options, Replayer, Source, each_record};
use ferz::rewrite::{ConvertOptions, compare, convert, fix, transcribe};
use ferz::rules::Registry;
use ferz::text::limits::VARIATIONS_PER_GAME_MAX;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

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

const FAMILIES: [(&str, Maker); 29] = [
    ("variations in one another", |n| {
        let depth = n / 8;
        ["1. e4 ".to_owned(), "(1. d4 ".repeat(depth), ")".repeat(depth), " *".into()].concat().into_bytes()
    }),
    ("variations side by side", |n| repeat("1. e4 ", "(1. d4 d5) ", "*", n)),
    ("short variations side by side", |n| repeat("1. e4 ", "(d4)", "*", n)),
    ("games full of variations", |n| {
        let part = "(1. d4 (1. c4)) ";
        let parts = (VARIATIONS_PER_GAME_MAX / 2).min(n / 4 / part.len());
        repeat("", &format!("1. e4 {}*\n\n", part.repeat(parts)), "", n)
    }),
    ("games full of deep variations", |n| {
        let nest = ["(1. d4 ".repeat(250), ")".repeat(250)].concat();
        let nests = (VARIATIONS_PER_GAME_MAX / 250).min(n / 4 / nest.len());
        repeat("", &format!("1. e4 {}*\n\n", nest.repeat(nests)), "", n)
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
        // Each of these plies costs as much as a thousand legal ones, so that fewer show the same.
        let part = "Ke3 {[%letstand]} Ke6 {[%letstand]} Ke1 {[%letstand]} Ke8 {[%letstand]} ";
        repeat("1. e4 e5 ", part, "*", n / 16)
    }),
    ("ends of CSA", |n| repeat("1. e4 ", "%TORYO\n", "*", n)),
    ("variations of KIF", |n| {
        let part = "変化：2手\n   2 ８四歩(83)   ( 0:01/00:00:01)\n*{\n変化：3手\n   3 ２六歩(27)\n\n";
        repeat("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n", part, "", n)
    }),
    ("games of CSA", |n| repeat("", "V2.2\nPI\n+\n+7776FU,T1\n'{ }\n-3334FU\nT12\n/\n", "", n)),
    ("words and stray brackets", |n| repeat("1. e4 ", "words ] > ) } here ", "*", n)),
    ("headers in Korean", |n| {
        repeat("[초차림 \"마상상마\"]\n", "[이상 \"가\" <0> 1. 79졸78 [총수 ", "\n", n)
    }),
    ("branches of DhtmlXQ", |n| {
        let mut text = "[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n".to_owned();
        let mut id = 0;
        while text.len() < n {
            id += 1;
            text.push_str(&format!("[DhtmlXQ_move_{}_1_{id}]7747[/]x[DhtmlXQ_comment{id}]y\n", id - 1));
        }
        text.into_bytes()
    }),
    ("styles of a page", |n| repeat("<html>\n", "<style></style>\n", "1. e4 e5 *\n", n)),
    ("headings in Chinese", |n| repeat("红方: a\n", "备注: {b\n[Red \"c\"]\n", "\n1. 炮二平五\n", n)),
];

/// What is done with an input.
#[derive(Clone, Copy, PartialEq)]
enum Task {
    Validate,
    Convert,
    Fix,
    Compare,
    /// Written as JSON, read from it and judged.
    Json,
}

const TASKS: [(&str, Task); 5] = [
    ("validate", Task::Validate),
    ("convert", Task::Convert),
    ("fix", Task::Fix),
    ("compare", Task::Compare),
    ("json", Task::Json),
];

impl Task {
    fn name(self) -> &'static str {
        TASKS.iter().find(|(_, task)| *task == self).expect("every task has a name").0
    }
}

/// An input of a family, as it is or as its twin: on one line, after a tag of letters beyond ASCII.
fn input(family: usize, bytes: usize, twin: bool) -> Vec<u8> {
    let text = FAMILIES[family].1(bytes);
    if !twin {
        return text;
    }
    let tag = format!("[White \"{}\"] ", "\u{e9}".repeat(1_000));
    tag.into_bytes()
        .into_iter()
        .chain(text.into_iter().map(|byte| if byte == b'\n' { b' ' } else { byte }))
        .collect()
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
    let options = ConvertOptions::new(Style::Coord);
    let repairs: Vec<_> = fix::REPAIRS.iter().collect();
    match task {
        Task::Validate => each(input, |replayer, record, source| replayer.report(record, source, 0)),
        Task::Convert => {
            each(input, |replayer, record, source| convert(replayer, record, source, 0, &options))
        }
        Task::Fix => each(input, |replayer, record, source| fix::fix(replayer, record, source, &repairs)),
        Task::Compare => {
            each(input, |replayer, record, source| compare(replayer, (record, source), (record, source)))
        }
        Task::Json => {
            let written = std::sync::Mutex::new(Vec::new());
            each(input, |replayer, record, source| {
                let mut written = written.lock().expect("one thread");
                let transcript = transcribe(replayer, record, source, 0).transcript;
                serde_json::to_writer(&mut *written, &transcript).expect("memory");
                written.push(b'\n');
            });
            let written = written.into_inner().expect("one thread");
            let mut games = 0;
            let done: std::io::Result<ControlFlow<()>> = json::each_record(
                &written[..],
                1,
                || Replayer::new(Registry::built_in(), Options::default()),
                |replayer, record, source| replayer.report(record, source, 0),
                |batch| {
                    games += batch.items.len() + batch.unread.len();
                    ControlFlow::Continue(())
                },
            );
            assert!(done.expect("memory does not fail").is_continue());
            games
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
fn times(family: usize, task: Task, twin: bool) {
    run(task, b"1. e4 *");
    let inputs = MIB.map(|mib| input(family, mib << 20, twin));
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
fn kibibytes(family: usize, bytes: usize, task: Task, twin: bool) {
    run(task, b"1. e4 *");
    let input = input(family, bytes, twin);
    // What making it took besides is forgotten.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS:");
    run(task, &input);
    println!("{}", memory("VmHWM:").saturating_sub(before));
}

/// The arguments that make this program deal with one family alone.
fn arguments(family: usize, bytes: Option<usize>, task: Task, twin: bool) -> Vec<String> {
    let mut arguments = vec![family.to_string()];
    arguments.extend(bytes.map(|bytes| bytes.to_string()));
    arguments.push(format!("--task={}", task.name()));
    arguments.extend(twin.then(|| "--twin".to_owned()));
    arguments
}

/// What this program prints in a process of its own, as numbers.
fn numbers(arguments: &[String]) -> Vec<f64> {
    let mut child = std::process::Command::new(std::env::current_exe().expect("a program has a path"));
    let out = child.args(arguments).output().expect("it runs").stdout;
    let out = String::from_utf8(out).expect("numbers");
    out.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// The instructions, in millions, that this program takes with such arguments in a process of its own.
fn counted(arguments: &[String]) -> f64 {
    let mut valgrind = std::process::Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(std::env::current_exe().expect("a program has a path")).args(arguments);
    let printed = String::from_utf8(valgrind.output().expect("valgrind runs").stderr).expect("its words");
    let count = printed.split_once("Collected : ").and_then(|(_, rest)| rest.split_whitespace().next());
    count.and_then(|count| count.parse::<f64>().ok()).expect("a number of instructions") / 1e6
}

/// Bytes of the smaller of two inputs whose costs are compared: fewer where a byte costs ten times as much, since valgrind
/// takes fifty times as long. Costs that grow too fast are compared again at larger sizes: a limit may lie between the
/// two, beyond which a byte costs more, or less.
fn growth_bytes(task: Task) -> [usize; 3] {
    let first = if matches!(task, Task::Json | Task::Fix) { 8 } else { 16 };
    [first << 10, 32 << 10, 64 << 10]
}

/// Twice the input may cost so much.
const GROWTH_MAX: f64 = 2.3;

/// Callgrind sets its count to zero before this function, …
#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn ferz_counting_begins() {
    std::hint::black_box(1);
}

/// … and writes it to the next file before this one.
#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn ferz_counting_ends() {
    std::hint::black_box(2);
}

/// Deals with inputs of both sizes of each family, given as its number, and as `+` and its number for its twin. The
/// costs are in the files of callgrind, two for each.
fn counting(cases: &[&str], task: Task, bytes: usize) {
    for case in cases {
        let family = case.trim_start_matches('+').parse().expect("the number of a family");
        // What a task does once in a process.
        run(task, b"1. e4 *");
        for bytes in [bytes, 2 * bytes] {
            let input = input(family, bytes, case.starts_with('+'));
            ferz_counting_begins();
            run(task, &input);
            ferz_counting_ends();
        }
    }
}

/// The costs of the cases at a size and at twice that size, in millions of instructions.
fn counted_pairs(cases: &[String], task: Task, bytes: usize, folder: &Path) -> Vec<(f64, f64)> {
    let out = folder.join(task.name());
    let mut valgrind = std::process::Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--zero-before=ferz_counting_begins"]);
    valgrind.arg("--dump-before=ferz_counting_ends").arg(format!("--callgrind-out-file={}", out.display()));
    valgrind.arg(std::env::current_exe().expect("a program has a path")).args(cases);
    valgrind.args([format!("--counting={bytes}"), format!("--task={}", task.name())]);
    let done = valgrind.output().expect("valgrind runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let count = |number: usize| {
        let path = out.with_extension(number.to_string());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("no {}", path.display()));
        let total = text.lines().find_map(|line| line.strip_prefix("summary: "));
        total.and_then(|total| total.trim().parse::<f64>().ok()).expect("a count") / 1e6
    };
    (0..cases.len()).map(|index| (count(2 * index + 1), count(2 * index + 2))).collect()
}

/// Compares the costs of each family and its twin at one size and at twice that size, for each task in a process of its
/// own. Fails if a cost grows faster than [`GROWTH_MAX`].
fn growth(families: &[usize], tasks: &[Task]) -> ExitCode {
    let folder = std::env::temp_dir().join(format!("ferz-growth-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the counts");
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(&task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut cases: Vec<String> =
                families.iter().flat_map(|f| [f.to_string(), format!("+{f}")]).collect();
            for bytes in growth_bytes(task) {
                let costs = counted_pairs(&cases, task, bytes, &folder);
                let fast = cases.into_iter().zip(costs).filter(|(case, (once, twice))| {
                    let family = case.trim_start_matches('+').parse::<usize>().expect("a number");
                    let twin = if case.starts_with('+') { ", one line beyond ASCII" } else { "" };
                    let (name, ratio) = (FAMILIES[family].0, twice / once);
                    println!("{ratio:.2} {} {name}{twin}: {once:.1} M, {twice:.1} M", task.name());
                    ratio.is_nan() || ratio > GROWTH_MAX
                });
                cases = fast.map(|(case, _)| case).collect();
                if cases.is_empty() {
                    break;
                }
            }
            failed.fetch_add(cases.len(), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
    match failed.into_inner() {
        0 => ExitCode::SUCCESS,
        failed => {
            println!("{failed} costs grow by more than {GROWTH_MAX} when the input doubles");
            ExitCode::FAILURE
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (options, words): (Vec<&str>, Vec<&str>) =
        words.iter().map(String::as_str).partition(|word| word.starts_with("--"));
    let named = |(name, _): &&(&str, Task)| options.contains(&format!("--task={name}").as_str());
    let (task, twin) = (TASKS.iter().find(named).map(|(_, task)| *task), options.contains(&"--twin"));
    let one = task.unwrap_or(Task::Validate);
    if let Some(bytes) = options.iter().find_map(|option| option.strip_prefix("--counting=")) {
        counting(&words, one, bytes.parse().expect("a number of bytes"));
        return ExitCode::SUCCESS;
    }
    if let Some(games) = options.iter().find_map(|option| option.strip_prefix("--certificates=")) {
        ferz_bench::certificates::print(games.parse().expect("a number of games"));
        return ExitCode::SUCCESS;
    }
    match words[..].iter().map(|word| word.parse().ok()).collect::<Option<Vec<usize>>>().as_deref() {
        Some(&[family]) => {
            times(family, one, twin);
            return ExitCode::SUCCESS;
        }
        Some(&[family, bytes]) => {
            kibibytes(family, bytes, one, twin);
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let named = |family: &usize| words.iter().all(|word| FAMILIES[*family].0.contains(word));
    let families: Vec<usize> = (0..FAMILIES.len()).filter(named).collect();
    if options.contains(&"--growth") {
        return growth(&families, &task.map_or(TASKS.map(|(_, task)| task).to_vec(), |task| vec![task]));
    }
    let unit = if options.contains(&"--count") { "million instructions" } else { "ms" };
    println!(
        "| family | {unit} at 1, 2, 4, 8, 16 MiB | worst ratio | memory, times the input, at 1 and at 16 MiB |"
    );
    println!("|---|---|---|---|");
    for family in families {
        let name = FAMILIES[family].0;
        let times = if options.contains(&"--count") {
            let count = |bytes| counted(&arguments(family, Some(bytes), one, twin));
            let start = count(0);
            MIB.map(|mib| count(mib << 20) - start).to_vec()
        } else {
            numbers(&arguments(family, None, one, twin))
        };
        assert_eq!(times.len(), MIB.len(), "{name} failed");
        let worst = times.windows(2).map(|pair| pair[1] / pair[0]).fold(0.0, f64::max);
        let share = |mib: usize| {
            let bytes = mib << 20;
            let kib = numbers(&arguments(family, Some(bytes), one, twin));
            kib.first().expect("a number of KiB") * 1024.0 / bytes as f64
        };
        let times: Vec<String> = times.iter().map(|time| format!("{time:.1}")).collect();
        println!("| {name} | {} | {worst:.2} | {:.1}, {:.1} |", times.join(", "), share(1), share(16));
    }
    ExitCode::SUCCESS
}
