//! What an editor asks about records: the board at a place, the plies that may follow, outline and folds, other styles.

use super::lines::Text;
use ferz::diagram::text::{Pieces, board, facts};
use ferz::interchange::Wrapped;
use ferz::notation::{Style, write_alone};
use ferz::record::{CommentKind, Item, ItemKind, Record};
use ferz::replay::{AnyTrace, Replayer, Source, trace};
use ferz::rewrite::{ConvertOptions, convert};
use ferz::text::Span;
use ferz::{Desk, record, with_trace};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, DocumentSymbol, FoldingRange, FoldingRangeKind,
    SymbolKind, TextEdit,
};

/// The records of a text.
#[derive(Debug)]
pub struct Records<'t> {
    text: &'t Text,
    all: Vec<Record<'t>>,
}

/// A line of play up to a place, replayed.
struct Reached {
    traced: AnyTrace,
    /// The plies that were to be replayed.
    plies: usize,
}

impl<'t> Records<'t> {
    /// The records of a text; `None` if they are wrapped in something else.
    pub fn new(text: &'t Text) -> Option<Records<'t>> {
        let bytes = text.as_str().as_bytes();
        let is_plain = !record::is_json(bytes) && Wrapped::new(bytes, 0).is_plain();
        is_plain.then(|| Records { text, all: record::read(bytes, 0).collect() })
    }

    /// The record at a byte.
    fn at(&self, byte: usize) -> Option<&Record<'t>> {
        let after = self.all.partition_point(|record| record.span_of_source().start <= byte);
        self.all.get(after.checked_sub(1)?)
    }

    /// The item at a byte.
    fn item(record: &Record<'_>, byte: usize) -> Option<Item> {
        let covers = |item: &&Item| {
            let span = record.span(**item);
            span.start <= byte && byte <= span.end && item.kind == ItemKind::Move
        };
        record.items.iter().find(covers).copied()
    }

    /// What to show for the ply at a byte: the board after it, or why it is illegal; and the range of the ply.
    pub fn hover(&self, desk: &Desk, byte: usize) -> Option<(String, Span)> {
        let record = self.at(byte)?;
        let item = Self::item(record, byte)?;
        let span = record.span(item);
        let reached = reach(desk, record, span.end)?;
        let shown = with_trace!(&reached.traced, |trace| {
            let position = trace.position(trace.plies.len());
            let drawn = format!("```text\n{}\n{}\n```", board(&position, Pieces::Letters), facts(&position));
            let illegal = trace.report.illegal.as_deref();
            match illegal {
                Some(illegal) if trace.plies.len() < reached.plies => {
                    let near = illegal.candidates.join(", ");
                    let (text, reason, rule) = (&illegal.text, &illegal.reason, &illegal.rule);
                    let why =
                        format!("**{text}** is illegal: {reason}  \nrule: {rule}  \nnearest legal: {near}");
                    format!("{why}\n\nthe position before it:\n\n{drawn}")
                }
                _ => {
                    let last = trace.moves().last().flatten();
                    let ply = record.text(item);
                    let which = last.map_or_else(
                        || "Nature".to_owned(),
                        |(number, player)| format!("move {number}, {player}"),
                    );
                    let game = &trace.report.variant;
                    let end = trace.report.end.map_or_else(String::new, |end| {
                        format!("  \n{} by {}", end.outcome.as_str(), end.reason.id())
                    });
                    format!("**{ply}** ({game}, {which}){end}\n\n{drawn}")
                }
            }
        });
        Some((shown, span))
    }

