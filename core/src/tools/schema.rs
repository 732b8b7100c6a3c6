//! The JSON Schema of an input, in either dialect. No guard lives here: what is refused is refused by
//! the reader.

use super::{
    canister::{AmountUnit, Canister, shared_token},
    names::{Dialect, plain},
    reader::{Kind, MAX_ELEMENTS, Member, Reader},
};
use crate::format::{
    account, account_id, amount, blob, boolean, integer, name, principal, subaccount, text, time,
};
use serde_json::{Map, Value, json};

/// What schemas are written for.
pub(super) struct Scope<'a> {
    pub(super) dialect: Dialect,
    pub(super) canisters: &'a [&'a Canister],
}

/// The words and the schema of an input as a whole.
pub(super) fn input(scope: &Scope<'_>, reader: &Reader) -> Value {
    let mut words = described(scope, reader);
    if reader.optional {
        words.push_str(" Optional: leave it out for none.");
    }
    schema(scope, reader, Some(words))
}

/// The profile's words, then ours.
fn described(scope: &Scope<'_>, reader: &Reader) -> String {
    let ours = match &reader.kind {
        Kind::Amount { unit, .. } => amount::describe(token(scope, unit).as_ref()),
        Kind::Account { .. } => account::describe(),
        Kind::AccountId(_) => account_id::describe(),
        Kind::Principal => principal::describe(),
        Kind::Subaccount => subaccount::describe(),
        Kind::Blob(length) => blob::describe(*length),
        Kind::Time { unit, .. } => time::describe(*unit),
        Kind::Duration { unit, .. } => time::describe_duration(*unit),
        Kind::Integer { bounds, .. } => integer::describe(bounds),
        Kind::Text(rules) => text::describe(rules),
        Kind::Bool => boolean::describe(),
        Kind::Record(_) => "A JSON object; the values in it are texts.".to_owned(),
        Kind::Variant(cases) => alternatives(scope, cases),
        Kind::Vec(_) => format!("A JSON array of at most {MAX_ELEMENTS} elements."),
        Kind::Nothing => String::new(),
    };
    let ours = match &reader.named {
        Some(set) => format!("{ours} {}", name::describe(&plain(set))),
        None => ours,
    };
    match &reader.words {
        Some(words) => {
            let stop = if words.ends_with(['.', '?', '!']) {
                ""
            } else {
                "."
            };
            format!("{words}{stop} {ours}").trim_end().to_owned()
        }
        None => ours,
    }
}

fn alternatives(scope: &Scope<'_>, cases: &[Member]) -> String {
    let words: Vec<_> = cases
        .iter()
        .map(|case| {
            let tag = case.names.get(scope.dialect);
            match &case.reader.kind {
                Kind::Nothing => format!("{{\"tag\":\"{tag}\"}}"),
                kind if kind.is_json() => format!("{{\"tag\":\"{tag}\",\"value\":…}}"),
                _ => format!("{{\"tag\":\"{tag}\",\"value\":\"…\"}}"),
            }
        })
        .collect();
    format!("A JSON object, one of: {}.", words.join(", "))
}

fn token(scope: &Scope<'_>, unit: &AmountUnit) -> Option<amount::Token> {
    shared_token(unit, scope.canisters)
}

fn pattern(scope: &Scope<'_>, kind: &Kind) -> Option<String> {
    match kind {
        Kind::Amount { unit, .. } => token(scope, unit).map(|token| amount::pattern(&token)),
        Kind::AccountId(_) => Some(account_id::PATTERN.to_owned()),
        Kind::Principal => Some(principal::PATTERN.to_owned()),
        Kind::Subaccount => Some(subaccount::PATTERN.to_owned()),
        Kind::Integer { bounds, .. } => Some(integer::pattern(bounds)),
        Kind::Text(rules) => text::pattern(rules),
        Kind::Account { .. }
        | Kind::Blob(_)
        | Kind::Time { .. }
        | Kind::Duration { .. }
        | Kind::Bool
        | Kind::Record(_)
        | Kind::Variant(_)
        | Kind::Vec(_)
        | Kind::Nothing => None,
    }
}

