//! From sheets to readings: the game, the voices, the passes of the search.

use crate::beam::{Beam, Found, Step, Width};
use crate::costs::{Bits, Costs};
use crate::likely::Likely;
use crate::reading::{Change, Decoded, Left, LeftOut, ReadPly, Reading, Spelled, Token, doubts};
use crate::sheet::{Edge, EdgeKind, Sheet};
use crate::spell::Speller;
use crate::voice::Voice;
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::{Alphabet, Style, WriteChoices, coord, write};
use ferz_core::position::{Ply, Position};
use ferz_core::text::Budget;
use ferz_core::text::limits::DECODE_BYTES_MAX;
use ferz_records::record::{Record, TagPair};
use ferz_records::replay::{AnyGame, Game, LanguageChoice, Replayer, WORKS_ON_ONE, is_on_two_boards};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Options of decoding.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// What slips cost.
    pub costs: &'static Costs,
    /// True if one pass is enough, for a hint and not for an answer.
    pub is_quick: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { costs: Costs::built_in(), is_quick: false }
    }
}

impl Options {
    /// Options for a hint: one pass, which looks for no gaps.
    pub fn hint() -> Options {
        Options { is_quick: true, ..Options::default() }
    }
}

/// Why nothing can be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The game is unknown, or its start is not a position.
    #[error("{0}")]
    Game(String),
    /// The cells are wrong.
    #[error("{0}")]
    Cells(String),
    /// Nothing in the text could be a ply.
    #[error("no token reads as a legal ply; add the tag Variant, or `--variant`, if it is another game")]
    Nothing,
    /// A text is too long for one game.
    #[error(
        "the text has {0} bytes; a game has at most {DECODE_BYTES_MAX} besides its comments; decode a part of it"
    )]
    TooLong(usize),
    /// The records are of different games or start positions.
    #[error("the sheets start from different positions; write the tags Variant and FEN on one of them only")]
    Different,
}

/// The first search: most slips change one token and nothing else.
const NARROW: Width =
    Width { positions: 6, window: Bits::whole(24), is_thorough: false, layers: TRIAL_LAYERS };

/// Nodes by which a voice is chosen.
const TRIAL_LAYERS: usize = 60;

/// The search for slips inside tokens.
const USUAL: Width = Width { positions: 64, window: Bits::whole(24), is_thorough: false, layers: usize::MAX };

/// The search for missing and unreadable plies.
const THOROUGH: Width =
    Width { positions: 110, window: Bits::whole(32), is_thorough: true, layers: usize::MAX };

/// Ways of the search that are compared; those through one gap are one reading.
const WAYS_COMPARED: usize = 120;

/// Readings that are kept.
const READINGS_MAX: usize = 32;

/// Voices that are searched in full.
const VOICES_MAX: usize = 2;

/// Reads a record by the rules of the game that it names.
///
/// # Errors
/// If the game cannot be played, or nothing could be a ply.
pub fn decode(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    options: &Options,
    budget: &Budget,
) -> Result<Decoded, DecodeError> {
    decode_sheets(replayer, record, &[sheet_of(record, options.costs)], options, budget)
}

/// Reads one or two sheets of a game; `record` names the game and its start.
///
/// # Errors
/// If the game cannot be played, or nothing could be a ply.
pub fn decode_sheets(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    sheets: &[Sheet],
    options: &Options,
    budget: &Budget,
) -> Result<Decoded, DecodeError> {
    if let Some(bytes) = sheets.iter().map(Sheet::bytes).find(|bytes| *bytes > DECODE_BYTES_MAX) {
        return Err(DecodeError::TooLong(bytes));
    }
    if sheets.is_empty() || sheets.iter().any(Sheet::is_empty) {
        return Err(DecodeError::Nothing);
    }
    let game = replayer.game(record).map_err(|error| DecodeError::Game(error.to_string()))?;
    match &game {
        AnyGame::Narrow(narrow) => {
            Decoding { replayer, game: &game, options, budget }.run(narrow, record, sheets)
        }
        AnyGame::Wide(wide) => Decoding { replayer, game: &game, options, budget }.run(wide, record, sheets),
    }
}

