//! Compiles a checked definition into tables.

mod blast;
mod goal;
mod kinds;
mod nature;
mod special;
mod unusual;

use super::compiled::{
    Castling, CountLimit, DefinitionFile, Drops, Gating, Nature, Placed, Promotion, Rules, RulesId, Special,
    Stock,
};
use super::definition::{
    Annihilation, CapturesTo, CastlingTarget, DeadPosition, Definition, DeploymentKind, Kings, KingsSquare,
    Mate, PromotionTo, Reentry, Stalemate, Victims,
};
use super::kinds::{KIND_SLOTS, KindId, KindInfo, KindSet, Piece};
use super::moves::{MoveTables, Regional};
use super::placement::{PlacementError, read_ranks};
use super::unknown_fields::UnknownFields;
use crate::board::{Board, ByOwner, Geometry, Mask, Owner, Square, parse_region};
use crate::pieces::betza::{self, Betza, Mover};
use crate::text::Span;
use crate::text::limits::{FILES_MAX, KINDS_MAX, RANKS_MAX};
use crate::text::time_control::TimeControl;
use std::sync::OnceLock;

/// An error in a definition: the field, the place in its value, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct FieldError {
    /// The field, such as `pieces.M.betza`.
    pub path: String,
    /// Bytes of its value, if a part of it is at fault.
    pub span: Option<Span>,
    /// The fault.
    pub message: String,
}

impl FieldError {
    /// An error about a whole field.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> FieldError {
        FieldError { path: path.into(), span: None, message: message.into() }
    }
}

/// What a record chooses before the game: armies or array.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// For each slot of the definition's armies: White's kind and Black's.
    pub armies: Option<ByOwner<Vec<Betza>>>,
    /// The board of the record's start position, if that is the array.
    pub array: Option<String>,
}

/// Compiles a definition with the record's choices.
///
/// # Errors
/// All invalid fields.
pub fn compile<M: Mask>(
    definition: &Definition,
    id: RulesId,
    choices: &Choices,
) -> Result<Rules<M>, Vec<FieldError>> {
    let mut compiler = Compiler::new::<M>(definition, choices, UnknownFields::default());
    let mut rules = compiler.rules(id);
    rules.steps_plainly = rules.may_step_plainly();
    if compiler.errors.is_empty() { Ok(rules) } else { Err(compiler.errors) }
}

/// All invalid fields; with fields in doubt, suppresses errors that they may have caused.
pub(super) fn mistakes(
    definition: &Definition,
    choices: &Choices,
    unknown: UnknownFields,
) -> Vec<FieldError> {
    let mut compiler = Compiler::new::<u128>(definition, choices, unknown);
    let id = RulesId { name: String::new(), edition: String::new(), digest: String::new() };
    compiler.rules::<u128>(id);
    compiler.errors
}

struct Compiler<'a> {
    definition: &'a Definition,
    choices: &'a Choices,
    /// The board; if its size is invalid or in doubt, the largest candidate.
    board: Board,
    /// Other candidates for the board.
    other_boards: Vec<Board>,
    kinds: Vec<KindInfo>,
    /// Movement by kind: the real players' and Nature's.
    betza: Vec<(Vec<Mover>, Vec<Mover>)>,
    unknown: UnknownFields,
    errors: Vec<FieldError>,
}

impl<'a> Compiler<'a> {
    fn new<M: Mask>(
        definition: &'a Definition,
        choices: &'a Choices,
        unknown: UnknownFields,
    ) -> Compiler<'a> {
        let (mut boards, errors) = boards(definition, &unknown, M::WIDTH);
        let board = boards.pop().unwrap_or(Board::SMALLEST);
        let (other_boards, kinds, betza) = (boards, Vec::new(), Vec::new());
        let mut compiler =
            Compiler { definition, choices, board, other_boards, kinds, betza, unknown, errors };
        compiler.check_partners();
        compiler.clock();
        compiler
    }
}

