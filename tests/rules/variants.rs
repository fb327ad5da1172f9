//! The example definitions: the valid ones compile and play as their texts say, the invalid ones are refused
//! with the message that their first line expects.

#![allow(clippy::unwrap_used)]

use ferz::board::{Board, Mask};
use ferz::notation::{Letters, Style, WriteChoices, coord, read, resolve, write};
use ferz::position::Position;
use ferz::rules::check::check;
use ferz::rules::{AnyRules, Registry};
use std::fs;

/// The files of a folder under fixtures/variants: name and text, by name.
fn files(folder: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = fs::read_dir(format!("fixtures/variants/{folder}"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// The rules of a user's file, or what is wrong with it.
fn rules(text: &str) -> Result<AnyRules, String> {
    let mut registry = Registry::with_files([]).unwrap();
    let name = registry.add(text).map_err(|found| found[0].message.clone())?;
    registry.rules(&name, &|_| None).map_err(|error| error.to_string())
}

fn start(text: &str, fen: Option<&str>) -> Position<u64> {
    let Ok(AnyRules::Narrow(rules)) = rules(text) else { panic!("a small board") };
    match fen {
        Some(fen) => Position::from_fen(rules, fen).unwrap(),
        None => Position::start(rules),
    }
}

fn moves<M: Mask>(position: &Position<M>) -> Vec<String> {
    let spelt = |ply: &ferz::position::Ply| {
        let mut text = String::new();
        coord::write(position.rules(), ply, &mut text);
        text
    };
    let mut all: Vec<String> = position.plies().iter().map(spelt).collect();
    all.sort();
    all
}

#[test]
fn valid_definitions_compile() {
    let files = files("valid");
    assert!(files.len() >= 5);
    for (name, text) in files {
        let rules = rules(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(rules.id().name, name);
    }
}

/// A term works from its squares and to its squares, mirrored for Black, forwards and backwards.
#[test]
fn terms_work_in_their_regions() {
    let text = fs::read_to_string("fixtures/variants/valid/palace.toml").unwrap();
    let from = |fen: &str| moves(&start(&text, Some(fen)));
    // The general does not leave the palace; a soldier steps sideways beyond the river only.
    assert_eq!(from("2k2/5/5/1P3/3P1/K4/5/5 w - - 0 1"), ["a3b3", "b5a5", "b5b6", "b5c5", "d4d5"]);
    assert_eq!(from("k4/5/1p3/5/3p1/5/5/2K2 b - - 0 1"), ["a8b8", "b6b5", "d4c4", "d4d3", "d4e4"]);
    // An adviser passes over other squares on its way, unless they are occupied.
    assert_eq!(from("2k2/5/5/5/5/5/5/2K1A w - - 0 1"), ["c1b1", "c1c2", "c1d1", "e1a5", "e1d2"]);
    assert_eq!(from("2k2/5/5/5/5/2p2/5/2K1A w - - 0 1"), ["c1b1", "c1d1", "e1d2"]);
    // It checks only what stands on its target square, and pins what stands between.
    let in_check = |fen: &str| start(&text, Some(fen)).in_check();
    assert!(in_check("5/5/5/k4/5/5/5/2K1A b - - 0 1"));
    assert!(!in_check("5/5/5/k4/5/2p2/5/2K1A b - - 0 1"));
    assert!(!in_check("5/5/5/5/1k3/5/5/2K1A b - - 0 1"));
    assert!(from("2k1a/5/2P2/5/K4/5/5/5 w - - 0 1").is_empty());
    assert_eq!(from("2k2/5/2P2/5/K4/5/5/5 w - - 0 1"), ["c6b6", "c6c7", "c6d6"]);
}

/// The comments at the head of an invalid file: each mistake with its line and the text that its place covers.
fn expected(text: &str) -> Vec<String> {
    text.lines().map_while(|line| line.strip_prefix("# error: ")).map(str::to_owned).collect()
}

#[test]
fn invalid_definitions_show_every_mistake_and_no_other() {
    let files = files("invalid");
    assert!(files.len() >= 14);
    for (name, text) in files {
        let mut registry = Registry::with_files([]).unwrap();
        let found = check(&mut registry, &text).expect_err(&name);
        let told: Vec<&str> = found.iter().map(|found| &*found.message).collect();
        let expected = expected(&text);
        assert_eq!(told.len(), expected.len(), "{name}: {told:#?}");
        for (told, expected) in told.iter().zip(&expected) {
            assert!(told.contains(expected), "{name}: {told}; {expected}");
            for word in ["expected", "struct", "variant `", "integer", "u8", "string"] {
                assert!(!told.contains(word), "{name}: `{word}` is no author's word: {told}");
            }
        }
        let in_text = |span: ferz::text::Span| span.start <= span.end && span.end <= text.len();
        assert!(found.iter().all(|found| in_text(found.span)), "{name}");
    }
}

#[test]
fn every_mistake_has_its_place() {
    let text = std::fs::read_to_string("fixtures/variants/invalid/many-values.toml").unwrap();
    let found = check(&mut Registry::with_files([]).unwrap(), &text).unwrap_err();
    let places: Vec<&str> = found.iter().map(|found| &text[found.span.start..found.span.end]).collect();
    assert_eq!(places, ["20", "x", "9", "\"pol\""]);
}

#[test]
fn text_that_is_no_toml_hides_nothing_but_the_values() {
    let text = "name = \"a\"\nextends = \"chess\"\nfiles =\n[board]\nfiles = true\nranks = 8\nranks = 9\n";
    let found = check(&mut Registry::with_files([]).unwrap(), text).unwrap_err();
    let lines: Vec<usize> = found.iter().map(|found| text[..found.span.start].lines().count()).collect();
    assert!(found.len() >= 3, "{found:#?}");
    assert!(found.iter().any(|found| found.message.starts_with("board.files: this is `true`")), "{lines:?}");
}

/// A file that builds on a wrong one is not blamed for what is not its own.
#[test]
fn mistakes_of_a_parent_are_the_parents() {
    let mut registry = Registry::with_files([]).unwrap();
    let parent = "name = \"a\"\nextends = \"chess\"\n[promotion]\nzone = \"rank 9\"\nkinds = [\"X\"]\n";
    assert_eq!(check(&mut registry, parent).unwrap_err().len(), 2);
    let child = "name = \"b\"\nextends = \"a\"\n[drops]\nhand = \"rank 17\"\n";
    let found = check(&mut registry, child).unwrap_err();
    let told: Vec<&str> = found.iter().map(|found| &*found.message).collect();
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].starts_with("extends: `a` has errors") && told[1].starts_with("drops.hand: `17`"));
}

/// A circle says which it is; so does a chain that is too long.
#[test]
fn endless_chains_are_reported() {
    let mut registry = Registry::with_files([]).unwrap();
    let file = |name: &str, parent: &str| format!("name = \"{name}\"\nextends = \"{parent}\"\n");
    let wrong = |registry: &Registry, name: &str| registry.rules(name, &|_| None).unwrap_err().to_string();
    registry.add(&file("a", "b")).unwrap();
    registry.add(&file("b", "c")).unwrap();
    registry.add(&file("c", "b")).unwrap();
    let told = wrong(&registry, "a");
    assert!(told.contains("forms a cycle: `b`, which extends `c`, which extends `b`"), "{told}");
    let found = check(&mut registry, &file("chess", "chess")).unwrap_err();
    assert!(found[0].message.starts_with("extends: `chess` extends itself"), "{found:?}");
    let mut registry = Registry::with_files([]).unwrap();
    registry.add(&file("x0", "ichess")).unwrap();
    for number in 1..=16 {
        registry.add(&file(&format!("x{number}"), &format!("x{}", number - 1))).unwrap();
    }
    assert!(registry.rules("x15", &|_| None).is_ok());
    let told = wrong(&registry, "x16");
    assert!(told.contains("more than 16 definitions extend each other"), "{told}");
}

/// Whoever only plays a wrong game is told all of it as well.
#[test]
fn a_wrong_game_says_all_when_it_is_asked_for() {
    let mut registry = Registry::with_files([]).unwrap();
    let text = "name = \"a\"\nextends = \"chess\"\n[promotion]\nzone = \"rank 9\"\nkinds = [\"X\"]\n";
    let name = registry.add(text).unwrap();
    let error = registry.rules(&name, &|_| None).unwrap_err().to_string();
    assert!(error.contains("promotion.zone") && error.contains("promotion.kinds"), "{error}");
    let text = "name = 1\n[ends]\nmisere = 2\n";
    let errors = Registry::with_files([text]).unwrap_err();
    assert_eq!(errors.len(), 2, "{errors:?}");
}

#[test]
fn the_example_of_the_guide_is_the_fixture() {
    let guide = fs::read_to_string("formats/VARIANT.md").unwrap();
    let fixture = fs::read_to_string("fixtures/variants/valid/dragoons.toml").unwrap();
    assert!(
        guide.contains(&format!("```toml\n{fixture}```")),
        "the guide's example differs from the fixture"
    );
    let position = start(&fixture, None);
    assert_eq!(position.rules().board(), Board::new(6, 6).unwrap());
    assert_eq!(moves(&position).len(), 10);
    assert!(guide.contains("ten first moves"));
}

/// IAV 7: one queen on the board, one rook captured: the rook may be turned over. Once it is, nothing is left.
#[test]
fn stand_ins_are_in_the_pool() {
    let text = fs::read_to_string("fixtures/variants/valid/three-queens.toml").unwrap();
    let promotions = |fen: &str| -> String {
        let all = moves(&start(&text, Some(fen)));
        all.iter().filter_map(|text| text.strip_prefix("a7a8")).collect::<Vec<_>>().join("")
    };
    let (bishops, knights) = ("BB", "NN");
    for (white, expected) in [
        ("QRR", ""),
        ("QR", "qr"),
        ("RR", "q"),
        ("QQR", ""),
        ("QQ", "qr"),
        ("QQQ", ""),
        ("Q", "qr"),
        ("", "qr"),
    ] {
        let pieces = format!("{white}{bishops}{knights}");
        let spaces = 8 - pieces.len();
        let rank = if spaces > 0 { format!("{pieces}{spaces}") } else { pieces };
        let fen = format!("8/P6k/8/8/8/8/PPPPPPPK/{rank} w - - 0 1");
        assert_eq!(promotions(&fen), expected, "{white}");
    }
}

/// IAB-3: of a kind of which there are more than the equipment has, the pool holds none, nor does the reserve lend one.
#[test]
fn what_is_there_more_often_than_the_equipment_has_is_not_in_the_pool() {
    let Ok(AnyRules::Narrow(rules)) = Registry::built_in().rules("iago-b", &|_| None) else {
        panic!("a game")
    };
    let offers = |fen: &str, ply: &str| {
        let position = Position::from_fen(std::sync::Arc::clone(&rules), fen).unwrap();
        moves(&position).contains(&ply.to_owned())
    };
    for (fen, ply, offered) in [
        ("8/P6k/8/M7/8/8/8/7K[M] w - - 0 30", "a7a8m", false),
        ("8/P6k/8/MM6/8/8/8/7K[M] w - - 0 30", "a7a8m", false),
        ("7k/P7/8/8/8/8/8/7K[MM] w - - 0 30", "a7a8m", false),
        ("8/P6k/8/8/8/Q7/8/7K[Q] w - - 0 30", "a7a8q", false),
        ("8/P6k/8/M7/8/8/8/7K[] w - - 0 30", "a7a8m", false),
        ("8/P6k/8/8/8/8/8/7K[M] w - - 0 30", "a7a8m", true),
        ("8/P6k/8/8/8/8/8/7K[] w - - 0 30", "a7a8m", true),
    ] {
        assert_eq!(offers(fen, ply), offered, "{fen}");
    }
}

#[test]
fn the_movements_of_the_guide_are_read() {
    use ferz::pieces::betza::parse;
    for text in [
        "mfWcfF", "fW", "RN", "BN", "QN", "NN", "nN", "mRcpR", "(2,5)", "N0", "R3", "fsW", "fF", "frF",
        "fhN", "sN", "fbN",
    ] {
        assert!(parse(text).is_ok(), "{text}");
    }
    assert_eq!(parse("fN"), parse("ffN"));
}

/// Each line of each built-in definition left out, or with another value: whatever that does, it is told, at a place
/// in the file, and once.
#[test]
fn no_wrong_value_is_too_odd_to_be_told() {
    let values = ["5", "-1", "\"x\"", "\"\"", "true", "[]", "[\"X\", 1]", "{}", "{ king = 1 }", "300", "17"];
    let mut wrong = 0;
    for path in fs::read_dir("formats/variants").unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let Some((key, _)) = line.split_once(" = ").filter(|(key, _)| !key.contains(['{', '[', '#']))
            else {
                continue;
            };
            let others = values.iter().map(|value| format!("{key} = {value}")).chain([String::new()]);
            for other in others {
                let changed = [&lines[..index], &[other.as_str()], &lines[index + 1..]].concat().join("\n");
                let Err(found) = check(&mut Registry::with_files([]).unwrap(), &changed) else { continue };
                wrong += 1;
                assert!(!found.is_empty());
                for (at, one) in found.iter().enumerate() {
                    let place = one.span.start..one.span.end;
                    assert!(changed.get(place).is_some(), "{}: {other}: {one:?}", path.display());
                    assert!(!found[..at].contains(one), "{}: {other}: {one:?} twice", path.display());
                }
            }
        }
    }
    assert!(wrong > 1000, "{wrong}");
}

