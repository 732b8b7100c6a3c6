//! Documents over an interface: what each says is checked, place by place, and merged in order.

use std::collections::BTreeMap;

use super::check;
use super::compat;
use super::covered::is_covered_method;
use super::document::{Document, MethodTags, PositionTags};
use super::expand::Expand;
use super::finding::{Finding, FindingCode};
use super::naming;
use super::narrow::{effect_change, log_change, stamp_change, title_change};
use super::near::{nearest, nearest_place};
use super::position::{Refused, find_mut, put};
use super::relpath::{RelPath, Root};
use super::resolved::{Resolved, ResolvedMethod};
use super::tags::{Param, Provenance, Source, Tagged, ValueTag};
use crate::interface::Interface;

/// A document with whose word it is.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Whose word it is.
    pub source: Source,
    /// The document.
    pub document: &'a Document,
}

/// Merges documents over an interface: built-in ones first, then the person's. Of packs and of
/// profiles each later one is over the earlier ones; what a pack says stays over every profile.
/// Whatever does not fit becomes a finding and says nothing.
#[must_use]
pub fn resolve(interface: &Interface, packs: &[Document], profiles: &[Document]) -> Resolved {
    let given = |source| move |document| Given { source, document };
    let packs = packs.iter().map(given(Source::Pack));
    let profiles = profiles.iter().map(given(Source::Person));
    resolve_given(interface, &packs.chain(profiles).collect::<Vec<_>>())
}

/// Merges documents over an interface in the order of their sources: built-in ones, what the
/// canister and then the site say, the person's. Of one source, each later one is over the earlier
/// ones.
///
/// What a canister or a site says can only narrow: bounds of texts and numbers are taken where no
/// pack speaks and nobody has set them, and titles and descriptions as quotes. Everything else is
/// left out with a finding ([`FindingCode::NotTrusted`]) whose message is the change that it would
/// make.
#[must_use]
pub fn resolve_given(interface: &Interface, given: &[Given<'_>]) -> Resolved {
    let mut expand = Expand::new(&interface.env);
    let methods = interface.methods.iter().map(|(name, method)| {
        let resolved = ResolvedMethod {
            name: name.clone(),
            mode: method.mode,
            intent: None,
            effect: None,
            idempotency: None,
            outcome: None,
            reconcile: None,
            cases: BTreeMap::new(),
            quoted: Vec::new(),
            args: expand.tuple(Root::Args, method.args.iter().map(|arg| &arg.ty)),
            results: expand.tuple(Root::Results, method.results.iter().map(|arg| &arg.ty)),
        };
        (name.clone(), resolved)
    });
    let methods = methods.collect();
    let mut resolved = Resolved {
        methods,
        env: interface.env.clone(),
        definitions: expand.definitions(),
        fingerprint: interface.fingerprint(),
        names: BTreeMap::new(),
        documents: Vec::new(),
        findings: Vec::new(),
    };
    let mut given = given.to_vec();
    given.sort_by_key(|given| given.source);
    for Given { source, document } in given {
        let from = Provenance {
            source,
            document: document.name.clone(),
        };
        Merge {
            interface,
            document,
            from,
            into: &mut resolved,
        }
        .run();
    }
    naming::check(&mut resolved);
    check::tags_against_one_another(&mut resolved);
    let found = resolved.findings.into_iter();
    resolved.findings = found.map(Finding::escaped).collect();
    resolved
}

/// One document over an interface.
pub(super) struct Merge<'a> {
    pub(super) interface: &'a Interface,
    pub(super) document: &'a Document,
    pub(super) from: Provenance,
    pub(super) into: &'a mut Resolved,
}

