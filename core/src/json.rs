//! Reading JSON from outside, strictly.
//!
//! The tree made here keeps what other readers lose and refuses what they overlook: numbers stay the
//! digits that were written (they never pass through a float), fields keep their order, a field that
//! comes twice is an error, and so is nesting deeper than [`MAX_DEPTH`]. Size is the caller's limit.
//!
//! What a field means never enters here.

use core::fmt;
use serde::{
    Serialize, Serializer,
    ser::{Error as _, SerializeMap as _},
};
use serde_json::value::RawValue;
use std::collections::HashSet;
use thiserror::Error;

/// The deepest nesting of objects and arrays that is read.
pub const MAX_DEPTH: usize = 64;

/// A JSON value (RFC 8259) as it was written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its digits.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Self>),
    /// An object, whose names are distinct.
    Object(Object),
}

/// A JSON number as the text that was written: `1`, `1.50`, `-2e5`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Number(String);

/// A JSON object: fields in the order they were written, names distinct.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Object(Vec<(String, Json)>);

/// Why a text is not read.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum JsonError {
    /// Not one JSON value.
    #[error("this is not JSON (line {line}, column {column})")]
    Syntax {
        /// Counted from one.
        line: usize,
        /// Counted from one, in bytes.
        column: usize,
    },
    /// A name comes twice in one object.
    #[error("an object has the field {0:?} twice; each may come once")]
    DuplicateField(String),
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("objects and arrays are nested deeper than {MAX_DEPTH}")]
    TooDeep,
}

impl Json {
    /// Reads one JSON value that is the whole text.
    ///
    /// # Errors
    ///
    /// Not JSON, a field that comes twice, or nesting deeper than [`MAX_DEPTH`].
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        if deepest(text) > MAX_DEPTH {
            return Err(JsonError::TooDeep);
        }
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| JsonError::Syntax {
            line: error.line(),
            column: error.column(),
        })?;
        Rest(raw.get()).value()
    }

    /// What kind of value this is, as JSON's own word for it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// The text, where this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// The fields, where this is an object.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Array(_) | Self::String(_) => None,
        }
    }

    /// The elements, where this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) => Some(elements),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Object(_) | Self::String(_) => {
                None
            }
        }
    }

    /// The number, where this is one.
    #[must_use]
    pub const fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            Self::Null | Self::Bool(_) | Self::Array(_) | Self::Object(_) | Self::String(_) => None,
        }
    }

    /// The truth value, where this is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Null | Self::Number(_) | Self::Array(_) | Self::Object(_) | Self::String(_) => {
                None
            }
        }
    }

    /// The field of this name, where this is an object that has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object().and_then(|object| object.get(name))
    }
}

impl Number {
    /// The digits, as they were written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value, where the digits are a whole number from 0 to 2^64 − 1 without point or exponent.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// The value, where the digits are a whole number that fits, without point or exponent.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(value.to_string())
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(value.to_string())
    }
}

impl Object {
    /// The value of the field of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.iter()
            .find_map(|(field, value)| (field == name).then_some(value))
    }

    /// Fields in the order they were written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// How many fields there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no field.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Json {
    /// The value as JSON without spaces between its parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Json {
    /// Writes the value as it was read. Only for `serde_json`'s serializer: another does not know
    /// how to write a number from its digits.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(Number(digits)) => RawValue::from_string(digits.clone())
                .map_err(S::Error::custom)?
                .serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
            Self::Object(object) => {
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for (name, value) in object.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// How deep the text's brackets nest, strings skipped. Says nothing about whether it is JSON.
fn deepest(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// What is left of a text that is known to be one JSON value, nested at most [`MAX_DEPTH`] deep. It
/// is gone through once: a reader that takes a value whole before it looks inside takes the deepest
/// [`MAX_DEPTH`] times.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// Takes so many bytes, which end between two characters.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.0.split_at_checked(bytes).unwrap_or((self.0, ""));
        self.0 = rest;
        taken
    }

    /// Takes a sign that stands here, and the space around it. Whether it stood here.
    fn sign(&mut self, sign: char) -> bool {
        self.0 = self.0.trim_start_matches(SPACE);
        let found = self.0.strip_prefix(sign);
        self.0 = found.map_or(self.0, |rest| rest.trim_start_matches(SPACE));
        found.is_some()
    }

    fn value(&mut self) -> Result<Json, JsonError> {
        if self.sign('{') {
            return self.object();
        }
        if self.sign('[') {
            let mut elements = Vec::new();
            while !self.sign(']') {
                elements.push(self.value()?);
                self.sign(',');
            }
            return Ok(Json::Array(elements));
        }
        if self.0.starts_with('"') {
            return self.string().map(Json::String);
        }
        let end = self.0.find(|c| SPACE.contains(&c) || ",]}".contains(c));
        Ok(match self.take(end.unwrap_or(self.0.len())) {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            digits => Json::Number(Number(digits.to_owned())),
        })
    }

    fn object(&mut self) -> Result<Json, JsonError> {
        let mut names = HashSet::new();
        let mut fields = Vec::new();
        while !self.sign('}') {
            let name = self.string()?;
            if !names.insert(name.clone()) {
                return Err(JsonError::DuplicateField(name));
            }
            self.sign(':');
            fields.push((name, self.value()?));
            self.sign(',');
        }
        Ok(Json::Object(Object(fields)))
    }

    /// A string; only here can the text still be wrong, where half a character is escaped.
    fn string(&mut self) -> Result<String, JsonError> {
        let mut escaped = false;
        let end = self.0.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let string = self.take(end.map_or(self.0.len(), |inside| inside + 2));
        serde_json::from_str(string).map_err(|_| JsonError::Syntax { line: 1, column: 1 })
    }
}

