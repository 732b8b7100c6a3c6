//! Memory of this browser session: `storage.session`, for trusted contexts only.

use super::chrome::{
    object, session_get, session_remove, session_set, session_set_access_level, settled,
};
use countersign_core::ports::{self, SessionError};
use js_sys::{Array, Reflect};
use std::cell::Cell;
use wasm_bindgen::JsValue;

/// The one key.
const KEY: &str = "half";

/// `storage.session`.
#[derive(Debug, Default)]
pub struct Session {
    /// That content scripts cannot read it was said in this life of the worker.
    closed_to_pages: Cell<bool>,
}

impl Session {
    /// Says that content scripts cannot read it. That is the browser's default too; said again, it
    /// does not hang on that.
    async fn close_to_pages(&self) -> Result<(), SessionError> {
        if self.closed_to_pages.get() {
            return Ok(());
        }
        let level = object(&[("accessLevel", "TRUSTED_CONTEXTS".into())]);
        settled(session_set_access_level(&level))
            .await
            .map_err(|_| SessionError)?;
        self.closed_to_pages.set(true);
        Ok(())
    }
}

fn from_numbers(value: &JsValue) -> Option<Vec<u8>> {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "only whole numbers of a byte's range pass"
    )]
    let byte = |number: f64| {
        let byte = number as u8;
        (f64::from(byte) == number).then_some(byte)
    };
    Array::is_array(value).then_some(())?;
    Array::from(value)
        .iter()
        .map(|number| number.as_f64().and_then(byte))
        .collect()
}

impl ports::Session for Session {
    async fn get(&self) -> Result<Option<Vec<u8>>, SessionError> {
        let items = settled(session_get(KEY)).await.map_err(|_| SessionError)?;
        let value = Reflect::get(&items, &KEY.into()).map_err(|_| SessionError)?;
        if value.is_undefined() {
            return Ok(None);
        }
        from_numbers(&value).map(Some).ok_or(SessionError)
    }

    async fn put(&self, value: &[u8]) -> Result<(), SessionError> {
        self.close_to_pages().await?;
        // The browser keeps JSON here, which has no bytes.
        let numbers: Array = value.iter().map(|byte| JsValue::from(*byte)).collect();
        settled(session_set(&object(&[(KEY, numbers.into())])))
            .await
            .map(drop)
            .map_err(|_| SessionError)
    }

    async fn clear(&self) -> Result<(), SessionError> {
        settled(session_remove(KEY))
            .await
            .map(drop)
            .map_err(|_| SessionError)
    }
}