/// The candidate boards of a definition; exactly one if it is valid.
fn boards(definition: &Definition, unknown: &UnknownFields, squares: usize) -> (Vec<Board>, Vec<FieldError>) {
    let mut errors = Vec::new();
    let mut size = |name: &str, size: u8, max: usize| {
        let path = &format!("board.{name}");
        let within = (1..=max).contains(&usize::from(size));
        if !within && !unknown.has(path) {
            errors.push(FieldError::new(path, format!("{size} {name} are out of range; write 1 to {max}")));
        }
        (within && !unknown.has(path)).then_some(size)
    };
    let first_rank = definition.board.first_rank;
    let files = size("files", definition.board.files, FILES_MAX);
    let ranks = size("ranks", definition.board.ranks, RANKS_MAX);
    if first_rank > 1 {
        let message = format!("the first rank is numbered 0 or 1, not {first_rank}");
        errors.push(FieldError::new("board.first-rank", message));
    }
    let beside = |side: u8| u8::try_from((squares / usize::from(side)).min(FILES_MAX)).unwrap_or(1);
    let sizes = match (files, ranks) {
        (Some(files), Some(ranks)) => match definition.board.board().filter(|board| board.len() <= squares) {
            Some(board) => return (vec![board], errors),
            None => {
                let message =
                    format!("a board of {files} by {ranks} has too many squares; the limit is {squares}");
                errors.push(FieldError::new("board", message));
                vec![(files, beside(files)), (beside(ranks), ranks)]
            }
        },
        (Some(files), None) => vec![(files, beside(files))],
        (None, Some(ranks)) => vec![(beside(ranks), ranks)],
        (None, None) => vec![(11, beside(11)), (16, beside(16)), (beside(16), 16)],
    };
    let board = |(files, ranks)| definition.board.shaped(Board::new(files, ranks)?);
    (sizes.into_iter().filter_map(board).collect(), errors)
}

