//! `ferz perft`: counts sequences of plies.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::position_args::{AnyReached, PositionArgs, spelt};
use crate::cli::records::threads;
use crate::cli::session::Session;
use ferz::board::by_width;
use ferz::replay::perft::divide;
use ferz::text::limits::PERFT_DEPTH_MAX;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Depth in plies
    #[arg(value_parser = depth)]
    depth: u32,

    /// Print the count for each first ply
    #[arg(long)]
    divide: bool,

    /// Threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = |text: &str| threads(text, 1))]
    jobs: Option<usize>,
}

const EXAMPLES: &str = "\
Every ply counts as one, Nature's too. A sequence ends with checkmate, stalemate and similar, but not with a draw.
The last line is the count alone.

Examples:
  ferz perft chess 4
  ferz perft iago-b 2 --divide
  ferz perft chess 3 --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'";

fn depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| *depth <= PERFT_DEPTH_MAX);
    depth.ok_or_else(|| format!("write a number of plies from 0 to {PERFT_DEPTH_MAX}"))
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let reached = args.position.position(session)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build();
    let pool =
        pool.map_err(|error| Failure::message(format!("cannot start threads: {error}; try --jobs 1")))?;
    let mut parts: Vec<(String, u64)> = by_width!(AnyReached, &reached, |reached| {
        let depth = if reached.is_over() { 0 } else { args.depth };
        let parts = pool.install(|| divide(&reached.position, depth));
        parts.iter().map(|(ply, count)| (spelt(&reached.position, ply), *count)).collect()
    });
    // Depth 0: one sequence, without plies.
    let total = if args.depth == 0 { 1 } else { parts.iter().map(|(_, count)| count).sum::<u64>() };
    if args.divide {
        parts.sort_unstable();
        for (ply, count) in parts {
            session.console.line(format_args!("{ply}: {count}"))?;
        }
    }
    session.console.line(total)?;
    Ok(ExitStatus::Fine)
}
