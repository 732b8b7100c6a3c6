//! What a document says of a named type: it stands at every position of the type.

use candid::types::{TypeEnv, TypeInner};

use super::document::PositionTags;
use super::finding::FindingCode;
use super::merge::{Merge, Spot};
use super::near::nearest;
use super::position::{Refused, content_mut, put};
use super::resolved::{Node, Shape};
use super::tags::{Provenance, Tags};

impl Merge<'_> {
    /// Puts the tags of named types on every position of them.
    pub(super) fn types(&mut self) -> bool {
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
            let mut told: Vec<Refused> = Vec::new();
            for refused in core::mem::take(&mut places.refused) {
                if !told.contains(&refused) {
                    told.push(refused);
                }
            }
            for refused in told {
                self.refused(&Spot::of_type(name), refused);
            }
            used = true;
        }
        used
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
