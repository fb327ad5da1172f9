//! Two records of one game: where they part, what each one says for and against itself from there on, and which of them
//! a verdict can stand on (ADJ-9).

use super::page::{FOOT, TAGS, head, known, position};
use super::text::opening;
use super::{Claim, ClaimError, Decision, Strength, Terms, Verdict, adjudicate};
use ferz_core::judge::Outcome;
use ferz_core::text::Code;
use ferz_records::diagram::escaped;
use ferz_records::record::comment::{Times, free_text};
use ferz_records::record::{ItemKind, Record};
use ferz_records::replay::summary::counted;
use ferz_records::replay::{Replayer, Report, Source, codes};
use ferz_records::rewrite::{Comparison, Parting, Relation, compare_within};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a piece of evidence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// Marks of check, mate, capture or the captured piece.
    Marks,
    /// Move numbers, and the number of plies.
    Numbers,
    /// Clocks.
    Clocks,
    /// The stated end, result or position.
    End,
}

/// What a diagnostic of a replay is evidence about; most are about form, and say nothing of what was played.
fn kind_of(code: Code) -> Option<EvidenceKind> {
    const MARKS: [Code; 7] = [
        codes::N_CHECK_MISSING,
        codes::N_CHECK_WRONG,
        codes::N_MATE_WRONG,
        codes::N_MATE_MISSING,
        codes::N_CAPTURE_MISSING,
        codes::N_CAPTURE_WRONG,
        codes::N_CAPTURED_WRONG,
    ];
    const NUMBERS: [Code; 4] =
        [codes::N_NUMBER_WRONG, codes::J_PLY_COUNT, codes::J_NUMBERS_RESTART, codes::J_NUMBER_ALONE];
    const CLOCKS: [Code; 4] =
        [codes::J_CLOCK_RISES, codes::J_CLOCK_ABOVE, codes::J_CLOCK_ELAPSED, codes::J_TIME_SPENT];
    const ENDS: [Code; 4] =
        [codes::J_RESULT_CONTRADICTED, codes::J_TERMINATION, codes::J_POSITION_TAG, codes::J_DEPLOYMENT_END];
    let kinds = [
        (&MARKS[..], EvidenceKind::Marks),
        (&NUMBERS, EvidenceKind::Numbers),
        (&CLOCKS, EvidenceKind::Clocks),
        (&ENDS, EvidenceKind::End),
    ];
    kinds.into_iter().find(|(of, _)| of.contains(&code)).map(|(_, kind)| kind)
}

/// Something in a record that contradicts its own story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// What it is about.
    pub about: EvidenceKind,
    /// The code of the diagnostic.
    pub code: Code,
    /// The message.
    pub message: String,
    /// Line in the input, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
}

/// Whether a ply can have been played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlyLegality {
    /// It is legal.
    Legal,
    /// It is illegal, and was let stand.
    LetStand,
    /// It is illegal, unreadable or ambiguous; the replay ends here.
    Refused,
    /// It follows such a ply.
    Unreplayed,
}

/// A ply after the parting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LaterPly {
    /// Its number.
    pub ply: usize,
    /// Its text.
    pub text: String,
    /// Line in the input, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// Whether it can have been played.
    pub legality: PlyLegality,
    /// Why not.
    pub reason: Option<String>,
    /// The clock stated after it, in milliseconds.
    pub clock: Option<u64>,
    /// The time stated for it, in milliseconds.
    pub spent: Option<u64>,
    /// The words of the comments after it.
    pub comment: Option<String>,
    /// What contradicts it.
    pub against: Vec<Contradiction>,
}

/// One of the two stories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Story {
    /// Plies that can be replayed.
    pub replayed: usize,
    /// Plies that are written.
    pub written: usize,
    /// True if every ply after the parting is legal.
    pub legal: bool,
    /// The plies after the parting.
    pub later: Vec<LaterPly>,
    /// What contradicts the story as a whole.
    pub against: Vec<Contradiction>,
    /// What its tags say of the game, for the page.
    #[serde(skip)]
    pub tags: BTreeMap<&'static str, String>,
}

impl Story {
    /// The number of contradictions from the parting on.
    fn contradictions(&self) -> usize {
        self.against.len() + self.later.iter().map(|ply| ply.against.len()).sum::<usize>()
    }
}

