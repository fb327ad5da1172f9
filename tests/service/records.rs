//! Records in, reports and records out: the same as from the command line.

use crate::common::root;
use crate::server::{Answer, Server, answer, ferz};
use std::io::Write;
use std::process::Stdio;

const PGN: &str = "application/x-chess-pgn";
const NDJSON: &str = "application/x-ndjson";

/// What a command of the program writes when it reads `input`.
fn command(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = ferz()
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("ferz starts");
    let mut stdin = child.stdin.take().expect("its input");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("output");
    let _ = writer.join();
    output.stdout
}

/// All records of the fixtures.
pub fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in ["games", "records"] {
        for entry in std::fs::read_dir(root().join("fixtures").join(folder)).expect("fixtures").flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "pgn") {
                found.push((path.display().to_string(), std::fs::read(&path).expect("a file")));
            }
        }
    }
    assert!(found.len() > 20, "{}", found.len());
    found
}

/// The elements of a JSON array as they are written: no text in them has a line break.
fn elements(answer: &Answer) -> Vec<String> {
    let text = answer.text();
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix("]\n"));
    let inside = inside.unwrap_or_else(|| panic!("{} is no array", crate::server::brief(&text)));
    inside.split(",\n").filter(|element| !element.is_empty()).map(str::to_owned).collect()
}

#[test]
fn reports_are_those_of_the_command_line_byte_for_byte() {
    let server = Server::start(&[]);
    let mut games = 0;
    for (name, text) in fixtures() {
        let lines = command(&["validate", "--format", "ndjson"], &text);
        let request = || server.post("/api/v1/validate", text.clone()).header("content-type", PGN);
        let streamed = answer(request().header("accept", NDJSON));
        assert_eq!(streamed.header("content-type"), NDJSON);
        assert!(streamed.body == lines, "{name}");
        let array = answer(request());
        assert_eq!(array.header("content-type"), "application/json");
        let expected: Vec<&str> = std::str::from_utf8(&lines).expect("text").lines().collect();
        assert!(elements(&array) == expected, "{name}");
        assert_eq!(array.header("ferz-games"), expected.len().to_string());
        games += expected.len();
    }
    assert!(games > 50, "{games}");
}

#[test]
fn many_games_come_slice_by_slice() {
    // Words between two games are told of the one before or after them, as the slices are cut.
    let is_letter = |text: &[u8]| text.starts_with(b"Dear");
    let texts = fixtures().into_iter().map(|(_, text)| text).filter(|text| !is_letter(text));
    let text: Vec<u8> = texts.flat_map(|text| [text, b"\n\n".to_vec()].concat()).collect();
    let text = text.repeat(1 + 1_200_000 / text.len());
    let server = Server::start(&[]);
    let lines = command(&["validate", "--format", "ndjson"], &text);
    let streamed = answer(server.post("/api/v1/validate", text.clone()).header("accept", NDJSON));
    assert!(streamed.body == lines);
    assert_eq!(streamed.header("content-length"), "", "the answer is streamed");
    let converted = answer(server.post("/api/v1/convert?to=lan", text.clone()).header("accept", PGN));
    assert!(converted.body == command(&["convert", "--to", "lan"], &text));
}

#[test]
fn findings_are_counted() {
    let server = Server::start(&[]);
    let illegal = "1. e4 e5 2. Ke3 *";
    let warned = "1. e4 e5 2. Nf3+ *";
    for (text, query, games, findings) in [
        ("1. e4 *", "", "1", "0"),
        (illegal, "", "1", "1"),
        (warned, "", "1", "0"),
        (warned, "?strict=true", "1", "1"),
        (warned, "?strict=1", "1", "1"),
        (warned, "?style=&variant=", "1", "0"),
        (warned, "?strict=0", "1", "0"),
        ("", "", "0", "0"),
    ] {
        let told = answer(server.post(&format!("/api/v1/validate{query}"), text));
        assert_eq!(
            (told.header("ferz-games"), told.header("ferz-findings")),
            (games, findings),
            "{text} {query}"
        );
    }
}

