//! formats/HTTP.md says what is: its commands print what stands below them, its tables are complete.
//!
//! `UPDATE_README=1 cargo test --test service manual` writes the present output into it.

use crate::common::root;
use crate::server::{Server, answer};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

const ADDRESS: &str = "http://127.0.0.1:8080";

/// Held while the manual is read and written anew: two tests renew parts of it.
static RENEWAL: Mutex<()> = Mutex::new(());

fn path() -> PathBuf {
    root().join("formats/HTTP.md")
}

/// True if the text is the pattern with something in place of each `…`.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The text with `…` for what differs each time.
fn steady(text: &str) -> String {
    ["\"request_id\":\"", "\"added\":\""].iter().fold(text.to_owned(), |text, key| {
        let mut parts = text.split(key);
        let mut steady = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            steady += key;
            steady += "…";
            steady += part.find('"').map_or("", |end| &part[end..]);
        }
        steady
    })
}

#[test]
fn what_differs_each_time_is_left_out() {
    let text = r#"{"added":"2026-11-21","request_id":"ab-1"} {"added":"now"}"#;
    assert_eq!(steady(text), r#"{"added":"…","request_id":"…"} {"added":"…"}"#);
}

#[test]
fn patterns_fit() {
    for (pattern, text, fine) in [
        ("a…b…c", "axxbc", true),
        ("a…b", "ab", true),
        ("a", "a", true),
        ("a", "b", false),
        ("a…b", "a", false),
    ] {
        assert_eq!(fits(pattern, text), fine, "{pattern} {text}");
    }
}

/// What a command line prints when it is sent to this service.
fn output(server: &Server, line: &str) -> String {
    let line = line.replace(ADDRESS, &server.url(""));
    let shell = Command::new("sh").arg("-c").arg(&line).current_dir(root()).output().expect("a shell");
    assert!(shell.stderr.is_empty(), "{line}: {}", String::from_utf8_lossy(&shell.stderr));
    String::from_utf8(shell.stdout).expect("text").replace(&server.url(""), ADDRESS)
}

/// The id of an entry in an answer to a submission.
fn given_id(answer: &str) -> Option<String> {
    Some(answer.strip_prefix("{\"items\":[{\"id\":\"")?.split_once('"')?.0.to_owned())
}

#[test]
fn its_walk_is_as_it_says() {
    assert!(Command::new("curl").arg("--version").output().is_ok(), "the manual's examples need curl");
    let server = Server::start(&[]);
    let _alone = RENEWAL.lock().unwrap_or_else(PoisonError::into_inner);
    let text = std::fs::read_to_string(path()).expect("the manual");
    let mut fresh = String::new();
    let mut lines = text.lines().peekable();
    let (mut inside, mut commands) = (false, 0);
    // The id that the archive gave, and the one that the text shows for it.
    let mut ids: Option<(String, String)> = None;
    while let Some(line) = lines.next() {
        fresh += &format!("{line}\n");
        if line.starts_with("```") {
            inside = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
        commands += 1;
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```")) {
            shown.push(line);
        }
        let shown = shown.join("\n");
        let mut printed = match &ids {
            Some((given, in_text)) => output(&server, &command.replace(in_text, given)),
            None => output(&server, command),
        };
        ids = ids.or_else(|| Some((given_id(&printed)?, given_id(&shown)?)));
        if let Some((given, in_text)) = &ids {
            printed = printed.replace(given, in_text);
        }
        let printed = printed.trim_end();
        fresh += if fits(&shown, printed) { shown } else { steady(printed) }.as_str();
        fresh += "\n";
    }
    assert!(commands > 8, "{commands}");
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(path(), &fresh).expect("written");
    } else {
        assert!(fresh == text, "formats/HTTP.md is out of date; UPDATE_README=1 renews it:\n{fresh}");
    }
}

#[test]
fn it_lists_every_problem_and_route() {
    let server = Server::start(&[]);
    let _alone = RENEWAL.lock().unwrap_or_else(PoisonError::into_inner);
    let text = std::fs::read_to_string(path()).expect("the manual");
    let document = answer(server.get("/openapi.json")).json();
    let types = document["components"]["schemas"]["Problem"]["properties"]["type"]["enum"].clone();
    let mut expected = Vec::new();
    for kind in types.as_array().expect("types").iter().filter_map(|kind| kind.as_str()) {
        let told = answer(server.get(kind)).text();
        let (head, rest) = told.split_once("\n\n").expect("a head");
        let (name, status) = head.trim_end_matches(')').split_once(" (status ").expect("a status");
        let title = rest.split_once(".\n\n").expect("a title").0;
        assert_eq!(kind, format!("/problems/{name}"));
        expected.push(format!("| `{kind}` | {status} | {title} |"));
    }
    let (before, after) = text.split_once("| `type` | status | title |\n|---|---|---|\n").expect("the table");
    let listed: Vec<&str> = after.lines().take_while(|line| line.starts_with('|')).collect();
    if std::env::var_os("UPDATE_README").is_some() {
        let rest = after.lines().skip(listed.len()).collect::<Vec<_>>().join("\n");
        let table = expected.join("\n");
        let fresh = format!("{before}| `type` | status | title |\n|---|---|---|\n{table}\n{rest}\n");
        std::fs::write(path(), fresh).expect("written");
    } else {
        assert_eq!(listed, expected);
    }
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("operations").keys() {
            let route = format!("`{} {path}", method.to_uppercase());
            assert!(text.contains(&route), "{route} is not in the manual");
        }
    }
}
