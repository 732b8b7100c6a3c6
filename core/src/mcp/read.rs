//! Reading one JSON-RPC message.

use super::{
    call::{self, Call, CallMeta, Listen, ToolsRequest},
    era::{self, Era},
    reply::{self, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, Reply},
};
use crate::{
    ids::ContentHash,
    json::{Json, JsonError},
};
use serde::{Deserialize, Serialize, de::IgnoredAny};

pub(super) use crate::json::Object;

/// The longest message that is read, in bytes of UTF-8.
pub const MAX_MESSAGE_BYTES: usize = 256 * 1024;

/// The id of a JSON-RPC request: a string or an integer, never null.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(untagged)]
pub enum RpcId {
    /// An integer.
    Integer(i64),
    /// A string.
    Text(String),
}

/// The token under which a client wants to hear of progress. It has the form of an id.
pub type ProgressToken = RpcId;

/// What a message is.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// Answered from constants; post the reply.
    Answered(Reply),
    /// The client of this channel is of the legacy era and ready: it may be sent notifications.
    Initialized,
    /// The list of tools is asked for.
    Tools(ToolsRequest),
    /// A tool is called.
    Call(Box<Call>),
    /// A modern client subscribes to changes.
    Listen(Listen),
    /// The client waits no longer for the answer to this request of the same channel. Not
    /// answered.
    Cancelled(RpcId),
    /// A notification or an answer that means nothing to us. Not answered.
    Ignored,
}

/// SHA-256 of a message's text: what ties a call's record to the very message that made it.
#[must_use]
pub fn digest(text: &str) -> ContentHash {
    ContentHash::of(text.as_bytes())
}

/// Reads one message. Whatever it holds, the result says what to do: there is no failure.
#[must_use]
pub fn read(text: &str) -> Incoming {
    if text.len() > MAX_MESSAGE_BYTES {
        return Reply::error(
            None,
            INVALID_REQUEST,
            "The message is longer than 256 KiB; send less.",
            None,
        )
        .into();
    }
    match Json::parse(text) {
        Ok(message) => read_message(&message).unwrap_or_else(Incoming::from),
        Err(error) => unreadable(text, &error),
    }
}

/// The one answer to every request of a caller that is not served at all: an embedded frame that
/// was not connected, a sandboxed or opaque origin, a file, plain `http` beyond this machine. None
/// where the message is no request.
#[must_use]
pub fn not_served(text: &str) -> Option<Reply> {
    request_id(text).as_ref().map(Reply::not_served)
}

/// The answer to a request of a document that sends too many. None where the message is no
/// request.
#[must_use]
pub fn flooded(text: &str) -> Option<Reply> {
    request_id(text).as_ref().map(Reply::flooded)
}

/// The id of what is plainly a request, without reading the rest of it.
fn request_id(text: &str) -> Option<RpcId> {
    if text.len() > MAX_MESSAGE_BYTES {
        return None;
    }
    let head: Head = serde_json::from_str(text).ok()?;
    head.method.and(head.id)
}

/// What says whether a text is a request, and which.
#[derive(Deserialize)]
struct Head {
    id: Option<RpcId>,
    method: Option<IgnoredAny>,
}

impl From<Reply> for Incoming {
    fn from(reply: Reply) -> Self {
        Self::Answered(reply)
    }
}

/// A text that is not taken as JSON is answered under its id where that is plain to see, so that
/// the client need not wait in vain; and not at all where it is itself an answer.
fn unreadable(text: &str, error: &JsonError) -> Incoming {
    let (code, message) = match error {
        JsonError::Syntax { .. } => (PARSE_ERROR, "The message is not JSON; send valid JSON."),
        JsonError::DuplicateField(_) => (
            -32600,
            "An object in the message has a name twice; give each name once.",
        ),
        JsonError::TooDeep => (
            -32600,
            "The message nests deeper than 64 levels; nest it less.",
        ),
    };
    match serde_json::from_str(text) {
        Ok(Head { method: None, .. }) => Incoming::Ignored,
        Ok(Head { id, .. }) => Reply::error(id.as_ref(), code, message, None).into(),
        Err(_) => Reply::error(None, code, message, None).into(),
    }
}

