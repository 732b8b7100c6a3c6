//! From an interface to trees of positions, one an argument and one a result.
//!
//! A definition that contains itself is cut where it comes again. So is every definition below a
//! bound: trees of types that share parts may be far larger than the text. What is cut is expanded
//! once in [`Resolved::definitions`](super::Resolved::definitions).

use std::collections::BTreeMap;

use candid::types::{Label, Type, TypeEnv, TypeInner};

use super::relpath::{RelPath, Root, Step};
use super::resolved::{Case, Field, Node, Shape};
use super::tags::Tags;

/// The most nodes of one method, beyond the definition that passes the bound.
const MAX_METHOD: usize = 8_000;
/// The most nodes of an interface, likewise.
const MAX_TOTAL: usize = 100_000;
/// The deepest node whose definition is expanded. Below it a text can nest as deep as it is allowed to.
const MAX_DEPTH: usize = 48;

/// Expands types of one interface.
pub(super) struct Expand<'a> {
    env: &'a TypeEnv,
    /// Nodes left for the interface.
    total: usize,
    /// Nodes left for the method.
    method: usize,
    /// Nodes above the node.
    depth: usize,
    /// The definitions that contain the position.
    open: Vec<&'a str>,
    /// The definitions that were cut.
    cut: Vec<&'a str>,
    /// Whether every definition is cut.
    shallow: bool,
}

impl<'a> Expand<'a> {
    pub(super) const fn new(env: &'a TypeEnv) -> Self {
        Self {
            env,
            total: MAX_TOTAL,
            method: MAX_METHOD,
            depth: 0,
            open: Vec::new(),
            cut: Vec::new(),
            shallow: false,
        }
    }

    /// Expands the types of a method's arguments or results.
    pub(super) fn tuple<'t>(
        &mut self,
        root: Root,
        types: impl Iterator<Item = &'t Type>,
    ) -> Vec<Node>
    where
        't: 'a,
    {
        self.method = MAX_METHOD;
        types
            .enumerate()
            .map(|(index, ty)| {
                self.node(
                    ty,
                    RelPath {
                        root,
                        index,
                        steps: Vec::new(),
                    },
                )
            })
            .collect()
    }

    /// Every definition that was cut, one level of definitions each.
    pub(super) fn definitions(mut self) -> BTreeMap<String, Node> {
        self.shallow = true;
        let mut definitions = BTreeMap::new();
        while let Some(name) = self.cut.pop() {
            if definitions.contains_key(name) {
                continue;
            }
            let ty = &self.env.0[name];
            let shape = self.shape(ty, &RelPath::result(0));
            let node = Node {
                ty: TypeInner::Var(name.to_owned()).into(),
                shape,
                tags: Tags::default(),
                path: RelPath::result(0),
            };
            definitions.insert(name.to_owned(), node);
        }
        definitions
    }

    fn node(&mut self, ty: &'a Type, path: RelPath) -> Node {
        let cost = 1 + path.steps.iter().map(step_cost).sum::<usize>() / 64;
        self.total = self.total.saturating_sub(cost);
        self.method = self.method.saturating_sub(cost);
        self.depth += 1;
        let shape = match end(self.env, ty) {
            (None, end) => self.shape(end, &path),
            (Some(_), end) if is_leaf(end) => self.shape(end, &path),
            (Some(name), end) => {
                let spent = self.total == 0 || self.method == 0 || self.depth > MAX_DEPTH;
                if self.shallow || spent || self.open.contains(&name) {
                    self.cut.push(name);
                    Shape::Recursive(name.to_owned())
                } else {
                    self.open.push(name);
                    let shape = self.shape(end, &path);
                    self.open.pop();
                    shape
                }
            }
        };
        self.depth -= 1;
        Node {
            ty: ty.clone(),
            shape,
            tags: Tags::default(),
            path,
        }
    }

    fn shape(&mut self, ty: &'a Type, path: &RelPath) -> Shape {
        match ty.as_ref() {
            TypeInner::Record(fields) => Shape::Record(
                fields
                    .iter()
                    .map(|field| Field {
                        label: field.id.as_ref().clone(),
                        node: self.node(&field.ty, path.then(step(&field.id))),
                    })
                    .collect(),
            ),
            TypeInner::Variant(cases) => Shape::Variant(
                cases
                    .iter()
                    .map(|case| Case {
                        label: case.id.as_ref().clone(),
                        node: self.node(&case.ty, path.then(step(&case.id))),
                    })
                    .collect(),
            ),
            TypeInner::Opt(inner) => Shape::Opt(Box::new(self.node(inner, path.clone()))),
            TypeInner::Vec(inner) => match end(self.env, inner).1.as_ref() {
                TypeInner::Nat8 => Shape::Blob,
                _ => Shape::Vec(Box::new(self.node(inner, path.elements()))),
            },
            TypeInner::Nat => Shape::Nat,
            TypeInner::Int => Shape::Int,
            TypeInner::Nat8 => Shape::Nat8,
            TypeInner::Nat16 => Shape::Nat16,
            TypeInner::Nat32 => Shape::Nat32,
            TypeInner::Nat64 => Shape::Nat64,
            TypeInner::Int8 => Shape::Int8,
            TypeInner::Int16 => Shape::Int16,
            TypeInner::Int32 => Shape::Int32,
            TypeInner::Int64 => Shape::Int64,
            TypeInner::Float32 => Shape::Float32,
            TypeInner::Float64 => Shape::Float64,
            TypeInner::Text => Shape::Text,
            TypeInner::Bool => Shape::Bool,
            TypeInner::Principal => Shape::Principal,
            TypeInner::Null => Shape::Null,
            TypeInner::Reserved => Shape::Reserved,
            TypeInner::Empty => Shape::Empty,
            TypeInner::Func(_) => Shape::Func,
            TypeInner::Service(_) => Shape::Service,
            TypeInner::Var(_)
            | TypeInner::Knot(_)
            | TypeInner::Unknown
            | TypeInner::Class(..)
            | TypeInner::Future => {
                unreachable!("an interface's types are resolved and have no such parts")
            }
        }
    }
}

/// The type behind names, and the last of the names.
pub(super) fn end<'a>(env: &'a TypeEnv, ty: &'a Type) -> (Option<&'a str>, &'a Type) {
    let (mut name, mut ty) = (None, ty);
    while let TypeInner::Var(next) = ty.as_ref() {
        name = Some(next.as_str());
        ty = &env.0[next];
    }
    (name, ty)
}

/// Whether a type holds no others.
fn is_leaf(ty: &Type) -> bool {
    !matches!(
        ty.as_ref(),
        TypeInner::Record(_) | TypeInner::Variant(_) | TypeInner::Opt(_) | TypeInner::Vec(_)
    )
}

fn step(label: &Label) -> Step {
    match label {
        Label::Named(name) => Step::Member(name.clone()),
        Label::Id(number) | Label::Unnamed(number) => Step::Number(*number),
    }
}

const fn step_cost(step: &Step) -> usize {
    match step {
        Step::Member(name) => 32 + name.len(),
        Step::Number(_) | Step::Elements => 32,
    }
}
