//! The third player, and the choice of armies.

use super::super::definition::{DelayFreesCastling, DelayScope, NatureSection, Reentry};
use super::Writer;
use super::sections::region;

impl Writer<'_> {
    pub(super) fn nature(&mut self) {
        let section = &self.definition.nature;
        self.heading("Nature");
        self.say(
            "A third player, Nature, may act between the plies of the two real players, once at most \
            between two",
            &["CHA 1"],
        );
        let text = format!(
            "Her next turn is due {} real plies after the last, and waits until she takes it",
            section.period
        );
        self.reading(&text, &["CHA 1", "CHA-1"], "nature.period", &section.period);
        let mut kinds = section.kinds.clone();
        kinds.extend(section.king.then(|| section.king_letter.clone()));
        kinds.extend(section.pawn.then(|| section.pawn_letter.clone()));
        let text = format!(
            "With a turn she either puts one of {} where nothing stands, or moves what is hers; her supply \
                has no end",
            kinds.join(", ")
        );
        self.reading(&text, &["CHA 2", "CHA-1", "CHA-17"], "nature.kinds", &section.kinds.join(" "));
        self.say("What she puts down may at first attack no real pieces but pawns", &["CHA 3", "CHA-9"]);
        self.say(
            "Otherwise her pieces behave as all do and may be taken, but they take neither kings nor one \
            another",
            &["CHA 4", "CHA-4"],
        );
        self.say(
            "No capture of hers may open a real attack on a king, and nothing that she does may do so to the \
            side that has just moved",
            &["CHA 6", "CHA-5", "CHA-6"],
        );
        let text = format!(
            "For {} real plies from her last turn nothing that she attacks is in check",
            section.delay
        );
        self.reading(&text, &["CHA 7", "CHA-1", "CHA-3"], "nature.delay", &section.delay);
        let text = match section.delay_scope {
            DelayScope::Clock => "All her pieces share the clock of that delay",
            DelayScope::Piece => "That delay is the acting piece's own",
        };
        self.reading(text, &["CHA-2"], "nature.delay-scope", &section.delay_scope);
        if self.definition.castling.enabled {
            let text = match section.delay_frees_castling {
                DelayFreesCastling::Nature => {
                    "Meanwhile her attacks do not hinder castling, those of the opponent do"
                }
                DelayFreesCastling::All => "Meanwhile nobody's attacks hinder castling",
            };
            self.reading(text, &["CHA-2"], "nature.delay-frees-castling", &section.delay_frees_castling);
        }
        self.returning(section);
        self.switches(section);
        self.further(&section.rule);
    }

    fn returning(&mut self, section: &NatureSection) {
        if self.definition.drops.hand == "none" {
            let text = "What she takes comes to its owner's hand; a ply may put it on an array square of \
                its kind and colour, and takes whatever of the enemy's or Nature's stands there";
            self.say(text, &["CHA 4", "CHA 5"]);
            if !self.definition.setup.reserve.is_empty() {
                self.say("Kinds without an array square return to the reserve", &["CHA-18"]);
            }
        } else {
            self.say(
                "What she takes comes to its owner's hand, and enters again by the drop rule",
                &["CHA 4", "CHA-13"],
            );
        }
        let text = match section.reentry {
            Reentry::Kind => "It returns as what it last was",
            Reentry::Piece => "It returns as the piece that it was in the array, a promoted pawn as a pawn",
        };
        self.reading(text, &["CHA-8"], "nature.reentry", &section.reentry);
    }

    fn switches(&mut self, section: &NatureSection) {
        let on = |on: bool| if on { "on" } else { "off" };
        let text = format!(
            "Switches: king {} (CHA 9), castling {} (CHA 10), pawn {} (CHA 11 to 13); a record's \
                `NatureRules` may put them on",
            on(section.king),
            on(section.castling),
            on(section.pawn)
        );
        self.say(&text, &["CHA-15"]);
        if section.pawn {
            let lines = region(&section.en_passant_lines);
            self.say(
                &format!(
                    "Her pawns become another piece at once on the border, and capture en \
                passant from {lines}"
                ),
                &["CHA 11", "CHA 12"],
            );
        }
    }

    pub(super) fn armies(&mut self) {
        let section = &self.definition.armies;
        self.heading("Armies");
        let slots = section.slots.join(", ");
        self.say(
            &format!(
                "Before play each player chooses a kind for each of {slots}; the tags \
            `WhiteArmy` and `BlackArmy` name them in that order"
            ),
            &["AUG 1", "AUG-3"],
        );
        for slot in &section.slots {
            let choices = section.choices.get(slot).map_or(&[][..], Vec::as_slice);
            let choices =
                choices.iter().map(|choice| format!("`{}`", choice.betza)).collect::<Vec<_>>().join(" ");
            self.say(&format!("For `{slot}`: {choices}"), &["AUG-1"]);
        }
        let text = if section.no_repeat {
            "No augmenter stands twice in an army"
        } else {
            "An augmenter may stand twice in an army"
        };
        self.reading(text, &["AUG 2"], "armies.no-repeat", &section.no_repeat);
        let text = if section.base_counts {
            "What belongs to a base counts as an augmenter"
        } else {
            "What belongs to a base is no augmenter"
        };
        self.reading(text, &["AUG-8"], "armies.base-counts", &section.base_counts);
        let text =
            if section.distinct { "No kind may be in both armies" } else { "A kind may be in both armies" };
        self.reading(text, &["AUG-9"], "armies.distinct", &section.distinct);
        self.further(&section.rule);
    }
}
