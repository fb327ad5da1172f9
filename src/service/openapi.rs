//! The OpenAPI document: the handlers' own descriptions, and additions common to all of them.

use super::problem;
use ferz::diagram::PieceSet;
use ferz::notation::Style;
use serde_json::{Value, json};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// Handwritten schemas of the library's data: name and text.
const SCHEMAS: [(&str, &str); 5] = [
    ("Report", include_str!("../../formats/schema/report.json")),
    ("Game", include_str!("../../formats/schema/game.json")),
    ("Bundle", include_str!("../../formats/schema/bundle.json")),
    ("Certificate", include_str!("../../formats/schema/certificate.json")),
    ("Verdict", include_str!("../../formats/schema/verdict.json")),
];

/// Declares placeholder types for the schemas in the descriptions of answers.
macro_rules! stand_ins {
    ($($(#[doc = $doc:literal])* $name:ident;)*) => {$(
        $(#[doc = $doc])*
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new().into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

stand_ins! {
    /// A report.
    Report;
    /// A finding with its place.
    Diagnostic;
    /// An entry of the archive.
    Game;
    /// An entry in brief.
    Summary;
    /// An entry with its proof.
    Bundle;
    /// A claim.
    Claim;
    /// A verdict.
    Verdict;
}

/// An entry of a list.
pub struct Listed;

impl PartialSchema for Listed {
    fn schema() -> RefOr<Schema> {
        let reference = |name: &str| Ref::from_schema_name(name);
        OneOfBuilder::new().item(reference("Summary")).item(reference("Found")).into()
    }
}

impl ToSchema for Listed {}

/// The identity of an entry.
pub struct Id;

impl PartialSchema for Id {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9a-f]{32}$")).into()
    }
}

impl ToSchema for Id {}

/// The id of an entry, or the first digits of it.
pub struct IdDigits;

impl PartialSchema for IdDigits {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9a-f]{4,32}$")).into()
    }
}

impl ToSchema for IdDigits {}

/// The name of a kind of problems.
pub struct ProblemName;

impl PartialSchema for ProblemName {
    fn schema() -> RefOr<Schema> {
        names("The last part of a problem's type", problem::ALL.iter().map(|kind| kind.name)).into()
    }
}

impl ToSchema for ProblemName {}

/// Records in a JSON object.
#[derive(serde::Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)] // only describes what `body` reads without a copy
pub struct Records {
    /// The records, one after the other
    records: String,
    /// Definitions of games besides those that the service knows, in TOML, parents first: at most 8 of 64 KiB. The
    /// records name them in the tag `Variant`
    #[serde(default)]
    definitions: Vec<String>,
}

/// Converted records.
#[derive(ToSchema)]
#[allow(dead_code)] // it is written piece by piece
pub struct Converted {
    /// The records in PGN export format, one after the other; with `to=json` a list of objects, one a record
    records: WrittenRecords,
    /// What was lost or could not be expressed, each with the number of its game
    losses: Vec<Diagnostic>,
    /// Errors in the records other than losses, such as an unclosed comment, each with the number of its game
    errors: Vec<Diagnostic>,
    /// The number of losses and errors omitted: the answer has the first 1,000 of each of one record. Absent if all
    /// are present
    #[schema(required = false)]
    left_out: LeftOut,
}

/// Losses and errors omitted from an answer.
#[derive(ToSchema)]
#[allow(dead_code)] // it is written piece by piece
pub struct LeftOut {
    /// Losses omitted
    losses: u64,
    /// Errors omitted
    errors: u64,
}

fn names<T: Into<Value>>(what: &str, names: impl IntoIterator<Item = T>) -> Schema {
    let schema = ObjectBuilder::new().schema_type(Type::String).description(Some(what));
    schema.enum_values(Some(names.into_iter().map(Into::into))).into()
}

/// The same for a parameter that may have no value, which counts as absent.
fn names_or_none<T: Into<Value>>(what: &str, given: impl IntoIterator<Item = T>) -> Schema {
    names(what, given.into_iter().map(Into::into).chain(std::iter::once(Value::from(""))))
}

/// The name of a style.
pub struct StyleName;

impl PartialSchema for StyleName {
    fn schema() -> RefOr<Schema> {
        names("The style to write", Style::ALL.map(Style::name)).into()
    }
}

impl ToSchema for StyleName {}

/// The names of the styles, and `json`.
pub struct TargetName;

impl PartialSchema for TargetName {
    fn schema() -> RefOr<Schema> {
        let all = Style::ALL.map(Style::name).into_iter().chain(["json"]);
        names("The style to write, or `json` for records as data", all).into()
    }
}

impl ToSchema for TargetName {}

/// Converted records: a text, or a list of objects.
pub struct WrittenRecords;

impl PartialSchema for WrittenRecords {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let objects = ArrayBuilder::new().items(ObjectBuilder::new().schema_type(Type::Object));
        Schema::OneOf(OneOfBuilder::new().item(text).item(objects).build()).into()
    }
}

