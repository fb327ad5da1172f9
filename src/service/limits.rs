//! Every limit of the service, in one place, each with its reason. Those of records are in [`crate::text::limits`].
//!
//! A limit is told where it bites, by a problem with its value; nothing is cut silently.

use std::time::Duration;

/// Bytes of records in one request, unpacked: some thousand games; more of them are for `ferz validate` and
/// `ferz archive import`, which read files of any size.
pub const RECORDS_BYTES_MAX: usize = 16 << 20;

/// Bytes of all bodies and answers that are in memory at one time, as they came and unpacked, over all connections. A
/// request that does not fit in is asked to come again.
pub const MEMORY_BYTES: usize = 256 << 20;

/// Bytes that are counted together in [`MEMORY_BYTES`].
pub const MEMORY_UNIT_BYTES: usize = 1 << 14;

/// The part of [`MEMORY_BYTES`] that is kept for the first unit of each body and answer, so that small requests pass
/// while large ones wait: two units for each of a thousand connections.
pub const MEMORY_FIRST_BYTES: usize = 32 << 20;

/// Bytes of an answer that are not counted: less than the buffers that each connection has. Answers about the state
/// of the service, and those that say that there is no room, are that small.
pub const ANSWER_SMALL_BYTES: usize = 4 << 10;

/// Time for a whole body: the largest one comes in it at 280 kB a second.
pub const BODY_DEADLINE: Duration = Duration::from_secs(60);

/// Time that a body may take before its rate is looked at: a slow line starts slowly.
pub const BODY_GRACE: Duration = Duration::from_secs(5);

/// Time between two parts of a body; who is silent for longer has gone.
pub const BODY_SILENCE: Duration = Duration::from_secs(5);

/// The lowest rate of a body after the grace, in bytes a second: a tenth of an old mobile phone's.
pub const BODY_RATE_MIN: usize = 4 << 10;

/// The window of a zstd body, as a power of two of bytes: what `zstd` uses up to level 19.
pub const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// Time for the head of a request; the framework answers 408 after it.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// Time that a connection without a request is kept.
pub const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Games of one request whose answer is one JSON value, which is in memory as a whole. NDJSON has no such limit.
pub const GAMES_PER_ANSWER_MAX: usize = 20_000;

/// Plies of one record, those of variations included: some seconds of judging at worst, and twice as many as the
/// largest analyses have. Between two records the clock is looked at.
pub const PLIES_PER_RECORD_MAX: usize = 100_000;

/// Bytes of an answer that is in memory as a whole.
pub const ANSWER_BYTES_MAX: usize = 64 << 20;

/// Bytes of records that are judged at one go, before another request gets its turn: some milliseconds.
pub const SLICE_BYTES: usize = 64 << 10;

/// Bytes of records that are judged where they came in: to hand them to another thread takes longer than to judge
/// them.
pub const SMALL_BYTES: usize = 4 << 10;

/// Reservation of the budget of such records: some milliseconds. Those that need more are judged like larger ones.
pub const SMALL_UNITS: u64 = 4_096;

/// Time of judging in one request, waiting not counted.
pub const JUDGING_MAX: Duration = Duration::from_secs(10);

/// How far threads that do long work give way to those that serve connections: as `nice` counts it.
#[cfg(target_os = "linux")]
pub const WORK_NICENESS: i32 = 10;

/// Requests that wait for a free thread. With more, the last one of the address that has the most is asked to come
/// again.
pub const WAITING_MAX: usize = 256;

/// Time that a request waits for a free thread: twice as long as one piece of work may take, so that a thread is free
/// before it for an address whose turn it is.
pub const WAIT_MAX: Duration = Duration::from_secs(20);

/// Bytes of an answer that are handed to the connection at one go, and that it collects before it sends them: each
/// connection has buffers of about twice as many.
pub const ANSWER_PART_BYTES: usize = 16 << 10;

/// Time that a reader of an answer may take for one part; the answer is broken off after it.
pub const ANSWER_SILENCE: Duration = Duration::from_secs(30);

/// The same once the service stops.
pub const STOP_SILENCE: Duration = Duration::from_secs(2);

/// Time that answers in work have to be finished after the signal to stop; what is not is broken off. Those who stop a
/// service kill it after 10 s, as a rule.
pub const STOP_SECONDS: u64 = 8;

/// Bytes of requests that are read at one go. No more are read while a request is being answered, so that those that
/// a client sends ahead wait in its own memory, but for these.
pub const READ_AHEAD_BYTES: usize = 4 << 10;

/// Connections above their limit that may be open for a moment, until those that make room for them are closed.
pub const CONNECTIONS_RESERVE: usize = 100;

/// Bytes of answers that the system keeps for a connection; it takes twice as many with what it notes beside them. By
/// itself it keeps megabytes, which clients that do not read would have filled and refilled.
pub const SOCKET_BYTES: u32 = 256 << 10;

/// Connections that wait to be accepted.
pub const BACKLOG: u32 = 1024;

/// Time between the end of an answer that came before the end of the request's body and that of its connection.
pub const LINGER: Duration = Duration::from_secs(1);
/// Time that judging may go on after the signal to stop: enough for all but hostile records, and early enough for an
/// answer that says so.
pub const STOP_WORK: Duration = Duration::from_secs(6);

/// Characters of a request's own identifier that are taken over.
pub const REQUEST_ID_CHARS_MAX: usize = 64;

/// Bytes of records in one submission, unpacked: what is judged and written while its sender waits.
pub const SUBMIT_BYTES_MAX: usize = 4 << 20;

/// Requests that read the archive at one time: they wait for the disk more than for a core.
pub const READERS: usize = 8;

/// Time of one reading of the archive: ten times what a search over 300,000 games takes.
pub const READING_MAX: Duration = Duration::from_secs(3);

/// Submissions that are written at one time; those that wait together go into one transaction.
pub const WRITERS: usize = 64;

/// How long the archive is held to be writable after it was found so; looking costs a transaction.
pub const READY_FOR: Duration = Duration::from_secs(1);

/// Entries of a page, where nothing is asked.
pub const GAMES_PER_PAGE: usize = 50;

/// Entries of a page at most.
pub const GAMES_PER_PAGE_MAX: usize = 500;

/// Seconds for which an address may have saved up requests.
pub const RATE_BURST_SECONDS: u32 = 10;

/// Time before the answer to an address that has sent too many requests. A client that sends requests ahead would have
/// thousands of them refused in a second on one connection, before other connections get their turn.
pub const REFUSAL_DELAY: Duration = Duration::from_millis(250);

/// How often addresses are forgotten that have not asked for a while, and times of requests are summed up.
pub const FORGET_EVERY: Duration = Duration::from_secs(10);

/// How long it is taken for granted that there is still no token: to look takes a tenth of a small request's time, and
/// nobody who made the first one asks again in less.
pub const NO_TOKEN_FOR: Duration = Duration::from_millis(1);
