//! Whether a canister's method is the one that a general document speaks of.
//!
//! Arguments written for the document's method must be arguments of the canister's, and the reply's
//! places must be the same places. Beyond Candid's subtyping one thing is allowed, which ledgers do:
//! a variant in a reply may have more cases than the document knows. Such a case has no class.

use std::collections::BTreeSet;

use candid::types::{Field, Label, Type, TypeEnv, TypeInner};

use super::expand::end;
use crate::interface::{Interface, Method};

/// The deepest nesting that is compared.
const MAX_DEPTH: usize = 100;

/// Whether `theirs` fits where `ours` is meant.
pub(super) fn fits(ours: (&Interface, &Method), theirs: (&Interface, &Method)) -> bool {
    let compare = |flow| Compare {
        ours: &ours.0.env,
        theirs: &theirs.0.env,
        flow,
        assumed: BTreeSet::new(),
    };
    let (ours, theirs) = (ours.1, theirs.1);
    ours.mode == theirs.mode
        && ours.args.len() == theirs.args.len()
        && ours.results.len() == theirs.results.len()
        && ours
            .args
            .iter()
            .zip(&theirs.args)
            .all(|(ours, theirs)| compare(Flow::Sent).same(&ours.ty, &theirs.ty, 0))
        && ours
            .results
            .iter()
            .zip(&theirs.results)
            .all(|(ours, theirs)| compare(Flow::Received).same(&ours.ty, &theirs.ty, 0))
}

/// The way values go, seen from the document.
#[derive(Clone, Copy)]
enum Flow {
    Sent,
    Received,
}

struct Compare<'a> {
    ours: &'a TypeEnv,
    theirs: &'a TypeEnv,
    flow: Flow,
    /// Pairs of definitions that are being compared, or were.
    assumed: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Compare<'a> {
    fn same(&mut self, ours: &'a Type, theirs: &'a Type, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let (our_name, ours) = end(self.ours, ours);
        let (their_name, theirs) = end(self.theirs, theirs);
        if let (Some(ours), Some(theirs)) = (our_name, their_name)
            && !self.assumed.insert((ours, theirs))
        {
            return true;
        }
        match (ours.as_ref(), theirs.as_ref()) {
            (TypeInner::Opt(ours), TypeInner::Opt(theirs))
            | (TypeInner::Vec(ours), TypeInner::Vec(theirs)) => self.same(ours, theirs, depth + 1),
            (TypeInner::Record(ours), TypeInner::Record(theirs)) => {
                self.shared(ours, theirs, depth)
                    && ours.iter().all(|field| has(theirs, field))
                    && match self.flow {
                        Flow::Received => true,
                        Flow::Sent => theirs
                            .iter()
                            .all(|field| has(ours, field) || may_lack(self.theirs, &field.ty)),
                    }
            }
            (TypeInner::Variant(ours), TypeInner::Variant(theirs)) => {
                self.shared(ours, theirs, depth)
                    && match self.flow {
                        Flow::Received => true,
                        Flow::Sent => ours.iter().all(|case| has(theirs, case)),
                    }
            }
            // What a reference may be called with is no place of a reply.
            (TypeInner::Func(_), TypeInner::Func(_))
            | (TypeInner::Service(_), TypeInner::Service(_)) => true,
            (ours, theirs) => is_primitive(ours) && ours == theirs,
        }
    }

    /// Whether the members that both have are the same.
    fn shared(&mut self, ours: &'a [Field], theirs: &'a [Field], depth: usize) -> bool {
        ours.iter().all(|our| {
            theirs
                .iter()
                .filter(|their| same_label(&their.id, &our.id))
                .all(|their| self.same(&our.ty, &their.ty, depth + 1))
        })
    }
}

fn has(fields: &[Field], wanted: &Field) -> bool {
    fields.iter().any(|field| same_label(&field.id, &wanted.id))
}

/// Whether two labels read the same. Candid compares hashes; a name with the hash of another would
/// carry the other's tags.
fn same_label(a: &Label, b: &Label) -> bool {
    match (a, b) {
        (Label::Named(a), Label::Named(b)) => a == b,
        (Label::Id(a) | Label::Unnamed(a), Label::Id(b) | Label::Unnamed(b)) => a == b,
        (Label::Named(_), Label::Id(_) | Label::Unnamed(_))
        | (Label::Id(_) | Label::Unnamed(_), Label::Named(_)) => false,
    }
}

/// Whether a field of this type may be left out of a record.
fn may_lack(env: &TypeEnv, ty: &Type) -> bool {
    matches!(
        end(env, ty).1.as_ref(),
        TypeInner::Opt(_) | TypeInner::Null | TypeInner::Reserved
    )
}

const fn is_primitive(ty: &TypeInner) -> bool {
    match ty {
        TypeInner::Null
        | TypeInner::Bool
        | TypeInner::Nat
        | TypeInner::Int
        | TypeInner::Nat8
        | TypeInner::Nat16
        | TypeInner::Nat32
        | TypeInner::Nat64
        | TypeInner::Int8
        | TypeInner::Int16
        | TypeInner::Int32
        | TypeInner::Int64
        | TypeInner::Float32
        | TypeInner::Float64
        | TypeInner::Text
        | TypeInner::Reserved
        | TypeInner::Empty
        | TypeInner::Principal => true,
        TypeInner::Knot(_)
        | TypeInner::Var(_)
        | TypeInner::Unknown
        | TypeInner::Opt(_)
        | TypeInner::Vec(_)
        | TypeInner::Record(_)
        | TypeInner::Variant(_)
        | TypeInner::Func(_)
        | TypeInner::Service(_)
        | TypeInner::Class(..)
        | TypeInner::Future => false,
    }
}
