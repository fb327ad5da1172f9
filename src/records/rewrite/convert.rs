//! Converts records from one style of notation to another, and reports every loss.

use crate::record::codes as record_codes;
use crate::record::comment::LET_STAND;
use crate::record::{
    Comments, FirstPly, Item, ItemKind, Label, PlyStyle, Record, WriteOptions, write_record_within,
};
use crate::replay::{
    Judging, Located, Observer, Replayer, Report, Source, codes, is_marked_let_stand, lacks_set_up,
};
use ferz_core::board::{Mask, Owner};
use ferz_core::notation::{
    Alphabet, Inexpressible, Lack, Language, Letters, Style, WriteChoices, read_as, resolve,
    resolve_let_stand, write,
};
use ferz_core::position::{Ply, Position};
use ferz_core::rules::Definition;
use ferz_core::text::limits::LOSSES_KEPT_MAX;
use ferz_core::text::{Budget, Diagnostic, Exhausted, Severity, Span};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Options for writing records.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// The style.
    pub to: Style,
    /// Choices within the style.
    pub choices: WriteChoices,
    /// Writes `oo1.....` for the numbers of Nature's turns.
    pub ascii: bool,
    /// The language of the piece letters; `None` for the game's own. Styles without letters ignore it.
    pub language: Option<Arc<Language>>,
    /// Writes the tag `RulesDigest` into every record that was judged; otherwise only into those of the user's own
    /// games.
    pub digest: bool,
    /// The class under which the rules are codified, for the tag `RulesClass`.
    pub class: Option<String>,
    /// How comments are written. With [`Comments::Lines`] no other lines are broken, for
    /// [`program_file`](super::program_file).
    pub comments: Comments,
}

impl ConvertOptions {
    /// The usual spelling of a style, in the game's own letters.
    pub fn new(to: Style) -> ConvertOptions {
        ConvertOptions {
            to,
            choices: WriteChoices::default(),
            ascii: false,
            language: None,
            digest: false,
            class: None,
            comments: Comments::Filled,
        }
    }
}

/// A converted record.
#[derive(Debug, Clone)]
pub struct Converted {
    /// The record in PGN export format.
    pub text: String,
    /// What was lost or could not be expressed, with its place in the input. Without losses the text can be converted
    /// back to the original style, and differs only in spelling.
    pub losses: Vec<Located>,
    /// The number of losses beyond the limit of the list; all of them are warnings.
    pub left_out: usize,
    /// The report on the record.
    pub report: Report,
}

impl Converted {
    /// The errors of reading that are not losses; all errors for a record that could not be judged.
    pub fn errors(&self) -> Vec<&Located> {
        let losses: HashSet<_> = self.losses.iter().map(|loss| (loss.code, loss.span)).collect();
        let is_loss = |found: &Located| losses.contains(&(found.code, found.span));
        let is_error = |found: &&Located| {
            let of_reading = found.code.0.starts_with('S') || !self.report.is_judged();
            found.severity == Severity::Error && of_reading && !is_loss(found)
        };
        self.report.diagnostics.iter().filter(is_error).collect()
    }

    /// The number of all losses.
    pub fn losses_in_all(&self) -> usize {
        self.losses.len() + self.left_out
    }

    /// True if the record has errors or losses.
    pub fn is_finding(&self) -> bool {
        let lost = self.losses.iter().any(|loss| loss.severity == Severity::Error);
        !self.report.legal || lost || !self.errors().is_empty()
    }
}

/// Converts a record: writes every legal ply of the main line and of variations in the style. The text after an illegal
/// ply is unchanged.
pub fn convert(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
    options: &ConvertOptions,
) -> Converted {
    Budget::endless(|budget| convert_within(replayer, record, source, number, options, budget))
}

/// [`convert`] within a budget.
///
/// # Errors
/// If the budget ends before the work.
pub fn convert_within(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    number: usize,
    options: &ConvertOptions,
    budget: &Budget,
) -> Result<Converted, Exhausted> {
    let of = Judging { record, source, number, budget };
    let game = match replayer.game_or_report(of) {
        Ok(game) => game,
        Err(report) => {
            return finish(of, options, HashMap::new(), (Vec::new(), 0), *report, Binding::default());
        }
    };
    let binds = options.digest || replayer.is_own_game(&game, record);
    let binding = Binding {
        edition: replayer.has_editions(&game),
        digest: binds.then(|| game.binding().to_owned()),
        class: options.class.clone(),
    };
    let mut writer = Writer { options, letters: game.letters(), texts: HashMap::new(), lost: Vec::new() };
    let report = replayer.judge(&game, of, &mut writer)?;
    let (mut losses, left_out) = inexpressible(of, options, game.definition(), writer.lost);
    let mut texts = writer.texts;
    if let Some(language) = options.language.as_ref().filter(|_| options.to.has_letters()) {
        let alphabet = replayer.alphabet(&game, language);
        match in_letters(&alphabet, &texts) {
            Ok(national) => texts = national,
            Err(lacking) => losses.push(source.place(lacks_letter(record, &alphabet, lacking), None)),
        }
    }
    finish(of, options, texts, (losses, left_out), report, binding)
}

