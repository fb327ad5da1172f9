//! Loads definition files: parses TOML, merges tables, locates mistakes.

use super::compile::FieldError;
use super::definition::{Definition, PieceSection};
use super::reserves;
use super::tolerant::{Misfit, Node};
use crate::pieces::betza;
use crate::text::limits::DEFINITION_BYTES_MAX;
use crate::text::{Code, Diagnostic, Severity, Span};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// The file is not TOML, or a field is unknown or of the wrong type.
pub const V_SYNTAX: Code = Code("V001");
/// A field has an invalid value.
pub const V_VALUE: Code = Code("V002");

/// A mutator: a patch over any game that meets its preconditions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Mutator {
    /// Name, as before the `+`.
    #[serde(default)]
    pub mutator: String,
    /// Display name.
    #[serde(default)]
    pub title: String,
    /// Preconditions on the game.
    #[serde(default)]
    pub requires: Vec<Requirement>,
    /// Names of this mutator over chess.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What stands after the name of a game instead of the mutator before it: `960` in `atomic960`.
    #[serde(default)]
    pub suffix: Option<String>,
    /// The inventor's notation style.
    #[serde(default)]
    pub native_style: Option<String>,
    /// Source of the rules.
    #[serde(default)]
    pub source: String,
    /// IAGO class.
    #[serde(default)]
    pub class: Option<String>,
    /// Articles.
    #[serde(default)]
    pub rule: String,
    /// The fields that it changes.
    #[serde(default)]
    pub patch: Table,
    /// Fields that it sets otherwise on boards that are not 8 by 8.
    #[serde(default)]
    pub other_boards: Table,
    /// The letters that pieces of its reserve take in a game that has theirs for other pieces.
    #[serde(default)]
    pub instead: BTreeMap<String, String>,
    /// A piece of the game that starts in reserve; the square that it leaves is that of the deployment.
    #[serde(default)]
    pub vacates: Option<String>,
    /// True if Nature has the figures of the array, moving as in the game, where the pieces that `nature.kinds` lists
    /// are missing or move otherwise.
    #[serde(default)]
    pub array_kinds: bool,
    /// The file, where it is the program's own: its patches are read when they are applied.
    #[serde(skip)]
    text: &'static str,
    #[serde(skip)]
    patches: Patches,
}

/// What a mutator changes, and what it sets otherwise on boards that are not 8 by 8, once it has been read from its
/// file. The file says it all, so that all of them are equal.
#[derive(Debug, Clone, Default)]
struct Patches(OnceLock<(Table, Table)>);

impl PartialEq for Patches {
    fn eq(&self, _: &Patches) -> bool {
        true
    }
}

impl Mutator {
    /// One of the program's own, which a test proves right; only the fields before the first section are read now.
    pub(super) fn built_in(text: &'static str) -> Option<Mutator> {
        let head = &text[..text.find("\n[").unwrap_or(text.len())];
        let mutator = toml::from_str(head);
        debug_assert!(mutator.is_ok(), "a built-in mutator is invalid: {mutator:?}");
        mutator.ok().map(|mutator| Mutator { text, ..mutator })
    }

    /// True if a built-in mutator says what its whole file says.
    #[cfg(test)]
    pub(super) fn is_head_of(&self, whole: &Mutator) -> bool {
        let (patch, other_boards) = self.patches();
        Mutator { patch: patch.clone(), other_boards: other_boards.clone(), text: "", ..self.clone() }
            == *whole
    }

    /// The fields that it changes, and those that it sets otherwise on boards that are not 8 by 8.
    fn patches(&self) -> (&Table, &Table) {
        if self.text.is_empty() {
            return (&self.patch, &self.other_boards);
        }
        let (patch, other_boards) = self.patches.0.get_or_init(|| {
            let whole: Option<Mutator> = toml::from_str(self.text).ok();
            whole.map(|whole| (whole.patch, whole.other_boards)).unwrap_or_default()
        });
        (patch, other_boards)
    }

    /// What it changes in a game.
    ///
    /// # Errors
    /// Why it does not go over the game.
    pub(super) fn patch_for(&self, game: &Definition) -> Result<Table, String> {
        let (patch, other_boards) = self.patches();
        let mut patch = patch.clone();
        if (game.board.files, game.board.ranks) != (8, 8) {
            merge(&mut patch, other_boards);
        }
        let kinds = listed_kinds(&patch);
        if self.array_kinds && !kinds.iter().all(|letter| moves_as_patched(&patch, game, letter)) {
            give_array_kinds(&mut patch, game, &kinds);
        }
        if self.array_kinds {
            give_further_kinds(&mut patch, game);
            turn_pawn(&mut patch, game);
        }
        reserves::fit(self, &mut patch, game)?;
        Ok(patch)
    }
}

