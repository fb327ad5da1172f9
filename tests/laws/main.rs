//! Laws that hold in every position of every game, asked in random games.
//!
//! After each ply: the incremental state is what a state made from nothing would be; every legal ply is taken
//! back without a trace; what is written as a FEN is read back; one ply is judged as all are generated, and counted too; equal
//! positions have equal keys; nothing is lost but what is captured; what a style of
//! notation writes is read back, and goes through every other style; every spelling of a position is read as that
//! position. The games are drawn so that rare plies
//! happen (gates while castling, reentries with capture, Nature's castling), and each test demands that they did.

#[path = "../common/mod.rs"]
mod common;

mod check;
mod decode;
mod games;
mod mangle;
mod model;
mod pairs;
mod random;
mod scatter;
mod search;
mod spelling;
mod tally;
mod text;
mod walk;
mod wraps;

use common::BUILT_IN;
use games::{exists, play, readings, users_games};
use tally::Tally;

/// `FERZ_LAWS=20` plays twenty times as much; the default keeps the whole file under two minutes on two cores.
fn scaled(plies: usize) -> usize {
    let factor = std::env::var("FERZ_LAWS").ok().and_then(|factor| factor.parse::<usize>().ok());
    factor.unwrap_or(1) * plies
}

/// What happens in every game with the pieces and pawns of chess.
const CHESS: [(&str, usize); 7] = [
    ("capture", 60),
    ("castling", 3),
    ("check", 20),
    ("double step", 25),
    ("en passant right", 2),
    ("promotion", 1),
    ("real ply", 900),
];

/// Plays a game with four sets of armies or arrays, and demands what is common to chess, and more.
fn game(variant: &str, features: &[(&str, usize)]) {
    let tally = play(variant, "basic", 4, scaled(300));
    tally.demand(variant, features);
}

fn chess_like(variant: &str, more: &[(&str, usize)]) {
    game(variant, &[&CHESS, more].concat());
}

/// A game that is missing in the list of the tests would be played by no law.
#[test]
fn lists_of_games_agree() {
    let mut listed = BUILT_IN.map(str::to_owned).to_vec();
    listed.sort_unstable();
    let built_in = ferz::rules::Registry::built_in().list().into_iter().filter(|game| !game.mutator);
    let mut built_in: Vec<String> = built_in.map(|game| game.name).collect();
    built_in.dedup();
    assert_eq!(
        listed, built_in,
        "add the game to BUILT_IN in tests/common/mod.rs, and a test of it to tests/laws/main.rs"
    );
}

#[test]
fn chess() {
    chess_like("chess", &[("en passant", 1)]);
}

#[test]
fn chess960() {
    chess_like("chess960", &[("en passant", 1)]);
}

#[test]
fn iago_b() {
    chess_like(
        "iago-b",
        &[("gate", 8), ("gate with capture", 2), ("gate behind the king", 1), ("drop from reserve", 5)],
    );
}

#[test]
fn iago_c() {
    let features = [
        ("gate", 8),
        ("gate with capture", 2),
        ("gate behind the king", 1),
        ("drop from reserve", 5),
        ("deployment", 6),
    ];
    chess_like("iago-c", &features);
}

#[test]
fn iago_m() {
    let features = [
        ("gate", 8),
        ("gate with capture", 2),
        ("gate behind the king", 1),
        ("drop from reserve", 5),
        ("deployment", 6),
    ];
    chess_like("iago-m", &features);
}

#[test]
fn ichess() {
    let features = [
        ("deployment", 40),
        ("king deployed", 4),
        ("drop from hand", 40),
        ("drop of a pawn", 40),
        ("drop against check", 1),
        ("promotion", 20),
        ("promotion declined", 20),
        ("capture", 60),
        ("check", 20),
    ];
    game("ichess", &features);
}

#[test]
fn ingols() {
    let features = [
        ("right step", 50),
        ("promotion", 3),
        ("promotion declined", 3),
        ("kings square", 1),
        ("capture", 60),
        ("check", 20),
    ];
    game("ingols", &features);
}

#[test]
fn augmented() {
    chess_like("augmented", &[("promotion to the other army", 1)]);
}

