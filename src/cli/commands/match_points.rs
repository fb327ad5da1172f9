//! `ferz match`: sums the match points of IAGO.

use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::records::{LanguageArg, ReadArgs, each_file, each_game};
use crate::cli::session::Session;
use ferz::adjudicate::{Match, MatchGame, PlayerScore, PointScope, Scored, match_game};
use ferz::clock::DelayScope;
use ferz::record::Record;
use ferz::replay::{Replayer, Source};
use serde::Serialize;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Records of the match in order, in PGN or JSON, plain or compressed; `-` or none for standard input
    files: Vec<PathBuf>,

    /// Moves over which delays add up to DelayLimit (IAP-1)
    #[arg(long, value_enum, value_name = "SCOPE", default_value_t = DelayScope::Move)]
    delays: DelayScope,

    /// Games over which points add up to decide a draw (IAP-3)
    #[arg(long, value_enum, value_name = "SCOPE", default_value_t = PointScope::Game)]
    points: PointScope,

    /// Output: text, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Each step of the sum in words
    Text,
    /// For programs
    Json,
}

const EXAMPLES: &str = "\
Each full MoveLimit that passes on a move gives the opponent a point, and DelayLimit of them lose the game; a win \
scores 1, checkmate with bareking 2, and a draw ½ for the player with more points. Times come from [%emt].
Exit codes: 0 every game counts, 1 a record is illegal, or states another result, 2 usage or I/O error.

Examples:
  ferz match game-1.pgn game-2.pgn
  ferz match --points match match.pgn
  ferz match --format json match.pgn | jq .scores";

/// A scored game with its file.
#[derive(Serialize)]
struct Line {
    file: String,
    #[serde(flatten)]
    scored: Scored,
}

/// The whole match.
#[derive(Serialize)]
struct Sum<'s> {
    games: &'s [Line],
    scores: &'s [PlayerScore],
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let mut sum = Match::new(args.points);
    let (mut lines, mut findings) = (Vec::new(), 0);
    let read = each_file(&args.files, session, |session, file| {
        let scored =
            |(replayer, ()): (&mut Replayer<'_>, &mut ()), record: &Record<'_>, source: &Source<'_>| {
                match_game(replayer, record, source, args.delays)
            };
        let write = |console: &mut Console, name: &str, number: usize, game: MatchGame| {
            findings += game.faults.len();
            let scored = sum.add(MatchGame { game: number - 1, ..game });
            for fault in &scored.game.faults {
                let (line, column) = (fault.line, fault.column);
                console.note(&format!("{name}:{line}:{column}: {}", fault.message))?;
            }
            match args.format {
                Format::Text => console.text(&in_words(name, &scored)),
                Format::Json => {
                    lines.push(Line { file: name.to_owned(), scored });
                    Ok(())
                }
            }
        };
        findings += each_game((&args.read, &args.letters), session, file, || (), scored, write)?;
        Ok(())
    });
    if matches!(read, Err(Failure::BrokenPipe)) {
        return read.map(|()| ExitStatus::Fine);
    }
    match args.format {
        Format::Json => session.console.json(&Sum { games: &lines, scores: sum.players() })?,
        Format::Text => {
            for player in sum.players() {
                session.console.line(total(player))?;
            }
        }
    }
    read.map(|()| ExitStatus::of(findings > 0))
}

/// A game with each step of its sum.
fn in_words(name: &str, scored: &Scored) -> String {
    let game = &scored.game;
    let mut out = format!("{name} game {}: {}\n", game.game + 1, game.heading());
    for slow in &game.slow {
        let (by, to) = (slow.by.name(), slow.by.opponent().index());
        let points = if slow.limits == 1 { "1 point" } else { &format!("{} points", slow.limits) };
        let timeout = if slow.timeout { "; in a time-out" } else { "" };
        let loses = if slow.loses { "; this loses the game (IAP 2)" } else { "" };
        out.push_str(&format!(
            "  ply {}, {} ({by}): {}: {points} for {} (IAP 1){timeout}{loses}\n",
            slow.ply, slow.text, slow.sum, game.players[to]
        ));
    }
    let [white, black] = &game.players;
    if !game.slow.is_empty() {
        out.push_str(&format!("  points: {white} {}, {black} {}\n", game.points[0], game.points[1]));
    }
    let article = scored.article.map_or_else(String::new, |article| format!(" ({article})"));
    let [own, other] = scored.score;
    out.push_str(&format!("  score: {white} {own}, {black} {other}: {}{article}\n", scored.why));
    out
}

/// A player's score as a sum: `Ann: 1 + ½ = 1½`.
fn total(player: &PlayerScore) -> String {
    let sum: Vec<String> = player.sum.iter().map(ToString::to_string).collect();
    format!("{}: {} = {}", player.player, sum.join(" + "), player.score)
}