/// The stories that a verdict can stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StandsOn {
    /// Both: they do not contradict each other.
    Both,
    /// The first record alone.
    A,
    /// The second record alone.
    B,
    /// Neither, after the plies that they share.
    Neither,
}

/// A claim by one of the stories.
#[derive(Debug, Clone, Serialize)]
pub struct ClaimOnStory {
    /// The verdict; `None` if the claim does not fit the record.
    pub verdict: Option<Verdict>,
    /// Why it does not fit.
    pub error: Option<String>,
}

impl ClaimOnStory {
    /// The verdict in sentences, or why there is none.
    pub fn in_words(&self) -> String {
        match (&self.verdict, &self.error) {
            (Some(verdict), _) => format!("{} {}", opening(verdict), verdict.explanation),
            (None, error) => error.clone().unwrap_or_default(),
        }
    }
}

/// Two stories with what can be said about them.
#[derive(Debug, Clone, Serialize)]
pub struct Stories {
    /// How the records are related.
    pub relation: Relation,
    /// The number of plies that they share.
    pub common: usize,
    /// Where they part.
    pub parting: Option<Parting>,
    /// The position where they part; the last one of the longer record if they do not.
    #[serde(skip)]
    pub fen: String,
    /// The first record.
    pub a: Story,
    /// The second record.
    pub b: Story,
    /// What a verdict can stand on after the parting.
    pub stands_on: StandsOn,
    /// What that rests on.
    pub strength: Strength,
    /// All of it in sentences.
    pub explanation: String,
    /// The claim by each story, if there is one.
    pub claims: Option<[ClaimOnStory; 2]>,
    /// How the claim is decided; without a claim undetermined where neither story carries a verdict.
    pub verdict: Decision,
    /// What the game is worth then.
    pub result: Option<Outcome>,
}

/// Compares two stories, and judges a claim by both.
///
/// # Errors
/// If a record is not judged, if they are no records of one game, or if the budget ends.
pub fn two_stories(
    replayer: &mut Replayer<'_>,
    a: (&Record<'_>, &Source<'_>),
    b: (&Record<'_>, &Source<'_>),
    claim: Option<&Claim>,
    terms: &Terms,
) -> Result<Stories, ClaimError> {
    let found = compare_within(replayer, a, b, &terms.budget).map_err(ClaimError::Exhausted)?;
    for side in [&found.a, &found.b] {
        if !side.report.is_judged() || side.start_fen.is_none() {
            return Err(ClaimError::NotReplayed(Box::new(side.report.clone())));
        }
    }
    let apart = match found.relation {
        Relation::OtherRules => "they have different rules; correct the tag Variant",
        Relation::OtherStart => "they start from different positions; correct the tag FEN",
        _ => "",
    };
    if !apart.is_empty() {
        return Err(ClaimError::Claim(format!("the records are no stories of one game: {apart}")));
    }
    let stories = [story(a, &found.a.report, found.common), story(b, &found.b.report, found.common)];
    let (stands_on, strength) = stands_on(&found, &stories);
    let explanation = explained(&found, &stories, stands_on);
    let longer = if stories[1].replayed > stories[0].replayed { &found.b } else { &found.a };
    let fen = found.parting.as_ref().map_or(&longer.report.final_fen, |parting| &parting.fen).clone();
    let [a_story, b_story] = stories;
    let (verdict, result) = match stands_on {
        StandsOn::Neither => (Decision::Undetermined, None),
        _ => (Decision::Upheld, None),
    };
    let mut all = Stories {
        relation: found.relation,
        common: found.common,
        fen,
        parting: found.parting,
        a: a_story,
        b: b_story,
        stands_on,
        strength,
        explanation,
        claims: None,
        verdict,
        result,
    };
    if let Some(claim) = claim {
        let mut of = |side| match adjudicate(replayer, side, claim, terms) {
            Ok(verdict) => Ok(ClaimOnStory { verdict: Some(verdict), error: None }),
            Err(ClaimError::Claim(why)) => Ok(ClaimOnStory { verdict: None, error: Some(why) }),
            Err(error) => Err(error),
        };
        all.decide([of(a)?, of(b)?])?;
    }
    Ok(all)
}

