//! Games by name, built-in and user-defined, with mutators first; compiled once.

mod entry;
mod names;
mod nature_rules;
mod undefined;

use super::armies;
use super::by_choice::ByChoice;
use super::compile::{Choices, FieldError, compile};
use super::compiled::{DefinitionFile, Rules, RulesId};
use super::definition::{CapturesTo, Check, Definition, DeploymentKind, PieceSection, PromotionTo};
use super::fairy::NAMED;
use super::load::{File, Mutator, Requirement, diagnostic, digest, merge, read_file, typed};
use crate::board::{Board, Mask, by_width};
use crate::pieces::betza::{self, Mover};
use crate::text::limits::EXTENDS_DEPTH_MAX;
use crate::text::{Diagnostic, Span};
use entry::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex};
use toml::{Table, Value};

/// The built-in definitions.
const BUILT_IN: [&str; 32] = [
    include_str!("../../formats/variants/chess.toml"),
    include_str!("../../formats/variants/chess960.toml"),
    include_str!("../../formats/variants/iago-b.toml"),
    include_str!("../../formats/variants/iago-c.toml"),
    include_str!("../../formats/variants/iago-m.toml"),
    include_str!("../../formats/variants/ichess.toml"),
    include_str!("../../formats/variants/ingols.toml"),
    include_str!("../../formats/variants/augmented.toml"),
    include_str!("../../formats/variants/capablanca.toml"),
    include_str!("../../formats/variants/seirawan.toml"),
    include_str!("../../formats/variants/crazyhouse.toml"),
    include_str!("../../formats/variants/bughouse.toml"),
    include_str!("../../formats/variants/shatranj.toml"),
    include_str!("../../formats/variants/chaturanga.toml"),
    include_str!("../../formats/variants/makruk.toml"),
    include_str!("../../formats/variants/antiking-1.toml"),
    include_str!("../../formats/variants/antiking-2.toml"),
    include_str!("../../formats/variants/magicians-deathmatch.toml"),
    include_str!("../../formats/variants/kingofthehill.toml"),
    include_str!("../../formats/variants/threecheck.toml"),
    include_str!("../../formats/variants/antichess.toml"),
    include_str!("../../formats/variants/suicide.toml"),
    include_str!("../../formats/variants/atomic.toml"),
    include_str!("../../formats/variants/horde.toml"),
    include_str!("../../formats/variants/racingkings.toml"),
    include_str!("../../formats/variants/shogi.toml"),
    include_str!("../../formats/variants/xiangqi.toml"),
    include_str!("../../formats/variants/janggi.toml"),
    include_str!("../../formats/variants/janggi-traditional.toml"),
    include_str!("../../formats/variants/janggi-casual.toml"),
    include_str!("../../formats/variants/knightmate.toml"),
    include_str!("../../formats/variants/omega.toml"),
];

/// The built-in mutators, in the order in which they stand before a game.
const MUTATORS: [&str; 7] = [
    include_str!("../../formats/variants/mutators/misere.toml"),
    include_str!("../../formats/variants/mutators/bareking.toml"),
    include_str!("../../formats/variants/mutators/chaos.toml"),
    include_str!("../../formats/variants/mutators/chess960.toml"),
    include_str!("../../formats/variants/mutators/iago-b.toml"),
    include_str!("../../formats/variants/mutators/iago-c.toml"),
    include_str!("../../formats/variants/mutators/iago-m.toml"),
];

