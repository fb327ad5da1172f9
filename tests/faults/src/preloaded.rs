//! Loaded before the C library (`LD_PRELOAD`): the calls that `FERZ_FAULT` names fail.
//!
//! `FERZ_FAULT=CALL:FAULT:FROM:COUNT`: of the calls `write`, `sync`, `read`, `truncate` or `alloc`, those from number FROM
//! on, COUNT of them, have the FAULT: `io` (EIO), `full` (ENOSPC), `short` (half the bytes), `cut` (half the bytes, and
//! the process ends at once), `power` (the same, and of what was written and not yet synchronized any part is lost).
//! `FERZ_FAULT=random:SEED:RATE:AFTER`: after so many calls, one of RATE calls of files has a fault that the seed draws, `io`, `full` or `short`; one
//! of eight waits for up to half a millisecond, so that threads and processes meet in other orders; and the clock of the
//! machine jumps by up to 400 days forwards or backwards.
//! Without a fault of these forms nothing fails. With `FERZ_FAULT_COUNTS=FILE` the numbers of calls, and of those that
//! failed, are written to a file when the process ends.
//!
//! Files alone count, neither pipes nor terminals.

use libc::{c_char, c_int, c_void, off_t, size_t, ssize_t};
use std::ffi::CStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The kinds of calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Write,
    Sync,
    Read,
    Truncate,
    Alloc,
}

const NAMES: [(&str, Call); 5] = [
    ("write", Call::Write),
    ("sync", Call::Sync),
    ("read", Call::Read),
    ("truncate", Call::Truncate),
    ("alloc", Call::Alloc),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    Error(c_int),
    Short,
    Cut,
    Power,
}

static FAILED: AtomicU64 = AtomicU64::new(0);

static COUNTS: [AtomicU64; 5] = [const { AtomicU64::new(0) }; 5];

/// The settings as one number each, so that reading them allocates nothing: 0 unread, 1 being read, 2 read.
static READ: AtomicU64 = AtomicU64::new(0);
static CALL: AtomicU64 = AtomicU64::new(u64::MAX);
static FAULT: AtomicU64 = AtomicU64::new(0);
static FROM: AtomicU64 = AtomicU64::new(u64::MAX);
static TO: AtomicU64 = AtomicU64::new(0);
static SEED: AtomicU64 = AtomicU64::new(0);
/// One of so many calls fails at random; 0 for none.
static RATE: AtomicU64 = AtomicU64::new(0);
/// The calls before the first one that may fail at random.
static AFTER: AtomicU64 = AtomicU64::new(0);

/// The number of the fault `power`.
const POWER: u64 = 5;

/// A variable of the environment, without any allocation.
fn variable(name: &CStr) -> Option<&'static str> {
    // SAFETY: the name ends with a zero, and the environment is not changed by the programs under test.
    let value: *const c_char = unsafe { libc::getenv(name.as_ptr()) };
    if value.is_null() {
        return None;
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(value) }.to_str().ok()
}

fn settings() {
    if READ.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire).is_err() {
        return;
    }
    if let Some(text) = variable(c"FERZ_FAULT") {
        let mut parts = text.split(':');
        if let Some(random) = text.strip_prefix("random:") {
            let mut numbers = random.split(':').map(|number| number.parse().unwrap_or(0));
            for setting in [&SEED, &RATE, &AFTER] {
                setting.store(numbers.next().unwrap_or(0), Ordering::Release);
            }
        }
        let call = parts.next().and_then(|name| NAMES.iter().find(|(known, _)| *known == name));
        let fault = match parts.next() {
            Some("io") => 1,
            Some("full") => 2,
            Some("short") => 3,
            Some("cut") => 4,
            Some("power") => POWER,
            _ => 0,
        };
        let mut number = || parts.next().and_then(|part| part.parse::<u64>().ok());
        if let (Some((_, call)), Some(from), Some(count)) = (call, number(), number()) {
            CALL.store(*call as u64, Ordering::Release);
            FAULT.store(fault, Ordering::Release);
            FROM.store(from, Ordering::Release);
            TO.store(from.saturating_add(count), Ordering::Release);
        }
    }
    READ.store(2, Ordering::Release);
}

