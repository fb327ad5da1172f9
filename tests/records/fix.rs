//! Named repairs: what each mends, and that it changes nothing else.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used)]

use crate::program::{Run, run as ferz, write};
use ferz::interchange::Wrapped;
use ferz::record::read;
use ferz::replay::{Options, Source};
use ferz::rewrite::fix::{REPAIRS, fix_each, repair};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The codes that are told of a text, in its order.
fn codes(text: &[u8]) -> Vec<&'static str> {
    let mut replayer = crate::common::replayer(Options::default());
    let wrapped = Wrapped::new(text, 0);
    let source = Source::of_wrapped(&wrapped, 0);
    let reports = wrapped.records(0).map(|record| replayer.report(&record, &source, 0)).collect::<Vec<_>>();
    reports.iter().flat_map(|report| report.all_diagnostics()).map(|told| told.code.0).collect()
}

/// The text after the repairs, with the number of changes and of repairs that were not made.
pub fn fixed(text: &[u8], names: &[&str]) -> (Vec<u8>, usize, usize) {
    let repairs: Vec<_> = names.iter().map(|name| repair(name).unwrap_or_else(|| panic!("{name}"))).collect();
    let replayer = || crate::common::replayer(Options::default());
    let (mut out, mut changes, mut refused) = (Vec::new(), 0, 0);
    let ended = fix_each(text, 1, replayer, &repairs, |batch| {
        out.extend_from_slice(&batch.text);
        changes += batch.items.iter().map(|fixed| fixed.changes.len()).sum::<usize>();
        refused += batch.items.iter().map(|fixed| fixed.refused.len()).sum::<usize>();
        ControlFlow::<()>::Continue(())
    });
    assert!(ended.is_ok_and(|flow| flow.is_continue()));
    (out, changes, refused)
}

/// Every repair but the one that splits games, after which the others are made in another run.
fn all_in_one_run() -> Vec<&'static str> {
    REPAIRS.iter().map(|repair| repair.name).filter(|name| *name != "split-games").collect()
}

