//! What makes two states one: a hash of everything that later behaviour depends on.
//!
//! Stored records hold ids made from counters and counters that only grow. Two records that differ
//! in nothing else behave alike, so ids are renamed to their places and counters left out. A test
//! holds this against worlds told apart by all that is in them. The hash is fed by serde from the
//! record as it is stored: a new field of the record is part of it without a line here.

use core::fmt::Display;
use serde::ser::{self, Serialize};
use sha2::{Digest as _, Sha256};

/// The first half of a SHA-256: no two of a billion states share one by chance.
pub(crate) type Key = u128;

/// Left out, by type. Each is fixed for the intent, an id made from a counter, a record of the past
/// that no rule reads, or hashed apart.
fn left_out(name: &str) -> &'static [&'static str] {
    match name {
        "Intent" => &["prepared", "mac", "asks", "told", "envelopes"],
        "Ask" => &["id", "opened_at"],
        "End" => &["at"],
        "Envelope" => &["ask", "asked_at", "approved_at", "certificate"],
        "HandOver" => &["life", "at"],
        "Submitted" => &["result"],
        "Search" => &["at"],
        "SignedEnvelope" => &["request_id", "nonce"],
        _ => &[],
    }
}

/// A hash of a text.
pub(crate) fn of_text(text: &str) -> Key {
    let mut hasher = Hasher::new(Vec::new());
    hasher.bytes(text.as_bytes());
    hasher.finish()
}

/// A hash in the making.
pub(crate) struct Hasher {
    bytes: Vec<u8>,
    /// Written forms of ids, in the order of their places.
    ids: Vec<String>,
}

impl Hasher {
    /// A hash in which each of these ids stands for its place.
    #[must_use]
    pub(crate) fn new(ids: Vec<String>) -> Self {
        Self {
            bytes: Vec::with_capacity(1024),
            ids,
        }
    }

    /// Takes bytes in.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend((bytes.len() as u32).to_le_bytes());
        self.bytes.extend(bytes);
    }

    /// Takes a value in, in the form in which it is stored.
    pub(crate) fn value(&mut self, value: &impl Serialize) {
        value
            .serialize(&mut *self)
            .expect("hashing takes every value in");
    }

    /// The hash.
    #[must_use]
    pub(crate) fn finish(self) -> Key {
        let hash: [u8; 32] = Sha256::digest(&self.bytes).into();
        let mut half = [0; 16];
        half.copy_from_slice(&hash[..16]);
        Key::from_le_bytes(half)
    }

    fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    fn number(&mut self, value: u64) {
        self.tag(1);
        self.bytes.extend(value.to_le_bytes());
    }
}

/// Never made: hashing cannot fail.
#[derive(Debug)]
pub struct Never;

impl Display for Never {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("hashing cannot fail")
    }
}

impl core::error::Error for Never {}

impl ser::Error for Never {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// The fields of one struct, variant or sequence.
pub struct Parts<'a> {
    hasher: &'a mut Hasher,
    left_out: &'static [&'static str],
}

impl Parts<'_> {
    fn part<T: Serialize + ?Sized>(&mut self, field: &'static str, value: &T) -> Result<(), Never> {
        if self.left_out.contains(&field) {
            return Ok(());
        }
        self.hasher.bytes(field.as_bytes());
        value.serialize(&mut *self.hasher)
    }
}

macro_rules! numbers {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, value: $type) -> Result<(), Never> {
            #[allow(clippy::cast_sign_loss)]
            self.number(value as u64);
            Ok(())
        })*
    };
}

impl<'a> ser::Serializer for &'a mut Hasher {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    numbers!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
        serialize_u64: u64, serialize_char: char
    );

    fn serialize_f32(self, value: f32) -> Result<(), Never> {
        self.bytes(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Never> {
        self.bytes(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), Never> {
        match self.ids.iter().position(|id| id == text) {
            Some(place) => self.number(place as u64),
            None => self.bytes(text.as_bytes()),
        }
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Never> {
        self.bytes(bytes);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Never> {
        self.tag(2);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Never> {
        self.tag(3);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Never> {
        self.tag(4);
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Never> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Never> {
        self.bytes(variant.as_bytes());
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        self.bytes(variant.as_bytes());
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Parts<'a>, Never> {
        self.number(len.unwrap_or(0) as u64);
        Ok(Parts {
            hasher: self,
            left_out: &[],
        })
    }

    fn serialize_tuple(self, len: usize) -> Result<Parts<'a>, Never> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Parts<'a>, Never> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'a>, Never> {
        self.bytes(variant.as_bytes());
        self.serialize_seq(Some(len))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Parts<'a>, Never> {
        self.serialize_seq(len)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'a>, Never> {
        self.tag(5);
        Ok(Parts {
            hasher: self,
            left_out: left_out(name),
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Never> {
        self.bytes(variant.as_bytes());
        Ok(Parts {
            hasher: self,
            left_out: &[],
        })
    }
}

macro_rules! elements {
    ($($trait:ident :: $method:ident),*) => {
        $(impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Never;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
                value.serialize(&mut *self.hasher)
            }

            fn end(self) -> Result<(), Never> {
                Ok(())
            }
        })*
    };
}

elements!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Never> {
        key.serialize(&mut *self.hasher)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        value.serialize(&mut *self.hasher)
    }

    fn end(self) -> Result<(), Never> {
        Ok(())
    }
}

macro_rules! fields {
    ($($trait:ident),*) => {
        $(impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Never;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                field: &'static str,
                value: &T,
            ) -> Result<(), Never> {
                self.part(field, value)
            }

            fn end(self) -> Result<(), Never> {
                Ok(())
            }
        })*
    };
}

fields!(SerializeStruct, SerializeStructVariant);
