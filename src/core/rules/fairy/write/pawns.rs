//! Pawns: first steps, capturing in passing, promotion.

use super::Writer;
use crate::rules::fairy::PROMOTES;
use crate::rules::fairy::places::Places;

/// Where pawns capture in passing: both players', White's, Black's.
const PASSED: [&str; 3] = ["enPassantRegion", "enPassantRegionWhite", "enPassantRegionBlack"];

impl<'s> Writer<'s> {
    /// Where pawns promote.
    pub(super) fn zone(&mut self) -> Places {
        let size = self.size;
        let from = self.number("promotionRank", 8);
        let otherwise = match self.settings.get("promotionRank") {
            Some(_) => Places::ranks(size, from, size.ranks).for_both(),
            // On boards of any height.
            None => [Places::ranks(size, 8, 8), Places::ranks(size, 1, 1)],
        };
        self.places(["promotionRegionWhite", "promotionRegionBlack"], otherwise)
    }

    pub(super) fn pawns(&mut self) {
        let size = self.size;
        let last = self.number("doubleStepRank", 2);
        let least = self.number("doubleStepRankMin", 2);
        let is_ranked =
            ["doubleStepRank", "doubleStepRankMin"].iter().any(|key| self.settings.get(key).is_some());
        let otherwise = match is_ranked {
            true => Places::ranks(size, least, last).for_both(),
            false => [Places::ranks(size, 2, 2), Places::ranks(size, 7, 7)],
        };
        let keys = ["doubleStepRegionWhite", "doubleStepRegionBlack"];
        let has = self.settings.men.all().iter().any(|man| man.steps_twice);
        if !self.is_on("doubleStep", true) || !has {
            // There is no step, from wherever.
            self.used.extend(keys.map(str::to_owned));
            self.used.extend(PASSED.map(str::to_owned));
            return;
        }
        let region = self.places(keys, otherwise);
        let passes = self.passes();
        if region.is_none() {
            return;
        }
        self.line(&format!("[pawns]\ndouble-step = \"{}\"", region.region()));
        if passes {
            self.line("en-passant = true");
        }
        self.line("");
    }

    /// True if pawns capture in passing.
    fn passes(&mut self) -> bool {
        let all = Places::where_is(self.size, |_, _| true);
        let [both, white, black] = PASSED;
        let otherwise = self.region(both, &all);
        let regions = [self.region(white, &otherwise), self.region(black, &otherwise)];
        let nowhere = regions.iter().all(Places::is_none);
        if !nowhere && regions.iter().any(|region| *region != all) {
            for key in PASSED.into_iter().filter(|key| self.settings.of.contains_key(*key)) {
                self.refuse(key, "a definition has capturing in passing everywhere or nowhere");
            }
        }
        !nowhere
    }

    /// True if pawns become only pieces that were captured: of each kind a player has as many as in the array at most.
    fn is_limited_to_captured(&mut self, kinds: &str) -> bool {
        let limits = self.get("promotionLimit").unwrap_or_default().to_owned();
        if limits.is_empty() {
            return false;
        }
        let start = self.get("startFen").unwrap_or_default().to_owned();
        let board = start.split(['[', ' ']).next().unwrap_or_default();
        let in_array = |kind: char| board.matches(kind.to_ascii_uppercase()).count();
        let limit = |kind: char| {
            let mut all = limits.split_whitespace().filter_map(|limit| limit.split_once(':'));
            let (_, most) = all.find(|(letter, _)| letter.eq_ignore_ascii_case(&kind.to_string()))?;
            most.parse::<usize>().ok()
        };
        let is_so = kinds.chars().all(|kind| limit(kind) == Some(in_array(kind)));
        if !is_so {
            let why =
                "a definition limits pawns to captured pieces: to as many of each kind as the array has";
            self.refuse("promotionLimit", why);
        }
        is_so
    }

    pub(super) fn promotion(&mut self, zone: &Places) {
        let by_pieces = !self.promoted().is_empty();
        self.used.insert(PROMOTES.to_owned());
        let men = &self.settings.men;
        let kinds: String =
            self.settings.promotes.iter().filter_map(|name| men.called(name)).map(|man| man.letter).collect();
        for key in ["promotionPieceTypesWhite", "promotionPieceTypesBlack"] {
            if self.get(key).is_some_and(|list| {
                let mut own: Vec<char> = list.to_ascii_uppercase().chars().collect();
                let mut all: Vec<char> = kinds.chars().collect();
                own.sort_unstable();
                all.sort_unstable();
                own != all
            }) {
                self.refuse(key, "pawns of both players become the same pieces in a definition");
            }
        }
        let mandatory = self.is_on("mandatoryPawnPromotion", true);
        let pawns = !self.pawn_letters().is_empty();
        if zone.is_none() || !by_pieces && (kinds.is_empty() || !pawns) {
            return;
        }
        self.line(&format!("[promotion]\nzone = \"{}\"", zone.region()));
        if by_pieces {
            self.line("from-zone = true\n");
            return;
        }
        if mandatory {
            self.line(&format!("forced = \"{}\"", zone.region()));
        } else if self.is_on("immobilityIllegal", false) {
            // There no pawn has a move left.
            let last = Places::where_is(self.size, |_, rank| rank == self.size.ranks);
            self.line(&format!("forced = \"{}\"", last.region()));
        }
        if self.is_limited_to_captured(&kinds) {
            self.line("to = \"pool\"\n");
            return;
        }
        let kinds: Vec<String> = kinds.chars().map(|kind| format!("\"{kind}\"")).collect();
        self.line(&format!("kinds = [{}]\n", kinds.join(", ")));
    }
}
