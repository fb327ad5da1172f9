//! Progress of a long run, for users at a terminal.

use super::output::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A line on stderr: bytes read, games done, games a second. Hidden if stderr is not a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    consumed: Arc<AtomicU64>,
    begun: Instant,
    games: u64,
}

impl Progress {
    /// Starts; `total` is the size of the input if known, `consumed` how much of it has been read.
    pub fn new(total: Option<u64>, consumed: Arc<AtomicU64>) -> Progress {
        let bar = if std::io::stderr().is_terminal() { shown(total) } else { ProgressBar::hidden() };
        Progress { bar, consumed, begun: Instant::now(), games: 0 }
    }

    /// Counts finished games.
    pub fn add_games(&mut self, games: u64) {
        self.games += games;
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_position(self.consumed.load(Ordering::Relaxed));
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = if seconds > 0.0 { self.games as f64 / seconds } else { 0.0 };
        self.bar.set_message(format!("{} games, {rate:.0} a second", self.games));
    }

    /// Runs something that writes to the terminal, with the line hidden.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Counts the games of a batch, and writes their output; a failure ends the run.
    pub fn part(
        &mut self,
        games: usize,
        write: impl FnOnce() -> Result<(), Failure>,
    ) -> ControlFlow<Failure> {
        self.add_games(games as u64);
        match self.aside(write) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => ControlFlow::Break(failure),
        }
    }

    /// Removes the line at the end of a run over records; returns what ended it early, if anything.
    pub fn end(self, ended: io::Result<ControlFlow<Failure>>) -> Result<(), Failure> {
        self.finish();
        match ended {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(failure)) => Err(failure),
            Err(error) => Err(Failure::message(error)),
        }
    }

    /// Removes the line, and returns the number of games.
    pub fn finish(self) -> u64 {
        self.bar.finish_and_clear();
        self.games
    }
}

/// A line on stderr about work that reads no input. Hidden if stderr is not a terminal.
#[derive(Debug)]
pub struct Working(ProgressBar);

impl Working {
    /// Starts.
    pub fn start() -> Working {
        let bar = if io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        Working(bar)
    }

    /// Says what is being done.
    pub fn note(&self, message: impl FnOnce() -> String) {
        if !self.0.is_hidden() {
            self.0.set_message(message());
        }
    }

    /// Removes the line.
    pub fn finish(self) {
        self.0.finish_and_clear();
    }
}

fn shown(total: Option<u64>) -> ProgressBar {
    let bar = match total {
        Some(total) => ProgressBar::new(total),
        None => ProgressBar::new_spinner(),
    };
    let template = match total {
        Some(_) => "{bar:30} {bytes}/{total_bytes}  {msg}  {eta} left",
        None => "{spinner} {bytes}  {msg}",
    };
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_templates_are_valid() {
        for total in [Some(100), None] {
            let bar = shown(total);
            bar.set_draw_target(ProgressDrawTarget::hidden());
            bar.finish_and_clear();
        }
        let mut progress = Progress::new(Some(10), Arc::default());
        progress.add_games(3);
        assert_eq!(progress.aside(|| 7), 7);
        assert_eq!(progress.finish(), 3);
    }
}