impl ToSchema for WrittenRecords {}

/// The names of the styles, and `auto`.
pub fn styles_or_auto() -> Schema {
    let given = std::iter::once("auto").chain(Style::ALL.map(Style::name));
    names_or_none("The only accepted style, or `auto` for any", given)
}

/// The signs of gating and drops.
pub fn signs() -> Schema {
    names_or_none("The sign of gating and drops in style iago", ["&", "@", "/", "^"])
}

/// The names of the drawings of pieces.
pub fn piece_sets() -> Schema {
    names_or_none("Drawings of the pieces", PieceSet::ALL.map(PieceSet::name))
}

/// Adds a published schema to the document: definitions become components, and references are adapted.
fn take_in(schemas: &mut Value, name: &str, text: &str) -> Result<(), serde_json::Error> {
    let mut schema: Value = serde_json::from_str(text)?;
    refer(&mut schema, name);
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        if let Some(Value::Object(parts)) = object.remove("$defs") {
            for (part, schema) in parts {
                schemas[part] = schema;
            }
        }
    }
    schemas[name] = schema;
    Ok(())
}

fn refer(schema: &mut Value, name: &str) {
    match schema {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(to) if key == "$ref" => {
                        let part = match to.strip_prefix("#/$defs/") {
                            Some(part) => part,
                            None if to == "report.json" => "Report",
                            None if to == "certificate.json" => "Certificate",
                            None => name,
                        };
                        *to = format!("#/components/schemas/{part}");
                    }
                    inner => refer(inner, name),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|inner| refer(inner, name)),
        _ => {}
    }
}

/// The whole document, from the handlers' own descriptions.
///
/// # Errors
/// If a handwritten schema is not JSON.
pub fn document(api: &OpenApi) -> Result<Value, serde_json::Error> {
    let mut document = serde_json::to_value(api)?;
    document["info"] = json!({
        "title": "ferz",
        "summary": "The referee's desk for chess and its variants",
        "description": "Judges, converts and stores game records. formats/HTTP.md explains routes, forms and limits.",
        "version": env!("CARGO_PKG_VERSION"),
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    });
    for (name, text) in SCHEMAS {
        take_in(&mut document["components"]["schemas"], name, text)?;
    }
    document["components"]["schemas"]["Problem"] = problem_schema();
    document["components"]["securitySchemes"] = json!({
        "token": {"type": "http", "scheme": "bearer", "description": "A token created with `ferz archive token add`"},
        "password": {"type": "http", "scheme": "basic", "description": "Any name, and the token as password"},
    });
    // Without a token in the archive the service is open.
    document["security"] = json!([{}, {"token": []}, {"password": []}]);
    if let Some(paths) = document["paths"].as_object_mut() {
        let operations =
            paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut());
        for operation in operations.filter(|operation| operation["responses"].is_object()) {
            if operation["requestBody"].is_object() {
                // No body is one without any record.
                operation["requestBody"]["required"] = false.into();
            }
            operation["responses"]["default"] = json!({
                "description": "A problem",
                "content": {problem::CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            });
        }
    }
    Ok(document)
}

fn problem_schema() -> Value {
    let number = || json!({"type": "integer", "minimum": 1});
    let types: Vec<String> = problem::ALL.iter().map(|kind| format!("/problems/{}", kind.name)).collect();
    json!({
        "description": "An error with its place and remedy (RFC 9457)",
        "type": "object",
        "required": ["type", "title", "status", "detail", "remedy"],
        "properties": {
            "type": {"type": "string", "format": "uri-reference", "enum": types},
            "title": {"type": "string"},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string"},
            "remedy": {"type": "string"},
            "line": number(),
            "column": number(),
            "ply": number(),
            "span": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2},
            "head": {"type": "string", "description": "The present head of the game in progress"},
            "illegal": {"type": "object", "description": "Why the ply is not legal, as in a report"},
            "request_id": {"type": "string"},
        },
    })
}

/// The methods of a path, in words; `None` if the document does not have the path.
pub fn methods(document: &Value, path: &str) -> Option<String> {
    let fits = |template: &str| {
        let mut parts = template.split('/').zip(path.split('/'));
        template.split('/').count() == path.split('/').count()
            && parts.all(|(wanted, given)| wanted == given || wanted.starts_with('{') && !given.is_empty())
    };
    let (_, item) = document["paths"].as_object()?.iter().find(|(template, _)| fits(template))?;
    let mut methods: Vec<String> = item.as_object()?.keys().map(|method| method.to_uppercase()).collect();
    if methods.iter().any(|method| method == "GET") {
        methods.push("HEAD".into());
    }
    methods.sort();
    Some(methods.join(", "))
}
