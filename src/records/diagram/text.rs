//! A position as text, for terminals and messages.

use ferz_core::board::{Mask, Owner, Square};
use ferz_core::judge::End;
use ferz_core::position::{Finish, Over, Position};
use ferz_core::rules::{Piece, Rules, Stock};
use std::fmt::Write;

/// The characters for pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pieces {
    /// The letters of a FEN.
    #[default]
    Letters,
    /// Chess figurines for kinds that have one, letters for others.
    Figurines,
}

/// The board, last rank first, with coordinates.
///
/// A piece is its letter, upper case for White. Nature's pieces have `*` before the letter, promoted kinds `+`; `'`
/// after it marks a kind of the other army, and `~` a promoted piece that reverts when captured. A vacant square is a
/// dot.
pub fn board<M: Mask>(position: &Position<M>, pieces: Pieces) -> String {
    let rules = position.rules();
    let size = rules.board();
    let marks_front = rules.nature.is_some() || rules.kinds.iter().any(|kind| kind.plus);
    let marks_after =
        rules.marks_promoted || rules.kinds.iter().any(|kind| kind.label.0.iter().any(|l| l.other_army));
    let front = if marks_front { " " } else { "" };
    let mut out = String::new();
    let width = usize::from(marks_front) + 1 + usize::from(marks_after);
    let put = |square: Option<Square>, out: &mut String| {
        let cell = match square.map(|square| (square, position.piece(square))) {
            Some((square, Some(piece))) => cell(rules, piece, position.promoted().has(square), front, pieces),
            Some((_, None)) => format!("{front}."),
            None => String::new(),
        };
        out.push(' ');
        out.push_str(&cell);
        out.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
    };
    // Squares outside make the drawing one square wider and higher on each side.
    let outside = i8::from(size.has_corners());
    let (files, ranks) = (size.files() as i8, size.ranks() as i8);
    for rank in (-outside..ranks + outside).rev() {
        match (0..ranks).contains(&rank) {
            // Writing to a string cannot fail.
            true => _ = write!(out, "{:>2} ", size.rank_number(rank as u8)),
            false => out.push_str("   "),
        }
        (-outside..files + outside).for_each(|file| put(size.square(file, rank), &mut out));
        end_line(&mut out);
    }
    out.push_str("   ");
    if size.has_corners() {
        put(None, &mut out);
    }
    for file in 0..size.files() {
        let after = if marks_after { " " } else { "" };
        let _ = write!(out, " {front}{}{after}", (b'a' + file) as char);
    }
    end_line(&mut out);
    out
}

fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

fn cell<M: Mask>(rules: &Rules<M>, piece: Piece, promoted: bool, front: &str, pieces: Pieces) -> String {
    let kind = rules.kind(piece.kind);
    let label = kind.label[piece.owner];
    let nature = piece.owner == Owner::Nature;
    let mut out = if nature || label.plus { String::new() } else { front.to_owned() };
    out.push_str(if nature { "*" } else { "" });
    out.push_str(if label.plus { "+" } else { "" });
    let figurine =
        if pieces == Pieces::Figurines && !label.plus { figurine(&kind.name, piece.owner) } else { None };
    out.push(figurine.unwrap_or_else(|| letter(label.letter, piece.owner)));
    if label.other_army {
        out.push('\'');
    }
    if promoted {
        out.push('~');
    }
    out
}

fn letter(letter: u8, owner: Owner) -> char {
    let letter = letter as char;
    if owner == Owner::Black { letter.to_ascii_lowercase() } else { letter }
}

/// The figurine of a kind by its name; Nature's look like White's and are distinguished by their mark.
fn figurine(name: &str, owner: Owner) -> Option<char> {
    let index =
        ["king", "queen", "rook", "bishop", "knight", "pawn"].iter().position(|known| *known == name)?;
    let figurines = if owner == Owner::Black { "♚♛♜♝♞♟" } else { "♔♕♖♗♘♙" };
    figurines.chars().nth(index)
}

