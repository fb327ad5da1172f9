//! Whole records through every pair of styles.
//!
//! What a record is in style B does not depend on the style that it was in before: from A to B comes the same text as
//! from coordinates to B, even where plies that A cannot express stand in it in another style. So a record that
//! loses nothing goes from A to B and back to A unchanged. The same games fill the table in `fixtures/notation/pairs.md`;
//! `UPDATE_NOTATION=1 cargo test --test laws pairs` renews it.

use crate::common::BUILT_IN;
use crate::common::{coord_of, root, with_rules};
use crate::games::{chosen, exists, registry, replayer, users_games};
use crate::random::Random;
use ferz::board::Mask;
use ferz::notation::Style;
use ferz::position::{Ply, Position, Verb};
use ferz::record::read;
use ferz::replay::codes::is_about_spelling;
use ferz::replay::{Options, Source};
use ferz::rewrite::{ConvertOptions, Converted, convert};
use std::collections::BTreeMap;

/// Longest random game, in plies.
const LENGTH: usize = 60;

/// Random games of each column of the table.
const GAMES: u64 = 5;

/// The columns of the table besides the built-in games.
pub const STACKED: [&str; 3] = ["chaos+chess", "chaos+iago-c", "chaos+ichess"];

/// For each pair of styles: records that the first expresses, and how many of them the second does too.
type Pairs = BTreeMap<(Style, Style), (usize, usize)>;

pub fn converted(text: &str, style: Option<Style>, to: Style) -> Converted {
    let mut replayer = replayer(Options { style, ..Options::default() });
    let source = Source::new(text.as_bytes(), 0, 0);
    let record = read(text.as_bytes(), 0).next().unwrap_or_else(|| panic!("no record: {text}"));
    let options = ConvertOptions::new(to);
    convert(&mut replayer, &record, &source, 0, &options)
}

/// The styles that a game has.
pub fn styles_of(variant: &str) -> Vec<Style> {
    // Every set of tags gives a game the same styles.
    let tags = |name: &str| (name == "NatureRules").then(|| "advanced".to_owned());
    let game = registry().definition(variant, &tags).ok();
    let has =
        |style: &Style| style.own().is_none() || game.as_ref().is_some_and(|(game, _)| style.is_for(game));
    Style::ALL.into_iter().filter(has).collect()
}

/// A record goes through every pair of styles; what each pair makes of it is added to `pairs`.
fn through_all(record: &str, styles: &[Style], pairs: &mut Pairs) -> Result<(), String> {
    let coord = converted(record, None, Style::Coord);
    if !coord.report.legal || !coord.losses.is_empty() {
        return Err(format!("{:?} {:?}: {record}", coord.report.illegal, coord.losses));
    }
    let all = |text: &str| styles.iter().map(|to| converted(text, None, *to)).collect::<Vec<_>>();
    let texts = all(&coord.text);
    let mut known: BTreeMap<&str, Vec<Converted>> = BTreeMap::new();
    for (&style, there) in styles.iter().zip(&texts) {
        let whole = there.losses.is_empty();
        let others = known.entry(&there.text).or_insert_with(|| all(&there.text));
        for ((&to, wanted), found) in styles.iter().zip(&texts).zip(others) {
            let say = |what: &str| format!("from {style} to {to}: {what}\n{}\n{}", there.text, found.text);
            if let Some(illegal) = &found.report.illegal {
                return Err(say(&format!("ply {} is {}", illegal.ply, illegal.reason)));
            }
            if found.text != wanted.text {
                return Err(say(&format!("it should be\n{}", wanted.text)));
            }
            if found.losses.len() != wanted.losses.len() {
                return Err(say(&format!("{:?}, not {:?}", found.losses, wanted.losses)));
            }
            if whole {
                let (records, kept) = pairs.entry((style, to)).or_default();
                *records += 1;
                *kept += usize::from(found.losses.is_empty());
            }
        }
        if whole {
            told_its_style(&there.text, style, &coord.text)?;
        }
    }
    Ok(())
}

/// A record without a loss is wholly in its style: it is read where that is demanded, without a remark.
fn told_its_style(text: &str, style: Style, coord: &str) -> Result<(), String> {
    let back = converted(text, Some(style), Style::Coord);
    let remark = back.report.diagnostics.iter().find(|found| is_about_spelling(found.code));
    match remark {
        _ if back.text != coord => {
            Err(format!("as {style}: {:?}\n{text}\n{}", back.report.illegal, back.text))
        }
        Some(remark) => Err(format!("as {style}: {remark:?}\n{text}")),
        None => Ok(()),
    }
}

/// Half of the time any ply, half of the time one that some styles have no form for.
fn choose<M: Mask>(position: &Position<M>, random: &mut Random) -> Option<Ply> {
    let plies = position.plies();
    if plies.is_empty() || position.finish().is_some() {
        return None;
    }
    let special = |ply: &&Ply| ply.verb != Verb::Move || ply.gates_any() || ply.promotion.is_some();
    let rare: Vec<Ply> = plies.iter().filter(special).copied().collect();
    let rather_rare = !rare.is_empty() && random.chance(50);
    Some(*random.pick(if rather_rare { &rare } else { &plies }))
}

