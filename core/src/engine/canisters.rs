//! Canisters: what they certify of themselves, and the tools that result.

use super::Wallet;
use super::reads::ReadFailure;
use super::record::{RecordError, Stored};
use super::records::{Canister, InterfaceText, Value};
use crate::confirm::view::Unreadable;
use crate::format::amount::Symbol;
use crate::ids::{ContentHash, NetworkId, Principal};
use crate::ingress::Path;
use crate::intent::{Authority, CertifiedStatus, Intent, Prepared, Reply};
use crate::interface::{IDLValue, Interface, MAX_TEXT};
use crate::policy::Grant;
use crate::ports::Ports;
use crate::profile::{Document, Node, Param, Resolved, Shape, Source, ValueTag, packs, resolve};
use crate::text::Untrusted;
use crate::tools::{self, Catalog, Plan, Plans, RefValue, build_plans};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An interface with its tools.
pub(super) struct CanisterTools {
    /// The interface.
    pub(super) interface: Interface,
    /// The interface with what packs say of it.
    pub(super) resolved: Rc<Resolved>,
    /// Its tools.
    pub(super) plans: Plans,
}

impl CanisterTools {
    /// The tools of an interface's text.
    fn of(text: &str, profiles: &[Document]) -> Option<Self> {
        let interface = Interface::parse(text).ok()?;
        let resolved = Rc::new(resolve(&interface, &packs::all(), profiles));
        let plans = build_plans(&resolved);
        Some(Self {
            interface,
            resolved,
            plans,
        })
    }

    /// The plan of a call: the method's, or that of the case in its arguments.
    pub(super) fn plan(&self, prepared: &Prepared) -> Option<&Rc<Plan>> {
        self.plans.of_call(&prepared.method, &prepared.arg)
    }
}

/// What a canister certified of itself, as it was read.
#[derive(Clone)]
pub(super) struct CanisterRead {
    /// The record that accepting it stores.
    pub(super) canister: Canister,
    /// The text of its interface.
    pub(super) text: String,
    /// Its tools.
    pub(super) tools: Rc<CanisterTools>,
}

/// The canister as tools are worded with it.
pub(super) fn for_tools(canister: &Canister) -> tools::Canister {
    let refs: BTreeMap<String, RefValue> = canister
        .values
        .iter()
        .filter_map(|(name, value)| {
            let value = match value {
                Value::Number(digits) => RefValue::Number(digits.parse().ok()?),
                Value::Text(text) => RefValue::Text(text.clone()),
            };
            Some((format!("query:{name}"), value))
        })
        .collect();
    let label = match canister.values.get("icrc1_symbol") {
        // It stands among our own words: no other text of the canister's does.
        Some(Value::Text(symbol)) => Some(symbol.as_str()).filter(|s| Symbol::parse(s).is_some()),
        Some(Value::Number(_)) | None => None,
    };
    tools::Canister::new(canister.id, label, refs)
}

/// The canister as a call is shown with it: with the names that were listed when it was prepared.
pub(super) fn for_call(canister: &Canister, prepared: &Prepared) -> tools::Canister {
    for_tools(canister).with_names(prepared.names.clone())
}

impl<P: Ports> Wallet<P> {
    /// The tools of an interface's text, with the profiles that the wallet has.
    fn tools_from(&self, text: &str) -> Option<CanisterTools> {
        #[cfg(feature = "testing")]
        let profiles = &self.profiles;
        #[cfg(not(feature = "testing"))]
        let profiles = &[];
        CanisterTools::of(text, profiles)
    }

    /// The tools of the interface with this fingerprint, whose text was stored.
    pub(super) async fn tools_of(
        &self,
        fingerprint: &ContentHash,
    ) -> Result<Option<Rc<CanisterTools>>, RecordError> {
        if let Some(held) = self.memory.borrow().tools.get(fingerprint) {
            return Ok(Some(Rc::clone(held)));
        }
        let stored: Option<Stored<InterfaceText>> = self.load(&fingerprint.to_string()).await?;
        let Some(tools) = stored.and_then(|stored| self.tools_from(&stored.record.text)) else {
            return Ok(None);
        };
        let tools = Rc::new(tools);
        self.memory
            .borrow_mut()
            .tools
            .insert(*fingerprint, Rc::clone(&tools));
        Ok(Some(tools))
    }

