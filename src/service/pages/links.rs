//! What a page has to bring back to show the next one: nothing is stored for a visitor.

/// Which moment of a game is shown, and which button led there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The name of the button.
    pub button: &'static str,
    /// After how many plies.
    pub ply: usize,
}

/// The names of the buttons that step through a game.
const BUTTONS: [&str; 5] = ["first", "back", "next", "last", "ply"];

impl Step {
    /// The step that a field of a form or a query asks for.
    pub fn read(name: &str, value: &str) -> Option<Step> {
        let button = BUTTONS.into_iter().find(|button| *button == name)?;
        Some(Step { button, ply: value.parse().ok()? })
    }
}

/// How a page brings back what it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Links {
    /// The records come with the form.
    Form {
        /// The records, packed.
        packed: String,
        /// The game that was chosen.
        variant: String,
        /// The style that was chosen.
        style: String,
        /// How many games there are.
        games: usize,
        /// Which one is open, from 0.
        number: usize,
    },
    /// The game has an address of its own.
    Page {
        /// The address.
        path: String,
    },
}

impl Links {
    /// How many games there are.
    pub fn games(&self) -> usize {
        match self {
            Links::Form { games, .. } => *games,
            Links::Page { .. } => 1,
        }
    }
}
