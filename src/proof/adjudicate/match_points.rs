//! Match points of IAGO (IAP): the score of each game, with each step of its sum.

use ferz_core::board::{Owner, by_width};
use ferz_core::judge::{EndReason, Outcome};
use ferz_core::text::{Budget, Exhausted};
use ferz_records::clock::{Delay, DelayScope, MoveLimit};
use ferz_records::record::{GameResult, ItemKind, Record};
use ferz_records::replay::{AnyGame, Replayer, Report, Source, codes, first_move};
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// The games over which points of delays add up (IAP-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum PointScope {
    /// Within one game.
    #[default]
    Game,
    /// Over all games of the two players.
    Match,
}

impl FromStr for PointScope {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<PointScope, Self::Err> {
        match name {
            "game" => Ok(PointScope::Game),
            "match" => Ok(PointScope::Match),
            _ => Err("use `game` or `match`"),
        }
    }
}

/// A score in half points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(pub u32);

impl fmt::Display for Score {
    /// `0`, `½`, `1`, `1½`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match (self.0 / 2, self.0 % 2) {
            (whole, 0) => whole.to_string(),
            (0, _) => "½".to_owned(),
            (whole, _) => format!("{whole}½"),
        })
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 2.0)
    }
}

/// How a game of a match was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// A player let too many limits pass (IAP 2).
    Delays,
    /// The end on the board.
    Board,
    /// The result that the record states.
    Record,
    /// Both players forfeited: the result `0-0`.
    DoubleForfeit,
    /// The game is not finished, or its record is not legal: it does not count.
    Nothing,
}

/// A move that took one full limit or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SlowMove {
    /// The number of the ply.
    pub ply: usize,
    /// Its text.
    pub text: String,
    /// Who made it.
    pub by: Owner,
    /// The time that it took, in milliseconds.
    pub spent: u64,
    /// The full limits that passed: points for the opponent.
    pub limits: u32,
    /// True if a time-out was called for it.
    pub timeout: bool,
    /// True if it loses the game (IAP 2).
    pub loses: bool,
    /// The division in words.
    pub sum: String,
}

/// A fault of a record that concerns its score, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Line in the input, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// The fault and the remedy.
    pub message: String,
}

/// A game of a match, before it is scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MatchGame {
    /// Number of the game in its file, from 0.
    pub game: usize,
    /// White's name and Black's; the colour where the record has no name.
    pub players: [String; 2],
    /// Name of the rules.
    pub variant: String,
    /// The result; `None` if the game does not count, or both players forfeited.
    pub result: Option<Outcome>,
    /// How it was decided.
    pub decided_by: DecidedBy,
    /// The reason of the end on the board, if that decided.
    pub reason: Option<EndReason>,
    /// The ply with which it was decided.
    pub ply: usize,
    /// The moves that took one full limit or more.
    pub slow: Vec<SlowMove>,
    /// White's points by Black's delays, and Black's by White's (IAP 1).
    pub points: [u32; 2],
    /// True if the rules have the mutator `bareking`.
    pub bare_king: bool,
    /// What is wrong with the record.
    pub faults: Vec<Fault>,
}

/// A scored game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scored {
    /// The game.
    #[serde(flatten)]
    pub game: MatchGame,
    /// The points that decide a draw: those of the game, or of the match so far (IAP-3).
    pub compared: [u32; 2],
    /// White's score and Black's.
    pub score: [Score; 2],
    /// Why, in a sentence.
    pub why: String,
    /// The article.
    pub article: Option<&'static str>,
}

/// A player's score in a match, game by game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerScore {
    /// The name.
    pub player: String,
    /// The score.
    pub score: Score,
    /// What it is the sum of: the score of each game that counts, in order.
    pub sum: Vec<Score>,
}

/// Reads one game of a match.
pub fn match_game(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    scope: DelayScope,
) -> MatchGame {
    Budget::endless(|budget| match_game_within(replayer, record, source, scope, budget))
}

/// [`match_game`] within a budget.
///
/// # Errors
/// If the budget ends before the work.
pub fn match_game_within(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    scope: DelayScope,
    budget: &Budget,
) -> Result<MatchGame, Exhausted> {
    let report = replayer.report_within(record, source, 0, budget)?;
    Ok(game_of_match(replayer, record, source, scope, &report))
}

