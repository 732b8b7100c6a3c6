//! The variant whose cases have a tool each.

use super::super::skip::{Place, SkipReason};
use crate::profile::{Case, Node, RelPath, ResolvedCase, ResolvedMethod, Shape};

/// The variant in a method's arguments whose cases have a tool each: the only argument, or one field
/// of it.
pub(super) struct Choice<'a> {
    method: &'a ResolvedMethod,
    /// Its place.
    pub(super) path: RelPath,
    cases: &'a [Case],
}

/// One case, fixed for a tool.
pub(super) struct Chosen<'a> {
    pub(super) name: String,
    /// Its place among the cases.
    pub(super) index: u64,
    pub(super) node: &'a Node,
    /// What documents say of it.
    pub(super) said: &'a ResolvedCase,
}

impl Chosen<'_> {
    /// Whether this is the position whose case is fixed.
    pub(super) fn is_in(&self, node: &Node) -> bool {
        self.node.path.parent().as_ref() == Some(&node.path)
    }
}

/// The variant whose cases documents speak of.
pub(super) fn choice_of(method: &ResolvedMethod) -> Result<Choice<'_>, SkipReason> {
    let mut variants = method.cases.keys().filter_map(RelPath::parent);
    let path = variants.next().ok_or(SkipReason::Choices)?;
    if variants.any(|other| other != path) {
        return Err(SkipReason::Choices);
    }
    let node = method.position(&path).ok_or(SkipReason::Choices)?;
    let Shape::Variant(cases) = &node.through_opts().1.shape else {
        return Err(SkipReason::Choices);
    };
    Ok(Choice {
        method,
        path,
        cases,
    })
}

impl<'a> Choice<'a> {
    /// Every case by name, or why it has no tool.
    pub(super) fn cases(&self) -> impl Iterator<Item = (String, Result<Chosen<'a>, SkipReason>)> {
        let method = self.method;
        (0_u64..).zip(self.cases).map(move |(index, case)| {
            let name = case.name();
            let chosen = match method.cases.get(&case.node.path) {
                _ if case.is_numbered() => Err(SkipReason::Numbered(Place::of(&case.node.path))),
                None => Err(SkipReason::UntaggedCase),
                Some(said) => Ok(Chosen {
                    name: name.clone(),
                    index,
                    node: &case.node,
                    said,
                }),
            };
            (name, chosen)
        })
    }
}