/// The loss for a piece without a letter in a language.
pub(super) fn lacks_letter(
    record: &Record<'_>,
    alphabet: &Alphabet,
    (index, letter): (usize, char),
) -> Diagnostic {
    let language = &alphabet.language.name;
    let message =
        format!("the piece `{letter}` has no letter in {language}; the record keeps the game's own letters");
    let span = record.span(record.items[index]);
    Diagnostic::new(codes::N_LANGUAGE_LACKS, Severity::Warning, span, message)
}

/// The texts of the plies, by the record's items, with their numbers.
type PlyTexts = HashMap<usize, Text>;

/// The texts with the letters of a language.
///
/// # Errors
/// The first ply with a piece that has no letter in the language, and the game's own letter.
fn in_letters(alphabet: &Alphabet, texts: &PlyTexts) -> Result<PlyTexts, (usize, char)> {
    let mut indices: Vec<&usize> = texts.keys().collect();
    indices.sort();
    let national = |index: &usize| {
        let Text { text, label, let_stand } = &texts[index];
        let text = alphabet.to_national(text).map_err(|letter| (*index, letter))?;
        Ok((*index, Text { text, label: *label, let_stand: *let_stand }))
    };
    indices.into_iter().map(national).collect()
}

fn finish(
    of: Judging<'_>,
    options: &ConvertOptions,
    texts: PlyTexts,
    (mut losses, left_out): (Vec<Located>, usize),
    report: Report,
    binding: Binding,
) -> Result<Converted, Exhausted> {
    let Judging { record, source, budget, .. } = of;
    losses.extend(kept(record, source, &report));
    // Keys derived from a JSON record are not written; contradictions in them are reported as losses.
    let contradicted = report.diagnostics.iter().filter(|found| found.code == record_codes::CONTRADICTED);
    losses.extend(contradicted.cloned());
    let mut text = String::new();
    let tags = tags(record, &report, &binding);
    let usual = WriteOptions::default();
    let write_options = WriteOptions {
        width: if options.comments == Comments::Lines { usize::MAX } else { usual.width },
        ascii: options.ascii,
        tags: &tags,
        one_board: report.is_judged() && report.boards.is_none(),
        comments: options.comments,
        ..usual
    };
    let lost = write_record_within(record, &Plies { texts }, &write_options, &mut text, budget)?;
    losses.extend(lost.diagnostics.into_iter().map(|diagnostic| source.place(diagnostic, None)));
    losses.sort_by_key(|loss| loss.span);
    Ok(Converted { text, losses, left_out: left_out + lost.left_out, report })
}

/// Which tags bind a record to the rules that it was judged by.
#[derive(Clone, Default)]
struct Binding {
    /// `RulesEdition`: the game has editions.
    edition: bool,
    /// `RulesDigest`: the game may mean other rules elsewhere, or the record leaves an archive.
    digest: Option<String>,
    /// `RulesClass`: an archive has codified them.
    class: Option<String>,
}

/// The tags that the converted record needs to be read as the same game.
fn tags<'a>(
    record: &Record<'_>,
    report: &'a Report,
    binding: &'a Binding,
) -> Vec<(&'static str, Option<&'a str>)> {
    let mut tags = Vec::new();
    let Some(rules) = &report.rules else { return tags };
    let bound = [
        ("RulesEdition", binding.edition.then_some(&*rules.edition)),
        ("RulesDigest", binding.digest.as_deref()),
        ("RulesClass", binding.class.as_deref()),
    ];
    tags.extend(bound.into_iter().filter(|(name, value)| value.is_some() && record.find_tag(name).is_none()));
    if lacks_set_up(record) {
        tags.push(("SetUp", Some("1")));
    }
    if let Some(termination) = record.missing_termination() {
        tags.push(("Termination", Some(termination)));
    }
    let overridden =
        report.diagnostics.iter().any(|diagnostic| diagnostic.code == codes::J_VARIANT_OVERRIDDEN);
    if overridden || (record.find_tag("Variant").is_none() && *report.variant != *"chess") {
        tags.push(("Variant", Some(&*report.variant)));
    }
    tags
}

