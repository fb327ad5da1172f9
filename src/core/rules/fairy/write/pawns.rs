//! Pawns: first steps, capturing in passing, promotion.

use super::Writer;
use crate::rules::fairy::PROMOTES;
use crate::rules::fairy::places::Places;

impl<'s> Writer<'s> {
    /// Where pawns promote.
    pub(super) fn zone(&mut self) -> Places {
        let ranks = self.size.ranks;
        let from = self.number("promotionRank", 8);
        let to = if self.settings.get("promotionRank").is_some() { ranks } else { from };
        self.places("promotionRegionWhite", "promotionRegionBlack", Places::ranks(self.size, from, to))
    }

    pub(super) fn pawns(&mut self) {
        let second = Places::ranks(self.size, 2, 2);
        let last = self.number("doubleStepRank", 2);
        let least = self.number("doubleStepRankMin", 2);
        let is_ranked = self.get("doubleStepRank").is_some() | self.get("doubleStepRankMin").is_some();
        let otherwise = if is_ranked { Places::ranks(self.size, least, last) } else { second };
        let region = self.places("doubleStepRegionWhite", "doubleStepRegionBlack", otherwise);
        let steps = self.is_on("doubleStep", true);
        let has = self.settings.men.all().iter().any(|man| man.steps_twice);
        let taken = self.passed();
        if !(steps && has) || region.is_none() {
            return;
        }
        self.line(&format!("[pawns]\ndouble-step = \"{}\"", region.region()));
        if let Some(from) = taken {
            self.line("en-passant = true");
            if let Some(from) = from {
                self.line(&format!("en-passant-from = \"{from}\""));
            }
        }
        self.line("");
    }

    /// Whether pawns capture in passing: `None` if not, or else only after double steps from some squares.
    fn passed(&mut self) -> Option<Option<String>> {
        let all = Places::where_is(self.size, |_, _| true);
        let both = self.get("enPassantRegion").map(|text| Places::parse(self.size, text));
        let otherwise = both.flatten().unwrap_or(all.clone());
        let white = self
            .get("enPassantRegionWhite")
            .map_or(Some(otherwise.clone()), |text| Places::parse(self.size, text));
        let black =
            self.get("enPassantRegionBlack").map_or(Some(otherwise), |text| Places::parse(self.size, text));
        self.used.extend(["enPassantTypes", "enPassantTypesWhite", "enPassantTypesBlack"].map(str::to_owned));
        match (white, black) {
            (Some(white), Some(black)) if white.is_none() && black.is_none() => None,
            (Some(white), Some(black)) if white == all && black == all => Some(None),
            _ => {
                let why = "a definition has capturing in passing everywhere or nowhere";
                for key in ["enPassantRegion", "enPassantRegionWhite", "enPassantRegionBlack"] {
                    if self.settings.of.contains_key(key) {
                        self.refuse(key, why);
                    }
                }
                None
            }
        }
    }

    pub(super) fn promotion(&mut self, zone: &Places) {
        self.used.extend(["promotionPawnTypesWhite", "promotionPawnTypesBlack"].map(str::to_owned));
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
        }
        let kinds: Vec<String> = kinds.chars().map(|kind| format!("\"{kind}\"")).collect();
        self.line(&format!("kinds = [{}]\n", kinds.join(", ")));
    }
}
