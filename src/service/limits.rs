//! Every limit of the service with its reason. Those of records are in [`ferz::text::limits`].
//!
//! Exceeding a limit is reported as a problem with its value. Nothing is truncated silently.

use std::time::Duration;

/// Bytes of records in one request, unpacked: some thousand games. `ferz validate` and `ferz archive import` read files
/// of any size.
pub const RECORDS_BYTES_MAX: usize = 16 << 20;

/// Bytes of all bodies, packed and unpacked, and of all answers in memory at one time, over all connections. A request
/// that does not fit is asked to retry.
pub const MEMORY_BYTES: usize = 256 << 20;

/// The definitions of one request.
pub const DEFINITIONS_MAX: usize = 8;

/// Bytes of one of them; each is compiled before it is known to be right.
pub const DEFINITION_SENT_BYTES_MAX: usize = 64 << 10;

/// The unit in which [`MEMORY_BYTES`] are counted.
pub const MEMORY_UNIT_BYTES: usize = 1 << 14;

/// The part of [`MEMORY_BYTES`] reserved for the first unit of each body and answer, so that small requests pass while
/// large ones are refused: two units for each of a thousand connections.
pub const MEMORY_FIRST_BYTES: usize = 32 << 20;

/// Bytes of an answer that is not counted: less than the buffers of a connection. Answers about the state of the
/// service, including refusals, are that small.
pub const ANSWER_SMALL_BYTES: usize = 4 << 10;

/// Time for a whole body: the largest one needs 280 kB a second.
pub const BODY_DEADLINE: Duration = Duration::from_secs(60);

/// Time before the rate of a body is checked: slow lines start slowly.
pub const BODY_GRACE: Duration = Duration::from_secs(5);

/// Time between two parts of a body. A client that is silent for longer is considered gone.
pub const BODY_SILENCE: Duration = Duration::from_secs(5);

/// Minimum rate of a body after the grace, in bytes a second: a tenth of an old mobile phone's.
pub const BODY_RATE_MIN: usize = 4 << 10;

/// The window of a zstd body, as a power of two of bytes: what `zstd` uses up to level 19.
pub const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// Blocks of an xz body. A block costs about 20 microseconds even if it is empty; a program that packs on several
/// threads makes blocks of megabytes.
pub const XZ_BLOCKS_MAX: usize = 1024;

/// The dictionary of an xz body: what `xz -9` uses. Only as much of it as the body has bytes is ever touched.
pub const XZ_DICTIONARY_BYTES_MAX: usize = 64 << 20;

/// Time for the head of a request; then the framework answers 408.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// Time for which an idle connection is kept.
pub const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Readings of a decoded record that are returned unless the request says how many.
pub const DECODED_READINGS: usize = 5;

/// Readings that the decoder keeps.
pub const DECODED_READINGS_MAX: usize = 32;

/// Games in one request whose answer is a single JSON value, built in memory. NDJSON has no such limit.
pub const GAMES_PER_ANSWER_MAX: usize = 20_000;

/// Plies of one record, including variations: some seconds of judging at worst, and twice as many as the largest
/// analyses have. The clock is checked between two records.
pub const PLIES_PER_RECORD_MAX: usize = 100_000;

/// Bytes of an answer that is built in memory.
pub const ANSWER_BYTES_MAX: usize = 64 << 20;

/// Bytes of a request with the record of a game under way: many times a long game with clocks and comments.
pub const ADOPTED_BYTES_MAX: usize = 256 << 10;

/// Games of an event that one request creates: each is a write of its own, some milliseconds.
pub const EVENT_GAMES_MAX: usize = 1000;

/// Bytes of records in one slice, before another request gets its turn: some milliseconds.
pub const SLICE_BYTES: usize = 64 << 10;

/// Bytes of records that are judged on the thread of the connection: passing them to another thread takes longer than
/// judging them.
pub const SMALL_BYTES: usize = 4 << 10;

/// Work budget of such records: a millisecond or two. Records that need more are judged like larger ones.
pub const SMALL_UNITS: u64 = 2_048;

/// Time for judging one request, without waiting.
pub const JUDGING_MAX: Duration = Duration::from_secs(10);

/// Positions that the search of one verdict may visit: more than [`JUDGING_MAX`] allows.
pub const SEARCH_NODES_MAX: u64 = 10_000_000;

/// Positions of endgame tables that are kept for the next claim: some 90 MB.
pub const TABLE_POSITIONS_KEPT: u64 = 1 << 26;

/// Positions that the search of a job may visit: about as many as [`JOB_TIME_MAX`] allows.
pub const JOB_NODES_MAX: u64 = 1_000_000_000;

/// Time of one job.
pub const JOB_TIME_MAX: Duration = Duration::from_secs(600);

/// Jobs that run at one time: a table of five men takes up to a gigabyte, and one core is left for requests.
pub const JOBS_RUNNING: usize = 1;

/// Jobs that wait. Beyond that a client learns when the next one ends at the latest.
pub const JOBS_WAITING_MAX: usize = 16;

/// Time for which the verdict of a job is kept.
pub const JOB_KEPT: Duration = Duration::from_secs(600);

/// Verdicts that are kept: each has a certificate of some megabytes at most.
pub const JOBS_KEPT_MAX: usize = 32;