/// The losses for unchanged text: a game that could not be judged, text that is not a game, the rest of each line after
/// its illegal ply, and plies beyond the limits.
pub(super) fn kept(record: &Record<'_>, source: &Source<'_>, report: &Report) -> Vec<Located> {
    if !report.is_judged() {
        let message = "the game could not be judged; its text is unchanged";
        let start = Span::new(record.offset(), record.offset());
        let diagnostic = Diagnostic::new(codes::N_KEPT_VERBATIM, Severity::Error, start, message);
        return vec![source.place(diagnostic, None)];
    }
    let verbatim = |line: usize, column: usize, span: [usize; 2], message: String| Located {
        code: codes::N_KEPT_VERBATIM,
        severity: Severity::Error,
        line,
        column,
        span,
        board: None,
        ply: None,
        message: message.into(),
        notes: Vec::new(),
        spelling: None,
    };
    let in_line = |line: &Report| {
        let illegal = line.illegal.as_ref()?;
        let message = format!(
            "the text from the illegal {}{} on is unchanged",
            illegal.numbered(),
            line.of_variation()
        );
        Some(verbatim(illegal.line, illegal.column, illegal.span, message))
    };
    let lines = report.with_variations();
    let unseen = lines
        .iter()
        .flat_map(|line| &line.diagnostics)
        .filter(|diagnostic| [codes::J_TOO_LONG, codes::J_VARIATION_OF_NOTHING].contains(&diagnostic.code));
    let unseen = unseen.map(|diagnostic| {
        let message = format!("{}; its text is unchanged", diagnostic.message);
        verbatim(diagnostic.line, diagnostic.column, diagnostic.span, message)
    });
    let no_record =
        report.diagnostics.iter().filter(|diagnostic| diagnostic.code == record_codes::NO_RECORD).cloned();
    no_record.chain(lines.iter().filter_map(|line| in_line(line))).chain(unseen).collect()
}

/// The text of a legal ply in the style. If the style has no form for it, the text in another style, and the reason.
pub(super) fn written<M: Mask>(
    before: &Position<M>,
    ply: &Ply,
    options: &ConvertOptions,
) -> (String, Option<Loss>) {
    match write(before, ply, options.to, options.choices) {
        Ok(text) => (text, None),
        Err(error) => {
            let text = write(before, ply, options.to.fallback(), options.choices).unwrap_or_default();
            (text, Some(Loss::Inexpressible(error.what)))
        }
    }
}

/// Budget units for writing a ply in a style.
pub(super) const UNITS_WRITTEN: u64 = 4;

/// Why a ply has no form in the style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// The style cannot express it.
    Inexpressible(Lack),
    /// It is illegal but was let stand, and no text determines it.
    Undetermined,
}

/// The losses for plies without a form in the style: the record's item of each, and why. If no ply of the game has a
/// form, that is reported once, at the first ply. Returns the first losses and the number of the others.
pub(super) fn inexpressible(
    Judging { record, source, .. }: Judging<'_>,
    options: &ConvertOptions,
    game: &Definition,
    mut plies: Vec<(usize, Loss)>,
) -> (Vec<Located>, usize) {
    let of_game =
        |(_, loss): &(usize, Loss)| matches!(loss, Loss::Inexpressible(lack) if lack.is_of_the_game());
    if let Some(first) = plies.iter().position(of_game) {
        let found = plies[first];
        plies.retain(|ply| *ply == found || !of_game(ply));
    }
    // Variations are replayed on the way, so the plies are nearly in order.
    plies.sort_by_key(|(index, _)| *index);
    let left_out = plies.len().saturating_sub(LOSSES_KEPT_MAX);
    plies.truncate(LOSSES_KEPT_MAX);
    let numbers = if plies.is_empty() { Vec::new() } else { ply_numbers(record) };
    let (to, fallback) = (options.to, options.to.fallback());
    let lost = plies.into_iter().map(|(index, loss)| {
        let message = match loss {
            Loss::Undetermined => "no text determines this illegal ply; it is unchanged".to_owned(),
            Loss::Inexpressible(lack) => {
                let written = if lack.is_of_the_game() { "its plies are" } else { "it is" };
                let error = Inexpressible { style: to, what: lack };
                let others = match lack {
                    Lack::OtherGame => format!(", which has: {}", Style::names_for(game)),
                    _ => String::new(),
                };
                format!("{error}{others}; {written} written in style `{fallback}`")
            }
        };
        let span = record.span(record.items[index]);
        let diagnostic = Diagnostic::new(codes::N_INEXPRESSIBLE, Severity::Warning, span, message);
        source.place(diagnostic, numbers.get(index).copied())
    });
    (lost.collect(), left_out)
}