/// For each repair: what is told, the text before, the text after.
const CASES: &[(&str, &str, &[u8], &[u8])] = &[
    (
        "latin-1",
        "S001",
        b"[White \"J\xfcrgen\"]\n1. e4 {\xe9} *",
        b"[White \"J\xc3\xbcrgen\"]\n1. e4 {\xc3\xa9} *",
    ),
    ("control-bytes", "S002", b"1. e4\0\x1a e5 *", b"1. e4   e5 *"),
    ("byte-order-marks", "S003", b"1. e4\n\xef\xbb\xbf e5 *", b"1. e4\n e5 *"),
    ("tag-pairs", "S004", b"[White Ann]\n\n1. e4 *", b"[White \"Ann\"]\n\n1. e4 *"),
    ("tag-pairs", "S005", b"[White \"Ann\"\n\n1.  e4 *", b"[White \"Ann\"]\n\n1.  e4 *"),
    (
        "tag-pairs",
        "S006",
        b"[A \"The \"Big\" C:\\\\ \\\"x\\\"\"]\n*",
        b"[A \"The \\\"Big\\\" C:\\\\ \\\"x\\\"\"]\n*",
    ),
    ("tag-pairs", "S007", b"[White]\r\n[X]\n\n1. e4 *", b"[White \"?\"]\r\n[X \"\"]\n\n1. e4 *"),
    ("double-tags", "S008", b"[A \"x\"]\r\n[A \"x\"]\r\n[B \"y\"]\n*", b"[A \"x\"]\r\n[B \"y\"]\n*"),
    ("split-games", "J026", b"1. e4 e5 1. d4 d5 *", b"1. e4 e5 *\n\n1. d4 d5 *"),
    ("loose-words", "S011", b"1. e4\n[to be continued]\n*", b"1. e4\n{[to be continued]}\n*"),
    ("loose-words", "S022", b"1. e4 and so  on e5 *", b"1. e4 {and so  on} e5 *"),
    ("loose-words", "S023", b"1. e4 d5 2. e5 f5 3. exf6 e.p. *", b"1. e4 d5 2. e5 f5 3. exf6 {e.p.} *"),
    ("open-comments", "S012", b"1. e4 {never closed  \n", b"1. e4 {never closed}  \n"),
    ("open-variations", "S014", b"1. e4 (1. d4 (1. c4 ; so\n *", b"1. e4 (1. d4 (1. c4 ; so\n))\n *"),
    ("open-variations", "S014", b"1. e4 e5 (1... c5\n\n", b"1. e4 e5 (1... c5)\n\n"),
    ("open-variations", "S014", b"1. e4 (1. d4 // so", b"1. e4 (1. d4 // so\n)"),
    ("open-variations", "S014", b"1. e4\r\n(1. d4 ; so", b"1. e4\r\n(1. d4 ; so\r\n)"),
    ("glyphs", "S020", b"1. e4!!! e5 *", b"1. e4!! e5 *"),
    ("skipped-lines", "S047", b"Hi Ann,\n\n1. e4 e5 *\n\nBest, Ben\n", b"1. e4 e5 *\n\n"),
    (
        "result-words",
        "S045",
        "1. e4 e5\nWeiß gibt auf.\n".as_bytes(),
        "1. e4 e5\n{Weiß gibt auf.} 0-1\n".as_bytes(),
    ),
    (
        "result-words",
        "S045",
        b"[White \"Ann\"]\r\n\r\n1. e4 e5 Ann lost on time",
        b"[White \"Ann\"]\r\n[Termination \"time forfeit\"]\r\n\r\n1. e4 e5 {Ann lost on time} 0-1",
    ),
    ("result-form", "S025", b"1. e4 \xc2\xbd-\xc2\xbd\n", b"1. e4 1/2-1/2\n"),
    ("result-missing", "S027", b"[Result \"1-0\"]\n\n1. e4 \n\n", b"[Result \"1-0\"]\n\n1. e4 1-0 \n\n"),
    ("result-missing", "S027", b"1. e4 ; so\n", b"1. e4 ; so\n*\n"),
    ("result-missing", "S027", b"1. e4 // so", b"1. e4 // so\n*"),
    ("result-missing", "S027", b"1. e4\r\n// so", b"1. e4\r\n// so\r\n*"),
    ("number-form", "S028", b"1) e4 e5 2)Nf3 *", b"1. e4 e5 2.Nf3 *"),
    (
        "move-numbers",
        "N010",
        b"1. e4 e5 3.Nf3 3... Nc6 (7... Nf6) 04. d4 *",
        b"1. e4 e5 2.Nf3 2... Nc6 (2... Nf6) 3. d4 *",
    ),
    // Where they begin again, two games may stand together.
    ("move-numbers", "N010", b"1. e4 e5 1. Nf3 Nc6 7. d4 exd4 *", b"1. e4 e5 1. Nf3 Nc6 2. d4 exd4 *"),
    ("check-marks", "N001", b"1. e4 e5 2. Bc4 Nc6 3. Bxf7! *", b"1. e4 e5 2. Bc4 Nc6 3. Bxf7+! *"),
    ("check-marks", "N002", b"1. e4+ e5 *", b"1. e4 e5 *"),
    ("check-marks", "N003", b"1. e4 e5 2. Bc4 Nc6 3. Bxf7# Kxf7 *", b"1. e4 e5 2. Bc4 Nc6 3. Bxf7+ Kxf7 *"),
    ("check-marks", "N004", b"1. f3 e5 2. g4 Qh4 0-1", b"1. f3 e5 2. g4 Qh4# 0-1"),
    (
        "number-blanks",
        "N039",
        b"1.e4 e5 2.Nf3 2...Nc6 (2...\tNf6) *",
        b"1. e4 e5 2. Nf3 2... Nc6 (2...\tNf6) *",
    ),
    (
        "number-dots",
        "N040",
        b"1... e4 e5 2 ..Nf3 (2 Nc3) 2.Nc6 (2. Nf6) 3 Bb5 2. a6 *",
        b"1. e4 e5 2.Nf3 (2 Nc3) 2...Nc6 (2... Nf6) 3 Bb5 2... a6 *",
    ),
    ("spellings", "N022", b"1. e4 f5 2. Qh5++ g6 3. Qxg6ch *", b"1. e4 f5 2. Qh5+ g6 3. Qxg6+ *"),
    ("spellings", "N023", b"1. e4 d5 2. e:d5 Nf6 3. Nc3 Nd5: *", b"1. e4 d5 2. exd5 Nf6 3. Nc3 Nxd5 *"),
    (
        "spellings",
        "N024",
        b"[FEN \"8/P6k/8/8/8/7p/6R1/7K b - - 0 1\"]\n\n1... hxg2+ 2. Kh2 g1(Q)+! 3. Kh3 Qf2 4. a8Q *",
        b"[FEN \"8/P6k/8/8/8/7p/6R1/7K b - - 0 1\"]\n\n1... hxg2+ 2. Kh2 g1=Q+! 3. Kh3 Qf2 4. a8=Q *",
    ),
    (
        "spellings",
        "N025",
        b"1. e4 a6 2. e5 d5 3. exd6 (3. exd6e.p.) *",
        b"1. e4 a6 2. e5 d5 3. exd6 (3. exd6) *",
    ),
    ("spellings", "N025", b"1. e4 a6 2. e5 d5 3. ed6 ep. cd *", b"1. e4 a6 2. e5 d5 3. exd6 cxd6 *"),
    ("spellings", "N026", b"1. e4 d5 2. exd5ep Qxd5 e.p. *", b"1. e4 d5 2. exd5 Qxd5 *"),
    ("spellings", "N027", b"1. E4 d5 2. nf3 ED4+ *", b"1. e4 d5 2. Nf3 ED4+ *"),
    (
        "spellings",
        "N028",
        b"1. e2\xe2\x80\x93e4 e7\xe2\x80\x93e5 2. Ng1\xe2\x80\x93f3, *",
        b"1. e2-e4 e7-e5 2. Ng1-f3 *",
    ),
    ("spellings", "N029", b"1. e4 d5 2. ed *", b"1. e4 d5 2. exd5 *"),
    (
        "spellings",
        "N031",
        b"[Variant \"crazyhouse\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1\"]\n\n1. P*e4 Kd7 2. Nd6?? *",
        b"[Variant \"crazyhouse\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1\"]\n\n1. P@e4 Kd7 2. Nd6?? *",
    ),
    ("spellings", "N027", b"[Variant \"seirawan\"]\n\n1. Nf3/h *", b"[Variant \"seirawan\"]\n\n1. Nf3/H *"),
    (
        "spellings",
        "N027",
        b"[Variant \"iago-b\"]\n\n1. e2-e4 e7-e5 2. ng1-f3&m Nb8-c6^c *",
        b"[Variant \"iago-b\"]\n\n1. e2-e4 e7-e5 2. Ng1-f3&M Nb8-c6&C *",
    ),
    ("styles", "N030", b"1. e4 e5 2. Nf3 b8c6 3. Bb5 a6 *", b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"),
    ("origins", "N020", b"1. Ngf3 d5 2. Ng1h3? *", b"1. Nf3 d5 2. Ng1h3? *"),
    (
        "origins",
        "N021",
        b"[Variant \"seirawan\"]\n[FEN \"4k3/8/8/8/8/8/4N3/1N2K3[HEhe] w B - 0 1\"]\n\n1. Nc3/H *",
        b"[Variant \"seirawan\"]\n[FEN \"4k3/8/8/8/8/8/4N3/1N2K3[HEhe] w B - 0 1\"]\n\n1. Nbc3/H *",
    ),
    ("capture-signs", "N005", b"1. e4 d5 2. Qg4 Bg4 3. Nc3 Bd1+ *", b"1. e4 d5 2. Qg4 Bxg4 3. Nc3 Bd1+ *"),
    ("capture-signs", "N005", b"1. e4-e5 *", b"1. e4-e5 *"),
    ("capture-signs", "N006", b"1. xe4 e5 2. Nxf3 *", b"1. e4 e5 2. Nf3 *"),
    (
        "castling",
        "N014",
        b"1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 o-o! *",
        b"1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O! *",
    ),
    (
        "castling",
        "N014",
        b"1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. Ke1-g1 e8-g8! *",
        b"1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O! *",
    ),
    (
        "rules-edition",
        "J004",
        b"[Event \"x\"]\n[Variant \"iago-m\"]\n\n1. &Ad1 &Ad8 *\n",
        b"[Event \"x\"]\n[RulesEdition \"2026\"]\n[Variant \"iago-m\"]\n\n1. &Ad1 &Ad8 *\n",
    ),
    (
        "set-up",
        "J010",
        b"[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\r\n\r\n1. O-O *",
        b"[SetUp \"1\"]\r\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\r\n\r\n1. O-O *",
    ),
    (
        "set-up",
        "J012",
        b"[SetUp \"0\"][FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. O-O *",
        b"[SetUp \"1\"][FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. O-O *",
    ),
    ("stray-bytes", "S013", b"1. e4 } e5 *", b"1. e4  e5 *"),
    ("stray-bytes", "S015", b"1. e4 ) e5 *", b"1. e4  e5 *"),
    ("stray-bytes", "S018", b"1. e4 e5]2. Nf3 *", b"1. e4 e5 2. Nf3 *"),
    ("stray-bytes", "S017", b"1. e4 < e5 *", b"1. e4  e5 *"),
    ("stray-bytes", "S018", b"1. e4 ] e5 *", b"1. e4  e5 *"),
    ("stray-bytes", "S019", b"1. e4 $ e5 *", b"1. e4  e5 *"),
    ("stray-bytes", "S029", b"1. e4 {so} ... e5 *", b"1. e4 {so}  e5 *"),
    ("result-twice", "S026", b"1. e4 1-0 0-1\n", b"1. e4 1-0 \n"),
    ("result-tag", "J005", b"[Result \"1-0\"]\n1. e4 0-1", b"[Result \"0-1\"]\n1. e4 0-1"),
    ("result-marker", "J005", b"[Result \"1-0\"]\n1. e4 0-1", b"[Result \"1-0\"]\n1. e4 1-0"),
    (
        "result-board",
        "J006",
        b"[Result \"1-0\"]\n1. f3 e5 2. g4 Qh4# 1-0",
        b"[Result \"0-1\"]\n1. f3 e5 2. g4 Qh4# 0-1",
    ),
];

#[test]
fn each_repair_mends_its_codes_and_nothing_else() {
    for (name, code, before, after) in CASES {
        let shown = String::from_utf8_lossy(before);
        let (found, changes, refused) = fixed(before, &[name]);
        assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(after), "{name}: {shown}");
        if before == after {
            continue;
        }
        assert!(codes(before).contains(code), "{name}: {code} is not told of {shown}: {:?}", codes(before));
        assert!(
            !codes(&found).contains(code),
            "{name}: {code} is still told of {}",
            String::from_utf8_lossy(&found)
        );
        assert!(changes > 0 && refused == 0, "{name}: {shown}");
        assert_eq!(fixed(&found, &[name]), (found.clone(), 0, 0), "{name}: again");
    }
    let named: Vec<&str> = CASES.iter().map(|case| case.0).collect();
    let elsewhere = ["captured-letters", "piece-letters", "promotions", "roster", "line-ends"];
    for repair in REPAIRS {
        assert!(
            named.contains(&repair.name) || elsewhere.contains(&repair.name),
            "{} has no case",
            repair.name
        );
    }
}

