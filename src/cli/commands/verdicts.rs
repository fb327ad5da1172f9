//! `ferz adjudicate --each`: one claim about every game of files, or about every position of a list.

use super::adjudicate::Format;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::records::{LanguageArg, ReadArgs, each_file, each_game};
use crate::cli::session::Session;
use ferz::adjudicate::{Claim, ClaimKind, Decision, Terms, Verdict, adjudicate};
use ferz::board::Owner;
use ferz::record::Record;
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Source, trace, with_trace};
use ferz::text::Budget;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The verdict on one game.
#[derive(Serialize)]
struct Line<'l> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'l str>,
    game: usize,
    #[serde(flatten)]
    answer: Answer,
}

/// A verdict, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Judged(Box<Verdict>),
    NotJudged { error: String },
}

/// How many games had each answer.
#[derive(Default)]
struct Tally {
    games: usize,
    upheld: usize,
    rejected: usize,
    undetermined: usize,
    ambiguous: usize,
    not_judged: usize,
}

/// Judges the claim about each game of the files, and writes a line for each as soon as it is known.
pub(super) fn verdicts(
    files: &[PathBuf],
    claim: &Claim,
    (format, terms, seconds): (Format, &Terms, u64),
    read: (&ReadArgs, &LanguageArg),
    session: &mut Session<'_>,
) -> Outcome {
    if !matches!(format, Format::Text | Format::Json) {
        return Err(Failure::message("--each writes a line for each game; choose --format text or json"));
    }
    let limit = Duration::from_secs(seconds);
    let mut tally = Tally::default();
    let judged = each_file(files, session, |session, file| {
        let judge =
            |(replayer, ()): (&mut Replayer<'_>, &mut ()), record: &Record<'_>, source: &Source<'_>| {
                answer(replayer, (record, source), claim, terms, limit)
            };
        let tell = |console: &mut Console, name: &str, game: usize, answer: Answer| {
            tally.add(&answer);
            let line = Line { file: (files.len() > 1).then_some(name), game, answer };
            match format {
                Format::Json => console.json(&line),
                _ => console.line(line.in_words()),
            }
        };
        each_game(read, session, file, || (), judge, tell).map(|_| ())
    });
    if format == Format::Text {
        session.console.line(tally.in_words())?;
    }
    judged.map(|()| tally.status())
}

/// The verdict on one game, within a time of its own.
fn answer(
    replayer: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    claim: &Claim,
    terms: &Terms,
    limit: Duration,
) -> Answer {
    let budget = Budget::unlimited();
    let _watch = watch(budget.clone(), limit);
    let terms = Terms { budget, ..terms.clone() };
    let needs_player = claim.kind.is_forced() || claim.kind == ClaimKind::CannotWin;
    let by = match claim.by {
        None if needs_player => on_move(replayer, record, source, claim.ply),
        by => by,
    };
    match adjudicate(replayer, (record, source), &Claim { by, ..claim.clone() }, &terms) {
        Ok(verdict) => Answer::Judged(Box::new(verdict)),
        Err(error) => Answer::NotJudged { error: error.to_string() },
    }
}

/// Cancels a budget after a time, unless what is returned is dropped before.
fn watch(budget: Budget, limit: Duration) -> Sender<()> {
    let (done, ended) = channel();
    std::thread::spawn(move || {
        if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            budget.cancel();
        }
    });
    done
}

/// The player on move after so many plies, or after all.
fn on_move(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    plies: Option<usize>,
) -> Option<Owner> {
    let traced = trace(replayer, record, source, 0).ok()?;
    Some(with_trace!(&traced, |trace| trace.position(plies.unwrap_or(usize::MAX)).turn()))
}

impl Line<'_> {
    fn in_words(&self) -> String {
        let file = self.file.map_or_else(String::new, |file| format!("{file}: "));
        let game = format!("{file}game {}", self.game);
        match &self.answer {
            Answer::NotJudged { error } => format!("{game}: NOT JUDGED: {error}"),
            Answer::Judged(verdict) => {
                let decision = verdict.verdict.to_string().to_uppercase();
                let result = verdict.result.map_or_else(String::new, |result| format!(", {result}"));
                let line = verdict.line.join(" ");
                let line = if line.is_empty() { line } else { format!(" {line}") };
                format!("{game}: {decision}{result}: {}{line}", verdict.explanation)
            }
        }
    }
}

impl Tally {
    fn add(&mut self, answer: &Answer) {
        self.games += 1;
        *match answer {
            Answer::NotJudged { .. } => &mut self.not_judged,
            Answer::Judged(verdict) => match verdict.verdict {
                Decision::Upheld => &mut self.upheld,
                Decision::Rejected => &mut self.rejected,
                Decision::Undetermined => &mut self.undetermined,
                Decision::Ambiguous => &mut self.ambiguous,
            },
        } += 1;
    }

    fn in_words(&self) -> String {
        let Tally { games, upheld, rejected, undetermined, ambiguous, not_judged } = *self;
        let mut words = format!(
            "{}: {upheld} upheld, {rejected} rejected, {undetermined} undetermined",
            counted(games, "game", "games")
        );
        for (number, what) in [(ambiguous, "ambiguous"), (not_judged, "not judged")] {
            if number > 0 {
                words += &format!(", {number} {what}");
            }
        }
        words
    }

    fn status(&self) -> ExitStatus {
        match self {
            Tally { undetermined: 0, ambiguous: 0, not_judged: 0, rejected: 0, .. } => ExitStatus::Fine,
            Tally { undetermined: 0, ambiguous: 0, not_judged: 0, .. } => ExitStatus::Findings,
            _ => ExitStatus::Open,
        }
    }
}
