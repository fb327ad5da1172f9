//! How games end.

use super::{Start, Writer};
use crate::rules::fairy::places::Places;

impl<'s> Writer<'s> {
    pub(super) fn ends(&mut self, start: &Start<'_>) {
        self.line("[ends]\ndead-position = \"none\"");
        match self.get("stalemateValue") {
            // A player who is stuck may get a piece yet; the value of a stalemate is for an engine.
            _ if self.is_on("twoBoards", false) => {
                self.line("mate = \"no-drop-parries\"\nstalemate = \"waits\"");
            }
            None | Some("draw") => {}
            Some(value @ ("loss" | "win")) => self.line(&format!("stalemate = \"{value}\"")),
            Some(_) => self.refuse("stalemateValue", "write win, loss or draw"),
        }
        match self.get("checkmateValue") {
            None | Some("loss") => {}
            _ => self.refuse("checkmateValue", "play `misere+` over the game in which mate wins instead"),
        }
        self.counters();
        self.extinction();
        self.goals();
        if self.is_on("checkCounting", false) {
            self.line(&format!("checks = {}", start.checks.unwrap_or(3)));
        }
        match self.get("countingRule") {
            None | Some("none") => {}
            Some("makruk") => self.line("count = \"makruk\""),
            Some(_) => self.refuse("countingRule", "a definition knows Makruk's count alone"),
        }
    }

    /// The rules about many moves and repeated positions.
    fn counters(&mut self) {
        // A value for a player by colour; otherwise it is for the player on move, which no field says.
        let absolute = self.is_on("nFoldValueAbsolute", false);
        match self.get("nMoveRule").unwrap_or("50") {
            "50" => {}
            "0" => self.line("move-counters = false"),
            moves => self.line(&format!("move-counters = false\nquiet-moves = {moves}")),
        }
        let perpetual = self.is_on("perpetualCheckIllegal", false);
        let chases = self.get("chasingRule") == Some("axf");
        match (self.get("nFoldRule").unwrap_or("3"), perpetual, self.get("nFoldValue").unwrap_or("draw")) {
            _ if chases && perpetual => self.line("repetition = \"threefold-perpetual\""),
            _ if chases => {
                self.refuse("chasingRule", "a definition forbids chases only together with perpetual check")
            }
            ("3", false, "draw") => {}
            ("0", _, _) => self.line("repetition = \"none\""),
            ("4", true, "draw") => self.line("repetition = \"fourfold-perpetual\""),
            ("4", true, value @ ("loss" | "win")) if absolute => {
                let loser = if value == "loss" { "white" } else { "black" };
                self.line(&format!("repetition = \"fourfold-perpetual\"\nrepetition-loses = \"{loser}\""));
            }
            (_, _, "draw") => {
                self.refuse("nFoldRule", "a definition knows threefold, and fourfold with perpetual check")
            }
            _ => self.refuse("nFoldValue", "a repetition is no win in a definition"),
        }
    }

    /// Games that end when pieces are gone.
    fn extinction(&mut self) {
        let value = self.get("extinctionValue").unwrap_or("none");
        let types = self.get("extinctionPieceTypes").unwrap_or_default();
        let royal = self.is_on("extinctionPseudoRoyal", false);
        let count = self.get("extinctionPieceCount").unwrap_or("0");
        let others = self.get("extinctionOpponentPieceCount").unwrap_or("0");
        // A bare king that is claimed may bare the other one first.
        let claimed = self.is_on("extinctionClaim", false);
        let is_king = royal && self.royal().is_some_and(|man| man.name == "commoner");
        match (value, types, count) {
            ("none", ..) => {}
            _ if is_king => {}
            ("loss", "*", "0") if !royal && !claimed => self.line("annihilation = \"loses\""),
            ("win", "*", "0") if !royal && !claimed => self.line("annihilation = \"wins\""),
            ("loss", "*", "1") if !royal && claimed && others == "2" => self.line("bare-king = true"),
            _ => self.refuse(
                "extinctionValue",
                "a definition knows the loss or win of all pieces, a bare king, and one royal kind",
            ),
        }
    }

    fn goals(&mut self) {
        let none = Places::where_is(self.size, |_, _| false);
        let both = self.settings.get("flagRegion").is_some();
        let goal = match both {
            true => self.region("flagRegion", &none),
            false => self.places(["flagRegionWhite", "flagRegionBlack"], [none.clone(), none]),
        };
        let piece = self.letters("flagPiece").unwrap_or_default();
        if goal.is_none() {
            return;
        }
        if piece.is_empty() {
            return self.refuse("flagPiece", "name the piece that wins on these squares");
        }
        self.line(&format!("goal = {{ {piece} = \"{}\" }}", goal.region()));
        if both {
            self.line("goal-mirrored = false");
        }
    }
}
