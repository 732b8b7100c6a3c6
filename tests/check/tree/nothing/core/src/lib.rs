//! Rooms in order; words of another kind in a comment: async, chrome, crate::engine, sleep.
pub mod ids;
pub mod text;
pub mod intent;
pub mod ports;
