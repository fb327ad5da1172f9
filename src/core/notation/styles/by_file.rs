//! Plies that name a piece by its file, counted by its player from the right, or by its place among several on one:
//! what such a text means in a position, and how a ply is named so. Styles `wxf` and `chinese` are two spellings of it.

use crate::board::{Board, Mask, Owner, Square};
use crate::notation::attempts::legal_plies;
use crate::notation::explain;
use crate::notation::express::Lack;
use crate::notation::movetext::{ByFile, MoveText, Place, Shape, Way, Which};
use crate::notation::nearest::nearest;
use crate::notation::resolve::{Fault, Leniency, Resolved};
use crate::position::{Ply, Position, Reason};
use crate::rules::definition::{OwnStyle, Tandem};
use crate::rules::{KindId, Rules};

/// Largest number of files and of steps that one digit can name.
const DIGIT_MAX: u8 = 9;

/// The number by which `owner` calls a file: from the right, beginning with 1.
fn number_of(board: Board, owner: Owner, file: u8) -> u8 {
    if owner == Owner::Black { file + 1 } else { board.files() - file }
}

/// The file that `owner` calls so, if the board has it.
fn file_of(board: Board, owner: Owner, number: u8) -> Option<u8> {
    let from_left =
        if owner == Owner::Black { number.checked_sub(1) } else { board.files().checked_sub(number) };
    from_left.filter(|file| *file < board.files())
}

/// The pieces of a kind on each file, front to rear; the files from the owner's right to the left.
fn columns<M: Mask>(position: &Position<M>, owner: Owner, kind: KindId) -> Vec<Vec<Square>> {
    let (rules, board) = (position.rules(), position.rules().board());
    let pieces = position.state().pieces(owner, kind);
    let on = |number: u8| -> Vec<Square> {
        let Some(file) = file_of(board, owner, number) else { return Vec::new() };
        let mut squares: Vec<Square> = (pieces & rules.geometry.file(file)).squares().collect();
        if owner.forward() > 0 {
            squares.reverse();
        }
        squares
    };
    (1..=board.files()).map(on).collect()
}

/// The squares of the pieces that a text may name.
fn named<M: Mask>(position: &Position<M>, owner: Owner, kind: KindId, place: Place) -> Vec<Square> {
    let columns = columns(position, owner, kind);
    let of_file = |number: u8| usize::from(number).checked_sub(1).and_then(|index| columns.get(index));
    let middle = |column: &[Square]| (column.len() % 2 == 1).then(|| column[column.len() / 2]);
    match place {
        // Among an odd number, the one that is neither in front nor in the rear.
        Place::File(number) => {
            let column = of_file(number).map_or(&[][..], Vec::as_slice);
            middle(column).map_or_else(|| column.to_vec(), |square| vec![square])
        }
        Place::Among { file, which } => {
            let several: Vec<&[Square]> = match file {
                Some(number) => of_file(number).into_iter().map(Vec::as_slice).collect(),
                None => columns.iter().map(Vec::as_slice).collect(),
            };
            let several: Vec<&[Square]> = several.into_iter().filter(|column| column.len() > 1).collect();
            let each = |pick: &dyn Fn(&[Square]) -> Option<Square>| {
                several.iter().filter_map(|column| pick(column)).collect()
            };
            match which {
                Which::Front => each(&|column| column.first().copied()),
                Which::Middle => each(&middle),
                Which::Rear => each(&|column| column.last().copied()),
                Which::Number(number) => {
                    let index = usize::from(number).checked_sub(1);
                    index.and_then(|index| several.concat().get(index).copied()).into_iter().collect()
                }
            }
        }
    }
}

/// The squares that a kind reaches from a square of an empty board.
fn reach<M: Mask>(rules: &Rules<M>, owner: Owner, kind: KindId, from: Square) -> M {
    let tables = &rules.moves[owner];
    let (quiet, capture) = tables.complex_reach(rules.board(), kind.index(), from, (M::EMPTY, M::EMPTY));
    tables.all_targets(kind.index(), from) | quiet | capture
}

