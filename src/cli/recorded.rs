//! The arguments for a position of a record, in commands that take positions from elsewhere, too.

use super::input;
use super::loaded::Loaded;
use super::output::{Console, ExitStatus, Failure, Outcome};
use super::ply_arg::PlyArg;
use super::position_args::PositionArgs;
use super::records::{LanguageArg, ReadArgs, each_game};
use super::session::{Session, hint_below};
use ferz::interchange::{ChunkReader, Wrapped};
use ferz::json::sniff;
use ferz::record::Record;
use ferz::replay::{AnyTrace, Options, Played, Replayer, Report, Source, WORKS_ON_ONE};
use ferz::text::Budget;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A position of a record, or one of each record of a file.
#[derive(Debug, clap::Args)]
pub(super) struct Recorded {
    /// Take a position of this record; the file, or `-` for standard input, may also stand in place of the game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "tags", "fen", "moves"])]
    record: Option<PathBuf>,

    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,

    /// Take a position of every game of the file
    #[arg(long, conflicts_with = "game")]
    pub(super) each: bool,

    /// Number of plies [default: all legal ones], or a move and a player: `8 white`
    #[arg(long, value_name = "P")]
    pub(super) ply: Option<PlyArg>,
}

impl Recorded {
    /// The file of the record, if a position of a record is wanted: that of `--record`, or one in place of the game.
    ///
    /// # Errors
    /// If there is none, but a game or a ply of it is wanted.
    pub(super) fn file(
        &self,
        position: &PositionArgs,
        session: &Session<'_>,
    ) -> Result<Option<PathBuf>, Failure> {
        let named = position.variant.as_ref().map(Path::new).filter(|path| {
            let is_game = || position.variant.as_ref().is_some_and(|name| is_known(session, name));
            *path == Path::new("-") || path.is_file() && !is_game()
        });
        let file = self.record.clone().or(named.map(PathBuf::from));
        if file.is_none() && (self.game != 1 || self.ply.is_some() || self.each) {
            return Err(Failure::message(
                "--game, --each and --ply need a record; name its file in place of the game",
            ));
        }
        Ok(file)
    }

    /// Judges the game of a file, which is on one board.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be replayed.
    pub(super) fn traced(&self, path: &Path, session: &Session<'_>) -> Result<AnyTrace, Failure> {
        match self.played(path, session)? {
            Played::OnOne(trace) => Ok(trace),
            Played::OnTwo(_) => Err(Failure::message(WORKS_ON_ONE)),
        }
    }

    /// Judges the game of a file, on one board or two.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be replayed.
    pub(super) fn played(&self, path: &Path, session: &Session<'_>) -> Result<Played, Failure> {
        let input = input::open(Some(path))?;
        let (name, wanted) = (input.name, self.game as usize);
        let judged = |record: &Record<'_>, source: &Source<'_>| {
            let mut replayer = Replayer::new(session.registry(), Options::default());
            played(&mut replayer, record, source, wanted - 1).map_err(|report| {
                let why = why_not(&report);
                let hint = hint_below(&report, session.registry());
                Failure::message(format!("{name}: game {wanted} cannot be replayed: {why}{hint}"))
            })
        };
        let (is_json, mut reader) = sniff(input.reader).map_err(Failure::message)?;
        if is_json {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).map_err(Failure::message)?;
            let loaded = Loaded::of_bytes(&name, bytes);
            let (record, source) = loaded.record(wanted, "--game")?;
            return judged(&record, &source);
        }
        let mut before = 0;
        for chunk in ChunkReader::new(reader) {
            let chunk = chunk.map_err(Failure::message)?;
            let wrapped = Wrapped::new(&chunk.bytes[..], chunk.offset);
            let count = wrapped.records(0).count();
            if let Some(record) = wrapped.records(0).nth(wanted - before - 1) {
                return judged(&record, &Source::of_wrapped(&wrapped, 0));
            }
            before += count;
        }
        Err(Failure::message(format!("{name}: no game {wanted}; the file has {before}")))
    }

    /// Calls `show` for every game of a file, and `tell` with its number, from 1, and with what it made, in order.
    /// Reports games of which there is no such position.
    ///
    /// # Errors
    /// If the file cannot be read, or `tell` fails.
    pub(super) fn each_of<T: Send>(
        &self,
        path: &Path,
        session: &mut Session<'_>,
        show: impl Fn(&Played) -> Result<T, Failure> + Sync,
        mut tell: impl FnMut(&mut Console, usize, T) -> Result<(), Failure>,
    ) -> Outcome {
        let mut status = ExitStatus::Fine;
        let work =
            |(replayer, ()): (&mut Replayer<'_>, &mut ()), record: &Record<'_>, source: &Source<'_>| {
                match played(replayer, record, source, 0) {
                    Ok(played) => show(&played),
                    Err(report) => Err(Failure::message(format!("cannot be replayed: {}", why_not(&report)))),
                }
            };
        let each = |console: &mut Console, name: &str, game: usize, shown: Result<T, Failure>| match shown {
            Ok(shown) => tell(console, game, shown),
            Err(Failure::Message(why)) => {
                status = ExitStatus::Findings;
                console.note(&format!("{name}: game {game}: {why}"))
            }
            Err(other) => Err(other),
        };
        let read = (&ReadArgs::default(), &LanguageArg::default());
        let missing = each_game(read, session, path, || (), work, each)?;
        Ok(if missing > 0 { ExitStatus::Findings } else { status })
    }
}

/// Replays a record and keeps its plies.
fn played(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
) -> Result<Played, Box<Report>> {
    Budget::endless(|budget| Played::within(replayer, record, source, number, budget))
}

/// True for the name of a game.
fn is_known(session: &Session<'_>, name: &str) -> bool {
    session.registry().canonical_name(name).is_ok()
}

/// Why a game cannot be replayed.
fn why_not(report: &Report) -> String {
    let why: Vec<&str> = report.diagnostics.iter().map(|found| &*found.message).collect();
    why.join("; ")
}
