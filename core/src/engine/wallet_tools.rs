//! The wallet's own tools: their names, what a model is told of them, and how their inputs are
//! read. Constant: nothing here depends on a site, a canister or the wallet's state.

use crate::ids::{PreviewId, Principal};
use crate::json::{Json, Object};
use crate::policy::{Preset, ToolChoice};
use crate::profile::MAX_DOCUMENT;
use crate::tools::{COMMIT, Dialect, commit_definition};
use serde_json::{Value, json};

/// What a site that is not connected has, and what every site keeps.
pub(super) const NAMES: [&str; 7] = [COMMIT, CALL, CANCEL, CONNECT, FIND, INTENT, STATUS];

pub(super) const CALL: &str = "wallet_call";
pub(super) const CANCEL: &str = "wallet_cancel";
pub(super) const CONNECT: &str = "wallet_connect";
pub(super) const FIND: &str = "wallet_find_tools";
pub(super) const INTENT: &str = "wallet_intent";
pub(super) const STATUS: &str = "wallet_status";

/// The most canisters that one ask names.
pub(super) const MAX_CANISTERS: usize = 16;

/// The most tools that one ask names.
const MAX_NAMES: usize = 200;

/// The longest search, in characters.
const MAX_QUERY: usize = 200;

/// The definitions, sorted by name.
pub(super) fn definitions(dialect: Dialect) -> Vec<Value> {
    NAMES.iter().map(|name| definition(name, dialect)).collect()
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn definition(name: &str, dialect: Dialect) -> Value {
    let preview = || text("A preview_id that a prepare tool answered with.");
    let (title, about, properties, required, read_only) = match name {
        CONNECT => (
            "Connect this site",
            "Ask the user to connect this site to one of their accounts, with the tools of these \
             canisters. Answers once the user has decided; calling again with the same input is \
             safe. Called by a connected site it answers with what the site has, or asks for more.",
            json!({
                "canisters": {
                    "type": "array",
                    "description": "The canisters whose tools the site wants, such as ledgers.",
                    "items": {
                        "type": "object",
                        "description": "One canister.",
                        "properties": {
                            "id": text("The canister's id."),
                            "profile": {
                                "type": "object",
                                "description": "What you know of the canister's methods, in the \
                                    candid-profile format. It can only narrow what the user's \
                                    wallet knows, unless the user trusts it.",
                            },
                        },
                        "required": ["id"],
                    },
                },
                "tools": {
                    "type": "array",
                    "description": "Either one preset: look (reads only), payments (balance, fee, \
                        transfer; used when left out) or all; or the names of the tools wanted.",
                    "items": text("A preset, or the name of a tool."),
                },
                "why": text("What the user is told, as the site's words, about why it asks."),
            }),
            json!([]),
            false,
        ),
        FIND => (
            "Find tools",
            "Find tools of this site whose name, title or inputs hold all words of the query.",
            json!({ "query": text("Words to look for, such as \"transfer amount\".") }),
            json!(["query"]),
            true,
        ),
        CALL => (
            "Call a tool",
            "Call a tool of this site by name, with the same result as calling it directly. For \
             hosts that list tools only once.",
            json!({
                "name": text("The name of the tool."),
                "input": { "type": "object", "description": "The tool's input." },
            }),
            json!(["name", "input"]),
            false,
        ),
        INTENT => (
            "Look at a call",
            "Say what became of a prepared call, waiting for news if asked to. Changes nothing and \
             sends nothing.",
            json!({
                "preview_id": preview(),
                "wait_s": text("How many seconds to wait for the call to end, at most 45."),
            }),
            json!(["preview_id"]),
            true,
        ),
        CANCEL => (
            "Withdraw an ask",
            "Withdraw what waits for the user's decision. What was sent cannot be withdrawn.",
            json!({ "preview_id": preview() }),
            json!(["preview_id"]),
            false,
        ),
        STATUS => (
            "What this site has",
            "Say which account, canisters and tools this site has, and which methods of its \
             canisters have no tool and why.",
            json!({}),
            json!([]),
            true,
        ),
        _ => return commit_definition(dialect),
    };
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
    });
    if let (Dialect::Full, Some(schema)) = (dialect, schema.as_object_mut()) {
        schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    json!({
        "name": name,
        "description": about,
        "inputSchema": schema,
        "annotations": {
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
            "readOnlyHint": read_only,
            "title": title,
        },
    })
}

/// One thing that is wrong with the input of a tool of ours.
#[derive(Clone, Debug, Eq, PartialEq, serde::Serialize)]
pub(super) struct Issue {
    pub(super) param: String,
    pub(super) path: String,
    pub(super) code: &'static str,
    pub(super) message: String,
}

