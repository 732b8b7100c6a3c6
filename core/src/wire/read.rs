//! Reads the frames between two ends of one build.
//!
//! The pages have a budget, and what serde derives for some sixty types is most of what reading
//! costs there. This reader is a fourth of a general one, because it knows only what frames hold
//! (no floats, no bytes, structs always as objects with their fields in the order in which they are
//! declared) and words no errors: a frame that cannot be read is of another build, whatever the
//! reason. Nothing from outside is read here; for that there is `json`.

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;

/// A text that is no frame of this build.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FrameError;

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no message of the wallet's own windows")
    }
}

impl core::error::Error for FrameError {}

impl de::Error for FrameError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Read<T> = Result<T, FrameError>;

/// What is left of a text.
pub(super) struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// A reader at the beginning of `text`.
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Fails where anything but white space is left.
    pub(super) fn end(&mut self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(FrameError),
        }
    }

    /// The next character that is no white space, left where it is.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\r', '\t']);
        self.rest.chars().next()
    }

    /// Takes this text if it comes next.
    fn take(&mut self, wanted: &str) -> bool {
        let _ = self.peek();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn need(&mut self, wanted: &str) -> Read<()> {
        if self.take(wanted) {
            Ok(())
        } else {
            Err(FrameError)
        }
    }

    fn character(&mut self) -> Read<char> {
        let mut characters = self.rest.chars();
        let next = characters.next().ok_or(FrameError)?;
        self.rest = characters.as_str();
        Ok(next)
    }

    fn string(&mut self) -> Read<String> {
        self.need("\"")?;
        let mut text = String::new();
        loop {
            match self.character()? {
                '"' => return Ok(text),
                '\\' => text.push(self.escaped()?),
                '\0'..='\x1f' => return Err(FrameError),
                plain => text.push(plain),
            }
        }
    }

    fn escaped(&mut self) -> Read<char> {
        Ok(match self.character()? {
            same @ ('"' | '\\' | '/') => same,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = self.unit()?;
                if (0xd800..0xdc00).contains(&first) {
                    if self.character()? != '\\' || self.character()? != 'u' {
                        return Err(FrameError);
                    }
                    let second = self.unit()?.checked_sub(0xdc00).ok_or(FrameError)?;
                    let code = 0x10000 + ((first - 0xd800) << 10) + second;
                    return char::from_u32(code)
                        .filter(|_| second < 0x400)
                        .ok_or(FrameError);
                }
                char::from_u32(first).ok_or(FrameError)?
            }
            _ => return Err(FrameError),
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Read<u32> {
        (0..4).try_fold(0, |unit, _| {
            let digit = self.character()?.to_digit(16).ok_or(FrameError)?;
            Ok(unit * 16 + digit)
        })
    }

    /// A number without point or exponent.
    fn integer(&mut self) -> Read<&'a str> {
        let _ = self.peek();
        let end = self
            .rest
            .find(|c: char| !matches!(c, '0'..='9' | '-'))
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(digits)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'_> {
    type Error = FrameError;

    /// Frames do not describe themselves: what is read is always said by the type.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Read<V::Value> {
        Err(FrameError)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.take("true") {
            return visitor.visit_bool(true);
        }
        self.need("false")?;
        visitor.visit_bool(false)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_u64(self.integer()?.parse().map_err(|_| FrameError)?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_i64(self.integer()?.parse().map_err(|_| FrameError)?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_str(&self.string()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_string(self.string()?)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.take("null") {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.need("[")?;
        visitor.visit_seq(Parts {
            reader: self,
            first: true,
        })
    }

    /// By the order of the fields, which are checked here by their names: what would find each by
    /// its name is, for all structs together, a good part of the pages.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.need("{")?;
        let mut fields = Fields {
            reader: self,
            names,
            first: true,
        };
        fields.close()?;
        visitor.visit_seq(fields)
    }

    /// A variant without content is a string, one with content an object of one field.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        let content = self.take("{");
        visitor.visit_enum(Variant {
            reader: self,
            content,
        })
    }

    forward_to_deserialize_any! {
        i8 i16 i32 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map
        ignored_any
    }
}

/// The parts of an array.
struct Parts<'r, 'a> {
    reader: &'r mut Reader<'a>,
    first: bool,
}

impl<'de> SeqAccess<'de> for Parts<'_, '_> {
    type Error = FrameError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        if self.reader.take("]") {
            return Ok(None);
        }
        if !core::mem::replace(&mut self.first, false) {
            self.reader.need(",")?;
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// The fields of an object, in their order. The last one closes it.
struct Fields<'r, 'a> {
    reader: &'r mut Reader<'a>,
    names: &'static [&'static str],
    first: bool,
}

impl Fields<'_, '_> {
    /// Stands before the value of the next field, which must have its name.
    fn open(&mut self) -> Read<()> {
        let (name, rest) = self.names.split_first().ok_or(FrameError)?;
        self.names = rest;
        if !core::mem::replace(&mut self.first, false) {
            self.reader.need(",")?;
        }
        self.reader.need("\"")?;
        let rest = self.reader.rest.strip_prefix(name);
        let rest = rest.and_then(|rest| rest.strip_prefix('"'));
        self.reader.rest = rest.ok_or(FrameError)?;
        self.reader.need(":")
    }

    /// Stands behind the object where that was its last field.
    fn close(&mut self) -> Read<()> {
        if self.names.is_empty() {
            self.reader.need("}")?;
        }
        Ok(())
    }
}

impl<'de> SeqAccess<'de> for Fields<'_, '_> {
    type Error = FrameError;

    #[inline(never)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        self.open()?;
        let value = seed.deserialize(&mut *self.reader)?;
        self.close()?;
        Ok(Some(value))
    }
}

/// A variant of an enum.
struct Variant<'r, 'a> {
    reader: &'r mut Reader<'a>,
    content: bool,
}

impl Variant<'_, '_> {
    /// Stands before the content; fails where there is none.
    fn open(&mut self) -> Read<()> {
        if self.content {
            self.reader.need(":")
        } else {
            Err(FrameError)
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, '_> {
    type Error = FrameError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Read<(V::Value, Self)> {
        let name = seed.deserialize(&mut *self.reader)?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_> {
    type Error = FrameError;

    fn unit_variant(self) -> Read<()> {
        if self.content {
            Err(FrameError)
        } else {
            Ok(())
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Read<T::Value> {
        self.open()?;
        let value = seed.deserialize(&mut *self.reader)?;
        self.reader.need("}")?;
        Ok(value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Read<V::Value> {
        Err(FrameError)
    }

    fn struct_variant<V: Visitor<'de>>(
        mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.open()?;
        let value = self.reader.deserialize_struct("", fields, visitor)?;
        self.reader.need("}")?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Any {
        Bare,
        One(Vec<Self>),
        Named {
            text: String,
            number: u64,
            signed: i64,
            maybe: Option<bool>,
            small: u8,
        },
        Wrapped(Box<Self>),
    }

    fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Read<T> {
        let mut reader = Reader::new(text);
        let value = T::deserialize(&mut reader)?;
        reader.end()?;
        Ok(value)
    }

    fn values() -> impl Strategy<Value = Any> {
        let named = (
            any::<String>(),
            any::<u64>(),
            any::<i64>(),
            any::<Option<bool>>(),
            any::<u8>(),
        )
            .prop_map(|(text, number, signed, maybe, small)| Any::Named {
                text,
                number,
                signed,
                maybe,
                small,
            });
        prop_oneof![Just(Any::Bare), named].prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Any::One),
                inner.prop_map(|inner| Any::Wrapped(Box::new(inner))),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn it_reads_what_serde_json_writes(value in values(), pretty in any::<bool>()) {
            let write = if pretty { serde_json::to_string_pretty } else { serde_json::to_string };
            prop_assert_eq!(read::<Any>(&write(&value).unwrap()), Ok(value));
        }

        #[test]
        fn any_text_ends_in_a_value_or_an_error(text in "[\\[\\]{}\",:a-z0-9\\\\u -]{0,60}") {
            let ours = read::<Any>(&text).ok();
            // Whatever it takes, a general reader takes as the same.
            if let Some(ours) = ours {
                prop_assert_eq!(serde_json::from_str::<Any>(&text).ok(), Some(ours));
            }
        }
    }

    #[test]
    fn escapes_are_read_as_the_standard_has_them() {
        let both = |text: &str| {
            let ours = read::<String>(text).ok();
            assert_eq!(ours, serde_json::from_str(text).ok(), "{text}");
            ours
        };
        assert_eq!(
            both(r#""\ud83d\ude00\u00e9\n\"\\\/""#).as_deref(),
            Some("😀é\n\"\\/")
        );
        for text in [
            r#""\ud83d""#,
            r#""\ud83dx""#,
            r#""\ude00""#,
            r#""\ud83d\u0041""#,
            r#""\x""#,
            "\"\n\"",
            "\"a",
        ] {
            assert_eq!(both(text), None);
        }
    }

    #[test]
    fn a_cut_frame_is_no_frame() {
        let whole = serde_json::to_string(&Any::One(vec![
            Any::Wrapped(Box::new(Any::Bare)),
            Any::Named {
                text: "é".into(),
                number: 1,
                signed: -1,
                maybe: None,
                small: 255,
            },
        ]))
        .unwrap();
        for (end, _) in whole.char_indices() {
            assert_eq!(
                read::<Any>(whole.get(..end).unwrap()),
                Err(FrameError),
                "{end}"
            );
        }
        assert_eq!(read::<Any>(&format!("{whole}x")), Err(FrameError));
        assert_eq!(read::<u8>("256"), Err(FrameError));
        assert_eq!(read::<u64>("-1"), Err(FrameError));
    }

    #[test]
    fn fields_stand_under_their_names_in_their_order() {
        let named = |fields: &str| read::<Any>(&format!(r#"{{"named":{{{fields}}}}}"#));
        let whole = r#""text":"a","number":1,"signed":1,"maybe":null,"small":1"#;
        assert!(named(whole).is_ok());
        for other in [
            r#""number":1,"text":"a","signed":1,"maybe":null,"small":1"#,
            r#""text":"a","number":1,"signed":1,"maybe":null"#,
            r#""text":"a","number":1,"signed":1,"maybe":null,"small":1,"more":1"#,
            r#""text":"a","number":1,"signed":1,"maybe":null,"smaller":1"#,
            r#"" text":"a","number":1,"signed":1,"maybe":null,"small":1"#,
            r#""text":"a","text":"a","number":1,"signed":1,"maybe":null,"small":1"#,
        ] {
            assert_eq!(named(other), Err(FrameError), "{other}");
        }
    }
}
