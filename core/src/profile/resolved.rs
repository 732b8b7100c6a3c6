//! The resolved form: an interface with what documents say of it, as a tree a method.

use std::collections::BTreeMap;

use candid::types::{Label, Type, TypeEnv};

use super::finding::Finding;
use super::relpath::RelPath;
use super::tags::{
    Effect, Idempotency, NameSet, Outcome, Provenance, Reconcile, Source, Tagged, Tags,
};
use crate::ids::ContentHash;
use crate::interface::Mode;

/// An interface, merged with profile documents and checked.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The methods by name.
    pub methods: BTreeMap<String, ResolvedMethod>,
    /// The definitions that [`Node::ty`] and [`Shape::Recursive`] refer to.
    pub env: TypeEnv,
    /// Every definition that a [`Shape::Recursive`] names, expanded once.
    pub definitions: BTreeMap<String, Node>,
    /// The interface's fingerprint.
    pub fingerprint: ContentHash,
    /// The sets of names that positions can be given by.
    pub names: BTreeMap<String, Tagged<NameSet>>,
    /// The documents that apply, in the order in which they were merged.
    pub documents: Vec<Provenance>,
    /// Tags that say nothing, or against the interface or one another.
    pub findings: Vec<Finding>,
}

/// One method with what is said of it.
#[derive(Clone, Debug)]
pub struct ResolvedMethod {
    /// The name.
    pub name: String,
    /// How it is called.
    pub mode: Mode,
    /// Its title, a template: `{amount}` stands for the value at that position.
    pub intent: Option<Tagged<String>>,
    /// What it does.
    pub effect: Option<Tagged<Effect>>,
    /// How the canister tells a repeated call from a new one.
    pub idempotency: Option<Tagged<Idempotency>>,
    /// What its replies mean.
    pub outcome: Option<Tagged<Outcome>>,
    /// How an unknown outcome can be settled.
    pub reconcile: Option<Tagged<Reconcile>>,
    /// What is said of calling it with one case of a variant in its arguments, by the case's place.
    pub cases: BTreeMap<RelPath, ResolvedCase>,
    /// What canisters and sites call the method, or calling it with the case at a place. Quotes for
    /// people: no model reads them, and nothing follows from them.
    pub quoted: Vec<(Option<RelPath>, Tagged<String>)>,
    /// The arguments in order.
    pub args: Vec<Node>,
    /// The results in order.
    pub results: Vec<Node>,
}

/// What is said of calling a method with one case of a variant in its arguments.
#[derive(Clone, Debug, Default)]
pub struct ResolvedCase {
    /// Its title, as the method's.
    pub intent: Option<Tagged<String>>,
    /// What it does.
    pub effect: Option<Tagged<Effect>>,
    /// What its replies mean.
    pub outcome: Option<Tagged<Outcome>>,
}

/// A position: a type with what is said of it.
///
/// An `opt` and what it holds are one position. Its tags stand on the outermost `opt`; the nodes
/// below it that have the same path carry none.
#[derive(Clone, Debug)]
pub struct Node {
    /// The type, as the interface writes it (it may be a name).
    pub ty: Type,
    /// The type, resolved one level.
    pub shape: Shape,
    /// What is said of the position.
    pub tags: Tags,
    /// Where it is.
    pub path: RelPath,
}

/// A type, resolved one level. Records and variants are in Candid order: by label hash.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A record.
    Record(Vec<Field>),
    /// A variant.
    Variant(Vec<Case>),
    /// An option.
    Opt(Box<Node>),
    /// A sequence, other than of bytes.
    Vec(Box<Node>),
    /// `vec nat8`.
    Blob,
    /// `nat`.
    Nat,
    /// `int`.
    Int,
    /// `nat8`.
    Nat8,
    /// `nat16`.
    Nat16,
    /// `nat32`.
    Nat32,
    /// `nat64`.
    Nat64,
    /// `int8`.
    Int8,
    /// `int16`.
    Int16,
    /// `int32`.
    Int32,
    /// `int64`.
    Int64,
    /// `float32`.
    Float32,
    /// `float64`.
    Float64,
    /// `text`.
    Text,
    /// `bool`.
    Bool,
    /// `principal`.
    Principal,
    /// `null`.
    Null,
    /// `reserved`.
    Reserved,
    /// `empty`.
    Empty,
    /// A function reference.
    Func,
    /// A service reference.
    Service,
    /// A definition that is not expanded here, since it contains itself or the method's tree has
    /// reached its bound. [`Resolved::definitions`] has it.
    Recursive(String),
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// The label, with its name where the interface has one.
    pub label: Label,
    /// The position.
    pub node: Node,
}

/// A case of a variant.
#[derive(Clone, Debug)]
pub struct Case {
    /// The label, with its name where the interface has one.
    pub label: Label,
    /// The position.
    pub node: Node,
}

impl ResolvedMethod {
    /// Visits every position of its arguments and results.
    pub fn each_node<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        for node in self.args.iter().chain(&self.results) {
            node.each(visit);
        }
    }
}

impl Node {
    /// Visits the position and those below it.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match &self.shape {
            Shape::Record(fields) => fields.iter().for_each(|field| field.node.each(visit)),
            Shape::Variant(cases) => cases.iter().for_each(|case| case.node.each(visit)),
            Shape::Opt(inner) | Shape::Vec(inner) => inner.each(visit),
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

    /// The position's content below every `opt`, and how many there are.
    #[must_use]
    pub fn through_opts(&self) -> (usize, &Self) {
        let mut depth = 0;
        let mut node = self;
        while let Shape::Opt(inner) = &node.shape {
            depth += 1;
            node = inner;
        }
        (depth, node)
    }

    /// Whether the position may be left out.
    #[must_use]
    pub const fn is_opt(&self) -> bool {
        matches!(self.shape, Shape::Opt(_))
    }
}

/// The name of a label, or its number.
#[must_use]
pub(crate) fn label_text(label: &Label) -> String {
    match label {
        Label::Named(name) => name.clone(),
        Label::Id(id) | Label::Unnamed(id) => id.to_string(),
    }
}

impl Field {
    /// The field's name, or its number.
    #[must_use]
    pub fn name(&self) -> String {
        label_text(&self.label)
    }

    /// Whether the interface gives the field no name.
    #[must_use]
    pub const fn is_numbered(&self) -> bool {
        !matches!(self.label, Label::Named(_))
    }
}

impl Case {
    /// The case's name, or its number.
    #[must_use]
    pub fn name(&self) -> String {
        label_text(&self.label)
    }

    /// Whether the interface gives the case no name.
    #[must_use]
    pub const fn is_numbered(&self) -> bool {
        !matches!(self.label, Label::Named(_))
    }
}

impl ResolvedCase {
    /// Whether documents of this source say anything of it.
    pub(super) fn is_said(&self, source: Source) -> bool {
        let by = |from: Option<&Provenance>| from.is_some_and(|from| from.source == source);
        by(self.intent.as_ref().map(|tagged| &tagged.from))
            || by(self.effect.as_ref().map(|tagged| &tagged.from))
            || by(self.outcome.as_ref().map(|tagged| &tagged.from))
    }
}

impl ResolvedMethod {
    /// The position at a path. A path leads through `opt`s without a step.
    #[must_use]
    pub fn position(&self, path: &RelPath) -> Option<&Node> {
        super::position::find(self, path)
    }
}
