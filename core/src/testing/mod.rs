//! The simulated world: a journal in memory, ports that fail on demand, an executor driven by hand.
//!
//! Only with feature `testing`, which no release artefact has.

mod edges;
mod executor;
mod memory_store;
mod signatures;
pub mod store_suite;
mod world;

pub(crate) use edges::note_edge;
pub use edges::{Edges, take_edges};
use executor::Turn;
pub use executor::{Executor, run_native};
pub use memory_store::{Meddling, MemoryStore, Use};
pub(crate) use signatures::{is_simulated, simulates_signatures};
pub use signatures::{simulate_signatures, simulated_signature};
pub use world::{HttpRequest, Network, OpenWindow, World};
