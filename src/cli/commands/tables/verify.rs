//! `ferz tables verify`.

use super::{GameArgs, JobsArgs, build, material};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use crate::prove::tables::{Extent, Tables, Value};
use crate::text::Budget;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Men of White, `v`, men of Black, in the game's own letters: `KBNvK`
    material: String,

    /// Check so many placements at random instead of all
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    #[command(flatten)]
    jobs: JobsArgs,
}

const EXAMPLES: &str = "\
The value of each position is compared with the values that its legal plies lead to. They come from the generator that
judges games, which shares no code with the making of tables.

Examples:
  ferz tables verify chess KQvK
  ferz tables verify iago-b KMvKC --sample 100000";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let rules = args.game.rules(session)?;
    let material = material(&rules, &args.material)?;
    let mut tables = Tables::new(rules.clone());
    let table = build(&mut tables, &material, &args.jobs)?;
    let extent = args.sample.map_or(Extent::All, Extent::Sample);
    let verified = args.jobs.run(|| tables.verify(&table, extent, &Budget::unlimited()))?;
    let verified = verified.map_err(Failure::message)?;
    let name = format!("{} {}", rules.id.name, material.text(&rules));
    let Some(fault) = verified.fault else {
        let line = format!("{name}: {} positions agree with their plies", verified.positions);
        session.console.line(line)?;
        return Ok(ExitStatus::Fine);
    };
    session.console.line(format_args!(
        "{name}: {} is {} by the table and {} by its plies",
        fault.fen,
        words(fault.table),
        words(fault.plies)
    ))?;
    Ok(ExitStatus::Findings)
}

fn words(value: Option<Value>) -> String {
    match value {
        None => "no position".to_owned(),
        Some(Value::Draw) => "drawn".to_owned(),
        Some(Value::Win(moves)) => format!("won in {moves}"),
        Some(Value::Loss(moves)) => format!("lost in {moves}"),
    }
}
