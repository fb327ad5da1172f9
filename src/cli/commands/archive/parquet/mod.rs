//! `ferz archive export --to parquet`: games, plies and positions as tables for programs that ask questions about very
//! many of them.

mod columns;

use self::columns::{Column, Row, TableFile, footer};
use crate::cli::output::{Console, Failure};
use crate::cli::progress::Progress;
use chrono::DateTime;
use ferz::archive::{Archive, ArchiveError, Entry, Filter, Rulebooks, Text, Which};
use ferz::record::read;
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Source, trace, with_trace};
use ferz::rewrite::transcribe;
use ferz::rewrite::transcript::{Element, Played, PlyKind};
use ferz::rules::Registry;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Entries of a file of games; its plies and positions are in files of the same number.
const GAMES_A_FILE: i64 = 16_384;

/// Games whose plies are written at once: some hundred bytes for each ply.
const GAMES_AT_ONCE: usize = 512;

/// The key of a footer that says what a file holds.
const CONTENT: &str = "ferz.content";

/// The version of the tables. Files of another version are written again.
const VERSION: u32 = 1;

/// A game.
struct GameRow {
    number: i64,
    entry: Entry,
    id: String,
    moves: String,
    /// Of its submission, in milliseconds since 1970.
    added: i64,
}

/// A ply of its main line that was legal or was let stand.
struct PlyRow {
    game: i64,
    played: Played,
}

/// A position of its main line.
struct PositionRow {
    key: u64,
    game: i64,
    /// The plies before it.
    ply: usize,
}

impl Row for GameRow {
    const NAME: &'static str = "games";

    const SCHEMA: &'static str = "message games {
        REQUIRED INT64 game; REQUIRED BYTE_ARRAY id (STRING); REQUIRED BYTE_ARRAY variant (STRING);
        OPTIONAL BYTE_ARRAY edition (STRING); OPTIONAL BYTE_ARRAY rules (STRING);
        REQUIRED BYTE_ARRAY white (STRING); REQUIRED BYTE_ARRAY black (STRING); OPTIONAL BYTE_ARRAY nature (STRING);
        REQUIRED BYTE_ARRAY event (STRING); REQUIRED BYTE_ARRAY site (STRING); REQUIRED BYTE_ARRAY date (STRING);
        REQUIRED BYTE_ARRAY round (STRING); REQUIRED BYTE_ARRAY result (STRING); REQUIRED BOOLEAN valid;
        REQUIRED INT32 plies (INTEGER(32,true)); OPTIONAL BYTE_ARRAY end (STRING);
        REQUIRED BYTE_ARRAY start (STRING); REQUIRED BYTE_ARRAY moves (STRING);
        REQUIRED INT64 added (TIMESTAMP(MILLIS,true));
    }";

    fn columns(rows: &[GameRow]) -> Vec<Column> {
        vec![
            Column::long(rows, |row| row.number),
            Column::text(rows, |row| &row.id),
            Column::text(rows, |row| &row.entry.summary.variant),
            Column::maybe(rows, |row| row.entry.rules.as_ref().map(|rules| &*rules.id.edition)),
            Column::maybe(rows, |row| row.entry.rules.as_ref().map(|rules| &*rules.id.digest)),
            Column::text(rows, |row| &row.entry.summary.white),
            Column::text(rows, |row| &row.entry.summary.black),
            Column::maybe(rows, |row| row.entry.summary.nature.as_deref()),
            Column::text(rows, |row| &row.entry.summary.event),
            Column::text(rows, |row| &row.entry.summary.site),
            Column::text(rows, |row| &row.entry.summary.date),
            Column::text(rows, |row| &row.entry.summary.round),
            Column::text(rows, |row| &row.entry.summary.result),
            Column::switch(rows, |row| row.entry.summary.valid),
            Column::short(rows, |row| row.entry.summary.plies),
            Column::maybe(rows, |row| row.entry.summary.end.as_deref()),
            Column::text(rows, |row| &row.entry.start),
            Column::text(rows, |row| &row.moves),
            Column::long(rows, |row| row.added),
        ]
    }
}

impl Row for PlyRow {
    const NAME: &'static str = "plies";

