//! Each style as `formats/NOTATION.md` shows it, and the texts that other programs have misread.
//!
//! `UPDATE_NOTATION=1 cargo test --test records styles` writes what the program writes into the tables of spellings.

use crate::common::{coord_of, ply_of, root, with_rules};
use ferz::board::{Mask, Owner};
use ferz::notation::{Lack, Letters, Style, WriteChoices, read_as, resolve, write};
use ferz::position::Position;
use ferz::record::{ItemKind, read};
use ferz::replay::codes::{self, is_about_spelling};
use ferz::replay::{Options, Replayer, Source};
use ferz::rewrite::fix::{REPAIRS, fix};
use ferz::rewrite::{ConvertOptions, Converted, convert};
use ferz::rules::{AnyRules, Registry, Rules};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What stands in a table where a style has no form.
const NONE: &str = "–";

/// What stands before Nature's plies in a record in the styles with letters.
const TURN: &str = "∞1.....";

fn manual() -> String {
    let path = root().join("formats/NOTATION.md");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The cells of a line of a table; none if it is no line of one.
fn cells(line: &str) -> Vec<&str> {
    let inner = line.strip_prefix('|').and_then(|line| line.strip_suffix('|'));
    inner.map_or_else(Vec::new, |inner| inner.split('|').map(str::trim).collect())
}

fn bare(cell: &str) -> &str {
    cell.trim_matches('`')
}

/// A position of the manual.
struct Place {
    variant: String,
    tags: BTreeMap<String, String>,
}

impl Place {
    fn rules(&self) -> AnyRules {
        let tags = |name: &str| self.tags.get(name).cloned();
        Registry::built_in().rules(&self.variant, &tags).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A record of one ply.
    fn record(&self, token: &str) -> String {
        let tag = |(name, value): (&String, &String)| format!("[{name} \"{value}\"]\n");
        let tags: String = self.tags.iter().map(tag).collect();
        format!("[Variant \"{}\"]\n[SetUp \"1\"]\n{tags}\n{token} *\n", self.variant)
    }
}

/// The table of positions: name, game, tags, FEN.
fn places(text: &str) -> BTreeMap<String, Place> {
    let mut places = BTreeMap::new();
    for line in text.lines() {
        let [name, variant, tags, fen] = cells(line)[..] else { continue };
        let Some(fen) = fen.strip_prefix('`').and_then(|fen| fen.strip_suffix('`')) else { continue };
        let pair = |tag: &str| tag.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let tags = bare(tags).split(';').filter_map(|tag| pair(tag.trim()));
        let tags = tags.chain([("FEN".to_owned(), fen.to_owned())]).collect();
        places.insert(name.to_owned(), Place { variant: bare(variant).to_owned(), tags });
    }
    places
}

/// A line of the tables of spellings: position, coordinates, and what each style should write.
fn check_row<M: Mask>(
    rules: Arc<Rules<M>>,
    place: &Place,
    coord: &str,
    wanted: &[(Style, &str)],
) -> Result<Vec<String>, String> {
    let position = Position::from_fen(rules, &place.tags["FEN"]).map_err(|error| error.to_string())?;
    let letters = Letters::new(position.rules());
    let ply = ply_of(&position, coord).ok_or_else(|| format!("`{coord}` is not legal"))?;
    let mut found = Vec::new();
    for (style, wanted) in wanted {
        let numbered = ply.actor == Owner::Nature && !style.is_coordinates();
        let turn = if numbered { TURN } else { "" };
        let Ok(text) = write(&position, &ply, *style, WriteChoices::default()) else {
            found.push(NONE.to_owned());
            continue;
        };
        found.push(format!("`{turn}{text}`"));
        let error = |what: &str| format!("`{coord}` in style {style}, `{text}`: {what}");
        let told = read_as(Some(*style), &letters, position.turn(), numbered, text.as_bytes())
            .map_err(|unread| error(&unread.to_string()))?;
        let resolved = resolve(&position, &told).map_err(|fault| error(&fault.message))?;
        if resolved.ply != ply {
            return Err(error(&format!("is read as {}", coord_of(&position, &resolved.ply))));
        }
        // As a whole record, without its style being told.
        let back = converted(&place.record(&format!("{turn}{text}")), None, Style::Coord);
        if plies(&back) != [coord] {
            return Err(error(&format!("the record becomes {:?} {:?}", plies(&back), back.report.illegal)));
        }
        if bare(wanted) == NONE {
            return Err(error("the manual says that there is no form"));
        }
    }
    Ok(found)
}

fn converted(text: &str, style: Option<Style>, to: Style) -> Converted {
    let mut replayer = crate::common::replayer(Options { style, ..Options::default() });
    let source = Source::new(text.as_bytes(), 0, 0);
    let record = read(text.as_bytes(), 0).next().unwrap_or_else(|| panic!("no record: {text}"));
    let options = ConvertOptions::new(to);
    convert(&mut replayer, &record, &source, 0, &options)
}

/// The main line of a converted record, as far as it is legal.
fn plies(converted: &Converted) -> Vec<String> {
    let Some(record) = read(converted.text.as_bytes(), 0).next() else { return Vec::new() };
    let moves = record.main_line().items().filter(|(_, item)| item.kind == ItemKind::Move);
    moves.take(converted.report.plies).map(|(_, item)| record.text(*item).into_owned()).collect()
}

/// What is wrong with a row of the manual's table of habits: a place or a game, a record, what is offered, a code.
fn check_habit(places: &BTreeMap<String, Place>, row: [&str; 4]) -> Result<(), String> {
    let [place, moves, offered, code] = row;
    let text = match places.get(place) {
        Some(place) => place.record(bare(moves)),
        None => format!("[Variant \"{}\"]\n\n{} *\n", bare(place), bare(moves)),
    };
    let record = read(text.as_bytes(), 0).next().ok_or("no record")?;
    for strict in [false, true] {
        let mut replayer = crate::common::replayer(Options { strict, ..Options::default() });
        let report = replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0);
        if let Some(illegal) = &report.illegal {
            return Err(format!("ply {} is illegal: {}", illegal.ply, illegal.reason));
        }
        let about = report.diagnostics.iter().filter(|told| is_about_spelling(told.code));
        let told: Vec<(&str, &str)> =
            about.map(|told| (told.code.0, told.spelling.as_deref().unwrap_or(NONE))).collect();
        if told != [(code, bare(offered))] {
            return Err(format!("it has {told:?}"));
        }
        if report.is_finding(false) != strict {
            return Err(format!("strict: {strict}, and a finding: {}", !strict));
        }
    }
    let repairs: Vec<_> =
        REPAIRS.iter().filter(|repair| repair.codes.iter().any(|answered| answered.0 == code)).collect();
    // Numbers that are missing, and letters of other languages.
    if repairs.is_empty() != matches!(code, "N032" | "N034") {
        return Err(format!("{} repairs", repairs.len()));
    }
    let mut replayer = crate::common::replayer(Options::default());
    let fixed = fix(&mut replayer, &record, &Source::new(text.as_bytes(), 0, 0), &repairs);
    let fixed = String::from_utf8_lossy(&fixed.bytes).into_owned();
    let again = read(fixed.as_bytes(), 0).next().ok_or("no record")?;
    let report = replayer.report(&again, &Source::new(fixed.as_bytes(), 0, 0), 0);
    let still = report.diagnostics.iter().any(|told| told.code.0 == code);
    let written = bare(offered) == NONE || fixed.contains(bare(offered));
    if !repairs.is_empty() && (still || !written) {
        return Err(format!("repaired it is {fixed:?}"));
    }
    Ok(())
}

/// A remark of its own tells with its ply what the ply should be as a whole.
#[test]
fn what_is_offered_for_a_remark_is_the_ply_in_its_style() {
    for (text, told) in [
        ("1. e4 a6 2. e5 d5 3. ed6 ep. *", ("N025", "exd6")),
        ("1. e4 a6 2. e5 d5 3. e5d6 e.p. *", ("N025", "exd6")),
        ("1. a4 b5 2. axb5 a6 3. bxa6 c6 4. a7 c5 5. axb8Q e.p. *", ("N026", "axb8=Q")),
    ] {
        let read = converted(text, None, Style::Coord);
        let said = read.report.diagnostics.iter().filter(|said| said.code.0.starts_with("N02"));
        let said: Vec<_> = said.map(|said| (said.code.0, said.spelling.as_deref().unwrap_or(NONE))).collect();
        assert!(said.contains(&told), "{text}: {said:?}");
    }
}

#[test]
fn habits_are_read_and_refused_as_the_manual_says() {
    let text = manual();
    let places = places(&text);
    let (mut codes, mut findings) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let [habit, place, moves, offered, code] = cells(line)[..] else { continue };
        if !code.starts_with('N') {
            continue;
        }
        codes.push(code.to_owned());
        if let Err(error) = check_habit(&places, [place, moves, offered, code]) {
            findings.push(format!("{habit}, {moves}: {error}"));
        }
    }
    let about = codes::ALL.iter().map(|(code, _)| *code).filter(|code| is_about_spelling(*code));
    let all: Vec<String> = about.map(|code| code.0.to_owned()).collect();
    let rows = codes.len();
    // Habits that are akin have one code.
    codes.dedup();
    assert_eq!(codes, all, "each code about the form of a ply has its row");
    crate::common::report("habits of the manual", rows, &findings);
}

