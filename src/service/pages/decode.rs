//! The page `/decode`: reads a damaged game by the rules, shows the reading beside the text, and takes a click for an
//! answer.

use super::check::{Asked, asked, attached};
use super::posted::{Input, pack};
use super::render::{self, DecodePage};
use crate::service::answer;
use crate::service::media;
use crate::service::memory::Budgeted;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::decode::{
    Costs, DecodeError, Decoded, Options, ReadPly, Reading, Sheet, best_record_of, decode_sheets, games,
    has_tags, sheet_of,
};
use ferz::record::{Record, read};
use ferz::replay;
use ferz::text::{Budget, Span};
use std::ops::Range;

/// Plies in doubt that the page lists.
const DOUBTS_MAX: usize = 20;
/// Other readings that the page lists.
const OTHERS_MAX: usize = 5;

/// A game that was read by the rules.
#[derive(Debug)]
pub struct DecodedView {
    /// How sure the reading is, in words.
    pub confidence: String,
    /// True if nothing is in doubt.
    pub sure: bool,
    /// The full name of the game.
    pub variant: String,
    /// The number of plies.
    pub plies: usize,
    /// What was changed.
    pub changes: Vec<ChangedPly>,
    /// The plies in doubt, the one whose answer settles most first.
    pub doubts: Vec<DoubtView>,
    /// Other readings that are not much worse: the bits that they cost more, and their changes.
    pub others: Vec<(String, String)>,
    /// The text as it was written, in pieces; those that are read otherwise are marked with what they are read as.
    pub written: Vec<(String, Option<String>)>,
    /// The record that was read.
    pub record: String,
    /// The answers that it follows from, as fields.
    pub answers: Vec<String>,
    /// All records of the form with this one replaced, in packed form.
    pub packed: String,
}

/// A ply that is read otherwise than it was written.
#[derive(Debug)]
pub struct ChangedPly {
    /// The move and the player: `14...`.
    pub number: String,
    /// What was written; empty if nothing was.
    pub written: String,
    /// What is read; empty for a gap.
    pub read: String,
    /// The plies that fit a gap.
    pub fitting: String,
    /// What the change costs, in bits.
    pub bits: String,
}

/// A ply in doubt.
#[derive(Debug)]
pub struct DoubtView {
    /// The move and the player.
    pub number: String,
    /// What it may be: the value of the field, the ply in SAN, the bits that it costs more.
    pub alternatives: Vec<(String, String, String)>,
}

/// Reads a game of a form.
#[post("/decode")]
pub async fn read_by_rules(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let Asked { posted, input: Input { bytes, packed }, options, .. } =
        asked(&request, payload, &state).await?;
    let budget = state.budget();
    let own = budget.clone();
    let shared = state.clone();
    let (game, answers) = (posted.game.unwrap_or_default(), posted.answers.clone());
    let work = state.provers.run_within(&budget, state.judging, move || {
        view(&shared, options, bytes.as_ref(), (game, answers), &own)
    });
    let decoded = work.await?.map_err(|unfinished| unfinished.problem(&state))?;
    if posted.send {
        let mut text = Budgeted::new(&state.memory);
        text.add(decoded.record.as_bytes())?;
        return Ok(attached("decoded.pgn", answer::whole(media::PGN, text)));
    }
    let html = move || render::html(&DecodePage { here: "/", decoded, game, packed, posted });
    render::in_pool(&state, html).await
}

fn view(
    state: &AppState,
    options: replay::Options,
    bytes: &[u8],
    (game, answers): (usize, Vec<String>),
    budget: &Budget,
) -> Result<DecodedView, Unfinished> {
    let nothing = || Problem::new(&problem::NO_RECORDS, "the text has no such game");
    let record = read(bytes, 0).nth(game).ok_or_else(nothing)?;
    let mut replayer = state.replayer.with_options(options);
    let (sheet, place) = sheet_in(bytes, &record);
    let decoded = decode_sheets(&mut replayer, &record, &[sheet], &Options::default(), budget);
    let mut decoded = match decoded {
        Ok(decoded) => decoded,
        Err(error @ DecodeError::TooLong(_)) => {
            return Err(Problem::new(&problem::TOO_MUCH_WORK, error.to_string()).into());
        }
        Err(error) => return Err(Problem::new(&problem::NOT_REPLAYED, error.to_string()).into()),
    };
    let answers = answers.into_iter().filter(|answer| is_taken(&mut decoded, answer)).collect();
    let record = best_record_of(&record, &decoded, state.registry).unwrap_or_default();
    let Some(best) = decoded.readings.first() else {
        return Err(Problem::new(&problem::NOT_REPLAYED, "no token reads as a legal ply").into());
    };
    let replaced = [&bytes[..place.start], record.trim_end().as_bytes(), &bytes[place.end..]].concat();
    Ok(DecodedView {
        confidence: decoded.confidence(),
        sure: decoded.doubts.is_empty() && !best.has_gaps() && decoded.complete,
        variant: decoded.variant.clone(),
        plies: best.plies.len(),
        changes: best.changes().map(ChangedPly::of).collect(),
        doubts: doubts(&decoded),
        others: others(&decoded, best),
        written: written(bytes, &place, best),
        packed: pack(&replaced)?,
        record,
        answers,
    })
}

