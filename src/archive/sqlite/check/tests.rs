//! Attacks by someone who knows this source: every one is found against a receipt from before, and no intact archive is
//! called damaged. `FERZ_ATTACKS` is the number of attacks and of intact archives; without it there are a few.

use crate::identity::{Header, to_hex};
use crate::log::{Anchor, Checkpoint, Growth, Kind, Leaf, Salt, SigningKey, commitment, leaf_hash, root_of};
use crate::pack::unpack;
use crate::sqlite::key_file;
use crate::sqlite::log::{TILE_LEVELS, text_commitment};
use crate::sqlite::private;
use crate::verify::FindingKind;
use crate::{
    Archive, Filter, Forgetting, GameId, Reinstatement, Scope, Submission, TokenId, TokenRequest, Withdrawal,
};
use ferz_core::rules::Registry;
use ferz_records::record::read;
use ferz_records::replay::{Options, Replayer, Source};
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

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

fn ann() -> TokenId {
    TokenId { name: "ann".into(), event: 1 }
}

fn judged(text: &str) -> Vec<Submission> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::new(text.as_bytes(), 0, 0);
    let named = |one: Submission| one.submitted_with(Some(ann()));
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
                let id = *random.one(&games);
                let own = random.below(2) == 0;
                let (because, token) = ("twice".to_owned(), own.then(ann));
                // What is withdrawn already is not withdrawn again, but may be taken back.
                let withdrawal = Withdrawal { id, successor: None, because: because.clone(), token, own };
                if archive.withdraw(withdrawal).is_err() || random.below(3) == 0 {
                    let token = own.then(ann);
                    let _ = archive.reinstate(Reinstatement { id, because, token, own });
                }
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
    let found = &mut |finding: crate::Finding| {
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

fn column(connection: &Connection, query: &str) -> Vec<i64> {
    let mut all = connection.prepare(query).unwrap();
    all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Rewrites all events so that they say what the rows are now, as far as the rows are there.
fn restate(connection: &Connection) {
    let events: Vec<(i64, Vec<u8>)> = {
        let mut all = connection.prepare("SELECT number, leaf FROM event ORDER BY number").unwrap();
        all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    };
    for (number, bytes) in events {
        let Ok(leaf) = serde_json::from_slice::<Leaf<'_>>(&bytes) else { continue };
        let restated = match leaf.kind {
            Kind::Submission => restated_submission(connection, number, leaf.clone()),
            Kind::Withdrawal => restated_withdrawal(connection, number, leaf.clone()),
            _ => None,
        };
        let leaf = restated.unwrap_or(leaf).bytes().unwrap();
        connection.execute("UPDATE event SET leaf = ?2 WHERE number = ?1", params![number, leaf]).unwrap();
    }
}

fn salt_of(connection: &Connection, event: i64) -> Option<Salt> {
    connection.query_row("SELECT salt FROM salt WHERE event = ?1", [event], |row| row.get(0)).ok()
}

fn restated_submission<'a>(connection: &Connection, event: i64, leaf: Leaf<'a>) -> Option<Leaf<'a>> {
    let salt = salt_of(connection, event)?;
    let find = "SELECT submission.variant, style, let_stand, token, white.text, black.text, nature.text, event.text, \
        site.text, date, round, digest, report, plies, valid, result, ending, game.variant, by FROM submission \
        JOIN game ON game.number = submission.game \
        JOIN name AS white ON white.number = game.white JOIN name AS black ON black.number = game.black \
        LEFT JOIN name AS nature ON nature.number = game.nature JOIN name AS event ON event.number = game.event \
        JOIN name AS site ON site.number = game.site WHERE submission.event = ?1";
    let found = connection.query_row(find, [event], |row| {
        let (variant, style): (Option<String>, Option<String>) = (row.get(0)?, row.get(1)?);
        let token: Option<String> = row.get(3)?;
        let header = Header {
            white: row.get(4)?,
            black: row.get(5)?,
            nature: row.get(6)?,
            event: row.get(7)?,
            site: row.get(8)?,
            date: row.get(9)?,
            round: row.get(10)?,
            result: String::new(),
        };
        let private = private::read_as(variant.as_deref(), style.as_deref(), row.get(2)?);
        let private = private::asked_by(private, token.as_deref(), row.get(18)?);
        let private = if leaf.sequence == 0 { private::with_header(private, &header) } else { private };
        let (digest, report): ([u8; 32], Vec<u8>) = (row.get(11)?, row.get(12)?);
        let mut game = leaf.game.clone().unwrap();
        game.text = text_commitment(&salt, &digest);
        if let Ok(report) = unpack(&report) {
            game.report = commitment(&salt, "report", &Sha256::digest(report).into());
        }
        (game.plies, game.legal) = (row.get::<_, i64>(13)? as u64, row.get::<_, i64>(14)? as u8);
        game.result = row.get::<_, String>(15)?.into();
        game.ending = row.get::<_, Option<String>>(16)?.map(Into::into);
        game.variant = row.get::<_, String>(17)?.into();
        Ok((game, private.commitment(&salt).ok()))
    });
    let (game, private) = found.ok()?;
    Some(Leaf { game: Some(game), private, ..leaf })
}