#[test]
fn repairs_are_documented() {
    let document = std::fs::read_to_string(crate::common::root().join("formats/REPAIRS.md")).unwrap();
    let rows: Vec<&str> = document.lines().filter(|line| line.starts_with("| `")).collect();
    let list = String::from_utf8(ferz(&["fix", "--list"], b"").out).unwrap();
    let listed = list.lines().map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let made = if fields[1] == "--all" { "`--all`" } else { fields[1] };
        format!("| `{}` | {made} | {} | {} |", fields[0], fields[2].replace(',', ", "), fields[3])
    });
    assert_eq!(rows, listed.collect::<Vec<_>>());
}

/// A whole record whose repairs meet: several in one move, one that makes another possible.
#[test]
fn repairs_go_together() {
    let usual: Vec<&str> = REPAIRS.iter().filter(|repair| repair.usual).map(|repair| repair.name).collect();
    let text = b"[White J\xfcrgen\n[Result \"1-0\"]\r\n\r\n1) e4 e5 3. Bc4 Nc6 good move\n3. Qh5 Nf6??? 4. Qf7 {the end\n\n";
    let (found, ..) = fixed(text, &usual);
    let expected = "[White \"J\u{fc}rgen\"]\n[Result \"1-0\"]\r\n\r\n1. e4 e5 2. Bc4 Nc6 {good move}\n3. Qh5 Nf6?? 4. Qxf7# {the end} 1-0\n\n";
    assert_eq!(String::from_utf8_lossy(&found), expected);
    assert_eq!(codes(&found), [""; 0], "{expected}");
}