    /// The canisters of a grant with their tools, in the order they were accepted. One whose
    /// record or interface is missing is left out: it has no tools.
    pub(super) async fn canisters_of(
        &self,
        grant: &Grant,
    ) -> Result<Vec<(Canister, Rc<CanisterTools>)>, RecordError> {
        let mut canisters = Vec::new();
        for held in &grant.canisters {
            let key = Canister::key_of(&grant.network, &held.id);
            let Some(Stored { record, .. }) = self.load::<Canister>(&key).await? else {
                continue;
            };
            let Some(tools) = self.tools_of(&record.fingerprint).await? else {
                continue;
            };
            // What the person accepted for this site is what the site has: another resolved form,
            // code or unit is another canister until the person has seen the difference.
            let as_accepted = record.accepted() == held.accepted;
            if tools.resolved.hash() == held.resolved && as_accepted && !record.withheld {
                canisters.push((record, tools));
            }
        }
        Ok(canisters)
    }

    /// The tools of a grant's canisters together, under the names that the grant holds.
    pub(super) async fn catalog_of(&self, grant: &Grant) -> Result<Catalog, RecordError> {
        let canisters = self.canisters_of(grant).await?;
        let worded: Vec<(tools::Canister, &Plans)> = canisters
            .iter()
            .map(|(canister, tools)| (for_tools(canister), &tools.plans))
            .collect();
        let mut names = grant.names.clone();
        Ok(Catalog::new(&worded, &mut names))
    }

    /// Reads what a canister certifies of itself: interface, module, and the values that its
    /// profile refers to.
    pub(super) async fn read_canister(
        &self,
        network: &NetworkId,
        id: Principal,
    ) -> Result<CanisterRead, Unreadable> {
        let paths = vec![
            Path::time(),
            Path::metadata(id, "candid:service"),
            Path::module_hash(id),
        ];
        let certified = self
            .read_state(network, id, paths)
            .await
            .map_err(unreadable)?;
        let module = certified
            .module_hash(id)
            .map_err(|_| Unreadable::NotCertified)?;
        let text = certified.metadata(id, "candid:service");
        let text = match text.map_err(|_| Unreadable::NotCertified)? {
            Some(text) if text.len() <= MAX_TEXT => {
                String::from_utf8(text.to_vec()).map_err(|_| Unreadable::BadInterface)?
            }
            Some(_) => return Err(Unreadable::BadInterface),
            None if module.is_none() => return Err(Unreadable::NoCanister),
            None => return Err(Unreadable::NoInterface),
        };
        let tools = Rc::new(self.tools_from(&text).ok_or(Unreadable::BadInterface)?);
        let mut values = BTreeMap::new();
        for method in references(&tools.resolved) {
            let value = self
                .read_value(network, id, &tools.interface, &method)
                .await?;
            values.insert(method, value);
        }
        let canister = Canister {
            network: *network,
            id,
            fingerprint: tools.interface.fingerprint(),
            module,
            resolved: tools.resolved.hash(),
            values,
            at: certified.time(),
            withheld: false,
        };
        Ok(CanisterRead {
            canister,
            text,
            tools,
        })
    }

    /// Reads a value of a canister by a replicated call, so that it is certified.
    pub(super) async fn read_value(
        &self,
        network: &NetworkId,
        id: Principal,
        interface: &Interface,
        method: &str,
    ) -> Result<Value, Unreadable> {
        let (Some(args), Some(results)) = (interface.args(method), interface.results(method))
        else {
            return Err(Unreadable::BadValues);
        };
        let arg = args.encode(&[]).map_err(|_| Unreadable::BadValues)?;
        let reply = self
            .replicated_read(network, id, method, &arg)
            .await
            .map_err(unreadable)?;
        let values = results.decode(&reply).map_err(|_| Unreadable::BadValues)?;
        match values.as_slice() {
            [value] => value_of(value).ok_or(Unreadable::BadValues),
            _ => Err(Unreadable::BadValues),
        }
    }

