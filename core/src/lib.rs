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

pub mod confirm;
pub mod ids;
#[cfg(feature = "wallet")]
pub mod ingress;
pub mod intent;
pub mod json;
#[cfg(feature = "wallet")]
pub mod mcp;
pub mod json;
pub mod text;
pub mod time;

#[cfg(feature = "wallet")]
pub mod interface;
#[cfg(feature = "wallet")]
pub mod profile;

#[cfg(feature = "wallet")]
pub mod format;
pub mod ingress;

#[cfg(feature = "wallet")]
pub mod policy;

#[cfg(feature = "wallet")]
pub mod vault;

#[cfg(feature = "wallet")]
pub mod ports;

#[cfg(feature = "testing")]
pub mod testing;
pub mod wire;
