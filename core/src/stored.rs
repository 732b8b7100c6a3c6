//! The stored form of this wallet's own records: CBOR (RFC 8949), as serde and `ciborium` write it.
//!
//! What serde derives for a hundred record types is most of what reading costs in the worker's
//! module. This reader is a fraction of a general one, because it knows only what our records hold
//! (no floats, no tags, every length stated, structs always as maps) and words no errors: bytes
//! that cannot be read are damaged, whatever the reason. Nothing from outside is read here.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer as _,
    MapAccess, SeqAccess, VariantAccess, Visitor, value::StrDeserializer,
};
use serde::{Serialize, forward_to_deserialize_any};
use std::fmt;

/// Bytes that this version did not write.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no record of the wallet")
    }
}

impl core::error::Error for Malformed {}

impl Error for Malformed {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Read<T> = Result<T, Malformed>;

/// Writes a record.
pub(crate) fn write<T: Serialize>(record: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(record, &mut bytes)
        .expect("records hold only what CBOR can, and writing to memory does not fail");
    bytes
}

/// Reads a record: the whole of the bytes, and nothing unknown in them.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Read<T> {
    let mut reader = Reader { rest: bytes };
    let record = T::deserialize(&mut reader)?;
    if reader.rest.is_empty() {
        Ok(record)
    } else {
        Err(Malformed)
    }
}

/// Reads the version of a record whose first field is `v`, before anything else of it.
pub(crate) fn version(bytes: &[u8]) -> Read<u64> {
    let mut reader = Reader { rest: bytes };
    reader.length(MAP)?;
    if reader.text()? == "v" {
        reader.argument(UNSIGNED)
    } else {
        Err(Malformed)
    }
}

/// The major types that records hold (RFC 8949, section 3.1).
const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;

/// The simple values that records hold (section 3.3).
const FALSE: u8 = 0xf4;
const TRUE: u8 = 0xf5;
const NULL: u8 = 0xf6;

/// What is left of a record.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Takes this byte if it comes next.
    fn comes(&mut self, byte: u8) -> bool {
        let comes = self.rest.first() == Some(&byte);
        if comes {
            self.rest = &self.rest[1..];
        }
        comes
    }

    /// The argument of the next item's head, which must be of this major type.
    fn argument(&mut self, major: u8) -> Read<u64> {
        let head = self.take(1)?[0];
        if head >> 5 != major {
            return Err(Malformed);
        }
        let width = match head & 0x1f {
            small @ 0..=23 => return Ok(u64::from(small)),
            24 => 1,
            25 => 2,
            26 => 4,
            27 => 8,
            _ => return Err(Malformed),
        };
        let argument = self.take(width)?;
        Ok(argument
            .iter()
            .fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
    }

    fn length(&mut self, major: u8) -> Read<usize> {
        usize::try_from(self.argument(major)?).map_err(|_| Malformed)
    }

    fn bytes(&mut self) -> Read<Vec<u8>> {
        let length = self.length(BYTES)?;
        self.take(length).map(<[u8]>::to_vec)
    }

    fn text(&mut self) -> Read<&'a str> {
        let length = self.length(TEXT)?;
        core::str::from_utf8(self.take(length)?).map_err(|_| Malformed)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'_> {
    type Error = Malformed;

    /// A record does not describe itself: what is read is always said by the type.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Read<V::Value> {
        Err(Malformed)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.comes(TRUE) {
            visitor.visit_bool(true)
        } else if self.comes(FALSE) {
            visitor.visit_bool(false)
        } else {
            Err(Malformed)
        }
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
        visitor.visit_u64(self.argument(UNSIGNED)?)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let negative = self.rest.first().is_some_and(|head| head >> 5 == NEGATIVE);
        let argument = self.argument(if negative { NEGATIVE } else { UNSIGNED })?;
        let number = i64::try_from(argument).map_err(|_| Malformed)?;
        visitor.visit_i64(if negative { -1 - number } else { number })
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_string(self.text()?.to_owned())
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_str(self.text()?)
    }

    /// Not as a buffer: a principal takes that for Candid's form of it.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_bytes(&self.bytes()?)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_byte_buf(self.bytes()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.comes(NULL) {
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
        let left = self.length(ARRAY)?;
        let mut parts = Parts { reader: self, left };
        let sequence = visitor.visit_seq(&mut parts)?;
        parts.end()?;
        Ok(sequence)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Read<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let left = self.length(MAP)?;
        let mut parts = Parts { reader: self, left };
        let map = visitor.visit_map(&mut parts)?;
        parts.end()?;
        Ok(map)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_map(visitor)
    }

    /// A variant without content is a text, one with content a map of one entry.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        let content = self.rest.first().is_some_and(|head| head >> 5 == MAP);
        if content && self.length(MAP)? != 1 {
            return Err(Malformed);
        }
        visitor.visit_enum(Variant {
            reader: self,
            content,
        })
    }

    forward_to_deserialize_any! {
        i8 i16 f32 f64 char unit unit_struct tuple_struct ignored_any
    }
}

/// The parts of an array or a map.
struct Parts<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
}