impl Merge<'_> {
    fn run(mut self) {
        let types = self.types();
        let mut used = types | self.wallet_names();
        for (name, tags) in &self.document.methods {
            used |= self.method(name, tags);
        }
        if used {
            self.into.documents.push(self.from);
        }
    }

    /// Puts what the document says of a method on it. Whether it applies.
    fn method(&mut self, name: &str, tags: &MethodTags) -> bool {
        let Some(method) = self.interface.methods.get(name) else {
            // A general document speaks of methods that not every canister has.
            if self.document.candid.is_none() {
                let names = self.interface.methods.keys().map(String::as_str);
                let found = self.into.findings.len();
                let advice = nearest(name, names, "name a method that the interface has", found);
                let message = "the interface has no method of this name";
                let what = (FindingCode::NoPlace, "methods", message);
                self.report(&Spot::of_method(name), &[], what, advice);
            }
            return false;
        };
        if let Some(candid) = &self.document.candid {
            let fits = candid
                .methods
                .get(name)
                .is_some_and(|ours| compat::fits((candid, ours), (self.interface, method)));
            if !fits {
                self.does_not_apply(name, "the method's types differ from the document's");
                return false;
            }
            if tags.at.iter().any(|(_, tags)| self.dangling(tags)) {
                let message = "the interface lacks a query that the document refers to";
                self.does_not_apply(name, message);
                return false;
            }
        }
        for (path, tags) in &tags.at {
            self.position(name, path, tags);
        }
        if !self.from.source.is_trusted() {
            self.untrusted_method(name, tags);
            return true;
        }
        let (spot, known) = (Spot::of_method(name), self.target(name));
        let (title, does) = (known.intent.clone(), known.effect.clone());
        let (stamp, classes) = (known.idempotency.clone(), known.outcome.clone());
        let (log, covered) = (known.reconcile.clone(), is_covered_method(known));
        if let Some(intent) = &tags.intent
            && self.may_say(&spot, "intent", (title.as_ref(), intent), title_change)
            && let Some(intent) = self.intent(name, &spot, intent)
        {
            self.target(name).intent = Some(intent);
        }
        if let Some(effect) = &tags.effect
            && self.may_say(&spot, "effect", (does.as_ref(), effect), || {
                effect_change(effect)
            })
            && let Some(effect) = self.effect(name, &spot, effect)
        {
            self.target(name).effect = Some(effect);
        }
        if let Some(said) = &tags.idempotency
            && self.may_say(&spot, "idempotency", (stamp.as_ref(), said), || {
                stamp_change(said)
            })
            && self.may_add(&spot, "idempotency", covered, || stamp_change(said))
        {
            self.idempotency(name, method.mode, said);
        }
        if let Some(outcome) = &tags.outcome
            && self.may_class(&spot, classes.as_ref(), outcome)
        {
            let tagged = self.outcome(name, &spot, outcome);
            self.target(name).outcome = Some(tagged);
        }
        if let Some(reconcile) = tags.reconcile
            && self.may_say(&spot, "reconcile", (log.as_ref(), &reconcile), log_change)
            && self.may_add(&spot, "reconcile", covered, log_change)
        {
            let tagged = self.tagged(reconcile);
            self.target(name).reconcile = Some(tagged);
        }
        for (set, list) in &tags.names {
            self.names(name, set, list);
        }
        for (path, case) in &tags.cases {
            self.case(name, path, case);
        }
        true
    }

    /// Whether a parameter names a query that the interface does not have as the document knows it.
    fn dangling(&self, tags: &PositionTags) -> bool {
        let queries = tags.value.as_ref().map(queries).unwrap_or_default();
        queries.into_iter().any(|query| {
            let ours = self
                .document
                .candid
                .as_ref()
                .and_then(|candid| candid.methods.get(query));
            let fits = match (ours, self.interface.methods.get(query)) {
                (Some(ours), Some(theirs)) => {
                    let candid = self.document.candid.as_ref().unwrap_or(self.interface);
                    compat::fits((candid, ours), (self.interface, theirs))
                }
                (None, Some(_)) => true,
                (_, None) => false,
            };
            !fits
        })
    }

    fn position(&mut self, method: &str, path: &RelPath, tags: &PositionTags) {
        let spot = Spot::of_part(method, "at", path);
        let general = self.document.candid.is_some();
        let (env, found) = (&self.interface.env, self.into.findings.len());
        let from = self.from.clone();
        let target = self.target(method);
        let Some(node) = find_mut(target, path) else {
            // A reply of the canister may lack a case that the general document knows.
            if !(general && path.root == Root::Results) {
                let message = "the method has no such position";
                let advice = nearest_place(target, path, found);
                self.report(&spot, &[], (FindingCode::NoPlace, "at", message), advice);
            }
            return;
        };
        let mut refused = Vec::new();
        if from.source.is_trusted() {
            put(node, tags, &from, env, &mut refused);
        } else {
            let known = node.tags.clone();
            let tags = self.narrowed(&spot, &known, tags);
            if let Some(node) = find_mut(self.target(method), path) {
                put(node, &tags, &from, env, &mut refused);
            }
        }
        for refused in refused {
            self.refused(&spot, refused);
        }
        let value = tags.value.as_ref().filter(|_| from.source.is_trusted());
        for query in value.map(queries).unwrap_or_default() {
            let known = self.interface.methods.get(query);
            if !known.is_some_and(|method| method.mode.is_query() && method.args.is_empty()) {
                let message = "its parameter names no query without arguments of this interface";
                let what = (FindingCode::NoPlace, "value", message);
                let advice = "write the parameter down, or name a query that takes nothing";
                self.report(&spot, &["value"], what, advice.to_owned());
                let from = self.from.clone();
                if let Some(node) = find_mut(self.target(method), path) {
                    node.tags.value.take_if(|value| value.from == from);
                }
            }
        }
    }

    pub(super) fn target(&mut self, name: &str) -> &mut ResolvedMethod {
        self.into
            .methods
            .get_mut(name)
            .expect("the tree has every method of the interface")
    }

    pub(super) fn tagged<T>(&self, tag: T) -> Tagged<T> {
        Tagged {
            tag,
            from: self.from.clone(),
        }
    }

    /// What a general document says of a method that is another here.
    fn does_not_apply(&mut self, name: &str, message: &str) {
        let what = (FindingCode::Unused, "methods", message);
        let advice = "what the document says of this method is left out".to_owned();
        self.report(&Spot::of_method(name), &[], what, advice);
    }

    pub(super) fn refused(&mut self, spot: &Spot, refused: Refused) {
        let Refused {
            code,
            tag,
            message,
            advice,
        } = refused;
        let keys: Vec<&str> = tag.split('.').collect();
        self.report(spot, &keys, (code, tag, &message), advice.to_owned());
    }

    /// Reports what is found below `keys` of a part of the document: its kind, its tag, and what is
    /// the matter.
    pub(super) fn report(
        &mut self,
        spot: &Spot,
        keys: &[&str],
        (code, tag, message): (FindingCode, &str, &str),
        advice: String,
    ) {
        let keys = keys.iter().map(|key| (*key).to_owned());
        self.into.findings.push(Finding {
            code,
            from: self.from.clone(),
            at: spot.at.iter().cloned().chain(keys).collect(),
            place: spot.place.clone(),
            tag: tag.to_owned(),
            message: message.to_owned(),
            advice,
        });
    }
}

/// A part of a document: the keys that lead to it, and what it is about.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) at: Vec<String>,
    pub(super) place: String,
}

impl Spot {
    fn new(keys: &[&str], place: String) -> Self {
        Self {
            at: keys.iter().map(|key| (*key).to_owned()).collect(),
            place,
        }
    }

    pub(super) fn of_type(name: &str) -> Self {
        Self::new(&["types", name], name.to_owned())
    }

    pub(super) fn of_method(name: &str) -> Self {
        Self::new(&["methods", name], name.to_owned())
    }

    /// What is said at a path of a method: `part` is `at` or `cases`.
    pub(super) fn of_part(name: &str, part: &str, path: &RelPath) -> Self {
        let path = path.to_string();
        Self::new(&["methods", name, part, &path], format!("{name} {path}"))
    }
}

/// The methods whose replies a value's parameters are.
fn queries(value: &ValueTag) -> Vec<&str> {
    let mut queries = Vec::new();
    if let ValueTag::Amount { decimals, symbol } = value {
        if let Param::Query(method) = decimals {
            queries.push(method.as_str());
        }
        if let Param::Query(method) = symbol {
            queries.push(method.as_str());
        }
    }
    queries
}
