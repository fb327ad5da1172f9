//! Some hundred changes to archives, each made past the triggers: `ferz archive verify` finds every one, and finds
//! nothing in archives that are intact. The log is not rewritten: who does that is found by a receipt alone.

use crate::common;
use ferz::archive::{
    Act, Archive, Filter, Finding, FindingKind, Reinstatement, Submission, TokenId, Withdrawal,
};
use ferz::board::Owner;
use ferz::clock::Policies;
use ferz::correspondence::{Command, Players, Proposal};
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use rusqlite::Connection;
use rusqlite::types::Value;
use std::path::Path;

/// Changes.
const ATTACKS: usize = 500;

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

fn judged(text: &[u8]) -> Vec<Submission> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::new(text, 0, 0);
    read(text, 0).map(|record| Submission::judge(&mut replayer, &record, &source).unwrap()).collect()
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(common::root().join("fixtures").join(name)).unwrap()
}

/// A game that was played here to its end, and one in progress in which the lot decides for Nature.
pub fn play_games(archive: &Archive) {
    let books = (Registry::built_in(), &**Policies::built_in());
    let token = || Some(TokenId { name: "dora".into(), event: 3 });
    let act = |id, by, command| {
        let head = archive.correspondence(id, books).unwrap().head();
        archive.act(Act { id, head, by: Some(by), command, token: token(), request: None }, books).unwrap();
    };
    let players = || Players { white: "Ann".into(), black: "Ben".into(), nature: None };
    for (variant, clock) in [("chess", Some("days-per-move".to_owned())), ("chaos", None)] {
        let proposal = Proposal { variant: variant.into(), players: players(), clock, ..Proposal::default() };
        let created = match variant {
            "chaos" => archive.create_by_lot(proposal, (token(), None), books).unwrap(),
            _ => archive.create_correspondence(proposal, (token(), None), books).unwrap(),
        };
        let (id, terms) = (created.game.id, created.game.state.setting().terms.digest());
        for player in Owner::REAL {
            act(id, player, Command::Accept { terms: terms.clone() });
        }
        for (by, text) in [(Owner::White, "e4"), (Owner::Black, "e5"), (Owner::White, "Nf3")] {
            act(id, by, Command::Ply { text: text.into(), offer: None, signature: None });
        }
        if variant == "chess" {
            act(id, Owner::Black, Command::Resign);
        }
    }
}

/// Games of several variants, legal and not, some with a token's name.
fn fill(archive: &Archive) {
    for name in ["games/ichess-sample.pgn", "games/iago-b-blocked.pgn", "games/chaos-short.pgn"] {
        archive.submit(judged(&fixture(name))).unwrap();
    }
    let text = "[White \"Ann\"]\n[Event \"Cup\"]\n[Site \"Graz\"]\n\n1. d4 d5 2. c4 *\n\n\
        [White \"Ann\"]\n[Site \"Linz\"]\n\n1. d4 d5 2. c4 {again} *\n\n[White \"Ben\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let token = |submission: Submission| {
        submission.submitted_with(Some(TokenId { name: "arbiter".into(), event: 7 }))
    };
    archive.submit(judged(text.as_bytes()).into_iter().map(token).collect()).unwrap();
    archive.submit(judged(text.replace("again", "once more").as_bytes())).unwrap();
    for name in ["arbiter", "club", "third"] {
        if !archive.tokens().unwrap().iter().any(|token| token.name == name) {
            archive.add_token(name).unwrap();
        }
    }
    archive.revoke_token("third").unwrap();
    play_games(archive);
    let games = archive.list(&Filter::default(), 3, None).unwrap().items;
    for (id, successor) in [(games[0].id, None), (games[1].id, Some(games[2].id))] {
        let because = "entered twice".to_owned();
        archive.withdraw(Withdrawal { id, successor, because, token: None, own: false }).unwrap();
    }
    let (because, token) = ("by mistake".to_owned(), None);
    archive.reinstate(Reinstatement { id: games[0].id, because, token, own: false }).unwrap();
}

