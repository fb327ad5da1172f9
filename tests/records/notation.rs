//! How records are read that are not written as the styles write them: with good will that is named, in the letters
//! of other languages, in several styles at once. The tables are `fixtures/notation/*.toml`.
#![allow(clippy::unwrap_used)]

use ferz::notation::{Languages, Style};
use ferz::record::{ItemKind, read};
use ferz::replay::{LanguageChoice, Options, Report, Source};
use ferz::rewrite::{ConvertOptions, Converted, convert};
use ferz::text::Severity;
use ferz::text::limits::LANGUAGE_PLIES_MAX;
use serde::Deserialize;
use std::sync::Arc;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What is special about it.
    #[serde(default)]
    about: String,
    variant: Option<String>,
    fen: Option<String>,
    /// What stands before it, without any fault.
    #[serde(default)]
    moves: String,
    text: String,
    /// The plies of `text` that are legal, in coordinate notation; all of them, if there is no `reason`.
    coord: Option<String>,
    /// The codes of all diagnostics.
    codes: Option<Vec<String>>,
    /// What the first diagnostic offers in place of the text.
    spelling: Option<String>,
    /// Why the ply is refused.
    reason: Option<String>,
    /// A part of the message.
    #[serde(default)]
    says: String,
    /// The language that is found.
    language: Option<String>,
    /// The plies that a refusal names.
    candidates: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct Cases {
    case: Vec<Case>,
}

fn cases(file: &str) -> Vec<Case> {
    let Cases { case } = toml::from_str(&crate::common::fixture(file)).unwrap();
    case
}

fn converted_from(text: &[u8], to: Style, options: Options, language: Option<&str>) -> Converted {
    let mut replayer = crate::common::replayer(options);
    let record = read(text, 0).next().unwrap();
    let language = language.map(|code| Arc::clone(Languages::built_in().find(code).unwrap()));
    let wanted = ConvertOptions { language, ..ConvertOptions::new(to) };
    convert(&mut replayer, &record, &Source::new(text, 0, 0), 0, &wanted)
}

/// The plies of a converted record's main line.
fn plies_of(converted: &Converted) -> Vec<String> {
    let record = read(converted.text.as_bytes(), 0).next().unwrap();
    let moves = record.main_line().items().filter(|(_, item)| item.kind == ItemKind::Move);
    moves.take(converted.report.plies).map(|(_, item)| record.text(*item).into_owned()).collect()
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect()
}

impl Case {
    fn record(&self, text: &str) -> String {
        // A text without a tag and without a ply is no record.
        let mut record = "[Event \"?\"]\n".to_owned();
        if let Some(variant) = &self.variant {
            record += &format!("[Variant \"{variant}\"]\n");
        }
        if let Some(fen) = &self.fen {
            record += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        }
        let first = if self.moves.is_empty() && !text.starts_with("1.") && !self.text.starts_with("e4 e5") {
            "1. "
        } else {
            ""
        };
        format!("{record}\n{} {first}{text} *\n", self.moves)
    }

    fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        let mut say = |what: String| findings.push(format!("`{}` {}: {what}", self.text, self.about));
        let text = self.record(&self.text);
        let lenient = converted_from(text.as_bytes(), Style::Coord, Options::default(), None);
        let before = converted_from(self.record("").as_bytes(), Style::Coord, Options::default(), None);
        if !before.report.diagnostics.is_empty() || !before.report.legal {
            say(format!("{:?} before it", codes(&before.report)));
        }
        let report = &lenient.report;
        let plies = plies_of(&lenient)[before.report.plies..].join(" ");
        if self.coord.as_ref().is_some_and(|coord| *coord != plies) {
            say(format!("read as {plies}"));
        }
        let illegal = report.illegal.as_ref();
        let reason = illegal.map(|illegal| illegal.reason_id.id().to_owned());
        if reason != self.reason {
            say(format!("{reason:?}, {:?}", illegal.map(|illegal| &illegal.reason)));
        }
        if !illegal.is_none_or(|illegal| illegal.reason.contains(&self.says)) {
            say(format!("it says {}", illegal.map_or("", |illegal| &illegal.reason)));
        }
        let named = illegal.map(|illegal| &illegal.candidates);
        if self.candidates.is_some() && named != self.candidates.as_ref() {
            say(format!("candidates {named:?}"));
        }
        if self.codes.as_ref().is_some_and(|wanted| *wanted != codes(report)) {
            say(format!("{:?}", codes(report)));
        }
        let spelling = report.diagnostics.iter().find_map(|diagnostic| diagnostic.spelling.clone());
        if spelling != self.spelling {
            say(format!("to be written {spelling:?}"));
        }
        if report.language != self.language {
            say(format!("language {:?}", report.language));
        }
        findings.extend(self.strict_findings(&text, report));
        findings
    }

    /// In strict mode each deviation in notation is an error, and nothing else changes.
    fn strict_findings(&self, text: &str, lenient: &Report) -> Vec<String> {
        let options = Options { strict: true, ..Options::default() };
        let strict = converted_from(text.as_bytes(), Style::Coord, options, None).report;
        let named = |report: &Report| {
            report.diagnostics.iter().map(|told| (told.code.0, told.spelling.clone())).collect::<Vec<_>>()
        };
        let mut findings = Vec::new();
        if named(&strict) != named(lenient) || strict.plies != lenient.plies {
            findings.push(format!("`{}`: strict mode says {:?}", self.text, codes(&strict)));
        }
        let about_form = |code: &str| code.starts_with('N') && !["N033", "N036", "N037"].contains(&code);
        for told in strict.diagnostics.iter().filter(|told| about_form(told.code.0)) {
            if told.severity != Severity::Error || !strict.is_finding(false) {
                findings.push(format!("`{}`: {} is allowed in strict mode", self.text, told.code));
            }
        }
        findings
    }
}

#[test]
fn good_will_is_named() {
    let cases = cases("notation/leniency.toml");
    let findings: Vec<String> = cases.iter().flat_map(Case::findings).collect();
    crate::common::report("texts of players", cases.len(), &findings);
}

#[test]
fn languages_are_told_apart() {
    let cases = cases("notation/languages.toml");
    let findings: Vec<String> = cases.iter().flat_map(Case::findings).collect();
    crate::common::report("records in other languages", cases.len(), &findings);
}

/// The fixtures' records, one text each.
fn records() -> Vec<(String, String)> {
    let folder = crate::common::root().join("fixtures/games");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read(&path).unwrap();
        for (number, record) in read(&text, 0).enumerate() {
            let source = String::from_utf8_lossy(record.source()).into_owned();
            found.push((format!("{name}[{number}]"), source));
        }
    }
    found
}

#[test]
fn what_is_written_in_a_language_is_read_in_it() {
    let mut findings = Vec::new();
    let mut written = 0;
    for (name, text) in records() {
        let coord = converted_from(text.as_bytes(), Style::Coord, Options::default(), None);
        if !coord.report.legal || coord.report.plies == 0 {
            continue;
        }
        for language in Languages::built_in().all() {
            for style in [Style::San, Style::Ichess] {
                let there =
                    converted_from(coord.text.as_bytes(), style, Options::default(), Some(&language.code));
                if !there.losses.is_empty() {
                    continue;
                }
                written += 1;
                let mut say =
                    |what: String| findings.push(format!("{name} in {}, {style}: {what}", language.code));
                let options =
                    Options { language: LanguageChoice::Of(Arc::clone(language)), ..Options::default() };
                let back = converted_from(there.text.as_bytes(), Style::Coord, options, None);
                if plies_of(&back) != plies_of(&coord) || !back.report.legal {
                    say(format!("{:?} in {}", back.report.illegal, there.text));
                }
                let remarks: Vec<&str> = codes(&back.report)
                    .into_iter()
                    .filter(|code| code.starts_with('N') && *code != "N033")
                    .collect();
                if !remarks.is_empty() {
                    say(format!("{remarks:?}"));
                }
                // Found without being told: the same plies, or an honest doubt.
                let found = converted_from(there.text.as_bytes(), Style::Coord, Options::default(), None);
                let same = found.report.legal && plies_of(&found) == plies_of(&coord);
                let doubt = codes(&found.report).iter().any(|code| ["N035", "N036", "N037"].contains(code));
                let own = converted_from(coord.text.as_bytes(), style, Options::default(), None);
                let changed = plies_of(&own).iter().zip(plies_of(&there)).filter(|(a, b)| *a != b).count();
                if !same && !doubt && changed > 1 {
                    say(format!("found {:?}, {:?}", found.report.language, found.report.illegal));
                }
            }
        }
    }
    crate::common::report("records in the letters of languages", written, &findings);
}

