//! `ferz lsp`, driven as an editor does: messages over its standard input and output.
#![cfg(feature = "cli")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An editor with a server.
struct Editor {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    requests: u64,
    version: i64,
}

const URI: &str = "file:///game.pgn";

impl Editor {
    fn start(arguments: &[&str]) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_ferz"))
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (to, from) = (server.stdin.take(), server.stdout.take().expect("piped"));
        let mut editor = Editor { server, to, from: BufReader::new(from), requests: 0, version: 0 };
        let answer = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["serverInfo"]["name"], "ferz", "{answer}");
        assert_eq!(answer["capabilities"]["hoverProvider"], true, "{answer}");
        editor.say("initialized", json!({}));
        editor
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        let to = self.to.as_mut().expect("open");
        write!(to, "Content-Length: {}\r\n\r\n{text}", text.len())
            .and_then(|()| to.flush())
            .expect("it reads");
    }

    fn say(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).expect("it writes") > 0, "the server ended");
            match line.trim_end().split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse().expect("a number");
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).expect("a whole message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// The result of a request; findings that come first are passed over.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        self.write(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        loop {
            let message = self.read();
            if message["id"] == self.requests {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    /// The findings that are published next, for the present version.
    fn findings(&mut self) -> Vec<Value> {
        loop {
            let message = self.read();
            let params = &message["params"];
            if message["method"] == "textDocument/publishDiagnostics" && params["version"] == self.version {
                return params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        self.version = 1;
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.say("textDocument/didOpen", json!({ "textDocument": document }));
        self.findings()
    }

    fn change(&mut self, range: Option<Value>, text: &str) -> Vec<Value> {
        self.version += 1;
        let change = match range {
            Some(range) => json!({ "range": range, "text": text }),
            None => json!({ "text": text }),
        };
        let document = json!({ "uri": URI, "version": self.version });
        self.say("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
        self.findings()
    }

    fn at(&mut self, method: &str, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        self.ask(method, json!({ "textDocument": { "uri": URI }, "position": position }))
    }

    fn whole(&mut self, method: &str) -> Value {
        self.ask(
            method,
            json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true } }),
        )
    }

    fn actions(&mut self, line: u32, character: u32) -> Vec<Value> {
        let at = json!({ "line": line, "character": character });
        let range = json!({ "start": at, "end": at });
        let params =
            json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
        self.ask("textDocument/codeAction", params).as_array().expect("a list").clone()
    }

    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.say("exit", Value::Null);
        drop(self.to.take());
        assert!(self.server.wait().expect("it ends").success());
    }
}

#[test]
fn without_an_editor_the_command_says_what_it_is_for() {
    let run =
        Command::new(env!("CARGO_BIN_EXE_ferz")).arg("lsp").stdin(Stdio::null()).output().expect("it runs");
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2));
    assert!(said.contains("an editor starts this command"), "{said}");
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } })
}

/// The text of an action's edit, and its range.
fn edit(action: &Value) -> (&str, &Value) {
    let edit = &action["edit"]["documentChanges"][0]["edits"][0];
    (edit["newText"].as_str().expect("a text"), &edit["range"])
}

#[test]
fn an_illegal_ply_is_shown_explained_and_fixed() {
    let mut editor = Editor::start(&[]);
    // Two UTF-16 code units for one character come before the ply.
    let found = editor.open(URI, "[Event \"🩏\"]\n\n1. e4 {🩏♘} e5 2. Ke3 Nc6 *\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["range"], range(2, 18, 21));
    assert_eq!((&found[0]["severity"], &found[0]["code"]), (&json!(1), &json!("M006")), "{found:?}");
    assert_eq!(found[0]["message"], "the king on e1 does not go to e3 (FIDE 3.8)");
    let hover = editor.at("textDocument/hover", 2, 19);
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.starts_with("**Ke3** is illegal: ") && shown.contains("nearest legal: Ke2"), "{shown}");
    let actions = editor.actions(2, 19);
    let ke2 = actions.iter().find(|action| action["title"] == "Write Ke2").expect("the nearest legal ply");
    assert_eq!(edit(ke2), ("Ke2", &range(2, 18, 21)));
    assert_eq!(editor.change(Some(range(2, 18, 21)), "Ke2"), Vec::<Value>::new());
    let hover = editor.at("textDocument/hover", 2, 19);
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.starts_with("**Ke2** (chess, move 2, White)\n"), "{shown}");
    assert!(shown.contains("P P P P K P P P"), "{shown}");
    editor.end();
}

