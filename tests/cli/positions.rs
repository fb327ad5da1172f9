//! Positions, games and their rules; what every command has: files, pipes, messages, help.

use crate::program::{FERZ, Run, ends_with_its_pipe, ferz, write};
use std::io::Write;
use std::path::Path;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The data of a run in which all is fine and nothing is said beside it.
fn fine(args: &[&str]) -> String {
    let Run { code, out, err } = ferz(args, "");
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

/// The messages of a run that could not be carried out and gave no data.
fn refused(args: &[&str]) -> String {
    let Run { code, out, err } = ferz(args, "");
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
    err
}

#[test]
fn moves_are_listed_sorted_one_a_line() {
    let out = fine(&["moves", "chess"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 20);
    assert!(lines.is_sorted() && lines.contains(&"g1f3"));
    let out = fine(&["moves", "iago-c", "--moves", "Q@d1"]);
    assert_eq!(out, "C@d8\nM@d8\nQ@d8\n");
    let nature = fine(&["moves", "chaos+chess", "--moves", "e2e4 e7e5 g1f3 b8c6 f1c4"]);
    assert!(nature.lines().any(|line| line == "~Q@a4") || nature.lines().any(|line| line.starts_with('~')));
    assert!(nature.lines().any(|line| line == "g8f6"), "the player on move is there too");
}

#[test]
fn moves_are_written_in_every_style() {
    let has = |args: &[&str], wanted: &[&str]| {
        let out = fine(args);
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines.is_sorted(), "{args:?}");
        for text in wanted {
            assert!(lines.contains(text), "{args:?}: {text} is not in {lines:?}");
        }
        lines.len()
    };
    let bishop = |style: &str, wanted: &[&str]| {
        has(&["moves", "iago-b", "--moves", "e2e4 e7e5", "--style", style], wanted)
    };
    let counts = [
        bishop("coord", &["f1c4", "f1c4m", "e1e2"]),
        bishop("uci", &["f1c4", "f1c4m"]),
        bishop("san", &["Bc4", "Bc4/M", "Ke2"]),
        bishop("schess", &["Bc4/M"]),
        bishop("lan", &["Bf1-c4", "Bf1-c4/M"]),
        bishop("iago", &["Bf1-c4&M", "d2-d4"]),
        bishop("ichess", &["Bc4", "f1c4m", "Pd4"]),
        bishop("CHAOS", &["Bc4/M"]),
    ];
    assert_eq!(counts, [counts[0]; 8]);
    has(&["moves", "ichess", "--style", "ichess"], &["R=a1"]);
    let chaos = ["moves", "chaos+chess", "--moves", "e2e4 e7e5 g1f3 b8c6 f1c4", "--style"];
    has(&[&chaos[..], &["san"]].concat(), &["Nf6", "~h5=N"]);
    has(&[&chaos[..], &["uci"]].concat(), &["g8f6", "~N@h5"]);
    assert!(refused(&["moves", "chess", "--style", "klingon"]).contains("schess"));
}

#[test]
fn perft_counts() {
    for (depth, count) in [("0", "1"), ("1", "20"), ("2", "400"), ("3", "8902"), ("4", "197281")] {
        assert_eq!(fine(&["perft", "chess", depth]), format!("{count}\n"));
    }
    assert_eq!(fine(&["perft", "chess", "3", "--fen", KIWIPETE]), "97862\n");
    assert_eq!(fine(&["perft", "chess", "3", "--jobs", "1", "--tag", &format!("FEN={KIWIPETE}")]), "97862\n");
    assert_eq!(fine(&["perft", "iago-b", "2"]), "784\n");
    let divided = fine(&["perft", "chess", "2", "--divide", "--moves", "e2e4"]);
    let (lines, total) = divided.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(total, "600");
    let parts: u64 = lines.lines().map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!(parts, 600);
    assert!(refused(&["perft", "chess", "33"]).contains("a number of plies from 0 to 32"));
    assert!(refused(&["perft", "chess", "2", "--jobs", "0"]).contains("--jobs"));
}

#[test]
fn perft_counts_small_cases_of_the_reference() {
    let text = std::fs::read_to_string("fixtures/conformance/perft.json").unwrap();
    let cases: serde_json::Value = serde_json::from_str(&text).unwrap();
    let small = |case: &&serde_json::Value| case["nodes"].as_u64().is_some_and(|nodes| nodes < 4_000);
    let mut seen = 0;
    for case in cases.as_array().unwrap().iter().filter(small).take(25) {
        let depth = case["depth"].to_string();
        let mut args = vec!["perft".to_owned(), case["variant"].as_str().unwrap().to_owned(), depth];
        for (name, value) in case["tags"].as_object().unwrap() {
            args.extend(["--tag".to_owned(), format!("{name}={}", value.as_str().unwrap())]);
        }
        if let Some(fen) = case["fen"].as_str() {
            args.extend(["--fen".to_owned(), fen.to_owned()]);
        }
        if let Some(moves) = case["moves"].as_array() {
            let moves: Vec<&str> = moves.iter().map(|ply| ply.as_str().unwrap()).collect();
            args.extend(["--moves".to_owned(), moves.join(" ")]);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        assert_eq!(fine(&args).trim(), case["nodes"].to_string(), "{args:?}");
        seen += 1;
    }
    assert_eq!(seen, 25);
}

#[test]
fn fen_and_show_give_the_position() {
    let fen = fine(&["fen", "iago-b", "--moves", "b1c3m g8f6"]);
    assert_eq!(fen, "rnbqkb1r/pppppppp/5n2/8/8/2N5/PPPPPPPP/RMBQKBNR[Cmc] w KQCDFGkqbcdf - 1 2\n");
    assert_eq!(fine(&["fen", "chess", "--fen", KIWIPETE]).trim_end(), KIWIPETE);
    insta::assert_snapshot!(fine(&["show", "ichess", "--moves", "R@a1 R@h8"]), @r##"
         8  . . . . . . . r
         7  . . . . . . . .
         6  p p p p p p p p
         5  . . . . . . . .
         4  . . . . . . . .
         3  P P P P P P P P
         2  . . . . . . . .
         1  R . . . . . . .
            a b c d e f g h

        White to move; move 2, halfmove clock 0.
        White's hand: K, Q, R, B × 2, N × 2.
        Black's hand: k, q, r, b × 2, n × 2.
        FEN: 7r/8/pppppppp/8/8/PPPPPPPP/8/R7[KQRBBNNkqrbbnn] w - - 0 2
        "##);
    insta::assert_snapshot!(fine(&["show", "chaos+chess", "--unicode", "--moves", "e2e4 e7e5 g1f3 b8c6 f1c4 ~N@h5"]), @r##"
         8   ♜  .  ♝  ♛  ♚  ♝  ♞  ♜
         7   ♟  ♟  ♟  ♟  .  ♟  ♟  ♟
         6   .  .  ♞  .  .  .  .  .
         5   .  .  .  .  ♟  .  . *♘
         4   .  .  ♗  .  ♙  .  .  .
         3   .  .  .  .  .  ♘  .  .
         2   ♙  ♙  ♙  ♙  .  ♙  ♙  ♙
         1   ♖  ♘  ♗  ♕  ♔  .  .  ♖
             a  b  c  d  e  f  g  h

        Black to move; move 3, halfmove clock 0.
        White's hand: nothing.
        Black's hand: nothing.
        White has the right to castle with the rook on a1, h1.
        Black has the right to castle with the rook on a8, h8.
        Nature's clock: 0 real plies since its last turn or the start; it may act after 5 more real plies; its attack is not check for 3 more real plies.
        Nature's pieces that have not moved: h5.
        FEN: r1bqkbnr/pppp1ppp/2n5/4p2*N/2B1P3/5N2/PPPP1PPP/RNBQK2R[] b KQkq - 0 3 ~0:h5
        "##);
    let wide = fine(&["show", "capablanca"]);
    assert!(wide.contains("a b c d e f g h i j"), "{wide}");
}

#[test]
fn chess960_takes_its_array_from_the_position() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let moves = fine(&["moves", "chess960", "--fen", fen]);
    assert_eq!(moves.lines().count(), 21, "{moves}");
}

#[test]
fn variants_are_listed() {
    let text = fine(&["variants", "list"]);
    assert!(text.contains("iago-b") && text.contains("chaos+…"), "{text}");
    let rows = fine(&["variants", "list", "--format", "ndjson"]);
    let rows: Vec<serde_json::Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), text.lines().count());
    assert!(rows.iter().any(|row| row["name"] == "chaos" && row["mutator"] == true));
    assert!(rows.iter().any(|row| row["name"] == "chess" && row["edition"] == "2023"));
}

#[test]
fn variants_show_switches_and_readings() {
    let text = fine(&["variants", "show", "chaos+iago-b", "--tag", "NatureRules=king"]);
    for part in [
        "name      chaos+iago-b",
        "king = true",
        "castling = false",
        "CHA-7   nature.natures-mate = \"on-move\"",
        "Nature's: K",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = fine(&["variants", "show", "augmented"]);
    assert!(text.contains("depends on the tag WhiteArmy") && text.contains("AUG-9"), "{text}");
    let armies = ["--tag", "WhiteArmy=RF ND BfbN QffNsbN", "--tag", "BlackArmy=RA NW BD RNF"];
    let text = fine(&[&["variants", "show", "augmented"][..], &armies].concat());
    assert!(text.contains("RA") && !text.contains("depends on"), "{text}");
    assert!(refused(&["variants", "show", "augmented", "--tag", "WhiteArmy=RF"]).contains("WhiteArmy"));
}

/// A mutator makes another class of a game.
#[test]
fn variants_show_names_the_class() {
    for (game, class) in [
        ("chess", "A (FIDE 2.3)"),
        ("iago-b", "B (IAB 1)"),
        ("misere+chess", "AV (IAV 2)"),
        ("chaos+ichess", "V (IAV 3)"),
    ] {
        let text = fine(&["variants", "show", game]);
        assert!(text.contains(&format!("\nclass     {class}\n")), "{game}: {text}");
    }
}

#[test]
fn values_are_shown_as_a_definition_has_them() {
    let text = fine(&["variants", "show", "chess"]);
    assert!(text.contains("  king-side = { king = \"g\", rook = \"f\" }\n"), "{text}");
    assert!(text.contains("  kinds = [\"Q\", \"R\", \"B\", \"N\"]\n"), "{text}");
    assert!(text.contains("  # entries is not set: no limit\n"), "{text}");
    let seirawan = fine(&["variants", "show", "seirawan"]);
    assert!(seirawan.contains("  per-turn = "), "{seirawan}");
    assert!(
        !fine(&["variants", "show", "chaos"]).contains("orthodox"),
        "chess's names are not those of chaos"
    );
    let prose = fine(&["variants", "show", "ingols", "--prose"]);
    assert!(!prose.contains("whole board") && !prose.contains("promotion.on"), "{prose}");
    for (name, told) in
        [("misere", "`misere+chess`"), ("chess+misere", "`misere+chess`"), ("chess+", "missing")]
    {
        let told_is = refused(&["fen", name]);
        assert!(told_is.contains(told) && !told_is.contains("no known variant"), "{told_is}");
    }
}

/// Who forgets `--formats` gets no game of their own; that is said where the name is not known, and only there.
#[test]
fn where_a_game_is_not_known_the_way_to_name_ones_own_is_told() {
    for command in [
        &["fen", "club-z"][..],
        &["perft", "misere+club-z", "1"],
        &["validate", "--variant", "club-z"],
        &["variants", "show", "club-z"],
        &["variants", "armies", "club-z"],
        &["variants", "classify", "club-z"],
    ] {
        let told = refused(command);
        assert!(told.contains("unknown variant `club-z`"), "{command:?}: {told}");
        assert!(told.contains("--formats DIR"), "{command:?}: {told}");
    }
    assert!(!refused(&["fen", "misere"]).contains("--formats"));
    let judged = |text: &[u8]| ferz(&["validate"], text).err;
    let told = judged(b"[Variant \"club-z\"]\n\n1. e4 *\n");
    assert!(told.contains("= note: for a game of your own, add `--formats DIR`"), "{told}");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (unknown, known) = (file("z.pgn", b"[Variant \"club-z\"]\n\n1. e4 *\n"), file("c.pgn", b"1. e4 *\n"));
    for command in [
        &["convert", "--to", "san", &unknown][..],
        &["convert", "--to", "json", &unknown],
        &["convert", "--to", "san", "--keep-layout", &unknown],
        &["fix", &unknown],
        &["fix", "--check", &unknown, &known],
        &["compare", &known, &unknown],
        &["show", "--record", &unknown],
    ] {
        let told = ferz(command, b"").err;
        let wanted = "unknown variant `club-z`; `ferz variants list` shows all\n  for a game of your own";
        assert!(told.contains(wanted), "{command:?}: {told}");
        assert_eq!(told.matches("--formats DIR").count(), 1, "{command:?}: {told}");
    }
    let told = judged(b"[Variant \"augmented\"]\n\n1. e4 *\n");
    assert!(told.contains("error[J001]") && !told.contains("--formats"), "{told}");
    // The army that is missing is shown by one that would do.
    let wanted = "such as `RF NA BD QffNsbN` (AUG-3); `ferz variants armies augmented` lists all";
    assert!(told.contains(wanted), "{told}");
}

#[test]
fn claims_are_shown_at_their_ply() {
    let record = "fixtures/games/claims-open.pgn";
    let at = |ply: &str| fine(&["show", "--record", record, "--ply", ply]);
    let claim = "Black may claim a draw by threefold repetition (the position occurred after plies 0, 4, 8), \
        announcing the intended ply Ng8.\nFEN:";
    assert!(at("7").contains(claim), "{}", at("7"));
    assert!(!at("6").contains("claim"), "{}", at("6"));
    let svg = fine(&["show", "--svg", "--record", record, "--ply", "8"]);
    assert!(svg.contains("White may claim a draw"), "{svg}");
}

#[test]
fn armies_are_listed_and_counted() {
    assert_eq!(fine(&["variants", "armies", "--count"]), "178\n");
    assert_eq!(fine(&["variants", "armies", "augmented", "--count", "--all"]), "560\n");
    let armies = fine(&["variants", "armies"]);
    assert_eq!(armies.lines().count(), 178);
    assert!(armies.lines().all(|army| army.split(' ').count() == 4));
    assert!(refused(&["variants", "armies", "chess"]).contains("no choice of armies"));
}

#[test]
fn rules_are_told_in_sentences() {
    let text = fine(&["variants", "show", "iago-b", "--prose"]);
    assert!(text.starts_with("# IAGO Chess, B-Class\n") && text.contains("IAB 1"), "{text}");
    let fields = fine(&["variants", "show", "iago-b"]);
    let digest = fields.lines().find_map(|line| line.strip_prefix("digest")).unwrap().trim();
    assert!(text.contains(digest), "the digest is that of the compiled rules");
    let text = fine(&["variants", "show", "augmented", "--prose"]);
    assert!(text.replace("\n  ", " ").contains("depends on the tag WhiteArmy"), "{text}");
}

#[test]
fn games_are_classified() {
    let text = fine(&["variants", "classify", "chess", "iago b", "fixtures/variants/valid/club-b.toml"]);
    let heads: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(heads, ["chess: A-Class", "iago-b: B-Class", "club-b: B-Class"]);
    assert!(text.contains("FIDE 2.3:") && text.contains("equipment suffices (IAV 7): "), "{text}");
    assert!(text.contains("does not suffice (IAV 7), in 4 ways:\n    Q: 1 there, 2 needed: "), "{text}");
    let rows = fine(&["variants", "classify", "--format", "ndjson", "chaos+iago-b", "misere+chess"]);
    let rows: Vec<serde_json::Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows[0]["name"].as_str(), rows[0]["class"].as_str()), (Some("chaos+iago-b"), Some("V")));
    assert_eq!(rows[0]["equipment"]["verdict"], "violates");
    assert_eq!(rows[0]["equipment"]["lacks"][0]["cause"], "nature");
    assert!(rows[1]["clause"].as_str().unwrap().starts_with("IAV 2: "));
    let mutator = fine(&["variants", "classify", "formats/variants/mutators/misere.toml"]);
    assert!(mutator.starts_with("misere+chess: AV-Class"), "{mutator}");
    assert!(refused(&["variants", "classify", "ches"]).contains("did you mean `chess`?"));
    assert!(refused(&["variants", "classify", "no.toml"]).contains("no.toml: no such file"));
    let wrong = refused(&["variants", "classify", "fixtures/variants/invalid/betza.toml"]);
    assert!(wrong.contains("betza.toml:6:35"), "{wrong}");
}