fn schema(scope: &Scope<'_>, reader: &Reader, words: Option<String>) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    match &reader.kind {
        Kind::Record(fields) => {
            let required: Vec<_> = fields
                .iter()
                .filter(|field| is_required(&field.reader))
                .map(|field| field.names.get(scope.dialect))
                .collect();
            put("type", json!("object"));
            if let Some(words) = words {
                put("description", json!(words));
            }
            put("properties", properties(scope, fields));
            put("required", json!(required));
            if scope.dialect == Dialect::Full {
                put("additionalProperties", json!(false));
            }
        }
        Kind::Variant(cases) => match scope.dialect {
            Dialect::Full => {
                if let Some(words) = words {
                    put("description", json!(words));
                }
                let cases: Vec<_> = cases.iter().map(|case| case_schema(scope, case)).collect();
                put("oneOf", json!(cases));
            }
            Dialect::Portable => {
                put("type", json!("object"));
                let described = words.unwrap_or_else(|| described(scope, reader));
                put("description", json!(described));
                let tags: Vec<_> = cases.iter().map(|c| c.names.get(scope.dialect)).collect();
                let mut properties = json!({ "tag": { "type": "string", "enum": tags } });
                if let Some(value) = portable_value(scope, cases) {
                    properties["value"] = value;
                }
                put("properties", properties);
                put("required", json!(["tag"]));
            }
        },
        Kind::Vec(element) => {
            put("type", json!("array"));
            if let Some(words) = words {
                put("description", json!(words));
            }
            let inner = schema(scope, element, Some(described(scope, element)));
            put(
                "items",
                match scope.dialect {
                    Dialect::Full if element.optional => {
                        json!({ "oneOf": [inner, { "type": "null" }] })
                    }
                    Dialect::Full | Dialect::Portable => inner,
                },
            );
            if scope.dialect == Dialect::Full {
                put("maxItems", json!(MAX_ELEMENTS));
            }
        }
        Kind::Amount { .. }
        | Kind::Account { .. }
        | Kind::AccountId(_)
        | Kind::Principal
        | Kind::Subaccount
        | Kind::Blob(_)
        | Kind::Time { .. }
        | Kind::Duration { .. }
        | Kind::Integer { .. }
        | Kind::Text(_)
        | Kind::Bool
        | Kind::Nothing => {
            put("type", json!("string"));
            if matches!(reader.kind, Kind::Bool) {
                put("enum", json!(boolean::WORDS));
            }
            put(
                "description",
                json!(words.unwrap_or_else(|| described(scope, reader))),
            );
            if scope.dialect == Dialect::Full
                && reader.named.is_none()
                && let Some(pattern) = pattern(scope, &reader.kind)
            {
                put("pattern", json!(pattern));
            }
        }
    }
    Value::Object(out)
}

/// Whether a field has to be written.
pub(super) const fn is_required(reader: &Reader) -> bool {
    !reader.optional && !matches!(reader.kind, Kind::Nothing)
}

fn properties(scope: &Scope<'_>, fields: &[Member]) -> Value {
    let asked = fields
        .iter()
        .filter(|field| !matches!(field.reader.kind, Kind::Nothing));
    Value::Object(
        asked
            .map(|field| {
                let name = field.names.get(scope.dialect).to_owned();
                (name, input(scope, &field.reader))
            })
            .collect(),
    )
}

fn case_schema(scope: &Scope<'_>, case: &Member) -> Value {
    let tag = json!({ "type": "string", "enum": [case.names.get(scope.dialect)] });
    let mut out = json!({ "type": "object", "properties": { "tag": tag }, "required": ["tag"] });
    if !matches!(case.reader.kind, Kind::Nothing) {
        out["properties"]["value"] = input(scope, &case.reader);
        if !case.reader.optional {
            out["required"] = json!(["tag", "value"]);
        }
    }
    out["additionalProperties"] = json!(false);
    out
}

/// One schema for the values of all cases, which the portable dialect cannot tell apart.
fn portable_value(scope: &Scope<'_>, cases: &[Member]) -> Option<Value> {
    let valued: Vec<_> = cases
        .iter()
        .filter(|case| !matches!(case.reader.kind, Kind::Nothing))
        .collect();
    match valued.as_slice() {
        [] => None,
        [one] => Some(input(scope, &one.reader)),
        several => {
            let words: Vec<_> = several
                .iter()
                .map(|case| {
                    let words = described(scope, &case.reader);
                    format!("For {}: {words}", case.names.get(scope.dialect))
                })
                .collect();
            let mut out = Map::new();
            if several.iter().all(|case| !case.reader.kind.is_json()) {
                out.insert("type".to_owned(), json!("string"));
            }
            out.insert("description".to_owned(), json!(words.join(" ")));
            Some(Value::Object(out))
        }
    }
}