/// The old games: pieces that step and leap, and pawns that become the weakest of them.
fn old(variant: &str) {
    let features = [("capture", 60), ("check", 10), ("promotion", 1), ("real ply", 900)];
    game(variant, &features);
}

#[test]
fn shatranj() {
    old("shatranj");
}

#[test]
fn chaturanga() {
    old("chaturanga");
}

#[test]
fn makruk() {
    let features =
        [("capture", 60), ("check", 10), ("promotion", 1), ("counted moves", 20), ("real ply", 900)];
    game("makruk", &features);
}

#[test]
fn antiking_1() {
    let features = [
        ("capture", 60),
        ("capture of an own piece", 10),
        ("first leap", 3),
        ("check", 10),
        ("anti-check", 10),
        ("promotion", 1),
        ("real ply", 900),
    ];
    game("antiking-1", &features);
}

#[test]
fn antiking_2() {
    chess_like("antiking-2", &[("capture of an own piece", 10), ("anti-check", 10)]);
}

#[test]
fn magicians_deathmatch() {
    let features = [("switch", 10), ("promotion of another piece", 5), ("transference", 1)];
    chess_like("magicians-deathmatch", &features);
}

#[test]
fn kingofthehill() {
    chess_like("kingofthehill", &[("goal", 1)]);
}

#[test]
fn threecheck() {
    chess_like("threecheck", &[("checks", 2)]);
}

#[test]
fn antichess() {
    let features =
        [("capture", 60), ("double step", 25), ("no pieces", 1), ("promotion", 1), ("real ply", 400)];
    game("antichess", &features);
}

#[test]
fn suicide() {
    let features = [("capture", 60), ("double step", 25), ("no pieces", 1), ("real ply", 400)];
    game("suicide", &features);
}

#[test]
fn atomic() {
    let features = [("capture", 60), ("check", 5), ("double step", 25), ("explosion", 2), ("real ply", 400)];
    game("atomic", &features);
}

#[test]
fn horde() {
    let features = [("capture", 60), ("check", 2), ("double step", 25), ("promotion", 1), ("real ply", 900)];
    game("horde", &features);
}

#[test]
fn racingkings() {
    game("racingkings", &[("capture", 40), ("goal", 1), ("real ply", 400)]);
}

#[test]
fn shogi() {
    let features = [
        ("capture", 60),
        ("check", 20),
        ("promotion", 20),
        ("promotion declined", 10),
        ("drop from hand", 40),
        ("drop of a pawn", 20),
        ("real ply", 900),
    ];
    game("shogi", &features);
}

#[test]
fn xiangqi() {
    game("xiangqi", &[("capture", 60), ("check", 10), ("real ply", 900)]);
}

#[test]
fn janggi() {
    let features = [("capture", 60), ("check", 10), ("double pass", 1), ("pass", 20), ("real ply", 900)];
    for name in ["janggi", "janggi-traditional"] {
        game(name, &[&features[..], &[("bikjang", 1)]].concat());
    }
    game("janggi-casual", &features);
}

#[test]
fn knightmate() {
    chess_like("knightmate", &[("en passant", 1)]);
}

#[test]
fn omega() {
    // On so large a board random games seldom come to promotions.
    let features = [("capture", 60), ("castling", 3), ("check", 20), ("double step", 25), ("real ply", 900)];
    game("omega", &features);
}

#[test]
fn capablanca() {
    chess_like("capablanca", &[]);
}

#[test]
fn seirawan() {
    let castlings =
        [("castling with a gate on the king's square", 1), ("castling with a gate on the rook's square", 1)];
    chess_like("seirawan", &[&castlings[..], &[("gate", 8), ("gate with capture", 1)]].concat());
}

#[test]
fn crazyhouse() {
    chess_like("crazyhouse", &[("drop from hand", 40), ("drop of a pawn", 40), ("drop against check", 3)]);
}