/// For each item of a record, the number of the last ply up to it, from 1. The first ply of a variation has the number
/// of the ply that it replaces.
fn ply_numbers(record: &Record<'_>) -> Vec<usize> {
    let (mut number, mut outer) = (0usize, Vec::new());
    let count = |item: &Item| {
        match item.kind {
            ItemKind::Move => number += 1,
            ItemKind::VariationStart { .. } => {
                outer.push(number);
                number = number.saturating_sub(1);
            }
            ItemKind::VariationEnd { .. } => number = outer.pop().unwrap_or(number),
            _ => {}
        }
        number
    };
    record.items.iter().map(count).collect()
}

/// A ply's text.
struct Text {
    text: String,
    label: Option<Label>,
    /// The ply is illegal but was let stand.
    let_stand: bool,
}

/// Writes each ply when it is replayed.
struct Writer<'a> {
    options: &'a ConvertOptions,
    letters: &'a Letters,
    texts: PlyTexts,
    lost: Vec<(usize, Loss)>,
}

impl<M: Mask> Observer<M> for Writer<'_> {
    const UNITS: u64 = UNITS_WRITTEN;

    fn legal(&mut self, index: usize, before: &Position<M>, ply: &Ply, interjection: u32) {
        let options = self.options;
        let (text, lost) = written(before, ply, options);
        self.lost.extend(lost.map(|loss| (index, loss)));
        let label = label(options.to, ply, interjection);
        self.texts.insert(index, Text { text, label, let_stand: false });
    }

    fn let_stand(&mut self, index: usize, before: &Position<M>, ply: &Ply, interjection: u32) {
        let (written, loss) = written_let_stand(self.letters, before, ply, self.options);
        self.lost.extend(loss.map(|loss| (index, loss)));
        let Some((text, style)) = written else { return };
        let turn = before.turn();
        let label = label(style, ply, interjection).or_else(|| {
            // If a player's turn was skipped, the count is unusual.
            let number = before.status().number + u32::from(turn == Owner::Black);
            let black = ply.actor == Owner::Black;
            let number = if black { before.status().number } else { number };
            (ply.actor != turn).then_some(Label::Real(FirstPly { number, black }))
        });
        self.texts.insert(index, Text { text, label, let_stand: true });
    }

    fn restart(&mut self) {
        self.texts.clear();
        self.lost.clear();
    }
}

/// The text before a ply of Nature in `style`.
fn label(style: Style, ply: &Ply, interjection: u32) -> Option<Label> {
    (ply.actor == Owner::Nature).then(|| match style.is_coordinates() {
        true => Label::Bare,
        false => Label::Interjection(interjection),
    })
}

/// An illegal ply that was let stand, in the style if that determines it, else with both of its squares, and the style
/// that it is in; and what is lost.
pub(super) fn written_let_stand<M: Mask>(
    letters: &Letters,
    before: &Position<M>,
    ply: &Ply,
    options: &ConvertOptions,
) -> (Option<(String, Style)>, Option<Loss>) {
    let natures = ply.actor == Owner::Nature;
    let says = |(text, _): &(String, Style)| {
        // Among squares with ranks from 0, others are read so too.
        let zero_ranks = (options.to == Style::Ucci).then_some(Style::Ucci);
        let read = read_as(zero_ranks, letters, before.turn(), natures, text.as_bytes()).ok();
        // The text must not look like a legal ply.
        read.is_some_and(|text| {
            resolve(before, &text).is_err() && resolve_let_stand(before, &text).as_ref() == Ok(ply)
        })
    };
    let in_style = |style| write(before, ply, style, options.choices).map(|text| (text, style));
    let wanted = in_style(options.to);
    let lack = wanted.as_ref().err().map(|error| Loss::Inexpressible(error.what));
    let others = [options.to.fallback(), Style::Lan, Style::Coord];
    let written = wanted
        .ok()
        .filter(says)
        .or_else(|| others.into_iter().filter_map(|style| in_style(style).ok()).find(says));
    let loss = if written.is_none() { Some(Loss::Undetermined) } else { lack };
    (written, loss)
}

/// The texts of the plies, by the record's items.
struct Plies {
    texts: PlyTexts,
}

impl PlyStyle for Plies {
    fn text(&self, _: &Record<'_>, index: usize) -> Option<String> {
        self.texts.get(&index).map(|ply| ply.text.clone())
    }

    fn label(&self, _: &Record<'_>, index: usize) -> Option<Label> {
        self.texts.get(&index).and_then(|ply| ply.label)
    }

    fn comment(&self, record: &Record<'_>, index: usize) -> Option<String> {
        let let_stand = self.texts.get(&index).is_some_and(|ply| ply.let_stand);
        (let_stand && !is_marked_let_stand(record, index)).then(|| LET_STAND.to_owned())
    }
}