/// What each diagnostic offers is written, so that a second reading has nothing to say.
#[test]
fn the_usual_repairs_mend_every_spelling() {
    let usual: Vec<&str> = REPAIRS.iter().filter(|repair| repair.usual).map(|repair| repair.name).collect();
    for (before, after) in [
        ("1. nf3 E5 2. Nf3:e5 *", "1. Nf3 e5 2. Nxe5 *"),
        ("1. e4 d5 2. ED5 *", "1. e4 d5 2. exd5 *"),
        ("1. e4 d5 2. ed5 Qd5: 3. Ng1f3 0\u{2013}0 *", "1. e4 d5 2. exd5 Qxd5 3. Nf3 0\u{2013}0 *"),
        ("1. e4 a6 2. e5 d5 3. ed6 ep. cxd6 e.p. {so} *", "1. e4 a6 2. e5 d5 3. exd6 cxd6 {so} *"),
        ("1. e4 d5 2. exd5 so e.p. *", "1. e4 d5 2. exd5 {so} {e.p.} *"),
        (
            "1. e4 e5 2. Sf3 Sc6 3. Lb5 Sf6 4. 0-0 Sxe4 5. d4 a6 6. Lc6 dc 7. Te1 Sf6 8. Se5+ Le7 3. Dd3 *",
            "1. e4 e5 2. Sf3 Sc6 3. Lb5 Sf6 4. O-O Sxe4 5. d4 a6 6. Lxc6 dxc6 7. Te1 Sf6 8. Sxe5 Le7 9. Dd3 *",
        ),
    ] {
        let (found, _, refused) = fixed(before.as_bytes(), &usual);
        assert_eq!((String::from_utf8_lossy(&found).as_ref(), refused), (after, 0), "{before}");
    }
}