impl Parts<'_, '_> {
    /// Whether another part comes.
    fn more(&mut self) -> bool {
        let more = self.left > 0;
        self.left = self.left.saturating_sub(1);
        more
    }

    fn end(&self) -> Read<()> {
        if self.left == 0 {
            Ok(())
        } else {
            Err(Malformed)
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Parts<'_, '_> {
    type Error = Malformed;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        if self.more() {
            seed.deserialize(&mut *self.reader).map(Some)
        } else {
            Ok(None)
        }
    }
}

impl<'de> MapAccess<'de> for &mut Parts<'_, '_> {
    type Error = Malformed;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        if self.more() {
            seed.deserialize(&mut *self.reader).map(Some)
        } else {
            Ok(None)
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<T::Value> {
        seed.deserialize(&mut *self.reader)
    }
}

/// A variant of an enum.
struct Variant<'r, 'a> {
    reader: &'r mut Reader<'a>,
    content: bool,
}

impl<'de> EnumAccess<'de> for Variant<'_, '_> {
    type Error = Malformed;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Read<(S::Value, Self)> {
        let name: StrDeserializer<'_, Malformed> = self.reader.text()?.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_> {
    type Error = Malformed;

    fn unit_variant(self) -> Read<()> {
        if self.content { Err(Malformed) } else { Ok(()) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Read<T::Value> {
        if self.content {
            seed.deserialize(self.reader)
        } else {
            Err(Malformed)
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Read<V::Value> {
        if self.content {
            self.reader.deserialize_seq(visitor)
        } else {
            Err(Malformed)
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        if self.content {
            self.reader.deserialize_map(visitor)
        } else {
            Err(Malformed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    /// One of everything that records hold.
    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    enum Any {
        Nothing,
        One(Vec<u64>),
        Two(i64, Option<bool>),
        Named {
            text: String,
            #[serde(with = "serde_bytes")]
            bytes: Vec<u8>,
            small: u8,
        },
        Map(BTreeMap<String, (u16, u32)>),
        Principal(crate::ids::Principal),
    }

    fn anything() -> impl Strategy<Value = Any> {
        prop_oneof![
            Just(Any::Nothing),
            prop::collection::vec(any::<u64>(), 0..40).prop_map(Any::One),
            (any::<i64>(), any::<Option<bool>>()).prop_map(|(a, b)| Any::Two(a, b)),
            (
                ".{0,300}",
                prop::collection::vec(any::<u8>(), 0..300),
                any::<u8>()
            )
                .prop_map(|(text, bytes, small)| Any::Named { text, bytes, small }),
            prop::collection::btree_map(".{0,9}", any::<(u16, u32)>(), 0..30).prop_map(Any::Map),
            prop::collection::vec(any::<u8>(), 0..=29)
                .prop_map(|bytes| Any::Principal(crate::ids::Principal::from_slice(&bytes))),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back_and_a_cut_or_lengthened_record_is_not(
            value in anything(),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut bytes = write(&value);
            prop_assert_eq!(read::<Any>(&bytes), Ok(value));
            prop_assert_eq!(read::<Any>(&bytes[..cut.index(bytes.len())]), Err(Malformed));
            bytes.push(0);
            prop_assert_eq!(read::<Any>(&bytes), Err(Malformed));
        }

        #[test]
        fn any_bytes_are_read_as_a_general_reader_reads_them_or_refused(
            value in anything(),
            place in any::<prop::sample::Index>(),
            byte in any::<u8>(),
        ) {
            let mut bytes = write(&value);
            let place = place.index(bytes.len());
            bytes[place] = byte;
            if let Ok(read) = read::<Any>(&bytes) {
                prop_assert_eq!(ciborium::from_reader::<Any, _>(bytes.as_slice()).unwrap(), read);
            }
        }
    }

    #[test]
    fn a_length_beyond_the_bytes_is_refused_before_memory_is_taken() {
        for major in [BYTES, TEXT, ARRAY, MAP] {
            let mut bytes = vec![major << 5 | 27];
            bytes.extend(u64::MAX.to_be_bytes());
            assert_eq!(read::<Vec<u64>>(&bytes), Err(Malformed));
            assert_eq!(read::<String>(&bytes), Err(Malformed));
            assert_eq!(read::<serde_bytes::ByteBuf>(&bytes), Err(Malformed));
        }
    }

    #[test]
    fn an_unknown_field_is_refused() {
        #[derive(Debug, Deserialize, PartialEq)]
        struct Known {
            a: u8,
        }
        assert_eq!(
            read(&write(&BTreeMap::from([("a", 1)]))),
            Ok(Known { a: 1 })
        );
        let more = write(&BTreeMap::from([("a", 1), ("b", 2)]));
        assert_eq!(read::<Known>(&more), Err(Malformed));
    }

    #[test]
    fn the_version_is_read_before_the_rest_is_understood() {
        let newer = write(&BTreeMap::from([("v", 9), ("x", 1)]));
        assert_eq!(version(&newer), Ok(9));
        assert_eq!(version(&write(&BTreeMap::from([("u", 9)]))), Err(Malformed));
        assert_eq!(version(&[]), Err(Malformed));
    }
}
