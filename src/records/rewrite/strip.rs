//! Takes out of a record what it has besides its plies: comments, clocks, variations, annotations, tags.

use crate::record::comment::{Command, CommandKind, Segment, is_deployment_end, parts as segments};
use crate::record::{CommentKind, Item, ItemKind, Record, in_roster};
use ferz_core::text::{Edit, Span};

/// What can be taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Comments at every depth, with their clocks and other commands. What bears on the rules stays: a ply that was let
    /// stand, a count or a declaration, the words that end a deployment.
    Comments,
    /// Clocks and evaluations inside comments; the words stay.
    Clocks,
    /// Variations, with all inside them.
    Variations,
    /// Annotations: `!`, `$1`, `±`.
    Nags,
    /// Tags other than the seven of the standard and those that the rules of the game read.
    Tags,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 5] = [Part::Comments, Part::Clocks, Part::Variations, Part::Nags, Part::Tags];

    /// The name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Comments => "comments",
            Part::Clocks => "clocks",
            Part::Variations => "variations",
            Part::Nags => "nags",
            Part::Tags => "tags",
        }
    }
}

/// The edits that take the parts out of a record, in order, with spans in the whole input
/// ([`edited`](ferz_core::text::edited)); every other byte stays. `is_read` tells whether the rules of the game read a
/// tag.
///
/// ```
/// use ferz_core::text::edited;
/// use ferz_records::record::read;
/// use ferz_records::rewrite::{Part, strip};
///
/// let text = b"1. e4! {best by test} (1. d4 d5) 1... e5 {[%clk 0:01:00] slow} 2. Nf3 *";
/// let record = read(text, 0).next().ok_or("no record")?;
/// let stripped = |parts: &[Part]| edited(text, 0, &strip(&record, parts, |_| false));
/// assert_eq!(stripped(&[Part::Comments, Part::Variations, Part::Nags]), b"1. e4 e5 2. Nf3 *");
/// assert_eq!(stripped(&[Part::Clocks, Part::Variations]), b"1. e4! {best by test} 1... e5 {slow} 2. Nf3 *");
/// # Ok::<(), &str>(())
/// ```
pub fn strip(record: &Record<'_>, parts: &[Part], is_read: impl Fn(&str) -> bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    if parts.contains(&Part::Tags) {
        let other = record.tags.iter().filter(|tag| {
            let name = record.tag_name(tag);
            !in_roster(&name) && !is_read(&name)
        });
        edits.extend(other.map(|tag| Edit::new(whole_lines(record, record.tag_full_span(tag)), "")));
    }
    let mut movetext = Movetext { record, parts, edits, taken: false, after_ply: false };
    movetext.take_out();
    movetext.edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    movetext.edits
}

/// The movetext while parts are taken out of it.
struct Movetext<'r, 'a, 'p> {
    record: &'r Record<'a>,
    parts: &'p [Part],
    edits: Vec<Edit>,
    /// Something was taken out after the last ply.
    taken: bool,
    /// A ply of the same line comes before, and nothing but what was taken out is between.
    after_ply: bool,
}

impl Movetext<'_, '_, '_> {
    fn takes(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    fn take_out(&mut self) {
        let mut next = 0;
        while let Some(item) = self.record.items.get(next).copied() {
            next += 1;
            match item.kind {
                ItemKind::VariationStart { end } if self.takes(Part::Variations) => {
                    let closing = self.record.items.get(end as usize).map_or(item, |item| *item);
                    let whole =
                        Span::new(self.record.full_span(item).start, self.record.full_span(closing).end);
                    self.take(whole);
                    next = end as usize + 1;
                }
                ItemKind::Comment(CommentKind::Deep) if self.takes(Part::Variations) => {
                    self.take(self.record.full_span(item));
                }
                ItemKind::Comment(kind) => self.comment(item, kind),
                ItemKind::Nag { .. } if self.takes(Part::Nags) => self.take(self.record.full_span(item)),
                ItemKind::Nag { .. } => {}
                // The number that was repeated after a comment or a variation.
                ItemKind::MoveNumber(number) if number.dots > 1 && !number.interjection => {
                    if self.taken && self.after_ply {
                        self.take(self.record.full_span(item));
                    }
                    self.after_ply = false;
                }
                kind => {
                    (self.taken, self.after_ply) = (false, kind == ItemKind::Move);
                }
            }
        }
    }

    fn comment(&mut self, item: Item, kind: CommentKind) {
        let text = self.record.text(item);
        let bears_on_rules = !self.record.calls(item).is_empty()
            || is_deployment_end(&text)
            || segments(&text).any(|segment| is_command(&segment, |kind| *kind == CommandKind::LetStand));
        if !self.takes(Part::Comments) {
            if self.takes(Part::Clocks) {
                self.clocks(item, &text);
            }
            self.after_ply &=
                self.edits.last().is_some_and(|edit| edit.span.end >= self.record.span(item).end);
        } else if bears_on_rules || kind == CommentKind::Remark {
            self.after_ply = false;
        } else {
            self.take(self.record.full_span(item));
        }
    }

    /// Takes the clocks and evaluations out of a comment, and the comment itself if it has nothing else.
    fn clocks(&mut self, item: Item, text: &str) {
        let is_clock = |segment: &Segment<'_>| {
            is_command(segment, |kind| {
                matches!(
                    kind,
                    CommandKind::Clock(_)
                        | CommandKind::Elapsed(_)
                        | CommandKind::ElapsedGame(_)
                        | CommandKind::Mechanical(_)
                        | CommandKind::Eval(_)
                )
            })
        };
        let has_clocks = segments(text).any(|segment| is_clock(&segment));
        // The places in a comment are those of its bytes only in UTF-8.
        if !has_clocks || !self.record.is_utf8() {
            return;
        }
        let left: String = segments(text)
            .filter(|segment| !is_clock(segment))
            .map(|segment| match segment {
                Segment::Text(text) => text,
                Segment::Command(command) => command.raw,
            })
            .collect();
        match left.trim() {
            "" => self.take(self.record.full_span(item)),
            left => self.edits.push(Edit::new(self.record.span(item), left)),
        }
    }

    /// Takes a span out, with the blanks that would stay on both its sides.
    fn take(&mut self, span: Span) {
        self.taken = true;
        let mut span = whole_lines(self.record, span);
        let (start, end) = (span.start - self.record.offset(), span.end - self.record.offset());
        let (before, after) = (&self.record.source()[..start], &self.record.source()[end..]);
        let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        if is_blank(after.first()) || after.first() == Some(&b')') {
            // What was taken out directly before has no blanks left to take.
            let free = self.edits.last().map_or(0, |edit| edit.span.end.saturating_sub(self.record.offset()));
            let blanks =
                before[free.min(start)..].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t'));
            span.start -= blanks.count();
            // At the beginning of a line nothing stays before what follows.
            if before.last().is_none_or(|byte| *byte == b'\n') {
                span.end += after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            }
            // The blank that kept apart what was on both sides of the part before is here.
            if let Some(joined) = self.edits.last_mut().filter(|edit| edit.span.end == span.start) {
                joined.with.clear();
            }
            self.edits.push(Edit::new(span, ""));
        } else {
            let joins = !is_blank(before.last()) && before.last() != Some(&b'(');
            self.edits.push(Edit::new(span, if joins { " " } else { "" }));
        }
    }
}