/// A mark belongs to its move, a variation ends behind it, and the result stands last.
#[test]
fn what_is_put_in_at_one_place_has_an_order() {
    let usual: Vec<&str> = REPAIRS.iter().filter(|repair| repair.usual).map(|repair| repair.name).collect();
    let all = all_in_one_run();
    for (before, after) in [
        ("1. f3 e5 2. g4 Qh4\n", "1. f3 e5 2. g4 Qh4# *\n"),
        ("1. f3 e5 2. g4 Qh4", "1. f3 e5 2. g4 Qh4# *"),
        ("1. e4 d5 (1... f5 2. Qh5", "1. e4 d5 (1... f5 2. Qh5+) *"),
        (
            "1. e4 d5 (1... f5 (1... e5) 2. Qh5 (2. d4 fxe4 3. Qh5",
            "1. e4 d5 (1... f5 (1... e5) 2. Qh5+ (2. d4 fxe4 3. Qh5+)) *",
        ),
        ("1. f3 e5 2. g4 Qh4 what an end", "1. f3 e5 2. g4 Qh4# {what an end} *"),
        ("1. f3 e5 2. g4 Qh4 e.p.", "1. f3 e5 2. g4 Qh4# *"),
    ] {
        for names in [&usual, &all] {
            let (found, changes, refused) = fixed(before.as_bytes(), names);
            let found = String::from_utf8(found).unwrap();
            let movetext = found.rsplit("]\n\n").next().unwrap();
            assert_eq!((movetext, refused), (after, 0), "{before}");
            assert!(changes > 1, "{before}");
            assert_eq!(fixed(found.as_bytes(), names).1, 0, "again: {before}");
        }
    }
}

#[test]
fn letters_and_promotions() {
    let ichess = crate::common::fixture("games/ichess-sample.pgn");
    let wrong = ichess.replacen("BxNg5", "BxRg5", 1);
    assert_ne!(ichess, wrong);
    assert_eq!(codes(wrong.as_bytes()).iter().filter(|code| **code == "N007").count(), 1);
    assert_eq!(String::from_utf8(fixed(wrong.as_bytes(), &["captured-letters"]).0).unwrap(), ichess);
    let crlf = b"[A \"x\"]\r\n\r\n1. e4\re5 *\r\n";
    assert_eq!(fixed(crlf, &["line-ends"]).0, b"[A \"x\"]\n\n1. e4\ne5 *\n");
}

#[test]
fn missing_tags_of_the_roster() {
    let (found, changes, _) = fixed(b"[Site \"here\"]\r\n[Black \"Ben\"]\r\n\r\n1. e4 1-0\r\n", &["roster"]);
    let expected = "[Event \"?\"]\r\n[Site \"here\"]\r\n[Date \"????.??.??\"]\r\n[Round \"?\"]\r\n[White \"?\"]\r\n\
                    [Black \"Ben\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 1-0\r\n";
    assert_eq!((String::from_utf8(found).unwrap().as_str(), changes), (expected, 5));
    let (found, ..) = fixed(b"\n1. e4 *\n", &["roster"]);
    let text = String::from_utf8(found).unwrap();
    assert!(
        text.starts_with("\n[Event \"?\"]\n[Site") && text.ends_with("[Result \"*\"]\n\n1. e4 *\n"),
        "{text}"
    );
    assert_eq!(fixed(text.as_bytes(), &["roster"]).1, 0);
}

/// Every record of the fixtures, with everything that is not about results: what is told afterwards is not among the
/// codes of a repair, and a second run finds nothing.
#[test]
fn fixtures_are_repaired_once() {
    let names: Vec<&str> = all_in_one_run()
        .into_iter()
        .filter(|name| !name.starts_with("result-") || *name == "result-missing")
        .collect();
    for folder in ["games", "records"] {
        let paths = std::fs::read_dir(crate::common::root().join("fixtures").join(folder)).unwrap();
        for path in paths
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "pgn"))
        {
            let text = std::fs::read(&path).unwrap();
            let (once, _, refused) = fixed(&text, &names);
            let (twice, changes, _) = fixed(&once, &names);
            let shown = String::from_utf8_lossy(&once);
            assert!(twice == once && changes == 0, "{}: {shown}", path.display());
            assert_eq!(refused, 0, "{}: {shown}", path.display());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600, failure_persistence: None, rng_seed: RngSeed::Fixed(29), ..ProptestConfig::default()
    })]
    /// Whatever the text: repairs end, a second run finds nothing, and the game is the same.
    #[test]
    fn repairs_end(pieces in prop::collection::vec(prop::sample::select(vec![
        "1. ", "2.", "e4 ", "e5", " Nf3+ ", "{", "}", "(", ")", "!!!", "$ ", "words here ", "e.p. ", "0-0 ", "\n", "\r\n",
        "[A \"x\"]\n", "[A \"x\n", "[A x]", "\n[B]\n", "1-0 ", "\u{bd} ", "; c\n", "\n%e\n", "\0", "\u{feff}", "7) ", "... ", "<",
    ]), 0..16)) {
        let (once, ..) = fixed(pieces.concat().as_bytes(), &all_in_one_run());
        let (twice, changes, _) = fixed(&once, &all_in_one_run());
        let shown = String::from_utf8_lossy(&once);
        prop_assert!(twice == once && changes == 0, "{shown:?} {:?}", String::from_utf8_lossy(&twice));
    }
}

