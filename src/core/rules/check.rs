//! Finds all mistakes of a definition file in one run.

use super::Definition;
use super::armies::{self, catalogue, repeats};
use super::compile::{self, Choices, FieldError};
use super::in_vain::in_vain;
use super::load::{self, File, Loaded, Mutator, diagnostic, typed};
use super::registry::{AnyRules, Registry, RegistryError};
use super::unknown_fields::UnknownFields;
use crate::pieces::army::Army;
use crate::text::limits::ARMY_CHOICES_MAX;
use crate::text::{Diagnostic, Severity};
use toml::{Table, Value};

/// Stand-in name for a file without a name; unlikely to be in use.
const NAMELESS: &str = "\u{1}";

/// A definition file without mistakes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Name of the game or mutator.
    pub name: String,
    /// The game's edition; `None` for a mutator.
    pub edition: Option<String>,
    /// A summary of what the file defines.
    pub what: String,
    /// Warnings of fields that change nothing.
    pub in_vain: Vec<Diagnostic>,
}

/// Checks a definition file completely, and adds it to the registry.
///
/// # Errors
/// All mistakes, in the order of the file, without those that only follow from another one.
pub fn check(registry: &mut Registry, text: &str) -> Result<Checked, Vec<Diagnostic>> {
    let Loaded { file, mut mistakes, lost } = load::read(text);
    let Some(file) = file else { return Err(mistakes) };
    let naming = file.mistakes().into_iter().filter(|error| !lost.contains(&error.path));
    mistakes.extend(naming.map(|error| diagnostic(text, &error)));
    let checked = match file {
        File::Game(table) => check_game(registry, text, table, lost, mistakes.is_empty()),
        File::Mutator(mutator) => check_mutator(registry, mutator, &lost),
    };
    let checked =
        checked.map_err(|errors| mistakes.extend(errors.iter().map(|error| diagnostic(text, error))));
    match checked {
        Ok(checked) if mistakes.is_empty() => Ok(checked),
        _ => {
            mistakes.sort_by_key(|found| (found.span.start, found.span.end));
            mistakes.dedup();
            Err(mistakes)
        }
    }
}

fn check_game(
    registry: &mut Registry,
    text: &str,
    mut table: Table,
    lost: Vec<String>,
    sound: bool,
) -> Result<Checked, Vec<FieldError>> {
    if File::Game(table.clone()).mistakes().iter().any(|error| error.path == "name") {
        table.insert("name".into(), Value::String(NAMELESS.into()));
    }
    let edition = table.get("edition").and_then(Value::as_str).unwrap_or("1").to_owned();
    let parent = table.get("extends").and_then(Value::as_str).map(str::to_owned);
    let parent_wrong = parent.as_deref().and_then(|parent| wrong_parent(registry, parent));
    let name = registry.insert(File::Game(table.clone()));
    let tags = |tag: &str| (tag == "RulesEdition").then(|| edition.clone());
    let mut unknown = UnknownFields { fields: lost, alone: None };
    let mut errors = Vec::new();
    let definition = match registry.definition(&name, &tags) {
        Ok((definition, _)) => definition,
        Err(RegistryError::Definition { game, errors: found }) if game == name => {
            errors.extend(found);
            typed(&table).map_err(|message| vec![FieldError::new("file", message)])?
        }
        Err(error) => {
            errors.push(FieldError::new("extends", error.to_string()));
            typed(&table).map_err(|message| vec![FieldError::new("file", message)])?
        }
    };
    if errors.is_empty() {
        errors.extend(parent_wrong.map(|message| FieldError::new("extends", message)));
    }
    if !errors.is_empty() {
        unknown.alone = Some(table.clone());
    }
    errors.extend(field_mistakes(&definition, unknown));
    if !errors.is_empty() || !sound {
        return Err(inherited_array(&table, errors));
    }
    let rules = compiled(registry, &name, Some(&edition)).map_err(|error| as_fields(&error))?;
    let id = rules.id();
    let what = format!("{}, edition {}, digest {}", id.name, id.edition, id.digest);
    let in_vain = own_in_vain(text, &table, &definition);
    Ok(Checked { name, edition: Some(edition), what, in_vain })
}

/// Warnings of the fields of the file that change nothing; what it inherits is not its own.
fn own_in_vain(text: &str, table: &Table, definition: &Definition) -> Vec<Diagnostic> {
    let is_own = |error: &FieldError| {
        let (section, field) = error.path.split_once('.').unwrap_or((&error.path, ""));
        table.get(section).is_some_and(|section| section.get(field).is_some())
    };
    let warning = |error| Diagnostic { severity: Severity::Warning, ..diagnostic(text, &error) };
    in_vain(definition).into_iter().filter(is_own).map(warning).collect()
}