#[test]
fn plies_are_offered_where_they_are_written() {
    let mut editor = Editor::start(&[]);
    let text = "[Variant \"crazyhouse\"]\n\n1. e4 d5 (1... e5 2. \n2. Nf3) 2. exd5 Qxd5 3.  *\n";
    editor.open(URI, text);
    let labels = |answer: Value| {
        let all = answer.as_array().expect("a list").iter();
        all.map(|item| item["label"].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    let here = labels(editor.at("textDocument/completion", 3, 24));
    assert!(here.contains(&"P@e4".to_owned()) && here.contains(&"Nc3".to_owned()), "{here:?}");
    // Inside the variation the pawn has not been captured.
    let inside = labels(editor.at("textDocument/completion", 2, 21));
    assert!(inside.contains(&"Nf3".to_owned()) && !inside.iter().any(|ply| ply.contains('@')), "{inside:?}");
    assert_eq!(labels(editor.at("textDocument/completion", 0, 5)), Vec::<String>::new());
    editor.end();
}

#[test]
fn a_record_is_outlined_folded_formatted_and_rewritten() {
    let mut editor = Editor::start(&[]);
    let text = "[White \"Ann\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n\n1. Nf3 {a\nlong comment} Nf6 (1... d5\n2. g3) 2. g3 1-0\n";
    editor.open(URI, text);
    let symbols = editor.whole("textDocument/documentSymbol");
    assert_eq!(symbols[0]["name"], "1. Ann – Ben 1-0");
    let folds = editor.whole("textDocument/foldingRange");
    let lines: Vec<_> =
        folds.as_array().expect("a list").iter().map(|fold| (&fold["startLine"], &fold["endLine"])).collect();
    assert_eq!(lines, [(&json!(0), &json!(2)), (&json!(4), &json!(5)), (&json!(5), &json!(6))]);
    let formatted = editor.whole("textDocument/formatting");
    let written = formatted[0]["newText"].as_str().expect("a text");
    assert!(written.ends_with("1. Nf3 {a long comment} 1... Nf6 (1... d5 2. g3) 2. g3 1-0"), "{written}");
    let lan = editor.actions(4, 4).into_iter().find(|action| action["title"] == "Write this game in lan");
    let lan = lan.expect("another style");
    assert!(
        edit(&lan).0.ends_with("1. Ng1-f3 {a long comment} 1... Ng8-f6 (1... d7-d5 2. g2-g3) 2. g2-g3 1-0"),
        "{lan}"
    );
    // Formatted, nothing is left to format.
    let range = formatted[0]["range"].clone();
    editor.change(Some(range), written);
    assert_eq!(editor.whole("textDocument/formatting"), json!([]));
    editor.end();
}

#[test]
fn definitions_are_checked_too() {
    let mut editor = Editor::start(&[]);
    let found = editor.open("file:///own.toml", "name = \"own\"\nextends = \"chess\"\nfoo = 1\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 2, "character": 0 }));
    editor.end();
}

/// Whatever an editor sends, the server answers, and what it shows is of the last text.
#[test]
fn edits_keep_up_with_the_text() {
    let mut editor = Editor::start(&["--variant", "ichess"]);
    editor.open(URI, "1. R=a1 R=h8 *\n");
    let mut text = "1. R=a1 R=h8 *\n".to_owned();
    for (at, with) in [(13, "2. "), (16, "Q=b1"), (20, " K=x9"), (3, "🩏"), (0, "{♘} ")] {
        text.insert_str(at, with);
        // The places before are ASCII, so that bytes are code units.
        let (line, unit) = (0, u32::try_from(text[..at].encode_utf16().count()).expect("small"));
        let found = editor.change(Some(range(line, unit, unit)), with);
        let mut other = Editor::start(&["--variant", "ichess"]);
        assert_eq!(other.open(URI, &text), found, "{text}");
        other.end();
    }
    let refused = {
        editor.write(&json!({ "jsonrpc": "2.0", "id": 99, "method": "textDocument/nonsense", "params": {} }));
        editor.read()
    };
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
    editor.write(&json!({ "jsonrpc": "2.0", "id": 100, "method": "textDocument/hover", "params": 5 }));
    assert_eq!(editor.read()["error"]["code"], -32602);
    assert_eq!(editor.at("textDocument/hover", 900, 900), Value::Null);
    editor.end();
}
