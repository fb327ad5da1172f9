//! The sentences for each section of a definition.

use super::super::definition::{
    BareKing, BoardHonour, CapturesTo, CastlingNotation, Check, DeadPosition, Declaration, DeploymentKind,
    DropSection, EndSection, GateCastling, Kings, KingsSquare, Mate, MoveCount, NaturesMate, Perpetual,
    PromotionOn, PromotionTo, Repetition, Stalemate, Unmated,
};
use super::{Writer, promotion_is_asked_again};

impl Writer<'_> {
    pub(super) fn sections(&mut self) {
        self.pawns();
        self.promotion();
        self.changes();
        self.castling();
        self.entering();
        self.captures();
        if self.definition.nature.enabled {
            self.nature();
        }
        if !self.definition.armies.slots.is_empty() {
            self.armies();
        }
        self.endings();
        self.heading("Notation");
        let style = self.definition.native_style.clone();
        self.say(&format!("Records are read in the style `{style}` first, unless another is demanded"), &[]);
    }

    fn pawns(&mut self) {
        let section = &self.definition.pawns;
        let double = if section.double_step.is_empty() { "none" } else { &section.double_step };
        self.heading("Pawns");
        if double == "none" {
            self.say("Pawns have no double step and no en passant capture", &["ICH 5", "ING 2", "AKC 6"]);
        } else {
            let (how, ids): (_, &[&str]) = match section.first_step {
                3 => ("two or three squares forward, all vacant", &["OMG 3"]),
                _ => ("two squares forward, both vacant", &["FIDE 3.7"]),
            };
            self.say(&format!("A pawn may move {how}, from {}", region(double)), ids);
            match section.en_passant {
                true if section.first_step > 2 => self.say(
                    "A pawn that has just done so may be captured en passant on any square that it passed, by the \
                        next ply only",
                    &["OMG 3", "FIDE 3.7"],
                ),
                true => self.say(
                    "A pawn that has just done so may be captured en passant, by the next ply only",
                    &["FIDE 3.7"],
                ),
                false => self.say("There is no capture en passant", &["ICH 5"]),
            }
            if !section.en_passant_from.is_empty() {
                let text =
                    format!("Only a double step from {} gives that right", region(&section.en_passant_from));
                self.say(&text, &["LIC 5"]);
            }
        }
        self.further(&section.rule);
    }

    fn promotion(&mut self) {
        let section = &self.definition.promotion;
        self.heading("Promotion");
        if section.zone == "none" {
            self.say("Pawns are not promoted", &[]);
            return self.further(&section.rule);
        }
        let own: Vec<String> = self
            .definition
            .pieces
            .iter()
            .filter_map(|(letter, piece)| Some(format!("`{letter}` to `{}`", piece.promotes_to.as_ref()?)))
            .collect();
        if !own.is_empty() {
            let begins = if section.from_zone { "begins or ends" } else { "ends" };
            let text = format!(
                "A move that {begins} on {} may promote the piece: {}",
                region(&section.zone),
                own.join(", ")
            );
            self.say(&text, &["SHO 2"]);
            self.say("It must where the piece could not move again", &["SHO 2"]);
            let mut pawns = self.definition.pieces.values().filter(|piece| piece.pawn);
            if pawns.all(|pawn| pawn.promotes_to.is_some()) {
                return self.further(&section.rule);
            }
        }
        let (must, forced) = match section.forced.as_str() {
            forced if forced == section.zone => ("must be promoted", String::new()),
            "none" => ("may be promoted", String::new()),
            forced => ("may be promoted", format!("; it must be on {}", region(forced))),
        };
        match section.to {
            PromotionTo::Kinds => {
                let kinds = section.kinds.join(", ");
                let text = format!("{} {must}, to one of {kinds}{forced}", arriving(&section.zone));
                self.say(&text, &["FIDE 3.7", "ICH 4", "CAP 4", "SCH 5", "AKC 6"]);
            }
            PromotionTo::Pool => self.promotion_from_pool(must, &forced),
            PromotionTo::ArraySquare => {
                let within = match section.zone.as_str() {
                    "all" => String::new(),
                    zone => format!(" of {}", region(zone)),
                };
                let text = format!(
                    "A pawn that reaches a square{within} that is an array square of an opposing piece may \
                        become that piece at once; otherwise it stays a pawn until it reaches another such square"
                );
                self.say(&text, &["ING 4"]);
                self.say("Captured pieces do not matter", &["ING-3"]);
            }
            PromotionTo::Armies => {
                let text = format!(
                    "{} {must}, to any kind of either army except king and pawn",
                    arriving(&section.zone)
                );
                self.say(&text, &["AUG 3"]);
                self.say(
                    "`'` marks kinds that only the other army has; kinds of both armies are unmarked",
                    &["AUG-4", "AUG-5"],
                );
            }
        }
        if promotion_is_asked_again(self.definition) {
            self.promotion_on();
        }
        self.further(&section.rule);
    }

    /// Passes, kings that face each other, and what decides a game without a mate.
    fn without_mate(&mut self, section: &EndSection) {
        if self.definition.pass.allowed {
            self.say(
                "A player who is not in check may pass; two passes running end the game without a mate",
                &["JNG 3"],
            );
        }
        if section.bikjang {
            self.say(
                "If the kings face each other on a file with nothing between, the player on move must part them, or \
                    accept it by a pass, even in check, which ends the game without a mate",
                &["JNG 4", "JNG-2"],
            );
        }
        let ends = self.definition.pass.allowed || section.bikjang || section.quiet_limit > 0;
        match section.unmated {
            Unmated::Points => {
                let points = section.points.iter().map(|(kind, points)| format!("{kind} {points}"));
                let points = points.collect::<Vec<_>>().join(", ");
                let extra = f32::from(section.black_half_points) / 2.0;
                let text = format!(
                    "A game without a mate is won by the greater sum of points: {points}; Black has {extra} more"
                );
                self.say(&text, &["JNG 5"]);
            }
            Unmated::Draw if ends => self.say("A game without a mate is drawn", &["JNG 5"]),
            Unmated::Draw => {}
        }
    }

    /// The promotion of another piece, and the piece that may be switched.
    fn changes(&mut self) {
        let other = &self.definition.promotion.other;
        if !other.of.is_empty() {
            let text = format!(
                "{} also promotes one `{}` of its owner's choice at once, if there is one, to one of {}",
                arriving(&other.zone),
                other.of,
                other.to.join(", ")
            );
            self.say(&text, &["MDM 3"]);
            self.further(&other.rule);
        }
        let switch = &self.definition.switch;
        if !switch.from.is_empty() {
            self.heading("Switch");
            let text = format!(
                "As a whole ply a player may switch one of the own `{}` for `{}` on its square, never back",
                switch.from, switch.to
            );
            self.say(&text, &["MDM 2"]);
            self.further(&switch.rule);
        }
    }

    fn promotion_from_pool(&mut self, must: &str, forced: &str) {
        let pawn = arriving(&self.definition.promotion.zone);
        let text = format!("{pawn} {must}, to a captured or reserved kind of its owner{forced}");
        self.say(&text, &["IAB 3", "IAB-3"]);
        let blocked = "While there is none, no pawn may move there, but pawns still attack those squares";
        self.say(blocked, &["IAB-4"]);
        self.say("A promotion to a reserve piece removes that piece from the reserve", &["IAB-8"]);
        for (from, to) in &self.definition.equipment.stand_ins {
            self.say(
                &format!("A captured `{from}`, turned over, may serve as `{to}`, one at a time"),
                &["IAV 7"],
            );
        }
    }

    fn promotion_on(&mut self) {
        let section = &self.definition.promotion;
        let text = match section.on {
            PromotionOn::Any => {
                "Optional promotion is offered at every pawn move that ends there, even \
                    if it began there"
            }
            PromotionOn::Entry => "Optional promotion is offered only when the pawn enters these squares",
        };
        self.reading(text, &["ICH-3"], "promotion.on", &section.on);
    }

    fn castling(&mut self) {
        let section = &self.definition.castling;
        self.heading("Castling");
        if !section.enabled {
            self.say("There is no castling", &["ICH 5", "ING 3", "AKC 6"]);
            return;
        }
        let (long, short) = (&section.queen_side, &section.king_side);
        let text = format!(
            "King and `{}` castle if neither has moved: the king ends on the {}-file and the other on {}, \
                or they end on {} and {}",
            section.rook, short.king, short.rook, long.king, long.rook
        );
        self.say(&text, &["FIDE 3.8", "FIDE 960", "CAP 3"]);
        if let Some(placed) = &section.placed {
            let text = format!(
                "A king placed on the {}-file castles with rooks placed on one of these files: {}",
                placed.king, placed.rooks
            );
            self.say(&text, &[]);
        }
        if section.rank > 1 {
            self.say(&format!("They castle on the player's rank {}", section.rank), &[]);
        }
        self.say(
            "The squares that either crosses must be vacant, and those of the king's path not attacked",
            &["FIDE 3.8", "FIDE 960"],
        );
        let text = match section.notation {
            CastlingNotation::KingTarget => "Coordinate notation writes the king's two squares",
            CastlingNotation::RookSquare => "Coordinate notation writes the king's square and the rook's",
        };
        self.say(text, &[]);
        self.further(&section.rule);
    }

    /// Deployment.
    fn deploying(&mut self) {
        let (drops, deployment) = (&self.definition.drops, &self.definition.deployment);
        match deployment.kind {
            DeploymentKind::None => {}
            DeploymentKind::Opening => {
                self.heading("Deployment");
                let text = format!(
                    "The first ply of each player puts a reserve piece on {}, Black's on the square \
                        opposite; it counts as an entry",
                    deployment.square
                );
                self.say(&text, &["IAC 2", "IAC-1"]);
                self.say("That piece counts as having started there", &["IAC-2"]);
                self.further(&deployment.rule);
            }
            DeploymentKind::Hand => {
                self.heading("Deployment");
                let text = format!(
                    "First the players in turn place the pieces in hand, one piece a ply, on vacant squares \
                        of {}; the king comes last",
                    region(&drops.hand)
                );
                self.say(&text, &["ICH 2"]);
                self.say("The king may not be placed on an attacked square", &["ICH-2"]);
                self.further(&deployment.rule);
            }
            DeploymentKind::AnyOrder => {
                self.heading("Deployment");
                let text = format!(
                    "First the players in turn place the pieces in hand, one piece a ply and in any order, on vacant \
                        squares of {}",
                    region(&drops.hand)
                );
                self.say(&text, &[]);
                for letter in deployment.both_colours.chars() {
                    self.say(&format!("`{letter}` are placed on squares of both colours alike"), &[]);
                }
                self.further(&deployment.rule);
            }
        }
    }

    /// Deployment, gating, drops.
    fn entering(&mut self) {
        self.deploying();
        let (gating, drops) = (&self.definition.gating, &self.definition.drops);
        if gating.enabled {
            self.heading("Gating");
            self.say(
                "When a piece of the back rank makes its first move, a reserve piece may take the \
                vacated square; never later",
                &["IAB 2a", "IAB-1", "SCH 2"],
            );
            self.say(
                "A piece from the reserve does not gate, and no piece enters on a square whose original piece \
                was captured",
                &["IAB-6", "IAB-7", "SCH 2"],
            );
            let (text, ids): (_, &[&str]) = match gating.with_castling {
                GateCastling::Never => ("Castling does not gate", &["IAB 4"]),
                GateCastling::Either => {
                    ("Castling may gate, on the king's square or the rook's", &["SCH 3", "IAB 4"])
                }
            };
            self.reading(text, ids, "gating.with-castling", &gating.with_castling);
            let per_turn = gating.per_turn.max(1);
            self.reading(
                &format!("Pieces that may enter in one ply: {per_turn}"),
                &["IAB 2"],
                "gating.per-turn",
                &per_turn,
            );
            let (text, ids): (_, &[&str]) = match gating.may_block {
                true => ("The gated piece may block a check", &["IAB-2"]),
                false => ("The move must be legal without the gated piece", &["SCH 4", "IAB-2"]),
            };
            self.reading(text, ids, "gating.may-block", &gating.may_block);
            self.further(&gating.rule);
        }
        self.drops(drops);
    }

    fn drops(&mut self, drops: &DropSection) {
        if drops.reserve == "none" && drops.hand == "none" {
            return;
        }
        self.heading("Drops");
        if drops.reserve != "none" {
            self.say(
                &format!(
                    "A player may put a reserve piece on a vacant square of {} instead of moving",
                    region(&drops.reserve)
                ),
                &["IAB 2b"],
            );
            match drops.entries {
                None => {}
                Some(n) if n < 0 => {
                    self.reading(
                        "A player may drop and gate at most as many pieces in a game as the reserve \
                        had at the start",
                        &["IAB 5"],
                        "drops.entries",
                        &n,
                    );
                }
                Some(n) => self.reading(
                    &format!("A player may drop and gate at most {n} pieces in a game"),
                    &["IAB 5"],
                    "drops.entries",
                    &n,
                ),
            }
        }
        if drops.hand != "none" {
            self.say(
                &format!(
                    "A player may put a piece in hand on a vacant square of {} instead of moving",
                    region(&drops.hand)
                ),
                &["ICH 3", "ZH 2", "SHO 3"],
            );
            if drops.pawns != "all" {
                self.say(&format!("Pawns may be dropped only on {}", region(&drops.pawns)), &["ZH 2"]);
            }
            if !drops.pawns_share_files {
                self.say("No pawn may be dropped on a file where its owner has one", &["ICH 3", "SHO 3"]);
            }
            for (letter, piece) in &self.definition.pieces {
                if let Some(squares) = &piece.drop {
                    self.say(&format!("`{letter}` may be dropped only on {}", region(squares)), &["SHO 3"]);
                }
            }
            if !drops.pawn_mate {
                self.say("A dropped pawn may not mate at once", &["SHO 3", "SHO-1"]);
            }
        }
        self.say("A drop may give check or checkmate, or block a check", &["IAB-5", "ICH 3", "ZH 3"]);
        self.further(&drops.rule);
    }

    fn captures(&mut self) {
        let section = &self.definition.captures;
        self.heading("Captures");
        match section.to {
            CapturesTo::None if self.definition.promotion.to == PromotionTo::Pool => {
                self.say(
                    "Captured pieces leave the game, unless a pawn is promoted to one of them",
                    &["IAB 3"],
                );
            }
            CapturesTo::None => self.say("Captured pieces leave the game", &["FIDE 3.1"]),
            CapturesTo::Reserve => {
                let text = "A captured piece returns to its owner's reserve; a captured pawn leaves the game";
                self.say(text, &["IAB 3"]);
            }
            CapturesTo::Partner => {
                self.say(
                    "The game is played on two boards by two partners against two; a captured piece goes to the \
                        hand of the captor's partner, who plays its colour",
                    &["BUG 1", "BUG 2"],
                );
                if section.promoted_revert {
                    self.say("A promoted piece goes to hand as a pawn", &["BUG 3"]);
                }
            }
            CapturesTo::Hand => {
                self.say(
                    "A captured piece changes sides and goes to its captor's hand",
                    &["ICH 6", "ZH 1", "SHO 3"],
                );
                match section.promoted_revert {
                    true => self.say("A promoted piece goes to hand as a pawn", &["ZH 4"]),
                    false => self.say("It keeps its kind in hand, unless its definition differs", &["ICH 6"]),
                }
            }
        }
        self.unusual_captures();
        self.further(&section.rule);
    }

    fn mates(&mut self) {
        let section = &self.definition.ends;
        if self.definition.setup.kings != Kings::None && self.definition.check == Check::Allowed {
            match section.mate {
                Mate::NoLegalPly => self.say("Checkmate wins", &["FIDE 5.1.1", "ICH 7", "AKC 5"]),
                Mate::NoDropParries => self.say(
                    "Checkmate wins; a player without a legal ply is mated only if no drop of a piece of any kind, \
                        in hand or not, could meet the check, and otherwise waits for a piece",
                    &["BUG 4"],
                ),
            }
        }
    }

    fn stalemates(&mut self) {
        let section = &self.definition.ends;
        let (text, ids): (_, &[&str]) = match section.stalemate {
            Stalemate::Draw => ("Stalemate (no legal ply, not in check) is a draw", &["FIDE 5.2.1"]),
            Stalemate::Loss => ("Stalemate (no legal ply, not in check) loses", &["ICH-4", "SHA 3", "SHO 4"]),
            Stalemate::Win => ("A player without a legal ply has won", &["LIC 3"]),
            Stalemate::Waits => (
                "A player without a legal ply who is not in check waits for a piece from the other board",
                &["BUG 5"],
            ),
            Stalemate::FewerPieces => (
                "When a player has no legal ply, the player with fewer pieces has won; with as many, the game is drawn",
                &["LIC-4"],
            ),
        };
        self.reading(text, ids, "ends.stalemate", &section.stalemate);
    }

    fn endings(&mut self) {
        let section = &self.definition.ends;
        self.heading("Endings");
        self.mates();
        if self.definition.pieces.values().any(|piece| piece.anti_royal) {
            self.say(
                "A player without a legal ply who is not in check, and whose Anti-King no opposing piece attacks, \
                    loses by anti-checkmate",
                &["AKC 5"],
            );
        }
        match section.kings_square {
            KingsSquare::None => {}
            KingsSquare::MustBecomeKing => {
                let text = "A pawn on the opposing king's array square must become a king, and wins";
                self.reading(text, &["ING 5", "ING-1"], "ends.kings-square", &section.kings_square);
                self.say("That ply must not leave its owner's original king attacked", &["ING-2"]);
            }
            KingsSquare::MayBecomeKing => {
                let text = "A pawn on the opposing king's array square may become a king, and wins then; otherwise it \
                    stays a pawn without any move";
                self.reading(text, &["ING 5", "ING-1"], "ends.kings-square", &section.kings_square);
                self.say("That ply must not leave its owner's original king attacked", &["ING-2"]);
            }
            KingsSquare::PawnSuffices => {
                let text = "A pawn wins by reaching the array square of the opposing king";
                self.reading(text, &["ING 5", "ING-1"], "ends.kings-square", &section.kings_square);
            }
        }
        self.wins_besides_mate();
        match section.bare_king {
            BareKing::No => {}
            BareKing::Answerable => self.say(
                "A player with a bare king loses, unless the next ply bares the opponent as well, \
                which is a draw",
                &["IAV 5", "IAV-1", "SHA 4"],
            ),
            BareKing::AtOnce => {
                self.say("A player with a bare king loses at once", &["SHA 4", "SHA-2", "IAV 5"]);
            }
        }
        self.stalemates();
        if self.definition.nature.enabled {
            let nature = &self.definition.nature;
            let text = match nature.natures_mate {
                NaturesMate::OnMove => {
                    "If Nature alone gives check and the player on move has no legal ply, that is Nature's mate, \
                        a draw"
                }
                NaturesMate::Either => "Nature's mate of either player, on move or not, is a draw",
            };
            self.reading(text, &["CHA 8", "CHA-7"], "nature.natures-mate", &nature.natures_mate);
        }
        self.draws();
        if section.misere {
            self.say(
                "All of these results are reversed: the winner loses. Resignation and loss on time count as usual",
                &["IAV 4", "IAV-2"],
            );
        }
        // An inherited list may name articles whose readings are off.
        self.named
            .extend(["5.2.1", "5.2.2", "9.2", "9.3", "9.6.1", "9.6.2"].map(|law| format!("FIDE {law}")));
        self.further(&section.rule);
    }

    /// Repetition, move counters, dead positions.
    fn draws(&mut self) {
        let section = &self.definition.ends;
        let (text, ids): (_, &[&str]) = match section.repetition {
            Repetition::Fide => (
                "The third occurrence of a position is a draw on claim, the fifth automatically",
                &["FIDE 9.2", "FIDE 9.6.1"],
            ),
            Repetition::FourfoldPerpetual => (
                "The fourth occurrence of a position is a draw, but lost for a side all of whose plies \
                    since the first gave check",
                &["ICH-5", "SHO 5"],
            ),
            Repetition::ThreefoldPerpetual if section.perpetual == Perpetual::Claim => (
                "On a claim, the third occurrence of a position is lost for a side all of whose plies since the \
                    first gave check, and a draw if both sides did or if no ply since may have chased a piece",
                &["XQI 5", "XQI-2", "XQI-3"],
            ),
            Repetition::ThreefoldPerpetual => (
                "The third occurrence of a position is lost for a side all of whose plies since the first \
                    gave check, and a draw if both sides did; otherwise a draw on claim, if no ply since may \
                    have chased a piece",
                &["XQI 5", "XQI-2"],
            ),
            Repetition::Threefold => (
                "The third occurrence of a position ends the game: it is lost for a side all of whose plies since \
                    the first gave check; otherwise the game ends without a mate",
                &["JNG 6"],
            ),
            Repetition::None => ("Repetition has no effect", &[]),
        };
        self.reading(text, ids, "ends.repetition", &section.repetition);
        if let Some(loser) = section.repetition_loses.loser() {
            let text = format!("Otherwise the fourth occurrence is lost for {}", loser.name());
            self.reading(&text, &[], "ends.repetition-loses", &section.repetition_loses);
        }
        self.counters(section);
        self.without_mate(section);
        let (text, ids): (_, &[&str]) = match section.dead_position {
            DeadPosition::Kings => {
                ("Two kings alone draw; any other piece may still win", &["OMG-2", "FIDE 5.2.2", "COM-7"])
            }
            DeadPosition::Material if section.stalemate != Stalemate::Draw => (
                "Two kings alone draw; any other piece, on the board, in hand or in reserve, may still win by \
                    stalemate",
                &["FIDE 5.2.2", "COM-7", "ICH-6"],
            ),
            DeadPosition::Material if section.checks > 0 => (
                "Two kings alone draw; any other piece, on the board, in hand or in reserve, may still give check",
                &["LIC-1", "FIDE 5.2.2", "COM-7"],
            ),
            DeadPosition::Material => (
                "A position without mating material is a draw; pieces in hand and reserve count",
                &["FIDE 5.2.2", "COM-7", "ICH-6"],
            ),
            DeadPosition::None if section.bare_king.loses() => {
                ("No position is dead by its material", &["IAV-3"])
            }
            DeadPosition::None => ("No position is dead by its material", &["CHA-10", "AKC-6", "LIC-1"]),
        };
        self.reading(text, ids, "ends.dead-position", &section.dead_position);
        self.counts();
        self.declarations();
    }

    /// Moves without capture or pawn move.
    fn counters(&mut self, section: &EndSection) {
        match section.move_counters {
            true => self.say(
                "Fifty moves without capture, pawn move or entry are a draw on claim, seventy-five automatically",
                &["FIDE 9.3", "FIDE 9.6.2", "COM-5"],
            ),
            false if section.quiet_moves > 0 => {
                let text = format!(
                    "{} moves of each player without capture or pawn move are a draw on claim",
                    section.quiet_moves
                );
                self.say(&text, &["XQI-1", "COM-5"]);
            }
            false if section.quiet_limit > 0 => {
                let text = format!(
                    "{} moves of each player without capture or pawn move end the game without a mate",
                    section.quiet_limit
                );
                self.say(&text, &["JNG 6", "COM-5"]);
            }
            false => self.say("There is no fifty-move or seventy-five-move rule", &["ICH-6"]),
        }
    }

    /// Declarations.
    fn declarations(&mut self) {
        let section = &self.definition.ends;
        let points = match section.declaration {
            Declaration::None => return,
            Declaration::Points27 => "28 points, Black 27, and wins",
            Declaration::Points24 => "31 points, and wins; with 24 to 30 it draws",
        };
        let text = format!(
            "A player on move may declare with the king in the promotion zone, not in check, ten other pieces there \
            and {points}: rooks and bishops five each, others one, in the zone and in hand; who declares without that \
            loses"
        );
        self.reading(&text, &["SHO 6"], "ends.declaration", &section.declaration);
    }

    /// Counted moves.
    fn counts(&mut self) {
        let section = &self.definition.ends;
        if section.count == MoveCount::None {
            return;
        }
        self.say(
            "Once no pawn is left, a player with a bare king counts that king's moves, from the number of pieces on \
            the board, and draws with one move more than the limit: two rooks 8, one 16, two khon 22, two knights 32, \
            one khon 44, else 64",
            &["MAK 4", "MAK-1", "MAK-4"],
        );
        let text = match section.board_honour {
            BoardHonour::Claim => {
                "While both sides have pieces, the player on move may call for a count of 64 moves, and stop it; mate \
                by the counting player draws"
            }
            BoardHonour::Auto => {
                "While both sides have pieces, the side with fewer pieces counts 64 moves; mate by the counting player \
                draws"
            }
        };
        self.reading(text, &["MAK 5", "MAK-2"], "ends.board-honour", &section.board_honour);
        self.say("A seventh field of the FEN shows the count", &["MAK-3"]);
    }
}

/// A pawn that arrives in a promotion zone.
fn arriving(zone: &str) -> String {
    match zone {
        "all" => "A pawn that moves to any square".to_owned(),
        zone => format!("A pawn that reaches {}", region(zone)),
    }
}

/// A region in words, for White.
pub(super) fn region(text: &str) -> String {
    match text {
        "all" => "the whole board".to_owned(),
        "border" => "the border".to_owned(),
        "middle" => "the middle ranks and files".to_owned(),
        "rank 1" => "its own back rank".to_owned(),
        text => text.to_owned(),
    }
}
