//! Building what is sent to a client.
//!
//! Clients are strict: a message with a key too many or `id: null` is dropped and its caller waits
//! until it gives up. So every message is built here, and only here.

use super::{
    era::{Era, SUPPORTED_VERSIONS},
    read::{ProgressToken, RpcId},
};
use serde_json::{Map, Value, json};

/// What we are called on the wire. The version is that of this interface, not of the installed
/// extension: a page that is not connected learns no more than that we are here.
const SERVER_NAME: &str = "countersign";
const SERVER_TITLE: &str = "Countersign";
const SERVER_VERSION: &str = "1";

const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";
const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";

/// How long a connected client may keep a list it is not told about, in milliseconds.
const CONNECTED_TTL_MS: u64 = 60_000;

/// What a host may give its model about us as a whole.
const INSTRUCTIONS: &str = "Countersign is the user's wallet for the Internet Computer. Begin with \
    wallet_connect. A prepare_ tool shows what a call would do and sends nothing; commit asks the \
    user and sends it. Every answer says in `retry` and `next` whether and how to go on: follow \
    it. A call whose answer was lost may be made again with the same inputs: it is found, not \
    paid twice.";

// Codes of JSON-RPC 2.0 and of MCP 2026-07-28. Our own stand outside the range that JSON-RPC
// reserves (-32768 to -32000).
pub(super) const PARSE_ERROR: i32 = -32700;
pub(super) const INVALID_REQUEST: i32 = -32600;
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
pub(super) const UNSUPPORTED_VERSION: i32 = -32022;
const NOT_SERVED: i32 = -31001;
const FLOODED: i32 = -31002;
const CALL_LOST: i32 = -31003;

/// A message to the client of one channel, as the JSON text that is posted to it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reply(String);

/// The definitions a client is given, as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct ListReply {
    /// Definitions with all their members, in the order to send them.
    pub tools: Vec<Value>,
    /// Whether the site is connected; the list of others may change at any moment.
    pub connected: bool,
}

/// What a tool answers.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolReply {
    /// A sentence of ours, from a closed list.
    pub sentence: String,
    /// The answer itself. Its JSON is sent a second time as text, for hosts that show only text.
    pub structured: Map<String, Value>,
    /// Whether the model is to read it as an error.
    pub is_error: bool,
}

impl Reply {
    /// The message as JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The message as JSON text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Answers `tools/list`. Output schemas go to modern clients only: a legacy client compiles
    /// them with `eval`, which the page's policy may forbid, and then loses the whole list.
    #[must_use]
    pub fn tools(id: &RpcId, era: Era, list: ListReply) -> Self {
        let ListReply {
            mut tools,
            connected,
        } = list;
        match era {
            Era::Legacy => {
                for tool in tools.iter_mut().filter_map(Value::as_object_mut) {
                    tool.shift_remove("outputSchema");
                }
                Self::result(id, era, fields(json!({ "tools": tools })))
            }
            Era::Modern => {
                let ttl = if connected { CONNECTED_TTL_MS } else { 0 };
                let result = json!({ "tools": tools, "ttlMs": ttl, "cacheScope": "private" });
                Self::result(id, era, fields(result))
            }
        }
    }

    /// Answers `tools/call` with what the tool says.
    #[must_use]
    pub fn tool(id: &RpcId, era: Era, reply: ToolReply) -> Self {
        let ToolReply {
            sentence,
            structured,
            is_error,
        } = reply;
        let structured = Value::Object(structured);
        let mut result = fields(json!({
            "content": [
                { "type": "text", "text": sentence },
                { "type": "text", "text": structured.to_string() },
            ],
            "structuredContent": structured,
        }));
        if is_error {
            result.insert("isError".to_owned(), Value::Bool(true));
        }
        Self::result(id, era, result)
    }

    /// Answers a call of a tool that the caller does not have. One answer for a tool that is
    /// hidden, not granted, or in no list at all.
    #[must_use]
    pub fn unknown_tool(id: &RpcId) -> Self {
        let message = "There is no such tool. Call tools/list for the names of those there are.";
        Self::error(Some(id), INVALID_PARAMS, message, None)
    }

    /// Answers a request that was sent again after its port was lost, and of which no record is
    /// left. It is not known what became of it; nothing is done about it now.
    #[must_use]
    pub fn call_lost(id: &RpcId) -> Self {
        let message = "Countersign was stopped and has no record of this call. Make it again with \
            the same inputs: a payment that is under way is found, not made twice.";
        Self::own_error(id, CALL_LOST, message, "call_lost")
    }

    /// Answers a request that we failed to serve through a fault of our own.
    #[must_use]
    pub fn internal_error(id: &RpcId) -> Self {
        let message = "Countersign could not serve this request. Make it again with the same \
            inputs: a payment that is under way is found, not made twice.";
        Self::own_error(id, INTERNAL_ERROR, message, "internal")
    }

