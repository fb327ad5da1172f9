//! Records in their games' own notations, each with what the report must say about it; and every reason for
//! which a ply is illegal, with a ply that is legal beside it.
//!
//! `fixtures/games/NAME.pgn` has `NAME.expected.json` beside it: one object a record, with the keys of the report
//! that matter. An object may say less than the report, a list says all. Two keys are not the report's: `codes`, the
//! codes of all diagnostics, and `coord`, the legal plies in coordinate notation.
#![allow(clippy::unwrap_used)]

use crate::common::root;
use ferz::notation::Style;
use ferz::position::Reason;
use ferz::record::{ItemKind, Record, read};
use ferz::replay::codes::is_about_spelling;
use ferz::replay::{Options, Report, Source};
use ferz::rewrite::{ConvertOptions, Converted, convert};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
#[cfg(feature = "cli")]
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The files below a folder of `fixtures/` with one ending, sorted.
pub(super) fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = root().join("fixtures").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == ending)).collect();
    found.sort();
    found
}

/// Every record of a text, converted to a style.
fn converted(text: &[u8], to: Style) -> Vec<Converted> {
    let mut replayer = crate::common::replayer(Options::default());
    let source = Source::new(text, 0, 0);
    let options = ConvertOptions::new(to);
    let records = read(text, 0).enumerate();
    records.map(|(number, record)| convert(&mut replayer, &record, &source, number, &options)).collect()
}

/// The texts of the first plies of the main line.
fn main_line(record: &Record<'_>, plies: usize) -> Vec<String> {
    let moves = record.main_line().items().filter(|(_, item)| item.kind == ItemKind::Move);
    moves.take(plies).map(|(_, item)| record.text(*item).into_owned()).collect()
}

/// The plies of a converted record that were legal.
fn plies_of(converted: &Converted) -> String {
    let record = read(converted.text.as_bytes(), 0).next();
    record.map_or_else(Vec::new, |record| main_line(&record, converted.report.plies)).join(" ")
}

/// Where `found` says something else than `wanted`, which may leave keys of objects out.
pub(super) fn differences(at: &str, wanted: &Value, found: &Value, out: &mut Vec<String>) {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            for (key, value) in wanted {
                differences(&format!("{at}.{key}"), value, found.get(key).unwrap_or(&Value::Null), out);
            }
        }
        (Value::Array(wanted), Value::Array(found)) if wanted.len() == found.len() => {
            for (index, (wanted, found)) in wanted.iter().zip(found).enumerate() {
                differences(&format!("{at}[{index}]"), wanted, found, out);
            }
        }
        _ if wanted == found => {}
        _ => out.push(format!("{at}: {found}, not {wanted}")),
    }
}

/// The report with the two keys of our own.
fn told(report: &Report, coord: String, note: &Value) -> Value {
    let mut told = serde_json::to_value(report).unwrap();
    let codes: Vec<&str> = report.diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect();
    told["codes"] = codes.into();
    told["coord"] = coord.into();
    told["note"] = note.clone();
    told
}

#[test]
fn games_in_their_own_notation() {
    let mut findings = Vec::new();
    let mut records = 0;
    // The odd ones are faults that other programs are known to have read wrongly, hung on or fallen over.
    for path in [files("games", "pgn"), files("odd", "pgn")].concat() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = fs::read(path.with_extension("expected.json"))
            .unwrap_or_else(|error| panic!("{name}.expected.json: {error}"));
        let expected: Vec<Value> = serde_json::from_slice(&expected).unwrap();
        let converted = converted(&fs::read(&path).unwrap(), Style::Coord);
        assert_eq!(expected.len(), converted.len(), "{name}: number of records");
        for (number, (expected, converted)) in expected.iter().zip(&converted).enumerate() {
            let found = told(&converted.report, plies_of(converted), &expected["note"]);
            differences(&format!("{name}[{number}]"), expected, &found, &mut findings);
            records += 1;
        }
    }
    crate::common::report("records with expected reports", records, &findings);
}

#[test]
fn every_expectation_has_its_record() {
    for path in [files("games", "json"), files("odd", "json")].concat() {
        let record = path.with_extension("").with_extension("pgn");
        assert!(record.exists(), "{} is missing", record.display());
    }
}

/// A ply that is illegal for a reason, and a legal one from the same start.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    reason: String,
    /// What is special about the pair.
    #[serde(default)]
    about: String,
    variant: Option<String>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    fen: Option<String>,
    /// The only style that the record may be in.
    style: String,
    /// What comes before, in the same style.
    #[serde(default)]
    moves: String,
    accepted: String,
    rejected: String,
    /// What the verdict on the rejected ply cites.
    rule: String,
    /// Legal plies that must be among those that the verdict names.
    #[serde(default)]
    meant: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Pairs {
    pair: Vec<Pair>,
}

