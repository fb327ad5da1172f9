//! Checks values against the JSON Schemas under `formats/schema/`. It knows the keywords that those use, and fails on
//! any other, so that no keyword is in them in vain.

use serde_json::Value;

/// The first thing in which a value is not as the schema wants it, with its path; nothing if it fits.
pub fn fault(schema: &Value, value: &Value) -> Option<String> {
    check(schema, schema, value, "$").err()
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let Some(keywords) = schema.as_object() else { return Err(format!("{path}: {schema} is no schema")) };
    for (keyword, wanted) in keywords {
        let fits = match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "required" | "additionalProperties" => {
                true
            }
            "$ref" => {
                let pointer = wanted.as_str().and_then(|name| name.strip_prefix('#')).unwrap_or("?");
                let target = root.pointer(pointer).ok_or_else(|| format!("no {wanted}"))?;
                check(root, target, value, path)?;
                true
            }
            "type" => is_type(wanted.as_str().unwrap_or_default(), value),
            "const" => value == wanted,
            "enum" => wanted.as_array().is_some_and(|all| all.contains(value)),
            "anyOf" | "oneOf" => {
                let all = wanted.as_array().map_or(&[][..], Vec::as_slice);
                let faults: Vec<_> = all.iter().map(|one| check(root, one, value, path)).collect();
                let fitting = faults.iter().filter(|fault| fault.is_ok()).count();
                if fitting == 0 {
                    let faults: Vec<_> = faults.into_iter().filter_map(Result::err).collect();
                    return Err(format!("{path}: none fits: {}", faults.join("; ")));
                }
                fitting == 1 || keyword == "anyOf"
            }
            "properties" => {
                for (key, inner) in wanted.as_object().into_iter().flatten() {
                    if let Some(value) = value.get(key) {
                        check(root, inner, value, &format!("{path}.{key}"))?;
                    }
                }
                true
            }
            "items" => {
                for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, wanted, value, &format!("{path}[{index}]"))?;
                }
                true
            }
            "minimum" => number(value) >= number(wanted),
            "maximum" => number(value) <= number(wanted),
            "multipleOf" => is_multiple(value, wanted),
            "minItems" => value.as_array().map(Vec::len) >= size(wanted),
            "maxItems" => value.as_array().map(Vec::len) <= size(wanted),
            "minLength" => value.as_str().map(|text| text.chars().count()) >= size(wanted),
            "minProperties" => value.as_object().map(serde_json::Map::len) >= size(wanted),
            "pattern" => {
                value.as_str().is_some_and(|text| matches(wanted.as_str().unwrap_or_default(), text))
            }
            other => return Err(format!("{path}: the keyword {other} is not known here")),
        };
        if !fits {
            return Err(format!("{path}: {keyword} {wanted} does not fit {value}"));
        }
    }
    let Some(object) = value.as_object() else { return Ok(()) };
    for key in keywords.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !key.as_str().is_some_and(|key| object.contains_key(key)) {
            return Err(format!("{path}: {key} is missing"));
        }
    }
    let known = |key: &str| keywords.get("properties").is_some_and(|known| known.get(key).is_some());
    match keywords.get("additionalProperties") {
        Some(Value::Bool(false)) => match object.keys().find(|key| !known(key)) {
            Some(key) => Err(format!("{path}: {key} is not known")),
            None => Ok(()),
        },
        None => Ok(()),
        Some(other) => Err(format!("{path}: additionalProperties {other} is not known here")),
    }
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

/// A number without its fraction.
fn number(value: &Value) -> i128 {
    let whole = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
    whole.or(value.as_f64().map(|number| number.floor() as i128)).unwrap_or(i128::MIN)
}

fn is_multiple(value: &Value, of: &Value) -> bool {
    let part = value.as_f64().zip(of.as_f64()).map(|(value, of)| value / of);
    part.is_some_and(|part| part.fract() == 0.0)
}

fn size(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|size| usize::try_from(size).ok())
}

/// The patterns of the schemas: `^`, classes in brackets or single characters, each with `?`, `+` or `{n}`, `$`.
fn matches(pattern: &str, text: &str) -> bool {
    let body = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let body: Vec<char> = body.unwrap_or_else(|| panic!("{pattern} is not anchored")).chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut pos) = (0, 0);
    while at < body.len() {
        let end = match body[at] {
            '[' => at + body[at..].iter().position(|c| *c == ']').unwrap_or_else(|| panic!("{pattern}")),
            _ => at,
        };
        let class = &body[at..=end];
        let (least, most, next) = match body.get(end + 1) {
            Some('?') => (0, 1, end + 2),
            Some('+') => (1, usize::MAX, end + 2),
            Some('{') => {
                let close =
                    end + body[end..].iter().position(|c| *c == '}').unwrap_or_else(|| panic!("{pattern}"));
                let count: String = body[end + 2..close].iter().collect();
                let count = count.parse().unwrap_or_else(|_| panic!("{pattern}"));
                (count, count, close + 1)
            }
            _ => (1, 1, end + 1),
        };
        let found = text[pos..].iter().take(most).take_while(|c| in_class(class, **c)).count();
        if found < least {
            return false;
        }
        (pos, at) = (pos + found, next);
    }
    pos == text.len()
}

fn in_class(class: &[char], c: char) -> bool {
    let [_, inner @ .., _] = class else { return class == [c] };
    let mut rest = inner;
    loop {
        rest = match rest {
            [from, '-', to, rest @ ..] => {
                if (*from..=*to).contains(&c) {
                    return true;
                }
                rest
            }
            [one, rest @ ..] => {
                if *one == c {
                    return true;
                }
                rest
            }
            [] => return false,
        };
    }
}

#[test]
fn the_checker_finds_faults() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": { "a": { "type": "string", "pattern": "^[a-p][1-9][0-9]?$" }, "b": { "enum": [1, 2] } }
    });
    let fits = |value: Value| fault(&schema, &value).is_none();
    assert!(fits(serde_json::json!({"a": "e4"})) && fits(serde_json::json!({"a": "p16", "b": 2})));
    for bad in
        [r#"{}"#, r#"{"a":"e"}"#, r#"{"a":"e44x"}"#, r#"{"a":"q1"}"#, r#"{"a":1}"#, r#"{"a":"e4","c":1}"#]
    {
        assert!(!fits(serde_json::from_str(bad).unwrap_or_default()), "{bad}");
    }
}
