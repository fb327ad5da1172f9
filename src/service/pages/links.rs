//! State that pages carry in forms and addresses, since the service stores nothing for a visitor.

/// The moment of a game to show, and the button that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The name of the button.
    pub button: &'static str,
    /// The number of plies made.
    pub ply: usize,
}

/// The buttons that step through a game.
const BUTTONS: [&str; 6] = ["first", "back", "next", "last", "ply", "turn"];

impl Step {
    /// The step for a field of a form or a query.
    pub fn read(name: &str, value: &str) -> Option<Step> {
        let button = BUTTONS.into_iter().find(|button| *button == name)?;
        Some(Step { button, ply: value.parse().ok()? })
    }
}

/// How a page refers to the records it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Links {
    /// The form carries the records.
    Form {
        /// The records, packed.
        packed: String,
        /// The chosen game.
        variant: String,
        /// The chosen style.
        style: String,
        /// The number of games.
        games: usize,
        /// The number of the open game, from 0.
        number: usize,
        /// True if Black is at the bottom.
        from_black: bool,
    },
    /// The game has its own address.
    Page {
        /// The address.
        path: String,
        /// True if Black is at the bottom.
        from_black: bool,
    },
}

impl Links {
    /// True if the form carries the records.
    pub fn is_form(&self) -> bool {
        matches!(self, Links::Form { .. })
    }

    /// Where the form of the game goes: to the next page, the judgement of a claim, or the table.
    pub fn action(&self) -> &str {
        match self {
            Links::Form { .. } => "/",
            Links::Page { path, .. } if self.is_table() => path,
            Links::Page { .. } => "/adjudicate",
        }
    }

    /// True at the table of a game that is played here.
    pub fn is_table(&self) -> bool {
        matches!(self, Links::Page { path, .. } if path.starts_with("/play/"))
    }

    /// Where all positions of the game are, for the script.
    pub fn film(&self) -> String {
        match self {
            Links::Form { .. } => "/positions".to_owned(),
            Links::Page { path, from_black } => {
                format!("{path}/positions{}", if *from_black { "?side=black" } else { "" })
            }
        }
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        match self {
            Links::Form { games, .. } => *games,
            Links::Page { .. } => 1,
        }
    }
}
