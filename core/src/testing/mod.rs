//! The simulated world: a journal in memory, ports that fail on demand, an executor driven by hand.
//!
//! Only with feature `testing`, which no release artefact has.

mod executor;
mod memory_store;
pub mod store_suite;
mod world;

use executor::Turn;
pub use executor::{Executor, run_native};
pub use memory_store::{Meddling, MemoryStore, Use};
pub use world::{HttpRequest, Network, OpenWindow, World};
