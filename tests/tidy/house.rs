//! The house rules that a reader of the source would check by eye: layers, lengths, banned words, modules that
//! are there, licences of what is built in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Members of the workspace with modules of several layers. The compiler sees to it that no member imports from one that
/// stands on it; the table below orders the modules within each.
const MEMBERS: [&str; 4] = ["core", "records", "proof", "ferz"];

/// Members that are one layer each.
const WHOLE: [&str; 4] = ["archive", "correspondence", "decode", "search"];

/// Translations of the library for other languages, with manifests of their own.
const BINDINGS: [&str; 2] = ["python", "js"];

/// Each layer imports only from lower ones, and from itself.
const LAYERS: [(&str, u8); 34] = [
    ("text", 0),
    ("board", 1),
    ("record", 1),
    ("interchange", 2),
    ("pieces", 2),
    ("rules", 3),
    ("position", 4),
    ("notation", 5),
    ("tables", 5),
    ("syzygy", 5),
    ("judge", 6),
    ("certificate", 6),
    ("clock", 6),
    ("prove", 7),
    ("diagram", 7),
    ("replay", 7),
    ("play", 8),
    ("rewrite", 8),
    ("adjudicate", 8),
    ("correspondence", 9),
    ("decode", 9),
    ("json", 9),
    ("search", 9),
    ("archive", 10),
    ("client", 10),
    ("tournament", 11),
    ("plain", 11),
    ("wish", 11),
    ("mail", 12),
    ("bulletin", 12),
    ("stories", 12),
    ("lsp", 12),
    ("service", 13),
    ("cli", 14),
];

/// Two stories of a game are compared as records are, and comparing sees nothing of claims.
const ADJUDICATE_SEES: u8 = 8;

/// Layers from here on may know files, sockets, clocks and JSON.
const OUTSIDE: u8 = 9;

const FILE_LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;
const LINE_WIDTH_MAX: usize = 120;

/// The only file that prints.
const PRINTER: &str = "src/cli/output.rs";

/// One source file, with comments and the text of literals blanked out, and without its tests.
struct Source {
    path: String,
    raw: String,
    code: String,
    is_test: bool,
}

impl Source {
    fn layer(&self) -> Option<(&str, u8)> {
        let mut names = self.path.strip_prefix("src/")?.split('/');
        let name = names.find(|name| !MEMBERS.contains(name))?;
        let name = name.strip_suffix(".rs").unwrap_or(name);
        LAYERS.iter().find(|(layer, _)| *layer == name).copied()
    }

    /// Lines of the code with their numbers from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.ends_with("target") {
            files_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn sources(folder: &str) -> Vec<Source> {
    let root = crate::common::root();
    let mut paths = Vec::new();
    files_below(&root.join(folder), &mut paths);
    assert!(!paths.is_empty(), "no source under {folder}");
    let read = |path: &PathBuf| {
        let raw = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let path = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let is_test = !path.starts_with("src/") || path.ends_with("/tests.rs") || path.contains("/tests/");
        let code = before_tests(&blanked(&raw)).to_owned();
        Source { path, raw, code, is_test }
    };
    paths.iter().map(read).collect()
}

/// The part of a file before its test module.
fn before_tests(code: &str) -> &str {
    let mut at = 0;
    while let Some(found) = code[at..].find("#[cfg(test)]") {
        let rest = &code[at + found..];
        let item = rest["#[cfg(test)]".len()..].trim_start();
        let body = item.find(['{', ';']).map(|end| &item[end..=end]);
        if item.starts_with("mod ") && body == Some("{") {
            return &code[..at + found];
        }
        at += found + 1;
    }
    code
}

/// The text with comments and the insides of literals replaced by blanks; every line keeps its place.
fn blanked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => at + text[at..].find('\n').unwrap_or(text.len() - at),
            (b'/', Some(b'*')) => at + text[at..].find("*/").map_or(text.len() - at, |end| end + 2),
            (b'"', _) => end_of_string(bytes, at),
            (b'r', Some(b'"' | b'#')) if !continues_a_word(bytes, at) => match end_of_raw(text, at) {
                Some(end) => end,
                None => at,
            },
            (b'\'', _) => end_of_char(bytes, at),
            _ => at,
        };
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end.max(at + 1);
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn continues_a_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_') && bytes[at - 1] != b'b'
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn end_of_raw(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start + 1..];
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let body = rest[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(start + 2 + hashes + body.find(&close)? + close.len())
}

