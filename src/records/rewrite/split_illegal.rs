//! Splits a record with illegal plies that were let stand into several records without them, for other PGN readers.

use crate::record::comment::LET_STAND;
use crate::record::{AsWritten, CommentKind, GameResult, Item, ItemKind, Record};
use crate::record::{WriteOptions, write_record};
use crate::replay::{Judging, Observer, Replayer, Report, Source};
use ferz_core::board::Mask;
use ferz_core::position::{Ply, Position};
use ferz_core::text::decode;
use ferz_core::text::{Budget, Exhausted, Span};
use memchr::memmem;

/// Splits a record after each illegal ply of its main line that was let stand. Each part except the last ends in a
/// comment with what was played and why it is illegal; the next one starts from the resulting position. The text of the
/// ply and its annotations are in that comment.
///
/// A variation with an illegal ply, let stand or not, becomes a comment: other readers lose what follows it. Returns
/// `None` if there is neither.
pub fn split_illegal(replayer: &mut Replayer<'_>, record: &Record<'_>) -> Option<String> {
    Budget::endless(|budget| split_illegal_within(replayer, record, budget))
}

/// [`split_illegal`] within a budget.
///
/// # Errors
/// If the budget ends before the work.
pub fn split_illegal_within(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    budget: &Budget,
) -> Result<Option<String>, Exhausted> {
    let Some((report, cuts)) = judged(replayer, record, budget)? else { return Ok(None) };
    let illegal = illegal_in_variations(&report);
    if illegal.is_empty() {
        return Ok((!cuts.is_empty()).then(|| parts(record, &report, &cuts)));
    }
    let mut text = record.source().to_vec();
    let items = with_variations_as_text(record, &illegal, &mut text);
    let readable = record.with_movetext(&text, items);
    let judged = judged(replayer, &readable, budget)?;
    Ok(judged.map(|(report, cuts)| parts(&readable, &report, &cuts)))
}

/// A report, and where to cut its record.
type Cut = (Report, Vec<(usize, String)>);

/// The report on a record, and where to cut it: the items of the plies of its main line that were let stand, and the
/// positions after them.
fn judged(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    budget: &Budget,
) -> Result<Option<Cut>, Exhausted> {
    let source = Source::new(record.source(), record.offset(), 0);
    let mut cuts = Cuts { in_main_line: vec![false; record.items.len()], after: Vec::new() };
    for (index, &item) in record.main_line().items() {
        cuts.in_main_line[index] = item.kind == ItemKind::Move;
    }
    let of = Judging { record, source: &source, number: 0, budget };
    let Ok(game) = replayer.game(record) else { return Ok(None) };
    let report = replayer.judge(&game, of, &mut cuts)?;
    Ok(Some((report, cuts.after)))
}

/// Where the illegal plies of all variations stand, in order.
fn illegal_in_variations(report: &Report) -> Vec<usize> {
    let plies = report.variations.iter().flat_map(Report::illegal_plies);
    let mut illegal: Vec<usize> = plies.map(|ply| ply.span[0]).collect();
    illegal.sort_unstable();
    illegal
}

/// The items of the record with each variation that has an `illegal` ply, at any depth, as a comment. In `text`, the
/// record's own, such a comment is rewritten by [`blank_out`].
fn with_variations_as_text(record: &Record<'_>, illegal: &[usize], text: &mut [u8]) -> Vec<Item> {
    let has_illegal = |span: Span| {
        let first = illegal.partition_point(|&at| at < span.start);
        illegal.get(first).is_some_and(|&at| at < span.end)
    };
    let mut items = Vec::with_capacity(record.items.len());
    for (index, &item) in record.main_line().items() {
        let ItemKind::VariationStart { end } = item.kind else {
            items.push(item);
            continue;
        };
        let whole = Item { len: record.items[end as usize].end() - item.start, ..item };
        if has_illegal(record.span(whole)) {
            items.push(Item { kind: ItemKind::Comment(CommentKind::Deep), ..whole });
            blank_out(&mut text[whole.start as usize..whole.end() as usize]);
        } else {
            // Each shortening by one item moves all items that follow.
            let shift = (index - items.len()) as u32;
            items.extend(record.items[index..=end as usize].iter().map(|item| item.moved_down(shift)));
        }
    }
    items
}

/// Turns movetext into the text of a comment: without braces, and without the command, which would become the
/// comment's.
fn blank_out(movetext: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = memmem::find(&movetext[at..], LET_STAND.as_bytes()) {
        movetext[at + found..][..LET_STAND.len()].fill(b' ');
        at += found + LET_STAND.len();
    }
    for byte in movetext.iter_mut().filter(|byte| matches!(byte, b'{' | b'}')) {
        *byte = b' ';
    }
}