#[test]
fn a_demanded_style_tells_of_plies_in_others() {
    for (style, record, told) in [
        (Style::San, "1. Ng1f3 Nf6 *", vec![("N020", "Nf3")]),
        (Style::San, "1. e2-e4 e5 *", vec![("N030", "e4")]),
        (Style::Lan, "1. e2-e4 e5 *", vec![("N030", "e7-e5")]),
        (Style::San, "1. e4 e5 *", vec![]),
        (Style::Lan, "1. e2-e4 e7-e5 *", vec![]),
    ] {
        let read = converted(record, Some(style), Style::Coord);
        let found: Vec<(&str, &str)> = read
            .report
            .diagnostics
            .iter()
            .map(|told| (told.code.0, told.spelling.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(found, told, "{record} in {style}");
        assert!(read.report.legal, "{record} in {style}");
    }
}

#[test]
fn spellings_are_those_of_the_manual() {
    let text = manual();
    let places = places(&text);
    let update = std::env::var_os("UPDATE_NOTATION").is_some();
    let (mut styles, mut rows, mut findings) = (Vec::new(), 0, Vec::new());
    let mut fresh = String::new();
    for line in text.lines() {
        let row = cells(line);
        let mut renewed = line.to_owned();
        if let ["action", "position", ref heads @ ..] = row[..] {
            styles = heads.iter().map(|head| bare(head).parse::<Style>().unwrap_or(Style::Coord)).collect();
        } else if row.is_empty() {
            styles.clear();
        } else if let [action, position, ref spelled @ ..] = row[..]
            && spelled.len() == styles.len()
            && let Some(place) = places.get(position)
        {
            rows += 1;
            let wanted: Vec<(Style, &str)> = styles
                .iter()
                .copied()
                .zip(if update { vec!["?"; styles.len()] } else { spelled.to_vec() })
                .collect();
            let coord = bare(spelled[0]);
            match with_rules!(place.rules(), rules => check_row(rules, place, coord, &wanted)) {
                Ok(found) => {
                    renewed = format!("| {action} | {position} | {} |", found.join(" | "));
                    if renewed != line {
                        findings.push(format!("{action}:\n    {line}\n    {renewed}"));
                    }
                }
                Err(error) => findings.push(format!("{action}: {error}")),
            }
        }
        fresh.push_str(&renewed);
        fresh.push('\n');
    }
    if update {
        std::fs::write(root().join("formats/NOTATION.md"), fresh).unwrap_or_else(|error| panic!("{error}"));
        findings.retain(|finding| !finding.contains('\n'));
    }
    assert!(rows >= 50, "{rows} rows");
    crate::common::report("spellings", rows, &findings);
}

/// The manual shows every style in some table, and names everything that a style may lack.
#[test]
fn the_manual_names_styles_and_losses() {
    let text = manual();
    for style in Style::ALL {
        assert!(text.contains(&format!("| `{style}` |")), "{style}");
    }
    for lack in Lack::ALL {
        assert!(text.lines().any(|line| cells(line).first() == Some(&lack.text())), "{lack}");
    }
}

/// The plies that a record means, in coordinates, or what is wrong with the first that means none.
fn read_record(tags: &str, movetext: &str, style: Option<Style>) -> Result<String, String> {
    let back = converted(&format!("{tags}\n{movetext} *\n"), style, Style::Coord);
    match &back.report.illegal {
        Some(illegal) => Err(format!("{}: {}: {}", illegal.text, illegal.reason_id, illegal.reason)),
        None if back.report.legal => Ok(plies(&back).join(" ")),
        None => Err(format!("{:?}", back.report.diagnostics)),
    }
}

fn reads(tags: &str, movetext: &str, coord: &str) {
    assert_eq!(read_record(tags, movetext, None).as_deref(), Ok(coord), "{movetext}");
}

fn refuses(tags: &str, movetext: &str, why: &str) {
    let error = read_record(tags, movetext, None).expect_err(movetext);
    assert!(error.contains(why), "{movetext}: {error}");
}

const ICHESS: &str =
    "[Variant \"ichess\"]\n[SetUp \"1\"]\n[FEN \"3k4/8/8/1pnb4/2P5/8/8/3K4[N] w - - 0 30\"]\n";

/// `=` before a square is a drop, behind one a promotion.
#[test]
fn an_equals_sign_is_drop_and_promotion() {
    reads(ICHESS, "Pc5=F", "c4c5f");
    reads(ICHESS, "N=a1", "N@a1");
    refuses(ICHESS, "R=a1", "not-in-hand");
    refuses(ICHESS, "Pc5=", "unreadable");
}

/// Nature's `a4=Q` is an introduction where that is legal, else a promotion; never both in silence.
#[test]
fn natures_equals_sign() {
    let chaos = |fen: &str| {
        format!("[Variant \"chaos+chess\"]\n[NatureRules \"pawn\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n")
    };
    let free = chaos("4k3/8/8/8/8/8/8/4K3[] w - - 0 9 ~5");
    reads(&free, "∞1.....b4=N", "~N@b4");
    let taken = chaos("4k3/8/8/N*P6/8/8/8/4K3[] w - - 0 9 ~5:b5");
    // A piece stands on a5, so nothing is introduced there; the pawn does not capture ahead.
    refuses(&taken, "∞1.....a5=N", "");
    reads(&chaos("4k3/8/8/1*P6/8/8/8/4K3[] w - - 0 9 ~5"), "∞1.....b5a5=N", "~b5a5n");
}

/// `h1e1h` enters a piece on the rook's square; it takes no king.
#[test]
fn castling_with_a_gate_is_no_capture_of_the_king() {
    let tags =
        "[Variant \"seirawan\"]\n[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R1B1K2R[HEhe] w KQCkq - 0 1\"]\n";
    reads(tags, "h1e1h", "h1e1h");
    reads(tags, "e1g1h", "e1g1h");
    reads(tags, "O-O/Hh1", "h1e1h");
    reads(tags, "O-O/He1", "e1g1h");
    refuses(tags, "h1e1", "");
    refuses("[Variant \"chess\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n", "h1e1h", "");
}

/// Where both the king's square and the rook's would do, a gate names its own; where one is left, it is named.
#[test]
fn a_gate_while_castling_names_its_square() {
    let tags =
        "[Variant \"seirawan\"]\n[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R1B1K2R[HEhe] w KQCkq - 0 1\"]\n";
    refuses(tags, "O-O/H", "ambiguous");
    refuses(tags, "O-O&H", "ambiguous");
    refuses(&tags.replace(" w ", " b "), "1... O-O-O/E", "on a8 and on e8");
    refuses(tags, "O-O/M", "no-such-kind");
    let two = "name = \"two\"\nextends = \"iago-b\"\ntitle = \"Two a turn\"\n\
               [gating]\nwith-castling = \"either\"\nper-turn = 2\n";
    let registry = Registry::with_files([two]).unwrap_or_else(|errors| panic!("{errors:?}"));
    let fen = "3k4/8/8/8/8/8/8/R3K2R[MCmc] w KQ - 0 1";
    let report = |token: &str| {
        let text = format!("[Variant \"two\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. {token} *\n");
        let mut replayer = Replayer::new(&registry, Options::default());
        let record = read(text.as_bytes(), 0).next().expect("a record");
        replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0)
    };
    // Two gates may be named in either order; without squares either might be the king's.
    let twice = report("O-O&M&C").illegal.map(|illegal| illegal.reason_id.id());
    assert_eq!(twice, Some("ambiguous"));
    let same = report("O-O&Me1&Mh1").illegal.map(|illegal| illegal.reason_id.id());
    assert_eq!(same, Some("not-in-reserve"), "there is one marshall");
    for token in ["O-O&Me1&Ch1", "O-O&Ch1&Me1", "e1g1me1ch1", "e1g1ch1me1"] {
        assert_eq!(report(token).final_fen, "3k4/8/8/8/8/8/8/R3MRKC[mc] b A - 0 1", "{token}");
    }
    for (token, codes) in [("O-O&Me1&C", vec!["N029"]), ("O-O&M&Ch1", vec!["N029"]), ("O-O&Me1&Ch1", vec![])]
    {
        let report = report(token);
        assert!(report.legal, "{token}: {:?}", report.illegal);
        let told: Vec<&str> = report.diagnostics.iter().map(|told| told.code.0).collect();
        assert_eq!(told, codes, "{token}");
        let spelling = report.diagnostics.first().and_then(|told| told.spelling.as_deref());
        assert_eq!(spelling, (!codes.is_empty()).then_some("O-O&Me1&Ch1"), "{token}");
    }
}

/// An ellipsis and two dots are five dots.
#[test]
fn five_dots_in_any_spelling() {
    let tags = "[Variant \"chaos+chess\"]\n";
    for dots in [".....", "\u{2026}..", "..\u{2026}"] {
        let movetext = format!("1. e4 e5 2. Nf3 Nc6 3. Bc4 ∞1{dots}a4=N 3... Nf6");
        reads(tags, &movetext, "e2e4 e7e5 g1f3 b8c6 f1c4 ~N@a4 g8f6");
        let ascii = movetext.replace('∞', "oo");
        reads(tags, &ascii, "e2e4 e7e5 g1f3 b8c6 f1c4 ~N@a4 g8f6");
    }
}

/// What stands behind `/` or `&` is never cut off.
#[test]
fn gates_are_never_cut_off() {
    let tags = "[Variant \"iago-b\"]\n";
    reads(tags, "1. Nc3/M", "b1c3m");
    reads(tags, "1. Nb1-c3&C", "b1c3c");
    reads(tags, "1. e4 e5 2. Bf1-c4&C", "e2e4 e7e5 f1c4c");
    reads(tags, "1. e4 e5 2. Bf1-c4@C", "e2e4 e7e5 f1c4c");
    for lost in ["1. Nc3/H", "1. Nc3/", "1. Nc3/MM", "1. Nb1-c3&", "1. b1c3h", "1. b1c3mm"] {
        assert!(read_record(tags, lost, None).is_err(), "{lost}");
    }
    refuses("", "1. Nc3/H", "no-such-kind");
    refuses("", "1. Nc3/N", "gate");
}

/// Figures, of either colour's drawing, with or without the sign that asks for a text glyph.
#[test]
fn figures_are_letters() {
    for figure in ["♘", "♞", "♞\u{fe0e}"] {
        reads("", &format!("1. {figure}f3 d5"), "g1f3 d7d5");
    }
    refuses("", "1. ♘f4", "no-such-move");
    refuses("", "1. \u{1fa4f}f3", "");
    refuses("", "1. ♘f3♘", "");
}

/// Numbers of squares are plies, numbers of moves are none, dots or not.
#[test]
fn numbers_of_squares_and_of_moves() {
    reads("", "1. 5254 5755 2. 7163 2836", "e2e4 e7e5 g1f3 b8c6");
    reads("", "1 5254 5755 2 7163 2836", "e2e4 e7e5 g1f3 b8c6");
    reads("", "5254 5755 7163 2836 6152 6857 5171", "e2e4 e7e5 g1f3 b8c6 f1e2 f8e7 e1g1");
    refuses("", "1. 5255", "no-such-move");
    refuses("", "1. 52541", "");
    refuses("[Variant \"capablanca\"]\n", "1. 5254", "unreadable");
    let promotion = "[SetUp \"1\"]\n[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n";
    reads(promotion, "1. 57584", "e7e8n");
    refuses(promotion, "1. 5758", "promotion-missing");
    refuses(promotion, "1. 57585", "");
    // A fifth digit gates nothing in.
    let gates = "[Variant \"iago-c\"]\n";
    refuses(gates, "1. Q@d1 Q@d8 2. 21331", "promotion");
}

/// A pawn's drop has its letter.
#[test]
fn a_dropped_pawn_keeps_its_letter() {
    let tags = "[Variant \"crazyhouse\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1\"]\n";
    reads(tags, "P@e4", "P@e4");
    reads(tags, "@e4", "P@e4");
    let text = format!("{tags}\n1. P@e4 *\n");
    for style in Style::ALL {
        let there = converted(&text, None, style);
        assert!(!plies(&there)[0].starts_with('@'), "{style}: {}", there.text);
    }
}

/// A letter behind two squares is what was captured in one style, what the pawn becomes in the others.
#[test]
fn smiths_letters() {
    let tags = "[SetUp \"1\"]\n[FEN \"r1n1k3/1P6/8/3pP1n1/5B2/8/8/R1B1K2R w KQq d6 0 1\"]\n";
    reads(tags, "f4g5n", "f4g5");
    reads(tags, "e5d6E", "e5d6");
    reads(tags, "b7c8nN", "b7c8n");
    reads(tags, "b7c8n", "b7c8n");
    reads(tags, "e1g1c", "e1g1");
    for wrong in ["f4g5q", "f4g3n", "e5e6E", "e1g1C", "e1f1c", "a1b1c", "b7c8qN"] {
        assert!(read_record(tags, wrong, None).is_err(), "{wrong}");
    }
    let smith = Some(Style::Smith);
    assert_eq!(read_record(tags, "f4g5n", smith).as_deref(), Ok("f4g5"));
    // Told that it is Smith's, `n` is what stands on c8, and the promotion is missing.
    assert!(read_record(tags, "b7c8n", smith).is_err_and(|error| error.contains("promotion-missing")));
    assert!(read_record(tags, "Bxg5", smith).is_err());
    assert!(read_record(tags, "f4g5n", Some(Style::Uci)).is_err());
    let black = "[Variant \"crazyhouse\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[p] b - - 0 1\"]\n";
    assert_eq!(read_record(black, "1... p@e5", smith).as_deref(), Ok("P@e5"));
    assert!(read_record(black, "1... P@e5", smith).is_err());
}

/// What a style is not for is refused with it, and told apart without.
#[test]
fn a_chosen_style_takes_no_other() {
    for (style, token) in [
        (Style::Iccf, "e2e4"),
        (Style::Iccf, "e4"),
        (Style::Coord, "5254"),
        (Style::San, "5254"),
        (Style::San, "♘f3"),
        (Style::Xboard, "Nf3"),
        (Style::Smith, "5254"),
    ] {
        let error = read_record("", token, Some(style)).expect_err(token);
        assert!(error.contains("unreadable"), "{token}: {error}");
    }
}

/// All of a Betza text is read, or it is refused.
#[test]
fn betza_is_read_to_its_end() {
    let movers = |text: &str| ferz::pieces::betza::parse(text).map(|betza| betza.movers().len()).ok();
    assert_ne!(movers("ffNsbN"), movers("ffN"));
    assert_eq!(movers("ffNsbNx"), None);
}

/// No game has a null move; it is refused in every spelling, and nothing after it is dropped.
#[test]
fn null_moves() {
    for null in ["--", "Z0", "0000", "@@@@", "null"] {
        let text = format!("1. e4 {null} 2. d4 *\n");
        let there = converted(&text, None, Style::Uci);
        assert_eq!((there.report.plies, there.report.legal), (1, false), "{null}");
        let reason = there.report.illegal.as_ref().map(|illegal| illegal.reason_id.id());
        assert_eq!(reason, Some("null-move"), "{null}");
        assert!(there.text.contains(&format!("1. e2e4 {null} 2. d4 *")), "{}", there.text);
        assert!(there.losses.iter().any(|loss| loss.code.0 == "N013"), "{null}: {:?}", there.losses);
    }
}

/// A null move that was let stand passes the turn, and every style keeps it.
#[test]
fn null_moves_that_were_let_stand() {
    for variant in ["chess", "chaos", "crazyhouse"] {
        let text = format!("[Variant \"{variant}\"]\n\n1. e4 -- {{[%letstand]}} 2. d4 e5 *\n");
        for style in Style::ALL {
            let there = converted(&text, None, style);
            let report = &there.report;
            assert_eq!(
                (report.plies, report.let_stand.len(), report.legal),
                (4, 1, false),
                "{variant} {style}"
            );
            assert!(report.final_fen.contains("/4p3/3PP3/"), "{variant}: {}", report.final_fen);
            let null = match style {
                Style::Xboard => " @@@@ ",
                style if style.is_coordinates() || style == Style::Smith => " 0000 ",
                _ => " -- ",
            };
            assert!(there.text.contains(null), "{variant} {style}: {}", there.text);
            let back = converted(&there.text, None, Style::Coord);
            assert_eq!(back.report.final_fen, report.final_fen, "{variant} {style}: {}", there.text);
        }
    }
}

const XIANGQI: &str = "[Variant \"xiangqi\"]\n";

/// The styles of a game of its own: both scripts, every numeral, the letters and signs of other writers.
#[test]
fn styles_of_xiangqi() {
    for (movetext, coord) in [
        ("1. C2=5 H8+7 2. H2+3 R9=8", "h3e3 h10g8 h1g3 i10h10"),
        ("1. C2.5 N8+7 2. c8+4 P3+1", "h3e3 h10g8 b3b7 c7c6"),
        ("1. 炮二平五 马８进７ 2. 马二进三 车９平８", "h3e3 h10g8 h1g3 i10h10"),
        ("1. 砲二平五 馬8進7 2. 傌二進三 車9平8", "h3e3 h10g8 h1g3 i10h10"),
        ("1. 相三进五 象三進五 2. 仕四进五 士4进5", "g1e3 c10e8 f1e2 d10e9"),
        ("h2e2 h9g7 h0g2 i9h9", "h3e3 h10g8 h1g3 i10h10"),
        ("1. H2-E2 H9-G7 2. H0-G2 I9-H9", "h3e3 h10g8 h1g3 i10h10"),
    ] {
        reads(XIANGQI, movetext, coord);
    }
    let of = |fen: &str| format!("{XIANGQI}[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    let chariots = of("3k5/9/9/9/4R4/4R4/9/9/9/5K3 w - - 0 1");
    for (text, coord) in [("R+=6", "e6d6"), ("R-=6", "e5d5"), ("R++1", "e6e7"), ("R--1", "e5e4")] {
        reads(&chariots, text, coord);
    }
    for (text, coord) in
        [("前车平六", "e6d6"), ("車前平六", "e6d6"), ("後車平六", "e5d5"), ("车后退1", "e5e4")]
    {
        reads(&chariots, text, coord);
    }
    refuses(&chariots, "R5=6", "ambiguous");
    refuses(&chariots, "中车平六", "no-such-piece");
    let soldiers = of("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1");
    for (text, coord) in [
        ("15=6", "e8d8"),
        ("25=6", "e7d7"),
        ("35=6", "e6d6"),
        ("P+=6", "e8d8"),
        ("P5=6", "e7d7"),
        ("P-=6", "e6d6"),
        ("前兵平六", "e8d8"),
        ("中兵平六", "e7d7"),
        ("后兵平六", "e6d6"),
        ("二兵平六", "e7d7"),
    ] {
        reads(&soldiers, text, coord);
    }
    // Of several files the right one comes first; without a number either may be meant.
    let files = of("3k5/9/2P1P4/2P1P4/9/9/9/9/9/5K3 w - - 0 1");
    for (text, coord) in [("15+1", "e8e9"), ("27=8", "c7b7"), ("一兵进一", "e8e9"), ("四兵平八", "c7b7")]
    {
        reads(&files, text, coord);
    }
    reads(&files, "前兵平四", "e8f8");
    refuses(&files, "前兵进一", "ambiguous");
    // A ply that is no piece's is explained as any other.
    for (text, why) in [
        ("C2=2", "own-piece-on-target"),
        ("H8+8", "no-such-move"),
        ("K5+2", "no-such-move"),
        ("A4+4", "no-such-move"),
        ("C3=4", "no-such-piece"),
        ("炮二进八", "no-such-move"),
    ] {
        refuses(XIANGQI, &format!("1. {text}"), why);
    }
}

/// Ranks from 0 are found by the whole record, and so is the board's own count.
#[test]
fn ranks_from_zero_are_found() {
    for (movetext, style) in [("h3e3 h10g8", Style::Coord), ("h2e2 h9g7", Style::Ucci)] {
        let back = converted(&format!("{XIANGQI}\n{movetext} *\n"), None, Style::Coord);
        assert_eq!((back.report.style, plies(&back).join(" ").as_str()), (style, "h3e3 h10g8"), "{movetext}");
        let other = if style == Style::Coord { Style::Ucci } else { Style::Coord };
        assert!(read_record(XIANGQI, movetext, Some(other)).is_err(), "{movetext} as {other}");
    }
}

/// Janggi's squares, in letters, in Hanja and in Hangul.
#[test]
fn styles_of_janggi() {
    let tags = "[Variant \"janggi\"]\n";
    for (movetext, coord) in [
        ("1. P79-78 P41-42 2. K95-05 한수쉼", "i4h4 a7b7 e2e1 e9e9"),
        ("1. p79-78 h18-37 2. A04-94 G25-15", "i4h4 h10g8 d1d2 e9e10"),
        ("1. 79卒78 2. 41兵42 3. 95將05 4. 한수쉼", "i4h4 a7b7 e2e1 e9e9"),
        ("1.79楚卒78 2.41漢兵42 3.95楚05 4.한수쉼", "i4h4 a7b7 e2e1 e9e9"),
        ("79졸78 41병42 95궁05 25한25", "i4h4 a7b7 e2e1 e9e9"),
    ] {
        reads(tags, movetext, coord);
    }
    let elephant = format!("{tags}[SetUp \"1\"]\n[FEN \"4k4/9/9/9/4n4/9/9/9/9/2B1K4 w - - 0 1\"]\n");
    for text in ["E03-75", "B03-75", "03象75", "03楚상75"] {
        reads(&elephant, text, "c1e4");
    }
    for style in [Style::Janggi, Style::Gib] {
        let there = converted(&format!("{tags}\n1. i4h4 e9e9 *\n"), None, style);
        assert!(there.losses.is_empty() && there.text.contains(" 한수쉼 *"), "{}", there.text);
        let back = converted(&there.text, Some(style), Style::Coord);
        assert_eq!(plies(&back), ["i4h4", "e9e9"], "{}", there.text);
    }
    refuses(
        tags,
        "R09-00",
        "no such square; write its rank, 1 to 9 and 0 from Black's side, then its file, 1 to 9",
    );
    refuses(tags, "79漢兵78", "the side of a piece is wrong: White moves here");
    refuses(tags, "79兵78장군장군", "unreadable");
    refuses(tags, "79馬78", "no-such-piece");
    // Numbers of plies are right from the second ply on, and wrong where they differ.
    let told = |movetext: &str| {
        let there = converted(&format!("{tags}\n{movetext} *\n"), None, Style::Coord);
        there.report.diagnostics.iter().map(|told| told.code.0).collect::<Vec<_>>()
    };
    assert_eq!(told("1. 79卒78 2. 41兵42 3. 73卒63 4. 49兵59"), [""; 0]);
    assert_eq!(told("1. 79卒78 2. 41兵42 3. 73卒63 5. 49兵59"), ["N010"]);
    assert!(told("1. Pgh4 2. Pcb7").contains(&"N010"));
}

/// Makruk in Thai, where a letter is a file or a piece.
#[test]
fn styles_of_makruk() {
    let tags = "[Variant \"makruk\"]\n";
    reads(tags, "1. จ๔ ง๕ 2. จxง๕ จxง๕", "e3e4 d6d5 e4d5 e6d5");
    reads(tags, "1. บ จ๓-จ๔ บ ง๖-ง๕ 2. ม ข๑-ง๒ ม็ ง๘-จ๗", "e3e4 d6d5 b1d2 d8e7");
    let of = |fen: &str| format!("{tags}[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    // A khon and a pawn of file ค may capture on ข๕.
    let both = of("8/8/4k3/1p6/2P5/2S5/8/4K3 w - - 0 1");
    reads(&both, "คxข๕", "c4b5");
    let both = of("8/8/4k3/1p6/S1P5/8/8/4K3 w - - 0 1");
    refuses(&both, "คxข๕", "ambiguous");
    reads(&both, "คก๔xข๕", "a4b5");
    reads(&both, "คกxข๕", "a4b5");
    reads(&both, "บคxข๕", "c4b5");
    for (coord, text) in [("a4b5", "คก๔xข๕"), ("c4b5", "บคxข๕")] {
        let there = converted(&format!("{both}\n{coord} *\n"), None, Style::ThaiSan);
        assert!(there.text.contains(&format!("1. {text} *")), "{}", there.text);
    }
    // Mets that were pawns, and what pawns become.
    let mets = of("7k/8/2p5/1M3P2/8/8/8/4K3 w - - 0 1");
    reads(&mets, "งxค๖", "b5c6");
    reads(&mets, "ม็xค๖", "b5c6");
    reads(&mets, "ฉ๖=M", "f5f6m");
    reads(&mets, "ฉ๖=ง", "f5f6m");
    refuses(&mets, "ฉ๖=R", "promotion-kind");
    refuses(&mets, "บ ข๕xค๖", "no-such-piece");
    refuses(&mets, "ร-ค๖", "no-such-piece");
}

/// A style that only other games have is refused, and the game's own are named.
#[test]
fn styles_of_other_games_are_refused() {
    let error = read_record("", "e2e4", Some(Style::Wxf)).expect_err("chess has no such style");
    assert!(error.contains("style `wxf` is not for chess; use one of: coord, san"), "{error}");
    let there = converted("1. e4 e5 *\n", None, Style::Chinese);
    let lost: Vec<&str> = there.losses.iter().map(|loss| loss.message.as_ref()).collect();
    assert_eq!(there.losses.len(), 1, "{lost:?}");
    assert!(lost[0].contains("which has: coord, san") && there.text.contains("1. e4 e5"), "{lost:?}");
}
