//! Random games of chess, Chess960, crazyhouse and the variants of Lichess, position by position against shakmaty.
//!
//!     cargo run --release --bin shakmaty_diff -- [games] [plies] [seed]

use ferz::position::{Finish, Outcome, Position};
use ferz::rules::{AnyRules, Rules};
use ferz_versus::{Rng, Tally, choose, finish_name, legal, normal_fen, rules};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::variant::{Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, KnownOutcome};
use std::sync::Arc;

/// Starts beside the array, where the rarer rules are near: castling, en passant with pins, promotions.
const TRICKY: [&str; 14] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
    "4k3/4r3/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "rnbqkbnr/8/8/pppppppp/PPPPPPPP/8/8/RNBQKBNR w KQkq - 0 1",
    "8/PPP3PP/4k3/8/8/4K3/ppp3pp/8 w - - 0 1",
];

/// A game as both sides see it, and where its starts come from.
struct Suite<'a> {
    tally: Tally,
    rules: &'a AnyRules,
    mode: CastlingMode,
    games: usize,
    plies: usize,
    rng: Rng,
}

impl Suite<'_> {
    fn run<P: shakmaty::Position + FromSetup + Clone>(
        &mut self,
        start: impl Fn(&mut Rng, usize) -> String,
    ) -> bool {
        let before = std::time::Instant::now();
        for game in 0..self.games {
            let fen = start(&mut self.rng, game);
            // A random position that the oracle thinks impossible says nothing.
            let Ok(theirs) =
                fen.parse::<Fen>().map_err(drop).and_then(|fen| fen.into_position(self.mode).map_err(drop))
            else {
                continue;
            };
            self.game::<P>(&fen, theirs);
        }
        self.tally.print();
        eprintln!("  {:.1} s", before.elapsed().as_secs_f64());
        self.tally.same()
    }

    fn game<P: shakmaty::Position + FromSetup + Clone>(&mut self, fen: &str, mut theirs: P) {
        let AnyRules::Narrow(rules) = self.rules else { return self.tally.differ("rules for a large board") };
        let mut ours = match Position::from_fen(rules.clone(), fen) {
            Ok(ours) => ours,
            Err(error) => return self.tally.differ(&format!("{fen} refused: {error}")),
        };
        let mut trail = String::new();
        for _ in 0..=self.plies {
            self.tally.positions += 1;
            let plies = legal(&ours);
            let same = compare(&ours, &plies, &theirs, self.mode).and_then(|()| again(rules, &ours));
            if let Err(what) = same {
                return self.tally.differ(&format!("{what}\n    at {} from {fen}:{trail}", ours.fen()));
            }
            let Some((text, ply)) = choose(&mut self.rng, &ours, &plies) else { return };
            let Some(theirs_move) = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&theirs).ok())
            else {
                return self.tally.differ(&format!("{text} cannot be played at {}", ours.fen()));
            };
            ours.apply(ply);
            theirs.play_unchecked(theirs_move);
            trail.push(' ');
            trail.push_str(text);
        }
    }
}

fn compare<P: shakmaty::Position + Clone>(
    ours: &Position<u64>,
    plies: &[(String, ferz::position::Ply)],
    theirs: &P,
    mode: CastlingMode,
) -> Result<(), String> {
    let mut wanted: Vec<String> = theirs.legal_moves().iter().map(|m| m.to_uci(mode).to_string()).collect();
    wanted.sort();
    if !plies.iter().map(|(text, _)| text).eq(&wanted) {
        let extra: Vec<_> =
            plies.iter().map(|(text, _)| text).filter(|text| !wanted.contains(text)).collect();
        let missing: Vec<_> =
            wanted.iter().filter(|text| !plies.iter().any(|(found, _)| found == *text)).collect();
        return Err(format!("extra {extra:?} missing {missing:?}"));
    }
    let fen = ours.fen();
    let wanted = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    if comparable(ours, &fen) != comparable(ours, &wanted) {
        return Err(format!("fen {fen} wanted {wanted}"));
    }
    if ours.in_check() != theirs.is_check() {
        return Err(format!("check {} wanted {}", ours.in_check(), theirs.is_check()));
    }
    let (end, wanted) = (ours.shown_end().map(|(_, outcome)| outcome), outcome(theirs));
    if end != wanted {
        return Err(format!("end {end:?} wanted {wanted:?}"));
    }
    if theirs.variant_outcome().is_known() {
        return Ok(());
    }
    let finish = ours.finish();
    let wanted = if theirs.is_checkmate() {
        Some(Finish::Checkmate)
    } else {
        theirs.is_stalemate().then_some(Finish::Stalemate)
    };
    if finish != wanted {
        return Err(format!("finish {:?} wanted {:?}", finish_name(finish), finish_name(wanted)));
    }
    Ok(())
}

