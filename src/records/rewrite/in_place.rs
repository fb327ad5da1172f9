//! Conversion that keeps the layout: only the moves change, every other byte stays.

use super::convert::{
    ConvertOptions, Loss, UNITS_WRITTEN, inexpressible, kept, lacks_letter, written, written_let_stand,
};
use crate::record::comment::LET_STAND;
use crate::record::{Item, ItemKind, Record};
use crate::replay::{Judging, Located, Observer, Replayer, Report, Source, codes, is_marked_let_stand};
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::courier;
use ferz_core::notation::{Alphabet, Habits, Letters, Shape, Style, read, resolve};
use ferz_core::position::{Ply, Position};
use ferz_core::text::{Budget, Diagnostic, Edit, Exhausted, Severity, Span};
use std::sync::Arc;

/// The changes that put a record's moves in another style.
#[derive(Debug, Clone)]
pub struct Rewritten {
    /// The changes in the order of the input, with spans in bytes of the whole input. See
    /// [`edited`](ferz_core::text::edited).
    pub edits: Vec<Edit>,
    /// What was lost or could not be expressed, with its place in the input.
    pub losses: Vec<Located>,
    /// The number of losses beyond the limit of the list; all of them are warnings.
    pub left_out: usize,
    /// The report on the record.
    pub report: Report,
}

/// Converts the moves of a record in place. Tags, comments, numbers, white space, line ends and encoding stay byte for
/// byte, and so does every move that is in the style already.
///
/// A turn of Nature is marked by its number or, in coordinates, by `~`; converting between the two adds or removes the
/// number `∞1.....`. A number in another form (`oo1.....`, `∞1.`) stays.
pub fn convert_in_place(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
    options: &ConvertOptions,
) -> Rewritten {
    Budget::endless(|budget| convert_in_place_within(replayer, record, source, number, options, budget))
}

/// [`convert_in_place`] within a budget.
///
/// # Errors
/// If the budget ends before the work.
pub fn convert_in_place_within(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
    options: &ConvertOptions,
    budget: &Budget,
) -> Result<Rewritten, Exhausted> {
    let of = Judging { record, source, number, budget };
    let game = match replayer.game_or_report(of) {
        Ok(game) => game,
        Err(report) => return Ok(finish(record, source, Vec::new(), (Vec::new(), 0), *report)),
    };
    let language = options.language.as_ref().filter(|_| options.to.has_letters());
    let alphabet = language.map(|language| replayer.alphabet(&game, language));
    let edit = |alphabet| {
        let (edits, lost, lacking) = (Vec::new(), Vec::new(), None);
        let letters = game.letters();
        let mut editor = Editor { record, letters, options, alphabet, edits, lost, lacking };
        let report = replayer.judge(&game, of, &mut editor)?;
        Ok((editor, report))
    };
    let (mut editor, report) = edit(alphabet.clone())?;
    let mut lacks = None;
    // If a piece has no letter in the language, no ply uses the language's letters: they are never mixed in a game.
    if let (Some(lacking), Some(alphabet)) = (editor.lacking.take(), alphabet) {
        editor = edit(None)?.0;
        lacks = Some(source.place(lacks_letter(record, &alphabet, lacking), None));
    }
    let (mut losses, left_out) = inexpressible(of, options, game.definition(), editor.lost);
    losses.extend(lacks);
    Ok(finish(record, source, editor.edits, (losses, left_out), report))
}

fn finish(
    record: &Record<'_>,
    source: &Source<'_>,
    mut edits: Vec<Edit>,
    (mut losses, left_out): (Vec<Located>, usize),
    report: Report,
) -> Rewritten {
    losses.extend(kept(record, source, &report));
    if let Some(edit) = edits.iter().find(|edit| !source.has_same_text(record, edit.span)) {
        let message = "the file has its moves in a form of its own, which no layout keeps; its text is unchanged; \
                       convert it without keeping the layout";
        let diagnostic = Diagnostic::new(codes::N_KEPT_VERBATIM, Severity::Error, edit.span, message);
        losses.push(source.place(diagnostic, None));
        edits.clear();
    }
    losses.sort_by_key(|loss| loss.span);
    // Variations are replayed on the way, so the edits are nearly in order.
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits.iter_mut().for_each(|edit| keep_apart(record, edit));
    Rewritten { edits, losses, left_out, report }
}

/// Inserts a space where a text would merge with its neighbours into another token: digits after those of an
/// annotation, a semicolon or a letter in parentheses that would belong to the move.
fn keep_apart(record: &Record<'_>, edit: &mut Edit) {
    let (before, after) = record.source().split_at(edit.span.start - record.offset());
    let after = &after[edit.span.len()..];
    let of_annotation = before.last().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'$');
    if of_annotation && edit.with.first().is_some_and(u8::is_ascii_digit) {
        edit.with.insert(0, b' ');
    }
    let promotion = matches!(after, [b'(', b'=', _, b')', ..] | [b'(', _, b')', ..]);
    let joins = after.first() == Some(&b';') && edit.with.contains(&b'-');
    if joins || promotion && edit.with.last().is_some_and(u8::is_ascii_alphanumeric) {
        edit.with.push(b' ');
    }
}