/// Merges the errors of an inherited array that does not fit the board into one.
fn inherited_array(table: &Table, errors: Vec<FieldError>) -> Vec<FieldError> {
    let own = table.get("setup").is_some_and(|setup| setup.get("board").is_some());
    let Some(parent) = table.get("extends").and_then(Value::as_str).filter(|_| !own) else { return errors };
    let (array, mut others): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(|error| error.path == "setup.board");
    if let Some(first) = array.first() {
        let path = if table.contains_key("board") { "board" } else { "extends" };
        let message = format!(
            "the array of `{parent}` does not fit this game ({}); add its own: [setup] board = \"…\"",
            first.message
        );
        others.push(FieldError::new(path, message));
    }
    others
}

/// Why a known parent cannot be extended.
fn wrong_parent(registry: &Registry, parent: &str) -> Option<String> {
    registry.canonical_name(parent).ok()?;
    let error = compiled(registry, parent, None).err()?;
    Some(format!("`{parent}` has errors; fix it first: {error}"))
}

/// Tests a mutator with every game that it applies to.
fn check_mutator(
    registry: &mut Registry,
    mut mutator: Box<Mutator>,
    lost: &[String],
) -> Result<Checked, Vec<FieldError>> {
    if mutator.mutator.trim().is_empty() || mutator.mutator.contains('+') {
        mutator.mutator = NAMELESS.into();
    }
    let name = registry.insert(File::Mutator(mutator));
    let fields = lost.iter().filter_map(|path| path.strip_prefix("patch.")).map(str::to_owned).collect();
    let unknown = UnknownFields { fields, alone: None };
    let mut games: Vec<String> =
        registry.list().into_iter().filter(|game| !game.mutator).map(|game| game.name).collect();
    games.dedup();
    let (mut over, mut clashes, mut errors) = (Vec::new(), Vec::new(), Vec::<FieldError>::new());
    for game in games {
        let mistakes = match registry.definition(&format!("{name}+{game}"), &|_| None) {
            Ok((definition, _)) => field_mistakes(&definition, unknown.clone()),
            Err(RegistryError::Clash { clash, .. }) => {
                clashes.push(FieldError::new("requires", clash));
                continue;
            }
            Err(error) => as_fields(&error),
        };
        // An error in the game itself is not the mutator's.
        if !mistakes.is_empty() && compiled(registry, &game, None).is_err() {
            continue;
        }
        over.push(game);
        let new = |error: &FieldError| errors.iter().all(|known| known.path != error.path);
        let mistakes: Vec<FieldError> = mistakes.into_iter().filter(new).collect();
        errors.extend(mistakes);
    }
    if let Some(clash) = clashes.pop().filter(|_| over.is_empty()) {
        return Err(vec![clash]);
    }
    if errors.is_empty() {
        let what = format!("mutator {name}, over {}", over.join(", "));
        return Ok(Checked { name, edition: None, what, in_vain: Vec::new() });
    }
    errors.iter_mut().for_each(|error| error.path = format!("patch.{}", error.path));
    Err(errors)
}

/// The mistakes of a game's fields; where it offers armies, tested with the first ones.
fn field_mistakes(definition: &Definition, unknown: UnknownFields) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut choices = Choices::default();
    if !unknown.has_any_in("armies") {
        match some_armies(definition) {
            Err(error) => errors.extend(as_fields(&error)),
            Ok(None) => {}
            Ok(Some((white, black))) => {
                let tags = |tag: &str| match tag {
                    "WhiteArmy" => Some(white.clone()),
                    "BlackArmy" => Some(black.clone()),
                    _ => None,
                };
                match armies::from_tags(definition, &tags) {
                    Ok(armies) => choices.armies = armies,
                    Err(error) => errors.extend(as_fields(&error)),
                }
            }
        }
    }
    errors.extend(compile::mistakes(definition, &choices, unknown));
    errors
}

/// The compiled rules; where a record must choose armies, with the first that the game offers.
fn compiled(registry: &Registry, variant: &str, edition: Option<&str>) -> Result<AnyRules, RegistryError> {
    let tags = |name: &str| if name == "RulesEdition" { edition.map(str::to_owned) } else { None };
    let (definition, _) = registry.definition(variant, &tags)?;
    let armies = some_armies(&definition)?;
    registry.rules(variant, &|name| match (name, &armies) {
        ("WhiteArmy", Some((white, _))) => Some(white.clone()),
        ("BlackArmy", Some((_, black))) => Some(black.clone()),
        _ => tags(name),
    })
}

