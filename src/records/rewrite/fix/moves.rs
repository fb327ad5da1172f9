//! Repairs of moves and their numbers.

use super::table::{self, Repair};
use super::{Bench, Edits};
use crate::record::{Item, ItemKind, Record, Seat};
use crate::replay::{Judging, Observer, Replayer, Report, Source, Traced, codes};
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::{Alphabet, CheckMark, Style, WriteChoices, mark_of, unmarked, write};
use ferz_core::position::{Ply, Position, Verb};
use ferz_core::text::{Budget, Code, Edit, Exhausted, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// The facts about a legal ply.
struct Known {
    /// Its text in the record's style and letters, with its mark; `None` if they cannot express it.
    text: Option<String>,
    /// Its correct mark.
    mark: CheckMark,
    /// Name of the target square; for castling its text.
    target: String,
    castles: bool,
    captures: bool,
    /// Letter of the captured piece.
    captured: Option<char>,
    whites: bool,
}

/// The legal plies of a record, by item.
pub(super) struct Plies {
    known: HashMap<usize, Known>,
    style: Style,
    /// The letters of another language than the game's own.
    alphabet: Option<Arc<Alphabet>>,
}

impl Plies {
    /// Replays a record in the style and language of its report.
    pub(super) fn of(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        report: &Report,
        budget: &Budget,
    ) -> Result<Plies, Exhausted> {
        let of = Judging { record, source, number: 0, budget };
        let mut plies = Plies { known: HashMap::new(), style: report.style, alphabet: None };
        if let Ok(game) = replayer.game(record) {
            plies.alphabet = report.language.as_deref().and_then(|code| replayer.alphabet_of(&game, code));
            replayer.judge(&game, of, &mut plies)?;
        }
        Ok(plies)
    }

    /// A ply in the record's style.
    fn written<M: Mask>(&self, before: &Position<M>, ply: &Ply) -> Option<String> {
        let text = write(before, ply, self.style, WriteChoices::default()).ok()?;
        match self.alphabet.as_ref().filter(|_| self.style.has_letters()) {
            Some(alphabet) => alphabet.to_national(&text).ok(),
            None => Some(text),
        }
    }
}

impl<M: Mask> Observer<M> for Plies {
    const UNITS: u64 = 8;

    fn legal(&mut self, index: usize, before: &Position<M>, ply: &Ply, interjection: u32) {
        let rules = before.rules();
        let victim = match ply.verb {
            Verb::Castle | Verb::Switch | Verb::Pass => None,
            Verb::EnPassant => before.piece(ply.other),
            Verb::Move | Verb::Drop => before.piece(ply.to),
        };
        let castles = ply.verb == Verb::Castle;
        let target = match castles {
            true => (if ply.other > ply.from { "O-O" } else { "O-O-O" }).to_owned(),
            false => rules.board().name(ply.to),
        };
        let natures = ply.actor == Owner::Nature;
        // After an illegal ply that was let stand the waiting player may be in check.
        let mut after = before.clone();
        Traced { item: index, ply: *ply, interjection, let_stand: false }.apply(&mut after);
        let mark = mark_of(&after, natures.then(|| before.checkers()), true);
        let text = self.written(before, ply);
        self.known.insert(
            index,
            Known {
                text,
                mark,
                target,
                castles,
                captures: victim.is_some(),
                captured: victim.map(|piece| char::from(rules.kind(piece.kind).label[ply.actor].letter)),
                whites: before.status().turn == Owner::White,
            },
        );
    }

    fn restart(&mut self) {
        self.known.clear();
    }
}

/// The repairs of a move's text, in order of application.
const OF_TEXTS: [&Repair; 9] = [
    &table::SPELLINGS,
    &table::STYLES,
    &table::ORIGINS,
    &table::CASTLING,
    &table::PIECE_LETTERS,
    &table::CAPTURE_SIGNS,
    &table::CAPTURED_LETTERS,
    &table::PROMOTIONS,
    &table::CHECK_MARKS,
];

impl Bench<'_, '_> {
    pub(super) fn in_the_moves(&self) -> Edits {
        let mut found = Edits::new();
        let places: Vec<_> = OF_TEXTS.iter().map(|repair| (*repair, self.places_by_start(repair))).collect();
        let numbers = self.right_numbers();
        // The first one in a game is reported for all.
        let dots_are_reported = !self.places(&table::NUMBER_DOTS).is_empty();
        let mut number: Option<Item> = None;
        for (index, item) in self.record.items.iter().enumerate() {
            match item.kind {
                ItemKind::MoveNumber(_) => number = Some(*item),
                ItemKind::Move => {
                    let Some(known) = self.plies.known.get(&index) else { continue };
                    if let Some(item) = number.take() {
                        let span = self.record.span(item);
                        let edit = numbers.get(&span.start).map(|number| self.renumbered(span, *number));
                        found.extend(edit.map(|edit| (&table::MOVE_NUMBERS, edit)));
                        let dots = self.with_right_dots(item, known.whites).filter(|_| dots_are_reported);
                        found.extend(dots.map(|edit| (&table::NUMBER_DOTS, edit)));
                    }
                    let span = self.record.span(*item);
                    // One repair of a text a round; the next one sees its result.
                    found.extend(places.iter().find_map(|(repair, places)| {
                        let edit = self.repaired(repair, places.get(&span.start)?, span, known)?;
                        Some((*repair, edit))
                    }));
                }
                _ => {}
            }
        }
        found
    }

    /// The places of a repair's diagnostics, by their first bytes.
    fn places_by_start(&self, repair: &Repair) -> HashMap<usize, Vec<(Code, Span)>> {
        let mut found: HashMap<usize, Vec<(Code, Span)>> = HashMap::new();
        for (code, place) in self.places(repair) {
            found.entry(place.start).or_default().push((code, place));
        }
        found
    }

    /// The correct numbers by place, if move numbers are to be repaired.
    fn right_numbers(&self) -> HashMap<usize, u32> {
        if !self.wants(&table::MOVE_NUMBERS) {
            return HashMap::new();
        }
        let diagnostics = self.report.all_diagnostics();
        let diagnostics =
            diagnostics.into_iter().filter(|found| table::MOVE_NUMBERS.codes.contains(&found.code));
        let right = diagnostics.filter_map(|found| {
            let spelling = found.spelling.as_deref()?;
            let digits = spelling.trim_matches(|c: char| !c.is_ascii_digit());
            Some((found.span[0], digits.parse().ok()?))
        });
        right.collect()
    }

    /// The digits of a number changed.
    fn renumbered(&self, span: Span, number: u32) -> Edit {
        let bytes = self.bytes(span);
        let start = bytes.iter().position(u8::is_ascii_digit).unwrap_or(0);
        let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        Edit::new(Span::new(span.start + start, span.start + start + digits), number.to_string())
    }

    /// Corrects the dots after a number, if they are the other player's, or the letter that names a player.
    fn with_right_dots(&self, item: Item, whites: bool) -> Option<Edit> {
        let ItemKind::MoveNumber(number) = item.kind else { return None };
        let span = self.record.span(item);
        let digits = self.bytes(span).iter().take_while(|byte| byte.is_ascii_digit()).count();
        let dots = Span::new(span.start + digits, span.end);
        if let Some(seat) = number.seat {
            let player = if whites { Owner::White } else { Owner::Black };
            let right = match self.report.boards {
                Some(_) => format!("{}.", Seat::of(seat.board(), player).letter()),
                None => (if whites { "." } else { "..." }).to_owned(),
            };
            return (self.bytes(dots) != right.as_bytes()).then(|| Edit::new(dots, right));
        }
        number.has_dots_of_other(whites).then(|| Edit::new(dots, if whites { "." } else { "..." }))
    }

    /// One repair of a move's text, if it has such a diagnostic. The diagnostic may extend over a remark: `exd6 e.p.`.
    fn repaired(&self, repair: &Repair, found: &[(Code, Span)], span: Span, known: &Known) -> Option<Edit> {
        let end = found.iter().map(|(_, place)| place.end).max()?;
        let text = std::str::from_utf8(self.bytes(span)).ok()?;
        let body = unmarked(text);
        let marks = body.len();
        let at = |start: usize, end: usize| Span::new(span.start + start, span.start + end);
        match repair.name {
            "check-marks" => Some(Edit::new(at(marks, text.len()), self.plies.style.sign(known.mark))),
            "castling" if known.castles => {
                let written =
                    body.bytes().take_while(|byte| matches!(byte, b'0' | b'o' | b'O' | b'-')).count();
                // The king's squares, `Ke1-g1`, are all of the text.
                let written = if written == 0 { marks } else { written };
                Some(Edit::new(at(0, written), known.target.as_str()))
            }
            // The styles of some games name squares otherwise.
            "capture-signs" | "captured-letters" if self.plies.style.own().is_some() => {
                self.rewritten(span, text, marks, known)
            }
            "capture-signs" if known.captures => {
                let to = body.rfind(&known.target)?;
                let dash = usize::from(body[..to].ends_with('-'));
                // `ed` and `ed5` are as good as `exd5`; a pawn's own file may be missing too.
                let has_origin = to > dash;
                if !has_origin {
                    self.rewritten(span, text, marks, known)
                } else {
                    Some(Edit::new(at(to - dash, to), "x"))
                }
            }
            "capture-signs" => {
                let sign = body.find(['x', ':'])?;
                Some(Edit::new(at(sign, sign + 1), ""))
            }
            "captured-letters" if self.plies.alphabet.is_none() => {
                let sign = body.find('x')? + 1;
                let letter = known.captured?;
                let named = body[sign..].chars().next().filter(char::is_ascii_uppercase)?;
                Some(Edit::new(at(sign, sign + named.len_utf8()), letter.to_string()))
            }
            "spellings" | "styles" | "origins" => {
                let rewritten = known.text.as_deref()?;
                // However a mark is written, and wherever, the correct one is meant.
                let worded = found.iter().any(|(code, _)| *code == codes::N_MARK_FORM);
                let marked = worded || marks < text.len();
                Some(Edit::new(
                    Span::new(span.start, end),
                    if marked { rewritten } else { unmarked(rewritten) },
                ))
            }
            _ => self.rewritten(span, text, marks, known),
        }
    }

    /// The whole text in the style, with its mark unchanged.
    fn rewritten(&self, span: Span, text: &str, marks: usize, known: &Known) -> Option<Edit> {
        let rewritten = unmarked(known.text.as_deref()?);
        Some(Edit::new(span, format!("{rewritten}{}", &text[marks..])))
    }

    /// Inserts a space after every number that is attached to its ply.
    pub(super) fn number_blanks(&self) -> Edits {
        let is_reported = !self.places(&table::NUMBER_BLANKS).is_empty();
        let items = self.record.items.windows(2).filter(|_| is_reported);
        let joined = items.filter_map(|pair| {
            let number = matches!(pair[0].kind, ItemKind::MoveNumber(number) if !number.interjection);
            let end = self.record.span(pair[0]).end;
            let is_joined =
                number && pair[1].kind == ItemKind::Move && self.record.span(pair[1]).start == end;
            is_joined.then(|| (&table::NUMBER_BLANKS, Edit::new(Span::new(end, end), " ")))
        });
        joined.collect()
    }
}
