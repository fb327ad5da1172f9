//! What a record chooses of Nature's rules in its tag `NatureRules`: switches, and readings of rulings (CHA-15,
//! CHA-18a).

use super::RegistryError;
use crate::rules::definition::NatureSection;
use crate::text::Span;
use toml::{Table, Value};

/// The fields of the section `nature` that a record may set, with the values of those that have names for them.
const FIELDS: [(&str, &[&str]); 12] = [
    ("period", &[]),
    ("delay", &[]),
    ("delay-scope", &["clock", "piece"]),
    ("delay-frees-castling", &["nature", "all"]),
    ("natures-mate", &["on-move", "either"]),
    ("reentry", &["kind", "piece"]),
    ("en-passant", &["beside", "behind"]),
    ("arrival", &["entry", "any"]),
    ("anti-check", &["any", "move"]),
    ("anti-kings-fed-by", &["opponent", "all"]),
    ("late", &["void", "noted"]),
    ("kinds", &[]),
];

const SWITCHES: [&str; 3] = ["king", "castling", "pawn"];

/// Sets what the tag chooses in the section. A value that holds without being set is not set, so that the rules keep
/// their digest.
///
/// # Errors
/// If a part of the tag is no switch and no field, or is repeated; with the place of that part.
pub(super) fn choose(section: &mut Table, tag: Option<&str>) -> Result<(), RegistryError> {
    let mut seen = Vec::new();
    let mut start = 0;
    for part in tag.unwrap_or_default().split(',') {
        let blanks = part.len() - part.trim_start().len();
        let span = Span::new(start + blanks, start + blanks + part.trim().len());
        start += part.len() + 1;
        let fail = |message: String| RegistryError::Tag {
            tag: "NatureRules".into(),
            span: Some(span).filter(|span| !span.is_empty()),
            message,
        };
        let part = part.trim().to_lowercase();
        let (name, value) = part.split_once('=').map_or((&*part, None), |(name, value)| (name, Some(value)));
        let name = name.trim();
        let switches: &[&str] = match (name, value) {
            ("basic" | "", None) => &[],
            ("advanced", None) => &SWITCHES,
            (name, None) if SWITCHES.contains(&name) => &[name],
            (_, None) => return Err(fail(unknown_switch(&part))),
            (name, Some(value)) => {
                // Outside the section, names may begin with the actor's.
                let name = name.strip_prefix("nature-").unwrap_or(name);
                let field = FIELDS.iter().find(|(field, _)| *field == name);
                let &(field, values) = field.ok_or_else(|| fail(unknown_field(name)))?;
                if seen.contains(&field) {
                    return Err(fail(format!("`{field}` is repeated; name it once")));
                }
                seen.push(field);
                set(section, field, read(field, values, value.trim()).map_err(fail)?);
                continue;
            }
        };
        for switch in switches {
            set(section, switch, Value::Boolean(true));
        }
    }
    let is_on = |switch: &str| section.get(switch).and_then(Value::as_bool) == Some(true);
    if is_on("castling") && !is_on("king") {
        let message = "`castling` needs `king` (CHA-15)".into();
        return Err(RegistryError::Tag { tag: "NatureRules".into(), span: None, message });
    }
    Ok(())
}

/// Sets a field unless it has the value already.
fn set(section: &mut Table, field: &str, value: Value) {
    let default = || Table::try_from(NatureSection::default()).ok()?.remove(field);
    if section.get(field).cloned().or_else(default).as_ref() != Some(&value) {
        section.insert(field.to_owned(), value);
    }
}

fn read(field: &str, values: &[&str], text: &str) -> Result<Value, String> {
    if values.contains(&text) {
        return Ok(Value::String(text.to_owned()));
    }
    match field {
        _ if !values.is_empty() => {
            Err(format!("`{field}` is one of {}, not `{text}`", named(values.iter().copied())))
        }
        "kinds" => {
            let letters = text.to_uppercase();
            let kinds = letters.chars().filter(|letter| !letter.is_whitespace());
            let kinds: Vec<Value> = kinds.map(|letter| Value::String(letter.into())).collect();
            if kinds.is_empty() {
                return Err("`kinds` names no piece; write letters, as in `kinds=QRBN`".into());
            }
            Ok(Value::Array(kinds))
        }
        _ => {
            let number = text.parse::<u8>().ok().filter(|number| *number > 0 || field == "delay");
            let least = if field == "delay" { 0 } else { 1 };
            let wrong = || format!("`{field}` is a number from {least} to 255, not `{text}`");
            number.map(|number| Value::Integer(number.into())).ok_or_else(wrong)
        }
    }
}

fn unknown_switch(part: &str) -> String {
    format!(
        "`{part}` is not a switch; write `basic`, `advanced`, a list of {}, or a field with its value, as in \
            `period=7`",
        named(SWITCHES.into_iter())
    )
}

fn unknown_field(name: &str) -> String {
    format!(
        "`{name}` is no field that a record chooses; use {}",
        named(FIELDS.iter().map(|(field, _)| *field))
    )
}

