//! A service as a witness of other logs, and logs whose key changes under a mirror.

use crate::server::{Answer, Server, answer, ferz};
use ferz::archive::{Checkpoint, PrivateKey};
use sha2::{Digest, Sha256};
use std::path::Path;

type Hash = [u8; 32];
/// The key of a log.
type LogKey = PrivateKey<1>;

fn records(numbers: std::ops::Range<usize>) -> String {
    numbers.map(|number| format!("[White \"{number}\"]\n\n1. e4 e5 2. Nf3 *\n\n")).collect()
}

/// Runs `ferz` and returns the exit code and the output.
fn run(args: &[&str]) -> (Option<i32>, String) {
    let run = ferz().args(args).output().expect("it runs");
    (run.status.code(), String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned())
}

fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

fn root(leaves: &[Hash]) -> Hash {
    match leaves {
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            node(&root(left), &root(right))
        }
    }
}

/// The consistency proof as RFC 6962 defines it: SUBPROOF(m, D[n], b).
fn proof(old: usize, leaves: &[Hash], is_whole: bool) -> Vec<Hash> {
    if old == leaves.len() {
        return if is_whole { Vec::new() } else { vec![root(leaves)] };
    }
    let middle = leaves.len().next_power_of_two() / 2;
    let (left, right) = leaves.split_at(middle);
    let (mut hashes, other) = match old <= middle {
        true => (proof(old, left, is_whole), root(right)),
        false => (proof(old - middle, right, false), root(left)),
    };
    hashes.push(other);
    hashes
}

/// Base64 of a hash, as the log writes it.
fn base64(hash: &Hash) -> String {
    let head = Checkpoint { origin: "x".into(), size: 1, root: *hash };
    let key = LogKey::new("x", &[1; 32]).expect("a key");
    head.sign(&[&key]).lines().nth(2).expect("a root").to_owned()
}

/// The signed head of a service's log, its size, and the hashes of its events.
fn log(server: &Server) -> (String, usize, Vec<Hash>) {
    let note = answer(server.get("/log/checkpoint")).text();
    let size: usize = note.lines().nth(1).expect("a size").parse().expect("a size");
    let tile = answer(server.get(&format!("/log/tile/0/000.p/{size}"))).body;
    (note, size, tile.as_chunks::<32>().0.to_vec())
}

fn ask(witness: &Server, old: usize, proof: &[Hash], note: &str) -> Answer {
    let proof: String = proof.iter().map(|hash| base64(hash) + "\n").collect();
    answer(witness.post("/add-checkpoint", format!("old {old}\n{proof}\n{note}")))
}

#[test]
fn a_service_cosigns_what_has_only_grown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (db, signer) = (path("a.ferz"), path("witness.key"));
    let server = Server::over(Path::new(&db), &[]);
    assert_eq!(answer(server.post("/api/v1/games", records(0..3))).status, 201);
    let key = answer(server.get("/log/key")).text().trim().to_owned();
    let (code, vkey) = run(&["witness", "key", &signer, "--name", "w.example/1"]);
    assert_eq!(code, Some(0), "{vkey}");
    let options = ["--witness", &signer, "--witness-log", &key];
    let witness = Server::over(Path::new(&path("w.ferz")), &options);
    let other_db = path("other.ferz");
    let (code, said) =
        run(&[&["serve", "--db", &other_db, "--listen", "127.0.0.1:0"], &options[..]].concat());
    assert!(code == Some(2) && said.contains("another process cosigns with this key"), "{said}");
    // The first head, which every verifier accepts.
    let (note, size, _) = log(&server);
    let cosigned = ask(&witness, 0, &[], &note);
    assert_eq!(
        (cosigned.status, cosigned.header("content-type")),
        (200, "text/plain"),
        "{}",
        cosigned.text()
    );
    let file = path("cosigned");
    std::fs::write(&file, note.clone() + &cosigned.text()).expect("written");
    let (code, said) = run(&["verify", &file, "--key", &key, "--witness", vkey.trim()]);
    assert!(
        code == Some(0) && said.contains(&format!("signed: {size} events, seen by w.example/1 at 20")),
        "{said}"
    );
    // The log grows: only a proof from the last head counts. A token of the witness's own archive is not needed.
    run(&["archive", "token", "add", "ann", "--db", &path("w.ferz")]);
    assert_eq!(answer(server.post("/api/v1/games", records(3..30))).status, 201);
    let (longer, new_size, leaves) = log(&server);
    let known = ask(&witness, 0, &[], &longer);
    assert_eq!((known.status, known.header("content-type")), (409, "text/x.tlog.size"));
    assert_eq!(known.text(), format!("{size}\n"));
    let hashes = proof(size, &leaves, true);
    ask(&witness, size, &hashes[1..], &longer).problem(422, "not-grown");
    let mut wrong = hashes.clone();
    wrong[0][0] ^= 1;
    ask(&witness, size, &wrong, &longer).problem(422, "not-grown");
    assert_eq!(ask(&witness, size, &hashes, &longer).status, 200);
    assert_eq!(ask(&witness, size, &hashes, &longer).text(), format!("{new_size}\n"));
    assert_eq!(ask(&witness, new_size, &[], &longer).status, 200, "the same head again");
    // Heads that the operator of the log signed, and that contradict those before.
    let stolen: LogKey =
        std::fs::read_to_string(path("a.ferz.key")).expect("the key").parse().expect("a key");
    let origin = stolen.verifier().name().to_owned();
    let sign = |size: usize, root: Hash, key: &LogKey| {
        Checkpoint { origin: key.verifier().name().to_owned(), size: size as u64, root }.sign(&[key])
    };
    ask(&witness, new_size, &[], &sign(new_size, [7; 32], &stolen)).problem(409, "two-heads");
    let mut forked = leaves.clone();
    forked[1] = [7; 32];
    forked.push([8; 32]);
    let fork = sign(new_size + 1, root(&forked), &stolen);
    ask(&witness, new_size, &proof(new_size, &forked, true), &fork).problem(422, "not-grown");
    ask(&witness, new_size, &[], &note).problem(400, "bad-request");
    // Keys and logs that it does not know, and what is no request.
    let stranger = LogKey::new(&origin, &[9; 32]).expect("a key");
    ask(&witness, new_size, &[], &sign(new_size, root(&leaves), &stranger)).problem(403, "not-signed");
    let unknown = LogKey::new("other", &[9; 32]).expect("a key");
    ask(&witness, 0, &[], &sign(1, [7; 32], &unknown)).problem(404, "unknown-log");
    for body in ["", "old 1\n", "old 01\n\nx\n", "old 0\nAA\n\nx\n"] {
        answer(witness.post("/add-checkpoint", body)).problem(400, "bad-request");
    }
    answer(witness.post("/add-checkpoint", vec![0xff])).problem(400, "bad-request");
    answer(witness.post("/add-checkpoint", " ".repeat(70 << 10))).problem(413, "content-too-large");
    answer(witness.get("/add-checkpoint")).problem(405, "method-not-allowed");
    ask(&server, 0, &[], &note).problem(404, "not-found");
    // Restarted, it knows the last head.
    drop(witness);
    let witness = Server::over(Path::new(&path("w.ferz")), &options);
    assert_eq!(ask(&witness, size, &hashes, &longer).text(), format!("{new_size}\n"));
}

