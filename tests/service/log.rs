//! The log over HTTP: receipts, head, key and tiles, checked by this program and by one that shares no code with it.

use crate::server::{Server, answer, ferz};
use ferz::archive::{Archive, Receipt, Scope, TokenRequest, VerifierKey};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::process::Command;

fn record(number: usize) -> String {
    format!("[White \"{number}\"]\n[Black \"Ben\"]\n\n1. e4 e5 2. Nf3 *\n")
}

/// Runs the verifier in Python on files; `None`, with a message, where there is no Python.
fn python(key: &str, files: &[&Path]) -> Option<bool> {
    let script = crate::common::root().join("tests/versus/verify_receipt.py");
    match Command::new("python3").arg(script).arg(key).args(files).output() {
        Ok(run) => {
            assert_ne!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
            Some(run.status.success())
        }
        Err(error) => {
            eprintln!("NOT RUN: python3, which checks receipts independently: {error}");
            None
        }
    }
}

fn receipt_of(told: &Value) -> Receipt {
    told["items"][0]["receipt"].as_str().expect("a receipt").parse().expect("a receipt")
}

#[test]
fn receipts_are_proofs_for_every_verifier() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::over(&folder.path().join("games.ferz"), &[]);
    let key = answer(server.get("/log/key")).text().trim().to_owned();
    let vkey: VerifierKey = key.parse().expect("a key");
    let mut files = Vec::new();
    for number in 0..20 {
        let told = answer(server.post("/api/v1/games", record(number))).json();
        let receipt = receipt_of(&told);
        assert_eq!(receipt.verify(&vkey).expect("proved").size, receipt.index + 1);
        // The leaf commits to the text, which the salt opens.
        let leaf: Value = serde_json::from_slice(&receipt.leaf).expect("JSON");
        assert_eq!(leaf["id"], told["items"][0]["id"]);
        // In quotation marks, since three letters may be part of a digest.
        assert!(!String::from_utf8_lossy(&receipt.leaf).contains("\"Ben\""), "no names");
        let path = folder.path().join(format!("{number}.tlog-proof"));
        std::fs::write(&path, receipt.to_string()).expect("written");
        files.push(path);
    }
    let again = answer(server.post("/api/v1/games", record(0))).json();
    assert_eq!((&again["items"][0]["created"], again["items"][0].get("receipt")), (&false.into(), None));
    let checkpoint = folder.path().join("checkpoint");
    std::fs::write(&checkpoint, answer(server.get("/log/checkpoint")).text()).expect("written");
    let files: Vec<&Path> = files.iter().map(|path| &**path).chain([&*checkpoint]).collect();
    let Some(proved) = python(&key, &files) else { return };
    assert!(proved, "an independent verifier refuses a receipt");
    // Whatever is changed in a receipt, both verifiers refuse it.
    let whole = std::fs::read_to_string(files[12]).expect("a receipt");
    let changed = folder.path().join("changed");
    for at in (0..whole.len()).step_by(97) {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        std::fs::write(&changed, &text).expect("written");
        let refused = text.parse::<Receipt>().and_then(|receipt| receipt.verify(&vkey)).is_err();
        assert!(refused, "byte {at} of a receipt was changed");
        assert_eq!(python(&key, &[&changed]), Some(false), "byte {at} of a receipt was changed");
    }
}

#[test]
fn tiles_are_the_tree_of_the_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::over(&folder.path().join("games.ferz"), &[]);
    let records: String = (0..300).map(record).collect();
    assert_eq!(answer(server.post("/api/v1/games", records)).status, 201);
    let checkpoint = answer(server.get("/log/checkpoint")).text();
    let size: usize = checkpoint.lines().nth(1).and_then(|size| size.parse().ok()).expect("a size");
    // The key, the rules, and a game each.
    assert_eq!(size, 302);
    let tile = |path: &str| answer(server.get(&format!("/log/tile/{path}")));
    let full = tile("0/000").body;
    let rest = tile(&format!("0/001.p/{}", size - 256)).body;
    assert_eq!((full.len(), rest.len()), (256 * 32, (size - 256) * 32));
    // Entries hash to the tile of level 0.
    let mut entries = &tile("entries/000").body[..];
    let mut hashes = Vec::new();
    while let Some((length, more)) = entries.split_at_checked(2) {
        let length = usize::from(u16::from_be_bytes([length[0], length[1]]));
        let (entry, more) = more.split_at(length);
        hashes.extend(Sha256::new().chain_update([0]).chain_update(entry).finalize());
        entries = more;
    }
    assert_eq!(hashes, full);
    // The one hash of level 1 is that of the full tile.
    let mut level: Vec<Vec<u8>> = full.chunks(32).map(<[u8]>::to_vec).collect();
    while level.len() > 1 {
        let pair = |pair: &[Vec<u8>]| {
            Sha256::new().chain_update([1]).chain_update(pair.concat()).finalize().to_vec()
        };
        level = level.chunks(2).map(pair).collect();
    }
    assert_eq!(tile("1/000.p/1").body, level[0]);
    for wrong in ["0/002", "0/001", "1/000", "2/000.p/1", "0/1", "entries/002", "x", "0/000.p/0"] {
        assert_eq!(tile(wrong).status, 404, "{wrong}");
    }
}