fn is_command(segment: &Segment<'_>, is: impl Fn(&CommandKind) -> bool) -> bool {
    matches!(segment, Segment::Command(Command { kind, .. }) if is(kind))
}

/// A span with the line end after it, if nothing else is on its lines.
fn whole_lines(record: &Record<'_>, span: Span) -> Span {
    let (start, end) = (span.start - record.offset(), span.end - record.offset());
    let (before, after) = (&record.source()[..start], &record.source()[end..]);
    let whole = before.last().is_none_or(|byte| *byte == b'\n');
    let line_end = match after {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    };
    Span::new(span.start, span.end + if whole { line_end } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;
    use ferz_core::text::edited;

    fn stripped(text: &str, parts: &[Part]) -> String {
        let record = read(text.as_bytes(), 0).next().expect("a record");
        let edits = strip(&record, parts, |name| name == "Variant");
        String::from_utf8(edited(text.as_bytes(), 0, &edits)).expect("text")
    }

    #[test]
    fn what_the_rules_need_stays() {
        let text = "[Event \"E\"]\n[Variant \"makruk\"]\n[WhiteElo \"2000\"]\n\n1. e4 {[%count start] good} e5 \
            {[%letstand]} 2. d4 {end of deployment phase} *";
        assert_eq!(stripped(text, &[Part::Comments]), text);
        let tags = stripped(text, &[Part::Tags]);
        assert!(tags.starts_with("[Event \"E\"]\n[Variant \"makruk\"]\n\n1. e4"), "{tags}");
    }

    #[test]
    fn blanks_lines_and_numbers_go_with_it() {
        let all = [Part::Comments, Part::Variations, Part::Nags];
        let cases = [
            ("1. e4 {a} {b} $1 (1. d4) 1... e5 *", "1. e4 e5 *"),
            ("1. e4{a}e5 2. Nf3(2. d4)2... d6 *", "1. e4 e5 2. Nf3 d6 *"),
            ("{first} 1. e4 *", "1. e4 *"),
            ("1. e4 ; a line\n% an escape\ne5 *", "1. e4\ne5 *"),
            ("1. e4!? e5?? *", "1. e4 e5 *"),
            ("1. e4 e5 {x} *", "1. e4 e5 *"),
            ("1. e4 (1. d4 (1. c4 {deep} c5) 1... d5) e5 *", "1. e4 e5 *"),
        ];
        for (text, expected) in cases {
            assert_eq!(stripped(text, &all), expected, "{text}");
        }
        let clocks =
            "1. e4 {[%clk 0:01:00]} 1... e5 {[%eval 0.3] so [%csl Ra1]} 2. d4 (2. f4 {[%emt 0:00:01]}) *";
        assert_eq!(stripped(clocks, &[Part::Clocks]), "1. e4 e5 {so [%csl Ra1]} 2. d4 (2. f4) *");
        assert_eq!(
            stripped("1. e4 (1. d4 {x} 1... d5 $1) e5 *", &[Part::Nags]),
            "1. e4 (1. d4 {x} 1... d5) e5 *"
        );
    }
}