    /// What a certified reply to an intent's call says. `None` where the interface that it was
    /// prepared with cannot be had now: nothing is concluded.
    pub(super) async fn classify(
        &self,
        intent: &Intent,
        reply: Vec<u8>,
    ) -> Option<CertifiedStatus> {
        let prepared = intent.prepared();
        let tools = self.tools_of(&prepared.interface).await.ok()??;
        let Some(plan) = tools.plan(prepared) else {
            return Some(CertifiedStatus::Undecodable { reply });
        };
        let key = Canister::key_of(&prepared.network, &prepared.canister);
        let canister = self.load::<Canister>(&key).await.ok()??.record;
        Some(match plan.classify(&for_tools(&canister), &reply) {
            Ok(classified) => CertifiedStatus::Replied(Reply {
                class: classified.class,
                authority: if classified.built_in {
                    Authority::Pack
                } else {
                    Authority::Profile
                },
                case: classified.case,
                details: Some(classified.details.to_string()),
                duplicate_of: classified.duplicate_of,
                ledger_time: classified.ledger_time,
                block: None,
                bytes: reply,
            }),
            Err(_) => CertifiedStatus::Undecodable { reply },
        })
    }
}

/// The methods whose certified replies a profile refers to.
fn references(resolved: &Resolved) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for method in resolved.methods.values() {
        for node in method.args.iter().chain(&method.results) {
            refer(node, &mut found);
        }
        // Shown beside a call's amount, so certified with the rest.
        if method.name == "icrc1_fee" || method.name == "icrc1_name" {
            found.insert(method.name.clone());
        }
    }
    found
}

fn refer(node: &Node, found: &mut BTreeSet<String>) {
    if let Some(ValueTag::Amount { decimals, symbol }) = node.tags.value() {
        if let Param::Query(method) = decimals {
            found.insert(method.clone());
        }
        if let Param::Query(method) = symbol {
            found.insert(method.clone());
        }
    }
    match &node.shape {
        Shape::Record(fields) => fields.iter().for_each(|field| refer(&field.node, found)),
        Shape::Variant(cases) => cases.iter().for_each(|case| refer(&case.node, found)),
        Shape::Opt(inner) | Shape::Vec(inner) => refer(inner, found),
        Shape::Blob
        | Shape::Nat
        | Shape::Int
        | Shape::Nat8
        | Shape::Nat16
        | Shape::Nat32
        | Shape::Nat64
        | Shape::Int8
        | Shape::Int16
        | Shape::Int32
        | Shape::Int64
        | Shape::Float32
        | Shape::Float64
        | Shape::Text
        | Shape::Bool
        | Shape::Principal
        | Shape::Null
        | Shape::Reserved
        | Shape::Empty
        | Shape::Func
        | Shape::Service
        | Shape::Recursive(_) => {}
    }
}

/// The standards whose packs apply: `ICRC-1`.
pub(super) fn standards(resolved: &Resolved) -> Vec<String> {
    let built_in = resolved
        .documents
        .iter()
        .filter_map(|from| match from.source {
            Source::Pack => Some(from.document.to_uppercase()),
            Source::Canister | Source::Site | Source::Person => None,
        });
    built_in.collect()
}

fn unreadable(failure: ReadFailure) -> Unreadable {
    match failure {
        ReadFailure::NoAnswer | ReadFailure::NoFact(_) | ReadFailure::Slow => Unreadable::NoAnswer,
        ReadFailure::NoNetwork | ReadFailure::Record(_) => Unreadable::NoAnswer,
        ReadFailure::Certificate(_) | ReadFailure::Read(_) | ReadFailure::Query(_) => {
            Unreadable::NotCertified
        }
        ReadFailure::Rejected(_) => Unreadable::BadValues,
    }
}

/// A certified reply as a value that words can be made with: a whole number or a text.
fn value_of(value: &IDLValue) -> Option<Value> {
    match value {
        IDLValue::Nat(n) => Some(Value::Number(n.0.to_string())),
        IDLValue::Nat8(n) => Some(Value::Number(n.to_string())),
        IDLValue::Nat16(n) => Some(Value::Number(n.to_string())),
        IDLValue::Nat32(n) => Some(Value::Number(n.to_string())),
        IDLValue::Nat64(n) => Some(Value::Number(n.to_string())),
        IDLValue::Text(text) => Some(Value::Text(Untrusted::new(text).to_string())),
        _ => None,
    }
}