/// Counts a call, and says what is to happen to it.
fn fault(call: Call) -> Fault {
    if READ.load(Ordering::Acquire) == 0 {
        settings();
    }
    let number = COUNTS[call as usize].fetch_add(1, Ordering::AcqRel) + 1;
    let is_meant = CALL.load(Ordering::Acquire) == call as u64
        && (FROM.load(Ordering::Acquire)..TO.load(Ordering::Acquire)).contains(&number);
    let fault = match (FAULT.load(Ordering::Acquire), RATE.load(Ordering::Acquire)) {
        (1, _) if is_meant => Fault::Error(libc::EIO),
        (2, _) if is_meant => Fault::Error(libc::ENOSPC),
        (3, _) if is_meant => Fault::Short,
        (4, _) if is_meant => Fault::Cut,
        (POWER, _) if is_meant => Fault::Power,
        (_, 0) => Fault::None,
        // Without memory a program of Rust ends, so that nothing would be seen of other faults.
        (_, _) if call == Call::Alloc => Fault::None,
        (_, _) if number <= AFTER.load(Ordering::Acquire) => Fault::None,
        (_, rate) => at_random(call, number, rate),
    };
    if fault != Fault::None {
        FAILED.fetch_add(1, Ordering::AcqRel);
    }
    fault
}

fn at_random(call: Call, number: u64, rate: u64) -> Fault {
    let drawn = mixed(SEED.load(Ordering::Acquire) ^ (call as u64) << 56 ^ number);
    match (drawn % rate, drawn >> 40 & 3) {
        (0, 0) => Fault::Error(libc::ENOSPC),
        (0, 1) => Fault::Short,
        (0, _) => Fault::Error(libc::EIO),
        _ => Fault::None,
    }
}

/// SplitMix64.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Waits at random, where calls fail at random.
fn wait(call: Call) {
    if RATE.load(Ordering::Acquire) == 0 || call == Call::Alloc {
        return;
    }
    let number = COUNTS[call as usize].load(Ordering::Acquire);
    let drawn = mixed(!SEED.load(Ordering::Acquire) ^ (call as u64) << 56 ^ number);
    if drawn.is_multiple_of(8) {
        let time = libc::timespec { tv_sec: 0, tv_nsec: (drawn >> 8) as i64 % 500_000 };
        // SAFETY: the pointer is that of a time that lives as long as the call.
        unsafe { libc::nanosleep(&raw const time, std::ptr::null_mut()) };
    }
}

/// Looks at the clock after which it jumps.
const LOOKS: u64 = 256;

static LOOKED: AtomicU64 = AtomicU64::new(0);

#[unsafe(no_mangle)]
extern "C" fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> c_int {
    if READ.load(Ordering::Acquire) == 0 {
        settings();
    }
    // SAFETY: the arguments are those of the caller's own call.
    let done = unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) } as c_int;
    if clock == libc::CLOCK_REALTIME && done == 0 && RATE.load(Ordering::Acquire) > 0 {
        let epoch = LOOKED.fetch_add(1, Ordering::AcqRel) / LOOKS;
        let drawn = mixed(SEED.load(Ordering::Acquire) ^ epoch << 32);
        if drawn.is_multiple_of(3) {
            // SAFETY: the call has filled it.
            unsafe { (*time).tv_sec += (drawn >> 8) as i64 % (800 * 86_400) - 400 * 86_400 };
        }
    }
    done
}

/// What was written and not yet synchronized: the bytes before.
struct Unsynced {
    /// Device and number of the file.
    file: (u64, u64),
    /// A descriptor of its own, which stays open: closing one would drop the locks of the process.
    descriptor: c_int,
    at: off_t,
    before: Vec<u8>,
    count: usize,
}

static UNSYNCED: Mutex<Vec<Unsynced>> = Mutex::new(Vec::new());

