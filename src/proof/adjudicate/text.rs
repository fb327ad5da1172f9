//! A verdict as text for people.

use super::verdict::{Because, Remedy, Verdict};
use crate::certificate::Decision;
use ferz_core::rules::article;
use ferz_records::clock::shown;
use ferz_records::replay::summary::counted;
use std::fmt::Write;

/// The first sentence of a verdict: what is claimed, by whom, where, and how it was decided.
pub fn opening(verdict: &Verdict) -> String {
    let claim = &verdict.claim;
    let by = claim.by.map_or_else(String::new, |by| format!(" by {}", by.name()));
    let at = claim.ply.map_or_else(String::new, |ply| format!(" at ply {ply}"));
    let intended =
        claim.intended.as_ref().map_or_else(String::new, |text| format!(" with the intended ply {text}"));
    let result = verdict.result.map_or_else(String::new, |result| format!("; the game is {result}"));
    format!("{}: {}{by}{at}{intended}{result}.", verdict.verdict.id().to_uppercase(), claim.kind.words())
}

/// The articles of a verdict, each with its words.
pub fn articles_in_words(verdict: &Verdict) -> Vec<(String, String)> {
    let words = |id: &String| (id.clone(), article(id).unwrap_or_default());
    verdict.articles.iter().map(words).collect()
}

/// What the verdict rests on besides the moves of the record, and what would decide an open claim, in sentences.
pub fn premises_in_words(verdict: &Verdict) -> Vec<String> {
    let mut out: Vec<String> =
        verdict.premises.iter().map(|premise| format!("Premise ({premise}): {}.", premise.words())).collect();
    if let Some(premise) = verdict.lacks {
        let then =
            verdict.result_if.map_or_else(String::new, |result| format!("; the game would be {result}"));
        out.push(format!("It would be decided by the premise `{premise}`: {}{then}.", premise.words()));
    }
    out
}

/// What happens to the game and the players, in sentences.
pub fn consequences(verdict: &Verdict) -> Vec<String> {
    let mut out = Vec::new();
    match &verdict.remedy {
        Some(Remedy::Restore { ply, .. }) => {
            out.push(format!("Restore the position after ply {ply}; the player on move makes a legal ply."))
        }
        Some(Remedy::LetStand) => {
            out.push("The record lets the ply stand, so the game continues from it.".to_owned())
        }
        Some(Remedy::MakeIntended { text }) => {
            out.push(format!("The game goes on with the intended ply {text}."))
        }
        Some(Remedy::Stands { because }) => out.push(
            match because {
                Because::FoundAfterTheGame => "The game was over when it was found: the result stands.",
                Because::Answered => "The opponent has made a ply since: it stands, and the game goes on.",
                Because::Moves => "Too many moves were made since: the start stands, and the game goes on.",
            }
            .to_owned(),
        ),
        Some(Remedy::Queen { fen }) => {
            out.push(format!("The pawn becomes a queen, and the game goes on from {fen}."))
        }
        Some(Remedy::NewGame) => out.push("Annul the game and play a new one.".to_owned()),
        Some(Remedy::Forfeit { loser }) => out.push(format!("{} loses the game.", loser.name())),
        Some(Remedy::CorrectResult) => {
            out.extend(verdict.result.map(|result| format!("Correct the stated result to {result}.")))
        }
        None => {}
    }
    if let Some(penalty) = &verdict.penalty {
        let (to, time) = (penalty.to.name(), time_in_words(penalty.seconds.unsigned_abs()));
        let how = if penalty.seconds < 0 { "loses" } else { "receives" };
        let article =
            if penalty.article.is_empty() { String::new() } else { format!(" ({})", penalty.article) };
        out.push(format!("{to} {how} {time}{article}."));
    }
    if let Some(policy) = &verdict.policy {
        out.push(format!("Policy: {}, edition {}, digest {}.", policy.name, policy.edition, policy.digest));
    }
    out
}

/// The sum of a player's time, move by move.
pub fn clock_in_words(verdict: &Verdict) -> Vec<String> {
    let steps = verdict.clock.iter().map(|step| {
        let stated = step.shown.filter(|shown| *shown != step.after);
        let stated = stated.map_or_else(String::new, |time| format!("; the record states {}", shown(time)));
        format!("ply {}, {}: {step}{stated}", step.ply, step.by.name())
    });
    steps.collect()
}

