//! Every limit of the program, in one place, each with its reason.
//!
//! A limit that takes effect is reported with its value; nothing is cut silently.

use std::time::Duration;

/// Bytes of a damaged game without comments: more than 3,000 plies. Decoding compares each token with the plies of many
/// positions.
pub const DECODE_BYTES_MAX: usize = 32 << 10;

/// Bytes of a damaged text with its comments: each may be a token, and a token takes a hundred bytes of memory.
pub const DECODE_TEXT_BYTES_MAX: usize = 256 << 10;

/// Damaged games of a run that `validate` also reads by the rules: each takes as long as a thousand sound ones.
pub const DECODED_HINTS_MAX: usize = 5;

/// Budget units of each of these readings: about ten times what a game of 40 moves takes.
pub const DECODED_HINT_UNITS: u64 = 500_000;

/// Bytes of one game record: enough for a 16 MB comment, while a file without game boundaries does not fill the memory.
pub const RECORD_BYTES_MAX: usize = 64 << 20;

/// Bytes of a chunk of a stream: about a thousand games, enough work for a thread in little memory.
pub const CHUNK_BYTES: usize = 1 << 20;

/// Games and variations in one batch, besides those of the last game: all their reports are in memory together. Half
/// the limit of one game, so that a batch never has two such games.
pub const BATCH_LINES_MAX: usize = 4_096;

/// Bytes of one movetext token: the longest move of any style has under 32.
pub const TOKEN_BYTES_MAX: usize = 255;

/// Depth of variations that are parsed. Deeper ones stay in the record as text and are reported.
pub const VARIATION_DEPTH_MAX: usize = 256;

/// Variations of one game that are parsed, more than any opening book in one record has: each is judged and has a
/// report, hundreds of times as long as the shortest variation. Others stay in the record as text and are reported.
pub const VARIATIONS_PER_GAME_MAX: usize = 8_192;

/// Diagnostics kept for one game; another one states how many were left out.
pub const DIAGNOSTICS_PER_GAME_MAX: usize = 200;

/// Findings of one record that are printed, and losses of one record in an answer of the service; the others are
/// counted. More than anyone reads, while a corrupt record could have millions.
pub const FINDINGS_SHOWN_MAX: usize = 1_000;

/// Losses kept for one converted record, and as many of plies without a form in the style; the others are counted. No
/// more are shown, while a record of 16 MiB could have millions, each with a message.
pub const LOSSES_KEPT_MAX: usize = FINDINGS_SHOWN_MAX;

/// Plies of one line: the longest possible game of chess has under 12,000.
pub const PLIES_PER_LINE_MAX: usize = 32_768;

/// Plies whose letters are examined to detect a record's language: many times more than needed.
pub const LANGUAGE_PLIES_MAX: usize = 2_048;

/// Move number of a position: far above any game, and counting on from it does not overflow 32 bits.
pub const MOVE_NUMBER_MAX: u32 = 1_000_000_000;

/// Tag pairs of one game.
pub const TAGS_PER_GAME_MAX: usize = 1_024;

/// Squares of a board: one bit each in the wider of the two masks.
pub const SQUARES_MAX: usize = 128;

/// Files of a board: coordinates name them `a` to `p`.
pub const FILES_MAX: usize = 16;

/// Ranks of a board: coordinates have at most two digits.
pub const RANKS_MAX: usize = 16;

/// Bytes of a query: far more than anyone writes.
pub const QUERY_BYTES_MAX: usize = 4_096;

/// Depth of a query's parts, so that reading it needs little of the stack.
pub const QUERY_DEPTH_MAX: usize = 64;

/// Conditions of a query, turned and mirrored ones counted each time: each is tried in every position.
pub const QUERY_CONDITIONS_MAX: usize = 512;

/// Games whose plan of a query a thread keeps: more than are mixed in a file, while each record may bring an array of
/// its own.
pub const PLANS_KEPT_MAX: usize = 32;

/// Entries of an archive that may wait for its index: a search looks at them in a few milliseconds.
pub const INDEX_WAITING_MAX: u64 = 1_000;

/// Facts that are gathered before a segment of an archive's index is written: 8 bytes each.
pub const INDEX_FACTS_AT_ONCE: usize = 8 << 20;

/// Kinds of rules in an archive, chess960's arrays among them, for which a search asks its index: for each a game is
/// replayed first.
pub const INDEX_RULES_ASKED_MAX: usize = 2_000;

/// Bytes of the longest value of a tag that an index knows.
pub const INDEX_TAG_VALUE_BYTES_MAX: usize = 200;

/// Names of tags that a segment of an index knows.
pub const INDEX_TAG_NAMES_MAX: usize = 100;

/// Bytes of all values of tags that a segment of an index knows.
pub const INDEX_TAGS_BYTES_MAX: usize = 8 << 20;

/// Facts for which a search asks each segment of an index.
pub const INDEX_FACTS_ASKED_MAX: usize = 4_096;

/// Entries that an index proposes, looked up at once.
pub const INDEX_ENTRIES_AT_ONCE: usize = 256;

/// Entries that an index proposes whose games are played over at once.
pub const INDEX_GAMES_PLAYED_AT_ONCE: usize = 1_024;