/// Why the rules of a game are unavailable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// No definition has this name.
    #[error(
        "unknown variant `{name}`{hint}{} `ferz variants list` shows all",
        if hint.ends_with('?') { "" } else { ";" }
    )]
    Unknown {
        /// The requested one.
        name: String,
        /// `; did you mean …?` or empty.
        hint: String,
    },
    /// The game is known, and its rules are not defined.
    #[error("{title} is a known game that is not judged: {why} ({rule}); its record is kept as it is")]
    Undefined {
        /// The game's title.
        title: &'static str,
        /// What a definition would need.
        why: &'static str,
        /// The ruling that says more.
        rule: &'static str,
    },
    /// A name whose parts do not combine.
    #[error("{0}")]
    Name(String),
    /// A mutator's precondition fails.
    #[error("`{mutator}` cannot modify `{game}`: {clash}")]
    Clash {
        /// The mutator.
        mutator: String,
        /// The game under it.
        game: String,
        /// The conflict.
        clash: String,
    },
    /// The edition is unknown.
    #[error("`{game}` has no edition `{edition}`; use one of {known}")]
    Edition {
        /// The game.
        game: String,
        /// The requested one.
        edition: String,
        /// The known ones.
        known: String,
    },
    /// A tag that the game needs is missing or invalid.
    #[error("tag {tag}: {message}")]
    Tag {
        /// The tag.
        tag: String,
        /// Bytes of the tag's value, if the mistake is in a part of it.
        span: Option<Span>,
        /// The fault and the remedy.
        message: String,
    },
    /// The definition does not compile.
    #[error("the definition of `{game}` is invalid: {}", joined(.errors))]
    Definition {
        /// The game.
        game: String,
        /// All mistakes.
        errors: Vec<FieldError>,
    },
}

impl RegistryError {
    /// The tag of the record at fault.
    pub fn tag(&self) -> &str {
        match self {
            RegistryError::Tag { tag, .. } => tag,
            RegistryError::Edition { .. } => "RulesEdition",
            _ => "Variant",
        }
    }
}

fn joined(errors: &[FieldError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Compiled rules, for small boards or for large ones.
#[derive(Debug, Clone)]
pub enum AnyRules {
    /// Boards of up to 64 squares.
    Narrow(Arc<Rules<u64>>),
    /// Boards of up to 128 squares.
    Wide(Arc<Rules<u128>>),
}

impl AnyRules {
    /// The identity of the rules.
    pub fn id(&self) -> &RulesId {
        by_width!(AnyRules, self, |rules| &rules.id)
    }

    /// The merged definition.
    pub fn definition(&self) -> &Definition {
        by_width!(AnyRules, self, |rules| &rules.definition)
    }
}

/// Looks up the value of a record's tag.
pub type TagLookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// An entry of `variants list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Name.
    pub name: String,
    /// Title.
    pub title: String,
    /// Edition.
    pub edition: String,
    /// True for mutators.
    pub mutator: bool,
}

/// All known games.
#[derive(Debug, Default)]
pub struct Registry {
    /// By name, then edition; the last edition is the current one.
    games: BTreeMap<String, BTreeMap<String, Entry>>,
    mutators: Vec<Mutator>,
    aliases: HashMap<String, String>,
    cache: Mutex<ByChoice<AnyRules>>,
}

impl Clone for Registry {
    /// A registry of the same games that compiles them itself.
    fn clone(&self) -> Registry {
        let Registry { games, mutators, aliases, cache: _ } = self;
        let (games, mutators, aliases) = (games.clone(), mutators.clone(), aliases.clone());
        Registry { games, mutators, aliases, cache: Mutex::default() }
    }
}

static BUILT_IN_REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let mut registry = Registry::default();
    for text in BUILT_IN {
        let entry = Entry::built_in(text);
        registry.insert_game(normal(entry.text("name").unwrap_or_default()), entry);
    }
    for game in NAMED {
        registry.insert_game(game.0.to_owned(), Entry::of_fairy(game));
    }
    for text in MUTATORS {
        Mutator::built_in(text).into_iter().for_each(|mutator| registry.insert_mutator(mutator));
    }
    registry
});