// --- the program ---------------------------------------------------------------------------------------------

const SLOPPY: &[u8] = b"\n\n[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[White \"B\"]\n\n1. f3 e5 2. g4 Qh4 0-1\n\n1. e4 )  *\n\n\n";

#[test]
fn changes_are_told_with_their_places() {
    let Run { code, out, err } = ferz(&["fix"], SLOPPY);
    assert_eq!(code, 0);
    assert_eq!(err, "standard input:9:19: game 2: check-marks: \"#\" inserted\n1 repair\n");
    assert_eq!(String::from_utf8(out).unwrap(), String::from_utf8_lossy(SLOPPY).replace("Qh4", "Qh4#"));
    let all = ferz(&["fix", "--all"], SLOPPY);
    assert!(all.err.contains("standard input:11:7: game 3: stray-bytes: \")\" deleted"), "{}", all.err);
    let only = ferz(&["fix", "--only", "stray-bytes,castling"], SLOPPY);
    assert_eq!(only.err.lines().count(), 2, "{}", only.err);
}

#[test]
fn check_changes_nothing() {
    let run = ferz(&["fix", "--check"], SLOPPY);
    assert_eq!((run.code, run.out.len()), (1, 0));
    assert!(run.err.contains("check-marks"), "{}", run.err);
    assert_eq!(ferz(&["fix", "--check", "--only", "latin-1"], SLOPPY).code, 0);
}

#[test]
fn repairs_are_listed() {
    let run = ferz(&["fix", "--list"], b"");
    let list = String::from_utf8(run.out).unwrap();
    assert_eq!((run.code, list.lines().count()), (0, REPAIRS.len()));
    assert!(list.contains("check-marks\tusual\tN001,N002,N003,N004\t"), "{list}");
    assert!(list.contains("result-tag\tby name\tJ005\t"), "{list}");
    let unknown = ferz(&["fix", "--only", "chekc-marks"], b"");
    assert!(unknown.code == 2 && unknown.err.contains("check-marks"), "{}", unknown.err);
}

/// A record in another language is repaired in its letters, and where two languages read it, as it is said.
#[test]
fn letters_of_a_language_are_kept() {
    let german = "1. e4 e5 2. Sf3 Sc6 3. Lc4 Le7 4. 0-0 *";
    let run = ferz(&["fix", "--check"], german.as_bytes());
    assert_eq!(
        (run.code, run.err.as_str()),
        (1, "standard input:1:35: game 1: castling: \"0-0\" is now \"O-O\"\n1 repair\n")
    );
    let two = b"1. e4 d5 2. Se2 Sc6 3. ed Sf6 *";
    assert_eq!(
        ferz(&["fix", "--check"], two).err,
        "standard input:1:24: game 1: spellings: \"ed\" is now \"exd5\"\n1 repair\n"
    );
    let contested = b"1. e4 e5 2. Se2 Se7 3. d4 ed *";
    assert_eq!(ferz(&["fix"], contested).err, "no repairs; still unreadable at ply 3\n");
    let said = ferz(&["fix", "--language", "cs"], contested);
    assert_eq!(String::from_utf8(said.out).unwrap(), "1. e4 e5 2. Se2 Se7 3. d4 exd4 *", "{}", said.err);
    assert_eq!(ferz(&["fix", "--language", "xx"], contested).code, 2);
}

#[test]
fn what_looks_the_same_is_told_by_its_bytes() {
    let run = ferz(&["fix"], b"1. e4 {caf\xe9} *");
    assert_eq!(
        run.err,
        "standard input:1:11: game 1: latin-1: the byte 0xE9 is now \"\u{e9}\" in UTF-8\n1 repair\n"
    );
}

/// Joined files and lists of results: what a tag or token of another game says stays.
#[test]
fn what_belongs_to_another_game_stays() {
    let headers = [
        "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n",
        "[White \"Cat\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n[Variant \"chess\"]\n",
        "[White \"Ann\"]\n[Result \"1-0\"]\n[Variant \"chess\"]\n",
    ];
    assert_eq!(read(headers.join("\n").as_bytes(), 0).count(), 3);
    for between in ["", "\n"] {
        let run = ferz(&["fix", "--all"], headers.join(between).as_bytes());
        let found = String::from_utf8(run.out).unwrap();
        for tag in headers.concat().lines() {
            let times = |text: &str| text.matches(tag).count();
            assert_eq!(times(&found), times(&headers.concat()), "{tag} in {found}");
        }
    }
    let quotes = "[Result \u{201c}1/2-1/2\u{201d}]\n\n1. e4 e5 1/2-1/2\n";
    let found = String::from_utf8(ferz(&["fix"], quotes.as_bytes()).out).unwrap();
    assert_eq!(found, "[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n");
}

