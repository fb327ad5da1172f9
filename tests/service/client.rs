//! The client against servers of all sorts: one that answers, and those that drop, stall, refuse and talk nonsense.
#![cfg(feature = "client")]
#![allow(clippy::unwrap_used)]

use ferz::record::read;
use ferz_cli::client::{Client, ClientError, Form, Retries, Settings, Submitted, batches};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// What a server does with one request.
enum Act {
    /// Closes the connection without a word.
    Drop,
    /// Begins an answer and closes the connection in the middle of it.
    Half,
    /// Says nothing until the client has gone.
    Stall,
    /// Answers with a status, headers and a body.
    Say(u16, &'static str, String),
    /// Stores the records of the body: as many items as there are.
    Store,
    /// Answers without an end.
    Endless,
    /// Refuses more than so many records as too many, and stores fewer.
    StoreUpTo(usize),
}

/// A request as it came.
#[derive(Debug)]
struct Seen {
    line: String,
    head: String,
    body: Vec<u8>,
}

/// A server that acts as it is told, one request a connection; what it sees comes out of the channel.
fn server(acts: Vec<Act>) -> (String, Receiver<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, seen) = channel();
    std::thread::spawn(move || {
        for act in acts {
            let (stream, _) = listener.accept().unwrap();
            let request = request(&stream);
            answer(stream, &act, &request.body);
            // Not every test looks at what was asked.
            let _ = sender.send(request);
        }
    });
    (address, seen)
}