/// The text of a record after its tags, as a sheet.
pub fn sheet_of(record: &Record<'_>, costs: &Costs) -> Sheet {
    let offset = record.offset();
    let tags = true_tags(record).map(|tag| record.tag_full_span(tag).end.saturating_sub(offset)).max();
    let from = tags.unwrap_or_default().min(record.source().len());
    // One character a byte where the text is not UTF-8, so that places stay.
    let mut text = String::new();
    for chunk in record.source()[from..].utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Sheet::of_text(&text, offset + from, costs)
}

/// The tags of a record, up to something else in brackets, such as the time of a message in a chat.
pub(crate) fn true_tags<'r>(record: &'r Record<'_>) -> impl Iterator<Item = &'r TagPair> {
    record
        .tags
        .iter()
        .take_while(|tag| record.tag_name(tag).starts_with(|char: char| char.is_ascii_alphabetic()))
}

/// What all passes need.
struct Decoding<'a, 'r> {
    replayer: &'a Replayer<'r>,
    game: &'a AnyGame,
    options: &'a Options,
    budget: &'a Budget,
}

impl Decoding<'_, '_> {
    fn run<M: Mask>(
        &self,
        game: &Game<M>,
        record: &Record<'_>,
        sheets: &[Sheet],
    ) -> Result<Decoded, DecodeError> {
        if is_on_two_boards(game, record) {
            return Err(DecodeError::Game(WORKS_ON_ONE.to_owned()));
        }
        let start = Replayer::start(game, record).map_err(|error| DecodeError::Game(error.to_string()))?;
        let likely = Likely::new(&game.rules, self.options.costs);
        let search = Search { of: self, game, start: &start, likely: &likely };
        let mut spellers: Vec<Vec<Speller<'_>>> = sheets.iter().map(|sheet| search.spellers(sheet)).collect();
        let (found, spellers) = match spellers.as_mut_slice() {
            [spellers] => {
                let each = spellers.iter_mut().map(|speller| {
                    let found = search.passes(sheets, std::slice::from_mut(speller));
                    (found, speller.voice())
                });
                // Of equals the game's own letters.
                let best = each.min_by_key(|(found, voice)| (found.best(), !voice.is_own()));
                let Some((found, voice)) = best else { return Err(DecodeError::Nothing) };
                (found, vec![voice.clone()])
            }
            // Two sheets are read in the voice that fits each best.
            _ => {
                let mut first: Vec<Speller<'_>> =
                    spellers.into_iter().filter_map(|spellers| spellers.into_iter().next()).collect();
                let found = search.passes(sheets, &mut first);
                (found, first.iter().map(|speller| speller.voice().clone()).collect())
            }
        };
        let decoded = self.decoded(game, &start, sheets, &found, &spellers);
        let has_plies = decoded.readings.first().is_some_and(|reading| !reading.plies.is_empty());
        if has_plies || !decoded.complete { Ok(decoded) } else { Err(DecodeError::Nothing) }
    }

    /// The languages whose letters fit the first letters of the tokens best.
    fn languages(&self, sheet: &Sheet) -> Vec<Arc<Alphabet>> {
        let first = |edge: &Edge| {
            let char = edge.texts.first()?.0.chars().next()?;
            (char.is_uppercase() && char != 'O').then(|| char.to_string())
        };
        let initials: BTreeSet<String> =
            sheet.edges.iter().filter(|edge| edge.ply.is_some()).filter_map(first).collect();
        if initials.is_empty() {
            return Vec::new();
        }
        let mut seen: Vec<Vec<Option<String>>> = vec![initials.iter().cloned().map(Some).collect()];
        let mut fitting: Vec<(usize, Arc<Alphabet>)> = Vec::new();
        for language in self.replayer.languages().all() {
            let alphabet = self.replayer.alphabet(self.game, language);
            let meant: Vec<Option<String>> = initials.iter().map(|letter| alphabet.to_own(letter)).collect();
            if !seen.contains(&meant) {
                fitting.push((meant.iter().filter(|letter| letter.is_none()).count(), alphabet));
                seen.push(meant);
            }
        }
        let least = fitting.iter().map(|(missing, _)| *missing).min().unwrap_or_default();
        fitting.retain(|(missing, _)| *missing <= least + 1);
        fitting.into_iter().map(|(_, alphabet)| alphabet).take(8).collect()
    }