/// Everything that the board does not show, in words, one fact a line: the side to move, stocks, rights, Nature's
/// clock, and an ending that follows from the position itself.
pub fn facts<M: Mask>(position: &Position<M>) -> String {
    let mut lines = vec![turn(position)];
    stocks(position, &mut lines);
    rights(position, &mut lines);
    lines.extend(nature(position));
    lines.extend(dead_pawns(position));
    lines.extend(position.finish().map(|finish| format!("The game is over: {}.", ending(finish))));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The pawns that can never move again.
pub(super) fn dead_pawns<M: Mask>(position: &Position<M>) -> Option<String> {
    let dead = position.dead_pawns();
    let names: Vec<_> = dead.squares().map(|square| position.rules().square_name(square)).collect();
    (!names.is_empty()).then(|| format!("Dead pawns: {}.", names.join(", ")))
}

fn turn<M: Mask>(position: &Position<M>) -> String {
    let status = position.status();
    let check = if status.in_check { ", in check" } else { "" };
    let clock = status.halfmoves;
    format!("{} to move{check}; move {}, halfmove clock {clock}.", status.turn.name(), status.number)
}

fn stocks<M: Mask>(position: &Position<M>, lines: &mut Vec<String>) {
    let rules = position.rules();
    let mut line = |owner: Owner, name: &str, stock: &Stock, note: String| {
        let held = stock_text(rules, owner, stock);
        let held = if held.is_empty() { "nothing" } else { &held };
        lines.push(format!("{}'s {name}: {held}{note}.", owner.name()));
    };
    for owner in Owner::REAL {
        if rules.has_reserve {
            let left = rules.entries.map(|_| format!("; entries left: {}", position.entries_left(owner)));
            line(owner, "reserve", position.reserve(owner), left.unwrap_or_default());
        }
        if rules.has_hand {
            line(owner, "hand", position.hand(owner), String::new());
        }
    }
}

fn stock_text<M: Mask>(rules: &Rules<M>, owner: Owner, stock: &Stock) -> String {
    let held = rules.stock_order.iter().filter(|kind| stock[kind.index()] > 0).map(|&kind| {
        let label = rules.kind(kind).label[owner];
        let mark = if label.other_army { "'" } else { "" };
        let times = stock[kind.index()];
        let times = if times > 1 { format!(" × {times}") } else { String::new() };
        format!("{}{mark}{times}", letter(label.letter, owner))
    });
    held.collect::<Vec<_>>().join(", ")
}

fn rights<M: Mask>(position: &Position<M>, lines: &mut Vec<String>) {
    let rules = position.rules();
    let status = position.status();
    let names =
        |mask: M| mask.squares().map(|square| rules.board().name(square)).collect::<Vec<_>>().join(", ");
    for owner in Owner::REAL {
        let rooks = status.castling & position.owned(owner);
        if rooks.any() {
            lines.push(format!(
                "{} has the right to castle with the rook on {}.",
                owner.name(),
                names(rooks)
            ));
        }
        let unmoved = status.unmoved & position.owned(owner);
        if rules.gating.is_some() && unmoved.any() {
            lines.push(format!(
                "{}'s pieces that have not moved (gating): {}.",
                owner.name(),
                names(unmoved)
            ));
        }
    }
    for square in status.en_passants() {
        lines.push(format!("En passant is possible on {}.", rules.board().name(square)));
    }
}

/// What is said of Nature once she is eliminated (CHA-20).
pub(super) const OUT: &str = "Nature is out of the game.";

/// Nature's clock in words (CHA 1, CHA-1, CHA-2).
fn nature<M: Mask>(position: &Position<M>) -> Option<String> {
    let rules = position.rules();
    let nature = rules.nature.as_ref()?;
    if position.status().nature.eliminated {
        return Some(OUT.to_owned());
    }
    let clock = position.status().nature.clock;
    let plies = |n: u8, more: &str| format!("{n} {more}real {}", if n == 1 { "ply" } else { "plies" });
    let acts = match nature.period.saturating_sub(clock) {
        0 if position.nature_may_act() => "it may act now".to_owned(),
        0 => "it can no longer act".to_owned(),
        left => format!("it may act after {}", plies(left, "more ")),
    };
    let check = match nature.delay.saturating_sub(clock) {
        0 => "its attack is check".to_owned(),
        left => format!("its attack is not check for {}", plies(left, "more ")),
    };
    let since = if clock >= nature.period.max(nature.delay) { "at least " } else { "" };
    let mut out = format!(
        "Nature's clock: {since}{} since its last turn or the start; {acts}; {check}.",
        plies(clock, "")
    );
    for (mask, what) in [
        (position.status().nature.unmoved, "Nature's pieces that have not moved"),
        (position.status().nature.doubles, "Pawns that made a double step since Nature's last turn"),
    ] {
        if mask.any() {
            let mut names: Vec<String> = mask.squares().map(|square| rules.board().name(square)).collect();
            names.sort();
            let _ = write!(out, "\n{what}: {}.", names.join(", "));
        }
    }
    Some(out)
}

/// An ending in words.
pub fn ending(finish: Finish) -> String {
    match finish {
        Finish::Checkmate => "checkmate".into(),
        Finish::AntiCheckmate => "anti-checkmate".into(),
        Finish::NaturesMate => "Nature's mate".into(),
        Finish::Stalemate => "stalemate".into(),
        Finish::Over(Over::KingsSquare(owner)) => format!("{} reached the king's square", owner.name()),
        Finish::Over(Over::BareKing(owner)) => format!("{} has a bare king", owner.name()),
        Finish::Over(Over::DoublePass) => "both players have passed".into(),
        Finish::Over(Over::Bikjang) => "the facing of the kings was accepted".into(),
        Finish::Over(Over::Count) => "the count has come to its limit".into(),
        Finish::Over(Over::BareKings) => "both kings are bare".into(),
        Finish::Over(Over::Checks(owner)) => format!("{} has given enough checks", owner.name()),
        Finish::Over(Over::Goal(owner)) => format!("{} has reached the goal", owner.name()),
        Finish::Over(Over::Explosion(owner)) => format!("{}'s king was exploded", owner.name()),
        Finish::Over(Over::NoPieces(owner)) => format!("{} has no pieces", owner.name()),
        Finish::Over(Over::GoalDraw) => "both have reached the goal".into(),
    }
}

/// An end reached before the position, in words, with its result.
pub fn by_history(end: End) -> String {
    format!("{}, {}", end.reason.id().replace('_', " "), end.outcome.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz_core::rules::{AnyRules, Registry};

    fn position(variant: &str, tags: &[(&str, &str)], fen: &str) -> Position<u64> {
        let tag =
            |name: &str| tags.iter().find(|(tag, _)| *tag == name).map(|(_, value)| (*value).to_owned());
        match Registry::built_in().rules(variant, &tag).unwrap() {
            AnyRules::Narrow(rules) => Position::from_fen(rules, fen).unwrap(),
            AnyRules::Wide(_) => panic!("{variant} has more than 64 squares"),
        }
    }

    #[test]
    fn natures_pieces_and_clock() {
        let tags = [("NatureRules", "advanced")];
        let position =
            position("chaos+chess", &tags, "4k3/8/2p5/1*P1*N4/8/5P2/8/4K2*R[Nr] w - - 0 1 ~5:b5,h1");
        insta::assert_snapshot!(board(&position, Pieces::Letters), @r##"
        8   .  .  .  .  k  .  .  .
        7   .  .  .  .  .  .  .  .
        6   .  .  p  .  .  .  .  .
        5   . *P  . *N  .  .  .  .
        4   .  .  .  .  .  .  .  .
        3   .  .  .  .  .  P  .  .
        2   .  .  .  .  .  .  .  .
        1   .  .  .  .  K  .  . *R
            a  b  c  d  e  f  g  h
        "##);
        insta::assert_snapshot!(facts(&position), @r##"
        White to move, in check; move 1, halfmove clock 0.
        White's hand: N.
        Black's hand: r.
        Nature's clock: at least 5 real plies since its last turn or the start; it may act now; its attack is check.
        Nature's pieces that have not moved: b5, h1.
        "##);
    }

    #[test]
    fn the_other_armys_kinds() {
        let tags = [("WhiteArmy", "RF ND BfbN QffNsbN"), ("BlackArmy", "RA NW BD RNF")];
        let position = position("augmented", &tags, "4k3/8/8/3Q'4/3q4/8/8/4K3 w - - 0 1");
        insta::assert_snapshot!(board(&position, Pieces::Figurines), @r##"
        8  .  .  .  .  ♚  .  .  .
        7  .  .  .  .  .  .  .  .
        6  .  .  .  .  .  .  .  .
        5  .  .  .  ♕' .  .  .  .
        4  .  .  .  ♛  .  .  .  .
        3  .  .  .  .  .  .  .  .
        2  .  .  .  .  .  .  .  .
        1  .  .  .  .  ♔  .  .  .
           a  b  c  d  e  f  g  h
        "##);
    }

    #[test]
    fn rights_and_reserves() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[MCc] w KQBCDFGkqbcdfg - 0 1";
        insta::assert_snapshot!(facts(&position("iago-b", &[], fen)), @r##"
        White to move; move 1, halfmove clock 0.
        White's reserve: M, C; entries left: 2.
        Black's reserve: c; entries left: 1.
        White has the right to castle with the rook on a1, h1.
        White's pieces that have not moved (gating): a1, b1, c1, d1, e1, f1, g1, h1.
        Black has the right to castle with the rook on a8, h8.
        Black's pieces that have not moved (gating): a8, b8, c8, d8, e8, f8, g8, h8.
        "##);
    }
}
