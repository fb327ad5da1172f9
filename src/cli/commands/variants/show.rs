//! `ferz variants show`: prints a game's merged definition.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::position_args::TagArgs;
use crate::cli::session::{Session, no_such_game};
use ferz::notation::Style;
use ferz::rules::classify::{Classification, classify};
use ferz::rules::prose::prose;
use ferz::rules::readings::RULINGS;
use ferz::rules::{AnyRules, Definition, RegistryError};
use serde_json::Value;
use std::fmt::Write;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of the game, mutators first
    name: String,

    #[command(flatten)]
    tags: TagArgs,

    /// Print the rules as sentences, each with its article, instead of the fields
    #[arg(long)]
    prose: bool,
}

const EXAMPLES: &str = "\
Examples:
  ferz variants show iago-b
  ferz variants show chaos+chess --prose
  ferz variants show chaos+chess --tag NatureRules=king
  ferz variants show augmented --tag 'WhiteArmy=RF ND BfbN QffNsbN' --tag 'BlackArmy=RA NW BD RNF'";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let (definition, rules) = args.tags.with_lookup(None, session, |session, tags| {
        let (definition, _) = session.registry().definition(&args.name, tags).map_err(no_such_game)?;
        let rules = match session.registry().rules(&args.name, tags) {
            Ok(rules) => Ok(rules),
            // Without the tags that the game needs there are no compiled rules, but still a definition.
            Err(RegistryError::Tag { tag, .. }) if tags(&tag).is_none() => Err(tag),
            Err(error) => return Err(Failure::message(error)),
        };
        Ok((definition, rules))
    })?;
    if args.prose {
        let text = prose(&definition, &digest(rules.as_ref()));
        session.console.text(&text)?;
        return Ok(ExitStatus::Fine);
    }
    let values = serde_json::to_value(&definition).map_err(Failure::message)?;
    let mut out = String::new();
    head(&definition, rules.as_ref(), &mut out);
    array(&definition, &mut out);
    pieces(&definition, rules.as_ref().ok(), &mut out);
    armies(&definition, &mut out);
    switches(&values, &mut out);
    readings(&definition, &values, &mut out)?;
    session.console.text(&out)?;
    Ok(ExitStatus::Fine)
}

// Writing to a string cannot fail, so the results of `write!` are ignored below.

fn digest(rules: Result<&AnyRules, &String>) -> String {
    match rules {
        Ok(rules) => rules.id().digest.clone(),
        Err(tag) => format!("depends on the tag {tag} of the record"),
    }
}

fn head(definition: &Definition, rules: Result<&AnyRules, &String>, out: &mut String) {
    let digest = digest(rules);
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "{name:10}{value}");
        }
    };
    line("name", &definition.name);
    line("title", &definition.title);
    line("edition", &definition.edition);
    line("digest", &digest);
    // A mutator makes another class of a game than the one that its definition has from it.
    let Classification { class, clause, .. } = classify(definition, &definition.name);
    let article = clause.split(':').next().unwrap_or_default();
    line("class", &format!("{class} ({article})"));
    line("source", &definition.source);
    line("extends", definition.extends.as_deref().unwrap_or_default());
    line("aliases", &definition.aliases.join(", "));
    line("notation", &definition.native_style);
    let own = Style::ALL.into_iter().filter(|style| style.own().is_some() && style.is_for(definition));
    line("styles", &own.map(Style::name).collect::<Vec<_>>().join(", "));
    line("needs", &definition.needs_tags.join(", "));
    line("board", &format!("{} files, {} ranks", definition.board.files, definition.board.ranks));
}

fn array(definition: &Definition, out: &mut String) {
    let setup = &definition.setup;
    let from = if setup.from_record { "array (a record's start position replaces it)" } else { "array" };
    let _ = writeln!(out, "\n{}", titled(from, &setup.rule));
    for rank in setup.board.split('/').filter(|rank| !rank.is_empty()) {
        let _ = writeln!(out, "  {}", spaced(rank));
    }
    for (name, stock) in [("reserve", &setup.reserve), ("hand", &setup.hand)] {
        if !stock.is_empty() {
            let _ = writeln!(out, "  each player's {name}: {stock}");
        }
    }
}

