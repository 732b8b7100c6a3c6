//! Documents over an interface: what each says is checked, place by place, and merged in order.

use std::collections::BTreeMap;

use candid::types::{TypeEnv, TypeInner};

use super::compat;
use super::document::{Document, MethodTags, PositionTags};
use super::expand::Expand;
use super::naming;
use super::position::{content_mut, find, find_mut, put};
use super::relpath::{RelPath, Root};
use super::resolved::{Finding, FindingCode, Node, Resolved, ResolvedMethod, Shape};
use super::tags::{
    Effect, Grant, Idempotency, Outcome, Param, Provenance, Source, Tagged, ValueTag,
};
use crate::interface::{Interface, Mode};

/// Merges documents over an interface: built-in ones first, then the person's, each later one over
/// the earlier ones. Whatever does not fit becomes a finding and says nothing.
#[must_use]
pub fn resolve(interface: &Interface, packs: &[Document], profiles: &[Document]) -> Resolved {
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
    let sources = [(Source::Pack, packs), (Source::Person, profiles)];
    for (source, documents) in sources {
        for document in documents {
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
    }
    naming::check(&mut resolved);
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
            let env = &self.into.env;
            if !env.0.contains_key(name) {
                self.unused(name, "types", "the interface has no type of this name");
                continue;
            }
            let mut places = Places {
                env,
                name,
                tags,
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
            for (tag, message) in core::mem::take(&mut places.refused) {
                self.contradictory(name, tag, message);
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
                self.unused(name, "methods", "the interface has no method of this name");
            }
            return false;
        };
        if let Some(candid) = &self.document.candid {
            let fits = candid
                .methods
                .get(name)
                .is_some_and(|ours| compat::fits((candid, ours), (self.interface, method)));
            if !fits {
                self.unused(
                    name,
                    "methods",
                    "the method's types differ from the document's",
                );
                return false;
            }
            if let Some(query) = tags.at.iter().find_map(|(_, tags)| self.dangling(tags)) {
                let message = format!("the interface has no `{query}` that fits the document's");
                self.unused(name, "methods", &message);
                return false;
            }
        }
        for (path, tags) in &tags.at {
            self.position(name, path, tags);
        }
        if let Some(intent) = &tags.intent
            && let Some(intent) = self.intent(name, name, intent)
        {
            self.target(name).intent = Some(intent);
        }
        if let Some(effect) = &tags.effect {
            let effect = self.effect(name, name, effect);
            if let Some(effect) = effect {
                self.target(name).effect = Some(effect);
            }
        }
        if let Some(idempotency) = &tags.idempotency {
            self.idempotency(name, method.mode, idempotency);
        }
        if let Some(outcome) = &tags.outcome {
            let tagged = self.outcome(name, outcome);
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

    /// The query that a parameter names and the interface does not have as the document knows it.
    fn dangling<'t>(&self, tags: &'t PositionTags) -> Option<&'t str> {
        queries(tags.value.as_ref()?).into_iter().find(|query| {
            let ours = self
                .document
                .candid
                .as_ref()
                .and_then(|candid| candid.methods.get(*query));
            let fits = match (ours, self.interface.methods.get(*query)) {
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
        let place = format!("{method} {path}");
        let general = self.document.candid.is_some();
        let env = self.into.env.clone();
        let from = self.from.clone();
        let target = self.target(method);
        let Some(node) = find_mut(target, path) else {
            // A reply of the canister may lack a case that the general document knows.
            if !(general && path.root == Root::Results) {
                self.unused(&place, "at", "the method has no such position");
            }
            return;
        };
        let mut refused = Vec::new();
        put(node, tags, &from, &env, &mut refused);
        for (tag, message) in refused {
            self.contradictory(&place, tag, message);
        }
        for query in tags.value.as_ref().map(queries).unwrap_or_default() {
            let known = self.interface.methods.get(query);
            if !known.is_some_and(|method| method.mode.is_query() && method.args.is_empty()) {
                let message = "its parameter names no query without arguments of this interface";
                self.contradictory(&place, "value", message);
                if let Some(node) = find_mut(self.target(method), path) {
                    node.tags.value = None;
                }
            }
        }
    }

    /// A title of a method or, at `place`, of one case. `None` where it does not fit.
    pub(super) fn intent(
        &mut self,
        name: &str,
        place: &str,
        intent: &str,
    ) -> Option<Tagged<String>> {
        let of = place;
        for place in placeholders(intent) {
            let known = RelPath::parse(place, Root::Args)
                .ok()
                .is_some_and(|path| find(self.target(name), &path).is_some());
            if !known {
                self.contradictory(of, "intent", "the title names a position that is not there");
                return None;
            }
        }
        Some(self.tagged(intent.to_owned()))
    }

    /// An effect of a method or, at `place`, of one case. `None` where it does not fit.
    pub(super) fn effect(
        &mut self,
        name: &str,
        place: &str,
        effect: &Effect,
    ) -> Option<Tagged<Effect>> {
        let mut effect = effect.clone();
        effect.grant = effect.grant.filter(|grant| self.grant(name, place, grant));
        if self.target(name).mode.is_query() && !effect.kind.is_read() {
            self.contradictory(place, "effect", "a query changes nothing");
            return None;
        }
        Some(self.tagged(effect))
    }

    fn grant(&mut self, name: &str, of: &str, grant: &Grant) -> bool {
        for place in [&grant.to, &grant.amount] {
            let known = RelPath::parse(place, Root::Args).ok().is_some_and(|path| {
                path.root == Root::Args && find(self.target(name), &path).is_some()
            });
            if !known {
                let message = "the grant names a position that is not there";
                self.contradictory(of, "effect.grant", message);
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
        let message = if mode != Mode::Update {
            "only an update is told from a repeated one"
        } else if !is_stamp {
            "the stamp must be a `nat64` or `opt nat64` in the arguments"
        } else if !is_cap {
            "the cap must be a `nat64` in the reply"
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
        self.contradictory(name, "idempotency", message);
    }

    /// The classes that a method can have. A general document's classes of cases that the canister
    /// lacks say nothing; in a document about this interface they are reported, and stay, so that
    /// the tool layer can refuse the method.
    pub(super) fn outcome(&mut self, name: &str, outcome: &Outcome) -> Tagged<Outcome> {
        let mut classes = Vec::new();
        for (path, class) in &outcome.classes {
            if find(self.target(name), path).is_none() {
                if self.document.candid.is_some() {
                    continue;
                }
                let place = format!("{name} {path}");
                self.unused(&place, "outcome", "the reply has no such case");
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

    pub(super) fn unused(&mut self, place: &str, tag: &str, message: &str) {
        self.report(FindingCode::Unused, place, tag, message);
    }

    pub(super) fn contradictory(&mut self, place: &str, tag: &str, message: &str) {
        self.report(FindingCode::Contradictory, place, tag, message);
    }

    fn report(&mut self, code: FindingCode, place: &str, tag: &str, message: &str) {
        self.into.findings.push(Finding {
            code,
            from: self.from.clone(),
            place: place.to_owned(),
            tag: tag.to_owned(),
            message: message.to_owned(),
        });
    }
}

/// Every position of a named type.
struct Places<'a> {
    env: &'a TypeEnv,
    name: &'a str,
    tags: &'a PositionTags,
    from: &'a Provenance,
    refused: Vec<(&'static str, &'static str)>,
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