/// Definitions of users': other boards, hoppers, riders, and the other readings of fields.
#[test]
fn users_definitions() {
    let castlings = [
        ("castling with a gate on the king's square", 1),
        ("castling with a gate on the rook's square", 1),
        ("castling with two gates", 1),
    ];
    let demands = |name: &str| -> Vec<(&str, usize)> {
        match name {
            "law-gates" => castlings[..2].to_vec(),
            "law-iago-two" => vec![castlings[0], castlings[2], ("two drops", 3)],
            "law-seirawan-drops" => vec![("drop from reserve", 3), ("gate", 5)],
            "law-iago-one" => vec![("drop from reserve", 3)],
            "law-iago-hands" => {
                vec![("drop from hand", 40), ("drop from reserve", 5), ("gate", 5), ("promotion", 5)]
            }
            "law-broad16" | "law-ichess-entry" => {
                vec![("deployment", 20), ("promotion declined", 10), ("king deployed", 3)]
            }
            "law-ingols-pawn" => vec![("right step", 50), ("kings square", 1)],
            "law-tall16" | "law-wide10" => {
                vec![("promotion declined", 2), ("double step", 40), ("castling", 3)]
            }
            "law-wide12" => {
                vec![("drop from hand", 40), ("drop from reserve", 20), ("castling", 3), ("en passant", 1)]
            }
            "law-honour" => vec![("counted moves", 40)],
            _ => Vec::new(),
        }
    };
    let names = users_games();
    assert!(names.len() >= 15, "{names:?}");
    let mut seen = Tally::default();
    for name in &names {
        let tally = play(name, "basic", 4, scaled(200));
        tally
            .demand(name, &[&demands(name)[..], &[("capture", 40), ("check", 5), ("promotion", 1)]].concat());
        seen.add(&tally);
    }
    seen.demand("all definitions", &[(castlings[0].0, 3), (castlings[1].0, 3), (castlings[2].0, 1)]);
    seen.demand(
        "all definitions",
        &[("checkmate", 5), ("stalemate", 1), ("drop against check", 5), ("promotion from reserve", 1)],
    );
}

/// Games with pieces or plies for which Nature has no rules: Chaos does not go over them.
const BEYOND_CHAOS: [&str; 6] = ["antichess", "suicide", "atomic", "bughouse", "horde", "racingkings"];

/// Games with hundreds of Nature's plies in each position, over which Chaos has a test of its own.
const LARGE: [&str; 5] = ["xiangqi", "janggi", "janggi-traditional", "janggi-casual", "shogi"];

/// Chaos's Chess over every game that it goes over, but for the large ones.
fn chaos(mutator: &str, switches: &str, plies: usize, features: &[(&str, usize)]) {
    let each = [("nature introduces", 8), ("capture of nature", 2), ("real ply", 100)];
    let mut seen = Tally::default();
    let over = |game: &&&str| **game != "capablanca" && !BEYOND_CHAOS.contains(game);
    for game in BUILT_IN.iter().filter(over) {
        let name = format!("{mutator}+{game}");
        assert!(
            exists(&name),
            "{mutator} does not go over {game}; if it should not, add {game} to BEYOND_CHAOS"
        );
        if LARGE.contains(game) {
            continue;
        }
        let tally = play(&name, switches, 1, scaled(plies));
        tally.demand(&format!("{name} {switches}"), &each);
        seen.add(&tally);
    }
    let common = [
        ("nature captures", 3),
        ("nature moves", 5),
        ("natures check", 2),
        ("reentry", 5),
        ("reentry with capture", 1),
        ("drop of a pawn", 5),
        ("castling", 3),
        ("en passant right", 2),
        ("gate", 3),
        ("drop from reserve", 3),
        ("promotion", 4),
    ];
    seen.demand(&format!("{mutator} {switches}"), &[&common[..], features].concat());
}

const KING: (&str, usize) = ("nature castles", 1);
const PAWN: [(&str, usize); 4] = [
    ("nature promotes", 1),
    ("nature introduces a pawn", 20),
    ("double step beside nature's pawn", 1),
    ("nature en passant", 1),
];

/// Nature's pieces become others on their squares, as the players' do.
#[test]
fn chaos_over_switches() {
    let mut seen = Tally::default();
    // Turns come often, so that a pawn and a Magician of Nature's meet.
    for switches in ["basic", "advanced, period=1", "pawn, arrival=any, period=1"] {
        seen.add(&play("chaos+magicians-deathmatch", switches, 1, scaled(300)));
    }
    let features = [
        ("nature switches", 5),
        ("nature captures", 5),
        ("nature promotes another piece", 1),
        ("switch", 3),
        ("promotion of another piece", 1),
    ];
    seen.demand("chaos+magicians-deathmatch", &features);
}