/// The squares that a text may name as the target of a piece: those that the piece reaches on an empty board, or, if it
/// reaches none of them, those that its kind would reach in another part of the board.
fn targets<M: Mask>(
    rules: &Rules<M>,
    (owner, kind): (Owner, KindId),
    from: Square,
    text: ByFile,
) -> Vec<Square> {
    let board = rules.board();
    let (file, rank) = (board.file(from) as i8, board.rank(from) as i8);
    let there = file_of(board, owner, text.number).map(|there| there as i8).filter(|there| *there != file);
    let steps = match text.way {
        Way::Level => 0,
        Way::Forward => owner.forward(),
        Way::Back => -owner.forward(),
    };
    let mut all: Vec<Square> = Vec::new();
    if steps == 0 {
        all.extend(there.and_then(|there| board.square(there, rank)));
    } else {
        all.extend(board.square(file, rank + steps * text.number as i8));
        let ahead = (1..board.ranks() as i8).filter_map(|far| board.square(there?, rank + steps * far));
        all.extend(ahead);
    }
    let reached = |reach: M| all.iter().copied().filter(|to| reach.has(*to)).collect::<Vec<Square>>();
    let found = reached(reach(rules, owner, kind, from));
    if !found.is_empty() {
        return found;
    }
    let elsewhere = board.squares().flat_map(|start| {
        let (dx, dy) = (file - board.file(start) as i8, rank - board.rank(start) as i8);
        reach(rules, owner, kind, start).squares().filter_map(move |to| board.offset(to, dx, dy))
    });
    let found = reached(M::of(elsewhere));
    // No such step: one that is illegal stands for it.
    let first = || all.first().copied().unwrap_or(from);
    if found.is_empty() { vec![first()] } else { found }
}

/// The pairs of squares that a text may mean, each as coordinates.
pub(in crate::notation) fn as_squares<M: Mask>(
    position: &Position<M>,
    text: &MoveText,
    by_file: ByFile,
) -> Vec<MoveText> {
    let (rules, owner) = (position.rules(), position.turn());
    let board = rules.board();
    let mut found = Vec::new();
    for kind in text.kinds.both(rules.all_kinds()).kinds() {
        for from in named(position, owner, kind, by_file.place) {
            let squares = |to| MoveText {
                kinds: [kind].into_iter().collect(),
                from_file: Some(board.file(from)),
                from_rank: Some(board.rank(from)),
                to,
                habits: text.habits,
                ..MoveText::new(Shape::Squares)
            };
            found.extend(targets(rules, (owner, kind), from, by_file).into_iter().map(squares));
        }
    }
    found
}

fn legal<M: Mask>(position: &Position<M>, meant: &[MoveText]) -> Vec<Ply> {
    meant.iter().flat_map(|text| legal_plies(position, text).0).collect()
}

/// Finds the ply that a text means.
///
/// # Errors
/// If no legal ply or more than one fits.
pub(in crate::notation) fn resolve<M: Mask>(
    position: &Position<M>,
    text: &MoveText,
    by_file: ByFile,
) -> Result<Resolved, Box<Fault>> {
    let rules = position.rules();
    let meant = as_squares(position, text, by_file);
    let plies = legal(position, &meant);
    match (&plies[..], meant.first()) {
        ([ply], _) => Ok(Resolved { ply: *ply, leniency: Leniency::default() }),
        ([], Some(squares)) => Err(explain::illegal(position, squares)),
        ([], None) => {
            let reason = if text.kinds.is_empty() { Reason::NoSuchKind } else { Reason::NoSuchPiece };
            let candidates = nearest(position, text);
            Err(Box::new(Fault { candidates, ..Fault::new(rules, reason, "") }))
        }
        _ => {
            let squares = plies.iter().filter_map(|ply| ply.from.some()).collect();
            let ambiguous = Fault::new(rules, Reason::Ambiguous, "");
            Err(Box::new(Fault { squares, candidates: plies, ..ambiguous }))
        }
    }
}