impl Registry {
    /// The built-in games.
    pub fn built_in() -> &'static Registry {
        &BUILT_IN_REGISTRY
    }

    /// The built-in games and those of definition files. A file with the same name and edition replaces a game.
    ///
    /// # Errors
    /// All mistakes, each with the index of its file.
    pub fn with_files<'a>(
        files: impl IntoIterator<Item = &'a str>,
    ) -> Result<Registry, Vec<(usize, Diagnostic)>> {
        let built_in = Registry::built_in();
        let mut registry = Registry {
            games: built_in.games.clone(),
            mutators: built_in.mutators.clone(),
            aliases: built_in.aliases.clone(),
            cache: Mutex::default(),
        };
        let mut errors = Vec::new();
        for (index, text) in files.into_iter().enumerate() {
            if let Err(found) = registry.add(text) {
                errors.extend(found.into_iter().map(|found| (index, found)));
            }
        }
        if errors.is_empty() { Ok(registry) } else { Err(errors) }
    }

    /// Adds a definition file and returns its name.
    ///
    /// # Errors
    /// All mistakes, if the file is invalid.
    pub fn add(&mut self, text: &str) -> Result<String, Vec<Diagnostic>> {
        let file = read_file(text)?;
        let wrong = file.mistakes();
        if wrong.is_empty() {
            return Ok(self.insert(file));
        }
        Err(wrong.iter().map(|error| diagnostic(text, error)).collect())
    }

    /// A name of a game, mutator or alias here that means something else in another registry, if there is one.
    pub fn changed_in(&self, other: &Registry) -> Option<&str> {
        let is_changed = |name: &&String| {
            self.games.get(*name) != other.games.get(*name)
                || self.aliases.get(*name) != other.aliases.get(*name)
        };
        let name = self.games.keys().chain(self.aliases.keys()).find(is_changed);
        let mutator = self.mutators.iter().find(|mutator| !other.mutators.contains(mutator));
        name.or(mutator.map(|mutator| &mutator.mutator)).map(String::as_str)
    }

    /// Adds stored rules: the table [`Rules::file`] as text, possibly of a game with mutators. They take precedence
    /// over the usual meaning of their name.
    ///
    /// # Errors
    /// All mistakes, if the text is invalid or not a game.
    pub fn add_kept(&mut self, text: &str) -> Result<String, Vec<Diagnostic>> {
        match read_file(text)? {
            file @ File::Game(_) => Ok(self.insert(file)),
            File::Mutator(_) => {
                let error =
                    FieldError::new("mutator", "stored rules must be those of a game, not of a mutator");
                Err(vec![diagnostic(text, &error)])
            }
        }
    }

    /// Adds the definition of a file under its name.
    pub(super) fn insert(&mut self, file: File) -> String {
        let name = normal(file.name());
        match file {
            File::Mutator(mutator) => self.insert_mutator(*mutator),
            File::Game(table) => self.insert_game(name.clone(), table.into()),
        }
        name
    }

    fn insert_mutator(&mut self, mut mutator: Mutator) {
        mutator.mutator = normal(&mutator.mutator);
        for alias in &mutator.aliases {
            self.aliases.insert(normal(alias), format!("{}+chess", mutator.mutator));
        }
        // A replacement keeps the place of the original: the order of mutators is part of a game's name.
        match self.mutators.iter_mut().find(|known| known.mutator == mutator.mutator) {
            Some(known) => *known = mutator,
            None => self.mutators.push(mutator),
        }
    }

    fn insert_game(&mut self, name: String, entry: Entry) {
        let edition = entry.text("edition").unwrap_or("1").to_owned();
        let aliases: Vec<String> = entry.aliases().map(normal).collect();
        self.aliases.extend(aliases.into_iter().map(|alias| (alias, name.clone())));
        self.games.entry(name).or_default().insert(edition, entry);
    }

    /// The games of Fairy-Stockfish that are played under their names there, sorted by name; [`list`](Registry::list)
    /// leaves them out.
    pub fn list_of_fairy(&self) -> Vec<Listing> {
        self.listed(Entry::is_of_fairy)
    }

    fn listed(&self, is_listed: fn(&Entry) -> bool) -> Vec<Listing> {
        let games = self.games.iter().flat_map(|(name, editions)| {
            let editions = editions.iter().filter(move |(_, entry)| is_listed(entry));
            editions.map(move |(edition, entry)| Listing {
                name: name.clone(),
                title: entry.text("title").unwrap_or_default().to_owned(),
                edition: edition.clone(),
                mutator: false,
            })
        });
        games.collect()
    }

    /// All games and mutators, sorted by name.
    pub fn list(&self) -> Vec<Listing> {
        let games = self.listed(|entry| !entry.is_of_fairy());
        let mutators = self.mutators.iter().map(|mutator| Listing {
            name: format!("{}+…", mutator.mutator),
            title: mutator.title.clone(),
            edition: String::new(),
            mutator: true,
        });
        games.into_iter().chain(mutators).collect()
    }

    /// The number of editions of a game; mutators have none.
    pub fn editions(&self, variant: &str) -> usize {
        let in_stack = || self.split_name(variant).ok().and_then(|(_, game)| self.games.get(&game));
        self.games.get(variant).or_else(in_stack).map_or(0, BTreeMap::len)
    }

    /// The merged definition of a game with its table, including mutators and tags that set its switches.
    ///
    /// # Errors
    /// If the name, the edition, a parent or a mutator's precondition fails.
    pub fn definition(
        &self,
        variant: &str,
        tags: TagLookup<'_>,
    ) -> Result<(Definition, Table), RegistryError> {
        let (mutators, game) = self.split_name(variant)?;
        let mut table = self.merged(&game, tags("RulesEdition").as_deref(), &mut Vec::new())?;
        let wrong = |message: String| RegistryError::Definition {
            game: game.clone(),
            errors: vec![FieldError::new("file", message)],
        };
        let base_title = table.get("title").and_then(Value::as_str).unwrap_or(&game).to_owned();
        let mut title = base_title;
        for mutator in mutators.iter().rev() {
            let definition = typed(&table).map_err(wrong)?;
            check_requirements(mutator, &definition)?;
            let patch = mutator.patch_for(&definition).map_err(|clash| RegistryError::Clash {
                mutator: mutator.mutator.clone(),
                game: definition.name.clone(),
                clash,
            })?;
            check_overrides(mutator, &table, &patch)?;
            merge(&mut table, &patch);
            // The class is that of the game alone.
            let alone = title.split_once(" (IAGO ").map_or(title.as_str(), |(alone, _)| alone);
            title = format!("{} {alone}", mutator.title);
            for (key, value) in [("native-style", &mutator.native_style), ("class", &mutator.class)] {
                if let Some(value) = value {
                    table.insert(key.into(), Value::String(value.clone()));
                }
            }
            if !mutator.source.is_empty() {
                let below = table.get("source").and_then(Value::as_str).unwrap_or_default();
                let source = format!("{}; over: {below}", mutator.source);
                table.insert("source".into(), Value::String(source));
            }
        }
        if !mutators.is_empty() {
            // The aliases of the game do not name the combination.
            table.remove("aliases");
        }
        if let ([mutator], "chess") = (&mutators[..], game.as_str())
            && !mutator.aliases.is_empty()
        {
            table.insert("aliases".into(), mutator.aliases.clone().into());
        }
        table.insert("name".into(), Value::String(self.canonical_name(variant)?));
        table.insert("title".into(), Value::String(title));
        let mut definition = typed(&table).map_err(wrong)?;
        if definition.nature.enabled {
            let Some(Value::Table(section)) = table.get_mut("nature") else { return Ok((definition, table)) };
            nature_rules::choose(section, tags("NatureRules").as_deref())?;
            definition = typed(&table).map_err(wrong)?;
        }
        Ok((definition, table))
    }

    /// A game's table merged over its parents; `children` are the definitions that extend it.
    fn merged(
        &self,
        game: &str,
        edition: Option<&str>,
        children: &mut Vec<String>,
    ) -> Result<Table, RegistryError> {
        let editions = self.games.get(game).ok_or_else(|| self.unknown(game))?;
        let known = || editions.keys().cloned().collect::<Vec<_>>().join(", ");
        let table = match edition {
            Some(edition) => editions.get(edition).ok_or_else(|| RegistryError::Edition {
                game: game.to_owned(),
                edition: edition.to_owned(),
                known: known(),
            })?,
            None => editions.values().next_back().ok_or_else(|| self.unknown(game))?,
        };
        let table = table.table();
        let Some(parent) = table.get("extends").and_then(Value::as_str) else { return Ok(table.clone()) };
        let parent = self.resolved(parent);
        children.push(game.to_owned());
        if let Some(message) = wrong_chain(children, &parent) {
            // The first child is the requested one.
            let game = children.first().cloned().unwrap_or_default();
            return Err(RegistryError::Definition {
                game,
                errors: vec![FieldError::new("extends", message)],
            });
        }
        let mut merged = self.merged(&parent, None, children).map_err(|error| match error {
            RegistryError::Unknown { name, hint } => RegistryError::Definition {
                game: game.to_owned(),
                errors: vec![FieldError::new("extends", format!("there is no `{name}`{hint}"))],
            },
            other => other,
        })?;
        // A child inherits neither its parent's aliases nor its class.
        for own in ["aliases", "class", "editions-change"] {
            merged.remove(own);
        }
        merge(&mut merged, table);
        Ok(merged)
    }

    /// The compiled rules of a game with the choices in a record's tags.
    ///
    /// # Errors
    /// If the name, a tag or the definition is invalid.
    pub fn rules(&self, variant: &str, tags: TagLookup<'_>) -> Result<AnyRules, RegistryError> {
        let name = normal(variant);
        if let Some(rules) = self.cache.lock().ok().and_then(|cache| cache.get(&name, tags)) {
            return Ok(rules);
        }
        let (definition, table) = self.definition(variant, tags)?;
        let rules = compile_any(&definition, &table, tags)?;
        if let Ok(mut cache) = self.cache.lock() {
            cache.insert(&name, tags, &definition, rules.clone());
        }
        Ok(rules)
    }
}

