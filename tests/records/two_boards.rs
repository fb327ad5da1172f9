//! Games on two boards: random ones of four partners, as records in the dialects of BPGN.
//!
//! `FERZ_RECORDS=5000 cargo test --test records two_boards` tries more of them.
#![allow(clippy::unwrap_used)]

use crate::common::rules_of;
use crate::random_records::Dice;
use ferz::board::{BoardName, Mask};
use ferz::notation::{Style, WriteChoices, write};
use ferz::position::{Call, Finish, Ply, Position};
use ferz::record::{Seat, read};
use ferz::replay::{AnyOnTwo, Located, OnTwo, Options, Replayer, Report, Source, trace_on_two};
use ferz::rewrite::{Bpgn, ConvertOptions, convert, in_dialect, one_board, transcribe};
use ferz::rules::{AnyRules, Registry};
use ferz::text::Budget;
use serde_json::json;

/// A random game: its plies with their texts, and what becomes of the boards.
struct Random {
    plies: Vec<Made>,
    last: [Position<u64>; 2],
}

/// A ply with its number, its player, its text in SAN and with both squares.
struct Made {
    number: u32,
    seat: Seat,
    san: String,
    squares: String,
}

/// How a program writes games on two boards.
#[derive(Clone, Copy, PartialEq)]
enum Dialect {
    /// Seconds left after each ply: `1A. e4 {180}`.
    Standard,
    /// The archive of the Free Internet Chess Server: `1A. e4{299.000}`, two tags on a line.
    Server,
    /// The time since the start: `{[ts=0.100]}`.
    Stamped,
    /// Every from-square, and the result in its tag alone: `Ng1f3`.
    Squares,
}

const DIALECTS: [Dialect; 4] = [Dialect::Standard, Dialect::Server, Dialect::Stamped, Dialect::Squares];

fn start() -> Position<u64> {
    match rules_of(&json!({ "variant": "bughouse" })) {
        Ok(AnyRules::Narrow(rules)) => Position::start(rules),
        _ => panic!("no rules"),
    }
}

fn random(dice: &mut Dice, most: usize) -> Random {
    let mut boards = [start(), start()];
    let mut plies = Vec::new();
    for _ in 0..most {
        let board = dice.pick(&BoardName::ALL);
        let position = &boards[board as usize];
        if boards.iter().any(|position| position.finish().is_some()) {
            break;
        }
        let legal = position.plies();
        if legal.is_empty() {
            // The player waits for a piece.
            continue;
        }
        let captures: Vec<Ply> =
            legal.iter().copied().filter(|ply| position.occupied().has(ply.to)).collect();
        let ply =
            if !captures.is_empty() && dice.below(3) == 0 { dice.pick(&captures) } else { dice.pick(&legal) };
        let text = |style| write(position, &ply, style, WriteChoices::default()).unwrap();
        plies.push(Made {
            number: position.status().number,
            seat: Seat::of(board, position.turn()),
            san: text(Style::San),
            squares: text(Style::Lan).replace('-', ""),
        });
        let position = &mut boards[board as usize];
        let undo = position.apply_undoable(&ply);
        if let Some(letter) = position.handed_over(&undo) {
            boards[board.other() as usize].call(Call::Receive(letter)).unwrap();
        }
        boards.iter().for_each(|position| position.check_invariants().unwrap());
    }
    Random { plies, last: boards }
}

fn written(game: &Random, dialect: Dialect) -> String {
    let tags = ["WhiteA", "BlackA", "WhiteB", "BlackB"];
    let players = tags.map(|tag| match dialect {
        Dialect::Server => format!("[{tag} \"{tag}\"][{tag}Elo \"1900\"]\n"),
        _ => format!("[{tag} \"{tag}\"]\n"),
    });
    let mut text = format!("[Event \"Random\"]\n{}[Result \"*\"]\n\n", players.concat());
    for (index, Made { number, seat, san, squares }) in game.plies.iter().enumerate() {
        let seconds = 300 - index;
        text.push_str(&match dialect {
            Dialect::Standard => format!("{number}{}. {san} {{{seconds}}} ", seat.letter()),
            Dialect::Server => format!("{number}{}. {san}{{{seconds}.000}} ", seat.letter()),
            Dialect::Stamped => format!("{number}{}. {san} {{[ts={index}.100]}} ", seat.letter()),
            Dialect::Squares if san.starts_with('O') || san.contains('@') => {
                format!("{number}{}. {san} ", seat.letter())
            }
            Dialect::Squares => format!("{number}{}. {squares} ", seat.letter()),
        });
        if index % 7 == 6 {
            text.push('\n');
        }
    }
    text + "*\n"
}

fn report(text: &str) -> Report {
    let record = read(text.as_bytes(), 0).next().unwrap();
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    replayer.report(&record, &Source::new(text.as_bytes(), 0, 0), 0)
}

fn converted(text: &str, to: Style) -> (String, Vec<Located>) {
    let record = read(text.as_bytes(), 0).next().unwrap();
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::new(text.as_bytes(), 0, 0);
    let done = convert(&mut replayer, &record, &source, 0, &ConvertOptions::new(to));
    (done.text, done.losses)
}