impl Stories {
    /// The claim is decided where both stories decide it alike, or by the one that a verdict can stand on.
    fn decide(&mut self, claims: [ClaimOnStory; 2]) -> Result<(), ClaimError> {
        let decided =
            |claim: &ClaimOnStory| claim.verdict.as_ref().map(|of| (of.verdict, of.result, of.strength));
        let [a, b] = [decided(&claims[0]), decided(&claims[1])];
        let of_one = match self.stands_on {
            StandsOn::A => a,
            StandsOn::B => b,
            // The one that goes on has what the other one lacks.
            StandsOn::Both => a.or(b).filter(|_| a.is_none() || b.is_none()),
            StandsOn::Neither => None,
        };
        let same = a.filter(|of| b.is_some_and(|other| (of.0, of.1) == (other.0, other.1)));
        let words = match (same, of_one, a.or(b)) {
            (Some(of), ..) => {
                (self.verdict, self.result, self.strength) = of;
                format!("By both stories the claim is {}.", of.0)
            }
            (None, Some(of), _) => {
                (self.verdict, self.result, self.strength) = of;
                format!("By the story that a verdict can stand on, the claim is {}.", of.0)
            }
            (None, None, Some(_)) => {
                (self.verdict, self.result, self.strength) = (Decision::Ambiguous, None, Strength::Opinion);
                let [a, b] = [a, b].map(|of| of.map_or("not decided", |(decision, ..)| decision.id()));
                format!("By A the claim is {a}, by B {b}; whose story is true decides it.")
            }
            (None, None, None) => {
                let why = claims.iter().find_map(|claim| claim.error.clone()).unwrap_or_default();
                return Err(ClaimError::Claim(why));
            }
        };
        self.explanation = format!("{} {words}", self.explanation);
        self.claims = Some(claims);
        Ok(())
    }
}

/// What a record says from the parting on.
fn story((record, source): (&Record<'_>, &Source<'_>), report: &Report, common: usize) -> Story {
    let mut later: Vec<LaterPly> = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    let mut times = Times::default();
    for (_, &item) in record.main_line().items() {
        let span = source.span(record.span(item));
        match item.kind {
            ItemKind::Move => {
                let place = source.locate(span.start);
                starts.push(span.start);
                times = Times::default();
                later.push(later_ply(starts.len(), record.text(item).into_owned(), place, report));
            }
            ItemKind::Comment(_) => {
                let Some(last) = later.last_mut() else { continue };
                times.read(record.bytes(item));
                (last.clock, last.spent) = (times.clock, times.elapsed);
                let words = free_text(&record.text(item));
                if !words.is_empty() {
                    let before = last.comment.take().map_or_else(String::new, |before| before + " ");
                    last.comment = Some(before + &words);
                }
            }
            _ => {}
        }
    }
    let mut against = Vec::new();
    for found in &report.diagnostics {
        let Some(about) = kind_of(found.code) else { continue };
        let contradiction = Contradiction {
            about,
            code: found.code,
            message: found.message.to_string(),
            line: found.line,
            column: found.column,
        };
        // A diagnostic belongs to the ply before its place, one of a tag to the record.
        let plies = starts.partition_point(|start| *start <= found.span[0]);
        let of_ply = found.ply.or((plies > 0).then_some(plies)).filter(|_| about != EvidenceKind::End);
        match of_ply.and_then(|ply| later.get_mut(ply - 1)) {
            Some(ply) => ply.against.push(contradiction),
            None => against.push(contradiction),
        }
    }
    let later: Vec<LaterPly> = later.split_off(common.min(later.len()));
    Story {
        replayed: report.plies,
        written: starts.len(),
        legal: later.iter().all(|ply| ply.legality == PlyLegality::Legal),
        later,
        against,
        tags: TAGS.into_iter().filter_map(|name| Some((name, known(record, name)?))).collect(),
    }
}

