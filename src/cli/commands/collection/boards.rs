//! `ferz boards`: each board of a game on two as a record of its own.

use super::{Collection, text_of};
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::records::write_record;
use crate::cli::session::Session;
use ferz::board::BoardName;
use ferz::replay::trace_on_two;
use ferz::rewrite::one_board;
use ferz::text::Budget;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    records: Collection,

    /// Only this board, A or B
    #[arg(long, value_name = "BOARD", value_parser = board)]
    board: Option<BoardName>,
}

const EXAMPLES: &str = "\
Games on two boards (Bughouse) become two records, board A first, for the commands that work on one board. \
`[%receive n]` says where a piece comes from the other board, a capital letter for White's. White, Black and the \
result are those of the board; variations are left out. Other games are written as they are.

Examples:
  ferz boards game.bpgn > boards.pgn
  ferz boards --board A game.bpgn | ferz show - --ply 12
  ferz boards game.bpgn | ferz validate -";

fn board(text: &str) -> Result<BoardName, String> {
    let named = BoardName::ALL.into_iter().find(|board| board.name().eq_ignore_ascii_case(text));
    named.ok_or_else(|| "write A or B".to_owned())
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let wanted = |board: &BoardName| args.board.is_none_or(|only| only == *board);
    args.records.each(
        session,
        |replayer, record, source| {
            let game = Budget::endless(|budget| trace_on_two(replayer, record, source, 0, budget));
            game.map_or_else(
                || vec![text_of(record)],
                |game| {
                    let boards = BoardName::ALL.into_iter().filter(wanted);
                    boards.map(|board| one_board(record, &game, board).trim().as_bytes().to_vec()).collect()
                },
            )
        },
        |console, _, texts: Vec<Vec<u8>>| texts.iter().try_for_each(|text| write_record(console, text)),
    )?;
    Ok(ExitStatus::Fine)
}