/// How the position shows that the game is over. The oracle's own outcome counts material too.
fn outcome<P: shakmaty::Position>(theirs: &P) -> Option<Outcome> {
    let won = |winner: Color| winner.fold_wb(Outcome::WhiteWins, Outcome::BlackWins);
    match theirs.variant_outcome() {
        shakmaty::Outcome::Known(KnownOutcome::Decisive { winner }) => Some(won(winner)),
        shakmaty::Outcome::Known(KnownOutcome::Draw) => Some(Outcome::Draw),
        shakmaty::Outcome::Unknown if theirs.is_checkmate() => Some(won(!theirs.turn())),
        shakmaty::Outcome::Unknown => theirs.is_stalemate().then_some(Outcome::Draw),
    }
}

/// A FEN with the checks given behind the move number, where the oracle writes those left before the clock.
fn checks_behind(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let left = fields.get(4).and_then(|field| field.split_once('+'));
    let given = |left: &str| left.parse::<u8>().map_or(0, |left| 3 - left);
    let Some((white, black)) = left.map(|(white, black)| (given(white), given(black))) else {
        return fen.to_owned();
    };
    fields.remove(4);
    format!("{} +{white}+{black}", fields.join(" "))
}

/// The oracle lets the halfmove clock run on over drops; here every entry of a piece restarts it (COM-5).
fn comparable(ours: &Position<u64>, fen: &str) -> String {
    let fen = checks_behind(&normal_fen(fen));
    if !ours.rules().has_hand {
        return fen;
    }
    let fields: Vec<&str> =
        fen.split(' ').enumerate().filter(|(index, _)| *index != 4).map(|(_, field)| field).collect();
    fields.join(" ")
}

/// Read back from its FEN the position is the same one.
fn again(rules: &Arc<Rules<u64>>, ours: &Position<u64>) -> Result<(), String> {
    let fen = ours.fen();
    let read = Position::from_fen(rules.clone(), &fen);
    let read = read.map_err(|error| format!("own fen {fen} refused: {error}"))?;
    if read.fen() != fen || read.key() != ours.key() || read.in_check() != ours.in_check() {
        return Err(format!("own fen {fen} read as {}", read.fen()));
    }
    Ok(())
}

/// A few pieces anywhere; pawns on all their ranks.
fn scattered(rng: &mut Rng) -> String {
    let mut board = [b' '; 64];
    let men = 3 + rng.below(12);
    for man in 0..men {
        let piece = match man {
            0 => b'K',
            1 => b'k',
            _ => *rng.pick(b"PPPPNBRQppppnbrq").unwrap_or(&b'P'),
        };
        let square = rng.below(64);
        let on_edge = !(8..56).contains(&square);
        if board[square] == b' ' && !(on_edge && piece.eq_ignore_ascii_case(&b'p')) {
            board[square] = piece;
        }
    }
    let rows: Vec<String> = board.chunks(8).map(row).collect();
    let turn = if rng.below(2) == 0 { 'w' } else { 'b' };
    format!("{} {turn} - - 0 1", rows.join("/"))
}

fn row(squares: &[u8]) -> String {
    let mut text = String::new();
    let mut vacant = 0;
    for &square in squares {
        if square == b' ' {
            vacant += 1;
            continue;
        }
        if vacant > 0 {
            text.push_str(&vacant.to_string());
            vacant = 0;
        }
        text.push(square as char);
    }
    if vacant > 0 {
        text.push_str(&vacant.to_string());
    }
    text
}

fn chess_start(rng: &mut Rng, game: usize) -> String {
    match game % 4 {
        0 | 1 => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        2 => rng.pick(&TRICKY).map_or_else(String::new, ToString::to_string),
        _ => scattered(rng),
    }
}

/// A Chess960 array: bishops on both colours, the king between the rooks.
fn chess960_array(rng: &mut Rng) -> String {
    loop {
        let mut rank = *b"RNBQKBNR";
        rng.shuffle(&mut rank);
        let at = |piece: u8| rank.iter().enumerate().filter(move |(_, p)| **p == piece).map(|(i, _)| i);
        let (bishops, rooks): (Vec<usize>, Vec<usize>) = (at(b'B').collect(), at(b'R').collect());
        let king = at(b'K').next().unwrap_or(0);
        if bishops[0] % 2 != bishops[1] % 2 && (rooks[0]..rooks[1]).contains(&king) {
            return rank.iter().map(|&piece| piece as char).collect();
        }
    }
}