fn game_of_match(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    scope: DelayScope,
    report: &Report,
) -> MatchGame {
    let bare_king = replayer
        .game(record)
        .is_ok_and(|game| by_width!(AnyGame, &game, |game| game.rules.ends.bare_king.loses()));
    let name = |tag: &str, colour: Owner| {
        let named = record.tag(tag).filter(|name| !matches!(name.trim(), "" | "?" | "-"));
        named.map_or_else(|| colour.name().to_owned(), |name| name.trim().to_owned())
    };
    let mut game = MatchGame {
        game: 0,
        players: [name("White", Owner::White), name("Black", Owner::Black)],
        variant: report.variant.to_string(),
        result: None,
        decided_by: DecidedBy::Nothing,
        reason: None,
        ply: report.plies,
        slow: Vec::new(),
        points: [0; 2],
        bare_king,
        faults: Vec::new(),
    };
    if !report.is_judged() || report.illegal.is_some() {
        game.faults.push(not_counted(record, source, report));
        return game;
    }
    if !report.let_stand.is_empty() && record.find_tag("MoveLimit").is_some() {
        let stood = &report.let_stand[0];
        let message =
            format!("delays are not counted, since an illegal ply, `{}`, was let stand", stood.text);
        game.faults.push(Fault { line: stood.line, column: stood.column, message });
    }
    let wrong_limit = report.diagnostics.iter().filter(|found| found.code == codes::J_MOVE_LIMIT);
    let fault = |(line, column), message| Fault { line, column, message };
    game.faults.extend(wrong_limit.map(|found| fault((found.line, found.column), found.message.to_string())));
    let delays = delays(record, report, scope);
    for delay in &delays {
        let opponent = &mut game.points[delay.timed.actor.opponent().index()];
        *opponent = opponent.saturating_add(delay.limits);
    }
    game.slow = slow_moves(record, &delays);
    game.decide(record, report, delays.last().filter(|delay| delay.loses));
    if let Some(message) = game.contradiction(record) {
        let tag = record.find_tag("Result").map_or(0, |tag| record.tag_span(tag).start);
        let place = source.locate(tag);
        game.faults.push(fault((place.line, place.column), message));
    }
    game
}

/// The slow moves of a game, up to its end; none without a limit, and none where a turn may have been skipped.
fn delays(record: &Record<'_>, report: &Report, scope: DelayScope) -> Vec<Delay> {
    let limits = ["MoveLimit", "DelayLimit"].map(|name| record.tag(name));
    if !report.let_stand.is_empty() {
        return Vec::new();
    }
    let [Some(time), most] = limits else { return Vec::new() };
    let Ok(limit) = MoveLimit::of_tags(&time, most.as_deref(), scope) else { return Vec::new() };
    let (first, _) = first_move(record.tag("FEN").as_deref());
    limit.delays(record, first, report.end.map_or(report.plies, |end| end.ply))
}

fn slow_moves(record: &Record<'_>, delays: &[Delay]) -> Vec<SlowMove> {
    let moves = record.main_line().items().filter(|(_, item)| item.kind == ItemKind::Move);
    let texts: Vec<_> = moves.map(|(_, item)| *item).collect();
    let slow = delays.iter().map(|delay| SlowMove {
        ply: delay.timed.ply,
        text: record.text(texts[delay.timed.ply - 1]).into_owned(),
        by: delay.timed.actor,
        spent: delay.spent,
        limits: delay.limits,
        timeout: delay.timed.timeout,
        loses: delay.loses,
        sum: delay.sum(),
    });
    slow.collect()
}

fn not_counted(record: &Record<'_>, source: &Source<'_>, report: &Report) -> Fault {
    match &report.illegal {
        Some(illegal) => Fault {
            line: illegal.line,
            column: illegal.column,
            message: format!(
                "ply {}, `{}`, is {}: {}; correct the record, or let the ply stand (--let-stand)",
                illegal.ply, illegal.text, report.verdict, illegal.reason
            ),
        },
        None => {
            let why = ferz_records::replay::summary::why_not_judged(report);
            let place = source.locate(record.offset());
            Fault {
                line: why.map_or(place.line, |why| why.line),
                column: why.map_or(place.column, |why| why.column),
                message: why
                    .map_or_else(|| "the record is not judged".to_owned(), |why| why.message.to_string()),
            }
        }
    }
}

impl MatchGame {
    /// Delays come first, since they end the game before its next ply; then the board; then what the record states.
    fn decide(&mut self, record: &Record<'_>, report: &Report, lost: Option<&Delay>) {
        if let Some(delay) = lost {
            self.result = Some(Outcome::won_by(delay.timed.actor.opponent()));
            (self.decided_by, self.ply) = (DecidedBy::Delays, delay.timed.ply);
        } else if let Some(end) = report.end {
            (self.result, self.reason) = (Some(end.outcome), Some(end.reason));
            (self.decided_by, self.ply) = (DecidedBy::Board, end.ply);
        } else if record.both_lose() {
            self.decided_by = DecidedBy::DoubleForfeit;
        } else {
            self.result = match record.stated_result() {
                Some(GameResult::WhiteWins) => Some(Outcome::WhiteWins),
                Some(GameResult::BlackWins) => Some(Outcome::BlackWins),
                Some(GameResult::Draw) => Some(Outcome::Draw),
                Some(GameResult::Unknown) | None => None,
            };
            if self.result.is_some() {
                self.decided_by = DecidedBy::Record;
            }
        }
    }