impl Compiler<'_> {
    fn fail(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.errors.push(FieldError::new(path, message));
    }

    /// True if the size of the board is known, so that anything outside it is an error.
    fn board_is_sure(&self) -> bool {
        let wrong = |error: &FieldError| error.path.starts_with("board");
        !self.unknown.has_any_in("board")
            && !self.unknown.has("board.files")
            && !self.unknown.has("board.ranks")
            && !self.errors.iter().any(wrong)
    }

    /// Calls `read` with the candidate boards; returns its error only if all fail.
    fn on_boards<T, E>(&self, read: impl Fn(Board) -> Result<T, E>) -> Result<T, E> {
        let first = read(self.board);
        let others = self.other_boards.iter();
        if first.is_ok() {
            first
        } else {
            others.filter_map(|&board| read(board).ok()).next().map_or(first, Ok)
        }
    }

    /// A region of the definition; empty if it is invalid.
    fn region<M: Mask>(&mut self, path: &str, text: &str) -> M {
        self.on_boards(|board| parse_region(board, text)).unwrap_or_else(|error| {
            self.errors.push(FieldError {
                path: path.into(),
                span: Some(error.span),
                message: error.message,
            });
            M::EMPTY
        })
    }

    /// A region for White, mirrored for Black, empty for Nature.
    fn mirrored<M: Mask>(&mut self, path: &str, text: &str) -> ByOwner<M> {
        let white: M = self.region(path, text);
        let black = M::of(white.squares().map(|square| self.board.flipped(square)));
        ByOwner([white, black, M::EMPTY])
    }

    /// Each player's reserve and hand at the start.
    fn stocks(&mut self) -> (Stock, Stock) {
        let setup = &self.definition.setup;
        (self.stock("setup.reserve", &setup.reserve), self.stock("setup.hand", &setup.hand))
    }

    fn stock(&mut self, path: &str, letters: &str) -> Stock {
        let mut stock: Stock = [0; KINDS_MAX];
        for letter in letters.chars() {
            if let Some(kind) = self.kind(path, &letter.to_string()) {
                stock[kind.index()] = stock[kind.index()].saturating_add(1);
            }
        }
        stock
    }

    fn array(&mut self) -> Vec<Option<Piece>> {
        let text = self.choices.array.clone().unwrap_or_else(|| self.definition.setup.board.clone());
        let nature = self.definition.nature.enabled;
        let (squares, errors) = read_ranks(self.board, &self.kinds, &text, nature);
        let unsure = ["pieces", "setup.board", "nature.enabled"];
        if text.is_empty() && !self.unknown.has("setup.board") {
            self.fail("setup.board", "the array is missing; add it, last rank first: board = \"…\"");
        } else if self.board_is_sure() && !unsure.iter().any(|path| self.unknown.has(path)) {
            let wrong = |error: PlacementError| FieldError {
                path: "setup.board".into(),
                span: Some(error.span),
                message: error.message,
            };
            self.errors.extend(errors.into_iter().map(wrong));
        }
        squares.into_iter().map(|placed| placed.map(|placed| placed.piece)).collect()
    }

    /// Whether captured pieces go to their captor's hand, and whether to their owner's reserve.
    fn captures_return(&self) -> (bool, bool) {
        let to = self.definition.captures.to;
        (to == CapturesTo::Hand, to == CapturesTo::Reserve)
    }

    /// Checks that pieces from another board can be used, and that no player waits for one where none can come.
    fn check_partners(&mut self) {
        let definition = self.definition;
        let is_shared = definition.captures.to == CapturesTo::Partner;
        if is_shared && matches!(definition.drops.hand.trim(), "" | "none") {
            self.fail("captures.to", "a piece that comes from the other board is dropped; set `drops.hand`");
        }
        if is_shared && definition.nature.enabled {
            self.fail("captures.to", "a game on two boards has no third player; leave out Nature");
        }
        if !is_shared && definition.ends.mate == Mate::NoDropParries {
            self.fail("ends.mate", "no piece comes from another board; set `captures.to = \"partner\"`");
        }
        if !is_shared && definition.ends.stalemate == Stalemate::Waits {
            self.fail("ends.stalemate", "no piece comes from another board; set `captures.to = \"partner\"`");
        }
    }

    /// Compiles the kinds; the royal one and the array.
    fn king_and_array(&mut self) -> (KindId, Vec<Option<Piece>>) {
        self.all_kinds();
        (self.royal(), self.array())
    }

    /// The rules; unusable if there are errors.
    fn rules<M: Mask>(&mut self, id: RulesId) -> Rules<M> {
        let (definition, board, (king, array)) = (self.definition, self.board, self.king_and_array());
        let array_squares = array_squares::<M>(&array, self.kinds.len());
        let (pawns, double_step) = (pawns(&self.kinds), self.double_step());
        let mut moves = self.move_tables(&array_squares, pawns, &double_step);
        let ((reserve, hand), (promotes_to, promoters)) = (self.stocks(), self.promotes_to());
        self.one_king_each(&array, king, &reserve, &hand);
        let special = self.special(&array, &array_squares, &mut moves, &double_step);
        let drops: ByOwner<Drops<M>> = self.drops();
        let (hand_drops, may_drop) = (drops[Owner::White].hand.any(), drops[Owner::White].reserve.any());
        let (nature, gating, entries) = (self.nature(&array), self.gating(), self.entries(&reserve));
        let (geometry, kings_square) = (Geometry::new(board), self.kings_square(&array_squares, king));
        let (captures_to_hand, captures_to_reserve) = self.captures_return();
        let has_hand = hand_drops || captures_to_hand || nature.is_some() || stocked(&hand);
        let enters = gating.is_some() || entries.is_some() || definition.castling.placed.is_some();
        let lazy_key = special.is_lazy(definition) || enters || nature.is_some();
        Rules {
            id,
            definition: definition.clone(),
            file: DefinitionFile::default(),
            unknown: OnceLock::new(),
            lines_to: lines_to(&geometry, &moves, self.kinds.len()),
            geometry,
            stock_order: (0..self.kinds.len() as u8).map(KindId).collect(),
            array_squares,
            has_reserve: gating.is_some() || captures_to_reserve || stocked(&reserve) || may_drop,
            reserve,
            hand,
            equipment: ByOwner::from_fn(|owner| equipment(owner, &array, &reserve, king, pawns)),
            stand_ins: self.stand_ins(),
            has_hand,
            king,
            pawns,
            minors: self.minors(),
            majors: self.majors(king, captures_to_hand || captures_to_reserve),
            bishops: self.moving_as(&["B", "BD"]),
            double_step,
            first_step: self.first_step(),
            en_passant: definition.pawns.en_passant,
            promotion_to: definition.promotion.to,
            promotion_on: definition.promotion.on,
            promotion: self.promotion(&array, (&kings_square, king), &special, (promoters, &moves)),
            promotes_to,
            promoters,
            castling: self.castling(),
            gating,
            drops,
            hand_drops,
            entries,
            deployment: definition.deployment.kind,
            deployment_square: self.deployment_square(),
            captures_to_hand,
            captures_to_reserve,
            marks_promoted: definition.captures.promoted_revert || returns_as_pawn(&nature),
            ends: definition.ends.clone(),
            count_limits: self.count_limits(),
            kings_square,
            back_rank: self.back_rank(board),
            restarts_are_final: !has_hand && !captures_to_reserve && !pawns_return(&moves, pawns),
            only_lines: special.lines_decide && nature.is_none(),
            plain: !lazy_key && special.is_plain() && promoters.is_empty(),
            steps_plainly: false,
            lazy_key,
            special,
            nature,
            moves,
            array,
            kinds: std::mem::take(&mut self.kinds),
        }
    }

    /// The limits of MAK 4, by the movement of the kinds: rooks, khon, knights.
    fn count_limits(&self) -> Vec<CountLimit> {
        let limits = [("R", 2, 8), ("R", 1, 16), ("FfW", 2, 22), ("N", 2, 32), ("FfW", 1, 44)];
        let of = |(betza, pieces, moves)| {
            self.moving_as(&[betza]).kinds().map(move |kind| CountLimit { kind, pieces, moves })
        };
        limits.into_iter().flat_map(of).collect()
    }

    fn minors(&self) -> KindSet {
        let officer = |kind: &KindId| !self.kinds[kind.index()].pawn;
        self.moving_as(&["N", "B", "NW", "BD"]).kinds().filter(officer).collect()
    }

    /// The kinds that keep a position alive (COM-7). What minors cannot do is known of chess kings on a board of at
    /// least two files and ranks, and of games that are decided by mate.
    fn majors(&self, king: KindId, captures_enter: bool) -> KindSet {
        let (ends, minors) = (&self.definition.ends, self.minors());
        let by_stalemate = ends.stalemate != Stalemate::Draw;
        let narrow = self.board.files().min(self.board.ranks()) < 2;
        let kings_move = self.betza.get(king.index()).map(|(movers, _)| movers.as_slice());
        let usual_king = self.kinds.get(king.index()).is_some_and(|kind| kind.terms.is_empty())
            && betza::parse("K").is_ok_and(|model| Some(model.movers()) == kings_move);
        let kingless = self.definition.setup.kings != Kings::Both;
        let anti_king = self.kinds.iter().any(|kind| kind.anti_royal);
        let never_dead =
            ends.bare_king.loses() || self.definition.nature.enabled || !usual_king || by_stalemate && narrow;
        let explodes = !self.definition.captures.explode.is_empty();
        let never_dead = never_dead || !ends.goal.is_empty() || explodes || kingless || anti_king;
        let never_dead = never_dead || ends.annihilation != Annihilation::None;
        let by_checks = ends.repetition.perpetual().is_some() || ends.checks > 0;
        let kings_alone = ends.dead_position == DeadPosition::Kings;
        let without_mate = by_stalemate || by_checks || kings_alone;
        let switched = |kind: KindId| self.kinds[kind.index()].has_key(&self.definition.switch.from);
        let grows = |kind: KindId| {
            switched(kind) || captures_enter && !minors.has(self.kinds[kind.index()].captured_as)
        };
        let major = |kind: &KindId| {
            let piece = *kind != king && (without_mate || !minors.has(*kind) || grows(*kind));
            never_dead || piece
        };
        (0..self.kinds.len() as u8).map(KindId).filter(major).collect()
    }

    /// Checks that each player who has a king has one, in the array or in hand.
    fn one_king_each(&mut self, array: &[Option<Piece>], king: KindId, reserve: &Stock, hand: &Stock) {
        if king == KindId::NONE {
            return;
        }
        if reserve[king.index()] > 0 {
            self.fail("setup.reserve", "a king in reserve; put it in the hand");
        }
        let unsure = ["pieces", "setup.hand", "setup.board", "nature.enabled"];
        let wrong = |error: &FieldError| error.path == "setup.board" || error.path.ends_with(".royal");
        let unsure = unsure.iter().any(|path| self.unknown.has(path)) || self.errors.iter().any(wrong);
        if unsure || !self.kinds[king.index()].royal || !self.board_is_sure() {
            return;
        }
        for owner in Owner::REAL {
            let stand = array.iter().filter(|piece| **piece == Some(Piece { owner, kind: king })).count();
            let total = stand + usize::from(hand[king.index()]);
            let needed = usize::from(self.has_king()[owner]);
            if total != needed {
                let needs = if needed == 1 { "it needs exactly one" } else { "by `setup.kings` it has none" };
                let message = format!("{} has {total} kings in array and hand; {needs}", owner.name());
                self.fail("setup.board", message);
            }
        }
    }

    fn double_step<M: Mask>(&mut self) -> ByOwner<M> {
        self.mirrored("pawns.double-step", or_none(&self.definition.pawns.double_step))
    }

    /// The squares that a pawn may go at first; 2 if the definition has another number than 2 or 3.
    fn first_step(&mut self) -> u8 {
        match self.definition.pawns.first_step {
            steps @ 2..=3 => steps,
            _ => 2,
        }
    }

    fn move_tables<M: Mask>(
        &mut self,
        array_squares: &ByOwner<Vec<M>>,
        pawns: KindSet,
        double_step: &ByOwner<M>,
    ) -> ByOwner<MoveTables<M>> {
        let mut movers = ByOwner::from_fn(|owner| {
            let of_kind = |index| {
                self.movers_of(owner, index)
                    .iter()
                    .map(|mover| Regional::everywhere(self.board, *mover))
                    .collect()
            };
            (0..self.betza.len()).map(of_kind).collect::<Vec<Vec<_>>>()
        });
        for index in 0..self.kinds.len() {
            let terms = self.terms::<M>(&self.kinds[index].key());
            for owner in Owner::ALL {
                movers[owner][index].extend(&terms[owner]);
            }
            if self.victims(index) == Victims::Own {
                // What captures own pieces alone attacks no one.
                movers.0.iter_mut().for_each(|movers| {
                    movers[index].iter_mut().for_each(|bound| bound.mover.captures = false);
                    movers[index].retain(|bound| bound.mover.moves);
                });
            }
        }
        let first = self.definition.pawns.first_step;
        if !(2..=3).contains(&first) {
            let message = format!("a pawn goes 2 or 3 squares at first, not {first}");
            self.fail("pawns.first-step", message);
        }
        let first_step = self.first_step();
        MoveTables::of_all(self.board, movers, array_squares, pawns, (double_step, first_step))
    }

    /// The limit of entries; a negative number means as many as the reserve has pieces (IAB 5).
    fn entries(&self, reserve: &Stock) -> Option<u8> {
        let all = || reserve.iter().fold(0, |sum: u8, count| sum.saturating_add(*count));
        let clamped = |limit: i16| u8::try_from(limit).unwrap_or(u8::MAX);
        self.definition.drops.entries.map(|limit| if limit < 0 { all() } else { clamped(limit) })
    }

    fn gating(&mut self) -> Option<Gating> {
        let section = &self.definition.gating;
        if section.enabled && self.board.files() > 10 && self.board_is_sure() {
            let message = "gating rights need a letter for each file besides K and Q";
            self.fail("gating", format!("{message}; use at most 10 files"));
        }
        if !(1..=2).contains(&section.per_turn) {
            let message = format!("{} is not a number of gated pieces a ply; write 1 or 2", section.per_turn);
            self.fail("gating.per-turn", message);
        }
        section.enabled.then_some(Gating {
            with_castling: section.with_castling,
            per_turn: section.per_turn,
            may_block: section.may_block,
        })
    }

    fn drops<M: Mask>(&mut self) -> ByOwner<Drops<M>> {
        let section = &self.definition.drops;
        let reserve = self.mirrored("drops.reserve", &section.reserve);
        let hand = self.mirrored("drops.hand", &section.hand);
        let pawns = self.mirrored("drops.pawns", &section.pawns);
        let kinds = self.drop_regions();
        ByOwner::from_fn(|owner| Drops {
            reserve: reserve[owner],
            hand: hand[owner],
            pawns: pawns[owner],
            kinds: kinds[owner],
        })
    }

    /// IAV 7: each kind stands in for at most one other, and a stand-in has no stand-in itself.
    fn stand_ins(&mut self) -> Vec<(KindId, KindId)> {
        let declared = &self.definition.equipment.stand_ins;
        let mut stand_ins = Vec::new();
        for (from, to) in declared {
            let path = format!("equipment.stand-ins.{from}");
            let (Some(kind), Some(serves)) = (self.kind(&path, from), self.kind(&path, to)) else { continue };
            let plain = |kind: KindId| !self.kinds[kind.index()].royal;
            if !plain(kind) || !plain(serves) || self.kinds[serves.index()].pawn {
                self.fail(path, "no stand-ins are possible for or by a king, or for a pawn; remove this one");
            } else if declared.contains_key(to) {
                self.fail(
                    path,
                    format!("`{to}` is a stand-in itself and cannot have one; remove one of the two"),
                );
            } else {
                stand_ins.push((kind, serves));
            }
        }
        stand_ins
    }

    /// The players' time: what records with such tags could have.
    fn clock(&mut self) {
        let section = &self.definition.clock;
        if !section.control.is_empty()
            && let Err(error) = TimeControl::parse(&section.control)
        {
            self.fail("clock.control", error.message);
        }
        let words = ["", "pause", "pause+increment", "pause+increment-both"];
        if !words.contains(&&*section.nature) {
            let message = format!("`{}` is none of {}", section.nature, words[1..].join(", "));
            self.fail("clock.nature", message);
        }
    }

    fn deployment_square(&mut self) -> ByOwner<Square> {
        if self.definition.deployment.kind != DeploymentKind::Opening {
            return ByOwner([Square::NONE; 3]);
        }
        let text = &self.definition.deployment.square;
        let Ok(square) = self.on_boards(|board| board.parse_square(text).ok_or(())) else {
            self.fail("deployment.square", format!("`{text}` is not a square of the board"));
            return ByOwner([Square::NONE; 3]);
        };
        ByOwner([square, self.board.flipped(square), Square::NONE])
    }

    /// The rank of each player on which king and rook castle and from which pieces gate.
    fn back_rank<M: Mask>(&mut self, board: Board) -> ByOwner<M> {
        let (rank, last) = (self.definition.castling.rank, board.ranks());
        if rank == 0 || rank > last / 2 {
            let message = format!("{rank} is no rank of White's half of the board; write 1 to {}", last / 2);
            self.fail("castling.rank", message);
        } else if rank > 1 && self.definition.gating.enabled {
            self.fail("castling.rank", "gates are on the first rank, so castling is; leave `rank` out");
        }
        let rank = rank.clamp(1, last) - 1;
        ByOwner([rank_mask(board, rank), rank_mask(board, last - 1 - rank), M::EMPTY])
    }

    fn castling(&mut self) -> Option<Castling> {
        let section = &self.definition.castling;
        if !section.enabled {
            return None;
        }
        let rooks = self.kinds_of("castling.rook", &section.rook);
        let king_side = self.castling_target("castling.king-side", &section.king_side);
        let queen_side = self.castling_target("castling.queen-side", &section.queen_side);
        let placed = self.placed_castling();
        let (rooks, king_side, queen_side) = (rooks?, king_side?, queen_side?);
        Some(Castling { rooks, king_side, queen_side, placed, notation: section.notation })
    }

    fn placed_castling(&mut self) -> Option<Placed> {
        let section = self.definition.castling.placed.as_ref()?;
        let last = self.board.files();
        let files = |text: &str| -> Option<Vec<u8>> {
            let file = |byte: u8| byte.checked_sub(b'a').filter(|file| *file < last);
            text.bytes().map(file).collect::<Option<Vec<u8>>>().filter(|files| !files.is_empty())
        };
        match (files(&section.king).as_deref(), files(&section.rooks)) {
            (Some(&[king]), Some(rooks)) if !rooks.contains(&king) => {
                Some(Placed { king, rooks: rooks.iter().fold(0, |all, file| all | 1 << file) })
            }
            _ => {
                let message = "name the king's file and the rooks': `{ king = \"e\", rooks = \"ah\" }`";
                self.fail("castling.placed", message);
                None
            }
        }
    }

    /// The kinds that are placed on squares of both colours alike.
    pub(super) fn both_colours(&mut self) -> KindSet {
        let section = &self.definition.deployment;
        let named = section.both_colours.as_str();
        if section.kind != DeploymentKind::AnyOrder {
            if !named.is_empty() {
                self.fail(
                    "deployment.both-colours",
                    "set `deployment.kind = \"any-order\"`, or leave it out",
                );
            }
            return KindSet::EMPTY;
        }
        if self.definition.captures.to != CapturesTo::None || self.definition.nature.enabled {
            let message = "captured pieces that come back would be deployed again; leave this out";
            self.fail("deployment.kind", message);
        }
        let kinds = named.chars().map(|letter| self.kinds_of("deployment.both-colours", &letter.to_string()));
        kinds.flatten().flat_map(KindSet::kinds).collect()
    }

    fn castling_target(&mut self, path: &str, target: &CastlingTarget) -> Option<(u8, u8)> {
        let file = |name: &str, board: Board| match name.as_bytes() {
            &[byte] if byte >= b'a' && byte - b'a' < board.files() => Some(byte - b'a'),
            _ => None,
        };
        let [king, rook] = [("king", &target.king), ("rook", &target.rook)].map(|(piece, name)| {
            let found = self.on_boards(|board| file(name, board).ok_or(()));
            if found.is_err() {
                let message = format!("`{name}` is not a file of a board with {} files", self.board.files());
                self.fail(format!("{path}.{piece}"), message);
            }
            found.ok()
        });
        king.zip(rook)
    }

    fn kings_square<M: Mask>(&self, array_squares: &ByOwner<Vec<M>>, king: KindId) -> ByOwner<M> {
        match self.definition.ends.kings_square {
            _ if king == KindId::NONE => ByOwner([M::EMPTY; 3]),
            KingsSquare::None => ByOwner([M::EMPTY; 3]),
            _ => ByOwner([
                array_squares[Owner::Black][king.index()],
                array_squares[Owner::White][king.index()],
                M::EMPTY,
            ]),
        }
    }

    fn promotion<M: Mask>(
        &mut self,
        array: &[Option<Piece>],
        (kings_square, king): (&ByOwner<M>, KindId),
        special: &Special<M>,
        (promoters, moves): (KindSet, &ByOwner<MoveTables<M>>),
    ) -> ByOwner<Promotion<M>> {
        let pawns = pawns(&self.kinds);
        let section = &self.definition.promotion;
        let zone: ByOwner<M> = self.mirrored("promotion.zone", &section.zone);
        let forced: ByOwner<M> = self.mirrored("promotion.forced", &section.forced);
        let kinds = match section.to {
            PromotionTo::Armies => {
                let slots = &self.definition.armies.slots;
                let chosen = |kind: &KindInfo| slots.iter().any(|slot| kind.has_key(slot));
                (0..self.kinds.len()).filter(|&i| chosen(&self.kinds[i])).map(|i| KindId(i as u8)).collect()
            }
            _ => self.kind_set("promotion.kinds", &section.kinds),
        };
        let unsure = ["promotion.to", "promotion.kinds"].iter().any(|path| self.unknown.has_any_in(path));
        let all_named = promoters.both(pawns) == pawns;
        let none = section.kinds.is_empty() && zone[Owner::White].any() && !unsure && !all_named;
        if section.to == PromotionTo::Kinds && none {
            self.fail("promotion.kinds", "the zone promotes pawns to no kind; add letters");
        }
        // A second royal kind is refused where it is defined, and here it would be said twice.
        if kinds.kinds().any(|kind| kind == king) {
            let letter = self.kinds[king.index()].key();
            let message = format!("no pawn becomes `{letter}`: a player has one king; remove it");
            self.fail("promotion.kinds", message);
        }
        let on_kings_square = self.definition.ends.kings_square;
        let must_be_king = on_kings_square == KingsSquare::MustBecomeKing;
        ByOwner::from_fn(|owner| {
            let figure = |square: usize| {
                let piece = array[square].filter(|p| p.owner == owner.opponent() && owner.is_real())?;
                (!pawns.has(piece.kind) && (piece.kind != king || on_kings_square.makes_kings()))
                    .then_some(piece.kind)
            };
            let forced_king = if must_be_king { kings_square[owner] } else { M::EMPTY };
            let by_square: Vec<Option<KindId>> = match section.to {
                PromotionTo::ArraySquare => (0..array.len()).map(figure).collect(),
                _ => Vec::new(),
            };
            let (zone, forced) = (zone[owner], forced[owner] | forced_king);
            let more = special.other_promotion.as_ref().map_or(M::EMPTY, |other| other.zone[owner]);
            let (mut zones, mut stuck) = (pawns_alone(pawns, zone | more), [M::EMPTY; KIND_SLOTS]);
            for kind in promoters.kinds().filter(|_| owner.is_real()) {
                let (targets, dead_ends) = self.promotion_of(kind, zone, &moves[owner]);
                (zones[kind.slot()], stuck[kind.slot()]) = (targets, dead_ends);
            }
            Promotion { zone, zones, forced, kinds, by_square, stuck }
        })
    }
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

