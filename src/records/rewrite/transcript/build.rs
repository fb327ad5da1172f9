//! Builds the transcript of a record.

use super::facts::{Clocks, CommandData, Derive, Illegality, Played};
use super::{Element, ElementKind, Tag, Transcript};
use crate::record::{CommentKind, Item, ItemKind, Record, codes, comment};
use crate::replay::{AnyGame, Illegal, Judging, Located, Observer, Replayer, Report, Source, starts_as_text};
use crate::rewrite::convert::kept;
use ferz_core::board::{Mask, by_width};
use ferz_core::position::{Ply, Position};
use ferz_core::text::decode;
use ferz_core::text::limits::TOKEN_BYTES_MAX;
use ferz_core::text::{Budget, Exhausted, Span};
use std::collections::HashMap;

/// A record in full, and the report on it.
#[derive(Debug, Clone)]
pub struct Transcribed {
    /// The record.
    pub transcript: Transcript,
    /// What is missing from it, or is in it unread, with its place in the input.
    pub losses: Vec<Located>,
    /// The report on the record.
    pub report: Report,
}

/// Transcribes a record: everything that is written, and what each legal ply did.
///
/// ```
/// use ferz_records::replay::{Options, Replayer, Source};
/// use ferz_records::rewrite::transcribe;
/// use ferz_core::rules::Registry;
/// use ferz_records::record;
///
/// let text = b"[White \"Ann\"]\n\n1. e4 {[%clk 0:05:00]} e5 (1... c5) 2. Nf3! *";
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// let record = record::read(text, 0).next().ok_or("no game")?;
/// let done = transcribe(&mut replayer, &record, &Source::new(text, 0, 0), 0);
/// let played = done.transcript.moves[0].played.as_deref().ok_or("not played")?;
/// assert_eq!((played.coord.as_str(), played.clocks.and_then(|clocks| clocks.left_ms)), ("e2e4", Some(300_000)));
/// assert!(done.report.legal && done.transcript.moves.len() == 7);
/// # Ok::<(), &str>(())
/// ```
pub fn transcribe(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
) -> Transcribed {
    Budget::endless(|budget| transcribe_within(replayer, record, source, number, Derive::default(), budget))
}

/// [`transcribe`] within a budget, with more about each ply.
///
/// # Errors
/// If the budget ends before the work.
pub fn transcribe_within(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
    derive: Derive,
    budget: &Budget,
) -> Result<Transcribed, Exhausted> {
    let of = Judging { record, source, number, budget };
    let game = match replayer.game_or_report(of) {
        Ok(game) => game,
        Err(report) => return Ok(finish(record, source, Plies::default(), *report, None)),
    };
    let mut plies = Plies { derive, ..Plies::default() };
    let report = replayer.judge(&game, of, &mut plies)?;
    let start = by_width!(AnyGame, &game, |game| starts_as_text(game, record).ok());
    Ok(finish(record, source, plies, report, start))
}

fn finish(
    record: &Record<'_>,
    source: &Source<'_>,
    plies: Plies,
    report: Report,
    start: Option<String>,
) -> Transcribed {
    let mut losses = kept(record, source, &report);
    let cut = [codes::TAGS_TOO_MANY, codes::RECORD_LONG];
    losses.extend(report.diagnostics.iter().filter(|found| cut.contains(&found.code)).cloned());
    losses.sort_by_key(|loss| loss.span);
    Transcribed { transcript: written(record, plies, &report, start), losses, report }
}

/// The derived values of plies, by the record's items. Places would not distinguish them: several elements of a JSON
/// object may have the same.
#[derive(Default)]
struct Plies {
    derive: Derive,
    /// What each ply did that is legal or was let stand.
    played: HashMap<usize, Box<Played>>,
    illegal: HashMap<usize, Box<Illegality>>,
}

impl<M: Mask> Observer<M> for Plies {
    const UNITS: u64 = 4;

