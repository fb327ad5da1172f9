//! Which rules the proofs know.
//!
//! A proof that a player cannot win, a plan against every defence and an endgame table are right only if they know
//! every rule of the game. They know the fields of definitions that are listed here. A game that uses any other field,
//! or another value, gets no proof: a new rule is added to a list once it is shown which proofs hold with it. Evidence
//! that replays a record knows the most.

use super::definition::{Definition, PieceSection};
use toml::{Table, Value};

/// What a proof has to know of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proving {
    /// What the plies and calls of a record show, which are made: evidence that needs no proof.
    ByRecord,
    /// Also what only the player who does it can gain by (declarations, counts of moves), and ends that points decide.
    /// Plans that force an end within a number of moves, and those against a mate, leave no turn on which it matters.
    ByAttack,
    /// Also what players may do besides plies, and the ends that depend on earlier positions. Lines, closed sets and
    /// plans that hold a draw make plies, and see the ends that a position shows.
    ByPlies,
    /// Also how pieces move, return and win. Structures, endgame tables and judgements by material make no plies.
    ByPieces,
}

/// A field by its path, with `*` for any name, and the values that are known; without any, all are.
type Field = (&'static str, &'static [&'static str]);

/// What every proof knows.
const BY_PIECES: &[Field] = &[
    ("board.files", &[]),
    ("board.ranks", &[]),
    ("board.square-names", &[]),
    ("board.first-rank", &[]),
    ("setup.board", &[]),
    ("setup.reserve", &[]),
    ("setup.hand", &[]),
    ("setup.from-record", &[]),
    ("pieces.*.name", &[]),
    ("pieces.*.betza", &[]),
    ("pieces.*.nature", &[]),
    ("pieces.*.royal", &[]),
    ("pieces.*.pawn", &[]),
    ("pieces.*.captured-as", &[]),
    ("pieces.*.also", &[]),
    ("pieces.*.spelled.*", &[]),
    ("pieces.*.home-made", &[]),
    ("pawns.double-step", &[]),
    ("pawns.en-passant", &[]),
    ("promotion.zone", &[]),
    ("promotion.forced", &[]),
    ("promotion.to", &["kinds", "pool", "array-square", "armies"]),
    ("promotion.kinds", &[]),
    ("promotion.on", &["any", "entry"]),
    ("castling.enabled", &[]),
    ("castling.rank", &[]),
    ("castling.rook", &[]),
    ("castling.king-side.king", &[]),
    ("castling.king-side.rook", &[]),
    ("castling.queen-side.king", &[]),
    ("castling.queen-side.rook", &[]),
    ("castling.notation", &[]),
    ("gating.enabled", &[]),
    ("gating.with-castling", &["never", "either"]),
    ("gating.per-turn", &[]),
    ("gating.may-block", &[]),
    ("drops.reserve", &[]),
    ("drops.hand", &[]),
    ("drops.pawns", &[]),
    ("drops.pawns-share-files", &[]),
    ("drops.entries", &[]),
    ("deployment.kind", &["none", "opening", "hand"]),
    ("deployment.square", &[]),
    ("captures.to", &["none", "hand", "reserve"]),
    ("captures.promoted-revert", &[]),
    ("ends.stalemate", &["draw", "loss"]),
    ("ends.repetition", &["fide", "fourfold-perpetual", "none"]),
    ("ends.move-counters", &[]),
    ("ends.dead-position", &["material", "none"]),
    ("ends.bare-king", &["true", "false", "at-once"]),
    ("ends.misere", &[]),
    ("ends.kings-square", &["none", "must-become-king", "pawn-suffices"]),
    ("nature.enabled", &[]),
    ("nature.period", &[]),
    ("nature.delay", &[]),
    ("nature.delay-scope", &["clock", "piece"]),
    ("nature.delay-frees-castling", &["nature", "all"]),
    ("nature.natures-mate", &["on-move", "either"]),
    ("nature.reentry", &["kind", "piece"]),
    ("nature.kinds", &[]),
    ("nature.king", &[]),
    ("nature.castling", &[]),
    ("nature.pawn", &[]),
    ("nature.king-letter", &[]),
    ("nature.pawn-letter", &[]),
    ("nature.rook-letter", &[]),
    ("nature.castling-squares", &[]),
    ("nature.en-passant-lines", &[]),
    ("nature.en-passant", &["beside", "behind"]),
    ("nature.arrival", &["entry", "any"]),
    ("nature.anti-check", &["any", "move"]),
    ("nature.anti-kings-fed-by", &["opponent", "all"]),
    ("nature.time-limit", &[]),
    ("nature.late", &["void", "noted"]),
];

/// What proofs by plies know besides: rules that change which plies are legal or which ends a position shows.
const BY_PLIES: &[Field] = &[
    ("board.corners", &[]),
    ("deployment.kind", &["any-order"]),
    ("deployment.both-colours", &[]),
    ("castling.placed.king", &[]),
    ("castling.placed.rooks", &[]),
    ("pawns.first-step", &[]),
    ("pieces.*.anti-royal", &[]),
    ("pieces.*.captures", &["others", "own", "all"]),
    ("pieces.*.first-leap", &[]),
    ("pieces.*.terms", &[]),
    ("pieces.*.hurdle-not", &[]),
    ("pieces.*.promotes-to", &[]),
    ("pieces.*.drop", &[]),
    ("promotion.from-zone", &[]),
    ("drops.pawn-mate", &[]),
    ("switch.from", &[]),
    ("switch.to", &[]),
    ("promotion.other.zone", &[]),
    ("promotion.other.of", &[]),
    ("promotion.other.to", &[]),
    ("setup.kings", &[]),
    ("pawns.en-passant-from", &[]),
    ("check", &["forbidden"]),
    ("captures.compulsory", &[]),
    ("captures.explode", &[]),
    ("captures.explode-spares", &[]),
    ("ends.stalemate", &["win"]),
    ("ends.dead-position", &["kings"]),
    ("ends.annihilation", &["wins", "loses"]),
    ("ends.checks", &[]),
    ("ends.goal.*", &[]),
    ("ends.goal-mirrored", &[]),
    ("ends.goal-name", &[]),
    ("ends.last-ply", &[]),
    ("setup.white-also", &[]),
    ("pieces.*.attacks-king", &[]),
    ("pieces.*.may-chase", &[]),
    ("pieces.*.chased-on", &[]),
    ("ends.repetition", &["threefold-perpetual"]),
    ("ends.perpetual", &["automatic", "claim"]),
    ("ends.quiet-moves", &[]),
];

/// What plans that force an end know besides, and those against a mate.
const BY_ATTACK: &[Field] = &[
    ("ends.count", &["makruk"]),
    ("ends.board-honour", &["auto"]),
    ("ends.declaration", &["27", "24"]),
    ("ends.stalemate", &["fewer-pieces"]),
    ("ends.bikjang", &[]),
    ("ends.unmated", &["points"]),
    ("ends.points.*", &[]),
    ("ends.black-half-points", &[]),
    ("ends.quiet-limit", &[]),
    ("ends.repetition", &["threefold"]),
    ("ends.repetition-loses", &["white", "black"]),
    ("pass.allowed", &[]),
    ("setup.waiting-check", &[]),
];

/// Fields and sections that change no play: names, prose, the choice of armies before the game.
const NO_PLAY: [&str; 16] = [
    "name",
    "title",
    "edition",
    "editions-change",
    "aliases",
    "extends",
    "source",
    "class",
    "native-style",
    "styles",
    "needs-tags",
    "stock-order",
    "armies",
    "clock",
    "equipment",
    "cites",
];

/// The first field of a definition that is not known, by kind of proof.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Unknown {
    by_attack: Option<String>,
    by_plies: Option<String>,
    by_pieces: Option<String>,
}

impl Unknown {
    /// Compares a definition with its defaults.
    pub(super) fn of(definition: &Definition) -> Unknown {
        let tables = (Table::try_from(definition), Table::try_from(Definition::default()), piece_defaults());
        match tables {
            (Ok(own), Ok(usual), Some(piece)) => Unknown::in_table(&own, &usual, &piece),
            _ => {
                let all = Some("definition".to_owned());
                Unknown { by_attack: all.clone(), by_plies: all.clone(), by_pieces: all }
            }
        }
    }

    fn in_table(own: &Table, usual: &Table, piece: &Table) -> Unknown {
        let mut fields = Vec::new();
        for (section, value) in own.iter().filter(|(section, _)| !NO_PLAY.contains(&section.as_str())) {
            match value {
                Value::Table(pieces) if section == "pieces" => {
                    for inner in pieces.values().filter_map(Value::as_table) {
                        differing("pieces.*", inner, Some(piece), &mut fields);
                    }
                }
                Value::Table(inner) => {
                    let usual = usual.get(section).and_then(Value::as_table);
                    differing(section, inner, usual, &mut fields);
                }
                value if usual.get(section) == Some(value) => {}
                value => fields.push((section.clone(), word(value))),
            }
        }
        let first = |lists: &[&[Field]]| {
            let knows = |(path, value): &(String, String), (known, values): &Field| {
                is_at(path, known) && (values.is_empty() || values.contains(&value.as_str()))
            };
            let unknown =
                |field: &&(String, String)| !lists.iter().copied().flatten().any(|known| knows(field, known));
            fields.iter().find(unknown).map(|(path, _)| path.clone())
        };
        Unknown {
            by_attack: first(&[BY_PIECES, BY_PLIES, BY_ATTACK]),
            by_plies: first(&[BY_PIECES, BY_PLIES]),
            by_pieces: first(&[BY_PIECES]),
        }
    }

    /// The field.
    pub(super) fn to(&self, proving: Proving) -> Option<&str> {
        match proving {
            Proving::ByRecord | Proving::ByAttack => self.by_attack.as_deref(),
            Proving::ByPlies => self.by_plies.as_deref(),
            Proving::ByPieces => self.by_pieces.as_deref(),
        }
    }
}

/// True if a path is one that `*` may stand in.
fn is_at(path: &str, known: &str) -> bool {
    let (mut names, mut pattern) = (path.split('.'), known.split('.'));
    pattern.by_ref().all(|part| names.next().is_some_and(|name| part == "*" || part == name))
        && names.next().is_none()
}

fn piece_defaults() -> Option<Table> {
    Table::try_from(PieceSection::default()).ok()
}

/// Adds the fields of a section, without articles, that differ from their defaults.
fn differing(at: &str, own: &Table, usual: Option<&Table>, found: &mut Vec<(String, String)>) {
    for (name, value) in own.iter().filter(|(name, _)| *name != "rule") {
        let path = format!("{at}.{name}");
        let usual = usual.and_then(|usual| usual.get(name));
        match value {
            Value::Table(inner) => differing(&path, inner, usual.and_then(Value::as_table), found),
            value if usual == Some(value) => {}
            value => found.push((path, word(value))),
        }
    }
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Registry;

    /// The games whose rules the lists were made from, with all mutators.
    #[test]
    fn the_proofs_know_the_games_that_they_were_made_for() {
        for game in [
            "chess",
            "chess960",
            "iago-b",
            "iago-c",
            "iago-m",
            "ichess",
            "ingols",
            "capablanca",
            "seirawan",
            "crazyhouse",
            "shatranj",
            "misere+bareking+chess",
            "chaos+ichess",
            "chaos+ingols",
        ] {
            let tags = |tag: &str| {
                let chosen = tag == "NatureRules" && game.starts_with("chaos");
                chosen.then(|| "advanced, period=7, delay-scope=piece".to_owned())
            };
            let (definition, _) = Registry::built_in().definition(game, &tags).expect("a game");
            assert_eq!(Unknown::of(&definition), Unknown::default(), "{game}");
        }
    }

    /// A field or a value that is not listed is unknown, wherever it stands; one at its default is not used.
    #[test]
    fn what_is_not_listed_is_unknown() {
        let usual = Table::try_from(Definition::default()).expect("a table");
        let piece = piece_defaults().expect("a table");
        let with = |text: &str| -> Table { toml::from_str(text).expect("TOML") };
        for (text, field) in [
            ("[ends]\ngoals = \"d4-e5\"", Some("ends.goals")),
            ("[ends]\nstalemate = \"points\"", Some("ends.stalemate")),
            ("[ends]\nrepetition = \"twofold\"", Some("ends.repetition")),
            ("[ends]\nbare-king = \"points\"", Some("ends.bare-king")),
            ("[ends]\nbare-king = true", None),
            ("[pieces.A]\nhurdle-of = \"C\"", Some("pieces.*.hurdle-of")),
            ("[pieces.A]\nbetza = \"K\"", None),
            ("[declaration]\nzone = \"rank 7-9\"", Some("declaration.zone")),
            ("pass = true", Some("pass")),
            ("title = \"T\"\n[cites]\nx = \"Y 1\"\n[ends]\nrule = \"Z 1\"", None),
        ] {
            let unknown = Unknown::in_table(&with(text), &usual, &piece);
            assert_eq!(unknown.to(Proving::ByRecord), field, "{text}");
            assert_eq!(unknown.to(Proving::ByPlies), field, "{text}");
            assert_eq!(unknown.to(Proving::ByPieces), field, "{text}");
        }
        // Proofs by plies know more than those by pieces.
        let anti_king = Unknown::in_table(&with("[pieces.A]\nanti-royal = true"), &usual, &piece);
        assert_eq!(anti_king.to(Proving::ByPlies), None);
        assert_eq!(anti_king.to(Proving::ByPieces), Some("pieces.*.anti-royal"));
        let wins = Unknown::in_table(&with("[ends]\nstalemate = \"win\""), &usual, &piece);
        assert_eq!((wins.to(Proving::ByPlies), wins.to(Proving::ByPieces)), (None, Some("ends.stalemate")));
        let hill = Unknown::in_table(&with("[ends.goal]\nK = \"d4\""), &usual, &piece);
        assert_eq!((hill.to(Proving::ByPlies), hill.to(Proving::ByPieces)), (None, Some("ends.goal.K")));
        // Evidence of the record's own plies knows calls.
        let counts = Unknown::in_table(&with("[ends]\ncount = \"makruk\""), &usual, &piece);
        assert_eq!((counts.to(Proving::ByRecord), counts.to(Proving::ByPlies)), (None, Some("ends.count")));
        // What points decide stops no plan that forces an end.
        let threefold = Unknown::in_table(&with("[ends]\nrepetition = \"threefold\""), &usual, &piece);
        let asked = [Proving::ByAttack, Proving::ByPlies].map(|proving| threefold.to(proving));
        assert_eq!(asked, [None, Some("ends.repetition")]);
        // A later version's default is no use of a field.
        let later = with("[ends]\ngoals = \"none\"");
        assert_eq!(Unknown::in_table(&later, &later, &piece), Unknown::default());
    }
}
