//! Diagrams of positions: well-formed, complete in words, for every position of the conformance cases.

use crate::common::{json_lines, ply_of, rules_of, start_of, texts, with_rules};
use ferz::board::{Mask, Owner};
use ferz::diagram::{Options, PieceSet, svg};
use ferz::position::{Ply, Position};
use ferz::rules::Rules;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a small reader of XML finds: every element with its attributes, and the texts by element.
#[derive(Default)]
struct Xml {
    elements: Vec<(String, Vec<(String, String)>)>,
    texts: Vec<(String, String)>,
}

impl Xml {
    fn attributes(&self, name: &str) -> Vec<&str> {
        let all = self.elements.iter().flat_map(|(_, attributes)| attributes);
        all.filter(|(attribute, _)| attribute == name).map(|(_, value)| value.as_str()).collect()
    }

    fn text(&self, element: &str) -> &str {
        self.texts.iter().find(|(name, _)| name == element).map_or("", |(_, text)| text)
    }
}

/// Reads XML as far as diagrams use it; the first thing that is not well-formed.
fn read(text: &str) -> Result<Xml, String> {
    let mut xml = Xml::default();
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let content = unescaped(&rest[..start])?;
        if let Some(element) = open.last() {
            xml.texts.push((element.clone(), content));
        } else if !content.trim().is_empty() {
            return Err(format!("text outside the root: {content}"));
        }
        let end = rest[start..].find('>').ok_or("a tag without end")? + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened.as_deref() != Some(name) {
                return Err(format!("</{name}> closes {opened:?}"));
            }
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let name = tag.split_whitespace().next().ok_or("a tag without name")?.to_owned();
        xml.elements.push((name.clone(), attributes(&tag[name.len()..])?));
        if !empty {
            open.push(name);
        }
    }
    if open.is_empty() && rest.trim().is_empty() { Ok(xml) } else { Err(format!("left open: {open:?}")) }
}

fn attributes(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").ok_or(format!("no attribute: {rest}"))?;
        let (value, after) = after.split_once('"').ok_or(format!("no end of value: {after}"))?;
        if name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-') || value.contains('<') {
            return Err(format!("attribute {name}={value}"));
        }
        if found.iter().any(|(other, _)| other == name) {
            return Err(format!("attribute {name} twice"));
        }
        found.push((name.to_owned(), unescaped(value)?));
        rest = after.trim_start();
    }
    Ok(found)
}

fn unescaped(text: &str) -> Result<String, String> {
    let known = ["lt;", "gt;", "amp;", "quot;"];
    if let Some(odd) = text.split('&').skip(1).find(|part| !known.iter().any(|known| part.starts_with(known)))
    {
        return Err(format!("`&{odd}` is no entity"));
    }
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    Ok(plain.replace("&amp;", "&"))
}

/// Everything that must hold for any diagram; the first thing that does not.
fn fault<M: Mask>(position: &Position<M>, options: &Options<M>) -> Result<Xml, String> {
    let drawing = svg(position, options);
    let xml = read(&drawing)?;
    let ids: Vec<&str> = xml.attributes("id");
    let different: BTreeSet<&str> = ids.iter().copied().collect();
    if different.len() != ids.len() {
        return Err("an id twice".into());
    }
    let links = xml.attributes("href").into_iter().map(|link| link.trim_start_matches('#'));
    let fills = xml.attributes("fill").into_iter();
    let fills = fills.filter_map(|fill| fill.strip_prefix("url(#")?.strip_suffix(')'));
    let labels = xml.attributes("aria-labelledby").into_iter().flat_map(str::split_whitespace);
    if let Some(lost) = links.chain(fills).chain(labels).find(|id| !different.contains(id)) {
        return Err(format!("nothing has the id {lost}"));
    }
    for banned in ["script", "style", "image", "foreignObject", "a"] {
        if xml.elements.iter().any(|(name, _)| name == banned) {
            return Err(format!("<{banned}>"));
        }
    }
    if !xml.attributes("style").is_empty() || drawing.matches("http").count() != 1 {
        return Err("a style, or an address besides the name space".into());
    }
    words_name_every_piece(position, xml.text("desc"))?;
    let pieces = position.state().occupied().count() as usize;
    if xml.elements.iter().filter(|(name, _)| name == "use").count() < pieces {
        return Err("a piece is missing".into());
    }
    Ok(xml)
}