/// The letters of `nature.kinds` in a patch.
fn listed_kinds(patch: &Table) -> Vec<String> {
    let kinds = patch.get("nature").and_then(|nature| nature.get("kinds")).and_then(Value::as_array);
    kinds.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// True if a piece of the game moves as the patch has Nature's move, or the players choose its movement.
fn moves_as_patched(patch: &Table, game: &Definition, letter: &str) -> bool {
    let natures = patch.get("pieces").and_then(|pieces| pieces.get(letter)?.get("nature")?.as_str());
    let unbound = game.pieces.get(letter).filter(|piece| piece.terms.is_empty());
    let own = unbound.map(|piece| piece.betza.as_str());
    let (Some(own), Some(natures)) = (own, natures) else { return false };
    let same = || Some(betza::parse(own).ok()? == betza::parse(natures).ok()?);
    own.is_empty() && game.armies.slots.iter().any(|slot| slot == letter) || same() == Some(true)
}

/// A piece's movement without regard to regions, which do not bind Nature, and without the parts that she has as the
/// players have them (CHA-23).
fn unbound(piece: &PieceSection) -> Value {
    let parts = piece.terms.iter().filter(|term| !term.nature).map(|term| term.betza.as_str());
    Value::String(std::iter::once(piece.betza.as_str()).chain(parts).collect())
}

/// Replaces Nature's kinds, which the game lacks, by the figures of its array; her king moves as the game's.
fn give_array_kinds(patch: &mut Table, game: &Definition, listed: &[String]) {
    let pawn = game.nature.pawn_letter.as_str();
    let is_figure = |letter: &str| {
        let piece = game.pieces.get(letter);
        letter != pawn && piece.is_some_and(|piece| !piece.royal && !piece.anti_royal && !piece.pawn)
    };
    let stands = |letter: &str| game.setup.board.to_uppercase().contains(letter);
    let mut figures: Vec<&String> =
        game.pieces.keys().filter(|letter| is_figure(letter) && stands(letter)).collect();
    figures.sort_by_key(|letter| game.stock_order.find(letter.as_str()).unwrap_or(usize::MAX));
    if let Some(Value::Table(pieces)) = patch.get_mut("pieces") {
        listed.iter().for_each(|letter| drop(pieces.remove(letter)));
        let king = game.pieces.keys().find(|letter| **letter == game.nature.king_letter);
        for letter in figures.iter().copied().chain(king) {
            let piece = &game.pieces[letter];
            if piece.nature.is_none() {
                let natures = Table::from_iter([("nature".to_owned(), unbound(piece))]);
                pieces.insert(letter.clone(), Value::Table(natures));
            }
        }
    }
    if let Some(Value::Table(nature)) = patch.get_mut("nature") {
        let kinds: Vec<Value> = figures.into_iter().cloned().map(Value::String).collect();
        nature.insert("kinds".into(), Value::Array(kinds));
    }
}

/// Gives Nature the movement of the kinds that pieces become by a switch or by a pawn's arrival (CHA-22), and of the
/// piece that must stay attacked (CHA-19).
fn give_further_kinds(patch: &mut Table, game: &Definition) {
    let Some(Value::Table(pieces)) = patch.get_mut("pieces") else { return };
    let anti_kings = game.pieces.iter().filter(|(_, piece)| piece.anti_royal).map(|(letter, _)| letter);
    for letter in game.changed_kinds().map(|(_, letter)| letter).chain(anti_kings) {
        let Some(piece) = game.pieces.get(letter).filter(|piece| piece.nature.is_none()) else { continue };
        // What their squares give the players besides, as a Transference from home, is none of hers.
        let movement = Value::String(piece.betza.clone());
        let natures = move || Value::Table(Table::from_iter([("nature".to_owned(), movement)]));
        pieces.entry(letter.clone()).or_insert_with(natures);
    }
}

/// Reverses the powers of Nature's pawn where those of the game's are: it moves aslant and captures straight (CHA-21).
fn turn_pawn(patch: &mut Table, game: &Definition) {
    let letter = game.nature.pawn_letter.as_str();
    let Some(pawn) = game.pieces.get(letter).and_then(|piece| betza::parse(&piece.betza).ok()) else {
        return;
    };
    let aslant = |mover: &betza::Mover| mover.dx != 0 && mover.dy != 0;
    let movers = pawn.movers();
    let reversed = movers.iter().all(|mover| mover.moves == aslant(mover) && mover.captures != aslant(mover));
    let Some(Value::Table(piece)) = patch.get_mut("pieces").and_then(|pieces| pieces.get_mut(letter)) else {
        return;
    };
    if reversed && !movers.is_empty() {
        piece.insert("nature".into(), Value::String("mFcW".into()));
    }
}

/// A precondition of a mutator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Requirement {
    /// Each player has one king, on the board or to be placed.
    TwoKings,
    /// There is no third player yet.
    NoNature,
    /// The letters K, Q, R, B, N and P are pieces of the game.
    ChessKinds,
    /// The letters K, R and P are pieces of the game, the first one the king, the last one a pawn or a soldier, which
    /// takes single steps and none backward.
    KingRookPawn,
    /// Captures are neither compulsory nor explode nor go to a second board, and check is allowed.
    UsualPlies,
    /// Players castle.
    Castling,
    /// Each player's figures stand on the first rank, nothing enters the board yet, captured pieces leave the game,
    /// and pawns promote to kinds.
    BackRank,
}