fn restated_withdrawal<'a>(connection: &Connection, event: i64, leaf: Leaf<'a>) -> Option<Leaf<'a>> {
    let salt = salt_of(connection, event)?;
    let find = "SELECT because, token, successor.id, by FROM withdrawal \
        LEFT JOIN game AS successor ON successor.number = successor WHERE withdrawal.event = ?1";
    let found = connection.query_row(find, [event], |row| {
        let (because, token): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        let successor: Option<Vec<u8>> = row.get(2)?;
        let private = private::of_withdrawal(&because, token.as_deref(), row.get(3)?).commitment(&salt).ok();
        Ok((successor.map(|id| to_hex(&id).into()), private))
    });
    let (successor, private) = found.ok()?;
    Some(Leaf { successor, private, ..leaf })
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

const TABLES: [&str; 14] = [
    "rules",
    "name",
    "play",
    "game",
    "submission",
    "withdrawal",
    "reinstatement",
    "hidden",
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
    for table in TABLES.iter().chain(&["node"]) {
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
            let column = random.one(&columns);
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
        let level = random.below(4);
        let what = unguarded(&attacked, |connection| {
            let before = contents(connection);
            let what = change(connection, &mut random)?;
            // Some attackers only change, some sign again, some rewrite the log, with a key of their own or the stolen
            // one.
            if level > 1 {
                restate(connection);
            }
            if level > 0 {
                resign(connection, if level == 2 { &own } else { &key });
            }
            // Signing again may have put everything right.
            (contents(connection) != before).then_some(what)
        });
        let Some(what) = what else { continue };
        done += 1;
        let found = damages(&attacked, &anchors);
        assert!(!found.is_empty(), "attack {done} at level {level} is not found: {what}");
        unseen_without += usize::from(level == 3 && damages(&attacked, &[]).is_empty());
    }
    assert!(unseen_without > 0, "the receipt is what finds some of them");
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
        let anchor = Anchor::read("head", &archive.checkpoint().unwrap()).unwrap();
        let changes = random.below(20);
        fill(&archive, &mut random, changes);
        drop(archive);
        assert_eq!(damages(&path, &[anchor]), Vec::<String>::new(), "round {round}");
        let archive = Archive::open(&path).unwrap();
        let anchor = Anchor::read("head", &archive.checkpoint().unwrap()).unwrap();
        (0..random.below(5)).for_each(|_| forget_one(&archive, &mut random));
        fill(&archive, &mut random, 5);
        check_bundles(&archive);
        drop(archive);
        assert_eq!(damages(&path, &[anchor]), Vec::<String>::new(), "round {round}, forgotten");
    }
}