#[test]
fn letters_of_languages() {
    let server = Server::start(&[]);
    let german = "1. e4 e5 2. Se2 Se7 *";
    let judged = |query: &str| {
        let told = answer(server.post(&format!("/api/v1/validate{query}"), german));
        let report = &told.json()[0];
        (report["legal"] == true, report["language"].as_str().map(str::to_owned))
    };
    assert_eq!(judged(""), (false, None), "German or Czech");
    assert_eq!(judged("?language=auto"), (false, None));
    assert_eq!(judged("?language=de"), (true, Some("de".into())));
    assert_eq!(judged("?language=czech"), (true, Some("cs".into())));
    assert_eq!(judged("?language=en"), (false, None));
    for (query, plies) in [
        ("to=san&from_language=de", "1. e4 e5 2. Ne2 Ne7"),
        ("to=san&from_language=cs", "1. e4 e5 2. Be2 Be7"),
        ("to=san&from_language=de&language=fr", "1. e4 e5 2. Ce2 Ce7"),
        ("to=coord&from_language=cs&language=en", "1. e2e4 e7e5 2. f1e2 f8e7"),
    ] {
        let request = server.post(&format!("/api/v1/convert?{query}"), german).header("accept", PGN);
        let text = answer(request).text();
        assert!(text.contains(plies), "{query}: {text}");
    }
    for query in ["validate?language=xx", "convert?to=san&language=xx", "convert?to=coord&language=de"] {
        answer(server.post(&format!("/api/v1/{query}"), german)).problem(422, "bad-option");
    }
}

#[test]
fn strict_mode_refuses_what_is_read_with_good_will() {
    let server = Server::start(&[]);
    for (text, code, spelling) in [("1. nf3 *", "N027", "Nf3"), ("1. e4 d5 2. ed *", "N029", "exd5")] {
        for (query, severity) in [("", "warning"), ("?strict=1", "error")] {
            let told = answer(server.post(&format!("/api/v1/validate{query}"), text));
            let said = &told.json()[0]["diagnostics"][0];
            assert_eq!(
                (&said["code"], &said["severity"]),
                (&code.into(), &severity.into()),
                "{text} {query}"
            );
            assert_eq!(said["spelling"], spelling);
        }
    }
}

