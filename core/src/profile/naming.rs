//! Sets of names, and the positions that a name may be given at.

use candid::types::TypeEnv;

use super::document::NameSource;
use super::finding::{Finding, FindingCode};
use super::merge::{Merge, Spot};
use super::position::{find, is_account, is_hash_record, is_integer};
use super::relpath::{RelPath, Root, Step};
use super::resolved::{Node, Resolved, Shape};
use super::tags::{NameList, NameSet, Tagged, ValueTag};
use crate::interface::Mode;

impl Merge<'_> {
    /// The sets that no method lists. Whether there are any.
    pub(super) fn wallet_names(&mut self) -> bool {
        if !self.from.source.is_trusted() {
            self.untrusted_names();
            return false;
        }
        for (set, source) in &self.document.names {
            let source = match source {
                NameSource::Wallet {} => NameSet::Wallet,
            };
            let spot = Spot {
                at: vec!["names".to_owned()],
                place: String::new(),
            };
            self.put_names(&spot, set, source);
        }
        !self.document.names.is_empty()
    }

    /// A set of names that a method lists.
    pub(super) fn names(&mut self, method: &str, set: &str, list: &NameList) {
        let spot = Spot {
            place: format!("{method} {}", list.list),
            ..Spot::of_method(method)
        };
        let target = self.target(method);
        let is_list = list.list.root == Root::Results
            && find(target, &list.list)
                .is_some_and(|node| matches!(node.through_opts().1.shape, Shape::Vec(_)));
        let below = |path: &RelPath| is_below(path, &list.list);
        let label = find(target, &list.label).map(|node| &node.through_opts().1.shape);
        let (key, message, advice) = if target.mode == Mode::CompositeQuery {
            (
                None,
                "a composite query has no certified answer, and nobody else vouches for names",
                "list the names by a query that is not composite",
            )
        } else if target.mode != Mode::Query || !target.args.is_empty() {
            (
                None,
                "names are listed by a query without arguments",
                "list the names by another method",
            )
        } else if !is_list {
            (
                Some("list"),
                "the list of names must be a `vec` in the reply",
                "name the position of the `vec`, such as `(0).Ok`",
            )
        } else if !below(&list.value) || find(target, &list.value).is_none() {
            (
                Some("value"),
                "the value must be a position below the list's elements",
                "write the list's position, `[]`, and the way on, such as `(0).Ok[].id`",
            )
        } else if !below(&list.label) || !matches!(label, Some(Shape::Text)) {
            (
                Some("label"),
                "the label must be a `text` below the list's elements",
                "write the list's position, `[]`, and the way on, such as `(0).Ok[].name`",
            )
        } else {
            let of_names = Spot {
                at: [spot.at, vec!["names".to_owned()]].concat(),
                ..spot
            };
            let source = NameSet::Query {
                method: method.to_owned(),
                list: list.clone(),
            };
            self.put_names(&of_names, set, source);
            return;
        };
        let keys: Vec<&str> = ["names", set].into_iter().chain(key).collect();
        let what = (FindingCode::Misfit, "names", message);
        self.report(&spot, &keys, what, advice.to_owned());
    }
}

impl Merge<'_> {
    fn put_names(&mut self, spot: &Spot, set: &str, source: NameSet) {
        let known = self.into.names.get(set).cloned();
        let change = || "the names of another list could stand for values".to_owned();
        if self.may_say(spot, set, (known.as_ref(), &source), change) {
            let tagged = self.tagged(source);
            self.into.names.insert(set.to_owned(), tagged);
        }
    }
}

/// Whether a path leads through the elements of the list.
fn is_below(path: &RelPath, list: &RelPath) -> bool {
    let rest = path.steps.strip_prefix(list.steps.as_slice());
    path.root == list.root
        && path.index == list.index
        && rest.is_some_and(|rest| {
            rest.first() == Some(&Step::Elements) && !rest.iter().skip(1).any(is_elements)
        })
}

fn is_elements(step: &Step) -> bool {
    matches!(step, Step::Elements)
}

/// What stands for a value: a name is looked up only where what was given is no value itself.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Integer,
    Principal,
    Account,
    AccountId,
    Subaccount,
}