/// Niceness of the threads of pools, which yield to those that serve connections.
pub const WORK_NICENESS: i32 = 10;

/// Requests that wait for a free thread. Beyond that, the last one of the address with the most is asked to retry.
pub const WAITING_MAX: usize = 256;

/// Time of a piece of work that is long: some megabytes of honest records take less, since they are judged in slices.
pub const LONG_WORK: Duration = Duration::from_millis(500);

/// Time for which an address whose work was long is taken to send more of that kind.
pub const HEAVY_FOR: Duration = Duration::from_secs(60);

/// Time for which a request waits for a free thread: twice the time of one piece of work, so that a thread is free in
/// time for an address whose turn it is.
pub const WAIT_MAX: Duration = Duration::from_secs(20);

/// Bytes of an answer that are passed to the connection at a time, and that it collects before it sends them: each
/// connection has buffers of about twice that size.
pub const ANSWER_PART_BYTES: usize = 16 << 10;

/// Time for a client to read one part of an answer; then the answer is aborted.
pub const ANSWER_SILENCE: Duration = Duration::from_secs(30);

/// The same while the service is stopping.
pub const STOP_SILENCE: Duration = Duration::from_secs(2);

/// Time for pending answers after the signal to stop; then they are aborted. Service managers usually kill after 10 s.
pub const STOP_SECONDS: u64 = 8;

/// Bytes of requests that are read at a time. No more are read while a request is being answered, so that a client
/// that sends ahead keeps its data in its own memory.
pub const READ_AHEAD_BYTES: usize = 4 << 10;

/// Connections above the limit, open for a moment until those that make room are closed.
pub const CONNECTIONS_RESERVE: usize = 100;

/// Send buffer of a connection in the system, which doubles it for bookkeeping. The default is megabytes, which clients
/// that do not read would fill again and again.
pub const SOCKET_BYTES: u32 = 256 << 10;

/// Connections that wait to be accepted.
pub const BACKLOG: u32 = 1024;

/// Time between an answer sent before the end of the request's body and the close of its connection.
pub const LINGER: Duration = Duration::from_secs(1);
/// Time for which judging continues after the signal to stop: enough for all but hostile records, and early enough to
/// answer with a problem.
pub const STOP_WORK: Duration = Duration::from_secs(6);

/// Characters of a request identifier that is accepted from the client.
pub const REQUEST_ID_CHARS_MAX: usize = 64;

/// Bytes of records in one submission, unpacked: they are judged and written while the client waits.
pub const SUBMIT_BYTES_MAX: usize = 4 << 20;

/// Bytes of a request for a cosignature: the longest checkpoint that is read, and a proof of 63 lines.
pub const CHECKPOINT_BYTES_MAX: usize = 68 << 10;

/// Requests that read the archive at one time; they wait for the disk more than for a core.
pub const READERS: usize = 8;

/// Time of one query: ten times that of a search over 300,000 games.
pub const READING_MAX: Duration = Duration::from_secs(3);

/// Submissions in work at one time; those that wait together share a transaction.
pub const WRITERS: usize = 64;

/// Time for which a successful write test of the archive is reused; a test costs a transaction.
pub const READY_FOR: Duration = Duration::from_secs(1);

/// Entries of a page by default.
pub const GAMES_PER_PAGE: usize = 50;

/// Maximum entries of a page.
pub const GAMES_PER_PAGE_MAX: usize = 500;

/// Seconds for which an address may save up requests.
pub const RATE_BURST_SECONDS: u32 = 10;

/// Time before the answer to an address that has sent too many requests. A client that sends requests ahead would have
/// thousands of them refused in a second on one connection, before other connections get their turn.
pub const REFUSAL_DELAY: Duration = Duration::from_millis(250);

/// Interval at which idle addresses are forgotten and metrics compacted.
pub const FORGET_EVERY: Duration = Duration::from_secs(10);

/// Time for which the absence of tokens is cached: a test takes a tenth of a small request's time, and no user who
/// creates the first token sends a request sooner.
pub const NO_TOKEN_FOR: Duration = Duration::from_millis(1);

/// Events of the feed of games in one answer.
pub const FEED_EVENTS_MAX: usize = 500;

/// Those who listen to the feed at one time: each keeps a connection.
pub const LISTENERS_MAX: usize = 128;

/// The same with one token: a browser with a few pages.
pub const LISTENERS_PER_TOKEN_MAX: usize = 8;

/// Time for which a client listens; then it connects again.
pub const FEED_FOR: Duration = Duration::from_secs(600);

/// Time without an event after which a comment is sent: proxies give up after a minute.
pub const FEED_SILENCE: Duration = Duration::from_secs(15);

/// Time between two looks for something new, while anyone listens.
pub const FEED_LOOK_EVERY: Duration = Duration::from_millis(500);

/// Time between two looks for entries that wait for the index.
pub const INDEX_EVERY: Duration = Duration::from_secs(10);

/// Games in progress in one answer: each is replayed.
pub const LISTED_MAX: usize = 100;

/// Milliseconds without a sign of a service after which the clocks of games in progress have stood still: three looks
/// at them ([`FORGET_EVERY`]).
pub const ALIVE_PATIENCE_MS: u64 = 30_000;