/// Whole days, minutes, or seconds.
fn time_in_words(seconds: u64) -> String {
    let units = [(86_400, "day", "days"), (60, "minute", "minutes"), (1, "second", "seconds")];
    let fits = units.into_iter().find(|(unit, ..)| seconds.is_multiple_of(*unit));
    let (unit, one, many) = fits.unwrap_or((1, "second", "seconds"));
    counted(usize::try_from(seconds / unit).unwrap_or(usize::MAX), one, many)
}

/// How a reader checks the verdict by hand.
pub fn check_in_words(verdict: &Verdict) -> String {
    let sum =
        "Add up the times of the record: the time before the move, less its charge, plus what it gives.";
    match (verdict.clock.is_empty(), verdict.line.is_empty()) {
        (false, true) => return sum.to_owned(),
        (false, false) => {
            return format!("{sum} Then play the line: each ply is legal, and the last one wins.");
        }
        _ => {}
    }
    if !verdict.line.is_empty() {
        return "Play the line from the position above; each ply is legal, and the last one ends the game."
            .to_owned();
    }
    match &verdict.plies[..] {
        [] | [_] => {
            "Replay the record to the ply named above (`ferz show --record FILE --ply N`).".to_owned()
        }
        plies => {
            let numbers: Vec<String> = plies.iter().map(ToString::to_string).collect();
            format!(
                "Compare the positions after plies {} (`ferz show --record FILE --ply N`): the same pieces on the same \
                 squares, the same side to move, the same rights (COM-3).",
                numbers.join(", ")
            )
        }
    }
}

/// Holes of an analysis that are shown.
const HOLES_SHOWN: usize = 20;

/// A verdict in full: the decision, the grounds, the words of the rules, the position, and how to check it. `drawing`
/// is the position of the claim, drawn; empty if there is none.
pub fn paper(verdict: &Verdict, drawing: &str) -> String {
    let mut out = format!("{}\n\n{}\n", opening(verdict), verdict.explanation);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "Strength: {}.", verdict.strength.words());
    for line in premises_in_words(verdict) {
        let _ = writeln!(out, "{line}");
    }
    for line in consequences(verdict) {
        let _ = writeln!(out, "{line}");
    }
    if let Some(opinion) = &verdict.opinion {
        let _ = writeln!(out, "Opinion, which decides nothing: {}.", opinion.words());
    }
    for reading in &verdict.readings {
        let ruling = reading.ruling.as_ref().map_or_else(String::new, |ruling| format!("{ruling}, "));
        let field = reading.field.as_ref().map_or_else(String::new, |field| format!("{field} = "));
        let result = reading.result.map_or_else(String::new, |result| format!(", {result}"));
        let _ = writeln!(out, "Reading {ruling}{field}{}: {}{result}", reading.reading, reading.verdict);
    }
    let articles = articles_in_words(verdict);
    if !articles.is_empty() {
        out.push_str("\nRules\n");
    }
    for (id, words) in articles {
        let _ = writeln!(out, "  {id}  {words}");
    }
    if !verdict.line.is_empty() {
        let _ = writeln!(out, "\nLine\n  {}", verdict.line.join(" "));
    }
    if !verdict.holes.is_empty() {
        out.push_str("\nHoles\n");
    }
    for (hole, number) in verdict.holes.iter().zip(1..=HOLES_SHOWN) {
        let _ = writeln!(out, "  {number}. {}\n     {}", hole.why, hole.position);
        if let Some(opinion) = &hole.opinion {
            let _ = writeln!(out, "     {}", opinion.words());
        }
    }
    if let Some(more) = verdict.holes.len().checked_sub(HOLES_SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(out, "  … and {more} more (--format json lists all)");
    }
    if !verdict.clock.is_empty() {
        out.push_str("\nClock\n");
    }
    for line in clock_in_words(verdict) {
        let _ = writeln!(out, "  {line}");
    }
    if !verdict.fen.is_empty() {
        let _ = writeln!(out, "\nPosition\n{drawing}  {}", verdict.fen);
    }
    if verdict.verdict != Decision::Undetermined {
        let _ = writeln!(out, "\nCheck it\n  {}", check_in_words(verdict));
    }
    out
}