#[test]
fn records_come_in_several_forms() {
    let server = Server::start(&[]);
    let reports = |answer: &Answer| {
        assert_eq!(answer.status, 200, "{}", crate::server::brief(&answer.text()));
        elements(answer)
    };
    let plain = reports(&answer(server.post("/api/v1/validate", "1. e4 e5 *")));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(b"1. e4 e5 *").expect("memory");
    let gzip = gzip.finish().expect("memory");
    let zstd = zstd::encode_all(&b"1. e4 e5 *"[..], 3).expect("memory");
    // `printf '1. e4 e5 *' | xz`
    let xz = std::fs::read(root().join("fixtures/records/packed.pgn.xz")).expect("a file");
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("a/round.pgn", zip::write::SimpleFileOptions::default()).expect("memory");
    zip.write_all(b"1. e4 e5 *").expect("memory");
    let zip = zip.finish().expect("memory").into_inner();
    let cut = answer(server.post("/api/v1/validate", zip[..zip.len() - 9].to_vec()));
    assert_eq!(cut.status, 400, "{}", cut.text());
    assert!(cut.text().contains("the zip archive is damaged"), "{}", cut.text());
    for (kind, encoding, body) in [
        ("text/plain", "", b"1. e4 e5 *".to_vec()),
        ("text/plain; charset=utf-8", "identity", b"1. e4 e5 *".to_vec()),
        ("application/json", "", br#"{"records":"1. e4 e5 *"}"#.to_vec()),
        ("application/x-www-form-urlencoded", "", b"1. e4 e5 *".to_vec()),
        ("application/x-www-form-urlencoded", "", b"records=1.+e4+e5+*".to_vec()),
        (PGN, "gzip", gzip.clone()),
        (PGN, "zstd", zstd.clone()),
        (PGN, "", zstd),
        (PGN, "", zip),
        (PGN, "", xz.clone()),
        ("application/x-www-form-urlencoded", "", xz),
        ("application/x-www-form-urlencoded", "", gzip),
    ] {
        let mut request = server.post("/api/v1/validate", body).header("content-type", kind);
        if !encoding.is_empty() {
            request = request.header("content-encoding", encoding);
        }
        assert_eq!(reports(&answer(request)), plain, "{kind} {encoding}");
    }
    let xqf = std::fs::read(root().join("fixtures/files/plain.xqf")).expect("a file");
    let xqf = reports(&answer(server.post("/api/v1/validate", xqf)));
    assert!(xqf.len() == 1 && xqf[0].contains("\"variant\":\"xiangqi\""), "{xqf:?}");
    let fens = answer(server.post("/api/v1/convert?to=json&fen=true", "1. e4 *")).json();
    assert!(fens["records"][0]["moves"][0]["played"]["fen"].is_string(), "{fens}");
    let style = answer(server.post("/api/v1/validate?style=coord&variant=iago-b", "1. e2e4 e7e5 2. g1f3m *"));
    let style = style.json();
    assert_eq!((&style[0]["legal"], &style[0]["variant"]), (&true.into(), &"iago-b".into()));
}

#[test]
fn conversion_is_that_of_the_command_line() {
    let server = Server::start(&[]);
    for (name, text) in fixtures() {
        for style in ["san", "coord", "iago"] {
            let path = format!("/api/v1/convert?to={style}");
            let request = || server.post(&path, text.clone());
            let pgn = answer(request().header("accept", PGN));
            assert!(pgn.body == command(&["convert", "--to", style], &text), "{name} {style}");
            let lines = answer(request().header("accept", NDJSON));
            let expected = command(&["convert", "--to", style, "--format", "ndjson"], &text);
            assert!(lines.body == expected, "{name} {style}");
            let json = answer(request()).json();
            assert_eq!(json["records"].as_str().map(str::as_bytes), Some(&pgn.body[..]), "{name} {style}");
            let losses: usize = std::str::from_utf8(&expected)
                .expect("text")
                .lines()
                .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
                .map(|line| line["losses"].as_array().map_or(0, Vec::len))
                .sum();
            assert_eq!(json["losses"].as_array().map(Vec::len), Some(losses), "{name} {style}");
            assert!(json["errors"].is_array(), "{name} {style}");
        }
    }
}

#[test]
fn conversion_has_options() {
    let server = Server::start(&[]);
    let open = answer(server.post("/api/v1/convert?to=san", "1. e4 e5 {oops 2. Nf3 1-0"));
    assert_eq!(open.header("ferz-findings"), "1");
    assert_eq!(open.json()["errors"][0]["code"], "S012");
    let text = "[Variant \"iago-b\"]\n\n1. Ng1-f3&M *";
    let sign = answer(server.post("/api/v1/convert?to=iago&sign=@", text).header("accept", PGN));
    assert!(sign.text().contains("Ng1-f3@M"), "{}", sign.text());
    let chaos = crate::common::fixture("games/chaos-short.pgn");
    let ascii = answer(server.post("/api/v1/convert?to=chaos&ascii=true", chaos)).json();
    let records = ascii["records"].as_str().expect("records");
    assert!(records.contains("oo1.....") && !records.contains('∞'), "{records}");
    for query in ["?to=iago&sign=x", "?to=nonsense", "?to=", "?to=san&style=nonsense", ""] {
        answer(server.post(&format!("/api/v1/convert{query}"), text)).problem(400, "bad-query");
    }
    answer(server.post("/api/v1/convert?to=san&variant=nonsense", text)).problem(422, "bad-option");
}

#[test]
fn match_points_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let text = std::fs::read(root().join("fixtures/games/iago-match.pgn")).expect("a fixture");
    for (query, arguments) in [
        ("", &[][..]),
        ("?points=match&delays=game", &["--points", "match", "--delays", "game"]),
        ("?points=", &["--points", "game"]),
    ] {
        let told = answer(server.post(&format!("/api/v1/match{query}"), text.clone()));
        assert_eq!(told.status, 200, "{query}: {}", told.text());
        let printed = command(&[&["match", "--format", "json"], arguments].concat(), &text);
        let mut printed: serde_json::Value = serde_json::from_slice(&printed).expect("JSON");
        // The command reads several files.
        for game in printed["games"].as_array_mut().expect("games") {
            game.as_object_mut().expect("a game").remove("file");
        }
        assert_eq!(told.json(), printed, "{query}");
        let games = printed["games"].as_array().map_or(0, Vec::len);
        assert_eq!(told.header("ferz-games"), games.to_string(), "{query}");
    }
    let wrong = answer(server.post("/api/v1/match?points=week", text)).problem(400, "bad-query");
    assert!(wrong["detail"].as_str().is_some_and(|detail| detail.contains("`game` or `match`")), "{wrong}");
}