/// White space (RFC 8259).
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_value_is_kept_as_it_was_written() {
        let text = r#"{"b":1.50,"a":[-2e5,true,null,"é\n"],"c":{}}"#;
        assert_eq!(Json::parse(text).unwrap().to_string(), text);
    }

    #[test]
    fn a_number_keeps_digits_that_a_float_would_lose() {
        let number = Json::parse("9007199254740993.10").unwrap();
        assert_eq!(number.as_number().unwrap().as_str(), "9007199254740993.10");
        assert_eq!(number.as_number().unwrap().as_u64(), None);
        let huge = "1".repeat(400);
        assert_eq!(Json::parse(&huge).unwrap().to_string(), huge);
    }

    #[test]
    fn a_field_that_comes_twice_is_refused_at_any_depth_and_however_it_is_escaped() {
        let twice = |name: &str| Err(JsonError::DuplicateField(name.to_owned()));
        assert_eq!(Json::parse(r#"{"a":1,"b":2,"a":1}"#), twice("a"));
        assert_eq!(
            Json::parse(r#"[{"x":{"to":"p","\u0074o":"q"}}]"#),
            twice("to")
        );
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Json::parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(Json::parse(&nested(MAX_DEPTH + 1)), Err(JsonError::TooDeep));
        assert_eq!(Json::parse(&"[".repeat(200_000)), Err(JsonError::TooDeep));
    }

    #[test]
    fn parts_are_read_as_they_stand_whatever_space_is_around_them() {
        let text = "\t{ \"a\\\\\" : [ 1 , -2.5e+3 , [ ] , { } ] ,\r\n \"\\\"]\" : \"}\" } ";
        let json = Json::parse(text).unwrap();
        assert_eq!(json.to_string(), r#"{"a\\":[1,-2.5e+3,[],{}],"\"]":"}"}"#);
        let half = Json::parse(r#"{"a":["x\ud800"]}"#);
        assert!(matches!(half, Err(JsonError::Syntax { .. })));
    }

    #[test]
    fn brackets_in_strings_are_no_nesting() {
        let text = format!("\"{}\\\"{}\"", "[".repeat(100), "{".repeat(100));
        assert!(Json::parse(&text).is_ok());
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{a:1}",
            "'a'",
            "01",
            "+1",
            ".5",
            "1.",
            "NaN",
            "1 2",
            "tru",
            "\"\\ud800\"",
            "\"a\nb\"",
            "{\"a\":1,}",
            "\u{feff}1",
            "// c\n1",
        ] {
            assert!(
                matches!(Json::parse(text), Err(JsonError::Syntax { .. })),
                "{text:?}"
            );
        }
    }

    #[test]
    fn space_around_a_value_is_no_part_of_it() {
        assert_eq!(Json::parse(" \n 12 ").unwrap().to_string(), "12");
    }

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Bool),
            any::<i64>().prop_map(|n| Json::Number(n.into())),
            any::<String>().prop_map(Json::String),
        ];
        leaf.prop_recursive(5, 64, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Json::Array),
                prop::collection::btree_map(any::<String>(), inner, 0..8)
                    .prop_map(|fields| Json::Object(Object(fields.into_iter().collect()))),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(value in any_json()) {
            prop_assert_eq!(Json::parse(&value.to_string()), Ok(value));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in any::<String>()) {
            let _ = Json::parse(&text);
        }
    }
}