fn rank_mask<M: Mask>(board: Board, rank: u8) -> M {
    M::of(board.squares().filter(|&square| board.rank(square) == rank))
}

fn array_squares<M: Mask>(array: &[Option<Piece>], kinds: usize) -> ByOwner<Vec<M>> {
    let mut squares = ByOwner::from_fn(|_| vec![M::EMPTY; kinds]);
    for (index, piece) in array.iter().enumerate() {
        if let Some(piece) = piece {
            squares[piece.owner][piece.kind.index()] |= M::bit(Square(index as u8));
        }
    }
    squares
}

fn equipment(owner: Owner, array: &[Option<Piece>], reserve: &Stock, king: KindId, pawns: KindSet) -> Stock {
    let mut stock = *reserve;
    for piece in array.iter().flatten().filter(|piece| piece.owner == owner) {
        stock[piece.kind.index()] = stock[piece.kind.index()].saturating_add(1);
    }
    if king != KindId::NONE {
        stock[king.index()] = 0;
    }
    pawns.kinds().for_each(|pawn| stock[pawn.index()] = 0);
    stock
}

fn stocked(stock: &Stock) -> bool {
    stock.iter().any(|&n| n > 0)
}

/// For each square: the origins from which, and the squares over which, sliders attack it. A slide that is bound to a
/// region may pass squares from which there is none.
fn lines_to<M: Mask>(geometry: &Geometry<M>, moves: &ByOwner<MoveTables<M>>, kinds: usize) -> Vec<M> {
    let mut lines = vec![M::EMPTY; geometry.board().len()];
    for from in geometry.all().squares() {
        let slides = |owner: Owner, kind: usize| moves[owner].reach(kind, from).slide_capture;
        let of = |owner: &Owner| (0..kinds).fold(M::EMPTY, |all, kind| all | slides(*owner, kind));
        let reached = Owner::ALL.iter().fold(M::EMPTY, |all, owner| all | of(owner));
        for to in reached.squares() {
            lines[to.index()] |= M::bit(from) | geometry.between(from, to);
        }
    }
    lines
}

/// True if a promoted piece that Nature captures returns as a pawn (CHA-8).
fn returns_as_pawn<M>(nature: &Option<Nature<M>>) -> bool {
    nature.as_ref().is_some_and(|nature| nature.reentry == Reentry::Piece)
}

fn pawns(kinds: &[KindInfo]) -> KindSet {
    (0u8..).zip(kinds).filter(|(_, kind)| kind.pawn).map(|(index, _)| KindId(index)).collect()
}

/// By kind: squares that matter to pawns.
fn pawns_alone<M: Mask>(pawns: KindSet, squares: M) -> [M; KIND_SLOTS] {
    let mut by_kind = [M::EMPTY; KIND_SLOTS];
    pawns.kinds().for_each(|pawn| by_kind[pawn.slot()] = squares);
    by_kind
}

/// True if some pawn may return to a square that it has left.
fn pawns_return<M: Mask>(moves: &ByOwner<MoveTables<M>>, pawns: KindSet) -> bool {
    Owner::REAL.iter().any(|&owner| pawns.kinds().any(|pawn| !moves[owner].never_returns(pawn.index())))
}