#[test]
fn tokens_do_what_their_scopes_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let server = Server::over(&db, &[]);
    let archive = Archive::open(&db).expect("the archive");
    let token = |name: &str, scope: Scope| {
        let request = TokenRequest { name: name.into(), holder: None, scopes: vec![scope], expires: None };
        archive.create_token(request).expect("a token").token
    };
    let (reader, writer) = (token("reader", Scope::Read), token("writer", Scope::Submit));
    let (player, director) = (token("player", Scope::Play), token("director", Scope::Director));
    // The service may have looked for tokens just before.
    std::thread::sleep(std::time::Duration::from_millis(20));
    for (token, reads, writes) in
        [(reader, true, false), (writer, false, true), (player, false, false), (director, true, true)]
    {
        let status = |request: reqwest::blocking::RequestBuilder| answer(request.bearer_auth(&token)).status;
        let expected = |allowed: bool, fine: u16| if allowed { fine } else { 403 };
        assert_eq!(status(server.get("/api/v1/games")), expected(reads, 200));
        assert_eq!(status(server.get("/log/key")), expected(reads, 200));
        assert_eq!(status(server.post("/api/v1/games", record(1))), expected(writes, 201));
        assert_eq!(status(server.post("/api/v1/validate", record(1))), expected(reads, 200));
    }
}

#[test]
fn a_bundle_is_that_of_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let server = Server::over(&db, &[]);
    let told = answer(server.post("/api/v1/games", record(1))).json();
    let id = told["items"][0]["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/v1/games/{}/bundle", &id[..8]);
    let sent = answer(server.get(&path));
    assert_eq!(sent.status, 200, "{}", sent.text());
    let run = ferz().args(["archive", "bundle", &id, "--db"]).arg(&db).output().expect("it runs");
    assert_eq!(sent.body, run.stdout);
    let schema = std::fs::read_to_string(crate::common::root().join("formats/schema/bundle.json"));
    let schema: Value = serde_json::from_str(&schema.expect("a schema")).expect("JSON");
    assert_eq!(crate::schema::fault(&schema, &sent.json()), None);
    let file = folder.path().join("game.bundle");
    std::fs::write(&file, &sent.body).expect("written");
    let key = answer(server.get("/log/key")).text().trim().to_owned();
    let proved = ferz().args(["verify", "--replay", "--key", &key]).arg(&file).output().expect("it runs");
    assert!(proved.status.success(), "{proved:?}");
    // A game that is unchanged is not sent again.
    assert_eq!(answer(server.get(&path).header("if-none-match", sent.header("etag"))).status, 304);
    assert_eq!(answer(server.get(&format!("/api/v1/games/{}/bundle", "0".repeat(32)))).status, 404);
}