fn read_message(message: &Json) -> Result<Incoming, Reply> {
    let invalid = |id: Option<RpcId>, what| Reply::error(id.as_ref(), INVALID_REQUEST, what, None);
    let Json::Object(fields) = message else {
        return Err(invalid(
            None,
            "A message is one JSON-RPC object; batches are not served.",
        ));
    };
    let id = fields.get("id").and_then(read_id);
    let method = match fields.get("method") {
        Some(Json::String(method)) => method.as_str(),
        Some(_) => return Err(invalid(id, "method must be a string.")),
        None if fields.get("result").is_some() || fields.get("error").is_some() => {
            return Ok(Incoming::Ignored);
        }
        None => return Err(invalid(id, "The message has no method.")),
    };
    if fields.get("jsonrpc").and_then(Json::as_str) != Some("2.0") {
        return Err(invalid(id, "jsonrpc must be \"2.0\"."));
    }
    let no_params = Object::default();
    let params = match fields.get("params") {
        None => Some(&no_params),
        Some(params) => params.as_object(),
    };
    match (fields.get("id").is_some(), id, params) {
        (false, _, params) => Ok(params.map_or(Incoming::Ignored, |params| {
            read_notification(method, params)
        })),
        (true, None, _) => Err(invalid(None, "id must be a string or an integer.")),
        (true, Some(id), None) => Err(Reply::invalid_params(&id, "params must be an object.")),
        (true, Some(id), Some(params)) => read_request(id, method, params),
    }
}

fn read_id(id: &Json) -> Option<RpcId> {
    match id {
        Json::String(text) => Some(RpcId::Text(text.clone())),
        Json::Number(number) => number.as_i64().map(RpcId::Integer),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

fn read_notification(method: &str, params: &Object) -> Incoming {
    match method {
        "notifications/initialized" => Incoming::Initialized,
        "notifications/cancelled" => params
            .get("requestId")
            .and_then(read_id)
            .map_or(Incoming::Ignored, Incoming::Cancelled),
        _ => Incoming::Ignored,
    }
}

fn read_request(id: RpcId, method: &str, params: &Object) -> Result<Incoming, Reply> {
    let no_meta = Object::default();
    let meta = match params.get("_meta") {
        None => &no_meta,
        Some(Json::Object(meta)) => meta,
        Some(_) => {
            return Err(Reply::invalid_params(
                &id,
                "params._meta must be an object.",
            ));
        }
    };
    let (era, capabilities) = era::detect(&id, method, meta)?;
    match (method, era) {
        ("initialize", Era::Legacy) => {
            let asked = params.get("protocolVersion").and_then(Json::as_str);
            let asked = asked.ok_or_else(|| {
                Reply::invalid_params(&id, "params.protocolVersion must be a string.")
            })?;
            let version = era::negotiate(asked);
            Ok(Incoming::Answered(reply::initialized(&id, version)))
        }
        ("ping", Era::Legacy) => Ok(Incoming::Answered(reply::pong(&id))),
        ("server/discover", Era::Modern) => Ok(Incoming::Answered(reply::discovered(&id))),
        ("tools/list", _) => match params.get("cursor") {
            None => Ok(Incoming::Tools(ToolsRequest {
                dialect: call::dialect(&id, meta)?,
                id,
                era,
            })),
            Some(_) => Err(Reply::invalid_params(
                &id,
                "This cursor is not ours: the list has one page. Leave the cursor out.",
            )),
        },
        ("tools/call", _) => {
            let name = params.get("name").and_then(Json::as_str);
            let name =
                name.ok_or_else(|| Reply::invalid_params(&id, "params.name must be a string."))?;
            Ok(Incoming::Call(Box::new(Call {
                name: name.to_owned(),
                arguments: call::arguments(&id, params)?,
                progress: meta.get("progressToken").and_then(read_id),
                meta: CallMeta::read(&id, meta)?,
                capabilities,
                id,
                era,
            })))
        }
        ("subscriptions/listen", Era::Modern) => {
            let wanted = params.get("notifications").and_then(Json::as_object);
            let wanted = wanted.ok_or_else(|| {
                Reply::invalid_params(&id, "params.notifications must be an object.")
            })?;
            let tools = wanted.get("toolsListChanged").and_then(Json::as_bool);
            Ok(Incoming::Listen(Listen {
                id,
                tools: tools.unwrap_or(false),
            }))
        }
        _ => Err(Reply::error(
            Some(&id),
            METHOD_NOT_FOUND,
            "There is no such method here: Countersign serves tools only.",
            None,
        )),
    }
}
