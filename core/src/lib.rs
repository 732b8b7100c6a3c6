//! The domain of Countersign: what an agent's call becomes, what a person is asked, and what is
//! sent, kept and answered.
//!
//! There is no browser, no runtime, no clock, no randomness and no I/O here. The rooms are listed
//! from the ground up; a room uses only rooms above it in the list.
//!
//! Without features the crate holds what the pages link: identifiers, time, text, views and wire.
//! Feature `wallet` adds what the worker links; feature `testing` adds the simulated world, which
//! is in no release artefact.

#![forbid(unsafe_code)]

pub mod ids;

pub mod time;

pub mod text;

pub mod json;

#[cfg(feature = "wallet")]
pub mod interface;

#[cfg(feature = "wallet")]
pub mod profile;

#[cfg(feature = "wallet")]
pub mod format;

#[cfg(feature = "wallet")]
pub mod tools;

#[cfg(feature = "wallet")]
pub mod intent;

#[cfg(feature = "wallet")]
pub mod policy;

pub mod confirm;

#[cfg(feature = "wallet")]
pub mod ingress;

#[cfg(feature = "wallet")]
pub mod vault;

#[cfg(feature = "wallet")]
pub mod mcp;

pub mod wire;

#[cfg(feature = "wallet")]
pub mod ports;

#[cfg(feature = "wallet")]
pub mod engine;

#[cfg(feature = "testing")]
pub mod testing;
