//! The extended FEN (`formats/RULES.md`, Positions), and the starting position.

mod checks;
mod rights;
mod write;

pub(super) use write::write_label;

use self::checks::{CHECKS_COUNTED, count_behind, counts_checks};
use super::reason::Reason;
use super::state::State;
use crate::board::{Mask, Owner, Square};
use crate::rules::Rules;
use crate::rules::compiled::Castling;
use crate::rules::definition::{DelayScope, KingsSquare, MoveCount};
use crate::rules::kinds::KindId;
use crate::rules::placement::read_placement;
use crate::text::Span;
use crate::text::limits::MOVE_NUMBER_MAX;

/// Why a FEN is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct FenError {
    /// Name of the field.
    pub field: &'static str,
    /// The bytes at fault.
    pub span: Span,
    /// The fault, in words.
    pub message: String,
}

pub(super) type Fallible<T> = Result<T, FenError>;

/// What is accepted besides a position of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accepts {
    /// Nothing.
    Nothing,
    /// Castling rights that the position does not allow; they are left out.
    OtherRights,
    /// That the player not on move is in check.
    Check,
}

/// A field of the FEN with its place.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) name: &'static str,
    pub(super) text: &'a str,
    pub(super) start: usize,
}

/// The faults found so far.
#[derive(Default)]
struct Faults(Vec<FenError>);

impl Faults {
    /// Keeps the fault of a result. True if there is none.
    fn note(&mut self, result: Fallible<()>) -> bool {
        result.map_err(|fault| self.0.push(fault)).is_ok()
    }
}

impl Field<'_> {
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Fallible<T> {
        self.fail_at(Span::new(0, self.text.len()), message)
    }

    pub(super) fn fail_at<T>(&self, span: Span, message: impl Into<String>) -> Fallible<T> {
        Err(FenError { field: self.name, span: span.shifted(self.start), message: message.into() })
    }
}

/// The message for a piece of Nature's without movement.
#[cold]
fn natures_without_movement<M: Mask>(rules: &Rules<M>, kind: KindId, square: Square) -> String {
    let written = |kind: KindId| format!("*{}", rules.kind(kind).label[Owner::Nature].text());
    let kinds = (0..rules.kinds.len()).map(|index| KindId(index as u8));
    let moving = kinds.filter(|kind| rules.moves[Owner::Nature].moves(kind.index()));
    let (allowed, at) = (moving.map(written).collect::<Vec<_>>().join(" "), rules.square_name(square));
    let rule = rules.cite(Reason::NatureKind.id(), Reason::NatureKind.article());
    format!("`{}` on {at} has no movement; Nature's pieces are {allowed} ({rule})", written(kind))
}

/// Names of the fields, in their order.
pub(super) const NAMES: [&str; 10] = [
    "pieces",
    "player on move",
    "castling",
    "en passant",
    "halfmove clock",
    "move number",
    "Nature's clock",
    "entries left",
    "array",
    "checks given",
];

impl<M: Mask> State<M> {
    /// The starting position: the array, full stocks, all rights.
    pub(super) fn start(rules: &Rules<M>) -> State<M> {
        let mut state = State::of_array(rules);
        for owner in Owner::REAL {
            state.reserve[owner.index()] = rules.reserve;
            state.hand[owner.index()] = rules.hand;
            if let Some(castling) = &rules.castling {
                for side in [true, false] {
                    let rook = state.outermost_rook(rules, castling, owner, side);
                    state.status.castling |= rook.map_or(M::EMPTY, M::bit);
                }
            }
            if rules.gating.is_some() {
                state.status.unmoved |= state.owned(owner) & rules.back_rank[owner];
            }
            if let Some(leaps) = &rules.special.first_leaps {
                state.status.unmoved |= leaps.starts[owner];
            }
        }
        state.complete_status(rules);
        state
    }

    pub(super) fn complete_status(&mut self, rules: &Rules<M>) {
        self.status.key = self.key_from_nothing(rules);
        self.status.in_check = self.king_in_check(rules, self.status.turn);
        self.status.must_capture = self.find_must_capture(rules);
        if rules.ends.count != MoveCount::None && self.status.count.is_none() {
            self.begin_count(rules);
        }
        self.status.over = self.find_over(rules);
        if rules.special.natures_anti_king {
            self.test_elimination(rules);
        }
    }

