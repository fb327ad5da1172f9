//! Wins besides mate: goals, checks.

use super::super::definition::{Annihilation, GoalName};
use super::Writer;
use super::sections::region;

impl Writer<'_> {
    pub(super) fn wins_besides_mate(&mut self) {
        let section = &self.definition.ends;
        if section.checks > 0 {
            let text =
                format!("Giving check wins when a player does it for the {} time", ordinal(section.checks));
            self.say(&text, &["LIC 2"]);
        }
        for (letter, squares) in &section.goal {
            let squares = region(squares);
            let text = match section.goal_name {
                GoalName::Hill => format!("A `{letter}` that stands on {squares} wins"),
                GoalName::Race => format!("A `{letter}` that reaches {squares} wins the race"),
            };
            let for_both = if section.goal_mirrored { "" } else { "; the squares are the same for Black" };
            self.say(&format!("{text}{for_both}"), &["LIC 1", "LIC 6"]);
        }
        match section.annihilation {
            Annihilation::None => {}
            Annihilation::Wins => self.say("A player without pieces has won", &["LIC 3"]),
            Annihilation::Loses => self.say("A player without pieces has lost", &["LIC 5"]),
        }
        if section.last_ply {
            let text = "If White's does, Black has one ply to do the same, which draws; the game is over at once if no \
                such ply is legal";
            self.say(text, &["LIC 6"]);
        }
        if section.checks > 0 || !section.goal.is_empty() && section.goal_name == GoalName::Hill {
            self.say("If the same ply also mates, mate is the reason", &["LIC-3"]);
        }
    }
}

impl Writer<'_> {
    /// Captures that a player must make, and those that explode.
    pub(super) fn unusual_captures(&mut self) {
        let section = &self.definition.captures;
        if section.compulsory {
            self.say("A player who can capture must, with a capture of the player's choice", &["LIC 3"]);
        }
        if section.explode.is_empty() {
            return;
        }
        let spared = match &section.explode_spares[..] {
            [] => String::new(),
            letters => format!(" but {}", letters.join(", ")),
        };
        let text = format!(
            "A capture also removes the capturing piece, and every piece{spared} on the squares that a leap `{}` from \
                the target reaches",
            section.explode
        );
        self.say(&text, &["LIC 4"]);
        let text = "No ply may remove its owner's king; removing the other one wins, in check or not. Kings that would \
            explode together give each other no check, and no other piece checks them";
        self.say(text, &["LIC 4"]);
    }
}

/// `3` as `third`.
fn ordinal(number: u8) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        more => format!("{more}th"),
    }
}