fn chess960_start(rng: &mut Rng, game: usize) -> String {
    let rank = chess960_array(rng);
    // Now and then only the pieces that castle, so that castling is soon possible.
    let back: String = if game.is_multiple_of(3) {
        row(&rank
            .bytes()
            .map(|piece| if matches!(piece, b'K' | b'R') { piece } else { b' ' })
            .collect::<Vec<_>>())
    } else {
        rank.clone()
    };
    let files: Vec<char> =
        (b'A'..=b'H').zip(rank.bytes()).filter(|(_, p)| *p == b'R').map(|(f, _)| f as char).collect();
    let shredder: String = files.iter().rev().collect();
    let rights =
        if game.is_multiple_of(2) { "KQkq".into() } else { format!("{shredder}{}", shredder.to_lowercase()) };
    format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{back} w {rights} - 0 1", back.to_lowercase())
}

fn crazyhouse_start(rng: &mut Rng, game: usize) -> String {
    if game.is_multiple_of(2) {
        return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1".into();
    }
    let start = chess_start(rng, 2 + game / 2 % 2);
    let stock: String =
        (0..rng.below(6)).filter_map(|_| rng.pick(b"PNBRQpnbrq").map(|&piece| piece as char)).collect();
    start.replacen(' ', &format!("[{stock}] "), 1)
}

fn atomic_start(rng: &mut Rng, game: usize) -> String {
    // Open positions, so that kings meet and castling is possible among explosions.
    match game % 4 {
        3 => "r3k2r/pp4pp/8/2bnqn2/2BNQN2/8/PP4PP/R3K2R w KQkq - 0 1".into(),
        _ => chess_start(rng, 0),
    }
}

fn horde_start(_: &mut Rng, game: usize) -> String {
    match game % 3 {
        0 => "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1".into(),
        _ => "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1".into(),
    }
}

/// Half of the games from the array, half from one in which the kings are near their goal.
fn racing_start(_: &mut Rng, game: usize) -> String {
    match game % 2 {
        0 => "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1".into(),
        _ => "8/8/k6K/8/8/1r4R1/1bn2NB1/1q4Q1 w - - 0 1".into(),
    }
}

fn antichess_start(rng: &mut Rng, game: usize) -> String {
    match game % 2 {
        0 => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1".into(),
        // The oracle does not see that a player who waits has no piece, and has won.
        _ => loop {
            let fen = scattered(rng);
            let board = fen.split(' ').next().unwrap_or_default();
            if [char::is_uppercase, char::is_lowercase].iter().all(|own| board.contains(*own)) {
                break fen;
            }
        },
    }
}

fn main() {
    let argument = |n: usize, missing: usize| {
        std::env::args().nth(n).and_then(|text| text.parse().ok()).unwrap_or(missing)
    };
    let (games, plies, seed) = (argument(1, 3000), argument(2, 200), argument(3, 1));
    let suite = |name: &str, rules, mode, games| Suite {
        tally: Tally::new(&format!("{name} / shakmaty")),
        rules,
        mode,
        games,
        plies,
        rng: Rng(seed as u64),
    };
    let (chess, chess960, crazyhouse) =
        (rules("chess", None), rules("chess960", None), rules("crazyhouse", None));
    let mut same = suite("chess", &chess, CastlingMode::Standard, games).run::<Chess>(chess_start);
    same &= suite("chess960", &chess960, CastlingMode::Chess960, games).run::<Chess>(chess960_start);
    same &= suite("crazyhouse", &crazyhouse, CastlingMode::Standard, games / 3)
        .run::<Crazyhouse>(crazyhouse_start);
    let standard = CastlingMode::Standard;
    let array = |rng: &mut Rng, _: usize| chess_start(rng, 0);
    let hill = rules("kingofthehill", None);
    same &= suite("kingofthehill", &hill, standard, games).run::<KingOfTheHill>(array);
    let checks = rules("threecheck", None);
    same &= suite("threecheck", &checks, standard, games).run::<ThreeCheck>(array);
    let antichess = rules("antichess", None);
    same &= suite("antichess", &antichess, standard, games).run::<Antichess>(antichess_start);
    let atomic = rules("atomic", None);
    same &= suite("atomic", &atomic, standard, games).run::<Atomic>(atomic_start);
    let horde = rules("horde", None);
    same &= suite("horde", &horde, standard, games).run::<Horde>(horde_start);
    let racing = rules("racingkings", None);
    same &= suite("racingkings", &racing, standard, games).run::<RacingKings>(racing_start);
    std::process::exit(i32::from(!same));
}