fn request(stream: impl Read) -> Seen {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && head != "\r\n" {
        assert!(reader.read_line(&mut head).unwrap() > 0, "a request ends early: {line}{head}");
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    Seen { line: line.trim_end().to_owned(), head, body }
}

fn answer(mut stream: TcpStream, act: &Act, body: &[u8]) {
    let games = read(body, 0).count();
    let (status, headers, text) = match act {
        Act::Drop => return,
        Act::Half => {
            stream.write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\n{\"items\":[").unwrap();
            return;
        }
        Act::Endless => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            while stream.write_all(&[b'x'; 1 << 16]).is_ok() {}
            return;
        }
        Act::Stall => {
            // Ends when the client closes its side.
            let _ = stream.read(&mut [0; 1]);
            return;
        }
        Act::Say(status, headers, text) => (*status, *headers, text.clone()),
        Act::StoreUpTo(limit) if games > *limit => (422, "", problem(422, "too-many-games")),
        Act::Store | Act::StoreUpTo(_) => {
            let item = |n: usize| {
                let record = read(body, 0).nth(n).unwrap();
                let id = id_of(record.source());
                format!(r#"{{"id":"{id}","created":true,"valid":{},"report":{{}}}}"#, n != 1)
            };
            (201, "", format!(r#"{{"items":[{}]}}"#, (0..games).map(item).collect::<Vec<_>>().join(",")))
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
}

/// An id that depends on the record alone.
fn id_of(bytes: &[u8]) -> String {
    let sum = bytes.iter().fold(17u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    format!("{sum:016x}")
}

fn problem(status: u16, name: &str) -> String {
    format!(
        r#"{{"type":"/problems/{name}","title":"This is {name}","status":{status},"detail":"because","remedy":"Do it"}}"#
    )
}

fn client(server: &str, retries: u32) -> Client {
    Client::new(&Settings {
        retries: Retries {
            count: retries,
            unheard: 1,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(20),
        },
        request_max: Duration::from_secs(20),
        ..Settings::new(server)
    })
    .unwrap()
}

fn games(count: usize) -> Vec<u8> {
    (0..count).flat_map(|n| format!("[White \"{n}\"]\n\n1. e4 {{{n}}} *\n\n").into_bytes()).collect()
}

fn submit(client: &Client, text: &[u8]) -> Result<Vec<Submitted>, ClientError> {
    let batch = batches(text).unwrap().next().unwrap().unwrap();
    client.submit(&batch)
}

/// The ids, where every record was stored.
fn ids(submitted: &[Submitted]) -> Vec<String> {
    submitted.iter().map(|one| one.outcome.as_ref().unwrap().id.clone()).collect()
}

#[test]
fn passing_troubles_are_waited_for_and_the_same_is_sent_again() {
    let acts = vec![
        Act::Drop,
        Act::Say(503, "Retry-After: 1\r\n", problem(503, "busy")),
        Act::Say(429, "", String::new()),
        Act::Half,
        Act::Say(502, "", "<html>".into()),
        Act::Store,
    ];
    let (address, seen) = server(acts);
    let text = games(3);
    let submitted = submit(&client(&address, 9), &text).unwrap();
    assert_eq!(submitted.iter().map(|one| one.game).collect::<Vec<_>>(), [0, 1, 2]);
    let requests: Vec<Seen> = seen.iter().collect();
    assert_eq!(requests.len(), 6);
    assert!(requests.iter().all(|seen| seen.body == text && seen.line == "POST /api/v1/games HTTP/1.1"));
    assert!(requests[0].head.contains("content-type: application/x-chess-pgn"), "{}", requests[0].head);
}

#[test]
fn patience_ends() {
    let (address, seen) = server(vec![Act::Drop, Act::Drop, Act::Drop]);
    let error = submit(&client(&address, 2), &games(1)).unwrap_err();
    assert!(matches!(error, ClientError::Unreachable { tried: 3, .. }), "{error}");
    assert!(error.to_string().contains("tried 3 times"), "{error}");
    assert_eq!(seen.iter().count(), 3);
    let (address, _) = server(vec![Act::Say(503, "", problem(503, "busy"))]);
    let error = submit(&client(&address, 0), &games(1)).unwrap_err().to_string();
    assert_eq!(error, format!("{address}: This is busy (503): because; Do it"));
}

/// Where nothing ever answered, patience is short; whoever answered once is waited for.
#[test]
fn patience_is_short_where_nothing_listens() {
    let address = format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let error = submit(&client(&address, 9), &games(1)).unwrap_err();
    assert!(matches!(error, ClientError::Unreachable { tried: 2, .. }), "{error}");
    let (address, seen) = server(vec![Act::Store]);
    let client = client(&address, 4);
    submit(&client, &games(1)).unwrap();
    // The server is gone when its last act is done.
    while seen.recv().is_ok() {}
    let error = submit(&client, &games(1)).unwrap_err();
    assert!(matches!(error, ClientError::Unreachable { tried: 5, .. }), "{error}");
}

#[test]
fn a_server_that_stalls_is_given_up() {
    let (address, _) = server(vec![Act::Stall]);
    let settings = Settings { request_max: Duration::from_millis(100), ..Settings::new(&address) };
    let settings = Settings { retries: Retries { count: 0, ..Retries::default() }, ..settings };
    let error = submit(&Client::new(&settings).unwrap(), &games(1)).unwrap_err();
    assert!(error.to_string().contains("the request timed out"), "{error}");
}

#[test]
fn an_answer_without_end_is_given_up() {
    let (address, _) = server(vec![Act::Endless, Act::Endless, Act::Endless]);
    let client = client(&address, 0);
    let errors = [
        client.log("checkpoint").unwrap_err(),
        client.log("tile/entries/000").unwrap_err(),
        client.game("00", Form::Original).unwrap_err(),
    ];
    for error in errors {
        assert!(error.to_string().contains("it is longer than "), "{error}");
    }
}

#[test]
fn a_refusal_that_lasts_is_not_asked_again() {
    let (address, seen) = server(vec![Act::Say(401, "", problem(401, "no-token"))]);
    let error = submit(&client(&address, 5), &games(1)).unwrap_err();
    assert_eq!(error.to_string(), format!("{address}: This is no-token (401): because; Do it"));
    assert_eq!(seen.iter().count(), 1);
}

#[test]
fn what_is_too_much_goes_in_halves_and_each_game_has_its_outcome() {
    let text = games(5);
    // 5 → 2 and 3; 3 → 1 and 2.
    let (address, seen) = server((0..5).map(|_| Act::StoreUpTo(2)).collect());
    let submitted = submit(&client(&address, 0), &text).unwrap();
    assert_eq!(submitted.iter().map(|one| one.game).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    let wanted: Vec<String> = read(&text, 0).map(|record| id_of(record.source())).collect();
    assert_eq!(ids(&submitted), wanted);
    assert_eq!(seen.iter().count(), 5);
}

#[test]
fn a_record_that_no_request_takes_does_not_keep_the_others_back() {
    // Two games: together too much, the first alone too, the second fits.
    let acts = vec![
        Act::Say(413, "", problem(413, "content-too-large")),
        Act::Say(413, "", problem(413, "content-too-large")),
        Act::Store,
    ];
    let (address, _) = server(acts);
    let submitted = submit(&client(&address, 0), &games(2)).unwrap();
    assert!(submitted[0].outcome.is_err() && submitted[1].outcome.is_ok());
}

#[test]
fn answers_that_are_none_of_a_service_are_told() {
    for (act, wanted) in [
        (Act::Say(200, "", "<html>hello</html>".into()), "not that of a ferz service"),
        (Act::Say(201, "", r#"{"items":[]}"#.into()), "1 games were sent, but it answers for 0"),
        (Act::Say(301, "Location: https://elsewhere/\r\n", String::new()), "redirects to https://elsewhere/"),
    ] {
        let (address, _) = server(vec![act]);
        let error = submit(&client(&address, 0), &games(1)).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

/// A text that the service skips has an outcome of its own; the records beside it keep theirs.
#[test]
fn a_text_that_is_no_record_has_its_own_outcome() {
    let kept = |id: &str| format!(r#"{{"id":"{id}","created":true,"valid":true,"report":{{}}}}"#);
    let answer = format!(
        r#"{{"items":[{},{}],"skipped":[{{"record":1,"line":3,"message":"a letter"}}]}}"#,
        kept("a"),
        kept("b")
    );
    let (address, _) = server(vec![Act::Say(201, "", answer)]);
    let submitted = submit(&client(&address, 0), &games(3)).unwrap();
    let ids: Vec<Result<&str, String>> = submitted
        .iter()
        .map(|one| one.outcome.as_ref().map(|stored| stored.id.as_str()).map_err(ToString::to_string))
        .collect();
    assert_eq!(ids, [Ok("a"), Err("not a game record: a letter".to_owned()), Ok("b")]);
}

#[test]
fn tokens_and_forms_travel_in_headers() {
    let say = || Act::Say(200, "", "1. e4 *\n".into());
    let (address, seen) = server(vec![say(), say(), say()]);
    let settings = Settings { token: Some("s3cret".into()), ..Settings::new(format!("{address}/desk/")) };
    let client = Client::new(&settings).unwrap();
    for form in [Form::Canonical, Form::Original, Form::Json] {
        assert_eq!(client.game("a/b", form).unwrap(), b"1. e4 *\n");
    }
    let requests: Vec<Seen> = seen.iter().collect();
    let lines: Vec<&str> = requests.iter().map(|seen| seen.line.as_str()).collect();
    let path = "GET /desk/api/v1/games/a%2Fb";
    assert_eq!(
        lines,
        [format!("{path} HTTP/1.1"), format!("{path}?original=1 HTTP/1.1"), format!("{path} HTTP/1.1")]
    );
    assert!(requests.iter().all(|seen| seen.head.contains("authorization: bearer s3cret")));
    assert!(requests[2].head.contains("accept: application/json"));
}

/// The program against the service itself.
#[cfg(all(unix, feature = "cli", feature = "server"))]
mod service {
    use crate::server::{Server, answer, ferz};
    use ferz::archive::{Archive, GameId};
    use ferz::record::read;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Output, Stdio};

    const FILES: [&str; 4] = ["ichess-sample", "chaos-short", "iago-b-blocked", "iago-whole-games"];

    fn path(name: &str) -> String {
        format!("{}/fixtures/games/{name}.pgn", env!("CARGO_MANIFEST_DIR"))
    }

    fn command(verb: &str, server: &Server) -> Command {
        let mut command = ferz();
        command.args([verb, "--server", &server.url("")]).env_remove("FERZ_TOKEN");
        command
    }

    fn run(verb: &str, server: &Server, args: &[&str]) -> Output {
        command(verb, server).args(args).stdin(Stdio::null()).output().unwrap()
    }

    fn text(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    /// The ids in the lines of `ferz submit`.
    fn ids(out: &str) -> Vec<String> {
        out.lines().map(|line| line.split(": ").nth(2).unwrap().to_owned()).collect()
    }

    #[test]
    fn records_go_there_and_come_back_byte_for_byte() {
        let server = Server::start(&[]);
        let paths = FILES.map(path);
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let first = run("submit", &server, &paths);
        let (out, err) = (text(&first.stdout), text(&first.stderr));
        assert_eq!(first.status.code(), Some(1), "one of them is not legal: {err}");
        let bytes: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
        let records: Vec<&[u8]> =
            bytes.iter().flat_map(|text| read(text, 0).map(|record| record.source())).collect();
        let ids = ids(out);
        assert_eq!(ids.len(), records.len(), "{out}");
        for (id, record) in ids.iter().zip(&records) {
            let fetched = run("fetch", &server, &["--original", id]);
            assert_eq!(fetched.status.code(), Some(0), "{}", text(&fetched.stderr));
            assert!(fetched.stdout == *record, "{id}");
            let report = run("fetch", &server, &["--format", "json", id]);
            let report = text(&report.stdout);
            assert!(report.starts_with(&format!("{{\"id\":\"{id}\"")));
            assert_eq!((report.lines().count(), report.ends_with('\n')), (1, true), "{report}");
        }
        let again = run("submit", &server, &paths);
        assert!(text(&again.stderr).contains(": 0 new, "), "{}", text(&again.stderr));
        assert_eq!(text(&again.stdout), out.replace(": new, ", ": known, "));
        let all = run("fetch", &server, &["--all", "--valid", "true"]);
        let legal = out.lines().filter(|line| line.ends_with(", legal")).count();
        assert!(legal > 0 && legal < records.len());
        assert_eq!(read(&all.stdout, 0).count(), legal, "{}", text(&all.stderr));
    }

    /// What helps is said in the program's words: what to type, not what to ask the service for.
    #[test]
    fn what_a_service_refuses_is_told_with_what_to_type() {
        let server = Server::start(&[]);
        for (args, wanted) in [
            (
                &["x"][..],
                "`x` is not the id of a game; an id has 32 hexadecimal digits, of which the first 4 or more suffice; \
                 write ids as printed by `ferz",
            ),
            (&["00000000000000000000000000000000"], "; write ids as printed by `ferz submit`, filters"),
            (&["--since", "May"], "write a year, a month or a day: 1984, 1984.05, 1984.05.17"),
        ] {
            let refused = run("fetch", &server, args);
            let told = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(2), "{args:?}: {told}");
            assert!(told.contains(wanted) && !told.contains("GET "), "{args:?}: {told}");
        }
    }

    /// Whoever waits is told for what, how often still, and how to stop.
    #[test]
    fn waiting_for_a_service_that_is_not_there_is_told_and_ends_soon() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.pgn");
        std::fs::write(&file, "1. e4 *\n").unwrap();
        let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mut submit = ferz();
        submit.args(["submit", "--server", &format!("http://{address}"), "--retries", "2"]).arg(&file);
        let done = submit.env_remove("FERZ_TOKEN").output().unwrap();
        let told = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{told}");
        for wanted in [
            format!("ferz: http://{address}: no connection ("),
            "; trying again in ".into(),
            "s (1 of 2)\n  press Ctrl-C to stop; ".into(),
            "s (2 of 2)\nferz: error: ".into(),
            "(tried 3 times); check the address".into(),
        ] {
            assert!(told.contains(&wanted), "{wanted}: {told}");
        }
    }

    /// What could not be judged is not called illegal, and why it could not is said.
    #[test]
    fn what_the_service_could_not_judge_is_told_apart() {
        let server = Server::start(&[]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        std::fs::write(&file, "[Variant \"nonsense\"]\n\n1. e4 *\n\n[White \"Ann\"]\n\n1. e5 *\n").unwrap();
        let submitted = run("submit", &server, &[file.to_str().unwrap()]);
        let (out, err) = (text(&submitted.stdout), text(&submitted.stderr));
        assert_eq!(submitted.status.code(), Some(1), "{err}");
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].contains(": new, not judged: unknown variant `nonsense`"), "{out}");
        assert!(lines[1].ends_with(": new, ILLEGAL at ply 1 (no-such-move)"), "{out}");
        assert!(err.contains("2 games: 2 new, 0 known; 1 illegal, 1 not judged"), "{err}");
    }

    #[test]
    fn a_service_that_is_killed_and_comes_back_gets_everything_once() {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("games.ferz");
        let first = Server::over(&db, &[]);
        let address = first.address.to_string();
        let file = folder.path().join("games.pgn");
        let count = 5_000;
        let games: String =
            (0..count).map(|n| format!("[White \"{n}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n")).collect();
        std::fs::write(&file, games).unwrap();
        let mut submit = command("submit", &first);
        submit.args(["--retries", "30"]).arg(&file).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = submit.spawn().unwrap();
        let mut err = child.stderr.take().unwrap();
        let told = std::thread::spawn(move || {
            let mut told = String::new();
            err.read_to_string(&mut told).unwrap();
            told
        });
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        first.kill();
        let second = Server::at(&address, &db, &[]);
        let rest: Vec<String> = lines.map(Result::unwrap).collect();
        assert!(child.wait().unwrap().success());
        let told = told.join().unwrap();
        assert!(told.contains("trying again in "), "{told}");
        assert!(told.contains(&format!("{count} games: ")), "{told}");
        let ids: std::collections::BTreeSet<GameId> =
            ids(&[vec![line], rest].concat().join("\n")).iter().map(|id| id.parse().unwrap()).collect();
        assert_eq!(ids.len(), count);
        let archive = Archive::open_existing(&second.db).unwrap();
        let counts = archive.counts().unwrap();
        assert_eq!(
            (counts.games, counts.texts),
            (count as u64, count as u64),
            "nothing lost, nothing doubled"
        );
        assert!(ids.iter().all(|id| archive.get(*id).unwrap().is_some()));
    }

    #[test]
    fn a_service_that_asks_for_a_token_gets_it() {
        let server = Server::start(&[]);
        let token = Archive::open(&server.db).unwrap().add_token("arbiter").unwrap();
        let file = path("chaos-short");
        let refused = run("submit", &server, &[&file]);
        let err = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{err}");
        assert!(err.contains("(401)") && err.contains("FERZ_TOKEN"), "{err}");
        let wrong = run("submit", &server, &["--token", "ferz_x", &file]);
        assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong.stderr));
        let given = command("submit", &server).env("FERZ_TOKEN", &token).arg(&file).output().unwrap();
        assert_eq!(given.status.code(), Some(0), "{}", text(&given.stderr));
        let id = &ids(text(&given.stdout))[0];
        let fetched = run("fetch", &server, &["--token", &token, "--original", id]);
        assert!(fetched.stdout == std::fs::read(&file).unwrap(), "{}", text(&fetched.stderr));
        answer(server.get("/api/v1/games")).problem(401, "unauthorized");
    }
}

#[cfg(feature = "cli")]
mod program {
    use super::*;
    use assert_cmd::Command;

    /// Exit code, data and messages of a run.
    fn ferz(args: &[&str], input: &[u8]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferz"));
        let output = command.args(args).env_remove("FERZ_TOKEN").write_stdin(input).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    #[test]
    fn submit_tells_one_line_a_game_and_of_illegal_ones_by_its_exit_code() {
        let (address, _) = server(vec![Act::Store]);
        let (code, out, err) = ferz(&["submit", "--server", &address], &games(2));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(code, 1, "{err}");
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("standard input: game 1: ") && lines[0].ends_with(": new, legal"));
        assert!(lines[1].ends_with(": new, ILLEGAL"), "{out}");
        assert!(err.ends_with("2 games: 2 new, 0 known; 1 illegal\n"), "{err}");
    }

    #[test]
    fn submit_as_json_is_one_object_a_game() {
        let (address, _) = server(vec![Act::Store]);
        let (code, out, _) = ferz(&["submit", "--server", &address, "--format", "ndjson"], &games(1));
        let line: serde_json::Value = serde_json::from_str(out.trim_end()).unwrap();
        assert_eq!(code, 0);
        assert_eq!((line["game"].as_u64(), line["created"].as_bool()), (Some(0), Some(true)));
    }

    #[test]
    fn submit_that_stops_says_where_to_go_on() {
        let (address, _) = server(vec![Act::Store, Act::Say(500, "", problem(500, "internal"))]);
        let (code, out, err) = ferz(&["submit", "--server", &address], &games(260));
        assert_eq!((code, out.lines().count()), (2, 250));
        assert!(err.contains("not submitted from game 251 on; run the command again"), "{err}");
    }

    #[test]
    fn fetch_follows_the_cursor_to_the_end() {
        let page =
            |ids: &str, next: &str| Act::Say(200, "", format!(r#"{{"items":[{ids}],"next_cursor":{next}}}"#));
        let game = |text: &str| Act::Say(200, "", text.to_owned());
        let acts = vec![
            page(r#"{"id":"a"},{"id":"b"}"#, r#""more""#),
            game("1. a4 *\n"),
            game("1. b4 *\n\n"),
            page(r#"{"id":"c"}"#, "null"),
            game("1. c4 *\n"),
        ];
        let (address, seen) = server(acts);
        let args = ["fetch", "--server", &address, "--all", "--player", "Ann & Ben"];
        let (code, out, err) = ferz(&args, b"");
        assert_eq!((code, out.as_str()), (0, "1. a4 *\n\n1. b4 *\n\n1. c4 *\n"), "{err}");
        let lines: Vec<String> = seen.iter().map(|seen| seen.line).collect();
        assert_eq!(lines[0], "GET /api/v1/games?player=Ann+%26+Ben HTTP/1.1");
        assert_eq!(lines[3], "GET /api/v1/games?player=Ann+%26+Ben&cursor=more HTTP/1.1");
    }

    #[test]
    fn fetch_goes_on_behind_a_game_that_is_not_there() {
        let acts = vec![
            Act::Say(404, "", problem(404, "not-found")),
            Act::Say(200, "", "1. e4 *".into()),
            Act::Say(200, "", "1. d4 *".into()),
        ];
        let (address, _) = server(acts);
        let (code, out, err) = ferz(&["fetch", "--server", &address, "--original", "x", "y", "z"], b"");
        assert_eq!((code, out.as_str()), (2, "1. e4 *\n1. d4 *"));
        assert!(err.contains("game x: ") && err.contains("This is not-found (404)"), "{err}");
    }

    /// A server with the certificate of `fixtures/tls`, which answers each request with one game.
    fn encrypted() -> String {
        use rustls::pki_types::pem::PemObject;
        use rustls::pki_types::{CertificateDer, PrivateKeyDer};
        let certificate = CertificateDer::from_pem_file("fixtures/tls/localhost.pem").unwrap();
        let key = PrivateKeyDer::from_pem_file("fixtures/tls/localhost.key").unwrap();
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider);
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = std::sync::Arc::new(config.with_single_cert(vec![certificate], key).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let session = rustls::ServerConnection::new(config.clone()).unwrap();
                let mut stream = rustls::StreamOwned::new(session, stream.unwrap());
                // A client that does not trust the certificate hangs up.
                if stream.conn.complete_io(&mut stream.sock).is_ok() {
                    request(&mut stream);
                    let head = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\n";
                    stream.write_all(format!("{head}1. e4 *\n").as_bytes()).unwrap();
                    stream.conn.send_close_notify();
                    let _ = stream.flush();
                }
            }
        });
        format!("https://localhost:{port}")
    }

    #[test]
    fn an_encrypted_service_is_trusted_by_its_certificate() {
        let server = encrypted();
        let fetch = |authority: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ferz"));
            command.args(["fetch", "--server", &server, "--original", "x"]);
            command.env_remove("FERZ_TOKEN").env("SSL_CERT_FILE", authority).output().unwrap()
        };
        let trusted = fetch("fixtures/tls/ca.pem");
        assert_eq!(String::from_utf8(trusted.stdout).unwrap(), "1. e4 *\n", "{:?}", trusted.stderr);
        // Another authority's signature proves nothing.
        let unknown = fetch("fixtures/tls/localhost.pem");
        let message = String::from_utf8(unknown.stderr).unwrap();
        assert_eq!(unknown.status.code(), Some(2), "{message}");
        assert!(unknown.stdout.is_empty() && message.contains("certificate"), "{message}");
        // A machine without certificates still reaches a service without encryption.
        let (plain, _) = super::server(vec![Act::Say(200, "", "1. d4 *".into())]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferz"));
        command.args(["fetch", "--server", &plain, "--original", "x"]).env_remove("FERZ_TOKEN");
        let output =
            command.env("SSL_CERT_FILE", "/dev/null").env("SSL_CERT_DIR", "/dev/null").output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "1. d4 *", "{:?}", output.stderr);
    }

    /// A server's words are shown without what a terminal would obey.
    #[test]
    fn no_control_character_of_a_server_is_printed() {
        let title = "\\u001b]0;OWNED\\u0007\\u001b[2Jgone";
        let body = format!(
            "{{\"type\":\"/problems/x\",\"title\":\"{title}\",\"status\":410,\"detail\":\"a\\u009bb\"}}"
        );
        let (address, _) = server(vec![Act::Say(410, "Content-Type: application/problem+json\r\n", body)]);
        let (code, out, err) = ferz(&["fetch", "--server", &address, "0123"], b"");
        assert_ne!(code, 0);
        assert!(err.contains("gone") && err.contains("\u{241b}"), "{err}");
        assert!(!(out + &err).contains(|char: char| char.is_control() && char != '\n'));
    }

    #[test]
    fn wrong_addresses_are_usage_errors() {
        let (code, _, err) = ferz(&["fetch", "--server", "localhost", "x"], b"");
        assert!(code == 2 && err.contains("write https://HOST or http://HOST:PORT"), "{err}");
    }
}
