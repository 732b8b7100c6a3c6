//! A local network that speaks the Internet Computer's public HTTP interface to real agents.
//!
//! State is certified by a real BLS key over real hash trees, queries are signed by a node,
//! messages are checked as a replica checks them, and canisters run in this process. It is for
//! tests and the demo: its keys come from a seed, it has one replica, and nothing on it has value.
//!
//! [`network::Network::handle`] is the whole network as a function of bytes and time, for tests
//! without sockets. [`Localnet::start`] serves it on loopback.

#![forbid(unsafe_code)]

pub mod canisters;
pub mod config;
mod control;
pub mod faults;
pub mod network;
mod server;

pub use config::Config;
pub use server::{Handle, Localnet, StartError};

/// Nanoseconds: a point of time since 1970-01-01T00:00:00 UTC, or a length of time.
pub type Nanos = u64;
