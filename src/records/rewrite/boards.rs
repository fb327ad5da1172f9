//! The boards of a game on two, each as a record of its own.

use crate::record::{AsWritten, ItemKind, Record, Seat, WriteOptions, read, tagged, write_record};
use crate::replay::{
    AnyOnTwo, AnyTrace, OnTwo, Played, Replayer, Report, Source, boards_of_items, trace_within,
};
use ferz_core::board::{BoardName, Mask, Owner, by_width};
use ferz_core::position::{Call, Position};
use ferz_core::text::{Budget, Exhausted};

/// The record of one board of a game on two: its plies as they are written, with their comments, and with
/// `[%receive n]` where a piece comes from the other board. White and Black are its players; the result is that of the
/// board. Variations are left out: they may go from one board to the other.
///
/// ```
/// use ferz_core::board::BoardName;
/// use ferz_core::rules::Registry;
/// use ferz_core::text::Budget;
/// use ferz_records::record::read;
/// use ferz_records::replay::{Options, Replayer, Source, trace_on_two};
/// use ferz_records::rewrite::one_board;
///
/// let text = b"1A. e4 1a. d5 2A. exd5 1B. d4 1b. P@e4 *";
/// let record = read(text, 0).next().ok_or("no record")?;
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// let game = Budget::endless(|budget| {
///     trace_on_two(&mut replayer, &record, &Source::new(text, 0, 0), 0, budget)
/// });
/// let game = game.ok_or("not on two boards")?;
/// assert!(one_board(&record, &game, BoardName::B).ends_with("\n\n{[%receive p]} 1. d4 P@e4 *\n"));
/// # Ok::<(), &str>(())
/// ```
pub fn one_board(record: &Record<'_>, game: &AnyOnTwo, board: BoardName) -> String {
    by_width!(AnyOnTwo, game, |game| of_board(record, game, board))
}

fn of_board<M: Mask>(record: &Record<'_>, game: &OnTwo<M>, board: BoardName) -> String {
    let start = &game.starts[board as usize];
    let tags = tags(record, start, game, board);
    let text = tagged(tags.iter().map(|(name, value)| (&**name, &**value)), &moves(record, game, board));
    let mut written = String::with_capacity(text.len());
    if let Some(made) = read(text.as_bytes(), 0).next() {
        write_record(&made, &AsWritten, &WriteOptions::default(), &mut written);
    }
    written.truncate(written.trim_end().len());
    written.push('\n');
    written
}

fn moves<M: Mask>(record: &Record<'_>, game: &OnTwo<M>, board: BoardName) -> String {
    let mut words = Vec::new();
    let mut positions = game.starts.clone();
    let mut next = 0;
    let mut announce = true;
    let boards = boards_of_items(record);
    // Plies that were not judged for lack of a piece from the other board (BUG-3).
    let mut left_out = Vec::new();
    let is_illegal =
        game.report.boards.as_ref().is_some_and(|boards| boards[board as usize].illegal.is_some());
    for (index, &item) in record.main_line().items() {
        let here = boards[index] == board;
        match item.kind {
            ItemKind::Move => {
                let made = game.plies.get(next).filter(|ply| ply.traced.item == index);
                if here && made.is_none() && !is_illegal {
                    left_out.push(record.text(item).into_owned());
                } else if here {
                    let status = positions[board as usize].status();
                    match (made, status.turn) {
                        (Some(_), Owner::White) => words.push(format!("{}.", status.number)),
                        (Some(_), _) if announce => words.push(format!("{}...", status.number)),
                        _ => {}
                    }
                    words.push(record.text(item).into_owned());
                    announce = false;
                }
                if made.is_some() {
                    let letter = game.make(next, &mut positions).filter(|_| !here);
                    if let Some(letter) = letter {
                        words.push(format!("{{{}}}", Call::Receive(letter)));
                        announce = true;
                    }
                    next += 1;
                }
            }
            ItemKind::Nag { value, .. } if here => words.push(format!("${value}")),
            ItemKind::Comment(_) if here => {
                words.push(format!("{{{}}}", record.text(item).replace('}', ")")));
                announce = true;
            }
            _ => {}
        }
    }
    if !left_out.is_empty() {
        words.push(format!(
            "{{not judged, since a piece from the other board may be missing: {}}}",
            left_out.join(" ")
        ));
    }
    words.push(result_of(record, board).to_owned());
    words.join(" ")
}

/// The result on a board: that of the record on board A, and the other way round on board B.
fn result_of(record: &Record<'_>, board: BoardName) -> &'static str {
    let result = record.stated_result().map_or("*", |result| result.as_str());
    match (board, result) {
        (BoardName::B, "1-0") => "0-1",
        (BoardName::B, "0-1") => "1-0",
        _ => result,
    }
}

/// The tags of one board: those of its players become `White…` and `Black…`.
fn tags<M: Mask>(
    record: &Record<'_>,
    start: &Position<M>,
    game: &OnTwo<M>,
    board: BoardName,
) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    for tag in &record.tags {
        let (name, value) = (record.tag_name(tag), record.tag_value(tag));
        let own = Owner::REAL.into_iter().find_map(|player| rest_of(&name, Seat::of(board, player)));
        let others =
            Owner::REAL.into_iter().any(|player| rest_of(&name, Seat::of(board.other(), player)).is_some());
        match own {
            Some(name) => tags.push((name, value.into_owned())),
            None if others
                || matches!(&*name, "Variant" | "Board" | "Result" | "FEN" | "SetUp" | "PlyCount") => {}
            None => tags.push((name.into_owned(), value.into_owned())),
        }
    }
    tags.push(("Result".to_owned(), result_of(record, board).to_owned()));
    tags.push(("Variant".to_owned(), game.report.variant.to_string()));
    tags.push(("Board".to_owned(), board.name().to_owned()));
    if record.find_tag("FEN").is_some() {
        tags.push(("SetUp".to_owned(), "1".to_owned()));
        tags.push(("FEN".to_owned(), start.fen()));
    }
    tags
}

/// The name of a player's tag on one board: `WhiteElo` for `WhiteAElo`; `None` if it is of another player.
fn rest_of(name: &str, seat: Seat) -> Option<String> {
    let player = seat.player().name();
    let rest = name.strip_prefix(player)?.strip_prefix(seat.board().name())?;
    // `WhiteBonus` is about no board.
    let ends = rest.chars().next().is_none_or(|next| next.is_ascii_uppercase());
    ends.then(|| format!("{player}{rest}"))
}

/// Calls `each` for the trace of a game with its record; for a game on two boards with both, whose records are those
/// of [`one_board`].
///
/// # Errors
/// The report on a record that cannot be judged; or that the budget ends before the work.
pub fn each_board(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    budget: &Budget,
    mut each: impl FnMut(&Record<'_>, &AnyTrace, Option<(&AnyOnTwo, BoardName)>) -> Result<(), Exhausted>,
) -> Result<Result<(), Box<Report>>, Exhausted> {
    let game = match Played::within(replayer, record, source, 0, budget)? {
        Ok(Played::OnOne(trace)) => return each(record, &trace, None).map(Ok),
        Ok(Played::OnTwo(game)) => game,
        Err(report) => return Ok(Err(report)),
    };
    for board in BoardName::ALL {
        let text = one_board(record, &game, board);
        let Some(made) = read(text.as_bytes(), 0).next() else { continue };
        match trace_within(replayer, &made, &Source::new(text.as_bytes(), 0, 0), 0, budget)? {
            Ok(trace) => each(&made, &trace, Some((&game, board)))?,
            Err(report) => return Ok(Err(report)),
        }
    }
    Ok(Ok(()))
}