fn later_ply(ply: usize, text: String, place: ferz_core::text::LineColumn, report: &Report) -> LaterPly {
    let illegal = report.illegal_plies().find(|illegal| illegal.ply == ply);
    let legality = match illegal {
        None if ply <= report.plies => PlyLegality::Legal,
        None => PlyLegality::Unreplayed,
        Some(_) if ply <= report.plies => PlyLegality::LetStand,
        Some(_) => PlyLegality::Refused,
    };
    LaterPly {
        ply,
        text,
        line: place.line,
        column: place.column,
        legality,
        reason: illegal.map(|illegal| illegal.reason.clone()),
        clock: None,
        spent: None,
        comment: None,
        against: Vec::new(),
    }
}

/// Legality alone decides between stories; contradictions are for an arbiter to weigh.
fn stands_on(found: &Comparison, [a, b]: &[Story; 2]) -> (StandsOn, Strength) {
    match (found.relation, a.legal, b.legal) {
        (Relation::Same | Relation::Prefix, true, true) => (StandsOn::Both, Strength::Replayed),
        (_, true, false) => (StandsOn::A, Strength::Replayed),
        (_, false, true) => (StandsOn::B, Strength::Replayed),
        _ => (StandsOn::Neither, Strength::Opinion),
    }
}

fn explained(found: &Comparison, stories: &[Story; 2], stands_on: StandsOn) -> String {
    let plies = counted(found.common, "ply", "plies");
    let mut out = match (found.relation, &found.parting) {
        (Relation::Same, _) => format!("The records tell the same game: {plies}."),
        (Relation::Prefix, Some(parting)) => {
            let (short, long) = if parting.a.is_none() { ("A", "B") } else { ("B", "A") };
            format!("{short} ends after {plies}, and {long} goes on.")
        }
        (_, Some(parting)) => {
            let text = |ply: &Option<ferz_records::rewrite::PartingPly>| {
                ply.as_ref().map_or_else(String::new, |ply| ply.text.clone())
            };
            let (number, a, b) = (parting.ply, text(&parting.a), text(&parting.b));
            format!("The records share {plies} and part at ply {number}: A has {a}, B has {b}.")
        }
        (_, None) => format!("The records share {plies}."),
    };
    for (name, story) in [("A", &stories[0]), ("B", &stories[1])] {
        out.push_str(&about_story(name, story));
    }
    let shared = match found.relation {
        Relation::Parted => format!(" Up to ply {} both stories carry the same verdicts.", found.common),
        _ => String::new(),
    };
    out.push_str(&match stands_on {
        StandsOn::Both => {
            " The records do not contradict each other: a verdict can stand on both.".to_owned()
        }
        StandsOn::A => format!(" A verdict can stand on A.{shared}"),
        StandsOn::B => format!(" A verdict can stand on B.{shared}"),
        StandsOn::Neither => {
            format!(" Legality does not decide between them; an arbiter weighs what else they show.{shared}")
        }
    });
    out
}

fn about_story(name: &str, story: &Story) -> String {
    let refused = story.later.iter().find(|ply| ply.legality != PlyLegality::Legal);
    let mut out = match refused {
        Some(ply) => {
            let reason = ply.reason.as_deref().unwrap_or("it follows an illegal ply");
            let how = if ply.legality == PlyLegality::LetStand { "was let stand" } else { "ends its replay" };
            format!(" {name}'s ply {}, {}, {how}: {reason}.", ply.ply, ply.text)
        }
        None if story.later.is_empty() => String::new(),
        None => format!(" {name} is legal to its end."),
    };
    let clocks = story.later.iter().filter(|ply| ply.clock.or(ply.spent).is_some()).count();
    if clocks > 0 {
        let of = counted(story.later.len(), "later ply", "later plies");
        out.push_str(&format!(" {name} has times for {clocks} of {of}."));
    }
    match story.contradictions() {
        0 => {}
        count => {
            let what = counted(count, "contradiction", "contradictions");
            out.push_str(&format!(" {name} has {what} of its own."));
        }
    }
    out
}

/// Two stories as text: the sentences, then every later ply with what is for and against it.
pub fn stories_paper(stories: &Stories) -> String {
    let mut out = format!("{}\n", stories.explanation);
    out.push_str(&format!("Strength: {}.\n", stories.strength.words()));
    if let Some(claims) = &stories.claims {
        for (name, claim) in ["A", "B"].into_iter().zip(claims) {
            out.push_str(&format!("\nBy {name}: {}\n", claim.in_words()));
        }
    }
    if let Some(parting) = &stories.parting {
        out.push_str(&format!("\nBefore ply {}: {}\n", parting.ply, parting.fen));
    }
    for (name, story) in [("A", &stories.a), ("B", &stories.b)] {
        if !story.later.is_empty() || !story.against.is_empty() {
            out.push_str(&format!("\n{name}, after the parting\n"));
        }
        let lines =
            story.later.iter().flat_map(ply_lines).chain(story.against.iter().map(contradiction_line));
        lines.for_each(|line| out.push_str(&format!("  {line}\n")));
    }
    out
}

