//! The resolved form as JSON: `candid-profile-resolved`, version 0. One form has one text.

use serde_json::{Map, Value, json};

use super::relpath::RelPath;
use super::resolved::{Node, Resolved, ResolvedCase, ResolvedMethod, Shape, label_text};
use super::tags::{Idempotency, NameSet, Outcome, Param, Provenance, Tagged, Tags, ValueTag};
use crate::ids::ContentHash;

impl Resolved {
    /// The form as JSON. Equal forms give equal texts, across runs and versions of this program that
    /// write the same version of the format. Findings are not in it: they change nothing.
    #[must_use]
    pub fn to_json(&self) -> String {
        let methods: Map<_, _> = self
            .methods
            .iter()
            .map(|(name, method)| (name.clone(), method_form(method)))
            .collect();
        let definitions: Map<_, _> = self
            .definitions
            .iter()
            .map(|(name, node)| (name.clone(), node_form(node)))
            .collect();
        let names: Map<_, _> = self
            .names
            .iter()
            .map(|(name, set)| (name.clone(), tagged(set, name_set)))
            .collect();
        let mut form = object([
            ("format", "candid-profile-resolved".into()),
            ("format_version", 0.into()),
            ("interface", json!(self.fingerprint)),
            ("documents", self.documents.iter().map(provenance).collect()),
            ("methods", methods.into()),
            ("types", definitions.into()),
        ]);
        if !names.is_empty() {
            form["names"] = names.into();
        }
        form.to_string()
    }

    /// SHA-256 of [`Resolved::to_json`].
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.to_json().as_bytes())
    }
}

/// An object of these fields. `json!` copies the values it is given; a deep tree would be copied once
/// a level.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect::<Map<_, _>>()
        .into()
}

fn method_form(method: &ResolvedMethod) -> Value {
    let mut form = Map::new();
    form.insert("mode".to_owned(), method.mode.as_str().into());
    let mut tags = Map::new();
    put(&mut tags, "intent", method.intent.as_ref(), |intent| {
        json!(intent)
    });
    put(&mut tags, "effect", method.effect.as_ref(), |effect| {
        json!(effect)
    });
    put(
        &mut tags,
        "idempotency",
        method.idempotency.as_ref(),
        idempotency,
    );
    put(&mut tags, "outcome", method.outcome.as_ref(), outcome);
    put(
        &mut tags,
        "reconcile",
        method.reconcile.as_ref(),
        |reconcile| json!(reconcile),
    );
    if !tags.is_empty() {
        form.insert("tags".to_owned(), tags.into());
    }
    if !method.cases.is_empty() {
        let cases: Map<_, _> = method
            .cases
            .iter()
            .map(|(path, case)| (path.to_string(), case_form(case).into()))
            .collect();
        form.insert("cases".to_owned(), cases.into());
    }
    if !method.quoted.is_empty() {
        let quoted = method.quoted.iter().map(|(at, words)| {
            let mut form = tagged(words, |words| json!(words));
            form["at"] = json!(at);
            form
        });
        form.insert("quoted".to_owned(), quoted.collect());
    }
    form.insert(
        "args".to_owned(),
        method.args.iter().map(node_form).collect(),
    );
    form.insert(
        "results".to_owned(),
        method.results.iter().map(node_form).collect(),
    );
    form.into()
}

fn case_form(case: &ResolvedCase) -> Map<String, Value> {
    let mut tags = Map::new();
    put(&mut tags, "intent", case.intent.as_ref(), |intent| {
        json!(intent)
    });
    put(&mut tags, "effect", case.effect.as_ref(), |effect| {
        json!(effect)
    });
    put(&mut tags, "outcome", case.outcome.as_ref(), outcome);
    tags
}

fn name_set(set: &NameSet) -> Value {
    match set {
        NameSet::Query { method, list } => json!({ "query": method, "reply": list }),
        NameSet::Wallet => json!({ "source": "wallet" }),
    }
}

fn node_form(node: &Node) -> Value {
    let mut form = Map::new();
    let (kind, content) = shape(&node.shape);
    form.insert("type".to_owned(), kind.into());
    if let Some((name, content)) = content {
        form.insert(name.to_owned(), content);
    }
    let tags = tags(&node.tags);
    if !tags.is_empty() {
        form.insert("tags".to_owned(), tags.into());
    }
    form.into()
}