/// The end of a character; `start` itself for a lifetime.
fn end_of_char(bytes: &[u8], start: usize) -> usize {
    let length = match bytes.get(start + 1) {
        Some(b'\\') => bytes[start + 3..].iter().position(|byte| *byte == b'\'').map(|end| end + 4),
        Some(_) => bytes[start + 2..].iter().take(4).position(|byte| *byte == b'\'').map(|end| end + 3),
        None => None,
    };
    let is_lifetime =
        bytes.get(start + 1).is_some_and(u8::is_ascii_alphabetic) && bytes.get(start + 2) != Some(&b'\'');
    if is_lifetime { start } else { length.map_or(start, |length| start + length) }
}

/// Every path that starts with a word and `::`, groups in braces spelt out, with its line.
fn paths(source: &Source, first: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let start = format!("{first}::");
    for (at, _) in source.code.match_indices(&start) {
        if at > 0 && (continues_a_word(source.code.as_bytes(), at) || source.code[..at].ends_with("::")) {
            continue;
        }
        let line = source.code[..at].matches('\n').count() + 1;
        let mut spelt = Vec::new();
        spell(&source.code[at + start.len()..], "", &mut spelt);
        found.extend(spelt.into_iter().map(|path| (line, path)));
    }
    found
}

/// Spells out one path, which may end in a group; gives what follows it.
fn spell<'a>(text: &'a str, prefix: &str, out: &mut Vec<String>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start();
            match rest.as_bytes().first() {
                Some(b'}') => return &rest[1..],
                Some(b',') => rest = &rest[1..],
                None => return rest,
                Some(_) => {
                    let after = spell(rest, prefix, out);
                    rest = if after.len() == rest.len() { &rest[1..] } else { after };
                }
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let path = if prefix.is_empty() { text[..end].to_owned() } else { format!("{prefix}::{}", &text[..end]) };
    match text[end..].strip_prefix("::") {
        Some(rest) if end > 0 => spell(rest, &path, out),
        _ => {
            out.push(path);
            &text[end..]
        }
    }
}

fn report(what: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{what}: {}\n  {}", findings.len(), findings.join("\n  "));
}

/// Macros of a whole member.
const MACROS: [&str; 3] = ["by_width", "named", "with_trace"];

#[test]
fn imports_go_downwards() {
    let levels: BTreeMap<&str, u8> = LAYERS.into_iter().collect();
    let mut findings = Vec::new();
    for source in sources("src").iter().filter(|source| !source.is_test) {
        let Some((own, level)) = source.layer().filter(|(own, _)| !WHOLE.contains(own)) else { continue };
        let below = match own {
            "adjudicate" => ADJUDICATE_SEES + 1,
            _ => level,
        };
        for (line, path) in paths(source, "crate") {
            let target = path.split("::").next().unwrap_or_default();
            match levels.get(target) {
                _ if target == own => {}
                Some(&seen) if seen < below => {}
                _ if MACROS.contains(&target) => {}
                Some(_) => findings.push(format!("{}:{line}: {own} imports crate::{path}", source.path)),
                None => findings
                    .push(format!("{}:{line}: crate::{path} is in no layer of the table", source.path)),
            }
        }
    }
    report("imports against the layers", &findings);
}