/// Nature has a piece that must stay attacked, and is out of the game where it cannot.
#[test]
fn chaos_over_anti_kings() {
    for game in ["chaos+antiking-1", "chaos+antiking-2"] {
        let mut seen = Tally::default();
        for switches in
            ["basic", "advanced, period=1", "advanced, period=2, anti-check=move", "anti-kings-fed-by=all"]
        {
            seen.add(&play(game, switches, 2, scaled(300)));
        }
        let features = [
            ("nature places", 5),
            ("nature in anti-check", 10),
            ("nature captures her own", 3),
            ("nature captures", 5),
            ("nature eliminated", 3),
            ("capture of an own piece", 10),
            ("anti-check", 10),
        ];
        seen.demand(game, &features);
    }
}

/// Nature's pieces know no palace and no river, and her pawns are what the players' soldiers are not (CHA-23, CHA-24).
#[test]
fn chaos_over_palaces_rivers_and_hands() {
    let mut all = Tally::default();
    let switches = [
        "advanced, period=1",
        "pawn, period=2, delay=0, delay-scope=piece, natures-mate=either, reentry=piece",
    ];
    for game in LARGE {
        let mut seen = Tally::default();
        switches
            .iter()
            .for_each(|switches| seen.add(&play(&format!("chaos+{game}"), switches, 1, scaled(200))));
        let entry = if game == "shogi" { "drop from hand" } else { "reentry" };
        let features = [("nature introduces a pawn", 10), ("capture of nature", 5), (entry, 2)];
        seen.demand(&format!("chaos+{game}"), &features);
        all.add(&seen);
    }
    let features = [
        ("nature captures", 15),
        ("nature moves", 40),
        ("nature double step", 1),
        ("nature promotes", 1),
        ("natures check", 3),
        ("reentry", 15),
        ("reentry with capture", 2),
        ("drop of a pawn", 5),
        ("pass", 3),
        ("promotion", 5),
        ("check", 15),
    ];
    all.demand("chaos over large boards", &features);
}

#[test]
fn chaos_basic() {
    chaos("chaos", "basic", 300, &[("natures mate", 1)]);
}

#[test]
fn chaos_advanced() {
    chaos("chaos", "advanced", 300, &[&PAWN[..], &[KING, ("nature double step", 1)]].concat());
}

#[test]
fn chaos_king() {
    chaos("chaos", "king", 300, &[]);
}

#[test]
fn chaos_pawn() {
    chaos("chaos", "pawn", 300, &PAWN);
}

#[test]
fn chaos_king_castling() {
    chaos("chaos", "king,castling", 300, &[KING]);
}

#[test]
fn chaos_king_pawn() {
    chaos("chaos", "king,pawn", 300, &PAWN);
}

/// The other readings of Chaos's Chess, one by one and together.
#[test]
fn chaos_read_otherwise() {
    for reading in readings() {
        chaos(reading, "advanced", 240, &PAWN[..3]);
    }
}

#[test]
fn chaos_goes_over_boards_of_other_sizes() {
    assert!(exists("chaos+chess") && exists("chaos+capablanca"));
}

#[test]
fn chaos_over_users_definitions() {
    let mut seen = Tally::default();
    for name in users_games().iter().map(|name| format!("chaos+{name}")).filter(|name| exists(name)) {
        seen.add(&play(&name, "advanced", 1, scaled(200)));
    }
    seen.demand(
        "chaos over users' games",
        &[("nature introduces", 100), ("nature captures", 5), ("real ply", 1000)],
    );
}

/// Every stack of mutators over every game.
#[test]
fn stacked_mutators() {
    let mut seen = Tally::default();
    for stack in
        ["misere", "bareking", "misere+bareking", "misere+chaos", "bareking+chaos", "misere+bareking+chaos"]
    {
        for game in BUILT_IN {
            let name = format!("{stack}+{game}");
            if exists(&name) {
                // A ply of Chaos's Chess has thousands of others beside it on a large board.
                let plies = if stack.contains("chaos") && LARGE.contains(&game) { 30 } else { 150 };
                seen.add(&play(&name, "advanced", 1, scaled(plies)));
            } else {
                let beyond = game == "capablanca" || BEYOND_CHAOS.contains(&game);
                let kingless = ["antichess", "suicide", "horde"].contains(&game);
                assert!(stack.contains("chaos") && beyond || kingless, "{name} is refused");
            }
        }
    }
    seen.demand(
        "stacked mutators",
        &[("bare king", 10), ("bare kings", 1), ("checkmate", 5), ("nature introduces", 200)],
    );
}

