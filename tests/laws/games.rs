//! Every game that the laws are asked of: the built-in ones, their mutations, and definitions of users'.

use crate::common::{root, with_rules};
use crate::random::Random;
use crate::tally::Tally;
use crate::walk::Walk;
use ferz::pieces::army::Army;
use ferz::position::Position;
use ferz::replay::{Options, Replayer};
use ferz::rules::armies;
use ferz::rules::{AnyRules, Registry};
use std::sync::LazyLock;

/// Fields of the mutator `chaos` whose other readings are tried: what stands there, and what stands instead.
const READINGS: [(&str, &[(&str, &str)]); 7] = [
    ("chaos-piece", &[("delay-scope = \"clock\"", "delay-scope = \"piece\"")]),
    ("chaos-free", &[("delay-frees-castling = \"nature\"", "delay-frees-castling = \"all\"")]),
    ("chaos-either", &[("natures-mate = \"on-move\"", "natures-mate = \"either\"")]),
    ("chaos-return", &[("reentry = \"kind\"", "reentry = \"piece\"")]),
    ("chaos-often", &[("period = 5", "period = 1"), ("delay = 3", "delay = 0")]),
    (
        "chaos-late",
        &[
            ("period = 5", "period = 2"),
            ("delay = 3", "delay = 4"),
            ("delay-scope = \"clock\"", "delay-scope = \"piece\""),
        ],
    ),
    (
        "chaos-other",
        &[
            ("delay-scope = \"clock\"", "delay-scope = \"piece\""),
            ("delay-frees-castling = \"nature\"", "delay-frees-castling = \"all\""),
            ("natures-mate = \"on-move\"", "natures-mate = \"either\""),
            ("reentry = \"kind\"", "reentry = \"piece\""),
            ("period = 5", "period = 2"),
        ],
    ),
];

/// The mutators that read Chaos's Chess otherwise.
pub fn readings() -> impl Iterator<Item = &'static str> {
    READINGS.iter().map(|(name, _)| *name)
}

fn reading(name: &str, changes: &[(&str, &str)]) -> String {
    let path = root().join("formats/variants/mutators/chaos.toml");
    let mut text =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let named = (String::from("mutator = \"chaos\""), format!("mutator = \"{name}\""));
    let changes = changes.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned()));
    for (old, new) in changes.chain([named]) {
        assert!(text.contains(&old), "chaos.toml has no `{old}`");
        text = text.replace(&old, &new);
    }
    text.lines().filter(|line| !line.starts_with("aliases")).map(|line| format!("{line}\n")).collect()
}

/// The definitions in `tests/laws/definitions`, by name.
fn definitions() -> Vec<String> {
    let folder = root().join("tests/laws/definitions");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}")))
        .collect()
}

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let texts: Vec<String> = definitions()
        .into_iter()
        .chain(READINGS.iter().map(|(name, changes)| reading(name, changes)))
        .collect();
    Registry::with_files(texts.iter().map(String::as_str)).unwrap_or_else(|errors| panic!("{errors:?}"))
});

/// The names of the games in `tests/laws/definitions`.
pub fn users_games() -> Vec<String> {
    REGISTRY.list().into_iter().map(|listing| listing.name).filter(|name| name.starts_with("law-")).collect()
}

/// All games.
pub fn registry() -> &'static Registry {
    &REGISTRY
}

/// A replayer of these games that shares them with all others: to compile the rules of a game and its piece letters
/// takes longer than to judge a record.
pub fn replayer(options: Options) -> Replayer<'static> {
    static FIRST: LazyLock<Replayer<'static>> =
        LazyLock::new(|| Replayer::new(registry(), Options::default()));
    FIRST.with_options(options)
}

/// Whether the game can be had at all: mutators have preconditions.
pub fn exists(variant: &str) -> bool {
    REGISTRY.definition(variant, &|_| None).is_ok()
}

/// The rules of a game, with random armies or a random array where it needs them.
pub fn rules(variant: &str, switches: &str, random: &mut Random) -> AnyRules {
    chosen(variant, switches, random).0
}

/// [`rules`], and the tags of a record of that game.
pub fn chosen(variant: &str, switches: &str, random: &mut Random) -> (AnyRules, Vec<(&'static str, String)>) {
    let (definition, _) =
        REGISTRY.definition(variant, &|_| None).unwrap_or_else(|error| panic!("{variant}: {error}"));
    let mut refused = 0;
    loop {
        let mut chosen = vec![("NatureRules", switches.to_owned())];
        if definition.setup.from_record {
            chosen.push(("FEN", array960(random)));
        }
        if !definition.armies.slots.is_empty() {
            chosen.push(("WhiteArmy", army(&definition.armies, random)));
            chosen.push(("BlackArmy", army(&definition.armies, random)));
        }
        let tags = |name: &str| chosen.iter().find(|(tag, _)| *tag == name).map(|(_, value)| value.clone());
        match REGISTRY.rules(variant, &tags) {
            Ok(rules) => return (rules, chosen),
            // AUG-9: these two armies do not go together.
            Err(_) if definition.armies.distinct && refused < 100 => refused += 1,
            Err(error) => panic!("{variant} {chosen:?}: {error}"),
        }
    }
}

fn army(section: &ferz::rules::definition::ArmySection, random: &mut Random) -> String {
    let catalogue = armies::catalogue(section).unwrap_or_else(|error| panic!("{error}"));
    let all: Vec<Army> = catalogue.armies(armies::repeats(section)).collect();
    catalogue.text(random.pick(&all))
}

/// A random array of chess960: bishops on both colours, the king between the rooks.
fn array960(random: &mut Random) -> String {
    let mut rank = [b'-'; 8];
    let put = |rank: &mut [u8; 8], letter: u8, places: Vec<usize>, random: &mut Random| {
        rank[*random.pick(&places)] = letter;
    };
    for first in [0, 1] {
        put(&mut rank, b'b', (first..8).step_by(2).collect(), random);
    }
    for letter in [b'q', b'n', b'n'] {
        let free = (0..8).filter(|&file| rank[file] == b'-').collect();
        put(&mut rank, letter, free, random);
    }
    for letter in [b'r', b'k', b'r'] {
        let first = rank.iter().position(|&file| file == b'-').unwrap_or_default();
        rank[first] = letter;
    }
    let black = String::from_utf8_lossy(&rank).into_owned();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase())
}

/// Plays `rounds` times about `plies` plies, each time with other armies or arrays; what happened.
pub fn play(variant: &str, switches: &str, rounds: u64, plies: usize) -> Tally {
    let mut tally = Tally::default();
    for round in 0..rounds {
        let mut random = Random::new(variant, round);
        let rules = rules(variant, switches, &mut random);
        with_rules!(rules, rules => {
            let mut walk = Walk::new(&rules, round);
            if let Err(error) = walk.play(plies) {
                panic!("[{switches}] {error}");
            }
            tally.add(&walk.tally);
        });
    }
    tally
}

/// The position as it is written after it has been read.
pub fn reread(variant: &str, fen: &str) -> Result<String, String> {
    let rules = REGISTRY.rules(variant, &|_| None).map_err(|error| error.to_string())?;
    with_rules!(rules, rules => Position::from_fen(rules, fen).map(|p| p.fen()).map_err(|error| error.to_string()))
}

/// What is wrong with a user's definition of the game `odd`; nothing where it compiles.
pub fn definition_error(text: &str) -> String {
    let registry = match Registry::with_files([text]) {
        Ok(registry) => registry,
        Err(errors) => return format!("{errors:?}"),
    };
    registry.rules("odd", &|_| None).err().map_or_else(String::new, |error| error.to_string())
}
