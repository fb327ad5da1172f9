//! `ferz show`: draws the position.

use crate::cli::input;
use crate::cli::loaded::Loaded;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::ply_arg::PlyArg;
use crate::cli::position_args::{AnyReached, PositionArgs, Reached};
use crate::cli::session::{Session, hint_below};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ferz::board::{Board, Mask, Owner, by_width};
use ferz::diagram::text::{Pieces, board, by_history, facts};
use ferz::diagram::{Options, PieceSet, svg};
use ferz::json::sniff;
use ferz::position::{Ply, Position};
use ferz::record::{ChunkReader, Record, Wrapped};
use ferz::replay::{AnyTrace, Options as ReplayOptions, Replayer, Source, Trace, summary, trace, with_trace};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("variant", |variant| variant.required(false).required_unless_present("record")))]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    recorded: Recorded,

    /// Draw chess figurines instead of letters
    #[arg(long, conflicts_with = "svg")]
    unicode: bool,

    /// Write a self-contained SVG drawing; implied if the output's name ends in .svg
    #[arg(long)]
    svg: bool,

    #[command(flatten)]
    drawing: Drawing,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A position of a record.
#[derive(Debug, clap::Args)]
struct Recorded {
    /// Draw a position of this record, and mark the squares of an illegal ply; the file may also stand in place of the
    /// game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "tags", "fen", "moves"])]
    record: Option<PathBuf>,

    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,

    /// Number of plies [default: all legal ones], or a move and a player: `8 white`
    #[arg(long, value_name = "P")]
    ply: Option<PlyArg>,
}

/// The appearance of an SVG drawing.
#[derive(Debug, clap::Args)]
struct Drawing {
    /// Piece set; impromptu pieces are built from chessmen and draughtsmen (IAGO)
    #[arg(long, value_name = "SET", default_value = "standard", requires = "svg", value_parser = sets())]
    pieces: PieceSet,

    /// Draw Black's side at the bottom
    #[arg(long, requires = "svg")]
    flip: bool,

    /// Squares to frame and hatch, separated by commas or spaces
    #[arg(long, value_name = "SQUARES", requires = "svg")]
    mark: Option<String>,

    /// Heading
    #[arg(long, value_name = "TEXT", requires = "svg")]
    title: Option<String>,

    /// Draw only the board, without stocks, rights, clocks and side to move
    #[arg(long, requires = "svg")]
    bare: bool,
}

const EXAMPLES: &str = "\
White's letters are upper case; `*` precedes Nature's pieces, `'` follows kinds of the other army, `~` follows \
promoted pieces that revert when captured.

In an SVG drawing the squares of the last ply are tinted; those of --mark and of an illegal ply are framed and hatched.

Examples:
  ferz show ichess --moves 'R@a1 R@h8'
  ferz show chess --unicode
  ferz show iago-b --svg --moves 'e2e4 e7e5 g1f3m' -o position.svg
  ferz show iago-m --svg --pieces impromptu --flip --mark d8,e8 > position.svg
  ferz show fixtures/games/iago-b-blocked.pgn -o blocked.svg
  ferz show fixtures/games/ichess-sample.pgn --ply 16";

fn sets() -> impl TypedValueParser<Value = PieceSet> {
    PossibleValuesParser::new(PieceSet::ALL.map(PieceSet::name)).try_map(|name| name.parse::<PieceSet>())
}

/// A position to draw, with the facts about its history.
struct Shown<M> {
    position: Position<M>,
    last: Option<Ply>,
    /// Squares that a fault refers to.
    marked: M,
    /// Remarks: an end that the position does not show, or why a ply is illegal; rulings that decided it; the claims
    /// that were open.
    remark: Option<String>,
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let text = match args.record(session)? {
        Some(path) => with_trace!(traced(&path, &args.recorded, session)?, |trace| {
            show(args, of_record(&trace, args.recorded.ply)?)?
        }),
        None => {
            let reached = args.position.position(session)?;
            by_width!(AnyReached, reached, |reached| show(args, of_arguments(reached))?)
        }
    };
    match &args.output {
        None => session.console.text(&text)?,
        Some(path) => std::fs::write(path, text).map_err(|error| {
            let path = path.display();
            Failure::message(format!("{path}: cannot be written: {error}; choose another file with -o"))
        })?,
    }
    Ok(ExitStatus::Fine)
}

impl Args {
    /// The file of the record, if a position of a record is wanted: that of `--record`, or one in place of the game.
    ///
    /// # Errors
    /// If there is none, but a game or a ply of it is wanted.
    fn record(&self, session: &Session<'_>) -> Result<Option<PathBuf>, Failure> {
        let Recorded { record, game, ply } = &self.recorded;
        let named = self
            .position
            .variant
            .as_ref()
            .filter(|name| Path::new(name).is_file() && session.registry().canonical_name(name).is_err());
        let file = record.clone().or(named.map(PathBuf::from));
        if file.is_none() && (*game != 1 || ply.is_some()) {
            return Err(Failure::message("--game and --ply need a record; write `ferz show FILE --ply N`"));
        }
        Ok(file)
    }
}

