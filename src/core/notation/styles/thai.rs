//! Styles `thai-san` and `thai-lan`: algebraic notation in Thai, as Fairy-Stockfish spells it. Files are ก ข ค ง จ ฉ ช
//! ญ, ranks ๑ to ๘.
//!
//! `thai-san` is short: `จ๔`, `จxฉ๕`, `ร-ญ๒`, `มคxจ๒`, `ฉ๖=M`. Some files and pieces share a letter, so that `คxข๕` may
//! be a khon's capture or a pawn's from its file. Where both are legal, the pawn is written with its letter, `บคxข๕`,
//! and the piece with its square, `คค๔xข๕`. `thai-lan` has every piece's letter, a blank, and both squares: `บ จ๓-จ๔`.

use super::form::{Form, ReadForm, Row, own_lacks};
use crate::board::{Board, Mask, Owner, Square};
use crate::notation::attempts::legal_plies;
use crate::notation::express::Lack;
use crate::notation::letters::Letters;
use crate::notation::movetext::{CheckMark, Habits, MoveText, Shape};
use crate::notation::origin::{Origin, origin_needed};
use crate::notation::own_forms::OwnForms;
use crate::notation::style::Style;
use crate::notation::write::{WriteChoices, mark_after};
use crate::position::{Ply, Position};
use crate::rules::definition::OwnStyle;
use crate::rules::{KindId, KindSet, Rules};

/// Letters of the files.
const FILES: [char; 8] = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ'];

/// Digits of the ranks.
const RANKS: [char; 8] = ['๑', '๒', '๓', '๔', '๕', '๖', '๗', '๘'];

fn file_of(char: char) -> Option<u8> {
    FILES.iter().position(|known| *known == char).map(|file| file as u8)
}

fn rank_of(char: char) -> Option<u8> {
    RANKS.iter().position(|known| *known == char).map(|rank| rank as u8)
}

/// Short algebraic notation in Thai.
pub(in crate::notation) struct San;

/// Long algebraic notation in Thai.
pub(in crate::notation) struct Lan;

/// Reads both.
const READ: ReadForm = |letters, mover, token| read(letters, mover, token).map(Ok);

impl Form for San {
    const ROW: Row = Row {
        name: "thai-san",
        example: "ร-ญ๒, จxฉ๕",
        own: Some(OwnStyle::ThaiSan),
        marks: true,
        allows: |habits| habits.has(Habits::THAI_SAN),
        shown_by: |habits, _| habits.has(Habits::THAI_SAN),
        read: Some(READ),
        ..Row::OWN
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        own_lacks(&Self::ROW, true, position, ply)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let rules = position.rules();
        let captures = position.piece(ply.to).is_some();
        let pawn = rules.is_pawn(ply.kind);
        let doubtful = captures && ply.promotion.is_none() && means_another(position, ply);
        let origin = match (pawn, captures) {
            (true, true) => Origin::File,
            (true, false) => Origin::Nothing,
            (false, _) if doubtful => Origin::Square,
            (false, _) => origin_needed(position, ply),
        };
        if !pawn || doubtful {
            write_name(rules, ply.kind, out);
        }
        let board = rules.board();
        let (file, rank) =
            (FILES[usize::from(board.file(ply.from))], RANKS[usize::from(board.rank(ply.from))]);
        match origin {
            Origin::Nothing => {}
            Origin::File => out.push(file),
            Origin::Rank => out.push(rank),
            Origin::Square => out.extend([file, rank]),
        }
        if captures || !pawn {
            out.push(if captures { 'x' } else { '-' });
        }
        write_end(position, ply, Style::ThaiSan, out);
        Ok(())
    }
}

impl Form for Lan {
    const ROW: Row = Row {
        name: "thai-lan",
        example: "ร ญ๑-ญ๒",
        own: Some(OwnStyle::ThaiLan),
        marks: true,
        allows: |habits| habits.has(Habits::THAI_LAN),
        shown_by: |habits, _| habits.has(Habits::THAI_LAN),
        read: Some(READ),
        ..Row::OWN
    };

    fn lacks<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<Lack> {
        own_lacks(&Self::ROW, true, position, ply)
    }

    fn write<M: Mask>(
        position: &Position<M>,
        ply: &Ply,
        _: WriteChoices,
        out: &mut String,
    ) -> Result<(), Lack> {
        let rules = position.rules();
        write_name(rules, ply.kind, out);
        out.push(' ');
        write_square(rules.board(), ply.from, out);
        out.push(if position.piece(ply.to).is_some() { 'x' } else { '-' });
        write_end(position, ply, Style::ThaiLan, out);
        Ok(())
    }
}

/// Appends target, promotion and mark.
fn write_end<M: Mask>(position: &Position<M>, ply: &Ply, style: Style, out: &mut String) {
    let rules = position.rules();
    write_square(rules.board(), ply.to, out);
    if let Some(kind) = ply.promotion {
        out.extend(['=', char::from(rules.kind(kind).letter)]);
    }
    out.push_str(style.sign(mark_after(position, ply)));
}

fn write_square(board: Board, square: Square, out: &mut String) {
    out.extend([FILES[usize::from(board.file(square))], RANKS[usize::from(board.rank(square))]]);
}

/// The names of a kind; none for one that has its letter only.
fn names<M: Mask>(rules: &Rules<M>, kind: KindId) -> &[String] {
    rules.spelled(kind).map_or(&[], |spelled| &spelled.thai)
}

fn write_name<M: Mask>(rules: &Rules<M>, kind: KindId, out: &mut String) {
    match names(rules, kind).first() {
        Some(name) => out.push_str(name),
        None => out.push(char::from(rules.kind(kind).letter)),
    }
}

