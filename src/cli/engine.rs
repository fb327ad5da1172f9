//! An engine that speaks UCI, as a process of its own.

use crate::cli::output::Failure;
use ferz::adjudicate::{Judgement, Opinion};
use ferz::board::Owner;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long an engine may take to say that it is ready, and longer than it was given for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Plies of an expected line that are shown.
const LINE_PLIES_MAX: usize = 12;

/// Games whose positions engines read as we write them, with the value of the engine's option `UCI_Variant`; `None` for
/// what every engine plays.
const GAMES: [(&str, Option<&str>); 8] = [
    ("chess", None),
    ("chess960", None),
    ("crazyhouse", Some("crazyhouse")),
    ("kingofthehill", Some("kingofthehill")),
    ("atomic", Some("atomic")),
    ("antichess", Some("antichess")),
    ("horde", Some("horde")),
    ("racingkings", Some("racingkings")),
];

/// An engine that is running. It ends with this.
#[derive(Debug)]
pub(in crate::cli) struct Engine {
    command: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    name: String,
}

impl Engine {
    /// Starts an engine for a game: a program and its arguments, with blanks between.
    ///
    /// # Errors
    /// If it cannot be started, is no engine, or does not play the game.
    pub(in crate::cli) fn start(command: &str, game: &str) -> Result<Engine, Failure> {
        let wrong = |why: String| Failure::message(format!("--engine {command}: {why}"));
        let known = GAMES.iter().find(|(name, _)| *name == game);
        let (_, variant) = known.ok_or_else(|| {
            let games: Vec<&str> = GAMES.iter().map(|(name, _)| *name).collect();
            wrong(format!("engines are asked about {} and no other game", games.join(", ")))
        })?;
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| wrong("name a program".to_owned()))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| wrong(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(wrong("it has no input or output".to_owned()));
        };
        let (said, lines) = channel();
        // The thread ends with the engine.
        std::thread::spawn(move || {
            let mut lines = BufReader::new(output).lines();
            while let Some(Ok(line)) = lines.next() {
                if said.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine =
            Engine { command: command.to_owned(), child, input, lines, name: program.to_owned() };
        engine.prepare(game, *variant)?;
        Ok(engine)
    }

    fn prepare(&mut self, game: &str, variant: Option<&str>) -> Result<(), Failure> {
        self.say("uci")?;
        let (mut name, mut variants, mut is_ready) = (None, String::new(), false);
        while !is_ready {
            let line = self.hear(Instant::now() + PATIENCE)?;
            match line.split_once(' ') {
                Some(("id", rest)) => name = name.or(rest.strip_prefix("name ").map(str::to_owned)),
                Some(("option", rest)) if rest.contains("UCI_Variant") => variants = rest.to_owned(),
                _ => is_ready = line.trim() == "uciok",
            }
        }
        self.name = name.unwrap_or_else(|| self.name.clone());
        if let Some(variant) = variant {
            if !variants.split_whitespace().any(|word| word == variant) {
                return Err(self.wrong(&format!("it does not play {game}")));
            }
            self.say(&format!("setoption name UCI_Variant value {variant}"))?;
        }
        if game == "chess960" {
            self.say("setoption name UCI_Chess960 value true")?;
        }
        self.say("isready")?;
        while self.hear(Instant::now() + PATIENCE)?.trim() != "readyok" {}
        Ok(())
    }

    /// What it thinks of a position after so much time.
    ///
    /// # Errors
    /// If it stops, or does not answer.
    pub(in crate::cli) fn opinion(&mut self, fen: &str, time: Duration) -> Result<Opinion, Failure> {
        self.say(&format!("position fen {fen}"))?;
        self.say(&format!("go movetime {}", time.as_millis().max(1)))?;
        let until = Instant::now() + time + PATIENCE;
        let mover = if fen.split(' ').nth(1) == Some("b") { Owner::Black } else { Owner::White };
        let mut last = None;
        loop {
            let line = self.hear(until)?;
            if line.starts_with("bestmove") {
                let found: Option<Info> = last;
                let Some(Info { depth, score, line }) = found else {
                    return Err(self.wrong(&format!("it says nothing about the position {fen}")));
                };
                return Ok(Opinion { engine: self.name.clone(), score, depth, line });
            }
            last = Info::read(&line, mover).or(last);
        }
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        let said = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        said.map_err(|_| self.wrong("it has stopped; is it an engine that speaks UCI?"))
    }

    fn hear(&mut self, until: Instant) -> Result<String, Failure> {
        let heard = self.lines.recv_timeout(until.saturating_duration_since(Instant::now()));
        heard.map_err(|error| match error {
            RecvTimeoutError::Timeout => self.wrong("it does not answer; is it an engine that speaks UCI?"),
            RecvTimeoutError::Disconnected => self.wrong("it has stopped; is it an engine that speaks UCI?"),
        })
    }

    fn wrong(&self, why: &str) -> Failure {
        Failure::message(format!("--engine {}: {why}", self.command))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a line `info` says of the best line.
#[derive(Debug, PartialEq)]
struct Info {
    depth: u32,
    score: Judgement,
    line: Vec<String>,
}

impl Info {
    /// A line that has a depth and an exact score; scores are for the side to move.
    fn read(text: &str, mover: Owner) -> Option<Info> {
        let mut words = text.split_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let (mut depth, mut score, mut line) = (None, None, Vec::new());
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next()?.parse().ok(),
                "score" => score = Some(score_of(words.next()?, words.next()?.parse().ok()?, mover)?),
                "multipv" if words.next() != Some("1") => return None,
                "lowerbound" | "upperbound" | "string" => return None,
                "pv" => line = words.by_ref().take(LINE_PLIES_MAX).map(str::to_owned).collect(),
                _ => {}
            }
        }
        Some(Info { depth: depth?, score: score?, line })
    }
}

fn score_of(unit: &str, value: i32, mover: Owner) -> Option<Judgement> {
    match unit {
        "cp" => {
            Some(Judgement::Centipawns(if mover == Owner::White { value } else { value.checked_neg()? }))
        }
        // `mate 0`: the side to move is mated.
        "mate" => {
            let by = if value > 0 { mover } else { mover.opponent() };
            Some(Judgement::Mate { by, moves: value.unsigned_abs() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_says_is_read() {
        let read = |text: &str| Info::read(text, Owner::Black);
        let line = "info depth 12 seldepth 14 multipv 1 score cp 31 nodes 9 nps 1 time 5 pv e7e5 g1f3";
        let found = read(line).unwrap();
        assert_eq!((found.depth, found.score), (12, Judgement::Centipawns(-31)));
        assert_eq!(found.line, ["e7e5", "g1f3"]);
        let mate = |text: &str| read(text).map(|found| found.score);
        assert_eq!(
            mate("info depth 3 score mate 2 pv a1a2"),
            Some(Judgement::Mate { by: Owner::Black, moves: 2 })
        );
        assert_eq!(mate("info depth 0 score mate 0"), Some(Judgement::Mate { by: Owner::White, moves: 0 }));
        assert_eq!(mate("info depth 3 score mate -4"), Some(Judgement::Mate { by: Owner::White, moves: 4 }));
        for other in [
            "info depth 5 score cp 3 lowerbound nodes 1",
            "info depth 5 multipv 2 score cp 3",
            "info string depth 5 score cp 3",
            "info depth 5 currmove e2e4",
            "info depth x score cp y",
            "info score",
            "bestmove e2e4",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