fn compile_any(
    definition: &Definition,
    table: &Table,
    tags: TagLookup<'_>,
) -> Result<AnyRules, RegistryError> {
    // Squares outside the corners cost slides something: games on narrow boards have none of it.
    let is_narrow = |board: Board| board.len() <= 64 && !board.has_corners();
    let narrow = definition.board.board().is_some_and(is_narrow);
    Ok(if narrow {
        AnyRules::Narrow(Arc::new(compiled(definition, table, tags)?))
    } else {
        AnyRules::Wide(Arc::new(compiled(definition, table, tags)?))
    })
}

/// The compiled rules of a definition, with the mask that its board needs, and the choices in a record's tags.
fn compiled<M: Mask>(
    definition: &Definition,
    table: &Table,
    tags: TagLookup<'_>,
) -> Result<Rules<M>, RegistryError> {
    let mut choices = Choices { armies: armies::from_tags(definition, tags)?, array: None };
    let mut chosen = String::new();
    let fen = if definition.setup.from_record { tags("FEN") } else { None };
    if let Some(fen) = &fen {
        choices.array = Some(array_of(fen).to_owned());
    }
    if let Some(armies) = &choices.armies {
        for army in armies.0.iter().take(2) {
            chosen.extend(army.iter().map(|kind| format!("{} ", kind.canonical())));
        }
    }
    let id = RulesId {
        name: definition.name.clone(),
        edition: definition.edition.clone(),
        digest: digest(table, &chosen),
    };
    let wrong = |errors: Vec<FieldError>| match (&fen, errors.first()) {
        (Some(fen), Some(error)) if error.path == "setup.board" => {
            let before = array_of(fen).as_ptr() as usize - fen.as_ptr() as usize;
            let span = error.span.map(|span| span.shifted(before));
            RegistryError::Tag { tag: "FEN".into(), span, message: error.message.clone() }
        }
        _ => RegistryError::Definition { game: definition.name.clone(), errors },
    };
    let rules = compile(definition, id, &choices).map_err(wrong)?;
    Ok(Rules { file: DefinitionFile::new(table.clone()), ..rules })
}

