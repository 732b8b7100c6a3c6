//! The host's clocks.

use super::timer;
use countersign_core::ports;
use countersign_core::time::{Span, Timestamp};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

const NANOS_PER_MILLI: u64 = 1_000_000;

/// `Date` and `performance`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock;

/// Whole milliseconds; 0 for what is before the epoch.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and a clock before 1970 is as wrong as one that stands there"
)]
fn millis(ms: f64) -> u64 {
    ms as u64
}

impl ports::Clock for Clock {
    fn host(&self) -> Timestamp {
        Timestamp::from_nanos(millis(js_sys::Date::now()).saturating_mul(NANOS_PER_MILLI))
    }

    fn monotonic(&self) -> Span {
        // Microseconds are the finest that the browser tells.
        Span::from_nanos(millis(performance_now() * 1_000.0).saturating_mul(1_000))
    }

    async fn pause(&self, span: Span) {
        timer::pause(span.as_nanos().div_ceil(NANOS_PER_MILLI)).await;
    }
}
