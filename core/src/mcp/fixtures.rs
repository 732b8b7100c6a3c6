//! The tools that the official conformance suite calls by name. Only in a test build: no wallet
//! that holds anything has them.

use super::{
    call::Call,
    era::Era,
    reply::{Reply, progress_of},
};
use crate::json::Object;
use serde_json::{Map, Value, json};

/// The smallest PNG: one pixel.
const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// A WAV file without samples.
const AUDIO: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const MISSING_CAPABILITY: i32 = -32021;

const NAMES: [&str; 11] = [
    "test_audio_content",
    "test_embedded_resource",
    "test_error_handling",
    "test_image_content",
    "test_logging_tool",
    "test_missing_capability",
    "test_multiple_content_types",
    "test_simple_text",
    "test_streaming_elicitation",
    "test_tool_with_progress",
    "test_trigger_tool_change",
];

/// What a fixture answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The messages to post on the call's channel, in order.
    pub posts: Vec<Reply>,
    /// Whether the list of tools is to be told as changed.
    pub tools_changed: bool,
}

/// The definitions, sorted by name.
#[must_use]
pub fn definitions() -> Vec<Value> {
    let define = |name: &str| {
        json!({
            "name": name,
            "description": "A fixture of the conformance suite.",
            "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
        })
    };
    NAMES.into_iter().map(define).collect()
}

/// The answer to a call of a fixture; none where the tool is another.
#[must_use]
pub fn answer(call: &Call) -> Option<Answer> {
    let result = |content: Value, is_error: bool| {
        let mut result = Map::new();
        result.insert("content".to_owned(), content);
        if is_error {
            result.insert("isError".to_owned(), json!(true));
        }
        Reply::result(&call.id, call.era, result)
    };
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image = || json!({ "type": "image", "data": IMAGE, "mimeType": "image/png" });
    let resource = |name: &str, mime: &str, text: &str| {
        let uri = format!("test://{name}");
        json!({ "type": "resource", "resource": { "uri": uri, "mimeType": mime, "text": text } })
    };
    let mut posts = Vec::new();
    let last = match call.name.as_str() {
        "test_simple_text" | "test_logging_tool" | "test_streaming_elicitation" => {
            let words = text("This is a simple text response for testing.");
            result(json!([words]), false)
        }
        "test_image_content" => result(json!([image()]), false),
        "test_audio_content" => {
            let audio = json!({ "type": "audio", "data": AUDIO, "mimeType": "audio/wav" });
            result(json!([audio]), false)
        }
        "test_embedded_resource" => {
            let words = "This is an embedded resource content.";
            result(
                json!([resource("embedded-resource", "text/plain", words)]),
                false,
            )
        }
        "test_multiple_content_types" => {
            let data = r#"{"test":"data","value":123}"#;
            let resource = resource("mixed-content-resource", "application/json", data);
            let words = text("Multiple content types test:");
            result(json!([words, image(), resource]), false)
        }
        "test_error_handling" => {
            let words = text("This tool intentionally returns an error for testing");
            result(json!([words]), true)
        }
        "test_tool_with_progress" => {
            if let Some(token) = &call.progress {
                posts.extend([0, 50, 100].map(|done| progress_of(token, done, 100)));
            }
            result(json!([text("Done.")]), false)
        }
        "test_missing_capability" if lacks_sampling(call.era, &call.capabilities) => {
            let data = json!({ "requiredCapabilities": { "sampling": {} } });
            let message = "This tool needs the client to declare the capability sampling.";
            Reply::error(Some(&call.id), MISSING_CAPABILITY, message, Some(data))
        }
        "test_missing_capability" | "test_trigger_tool_change" => {
            result(json!([text("Done.")]), false)
        }
        _ => return None,
    };
    posts.push(last);
    Some(Answer {
        posts,
        tools_changed: call.name == "test_trigger_tool_change",
    })
}

fn lacks_sampling(era: Era, capabilities: &Object) -> bool {
    match era {
        Era::Legacy => false,
        Era::Modern => capabilities.get("sampling").is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Incoming, read};
    use super::*;

    #[test]
    fn every_fixture_that_is_listed_answers_and_no_other_name_does() {
        let called = |name: &str| {
            let params = json!({ "name": name, "_meta": { "progressToken": "p" } });
            let text =
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            match read(&text.to_string()) {
                Incoming::Call(call) => answer(&call),
                other => panic!("{other:?}"),
            }
        };
        let listed = definitions();
        assert_eq!(listed.len(), NAMES.len());
        for definition in listed {
            let name = definition["name"].as_str().unwrap();
            let answer = called(name).unwrap();
            let expected = if name == "test_tool_with_progress" {
                4
            } else {
                1
            };
            assert_eq!(answer.posts.len(), expected, "{name}");
        }
        assert_eq!(called("wallet_connect"), None);
    }
}
