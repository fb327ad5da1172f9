#![allow(clippy::unwrap_used)]

use super::*;

fn built_in_game(name: &str) -> Classification {
    let (definition, _) = Registry::built_in().definition(name, &|_| None).unwrap();
    classify(&definition, name)
}

/// The classification of a user's definition.
fn own(text: &str) -> Classification {
    let mut registry = Registry::with_files([]).unwrap();
    let name = registry.add(text).unwrap();
    let (definition, _) = registry.definition(&name, &|_| None).unwrap();
    classify(&definition, &name)
}

fn own_file(name: &str) -> Classification {
    own(&std::fs::read_to_string(format!("../../fixtures/variants/valid/{name}.toml")).unwrap())
}

/// The letters of the missing kinds; empty if the definition complies.
fn lacking(found: &Classification) -> String {
    match &found.equipment {
        Equipment::Complies { .. } => String::new(),
        Equipment::Violates { lacks } => lacks.iter().map(|lack| lack.letter).collect(),
        Equipment::Unknown { why } => format!("? {why}"),
    }
}

#[test]
fn built_in_games() {
    for (name, class, id, lacks) in [
        ("chess", Class::A, "FIDE 2.3", "QRBN"),
        ("iago-a", Class::A, "FIDE 2.3", "QRBN"),
        ("iago-b", Class::B, "IAB 1", ""),
        ("iago-c", Class::C, "IAC 2", ""),
        ("iago-m", Class::M, "IAM 1", ""),
        ("chess960", Class::AV, "IAV 2", "QRBN"),
        ("ingols", Class::AV, "IAV 2", "KQRBN"),
        ("ichess", Class::V, "IAV 1", ""),
        ("augmented", Class::V, "IAV 1", "QRBN"),
        ("capablanca", Class::V, "IAV 1", "QCARBN"),
        ("seirawan", Class::V, "IAV 1", "QRBNHE"),
        ("crazyhouse", Class::V, "IAV 1", "QRBN"),
        ("shatranj", Class::AV, "IAV 2", "Q"),
        ("chaturanga", Class::AV, "IAV 2", "Q"),
        ("makruk", Class::V, "IAV 1", "M"),
        ("antiking-1", Class::V, "IAV 1", "QRBN"),
        ("antiking-2", Class::V, "IAV 1", "QRBN"),
        ("magicians-deathmatch", Class::V, "IAV 1", "QRBNMHT"),
        ("kingofthehill", Class::AV, "IAV 2", "QRBN"),
        ("threecheck", Class::AV, "IAV 2", "QRBN"),
        ("antichess", Class::AV, "IAV 2", "KQRBN"),
        ("suicide", Class::AV, "IAV 2", "KQRBN"),
        ("atomic", Class::AV, "IAV 2", "QRBN"),
        ("horde", Class::V, "IAV 1", "QRBN"),
        ("racingkings", Class::AV, "IAV 2", ""),
        ("shogi", Class::V, "IAV 1", ""),
        ("xiangqi", Class::V, "IAV 1", ""),
        ("janggi", Class::V, "IAV 1", ""),
        ("knightmate", Class::V, "IAV 1", "QRBM"),
        ("omega", Class::V, "IAV 1", "QRBNCW"),
        ("misere+chess", Class::AV, "IAV 2", "QRBN"),
        ("bareking+misere+chess960", Class::AV, "IAV 2", "QRBN"),
        ("bareking+iago-b", Class::V, "IAV 3", ""),
        ("misere+ichess", Class::V, "IAV 3", ""),
        ("chaos+chess", Class::V, "IAV 3", "QRBNQRBN"),
        ("chaos+iago-b", Class::V, "IAV 3", "QRBN"),
        ("chaos+shatranj", Class::V, "IAV 3", "QQRBN"),
        ("chaos+makruk", Class::V, "IAV 3", "MMSRN"),
        ("chaos+ichess", Class::V, "IAV 3", "QRBN"),
        ("chaos+shogi", Class::V, "IAV 3", "RBGSNL"),
        ("chaos+xiangqi", Class::V, "IAV 3", "RCNBA"),
        ("chaos+janggi", Class::V, "IAV 3", "RCNBA"),
    ] {
        let found = built_in_game(name);
        let (decides, sentence) = found.clause.split_once(": ").unwrap();
        assert_eq!((found.class, decides), (class, id), "{name}");
        assert!(sentence.len() > 20, "{name}: {sentence}");
        let sorted = |text: &str| -> Vec<char> {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        assert_eq!(sorted(&lacking(&found)), sorted(lacks), "{name}: {:?}", found.equipment);
    }
}

#[test]
fn games_of_users() {
    for (name, class, lacks) in [
        ("dragoons", Class::X, ""),
        ("three-queens", Class::X, ""),
        ("club-b", Class::B, ""),
        ("flipped-pawns", Class::X, ""),
        ("crazy-pool", Class::X, "QRBN"),
    ] {
        let found = own_file(name);
        assert_eq!((found.class, lacking(&found).as_str()), (class, lacks), "{name}: {found:?}");
    }
}

#[test]
fn the_fields_decide_and_not_the_name() {
    for (parent, class) in
        [("chess", Class::A), ("iago-b", Class::B), ("iago-c", Class::C), ("iago-m", Class::M)]
    {
        let found = own(&format!("name = \"mine\"\nextends = \"{parent}\"\nclass = \"V\"\n"));
        assert_eq!(found.class, class, "{parent}");
    }
    let same = own("name = \"mine\"\nextends = \"capablanca\"\n");
    assert_eq!(same.class, Class::X);
    assert!(same.clause.contains("plays as `capablanca` does"), "{}", same.clause);
    let changed =
        own("name = \"ingols\"\nextends = \"chess\"\nedition = \"2007\"\n[pawns]\nen-passant = false\n");
    assert_eq!(changed.class, Class::X);
    assert!(changed.clause.contains("changes the codified game"), "{}", changed.clause);
}

#[test]
fn what_the_inventor_calls_mutable_stays_in_its_class() {
    let found =
        own("name = \"m\"\nextends = \"iago-b\"\n[drops]\nreserve = \"none\"\n[gating]\nwith-castling = \
            \"either\"\n");
    assert_eq!(found.class, Class::B);
    assert!(found.clause.ends_with("calls mutable"), "{}", found.clause);
    // So do other pieces in reserve, and captured pieces that return to it.
    for more in [
        "[setup]\nreserve = \"M\"\n",
        "[setup]\nreserve = \"A\"\n[pieces]\nA = { name = \"amazon\", betza = \"QN\" }\n",
        "[captures]\nto = \"reserve\"\n",
    ] {
        let other = own(&format!("name = \"m\"\nextends = \"iago-b\"\n{more}"));
        assert_eq!((other.class, lacking(&other).as_str()), (Class::B, ""), "{more}: {other:?}");
        assert!(other.clause.ends_with("calls mutable"), "{}", other.clause);
    }
    // Promotion to anything breaks the one rule of B-Class.
    let free = own("name = \"m\"\nextends = \"iago-b\"\n[promotion]\nto = \"kinds\"\n");
    assert_eq!((free.class, lacking(&free).as_str()), (Class::X, "QRBN"));
    // A future edition.
    let next = own("name = \"m\"\nextends = \"iago-c\"\neditions-change = true\n[setup]\nreserve = \
            \"QMCZ\"\n[pieces]\nZ = { betza = \"NN\" }\n");
    assert_eq!((next.class, &next.clause[..5]), (Class::M, "IAM-2"));
}

#[test]
fn witnesses_are_the_smallest() {
    let Equipment::Violates { lacks } = built_in_game("chess").equipment else { panic!("chess complies?") };
    let words: Vec<&str> = lacks.iter().map(|lack| lack.witness.as_str()).collect();
    assert!(
        words.contains(
            &"a pawn of White becomes a second queen while the first is still on the board; a set has 1"
        ),
        "{words:?}"
    );
    assert!(
        words.contains(
            &"a pawn of White becomes a third knight while all 2 of the set are still on the board"
        ),
        "{words:?}"
    );
    let Equipment::Violates { lacks } = built_in_game("ingols").equipment else { panic!("INGOLS complies?") };
    let king = lacks.iter().find(|lack| lack.letter == 'K').unwrap();
    assert!(king.witness.contains("second king") && king.witness.contains("game ends"), "{king}");
}

#[test]
fn stand_ins_need_a_limit_unless_the_pawn_stands_in() {
    let free = own(
        "name = \"m\"\nextends = \"chess\"\n[promotion]\nkinds = [\"Q\"]\n[equipment]\nstand-ins = { R = \
            \"Q\" }\n",
    );
    assert_eq!(lacking(&free), "Q");
    let pawn = own(
        "name = \"m\"\nextends = \"chess\"\n[promotion]\nkinds = [\"Q\"]\n[equipment]\nstand-ins = { P = \
            \"Q\" }\n",
    );
    assert_eq!(lacking(&pawn), "");
    let Equipment::Complies { why } = own_file("three-queens").equipment else { panic!("it complies") };
    assert!(why.contains("queen: at most 3, 2 of them turned over"), "{why}");
}

#[test]
fn undecided_equipment_is_reported() {
    let only_captures =
        own("name = \"m\"\nextends = \"chess\"\n[pieces]\nP = { betza = \"cfF\" }\n[pawns]\ndouble-step = \
            \"none\"\n");
    assert!(matches!(only_captures.equipment, Equipment::Unknown { .. }), "{:?}", only_captures.equipment);
    let stuck =
        own("name = \"m\"\nextends = \"chess\"\n[pieces]\nP = { betza = \"sW\" }\n[pawns]\ndouble-step = \
            \"none\"\n");
    assert_eq!(lacking(&stuck), "");
    let broken = own("name = \"m\"\nextends = \"chess\"\n[promotion]\nzone = \"rank 9\"\n");
    assert!(matches!(broken.equipment, Equipment::Unknown { .. }));
}

/// The deciding clause and the equipment rule answer different questions and never contradict each other.
#[test]
fn the_clause_and_the_equipment_do_not_contradict() {
    let registry = Registry::built_in();
    let games = registry.list().into_iter().filter(|game| !game.mutator).map(|game| game.name);
    let fronts = ["", "misere+", "bareking+", "chaos+", "misere+bareking+"];
    let mut seen = 0;
    for name in games.flat_map(|game| fronts.map(|front| format!("{front}{game}"))) {
        let Ok((definition, _)) = registry.definition(&name, &|_| None) else { continue };
        let Classification { class, clause, equipment } = classify(&definition, &name);
        seen += 1;
        assert!(!clause.contains("suffices"), "{name}: only the equipment rule says what suffices: {clause}");
        assert_eq!(clause.contains("no AV (IAV 2): "), class == Class::V, "{name}: {clause}");
        if let Equipment::Complies { why } = equipment
            && let Some((_, turned)) = why.split_once("a pawn that becomes ")
        {
            let kind = turned.split(' ').next().unwrap();
            assert!(
                !clause.contains(kind),
                "{name}: is {kind} lacking, or a pawn turned over? {clause}; {why}"
            );
        }
    }
    assert!(seen > 50);
    let (definition, _) = registry.definition("ichess", &|_| None).unwrap();
    let clause = classify(&definition, "ichess").clause;
    assert!(
        clause.ends_with("it needs pieces that change sides, which those of a chess set cannot"),
        "{clause}"
    );
}