#[test]
fn a_forgotten_game_is_gone_for_a_service_that_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.ferz");
    let server = Server::over(&db, &[]);
    let told = answer(server.post("/api/v1/games", record(1))).json();
    let id = told["items"][0]["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/v1/games/{id}");
    assert_eq!(answer(server.get(&path)).status, 200);
    let archive = |args: &[&str]| {
        let run = ferz().arg("archive").args(args).arg("--db").arg(&db).output().expect("it runs");
        assert!(run.status.success(), "{run:?}");
        String::from_utf8(run.stdout).expect("text")
    };
    archive(&["forget", &id, "--because", "asked for", "--yes"]);
    let withdrawal = server.post(&format!("{path}/withdrawal"), r#"{"because":"x"}"#.to_owned());
    let withdrawal = withdrawal.header("content-type", "application/json");
    for request in [
        server.get(&path),
        server.get(&path).header("accept", "application/x-chess-pgn"),
        server.get(&format!("{path}?original=1")),
        server.get(&format!("{path}?original=1")).header("accept", "text/plain"),
        server.get(&format!("{path}/bundle")),
        server.get(&format!("/games/{id}")),
        withdrawal,
    ] {
        let gone = answer(request);
        assert_eq!(gone.status, 410, "{}", gone.text());
        assert!(gone.text().contains("was forgotten by event 3"), "{}", gone.text());
    }
    assert_eq!(answer(server.get("/api/v1/games?withdrawn=true")).json()["items"], serde_json::json!([]));
    // The service knew the names by their numbers; the name of a new game is another row.
    let again = answer(server.post("/api/v1/games", record(1) + &record(2))).json();
    assert_eq!((&again["items"][0]["created"], &again["items"][1]["created"]), (&false.into(), &true.into()));
    let black = &answer(server.get("/api/v1/games")).json()["items"][0]["black"];
    assert_eq!(black, "Ben");
    let verified = archive(&["verify"]);
    assert!(verified.ends_with("1 game, 1 text: 0 damaged\n"), "{verified}");
}

/// Who holds a receipt, the salt and the record asks the service whether all of it is still so.
#[test]
fn who_has_a_receipt_can_ask() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, old) = (folder.path().join("games.ferz"), folder.path().join("old.ferz"));
    let server = Server::over(&db, &[]);
    let mine = folder.path().join("mine.pgn");
    std::fs::write(&mine, record(7)).expect("a file");
    let receipts = folder.path().join("receipts");
    let submit = |server: &Server, file: &Path, to: &Path| {
        let mut run = ferz();
        run.args(["submit", "--server", &server.url("")]).arg("--receipts").arg(to).arg(file);
        assert!(run.output().expect("it runs").status.success());
    };
    // The archive before the game, with its key, is what it is rolled back to.
    answer(server.post("/api/v1/games", record(1)));
    Archive::open_existing(&db).expect("the archive").back_up(&old).expect("a copy");
    submit(&server, &mine, &receipts);
    for number in 100..400 {
        answer(server.post("/api/v1/games", record(number)));
    }
    let key = answer(server.get("/log/key")).text();
    let receipt = std::fs::read_dir(&receipts).expect("receipts").map(|file| file.expect("a file").path());
    let receipt = receipt.into_iter().find(|file| file.extension().is_some_and(|end| end == "tlog-proof"));
    let receipt = receipt.expect("a receipt");
    let ask = |server: &Server, record: &Path| {
        let mut run = ferz();
        run.arg("verify").arg(&receipt).args(["--key", key.trim(), "--log", &server.url("")]);
        let run = run.arg("--record").arg(record).output().expect("it runs");
        (run.status.code(), String::from_utf8(run.stdout).expect("text"))
    };
    let (code, said) = ask(&server, &mine);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("proved: event 3 of 4")
            && said.contains("the log goes on: it had 4 events and has 304"),
        "{said}"
    );
    // Other events in place of those that were signed, by the same key.
    let fork = folder.path().join("fork.ferz");
    std::fs::copy(&old, &fork).expect("a copy");
    let of = |path: &Path| format!("{}.key", path.display());
    for path in [&old, &fork] {
        std::fs::copy(of(&db), of(path)).expect("a copy");
    }
    let rolled_back = Server::over(&old, &[]);
    let (code, said) = ask(&rolled_back, &mine);
    assert!(
        code == Some(1) && said.contains("THE LOG DOES NOT GO ON: the log had 4 events and has 3"),
        "{said}"
    );
    let forked = Server::over(&fork, &[]);
    for number in 500..505 {
        answer(forked.post("/api/v1/games", record(number)));
    }
    let (code, said) = ask(&forked, &mine);
    assert!(code == Some(1) && said.contains("are not those that were signed"), "{said}");
}

/// Runs `ferz archive pull`; returns the exit code and the output.
fn pull(server: &Server, mirror: &Path, more: &[&str]) -> (Option<i32>, String) {
    let url = format!("http://{}", server.address);
    let run =
        ferz().args(["archive", "pull", &url, "--to"]).arg(mirror).args(more).output().expect("it runs");
    (run.status.code(), String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned())
}