/// Where to cut: the item of each ply, and the position after it.
struct Cuts {
    in_main_line: Vec<bool>,
    after: Vec<(usize, String)>,
}

impl<M: Mask> Observer<M> for Cuts {
    fn legal(&mut self, _: usize, _: &Position<M>, _: &Ply, _: u32) {}

    fn restart(&mut self) {
        self.after.clear();
    }

    fn let_stand(&mut self, index: usize, before: &Position<M>, ply: &Ply, _: u32) {
        if self.in_main_line[index] {
            let mut after = before.clone();
            after.apply_let_stand(ply);
            self.after.push((index, after.fen()));
        }
    }
}

fn parts(record: &Record<'_>, report: &Report, cuts: &[(usize, String)]) -> String {
    let mut out = String::new();
    let count = cuts.len() + 1;
    let mut from = 0;
    for part in 0..count {
        let number = format!("{}/{count}", part + 1);
        let last = part + 1 == count;
        let result = if last { None } else { Some(GameResult::Unknown) };
        let mut tags = if cuts.is_empty() { Vec::new() } else { vec![("Part", Some(number.as_str()))] };
        if let Some((_, fen)) = part.checked_sub(1).and_then(|before| cuts.get(before)) {
            tags.extend([("SetUp", Some("1")), ("FEN", Some(fen.as_str()))]);
        }
        if !last {
            tags.push(("Result", Some("*")));
            // Tags about the end are true of the last part only.
            tags.extend([("Termination", None), ("CurrentPosition", None)]);
        }
        let end = cuts.get(part).map_or(record.items.len(), |(index, _)| *index);
        let before = record.items[from..end].iter();
        let numbers = before.rev().take_while(|item| matches!(item.kind, ItemKind::MoveNumber(_))).count();
        let numbers = if last { 0 } else { numbers };
        let part_record = record.part(from..end - numbers);
        let plies = part_record.main_moves().count().to_string();
        if record.find_tag("PlyCount").is_some() {
            tags.push(("PlyCount", Some(&plies)));
        }
        let options = WriteOptions { tags: &tags, result, ..WriteOptions::default() };
        let mut text = String::new();
        // The whole record was written before; its losses were reported then.
        write_record(&part_record, &AsWritten, &options, &mut text);
        if let Some((index, _)) = cuts.get(part) {
            from = tail_end(record, *index);
            let comment = comment(record, report, part, *index..from);
            text = with_comment(&text, &comment);
        }
        out.push_str(&text);
    }
    out
}

/// The end of what belongs to a ply: annotations, comments and variations after it.
fn tail_end(record: &Record<'_>, index: usize) -> usize {
    let mut next = index + 1;
    while let Some(item) = record.items.get(next) {
        next = match item.kind {
            ItemKind::VariationStart { end } => end as usize + 1,
            ItemKind::Nag { .. } | ItemKind::Comment(_) => next + 1,
            _ => break,
        };
    }
    next
}

/// The text that replaces the ply: why it is illegal, and everything that followed it.
fn comment(record: &Record<'_>, report: &Report, part: usize, items: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    if let Some(illegal) = report.let_stand.get(part) {
        text = format!(
            "Here `{}` was played, which is illegal but was let stand: {} ({}). The next record continues from it.",
            illegal.text, illegal.reason, illegal.rule
        );
    }
    let following = &record.items[items.start + 1..items.end];
    let span = |item: &Item| record.full_span(*item);
    if let (Some(first), Some(last)) = (following.first(), following.last()) {
        let (start, end) = (span(first).start - record.offset(), span(last).end - record.offset());
        let mut annotated = record.source()[start..end].to_vec();
        blank_out(&mut annotated);
        let annotated = decode(&annotated).split_whitespace().collect::<Vec<_>>().join(" ");
        if !annotated.is_empty() {
            text.push_str(&format!(" It was annotated: {annotated}"));
        }
    }
    text
}

