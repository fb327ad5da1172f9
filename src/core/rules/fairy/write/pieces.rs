//! The pieces of a definition.

use super::Writer;
use crate::pieces::betza;
use crate::rules::fairy::men::Man;
use crate::rules::fairy::places::{Places, Size};
use std::fmt::Write;

impl<'s> Writer<'s> {
    /// The royal piece: the king, or a commoner without which a player has lost.
    pub(super) fn royal(&mut self) -> Option<&'s Man> {
        let men = &self.settings.men;
        if let Some(king) = men.called("king") {
            return Some(king);
        }
        let lost = self.settings.is_on("extinctionPseudoRoyal", false)
            && self.settings.get("extinctionValue") == Some("loss");
        let commoner = men.called("commoner").filter(|_| lost)?;
        let types = self.settings.get("extinctionPieceTypes").unwrap_or_default();
        types.eq_ignore_ascii_case(&commoner.letter.to_string()).then_some(commoner)
    }

    /// The letters of pieces that promote as pawns do.
    pub(super) fn pawn_letters(&mut self) -> String {
        let named = self.letters("pawnTypes");
        let own = self.letters("promotionPawnTypes").or(named);
        own.unwrap_or_else(|| self.settings.men.called("pawn").map(|man| man.letter).into_iter().collect())
    }

    /// What each piece becomes: `p:g s:g`.
    pub(super) fn promoted(&mut self) -> Vec<(char, &'s Man)> {
        let list = self.get("promotedPieceType").unwrap_or_default();
        let mut found: Vec<(char, &Man)> = Vec::new();
        for pair in list.split_whitespace() {
            let (from, to) = pair.split_once(':').unwrap_or((pair, "-"));
            let from = from.chars().next().unwrap_or('-').to_ascii_uppercase();
            found.retain(|(other, _)| *other != from);
            match to.chars().next().and_then(|to| self.settings.men.with(to)) {
                Some(to) => found.push((from, to)),
                None if to == "-" => {}
                None => self.refuse("promotedPieceType", "a piece becomes one that the game has: `p:g s:g`"),
            }
        }
        found
    }

    pub(super) fn pieces(&mut self, zone: &Places) {
        let royal = self.royal().map(|man| man.letter);
        let (pawns, promoted) = (self.pawn_letters(), self.promoted());
        if !promoted.is_empty() && zone.is_none() {
            self.refuse("promotedPieceType", "there is no region where pieces promote");
        }
        let immobile = self.is_on("immobilityIllegal", false) && self.settings.is_on("pieceDrops", false);
        let rooks_behind = self.is_on("sittuyinRookDrop", false);
        self.line("[pieces]");
        for man in self.settings.men.all() {
            let own_pawn = matches!(man.name.as_str(), "pawn" | "shogiPawn" | "soldier");
            let mut line = format!("{} = {{ name = \"{}\"", man.letter, words(&man.name));
            self.movement(man, &mut line);
            if Some(man.letter) == royal {
                line += ", royal = true";
                if self.is_on("flyingGeneral", false) {
                    line += ", attacks-king = \"R\"";
                }
            }
            if pawns.contains(man.letter) || own_pawn {
                line += ", pawn = true";
            }
            if promoted.iter().any(|(from, _)| *from == man.letter) {
                let _ = write!(line, ", promotes-to = \"+{}\"", man.letter);
            }
            if rooks_behind && man.name == "rook" {
                line += ", drop = \"rank 1\"";
            } else if immobile && let Some(drop) = self.mobile(man) {
                let _ = write!(line, ", drop = \"{drop}\"");
            }
            self.line(&(line + " }"));
        }
        for (from, to) in promoted {
            let name = words(&to.name);
            self.line(&format!(
                "\"+{from}\" = {{ name = \"promoted {name}\", betza = \"{}\", captured-as = \"{from}\" }}",
                to.betza
            ));
        }
        self.line("");
    }

    /// Adds the movement of a piece to its line.
    fn movement(&mut self, man: &Man, line: &mut String) {
        let key = |colour: &str| {
            let mut name = man.name.chars();
            let first = name.next().map(|first| first.to_ascii_uppercase());
            format!("mobilityRegion{colour}{}{}", first.unwrap_or_default(), name.as_str())
        };
        let of = |colour: &str| self.settings.of.get_key_value(&key(colour));
        let (white, black) = (of("White"), of("Black"));
        let parse = |text: &str| Places::parse(self.size, text);
        let regions = white.map(|(_, setting)| parse(&setting.value));
        let others = black.map(|(_, setting)| parse(&setting.value));
        for (key, setting) in white.iter().chain(&black) {
            let mirrored = match (&regions, &others) {
                (Some(Some(white)), Some(Some(black))) => *black == white.mirrored(),
                _ => false,
            };
            if !mirrored {
                let why = "a piece is bound to squares that are the same for both players, as each sees them";
                self.unsaid.insert(key, (setting.line, why.to_owned()));
            }
            self.used.insert((*key).clone());
        }
        let rank = self.number("soldierPromotionRank", 1);
        let last = self.size.ranks;
        let _ = match regions.flatten() {
            Some(region) => {
                write!(line, ", terms = [{{ betza = \"{}\", to = \"{}\" }}]", man.betza, region.region())
            }
            None if man.name == "soldier" && rank > 1 => {
                write!(
                    line,
                    ", betza = \"fW\", terms = [{{ betza = \"sW\", from = \"rank {rank}-{last}\" }}]"
                )
            }
            None => write!(line, ", betza = \"{}\"", man.betza),
        };
    }

    /// Where a piece could move again, if that is not everywhere.
    fn mobile(&self, man: &Man) -> Option<String> {
        let movement = betza::parse(&man.betza).ok()?;
        let Size { files, ranks } = self.size;
        let on = |at: u8, by: i8, last: u8| (1..=i16::from(last)).contains(&(i16::from(at) + i16::from(by)));
        let can = |file: u8, rank: u8| {
            movement.movers().iter().any(|mover| on(file, mover.dx, files) && on(rank, mover.dy, ranks))
        };
        let places = Places::where_is(self.size, can);
        (places != Places::where_is(self.size, |_, _| true)).then(|| places.region())
    }
}

/// A name in words: `shogiPawn` is a shogi pawn.
fn words(name: &str) -> String {
    let mut words = String::new();
    for char in name.chars() {
        if char.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(char.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fairy::men::PAWN;

    #[test]
    fn the_movement_of_a_pawn_is_that_of_chess() {
        assert_eq!(
            betza::parse(PAWN).map(|pawn| pawn.canonical()),
            betza::parse("fmWfcF").map(|pawn| pawn.canonical())
        );
        assert_eq!(words("shogiPawn"), "shogi pawn");
    }
}