fn on_two(text: &str) -> AnyOnTwo {
    let record = read(text.as_bytes(), 0).next().unwrap();
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::new(text.as_bytes(), 0, 0);
    Budget::endless(|budget| trace_on_two(&mut replayer, &record, &source, 0, budget)).unwrap()
}

fn games() -> usize {
    std::env::var("FERZ_RECORDS").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

/// Every dialect is read as the same game, with nothing to say about it.
#[test]
fn every_dialect_is_read() {
    for seed in 0..games() as u64 {
        let game = random(&mut Dice(seed), 20 + (seed as usize * 7) % 120);
        let fens = game.last.each_ref().map(Position::fen).join(" | ");
        for dialect in DIALECTS {
            let text = written(&game, dialect);
            let report = report(&text);
            assert!(report.legal, "{seed}: {text}\n{:?}", report.illegal);
            assert_eq!((report.plies, &report.final_fen), (game.plies.len(), &fens), "{seed}: {text}");
            let found: Vec<&Located> = report.diagnostics.iter().collect();
            assert!(dialect == Dialect::Squares || found.is_empty(), "{seed}: {text}\n{found:?}");
        }
    }
}

/// Each dialect is written so that it is read as the same game, and comes back.
#[test]
fn every_dialect_is_written() {
    for seed in 0..games() as u64 {
        let game = random(&mut Dice(seed ^ 0xd1a), 20 + (seed as usize * 11) % 100);
        let text =
            written(&game, Dialect::Standard).replacen("[Result", "[TimeControl \"300+0\"]\n[Result", 1);
        let fens = game.last.each_ref().map(Position::fen).join(" | ");
        let (own, _) = converted(&text, Style::San);
        let to = |text: &str, dialect| {
            let (text, left) = in_dialect(&read(text.as_bytes(), 0).next().unwrap(), dialect);
            assert!(left.is_empty(), "{seed}: {left:?}");
            text
        };
        for dialect in [Bpgn::Standard, Bpgn::Fics, Bpgn::Pro, Bpgn::ChessCom] {
            let style = if dialect == Bpgn::ChessCom { Style::Lan } else { Style::San };
            let there = to(&converted(&own, style).0, dialect);
            let report = report(&there);
            assert!(report.legal && report.final_fen == fens, "{seed}: {there}\n{:?}", report.illegal);
            // Only the breaks of lines may be others.
            let back = to(&converted(&there, Style::San).0, Bpgn::Standard);
            let words = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&back), words(&to(&own, Bpgn::Standard)), "{seed}: {there}");
        }
    }
}

/// Conversion to each style and back gives the same text, and no comment is lost.
#[test]
fn conversion_goes_there_and_back() {
    for seed in 0..games() as u64 / 2 {
        let game = random(&mut Dice(seed ^ 0xb0b), 80);
        let (own, losses) = converted(&written(&game, Dialect::Standard), Style::San);
        assert!(losses.is_empty(), "{seed}: {losses:?}");
        assert_eq!(own.matches('{').count(), game.plies.len());
        for to in [Style::Lan, Style::Coord, Style::Figurine, Style::Uci] {
            let (there, losses) = converted(&own, to);
            assert!(losses.is_empty(), "{seed} {to}: {losses:?}");
            assert_eq!(converted(&there, Style::San).0, own, "{seed} {to}\n{there}");
        }
    }
}

/// Each board as a record of its own is the same game on that board.
#[test]
fn each_board_is_a_record() {
    for seed in 0..games() as u64 {
        let game = random(&mut Dice(seed ^ 0xa11), 120);
        let text = written(&game, Dialect::Standard);
        let record = read(text.as_bytes(), 0).next().unwrap();
        let both = on_two(&text);
        let boards = both.report().boards.clone().unwrap();
        for (name, board) in BoardName::ALL.into_iter().zip(boards.iter()) {
            let own = one_board(&record, &both, name);
            let alone = report(&own);
            assert!(alone.legal && alone.boards.is_none(), "{seed}: {own}\n{:?}", alone.illegal);
            assert_eq!((alone.plies, &alone.final_fen), (board.plies, &board.final_fen), "{seed}: {own}");
        }
    }
}

/// The positions after each ply are those of the game, whatever the way to them.
#[test]
fn positions_after_each_ply_agree() {
    for seed in 0..games() as u64 / 3 {
        let game = random(&mut Dice(seed ^ 0xcab), 60);
        let AnyOnTwo::Narrow(both) = on_two(&written(&game, Dialect::Server)) else { panic!("64 squares") };
        let mut positions = both.starts.clone();
        for ply in 0..both.plies.len() {
            assert_eq!(OnTwo::fens(&both.positions(ply)), OnTwo::fens(&positions), "{seed} {ply}");
            both.make(ply, &mut positions);
        }
        assert_eq!(OnTwo::fens(&positions), both.report.final_fen);
        let hands = |position: &Position<u64>| position.fen();
        assert_eq!(positions.each_ref().map(hands), game.last.each_ref().map(hands));
    }
}