fn findings(path: &Path) -> Vec<Finding> {
    let archive = Archive::open_existing(path).unwrap();
    let mut findings = Vec::new();
    archive.verify(None, &mut |finding| findings.push(finding), &mut |_| ()).unwrap();
    findings
}

fn damages(path: &Path) -> Vec<String> {
    let damage = findings(path).into_iter().filter(|finding| finding.kind == FindingKind::Damage);
    damage.map(|finding| finding.message).collect()
}

/// The tables of an archive with their columns, except those that are no part of the log (`formats/ARCHIVE.md`).
fn tables(file: &Connection) -> Vec<(String, Vec<String>)> {
    let find = "SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c \
        WHERE s.type = 'table' AND s.name NOT IN ('probe', 'seal', 'alive', 'request', 'conditional') \
        AND NOT (s.name = 'correspondence' AND c.name IN ('timed', 'due')) ORDER BY s.name, c.cid";
    let mut find = file.prepare(find).unwrap();
    let mut tables: Vec<(String, Vec<String>)> = Vec::new();
    let rows = find.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    for (table, column) in rows.map(|row| -> (String, String) { row.unwrap() }) {
        match tables.last_mut().filter(|(last, _)| *last == table) {
            Some((_, columns)) => columns.push(column),
            None => tables.push((table, vec![column])),
        }
    }
    tables
}

/// The identities of all rows of a table.
fn keys(file: &Connection, table: &str) -> Vec<Value> {
    let find = format!("SELECT {} FROM {table}", key_column(table));
    let mut find = file.prepare(&find).unwrap();
    find.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn key_column(table: &str) -> &'static str {
    match table {
        "token" => "hash",
        "salt" => "event",
        "hidden" => "game",
        "seat" | "seed" => "correspondence",
        _ => "number",
    }
}

/// All that is in an archive, so that a change that changes nothing is none.
fn contents(file: &Connection) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for (table, columns) in tables(file) {
        let mut find = file.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2")).unwrap();
        let row = |row: &rusqlite::Row<'_>| (0..columns.len()).map(|column| row.get(column)).collect();
        all.extend(find.query_map([], row).unwrap().map(Result::unwrap));
    }
    all
}

/// One change to the rows of an archive; an error where SQLite refuses it.
fn change_rows(file: &Connection, random: &mut Random) -> rusqlite::Result<String> {
    let mut tables = tables(file);
    tables.retain(|(table, _)| table != "forgotten" && table != "node" && !keys(file, table).is_empty());
    let (table, columns) = random.pick(&tables);
    let (key, keys) = (key_column(table), keys(file, table));
    let (one, two) = (random.pick(&keys).clone(), random.pick(&keys).clone());
    let column = random.pick(columns);
    let what = match random.below(8) {
        0 => {
            let other = format!("(SELECT {column} FROM {table} WHERE {key} = ?2)");
            file.execute(&format!("UPDATE {table} SET {column} = {other} WHERE {key} = ?1"), [&one, &two])?;
            "another row's value"
        }
        1 => {
            let other = format!(
                "CASE typeof({column}) WHEN 'integer' THEN {column} + 1 WHEN 'text' THEN {column} || 'x' \
                WHEN 'blob' THEN CAST({column} || x'07' AS BLOB) ELSE NULL END"
            );
            file.execute(&format!("UPDATE {table} SET {column} = {other} WHERE {key} = ?1"), [&one])?;
            "another value"
        }
        2 => {
            file.execute(&format!("UPDATE {table} SET {column} = NULL WHERE {key} = ?1"), [&one])?;
            "no value"
        }
        3 => {
            file.execute(&format!("DELETE FROM {table} WHERE {key} = ?1"), [&one])?;
            "a row deleted"
        }
        4 => {
            file.execute(&format!("DELETE FROM {table} WHERE {key} >= ?1"), [&one])?;
            "a tail deleted"
        }
        5 => {
            file.execute(&format!("DELETE FROM {table}"), [])?;
            "all rows deleted"
        }
        6 if key == "number" => {
            for (from, to) in [(&one, &Value::Integer(-1)), (&two, &one), (&Value::Integer(-1), &two)] {
                file.execute(&format!("UPDATE {table} SET number = ?2 WHERE number = ?1"), [from, to])?;
            }
            "two rows swapped"
        }
        _ => {
            let values = columns.iter().map(|column| match column.as_str() {
                "number" => "number + 1000".to_owned(),
                "event" if table == "salt" => "event + 1000".to_owned(),
                "id" | "hash" | "key" | "text_key" | "digest" => format!("CAST(reverse_{column} AS BLOB)"),
                "text" if table == "name" => "text || '!'".to_owned(),
                column => column.to_owned(),
            });
            let values = values.collect::<Vec<_>>().join(", ");
            // Other keys of the same length.
            let values = ["id", "hash", "key", "text_key", "digest"].iter().fold(values, |values, column| {
                values.replace(&format!("reverse_{column}"), &format!("substr({column}, 2) || x'01'"))
            });
            file.execute(
                &format!("INSERT INTO {table} SELECT {values} FROM {table} WHERE {key} = ?1"),
                [&one],
            )?;
            "a row inserted"
        }
    };
    Ok(format!("{what}: {table}.{column} {one:?} {two:?}"))
}

