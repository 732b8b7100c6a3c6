//! The question and its answer in Candid.
//!
//! The answer comes from outside and may be anything: it is bounded, decoded by the types that it
//! states, and looked through for what the three versions of the standard that are in use have in
//! common. Whatever is none of them is an error.

use super::{Block, FieldValue, Span, markup};
use crate::confirm::view::Amount;
use crate::format::amount::{MAX_DECIMALS, Token, show};
use crate::interface::{IDLValue, decode_as_stated};
use crate::text::{Untrusted, escaped};
use crate::time::Timestamp;
use candid::types::value::IDLField;
use candid::{CandidType, idl_hash};
use num_bigint::BigUint;
use serde_bytes::Bytes;
use thiserror::Error;

/// The method that describes calls.
pub const METHOD: &str = "icrc21_canister_call_consent_message";
/// The method that lists the standards of a canister (ICRC-10).
pub const STANDARDS: &str = "icrc10_supported_standards";
/// What stands in that list for this standard.
const NAME: &str = "ICRC-21";

/// The longest answer, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// The most code points of all texts of a message together.
const MAX_CHARS: usize = 6_000;
/// The most lines and fields of a message.
const MAX_LINES: usize = 200;
/// The longest language tag that is passed on, in code points (BCP 47 asks for 35).
const MAX_LANGUAGE: usize = 35;

#[derive(CandidType)]
struct Request<'a> {
    method: &'a str,
    arg: &'a Bytes,
    user_preferences: Preferences<'a>,
}

#[derive(CandidType)]
struct Preferences<'a> {
    metadata: Metadata<'a>,
    device_spec: Option<Device>,
}

#[derive(CandidType)]
struct Metadata<'a> {
    language: &'a str,
    utc_offset_minutes: Option<i16>,
}

#[derive(CandidType)]
enum Device {
    GenericDisplay,
    #[expect(
        dead_code,
        reason = "the type has to be whole: it is what the standard states"
    )]
    FieldsDisplay,
}

/// The argument of [`METHOD`] for a call: its method, its argument bytes, and a language tag (BCP 47).
///
/// `GenericDisplay` is asked for, since it is the one form that all versions of the standard have; it
/// is meant for screens like ours; and the other one counts in 64 bits, so that a ledger with 18
/// decimals has no words for 19 tokens. What a ledger of this form rounds, the comparison finds. No
/// time zone is given: where somebody lives is none of a canister's business, and times are in UTC.
///
/// # Panics
///
/// Never: every such value is Candid.
#[must_use]
pub fn request(method: &str, arg: &[u8], language: &str) -> Vec<u8> {
    let request = Request {
        method,
        arg: Bytes::new(arg),
        user_preferences: Preferences {
            metadata: Metadata {
                language,
                utc_offset_minutes: None,
            },
            device_spec: Some(Device::GenericDisplay),
        },
    };
    candid::encode_one(&request).expect("texts, bytes and options are Candid")
}

/// What a canister answered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Answer {
    /// Its words.
    Message(Message),
    /// It does not describe the call: its words of why, cut and escaped.
    Refused(Untrusted),
}

/// A canister's words of a call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Message {
    /// The words.
    pub blocks: Vec<Block>,
    /// The language that it says they are in, cut and escaped.
    pub language: String,
}

/// Why an answer says nothing.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum ConsentError {
    /// It is no answer in any version of the standard.
    #[error("the canister's answer is not of the standard")]
    Malformed,
    /// It is longer than a person would read.
    #[error("the canister's answer is longer than it may be")]
    TooLong,
}

/// Reads the answer of [`METHOD`].
///
/// # Errors
///
/// See [`ConsentError`].
pub fn read(reply: &[u8]) -> Result<Answer, ConsentError> {
    let answer = one(reply)?;
    let (case, value) = case(&answer)?;
    if case == idl_hash("Ok") {
        return message(value).map(Answer::Message);
    }
    if case != idl_hash("Err") {
        return Err(ConsentError::Malformed);
    }
    // All its cases have a description, those of later versions too.
    let (_, error) = self::case(value)?;
    let words = text(field(error, "description")?)?;
    Ok(Answer::Refused(Untrusted::quoted(words)))
}

