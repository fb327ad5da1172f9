//! From a checked definition to tables.

use super::compiled::{Castling, Drops, Gating, Nature, Promotion, Rules, RulesId, Stock};
use super::definition::{
    CapturesTo, CastlingTarget, Definition, DeploymentKind, KingsSquare, PromotionTo, Reentry,
};
use super::doubts::Doubts;
use super::kinds::{KindId, KindInfo, KindSet, Label, Piece};
use super::moves::MoveTables;
use super::placement::{PlacementError, read_ranks};
use crate::board::{Board, ByOwner, Geometry, Mask, Owner, Square, parse_region};
use crate::pieces::betza::{self, Betza, Mover};
use crate::text::Span;
use crate::text::limits::{FILES_MAX, KINDS_MAX, RANKS_MAX};

/// Something wrong in a definition: which field, where in its value, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct FieldError {
    /// The field, such as `pieces.M.betza`.
    pub path: String,
    /// Bytes of its value, where the mistake is in a part of it.
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
}

impl FieldError {
    /// An error about a whole field.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> FieldError {
        FieldError { path: path.into(), span: None, message: message.into() }
    }
}

/// What a record chooses before the game: armies, or the array.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// For each slot of the definition's armies: White's kind and Black's.
    pub armies: Option<ByOwner<Vec<Betza>>>,
    /// The board of the record's start position, where that is the array.
    pub array: Option<String>,
}

/// Compiles a definition with what the record chose.
///
/// # Errors
/// All fields that make no sense.
pub fn compile<M: Mask>(
    definition: &Definition,
    id: RulesId,
    choices: &Choices,
) -> Result<Rules<M>, Vec<FieldError>> {
    let mut compiler = Compiler::new::<M>(definition, choices, Doubts::default());
    let rules = compiler.rules(id);
    if compiler.errors.is_empty() { Ok(rules) } else { Err(compiler.errors) }
}

/// All fields that make no sense, where some are in doubt: what those are to blame for is not told.
pub(super) fn mistakes(definition: &Definition, choices: &Choices, doubts: Doubts) -> Vec<FieldError> {
    let mut compiler = Compiler::new::<u128>(definition, choices, doubts);
    let id = RulesId { name: String::new(), edition: String::new(), digest: String::new() };
    compiler.rules::<u128>(id);
    compiler.errors
}

struct Compiler<'a> {
    definition: &'a Definition,
    choices: &'a Choices,
    /// The board; where its size is wrong or in doubt, the largest that it may be.
    board: Board,
    /// Further boards that it may be.
    other_boards: Vec<Board>,
    kinds: Vec<KindInfo>,
    /// Movement by kind: the real players', and Nature's.
    betza: Vec<(Vec<Mover>, Vec<Mover>)>,
    doubts: Doubts,
    errors: Vec<FieldError>,
}

impl<'a> Compiler<'a> {
    fn new<M: Mask>(definition: &'a Definition, choices: &'a Choices, doubts: Doubts) -> Compiler<'a> {
        let (mut boards, errors) = boards(definition, &doubts, M::WIDTH);
        let board = boards.pop().unwrap_or(Board::SMALLEST);
        let (other_boards, kinds, betza) = (boards, Vec::new(), Vec::new());
        Compiler { definition, choices, board, other_boards, kinds, betza, doubts, errors }
    }
}