    /// The rook farthest from the king on its rank, towards the last file or towards the a-file.
    fn outermost_rook(
        &self,
        rules: &Rules<M>,
        castling: &Castling,
        owner: Owner,
        king_side: bool,
    ) -> Option<Square> {
        let king = self.king(rules, owner).some().filter(|&king| rules.back_rank[owner].has(king))?;
        let mut rooks = self.pieces_of(owner, castling.rooks) & rules.back_rank[owner];
        if rules.gating.is_some() {
            // File letters are gating rights there, so `K` and `Q` denote the array rooks even if others are farther
            // out.
            let at_home = castling.rooks.kinds().map(|kind| rules.array_squares[owner][kind.index()]);
            rooks &= at_home.fold(M::EMPTY, |all, squares| all | squares);
        }
        let mut rooks = rooks.squares();
        if king_side { rooks.filter(|&rook| rook > king).last() } else { rooks.find(|&rook| rook < king) }
    }

    /// Reads a position. Error spans cover whole characters.
    ///
    pub(super) fn from_fen(rules: &Rules<M>, fen: &str, accepts: Accepts) -> Fallible<State<M>> {
        if let Some(text) = super::sfen::as_fen(rules, fen) {
            let whole = |error| FenError { span: Span::new(0, fen.len()), ..error };
            return State::read(rules, &text, accepts).map_err(whole);
        }
        // Some programs write backslashes between the ranks.
        let board = fen.split_whitespace().next().unwrap_or_default();
        let slashes = board.contains('\\').then(|| fen.replacen('\\', "/", board.matches('\\').count()));
        State::read(rules, slashes.as_deref().unwrap_or(fen), accepts)
            .map_err(|error| FenError { span: error.span.on_characters(fen), ..error })
    }

    fn read(rules: &Rules<M>, fen: &str, accepts: Accepts) -> Fallible<State<M>> {
        let mut fields = Vec::new();
        for text in fen.split_whitespace() {
            let start = text.as_ptr() as usize - fen.as_ptr() as usize;
            fields.push(Field { name: NAMES[fields.len().min(7)], text, start });
        }
        if rules.ends.checks > 0 {
            count_behind(&mut fields);
        }
        State::of_fields(rules, &fields, fen.len(), accepts).map_err(|mut faults| faults.swap_remove(0))
    }