/// The first two armies that may meet; `None` if the game has no choice of armies.
fn some_armies(definition: &Definition) -> Result<Option<(String, String)>, RegistryError> {
    let section = &definition.armies;
    if section.slots.is_empty() {
        return Ok(None);
    }
    let wrong = |message: String| RegistryError::Definition {
        game: definition.name.clone(),
        errors: vec![FieldError::new("armies.choices", message)],
    };
    let catalogue = catalogue(section).map_err(|error| wrong(error.to_string()))?;
    let mut armies = catalogue.armies(repeats(section)).within(ARMY_CHOICES_MAX);
    let cut = || {
        wrong(format!(
            "no two armies that may meet are among the first {ARMY_CHOICES_MAX} choices; order the lists so that they \
             come earlier, or shorten them"
        ))
    };
    let first = armies.next();
    let first = first.ok_or_else(|| match armies.is_cut() {
        true => cut(),
        false => wrong("the lists allow no army (AUG 2); add choices".into()),
    })?;
    let same_kind = |other: &Army| {
        let kinds = |army: &Army| -> Vec<_> {
            (0..section.slots.len()).filter_map(|slot| catalogue.movement(army, slot).cloned()).collect()
        };
        let ours = kinds(&first);
        kinds(other).iter().any(|kind| ours.contains(kind))
    };
    let second = if section.distinct { armies.find(|other| !same_kind(other)) } else { Some(first.clone()) };
    let second = second.ok_or_else(|| match armies.is_cut() {
        true => cut(),
        false => wrong("no two armies differ in every kind (AUG-9); add choices".into()),
    })?;
    Ok(Some((catalogue.text(&first), catalogue.text(&second))))
}

fn as_fields(error: &RegistryError) -> Vec<FieldError> {
    match error {
        RegistryError::Definition { errors, .. } => errors.clone(),
        RegistryError::Clash { clash, .. } => vec![FieldError::new("requires", clash.clone())],
        other => vec![FieldError::new("name", other.to_string())],
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn checked(text: &str) -> Result<Checked, Vec<Diagnostic>> {
        check(&mut Registry::built_in().clone(), text)
    }

    #[test]
    fn no_pawn_becomes_a_second_king() {
        let found = checked("name = \"kings\"\nextends = \"chess\"\n\n[promotion]\nkinds = [\"Q\", \"K\"]\n")
            .unwrap_err();
        let message = "promotion.kinds: no pawn becomes `K`: a player has one king; remove it";
        assert_eq!(found.iter().map(|found| &*found.message).collect::<Vec<_>>(), [message]);
    }

    #[test]
    fn fields_in_vain_are_warnings() {
        let text = "name = \"vain\"\nextends = \"chess\"\n\n[gating]\nenabled = true\n\n\
                    [drops]\nhand = \"all\"\n\n[promotion]\nforced = \"rank 7-8\"\n";
        let warnings = checked(text).unwrap().in_vain;
        let value = |found: &Diagnostic| std::str::from_utf8(found.span.of(text.as_bytes())).unwrap();
        let field = |found: &Diagnostic| found.message.split(':').next().unwrap().to_owned();
        let found: Vec<_> = warnings.iter().map(|found| (value(found), field(found))).collect();
        let expected =
            [("true", "gating.enabled"), ("\"all\"", "drops.hand"), ("\"rank 7-8\"", "promotion.forced")]
                .map(|(value, field)| (value, field.to_owned()));
        assert_eq!(found, expected);
        assert!(warnings.iter().all(|found| found.severity == Severity::Warning));
        // What is inherited is not the file's own.
        let text = "name = \"child\"\nextends = \"seirawan\"\n\n[setup]\nreserve = \"\"\n";
        assert_eq!(checked(text).unwrap().in_vain, []);
    }

    #[test]
    fn no_game_that_is_built_in_has_fields_in_vain() {
        let registry = Registry::built_in();
        for game in registry.list().into_iter().filter(|game| !game.mutator) {
            let (definition, _) = registry.definition(&game.name, &|_| None).unwrap();
            let found = in_vain(&definition);
            assert!(found.is_empty(), "{}: {found:?}", game.name);
        }
    }
}
