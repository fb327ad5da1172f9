//! `ferz moves`: lists the legal plies.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::ply_arg::PlyArg;
use crate::cli::position_args::{AnyReached, PositionArgs, Reached};
use crate::cli::recorded::Recorded;
use crate::cli::records::styles;
use crate::cli::session::Session;
use ferz::board::{Mask, by_width};
use ferz::notation::{Style, write_alone};
use ferz::replay::{AnyTrace, Played, Trace, WORKS_ON_ONE};
use std::path::Path;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("variant", |variant| variant.required(false).required_unless_present("record")))]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    recorded: Recorded,

    /// Style of the plies
    #[arg(long, value_name = "STYLE", default_value = "coord", value_parser = styles(), ignore_case = true)]
    style: Style,
}

const EXAMPLES: &str = "\
Lines are sorted bytewise; a finished game has none, and standard error says how it ended. Nature's plies begin with \
`~` in every style. Coordinate notation replaces what a style cannot express.

With --each each game of a file, or each position of a list, has a line with its number.

Examples:
  ferz moves chess --moves 'e2e4 e7e5'
  ferz moves chess --style san --moves '1. e4 e5 2. Nf3'
  ferz moves chaos+chess --tag NatureRules=advanced --moves 'e2e4 e7e5 g1f3 b8c6 f1c4'
  ferz moves iago-b --style iago --moves 'e2e4 e7e5'
  ferz moves chess --fen '8/8/8/8/8/5k2/7p/7K w - - 0 1'
  ferz moves fixtures/games/ichess-sample.pgn --ply 16
  ferz moves fixtures/games/ichess-sample.pgn --each --ply 16 --style san";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let reached = match args.recorded.file(&args.position, session)? {
        Some(path) if args.recorded.each => return each(args, &path, session),
        Some(path) => of_trace(&args.recorded.traced(&path, session)?, args.recorded.ply)?,
        None => args.position.position(session)?,
    };
    let (lines, over) = plies(&reached, args.style);
    if let Some(over) = over {
        session.console.warning(format!("no legal plies: {over}"))?;
    }
    for line in lines {
        session.console.line(line)?;
    }
    Ok(ExitStatus::Fine)
}

/// Writes a line for every game of a file.
fn each(args: &Args, path: &Path, session: &mut Session<'_>) -> Outcome {
    let listed = |played: &Played| match played {
        Played::OnOne(traced) => {
            of_trace(traced, args.recorded.ply).map(|reached| plies(&reached, args.style))
        }
        Played::OnTwo(_) => Err(Failure::message(WORKS_ON_ONE)),
    };
    args.recorded.each_of(path, session, listed, |console, game, (lines, over)| {
        if let Some(over) = over {
            console.warning(format!("game {game}: no legal plies: {over}"))?;
        }
        console.line(format!("game {game}: {}", lines.join(" ")).trim_end())
    })
}

/// The legal plies of a position, in their order, and why there are none.
fn plies(reached: &AnyReached, style: Style) -> (Vec<String>, Option<String>) {
    by_width!(AnyReached, reached, |reached| {
        let written = reached.plies().iter().map(|ply| write_alone(&reached.position, ply, style)).collect();
        let mut lines: Vec<String> = written;
        lines.sort_unstable();
        (lines, reached.over())
    })
}

/// The position of a record after a ply, or after all legal ones.
fn of_trace(traced: &AnyTrace, ply: Option<PlyArg>) -> Result<AnyReached, Failure> {
    Ok(match traced {
        AnyTrace::Narrow(trace) => AnyReached::Narrow(reached(trace, ply)?),
        AnyTrace::Wide(trace) => AnyReached::Wide(reached(trace, ply)?),
    })
}

fn reached<M: Mask>(trace: &Trace<M>, ply: Option<PlyArg>) -> Result<Reached<M>, Failure> {
    let all = trace.plies.len();
    let ply = ply.map_or(Ok(all), |ply| ply.plies(trace));
    let ply = ply.map_err(|why| Failure::message(format!("--ply: {why}")))?;
    if ply > all {
        let message = format!("--ply {ply}: the game has only {all} legal plies; write 0 to {all}");
        return Err(Failure::message(message));
    }
    Ok(Reached::of_trace(trace, ply))
}