#[test]
fn lower_layers_know_no_world_outside() {
    let banned = ["fs", "net", "time::SystemTime", "time::Instant"];
    let mut findings = Vec::new();
    for source in sources("src").iter().filter(|source| !source.is_test) {
        // The rules of play write their events as JSON, and know no clock: the instant is given to them.
        let plays = source.layer().is_some_and(|(own, _)| own == "correspondence");
        if !plays && source.layer().is_none_or(|(_, level)| level >= OUTSIDE) {
            continue;
        }
        for (line, path) in paths(source, "std") {
            if banned.iter().any(|banned| path == *banned || path.starts_with(&format!("{banned}::"))) {
                findings.push(format!("{}:{line}: std::{path}", source.path));
            }
        }
        for word in ["serde_json", "SystemTime", "Instant"] {
            if plays && word == "serde_json" {
                continue;
            }
            let lines = source.lines().filter(|(_, line)| has_word(line, word));
            findings.extend(lines.map(|(line, _)| format!("{}:{line}: {word}", source.path)));
        }
    }
    report("files, sockets, clocks or JSON below the eighth layer", &findings);
}

/// The only folder that knows the database.
const DATABASE: &str = "src/archive/sqlite/";

#[test]
fn the_database_is_known_in_one_place() {
    let mut findings = Vec::new();
    for source in sources("src").iter().filter(|source| !source.is_test && !source.path.starts_with(DATABASE))
    {
        for word in ["rusqlite", "rusqlite_migration"] {
            let lines = source.lines().filter(|(_, line)| has_word(line, word));
            findings.extend(lines.map(|(line, _)| format!("{}:{line}: {word}", source.path)));
        }
    }
    report("SQLite outside of the store", &findings);
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let inside =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let bytes = line.as_bytes();
        let before = at > 0 && inside(bytes.get(at - 1));
        !before && !inside(bytes.get(at + word.len()))
    })
}

#[test]
fn files_lines_and_functions_are_short() {
    let mut findings = Vec::new();
    for source in sources("src").iter().chain(&sources("tests")) {
        // Records and messages in tests are as long as they are; the formatter sees to the rest.
        let lines = source.raw.lines().enumerate();
        for (index, line) in lines.filter(|_| !source.path.starts_with("tests")) {
            let width = line.chars().count();
            if width > LINE_WIDTH_MAX {
                findings.push(format!("{}:{}: {width} characters wide", source.path, index + 1));
            }
        }
        let lines = source.code.lines().count();
        if lines > FILE_LINES_MAX {
            findings.push(format!("{}: {lines} lines", source.path));
        }
        if source.is_test {
            continue;
        }
        for (line, name, length) in functions(&source.code) {
            if length > FUNCTION_LINES_MAX {
                findings.push(format!("{}:{line}: `{name}` has {length} lines", source.path));
            }
        }
    }
    report("too long", &findings);
}

/// Line, name and number of lines of each function that has a body.
fn functions(code: &str) -> Vec<(usize, String, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let name: String = code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if name.is_empty() || continues_a_word(code.as_bytes(), at) {
            continue;
        }
        let Some(length) = lines_of_body(&code[at..]) else { continue };
        found.push((code[..at].matches('\n').count() + 1, name, length));
    }
    found
}

/// Lines from the start of the text to the brace that closes its first block; nothing if `;` comes first.
fn lines_of_body(text: &str) -> Option<usize> {
    let (mut braces, mut others, mut lines) = (0usize, 0i32, 1);
    for c in text.chars() {
        match c {
            '(' | '[' if braces == 0 => others += 1,
            ')' | ']' if braces == 0 => others -= 1,
            ';' if braces == 0 && others == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces = braces.saturating_sub(1);
                if braces == 0 {
                    return Some(lines);
                }
            }
            '\n' => lines += 1,
            _ => {}
        }
    }
    None
}

/// Folders whose files the guides name.
const NAMED_IN_GUIDES: [&str; 5] = ["src/", "tests/", "formats/", "fixtures/", ".ci/"];

/// The guides for contributors name files and functions. Each file exists, and in a row that ends in a function and a
/// source file, the file has the function.
#[test]
fn guides_name_what_exists() {
    let root = crate::common::root();
    let mut findings = Vec::new();
    for guide in ["ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md"] {
        let text =
            std::fs::read_to_string(root.join(guide)).unwrap_or_else(|error| panic!("{guide}: {error}"));
        for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
            let quoted: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
            let paths =
                quoted.iter().filter(|text| NAMED_IN_GUIDES.iter().any(|folder| text.starts_with(folder)));
            for path in paths.map(|path| path.split(' ').next().unwrap_or_default()) {
                if !path.contains('<') && !root.join(path).exists() {
                    findings.push(format!("{guide}:{number}: there is no `{path}`"));
                }
            }
            let [.., function, file] = quoted[..] else { continue };
            if !line.ends_with(&format!("| `{function}` | `{file}` |")) || !file.ends_with(".rs") {
                continue;
            }
            let source = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            if !source.lines().any(|line| line.contains("fn ") && has_word(line, function)) {
                findings.push(format!("{guide}:{number}: `{file}` has no function `{function}`"));
            }
        }
    }
    report("files and functions that guides name", &findings);
}