fn identity(descriptor: c_int) -> (u64, u64) {
    // SAFETY: all bytes zero are a valid `stat`, which the call fills.
    let mut state: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is that of a `stat` that lives as long as the call.
    unsafe { libc::fstat(descriptor, &raw mut state) };
    (state.st_dev, state.st_ino)
}

/// Keeps the bytes that a write replaces, if the power is to be cut.
fn keep(descriptor: c_int, at: off_t, count: usize) {
    if FAULT.load(Ordering::Acquire) != POWER || !is_file(descriptor) {
        return;
    }
    let mut before = vec![0; count];
    let bytes = before.as_mut_ptr().cast::<c_void>().cast_const();
    let read = raw(libc::SYS_pread64, descriptor, bytes, count, at);
    before.truncate(usize::try_from(read).unwrap_or(0));
    let file = identity(descriptor);
    let mut all = UNSYNCED.lock().expect("no holder panics");
    let known = all.iter().find(|known| known.file == file).map(|known| known.descriptor);
    // SAFETY: duplicating a descriptor touches no memory.
    let descriptor = known.unwrap_or_else(|| unsafe { libc::dup(descriptor) });
    all.push(Unsynced { file, descriptor, at, before, count });
}

/// What was written to a file is on the disk.
fn synced(descriptor: c_int) {
    if FAULT.load(Ordering::Acquire) == POWER {
        let file = identity(descriptor);
        UNSYNCED.lock().expect("no holder panics").retain(|kept| kept.file != file);
    }
}

/// Of each write that is not on the disk, the latest first, all, nothing or the first sectors stay.
fn lose() {
    const SECTOR: usize = 512;
    let all = UNSYNCED.lock().expect("no holder panics");
    for (index, Unsynced { descriptor, at, before, count, .. }) in all.iter().enumerate().rev() {
        let drawn = mixed(SEED.load(Ordering::Acquire) ^ FROM.load(Ordering::Acquire) << 20 ^ index as u64);
        let stays = match drawn % 3 {
            0 => continue,
            1 => 0,
            _ => (drawn >> 8) as usize % (count / SECTOR + 1) * SECTOR,
        };
        let mut old = before.clone();
        old.resize(*count, 0);
        let old = &old[stays.min(*count)..];
        let place = at + stays.min(*count) as off_t;
        raw(libc::SYS_pwrite64, *descriptor, old.as_ptr().cast(), old.len(), place);
    }
}

fn is_file(descriptor: c_int) -> bool {
    // SAFETY: all bytes zero are a valid `stat`, which the call fills.
    let mut state: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is that of a `stat` that lives as long as the call.
    let found = unsafe { libc::fstat(descriptor, &raw mut state) } == 0;
    found && state.st_mode & libc::S_IFMT == libc::S_IFREG
}

fn fail(error: c_int) {
    // SAFETY: the pointer is that of this thread's own number.
    unsafe { *libc::__errno_location() = error };
}

fn end() -> ! {
    // SAFETY: the process ends at once, as without power.
    unsafe { libc::_exit(137) }
}

/// A call with bytes: all of them, half of them, or none.
fn with_bytes(
    call: Call,
    descriptor: c_int,
    count: size_t,
    mut go: impl FnMut(size_t) -> ssize_t,
) -> ssize_t {
    if !is_file(descriptor) {
        return go(count);
    }
    wait(call);
    match fault(call) {
        Fault::None => go(count),
        Fault::Error(error) => {
            fail(error);
            -1
        }
        Fault::Short => go((count / 2).max(1).min(count)),
        Fault::Cut => {
            go(count / 2);
            end()
        }
        Fault::Power => {
            go(count / 2);
            lose();
            end()
        }
    }
}

/// A call without bytes.
fn without_bytes(call: Call, descriptor: c_int, go: impl FnOnce() -> c_int) -> c_int {
    if !is_file(descriptor) {
        return go();
    }
    wait(call);
    match fault(call) {
        Fault::None => go(),
        Fault::Cut => end(),
        Fault::Power => {
            lose();
            end()
        }
        Fault::Error(error) => {
            fail(error);
            -1
        }
        Fault::Short => {
            fail(libc::EIO);
            -1
        }
    }
}

