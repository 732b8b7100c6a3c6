//! Documents over an interface: what each says is checked, place by place, and merged in order.

use std::collections::BTreeMap;

use candid::types::{TypeEnv, TypeInner};

use super::check;
use super::compat;
use super::document::{Document, MethodTags, PositionTags};
use super::expand::Expand;
use super::finding::{Finding, FindingCode};
use super::naming;
use super::near::{nearest, nearest_place};
use super::position::{Refused, content_mut, find, find_mut, put};
use super::relpath::{RelPath, Root};
use super::resolved::{Node, Resolved, ResolvedMethod, Shape};
use super::tags::{
    Effect, Grant, Idempotency, Outcome, Param, Provenance, Source, Tagged, Tags, ValueTag,
};
use crate::interface::{Interface, Mode};

/// A document with whose word it is.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Whose word it is.
    pub source: Source,
    /// The document.
    pub document: &'a Document,
}

/// Merges documents over an interface: built-in ones first, then the person's, each later one over
/// the earlier ones. Whatever does not fit becomes a finding and says nothing.
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

    /// Puts the tags of named types on every position of them.
    fn types(&mut self) -> bool {
        let mut used = false;
        for (name, tags) in &self.document.types {
            if !self.into.env.0.contains_key(name) {
                let names = self.into.env.0.keys().map(String::as_str);
                let advice = nearest(name, names, "name a type that the interface defines");
                let message = "the interface has no type of this name";
                let what = (FindingCode::NoPlace, "types", message);
                self.report(&Spot::of_type(name), &[], what, advice);
                continue;
            }
            let trusted = self.from.source.is_trusted();
            let spot = Spot::of_type(name);
            let narrowed = (!trusted).then(|| self.narrowed(&spot, &Tags::default(), tags));
            let mut places = Places {
                env: &self.into.env,
                name,
                tags: narrowed.as_ref().unwrap_or(tags),
                from: &self.from,
                refused: Vec::new(),
            };
            for method in self.into.methods.values_mut() {
                for node in method.args.iter_mut().chain(&mut method.results) {
                    places.walk(node);
                }
            }
            for node in self.into.definitions.values_mut() {
                places.walk(node);
            }
            for refused in core::mem::take(&mut places.refused) {
                self.refused(&Spot::of_type(name), refused);
            }
            used = true;
        }
        used
    }

    /// Puts what the document says of a method on it. Whether it applies.
    fn method(&mut self, name: &str, tags: &MethodTags) -> bool {
        let Some(method) = self.interface.methods.get(name) else {
            // A general document speaks of methods that not every canister has.
            if self.document.candid.is_none() {
                let names = self.interface.methods.keys().map(String::as_str);
                let advice = nearest(name, names, "name a method that the interface has");
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
        if let Some(intent) = &tags.intent
            && let Some(intent) = self.intent(name, &Spot::of_method(name), intent)
        {
            self.target(name).intent = Some(intent);
        }
        if let Some(effect) = &tags.effect {
            let effect = self.effect(name, &Spot::of_method(name), effect);
            if let Some(effect) = effect {
                self.target(name).effect = Some(effect);
            }
        }
        if let Some(idempotency) = &tags.idempotency {
            self.idempotency(name, method.mode, idempotency);
        }
        if let Some(outcome) = &tags.outcome {
            let tagged = self.outcome(name, &Spot::of_method(name), outcome);
            self.target(name).outcome = Some(tagged);
        }
        if let Some(reconcile) = tags.reconcile {
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
        let env = self.into.env.clone();
        let from = self.from.clone();
        let target = self.target(method);
        let Some(node) = find_mut(target, path) else {
            // A reply of the canister may lack a case that the general document knows.
            if !(general && path.root == Root::Results) {
                let message = "the method has no such position";
                let advice = nearest_place(target, path);
                self.report(&spot, &[], (FindingCode::NoPlace, "at", message), advice);
            }
            return;
        };
        let mut refused = Vec::new();
        if from.source.is_trusted() {
            put(node, tags, &from, &env, &mut refused);
        } else {
            let known = node.tags.clone();
            let tags = self.narrowed(&spot, &known, tags);
            if let Some(node) = find_mut(self.target(method), path) {
                put(node, &tags, &from, &env, &mut refused);
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
                if let Some(node) = find_mut(self.target(method), path) {
                    node.tags.value = None;
                }
            }
        }
    }

    /// A title of a method or of one case. `None` where it does not fit.
    pub(super) fn intent(
        &mut self,
        name: &str,
        spot: &Spot,
        intent: &str,
    ) -> Option<Tagged<String>> {
        for place in placeholders(intent) {
            let known = RelPath::parse(place, Root::Args)
                .ok()
                .is_some_and(|path| find(self.target(name), &path).is_some());
            if !known {
                let message = "the title names a position that is not there";
                let what = (FindingCode::NoPlace, "intent", message);
                let advice = format!("`{{{place}}}` must be a position of the arguments");
                self.report(spot, &["intent"], what, advice);
                return None;
            }
        }
        Some(self.tagged(intent.to_owned()))
    }

    /// An effect of a method or of one case. `None` where it does not fit.
    pub(super) fn effect(
        &mut self,
        name: &str,
        spot: &Spot,
        effect: &Effect,
    ) -> Option<Tagged<Effect>> {
        let mut effect = effect.clone();
        effect.grant = effect.grant.filter(|grant| self.grant(name, spot, grant));
        if self.target(name).mode.is_query() && !effect.kind.is_read() {
            let what = (
                FindingCode::Contradictory,
                "effect",
                "a query changes nothing",
            );
            let advice = "say `\"kind\": \"read\"`, or leave `effect` out".to_owned();
            self.report(spot, &["effect", "kind"], what, advice);
            return None;
        }
        Some(self.tagged(effect))
    }

    fn grant(&mut self, name: &str, spot: &Spot, grant: &Grant) -> bool {
        for (key, place) in [("to", &grant.to), ("amount", &grant.amount)] {
            let known = RelPath::parse(place, Root::Args).ok().is_some_and(|path| {
                path.root == Root::Args && find(self.target(name), &path).is_some()
            });
            if !known {
                let message = "the grant names a position that is not there";
                let what = (FindingCode::NoPlace, "effect.grant", message);
                let advice = format!("`{place}` must be a position of the arguments");
                self.report(spot, &["effect", "grant", key], what, advice);
                return false;
            }
        }
        true
    }

    fn idempotency(&mut self, name: &str, mode: Mode, idempotency: &Idempotency) {
        let target = self.target(name);
        let stamp = &idempotency.stamp;
        let is_stamp = stamp.root == Root::Args
            && find(target, stamp).is_some_and(|node| {
                matches!(
                    node.through_opts(),
                    (
                        0 | 1,
                        Node {
                            shape: Shape::Nat64,
                            ..
                        }
                    )
                )
            });
        let is_cap = idempotency.cap.as_ref().is_none_or(|cap| {
            cap.root == Root::Results
                && find(target, cap).is_none_or(|node| matches!(node.shape, Shape::Nat64))
        });
        let (key, message, advice) = if mode != Mode::Update {
            (
                "stamp",
                "only an update is told from a repeated one",
                "leave `idempotency` out",
            )
        } else if !is_stamp {
            (
                "stamp",
                "the stamp must be a `nat64` or `opt nat64` in the arguments",
                "name the field that carries the time of creation, in nanoseconds",
            )
        } else if !is_cap {
            (
                "cap",
                "the cap must be a `nat64` in the reply",
                "name the place where the reply tells the canister's own time, in nanoseconds",
            )
        } else {
            let known = idempotency
                .cap
                .clone()
                .filter(|cap| find(target, cap).is_some());
            let tagged = self.tagged(Idempotency {
                cap: known,
                ..idempotency.clone()
            });
            self.target(name).idempotency = Some(tagged);
            return;
        };
        let what = (FindingCode::Stamp, "idempotency", message);
        let keys = ["idempotency", key];
        self.report(&Spot::of_method(name), &keys, what, advice.to_owned());
    }

    /// The classes that a method can have. A general document's classes of cases that the canister
    /// lacks say nothing; in a document about this interface they are reported, and stay, so that
    /// the tool layer can refuse the method.
    pub(super) fn outcome(
        &mut self,
        name: &str,
        spot: &Spot,
        outcome: &Outcome,
    ) -> Tagged<Outcome> {
        let mut classes = Vec::new();
        for (path, class) in &outcome.classes {
            if find(self.target(name), path).is_none() {
                if self.document.candid.is_some() {
                    continue;
                }
                let key = path.to_string();
                let what = (
                    FindingCode::NoPlace,
                    "outcome",
                    "the reply has no such case",
                );
                let advice = nearest_place(self.target(name), path);
                let at = Spot {
                    place: format!("{} {key}", spot.place),
                    ..spot.clone()
                };
                self.report(&at, &["outcome", &key], what, advice);
            }
            classes.push((path.clone(), *class));
        }
        self.tagged(Outcome {
            classes,
            default: outcome.default,
        })
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

    fn refused(&mut self, spot: &Spot, refused: Refused) {
        let Refused {
            code,
            tag,
            message,
            advice,
        } = refused;
        let keys: Vec<&str> = tag.split('.').collect();
        self.report(spot, &keys, (code, tag, message), advice.to_owned());
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

    fn of_type(name: &str) -> Self {
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

/// Every position of a named type.
struct Places<'a> {
    env: &'a TypeEnv,
    name: &'a str,
    tags: &'a PositionTags,
    from: &'a Provenance,
    refused: Vec<Refused>,
}

impl Places<'_> {
    fn walk(&mut self, node: &mut Node) {
        if self.is_of_the_type(node) {
            put(node, self.tags, self.from, self.env, &mut self.refused);
            self.refused.dedup();
        }
        match &mut content_mut(node).shape {
            Shape::Record(fields) => fields
                .iter_mut()
                .for_each(|field| self.walk(&mut field.node)),
            Shape::Variant(cases) => cases.iter_mut().for_each(|case| self.walk(&mut case.node)),
            Shape::Vec(inner) => self.walk(inner),
            _ => {}
        }
    }

    /// Whether the position, or what its `opt`s hold, is written by the name, or by a name for it.
    fn is_of_the_type(&self, node: &Node) -> bool {
        let mut node = node;
        loop {
            let mut ty = &node.ty;
            while let TypeInner::Var(name) = ty.as_ref() {
                if name == self.name {
                    return true;
                }
                ty = &self.env.0[name];
            }
            match &node.shape {
                Shape::Opt(inner) => node = inner,
                _ => return false,
            }
        }
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

/// The positions that a title names: `{amount}`.
fn placeholders(intent: &str) -> impl Iterator<Item = &str> {
    intent
        .split('{')
        .skip(1)
        .map(|part| part.split('}').next().unwrap_or_default())
}