/// The array that a record's start position shows: a last field `@…`, otherwise its board. It is a part of `fen`.
fn array_of(fen: &str) -> &str {
    let mut fields = fen.split_whitespace();
    let board = fields.next().unwrap_or(&fen[..0]);
    let kept = fields.skip(5).find_map(|field| field.strip_prefix('@'));
    kept.unwrap_or_else(|| board.split('[').next().unwrap_or(board))
}

/// A game's rules with another value of one field.
///
/// # Errors
/// If the definition is invalid with that value.
pub fn with_field<M: Mask>(
    rules: &Rules<M>,
    field: &str,
    value: impl Into<Value>,
    tags: TagLookup<'_>,
) -> Result<Rules<M>, RegistryError> {
    let mut table = rules.file.table().clone();
    let wrong = |message: String| {
        let errors = vec![FieldError::new(field, message)];
        RegistryError::Definition { game: rules.id.name.clone(), errors }
    };
    if let Some((section, name)) = field.split_once('.')
        && let Value::Table(section) = table.entry(section).or_insert_with(|| Value::Table(Table::new()))
    {
        section.insert(name.to_owned(), value.into());
    }
    compiled(&typed(&table).map_err(wrong)?, &table, tags)
}

/// Why the chain of `children` cannot continue with `parent`.
fn wrong_chain(children: &[String], parent: &str) -> Option<String> {
    let start = children.iter().position(|child| child == parent);
    match start {
        Some(start) if start + 1 == children.len() => Some(format!(
            "`{parent}` extends itself: a definition named like its parent takes the parent's place; give it a \
                name of its own"
        )),
        Some(start) => {
            let circle = children[start..].join("`, which extends `");
            Some(format!("`extends` forms a cycle: `{circle}`, which extends `{parent}`"))
        }
        None if children.len() > EXTENDS_DEPTH_MAX => {
            Some(format!("more than {EXTENDS_DEPTH_MAX} definitions extend each other"))
        }
        None => None,
    }
}