/// Every piece stands in its owner's line: kind, then squares.
fn words_name_every_piece<M: Mask>(position: &Position<M>, words: &str) -> Result<(), String> {
    let rules = position.rules();
    for square in position.state().occupied().squares() {
        let piece = position.state().piece(square).ok_or("a square without a piece")?;
        let line = format!("{} on the board: ", piece.owner.name());
        let line = words.lines().find_map(|found| found.strip_prefix(&line)).ok_or(format!("no `{line}`"))?;
        let name = rules.board().name(square);
        let group = line
            .trim_end_matches('.')
            .split("; ")
            .find(|group| group.split(", ").any(|part| part.rsplit(' ').next() == Some(name.as_str())));
        let group = group.ok_or(format!("{name} is not in `{line}`"))?;
        if !group.starts_with(&rules.kind(piece.kind).name) {
            return Err(format!("{name} is in `{group}`"));
        }
    }
    Ok(())
}

/// Draws all positions of a case, with its last plies, in both sets and from both sides.
fn draw_all<M: Mask>(rules: Arc<Rules<M>>, case: &Value) -> Result<usize, String> {
    let mut position = start_of(rules, case)?;
    let mut last: Option<Ply> = None;
    let moves = texts(&case["moves"]);
    for number in 0..=moves.len() {
        let options = Options {
            last,
            marked: if number % 3 == 0 { position.state().owned(Owner::Black) } else { M::EMPTY },
            pieces: PieceSet::ALL[number % 2],
            seen_by: Owner::ALL[number % 3],
            ..Options::default()
        };
        // Reading is slower than drawing, so not every drawing is read.
        if number % 8 == 0 || number == moves.len() {
            fault(&position, &options)
                .map_err(|error| format!("after ply {number}: {error} in {}", position.fen()))?;
        } else {
            assert!(svg(&position, &options).ends_with("</svg>\n"));
        }
        let Some(ply) = moves.get(number).and_then(|text| ply_of(&position, text)) else { break };
        position.apply(&ply);
        last = Some(ply);
    }
    Ok(moves.len() + 1)
}

#[test]
fn every_position_of_the_cases_is_drawn() {
    let mut findings = Vec::new();
    let mut cases = 0;
    for file in ["augmented", "chaos", "iago", "ichess", "ingols"] {
        for case in json_lines(&format!("conformance/{file}.jsonl")) {
            let rules = rules_of(&case).unwrap_or_else(|error| panic!("{}: {error}", case["id"]));
            let drawn = with_rules!(rules, rules => draw_all(rules, &case));
            findings.extend(drawn.err().map(|error| format!("{}: {error}", case["id"])));
            cases += 1;
        }
    }
    crate::common::report("diagrams", cases, &findings);
}

fn position(variant: &str, tags: Value, fen: Option<&str>) -> Position<u64> {
    let case = serde_json::json!({ "variant": variant, "tags": tags, "fen": fen });
    match rules_of(&case).unwrap_or_else(|error| panic!("{error}")) {
        ferz::rules::AnyRules::Narrow(rules) => {
            start_of(rules, &case).unwrap_or_else(|error| panic!("{error}"))
        }
        ferz::rules::AnyRules::Wide(_) => panic!("{variant} has more than 64 squares"),
    }
}

/// Squares on which a pawn becomes the piece that the array has there carry its letter (ING 4).
#[test]
fn squares_of_promotion_have_letters() {
    let drawn = svg(&position("ingols", Value::Null, None), &Options::default());
    let letters = drawn.split("ferz-promotion").nth(1).and_then(|rest| rest.split("</g>").next());
    let letters = letters.expect("a group of letters");
    let count = |letter: &str| letters.matches(&format!(">{letter}</text>")).count();
    assert_eq!(["K", "Q", "R", "B", "N"].map(count), [2, 2, 4, 4, 4], "{letters}");
    let chess = svg(&position("chess", Value::Null, None), &Options::default());
    assert!(!chess.contains("ferz-promotion"));
}