    fn legal(&mut self, index: usize, before: &Position<M>, ply: &Ply, _: u32) {
        self.played.insert(index, Box::new(Played::new(before, ply, false, self.derive)));
    }

    fn let_stand(&mut self, index: usize, before: &Position<M>, ply: &Ply, _: u32) {
        self.played.insert(index, Box::new(Played::new(before, ply, true, self.derive)));
    }

    fn illegal(&mut self, index: usize, illegal: &Illegal) {
        let illegality = Illegality {
            ply: illegal.ply,
            code: illegal.code.to_string(),
            reason_id: illegal.reason_id.to_string(),
            reason: illegal.reason.clone(),
            rule: illegal.rule.clone(),
        };
        self.illegal.insert(index, Box::new(illegality));
    }

    fn restart(&mut self) {
        *self = Plies { derive: self.derive, ..Plies::default() };
    }
}

impl Transcript {
    /// A record without derived values.
    pub fn as_written(record: &Record<'_>) -> Transcript {
        let mut builder = Builder { derives: false, ..Builder::new(record, Plies::default()) };
        Transcript::new(builder.tags(), builder.line(0, record.items.len(), 0))
    }
}

/// Combines the text of the record with what was played.
fn written(record: &Record<'_>, plies: Plies, report: &Report, start_fen: Option<String>) -> Transcript {
    let mut builder = Builder::new(record, plies);
    let judged = report.rules.is_some();
    Transcript {
        variant: Some(report.variant.to_string()),
        rules: report.rules.as_deref().cloned(),
        style: judged.then(|| report.style.name().to_owned()),
        plies: Some(report.plies),
        // Of the plies alone: what else makes a text no record may be its layout, which is not kept.
        legal: Some(judged && report.illegal_plies().next().is_none()),
        result: record.stated_result().map(|result| result.as_str().to_owned()),
        start_fen,
        final_fen: judged.then(|| report.final_fen.clone()),
        ..Transcript::new(builder.tags(), builder.line(0, record.items.len(), 0))
    }
}

struct Builder<'r, 'a> {
    record: &'r Record<'a>,
    plies: Plies,
    /// True if it says of each ply what was found.
    derives: bool,
    strays: std::iter::Peekable<std::vec::IntoIter<Span>>,
}

impl<'r, 'a> Builder<'r, 'a> {
    fn new(record: &'r Record<'a>, plies: Plies) -> Builder<'r, 'a> {
        Builder { record, plies, derives: true, strays: record.strays().into_iter().peekable() }
    }

    fn tags(&self) -> Vec<Tag> {
        let text = |tag| Tag {
            name: self.record.tag_name(tag).into_owned(),
            value: self.record.tag_value(tag).into_owned(),
        };
        self.record.tags.iter().map(text).collect()
    }

    /// The elements of the items `from..to`, after `plies` plies.
    fn line(&mut self, from: usize, to: usize, mut plies: usize) -> Vec<Element> {
        let mut elements = Vec::new();
        let mut at = from;
        while at < to {
            let item = self.record.items[at];
            self.strays_before(self.record.full_span(item).start, &mut elements);
            match item.kind {
                ItemKind::Move => {
                    plies += 1;
                    let ply = self.ply(at, plies);
                    let number = take_number(&mut elements, self.record.items[..at].last(), &ply);
                    elements.push(Element { number, ..ply });
                }
                ItemKind::VariationStart { end } => {
                    let mut element = Element::new(ElementKind::Variation, "");
                    element.text = None;
                    element.moves = Some(self.line(at + 1, end as usize, plies.saturating_sub(1)));
                    elements.push(element);
                    at = end as usize;
                    let close = self.record.full_span(self.record.items[at]);
                    let inner = elements.last_mut().and_then(|element| element.moves.as_mut());
                    if let Some(inner) = inner {
                        self.strays_before(close.start, inner);
                    }
                }
                _ => elements.extend(self.other(at, item)),
            }
            at += 1;
        }
        if to == self.record.items.len() {
            self.strays_before(usize::MAX, &mut elements);
        }
        note_clocks(&mut elements);
        elements
    }