/// The script of a table listens for each kind of event by its name. A kind that it does not know leaves the page, and the
/// head that its form sends, as they were.
#[test]
fn the_script_listens_for_every_kind_of_event() {
    let read = |path: &str| std::fs::read_to_string(crate::common::root().join(path)).unwrap();
    let (events, script) = (read("src/correspondence/event.rs"), read("src/service/pages/assets/steps.js"));
    let kinds = events.split("pub fn kind(&self)").nth(1).unwrap().split("\n    }\n").next().unwrap();
    let kinds: Vec<&str> = kinds.split('"').skip(1).step_by(2).collect();
    assert!(kinds.len() > 20 && kinds.contains(&"ply"), "{kinds:?}");
    let listed = script.split("const kinds =").nth(1).unwrap().split(';').next().unwrap();
    let listed: Vec<&str> = listed.split(['"', ' ', '+', '\n']).filter(|word| !word.is_empty()).collect();
    // The first event of a game is there before its page.
    let missing: Vec<&&str> =
        kinds.iter().filter(|kind| **kind != "created" && !listed.contains(kind)).collect();
    assert!(missing.is_empty(), "steps.js does not listen for {missing:?}");
}

#[test]
fn documents_have_no_conflict_markers() {
    let root = crate::common::root();
    let mut findings = Vec::new();
    for folder in ["", "formats", "tests"] {
        let entries =
            std::fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let paths = entries.flatten().map(|entry| entry.path());
        for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
            let text =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for (index, line) in text.lines().enumerate() {
                if ["<<<<<<< ", "||||||| ", ">>>>>>> "].iter().any(|mark| line.starts_with(mark)) {
                    findings.push(format!("{}:{}: {line}", path.display(), index + 1));
                }
            }
        }
    }
    report("conflict markers; resolve the merge", &findings);
}

#[test]
fn no_banned_words() {
    let printing = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
    let unfinished = ["todo!", "unimplemented!"];
    let mut findings = Vec::new();
    for source in sources("src").iter().chain(&sources("tests")) {
        let raw: Vec<&str> = source.raw.lines().collect();
        if source.path != "tests/tidy/house.rs" {
            for (index, line) in raw.iter().enumerate() {
                let marks = ["FIXME", "XXX", "#[ignore"];
                let mark = marks.iter().find(|mark| line.contains(**mark));
                findings.extend(mark.map(|mark| format!("{}:{}: {mark}", source.path, index + 1)));
            }
        }
        if source.is_test {
            continue;
        }
        for (number, line) in source.lines() {
            let mut found: Vec<&str> =
                unfinished.into_iter().filter(|word| has_word(line, word.trim_end_matches('!'))).collect();
            found.retain(|word| line.contains(word));
            if source.path != PRINTER {
                found.extend(printing.into_iter().filter(|word| has_macro(line, word)));
            }
            let invariant = |line: Option<&&str>| line.is_some_and(|line| line.contains("// Invariant:"));
            let stated = invariant(raw.get(number - 1)) || number > 1 && invariant(raw.get(number - 2));
            if !stated {
                found.extend([".unwrap()", ".expect("].into_iter().filter(|word| line.contains(word)));
            }
            findings.extend(found.into_iter().map(|word| format!("{}:{number}: {word}", source.path)));
        }
    }
    report("banned words", &findings);
}

/// Words that betray a translation, refused in sources, formats and README, in names as well.
const TRANSLATED: [&str; 7] = ["told", "nobody", "whoever", "mended", "anew", "belongs into", "what came"];

