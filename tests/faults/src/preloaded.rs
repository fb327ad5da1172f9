//! Loaded before the C library (`LD_PRELOAD`): the calls that `FERZ_FAULT` names fail.
//!
//! `FERZ_FAULT=CALL:FAULT:FROM:COUNT`: of the calls `write`, `sync`, `read`, `truncate` or `alloc`, those from number FROM
//! on, COUNT of them, have the FAULT: `io` (EIO), `full` (ENOSPC), `short` (half the bytes), `cut` (half the bytes, and
//! the process ends as if the power had gone). Without a fault of that form nothing fails. With `FERZ_FAULT_COUNTS=FILE` the
//! numbers of calls are appended to a file when the process ends.
//!
//! Files alone count, neither pipes nor terminals.

use libc::{c_char, c_int, c_void, off_t, size_t, ssize_t};
use std::ffi::CStr;
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
}

static COUNTS: [AtomicU64; 5] = [const { AtomicU64::new(0) }; 5];

/// The settings as one number each, so that reading them allocates nothing: 0 unread, 1 being read, 2 read.
static READ: AtomicU64 = AtomicU64::new(0);
static CALL: AtomicU64 = AtomicU64::new(u64::MAX);
static FAULT: AtomicU64 = AtomicU64::new(0);
static FROM: AtomicU64 = AtomicU64::new(u64::MAX);
static TO: AtomicU64 = AtomicU64::new(0);

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
        let call = parts.next().and_then(|name| NAMES.iter().find(|(known, _)| *known == name));
        let fault = match parts.next() {
            Some("io") => 1,
            Some("full") => 2,
            Some("short") => 3,
            Some("cut") => 4,
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
    match FAULT.load(Ordering::Acquire) {
        1 if is_meant => Fault::Error(libc::EIO),
        2 if is_meant => Fault::Error(libc::ENOSPC),
        3 if is_meant => Fault::Short,
        4 if is_meant => Fault::Cut,
        _ => Fault::None,
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
    }
}

/// A call without bytes.
fn without_bytes(call: Call, descriptor: c_int, go: impl FnOnce() -> c_int) -> c_int {
    if !is_file(descriptor) {
        return go();
    }
    match fault(call) {
        Fault::None => go(),
        Fault::Cut => end(),
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
    without_bytes(Call::Sync, file, || raw(libc::SYS_fsync, file, std::ptr::null(), 0, 0) as c_int)
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(file: c_int) -> c_int {
    without_bytes(Call::Sync, file, || raw(libc::SYS_fdatasync, file, std::ptr::null(), 0, 0) as c_int)
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
    let numbers = COUNTS.each_ref().map(|count| count.load(Ordering::Acquire).to_string());
    let _ = std::fs::write(path, numbers.join(" "));
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_THE_END: extern "C" fn() = counts;