    fn strays_before(&mut self, end: usize, elements: &mut Vec<Element>) {
        while let Some(span) = self.strays.next_if(|span| span.start < end) {
            let offset = self.record.offset();
            let text = decode(&self.record.source()[span.start - offset..span.end - offset]);
            // `1)` is a number.
            let number =
                self.record.items.partition_point(|item| (item.start as usize) < span.start - offset);
            let is_number = number > 0 && self.record.number_end(number - 1) == span.start - offset + 1;
            match elements.last_mut().filter(|last| is_number && last.kind == ElementKind::Number) {
                Some(last) => {
                    last.text.get_or_insert_default().push(')');
                    if text.len() > 1 {
                        elements.push(Element::new(ElementKind::Stray, &text[1..]));
                    }
                }
                None => elements.push(Element::new(ElementKind::Stray, text)),
            }
        }
    }

    fn ply(&mut self, index: usize, ply: usize) -> Element {
        let text = self.record.text(self.record.items[index]).into_owned();
        if text.len() > TOKEN_BYTES_MAX {
            // Reached only by Latin-1 text that exceeds the limit of a token in UTF-8.
            let comment = Element::new(ElementKind::Comment, text);
            return Element { form: Some(CommentKind::Bare), ..comment };
        }
        let played = self.plies.played.remove(&index).map(|played| Box::new(Played { ply, ..*played }));
        let illegal = self.plies.illegal.remove(&index);
        let unjudged = self.derives && played.is_none() && illegal.is_none();
        Element { played, illegal, unjudged, ..Element::new(ElementKind::Ply, text) }
    }

    fn other(&self, index: usize, item: Item) -> Option<Element> {
        let text = self.record.text(item).into_owned();
        Some(match item.kind {
            ItemKind::MoveNumber(number) => {
                Element { value: Some(number.value), ..Element::new(ElementKind::Number, text) }
            }
            ItemKind::Nag { value, .. } => {
                Element { value: Some(u32::from(value)), ..Element::new(ElementKind::Nag, text) }
            }
            ItemKind::Comment(kind) => {
                let commands: Vec<CommandData> = match kind {
                    CommentKind::Deep | CommentKind::Remark => Vec::new(),
                    _ => comment::commands(&text).map(|command| CommandData::from(&command)).collect(),
                };
                let form = Some(kind);
                Element { form, commands, ..Element::new(ElementKind::Comment, text) }
            }
            // The words before it say this result.
            ItemKind::Result(_) if item.len == 0 => return None,
            ItemKind::Result(_) => Element::new(ElementKind::Result, text),
            ItemKind::Move | ItemKind::VariationStart { .. } | ItemKind::VariationEnd { .. } => {
                debug_assert!(false, "item {index} has no element");
                return None;
            }
        })
    }
}

/// Removes the number directly before a ply from the elements.
fn take_number(elements: &mut Vec<Element>, before: Option<&Item>, ply: &Element) -> Option<String> {
    let is_number = matches!(before?.kind, ItemKind::MoveNumber(_)) && ply.kind == ElementKind::Ply;
    elements.pop_if(|last| is_number && last.kind == ElementKind::Number)?.text
}

/// Adds the times in comments to the plies before them.
fn note_clocks(elements: &mut [Element]) {
    let mut last = None;
    for at in 0..elements.len() {
        match elements[at].kind {
            ElementKind::Ply => last = Some(at),
            ElementKind::Comment => {
                let commands = std::mem::take(&mut elements[at].commands);
                if let Some(played) = last.and_then(|last: usize| elements[last].played.as_mut()) {
                    let mut clocks = played.clocks.unwrap_or_default();
                    commands.iter().for_each(|command| clocks.note(command));
                    played.clocks = (clocks != Clocks::default()).then_some(clocks);
                }
                elements[at].commands = commands;
            }
            _ => {}
        }
    }
}