fn play<M: Mask>(mut position: Position<M>, random: &mut Random) -> String {
    let mut movetext = String::new();
    for _ in 0..LENGTH {
        let Some(ply) = choose(&position, random) else { break };
        movetext.push_str(&coord_of(&position, &ply));
        movetext.push(' ');
        position.apply(&ply);
    }
    movetext
}

/// A record of a random game, in coordinates.
pub fn random_record(variant: &str, number: u64) -> String {
    let mut random = Random::new(variant, number);
    let (rules, tags) = chosen(variant, "advanced", &mut random);
    let movetext = with_rules!(rules, rules => play(Position::start(rules), &mut random));
    let tag = |(name, value): &(&str, String)| format!("[{name} \"{value}\"]\n");
    let tags: String = tags.iter().map(tag).collect();
    format!("[Variant \"{variant}\"]\n{tags}\n{movetext}*\n")
}

/// The legal records of a game among those of `fixtures/games`, as they are.
pub fn native_records(variant: &str) -> Vec<String> {
    let folder = root().join("fixtures/games");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "pgn")) {
        let text = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for record in read(&text, 0) {
            let name = record.tag("Variant").unwrap_or_default();
            let same = registry().canonical_name(&name).is_ok_and(|name| name == variant);
            let text = String::from_utf8_lossy(record.source()).into_owned();
            if same && converted(&text, None, Style::Coord).report.legal {
                found.push(text);
            }
        }
    }
    found
}

fn all_pairs(variant: &str, numbers: std::ops::Range<u64>, natives: bool) -> Pairs {
    let mut pairs = Pairs::new();
    let natives = if natives { native_records(variant) } else { Vec::new() };
    let styles = styles_of(variant);
    for record in numbers.map(|number| random_record(variant, number)).chain(natives) {
        through_all(&record, &styles, &mut pairs).unwrap_or_else(|error| panic!("{variant}: {error}"));
    }
    pairs
}

/// Mutators over every game, and users' definitions.
#[test]
fn records_of_other_games_go_through_all_pairs_of_styles() {
    let mutated = BUILT_IN.iter().flat_map(|game| {
        ["chaos", "misere", "bareking", "misere+bareking+chaos"].map(|stack| format!("{stack}+{game}"))
    });
    let games: Vec<String> = mutated
        .chain(users_games())
        .filter(|name| exists(name) && !STACKED.contains(&name.as_str()))
        .collect();
    assert!(games.len() > 40, "{games:?}");
    for name in games {
        all_pairs(&name, 0..1, false);
    }
}

/// The lines of the pairs that are wanted, in a column for each game.
fn table_of(games: &[(&str, &Pairs)], is_wanted: &dyn Fn(Style, Style) -> bool) -> String {
    let names: Vec<&str> = games.iter().map(|(game, _)| *game).collect();
    let mut table =
        format!("| from | to | {} |\n|---|---|{}\n", names.join(" | "), "---|".repeat(games.len()));
    for from in Style::ALL {
        for to in Style::ALL.into_iter().filter(|to| *to != from && is_wanted(from, *to)) {
            let share = |(_, pairs): &(&str, &Pairs)| match pairs.get(&(from, to)) {
                Some((records, kept)) => format!("{} %", 100 * kept / records),
                None => "–".to_owned(),
            };
            let shares: Vec<String> = games.iter().map(share).collect();
            table.push_str(&format!("| `{from}` | `{to}` | {} |\n", shares.join(" | ")));
        }
    }
    let records = |(_, pairs): &(&str, &Pairs)| pairs[&(Style::Coord, Style::San)].0.to_string();
    let records: Vec<String> = games.iter().map(records).collect();
    table.push_str(&format!("| records | | {} |\n", records.join(" | ")));
    table
}

/// The table of `fixtures/notation/pairs.md`: a line a pair, a column a game, the share of records that go without loss.
#[test]
fn pairs_of_styles_in_the_table() {
    let games: Vec<&str> = BUILT_IN.into_iter().chain(STACKED).collect();
    let columns: Vec<Pairs> = games.iter().map(|game| all_pairs(game, 0..GAMES, true)).collect();
    let all: Vec<(&str, &Pairs)> = games.iter().copied().zip(&columns).collect();
    let of_all = |style: Style| style.own().is_none();
    let mut table = table_of(&all, &|from, to| of_all(from) && of_all(to));
    let own = |(game, _): &(&str, &Pairs)| !styles_of(game).into_iter().all(of_all);
    let own: Vec<(&str, &Pairs)> = all.iter().copied().filter(own).collect();
    table.push_str("\nThe styles that only some games have:\n\n");
    table.push_str(&table_of(&own, &|from, to| !of_all(from) || !of_all(to)));
    let path = root().join("fixtures/notation/pairs.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (head, _) = text.split_once("\n| from | to |").unwrap_or((&text, ""));
    let fresh = format!("{}\n\n{table}", head.trim_end());
    if std::env::var_os("UPDATE_NOTATION").is_some() {
        std::fs::write(&path, &fresh).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    } else {
        assert!(
            fresh.trim_end() == text.trim_end(),
            "fixtures/notation/pairs.md is out of date; UPDATE_NOTATION=1 renews it:\n{table}"
        );
    }
}
