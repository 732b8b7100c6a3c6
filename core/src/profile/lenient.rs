//! Reading a document for its author: everything that is wrong with it, and what is left without
//! that.

use serde_json::Value;

use super::document::{Document, DocumentError};
use super::finding::{Finding, FindingCode};
use super::near::nearest;
use super::tags::{Provenance, Source};

impl Document {
    /// Reads a document that may hold tags this format lacks: each is a finding, and is left out.
    /// Without a document nothing could be kept; then the last finding says why, as
    /// [`Document::parse`] does.
    ///
    /// `name` is what findings call the document until its own name is known.
    #[must_use]
    pub fn read_leniently(json: &str, name: &str, source: Source) -> (Option<Self>, Vec<Finding>) {
        let mut unknown = Vec::new();
        let mut tree = serde_json::from_str::<Value>(json).unwrap_or_default();
        strip(&mut tree, Level::Document, &mut Vec::new(), &mut unknown);
        let own_name = tree.get("name").and_then(Value::as_str).unwrap_or(name);
        let from = Provenance {
            source,
            document: own_name.to_owned(),
        };
        let mut findings: Vec<_> = unknown
            .into_iter()
            .map(|(at, advice)| Finding {
                code: FindingCode::UnknownTag,
                from: from.clone(),
                place: place_of(&at),
                tag: at.last().cloned().unwrap_or_default(),
                message: "the format has no such tag".to_owned(),
                advice,
                at,
            })
            .map(Finding::escaped)
            .collect();
        let read = if findings.is_empty() {
            Self::parse(json)
        } else {
            // What was taken out moves the rest, so a place in it would mislead.
            Self::parse(&tree.to_string()).map_err(DocumentError::without_place)
        };
        match read {
            Ok(document) => (Some(document), findings),
            Err(error) => {
                findings.push(Finding {
                    code: FindingCode::Form,
                    from,
                    at: Vec::new(),
                    place: String::new(),
                    tag: String::new(),
                    message: error.to_string(),
                    advice: "see core/PROFILE.md for the form of each tag".to_owned(),
                });
                (None, findings)
            }
        }
    }
}

/// Which part of a document an object is, and so which names it may have.
#[derive(Clone, Copy)]
enum Level {
    Document,
    Types,
    Methods,
    Method,
    Effect,
    Grant,
    Idempotency,
    Cases,
    Case,
    NameSources,
    NameSource,
    NameLists,
    NameList,
    At,
    Position,
    Value,
    Parameter,
    Text,
    Range,
    Ui,
    /// Any names, or no object at all: the reader of the format judges it.
    Free,
}

impl Level {
    /// The names that an object of this part may have; `None` where any are allowed.
    const fn names(self) -> Option<&'static [&'static str]> {
        Some(match self {
            Self::Document => &[
                "format",
                "format_version",
                "name",
                "chain",
                "candid",
                "types",
                "names",
                "methods",
            ],
            Self::Method => &[
                "intent",
                "effect",
                "idempotency",
                "outcome",
                "reconcile",
                "names",
                "cases",
                "at",
            ],
            Self::Case => &["intent", "effect", "outcome"],
            Self::NameSource => &["source"],
            Self::NameList => &["list", "value", "label"],
            Self::Effect => &["kind", "irreversible", "replicated", "grant"],
            Self::Grant => &["to", "amount"],
            Self::Idempotency => &["stamp", "window", "drift", "cap"],
            Self::Position => &[
                "describe", "value", "text", "range", "auto", "ui", "payer", "named",
            ],
            Self::Value => &["kind", "decimals", "symbol", "unit"],
            Self::Parameter => &["from"],
            Self::Text => &["max_len", "pattern", "format"],
            Self::Range => &["min", "max"],
            Self::Ui => &["hidden"],
            Self::Types
            | Self::Methods
            | Self::Cases
            | Self::NameSources
            | Self::NameLists
            | Self::At
            | Self::Free => return None,
        })
    }

    /// The part that a name of this one holds.
    fn below(self, name: &str) -> Self {
        match (self, name) {
            (Self::Document, "types") => Self::Types,
            (Self::Document, "methods") => Self::Methods,
            (Self::Document, "names") => Self::NameSources,
            (Self::NameSources, _) => Self::NameSource,
            (Self::Method, "names") => Self::NameLists,
            (Self::NameLists, _) => Self::NameList,
            (Self::Method, "cases") => Self::Cases,
            (Self::Cases, _) => Self::Case,
            (Self::Types | Self::At, _) => Self::Position,
            (Self::Methods, _) => Self::Method,
            (Self::Method | Self::Case, "effect") => Self::Effect,
            (Self::Method, "idempotency") => Self::Idempotency,
            (Self::Method, "at") => Self::At,
            (Self::Effect, "grant") => Self::Grant,
            (Self::Position, "value") => Self::Value,
            (Self::Position, "text") => Self::Text,
            (Self::Position, "range") => Self::Range,
            (Self::Position, "ui") => Self::Ui,
            (Self::Value, "decimals" | "symbol") => Self::Parameter,
            _ => Self::Free,
        }
    }
}

/// Takes names out that the format lacks, and notes for each the keys that lead to it and advice.
fn strip(
    tree: &mut Value,
    level: Level,
    at: &mut Vec<String>,
    unknown: &mut Vec<(Vec<String>, String)>,
) {
    let Value::Object(fields) = tree else {
        return;
    };
    if let Some(names) = level.names() {
        fields.retain(|name, _| {
            let known = names.contains(&name.as_str());
            if !known {
                let all = format!("the tags here are `{}`", names.join("`, `"));
                let advice = nearest(name, names.iter().copied(), &all, unknown.len());
                let keys = at.iter().cloned().chain([name.clone()]);
                unknown.push((keys.collect(), advice));
            }
            known
        });
    }
    for (name, inner) in fields.iter_mut() {
        at.push(name.clone());
        strip(inner, level.below(name), at, unknown);
        at.pop();
    }
}

/// The method or type and the position that keys lead to.
fn place_of(at: &[String]) -> String {
    match at {
        [part, name, below, place, _, ..]
            if part == "methods" && (below == "at" || below == "cases") =>
        {
            format!("{name} {place}")
        }
        [part, name, _, ..] if part == "methods" || part == "types" => name.clone(),
        _ => String::new(),
    }
}
