//! The door for MCP clients in web pages: bytes in, commands and replies out.
//!
//! One JSON-RPC message is read into an [`Incoming`]: either it is answered here, from constants
//! alone, or it is a typed command for the engine, which answers with a builder of [`Reply`].
//! Nothing is remembered between messages: a worker that was killed goes on with the next one.
//! Both eras of the protocol are served at once (Model Context Protocol, revisions 2026-07-28
//! "modern", 2025-11-25 and earlier "legacy"); a message says which it speaks.
//!
//! What never enters here: who the caller is (the browser says that, no message does), what a
//! tool does, time, randomness, I/O.

mod call;
mod era;
#[cfg(feature = "testing")]
pub mod fixtures;
mod listeners;
mod read;
mod reply;

pub use crate::tools::Dialect;
pub use call::{Call, CallMeta, Listen, ToolsRequest};
pub use era::{Era, MODERN_VERSION, SUPPORTED_VERSIONS};
pub use listeners::{Listeners, Post};
pub use read::{
    Incoming, MAX_MESSAGE_BYTES, ProgressToken, RpcId, digest, flooded, not_served, read,
};
pub use reply::{ListReply, Reply, ToolReply, list_changed, progress};

#[cfg(test)]
mod tests;
