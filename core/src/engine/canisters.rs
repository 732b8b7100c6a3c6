//! Canisters: what they certify of themselves, and the tools that result.

use super::Wallet;
use super::profiles::{merged, read_profile};
use super::reads::ReadFailure;
use super::record::{RecordError, Stored};
use super::records::{Canister, InterfaceText, ProfileText, Value};
use crate::confirm::view::{KnownLedger, Unreadable};
use crate::format::amount::Symbol;
use crate::ids::{ContentHash, NetworkId, Principal};
use crate::intent::{Authority, CertifiedStatus, Intent, Prepared, Reply};
use crate::interface::{IDLValue, Interface};
use crate::policy::known_ledgers::looks_like;
use crate::policy::{Grant, GrantedCanister};
use crate::ports::Ports;
use crate::profile::{Applied, Document, Param, Resolved, Source, ValueTag};
use crate::text::Untrusted;
use crate::tools::{self, Catalog, Plan, Plans, RefValue, build_plans};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An interface with its tools.
pub(super) struct CanisterTools {
    /// The interface.
    pub(super) interface: Interface,
    /// The interface with what packs and profiles say of it.
    pub(super) resolved: Rc<Resolved>,
    /// SHA-256 of that form. Making it takes longer than most else that is done for a call.
    pub(super) resolved_hash: ContentHash,
    /// Its tools.
    pub(super) plans: Plans,
}

impl CanisterTools {
    /// The tools of an interface with profiles.
    pub(super) fn of(interface: Interface, profiles: &[(Source, &Document)]) -> Self {
        let resolved = Rc::new(merged(&interface, profiles));
        let plans = build_plans(&resolved);
        Self {
            interface,
            resolved_hash: resolved.hash(),
            resolved,
            plans,
        }
    }

    /// The plan of a call: the method's, or that of the case in its arguments.
    pub(super) fn plan(&self, prepared: &Prepared) -> Option<&Rc<Plan>> {
        self.plans.of_call(&prepared.method, &prepared.arg)
    }
}

/// The known ledger that a canister could be taken for by its symbol, and is not.
pub(super) fn look_alike(canister: &Canister) -> Option<KnownLedger> {
    let known = canister.values.values().find_map(|value| match value {
        Value::Text(text) => looks_like(&canister.id, text),
        Value::Number(_) => None,
    })?;
    Some(KnownLedger {
        symbol: known.symbol.to_owned(),
        id: known.id.to_owned(),
    })
}

/// A text that a canister certified, where it can be its symbol: a known ledger's is no other's.
pub(super) fn own_symbol<'a>(canister: &Canister, text: &'a str) -> Option<&'a str> {
    looks_like(&canister.id, text).is_none().then_some(text)
}

/// The canister as tools are worded with it.
pub(super) fn for_tools(canister: &Canister) -> tools::Canister {
    let refs: BTreeMap<String, RefValue> = canister
        .values
        .iter()
        .filter_map(|(name, value)| {
            let value = match value {
                Value::Number(digits) => RefValue::Number(digits.parse().ok()?),
                Value::Text(text) => RefValue::Text(own_symbol(canister, text)?.to_owned()),
            };
            Some((format!("query:{name}"), value))
        })
        .collect();
    let label = match canister.values.get("icrc1_symbol") {
        // It stands among our own words: no other text of the canister's does.
        Some(Value::Text(symbol)) => {
            own_symbol(canister, symbol).filter(|symbol| Symbol::parse(symbol).is_some())
        }
        Some(Value::Number(_)) | None => None,
    };
    tools::Canister::new(canister.id, label, refs)
}

/// The canister as a call is shown with it: with the names that were listed when it was prepared.
pub(super) fn for_call(canister: &Canister, prepared: &Prepared) -> tools::Canister {
    for_tools(canister).with_names(prepared.names.clone())
}

/// What a canister's tools are made from: an interface and profiles, whose texts were stored.
#[derive(Clone, Copy)]
pub(super) struct Basis<'a> {
    /// SHA-256 of the interface's text.
    pub(super) interface: &'a ContentHash,
    /// The profiles, in the order in which they are merged.
    pub(super) profiles: &'a [Applied],
}

