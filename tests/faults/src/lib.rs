//! Random histories over the whole engine: what the network, the browser, the person and the agent
//! do is drawn from a seed, and the ledger's log says what came of it.
//!
//! The engine, the local network and its ledgers are the real ones; only the network's signatures
//! are simulated (`countersign_core::testing::simulate_signatures`), and the passphrase is not
//! stretched anew at each unlock. Nothing here asks the kernel what is right: a history is judged by
//! blocks and by the answers that a page was given.

#![forbid(unsafe_code)]

pub mod expected;
pub mod history;
pub mod judge;
pub mod machine;
pub mod net;
pub mod peers;
pub mod template;
pub mod weather;