fn shape(shape: &Shape) -> (&'static str, Option<(&'static str, Value)>) {
    let member = |label: &candid::types::Label, node: &Node| {
        object([
            ("label", label_text(label).into()),
            ("hash", label.get_id().into()),
            ("position", node_form(node)),
        ])
    };
    match shape {
        Shape::Record(fields) => {
            let fields = fields
                .iter()
                .map(|field| member(&field.label, &field.node))
                .collect();
            ("record", Some(("fields", fields)))
        }
        Shape::Variant(cases) => {
            let cases = cases
                .iter()
                .map(|case| member(&case.label, &case.node))
                .collect();
            ("variant", Some(("cases", cases)))
        }
        Shape::Opt(inner) => ("opt", Some(("of", node_form(inner)))),
        Shape::Vec(inner) => ("vec", Some(("of", node_form(inner)))),
        Shape::Recursive(name) => ("definition", Some(("name", name.as_str().into()))),
        Shape::Blob => ("blob", None),
        Shape::Nat => ("nat", None),
        Shape::Int => ("int", None),
        Shape::Nat8 => ("nat8", None),
        Shape::Nat16 => ("nat16", None),
        Shape::Nat32 => ("nat32", None),
        Shape::Nat64 => ("nat64", None),
        Shape::Int8 => ("int8", None),
        Shape::Int16 => ("int16", None),
        Shape::Int32 => ("int32", None),
        Shape::Int64 => ("int64", None),
        Shape::Float32 => ("float32", None),
        Shape::Float64 => ("float64", None),
        Shape::Text => ("text", None),
        Shape::Bool => ("bool", None),
        Shape::Principal => ("principal", None),
        Shape::Null => ("null", None),
        Shape::Reserved => ("reserved", None),
        Shape::Empty => ("empty", None),
        Shape::Func => ("func", None),
        Shape::Service => ("service", None),
    }
}

fn tags(tags: &Tags) -> Map<String, Value> {
    let mut form = Map::new();
    let Tags {
        describe,
        value,
        text,
        range,
        auto,
        hidden,
        payer,
        named,
        quoted,
    } = tags;
    put(&mut form, "describe", describe.as_deref(), |describe| {
        json!(describe)
    });
    put(&mut form, "value", value.as_deref(), value_form);
    put(&mut form, "text", text.as_deref(), |text| json!(text));
    put(&mut form, "range", range.as_deref(), |range| json!(range));
    put(&mut form, "auto", auto.as_deref(), |auto| json!(auto));
    put(
        &mut form,
        "ui",
        hidden.as_deref(),
        |hidden| json!({ "hidden": hidden }),
    );
    put(&mut form, "payer", payer.as_deref(), |payer| json!(payer));
    put(&mut form, "named", named.as_deref(), |named| json!(named));
    if !quoted.is_empty() {
        let quoted = quoted
            .iter()
            .map(|words| tagged(words, |words| json!(words)));
        form.insert("quoted".to_owned(), quoted.collect());
    }
    form
}

fn put<T>(
    form: &mut Map<String, Value>,
    name: &str,
    tag: Option<&Tagged<T>>,
    write: impl Fn(&T) -> Value,
) {
    if let Some(tag) = tag {
        form.insert(name.to_owned(), tagged(tag, write));
    }
}

fn tagged<T>(tagged: &Tagged<T>, write: impl Fn(&T) -> Value) -> Value {
    json!({ "tag": write(&tagged.tag), "from": provenance(&tagged.from) })
}

fn provenance(from: &Provenance) -> Value {
    json!({ "source": from.source, "document": from.document })
}

fn idempotency(idempotency: &Idempotency) -> Value {
    json!({
        "stamp": idempotency.stamp,
        "window": idempotency.window.as_secs(),
        "drift": idempotency.drift.as_secs(),
        "cap": idempotency.cap,
    })
}

/// The classes as pairs, since their order is part of what they say.
fn outcome(outcome: &Outcome) -> Value {
    let classes: Vec<(&RelPath, _)> = outcome
        .classes
        .iter()
        .map(|(path, class)| (path, class))
        .collect();
    json!({ "classes": classes, "default": outcome.default })
}

fn value_form(value: &ValueTag) -> Value {
    fn param<T: serde::Serialize>(param: &Param<T>) -> Value {
        match param {
            Param::Literal(value) => json!(value),
            Param::Query(method) => json!({ "from": format!("query:{method}") }),
        }
    }
    match value {
        ValueTag::Amount { decimals, symbol } => json!({
            "kind": value.kind(), "decimals": param(decimals), "symbol": param(symbol),
        }),
        ValueTag::Timestamp { unit } | ValueTag::Duration { unit } => {
            json!({ "kind": value.kind(), "unit": unit })
        }
        ValueTag::Account
        | ValueTag::AccountId
        | ValueTag::Principal
        | ValueTag::Subaccount
        | ValueTag::Memo
        | ValueTag::Blob => json!({ "kind": value.kind() }),
    }
}