    /// How the stated result contradicts what decided the game.
    fn contradiction(&self, record: &Record<'_>) -> Option<String> {
        let decided =
            self.result.filter(|_| matches!(self.decided_by, DecidedBy::Delays | DecidedBy::Board))?;
        let forfeit = record.both_lose().then_some("0-0");
        let other =
            |stated: &GameResult| *stated != GameResult::Unknown && stated.as_str() != decided.as_str();
        let stated = forfeit.or_else(|| record.stated_result().filter(other).map(GameResult::as_str))?;
        let how = self.how();
        Some(format!("the record states {stated}, but the game is {decided} {how}; correct the tag Result"))
    }

    /// How and when the game was decided: `by checkmate after ply 33`.
    fn how(&self) -> String {
        let by = match (self.decided_by, self.reason) {
            (DecidedBy::Delays, _) => "by DelayLimit".to_owned(),
            (_, Some(reason)) => format!("by {}", reason.id().replace('_', " ")),
            _ => return "by the record".to_owned(),
        };
        format!("{by} at ply {}", self.ply)
    }

    /// The game in one line: players, rules, result.
    pub fn heading(&self) -> String {
        let [white, black] = &self.players;
        let result = match self.decided_by {
            DecidedBy::Nothing => "not counted".to_owned(),
            DecidedBy::DoubleForfeit => "0-0 by double forfeit".to_owned(),
            _ => format!("{} {}", self.result.map_or("*", Outcome::as_str), self.how()),
        };
        format!("{white} - {black}, {}: {result}", self.variant)
    }
}

/// The scores of a match, game by game.
#[derive(Debug, Default)]
pub struct Match {
    points: PointScope,
    /// The points of each two players so far, by their names in order.
    pairs: HashMap<[String; 2], [u32; 2]>,
    players: Vec<PlayerScore>,
}

impl Match {
    /// A match without games.
    pub fn new(points: PointScope) -> Match {
        Match { points, ..Match::default() }
    }

    /// Scores the next game.
    pub fn add(&mut self, game: MatchGame) -> Scored {
        let compared = self.compared(&game);
        let (score, why, article) = score(&game, compared);
        if game.decided_by != DecidedBy::Nothing {
            for (player, score) in game.players.iter().zip(score) {
                let known = self.players.iter().position(|known| known.player == *player);
                let at = known.unwrap_or_else(|| {
                    let (player, sum) = (player.clone(), Vec::new());
                    self.players.push(PlayerScore { player, score: Score(0), sum });
                    self.players.len() - 1
                });
                self.players[at].sum.push(score);
                self.players[at].score.0 += score.0;
            }
        }
        Scored { game, compared, score, why, article }
    }

    /// The points that decide a draw.
    fn compared(&mut self, game: &MatchGame) -> [u32; 2] {
        if self.points == PointScope::Game {
            return game.points;
        }
        let mut names = game.players.clone();
        names.sort_unstable();
        let turned = names != game.players;
        let so_far = self.pairs.entry(names).or_default();
        let own = |at: usize| if turned { 1 - at } else { at };
        for (at, points) in game.points.into_iter().enumerate() {
            so_far[own(at)] = so_far[own(at)].saturating_add(points);
        }
        [so_far[own(0)], so_far[own(1)]]
    }

    /// Each player's score, in the order of their first games.
    pub fn players(&self) -> &[PlayerScore] {
        &self.players
    }
}

/// The score of a game, why, and its article.
fn score(game: &MatchGame, compared: [u32; 2]) -> ([Score; 2], String, Option<&'static str>) {
    let [white, black] = compared;
    let of = |winner: Owner, halves: u32| match winner {
        Owner::White => [Score(halves), Score(0)],
        _ => [Score(0), Score(halves)],
    };
    let none = [Score(0); 2];
    match (game.decided_by, game.result) {
        (DecidedBy::Nothing, _) => (none, "the game does not count".to_owned(), None),
        (DecidedBy::DoubleForfeit, _) | (_, None) => {
            (none, "both players forfeited, and neither scores".to_owned(), Some("IAP-4"))
        }
        (_, Some(Outcome::Draw)) => match white.cmp(&black) {
            std::cmp::Ordering::Equal => {
                (none, format!("a draw with equal points, {white} to {black}, scores nothing"), Some("IAP-2"))
            }
            more => {
                let ahead = if more.is_gt() { Owner::White } else { Owner::Black };
                let why = format!(
                    "a draw scores ½ for {}, who has more points: {} to {}",
                    game.players[ahead.index()],
                    white.max(black),
                    white.min(black)
                );
                (of(ahead, 1), why, Some("IAP 4"))
            }
        },
        (_, Some(result)) => {
            let winner = if result == Outcome::WhiteWins { Owner::White } else { Owner::Black };
            let (halves, why) = match game.reason {
                Some(EndReason::Checkmate) if game.bare_king => (4, "checkmate with bareking scores 2"),
                Some(EndReason::BareKing) => (2, "a bared king scores 1"),
                _ => (2, "a win scores 1"),
            };
            (of(winner, halves), why.to_owned(), Some("IAP 3"))
        }
    }
}