/// The last line says what was done and what remains, and the exit code is that of what remains.
#[test]
fn what_remains_is_said() {
    for (text, code, said) in [
        ("1. e4 e5 *", 0, ""),
        ("1. e4 e5", 0, "1 repair\n"),
        ("1. e4 e5 2. Ke3", 1, "1 repair; still illegal at ply 3\n"),
        ("1. e4 e5 2. Ke3 *", 1, "no repairs; still illegal at ply 3\n"),
        (
            "1. e4 e5 * 1. e5 * 1. e4 foo2 *",
            1,
            "no repairs; 2 of 3 games have findings, the first: game 2 is still illegal at ply 1\n",
        ),
        (
            "1. e4 * 1. f3 e5 2. g4 Qh4# 1-0",
            1,
            "no repairs; game 2 is still contradicted by the board in its result\n",
        ),
    ] {
        let run = ferz(&["fix"], text.as_bytes());
        assert_eq!(run.code, code, "{text}: {}", run.err);
        assert!(run.err.ends_with(said) && run.err.is_empty() == said.is_empty(), "{text}: {}", run.err);
    }
}

/// By name alone: where the numbers restart, also after an illegal ply, another game begins.
#[test]
fn games_are_split() {
    let text = "1. e4 e5 2. Nf3 Nc6 1. d4 d5 2. c4 1. g4 Ke7\r\n1. c4 c5 2. b3 1. f4 *\r\n";
    let split = "1. e4 e5 2. Nf3 Nc6 *\r\n\r\n1. d4 d5 2. c4 *\r\n\r\n1. g4 Ke7\r\n*\r\n\r\n1. c4 c5 2. b3 *\r\n\r\n1. f4 *\r\n";
    let run = ferz(&["fix", "--only", "split-games"], text.as_bytes());
    assert_eq!((String::from_utf8(run.out).unwrap().as_str(), run.code), (split, 1), "{}", run.err);
    let again = ferz(&["fix", "--only", "split-games"], split.as_bytes());
    assert_eq!(again.out, split.as_bytes(), "{}", again.err);
    for all in [&["fix"][..], &["fix", "--all"]] {
        assert!(!ferz(all, text.as_bytes()).err.contains("split-games"));
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_one() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "games.pgn", SLOPPY);
    let link = directory.path().join("link.pgn");
    std::os::unix::fs::symlink("games.pgn", &link).unwrap();
    let run = ferz(&["fix", "--in-place", link.to_str().unwrap()], b"");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.starts_with(&format!("{}:9:19: ", link.display())), "{}", run.err);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read(&path).unwrap(), ferz(&["fix"], SLOPPY).out);
    assert_eq!(std::fs::read(format!("{path}.orig")).unwrap(), SLOPPY);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 3, "nothing is left behind");
}

/// Neither its bytes nor its dates nor other names for it: nothing is written, and nothing needs a backup.
#[test]
fn a_file_without_anything_to_repair_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "games.pgn", &ferz(&["fix"], SLOPPY).out);
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    let run = ferz(&["fix", "--in-place", &path], b"");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), before);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "neither a backup nor anything else");
}

#[test]
fn files_are_repaired_in_place() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "games.pgn", SLOPPY);
    let run = ferz(&["fix", "--in-place", "--backup", &path], b"");
    assert_eq!((run.code, run.out.len()), (0, 0), "{}", run.err);
    assert_eq!(std::fs::read(&path).unwrap(), ferz(&["fix"], SLOPPY).out);
    assert_eq!(std::fs::read(format!("{path}.orig")).unwrap(), SLOPPY);
    // A backup is not overwritten: they are numbered.
    for number in 2..4 {
        let sloppy = [SLOPPY, format!("\n{{{number}}}\n").as_bytes()].concat();
        std::fs::write(&path, &sloppy).unwrap();
        let run = ferz(&["fix", "--in-place", &path], b"");
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(std::fs::read(format!("{path}.orig.{number}")).unwrap(), sloppy);
    }
    assert_eq!(std::fs::read(format!("{path}.orig")).unwrap(), SLOPPY);
    std::fs::write(&path, SLOPPY).unwrap();
    assert_eq!(ferz(&["fix", "--in-place", "--no-backup", &path], b"").code, 0);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 4, "nothing is left behind");
    for input in [vec!["fix", "--in-place", "-"], vec!["fix", "--in-place"]] {
        assert_eq!(ferz(&input, SLOPPY).code, 2);
    }
    let packed = write(directory.path(), "games.pgn.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03");
    assert!(ferz(&["fix", "--in-place", &packed], b"").err.contains("compressed"));
    let json = ferz(&["fix"], b"{\"record\":1,\"tags\":[],\"moves\":[]}");
    assert!(json.code == 2 && json.err.contains("PGN"), "{}", json.err);
}

