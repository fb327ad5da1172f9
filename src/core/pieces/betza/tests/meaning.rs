use super::*;

fn moves(text: &str) -> String {
    reach(text, "", false)
}

fn sorted(squares: &str) -> String {
    let mut names: Vec<&str> = squares.split_whitespace().collect();
    names.sort();
    names.join(" ")
}

const ROOK: &str = "a4 b4 c4 d4 f4 g4 h4 e1 e2 e3 e5 e6 e7 e8";
const BISHOP: &str = "d5 c6 b7 a8 f5 g6 h7 d3 c2 b1 f3 g2 h1";
const KNIGHT: &str = "c3 c5 d2 d6 f2 f6 g3 g5";
const CRAB: &str = "d6 f6 c3 g3";
const NARROW: &str = "d6 f6 d2 f2";
const WIDE: &str = "c3 c5 g3 g5";
const FERZ: &str = "d3 d5 f3 f5";
const WAZIR: &str = "d4 e3 e5 f4";
const ALFIL: &str = "c2 c6 g2 g6";
const DABBABA: &str = "c4 e2 e6 g4";

fn check(text: &str, squares: &[&str]) {
    assert_eq!(moves(text), sorted(&squares.join(" ")), "{text}");
}

#[test]
fn atoms_and_ranges_from_e4() {
    check("W", &[WAZIR]);
    check("F", &[FERZ]);
    check("D", &[DABBABA]);
    check("N", &[KNIGHT]);
    check("A", &[ALFIL]);
    check("H", &["b4 e1 e7 h4"]);
    check("L", &["b3 b5 d1 d7 f1 f7 h3 h5"]);
    check("J", &["b2 b6 c1 c7 g1 g7 h2 h6"]);
    check("G", &["b1 b7 h1 h7"]);
    check("K", &[WAZIR, FERZ]);
    check("R", &[ROOK]);
    check("B", &[BISHOP]);
    check("Q", &[ROOK, BISHOP]);
    check("(2,3)", &["b2 b6 c1 c7 g1 g7 h2 h6"]);
    check("f(1,4)", &["d8 f8"]);
    check("NN", &[KNIGHT, "c8 g8 a2 a6"]);
    check("N2", &[KNIGHT, "c8 g8 a2 a6"]);
    check("W3", &["b4 c4 d4 f4 g4 h4 e1 e2 e3 e5 e6 e7"]);
    check("B2", &[FERZ, ALFIL]);
    check("DD", &[DABBABA, "a4 e8"]);
    check("AA", &[ALFIL, "a8"]);
    check("K2", &[WAZIR, FERZ, DABBABA, ALFIL]);
}

#[test]
fn the_pieces_of_augmented_chess_from_e4() {
    check("ffNsbN", &[CRAB]);
    check("ffNbsN", &[CRAB]);
    check("fbsN", &[CRAB]);
    check("fbN", &[NARROW]);
    check("bfN", &[NARROW]);
    check("fbNF", &[NARROW, FERZ]);
    check("fbNFD", &[NARROW, FERZ, DABBABA]);
    check("fbNFW", &[NARROW, FERZ, WAZIR]);
    check("fbNFA", &[NARROW, FERZ, ALFIL]);
    check("RfbNFA", &[ROOK, NARROW, FERZ, ALFIL]);
    check("QffNsbN", &[ROOK, BISHOP, CRAB]);
    check("QfbN", &[ROOK, BISHOP, NARROW]);
    check("RffNsbN", &[ROOK, CRAB]);
    check("RfbN", &[ROOK, NARROW]);
    check("RNF", &[ROOK, KNIGHT, FERZ]);
    check("RNA", &[ROOK, KNIGHT, ALFIL]);
    check("BffNsbN", &[BISHOP, CRAB]);
    check("BW", &[BISHOP, WAZIR]);
}

#[test]
fn directions_of_straight_atoms_from_e4() {
    check("fW", &["e5"]);
    check("fsW", &["d4 e5 f4"]);
    check("frW", &["e5 f4"]);
    check("vW", &["e3 e5"]);
    check("fR", &["e5 e6 e7 e8"]);
    check("fF", &["d5 f5"]);
    check("lF", &["d3 d5"]);
    check("frF", &["f5"]);
    check("rfF", &["f5"]);
    check("flbrF", &["d5 f3"]);
    check("fsF", &["d5 f5"]);
    check("vF", &[FERZ]);
    check("sF", &[FERZ]);
    check("fbF", &[FERZ]);
    check("fK", &["e5 d5 f5"]);
    check("WfF", &[WAZIR, "d5 f5"]);
}

#[test]
fn directions_of_oblique_atoms_from_e4() {
    let cases = [
        ("f", "d6 f6"),
        ("ff", "d6 f6"),
        ("fs", "c5 g5"),
        ("sf", "c5 g5"),
        ("bb", "d2 f2"),
        ("b", "d2 f2"),
        ("bs", "c3 g3"),
        ("sb", "c3 g3"),
        ("l", "c3 c5"),
        ("ll", "c3 c5"),
        ("rr", "g3 g5"),
        ("v", NARROW),
        ("s", WIDE),
        ("lr", WIDE),
        ("vs", KNIGHT),
        ("lv", "d2 d6"),
        ("rv", "f2 f6"),
        ("fh", "c5 d6 f6 g5"),
        ("bh", "c3 d2 f2 g3"),
        ("lh", "c3 c5 d2 d6"),
        ("rh", "g3 g5 f2 f6"),
        ("fr", "g5"),
        ("rf", "f6"),
        ("fl", "c5"),
        ("lf", "d6"),
        ("br", "g3"),
        ("rb", "f2"),
        ("bl", "c3"),
        ("lb", "d2"),
        ("flfr", "c5 g5"),
        ("fsb", "c5 g5 d2 f2"),
    ];
    for (modifiers, squares) in cases {
        check(&format!("{modifiers}N"), &[squares]);
    }
}

