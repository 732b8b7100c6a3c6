//! Which revision of the protocol a message speaks.

use super::{
    read::{Object, RpcId},
    reply::{Reply, UNSUPPORTED_VERSION},
};
use crate::json::Json;
use serde_json::json;

/// The current revision, whose requests each carry their version.
pub const MODERN_VERSION: &str = "2026-07-28";

/// The revisions we name to clients, best first.
pub const SUPPORTED_VERSIONS: [&str; 3] = [MODERN_VERSION, "2025-11-25", "2025-06-18"];

/// The revisions an `initialize` may ask for, best first. The last two differ from their
/// successors in nothing that this door uses.
const LEGACY_VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// The two groups of revisions. They differ in how a session begins and in the form of results.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Era {
    /// Up to 2025-11-25: `initialize`, then requests without a version.
    Legacy,
    /// From 2026-07-28 on: no session; every request carries its version.
    Modern,
}

/// The revision to answer an `initialize` with: the one asked for where it is known, else our
/// latest of that era (2025-11-25, "Version Negotiation").
pub(super) fn negotiate(asked: &str) -> &'static str {
    LEGACY_VERSIONS
        .into_iter()
        .find(|known| *known == asked)
        .unwrap_or(LEGACY_VERSIONS[0])
}

/// The era of a request, and the capabilities that a modern one declares.
///
/// A version or capabilities in `_meta`, or a method that only the modern era has, make a request
/// modern; it must then carry both (2026-07-28, "Per-request metadata"). All else is legacy.
pub(super) fn detect(id: &RpcId, method: &str, meta: &Object) -> Result<(Era, Object), Reply> {
    let version = meta.get(VERSION_KEY);
    let capabilities = meta.get(CAPABILITIES_KEY);
    let modern_only = matches!(method, "server/discover" | "subscriptions/listen");
    let begins_legacy = matches!(method, "initialize" | "ping") && version.is_none();
    if begins_legacy || (version.is_none() && capabilities.is_none() && !modern_only) {
        return Ok((Era::Legacy, Object::default()));
    }
    let missing = |key| {
        Reply::invalid_params(
            id,
            &format!("The request's _meta lacks a valid {key}; add it."),
        )
    };
    let version = version
        .and_then(Json::as_str)
        .ok_or_else(|| missing(VERSION_KEY))?;
    let capabilities = capabilities
        .and_then(Json::as_object)
        .ok_or_else(|| missing(CAPABILITIES_KEY))?;
    if version == MODERN_VERSION {
        return Ok((Era::Modern, capabilities.clone()));
    }
    Err(Reply::error(
        Some(id),
        UNSUPPORTED_VERSION,
        "This protocol version is not supported; use one in data.supported.",
        Some(json!({ "supported": SUPPORTED_VERSIONS, "requested": version })),
    ))
}