impl<'a> Basis<'a> {
    /// What a call was prepared with.
    pub(super) fn of_call(prepared: &'a Prepared) -> Self {
        Self {
            interface: &prepared.interface,
            profiles: &prepared.profiles,
        }
    }

    /// A canister as it was accepted for a site.
    pub(super) fn of_grant(held: &'a GrantedCanister) -> Self {
        Self {
            interface: &held.interface,
            profiles: &held.profiles,
        }
    }

    fn key(self) -> ContentHash {
        let of = (self.interface, self.profiles);
        ContentHash::of(&serde_json::to_vec(&of).expect("hashes and words are JSON"))
    }
}

#[cfg(feature = "testing")]
impl<P: Ports> Wallet<P> {
    /// With what another wallet has read interfaces to: the same texts give the same tools, and
    /// reading them anew for each of a hundred thousand workers takes long.
    #[must_use]
    pub fn with_tools_of<Q: Ports>(self, other: &Wallet<Q>) -> Self {
        let tools = other.memory.borrow().tools.clone();
        self.memory.borrow_mut().tools = tools;
        self
    }
}

impl<P: Ports> Wallet<P> {
    /// The tools of an interface with profiles. The tests' own are merged last.
    pub(super) fn tools_from(
        &self,
        interface: Interface,
        profiles: &[(Source, &Document)],
    ) -> CanisterTools {
        #[cfg(feature = "testing")]
        let more: Vec<_> = (self.profiles.iter())
            .map(|own| (Source::Person, own))
            .collect();
        #[cfg(not(feature = "testing"))]
        let more: [(Source, &Document); 0] = [];
        CanisterTools::of(interface, &[profiles, &more].concat())
    }

    /// The tools that are made from an interface and profiles. `None` where a text is missing.
    pub(super) async fn tools_of(
        &self,
        basis: Basis<'_>,
    ) -> Result<Option<Rc<CanisterTools>>, RecordError> {
        let key = basis.key();
        if let Some(held) = self.memory.borrow().tools.get(&key) {
            return Ok(Some(Rc::clone(held)));
        }
        let stored: Option<Stored<InterfaceText>> = self.load(&basis.interface.to_string()).await?;
        let interface = stored.and_then(|stored| Interface::parse(&stored.record.text).ok());
        let Some(interface) = interface else {
            return Ok(None);
        };
        let mut documents = Vec::new();
        for applied in basis.profiles {
            let Some(text) = self.profile_text(&applied.text).await? else {
                return Ok(None);
            };
            let Ok(document) = read_profile(&text, applied.source) else {
                return Ok(None);
            };
            documents.push((applied.source, document));
        }
        let documents: Vec<_> = documents.iter().map(|(source, d)| (*source, d)).collect();
        let tools = Rc::new(self.tools_from(interface, &documents));
        self.memory
            .borrow_mut()
            .tools
            .insert(key, Rc::clone(&tools));
        Ok(Some(tools))
    }

    /// The text of a profile that was accepted.
    pub(super) async fn profile_text(
        &self,
        hash: &ContentHash,
    ) -> Result<Option<String>, RecordError> {
        let stored: Option<Stored<ProfileText>> = self.load(&hash.to_string()).await?;
        Ok(stored.map(|stored| stored.record.text))
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
            let Some(tools) = self.tools_of(Basis::of_grant(held)).await? else {
                continue;
            };
            // What the person accepted for this site is what the site has: another resolved form,
            // code or unit is another canister until the person has seen the difference.
            let refers = worded_with(&tools.resolved);
            let as_accepted = record.accepted(&refers) == held.accepted;
            if tools.resolved_hash == held.resolved && as_accepted && !record.withheld {
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
        let tools = self.tools_of(Basis::of_call(prepared)).await.ok()??;
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

/// The methods whose certified replies words and values of tools refer to.
pub(super) fn worded_with(resolved: &Resolved) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for method in resolved.methods.values() {
        method.each_node(&mut |node| {
            if let Some(ValueTag::Amount { decimals, symbol }) = node.tags.value() {
                if let Param::Query(method) = decimals {
                    found.insert(method.clone());
                }
                if let Param::Query(method) = symbol {
                    found.insert(method.clone());
                }
            }
        });
    }
    found
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

pub(super) fn unreadable(failure: ReadFailure) -> Unreadable {
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
