#![allow(clippy::unwrap_used)]

use super::*;
use crate::rules::{RULEBOOK, Registry};

fn built_in(name: &str) -> String {
    let (definition, _) = Registry::built_in().definition(name, &|_| None).unwrap();
    prose(&definition, "0123456789abcdef0123456789abcdef")
}

#[test]
fn ichess() {
    insta::assert_snapshot!(built_in("ichess"));
}

#[test]
fn chaos_over_b_class() {
    insta::assert_snapshot!(built_in("chaos+iago-b"));
}

/// What binds the players and not Nature, what is hers as well, and what a soldier is to her (CHA-23).
#[test]
fn chaos_over_palaces() {
    let text = built_in("chaos+janggi").split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Nature's there and on the mirrored squares, too; Nature's: one square along a file or rank, Betza `W`",
        "Nature's: moves one square along a file or rank, or captures one square diagonally, Betza `mWcF`",
        "may not attack real pieces other than pawns and `P` at first",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!built_in("janggi").contains("Nature"));
}

/// Lines fit, sentences are not empty, every id is in the rulebook.
#[test]
fn every_game_has_prose() {
    let rules: std::collections::BTreeSet<&str> = RULEBOOK.into_iter().flat_map(|page| page.ids()).collect();
    let games = Registry::built_in().list().into_iter().filter(|game| !game.mutator).map(|game| game.name);
    let mixed = ["chaos+iago-b", "chaos+ichess", "chaos+shogi", "misere+bareking+chess"].map(str::to_owned);
    for name in games.chain(mixed) {
        let text = built_in(&name);
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{name}: {line}");
        }
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for group in joined.split('(').skip(1).filter_map(|rest| rest.split(')').next()) {
            let ids = group.split(';').next().unwrap_or_default();
            let is_id = |id: &&str| {
                id.len() > 4
                    && id[..2].chars().all(|c| c.is_ascii_uppercase())
                    && id.ends_with(|c: char| c.is_ascii_digit())
            };
            for id in ids.split(", ").filter(is_id).filter(|id| !id.contains(" to ")) {
                assert!(rules.contains(id), "{name}: {id}");
            }
        }
        for heading in ["## Board and array", "## Pieces", "## Promotion", "## Endings", "## Notation"] {
            assert!(text.contains(heading), "{name}: {heading}");
        }
    }
}

#[test]
fn changes_of_a_definition_are_in_the_prose() {
    let mut registry = Registry::with_files([]).unwrap();
    let text = "name = \"m\"\nextends = \"ichess\"\n[promotion]\non = \"entry\"\n[pieces]\nD = { name = \
        \"dragoon\", betza = \"FN\" }\n";
    registry.add(text).unwrap();
    let (definition, _) = registry.definition("m", &|_| None).unwrap();
    let text = prose(&definition, "").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("reading `promotion.on = entry`"), "{text}");
    assert!(text.contains("`D` dragoon: a knight's leap, or one square diagonally; Betza `FN`"), "{text}");
}

/// Every movement has words, of whatever parts it is made.
#[test]
fn movements_are_said_in_words() {
    for (betza, words) in [
        ("mfWcfF", "moves one square straight forward, or captures one square diagonally forward"),
        (
            "mRcpR",
            "moves any distance along a file or rank; or captures any distance along a file or rank, beyond exactly \
             one piece, which it jumps",
        ),
        ("nN", "a knight's leap, which a piece on the way blocks: it goes straight first, then diagonally"),
        ("NN", "any number of knight's leaps in one line"),
        ("Z", "a zebra's leap (three squares and two aside)"),
        ("R3", "up to three squares along a file or rank"),
        ("fRbW", "any distance straight forward, or one square straight back"),
        ("H", "a leap of three squares along a file or rank"),
        ("(4,1)", "a leap of four squares and one aside"),
        (
            "gQ2",
            "up to two squares diagonally, onto the square directly beyond the first piece, which it jumps; or up to \
             two squares along a file or rank, onto the square directly beyond the first piece, which it jumps",
        ),
        ("lfN", "a knight's leap, only two forward and one left"),
        ("frFblF", "one square diagonally forward to the right or back to the left"),
        ("imfW2", "moves up to two squares straight forward, as long as it stands where it began"),
        ("jR", "any distance along a file or rank, passing over the first square, whatever stands there"),
    ] {
        assert_eq!(movement::words(betza), words, "{betza}");
    }
}

/// Each square of a diagram shows what the movement does there; pieces that move alike share a diagram.
#[test]
fn movements_are_drawn() {
    let mut registry = Registry::built_in().clone();
    let pieces = [
        ("C", "crane", "mRcpR"),
        ("Z", "zebra", "Z"),
        ("M", "mermaid", "NN"),
        ("L", "lancer", "fRbW"),
        ("H", "horse", "nN"),
        ("U", "unicorn", "NN"),
        ("X", "giraffe", "(4,1)"),
    ];
    let lines = pieces
        .map(|(letter, name, betza)| format!("{letter} = {{ name = \"{name}\", betza = \"{betza}\" }}\n"));
    let text = format!("name = \"menagerie\"\nextends = \"chess\"\n[pieces]\n{}", lines.concat());
    registry.add(&text).unwrap();
    let (definition, _) = registry.definition("menagerie", &|_| None).unwrap();
    insta::assert_snapshot!(drawn::diagrams(&definition));
}

/// Pieces that become their own kind, beside pawns that are promoted as usual.
#[test]
fn two_ways_to_be_promoted() {
    let mut registry = Registry::built_in().clone();
    let text = "name = \"moat\"\nextends = \"chess\"\n\n[pieces.L]\nname = \"lancer\"\nbetza = \"fRbW\"\n\
                promotes-to = \"Q\"\n\n[promotion]\nkinds = [\"Q\", \"R\"]\n";
    crate::rules::check::check(&mut registry, text).unwrap();
    let (definition, _) = registry.definition("moat", &|_| None).unwrap();
    let prose = prose(&definition, "0123456789abcdef0123456789abcdef");
    let prose = prose.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["may promote the piece: `L` to `Q`", "must be promoted, to one of Q, R"] {
        assert!(prose.contains(part), "{part}: {prose}");
    }
}

/// A game that cites no source has no articles of other games: no deployment of iChess, no gating of S-Chess.
#[test]
fn own_games_cite_no_others() {
    let mut registry = Registry::built_in().clone();
    let text = "
        name = \"harbour\"
        [setup]
        board = \"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3\"
        hand = \"N\"
        reserve = \"N\"
        [pieces]
        K = { name = \"king\", betza = \"K\", royal = true }
        N = { name = \"knight\", betza = \"N\" }
        P = { name = \"pawn\", betza = \"mfWcfF\", pawn = true }
        [drops]
        hand = \"rank 1-4\"
        [captures]
        to = \"hand\"
        [gating]
        enabled = true
    ";
    registry.add(text).unwrap();
    let (definition, _) = registry.definition("harbour", &|_| None).unwrap();
    let text = prose(&definition, "0123456789abcdef0123456789abcdef");
    for source in ["IAB", "ICH", "SCH", "CHA"] {
        assert!(!text.contains(source), "{source}: {text}");
    }
}