/// A rank of a FEN with a dot for each vacant square and spaces between squares.
fn spaced(rank: &str) -> String {
    let mut squares: Vec<String> = Vec::new();
    let mut number = 0usize;
    for letter in rank.chars().chain(['\0']) {
        if let Some(digit) = letter.to_digit(10) {
            number = number * 10 + digit as usize;
            continue;
        }
        // A rank has no more squares than files; cut an absurd number.
        squares.extend(std::iter::repeat_n(".".to_owned(), number.min(ferz::text::limits::FILES_MAX)));
        number = 0;
        match (letter, squares.last_mut()) {
            ('\0', _) => {}
            ('\'' | '~', Some(last)) => last.push(letter),
            _ => squares.push(letter.to_string()),
        }
    }
    squares.join(" ")
}

fn pieces(definition: &Definition, rules: Option<&AnyRules>, out: &mut String) {
    let chosen = rules.is_some() && !definition.armies.slots.is_empty();
    out.push_str("\npieces (letter, name, movement in Betza notation)\n");
    for (letter, piece) in &definition.pieces {
        let movement = piece.movement();
        let betza = match (movement.as_str(), &piece.nature) {
            ("", _) if definition.armies.slots.contains(letter) => "chosen by the armies",
            ("", Some(_)) => "Nature's alone",
            (betza, _) => betza,
        };
        let _ = write!(out, "  {letter:2} {:12} {betza:14}", piece.name);
        let mut facts: Vec<String> = Vec::new();
        facts.extend(piece.royal.then(|| "royal".into()));
        facts.extend(piece.pawn.then(|| "pawn".into()));
        facts.extend(piece.natures_movement().map(|movement| format!("Nature's: {movement}")));
        facts.extend(piece.promotes_to.as_ref().map(|kind| format!("promotes to {kind}")));
        facts.extend(piece.drop.as_ref().map(|squares| format!("dropped on {squares}")));
        let hops = |not: &String| format!("neither jumps over {not} nor captures it");
        facts.extend(Some(&piece.hurdle_not).filter(|not| !not.is_empty()).map(hops));
        facts.extend(piece.captured_as.as_ref().map(|kind| format!("captured as {kind}")));
        facts.extend((!piece.also.is_empty()).then(|| format!("also written {}", piece.also.join(", "))));
        facts.extend(piece.home_made.as_ref().map(|how| format!("home-made: {how}")));
        let _ = writeln!(out, " {}", facts.join("; "));
        trim_line(out);
    }
    if chosen {
        out.push_str("  chosen:");
        match rules {
            Some(AnyRules::Narrow(rules)) => chosen_kinds(&rules.kinds, out),
            Some(AnyRules::Wide(rules)) => chosen_kinds(&rules.kinds, out),
            None => {}
        }
    }
}

fn chosen_kinds(kinds: &[ferz::rules::KindInfo], out: &mut String) {
    for kind in kinds.iter().filter(|kind| !kind.royal && !kind.pawn) {
        let _ = write!(out, " {}={}", kind.key(), kind.movement());
    }
    out.push('\n');
}

fn armies(definition: &Definition, out: &mut String) {
    for slot in &definition.armies.slots {
        let choices = definition.armies.choices.get(slot).map_or(&[][..], Vec::as_slice);
        let kinds: Vec<String> = choices
            .iter()
            .map(|choice| format!("{} ({})", choice.betza, choice.augmenters.join(", ")))
            .collect();
        let _ = writeln!(out, "  {slot} may be: {}", kinds.join(", "));
    }
}

/// The sections of switches, in the order of a game's phases.
const SECTIONS: [&str; 14] = [
    "pawns",
    "promotion",
    "castling",
    "gating",
    "drops",
    "deployment",
    "captures",
    "switch",
    "pass",
    "ends",
    "nature",
    "armies",
    "equipment",
    "cites",
];