impl Pair {
    fn report(&self, movetext: &str) -> Report {
        let mut text = String::new();
        let fen = self.fen.iter().flat_map(|fen| [("SetUp", "1"), ("FEN", fen.as_str())]);
        let variant = self.variant.iter().map(|variant| ("Variant", variant.as_str()));
        let tags = self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in variant.chain(tags).chain(fen) {
            text += &format!("[{name} \"{value}\"]\n");
        }
        text += &format!("\n{} {movetext} *\n", self.moves);
        let options = Options { style: Some(self.style.parse().unwrap()), ..Options::default() };
        let mut replayer = crate::common::replayer(options);
        let record = read(text.as_bytes(), 0).next().unwrap();
        replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0)
    }

    /// Everything that is not as the pair says.
    fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        let accepted = self.report(&self.accepted);
        let errors =
            accepted.diagnostics.iter().filter(|diagnostic| diagnostic.code.0.starts_with(['J', 'N']));
        findings.extend(errors.map(|error| format!("`{}`: {}", self.accepted, error.message)));
        if let Some(illegal) = &accepted.illegal {
            findings
                .push(format!("`{}` is rejected: {} ({})", illegal.text, illegal.reason_id, illegal.reason));
        }
        let rejected = self.report(&self.rejected);
        let Some(illegal) = &rejected.illegal else {
            findings.push(format!("`{}` is accepted", self.rejected));
            return findings;
        };
        let plies = self.rejected.split(" {").next().unwrap_or_default();
        let last = plies.rsplit([' ', '.']).next();
        if last != Some(&illegal.text) {
            findings.push(format!("`{}` is rejected, not the last ply", illegal.text));
        }
        if (illegal.reason_id.id(), illegal.rule.as_str()) != (&self.reason, &self.rule) {
            let (reason, rule) = (illegal.reason_id, &illegal.rule);
            findings.push(format!("`{}`: {reason} by {rule} ({})", illegal.text, illegal.reason));
        }
        let lacks = self.meant.iter().filter(|meant| !illegal.candidates.contains(meant));
        findings.extend(lacks.map(|meant| format!("`{meant}` is not among {:?}", illegal.candidates)));
        findings
    }
}

#[test]
fn every_reason_has_a_pair() {
    let Pairs { pair: pairs } = toml::from_str(&crate::common::fixture("reasons/pairs.toml")).unwrap();
    let mut findings = Vec::new();
    for pair in &pairs {
        let found = pair.findings();
        findings.extend(found.into_iter().map(|found| format!("{} {}: {found}", pair.reason, pair.about)));
    }
    for reason in Reason::ALL {
        if !pairs.iter().any(|pair| pair.reason == reason.id()) {
            findings.push(format!("{reason} has no pair"));
        }
    }
    crate::common::report("pairs of accepted and rejected plies", pairs.len(), &findings);
}

/// `formats/CODES.md` has a row for every code, in order, and every row says what the program says.
#[test]
fn the_table_of_codes_is_complete() {
    let text = fs::read_to_string(root().join("formats/CODES.md")).unwrap();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>())
        .filter(|cells: &Vec<&str>| {
            let code = cells[0].as_bytes();
            code.len() == 4 && code[0].is_ascii_uppercase() && code[1..].iter().all(u8::is_ascii_digit)
        })
        .collect();
    let by_itself = |code: ferz::text::Code| (code.0, String::new(), String::new());
    let said = |(code, meaning): &(ferz::text::Code, &str)| (code.0, (*meaning).to_owned(), String::new());
    let (notation, games): (Vec<_>, Vec<_>) =
        ferz::replay::codes::ALL.iter().partition(|(code, _)| code.0.starts_with('N'));
    let mut wanted: Vec<(&str, String, String)> = ferz::record::codes::ALL.iter().map(said).collect();
    wanted.extend(notation.into_iter().map(said));
    wanted.extend(games.into_iter().map(said));
    wanted.extend(
        Reason::ALL.iter().map(|reason| (reason.code(), reason.text().into(), reason.article().into())),
    );
    wanted.extend([ferz::rules::load::V_SYNTAX, ferz::rules::load::V_VALUE].map(by_itself));
    let (rows_of, wanted_of): (Vec<&str>, Vec<&str>) =
        (rows.iter().map(|row| row[0]).collect(), wanted.iter().map(|(code, ..)| *code).collect());
    let missing: Vec<_> = wanted_of.iter().filter(|code| !rows_of.contains(code)).collect();
    assert!(missing.is_empty(), "add a row to formats/CODES.md for {missing:?}");
    let unknown: Vec<_> = rows_of.iter().filter(|code| !wanted_of.contains(code)).collect();
    assert!(
        unknown.is_empty(),
        "formats/CODES.md has rows for codes that the program does not have: {unknown:?}"
    );
    assert_eq!(
        rows_of, wanted_of,
        "the rows of formats/CODES.md are not in the program's order, or one is repeated"
    );
    for ((code, meaning, article), row) in wanted.iter().zip(&rows) {
        assert!(
            meaning.is_empty() || row[2] == meaning,
            "{code}: formats/CODES.md has `{}`, the program `{meaning}`",
            row[2]
        );
        assert!(
            article.is_empty() || row[3] == article,
            "{code}: formats/CODES.md has `{}`, the program `{article}`",
            row[3]
        );
        assert!(
            row.last().is_some_and(|remedy| !remedy.is_empty()),
            "{code}: write a remedy in formats/CODES.md"
        );
    }
    for reason in Reason::ALL {
        assert!(text.contains(&format!("| {} | `{reason}` |", reason.code())), "{reason} and its code");
    }
}