/// Whether the answer of [`STANDARDS`] has this standard in it.
///
/// # Errors
///
/// See [`ConsentError`].
pub fn advertises(reply: &[u8]) -> Result<bool, ConsentError> {
    let list = one(reply)?;
    let IDLValue::Vec(entries) = &list else {
        return Err(ConsentError::Malformed);
    };
    let names = entries.iter().map(|entry| text(field(entry, "name")?));
    let names: Vec<&str> = names.collect::<Result<_, _>>()?;
    Ok(names.contains(&NAME))
}

/// The one value of a reply.
fn one(reply: &[u8]) -> Result<IDLValue, ConsentError> {
    if reply.len() > MAX_BYTES {
        return Err(ConsentError::TooLong);
    }
    let values = decode_as_stated(reply).map_err(|_| ConsentError::Malformed)?;
    values.into_iter().next().ok_or(ConsentError::Malformed)
}

fn message(info: &IDLValue) -> Result<Message, ConsentError> {
    let mut budget = Budget {
        chars: MAX_CHARS,
        lines: MAX_LINES,
    };
    let (form, words) = case(field(info, "consent_message")?)?;
    let blocks = if form == idl_hash("GenericDisplayMessage") {
        let words = text(words)?;
        budget.text(words)?;
        markup::read(words)
    } else if form == idl_hash("LineDisplayMessage") {
        pages(words, &mut budget)?
    } else if form == idl_hash("FieldsDisplayMessage") {
        fields(words, &mut budget)?
    } else {
        return Err(ConsentError::Malformed);
    };
    if blocks.is_empty() {
        return Err(ConsentError::Malformed);
    }
    let language = field(field(info, "metadata")?, "language")?;
    let language: String = text(language)?.chars().take(MAX_LANGUAGE).collect();
    Ok(Message {
        blocks,
        language: escaped(&language),
    })
}

/// The first version's message for small screens: pages of lines; a text alone is taken too.
fn pages(words: &IDLValue, budget: &mut Budget) -> Result<Vec<Block>, ConsentError> {
    if let IDLValue::Text(words) = words {
        budget.text(words)?;
        return Ok(vec![markup::plain(words.lines())]);
    }
    let pages = field(words, "pages").or_else(|_| field(words, "lines"))?;
    let mut blocks = Vec::new();
    for page in list(pages)? {
        let lines = match page {
            IDLValue::Text(_) => std::slice::from_ref(page),
            page => list(field(page, "lines")?)?,
        };
        let lines: Vec<&str> = lines.iter().map(text).collect::<Result<_, _>>()?;
        if lines.is_empty() {
            // It shows nothing, and it is not free.
            budget.text("")?;
            continue;
        }
        for line in &lines {
            budget.text(line)?;
        }
        blocks.push(markup::plain(lines.into_iter().flat_map(str::lines)));
    }
    Ok(blocks)
}

/// The message for fields: an intent and named values, which the second version writes as text.
fn fields(words: &IDLValue, budget: &mut Budget) -> Result<Vec<Block>, ConsentError> {
    let intent = text(field(words, "intent")?)?;
    budget.text(intent)?;
    let mut blocks = vec![Block::Heading(vec![Span::Plain(escaped(intent))])];
    for entry in list(field(words, "fields")?)? {
        let (label, value) = (text(numbered(entry, 0)?)?, numbered(entry, 1)?);
        budget.text(label)?;
        blocks.push(Block::Field {
            label: escaped(label),
            value: field_value(value, budget)?,
        });
    }
    Ok(blocks)
}