impl Kind {
    /// What a position holds. `None` where every text could be a value, and where a value is no text.
    fn of(node: &Node) -> Option<Self> {
        let below = node.through_opts().1;
        match node.tags.value() {
            Some(ValueTag::Account) => return Some(Self::Account),
            Some(ValueTag::AccountId) => return Some(Self::AccountId),
            Some(ValueTag::Subaccount) => return Some(Self::Subaccount),
            Some(ValueTag::Principal) => return Some(Self::Principal),
            Some(
                ValueTag::Amount { .. }
                | ValueTag::Memo
                | ValueTag::Blob
                | ValueTag::Timestamp { .. }
                | ValueTag::Duration { .. },
            ) => return None,
            None => {}
        }
        if is_integer(&below.shape) {
            Some(Self::Integer)
        } else if matches!(below.shape, Shape::Principal) {
            Some(Self::Principal)
        } else {
            None
        }
    }

    /// Whether a position of a list can hold values of this kind, with or without a tag of its own.
    fn is_held_by(self, node: &Node, env: &TypeEnv) -> bool {
        let below = node.through_opts().1;
        match self {
            Self::Integer => is_integer(&below.shape),
            Self::Principal => matches!(below.shape, Shape::Principal),
            Self::Account => {
                is_account(&below.ty, env) || matches!(below.shape, Shape::Principal | Shape::Text)
            }
            Self::AccountId => {
                is_account(&below.ty, env)
                    || is_hash_record(&below.ty, env)
                    || matches!(below.shape, Shape::Blob | Shape::Text)
            }
            Self::Subaccount => matches!(below.shape, Shape::Blob),
        }
    }
}

/// Takes `named` from the positions that no name can be given at, with a finding.
pub(super) fn check(resolved: &mut Resolved) {
    let mut found = Vec::new();
    let names = resolved.names.clone();
    let mut methods = core::mem::take(&mut resolved.methods);
    let values: Vec<_> = (names.iter())
        .filter_map(|(name, set)| match &set.tag {
            NameSet::Query { method, list } => {
                let node = find(methods.get(method)?, &list.value)?.clone();
                Some((name.clone(), node))
            }
            NameSet::Wallet => None,
        })
        .collect();
    for method in methods.values_mut() {
        let name = method.name.clone();
        for node in &mut method.args {
            walk(node, &mut |node| {
                let Some(set) = node.tags.named().map(str::to_owned) else {
                    return;
                };
                let kind = Kind::of(node);
                let message = match (kind, names.get(&set).map(|set| &set.tag)) {
                    (_, None) => "there is no set of this name",
                    (None, Some(_)) => {
                        "a name can stand for an integer, a principal, an account or a subaccount"
                    }
                    (
                        Some(Kind::Account | Kind::AccountId | Kind::Principal),
                        Some(NameSet::Wallet),
                    ) => {
                        return;
                    }
                    (Some(Kind::Integer | Kind::Subaccount), Some(NameSet::Wallet)) => {
                        "the wallet's own names stand for accounts"
                    }
                    (Some(kind), Some(NameSet::Query { .. })) => {
                        let value = values.iter().find(|(name, _)| *name == set);
                        if value.is_some_and(|(_, value)| kind.is_held_by(value, &resolved.env)) {
                            return;
                        }
                        "the values of the set are of another type than the position"
                    }
                };
                if let Some(Tagged { from, .. }) = node.tags.named.take().map(|tagged| *tagged) {
                    let path = node.path.to_string();
                    let keys = ["methods", &name, "at", &path, "named"];
                    found.push(Finding {
                        code: FindingCode::Contradictory,
                        from,
                        at: keys.iter().map(|key| (*key).to_owned()).collect(),
                        place: format!("{name} {path}"),
                        tag: "named".to_owned(),
                        message: message.to_owned(),
                        advice: "name a set of this document whose values fit the position"
                            .to_owned(),
                    });
                }
            });
        }
    }
    resolved.methods = methods;
    resolved.findings.append(&mut found);
}

