//! Attacks by someone who knows this source: every one is found against a receipt from before, and no intact archive is
//! called damaged. `FERZ_ATTACKS` is the number of attacks and of intact archives; without it there are a few.

use crate::archive::log::{
    Anchor, Checkpoint, Growth, Leaf, LoggedRow, Salt, SigningKey, commitment, leaf_hash, root_of,
};
use crate::archive::sqlite::head::{self, Head};
use crate::archive::sqlite::key_file;
use crate::archive::sqlite::log::TILE_LEVELS;
use crate::archive::sqlite::open::of_version;
use crate::archive::sqlite::seal::{SEALED, WITHDRAWAL, row_digest, token_list, token_seal};
use crate::archive::verify::FindingKind;
use crate::archive::{Archive, Filter, Forgetting, GameId, Scope, Submission, TokenRequest, Withdrawal};
use crate::record::read;
use crate::replay::{Options, Replayer, Source};
use crate::rules::Registry;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of attacks, and of intact archives, of an ordinary run.
const ATTACKS: usize = 40;

fn attacks() -> usize {
    std::env::var("FERZ_ATTACKS").ok().and_then(|attacks| attacks.parse().ok()).unwrap_or(ATTACKS)
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

fn judged(text: &str) -> Vec<Submission> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::new(text.as_bytes(), 0, 0);
    let named = |one: Submission| one.submitted_with(Some(Arc::from("ann")));
    read(text.as_bytes(), 0)
        .map(|record| named(Submission::judge(&mut replayer, &record, &source).unwrap()))
        .collect()
}

/// Fills an archive with everything that is logged.
fn fill(archive: &Archive, random: &mut Random, changes: usize) {
    let mut games: Vec<GameId> = Vec::new();
    for _ in 0..changes {
        match random.below(10) {
            0 => {
                let scopes = vec![*random.one(&Scope::ALL)];
                let name = format!("t{}", random.below(1 << 30));
                let request = TokenRequest { name: name.clone(), holder: None, scopes, expires: None };
                archive.create_token(request).unwrap();
                if random.below(2) == 0 {
                    archive.revoke_token(&name).unwrap();
                }
            }
            1 if !games.is_empty() => {
                let id = games.swap_remove(random.below(games.len()));
                let withdrawal = Withdrawal { id, successor: None, because: "twice".into(), token: None };
                archive.withdraw(withdrawal).unwrap();
            }
            _ => {
                let variant = random.one(&["chess", "crazyhouse", "ichess"]);
                let moves = random.one(&[
                    "1. e4 e5 *",
                    "1. d4 d5 2. c4 *",
                    "e2e4 e7e5 *",
                    "1. f3 e5 2. g4 Qh4# 0-1",
                    "1. e4 Ke3 *",
                ]);
                let (white, comment) = (random.below(7), random.below(3));
                let text = format!(
                    "[Variant \"{variant}\"]\n[White \"P{white}\"]\n[Site \"S\"]\n\n{{{comment}}} {moves}\n"
                );
                let stored = archive.submit(judged(&text)).unwrap();
                games.extend(stored.iter().filter(|stored| stored.created).map(|stored| stored.id));
            }
        }
    }
}

/// Checks that a bundle of each game that is not forgotten is proved, and leads to the same verdicts again.
fn check_bundles(archive: &Archive) {
    for game in archive.list(&Filter::default(), 100, None).unwrap().items {
        if let Some(bundle) = archive.bundle(game.id).unwrap() {
            let again = bundle.judge_again().unwrap();
            assert!(again.iter().all(|judged| judged.otherwise.is_none()), "{again:?}");
        }
    }
}

/// Forgets a game of the archive, if there is one.
fn forget_one(archive: &Archive, random: &mut Random) {
    let games = archive.list(&Filter::default(), 100, None).unwrap().items;
    if !games.is_empty() {
        let forgetting = Forgetting { id: random.one(&games).id, because: "asked for".into() };
        archive.forget(forgetting).unwrap();
    }
}