#[test]
fn modes_and_paths_from_e4() {
    assert_eq!(moves("mfWcfF"), "e5");
    assert_eq!(reach("mfWcfF", "e5 d5", true), "d5");
    assert_eq!(moves("mfWmrWcfF"), "e5 f4");
    assert_eq!(reach("mWcF", "e5 f5", true), "f5");
    assert_eq!(reach("mQcN", "e5 f5 f6", true), "f6");
    assert_eq!(moves("imfW2"), "e5 e6");
    assert_eq!(moves("ifmnD"), "e6");
    assert_eq!(reach("ifmnD", "e5", false), "");
    assert_eq!(reach("nN", "e5 f4", false), "c3 c5 d2 f2");
    assert_eq!(reach("nA", "f5", false), "c2 c6 g2");
    assert_eq!(reach("nJ", "e5 c3", false), "b6 c1 g1 h2 h6");
    assert_eq!(moves("jD"), "");
    assert_eq!(reach("jD", "e5 d4", false), "c4 e6");
    assert_eq!(reach("fjH", "e5 e6", false), "");
    assert_eq!(reach("frjB", "f5", false), "g6 h7");
    assert_eq!(reach("frjB", "f5 g6", true), "g6");
    assert_eq!(moves("frjB3"), "g6 h7");
    assert_eq!(reach("fpR", "e5", false), "e6 e7 e8");
    assert_eq!(reach("fmRfcpR", "e6 e8", false), "e5");
    assert_eq!(reach("fmRfcpR", "e6 e8", true), "e8");
    assert_eq!(reach("mRcpR", "e6 e7 e8", true), "e7");
    assert_eq!(reach("gQ", "e6 c6 g4", false), "b7 e7 h4");
    assert_eq!(reach("gQ", "e6 e7", true), "e7");
    assert_eq!(reach("fpR3", "e6 e7", true), "e7");
}

#[test]
fn equal_moves_are_equal_however_they_are_spelt() {
    let classes = [
        "Q RB BR WWFF QF QW W0F0 R0B0 KK K0 QmQ mQcQ mRcRB QnD RBnA",
        "K WF FW W1F1 R1B1 mKcK vWsWF mcK nK flfrblbrFW",
        "R WW W0 RW nR RimfR mRcR RW3",
        "RFD DFR WWFD FDmWWcW0",
        "ffNsbN ffNbsN fNsbN sbNfN bsNffN",
        "fbNF FbfN FvN FfNbN FffbbN",
        "mfWcfF cfFmfW fmWfcF mfWfcF",
        "N (1,2) (2,1) NnN fhNbhN lhNrhN NmN NffsN",
        "pR pRgR mpRcpR",
        "C L (3,1)",
        "Z J (2,3)",
        "B2 F2 mF2cB2F",
    ];
    let mut firsts: Vec<Betza> = Vec::new();
    for class in &classes {
        let spellings: Vec<Betza> = class.split(' ').map(|s| parse(s).expect(s)).collect();
        for other in &spellings {
            assert_eq!(spellings[0], *other, "{other}");
            assert_eq!(spellings[0].canonical(), other.canonical());
        }
        assert!(firsts.iter().all(|f| *f != spellings[0]), "{class}");
        firsts.push(spellings[0].clone());
    }
}

#[test]
fn weaker_modes_and_shorter_ranges_stay_apart() {
    assert_ne!(parse("mR"), parse("R"));
    assert_ne!(parse("iR"), parse("R"));
    assert_ne!(parse("RD"), parse("R"));
    assert_ne!(parse("mQcK"), parse("Q"));
    assert_eq!(parse("RmW"), parse("R"));
    assert_eq!(parse("mRW").map(|b| b.canonical()), Ok("mRcW".to_owned()));
}

#[test]
fn canonical_spellings() {
    let cases = [
        ("BR", "Q"),
        ("FW", "K"),
        ("fbNF", "FfbN"),
        ("ffNsbN", "ffbsN"),
        ("QffNsbN", "QffbsN"),
        ("RfbNFA", "RFfbNA"),
        ("mRcpR", "mRcpR"),
        ("imfW2", "imfW2"),
        ("nN", "nN"),
        ("(4,1)0", "(1,4)0"),
        ("frlRbK", "flrRbWbF"),
        ("Cfr(1,3)", "L"),
    ];
    for (text, canonical) in cases {
        let movement = parse(text);
        assert_eq!(movement.map(|b| b.canonical()), Ok(canonical.to_owned()), "{text}");
    }
}

#[test]
fn the_first_examples_as_movers() {
    let movers = parse("imfW2").expect("a pawn's double step").movers().to_vec();
    let double = Mover {
        dx: 0,
        dy: 1,
        range: 2,
        min: 1,
        path: Path::Ride,
        moves: true,
        captures: false,
        initial: true,
    };
    assert_eq!(movers, [double]);
    assert_eq!(parse("Q").expect("a queen").movers().len(), 8);
    assert!(
        parse("Q").expect("a queen").movers().iter().all(|m| m.range == UNLIMITED && m.moves && m.captures)
    );
    assert_eq!(parse("jB").expect("a ski bishop").movers()[0].min, 2);
}