/// The boards that a definition may have: just one if it is right.
fn boards(definition: &Definition, doubts: &Doubts, squares: usize) -> (Vec<Board>, Vec<FieldError>) {
    let mut errors = Vec::new();
    let mut size = |name: &str, size: u8, max: usize| {
        let path = &format!("board.{name}");
        let within = (1..=max).contains(&usize::from(size));
        if !within && !doubts.lost(path) {
            errors.push(FieldError::new(path, format!("a board has 1 to {max} {name}, not {size}")));
        }
        (within && !doubts.lost(path)).then_some(size)
    };
    let files = size("files", definition.board.files, FILES_MAX);
    let ranks = size("ranks", definition.board.ranks, RANKS_MAX);
    let beside = |side: u8| u8::try_from((squares / usize::from(side)).min(FILES_MAX)).unwrap_or(1);
    let sizes = match (files, ranks) {
        (Some(files), Some(ranks)) => match Board::new(files, ranks).filter(|board| board.len() <= squares) {
            Some(board) => return (vec![board], errors),
            None => {
                let message =
                    format!("{files} by {ranks} are too many squares; a board has at most {squares}");
                errors.push(FieldError::new("board", message));
                vec![(files, beside(files)), (beside(ranks), ranks)]
            }
        },
        (Some(files), None) => vec![(files, beside(files))],
        (None, Some(ranks)) => vec![(beside(ranks), ranks)],
        (None, None) => vec![(11, beside(11)), (16, beside(16)), (beside(16), 16)],
    };
    (sizes.into_iter().filter_map(|(files, ranks)| Board::new(files, ranks)).collect(), errors)
}

