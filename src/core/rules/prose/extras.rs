//! The third player, and the choice of armies.

use super::super::definition::{
    AntiKingsFedBy, DelayFreesCastling, DelayScope, NatureAntiCheck, NatureArrival, NatureEnPassant,
    NatureSection, Reentry,
};
use super::Writer;
use super::sections::region;

impl Writer<'_> {
    pub(super) fn nature(&mut self) {
        let section = &self.definition.nature;
        self.heading("Nature");
        self.say(
            "A third player, Nature, may act between the plies of the two real players, at most once \
            between two plies",
            &["CHA 1"],
        );
        let text = format!(
            "Nature's next turn is due {} real plies after the last, and stays available until taken",
            section.period
        );
        self.reading(&text, &["CHA 1", "CHA-1"], "nature.period", &section.period);
        let mut kinds = section.kinds.clone();
        kinds.extend(section.king.then(|| section.king_letter.clone()));
        kinds.extend(section.pawn.then(|| section.pawn_letter.clone()));
        let text = format!(
            "In a turn Nature either puts one of {} on a vacant square, or moves one of its pieces; the supply \
                is unlimited",
            kinds.join(", ")
        );
        self.reading(&text, &["CHA 2", "CHA-1", "CHA-17"], "nature.kinds", &section.kinds.join(" "));
        let soldiers = self.definition.pieces.get(&section.pawn_letter).filter(|piece| !piece.pawn);
        let pawns = soldiers.map_or("pawns".into(), |_| format!("pawns and `{}`", section.pawn_letter));
        let text =
            format!("A piece that Nature introduces may not attack real pieces other than {pawns} at first");
        self.say(&text, &["CHA 3", "CHA-9"]);
        self.say(
            "Otherwise Nature's pieces move as usual and can be captured, but capture neither kings nor each \
            other",
            &["CHA 4", "CHA-4"],
        );
        self.say(
            "No capture by Nature may open a real attack on a king, and no ply of Nature on the king of the \
            side that has just moved",
            &["CHA 6", "CHA-5", "CHA-6"],
        );
        let text =
            format!("For {} real plies from Nature's last turn its attacks are not check", section.delay);
        self.reading(&text, &["CHA 7", "CHA-1", "CHA-3"], "nature.delay", &section.delay);
        let text = match section.delay_scope {
            DelayScope::Clock => "All of Nature's pieces share the clock of that delay",
            DelayScope::Piece => "That delay applies to the acting piece only",
        };
        self.reading(text, &["CHA-2"], "nature.delay-scope", &section.delay_scope);
        if self.definition.castling.enabled {
            let text = match section.delay_frees_castling {
                DelayFreesCastling::Nature => {
                    "Meanwhile Nature's attacks do not prevent castling, the opponent's do"
                }
                DelayFreesCastling::All => "Meanwhile no attacks prevent castling",
            };
            self.reading(text, &["CHA-2"], "nature.delay-frees-castling", &section.delay_frees_castling);
        }
        self.natures_anti_king(section);
        self.natures_changes(section);
        self.returning(section);
        self.switches(section);
        self.further(&section.rule);
    }

    /// Nature's piece that must stay attacked, and those of the players.
    fn natures_anti_king(&mut self, section: &NatureSection) {
        let anti_king = self.definition.pieces.iter().find(|(_, piece)| piece.anti_royal);
        let Some((letter, _)) = anti_king else { return };
        let text = format!(
            "Before White's first ply Nature places an `{letter}` on a vacant square that a player's piece other than \
                a king or `{letter}` attacks; this is no turn. It captures Nature's own alone, and is never captured"
        );
        self.say(&text, &["CHA-19"]);
        let text = match section.anti_check {
            NatureAntiCheck::Any => "Each action must leave it attacked like that",
            NatureAntiCheck::Move => {
                "Each action must leave it attacked like that, and only its own move may end its anti-check"
            }
        };
        self.reading(text, &["CHA-19"], "nature.anti-check", &section.anti_check);
        self.say(
            "If it is not while a turn is available, and no action would change that, Nature is out of the game: its \
                pieces stay where they are and can be captured, but neither move nor attack",
            &["CHA-20"],
        );
        let text = match section.anti_kings_fed_by {
            AntiKingsFedBy::Opponent => {
                "A player's `{}` is in anti-check unless the opponent's pieces attack it"
            }
            AntiKingsFedBy::All => {
                "A player's `{}` is in anti-check unless the opponent's or Nature's pieces attack it"
            }
        };
        let text = text.replace("{}", letter);
        self.reading(&text, &["CHA-21"], "nature.anti-kings-fed-by", &section.anti_kings_fed_by);
        self.say(
            "No capture by Nature may bring a player's into anti-check, and no action may leave in it that of the \
                side that has just moved",
            &["CHA-21"],
        );
    }

    /// What Nature's pieces become other than by their own promotion.
    fn natures_changes(&mut self, section: &NatureSection) {
        let (switch, other) = (&self.definition.switch, &self.definition.promotion.other);
        if !switch.from.is_empty() {
            let text = format!(
                "In a turn Nature may instead switch one of its `{}` for `{}` on its square",
                switch.from, switch.to
            );
            self.say(&text, &["CHA-22"]);
        }
        if section.pawn && !other.of.is_empty() {
            let along = match section.arrival {
                NatureArrival::Entry => "by a move from off that line",
                NatureArrival::Any => "by a move along that line, too",
            };
            let text = format!(
                "Nature's pawn that moves to {}, or to such a line as another side of the board sees it, promotes one \
                    `{}` of Nature's at once, if there is one, to one of {}, {along}",
                region(&other.zone),
                other.of,
                other.to.join(", ")
            );
            self.reading(&text, &["CHA-22"], "nature.arrival", &section.arrival);
        }
    }

    fn returning(&mut self, section: &NatureSection) {
        if self.definition.drops.hand == "none" {
            let text = "A piece captured by Nature goes to its owner's hand; a ply may put it on an array square of \
                its kind and colour, and captures an opposing or Nature's piece there";
            self.say(text, &["CHA 4", "CHA 5"]);
            if !self.definition.setup.reserve.is_empty() {
                self.say("Kinds without an array square return to the reserve", &["CHA-18"]);
            }
        } else {
            self.say(
                "A piece captured by Nature goes to its owner's hand, and enters again by the drop rule",
                &["CHA 4", "CHA-13"],
            );
        }
        let text = match section.reentry {
            Reentry::Kind => "It returns as the kind that it was on the board",
            Reentry::Piece => "It returns as the piece that it was in the array, a promoted pawn as a pawn",
        };
        self.reading(text, &["CHA-8"], "nature.reentry", &section.reentry);
    }

    fn switches(&mut self, section: &NatureSection) {
        let on = |on: bool| if on { "on" } else { "off" };
        let text = format!(
            "Switches: king {} (CHA 9), castling {} (CHA 10), pawn {} (CHA 11 to 13); a record's \
                `NatureRules` may turn them on",
            on(section.king),
            on(section.castling),
            on(section.pawn)
        );
        self.say(&text, &["CHA-15"]);
        if section.king {
            self.say("Nature's king is never in check and can be captured", &["CHA 9"]);
        }
        if section.castling && !section.castling_squares.is_empty() {
            let squares = |text: &str| text.replace(' ', " or ");
            let pairs = section
                .castling_squares
                .iter()
                .map(|pair| format!("king on {} with rook on {}", squares(&pair.king), squares(&pair.rook)));
            let text = format!(
                "Nature's king and rook castle if neither has moved since it was introduced and all squares between \
                    them are vacant: the king goes two squares towards the rook, which goes to the square that the \
                    king crossed; {}",
                pairs.collect::<Vec<_>>().join("; ")
            );
            self.say(&text, &["CHA 10"]);
        }
        if section.pawn {
            let lines = region(&section.en_passant_lines);
            self.say(
                "Nature's pawns are not introduced on the border, and become another piece at once when they reach it",
                &["CHA 11"],
            );
            let goes = match section.en_passant {
                NatureEnPassant::Beside => "going beside the line between the two pawns",
                NatureEnPassant::Behind => "going beside the square of the captured pawn",
            };
            let text = format!(
                "From {lines} they capture en passant a real pawn on an adjacent square of the same rank or file that \
                    has made a double step since Nature's last turn and not moved since, {goes}; a real piece there is \
                    captured as well"
            );
            self.reading(&text, &["CHA 12"], "nature.en-passant", &section.en_passant);
            let text = "One introduced next to the border that has not moved since may go two squares in a direction \
                of its step";
            self.say(text, &["CHA 13"]);
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
            "No augmenter may occur twice in an army"
        } else {
            "An augmenter may occur twice in an army"
        };
        self.reading(text, &["AUG 2"], "armies.no-repeat", &section.no_repeat);
        let text = if section.base_counts {
            "The parts of a base count as augmenters"
        } else {
            "The parts of a base do not count as augmenters"
        };
        self.reading(text, &["AUG-8"], "armies.base-counts", &section.base_counts);
        let text =
            if section.distinct { "No kind may be in both armies" } else { "A kind may be in both armies" };
        self.reading(text, &["AUG-9"], "armies.distinct", &section.distinct);
        self.further(&section.rule);
    }
}
