//! What is written about rules agrees with the definitions: every cited id stands in the rulebook, every page of which is
//! embedded, and `formats/VARIANT.md` explains every field.

#![allow(clippy::unwrap_used)]

use ferz::rules::{Definition, RULEBOOK};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use toml::{Table, Value};

/// The ids that the rulebook defines.
fn known_ids() -> BTreeSet<String> {
    RULEBOOK.into_iter().flat_map(|page| page.ids()).map(str::to_owned).collect()
}

#[test]
fn every_page_of_the_rulebook_is_embedded_and_linked() {
    let written = fs::read_dir("formats/variants").unwrap().map(|entry| entry.unwrap().path());
    let written = written.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let written: BTreeSet<String> =
        written.map(|path| format!("variants/{}", path.file_name().unwrap().to_str().unwrap())).collect();
    let [general, games @ ..] = &RULEBOOK;
    assert_eq!(written, games.iter().map(|page| page.file.to_owned()).collect());
    for page in games {
        assert!(general.text.contains(&format!("]({})", page.file)), "RULES.md does not link {}", page.file);
    }
}

/// Definition files, mutators too.
fn definition_files() -> Vec<(String, Table)> {
    let mut files = Vec::new();
    for folder in ["formats/variants", "formats/variants/mutators"] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                files.push((
                    path.display().to_string(),
                    toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap(),
                ));
            }
        }
    }
    assert!(files.len() >= 14, "{}", files.len());
    files
}

/// Every string that cites: fields `rule`, and the values of `cites`.
fn citations(table: &Table, inside_cites: bool, found: &mut Vec<String>) {
    for (key, value) in table {
        match value {
            Value::Table(inner) => citations(inner, inside_cites || key == "cites", found),
            Value::String(text) if inside_cites || key == "rule" => found.push(text.clone()),
            _ => {}
        }
    }
}

/// The ids of a citation: `CHA 1 to CHA 13, CHA-4` names fourteen.
fn ids(citation: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for part in citation.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let Some((first, last)) = part.split_once(" to ") else {
            ids.push(part.to_owned());
            continue;
        };
        let number = |id: &str| id.rsplit([' ', '-', '.']).next().unwrap().parse::<u32>().unwrap();
        let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
        assert_eq!(prefix, last.trim_end_matches(|c: char| c.is_ascii_digit()), "{part}");
        ids.extend((number(first)..=number(last)).map(|n| format!("{prefix}{n}")));
    }
    ids
}

#[test]
fn every_cited_id_is_in_the_rules() {
    let known = known_ids();
    assert!(known.len() > 150, "{}", known.len());
    let mut wrong = Vec::new();
    for (file, table) in definition_files() {
        let mut found = Vec::new();
        citations(&table, false, &mut found);
        let unknown = found.iter().flat_map(|citation| ids(citation)).filter(|id| !known.contains(id));
        wrong.extend(unknown.map(|id| format!("{file}: {id}")));
    }
    assert!(wrong.is_empty(), "no line of the rulebook opens with these ids:\n{}", wrong.join("\n"));
}

/// Reason ids, from the tables of RULES.md.
fn known_reasons() -> BTreeSet<String> {
    let text = fs::read_to_string("formats/RULES.md").unwrap();
    let reasons = &text[text.find("## 5.").unwrap()..text.find("## 7.").unwrap()];
    reasons.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect()
}

#[test]
fn reasons_that_cite_are_known() {
    let known = known_reasons();
    for (file, table) in definition_files() {
        let table = table.get("patch").and_then(Value::as_table).unwrap_or(&table).clone();
        let Some(Value::Table(cites)) = table.get("cites") else { continue };
        // A case may stand behind the reason: `no-such-move.N`.
        let of = |cite: &String| cite.split('.').next().unwrap_or_default().to_owned();
        let unknown: Vec<&String> = cites.keys().filter(|cite| !known.contains(&of(cite))).collect();
        assert!(unknown.is_empty(), "{file}: no reasons of formats/RULES.md: {unknown:?}");
    }
}

