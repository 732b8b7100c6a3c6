//! The pages on views that are made up: each state that a page can be in, by its name.
//!
//! The views also stand in `ui/golden/views.json`, so that the pages as released can be looked at
//! and worked in each state, and so that the wire's form is seen to stay.

pub(crate) mod views;

#[cfg(target_family = "wasm")]
mod browser;

#[cfg(not(target_family = "wasm"))]
mod golden;