/// Reads the fields of an input and collects what is wrong with them.
pub(super) struct Fields<'a> {
    object: &'a Object,
    known: Vec<&'static str>,
    pub(super) issues: Vec<Issue>,
}

impl<'a> Fields<'a> {
    pub(super) const fn of(object: &'a Object) -> Self {
        Self {
            object,
            known: Vec::new(),
            issues: Vec::new(),
        }
    }

    fn issue(&mut self, param: &str, code: &'static str, message: &str) {
        let message = message.to_owned();
        self.issues.push(Issue {
            param: param.to_owned(),
            path: param.to_owned(),
            code,
            message,
        });
    }

    fn field(&mut self, name: &'static str) -> Option<&'a Json> {
        self.known.push(name);
        self.object.get(name)
    }

    /// A text that may be left out.
    pub(super) fn text(&mut self, name: &'static str) -> Option<&'a str> {
        match self.field(name)? {
            Json::String(text) => Some(text),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => {
                self.issue(name, "E_TYPE", "Give it as text, in quotes.");
                None
            }
        }
    }

    fn needed<T>(&mut self, name: &'static str, found: Option<T>) -> Option<T> {
        if found.is_none() && self.object.get(name).is_none() {
            self.issue(name, "E_MISSING", "It is needed.");
        }
        found
    }

    /// A preview id. What is no such id at all is as good as another's: it is not told apart.
    pub(super) fn preview(&mut self) -> Option<Option<PreviewId>> {
        let text = self.text("preview_id");
        self.needed("preview_id", text)
            .map(|text| PreviewId::parse(text).ok())
    }

    /// A number of seconds, as text.
    pub(super) fn seconds(&mut self, name: &'static str) -> Option<u64> {
        let text = self.text(name)?;
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match text.parse::<u64>() {
            Ok(seconds) if digits => Some(seconds),
            Ok(_) | Err(_) => {
                self.issue(
                    name,
                    "E_SYNTAX",
                    "Give a whole number of seconds, such as \"30\".",
                );
                None
            }
        }
    }

    /// The words of a search, in lower case.
    pub(super) fn query(&mut self) -> Option<Vec<String>> {
        let text = self.text("query");
        let text = self.needed("query", text)?;
        if text.chars().count() > MAX_QUERY {
            self.issue("query", "E_LENGTH", "Give at most 200 characters.");
            return None;
        }
        Some(text.split_whitespace().map(str::to_lowercase).collect())
    }

    /// The name and input of a call.
    pub(super) fn call(&mut self) -> Option<(&'a str, &'a Object)> {
        let name = self.text("name");
        let name = self.needed("name", name);
        let given = self.field("input");
        let input = match self.needed("input", given) {
            Some(Json::Object(input)) => Some(input),
            Some(_) => {
                self.issue("input", "E_TYPE", "Give the tool's input as an object.");
                None
            }
            None => None,
        };
        Some((name?, input?))
    }

    /// The canisters asked for, each with a profile for it as JSON.
    pub(super) fn canisters(&mut self) -> Vec<(Principal, Option<String>)> {
        let list = match self.field("canisters") {
            None => return Vec::new(),
            Some(Json::Array(list)) if list.len() <= MAX_CANISTERS => list,
            Some(Json::Array(_)) => {
                self.issue(
                    "canisters",
                    "E_LENGTH",
                    "Ask for at most 16 canisters at a time.",
                );
                return Vec::new();
            }
            Some(_) => {
                self.issue(
                    "canisters",
                    "E_TYPE",
                    "Give an array of objects with an id.",
                );
                return Vec::new();
            }
        };
        let mut found: Vec<(Principal, Option<String>)> = Vec::new();
        for (index, item) in list.iter().enumerate() {
            let mut refuse = |field: &str, code, message: &str| {
                let path = format!("canisters[{index}].{field}");
                let (param, message) = ("canisters".to_owned(), message.to_owned());
                self.issues.push(Issue {
                    param,
                    path,
                    code,
                    message,
                });
            };
            let Json::Object(object) = item else {
                refuse("id", "E_TYPE", "Give an object with an id.");
                continue;
            };
            if object
                .iter()
                .any(|(name, _)| !["id", "profile"].contains(&name))
            {
                refuse(
                    "id",
                    "E_UNKNOWN_PARAM",
                    "A canister is asked for by its id, with a profile or without.",
                );
                continue;
            }
            let profile = match object.get("profile") {
                None => None,
                Some(profile @ Json::Object(_)) => Some(profile.to_string()),
                Some(_) => {
                    refuse("profile", "E_TYPE", "Give the profile as an object.");
                    continue;
                }
            };
            if profile
                .as_ref()
                .is_some_and(|text| text.len() > MAX_DOCUMENT)
            {
                refuse("profile", "E_LENGTH", "Give a profile of at most 64 KiB.");
                continue;
            }
            match object
                .get("id")
                .and_then(Json::as_str)
                .map(Principal::from_text)
            {
                Some(Ok(id)) if id.as_slice().len() == 10 => {
                    if found.iter().all(|(known, _)| *known != id) {
                        found.push((id, profile));
                    }
                }
                Some(_) => refuse("id", "E_PRINCIPAL", "This is no canister's id."),
                None => refuse("id", "E_MISSING", "Give the canister's id as text."),
            }
        }
        found
    }

    /// The tools asked for: a preset, or names.
    pub(super) fn tools(&mut self) -> Option<ToolChoice> {
        let list = match self.field("tools")? {
            Json::String(one) => vec![one.as_str()],
            Json::Array(list) if list.len() <= MAX_NAMES => {
                let names: Option<Vec<&str>> = list.iter().map(Json::as_str).collect();
                match names {
                    Some(names) => names,
                    None => {
                        self.issue("tools", "E_TYPE", "Give names as text.");
                        return None;
                    }
                }
            }
            Json::Array(_) => {
                self.issue("tools", "E_LENGTH", "Name at most 200 tools.");
                return None;
            }
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => {
                self.issue("tools", "E_TYPE", "Give a preset, or an array of names.");
                return None;
            }
        };
        match list.as_slice() {
            ["look"] => Some(ToolChoice::Preset(Preset::Look)),
            ["payments"] => Some(ToolChoice::Preset(Preset::Payments)),
            ["all"] => Some(ToolChoice::Preset(Preset::All)),
            [] => {
                self.issue("tools", "E_LENGTH", "Name a preset or at least one tool.");
                None
            }
            names => Some(ToolChoice::Names(
                names.iter().map(|n| (*n).to_owned()).collect(),
            )),
        }
    }

    /// What is wrong, with every field that was not asked for.
    pub(super) fn finish(mut self) -> Vec<Issue> {
        let unknown: Vec<String> = self
            .object
            .iter()
            .map(|(name, _)| name)
            .filter(|name| !self.known.iter().any(|known| known == name))
            .map(crate::tools::plain)
            .collect();
        for name in unknown {
            self.issue(
                &name,
                "E_UNKNOWN_PARAM",
                "The tool has no input of this name.",
            );
        }
        self.issues
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_tools_are_sorted_and_each_has_a_definition() {
        assert!(NAMES.is_sorted());
        for dialect in Dialect::ALL {
            let definitions = definitions(dialect);
            let names: Vec<&str> = definitions
                .iter()
                .filter_map(|d| d["name"].as_str())
                .collect();
            assert_eq!(names, NAMES);
        }
    }

    fn issues(json: &str, read: impl FnOnce(&mut Fields<'_>)) -> Vec<&'static str> {
        let parsed = Json::parse(json).unwrap();
        let mut fields = Fields::of(parsed.as_object().unwrap());
        read(&mut fields);
        fields
            .finish()
            .into_iter()
            .map(|issue| issue.code)
            .collect()
    }

    #[test]
    fn an_input_is_refused_with_everything_that_is_wrong() {
        let connect = |fields: &mut Fields<'_>| {
            fields.canisters();
            fields.tools();
            fields.text("why");
        };
        let ok = r#"{"canisters":[{"id":"bkyz2-fmaaa-aaaaa-qaaaq-cai"}],"tools":["all"]}"#;
        assert!(issues(ok, connect).is_empty());
        assert!(issues("{}", connect).is_empty());
        let bad = r#"{"canisters":[{"id":"x"},{"id":5},{"id":"bkyz2-fmaaa-aaaaa-qaaaq-cai","name":"x"},
            {"id":"bkyz2-fmaaa-aaaaa-qaaaq-cai","profile":"{}"}],
            "tools":7,"why":true,"more":1}"#;
        let expected = [
            "E_PRINCIPAL",
            "E_MISSING",
            "E_UNKNOWN_PARAM",
            "E_TYPE",
            "E_TYPE",
            "E_TYPE",
            "E_UNKNOWN_PARAM",
        ];
        assert_eq!(issues(bad, connect), expected);
    }

    #[test]
    fn a_wait_is_digits_in_quotes() {
        let wait = |fields: &mut Fields<'_>| {
            fields.seconds("wait_s");
        };
        assert!(issues(r#"{"wait_s":"30"}"#, wait).is_empty());
        assert_eq!(issues(r#"{"wait_s":30}"#, wait), ["E_TYPE"]);
        assert_eq!(issues(r#"{"wait_s":"+3"}"#, wait), ["E_SYNTAX"]);
        assert_eq!(issues(r#"{"wait_s":""}"#, wait), ["E_SYNTAX"]);
    }
}
