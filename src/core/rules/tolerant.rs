//! A definition file as a tree with places, for reading typed values. Removes and reports whatever does not fit and
//! reads the rest again, so that one mistake does not hide another.

use crate::text::{Span, distance};
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use std::fmt::{self, Display};
use toml::de::{DeTable, DeValue};

/// Maximum number of reported mistakes; a file with more is hardly a definition.
const MISTAKES_MAX: usize = 100;

/// A value with its place in the file.
#[derive(Debug, Clone)]
pub(super) struct Node {
    span: Span,
    value: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Text(String),
    Number(i64),
    Float(f64),
    Switch(bool),
    Date,
    List(Vec<Node>),
    Table(Vec<Field>),
}

#[derive(Debug, Clone)]
struct Field {
    key: String,
    key_span: Span,
    node: Node,
}

/// A value that does not fit its field, or an unknown field.
#[derive(Debug)]
pub(super) struct Misfit {
    /// The path of keys and list indices, innermost first while it is being built.
    steps: Vec<String>,
    /// Its place; known once it is within a table or list.
    span: Option<Span>,
    message: String,
}

impl Misfit {
    /// The field, such as `captures.to`.
    pub(super) fn path(&self) -> String {
        let keys = self.steps.iter().filter(|step| step.parse::<usize>().is_err());
        keys.map(String::as_str).collect::<Vec<_>>().join(".")
    }

    /// The place in the file.
    pub(super) fn span(&self) -> Span {
        self.span.unwrap_or(Span::new(0, 0))
    }

    /// The field and its fault.
    pub(super) fn message(&self) -> String {
        let path = self.path();
        if path.is_empty() { self.message.clone() } else { format!("{path}: {}", self.message) }
    }

    /// Extends the path: the tree is the value of `key` in a larger one.
    pub(super) fn put_within(&mut self, key: &str) {
        self.steps.insert(0, key.to_owned());
    }

    fn within(mut self, step: &str, span: Span) -> Misfit {
        self.steps.push(step.to_owned());
        self.span.get_or_insert(span);
        self
    }
}

impl Node {
    /// The tree of a parsed file.
    pub(super) fn of_table(table: &DeTable<'_>, span: Span) -> Node {
        let field = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let key: &toml::Spanned<std::borrow::Cow<'_, str>> = key;
            Field {
                key: key.get_ref().to_string(),
                key_span: spanned(key.span()),
                node: Node::of_value(value.get_ref(), spanned(value.span())),
            }
        };
        Node { span, value: Content::Table(table.iter().map(field).collect()) }
    }

    fn of_value(value: &DeValue<'_>, span: Span) -> Node {
        let value = match value {
            DeValue::String(text) => Content::Text(text.to_string()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_or(Content::Float(f64::INFINITY), Content::Number),
            DeValue::Float(number) => Content::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(switch) => Content::Switch(*switch),
            DeValue::Datetime(_) => Content::Date,
            DeValue::Array(list) => {
                let item =
                    |item: &toml::Spanned<DeValue<'_>>| Node::of_value(item.get_ref(), spanned(item.span()));
                Content::List(list.iter().map(item).collect())
            }
            DeValue::Table(table) => return Node::of_table(table, span),
        };
        Node { span, value }
    }

    /// True for tables.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.value, Content::Table(_))
    }

    /// The value of a key; `None` if it is missing or this is not a table.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let Content::Table(fields) = &self.value else { return None };
        fields.iter().find(|field| field.key == key).map(|field| &field.node)
    }

    /// The same, mutable.
    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let Content::Table(fields) = &mut self.value else { return None };
        fields.iter_mut().find(|field| field.key == key).map(|field| &mut field.node)
    }

    /// Removes everything that does not fit; returns the rest, typed, and the removed parts. Returns no value if there
    /// are too many mistakes.
    pub(super) fn read<T: DeserializeOwned>(&mut self) -> (Option<T>, Vec<Misfit>) {
        let mut misfits = Vec::new();
        loop {
            match T::deserialize(&*self) {
                Ok(value) => return (Some(value), misfits),
                Err(mut misfit) => {
                    misfit.steps.reverse();
                    misfit.span.get_or_insert(self.span);
                    let cut = self.cut(&misfit.steps);
                    misfits.push(misfit);
                    if !cut || misfits.len() >= MISTAKES_MAX {
                        return (None, misfits);
                    }
                }
            }
        }
    }

    /// Removes the value at the end of `steps`; false if there is none.
    fn cut(&mut self, steps: &[String]) -> bool {
        let Some((step, rest)) = steps.split_first() else { return false };
        match &mut self.value {
            Content::Table(fields) => {
                let Some(index) = fields.iter().position(|field| field.key == *step) else { return false };
                if rest.is_empty() {
                    fields.remove(index);
                    return true;
                }
                fields[index].node.cut(rest)
            }
            Content::List(items) => {
                let Some(index) = step.parse().ok().filter(|&index: &usize| index < items.len()) else {
                    return false;
                };
                if rest.is_empty() {
                    items.remove(index);
                    return true;
                }
                items[index].cut(rest)
            }
            _ => false,
        }
    }

    /// serde's description of such a value, for messages.
    fn unexpected(&self) -> Unexpected<'_> {
        match &self.value {
            Content::Text(text) => Unexpected::Str(text),
            Content::Number(number) => Unexpected::Signed(*number),
            Content::Float(number) => Unexpected::Float(*number),
            Content::Switch(switch) => Unexpected::Bool(*switch),
            Content::Date => Unexpected::Other("a date"),
            Content::List(_) => Unexpected::Seq,
            Content::Table(_) => Unexpected::Map,
        }
    }
}

