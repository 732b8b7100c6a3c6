//! The answers that more than one tool gives, from a closed list.

use crate::engine::calls::Told;
use crate::engine::wallet_tools::{self, Issue};
use crate::intent::Answer;
use crate::mcp::ToolReply;
use serde_json::{Map, Value, json};

/// The JSON of a tool's answer, from what stands in this file.
pub(in crate::engine) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

pub(super) fn says(sentence: &str, structured: Value, is_error: bool) -> Told {
    ToolReply {
        sentence: sentence.to_owned(),
        structured: object(structured),
        is_error,
    }
    .into()
}

/// An error that leaves everything as it was.
pub(super) fn failed(code: &str, sentence: &str, retry: &str) -> Told {
    says(
        sentence,
        json!({ "code": code, "retry": retry, "next": null }),
        true,
    )
}

pub(super) fn store_failed() -> Told {
    failed(
        "E_STORE",
        "The wallet's storage cannot be used now, so nothing was done. Tell the user, then try \
         again.",
        "again",
    )
}

pub(super) fn refused(issues: &Value, tool: &str) -> Told {
    let structured = json!({
        "code": "E_INPUT",
        "issues": issues,
        "retry": "new_prepare",
        "next": { "tool": tool, "input": null },
    });
    says(
        "Nothing was sent. Correct the inputs named in issues and call again.",
        structured,
        true,
    )
}

pub(super) fn issues_of(issues: &[Issue]) -> Value {
    serde_json::to_value(issues).expect("issues hold only texts")
}

/// One answer to whoever is not connected, whatever it asked for.
pub(in crate::engine) fn not_connected() -> Told {
    let structured = json!({
        "code": "E_NOT_CONNECTED",
        "status": "not_connected",
        "retry": "again",
        "next": { "tool": wallet_tools::CONNECT, "input": {} },
    });
    says(
        "This site is not connected to the wallet. Call wallet_connect first.",
        structured,
        true,
    )
}

/// One answer to every preview id that is not this site's, whether it exists or not.
pub(super) fn no_such_preview() -> Told {
    failed(
        "E_NO_SUCH_PREVIEW",
        "This site has no prepared call with this preview_id. Prepare the call to get one.",
        "new_prepare",
    )
}

impl From<Answer> for Told {
    fn from(answer: Answer) -> Self {
        let tells = Some((answer.of, answer.names_end));
        let reply = ToolReply {
            structured: object(answer.structured()),
            is_error: answer.is_error(),
            sentence: answer.sentence,
        };
        Self { reply, tells }
    }
}

/// A canister runs other code than the person accepted.
pub(super) fn withheld() -> Told {
    failed(
        "E_WITHHELD",
        "The canister is not the one the user accepted: its code has changed. Nothing was read or \
         prepared, and its tools are withheld. Call wallet_connect with the same canisters, so that \
         the user can look at the change.",
        "after_person",
    )
}

pub(super) fn busy() -> Told {
    failed(
        "E_BUSY",
        "Other calls with names are in the way, so nothing was prepared. Prepare the call again.",
        "new_prepare",
    )
}

pub(super) fn nothing_read() -> Told {
    failed(
        "E_NO_CERTIFIED_TIME",
        "The network gave no certified time, so nothing was read and nothing was prepared. Try \
         again.",
        "again",
    )
}