    fn decoded<M: Mask>(
        &self,
        game: &Game<M>,
        start: &Position<M>,
        sheets: &[Sheet],
        found: &Found,
        voices: &[Voice],
    ) -> Decoded {
        let mut readings: Vec<Reading> = Vec::new();
        for (cost, steps) in found.ways().take(WAYS_COMPARED) {
            let reading = reading(start, sheets, cost, &steps);
            match readings.iter().position(|known| known.is_same(&reading)) {
                Some(known) => readings[known].join(&reading),
                None if readings.len() < READINGS_MAX => readings.push(reading),
                None => {}
            }
        }
        let costs = self.options.costs;
        let least = readings.first().map_or(Bits::ZERO, |reading| reading.cost);
        let next = readings.get(1).map_or(Bits::MAX, |reading| reading.cost).min(found.cut);
        let margin = next - least;
        let has_gaps = readings.first().is_none_or(Reading::has_gaps) || found.leaves_plies_out();
        let (plies, slips) =
            readings.first().map_or((0, 0), |reading| (reading.plies.len(), reading.changes().count()));
        let is_sure = margin + costs.care(plies, slips) >= costs.sure.margin;
        let certain = found.is_complete && is_sure && !has_gaps;
        let (doubts, question) = doubts(&readings, costs.sure.doubt);
        let languages = voices.iter().map(|voice| match (&voice.literal, &voice.alphabet) {
            (Some(style), _) => style.name().to_owned(),
            (None, Some(alphabet)) => alphabet.language.code.clone(),
            (None, None) => "en".to_owned(),
        });
        Decoded {
            variant: game.name.to_string(),
            languages: languages.collect(),
            certain,
            margin,
            complete: found.is_complete,
            readings,
            doubts,
            question,
            doubtful: costs.sure.doubt,
            slip: costs.sure.slip,
        }
    }
}

/// The search in a game from its start.
struct Search<'a, 'r, M: Mask> {
    of: &'a Decoding<'a, 'r>,
    game: &'a Game<M>,
    start: &'a Position<M>,
    likely: &'a Likely<M>,
}

