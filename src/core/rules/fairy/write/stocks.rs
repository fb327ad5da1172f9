//! Reserve and hand, and captures.

use super::{Start, Writer};
use crate::rules::fairy::places::Places;
use std::collections::BTreeSet;

impl<'s> Writer<'s> {
    /// Reserve and hand: what goes there, and where it comes from there.
    pub(super) fn stocks(&mut self, start: &Start<'_>, zone: &Places) {
        let (drops, gates) = (self.is_on("pieceDrops", false), self.is_on("gating", false));
        let (to_hand, is_loop) = (self.is_on("capturesToHand", false), self.is_on("dropLoop", false));
        let two_boards = self.is_on("twoBoards", false);
        let by_pieces = !self.promoted().is_empty();
        if gates {
            if !self.is_on("seirawanGating", false) || drops || to_hand {
                self.refuse(
                    "gating",
                    "only the gating of S-Chess, without drops, has fields in a definition",
                );
            }
            self.line("[gating]\nenabled = true\nwith-castling = \"either\"\n");
        }
        self.used.insert("seirawanGating".to_owned());
        if to_hand && !drops {
            self.refuse(
                "capturesToHand",
                "captured pieces in hand are dropped in a definition; set pieceDrops",
            );
        }
        let all = Places::where_is(self.size, |_, _| true);
        let where_to = self.places(["dropRegionWhite", "dropRegionBlack"], all.for_both());
        let (first, in_zone) =
            (self.is_on("firstRankPawnDrops", false), self.is_on("promotionZonePawnDrops", false));
        let doubled = self.letters("dropNoDoubled").unwrap_or_default();
        let mates = !self.is_on("shogiPawnDropMateIllegal", false);
        if drops {
            self.line(&format!("[drops]\nhand = \"{}\"", where_to.region()));
            if self.settings.men.called("pawn").is_some() {
                let may = |file, rank| (first || rank > 1) && (in_zone || !zone.has(file, rank));
                self.line(&format!("pawns = \"{}\"", Places::where_is(self.size, may).region()));
            }
            let pawn = self.settings.men.called("shogiPawn").or(self.settings.men.called("pawn"));
            match pawn.map(|man| man.letter.to_string()) {
                Some(pawn) if doubled == pawn => self.line("pawns-share-files = false"),
                _ if doubled.is_empty() => {}
                _ => self.refuse("dropNoDoubled", "only pawns are not dropped on a file with another"),
            }
            if !mates {
                self.line("pawn-mate = false");
            }
            self.line("");
        } else if !start.pocket.is_empty() && !gates {
            self.refuse("startFen", "pieces in hand are dropped in a definition; set pieceDrops");
        }
        self.deployment(start, drops);
        self.captures(to_hand || two_boards, is_loop || by_pieces);
    }

    /// What captures do, and where captured pieces go.
    fn captures(&mut self, come_back: bool, stay_promoted: bool) {
        let blast = self.is_on("blastOnCapture", false);
        let spared = self.letters("blastImmuneTypes").unwrap_or_default();
        let must = self.is_on("mustCapture", false);
        if !(come_back || blast || must) {
            return;
        }
        self.line("[captures]");
        if come_back {
            self.line(if self.settings.is_on("twoBoards", false) {
                "to = \"partner\""
            } else {
                "to = \"hand\""
            });
            if !stay_promoted {
                self.line("promoted-revert = true");
            }
        }
        if must {
            self.line("compulsory = true");
        }
        if blast {
            let pawn = self.settings.men.called("pawn").map(|man| man.letter);
            let kinds: BTreeSet<char> = pawn.into_iter().chain(spared.chars()).collect();
            let kinds: Vec<String> = kinds.iter().map(|kind| format!("\"{kind}\"")).collect();
            self.line(&format!("explode = \"K\"\nexplode-spares = [{}]", kinds.join(", ")));
        }
        self.line("");
    }

    /// Pieces that are placed before play.
    fn deployment(&mut self, start: &Start<'_>, drops: bool) {
        let apart = self.is_on("dropOppositeColoredBishop", false);
        if !self.is_on("mustDrop", false) {
            if apart {
                self.refuse(
                    "dropOppositeColoredBishop",
                    "bishops are placed apart before play alone; set mustDrop",
                );
            }
            return;
        }
        if !drops || start.pocket.is_empty() {
            return self.refuse(
                "mustDrop",
                "pieces in hand are placed first; set pieceDrops and name them in startFen",
            );
        }
        self.line("[deployment]\nkind = \"any-order\"");
        if let Some(bishop) = self.settings.men.called("bishop").filter(|_| apart) {
            self.line(&format!("both-colours = \"{}\"", bishop.letter));
        }
        self.line("");
    }
}