/// A definition file: a game, or a mutator.
#[derive(Debug, Clone)]
pub enum File {
    /// A game, its parents not yet merged in.
    Game(Table),
    /// A mutator.
    Mutator(Box<Mutator>),
}

impl File {
    /// The name in the file; empty if there is none.
    pub fn name(&self) -> &str {
        match self {
            File::Game(table) => table.get("name").and_then(Value::as_str).unwrap_or_default(),
            File::Mutator(mutator) => &mutator.mutator,
        }
    }

    /// Mistakes in the fields that name the game or mutator.
    pub(super) fn mistakes(&self) -> Vec<FieldError> {
        let (field, what) = match self {
            File::Game(_) => ("name", "definition"),
            File::Mutator(_) => ("mutator", "mutator"),
        };
        let mut mistakes = Vec::new();
        if self.name().trim().is_empty() {
            mistakes.push(FieldError::new(
                field,
                format!("the name of the {what} is missing; add {field} = \"…\""),
            ));
        } else if self.name().contains('+') {
            mistakes
                .push(FieldError::new(field, "a name cannot contain `+`, which joins mutators and games"));
        }
        if let File::Mutator(mutator) = self {
            if mutator.title.is_empty() {
                mistakes
                    .push(FieldError::new("title", "the title of the mutator is missing; add title = \"…\""));
            }
            if mutator.patch.is_empty() {
                mistakes.push(FieldError::new(
                    "patch",
                    "the mutator changes nothing; add [patch.ends] or another section",
                ));
            }
        }
        mistakes
    }
}

/// The readable part of a definition file.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The definition without the unreadable fields; `None` if the file is not TOML.
    pub(super) file: Option<File>,
    /// All mistakes so far, with places.
    pub(super) mistakes: Vec<Diagnostic>,
    /// The unreadable fields.
    pub(super) lost: Vec<String>,
}

/// Reads one definition file.
///
/// # Errors
/// All faults: a file that is not TOML, unknown fields, fields of the wrong type.
pub fn read_file(text: &str) -> Result<File, Vec<Diagnostic>> {
    let Loaded { file, mistakes, .. } = read(text);
    file.filter(|_| mistakes.is_empty()).ok_or(mistakes)
}

/// Reads as much as possible of a definition file.
pub(super) fn read(text: &str) -> Loaded {
    let mut loaded = Loaded { file: None, mistakes: Vec::new(), lost: Vec::new() };
    let wrong = |span: Span, message: String| Diagnostic::new(V_SYNTAX, Severity::Error, span, message);
    if text.len() > DEFINITION_BYTES_MAX {
        let message = format!("the definition exceeds the limit of {DEFINITION_BYTES_MAX} bytes");
        loaded.mistakes.push(wrong(Span::new(0, 0), message));
        return loaded;
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        loaded.mistakes.push(wrong(Span::new(span.start, span.end), error.message().to_owned()));
    }
    let mut tree = Node::of_table(table.get_ref(), first_line(text));
    let is_mutator = tree.get("mutator").is_some();
    let (file, misfits) = if is_mutator { read_mutator(&mut tree) } else { read_game(&mut tree) };
    for misfit in misfits {
        loaded.lost.push(misfit.path());
        let at = misfit.span().start;
        let blamed = |error: &toml::de::Error| may_follow_from(text, error.span().unwrap_or(0..0).start, at);
        if !errors.iter().any(blamed) {
            loaded.mistakes.push(wrong(misfit.span(), misfit.message()));
        }
    }
    loaded.mistakes.sort_by_key(|found| found.span.start);
    if errors.is_empty() {
        loaded.file = file;
    } else if let Some(last) = loaded.mistakes.last_mut() {
        last.notes.push("values are checked once the file parses".into());
    }
    loaded
}