#[test]
fn traps_of_other_programs() {
    let plies =
        |text: &str| plies_of(&converted_from(text.as_bytes(), Style::Coord, Options::default(), None));
    for text in ["1. Sf3 *", "1. Sf3 Sc6 *", "1. ♘f3 *", "1. Df3 *"] {
        let plies = plies(text);
        assert!(!plies.contains(&"f2f3".to_owned()), "{text} is read as a pawn's move: {plies:?}");
    }
}

/// What players do to a token.
fn mutations(token: &str) -> Vec<String> {
    let body = token.trim_end_matches(['+', '#']);
    let mut found = vec![
        format!("{body}++"),
        format!("{body}ch"),
        format!("{body}ep"),
        token.replace('x', ":"),
        token.replace('x', ""),
        token.replace('x', "×"),
        token.replace('=', ""),
        token.replace('=', "/"),
        token.replace('-', "–"),
        token.to_uppercase(),
        format!("x{token}"),
    ];
    // A small b, and on wide boards others, is a file.
    if !token.starts_with(['A', 'B', 'C', 'E', 'F', 'H']) {
        found.push(token[..1].to_lowercase() + &token[1..]);
    }
    if let Some(letter) = body.strip_prefix(|c: char| c.is_ascii_uppercase() && c != 'O') {
        found.extend(["a", "b", "e", "1", "4"].map(|origin| format!("{}{origin}{letter}", &token[..1])));
    }
    found.retain(|mutated| mutated != token);
    found
}

#[test]
fn no_mutation_is_silently_another_ply() {
    let mut findings = Vec::new();
    let mut cases = 0;
    for (name, text) in records() {
        let san = converted_from(text.as_bytes(), Style::San, Options::default(), None);
        let tokens = plies_of(&san);
        let record = read(san.text.as_bytes(), 0).next().unwrap();
        let moves = record.main_line().items().filter(|(_, item)| item.kind == ItemKind::Move);
        let coord = converted_from(text.as_bytes(), Style::Coord, Options::default(), None);
        let wanted = plies_of(&coord);
        for (ply, (_, item)) in moves.take(tokens.len()).enumerate().filter(|(ply, _)| ply % 9 == 4) {
            for mutated in mutations(&tokens[ply]) {
                let span = record.span(*item);
                let changed = [&san.text[..span.start], mutated.as_str(), " *"].concat();
                let found = converted_from(changed.as_bytes(), Style::Coord, Options::default(), None);
                cases += 1;
                let named = found
                    .report
                    .diagnostics
                    .iter()
                    .any(|told| told.ply == Some(ply + 1) || told.span[0] == span.start);
                if found.report.legal && plies_of(&found).get(ply) != wanted.get(ply) && !named {
                    findings.push(format!("{name}, ply {}: `{mutated}` for `{}`", ply + 1, tokens[ply]));
                }
            }
        }
    }
    crate::common::report("tokens as players change them", cases, &findings);
}

#[test]
fn a_language_is_found_in_a_record_with_more_plies_than_tell_it() {
    let variations = "(1. Sc3 Sc6) ".repeat(LANGUAGE_PLIES_MAX);
    let text = |end: &str| format!("1. Sf3 {variations}1... Sf6 2. Sd4 Sd5 3. {end} *\n");
    let report = |text: String| {
        let record = read(text.as_bytes(), 0).next().unwrap();
        let mut replayer = crate::common::replayer(Options::default());
        replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0)
    };
    let blocked = report(text("Dxd8"));
    assert_eq!(blocked.language.as_deref(), Some("de"));
    assert_eq!(blocked.illegal.map(|illegal| illegal.ply), Some(5), "the queen is blocked");
    let legal = report(text("Sf5 Sf4"));
    assert!(legal.legal, "{:?}", legal.illegal);
    assert_eq!((legal.language.as_deref(), legal.plies), (Some("de"), 6));
}

#[test]
fn the_order_of_languages_is_documented() {
    let codes: Vec<&str> =
        Languages::built_in().all().iter().map(|language| language.code.as_str()).collect();
    let text = std::fs::read_to_string(crate::common::root().join("formats/notations/README.md")).unwrap();
    assert!(text.replace('\n', " ").contains(&codes.join(" ")), "{}", codes.join(" "));
}
