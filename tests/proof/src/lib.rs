//! What the tool layer is held against: random types and values, hostile inputs, and what the
//! fuzzers feed it.
//!
//! Nothing here asks the wallet's encoder or reader what a type or a value is: types, values, the
//! text of an interface and a second encoding are written here anew.

#![forbid(unsafe_code)]

#[cfg(not(target_arch = "wasm32"))]
pub mod fuzz;
pub mod hostile;
pub mod random;
