pub mod engine;
pub mod ids;