    const SCHEMA: &'static str = "message plies {
        REQUIRED INT64 game; REQUIRED INT32 ply (INTEGER(32,true)); REQUIRED BYTE_ARRAY actor (STRING);
        REQUIRED BYTE_ARRAY kind (STRING); REQUIRED BYTE_ARRAY piece (STRING); OPTIONAL BYTE_ARRAY from (STRING);
        REQUIRED BYTE_ARRAY to (STRING); OPTIONAL BYTE_ARRAY captured (STRING); OPTIONAL BYTE_ARRAY promoted (STRING);
        OPTIONAL BYTE_ARRAY gated (STRING); REQUIRED BYTE_ARRAY coord (STRING); REQUIRED BOOLEAN check;
        REQUIRED BOOLEAN mate;
    }";

    fn columns(rows: &[PlyRow]) -> Vec<Column> {
        vec![
            Column::long(rows, |row| row.game),
            Column::short(rows, |row| row.played.ply),
            Column::text(rows, |row| &row.played.actor),
            Column::text(rows, |row| kind(row.played.kind)),
            Column::text(rows, |row| &row.played.piece),
            Column::maybe(rows, |row| row.played.from.as_deref()),
            Column::text(rows, |row| &row.played.to),
            Column::maybe(rows, |row| row.played.captured.as_ref().map(|captured| &*captured.piece)),
            Column::maybe(rows, |row| row.played.promoted.as_deref()),
            Column::maybe(rows, |row| row.played.gated.first().map(|gated| &*gated.piece)),
            Column::text(rows, |row| &row.played.coord),
            Column::switch(rows, |row| row.played.check),
            Column::switch(rows, |row| row.played.mate),
        ]
    }
}

impl Row for PositionRow {
    const NAME: &'static str = "positions";

    const SCHEMA: &'static str = "message positions {
        REQUIRED INT64 key (INTEGER(64,false)); REQUIRED INT64 game; REQUIRED INT32 ply (INTEGER(32,true));
    }";

    fn columns(rows: &[PositionRow]) -> Vec<Column> {
        vec![
            Column::long(rows, |row| row.key.cast_signed()),
            Column::long(rows, |row| row.game),
            Column::short(rows, |row| row.ply),
        ]
    }
}

/// The name of a kind of ply, as in JSON.
fn kind(kind: PlyKind) -> &'static str {
    match kind {
        PlyKind::Castling => "castling",
        PlyKind::Introduction => "introduction",
        PlyKind::Drop => "drop",
        PlyKind::Gating => "gating",
        PlyKind::EnPassant => "en-passant",
        PlyKind::Promotion => "promotion",
        PlyKind::Capture => "capture",
        PlyKind::Move => "move",
        PlyKind::Pass => "pass",
    }
}

/// Writes the tables into a folder. Files that are there and say the same stay as they are, so that an export which was
/// interrupted goes on where it was. Returns whether a game was damaged.
///
/// # Errors
/// If the archive cannot be read, or a file cannot be written.
pub(super) fn tables(
    archive: &Archive,
    filter: &Filter,
    registry: &Registry,
    folder: &Path,
    console: &mut Console,
    progress: &mut Progress,
) -> Result<bool, Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::message(format!("{}: {error}", folder.display())))?;
    let mut export = Export {
        archive,
        books: Rulebooks::new(archive, registry),
        folder,
        starts: Mutex::default(),
        checkpoint: archive.checkpoint().map_err(Failure::message)?,
        damaged: false,
        files: BTreeSet::new(),
        written: 0,
        stayed: 0,
    };
    let mut waiting: Vec<Text> = Vec::new();
    let file_of = |text: &Text| (text.number() - 1) / GAMES_A_FILE;
    for page in archive.texts(filter, Which::First) {
        for text in page.map_err(Failure::message)? {
            if waiting.last().is_some_and(|last| file_of(last) != file_of(&text)) {
                export.file(file_of(&waiting[0]), &waiting, console, progress)?;
                waiting.clear();
            }
            waiting.push(text);
        }
    }
    if let Some(first) = waiting.first() {
        export.file(file_of(first), &waiting, console, progress)?;
    }
    let gone = export.remove_others()?;
    if gone > 0 {
        let files = counted(gone, "file", "files");
        console.note(&format!("ferz: {files} of games that are not exported any more removed"))?;
    }
    let (written, stayed) =
        (counted(export.written, "part", "parts"), counted(export.stayed, "part", "parts"));
    console.note(&format!("ferz: {written} written, {stayed} as they were, in {}", folder.display()))?;
    Ok(export.damaged)
}

struct Export<'a> {
    archive: &'a Archive,
    books: Rulebooks<'a>,
    folder: &'a Path,
    /// The keys of start positions, by rules and FEN: most games share one.
    starts: Mutex<HashMap<(String, String), u64>>,
    /// The signed head of the log when the export began.
    checkpoint: String,
    damaged: bool,
    /// Those that are there now.
    files: BTreeSet<PathBuf>,
    written: usize,
    stayed: usize,
}

/// The rows of a game.
struct Rows {
    game: GameRow,
    plies: Vec<PlyRow>,
    positions: Vec<PositionRow>,
}