fn normal(name: &str) -> String {
    name.trim().to_lowercase()
}

fn check_requirements(mutator: &Mutator, definition: &Definition) -> Result<(), RegistryError> {
    for requirement in &mutator.requires {
        if let Some(clash) = clash(*requirement, definition) {
            let game = definition.name.clone();
            return Err(RegistryError::Clash { mutator: mutator.mutator.clone(), game, clash });
        }
    }
    Ok(())
}

/// Refuses a patch that overrides what the game says of Nature: the game's own value would silently have no effect.
fn check_overrides(mutator: &Mutator, game: &Table, patch: &Table) -> Result<(), RegistryError> {
    let of_nature = |path: &str| path.starts_with("nature.") || path.ends_with(".nature");
    let Some((path, own, new)) = overridden(game, patch, "", &of_nature) else { return Ok(()) };
    let clash = format!("its `{path} = {own}` has no effect: `{0}` sets {new}; remove it", mutator.mutator);
    let game = game.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    Err(RegistryError::Clash { mutator: mutator.mutator.clone(), game, clash })
}

/// The first field for which `counts` holds that a patch gives another value: its path, its value and the new one.
fn overridden<'t>(
    table: &'t Table,
    patch: &'t Table,
    prefix: &str,
    counts: &dyn Fn(&str) -> bool,
) -> Option<(String, &'t Value, &'t Value)> {
    patch.iter().find_map(|(key, new)| {
        let path = format!("{prefix}{key}");
        match (table.get(key)?, new) {
            (Value::Table(below), Value::Table(above)) => {
                overridden(below, above, &format!("{path}."), counts)
            }
            (own, new) => (own != new && counts(&path)).then_some((path, own, new)),
        }
    })
}

/// Why pieces cannot enter a game from a reserve by gates and drops as those of IAGO Chess do, if they cannot.
fn without_back_rank(definition: &Definition) -> Option<String> {
    let ranks: Vec<&str> = definition.setup.board.split('/').collect();
    let (first, last) =
        (ranks.last().copied().unwrap_or_default(), ranks.first().copied().unwrap_or_default());
    let figures = |rank: &str, is_own: fn(&char) -> bool| {
        let letters = rank.chars().filter(is_own).map(|letter| letter.to_uppercase().to_string());
        let figures = letters.filter(|letter| definition.pieces.get(letter).is_some_and(|piece| !piece.pawn));
        figures.count()
    };
    let stand = figures(first, char::is_ascii_uppercase).min(figures(last, char::is_ascii_lowercase));
    let captures = &definition.captures;
    let leaps = definition.pieces.values().any(|piece| piece.first_leap.is_some());
    let unusual = [
        (stand < 2, "figures of each player must stand on the first rank"),
        (!definition.setup.reserve.is_empty() || definition.gating.enabled, "it has a reserve already"),
        (
            !definition.setup.hand.is_empty() || definition.drops.hand.trim() != "none",
            "pieces are dropped from hand",
        ),
        (definition.deployment.kind != DeploymentKind::None, "pieces are deployed before play"),
        (captures.to != CapturesTo::None, "captured pieces come back"),
        (!captures.explode.is_empty(), "captures explode"),
        (definition.castling.rank > 1, "the king castles on another rank"),
        (leaps, "pieces have first leaps, whose rights a FEN writes as those of gates"),
        (definition.promotion.to != PromotionTo::Kinds, "pawns promote by rules of their own"),
    ];
    unusual.into_iter().find(|(is_so, _)| *is_so).map(|(_, why)| format!("{why} (IAB 1, IAV-6)"))
}