/// The sheet of a game with its place, without the white space after it: its record, or in a text without tags, where
/// the reader may see several records in a damaged game, its part of the text.
fn sheet_in(bytes: &[u8], record: &Record<'_>) -> (Sheet, Range<usize>) {
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| !has_tags(text)) else {
        return (sheet_of(record, Costs::built_in()), span_of(record));
    };
    let at = record.span_of_source().start;
    let part = games(text).into_iter().find(|part| at < part.end).unwrap_or(0..text.len());
    let written = text[part.clone()].trim_end();
    (Sheet::of_text(written, part.start, Costs::built_in()), part.start..part.start + written.len())
}

/// The place of a record, without the white space after it.
fn span_of(record: &Record<'_>) -> Range<usize> {
    let span = record.span_of_source();
    let after = record.source().iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    span.start..span.end - after
}

/// Takes an answer: the index of the ply in doubt, and what it was.
fn is_taken(decoded: &mut Decoded, answer: &str) -> bool {
    let parts = answer.split_once(' ').and_then(|(ply, text)| Some((ply.parse().ok()?, text)));
    parts.is_some_and(|(ply, text)| decoded.answer(ply, text))
}

fn doubts(decoded: &Decoded) -> Vec<DoubtView> {
    let first = decoded.question.and_then(|index| decoded.doubts.get(index));
    let others = decoded.doubts.iter().filter(|doubt| Some(doubt.ply) != first.map(|first| first.ply));
    let all = first.into_iter().chain(others).take(DOUBTS_MAX);
    all.map(|doubt| DoubtView {
        number: doubt.number.clone(),
        alternatives: doubt
            .alternatives
            .iter()
            .map(|known| {
                let value = format!("{} {}", doubt.ply, known.ply.coord);
                (value, known.ply.san.clone(), known.cost.to_string())
            })
            .collect(),
    })
    .collect()
}

/// The other readings that come near the best one.
fn others(decoded: &Decoded, best: &Reading) -> Vec<(String, String)> {
    let near = |other: &&Reading| other.cost <= best.cost + decoded.doubtful();
    let others = decoded.readings.iter().skip(1).take_while(near).take(OTHERS_MAX);
    others
        .map(|other| {
            let changes: Vec<String> = other.changes().map(ToString::to_string).collect();
            ((other.cost - best.cost).to_string(), changes.join("; "))
        })
        .collect()
}

/// The text of a game, divided where tokens are read otherwise.
fn written(bytes: &[u8], place: &Range<usize>, best: &Reading) -> Vec<(String, Option<String>)> {
    let mut marks: Vec<(Span, String)> = Vec::new();
    for ply in best.changes() {
        for token in ply.written.iter().flatten() {
            let what =
                if ply.is_gap() { "unreadable".to_owned() } else { format!("read as {}", ply.ply.san) };
            marks.push((token.span, what));
        }
    }
    marks.sort_by_key(|(span, _)| span.start);
    let text = |from: usize, to: usize| Some(String::from_utf8_lossy(bytes.get(from..to)?).into_owned());
    let mut pieces = Vec::new();
    let mut at = place.start;
    for (span, what) in marks {
        let (Some(before), Some(token)) = (text(at, span.start), text(span.start, span.end)) else {
            continue;
        };
        pieces.push((before, None));
        pieces.push((token, Some(what)));
        at = span.end;
    }
    pieces.extend(text(at, place.end).map(|rest| (rest, None)));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

impl ChangedPly {
    fn of(ply: &ReadPly) -> ChangedPly {
        let mut written: Vec<&str> = ply.written.iter().flatten().map(|token| token.text.as_str()).collect();
        written.dedup();
        ChangedPly {
            number: ply.number.clone(),
            written: written.join(", "),
            read: if ply.is_gap() { String::new() } else { ply.ply.san.clone() },
            fitting: if ply.is_gap() { ply.fitting() } else { String::new() },
            bits: ply.cost.to_string(),
        }
    }
}