fn spanned(range: std::ops::Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

impl std::error::Error for Misfit {}

impl Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

/// The expected value in an author's words; serde describes it in a programmer's.
fn wanted(expected: &dyn de::Expected) -> String {
    let expected = expected.to_string();
    match expected.as_str() {
        "a string" => "a text in quotes".into(),
        "a boolean" => "`true` or `false`".into(),
        "a sequence" => "a list, `[ … ]`".into(),
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "i16" => format!("a whole number from {} to {}", i16::MIN, i16::MAX),
        // Structures and maps; texts with choices never get here.
        _ => "a table, `{ … }` or a section".into(),
    }
}

fn found(value: Unexpected<'_>) -> String {
    match value {
        Unexpected::Str(text) => format!("the text `{text}`"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Float(number) if number.is_finite() => format!("the number {number:?}"),
        Unexpected::Float(_) => "a number out of range".into(),
        Unexpected::Bool(switch) => format!("`{switch}`"),
        Unexpected::Seq => "a list".into(),
        Unexpected::Map => "a table".into(),
        other => other.to_string(),
    }
}

impl de::Error for Misfit {
    fn custom<T: Display>(message: T) -> Misfit {
        Misfit { steps: Vec::new(), span: None, message: message.to_string() }
    }

    fn invalid_type(value: Unexpected<'_>, expected: &dyn de::Expected) -> Misfit {
        Misfit::custom(format_args!("this is {}; write {}", found(value), wanted(expected)))
    }

    fn invalid_value(value: Unexpected<'_>, expected: &dyn de::Expected) -> Misfit {
        Misfit::invalid_type(value, expected)
    }

    fn unknown_variant(word: &str, known: &'static [&'static str]) -> Misfit {
        Misfit::custom(format_args!("`{word}` is not one of: {}", known.join(", ")))
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Misfit {
        let near = known.iter().map(|known| (distance(known, field), known)).min();
        let hint = match near {
            Some((far, near)) if far <= field.len() / 3 => format!("did you mean `{near}`?"),
            _ => format!("use one of {}", known.join(", ")),
        };
        Misfit::custom(format_args!("unknown field; {hint}"))
    }

    fn missing_field(field: &'static str) -> Misfit {
        Misfit::custom(format_args!("`{field}` is missing"))
    }
}

impl<'de> de::Deserializer<'de> for &Node {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.value {
            Content::Text(text) => visitor.visit_str(text),
            Content::Number(number) => visitor.visit_i64(*number),
            Content::Float(number) => visitor.visit_f64(*number),
            Content::Switch(switch) => visitor.visit_bool(*switch),
            Content::Date => Err(de::Error::invalid_type(self.unexpected(), &visitor)),
            Content::List(items) => visitor.visit_seq(Items { items, at: 0 }),
            Content::Table(fields) => visitor.visit_map(Fields { fields, at: 0 }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_some(self)
    }

    /// Accepts only a table; serde would also fill a structure from a list, field by field.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match &self.value {
            Content::Table(fields) => visitor.visit_map(Fields { fields, at: 0 }),
            _ => Err(de::Error::invalid_type(self.unexpected(), &visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match &self.value {
            Content::Text(text) => {
                let word: StrDeserializer<'_, Misfit> = text.as_str().into_deserializer();
                visitor.visit_enum(word)
            }
            _ => {
                let found = found(self.unexpected());
                Err(de::Error::custom(format_args!("this is {found}; write one of: {}", words.join(", "))))
            }
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Fields<'a> {
    fields: &'a [Field],
    at: usize,
}

impl<'de> de::MapAccess<'de> for Fields<'_> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        let Some(field) = self.fields.get(self.at) else { return Ok(None) };
        let key: StrDeserializer<'_, Misfit> = field.key.as_str().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|error| error.within(&field.key, field.key_span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let Some(field) = self.fields.get(self.at) else { return Err(de::Error::custom("no more fields")) };
        self.at += 1;
        seed.deserialize(&field.node).map_err(|error| error.within(&field.key, field.node.span))
    }
}

struct Items<'a> {
    items: &'a [Node],
    at: usize,
}

impl<'de> de::SeqAccess<'de> for Items<'_> {
    type Error = Misfit;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misfit> {
        let Some(item) = self.items.get(self.at) else { return Ok(None) };
        let step = self.at.to_string();
        self.at += 1;
        seed.deserialize(item).map(Some).map_err(|error| error.within(&step, item.span))
    }
}