/// The keys of the tables of a section of `formats/REPORT.md`: what stands in backquotes in their first column.
#[cfg(feature = "cli")]
fn documented(text: &str, section: &str) -> BTreeSet<String> {
    let start = text.find(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("no section {section}"));
    let section = &text[start + 1..];
    let section = &section[..section.find("\n## ").unwrap_or(section.len())];
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    rows.flat_map(|cell| cell.split(", ")).map(|key| key.trim_matches('`').to_owned()).collect()
}

/// Adds the keys of an object to those of its section, and the same for the objects inside it.
#[cfg(feature = "cli")]
fn collect_keys(section: &str, value: &Value, found: &mut BTreeMap<String, BTreeSet<String>>) {
    for (key, inner) in value.as_object().unwrap() {
        found.entry(section.to_owned()).or_default().insert(key.clone());
        if key == "left_out" {
            // Two numbers, whose meaning its row says.
            continue;
        }
        let inner_section = match key.as_str() {
            "variations" => "Report".to_owned(),
            "losses" | "errors" => "`diagnostics`".to_owned(),
            "let_stand" => "`illegal`".to_owned(),
            key => format!("`{key}`"),
        };
        let list = inner.as_array().map_or(std::slice::from_ref(inner), Vec::as_slice);
        list.iter()
            .filter(|inner| inner.is_object())
            .for_each(|inner| collect_keys(&inner_section, inner, found));
    }
}

/// `formats/REPORT.md` has a row for every key that the program prints, and none for another one.
#[cfg(feature = "cli")]
#[test]
fn the_tables_of_keys_are_complete() {
    let text = fs::read_to_string(root().join("formats/REPORT.md")).unwrap();
    let extra = tempfile::NamedTempFile::new().unwrap();
    let texts = [
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1+ Ng8 (4... Nh6 (4... Ne9)) *\n",
        "\n1. Sf3 Sf6 2. Sc3 Lg9 *\n\n1. Nf3 g8f6 2. Nc3 *\n",
    ];
    fs::write(&extra, texts.concat()).unwrap();
    let many_losses = tempfile::NamedTempFile::new().unwrap();
    fs::write(&many_losses, "1-0 ".repeat(1_100)).unwrap();
    let mut paths = files("games", "pgn");
    paths.extend([extra.path().to_owned(), many_losses.path().to_owned()]);
    let mut found = BTreeMap::new();
    for (arguments, section) in
        [(&["validate"][..], "Report"), (&["convert", "--to", "ichess"], "Conversion")]
    {
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_ferz"))
            .args(arguments)
            .args(["--format", "ndjson"])
            .args(&paths)
            .output()
            .unwrap();
        for line in String::from_utf8(program.stdout).unwrap().lines() {
            collect_keys(section, &serde_json::from_str(line).unwrap(), &mut found);
        }
    }
    assert_eq!(found.len(), 14, "{:?}", found.keys());
    for (section, keys) in found {
        assert_eq!(documented(&text, &section), keys, "section {section}: keys in the file and in output");
    }
}

/// The movetext of a converted record: what stands behind its tags.
fn movetext(converted: &Converted) -> &str {
    converted.text.split_once("\n\n").map_or("", |(_, movetext)| movetext)
}

/// What goes through another style comes back as it was, byte by byte, and deserves no remark.
#[test]
fn conversions_lose_nothing() {
    let mut findings = Vec::new();
    let mut records = 0;
    for path in files("games", "pgn") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read(&path).unwrap();
        let coord = converted(&text, Style::Coord);
        for style in Style::ALL {
            for (number, (coord, there)) in coord.iter().zip(converted(&text, style)).enumerate() {
                let style = if there.losses.is_empty() { style } else { Style::San };
                let there = match style {
                    Style::San => &converted(coord.text.as_bytes(), style)[0],
                    _ => &there,
                };
                if !coord.report.legal {
                    continue;
                }
                records += 1;
                let back = &converted(there.text.as_bytes(), Style::Coord)[0];
                let again = &converted(coord.text.as_bytes(), style)[0];
                let mut say = |what: &str| findings.push(format!("{name}[{number}] by {style}: {what}"));
                if movetext(back) != movetext(coord) {
                    say(&format!("{} is not {}", movetext(back), movetext(coord)));
                }
                if movetext(again) != movetext(there) {
                    say(&format!("{} is not {}", movetext(again), movetext(there)));
                }
                let remarks =
                    back.report.diagnostics.iter().filter(|diagnostic| is_about_spelling(diagnostic.code));
                for remark in remarks {
                    say(&format!("ply {:?}: {}", remark.ply, remark.message));
                }
            }
        }
    }
    crate::common::report("conversions there and back", records, &findings);
}