fn field_value(value: &IDLValue, budget: &mut Budget) -> Result<FieldValue, ConsentError> {
    if let IDLValue::Text(words) = value {
        budget.text(words)?;
        return Ok(FieldValue::Text(escaped(words)));
    }
    let (kind, value) = case(value)?;
    if kind == idl_hash("Text") {
        let words = text(field(value, "content")?)?;
        budget.text(words)?;
        return Ok(FieldValue::Text(escaped(words)));
    }
    let number = whole(field(value, "amount")?)?;
    if kind == idl_hash("TokenAmount") {
        let symbol = text(field(value, "symbol")?)?;
        budget.text(symbol)?;
        let decimals = whole(field(value, "decimals")?)?;
        let decimals = u8::try_from(decimals)
            .ok()
            .filter(|decimals| *decimals <= MAX_DECIMALS);
        let token = decimals.and_then(|decimals| Token::new(decimals, None));
        let number = show(&number, &token.ok_or(ConsentError::Malformed)?);
        budget.text(&number)?;
        return Ok(FieldValue::Amount(Amount {
            number,
            unit: escaped(symbol),
        }));
    }
    let seconds = u64::try_from(number).map_err(|_| ConsentError::Malformed)?;
    if kind == idl_hash("DurationSeconds") {
        return Ok(FieldValue::Seconds(seconds));
    }
    if kind == idl_hash("TimestampSeconds") {
        let nanos = seconds
            .checked_mul(1_000_000_000)
            .ok_or(ConsentError::Malformed)?;
        return Ok(FieldValue::Time(Timestamp::from_nanos(nanos)));
    }
    Err(ConsentError::Malformed)
}

/// What may still be said.
struct Budget {
    chars: usize,
    lines: usize,
}

impl Budget {
    fn text(&mut self, text: &str) -> Result<(), ConsentError> {
        let chars = self.chars.checked_sub(text.chars().count());
        let lines = self.lines.checked_sub(text.split('\n').count());
        match (chars, lines) {
            (Some(chars), Some(lines)) => {
                *self = Self { chars, lines };
                Ok(())
            }
            (None, _) | (_, None) => Err(ConsentError::TooLong),
        }
    }
}

/// The case of a variant, by its number, and its value.
fn case(value: &IDLValue) -> Result<(u32, &IDLValue), ConsentError> {
    match value {
        IDLValue::Variant(variant) => Ok((variant.0.id.get_id(), &variant.0.val)),
        _ => Err(ConsentError::Malformed),
    }
}

fn field<'a>(value: &'a IDLValue, name: &str) -> Result<&'a IDLValue, ConsentError> {
    numbered(value, idl_hash(name))
}

fn numbered(value: &IDLValue, id: u32) -> Result<&IDLValue, ConsentError> {
    let IDLValue::Record(fields) = value else {
        return Err(ConsentError::Malformed);
    };
    let found = |field: &&IDLField| field.id.get_id() == id;
    let field = fields.iter().find(found);
    Ok(&field.ok_or(ConsentError::Malformed)?.val)
}

fn list(value: &IDLValue) -> Result<&[IDLValue], ConsentError> {
    match value {
        IDLValue::Vec(values) => Ok(values),
        _ => Err(ConsentError::Malformed),
    }
}

fn text(value: &IDLValue) -> Result<&str, ConsentError> {
    match value {
        IDLValue::Text(text) => Ok(text),
        _ => Err(ConsentError::Malformed),
    }
}

fn whole(value: &IDLValue) -> Result<BigUint, ConsentError> {
    Ok(match value {
        IDLValue::Nat(number) => number.0.clone(),
        IDLValue::Nat8(number) => (*number).into(),
        IDLValue::Nat16(number) => (*number).into(),
        IDLValue::Nat32(number) => (*number).into(),
        IDLValue::Nat64(number) => (*number).into(),
        _ => return Err(ConsentError::Malformed),
    })
}

#[cfg(test)]
mod tests;