/// B-, C- and M-Class over every game that they go over (IAV-6).
#[test]
fn iago_classes_over_other_games() {
    let mut seen = Tally::default();
    let mut over = Vec::new();
    for class in ["iago-b", "iago-c", "iago-m", "chaos+iago-b", "misere+bareking+iago-c"] {
        for game in BUILT_IN {
            let name = format!("{class}+{game}");
            if exists(&name) {
                seen.add(&play(&name, "basic", 1, scaled(150)));
                over.push(name);
            }
        }
    }
    for name in ["iago-b+makruk", "iago-m+capablanca", "iago-c+shatranj", "chaos+iago-b+makruk"] {
        assert!(over.iter().any(|known| known == name), "{name} is refused");
    }
    let features =
        [("gate", 60), ("drop from reserve", 30), ("deployment", 20), ("promotion", 5), ("checkmate", 2)];
    seen.demand("classes of IAGO over other games", &features);
}

/// FENs with bytes changed are refused, or they are positions; nothing panics.
#[test]
fn mangled_positions() {
    let mutated =
        BUILT_IN.iter().flat_map(|game| [format!("chaos+{game}"), format!("misere+bareking+{game}")]);
    let all = BUILT_IN.iter().map(|game| (*game).to_owned()).chain(mutated).chain(users_games());
    let accepted: usize =
        all.filter(|name| exists(name)).map(|name| mangle::mangle(&name, scaled(1500))).sum();
    assert!(accepted >= 1000, "{accepted} accepted only");
}

/// What the laws have found, in the smallest position that shows it: each is read back as it is written.
#[test]
fn positions_that_were_once_refused_or_changed() {
    let cases = [
        // Nature stands where the pawn came from that may be captured en passant (CHA-14).
        ("chaos+chess", "4k3/8/8/8/2Pp4/8/2*N5/4K3[] b - c3 0 9 ~0:c2"),
        // More in reserve than entries are left, once Nature has sent a piece back there (CHA-18).
        ("chaos+iago-b", "4k3/8/8/8/4*N3/8/8/4K3[Cmc][] b - - 0 9 ~0:e4 +0,2"),
        // A rook beyond the one that may castle.
        ("law-inner-rooks", "4k3/8/8/8/8/8/8/4K1RR[M] b G - 0 9"),
    ];
    for (variant, fen) in cases {
        let text = games::reread(variant, fen).unwrap_or_else(|error| panic!("{variant}: {fen}: {error}"));
        assert_eq!(text, fen, "{variant}");
    }
}

/// A definition that makes no sense is refused with a message; it brings nothing down.
#[test]
fn senseless_definitions_are_refused() {
    let game = |more: &str| format!("name = \"odd\"\nextends = \"chess\"\n{more}");
    for (more, path) in [
        (
            "[nature]\nenabled = true\ncastling-squares = [{ king = \"e1\", rook = \"a2\" }]",
            "nature.castling-squares",
        ),
        (
            "[nature]\nenabled = true\ncastling-squares = [{ king = \"e1\", rook = \"e2\" }]",
            "nature.castling-squares",
        ),
        (
            "[board]\nfiles = 12\n[setup]\nboard = \"k11/12/12/12/12/12/12/11K\"\n[gating]\nenabled = true",
            "gating",
        ),
        ("[setup]\nreserve = \"K\"\n[drops]\nreserve = \"all\"", "setup.reserve"),
        ("[setup]\nboard = \"8/8/8/8/8/8/8/4K2K\"", "setup.board"),
    ] {
        let error = games::definition_error(&game(more));
        assert!(error.contains(path), "{path}: {error}");
    }
    let many = game(&format!(
        "[setup]\nreserve = \"{}\"\n[drops]\nreserve = \"all\"\nentries = -1",
        "Q".repeat(300)
    ));
    assert_eq!(games::definition_error(&many), "");
}