#[test]
fn a_mirror_follows_the_log_to_its_next_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (db, mirror, signer) = (path("a.ferz"), path("mirror"), path("witness.key"));
    let rotate = |more: &[&str]| {
        let (code, key) = run(&[&["archive", "key", "rotate", "--db", &db], more].concat());
        assert_eq!(code, Some(0), "{key}");
        key.trim().to_owned()
    };
    let serve = |games: std::ops::Range<usize>| {
        let server = Server::over(Path::new(&db), &[]);
        assert_eq!(answer(server.post("/api/v1/games", records(games))).status, 201);
        server
    };
    let pull = |server: &Server, to: &str, more: &[&str]| {
        run(&[&["archive", "pull", &server.url(""), "--to", to], more].concat())
    };
    let server = serve(0..3);
    let first = answer(server.get("/log/key")).text().trim().to_owned();
    assert_eq!(pull(&server, &mirror, &["--key", &first]).0, Some(0));
    drop(server);
    // Two changes of keys, and events after each: the mirror misses every head that both keys signed.
    rotate(&[]);
    drop(serve(3..5));
    let second = rotate(&[]);
    let server = serve(5..300);
    let head = path("head");
    std::fs::write(&head, answer(server.get("/log/checkpoint")).text()).expect("written");
    assert_eq!(run(&["verify", &head, "--key", &first]).0, Some(1), "the first key has not signed the head");
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(code == Some(0) && said.contains("the log has only grown"), "{said}");
    assert!(
        said.contains(&format!(
            "which the old one has named; receipts from now on are checked with it: {second}"
        )),
        "{said}"
    );
    let kept = || std::fs::read_to_string(Path::new(&mirror).join("key")).expect("a key");
    assert_eq!(kept().trim(), second);
    // It goes on with the new key. The first one still means the same log.
    let (code, said) = pull(&server, &mirror, &["--key", &first]);
    assert!(code == Some(0) && said.contains("0 new events") && !said.contains("new key"), "{said}");
    // A new mirror that trusts the first key, and one that was interrupted before it kept the new key.
    assert_eq!(pull(&server, &path("late"), &["--key", &first]).0, Some(0));
    std::fs::write(Path::new(&mirror).join("key"), format!("{first}\n")).expect("written");
    assert_eq!(pull(&server, &mirror, &[]).0, Some(0));
    assert_eq!(kept().trim(), second);
    // A witness goes on, too, and its heads from before stay good for receipts.
    run(&["witness", "key", &signer, "--name", "w.example/1"]);
    let place = ["--to", &mirror, "--signer", &signer];
    assert_eq!(run(&[&["witness", "cosign", &server.url("")], &place[..]].concat()).0, Some(0));
    drop(server);
    let third = rotate(&[]);
    let server = serve(300..301);
    assert_eq!(pull(&server, &mirror, &[]).0, Some(0));
    let (code, receipt) = run(&[&["witness", "receipt", "3"], &place[..]].concat());
    assert_eq!(code, Some(0), "{receipt}");
    let file = path("3.tlog-proof");
    std::fs::write(&file, receipt).expect("written");
    assert_eq!(run(&["verify", &file, "--key", &second]).0, Some(0));
    assert_eq!(run(&["verify", &file, "--key", &third]).0, Some(1));
    let (code, said) = run(&["archive", "verify", "--db", &db, "--against", &file]);
    assert_eq!(code, Some(0), "{said}");
    // A key that the old one did not name is not followed, and nothing of its log is kept.
    drop(server);
    rotate(&["--lost"]);
    let server = serve(301..303);
    let events = std::fs::read(Path::new(&mirror).join("events")).expect("events");
    let (code, said) = pull(&server, &mirror, &[]);
    assert!(code == Some(1) && said.contains("no signature by the key"), "{said}");
    assert_eq!(kept().trim(), third);
    assert_eq!(std::fs::read(Path::new(&mirror).join("events")).expect("events"), events);
}
