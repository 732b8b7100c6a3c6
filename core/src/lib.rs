//! The domain of Countersign: what an agent's call becomes, what a person is asked, and what is
//! sent, kept and answered.
//!
//! There is no browser, no runtime, no clock, no randomness and no I/O here. The rooms are listed
//! from the ground up; a room uses only rooms above it in the list.
//!
//! Without features the crate holds what the pages link: identifiers, time, text, JSON, views and
//! wire. Feature `wallet` adds what the worker links; feature `cli` adds the author's command; feature
//! `testing` adds the simulated world. The last two are in no artefact of the extension.

#![forbid(unsafe_code)]

// Identifiers, each a type of its own.
pub mod ids;

// Points and spans of time, without a way to read a clock.
pub mod time;

// Text from outside, made safe to show.
pub mod text;

// JSON, read strictly: no duplicate keys, no number where text is asked.
pub mod json;

// The stored form of records.
#[cfg(feature = "wallet")]
mod stored;

// A canister's Candid: parsed, bounded, resolved, encoded and decoded.
#[cfg(feature = "wallet")]
pub mod interface;

// What a profile says of an interface, and the built-in packs.
#[cfg(feature = "wallet")]
pub mod profile;

// One reader and writer a kind of value: amounts, accounts, times, text.
#[cfg(feature = "wallet")]
pub mod format;

// Tools from an interface and its profiles; input to bytes, replies to outcomes.
#[cfg(feature = "wallet")]
pub mod tools;

// The life of one call, as a pure state machine: never paid twice.
#[cfg(feature = "wallet")]
pub mod intent;

// Who may ask for what.
#[cfg(feature = "wallet")]
pub mod policy;

// What a person is shown before a yes, its digest, and when a press counts.
pub mod confirm;

// Signed envelopes, and what certificates prove.
#[cfg(feature = "wallet")]
pub mod ingress;

// Keys: phrase, derivation, sealing.
#[cfg(feature = "wallet")]
pub mod vault;

// Messages of the Model Context Protocol.
#[cfg(feature = "wallet")]
pub mod mcp;

// What content script, windows and worker say to each other.
pub mod wire;

// What the outside must guarantee.
#[cfg(feature = "wallet")]
pub mod ports;

// The driver: loads a stored record, runs its next effect through a port, stores what came of it.
#[cfg(feature = "wallet")]
pub mod engine;

// A simulated world, and the suite that every store must pass.
#[cfg(feature = "testing")]
pub mod testing;

// The author's command, `candid-profile`, but for the machine it runs on.
#[cfg(feature = "cli")]
pub mod cli;
