//! What a document says of a named type: it stands at every position of the type.

use std::borrow::Cow;
use std::collections::BTreeMap;

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
        let mut tagged: BTreeMap<&str, Vec<(usize, Cow<'_, PositionTags>)>> = BTreeMap::new();
        for (at, (name, tags)) in self.document.types.iter().enumerate() {
            if !self.into.env.0.contains_key(name) {
                let names = self.into.env.0.keys().map(String::as_str);
                let otherwise = "name a type that the interface defines";
                let advice = nearest(name, names, otherwise, self.into.findings.len());
                let message = "the interface has no type of this name";
                let what = (FindingCode::NoPlace, "types", message);
                self.report(&Spot::of_type(name), &[], what, advice);
                continue;
            }
            let tags = if self.from.source.is_trusted() {
                Cow::Borrowed(tags)
            } else {
                let spot = Spot::of_type(name);
                Cow::Owned(self.narrowed(&spot, &Tags::default(), tags))
            };
            tagged.entry(name).or_default().push((at, tags));
        }
        if tagged.is_empty() {
            return false;
        }
        // One walk for all types: a tree may have many positions, and a document many types.
        let mut refused: BTreeMap<usize, Vec<Refused>> = BTreeMap::new();
        let places = Places {
            env: &self.interface.env,
            tagged,
            from: &self.from,
        };
        for method in self.into.methods.values_mut() {
            for node in method.args.iter_mut().chain(&mut method.results) {
                places.walk(node, &mut refused);
            }
        }
        for node in self.into.definitions.values_mut() {
            places.walk(node, &mut refused);
        }
        for (at, refused) in refused {
            let name = &self.document.types[at].0;
            for refused in refused {
                self.refused(&Spot::of_type(name), refused);
            }
        }
        true
    }
}

/// Every position of named types.
struct Places<'a> {
    env: &'a TypeEnv,
    /// What is said of a type, with its place in the document.
    tagged: BTreeMap<&'a str, Vec<(usize, Cow<'a, PositionTags>)>>,
    from: &'a Provenance,
}

impl Places<'_> {
    /// Notes what is refused by what was said, each once.
    fn walk(&self, node: &mut Node, refused: &mut BTreeMap<usize, Vec<Refused>>) {
        let mut said = self.said_of(node);
        said.sort_by_key(|(at, _)| *at);
        said.dedup_by_key(|(at, _)| *at);
        for (at, tags) in said {
            let mut here = Vec::new();
            put(node, tags, self.from, self.env, &mut here);
            let told = refused.entry(at).or_default();
            for refused in here {
                if !told.contains(&refused) {
                    told.push(refused);
                }
            }
        }
        match &mut content_mut(node).shape {
            Shape::Record(fields) => fields
                .iter_mut()
                .for_each(|field| self.walk(&mut field.node, refused)),
            Shape::Variant(cases) => cases
                .iter_mut()
                .for_each(|case| self.walk(&mut case.node, refused)),
            Shape::Vec(inner) => self.walk(inner, refused),
            _ => {}
        }
    }

    /// What is said of the types by whose names the position, or what its `opt`s hold, is written.
    fn said_of(&self, node: &Node) -> Vec<(usize, &PositionTags)> {
        let mut said = Vec::new();
        let mut node = node;
        loop {
            let mut ty = &node.ty;
            while let TypeInner::Var(name) = ty.as_ref() {
                let found = self.tagged.get(name.as_str()).into_iter().flatten();
                said.extend(found.map(|(at, tags)| (*at, tags.as_ref())));
                ty = &self.env.0[name];
            }
            match &node.shape {
                Shape::Opt(inner) => node = inner,
                _ => return said,
            }
        }
    }
}
