//! `ferz show`: draws the position.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::ply_arg::PlyArg;
use crate::cli::position_args::{AnyReached, PositionArgs, Reached};
use crate::cli::recorded::Recorded;
use crate::cli::session::Session;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ferz::board::{Board, BoardName, Mask, Owner, by_width};
use ferz::diagram::text::{Pieces, board, by_history, facts};
use ferz::diagram::{Options, PieceSet, svg, svg_of_two};
use ferz::position::{Ply, Position};
use ferz::replay::{AnyOnTwo, Illegal, OnTwo, Played, Trace, summary, with_trace};
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

    /// Write to this file instead of standard output; with --each and --svg to this folder, a drawing for each game
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
  ferz show fixtures/games/ichess-sample.pgn --ply 16
  ferz show fixtures/games/ichess-sample.pgn --each --ply 16
  ferz show fixtures/games/ichess-sample.pgn --each --svg -o diagrams";

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
    let text = match args.recorded.file(&args.position, session)? {
        Some(path) if args.recorded.each => return each(args, &path, session),
        Some(path) => of_played(args, &args.recorded.played(&path, session)?)?,
        None => {
            let reached = args.position.position(session)?;
            by_width!(AnyReached, reached, |reached| show(args, of_arguments(reached))?)
        }
    };
    match &args.output {
        None => session.console.text(&text)?,
        Some(path) => save(path, &text)?,
    }
    Ok(ExitStatus::Fine)
}

/// Draws a position of every game of a file: as text one after another, as drawings each into a file of its own.
fn each(args: &Args, path: &Path, session: &mut Session<'_>) -> Outcome {
    let folder = args.output.as_deref();
    if args.svg != folder.is_some() {
        let message =
            "--each writes text to standard output, or with --svg and -o FOLDER a drawing for each game";
        return Err(Failure::message(message));
    }
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    }
    let drawn = |played: &Played| of_played(args, played);
    args.recorded.each_of(path, session, drawn, |console, game, text| match folder {
        Some(folder) => save(&folder.join(format!("{game}.svg")), &text),
        None => console.text(&format!("game {game}\n\n{text}\n")),
    })
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::message(format!("{}: cannot be written: {error}; choose another file with -o", path.display()))
}

fn of_played(args: &Args, played: &Played) -> Result<String, Failure> {
    match played {
        Played::OnOne(traced) => {
            with_trace!(traced, |trace| show(args, of_record(trace, args.recorded.ply)?))
        }
        Played::OnTwo(game) => by_width!(AnyOnTwo, game, |game| on_two(args, game)),
    }
}

/// Both boards of a game on two, one below the other.
fn on_two<M: Mask>(args: &Args, game: &OnTwo<M>) -> Result<String, Failure> {
    let plies = game.plies.len();
    let shown = match args.recorded.ply {
        None => plies,
        Some(PlyArg::Number(ply)) if ply <= plies => ply,
        Some(PlyArg::Number(ply)) => {
            return Err(Failure::message(format!(
                "--ply {ply}: the game has only {plies} legal plies on both boards; write 0 to {plies}"
            )));
        }
        Some(PlyArg::Move(..)) => {
            return Err(Failure::message(
                "--ply: each board has a move of this number; write a number of plies in the order of the record",
            ));
        }
    };
    let positions = game.positions(shown);
    if is_drawing(args) {
        let options = BoardName::ALL.map(|board| Options {
            title: Some(match &args.drawing.title {
                Some(title) => format!("{title}, board {board}"),
                None => format!("Board {board}"),
            }),
            last: game.last_on(board, shown).map(|traced| traced.ply),
            pieces: args.drawing.pieces,
            // Partners sit side by side, and play different colours.
            seen_by: if args.drawing.flip {
                board.side_of(Owner::Black)
            } else {
                board.side_of(Owner::White)
            },
            surroundings: !args.drawing.bare,
            ..Options::default()
        });
        return Ok(svg_of_two(&positions, &options));
    }
    let pieces = if args.unicode { Pieces::Figurines } else { Pieces::Letters };
    let drawn = BoardName::ALL.map(|name| {
        let position = &positions[name as usize];
        format!("Board {name}\n\n{}\n{}\n", board(position, pieces), facts(position))
    });
    let end = game.report.end.filter(|_| shown == plies);
    let end = end
        .map(|end| format!("The game ended after {}: {}.\n", summary::numbered(end), summary::ending(end)));
    let illegal = game.report.illegal.as_ref().filter(|_| shown == plies).map(|illegal| {
        let Illegal { text, reason, rule, .. } = &**illegal;
        format!("In the record, {}, {text}, is illegal: {reason} [{rule}].\n", illegal.numbered())
    });
    let remarks: String = end.into_iter().chain(illegal).collect();
    Ok(format!("{}{remarks}FEN: {}\n", drawn.concat(), OnTwo::fens(&positions)))
}

fn is_drawing(args: &Args) -> bool {
    let named_svg = args.output.as_ref().and_then(|path| path.extension()).is_some_and(|it| it == "svg");
    args.svg || named_svg && !args.unicode
}

fn of_arguments<M: Mask>(reached: Reached<M>) -> Shown<M> {
    let remark = reached
        .end_by_history()
        .map(|end| format!("The game ended after ply {}: {}.", end.ply, by_history(end)));
    Shown { last: reached.last, position: reached.position, marked: M::EMPTY, remark }
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
    if is_drawing(args) {
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