fn switches(values: &Value, out: &mut String) {
    for section in SECTIONS {
        let Some(Value::Object(fields)) = values.get(section) else { continue };
        // The tables of choices are shown with the pieces.
        let shown = |name: &str| {
            name != "rule" && !(section == "armies" && matches!(name, "choices" | "augmenters-of-base"))
        };
        // Plies that few games have are shown in these games alone.
        let idle = |value: &Value| matches!(value, Value::Bool(false)) || value.as_str() == Some("");
        if matches!(section, "switch" | "pass") && fields.values().all(idle) {
            continue;
        }
        let off = fields.get("enabled") == Some(&Value::Bool(false))
            || section == "armies"
                && fields.get("slots").and_then(Value::as_array).is_some_and(Vec::is_empty);
        let rule = fields.get("rule").and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(out, "\n{}", titled(section, if off { "" } else { rule }));
        if off || fields.is_empty() {
            out.push_str("  none\n");
            continue;
        }
        for (name, value) in fields.iter().filter(|(name, _)| shown(name)) {
            let _ = match toml(value) {
                Some(value) => writeln!(out, "  {} = {value}", key(name)),
                None => writeln!(out, "  # {name} is not set: no limit"),
            };
        }
    }
}

fn readings(definition: &Definition, values: &Value, out: &mut String) -> Result<(), Failure> {
    let table = toml::Table::try_from(definition).map_err(Failure::message)?;
    let matter: Vec<_> = RULINGS.iter().filter(|ruling| ruling.matters(definition, &table)).collect();
    if matter.is_empty() {
        return Ok(());
    }
    out.push_str("\nreadings of rulings that are fields\n");
    for ruling in matter {
        let field = ruling.field;
        let Some(value) = values.pointer(&format!("/{}", field.replace('.', "/"))) else { continue };
        let on = match value {
            Value::Object(_) => "…, as listed above".to_owned(),
            value => toml(value).unwrap_or_default(),
        };
        let _ = write!(out, "  {:7} {field} = {on}", ruling.id);
        let spelt = |reading: &str| match value {
            Value::Bool(_) => reading.to_owned(),
            _ => format!("\"{reading}\""),
        };
        let others: Vec<String> =
            ruling.readings.iter().map(|reading| spelt(reading)).filter(|reading| *reading != on).collect();
        if !others.is_empty() {
            let _ = write!(out, "  (other reading: {})", others.join(", "));
        }
        out.push('\n');
    }
    Ok(())
}

/// A value as in a definition; `None` for an unset field.
fn toml(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Array(list) => format!("[{}]", list.iter().filter_map(toml).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) if fields.is_empty() => "{}".into(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                toml(value).map(|value| format!("{} = {value}", key(name)))
            };
            format!("{{ {} }}", fields.iter().filter_map(field).collect::<Vec<_>>().join(", "))
        }
        // TOML has the escapes of JSON.
        other => other.to_string(),
    })
}

/// A key, quoted if necessary.
fn key(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !name.is_empty() && name.bytes().all(bare) { name.to_owned() } else { Value::from(name).to_string() }
}

fn titled(name: &str, rule: &str) -> String {
    if rule.is_empty() { name.to_owned() } else { format!("{name}  [{rule}]") }
}

fn trim_line(out: &mut String) {
    let length = out.trim_end().len();
    out.truncate(length);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz::rules::Registry;

    /// The printed lines of a section, parsed as TOML, give the section again.
    #[test]
    fn what_is_shown_can_be_pasted_into_a_definition() {
        let registry = Registry::built_in();
        let mutators = ["", "misere+", "bareking+", "chaos+"];
        let games = registry.list().into_iter().filter(|game| !game.mutator).map(|game| game.name);
        let mut shown = 0;
        for name in games.flat_map(|game| mutators.map(|mutator| format!("{mutator}{game}"))) {
            let Ok((definition, _)) = registry.definition(&name, &|_| None) else { continue };
            let values = serde_json::to_value(&definition).unwrap();
            let mut text = String::new();
            switches(&values, &mut text);
            for section in text.split("\n\n").map(str::trim) {
                let (head, lines) = section.split_once('\n').unwrap();
                let section = head.split(' ').next().unwrap();
                if lines.trim() == "none" {
                    continue;
                }
                let read: toml::Table =
                    lines.parse().unwrap_or_else(|error| panic!("{name}: {lines}: {error}"));
                let read = serde_json::to_value(&read).unwrap();
                for (field, value) in values[section].as_object().unwrap() {
                    let given = !value.is_null() && field != "rule";
                    if given && !matches!(field.as_str(), "choices" | "augmenters-of-base") {
                        assert_eq!(&read[field], value, "{name}: {section}.{field}");
                        shown += 1;
                    }
                }
            }
        }
        assert!(shown > 1000, "{shown}");
    }
}