/// A variation that goes on as the game does ends in the same positions, and leaves the game as it was.
#[test]
fn a_variation_may_go_from_board_to_board() {
    for seed in 0..games() as u64 {
        let mut dice = Dice(seed ^ 0xfa1);
        let game = random(&mut dice, 60);
        let text = written(&game, Dialect::Standard);
        let plain = report(&text);
        let tokens: Vec<&str> = text.split("\n\n").nth(1).unwrap().split_whitespace().collect();
        let plies: Vec<String> = tokens.chunks(3).map(|ply| ply.join(" ")).collect();
        let at = 1 + dice.below(game.plies.len());
        let line = |from: usize, to: usize| plies[from..to].join(" ");
        let all = game.plies.len();
        let varied = format!(
            "[WhiteA \"a\"]\n[BlackB \"b\"]\n\n{} ({}) {} *\n",
            line(0, at),
            line(at - 1, all),
            line(at, all)
        );
        let found = report(&varied);
        assert!(found.legal, "{seed}: {varied}\n{:?}", found.illegal);
        let variation = &found.variations[0];
        assert_eq!((&found.final_fen, &found.boards), (&plain.final_fen, &plain.boards), "{seed}: {varied}");
        assert_eq!((&variation.final_fen, variation.plies), (&plain.final_fen, all), "{seed}: {varied}");
        assert_eq!(variation.boards, plain.boards, "{seed}: {varied}");
    }
}

/// An illegal ply ends its board. The other one is judged to its end, or to a piece that may be missing by it.
#[test]
fn an_illegal_ply_ends_one_board() {
    let mut stopped = 0;
    for seed in 0..games() as u64 {
        let mut dice = Dice(seed ^ 0xdead);
        let mut game = random(&mut dice, 100);
        let wrong = dice.below(game.plies.len());
        let seat = game.plies[wrong].seat;
        game.plies[wrong].san = "K@e4".to_owned();
        let text = written(&game, Dialect::Standard);
        let found = report(&text);
        let illegal = found.illegal.as_ref().unwrap_or_else(|| panic!("{seed}: {text}"));
        assert_eq!((illegal.board, illegal.text.as_str()), (Some(seat.board()), "K@e4"), "{seed}: {text}");
        let other = |made: &&Made| made.seat.board() != seat.board();
        let all = game.plies.iter().filter(other).count();
        let boards = found.boards.as_ref().unwrap();
        let judged = &boards[seat.board().other() as usize];
        assert!(judged.illegal.is_none(), "{seed}: {text}\n{:?}", judged.illegal);
        let AnyOnTwo::Narrow(both) = on_two(&text) else { panic!("64 squares") };
        assert_eq!(OnTwo::fens(&both.positions(usize::MAX)), found.final_fen, "{seed}: {text}");
        // What is not called illegal is so in no form of the record.
        let record = read(text.as_bytes(), 0).next().unwrap();
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let made = transcribe(&mut replayer, &record, &Source::new(text.as_bytes(), 0, 0), 0);
        let called = made.transcript.elements().iter().filter(|element| element.illegal.is_some()).count();
        assert_eq!(called, 1, "{seed}: {text}");
        let stops = found.diagnostics.iter().any(|found| found.code.0 == "J040");
        assert!(stops || judged.plies == all, "{seed}: {} of {all}\n{text}", judged.plies);
        stopped += usize::from(stops);
    }
    assert!(stopped > 0 && stopped < games());
}

/// A player without a legal ply is mated only if no drop could help, and waits otherwise.
#[test]
fn a_mate_needs_no_drop_that_parries() {
    let finish = |fen: &str| {
        let Ok(AnyRules::Narrow(rules)) = rules_of(&json!({ "variant": "bughouse" })) else {
            panic!("no rules")
        };
        let position = Position::from_fen(rules, fen).unwrap();
        (position.plies().is_empty(), position.finish())
    };
    // A bishop two squares away: a pawn on g2 or a piece on g2 parries.
    let far = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR[] w KQkq - 1 3";
    assert_eq!(finish(far), (true, None));
    // Next to the king nothing can be dropped between.
    let near = "rnbqkb1r/ppppp1Qp/8/8/8/8/PPPPPP1P/RNB1KBNR[] b KQkq - 0 1";
    assert_eq!(finish(near).1, None);
    let near = "rnbqkbnr/ppppp1pp/8/8/8/8/PPPP1qPP/RNBQKBNR[] w KQkq - 0 1";
    assert_eq!(finish(near).1, None);
    let smothered = "r1bqkbnr/pppppppp/8/8/8/3n4/PPPPPPPP/R1BQKBNR[] w KQkq - 0 1";
    assert_eq!(finish(smothered).1, None);
    let smothered = "6rk/5Npp/8/8/8/8/8/K7[] b - - 0 1";
    assert_eq!(finish(smothered), (true, Some(Finish::Checkmate)));
    // Stalemate waits.
    assert_eq!(finish("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1"), (true, None));
}
