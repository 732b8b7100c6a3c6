//! What crosses a port, as versioned strings of JSON made and read in Rust at both ends.
//!
//! Only data: no rule of the wallet is decided here, and nothing here is kept.

pub mod page;
mod read;
pub mod ui;