/// Copies an archive that no one has open, with its key.
fn copied(from: &Path, to: &Path) {
    for end in ["", ".key", "-wal"] {
        let of = |path: &Path| format!("{}{end}", path.display());
        if Path::new(&of(from)).exists() {
            std::fs::copy(of(from), of(to)).expect("copied");
        }
    }
}

#[test]
fn a_mirror_follows_a_log_and_finds_roll_backs_and_forks() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, old, mirror) =
        (folder.path().join("a.ferz"), folder.path().join("old.ferz"), folder.path().join("mirror"));
    let server = Server::over(&db, &[]);
    let records: String = (0..300).map(record).collect();
    assert_eq!(answer(server.post("/api/v1/games", records)).status, 201);
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(code == Some(0) && said.contains("302 events, 302 new events: the log has only grown"), "{said}");
    assert!(said.contains("trusting the key that the service shows"), "{said}");
    drop(server);
    copied(&db, &old);
    let server = Server::over(&db, &[]);
    let more: String = (300..700).map(record).collect();
    assert_eq!(answer(server.post("/api/v1/games", more)).status, 201);
    // Interrupted in the middle: some events are there that no head covers, and the last one is torn.
    let events = mirror.join("events");
    let tile = answer(server.get("/log/tile/entries/001")).body;
    let first = std::fs::read(&events).expect("events");
    let skipped = (0..46).fold(0, |at, _| at + 2 + usize::from(u16::from_be_bytes([tile[at], tile[at + 1]])));
    std::fs::write(&events, [&first, &tile[skipped..tile.len() - 9]].concat()).expect("written");
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(code == Some(0) && said.contains("702 events, 400 new events"), "{said}");
    assert!(!said.contains("trusting"), "the key is known: {said}");
    let whole = std::fs::read(&events).expect("events");
    // Events of another log, from an interrupted run, are fetched once more.
    std::fs::write(&events, [&whole[..], &[0, 1, b'x']].concat()).expect("written");
    assert_eq!(answer(server.post("/api/v1/games", record(900))).status, 201);
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(code == Some(0) && said.contains("703 events, 1 new event:"), "{said}");
    let other = "other/log+00000000+AQ";
    assert_eq!(pull(&server, &mirror, &["--key", other]).0, Some(2));
    drop(server);
    let kept = std::fs::read(mirror.join("checkpoint")).expect("a checkpoint");
    // Rolled back: the older copy is served.
    let server = Server::over(&old, &[]);
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(
        code == Some(1) && said.contains("the log had 703 events and has 302: it was rolled back"),
        "{said}"
    );
    // Forked: it goes on with other games, and is longer than before.
    let others: String = (1_000..1_500).map(record).collect();
    assert_eq!(answer(server.post("/api/v1/games", others)).status, 201);
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(code == Some(1) && said.contains("event 302 of the log is another one than before"), "{said}");
    let heads: Vec<usize> = said.lines().filter_map(|line| line.parse().ok()).collect();
    assert_eq!(heads, [703, 802], "both heads are printed: {said}");
    assert_eq!(std::fs::read(mirror.join("checkpoint")).expect("a checkpoint"), kept);
    drop(server);
    // The mirror goes on with the log that it knows.
    let server = Server::over(&db, &[]);
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(code == Some(0) && said.contains("703 events, 0 new events"), "{said}");
    // Another key is no head of this log.
    drop(server);
    let rotated =
        ferz().args(["archive", "key", "rotate", "--lost", "--db"]).arg(&db).output().expect("it runs");
    assert!(rotated.status.success());
    let server = Server::over(&db, &[]);
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(code == Some(1) && said.contains("no signature by the key"), "{said}");
}

/// Runs `ferz` and returns the exit code and the output.
fn run(args: &[&str]) -> (Option<i32>, String) {
    let run = ferz().args(args).output().expect("it runs");
    (run.status.code(), String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned())
}