fn has_translated_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
        let before = at.checked_sub(1).and_then(|before| line.as_bytes().get(before));
        !letter(before) && !letter(line.as_bytes().get(at + word.len()))
    })
}

#[test]
fn no_translated_words() {
    assert!(has_translated_word("fn is_told()", "told") && !has_translated_word("controlled", "told"));
    let root = crate::common::root();
    let mut texts: Vec<(String, String)> =
        sources("src").into_iter().map(|source| (source.path, source.raw)).collect();
    let mut folders = vec![root.join("formats"), root.join("formats/variants"), root.join("formats/schema")];
    folders.extend([root.join("formats/variants/mutators"), root.join("formats/guide")]);
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let documents = entries.map(|entry| entry.unwrap().path()).chain([root.join("README.md")]);
    for path in documents.filter(|path| path.extension().is_some_and(|end| end != "zdict" && end != "svg")) {
        let text = std::fs::read_to_string(&path).unwrap();
        texts.push((path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"), text));
    }
    let mut findings = Vec::new();
    for (path, text) in texts {
        for (index, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            let found = TRANSLATED.iter().filter(|word| has_translated_word(&line, word));
            findings.extend(found.map(|word| format!("{path}:{}: {word}", index + 1)));
        }
    }
    report("words that read as translated (plain English: the field's word)", &findings);
}

/// All manuals: those of the root, below `formats`, and of the tests.
fn manuals() -> Vec<std::path::PathBuf> {
    let root = crate::common::root();
    let folders = [
        "",
        "formats",
        "formats/guide",
        "formats/notations",
        "formats/policies",
        "formats/variants",
        "tests",
    ];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The anchor of a heading, as renderers of Markdown make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn links_of_manuals_lead_somewhere() {
    let mut findings = Vec::new();
    for path in manuals() {
        let text = std::fs::read_to_string(&path).unwrap();
        for target in
            text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
        {
            if target.starts_with("http") || target.contains(char::is_whitespace) {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let goal = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let leads = match std::fs::read_to_string(&goal) {
                Ok(text) => {
                    heading.is_empty()
                        || text.lines().any(|line| {
                            line.starts_with('#') && anchor(line.trim_start_matches('#')) == heading
                        })
                }
                Err(_) => goal.exists(),
            };
            if !leads {
                findings.push(format!("{}: {target}", path.display()));
            }
        }
    }
    report("links of manuals that lead nowhere", &findings);
}

fn has_macro(line: &str, name: &str) -> bool {
    line.match_indices(name)
        .any(|(at, _)| !continues_a_word(line.as_bytes(), at) && !line[..at].ends_with('b'))
}

#[test]
fn every_module_is_reached() {
    let sources = sources("src");
    let known: BTreeMap<&str, &Source> =
        sources.iter().map(|source| (source.path.as_str(), source)).collect();
    let mut reached: BTreeSet<String> = BTreeSet::new();
    let roots = MEMBERS.iter().chain(&WHOLE).chain(&BINDINGS).map(|member| format!("src/{member}/lib.rs"));
    let mut open: Vec<String> = roots.chain(["src/lib.rs".to_owned(), "src/main.rs".to_owned()]).collect();
    let mut findings = Vec::new();
    while let Some(path) = open.pop() {
        let Some(source) = known.get(path.as_str()).filter(|_| reached.insert(path.clone())) else {
            continue;
        };
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
        let is_folder = ["lib.rs", "main.rs", "mod.rs"].contains(&file);
        for name in modules(&blanked(&source.raw)) {
            if !is_folder {
                findings.push(format!(
                    "{path}: has modules; its name must be {}/mod.rs",
                    path.trim_end_matches(".rs")
                ));
                break;
            }
            let places = [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")];
            match places.iter().find(|place| known.contains_key(place.as_str())) {
                Some(place) => open.push(place.clone()),
                None => {
                    findings.push(format!("{path}: `mod {name}` is neither {} nor {}", places[0], places[1]))
                }
            }
        }
    }
    findings.extend(
        known.keys().filter(|path| !reached.contains(**path)).map(|path| format!("{path} is no module")),
    );
    report("modules", &findings);
}

/// Names that are declared by `mod name;`.
fn modules(code: &str) -> Vec<String> {
    let declared = code.lines().filter_map(|line| {
        let line = line.trim();
        let after = line.strip_prefix("mod ").or_else(|| line.split_once(" mod ").map(|(_, after)| after))?;
        after.split_once(';').map(|(name, _)| name.trim().to_owned())
    });
    declared.collect()
}

/// Licences that ask for no more than to be named.
const PERMISSIVE: [&str; 14] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "Unlicense",
    "CC0-1.0",
    "0BSD",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "MIT-0",
];

/// True if a licence expression is fulfilled by licences that `accepts` takes.
fn fulfils(expression: &str, accepts: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    either(&words, &mut 0, accepts)
}

fn either(words: &[&str], at: &mut usize, accepts: &dyn Fn(&str) -> bool) -> bool {
    let mut fulfilled = both(words, at, accepts);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        fulfilled |= both(words, at, accepts);
    }
    fulfilled
}

fn both(words: &[&str], at: &mut usize, accepts: &dyn Fn(&str) -> bool) -> bool {
    let mut fulfilled = single(words, at, accepts);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        fulfilled &= single(words, at, accepts);
    }
    fulfilled
}

fn single(words: &[&str], at: &mut usize, accepts: &dyn Fn(&str) -> bool) -> bool {
    let word = words.get(*at).copied().unwrap_or_default();
    *at += 1;
    let fulfilled = if word == "(" { either(words, at, accepts) } else { accepts(word) };
    if word == "(" {
        *at += 1;
    } else if words.get(*at) == Some(&"WITH") {
        // An exception only widens what the licence allows.
        *at += 2;
    }
    fulfilled
}

#[test]
fn licence_expressions_are_read() {
    let ours = |word: &str| PERMISSIVE.contains(&word);
    for (expression, fine) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0-or-later", false),
        ("GPL-3.0 OR MIT", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND LGPL-2.1", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0", true),
        ("", false),
    ] {
        assert_eq!(fulfils(expression, &ours), fine, "{expression}");
    }
}

/// The name of this machine's target, as the compiler tells it.
fn host() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = std::process::Command::new(rustc)
        .arg("-vV")
        .output()
        .unwrap_or_else(|error| panic!("rustc -vV: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap_or_else(|| panic!("rustc -vV names no host: {text}")).to_owned()
}

#[test]
fn licences_are_permissive() {
    let root = crate::common::root();
    // What this machine has built; crates for other systems alone need not be there.
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &host()])
        .current_dir(&root)
        .output()
        .unwrap_or_else(|error| panic!("cargo metadata: {error}"));
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let mut licences = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        licences.insert(text("id"), (text("name"), text("license")));
    }
    let built_in = built_in_packages(&metadata);
    assert!(built_in.len() > 10, "the tree of dependencies has {} packages only", built_in.len());
    let mut findings = Vec::new();
    for (id, (name, licence)) in &licences {
        let copyleft = |word: &str| word.contains("GPL");
        if built_in.contains(id) && !fulfils(licence, &|word| PERMISSIVE.contains(&word)) {
            findings.push(format!("{name}: `{licence}` is not among the permissive licences"));
        } else if !fulfils(licence, &|word| !copyleft(word)) {
            findings.push(format!("{name}: `{licence}`"));
        }
    }
    report("licences", &findings);
}

/// The packages that become part of the product or build it: everything but what tests need.
fn built_in_packages(metadata: &serde_json::Value) -> BTreeSet<String> {
    let none = Vec::new();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap_or(&none);
    let root = metadata["resolve"]["root"].as_str().unwrap_or_default().to_owned();
    let mut reached = BTreeSet::new();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if !reached.insert(id.clone()) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id.as_str());
        let deps = node.and_then(|node| node["deps"].as_array()).unwrap_or(&none);
        for dep in deps {
            let kinds = dep["dep_kinds"].as_array().unwrap_or(&none);
            if kinds.iter().any(|kind| kind["kind"] != "dev") {
                open.extend(dep["pkg"].as_str().map(str::to_owned));
            }
        }
    }
    reached
}