#[test]
fn every_built_in_definition_passes_the_check() {
    let mut files = Vec::new();
    for directory in ["formats/variants", "formats/variants/mutators"] {
        let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "toml")));
    }
    let files: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
    let out = fine(&[&["variants", "check"][..], &files].concat());
    assert_eq!(out.lines().filter(|line| line.contains(": ok: ")).count(), files.len());
}

#[test]
fn wrong_definitions_are_shown_with_carets() {
    let directory = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        let path = write(directory.path(), "own.toml", text);
        let Run { code, out, err } = ferz(&["variants", "check", &path], "");
        assert_eq!((code, out.as_str()), (1, ""));
        err.replace(&path, "own.toml")
    };
    insta::assert_snapshot!(check("name = \"own\"\nextends = \"chess\"\n[promotion\nzone = \"rank 7-8\"\n"), @r##"
        error[V001]: unclosed table, expected `]`
         --> own.toml:3:11
          |
        3 | [promotion
          |           ^
          |
          = note: values are checked once the file parses
        "##);
    insta::assert_snapshot!(check("name = \"own\"\nextends = \"chess\"\n\n[promotion]\nzones = \"rank 7-8\"\n"), @r##"
        error[V001]: promotion.zones: unknown field; did you mean `zone`?
         --> own.toml:5:1
          |
        5 | zones = "rank 7-8"
          | ^^^^^
        "##);
    insta::assert_snapshot!(check("name = \"own\"\nextends = \"chess\"\n\n[board]\nfiles = \"ten\"\n"), @r##"
        error[V001]: board.files: this is the text `ten`; write a whole number from 0 to 255
         --> own.toml:5:9
          |
        5 | files = "ten"
          |         ^^^^^
        "##);
    insta::assert_snapshot!(check("name = \"own\"\nextends = \"chess\"\n\n[pieces]\nN = { name = \"knight\", betza = \"Nx2\" }\n\n[promotion]\nzone = \"rank 9\"\n"), @r##"
        error[V002]: pieces.N.betza: the number `2` must directly follow an atom, as in `W2`
         --> own.toml:5:35
          |
        5 | N = { name = "knight", betza = "Nx2" }
          |                                   ^

        error[V002]: promotion.zone: `9` is not a rank of a board with 8 ranks
         --> own.toml:8:14
          |
        8 | zone = "rank 9"
          |              ^
        "##);
    insta::assert_snapshot!(check("name = \"own\"\nextends = \"ches\"\n"), @r##"
        error[V002]: extends: there is no `ches`; did you mean `chess`?
         --> own.toml:2:11
          |
        2 | extends = "ches"
          |           ^^^^^^
        "##);
    insta::assert_snapshot!(check("mutator = \"odd\"\ntitle = \"Odd\"\n[patch.promotion]\nkinds = [\"Z\"]\n"), @r##"
        error[V002]: patch.promotion.kinds: `Z` is not a piece of this game; use KQRBNP
         --> own.toml:4:9
          |
        4 | kinds = ["Z"]
          |         ^^^^^
        "##);
    let path = write(directory.path(), "latin.toml", b"name = \"caf\xe9\"\n");
    assert!(refused(&["variants", "check", &path]).contains("byte 11 is not UTF-8"));
}

#[test]
fn files_after_one_that_cannot_be_read_are_checked_too() {
    let wrong = "fixtures/variants/invalid/many-values.toml";
    let files = ["no.toml", wrong, "none.toml", "fixtures/variants/valid/dragoons.toml"];
    let Run { code, out, err } = ferz(&[&["variants", "check"][..], &files].concat(), "");
    assert_eq!((code, out.lines().count()), (2, 1), "{out}{err}");
    assert!(out.contains("dragoons.toml: ok: "), "{out}");
    assert!(err.contains("no.toml: no such file") && err.contains("none.toml: no such file"), "{err}");
    assert_eq!(err.matches("error[V00").count(), 4, "{err}");
    let own = std::fs::read("fixtures/variants/valid/dragoons.toml").unwrap();
    let Run { code, out, .. } = ferz(&["variants", "check", "-"], &own);
    assert!(code == 0 && out.starts_with("-: ok: "), "{out}");
    assert!(err.contains("use `-` for standard input"), "{err}");
    let formats = refused(&["--formats", "no.toml", "moves", "chess"]);
    assert!(formats.contains("no.toml: no such file; check the path\n"), "`-` is no directory: {formats}");
    let all = refused(&["--formats", wrong, "moves", "chess"]);
    assert!(all.contains("captures.to: `pol` is not one of: none, hand"), "{all}");
}

#[test]
fn good_and_wrong_files_together_are_findings() {
    let directory = tempfile::tempdir().unwrap();
    let parent = write(
        directory.path(),
        "parent.toml",
        "name = \"own\"\nextends = \"chess\"\n[ends]\nbare-king = true\n",
    );
    let child = write(directory.path(), "child.toml", "name = \"own-child\"\nextends = \"own\"\n");
    let wrong = write(directory.path(), "wrong.toml", "");
    let Run { code, out, err } = ferz(&["variants", "check", &parent, &wrong, &child], "");
    assert_eq!((code, out.lines().count()), (1, 2), "{out}{err}");
    assert!(err.contains("the name of the definition is missing"), "{err}");
    let Run { code, out, .. } = ferz(&["variants", "check", "-"], b"name = \"own\"\nextends = \"chess\"\n");
    assert_eq!(code, 0);
    assert!(
        out.starts_with("standard input: ok: own, edition 1, digest ") || out.starts_with("-: ok: own"),
        "{out}"
    );
}

#[test]
fn formats_add_the_users_games() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    assert!(refused(&["--formats", path, "moves", "own"]).contains("no *.toml file here"));
    std::fs::create_dir_all(directory.path().join("variants")).unwrap();
    write(
        directory.path(),
        "variants/own.toml",
        "name = \"own\"\nextends = \"chess\"\n[promotion]\nkinds = [\"N\"]\n",
    );
    let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let moves = fine(&["moves", "own", "--fen", fen, "--formats", path]);
    assert!(moves.contains("a7a8n") && !moves.contains("a7a8q"), "{moves}");
    assert!(fine(&["variants", "list", "--formats", path]).contains("own"));
    write(directory.path(), "wrong.toml", "name = 1\n");
    let error = refused(&["moves", "own", "--formats", path]);
    assert!(error.contains("wrong.toml:1:8") && error.contains("error[V001]"), "{error}");
    assert!(
        refused(&["moves", "chess", "--formats", "/no/such/place"]).contains("/no/such/place: no such file")
    );
}

/// What Nature has no movement for comes to no square in play, and would stay where it stands for ever.
#[test]
fn a_piece_that_nature_cannot_move() {
    for (game, fen, wanted) in [
        (
            "chaos+ichess",
            "8/8/pppppppp/4*F3/8/PPPPPPPP/8/8[KQRRBBNNkqrrbbnn] w - - 0 1 ~0",
            "`*F` on e5 has no movement; Nature's pieces are *K *Q *R *B *N *P (CHA 2)",
        ),
        (
            "chaos+iago-b",
            "4k3/8/8/8/*M7/8/8/4K3[MCmc][] w - - 0 1 ~0",
            "`*M` on a4 has no movement; Nature's pieces are *K *Q *R *B *N *P (CHA 2)",
        ),
    ] {
        let told = refused(&["fen", game, "--fen", fen]);
        assert!(told.contains(wanted), "{told}");
    }
    // What she has only with a switch she can move all the same.
    let kept = "4k3/8/8/4*K3/4*P3/8/8/4K3[] w - - 0 1 ~0";
    assert_eq!(fine(&["fen", "chaos", "--fen", kept]).trim(), kept);
}

/// ING-1: a pawn that comes there is a pawn no more, where it has to become a king.
#[test]
fn a_pawn_on_the_kings_square() {
    let fen = ["--fen", "7P/8/8/8/8/8/k7/7K w - - 0 1"];
    assert!(refused(&[&["fen", "ingols"], &fen[..]].concat()).contains("a pawn cannot stand on h8"));
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "own.toml",
        "name = \"own\"\nextends = \"ingols\"\n[ends]\nkings-square = \"pawn-suffices\"\n",
    );
    let path = dir.path().to_str().unwrap();
    assert!(fine(&[&["fen", "own", "--formats", path], &fen[..]].concat()).starts_with("7P/"));
}

#[test]
fn kinds_of_both_armies_are_told_apart() {
    let armies = ["--tag", "WhiteArmy=RF ND BW RNA", "--tag", "BlackArmy=RF NA BD QfbN"];
    let ply = ["--fen", "8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "--moves", "e7e8k"];
    let told = refused(&[&["fen", "augmented"], &armies[..], &ply[..]].concat());
    assert!(
        told.contains(
            "may be promoted to: queen, queen of the other army, rook, bishop, bishop of the other army"
        ),
        "{told}"
    );
}

/// A pawn waits in reserve only where it does at the start, or where Nature's captures of it go there.
#[test]
fn a_pawn_in_reserve() {
    let fen = |game: &str, stocks: &str| format!("4k3/8/8/8/8/8/8/4K3{stocks} w - - 0 1{game}");
    for game in ["iago-b", "iago-m", "seirawan"] {
        let told = refused(&["fen", game, "--fen", &fen("", "[Pp]")]);
        assert!(told.contains("a pawn never waits in reserve in this game; leave it out"), "{game}: {told}");
    }
    let told = refused(&["fen", "chaos+iago-b", "--fen", &fen(" ~0", "[MP][]")]);
    assert!(told.contains("write a captured one in the second pair of brackets"), "{told}");
    for stocks in ["[M][Pp]", "[MCmc][]"] {
        let fen = fen(" ~0", stocks);
        assert_eq!(
            fine(&["fen", "chaos+iago-b", "--fen", &fen]).trim_end().split(' ').next(),
            fen.split(' ').next()
        );
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("levy.toml");
    let own = "name = \"levy\"\nextends = \"iago-b\"\n[setup]\nreserve = \"MCP\"\n";
    std::fs::write(&path, own).unwrap();
    let path = path.to_str().unwrap();
    let kept = fine(&["fen", "levy", "--fen", &fen("", "[MPp]"), "--formats", path]);
    assert!(kept.contains("[MPp]"), "{kept}");
}

#[test]
fn errors_say_what_to_do() {
    let error = refused(&["moves", "ches"]);
    assert!(error.contains("did you mean `chess`?") && error.contains("ferz variants list"), "{error}");
    insta::assert_snapshot!(refused(&["fen", "chess", "--fen", "8/8/8/4k3/8/8/8/4K2R w Kx - 0 1"]), @r##"
        ferz: error: --fen: castling: `x`: not a right; write KQkq or file letters
         |
         | 8/8/8/4k3/8/8/8/4K2R w Kx - 0 1
         |                         ^
         |
         = help: `ferz fen chess` shows a position of this game
        "##);
    insta::assert_snapshot!(refused(&["fen", "chess", "--moves", "e2e4 e7e5 g1f4"]), @r##"
        ferz: error: --moves: ply 3, `g1f4`, is not legal: the knight on g1 does not go to f4
          rule: FIDE 3.6 (no-such-move)
          in the position: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
          nearest legal plies: f2f4, g1f3, g1e2, g1h3, d1f3
        "##);
    insta::assert_snapshot!(refused(&["fen", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4 a2a3"]), @r##"
        ferz: error: --moves: ply 5, `a2a3`, is not legal: the game is already over
          rule: COM-4 (game-over)
          in the position: rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3
          the game is over: checkmate
        "##);
    for numbers in ["65536 1", "0 1000000001", "0 4294967295"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 b - - {numbers}");
        let error = refused(&["fen", "chess", "--fen", &fen, "--moves", "e8e7"]);
        assert!(error.contains("is not a valid number"), "{fen}: {error}");
    }
    assert!(refused(&["fen", "chess", "--moves", "hello"]).contains("nearest legal plies: h2h3, h2h4,"));
    assert!(refused(&["moves", "augmented"]).contains("WhiteArmy"));
    assert!(refused(&["moves", "chess", "--tag", "NatureRules"]).contains("NAME=VALUE"));
    assert!(refused(&["moves", "chess", "--tag", "A=1", "--tag", "a=2"]).contains("repeated"));
    assert!(
        refused(&["moves", "chess", "--fen", KIWIPETE, "--tag", "FEN=x"]).contains("different positions")
    );
    assert!(refused(&["moves", "iago-m", "--tag", "RulesEdition=1900"]).contains("use one of 2026"));
    let Run { code, err, .. } = ferz(&["moves", "chaos+chess", "--tag", "NaturRules=advanced"], "");
    assert_eq!(code, 0);
    assert!(err.contains("ferz: warning") && err.contains("did you mean NatureRules?"), "{err}");
    for wrong in
        [&["mvoes"][..], &["moves"], &[], &["moves", "chess", "--style", "klingon"], &["perft", "chess", "x"]]
    {
        assert_eq!(ferz(wrong, "").code, 2, "{wrong:?}");
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    assert!(
        refused(&["variants", "check", "/no/such/file"])
            .contains("/no/such/file: no such file; check the path")
    );
    assert!(refused(&["variants", "check", path]).contains("this is a directory"));
    let definition = std::fs::read("formats/variants/chess.toml").unwrap();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(&definition).unwrap();
    let packed = packer.finish().unwrap();
    let whole = write(directory.path(), "chess.anything", &packed);
    assert!(fine(&["variants", "check", &whole]).contains("ok: chess"));
    let cut = write(directory.path(), "cut.gz", &packed[..packed.len() / 2]);
    let error = refused(&["variants", "check", &cut]);
    assert!(error.contains("cut.gz: the Gzip data is cut off"), "{error}");
    let Run { code, err, .. } = ferz(&["variants", "check", "-"], &packed[..40]);
    assert_eq!(code, 2);
    assert!(err.contains("standard input: the Gzip data is cut off"), "{err}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    for args in [
        &["moves", "chaos+chess", "--moves", "e2e4 e7e5 g1f3 b8c6 f1c4"][..],
        &["variants", "armies", "--all"],
        &["--help"],
    ] {
        ends_with_its_pipe(args);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(FERZ).args(["moves", "chess"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write to standard output"));
}

#[test]
fn colours_only_when_wanted() {
    let plain = refused(&["fen", "chess", "--fen", "x"]);
    assert!(!plain.contains('\u{1b}'));
    assert!(refused(&["fen", "chess", "--fen", "x", "--color", "always"]).contains('\u{1b}'));
}

#[test]
fn completions_and_manual_name_every_command() {
    for text in [fine(&["completions", "bash"]), fine(&["completions", "zsh"]), fine(&["manual"])] {
        for command in ["moves", "perft", "variants"] {
            assert!(text.contains(command), "{command}");
        }
    }
    assert!(fine(&["manual", "variants", "check"]).contains("FILE"));
    assert!(refused(&["manual", "nothing"]).contains("ferz help"));
}

/// Every page of help has examples, and every example runs.
#[test]
fn the_examples_of_the_help_run() {
    let pages: [&[&str]; 13] = [
        &[],
        &["moves"],
        &["perft"],
        &["fen"],
        &["show"],
        &["variants"],
        &["variants", "list"],
        &["variants", "show"],
        &["variants", "check"],
        &["variants", "armies"],
        &["variants", "classify"],
        &["completions"],
        &["manual"],
    ];
    let directory = tempfile::tempdir().unwrap();
    let root = env!("CARGO_MANIFEST_DIR");
    for folder in ["formats", "fixtures"] {
        std::os::unix::fs::symlink(format!("{root}/{folder}"), directory.path().join(folder)).unwrap();
    }
    let binaries = Path::new(FERZ).parent().unwrap().to_str().unwrap();
    let search = format!("{binaries}:{}", std::env::var("PATH").unwrap());
    for page in pages {
        let help = fine(&[page, &["--help"]].concat());
        let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  ferz ")).collect();
        assert!(!examples.is_empty(), "{page:?} has no example");
        for example in examples {
            let shell = std::process::Command::new("sh")
                .args(["-c", example])
                .env("PATH", &search)
                .current_dir(&directory)
                .output()
                .unwrap();
            assert!(shell.status.success(), "{example}: {}", String::from_utf8_lossy(&shell.stderr));
            assert!(shell.stderr.is_empty(), "{example}");
        }
    }
}

/// What the help says behind the options fills its lines, however wide the terminal is.
#[test]
fn the_sentences_of_the_help_are_broken_once() {
    const WIDTH: usize = 80;
    let mut pages: Vec<Vec<String>> = vec![Vec::new()];
    let mut paragraphs = 0;
    while let Some(page) = pages.pop() {
        let output = std::process::Command::new(FERZ)
            .args(&page)
            .arg("--help")
            .env("COLUMNS", WIDTH.to_string())
            .output()
            .unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let commands = commands.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
        let commands =
            commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
        pages.extend(commands.map(|name| [&page[..], &[name.to_owned()]].concat()));
        let (_, behind) = help.split_once("Print version\n").unwrap();
        for paragraph in behind.split("\n\n").take_while(|text| !text.trim_start().starts_with("Examples:")) {
            paragraphs += 1;
            let lines: Vec<&str> = paragraph.trim().lines().collect();
            // The lines of a table are no sentences.
            let broken = |pair: &&[&str]| !pair[0].ends_with('.') && !pair[1].starts_with("  ");
            for pair in lines.windows(2).filter(broken) {
                let word = pair[1].split(' ').next().unwrap().chars().count();
                assert!(pair[0].chars().count() + 1 + word > WIDTH, "{page:?}: {pair:#?}");
            }
        }
    }
    assert!(paragraphs > 10, "{paragraphs}");
}

#[test]
fn moves_are_read_in_any_style_with_or_without_numbers() {
    let expected = fine(&["fen", "chess", "--moves", "e2e4 e7e5 g1f3 b8c6 f1b5"]);
    for moves in [
        "e4 e5 Nf3 Nc6 Bb5",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5",
        "1. e4 1... e5 2. Ng1-f3 Nc6 Bb5",
    ] {
        assert_eq!(fine(&["fen", "chess", "--moves", moves]), expected, "{moves}");
    }
    let deployed = fine(&["fen", "ichess", "--moves", "R@a1 R@h8"]);
    assert_eq!(fine(&["fen", "ichess", "--moves", "1. R=a1 R=h8"]), deployed);
    let error = refused(&["fen", "chess", "--moves", "1. e4 e5 2. Nf4"]);
    assert!(error.contains("ply 3, `Nf4`, is not legal"), "{error}");
}

#[test]
fn an_ended_game_has_no_plies_and_says_why() {
    let run = ferz(&["moves", "chess", "--moves", "f3 e5 g4 Qh4#"], "");
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert_eq!(run.err, "ferz: warning: no legal plies: the game is over: checkmate\n");
}

#[test]
fn a_record_may_stand_in_place_of_the_game() {
    let file = "fixtures/games/ichess-sample.pgn";
    assert_eq!(fine(&["show", file, "--ply", "16"]), fine(&["show", "--record", file, "--ply", "16"]));
    let error = refused(&["show", "chess", "--ply", "3"]);
    assert!(error.contains("--game, --each and --ply need a record"), "{error}");
}

#[test]
fn a_new_definition_plays_like_the_game_it_extends() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["chess", "iago-b", "ichess"] {
        let text = fine(&["variants", "new", "mine", "--extends", game]);
        // As it is, and with every field uncommented.
        let (head, fields) = text.split_once("explains each.\n\n").unwrap();
        let all =
            fields.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).collect::<Vec<_>>().join("\n");
        for text in [text.clone(), format!("{head}explains each.\n\n{all}\n")] {
            let path = folder.path().join("mine.toml");
            std::fs::write(&path, text).unwrap();
            let path = path.to_str().unwrap();
            assert!(fine(&["variants", "check", path]).contains(": ok: "));
            let listed = |args: &[&str]| fine(&[&["--formats", path, "moves"], args].concat());
            assert_eq!(listed(&["mine"]), listed(&[game]), "{game}");
        }
    }
    assert!(refused(&["variants", "new", "mine", "--extends", "ches"]).contains("did you mean `chess`?"));
    assert!(refused(&["variants", "new", "chess"]).contains("`chess` is a known game"));
    assert!(refused(&["variants", "new", "My Game"]).contains("small letters"));
}