/// Spoils a text: drops, doubles or glues tokens, loses line ends, changes quotation marks, mixes encodings.
fn spoiled(text: &str, seed: u64) -> Vec<u8> {
    // SplitMix64.
    let mut state = seed;
    let mut random = move |below: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % below as u64) as usize
    };
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random(4) {
        let is_at = |bytes: &[u8], wanted: &[u8]| -> Vec<usize> {
            (0..bytes.len()).filter(|at| wanted.contains(&bytes[*at])).collect()
        };
        let kind = random(8);
        let places = match kind {
            0..=2 => is_at(&bytes, b" "),
            3 | 4 => is_at(&bytes, b"\n"),
            5 => is_at(&bytes, b"\""),
            6 => is_at(&bytes, b"aeiou"),
            _ => is_at(&bytes, b"]}).*"),
        };
        let Some(&at) = places.get(random(places.len().max(1))) else { continue };
        let word = bytes[at + 1..]
            .iter()
            .position(|byte| byte.is_ascii_whitespace())
            .unwrap_or(bytes.len() - at - 1);
        match kind {
            // A token is dropped, doubled, or glued to the one before it.
            0 => drop(bytes.drain(at..at + 1 + word)),
            1 => {
                let double = bytes[at..at + 1 + word].to_vec();
                drop(bytes.splice(at..at, double));
            }
            2 | 4 | 7 => drop(bytes.remove(at)),
            3 => bytes[at] = b' ',
            5 => drop(bytes.splice(at..=at, "\u{201d}".bytes())),
            _ => bytes[at] = 0xe9,
        }
    }
    bytes
}

/// Whatever happened to a file on its way: a second run has nothing to do, no game that is legal changes a ply, and
/// no tag is lost.
#[test]
fn spoiled_records_survive_their_repair() {
    let usual: Vec<_> = REPAIRS.iter().filter(|repair| repair.usual).collect();
    let mut replayer = crate::common::replayer(Options::default());
    let mut sources = Vec::new();
    for name in [
        "odd/chess.pgn",
        "games/crazyhouse.pgn",
        "games/iago-gating.pgn",
        "games/ichess-sample.pgn",
        "games/tags-values.pgn",
    ] {
        let text = String::from_utf8_lossy(
            &std::fs::read(crate::common::root().join("fixtures").join(name)).unwrap(),
        )
        .into_owned();
        let games: Vec<String> = read(text.as_bytes(), 0)
            .map(|record| String::from_utf8_lossy(record.source()).into_owned())
            .collect();
        // Two games that stand together, since a repair of one may take from the other.
        sources.extend(
            games.windows(2).step_by(2).map(|pair| pair.concat()).filter(|pair| pair.len() < 3_000).take(8),
        );
    }
    assert!(sources.len() >= 12, "{}", sources.len());
    let mut findings = Vec::new();
    let mut changed = 0;
    let number = 2_000;
    for seed in 0..number {
        let text = spoiled(&sources[seed % sources.len()], seed as u64);
        let names: Vec<&str> = usual.iter().map(|repair| repair.name).collect();
        let (once, changes, _) = fixed(&text, &names);
        changed += usize::from(changes > 0);
        let mut say = |what: &str| {
            findings.push(format!(
                "seed {seed}: {what}\n--- {}\n--- {}",
                String::from_utf8_lossy(&text),
                String::from_utf8_lossy(&once)
            ))
        };
        let (twice, again, _) = fixed(&once, &names);
        if again > 0 || twice != once {
            say(&format!("a second run changes it: {}", String::from_utf8_lossy(&twice)));
        }
        let mut facts = |text: &[u8]| -> (Vec<(bool, String)>, Vec<BTreeSet<String>>) {
            let (mut games, mut tags) = (Vec::new(), Vec::new());
            let wrapped = Wrapped::new(text, 0);
            for record in wrapped.records(0) {
                let source = Source::of_wrapped(&wrapped, 0);
                let report = replayer.report(&record, &source, 0);
                games.push((report.legal, format!("{} {}", report.plies, report.final_fen)));
                tags.push(record.tags.iter().map(|tag| record.tag_name(tag).into_owned()).collect());
            }
            (games, tags)
        };
        let ((games, tags), (later, later_tags)) = (facts(&text), facts(&once));
        if games.len() != later.len()
            || games.iter().zip(&later).any(|(before, after)| before.0 && before != after)
        {
            say(&format!("a legal game changes: {games:?} {later:?}"));
        }
        if let Some((tags, _)) = tags.iter().zip(&later_tags).find(|(tags, later)| !tags.is_subset(later)) {
            say(&format!("one of the tags {tags:?} is lost"));
        }
    }
    assert!(changed > number / 4, "{changed}");
    crate::common::report("spoiled records", number, &findings);
}