/// Mutators refuse the games for which they have no rules, and say why.
#[test]
fn mutators_refuse_games_that_they_have_no_rules_for() {
    for (game, why) in [
        ("chaos+antichess", "it needs a royal piece"),
        ("chaos+atomic", "captures explode"),
        ("chaos+horde", "each player needs one king"),
        ("chaos+racingkings", "the game has no `P`"),
    ] {
        let refused = Registry::built_in().rules(game, &|_| None).map(|_| ()).expect_err(game).to_string();
        assert!(refused.contains(why), "{game}: {refused}");
    }
    // A piece of the pawn's letter that goes backward is no soldier.
    let own =
        "name = \"palanquins\"\nextends = \"chess\"\n[pieces]\nP = { betza = \"fWbF\", pawn = false }\n";
    let registry = Registry::with_files([own]).unwrap();
    let refused = registry.rules("chaos+palanquins", &|_| None).map(|_| ()).expect_err("refused").to_string();
    assert!(refused.contains("`P` is neither a pawn of the game nor a soldier"), "{refused}");
    let accepted = ["chaos+kingofthehill", "chaos+threecheck", "misere+kingofthehill", "bareking+threecheck"];
    for game in accepted
        .into_iter()
        .chain(["chaos+magicians-deathmatch", "chaos+antiking-1", "chaos+antiking-2"])
        .chain(["chaos+xiangqi", "chaos+shogi", "chaos+janggi"])
    {
        Registry::built_in().rules(game, &|_| None).map(|_| ()).expect(game);
    }
}