#[test]
fn bulletins_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let text = std::fs::read(root().join("fixtures/games/iago-match.pgn")).expect("a fixture");
    for (query, arguments) in [
        ("", &[][..]),
        (
            "?title=Round%201%20%3Cb%3E&every=9&to=lan&pieces=impromptu",
            &["--title", "Round 1 <b>", "--every", "9", "--to", "lan", "--pieces", "impromptu"],
        ),
    ] {
        let told = answer(server.post(&format!("/api/v1/bulletins{query}"), text.clone()));
        assert_eq!(told.status, 200, "{query}: {}", told.text());
        assert_eq!(
            told.text(),
            String::from_utf8_lossy(&command(&[&["bulletin"], arguments].concat(), &text))
        );
        assert_eq!(told.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(told.header("ferz-games"), told.text().matches("<article>").count().to_string());
    }
    answer(server.post("/api/v1/bulletins?every=0", text)).problem(400, "bad-query");
}

#[test]
fn armies_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    for (query, arguments) in [("", &[][..]), ("?all=1", &["--all"])] {
        let path = format!("/api/v1/variants/augmented/armies{query}");
        let printed =
            ferz().args(["variants", "armies"]).args(arguments).output().expect("ferz starts").stdout;
        assert_eq!(answer(server.get(&path).header("accept", "text/plain")).body, printed, "{query}");
        let told = answer(server.get(&path)).json();
        let lines: Vec<&str> = std::str::from_utf8(&printed).expect("text").lines().collect();
        assert_eq!(told, serde_json::json!({"name": "augmented", "count": lines.len(), "armies": lines}));
    }
    let none = answer(server.get("/api/v1/variants/chess/armies")).problem(404, "unknown-variant");
    assert!(none["detail"].as_str().is_some_and(|detail| detail.contains("no choice of armies")), "{none}");
    answer(server.get("/api/v1/variants/nonsense/armies")).problem(404, "unknown-variant");
}

/// Caches must not give one client the form that another accepts.
#[test]
fn answers_vary_by_what_is_accepted() {
    let server = Server::start(&[]);
    for path in ["/api/v1/games", "/api/v1/variants", "/api/v1/variants/chess", "/games", "/api/v1/nothing"] {
        let told = answer(server.get(path));
        let vary = told.headers.get_all("vary").iter().filter_map(|value| value.to_str().ok());
        assert!(vary.flat_map(|value| value.split(',')).any(|name| name.trim() == "accept"), "{path}");
    }
}