impl Compiler<'_> {
    fn fail(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.errors.push(FieldError::new(path, message));
    }

    /// True if the size of the board is known, so that what does not fit on it is wrong.
    fn board_is_sure(&self) -> bool {
        let wrong = |error: &FieldError| error.path.starts_with("board");
        !self.doubts.about("board")
            && !self.doubts.lost("board.files")
            && !self.doubts.lost("board.ranks")
            && !self.errors.iter().any(wrong)
    }

    /// Calls `read` with the boards that there may be; its error only if no board helps.
    fn on_boards<T, E>(&self, read: impl Fn(Board) -> Result<T, E>) -> Result<T, E> {
        let first = read(self.board);
        let others = self.other_boards.iter();
        if first.is_ok() {
            first
        } else {
            others.filter_map(|&board| read(board).ok()).next().map_or(first, Ok)
        }
    }

    /// A region of the definition; empty where it is wrong.
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

    fn movers(&mut self, path: &str, text: &str) -> Vec<Mover> {
        if text.is_empty() {
            return Vec::new();
        }
        match betza::parse(text) {
            Ok(betza) => betza.movers().to_vec(),
            Err(error) => {
                self.errors.push(FieldError {
                    path: path.into(),
                    span: Some(error.span),
                    message: error.message,
                });
                Vec::new()
            }
        }
    }

    /// Letters in the order of a stock: those of `stock-order`, then the others.
    fn letters(&self) -> Vec<String> {
        let mut letters: Vec<String> = self.definition.stock_order.chars().map(String::from).collect();
        letters.retain(|letter| self.definition.pieces.contains_key(letter));
        let rest = self
            .definition
            .pieces
            .keys()
            .filter(|letter| !letters.contains(letter))
            .cloned()
            .collect::<Vec<_>>();
        letters.extend(rest);
        letters
    }

    /// The kinds, at least one.
    fn all_kinds(&mut self) {
        self.kinds();
        if self.kinds.is_empty() {
            self.some_kind();
        }
        self.captured_as();
    }

    fn kinds(&mut self) {
        let definition = self.definition;
        for letter in self.letters() {
            let piece = &definition.pieces[&letter];
            let path = format!("pieces.{letter}");
            let &[byte @ b'A'..=b'Z'] = letter.as_bytes() else {
                self.fail(path, format!("`{letter}` is no letter for a piece; use one of A to Z"));
                continue;
            };
            let natures = piece.nature.clone().unwrap_or_default();
            let natures = self.movers(&format!("{path}.nature"), &natures);
            let slot = definition.armies.slots.iter().position(|slot| *slot == letter);
            let armies = slot.zip(self.choices.armies.as_ref()).map(|(slot, armies)| {
                [armies[Owner::White][slot].clone(), armies[Owner::Black][slot].clone()]
            });
            let Some([white, black]) = armies else {
                let movers = self.movers(&format!("{path}.betza"), &piece.betza);
                let said =
                    !piece.betza.is_empty() || piece.nature.as_ref().is_some_and(|text| !text.is_empty());
                let chosen = slot.is_some() || self.doubts.lost("armies.slots");
                let unknown = |field: &str| self.doubts.about(&format!("{path}.{field}"));
                if !said && !chosen && !unknown("betza") && !unknown("nature") {
                    self.fail(format!("{path}.betza"), "a piece needs its movement: betza = \"…\"");
                }
                self.add_kind(byte, &piece.betza, [false; 3], (movers, natures));
                continue;
            };
            if white == black {
                self.add_kind(byte, white.text(), [false; 3], (white.movers().to_vec(), natures));
            } else {
                self.add_kind(byte, white.text(), [false, true, false], (white.movers().to_vec(), natures));
                self.add_kind(byte, black.text(), [true, false, true], (black.movers().to_vec(), Vec::new()));
            }
        }
        if self.kinds.len() > KINDS_MAX {
            self.fail("pieces", format!("{} kinds; the limit is {KINDS_MAX}", self.kinds.len()));
            self.kinds.truncate(KINDS_MAX);
            self.betza.truncate(KINDS_MAX);
            self.doubts.fields.push("pieces".into());
        }
    }

    /// Adds a kind; `other_army` says for each owner whether it is the other army's.
    fn add_kind(&mut self, letter: u8, betza: &str, other_army: [bool; 3], movers: (Vec<Mover>, Vec<Mover>)) {
        let piece = &self.definition.pieces[std::str::from_utf8(&[letter]).unwrap_or_default()];
        self.kinds.push(KindInfo {
            letter,
            also: piece.also.iter().filter_map(|letter| letter.bytes().next()).collect(),
            name: piece.name.clone(),
            betza: betza.to_owned(),
            royal: piece.royal,
            pawn: piece.pawn,
            captured_as: KindId(self.kinds.len() as u8),
            label: ByOwner(other_army.map(|other_army| Label { letter, other_army })),
            home_made: piece.home_made.clone(),
        });
        self.betza.push(movers);
    }

    /// The (first) kind of a letter.
    fn kind(&mut self, path: &str, letter: &str) -> Option<KindId> {
        let found = self.kinds.iter().position(|kind| letter.as_bytes() == [kind.letter]);
        if found.is_none() && !self.doubts.lost("pieces") {
            let known: String = self.kinds.iter().map(|kind| kind.letter as char).collect();
            self.fail(path, format!("`{letter}` is no piece of this game; its letters are {known}"));
        }
        found.map(|index| KindId(index as u8))
    }

    /// The kinds that move like one of `models`, however their movement is spelt.
    fn moving_as(&self, models: &[&str]) -> KindSet {
        let models: Vec<Betza> = models.iter().filter_map(|model| betza::parse(model).ok()).collect();
        let alike = |index: &usize| {
            let kind = &self.kinds[*index];
            !kind.royal && models.iter().any(|model| model.movers() == self.betza[*index].0)
        };
        (0..self.kinds.len()).filter(alike).map(|index| KindId(index as u8)).collect()
    }

    /// All kinds of a letter: two where the armies differ.
    fn kinds_of(&mut self, path: &str, letter: &str) -> Option<KindSet> {
        self.kind(path, letter)?;
        let of_letter = |index: &usize| letter.as_bytes() == [self.kinds[*index].letter];
        Some((0..self.kinds.len()).filter(of_letter).map(|index| KindId(index as u8)).collect())
    }

    fn kind_set(&mut self, path: &str, letters: &[String]) -> KindSet {
        letters.iter().filter_map(|letter| self.kind(path, letter)).collect()
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
        if text.is_empty() && !self.doubts.lost("setup.board") {
            self.fail("setup.board", "a game needs its array, last rank first: board = \"…\"");
        } else if self.board_is_sure() && !unsure.iter().any(|path| self.doubts.lost(path)) {
            let wrong = |error: PlacementError| FieldError {
                path: "setup.board".into(),
                span: Some(error.span),
                message: error.message,
            };
            self.errors.extend(errors.into_iter().map(wrong));
        }
        squares.into_iter().map(|placed| placed.map(|placed| placed.piece)).collect()
    }

    /// The royal kind; where there is none, some kind.
    fn royal(&mut self) -> KindId {
        let royal: Vec<usize> = (0..self.kinds.len()).filter(|&index| self.kinds[index].royal).collect();
        if let Some((&first, more)) = royal.split_first() {
            for &index in more {
                let path = format!("pieces.{}.royal", self.kinds[index].letter as char);
                let message = format!(
                    "`{}` is royal already, and a game has just one royal kind",
                    self.kinds[first].letter as char
                );
                self.fail(path, message);
            }
            return KindId(first as u8);
        }
        if !self.doubts.about("pieces") {
            self.fail("pieces", "a game needs just one royal kind (royal = true); this one has none");
        }
        KindId(0)
    }

    /// A kind for games that have none, so that their other fields can be looked at.
    fn some_kind(&mut self) {
        self.kinds.push(KindInfo {
            letter: b'K',
            also: Vec::new(),
            name: String::new(),
            betza: String::new(),
            royal: false,
            pawn: false,
            captured_as: KindId(0),
            label: ByOwner([Label { letter: b'K', other_army: false }; 3]),
            home_made: None,
        });
        self.betza.push((Vec::new(), Vec::new()));
    }

    /// The rules; where there are errors, they are of no use.
    fn rules<M: Mask>(&mut self, id: RulesId) -> Rules<M> {
        let definition = self.definition;
        let board = self.board;
        self.all_kinds();
        let king = self.royal();
        let array = self.array();
        let array_squares = array_squares::<M>(&array, self.kinds.len());
        let moves = self.move_tables(&array_squares);
        let pawns: KindSet =
            (0u8..).zip(&self.kinds).filter(|(_, k)| k.pawn).map(|(i, _)| KindId(i)).collect();
        let reserve = self.stock("setup.reserve", &definition.setup.reserve);
        let hand = self.stock("setup.hand", &definition.setup.hand);
        self.one_king_each(&array, king, &reserve, &hand);
        let drops: ByOwner<Drops<M>> = self.drops();
        let hand_drops = drops[Owner::White].hand.any();
        let entries = self.entries(&reserve);
        let (nature, gating) = (self.nature(), self.gating());
        let kings_square = self.kings_square(&array_squares, king);
        let captures_to_hand = definition.captures.to == CapturesTo::Hand;
        let stocked = |stock: &Stock| stock.iter().any(|&n| n > 0);
        let returns_as_pawn = nature.as_ref().is_some_and(|nature| nature.reentry == Reentry::Piece);
        let hidden_attacks = Owner::ALL.iter().any(|&owner| moves[owner].complex_kinds() != 0);
        let own_endings = definition.ends.bare_king || definition.ends.kings_square != KingsSquare::None;
        let lazy_key = gating.is_some() || nature.is_some() || entries.is_some();
        Rules {
            id,
            definition: definition.clone(),
            lines_to: lines_to(board, &moves, self.kinds.len()),
            hidden_attacks,
            geometry: Geometry::new(board),
            stock_order: (0..self.kinds.len() as u8).map(KindId).collect(),
            array_squares,
            reserve,
            hand,
            equipment: ByOwner::from_fn(|owner| equipment(owner, &array, &reserve, king, pawns)),
            stand_ins: self.stand_ins(),
            has_reserve: gating.is_some() || stocked(&reserve) || drops[Owner::White].reserve.any(),
            has_hand: hand_drops || captures_to_hand || nature.is_some() || stocked(&hand),
            king,
            pawns,
            minors: self.moving_as(&["N", "B", "NW", "BD"]),
            bishops: self.moving_as(&["B", "BD"]),
            double_step: self.mirrored("pawns.double-step", or_none(&definition.pawns.double_step)),
            en_passant: definition.pawns.en_passant,
            promotion_to: definition.promotion.to,
            promotion_on: definition.promotion.on,
            promotion: self.promotion(&array, &kings_square, king, pawns),
            castling: self.castling(),
            gating,
            drops,
            hand_drops,
            pawns_share_files: definition.drops.pawns_share_files,
            entries,
            deployment: definition.deployment.kind,
            deployment_square: self.deployment_square(),
            captures_to_hand,
            promoted_revert: definition.captures.promoted_revert,
            marks_promoted: definition.captures.promoted_revert || returns_as_pawn,
            ends: definition.ends.clone(),
            kings_square,
            back_rank: ByOwner([rank_mask(board, 0), rank_mask(board, board.ranks() - 1), M::EMPTY]),
            plain: !lazy_key && !hidden_attacks && !own_endings,
            lazy_key,
            nature,
            moves,
            array,
            kinds: std::mem::take(&mut self.kinds),
        }
    }

    /// Each player has one king, in the array or in hand.
    fn one_king_each(&mut self, array: &[Option<Piece>], king: KindId, reserve: &Stock, hand: &Stock) {
        if reserve[king.index()] > 0 {
            self.fail("setup.reserve", "a king enters from the hand, not from the reserve");
        }
        let unsure = ["pieces", "setup.hand", "setup.board", "nature.enabled"];
        let wrong = |error: &FieldError| error.path == "setup.board" || error.path.ends_with(".royal");
        let unsure = unsure.iter().any(|path| self.doubts.lost(path)) || self.errors.iter().any(wrong);
        if unsure || !self.kinds[king.index()].royal || !self.board_is_sure() {
            return;
        }
        for owner in Owner::REAL {
            let stand = array.iter().filter(|piece| **piece == Some(Piece { owner, kind: king })).count();
            let total = stand + usize::from(hand[king.index()]);
            if total != 1 {
                let message = format!("{} has {total} kings in array and hand; one is needed", owner.name());
                self.fail("setup.board", message);
            }
        }
    }

    /// Links each kind to the kind that it is in hand.
    fn captured_as(&mut self) {
        for index in 0..self.kinds.len() {
            let letter = (self.kinds[index].letter as char).to_string();
            let captured: Option<String> =
                self.definition.pieces.get(&letter).and_then(|piece| piece.captured_as.clone());
            let kind = captured.and_then(|kind| self.kind(&format!("pieces.{letter}.captured-as"), &kind));
            if let Some(kind) = kind {
                self.kinds[index].captured_as = kind;
            }
        }
    }

    fn move_tables<M: Mask>(&self, array_squares: &ByOwner<Vec<M>>) -> ByOwner<MoveTables<M>> {
        ByOwner::from_fn(|owner| {
            let own = |(real, natures): &(Vec<Mover>, Vec<Mover>)| {
                if owner.is_real() { real.clone() } else { natures.clone() }
            };
            let movers: Vec<Vec<Mover>> = self.betza.iter().map(own).collect();
            MoveTables::new(self.board, owner, &movers, array_squares[owner].clone())
        })
    }

    /// The limit of entries; below zero as many as the reserve has pieces (IAB 5).
    fn entries(&self, reserve: &Stock) -> Option<u8> {
        let all = || reserve.iter().fold(0, |sum: u8, count| sum.saturating_add(*count));
        let clamped = |limit: i16| u8::try_from(limit).unwrap_or(u8::MAX);
        self.definition.drops.entries.map(|limit| if limit < 0 { all() } else { clamped(limit) })
    }

    fn gating(&mut self) -> Option<Gating> {
        let section = &self.definition.gating;
        if section.enabled && self.board.files() > 10 && self.board_is_sure() {
            let message = "gating rights are written as file letters, which leaves K and Q for castling";
            self.fail("gating", format!("{message}: at most 10 files"));
        }
        if !(1..=2).contains(&section.per_turn) {
            let message =
                format!("one piece enters in a ply, or two; {} is neither `1` nor `2`", section.per_turn);
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
        ByOwner::from_fn(|owner| Drops { reserve: reserve[owner], hand: hand[owner], pawns: pawns[owner] })
    }

    /// IAV 7: each kind serves as one other, and none that serves is itself served.
    fn stand_ins(&mut self) -> Vec<(KindId, KindId)> {
        let declared = &self.definition.equipment.stand_ins;
        let mut stand_ins = Vec::new();
        for (from, to) in declared {
            let path = format!("equipment.stand-ins.{from}");
            let (Some(kind), Some(serves)) = (self.kind(&path, from), self.kind(&path, to)) else { continue };
            let plain = |kind: KindId| !self.kinds[kind.index()].royal;
            if !plain(kind) || !plain(serves) || self.kinds[serves.index()].pawn {
                self.fail(
                    path,
                    "kings neither stand in nor are stood in for, and nothing stands in for a pawn",
                );
            } else if declared.contains_key(to) {
                self.fail(path, format!("`{to}` stands in for another kind, so nothing stands in for it"));
            } else {
                stand_ins.push((kind, serves));
            }
        }
        stand_ins
    }

    fn deployment_square(&mut self) -> ByOwner<Square> {
        if self.definition.deployment.kind != DeploymentKind::Opening {
            return ByOwner([Square::NONE; 3]);
        }
        let text = &self.definition.deployment.square;
        let Ok(square) = self.on_boards(|board| board.parse_square(text).ok_or(())) else {
            self.fail("deployment.square", format!("`{text}` is no square of the board"));
            return ByOwner([Square::NONE; 3]);
        };
        ByOwner([square, self.board.flipped(square), Square::NONE])
    }

    fn castling(&mut self) -> Option<Castling> {
        let section = &self.definition.castling;
        if !section.enabled {
            return None;
        }
        let rooks = self.kinds_of("castling.rook", &section.rook);
        let king_side = self.castling_target("castling.king-side", &section.king_side);
        let queen_side = self.castling_target("castling.queen-side", &section.queen_side);
        let (rooks, king_side, queen_side) = (rooks?, king_side?, queen_side?);
        Some(Castling { rooks, king_side, queen_side, notation: section.notation })
    }

    fn castling_target(&mut self, path: &str, target: &CastlingTarget) -> Option<(u8, u8)> {
        let file = |name: &str, board: Board| match name.as_bytes() {
            &[byte] if byte >= b'a' && byte - b'a' < board.files() => Some(byte - b'a'),
            _ => None,
        };
        let [king, rook] = [("king", &target.king), ("rook", &target.rook)].map(|(piece, name)| {
            let found = self.on_boards(|board| file(name, board).ok_or(()));
            if found.is_err() {
                let message = format!("`{name}` is no file of a board of {} files", self.board.files());
                self.fail(format!("{path}.{piece}"), message);
            }
            found.ok()
        });
        king.zip(rook)
    }

    fn kings_square<M: Mask>(&self, array_squares: &ByOwner<Vec<M>>, king: KindId) -> ByOwner<M> {
        match self.definition.ends.kings_square {
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
        kings_square: &ByOwner<M>,
        king: KindId,
        pawns: KindSet,
    ) -> ByOwner<Promotion<M>> {
        let section = &self.definition.promotion;
        let zone: ByOwner<M> = self.mirrored("promotion.zone", &section.zone);
        let forced: ByOwner<M> = self.mirrored("promotion.forced", &section.forced);
        let kinds = match section.to {
            PromotionTo::Armies => {
                let slots = &self.definition.armies.slots;
                let chosen = |kind: &KindInfo| slots.iter().any(|slot| slot.as_bytes() == [kind.letter]);
                (0..self.kinds.len()).filter(|&i| chosen(&self.kinds[i])).map(|i| KindId(i as u8)).collect()
            }
            _ => self.kind_set("promotion.kinds", &section.kinds),
        };
        let unsure = ["promotion.to", "promotion.kinds"].iter().any(|path| self.doubts.about(path));
        let none = section.kinds.is_empty() && zone[Owner::White].any() && !unsure;
        if section.to == PromotionTo::Kinds && none {
            self.fail("promotion.kinds", "pawns are promoted in the zone, but to no kind");
        }
        let must_be_king = self.definition.ends.kings_square == KingsSquare::MustBecomeKing;
        ByOwner::from_fn(|owner| {
            let figure = |square: usize| {
                let piece = array[square].filter(|p| p.owner == owner.opponent() && owner.is_real())?;
                (!pawns.has(piece.kind) && (piece.kind != king || must_be_king)).then_some(piece.kind)
            };
            let forced_king = if must_be_king { kings_square[owner] } else { M::EMPTY };
            let by_square: Vec<Option<KindId>> = match section.to {
                PromotionTo::ArraySquare => (0..array.len()).map(figure).collect(),
                _ => Vec::new(),
            };
            Promotion { zone: zone[owner], forced: forced[owner] | forced_king, kinds, by_square }
        })
    }

    fn nature<M: Mask>(&mut self) -> Option<Nature<M>> {
        let section = &self.definition.nature;
        if !section.enabled {
            return None;
        }
        if section.castling && !section.king && !self.doubts.lost("nature.king") {
            self.fail("nature.castling", "the switch `castling` needs `king` (CHA-15)");
        }
        let king = self.kind("nature.king-letter", &section.king_letter).unwrap_or(KindId(0));
        let pawn = self.kind("nature.pawn-letter", &section.pawn_letter).unwrap_or(KindId(0));
        let rook = self.kind("nature.rook-letter", &section.rook_letter).unwrap_or(KindId(0));
        let mut introduces = self.kind_set("nature.kinds", &section.kinds);
        if section.king {
            introduces.insert(king);
        }
        let promotes = introduces;
        if section.pawn {
            introduces.insert(pawn);
        }
        let mut castling_pairs = Vec::new();
        for entry in &section.castling_squares {
            let kings: M = self.region("nature.castling-squares", &entry.king);
            let rooks: M = self.region("nature.castling-squares", &entry.rook);
            let pairs = kings.squares().flat_map(|k| rooks.squares().map(move |r| (k, r)));
            // Two steps of the king towards the rook must stay short of it, or end on it.
            let (fit, odd): (Vec<_>, Vec<_>) = pairs.partition(|&(king, rook)| {
                let files = self.board.file(king).abs_diff(self.board.file(rook));
                let ranks = self.board.rank(king).abs_diff(self.board.rank(rook));
                files.min(ranks) == 0 && files.max(ranks) >= 2
            });
            if let Some(&(king, rook)) = odd.first().filter(|_| self.board_is_sure()) {
                let (king, rook) = (self.board.name(king), self.board.name(rook));
                let message =
                    format!("{king} and {rook} do not stand on one line, two squares or more apart");
                self.fail("nature.castling-squares", message);
            }
            castling_pairs.extend(fit);
        }
        let board = self.board;
        let border = M::of(board.squares().filter(|&s| board.on_border(s)));
        let touches = |s: Square| {
            [(0, 1), (0, -1), (1, 0), (-1, 0)]
                .iter()
                .any(|&(dx, dy)| board.offset(s, dx, dy).is_some_and(|t| border.has(t)))
        };
        Some(Nature {
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
            border,
            next_to_border: M::of(board.squares().filter(|&s| !border.has(s) && touches(s))),
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
    stock[king.index()] = 0;
    pawns.kinds().for_each(|pawn| stock[pawn.index()] = 0);
    stock
}

/// For each square: from where, and over which squares, sliders attack it.
fn lines_to<M: Mask>(board: Board, moves: &ByOwner<MoveTables<M>>, kinds: usize) -> Vec<M> {
    let slides = |from: Square, to: Square| {
        Owner::ALL
            .iter()
            .any(|&owner| (0..kinds).any(|kind| moves[owner].reach(kind, from).slide_capture.has(to)))
    };
    board.squares().map(|to| M::of(board.squares().filter(|&from| slides(from, to)))).collect()
}