fn damages(path: &Path, anchors: &[Anchor]) -> Vec<String> {
    let archive = Archive::open_existing(path).unwrap();
    let mut damages = Vec::new();
    let found = &mut |finding: crate::archive::Finding| {
        if finding.kind == FindingKind::Damage {
            damages.push(finding.message);
        }
    };
    archive.verify_against(anchors, None, found, &mut |_| ()).unwrap();
    damages
}

/// A connection for an attacker: nothing is refused while the attack runs.
fn unguarded<T>(path: &Path, attack: impl FnOnce(&Connection) -> T) -> T {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF").unwrap();
    let triggers: Vec<(String, String)> = {
        let mut all =
            connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
        all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    };
    triggers.iter().for_each(|(name, _)| connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
    let result = attack(&connection);
    triggers.iter().for_each(|(_, sql)| connection.execute_batch(sql).unwrap());
    result
}

/// Recomputes all seals, and the head of the rows.
fn reseal(connection: &Connection) {
    for sealed in SEALED.iter().chain([&WITHDRAWAL]) {
        let table = sealed.table;
        let numbers = column(connection, &format!("SELECT number FROM {table}"));
        for number in numbers {
            let Ok(Some(digest)) = row_digest(connection, table, number) else { continue };
            let reseal = format!("UPDATE {table} SET seal = ?2 WHERE number = ?1");
            connection.execute(&reseal, params![number, &digest[..16]]).unwrap();
        }
    }
    reseal_tokens(connection, 5);
    let last = |table: &str| column(connection, &format!("SELECT coalesce(max(number), 0) FROM {table}"))[0];
    let Ok(Some((mut head, _))) = Head::read(connection, 5) else { return };
    for (number, table) in head.last.iter_mut().zip(super::NUMBERED) {
        *number = last(table);
    }
    head.withdrawals = last("withdrawal");
    head.tokens = column(connection, "SELECT count(*) FROM token")[0];
    head.revoked = column(connection, "SELECT count(revoked) FROM token")[0];
    head.write(connection).unwrap();
}

fn reseal_tokens(connection: &Connection, version: i64) {
    let seals: Vec<(Vec<u8>, [u8; 16])> = {
        let mut all = connection.prepare(&format!("SELECT {} FROM token", token_list(version))).unwrap();
        let rows = all.query_map([], |row| Ok((row.get(1)?, token_seal(row, version)?))).unwrap();
        rows.filter_map(Result::ok).collect()
    };
    for (hash, seal) in seals {
        connection.execute("UPDATE token SET seal = ?2 WHERE hash = ?1", params![hash, seal]).unwrap();
    }
}

fn column(connection: &Connection, query: &str) -> Vec<i64> {
    let mut all = connection.prepare(query).unwrap();
    all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Commits all events to the rows as they are now, as far as the rows are there.
fn recommit(connection: &Connection) {
    let events: Vec<(i64, Vec<u8>)> = {
        let mut all = connection.prepare("SELECT number, leaf FROM event ORDER BY number").unwrap();
        all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    };
    let salt_of = |query: &str, number: i64| -> Option<Salt> {
        connection.query_row(query, [number], |row| row.get(0)).ok()
    };
    for (number, bytes) in events {
        let Ok(mut leaf) = serde_json::from_slice::<Leaf<'_>>(&bytes) else { continue };
        let event_salt = salt_of("SELECT salt FROM salt WHERE event = ?1", number);
        for LoggedRow(table, row, committed) in &mut leaf.rows {
            let salt = match &**table {
                "name" => salt_of("SELECT salt FROM name WHERE number = ?1", *row),
                "rules" | "play" => None,
                _ => event_salt,
            };
            if let Ok(Some(digest)) = row_digest(connection, table, *row) {
                *committed = commitment(salt.as_ref(), table, &digest);
            }
        }
        let leaf = serde_json::to_vec(&leaf).unwrap();
        connection.execute("UPDATE event SET leaf = ?2 WHERE number = ?1", params![number, leaf]).unwrap();
    }
}

/// Recomputes the tree, and signs it with a key.
fn resign(connection: &Connection, key: &SigningKey) {
    let leaves: Vec<Vec<u8>> = {
        let mut all = connection.prepare("SELECT leaf FROM event ORDER BY number").unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let mut tree = Growth::new(0, &[]).unwrap();
    leaves.iter().for_each(|leaf| tree.push(leaf_hash(leaf)));
    connection.execute("DELETE FROM node", []).unwrap();
    for (level, number, hash) in tree.new_nodes(TILE_LEVELS) {
        let add = "INSERT INTO node (level, number, hash) VALUES (?1, ?2, ?3)";
        connection.execute(add, params![level as i64, number as i64, hash]).unwrap();
    }
    let (size, peaks) = (tree.size(), tree.peaks());
    let origin = key.verifier().name().to_owned();
    let checkpoint = Checkpoint { origin, size, root: root_of(&peaks) }.sign(&[key]);
    let write = "UPDATE log SET key = ?1, size = ?2, peaks = ?3, checkpoint = ?4";
    let vkey = key.verifier().to_string();
    connection.execute(write, params![vkey, size as i64, peaks.concat(), checkpoint]).unwrap();
}

const TABLES: [&str; 12] = [
    "rules",
    "name",
    "play",
    "game",
    "submission",
    "withdrawal",
    "token",
    "event",
    "salt",
    "log",
    "dictionary",
    "forgotten",
];

/// Everything in the tables that the archive's users read.
fn contents(connection: &Connection) -> blake3::Hash {
    let mut all = blake3::Hasher::new();
    for table in TABLES.iter().chain(&["node", "head"]) {
        let count = columns(connection, table).len();
        let mut rows = connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2")).unwrap();
        let mut rows = rows.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<Value> = (0..count).map(|column| row.get(column).unwrap()).collect();
            all.update(format!("{table}{values:?}").as_bytes());
        }
    }
    all.finalize()
}

/// The columns of a table.
fn columns(connection: &Connection, table: &str) -> Vec<String> {
    let mut all = connection.prepare(&format!("SELECT name FROM pragma_table_info('{table}')")).unwrap();
    all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// One random change of rows; false if SQLite refused it, or there was nothing to change.
fn change(connection: &Connection, random: &mut Random) -> Option<String> {
    let table = *random.one(&TABLES);
    let columns = columns(connection, table);
    // The first column identifies the row, but for tokens.
    let key = if table == "token" { "hash" } else { &columns[0] };
    let count = column(connection, &format!("SELECT count(*) FROM {table}"))[0] as usize;
    let mut row = || -> Option<Value> {
        let offset = random.below(count);
        let find = format!("SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {offset}");
        connection.query_row(&find, [], |row| row.get(0)).ok()
    };
    let (one, two) = (row()?, row()?);
    match random.below(5) {
        0 | 1 => {
            // A seal that is wrong is put right again by the attacker.
            let sealed: Vec<&String> = columns.iter().filter(|column| *column != "seal").collect();
            let column = *random.one(&sealed);
            let find = format!("SELECT {column} FROM {table} WHERE {key} = ?1");
            let value = connection.query_row(&find, [&one], |row| row.get(0)).ok()?;
            let edit = format!("UPDATE {table} SET {column} = ?2 WHERE {key} = ?1");
            connection.execute(&edit, params![one, edited(value, random)?]).ok()?;
            Some(format!("{table}.{column} edited"))
        }
        2 => {
            connection.execute(&format!("DELETE FROM {table} WHERE {key} = ?1"), [&one]).ok()?;
            Some(format!("a row of {table} deleted"))
        }
        3 => {
            // The last rows of a table.
            let some = 1 + random.below(3);
            let cut = format!(
                "DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM {table} ORDER BY {key} DESC LIMIT {some})"
            );
            connection.execute(&cut, []).ok()?;
            Some(format!("the tail of {table} cut"))
        }
        _ if one == two => {
            // A copy of a row with another key.
            let rest = columns.iter().filter(|column| *column != key);
            let rest = rest.cloned().collect::<Vec<_>>().join(", ");
            let other = match &one {
                Value::Integer(_) => format!("(SELECT max({key}) + 1 FROM {table})"),
                _ => "randomblob(32)".to_owned(),
            };
            let insert = format!(
                "INSERT INTO {table} ({key}, {rest}) SELECT {other}, {rest} FROM {table} WHERE {key} = ?1"
            );
            connection.execute(&insert, [&one]).ok()?;
            Some(format!("a row of {table} inserted"))
        }
        _ => {
            swap(connection, (table, key), &one, &two)?;
            Some(format!("two rows of {table} swapped"))
        }
    }
}

/// Another value than `value` of the same kind.
fn edited(value: Value, random: &mut Random) -> Option<Value> {
    Some(match value {
        Value::Null => Value::Text("x".into()),
        Value::Integer(number) => Value::Integer(number ^ (1 << random.below(3))),
        Value::Text(text) => Value::Text(text + "x"),
        Value::Blob(mut bytes) => {
            let at = random.below(bytes.len());
            *bytes.get_mut(at)? ^= 1 << random.below(8);
            Value::Blob(bytes)
        }
        Value::Real(_) => return None,
    })
}

/// Puts two rows in each other's place, by way of a key that no row has.
fn swap(connection: &Connection, (table, key): (&str, &str), one: &Value, two: &Value) -> Option<()> {
    let aside = match one {
        Value::Integer(_) => Value::Integer(i64::MAX),
        _ => Value::Blob(vec![0]),
    };
    let swap = format!("UPDATE {table} SET {key} = ?2 WHERE {key} = ?1");
    for (from, to) in [(one, &aside), (two, one), (&aside, two)] {
        connection.execute(&swap, [from, to]).ok()?;
    }
    Some(())
}

/// A copy of an archive with its key.
fn copied(from: &Path, to: &Path) -> PathBuf {
    for end in ["", "-wal"] {
        let of = |path: &Path| PathBuf::from(format!("{}{end}", path.display()));
        let _ = std::fs::remove_file(of(to));
        let _ = std::fs::copy(of(from), of(to));
    }
    std::fs::copy(key_file::path_of(from), key_file::path_of(to)).unwrap();
    to.to_owned()
}

#[test]
fn every_attack_is_found_against_a_receipt_from_before() {
    let folder = tempfile::tempdir().unwrap();
    let (path, old) = (folder.path().join("a.ferz"), folder.path().join("old.ferz"));
    let mut random = Random(7);
    let archive = Archive::open(&path).unwrap();
    fill(&archive, &mut random, 40);
    drop(archive);
    copied(&path, &old);
    let archive = Archive::open(&path).unwrap();
    fill(&archive, &mut random, 20);
    (0..3).for_each(|_| forget_one(&archive, &mut random));
    fill(&archive, &mut random, 20);
    let last = archive.log_size().unwrap() - 1;
    let receipt = archive.receipt(last).unwrap().unwrap();
    drop(archive);
    let anchors = [Anchor::read("receipt", &receipt.to_string()).unwrap()];
    assert_eq!(damages(&path, &anchors), Vec::<String>::new());
    let key: SigningKey = std::fs::read_to_string(key_file::path_of(&path)).unwrap().parse().unwrap();
    let own = SigningKey::new(key.verifier().name(), &[9; 32]).unwrap();
    let (mut done, mut unseen_without) = (0, 0);
    while done < attacks() {
        if random.below(20) == 0 {
            // The whole archive as it was earlier, with its key.
            let attacked = copied(&old, &folder.path().join("attacked.ferz"));
            assert_eq!(damages(&attacked, &[]), Vec::<String>::new(), "a roll-back alone is not seen");
            let found = damages(&attacked, &anchors);
            assert!(found.iter().any(|message| message.contains("rolled back or cut off")), "{found:?}");
            (done, unseen_without) = (done + 1, unseen_without + 1);
            continue;
        }
        let attacked = copied(&path, &folder.path().join("attacked.ferz"));
        let level = random.below(5);
        let what = unguarded(&attacked, |connection| {
            let before = contents(connection);
            let what = change(connection, &mut random)?;
            // Some attackers only change, some reseal, some rewrite the log, with a key of their own or the stolen one.
            if level > 0 {
                reseal(connection);
            }
            if level > 2 {
                recommit(connection);
            }
            if level > 1 {
                resign(connection, if level == 3 { &own } else { &key });
            }
            // Signing again may have put everything right.
            (contents(connection) != before).then_some(what)
        });
        let Some(what) = what else { continue };
        done += 1;
        let found = damages(&attacked, &anchors);
        assert!(!found.is_empty(), "attack {done} at level {level} is not found: {what}");
        unseen_without += usize::from(level == 4 && damages(&attacked, &[]).is_empty());
    }
    assert!(unseen_without > 0, "the receipt is what finds some of them");
}

/// A copy of an archive as an earlier version would have made it.
fn downgraded(from: &Path, to: &Path, version: i64) {
    let _ = std::fs::remove_file(to);
    let memory = of_version(version).unwrap();
    memory.execute("VACUUM INTO ?1", [to.to_str().unwrap()]).unwrap();
    let connection = Connection::open(to).unwrap();
    connection.execute("ATTACH ?1 AS other", [from.to_str().unwrap()]).unwrap();
    let tables = ["rules", "name", "play", "game", "submission", "withdrawal", "token"];
    for table in tables.into_iter().filter(|table| version >= 4 || *table != "withdrawal") {
        let columns = columns(&connection, table).join(", ");
        let copy = format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM other.{table}");
        connection.execute(&copy, []).unwrap();
    }
    connection.execute_batch("DETACH other; PRAGMA journal_mode = WAL").unwrap();
    drop(connection);
    unguarded(to, |connection| {
        if version < 3 {
            // Their seals cover neither the number nor the token.
            for sealed in &SEALED {
                for number in column(connection, &format!("SELECT number FROM {}", sealed.table)) {
                    let seal = sealed.old_seal(connection, number).unwrap();
                    let reseal = format!("UPDATE {} SET seal = ?2 WHERE number = ?1", sealed.table);
                    connection.execute(&reseal, params![number, seal]).unwrap();
                }
            }
            return;
        }
        reseal_tokens(connection, version);
        head::make(connection, version).unwrap();
    });
}

#[test]
fn no_intact_archive_is_called_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(11);
    for round in 0..attacks() / 5 {
        let path = folder.path().join(format!("{round}.ferz"));
        let archive = Archive::open(&path).unwrap();
        let changes = random.below(20);
        fill(&archive, &mut random, changes);
        let anchor = Anchor::read("head", &archive.checkpoint().unwrap().unwrap()).unwrap();
        let changes = random.below(20);
        fill(&archive, &mut random, changes);
        drop(archive);
        assert_eq!(damages(&path, &[anchor]), Vec::<String>::new(), "round {round}");
        for version in 1..5 {
            let older = folder.path().join(format!("{round}-{version}.ferz"));
            downgraded(&path, &older, version);
            assert_eq!(damages(&older, &[]), Vec::<String>::new(), "round {round}, version {version}");
            let archive = Archive::open(&older).unwrap();
            let anchor = Anchor::read("head", &archive.checkpoint().unwrap().unwrap()).unwrap();
            fill(&archive, &mut random, 3);
            forget_one(&archive, &mut random);
            check_bundles(&archive);
            drop(archive);
            assert_eq!(damages(&older, &[anchor]), Vec::<String>::new(), "round {round}, version {version}");
        }
        let archive = Archive::open(&path).unwrap();
        let anchor = Anchor::read("head", &archive.checkpoint().unwrap().unwrap()).unwrap();
        (0..random.below(5)).for_each(|_| forget_one(&archive, &mut random));
        fill(&archive, &mut random, 5);
        check_bundles(&archive);
        drop(archive);
        assert_eq!(damages(&path, &[anchor]), Vec::<String>::new(), "round {round}, forgotten");
    }
}
