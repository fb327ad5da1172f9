//! Pieces that must stay attacked, captures of own pieces, and first moves of their own.

use super::Compiler;
use crate::board::{ByOwner, Mask, Owner};
use crate::pieces::betza::{Mover, Path};
use crate::rules::compiled::{Chases, FirstLeaps, OtherPromotion, OwnCaptures, Special, Switch};
use crate::rules::definition::{CapturesTo, Check, Unmated, Victims};
use crate::rules::kinds::{KIND_SLOTS, KindId, KindSet, Piece};
use crate::rules::moves::{MoveTables, Regional};

impl Compiler<'_> {
    /// What only some games have; marks the kinds whose moves the tables do not hold completely.
    pub(super) fn special<M: Mask>(
        &mut self,
        array: &[Option<Piece>],
        array_squares: &ByOwner<Vec<M>>,
        moves: &mut ByOwner<MoveTables<M>>,
        double_step: &ByOwner<M>,
    ) -> Special<M> {
        let anti_king = self.anti_king(array);
        let (own_captures, first_leaps) = (self.own_captures(), self.first_leaps(array_squares));
        let complex = moves.0.iter().any(|tables| tables.complex_kinds() != 0);
        let own = own_captures.as_ref().map_or(0, |own| own.kinds.0);
        let kinds = own | first_leaps.as_ref().map_or(0, |leaps| leaps.kinds.0);
        moves.0.iter_mut().for_each(|tables| tables.mark_special(KindSet(kinds), anti_king.is_some()));
        let definition = self.definition;
        let (goal, blast, passing) = (self.goal(), self.blast(), self.passing(double_step));
        let (on_kings, chases) = (self.on_kings(), self.chases());
        if on_kings.is_some() && anti_king.is_some() {
            let message =
                "an attack on kings alone does not fit a piece that must stay attacked; leave one out";
            self.fail("pieces", message);
        }
        let ends = &definition.ends;
        if ends.quiet_moves > 0 && ends.move_counters {
            let message = "the fifty-move rule counts already; write `move-counters = false`";
            self.fail("ends.quiet-moves", message);
        }
        let hidden_attacks = complex || anti_king.is_some() || on_kings.is_some();
        let captures_compulsory = definition.captures.compulsory;
        let check_forbidden = definition.check == Check::Forbidden;
        let bikjang = definition.ends.bikjang;
        let conditions = captures_compulsory || check_forbidden || blast.is_some() || bikjang;
        let nature = definition.nature.enabled;
        Special {
            hidden_attacks,
            on_kings,
            chases,
            anti_king,
            hurdle_not: self.hurdle_not(),
            passes: definition.pass.allowed,
            bikjang,
            points: self.points(),
            own_captures,
            switch: self.switch(),
            other_promotion: self.other_promotion(),
            first_leaps,
            has_king: self.has_king(),
            both_colours: self.both_colours(),
            passing,
            goal,
            captures_matter: definition.captures.to != CapturesTo::None || nature || blast.is_some(),
            captures_compulsory,
            check_forbidden,
            conditions,
            natures_anti_king: nature && anti_king.is_some(),
            unusual_checks: nature || blast.is_some(),
            lines_decide: !hidden_attacks && !conditions,
            shows_ends: definition.ends.has_own() || definition.pass.allowed || blast.is_some(),
            counts_quiet: definition.ends.quiet_moves > 0 || definition.ends.quiet_limit > 0,
            blast,
        }
    }

    /// By kind: what it neither jumps over nor captures.
    fn hurdle_not(&mut self) -> Option<Box<[KindSet; KIND_SLOTS]>> {
        let mut all = [KindSet::EMPTY; KIND_SLOTS];
        for index in 0..self.kinds.len() {
            let key = self.kinds[index].key();
            let named = self.definition.pieces.get(&key).map_or("", |piece| piece.hurdle_not.as_str());
            let path = format!("pieces.{key}.hurdle-not");
            let letters: Vec<String> = named.chars().map(String::from).collect();
            all[index % KIND_SLOTS] = self.kind_set(&path, &letters);
            let hops = self.betza[index]
                .0
                .iter()
                .any(|mover| matches!(mover.path, Path::Cannon | Path::Grasshopper));
            if !letters.is_empty() && !hops && !self.unknown.has_any_in(&path) {
                self.fail(&path, "the piece jumps over nothing; write `p` or `g` in its movement");
            }
        }
        let changes_two = self.definition.gating.enabled || !self.definition.promotion.other.of.is_empty();
        let some = all.iter().any(|kinds| !kinds.is_empty());
        if some && changes_two {
            let message = "`hurdle-not` does not fit a ply that changes a second piece; leave out gating and \
                           `promotion.other`, or `hurdle-not`";
            self.fail("pieces", message);
        }
        some.then(|| Box::new(all))
    }

    /// By kind: its points; `None` if points decide nothing.
    fn points(&mut self) -> Option<[u8; KIND_SLOTS]> {
        let ends = &self.definition.ends;
        let mut all = [0; KIND_SLOTS];
        for (letter, points) in &ends.points {
            let kinds = self.kinds_of(&format!("ends.points.{letter}"), letter);
            kinds.into_iter().flat_map(KindSet::kinds).for_each(|kind| all[kind.slot()] = *points);
        }
        if ends.unmated == Unmated::Draw {
            return None;
        }
        if ends.points.is_empty() {
            self.fail("ends.points", "points decide, and no piece counts any; add them: { R = 13 }");
        }
        Some(all)
    }

    /// Which attacks are no chase.
    fn chases<M: Mask>(&mut self) -> Chases<M> {
        let mut chases = Chases { free: KindSet::EMPTY, on: ByOwner::from_fn(|_| Vec::new()) };
        for index in 0..self.kinds.len() {
            let letter = self.kinds[index].key();
            let section = self.definition.pieces.get(&letter);
            if section.is_some_and(|piece| piece.may_chase) {
                chases.free.insert(KindId(index as u8));
            }
            let region = section.and_then(|piece| piece.chased_on.as_deref()).unwrap_or("all");
            let on: ByOwner<M> = self.mirrored(&format!("pieces.{letter}.chased-on"), region);
            Owner::REAL.iter().for_each(|&owner| chases.on[owner].push(on[owner]));
        }
        chases
    }

    /// The movers of a kind for an owner.
    pub(super) fn movers_of(&self, owner: Owner, index: usize) -> &[Mover] {
        let (real, natures) = &self.betza[index];
        if owner.is_real() { real } else { natures }
    }

    /// Whose pieces a kind captures.
    pub(super) fn victims(&self, index: usize) -> Victims {
        let letter = self.kinds[index].key();
        self.definition.pieces.get(&letter).map_or(Victims::Others, |piece| piece.captures)
    }

    /// The kind that must stay attacked. Each player has exactly one, in the array.
    fn anti_king(&mut self, array: &[Option<Piece>]) -> Option<KindId> {
        let marked: Vec<usize> =
            (0..self.kinds.len()).filter(|&index| self.kinds[index].anti_royal).collect();
        let (&first, more) = marked.split_first()?;
        let path =
            |compiler: &Self, index: usize| format!("pieces.{}.anti-royal", compiler.kinds[index].key());
        for &index in more {
            let known = self.kinds[first].key();
            self.fail(path(self, index), format!("`{known}` must stay attacked already; keep one such kind"));
        }
        if self.kinds[first].royal || self.kinds[first].pawn {
            let message =
                "a king or a pawn cannot be the piece that must stay attacked; use a kind of its own";
            self.fail(path(self, first), message);
        }
        let letter = self.kinds[first].key();
        if self.definition.promotion.kinds.contains(&letter) {
            self.fail(
                "promotion.kinds",
                format!("no pawn becomes `{letter}`, which must stay attacked; remove it"),
            );
        }
        let unsure = ["pieces", "setup.board"].iter().any(|path| self.unknown.has(path));
        if unsure || !self.board_is_sure() || self.errors.iter().any(|error| error.path == "setup.board") {
            return Some(KindId(first as u8));
        }
        for owner in Owner::REAL {
            let kind = KindId(first as u8);
            let count = array.iter().filter(|piece| **piece == Some(Piece { owner, kind })).count();
            if count != 1 {
                let message = format!("{} has {count} pieces `{letter}`; it needs exactly one", owner.name());
                self.fail("setup.board", message);
            }
        }
        Some(KindId(first as u8))
    }

    /// The movement of the kinds that capture pieces of their owner's.
    fn own_captures<M: Mask>(&self) -> Option<OwnCaptures<M>> {
        let captures = |index: &usize| self.victims(*index) != Victims::Others;
        let kinds: KindSet =
            (0..self.kinds.len()).filter(captures).map(|index| KindId(index as u8)).collect();
        if kinds.is_empty() {
            return None;
        }
        let movers = ByOwner::from_fn(|owner| {
            let of_kind = |index: usize| match kinds.has(KindId(index as u8)) {
                true => self.movers_of(owner, index).to_vec(),
                false => Vec::new(),
            };
            (0..self.betza.len()).map(of_kind).collect()
        });
        Some(OwnCaptures { kinds, moves: self.tables(movers) })
    }

    /// The kinds with a first move of their own.
    fn first_leaps<M: Mask>(&mut self, array: &ByOwner<Vec<M>>) -> Option<FirstLeaps<M>> {
        let definition = self.definition;
        let mut kinds = KindSet::EMPTY;
        let mut leaps = Vec::new();
        for index in 0..self.kinds.len() {
            let letter = self.kinds[index].key();
            let text = definition.pieces.get(&letter).and_then(|piece| piece.first_leap.as_deref());
            let path = format!("pieces.{letter}.first-leap");
            let movers = text.map_or_else(Vec::new, |text| self.movers(&path, text));
            if movers.iter().any(|mover| mover.captures) {
                self.fail(path, "a first leap goes to vacant squares; write `m` before it");
            }
            if text.is_some() {
                kinds.insert(KindId(index as u8));
            }
            leaps.push(movers);
        }
        if kinds.is_empty() {
            return None;
        }
        if definition.gating.enabled || self.board.files() > 10 && self.board_is_sure() {
            let message = "the rights to first leaps are written as letters of files; use at most 10 files";
            self.fail("pieces", format!("{message}, and no gating"));
        }
        let starts = ByOwner::from_fn(|owner| {
            let squares = |all: M, kind: KindId| all | array[owner][kind.index()];
            if owner.is_real() { kinds.kinds().fold(M::EMPTY, squares) } else { M::EMPTY }
        });
        for owner in Owner::REAL {
            let files: Vec<u8> = starts[owner].squares().map(|square| self.board.file(square)).collect();
            if (1..files.len()).any(|index| files[..index].contains(&files[index])) {
                let message = format!("{} has two pieces with a first leap on one file", owner.name());
                self.fail("setup.board", format!("{message}; their rights could not be written"));
            }
        }
        let moves = self.tables(ByOwner::from_fn(|_| leaps.clone()));
        Some(FirstLeaps { kinds, moves, starts })
    }

    /// The piece that may become another kind on its square.
    fn switch(&mut self) -> Option<Switch> {
        let section = &self.definition.switch;
        if section.from.is_empty() && section.to.is_empty() {
            return None;
        }
        let (from, to) = (self.kind("switch.from", &section.from), self.kind("switch.to", &section.to));
        let (from, to) = (from?, to?);
        for (path, kind) in [("switch.from", from), ("switch.to", to)] {
            let info = &self.kinds[kind.index()];
            if info.royal || info.anti_royal || info.pawn {
                self.fail(
                    path,
                    "a king, an Anti-King or a pawn takes no part in a switch; use another piece",
                );
            }
        }
        if from == to {
            self.fail("switch.to", "a piece cannot be switched for its own kind; name another");
        }
        Some(Switch { from, to })
    }

    /// The promotion of another piece by a pawn's arrival.
    fn other_promotion<M: Mask>(&mut self) -> Option<OtherPromotion<M>> {
        let section = &self.definition.promotion.other;
        let zone: ByOwner<M> = self.mirrored("promotion.other.zone", &section.zone);
        if section.of.is_empty() && section.to.is_empty() {
            if zone[Owner::White].any() {
                self.fail("promotion.other.of", "the zone promotes no piece; name it");
            }
            return None;
        }
        let of = self.kind("promotion.other.of", &section.of)?;
        let to = self.kind_set("promotion.other.to", &section.to);
        if to.is_empty() && !section.to.is_empty() {
            return None;
        }
        let barred = |kind: KindId| {
            let info = &self.kinds[kind.index()];
            info.royal || info.anti_royal || info.pawn
        };
        if barred(of) || to.kinds().any(barred) {
            let message = "a king, an Anti-King or a pawn takes no part in this promotion; use other pieces";
            self.fail("promotion.other", message);
        }
        if to.is_empty() {
            self.fail("promotion.other.to", "the piece becomes no kind; add letters");
        }
        let natures = self.seen_from_all_sides(zone[Owner::White]);
        Some(OtherPromotion { zone, natures, of, to })
    }

    /// A zone of White's as each side of the board sees it: on a square board turned four times, else both players'.
    fn seen_from_all_sides<M: Mask>(&self, zone: M) -> Vec<M> {
        let board = self.board;
        let (files, ranks) = (board.files(), board.ranks());
        if files != ranks {
            return vec![zone, M::of(zone.squares().map(|square| board.flipped(square)))];
        }
        let turned = |zone: &M| {
            let at = |square| {
                let file = ranks - 1 - board.rank(square);
                board.square(file as i8, board.file(square) as i8)
            };
            Some(M::of(zone.squares().filter_map(at)))
        };
        std::iter::successors(Some(zone), turned).take(4).collect()
    }

    fn tables<M: Mask>(&self, movers: ByOwner<Vec<Vec<Mover>>>) -> ByOwner<MoveTables<M>> {
        let none = ByOwner([M::EMPTY; 3]);
        let starts = ByOwner::from_fn(|_| vec![M::EMPTY; self.kinds.len()]);
        let movers = ByOwner(movers.0.map(|kinds: Vec<Vec<Mover>>| {
            kinds
                .iter()
                .map(|movers| movers.iter().map(|mover| Regional::everywhere(self.board, *mover)).collect())
                .collect()
        }));
        MoveTables::of_all(self.board, movers, &starts, KindSet::EMPTY, (&none, 2))
    }
}