/// Whether the fault at `at` may follow from the TOML error at `error`: both are in one line, or in the section that a
/// damaged header was to open.
fn may_follow_from(text: &str, error: usize, at: usize) -> bool {
    let start = text[..error.min(text.len())].rfind('\n').map_or(0, |newline| newline + 1);
    let Some(between) = text.get(start..at.min(text.len())) else { return false };
    let is_head = |line: &str| line.trim_start().starts_with('[');
    let mut lines = between.split('\n');
    match lines.next() {
        Some(line) if is_head(line) => !lines.any(is_head),
        _ => !between.contains('\n'),
    }
}

fn read_game(tree: &mut Node) -> (Option<File>, Vec<Misfit>) {
    let (definition, misfits) = tree.read::<Definition>();
    // An unreadable piece is still a piece: its letter stays known.
    let pieces = misfits.iter().map(Misfit::path).filter(|path| path.starts_with("pieces."));
    let letters: Vec<String> =
        pieces.filter_map(|path| path.strip_prefix("pieces.").map(str::to_owned)).collect();
    let table = definition.and_then(|_| Table::deserialize(&*tree).ok()).map(|mut table| {
        if let Some(Value::Table(pieces)) = table.get_mut("pieces") {
            for letter in letters.into_iter().filter(|letter| !letter.contains('.')) {
                pieces.entry(letter).or_insert_with(|| Value::Table(Table::new()));
            }
        }
        File::Game(table)
    });
    (table, misfits)
}

fn read_mutator(tree: &mut Node) -> (Option<File>, Vec<Misfit>) {
    let mut misfits = Vec::new();
    for part in ["patch", "other-boards"] {
        if let Some(patch) = tree.get_mut(part).filter(|patch| patch.is_table()) {
            let mut found = patch.read::<Definition>().1;
            found.iter_mut().for_each(|misfit| misfit.put_within(part));
            misfits.extend(found);
        }
    }
    let (mutator, others) = tree.read::<Mutator>();
    misfits.extend(others);
    (mutator.map(|mutator| File::Mutator(Box::new(mutator))), misfits)
}

/// The table as a typed definition.
///
/// # Errors
/// The message of the first field that does not fit.
pub fn typed(table: &Table) -> Result<Definition, String> {
    Value::Table(table.clone()).try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

/// Lays `over` on `base`: tables are merged key by key, every other value replaces.
pub fn merge(base: &mut Table, over: &Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Fields that do not affect play and so are not part of the digest.
pub(super) const PROSE: [&str; 15] = [
    "title",
    "aliases",
    "extends",
    "source",
    "class",
    "native-style",
    "square-names",
    "styles",
    "spelled",
    "rule",
    "answered-rule",
    "cites",
    "home-made",
    "also",
    "editions-change",
];

/// The identity of a merged definition: BLAKE3 of its fields in the order of their names, without prose.
pub fn digest(table: &Table, choices: &str) -> String {
    let mut canonical = String::new();
    canonical_table(table, "", &mut canonical);
    canonical.push_str(choices);
    blake3::hash(canonical.as_bytes()).to_hex()[..32].to_owned()
}

fn canonical_table(table: &Table, prefix: &str, out: &mut String) {
    let mut keys: Vec<&String> = table.keys().filter(|key| !PROSE.contains(&key.as_str())).collect();
    keys.sort();
    for key in keys {
        match &table[key] {
            Value::Table(inner) => canonical_table(inner, &format!("{prefix}{key}."), out),
            value => out.push_str(&format!("{prefix}{key}={value:?}\n")),
        }
    }
}

/// The place of a field's value in a definition file; the first line if the file does not have it (then it is
/// inherited).
pub fn span_of(text: &str, path: &str) -> Span {
    let Ok(document) = DeTable::parse(text) else { return first_line(text) };
    let mut span = None;
    let mut table = Some(document.get_ref());
    for key in path.split('.') {
        let Some(value) = table.and_then(|table| table.get(key)) else { break };
        span = Some(value.span());
        table = match value.get_ref() {
            DeValue::Table(inner) => Some(inner),
            _ => None,
        };
    }
    span.map_or_else(|| first_line(text), |span| Span::new(span.start, span.end))
}

fn first_line(text: &str) -> Span {
    Span::new(0, text.find('\n').unwrap_or(text.len()))
}

/// The field error as a diagnostic about the definition's text.
pub fn diagnostic(text: &str, error: &FieldError) -> Diagnostic {
    let value = span_of(text, &error.path);
    let span = match error.span {
        // The value's text begins after its opening quote.
        Some(part) if text.as_bytes().get(value.start) == Some(&b'"') => part.shifted(value.start + 1),
        _ => value,
    };
    Diagnostic::new(V_VALUE, Severity::Error, span, format!("{}: {}", error.path, error.message))
}
