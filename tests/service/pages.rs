//! The pages for people, as a browser without scripts uses them. tests/browser drives them in a real one.

use crate::common::fixture;
use crate::server::{Answer, Server, answer};
use reqwest::blocking::RequestBuilder;

const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// A form as a browser sends it, with a file if its name is not empty.
fn form(server: &Server, path: &str, fields: &[(&str, &str)], file: (&str, &[u8])) -> RequestBuilder {
    let mut body = Vec::new();
    for (name, value) in fields {
        let head = format!("--XX\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend([head.as_bytes(), value.as_bytes(), b"\r\n"].concat());
    }
    let (name, bytes) = file;
    let head = format!("--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
    body.extend([head.as_bytes(), bytes, b"\r\n--XX--\r\n"].concat());
    server
        .post(path, body)
        .header("content-type", "multipart/form-data; boundary=XX")
        .header("accept", ACCEPT)
}

fn pasted(server: &Server, record: &str) -> Answer {
    page(form(server, "/", &[("record", record)], ("", b"")))
}

/// A page that came as it should.
#[track_caller]
fn page(request: RequestBuilder) -> Answer {
    let told = answer(request);
    assert_eq!(told.status, 200, "{}", told.text());
    guarded(&told);
    told
}

/// Fails unless the answer is a page that takes nothing from elsewhere and runs no other script than the project's.
#[track_caller]
fn guarded(answer: &Answer) {
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let policy = answer.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self';",
        "style-src 'self';",
        "form-action 'self'",
        "base-uri 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    let text = answer.text();
    assert!(text.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"), "{text}");
    assert!(only_own_script(&text) && !text.contains(" style=\""), "{text}");
}

/// True if the only script of a page is the project's own.
fn only_own_script(html: &str) -> bool {
    html.matches("<script").count() == 1 && html.contains("<script src=\"/assets/")
}

/// The text of a page, with single blanks.
fn words(page: &Answer) -> String {
    let mut out = String::new();
    let mut in_tag = false;
    for c in page.text().chars() {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            c if !in_tag => out.push(c),
            _ => {}
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of a hidden field.
fn hidden(page: &Answer, name: &str) -> String {
    let text = page.text();
    let (_, rest) = text.split_once(&format!("name=\"{name}\" value=\"")).expect("the field");
    rest.split('"').next().expect("a value").to_owned()
}

/// The value of a hidden field of the last form with an action.
fn hidden_of(page: &Answer, action: &str, name: &str) -> String {
    let text = page.text();
    let (_, form) = text.rsplit_once(&format!("action=\"{action}\">")).expect("the form");
    let (_, rest) = form.split_once(&format!("name=\"{name}\" value=\"")).expect("the field");
    rest.split('"').next().expect("a value").to_owned()
}

#[test]
fn a_legal_game() {
    let server = Server::start(&[]);
    let told = words(&pasted(&server, &fixture("games/ichess-sample.pgn")));
    for part in [
        "Legal: 69 plies",
        "White wins by checkmate after ply 69 ( ICH 7 )",
        "The record’s result 1-0 agrees with the board",
        "After ply 69: Nb6#",
    ] {
        let found = told.contains(part) || told.contains(&part.replace("( ", "(").replace(" )", ")"));
        assert!(found, "{part}: {told}");
    }
}

#[test]
fn an_illegal_ply() {
    let server = Server::start(&[]);
    let page = pasted(&server, &fixture("games/iago-b-blocked.pgn"));
    let told = words(&page);
    for part in [
        "Illegal at ply 7 (move 4, White)",
        "a piece stands in the way of castling",
        "Ke1-f1",
        "Line 10, column 55",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let html = page.text();
    assert!(html.contains("<a href=\"/rules/chess#FIDE_3.8\">FIDE 3.8</a>"), "{html}");
    assert!(html.contains("<li id=\"L10\" value=\"10\">"), "{html}");
    assert!(html.contains("<mark class=\"bad\""), "{html}");
    let rules = answer(server.get("/rules/chess").header("accept", ACCEPT));
    guarded(&rules);
    assert!(rules.text().contains("id=\"FIDE_3.8\""));
}

/// Without its armies the game has no rules, and nothing was judged by any.
#[test]
fn a_game_that_is_not_judged() {
    let server = Server::start(&[]);
    let words = words(&pasted(&server, "[Variant \"augmented\"]\n\n1. e4 e5 *\n"));
    assert!(words.contains("Not judged") && words.contains("tag WhiteArmy: missing"), "{words}");
    assert!(!words.contains("Judged as"), "{words}");
}

#[test]
fn a_game_is_stepped_through_without_storing_anything() {
    let server = Server::start(&[]);
    let first = pasted(&server, &fixture("games/chaos-short.pgn"));
    let packed = hidden(&first, "packed");
    for (button, ply, caption) in [("first", "0", "Starting position"), ("next", "6", "After ply 6: N@a4")] {
        let body = format!("packed={packed}&variant=&style=&game=0&{button}={ply}");
        let form = "application/x-www-form-urlencoded";
        let told = page(server.post("/", body).header("content-type", form).header("accept", ACCEPT));
        let text = words(&told);
        assert!(text.contains(&format!("{caption} ")) || text.contains("After ply 6: "), "{text}");
        assert_eq!(hidden(&told, "packed"), packed);
        assert!(told.text().contains(&format!("name=\"{button}\"")));
        assert!(told.text().contains(" autofocus"), "the button keeps the focus");
    }
}

#[test]
fn hostile_records_stay_text() {
    let server = Server::start(&[]);
    let evil = "<script>alert(1)</script><img src=x onerror=alert(1)>'\\\"&amp;</textarea></title>";
    let record = format!(
        "[Event \"{evil}\"]\n[White \"{evil}\"]\n[Variant \"{evil}\"]\n[{evil} \"x\"]\n\n1. e4 {{{evil}}} {evil} *"
    );
    for record in [record.clone(), record.replace("[Variant ", "[Other "), format!("{record}\n\n{record}")] {
        for variant in ["", "chess"] {
            let told = page(form(&server, "/", &[("record", &record), ("variant", variant)], ("", b"")));
            let html = told.text();
            assert!(!html.contains("<img") && only_own_script(&html), "{html}");
            assert!(html.contains("&#60;script") || html.contains("&lt;script"), "{html}");
        }
    }
    let odd = "1. e4 e5 \u{202e}2. Nf3 \0\u{7} *";
    let told = pasted(&server, odd).text();
    assert!(told.contains("‹U+202E›"), "{told}");
}

#[test]
fn files_come_plain_and_packed() {
    let server = Server::start(&[]);
    let text = fixture("games/ingols-whole-games.pgn");
    let zstd = zstd::encode_all(text.as_bytes(), 3).expect("memory");
    for (name, bytes) in [("a.pgn", text.as_bytes()), ("a.pgn.zst", &zstd)] {
        let told = page(form(&server, "/", &[("record", "")], (name, bytes)));
        let text = words(&told);
        assert!(text.contains("games,") && text.contains("Verdict"), "{text}");
        let body = format!("packed={}&open=1", hidden(&told, "packed"));
        let opened = page(server.post("/", body).header("content-type", "application/x-www-form-urlencoded"));
        assert!(words(&opened).contains("Game 2 of "), "{}", words(&opened));
    }
}

#[test]
fn a_game_is_taken_home_in_another_style() {
    let server = Server::start(&[]);
    let record = fixture("games/ichess-sample.pgn");
    let told = page(form(&server, "/", &[("record", &record), ("to", "san")], ("", b"")));
    assert!(words(&told).contains("Nothing is lost."), "{}", words(&told));
    let file =
        answer(form(&server, "/download", &[("record", &record), ("to", "san"), ("game", "0")], ("", b"")));
    assert_eq!(file.status, 200, "{}", file.text());
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"game-1-san.pgn\"");
    assert!(file.text().contains("1. R@a1 R@h8"), "{}", file.text());
    let lost =
        page(form(&server, "/", &[("record", &fixture("games/chaos-short.pgn")), ("to", "uci")], ("", b"")));
    assert!(words(&lost).contains("cannot express a ply of Nature"), "{}", words(&lost));
}

#[test]
fn every_game_known_has_a_page() {
    let server = Server::start(&[]);
    let list = page(server.get("/variants"));
    let html = list.text();
    let paths: Vec<&str> = html
        .split("href=\"")
        .filter_map(|rest| rest.split('"').next())
        .filter(|path| path.starts_with("/variants/"))
        .collect();
    assert!(paths.len() > 30, "{}", paths.len());
    for path in paths {
        let told = page(server.get(path));
        assert!(told.text().contains("<h2 id=\"board-and-array\">"), "{path}");
    }
    let error = answer(server.get("/variants/nonsense").header("accept", ACCEPT));
    assert_eq!(error.status, 404);
    guarded(&error);
}

#[test]
fn errors_are_pages_for_people_and_problems_for_programs() {
    let server = Server::start(&[]);
    let told = answer(server.get("/nowhere").header("accept", ACCEPT));
    assert_eq!(told.status, 404);
    guarded(&told);
    assert!(words(&told).contains("There is nothing at this address"), "{}", told.text());
    answer(server.get("/nowhere")).problem(404, "not-found");
    let large = "{ }".repeat(2 << 20);
    let told = answer(form(&server, "/", &[("record", &large)], ("", b"")));
    assert_eq!(told.status, 413);
    guarded(&told);
    let many = "1. e4 *\n\n".repeat(2_001);
    let told = answer(form(&server, "/", &[("record", &many)], ("", b"")));
    assert_eq!(told.status, 422);
    assert!(words(&told).contains("limit of a page is 2000 games"), "{}", told.text());
    for (fields, status) in [
        (&[("record", "1. e4 *"), ("variant", "nonsense")][..], 422),
        (&[("record", "1. e4 *"), ("style", "nonsense")], 422),
        (&[("record", "1. e4 *"), ("game", "7")], 404),
        (&[("packed", "nonsense")], 400),
    ] {
        let told = answer(form(&server, "/", fields, ("", b"")));
        assert_eq!(told.status, status, "{fields:?}: {}", words(&told));
        guarded(&told);
    }
    assert!(words(&pasted(&server, " \n")).contains("No game found"));
    let told =
        answer(server.post("/", "1. e4 *").header("content-type", "text/plain").header("accept", ACCEPT));
    assert_eq!(told.status, 415);
}

#[test]
fn games_are_kept_searched_and_shown() {
    let server = Server::start(&[]);
    let record = fixture("games/iago-b-blocked.pgn");
    let told = page(form(&server, "/", &[("record", &record), ("keep", "1")], ("", b"")));
    let html = told.text();
    let (_, rest) = html.split_once("href=\"/games/").expect("a link to the game");
    let id = rest.split('"').next().expect("an id");
    // What was pasted is what was kept, and stepping on keeps nothing again.
    let original = answer(server.get(&format!("/api/v1/games/{id}?original=1")));
    assert_eq!(original.text(), record);
    assert!(!html.contains("name=\"keep\" value=\"1\" checked"));
    let shown = page(server.get(&format!("/games/{id}?back=5")));
    let text = words(&shown);
    for part in ["Illegal at ply 7", "After ply 5: Bf1-c4", "Submitted text", id] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let file = answer(server.get(&format!("/games/{id}/record?to=coord")));
    assert!(file.text().contains("1. e2e4 e7e5"), "{}", file.text());
    let sample = fixture("games/ichess-sample.pgn");
    page(form(&server, "/", &[("record", &sample), ("keep", "1")], ("", b"")));
    for (query, count) in [
        ("", 2),
        ("?player=ann", 1),
        ("?player=nobody", 0),
        ("?variant=ichess&result=1-0&valid=true&from=2014&to=2014.06", 1),
        ("?valid=false&event=club", 1),
        ("?event=%3Cscript%3E", 0),
    ] {
        let list = page(server.get(&format!("/games{query}")));
        assert_eq!(list.text().matches("<th scope=\"row\">").count(), count, "{query}: {}", words(&list));
    }
    answer(server.post("/api/v1/games", "[Variant \"nonsense\"]\n\n1. e4 *\n"));
    let list = words(&page(server.get("/games")));
    for part in ["✓ Legal, ", "✗ Not legal", "✗ Not judged"] {
        assert!(list.contains(part), "{part}: {list}");
    }
    let refused = answer(server.get("/games?from=last+spring").header("accept", ACCEPT));
    assert_eq!(refused.status, 422);
    assert!(words(&refused).contains("is not a date; write a year, a month or a day"), "{}", words(&refused));
    let missing = answer(server.get("/games/nonsense").header("accept", ACCEPT));
    assert_eq!(missing.status, 404);
    guarded(&missing);
}

/// The archive says what it holds, and what was searched for stands beside the folded form.
#[test]
fn the_archive_shows_its_totals() {
    let server = Server::start(&[]);
    assert!(words(&page(server.get("/games"))).contains("The archive is empty."));
    for record in ["1. e4 *\n", "1. d4 *\n", "1. e5 *\n"] {
        answer(server.post("/api/v1/games", record));
    }
    let list = page(server.get("/games"));
    assert!(words(&list).contains("3 games, one of them not legal."), "{}", words(&list));
    assert!(list.text().contains("<details class=\"card\">"), "{}", list.text());
    let found = words(&page(server.get("/games?valid=false&from=2020")));
    assert!(found.contains("Search: not legal, from 2020"), "{found}");
    // Nothing was found: the form is open, to change it.
    assert!(page(server.get("/games?player=nobody")).text().contains("<details class=\"card\" open>"));
}

#[test]
fn repairs_are_shown_before_they_are_made() {
    let server = Server::start(&[]);
    let record = "[White \"Ann\"\n\n1.e4 e5 2.Nf3 Nc6 4. Bc4\n";
    let first = pasted(&server, record);
    assert!(words(&first).contains("Show what can be repaired"), "{}", words(&first));
    let packed = hidden(&first, "packed");
    let send = |body: &str| {
        let form = server.post("/repair", body.to_owned()).header("accept", ACCEPT);
        form.header("content-type", "application/x-www-form-urlencoded")
    };
    let repaired = page(send(&format!("packed={packed}")));
    let text = words(&repaired);
    for part in ["3 changes", "line 3, column 19", "Legal: 5 plies", "(move-numbers)", "(tag-pairs)"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(repaired.text().contains("<del><code>4</code></del>"), "{}", repaired.text());
    let file = answer(send(&format!("packed={packed}&send=pgn")));
    assert_eq!(file.text(), "[White \"Ann\"]\n\n1.e4 e5 2.Nf3 Nc6 3. Bc4 *\n");
    // What was repaired needs nothing more.
    let clean = pasted(&server, &file.text());
    assert!(!words(&clean).contains("Show what can be repaired"), "{}", words(&clean));
    let nothing = page(send(&format!("packed={}", hidden(&clean, "packed"))));
    assert!(words(&nothing).contains("Nothing to repair"));
    assert_eq!(answer(send("packed=")).status, 422);
}

/// The page reads a damaged game by the rules, and an answer leaves fewer readings.
#[test]
fn a_damaged_game_is_read_by_the_rules() {
    let server = Server::start(&[]);
    let records = "[White \"Ann\"]\n\n1. e4 e5 2. NfG Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n\n[White \"Ben\"]\n\n1. d4 *\n";
    let first = pasted(&server, records);
    let send = |to: &str, body: &str| {
        let form = server.post(to, body.to_owned()).header("accept", ACCEPT);
        form.header("content-type", "application/x-www-form-urlencoded")
    };
    let packed = hidden(&first, "packed");
    let open = page(send("/", &format!("packed={packed}&open=0")));
    assert!(words(&open).contains("Read it by the rules"), "{}", words(&open));
    let legal = page(send("/", &format!("packed={packed}&open=1")));
    assert!(!words(&legal).contains("Read it by the rules"), "{}", words(&legal));
    let read = page(send("/decode", &format!("packed={packed}&game=0")));
    let text = read.text();
    assert!(
        text.contains("<del><code>NfG</code></del>") && text.contains("<ins><code>Nf3</code></ins>"),
        "{text}"
    );
    assert!(text.contains("title=\"read as Nf3\">NfG</mark>"), "{text}");
    assert!(words(&read).contains("1 change"), "{}", words(&read));
    // The other record stays as it was.
    let file = answer(send("/repair", &format!("packed={}&send=pgn", hidden_of(&read, "/", "packed"))));
    let file = file.text();
    assert!(file.contains("2. Nf3 Nc6") && file.ends_with("[White \"Ben\"]\n\n1. d4 *\n"), "{file}");
    assert!(file.contains("5. O-O *\n\n[White \"Ben\"]"), "no blank line is added: {file}");
    let one = answer(send("/decode", &format!("packed={packed}&game=0&send=pgn"))).text();
    assert!(one.starts_with("[White \"Ann\"]") && !one.contains("Ben"), "{one}");
    // A question, and its answer.
    let unclear = pasted(&server, "1. Nf3 Nf6 2. N?4 d6 3. d3 *");
    let packed = hidden(&unclear, "packed");
    let asked = page(send("/decode", &format!("packed={packed}&game=0")));
    assert!(words(&asked).contains("Which ply was played?"), "{}", words(&asked));
    let value = asked.text();
    let value =
        value.split("name=\"answer\" value=\"").nth(2).and_then(|rest| rest.split('"').next()).unwrap();
    let form = format!("packed={packed}&game=0&answer={}", value.replace(' ', "+"));
    let answered = page(send("/decode", &form));
    assert!(words(&answered).contains("Forget the answers"), "{}", words(&answered));
    assert!(answered.text().contains(&format!("name=\"answer\" value=\"{value}\"")), "{}", answered.text());
    assert!(!answered.text().contains("<button type=\"submit\" name=\"answer\""), "{}", answered.text());
    // What is no game, and a game that is not there.
    assert_eq!(answer(send("/decode", &format!("packed={packed}&game=7"))).status, 422);
    assert_eq!(answer(send("/decode", "record=%21%21%21&game=0")).status, 422);
}

#[test]
fn two_records_are_compared() {
    let server = Server::start(&[]);
    let form_page = words(&page(server.get("/compare")));
    assert!(form_page.contains("Two players sent in the same game"), "{form_page}");
    let compared = |a: &str, b: &str| form(&server, "/compare", &[("record", a), ("other", b)], ("", b""));
    let told = page(compared("1. e4 e5 2. Nf3 Nc6 *", "[White \"<b>\"]\n\n1. e4 e5 2. Qh6 Nc6 *"));
    let text = words(&told);
    for part in [
        "The records diverge after 2 plies",
        "A is chess: legal, 4 plies",
        "B is chess: illegal at ply 3",
        "Nf3 at 1:13 is legal (g1f3)",
        "Qh6 at 3:13 is illegal:",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for ply in ["<li value=\"3\"><mark>Nf3</mark></li>", "<li value=\"3\"><mark>Qh6</mark></li>"] {
        assert!(told.text().contains(ply), "{ply}: {}", told.text());
    }
    assert!(told.text().contains("<svg") && !told.text().contains("<b>"), "{}", told.text());
    let same = words(&page(compared("1. e2e4 *", "1. e4 *")));
    assert!(same.contains("The same game: 1 ply"), "{same}");
    let missing = answer(compared("1. e4 *", ""));
    assert_eq!(missing.status, 422);
    assert!(words(&missing).contains("Record B: the text has no record"), "{}", words(&missing));
}

/// The link in the page holds the record; tests/browser follows it.
#[test]
fn a_link_carries_the_record() {
    let server = Server::start(&[]);
    let first = pasted(&server, "1. e4 e5 *\n");
    let link = format!(
        "href=\"/#packed={}&amp;variant=&amp;style=&amp;game=0&amp;ply=2\"",
        hidden(&first, "packed")
    );
    assert!(first.text().contains(&link), "{}", first.text());
    let many: String =
        (0..3000).map(|n| format!("{{{}}} ", blake3::hash(&[n as u8, (n / 256) as u8]))).collect();
    let long = pasted(&server, &format!("1. e4 {many}e5 *\n"));
    assert!(!long.text().contains("/#packed="));
}

#[test]
fn the_archive_has_pages() {
    let server = Server::start(&[]);
    let games: String =
        (1..=60).map(|n| format!("[White \"Player {n}\"]\n[Result \"*\"]\n\n1. e4 *\n\n")).collect();
    page(form(&server, "/", &[("record", &games), ("keep", "1")], ("", b"")));
    let first = page(server.get("/games?player=player"));
    assert_eq!(first.text().matches("<th scope=\"row\">").count(), 50);
    let html = first.text();
    let (_, rest) = html.split_once("rel=\"next\" href=\"").expect("a link to the next page");
    let next = rest.split('"').next().expect("an address").replace("&#38;", "&").replace("&amp;", "&");
    assert!(next.starts_with("/games?player=player&cursor="), "{next}");
    let second = page(server.get(&next));
    assert_eq!(second.text().matches("<th scope=\"row\">").count(), 10);
    assert!(!second.text().contains("rel=\"next\""));
    let one = second.text();
    let (_, rest) = one.split_once("<a href=\"/games/").expect("a game");
    let related = page(server.get(&format!("/games/{}", rest.split('"').next().expect("an id"))));
    assert!(words(&related).contains("Other games with the same rules, start and plies"));
}

/// A claim that was open at a ply, missed or not, is judged by one press, with nothing else to fill in.
#[test]
fn an_open_claim_is_judged_by_one_press() {
    let server = Server::start(&[]);
    let record = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *";
    let checked = pasted(&server, record);
    let text = checked.text();
    // After plies 7 (with the intended ply) and 8, and at no other.
    assert_eq!(text.matches("class=\"judge claim\"").count(), 2, "{text}");
    let value = "threefold_repetition;white;8;";
    assert!(text.contains(&format!("name=\"judge\" value=\"{value}\"")), "{text}");
    let packed = hidden(&checked, "packed");
    let fields = [("packed", packed.as_str()), ("game", "0"), ("judge", value)];
    let judged = page(form(&server, "/adjudicate", &fields, ("", b"")));
    assert!(words(&judged).contains("UPHELD: threefold repetition by White at ply 8"), "{}", words(&judged));
    // The plies stand beside the board, those after which the position stood marked.
    let plies = judged.text();
    assert!(plies.contains("<li value=\"4\"><mark>Ng8</mark></li>"), "{plies}");
    assert!(plies.contains("<li value=\"8\"><mark>Ng8</mark></li>"), "{plies}");
    assert!(plies.contains("<li value=\"10\">e5</li>"), "{plies}");
    // The same for a game of the archive, by its own form.
    let kept = page(form(&server, "/", &[("record", record), ("keep", "1")], ("", b""))).text();
    let id = kept.split("/games/").nth(1).expect("an entry");
    let id = &id[..id.find('"').expect("its end")];
    let stored = page(server.get(&format!("/games/{id}")).header("accept", ACCEPT));
    assert_eq!(
        (hidden(&stored, "id"), stored.text().contains("action=\"/adjudicate\"")),
        (id.to_owned(), true)
    );
    let judged = page(form(&server, "/adjudicate", &[("id", id), ("judge", value)], ("", b"")));
    assert!(words(&judged).contains("UPHELD: threefold repetition"), "{}", words(&judged));
    // What the record does not show is no verdict, and says what is missing.
    let flag = page(form(&server, "/adjudicate", &[("id", id), ("judge", "time_win;black;10;")], ("", b"")));
    assert!(
        words(&flag).contains("UNDETERMINED") || words(&flag).contains("undetermined"),
        "{}",
        words(&flag)
    );
}

/// One answer has all positions; the page shows the same ones.
#[test]
fn all_positions_come_in_one_answer() {
    let server = Server::start(&[]);
    let record = fixture("games/iago-b-blocked.pgn");
    let checked = pasted(&server, &record);
    let packed = hidden(&checked, "packed");
    let film = |side: &str| {
        let body = format!("packed={packed}&game=0{side}");
        let request =
            server.post("/positions", body).header("content-type", "application/x-www-form-urlencoded");
        let film = answer(request).json();
        let pieces: Vec<String> = serde_json::from_value(film["pieces"].clone()).expect("pieces");
        let boards: Vec<Vec<usize>> = serde_json::from_value(film["boards"].clone()).expect("boards");
        boards
            .iter()
            .map(|board| board.iter().map(|piece| pieces[*piece].as_str()).collect())
            .collect::<Vec<String>>()
    };
    let (boards, turned) = (film(""), film("&side=black"));
    assert_eq!((boards.len(), turned.len()), (7, 7));
    assert!(
        boards[0].contains("Starting position")
            && boards[6].contains("Then <code class=\"bad\">O-O</code> was tried")
    );
    assert!(turned[0].contains("data-turned=\"true\"") && boards[0].contains("data-turned=\"false\""));
    // The last one is that of the page.
    let shown = checked.text();
    let drawing = |html: &str| {
        html[html.find("<svg").expect("a drawing")..html.find("</svg>").expect("its end")].to_owned()
    };
    assert_eq!(drawing(&boards[6]), drawing(&shown[shown.find("class=\"drawing\"").expect("a board")..]));
    // The piece in the way of castling is marked, too: three squares are framed.
    assert_eq!(
        boards[6].matches("stroke=\"#b3151b\" stroke-width=\"9\"").count(),
        3 + 1,
        "three squares, and the legend"
    );
    let long = format!("{} *", (0..101).map(|_| "Nf3 Nf6 Ng1 Ng8").collect::<Vec<_>>().join(" "));
    let packed = hidden(&pasted(&server, &long), "packed");
    let request = server
        .post("/positions", format!("packed={packed}"))
        .header("content-type", "application/x-www-form-urlencoded");
    answer(request).problem(404, "not-found");
}

/// Both boards of a game on two are drawn, at every step of the record.
#[test]
fn a_game_on_two_boards_has_both() {
    let server = Server::start(&[]);
    let text = fixture("games/bughouse.pgn");
    let record = &text[..text.find("[Event \"An illegal").expect("a second record")];
    let checked = pasted(&server, record);
    let shown = checked.text();
    assert!(shown.contains("Ann &#38; Dora – Ben &#38; Cem"), "{shown}");
    assert!(shown.contains("White on A and Black on B win by checkmate after ply 5 on board A"), "{shown}");
    assert!(shown.contains("id=\"boardA-title\"") && shown.contains("id=\"boardB-title\""));
    assert!(shown.contains("<span class=\"number\">3A.</span>") && !shown.contains("Dispute this moment"));
    let packed = hidden(&checked, "packed");
    let request = server
        .post("/positions", format!("packed={packed}&game=0"))
        .header("content-type", "application/x-www-form-urlencoded");
    let film = answer(request).json();
    assert_eq!(film["boards"].as_array().map(Vec::len), Some(12));
}
