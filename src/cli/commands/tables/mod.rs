//! `ferz tables`: endgame tables of any game.

mod build;
mod pieces;
mod probe;
mod stats;
mod verify;

use crate::cli::input;
use crate::cli::output::{Failure, Outcome};
use crate::cli::position_args::TagArgs;
use crate::cli::progress::Working;
use crate::cli::records::threads;
use crate::cli::session::{Session, no_such_game};
use ferz::board::Owner;
use ferz::rules::{AnyRules, Rules};
use ferz::tables::{Header, Material, Round, Table, TableError, Tables};
use ferz::text::Budget;
use ferz::text::limits::TABLE_POSITIONS_MAX;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
A table is made on demand from the rules of any game with kings, on boards of up to 64 squares, with up to 5 men.
It knows who wins each position and in how many moves of the winner.
It knows no castling, no en passant and no move counters.
--syzygy reads files of others in place of it: chess with up to 7 men, with en passant and fifty moves.

Examples:
  ferz tables stats chess KBNvK
  ferz tables probe chess --fen '8/8/8/8/8/4k3/8/4K2R w - - 0 1'
  ferz tables build chess KBNvK --out kbnk.tables
  ferz tables verify iago-b KMvKC --sample 100000
  ferz tables pieces augmented";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Count won, drawn and lost positions, and find the longest wins
    Stats(stats::Args),
    /// Look up the value of a position
    Probe(probe::Args),
    /// Make a table and write it to a file, with all tables that its plies lead to
    Build(build::Args),
    /// Check a table one ply forward with the generator of legal plies
    Verify(verify::Args),
    /// Show what each kind of piece does against a lone king
    Pieces(pieces::Args),
}

/// Output of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Text to read
    Text,
    /// One JSON object a line
    Json,
}

/// A game and its tags.
#[derive(Debug, clap::Args)]
struct GameArgs {
    /// Name of the game, mutators first: `chess`, `iago-b`, `misere+chess`
    variant: String,

    #[command(flatten)]
    tags: TagArgs,
}

/// Threads.
#[derive(Debug, clap::Args)]
struct JobsArgs {
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = |text: &str| threads(text, 1))]
    jobs: Option<usize>,
}

impl JobsArgs {
    /// Runs something on these threads.
    fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0)).build();
        let pool =
            pool.map_err(|error| Failure::message(format!("cannot start threads: {error}; try --jobs 1")))?;
        Ok(pool.install(work))
    }
}

impl GameArgs {
    /// The rules of the game.
    fn rules(&self, session: &mut Session<'_>) -> Result<Arc<Rules<u64>>, Failure> {
        let rules = self.tags.with_lookup(None, session, |session, tags| {
            session.registry().rules(&self.variant, tags).map_err(no_such_game)
        })?;
        narrow(rules)
    }
}

/// The tables of a file: its header, and the tables for the rules that `rules` finds by it.
fn read(
    path: &Path,
    rules: impl FnOnce(&Header) -> Result<Arc<Rules<u64>>, Failure>,
) -> Result<(Header, Tables), Failure> {
    let mut bytes = Vec::new();
    let mut limited = input::open(Some(path))?.reader.take(2 * TABLE_POSITIONS_MAX + 1);
    limited.read_to_end(&mut bytes).map_err(|error| named(path, error))?;
    let (header, rest) = Header::read(&bytes).map_err(|error| named(path, error))?;
    let tables = Tables::from_bytes(rules(&header)?, &header, rest).map_err(|error| named(path, error))?;
    Ok((header, tables))
}

/// A failure that names the file.
fn named(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::message(format!("{}: {error}", path.display()))
}

/// The rules of a board that tables can represent.
fn narrow(rules: AnyRules) -> Result<Arc<Rules<u64>>, Failure> {
    match rules {
        AnyRules::Narrow(rules) => Ok(rules),
        AnyRules::Wide(_) => Err(Failure::message(TableError::Rules("the board has more than 64 squares"))),
    }
}

/// Makes a table, with a line of progress on a terminal.
fn build(tables: &mut Tables, material: &Material, jobs: &JobsArgs) -> Result<Arc<Table>, Failure> {
    let rules = Arc::clone(tables.rules());
    let working = Working::start();
    let mut progress = |material: &Material, round: Round| {
        let winner = if round.attacker == Owner::White { "White" } else { "Black" };
        let moves = round.moves;
        working.note(|| format!("{}: wins of {winner} in {moves} moves", material.text(&rules)));
    };
    let made = jobs.run(|| tables.build(material, &Budget::unlimited(), &mut progress))?;
    working.finish();
    made.map_err(Failure::message)
}

/// The material of an argument.
fn material(rules: &Rules<u64>, text: &str) -> Result<Material, Failure> {
    Material::parse(rules, text).map_err(Failure::message)
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::Stats(args) => stats::run(args, session),
        Command::Probe(args) => probe::run(args, session),
        Command::Build(args) => build::run(args, session),
        Command::Verify(args) => verify::run(args, session),
        Command::Pieces(args) => pieces::run(args, session),
    }
}