fn raw(number: libc::c_long, a: c_int, b: *const c_void, c: size_t, d: off_t) -> ssize_t {
    // SAFETY: the arguments are those of the caller's own call.
    unsafe { libc::syscall(number, a, b, c, d) as ssize_t }
}

#[unsafe(no_mangle)]
extern "C" fn write(file: c_int, bytes: *const c_void, count: size_t) -> ssize_t {
    with_bytes(Call::Write, file, count, |count| raw(libc::SYS_write, file, bytes, count, 0))
}

#[unsafe(no_mangle)]
extern "C" fn pwrite(file: c_int, bytes: *const c_void, count: size_t, at: off_t) -> ssize_t {
    keep(file, at, count);
    with_bytes(Call::Write, file, count, |count| raw(libc::SYS_pwrite64, file, bytes, count, at))
}

#[unsafe(no_mangle)]
extern "C" fn pwrite64(file: c_int, bytes: *const c_void, count: size_t, at: off_t) -> ssize_t {
    pwrite(file, bytes, count, at)
}

#[unsafe(no_mangle)]
extern "C" fn read(file: c_int, bytes: *mut c_void, count: size_t) -> ssize_t {
    with_bytes(Call::Read, file, count, |count| raw(libc::SYS_read, file, bytes, count, 0))
}

#[unsafe(no_mangle)]
extern "C" fn pread(file: c_int, bytes: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    with_bytes(Call::Read, file, count, |count| raw(libc::SYS_pread64, file, bytes, count, at))
}

#[unsafe(no_mangle)]
extern "C" fn pread64(file: c_int, bytes: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    pread(file, bytes, count, at)
}

#[unsafe(no_mangle)]
extern "C" fn fsync(file: c_int) -> c_int {
    without_bytes(Call::Sync, file, || synchronized(libc::SYS_fsync, file))
}

fn synchronized(number: libc::c_long, file: c_int) -> c_int {
    let done = raw(number, file, std::ptr::null(), 0, 0) as c_int;
    synced(file);
    done
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(file: c_int) -> c_int {
    without_bytes(Call::Sync, file, || synchronized(libc::SYS_fdatasync, file))
}

fn truncated(file: c_int, length: off_t) -> c_int {
    without_bytes(Call::Truncate, file, || {
        raw(libc::SYS_ftruncate, file, length as usize as *const c_void, 0, 0) as c_int
    })
}

#[unsafe(no_mangle)]
extern "C" fn ftruncate(file: c_int, length: off_t) -> c_int {
    truncated(file, length)
}

#[unsafe(no_mangle)]
extern "C" fn ftruncate64(file: c_int, length: off_t) -> c_int {
    truncated(file, length)
}

unsafe extern "C" {
    fn __libc_malloc(size: size_t) -> *mut c_void;
    fn __libc_realloc(memory: *mut c_void, size: size_t) -> *mut c_void;
}

fn has_memory() -> bool {
    fault(Call::Alloc) == Fault::None
}

#[unsafe(no_mangle)]
extern "C" fn malloc(size: size_t) -> *mut c_void {
    // SAFETY: glibc's own function behind `malloc`.
    if has_memory() { unsafe { __libc_malloc(size) } } else { std::ptr::null_mut() }
}

#[unsafe(no_mangle)]
extern "C" fn realloc(memory: *mut c_void, size: size_t) -> *mut c_void {
    // SAFETY: glibc's own function behind `realloc`, with the caller's memory.
    if has_memory() { unsafe { __libc_realloc(memory, size) } } else { std::ptr::null_mut() }
}

/// Writes the numbers of calls, if they are asked for.
extern "C" fn counts() {
    let Some(path) = variable(c"FERZ_FAULT_COUNTS") else { return };
    // Nothing fails from here on.
    RATE.store(0, Ordering::Release);
    FROM.store(u64::MAX, Ordering::Release);
    let numbers = COUNTS.iter().chain([&FAILED]).map(|count| count.load(Ordering::Acquire).to_string());
    let _ = std::fs::write(path, numbers.collect::<Vec<_>>().join(" "));
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_THE_END: extern "C" fn() = counts;