/// Makes a change past the triggers, which are there again afterwards; false if nothing was changed.
fn attack(path: &Path, change: impl FnOnce(&Connection) -> rusqlite::Result<String>) -> Option<String> {
    let file = Connection::open(path).unwrap();
    file.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF").unwrap();
    let before = contents(&file);
    let triggers: Vec<(String, String)> = {
        let mut find = file.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
        let rows = find.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    for (name, _) in &triggers {
        file.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    let what = change(&file);
    for (_, sql) in &triggers {
        file.execute_batch(sql).unwrap();
    }
    what.ok().filter(|_| contents(&file) != before)
}

#[test]
fn every_attack_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let mut random = Random(1);
    let path = folder.path().join("games.ferz");
    fill(&Archive::open(&path).unwrap());
    assert_eq!(findings(&path), []);
    let (mut made, mut missed) = (0, Vec::new());
    while made < ATTACKS {
        std::fs::copy(&path, &copy).unwrap();
        let Some(what) = attack(&copy, |file| change_rows(file, &mut random)) else { continue };
        made += 1;
        if damages(&copy).is_empty() {
            missed.push(what);
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Some of the attacks by name, with what is said of them.
#[test]
fn attacks_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("games.ferz"), folder.path().join("copy"));
    fill(&Archive::open(&path).unwrap());
    let tail = "DELETE FROM submission WHERE game = (SELECT max(number) FROM game); \
        DELETE FROM game WHERE number = (SELECT max(number) FROM game); \
        DELETE FROM play WHERE number NOT IN (SELECT play FROM game)";
    let all =
        "DELETE FROM submission; DELETE FROM game; DELETE FROM play; DELETE FROM name; DELETE FROM rules";
    for (change, message) in [
        (tail, "of `submission`, which is missing"),
        (all, "added row 1 of `submission`, which is missing"),
        (
            "UPDATE submission SET number = 100 WHERE number = 1; UPDATE submission SET number = 1 WHERE number = 2; \
            UPDATE submission SET number = 2 WHERE number = 100",
            "is not what `event` of row 1 of `submission` says",
        ),
        (
            "INSERT INTO token SELECT 'mallory', zeroblob(32), holder, scopes, expires, created, revoked, event \
            FROM token LIMIT 1",
            "the token `mallory` was added by no event; revoke it",
        ),
        ("UPDATE token SET revoked = NULL", "the token `third` is revoked otherwise than its events say"),
        ("UPDATE token SET scopes = 'director'", "the token `club` is not the one that event"),
        ("DELETE FROM token", "the token that event"),
        ("UPDATE submission SET token = 'club' WHERE token = 'arbiter'", "is not what `private` of row"),
        ("DELETE FROM log", "the head of the log has changed"),
        ("UPDATE log SET time = time + 1", "the time of the last event is not that of the head of the log"),
        ("UPDATE submission SET received = received - 1 WHERE number = 1", "is not what `received` of row 1"),
        ("INSERT INTO name (text, folded) VALUES ('Mallory', 'mallory')", "of `name` was added by no event"),
        ("UPDATE name SET folded = 'mallory' WHERE number = 1", "`folded` of row 1 of `name`"),
        (
            "UPDATE submission SET report = (SELECT report FROM submission WHERE number = 1)",
            "is not the one that",
        ),
        ("UPDATE rules SET definition = replace(definition, 'title', 'tytle')", "does not match its digest"),
    ] {
        std::fs::copy(&path, &copy).unwrap();
        let made = attack(&copy, |file| file.execute_batch(change).map(|()| String::new()));
        assert!(made.is_some(), "{change}");
        let damages = damages(&copy);
        assert!(damages.iter().any(|damage| damage.contains(message)), "{change}: {damages:#?}");
    }
}

#[test]
fn a_schema_that_was_changed_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let path = folder.path().join("games.ferz");
    fill(&Archive::open(&path).unwrap());
    for (change, message) in [
        ("DROP TRIGGER games_stay", "the trigger `games_stay` is missing"),
        ("DROP INDEX game_by_day", "the index `game_by_day` is missing"),
        ("DROP VIEW listing", "the view `listing` is missing"),
        ("DROP TABLE dictionary", "the table `dictionary` is missing"),
        (
            "CREATE TRIGGER hide AFTER INSERT ON game BEGIN UPDATE probe SET checked = 1; END",
            "the trigger `hide` was added",
        ),
        (
            "DROP VIEW listing; CREATE VIEW listing AS SELECT * FROM game WHERE white <> 1",
            "the view `listing` is not that of an archive",
        ),
        (
            "DROP TRIGGER games_stay; CREATE TRIGGER games_stay BEFORE UPDATE ON game BEGIN SELECT 1; END",
            "the trigger `games_stay` is not that of an archive",
        ),
        ("ALTER TABLE game ADD COLUMN mine TEXT", "the table `game` is not that of an archive"),
    ] {
        std::fs::copy(&path, &copy).unwrap();
        Connection::open(&copy).unwrap().execute_batch(change).unwrap();
        let damages = damages(&copy);
        assert!(damages.iter().any(|damage| damage.contains(message)), "{change}: {damages:#?}");
        // One change of the tables is no damage of every row.
        assert!(damages.len() < 6, "{change}: {damages:#?}");
    }
}

/// An archive holds what users put beside the tables.
#[test]
fn what_users_add_is_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("games.ferz");
    fill(&Archive::open(path).unwrap());
    assert_eq!(findings(path), []);
    let added = "CREATE INDEX by_date ON game (date); CREATE VIEW mine AS SELECT id FROM listing; \
            CREATE TABLE favourite (id TEXT PRIMARY KEY); ANALYZE";
    Connection::open(path).unwrap().execute_batch(added).unwrap();
    let findings = findings(path);
    assert!(findings.iter().all(|finding| finding.kind == FindingKind::Note), "{findings:#?}");
    let notes: Vec<&str> = findings.iter().map(|finding| &*finding.message).collect();
    for added in ["index `by_date`", "view `mine`", "table `favourite`", "table `sqlite_stat1`"] {
        assert!(notes.contains(&&*format!("the {added} is not part of an archive")), "{notes:#?}");
    }
    let archive = Archive::open_existing(path).unwrap();
    assert!(archive.list(&Filter::default(), 9, None).unwrap().items.len() > 2);
}