/// Where a piece stands among those of its kind, as its owner counts.
struct Standing {
    /// The number of its file.
    file: u8,
    /// Its number on its file, from the front.
    place: u8,
    /// How many are on its file.
    of: usize,
    /// Its number among all pieces on files with more than one.
    number: u8,
    /// The files with more than one.
    files: usize,
}

fn standing<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Standing> {
    let columns = columns(position, ply.actor, ply.kind);
    let file = number_of(position.rules().board(), ply.actor, position.rules().board().file(ply.from));
    let column = columns.get(usize::from(file - 1))?;
    let several: Vec<&Vec<Square>> = columns.iter().filter(|column| column.len() > 1).collect();
    let place = column.iter().position(|square| *square == ply.from)? as u8 + 1;
    let number = several.iter().copied().flatten().position(|square| *square == ply.from).unwrap_or_default();
    Some(Standing { file, place, of: column.len(), number: number as u8 + 1, files: several.len() })
}

/// The ways to name a piece in a style, the usual one first.
fn places(style: OwnStyle, tandem: Tandem, at: &Standing) -> Vec<Place> {
    let among = |file: Option<u8>, which: Which| Place::Among { file, which };
    let ends = match at.place {
        1 => Some(Which::Front),
        place if usize::from(place) == at.of => Some(Which::Rear),
        place if usize::from(place) == at.of / 2 + 1 && at.of == 3 => Some(Which::Middle),
        _ => None,
    };
    let mut places = Vec::new();
    if at.of == 1 || tandem == Tandem::File {
        places.push(Place::File(at.file));
    }
    if at.of == 1 {
        return places;
    }
    let chinese = style == OwnStyle::Chinese;
    let by_number = tandem == Tandem::Number && (at.files > 1 || at.of > 2 && !chinese);
    if !by_number {
        places.extend(ends.map(|which| among(None, which)));
    }
    match (chinese, tandem) {
        (true, _) => places.push(among(None, Which::Number(at.number))),
        (false, Tandem::Number) => places.push(among(Some(at.file), Which::Number(at.place))),
        // The middle one keeps its file's number.
        (false, _) => places.push(Place::File(at.file)),
    }
    places
}

/// How a style names the piece and the way of a legal ply.
///
/// # Errors
/// If the ply is more than a piece's step, or every name that the style has would fit another ply too.
pub(in crate::notation) fn form<M: Mask>(
    position: &Position<M>,
    ply: &Ply,
    style: OwnStyle,
) -> Result<ByFile, Lack> {
    let (rules, board) = (position.rules(), position.rules().board());
    let forward = i16::from(ply.actor.forward());
    let ahead = (i16::from(board.rank(ply.to)) - i16::from(board.rank(ply.from))) * forward;
    let same_file = board.file(ply.from) == board.file(ply.to);
    let far = ahead.unsigned_abs() as u8;
    let number = if same_file { far } else { number_of(board, ply.actor, board.file(ply.to)) };
    let way = match ahead {
        0 => Way::Level,
        1.. => Way::Forward,
        _ => Way::Back,
    };
    let tandem = rules.spelled(ply.kind).map_or(Tandem::default(), |spelled| spelled.tandem);
    let at = standing(position, ply).ok_or(Lack::Unclear)?;
    let text = MoveText { kinds: [ply.kind].into_iter().collect(), ..MoveText::new(Shape::Squares) };
    let mut forms = places(style, tandem, &at).into_iter().map(|place| ByFile { place, way, number });
    let fits = |form: &ByFile| {
        let meant = as_squares(position, &text, *form);
        match (&legal(position, &meant)[..], &meant[..]) {
            ([only], _) => only == ply,
            // An illegal ply that was let stand.
            ([], [only]) => {
                let from = (only.from_file, only.from_rank);
                from == (Some(board.file(ply.from)), Some(board.rank(ply.from))) && only.to == ply.to
            }
            _ => false,
        }
    };
    forms.find(|form| form.number <= DIGIT_MAX && fits(form)).ok_or(Lack::Unclear)
}