    /// Reads a position from its fields; missing ones at the end are placed at `end`.
    ///
    /// # Errors
    /// Returns every fault. Fields that depend on a faulty one are not checked.
    pub(super) fn of_fields(
        rules: &Rules<M>,
        fields: &[Field<'_>],
        end: usize,
        accepts: Accepts,
    ) -> Result<State<M>, Vec<FenError>> {
        let field = |index: usize| {
            fields.get(index).copied().unwrap_or(Field { name: NAMES[index], text: "", start: end })
        };
        let mut state = State::empty();
        let mut faults = Faults::default();
        let placed = faults.note(state.read_pieces(rules, &field(0)));
        faults.note(state.read_turn(rules, &field(1)));
        if placed {
            faults.note(state.check_kings(rules, &field(0)));
            faults.note(state.read_castling(rules, &field(2), accepts == Accepts::OtherRights));
        }
        faults.note(state.read_counters(&field(4), &field(5)));
        if let Some(limit) = rules.entries {
            state.status.entries = Owner::REAL.map(|owner| limit - state.entries_shown(rules, owner));
        }
        for extra in fields.get(6..).unwrap_or_default() {
            faults.note(state.read_extra(rules, extra));
        }
        if faults.0.is_empty() {
            faults.note(state.read_en_passant(rules, &field(3)));
            state.complete_status(rules);
        }
        if accepts != Accepts::Check && faults.0.is_empty() {
            faults.note(state.check_waiting_king(rules, &field(1)));
        }
        if faults.0.is_empty() { Ok(state) } else { Err(faults.0) }
    }

    fn read_turn(&mut self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        let also = &rules.definition.setup.white_also;
        self.status.turn = match field.text {
            "w" | "W" | "" => Owner::White,
            "b" | "B" => Owner::Black,
            other if other.len() == 1 && also.contains(&other.to_ascii_lowercase()) => Owner::White,
            other => return field.fail(format!("`{other}` is neither `w` nor `b`")),
        };
        Ok(())
    }

    fn read_counters(&mut self, halfmoves: &Field<'_>, number: &Field<'_>) -> Fallible<()> {
        self.status.halfmoves = read_number(halfmoves, 0, u16::MAX)?;
        self.status.number = read_number(number, 1, MOVE_NUMBER_MAX)?.max(1);
        Ok(())
    }

    /// Reads a field after the move number: counted moves, Nature's clock, entries left.
    fn read_extra(&mut self, rules: &Rules<M>, extra: &Field<'_>) -> Fallible<()> {
        match extra.text.as_bytes()[0] {
            b'0'..=b'9' if rules.ends.count != MoveCount::None && extra.text.contains('/') => {
                self.read_count(rules, extra.text, extra.start)
            }
            b'p' if rules.special.passes && extra.text == "pass" => {
                self.status.passes = 1;
                Ok(())
            }
            _ if counts_checks(extra.text) => self.read_checks(rules, &Field { name: NAMES[9], ..*extra }),
            b'~' if rules.nature.is_some() => self.read_nature(rules, &Field { name: NAMES[6], ..*extra }),
            b'@' if rules.nature.as_ref().is_some_and(|nature| nature.names_array) => {
                self.read_array(rules, &Field { name: NAMES[8], ..*extra })
            }
            b'+' if rules.entries.is_some() => self.read_entries(rules, &Field { name: NAMES[7], ..*extra }),
            // chess.com writes the pocket here.
            b'A'..=b'Z' | b'a'..=b'z' | b'-' if rules.has_hand && self.hands_are_empty() => {
                self.read_stock(rules, &Field { name: "hand", ..*extra }, false)
            }
            _ => {
                let field = Field { name: "after the move number", ..*extra };
                field.fail(format!("`{}` is not a field of this game", extra.text))
            }
        }
    }

    fn read_pieces(&mut self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        let (board, stocks) = split_stocks(rules, field.text);
        if board.is_empty() {
            return field.fail("the position is empty");
        }
        let placed = read_placement(rules.board(), &rules.kinds, board, rules.nature.is_some())
            .or_else(|error| field.fail_at(error.span, error.message))?;
        for (index, placed) in placed.into_iter().enumerate() {
            let Some(placed) = placed else { continue };
            if placed.promoted && !rules.marks_promoted {
                return field
                    .fail("`~` marks pieces that revert when captured; this game has no such pieces");
            }
            self.place(Square(index as u8), placed.piece, placed.promoted);
        }
        self.read_stocks(rules, &Field { text: stocks, start: field.start + board.len(), name: "stocks" })?;
        for owner in Owner::REAL {
            let stays = match rules.ends.kings_square {
                KingsSquare::PawnSuffices | KingsSquare::MayBecomeKing => rules.kings_square[owner],
                _ => M::EMPTY,
            };
            let stuck = rules.promotion[owner].forced & !stays;
            for pawn in rules.pawns.kinds() {
                let wrong = (self.pieces(owner, pawn) & stuck).lowest();
                if let Some(square) = wrong.some() {
                    return field.fail(format!("a pawn cannot stand on {}", rules.square_name(square)));
                }
            }
        }
        for (owner, kind) in
            Owner::REAL.into_iter().flat_map(|o| rules.promoters.kinds().map(move |kind| (o, kind)))
        {
            let stuck = rules.promotion[owner].stuck[kind.slot()];
            if let Some(square) = (self.pieces(owner, kind) & stuck).lowest().some() {
                let (name, at) = (&rules.kind(kind).name, rules.square_name(square));
                return field.fail(format!("a {name} cannot stand on {at}, where it could not move again"));
            }
        }
        for kind in (0..rules.kinds.len()).map(|index| KindId(index as u8)) {
            let square = self.pieces(Owner::Nature, kind).lowest();
            if square.some().is_some() && !rules.moves[Owner::Nature].moves(kind.index()) {
                return field.fail(natures_without_movement(rules, kind, square));
            }
        }
        match &rules.nature {
            Some(nature) if (self.pieces(Owner::Nature, nature.pawn) & nature.border).any() => {
                field.fail("a pawn of Nature's cannot stand on the border")
            }
            _ => Ok(()),
        }
    }

    /// `[MCmc]`, `[Nn]`, or both in this order.
    fn read_stocks(&mut self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        if field.text.is_empty() {
            return Ok(());
        }
        if let Some(text) = field.text.strip_prefix('/') {
            // Lichess writes the stock after the last rank, like one more rank.
            let part = Field { text, start: field.start + 1, name: "stocks" };
            return self.read_stock(rules, &part, rules.has_reserve);
        }
        let inner = field.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let Some(inner) = inner else { return field.fail("stock without brackets; write `[MCmc]`") };
        let stocks: Vec<&str> = inner.split("][").collect();
        let expected = usize::from(rules.has_reserve) + usize::from(rules.has_hand);
        if stocks.len() > expected {
            return field.fail(format!("this game has {expected} pairs of brackets, not {}", stocks.len()));
        }
        for (index, text) in stocks.into_iter().enumerate() {
            let reserve = rules.has_reserve && index == 0;
            let start = field.start + (text.as_ptr() as usize - field.text.as_ptr() as usize);
            let part = Field { text, start, name: if reserve { "reserve" } else { "hand" } };
            self.read_stock(rules, &part, reserve)?;
        }
        Ok(())
    }

    fn read_stock(&mut self, rules: &Rules<M>, field: &Field<'_>, reserve: bool) -> Fallible<()> {
        if field.text == "-" {
            return Ok(());
        }
        let mut letters = field.text.bytes().enumerate().peekable();
        let mut times = 0u8;
        while let Some((at, byte)) = letters.next() {
            if byte.is_ascii_digit() {
                // As in SFEN, a number is the count of the piece after it.
                times = times.saturating_mul(10).saturating_add(byte - b'0');
                let followed = letters.peek().is_some_and(|(_, next)| next.is_ascii_alphanumeric());
                if !followed || times == 0 {
                    return field.fail_at(
                        Span::new(at, at + 1),
                        "a number without a piece after it; write the count before the piece",
                    );
                }
                continue;
            }
            let owner = if byte.is_ascii_uppercase() { Owner::White } else { Owner::Black };
            let other_army = letters.next_if(|(_, next)| *next == b'\'').is_some();
            let Some(kind) = rules.kind_by_letter(owner, byte.to_ascii_uppercase(), other_army) else {
                return field
                    .fail_at(Span::new(at, at + 1), format!("`{}` is no piece of this game", byte as char));
            };
            if reserve && rules.is_pawn(kind) && !pawn_may_wait(rules, owner, kind) {
                let instead = match rules.has_hand {
                    true => "write a captured one in the second pair of brackets, the hand",
                    false => "leave it out",
                };
                return field.fail_at(
                    Span::new(at, at + 1),
                    format!("a pawn never waits in reserve in this game; {instead}"),
                );
            }
            let stock = if reserve { &mut self.reserve } else { &mut self.hand };
            let count = &mut stock[owner.index()][kind.index()];
            *count = count.saturating_add(times.max(1));
            times = 0;
        }
        Ok(())
    }

    fn hands_are_empty(&self) -> bool {
        self.hand.iter().flatten().all(|count| *count == 0)
    }

    fn check_kings(&self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        if rules.king == KindId::NONE {
            return if self.occupied().any() { Ok(()) } else { field.fail("the board is empty") };
        }
        // A king that was exploded is missing.
        let all = self.real_kings(rules).any();
        for owner in Owner::REAL {
            let on_board = self.pieces(owner, rules.king);
            if self.reserve(owner)[rules.king.index()] > 0 {
                return field.fail(format!("{} has a king in reserve", owner.name()));
            }
            let total = on_board.count() + u32::from(self.hand(owner)[rules.king.index()]);
            // INGOLS: a second king on the opposing king's square ends the game.
            let won = total == 2 && (on_board & rules.kings_square[owner]).any();
            let expected = u32::from(rules.special.has_king[owner]);
            // A problem may have one king, as most of shogi have (COM-9).
            let missing = total == 0 && all && (rules.special.blast.is_some() || rules.may_lack_king());
            if total != expected && !won && !missing {
                return field.fail(format!("{} has {total} kings", owner.name()));
            }
        }
        self.check_anti_kings(rules, field)
    }

    /// Each player has one Anti-King, on the board; Nature has one at most.
    fn check_anti_kings(&self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        let Some(kind) = rules.special.anti_king else { return Ok(()) };
        let name = &rules.kind(kind).name;
        for owner in Owner::ALL {
            let total = self.pieces(owner, kind).count();
            if total != 1 && (owner.is_real() || total > 1) {
                return field.fail(format!("{} has {total} pieces `{name}`; each has one", owner.name()));
            }
            if owner.is_real() && self.reserve(owner)[kind.index()] + self.hand(owner)[kind.index()] > 0 {
                let message = format!("{} has a piece `{name}` beside the board", owner.name());
                return field.fail(format!("{message}; it is never captured"));
            }
        }
        Ok(())
    }

    fn check_waiting_king(&self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        let waiting = self.status.turn.opponent();
        let king = self.king(rules, waiting);
        if king != Square::NONE
            && self.status.over.is_none()
            && !rules.definition.setup.waiting_check
            && self.attacks_by_capture(rules, king, self.status.turn, &self.unshifted())
            && !self.is_shielded(rules, waiting, king, &self.unshifted())
        {
            return field.fail(format!("{} is in check but not on move", waiting.name()));
        }
        if rules.special.check_forbidden && self.status.in_check && self.status.over.is_none() {
            let player = self.status.turn.name();
            return field.fail(format!("{player} is in check, and no ply of this game may give check"));
        }
        Ok(())
    }

    fn read_en_passant(&mut self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        if matches!(field.text, "-" | "") {
            return Ok(());
        }
        let Some(named) = squares_of(rules, field.text) else {
            return field.fail(format!("`{}` is neither a square nor `-`", field.text));
        };
        if !rules.en_passant {
            return field.fail("this game has no en passant");
        }
        let mover = self.status.turn;
        let victims: Vec<Option<Square>> =
            named.iter().map(|passed| self.en_passant_victim(rules, mover, *passed)).collect();
        let came = named.iter().all(|passed| self.was_passed(rules, mover, *passed));
        if !came || victims.contains(&None) || victims.iter().any(|victim| *victim != victims[0]) {
            return field.fail(format!("no pawn has just passed {}", field.text));
        }
        self.status.passed = named.last().copied().unwrap_or(Square::NONE);
        let possible = |passed: &&Square| self.en_passant_is_possible(rules, mover, **passed);
        let mut possible = named.iter().filter(possible).copied();
        let found = [possible.next(), possible.next()].map(|square| square.unwrap_or(Square::NONE));
        [self.status.en_passant, self.status.en_passant_too] = found;
        Ok(())
    }

    /// True if a pawn of the other player may have come from its start over a square.
    fn was_passed(&self, rules: &Rules<M>, mover: Owner, passed: Square) -> bool {
        let before = |steps: u8| rules.board().offset(passed, 0, steps as i8 * mover.forward());
        for steps in 1..rules.first_step {
            let Some(square) = before(steps) else { return false };
            // Nature may occupy the square that the pawn left (CHA-14).
            let left = self.piece(square).is_none_or(|piece| piece.owner == Owner::Nature);
            if rules.special.passing[mover.opponent()].has(square) && left {
                return true;
            }
        }
        false
    }

    /// `~n`, `~n:a4,d1`, `~n:a4:e4`, `~n::e4`, and a third list with the piece that the delay belongs to.
    fn read_nature(&mut self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        let Some(nature) = &rules.nature else { return Ok(()) };
        let mut parts = field.text[1..].split(':');
        let clock = parts.next().unwrap_or_default();
        if clock == "-" && rules.special.natures_anti_king {
            self.status.nature.eliminated = true;
            return match parts.next() {
                Some(_) => field.fail("Nature is eliminated; write no squares"),
                None => Ok(()),
            };
        }
        let Ok(clock) = clock.parse::<u8>() else {
            return field.fail(format!("`{clock}` is not a number of plies"));
        };
        self.status.nature.clock = clock.min(nature.period.max(nature.delay));
        let mut lists = [M::EMPTY; 3];
        for (index, part) in parts.enumerate() {
            let Some(list) = lists.get_mut(index) else { return field.fail("too many lists of squares") };
            for name in part.split(',').filter(|name| !name.is_empty()) {
                let Some(square) = rules.board().parse_square(name) else {
                    return field.fail(format!("`{name}` is not a square"));
                };
                *list |= M::bit(square);
            }
        }
        let real = self.owned(Owner::White) | self.owned(Owner::Black);
        let pawns = rules.pawns.kinds().fold(M::EMPTY, |all, pawn| all | self.of_kind(pawn)) & real;
        for (list, stands) in
            lists.into_iter().zip([self.owned(Owner::Nature), pawns, self.owned(Owner::Nature)])
        {
            if let Some(square) = (list & !stands).lowest().some() {
                return field.fail(format!("no such piece stands on {}", rules.board().name(square)));
            }
        }
        self.status.nature.unmoved = lists[0];
        self.status.nature.doubles = lists[1];
        if nature.delay_scope == DelayScope::Piece {
            self.status.nature.fresh = lists[2].lowest();
        }
        Ok(())
    }

    fn read_entries(&mut self, rules: &Rules<M>, field: &Field<'_>) -> Fallible<()> {
        let limit = rules.entries.unwrap_or_default();
        let left: Option<Vec<u8>> =
            field.text[1..].split(',').map(|n| n.parse().ok().filter(|n| *n <= limit)).collect();
        let Some(&[white, black]) = left.as_deref() else {
            return field.fail(format!("invalid entries; write `+n,n`, each at most {limit}"));
        };
        self.status.entries = [limit - white, limit - black];
        Ok(())
    }
}

/// True if a reserve may hold the pawn: at the start (IAB 1) or after a capture by Nature (CHA-18). Pawns captured by
/// players do not return (IAB 3).
fn pawn_may_wait<M: Mask>(rules: &Rules<M>, owner: Owner, pawn: KindId) -> bool {
    let homeless = || rules.array_squares[owner][pawn.index()].is_empty();
    rules.reserve[pawn.index()] > 0 || rules.nature.is_some() && homeless()
}

fn read_number<T: std::str::FromStr + PartialOrd>(field: &Field<'_>, missing: T, most: T) -> Fallible<T> {
    if matches!(field.text, "" | "-") {
        return Ok(missing);
    }
    if counts_checks(field.text) {
        return field.fail(CHECKS_COUNTED);
    }
    match field.text.parse() {
        Ok(number) if number <= most => Ok(number),
        _ => field.fail(format!("`{}` is not a valid number", field.text)),
    }
}

/// One square, or two that a pawn passed together, without anything between.
fn squares_of<M: Mask>(rules: &Rules<M>, text: &str) -> Option<Vec<Square>> {
    let board = rules.board();
    let (first, rest) = board.read_square(text.as_bytes())?;
    if rest.is_empty() {
        return Some(vec![first]);
    }
    let (second, rest) = board.read_square(rest).filter(|_| rules.first_step > 2)?;
    let beside =
        board.file(first) == board.file(second) && board.rank(first).abs_diff(board.rank(second)) == 1;
    let mut both = vec![first, second];
    both.sort_unstable();
    (rest.is_empty() && beside).then_some(both)
}

/// Splits the first field into board and stocks. Stocks begin with a bracket or, as Lichess writes them, with a `/`
/// after the last rank.
fn split_stocks<'a, M: Mask>(rules: &Rules<M>, text: &'a str) -> (&'a str, &'a str) {
    if let Some(at) = text.find('[') {
        return text.split_at(at);
    }
    let ranks = usize::from(rules.board().ranks()) + usize::from(rules.board().has_corners());
    let more = text.matches('/').count() == ranks && rules.has_reserve != rules.has_hand;
    let at = if more { text.rfind('/') } else { None };
    text.split_at(at.unwrap_or(text.len()))
}
