//! The third player's tables.

use super::{Compiler, FieldError};
use crate::board::{Mask, Owner, Square};
use crate::rules::compiled::Nature;
use crate::rules::definition::NatureSection;
use crate::rules::kinds::{KindId, KindSet, Piece};

/// True for a step to one of the eight squares around.
const fn is_adjacent((dx, dy): (i8, i8)) -> bool {
    dx.unsigned_abs() <= 1 && dy.unsigned_abs() <= 1
}

impl Compiler<'_> {
    pub(super) fn nature<M: Mask>(&mut self, array: &[Option<Piece>]) -> Option<Nature<M>> {
        let section = &self.definition.nature;
        self.check_switches();
        if !section.enabled {
            return None;
        }
        let king = self.kind("nature.king-letter", &section.king_letter);
        let pawn = self.kind("nature.pawn-letter", &section.pawn_letter);
        let rook = self.kind("nature.rook-letter", &section.rook_letter).unwrap_or(KindId(0));
        let kinds = self.kind_set("nature.kinds", &section.kinds);
        let switches = [("king", section.king, king), ("pawn", section.pawn, pawn)];
        let changed = self.changed_kinds();
        self.check_that_they_move(kinds, switches, &changed, array);
        let (king, pawn) = (king.unwrap_or(KindId(0)), pawn.unwrap_or(KindId(0)));
        let mut introduces = kinds;
        if section.king {
            introduces.insert(king);
        }
        let mut promotes = introduces;
        changed.iter().for_each(|&(_, kind)| promotes.insert(kind));
        if section.pawn {
            introduces.insert(pawn);
        }
        let castling_pairs = self.castling_pairs::<M>();
        let board = self.board;
        let border = M::of(board.squares().filter(|&s| board.on_border(s)));
        let touches = |s: Square| {
            [(0, 1), (0, -1), (1, 0), (-1, 0)]
                .iter()
                .any(|&(dx, dy)| board.offset(s, dx, dy).is_some_and(|t| border.has(t)))
        };
        let steps = self.betza[pawn.index()].1.iter().filter(|step| step.moves);
        let pawn_steps = steps.map(|step| (step.dx, step.dy)).filter(|step| is_adjacent(*step)).collect();
        Some(Nature {
            names_array: self.definition.setup.from_record && self.definition.drops.hand == "none",
            period: section.period,
            delay: section.delay,
            delay_scope: section.delay_scope,
            delay_frees_castling: section.delay_frees_castling,
            natures_mate: section.natures_mate,
            reentry: section.reentry,
            introduces,
            promotes,
            king,
            pawn,
            rook,
            castling: section.castling,
            pawns: section.pawn,
            castling_pairs,
            en_passant: self.region("nature.en-passant-lines", &section.en_passant_lines),
            en_passant_to: section.en_passant,
            arrival: section.arrival,
            anti_check: section.anti_check,
            anti_kings_fed_by: section.anti_kings_fed_by,
            border,
            next_to_border: M::of(board.squares().filter(|&s| !border.has(s) && touches(s))),
            pawn_steps,
        })
    }

    /// Refuses fields that have no effect, and a switch without the one that it needs.
    fn check_switches(&mut self) {
        let section = &self.definition.nature;
        let others = NatureSection { rule: String::new(), ..section.clone() };
        if !section.enabled && others != NatureSection::default() {
            self.fail("nature.enabled", "without it the other fields of `nature` have no effect; set it");
        }
        if section.enabled && section.period == 0 {
            self.fail("nature.period", "a turn takes at least one ply to become available; write 1 or more");
        }
        if section.enabled && section.castling && !section.king && !self.unknown.has("nature.king") {
            self.fail("nature.castling", "the switch `castling` needs `king` (CHA-15); add it");
        }
    }

    /// The squares of the table of Nature's castling, king's and rook's.
    fn castling_pairs<M: Mask>(&mut self) -> Vec<(Square, Square)> {
        let section = &self.definition.nature;
        let mut castling_pairs = Vec::new();
        for entry in &section.castling_squares {
            let kings: M = self.region("nature.castling-squares", &entry.king);
            let rooks: M = self.region("nature.castling-squares", &entry.rook);
            let pairs = kings.squares().flat_map(|k| rooks.squares().map(move |r| (k, r)));
            // Two steps of the king towards the rook must end before it or on it.
            let (fit, odd): (Vec<_>, Vec<_>) = pairs.partition(|&(king, rook)| {
                let files = self.board.file(king).abs_diff(self.board.file(rook));
                let ranks = self.board.rank(king).abs_diff(self.board.rank(rook));
                files.min(ranks) == 0 && files.max(ranks) >= 2
            });
            if let Some(&(king, rook)) = odd.first().filter(|_| self.board_is_sure()) {
                let (king, rook) = (self.board.name(king), self.board.name(rook));
                let message = format!("{king} and {rook} are not on one line at least two squares apart");
                self.fail("nature.castling-squares", message);
            }
            castling_pairs.extend(fit);
        }
        castling_pairs
    }

    /// The kinds that Nature's pieces become by a switch or by a pawn's arrival, each with its field.
    fn changed_kinds(&self) -> Vec<(&'static str, KindId)> {
        let find = |letter: &str| self.kinds.iter().position(|kind| kind.has_key(letter));
        let found = |(field, letter): (_, &String)| Some((field, KindId(find(letter)? as u8)));
        self.definition.changed_kinds().filter_map(found).collect()
    }

    /// Refuses pieces that cannot move: they would be introduced or stay in the array without any effect.
    fn check_that_they_move(
        &mut self,
        listed: KindSet,
        switches: [(&str, bool, Option<KindId>); 2],
        changed: &[(&str, KindId)],
        array: &[Option<Piece>],
    ) {
        let mut hers: Vec<(String, KindId)> =
            listed.kinds().map(|kind| ("nature.kinds".to_owned(), kind)).collect();
        for (switch, on, kind) in switches {
            let sure = on && !self.unknown.has(&format!("nature.{switch}-letter"));
            let kind = kind.filter(|kind| sure && !listed.has(*kind));
            hers.extend(kind.map(|kind| (format!("nature.{switch}"), kind)));
        }
        hers.extend(changed.iter().map(|&(field, kind)| (field.to_owned(), kind)));
        let anti_king = self.kinds.iter().position(|kind| kind.anti_royal).map(|index| KindId(index as u8));
        hers.extend(
            anti_king.map(|kind| (format!("pieces.{}.anti-royal", self.kinds[kind.index()].key()), kind)),
        );
        for piece in array.iter().flatten().filter(|piece| piece.owner == Owner::Nature) {
            if hers.iter().all(|(_, known)| *known != piece.kind) {
                hers.push(("setup.board".to_owned(), piece.kind));
            }
        }
        for (field, kind) in hers {
            let letter = char::from(self.kinds[kind.index()].label[Owner::White].letter);
            let movement = format!("pieces.{letter}.nature");
            let reported = |error: &FieldError| error.path == movement || error.path == "pieces";
            let doubtful = self.unknown.has_any_in(&movement) || self.errors.iter().any(reported);
            let key = self.kinds[kind.index()].key();
            let terms = self.definition.pieces.get(&key).map_or(&[][..], |piece| &piece.terms);
            let moves = !self.betza[kind.index()].1.is_empty() || terms.iter().any(|term| term.nature);
            if !moves && !doubtful {
                let message = format!("Nature's `{letter}` has no movement; add `nature` to the piece");
                self.fail(field, message);
            }
        }
    }
}