    /// The legal plies where a text is being written, in the style of the record.
    pub fn completions(&self, desk: &Desk, byte: usize) -> Vec<CompletionItem> {
        let Some(record) = self.at(byte) else { return Vec::new() };
        let bytes = self.text.as_str().as_bytes();
        let word =
            bytes[..byte].iter().rposition(|byte| byte.is_ascii_whitespace() || b".({)}".contains(byte));
        let start = word.map_or(0, |at| at + 1);
        let in_comment = record.items.iter().any(|item| {
            let span = record.full_span(*item);
            matches!(item.kind, ItemKind::Comment(_)) && span.start < byte && byte < span.end
        });
        let in_tags = record.tags.iter().any(|tag| record.tag_full_span(tag).end > byte);
        if in_comment || in_tags {
            return Vec::new();
        }
        let Some(reached) = reach(desk, record, start) else { return Vec::new() };
        let range = self.text.range(Span::new(start, byte));
        with_trace!(&reached.traced, |trace| {
            if trace.plies.len() < reached.plies {
                return Vec::new();
            }
            let position = trace.position(trace.plies.len());
            let style = if trace.plies.is_empty() { Style::San } else { trace.report.style };
            let item = |ply: &ferz::Ply| {
                let text = write_alone(&position, ply, style);
                CompletionItem {
                    label: text.clone(),
                    kind: Some(CompletionItemKind::VALUE),
                    text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, text))),
                    ..CompletionItem::default()
                }
            };
            position.plies().iter().map(item).collect()
        })
    }

    /// The games, by their players.
    pub fn symbols(&self) -> Vec<DocumentSymbol> {
        let name = |record: &Record<'_>, tag: &str| {
            record.tag(tag).filter(|name| !name.is_empty()).map(String::from)
        };
        let symbol = |(number, record): (usize, &Record<'_>)| {
            let players = ["White", "Black"].map(|tag| name(record, tag).unwrap_or_else(|| "?".to_owned()));
            let result = record.stated_result().map_or("*", |result| result.as_str());
            let range = self.text.range(record.span_of_source());
            #[allow(deprecated)] // the field has no other way to be left out
            DocumentSymbol {
                name: format!("{}. {} – {} {result}", number + 1, players[0], players[1]),
                detail: name(record, "Variant").or_else(|| name(record, "Event")),
                kind: SymbolKind::EVENT,
                tags: None,
                deprecated: None,
                range,
                selection_range: range,
                children: None,
            }
        };
        self.all.iter().enumerate().map(symbol).collect()
    }

    /// What can be folded: the tags of a record, its variations and its comments over several lines.
    pub fn folds(&self) -> Vec<FoldingRange> {
        let mut folds = Vec::new();
        let mut fold = |span: Span, kind: FoldingRangeKind| {
            let range = self.text.range(span);
            if range.start.line < range.end.line {
                folds.push(FoldingRange {
                    start_line: range.start.line,
                    start_character: Some(range.start.character),
                    end_line: range.end.line,
                    end_character: Some(range.end.character),
                    kind: Some(kind),
                    collapsed_text: None,
                });
            }
        };
        for record in &self.all {
            if let (Some(first), Some(last)) = (record.tags.first(), record.tags.last()) {
                let span = Span::new(record.tag_full_span(first).start, record.tag_full_span(last).end);
                fold(span, FoldingRangeKind::Region);
            }
            for item in &record.items {
                match item.kind {
                    ItemKind::VariationStart { end } => {
                        let Some(end) = record.items.get(end as usize) else { continue };
                        let span = Span::new(record.full_span(*item).start, record.full_span(*end).end);
                        fold(span, FoldingRangeKind::Region);
                    }
                    ItemKind::Comment(CommentKind::Brace) => {
                        fold(record.full_span(*item), FoldingRangeKind::Comment)
                    }
                    _ => {}
                }
            }
        }
        folds
    }

    /// The record at a byte in a style, with its span; `None` if something would be lost, or nothing would change.
    pub fn converted(&self, desk: &Desk, byte: usize, style: Style) -> Option<(String, Span)> {
        rewritten(&mut desk.replayer(), self.at(byte)?, Some(style))
    }

    /// Each record in the export format, in its own style, with its span. A record that would lose anything stays as it
    /// is.
    pub fn formatted(&self, desk: &Desk) -> Vec<(String, Span)> {
        let mut replayer = desk.replayer();
        self.all.iter().filter_map(|record| rewritten(&mut replayer, record, None)).collect()
    }
}

/// A record in a style, or in its own; `None` if something would be lost, or nothing would change.
fn rewritten(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    style: Option<Style>,
) -> Option<(String, Span)> {
    let source = Source::new(record.source(), record.offset(), 0);
    let style = style.unwrap_or_else(|| replayer.report(record, &source, 0).style);
    let done = convert(replayer, record, &source, 0, &ConvertOptions::new(style));
    let written = done.text.trim_end();
    let now = record.source().trim_ascii_end();
    let changes = written.as_bytes() != now;
    (changes && done.losses_in_all() == 0 && done.errors().is_empty())
        .then(|| (written.to_owned(), Span::new(0, now.len()).shifted(record.offset())))
}

/// Replays the plies that lead to a byte, along the variation that it is in.
fn reach(desk: &Desk, record: &Record<'_>, byte: usize) -> Option<Reached> {
    let (mut line, mut outer): (Vec<Item>, Vec<Vec<Item>>) = (Vec::new(), Vec::new());
    for item in record.items.iter().take_while(|item| record.span(**item).end <= byte) {
        match item.kind {
            ItemKind::Move | ItemKind::MoveNumber(_) => line.push(*item),
            ItemKind::VariationStart { .. } => {
                outer.push(line.clone());
                // A variation replaces the last ply.
                let last = line.iter().rposition(|item| item.kind == ItemKind::Move).unwrap_or(0);
                line.truncate(last);
                while line.last().is_some_and(|item| item.kind != ItemKind::Move) {
                    line.pop();
                }
            }
            ItemKind::VariationEnd { .. } => line = outer.pop().unwrap_or_default(),
            _ => {}
        }
    }
    let mut text = String::new();
    let source = record.source();
    for tag in record.tags.iter().filter(|tag| record.tag_name(tag) != "Result") {
        let span = record.tag_full_span(tag);
        let bytes = &source[span.start - record.offset()..span.end - record.offset()];
        text += &String::from_utf8_lossy(bytes);
        text.push('\n');
    }
    text.push('\n');
    for item in &line {
        text += &record.text(*item);
        text.push(' ');
    }
    text.push('*');
    let plies = line.iter().filter(|item| item.kind == ItemKind::Move).count();
    let line = record::read(text.as_bytes(), 0).next()?;
    let traced = trace(&mut desk.replayer(), &line, &Source::new(text.as_bytes(), 0, 0), 0).ok()?;
    Some(Reached { traced, plies })
}