#[test]
fn words_are_escaped_wherever_they_come_from() {
    let position = position("chess", Value::Null, None);
    let odd = "A & B: <b>\"1. e4\"</b>\u{7}";
    let options = Options { title: Some(odd.into()), caption: Some(odd.into()), ..Options::default() };
    let xml = fault(&position, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(xml.text("title"), "A & B: <b>\"1. e4\"</b>\u{fffd}");
}

#[test]
fn diagrams_of_one_page_have_different_ids() {
    let mut position = position("chess", Value::Null, None);
    let id = |position: &Position<u64>, options: &Options<u64>| {
        read(&svg(position, options)).unwrap_or_else(|error| panic!("{error}")).attributes("id")[0].to_owned()
    };
    let start = id(&position, &Options::default());
    let flipped = id(&position, &Options { seen_by: Owner::Black, ..Options::default() });
    let named = id(&position, &Options { id: Some("end".into()), ..Options::default() });
    let ply = ply_of(&position, "e2e4").unwrap_or_else(|| panic!("e2e4 is legal"));
    position.apply(&ply);
    let after = id(&position, &Options::default());
    assert_eq!(BTreeSet::from([&start, &flipped, &named, &after]).len(), 4);
    assert_eq!(named, "end-title");
}

#[cfg(feature = "cli")]
mod program {
    use super::*;
    use assert_cmd::Command;

    /// Exit code, data and messages of `ferz show`.
    fn show(args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferz"));
        let output = command.current_dir(crate::common::root()).arg("show").args(args).output();
        let output = output.unwrap_or_else(|error| panic!("{error}"));
        let text = |bytes| String::from_utf8(bytes).unwrap_or_else(|error| panic!("{error}"));
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    /// The drawings of `fixtures/diagrams` and how they are made; `UPDATE_DIAGRAMS=1` writes them anew.
    const DRAWINGS: [(&str, &[&str]); 6] = [
        ("illegal-castling", &["--record", "fixtures/games/iago-b-blocked.pgn", "--title", "Blocked"]),
        ("deployment", &["--record", "fixtures/games/ichess-sample.pgn", "--ply", "6"]),
        (
            "third-player",
            &[
                "chaos+chess",
                "--tag",
                "NatureRules=advanced",
                "--moves",
                "e2e4 e7e5 g1f3 b8c6 f1c4 ~N@a4 g8f6",
            ],
        ),
        (
            "two-armies",
            &[
                "augmented",
                "--tag",
                "WhiteArmy=RF fbNFA BfbN QffNsbN",
                "--tag",
                "BlackArmy=RfbN NW BD RNF",
                "--fen",
                "rnbqkbnr/pppppppp/8/8/3Q'4/4r'3/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ],
        ),
        (
            "impromptu",
            &[
                "iago-m",
                "--pieces",
                "impromptu",
                "--flip",
                "--fen",
                "rnb1kbnr/pppppppp/8/3amc2/3AMC2/8/PPPPPPPP/RNB1KBNR[Qq] w KQBCFGkqbcfg - 0 2",
            ],
        ),
        ("bare", &["capablanca", "--bare", "--moves", "e2e4 e7e5"]),
    ];

    #[test]
    fn drawings_are_those_of_the_fixtures() {
        for (name, args) in DRAWINGS {
            let (code, drawing, err) = show(&[args, &["--svg"]].concat());
            assert_eq!((code, err.as_str()), (0, ""), "{name}");
            let path = crate::common::root().join(format!("fixtures/diagrams/{name}.svg"));
            if std::env::var_os("UPDATE_DIAGRAMS").is_some() {
                std::fs::write(&path, &drawing).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            let known = crate::common::fixture(&format!("diagrams/{name}.svg"));
            assert!(
                known == drawing,
                "{name} is drawn otherwise; UPDATE_DIAGRAMS=1 renews it; look at it then"
            );
            read(&drawing).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    #[test]
    fn an_illegal_ply_is_told_and_its_squares_are_marked() {
        let record = ["--record", "fixtures/games/iago-b-blocked.pgn"];
        let (_, text, _) = show(&record);
        let said = "Ply 7, O-O, is illegal: a piece stands in the way of castling [FIDE 3.8].";
        assert!(text.contains(said), "{text}");
        let (_, drawing, _) = show(&[&record[..], &["--svg", "--mark", "a8"]].concat());
        let xml = read(&drawing).unwrap_or_else(|error| panic!("{error}"));
        assert!(xml.text("desc").contains("\nMarked: e1, h1, a8.\n"), "{}", xml.text("desc"));
        assert!(xml.texts.iter().any(|(element, text)| element == "text" && text.contains("is illegal")));
        // An earlier position has nothing to do with it; the illegal ply's own number is the position before it.
        let (_, earlier, _) = show(&[&record[..], &["--ply", "6"]].concat());
        assert!(!earlier.contains("illegal"), "{earlier}");
        assert_eq!(show(&[&record[..], &["--ply", "7"]].concat()).1, text);
    }

    #[test]
    fn what_is_not_there_is_told() {
        let record = ["--record", "fixtures/games/iago-b-blocked.pgn"];
        for (args, wanted) in [
            ([&record[..], &["--ply", "8"]].concat(), "--ply 8: the game has only 6 legal plies"),
            ([&record[..], &["--game", "2"]].concat(), "no game 2; the file has 1"),
            ([&record[..], &["--game", "0"]].concat(), "0 is not in 1.."),
            (vec!["chess", "--svg", "--mark", "e4,i9"], "`i9` is not a square of this board; write a1 to h8"),
            (vec!["chess", "--mark", "e4"], "--svg"),
            (vec!["chess", "-o", "no/such/directory/x.txt"], "cannot be written"),
            (vec!["--svg"], "<VARIANT>"),
            ([&["chess"], &record[..]].concat(), "cannot be used with"),
        ] {
            let (code, _, err) = show(&args);
            assert!(code == 2 && err.contains(wanted), "{args:?}: {err}");
        }
    }
}
