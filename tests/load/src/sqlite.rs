//! Bare SQLite with the archive's own rows: what a commit costs when nothing is judged, packed or looked up.

use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, TransactionBehavior, params_from_iter};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

type Row = Vec<Value>;

/// The settings of the connection that writes an archive.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;";

/// All rows of an archive. The first column of each is its number.
pub struct Rows {
    rules: Vec<Row>,
    names: Vec<Row>,
    plays: Vec<Row>,
    games: Vec<Row>,
    submissions: Vec<Row>,
}

impl Rows {
    /// The rows that a file of games makes.
    pub fn of(ferz: &Path, records: &Path) -> Rows {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = folder.path().join("games.ferz");
        import(ferz, &archive, records);
        Rows::read(&archive)
    }

    /// Reads an archive.
    pub fn read(file: &Path) -> Rows {
        let archive = Connection::open(file).expect("an archive");
        let rows = |table: &str| {
            let mut query =
                archive.prepare(&format!("SELECT * FROM {table} ORDER BY number")).expect("a table");
            let columns = query.column_count();
            let row = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
            query.query_map([], row).expect("rows").collect::<Result<Vec<Row>, _>>().expect("rows")
        };
        Rows {
            rules: rows("rules"),
            names: rows("name"),
            plays: rows("play"),
            games: rows("game"),
            submissions: rows("submission"),
        }
    }

    /// What came with one submission: the rows with the numbers that no earlier one needed.
    fn by_submission(&self) -> Vec<Vec<(&'static str, &Row)>> {
        let mut tables = [
            ("rules", self.rules.iter().peekable()),
            ("name", self.names.iter().peekable()),
            ("play", self.plays.iter().peekable()),
            ("game", self.games.iter().peekable()),
        ];
        // Columns of `game`: 0 number, 4 play, 7 to 11 names; of `play`: 2 rules; of `submission`: 1 game.
        let number = |value: &Value| if let Value::Integer(number) = value { *number } else { 0 };
        let mut all = Vec::new();
        for submission in &self.submissions {
            let game = &self.games[number(&submission[1]) as usize - 1];
            let play = &self.plays[number(&game[4]) as usize - 1];
            let names = game[7..=11].iter().map(number).max().unwrap_or(0);
            let needed = [number(&play[2]), names, number(&play[0]), number(&game[0])];
            let mut rows = Vec::new();
            for ((table, left), needed) in tables.iter_mut().zip(needed) {
                while let Some(row) = left.next_if(|row| number(&row[0]) <= needed) {
                    rows.push((*table, row));
                }
            }
            rows.push(("submission", submission));
            all.push(rows);
        }
        all
    }
}

/// Fills an archive.
fn import(ferz: &Path, archive: &Path, records: &Path) {
    let mut import = Command::new(ferz);
    import.args(["archive", "import", "--db"]).args([archive, records]);
    import.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    import.status().expect("ferz runs");
}

/// An archive without games, opened as the service opens it.
fn empty_archive(ferz: &Path) -> (TempDir, Connection) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.ferz");
    import(ferz, &file, Path::new("-"));
    let archive = Connection::open(&file).expect("an archive");
    archive.execute_batch(SETTINGS).expect("settings");
    archive.set_prepared_statement_cache_capacity(64);
    (folder, archive)
}

fn insert(transaction: &Transaction<'_>, table: &str, row: &Row) {
    let marks = vec!["?"; row.len()].join(",");
    let mut statement =
        transaction.prepare_cached(&format!("INSERT INTO {table} VALUES ({marks})")).expect("a statement");
    statement.execute(params_from_iter(row)).expect("a row");
}

/// Commits of the rows of one submission each, into an archive of their own.
pub struct Commits<'r> {
    _folder: TempDir,
    archive: Connection,
    left: std::vec::IntoIter<Vec<(&'static str, &'r Row)>>,
}

impl<'r> Commits<'r> {
    /// All of them are to come.
    pub fn new(ferz: &Path, rows: &'r Rows) -> Commits<'r> {
        let (folder, archive) = empty_archive(ferz);
        Commits { _folder: folder, archive, left: rows.by_submission().into_iter() }
    }

    /// How long it takes to make the next ones.
    pub fn next(&mut self, count: usize) -> Duration {
        let start = Instant::now();
        for rows in self.left.by_ref().take(count) {
            // As the service begins: who is to write says so at once.
            let transaction = self
                .archive
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .expect("a transaction");
            rows.iter().for_each(|(table, row)| insert(&transaction, table, row));
            transaction.commit().expect("committed");
        }
        start.elapsed()
    }
}

/// How long it takes to commit all rows in one transaction.
pub fn all_at_once(ferz: &Path, rows: &Rows) -> Duration {
    let (_folder, mut archive) = empty_archive(ferz);
    let start = Instant::now();
    let transaction = archive.transaction().expect("a transaction");
    for rows in rows.by_submission() {
        rows.iter().for_each(|(table, row)| insert(&transaction, table, row));
    }
    transaction.commit().expect("committed");
    start.elapsed()
}
