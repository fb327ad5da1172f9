//! `ferz sample`: records drawn at random.

use super::Collection;
use crate::cli::output::{ExitStatus, Outcome};
use crate::cli::records::write_record;
use crate::cli::session::Session;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// How many records
    #[arg(value_name = "N")]
    count: usize,

    #[command(flatten)]
    records: Collection,

    /// Number that decides which records are drawn: the same seed draws the same ones
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
}

const EXAMPLES: &str = "\
Every record has the same chance. Those drawn are written byte for byte, in their order; only they are held in memory.

Examples:
  ferz sample 100 games.pgn --seed 7 > hundred.pgn
  ferz select games.pgn --where 'end mate' | ferz sample 5";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut drawn: Vec<(u64, Vec<u8>)> = Vec::new();
    let mut seen: u64 = 0;
    let read = args.records.each_text(session, |_, _, text| {
        seen += 1;
        if drawn.len() < args.count {
            drawn.push((seen, text));
            return Ok(());
        }
        // Replaces one of those drawn with the chance that it would be drawn at all (reservoir sampling).
        let chance = u128::from(mixed(args.seed.wrapping_add(seen))) * u128::from(seen);
        let at = (chance >> 64) as u64;
        if let Some(place) = usize::try_from(at).ok().and_then(|at| drawn.get_mut(at)) {
            *place = (seen, text);
        }
        Ok(())
    });
    drawn.sort_by_key(|(number, _)| *number);
    for (_, text) in &drawn {
        write_record(session.console, text)?;
    }
    if (seen as usize) < args.count && read.is_ok() {
        session.console.warning(format!("there are only {seen} records"))?;
    }
    read.map(|()| ExitStatus::Fine)
}

/// A number that a seed makes, which every later version makes too (SplitMix64, by Sebastiano Vigna).
fn mixed(seed: u64) -> u64 {
    let mut number = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
