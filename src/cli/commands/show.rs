//! `ferz show`: the position as a drawing.

use crate::board::{Board, Mask, Owner};
use crate::cli::output::{Failure, Outcome, Verdict};
use crate::cli::position_args::{AnyReached, PositionArgs, Reached, by_width};
use crate::cli::session::Session;
use crate::diagram::text::{Pieces, board, by_history, facts};
use crate::diagram::{Options, PieceSet, svg};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Draw chess figurines instead of letters
    #[arg(long, conflicts_with = "svg")]
    unicode: bool,

    /// Write an SVG drawing that needs no other file
    #[arg(long)]
    svg: bool,

    #[command(flatten)]
    drawing: Drawing,

    /// Write to this file instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What an SVG drawing looks like.
#[derive(Debug, clap::Args)]
struct Drawing {
    /// Drawings of the pieces; impromptu ones are those that players make of chessmen and draughtsmen (IAGO)
    #[arg(long, value_name = "SET", default_value = "standard", requires = "svg", value_parser = sets())]
    pieces: PieceSet,

    /// Draw Black's side below
    #[arg(long, requires = "svg")]
    flip: bool,

    /// Squares to be framed and hatched, separated by commas or blanks
    #[arg(long, value_name = "SQUARES", requires = "svg")]
    mark: Option<String>,

    /// Heading
    #[arg(long, value_name = "TEXT", requires = "svg")]
    title: Option<String>,

    /// The board alone, without stocks, rights, clocks and whose turn it is
    #[arg(long, requires = "svg")]
    bare: bool,
}

const EXAMPLES: &str = "\
White's letters are upper case; `*` stands before Nature's pieces, `'` behind kinds of the other army, `~` behind
promoted pieces that revert when captured.

In an SVG drawing the squares of the last ply are tinted, those of --mark framed and hatched.

Examples:
  ferz show ichess --moves 'R@a1 R@h8'
  ferz show chess --unicode
  ferz show iago-b --svg --moves 'e2e4 e7e5 g1f3m' -o position.svg
  ferz show iago-m --svg --pieces impromptu --flip --mark d8,e8 > position.svg";

fn sets() -> impl TypedValueParser<Value = PieceSet> {
    PossibleValuesParser::new(PieceSet::ALL.map(PieceSet::name)).try_map(|name| name.parse::<PieceSet>())
}

/// Carries out the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let reached = args.position.position(session)?;
    let text = by_width!(AnyReached, &reached, |reached| match args.svg {
        true => drawn(reached, &args.drawing)?,
        false => written(reached, args.unicode),
    });
    match &args.output {
        None => session.console.text(&text)?,
        Some(path) => std::fs::write(path, text).map_err(|error| {
            let path = path.display();
            Failure::message(format!("{path}: cannot be written: {error}; name another file with -o"))
        })?,
    }
    Ok(Verdict::Fine)
}

fn written<M: Mask>(reached: &Reached<M>, unicode: bool) -> String {
    let pieces = if unicode { Pieces::Figurines } else { Pieces::Letters };
    let position = &reached.position;
    let end = end(reached).unwrap_or_default();
    format!("{}\n{}{end}FEN: {}\n", board(position, pieces), facts(position), position.fen())
}

/// The end that the way to the position brought about, as a line.
fn end<M: Mask>(reached: &Reached<M>) -> Option<String> {
    let end = reached.end_by_history();
    end.map(|end| format!("The game ended after ply {}: {}.\n", end.ply, by_history(end)))
}

fn drawn<M: Mask>(reached: &Reached<M>, drawing: &Drawing) -> Result<String, Failure> {
    let marked = drawing.mark.as_deref().unwrap_or_default();
    let options = Options {
        title: drawing.title.clone(),
        caption: end(reached).map(|end| end.trim_end().to_owned()),
        last: reached.last,
        marked: squares(reached.position.rules().board(), marked)?,
        pieces: drawing.pieces,
        seen_by: if drawing.flip { Owner::Black } else { Owner::White },
        surroundings: !drawing.bare,
        ..Options::default()
    };
    Ok(svg(&reached.position, &options))
}

/// Reads names of squares.
fn squares<M: Mask>(board: Board, names: &str) -> Result<M, Failure> {
    let names = names.split(|c: char| c == ',' || c.is_whitespace()).filter(|name| !name.is_empty());
    let square = |name: &str| {
        board.parse_square(name).ok_or_else(|| {
            let last = board.squares().next_back().map(|square| board.name(square)).unwrap_or_default();
            Failure::message(format!("--mark: `{name}` is no square of this board, which has a1 to {last}"))
        })
    };
    names.map(square).try_fold(M::EMPTY, |mask, square| Ok(mask | M::bit(square?)))
}