/// Facts of which a condition asks an index for one at most; more of them propose nearly every game.
pub const FACTS_ASKED_MAX: usize = 512;

/// Plies of a game that a search names in words; their numbers are all given.
pub const HITS_SHOWN_MAX: usize = 10;

/// Units of work after which a search of an archive gives what it has found, with a cursor: about a second.
pub const SEARCH_UNITS: u64 = 2_000_000;

/// Records with which each record of a collection is compared by their names, or ply by ply, where many are alike: a
/// million records of one play must not be compared each with each.
pub const DOUBLES_COMPARED_MAX: usize = 64;

/// Kinds of pieces in one game, both armies' and Nature's together.
pub const KINDS_MAX: usize = 24;

/// Bytes of a variant definition file.
pub const DEFINITION_BYTES_MAX: usize = 1 << 20;

/// Length of a chain of `extends`.
pub const EXTENDS_DEPTH_MAX: usize = 16;

/// Characters of one piece's movement in Betza notation.
pub const BETZA_CHARS_MAX: usize = 256;

/// Elementary moves in the expansion of one piece's Betza notation.
pub const BETZA_MOVERS_MAX: usize = 512;

/// Depth of a perft: deeper counts never finish.
pub const PERFT_DEPTH_MAX: u32 = 32;

/// Threads of a run: more than the cores of nearly any machine. Each has parts of the stream in memory, a gigabyte in
/// total at this limit.
pub const JOBS_MAX: usize = 256;

/// Parts of a stream, for each thread, that wait for earlier parts: enough to keep the threads busy while one part
/// takes long, few enough to bound the memory.
pub const CHUNKS_PER_JOB: usize = 2;

/// Games in one transaction of an archive: enough to share the cost of a disk write, few enough for short waits.
pub const ARCHIVE_BATCH_GAMES: usize = 4_096;

/// Bytes of packed texts in one transaction of an archive, besides the last job's.
pub const ARCHIVE_BATCH_BYTES: usize = 32 << 20;

/// Jobs in the queue of an archive's writer; further callers wait.
pub const ARCHIVE_JOBS_WAITING: usize = 256;

/// Bytes of packed texts that a caller may write inline, on its own thread.
pub const ARCHIVE_INLINE_BYTES: usize = 16 << 10;

/// Inline transactions before the writer thread does a checkpoint, so that no transaction waits for it.
pub const ARCHIVE_INLINE_TRANSACTIONS: usize = 240;

/// Time of a transaction on a fast disk. While the disk is slower, only the writer thread waits for it.
pub const ARCHIVE_QUICK: Duration = Duration::from_millis(10);

/// Names of players, events and sites whose numbers are cached while an archive is written.
pub const ARCHIVE_NAMES_KNOWN: usize = 1 << 16;

/// Compiled rules whose rows in the archive are known without looking.
pub const ARCHIVE_RULES_KNOWN: usize = 256;

/// Idle connections to an archive that are kept open for later readers.
pub const ARCHIVE_READERS_KEPT: usize = 8;

/// Characters of the reason for a withdrawal: a paragraph.
pub const ARCHIVE_BECAUSE_CHARS_MAX: usize = 1_000;

/// Legal games with a result that are asked for before rules are codified: an evening of a club, so that the rules have
/// been played to their ends.
pub const REGISTER_GAMES_MIN: u64 = 10;

/// Words in all names of one filter: each is compared with every name of the archive. Titles of events have under 32.
pub const ARCHIVE_FILTER_WORDS_MAX: usize = 32;

/// Steps of a query between two checks of its budget: about 100 microseconds.
pub const ARCHIVE_STEPS_PER_LOOK: i32 = 1_000;

/// Units of a budget that these steps spend.
pub const ARCHIVE_UNITS_PER_LOOK: u64 = 100;

/// Entries of one page of an archive.
pub const ARCHIVE_PAGE_MAX: usize = 1_000;

/// Texts that are read from an archive at once.
pub const ARCHIVE_TEXTS_AT_ONCE: usize = 1_024;

/// Bytes of packed texts that are read from an archive at once, besides the last one's.
pub const ARCHIVE_TEXT_BYTES_AT_ONCE: usize = 16 << 20;

/// The bytes of a certificate. One holds a record and names its plies, so this is far beyond the longest game.
pub const CERTIFICATE_BYTES_MAX: u64 = 64 << 20;

/// Positions that the search of a verdict visits where no other number is given: a few seconds.
pub const SEARCH_NODES: u64 = 200_000;

/// Men of an endgame table: with six, a table of chess has more than a gigabyte.
pub const TABLE_MEN_MAX: usize = 5;

/// Squares of a board with endgame tables: one machine word has a bit for each.
pub const TABLE_SQUARES_MAX: usize = 64;

/// Positions that one endgame table keeps: five men with eight or four symmetries, within a gigabyte of memory.
pub const TABLE_POSITIONS_MAX: u64 = 540_000_000;

/// Choices that are tried for the first two armies of a definition; the lists of 16 slots have more combinations than
/// anyone can look at.
pub const ARMY_CHOICES_MAX: u64 = 100_000;