    pub(super) fn not_served(id: &RpcId) -> Self {
        let message = "Countersign serves no page of this kind: it serves top-level pages over \
            https, and over http on this machine.";
        let data = json!({ "code": "not_served" });
        Self::error(Some(id), NOT_SERVED, message, Some(data))
    }

    pub(super) fn flooded(id: &RpcId) -> Self {
        let message = "This page sends more than 20 messages a second. Wait a second, then make \
            the call again.";
        Self::own_error(id, FLOODED, message, "too_many_messages")
    }

    /// An error that says how to go on: the same call may be made again.
    fn own_error(id: &RpcId, code: i32, message: &str, name: &str) -> Self {
        let data = json!({ "code": name, "retry": "again" });
        Self::error(Some(id), code, message, Some(data))
    }

    /// Answers a subscription: the first message a listening client gets.
    #[must_use]
    pub(super) fn acknowledged(id: &RpcId, tools: bool) -> Self {
        let honoured = if tools {
            json!({ "toolsListChanged": true })
        } else {
            json!({})
        };
        Self::notification(
            "notifications/subscriptions/acknowledged",
            json!({ "_meta": { SUBSCRIPTION_KEY: id }, "notifications": honoured }),
        )
    }

    pub(super) fn invalid_params(id: &RpcId, message: &str) -> Self {
        Self::error(Some(id), INVALID_PARAMS, message, None)
    }

    pub(super) fn error(id: Option<&RpcId>, code: i32, message: &str, data: Option<Value>) -> Self {
        let mut error = fields(json!({ "code": code, "message": message }));
        if let Some(data) = data {
            error.insert("data".to_owned(), data);
        }
        let mut whole = fields(json!({ "jsonrpc": "2.0" }));
        if let Some(id) = id {
            whole.insert("id".to_owned(), json!(id));
        }
        whole.insert("error".to_owned(), Value::Object(error));
        Self(Value::Object(whole).to_string())
    }

    /// A result in the form of its era: a modern one says that it is complete and who answers.
    pub(super) fn result(id: &RpcId, era: Era, mut result: Map<String, Value>) -> Self {
        match era {
            Era::Legacy => {}
            Era::Modern => {
                result.insert("resultType".to_owned(), json!("complete"));
                result.insert(
                    "_meta".to_owned(),
                    json!({ SERVER_INFO_KEY: server_info() }),
                );
            }
        }
        Self(json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string())
    }

    fn notification(method: &str, params: Value) -> Self {
        Self(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string())
    }
}

/// Tells that a call is still under way. `so_far` must rise from one to the next: milliseconds
/// since the call came do, even where the worker was started anew in between.
#[must_use]
pub fn progress(token: &ProgressToken, so_far: u64, message: &str) -> Reply {
    let params = json!({ "progressToken": token, "progress": so_far, "message": message });
    Reply::notification("notifications/progress", params)
}

/// Progress towards a known end.
#[cfg(feature = "testing")]
pub(super) fn progress_of(token: &ProgressToken, so_far: u64, total: u64) -> Reply {
    let params = json!({ "progressToken": token, "progress": so_far, "total": total });
    Reply::notification("notifications/progress", params)
}

/// Tells that the list of tools changed: to a subscription of the modern era, or unasked to a
/// client of the legacy era.
#[must_use]
pub fn list_changed(subscription: Option<&RpcId>) -> Reply {
    let method = "notifications/tools/list_changed";
    match subscription {
        Some(id) => Reply::notification(method, json!({ "_meta": { SUBSCRIPTION_KEY: id } })),
        None => Reply(json!({ "jsonrpc": "2.0", "method": method }).to_string()),
    }
}

pub(super) fn initialized(id: &RpcId, version: &str) -> Reply {
    let result = json!({
        "protocolVersion": version,
        "capabilities": capabilities(),
        "serverInfo": server_info(),
        "instructions": INSTRUCTIONS,
    });
    Reply::result(id, Era::Legacy, fields(result))
}

pub(super) fn pong(id: &RpcId) -> Reply {
    Reply::result(id, Era::Legacy, Map::new())
}

pub(super) fn discovered(id: &RpcId) -> Reply {
    let result = json!({
        "supportedVersions": SUPPORTED_VERSIONS,
        "capabilities": capabilities(),
        "instructions": INSTRUCTIONS,
        "ttlMs": 0,
        "cacheScope": "private",
    });
    Reply::result(id, Era::Modern, fields(result))
}

fn capabilities() -> Value {
    json!({ "tools": { "listChanged": true } })
}

fn server_info() -> Value {
    json!({ "name": SERVER_NAME, "title": SERVER_TITLE, "version": SERVER_VERSION })
}

/// The members of an object written down in this file.
fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}
