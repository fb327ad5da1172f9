//! `ferz tables build`.

use super::{GameArgs, JobsArgs, build, material, named};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::tables::Tables;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Men of White, `v`, men of Black, in the game's own letters: `KBNvK`
    material: String,

    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    jobs: JobsArgs,
}

const EXAMPLES: &str = "\
The file names the rules by their digest, has a byte a position, and is packed by zstd.
It holds every table that a capture or a promotion leads to, so that it can be checked by itself.

Examples:
  ferz tables build chess KBNvK --out kbnk.tables
  ferz tables probe chess --file kbnk.tables --fen '8/8/8/8/8/4k3/8/2B1K1N1 w - - 0 1'
  ferz tables verify --file kbnk.tables --sample 100000";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let rules = args.game.rules(session)?;
    let material = material(&rules, &args.material)?;
    let mut tables = Tables::new(rules);
    build(&mut tables, &material, &args.jobs)?;
    let tags: Vec<String> = args.game.tags.pairs().map(|(name, value)| format!("{name}={value}")).collect();
    let bytes = tables.to_bytes(&material, &tags).map_err(Failure::message)?;
    let packed = zstd::encode_all(&bytes[..], zstd::DEFAULT_COMPRESSION_LEVEL).map_err(Failure::message)?;
    std::fs::write(&args.out, &packed).map_err(|error| named(&args.out, error))?;
    session.console.line(format_args!(
        "{}: {} bytes, packed {}",
        args.out.display(),
        bytes.len(),
        packed.len()
    ))?;
    Ok(ExitStatus::Fine)
}