/// True if the usual text of a capture would fit another legal ply: a pawn's from the file that a piece's name is, or a
/// piece's whose name is the pawn's file.
fn means_another<M: Mask>(position: &Position<M>, ply: &Ply) -> bool {
    let (rules, board) = (position.rules(), position.rules().board());
    let is_named = |kind: KindId, file: u8| {
        let letter = String::from(FILES[usize::from(file)]);
        names(rules, kind).contains(&letter)
    };
    let capture = |kinds: KindSet, from_file| MoveText {
        kinds,
        from_file,
        to: ply.to,
        captures: true,
        ..MoveText::new(Shape::Step)
    };
    let fits = |text: &MoveText| !legal_plies(position, text).0.is_empty();
    if rules.is_pawn(ply.kind) {
        let file = board.file(ply.from);
        let named: KindSet = rules.all_kinds().kinds().filter(|kind| is_named(*kind, file)).collect();
        return !named.is_empty() && fits(&capture(named, None));
    }
    let mut files = (0..board.files()).filter(|file| is_named(ply.kind, *file));
    files.any(|file| fits(&capture(rules.pawns, Some(file))))
}

/// Reads a token in either style; `None` if it has another form.
fn read(letters: &Letters, mover: Owner, token: &[u8]) -> Option<MoveText> {
    let own = letters.own()?;
    let text = std::str::from_utf8(token).ok().filter(|text| !text.is_ascii())?;
    let named = |text| named_at(letters, own, mover, text);
    let (mark, body) = match (text.strip_suffix('+'), text.strip_suffix('#')) {
        (Some(body), _) => (CheckMark::Check, body),
        (None, Some(body)) => (CheckMark::Mate, body),
        (None, None) => (CheckMark::None, text),
    };
    let (body, promotion) = match body.split_once('=') {
        Some((body, becomes)) => (body, Some(named(becomes).filter(|(_, rest)| rest.is_empty())?.0)),
        None => (body, None),
    };
    let mut chars = body.chars();
    let (rank, file) = (rank_of(chars.next_back()?)?, file_of(chars.next_back()?)?);
    let to = letters.board().square(file as i8, rank as i8)?;
    let front = chars.as_str();
    let text = match front.split_once(char::is_whitespace) {
        Some((piece, origin)) => long(&named, piece, origin.trim_start())?,
        None => short(letters.pawns(), &named, front)?,
    };
    Some(MoveText { to, promotion, mark, ..text })
}

/// The kind of the name at the start of a text, and the rest. Its letter is a name, too: Fairy-Stockfish writes what a
/// pawn becomes so.
fn named_at<'t>(letters: &Letters, own: &OwnForms, mover: Owner, text: &'t str) -> Option<(KindId, &'t str)> {
    own.thai_at(text).or_else(|| {
        let letter = *text.as_bytes().first().filter(|letter| letter.is_ascii_uppercase())?;
        Some((letters.kind(mover, letter, false, false)?, &text[1..]))
    })
}

/// `บ จ๓-`: the letter, and the from-square with the sign behind it.
fn long<'t>(
    named: &impl Fn(&'t str) -> Option<(KindId, &'t str)>,
    piece: &'t str,
    origin: &str,
) -> Option<MoveText> {
    let (kind, "") = named(piece)? else { return None };
    let kinds = [kind].into_iter().collect();
    let (origin, captures) = signed(origin)?;
    let (from_file @ Some(_), from_rank @ Some(_)) = origin_of(origin)? else { return None };
    let habits = Habits::THAI_LAN;
    Some(MoveText { kinds, from_file, from_rank, captures, habits, ..MoveText::new(Shape::Step) })
}

/// `ร-`, `มคx`, `จx`, and nothing before a pawn's target.
fn short<'t>(
    all_pawns: KindSet,
    named: &impl Fn(&'t str) -> Option<(KindId, &'t str)>,
    front: &'t str,
) -> Option<MoveText> {
    let form = MoveText { habits: Habits::THAI_SAN, ..MoveText::new(Shape::Step) };
    if front.is_empty() {
        return Some(MoveText { kinds: all_pawns, ..form });
    }
    let (front, captures) = signed(front)?;
    let pawn_file = file_of(front.chars().next()?).filter(|_| captures && front.chars().count() == 1);
    let named = named(front).and_then(|(kind, origin)| Some((kind, origin_of(origin)?)));
    let pawns = if pawn_file.is_some() { all_pawns } else { KindSet::EMPTY };
    match named {
        Some((kind, (from_file, from_rank))) => {
            let mut kinds = pawns;
            kinds.insert(kind);
            Some(MoveText { kinds, from_file, from_rank, captures, pawn_file, ..form })
        }
        None => Some(MoveText { kinds: pawns, from_file: Some(pawn_file?), captures, ..form }),
    }
}

/// The text before its sign, and whether that is of a capture.
fn signed(text: &str) -> Option<(&str, bool)> {
    match text.strip_suffix('-') {
        Some(text) => Some((text, false)),
        None => text.strip_suffix('x').map(|text| (text, true)),
    }
}

/// A file, a rank, both or neither; `None` for anything else.
fn origin_of(text: &str) -> Option<(Option<u8>, Option<u8>)> {
    let mut chars = text.chars().peekable();
    let file = chars.next_if(|char| file_of(*char).is_some()).and_then(file_of);
    let rank = chars.next_if(|char| rank_of(*char).is_some()).and_then(rank_of);
    chars.next().is_none().then_some((file, rank))
}
