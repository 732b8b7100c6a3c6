//! A row as the object that is stored.
//!
//! What a property is missing for is not in its index, so indexes hold only what they list.

use crate::ports::chrome::{object, set};
use countersign_core::ports::store::{Row, StoreError};
use countersign_core::time::Timestamp;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};

pub(super) const KEY: &str = "key";
pub(super) const OPEN: &str = "open";
pub(super) const GROUP: &str = "group";
pub(super) const IDENTITY: &str = "identity";
pub(super) const STAMP_KEY: &str = "stamp_key";
pub(super) const UPDATED: &str = "updated";
const REV: &str = "rev";
const VERSION: &str = "v";
const BODY: &str = "body";

/// The value of [`OPEN`] where it is there.
pub(super) const IS_OPEN: u32 = 1;

/// The object of a row.
pub(super) fn write(row: &Row) -> JsValue {
    #[allow(
        clippy::cast_precision_loss,
        reason = "a row is not written 2^53 times"
    )]
    let rev = row.rev as f64;
    let stored = object(&[
        (KEY, row.key.as_str().into()),
        (REV, rev.into()),
        // As text of one length, so that its order is that of the number, to the nanosecond.
        (UPDATED, format!("{:020}", row.updated.as_nanos()).into()),
        (VERSION, row.v.into()),
        (BODY, Uint8Array::from(row.body.as_slice()).into()),
    ]);
    if row.open {
        set(&stored, OPEN, &IS_OPEN.into());
    }
    for (name, value) in [
        (GROUP, &row.group),
        (IDENTITY, &row.identity),
        (STAMP_KEY, &row.stamp_key),
    ] {
        if let Some(value) = value {
            set(&stored, name, &value.as_str().into());
        }
    }
    stored.into()
}

/// The row of an object.
///
/// # Errors
///
/// An object that is no row is damage, and the journal cannot be relied on.
pub(super) fn read(stored: &JsValue) -> Result<Row, StoreError> {
    read_object(stored).ok_or(StoreError::Unavailable)
}

fn read_object(stored: &JsValue) -> Option<Row> {
    let value = |name: &str| Reflect::get(stored, &name.into()).ok();
    let text = |name: &str| value(name)?.as_string();
    let optional = |name: &str| match value(name)? {
        missing if missing.is_undefined() => Some(None),
        found => found.as_string().map(Some),
    };
    let number = |name: &str| whole(value(name)?.as_f64()?);
    Some(Row {
        key: text(KEY)?,
        rev: number(REV)?,
        open: !value(OPEN)?.is_undefined(),
        group: optional(GROUP)?,
        identity: optional(IDENTITY)?,
        stamp_key: optional(STAMP_KEY)?,
        updated: Timestamp::from_nanos(text(UPDATED)?.parse().ok()?),
        v: number(VERSION)?.try_into().ok()?,
        body: value(BODY)?.dyn_into::<Uint8Array>().ok()?.to_vec(),
    })
}

/// The number, if it is a whole one that is exact.
fn whole(number: f64) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be whole and in range"
    )]
    (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64)
}