impl<'a, M: Mask> Search<'a, '_, M> {
    /// The ways to spell that fit a sheet best, the best first.
    fn spellers(&self, sheet: &Sheet) -> Vec<Speller<'a>> {
        let Decoding { replayer, game: any, options, .. } = *self.of;
        let (rules, costs) = (&*self.game.rules, options.costs);
        let speller = |voice| Speller::new(sheet, voice, self.game, costs);
        let asked = replayer.options();
        if let Some(style) = asked.style.filter(|style| is_literal(*style)) {
            return vec![speller(Voice::literal(style))];
        }
        if let LanguageChoice::Of(language) = &asked.language {
            let alphabet = replayer.alphabet(any, language);
            return vec![speller(Voice::algebraic(rules, Some(alphabet), costs))];
        }
        let mut tried = Vec::new();
        let mut try_out = |voice| {
            let mut speller = speller(voice);
            let sheet = std::slice::from_ref(sheet);
            let bits = self.search(sheet, std::slice::from_mut(&mut speller), NARROW).best();
            tried.push((bits, speller));
            bits
        };
        let layers = sheet.nodes().min(TRIAL_LAYERS) as u32;
        let mut least = try_out(Voice::algebraic(rules, None, costs));
        // Other letters, and other styles, are tried where the game's own fit badly.
        if least > Bits::whole(layers) && matches!(asked.language, LanguageChoice::Auto) {
            for alphabet in self.of.languages(sheet) {
                least = least.min(try_out(Voice::algebraic(rules, Some(alphabet), costs)));
            }
        }
        if least > Bits::whole(2 * layers) && asked.style.is_none() {
            let others = Style::ALL.into_iter().filter(|style| is_literal(*style));
            for style in others.filter(|style| style.is_for(&rules.definition)) {
                least = least.min(try_out(Voice::literal(style)));
            }
        }
        tried.sort_by_key(|(bits, _)| *bits);
        let best = tried.first().map_or(Bits::ZERO, |(bits, _)| *bits);
        // The game's own letters stay in the race: a gap costs them as much as others.
        let mut others = 0;
        tried.retain(|(bits, speller)| {
            let is_own = speller.voice().is_own();
            let is_kept = is_own || *bits <= best + costs.token.missing && others < VOICES_MAX - 1;
            others += usize::from(is_kept && !is_own);
            is_kept
        });
        tried.into_iter().map(|(_, speller)| speller).collect()
    }

    fn search(&self, sheets: &[Sheet], spellers: &mut [Speller<'a>], width: Width) -> Found {
        let Decoding { options, budget, .. } = *self.of;
        Beam::new(sheets, spellers, options.costs, budget, self.likely, width).search(self.start)
    }

    /// Searches further where the first search met more than slips inside tokens.
    fn passes(&self, sheets: &[Sheet], spellers: &mut [Speller<'a>]) -> Found {
        let usual = self.search(sheets, spellers, USUAL);
        let is_fine = usual.best() < self.of.options.costs.character.swapped || !usual.leaves_plies_out();
        if is_fine || self.of.options.is_quick || !usual.is_complete {
            return usual;
        }
        let thorough = self.search(sheets, spellers, THOROUGH);
        if thorough.is_complete && thorough.best() <= usual.best() { thorough } else { usual }
    }
}

/// True for styles with forms of their own.
fn is_literal(style: Style) -> bool {
    !matches!(
        style,
        Style::Coord
            | Style::San
            | Style::Lan
            | Style::Uci
            | Style::Xboard
            | Style::Figurine
            | Style::Iago
            | Style::Ichess
            | Style::Chaos
            | Style::Schess
    )
}

/// A way of the search as a reading.
fn reading<M: Mask>(start: &Position<M>, sheets: &[Sheet], cost: Bits, steps: &[(Step, Bits)]) -> Reading {
    let mut position = start.clone();
    let mut reading = Reading { cost, plies: Vec::new(), left_out: Vec::new() };
    for (step, bits) in steps {
        match *step {
            Step::Start => {}
            Step::Skip { sheet, token } => {
                let edge = &sheets[usize::from(sheet)].edges[token as usize];
                if let Some(left) = left_out(edge, usize::from(sheet), reading.plies.len()) {
                    reading.left_out.push(left);
                }
            }
            Step::Missing { ply } => {
                let written = vec![None; sheets.len()];
                reading.plies.push(read_ply(&mut position, &ply, written, *bits, Change::Missing));
            }
            Step::Ply { ply, tokens, slip, is_unreadable } => {
                let token = |(sheet, token): (&Sheet, &Option<u32>)| {
                    let edge = &sheet.edges[(*token)? as usize];
                    let text = edge.texts.first().map(|(text, _)| text.clone()).unwrap_or_default();
                    Some(Token { text, span: edge.span })
                };
                let written: Vec<Option<Token>> = sheets.iter().zip(&tokens).map(token).collect();
                let change = match () {
                    () if is_unreadable && written.iter().flatten().all(|token| token.text.is_empty()) => {
                        Change::Missing
                    }
                    () if is_unreadable => Change::Unreadable,
                    () if slip >= SLIP => Change::Slip,
                    () => Change::None,
                };
                reading.plies.push(read_ply(&mut position, &ply, written, *bits, change));
            }
        }
    }
    reading
}

/// What costs less is a habit of form.
const SLIP: Bits = Bits::whole(2);

fn left_out(edge: &Edge, sheet: usize, after: usize) -> Option<LeftOut> {
    let text = edge.texts.first().map(|(text, _)| text.clone()).unwrap_or_default();
    let kind = match edge.kind {
        EdgeKind::Number { .. } | EdgeKind::Interjection => return None,
        EdgeKind::Aside => Left::Aside,
        EdgeKind::Result => Left::Result,
        EdgeKind::Other if text.chars().any(char::is_alphanumeric) => Left::Words,
        EdgeKind::Other => return None,
    };
    Some(LeftOut { sheet, span: edge.span, text, after, kind })
}

fn read_ply<M: Mask>(
    position: &mut Position<M>,
    ply: &Ply,
    written: Vec<Option<Token>>,
    cost: Bits,
    change: Change,
) -> ReadPly {
    let status = position.status();
    let number = match (ply.actor, status.turn) {
        (Owner::Nature, _) => String::new(),
        (_, Owner::White) => format!("{}.", status.number),
        _ => format!("{}...", status.number),
    };
    let mut coordinates = String::new();
    coord::write(position.rules(), ply, &mut coordinates);
    let san = write(position, ply, Style::San, WriteChoices::default()).unwrap_or_default();
    position.apply(ply);
    let spelled = Spelled { coord: coordinates, san };
    let is_gap = matches!(change, Change::Missing | Change::Unreadable);
    let candidates = if is_gap { vec![spelled.clone()] } else { Vec::new() };
    ReadPly { number, ply: spelled, candidates, written, cost, change }
}