impl Export<'_> {
    fn path<R: Row>(&self, file: i64) -> PathBuf {
        self.folder.join(format!("{}-{:06}.parquet", R::NAME, file + 1))
    }

    /// Writes the games of a file, with their plies and positions, unless all three are there.
    fn file(
        &mut self,
        file: i64,
        texts: &[Text],
        console: &mut Console,
        progress: &mut Progress,
    ) -> Result<(), Failure> {
        let content = content(texts);
        let paths = [self.path::<GameRow>(file), self.path::<PlyRow>(file), self.path::<PositionRow>(file)];
        self.files.extend(paths.clone());
        if paths.iter().all(|path| footer(path, CONTENT).as_ref() == Some(&content)) {
            self.stayed += 1;
            progress.add_games(texts.len() as u64);
            return Ok(());
        }
        let mut games = TableFile::create::<GameRow>(&paths[0])?;
        let mut plies = TableFile::create::<PlyRow>(&paths[1])?;
        let mut positions: Vec<PositionRow> = Vec::new();
        for some in texts.chunks(GAMES_AT_ONCE) {
            let rows: Vec<_> = some.par_iter().map(|text| self.rows(text)).collect();
            let mut of_games = Vec::new();
            let mut of_plies = Vec::new();
            for (text, rows) in some.iter().zip(rows) {
                match rows {
                    Ok(rows) => {
                        of_games.push(rows.game);
                        of_plies.extend(rows.plies);
                        positions.extend(rows.positions);
                    }
                    Err(error) => {
                        self.damaged = true;
                        super::export::damaged(console, text.id, &error)?;
                    }
                }
            }
            games.add(&of_games)?;
            plies.add(&of_plies)?;
            progress.add_games(some.len() as u64);
        }
        positions.sort_unstable_by_key(|row| (row.key, row.game, row.ply));
        let mut sorted = TableFile::create::<PositionRow>(&paths[2])?;
        sorted.add(&positions)?;
        let says = [(CONTENT, content), ("ferz.checkpoint", self.checkpoint.clone())];
        games.finish(&says)?;
        plies.finish(&says)?;
        sorted.finish(&says)?;
        self.written += 1;
        Ok(())
    }

    /// Removes the files of earlier exports whose games are not exported any more: they may have been forgotten. How
    /// many these were.
    fn remove_others(&self) -> Result<usize, Failure> {
        let failed = |path: &Path, error: io::Error| Failure::message(format!("{}: {error}", path.display()));
        let mut gone = 0;
        for file in std::fs::read_dir(self.folder).map_err(|error| failed(self.folder, error))?.flatten() {
            let path = file.path();
            let name = file.file_name().to_string_lossy().into_owned();
            let table = [GameRow::NAME, PlyRow::NAME, PositionRow::NAME]
                .into_iter()
                .any(|table| name.starts_with(&format!("{table}-")));
            if table && !self.files.contains(&path) && footer(&path, CONTENT).is_some() {
                std::fs::remove_file(&path).map_err(|error| failed(&path, error))?;
                gone += 1;
            }
        }
        Ok(gone)
    }

    fn rows(&self, text: &Text) -> Result<Rows, ArchiveError> {
        let number = text.number();
        let entry = self.archive.get(text.id)?.ok_or(ArchiveError::NoGame(text.id))?;
        let bytes = text.bytes()?;
        let record = read(&bytes, 0).next();
        let record = record.ok_or_else(|| ArchiveError::Corrupt("a text contains no game".to_owned()))?;
        let book = self.books.of(&record, &text.options, text.rules.as_ref())?;
        let mut replayer = Replayer::new(&book, text.options.clone());
        let source = Source::new(&bytes, 0, 0);
        let done = transcribe(&mut replayer, &record, &source, 0);
        let start = done.transcript.start_fen.as_deref().map(|fen| {
            let rules = text.rules.as_ref().map_or_else(String::new, |rules| rules.whole.clone());
            let known = (rules, fen.to_owned());
            let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
            *starts.entry(known).or_insert_with(|| match trace(&mut replayer, &record, &source, 0) {
                Ok(trace) => with_trace!(&trace, |trace| trace.start.key()),
                Err(_) => 0,
            })
        });
        let mut positions: Vec<PositionRow> =
            start.into_iter().map(|key| PositionRow { key, game: number, ply: 0 }).collect();
        let mut plies = Vec::new();
        for Element { played, .. } in done.transcript.moves {
            let Some(played) = played else { continue };
            let key = u64::from_str_radix(&played.key, 16).unwrap_or_default();
            positions.push(PositionRow { key, game: number, ply: played.ply });
            plies.push(PlyRow { game: number, played: *played });
        }
        let added =
            DateTime::parse_from_rfc3339(&entry.summary.added).map_or(0, |time| time.timestamp_millis());
        let game =
            GameRow { number, id: entry.summary.id.to_string(), moves: entry.moves.join(" "), added, entry };
        Ok(Rows { game, plies, positions })
    }
}

/// What the files of these games hold, as a digest: entries never change.
fn content(texts: &[Text]) -> String {
    let mut digest = blake3::Hasher::new();
    digest.update(&VERSION.to_le_bytes());
    texts.iter().for_each(|text| _ = digest.update(text.id.to_string().as_bytes()));
    digest.finalize().to_hex().to_string()
}