/// A written record with a comment before its result, in lines of fewer than 80 characters.
fn with_comment(text: &str, comment: &str) -> String {
    let moves = text.trim_end();
    let moves = moves.strip_suffix('*').unwrap_or(moves).trim_end();
    let mut out = moves.to_owned();
    let blank = if moves.ends_with(']') { "\n" } else { "" };
    out.push_str(blank);
    let mut line = String::from("{");
    for word in comment.replace('}', ")").split(' ') {
        if line.len() + word.len() >= 78 {
            out.push('\n');
            out.push_str(line.trim_end());
            line.clear();
        }
        line.push_str(word);
        line.push(' ');
    }
    out.push('\n');
    out.push_str(line.trim_end());
    out.push_str("} *\n\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;
    use crate::replay::tests::{record, replayer};

    #[test]
    fn the_parts_go_on_from_each_other() {
        let text = "[White \"Ann\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ a6 $4 {blind [%letstand]} \
                    (3... Kxf7) 4. Nf3 Kxf7 0-1\n";
        let mut replayer = replayer();
        let split = split_illegal(&mut replayer, &record(text)).unwrap();
        insta::assert_snapshot!(split.trim_end(), @r#"
        [Event "?"]
        [Site "?"]
        [Date "????.??.??"]
        [Round "?"]
        [White "Ann"]
        [Black "?"]
        [Result "*"]
        [Part "1/2"]

        1. e4 e5 2. Qh5 Nc6 3. Qxf7+
        {Here `a6` was played, which is illegal but was let stand: the move leaves
        the king on e8 in check (COM-1). The next record continues from it. It was
        annotated: $4 blind (3... Kxf7)} *

        [Event "?"]
        [Site "?"]
        [Date "????.??.??"]
        [Round "?"]
        [White "Ann"]
        [Black "?"]
        [Result "0-1"]
        [FEN "r1bqkbnr/1ppp1Qpp/p1n5/4p3/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 4"]
        [Part "2/2"]
        [SetUp "1"]

        4. Nf3 Kxf7 0-1
        "#);
        assert_eq!(read(split.as_bytes(), 0).count(), 2);
        let text = "1. e4 (1. d4 (1. d5) d5) (1. c4 c5) e5 (1... Ke4) (1... c5 (1... c6)) 2. Ke3 {[%letstand]} d6 \
                    (2... d5) 3. d4 (3. d5) (3. c4) *";
        let split = split_illegal(&mut replayer, &record(text)).unwrap();
        let moves: Vec<&str> =
            split.lines().filter(|line| !line.is_empty() && !line.starts_with('[')).collect();
        insta::assert_snapshot!(moves.join("\n"), @r"
        1. e4 {(1. d4 (1. d5) d5)} (1. c4 c5) 1... e5 {(1... Ke4)} (1... c5 (1... c6))
        {Here `Ke3` was played, which is illegal but was let stand: the king on e1
        does not go to e3 (FIDE 3.8). The next record continues from it.} *
        2... d6 (2... d5) 3. d4 {(3. d5)} (3. c4) *
        ");
        let text = "1. e4 (1. Ke4 {[%letstand] bold} e5 {[%letstand]}) e5 2. Ke3 {[%letstand]} d6 *";
        let split = split_illegal(&mut replayer, &record(text)).unwrap();
        assert!(split.contains("1. e4 {(1. Ke4 bold e5 )} 1... e5\n"), "{split}");
        for part in read(split.as_bytes(), 0) {
            let source = Source::new(part.source(), part.offset(), 0);
            assert_eq!(replayer.report(&part, &source, 0).diagnostics, []);
        }
        let text = "[PlyCount \"3\"]\n\n1. e4 e5 (1... Ke5 2. d4) 2. Nf3 *";
        let split = split_illegal(&mut replayer, &record(text)).unwrap();
        assert!(split.contains("\n\n1. e4 e5 {(1... Ke5 2. d4)} 2. Nf3 *\n"), "{split}");
        assert!(split.contains("[PlyCount \"3\"]\n") && !split.contains("[Part"), "{split}");
        assert_eq!(split_illegal(&mut replayer, &record("1. e4 e5 *")), None);
    }

    #[test]
    fn no_part_has_tags_that_are_true_of_another() {
        let text = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n[TimeControl \"3/60:3600\"]\n\
                    [Termination \"Bob won by resignation\"]\n\
                    [CurrentPosition \"r1bqkbnr/1ppp1ppp/p1n5/4p3/4P3/4KN2/PPPP1PPP/RNBQ1B1R w kq -\"]\n\n\
                    1. e4 e5 2. Ke3 {[%letstand]} Nc6 3. Nf3 {[%clk 1:00:05]} a6 0-1\n";
        let mut replayer = replayer();
        let split = split_illegal(&mut replayer, &record(text)).unwrap();
        let parts: Vec<_> = read(split.as_bytes(), 0).collect();
        for name in ["Termination", "CurrentPosition"] {
            let has: Vec<bool> = parts.iter().map(|part| part.find_tag(name).is_some()).collect();
            assert_eq!(has, [false, true], "{split}");
        }
        for part in parts {
            let source = Source::new(part.source(), part.offset(), 0);
            assert_eq!(replayer.report(&part, &source, 0).diagnostics, [], "{split}");
        }
    }
}