fn named<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use crate::rules::{AnyRules, Registry, RegistryError};

    fn rules(game: &str, tag: &str) -> Result<AnyRules, RegistryError> {
        Registry::built_in().rules(game, &|name| (name == "NatureRules").then(|| tag.to_owned()))
    }

    fn wrong(tag: &str) -> (String, String) {
        match rules("chaos+chess", tag) {
            Err(RegistryError::Tag { span, message, .. }) => {
                (span.map_or("", |span| &tag[span.start..span.end]).to_owned(), message)
            }
            other => panic!("{tag}: {other:?}"),
        }
    }

    #[test]
    fn a_record_chooses_every_field() {
        let tag = "advanced, period=7, delay=2 , delay-scope=piece, delay-frees-castling=all, \
            natures-mate=either, reentry=piece, nature-en-passant=behind, kinds=NQ";
        let rules = rules("chaos+chess", tag).unwrap();
        let nature = toml::Table::try_from(&rules.definition().nature).unwrap();
        for (field, value) in [
            ("king", "true"),
            ("castling", "true"),
            ("pawn", "true"),
            ("period", "7"),
            ("delay", "2"),
            ("delay-scope", "\"piece\""),
            ("delay-frees-castling", "\"all\""),
            ("natures-mate", "\"either\""),
            ("reentry", "\"piece\""),
            ("en-passant", "\"behind\""),
            ("kinds", "[\"N\", \"Q\"]"),
        ] {
            assert_eq!(nature[field].to_string(), value, "{field}");
        }
    }

    /// Every reading has rules of its own; one that holds anyway changes nothing.
    #[test]
    fn a_default_written_out_is_one_left_out() {
        let digest = |tag: &str| rules("chaos+chess", tag).unwrap().id().digest.clone();
        let mut digests = vec![digest("")];
        for same in [
            "basic",
            "period=5",
            "delay=3, delay-scope=clock",
            "delay-frees-castling=nature,natures-mate=on-move",
            "reentry=kind, en-passant=beside, kinds=QRBN",
        ] {
            assert_eq!(digest(same), digests[0], "{same}");
        }
        for other in ["period=6", "delay=0", "delay-scope=piece", "en-passant=behind", "kinds=Q", "pawn"] {
            let digest = digest(other);
            assert!(!digests.contains(&digest), "{other}");
            digests.push(digest);
        }
    }

    #[test]
    fn what_a_record_cannot_choose_is_refused_at_its_place() {
        for (tag, part, message) in [
            ("king, perod=7", "perod=7", "`perod` is no field"),
            ("king, wild", "wild", "`wild` is not a switch"),
            ("period=0", "period=0", "a number from 1 to 255, not `0`"),
            ("delay = soon", "delay = soon", "a number from 0 to 255"),
            ("reentry=pawn", "reentry=pawn", "`reentry` is one of `kind`, `piece`, not `pawn`"),
            ("period=6,period=7", "period=7", "`period` is repeated"),
            ("kinds=", "kinds=", "names no piece"),
            ("castling", "", "`castling` needs `king`"),
        ] {
            let (place, said) = wrong(tag);
            assert_eq!(place, part, "{tag}");
            assert!(said.contains(message), "{tag}: {said}");
        }
        let error = rules("chaos+chess", "kinds=QX").unwrap_err().to_string();
        assert!(error.contains("nature.kinds"), "{error}");
    }

    #[test]
    fn what_nature_would_not_heed_is_refused() {
        let with = |text: &str, game: &str| {
            let registry = Registry::with_files([text]).unwrap();
            registry.rules(game, &|_| None).map(|_| ()).map_err(|error| error.to_string())
        };
        let own = |nature: &str| format!("name = \"own\"\nextends = \"chess\"\n{nature}\n");
        let slow = own("[nature]\nperiod = 7");
        let error = with(&slow, "chaos+own").unwrap_err();
        assert!(error.contains("`nature.period = 7` has no effect: `chaos` sets 5"), "{error}");
        let error = with(&slow, "own").unwrap_err();
        assert!(error.contains("nature.enabled"), "{error}");
        let error = with(&own("[pieces]\nN = { nature = \"K\" }"), "chaos+own").unwrap_err();
        assert!(error.contains("`pieces.N.nature = \"K\"` has no effect"), "{error}");
        assert_eq!(with(&own("[pieces]\nN = { nature = \"N\" }"), "chaos+own"), Ok(()));
        let mutator = "mutator = \"slow\"\ntitle = \"Slow\"\n[patch.nature]\ndelay = 9\n";
        let error = with(mutator, "slow+chaos+chess").unwrap_err();
        assert!(error.contains("`nature.delay = 9` has no effect"), "{error}");
    }

    /// The table of Nature's castling is that of boards of 8 by 8 (CHA 10).
    #[test]
    fn other_boards_have_no_castling_of_natures() {
        let Ok(AnyRules::Wide(rules)) = rules("chaos+capablanca", "advanced") else {
            panic!("Nature plays on large boards too")
        };
        let nature = rules.nature.as_ref().unwrap();
        assert!(nature.castling_pairs.is_empty());
        let lines = crate::board::parse_region(rules.board(), "rank 4-5 + file e-f").unwrap();
        assert_eq!(nature.en_passant, lines);
    }
}