/// Calls `visit` for a position and all below it, each once.
fn walk(node: &mut Node, visit: &mut impl FnMut(&mut Node)) {
    visit(node);
    match &mut super::position::content_mut(node).shape {
        Shape::Record(fields) => fields
            .iter_mut()
            .for_each(|field| walk(&mut field.node, visit)),
        Shape::Variant(cases) => cases
            .iter_mut()
            .for_each(|case| walk(&mut case.node, visit)),
        Shape::Vec(inner) => walk(inner, visit),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Document, resolve};
    use super::*;
    use crate::interface::Interface;
    use serde_json::{Value, json};

    fn with(document: &Value) -> Resolved {
        let interface = Interface::parse(
            "type Account = record { owner : principal; subaccount : opt blob };
             service : {
                 list : () -> (variant { Ok : vec record { id : nat64; name : opt text } }) query;
                 people : () -> (vec record { Account; text }) query;
                 paged : (nat) -> (vec record { id : nat64; name : text }) query;
                 gathered : () -> (vec record { id : nat64; name : text }) composite_query;
                 pay : (record { from : nat; to : Account; note : text; at : nat64 }) -> ();
             }",
        )
        .unwrap();
        let mut document = document.clone();
        document["format"] = json!("candid-profile");
        document["format_version"] = json!(0);
        document["name"] = json!("mine");
        let document = Document::parse(&document.to_string()).unwrap();
        resolve(&interface, &[], &[document])
    }

    fn accounts() -> Value {
        json!({ "account": {
            "list": "(0).Ok", "value": "(0).Ok[].id", "label": "(0).Ok[].name",
        } })
    }

    fn people() -> Value {
        json!({ "person": { "list": "(0)", "value": "(0)[].0", "label": "(0)[].1" } })
    }

    #[test]
    fn a_set_is_a_list_in_a_reply_and_a_position_takes_its_names() {
        let resolved = with(&json!({
            "names": { "contacts": { "source": "wallet" } },
            "methods": {
                "list": { "names": accounts() },
                "people": { "names": people() },
                "pay": { "at": {
                    "from": { "describe": "Account", "named": "account" },
                    "to": { "value": { "kind": "account" }, "named": "person" },
                } },
            },
        }));
        assert_eq!(resolved.findings, []);
        assert_eq!(resolved.names["contacts"].tag, NameSet::Wallet);
        let pay = &resolved.methods["pay"];
        let named = |name: &str| {
            pay.position(&RelPath::arg(0).member(name))
                .unwrap()
                .tags
                .named()
        };
        assert_eq!(
            (named("from"), named("to")),
            (Some("account"), Some("person"))
        );
        let form: Value = serde_json::from_str(&resolved.to_json()).unwrap();
        assert_eq!(form["names"]["account"]["tag"]["query"], json!("list"));
        assert_eq!(
            form["names"]["contacts"]["tag"],
            json!({ "source": "wallet" })
        );
    }

    #[test]
    fn what_lists_no_names_and_what_takes_none_is_reported() {
        let at = |set: &str| json!({ "describe": "It", "named": set });
        let resolved = with(&json!({
            "names": { "contacts": { "source": "wallet" } },
            "methods": {
                "list": { "names": {
                    "a": { "list": "(0)", "value": "(0).Ok[].id", "label": "(0).Ok[].name" },
                    "b": { "list": "(0).Ok", "value": "(0).Ok", "label": "(0).Ok[].name" },
                    "c": { "list": "(0).Ok", "value": "(0).Ok[].id", "label": "(0).Ok[].id" },
                } },
                "paged": { "names": {
                    "d": { "list": "(0)", "value": "(0)[].id", "label": "(0)[].name" },
                } },
                "gathered": { "names": {
                    "e": { "list": "(0)", "value": "(0)[].id", "label": "(0)[].name" },
                } },
                "people": { "names": people() },
                "pay": { "at": {
                    "from": at("person"), "to": at("person"), "note": at("person"), "at": at("none"),
                } },
            },
        }));
        let found: Vec<_> = (resolved.findings.iter())
            .map(|finding| format!("{} {}: {}", finding.place, finding.tag, finding.message))
            .collect();
        let form = "a name can stand for an integer, a principal, an account or a subaccount";
        assert_eq!(
            found,
            [
                "list (0) names: the list of names must be a `vec` in the reply",
                "list (0).Ok names: the value must be a position below the list's elements",
                "list (0).Ok names: the label must be a `text` below the list's elements",
                "paged (0) names: names are listed by a query without arguments",
                "gathered (0) names: a composite query has no certified answer, and nobody else \
                 vouches for names",
                "pay $args[0].at named: there is no set of this name",
                &format!("pay $args[0].to named: {form}"),
                "pay $args[0].from named: the values of the set are of another type than the position",
                &format!("pay $args[0].note named: {form}"),
            ]
        );
        assert!(
            resolved.methods["pay"]
                .args
                .iter()
                .all(|node| node.tags.named().is_none())
        );
    }
}
