//! Example records for the page.

/// An example record.
#[derive(Debug)]
pub struct Example {
    /// The name in the address.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The record.
    pub record: &'static str,
}

/// All examples.
pub const ALL: [Example; 4] = [
    Example {
        name: "ichess",
        about: "A whole game of iChess in its inventor’s notation, from deployment to mate",
        record: include_str!("../../../fixtures/games/ichess-sample.pgn"),
    },
    Example {
        name: "illegal",
        about: "A game of IAGO Chess with an illegal ply",
        record: include_str!("../../../fixtures/games/iago-b-blocked.pgn"),
    },
    Example {
        name: "nature",
        about: "A game of Chaos’s Chess: three at the board",
        record: include_str!("../../../fixtures/games/chaos-short.pgn"),
    },
    Example {
        name: "many",
        about: "Many games of INGOLS Chess in one file",
        record: include_str!("../../../fixtures/games/ingols-whole-games.pgn"),
    },
];

/// The example with a name.
pub fn named(name: &str) -> Option<&'static Example> {
    ALL.iter().find(|example| example.name == name)
}