/// The ids that the tables of reasons and of claims cite for each reason.
fn cited_by_reason() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string("formats/RULES.md").unwrap();
    let reasons = &text[text.find("## 5.").unwrap()..text.find("## 7.").unwrap()];
    let row = |line: &str| {
        let (reason, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let cites = rest.split(" |").next()?;
        Some((reason.to_owned(), ids(cites)))
    };
    let mut cited: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (reason, ids) in reasons.lines().filter_map(row) {
        cited.entry(reason).or_default().extend(ids);
    }
    cited
}

#[test]
fn the_tables_of_reasons_cite_what_the_definitions_cite() {
    let cited = cited_by_reason();
    let mut missing = Vec::new();
    for (file, table) in definition_files() {
        let table = table.get("patch").and_then(Value::as_table).unwrap_or(&table).clone();
        let Some(Value::Table(cites)) = table.get("cites") else { continue };
        for (reason, citation) in cites {
            let row = cited.get(reason.split('.').next().unwrap());
            let listed = |id: &String| row.is_some_and(|row| row.contains(id));
            let unlisted = ids(citation.as_str().unwrap()).into_iter().filter(|id| !listed(id));
            missing.extend(unlisted.map(|id| format!("{reason}: {id} ({file})")));
        }
    }
    assert!(missing.is_empty(), "formats/RULES.md, 5 and 6, lacks:\n{}", missing.join("\n"));
}

/// All keys of a definition that has something in every map and list, as an author writes them.
fn keys(table: &Table, path: &str, found: &mut BTreeSet<String>) {
    for (key, value) in table {
        found.insert(format!("{path}{key}"));
        match value {
            Value::Table(inner) if path.is_empty() && key == "pieces" => {
                inner.values().filter_map(Value::as_table).for_each(|piece| keys(piece, "pieces.*.", found));
            }
            // Keys of the author's own.
            Value::Table(_)
                if ["choices", "augmenters-of-base", "stand-ins", "cites"].contains(&key.as_str()) => {}
            Value::Table(inner) => keys(inner, &format!("{path}{key}."), found),
            _ => {}
        }
    }
}

#[test]
fn every_field_is_explained() {
    let full = r#"
        extends = "chess"
        class = "X"
        [pieces]
        A = { nature = "K", captured-as = "P", home-made = "a disk", first-leap = "mN" }
    "#;
    let definition: Definition = toml::from_str(full).unwrap();
    let Value::Table(table) = Value::try_from(&definition).unwrap() else {
        panic!("a definition is a table")
    };
    let mut fields = BTreeSet::new();
    keys(&table, "", &mut fields);
    fields.insert("drops.entries".into());
    assert!(fields.len() > 80, "{}", fields.len());
    let text = fs::read_to_string("formats/VARIANT.md").unwrap();
    let explained = |path: &str| {
        let (section, field) = path.rsplit_once('.').unwrap_or(("", path));
        let section = if section.is_empty() {
            "### Top".to_owned()
        } else {
            format!("### `[{}]`", section.trim_end_matches(".*"))
        };
        let Some(start) = text.find(&section) else { return false };
        let end = text[start + 4..].find("\n## ").map_or(text.len(), |at| start + 4 + at);
        let own = &text[start..end];
        let own = &own[..own[4..].find("\n### ").map_or(own.len(), |at| at + 4)];
        own.contains(&format!("| `{field}` |"))
    };
    let sections = [
        "board",
        "setup",
        "pieces",
        "pawns",
        "promotion",
        "castling",
        "gating",
        "drops",
        "deployment",
        "captures",
    ];
    let more =
        ["ends", "nature", "armies", "clock", "equipment", "cites", "promotion.other", "switch", "pass"];
    let is_section = |path: &String| sections.iter().chain(&more).any(|section| section == path);
    let missing: Vec<&String> = fields
        .iter()
        .filter(|path| {
            !is_section(path)
                && !path.starts_with("castling.king-side.")
                && !path.starts_with("castling.queen-side.")
        })
        .filter(|path| !explained(path))
        .collect();
    assert!(missing.is_empty(), "formats/VARIANT.md does not explain {missing:?}");
}