/// Collects the change for each legal ply.
struct Editor<'a> {
    record: &'a Record<'a>,
    letters: &'a Letters,
    options: &'a ConvertOptions,
    /// The letters to write, if not the game's own.
    alphabet: Option<Arc<Alphabet>>,
    edits: Vec<Edit>,
    lost: Vec<(usize, Loss)>,
    /// The first ply with a piece that has no letter, and the game's own letter for it.
    lacking: Option<(usize, char)>,
}

impl<M: Mask> Observer<M> for Editor<'_> {
    // Written, and often read again.
    const UNITS: u64 = 2 * UNITS_WRITTEN;

    fn legal(&mut self, index: usize, before: &Position<M>, ply: &Ply, interjection: u32) {
        let item = self.record.items[index];
        let (text, lost) = written(before, ply, self.options);
        let text = match &self.alphabet {
            None => text,
            Some(alphabet) => alphabet.to_national(&text).unwrap_or_else(|letter| {
                self.lacking.get_or_insert((index, letter));
                text
            }),
        };
        if let Some(loss) = lost {
            self.lost.push((index, loss));
        } else if self.is_of_the_style(before, ply, item, &text) {
            return;
        }
        match ply.actor {
            Owner::Nature => self.natures(index, &text, self.options.to, interjection),
            _ => self.replace(item, &text),
        }
    }

    fn let_stand(&mut self, index: usize, before: &Position<M>, ply: &Ply, interjection: u32) {
        self.let_stand_as(index, before, ply, interjection);
    }

    fn restart(&mut self) {
        self.edits.clear();
        self.lost.clear();
        self.lacking = None;
    }
}

impl Editor<'_> {
    /// Writes an illegal ply that was let stand as [`convert`](super::convert) does, with its mark.
    fn let_stand_as<M: Mask>(&mut self, index: usize, before: &Position<M>, ply: &Ply, interjection: u32) {
        let item = self.record.items[index];
        let (written, loss) = written_let_stand(self.letters, before, ply, self.options);
        self.lost.extend(loss.map(|loss| (index, loss)));
        let Some((text, style)) = written else { return };
        let marked = is_marked_let_stand(self.record, index);
        let text = if marked { text } else { format!("{text} {{{}}}", LET_STAND) };
        match ply.actor {
            Owner::Nature => self.natures(index, &text, style, interjection),
            _ => self.replace(item, &text),
        }
    }

    fn replace(&mut self, item: Item, text: &str) {
        if self.record.bytes(item) != text.as_bytes() {
            self.edits.push(Edit::new(self.record.span(item), text));
        }
    }

    /// True if the ply needs no change although the style would write it differently (`Ngf3`, a missing `+`): it has
    /// the style's form and reads as the same ply.
    fn is_of_the_style<M: Mask>(&self, before: &Position<M>, ply: &Ply, item: Item, text: &str) -> bool {
        let token = self.record.bytes(item);
        if self.options.to.is_coordinates() || token == text.as_bytes() {
            return token == text.as_bytes();
        }
        // No style writes one ply as several words.
        if courier::is_joined(token) {
            return false;
        }
        let natures = ply.actor == Owner::Nature;
        let form = |token: &[u8]| {
            let text = read(self.letters, before.turn(), natures, token).ok()?;
            // Two squares, of a pawn or Nature, occur in coordinates too, but in another form.
            let same = text.shape != Shape::Squares
                && resolve(before, &text).is_ok_and(|resolved| resolved.ply == *ply);
            let signs: Vec<u8> = token.iter().copied().filter(|byte| b"&@/^*~".contains(byte)).collect();
            // The bare form of a drop is the same in coordinates, which have no marks.
            let mark = (text.shape == Shape::Drop).then_some(text.mark);
            same.then(|| (text.habits.without(Habits::ODD_CASTLING), signs, mark, token.is_ascii()))
        };
        form(token).is_some_and(|found| Some(found) == form(text.as_bytes()))
    }

    /// A ply of Nature, the `number`th, with its text in `style`.
    fn natures(&mut self, index: usize, text: &str, style: Style, number: u32) {
        let item = self.record.items[index];
        let sign = if self.options.ascii { "oo" } else { "\u{221e}" };
        let usual = format!("{sign}{number}.....");
        let label = self.label(index);
        let is_usual =
            |label: Item| self.record.bytes(label) == usual.as_bytes() && label.end() == item.start;
        let marked = self.record.bytes(item).starts_with(b"~");
        match (style.is_coordinates(), label) {
            (true, Some(label)) if !marked && is_usual(label) => {
                let span = Span::new(self.record.span(label).start, self.record.span(item).end);
                self.edits.push(Edit::new(span, text));
            }
            (false, None) => self.replace(item, &(usual + text)),
            // A number before `~` was written on purpose.
            (false, Some(label)) if marked && is_usual(label) => self.replace(item, &format!("~{text}")),
            _ => self.replace(item, text),
        }
    }

    /// The number of an in-between turn before a ply.
    fn label(&self, index: usize) -> Option<Item> {
        let mut at = index;
        while let Some(before) = at.checked_sub(1) {
            let item = self.record.items[before];
            at = match item.kind {
                ItemKind::MoveNumber(number) => return number.interjection.then_some(item),
                ItemKind::Move | ItemKind::VariationStart { .. } => return None,
                ItemKind::VariationEnd { start } => start as usize,
                _ => before,
            };
        }
        None
    }
}