fn of_arguments<M: Mask>(reached: Reached<M>) -> Shown<M> {
    let remark = reached
        .end_by_history()
        .map(|end| format!("The game ended after ply {}: {}.", end.ply, by_history(end)));
    Shown { last: reached.last, position: reached.position, marked: M::EMPTY, remark }
}

/// Judges one game of a file.
fn traced(path: &Path, recorded: &Recorded, session: &Session<'_>) -> Result<AnyTrace, Failure> {
    let input = input::open(Some(path))?;
    let (name, wanted) = (input.name, recorded.game as usize);
    let judged = |record: &Record<'_>, source: &Source<'_>| {
        let mut replayer = Replayer::new(session.registry(), ReplayOptions::default());
        trace(&mut replayer, record, source, wanted - 1).map_err(|report| {
            let why = report.diagnostics.iter().map(|found| &*found.message);
            let why = why.collect::<Vec<_>>().join("; ");
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

fn of_record<M: Mask>(trace: &Trace<M>, ply: Option<PlyArg>) -> Result<Shown<M>, Failure> {
    let ply = ply.map(|ply| ply.plies(trace)).transpose();
    let ply = ply.map_err(|why| Failure::message(format!("--ply: {why}")))?;
    let plies = trace.plies.len();
    let illegal = trace.report.illegal.as_ref();
    let shown = match ply {
        Some(ply) if ply > plies && illegal.is_none_or(|illegal| illegal.ply != ply) => {
            return Err(Failure::message(format!(
                "--ply {ply}: the game has only {plies} legal plies; write 0 to {plies}"
            )));
        }
        Some(ply) => ply.min(plies),
        None => plies,
    };
    let illegal = illegal.filter(|_| ply.is_none_or(|ply| ply > plies));
    let board = trace.start.rules().board();
    let squares = illegal.iter().flat_map(|illegal| &illegal.squares);
    let remark = match (illegal, &trace.report.end) {
        (Some(illegal), _) => {
            let (number, text) = (illegal.ply, &illegal.text);
            Some(format!("Ply {number}, {text}, is illegal: {} [{}].", illegal.reason, illegal.rule))
        }
        (None, Some(end)) if shown >= end.ply => {
            Some(format!("The game ended after ply {}: {}.", end.ply, by_history(*end)))
        }
        _ => None,
    };
    let claims = trace.report.claimable_at(shown).map(|open| summary::claimable(open) + ".");
    let number = illegal.map_or(shown, |illegal| illegal.ply);
    let decided = trace.report.decided_by.iter().filter(|decision| decision.ply == number);
    let decided = decided.map(|decision| summary::decision(decision) + ".");
    let remarks: Vec<String> = remark.into_iter().chain(decided).chain(claims).collect();
    let remark = Some(remarks.join("\n")).filter(|remark| !remark.is_empty());
    Ok(Shown {
        position: trace.position(shown),
        last: shown.checked_sub(1).and_then(|last| trace.plies.get(last)).map(|traced| traced.ply),
        marked: M::of(squares.filter_map(|name| board.parse_square(name))),
        remark,
    })
}

fn show<M: Mask>(args: &Args, shown: Shown<M>) -> Result<String, Failure> {
    let named_svg = args.output.as_ref().and_then(|path| path.extension()).is_some_and(|it| it == "svg");
    if args.svg || named_svg && !args.unicode {
        return drawn(shown, &args.drawing);
    }
    let pieces = if args.unicode { Pieces::Figurines } else { Pieces::Letters };
    let position = &shown.position;
    let remark = shown.remark.map(|remark| remark + "\n").unwrap_or_default();
    Ok(format!("{}\n{}{remark}FEN: {}\n", board(position, pieces), facts(position), position.fen()))
}

fn drawn<M: Mask>(shown: Shown<M>, drawing: &Drawing) -> Result<String, Failure> {
    let named = drawing.mark.as_deref().unwrap_or_default();
    let options = Options {
        title: drawing.title.clone(),
        caption: shown.remark.map(|remark| remark.replace('\n', " ")),
        last: shown.last,
        marked: shown.marked | squares(shown.position.rules().board(), named)?,
        pieces: drawing.pieces,
        seen_by: if drawing.flip { Owner::Black } else { Owner::White },
        surroundings: !drawing.bare,
        ..Options::default()
    };
    Ok(svg(&shown.position, &options))
}

/// Parses names of squares.
fn squares<M: Mask>(board: Board, names: &str) -> Result<M, Failure> {
    let names = names.split(|c: char| c == ',' || c.is_whitespace()).filter(|name| !name.is_empty());
    let square = |name: &str| {
        board.parse_square(name).ok_or_else(|| {
            let last = board.squares().next_back().map(|square| board.name(square)).unwrap_or_default();
            Failure::message(format!("--mark: `{name}` is not a square of this board; write a1 to {last}"))
        })
    };
    names.map(square).try_fold(M::EMPTY, |mask, square| Ok(mask | M::bit(square?)))
}