/// True if a piece takes single steps, none of them backward.
fn is_soldier(piece: &PieceSection) -> bool {
    let parts = || std::iter::once(&piece.betza).chain(piece.terms.iter().map(|term| &term.betza));
    let steps = |text: &&String| {
        let forward = |mover: &Mover| mover.range == 1 && mover.dx.abs() <= 1 && (0..=1).contains(&mover.dy);
        text.is_empty() || betza::parse(text).is_ok_and(|betza| betza.movers().iter().all(forward))
    };
    parts().any(|text| !text.is_empty()) && parts().all(|text| steps(&text))
}

/// The reason why a requirement fails, if it does.
fn clash(requirement: Requirement, definition: &Definition) -> Option<String> {
    match requirement {
        Requirement::TwoKings => {
            let royal =
                definition.pieces.iter().find(|(_, piece)| piece.royal).map(|(letter, _)| letter.as_str());
            let Some(letter) = royal else { return Some("it needs a royal piece".into()) };
            let count = |text: &str, letter: &str| text.matches(letter).count();
            let in_hand = count(&definition.setup.hand, letter);
            let board = definition.setup.board.as_str();
            let each = [count(board, letter) + in_hand, count(board, &letter.to_lowercase()) + in_hand];
            (each != [1, 1])
                .then(|| format!("each player needs one king; the array gives {} and {}", each[0], each[1]))
        }
        Requirement::NoNature => {
            definition.nature.enabled.then(|| "the game already has a third player (CHA 1)".into())
        }
        Requirement::KingRookPawn => {
            let missing = ["K", "R", "P"].iter().find(|letter| !definition.pieces.contains_key(**letter));
            let royal = definition.pieces.get("K").is_some_and(|piece| piece.royal);
            let missing = missing.map(|letter| format!("the game has no `{letter}`, which Nature may have"));
            let pawn = definition.pieces.get("P").is_some_and(|piece| piece.pawn || is_soldier(piece));
            let what = match royal {
                true => {
                    "`P` is neither a pawn of the game nor a soldier, which takes single steps and none backward"
                }
                false => "`K` is not the king of the game",
            };
            missing.or_else(|| (!royal || !pawn).then(|| what.to_owned()))
        }
        Requirement::UsualPlies => {
            let captures = &definition.captures;
            let unusual = [
                (captures.compulsory, "captures are compulsory"),
                (!captures.explode.is_empty(), "captures explode"),
                (captures.to == CapturesTo::Partner, "captured pieces go to a second board"),
                (definition.check == Check::Forbidden, "check is forbidden"),
            ];
            let (_, what) = unusual.into_iter().find(|(is_so, _)| *is_so)?;
            Some(format!("its rules do not say what Nature does where {what}"))
        }
        Requirement::Castling => {
            (!definition.castling.enabled).then(|| "the game has no castling (FIDE 960)".to_owned())
        }
        Requirement::BackRank => without_back_rank(definition),
        Requirement::ChessKinds => {
            let missing = ["K", "Q", "R", "B", "N", "P"]
                .iter()
                .find(|letter| !definition.pieces.contains_key(**letter));
            missing.map(|letter| {
                format!("Nature's pieces are those of chess (CHA-17), but the game has no `{letter}`")
            })
        }
    }
}