/// Two pieces of the reserve may be dropped in one turn where a definition allows two entries.
#[test]
fn two_entries_are_one_turn() {
    let text = "name = \"pairs\"\ntitle = \"Pairs\"\nextends = \"iago-b\"\n[gating]\nper-turn = 2\n";
    let fen = "4k3/8/8/8/8/8/8/4K3[MC] w - - 0 1";
    let drops =
        |position: &Position<u64>| moves(position).into_iter().filter(|ply| ply.contains('@')).count();
    let mut position = start(text, Some(fen));
    // Each piece on seven squares, and both on two of them.
    assert_eq!(drops(&position), 2 * 7 + 7 * 6);
    assert_eq!(position.count_plies() as usize, position.plies().len());
    let before = position.clone();
    for ply in position.plies() {
        for style in [Style::Coord, Style::San, Style::Iago, Style::Lan, Style::Schess] {
            let written = write(&position, &ply, style, WriteChoices::default()).unwrap();
            let text = read(&Letters::new(position.rules()), position.turn(), false, written.as_bytes());
            let again = resolve(&position, &text.unwrap_or_else(|error| panic!("{written}: {error:?}")));
            assert_eq!(again.map(|found| found.ply), Ok(ply), "{written}");
        }
        let undo = position.apply_undoable(&ply);
        assert_eq!(position.check_invariants(), Ok(()));
        position.undo(&undo);
        assert_eq!(position.fen(), before.fen());
    }
    // In another order they are the same ply; on one square, or with one entry, they are none.
    let legal = |position: &Position<u64>, text: &str| {
        let text = read(&Letters::new(position.rules()), position.turn(), false, text.as_bytes()).unwrap();
        resolve(position, &text).map(|found| found.ply).ok()
    };
    assert_eq!(legal(&position, "M@h1/Ca1"), legal(&position, "C@a1mh1"));
    assert!(legal(&position, "M@h1/Ca1").is_some() && legal(&position, "M@a1/Ca1").is_none());
    let one = start(&text.replace("per-turn = 2", "per-turn = 1"), Some(fen));
    assert_eq!((drops(&one), legal(&one, "M@h1/Ca1")), (14, None));
}