/// Two stories as a page to print and sign: the game, the sentences, the position where they part, and the later plies
/// of each story. `drawing` is that position as SVG; empty if there is none.
pub fn stories_page(stories: &Stories, drawing: &str) -> String {
    let mut out = head("Two stories of one game") + &game_in_rows([&stories.a, &stories.b]);
    let mut paragraph = |text: &str| out.push_str(&format!("<p>{}\n", escaped(text)));
    paragraph(&stories.explanation);
    paragraph(&format!("Strength: {}.", stories.strength.words()));
    for (name, claim) in ["A", "B"].into_iter().zip(stories.claims.iter().flatten()) {
        paragraph(&format!("By {name}: {}", claim.in_words()));
    }
    if let Some(parting) = &stories.parting {
        paragraph(&format!("Both come to the position before ply {}.", parting.ply));
    }
    out.push_str(&position(drawing, &stories.fen));
    for (name, story) in [("A", &stories.a), ("B", &stories.b)] {
        out.push_str(&format!("<h2>{name}, after the parting</h2>\n<ul>\n"));
        for line in story_lines(story) {
            out.push_str(&format!("<li>{}\n", escaped(&line)));
        }
        out.push_str("</ul>\n");
    }
    out + FOOT
}

/// The tags of both records as a table: once where they agree.
fn game_in_rows([a, b]: [&Story; 2]) -> String {
    let mut out = "<table>\n".to_owned();
    for name in TAGS {
        let [of_a, of_b] = [a, b].map(|story| story.tags.get(name).map(|value| escaped(value)));
        match (of_a, of_b) {
            (None, None) => {}
            (Some(a), Some(b)) if a == b => out.push_str(&format!("<tr><th>{name}<td>{a}\n")),
            (a, b) => {
                let [a, b] = [a, b].map(|value| value.unwrap_or_else(|| "nothing".to_owned()));
                out.push_str(&format!("<tr><th>{name}<td>{a} (A), {b} (B)\n"));
            }
        }
    }
    out + "</table>\n"
}

/// A line for each ply of a story after the parting, with what is for and against it, and for each contradiction of the
/// whole.
pub fn story_lines(story: &Story) -> Vec<String> {
    let lines = story.later.iter().map(|ply| ply_lines(ply).join(";"));
    lines.chain(story.against.iter().map(contradiction_line)).collect()
}

fn ply_lines(ply: &LaterPly) -> Vec<String> {
    let legality = match (ply.legality, &ply.reason) {
        (PlyLegality::Legal, _) => "legal".to_owned(),
        (PlyLegality::LetStand, reason) => {
            format!("illegal, but let stand: {}", reason.as_deref().unwrap_or_default())
        }
        (PlyLegality::Refused, reason) => format!("not legal: {}", reason.as_deref().unwrap_or_default()),
        (PlyLegality::Unreplayed, _) => "not replayed".to_owned(),
    };
    let clock =
        ply.clock.map_or_else(String::new, |time| format!(", clock {}", ferz_records::clock::shown(time)));
    let spent =
        ply.spent.map_or_else(String::new, |time| format!(", took {}", ferz_records::clock::shown(time)));
    let comment = ply.comment.as_ref().map_or_else(String::new, |words| format!(", comment: {words}"));
    let place = format!("{}:{}", ply.line, ply.column);
    let first = format!("ply {}, {} ({place}): {legality}{clock}{spent}{comment}", ply.ply, ply.text);
    std::iter::once(first)
        .chain(ply.against.iter().map(|of| format!("  {}", contradiction_line(of))))
        .collect()
}

fn contradiction_line(of: &Contradiction) -> String {
    format!("against it: {} ({}, {}:{})", of.message, of.code, of.line, of.column)
}