#[test]
fn a_witness_cosigns_a_log_that_has_only_grown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (db, mirror, signer) = (path("a.ferz"), path("mirror"), path("witness.key"));
    let server = Server::over(Path::new(&db), &[]);
    assert_eq!(answer(server.post("/api/v1/games", record(1) + &record(2))).status, 201);
    let url = format!("http://{}", server.address);
    let key = answer(server.get("/log/key")).text().trim().to_owned();
    let (code, said) = run(&["witness", "key", &signer]);
    assert!(code == Some(2) && said.contains("no such key; make it with --name NAME"), "{said}");
    let (code, witness) = run(&["witness", "key", &signer, "--name", "club.example/w1"]);
    assert!(code == Some(0) && witness.starts_with("club.example/w1+"), "{witness}");
    let witness = witness.trim();
    assert_eq!(run(&["witness", "key", &signer]).1.trim(), witness);
    assert_eq!(run(&["witness", "key", &signer, "--name", "other"]).0, Some(2), "no key is overwritten");
    let cosign = |server: &str| {
        run(&["witness", "cosign", server, "--to", &mirror, "--signer", &signer, "--key", &key])
    };
    let (code, cosigned) = cosign(&url);
    assert_eq!(code, Some(0), "{cosigned}");
    assert!(cosigned.starts_with(&answer(server.get("/log/checkpoint")).text()), "{cosigned}");
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    assert_eq!(cosign(&url).1, cosigned, "a head keeps its time");
    // The receipt under that head proves the time to all who trust the witness.
    let (code, receipt) = run(&["witness", "receipt", "2", "--to", &mirror, "--signer", &signer]);
    assert_eq!(code, Some(0), "{receipt}");
    assert_eq!(run(&["witness", "receipt", "4", "--to", &mirror, "--signer", &signer]).0, Some(2));
    let (kept, head) = (path("2.tlog-proof"), path("cosigned"));
    std::fs::write(&kept, &receipt).expect("written");
    std::fs::write(&head, &cosigned).expect("written");
    let (code, said) = run(&["verify", &kept, &head, "--key", &key, "--witness", witness]);
    assert!(
        code == Some(0) && said.contains("proved: event 2 of 4, seen by club.example/w1 at 20"),
        "{said}"
    );
    assert!(said.contains("signed: 4 events, seen by club.example/w1 at 20"), "{said}");
    for files in [[Path::new(&kept)], [Path::new(&head)]] {
        assert_ne!(
            python(&format!("{key},{witness}"), &files),
            Some(false),
            "the independent verifier refuses it"
        );
    }
    // Another witness has not seen it, and no time can be changed.
    let (_, other) = run(&["witness", "key", &path("other.key"), "--name", "club.example/w1"]);
    let (code, said) = run(&["verify", &kept, "--key", &key, "--witness", other.trim()]);
    assert!(code == Some(1) && said.contains("no cosignature by the witness `club.example/w1+"), "{said}");
    assert_ne!(python(&format!("{key},{}", other.trim()), &[Path::new(&kept)]), Some(true));
    let (before, line) = cosigned.trim_end().rsplit_once(' ').expect("a cosignature");
    let mut line = line.as_bytes().to_vec();
    // The time is in the bytes from 4 to 11 of the signature, which Base64 writes as the letters from 5 to 15.
    line[14] = if line[14] == b'A' { b'B' } else { b'A' };
    let changed = format!("{before} {}\n", String::from_utf8(line).expect("letters"));
    std::fs::write(&head, changed).expect("written");
    let (code, said) = run(&["verify", &head, "--key", &key, "--witness", witness]);
    assert!(
        code == Some(1) && said.contains("NOT PROVED: the signature by the key `club.example/w1+"),
        "{said}"
    );
    assert_ne!(python(&format!("{key},{witness}"), &[Path::new(&head)]), Some(true));
    // The archive is verified against it.
    let verify =
        |against: &str| run(&["archive", "verify", "--db", &db, "--against", against, "--witness", witness]);
    let (code, said) = verify(&kept);
    assert!(code == Some(0) && said.contains("the first 4 events were there at 20"), "{said}");
    assert!(said.contains("as club.example/w1 saw"), "{said}");
    let (code, said) = verify(&head);
    assert!(code == Some(1) && said.contains("1 damaged"), "{said}");
    // Another archive at the same place, with a key of its own, is not cosigned.
    drop(server);
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{db}{end}"));
    }
    let stranger = Server::over(Path::new(&db), &[]);
    let (code, said) = cosign(&format!("http://{}", stranger.address));
    assert!(code == Some(1) && said.contains("no signature by the key"), "{said}");
    assert_eq!(std::fs::read_to_string(Path::new(&mirror).join("cosigned")).expect("kept"), cosigned);
}
